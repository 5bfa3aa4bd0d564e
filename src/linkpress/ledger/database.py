"""Database of a ledger: its tables, rows and transactions, and which errors are worth another try.

The SQL is limited to what SQLite and PostgreSQL both understand. A statement has ``?`` for each value.
``sqlite_file`` and ``postgres_server`` hold the differences between the two.
"""

from __future__ import annotations

import contextlib
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

from linkpress.errors import Notify, OutputError
from linkpress.ledger.address import LedgerAddress
from linkpress.ledger.entries import Holder, Kind, LedgerEntry

Result = TypeVar("Result")
Run = Callable[..., list[tuple[Any, ...]]]
"""Executes a statement with its values, and returns the rows."""

ELSEWHERE = "give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger"
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0
_NOTIFY_AFTER_S = 3.0


class NoLedgerError(OutputError):
    """A ledger is to be read, but there is none."""


class Database(ABC):
    """Database of a ledger. One thread uses it, with one connection at a time.

    Args:
        address: the file or server.
        timeout_s: how long to wait for another program's lock, and for a server that does not answer.
        notify: called with a message when such a wait has taken some seconds, and when it is over.
    Attributes:
        lost: whether the server went away and did not come back.
        hurried: whether to give up at once instead of waiting, because the user pressed Ctrl-C.
    """

    driver_error: type[Exception]
    """Base class of the driver's exceptions."""
    integrity_error: type[Exception]
    """Exception of the driver for a row that refers to a missing row."""
    words: ClassVar[dict[str, str]]
    """Text for the placeholders in ``CREATE_TABLES``, in this database's dialect."""
    waited_for: str
    """Start of the message about a wait, such as "has not answered"; the seconds follow."""
    waited_no_more: str
    """Message about the end of a wait, such as "has answered"."""

    def __init__(self, address: LedgerAddress, timeout_s: float, notify: Notify) -> None:
        self.address = address
        self.timeout_s = timeout_s
        self.lost = self.hurried = False
        self._notify = notify
        self._has_notified = False
        self._connection: Any = None

    @property
    @abstractmethod
    def now(self) -> str:
        """SQL expression for the current time in seconds since 1970. All users of a ledger get one clock."""

    @abstractmethod
    def open(self, *, writable: bool) -> None:
        """Check the tables, and create them if the ledger is to be written and has none.

        Args:
            writable: whether the ledger is to be written.
        Raises:
            NoLedgerError: there is no ledger to read.
            OutputError: the ledger is of another version, damaged, locked, out of reach or not accessible to
                this user, or the database belongs to another program. It was not changed.
        """

    @abstractmethod
    def _connect(self) -> Any:
        """Return a new connection of the driver, in autocommit mode."""

    @abstractmethod
    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute a statement on the open connection, and return its rows."""

    @abstractmethod
    def _begin(self) -> None:
        """Start a durable write transaction; waits for earlier writers."""

    @abstractmethod
    def _relax_durability(self) -> None:
        """Let the next statements return before they are on the disk."""

    @abstractmethod
    def _is_retryable(self, error: Exception, *, connected: bool) -> bool:
        """Return whether work that failed with this error may succeed if it is done again."""

    def _is_broken(self) -> bool:
        return bool(getattr(self._connection, "closed", False))  # SQLite's connections have no such attribute

    @abstractmethod
    def _message(self, error: Exception) -> str:
        """Return the message for the user about an error of the database, the driver or the file system."""

    @abstractmethod
    def _version(self, run: Run) -> int:
        """Return the version of the ledger's tables; 0 if there are none."""

    @abstractmethod
    def _write_version(self, run: Run) -> None:
        """Mark the tables as a ledger's, with their version."""

    @abstractmethod
    def defect(self) -> str | None:
        """Check the whole database, and return the first problem; None if it is sound."""

    @abstractmethod
    def can_be_written(self) -> bool:
        """Return whether this user may write to the ledger."""

    def read(self, work: Callable[[Run], Result]) -> Result:
        return self._try(lambda: work(self.run))

    def write_relaxed(self, work: Callable[[Run], Result]) -> Result:
        """Do work that writes by single statements, without waiting for the disk.

        The next ``write`` puts its changes on the disk. The work may be done twice, so that must not matter.
        """

        def without_sync() -> Result:
            self._relax_durability()
            return work(self.run)

        return self._try(without_sync)

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Do work in one durable transaction: all of it or nothing.

        If the server aborts the transaction or the connection breaks, the work is done again. It may have
        been committed before, so doing it twice must have the same outcome as once.

        Raises:
            OutputError: the work can't be done.
        """

        def in_transaction() -> Result:
            self._begin()
            try:
                result = work(self.run)
                self.run("COMMIT")
            except BaseException as error:
                if not isinstance(error, KeyboardInterrupt):  # after Ctrl-C the connection will be closed
                    with contextlib.suppress(self.driver_error):  # the connection may be broken
                        self.run("ROLLBACK")
                raise
            return result

        return self._try(in_transaction)

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextlib.contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Turn exceptions of database, driver and file system into an ``OutputError``."""
        try:
            yield
        except (self.driver_error, ValueError, OSError) as error:
            raise OutputError(self._message(error)) from error

    def refuse_other_version(self, version: int) -> None:
        """Raise ``OutputError`` unless there are no tables yet, or they are of the version known here."""
        if version in (0, VERSION):
            return
        raise OutputError(
            f"{self.address} was written by {'a newer' if version > VERSION else 'an older'} linkpress "
            f"(ledger version {version}; this one knows version {VERSION}). It was not touched. Use that "
            "linkpress, or give another ledger with --ledger."
        )

    def set_up(self, run: Run) -> None:
        """Create the tables, unless another process has created them meanwhile."""
        version = self._version(run)
        self.refuse_other_version(version)
        if not version:
            for statement in CREATE_TABLES:
                run(statement.format(**self.words))
            self._write_version(run)

    def _try(self, work: Callable[[], Result]) -> Result:
        """Connect if necessary and do the work; try again after an error that may pass, until the timeout."""
        start_s, pause_s = time.monotonic(), 0.0
        with self.translate_errors():
            while True:
                connected = False
                try:
                    time.sleep(pause_s)
                    if self._connection is None:
                        self._connection = self._connect()
                    connected = True
                    result = work()
                except KeyboardInterrupt as interrupt:
                    self.lost = self.lost or not connected
                    # The frames of the traceback hold cursors, and an open cursor keeps its lock. Cleaning up
                    # the build would wait for this lock.
                    traceback.clear_frames(interrupt.__traceback__)
                    self.close()
                    raise
                except self.driver_error as error:
                    self.lost = not connected or self._is_broken()
                    is_retryable = self._is_retryable(error, connected=connected)
                    if self.lost:
                        self.close()
                    if not is_retryable or not self._keep_waiting(start_s):
                        raise
                else:
                    self._notify_of_answer()
                    return result
                pause_s = min(2 * pause_s or _FIRST_PAUSE_S, _LONGEST_PAUSE_S)

    def _keep_waiting(self, since_s: float) -> bool:
        """Return whether to wait on for a lock or an answer, and tell the user once after some seconds.

        Args:
            since_s: when the wait began, on the monotonic clock.
        """
        waited_s = time.monotonic() - since_s
        if self.hurried or waited_s >= self.timeout_s:
            return False
        if waited_s >= _NOTIFY_AFTER_S and not self._has_notified:
            self._has_notified = True
            self._notify(
                f"the ledger {self.address} {self.waited_for} for {waited_s:.0f} s: waiting "
                f"{self.timeout_s - waited_s:.0f} s more for it"
            )
        return True

    def _notify_of_answer(self) -> None:
        self.lost = False
        if self._has_notified:
            self._has_notified = False
            self._notify(f"the ledger {self.address} {self.waited_no_more}")


