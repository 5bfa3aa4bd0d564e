"""``volume.json``, the lasting record of a book's puzzles, is written and read back here."""

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from linkpress.book.puzzle_record import PuzzleRecord, first_problem, puzzle_json, read_puzzle
from linkpress.book.spec import BookSpec
from linkpress.documents.json_text import parse_json
from linkpress.documents.models import read_document
from linkpress.documents.problem import YamlSource, printable
from linkpress.errors import PuzzleError, SpecError
from linkpress.files import VOLUME_FILE as VOLUME_FILE
from linkpress.files import TooLargeError, is_file, is_folder, read_limited

# What lies beside it in a built book's folder, as far as its spec wants it.
INTERIOR_FILE, SOLUTIONS_FILE, COVER_FILE = "interior.pdf", "solutions.pdf", "cover.pdf"
SCREEN_FILE, EBOOK_FILE, PLAY_FILE = "screen.pdf", "book.epub", "play.html"
FORMAT = "linkpress-volume"
FORMAT_VERSION = 1
# 5,000 boards of 50 × 50 take about 130 MB.
MAX_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class NumberedPuzzle:
    """A numbered puzzle has the number that is printed at it, 1… through the book."""

    number: int
    record: PuzzleRecord


@dataclass(frozen=True, slots=True)
class Volume:
    """A volume holds a book's puzzles in printed order, and the spec to typeset them by.

    Args:
        linkpress_version: the version that made the puzzles.
        spec_sha256: the digest of the spec file that they were made from.
        puzzles: the puzzles in printed order; the first is number 1.
        spec: every key of the book, as it was.
    """

    linkpress_version: str
    spec_sha256: str
    puzzles: tuple[PuzzleRecord, ...]
    spec: BookSpec = field(repr=False)

    @property
    def numbered(self) -> tuple[NumberedPuzzle, ...]:
        """Return the puzzles with their numbers."""
        return tuple(NumberedPuzzle(number, puzzle) for number, puzzle in enumerate(self.puzzles, start=1))

    def level(self, name: str) -> tuple[PuzzleRecord, ...]:
        """Return a level's puzzles in printed order."""
        return tuple(puzzle for puzzle in self.puzzles if puzzle.level == name)


def printed_order(spec: BookSpec, puzzles: Iterable[PuzzleRecord]) -> tuple[PuzzleRecord, ...]:
    """Order puzzles as they are printed: levels stand in the spec's order, and stars rise in each.

    A level with puzzles that 0.1.0 or 0.2.0 scored is ordered by grade first, as these did.
    """
    puzzles = tuple(puzzles)
    places = {level.name: place for place, level in enumerate(spec.levels)}
    earlier = {puzzle.level for puzzle in puzzles if puzzle.score is not None and puzzle.measure is None}

    def difficulty(record: PuzzleRecord) -> tuple[float, ...]:
        grade = int(record.grade or 0) if record.level in earlier else 0
        grid = record.puzzle.grid
        density = len(record.puzzle.pairs) / len(grid.free_cells)
        is_unknown = record.score is None
        return (places[record.level], is_unknown, grade, record.score or 0, grid.size, -density, record.index)

    return tuple(sorted(puzzles, key=difficulty))


def assemble(spec: BookSpec, puzzles: Iterable[PuzzleRecord], version: str) -> Volume:
    """Put a book's puzzles, one for each slot, in printed order."""
    return volume_of(spec, printed_order(spec, puzzles), version)


def volume_of(spec: BookSpec, printed: tuple[PuzzleRecord, ...], version: str) -> Volume:
    """Return the volume of puzzles that are in printed order."""
    return Volume(version, spec.sha256, printed, spec)


def volume_json(volume: Volume) -> str:
    """Write a volume as the text of ``volume.json``; the same volume gives the same text."""
    content = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "title": volume.spec.title,
        "seed": volume.spec.seed,
        "linkpress_version": volume.linkpress_version,
        "spec_sha256": volume.spec_sha256,
        "book": volume.spec.document(),
        "puzzles": [{"number": puzzle.number, **puzzle_json(puzzle.record)} for puzzle in volume.numbered],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


_Text = Annotated[str, Field(strict=True)]
_Number = Annotated[int, Field(strict=True)]


class _File(BaseModel, defer_build=True):
    """The file has these keys; its book and puzzles are read one by one."""

    format: _Text
    format_version: _Number
    title: _Text
    seed: Any
    linkpress_version: _Text
    spec_sha256: _Text
    book: Annotated[dict[str, Any], Field(strict=True)]
    puzzles: Annotated[list[Any], Field(strict=True)]


def _refuse(fault: PuzzleError) -> None:
    raise fault


def volume_file(path: Path) -> Path | None:
    """Return the ``volume.json`` that a path names, itself or by its folder; None for a puzzle file."""
    file = path / VOLUME_FILE if is_folder(path) else path
    return file if file.suffix == ".json" else None


