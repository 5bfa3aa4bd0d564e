"""The feed spec is what one YAML file says about one newspaper's daily puzzles."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

from pydantic import Field

from linkpress.book.key_values import BookId, Grades, Seed, Stars, replacements
from linkpress.book.level import RecipeKeys, load_masks
from linkpress.book.printing_keys import Address, FontsSpec, or_yes_no
from linkpress.book.spec import unknown_keys
from linkpress.documents.models import (
    Document,
    Readable,
    Spec,
    SpecModel,
    Synonyms,
    document_schema,
    document_text,
    read_document,
    read_with_base,
)
from linkpress.documents.problem import InvalidError, Problem, invalid, printable
from linkpress.documents.shipped_files import COLUMN_GRIDS, NAME_OR_PATH, THEMES
from linkpress.documents.values import (
    DefaultText,
    ValueReader,
    YesNo,
    line_of_text,
    millimetres,
    one_of,
    parse_date,
    read_date,
    scalar_text,
    whole_number,
)
from linkpress.engine.recipe import Rule
from linkpress.images.composition import CaptionSpec
from linkpress.images.image_files import ImageFormat
from linkpress.images.image_settings import (
    DEFAULT_COLUMNS,
    GREY_DPI,
    LINE_ART_DPI,
    MAX_DPI,
    MAX_WIDTH_MM,
    MIN_DPI,
    MIN_WIDTH_MM,
    Template,
    check_one_width,
    read_template,
)
from linkpress.render.raster import PixelMode
from linkpress.words.language import (
    ENGLISH,
    LanguageChoice,
    Words,
    WordsChanges,
    resolve_language,
    words_of,
    words_problems,
)

SCHEMA_FILE = "feed.schema.json"
_LEAST_SEED = 20
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

DEFAULT_NAMES = "LINKS-{date:%Y%m%d}-{number:04}-{what}-{dpi}"

_DAY_WORDS = "a date as 2026-12-25, or month and day of every year as 12-25"
_NAME_WORDS = "a file name with {date:%Y%m%d}, {number:04}, {what}, {columns}, {dpi}"


def _read_day(value: object) -> str:
    text = scalar_text(value, _DAY_WORDS)
    try:
        # 2000 is a leap year, so that 02-29 is allowed.
        parse_date(f"2000-{text}" if len(text) == len("12-25") else text)
    except ValueError:
        raise invalid(printable(text), f"{_DAY_WORDS}, is allowed; it must be in the calendar") from None
    return text


def _read_names(value: object) -> Template:
    text = value.text if isinstance(value, Template) else scalar_text(value, _NAME_WORDS)
    template = read_template(text)
    if not {"date", "number"} & template.fields:
        raise invalid(printable(text), "{date:%Y%m%d} or {number} is needed, or all days would have one name")
    return template


def _read_formats(value: object) -> tuple[ImageFormat, ...]:
    words = [kind.value for kind in ImageFormat]
    asked = value if isinstance(value, (list, tuple)) else [value]
    texts = [scalar_text(word, " or ".join(words)).lower() for word in asked]
    unknown = [text for text in texts if text not in words]
    if unknown or not texts:
        raise invalid(
            printable(", ".join(unknown) or "nothing"), f"one or a list of {', '.join(words)} is allowed"
        )
    return tuple(dict.fromkeys(ImageFormat(text) for text in texts))


def _read_offset(value: object) -> str:
    text = scalar_text(value, "an offset as +01:00")
    if not re.fullmatch(r"[+-](?:0[0-9]|1[0-4]):(?:00|15|30|45)", text):
        raise invalid(printable(text), "an offset from UTC as +01:00 or -05:00 is allowed")
    return text


SkippedDay = Annotated[
    str, ValueReader(_read_day, _DAY_WORDS, {"type": "string", "pattern": "^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$"})
]
ReplacedDays = Annotated[
    Mapping[datetime.date, int],
    replacements(
        read_date,
        "dates, each with which replacement, as {2026-12-10: 1}",
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "2026-12-10: 1",
    ),
]
Names = Annotated[
    Template, ValueReader(_read_names, _NAME_WORDS, {"type": "string"}, lambda template: template.text)
]
_FORMAT_SCHEMA = {"enum": [kind.value for kind in ImageFormat]}
Formats = Annotated[
    tuple[ImageFormat, ...],
    ValueReader(
        _read_formats,
        f"{', '.join(ImageFormat)} or a list of them",
        {"anyOf": [_FORMAT_SCHEMA, {"type": "array", "items": _FORMAT_SCHEMA, "minItems": 1}]},
        lambda formats: [kind.value for kind in formats],
    ),
]
Offset = Annotated[
    str,
    ValueReader(_read_offset, "offset from UTC, as +01:00", {"type": "string", "pattern": "^[+-][0-9:]{5}$"}),
]


class ImageSpec(SpecModel):
    """These keys say how images are made."""

    grid: Annotated[str | None, NAME_OR_PATH, COLUMN_GRIDS, DefaultText("`broadsheet`")] = None
    """The paper's column grid: a name, or the path of a grid file."""
    columns: Annotated[int | None, whole_number(1, 12), DefaultText(str(DEFAULT_COLUMNS))] = None
    """The image's width in columns of the grid."""
    width_mm: Annotated[
        float | None, millimetres(MIN_WIDTH_MM, MAX_WIDTH_MM), DefaultText("from columns and grid")
    ] = None
    """The image's width, instead of columns."""
    dpi: Annotated[
        int | None,
        whole_number(MIN_DPI, MAX_DPI),
        DefaultText(f"{LINE_ART_DPI} for 1bit, as newsprint asks of line art, else {GREY_DPI}"),
    ] = None
    """Pixels an inch."""
    mode: Annotated[PixelMode, one_of(PixelMode)] = PixelMode.ONE_BIT
    """What a pixel can be."""
    format: Annotated[Formats, DefaultText("png")] = (ImageFormat.PNG,)
    """Kinds of file; tiff is Group 4, 1-bit only."""
    theme: Annotated[
        str | None, NAME_OR_PATH, THEMES, DefaultText("`lineart` for 1bit, else `newspaper`")
    ] = None
    """How it looks: a theme's name, or the path of a theme file."""
    min_cell_mm: Annotated[
        float | None, millimetres(2, 40), DefaultText("3.5, or what the numbers need at 7 pt")
    ] = None
    """The smallest square allowed."""
    combined: YesNo = False
    """Whether a third image shows the puzzle with the earlier solution."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse a width given twice, and kinds of file that can't hold the pixels."""
        try:
            check_one_width(self.width_mm, self.columns, self.grid)
        except InvalidError as fault:
            yield from (problem.below("width_mm") for problem in fault.problems)
        for reason in filter(None, (kind.refused_mode(self.mode) for kind in self.format)):
            yield Problem(self.mode.value, reason, ("mode",))


