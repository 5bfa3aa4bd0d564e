"""Reading ``volume.json`` back, believing nothing of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn, TypeVar

from linkpress.book.spec import BookSpec
from linkpress.book.volume import FORMAT, FORMAT_VERSION, Volume, VolumePuzzle
from linkpress.config.json_text import parse_json
from linkpress.config.models import check_model
from linkpress.config.problem import shown
from linkpress.config.yaml_source import YamlSource
from linkpress.engine.recipe import Grade, Method, Rule
from linkpress.errors import PuzzleError, SpecError
from linkpress.files import TooLargeError, read_within
from linkpress.puzzle.notation.link_text import parse_board_rows, parse_solution_rows
from linkpress.puzzle.puzzle import Solution
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import fingerprint

# 5,000 boards of 50 × 50 take about 130 MB.
MAX_BYTES = 256 * 1024 * 1024
# Far more than a score, an attempt or a count of deductions ever is.
MAX_AMOUNT = 10**12

T = TypeVar("T")
Word = TypeVar("Word", bound=StrEnum)


def load_volume(path: Path) -> Volume:
    """Read and check a saved volume.

    Args:
        path: a ``volume.json``.
    Returns:
        The volume; every solution is a right filling of its board, every fingerprint its board's,
        counts and numbers hold, and no puzzle is there twice.
    Raises:
        PuzzleError: it can't be read, is malformed, or contradicts itself; names file and puzzle.
    """
    content = _read_json(path)
    record = _Record(content, str(path))
    if record.get("format", str) != FORMAT:
        record.refuse("format", f"{FORMAT} is needed; this is another kind of file")
    version = record.get("format_version", int)
    if version != FORMAT_VERSION:
        newer = "it is from a newer linkpress; update this one" if version > FORMAT_VERSION else ""
        record.refuse("format_version", newer or f"{FORMAT_VERSION} is the only one there is")
    spec = _read_spec(record)
    records = record.get("puzzles", list)
    puzzles = tuple(
        _read_puzzle(_Record(inner, f"{path}: puzzles[{at}]"), at + 1) for at, inner in enumerate(records)
    )
    volume = Volume(
        title=record.get("title", str),
        seed=_read_seed(record),
        linkpress_version=record.get("linkpress_version", str),
        spec_sha256=record.get("spec_sha256", str),
        puzzles=puzzles,
        spec=spec,
    )
    _check_whole(volume, record)
    return volume


def _read_json(path: Path) -> object:
    try:
        content: object = parse_json(read_within(path, MAX_BYTES))
    except TooLargeError:
        raise PuzzleError(f"{path} is over {MAX_BYTES >> 20} MiB: no volume is as large as that.") from None
    except OSError as fault:
        raise PuzzleError(f"{path} can't be read: {fault.strerror}. A volume.json is needed.") from None
    except ValueError as fault:
        raise PuzzleError(f"{path} is not JSON that can be read: {fault}. A volume.json is needed.") from None
    return content


@dataclass(frozen=True, slots=True)
class _Record:
    """A JSON object, the keys of which are asked for by kind."""

    content: object
    where: str

    def get(self, key: str, kind: type[T]) -> T:
        found = self.content.get(key) if isinstance(self.content, dict) else None
        if not isinstance(found, kind) or (isinstance(found, bool) and kind is not bool):
            names = {str: "a text", int: "a whole number", list: "a list", dict: "an object"}
            self.refuse(key, f"{names.get(kind, kind.__name__)} is needed")
        return found

    def amount(self, key: str) -> int:
        number = self.get(key, int)
        if not 0 <= number <= MAX_AMOUNT:
            self.refuse(key, f"a whole number from 0 to {MAX_AMOUNT:,} is needed")
        return number

    def word(self, key: str, kind: type[Word]) -> Word:
        text = self.get(key, str)
        try:
            return kind(text)
        except ValueError:
            self.refuse(key, f"{' or '.join(kind)} is allowed")

    def refuse(self, key: str, message: str) -> NoReturn:
        if not isinstance(self.content, dict):
            raise PuzzleError(f"{self.where}: an object with the key {key} is needed.")
        found = shown(json.dumps(self.content[key], ensure_ascii=True)) if key in self.content else "missing"
        raise PuzzleError(f"{self.where}: {key}: {found} — {message}.")


def _read_spec(record: _Record) -> BookSpec:
    document = record.get("book", dict)
    try:
        return check_model(YamlSource(record.where, document, {}, {}), BookSpec)
    except SpecError as fault:
        raise PuzzleError(f"the book's keys in this volume don't hold: {fault}") from None


def _read_seed(record: _Record) -> int | str:
    content = record.content
    seed = content.get("seed") if isinstance(content, dict) else None
    if isinstance(seed, bool) or not isinstance(seed, (int, str)):
        record.refuse("seed", "a whole number or a text is needed")
    return seed


def _read_puzzle(record: _Record, number: int) -> VolumePuzzle:
    if record.get("number", int) != number:
        record.refuse("number", f"{number} is due here: puzzles are numbered 1, 2, 3…")
    solution = _read_solution(record)
    if record.get("fingerprint", str) != fingerprint(solution.puzzle):
        record.refuse(
            "fingerprint", f"the board's is {fingerprint(solution.puzzle)}; one of them was changed"
        )
    return VolumePuzzle(
        number=number,
        level=record.get("level", str),
        solution=solution,
        rule=record.word("rule", Rule),
        fingerprint=record.get("fingerprint", str),
        grade=_read_grade(record),
        score=_read_score(record),
        techniques=_read_techniques(record),
        proof=record.get("proof", str),
        seed=record.get("seed", str),
        index=record.get("slot", int),
        attempt=record.amount("attempt"),
        method=_read_method(record),
    )


def _read_solution(record: _Record) -> Solution:
    try:
        puzzle = parse_board_rows(_rows(record, "board"))
    except PuzzleError as fault:
        raise PuzzleError(f"{record.where}: board: {fault}") from None
    grid = puzzle.grid
    counted = {
        "width": grid.cols,
        "height": grid.rows,
        "pairs": len(puzzle.pairs),
        "solids": len(grid.solids),
    }
    for key, count in counted.items():
        if record.get(key, int) != count:
            record.refuse(key, f"the board has {count}")
    try:
        solution = parse_solution_rows(puzzle, _rows(record, "solution"))
    except PuzzleError as fault:
        raise PuzzleError(f"{record.where}: solution: {fault}") from None
    breaches = check_solution(solution)
    if breaches:
        raise PuzzleError(f"{record.where}: solution: {breaches[0].text}")
    return solution


def _rows(record: _Record, key: str) -> list[str]:
    rows = record.get(key, list)
    if not all(isinstance(row, str) for row in rows):
        record.refuse(key, "a list of rows, each a text, is needed")
    return rows


def _read_grade(record: _Record) -> Grade | None:
    content = record.content
    if isinstance(content, dict) and content.get("grade") is None:
        return None
    named = {grade.label: grade for grade in Grade}
    word = record.get("grade", str)
    if word not in named:
        record.refuse("grade", f"{', '.join(named)} or null is allowed")
    return named[word]


def _read_method(record: _Record) -> Method | None:
    content = record.content
    missing = isinstance(content, dict) and "method" in content and content["method"] is None
    return None if missing else record.word("method", Method)


def _read_score(record: _Record) -> int | None:
    content = record.content
    missing = isinstance(content, dict) and content.get("score") is None
    return None if missing else record.amount("score")


def _read_techniques(record: _Record) -> Mapping[str, int]:
    techniques = record.get("techniques", dict)
    for count in techniques.values():
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= MAX_AMOUNT:
            record.refuse("techniques", f"names with whole numbers from 0 to {MAX_AMOUNT:,} are needed")
    return techniques


def _check_whole(volume: Volume, record: _Record) -> None:
    for key, said, meant in (
        ("title", volume.title, volume.spec.title),
        ("seed", volume.seed, volume.spec.seed),
    ):
        if said != meant:
            record.refuse(key, f"the book's own keys say {shown(str(meant))}")
    wanted = [(level.name, level.count) for level in volume.spec.levels]
    counted = Counter(puzzle.level for puzzle in volume.puzzles)
    there = [(name, counted[name]) for name in dict.fromkeys(puzzle.level for puzzle in volume.puzzles)]
    if there != wanted:
        raise PuzzleError(
            f"{record.where}: the puzzles are {_listed(there)}; the book's levels ask for {_listed(wanted)}."
        )
    first: dict[str, int] = {}
    for puzzle in volume.puzzles:
        if first.setdefault(puzzle.fingerprint, puzzle.number) != puzzle.number:
            raise PuzzleError(
                f"{record.where}: puzzle {puzzle.number} is puzzle {first[puzzle.fingerprint]} again, as it "
                "stands, turned, mirrored or renumbered."
            )


def _listed(levels: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} in {shown(name, 40)}" for name, count in levels) or "none"
