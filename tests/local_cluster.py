"""A Dask scheduler and its workers as processes of this machine, as far from each other as on several."""

import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkpress.production.cluster_workers import ClusterPatience

PATIENT = ClusterPatience(connect_s=600.0, wait_s=600.0, silence_s=600.0)
TESTS = Path(__file__).parent
_QUIET = {  # Dask watches itself a hundred times a second
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}


class LocalCluster:
    """A scheduler, and workers that share neither folders nor settings with us.

    It takes an empty folder, and what its processes find in their environment.
    """

    def __init__(self, folder, **settings):
        self._folder = folder
        self._settings = settings
        self._processes = []
        self.workers = {}
        told = folder / "scheduler.json"
        words = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        self.scheduler = self._start("scheduler", *words, "--scheduler-file", str(told))
        self.address = ""
        while not self.address:
            assert self.scheduler.poll() is None, (folder / "scheduler.log").read_text()
            with contextlib.suppress(OSError, ValueError):
                self.address = json.loads(told.read_text())["address"]
            time.sleep(0.02)

    def add(self, *names, path=None, **settings):
        """Start workers of one thread each, which find packages in ``path`` first, until all are known."""
        ours = [str(path)] if path else []
        packages = os.pathsep.join([*ours, str(TESTS), os.environ.get("PYTHONPATH", "")])
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
        """A client of Dask's."""
        from distributed import Client

        return Client(self.address, set_as_default=False)

    def has_calls(self):
        """Whether the scheduler has calls with workers; a client takes them back by messages."""
        with self.client() as client:
            return any(client.processing().values())

    def end(self):
        """End all processes that were ever started."""
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
    """A cluster with workers of these names, for the block, in which a busy machine is given time."""
    cluster = LocalCluster(folder, **settings)
    with pytest.MonkeyPatch.context() as patch:
        waits = PATIENT.connect_s, PATIENT.wait_s, PATIENT.silence_s
        patch.setattr(ClusterPatience.__init__, "__defaults__", waits)
        try:
            cluster.add(*names)
            yield cluster
        finally:
            cluster.end()
