"""Start a PostgreSQL server for the tests in a temporary folder.

Its programs come from the path, or from Debian's packages.
"""

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
"""Password of the user ``house``, with characters that are special in a URL."""
_SETTINGS = {
    "fsync": "off", "listen_addresses": "127.0.0.1", "max_connections": "60", "shared_buffers": "16MB",
    "autovacuum": "off", "lc_messages": "C",
}  # fmt: skip


def find_programs():
    """Return the folder of ``initdb`` and ``pg_ctl``; None if they are not installed."""
    on_path = shutil.which("initdb")
    found = [Path(on_path).resolve().parent] if on_path else []
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    return next((folder for folder in found if (folder / "pg_ctl").exists()), None)


def _version(folder):
    return int(re.sub(r"\D", "", folder.parent.name) or 0)


class LocalPostgres:
    """Running server with one database; a context manager.

    Connections to its port on 127.0.0.1 need a password. Connections to its socket in ``folder`` need none.

    Args:
        programs: the folder of ``initdb`` and ``pg_ctl``.
        settings: further settings for ``postgresql.conf``.
    """

    def __init__(self, programs, **settings):
        self._programs = programs
        self._settings = _SETTINGS | settings
        self._user = next((name for name in ("postgres", "nobody") if _is_user(name)), None)
        self._names = (f"test_{number}" for number in itertools.count())
        self.folder = Path(tempfile.mkdtemp(prefix="linkpress-pg-"))
        self._port_holder = socket.socket()
        self.port = 0

    def __enter__(self):
        try:
            self._make()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *exc_info):
        with contextlib.suppress(subprocess.CalledProcessError):
            self.stop("immediate")
        self._port_holder.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make(self):
        if os.getuid() == 0:
            shutil.chown(self.folder, self._user)
        words = ["--no-sync", "--encoding=UTF8", "--locale=C", "--username=boss", "--auth=trust"]
        self._run("initdb", "-D", self._data, *words)
        hosts = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
        (self._data / "pg_hba.conf").write_text(hosts)
        self._hold_port()
        settings = self._settings | {"port": self.port, "unix_socket_directories": self.folder}
        with (self._data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())
        self.start()
        self.execute("CREATE ROLE house LOGIN PASSWORD '{}'".format(PASSWORD.replace("'", "''")))
        self.execute("CREATE DATABASE house OWNER house", database="postgres")

    def _hold_port(self):
        """Find a free port. On Linux no other program can use it while the server is stopped."""
        self._port_holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # both sockets must set this
        self._port_holder.bind(("127.0.0.1", 0))
        self.port = self._port_holder.getsockname()[1]
        if sys.platform != "linux":  # on other systems the server could not bind this port
            self._port_holder.close()

    @property
    def _data(self):
        return self.folder / "data"

    def start(self):
        """Start the server, and wait until it accepts connections."""
        self._run("pg_ctl", "-D", self._data, "-w", "-l", self.folder / "log", "start")

    def stop(self, mode="fast"):
        """Stop the server; ``immediate`` is like a crash."""
        self._run("pg_ctl", "-D", self._data, "-w", "-m", mode, "stop")

    @contextlib.contextmanager
    def frozen(self):
        """Let the server hang during the block: it accepts connections, but does not answer."""
        processes = [int((self._data / "postmaster.pid").read_text().split("\n")[0])]
        try:
            with self._connected() as connection:
                os.kill(processes[0], signal.SIGSTOP)  # from now on no process of the server can end
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
        """Make the server a standby without primary during the block."""
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
        """Run a program as a user other than root, because the server refuses to run as root."""
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
        """Execute SQL as the superuser ``boss``, and return the rows."""
        with self._connected(database) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def _connected(self, database="postgres"):
        address = {"host": str(self.folder), "port": self.port, "user": "boss", "dbname": database}
        return psycopg.connect(**address, autocommit=True)

    @contextlib.contextmanager
    def schema(self):
        """Create an empty schema for one test, and delete it after the block."""
        name = next(self._names)
        self.execute(f"CREATE SCHEMA {name} AUTHORIZATION house", database="house")
        yield self.address(f"?options=-csearch_path%3D{name}")
        self.end_sessions()
        self.execute(f"DROP SCHEMA {name} CASCADE", database="house")

    def address(self, parameters="", *, password=PASSWORD, database="house"):
        """Return the address of a database, with the password."""
        return ServerAddress(
            f"postgresql://house:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}{parameters}"
        )

    def end_sessions(self):
        """End all connections of the user ``house``, and return their number."""
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
