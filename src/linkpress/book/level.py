"""Keys of a level of a book: the recipe of its puzzles, masks for solid squares, and boards from a file.

- Recipe: the size of the boards, the number of paths, the difficulty and so on (``RecipeKeys``). The weekdays
  of a newspaper feed have these keys too.
- Mask, as in ``solids: {mask: heart}``: says which squares of a board are solid. A mask is a text with ``#``
  for a solid square and ``.`` for a free one, or a picture whose dark parts are solid.
- Picture, as in ``reveal: fish``: appears when the paths of an answer are coloured. It is a text with a
  letter for the colour of each square, or a picture file.
- File of boards, as in ``from: puzzles.txt``: the level prints the puzzles of this file, or of the
  ``volume.json`` of another book, and needs no recipe.

The text below a key is its description in the documentation, in editors and in the studio.
"""

import contextlib
import dataclasses
import io
import math
import re
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar

from pydantic import ConfigDict, Field, model_validator

from linkpress.book.difficulty_forecast import (
    HARDER_EASY,
    PLENTY,
    difficulty_problem,
    forecast_of_any,
    usual_sizes,
)
from linkpress.book.key_values import (
    ALLOWED_SIZES,
    COUNTED_SOLIDS,
    MAX_PUZZLES,
    MAX_SIZES,
    MIN_WALK_SIDE,
    SIZES,
    BoardSize,
    DifficultyOrMix,
    Mix,
    Paths,
    PerPageChoice,
    Sizes,
    SolidCount,
    Techniques,
    difficulty_per_puzzle,
    parts_of,
    puzzles_a_page,
)
from linkpress.book.mixes import MIX, expand_mix, mix_problems, without_mix
from linkpress.documents.models import Readable, SpecModel, read_values
from linkpress.documents.problem import InvalidError, KeyPath, Problem, YamlSource, invalid, printable
from linkpress.documents.shipped_files import (
    MASKS,
    MAX_PATH,
    NAME_OR_PATH,
    PICTURES,
    FilePath,
    read_named,
    resolve_name,
)
from linkpress.documents.values import (
    DefaultText,
    Share,
    ValueReader,
    YesNo,
    line_of_text,
    number,
    one_of,
    percent_text,
    scalar_text,
    whole_number,
)
from linkpress.engine.difficulty import Difficulty, choose_paths, difficulty_words
from linkpress.engine.recipe import (
    Method,
    NumberPattern,
    Pattern,
    Recipe,
    Rule,
    Span,
    classic_conflicts,
    counted,
    fewest_in,
    fewest_paths,
    islands,
    longest_path,
    recipe_problem,
    solid_counts,
)
from linkpress.errors import PuzzleError, UsageError
from linkpress.files import parse_json, read_limited
from linkpress.puzzle.link_text import grid_rows, parse_board_rows, parse_grid
from linkpress.puzzle.notations import decode, read_located_puzzles
from linkpress.puzzle.picture import Picture, parse_picture, picture_of, with_colours
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Grid, Puzzle

if TYPE_CHECKING:
    from PIL.Image import Image

_Shape = TypeVar("_Shape", Grid, Picture)
FILE_KEY = "from"
_LEVEL_KEY = "from_level"
_SOLIDS_KEY = "solids"
_REVEAL_KEY = "reveal"
PRINTED_LEVEL_KEYS = frozenset({"per_page", "target_minutes", "title"})
"""Keys of a level that only affect printing; its puzzles depend on all others."""
LEAST_EFFORT, MOST_EFFORT = 0.1, 1000

# File limits
MAX_BOARDS_BYTES = 16 << 20  # a file with 5,000 boards of 40 × 40 squares is smaller than this
_MAX_VOLUME_BYTES = 256 << 20  # a ``volume.json`` with 5,000 boards of 40 × 40 squares is smaller than this
_MAX_MASK_MB = 16
_MAX_MASK_PIXELS = 40_000_000
# A square of a mask is solid if the mean brightness of its pixels, from 0 to 255, is below this.
_DARK = 128
_PICTURE_KINDS = ("PNG", "BMP", "GIF", "JPEG", "TIFF", "WEBP")
# The colour of a square is found from its pixels. To make this fast, a picture file is first scaled so that
# each side of a square has this many pixels. A picture with one pixel per square is not scaled.
_PIXELS_OF_SQUARE = 8
_PICTURE_WORDS = "a picture's name, the path of a text or picture, or rows of letters"
_MASK_WORDS = "a shape's name, the path of a text or picture, or rows of `#` and `.`"
_NO_VOLUME = "it is JSON, but not the volume.json of a book"

# Recipe defaults

# If the key `paths` is left out, a board has between one path for every 10 free squares and one for every 7.
# So 7 × 7 boards have 5-7 paths, 10 × 10 boards 10-15, and 20 × 20 boards 40-58.
_LONG_PATH, _SHORT_PATH = 10, 7
# A picture is divided into regions of one colour. By default, a region has at least one path for every 8
# squares, and at most one path for every 5 squares. With these limits, each of 750 boards of the shipped
# pictures could be generated. Each board took 36 ms for the picture of a flower, and 0.6 to 2.1 ms for the
# other pictures. Shapes of up to 8 × 8 squares have the same limits, because their narrow parts have no room
# for long paths.
_LONG_IN_REGION, _SHORT_IN_REGION = 8, 5
_SMALL_SHAPE = 64
_WALK_SHORTEST, _CLASSIC_SHORTEST = 3, 2

# By default no path covers more than 60 % of the board, and no more than half of the pairs have both numbers
# on the border. These limits don't slow down the search for puzzles. 7 × 7 boards with 3 paths needed 57
# attempts per puzzle without the limits and 58 with them. 9 × 9 boards with 4 paths needed 283 attempts with
# the limits and without them.
_LONGEST_SHARE, _BORDER_SHARE = 0.6, 0.5
_SHARES = ("longest_share", "border_share", "border_numbers")
# If a board has at most this many paths, a path may have to cover most of the board. So there are no default
# limits for the length of its paths and for pairs on the border.
_PATHS_WITHOUT_LIMITS = 2

