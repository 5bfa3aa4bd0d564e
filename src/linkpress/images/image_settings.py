"""Read and check the settings of images: width, resolution, pixels, theme, column grid and file names.

Line art has a default resolution of 1200 dpi. Newsprint specifications require it for 1-bit images
(ISOnewspaper26v4). The Washington Business Journal requires at least 1000 dpi for rasterised text.

Grey images have a default resolution of 300 dpi. Newspapers print grey as a halftone, a pattern of dots, and
ask for images of 170 to 300 dpi.

Widths in pixels are meant for browsers, where a pixel is 1/96 in (CSS Values and Units, 6.2).
"""

from __future__ import annotations

import datetime
import math
import re
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from itertools import pairwise
from typing import Annotated, TypeVar

from pydantic import Field

from linkpress.documents.models import Readable, SpecModel, load_named
from linkpress.documents.problem import InvalidError, Problem, invalid, printable
from linkpress.documents.shipped_files import COLUMN_GRIDS
from linkpress.documents.values import (
    MM_PT,
    Date,
    PixelMode,
    line_of_text,
    millimetres,
    parse_length,
    parse_pixels,
)
from linkpress.errors import UsageError
from linkpress.files import ImageFormat, is_device
from linkpress.images.image_files import FORMATS, check_formats
from linkpress.layout.theme import Theme, contrast_problems, load_theme
from linkpress.render.fonts import FontMeasure

Choice = TypeVar("Choice", bound=StrEnum)

DEFAULT_GRID = "broadsheet"
DEFAULT_COLUMNS = 2
MIN_CELL_MM = 3.5
MIN_WIDTH_MM, MAX_WIDTH_MM = 20.0, 600.0
MIN_DPI, MAX_DPI = 72, 2400
LINE_ART_DPI, GREY_DPI, BROWSER_DPI = 1200, 300, 96
_MAX_COLUMNS = 12
INCH_PT = 72.0
_INCH_MM = INCH_PT / MM_PT

FIELDS = ("date", "number", "what", "columns", "dpi")
_WHY_MISSING = {"date": "the images have no date", "columns": "their width is given without columns"}
_MAX_TEMPLATE_LENGTH = 200
# Maximum length in bytes of a template for file names. File systems allow 255 bytes for a name. The rest is
# left for the values of the fields, which make a name longer, and for the suffixes of temporary files.
_MAX_NAME_BYTES = 180
_DATE_FORMAT = re.compile(r"(?:%[YymdjGVu]|[-_.])*")
_NUMBER_FORMAT = re.compile(r"0?[1-9]?d?")
_FORBIDDEN_CHARACTERS = frozenset('<>:"|?*\\')
_SUFFIXES = {suffix for kind in ImageFormat for suffix in (FORMATS[kind].suffix, f".{kind}")}
_SUFFIX = re.compile(f"(?:{'|'.join(map(re.escape, sorted(_SUFFIXES)))})$", re.IGNORECASE)
_EXAMPLE = "LINKS-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png"


@dataclass(frozen=True, slots=True)
class Canvas:
    """Width of an image in pixels, and its resolution in dots per inch.

    The methods convert between pixels and lengths in points.
    """

    width_px: int
    dpi: int

    def pt(self, pixels: float) -> float:
        return pixels * INCH_PT / self.dpi

    def px(self, points: float) -> int:
        return math.ceil(points * self.dpi / INCH_PT - 1e-9)

    def weight_px(self, points: float) -> int:
        return max(1, round(points * self.dpi / INCH_PT))

    def mm(self, pixels: float) -> float:
        return pixels * _INCH_MM / self.dpi


def canvas_of(width_mm: float, dpi: int) -> Canvas:
    """Return the width in pixels and the resolution of an image, from its printed width.

    Args:
        width_mm: the printed width in millimetres.
        dpi: the resolution in dots per inch.
    Raises:
        UsageError: linkpress doesn't allow this resolution.
    """
    if not MIN_DPI <= dpi <= MAX_DPI:
        raise UsageError(
            f"{dpi} dpi: {MIN_DPI} to {MAX_DPI} are allowed. Line art needs 600 to 1200, grey 170 to 300."
        )
    return Canvas(round(width_mm / _INCH_MM * dpi), dpi)


