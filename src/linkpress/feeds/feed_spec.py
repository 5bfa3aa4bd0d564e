"""Read a feed spec, which is the YAML file for a newspaper's daily puzzles, and list the days with puzzles.

A feed has a puzzle (an issue) on each day of the week that its spec names, except on skipped days.
``day_slot`` returns the instructions for making a day's puzzle. These instructions are called a slot. They
depend only on the spec, on the date, and on how often the puzzle was replaced.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from pydantic import ConfigDict, Field, model_validator
from pydantic.fields import FieldInfo

from linkpress.book.key_values import (
    SIZES,
    BoardSize,
    BookId,
    DifficultyNames,
    EvenMix,
    Seed,
    Sizes,
    replacements,
)
from linkpress.book.level import RecipeKeys, load_masks
from linkpress.book.mixes import DIFFICULTIES, MIX, WEEKDAYS, expand_week, without_mix
from linkpress.book.plain_spec import convert_pixels
from linkpress.book.plan import Slot, replacement_seed
from linkpress.book.printing_keys import Address, FontsSpec, or_yes_no
from linkpress.book.spec import BookSpec, top_keys
from linkpress.documents.models import (
    Document,
    Readable,
    Spec,
    SpecModel,
    read_document,
    read_with_base,
    require_less_with_base,
)
from linkpress.documents.other_names import name_table
from linkpress.documents.plain_names import Node, PlainNames
from linkpress.documents.problem import InvalidError, KeyPath, Problem, YamlSource, invalid, printable
from linkpress.documents.shipped_files import COLUMN_GRIDS, DIFFICULTY_SETS, NAME_OR_PATH, THEMES
from linkpress.documents.values import (
    DATE,
    DefaultText,
    PixelMode,
    ValueReader,
    YesNo,
    line_of_text,
    matching,
    millimetres,
    one_of,
    parse_date,
    parsed_text,
    scalar_text,
    some_of,
    whole_number,
)
from linkpress.engine.recipe import Recipe, Rule
from linkpress.errors import UsageError
from linkpress.files import ImageFormat
from linkpress.images.composition import CaptionSpec
from linkpress.images.image_files import refused_mode
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
from linkpress.words import (
    ENGLISH,
    LanguageChoice,
    Words,
    WordsChanges,
    resolve_language,
    words_of,
    words_problems,
)

SCHEMA_FILE = "feed.schema.json"
MAX_DAYS = 3660
_DAY = datetime.timedelta(days=1)
# Maximum number of days from one puzzle of a feed to the next. Even if a feed has puzzles only on
# 29 February, the next puzzle follows within eight years.
_MAX_GAP_DAYS = 3000
_MIN_SEED_LENGTH = 20

DEFAULT_NAMES = "LINKS-{date:%Y%m%d}-{number:04}-{what}-{dpi}"

_DAY_FORMAT = "a date like 2026-12-25, or month and day of every year like 12-25"
_ZONE = "Europe/Berlin"
_ZONE_WORDS = f"a zone of the IANA database, like {_ZONE}"
_NAME_FORMAT = "a file name with {date:%Y%m%d}, {number:04}, {what}, {columns}, {dpi}"


def _parse_day(text: str) -> str:
    # A date without a year, such as 02-29, is checked in the leap year 2000, because 29 February is allowed.
    parse_date(f"2000-{text}" if len(text) == len("12-25") else text)
    return text


def _read_names(value: object) -> Template:
    text = value.text if isinstance(value, Template) else scalar_text(value, _NAME_FORMAT)
    template = read_template(text)
    if not {"date", "number"} & template.fields:
        raise invalid(
            printable(text), "{date:%Y%m%d} or {number} is needed, or all days would have the same name"
        )
    return template


SkippedDay = Annotated[
    str,
    parsed_text(
        _parse_day,
        _DAY_FORMAT,
        f"{_DAY_FORMAT}, is allowed; the day must exist",
        {"type": "string", "pattern": "^([0-9]{4}-)?[0-9]{2}-[0-9]{2}$"},
    ),
]
ReplacedDays = Annotated[
    Mapping[datetime.date, int],
    replacements(
        DATE.read,
        "dates with the number of the replacement, like {2026-12-10: 1}",
        "^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        "2026-12-10: 1",
    ),
]
Names = Annotated[
    Template, ValueReader(_read_names, _NAME_FORMAT, {"type": "string"}, lambda template: template.text)
]
Formats = Annotated[tuple[ImageFormat, ...], some_of(ImageFormat)]
Zone = Annotated[
    str,
    parsed_text(
        lambda text: ZoneInfo(text).key,
        _ZONE_WORDS,
        f"{_ZONE_WORDS} is allowed, if this machine knows the zone; else give utc_offset",
        {"type": "string", "minLength": 1, "maxLength": 60},
    ),
]
Offset = Annotated[
    str,
    matching(
        "[+-](?:0[0-9]|1[0-4]):(?:00|15|30|45)",
        "offset from UTC, like +01:00",
        "an offset from UTC like +01:00 or -05:00 is allowed; for a zone with summer time, write `timezone: "
        f"{_ZONE}`",
        {"type": "string", "pattern": "^[+-][0-9:]{5}$"},
    ),
]


class ImageSpec(SpecModel):
    """The keys of ``image``: how images are made."""

    grid: Annotated[str | None, NAME_OR_PATH, COLUMN_GRIDS, DefaultText("`broadsheet`")] = None
    """The newspaper's column grid: a name, or the path of a grid file."""
    columns: Annotated[int | None, whole_number(1, 12), DefaultText(str(DEFAULT_COLUMNS))] = None
    """The image's width in columns of the grid."""
    width_mm: Annotated[
        float | None, millimetres(MIN_WIDTH_MM, MAX_WIDTH_MM), DefaultText("the width of the columns")
    ] = None
    """The image's width, instead of columns."""
    dpi: Annotated[
        int | None,
        whole_number(MIN_DPI, MAX_DPI),
        DefaultText(f"{LINE_ART_DPI} in black and white, as newspapers ask of line art, else {GREY_DPI}"),
    ] = None
    """The resolution, in pixels an inch."""
    mode: Annotated[PixelMode, one_of(PixelMode)] = PixelMode.ONE_BIT
    """The kind of pixels: black and white, grey, or colour."""
    format: Annotated[Formats, DefaultText("png")] = (ImageFormat.PNG,)
    """The formats of the files. A tiff is Group 4, which holds 1-bit pixels only."""
    theme: Annotated[
        str | None, NAME_OR_PATH, THEMES, DefaultText("`lineart` in black and white, else `newspaper`")
    ] = None
    """The theme: a name, or the path of a theme file."""
    min_cell_mm: Annotated[
        float | None, millimetres(2, 40), DefaultText("3.5, or more if numbers of 7 points need it")
    ] = None
    """The smallest side of a board's squares, in millimetres."""
    combined: YesNo = False
    """Whether each day has a third image: its puzzle together with the solution of the earlier one."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem if the width is given twice, or if a format can't store the chosen pixels."""
        try:
            check_one_width(self.width_mm, self.columns, self.grid)
        except InvalidError as error:
            yield from (problem.below("width_mm") for problem in error.problems)
        for reason in filter(None, (refused_mode(kind, self.mode) for kind in self.format)):
            yield Problem(self.mode.value, reason, ("mode",))


