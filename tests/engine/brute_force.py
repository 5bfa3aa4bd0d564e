"""Drawings and fillings counted by walking every path: slow, plain, independent of the engine."""

from collections import defaultdict
from itertools import combinations, pairwise

from linkpress.engine.prove.proof import Verdict
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Pair, Puzzle, Solution, edge
from linkpress.puzzle.symmetry import fingerprint

Cover = tuple[tuple[Cell, ...], ...]


def drawings(puzzle):
    """Every way of joining all pairs by disjoint simple paths; squares may stay empty."""
    yield from _join(puzzle, 0, set(puzzle.number_at), ())


def _join(puzzle, place, taken, done):
    if place == len(puzzle.pairs):
        yield done
        return
    pair = puzzle.pairs[place]
    for path in _paths(puzzle, (pair.first,), pair.second, taken):
        yield from _join(puzzle, place + 1, taken | set(path), (*done, path))


def _paths(puzzle, path, end, taken):
    for cell in puzzle.grid.neighbours[path[-1]]:
        if cell == end:
            yield (*path, end)
        elif cell not in taken and cell not in path:
            yield from _paths(puzzle, (*path, cell), end, taken)


def verdict(puzzle, rule):
    """What a proof must say, from counting."""
    fillings = others = 0
    for cover in drawings(puzzle):
        if rule is Rule.UNTOUCHING and _touches(puzzle, cover):
            continue
        if _fills(puzzle, cover):
            fillings += 1
        else:
            others += 1
        if fillings > 1 or (rule is Rule.STRICT and fillings + others > 1):
            return Verdict.MULTIPLE
    return Verdict.UNIQUE if fillings else Verdict.NONE


def _fills(puzzle, cover):
    return sum(map(len, cover)) == len(puzzle.grid.free_cells)


def touches_itself(drawing):
    """Whether a path of a drawing runs beside itself."""
    return _touches(drawing.puzzle, tuple(path.cells for path in drawing.paths))


def _touches(puzzle, cover):
    """Whether two squares of one path are neighbours, and the path does not join them."""
    joined = {edge(a, b) for path in cover for a, b in pairwise(path)}
    return any(
        edge(cell, other) not in joined
        for path in cover
        for cell in path
        for other in puzzle.grid.neighbours[cell]
        if other in path
    )


def fillings(puzzle):
    """Every drawing that covers all free squares."""
    found = [cover for cover in drawings(puzzle) if _fills(puzzle, cover)]
    steps = [[edge(a, b) for path in cover for a, b in pairwise(path)] for cover in found]
    return [Solution.from_edges(puzzle, drawn) for drawn in steps]


def filled_boards(rows, cols, solids=0, most_pairs=3):
    """Every board with so many solids and a filling, one of each that turn or mirror into each other."""
    met = set[str]()
    for holes in combinations(range(rows * cols), solids):
        grid = Grid(rows, cols, frozenset(holes))
        drawings = defaultdict[tuple[tuple[Cell, Cell], ...], list[tuple[Edge, ...]]](list)
        for drawn in _covers(grid, most_pairs):
            drawings[_ends_of(drawn)].append(drawn)
        for ends, found in drawings.items():
            puzzle = Puzzle(grid, tuple(Pair(number, *pair) for number, pair in enumerate(ends, start=1)))
            name = fingerprint(puzzle)
            if name not in met:
                met.add(name)
                yield puzzle, [Solution.from_edges(puzzle, drawn) for drawn in found]


def _covers(grid, most_paths):
    """Every set of at most so many paths, of two squares or more each, that covers all free squares."""
    fewest = len(grid.free_cells) - most_paths
    ways = {cell: sum(cell in edge for edge in grid.edges) for cell in grid.free_cells}
    used, far = dict.fromkeys(grid.free_cells, 0), {cell: cell for cell in grid.free_cells}
    drawn = []

    def decide(index):
        if len(drawn) + len(grid.edges) - index < fewest:
            return
        if index == len(grid.edges):
            yield tuple(drawn)
            return
        one, other = grid.edges[index]
        ways[one] -= 1
        ways[other] -= 1
        if used[one] + ways[one] and used[other] + ways[other]:
            yield from decide(index + 1)
        if used[one] < 2 and used[other] < 2 and far[one] != other:
            first, last = far[one], far[other]
            used[one] += 1
            used[other] += 1
            far[first], far[last] = last, first
            drawn.append((one, other))
            yield from decide(index + 1)
            drawn.pop()
            far[first], far[last] = one, other
            used[one] -= 1
            used[other] -= 1
        ways[one] += 1
        ways[other] += 1

    if all(ways.values()):
        yield from decide(0)


def _ends_of(drawn):
    """The pairs of squares that paths begin and end at, in order."""
    around = defaultdict[Cell, list[Cell]](list)
    for one, other in drawn:
        around[one].append(other)
        around[other].append(one)
    pairs = set()
    for begin in (cell for cell, beside in around.items() if len(beside) == 1):
        before, cell = begin, around[begin][0]
        while len(around[cell]) == 2:
            before, cell = cell, sum(around[cell]) - before
        pairs.add((min(begin, cell), max(begin, cell)))
    return tuple(sorted(pairs))