@dataclass(frozen=True)
class ImageSettings:
    """Settings of images.

    Args:
        width_mm: the width in millimetres.
        columns: the width in columns of a newspaper's grid, or None if it was given as a length.
        dpi: the resolution.
        mode: the kind of pixels.
        formats: the file formats.
        theme: the theme.
        min_cell_mm: the minimum cell width.
        clear: whether the paper of a PNG file is transparent.
        measure: object that returns the sizes of text in the fonts of the images.
    """

    width_mm: float
    columns: int | None
    dpi: int
    mode: PixelMode
    formats: tuple[ImageFormat, ...]
    theme: Theme
    min_cell_mm: float = MIN_CELL_MM
    clear: bool = False
    measure: FontMeasure = field(default_factory=FontMeasure)

    @cached_property
    def canvas(self) -> Canvas:
        return canvas_of(self.width_mm, self.dpi)


def image_settings(
    width: tuple[float, int | None],
    dpi: int | None,
    mode: PixelMode | str,
    formats: str | Iterable[str],
    theme: str | None,
    min_cell_mm: float | None = None,
    clear: bool = False,
    book_theme: Theme | None = None,
) -> ImageSettings:
    """Create the settings of images, and check that they are compatible.

    Args:
        width: the width in millimetres, and the number of columns if the width comes from a column grid.
        dpi: the resolution from 72 to 2400. None means 1200 for 1-bit pixels, and 300 otherwise.
        mode: the kind of pixels, or its name.
        formats: one or more formats, or their names.
        theme: the name or path of a theme. None means ``lineart`` for 1-bit pixels, ``book_theme`` for
            coloured pixels if it is given, and ``newspaper`` otherwise.
        min_cell_mm: the minimum cell width, or None for the default.
        clear: whether the paper of a PNG file is transparent.
        book_theme: the theme of the puzzles' book, or None if they are not from a book.
    Raises:
        UsageError: the resolution is not allowed, a mode or format doesn't exist, a format can't hold the
            pixels, no format supports transparent paper, or parts of the theme would be invisible in these
            pixels.
    """
    pixels, kinds = read_word(mode, PixelMode, "mode"), read_words(formats, ImageFormat, "formats")
    is_one_bit = pixels is PixelMode.ONE_BIT
    dpi = dpi or (LINE_ART_DPI if is_one_bit else GREY_DPI)
    canvas_of(width[0], dpi)
    check_formats(kinds, pixels, clear=clear)
    chosen = book_theme if pixels is PixelMode.RGB and theme is None else None
    chosen = chosen or load_theme(theme or ("lineart" if is_one_bit else "newspaper"))
    if unclear := next(contrast_problems(chosen), None):
        raise UsageError(f"the theme {chosen.name} has marks that can't be seen: {unclear[0]} — {unclear[1]}")
    needs_colour = chosen.numbers.is_dots and not chosen.numbers.show_numbers
    if needs_colour and pixels is PixelMode.GRAY and not all(FORMATS[kind].is_vector for kind in kinds):
        raise UsageError(
            f"mode gray: the theme {chosen.name} shows pairs by colour alone, and grey pixels have none. "
            "Choose the mode rgb, or a theme that shows numbers."
        )
    if pixels is not PixelMode.RGB:
        chosen = chosen.in_grey()
    return ImageSettings(*width, dpi, pixels, kinds, chosen, min_cell_mm or MIN_CELL_MM, clear)


# Widths


def image_width(width_mm: float | None, columns: int | None, grid: str | None) -> tuple[float, int | None]:
    """Return an image's width in millimetres, and the number of columns if the width comes from a grid.

    Args:
        width_mm: the width, or None to use columns and grid instead.
        columns: the number of columns, or None for 2.
        grid: the name or path of a column grid, or None for the default grid.
    Raises:
        UsageError: both a width and columns or a grid are given, the width is not allowed, the grid doesn't
            exist, or the grid has fewer columns than ``columns``.
    """
    try:
        check_one_width(width_mm, columns, grid)
    except InvalidError as error:
        raise UsageError(f"the width {error}.") from None
    if width_mm is None:
        count = DEFAULT_COLUMNS if columns is None else columns
        return load_grid(grid or DEFAULT_GRID).width_mm(count), count
    _check_width(width_mm)
    return width_mm, None


def check_one_width(width_mm: float | None, columns: int | None, grid: str | None) -> None:
    """Check that a width is not given twice, both in millimetres and as columns or a grid.

    Raises:
        InvalidError: the width is given twice.
    """
    if width_mm is not None and (columns is not None or grid is not None):
        raise invalid(f"{width_mm:g} mm", "give a width, or a grid and columns, not both")


def read_width(text: str, dpi: int = BROWSER_DPI) -> float:
    """Read a width such as ``82.6mm`` or ``600px``, and return it in millimetres.

    Args:
        text: the width.
        dpi: the resolution, for a width in pixels.
    Raises:
        UsageError: the text is not a width, or the width is not allowed.
    """
    if (pixels := parse_pixels(text)) is not None:
        width_mm = Canvas(pixels, dpi).mm(pixels)
    else:
        try:
            width_mm = parse_length(text) / MM_PT
        except ValueError as error:
            raise UsageError(f"the width {error}, or 600px.") from None
    _check_width(width_mm)
    return width_mm