class DaySpec(RecipeKeys):
    """The keys of a weekday: the size, the difficulty and other properties of its puzzle."""

    difficulty: Annotated[
        DifficultyNames | None, DefaultText("any difficulty, even if it can't be graded")
    ] = None
    """How hard the puzzles feel: `easy`, `medium`, `hard`, `expert` or `extreme`, or a number from 0 to 100,
    or a range of numbers. The names of a range such as `medium-hard` take turns from week to week. If `paths`
    is left out, the numbers of paths are chosen that give this difficulty fastest."""

    @property
    def sizes_and_recipes(self) -> list[tuple[BoardSize, Recipe]]:
        """The sizes and recipes of a weekday's puzzles. Each week uses the next entry of this list.

        After the last entry, the next week uses the first one again.

        The list combines every size with every difficulty: first all difficulties with the first size, then
        all difficulties with the next size, and so on.
        """
        sizes = len(self.sizes)
        names = len(self.difficulty.names) if isinstance(self.difficulty, EvenMix) else 1
        recipes = self.recipes(sizes * names)
        recipes = [recipe for index in range(sizes) for recipe in recipes[index::sizes]]
        return [(BoardSize(recipe.rows, recipe.cols), recipe) for recipe in recipes]


_DayChoice = Annotated[DaySpec | None, DefaultText("no puzzle on this day")]


