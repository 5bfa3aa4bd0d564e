"""This module reads the phrases of a language: text with names in braces, plural forms, words by grade.

The English words file is the list of all phrases of the page in the browser, beside those that it shares with
the book, and of the steps of a solve, with the names in each.

A step comes as a ``PhraseTree``: keys of phrases with what fills their names. Each phrase is one clause or
sentence; others go in where its names stand, so that a language has its own order of words.
"""

import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, reduce
from operator import getitem
from pathlib import Path
from typing import Annotated, Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal
from pydantic import Field, create_model

from linkpress.documents.models import Readable, SpecModel, load_model, load_named, name_or_keys, read_values
from linkpress.documents.problem import InvalidError, Problem, YamlSource, invalid, printable
from linkpress.documents.shipped_files import LANGUAGES, resolve_name
from linkpress.documents.values import ValueReader, line_of_text, scalar_text
from linkpress.documents.yaml_source import read_shipped
from linkpress.engine.explain.phrase_tree import (
    Blank,
    DirectionWord,
    FilledPhrase,
    ListKind,
    PhraseList,
    PhraseTree,
    Square,
    Value,
    list_of,
)
from linkpress.engine.recipe import Grade
from linkpress.engine.rulesets import Rule, printed_phrases, ruleset_of
from linkpress.files import is_file
from linkpress.puzzle.puzzle import Puzzle, Solution, turning_cells

ENGLISH = "en"
MOST = 400  # characters of a phrase
MOST_OF_NAME = 60  # of one that stands at a board, on a button or over a page
FIELD = re.compile(r"\{(\w+)\}")
_MOST_COUNTED = 200  # that plural forms are told apart by
_TAG_WORDS = "a language's tag such as `de` or `pt-PT` (BCP 47)"
_LOCALE_WORDS = "a locale of CLDR such as `de` or `pt-PT`"
# Phrases that words files of earlier releases lack, which are said in English then.
_STEPS_LATER = {
    "number_along", "line_along", "ways_out", "ways_out_turning", "empty_corner", "not_turn", "since_turn",
    "fork_of_three", "forks", "fails_at", "ways_join", "ways_loop", "ways_beside", "others_fail",
    "inside_bends", "must_for", "can_t_for", "along_diagonal", "least_pass", "on_chessboard", "if_at_last",
    "if_in_the_end", "all_pass",
}  # fmt: skip
# Those that no step says any more; words files of before have them.
_STEPS_FORMER = (
    "not_loop_brief", "not_beside_brief", "is_another_s", "are_another_s", "would_close_loop", "would_join",
    "would_run_beside", "takes_one_of_both",
)  # fmt: skip
# The names that are filled by the numbers of pairs; in these phrases they are counts.
_OF_PAIRS = ("number", "other", "other_number", "numbers")
_COUNTS = ("more_dark", "more_light")
_OF_WAYS = {ListKind.AND: "ways_and", ListKind.OR: "ways_or"}


@cache
def phrase(*names: str, most: int = MOST) -> ValueReader:
    """Return the reader of a line in which each of these names stands once in braces, and no other brace."""
    plain = line_of_text(most)
    wanted = " and ".join(f"{{{name}}}" for name in names)

    def read(value: object) -> str:
        text: str = plain.read(value)
        if sorted(FIELD.findall(text)) != sorted(names) or set("{}") & set(FIELD.sub("", text)):
            needed = f"{wanted} must stand here once, and no other brace"
            raise invalid(
                printable(text), needed if names else "nothing is filled in here; leave the braces out"
            )
        return text

    return ValueReader(read, f"{plain.words}, with {wanted}" if names else plain.words, plain.schema)


Phrase = Annotated[str, phrase()]
Name = Annotated[str, phrase(most=MOST_OF_NAME)]
Counted = Annotated[str, phrase("number", most=MOST_OF_NAME)]


def _read_form(value: object) -> str:
    """Read a plural form; only the language's own check tells whether its number may be left out."""
    text = scalar_text(value, "text")
    form: str = phrase(*["number"] * ("{" in text or "}" in text)).read(text)
    return form


