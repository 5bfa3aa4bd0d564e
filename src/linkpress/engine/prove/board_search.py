"""The compiled search for a board's drawings, and what a search may spend."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice

from linkpress.engine.kernels import Hunt
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Grid, Path, Puzzle, Solution
from linkpress.puzzle.symmetry import SYMMETRIES, cell_places

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

# Conflicts for the drawing that others are looked for near: ten hand-made boards of 20 × 20, whose lowest
# drawings take more than 100,000, take 2 to 19, and sixteen of 36 × 20 to 50 × 50 up to 14,000.
_UNTOUCHING = 20_000
# Groups of paths that are drawn otherwise, at most, and the conflicts that each may take, a scan's first. Of
# 15 boards of 20 × 20 to 50 × 50 whose searches come to nothing, 14 have a second drawing among the first
# hundred groups, of two paths each, or the first four hundred, of three.
_GROUPS = 600
_GROUP_CONFLICTS = 300


class BoardSearch:
    """Looks for drawings of one board, and goes on where it was when it is asked the same again.

    Args:
        budget: conflicts allowed over all questions.
        alone: whether the search that learns is asked alone, of the board as it stands.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget, *, alone: bool = False) -> None:
        self.budget = budget
        self._puzzle, self._alone = puzzle, alone
        self._asked: dict[tuple[DrawingKind, bool], _Question] = {}

    def find_two(
        self, kind: DrawingKind, known: Sequence[Solution] = (), budget: int | None = None
    ) -> list[Solution]:
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

    def __init__(self, puzzle: Puzzle, kind: DrawingKind, known: Sequence[Solution], *, alone: bool) -> None:
        self._order = (puzzle, kind, known, 0 if alone else _SCANNED)
        self._forms: dict[int, _Form] = {}
        self._turns = _turns(puzzle, alone=alone)
        self._now, self._left = next(self._turns)

    def go_on(self, allowed: int) -> tuple[list[Solution] | None, int]:
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
    first = 0 if rows >= cols else _DIAGONAL
    while alone:
        yield [first], _ENDLESS
    yield [first], _UNTURNED
    turned = [
        symmetry
        for symmetry, (turns, _, _) in enumerate(SYMMETRIES)
        if symmetry != first and (rows == cols or turns == (cols > rows))
    ]
    conflicts = _TURNED
    while True:
        for place in range(0, len(turned), 2):
            yield turned[place : place + 2], conflicts
        yield [first], conflicts
        conflicts *= 2


class _Form:
    """A board turned or mirrored, and a look for its drawings."""

    def __init__(
        self, puzzle: Puzzle, kind: DrawingKind, known: Sequence[Solution], scanned: int, symmetry: int
    ) -> None:
        grid = puzzle.grid
        rows, cols = (grid.cols, grid.rows) if SYMMETRIES[symmetry][0] else (grid.rows, grid.cols)
        self._puzzle = puzzle
        place = cell_places(grid.rows, grid.cols, symmetry) if symmetry else range(grid.size)
        self._cell = sorted(range(grid.size), key=place.__getitem__) if symmetry else place
        need, label = [2] * grid.size, [-1] * grid.size
        for cell in grid.solids:
            need[place[cell]] = -1
        for number, pair in enumerate(puzzle.pairs):
            for end in (place[pair.first], place[pair.second]):
                need[end], label[end] = 1, number
        paths = [[place[cell] for cell in path.cells] for drawing in known for path in drawing.paths]
        self.hunt = Hunt(rows, cols, need, label, len(puzzle.pairs), kind, scanned, paths)

    def drawings(self) -> list[Solution]:
        """The drawings that were found, of the board as it stands.

        Raises:
            AssertionError: the search is at fault.
        """
        return [self._solution(paths) for paths in self.hunt.drawings()]

    def _solution(self, paths: list[list[int]]) -> Solution:
        cell, pairs = self._cell, self._puzzle.pairs
        ways = {}
        for path in paths:
            way = tuple(path) if isinstance(cell, range) else tuple(cell[place] for place in path)
            way = way if way[0] < way[-1] else way[::-1]
            ways[way[0], way[-1]] = way
        found = (Path(pair.number, ways[pair.first, pair.second]) for pair in pairs)
        solution = Solution(self._puzzle, tuple(found))
        if sum(map(len, ways.values())) != len(solution.number_of):
            raise AssertionError("the search returned a drawing whose paths meet")
        return solution


