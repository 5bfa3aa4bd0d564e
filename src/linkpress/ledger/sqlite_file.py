"""A ledger is kept here as an SQLite file with an application id, and ``user_version`` as its schema's.

The file is looked at read-only before anything may write: a file from a newer linkpress, another
program's database and a damaged file are refused as they lie.

Write-ahead logging lets readers and a writer work side by side. Where a file system refuses it
(some network mounts), SQLite's rollback journal does the same work, one at a time.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from linkpress.errors import Notify, OutputError
from linkpress.files import reason, remedy
from linkpress.ledger.database import ELSEWHERE, VERSION, VIEW_AS_TODAY, Database, NoLedgerError, Run

APPLICATION_ID = 0x4C504C47  # "LPLG"
_PATIENCE_S = 0.5  # of SQLite at a time, which hears of no Ctrl-C while it waits
_LOCKED = (
    "the ledger {path} is locked by another program. Wait until it has finished, or close whatever has the "
    "file open, and give the same command again."
)
_DAMAGED = (
    "{path} is damaged or not a ledger ({fault}). {touched} Put a copy of it back, or start "
    "another with --ledger and bring back what you exported with 'linkpress ledger import'."
)
_TOUCHED = {False: "It was not touched.", True: "What was written to it since is lost with it, perhaps."}
_NO_LOCKS = (
    "the ledger {path} lies on a file system that gives no locks, without which two builds could spoil it. "
    f"Mount it with locks, {ELSEWHERE}."
)
_LEAST_BYTES = 512  # of SQLite's smallest page
_MESSAGES = {
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _LOCKED),
    **dict.fromkeys((sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT), _DAMAGED),
    sqlite3.SQLITE_READONLY: (
        "the ledger {path} can't be written: it, its folder or {path}-shm is read-only. Change their "
        f"permissions, {ELSEWHERE}."
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
    """This ledger is a file; it and missing folders above it are made when it is to be written."""

    driver_error, integrity_error = sqlite3.Error, sqlite3.IntegrityError
    words: ClassVar = {"counted": "INTEGER PRIMARY KEY", "text": "TEXT", "without_rowid": "WITHOUT ROWID"}
    waited_for, waited_no_more = "has been locked by another program", "is free again"

    def __init__(self, path: Path, timeout_s: float, notify: Notify) -> None:
        self.path = path
        self._synchronous = "FULL"
        self._patience_s = min(timeout_s, _PATIENCE_S)
        self._written = False
        self._file: tuple[int, int] | None = None
        self._clock: tuple[float, float] | None = None
        self._way_in: Callable[[], sqlite3.Connection] = self._connect_to_read
        super().__init__(path, timeout_s, notify)

    @property
    def now(self) -> str:
        """Return the seconds since 1970 by the clock of the file's disk, which hosts that share it share."""
        if self._clock is None:
            self._clock = time.time(), time.monotonic()
            with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=self.path.parent) as file:
                self._clock = os.fstat(file.fileno()).st_mtime, time.monotonic()
        return repr(self._clock[0] + time.monotonic() - self._clock[1])

    def open(self, *, writable: bool) -> None:
        """Open the file, which must exist where it is only read, and be whole where it is written."""
        with self.faults():
            version = self._look(writable=writable)
            self.refuse_newer(version)
            defect = self.defect() if writable and version else None
            if defect:
                raise OutputError(_DAMAGED.format(path=self.path, fault=defect, touched=_TOUCHED[False]))
            if writable:
                self._way_in = self._connect_to_write
                self.path.parent.mkdir(parents=True, exist_ok=True)
            elif not version:
                # An empty ledger, which stays empty.
                self._way_in = partial(sqlite3.connect, ":memory:", isolation_level=None)
        if writable or not version:
            self.close()  # the connection that looked
        if writable and not version:
            self.read(self._write_ahead)
        if version < VERSION and (writable or not version):
            self.write(self.set_up)

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute a statement; outside of ``write`` it stands alone: the driver begins nothing itself."""
        rows: list[tuple[Any, ...]] = self._connection.execute(statement, values).fetchall()
        return rows

    def _begin(self) -> None:
        if self._file is not None and self._file != self._identity():
            raise OutputError(
                f"the ledger {self.path} was deleted or replaced while it was in use. What this run wrote to "
                "it is lost, and nothing of it is recorded. Put a copy of it back if there is one, and give "
                "the same command again."
            )
        self._written = True
        self._synchronize("FULL")
        self.run("BEGIN IMMEDIATE")

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    def _lighten(self) -> None:
        """Write lightly only with a write-ahead log: else a power cut might damage the file."""
        if self._synchronous != "NORMAL":
            self._synchronize("NORMAL" if self._pragma("journal_mode") == "wal" else "FULL")

    def _is_passing(self, fault: Exception, *, connected: bool) -> bool:
        return getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY

    def _synchronize(self, how: str) -> None:
        if self._synchronous != how:
            self.run(f"PRAGMA synchronous = {how}")
            self._synchronous = how

    def _message(self, fault: Exception) -> str:
        message = _OTHER_FAULT
        if isinstance(fault, sqlite3.Error):
            code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
            message = _MESSAGES.get(code, _OTHER_FAULT)
            if message is _LOCKED and not self._has_locks():
                message = _NO_LOCKS
            if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and self._is_mounted_read_only():
                mounted = OSError(errno.EROFS, os.strerror(errno.EROFS))
                message = (
                    f"the ledger {{path}} can't be written: {reason(mounted)}. {remedy(mounted, ELSEWHERE)}."
                )
        elif isinstance(fault, OSError):
            message = f"the ledger {{path}} can't be opened: {reason(fault)}. {remedy(fault, ELSEWHERE)}."
        else:  # a text that is no UTF-8, a kind that there is not
            message = _DAMAGED
        return message.format(path=self.path, fault=fault, touched=_TOUCHED[self._written])

    def _has_locks(self) -> bool:
        """Return whether the file system gives the locks that SQLite asks for."""
        if sys.platform == "win32":
            return True
        import fcntl

        try:
            with tempfile.TemporaryFile(dir=self.path.parent) as file:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            return fault.errno != errno.ENOLCK
        return True

    def _version(self, run: Run) -> int:
        return int(self._pragma("user_version"))

    def _note_version(self, run: Run) -> None:
        run(f"PRAGMA application_id = {APPLICATION_ID}")
        run(f"PRAGMA user_version = {VERSION}")

    def _pragma(self, name: str) -> Any:
        return self.run(f"PRAGMA {name}")[0][0]

    def defect(self) -> str | None:
        """Return what SQLite finds in the file; all of it is read."""
        verdict = self.read(lambda run: self._pragma("quick_check(1)"))
        return None if verdict == "ok" else str(verdict).splitlines()[-1]

    def can_be_written(self) -> bool:
        """Return whether file and folder may be written."""
        return os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)

    def _look(self, *, writable: bool) -> int:
        """Find out whether the file is a ledger, and of which version; 0 where it is to be made."""
        if self.path.is_dir():
            raise OSError(errno.EISDIR, "it is a folder")
        if self.path.exists() and not self.path.is_file():
            raise OSError(errno.EINVAL, "it is no file, but a pipe or a device")
        size = self.path.stat().st_size if self.path.exists() else 0
        if 0 < size < _LEAST_BYTES:
            fault = f"it has {size} bytes"
            raise OutputError(_DAMAGED.format(path=self.path, fault=fault, touched=_TOUCHED[False]))
        if self.path.exists() and size == 0:
            if writable:
                self._notify(
                    f"the ledger {self.path} is an empty file and is begun anew: if it held puzzles, stop, "
                    "and put a copy of it back"
                )
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

    def _kind_of_file(self, run: Run) -> tuple[int, int, int]:
        tables = run("SELECT count(*) FROM sqlite_schema")[0][0]
        return int(self._pragma("application_id")), self._version(run), int(tables)

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
        self._file = self._file or self._identity()
        return connection

    def _connect_to_read(self) -> sqlite3.Connection:
        connection = self._connect_read_only()
        try:
            if connection.execute("PRAGMA user_version").fetchone()[0] == 1:
                connection.execute(VIEW_AS_TODAY)
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect_read_only(self) -> sqlite3.Connection:
        """Connect; where nothing may be written beside the file, its log can be read only as immutable."""
        if not self.path.exists():
            raise NoLedgerError(
                f"there is no ledger at {self.path}. Build a volume, or give another place with --ledger."
            )
        address = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=ro"
        unwritten = self.path.with_name(self.path.name + "-wal")
        if not os.access(self.path, os.W_OK) and not unwritten.exists():
            # SQLite would leave files of this user's beside it, which keep its owner from writing.
            return _connect_to_address(f"{address}&immutable=1", self._patience_s)
        connection = _connect_to_address(address, self._patience_s)
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as fault:
            connection.close()
            refused = fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if not refused or (unwritten.exists() and unwritten.stat().st_size):
                raise
            return _connect_to_address(f"{address}&immutable=1", self._patience_s)
        except BaseException:
            connection.close()
            raise
        return connection

    def _write_ahead(self, run: Run) -> None:
        """Change the mode, which SQLite's own wait does not cover, so that two first builds meet here."""
        try:
            run("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as fault:
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