class WeekSpec(SpecModel):
    """The keys of ``week``: a recipe for each weekday that has a puzzle. Other weekdays are left out."""

    monday: _DayChoice = None
    """The puzzles of Mondays."""
    tuesday: _DayChoice = None
    """The puzzles of Tuesdays."""
    wednesday: _DayChoice = None
    """The puzzles of Wednesdays."""
    thursday: _DayChoice = None
    """The puzzles of Thursdays."""
    friday: _DayChoice = None
    """The puzzles of Fridays."""
    saturday: _DayChoice = None
    """The puzzles of Saturdays."""
    sunday: _DayChoice = None
    """The puzzles of Sundays."""

    def day(self, weekday: int) -> DaySpec | None:
        """Return the settings for the puzzles of a weekday; None if that weekday has no puzzles.

        Args:
            weekday: the day, counted from 0 for Monday.
        """
        day: DaySpec | None = getattr(self, WEEKDAYS[weekday])
        return day

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem if no day of the week has a puzzle."""
        if readable(*WEEKDAYS) and not any(self.day(weekday) for weekday in range(7)):
            yield Problem("no weekday", f"at least one of {', '.join(WEEKDAYS)} is needed")


class WebSpec(SpecModel):
    """The keys of ``web``: the web pages on which the puzzles are played."""

    hints: YesNo = False
    """Whether a day's page gives hints. Hints reveal the solution before its day."""
    earlier: YesNo = True
    """Whether a day's page also has the earlier issue's puzzle, with its answer and hints."""
    url: Annotated[Address | None, DefaultText("none; no list of days for RSS is written")] = None
    """The address of the folder `web`. With it, each day gets an `rss.xml` that lists the days so far."""


def _week_or_mix(schema: dict[str, Any]) -> None:
    """Change a JSON Schema so that it requires either the key ``week`` or the key ``mix``."""
    schema["required"].remove("week")
    require_less_with_base(schema)
    schema["anyOf"][1]["anyOf"] = [{"required": [key]} for key in ("week", "mix")]