class DaySpec(RecipeKeys):
    """These keys say what the puzzle of a weekday must be; one puzzle is no mix."""

    grade: Annotated[Grades | None, DefaultText("any, ungraded too"), Synonyms("difficulty", "hardness")] = (
        None
    )
    stars: Annotated[Stars | None, DefaultText("any")] = None


_DayChoice = Annotated[DaySpec | None, DefaultText("no issue")]


class WeekSpec(SpecModel):
    """The week has a puzzle for each weekday that is given; one left out has no issue."""

    monday: _DayChoice = None
    """Of every Monday."""
    tuesday: _DayChoice = None
    """Of every Tuesday."""
    wednesday: _DayChoice = None
    """Of every Wednesday."""
    thursday: _DayChoice = None
    """Of every Thursday."""
    friday: _DayChoice = None
    """Of every Friday."""
    saturday: _DayChoice = None
    """Of every Saturday."""
    sunday: _DayChoice = None
    """Of every Sunday."""

    def day(self, weekday: int) -> DaySpec | None:
        """Return the recipe of a weekday, Monday being 0."""
        day: DaySpec | None = getattr(self, WEEKDAYS[weekday])
        return day

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse a week without any puzzle."""
        if readable(*WEEKDAYS) and not any(self.day(weekday) for weekday in range(7)):
            yield Problem("no weekday", f"at least one of {', '.join(WEEKDAYS)} is needed")


class WebSpec(SpecModel):
    """A page to play on is made for each day when this key is given."""

    hints: YesNo = False
    """Whether a day's page gives hints, which tell the solution before its day."""
    earlier: YesNo = True
    """Whether it has the earlier issue's puzzle too, with its answer and hints."""
    url: Annotated[Address | None, DefaultText("no RSS is written")] = None
    """Where the folder `web` will lie; each day then has an `rss.xml` with the days so far."""


