"""Volumes: the finished puzzles of a book with its spec, saved as ``volume.json``."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, repeat
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError
from pydantic_core import to_json

from linkpress.book.puzzle_names import name_puzzles
from linkpress.book.puzzle_record import PuzzleRecord, first_problem, puzzle_json, read_puzzle
from linkpress.book.spec import BookSpec
from linkpress.documents.models import read_document
from linkpress.documents.problem import InvalidError, YamlSource, invalid, printable
from linkpress.documents.values import line_of_text
from linkpress.errors import PuzzleError, SpecError
from linkpress.files import VOLUME_FILE as VOLUME_FILE
from linkpress.files import TooLargeError, is_file, is_folder, parse_json, read_limited, refuse_pipe

# Names of the files beside ``volume.json`` in the folder of a built book. Some of them are only made if the
# spec asks for them.
INTERIOR_FILE, SOLUTIONS_FILE, COVER_FILE = "interior.pdf", "solutions.pdf", "cover.pdf"
SCREEN_FILE, EBOOK_FILE, PLAY_FILE = "screen.pdf", "book.epub", "play.html"
# This file has a hash of each page of the book's PDF files, and a hash of the e-book. They show whether these
# files have changed since the build.
PAGES_FILE = "pages.json"
FORMAT = "linkpress-volume"
FORMAT_VERSION = 1
# Largest size of a file that is read as a volume. 5,000 boards of 50 × 50 take about 130 MB.
MAX_BYTES = 256 * 1024 * 1024
# The largest number of characters in a puzzle's name. The longest names that linkpress chooses have 130.
_MOST_OF_NAME = 150


@dataclass(frozen=True, slots=True)
class NumberedPuzzle:
    """Puzzle with its printed number and name.

    Args:
        number: the number, from 1 for the first puzzle of the book.
        record: everything that is known about the puzzle.
        name: the name; empty if the puzzles of the book have no names.
    """

    number: int
    record: PuzzleRecord
    name: str = ""


@dataclass(frozen=True)
class Volume:
    """Finished puzzles of a book, and the spec that says how they are printed.

    Args:
        linkpress_version: the version of linkpress that made the puzzles.
        spec_sha256: the SHA-256 of the spec file from which the puzzles were made.
        puzzles: the puzzles in printed order.
        spec: the spec.
        names: maps the tag of a language to the names of all puzzles in this language. It only has languages
            in which names were already chosen. In another language, they are chosen when first needed.
    """

    linkpress_version: str
    spec_sha256: str
    puzzles: tuple[PuzzleRecord, ...]
    spec: BookSpec = field(repr=False)
    names: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @cached_property
    def numbered(self) -> tuple[NumberedPuzzle, ...]:
        names: Iterable[str] = repeat("")
        if self.spec.captions.titles:
            words = self.spec.wording()
            names = self.names.get(words.language) or name_puzzles(self.puzzles, words)
        return tuple(map(NumberedPuzzle, count(1), self.puzzles, names))

    @cached_property
    def json(self) -> str:
        """Text of ``volume.json``. Equal volumes always give equal texts."""
        head = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "title": self.spec.title,
            "seed": self.spec.seed,
            "linkpress_version": self.linkpress_version,
            "spec_sha256": self.spec_sha256,
            "book": self.spec.document(),
        }
        puzzles = [
            {"number": puzzle.number, **({"name": puzzle.name} if puzzle.name else {})}
            | puzzle_json(puzzle.record)
            for puzzle in self.numbered
        ]
        # ``to_json`` is seven times as fast as ``json``, but writes some floats differently, such as 1e-07.
        # The spec may contain such floats. So ``json`` writes the spec and the other keys before the puzzles,
        # and ``to_json`` writes only the puzzles.
        text = json.dumps(head, ensure_ascii=False, indent=1).removesuffix("\n}")
        return f"{text},{to_json({'puzzles': puzzles}, indent=1).decode().removeprefix('{')}\n"

    def level(self, name: str) -> tuple[PuzzleRecord, ...]:
        return tuple(puzzle for puzzle in self.puzzles if puzzle.level == name)


def printed_order(spec: BookSpec, puzzles: Iterable[PuzzleRecord]) -> tuple[PuzzleRecord, ...]:
    """Sort puzzles as they are printed: by the spec's levels, and from easy to hard in each level.

    Puzzles of the same difficulty are sorted by board size. If this is equal too, the puzzle with more paths
    per free square comes first. Ungraded puzzles come last in their level. Later,
    ``production.book_puzzles`` exchanges some neighbours of the same difficulty and size, so that fewer
    puzzles begin with the same techniques as the puzzle before.
    """
    places = {level.name: place for place, level in enumerate(spec.levels)}

    def sort_key(record: PuzzleRecord) -> tuple[float, ...]:
        grid = record.puzzle.grid
        density = len(record.puzzle.pairs) / (grid.size - len(grid.solids))
        ungraded = record.score is None
        return places[record.level], ungraded, record.score or 0, grid.size, -density, record.index

    return tuple(sorted(puzzles, key=sort_key))


def assemble(spec: BookSpec, puzzles: Iterable[PuzzleRecord], version: str) -> Volume:
    """Return a volume with the puzzles of a book in printed order.

    Args:
        spec: the spec of the book.
        puzzles: one puzzle for each slot of the book's plan.
        version: the version of linkpress that made the puzzles.
    """
    return volume_of(spec, printed_order(spec, puzzles), version)


def volume_of(spec: BookSpec, printed: tuple[PuzzleRecord, ...], version: str) -> Volume:
    return Volume(version, spec.sha256, printed, spec)


_Text = Annotated[str, Field(strict=True)]
_Number = Annotated[int, Field(strict=True)]


class _VolumeFile(BaseModel, defer_build=True):
    """Top-level keys of ``volume.json``."""

    format: _Text
    format_version: _Number
    title: _Text
    seed: Any
    linkpress_version: _Text
    spec_sha256: _Text
    book: Annotated[dict[str, Any], Field(strict=True)]
    puzzles: Annotated[list[Any], Field(strict=True)]


def volume_file(path: Path) -> Path | None:
    """Return the path of a volume's JSON file.

    Args:
        path: this file, or the folder that contains it.
    Returns:
        The path of the file. None if the given file is not a JSON file.
    """
    file = path / VOLUME_FILE if is_folder(path) else path
    return file if file.suffix == ".json" else None


def load_volume(
    path: str | Path,
    on_problem: Callable[[PuzzleError], None] | None = None,
    *,
    spec_folder: Path | None = None,
) -> Volume:
    """Read and check a saved volume.

    The check compares every solution with its board, every fingerprint with its puzzle, and the numbers of
    puzzles with the spec. It also finds puzzles that occur twice.

    Args:
        path: the file ``volume.json``.
        on_problem: function that is called with each contradiction inside the file and each unreadable
            puzzle. Then the returned volume has a copy of another puzzle in place of each unreadable one. If
            the argument is None, the first problem is raised instead.
        spec_folder: the folder from which relative paths in the spec start; by default, the folder of the
            file.
    Raises:
        PuzzleError: the file can't be read, is malformed, or contradicts itself. The message names the file
            and the puzzle.
    """
    path = Path(path)
    report = on_problem or _raise
    file = _parse_file(path, _read_content(path))
    records: list[PuzzleRecord | None] = []
    for index, item in enumerate(file.puzzles):
        try:
            records.append(_read_numbered(path, index, item))
        except PuzzleError as error:
            report(error)
            records.append(None)
    substitute = next(filter(None, records), None)
    if substitute is None:
        raise PuzzleError(f"{path}: none of its puzzles can be read.")
    volume = Volume(
        linkpress_version=file.linkpress_version,
        spec_sha256=file.spec_sha256,
        puzzles=tuple(record or substitute for record in records),
        spec=_read_spec(path, file.book, spec_folder or path.parent),
    )
    for key, value in (("title", file.title), ("seed", file.seed)):
        expected = getattr(volume.spec, key)
        expected = str(expected) if isinstance(expected, str) else expected
        if type(value) is not type(expected) or value != expected:
            in_spec = f"the book's own keys say {printable(str(expected))}"
            report(PuzzleError(f"{path}: {key}: {printable(str(value))} — {in_spec}."))
    if None not in records:
        _check_puzzles(volume, path, report)
        if names := _read_names(path, file.puzzles, report):
            return replace(volume, names={volume.spec.wording().language: names})
    return volume


def _raise(error: PuzzleError) -> None:
    raise error


def _read_content(path: Path) -> Any:
    try:
        refuse_pipe(path)
        return parse_json(read_limited(path, MAX_BYTES))
    except TooLargeError:
        raise PuzzleError(f"{path} is over {MAX_BYTES >> 20} MiB: no volume is as large as that.") from None
    except OSError as error:
        if is_file(path.parent):
            advice = "`linkpress build` makes one of a book's file"
            if path.parent.name == VOLUME_FILE:
                advice = f"give `{path.parent.parent}`"
            needed = f"a built book's folder is needed: {advice}"
            raise PuzzleError(f"{path.parent} is a file, and {needed}.") from None
        needed = "A volume.json is needed: `linkpress build` writes one into a book's folder."
        raise PuzzleError(f"{path} can't be read: {error.strerror}. {needed}") from None
    except ValueError as error:
        raise PuzzleError(f"{path} is not JSON that can be read: {error}. A volume.json is needed.") from None


def _parse_file(path: Path, content: object) -> _VolumeFile:
    if not isinstance(content, dict):
        raise PuzzleError(f"{path}: an object with the key format is needed.")
    kind, version = content.get("format"), content.get("format_version")
    if kind != FORMAT:
        needed = f"{FORMAT} is needed; this is another kind of file"
        raise PuzzleError(f"{path}: format: {printable(str(kind))} — {needed}.")
    if type(version) is int and version != FORMAT_VERSION:
        newer = "it is from a newer linkpress; update this one"
        reason = newer if version > FORMAT_VERSION else f"{FORMAT_VERSION} is the only one there is"
        raise PuzzleError(f"{path}: format_version: {version} — {reason}.")
    try:
        return _VolumeFile.model_validate(content)
    except ValidationError as error:
        raise PuzzleError(f"{path}: {first_problem(error)}.") from None


def _read_spec(path: Path, document: dict[str, Any], folder: Path) -> BookSpec:
    try:
        source = YamlSource(str(path), document, {}, {}, folder=folder)
        return _with_files(read_document(source, BookSpec).checked())
    except SpecError as error:
        raise PuzzleError(f"the book's keys in this volume are invalid: {error}") from None


def _with_files(spec: BookSpec) -> BookSpec:
    """Find the folder that contains the fonts and cover pictures of a spec, and set it as the spec's folder.

    A book is usually built into a folder below the folder of its spec. So the search begins in the folder
    that the spec has now, and goes on in the two folders above it and in the working directory. If no folder
    contains all files, return the spec unchanged.
    """
    named = [
        *(spec.fonts.files if spec.fonts else {}).values(),
        *(spec.cover.pictures if spec.cover else {}).values(),
    ]
    for folder in (spec.folder, *spec.folder.resolve().parents[:2], Path.cwd()):
        if all(is_file(folder / name) for name in named):
            return spec.in_folder(folder)
    return spec


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
    except PuzzleError as error:
        raise PuzzleError(f"{where}: {error}.") from None


def _read_names(
    path: Path, items: Sequence[dict[str, Any]], report: Callable[[PuzzleError], None]
) -> tuple[str, ...]:
    """Read the names of all puzzles in a volume file.

    Return an empty tuple if the puzzles have no names. If a name is missing, invalid or used twice, report
    this and return an empty tuple too.
    """
    if not any("name" in item for item in items):
        return ()
    reader, names = line_of_text(_MOST_OF_NAME), dict[str, int]()
    for number, item in enumerate(items, start=1):
        try:
            name = reader.read(item.get("name"))
            if names.setdefault(name, number) != number:
                raise invalid(printable(name), f"puzzle {names[name]} has this name too")
        except InvalidError as error:
            report(PuzzleError(f"{path}: puzzles[{number - 1}]: name: {error}."))
            return ()
    return tuple(names)


def _check_puzzles(volume: Volume, path: Path, report: Callable[[PuzzleError], None]) -> None:
    expected = [(level.name, level.count) for level in volume.spec.levels]
    counts = Counter(puzzle.level for puzzle in volume.puzzles)
    actual = [(name, counts[name]) for name in dict.fromkeys(puzzle.level for puzzle in volume.puzzles)]
    if actual != expected:
        in_spec = f"the book's levels ask for {_counts_text(expected)}"
        report(PuzzleError(f"{path}: the puzzles are {_counts_text(actual)}; {in_spec}."))
    first: dict[str, int] = {}
    for number, puzzle in enumerate(volume.puzzles, start=1):
        if first.setdefault(puzzle.fingerprint, number) != number:
            twice = f"puzzle {number} is puzzle {first[puzzle.fingerprint]} again"
            report(PuzzleError(f"{path}: {twice}, unchanged, turned, mirrored or renumbered."))


def _counts_text(levels: list[tuple[str, int]]) -> str:
    return ", ".join(f"{count} in {printable(name, 40)}" for name, count in levels) or "none"
