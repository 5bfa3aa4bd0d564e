"""Reads boards whatever the notation: the first line of a record tells which notation it is in.

A record that begins with ``┌`` is a drawing, one with ``|`` or a table's heading a table, one with
``pzprv3`` a file of that player, one with an address is that, and everything else is link text.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import TypeVar

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.notations import Notation, NotationRow, notation_rows
from linkpress.puzzle.notation.squares import Source, read_records
from linkpress.puzzle.puzzle import Edge, Puzzle
from linkpress.puzzle.rules import DrawingRule, check_drawing

_Record = TypeVar("_Record")

MAX_PUZZLE_FILE_BYTES = 64 << 20
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_puzzles(text: str) -> list[Puzzle]:
    """Read every puzzle of a text.

    Args:
        text: puzzles in any mixture of notations.
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
    """Decode the text of a file, which is UTF-8, or UTF-16 with its byte order mark.

    Raises:
        PuzzleError: the bytes are no text in either.
    """
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
    for breach in check_drawing(puzzle, edges):
        if breach.rule in (DrawingRule.BRANCH, DrawingRule.CROSSING):
            raise PuzzleError(breach.text)
    return puzzle, edges
