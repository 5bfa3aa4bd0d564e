"""The forms in which puzzles and solutions are written; each is loaded when it is asked for."""

from __future__ import annotations

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation import Form
from linkpress.puzzle.puzzle import Puzzle, Solution


def write_puzzle(puzzle: Puzzle, form: Form, *, filled: bool = False) -> str:
    """A puzzle in one of the forms.

    Args:
        puzzle: any.
        form: every form can be read again by ``read_puzzles``.
        filled: whether players that know both rules shall ask for every square to be covered.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the form can't hold the puzzle: solids in those of puzz.link, numbers above 61 in
            the compact form; says which forms can.
    """
    match form:
        case Form.LINK:
            from linkpress.puzzle.notation.link_text import puzzle_text

            return puzzle_text(puzzle)
        case Form.COMPACT:
            from linkpress.puzzle.notation.link_text import compact_text

            return compact_text(puzzle)
        case Form.ASCII:
            from linkpress.puzzle.notation.ascii_drawing import draw_puzzle

            return draw_puzzle(puzzle)
        case Form.TABLE:
            from linkpress.puzzle.notation.article_table import puzzle_table

            return puzzle_table(puzzle)
        case Form.URL:
            from linkpress.puzzle.notation.puzz_link import puzzle_url

            return puzzle_url(puzzle, filled=filled) + "\n"
        case Form.PZPRV3:
            from linkpress.puzzle.notation.pzprv3 import puzzle_file

            return puzzle_file(puzzle, filled=filled)
        case Form.PENPA:
            from linkpress.puzzle.notation.penpa import puzzle_address

            return puzzle_address(puzzle) + "\n"


def write_solution(solution: Solution, form: Form) -> str:
    """A solution in one of the forms.

    Args:
        solution: a path that runs alongside itself can be read again from ``ASCII``, ``PZPRV3`` and
            ``PENPA`` only.
        form: any but ``URL``.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the form can't hold the solution; says which forms can.
    """
    match form:
        case Form.LINK:
            from linkpress.puzzle.notation.link_text import solution_text

            return solution_text(solution)
        case Form.COMPACT:
            from linkpress.puzzle.notation.link_text import compact_solution_text

            return compact_solution_text(solution)
        case Form.ASCII:
            from linkpress.puzzle.notation.ascii_drawing import draw_solution

            return draw_solution(solution)
        case Form.TABLE:
            from linkpress.puzzle.notation.article_table import solution_table

            return solution_table(solution)
        case Form.URL:
            raise PuzzleError(
                "a puzz.link address holds a puzzle, not a solution; link text, compact link text, the ascii "
                "drawing, the table, pzprv3 and Penpa+ can hold one"
            )
        case Form.PZPRV3:
            from linkpress.puzzle.notation.pzprv3 import solution_file

            return solution_file(solution)
        case Form.PENPA:
            from linkpress.puzzle.notation.penpa import solution_address

            return solution_address(solution) + "\n"