# Minimum number of rows and columns of a large board. With `composed: no`, large boards have default limits
# of their own, which avoid short paths and numbers on the border. So they look more like published puzzles.
# On boards of 10 × 10 with 8-10 paths, the limits reduced the paths with at most one turn from 31 to 19 % of
# all paths, and the pairs that are two squares apart from 11 to 3 % of all pairs. Generating a board takes no
# longer with the limits.
_LARGE_SIDE = 10
# Default limits for boards of at least 10 × 10 squares with `composed: no`: the minimum length of a path in
# squares, the maximum share of pairs with both numbers on the border, and a factor for the maximum share of
# numbers on the border. If 36 % of all squares are on the border, for example, it may have at most 0.7 × 36 %
# of the numbers.
_LARGE_SHORTEST, _LARGE_BORDER_SHARE, _LARGE_BORDER_NUMBERS = 5, 0.2, 0.7
# Boards of at least 10 × 10 squares with `composed: no` have a default for the shortest path: 5 squares if
# there are at least 6.5 free squares per path, and 4 squares if there are at least 5. Boards with fewer than
# 5 paths don't get this default.
_ROOM_FOR_5, _ROOM_FOR_4, _FEWEST_PATHS = 6.5, 5.0, 5
# A level with neither a size nor a difficulty is reported as a problem. Its other keys are still checked, as
# if its boards had this size.
_SIZES_IF_MISSING = (BoardSize(7, 7),)
# If a level has no size, linkpress chooses a board size that suits the difficulty. Such boards have at most
# this number of squares along each side.
_LARGEST_DEFAULT = 20
# By default, boards of at least 8 × 8 squares have `composed: yes`, so that they look as if an author had
# composed them. On about half of the boards from 10 × 10 to 15 × 15 without solid squares, the places of the
# numbers also form a symmetric pattern.
_COMPOSED_SIDE, _MIXED_MOST = 8, 15


# Masks


def load_mask(name_or_path: str | Path, rows: int | None = None, cols: int | None = None) -> Grid:
    """Load a mask: the grid of a board with its solid squares.

    Args:
        name_or_path: the name of a shipped mask, or the path of a text or picture.
        rows: the number of rows into which a picture is divided; None for one row per pixel.
        cols: the number of columns into which a picture is divided; None for one column per pixel.
    Raises:
        UsageError: there is no such mask and no such file, or the content of the file is not a mask.
    """
    path = MASKS.find(name_or_path)
    content = read_named(path, "mask", _MAX_MASK_MB, "; a picture with one pixel for each square is enough")
    try:
        # A picture file contains zero bytes, and a text never does.
        return _read_mask_picture(content, rows, cols) if b"\0" in content else parse_grid(decode(content))
    except PuzzleError as error:
        raise UsageError(f"{printable(str(path), 300)} is no mask: {error}", "mask") from None


def _open_picture(content: bytes, rows: int | None, cols: int | None) -> tuple["Image", tuple[int, int]]:
    """Open a picture file that is to be divided into squares.

    Args:
        content: the content of the file.
        rows: the number of rows of squares; None for one row per pixel.
        cols: the number of columns of squares; None for one column per pixel.
    Returns:
        The picture in RGBA, and its numbers of columns and rows of squares.
    Raises:
        PuzzleError: the file is damaged or is not a picture, or the picture has too many pixels, or the
            number of squares is too small or too large.
    """
    from PIL import Image

    try:
        # Ignore Pillow's warnings, for example about very large pictures. Those are refused below.
        with warnings.catch_warnings(action="ignore"):
            picture = Image.open(io.BytesIO(content), formats=_PICTURE_KINDS)
            width, height = picture.size
            size = (cols or width, rows or height)
            if max(size) > MAX_SIDE or min(size) < MIN_SIDE:
                raise PuzzleError(
                    f"a picture of {width} × {height} pixels; give `size`, and it is divided into squares"
                )
            if width * height > _MAX_MASK_PIXELS:
                raise PuzzleError(f"a picture of {width} × {height} pixels is larger than any board needs")
            return picture.convert("RGBA"), size
    # Pillow raises these errors for damaged files.
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        raise PuzzleError("it is neither text nor an undamaged picture, such as a PNG") from None


def _read_mask_picture(content: bytes, rows: int | None, cols: int | None) -> Grid:
    from PIL import Image

    clear, size = _open_picture(content, rows, cols)
    paper = Image.new("RGBA", clear.size, "white")
    grey = Image.alpha_composite(paper, clear).convert("L").resize(size, Image.Resampling.BOX)
    solids = frozenset(cell for cell, brightness in enumerate(grey.tobytes()) if brightness < _DARK)
    return Grid(size[1], size[0], solids)


def _read_mask(value: object) -> Grid:
    return _read_rows_or_file(value, _MASK_WORDS, parse_grid, load_mask)


def _read_rows_or_file(
    value: object, words: str, parse: Callable[[str], _Shape], load: Callable[[str], _Shape]
) -> _Shape:
    """Read a mask or a picture from a spec.

    The spec contains its rows, or the name or path of its file. A mask says which squares of a board are
    solid. A picture gives the colour of each square in the answer.

    Args:
        value: the value in the spec.
        words: a description of the allowed values, for error messages.
        parse: function that reads the rows.
        load: function that loads a shipped file by its name, or a file by its path.
    Raises:
        InvalidError: the value can't be read.
    """
    try:
        if isinstance(value, (list, tuple)):
            return parse("\n".join(scalar_text(row, words) for row in value))
        return load(NAME_OR_PATH.read(scalar_text(value, words)))
    except (PuzzleError, UsageError) as error:
        raise invalid(printable(str(value)), str(error)) from None


_MASK_SCHEMA = {
    "anyOf": [
        {"type": "string", "minLength": 1, "maxLength": MAX_PATH},
        {"type": "array", "items": {"type": "string"}, "minItems": MIN_SIDE, "maxItems": MAX_SIDE},
    ]
}


class MaskKeys(SpecModel):
    """Keys of ``solids`` if it is a mapping. They say which squares of each board are solid."""

    mask: Annotated[
        Grid, MASKS, ValueReader(_read_mask, _MASK_WORDS, _MASK_SCHEMA, lambda grid: list(grid_rows(grid)))
    ]
    """The mask: the name of a shipped shape, the path of a text (`#` solid, `.` free) or of a black-and-white
    picture (black is solid), or the rows of such a text."""
    inverted: YesNo = False
    """Whether solid and free squares of the mask are swapped."""

    @property
    def grid(self) -> Grid:
        """The grid of each board: the mask, with solid and free squares swapped if ``inverted`` is set."""
        if not self.inverted:
            return self.mask
        return dataclasses.replace(self.mask, solids=frozenset(self.mask.free_cells))

    @property
    def size(self) -> BoardSize:
        return BoardSize(self.mask.rows, self.mask.cols)

    def span(self, _size: BoardSize) -> Span:
        """Return the number of solid squares on each board, as a range that contains only this number.

        The mask alone determines the number. The argument is ignored. It exists so that this method can be
        called like ``SolidCount.span``.
        """
        return Span(len(self.grid.solids), len(self.grid.solids))

    def __str__(self) -> str:
        return f"a mask of {self.size.sides}"