def find_strict(search: BoardSearch) -> list[Solution]:
    """Find two of the lowest drawings, or two drawings that lie near each other where that takes long."""
    with contextlib.suppress(OutOfBudget):
        return search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * _FIRST_TURN)
    return _find_near(search, DrawingKind.LOWEST) or search.find_two(DrawingKind.LOWEST)


def _find_near(search: BoardSearch, kind: DrawingKind) -> list[Solution]:
    """Find two drawings that cover the board without a path beside itself, or one and another near it.

    Returns:
        Two drawings, or none where it came to nothing.
    """
    with contextlib.suppress(OutOfBudget):
        found = search.find_two(DrawingKind.UNTOUCHING, budget=_UNTOUCHING)
        if len(found) == 1:
            other = second_nearby(found[0], kind)
            found += [other] if other else []
        return found if len(found) == 2 else []
    return []


def find_fillings(search: BoardSearch) -> list[Solution]:
    """Ask for strict first; then, and where that takes long, for the fillings, in turns of growing budget."""
    turn = _FIRST_TURN
    strict: list[Solution] | None = None
    while True:
        if strict is None:
            with contextlib.suppress(OutOfBudget):
                strict = search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * turn)
        fillings = [drawing for drawing in strict or () if drawing.fills]
        # Fewer than two: there are no other drawings at all.
        if strict is not None and (len(strict) < 2 or len(fillings) == 2):
            return fillings
        try:
            return search.find_two(DrawingKind.FILLING, known=fillings, budget=turn)
        except OutOfBudget:
            if search.budget.left <= 0:
                raise
        near = _find_near(search, DrawingKind.FILLING) if turn == _FIRST_TURN else []
        if near:
            return near
        turn *= 4


def second_nearby(known: Solution, kind: DrawingKind) -> Solution | None:
    """Look for another drawing in which a few neighbouring paths run otherwise, and all others stay.

    A search of a board of 40 × 40 for any two drawings may take hours, while all its groups of two paths are
    asked in a few hundredths of a second.

    Args:
        known: it covers every free square.
        kind: which drawings count: FILLING or LOWEST.
    """
    puzzle, grid = known.puzzle, known.puzzle.grid
    for group in islice(_neighbouring(known), _GROUPS):
        staying = [path for path in known.paths if path.number not in group]
        solids = grid.solids.union(*(path.cells for path in staying))
        pairs = tuple(pair for pair in puzzle.pairs if pair.number in group)
        search = BoardSearch(Puzzle(Grid(grid.rows, grid.cols, solids), pairs), Budget(_GROUP_CONFLICTS))
        with contextlib.suppress(OutOfBudget):
            for drawn in search.find_two(kind):
                paths = sorted([*staying, *drawn.paths], key=lambda path: path.number)
                other = Solution(puzzle, tuple(paths))
                if other.edges != known.edges:
                    return other
    return None


def _neighbouring(known: Solution) -> Iterator[frozenset[int]]:
    """Yield groups of paths, by their numbers, that lie beside each other: all of two, of three and so on."""
    joined = {frozenset((known.number_of[a], known.number_of[b])) for a, b in known.puzzle.grid.edges}
    twos = groups = {group for group in joined if len(group) == 2}
    while groups:
        yield from sorted(groups, key=sorted)
        groups = {group | two for group in groups for two in twos if len(group & two) == 1}
