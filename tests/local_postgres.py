"""A PostgreSQL server of the tests' own, in a folder of its own, from Debian's packages or the path."""

import contextlib
import itertools
import os
import pwd
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

import psycopg

from linkpress.ledger.address import ServerAddress

PASSWORD = "p%40ss:/w@rd"
"""Of the user ``house``: signs that mean something else in a URL."""
_SETTINGS = {
    "fsync": "off", "listen_addresses": "127.0.0.1", "max_connections": "60", "shared_buffers": "16MB",
    "autovacuum": "off", "lc_messages": "C",
}  # fmt: skip


def find_programs():
    """The folder of ``initdb`` and ``pg_ctl``; None where there is none."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((folder for folder in found if (folder / "pg_ctl").exists()), None)


def _version(folder):
    return int(re.sub(r"\D", "", folder.parent.name) or 0)


class LocalPostgres:
    """A running server with one database and these settings of ``postgresql.conf``; a context manager.

    At its port on 127.0.0.1 passwords are asked for; its socket in ``folder`` trusts everybody.
    """

    def __init__(self, programs, **settings):
        self._programs = programs
        self._settings = _SETTINGS | settings
        self._user = next((name for name in ("postgres", "nobody") if _is_user(name)), None)
        self._names = (f"test_{number}" for number in itertools.count())
        self.folder = Path(tempfile.mkdtemp(prefix="linkpress-pg-"))
        self._kept = socket.socket()
        self.port = 0

    def __enter__(self):
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *fault):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        self._kept.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make(self):
        if os.getuid() == 0:
            shutil.chown(self.folder, self._user)
        words = ["--no-sync", "--encoding=UTF8", "--locale=C", "--username=boss", "--auth=trust"]
        self._run("initdb", "-D", self._data, *words)
        hosts = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        (self._data / "pg_hba.conf").write_text(hosts)
        self._keep_port()
        settings = self._settings | {"port": self.port, "unix_socket_directories": self.folder}
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self.start()
        self.execute("CREATE ROLE house LOGIN PASSWORD '{}'".format(PASSWORD.replace("'", "''")))
        self.execute("CREATE DATABASE house OWNER house", database="postgres")

    def _keep_port(self):
        """Find a free port; on Linux nobody else gets it, not even while the server is stopped."""
        self._kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does: so both may
        self._kept.bind(("127.0.0.1", 0))
        self.port = self._kept.getsockname()[1]
        if sys.platform != "linux":  # elsewhere the server may not bind what another socket holds
            self._kept.close()

    @property
    def _data(self):
        return self.folder / "data"

    def start(self):
        """Start, and wait until it takes connections."""
        self._run("pg_ctl", "-D", self._data, "-w", "-l", self.folder / "log", "start")

    def stop(self, mode="fast"):
        """Stop: fast ends all connections, immediate does not even say goodbye."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    @contextlib.contextmanager
    def frozen(self):
        """Have the server hang for the block: it takes connections, and answers nothing."""
        processes = [int((self._data / "postmaster.pid").read_text().split("\n")[0])]
        try:
            with self._connected() as connection:
                os.kill(processes[0], signal.SIGSTOP)  # none of its processes can vanish from now on
                found = connection.execute("SELECT pid FROM pg_stat_activity WHERE pid != pg_backend_pid()")
                processes += [pid for (pid,) in found]
                for pid in processes[1:]:
                    os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in reversed(processes):
                os.kill(pid, signal.SIGCONT)

    @contextlib.contextmanager
    def standing_by(self):
        """Have the server be a standby for the block, one whose primary has gone."""
        sign = self._data / "standby.signal"
        self.stop()
        sign.touch()
        self.start()
        try:
            yield
        finally:
            self.stop()
            sign.unlink()
            self.start()

    def _run(self, program, *words):
        """As a user who is not root: the server refuses to be."""
        other = {"env": os.environ | {"PGCTLTIMEOUT": "1200"}}
        if os.getuid() == 0:
            group = pwd.getpwnam(str(self._user)).pw_gid
            other |= {"user": self._user, "group": group, "extra_groups": []}
        command = [str(word) for word in (self._programs / program, *words)]
        subprocess.run(
            command, check=True, cwd=self.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **other,
        )  # fmt: skip

    def execute(self, statement, *, database="postgres"):
        """What the database's boss does, or reads."""
        with self._connected(database) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def _connected(self, database="postgres"):
        address = {"host": str(self.folder), "port": self.port, "user": "boss", "dbname": database}
        return psycopg.connect(**address, autocommit=True)

    @contextlib.contextmanager
    def schema(self):
        """A schema of its own for one test, in the database that all share."""
        name = next(self._names)
        self.execute(f"CREATE SCHEMA {name} AUTHORIZATION house", database="house")
        yield self.address(f"?options=-csearch_path%3D{name}")
        self.end_sessions()
        self.execute(f"DROP SCHEMA {name} CASCADE", database="house")

    def address(self, parameters="", *, password=PASSWORD, database="house"):
        """The database as a user names it, by a URL with a password."""
        return ServerAddress(
            f"postgresql://house:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}{parameters}"
        )

    def end_sessions(self):
        """Cut the connections of all users but the boss; returns how many there were."""
        ended = self.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'house'")
        while self.execute("SELECT 1 FROM pg_stat_activity WHERE usename = 'house'"):
            time.sleep(0.005)
        return len(ended)


def _is_user(name):
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True