def load_volume(path: Path, contradict: Callable[[PuzzleError], None] = _refuse) -> Volume:
    """Read and check a saved volume.

    Every solution is a right filling of its board, every fingerprint its board's, counts and numbers
    hold, and no puzzle is there twice.

    Args:
        contradict: takes each fault of a volume that contradicts itself, or of which a puzzle can't
            be read; another puzzle then stands in that one's place.
    Raises:
        PuzzleError: it can't be read, is malformed, or contradicts itself; names file and puzzle.
    """
    try:
        content = parse_json(read_limited(path, MAX_BYTES))
    except TooLargeError:
        raise PuzzleError(f"{path} is over {MAX_BYTES >> 20} MiB: no volume is as large as that.") from None
    except OSError as fault:
        if is_file(path.parent):
            at_volume = path.parent.name == VOLUME_FILE
            advice = (
                f"give {path.parent.parent}" if at_volume else "`linkpress build` makes one of a book's file"
            )
            raise PuzzleError(
                f"{path.parent} is a file, and a built book's folder is needed: {advice}."
            ) from None
        needed = "A volume.json is needed: `linkpress build` writes one into a book's folder."
        raise PuzzleError(f"{path} can't be read: {fault.strerror}. {needed}") from None
    except ValueError as fault:
        raise PuzzleError(f"{path} is not JSON that can be read: {fault}. A volume.json is needed.") from None
    file = _read_file(path, content)
    read: list[PuzzleRecord | None] = []
    for index, item in enumerate(file.puzzles):
        try:
            read.append(_read_numbered(path, index, item))
        except PuzzleError as fault:
            contradict(fault)
            read.append(None)
    readable = next(filter(None, read), None)
    if readable is None:
        raise PuzzleError(f"{path}: the puzzles are none that can be read.")
    volume = Volume(
        linkpress_version=file.linkpress_version,
        spec_sha256=file.spec_sha256,
        puzzles=tuple(record or readable for record in read),
        spec=_read_spec(path, file.book),
    )
    for key, found in (("title", file.title), ("seed", file.seed)):
        meant = getattr(volume.spec, key)
        meant = str(meant) if isinstance(meant, str) else meant
        if type(found) is not type(meant) or found != meant:
            own = f"the book's own keys say {printable(str(meant))}"
            contradict(PuzzleError(f"{path}: {key}: {printable(str(found))} — {own}."))
    if None not in read:
        _check_puzzles(volume, path, contradict)
    return volume


def _read_file(path: Path, content: object) -> _File:
    if not isinstance(content, dict):
        raise PuzzleError(f"{path}: an object with the key format is needed.")
    kind, version = content.get("format"), content.get("format_version")
    if kind != FORMAT:
        raise PuzzleError(
            f"{path}: format: {printable(str(kind))} — {FORMAT} is needed; this is another kind of file."
        )
    if type(version) is int and version != FORMAT_VERSION:
        newer = "it is from a newer linkpress; update this one"
        why = newer if version > FORMAT_VERSION else f"{FORMAT_VERSION} is the only one there is"
        raise PuzzleError(f"{path}: format_version: {version} — {why}.")
    try:
        return _File.model_validate(content)
    except ValidationError as error:
        raise PuzzleError(f"{path}: {first_problem(error)}.") from None


def _read_spec(path: Path, document: dict[str, Any]) -> BookSpec:
    try:
        return read_document(YamlSource(str(path), document, {}, {}), BookSpec).checked()
    except SpecError as fault:
        raise PuzzleError(f"the book's keys in this volume don't hold: {fault}") from None


def _read_numbered(path: Path, index: int, item: object) -> PuzzleRecord:
    where = f"{path}: puzzles[{index}]"
    if not isinstance(item, dict):
        raise PuzzleError(f"{where}: an object with the key number is needed.")
    number = item.get("number")
    if type(number) is not int or number != index + 1:
        raise PuzzleError(
            f"{where}: number: {printable(str(number))} — {index + 1} is needed: puzzles count 1, 2, 3…."
        )
    try:
        return read_puzzle(item)
    except PuzzleError as fault:
        raise PuzzleError(f"{where}: {fault}.") from None


def _check_puzzles(volume: Volume, path: Path, contradict: Callable[[PuzzleError], None]) -> None:
    wanted = [(level.name, level.count) for level in volume.spec.levels]
    counted = Counter(puzzle.level for puzzle in volume.puzzles)
    found = [(name, counted[name]) for name in dict.fromkeys(puzzle.level for puzzle in volume.puzzles)]
    if found != wanted:
        asked = f"the book's levels ask for {_counts_of(wanted)}"
        contradict(PuzzleError(f"{path}: the puzzles are {_counts_of(found)}; {asked}."))
    first: dict[str, int] = {}
    for number, puzzle in enumerate(volume.puzzles, start=1):
        if first.setdefault(puzzle.fingerprint, number) != number:
            twice = f"puzzle {number} is puzzle {first[puzzle.fingerprint]} again"
            contradict(PuzzleError(f"{path}: {twice}, as it stands, turned, mirrored or renumbered."))


def _counts_of(levels: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} in {printable(name, 40)}" for name, count in levels) or "none"
