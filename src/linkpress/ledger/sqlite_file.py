"""The ledger (a database of published puzzles) as an SQLite file.

Every file is opened read-only and checked before it is written. A damaged file, a database of another
program, or a ledger of a newer linkpress is refused and not changed.

The ledger uses write-ahead logging (WAL), so that programs can read it while another program writes. Some
network drives don't support WAL. On these drives, SQLite keeps its rollback journal, and readers wait for
writers.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
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
from linkpress.files import reason, refuse_pipe, remedy
from linkpress.ledger.database import ELSEWHERE, VERSION, Database, NoLedgerError, Run

# A number in the header of an SQLite file marks the file as a ledger. It is the text LPLG in ASCII. The
# header's field ``user_version`` is the version of the ledger's tables.
APPLICATION_ID = 0x4C504C47
_SMALLEST_FILE_BYTES = 512  # An SQLite file has at least one page, and a page has at least 512 bytes.

# SQLite ignores Ctrl-C while it waits for a lock. So each wait is limited to this number of seconds, and
# ``Database`` then tries again.
_BUSY_TIMEOUT_S = 0.5

_LOCKED = (
    "the ledger {path} is locked by another program. Wait until it has finished, or close whatever has the "
    "file open, and give the same command again."
)
_NO_LOCKS = (
    "the ledger {path} lies on a file system that gives no locks, without which two builds could spoil it. "
    f"Mount it with locks, {ELSEWHERE}."
)
_DAMAGED = (
    "{path} is damaged or not a ledger ({error}). {state} Put a copy of it back, or start "
    "another with --ledger and bring back what you exported with 'linkpress ledger import'."
)
_UNTOUCHED = "It was not touched."
_WRITTEN = "What was written to it since is lost with it, perhaps."
_BY_SQLITE_CODE = {
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
# If a disk has less free space than this, an input or output error of SQLite may mean that the disk is full.
# The index of SQLite's write-ahead log alone takes 32 KiB.
_LEAST_FREE_BYTES = 1 << 20
_OTHER_ERROR = (
    "the ledger {path} can't be used: {error}. Check the file, its folder and the free space, "
    f"{ELSEWHERE}."
)


class SqliteFile(Database):
    """Ledger in an SQLite file.

    The file and its parent folders are created if the ledger will be written.
    """

    driver_error, integrity_error = sqlite3.Error, sqlite3.IntegrityError
    words: ClassVar = {"counted": "INTEGER PRIMARY KEY", "text": "TEXT", "without_rowid": "WITHOUT ROWID"}
    waited_for, waited_no_more = "has been locked by another program", "is free again"

    def __init__(self, path: Path, timeout_s: float, notify: Notify) -> None:
        self.path = path
        self._busy_timeout_s = min(timeout_s, _BUSY_TIMEOUT_S)
        self._connect_now: Callable[[], sqlite3.Connection] = self._connect_to_read
        self._synchronous = "FULL"  # current value of SQLite's setting PRAGMA synchronous

        # device and inode numbers of the file that is being written
        self._file_id: tuple[int, int] | None = None
        self._written = False  # whether a transaction has been started, so that the file may have changed

        # Two values from the same moment: the time of the file system's clock, and ``time.monotonic()``.
        self._clock: tuple[float, float] | None = None
        super().__init__(path, timeout_s, notify)

    # Opening

    def open(self, *, writable: bool) -> None:
        """Check the file, and prepare to read or write it.

        If the file will be written, the whole file is checked for damage. A missing file and missing tables
        are created. If the file will only be read, an empty file counts as a ledger without entries.
        """
        with self.translate_errors():
            version = self._check_file(writable=writable)
            self.refuse_other_version(version)
            if version and not writable:
                return
            if writable:
                if version and (defect := self.defect()):
                    raise OutputError(self._damaged(defect))
                self._connect_now = self._connect_to_write
                self.path.parent.mkdir(parents=True, exist_ok=True)
            else:
                # The file is empty and will only be read. Reading a ledger needs its tables, but the file
                # must not be written. So create the tables in a database in memory, and read that one.
                self._connect_now = partial(sqlite3.connect, ":memory:", isolation_level=None)
        self.close()  # End the read-only connection that was used for the checks.
        if writable and not version:
            self.read(self._enable_wal)
        if not version:
            self.write(self.set_up)

    def _check_file(self, *, writable: bool) -> int:
        """Return the version of the ledger in the file. Return 0 if the file is empty or does not exist yet.

        Raises:
            NoLedgerError: the ledger will only be read, and the file does not exist.
            OutputError: the file is too short for SQLite, or is a database of another program.
            OSError: the path is a folder, a pipe or a device.
        """
        if self.path.is_dir():
            raise OSError(errno.EISDIR, "it is a folder")
        exists = self.path.exists()
        refuse_pipe(self.path)
        if not exists and writable:
            return 0
        if exists:
            size = self.path.stat().st_size
            if size == 0:
                if writable:
                    self._notify(
                        f"the ledger {self.path} is an empty file and is begun anew: if it held puzzles, "
                        "stop, and put a copy of it back"
                    )
                return 0
            if size < _SMALLEST_FILE_BYTES:
                raise OutputError(self._damaged(f"it has {size} bytes"))
        application_id, version, table_count = self.read(self._read_header)
        if application_id != APPLICATION_ID and (application_id or table_count):
            raise OutputError(
                f"{self.path} is a database of another program, not a ledger. It was not touched. Give "
                "another place with --ledger or LINKPRESS_LEDGER."
            )
        return version

    def _read_header(self, run: Run) -> tuple[int, int, int]:
        table_count = run("SELECT count(*) FROM sqlite_schema")[0][0]
        return int(self._pragma("application_id")), self._version(run), int(table_count)

    def defect(self) -> str | None:
        """Check the whole file for damage.

        Return the first problem that SQLite reports, or None if there is none.
        """
        verdict = self.read(lambda run: self._pragma("quick_check(1)"))
        return None if verdict == "ok" else str(verdict).splitlines()[-1]

    def can_be_written(self) -> bool:
        return os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)

    def _enable_wal(self, run: Run) -> None:
        """Switch to write-ahead logging. If the file system doesn't support it, keep the rollback journal.

        If another process switches at the same time, SQLite does not wait for it, but raises a "busy" error.
        In that case, ``read``, which calls this method, tries again.
        """
        try:
            run("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if self._is_retryable(error, connected=True):
                raise

    # Connections

    def _connect(self) -> sqlite3.Connection:
        return self._connect_now()

    def _connect_to_write(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=self._busy_timeout_s, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        self._synchronous = "FULL"
        self._file_id = self._file_id or self._current_file_id()
        return connection

    def _connect_to_read(self) -> sqlite3.Connection:
        """Return a connection that can only read the ledger, even if this user can't write to its folder.

        Write-ahead logging needs files in this folder. If these files can't be created, SQLite can read the
        ledger only in the mode ``immutable``, which ignores the log. So this mode is used only if the log
        (the ``-wal`` file) is missing or empty.
        """
        if not self.path.exists():
            raise NoLedgerError(
                f"there is no ledger at {self.path}. Build a volume, or give another place with --ledger."
            )
        connect = partial(sqlite3.connect, uri=True, timeout=self._busy_timeout_s, isolation_level=None)
        uri = f"file:{quote(os.fsencode(self.path.absolute()))}?mode=ro"
        immutable_uri = f"{uri}&immutable=1"
        log = self.path.with_name(self.path.name + "-wal")
        if not os.access(self.path, os.W_OK) and not log.exists():
            # Without ``immutable``, SQLite would create files for its write-ahead log, and these files would
            # belong to this user. Then the owner of the ledger could no longer write to it.
            return connect(immutable_uri)
        # Use mode=rw with query_only if possible, because a connection with mode=ro leaves SQLite's
        # log file behind.
        connection = connect(uri.replace("mode=ro", "mode=rw") if self.can_be_written() else uri)
        try:
            connection.execute("PRAGMA query_only = ON")
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.OperationalError as error:
            connection.close()
            no_access = _primary_code(error) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
            if not no_access or (log.exists() and log.stat().st_size):
                raise
            return connect(immutable_uri)
        except BaseException:
            connection.close()
            raise
        return connection

    def _current_file_id(self) -> tuple[int, int] | None:
        try:
            status = self.path.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    # The methods below execute statements and transactions.

    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute an SQL statement and return its rows.

        Outside of ``write``, its changes are committed at once.
        """
        rows: list[tuple[Any, ...]] = self._connection.execute(statement, values).fetchall()
        return rows

    def _pragma(self, name: str) -> Any:
        return self.run(f"PRAGMA {name}")[0][0]

    def _version(self, run: Run) -> int:
        return int(self._pragma("user_version"))

    def _write_version(self, run: Run) -> None:
        run(f"PRAGMA application_id = {APPLICATION_ID}")
        run(f"PRAGMA user_version = {VERSION}")

    def _begin(self) -> None:
        """Start a durable write transaction. Wait until earlier write transactions have ended.

        A transaction is durable if its end waits until all changes are on the disk.

        Raises:
            OutputError: the file was deleted or replaced since it was first opened for writing.
        """
        if self._file_id is not None and self._file_id != self._current_file_id():
            raise OutputError(
                f"the ledger {self.path} was deleted or replaced while it was in use. What this run wrote to "
                "it is lost, and nothing of it is recorded. Put a copy of it back if there is one, and give "
                "the same command again."
            )
        self._written = True
        self._set_synchronous("FULL")
        self.run("BEGIN IMMEDIATE")

    def _relax_durability(self) -> None:
        """Let the statements that follow return before their changes are on the disk.

        Do nothing if the ledger doesn't use write-ahead logging. Then statements have to wait for the disk,
        because otherwise a power cut could damage the file.
        """
        if self._synchronous != "NORMAL":
            self._set_synchronous("NORMAL" if self._pragma("journal_mode") == "wal" else "FULL")

    def _set_synchronous(self, mode: str) -> None:
        if self._synchronous != mode:
            self.run(f"PRAGMA synchronous = {mode}")
            self._synchronous = mode

    @property
    def now(self) -> str:
        """The current time in seconds since 1970, written as a decimal number for use in an SQL statement.

        The clocks of computers that share a ledger may differ, so the clock of the ledger's file system is
        used. It is read only once, from the time of a new temporary file in the ledger's folder. After that,
        the elapsed time is added. If no file can be created, the clock of this computer is used.
        """
        if self._clock is None:
            self._clock = time.time(), time.monotonic()
            with contextlib.suppress(OSError), tempfile.TemporaryFile(dir=self.path.parent) as file:
                self._clock = os.fstat(file.fileno()).st_mtime, time.monotonic()
        start_s, monotonic_start_s = self._clock
        return repr(start_s + time.monotonic() - monotonic_start_s)

    # Errors

    def _is_retryable(self, error: Exception, *, connected: bool) -> bool:
        return _primary_code(error) == sqlite3.SQLITE_BUSY

    def _message(self, error: Exception) -> str:
        """Return a message for the user that says what happened to which file, and what to do."""
        if isinstance(error, sqlite3.Error):
            code = _primary_code(error)
            message = _BY_SQLITE_CODE.get(code, _OTHER_ERROR)
            if code == sqlite3.SQLITE_IOERR and shutil.disk_usage(self.path.parent).free < _LEAST_FREE_BYTES:
                message = _BY_SQLITE_CODE[sqlite3.SQLITE_FULL]
            if message is _LOCKED and not self._has_locks():
                message = _NO_LOCKS
            if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and self._is_mounted_read_only():
                mount = OSError(errno.EROFS, os.strerror(errno.EROFS))
                message = (
                    f"the ledger {{path}} can't be written: {reason(mount)}. {remedy(mount, ELSEWHERE)}."
                )
        elif isinstance(error, OSError):
            message = f"the ledger {{path}} can't be opened: {reason(error)}. {remedy(error, ELSEWHERE)}."
        else:
            # A ValueError means that a text in the file is not UTF-8, or that an entry belongs neither to a
            # volume nor to a feed.
            message = _DAMAGED
        state = _WRITTEN if self._written else _UNTOUCHED
        return message.format(path=self.path, error=error, state=state)

    def _damaged(self, problem: str) -> str:
        return _DAMAGED.format(path=self.path, error=problem, state=_UNTOUCHED)

    def _has_locks(self) -> bool:
        """Return whether the file system supports the locks that SQLite needs.

        If it doesn't, SQLite reports "busy", as if another program had locked the file.
        """
        if sys.platform == "win32":
            return True
        import fcntl

        try:
            with tempfile.TemporaryFile(dir=self.path.parent) as file:
                fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno != errno.ENOLCK
        return True

    def _is_mounted_read_only(self) -> bool:
        if sys.platform == "win32":
            return False
        try:
            return bool(os.statvfs(self.path.parent).f_flag & os.ST_RDONLY)
        except OSError:
            return False


def _primary_code(error: Exception) -> int:
    """Return the primary result code of an SQLite error.

    Each extended result code of SQLite has its primary result code in the lowest eight bits.
    """
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF
