"""The table of notations says what reads and writes puzzles and solutions in each of them.

To add a notation, write its module, and give it a member of ``Notation`` and a row below.
The commands' options, the readers and the messages that list notations follow from these.

The first line of a record tells which notation it is in: one that begins with ``┌`` is a drawing, one with
``|`` or a table's heading a table, one with ``pzprv3`` a file of that player, one with an address is that,
and everything else is link text.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple, TypeVar

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.squares import Source, read_records
from linkpress.puzzle.puzzle import Edge, Puzzle, Solution
from linkpress.puzzle.rules import MistakeKind, check_drawing

_Record = TypeVar("_Record")
MAX_PUZZLE_FILE_BYTES = 64 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


class Notation(StrEnum):
    """A notation is a way in which a puzzle or a solution is written down."""

    LINK = "link"  # size, then rows of squares separated by blanks
    COMPACT = "compact"  # the same with one character a square
    ASCII = "ascii"  # a drawing in box-drawing characters
    TABLE = "table"  # as the article's C program prints it
    URL = "url"  # an address of the puzz.link player
    PZPRV3 = "pzprv3"  # a file of the same
    PENPA = "penpa"  # an address of the Penpa+ player


class NotationRow(NamedTuple):
    """A row has the name of a notation, its readers and writers, and what it can't express.

    Args:
        write_solution: takes a solution; None where the notation holds puzzles only.
        take_puzzle: reads one record as a puzzle.
        begins: matches the first line, without blanks before it, of a record in this notation; None for
            link text, which is what no other notation begins.
        take_drawing: reads one record as a puzzle and the steps drawn on it; None where the notation has
            no lines, so that a path beside itself can't be told from its squares.
        holds_solids: whether it has a sign for solid squares.
        highest_number: the highest number that it has a sign for; None if it has one for every number.
        stands_apart: whether a blank line is written between two records.
        write_filled: takes a puzzle whose player shall ask for every square to be covered; None where
            nothing tells a player so.
    """

    title: str
    write_puzzle: Callable[[Puzzle], str]
    write_solution: Callable[[Solution], str] | None
    take_puzzle: Callable[[Source], Puzzle]
    begins: re.Pattern[str] | None = None
    take_drawing: Callable[[Source], tuple[Puzzle, frozenset[Edge]]] | None = None
    holds_solids: bool = True
    highest_number: int | None = None
    stands_apart: bool = False
    write_filled: Callable[[Puzzle], str] | None = None

    def lacks(self, puzzle: Puzzle) -> str:
        """Name what of a puzzle the notation has no sign for; empty if it can hold the puzzle."""
        if puzzle.grid.solids and not self.holds_solids:
            return f"the solid square {puzzle.grid.name(min(puzzle.grid.solids))}"
        highest = puzzle.pairs[-1].number
        return f"the number {highest}" if self.highest_number and highest > self.highest_number else ""


@cache
def notation_rows() -> Mapping[Notation, NotationRow]:
    """Return the table, in the order in which a record's notation is looked for."""
    return {**_rows_of_texts(), **_rows_of_players()}


def _rows_of_texts() -> Mapping[Notation, NotationRow]:
    from linkpress.puzzle.notation import article_table, ascii_drawing, link_text

    return {
        Notation.LINK: NotationRow(
            "link text", link_text.puzzle_text, link_text.solution_text, link_text.take_puzzle
        ),
        Notation.COMPACT: NotationRow(
            "compact link text",
            link_text.compact_text,
            link_text.compact_solution_text,
            link_text.take_puzzle,
            highest_number=len(link_text.COMPACT_DIGITS),
        ),
        Notation.ASCII: NotationRow(
            "the ascii drawing",
            ascii_drawing.draw_puzzle,
            ascii_drawing.draw_solution,
            ascii_drawing.take_puzzle,
            ascii_drawing.BEGINS,
            ascii_drawing.take_drawing,
            stands_apart=True,
        ),
        Notation.TABLE: NotationRow(
            "the table",
            article_table.puzzle_table,
            article_table.solution_table,
            article_table.take_puzzle,
            article_table.BEGINS,
            stands_apart=True,
        ),
    }


def _rows_of_players() -> Mapping[Notation, NotationRow]:
    from linkpress.puzzle.notation import penpa, pzpr

    return {
        Notation.PENPA: NotationRow(
            "the Penpa+ address",
            lambda puzzle: f"{penpa.puzzle_address(puzzle)}\n",
            lambda solution: f"{penpa.solution_address(solution)}\n",
            lambda source: penpa.take_drawing(source)[0],
            penpa.BEGINS,
            penpa.take_drawing,
        ),
        Notation.URL: NotationRow(
            "the puzz.link address",
            lambda puzzle: f"{pzpr.puzzle_url(puzzle)}\n",
            None,
            lambda source: pzpr.parse_url(source.take() or ""),
            pzpr.URL_BEGINS,
            holds_solids=False,
            write_filled=lambda puzzle: f"{pzpr.puzzle_url(puzzle, filled=True)}\n",
        ),
        Notation.PZPRV3: NotationRow(
            "the pzprv3 file",
            pzpr.puzzle_file,
            lambda solution: pzpr.puzzle_file(solution.puzzle, solution.edges),
            lambda source: pzpr.take_drawing(source)[0],
            pzpr.FILE_BEGINS,
            pzpr.take_drawing,
            holds_solids=False,
            stands_apart=True,
            write_filled=lambda puzzle: pzpr.puzzle_file(puzzle, filled=True),
        ),
    }


