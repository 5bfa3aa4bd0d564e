"""A build's hold on a ledger reserves puzzles, then publishes them.

Its row among the builds has facts about its process, so that others can tell whether it goes on.
"""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.errors import OutputError
from linkpress.ledger.database import FORGET_EMPTY, Database, Run, change_puzzle, enter_puzzles, find_entry
from linkpress.ledger.entries import Holder, Kind, LedgerEntry, Place, reserved_entry

BEAT_S = 30.0
LEASE_S = 300.0  # ten missed beats


@dataclass(frozen=True, slots=True)
class Liveness:
    """These facts about a process tell others whether it lives.

    Args:
        token: different for each build, so that one process can do several.
        pid: process number on that machine.
        started: when that process started, as the system tells it; empty where it does not.
    """

    token: str
    host: str
    pid: int
    started: str

    def lives(self, age_s: float) -> bool:
        """Return whether the process that gave its last sign of life so long ago still runs.

        On this machine the system knows, where it tells start times (Linux). Elsewhere a sign of
        life within ``LEASE_S`` counts; one from the future, after the clock was set back, within
        the same span only.
        """
        if self.host == socket.gethostname() and self.started and _started(os.getpid()):
            return _started(self.pid) == self.started
        return abs(age_s) < LEASE_S


def own_liveness() -> Liveness:
    """Describe this process for one build."""
    pid = os.getpid()
    return Liveness(secrets.token_hex(8), socket.gethostname(), pid, _started(pid))


