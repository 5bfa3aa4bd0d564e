"""python-sat is the slow, sure way to a second drawing, with an encoding of its own.

A drawing is one variable per edge and ⌈log2 pairs⌉ label bits per square, equal across a drawn edge.
Free loops are excluded as they turn up where every square must be covered, and left out of the answer
where squares may stay empty.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from typing import Any, Self

from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.prove.board_search import Budget, OutOfBudget
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge

Drawing = frozenset[Edge]


class DrawingSearch:
    """A search finds one drawing after the other, each different from those before.

    It is a context manager, which holds a solver.

    Args:
        budget: shared between searches; a loop that had to be excluded counts as a conflict.
        known: drawings that are not to be found again.
    """

    def __init__(
        self, puzzle: Puzzle, kind: DrawingKind, budget: Budget, known: Collection[Drawing] = ()
    ) -> None:
        from pysat.solvers import Solver  # imported late: 24 ms that the command line need not pay

        self._puzzle, self._kind, self._budget = puzzle, kind, budget
        self._covers = kind in (DrawingKind.FILLING, DrawingKind.UNTOUCHING)
        self._variable = {step: n for n, step in enumerate(puzzle.grid.edges, start=1)}
        self._solver: Any = Solver(name="glucose4", bootstrap_with=list(self._clauses()))
        for drawing in known:
            self._exclude(drawing)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self._solver.delete()

    def find(self) -> Drawing | None:
        """Return the edges of one more drawing, None when there is none; raise ``OutOfBudget`` when spent."""
        while self._solve():
            drawn = {step for step, v in self._variable.items() if self._solver.get_model()[v - 1] > 0}
            loops = list(_take_loops(drawn, self._puzzle.number_at))
            if self._covers and loops:
                self._budget.spent += 1
                for loop in loops:
                    self._exclude(loop)
                continue
            drawing = frozenset(drawn)
            self._exclude(drawing)
            return drawing
        return None

    def _solve(self) -> bool:
        if self._budget.left <= 0:
            raise OutOfBudget
        before: int = self._solver.accum_stats()["conflicts"]
        self._solver.conf_budget(self._budget.left)
        found = self._solve_interruptibly()
        self._budget.spent += self._solver.accum_stats()["conflicts"] - before
        if found is None:
            raise OutOfBudget
        return found

    def _solve_interruptibly(self) -> bool | None:
        """Solve in a thread of its own, where python-sat would else take Ctrl-C for itself.

        Its handler jumps out of the solver wherever that is, which may leave a lock held for good.
        """
        mine = threading.current_thread() is threading.main_thread()
        if not mine or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
            return self._answer()
        with ThreadPoolExecutor(1) as asked:
            answer = asked.submit(self._answer)
            try:
                return answer.result()
            except KeyboardInterrupt:
                self._solver.interrupt()
                raise

    def _answer(self) -> bool | None:
        found: bool | None = self._solver.solve_limited(expect_interrupt=True)
        return found

    def _exclude(self, steps: Collection[Edge]) -> None:
        """Forbid these edges together; that is enough, as no drawing contains another's paths."""
        self._solver.add_clause([-self._variable[step] for step in steps])

    def _clauses(self) -> Iterator[list[int]]:
        for cell in self._puzzle.grid.free_cells:
            yield from self._exit_clauses(cell)
        yield from self._label_clauses()
        yield from self._square_clauses()

    def _exit_clauses(self, cell: Cell) -> Iterator[list[int]]:
        """Demand one edge at an endpoint; elsewhere two, or none where squares may stay empty."""
        around = [self._variable[edge(cell, other)] for other in self._puzzle.grid.neighbours[cell]]
        numbered = cell in self._puzzle.number_at
        need = 1 if numbered else 2
        if numbered or self._covers:
            # Any len - need + 1 of them hold a drawn one; with too few edges: the empty clause,
            # which python-sat does not take, so a contradiction instead.
            if len(around) < need:
                yield from ([1], [-1])
                return
            yield from (list(some) for some in combinations(around, len(around) - need + 1))
        else:
            yield from ([-v, *(other for other in around if other != v)] for v in around)
        yield from ([-v for v in some] for some in combinations(around, need + 1))

    def _label_clauses(self) -> Iterator[list[int]]:
        pairs = self._puzzle.pairs
        width = (len(pairs) - 1).bit_length()
        first = len(self._variable) + 1
        label = {pair.number: place for place, pair in enumerate(pairs)}

        def bit(cell: Cell, place: int) -> int:
            return first + cell * width + place

        for cell, number in self._puzzle.number_at.items():
            for place in range(width):
                yield [bit(cell, place) if label[number] >> place & 1 else -bit(cell, place)]
        for (a, b), v in self._variable.items():
            for place in range(width):
                yield [-v, -bit(a, place), bit(b, place)]
                yield [-v, bit(a, place), -bit(b, place)]
        if self._kind is DrawingKind.UNTOUCHING:
            yield from self._apart_clauses(first + self._puzzle.grid.size * width, width, bit)

    def _apart_clauses(self, free: int, width: int, bit: Callable[[Cell, int], int]) -> Iterator[list[int]]:
        """Demand that neighbours which no edge joins differ in a bit; ``free`` is the first new variable."""
        for (a, b), v in self._variable.items():
            differs = range(free, free + width)
            free += width
            yield [v, *differs]
            for place, d in enumerate(differs):
                yield [-d, bit(a, place), bit(b, place)]
                yield [-d, -bit(a, place), -bit(b, place)]

    def _square_clauses(self) -> Iterator[list[int]]:
        """Forbid four edges of a 2 × 2 square, and three where turns are left out."""
        cols = self._puzzle.grid.cols
        most = 4 if self._kind in (DrawingKind.FILLING, DrawingKind.ANY) else 3
        for cell in self._puzzle.grid.free_cells:
            below = cell + cols
            around = ((cell, cell + 1), (below, below + 1), (cell, below), (cell + 1, below + 1))
            square = [self._variable[step] for step in around if step in self._variable]
            if cell % cols < cols - 1 and len(square) >= most:
                yield from ([-v for v in some] for some in combinations(square, most))


def _take_loops(drawn: set[Edge], ends: Collection[Cell]) -> Iterator[Drawing]:
    """Remove the closed loops from a drawing, in place, and yield them."""
    around: dict[Cell, list[Cell]] = {}
    for a, b in sorted(drawn):
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    seen = {cell for end in sorted(ends) for cell in _reach(end, around)}
    for start in around:
        if start not in seen:
            loop = _reach(start, around)
            seen |= loop
            steps = frozenset(step for step in drawn if step[0] in loop)
            drawn -= steps
            yield steps


def _reach(start: Cell, around: dict[Cell, list[Cell]]) -> set[Cell]:
    reached, waiting = {start}, [start]
    while waiting:
        for cell in around.get(waiting.pop(), ()):
            if cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return reached
