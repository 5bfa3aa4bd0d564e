"""Boards in words, for those who don't see their drawings: every square that a drawing shows is named."""

from __future__ import annotations

from linkpress.puzzle.grid import turning_cells
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words.wording import Words


def heading_in_words(number: int, puzzle: Puzzle, words: Words) -> str:
    """Give a board's number and size, as they stand before its squares."""
    size = {"cols": str(puzzle.grid.cols), "rows": str(puzzle.grid.rows)}
    return words.say(words.player.board, number=str(number), **size) + ". "


def puzzle_in_words(puzzle: Puzzle, words: Words) -> str:
    """Say where the numbers are, and the solid squares."""
    name = puzzle.grid.name
    parts = [f"{pair.number}: {name(pair.first)} {name(pair.second)}" for pair in puzzle.pairs]
    if puzzle.grid.solids:
        solids = " ".join(map(name, sorted(puzzle.grid.solids)))
        parts.append(f"{words.player.cell_solid}: {solids}")
    return "; ".join(parts)


def solution_in_words(solution: Solution) -> str:
    """Say how the lines run, from turn to turn."""
    name, parts = solution.puzzle.grid.name, []
    for path in solution.paths:
        stops = (path.cells[0], *turning_cells(path.cells), path.cells[-1])
        parts.append(f"{path.number}: {'–'.join(map(name, stops))}")
    return "; ".join(parts)