_Form = Annotated[
    str, ValueReader(_read_form, f"text with {{number}}, up to {MOST} characters", {"type": "string"})
]


class PluralForms(SpecModel):
    """Forms are the phrases for the plural forms that CLDR has for the language."""

    zero: _Form | None = None
    one: _Form | None = None
    two: _Form | None = None
    few: _Form | None = None
    many: _Form | None = None
    other: _Form

    def form(self, number: int, locale: Locale) -> str:
        """Return the phrase for a number."""
        found: str = getattr(self, locale.plural_form(number))
        return found

    def faults(self, locale: Locale, *, always: bool = False) -> Iterator[Problem]:
        """Find forms that the language lacks or does not have, and numbers that may not be left out."""
        due = {"other", *locale.plural_form.tags}
        names = ", ".join(key for key in type(self).model_fields if key in due)
        for key, text in self:
            if text is None and key in due:
                yield Problem("", f"this key is needed: CLDR has the plural forms {names} here", (key,))
            elif text is not None and key not in due:
                yield Problem(key, f"CLDR has the plural forms {names} here", (key,))
            elif text is not None and "{number}" not in text and (always or _stands_for_several(key, locale)):
                yield Problem(printable(text), "{number} must stand here once", (key,))


def _stands_for_several(form: str, locale: Locale) -> bool:
    return sum(locale.plural_form(number) == form for number in range(1, _MOST_COUNTED)) != 1


class Directions(SpecModel):
    """Ways are the names of the four directions, as a sentence takes them."""

    up: Name
    left: Name
    right: Name
    down: Name


class ByGrade(SpecModel):
    """A phrase stands here for each grade."""

    beginner: Phrase
    easy: Phrase
    medium: Phrase
    hard: Phrase
    expert: Phrase
    fiendish: Phrase

    def __getitem__(self, grade: Grade) -> str:
        """Return the phrase for a grade."""
        found: str = getattr(self, grade.label)
        return found


def fields_from_english(
    part: str, later: Collection[str] = (), sentences: Collection[str] | None = None
) -> dict[str, Any]:
    """Return a field for each phrase of a part of the English words file, in which the same names must stand.

    Args:
        part: its key, with the keys of the parts around it before dots.
        later: keys that words files of earlier releases lack; their phrases are said in English then.
        sentences: keys of phrases that may be long though no name stands in them; all if None.
    """
    fields: dict[str, Any] = {}
    for key, text in reduce(getitem, part.split("."), read_shipped(LANGUAGES.find(ENGLISH)).value).items():
        fields[key] = Any, ...  # a mapping or list, whose type the model itself has
        if isinstance(text, str):
            names = FIELD.findall(text)
            most = MOST if names or sentences is None or key in sentences else MOST_OF_NAME
            fields[key] = Annotated[str, phrase(*names, most=most)], text if key in later else ...
    return fields


def parse_locale(tag: str) -> Locale | None:
    """Return Babel's locale of a tag, or None where Babel knows none."""
    try:
        return Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def _read_tag(value: object) -> str:
    text = scalar_text(value, _TAG_WORDS)
    if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", text):
        raise invalid(printable(text), f"{_TAG_WORDS} is allowed")
    return text


def _read_locale(value: object) -> str:
    text = scalar_text(value, _LOCALE_WORDS)
    if parse_locale(text) is None:
        raise invalid(
            printable(text), f"{_LOCALE_WORDS} is allowed, for numbers, dates and plurals; this is none"
        )
    return text


Tag = Annotated[str, ValueReader(_read_tag, _TAG_WORDS, {"type": "string"})]
LocaleTag = Annotated[str, ValueReader(_read_locale, _LOCALE_WORDS, {"type": "string"})]


class KeyHelp(SpecModel):
    """A row of the help names a key on the keyboard and says what it does."""

    key: Name
    does: Phrase


