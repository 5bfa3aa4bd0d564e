"""A ledger is kept here in a database of a PostgreSQL server, through psycopg and libpq.

Whatever libpq takes from its surroundings holds here too: ~/.pgpass, service files, PGPASSWORD.

Two builds that want one puzzle meet at the primary key of the table of puzzles: the second INSERT waits for
the first one's transaction, and then finds its row. What changes holders goes one after the other, as
all that writes does in SQLite, by an advisory lock.

A server at work on a statement is as silent as one that hangs, or that the network has swallowed. So after
two seconds another connection is tried: a server that takes it is given much time for its answer, one that
does not as much as for any other absence.

Source:
    PostgreSQL's manual, "Transaction Isolation": in Read Committed, INSERT … ON CONFLICT DO NOTHING inserts
    nothing because of a row that is not visible to it yet; the next statement sees that row.
"""

from __future__ import annotations

import os
import select as sockets
import time
from typing import Any, ClassVar, TypeVar

from linkpress.errors import InstallationError, Notify, OutputError, UsageError
from linkpress.ledger.address import ServerAddress
from linkpress.ledger.database import ELSEWHERE, TABLES, VERSION, Database, NoLedgerError, Run

try:
    import psycopg
    from psycopg import waiting
    from psycopg.abc import PQGen
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
except ImportError as fault:
    raise InstallationError(
        f"a ledger on a PostgreSQL server needs psycopg ({fault}): pip install 'linkpress[postgres]'."
    ) from fault

