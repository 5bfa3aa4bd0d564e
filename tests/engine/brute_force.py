"""Count drawings by trying every path: slow, simple, and independent of the engine.

A drawing joins all pairs by disjoint paths. A filling is a drawing that covers every free square.
"""

from collections import defaultdict
from itertools import combinations, pairwise

from linkpress.engine.proof import Verdict
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Cell, Edge, Grid, Pair, Puzzle, Solution, edge
from linkpress.puzzle.symmetry import fingerprint


def drawings(puzzle):
    """Yield every drawing of a puzzle, as the cells of its paths in the order of the pairs."""
    yield from _join(puzzle, 0, set(puzzle.number_at), ())


def _join(puzzle, index, used, paths):
    if index == len(puzzle.pairs):
        yield paths
        return
    pair = puzzle.pairs[index]
    for path in _paths(puzzle, (pair.first,), pair.second, used):
        yield from _join(puzzle, index + 1, used | set(path), (*paths, path))


def _paths(puzzle, path, end, used):
    for cell in puzzle.grid.neighbours[path[-1]]:
        if cell == end:
            yield (*path, end)
        elif cell not in used and cell not in path:
            yield from _paths(puzzle, (*path, cell), end, used)


def verdict(puzzle, rule):
    """Return the verdict that a proof must have under a rule."""
    filling_count = other_count = 0
    for paths in drawings(puzzle):
        if rule is Rule.UNTOUCHING and _touches(puzzle, paths):
            continue
        filling_count += _fills(puzzle, paths)
        other_count += not _fills(puzzle, paths)
        if filling_count > 1 or (rule is Rule.STRICT and filling_count + other_count > 1):
            return Verdict.MULTIPLE
    return Verdict.UNIQUE if filling_count else Verdict.NONE


def _fills(puzzle, paths):
    return sum(map(len, paths)) == len(puzzle.grid.free_cells)


def touches_itself(drawing):
    return _touches(drawing.puzzle, [path.cells for path in drawing.paths])


def _touches(puzzle, paths):
    """Return whether two squares of one path are neighbours although the path does not join them."""
    neighbours = puzzle.grid.neighbours
    return any(
        sum(other in path for cell in path for other in neighbours[cell]) > 2 * len(path) - 2
        for path in paths
    )


def fillings(puzzle):
    """List every filling of a puzzle."""
    return [
        Solution.from_edges(puzzle, [edge(a, b) for path in paths for a, b in pairwise(path)])
        for paths in drawings(puzzle)
        if _fills(puzzle, paths)
    ]


def filled_boards(rows, cols, solids=0, most_pairs=3):
    """Yield every board that has a filling, with all its fillings.

    Of boards that are rotations or reflections of each other, only one is yielded.

    Args:
        solids: the number of solids.
        most_pairs: the largest number of pairs.
    """
    seen = set[str]()
    for solid_cells in combinations(range(rows * cols), solids):
        grid = Grid(rows, cols, frozenset(solid_cells))
        edges_by_ends = defaultdict[tuple[tuple[Cell, Cell], ...], list[tuple[Edge, ...]]](list)
        for edges in _covers(grid, most_pairs):
            edges_by_ends[_ends_of(edges)].append(edges)
        for ends, covers in edges_by_ends.items():
            puzzle = Puzzle(grid, tuple(Pair(number, *pair) for number, pair in enumerate(ends, start=1)))
            if fingerprint(puzzle) not in seen:
                seen.add(fingerprint(puzzle))
                yield puzzle, [Solution.from_edges(puzzle, edges) for edges in covers]


def _covers(grid, most_paths):
    """Yield, as their edges, all sets of paths of at least two squares that cover every free square."""
    fewest_edges = len(grid.free_cells) - most_paths
    open_edges = {cell: sum(cell in edge for edge in grid.edges) for cell in grid.free_cells}
    degree, other_end = dict.fromkeys(grid.free_cells, 0), {cell: cell for cell in grid.free_cells}
    drawn = []

    def decide(index):
        if len(drawn) + len(grid.edges) - index < fewest_edges:
            return
        if index == len(grid.edges):
            yield tuple(drawn)
            return
        one, other = grid.edges[index]
        open_edges[one] -= 1
        open_edges[other] -= 1
        if degree[one] + open_edges[one] and degree[other] + open_edges[other]:
            yield from decide(index + 1)
        if degree[one] < 2 and degree[other] < 2 and other_end[one] != other:
            first, last = other_end[one], other_end[other]
            degree[one] += 1
            degree[other] += 1
            other_end[first], other_end[last] = last, first
            drawn.append((one, other))
            yield from decide(index + 1)
            drawn.pop()
            other_end[first], other_end[last] = one, other
            degree[one] -= 1
            degree[other] -= 1
        open_edges[one] += 1
        open_edges[other] += 1

    if all(open_edges.values()):
        yield from decide(0)


def _ends_of(edges):
    """Return the two ends of each path that these edges form, in rising order."""
    neighbours = defaultdict[Cell, list[Cell]](list)
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    pairs = set()
    for start in (cell for cell, joined in neighbours.items() if len(joined) == 1):
        before, cell = start, neighbours[start][0]
        while len(neighbours[cell]) == 2:
            before, cell = cell, sum(neighbours[cell]) - before
        pairs.add((min(start, cell), max(start, cell)))
    return tuple(sorted(pairs))