def write_puzzle(puzzle: Puzzle, notation: Notation, *, filled: bool = False) -> str:
    """Write a puzzle in one of the notations.

    Args:
        notation: ``read_puzzles`` reads every notation again.
        filled: whether players that know both rules shall ask for every square to be covered.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the notation has no sign for something in the puzzle; names those that have one.
    """
    row = notation_rows()[notation]
    _check_signs(row, puzzle)
    write = row.write_filled if filled and row.write_filled else row.write_puzzle
    return write(puzzle)


def write_solution(solution: Solution, notation: Notation) -> str:
    """Write a solution in one of the notations.

    Args:
        solution: a path that runs alongside itself can be read again from notations with lines only.
        notation: one that holds solutions.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the notation can't hold the solution; names those that can.
    """
    row = notation_rows()[notation]
    if row.write_solution is None:
        able = _titles(lambda other: other.write_solution is not None)
        raise PuzzleError(f"{row.title} holds a puzzle, not a solution; {able} can hold one")
    _check_signs(row, solution.puzzle)
    return row.write_solution(solution)


def _check_signs(row: NotationRow, puzzle: Puzzle) -> None:
    if missing := row.lacks(puzzle):
        able = _titles(lambda other: not other.lacks(puzzle))
        raise PuzzleError(f"{row.title} has no sign for {missing}; {able} can hold this board")


def _titles(is_able: Callable[[NotationRow], bool]) -> str:
    from linkpress.documents.problem import listed

    return listed([row.title for row in notation_rows().values() if is_able(row)])


def read_puzzles(text: str) -> list[Puzzle]:
    """Read every puzzle of a text, in any mixture of notations.

    Returns:
        The puzzles in the order of the text; empty for a text without records.
    Raises:
        PuzzleError: a malformed record; names the record and its line, the row and column, what
            was found and what is allowed.
    """
    return read_records(text, _take_puzzle)


def read_located_puzzles(text: str) -> list[tuple[int, Puzzle]]:
    """Read every puzzle of a text with the line, counted from 1, on which its record begins."""
    return read_records(text, lambda source: (source.line_number, _take_puzzle(source)))


def read_drawings(text: str) -> list[tuple[Puzzle, frozenset[Edge]]]:
    """Read every board of a text, drawn at whatever stage where its notation has lines.

    Returns:
        Each board's puzzle and the steps drawn on it, none for a puzzle.
    Raises:
        PuzzleError: as ``read_puzzles``, and for a drawing with a branch or a crossing.
    """
    return read_records(text, _take_drawing)


def read_file(content: bytes, shown: str, read: Callable[[str], list[_Record]]) -> list[_Record]:
    """Read the records of a puzzle file, one or more.

    Args:
        shown: its name, for messages.
        read: ``read_puzzles`` or ``read_drawings``.
    Raises:
        PuzzleError: no text, a malformed record, or no record at all; names the file.
    """
    try:
        found = read(decode(content))
    except PuzzleError as fault:
        raise PuzzleError(f"{shown}: {fault}") from fault
    if not found:
        raise PuzzleError(f"{shown} holds no puzzle; link text is a line `W H`, then H rows of W squares.")
    return found


def decode(data: bytes) -> str:
    """Decode text in UTF-8, or in UTF-16 with its byte order mark; raise ``PuzzleError`` for any other."""
    encoding = next((name for mark, name in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as fault:
        raise PuzzleError(
            f"byte {fault.start + 1} is not {encoding.removesuffix('-sig').upper()} text; puzzles are read "
            "from plain text files"
        ) from fault


def _row(source: Source) -> NotationRow:
    line, rows = (source.peek() or "").lstrip(), notation_rows()
    return next((row for row in rows.values() if row.begins and row.begins.match(line)), rows[Notation.LINK])


def _take_puzzle(source: Source) -> Puzzle:
    return _row(source).take_puzzle(source)


def _take_drawing(source: Source) -> tuple[Puzzle, frozenset[Edge]]:
    row = _row(source)
    if row.take_drawing is None:
        return row.take_puzzle(source), frozenset()
    puzzle, edges = row.take_drawing(source)
    for mistake in check_drawing(puzzle, edges):
        if mistake.kind in (MistakeKind.BRANCH, MistakeKind.CROSSING):
            raise PuzzleError(mistake.text)
    return puzzle, edges
