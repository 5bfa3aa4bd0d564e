"""Table of the notations, and functions that read every notation and write any of them.

A notation is a format for puzzles and solutions as text. To add a notation, write its module, then add a
member to ``Notation`` and a row to the table in ``notation_rows``. All commands, readers and messages use
this table.

A record is a puzzle or a drawing in one notation. The notation is recognised by the first line, for example
by ``┌`` for a drawing. If the first line fits no other notation, the record is read as ``Notation.LINK``.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import TypeVar

from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import LineReader, read_records
from linkpress.puzzle.puzzle import Edge, Puzzle, Solution
from linkpress.puzzle.rules import MistakeKind, check_drawing

_Record = TypeVar("_Record")
Drawing = tuple[Puzzle, frozenset[Edge]]
"""Puzzle, and the edges drawn on it."""

MAX_PUZZLE_FILE_BYTES = 64 << 20
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Notation(StrEnum):
    """Format of a puzzle or a solution as text."""

    LINK = "link"  # a line with the board's size, then a line for each row, with blanks between the squares
    COMPACT = "compact"  # like LINK, but with a single character for each square and no blanks
    ASCII = "ascii"  # drawing in box-drawing characters such as ┌ and │
    TABLE = "table"  # table with vertical bars around each square
    URL = "url"  # web address that opens the puzzle in the puzz.link player
    PZPRV3 = "pzprv3"  # file format of the puzz.link player
    PENPA = "penpa"  # web address that opens the puzzle in the Penpa+ player


@dataclass(frozen=True, slots=True, kw_only=True)
class NotationRow:
    """Functions and limits of one notation, which is a format for puzzles and solutions as text.

    Args:
        title: the name of the notation in messages.
        write_puzzle: function that writes a puzzle.
        write_solution: function that writes a solution; None if the notation has puzzles only.
        read_puzzle: function that reads one record as a puzzle.
        begins: pattern that matches the first line of a record, without leading blanks; None for the notation
            ``LINK``.
        read_drawing: function that reads a puzzle and the edges drawn on it; None if the notation has no
            lines.
        holds_solids: whether solid squares can be written.
        highest_number: the highest number that can be written; None if there is no limit.
        blank_line_between: whether to write a blank line between two records.
        write_filled: function that writes a puzzle for which the web player demands that every square is
            covered; None if the notation can't express this.
    """

    title: str
    write_puzzle: Callable[[Puzzle], str]
    write_solution: Callable[[Solution], str] | None
    read_puzzle: Callable[[LineReader], Puzzle]
    begins: re.Pattern[str] | None = None
    read_drawing: Callable[[LineReader], Drawing] | None = None
    holds_solids: bool = True
    highest_number: int | None = None
    blank_line_between: bool = False
    write_filled: Callable[[Puzzle], str] | None = None

    def missing_sign(self, puzzle: Puzzle) -> str:
        """Return a phrase for a solid square or a number that this notation can't write.

        The phrase is empty if the notation can write the whole puzzle.
        """
        if puzzle.grid.solids and not self.holds_solids:
            return f"the solid square {puzzle.grid.name(min(puzzle.grid.solids))}"
        highest = puzzle.pairs[-1].number
        return f"the number {highest}" if self.highest_number and highest > self.highest_number else ""


@cache
def notation_rows() -> Mapping[Notation, NotationRow]:
    """Return the table of notations.

    To read a record (a puzzle or a drawing), use the first row whose pattern matches the first line of the
    record.
    """
    from linkpress.puzzle import ascii_drawing, link_text, penpa, pzpr

    return {
        Notation.LINK: NotationRow(
            title="link text",
            write_puzzle=link_text.puzzle_text,
            write_solution=link_text.solution_text,
            read_puzzle=link_text.read_puzzle,
        ),
        Notation.COMPACT: NotationRow(
            title="compact link text",
            write_puzzle=link_text.compact_text,
            write_solution=link_text.compact_solution_text,
            read_puzzle=link_text.read_puzzle,
            highest_number=len(link_text.COMPACT_DIGITS),
        ),
        Notation.ASCII: NotationRow(
            title="the ascii drawing",
            write_puzzle=ascii_drawing.draw_puzzle,
            write_solution=ascii_drawing.draw_solution,
            read_puzzle=ascii_drawing.read_puzzle,
            begins=ascii_drawing.BEGINS,
            read_drawing=ascii_drawing.read_drawing,
            blank_line_between=True,
        ),
        Notation.TABLE: NotationRow(
            title="the table",
            write_puzzle=link_text.puzzle_table,
            write_solution=link_text.solution_table,
            read_puzzle=link_text.read_table,
            begins=link_text.TABLE_BEGINS,
            blank_line_between=True,
        ),
        Notation.PENPA: NotationRow(
            title="the Penpa+ address",
            write_puzzle=lambda puzzle: f"{penpa.puzzle_address(puzzle)}\n",
            write_solution=lambda solution: f"{penpa.solution_address(solution)}\n",
            read_puzzle=lambda lines: penpa.read_drawing(lines)[0],
            begins=penpa.BEGINS,
            read_drawing=penpa.read_drawing,
        ),
        Notation.URL: NotationRow(
            title="the puzz.link address",
            write_puzzle=lambda puzzle: f"{pzpr.puzzle_url(puzzle)}\n",
            write_solution=None,
            read_puzzle=lambda lines: pzpr.parse_url(lines.read() or ""),
            begins=pzpr.URL_BEGINS,
            holds_solids=False,
            write_filled=lambda puzzle: f"{pzpr.puzzle_url(puzzle, filled=True)}\n",
        ),
        Notation.PZPRV3: NotationRow(
            title="the pzprv3 file",
            write_puzzle=pzpr.puzzle_file,
            write_solution=lambda solution: pzpr.puzzle_file(solution.puzzle, solution.edges),
            read_puzzle=lambda lines: pzpr.read_drawing(lines)[0],
            begins=pzpr.FILE_BEGINS,
            read_drawing=pzpr.read_drawing,
            holds_solids=False,
            blank_line_between=True,
            write_filled=lambda puzzle: pzpr.puzzle_file(puzzle, filled=True),
        ),
    }


def write_puzzle(puzzle: Puzzle, notation: Notation, *, filled: bool = False) -> str:
    """Write a puzzle in a notation. ``read_puzzles`` can read the result of every notation.

    Args:
        puzzle: the puzzle to write.
        notation: the notation to use.
        filled: whether a web player should demand that every square is covered. Ignored if the notation can't
            express this.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the notation can't write a solid square or a number of the puzzle. The message names
            notations that can.
    """
    row = notation_rows()[notation]
    _check_signs(row, puzzle)
    write = row.write_filled if filled and row.write_filled else row.write_puzzle
    return write(puzzle)


def write_solution(solution: Solution, notation: Notation) -> str:
    """Write a solution in a notation.

    Args:
        solution: the solution to write. If a path runs alongside itself, only a notation with drawn lines
            shows the course of the path.
        notation: the notation to use.
    Returns:
        One or more lines, each with its line end.
    Raises:
        PuzzleError: the notation can't write the solution. The message names notations that can.
    """
    row = notation_rows()[notation]
    if row.write_solution is None:
        able = _titles(lambda other: other.write_solution is not None)
        raise PuzzleError(f"{row.title} holds a puzzle, not a solution; {able} can hold one")
    _check_signs(row, solution.puzzle)
    return row.write_solution(solution)


def _check_signs(row: NotationRow, puzzle: Puzzle) -> None:
    if missing := row.missing_sign(puzzle):
        able = _titles(lambda other: not other.missing_sign(puzzle))
        raise PuzzleError(f"{row.title} has no sign for {missing}; {able} can hold this board")


def _titles(is_able: Callable[[NotationRow], bool]) -> str:
    from linkpress.documents.problem import listed

    return listed([row.title for row in notation_rows().values() if is_able(row)])


def read_puzzles(text: str) -> list[Puzzle]:
    """Read all puzzles of a text. The puzzles may be in different notations.

    Returns:
        The puzzles in the order of the text; empty if there are none.
    Raises:
        PuzzleError: a puzzle is malformed. The message says which puzzle, on which line, and where in it.
    """
    return read_records(text, _read_puzzle)


def read_located_puzzles(text: str) -> list[tuple[int, Puzzle]]:
    return read_records(text, lambda lines: (lines.line_number, _read_puzzle(lines)))


def read_drawings(text: str) -> list[Drawing]:
    """Read all drawings of a text: puzzles with some or all of their lines drawn.

    Returns:
        Each puzzle with the edges drawn on it. There are no edges if the notation has no lines.
    Raises:
        PuzzleError: a puzzle or drawing is malformed, or a drawing has a branch or a crossing.
    """
    return read_records(text, _read_drawing)


def read_file(content: bytes, shown: str, read: Callable[[str], list[_Record]]) -> list[_Record]:
    """Read the puzzles or drawings of a puzzle file.

    Args:
        content: the bytes of the file.
        shown: the name of the file in messages.
        read: the function ``read_puzzles`` or ``read_drawings``.
    Raises:
        PuzzleError: the file is not text, has no puzzle, or has a malformed puzzle. The message names the
            file.
    """
    try:
        records = read(decode(content))
    except PuzzleError as error:
        raise PuzzleError(f"{shown}: {error}") from error
    if not records:
        raise PuzzleError(f"{shown} holds no puzzle; link text is a line `W H`, then H rows of W squares.")
    return records


def decode(data: bytes) -> str:
    """Decode a text file in UTF-8, or in UTF-16 with a byte order mark.

    Raises:
        PuzzleError: the bytes are not valid text in the encoding, or they are JSON or a PDF.
    """
    for first_bytes, kind in ((b"%PDF-", "a PDF"), (b"{", "JSON")):
        if data.lstrip().startswith(first_bytes):
            raise PuzzleError(f"this is {kind}; puzzles are read from plain text files")
    encoding = next((name for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise PuzzleError(
            f"byte {error.start + 1} is not {encoding.removesuffix('-sig').upper()} text; puzzles are read "
            "from plain text files"
        ) from error


def _row_of(lines: LineReader) -> NotationRow:
    line, rows = (lines.peek() or "").lstrip(), notation_rows()
    return next((row for row in rows.values() if row.begins and row.begins.match(line)), rows[Notation.LINK])


def _read_puzzle(lines: LineReader) -> Puzzle:
    return _row_of(lines).read_puzzle(lines)


def _read_drawing(lines: LineReader) -> Drawing:
    row = _row_of(lines)
    if row.read_drawing is None:
        return row.read_puzzle(lines), frozenset()
    puzzle, edges = row.read_drawing(lines)
    for mistake in check_drawing(puzzle, edges):
        if mistake.kind in (MistakeKind.BRANCH, MistakeKind.CROSSING):
            raise PuzzleError(mistake.text)
    return puzzle, edges
