"""The making of one book's puzzles, so that nothing is lost and nothing repeated.

Each finished puzzle goes into a journal in the book's folder at once; a build that was cut off
goes on from there, also after a change to the spec that leaves the puzzle's slot as it was. Each
puzzle that gets its slot is reserved in the ledger, and published there when the book's files are
in place.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from linkpress import __version__
from linkpress.book.crew import Crew
from linkpress.book.journal import Journal
from linkpress.book.keeping import Keeping, LedgerChoice, keeping, recipe_text
from linkpress.book.ledger import Holder, Kind
from linkpress.book.plan import Slot
from linkpress.book.produce import Maker, produce
from linkpress.book.produced import Produced, produced_record, read_produced
from linkpress.book.run_log import RunLog
from linkpress.book.spec import BookSpec
from linkpress.errors import PuzzleError

JOURNAL_FILE = ".build.journal"


@dataclass
class Making:
    """A book in the making; ``making`` makes one.

    Args:
        slots: the plan.
        notes: lines for the report: what was resumed, what was passed over and why.
    """

    slots: Sequence[Slot]
    _journal: Journal
    _keep: Keeping
    _log: RunLog
    notes: list[str] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)

    def make(
        self,
        jobs: int,
        on_done: Callable[[Produced], None],
        maker: Maker | None = None,
        start_method: str | None = None,
    ) -> tuple[Produced, ...]:
        """Make what is not there yet.

        Args:
            jobs: how many worker processes.
            on_done: told of each puzzle, those of an earlier run first.
            maker: as for ``produce``.
            start_method: of the workers.
        Returns:
            One puzzle a slot, in their order.
        Raises:
            RecipeError, GaveUpError: as ``produce``.
            OutputError: journal or ledger can't be written.
        """
        ready = self._earlier()
        for one in ready.values():
            on_done(one)

        def done(one: Produced) -> None:
            self._journal.append(one.slot.number, {"key": slot_key(one.slot), **produced_record(one)})
            self.kept.add(one.slot.number)
            self._note_made(one)
            on_done(one)

        with Crew(min(jobs, max(1, len(self.slots) - len(ready))), start_method) as crew:
            return produce(
                self.slots,
                jobs,
                done,
                ready=ready,
                admit=self._admit,
                first_attempt=self._keep.first_attempt,
                on_turn=self._keep.beat,
                maker=maker,
                executor=crew,
            )

    def finish(self, numbers: Mapping[str, int]) -> None:
        """The book's files are in place: publish its puzzles and drop the journal.

        Args:
            numbers: each puzzle's printed number, by its fingerprint.
        """
        self._keep.publish({fingerprint: str(number) for fingerprint, number in numbers.items()})
        self._journal.remove()
        self._log.note("done", puzzles=len(numbers))

    def drop(self) -> None:
        """Leave no journal behind."""
        self._journal.remove()
        with contextlib.suppress(OSError):
            self._journal.path.parent.rmdir()

    @property
    def how_to_go_on(self) -> str:
        """What to tell somebody who interrupts."""
        return (
            f"interrupted; {len(self.kept)} of {len(self.slots)} puzzles are kept: the same command goes on "
            "from there"
        )

    def _earlier(self) -> dict[int, Produced]:
        by_key = {slot_key(slot): slot for slot in self.slots}
        ready = {}
        for record in self._journal.finished.values():
            # A record of a slot that the spec no longer has is passed over.
            with contextlib.suppress(PuzzleError, LookupError, TypeError, ValueError):
                slot = by_key[record["key"]]
                ready[slot.number] = read_produced(slot, record)
        self.kept.update(ready)
        if ready:
            self.notes.append(f"journal        resumed {len(ready)} of {len(self.slots)}")
            self._log.note("resumed", puzzles=len(ready), of=len(self.slots))
        return ready

    def _admit(self, one: Produced) -> bool:
        place = self._keep.take(one)
        if place is not None:
            self.notes.append(f"passed over    {one.slot}, attempt {one.attempt}: it is in {place}")
            self._log.note("passed over", slot=one.slot.number, attempt=one.attempt, held_in=str(place))
        return place is None

    def _note_made(self, one: Produced) -> None:
        self._log.note(
            "made",
            slot=one.slot.number,
            level=one.slot.level,
            attempt=one.attempt,
            boards_tried=one.tries,
            time_s=one.seconds_s,
            proof=f"{one.rule} by {one.proof}",
            grade=one.grade.label if one.grade else None,
        )


@contextlib.contextmanager
def making(
    spec: BookSpec, slots: Sequence[Slot], folder: Path, choice: LedgerChoice, log: RunLog
) -> Iterator[Making]:
    """Open the journal and the ledger for a build.

    Args:
        spec: the book.
        slots: its plan.
        folder: the book's own, where its files will be; the journal lies there meanwhile.
        choice: of the ledger.
        log: told of each puzzle.
    Raises:
        OutputError: the folder or the ledger can't be used, or another process builds the same.
        KeyboardInterrupt: as it came, saying how to go on.
    """
    holder = Holder(Kind.VOLUME, spec.book_id)
    with (
        keeping(choice, holder, spec.title) as keep,
        Journal(folder / JOURNAL_FILE, spec.book_id, __version__) as journal,
    ):
        log.note("begun", id=spec.book_id, puzzles=len(slots), linkpress=__version__)
        session = Making(slots, journal, keep, log)
        try:
            yield session
        except KeyboardInterrupt:
            raise KeyboardInterrupt(session.how_to_go_on) from None
        finally:
            if not session.kept:
                session.drop()


def slot_key(slot: Slot) -> str:
    """A digest of what a slot's puzzle depends on: its recipe, but not its place in the book."""
    said = [slot.level, slot.index, slot.seed, str(slot.method), recipe_text(slot.recipe)]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
