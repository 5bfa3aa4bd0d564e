"""The compiled search for a board's drawings, and what a search may spend."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from linkpress.engine.kernels import Hunt
from linkpress.engine.kernels.glossary import DirectionBit, DrawingKind, SearchOutcome
from linkpress.engine.prove.nearby import second_nearby
from linkpress.engine.recipe import Rule
from linkpress.puzzle.grid import Edge, edge
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import SYMMETRIES, cell_places

Drawing = frozenset[Edge]

KIND_OF = {
    Rule.FILLED: DrawingKind.FILLING,
    Rule.STRICT: DrawingKind.LOWEST,
    Rule.UNTOUCHING: DrawingKind.UNTOUCHING,
}
"""The drawings that the compiled search counts for each rule."""

# Conflicts of the first turn when the fillings and strict are asked by turns, and how many times
# as many strict may have: half of the strict boards of 15 × 15 take less than 2,800, all less than
# 16,000, where the fillings take a multiple.
_FIRST_TURN = 1000
_STRICT_SHARE = 4

# Mirrored in the main diagonal: a board wider than high that is made upright keeps the order of its cells.
_DIAGONAL = SYMMETRIES.index((True, False, False))

# Contradictions that a scan may meet before the search that learns is asked. Hand-made boards of up to 100,
# 150 and 225 squares take 0.52, 1.9 and 14.2 ms without it (geometric means), 0.21, 1.4 and 12.8 with 3,000,
# 0.20, 1.0 and 11.6 with 10,000.
_SCANNED = 10_000


class OutOfBudget(Exception):  # noqa: N818 - a way out of the search, not a fault
    """The conflicts allowed are spent."""


@dataclass
class Budget:
    """The conflicts that may still be had, counted down across questions."""

    allowed: int
    spent: int = 0

    @property
    def left(self) -> int:
        """The conflicts still allowed; 0 or less once they are spent."""
        return self.allowed - self.spent


# Conflicts that a board as it stands has before it is turned, and that each other form has at a time then,
# twice as many in each round. All hand-made boards to 15 × 15 that were measured are settled by then; one of
# 20 × 20 with 26 pairs takes more than 60,000 as it stands, 17,000 to 35,000 in six of its eight forms.
_UNTURNED = 32_000
_ENDLESS = 1 << 30
_TURNED = 20_000


class BoardSearch:
    """Looks for drawings of one board, and goes on where it was when it is asked the same again.

    Args:
        puzzle: the board.
        budget: conflicts allowed over all questions.
        alone: whether the search that learns is asked alone, of the board as it stands.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget, *, alone: bool = False) -> None:
        self.budget = budget
        self._puzzle, self._alone = puzzle, alone
        self._asked: dict[tuple[DrawingKind, bool], _Question] = {}

    def find_two(
        self, kind: DrawingKind, known: Sequence[Drawing] = (), budget: int | None = None
    ) -> list[Drawing]:
        """Find drawings until there are two, the known ones included; fewer when there are no more.

        Args:
            kind: which drawings count, of ``KIND_OF``.
            known: at most one drawing, not to be found again; always the same one.
            budget: conflicts for this question, at most what is left of the whole.
        Raises:
            OutOfBudget: it was not settled within the budget.
        """
        allowed = self.budget.left if budget is None else min(budget, self.budget.left)
        key = (kind, bool(known))
        if key not in self._asked:
            self._asked[key] = _Question(self._puzzle, kind, known, alone=self._alone)
        found, spent = self._asked[key].go_on(allowed)
        self.budget.spent += spent
        if found is None:
            raise OutOfBudget
        return [*known, *found[len(known) :]]


