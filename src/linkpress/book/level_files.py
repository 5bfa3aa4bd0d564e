"""This module reads what a level takes from files: its boards, or the shape that its solids have.

``from: puzzles.txt``, or a book's ``volume.json``, gives a level its boards. ``solids: {mask: heart}`` draws
which squares of a board are solid: a mask is a text with ``#`` for a solid and ``.`` for a free square, or a
picture in which dark is solid.
"""

import contextlib
import dataclasses
import io
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from linkpress.book.recipe_values import COUNTED_SOLIDS, MAX_SIZES, SIZES, BoardSize, SolidCount
from linkpress.documents.json_text import parse_json
from linkpress.documents.models import SpecModel, read_values
from linkpress.documents.problem import InvalidError, Problem, YamlSource, invalid, shown
from linkpress.documents.shipped_files import MASKS, MAX_PATH, NAME_OR_PATH, beside, read_named
from linkpress.documents.values import ValueReader, YesNo, written
from linkpress.engine.recipe import Span, counted
from linkpress.errors import PuzzleError, UsageError
from linkpress.files import read_limited
from linkpress.puzzle.notation.link_text import grid_rows, parse_board_rows, parse_grid
from linkpress.puzzle.notation.notations import decode, read_located_puzzles
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Grid, Puzzle

FILE_KEY = "from"
_LEVEL_KEY = "from_level"
MAX_BOARDS_BYTES = 16 << 20  # 5,000 boards of 40 × 40
_MAX_VOLUME_BYTES = 256 << 20  # as many, with their answers and grades
_NO_VOLUME = "it is JSON, but not the volume.json of a book"
_SOLIDS = "solids"
_MOST_MB = 16
_MOST_PIXELS = 40_000_000
_DARK = 128  # of 256: what is darker, as the mean of a square's pixels, is solid
_KINDS = ("PNG", "BMP", "GIF", "JPEG", "TIFF", "WEBP")
_WORDS = "a shape's name, the path of a text or picture, or rows of `#` and `.`"


def load_mask(name_or_path: str | Path, rows: int | None = None, cols: int | None = None) -> Grid:
    """Load the solids of a board in a shape.

    Args:
        name_or_path: a shipped shape's name, or a user's text or picture.
        rows, cols: of the board, into which a picture is divided; each of its pixels is a square if None.
    Raises:
        UsageError: there is no such shape and no such file, or it can't be read as a mask.
    """
    path = MASKS.find(name_or_path)
    content = read_named(path, "mask", _MOST_MB, "; a picture of a pixel for each square will do")
    try:
        # Pictures have zeros in their first bytes, and texts none.
        return _of_picture(content, rows, cols) if b"\0" in content else parse_grid(decode(content))
    except PuzzleError as fault:
        raise UsageError(f"{shown(str(path), 300)} is no mask: {fault}", "mask") from None


def _of_picture(content: bytes, rows: int | None, cols: int | None) -> Grid:
    from PIL import Image

    try:
        with warnings.catch_warnings(action="ignore"):  # of odd and of large ones
            picture = Image.open(io.BytesIO(content), formats=_KINDS)
            width, height = picture.size
            size = (cols or width, rows or height)
            if max(size) > MAX_SIDE or min(size) < MIN_SIDE:
                raise PuzzleError(
                    f"a picture of {width} × {height} pixels; give `size`, and it is divided into squares"
                )
            if width * height > _MOST_PIXELS:
                raise PuzzleError(f"a picture of {width} × {height} pixels is larger than any mask needs")
            clear = picture.convert("RGBA")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):  # what Pillow says of damage
        raise PuzzleError("it is neither text nor a picture that is whole, as a PNG") from None
    paper = Image.new("RGBA", clear.size, "white")
    grey = Image.alpha_composite(paper, clear).convert("L").resize(size, Image.Resampling.BOX)
    return Grid(
        size[1], size[0], frozenset(cell for cell, light in enumerate(grey.tobytes()) if light < _DARK)
    )


def _read_mask(value: object) -> Grid:
    try:
        if isinstance(value, (list, tuple)):
            return parse_grid("\n".join(written(row, _WORDS) for row in value))
        return load_mask(NAME_OR_PATH.read(written(value, _WORDS)))
    except (PuzzleError, UsageError) as fault:
        raise invalid(shown(str(value)), str(fault)) from None