def _started(pid: int) -> str:
    """Return the boot and the process's start in ticks; "" where there is no /proc or no such process."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        after_name = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    state, ticks = after_name[0], after_name[19]
    return "" if state in (b"Z", b"X") else f"{boot}/{int(ticks)}"


class LedgerBuild:
    """A build has a hold on a ledger, which ``Ledger.begin`` returns; a context manager.

    Leaving it keeps what is reserved but not published, so that the same volume can go on later; a
    holder that has nothing then leaves the ledger.
    Every method may raise ``OutputError`` as those of ``Ledger`` do.
    """

    def __init__(self, database: Database, holder: Holder, title: str, holder_id: int, token: str) -> None:
        self.holder = holder
        self._title = title
        self._database = database
        self._holder_id = holder_id
        self._token = token
        self._last_beat = time.monotonic()
        self._reserved: dict[str, LedgerEntry] = {}
        self._ahead: dict[str, LedgerEntry] = {}

    def __enter__(self) -> LedgerBuild:
        return self

    def __exit__(self, kind: object, fault: object, trace: object) -> None:
        if self._database.lost:
            return  # a build whose process has ended counts as dead without more ado
        self._database.hurried = kind is KeyboardInterrupt
        try:
            self._database.write(self._leave)
        except OutputError:
            if fault is None:
                raise

    def reserve(self, record: PuzzleRecord, slot: str, recipe: str) -> Place | None:
        """Take a puzzle for its slot; return None, or the other place that holds it."""
        entry = self._ahead.pop(record.fingerprint, None)
        if entry is not None and entry.slot == slot:
            self._reserved[record.fingerprint] = entry
            return None
        entry = reserved_entry(record, self.holder, self._title, slot, recipe)
        place = self._database.write_lightly(lambda run: self._reserve(run, entry))
        if place is None:
            self._reserved[record.fingerprint] = entry
        return place

    def reserve_ahead(self, several: Iterable[tuple[PuzzleRecord, str, str]]) -> None:
        """Take those of some puzzles that nobody holds, in one step; ``reserve`` then has less to do.

        What is not asked for by ``reserve`` for the same slot is as if it had not been taken.
        """
        entries = [reserved_entry(record, self.holder, self._title, *wanted) for record, *wanted in several]
        entries.sort(key=lambda entry: entry.fingerprint)  # builds that wait for each other would be stuck
        if entries:
            taken = self._database.write_lightly(lambda run: self._enter(run, entries))
            self._ahead |= {entry.fingerprint: entry for entry in entries if entry.fingerprint in taken}

    def publish(self, places: Mapping[str, str]) -> None:
        """Record that reserved puzzles are published, in one step.

        For a volume they replace whatever the ledger held for it; for a feed whatever it held for
        those dates.

        Args:
            places: which puzzles, by fingerprint, and the slot that each has in the end.
        Raises:
            OutputError: the hold was lost meanwhile (the volume was forgotten, or another process
                took this one for dead), or another volume has one of the puzzles.
        """
        entries = [
            replace(self._reserved[fingerprint], slot=slot, published=True)
            for fingerprint, slot in places.items()
        ]
        delete = "DELETE FROM puzzles WHERE holder = ?"

        def replace_rows(run: Run) -> None:
            if run("SELECT token FROM builds WHERE holder = ?", self._holder_id) != [(self._token,)]:
                raise self._lost_hold()
            if self.holder.kind is Kind.VOLUME:
                run(delete, self._holder_id)
            else:
                for entry in entries:
                    either = f"{delete} AND (slot = ? OR fingerprint = ?)"
                    run(either, self._holder_id, entry.slot, entry.fingerprint)
            for fingerprint in sorted(places.keys() - enter_puzzles(run, self._holder_id, entries)):
                raise self._lost_puzzle(find_entry(run, fingerprint))

        self._database.write(replace_rows)

    def count_released(self, wanted: Collection[str]) -> int:
        """Return how many published puzzles of this volume are not among those that it is to have."""
        published = "SELECT fingerprint FROM puzzles WHERE holder = ? AND published"
        held = self._database.read(lambda run: run(published, self._holder_id))
        return sum(fingerprint not in wanted for (fingerprint,) in held)

    def heartbeat(self) -> None:
        """Show that this build lives; cheap enough for every turn of a loop."""
        if time.monotonic() - self._last_beat < BEAT_S:
            return
        self._last_beat = time.monotonic()
        beat = f"UPDATE builds SET beat = {self._database.now} WHERE token = ?"
        self._database.write_lightly(lambda run: run(beat, self._token))

    def _enter(self, run: Run, entries: list[LedgerEntry]) -> set[str]:
        try:
            return enter_puzzles(run, self._holder_id, entries)
        except self._database.integrity_error as fault:  # the holder's row is gone
            raise self._lost_hold() from fault

    def _reserve(self, run: Run, entry: LedgerEntry) -> Place | None:
        """Let one INSERT decide between builds that want one puzzle at once."""
        while not self._enter(run, [entry]):
            known = find_entry(run, entry.fingerprint)
            if known is None:
                continue  # freed since
            if self._is_taken(known, entry.slot):
                return known.place
            # A published row says what is in print until this build replaces it.
            if not known.published:
                change_puzzle(run, self._holder_id, entry)
            break
        return None

    def _is_taken(self, known: LedgerEntry, slot: str) -> bool:
        if known.holder != self.holder:
            return True
        own = self._reserved.get(known.fingerprint)
        if own is not None:
            return own.slot != slot
        return known.kind is Kind.FEED and known.published and known.slot != slot

    def _lost_puzzle(self, known: LedgerEntry | None) -> OutputError:
        held = f"is {known.place} now" if known else "was taken meanwhile"
        return OutputError(
            f"a puzzle that was reserved for {self.holder} {held}: the ledger {self._database.address} was "
            "put back to an earlier state while it was being built. Nothing was published in it. Build it "
            "again."
        )

    def _lost_hold(self) -> OutputError:
        return OutputError(
            f"{self.holder} was forgotten or taken over by another process while it was being built. "
            f"Nothing was published in the ledger {self._database.address}. Build it again."
        )

    def _leave(self, run: Run) -> None:
        run("DELETE FROM builds WHERE token = ?", self._token)
        run(f"{FORGET_EMPTY} AND id = ?", self._holder_id)
