"""The forms in which puzzles and solutions are written."""

from __future__ import annotations

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation import Form, article_table, ascii_drawing, link_text, puzz_link
from linkpress.puzzle.puzzle import Puzzle, Solution


def write_puzzle(puzzle: Puzzle, form: Form) -> str:
    """A puzzle in one of the forms.

    Args:
        puzzle: any.
        form: every form can be read again by ``read_puzzles``.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the form can't hold the puzzle: solids in an address, numbers above 61 in the
            compact form; says which forms can.
    """
    match form:
        case Form.LINK:
            return link_text.puzzle_text(puzzle)
        case Form.COMPACT:
            return link_text.compact_text(puzzle)
        case Form.ASCII:
            return ascii_drawing.draw_puzzle(puzzle)
        case Form.TABLE:
            return article_table.puzzle_table(puzzle)
        case Form.URL:
            return puzz_link.puzzle_url(puzzle) + "\n"


def write_solution(solution: Solution, form: Form) -> str:
    """A solution in one of the forms.

    Args:
        solution: a path that runs alongside itself can be read again from ``ASCII`` only.
        form: any but ``URL``.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the form can't hold the solution; says which forms can.
    """
    match form:
        case Form.LINK:
            return link_text.solution_text(solution)
        case Form.COMPACT:
            return link_text.compact_solution_text(solution)
        case Form.ASCII:
            return ascii_drawing.draw_solution(solution)
        case Form.TABLE:
            return article_table.solution_table(solution)
        case Form.URL:
            raise PuzzleError(
                "a puzz.link address holds a puzzle, not a solution; link text, compact link text, the ascii "
                "drawing and the table can hold one"
            )
