"""This module settles how images are made and called, from keys or options: width, pixels, theme, names.

Line art has 1200 dpi where nothing else is asked for: advertisement specifications for newsprint
(ISOnewspaper26v4) ask for that of 1-bit images, and the Washington Business Journal for 1000 dpi or more
of rasterised text. Grey has 300, since the screens of newspapers take 170 to 300. A width in pixels is for
browsers, whose pixel is 1/96 in (CSS Values and Units, 6.2).
"""

from __future__ import annotations

import datetime
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
from linkpress.documents.values import MM_PT, Date, line_of_text, millimetres, parse_length
from linkpress.errors import UsageError
from linkpress.files import is_device
from linkpress.images.image_captions import TypeSetter
from linkpress.images.image_files import ImageFormat, check_formats
from linkpress.images.pixels import Canvas, canvas_of
from linkpress.layout.theme import Theme, load_theme
from linkpress.render.fonts import FontMeasure
from linkpress.render.raster import PixelMode

DEFAULT_COLUMNS = 2
MIN_CELL_MM = 3.5
LINE_ART_DPI, GREY_DPI, BROWSER_DPI = 1200, 300, 96

AnyWord = TypeVar("AnyWord", bound=StrEnum)
DEFAULT_GRID = "broadsheet"
MIN_WIDTH_MM, MAX_WIDTH_MM = 20.0, 600.0
_MOST_COLUMNS = 12
FIELDS = ("date", "number", "what", "columns", "dpi")
_LACKING = {"date": "the images have no date", "columns": "their width is given without columns"}
_MAX_LENGTH = 200  # of a template
_DATE_FORMAT = re.compile(r"(?:%[YymdjGVu]|[-_.])*")
_NUMBER_FORMAT = re.compile(r"0?[1-9]?d?")
_MAX_PART_BYTES = 180  # file systems take 255; the fields grow, and a file in the making has a longer name
_FORBIDDEN = frozenset('<>:"|?*\\')
_SUFFIXES = {suffix for kind in ImageFormat for suffix in (kind.suffix, f".{kind}")}
_SUFFIX = re.compile(f"(?:{'|'.join(map(re.escape, sorted(_SUFFIXES)))})$", re.IGNORECASE)
_EXAMPLE = "LINKS-{date:%Y%m%d}-{number:04}-{what}-{columns}col-{dpi}.png"


@dataclass(frozen=True)
class ImageSettings:
    """These settings say how images are made; a width that was given in millimetres has no columns."""

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
        """Return the width in exact pixels."""
        return canvas_of(self.width_mm, self.dpi)

    @cached_property
    def type(self) -> TypeSetter:
        """Return the setter of the words."""
        return TypeSetter(self.canvas, self.theme, self.measure)


def image_settings(
    width: tuple[float, int | None],
    dpi: int | None,
    mode: PixelMode | str,
    formats: str | Iterable[str],
    theme: str | None,
    min_cell_mm: float | None = None,
    clear: bool = False,
) -> ImageSettings:
    """Return settings that go together.

    Args:
        width: millimetres, and the columns that make it if any.
        dpi: 72 to 2400; 1200 for 1-bit pixels if None, else 300.
        mode: the kind of pixels; its word will do.
        formats: one or more; their words will do.
        theme: a name or path; ``lineart`` for 1-bit pixels if None, else ``newspaper``.
        min_cell_mm: None for the least that is legible.
        clear: whether the paper of a PNG is see-through.
    Raises:
        UsageError: dpi out of range, no such mode or kind of file, a kind that can't hold the pixels, or
            see-through paper where no kind has it.
    """
    pixels, kinds = read_word(mode, PixelMode, "mode"), read_words(formats, ImageFormat, "formats")
    dpi = dpi or (LINE_ART_DPI if pixels is PixelMode.ONE_BIT else GREY_DPI)
    canvas_of(width[0], dpi)
    check_formats(kinds, pixels, clear=clear)
    chosen = load_theme(theme or ("lineart" if pixels is PixelMode.ONE_BIT else "newspaper"))
    numbers = chosen.numbers
    by_colour_alone = numbers.is_dots and not numbers.show_numbers
    if by_colour_alone and pixels is PixelMode.GRAY and not all(kind.is_vector for kind in kinds):
        raise UsageError(
            f"mode gray: the theme {chosen.name} tells pairs by colour alone, and grey pixels have none. "
            "Choose the mode rgb, or a theme that shows numbers."
        )
    return ImageSettings(*width, dpi, pixels, kinds, chosen, min_cell_mm or MIN_CELL_MM, clear)


