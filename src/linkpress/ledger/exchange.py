"""A ledger is written and read as text, to back it up, look through it or bring two together.

There are JSON lines: a header, one a puzzle, and a last one that counts them, so that a file that was
cut off can be told. Every line of an imported file is checked before anything is taken over,
fingerprints against their boards included.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace

from pydantic import TypeAdapter, ValidationError

from linkpress.documents.problem import key_text, printable
from linkpress.errors import PuzzleError
from linkpress.ledger.entries import Holder, LedgerEntry
from linkpress.ledger.store import Ledger
from linkpress.puzzle.notation.link_text import board_rows, parse_board_rows
from linkpress.puzzle.symmetry import fingerprint

FORMAT = "linkpress-ledger"
FORMAT_VERSION = 3
_HEADER = {"format": FORMAT, "format_version": FORMAT_VERSION}
_COUNTED_HEADERS = (_HEADER, {"format": FORMAT, "format_version": 2})  # 2 of earlier releases: no ISBNs
_UNCOUNTED_HEADER = {"format": FORMAT, "format_version": 1}  # of earlier ones: no last line
_COUNT = "puzzles"
_ENTRY = TypeAdapter(LedgerEntry)
_NumberedLines = list[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class Imported:
    """This is the outcome of an import.

    Args:
        left_out: those of them that the ledger holds in another place.
        counted: False for an export of an earlier release, of which nobody can say whether it is whole.
        shared_isbns: ISBNs in it that several volumes of the ledger have now, with these: a ledger must be
            movable as it is, and builds of them are refused.
    """

    puzzles: int
    left_out: tuple[LedgerEntry, ...]
    counted: bool
    shared_isbns: Mapping[str, tuple[Holder, ...]] = field(default_factory=dict)


def export_ledger(ledger: Ledger) -> Iterator[str]:
    """Write the lines of an export, each with its line end, in a fixed order."""
    entries = ledger.entries()  # of a damaged ledger not even the header goes out
    yield _json(_HEADER)
    for entry in entries:
        yield _json({**asdict(entry), "board": entry.board.split("\n")})
    yield _json({_COUNT: len(entries)})


def import_ledger(ledger: Ledger, lines: Iterable[str], name: str) -> Imported:
    """Take over what another ledger exported, or nothing; raise ``PuzzleError`` or ``OutputError``."""
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() or number == 1]
    header = _value(numbered[0][1]) if numbered else None
    if header not in (*_COUNTED_HEADERS, _UNCOUNTED_HEADER):
        raise PuzzleError(
            f"{name} is not an exported ledger of version {FORMAT_VERSION} or before: its first line should "
            f"be {_json(_HEADER).strip()}. Write one with 'linkpress ledger export'."
        )
    counted = header in _COUNTED_HEADERS
    of_puzzles = _without_count(numbered[1:], name) if counted else numbered[1:]
    entries = [_read(line, f"{name}, line {number}") for number, line in of_puzzles]
    left_out = ledger.add(entries)
    return Imported(len(entries), left_out, counted, _shared_isbns(ledger, {entry.isbn for entry in entries}))


def _shared_isbns(ledger: Ledger, isbns: Collection[str | None]) -> dict[str, tuple[Holder, ...]]:
    volumes: dict[str, tuple[Holder, ...]] = {}
    for holding in ledger.holdings():
        if holding.isbn and holding.isbn in isbns:
            volumes[holding.isbn] = (*volumes.get(holding.isbn, ()), holding.holder)
    return {isbn: holders for isbn, holders in volumes.items() if len(holders) > 1}


def _without_count(numbered: _NumberedLines, name: str) -> _NumberedLines:
    """Return the lines before the last one, which must say how many they are."""
    values = (_value(line) for _, line in numbered)
    counts = (isinstance(found, dict) and found.keys() == {_COUNT} for found in values)
    last = next((index for index, is_count in enumerate(counts) if is_count), None)
    if last is None:
        raise PuzzleError(
            f"{name} was cut off: after {len(numbered)} puzzles its last line is missing, which counts them. "
            "Nothing was imported. Copy or export it again."
        )
    where, count = f"{name}, line {numbered[last][0]}", json.loads(numbered[last][1])[_COUNT]
    if count != last:
        raise PuzzleError(
            f"{where}: it counts {printable(_json(count).strip())} puzzles, before it are {last}. Lines were "
            "lost or added. Nothing was imported. Copy or export it again."
        )
    if last + 1 < len(numbered):
        raise PuzzleError(
            f"{where}: more follows after this last line of an export. Nothing was imported. Give each "
            "export in a file of its own."
        )
    return numbered[:last]


def _read(line: str, where: str) -> LedgerEntry:
    try:
        entry = _ENTRY.validate_json(line)
        board = parse_board_rows(entry.board.split("\n"))
    except ValidationError as fault:
        first = fault.errors(include_url=False)[0]
        key, message = key_text(first["loc"]), first["msg"].removeprefix("Value error, ")
        raise PuzzleError(f"{where}: {key or 'the line'}: {message}. Nothing was imported.") from fault
    except PuzzleError as fault:
        raise PuzzleError(f"{where}: board: {fault}. Nothing was imported.") from fault
    if fingerprint(board) != entry.fingerprint:
        raise PuzzleError(
            f"{where}: the fingerprint {entry.fingerprint} is not its board's. Nothing was imported."
        )
    return replace(entry, board="\n".join(board_rows(board)))


def _value(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _json(item: object) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n"
