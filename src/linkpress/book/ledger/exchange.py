"""A ledger as text, to back it up, look through it or bring two together.

JSON lines: a header, one line a puzzle, and a last one that counts them, so that a file that was
cut off can be told. Every line of an imported file is checked before anything is taken over,
fingerprints against their boards included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from itertools import groupby
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError

from linkpress.book.book_values import read_id
from linkpress.book.ledger.records import PUZZLE_NAMES, Holder, Kind, LedgerPuzzle, Place, Record
from linkpress.book.ledger.store import Ledger
from linkpress.config.problem import key_text, shown
from linkpress.config.values import line_of_text
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.link_text import board_rows, parse_board_rows
from linkpress.puzzle.symmetry import fingerprint

FORMAT = "linkpress-ledger"
FORMAT_VERSION = 2
_HEADER = {"format": FORMAT, "format_version": FORMAT_VERSION}
_UNCOUNTED_HEADER = {"format": FORMAT, "format_version": 1}  # of earlier releases: no last line
_COUNT = "puzzles"


@dataclass(frozen=True, slots=True)
class Imported:
    """What came of an import.

    Args:
        puzzles: how many the export holds.
        left_out: those of them that the ledger holds in another place.
        counted: False for an export of an earlier release, of which nobody can say whether it is whole.
    """

    puzzles: int
    left_out: tuple[Record, ...]
    counted: bool


class _Held(BaseModel):
    """Whose a puzzle of an export is; the other keys of its line are those of a ``LedgerPuzzle``."""

    model_config = ConfigDict(frozen=True, strict=True)

    kind: Kind
    name: Annotated[str, AfterValidator(read_id)]
    title: Annotated[str, AfterValidator(line_of_text(120).read)]
    published: bool
    made: date


_PUZZLE = TypeAdapter(LedgerPuzzle)


def export_ledger(ledger: Ledger) -> Iterator[str]:
    """The lines of an export, each with its line end, in a fixed order."""
    # Asked first: of a damaged ledger not even the header goes out.
    titles = {holding.holder: holding.title for holding in ledger.holdings()}
    yield _json(_HEADER)
    count = 0
    for record in ledger.records():
        count += 1
        puzzle, place = record.puzzle, record.place
        yield _json(
            {
                "kind": place.holder.kind,
                "name": place.holder.name,
                "title": titles[place.holder],
                "slot": place.slot,
                "published": place.published,
                "made": record.made,
                **{key: getattr(puzzle, key) for key in PUZZLE_NAMES if key != "slot"},
                "board": puzzle.board.split("\n"),
            }
        )
    yield _json({_COUNT: count})


def import_ledger(ledger: Ledger, lines: Iterable[str], name: str) -> Imported:
    """Take over what another ledger exported; all of the file or, when it is faulty, nothing.

    Args:
        ledger: open for writing.
        lines: of the export.
        name: of the file, for messages.
    Raises:
        PuzzleError: not an export, or it is not whole, or a line is malformed or its fingerprint not
            its board's.
        OutputError: as ``Ledger``.
    """
    numbered = ((at, line) for at, line in enumerate(lines, start=1) if line.strip() or at == 1)
    header = _value(next(numbered, (0, ""))[1])
    if header not in (_HEADER, _UNCOUNTED_HEADER):
        raise PuzzleError(
            f"{name} is not an exported ledger of version {FORMAT_VERSION} or before: its first line should "
            f"be {_json(_HEADER).strip()}. Write one with 'linkpress ledger export'."
        )
    counted = header == _HEADER
    read = list(_counted(numbered, name) if counted else _each(numbered, name))
    groups = groupby(read, key=lambda item: (item[1].place.holder, item[0]))
    left_out = ledger.add((title, [record for _, record in group]) for (_, title), group in groups)
    return Imported(len(read), left_out, counted)


def _each(numbered: Iterable[tuple[int, str]], name: str) -> Iterator[tuple[str, Record]]:
    for number, line in numbered:
        yield _read(line, f"{name}, line {number}")


def _counted(numbered: Iterator[tuple[int, str]], name: str) -> Iterator[tuple[str, Record]]:
    """The puzzles before the last line, which must say how many they are."""
    count = 0
    for number, line in numbered:
        closing = _value(line)
        if isinstance(closing, dict) and closing.keys() == {_COUNT}:
            _check_end(f"{name}, line {number}", closing[_COUNT], count, next(numbered, None) is not None)
            return
        yield _read(line, f"{name}, line {number}")
        count += 1
    raise PuzzleError(
        f"{name} was cut off: after {count} puzzles its last line is missing, which counts them. Nothing was "
        "imported. Copy or export it again."
    )


def _check_end(where: str, said: object, count: int, goes_on: bool) -> None:
    if type(said) is not int or said != count:
        raise PuzzleError(
            f"{where}: it counts {shown(_json(said).strip())} puzzles, and before it are {count}. Lines were "
            "lost or added. Nothing was imported. Copy or export it again."
        )
    if goes_on:
        raise PuzzleError(
            f"{where}: more follows after this last line of an export. Nothing was imported. Give each "
            "export in a file of its own."
        )


def _read(line: str, where: str) -> tuple[str, Record]:
    try:
        held = _Held.model_validate_json(line)
        item = json.loads(line)
        puzzle = _PUZZLE.validate_python({key: item[key] for key in item.keys() - _Held.model_fields.keys()})
        board = parse_board_rows(item["board"])
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        key, said = key_text(first["loc"]), first["msg"].removeprefix("Value error, ")
        raise PuzzleError(f"{where}: {key or 'the line'}: {said}. Nothing was imported.") from fault
    except PuzzleError as fault:
        raise PuzzleError(f"{where}: board: {fault}. Nothing was imported.") from fault
    if fingerprint(board) != puzzle.fingerprint:
        raise PuzzleError(
            f"{where}: the fingerprint {puzzle.fingerprint} is not its board's. Nothing was imported."
        )
    whole = replace(puzzle, board="\n".join(board_rows(board)))
    place = Place(Holder(held.kind, held.name), puzzle.slot, held.published)
    return held.title, Record(whole, place, held.made.isoformat())


def _value(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _json(item: object) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n"
