"""A language's words are all its phrases, from a file in ``config/languages``, which this module fills in."""

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Annotated, Any

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal
from pydantic import Field, create_model

from linkpress.documents.models import Readable, SpecModel, read_values
from linkpress.documents.problem import InvalidError, Problem, invalid
from linkpress.documents.values import ValueReader, line_of_text
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Puzzle, Solution, turning_cells
from linkpress.words.phrases import (
    FIELD,
    MOST,
    ByGrade,
    Counted,
    Forms,
    LocaleTag,
    Name,
    Phrase,
    PlayerWords,
    StepWords,
    Tag,
    english_phrases,
    parse_locale,
    phrase,
)

OWN_KEYS = ("language", "locale", "for_dots", "samples")  # the language's own, which no change reaches
_FULL_STOPS = {"ja": "。", "th": " ", "zh": "。"}  # of languages whose sentences end in another way
# Thai stands against figures and Latin letters with a space, which CLDR's patterns for lists lack.
_BESIDE_THAI = re.compile("(?<=[\u0e01-\u0e5b])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])(?=[\u0e01-\u0e5b])")
_BUDDHIST_ERA = 543  # years before the Common Era
_NEVER_NUMBERS = ("how_to_play", "time")  # read back, the one would tell boards apart, the other pages
_PAGED = ("solution_on", "solution_in_file", "puzzle_on")

OnPage = Annotated[str, phrase("page", most=60)]
Lines = Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
OnDay = Annotated[str, phrase("day")]


