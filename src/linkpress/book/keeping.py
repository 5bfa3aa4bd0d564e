"""What the ledger has to say while a book is made: which puzzles it may take, and where they went."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkpress.book.ledger import Build, Holder, Ledger, LedgerPuzzle, Place, ledger_path
from linkpress.book.plan import Slot
from linkpress.book.produced import FinishedSlot
from linkpress.puzzle.notation.link_text import board_rows


@dataclass(frozen=True, slots=True)
class LedgerChoice:
    """Which ledger a build asks, and whether it writes there.

    Args:
        path: the file; None for the usual one.
        asked: False leaves the ledger out of it.
        draft: asks, but records nothing.
    """

    path: Path | None = None
    asked: bool = True
    draft: bool = False


USUAL_LEDGER = LedgerChoice()
NO_LEDGER = LedgerChoice(asked=False)


class Keeping:
    """A build that keeps no ledger: every puzzle may be taken."""

    def first_attempt(self, slot: Slot) -> int:
        """Which attempt a slot begins with."""
        return 0

    def held(self, one: FinishedSlot) -> Place | None:
        """The place of another volume or feed that holds a puzzle; takes nothing."""
        return None

    def take(self, one: FinishedSlot) -> Place | None:
        """Take a puzzle for its slot; if it can't be had, the place that holds it."""
        return None

    def let_go(self, kept: Collection[str]) -> int:
        """How many puzzles the ledger frees when the book has these, by their fingerprints, alone."""
        return 0

    def publish(self, places: Mapping[str, str]) -> None:
        """The book is in place.

        Args:
            places: each puzzle's slot as printed, by its fingerprint.
        """

    def beat(self) -> None:
        """The build lives."""


@contextlib.contextmanager
def keeping(choice: LedgerChoice, holder: Holder, title: str) -> Iterator[Keeping]:
    """Open the ledger for a build.

    Args:
        choice: which one, and how.
        holder: the volume or feed that is built.
        title: in words.
    Raises:
        OutputError: the ledger can't be used, or another process builds the same.
    """
    if not choice.asked:
        yield Keeping()
        return
    path = ledger_path(choice.path)
    if choice.draft and not path.exists():
        yield Keeping()
        return
    with Ledger(path, writable=not choice.draft) as ledger:
        if choice.draft:
            yield _Drafting(ledger, holder)
            return
        with ledger.begin(holder, title) as build:
            yield _Recording(ledger, build)


class _Asking(Keeping):
    def __init__(self, ledger: Ledger, holder: Holder) -> None:
        self._ledger = ledger
        self._holder = holder

    def held(self, one: FinishedSlot) -> Place | None:
        record = self._ledger.find(one.record.fingerprint)
        return None if record is None or record.place.holder == self._holder else record.place


class _Drafting(_Asking):
    """Takes what the finished book would take, and leaves no trace."""

    def __init__(self, ledger: Ledger, holder: Holder) -> None:
        super().__init__(ledger, holder)
        puzzles = [record.puzzle for record in ledger.records(holder)]
        self._attempts = {(puzzle.seed, puzzle.recipe): puzzle.attempt for puzzle in puzzles}

    def first_attempt(self, slot: Slot) -> int:
        return self._attempts.get((slot.seed, slot.order), 0)

    def take(self, one: FinishedSlot) -> Place | None:
        return self.held(one)


class _Recording(_Asking):
    def __init__(self, ledger: Ledger, build: Build) -> None:
        super().__init__(ledger, build.holder)
        self._build = build

    def first_attempt(self, slot: Slot) -> int:
        return self._build.attempts.get((slot.seed, slot.order), 0)

    def take(self, one: FinishedSlot) -> Place | None:
        return self._build.reserve(_ledger_puzzle(one))

    def let_go(self, kept: Collection[str]) -> int:
        return self._build.let_go(kept)

    def publish(self, places: Mapping[str, str]) -> None:
        self._build.publish(places)

    def beat(self) -> None:
        self._build.beat()


def _ledger_puzzle(one: FinishedSlot) -> LedgerPuzzle:
    record, grid = one.record, one.record.puzzle.grid
    return LedgerPuzzle(
        fingerprint=record.fingerprint,
        slot=str(one.slot),
        rows=grid.rows,
        cols=grid.cols,
        pairs=len(record.puzzle.pairs),
        solids=len(grid.solids),
        board="\n".join(board_rows(record.puzzle)),
        rule=record.rule.value,
        proof=record.proof,
        grade=record.grade.label if record.grade else None,
        score=record.score,
        recipe=one.slot.order,
        seed=one.slot.seed,
        attempt=record.attempt,
    )
