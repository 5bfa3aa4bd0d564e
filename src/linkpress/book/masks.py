"""Boards in shapes: ``solids: {mask: heart}`` draws which squares of a board are solid.

A mask is a text with ``#`` for a solid and ``.`` for a free square, or a picture in which dark is solid.
"""

from __future__ import annotations

import contextlib
import dataclasses
import io
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from linkpress.book.recipe_values import COUNTED_SOLIDS, SIZES, BoardSize, SolidCount
from linkpress.documents.models import SpecModel, read_values
from linkpress.documents.problem import InvalidError, Problem, YamlSource, invalid, shown
from linkpress.documents.shipped_files import MASKS, MAX_PATH, NAME_OR_PATH, beside, read_named
from linkpress.documents.values import ValueReader, YesNo, written
from linkpress.engine.recipe import Span
from linkpress.errors import PuzzleError, UsageError
from linkpress.puzzle.notation.link_text import grid_rows, parse_grid
from linkpress.puzzle.notation.reading import decode
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Grid

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
    return Grid(size[1], size[0], frozenset(n for n, light in enumerate(grey.tobytes()) if light < _DARK))


def _read_mask(value: object) -> Grid:
    if isinstance(value, Grid):
        return value
    try:
        if isinstance(value, (list, tuple)):
            return parse_grid("\n".join(written(row, _WORDS) for row in value))
        return load_mask(NAME_OR_PATH.read(written(value, _WORDS)))
    except (PuzzleError, UsageError) as fault:
        raise invalid(shown(str(value)), str(fault)) from None


class MaskKeys(SpecModel):
    """The shape in which the solids of each board lie."""

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
        """The solids, as boards have them."""
        if not self.inverted:
            return self.mask
        return dataclasses.replace(self.mask, solids=frozenset(self.mask.free_cells))

    @property
    def size(self) -> BoardSize:
        """The board's size."""
        return BoardSize(self.mask.rows, self.mask.cols)

    def span(self, _size: BoardSize) -> Span:
        """Return the count of solids, whatever board is asked for."""
        return Span(len(self.grid.solids), len(self.grid.solids))

    def __str__(self) -> str:
        return f"a mask of {self.size.sides}"


def _read_solids(value: object) -> SolidCount | MaskKeys:
    if isinstance(value, MaskKeys):
        return value
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
    """Read the masks that the recipes of a spec name.

    Args:
        key: where its recipes stand: ``levels``, or ``week``.
        folder: the folder that relative paths start from.
    Returns:
        The document with the masks' rows in place of their files, and with the sizes that they give; and
        the problems.
    """
    recipes, problems = source.value.get(key), []
    if not isinstance(recipes, (list, dict)):
        return source, []
    places = list(enumerate(recipes) if isinstance(recipes, list) else recipes.items())
    taken = []
    for place, keys in places:
        if isinstance(keys, Mapping):
            try:
                keys = with_mask(keys, folder)
            except InvalidError as fault:
                problems += [
                    source.problem((key, place, *problem.key), problem.found, problem.message)
                    for problem in fault.problems
                ]
                # For its other faults the recipe is judged as if it made small boards without solids.
                keys = {"size": "7", **keys, _SOLIDS: None}
        taken.append(keys)
    whole = taken if isinstance(recipes, list) else dict(zip(recipes, taken, strict=True))
    return dataclasses.replace(source, value={**source.value, key: whole}), problems


def with_mask(keys: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Return the keys of a recipe, with the rows of its mask, if it has one, and the size that they give.

    Args:
        keys: as a document has them.
        folder: the folder that a relative path starts from.
    Raises:
        InvalidError: the mask can't be read.
    """
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