class FeedSpec(Spec):
    """The keys of a feed spec."""

    model_config = ConfigDict(json_schema_extra=_week_or_mix)

    id: BookId
    """The name of the feed, for file names and messages. A folder holds one feed."""
    title: Annotated[str, line_of_text(120)]
    """The title of the puzzles, in the manifest and in files."""
    author: Annotated[str | None, line_of_text(120)] = None
    """The author of the puzzles."""
    copyright: Annotated[str | None, line_of_text(300)] = None
    """The copyright line, in every file and in the manifest."""
    holder: Annotated[
        str | None, line_of_text(120), DefaultText("the author, or the title if there is no author")
    ] = None
    """The copyright holder, for the manifest."""
    usage: Annotated[str | None, line_of_text(500)] = None
    """The usage terms, for the manifest."""
    seed: Seed
    """The seed of the random numbers. The same seed and date give the same puzzle."""
    first_number: Annotated[int, whole_number(1, 999_999)] = 1
    """The number of a new folder's first puzzle."""
    names: Annotated[Names | None, DefaultText(f"`{DEFAULT_NAMES}`")] = None
    """The template of file names. The suffix comes from the format."""
    image: ImageSpec = ImageSpec.model_construct()
    """How images are made."""
    caption: CaptionSpec = CaptionSpec.model_construct()
    """The words at each board."""
    fonts: Annotated[FontsSpec | None, DefaultText("IBM Plex Sans")] = None
    """Font files of your own. Fonts that are left out are the shipped ones."""
    week: Annotated[WeekSpec, DefaultText("required, unless `mix` is given")]
    """What the puzzle of each weekday must be like."""
    mix: Annotated[Mapping[str, Any] | str | None, MIX, DefaultText("–")] = None
    """How many days of the week have each difficulty, instead of `week`: counts from Monday on, shares, or a
    ratio, which is for easy, medium, hard and so on. The week goes from easy to hard."""
    difficulties: Annotated[
        Mapping[str, Any] | str | None, DIFFICULTIES, DIFFICULTY_SETS, DefaultText("the usual scale")
    ] = None
    """What the names in `mix`, and the `difficulty` of a weekday, mean, as in a book."""
    size: Annotated[Sizes | None, SIZES, DefaultText("the usual size for each difficulty")] = None
    """The size of the boards on all weekdays and in all difficulties that have none of their own."""
    skip: Annotated[tuple[SkippedDay, ...], Field(max_length=400)] = ()
    """Days without an issue, such as holidays, in one year or in every year."""
    replace: ReplacedDays | None = None
    """Days that get another puzzle: each date with the number of the replacement. Raise the number until you
    like the puzzle. All other days stay as they are."""
    web: Annotated[WebSpec | None, or_yes_no(WebSpec), DefaultText("no")] = None
    """Whether each day gets pages for the browser in `web/DATE/`: one to play on, one to embed in another
    page, and one that lists the days so far. The value is yes, no, or keys."""
    utc_offset: Offset = "+00:00"
    """The offset from UTC of the times in the manifest, if it is the same all year."""
    timezone: Annotated[Zone | None, DefaultText("as `utc_offset`")] = None
    """The time zone of the times in the manifest, such as `Europe/Berlin`, with its summer time."""
    language: LanguageChoice = ENGLISH
    """The language of the printed words."""
    words: Annotated[WordsChanges | None, DefaultText("the usual words of the language")] = None
    """Other words for single phrases, like `{solution_tomorrow: Answer tomorrow}`."""

    @property
    def template(self) -> Template:
        return self.names or read_template(DEFAULT_NAMES)

    @property
    def seed_warning(self) -> str | None:
        """Warning that the seed is easy to guess, because it is short or a number; otherwise None."""
        text = str(self.seed)
        if len(text) >= _MIN_SEED_LENGTH and len(set(text)) >= _MIN_SEED_LENGTH // 2 and not text.isdigit():
            return None
        return (
            f"the seed {printable(text)} can be guessed, and with it the puzzles of future days. A new feed "
            f"needs {_MIN_SEED_LENGTH} random letters and digits or more, as 'linkpress init --feed' writes "
            "them. A feed that has published puzzles must keep its seed, or its days would get other puzzles."
        )

    @property
    def names_warning(self) -> str | None:
        """Warning that file names combine the number of the week (``%V``) with the wrong year; or None.

        The year that belongs to the week is ``%G``. Around New Year, it can differ from ``%Y``, the year of
        the date.
        """
        codes = {
            code
            for field in re.findall(r"{date:([^}]*)}", self.template.text)
            for code in re.findall("%[A-Za-z]", field)
        }
        if {"%V", "%G"} <= codes or not codes & {"%V", "%G"}:
            return None
        if "%V" in codes and (not codes & {"%Y", "%y"} or {"%m", "%d"} <= codes or "%j" in codes):
            return None
        wrong, right = ("%Y", "%G") if "%V" in codes else ("%G", "%Y")
        return (
            f"the names {printable(self.template.text)} may be wrong around New Year: 1 January 2027 is in "
            f"week 53 of 2026. %V, the week, goes with %G, its year, so write {right} in place of {wrong}."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.seed_warning, self.names_warning)))

    def midnight(self, day: datetime.date) -> datetime.datetime:
        """Return the time at which a day begins, in the feed's time zone."""
        if self.timezone is not None:
            return datetime.datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(self.timezone))
        return datetime.datetime.fromisoformat(f"{day.isoformat()}T00:00:00{self.utc_offset}")

    @property
    def rules(self) -> set[Rule]:
        return {day.unique for weekday in range(7) if (day := self.week.day(weekday))}

    def wording(self) -> Words:
        return words_of(self.language, self.words, rules=self.rules)

    def has_issue(self, day: datetime.date) -> bool:
        """Return whether a day has a puzzle."""
        iso = day.isoformat()
        return self.week.day(day.weekday()) is not None and iso not in self.skip and iso[5:] not in self.skip

    @model_validator(mode="before")
    @classmethod
    def _without_mix(cls, keys: Any) -> Any:
        return without_mix(keys, expand_week)

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield problems of keys that depend on each other.

        Four mistakes are reported: ``replace`` names a day without a puzzle; ``words`` has invalid phrases;
        both a time zone and an offset are given; and file names contain ``{columns}`` although the image's
        width is given in millimetres.
        """
        yield from super().problems(readable)
        if readable("week", "skip", "replace"):
            for day in self.replace or ():
                if not self.has_issue(day):
                    yield Problem("", "the feed has no issue on that day", ("replace", day.isoformat()))
        if readable("language", "words", "week"):
            yield from words_problems(self.language, self.words, self.rules)
        if self.timezone is not None and "utc_offset" in self.model_fields_set:
            yield Problem(
                self.utc_offset, "timezone gives the offset; leave one of the two out", ("utc_offset",)
            )
        if self.image.width_mm is not None and "columns" in self.template.fields:
            message = "image.width_mm gives the width without columns; remove {columns} from the names"
            yield Problem(printable(self.template.text), message, ("names",))


def load_feed(path: str | Path) -> FeedSpec:
    """Read and check a feed spec.

    Raises:
        SpecError: the file or one of its bases has problems. The message lists all of them, with line, column
            and key.
    """
    return read_feed(Path(path)).checked()


def read_feed(path: Path, text: str | None = None) -> Document[FeedSpec]:
    """Read a feed spec without raising an error for problems in it.

    Args:
        path: the file.
        text: the text of the spec; None to read it from the file.
    Returns:
        The document. Its method ``checked`` returns the spec, or raises an error that lists the problems.

    Raises:
        SpecError: the file can't be read, or is not YAML.
    """
    source = resolve_language(read_with_base(path, FeedSpec, text, plain_feed))
    source, mix_problems = expand_week(source)
    source, mask_problems = load_masks(source, "week")
    return read_document(source, FeedSpec, check_files=True, also=[*mix_problems, *mask_problems])


def _days(value: Any) -> list[str]:
    """Return the weekdays that a text or a list of texts names; empty if it also names something else."""
    texts = value if isinstance(value, list) else [value]
    names = []
    for text in map(str, texts):
        named = (str(path[-1]) for path, _ in name_table().targets(text, ["week"]))
        names.append(text.lower() if text.lower() in WEEKDAYS else next(named, ""))
    return names if all(names) else []


def weekdays_of(value: Any) -> dict[str, Any]:
    """Find the weekdays in a value of a spec.

    Args:
        value: any value of a spec. It describes a week if it is a mapping whose keys are weekdays, or a list
            of mappings, each with a value that names one or more weekdays.
    Returns:
        For each weekday, the key or the index of its puzzle in ``value``. The result is empty if ``value``
        doesn't describe a week, or if it has fewer than two days.
    """
    if isinstance(value, dict):
        each = {key: _days(key) for key in value}
    elif isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
        each = {
            index: next((days for part in entry.values() if (days := _days(part))), [])
            for index, entry in enumerate(value)
        }
    else:
        return {}
    found = {day: key for key, days in each.items() for day in days}
    return found if len(found) > 1 and all(each.values()) else {}


class _FeedNames(PlainNames):
    """Translator of a feed spec, in which users may write other names for linkpress's keys and values."""

    def is_other_file(self) -> bool:
        return super().is_other_file() and not any(map(weekdays_of, self._source.value.values()))

    def rename(self, node: Node, model: type[SpecModel], place: KeyPath) -> None:
        """Rename the user's keys to linkpress's keys.

        If the user has listed the days of the week with their puzzles, turn this list into the key ``week``,
        which is a mapping of weekdays.
        """
        if node is self.root:
            for key, child in list(node.value.items()):
                days = weekdays_of(child.raw)
                if days and isinstance(child.value, list):
                    entries = {day: replace(child.value[index], name=day) for day, index in days.items()}
                    for entry in entries.values():
                        self._used_keys += [each for each in entry.value.values() if _days(each.raw)]
                        entry.value = {
                            name: each for name, each in entry.value.items() if not _days(each.raw)
                        }
                    node.value = {**node.value, "week": replace(child, value=entries)}
                    del node.value[key]
        super().rename(node, model, place)

    def _fits(self, child: Node, field: FieldInfo | None, path: KeyPath, *, opposite: bool = False) -> bool:
        if path == ("names",) and child.name != "names":
            # The value of the key ``names`` is a template for file names, so accept any text with fields in
            # braces. ``arrange`` later removes the fields that linkpress doesn't know.
            return "{" in str(child.value)
        return super()._fits(child, field, path, opposite=opposite)

    def arrange(self) -> None:
        """Convert values that the user has written in a form that a feed spec does not allow.

        A width in pixels is converted to millimetres. Fields that linkpress doesn't know are removed from a
        template for file names. Keys about pages are left out, because a feed makes images.
        """
        convert_pixels(self.root.value.get("image"), "width_mm", "mm", 25.4)
        for key in ("page", "pdf"):
            if (page := self.root.value.pop(key, None)) is not None:
                self.note(page, f"`{page.name}` is left out:", "a feed makes images, which have no pages")
        names = self.root.value.get("names")
        if names is None or names.name == "names" or not isinstance(names.value, str):
            return
        # In the template, remove each field that linkpress doesn't have, together with the hyphen, dot or
        # space before the field. Remove the file suffix too.
        plain = re.sub(r"[-_. ]?{(?!(?:date|number|what|columns|dpi)\b)[^}]*}", "", names.value)
        plain = re.sub(r"\.(png|tiff?|svg|pdf|eps)$", "", plain)
        names.value, names.was = plain, f"`{names.name}: {names.value}`"
        if "{what}" not in plain:
            names.value += "-{what}"


