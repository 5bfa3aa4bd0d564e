"""The run of a whole book: its slots, then the replacements that an editor wants."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from linkpress.book.book_values import isbn_13
from linkpress.book.plan import Slot, plan_slots, replacement_seed, replacement_slots
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.book.volume import VOLUME_FILE, load_volume, printed_order
from linkpress.errors import LinkpressError
from linkpress.ledger.entries import Holder, Kind
from linkpress.production.dispatch import Workers
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import FinishedSlot

JOURNAL_FILE = ".build.journal"


@dataclass(frozen=True)
class BookPuzzles:
    """The puzzles that a book is made of.

    A puzzle that another replaces stays with the volume, since the order of all others hangs on it.

    Args:
        printed: in printed order, replacements in the places of those that they stand for.
        replaced: those that others stand for, by printed number.
    """

    printed: tuple[FinishedSlot, ...]
    replaced: Mapping[int, FinishedSlot]

    @property
    def records(self) -> tuple[PuzzleRecord, ...]:
        """The printed puzzles."""
        return tuple(finished.record for finished in self.printed)

    @property
    def places(self) -> dict[str, str]:
        """The place under which the ledger holds each puzzle, by its fingerprint."""
        replaced = {f"{number}, replaced": finished for number, finished in self.replaced.items()}
        numbered = {str(number): finished for number, finished in enumerate(self.printed, start=1)} | replaced
        return {finished.record.fingerprint: place for place, finished in numbered.items()}


def plan_book(spec: BookSpec) -> RunPlan:
    """The puzzles that the run of a book makes."""
    holder = Holder(Kind.VOLUME, spec.book_id)
    isbn = isbn_13(spec.isbn) if spec.isbn else None
    return RunPlan(holder, spec.title, spec.puzzle_count, len(spec.replace or ()), isbn=isbn)


def make_book(spec: BookSpec, run: ProductionRun, workers: Workers | None = None) -> BookPuzzles:
    """Make the puzzles of a book.

    Args:
        run: of ``plan_book``.
        workers: processes of this machine if None.
    Raises:
        LinkpressError: as ``ProductionRun.fill``.
    """
    with run.at_work(workers):
        return arrange_book(spec, run.fill)


def arrange_book(spec: BookSpec, fill: Callable[[Sequence[Slot]], Sequence[FinishedSlot]]) -> BookPuzzles:
    """Put the puzzles of a book in printed order, with replacements in the places of what they replace.

    Args:
        fill: returns one puzzle for each slot, in their order, no two the same.
    """
    slots, wanted = plan_slots(spec), spec.replace or {}
    made = {finished.record.fingerprint: finished for finished in fill(slots)}
    order = printed_order(spec, (finished.record for finished in made.values()))
    printed = {number: made[record.fingerprint] for number, record in enumerate(order, start=1)}
    planned = {number: finished.slot for number, finished in printed.items()}
    again = fill(replacement_slots(planned, wanted, len(slots) + 1))
    instead = dict(zip(sorted(wanted), again, strict=True))
    replaced = {number: printed[number] for number in instead}
    return BookPuzzles(tuple({**printed, **instead}.values()), replaced)


def warnings_of(spec: BookSpec, run: ProductionRun, puzzles: BookPuzzles) -> list[str]:
    """Warn whoever builds the book that it takes the place of one that may be on sale."""
    count = run.ledger.count_released(puzzles.places)
    if not count:
        return []
    many, those = ("s", "they are") if count > 1 else ("", "it is")
    return [
        f"{spec.book_id} held {count} other puzzle{many} in the ledger: {those} free to be printed "
        "again. If that book is on sale, give this one another `id:` and build both again."
    ]


def report_lines(run: ProductionRun, warnings: list[str]) -> list[str]:
    """Write for the report what was resumed, what was passed over and why, and the warnings."""
    resumed = [f"journal        resumed {run.resumed} of {run.plan.total}"] * bool(run.resumed)
    return resumed + run.notes + [f"ledger         {warning}" for warning in warnings]


def built_puzzles(folder: Path, release: str | None = None) -> Iterator[FinishedSlot]:
    """Read the puzzles of the book in a folder, each with the slot that it was made for.

    How long they took and how many boards were tried is not known any more: both are 0.

    Args:
        folder: of one book; nothing is read where there is none, or none that can be read.
        release: the version of linkpress that made them; None takes those of any version.
    """
    with contextlib.suppress(LinkpressError):
        saved = load_volume(folder / VOLUME_FILE)
        if release not in (None, saved.linkpress_version):
            return
        slots = {(slot.level, slot.index): slot for slot in plan_slots(saved.spec) if not slot.given}
        for record in saved.puzzles:
            slot = slots.get((record.level, record.index))
            if slot is not None:
                yield FinishedSlot(_slot_of(slot, record), record, 0, 0.0)


def _slot_of(slot: Slot, record: PuzzleRecord) -> Slot:
    """Return the slot that a saved puzzle was made for: its level's own, or that of a replacement."""
    seed = record.seed.rpartition("/")[0]
    which = seed.rpartition(" ")[2]
    is_replacement = which.isdigit() and seed == replacement_seed(slot.seed, int(which))
    return replace(slot, seed=seed) if is_replacement else slot