class MaskKeys(SpecModel):
    """These keys give the shape in which the solids of each board lie."""

    mask: Annotated[
        Grid,
        MASKS,
        ValueReader(
            _read_mask,
            _WORDS,
            {
                "anyOf": [
                    {"type": "string", "minLength": 1, "maxLength": MAX_PATH},
                    {
                        "type": "array",
                        "items": {"type": "string"},
                        "minItems": MIN_SIDE,
                        "maxItems": MAX_SIDE,
                    },
                ]
            },
            lambda grid: list(grid_rows(grid)),
        ),
    ]
    """A shipped shape, the path of a text (`#` solid, `.` free) or of a black-and-white picture (black is
    solid), or rows of such squares."""
    inverted: YesNo = False
    """Whether the free squares are solid instead, and the solid ones free."""

    @property
    def grid(self) -> Grid:
        """Return the solids, as boards have them."""
        if not self.inverted:
            return self.mask
        return dataclasses.replace(self.mask, solids=frozenset(self.mask.free_cells))

    @property
    def size(self) -> BoardSize:
        """Return the board's size."""
        return BoardSize(self.mask.rows, self.mask.cols)

    def span(self, _size: BoardSize) -> Span:
        """Return the count of solids, whatever board is asked for."""
        return Span(len(self.grid.solids), len(self.grid.solids))

    def __str__(self) -> str:
        return f"a mask of {self.size.sides}"


def _read_solids(value: object) -> SolidCount | MaskKeys:
    return read_values(value, MaskKeys) if isinstance(value, Mapping) else COUNTED_SOLIDS.read(value)


class _SolidsReader(ValueReader):
    def __get_pydantic_json_schema__(self, *_: object) -> dict[str, Any]:
        """Return the JSON Schema, which takes long for a mask and is seldom asked for."""
        return {"anyOf": [self.schema, MaskKeys.model_json_schema()]}


Solids = Annotated[
    SolidCount | MaskKeys,
    _SolidsReader(
        _read_solids,
        f"{COUNTED_SOLIDS.words}, or `{{mask: heart}}`",
        COUNTED_SOLIDS.schema,
        lambda solids: solids.model_dump(mode="json") if isinstance(solids, MaskKeys) else str(solids),
    ),
]


def take_masks(source: YamlSource, key: str, folder: Path) -> tuple[YamlSource, list[Problem]]:
    """Return a spec with the rows and sizes of its recipes' masks, and faults; ``key`` holds the recipes."""
    return _taken(source, key, lambda _, keys: with_mask(keys, folder), {_SOLIDS: None})


def _taken(
    source: YamlSource,
    key: str,
    read: Callable[[Any, Mapping[str, Any]], Mapping[str, Any]],
    instead: Mapping[str, Any],
) -> tuple[YamlSource, list[Problem]]:
    """Give the recipes of a spec what is read for them.

    Args:
        read: returns a recipe's keys, by its place and those that it has.
        instead: keys by which a recipe, as if it made small boards, is judged for its other faults.
    """
    recipes, problems = source.value.get(key), []
    if not isinstance(recipes, (list, dict)):
        return source, []
    taken = dict(enumerate(recipes)) if isinstance(recipes, list) else dict(recipes)
    for place, keys in taken.items():
        try:
            taken[place] = read(place, keys) if isinstance(keys, dict) else keys
        except InvalidError as fault:
            problems += [
                source.problem((key, place, *problem.key), problem.found, problem.message)
                for problem in fault.problems
            ]
            taken[place] = {"size": "7", **keys, **instead}
    whole = list(taken.values()) if isinstance(recipes, list) else taken
    return dataclasses.replace(source, value={**source.value, key: whole}), problems


