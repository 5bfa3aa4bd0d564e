"""Find small puzzles that look too much like earlier puzzles of the same book or feed.

Two puzzles count as too similar if more than 70 % of their numbers are in the same cells. One of the boards
may first be rotated or reflected. Only small boards are compared, whose shorter side has 7 or 8 cells. Each
board is compared with the 100 boards of the same size that come before it in the book or feed.

If a book has at most 120 boards of a size, a stricter limit of 65 % applies to the first 16 attempts at each
puzzle. Later attempts may have 70 %. In a larger book, nearly all attempts would exceed 65 %, so the stricter
limit is not used. Boards of later levels are not counted, so that a new level at the end of a book changes no
earlier puzzle. In feeds, the limit is always 70 %. If it depended on the number of boards, earlier puzzles
would change when a feed becomes longer.

This check was tried with 100 boards of 7 × 7 that have five to seven paths. Without it, the two most similar
boards had 90 % of their numbers in the same cells. With it, they had 70 %. For each board, the overlap with
the most similar other board was measured too. The mean of these overlaps fell from 74 % to 64 %. On average,
6.6 boards were made for each puzzle. If the limit was 70 % for all attempts, the mean of the overlaps was
69 %, and 1.4 boards were made for each puzzle.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from linkpress.book.plan import Slot
from linkpress.engine.kernels import overlaps
from linkpress.production.slot_search import FinishedSlot, is_compared
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import layouts, mask_bytes

MAX_OVERLAP, _STRICT_OVERLAP = 0.7, 0.65
_COMPARED_SLOTS, _MOST_STRICT_SLOTS = 100, 120
# Numbers of attempts at a puzzle. An attempt is refused if its overlap with an earlier puzzle is too large.
# The overlap is the share of numbers that are in the same cells. In small books, up to ``_STRICT_ATTEMPTS``
# attempts are made first, with a maximum overlap of 65 %. In all books and feeds, up to ``_ATTEMPTS``
# attempts follow, with a maximum of 70 %. If all attempts are refused, the one that is least like earlier
# puzzles is accepted.
_STRICT_ATTEMPTS, _ATTEMPTS = 16, 8


class Layout(NamedTuple):
    """Layout of a board: which of its cells have a number.

    Args:
        cells: bit mask with a bit for each cell; 1 if the cell has a number.
        turned: the same bit mask for each rotation and reflection of the board, one after the other. Unless
            the board is square, rotations and reflections that swap rows and columns are left out.
    """

    cells: bytes
    turned: bytes

    @classmethod
    def of(cls, puzzle: Puzzle) -> Layout:
        masks = layouts(puzzle)
        return cls(masks[: mask_bytes(puzzle.grid.rows, puzzle.grid.cols)], masks)

    def overlaps(self, others: Iterable[bytes]) -> list[float]:
        """Return how much this board overlaps with each of some other boards of the same size.

        An overlap is the number of cells that have a number on both boards, divided by the count of numbers
        on the board with fewer numbers. The boards are compared in all rotations and reflections, and the
        largest overlap counts.

        Args:
            others: the bit mask ``cells`` of each other board.
        """
        return overlaps(self.turned, b"".join(others), len(self.cells))


class AlikeCheck:
    """Check that looks for small puzzles that are too much like an earlier puzzle of the run.

    A slot is the plan for one puzzle. A run accepts its puzzles in the order of their slots, but may make
    them in another order. A new puzzle is compared at once with the puzzles accepted so far. While the new
    puzzle waits for its turn, it is also compared with each puzzle that is accepted meanwhile. So most
    puzzles that are too similar are found long before it is their turn to be accepted.

    The methods identify a slot by its index in ``slots``.

    Args:
        slots: the slots of the run, in the order in which their puzzles are accepted.
        strict: whether a stricter limit applies to boards of a size if the run has only few boards of this
            size. The stricter limit is only for the first attempts at each puzzle.
    """

    def __init__(self, slots: Sequence[Slot], *, strict: bool = True) -> None:
        # For each board size, a list of the indices of all slots with this size. A slot is the plan for one
        # puzzle. ``_places`` has the position of each slot in the list of its size.
        self._of_size: dict[tuple[int, int], list[int]] = defaultdict(list)
        self._places: dict[int, int] = {}
        # For each board size and each level, the number of slots (planned puzzles) that have this size, in
        # this level and all levels before it.
        counts: dict[tuple[tuple[int, int], str], int] = {}
        for index, slot in enumerate(slots):
            size = slot.recipe.rows, slot.recipe.cols
            if is_compared(slot.recipe):
                self._places[index] = len(self._of_size[size])
                self._of_size[size].append(index)
                counts[size, slot.level] = len(self._of_size[size])
        # The indexes of the slots (plans for puzzles) whose first attempts have a lower maximum for the
        # overlap with earlier puzzles.
        self._strict = {
            index
            for size, indices in self._of_size.items()
            for index in indices
            if strict and counts[size, slots[index].level] <= _MOST_STRICT_SLOTS
        }
        self._accepted: dict[tuple[int, int], deque[tuple[int, bytes]]] = defaultdict(
            lambda: deque(maxlen=_COMPARED_SLOTS)
        )
        # Maps the indexes of slots (plans for puzzles) to puzzles that were made before the turn of their
        # slot. Each of them is accepted or refused when all earlier slots have their puzzles.
        self._waiting: dict[int, tuple[FinishedSlot, Layout]] = {}
        self._too_alike: dict[int, list[FinishedSlot]] = defaultdict(list)

    def add(self, index: int, finished: FinishedSlot) -> None:
        """Add a puzzle that was made for a slot, and compare it with the puzzles accepted so far.

        A slot is the plan for one puzzle. Boards in the shape of a picture, such as a heart, are not
        compared, because such a shape allows only a few different layouts of numbers.
        """
        if index not in self._places or finished.slot.recipe.mask:
            return
        own = Layout.of(finished.record.puzzle)
        self._waiting[index] = finished, own
        if self._largest_overlap(index, finished, own) > self._max_overlap(index):
            self._refuse(index)

    def is_too_alike(self, index: int) -> bool:
        """Return whether the newest puzzle for a slot is too much like a puzzle accepted for another slot.

        A slot is the plan for one puzzle.
        """
        return index in self._too_alike and index not in self._waiting

    def too_alike(self, index: int) -> list[FinishedSlot]:
        """Return the puzzles made for a slot that are too much like a puzzle accepted for another slot.

        A slot is the plan for one puzzle.
        """
        return self._too_alike.get(index, [])

    def overlap(self, index: int, finished: FinishedSlot) -> float:
        """Return the largest overlap of a slot's puzzle with any puzzle accepted for an earlier slot.

        A slot is the plan for one puzzle. The overlap of two boards is the share of their numbers that are in
        the same cells.
        """
        return self._largest_overlap(index, finished, Layout.of(finished.record.puzzle))

    def accept(self, index: int, finished: FinishedSlot) -> list[int]:
        """Accept the puzzle of a slot, and compare it with the puzzles already made for later slots.

        A slot is the plan for one puzzle.

        Returns:
            The indices of the later slots whose newest puzzle is too much like this puzzle.
        """
        if index not in self._places:
            return []
        known, place = self._waiting.pop(index, None), self._places[index]
        # Free the refused puzzles of this slot now, while the workers are busy. If the refused puzzles of all
        # slots were freed at the end of the run, this would take 7 ms more for 1,600 puzzles.
        self._too_alike.pop(index, None)
        size = finished.slot.recipe.rows, finished.slot.recipe.cols
        own = known[1] if known else Layout.of(finished.record.puzzle)
        self._accepted[size].append((place, own.cells))
        later = self._of_size[size][place + 1 : place + 1 + _COMPARED_SLOTS]
        waiting = [other for other in later if other in self._waiting]
        shares = own.overlaps([self._waiting[other][1].cells for other in waiting])
        pairs = zip(waiting, shares, strict=True)
        # ``_max_overlap`` returns one of two limits for each slot. A board whose overlap is not above the
        # lower limit is never refused. So leave out such boards first, because calling ``_max_overlap`` for
        # all boards would take longer.
        close = ((other, overlap) for other, overlap in pairs if overlap > _STRICT_OVERLAP)
        alike = [other for other, overlap in close if overlap > self._max_overlap(other)]
        for other in alike:
            self._refuse(other)
        return alike

    def most_attempts(self, index: int) -> int:
        """Return the maximum number of attempts at the puzzle of a slot.

        If the puzzles of all these attempts are too much like earlier puzzles, the least similar of them is
        accepted. A slot is the plan for one puzzle.
        """
        return _ATTEMPTS + _STRICT_ATTEMPTS * (index in self._strict)

    def _max_overlap(self, index: int) -> float:
        """Return the maximum overlap with another puzzle that the newest puzzle of a slot may have.

        A slot is the plan for one puzzle. The overlap of two boards is the share of their numbers that are in
        the same cells.
        """
        attempt = self._waiting[index][0].record.attempt
        return _STRICT_OVERLAP if index in self._strict and attempt < _STRICT_ATTEMPTS else MAX_OVERLAP

    def _refuse(self, index: int) -> None:
        self._too_alike[index].append(self._waiting.pop(index)[0])

    def _largest_overlap(self, index: int, finished: FinishedSlot, own: Layout) -> float:
        first = self._places[index] - _COMPARED_SLOTS
        accepted = self._accepted[finished.slot.recipe.rows, finished.slot.recipe.cols]
        return max(own.overlaps([cells for place, cells in accepted if place >= first]), default=0.0)
