"""Start a Dask scheduler and workers as processes of this machine, which share no folder."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkpress.production import cluster as dask_cluster

TESTS = Path(__file__).parent
_QUIET = {  # Dask profiles itself a hundred times a second
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}


class LocalCluster:
    """Scheduler and workers.

    Args:
        folder: an empty folder for their files.
        settings: environment variables of all processes.
    """

    def __init__(self, folder, **settings):
        self._folder = folder
        self._settings = settings
        self._processes = []
        self.workers = {}
        connection = folder / "scheduler.json"
        words = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        self.scheduler = self._start("scheduler", *words, "--scheduler-file", str(connection))
        self.address = ""
        while not self.address:
            assert self.scheduler.poll() is None, (folder / "scheduler.log").read_text()
            with contextlib.suppress(OSError, ValueError):
                self.address = json.loads(connection.read_text())["address"]
            time.sleep(0.02)

    def add(self, *names, path=None, **settings):
        """Start workers with one thread each, and wait until the scheduler knows them.

        Args:
            names: the names of the workers.
            path: a folder where they find packages first.
            settings: environment variables of these workers.
        """
        first = [str(path)] if path else []
        packages = os.pathsep.join([*first, str(TESTS), os.environ.get("PYTHONPATH", "")])
        for name in names:
            words = [self.address, "--name", name, "--nthreads", "1", "--no-nanny", "--no-dashboard"]
            scratch = self._folder / name
            scratch.mkdir()
            words += ["--local-directory", str(scratch)]
            self.workers[name] = self._start(
                "worker", *words, PYTHONPATH=packages, HOME=str(scratch), **settings
            )
        with self.client() as client:
            while not set(names) <= {one["name"] for one in client.scheduler_info()["workers"].values()}:
                time.sleep(0.02)

    def client(self):
        from distributed import Client

        return Client(self.address, set_as_default=False)

    def has_calls(self):
        """Return whether workers have calls."""
        with self.client() as client:
            return any(client.processing().values())

    def end(self):
        """Kill all processes."""
        for process in self._processes:
            process.kill()
            process.wait()

    def _start(self, kind, *words, **settings):
        env = {**os.environ, **_QUIET, **self._settings, **settings}
        with (self._folder / f"{kind}.log").open("ab") as log:
            command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
            process = subprocess.Popen(command, cwd=self._folder, env=env, stdout=log, stderr=log)
        self._processes.append(process)
        return process


@contextlib.contextmanager
def local_cluster(folder, *names, **settings):
    """Start a cluster with these workers for the block. Timeouts are long, since machines may be slow."""
    cluster = LocalCluster(folder, **settings)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("CONNECT_S", "WORKER_WAIT_S", "SILENCE_S"):
            patch.setattr(dask_cluster, name, 600.0)
        try:
            cluster.add(*names)
            yield cluster
        finally:
            cluster.end()