def with_mask(keys: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a recipe's keys with its mask's rows and size, if any; raise ``InvalidError`` for a bad one."""
    solids, sizes = keys.get(_SOLIDS), ()
    if not isinstance(solids, Mapping) or solids.get("mask") is None:
        return dict(keys)
    name = solids["mask"]
    with contextlib.suppress(InvalidError):  # a size that is none is reported where it is read
        sizes = SIZES.read(keys["size"]) if keys.get("size") is not None else ()
    size = (sizes[0].rows, sizes[0].cols) if len(sizes) == 1 else ()
    try:
        grid = load_mask(beside(name, folder), *size) if isinstance(name, str) else _read_mask(name)
    except UsageError as fault:
        raise InvalidError(Problem(shown(name), str(fault), (_SOLIDS, "mask"))) from None
    except InvalidError as fault:
        raise InvalidError(*(problem.below("mask").below(_SOLIDS) for problem in fault.problems)) from None
    taken = {**keys, _SOLIDS: {**solids, "mask": list(grid_rows(grid))}}
    return taken if sizes else {**taken, "size": keys.get("size") or BoardSize(grid.rows, grid.cols).sides}


class FileBoard(NamedTuple):
    """A file's board has been read; its line, counted from 1, is that on which its record begins."""

    puzzle: Puzzle
    line: int


Boards = Mapping[int, tuple[FileBoard, ...]]  # by the level's place, from 0


def take_boards(source: YamlSource, folder: Path) -> tuple[YamlSource, Boards, list[Problem]]:
    """Return a spec with the sizes of levels from files, their boards by level, and the problems."""
    boards: dict[int, tuple[FileBoard, ...]] = {}

    def read(place: int, level: Mapping[str, Any]) -> Mapping[str, Any]:
        if not isinstance(level.get(FILE_KEY), str):
            return level
        boards[place] = _boards_of(level, folder)
        return {**level, "size": [str(size) for size in _sizes(boards[place])]}

    source, problems = _taken(source, "levels", read, {})
    return source, boards, problems


def _boards_of(level: Mapping[str, Any], folder: Path) -> tuple[FileBoard, ...]:
    name, count, from_level = level[FILE_KEY], level.get("count"), level.get(_LEVEL_KEY)
    if "size" in level:
        raise _fault("size", "", "the boards of `from` have their sizes; leave it out")
    try:
        found = _read(folder / name, from_level if isinstance(from_level, str) else None)
    except (OSError, PuzzleError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise _fault(FILE_KEY, name, f"it can't be read: {reason}") from None
    wanted = int(count) if isinstance(count, str) and count.isascii() and count.isdigit() else len(found)
    if wanted > len(found):
        where = f" of level {from_level}" if from_level else ""
        raise _fault("count", str(wanted), f"{name} holds {counted(len(found), 'puzzle')}{where}")
    boards = tuple(found[:wanted])
    if len(_sizes(boards)) > MAX_SIZES:
        message = f"its boards have {len(_sizes(boards))} sizes; at most {MAX_SIZES} in a level"
        raise _fault(FILE_KEY, name, message)
    return boards


def _fault(key: str, found: str, message: str) -> InvalidError:
    return InvalidError(Problem(found, message, (key,)))


def _sizes(boards: Iterable[FileBoard]) -> list[BoardSize]:
    grids = {(board.puzzle.grid.rows, board.puzzle.grid.cols) for board in boards}
    return [BoardSize(*size) for size in sorted(grids)]


def _read(path: Path, level: str | None) -> list[FileBoard]:
    if path.exists() and not path.is_file():
        raise PuzzleError("it is not a file")
    if path.suffix.lower() == ".json":
        return _of_volume(read_limited(path, _MAX_VOLUME_BYTES), level)
    if level is not None:
        raise _fault(_LEVEL_KEY, level, "only a volume.json has levels; leave it out")
    content = decode(read_limited(path, MAX_BOARDS_BYTES))
    found = [FileBoard(puzzle, line) for line, puzzle in read_located_puzzles(content)]
    if not found:
        raise PuzzleError("it holds no puzzle; link text is a line `W H`, then H rows of W squares")
    return found


def _of_volume(content: bytes, level: str | None) -> list[FileBoard]:
    """Read a book's boards in their printed order; its answers, proofs and grades are not taken over."""
    try:
        volume = parse_json(content)
        boards = [(puzzle["board"], puzzle["level"]) for puzzle in volume["puzzles"]]
    except ValueError as fault:
        raise PuzzleError(f"it is not JSON: {fault}") from None
    except (TypeError, KeyError):
        raise PuzzleError(_NO_VOLUME) from None
    # A quotation mark inside a text is written \", so that these are keys.
    lines = [content.count(b"\n", 0, key.start()) + 1 for key in re.finditer(rb'"board"\s*:', content)]
    if not boards or len(lines) != len(boards):
        raise PuzzleError(_NO_VOLUME)
    names = dict.fromkeys(str(name) for _, name in boards)
    if level is not None and level not in names:
        raise _fault(_LEVEL_KEY, level, f"there is no such level in it; its levels: {', '.join(names)}")
    found = []
    for number, ((rows, name), line) in enumerate(zip(boards, lines, strict=True), start=1):
        if level not in (None, name):
            continue
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
            raise PuzzleError(_NO_VOLUME)
        try:
            found.append(FileBoard(parse_board_rows(rows), line))
        except PuzzleError as fault:
            raise PuzzleError(f"puzzle {number}: {fault}") from None
    return found
