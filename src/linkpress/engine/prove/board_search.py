"""Search for the drawings of a board, within a budget of conflicts."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice, repeat

from linkpress.engine.kernels import DrawingSearch
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Grid, Path, Puzzle, Solution

# Conflicts of the first turn when fillings and lowest drawings are searched by turns, and how many times as
# many the lowest drawings get. Half of the strict boards of 15 × 15 take less than 2,800 for them, and all
# less than 16,000. Their fillings take several times as many.
_FIRST_TURN = 1000
_STRICT_SHARE = 4

# Contradictions that the depth-first search may meet before clause learning begins. Hand-made
# boards of up to 100, 150 and 225 cells take 0.52, 1.9 and 14.2 ms without it (geometric means),
# and 0.20, 1.0 and 11.6 with this limit.
_SCANNED = 10_000

# Conflicts of the most promising form of a board before others are tried. Other forms get the
# next number at a time, and twice as many in each round. All measured hand-made boards up to 15 ×
# 15 are settled by then. One of 20 × 20 with 26 pairs takes more than 60,000 in one form, and
# 17,000 to 35,000 in six of its eight forms.
_FIRST_FORM = 32_000
_OTHER_FORMS = 20_000
# Conflicts at a time of a search for lowest drawings, once it alternates between both orders of decisions. Of
# three hand-made boards of 20 × 20 with 14 pairs, sweeps alone settle one, with 645,000 conflicts.
# Alternating settles all three, with 119,000, 175,000 and 497,000.
_ALTERNATING = 20_000
_ENDLESS = 1 << 30

# Conflicts to find a drawing in whose neighbourhood others are looked for. Ten hand-made boards of 20 × 20,
# whose lowest drawings take more than 100,000, take 2 to 19; sixteen of 36 × 20 to 50 × 50 take up to 14,000.
_UNTOUCHING = 20_000
# Groups of paths that are redrawn, and the conflicts for each. Of 15 boards of 20 × 20 to 50 ×
# 50 that other searches don't settle, 14 have a second drawing among the first hundred groups
# of two paths, or the first 400 of three.
_GROUPS = 600
_GROUP_CONFLICTS = 300


class OutOfBudget(Exception):  # noqa: N818 - it ends a search and reports no error
    """The conflicts allowed are spent."""


@dataclass
class Budget:
    """Conflicts allowed to several searches together, and the conflicts spent so far."""

    allowed: int
    spent: int = 0

    @property
    def left(self) -> int:
        return self.allowed - self.spent


def kind_of(rule: Rule) -> DrawingKind:
    """Return which drawings the search counts under a rule."""
    return DrawingKind[ruleset_of(rule).search]


class BoardSearch:
    """Searches for the drawings of one board. A search that is repeated goes on from where it stopped.

    Args:
        budget: the conflicts allowed for all searches together.
        plain: whether to use only the clause-learning search, on the board as it is. Stars need this, because
            they depend on the number of conflicts.
    """

    def __init__(self, puzzle: Puzzle, budget: Budget, *, plain: bool = False) -> None:
        self.budget = budget
        self._puzzle, self._plain = puzzle, plain
        self._searches: dict[tuple[DrawingKind, bool], _SearchByForms] = {}

    def find_two(
        self, kind: DrawingKind, known: Sequence[Solution] = (), budget: int | None = None
    ) -> list[Solution]:
        """Find drawings until there are two, including the known one; fewer if there are no more.

        Args:
            kind: which drawings count.
            known: at most one drawing, which is not searched for again. It must be the same in each call.
            budget: the conflicts allowed for this call; by default all that are left.
        Raises:
            OutOfBudget: the search was not finished within the budget.
        """
        allowed = self.budget.left if budget is None else min(budget, self.budget.left)
        key = (kind, bool(known))
        if key not in self._searches:
            self._searches[key] = _SearchByForms(self._puzzle, kind, known, plain=self._plain)
        found, spent = self._searches[key].go_on(allowed)
        self.budget.spent += spent
        if found is None:
            raise OutOfBudget
        return [*known, *found[len(known) :]]


class _SearchByForms:
    """A search for two drawings, in several rotations and reflections ("forms") of a board by turns.

    The time of a proof depends on the form, and nothing seen beforehand tells reliably which is best. So a
    long search goes on in other forms, two at a time, each on a core of its own. Both always finish their
    turn, so the result does not depend on which is faster.

    A long search for lowest drawings stays in its first form instead, and alternates between both orders of
    decisions. That settles boards which sweeps don't settle in any form.

    The search goes row by row, so forms wider than high are left out: boards of 9 × 16 take a third of the
    time then, 10 × 20 a sixth.
    """

    def __init__(self, puzzle: Puzzle, kind: DrawingKind, known: Sequence[Solution], *, plain: bool) -> None:
        self._puzzle, self._kind, self._known, self._plain = puzzle, kind, known, plain
        self._by_rank: dict[int, DrawingSearch] = {}
        self._ranks, self._left = ([-1], _ENDLESS) if plain else ([0], _FIRST_FORM)
        forms = 8 if puzzle.grid.rows == puzzle.grid.cols else 4
        self._alternates = False  # set once the first form has used its conflicts
        self._turns = repeat(([0], _ALTERNATING)) if kind is DrawingKind.LOWEST else _turns(forms)

    def go_on(self, allowed: int) -> tuple[list[Solution] | None, int]:
        """Return the drawings, or None if the search is not finished; and the conflicts spent."""
        spent, settled = 0, None
        while spent < allowed:
            if self._left <= 0:
                self._ranks, self._left = next(self._turns)
                self._alternates = self._kind is DrawingKind.LOWEST
            conflicts = min(self._left, -(-(allowed - spent) // len(self._ranks)))
            self._left -= conflicts
            met = 0
            for search, (outcome, more) in self._search_forms(conflicts):
                met += more
                if outcome != SearchOutcome.GAVE_UP and settled is None:
                    settled = search
            spent += met
            if settled:
                numbers = [pair.number for pair in self._puzzle.pairs]
                found = settled.drawings()
                return [Solution(self._puzzle, tuple(map(Path, numbers, cells))) for cells in found], spent
            if not met:  # no progress, because the array of clauses is full
                break
        return None, spent

    def _search_forms(self, conflicts: int) -> Iterable[tuple[DrawingSearch, tuple[int, int]]]:
        """Continue the searches of the present forms; return each with its outcome and conflicts."""
        searches = [*map(self._search_of, self._ranks)]
        if len(searches) == 1:
            return ((searches[0], searches[0].go_on(conflicts, self._alternates)),)
        with ThreadPoolExecutor(len(searches)) as pool:
            ended = pool.map(DrawingSearch.go_on, searches, repeat(conflicts), repeat(False))
            return zip(searches, ended, strict=True)

    def _search_of(self, rank: int) -> DrawingSearch:
        """Return the search of the form with a rank, as ``DrawingSearch`` ranks forms."""
        if rank not in self._by_rank:
            puzzle, grid = self._puzzle, self._puzzle.grid
            paths: tuple[Path, ...] = self._known[0].paths if self._known else ()
            scanned = 0 if self._plain else _SCANNED
            self._by_rank[rank] = DrawingSearch(
                grid.rows, grid.cols, grid.solids, puzzle.pairs, self._kind, scanned, paths, rank
            )
        return self._by_rank[rank]


def _turns(forms: int) -> Iterator[tuple[list[int], int]]:
    """Yield, without end, the ranks of the forms to search in next, and the conflicts of each."""
    conflicts = _OTHER_FORMS
    while True:
        for rank in range(1, forms, 2):
            yield [*range(forms)[rank : rank + 2]], conflicts
        yield [0], conflicts
        conflicts *= 2


def find_strict(search: BoardSearch) -> list[Solution]:
    """Find up to two lowest drawings; if that takes long, any two drawings close to each other."""
    try:
        return search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * _FIRST_TURN)
    except OutOfBudget:
        return _find_near(search, DrawingKind.LOWEST) or search.find_two(DrawingKind.LOWEST)


def find_fillings(search: BoardSearch) -> list[Solution]:
    """Find up to two drawings that cover the board; search for lowest drawings and fillings by turns."""
    turn = _FIRST_TURN
    lowest: list[Solution] | None = None
    while True:
        if lowest is None:
            with contextlib.suppress(OutOfBudget):
                lowest = search.find_two(DrawingKind.LOWEST, budget=_STRICT_SHARE * turn)
        fillings = [drawing for drawing in lowest or () if drawing.fills]
        # With fewer than two lowest drawings, there are no other drawings at all.
        if lowest is not None and (len(lowest) < 2 or len(fillings) == 2):
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


def _find_near(search: BoardSearch, kind: DrawingKind) -> list[Solution]:
    """Find two drawings that are close to each other, one of which covers the board; else return none."""
    with contextlib.suppress(OutOfBudget):
        found = search.find_two(DrawingKind.UNTOUCHING, budget=_UNTOUCHING)
        if len(found) == 1:
            other = second_nearby(found[0], kind)
            found += [other] if other else []
        return found if len(found) == 2 else []
    return []


def second_nearby(known: Solution, kind: DrawingKind) -> Solution | None:
    """Find another drawing that differs from a known one only in a few neighbouring paths.

    A search of a board of 40 × 40 for any two drawings may take hours. To redraw all its groups of two paths
    takes some hundredths of a second.

    Args:
        known: a drawing that covers every free cell.
        kind: FILLING or LOWEST.
    """
    puzzle, grid = known.puzzle, known.puzzle.grid
    for group in islice(_neighbouring_paths(known), _GROUPS):
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


def _neighbouring_paths(known: Solution) -> Iterator[frozenset[int]]:
    """Yield groups of neighbouring paths, by their numbers: all groups of two, then of three, and so on."""
    joined = {frozenset((known.number_of[a], known.number_of[b])) for a, b in known.puzzle.grid.edges}
    twos = groups = {group for group in joined if len(group) == 2}
    while groups:
        yield from sorted(groups, key=sorted)
        groups = {group | two for group in groups for two in twos if len(group & two) == 1}