def _read_changes(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise invalid("no mapping", "phrases by their keys are needed, as `puzzle_on: Puzzle p. {page}`")
    return dict(value)


def reader_of_changes(names: Iterable[str] = ()) -> ValueReader:
    """Return the reader of phrases by their keys, which are judged where the language is known."""
    schema = {"type": "object", **({"propertyNames": {"enum": sorted(names)}} if names else {})}
    return ValueReader(_read_changes, "phrases by the keys of a words file", schema, dict)


def _as_read(text: str) -> str:
    """Return a phrase as it is read back from a page, where capitals and wide blanks are lost."""
    return " ".join(text.casefold().split())


class Samples(SpecModel):
    """These texts stand as samples in the specs that ``linkpress init`` writes."""

    title: Phrase
    subtitle: Phrase
    author: Name
    levels: Annotated[tuple[Name, ...], Field(min_length=3, max_length=3)]
    feed_title: Phrase
    usage: Phrase


_Colours = create_model("_Colours", __base__=SpecModel, **english_phrases("colour_names", sentences=()))


class ColourNames(_Colours):  # type: ignore[misc, valid-type]
    """Colour names are nouns that stand for pairs where dots show no numbers."""


class Words(SpecModel):
    """The words of a language are its phrases; ``say`` fills in the names in braces."""

    language: Tag
    locale: LocaleTag | None = None
    contents: Name
    how_to_play: Name
    solutions: Name
    notes: Name
    puzzle: Counted
    puzzles: Annotated[str, phrase("first", "last", most=60)]
    section_solutions: Annotated[str, phrase("section", most=60)]
    volume: Counted
    solution_on: OnPage
    solution_in_file: OnPage
    puzzle_on: OnPage
    size: Annotated[str, phrase("cols", "rows", most=60)]
    time: Name
    scan: Name
    count: Forms
    squares: Annotated[str, phrase("sizes")]
    solutions_from: Annotated[str, phrase("page")]
    solutions_at_foot: Phrase
    solutions_in_file: Annotated[str, phrase("page")]
    solutions_say: Phrase
    rights: Annotated[str, phrase("year", "holder")]
    all_rights: Phrase
    published_by: Annotated[str, phrase("publisher")]
    isbn: Annotated[str, phrase("isbn")]
    seed: Annotated[str, phrase("seed")] = "Seed {seed}"
    """A line of earlier releases, which their words files have; no book prints its seed any more."""
    build: Annotated[str, phrase("build")]
    made_with: Annotated[str, phrase("version")]
    promise_strict: Phrase
    promise_strict_back: Phrase
    promise_filled: Phrase
    promise_filled_back: Phrase
    rules_intro: Phrase
    rules: Lines
    rules_solids: Lines
    rule_untouching: Phrase | None = None
    """A rule for books with puzzles that are `unique: untouching`, which no language without it can print."""
    example_captions: Annotated[tuple[Name, ...], Field(min_length=3, max_length=3)]
    tips_title: Name
    tips: Lines
    grades: ByGrade
    grades_title: Name
    grades_intro: Phrase
    grade_lines: ByGrade
    strict_grade_lines: ByGrade
    no_grade: Phrase
    stars_line: Phrase | None = None
    steps: StepWords
    tutorial: Counted
    tutorial_example: Name
    tutorial_intro: Phrase
    tutorial_on: Annotated[str, phrase("page")]
    tutorial_count: Annotated[str | None, line_of_text(MOST)] = None  # not said any more
    tutorial_end: Phrase = "Every line is drawn."
    tutorial_answer: Annotated[str, phrase("page")] = "Every line is drawn; the answer is on page {page}."
    solution_number: Counted
    solution_tomorrow: Phrase
    solution_on_weekday: OnDay
    solution_on_date: OnDay
    solution_yesterday: Phrase
    solution_of_weekday: OnDay
    solution_of_date: OnDay
    ebook_summary: Phrase = (
        "Each board is also told in words that name its squares, so that it can be solved without being "
        "seen. Headings, contents and links lead through the book, from each puzzle to its solution and back."
    )
    first_of_month: Name | None = None
    """The day of a month where its bare figure is not written: ``1er``."""
    rules_line: Phrase
    rules_line_solids: Phrase
    note_on_puzzle: OnDay
    note_on_solution: Annotated[str, phrase("day", "solution_day")]
    colour_names: ColourNames | None = None
    """Names for the tutorial of a book with dots; a language without them uses numbers."""
    for_dots: Annotated[Mapping[str, Any], reader_of_changes()] = Field(default_factory=dict)
    keywords: Annotated[str, phrase(most=300)] | None = None
    keyword_large_print: Phrase | None = None
    samples: Samples
    player: PlayerWords

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find a language without plural forms, forms of another one, and phrases that look alike."""
        if readable("language", "locale"):
            known = parse_locale(self.locale or self.language)
            if known is None:
                message = "CLDR has no such language; name a like one by locale: for numbers, dates, plurals"
                yield Problem(self.language, message, ("language",))
            else:
                yield from self._plural_problems(known, readable)
        if readable(*_PAGED):
            yield from self._paged_problems()
        for key in filter(readable, _NEVER_NUMBERS):
            if getattr(self, key).strip().isdigit():
                yield Problem(
                    getattr(self, key), "a word is needed: a number alone is a puzzle's or a page's", (key,)
                )
        if self.for_dots and readable():
            try:
                self.changed(self.for_dots)
            except InvalidError as fault:
                faults = (problem for problem in fault.problems if problem.key[0] in self.for_dots)
                yield from (problem.below("for_dots") for problem in faults)

    def _plural_problems(self, locale: Locale, readable: Readable) -> Iterator[Problem]:
        if readable("count"):
            yield from (problem.below("count") for problem in self.count.faults(locale, always=True))
        for key in ("left_pairs", "left_squares", "left_ends", "hints_used", "streak"):
            forms: Forms | None = getattr(self.player, key) if readable(f"player.{key}") else None
            if forms:
                yield from (problem.below("player", key) for problem in forms.faults(locale))

    def _paged_problems(self) -> Iterator[Problem]:
        """Find phrases that could not tell a puzzle from an answer when they are read back from the page."""
        for place, key in enumerate(_PAGED):
            text = getattr(self, key)
            if text.replace("{page}", "").strip().isdigit() or text == "{page}":
                yield Problem(text, "a word is needed beside the number", (key,))
            for other in _PAGED[:place]:
                if _as_read(text) == _as_read(getattr(self, other)):
                    yield Problem(text, f"it must differ from {other}: puzzles and answers say it", (key,))

    def changed(self, changes: Mapping[str, Any]) -> "Words":
        """Return these words with other phrases by their keys; raise ``InvalidError`` with every fault."""
        document = self.model_dump(mode="json", exclude_none=True, exclude={"for_dots"})
        message = "this key is the language's own; it can't be changed here"
        problems = [Problem("", message, (key,)) for key in OWN_KEYS if key in changes]
        allowed = {key: value for key, value in changes.items() if key not in OWN_KEYS}
        try:
            words = read_values(_merged(document, allowed), Words)
        except InvalidError as fault:
            problems += fault.problems
        if problems:
            raise InvalidError(*problems)
        return words

    @property
    def of_dots(self) -> "Words":
        """Return the same words for boards whose pairs are colours without numbers."""
        return self.changed(self.for_dots) if self.for_dots else self

    @property
    def of_untouching(self) -> "Words":
        """Return the same words with the rule that no line runs beside itself."""
        rule, blank = self.rule_untouching or "", self.full_stop.lstrip(".。")
        lines = {key: (*getattr(self, key), rule) for key in ("rules", "rules_solids")}
        texts = {key: key for key in ("rules_line", "rules_line_solids")}
        texts |= {"promise_filled": "promise_strict", "promise_filled_back": "promise_strict_back"}
        longer = {key: f"{getattr(self, text)}{blank}{rule}" for key, text in texts.items()}
        return self.model_copy(update={**lines, **longer})

    @property
    def is_thai(self) -> bool:
        """Tell whether the language is written in Thai letters."""
        return self.cldr.language == "th"

    @property
    def full_stop(self) -> str:
        """Return the mark between two sentences, with its space."""
        return _FULL_STOPS.get(self.cldr.language, ". ")

    @property
    def cldr(self) -> Locale:
        """Return the locale that decides on numbers, dates, lists and plurals."""
        return _cldr(self.locale or self.language)

    @property
    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield every phrase that a page or an image can show, with its key."""
        for key, value in self:
            if key not in (*OWN_KEYS, "player"):
                yield from _leaves(key, value)

    def say(self, phrase: str, **values: object) -> str:
        """Fill in a phrase; whole numbers are written as the language writes them."""
        return phrase.format(**{name: self.write(value) for name, value in values.items()})

    def sentence(self, text: str) -> str:
        """Write a text as a sentence on paper."""
        text = text.replace("'", "’")
        return text[:1].upper() + text[1:] + self.full_stop.rstrip()

    def count_of(self, number: int) -> str:
        """Write a number of puzzles, in the plural form that the language wants."""
        return self.say(self.count.form(number, self.cldr), number=number)

    def promise(self, rules: Iterable[Rule], at_the_back: bool = True) -> str:
        """Return what may be promised of all puzzles; proofs of the strict rule hold under either rule."""
        if all(rule is Rule.STRICT for rule in rules):
            return self.promise_strict_back if at_the_back else self.promise_strict
        return self.promise_filled_back if at_the_back else self.promise_filled

    def solution_on_day(self, day: datetime.date, today: datetime.date) -> str:
        """Say on which day the solution comes."""
        near = self.solution_tomorrow if (day - today).days == 1 else self.solution_on_weekday
        return self._on_day(near, self.solution_on_date, day, today)

    def solution_of_day(self, day: datetime.date, today: datetime.date) -> str:
        """Say from which day the puzzle is that this solution solves."""
        near = self.solution_yesterday if (today - day).days == 1 else self.solution_of_weekday
        return self._on_day(near, self.solution_of_date, day, today)

    def _on_day(self, near: str, far: str, day: datetime.date, today: datetime.date) -> str:
        """Name a day by its weekday within a week, and by its date beyond."""
        if abs((day - today).days) < 7:
            return near.format(day=format_date(day, "EEEE", locale=self.cldr))
        # No line ends between the month and the day.
        date = self._with_first(format_skeleton("MMMMd", day, locale=self.cldr), day)
        return far.format(day=date.replace(" ", "\u00a0"))

    def _with_first(self, date: str, day: datetime.date) -> str:
        return re.sub(r"\b1\b", self.first_of_month, date) if self.first_of_month and day.day == 1 else date

    def rules_of(self, boards: Iterable[Puzzle]) -> str:
        """Return the rules that some boards need in one line, as a newspaper and a back cover print them."""
        return self.rules_line_solids if any(board.grid.solids for board in boards) else self.rules_line

    def board_in_words(self, puzzle: Puzzle, solution: Solution | None, number: int | None = None) -> str:
        """Describe a drawing to those who don't see it: numbers and solids, or a solution's turns."""
        name, grid = puzzle.grid.name, puzzle.grid
        if solution is None:
            parts = [f"{pair.number}: {name(pair.first)} {name(pair.second)}" for pair in puzzle.pairs]
            if grid.solids:
                parts.append(f"{self.player.cell_solid}: {' '.join(map(name, sorted(grid.solids)))}")
        else:
            parts = []
            for path in solution.paths:
                stops = (path.cells[0], *turning_cells(path.cells), path.cells[-1])
                parts.append(f"{path.number}: {'–'.join(map(name, stops))}")
        heading = ""
        if number is not None:
            size = {"cols": str(grid.cols), "rows": str(grid.rows)}
            heading = self.say(self.player.board, number=str(number), **size) + ". "
        return heading + "; ".join(parts)

    def listed(self, parts: Sequence[str]) -> str:
        """Write a list as the language does: ``7 × 7 and 7 × 9``."""
        return _BESIDE_THAI.sub(" ", format_list(parts, locale=self.cldr))

    def write(self, value: object) -> str:
        """Write a value as it is printed: whole numbers and dates by the language's custom."""
        if isinstance(value, int):
            return _decimal(value, self.locale or self.language)
        if isinstance(value, datetime.date):
            date = self._with_first(format_date(value, format="long", locale=self.cldr), value)
            if self.is_thai:  # in the era that CLDR prefers for Thailand
                date = date.replace(str(value.year), str(value.year + _BUDDHIST_ERA)).replace("ค.ศ.", "พ.ศ.")
            return date
        return str(value)


@cache
def _cldr(locale: str) -> Locale:
    return Locale.parse(locale, sep="-")


@lru_cache(maxsize=5_000)
def _decimal(number: int, locale: str) -> str:
    if 0 <= number < 100:  # all locales write it so, and to load one takes 17 ms
        return str(number)
    return format_decimal(number, locale=_cldr(locale))


def _merged(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge changes into a document; lists are taken whole, and what is empty changes nothing."""
    merged = dict(document)
    for key, value in changes.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _merged(merged[key], value)
        elif value is not None:
            merged[key] = value
    return merged


def _leaves(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield the texts of a value with their key paths, without names in braces."""
    if isinstance(value, SpecModel):
        for name, inner in value:
            yield from _leaves(f"{key}.{name}", inner)
    elif isinstance(value, tuple):
        for index, inner in enumerate(value):
            yield from _leaves(f"{key}[{index}]", inner)
    elif value is not None:
        yield key, FIELD.sub("", str(value))
