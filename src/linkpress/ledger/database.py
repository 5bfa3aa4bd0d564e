"""A ledger's database: its transactions, which faults are worth another try, and which are told.

What SQLite and PostgreSQL do each in their own way stands in ``sqlite_file`` and ``postgres_server``.
"""

from __future__ import annotations

import contextlib
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Engine, Table
from sqlalchemy.exc import DBAPIError

from linkpress.errors import Notify, OutputError
from linkpress.ledger.address import LedgerAddress
from linkpress.ledger.tables import METADATA, VERSION, migrate

Result = TypeVar("Result")
ELSEWHERE = "give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger"
_FIRST_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 1.0
_TOLD_AFTER_S = 3.0


class NoLedgerError(OutputError):
    """There is no ledger where one is to be read."""


class Database(ABC):
    """A ledger's database, used by one thread.

    Args:
        address: where it is.
        timeout_s: how long to wait for another program's lock, and for a server that does not answer.
        tell: told of such a wait when it has taken some seconds, and when it is over.
    Attributes:
        lost: whether a server went away and did not come back.
        hurried: whether nothing is waited for any more, as after Ctrl-C.
    """

    driver_error: type[Exception]
    """The root of what the driver raises."""
    waited_for: str
    """What keeps one waiting, as "has not answered"; a time in seconds follows."""
    waited_no_more: str
    """How the wait ended, as "has answered"."""

    def __init__(self, address: LedgerAddress, timeout_s: float, tell: Notify) -> None:
        self.address = address
        self.timeout_s = timeout_s
        self.lost = self.hurried = False
        self._tell = tell
        self._has_told = False
        self._heard_s = 0.0  # when it last answered, or was asked, by the monotonic clock
        self._in_use: Any = None
        self.engine, self.single = self._engines()

    @abstractmethod
    def open(self, *, writable: bool) -> None:
        """Find out what is there, and make or bring up to date what is to be written.

        Args:
            writable: whether anything may be written.
        Raises:
            NoLedgerError: there is none to be read.
            OutputError: newer, foreign, damaged, locked, out of reach or not this user's; it is left as it
                was.
        """

    @abstractmethod
    def _connect(self) -> Any:
        """A new connection of the driver."""

    def _connect_anew(self) -> Any:
        """As ``_connect``, for SQLAlchemy; there is one at a time."""
        self._in_use = self._connect()
        return self._in_use

    @abstractmethod
    def insert(self, table: Table) -> Any:
        """The dialect's INSERT, which has ON CONFLICT."""

    @abstractmethod
    def _engines(self) -> tuple[Engine, Engine]:
        """For transactions, and for single statements that each stand alone."""

    @abstractmethod
    def _begin(self, connection: Connection) -> None:
        """Begin to write, after all others that began, and to the disk."""

    @abstractmethod
    def _lighten(self, connection: Connection) -> None:
        """Let what is written next return before it is on the disk."""

    def _is_passing(self, fault: DBAPIError, *, connected: bool) -> bool:
        """Whether what was undone by this fault may succeed when it is tried again."""
        return False

    @abstractmethod
    def _words(self, fault: Exception) -> str:
        """What a fault of the database or its driver means for the user."""

    @abstractmethod
    def _version(self, connection: Connection) -> int:
        """Of the tables that are there; 0 for none."""

    @abstractmethod
    def _mark(self, connection: Connection) -> None:
        """Note that the tables are a ledger's and of which version."""

    @property
    @abstractmethod
    def now(self) -> ColumnElement[float]:
        """Seconds since 1970, by one clock for all who write here."""

    @abstractmethod
    def defect(self) -> str | None:
        """What is wrong inside, None when it is sound; reads all of it."""

    @abstractmethod
    def can_be_written(self) -> bool:
        """Whether this user may write here."""

    def read(self, work: Callable[[Connection], Result]) -> Result:
        """Do what only reads."""
        return self._try(self.single, work)

    def write_lightly(self, work: Callable[[Connection], Result]) -> Result:
        """Write in single statements, each of which stands alone; the next ``write`` takes them to the disk.

        As there, what is written may be written again.
        """

        def lightly(connection: Connection) -> Result:
            self._lighten(connection)
            return work(connection)

        return self._try(self.single, lightly)

    def write(self, work: Callable[[Connection], Result]) -> Result:
        """Do all of something in one transaction, after all others and to the disk, or nothing of it.

        What the server undid, or the connection took with it, is done again, perhaps after it was done:
        the outcome must be the same.

        Args:
            work: in the transaction.
        Raises:
            OutputError: it can't be done.
        """

        def in_transaction(connection: Connection) -> Result:
            with connection.begin():
                self._begin(connection)
                return work(connection)

        return self._try(self.engine, in_transaction)

    def close(self) -> None:
        """Leave the database."""
        self.engine.dispose()

    @contextlib.contextmanager
    def faults(self) -> Iterator[None]:
        """Turn what database, driver and file system raise into one paragraph about the ledger.

        Raises:
            OutputError: always for a fault of theirs.
        """
        try:
            yield
        except DBAPIError as fault:
            raise OutputError(self._words(fault.orig or fault)) from fault
        except (self.driver_error, ValueError, OSError) as fault:
            raise OutputError(self._words(fault)) from fault

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

    def set_up(self, connection: Connection) -> None:
        """Make the tables, or bring them up to date, unless another process came first."""
        version = self._version(connection)
        self.refuse_newer(version)
        if version == VERSION:
            return
        if version:
            migrate(connection, version)
        else:
            METADATA.create_all(connection, checkfirst=False)
        self._mark(connection)

    def _try(self, engine: Engine, work: Callable[[Connection], Result]) -> Result:
        since_s, pause_s = None, 0.0
        self._heard_s = time.monotonic()
        with self.faults():
            while True:
                connected = False
                try:
                    time.sleep(pause_s)
                    with engine.connect() as connection:
                        connected = True
                        result = work(connection)
                except KeyboardInterrupt as stop:
                    self.lost = self.lost or not connected
                    self._let_go(stop)
                    raise
                except DBAPIError as fault:
                    self.lost = not connected or fault.connection_invalidated
                    since_s = since_s or self._heard_s
                    if not self._is_passing(fault, connected=connected) or not self._goes_on_waiting(since_s):
                        raise
                else:
                    self._tell_of_answer()
                    return result
                pause_s = min(2 * pause_s or _FIRST_PAUSE_S, _LONGEST_PAUSE_S)

    def _goes_on_waiting(self, since_s: float) -> bool:
        """Whether what has been away or locked since then is waited for; the user is told of it once."""
        silent_s = time.monotonic() - since_s
        if self.hurried or silent_s >= self.timeout_s:
            return False
        if silent_s >= _TOLD_AFTER_S:
            left_s = self.timeout_s - silent_s
            self._tell_of_wait(f"{self.waited_for} for {silent_s:.0f} s: waiting {left_s:.0f} s more for it")
        return True

    def _tell_of_wait(self, words: str) -> None:
        if not self._has_told:
            self._has_told = True
            self._tell(f"the ledger {self.address} {words}")

    def _tell_of_answer(self) -> None:
        self.lost = False
        if self._has_told:
            self._has_told = False
            self._tell(f"the ledger {self.address} {self.waited_no_more}")

    def _let_go(self, stop: KeyboardInterrupt) -> None:
        """Break the connection off, with all that an interruption left open in it or lost of it.

        A statement keeps its lock as long as a frame of the traceback holds its cursor, and a connection that
        is being taken out of SQLAlchemy's pool its place there; what is tidied up next would wait for both.
        """
        traceback.clear_frames(stop.__traceback__)
        if self._in_use is not None:
            self._in_use.close()
        self.engine.dispose()
