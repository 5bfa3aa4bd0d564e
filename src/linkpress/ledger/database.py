"""A ledger's database has tables, rows and transactions, and says which faults are worth another try.

The SQL is what SQLite and PostgreSQL both understand. A statement has ``?`` for each value; ``Run`` executes
it and returns its rows.

What SQLite and PostgreSQL do each in their own way stands in ``sqlite_file`` and ``postgres_server``.
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
ELSEWHERE = "give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger"
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0
_NOTIFY_AFTER_S = 3.0


class NoLedgerError(OutputError):
    """No ledger is there where one is to be read."""


class Database(ABC):
    """A ledger's database is used by one thread, with one connection at a time.

    Args:
        timeout_s: how long to wait for another program's lock, and for a server that does not answer.
        notify: is called with a message when such a wait has taken some seconds, and when it is over.
    Attributes:
        lost: whether a server went away and did not come back.
        hurried: whether nothing is waited for any more, as after Ctrl-C.
    """

    driver_error: type[Exception]
    """The root of what the driver raises."""
    integrity_error: type[Exception]
    """What the driver raises for a row that refers to none."""
    words: ClassVar[dict[str, str]]
    """What the database writes in its own words in the statements that make the tables."""
    waited_for: str
    """What keeps one waiting, as "has not answered"; a time in seconds follows."""
    waited_no_more: str
    """How the wait ended, as "has answered"."""

    def __init__(self, address: LedgerAddress, timeout_s: float, notify: Notify) -> None:
        self.address = address
        self.timeout_s = timeout_s
        self.lost = self.hurried = False
        self._notify = notify
        self._has_notified = False
        self._heard_s = 0.0  # when it last answered, or was asked, by the monotonic clock
        self._connection: Any = None

    @property
    @abstractmethod
    def now(self) -> str:
        """Return the SQL of the seconds since 1970, by one clock for all who write here."""

    @abstractmethod
    def open(self, *, writable: bool) -> None:
        """Find out which tables are there, and make or bring up to date those that are to be written.

        Args:
            writable: whether anything may be written.
        Raises:
            NoLedgerError: there is none to be read.
            OutputError: the ledger is newer, foreign, damaged, locked, out of reach or not this user's; it is
                left as it was.
        """

    @abstractmethod
    def _connect(self) -> Any:
        """Make a connection of the driver, in which each statement stands alone."""

    @abstractmethod
    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute a statement, with its values, in the connection that there is."""

    @abstractmethod
    def _begin(self) -> None:
        """Begin to write, after all others that began, and to the disk."""

    @abstractmethod
    def _lighten(self) -> None:
        """Let what is written next return before it is on the disk."""

    @abstractmethod
    def _is_passing(self, fault: Exception, *, connected: bool) -> bool:
        """Return whether what was undone by this fault may succeed when it is tried again."""

    def _is_broken(self) -> bool:
        return False

    @abstractmethod
    def _message(self, fault: Exception) -> str:
        """Return what a fault of the database or its driver means for the user."""

    @abstractmethod
    def _version(self, run: Run) -> int:
        """Return the version of the tables that are there; 0 for none."""

    @abstractmethod
    def _note_version(self, run: Run) -> None:
        """Note that the tables are a ledger's and of which version."""

    @abstractmethod
    def defect(self) -> str | None:
        """Return what is wrong inside, None when it is sound; reads all of it."""

    @abstractmethod
    def can_be_written(self) -> bool:
        """Return whether this user may write here."""

    def read(self, work: Callable[[Run], Result]) -> Result:
        """Do work that only reads."""
        return self._try(lambda: work(self.run))

    def write_lightly(self, work: Callable[[Run], Result]) -> Result:
        """Write single statements, perhaps twice; the next ``write`` takes them to the disk."""

        def lightly() -> Result:
            self._lighten()
            return work(self.run)

        return self._try(lightly)

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Do all of something in one transaction, after all others and to the disk, or nothing of it.

        What the server undid, or the connection took with it, is done again, perhaps after it was
        done: the outcome must be the same. An ``OutputError`` says that it can't be done.
        """

        def in_transaction() -> Result:
            self._begin()
            try:
                result = work(self.run)
                self.run("COMMIT")
            except BaseException as fault:
                if not isinstance(fault, KeyboardInterrupt):  # after which the connection is closed
                    with contextlib.suppress(self.driver_error):  # it may be gone
                        self.run("ROLLBACK")
                raise
            return result

        return self._try(in_transaction)

    def close(self) -> None:
        """Leave the database."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextlib.contextmanager
    def faults(self) -> Iterator[None]:
        """Turn what database, driver and file system raise into an ``OutputError`` of one paragraph."""
        try:
            yield
        except (self.driver_error, ValueError, OSError) as fault:
            raise OutputError(self._message(fault)) from fault

    def refuse_newer(self, version: int) -> None:
        """Leave what a later release made as it is, and raise ``OutputError``."""
        if version > VERSION:
            raise OutputError(
                f"{self.address} was written by a newer linkpress (ledger version {version}; this one knows "
                f"up to {VERSION}). It was not touched. Update linkpress, or give another ledger "
                "with --ledger."
            )

    def set_up(self, run: Run) -> None:
        """Make the tables, or bring them up to date, unless another process came first."""
        version = self._version(run)
        self.refuse_newer(version)
        if version == VERSION:
            return
        for statement in (BRING_UP_TO_DATE,) if version else CREATE_TABLES:
            run(statement.format(**self.words))
        self._note_version(run)

    def _try(self, work: Callable[[], Result]) -> Result:
        since_s, pause_s = None, 0.0
        self._heard_s = time.monotonic()
        with self.faults():
            while True:
                connected = False
                try:
                    time.sleep(pause_s)
                    if self._connection is None:
                        self._connection = self._connect()
                    connected = True
                    result = work()
                except KeyboardInterrupt as stop:
                    self.lost = self.lost or not connected
                    # A statement keeps its lock as long as a frame of the traceback holds its cursor, and
                    # what is tidied up next would wait for it.
                    traceback.clear_frames(stop.__traceback__)
                    self.close()
                    raise
                except self.driver_error as fault:
                    self.lost = not connected or self._is_broken()
                    since_s = since_s or self._heard_s
                    passing = self._is_passing(fault, connected=connected)
                    if self.lost:
                        self.close()
                    if not passing or not self._goes_on_waiting(since_s):
                        raise
                else:
                    self._notify_of_answer()
                    return result
                pause_s = min(2 * pause_s or _FIRST_PAUSE_S, _LONGEST_PAUSE_S)

    def _goes_on_waiting(self, since_s: float) -> bool:
        """Return whether what has been away or locked since then is waited for; the user hears of it once."""
        waited_s = time.monotonic() - since_s
        if self.hurried or waited_s >= self.timeout_s:
            return False
        if waited_s >= _NOTIFY_AFTER_S:
            left_s = self.timeout_s - waited_s
            self._notify_of_wait(
                f"{self.waited_for} for {waited_s:.0f} s: waiting {left_s:.0f} s more for it"
            )
        return True

    def _notify_of_wait(self, message: str) -> None:
        if not self._has_notified:
            self._has_notified = True
            self._notify(f"the ledger {self.address} {message}")

    def _notify_of_answer(self) -> None:
        self.lost = False
        if self._has_notified:
            self._has_notified = False
            self._notify(f"the ledger {self.address} {self.waited_no_more}")


