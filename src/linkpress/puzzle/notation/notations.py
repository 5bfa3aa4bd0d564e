"""The forms in which puzzles and solutions are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation import (
    Notation,
    article_table,
    ascii_drawing,
    link_text,
    penpa,
    puzz_link,
    pzprv3,
)
from linkpress.puzzle.puzzle import Puzzle, Solution

_PUZZLE_WRITERS: Mapping[Notation, Callable[[Puzzle], str]] = {
    Notation.LINK: link_text.puzzle_text,
    Notation.COMPACT: link_text.compact_text,
    Notation.ASCII: ascii_drawing.draw_puzzle,
    Notation.TABLE: article_table.puzzle_table,
    Notation.PENPA: lambda puzzle: f"{penpa.puzzle_address(puzzle)}\n",
}
# Of players that know both rules.
_RULED_WRITERS: Mapping[Notation, Callable[[Puzzle, bool], str]] = {
    Notation.URL: lambda puzzle, filled: f"{puzz_link.puzzle_url(puzzle, filled=filled)}\n",
    Notation.PZPRV3: lambda puzzle, filled: pzprv3.puzzle_file(puzzle, filled=filled),
}
_SOLUTION_WRITERS: Mapping[Notation, Callable[[Solution], str]] = {
    Notation.LINK: link_text.solution_text,
    Notation.COMPACT: link_text.compact_solution_text,
    Notation.ASCII: ascii_drawing.draw_solution,
    Notation.TABLE: article_table.solution_table,
    Notation.PZPRV3: pzprv3.solution_file,
    Notation.PENPA: lambda solution: f"{penpa.solution_address(solution)}\n",
}


def write_puzzle(puzzle: Puzzle, form: Notation, *, filled: bool = False) -> str:
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
    if form in _RULED_WRITERS:
        return _RULED_WRITERS[form](puzzle, filled)
    return _PUZZLE_WRITERS[form](puzzle)


def write_solution(solution: Solution, form: Notation) -> str:
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
    if form is Notation.URL:
        raise PuzzleError(
            "a puzz.link address holds a puzzle, not a solution; link text, compact link text, the ascii "
            "drawing, the table, pzprv3 and Penpa+ can hold one"
        )
    return _SOLUTION_WRITERS[form](solution)
