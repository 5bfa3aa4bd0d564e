"""Reading boards whatever the notation: each record says by its look which it is.

A record that begins with ``┌`` is a drawing, one with ``|`` or a table's heading a table, one with
``pzprv3`` a file of that player, one with an address is that, and everything else is link text.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from linkpress.errors import PuzzleError
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.notation import article_table, ascii_drawing, link_text, penpa, puzz_link, pzprv3
from linkpress.puzzle.notation.source import Source, read_records
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.rules import DrawingRule, check_drawing

_Made = TypeVar("_Made")

MAX_PUZZLE_FILE_BYTES = 64 << 20
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read_puzzles(text: str) -> list[Puzzle]:
    """Every puzzle of a text, in any mixture of notations.

    Args:
        text: link text, compact link text, puzz.link addresses, ascii drawings, tables.
    Returns:
        The puzzles in the order of the text; empty for a text without records.
    Raises:
        PuzzleError: a malformed record; names the record and its line, the row and column, what
            was found and what is allowed.
    """
    return read_records(text, _take_puzzle)


def read_located_puzzles(text: str) -> list[tuple[int, Puzzle]]:
    """As ``read_puzzles``, each puzzle with the line on which its record begins, counted from 1."""
    return read_records(text, _take_located)


def read_drawings(text: str) -> list[tuple[Puzzle, frozenset[Edge]]]:
    """Every board of a text: drawings, pzprv3 and Penpa+ at whatever stage, puzzles in any other notation.

    Returns:
        Each board's puzzle and the steps drawn on it, none for a puzzle.
    Raises:
        PuzzleError: as ``read_puzzles``, and for a drawing with a branch or a crossing.
    """
    return read_records(text, _take_drawing)


def read_file(content: bytes, shown: str, read: Callable[[str], list[_Made]]) -> list[_Made]:
    """The records of a puzzle file, one or more.

    Args:
        content: the file's bytes.
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
    """The text of a file: UTF-8, or UTF-16 with its byte order mark.

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


class _Notation(NamedTuple):
    """How a record in one notation begins, and what reads it; only some hold boards at whatever stage."""

    begins: Callable[[str], bool]
    take_puzzle: Callable[[Source], Puzzle]
    take_drawing: Callable[[Source], tuple[Puzzle, frozenset[Edge]]] | None = None


_NOTATIONS = (
    _Notation(ascii_drawing.is_drawing, ascii_drawing.take_puzzle, ascii_drawing.take_drawing),
    _Notation(pzprv3.is_file, pzprv3.take_puzzle, pzprv3.take_drawing),
    _Notation(penpa.is_address, penpa.take_puzzle, penpa.take_drawing),
    _Notation(article_table.is_table, article_table.take_puzzle),
    _Notation(puzz_link.is_address, puzz_link.take_puzzle),
    _Notation(lambda line: True, link_text.take_puzzle),
)


def _notation(source: Source) -> _Notation:
    line = (source.peek() or "").lstrip()
    return next(notation for notation in _NOTATIONS if notation.begins(line))


def _take_puzzle(source: Source) -> Puzzle:
    return _notation(source).take_puzzle(source)


def _take_located(source: Source) -> tuple[int, Puzzle]:
    return source.line_number, _take_puzzle(source)


def _take_drawing(source: Source) -> tuple[Puzzle, frozenset[Edge]]:
    notation = _notation(source)
    if notation.take_drawing is None:
        return notation.take_puzzle(source), frozenset()
    puzzle, edges = notation.take_drawing(source)
    for breach in check_drawing(puzzle, edges):
        if breach.rule in (DrawingRule.BRANCH, DrawingRule.CROSSING):
            raise PuzzleError(breach.text)
    return puzzle, edges