def _check_width(width_mm: float) -> None:
    # Round the width, because converting 600 mm to points and back gives slightly more than 600 mm.
    if not MIN_WIDTH_MM <= round(width_mm, 6) <= MAX_WIDTH_MM:
        raise UsageError(f"a width of {width_mm:g} mm: {MIN_WIDTH_MM:g} to {MAX_WIDTH_MM:g} mm are allowed.")


class ColumnGrid(SpecModel):
    """Widths of a newspaper's columns, read from a grid file.

    The file names its source and date, because newspapers change their column widths.
    """

    name: Annotated[str, line_of_text(40)]
    """The name of the grid."""
    about: Annotated[str | None, line_of_text(200)] = None
    """A description of the grid."""
    source: Annotated[str, line_of_text(300)]
    """The document that gives the widths."""
    date: Date
    """The date on which the source was read."""
    gutter_mm: Annotated[float, millimetres(0, 30)]
    """The space between two columns."""
    widths_mm: Annotated[
        tuple[Annotated[float, millimetres(MIN_WIDTH_MM, MAX_WIDTH_MM)], ...],
        Field(min_length=1, max_length=_MAX_COLUMNS),
    ]
    """The widths of one column, of two columns with the gutter between them, and so on."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem for each entry of ``widths_mm`` that is too small.

        The second entry is the width of two columns, the third is that of three columns, and so on. Each
        entry must be at least one and a half gutters wider than the entry before. A gutter is the space
        between two columns.
        """
        if not readable("widths_mm", "gutter_mm"):
            return
        for count, (narrow, wide) in enumerate(pairwise(self.widths_mm), 1):
            if wide - narrow < 1.5 * self.gutter_mm or wide <= narrow:
                message = (
                    f"{count + 1} columns must be wider than {count} columns of {narrow:g} mm, by one and a "
                    f"half gutters of {self.gutter_mm:g} mm or more"
                )
                yield Problem(f"{wide:g}", message, ("widths_mm", count))

    def width_mm(self, columns: int) -> float:
        """Return the width of several columns, including the gutters between them.

        Raises:
            UsageError: the grid has fewer columns than ``columns``.
        """
        if not 1 <= columns <= len(self.widths_mm):
            raise UsageError(
                f"{columns} columns: the grid {self.name} has 1 to {len(self.widths_mm)}. Choose one of "
                "these, another grid, or a width in millimetres."
            )
        return self.widths_mm[columns - 1]


def load_grid(name_or_path: str) -> ColumnGrid:
    return load_named(name_or_path, COLUMN_GRIDS, ColumnGrid)


# Choices


class ImageKind(StrEnum):
    """Kind of image.

    ``COMBINED`` is a puzzle with the solution of an earlier puzzle. ``OVERLAY`` has only the lines of a
    solution on a transparent background, to be laid over the image of the puzzle.
    """

    PUZZLE = "puzzle"
    SOLUTION = "solution"
    COMBINED = "combined"
    OVERLAY = "overlay"


def read_words(
    words: str | Iterable[str], kind: type[Choice], option: str, allowed: Iterable[str] = ()
) -> tuple[Choice, ...]:
    """Read several members of an enumeration. A member that occurs repeatedly is returned once.

    Args:
        words: the values of the members, as a list or as text with commas.
        kind: the enumeration.
        option: the name of the option, for error messages.
        allowed: the values that error messages list as allowed. If empty, messages list all members.
    Raises:
        UsageError: a word is not the value of a member.
    """
    parts = words.split(",") if isinstance(words, str) else map(str, words)
    given = [part for part in parts if part.strip()] or [""]
    return tuple(dict.fromkeys(read_word(part, kind, option, allowed) for part in given))


def read_word(text: str, kind: type[Choice], option: str, allowed: Iterable[str] = ()) -> Choice:
    """Read one member of an enumeration. See ``read_words`` for the arguments and errors."""
    try:
        return kind(str(text).strip().lower())
    except ValueError:
        raise UsageError(f"{option} {text!r}: {', '.join(allowed or kind)} is allowed.") from None


# File names


@dataclass(frozen=True, slots=True)
class NameFields:
    """Values for the fields of a file name template.

    Args:
        date: the date of the image, or None if it has no date.
        number: the puzzle's number.
        what: the kind of image.
        columns: the width in columns, or None if it was given as a length.
        dpi: the resolution.
    """

    date: datetime.date | None
    number: int
    what: ImageKind
    columns: int | None
    dpi: int


