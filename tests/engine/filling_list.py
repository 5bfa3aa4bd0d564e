"""All fillings of a small board, by deciding edges in reading order: plain, independent of the ladder."""

from collections.abc import Iterator
from random import Random

from linkpress.errors import PuzzleError
from linkpress.puzzle.grid import Cell, Edge, Grid
from linkpress.puzzle.puzzle import Pair, Puzzle, Solution
from linkpress.puzzle.rules import check_drawing
from strategies import filling, random_cover


def fillings(puzzle: Puzzle) -> list[Solution]:
    """Every drawing that covers all free squares and breaks no rule."""
    need = {cell: 1 if cell in puzzle.number_at else 2 for cell in puzzle.grid.free_cells}
    drawings = _drawings(puzzle.grid.edges, 0, need, [])
    return [Solution.from_edges(puzzle, drawn) for drawn in drawings if not check_drawing(puzzle, drawn)]


def _drawings(
    edges: tuple[Edge, ...], at: int, need: dict[Cell, int], drawn: list[Edge]
) -> Iterator[tuple[Edge, ...]]:
    """Every edge set in which each square has as many edges as it needs."""
    before = edges[at][0] if at < len(edges) else max(need) + 1
    if at and any(need.get(cell, 0) for cell in range(edges[at - 1][0], before)):
        return
    if at == len(edges):
        yield tuple(drawn)
        return
    one, other = edges[at]
    yield from _drawings(edges, at + 1, need, drawn)
    if need[one] and need[other]:
        need[one] -= 1
        need[other] -= 1
        drawn.append(edges[at])
        yield from _drawings(edges, at + 1, need, drawn)
        drawn.pop()
        need[one] += 1
        need[other] += 1


def small_board(rng: Random) -> Puzzle:
    """A random board of 3 × 4 to 4 × 5: a third of them numbered at random, mostly without a filling."""
    rows, cols = rng.choice(((3, 4), (4, 3), (4, 4), (4, 5), (5, 4), (3, 6)))
    if rng.random() < 1 / 3:
        return _scattered(rng, rows, cols)
    while True:
        paths = [path for path in random_cover(rng, rows, cols, rng.random() < 0.5) if len(path) > 1]
        try:
            return filling(rows, cols, dict(enumerate(paths, 1))).puzzle
        except PuzzleError:
            continue


def _scattered(rng: Random, rows: int, cols: int) -> Puzzle:
    cells = rng.sample(range(rows * cols), rows * cols)
    solids = rng.choice((0, 0, 1, 2))
    pairs = rng.randint(1, 4)
    ends = [sorted(cells[solids + 2 * at : solids + 2 * at + 2]) for at in range(pairs)]
    grid = Grid(rows, cols, frozenset(cells[:solids]))
    return Puzzle(grid, tuple(Pair(at + 1, a, b) for at, (a, b) in enumerate(ends)))
