"""Database of a ledger: its records, its tables, and transactions that are repeated after temporary errors.

A ledger records all published puzzles, with the volumes and feeds that have them. A volume is a book, and a
feed is a newspaper's series of puzzles. Both SQLite and PostgreSQL understand the SQL in this module. In a
statement, each ``?`` stands for a value. The modules ``sqlite_file`` and ``postgres_server`` implement the
differences between the two databases.
"""

from __future__ import annotations

import contextlib
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import date
from enum import StrEnum
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from linkpress.book.key_values import read_id
from linkpress.documents.values import line_of_text
from linkpress.engine.recipe import Rule
from linkpress.errors import Notify, OutputError
from linkpress.ledger.address import LedgerAddress


class Kind(StrEnum):
    """Kind of publication that has puzzles in the ledger."""

    VOLUME = "volume"  # a book; building it again replaces all its puzzles in the ledger

    # a newspaper's series of puzzles, one for each day; if a day's puzzle is made again, the ledger replaces
    # only the puzzle of this day
    FEED = "feed"


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """Volume (book) or feed (newspaper) that has puzzles in the ledger.

    Args:
        kind: whether it is a volume or a feed.
        name: its id.
    """

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass(frozen=True, slots=True)
class Place:
    """Place of a puzzle in a volume (book) or feed (newspaper).

    Args:
        holder: the volume or feed.
        slot: the date (ISO) in a feed, or the puzzle's number in a volume. A puzzle that is only reserved for
            a volume has no number yet. Then the slot is a text such as ``puzzle 3 of level Gentle``.
        published: True if the puzzle is published, False if it is only reserved.
    """

    holder: Holder
    slot: str
    published: bool

    def __str__(self) -> str:
        return f"{self.holder}, {self.slot}"


def _join_rows(rows: object) -> object:
    return "\n".join(rows) if isinstance(rows, list) and all(isinstance(row, str) for row in rows) else rows


_Text = Annotated[str, AfterValidator(lambda text: str(line_of_text(2000).read(text)) if text else text)]


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Puzzle in the ledger, with its place and the recipe from which it was made. The solution is not stored.

    In an exported ledger, each line is an entry. The keys of the line are the fields of this class.

    Args:
        kind: whether a volume (book) or a feed (newspaper) has the puzzle.
        name: the id of the volume or feed.
        title: the title of the volume or feed.
        slot: the date in a feed, or the number in a volume; see ``Place``.
        published: True if the puzzle is published, False if it is only reserved.
        made: the day when the puzzle was made (ISO, UTC).
        fingerprint: a text that is the same for all rotations, reflections and renumberings of the puzzle.
        board: the rows of the puzzle as link text, joined by line feeds.
        rule: the rule under which the puzzle has only one solution.
        proof: the method by which the unique solution was proven.
        technique: the grade of the hardest technique that a solver needs; None if the puzzle was not graded.
        score: how hard the puzzle feels; None if it was not graded.
        recipe: one line with the name of the method that made the puzzle, and the recipe, which lists the
            properties that the puzzle had to have.
        seed: the seed of the puzzle, without the number of the attempt.
        attempt: the number of the attempt that made the puzzle. The first attempt has the number 0. Further
            attempts follow if its puzzle can't be used, for example because another volume or feed has it.
        isbn: the volume's ISBN, 13 digits; None for a feed or a volume without ISBN.
    """

    __pydantic_config__ = ConfigDict(extra="forbid", strict=True)

    kind: Kind
    name: Annotated[str, AfterValidator(read_id)]
    title: Annotated[str, AfterValidator(line_of_text(120).read)]
    slot: Annotated[str, AfterValidator(line_of_text(300).read)]
    published: bool
    made: Annotated[str, AfterValidator(lambda text: date.fromisoformat(text).isoformat())]
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    board: Annotated[str, BeforeValidator(_join_rows), Field(max_length=100_050)]
    rule: Annotated[str, AfterValidator(lambda text: Rule(text).value)]
    proof: _Text
    technique: Literal["beginner", "easy", "medium", "hard", "expert", "fiendish"] | None
    score: Annotated[int, Field(ge=0, le=1_000_000_000)] | None
    recipe: _Text
    seed: _Text
    attempt: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    isbn: Annotated[str, Field(pattern=r"^97[89][0-9]{10}$")] | None = None

    @property
    def holder(self) -> Holder:
        return Holder(self.kind, self.name)

    @property
    def place(self) -> Place:
        return Place(self.holder, self.slot, self.published)

    @property
    def rows(self) -> int:
        return self.board.count("\n") + 1

    @property
    def cols(self) -> int:
        return len(self.board.partition("\n")[0].split())

    @property
    def pairs(self) -> int:
        return len({*self.board.split()} - {".", "#"})

    @property
    def solids(self) -> int:
        return self.board.split().count("#")


@dataclass(frozen=True, slots=True)
class Holding:
    """Summary of the puzzles that a volume (book) or feed (newspaper) has in the ledger.

    Args:
        holder: the volume or feed.
        title: the title of the volume or feed.
        published: the number of published puzzles.
        reserved: the number of puzzles that are only reserved.
        last_made: the day (ISO) when the newest puzzle was made; empty if there is none.
        isbn: the ISBN of the volume, if it has one.
    """

    holder: Holder
    title: str
    published: int
    reserved: int
    last_made: str
    isbn: str | None


Result = TypeVar("Result")
Run = Callable[..., list[tuple[Any, ...]]]
"""Executes a statement with its values, and returns the rows."""

ELSEWHERE = "give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger"
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0
_NOTIFY_AFTER_S = 3.0


class NoLedgerError(OutputError):
    """A ledger can't be read, because it does not exist."""