# Pictures


def load_picture(name_or_path: str | Path, rows: int | None = None, cols: int | None = None) -> Picture:
    """Load a picture that appears when the paths of an answer are coloured.

    Args:
        name_or_path: the name of a shipped picture, or the path of a file. The file contains either text or
            an image.
        rows: the number of rows into which a picture file is divided; None for one row per pixel.
        cols: the number of columns into which it is divided; None for one column per pixel.
    Raises:
        UsageError: there is no such picture and no such file, or the file can't be used.
    """
    path = PICTURES.find(name_or_path)
    content = read_named(path, "reveal", _MAX_MASK_MB, "; a picture with one pixel for each square is enough")
    try:
        # A picture file contains zero bytes, and a text never does.
        return _read_pixels(content, rows, cols) if b"\0" in content else parse_picture(decode(content))
    except PuzzleError as error:
        raise UsageError(f"{printable(str(path), 300)} can't be used: {error}") from None


def _read_pixels(content: bytes, rows: int | None, cols: int | None) -> Picture:
    """Read a picture file and find the colour of each square.

    The colour of each pixel is replaced by the nearest of a few named colours. Then a square gets the most
    frequent colour of its pixels. A square is solid if most of its pixels are transparent.
    """
    from PIL import Image

    clear, (across, down) = _open_picture(content, rows, cols)
    # The next step scales the picture, so that each square is ``side`` pixels wide and high.
    side = 1 if (across, down) == clear.size else _PIXELS_OF_SQUARE
    content = clear.resize((across * side, down * side), Image.Resampling.NEAREST).tobytes()
    pixels = [content[start : start + 4] for start in range(0, len(content), 4)]
    names = {pixel: _colour_name(pixel) for pixel in set(pixels)}
    colours = []
    for row, col in product(range(down), range(across)):
        starts = (across * side * y + side * col for y in range(row * side, (row + 1) * side))
        found = Counter(names[pixel] for start in starts for pixel in pixels[start : start + side])
        colours.append(found.most_common(1)[0][0])
    return picture_of(down, colours)


def _colour_name(pixel: bytes) -> str:
    """Return the everyday name of a pixel's colour; empty if the pixel is mostly transparent."""
    red, green, blue, opacity = pixel
    # Import inks here, because they read a YAML file, which ``linkpress generate`` does not need.
    from linkpress.documents.inks import ink_of_rgb, nearest_colour

    return nearest_colour(ink_of_rgb((red / 255, green / 255, blue / 255))) if opacity >= _DARK else ""


def _read_reveal(value: object) -> Picture:
    return _read_rows_or_file(value, _PICTURE_WORDS, parse_picture, load_picture)


def shipped_shapes() -> frozenset[Grid]:
    return frozenset(map(load_mask, MASKS.names()))


def _read_solids(value: object) -> SolidCount | MaskKeys:
    return read_values(value, MaskKeys) if isinstance(value, Mapping) else COUNTED_SOLIDS.read(value)


class _SolidsReader(ValueReader):
    def __get_pydantic_json_schema__(self, *_: object) -> dict[str, Any]:
        # Build the schema of ``MaskKeys`` only when it is needed, because this is slow.
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


def load_masks(source: YamlSource, key: str) -> tuple[YamlSource, list[Problem]]:
    """Load the masks and pictures of all levels or weekdays in a spec.

    A mask says which squares of a board are solid. A picture gives the colour of each square in the answer.

    Args:
        source: the document of the spec.
        key: the key whose value contains the recipes: ``levels`` of a book, ``week`` of a feed.
    Returns:
        The document, with the rows of each mask and picture instead of its name; and the problems found.
    """
    fallback = {_SOLIDS_KEY: None, _REVEAL_KEY: None}
    return _replace_recipes(source, key, lambda _, keys: with_mask_rows(keys, source.folder), fallback)


def _replace_recipes(
    source: YamlSource,
    key: str,
    read: Callable[[Any, Mapping[str, Any]], Mapping[str, Any]],
    fallback: Mapping[str, Any],
) -> tuple[YamlSource, list[Problem]]:
    """Replace the keys of each recipe in a spec. A recipe consists of the keys of a level or a weekday.

    Args:
        source: the document of the spec.
        key: the key whose value contains the recipes, as a list or a mapping.
        read: function that returns the new keys of a recipe. Its arguments are the recipe's index or name,
            and the old keys.
        fallback: keys to set if ``read`` fails, so that the recipe's other keys can still be checked.
    Returns:
        The changed document, and the problems that ``read`` raised.
    """
    recipes, problems = source.value.get(key), []
    if not isinstance(recipes, (list, dict)):
        return source, []
    replaced = dict(enumerate(recipes)) if isinstance(recipes, list) else dict(recipes)
    for place, keys in replaced.items():
        if not isinstance(keys, dict):
            continue
        try:
            replaced[place] = read(place, keys)
        except InvalidError as error:
            problems += [
                source.problem((key, place, *problem.key), problem.found, problem.message)
                for problem in error.problems
            ]
            replaced[place] = {"size": "7", **keys, **fallback}
    value = list(replaced.values()) if isinstance(recipes, list) else replaced
    return dataclasses.replace(source, value={**source.value, key: value}), problems


