"""One build's hold on the ledger: reserve, then publish; and whether the process that holds it lives."""

from __future__ import annotations

import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from types import TracebackType

from linkpress.book.ledger.entries import ENTRY_COLUMNS, Holder, Kind, LedgerEntry, Place, reserved_entry
from linkpress.book.ledger.schema import ledger_faults, transaction
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.errors import OutputError

BEAT_S = 30.0
LEASE_S = 300.0  # ten missed beats
_COLUMNS = (*ENTRY_COLUMNS, "rows", "cols", "pairs", "solids")
_INSERT = f"INSERT OR REPLACE INTO puzzles (holder, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})"


@dataclass(frozen=True, slots=True)
class Mark:
    """What a process writes into the ledger so that others can tell whether it lives.

    Args:
        token: its own for each mark, so that one process can leave several.
        host: the machine's name.
        pid: process number on that machine.
        started: when that process started, as the system tells it; empty where it does not.
    """

    token: str
    host: str
    pid: int
    started: str

    def lives(self, age_s: float) -> bool:
        """Whether the process behind the mark still runs.

        On this machine the system knows, where it tells start times (Linux). Elsewhere a sign of
        life within ``LEASE_S`` counts; one from the future, after the clock was set back, within
        the same span only.

        Args:
            age_s: time since its last sign of life.
        """
        if self.host == socket.gethostname() and self.started and _started(os.getpid()):
            return _started(self.pid) == self.started
        return abs(age_s) < LEASE_S


def own_mark() -> Mark:
    """A new mark of this process."""
    pid = os.getpid()
    return Mark(secrets.token_hex(8), socket.gethostname(), pid, _started(pid))


def _started(pid: int) -> str:
    """Boot and clock ticks since then; "" where there is no /proc or no such process."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        after_name = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    state, ticks = after_name[0], after_name[19]
    return "" if state in (b"Z", b"X") else f"{boot}/{int(ticks)}"


def enter_puzzle(connection: sqlite3.Connection, holder: int, entry: LedgerEntry) -> None:
    """Write one row, in the caller's transaction.

    Args:
        connection: to the ledger.
        holder: row number of the entry's holder.
        entry: what to write.
    """
    connection.execute(_INSERT, (holder, *(getattr(entry, name) for name in _COLUMNS)))


class LedgerBuild:
    """What ``Ledger.begin`` returns; a context manager.

    Leaving it keeps what is reserved but not published, so that the same volume can go on later; a
    holder that has nothing then leaves the ledger.
    Every method may raise ``OutputError`` as those of ``Ledger`` do.
    """

    def __init__(
        self,
        path: Path,
        connection: sqlite3.Connection,
        holder: Holder,
        title: str,
        number: int,
        token: str,
    ) -> None:
        self.holder = holder
        self._title = title
        self._path = path
        self._connection = connection
        self._number = number
        self._token = token
        self._last_beat = time.monotonic()
        self._reserved: dict[str, LedgerEntry] = {}

    def __enter__(self) -> LedgerBuild:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with transaction(self._path, self._connection):
                self._connection.execute("DELETE FROM builds WHERE token = ?", (self._token,))
                self._connection.execute(
                    "DELETE FROM holders WHERE id = ? AND id NOT IN (SELECT holder FROM builds) "
                    "AND NOT EXISTS (SELECT 1 FROM puzzles WHERE holder = holders.id)",
                    (self._number,),
                )
        except OutputError:
            if fault is None:
                raise

    def reserve(self, record: PuzzleRecord, slot: str, recipe: str) -> Place | None:
        """Take a puzzle for its slot.

        Args:
            record: the puzzle.
            slot: that it is made for.
            recipe: what it was made to, as text.
        Returns:
            None when it is this build's now (or was), else the place that holds it: another
            volume or feed, another date of the same feed, or another slot of this build.
        """
        with transaction(self._path, self._connection):
            row = self._connection.execute(
                "SELECT kind, name, slot, published FROM puzzles JOIN holders ON holders.id = puzzles.holder "
                "WHERE fingerprint = ?",
                (record.fingerprint,),
            ).fetchone()
            place = None if row is None else Place(Holder(Kind(row[0]), row[1]), row[2], bool(row[3]))
            if place is not None and self._is_taken(record.fingerprint, slot, place):
                return place
            entry = reserved_entry(record, self.holder, self._title, slot, recipe)
            # A published row says what is in print until this build replaces it.
            if place is None or not place.published:
                enter_puzzle(self._connection, self._number, entry)
        self._reserved[record.fingerprint] = entry
        return None

    def publish(self, places: Mapping[str, str]) -> None:
        """Mark reserved puzzles as published, in one step.

        For a volume they replace whatever the ledger held for it; for a feed whatever it held for
        those dates.

        Args:
            places: which puzzles, by fingerprint, and the slot that each has in the end.
        Raises:
            OutputError: the hold was lost meanwhile (the volume was forgotten, or another process
                took this one for dead).
        """
        with transaction(self._path, self._connection):
            self._check_hold()
            if self.holder.kind is Kind.VOLUME:
                self._connection.execute("DELETE FROM puzzles WHERE holder = ?", (self._number,))
            for slot in set(places.values()):
                self._connection.execute(
                    "DELETE FROM puzzles WHERE holder = ? AND slot = ?", (self._number, slot)
                )
            for fingerprint, slot in places.items():
                entry = replace(self._reserved[fingerprint], slot=slot, published=True)
                enter_puzzle(self._connection, self._number, entry)

    def count_released(self, wanted: Collection[str]) -> int:
        """How many published puzzles of this volume are not among those that it is to have.

        Args:
            wanted: fingerprints of those that it is to have.
        """
        with ledger_faults(self._path):
            rows = self._connection.execute(
                "SELECT fingerprint FROM puzzles WHERE holder = ? AND published", (self._number,)
            )
            return sum(fingerprint not in wanted for (fingerprint,) in rows)

    def heartbeat(self) -> None:
        """Show that this build lives; cheap enough for every turn of a loop."""
        if time.monotonic() - self._last_beat < BEAT_S:
            return
        self._last_beat = time.monotonic()
        with ledger_faults(self._path):
            self._connection.execute("UPDATE builds SET beat = ? WHERE token = ?", (time.time(), self._token))

    def _is_taken(self, fingerprint: str, slot: str, place: Place) -> bool:
        if place.holder != self.holder:
            return True
        own = self._reserved.get(fingerprint)
        if own is not None:
            return own.slot != slot
        return self.holder.kind is Kind.FEED and place.published and place.slot != slot

    def _check_hold(self) -> None:
        row = self._connection.execute(
            "SELECT token FROM builds WHERE holder = ?", (self._number,)
        ).fetchone()
        if row is None or row[0] != self._token:
            raise OutputError(
                f"{self.holder} was forgotten or taken over by another process while it was being built. "
                f"Nothing was published in the ledger {self._path}. Build it again."
            )
