"""A ledger as an SQLite file, with an application id of its own and ``user_version`` as schema version.

The file is looked at read-only before anything may write: a file from a newer linkpress, another
program's database and a damaged file are refused as they lie.

Write-ahead logging lets readers and a writer work side by side. Where a file system refuses it
(some network mounts), SQLite's rollback journal does the same work, one at a time.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from sqlalchemy import ColumnElement, Connection, Engine, QueuePool, Table, create_engine, literal
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlalchemy.exc import DBAPIError, OperationalError

from linkpress.errors import Notify, OutputError
from linkpress.files import reason, remedy
from linkpress.ledger.database import ELSEWHERE, Database, NoLedgerError
from linkpress.ledger.tables import AS_TODAY, VERSION

APPLICATION_ID = 0x4C504C47  # "LPLG"
_PATIENCE_S = 0.5  # of SQLite at a time, which hears of no Ctrl-C while it waits
_LOCKED = (
    "the ledger {path} is locked by another program. Wait until it has finished, or close whatever has the "
    "file open, and give the same command again."
)
_DAMAGED = (
    "{path} is damaged or not a ledger ({fault}). It was not touched. Put a copy of it back, or start "
    "another with --ledger and bring back what you exported with 'linkpress ledger import'."
)
_WORDS = {
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _LOCKED),
    **dict.fromkeys((sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT), _DAMAGED),
    sqlite3.SQLITE_READONLY: (
        "the ledger {path} can't be written: it or its folder is read-only. Change their permissions, "
        f"{ELSEWHERE}."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "the ledger {path} can't be opened: it is a folder, or it or its folder may not be read or "
        f"written. Change their permissions, {ELSEWHERE}."
    ),
    sqlite3.SQLITE_FULL: (
        f"the ledger {{path}} can't be written: the disk is full. Free some space, {ELSEWHERE}."
    ),
}
_OTHER_FAULT = (
    "the ledger {path} can't be used: {fault}. Check the file, its folder and the free space, "
    f"{ELSEWHERE}."
)


class SqliteFile(Database):
    """A ledger file.

    Args:
        path: the file; it and missing folders above it are made when it is to be written.
        timeout_s: how long to wait for another program's lock.
        tell: told of such a wait.
    """

    driver_error = sqlite3.Error
    waited_for, waited_no_more = "has been locked by another program", "is free again"

    def __init__(self, path: Path, timeout_s: float, tell: Notify) -> None:
        self.path = path
        self._synchronous = "FULL"
        self._patience_s = min(timeout_s, _PATIENCE_S)
        self._way_in: Callable[[], sqlite3.Connection] = self._connect_to_read
        super().__init__(path, timeout_s, tell)

    def open(self, *, writable: bool) -> None:
        """A file opened for reading must exist."""
        with self.faults():
            version = self._look(writable=writable)
            self.refuse_newer(version)
            if writable:
                self._way_in = self._connect_to_write
                self.path.parent.mkdir(parents=True, exist_ok=True)
            elif not version:
                self._way_in = _connect_to_memory  # an empty ledger, which stays empty
        if writable or not version:
            self.engine.dispose()  # of the connection that looked
        if writable and not version:
            self._try(self.single, self._write_ahead)
        if version < VERSION and (writable or not version):
            self.write(self.set_up)

    def _engines(self) -> tuple[Engine, Engine]:
        """The driver begins nothing by itself; outside of ``write`` each statement stands alone."""
        engine = create_engine(
            "sqlite://", creator=self._connect_anew, poolclass=QueuePool, pool_size=1, max_overflow=0
        )
        return engine, engine

    def insert(self, table: Table) -> Insert:
        """SQLite's own."""
        return insert(table)

    def _begin(self, connection: Connection) -> None:
        self._synchronize(connection, "FULL")
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def _lighten(self, connection: Connection) -> None:
        """Only with a write-ahead log: else a power cut might damage the file."""
        if self._synchronous != "NORMAL":
            ahead = connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            self._synchronize(connection, "NORMAL" if ahead else "FULL")

    def _is_passing(self, fault: DBAPIError, *, connected: bool) -> bool:
        """Whether another program holds the lock."""
        return getattr(fault.orig, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY

    def _synchronize(self, connection: Connection, how: str) -> None:
        if self._synchronous != how:
            connection.exec_driver_sql(f"PRAGMA synchronous = {how}")
            self._synchronous = how

    def _words(self, fault: Exception) -> str:
        words = _OTHER_FAULT
        if isinstance(fault, sqlite3.Error):
            code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            words = _WORDS.get(code, _OTHER_FAULT)
            if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and self._is_mounted_read_only():
                mounted = OSError(errno.EROFS, os.strerror(errno.EROFS))
                words = (
                    f"the ledger {{path}} can't be written: {reason(mounted)}. {remedy(mounted, ELSEWHERE)}."
                )
        elif isinstance(fault, OSError):
            words = f"the ledger {{path}} can't be opened: {reason(fault)}. {remedy(fault, ELSEWHERE)}."
        else:  # a text that is no UTF-8, a kind that there is not
            words = _DAMAGED
        return words.format(path=self.path, fault=fault)

    def _version(self, connection: Connection) -> int:
        return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())

    def _mark(self, connection: Connection) -> None:
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")

    @property
    def now(self) -> ColumnElement[float]:
        """By this machine's clock."""
        return literal(time.time())

    def defect(self) -> str | None:
        """What SQLite finds in the file; reads all of it."""
        verdict = self.read(lambda connection: connection.exec_driver_sql("PRAGMA quick_check(1)").scalar())
        return None if verdict == "ok" else str(verdict)

    def can_be_written(self) -> bool:
        """Whether file and folder have leave."""
        return os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)

    def _look(self, *, writable: bool) -> int:
        """Find out whether the file is a ledger, and of which version; 0 where it is to be made."""
        if self.path.is_dir():
            raise OSError(errno.EISDIR, "it is a folder")
        if self.path.is_file() and self.path.stat().st_size == 0:
            return 0
        if writable and not self.path.exists():
            return 0
        application, version, tables = self.read(self._kind_of_file)
        if application != APPLICATION_ID and (application or tables):
            raise OutputError(
                f"{self.path} is a database of another program, not a ledger. It was not touched. Give "
                "another place with --ledger or LINKPRESS_LEDGER."
            )
        return version

    def _kind_of_file(self, connection: Connection) -> tuple[int, int, int]:
        """Application id, version, and how many tables there are."""
        application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
        tables = connection.exec_driver_sql("SELECT count(*) FROM sqlite_schema").scalar_one()
        return int(application), self._version(connection), int(tables)

    def _connect(self) -> sqlite3.Connection:
        return self._way_in()

    def _connect_to_write(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=self._patience_s, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        self._synchronous = "FULL"
        return connection

    def _connect_to_read(self) -> sqlite3.Connection:
        connection = self._connect_read_only()
        try:
            for name, query in AS_TODAY.get(_pragma(connection, "user_version"), {}).items():
                connection.execute(f"CREATE TEMP VIEW {name} AS {query}")
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect_read_only(self) -> sqlite3.Connection:
        """Without leave to write beside the file, write-ahead logging can be read only as immutable."""
        if not self.path.exists():
            raise NoLedgerError(
                f"there is no ledger at {self.path}. Build a volume, or give another place with --ledger."
            )
        address = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=ro"
        connection = _connect_to_address(address, self._patience_s)
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as fault:
            connection.close()
            unwritten = self.path.with_name(self.path.name + "-wal")
            refused = fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if not refused or (unwritten.exists() and unwritten.stat().st_size):
                raise
            return _connect_to_address(f"{address}&immutable=1", self._patience_s)
        except BaseException:
            connection.close()
            raise
        return connection

    def _write_ahead(self, connection: Connection) -> None:
        """SQLite's own wait does not cover the change of mode, so two first builds meet here."""
        try:
            connection.exec_driver_sql("PRAGMA journal_mode = WAL").scalar()
        except OperationalError as fault:
            if self._is_passing(fault, connected=True):
                raise
            # Refused here: the rollback journal serves as well.

    def _is_mounted_read_only(self) -> bool:
        if sys.platform == "win32":
            return False
        try:
            return bool(os.statvfs(self.path.parent).f_flag & os.ST_RDONLY)
        except OSError:
            return False


def _connect_to_address(address: str, timeout_s: float) -> sqlite3.Connection:
    return sqlite3.connect(address, uri=True, timeout=timeout_s, isolation_level=None)


def _connect_to_memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:", isolation_level=None)


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return int(value)
