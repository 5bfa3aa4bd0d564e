"""The forms in which puzzles and solutions are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation import Form, article_table, ascii_drawing, link_text, puzz_link
from linkpress.puzzle.puzzle import Puzzle, Solution

_PUZZLE_WRITERS: Mapping[Form, Callable[[Puzzle], str]] = {
    Form.LINK: link_text.puzzle_text,
    Form.COMPACT: link_text.compact_text,
    Form.ASCII: ascii_drawing.draw_puzzle,
    Form.TABLE: article_table.puzzle_table,
    Form.URL: lambda puzzle: f"{puzz_link.puzzle_url(puzzle)}\n",
}
_SOLUTION_WRITERS: Mapping[Form, Callable[[Solution], str]] = {
    Form.LINK: link_text.solution_text,
    Form.COMPACT: link_text.compact_solution_text,
    Form.ASCII: ascii_drawing.draw_solution,
    Form.TABLE: article_table.solution_table,
}


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
    return _PUZZLE_WRITERS[form](puzzle)


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
    if form is Form.URL:
        raise PuzzleError(
            "a puzz.link address holds a puzzle, not a solution; link text, compact link text, the ascii "
            "drawing and the table can hold one"
        )
    return _SOLUTION_WRITERS[form](solution)