def plain_feed(source: YamlSource, model: type[SpecModel]) -> YamlSource:
    return _FeedNames(source, model).rewritten()


def is_feed(path: Path) -> bool:
    """Return whether a file has keys that only a feed has, and none that only a book has."""
    keys, of_feed, of_book = top_keys(path), set(FeedSpec.model_fields), set(BookSpec.model_fields)
    return bool(keys & (of_feed - of_book)) and not keys & (of_book - of_feed)


# Calendar


@dataclass(frozen=True, slots=True)
class FeedDates:
    """Calendar days of a run, beginning with ``first``. Some of these days may have no puzzle."""

    first: datetime.date
    days: int

    @property
    def last(self) -> datetime.date:
        return self.first + (self.days - 1) * _DAY

    @property
    def name(self) -> str:
        return f"{self.first.isoformat()}-{self.last.isoformat()}"


def read_dates(first: str, days: int) -> FeedDates:
    """Read the days of a run from the options ``--from`` and ``--days``.

    Args:
        first: the first day as text, such as 2026-12-01.
        days: the number of calendar days.
    Raises:
        UsageError: the first day is no date, or the number of days is out of range.
    """
    try:
        day = parse_date(first)
        if not 1900 <= day.year <= 2999:
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--from {first!r}: a date between 1900 and 2999 is needed, like 2026-12-01."
        ) from None
    if not 1 <= days <= MAX_DAYS:
        raise UsageError(f"--days {days}: 1 to {MAX_DAYS} are allowed.")
    return FeedDates(day, days)


