"""Boards turned and mirrored, for whatever must not depend on how a board lies."""

from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle, Solution
from linkpress.puzzle.symmetry import cell_places


def turned_puzzle(puzzle, symmetry):
    """A puzzle turned or mirrored, by the index in ``SYMMETRIES``; its numbers stay."""
    grid = puzzle.grid
    place = cell_places(grid.rows, grid.cols, symmetry)
    lies_across = abs(place[1] - place[0]) == 1  # what were neighbours in a row are so still
    rows, cols = (grid.rows, grid.cols) if lies_across else (grid.cols, grid.rows)
    solids = frozenset(place[cell] for cell in grid.solids)
    pairs = tuple(
        Pair(pair.number, *sorted((place[pair.first], place[pair.second]))) for pair in puzzle.pairs
    )
    return Puzzle(Grid(rows, cols, solids), pairs)


def turned_solution(solution, symmetry):
    """A solution turned or mirrored with its puzzle; each path runs from its smaller end."""
    grid = solution.puzzle.grid
    place = cell_places(grid.rows, grid.cols, symmetry)
    paths = []
    for path in solution.paths:
        cells = tuple(place[cell] for cell in path.cells)
        paths.append(Path(path.number, cells if cells[0] < cells[-1] else cells[::-1]))
    return Solution(turned_puzzle(solution.puzzle, symmetry), tuple(paths))
