"""A ledger as text, to back it up, look through it or bring two together.

JSON lines: a header, then one line a puzzle. Every line of an imported file is checked before
anything is taken over, fingerprints against their boards included.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import groupby
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from linkpress.book.ledger.records import Holder, Kind, LedgerPuzzle, Place, Record
from linkpress.book.ledger.store import Ledger
from linkpress.engine.recipe import Grade, Rule
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.link_text import parse_board_rows
from linkpress.puzzle.symmetry import fingerprint

FORMAT = "linkpress-ledger"
FORMAT_VERSION = 1
_HEADER = {"format": FORMAT, "format_version": FORMAT_VERSION}

_Name = Annotated[str, Field(min_length=1, max_length=300)]
_Text = Annotated[str, Field(max_length=2000)]


class _Line(BaseModel):
    """One puzzle of an export."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Kind
    name: _Name
    title: _Text
    slot: _Name
    published: bool
    made: date
    fingerprint: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$")]
    board: Annotated[list[_Text], Field(max_length=50)]
    rule: Rule
    proof: _Text
    grade: str | None
    score: Annotated[int, Field(ge=0, le=1_000_000_000)] | None
    recipe: _Text
    seed: _Text
    attempt: Annotated[int, Field(ge=0, le=1_000_000)]


def export_ledger(ledger: Ledger) -> Iterator[str]:
    """The lines of an export, each with its line end, in a fixed order."""
    # Asked first: of a damaged ledger not even the header goes out.
    titles = {holding.holder: holding.title for holding in ledger.holdings()}
    yield _json(_HEADER)
    for record in ledger.records():
        puzzle, place = record.puzzle, record.place
        yield _json(
            {
                "kind": place.holder.kind,
                "name": place.holder.name,
                "title": titles[place.holder],
                "slot": place.slot,
                "published": place.published,
                "made": record.made,
                "fingerprint": puzzle.fingerprint,
                "board": puzzle.board.split("\n"),
                "rule": puzzle.rule,
                "proof": puzzle.proof,
                "grade": puzzle.grade,
                "score": puzzle.score,
                "recipe": puzzle.recipe,
                "seed": puzzle.seed,
                "attempt": puzzle.attempt,
            }
        )


def import_ledger(ledger: Ledger, lines: Iterable[str], name: str) -> tuple[int, tuple[Record, ...]]:
    """Take over what another ledger exported; all of the file or, when it is faulty, nothing.

    Args:
        ledger: open for writing.
        lines: of the export.
        name: of the file, for messages.
    Returns:
        How many puzzles the export holds, and those of them that were left out because this ledger
        holds them in another place.
    Raises:
        PuzzleError: not an export, or a line is malformed or its fingerprint not its board's.
        OutputError: as ``Ledger``.
    """
    numbered = enumerate(lines, start=1)
    if not _is_header(next(numbered, (0, ""))[1]):
        raise PuzzleError(
            f"{name} is not an exported ledger of version {FORMAT_VERSION}: its first line should be "
            f"{_json(_HEADER).strip()}. Write one with 'linkpress ledger export'."
        )
    read = [_read(line, f"{name}, line {number}") for number, line in numbered if line.strip()]
    groups = groupby(read, key=lambda item: (item[1].place.holder, item[0]))
    return len(read), ledger.add((title, [record for _, record in group]) for (_, title), group in groups)


def _read(line: str, where: str) -> tuple[str, Record]:
    try:
        item = _Line.model_validate_json(line)
        board = parse_board_rows(item.board)
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        key = ".".join(str(step) for step in first["loc"])
        raise PuzzleError(f"{where}: {key or 'the line'}: {first['msg']}. Nothing was imported.") from fault
    except PuzzleError as fault:
        raise PuzzleError(f"{where}: board: {fault}. Nothing was imported.") from fault
    if fingerprint(board) != item.fingerprint:
        raise PuzzleError(
            f"{where}: the fingerprint {item.fingerprint} is not its board's. Nothing was imported."
        )
    if item.grade is not None and item.grade not in {grade.label for grade in Grade}:
        raise PuzzleError(f"{where}: there is no grade {item.grade!r}. Nothing was imported.")
    puzzle = LedgerPuzzle(
        fingerprint=item.fingerprint,
        slot=item.slot,
        rows=board.grid.rows,
        cols=board.grid.cols,
        pairs=len(board.pairs),
        solids=len(board.grid.solids),
        board="\n".join(item.board),
        rule=item.rule.value,
        proof=item.proof,
        grade=item.grade,
        score=item.score,
        recipe=item.recipe,
        seed=item.seed,
        attempt=item.attempt,
    )
    place = Place(Holder(item.kind, item.name), item.slot, item.published)
    return item.title, Record(puzzle, place, item.made.isoformat())


def _is_header(line: str) -> bool:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return bool(header == _HEADER)


def _json(item: object) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n"