class KeyboardHelp(SpecModel):
    """The keyboard's keys are explained in this order."""

    move: KeyHelp
    draw: KeyHelp
    pen: KeyHelp
    back: KeyHelp
    remove: KeyHelp
    cross: KeyHelp | None = None
    undo: KeyHelp
    ends: KeyHelp
    zoom: KeyHelp


_Breaches = create_model("_Breaches", __base__=SpecModel, **fields_from_english("player.breaches"))


class Breaches(_Breaches):  # type: ignore[misc, valid-type]
    """Breaches are the phrases for rules that a drawing can break."""


# Phrases that words files of earlier releases lack.
_LATER = {
    "next_unsolved", "is_answered", "pause", "resume", "trial", "trial_keep", "trial_back", "share", "export",
    "checking", "vibration", "palette", "palette_theme", "palette_strong", "palette_soft", "line_width",
    "width_thin", "width_usual", "width_thick", "cell_crossed", "cross_where", "paused", "trial_begun",
    "no_puzzle", "no_day", "not_kept", "needs_script", "share_text", "copied", "list_places",
}  # fmt: skip
# Those that stand on no button and over no list, and may be as long as a sentence.
_SENTENCES = {
    "made_with", "pen_down", "pen_up", "cross_where", "paused", "trial_begun", "cleared", "line_removed",
    "nothing_to_undo", "nothing_to_redo", "no_day", "not_kept", "needs_script", "solved", "copied", "sound",
    "hint_mistake", "hint_none", "hint_unreadable", "answer_question", "answer_shown",
}  # fmt: skip
_Phrases = create_model("_Phrases", __base__=SpecModel, **fields_from_english("player", _LATER, _SENTENCES))


class PlayerWords(_Phrases):  # type: ignore[misc, valid-type]
    """The page says these phrases about itself and about a drawing."""

    controls: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
    keys: KeyboardHelp
    ways: Directions
    hints_used: PluralForms | None = None
    streak: PluralForms | None = None
    left_pairs: PluralForms
    left_squares: PluralForms
    left_ends: PluralForms
    breaches: Breaches


def with_colour_names(
    sentence: PhraseTree, colours: Mapping[int, str], *, of_pair: bool = False
) -> PhraseTree:
    """Put colours' names in place of pairs' numbers; ``of_pair`` tells whether a bare number is a pair's."""
    if isinstance(sentence, FilledPhrase):
        pairs = () if sentence.key in _COUNTS else _OF_PAIRS
        parts = (
            (name, with_colour_names(part, colours, of_pair=name in pairs)) for name, part in sentence.parts
        )
        return FilledPhrase(sentence.key, tuple(parts))
    if isinstance(sentence, PhraseList):
        return list_of(
            sentence.kind, (with_colour_names(part, colours, of_pair=of_pair) for part in sentence.parts)
        )
    return colours[sentence] if of_pair and isinstance(sentence, int) else sentence


_FIELDS = fields_from_english("steps", _STEPS_LATER) | dict.fromkeys(
    _STEPS_FORMER, (Annotated[str | None, line_of_text(MOST)], None)
)
_StepPhrases = create_model("_StepPhrases", __base__=SpecModel, **_FIELDS)


class StepWords(_StepPhrases):  # type: ignore[misc, valid-type]
    """A phrase stands here for each kind of sentence about a step; its key is the field's name."""

    ways: Directions
    ways_and: Annotated[str, phrase("first", "second")] | None = None
    """Joins two directions by "and", in languages where they are joined otherwise than squares."""
    ways_or: Annotated[str, phrase("first", "second")] | None = None
    """Joins them by "or"."""

    def text_of(self, sentence: PhraseTree) -> str:
        """Return a sentence without a full stop, squares as E2 and numbers as they are printed."""
        pieces = self.pieces(sentence)
        return "".join(piece.name if isinstance(piece, Square) else str(piece) for piece in pieces)

    def pieces(self, sentence: PhraseTree) -> Iterator[str | Value | Blank]:
        """Yield a sentence's text piece by piece, with its squares and numbers where they stand in it."""
        if isinstance(sentence, FilledPhrase):
            parts = dict(sentence.parts)
            for index, piece in enumerate(FIELD.split(getattr(self, sentence.key))):
                if index % 2:
                    yield from self.pieces(parts[piece])
                elif piece:
                    yield piece
        elif isinstance(sentence, PhraseList):
            first, *more = sentence.parts
            for place, second in enumerate(more, 1):
                is_last = place == len(more)
                kind = sentence.kind if is_last or sentence.kind is not ListKind.AND else ListKind.COMMA
                key = _OF_WAYS.get(kind) if isinstance(second, DirectionWord) else None
                joined = key if key and getattr(self, key) else kind.value
                first = FilledPhrase(joined, (("first", first), ("second", second)))
            yield from self.pieces(first)
        elif isinstance(sentence, DirectionWord):
            yield getattr(self.ways, sentence.value)
        else:
            yield sentence


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