class Database(ABC):
    """Database of a ledger, which records published puzzles. Only one thread may use it.

    Args:
        address: the file or server.
        timeout_s: how many seconds to wait for the lock of another program, or for the server's answer.
        notify: a function that is called with a message if a wait takes more than some seconds, and again
            when the wait ends.
    Attributes:
        lost: whether the connection was lost and could not be restored.
        hurried: whether to give up at once instead of waiting, because the user pressed Ctrl-C.
    """

    driver_error: type[Exception]
    """Base class of the driver's exceptions."""
    integrity_error: type[Exception]
    """Exception of the driver for a row that refers to a missing row."""
    words: ClassVar[dict[str, str]]
    """Text for the placeholders in ``tables.sql``, in this database's dialect."""
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
        """Return an SQL expression for the current time in seconds since 1970.

        The time comes from the clock of the server or the file system, so that computers that share a ledger
        agree.
        """

    @abstractmethod
    def open(self, *, writable: bool) -> None:
        """Check the tables of the ledger. Create missing tables if the ledger will be written.

        Args:
            writable: whether the ledger will be written.
        Raises:
            NoLedgerError: the ledger will only be read, and does not exist.
            OutputError: the ledger has another version, is damaged or locked, can't be reached, or may not be
                used by this user. The error is also raised if the database belongs to another program; its
                data are not changed.
        """

    @abstractmethod
    def _connect(self) -> Any:
        """Return a new connection in autocommit mode."""

    @abstractmethod
    def run(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Execute an SQL statement on the open connection, and return its rows."""

    @abstractmethod
    def _begin(self) -> None:
        """Start a durable write transaction. Wait until earlier write transactions have ended.

        A transaction is durable if its end waits until all changes are on the disk. Then a power failure
        can't undo them.
        """

    @abstractmethod
    def _relax_durability(self) -> None:
        """Let the statements that follow return before their changes are on the disk, which is faster."""

    @abstractmethod
    def _is_retryable(self, error: Exception, *, connected: bool) -> bool:
        """Return whether a failed operation may succeed if it is repeated.

        Args:
            error: the error that was raised.
            connected: whether there was a connection to the database when the operation failed.
        """

    def _is_broken(self) -> bool:
        # Use a default, because connections of SQLite have no attribute ``closed``.
        return bool(getattr(self._connection, "closed", False))

    @abstractmethod
    def _message(self, error: Exception) -> str:
        """Return a message for the user about an error of the database, its driver or the file system."""

    @abstractmethod
    def _version(self, run: Run) -> int:
        """Return the version of the ledger's tables; 0 if there are no tables."""

    @abstractmethod
    def _write_version(self, run: Run) -> None:
        """Store the version of the tables, which also marks the database as a ledger."""

    def defect(self) -> str | None:
        """Check the whole database for damage. Return the first problem, or None if there is none.

        A server checks its own files, so linkpress has nothing to check there.
        """
        return None

    @abstractmethod
    def can_be_written(self) -> bool:
        """Return whether this user may write to the ledger."""

    def read(self, work: Callable[[Run], Result]) -> Result:
        return self._try(lambda: work(self.run))

    def write_relaxed(self, work: Callable[[Run], Result]) -> Result:
        """Call a function whose SQL statements are committed one by one, without waiting for the disk.

        The next call of ``write`` waits until these changes are on the disk as well. After a temporary error,
        the function is called again, although some of its statements may have been committed. So calling it
        twice must have the same effect as calling it once.
        """

        def without_sync() -> Result:
            self._relax_durability()
            return work(self.run)

        return self._try(without_sync)

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Call a function in a transaction, and wait until its changes are on the disk.

        If the server aborts the transaction or the connection breaks, the function is called again. The
        changes of the first call may already have been committed. So calling the function twice must have the
        same effect as calling it once.

        Raises:
            OutputError: the transaction failed.
        """

        def in_transaction() -> Result:
            self._begin()
            try:
                result = work(self.run)
                self.run("COMMIT")
            except BaseException as error:
                # After Ctrl-C, no ROLLBACK is needed: ``_try`` closes the connection, which ends the
                # transaction without a commit.
                if not isinstance(error, KeyboardInterrupt):
                    with contextlib.suppress(self.driver_error):  # ROLLBACK fails if the connection is broken
                        self.run("ROLLBACK")
                raise
            return result

        return self._try(in_transaction)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    @contextlib.contextmanager
    def translate_errors(self) -> Iterator[None]:
        """Convert errors of the database, its driver or the file system to an ``OutputError``."""
        try:
            yield
        except (self.driver_error, ValueError, OSError) as error:
            raise OutputError(self._message(error)) from error

    def refuse_other_version(self, version: int) -> None:
        """Raise ``OutputError`` if the ledger was written by a linkpress with another version of the tables.

        The version 0 is accepted, because it means that there are no tables yet.
        """
        if version in (0, VERSION):
            return
        raise OutputError(
            f"{self.address} was written by {'a newer' if version > VERSION else 'an older'} linkpress "
            f"(ledger version {version}; this one knows version {VERSION}). It was not touched. Use that "
            "linkpress, or give another ledger with --ledger."
        )

    def set_up(self, run: Run) -> None:
        """Create the tables of the ledger, unless another process has just created them."""
        version = self._version(run)
        self.refuse_other_version(version)
        if not version:
            for statement in _TABLES_FILE.read_text(encoding="utf-8").format(**self.words).split(";")[:-1]:
                run(statement)
            self._write_version(run)

    def _try(self, work: Callable[[], Result]) -> Result:
        """Connect if necessary, and call ``work``. After a temporary error, try again until the timeout."""
        start_s, pause_s = time.monotonic(), 0.0
        with self.translate_errors():
            while True:
                connected = False
                try:
                    if pause_s:
                        time.sleep(pause_s)
                    if self._connection is None:
                        self._connection = self._connect()
                    connected = True
                    result = work()
                except KeyboardInterrupt as interrupt:
                    self.lost = self.lost or not connected
                    # Free the database cursors in the frames of the traceback. An open cursor keeps its lock,
                    # and the clean-up of the build would have to wait for this lock.
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
        """Return whether to go on waiting for a lock or a server.

        After some seconds of waiting, notify the user once.

        Args:
            since_s: the value of ``time.monotonic()`` at the beginning of the wait.
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
# SQL statements that create the tables. They have placeholders where SQLite and PostgreSQL need different
# words. ``Database.words`` has the words for each placeholder.
_TABLES_FILE = Path(__file__).with_name("tables.sql")

_ENTRY_FIELDS = tuple(field.name for field in fields(LedgerEntry))
_OF_HOLDER = ("kind", "name", "title", "isbn")
_PUZZLE_COLUMNS = (
    "holder",
    *(name for name in _ENTRY_FIELDS if name not in _OF_HOLDER),
    *("rows", "cols", "pairs", "solids"),
)
# Function that returns the values of a ledger entry in the order of the table's columns. The first column is
# left out, because it has the id of the volume or feed.
_values = attrgetter(*_PUZZLE_COLUMNS[1:])
_ROW = f"({', '.join('?' * len(_PUZZLE_COLUMNS))})"
# Maximum number of rows in one INSERT statement. A row has 17 values, and both databases allow more than
# 30,000 values in a statement.
_ROWS_AT_ONCE = 200
ENTRIES = f"SELECT {', '.join(_ENTRY_FIELDS)} FROM puzzles JOIN holders ON id = holder"
DELETE_EMPTY_HOLDERS = """
    DELETE FROM holders WHERE NOT EXISTS (SELECT 1 FROM builds WHERE holder = id)
    AND NOT EXISTS (SELECT 1 FROM puzzles WHERE holder = id) AND replace(name, '/', '') = name
"""


def entry_of(row: Sequence[Any]) -> LedgerEntry:
    """Convert a result row of the query ``ENTRIES`` to a ledger entry."""
    values = dict(zip(_ENTRY_FIELDS, row, strict=True))
    return LedgerEntry(**values | {"kind": Kind(values["kind"]), "published": bool(values["published"])})


def find_entry(run: Run, fingerprint: str) -> LedgerEntry | None:
    """Return the ledger entry of the puzzle with a fingerprint.

    Return None if no volume or feed has the puzzle.
    """
    rows = run(f"{ENTRIES} WHERE fingerprint = ?", fingerprint)
    return entry_of(rows[0]) if rows else None


def insert_puzzles(run: Run, holder_id: int, entries: Sequence[LedgerEntry]) -> set[str]:
    """Insert puzzles that are not in the ledger yet.

    Return the fingerprints of the puzzles that were inserted.
    """
    inserted: set[str] = set()
    for start in range(0, len(entries), _ROWS_AT_ONCE):
        chunk = entries[start : start + _ROWS_AT_ONCE]
        statement = (
            f"INSERT INTO puzzles ({', '.join(_PUZZLE_COLUMNS)}) VALUES {', '.join([_ROW] * len(chunk))} "
            "ON CONFLICT DO NOTHING RETURNING fingerprint"
        )
        values = (value for entry in chunk for value in (holder_id, *_values(entry)))
        inserted.update(fingerprint for (fingerprint,) in run(statement, *values))
    return inserted


def update_puzzle(run: Run, holder_id: int, entry: LedgerEntry) -> None:
    """Update the row of a puzzle in the ledger, if the puzzle belongs to the given volume or feed."""
    columns = ", ".join(f"{name} = ?" for name in _PUZZLE_COLUMNS)
    where = "fingerprint = ? AND holder = ?"
    values = (holder_id, *_values(entry), entry.fingerprint, holder_id)
    run(f"UPDATE puzzles SET {columns} WHERE {where}", *values)


def upsert_holder(run: Run, holder: Holder, title: str, isbn: str | None, *, keep_isbn: bool = False) -> int:
    """Insert a volume or feed, or update its title and ISBN. Return the id of its row.

    Args:
        run: the function that executes SQL.
        holder: the volume or feed.
        title: the title of the volume or feed.
        isbn: the ISBN of the volume, if it has one.
        keep_isbn: whether to keep the ISBN that is already in the ledger if ``isbn`` is None.
    """
    new_isbn = "coalesce(excluded.isbn, holders.isbn)" if keep_isbn else "excluded.isbn"
    statement = (
        "INSERT INTO holders (kind, name, title, isbn) VALUES (?, ?, ?, ?) "
        f"ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title, isbn = {new_isbn} RETURNING id"
    )
    holder_id: int = run(statement, holder.kind.value, holder.name, title, isbn)[0][0]
    return holder_id
