"""An open ledger: looking things up, forgetting, taking over from elsewhere; and a build's hold on it.

A build reserves, then publishes. What it leaves in the ledger tells others whether its process lives.
"""

from __future__ import annotations

import os
import secrets
import socket
import sqlite3
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from types import TracebackType

import platformdirs

from linkpress.book.ledger.entries import (
    ENTRY_COLUMNS,
    Holder,
    Holding,
    Kind,
    LedgerEntry,
    Place,
    reserved_entry,
)
from linkpress.book.ledger.schema import connect, ledger_faults, transaction
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.errors import OutputError, UsageError

ENVIRONMENT = "LINKPRESS_LEDGER"
LOCK_TIMEOUT_S = 30.0

_SELECT = (
    f"SELECT kind, name, title, {', '.join(ENTRY_COLUMNS)} "
    "FROM puzzles JOIN holders ON holders.id = puzzles.holder "
)
BEAT_S = 30.0
LEASE_S = 300.0  # ten missed beats
_COLUMNS = (*ENTRY_COLUMNS, "rows", "cols", "pairs", "solids")
_INSERT = f"INSERT OR REPLACE INTO puzzles (holder, {', '.join(_COLUMNS)}) VALUES (?{', ?' * len(_COLUMNS)})"


def ledger_path(chosen: Path | None = None) -> Path:
    """Where the ledger lies: as chosen, else ``LINKPRESS_LEDGER``, else in the user's data folder.

    Raises:
        UsageError: none of the three says a place (there is no home folder).
    """
    if chosen is not None:
        return chosen
    if named := os.environ.get(ENVIRONMENT):
        return Path(named)
    path = Path(platformdirs.user_data_dir("linkpress", appauthor=False), "ledger.sqlite3")
    if not path.is_absolute():
        raise UsageError(
            "there is no home folder for the ledger: say where it lies with --ledger or LINKPRESS_LEDGER, or "
            "build with --no-ledger."
        )
    return path


