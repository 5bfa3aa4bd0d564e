"""A second way to count drawings, with python-sat and an encoding of its own: it judges the engine's search.

A drawing is one variable for each edge, and ⌈log2 pairs⌉ label bits for each cell, equal on both sides of a
drawn edge. Closed loops are excluded when they turn up if every cell must be covered; else they are erased.
"""

from itertools import combinations

from pysat.solvers import Solver

from linkpress.engine.proof import Verdict
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Solution, edge


class SatSearch:
    """Find one drawing after the other, each different from those before; a context manager.

    Args:
        covers: whether every cell must be covered.
        may_touch: whether a path may touch itself.
        known: drawings, as sets of edges, that must not be found.
    """

    def __init__(self, puzzle, *, covers, may_touch, known=()):
        self._puzzle, self._covers, self._may_touch = puzzle, covers, may_touch
        self._variable = {step: n for n, step in enumerate(puzzle.grid.edges, start=1)}
        self._solver = Solver(name="glucose4", bootstrap_with=list(self._clauses()))
        for drawing in known:
            self._exclude(drawing)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self._solver.delete()

    def find(self):
        """The edges of one more drawing; None if there is none."""
        while self._solver.solve():
            model = self._solver.get_model()
            drawn = {step for step, v in self._variable.items() if model[v - 1] > 0}
            loops = list(_remove_loops(drawn, self._puzzle.number_at))
            if not (self._covers and loops):
                self._exclude(drawn)
                return frozenset(drawn)
            for loop in loops:
                self._exclude(loop)
        return None

    def _exclude(self, steps):
        """Forbid these edges together. No drawing contains all edges of another, so no other is excluded."""
        self._solver.add_clause([-self._variable[step] for step in steps])

    def _clauses(self):
        for cell in self._puzzle.grid.free_cells:
            yield from self._edge_clauses(cell)
        yield from self._label_clauses()
        yield from self._square_clauses()

    def _edge_clauses(self, cell):
        """One edge at a number; two edges elsewhere, or none if cells may stay empty."""
        around = [self._variable[edge(cell, other)] for other in self._puzzle.grid.neighbours[cell]]
        numbered = cell in self._puzzle.number_at
        need = 1 if numbered else 2
        if numbered or self._covers:
            if len(around) < need:
                yield from ([1], [-1])  # python-sat takes no empty clause
                return
            yield from (list(some) for some in combinations(around, len(around) - need + 1))
        else:
            yield from ([-v, *(other for other in around if other != v)] for v in around)
        yield from ([-v for v in some] for some in combinations(around, need + 1))

    def _label_clauses(self):
        pairs, size = self._puzzle.pairs, self._puzzle.grid.size
        width = (len(pairs) - 1).bit_length()
        first = len(self._variable) + 1

        def bit(cell, place):
            return first + cell * width + place

        label = {pair.number: place for place, pair in enumerate(pairs)}
        for cell, number in self._puzzle.number_at.items():
            for place in range(width):
                yield [bit(cell, place) if label[number] >> place & 1 else -bit(cell, place)]
        free = first + size * width
        for (a, b), v in self._variable.items():
            for place in range(width):
                yield [-v, -bit(a, place), bit(b, place)]
                yield [-v, bit(a, place), -bit(b, place)]
            if not self._may_touch and self._covers:  # neighbours without an edge have different labels
                differs = range(free, free + width)
                free += width
                yield [v, *differs]
                for place, d in enumerate(differs):
                    yield [-d, bit(a, place), bit(b, place)]
                    yield [-d, -bit(a, place), -bit(b, place)]

    def _square_clauses(self):
        """Forbid four edges of a 2 × 2 square, or three if paths must not touch themselves."""
        cols = self._puzzle.grid.cols
        most = 4 if self._may_touch else 3
        for cell in self._puzzle.grid.free_cells:
            below = cell + cols
            around = ((cell, cell + 1), (below, below + 1), (cell, below), (cell + 1, below + 1))
            square = [self._variable[step] for step in around if step in self._variable]
            if cell % cols < cols - 1 and len(square) >= most:
                yield from ([-v for v in some] for some in combinations(square, most))


def judge_by_sat(puzzle, rule):
    """The verdict under a rule, and the drawings that it rests on.

    Under strict it is enough to count drawings without three edges of a 2 × 2 square: any other one can be
    cut short. If there is a single one and it leaves cells empty, any other drawing is looked for.
    """
    ruleset, found = ruleset_of(rule), []
    may_touch = rule is Rule.FILLED
    with SatSearch(puzzle, covers=ruleset.covers, may_touch=may_touch) as search:
        while len(found) < 2 and (drawing := search.find()) is not None:
            found.append(_solution_of(puzzle, drawing))
    if not ruleset.covers and len(found) == 1 and not found[0].fills:
        with SatSearch(puzzle, covers=False, may_touch=True, known=[found[0].edges]) as search:
            if (drawing := search.find()) is not None:
                found.append(_solution_of(puzzle, drawing))
    if len(found) == 2:
        return Verdict.MULTIPLE, found
    return Verdict.UNIQUE if found and found[0].fills else Verdict.NONE, found


def _solution_of(puzzle, edges):
    """Make a solution from the edges that the solver returned, and check that they are its paths alone."""
    solution = Solution.from_edges(puzzle, edges)
    squares = sum(len(path.cells) for path in solution.paths)
    assert squares - len(solution.paths) == len(edges)
    assert squares == len(solution.number_of)
    return solution


def _remove_loops(drawn, ends):
    """Remove the closed loops from a drawing, in place, and yield them."""
    around = {}
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


def _reach(start, around):
    reached, waiting = {start}, [start]
    while waiting:
        for cell in around.get(waiting.pop(), ()):
            if cell not in reached:
                reached.add(cell)
                waiting.append(cell)
    return reached
