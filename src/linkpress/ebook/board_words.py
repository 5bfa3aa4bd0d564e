"""Boards in words, for those who don't see their drawings: every square that a drawing shows is named."""

from __future__ import annotations

from linkpress.puzzle.puzzle import Puzzle, Solution, turning_cells
from linkpress.words.wording import Words


def board_in_words(puzzle: Puzzle, solution: Solution | None, words: Words, number: int | None = None) -> str:
    """Say where the numbers and solid squares are; of a solution, how its lines run from turn to turn.

    Args:
        number: of the puzzle, which then stands before it with its size.
    """
    name, grid = puzzle.grid.name, puzzle.grid
    if solution is None:
        parts = [f"{pair.number}: {name(pair.first)} {name(pair.second)}" for pair in puzzle.pairs]
        if grid.solids:
            parts.append(f"{words.player.cell_solid}: {' '.join(map(name, sorted(grid.solids)))}")
    else:
        parts = []
        for path in solution.paths:
            stops = (path.cells[0], *turning_cells(path.cells), path.cells[-1])
            parts.append(f"{path.number}: {'–'.join(map(name, stops))}")
    heading = ""
    if number is not None:
        size = {"cols": str(grid.cols), "rows": str(grid.rows)}
        heading = words.say(words.player.board, number=str(number), **size) + ". "
    return heading + "; ".join(parts)