_Colours = create_model("_Colours", __base__=SpecModel, **fields_from_english("colour_names", sentences=()))


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
    count: PluralForms
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
            forms: PluralForms | None = getattr(self.player, key) if readable(f"player.{key}") else None
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

    def with_rule(self, phrase: str) -> "Words":
        """Return the same words with one more rule of the game, given by the key of its phrase."""
        rule, blank = getattr(self, phrase) or "", self.full_stop.lstrip(".。")
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
        if not any(ruleset_of(rule).covers for rule in rules):
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


_WORDS = f"{', '.join(f'`{name}`' for name in LANGUAGES.names())}, or the path of a words file"


def load_words(name_or_path: str | Path) -> Words:
    """Load the words of a shipped language by its tag, or of a words file; raise as ``load_named`` does."""
    return load_named(name_or_path, LANGUAGES, Words)


def words_of(
    language: str | Words,
    changes: Mapping[str, Any] | None = None,
    *,
    of_dots: bool = False,
    rules: Collection[Rule] = (),
) -> Words:
    """Return the words that a spec's keys ask for.

    Args:
        language: a shipped language's tag, or the words themselves.
        of_dots: whether pairs are colours, and no number is shown.
    Raises:
        UsageError, SpecError: there is no such language, or its file has faults.
        InvalidError: the changes have faults.
    """
    words = load_words(language) if isinstance(language, str) else language
    words = words.of_dots if of_dots else words
    words = words.changed(changes) if changes else words
    for phrase in printed_phrases(rules):
        words = words.with_rule(phrase)
    return words


def resolve_language(source: YamlSource, folder: Path) -> YamlSource:
    """Return a spec's document with the path of its words file made relative to the current folder."""
    name = source.value.get("language")
    if not isinstance(name, str):
        return source
    return replace(source, value={**source.value, "language": resolve_name(name, folder)})


def words_problems(
    language: str | Words, changes: Mapping[str, Any] | None, rules: Collection[Rule]
) -> Iterator[Problem]:
    """Find what is wrong with a spec's ``words`` in its language, a lacking rule of the game included."""
    phrases = printed_phrases(rules)
    if not changes and not phrases:
        return
    try:
        words = words_of(language, changes)
        for phrase in phrases:
            if getattr(words, phrase) is None:
                names = ", ".join(rule for rule in sorted(set(rules)) if ruleset_of(rule).phrase == phrase)
                message = f"it has no `{phrase}`, which is printed with `unique: {names}`"
                yield Problem("", f"{message}; write it there, or under `words`", ("language",))
    except InvalidError as fault:
        yield from (problem.below("words") for problem in fault.problems)


def _find_language(name: str) -> str | Words:
    if name in LANGUAGES.names():
        return name
    if is_file(Path(name)):
        return load_model(Path(name), Words)
    raise invalid(
        printable(name), f"there is no such language and no such file. {LANGUAGES.suggestion(name)}"
    )


LanguageChoice = Annotated[str | Words, LANGUAGES, name_or_keys(Words, _WORDS, _find_language)]
WordsChanges = Annotated[Mapping[str, Any], reader_of_changes(set(Words.model_fields) - set(OWN_KEYS))]