def image_width(width_mm: float | None, columns: int | None, grid: str | None) -> tuple[float, int | None]:
    """Return an image's width in millimetres, and the columns that make it if any.

    Args:
        width_mm: instead of columns and grid; from the columns if None.
        columns: 2 if None.
        grid: a name or path; the default grid if None.
    Raises:
        UsageError: a width and columns or a grid are given, the width is too small or large for a
            newspaper, there is no such grid, or it has fewer columns.
    """
    try:
        check_one_width(width_mm, columns, grid)
    except InvalidError as fault:
        raise UsageError(f"the width {fault}.") from None
    if width_mm is None:
        count = DEFAULT_COLUMNS if columns is None else columns
        return load_grid(grid or DEFAULT_GRID).width_mm(count), count
    _check_width(width_mm)
    return width_mm, None


def check_one_width(width_mm: float | None, columns: int | None, grid: str | None) -> None:
    """Raise ``InvalidError`` for a width in millimetres beside columns or a grid."""
    if width_mm is not None and (columns is not None or grid is not None):
        raise invalid(f"{width_mm:g} mm", "give a width, or a grid and columns, not both")


def is_in_pixels(width: str) -> bool:
    """Tell whether a width is in pixels, as ``600px``."""
    return re.fullmatch(r" *[0-9]{1,5} *px *", width) is not None


def read_width(text: str, dpi: int = BROWSER_DPI) -> float:
    """Read a width such as ``82.6mm`` or ``600px`` in millimetres; raise ``UsageError`` for others."""
    if is_in_pixels(text):
        pixels = int(text.strip().removesuffix("px"))
        width_mm = Canvas(pixels, dpi).mm(pixels)
        _check_width(width_mm)
        return width_mm
    try:
        width_mm = parse_length(text) / MM_PT
    except ValueError as fault:
        raise UsageError(f"the width {fault}, or 600px.") from None
    _check_width(width_mm)
    return width_mm


def _check_width(width_mm: float) -> None:
    if not MIN_WIDTH_MM <= round(width_mm, 6) <= MAX_WIDTH_MM:  # 600 mm in points is a bit more
        raise UsageError(f"a width of {width_mm:g} mm: {MIN_WIDTH_MM:g} to {MAX_WIDTH_MM:g} mm are allowed.")


def read_words(
    words: str | Iterable[str], kind: type[AnyWord], option: str, allowed: Iterable[str] = ()
) -> tuple[AnyWord, ...]:
    """Read words of an enumeration, listed or joined by commas, each once; raise as ``read_word`` does."""
    parts = words.split(",") if isinstance(words, str) else map(str, words)
    asked = [part for part in parts if part.strip()] or [""]
    return tuple(dict.fromkeys(read_word(part, kind, option, allowed) for part in asked))


def read_word(text: str, kind: type[AnyWord], option: str, allowed: Iterable[str] = ()) -> AnyWord:
    """Read one word of an enumeration; raise ``UsageError`` for any other, with those allowed or all."""
    try:
        return kind(str(text).strip().lower())
    except ValueError:
        raise UsageError(f"{option} {text!r}: {', '.join(allowed or kind)} is allowed.") from None


class ColumnGrid(SpecModel):
    """A newspaper's columns come from a file with its source and date, because papers change them."""

    name: Annotated[str, line_of_text(40)]
    """What the grid is called."""
    about: Annotated[str | None, line_of_text(200)] = None
    """What it is, in words."""
    source: Annotated[str, line_of_text(300)]
    """Where the widths come from."""
    date: Date
    """When they were looked up."""
    gutter_mm: Annotated[float, millimetres(0, 30)]
    """Between two columns."""
    widths_mm: Annotated[
        tuple[Annotated[float, millimetres(MIN_WIDTH_MM, MAX_WIDTH_MM)], ...],
        Field(min_length=1, max_length=_MOST_COLUMNS),
    ]
    """Of one column, of two with the gutter between them, and so on."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find widths that do not rise by a column and a gutter."""
        if not readable("widths_mm", "gutter_mm"):
            return
        for count, (narrow, wide) in enumerate(pairwise(self.widths_mm), 1):
            if wide - narrow < 1.5 * self.gutter_mm or wide <= narrow:
                message = (
                    f"{count + 1} columns must be at least a gutter of {self.gutter_mm:g} mm and a half "
                    f"wider than {count} columns of {narrow:g}"
                )
                yield Problem(f"{wide:g}", message, ("widths_mm", count))

    def width_mm(self, columns: int) -> float:
        """Return the width of so many columns with gutters; raise ``UsageError`` if the grid has fewer."""
        if not 1 <= columns <= len(self.widths_mm):
            raise UsageError(
                f"{columns} columns: the grid {self.name} has 1 to {len(self.widths_mm)}. Choose one of "
                "these, another grid, or a width in millimetres."
            )
        return self.widths_mm[columns - 1]


