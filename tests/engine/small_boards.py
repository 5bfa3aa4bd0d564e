"""All boards of a size that have a filling, with all their fillings: plain, independent of the engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from linkpress.puzzle.grid import Cell, Edge, Grid
from linkpress.puzzle.puzzle import Pair, Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint


def filled_boards(
    rows: int, cols: int, solids: int = 0, most_pairs: int = 3
) -> Iterator[tuple[Puzzle, list[Solution]]]:
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


def _covers(grid: Grid, most_paths: int) -> Iterator[tuple[Edge, ...]]:
    """Every set of at most so many paths, of two squares or more each, that covers all free squares."""
    fewest = len(grid.free_cells) - most_paths
    ways = {cell: sum(cell in edge for edge in grid.edges) for cell in grid.free_cells}
    used, far = dict.fromkeys(grid.free_cells, 0), {cell: cell for cell in grid.free_cells}
    drawn: list[Edge] = []

    def decide(at: int) -> Iterator[tuple[Edge, ...]]:
        if len(drawn) + len(grid.edges) - at < fewest:
            return
        if at == len(grid.edges):
            yield tuple(drawn)
            return
        one, other = grid.edges[at]
        ways[one] -= 1
        ways[other] -= 1
        if used[one] + ways[one] and used[other] + ways[other]:
            yield from decide(at + 1)
        if used[one] < 2 and used[other] < 2 and far[one] != other:
            first, last = far[one], far[other]
            used[one] += 1
            used[other] += 1
            far[first], far[last] = last, first
            drawn.append((one, other))
            yield from decide(at + 1)
            drawn.pop()
            far[first], far[last] = one, other
            used[one] -= 1
            used[other] -= 1
        ways[one] += 1
        ways[other] += 1

    if all(ways.values()):
        yield from decide(0)


def _ends_of(drawn: tuple[Edge, ...]) -> tuple[tuple[Cell, Cell], ...]:
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