def issue_days(spec: FeedSpec, run: FeedDates) -> tuple[datetime.date, ...]:
    """Return the days that have a puzzle among the days for which ``linkpress feed`` is run.

    Raises:
        UsageError: none of these days has a puzzle.
    """
    days = tuple(
        day for day in (run.first + index * _DAY for index in range(run.days)) if spec.has_issue(day)
    )
    if not days:
        raise UsageError(
            f"no day from {run.first} to {run.last} has an issue: the feed skips all of them. Choose "
            "other days, or change week: and skip: in the feed."
        )
    return days


def next_issue(spec: FeedSpec, day: datetime.date) -> datetime.date:
    """Return the next day after ``day`` that has a puzzle.

    Raises:
        UsageError: no day within eight years has a puzzle.
    """
    for later in (day + count * _DAY for count in range(1, _MAX_GAP_DAYS)):
        if spec.has_issue(later):
            return later
    raise UsageError(
        f"after {day} the feed has no issue for {_MAX_GAP_DAYS} days: check week: and skip: in the feed."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySlot(Slot):
    """Instructions for making a day's puzzle.

    Args:
        day: the day.
        solution_day: the day on which the solution is printed. It is the next day with a puzzle.
    """

    day: datetime.date
    solution_day: datetime.date

    @property
    def facts(self) -> dict[str, str | int]:
        return {"slot": self.number, "date": self.day.isoformat()}

    def __str__(self) -> str:
        return self.day.isoformat()


def week_slots(spec: FeedSpec, weekday: int) -> list[Slot]:
    """Return the instructions for one puzzle of each size and difficulty that a weekday has.

    They are used to estimate how long it takes to make the puzzles.

    Args:
        spec: the feed.
        weekday: the day of the week, 0 for Monday.
    """
    keys, day = spec.week.day(weekday), WEEKDAYS[weekday]
    if keys is None:
        return []
    slots = []
    for size, recipe in keys.sizes_and_recipes:
        name = day if len(keys.sizes) == 1 else f"{day}, size {size}"
        slots.append(
            Slot(1, name, 1, f"{spec.seed}/{name}", recipe, keys.method, keys.effort, keys.otherwise)
        )
    return slots


def day_slot(spec: FeedSpec, day: datetime.date, number: int) -> DaySlot:
    """Return the instructions for making the puzzle of a day.

    If the weekday has several sizes or difficulties, a different one is used each week, in turn.

    Args:
        spec: the feed.
        day: a day that has a puzzle.
        number: the puzzle's number.
    Raises:
        UsageError: no later day within eight years has a puzzle. So there is no day on which to print the
            solution.
    """
    keys = spec.week.day(day.weekday())
    assert keys is not None
    choices = keys.sizes_and_recipes
    seed, replacement = f"{spec.seed}/{day.isoformat()}", (spec.replace or {}).get(day)
    return DaySlot(
        number=number,
        level=spec.id,
        index=number,
        seed=replacement_seed(seed, replacement) if replacement else seed,
        recipe=choices[day.toordinal() // 7 % len(choices)][1],
        method=keys.method,
        effort=keys.effort,
        otherwise=keys.otherwise,
        day=day,
        solution_day=next_issue(spec, day),
    )