def load_grid(name_or_path: str) -> ColumnGrid:
    """Load a shipped grid by its name, or a grid file by its path; raise as ``load_named`` does."""
    return load_named(name_or_path, COLUMN_GRIDS, ColumnGrid)


class ImageKind(StrEnum):
    """An image kind says what an image shows."""

    PUZZLE = "puzzle"
    SOLUTION = "solution"
    COMBINED = "combined"
    OVERLAY = "overlay"


@dataclass(frozen=True, slots=True)
class NameFields:
    """A file's name is made of these values; undated images and widths in millimetres lack one."""

    date: datetime.date | None
    number: int
    what: ImageKind
    columns: int | None
    dpi: int


@dataclass(frozen=True, slots=True)
class Template:
    """A template of file names is checked when ``read_template`` makes it."""

    text: str
    fields: frozenset[str]

    def made(self, name: str) -> bool:
        """Tell whether a file may have its name from this template."""
        parts = string.Formatter().parse(_SUFFIX.sub("", self.text))
        pattern = "".join(
            re.escape(text) + ("" if field is None else r"[\w.-]+") for text, field, *_ in parts
        )
        return bool(_SUFFIX.search(name) and re.fullmatch(pattern, _SUFFIX.sub("", name)))

    def name(self, named: NameFields, suffix: str) -> str:
        """Return a file's name, with forward slashes; raise ``UsageError`` for a lacking date or columns."""
        for key, reason in _LACKING.items():
            if key in self.fields and getattr(named, key) is None:
                raise UsageError(f"the name {self.text!r} uses {{{key}}}, but {reason}. Leave it out.")
        values = {name: getattr(named, name) for name in FIELDS}
        values["what"] = named.what.value
        return _SUFFIX.sub("", self.text).format(**values) + suffix


def read_template(text: str) -> Template:
    """Check a template, a relative path with fields in braces; raise ``InvalidError`` for a wrong one."""
    fields = set()
    try:
        parts = list(string.Formatter().parse(text))
    except ValueError as fault:
        raise invalid(printable(text), f"not a template: {fault}; as {_EXAMPLE}") from None
    plain = ""
    for literal, key, spec, conversion in parts:
        plain += literal
        if key is None:
            continue
        plain += "x"
        fields.add(key)
        _check_field(key, spec or "", conversion)
    _check_path(text, plain)
    if "what" not in fields:
        raise invalid(printable(text), "{what} is needed, or puzzle and solution would have one name")
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
        raise invalid(printable(spec), "a number's format is its digits, as 04")


def _check_path(text: str, plain: str) -> None:
    if not 0 < len(text) <= _MAX_LENGTH:
        raise invalid(f"{len(text)} characters", f"1 to {_MAX_LENGTH} are allowed")
    found = next((letter for letter in plain if letter in _FORBIDDEN or not letter.isprintable()), None)
    if found is not None:
        raise invalid(printable(text), f"the character {found!r} can't stand in a file's name everywhere")
    if plain[0] in "=+-@":
        raise invalid(
            printable(text), "programs that open tables take what begins with = + - @ for a formula"
        )
    if plain.split("/")[0].lower() == "index.csv":
        raise invalid(printable(text), "index.csv is the feed's own table")
    for part in plain.split("/"):
        if len(part.encode()) > _MAX_PART_BYTES:
            raise invalid(printable(text), f"a file's or folder's name may have {_MAX_PART_BYTES} bytes")
        if part in ("", ".", ".."):
            raise invalid(
                printable(text), "the name must stay inside the output folder: no /, . or .. of its own"
            )
        if part.startswith(".") or part.endswith((".", " ")) or is_device(part):
            raise invalid(printable(text), f"{printable(part)!r} can't be a file's name everywhere")
    if plain.split("/")[-1].lower().startswith("manifest-"):
        raise invalid(printable(text), "names that begin with manifest- are the feed's own")
