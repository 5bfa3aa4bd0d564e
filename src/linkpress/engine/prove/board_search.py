"""The compiled search looks for a board's drawings, and spends conflicts of a budget."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, repeat

from linkpress.engine.kernels import Hunt
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Cell, Grid, Path, Puzzle, Solution

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

# Contradictions that a scan may meet before the search that learns is asked. Hand-made boards of up to 100,
# 150 and 225 squares take 0.52, 1.9 and 14.2 ms without it (geometric means), 0.21, 1.4 and 12.8 with 3,000,
# 0.20, 1.0 and 11.6 with 10,000.
_SCANNED = 10_000


class OutOfBudget(Exception):  # noqa: N818 - a way out of the search, not a fault
    """The conflicts allowed are spent."""


@dataclass
class Budget:
    """A budget has the conflicts that are still allowed, counted down across questions."""

    allowed: int
    spent: int = 0

    @property
    def left(self) -> int:
        """Return the conflicts still allowed; 0 or less once they are spent."""
        return self.allowed - self.spent


# Conflicts that the most promising form of a board has before others, and that each of those has at a time
# then, twice as many in each round. All hand-made boards to 15 × 15 that were measured are settled by then;
# one of 20 × 20 with 26 pairs takes more than 60,000 in one form, 17,000 to 35,000 in six of its eight.
_FIRST_FORM = 32_000
_ENDLESS = 1 << 30
_OTHER_FORMS = 20_000
# Conflicts that a search by turns for the lowest drawings has at a time, then. Of three hand-made boards of
# 20 × 20 with 14 pairs sweeps settle one with 645,000; by turns all three take 119,000, 175,000 and 497,000,
# and two forms by turns side by side take more of both together.
_BY_TURNS = 20_000

# Conflicts for the drawing that others are looked for near: ten hand-made boards of 20 × 20, whose lowest
# drawings take more than 100,000, take 2 to 19, and sixteen of 36 × 20 to 50 × 50 up to 14,000.
_UNTOUCHING = 20_000
# Groups of paths that are drawn otherwise, at most, and the conflicts that each may take, a scan's first. Of
# 15 boards of 20 × 20 to 50 × 50 whose searches come to nothing, 14 have a second drawing among the first
# hundred groups, of two paths each, or the first four hundred, of three.
_GROUPS = 600
_GROUP_CONFLICTS = 300


class BoardSearch:
    """A search looks for drawings of one board, and goes on where it was when it is asked the same again.

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
    """A question about a board is asked of several of its eight forms by turns.

    How long a proof takes hangs on how the board lies, and where its numbers stand tells only in part which
    way is best. So what takes long goes on in other forms, two at a time, each on a core of its own where
    there are two. Both always finish their turn, so that the answer does not hang on which was faster.

    For the lowest drawings the first form itself goes on, in which a sweep takes turns with a search by
    activity then: that settles boards on which sweeps come to nothing in any form.

    The search goes row by row, so forms wider than high are left out: boards of 9 × 16 take a third of the
    time then, of 10 × 20 a sixth.
    """

    def __init__(self, puzzle: Puzzle, kind: DrawingKind, known: Sequence[Solution], *, alone: bool) -> None:
        self._puzzle, self._kind, self._known, self._alone = puzzle, kind, known, alone
        self._hunts: dict[int, Hunt] = {}
        self._now, self._left = ([-1], _ENDLESS) if alone else ([0], _FIRST_FORM)
        forms = 8 if puzzle.grid.rows == puzzle.grid.cols else 4
        self._by_turns = False  # until the first form has had its conflicts
        self._turns = repeat(([0], _BY_TURNS)) if kind is DrawingKind.LOWEST else _turns(forms)

    def go_on(self, allowed: int) -> tuple[list[Solution] | None, int]:
        """Return the drawings, or None where it is not settled; and the conflicts spent."""
        spent, settled = 0, None
        while spent < allowed:
            if self._left <= 0:
                self._now, self._left = next(self._turns)
                self._by_turns = self._kind is DrawingKind.LOWEST
            conflicts = min(self._left, -(-(allowed - spent) // len(self._now)))
            self._left -= conflicts
            met = 0
            for hunt, (outcome, more) in self._ask(conflicts):
                met += more
                if outcome != SearchOutcome.GAVE_UP and settled is None:
                    settled = hunt
            spent += met
            if settled:
                return [self._solution(ways) for ways in settled.drawings()], spent
            if not met:  # there is no room for more clauses
                break
        return None, spent

    def _ask(self, conflicts: int) -> Iterable[tuple[Hunt, tuple[int, int]]]:
        hunts = [*map(self._hunt, self._now)]
        if len(hunts) == 1:
            return ((hunts[0], hunts[0].go_on(conflicts, self._by_turns)),)
        with ThreadPoolExecutor(len(hunts)) as cores:
            ended = cores.map(Hunt.go_on, hunts, repeat(conflicts), repeat(False))
            return zip(hunts, ended, strict=True)

    def _hunt(self, rank: int) -> Hunt:
        if rank not in self._hunts:
            puzzle, grid = self._puzzle, self._puzzle.grid
            paths = self._known[0].paths if self._known else ()
            scanned = 0 if self._alone else _SCANNED
            self._hunts[rank] = Hunt(
                grid.rows, grid.cols, grid.solids, puzzle.pairs, self._kind, scanned, paths, rank
            )
        return self._hunts[rank]

    def _solution(self, ways: list[tuple[Cell, ...]]) -> Solution:
        numbers = [pair.number for pair in self._puzzle.pairs]
        return Solution(self._puzzle, tuple(map(Path, numbers, ways)))


def _turns(forms: int) -> Iterator[tuple[list[int], int]]:
    """Yield without end the ranks of the forms that go on after the first one, and the conflicts of each."""
    conflicts = _OTHER_FORMS
    while True:
        for rank in range(1, forms, 2):
            yield [*range(forms)[rank : rank + 2]], conflicts
        yield [0], conflicts
        conflicts *= 2


def find_strict(search: BoardSearch) -> list[Solution]:
    """Find two of the lowest drawings, or two drawings that lie near each other where that takes long."""
    try:
        return search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * _FIRST_TURN)
    except OutOfBudget:
        return _find_near(search, DrawingKind.LOWEST) or search.find_two(DrawingKind.LOWEST)


def _find_near(search: BoardSearch, kind: DrawingKind) -> list[Solution]:
    """Find two drawings that cover the board and touch nowhere, or one and another near it, or none."""
    with contextlib.suppress(OutOfBudget):
        found = search.find_two(DrawingKind.UNTOUCHING, budget=_UNTOUCHING)
        if len(found) == 1:
            other = second_nearby(found[0], kind)
            found += [other] if other else []
        return found if len(found) == 2 else []
    return []


def find_fillings(search: BoardSearch) -> list[Solution]:
    """Ask for strict first; then, and meanwhile where that takes long, for the fillings."""
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
    """Find another filling or lowest drawing in which only a few neighbouring paths run otherwise.

    A search of a board of 40 × 40 for any two drawings may take hours, while all its groups of two paths are
    asked in a few hundredths of a second. The known drawing covers every free square.
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
