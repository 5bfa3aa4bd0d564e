"""``volume.json`` as rows of text, read leniently: what is wrong in it is to be named, not refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linkpress.book.volume import MAX_BYTES, Volume, load_volume
from linkpress.config.json_text import parse_json
from linkpress.engine.recipe import Rule
from linkpress.errors import PuzzleError
from linkpress.files import read_within
from linkpress.press.findings import Finding


@dataclass(frozen=True, slots=True)
class RecordedPuzzle:
    """One puzzle as recorded.

    Args:
        number: as printed.
        rule: under which its solution is the only one; ``strict`` where the record names no rule.
        board: rows of squares, as texts.
        solution: likewise.
    """

    number: int
    rule: Rule
    board: tuple[tuple[str, ...], ...]
    solution: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class VolumeRecord:
    """A volume's record.

    Args:
        puzzles: by number.
        language: of the book's printed words.
        finding: what a strict reading refuses, with the puzzle's number where it names one.
        volume: what a strict reading gives; None where it refuses.
    """

    puzzles: dict[int, RecordedPuzzle]
    language: str
    finding: Finding | None
    volume: Volume | None


def read_record(path: Path) -> VolumeRecord:
    """Read a ``volume.json`` without believing that it holds together.

    Raises:
        PuzzleError: it can't be read at all: missing, no JSON, or without puzzles.
    """
    fault: PuzzleError | None = None
    volume: Volume | None = None
    try:
        volume = load_volume(path)
    except PuzzleError as refused:
        fault = refused
    content = _content(path, fault)
    listed = content.get("puzzles")
    found = [_puzzle(item) for item in listed] if isinstance(listed, list) else []
    puzzles = {puzzle.number: puzzle for puzzle in found if puzzle is not None}
    if not puzzles:
        raise fault or PuzzleError(f"{path}: no puzzles are recorded there.")
    book = content.get("book")
    language = book.get("language") if isinstance(book, dict) else None
    finding = Finding(str(fault), puzzle=_number_named(str(fault), found)) if fault else None
    return VolumeRecord(puzzles, language if isinstance(language, str) else "en", finding, volume)


def _content(path: Path, fault: PuzzleError | None) -> dict[str, object]:
    try:
        content = parse_json(read_within(path, MAX_BYTES))
    except (OSError, ValueError) as unreadable:
        raise fault or PuzzleError(f"{path} can't be read.") from unreadable
    if not isinstance(content, dict):
        raise fault or PuzzleError(f"{path}: an object with the key puzzles is needed.")
    return content


def _puzzle(item: object) -> RecordedPuzzle | None:
    if not isinstance(item, dict) or not isinstance(item.get("number"), int):
        return None
    rule = item.get("rule")
    return RecordedPuzzle(
        item["number"],
        Rule(rule) if rule in tuple(Rule) else Rule.STRICT,
        tuple(_rows(item.get("board"))),
        tuple(_rows(item.get("solution"))),
    )


def _rows(rows: object) -> Iterator[tuple[str, ...]]:
    if isinstance(rows, list):
        yield from (tuple(row.split()) if isinstance(row, str) else () for row in rows)


def _number_named(text: str, puzzles: list[RecordedPuzzle | None]) -> int | None:
    """The number of the puzzle whose place in the file the message names."""
    for place, puzzle in enumerate(puzzles):
        if puzzle is not None and f"puzzles[{place}]" in text:
            return puzzle.number
    return None
