"""Reading ``volume.json`` back, believing nothing of it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from linkpress.book.puzzle_record import PuzzleRecord, first_fault, read_puzzle
from linkpress.book.spec import BookSpec
from linkpress.book.volume import FORMAT, FORMAT_VERSION, Volume
from linkpress.config.json_text import parse_json
from linkpress.config.models import check_model
from linkpress.config.problem import YamlSource, shown
from linkpress.errors import PuzzleError, SpecError
from linkpress.files import TooLargeError, read_within

# 5,000 boards of 50 × 50 take about 130 MB.
MAX_BYTES = 256 * 1024 * 1024

_Text = Annotated[str, Field(strict=True)]
_Number = Annotated[int, Field(strict=True)]


class _File(BaseModel):
    """What stands in the file; the book and the puzzles are read one by one."""

    format: _Text
    format_version: _Number
    title: _Text
    seed: Any
    linkpress_version: _Text
    spec_sha256: _Text
    book: Annotated[dict[str, Any], Field(strict=True)]
    puzzles: Annotated[list[Any], Field(strict=True)]


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
    try:
        content = parse_json(read_within(path, MAX_BYTES))
    except TooLargeError:
        raise PuzzleError(f"{path} is over {MAX_BYTES >> 20} MiB: no volume is as large as that.") from None
    except OSError as fault:
        raise PuzzleError(f"{path} can't be read: {fault.strerror}. A volume.json is needed.") from None
    except ValueError as fault:
        raise PuzzleError(f"{path} is not JSON that can be read: {fault}. A volume.json is needed.") from None
    file = _read_file(path, content)
    volume = Volume(
        title=file.title,
        seed=file.seed,
        linkpress_version=file.linkpress_version,
        spec_sha256=file.spec_sha256,
        puzzles=tuple(_read_numbered(path, at, item) for at, item in enumerate(file.puzzles)),
        spec=_read_spec(path, file.book),
    )
    _check_whole(volume, path)
    return volume


def _read_file(path: Path, content: object) -> _File:
    if not isinstance(content, dict):
        raise PuzzleError(f"{path}: an object with the key format is needed.")
    kind, version = content.get("format"), content.get("format_version")
    if kind != FORMAT:
        raise PuzzleError(
            f"{path}: format: {shown(str(kind))} — {FORMAT} is needed; this is another kind of file."
        )
    if type(version) is int and version != FORMAT_VERSION:
        newer = "it is from a newer linkpress; update this one"
        why = newer if version > FORMAT_VERSION else f"{FORMAT_VERSION} is the only one there is"
        raise PuzzleError(f"{path}: format_version: {version} — {why}.")
    try:
        return _File.model_validate(content)
    except ValidationError as error:
        raise PuzzleError(f"{path}: {first_fault(error)}.") from None


def _read_spec(path: Path, document: dict[str, Any]) -> BookSpec:
    try:
        return check_model(YamlSource(str(path), document, {}, {}), BookSpec)
    except SpecError as fault:
        raise PuzzleError(f"the book's keys in this volume don't hold: {fault}") from None


def _read_numbered(path: Path, at: int, item: object) -> PuzzleRecord:
    where = f"{path}: puzzles[{at}]"
    if not isinstance(item, dict):
        raise PuzzleError(f"{where}: an object with the key number is needed.")
    number = item.get("number")
    if type(number) is not int or number != at + 1:
        raise PuzzleError(
            f"{where}: number: {shown(str(number))} — {at + 1} is due here: puzzles are numbered 1, 2, 3…."
        )
    try:
        return read_puzzle(item)
    except PuzzleError as fault:
        raise PuzzleError(f"{where}: {fault}.") from None


def _check_whole(volume: Volume, path: Path) -> None:
    for key, said, meant in (
        ("title", volume.title, volume.spec.title),
        ("seed", volume.seed, volume.spec.seed),
    ):
        if type(said) is not type(meant) or said != meant:
            raise PuzzleError(
                f"{path}: {key}: {shown(str(said))} — the book's own keys say {shown(str(meant))}."
            )
    wanted = [(level.name, level.count) for level in volume.spec.levels]
    counted = Counter(puzzle.level for puzzle in volume.puzzles)
    there = [(name, counted[name]) for name in dict.fromkeys(puzzle.level for puzzle in volume.puzzles)]
    if there != wanted:
        raise PuzzleError(
            f"{path}: the puzzles are {_listed(there)}; the book's levels ask for {_listed(wanted)}."
        )
    first: dict[str, int] = {}
    for number, puzzle in enumerate(volume.puzzles, start=1):
        if first.setdefault(puzzle.fingerprint, number) != number:
            raise PuzzleError(
                f"{path}: puzzle {number} is puzzle {first[puzzle.fingerprint]} again, as it "
                "stands, turned, mirrored or renumbered."
            )


def _listed(levels: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} in {shown(name, 40)}" for name, count in levels) or "none"