VERSION = 3
TABLES = ("holders", "builds", "puzzles")
# ``Database.words`` replaces the placeholders. ``counted`` is a key that the database numbers by itself, and
# ``text`` is a text ordered by code points. ``beat`` is in seconds since 1970, by the clock ``Database.now``.
CREATE_TABLES = (
    """
    CREATE TABLE holders (
        id {counted},
        kind {text} NOT NULL CHECK (kind IN ('volume', 'feed')),
        name {text} NOT NULL,
        title {text} NOT NULL,
        isbn {text},
        UNIQUE (kind, name)
    )
    """,
    """
    CREATE TABLE builds (
        holder INTEGER PRIMARY KEY REFERENCES holders (id) ON DELETE CASCADE,
        token {text} NOT NULL,
        host {text} NOT NULL,
        pid BIGINT NOT NULL,
        started {text} NOT NULL,
        beat DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE puzzles (
        fingerprint {text} PRIMARY KEY,
        holder INTEGER NOT NULL REFERENCES holders (id) ON DELETE CASCADE,
        slot {text} NOT NULL,
        published BOOLEAN NOT NULL,
        made {text} NOT NULL,
        rows INTEGER NOT NULL,
        cols INTEGER NOT NULL,
        pairs INTEGER NOT NULL,
        solids INTEGER NOT NULL,
        board {text} NOT NULL,
        rule {text} NOT NULL,
        proof {text} NOT NULL,
        technique {text},
        score INTEGER,
        recipe {text} NOT NULL,
        seed {text} NOT NULL,
        attempt INTEGER NOT NULL
    ) {without_rowid}
    """,
    "CREATE INDEX puzzles_of_holder ON puzzles (holder, slot)",
)

