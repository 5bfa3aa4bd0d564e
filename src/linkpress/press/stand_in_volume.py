"""A volume of stand-in boards, for counting pages before any puzzle is made."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

from linkpress import __version__
from linkpress.book.plan import Slot, plan_slots
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, assemble
from linkpress.puzzle.grid import Grid
from linkpress.puzzle.puzzle import Pair, Path, Puzzle, Solution


def stand_in_volume(spec: BookSpec) -> Volume:
    """A volume that is laid out as the real one will be, its boards being mere stripes."""
    boards = cache(_stripes)  # 5,000 of 50 × 50 would take 1.5 GB, each for itself
    return assemble(spec, [_stand_in(slot, boards) for slot in plan_slots(spec)], __version__)


def stand_in_like(slot: Slot) -> Solution:
    """A board of a slot's size with the fewest pairs that its recipe allows: its numbers are the largest."""
    recipe = slot.recipe
    return _stripes(recipe.rows, recipe.cols, max(1, recipe.pairs.low) if recipe.pairs else 1)


def _stand_in(slot: Slot, boards: Callable[[int, int, int], Solution]) -> PuzzleRecord:
    recipe = slot.recipe
    solution = boards(recipe.rows, recipe.cols, recipe.pairs.high if recipe.pairs else recipe.rows)
    return PuzzleRecord(
        level=slot.level,
        rule=recipe.rule,
        proof="none",
        grade=recipe.grades[1] if recipe.grades else None,
        score=None,
        techniques={},
        solution=solution,
        fingerprint=f"{slot.number:016d}",
        seed=slot.seed_of(0),
        index=slot.index,
        attempt=0,
        method=slot.cover_method,
    )


def _stripes(rows: int, cols: int, pairs: int) -> Solution:
    """One line that winds through the whole board, cut into so many paths."""
    line = [
        row * cols + (col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)
    ]
    cuts = [len(line) * at // pairs for at in range(pairs + 1)]
    pieces = [line[start:end] for start, end in pairwise(cuts)]
    paths = tuple(
        Path(number, tuple(piece if piece[0] < piece[-1] else piece[::-1]))
        for number, piece in enumerate(pieces, 1)
    )
    ends = tuple(Pair(path.number, path.cells[0], path.cells[-1]) for path in paths)
    return Solution(Puzzle(Grid(rows, cols), ends), paths)