class Ledger:
    """An open ledger file. Used as a context manager, by one thread.

    Args:
        path: the file; made when it is missing and ``writable``.
        writable: False for looking things up only.
        timeout_s: how long to wait for another program's lock.
    Raises:
        OutputError: the file is newer, foreign, damaged, locked or out of reach; as every method
            may. The file is left as it was.
    """

    def __init__(self, path: Path, *, writable: bool = True, timeout_s: float = LOCK_TIMEOUT_S) -> None:
        self.path = path
        self._connection = connect(path, writable=writable, timeout_s=timeout_s)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *fault: object) -> None:
        self._connection.close()

    def find(self, fingerprint: str) -> LedgerEntry | None:
        """The puzzle of this fingerprint, if any volume or feed holds it."""
        return next(self._entries("WHERE fingerprint = ?", fingerprint), None)

    def find_prefix(self, prefix: str) -> tuple[LedgerEntry, ...]:
        """The first puzzles, at most 10, whose fingerprints start so."""
        where = "WHERE fingerprint BETWEEN ? AND ? ORDER BY fingerprint LIMIT 10"
        return tuple(self._entries(where, prefix, prefix + chr(0x10FFFF)))

    def entries(self, holder: Holder | None = None) -> Iterator[LedgerEntry]:
        """All puzzles, or one holder's, by holder and slot."""
        order = "ORDER BY kind, name, length(slot), slot, fingerprint"
        if holder is None:
            return self._entries(order)
        return self._entries(f"WHERE kind = ? AND name = ? {order}", holder.kind.value, holder.name)

    def attempts(self, holder: Holder) -> dict[tuple[str, str], int]:
        """Which attempt each (seed, recipe) of a holder ended with when it was built before.

        Starting there gives the same book again, even if what stood in the way has gone.
        """
        return {(one.seed, one.recipe): one.attempt for one in self.entries(holder)}

    def holdings(self) -> tuple[Holding, ...]:
        """What each volume and feed holds, by kind and id."""
        with ledger_faults(self.path):
            rows = self._connection.execute(
                "SELECT kind, name, title, coalesce(sum(published), 0), coalesce(sum(NOT published), 0), "
                "coalesce(max(made), '') FROM holders LEFT JOIN puzzles ON puzzles.holder = holders.id "
                "GROUP BY holders.id ORDER BY kind DESC, name"
            )
            return tuple(Holding(Holder(Kind(row[0]), row[1]), *row[2:]) for row in rows)

    def begin(self, holder: Holder, title: str) -> LedgerBuild:
        """Start a build; what a dead build of the same holder had reserved is now this one's.

        Args:
            holder: the volume or feed to be built.
            title: its title, kept for ``holdings``.
        Raises:
            OutputError: another process is building the same holder.
        """
        with transaction(self.path, self._connection):
            number = self._enter(holder, title)
            self._refuse_if_alive(holder, number)
            mark = own_mark()
            self._connection.execute(
                "INSERT OR REPLACE INTO builds VALUES (?, ?, ?, ?, ?, ?)",
                (number, mark.token, mark.host, mark.pid, mark.started, time.time()),
            )
            return LedgerBuild(self, self._connection, holder, title, number, mark.token)

    def forget(self, holder: Holder) -> int:
        """Take a volume or feed out of the ledger; its puzzles may be used again.

        Returns:
            How many puzzles were forgotten.
        Raises:
            UsageError: the ledger holds nothing of that id.
            OutputError: it is being built.
        """
        with transaction(self.path, self._connection):
            row = self._connection.execute(
                "SELECT id FROM holders WHERE kind = ? AND name = ?", (holder.kind.value, holder.name)
            ).fetchone()
            if row is None:
                raise UsageError(f"the ledger {self.path} holds no {holder}; see 'linkpress ledger list'.")
            self._refuse_if_alive(holder, row[0])
            removed = self._connection.execute("DELETE FROM puzzles WHERE holder = ?", row).rowcount
            self._connection.execute("DELETE FROM holders WHERE id = ?", row)
        return removed

    def add(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Take over entries from elsewhere, in one step.

        Returns:
            Those that were left out because their puzzles are held in another place.
        """
        refused = []
        with transaction(self.path, self._connection):
            for (holder, title), group in groupby(entries, key=lambda one: (one.holder, one.title)):
                number = self._enter(holder, title)
                for entry in group:
                    known = self.find(entry.fingerprint)
                    if known is None:
                        self._write(number, entry)
                    elif (known.holder, known.slot) != (entry.holder, entry.slot):
                        refused.append(entry)
        return tuple(refused)

    def fault(self) -> str | None:
        """What is wrong inside the file, None when it is sound; reads all of it."""
        with ledger_faults(self.path):
            verdict = str(self._connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        return None if verdict == "ok" else verdict

    def _write(self, holder: int, entry: LedgerEntry) -> None:
        """One row, in the caller's transaction; its holder is given by its row's number."""
        row = (getattr(entry, name) for name in _COLUMNS)
        self._connection.execute(_INSERT, (holder, *row))

    def _entries(self, where: str, *values: object) -> Iterator[LedgerEntry]:
        with ledger_faults(self.path):
            for kind, name, title, slot, published, *facts in self._connection.execute(
                _SELECT + where, values
            ):
                yield LedgerEntry(Kind(kind), name, title, slot, bool(published), *facts)

    def _enter(self, holder: Holder, title: str) -> int:
        number: int = self._connection.execute(
            "INSERT INTO holders (kind, name, title) VALUES (?, ?, ?) "
            "ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title RETURNING id",
            (holder.kind.value, holder.name, title),
        ).fetchone()[0]
        return number

    def _refuse_if_alive(self, holder: Holder, number: int) -> None:
        row = self._connection.execute(
            "SELECT token, host, pid, started, beat FROM builds WHERE holder = ?", (number,)
        ).fetchone()
        if row is not None and Mark(*row[:4]).lives(time.time() - row[4]):
            raise OutputError(
                f"{holder} is being built by process {row[2]} on {row[1]}. Wait until that has finished, or "
                "give this one another id."
            )


class LedgerBuild:
    """What ``Ledger.begin`` returns; a context manager.

    Leaving it keeps what is reserved but not published, so that the same volume can go on later; a
    holder that has nothing then leaves the ledger.
    Every method may raise ``OutputError`` as those of ``Ledger`` do.
    """

    def __init__(
        self,
        ledger: Ledger,
        connection: sqlite3.Connection,
        holder: Holder,
        title: str,
        number: int,
        token: str,
    ) -> None:
        self.holder = holder
        self._title = title
        self._ledger = ledger
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
            with transaction(self._ledger.path, self._connection):
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
        with transaction(self._ledger.path, self._connection):
            known = self._ledger.find(record.fingerprint)
            if known is not None and self._is_taken(known, slot):
                return known.place
            entry = reserved_entry(record, self.holder, self._title, slot, recipe)
            # A published row says what is in print until this build replaces it.
            if known is None or not known.published:
                self._ledger._write(self._number, entry)
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
        with transaction(self._ledger.path, self._connection):
            self._check_hold()
            if self.holder.kind is Kind.VOLUME:
                self._connection.execute("DELETE FROM puzzles WHERE holder = ?", (self._number,))
            for slot in set(places.values()):
                self._connection.execute(
                    "DELETE FROM puzzles WHERE holder = ? AND slot = ?", (self._number, slot)
                )
            for fingerprint, slot in places.items():
                entry = replace(self._reserved[fingerprint], slot=slot, published=True)
                self._ledger._write(self._number, entry)

    def count_released(self, wanted: Collection[str]) -> int:
        """How many published puzzles of this volume are not among those that it is to have.

        Args:
            wanted: fingerprints of those that it is to have.
        """
        with ledger_faults(self._ledger.path):
            rows = self._connection.execute(
                "SELECT fingerprint FROM puzzles WHERE holder = ? AND published", (self._number,)
            )
            return sum(fingerprint not in wanted for (fingerprint,) in rows)

    def heartbeat(self) -> None:
        """Show that this build lives; cheap enough for every turn of a loop."""
        if time.monotonic() - self._last_beat < BEAT_S:
            return
        self._last_beat = time.monotonic()
        with ledger_faults(self._ledger.path):
            self._connection.execute("UPDATE builds SET beat = ? WHERE token = ?", (time.time(), self._token))

    def _is_taken(self, known: LedgerEntry, slot: str) -> bool:
        if known.holder != self.holder:
            return True
        own = self._reserved.get(known.fingerprint)
        if own is not None:
            return own.slot != slot
        return known.kind is Kind.FEED and known.published and known.slot != slot

    def _check_hold(self) -> None:
        row = self._connection.execute(
            "SELECT token FROM builds WHERE holder = ?", (self._number,)
        ).fetchone()
        if row is None or row[0] != self._token:
            raise OutputError(
                f"{self.holder} was forgotten or taken over by another process while it was being built. "
                f"Nothing was published in the ledger {self._ledger.path}. Build it again."
            )


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
