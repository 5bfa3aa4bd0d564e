"""This module has the keys of one level of a book, and those that a feed's weekday shares with it."""

import contextlib
import dataclasses
import io
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from pydantic import ConfigDict, Field

from linkpress.book.key_values import (
    COUNTED_SOLIDS,
    MAX_PUZZLES,
    MAX_SIZES,
    SIZES,
    BoardSize,
    GradeRange,
    GradesOrMix,
    Mix,
    Paths,
    PerPageChoice,
    Sizes,
    SolidCount,
    StarsOrMix,
    puzzles_a_page,
    target_per_puzzle,
)
from linkpress.documents.json_text import parse_json
from linkpress.documents.models import Readable, SpecModel, Synonyms, read_values
from linkpress.documents.problem import InvalidError, KeyPath, Problem, YamlSource, invalid, printable
from linkpress.documents.shipped_files import (
    MASKS,
    MAX_PATH,
    NAME_OR_PATH,
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
from linkpress.engine.feasibility import (
    classic_conflicts,
    fewest_in,
    longest_path,
    recipe_problem,
    solid_counts,
)
from linkpress.engine.recipe import STARS_BEGIN, Method, NumberPattern, Pattern, Recipe, Rule, Span, counted
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
        raise UsageError(f"{printable(str(path), 300)} is no mask: {fault}", "mask") from None


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
            return parse_grid("\n".join(scalar_text(row, _WORDS) for row in value))
        return load_mask(NAME_OR_PATH.read(scalar_text(value, _WORDS)))
    except (PuzzleError, UsageError) as fault:
        raise invalid(printable(str(value)), str(fault)) from None


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


def load_masks(source: YamlSource, key: str, folder: Path) -> tuple[YamlSource, list[Problem]]:
    """Return a spec with the rows and sizes of its recipes' masks, and faults; ``key`` holds the recipes."""
    return _taken(source, key, lambda _, keys: with_mask_rows(keys, folder), {_SOLIDS: None})


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


def with_mask_rows(keys: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return a recipe's keys with its mask's rows and size, if any; raise ``InvalidError`` for a bad one."""
    solids, sizes = keys.get(_SOLIDS), ()
    if not isinstance(solids, Mapping) or solids.get("mask") is None:
        return dict(keys)
    name = solids["mask"]
    with contextlib.suppress(InvalidError):  # a size that is none is reported where it is read
        sizes = SIZES.read(keys["size"]) if keys.get("size") is not None else ()
    size = (sizes[0].rows, sizes[0].cols) if len(sizes) == 1 else ()
    try:
        grid = load_mask(resolve_name(name, folder), *size) if isinstance(name, str) else _read_mask(name)
    except UsageError as fault:
        raise InvalidError(Problem(printable(name), str(fault), (_SOLIDS, "mask"))) from None
    except InvalidError as fault:
        raise InvalidError(*(problem.below("mask").below(_SOLIDS) for problem in fault.problems)) from None
    taken = {**keys, _SOLIDS: {**solids, "mask": list(grid_rows(grid))}}
    return taken if sizes else {**taken, "size": keys.get("size") or BoardSize(grid.rows, grid.cols).sides}


class FileBoard(NamedTuple):
    """A file's board has been read; its line, counted from 1, is that on which its record begins."""

    puzzle: Puzzle
    line: int


Boards = Mapping[int, tuple[FileBoard, ...]]  # by the level's place, from 0


def load_boards(source: YamlSource, folder: Path) -> tuple[YamlSource, Boards, list[Problem]]:
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
    for place, ((rows, name), line) in enumerate(zip(boards, lines, strict=True), start=1):
        if level not in (None, name):
            continue
        if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
            raise PuzzleError(_NO_VOLUME)
        try:
            found.append(FileBoard(parse_board_rows(rows), line))
        except PuzzleError as fault:
            raise PuzzleError(f"puzzle {place}: {fault}") from None
    return found


MIN_WALK_SIDE = 5
PRINTED_LEVEL_KEYS = frozenset(
    {"per_page", "title"}
)  # of printing alone; a level's puzzles come from the others
LEAST_EFFORT, MOST_EFFORT = 0.1, 1000

# Free squares for each path where `paths` is left out: from long, winding paths to short ones.
# 7 × 7 gets 5-7 paths, 10 × 10 10-15, 20 × 20 40-58.
_LONG_PATH, _SHORT_PATH = 10, 7
_WALK_SHORTEST, _CLASSIC_SHORTEST = 3, 2

# A board's stars by its free squares, and by those for each path: -1.64 + ln(free) × (0.107 + 0.264 ×
# ln(free / paths)), fitted to the medians of 20 recipes from 7 × 7 to 40 × 40, at most 0.3 stars from them.
# Where stars are asked for and `paths` is left out, the paths are those that give from a tenth to eight
# tenths of a star more than is needed for the fewest, as far as boards can be made: hardly any is with more
# squares for each path than the last figures, 20 up to 225 free squares and falling to 15 at 625.
_STARS_BASE, _STARS_BY_FREE, _STARS_BY_ROOM = -1.64, 0.107, 0.264
_STARS_LEAST, _STARS_MOST = 0.1, 0.8
_ROOM_LEAST, _ROOM_MOST, _ROOM_MOST_LARGE, _ROOM_FALLS = 3.5, 20, 15, 80

# Where the keys are left out no path covers nearly all, and not most of the pairs stand on the
# border. Boards begun for a puzzle, without and with both: 5 × 5 with 3 paths 1.8 and 1.6, 7 × 7
# with 3 57 and 58, 9 × 9 with 4 283 and 283, 10 × 10 with 12 1.3 and 1.2; of 450 searches over 150
# odd recipes 5 failed without and 4 with them. One or two paths may have to.
_LONGEST_SHARE, _BORDER_SHARE = 0.6, 0.5
_FREE_OF_SHARES = 2

# What boards with sides of so many squares that are not composed get where the keys are left out and paths
# are long enough, so that they look more as published ones do: no short paths, and seven tenths of the
# numbers on the border that an even spread would put there. Paths with one turn or none and pairs two
# squares apart, without and with all three: 10 × 10 with 8-10 paths 31 and 11 %, 19 and 3 %; 15 × 15 with
# 14-18 29 and 9 %, 16 and 1 %. They are made as fast: 323 and 365 puzzles a second, 10 and 12; 10 × 10 with
# 15 paths, 6.7 squares each, 1,470 and 1,190.
_ROOMY_SIDE = 10
_ROOMY_SHORTEST, _ROOMY_BORDER_SHARE, _ROOMY_BORDER_NUMBERS = 5, 0.2, 0.7
# Boards with sides of so many squares are composed, and have symmetric numbers from 10 up to the other.
_COMPOSED_SIDE, _SYMMETRIC_MOST = 8, 15
# Free squares for each path that a shortest path of 5 wants, and one of 4; and the fewest paths.
_ROOM_FOR_5, _ROOM_FOR_4, _ROOMY_PATHS = 6.5, 5.0, 5


@dataclass(frozen=True, slots=True)
class _Defaults:
    """A method has these values for keys of ``RecipeKeys`` that a spec leaves out."""

    shortest_path: int
    longest_share: float = 1.0
    border_share: float = 1.0
    border_numbers: float = 1.0


def _rooms_of(stars: Span, free: int) -> tuple[float, float]:
    """Return the most and the fewest free squares for each path that usually give these stars."""
    most = max(_ROOM_MOST_LARGE, _ROOM_MOST - max(0, free - 225) / _ROOM_FALLS)
    rooms = []
    for more in (_STARS_MOST, _STARS_LEAST):
        score = max(STARS_BEGIN[stars.low - 1] / 100, 0.5) + more
        room = math.exp(((score - _STARS_BASE) / math.log(free) - _STARS_BY_FREE) / _STARS_BY_ROOM)
        rooms.append(min(max(room, _ROOM_LEAST), most))
    return rooms[0], rooms[1]


def _given(share: Fraction | None, default: float) -> float:
    return default if share is None else float(share)


class IfGradeMissing(StrEnum):
    """This says how to go on where no puzzle of the grade is found."""

    FAIL = "fail"
    NEAREST = "nearest"


def _size_or(*others: str) -> Callable[[dict[str, Any]], None]:
    """Return what makes a schema ask for a size, for a mask that has one, or for one of some keys."""

    def change(schema: dict[str, Any]) -> None:
        schema["required"].remove("size")
        mask = {"required": ["solids"], "properties": {"solids": {"type": "object"}}}
        schema["anyOf"] = [{"required": ["size"]}, mask, *({"required": [key]} for key in others)]

    return change


class RecipeKeys(SpecModel):
    """These keys tell what each puzzle of a level or weekday must be, and how long it is searched for."""

    model_config = ConfigDict(json_schema_extra=_size_or())

    size: Annotated[
        Sizes,
        DefaultText("required; the mask's where there is one"),
        Synonyms("grid", "dimensions", "rows", "columns", "board"),
    ]
    """The board's size. A list is mixed evenly; a picture that is a mask is divided into so many squares."""
    paths: Annotated[
        Paths | None,
        DefaultText("one for every 7 to 10 free squares; classic: any"),
        Synonyms("pairs", "lines"),
    ] = None
    """How many paths (pairs of numbers) a board has."""
    solids: Annotated[
        Solids | None, DefaultText("0; classic: any"), Synonyms("blocks", "walls", "black_squares")
    ] = None
    """How many squares are solid. Without % a count; with % a share of all rows x cols squares: a range means
    the whole counts inside it, a single share the nearest. `{mask: heart}` gives the boards a shape: the
    solids lie as a shipped shape, or a text or picture of your own, has them; `inverted: yes` beside it swaps
    solid and free squares."""
    unique: Annotated[Rule, one_of(Rule)] = Rule.STRICT
    """What one solution means: `strict`, no other drawing even if squares may stay empty; `filled`, no other
    drawing that covers every square; `untouching`, no other one of these in which no line runs beside itself,
    which is printed as a rule, as in games for phones."""
    grade: Annotated[
        GradesOrMix | None, DefaultText("any, ungraded too"), Synonyms("difficulty", "hardness")
    ] = None
    """How hard, by the techniques that a person needs."""
    stars: Annotated[StarsOrMix | None, DefaultText("any")] = None
    """How hard it feels, in stars; with or without a grade. Where `paths` is left out, as many are taken as
    such boards usually have."""
    method: Annotated[Method, one_of(Method)] = Method.WALK
    """`walk` and `quick` meet a recipe exactly; `quick` makes about twice as many a second, other ones
    from the same seed. `classic` is the article's path growth."""
    shortest_path: Annotated[
        int | None,
        whole_number(2, 50),
        DefaultText("3; without composing, from 10x10 up, 5 where paths are long; classic: 2"),
    ] = None
    """The fewest squares on a path, its two numbers included."""
    adjacent_pairs: Annotated[YesNo | None, DefaultText("no; classic: yes")] = None
    """Whether the two numbers of a pair may be neighbours."""
    apart: Annotated[YesNo, Synonyms("spaced", "no_touching")] = False
    """Whether no two numbers stand side by side, whichever numbers they are; not with `classic`. Symmetric
    numbers take ten times as long then."""
    longest_share: Annotated[Share | None, DefaultText("60%; classic, or 1 or 2 paths: 100%")] = None
    """The most of the free squares that one path may cover."""
    border_share: Annotated[
        Share | None,
        DefaultText("50%; without composing, from 10x10 up, 20%; classic, or 1 or 2 paths: 100%"),
    ] = None
    """The most of the pairs that may have both numbers on the border."""
    border_numbers: Annotated[
        Share | None, DefaultText("100%; without composing, from 10x10 up, 7 tenths of the border's share")
    ] = None
    """The most of the numbers that may stand on the border."""
    solid_pattern: Annotated[Pattern, one_of(Pattern)] = Pattern.SCATTERED
    """How solids lie: unchanged by a half turn, or mirrored."""
    number_pattern: Annotated[
        NumberPattern | None,
        one_of(NumberPattern),
        DefaultText("`symmetric` on composed boards from 10x10 to 15x15 without solids; else `free`"),
    ] = None
    """How the squares with numbers lie, whichever numbers they are: `rotational`, unchanged by a half turn;
    `mirror`, by a left-right reflection; `flip`, by a top-bottom one; `symmetric`, one of these for each
    puzzle; `mixed`, one of these or free; not with `classic`."""
    composed: Annotated[YesNo | None, DefaultText("yes from 8x8 up; classic: no")] = None
    """Whether boards look as authors compose them: each in a style of its own, numbered in reading order or
    with neighbours close together, and with an answer that does not copy itself; not with `classic`."""
    effort: Annotated[float, number(LEAST_EFFORT, MOST_EFFORT, "times the usual work")] = 1.0
    """How long each puzzle is searched for before its recipe counts as not met."""
    otherwise: Annotated[IfGradeMissing, one_of(IfGradeMissing)] = IfGradeMissing.FAIL
    """Where no puzzle of the grade is found: `fail`, or print one of the `nearest` grade and say so."""

    @property
    def shortest_squares(self) -> int:
        """Return the fewest squares on a path that the keys ask for, or the method's own number."""
        if self.shortest_path is not None:
            return self.shortest_path
        return _CLASSIC_SHORTEST if self.method is Method.CLASSIC else _WALK_SHORTEST

    def solids_on(self, size: BoardSize) -> Span | None:
        """Return the counts of solids meant on a board; None if any will do (``classic`` only)."""
        if self.solids is not None:
            return self.solids.span(size)
        return None if self.method is Method.CLASSIC else Span(0, 0)

    @property
    def may_have_solids(self) -> bool:
        """Tell whether a board of any of the sizes may have a solid square."""
        return any(solids is None or solids.high for solids in map(self.solids_on, self.size))

    def paths_on(self, size: BoardSize, stars: Span | None = None) -> Span | None:
        """Return the path counts meant on a board; None if any will do (``classic`` only)."""
        if self.paths is not None or self.method is Method.CLASSIC:
            return self.paths
        solids = self.solids_on(size)
        free = size.rows * size.cols - (solids.high if solids else 0)
        most = max(1, free // self.shortest_squares)
        least = math.ceil(1 / self.longest_share) if self.longest_share else 1
        if isinstance(self.solids, MaskKeys):
            least = max(least, fewest_in(self.solids.grid))
        long, short = _rooms_of(stars, free) if stars else (_LONG_PATH, _SHORT_PATH)
        high = min(most, math.ceil(free / short))
        return Span(min(max(least, math.ceil(free / long)), max(high, least)), max(high, least))

    def recipes(self, count: int) -> list[Recipe]:
        """Return the recipe of each of so many puzzles: sizes take turns, mixes begin with their easiest."""
        recipe = cache(self.recipe)
        asked = zip(target_per_puzzle(self.grade, count), target_per_puzzle(self.stars, count), strict=True)
        return [
            recipe(self.size[index % len(self.size)], grades, stars)
            for index, (grades, stars) in enumerate(asked)
        ]

    def recipe(self, size: BoardSize, grades: GradeRange | None = None, stars: Span | None = None) -> Recipe:
        """Return the recipe of one puzzle."""
        classic, paths = self.method is Method.CLASSIC, self.paths_on(size, stars)
        composed = self.composed
        if composed is None:
            composed = not classic and min(size.rows, size.cols) >= _COMPOSED_SIDE
        defaults = self._defaults(size, paths, composed=composed)
        return Recipe(
            rows=size.rows,
            cols=size.cols,
            pairs=paths,
            solids=self.solids_on(size),
            rule=self.unique,
            grades=grades,
            stars=stars,
            shortest_path=defaults.shortest_path if self.shortest_path is None else self.shortest_path,
            adjacent_pairs=classic if self.adjacent_pairs is None else self.adjacent_pairs,
            apart=self.apart,
            longest_share=_given(self.longest_share, defaults.longest_share),
            border_share=_given(self.border_share, defaults.border_share),
            border_numbers=_given(self.border_numbers, defaults.border_numbers),
            pattern=self.solid_pattern,
            number_pattern=self.number_pattern or self._pattern(size, paths, composed=composed),
            composed=composed,
            mask=self.solids.grid if isinstance(self.solids, MaskKeys) else None,
        )

    def mix_problems(self, count: int) -> Iterator[Problem]:
        """Tell which mixes are not of so many puzzles."""
        for key, asked in (("grade", self.grade), ("stars", self.stars)):
            if isinstance(asked, Mix) and asked.count != count:
                message = f"let the counts of the mix add up to {counted(count, 'puzzle')}"
                yield Problem(f"{asked.count} in all", message, (key,))

    def _pattern(self, size: BoardSize, paths: Span | None, *, composed: bool) -> NumberPattern:
        """Return the number pattern that holds where the key is left out."""
        solids = self.solids_on(size)
        plain = solids is not None and not solids.high and paths is not None and paths.low >= _ROOMY_PATHS
        sides = (size.rows, size.cols)
        if composed and plain and min(sides) >= _ROOMY_SIDE and max(sides) <= _SYMMETRIC_MOST:
            return NumberPattern.SYMMETRIC
        return NumberPattern.FREE

    def _defaults(self, size: BoardSize, paths: Span | None, *, composed: bool) -> _Defaults:
        if self.method is Method.CLASSIC or paths is None:
            return _Defaults(_CLASSIC_SHORTEST)
        if paths.low <= _FREE_OF_SHARES:
            return _Defaults(_WALK_SHORTEST)
        if composed or min(size.rows, size.cols) < _ROOMY_SIDE or paths.low < _ROOMY_PATHS:
            return _Defaults(_WALK_SHORTEST, _LONGEST_SHARE, _BORDER_SHARE)
        solids, squares = self.solids_on(size), size.rows * size.cols
        room = (squares - (solids.high if solids else 0)) / paths.high
        even = 2 * (size.rows + size.cols - 2) / squares
        shortest = _ROOMY_SHORTEST if room >= _ROOM_FOR_5 else _WALK_SHORTEST + (room >= _ROOM_FOR_4)
        border = _BORDER_SHARE if room < _ROOM_FOR_4 else _ROOMY_BORDER_SHARE
        numbers = 1.0 if room < _ROOM_FOR_4 else round(_ROOMY_BORDER_NUMBERS * even, 2)
        return _Defaults(shortest, _LONGEST_SHARE, border, numbers)

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Tell why no board of a size can meet the keys, as far as counting does."""
        if readable("size"):
            for place, size in enumerate(self.size):
                yield from _faults(self, size, ("size", place) if len(self.size) > 1 else ("size",))


class LevelHead(SpecModel):
    """These keys give a level's name and its number of puzzles."""

    name: Annotated[str, line_of_text(40)]
    """The section's name, part of its puzzles' randomness; printed where there is no `title`."""
    count: Annotated[int, whole_number(1, MAX_PUZZLES), Synonyms("puzzles", "how_many")]
    """How many puzzles the level has."""


class LevelSpec(RecipeKeys, LevelHead):
    """A level is one section of a book."""

    model_config = ConfigDict(json_schema_extra=_size_or("from"))

    file: Annotated[FilePath | None, Field(alias="from")] = None
    """A file of puzzles, beside the spec, or a book's `volume.json`, to be proven, graded and printed instead
    of made ones: its first `count`. Leave `size` and the other recipe keys out; `unique` holds."""
    from_level: Annotated[str | None, line_of_text(40), DefaultText("all levels")] = None
    """The level of that `volume.json` whose puzzles are taken, by its name."""
    title: Annotated[str | None, line_of_text(40), DefaultText("its `name`")] = None
    """What is printed as the section's name, as in a translated edition; no puzzle depends on it."""
    per_page: Annotated[PerPageChoice, puzzles_a_page(1, 2, 3, 4, 5, 6, 8, 9)] = "auto"
    """Puzzles on a page; `auto`: the most that keep comfortable squares."""

    @property
    def heading(self) -> str:
        """Return the section's name as it is printed."""
        return self.title or self.name

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Check the recipe and its mixes, or refuse the keys of a recipe where a file has the boards."""
        if self.file is None:
            if self.from_level is not None:
                yield Problem(
                    self.from_level, "give `from`, the volume.json with that level", ("from_level",)
                )
            yield from super().problems(readable)
            if readable("count"):
                yield from self.mix_problems(self.count)
            return
        for name in RecipeKeys.model_fields.keys() - {"size", "unique"}:
            if getattr(self, name) != RecipeKeys.model_fields[name].default:
                yield Problem("", "the boards of `from` are as they are; leave it out", (name,))


def _faults(keys: RecipeKeys, size: BoardSize, size_key: KeyPath) -> Iterator[Problem]:
    """Tell why no board of a size can meet the keys."""
    squares = size.rows * size.cols
    if keys.method is not Method.CLASSIC and min(size.rows, size.cols) < MIN_WALK_SIDE:
        message = f"boards from {MIN_WALK_SIDE} to {MAX_SIDE} are made; smaller with method: classic"
        yield Problem(str(size), message, size_key)
        return
    if isinstance(keys.solids, MaskKeys) and keys.solids.size != size:
        message = f"the mask is {keys.solids.size.sides}; leave `size` out, or write that"
        yield Problem(size.sides, message, size_key)
        return
    solids = keys.solids_on(size)
    if solids is None and isinstance(keys.solids, SolidCount):
        yield Problem(str(keys.solids), _no_whole_count(keys.solids, size), ("solids",))
        return
    fewest, most = (solids.low, solids.high) if solids else (0, 0)
    shortest = keys.shortest_squares
    if squares - most < shortest:
        message = (
            f"that leaves {max(0, squares - most)} of the {squares} squares of a board of {size.sides} free; "
            f"a path needs {shortest}"
        )
        yield Problem(str(keys.solids), message, ("solids",))
        return
    recipe = keys.recipe(size)
    found = list(_path_faults(keys, size, squares - fewest, squares - most))
    if not solid_counts(recipe):
        message = f"an odd number can't lie {recipe.pattern} on a board of {size.sides}; make it even"
        found.append(Problem(str(keys.solids), message, ("solids",)))
    conflicts = classic_conflicts(recipe) if keys.method is Method.CLASSIC else {}
    for name, message in conflicts.items():
        key = "solids" if name == "mask" else name
        written = {"solids": str(keys.solids), "number_pattern": recipe.number_pattern.value}
        found.append(Problem(written.get(key, "yes"), message, (key,)))
    if keys.apart and keys.adjacent_pairs and "apart" not in conflicts:
        message = "the two numbers of a pair can't be neighbours where no two are; leave one of the keys out"
        found.append(Problem("yes", message, ("apart",)))
    yield from found
    other = None if found else recipe_problem(recipe)
    if other:
        of_mask = Problem(str(keys.solids), other, ("solids",))
        yield of_mask if recipe.mask else Problem(size.sides, other, size_key)


def _path_faults(keys: RecipeKeys, size: BoardSize, most_free: int, least_free: int) -> Iterator[Problem]:
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
        yield Problem(str(keys.solids), message, ("solids",))
    if keys.longest_share is None:
        return
    longest = longest_path(keys.recipe(size), size.rows * size.cols - most_free)
    if paths.high * longest < least_free:
        message = (
            f"{counted(paths.high, 'path')} of at most {longest} squares can't cover the {least_free} free "
            f"squares of a {size.sides} board; allow more or ask for more paths"
        )
        yield Problem(percent_text(keys.longest_share), message, ("longest_share",))


def _no_whole_count(solids: SolidCount, size: BoardSize) -> str:
    squares = size.rows * size.cols
    below = math.floor(solids.low * squares)
    return (
        f"no whole number of the {squares} squares of a board of {size.sides} lies in that range; "
        f"the nearest are {below} ({below / squares:.1%}) and {below + 1} ({(below + 1) / squares:.1%})"
    )
