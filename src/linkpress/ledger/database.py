"""A ledger's database: its transactions, and which faults are worth another try.

What SQLite and PostgreSQL do each in their own way stands in ``sqlite_file`` and ``postgres_server``.
"""

from __future__ import annotations

import contextlib
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, ClassVar, TypeVar

from linkpress.errors import Notify, OutputError
from linkpress.ledger.address import LedgerAddress
from linkpress.ledger.tables import BRING_UP_TO_DATE, CREATE_TABLES, VERSION, Run

Result = TypeVar("Result")
ELSEWHERE = "give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger"
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0
_NOTIFY_AFTER_S = 3.0


class NoLedgerError(OutputError):
    """No ledger is there where one is to be read."""


class Database(ABC):
    """A ledger's database, used by one thread, with one connection at a time.

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
        """An expression for the seconds since 1970, by one clock for all who write here."""

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
        """Return whether the connection can't be used any more."""
        return False

    @abstractmethod
    def _message(self, fault: Exception) -> str:
        """Return what a fault of the database or its driver means for the user."""

    @abstractmethod
    def _version(self, run: Run) -> int:
        """The version of the tables that are there; 0 for none."""

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
        """Write in single statements, each of which stands alone; the next ``write`` takes them to the disk.

        As there, what is written may be written again.
        """

        def lightly() -> Result:
            self._lighten()
            return work(self.run)

        return self._try(lightly)

    def write(self, work: Callable[[Run], Result]) -> Result:
        """Do all of something in one transaction, after all others and to the disk, or nothing of it.

        What the server undid, or the connection took with it, is done again, perhaps after it was done:
        the outcome must be the same.

        Raises:
            OutputError: it can't be done.
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
        """Turn what database, driver and file system raise into one paragraph about the ledger.

        Raises:
            OutputError: always for a fault of theirs.
        """
        try:
            yield
        except (self.driver_error, ValueError, OSError) as fault:
            raise OutputError(self._message(fault)) from fault

    def refuse_newer(self, version: int) -> None:
        """Leave what a later release made as it is.

        Raises:
            OutputError: the tables are of a version that this one does not know.
        """
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
