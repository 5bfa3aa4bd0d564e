"""A second opinion on boards: how many drawings there are, told by python-sat and by nothing of the engine.

Only the board itself (``Puzzle``) and the names of the rules come from linkpress; the encoding, the search
and the check of a filling are written here once more, and the solver is another one, so that the engine does
not vouch for itself.
"""

from concurrent.futures import ProcessPoolExecutor
from enum import StrEnum
from functools import partial
from itertools import combinations, pairwise
from multiprocessing import get_context

from pysat.solvers import Solver

from linkpress.engine.recipe import Rule

BUDGET = 300_000  # conflicts allowed to one search


class Verdict(StrEnum):
    """How many drawings a board has."""

    NONE = "none"
    UNIQUE = "unique"
    MULTIPLE = "multiple"
    GAPPED = "gapped"  # one drawing, which leaves squares empty: programs differ in what they call it


def judge(puzzle, rule, budget=BUDGET):
    """How many drawings a board has, or None when the conflicts allowed are spent.

    Under the strict rule a path that turns straight back can be shortened, so that drawings without such
    turns are enough to tell none and a whole single one; a gapped one is looked at again with them.
    """
    variable = {edge: n for n, edge in enumerate(puzzle.grid.edges, start=1)}
    clauses = _clauses(puzzle, rule, variable)
    found = None
    if rule is Rule.STRICT:
        found = _two_drawings(puzzle, rule, variable, [*clauses, *_no_turns_back(puzzle, variable)], budget)
    if rule is not Rule.STRICT or (found is not None and [_is_whole(puzzle, p) for p in found] == [False]):
        found = _two_drawings(puzzle, rule, variable, clauses, budget)
    if found is None:
        return None
    if len(found) != 1:
        return Verdict.MULTIPLE if found else Verdict.NONE
    return Verdict.UNIQUE if _is_whole(puzzle, found[0]) else Verdict.GAPPED


def _is_whole(puzzle, paths):
    return len(paths) + len(puzzle.pairs) == len(puzzle.grid.free_cells)


def _two_drawings(puzzle, rule, variable, clauses, budget):
    """At most two drawings that satisfy the clauses, or None when the conflicts allowed are spent."""
    found = []
    with Solver(name="cadical195", bootstrap_with=clauses) as solver:
        while len(found) < 2:
            solver.conf_budget(budget)
            solved = solver.solve_limited()
            if solved is None:
                return None
            if not solved:
                break
            model = solver.get_model()
            paths, loops = _paths_and_loops(
                puzzle, [edge for edge, n in variable.items() if model[n - 1] > 0]
            )
            if loops and rule is not Rule.STRICT:
                solver.append_formula([[-variable[edge] for edge in loop] for loop in loops])
            else:  # under the strict rule a loop is no part of the drawing
                found.append(paths)
                solver.add_clause([-variable[edge] for edge in paths])
    return found


def judge_all(puzzles, rule):
    """What the judge says of each board."""
    return on_all_cores(partial(judge, rule=rule), puzzles)


def on_all_cores(work, items):
    """What the work gives for each item; nothing is measured meanwhile."""
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
        return list(pool.map(work, items))


def _clauses(puzzle, rule, variable):
    """Degrees, and along each edge one label: the pair's place as a binary number."""
    width = max(1, (len(puzzle.pairs) - 1).bit_length())
    top = len(variable)
    bits = {
        cell: range(top + 1 + n * width, top + 1 + (n + 1) * width)
        for n, cell in enumerate(puzzle.grid.free_cells)
    }
    top += width * len(bits)
    clauses = []
    for cell in bits:
        around = [variable[min(cell, other), max(cell, other)] for other in puzzle.grid.neighbours[cell]]
        clauses += _degrees(around, 1 if cell in puzzle.number_at else 2, rule)
    for place, pair in enumerate(puzzle.pairs):
        for cell in (pair.first, pair.second):
            clauses += [[bit if place >> k & 1 else -bit] for k, bit in enumerate(bits[cell])]
    for (a, b), step in variable.items():
        clauses += [
            c for p, q in zip(bits[a], bits[b], strict=True) for c in ([-step, -p, q], [-step, p, -q])
        ]
        if rule is Rule.UNTOUCHING:  # neighbours that no edge joins differ in some bit
            differs = range(top + 1, top + 1 + width)
            top += width
            clauses.append([step, *differs])
            for d, p, q in zip(differs, bits[a], bits[b], strict=True):
                clauses += [[-d, p, q], [-d, -p, -q]]
    return clauses


def _no_turns_back(puzzle, variable):
    """No three edges of a square of four."""
    cols = puzzle.grid.cols
    for cell in puzzle.grid.free_cells:
        right, below, across = cell + 1, cell + cols, cell + cols + 1
        around = [(cell, right), (cell, below), (right, across), (below, across)]
        sides = [variable[edge] for edge in around if edge in variable]
        yield from ([-side for side in three] for three in combinations(sides, 3))


def _degrees(around, wanted, rule):
    """A square's edges: as many as wanted or, under the strict rule, none at an unnumbered square."""
    yield from ([-step for step in some] for some in combinations(around, wanted + 1))
    if rule is Rule.STRICT and wanted == 2:
        yield from ([-step, *(other for other in around if other != step)] for step in around)
    else:
        yield from (list(some) for some in combinations(around, len(around) - wanted + 1))


def _paths_and_loops(puzzle, drawn):
    around = {}
    for a, b in drawn:
        around.setdefault(a, []).append(b)
        around.setdefault(b, []).append(a)
    paths = [edge for pair in puzzle.pairs for edge in _edges(_walk(pair.first, around))]
    loops = []
    while around:
        cells = _walk(next(iter(around)), around)
        loops.append(_edges([*cells, cells[0]]))
    return paths, loops


def _walk(cell, around):
    """The squares from one on, as far as the drawing leads, taken out of it."""
    way = [cell]
    while ahead := [other for other in around.pop(way[-1]) if other in around]:
        way.append(ahead[0])
    return way


def _edges(way):
    return [(min(a, b), max(a, b)) for a, b in pairwise(way)]


def is_filling(puzzle, marks):
    """Whether marks, one a square, are an untouching filling: each pair's path has a mark of its own."""
    neighbours, numbers = puzzle.grid.neighbours, puzzle.number_at
    for cell in puzzle.grid.free_cells:
        alike = sum(marks[other] == marks[cell] for other in neighbours[cell])
        if alike != (1 if cell in numbers else 2):
            return False
    reached = set()
    for pair in puzzle.pairs:
        cell, before = pair.first, -1
        while cell not in reached:
            reached.add(cell)
            ahead = [o for o in neighbours[cell] if marks[o] == marks[cell] and o != before]
            cell, before = (ahead[0], cell) if ahead else (cell, before)
        if cell != pair.second:
            return False
    return len(reached) == len(puzzle.grid.free_cells)