class FeedSpec(Spec):
    """A feed spec holds all that is asked for of a feed of dated puzzles."""

    id: BookId
    """The feed's identity: one folder holds one feed."""
    title: Annotated[str, line_of_text(120)]
    """Names the puzzles in the manifest and files."""
    author: Annotated[str | None, line_of_text(120)] = None
    """Who made them."""
    copyright: Annotated[str | None, line_of_text(300)] = None
    """The copyright line, in every file and item."""
    holder: Annotated[str | None, line_of_text(120), DefaultText("the author, else the title")] = None
    """Who holds the copyright, for the manifest."""
    usage: Annotated[str | None, line_of_text(500)] = None
    """The usage terms, for the manifest."""
    seed: Seed
    """Where the puzzles' randomness comes from: the same seed and date, the same puzzle."""
    first_number: Annotated[int, whole_number(1, 999_999)] = 1
    """The number of a new folder's first puzzle."""
    names: Annotated[Names | None, DefaultText(f"`{DEFAULT_NAMES}`")] = None
    """How files are named; the suffix follows the kind of file."""
    image: ImageSpec = ImageSpec()
    """The images."""
    caption: CaptionSpec = CaptionSpec()
    """The words at the board."""
    fonts: Annotated[FontsSpec | None, DefaultText("IBM Plex Sans")] = None
    """Your own fonts; without keys the shipped ones."""
    week: WeekSpec
    """What the puzzle of each weekday must be."""
    skip: Annotated[tuple[SkippedDay, ...], Field(max_length=400)] = ()
    """Holidays: days without an issue, once or every year."""
    replace: ReplacedDays | None = None
    """Days whose puzzle is to be made anew: the date and which replacement; raise it until the puzzle
    pleases. All other days stay as they are."""
    web: Annotated[WebSpec | None, or_yes_no(WebSpec), DefaultText("no")] = None
    """Whether each day gets pages for the browser in `web/DATE/`: to play on, to embed, and the days so far;
    yes, no, or keys of its own."""
    utc_offset: Offset = "+00:00"
    """For the times in the manifest."""
    language: LanguageChoice = ENGLISH
    """The language of the printed words."""
    words: Annotated[WordsChanges | None, DefaultText("the language's")] = None
    """Single phrases in other words, as `{solution_tomorrow: Answer tomorrow}`."""

    @property
    def template(self) -> Template:
        """Return the keys that say how files are named."""
        return self.names or read_template(DEFAULT_NAMES)

    @property
    def seed_warning(self) -> str | None:
        """Say that the seed can be guessed: a short text, a number or a date, as the shipped one is."""
        text = str(self.seed)
        if len(text) >= _LEAST_SEED and len(set(text)) >= _LEAST_SEED // 2 and not text.isdigit():
            return None
        return (
            f"the seed {printable(text)} can be guessed, and with it the puzzles of future days: a new feed "
            f"wants {_LEAST_SEED} letters and digits or more, drawn by lot, as 'linkpress init --feed' "
            "writes them. A feed that runs keeps its seed, or its days would get other puzzles."
        )

    @property
    def rules(self) -> set[Rule]:
        """Return the rules by which its puzzles have one solution."""
        return {day.unique for weekday in range(7) if (day := self.week.day(weekday))}

    def wording(self) -> Words:
        """Return the printed words."""
        return words_of(self.language, self.words, rules=self.rules)

    def has_issue(self, day: datetime.date) -> bool:
        """Tell whether a day has an issue."""
        iso = day.isoformat()
        return self.week.day(day.weekday()) is not None and iso not in self.skip and iso[5:] not in self.skip

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find names by columns where the width is not, replacements without issue, and wrong phrases."""
        yield from super().problems(readable)
        if readable("week", "skip", "replace"):
            for day in self.replace or ():
                if not self.has_issue(day):
                    yield Problem("", "the feed has no issue on that day", ("replace", day.isoformat()))
        if readable("language", "words", "week"):
            yield from words_problems(self.language, self.words, self.rules)
        if self.image.width_mm is not None and "columns" in self.template.fields:
            message = "image.width_mm gives the width without columns; take {columns} out of the names"
            yield Problem(printable(self.template.text), message, ("names",))


def load_feed(path: str | Path) -> FeedSpec:
    """Read and check a feed spec.

    Raises:
        SpecError: lists every fault of the file and its bases with line, column and key path.
    """
    return read_feed(Path(path)).checked()


def read_feed(path: Path, text: str | None = None) -> Document[FeedSpec]:
    """Read a feed spec, or a text in its place, as ``load_feed`` does, with what is wrong as data.

    Raises:
        SpecError: the file can't be read, or is not YAML.
    """
    source = resolve_language(read_with_base(path, FeedSpec, text), path.parent)
    source, problems = load_masks(source, "week", path.parent)
    return read_document(source, FeedSpec, path.parent, problems)


def is_feed(path: Path) -> bool:
    """Tell whether a spec is a feed's, by a key of its own that no book has."""
    return bool(unknown_keys(path) & set(FeedSpec.model_fields))


def feed_schema_text() -> str:
    """Write the JSON Schema of a feed, by which editors complete and check keys, as it is shipped."""
    return document_text(document_schema(FeedSpec, "A linkpress feed spec"))