Run = Callable[..., list[tuple[Any, ...]]]

VERSION = 2
TABLES = ("holders", "builds", "puzzles")
# Each database fills in its own words: ``counted`` for a key that it counts up itself, ``text`` for a text
# that is ordered by its code points. ``beat`` is in seconds since 1970, by the database's clock.
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
        grade {text},
        score INTEGER,
        recipe {text} NOT NULL,
        seed {text} NOT NULL,
        attempt INTEGER NOT NULL
    ) {without_rowid}
    """,
    "CREATE INDEX puzzles_of_holder ON puzzles (holder, slot)",
)
# Tables of version 1, which 0.1.0 made, know no ISBNs; what may only be read is looked at as if they did.
BRING_UP_TO_DATE = "ALTER TABLE holders ADD COLUMN isbn {text}"
VIEW_AS_TODAY = "CREATE TEMP VIEW holders AS SELECT *, NULL AS isbn FROM main.holders"

_ENTRY_FIELDS = tuple(field.name for field in fields(LedgerEntry))
_OF_HOLDER = ("kind", "name", "title", "isbn")
_PUZZLE_COLUMNS = (
    "holder",
    *(name for name in _ENTRY_FIELDS if name not in _OF_HOLDER),
    *("rows", "cols", "pairs", "solids"),
)
_ROW = f"({', '.join('?' * len(_PUZZLE_COLUMNS))})"
_AT_ONCE = 200  # rows of an INSERT; with 17 values each, far below the limits of both databases
ENTRIES = f"SELECT {', '.join(_ENTRY_FIELDS)} FROM puzzles JOIN holders ON id = holder"
FORGET_EMPTY = """
    DELETE FROM holders WHERE NOT EXISTS (SELECT 1 FROM builds WHERE holder = id)
    AND NOT EXISTS (SELECT 1 FROM puzzles WHERE holder = id)