class _Question:
    """A question about a board, asked of several of its eight forms by turns.

    How long a proof takes hangs on how the board lies, and nothing tells beforehand which way is best. So
    what takes long goes on in the other forms, two at a time, each on a core of its own where there are two.
    Both always finish their turn, so that the answer does not hang on which of them was faster.

    The search goes row by row, so forms wider than high are left out: boards of 9 × 16 take a third of the
    time then, of 10 × 20 a sixth.
    """

    def __init__(self, puzzle: Puzzle, kind: DrawingKind, known: Sequence[Drawing], *, alone: bool) -> None:
        self._order = (puzzle, kind, known, 0 if alone else _SCANNED)
        self._forms: dict[int, _Form] = {}
        self._turns = _turns(puzzle, alone=alone)
        self._now, self._left = next(self._turns)

    def go_on(self, allowed: int) -> tuple[list[Drawing] | None, int]:
        """Return the drawings, or None where it is not settled; and the conflicts spent."""
        spent = 0
        while spent < allowed:
            if self._left <= 0:
                self._now, self._left = next(self._turns)
            conflicts = min(self._left, -(-(allowed - spent) // len(self._now)))
            self._left -= conflicts
            forms = [self._form(symmetry) for symmetry in self._now]
            if len(forms) == 1:
                answers = [forms[0].hunt.go_on(conflicts)]
            else:
                with ThreadPoolExecutor(len(forms)) as cores:
                    asked = [cores.submit(form.hunt.go_on, conflicts) for form in forms]
                answers = [one.result() for one in asked]
            more = sum(met for _, met in answers)
            spent += more
            for form, (outcome, _) in zip(forms, answers, strict=True):
                if outcome != SearchOutcome.GAVE_UP:
                    return form.drawings(), spent
            if not more:  # there is no room for more clauses
                break
        return None, spent

    def _form(self, symmetry: int) -> _Form:
        if symmetry not in self._forms:
            self._forms[symmetry] = _Form(*self._order, symmetry)
        return self._forms[symmetry]


def _turns(puzzle: Puzzle, *, alone: bool) -> Iterator[tuple[list[int], int]]:
    """Yield without end the forms that go on, by their symmetries, and the conflicts that each may have."""
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    turned = [
        symmetry
        for symmetry, (turns, _, _) in enumerate(SYMMETRIES)
        if rows == cols or turns == (cols > rows)
    ]
    first = turned.pop(0) if rows >= cols else turned.pop(turned.index(_DIAGONAL))
    while alone:
        yield [first], _ENDLESS
    yield [first], _UNTURNED
    conflicts = _TURNED
    while True:
        for place in range(0, len(turned), 2):
            yield turned[place : place + 2], conflicts
        yield [first], conflicts
        conflicts *= 2


class _Form:
    """A board turned or mirrored, and a look for its drawings."""

    def __init__(
        self, puzzle: Puzzle, kind: DrawingKind, known: Sequence[Drawing], scanned: int, symmetry: int
    ) -> None:
        grid = puzzle.grid
        rows, cols = (grid.cols, grid.rows) if SYMMETRIES[symmetry][0] else (grid.rows, grid.cols)
        self._cols = cols
        self._place = cell_places(grid.rows, grid.cols, symmetry) if symmetry else range(grid.size)
        self._cell = sorted(range(grid.size), key=self._place.__getitem__) if symmetry else range(grid.size)
        need, label = [2] * grid.size, [-1] * grid.size
        for cell in grid.solids:
            need[self._place[cell]] = -1
        for number, pair in enumerate(puzzle.pairs):
            for place in (self._place[pair.first], self._place[pair.second]):
                need[place], label[place] = 1, number
        masks = [self._masks(drawing) for drawing in known]
        self.hunt = Hunt(rows, cols, need, label, len(puzzle.pairs), kind, scanned, masks)

    def drawings(self) -> list[Drawing]:
        """The drawings that were found, of the board as it stands."""
        return [frozenset(self._edges(masks)) for masks in self.hunt.drawings()]

    def _masks(self, drawing: Drawing) -> list[int]:
        """Write a drawing's edges as sides, right and down, of the form's cells."""
        masks = [0] * len(self._cell)
        for a, b in drawing:
            place, other = sorted((self._place[a], self._place[b]))
            masks[place] |= DirectionBit.RIGHT if other == place + 1 else DirectionBit.DOWN
        return masks

    def _edges(self, masks: list[int]) -> Iterator[Edge]:
        cell, cols, right, down = self._cell, self._cols, DirectionBit.RIGHT.value, DirectionBit.DOWN.value
        for place, mask in enumerate(masks):
            if mask & right:
                yield edge(cell[place], cell[place + 1])
            if mask & down:
                yield edge(cell[place], cell[place + cols])


def find_strict(puzzle: Puzzle, search: BoardSearch) -> list[Drawing]:
    """Find two of the lowest drawings, or two drawings that lie near each other where that takes long."""
    with contextlib.suppress(OutOfBudget):
        return search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * _FIRST_TURN)
    return _find_near(puzzle, search, DrawingKind.LOWEST) or search.find_two(DrawingKind.LOWEST)


def _find_near(puzzle: Puzzle, search: BoardSearch, kind: DrawingKind) -> list[Drawing]:
    """Find two drawings that cover the board without a path beside itself, or one and another near it.

    The first is mostly found at once: ten hand-made boards of 20 × 20, whose lowest drawings take more than
    100,000 conflicts, take 2 to 19.

    Returns:
        Two drawings, or none where it came to nothing.
    """
    with contextlib.suppress(OutOfBudget):
        found = search.find_two(DrawingKind.UNTOUCHING, budget=_FIRST_TURN)
        if len(found) == 1:
            other = second_nearby(Solution.from_whole_drawing(puzzle, found[0]), kind)
            found += [other.edges] if other else []
        return found if len(found) == 2 else []
    return []


def find_fillings(puzzle: Puzzle, search: BoardSearch) -> list[Drawing]:
    """Ask for strict first; then, and where that takes long, for the fillings, in turns of growing budget."""
    turn = _FIRST_TURN
    strict: list[Drawing] | None = None
    while True:
        if strict is None:
            with contextlib.suppress(OutOfBudget):
                strict = search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * turn)
        fillings = [drawing for drawing in strict or () if fills(puzzle, drawing)]
        # Fewer than two: there are no other drawings at all.
        if strict is not None and (len(strict) < 2 or len(fillings) == 2):
            return fillings
        try:
            return search.find_two(DrawingKind.FILLING, known=fillings, budget=turn)
        except OutOfBudget:
            if search.budget.left <= 0:
                raise
        near = _find_near(puzzle, search, DrawingKind.FILLING) if turn == _FIRST_TURN else []
        if near:
            return near
        turn *= 4


def fills(puzzle: Puzzle, drawing: Drawing) -> bool:
    """Tell whether a drawing covers every free square."""
    return len({cell for step in drawing for cell in step}) == len(puzzle.grid.free_cells)