def with_mask_rows(keys: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Replace the name of a mask or picture in a recipe's keys by its rows, and return the new keys.

    A recipe is the part of a level or weekday that describes its puzzles. If it has no size, it gets the size
    of the mask or picture.

    Args:
        keys: the recipe's keys as they are in the document.
        folder: the folder of the spec.
    Raises:
        InvalidError: the mask or the picture can't be loaded.
    """
    solids, reveal, sizes = keys.get(_SOLIDS_KEY), keys.get(_REVEAL_KEY), ()
    shape = solids if isinstance(solids, Mapping) else {}
    mask = shape.get("mask")
    if mask is None and reveal is None:
        return dict(keys)
    with contextlib.suppress(InvalidError):  # an invalid size is reported when its key is read
        sizes = SIZES.read(keys["size"]) if keys.get("size") is not None else ()
    size = (sizes[0].rows, sizes[0].cols) if len(sizes) == 1 else ()
    loaded: dict[str, Any] = {}
    if mask is not None:
        grid = _load_or_read(load_mask, _read_mask, mask, folder, size, (_SOLIDS_KEY, "mask"))
        board, loaded[_SOLIDS_KEY] = grid, {**shape, "mask": list(grid_rows(grid))}
    if reveal is not None:
        picture = _load_or_read(load_picture, _read_reveal, reveal, folder, size, (_REVEAL_KEY,))
        board, loaded[_REVEAL_KEY] = picture.grid, picture.rows_text
    if not sizes:
        loaded["size"] = keys.get("size") or BoardSize(board.rows, board.cols).sides
    return {**keys, **loaded}


def _load_or_read(
    load: Callable[..., _Shape],
    read: Callable[[object], _Shape],
    value: object,
    folder: Path,
    size: tuple[int, ...],
    key: KeyPath,
) -> _Shape:
    """Load a mask or picture from a file, or read it from rows that are written in the spec.

    Args:
        load: function that loads a file by its name or path and the number of rows and columns.
        read: function that reads rows.
        value: the value in the spec: a name or path, or a list of rows.
        folder: the folder of the spec.
        size: the numbers of rows and columns into which a picture file is divided; may be empty.
        key: the key path of the value, for messages.
    Raises:
        InvalidError: the file can't be loaded, or the rows can't be read.
    """
    try:
        return load(resolve_name(value, folder), *size) if isinstance(value, str) else read(value)
    except UsageError as error:
        raise InvalidError(Problem(printable(str(value)), error.message, key)) from None
    except InvalidError as error:
        raise InvalidError(*(problem.below(*key) for problem in error.problems)) from None


# Board files


class FileBoard(NamedTuple):
    """Board that was read from a file, and the number of the line on which it begins, from 1."""

    puzzle: Puzzle
    line: int


Boards = Mapping[int, tuple[FileBoard, ...]]
"""Boards from files, by the index of their level."""


def load_boards(source: YamlSource) -> tuple[YamlSource, Boards, list[Problem]]:
    """Load the boards of all levels that take their boards from a file.

    Args:
        source: the document of the spec.
    Returns:
        The document, in which these levels have the sizes of their boards; the boards; and the problems
        found.
    """
    boards: dict[int, tuple[FileBoard, ...]] = {}
    folder = source.folder

    def read(index: int, level: Mapping[str, Any]) -> Mapping[str, Any]:
        if not isinstance(level.get(FILE_KEY), str):
            return level
        boards[index] = _level_boards(level, folder)
        sizes = [str(size) for size in _sizes(boards[index])]
        return {"count": str(len(boards[index])), **level, "size": sizes}

    source, problems = _replace_recipes(source, "levels", read, {})
    return source, boards, problems


def _level_boards(level: Mapping[str, Any], folder: Path) -> tuple[FileBoard, ...]:
    name, count, from_level = level[FILE_KEY], level.get("count"), level.get(_LEVEL_KEY)
    if "size" in level:
        raise _invalid_key("size", "", "the boards of `from` have their sizes; leave it out")
    try:
        boards = _read_boards(folder / name, from_level if isinstance(from_level, str) else None)
    except (OSError, PuzzleError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _invalid_key(FILE_KEY, name, f"it can't be read: {reason}") from None
    if isinstance(count, str) and count.isascii() and count.isdigit():
        if int(count) > len(boards):
            where = f" of level {from_level}" if from_level else ""
            raise _invalid_key("count", count, f"{name} holds {counted(len(boards), 'puzzle')}{where}")
        boards = boards[: int(count)]
    if len(_sizes(boards)) > MAX_SIZES:
        message = f"its boards have {len(_sizes(boards))} sizes; at most {MAX_SIZES} in a level"
        raise _invalid_key(FILE_KEY, name, message)
    return tuple(boards)


def _invalid_key(key: str, found: str, message: str) -> InvalidError:
    return InvalidError(Problem(found, message, (key,)))


def _sizes(boards: Iterable[FileBoard]) -> list[BoardSize]:
    grids = {(board.puzzle.grid.rows, board.puzzle.grid.cols) for board in boards}
    return [BoardSize(*size) for size in sorted(grids)]


def _read_boards(path: Path, level: str | None) -> list[FileBoard]:
    if path.exists() and not path.is_file():
        raise PuzzleError("it is not a file")
    if path.suffix.lower() == ".json":
        return _read_volume(read_limited(path, _MAX_VOLUME_BYTES), level)
    if level is not None:
        raise _invalid_key(_LEVEL_KEY, level, "only a volume.json has levels; leave it out")
    content = decode(read_limited(path, MAX_BOARDS_BYTES))
    boards = [FileBoard(puzzle, line) for line, puzzle in read_located_puzzles(content)]
    if not boards:
        raise PuzzleError("it holds no puzzle; link text is a line `W H`, then H rows of W squares")
    return boards


def _read_volume(content: bytes, level: str | None) -> list[FileBoard]:
    """Read the boards of a ``volume.json`` in printed order. Their answers and proofs are not read."""
    try:
        volume = parse_json(content)
        puzzles = [(each["board"], each["level"], each.get("colours", [])) for each in volume["puzzles"]]
    except ValueError as error:
        raise PuzzleError(f"it is not JSON: {error}") from None
    except (AttributeError, TypeError, KeyError):
        raise PuzzleError(_NO_VOLUME) from None
    # Each match is the key of a board. It can't be a part of a text, because quotation marks inside a JSON
    # text are escaped.
    lines = [content.count(b"\n", 0, key.start()) + 1 for key in re.finditer(rb'"board"\s*:', content)]
    if not puzzles or len(lines) != len(puzzles):
        raise PuzzleError(_NO_VOLUME)
    names = dict.fromkeys(str(name) for _, name, _ in puzzles)
    if level is not None and level not in names:
        message = f"there is no such level in it; its levels: {', '.join(names)}"
        raise _invalid_key(_LEVEL_KEY, level, message)
    boards = []
    for place, ((rows, name, colours), line) in enumerate(zip(puzzles, lines, strict=True), start=1):
        if level not in (None, name):
            continue
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
            raise PuzzleError(_NO_VOLUME)
        try:
            puzzle = parse_board_rows(rows)
            boards.append(FileBoard(with_colours(puzzle, colours) if colours else puzzle, line))
        except PuzzleError as error:
            raise PuzzleError(f"puzzle {place}: {error}") from None
    return boards


# Recipe keys


class IfMissing(StrEnum):
    """Choice between two actions if no puzzle of the required difficulty or technique is found.

    They are to stop with an error, and to use the puzzle that comes nearest.
    """

    FAIL = "fail"
    NEAREST = "nearest"


def _size_or(*others: str) -> Callable[[dict[str, Any]], None]:
    """Return a function that adds a rule to a JSON Schema: at least one of certain keys must be given.

    These keys are ``size``, ``difficulty`` and the keys in ``others``. The key ``solids`` is one of them too,
    if its value is a mapping, which names a mask.
    """

    def change(schema: dict[str, Any]) -> None:
        mask = {"required": ["solids"], "properties": {"solids": {"type": "object"}}}
        schema["anyOf"] = [mask, *({"required": [key]} for key in ("size", "difficulty", *others))]

    return change


class RecipeKeys(SpecModel):
    """Keys that describe the puzzles of a level or weekday, and how long to search for each puzzle."""

    model_config = ConfigDict(json_schema_extra=_size_or())

    size: Annotated[
        Sizes | None,
        DefaultText(
            "the usual size for the difficulty: easy 6 and 7, medium 7 and 8, hard 9 and 10, expert 10 and "
            "12, extreme 15; a shape has a size of its own"
        ),
    ] = None
    """The size of the boards. The sizes of a list take turns. A picture used as a mask is divided into this
    many squares."""
    paths: Annotated[
        Paths | None,
        DefaultText(
            "the usual number for the difficulty; without a difficulty, one for every 7 to 10 free squares, "
            "or for every 5 to 8 in pictures and small shapes; with the method `classic`, any number"
        ),
    ] = None
    """The number of paths on a board, which is the number of pairs of numbers."""
    solids: Annotated[Solids | None, DefaultText("none; with the method `classic`, any number")] = None
    """The number of solid squares on a board, or with % their share of all squares. A range of shares allows
    every whole number inside it, and a single share means the nearest whole number. `{mask: heart}` gives the
    boards a shape instead: a shipped one, or a text or picture of your own. `inverted: yes` beside it swaps
    solid and free squares."""
    unique: Annotated[Rule, one_of(Rule)] = Rule.STRICT
    """What a single solution means. `strict`: there is no other drawing, even if squares may stay empty.
    `filled`: there is no other drawing that covers every square. `untouching`: there is no other drawing that
    covers every square and in which no line runs beside itself; this is printed as a rule, as in games for
    phones."""
    difficulty: Annotated[
        DifficultyOrMix | None, DefaultText("any difficulty, even if it can't be graded")
    ] = None
    """How hard the puzzles feel: `easy`, `medium`, `hard`, `expert` or `extreme`, or a number from 0 to 100,
    or a range, or a name that the book's `difficulties` define. The names of a range such as `medium-hard`
    share the puzzles evenly. If `paths` is left out, the numbers of paths are chosen that give this
    difficulty fastest."""
    method: Annotated[Method, one_of(Method)] = Method.WALK
    """How boards are made. `walk` and `quick` meet a recipe exactly; `quick` makes about twice as many
    puzzles a second, and other ones from the same seed. `classic` grows paths as in the published article."""
    shortest_path: Annotated[
        int | None,
        whole_number(2, 50),
        DefaultText(
            "3 squares; on boards from 10 × 10 that are not composed, 5 if their paths are long; with the "
            "method `classic`, 2"
        ),
    ] = None
    """The smallest number of squares of a path, including its two numbers."""
    adjacent_pairs: Annotated[YesNo | None, DefaultText("no; with the method `classic`, yes")] = None
    """Whether the two numbers of a pair may be neighbours."""
    apart: YesNo = False
    """Whether no two numbers at all may be neighbours. Symmetric numbers take ten times as long then. It
    can't be used with `classic`."""
    longest_share: Annotated[
        Share | None, DefaultText("60%; with 1 or 2 paths, or the method `classic`, 100%")
    ] = None
    """The largest share of the free squares that one path may cover."""
    border_share: Annotated[
        Share | None,
        DefaultText(
            "50%; on boards from 10 × 10 that are not composed, 20%; with 1 or 2 paths, or the method "
            "`classic`, 100%"
        ),
    ] = None
    """The largest share of the pairs that may have both numbers on the border."""
    border_numbers: Annotated[
        Share | None,
        DefaultText(
            "100%; on boards from 10 × 10 that are not composed, 70% of the share that the border has of all "
            "squares"
        ),
    ] = None
    """The largest share of the numbers that may be on the border."""
    solid_pattern: Annotated[Pattern, one_of(Pattern)] = Pattern.SCATTERED
    """The arrangement of solid squares: scattered, or with a symmetry."""
    number_pattern: Annotated[
        NumberPattern | None,
        one_of(NumberPattern),
        DefaultText("`mixed` on composed boards from 10 × 10 to 15 × 15 without solid squares, else `free`"),
    ] = None
    """The arrangement of the squares that have numbers. `rotational`: a half turn keeps it. `mirror`:
    swapping left and right keeps it. `flip`: swapping top and bottom keeps it. `mirrors`: both keep it.
    `quarter`: a quarter turn keeps it; square boards with even sides only. `symmetric`: each puzzle has one
    of these, mostly a half turn. `mixed`: each puzzle has one of these or none. It can't be used with
    `classic`."""
    composed: Annotated[
        YesNo | None, DefaultText("yes on boards from 8 × 8; with the method `classic`, no")
    ] = None
    """Whether boards look as if an author had composed them: each in its own style, numbered as authors do
    it, and with an answer that does not repeat itself. It can't be used with `classic`."""
    effort: Annotated[float, number(LEAST_EFFORT, MOST_EFFORT, "times the usual work")] = 1.0
    """How long to search for each puzzle before giving up."""
    otherwise: Annotated[IfMissing, one_of(IfMissing)] = IfMissing.FAIL
    """What to do if no puzzle of the difficulty or technique is found: `fail`, or print the `nearest` one and
    say so."""
    technique: Annotated[Techniques | None, DefaultText("any difficulty, even if it can't be graded")] = None
    """For experts: the hardest technique that a person needs to solve a puzzle, by its grade. It says little
    about how hard a puzzle feels, which is what `difficulty` orders."""

    @property
    def shortest_squares(self) -> int:
        """The smallest number of squares of a path. The default depends on the key ``method``."""
        if self.shortest_path is not None:
            return self.shortest_path
        return _CLASSIC_SHORTEST if self.method is Method.CLASSIC else _WALK_SHORTEST

    @property
    def picture(self) -> Picture | None:
        """The picture that appears when the paths of an answer are coloured; None for no picture."""
        return None

    def solids_on(self, size: BoardSize) -> Span | None:
        """Return the allowed numbers of solid squares on a board.

        If the key ``solids`` is left out and the method is ``classic``, None means that any number is
        allowed. If ``solids`` is a range of shares, None means that no whole number lies in this range.
        """
        if self.picture is not None:
            count = len(self.picture.grid.solids)
            return Span(count, count)
        if self.solids is not None:
            return self.solids.span(size)
        return None if self.method is Method.CLASSIC else Span(0, 0)

    @property
    def shapes(self) -> tuple[Grid, ...]:
        """A tuple with the grid of the level's mask, which gives the boards a shape such as a heart.

        The tuple is empty if the level has no mask.
        """
        return (self.solids.grid,) if isinstance(self.solids, MaskKeys) else ()

    @property
    def sizes(self) -> tuple[BoardSize, ...]:
        """The sizes of the boards. If the key ``size`` is left out, they depend on the difficulties."""
        usual = (size for points in parts_of(self.difficulty) for size in self._usual_sizes(points))
        return self.size or tuple(dict.fromkeys(usual)) or _SIZES_IF_MISSING

    def _usual_sizes(self, points: Span) -> tuple[BoardSize, ...]:
        """Return the default board sizes for a difficulty.

        If the solid squares make boards of these sizes too easy, a larger size is returned.
        """
        usual = usual_sizes(points)
        larger = (BoardSize(side, side) for side in range(usual[-1].rows + 1, _LARGEST_DEFAULT + 1))
        able = tuple(size for size in usual if self._can_have(points, size))
        return able or tuple(islice((size for size in larger if self._can_have(points, size)), 1)) or usual

    def _can_have(self, points: Span, size: BoardSize) -> bool:
        """Return whether boards of a size often have a given difficulty; True if no forecast is possible."""
        feel = forecast_of_any(self.recipe(size, difficulty=points))
        return feel is None or feel.share(points) >= PLENTY

    def paths_on(self, size: BoardSize, difficulty: Span | None = None) -> Span | None:
        """Return the allowed numbers of paths on a board.

        None means that any number is allowed. It is only returned for the method ``classic``.

        Args:
            size: the size of the board.
            difficulty: the difficulty of the puzzle. If the key ``paths`` is left out, the numbers of paths
                are chosen that suit this difficulty.
        """
        if self.paths is not None or self.method is Method.CLASSIC:
            return self.paths
        solids = self.solids_on(size)
        free = size.rows * size.cols - (solids.high if solids else 0)
        most = max(1, free // self.shortest_squares)
        if self.picture is not None:
            return _default_paths(self.picture.layers.values(), self.shortest_squares)
        if self.shapes and difficulty is None and size.rows * size.cols <= _SMALL_SHAPE:
            return _default_paths(self.shapes, self.shortest_squares)
        least = math.ceil(1 / self.longest_share) if self.longest_share else 1
        if isinstance(self.solids, MaskKeys):
            least = max(least, fewest_in(self.solids.grid))
        if difficulty is None:
            paths = Span(math.ceil(free / _LONG_PATH), math.ceil(free / _SHORT_PATH))
        else:
            # Solid squares make boards easier. Solid squares around a shape have only half the effect of
            # scattered solid squares. So count only half of them.
            if solids and isinstance(self.solids, MaskKeys):
                solids = Span(solids.low // 2, solids.high // 2)
            paths = choose_paths(
                difficulty, size.rows * size.cols, self.unique, solids=solids or Span(0, 0)
            ).paths
        high = max(min(most, paths.high), least)
        return Span(min(max(least, paths.low), high), high)

    def recipes(self, count: int) -> list[Recipe]:
        """Return the recipes of ``count`` puzzles. A recipe lists the properties that a puzzle must have.

        If the level has several board sizes, they are used in turn. If it has a mix of difficulties, the
        easiest puzzles come first.

        If the level doesn't set ``paths``, nearly all boards in the range of easy difficulties are trivial.
        So, in an easy level, every second puzzle of each size must be in the upper part of this range
        (``HARDER_EASY``).
        """
        recipe, sizes_for, recipes = cache(self.recipe), cache(self._sizes_for), []
        for index, points in enumerate(difficulty_per_puzzle(self.difficulty, count)):
            sizes = sizes_for(points)
            turn, place = divmod(index, len(sizes))
            is_harder = points == Difficulty.EASY.points and self.paths is None and turn % 2
            recipes.append(recipe(sizes[place], HARDER_EASY if is_harder else points))
        return recipes

    def _sizes_for(self, points: Span | None) -> tuple[BoardSize, ...]:
        """Return the board sizes for a difficulty, which may be one of several in a mix.

        In a mix, a size is left out if boards of this size hardly ever have the difficulty.
        """
        if self.size is None:
            return self._usual_sizes(points) if points else self.sizes
        if points is None or len(parts_of(self.difficulty)) == 1:
            return self.size
        return tuple(size for size in self.size if self._can_have(points, size)) or self.size

    def recipe(self, size: BoardSize, difficulty: Span | None = None) -> Recipe:
        """Return the recipe of one puzzle. It lists the properties that the puzzle must have.

        A key that the spec leaves out has its default value in the recipe.

        Args:
            size: the size of the board.
            difficulty: the lowest and highest difficulty; None for any.
        """
        classic, paths = self.method is Method.CLASSIC, self.paths_on(size, difficulty)
        composed = self.composed
        if composed is None:
            composed = not classic and min(size.rows, size.cols) >= _COMPOSED_SIDE and not self.picture
        limits = self._default_limits(size, paths, composed=composed)
        given = {key: getattr(self, key) for key in ("shortest_path", *_SHARES)}
        limits |= {key: value for key, value in given.items() if value is not None}
        return Recipe(
            rows=size.rows,
            cols=size.cols,
            pairs=paths,
            solids=self.solids_on(size),
            rule=self.unique,
            techniques=self.technique,
            difficulty=difficulty,
            shortest_path=limits["shortest_path"],
            adjacent_pairs=classic if self.adjacent_pairs is None else self.adjacent_pairs,
            apart=self.apart,
            **{key: float(limits.get(key, 1)) for key in _SHARES},
            pattern=self.solid_pattern,
            number_pattern=self.number_pattern or self._default_pattern(size, paths, composed=composed),
            composed=composed,
            mask=self.solids.grid if isinstance(self.solids, MaskKeys) else None,
            picture=self.picture,
        )

    def mix_problems(self, count: int) -> Iterator[Problem]:
        """Yield a problem for each mix whose parts don't add up to ``count`` puzzles."""
        if isinstance(self.difficulty, Mix) and self.difficulty.count != count:
            message = f"let the counts of the mix add up to {counted(count, 'puzzle')}"
            yield Problem(f"{self.difficulty.count} in all", message, ("difficulty",))

    def _default_pattern(self, size: BoardSize, paths: Span | None, *, composed: bool) -> NumberPattern:
        solids, sides = self.solids_on(size), (size.rows, size.cols)
        plain = solids is not None and not solids.high and paths is not None and paths.low >= _FEWEST_PATHS
        fits = min(sides) >= _LARGE_SIDE and max(sides) <= _MIXED_MOST
        is_mixed = composed and plain and fits and not self.picture
        return NumberPattern.MIXED if is_mixed else NumberPattern.FREE

    def _default_limits(self, size: BoardSize, paths: Span | None, *, composed: bool) -> dict[str, Any]:
        """Return the default limits for the paths of a board, as keys of a puzzle recipe.

        ``shortest_path`` is the minimum length of a path. Most boards have further limits, such as
        ``longest_share``, the maximum share of the board that one path may cover. A limit that is not in the
        result doesn't apply.
        """
        if self.method is Method.CLASSIC or paths is None:
            return {"shortest_path": _CLASSIC_SHORTEST}
        limits: dict[str, Any] = {"shortest_path": _WALK_SHORTEST}
        if paths.low <= _PATHS_WITHOUT_LIMITS:
            return limits
        limits |= {"longest_share": _LONGEST_SHARE, "border_share": _BORDER_SHARE}
        solids, squares = self.solids_on(size), size.rows * size.cols
        room = (squares - (solids.high if solids else 0)) / paths.high
        is_small = min(size.rows, size.cols) < _LARGE_SIDE or paths.low < _FEWEST_PATHS
        if composed or is_small or room < _ROOM_FOR_4:
            return limits
        # If numbers were placed at random, the expected share of them on the border would be the share of all
        # squares that are on the border.
        by_chance = 2 * (size.rows + size.cols - 2) / squares
        return limits | {
            "shortest_path": _LARGE_SHORTEST if room >= _ROOM_FOR_5 else _WALK_SHORTEST + 1,
            "border_share": _LARGE_BORDER_SHARE,
            "border_numbers": round(_LARGE_BORDER_NUMBERS * by_chance, 2),
        }

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem for each board size or difficulty that the other keys make impossible.

        Only quick checks are made, which count squares or use a forecast. No board is generated.
        """
        if not readable("size"):
            return
        if self.size is None and self.difficulty is None and readable("difficulty", _REVEAL_KEY):
            yield Problem("", "give the size of the boards, such as 7, or a `difficulty`", ("size",))
        problems: list[Problem] = []
        for index, size in enumerate(self.sizes):
            problems += _size_problems(self, size, ("size", index) if len(self.sizes) > 1 else ("size",))
        yield from problems
        if problems or self.otherwise is not IfMissing.FAIL or self.method is Method.CLASSIC:
            return
        for points in parts_of(self.difficulty):
            recipes = (self.recipe(size, difficulty=points) for size in self._sizes_for(points))
            reasons = (difficulty_problem(one, has_paths=self.paths is not None) for one in recipes)
            for reason in dict.fromkeys(reasons):
                if reason:
                    yield Problem(
                        difficulty_words(points).removeprefix("difficulty "), reason, ("difficulty",)
                    )


def _default_paths(layers: Iterable[Grid], shortest: int) -> Span:
    """Return the default range for the number of paths on a board with a picture or a small shape.

    No path leaves its region, which is a connected area of one colour, or of free squares in a shape. So each
    region has a range of its own, which depends on its number of squares. The ranges are added up.

    Args:
        layers: a grid for each colour of the picture, with only the squares of this colour free; or the grid
            of the shape.
        shortest: the smallest number of squares of a path.
    """
    regions = [(layer, island) for layer in layers for island in islands(layer)]
    fewest = [max(1, fewest_paths(layer, island)) for layer, island in regions]
    most = [max(1, len(island) // shortest) for _, island in regions]

    def total(room: int) -> int:
        parts = zip(fewest, most, (-(-len(island) // room) for _, island in regions), strict=True)
        return sum(max(low, min(high, usual)) for low, high, usual in parts)

    return Span(total(_LONG_IN_REGION), total(_SHORT_IN_REGION))


# Levels


class LevelHead(SpecModel):
    """Keys of a level that the documentation lists first, before the recipe keys."""

    name: Annotated[str, line_of_text(40), DefaultText("the title, difficulty or size of the level")]
    """The name of the section. It decides the puzzles together with the seed, and is printed unless there is
    a `title`. A name such as `easy` or `medium-hard` is printed in the language of the book."""
    count: Annotated[int, whole_number(1, MAX_PUZZLES)]
    """The number of puzzles in the level."""
    mix: Annotated[Mapping[str, Any] | str | None, MIX, DefaultText("–")] = None
    """How many puzzles of each difficulty the level has, instead of `difficulty`: shares, counts or a ratio.
    The easiest come first."""


def _require_less(schema: dict[str, Any]) -> None:
    """Change the JSON Schema of a level: the keys ``name`` and ``count`` are no longer required.

    If a level lacks them, ``expand_mix`` adds them.
    """
    _size_or("from", _REVEAL_KEY)(schema)
    schema["required"] = [key for key in schema["required"] if key not in ("name", "count")]


class LevelSpec(RecipeKeys, LevelHead):
    """Keys of a level, which is one section of a book."""

    model_config = ConfigDict(json_schema_extra=_require_less)

    file: Annotated[FilePath | None, Field(alias="from")] = None
    """A file of puzzles beside the spec, or the `volume.json` of a book. Its first `count` puzzles, or all
    without a `count`, are proven, graded and printed instead of made ones. Leave out `size` and all recipe
    keys except `unique`."""
    from_level: Annotated[str | None, line_of_text(40), DefaultText("all levels")] = None
    """The name of the level of that `volume.json` from which the puzzles are taken."""
    title: Annotated[str | None, line_of_text(40), DefaultText("the name of the level")] = None
    """The printed name of the section, for example in a translated edition. It does not affect the
    puzzles."""
    reveal: Annotated[
        Picture | None,
        PICTURES,
        ValueReader(
            _read_reveal, _PICTURE_WORDS, _MASK_SCHEMA, lambda picture: picture and picture.rows_text
        ),
        DefaultText("none"),
    ] = None
    """A picture that appears when the paths of the answer are coloured. It is the name of a shipped picture,
    the path of a picture file with few colours, or a text with a letter for the colour of each square. The
    text is given by its path or row by row. No path leaves its region of one colour. The colour of each path
    is printed below the puzzle, and the answers show the picture."""
    per_page: Annotated[PerPageChoice, puzzles_a_page(1, 2, 3, 4, 5, 6, 8, 9)] = "auto"
    """The number of puzzles on a page; `auto` takes as many as leave their squares a comfortable size."""
    target_minutes: Annotated[int | None, whole_number(1, 600), DefaultText("none")] = None
    """Your target time for a puzzle of this level, in minutes. It is printed on the page for times (see
    `parts.times`), which a book with a target always has."""

    @property
    def picture(self) -> Picture | None:
        return self.reveal

    @model_validator(mode="before")
    @classmethod
    def _without_mix(cls, keys: Any) -> Any:
        return without_mix({"levels": [keys]}, expand_mix)["levels"][0]

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield the problems of the level's keys.

        If the level takes its boards from a file, no puzzles are generated for it. Keys that say how to
        generate puzzles, such as ``paths``, are then problems too.
        """
        yield from mix_problems(self)
        if self.file is None:
            if self.from_level is not None:
                message = "give `from`, the volume.json with that level"
                yield Problem(self.from_level, message, ("from_level",))
            yield from self._picture_problems()
            yield from super().problems(readable)
            if readable("count"):
                yield from self.mix_problems(self.count)
            return
        for name in RecipeKeys.model_fields.keys() - {"size", "unique"} | {_REVEAL_KEY}:
            if getattr(self, name) != type(self).model_fields[name].default:
                yield Problem("", "the boards of `from` are as they are; leave it out", (name,))

    def _picture_problems(self) -> Iterator[Problem]:
        """Yield a problem for each key that can't be used together with ``reveal``."""
        if self.reveal is None:
            return
        if self.solids is not None:
            message = "the picture has its own solid squares, written as #; leave `solids` out"
            yield Problem(str(self.solids), message, (_SOLIDS_KEY,))
        if self.number_pattern not in (None, NumberPattern.FREE):
            message = "a picture decides where its numbers can be; leave `number_pattern` out"
            yield Problem(self.number_pattern.value, message, ("number_pattern",))


def _size_problems(keys: RecipeKeys, size: BoardSize, size_key: KeyPath) -> Iterator[Problem]:
    """Yield a problem for each reason why no board of a given size can be what a level asks for.

    Args:
        keys: the keys of the level in the spec, such as the number of paths and solids.
        size: the size of the board.
        size_key: the place of the size in the spec.
    """
    squares = size.rows * size.cols
    if keys.method is not Method.CLASSIC and min(size.rows, size.cols) < MIN_WALK_SIDE:
        yield Problem(str(size), ALLOWED_SIZES, size_key)
        return
    mask = keys.solids.mask if isinstance(keys.solids, MaskKeys) else None
    for name, shape in (("mask", mask), ("picture", keys.picture)):
        if shape is not None and (shape.rows, shape.cols) != (size.rows, size.cols):
            own = BoardSize(shape.rows, shape.cols).sides
            message = f"the {name} has {own} squares; leave `size` out, or write `size: {own}`"
            yield Problem(size.sides, message, size_key)
            return
    solids = keys.solids_on(size)
    if solids is None and isinstance(keys.solids, SolidCount):
        yield Problem(str(keys.solids), _no_whole_number(keys.solids, size), (_SOLIDS_KEY,))
        return
    fewest, most = (solids.low, solids.high) if solids else (0, 0)
    shortest = keys.shortest_squares
    if squares - most < shortest:
        message = (
            f"that leaves {max(0, squares - most)} of the {squares} squares of a board of {size.sides} free; "
            f"a path needs {shortest}"
        )
        yield Problem(str(keys.solids), message, (_SOLIDS_KEY,))
        return
    recipe = keys.recipe(size)
    problems = list(_path_problems(keys, size, squares - fewest, squares - most))
    if not solid_counts(recipe):
        message = f"an odd number can't lie {recipe.pattern} on a board of {size.sides}; make it even"
        problems.append(Problem(str(keys.solids), message, (_SOLIDS_KEY,)))
    conflicts = classic_conflicts(recipe) if keys.method is Method.CLASSIC else {}
    for name, message in conflicts.items():
        key = _SOLIDS_KEY if name == "mask" else name
        values = {
            _SOLIDS_KEY: str(keys.solids),
            _REVEAL_KEY: "a picture",
            "number_pattern": recipe.number_pattern.value,
        }
        problems.append(Problem(values.get(key, "yes"), message, (key,)))
    if keys.apart and keys.adjacent_pairs and "apart" not in conflicts:
        message = "`apart` forbids neighbours, and `adjacent_pairs` allows them; leave one of the two out"
        problems.append(Problem("yes", message, ("apart",)))
    yield from problems
    impossible = None if problems else recipe_problem(recipe)
    if impossible:
        if recipe.picture:
            yield Problem("a picture", impossible, (_REVEAL_KEY,))
        elif recipe.mask:
            yield Problem(str(keys.solids), impossible, (_SOLIDS_KEY,))
        else:
            yield Problem(size.sides, impossible, size_key)


def _path_problems(keys: RecipeKeys, size: BoardSize, most_free: int, least_free: int) -> Iterator[Problem]:
    paths, shortest = keys.paths_on(size), keys.shortest_squares
    if paths is None:
        return
    if paths.high * shortest > most_free:
        message = (
            f"{paths.high} paths of {shortest} squares or more need {paths.high * shortest}; "
            f"a board of {size.sides} has {most_free} free; at most {most_free // shortest} paths fit"
        )
        yield Problem(str(paths), message, ("paths" if keys.paths else "shortest_path",))
    elif paths.low * shortest > least_free:
        message = (
            f"the high end leaves {least_free} squares free on a board of {size.sides}; {paths.low} paths of "
            f"{shortest} squares or more need {paths.low * shortest}"
        )
        yield Problem(str(keys.solids), message, (_SOLIDS_KEY,))
    if keys.longest_share is None:
        return
    longest = longest_path(keys.recipe(size), size.rows * size.cols - most_free)
    if paths.high * longest < least_free:
        message = (
            f"{counted(paths.high, 'path')} of at most {longest} squares can't cover the {least_free} free "
            f"squares of a {size.sides} board; allow more or ask for more paths"
        )
        yield Problem(percent_text(keys.longest_share), message, ("longest_share",))


def _no_whole_number(solids: SolidCount, size: BoardSize) -> str:
    squares = size.rows * size.cols
    below = math.floor(solids.low * squares)
    return (
        f"no whole number of the {squares} squares of a board of {size.sides} lies in that range; "
        f"the nearest are {below} ({below / squares:.1%}) and {below + 1} ({(below + 1) / squares:.1%})"
    )