_Result = TypeVar("_Result")
_LOCK = 0x4C504C47  # "LPLG"
# For a connection: short until the user hears of it, then long enough for a name server that is slow.
_FIRST_CONNECT_S = 3
_CONNECT_S = 10
_LOOK_EVERY_S = 0.1
_DOUBT_S = 2.0  # a statement that takes longer makes one ask whether the server is there
_ASK_S = 2  # for that; psycopg allows no less
_LONGEST_S = 600.0  # for the answer of a server that is there
_HURRY_S = 0.5  # for any answer once the user wants to end
# The system gives a connection up that a firewall has forgotten; another one is made then.
_KEPT_ALIVE = {
    "keepalives_idle": 30,
    "keepalives_interval": 10,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
_VERSION_TABLE = "linkpress_ledger"
# Asked of a table and not by to_regclass, which may answer from before the wait for another's transaction.
_TABLES_HERE = """
    SELECT tablename FROM pg_tables
    WHERE schemaname = ANY (current_schemas(false)) AND tablename = ANY (?)
"""
# Single statements do not wait for the server's disk; transactions do as the server is set up to.
_BEGIN_SESSION = """
    SELECT current_setting('synchronous_commit'),
        set_config('synchronous_commit', 'off', false), set_config('lock_timeout', %s, false)
"""
_BEGIN_WRITING = "SELECT set_config('synchronous_commit', ?, true), pg_advisory_xact_lock(?)"
# What the server undid without anybody's fault: serialization and deadlock, a statement that took too long.
_PASSING = ("40001", "40P01", "57014")
_GONE = ("08", "57P")  # connection exceptions, and a server that shuts down or is starting
_STATES = {
    "42501": (
        "the ledger {ledger} may not be used: {fault}. Let the database's owner grant this user the right, "
        "or make the first build as the owner."
    ),
    "25006": f"the ledger {{ledger}} can't be written: {{fault}}. Perhaps it is a standby: {ELSEWHERE}.",
    "55P03": (
        "the ledger {ledger} is locked by another program. Wait until it has finished, and give the same "
        "command again."
    ),
    "57014": (
        "the ledger {ledger} is too slow: {fault}, again and again. Raise the server's statement_timeout, or "
        "wait until it has less to do, and give the same command again."
    ),
    "53": "the ledger {ledger} can't be written: {fault}. Free some of what the server lacks.",
    "40": "the ledger {ledger} is too busy: {fault}, again and again. Give the same command again.",
    "XX": "the ledger {ledger} is damaged ({fault}). Let the server be looked after.",
}
_PASSWORD = "~/.pgpass, PGPASSWORD or the URL"
_AWAY = {
    "lost": "Give the same command again when the server is back: what is made is kept",
    "no password": f"Give the password in {_PASSWORD}, {ELSEWHERE}",
    "password": f"Check the database, the user and the password (in {_PASSWORD}), {ELSEWHERE}",
    "": f"Check that the server runs, its address and the database, {ELSEWHERE}",
}
_OTHER_FAULT = f"the ledger {{ledger}} can't be used: {{fault}}. Look at the server's log, {ELSEWHERE}."


class PostgresServer(Database):
    """This ledger stands on a server.

    Args:
        address: of the database, which must be there; missing tables are made when it is to be written.
        timeout_s: how long to wait for another program's lock, and for a server that does not answer.
        notify: is called with a message about such a wait.
    """

    driver_error, integrity_error = psycopg.Error, psycopg.IntegrityError
    words: ClassVar = {
        "counted": "INTEGER GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY",
        "text": 'TEXT COLLATE "C"',
        "without_rowid": "",
    }
    waited_for, waited_no_more = "has not answered", "has answered"

    def __init__(self, address: ServerAddress, timeout_s: float, notify: Notify) -> None:
        self._conninfo = _conninfo(address)
        self._was_reached = False
        self._durable = "on"
        self._there_s = self._asked_s = 0.0  # when the server was last known to be there, and asked
        super().__init__(address, timeout_s, notify)

    @property
    def now(self) -> str:
        """Return the server's clock: those of many machines may differ."""
        return "extract(epoch FROM clock_timestamp())::double precision"

    def open(self, *, writable: bool) -> None:
        """Ask for the tables, which may wait for another's transaction."""
        version = self.read(self._version)
        self.refuse_newer(version)
        if not version and not writable:
            raise NoLedgerError(
                f"there is no ledger in {self.address}. Build a volume, or give another place with --ledger."
            )
        if version < VERSION and writable:
            self.write(self.set_up)

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute a statement; psycopg writes %s for a value."""
        cursor = self._connection.execute(statement.replace("?", "%s"), values or None)
        rows: list[tuple[Any, ...]] = cursor.fetchall() if cursor.description else []
        return rows

    def _connect(self) -> psycopg.Connection:
        limit_s = _CONNECT_S if self._has_notified else _FIRST_CONNECT_S
        conninfo = make_conninfo(**{"connect_timeout": limit_s, **self._conninfo})
        connection = _Connection.connect(conninfo, autocommit=True)
        connection.server, self._was_reached = self, True
        try:
            self._begin_session(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _begin_session(self, connection: psycopg.Connection) -> None:
        encoding = connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise OutputError(
                f"the database of the ledger {self.address} holds texts as {encoding}, not as UTF8. Make one "
                "with: createdb --encoding UTF8 --template template0."
            )
        timeout_ms = max(1, round(self.timeout_s * 1000))
        self._durable = connection.execute(_BEGIN_SESSION, [str(timeout_ms)]).fetchall()[0][0]

    def _begin(self) -> None:
        self.run("BEGIN ISOLATION LEVEL READ COMMITTED")  # whatever the server's own is
        self.run(_BEGIN_WRITING, self._durable, _LOCK)

    def _lighten(self) -> None:
        """Do nothing: the whole session is light, but for what ``_begin`` begins."""

    def _is_passing(self, fault: Exception, *, connected: bool) -> bool:
        if not self._was_reached:
            return isinstance(fault, psycopg.errors.ConnectionTimeout)
        return not connected or self._is_broken() or _state(fault) in _PASSING

    def _is_broken(self) -> bool:
        return bool(self._connection.closed)

    def hear(self) -> None:
        """Note that the server has answered, or is being asked."""
        self._heard_s = self._there_s = time.monotonic()

    @property
    def silent_s(self) -> float:
        """Return the time for which the answer to a statement has been missing."""
        return time.monotonic() - self._heard_s

    def is_waited_for(self) -> bool:
        """Return whether a missing answer is waited for; ``_Connection`` asks every tenth of a second.

        Once in ``_DOUBT_S`` it tries another connection, which may take ``_ASK_S``, and may tell the user.
        """
        if self.hurried:
            return self.silent_s < _HURRY_S
        if time.monotonic() - max(self._there_s, self._asked_s) < _DOUBT_S:
            return True
        if self._is_there():
            self._there_s = time.monotonic()
            self._notify_of_wait(
                f"is locked by another program, or busy: waiting up to {self.timeout_s:.0f} s for the lock, "
                f"or {_LONGEST_S / 60:.0f} minutes for the answer"
            )
        self._asked_s = time.monotonic()
        return self.silent_s < _LONGEST_S and self._goes_on_waiting(self._there_s)

    def _is_there(self) -> bool:
        try:
            psycopg.connect(make_conninfo(**{**self._conninfo, "connect_timeout": _ASK_S})).close()
        except psycopg.Error:
            return False
        return True

    def _message(self, fault: Exception) -> str:
        state = _state(fault)
        cause = getattr(getattr(fault, "diag", None), "message_primary", None) or str(fault)
        message = _STATES.get(state, _STATES.get(state[:2], _OTHER_FAULT))
        if state.startswith(_GONE) or (not state and isinstance(fault, psycopg.OperationalError)):
            message = f"the ledger {{ledger}} can't be reached: {{fault}}. {self._advice(fault)}."
        return message.format(ledger=self.address, fault=cause.partition("\n")[0].strip().rstrip("."))

    def _advice(self, fault: Exception) -> str:
        if self._was_reached:
            return _AWAY["lost"]
        attempt = getattr(fault, "pgconn", None)
        if attempt is None:
            return _AWAY[""]
        return _AWAY["no password" if attempt.needs_password else "password" if attempt.used_password else ""]

    def _version(self, run: Run) -> int:
        found = [name for (name,) in run(_TABLES_HERE, [_VERSION_TABLE, *TABLES])]
        if _VERSION_TABLE in found:
            versions = run(f"SELECT version FROM {_VERSION_TABLE}")
            if len(versions) == 1 and isinstance(versions[0][0], int) and versions[0][0] > 0:
                return versions[0][0]
            raise OutputError(
                f"the ledger {self.address} is damaged: its table {_VERSION_TABLE} should hold one version, "
                f"and holds {', '.join(str(version) for (version,) in versions) or 'none'}. It was not "
                f"touched. Bring the database back from a copy, {ELSEWHERE}."
            )
        if found:
            raise OutputError(
                f"{self.address} has tables of another program ({', '.join(found)}), and no ledger. They "
                "were not touched. Give another database with --ledger or LINKPRESS_LEDGER."
            )
        return 0

    def _note_version(self, run: Run) -> None:
        run(f"CREATE TABLE IF NOT EXISTS {_VERSION_TABLE} (version integer NOT NULL)")
        run(f"DELETE FROM {_VERSION_TABLE}")
        run(f"INSERT INTO {_VERSION_TABLE} VALUES ({VERSION})")

    def defect(self) -> str | None:
        """Return None: a server looks after its own files."""
        return None

    def can_be_written(self) -> bool:
        """Return whether this user has the rights, and the server takes writes."""
        needed = ("SELECT", "INSERT", "UPDATE", "DELETE")
        rights = " AND ".join(
            f"has_table_privilege('{name}', '{right}')" for name in TABLES for right in needed
        )
        asked = f"SELECT current_setting('transaction_read_only') = 'off' AND {rights}"
        return bool(self.read(lambda run: run(asked))[0][0])


class _Connection(psycopg.Connection[Any]):
    """A connection here waits for no answer without end, and an interruption closes it."""

    server: PostgresServer

    def wait(
        self, gen: PQGen[_Result], interval: float = _LOOK_EVERY_S, timeout: float | None = None
    ) -> _Result:
        """Wait as psycopg does, but for half a second after Ctrl-C where it waits for up to ten."""
        self.server.hear()
        try:
            return waiting.wait(self._watched(gen), self.pgconn.socket, interval, timeout)
        except KeyboardInterrupt:
            left_s = max(0.0, _HURRY_S - self.server.silent_s)
            self.server.lost = not sockets.select([self.pgconn.socket], [], [], left_s)[0]
            self.pgconn.finish()
            raise

    def _watched(self, gen: PQGen[_Result]) -> PQGen[_Result]:
        """Take the same steps: psycopg says each time what is ready, or after a moment that nothing is."""
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    self.server.hear()
                elif not self.server.is_waited_for():
                    self.pgconn.finish()
                    raise psycopg.OperationalError(f"no answer for {self.server.silent_s:.0f} s")
                wanted = gen.send(ready)
        except StopIteration as done:
            result: _Result = done.value
            return result


def _state(fault: object) -> str:
    """Return the SQLSTATE of a fault; empty where no server raised it."""
    return getattr(fault, "sqlstate", None) or ""


def _conninfo(address: ServerAddress) -> dict[str, Any]:
    """Read the address as libpq does, and add what it leaves out; no message may show the password."""
    try:
        given = conninfo_to_dict(address.conninfo)
    except psycopg.Error:
        raise UsageError(
            f"the ledger {address} is not named as libpq reads it: a port is a number, and what follows the "
            "? are parameters of libpq, as sslmode=require."
        ) from None
    usual: dict[str, Any] = {
        **_KEPT_ALIVE,
        "fallback_application_name": "linkpress",
        "client_encoding": "UTF8",
    }
    if limit := os.environ.get("PGCONNECT_TIMEOUT"):
        usual["connect_timeout"] = limit
    return usual | given