_ENTRY_FIELDS = tuple(field.name for field in fields(LedgerEntry))
_OF_HOLDER = ("kind", "name", "title", "isbn")
_PUZZLE_COLUMNS = (
    "holder",
    *(name for name in _ENTRY_FIELDS if name not in _OF_HOLDER),
    *("rows", "cols", "pairs", "solids"),
)
_ROW = f"({', '.join('?' * len(_PUZZLE_COLUMNS))})"
# Rows in one INSERT. Each has 17 values, and both databases allow more than 30,000 values.
_ROWS_AT_ONCE = 200
ENTRIES = f"SELECT {', '.join(_ENTRY_FIELDS)} FROM puzzles JOIN holders ON id = holder"
DELETE_EMPTY_HOLDERS = """
    DELETE FROM holders WHERE NOT EXISTS (SELECT 1 FROM builds WHERE holder = id)
    AND NOT EXISTS (SELECT 1 FROM puzzles WHERE holder = id)
"""


def entry_of(row: Sequence[Any]) -> LedgerEntry:
    """Return the entry in a row of the query ``ENTRIES``."""
    values = dict(zip(_ENTRY_FIELDS, row, strict=True))
    return LedgerEntry(**values | {"kind": Kind(values["kind"]), "published": bool(values["published"])})


def find_entry(run: Run, fingerprint: str) -> LedgerEntry | None:
    """Return the entry of the puzzle with this fingerprint; None if no volume or feed has it."""
    rows = run(f"{ENTRIES} WHERE fingerprint = ?", fingerprint)
    return entry_of(rows[0]) if rows else None


def insert_puzzles(run: Run, holder_id: int, entries: Sequence[LedgerEntry]) -> set[str]:
    """Insert the puzzles that nobody has yet, and return their fingerprints."""
    inserted: set[str] = set()
    for start in range(0, len(entries), _ROWS_AT_ONCE):
        chunk = entries[start : start + _ROWS_AT_ONCE]
        statement = (
            f"INSERT INTO puzzles ({', '.join(_PUZZLE_COLUMNS)}) VALUES {', '.join([_ROW] * len(chunk))} "
            "ON CONFLICT DO NOTHING RETURNING fingerprint"
        )
        values = (value for entry in chunk for value in _values(holder_id, entry))
        inserted.update(fingerprint for (fingerprint,) in run(statement, *values))
    return inserted


def update_puzzle(run: Run, holder_id: int, entry: LedgerEntry) -> None:
    """Update the row of a puzzle that this holder has."""
    columns = ", ".join(f"{name} = ?" for name in _PUZZLE_COLUMNS)
    where = "fingerprint = ? AND holder = ?"
    values = _values(holder_id, entry)
    run(f"UPDATE puzzles SET {columns} WHERE {where}", *values, entry.fingerprint, holder_id)


def upsert_holder(run: Run, holder: Holder, title: str, isbn: str | None, *, keep_isbn: bool = False) -> int:
    """Insert a holder, or update its title and ISBN; return the number of its row.

    Args:
        run: executes SQL.
        holder: the volume or feed.
        title: its title.
        isbn: its ISBN, if it has one.
        keep_isbn: whether a missing ISBN leaves the one in the ledger as it is.
    """
    new_isbn = "coalesce(excluded.isbn, holders.isbn)" if keep_isbn else "excluded.isbn"
    statement = (
        "INSERT INTO holders (kind, name, title, isbn) VALUES (?, ?, ?, ?) "
        f"ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title, isbn = {new_isbn} RETURNING id"
    )
    holder_id: int = run(statement, holder.kind.value, holder.name, title, isbn)[0][0]
    return holder_id


def _values(holder_id: int, entry: LedgerEntry) -> list[Any]:
    return [holder_id, *(getattr(entry, name) for name in _PUZZLE_COLUMNS[1:])]