"""


def entry_of(row: Sequence[Any]) -> LedgerEntry:
    """Return the entry that a row of ``ENTRIES`` holds."""
    values = dict(zip(_ENTRY_FIELDS, row, strict=True))
    return LedgerEntry(**values | {"kind": Kind(values["kind"]), "published": bool(values["published"])})


def find_entry(run: Run, fingerprint: str) -> LedgerEntry | None:
    """Return the puzzle of this fingerprint, if any volume or feed holds it."""
    rows = run(f"{ENTRIES} WHERE fingerprint = ?", fingerprint)
    return entry_of(rows[0]) if rows else None


def enter_puzzles(run: Run, holder_id: int, entries: Sequence[LedgerEntry]) -> set[str]:
    """Enter the puzzles that nobody holds; return their fingerprints."""
    entered: set[str] = set()
    for start in range(0, len(entries), _AT_ONCE):
        chunk = entries[start : start + _AT_ONCE]
        statement = (
            f"INSERT INTO puzzles ({', '.join(_PUZZLE_COLUMNS)}) VALUES {', '.join([_ROW] * len(chunk))} "
            "ON CONFLICT DO NOTHING RETURNING fingerprint"
        )
        values = (value for entry in chunk for value in _values(holder_id, entry))
        entered.update(fingerprint for (fingerprint,) in run(statement, *values))
    return entered


def change_puzzle(run: Run, holder_id: int, entry: LedgerEntry) -> None:
    """Write a holder's puzzle anew."""
    columns = ", ".join(f"{name} = ?" for name in _PUZZLE_COLUMNS)
    where = "fingerprint = ? AND holder = ?"
    values = _values(holder_id, entry)
    run(f"UPDATE puzzles SET {columns} WHERE {where}", *values, entry.fingerprint, holder_id)


def enter_holder(run: Run, holder: Holder, title: str, isbn: str | None, *, keep_isbn: bool = False) -> int:
    """Make a holder's row, or bring it up to date but for an ISBN that is to be kept; return its number."""
    known = "coalesce(excluded.isbn, holders.isbn)" if keep_isbn else "excluded.isbn"
    statement = (
        "INSERT INTO holders (kind, name, title, isbn) VALUES (?, ?, ?, ?) "
        f"ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title, isbn = {known} RETURNING id"
    )
    holder_id: int = run(statement, holder.kind.value, holder.name, title, isbn)[0][0]
    return holder_id


def _values(holder_id: int, entry: LedgerEntry) -> list[Any]:
    return [holder_id, *(getattr(entry, name) for name in _PUZZLE_COLUMNS[1:])]