@dataclass(frozen=True, slots=True)
class Template:
    """Template for file names that was checked by ``read_template``.

    Args:
        text: the template.
        fields: the names of its fields.
    """

    text: str
    fields: frozenset[str]

    def matches(self, name: str) -> bool:
        """Return whether this template can produce a certain file name."""
        parts = string.Formatter().parse(_SUFFIX.sub("", self.text))
        pattern = "".join(
            re.escape(text) + ("" if field is None else r"[\w.-]+") for text, field, *_ in parts
        )
        return bool(_SUFFIX.search(name) and re.fullmatch(pattern, _SUFFIX.sub("", name)))

    def name(self, values: NameFields, suffix: str) -> str:
        """Return a file name, with forward slashes between folders.

        Raises:
            UsageError: the template has the field ``{date}``, but the image has no date. Or it has the field
                ``{columns}``, but the image's width is not given as a number of newspaper columns.
        """
        for key, reason in _WHY_MISSING.items():
            if key in self.fields and getattr(values, key) is None:
                raise UsageError(f"the name {self.text!r} uses {{{key}}}, but {reason}. Leave it out.")
        texts = {name: getattr(values, name) for name in FIELDS}
        texts["what"] = values.what.value
        return _SUFFIX.sub("", self.text).format(**texts) + suffix


def read_template(text: str) -> Template:
    """Read and check a template for file names, which is a relative path with fields in braces.

    Raises:
        InvalidError: the template has an unknown field, lacks ``{what}``, or can't produce valid file names.
    """
    fields = set()
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as error:
        raise invalid(printable(text), f"not a template: {error}; write it like {_EXAMPLE}") from None
    example_path = ""
    for literal, key, spec, conversion in parts:
        example_path += literal
        if key is None:
            continue
        example_path += "x"
        fields.add(key)
        _check_field(key, spec or "", conversion)
    _check_path(text, example_path)
    if "what" not in fields:
        raise invalid(printable(text), "{what} is needed, or puzzle and solution would have the same name")
    return Template(text, frozenset(fields))


def _check_field(field: str, spec: str, conversion: str | None) -> None:
    if field not in FIELDS:
        allowed = ", ".join(f"{{{name}}}" for name in FIELDS)
        raise invalid(printable(f"{{{field}}}"), f"there is no such field; allowed: {allowed}")
    if conversion:
        raise invalid(printable(f"{{{field}!{conversion}}}"), "no conversion is allowed; leave it out")
    if field == "date":
        if not _DATE_FORMAT.fullmatch(spec):
            raise invalid(printable(spec), "a date's format is made of %Y %y %m %d %j %G %V %u and - _ .")
    elif field == "what":
        if spec:
            raise invalid(printable(spec), "{what} takes no format")
    elif not _NUMBER_FORMAT.fullmatch(spec):
        raise invalid(printable(spec), "a number's format is its number of digits, like 04")


def _check_path(text: str, example_path: str) -> None:
    """Check that a template produces file names that are valid on all systems.

    Args:
        text: the template, for error messages.
        example_path: the template with a letter in place of each field.
    """
    if not 0 < len(text) <= _MAX_TEMPLATE_LENGTH:
        raise invalid(f"{len(text)} characters", f"1 to {_MAX_TEMPLATE_LENGTH} are allowed")
    forbidden = next(
        (char for char in example_path if char in _FORBIDDEN_CHARACTERS or not char.isprintable()), None
    )
    if forbidden is not None:
        raise invalid(printable(text), f"not all systems allow the character {forbidden!r} in a file name")
    if example_path[0] in "=+-@":
        raise invalid(printable(text), "spreadsheets take a name that begins with = + - or @ for a formula")
    parts = example_path.split("/")
    if parts[0].lower() == "index.csv":
        raise invalid(printable(text), "index.csv is the feed's own table")
    for part in parts:
        if len(part.encode()) > _MAX_NAME_BYTES:
            raise invalid(printable(text), f"the name of a file or folder may have {_MAX_NAME_BYTES} bytes")
        if part in ("", ".", ".."):
            raise invalid(
                printable(text), "the name must stay inside the output folder: without an empty part, . or .."
            )
        if part.startswith(".") or part.endswith((".", " ")) or is_device(part):
            raise invalid(printable(text), f"not all systems allow the file name {printable(part)!r}")
    if parts[-1].lower().startswith("manifest-"):
        raise invalid(printable(text), "names that begin with manifest- are the feed's own")
