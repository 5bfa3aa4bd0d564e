"""Search for the drawings of a board, within a budget of conflicts.

A drawing joins the two numbers of every pair by paths. It may leave cells empty. A filling is a drawing that
covers every free cell. The rule ``strict`` allows only one drawing of a board, whether it is a filling or
not. To decide this, only the board's *lowest* drawings are needed. A drawing is lowest if two kinds of
small changes are impossible in it: making a path shorter, or moving a corner of a path into an empty cell in
the row below. The module ``kernels/prover/drawings`` has the exact definition.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, repeat

from linkpress.engine.kernels import DrawingSearch, colours_balance, search_board
from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.rulesets import RULESETS, Rule
from linkpress.puzzle.puzzle import Grid, Path, Puzzle, Solution

# A drawing joins each pair of numbers by a path. Two searches take turns to decide whether only one drawing
# fills a board:
# - One search looks for drawings that fill the board. Its first turn has ``_FIRST_TURN`` conflicts.
# - The other search also allows drawings that leave cells empty, as the rule ``strict`` does. If just one
#   drawing of this kind exists, no second drawing can fill the board. Each turn of this search has
#   ``_STRICT_SHARE`` times as many conflicts as a turn of the first search.
# The second search is often faster. Consider boards of 15 × 15 that have one solution under ``strict``. Half
# of them need fewer than 2,800 conflicts in the second search, and all need fewer than 16,000. The first
# search needs several times as many.
_FIRST_TURN = 1000
_STRICT_SHARE = 4

# Maximum number of contradictions that the depth-first search may meet before clause learning begins.
# Hand-made boards of up to 100, 150 and 225 cells take 0.52, 1.9 and 14.2 ms without depth-first search
# (geometric means). With this limit they take 0.20, 1.0 and 11.6 ms.
_SCANNED = 10_000

# A form is a rotation or reflection of a board. The search of the most promising form takes at most
# ``_FIRST_FORM`` conflicts before other forms are tried. Each other form gets ``_OTHER_FORMS`` conflicts at
# first, and twice as many in each further round. Of the hand-made boards measured, all up to 15 × 15 are
# decided by the search of the first form. One board of 20 × 20 with 26 pairs takes more than 60,000 conflicts
# in one form, and 17,000 to 35,000 in six of its eight forms.
_FIRST_FORM = 32_000
_OTHER_FORMS = 20_000
# Under the rule strict, solutions that leave cells empty count too. A search under this rule alternates
# between two orders in which edges are decided. Each turn has this many conflicts. Of three hand-made boards
# of 20 × 20 with 14 pairs, deciding edges row by row alone is enough for one board, which takes 645,000
# conflicts. Alternating is enough for all three, which take 119,000, 175,000 and 497,000 conflicts.
_ALTERNATING = 20_000
_ENDLESS = 1 << 30

# If a proof takes long, the program looks for one drawing (paths that join all pairs) in which no path
# touches itself, and then for a second drawing that is nearly equal to it. ``_UNTOUCHING`` is the maximum
# number of conflicts in the search for the first of these two drawings. Ten hand-made boards of 20 × 20 that
# are not proven within 100,000 conflicts need only 2 to 19 conflicts for one drawing. Sixteen boards of 36 ×
# 20 to 50 × 50 need up to 14,000.
_UNTOUCHING = 20_000
# A drawing joins each pair of numbers by a path. To find a second drawing, a small group of neighbouring
# paths is drawn in another way. ``_GROUPS`` is the maximum number of groups, and ``_GROUP_CONFLICTS`` the
# maximum number of conflicts for each group. The limits were measured on 15 boards of 20 × 20 to 50 × 50 on
# which other searches give up. For 14 of these boards, a second drawing is found in the first 100 groups of
# two paths or the first 400 groups of three.
_GROUPS = 600
_GROUP_CONFLICTS = 300


# For each drawing (a way to join all pairs by paths): its paths, and whether they cover every free cell.
_Drawings = list[tuple[tuple[Path, ...], bool]]
# A constant, because Python reads it faster than a member of an enumeration. Without this constant, searching
# a small board takes a tenth longer.
_LOWEST = DrawingKind.LOWEST


class OutOfBudget(Exception):  # noqa: N818 - it ends a search and reports no error
    """Exception: a search has used up the number of conflicts that it was allowed."""


@dataclass(slots=True)
class Budget:
    """Number of conflicts that several searches together may take, and the number taken so far."""

    allowed: int
    spent: int = 0

    @property
    def left(self) -> int:
        return self.allowed - self.spent


_KINDS = {rule: DrawingKind[ruleset.search] for rule, ruleset in RULESETS.items()}


def kind_of(rule: Rule) -> DrawingKind:
    return _KINDS[rule]


class BoardSearch:
    """Search for two drawings of a board. It can stop and later continue from where it stopped.

    A drawing joins each pair of numbers by a path.

    How long a proof takes depends on the *form* of the board, which is the rotation or reflection in which
    the board is searched. There is no reliable way to predict which form is best. So if a search for drawings
    that fill the board takes long, it continues in other forms. Two forms are searched at a time, each in its
    own thread, for a fixed number of conflicts. A search stops only if it has used up its conflicts or is
    finished, so the result does not depend on which thread is faster.

    Under the rule ``strict``, only the lowest drawings are searched for. In a lowest drawing, a small change
    can neither make a path shorter nor move a corner of a path into an empty cell in the row below. A search
    for lowest drawings decides edges row by row. If such a search takes long, it does not continue in other
    forms. Instead, it alternates from then on between two orders of the edges: row by row, and edges of
    recent conflicts first (``kernels/prover/cdcl``). There are boards that need this: a search that always
    goes row by row gives up on each of their forms.

    Every search begins row by row. This is slow for forms that are wider than they are high, so such forms
    are left out. This reduces the time for boards of 9 × 16 to a third, and for boards of 10 × 20 to a sixth.

    Args:
        kind: the kind of drawings that count.
        budget: limits the conflicts of this search, together with those of all other searches that use the
            same object.
        known: at most one drawing that is already known. It counts as one of the two drawings.
        begun: an earlier search of the most promising form, which has run out of conflicts; None to begin a
            new search.
        granted: how many conflicts the earlier search ``begun`` was allowed to take.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        kind: DrawingKind,
        budget: Budget,
        known: Sequence[Solution] = (),
        begun: DrawingSearch | None = None,
        granted: int = 0,
    ) -> None:
        self._puzzle, self._kind, self._budget, self.known = puzzle, kind, budget, known
        self._by_rank: dict[int, DrawingSearch] = {}
        if begun is not None:
            self._by_rank[0] = begun
        self._searches, self._left, self._alternates = [self._search_of(0)], _FIRST_FORM - granted, False
        self._later_turns: Iterator[tuple[list[int], int]] | None = None

    def find_two(self, budget: int = _ENDLESS) -> list[Solution]:
        """Continue the search until two drawings are found.

        A drawing joins each pair of numbers by a path.

        If a drawing was known before the search began, it counts as one of them.

        Args:
            budget: how many conflicts this call may take. The shared budget may allow fewer.
        Returns:
            Two drawings, or fewer if the board has no more.
        Raises:
            OutOfBudget: the search was not finished within the budget.
        """
        allowed = min(budget, self._budget.left)
        while allowed > 0:
            if self._left <= 0:
                self._begin_turn()
            conflicts = min(self._left, -(-allowed // len(self._searches)))
            self._left -= conflicts
            ended = self._go_on(conflicts)
            met = sum([spent for spent, _ in ended])
            self._budget.spent += met
            for _, drawings in ended:
                if drawings is not None:
                    return [*self.known, *_solutions(self._puzzle, drawings[len(self.known) :])]
            # The searches were continued, but none of them has ended or met a conflict. This happens only
            # if the array of learnt clauses is full. So it is useless to continue.
            if not met:
                break
            allowed -= met
        raise OutOfBudget

    def _begin_turn(self) -> None:
        """Choose which forms (rotations or reflections) of the board to search next.

        The search takes turns between the forms. Also choose how many conflicts the search of each form may
        take in this turn.
        """
        if self._later_turns is None:
            forms = 8 if self._puzzle.grid.rows == self._puzzle.grid.cols else 4
            self._alternates = self._kind is DrawingKind.LOWEST
            self._later_turns = repeat(([0], _ALTERNATING)) if self._alternates else _turns(forms)
        ranks, self._left = next(self._later_turns)
        self._searches = [self._search_of(rank) for rank in ranks]

    def _go_on(self, conflicts: int) -> list[tuple[int, _Drawings | None]]:
        """Continue the one or two searches that are next.

        All rotations and reflections of the board are searched alternately, one or two of them at a time.

        Returns:
            For each search, the number of conflicts, and its drawings if it has ended.
        """
        if len(self._searches) == 1:
            return [self._searches[0].go_on(conflicts, self._alternates)]
        # imported only here, because it loads logging and only long proofs need it
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(len(self._searches)) as pool:
            return list(pool.map(DrawingSearch.go_on, self._searches, repeat(conflicts), repeat(False)))

    def _search_of(self, rank: int) -> DrawingSearch:
        """Return the search of the board in one form, which is a rotation or reflection.

        Args:
            rank: the place of the form when all forms are ordered by how promising they are, counted from 0.
        """
        if rank not in self._by_rank:
            grid, paths = self._puzzle.grid, self.known[0].paths if self.known else ()
            self._by_rank[rank] = DrawingSearch(
                grid.rows, grid.cols, grid.solids, self._puzzle.pairs, self._kind, _SCANNED, paths, rank
            )
        return self._by_rank[rank]


def _solutions(puzzle: Puzzle, drawings: _Drawings) -> list[Solution]:
    return [Solution.with_fills(puzzle, paths, fills) for paths, fills in drawings]


def _turns(forms: int) -> Iterator[tuple[list[int], int]]:
    """Yield for each turn the forms (rotations or reflections of the board) to search.

    The search takes turns between the forms. The number of turns is not limited; the caller stops.

    Each item has the list of the forms, and how many conflicts the search of each form may take in this turn.
    A form is given by its rank: 0 is the most promising form, 1 the next, and so on.
    """
    conflicts = _OTHER_FORMS
    while True:
        for rank in range(1, forms, 2):
            yield [*range(forms)[rank : rank + 2]], conflicts
        yield [0], conflicts
        conflicts *= 2


def find_drawings(puzzle: Puzzle, kind: DrawingKind, budget: Budget) -> list[Solution]:
    """Find up to two drawings of a board.

    A drawing joins each pair of numbers by a path. The search of most boards takes only microseconds. So a
    short search comes first, before anything is prepared for a longer one. If a search under the rule strict
    takes long, it is interrupted to look for two drawings that are nearly equal, because such drawings are
    often found sooner.

    Args:
        kind: the kind of drawings that count.
        budget: how many conflicts all searches together may take.
    Raises:
        OutOfBudget: the search was not finished within the budget.
    """
    grid, pairs = puzzle.grid, puzzle.pairs
    conflicts = _STRICT_SHARE * _FIRST_TURN
    if kind is not _LOWEST:
        if not colours_balance(grid.rows, grid.cols, grid.solids, pairs):
            return []
        if kind is DrawingKind.FILLING:
            return find_fillings(puzzle, budget)
        conflicts = _FIRST_FORM
    left = budget.allowed - budget.spent
    if left < conflicts:
        conflicts = left
        if left <= 0:
            raise OutOfBudget
    spent, drawings, begun = search_board(
        grid.rows, grid.cols, grid.solids, pairs, kind, _SCANNED, (), conflicts
    )
    budget.spent += spent
    if drawings is not None:
        return _solutions(puzzle, drawings)
    search = BoardSearch(puzzle, kind, budget, begun=begun, granted=conflicts)
    near = _find_near(puzzle, kind, budget) if kind is _LOWEST else []
    return near or search.find_two()


def find_fillings(puzzle: Puzzle, budget: Budget) -> list[Solution]:
    """Find up to two drawings that cover every free cell of the board.

    A drawing joins each pair of numbers by a path. Two searches take turns, because the second one often
    finishes sooner:

    - The first search looks only for drawings that cover every free cell.
    - The second search also allows drawings with empty cells. There can be very many of these, so it looks
      only for *lowest* drawings: in these, a small change can neither make a path shorter nor move a corner
      of a path into an empty cell in the row below. If a board has only one lowest drawing, it has no other
      drawing of any kind, so it can't have a second one that covers every free cell.

    Raises:
        OutOfBudget: the search was not finished within the budget.
    """
    turn = _FIRST_TURN
    lowest_search = BoardSearch(puzzle, DrawingKind.LOWEST, budget)
    filling_search: BoardSearch | None = None
    lowest: list[Solution] | None = None
    while True:
        if lowest is None:
            with contextlib.suppress(OutOfBudget):
                lowest = lowest_search.find_two(_STRICT_SHARE * turn)
        fillings = [drawing for drawing in lowest or () if drawing.fills]
        # A drawing joins each pair of numbers by a path. It is lowest if a small change can neither make a
        # path shorter nor move a corner of a path into an empty cell in the row below. If a path of a drawing
        # can take a detour through empty cells, the search for lowest drawings counts this as a second
        # drawing. So if this search ends with fewer than two drawings, the board has no other drawing at all.
        if lowest is not None and (len(lowest) < 2 or len(fillings) == 2):
            return fillings
        if filling_search is None or len(fillings) > len(filling_search.known):
            filling_search = BoardSearch(puzzle, DrawingKind.FILLING, budget, fillings)
        try:
            return filling_search.find_two(turn)
        except OutOfBudget:
            if budget.left <= 0:
                raise
        near = _find_near(puzzle, DrawingKind.FILLING, budget) if turn == _FIRST_TURN else []
        if near:
            return near
        turn *= 4


def _find_near(puzzle: Puzzle, kind: DrawingKind, budget: Budget) -> list[Solution]:
    """Find two drawings that are nearly the same. One of them covers every free cell of the board.

    A drawing joins each pair of numbers by a path.

    Returns:
        Both drawings, or an empty list if they are not found.
    """
    with contextlib.suppress(OutOfBudget):
        found = BoardSearch(puzzle, DrawingKind.UNTOUCHING, budget).find_two(_UNTOUCHING)
        if len(found) == 1:
            other = second_nearby(found[0], kind)
            found += [other] if other else []
        return found if len(found) == 2 else []
    return []


def second_nearby(known: Solution, kind: DrawingKind) -> Solution | None:
    """Find a second drawing that differs from a known drawing in a few neighbouring paths only.

    A drawing joins each pair of numbers by a path. On a board of 40 × 40, a search for any two drawings may
    take hours. Looking for another drawing of two neighbouring paths takes some hundredths of a second.

    Args:
        known: a drawing that covers every free cell.
        kind: the kind of the second drawing: FILLING if it must cover every free cell, LOWEST if it may leave
            cells empty.
    Returns:
        The second drawing; None if none was found.
    """
    puzzle, grid = known.puzzle, known.puzzle.grid
    for group in islice(_neighbouring_paths(known), _GROUPS):
        staying = [path for path in known.paths if path.number not in group]
        solids = grid.solids.union(*(path.cells for path in staying))
        pairs = tuple(pair for pair in puzzle.pairs if pair.number in group)
        part = Puzzle(Grid(grid.rows, grid.cols, solids), pairs)
        with contextlib.suppress(OutOfBudget):
            for drawn in BoardSearch(part, kind, Budget(_GROUP_CONFLICTS)).find_two():
                paths = sorted([*staying, *drawn.paths], key=lambda path: path.number)
                other = Solution(puzzle, tuple(paths))
                if other.edges != known.edges:
                    return other
    return None


def _neighbouring_paths(known: Solution) -> Iterator[frozenset[int]]:
    """Yield groups of neighbouring paths: all groups of two paths, then all of three, and so on.

    Each group is yielded as a set of numbers, which are the numbers of its paths. Each path of a group is a
    neighbour of another path of the group.
    """
    joined = {frozenset((known.number_of[a], known.number_of[b])) for a, b in known.puzzle.grid.edges}
    twos = groups = {group for group in joined if len(group) == 2}
    while groups:
        yield from sorted(groups, key=sorted)
        groups = {group | two for group in groups for two in twos if len(group & two) == 1}
