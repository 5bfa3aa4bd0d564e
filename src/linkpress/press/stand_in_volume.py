"""A stand-in volume has boards of mere stripes, with which a book is laid out before a puzzle is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from itertools import pairwise

from linkpress.book.plan import Slot, plan_slots
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, assemble
from linkpress.engine.recipe import Grade, Recipe
from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle, Solution
from linkpress.version import __version__
from linkpress.words.language import ByGrade

# Squares of a board for each pair and for each solid where `classic` may have any: 12 boards of 10 × 10 to
# 25 × 25 had a pair for every 6.8 to 8.3 squares, and a solid for every 9 to 18.
_SQUARES_A_PAIR, _SQUARES_A_SOLID = 7, 9


def stand_in_volume(spec: BookSpec) -> Volume:
    """Make a volume that is laid out as the real one will be, or worse, its boards being mere stripes.

    Each has the most pairs and solids that its recipe allows, and numbers that lie as far apart as they can:
    its numbers are the widest and its addresses the longest. Of the grades that it may get, each is given to
    some board of a level, the longest word first.
    """
    return assemble(spec, stand_ins(plan_slots(spec), spec.wording().grades), __version__)


def stand_ins(slots: Iterable[Slot], words: ByGrade) -> list[PuzzleRecord]:
    """Return a stand-in for each slot, as ``stand_in_volume`` has them."""
    boards = cache(_stripes)  # 5,000 of 50 × 50 would take 1.5 GB, each for itself
    return [_stand_in(slot, boards, words) for slot in slots]


def _stand_in(slot: Slot, boards: Callable[[int, int, int, int], Solution], words: ByGrade) -> PuzzleRecord:
    recipe = slot.recipe
    low, high = recipe.grades or (min(Grade), max(Grade))
    grades = sorted(range(low, high + 1), key=lambda grade: -len(words[Grade(grade)]))
    return PuzzleRecord(
        level=slot.level,
        rule=recipe.rule,
        proof="none",
        grade=Grade(grades[(slot.index - 1) % len(grades)]),
        score=None,
        techniques={},
        solution=boards(recipe.rows, recipe.cols, *_most(recipe)),
        fingerprint=f"{slot.number:016d}",
        seed=slot.seed_of(0),
        index=slot.index,
        attempt=0,
        method=slot.cover_method,
    )


def _most(recipe: Recipe) -> tuple[int, int]:
    """Return the most pairs and solids that a recipe allows; a pair has two free squares at least."""
    squares = recipe.rows * recipe.cols
    solids = min(recipe.solids.high if recipe.solids else squares // _SQUARES_A_SOLID, squares - 2)
    pairs = recipe.pairs.high if recipe.pairs else max(recipe.rows, squares // _SQUARES_A_PAIR)
    return max(1, min(pairs, (squares - solids) // 2)), solids


def _stripes(rows: int, cols: int, pairs: int, solids: int) -> Solution:
    """Cut one line that winds through the whole board into so many paths; its end is solid."""
    line = [
        row * cols + (col if row % 2 == 0 else cols - 1 - col) for row in range(rows) for col in range(cols)
    ]
    free = len(line) - solids
    cuts = [free * place // pairs for place in range(pairs + 1)]
    pieces = [line[start:end] for start, end in pairwise(cuts)]
    paths = tuple(
        Path(number, tuple(piece if piece[0] < piece[-1] else piece[::-1]))
        for number, piece in enumerate(pieces, 1)
    )
    ends = tuple(
        Pair(number, *sorted((piece[0], piece[len(piece) // 2]))) for number, piece in enumerate(pieces, 1)
    )
    return Solution(Puzzle(Grid(rows, cols, frozenset(line[free:])), ends), paths)
