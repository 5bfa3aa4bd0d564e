"""Printed words of a language: captions, rules, hints, and the page for playing in a browser.

A *phrase* is a text that may contain placeholders in braces, such as ``Puzzle p. {page}``. A *words file* has
all phrases of a language by their keys. Built-in words files are in ``config/languages``, and users can write
their own. The English file defines the keys, and the placeholders of each phrase. Phrases that are missing
from a user's words file are printed in English.

Numbers, dates, lists and plural forms come from Babel, which has the data of the Unicode CLDR for each
*locale*.

A sentence about a step of a solution is a ``PhraseTree``. It has the key of a phrase, and for each
placeholder a value or another ``PhraseTree``. Therefore each language can use its own word order.
"""

import datetime
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache, reduce
from operator import attrgetter, getitem
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal
from pydantic import Field, PrivateAttr

from linkpress.documents.models import (
    Readable,
    SpecModel,
    load_named,
    name_or_keys,
    read_document,
    read_values,
)
from linkpress.documents.problem import (
    InvalidError,
    KeyPath,
    Problem,
    YamlSource,
    invalid,
    key_text,
    printable,
)
from linkpress.documents.shipped_files import LANGUAGES, describe_file, resolve_name
from linkpress.documents.values import ValueReader, line_of_text, matching, parsed_text, scalar_text
from linkpress.documents.yaml_source import read_shipped, read_yaml
from linkpress.engine.difficulty import Difficulty
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
    parts_of,
)
from linkpress.engine.rulesets import Rule, printed_phrases, ruleset_of
from linkpress.files import is_file
from linkpress.puzzle.picture import pairs_of_colours
from linkpress.puzzle.puzzle import Puzzle, Solution, corners_of

ENGLISH = "en"
MOST = 400
"""Largest number of characters of a phrase."""
MOST_OF_NAME = 60
"""Largest number of characters of a short phrase: a caption, a button or a heading."""
FIELD = re.compile(r"\{(\w+)\}")
# A plural form may be used for a single number, as in "one puzzle", or for several numbers. To find out
# which, the form of each number below this limit is looked up.
_MOST_COUNTED = 200
_TAG_WORDS = "a language's tag such as `de` or `pt-PT` (BCP 47)"
_LOCALE_WORDS = "a locale of CLDR such as `de` or `pt-PT`"
# Placeholders in phrases that stand for the number of a pair, or for several such numbers. If the pairs of a
# board have colours instead of numbers, a colour is named there.
_OF_PAIRS = ("number", "other", "other_number", "lines", "first", "second")
_DIRECTION_JOINTS = {ListKind.AND: "ways_and", ListKind.OR: "ways_or"}
_SQUARE_JOINTS = {"E": "and_before_e", "I": "and_before_i"}


@cache
def phrase(*names: str, most: int = MOST) -> ValueReader:
    """Return a ``ValueReader`` that reads a phrase with placeholders, such as ``{page}``.

    It accepts a phrase only if the phrase has each of the placeholders in ``names`` exactly once, and no
    others.
    """
    plain = line_of_text(most)
    fields = " and ".join(f"{{{name}}}" for name in names)

    def read(value: object) -> str:
        text: str = plain.read(value)
        if sorted(FIELD.findall(text)) != sorted(names) or set("{}") & set(FIELD.sub("", text)):
            needed = f"{fields} must stand here once, and no other brace"
            message = needed if names else "nothing is filled in here; leave the braces out"
            raise invalid(printable(text), message)
        return text

    return ValueReader(read, f"{plain.words}, with {fields}" if names else plain.words, plain.schema)


Phrase = Annotated[str, phrase()]
Name = Annotated[str, phrase(most=MOST_OF_NAME)]
Counted = Annotated[str, phrase("number", most=MOST_OF_NAME)]


def _read_form(value: object) -> str:
    """Read a plural form, which may lack the placeholder ``{number}``.

    ``PluralForms.problems_in`` later checks whether the placeholder is needed.
    """
    text = scalar_text(value, "text")
    form: str = phrase(*["number"] * ("{" in text or "}" in text)).read(text)
    return form


_Form = Annotated[
    str, ValueReader(_read_form, f"text with {{number}}, up to {MOST} characters", {"type": "string"})
]


class PluralForms(SpecModel):
    """Plural forms of a phrase, with the names that the Unicode CLDR uses."""

    zero: _Form | None = None
    one: _Form | None = None
    two: _Form | None = None
    few: _Form | None = None
    many: _Form | None = None
    other: _Form

    def form(self, number: int, locale: Locale) -> str:
        """Return the phrase in the plural form that the language uses for a number."""
        text: str = getattr(self, locale.plural_form(number))
        return text

    def problems_in(self, locale: Locale, *, always: bool = False) -> Iterator[Problem]:
        """Yield problems with these plural forms.

        A form may be missing, may not exist in the language, or may lack the placeholder ``{number}``.

        Args:
            locale: the locale of the language.
            always: whether even a form for a single number, such as "one", needs ``{number}``.
        """
        required = {"other", *locale.plural_form.tags}
        names = ", ".join(key for key in type(self).model_fields if key in required)
        for key, text in self:
            if text is None and key in required:
                yield Problem("", f"this key is needed: CLDR has the plural forms {names} here", (key,))
            elif text is not None and key not in required:
                yield Problem(key, f"CLDR has the plural forms {names} here", (key,))
            elif text is not None and "{number}" not in text and (always or _stands_for_several(key, locale)):
                yield Problem(printable(text), "{number} must stand here once", (key,))


def _stands_for_several(form: str, locale: Locale) -> bool:
    return sum(locale.plural_form(number) == form for number in range(1, _MOST_COUNTED)) != 1


class Directions(SpecModel):
    """Names of the four directions, as used inside a sentence."""

    up: Name
    left: Name
    right: Name
    down: Name


class ByDifficulty(SpecModel):
    easy: Name
    medium: Name
    hard: Name
    expert: Name
    extreme: Name

    def __getitem__(self, difficulty: Difficulty) -> str:
        text: str = getattr(self, difficulty)
        return text


class TechniqueWords(SpecModel):
    """Name of a technique as used inside a sentence, and a sentence that explains the technique."""

    name: Name
    lesson: Phrase


def english_fields(part: str, sentences: Collection[str] | None = None, of_mappings: object = Any) -> Any:
    """Return a base class that gives a model a field for each phrase in a part of the English words file.

    In every language, a phrase must have the same placeholders as in English.

    Args:
        part: the key of the part, such as ``player.breaches``.
        sentences: the keys of long phrases, which may have up to ``MOST`` characters. Other phrases without
            placeholders may have up to ``MOST_OF_NAME``. If None, all phrases may be long.
        of_mappings: the type of the values that are mappings or lists. Give ``Any`` if the model
            declares the types of these values itself.
    """
    fields: dict[str, Any] = {}
    for key, text in reduce(getitem, part.split("."), read_shipped(LANGUAGES.find(ENGLISH)).value).items():
        fields[key] = of_mappings
        if isinstance(text, str):
            names = FIELD.findall(text)
            most = MOST if names or sentences is None or key in sentences else MOST_OF_NAME
            fields[key] = Annotated[str, phrase(*names, most=most)]
    # Return a plain class. If this base class were a model, pydantic would make all fields twice, once for
    # this class and once for its subclass. That took 6 ms whenever a command started.
    return type("_FromEnglish", (), {"__annotations__": fields})


class TechniquesWords(english_fields("techniques", of_mappings=TechniqueWords), SpecModel):  # type: ignore[misc]
    """Names and explanations of all solving techniques."""

    def __getitem__(self, technique: str) -> TechniqueWords:
        """Return the words for a technique, by the technique's name, such as ``look-ahead``."""
        words: TechniqueWords = getattr(self, technique.replace("-", "_"))
        return words


_Tricks = Annotated[str, phrase("tricks")]


class LevelWords(SpecModel):
    """Phrases about the solving techniques that a reader needs for a level."""

    first: _Tricks
    """Names the techniques of the first level, the easiest first."""
    new: _Tricks
    """Names the techniques that no earlier level needs."""
    beyond: Phrase
    child: Annotated[str, phrase("count")]
    """Opens a level of a children's book. The number of puzzles in words is filled in."""
    child_bigger: Phrase


def parse_locale(tag: str) -> Locale | None:
    """Return Babel's locale for a language tag, or None if Babel doesn't have it."""
    try:
        return Locale.parse(tag, sep="-")
    except (UnknownLocaleError, ValueError):
        return None


def _check_locale(tag: str) -> str:
    if parse_locale(tag) is None:
        raise ValueError(tag)
    return tag


Tag = Annotated[str, matching("[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", _TAG_WORDS, f"{_TAG_WORDS} is allowed")]
LocaleTag = Annotated[
    str,
    parsed_text(
        _check_locale,
        _LOCALE_WORDS,
        f"{_LOCALE_WORDS} is allowed, for numbers, dates and plurals; this is none",
    ),
]


class KeyHelp(SpecModel):
    key: Name
    does: Phrase


class KeyboardHelp(english_fields("player.keys", of_mappings=KeyHelp), SpecModel):  # type: ignore[misc]
    """Rows of the keyboard help, in the order of display."""


class Breaches(english_fields("player.breaches"), SpecModel):  # type: ignore[misc]
    """Messages for the rules that a player's drawing can break."""


class Nudges(english_fields("player.nudges"), SpecModel):  # type: ignore[misc]
    """Hints that only say where to look for the next step. The key of a hint is the technique of the step."""


class Places(english_fields("player.places"), SpecModel):  # type: ignore[misc]
    """Phrases for parts of a board, such as "in the top left".

    They replace the placeholder ``{place}`` in hints that only say where to look.
    """


# Keys of the phrases on the playing page that may be as long as a sentence. All others are
# buttons and headings.
_SENTENCES = {
    "made_with", "pen_down", "pen_up", "cross_where", "paused", "trial_begun", "cleared", "line_removed",
    "nothing_to_undo", "nothing_to_redo", "no_day", "not_kept", "needs_script", "solved", "copied", "sound",
    "hint_mistake", "hint_none", "hint_drawn", "hint_crossed", "hint_unreadable", "answer_question",
    "answer_shown", "export_note", "good_to_know",
}  # fmt: skip


class PlayerWords(english_fields("player", _SENTENCES), SpecModel):  # type: ignore[misc]
    """Phrases on the page for playing in a browser."""

    controls: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
    keys: KeyboardHelp
    ways: Directions
    hints_used: PluralForms | None = None
    streak: PluralForms | None = None
    left_pairs: PluralForms
    left_squares: PluralForms
    left_ends: PluralForms
    breaches: Breaches
    nudges: Nudges
    places: Places


def with_colour_names(
    sentence: PhraseTree, colours: Mapping[int, str], *, of_pair: bool = False
) -> PhraseTree:
    """Return a sentence in which the numbers of pairs are replaced by names of colours.

    Args:
        sentence: the sentence.
        colours: maps the number of each pair to the name of its colour.
        of_pair: only used if ``sentence`` is a single number. True if this is the number of a pair, and must
            be replaced. False if it is another number, such as a count.
    """
    if isinstance(sentence, FilledPhrase):
        parts = (
            (name, with_colour_names(part, colours, of_pair=name in _OF_PAIRS))
            for name, part in sentence.parts
        )
        return FilledPhrase(sentence.key, tuple(parts))
    if isinstance(sentence, PhraseList):
        return list_of(
            sentence.kind, (with_colour_names(part, colours, of_pair=of_pair) for part in sentence.parts)
        )
    return colours.get(sentence, sentence) if of_pair and isinstance(sentence, int) else sentence


class CaptionWords(english_fields("steps.captions"), SpecModel):  # type: ignore[misc]
    """Captions for the steps of a solution, for readers who see a picture of the step."""


class StepWords(english_fields("steps"), SpecModel):  # type: ignore[misc]
    """Phrases of a language for the steps of a solution.

    An explanation of a step is a ``PhraseTree``, which is a sentence that contains only keys of phrases. This
    class turns it into text by using the phrases with these keys.
    """

    ways: Directions
    captions: CaptionWords
    ways_of_turn: Directions | None = None
    """Names a turn by two short words and a hyphen, in languages whose names of directions are long."""
    ways_and: Annotated[str, phrase("first", "second")] | None = None
    """Joins two directions with "and" in languages that join squares in another way."""
    ways_or: Annotated[str, phrase("first", "second")] | None = None
    """Joins two directions with "or" in languages that join squares in another way."""
    and_before_e: Annotated[str, phrase("first", "second")] | None = None
    """Joins two squares with "and" if the second is in column E, in languages where "and" then changes."""
    and_before_i: Annotated[str, phrase("first", "second")] | None = None
    """Joins two squares with "and" if the second is in column I, in languages where "and" then changes."""

    def text_of(self, sentence: PhraseTree) -> str:
        """Return a sentence as text, without a full stop at its end.

        Only a caption begins with a capital letter. A cell is written as its column and row, such as ``E2``.
        """
        pieces = self.pieces(sentence)
        text = "".join(piece.name if isinstance(piece, Square) else str(piece) for piece in pieces)
        is_caption = isinstance(sentence, FilledPhrase) and sentence.key.startswith("captions.")
        return text[:1].upper() + text[1:] if is_caption else text

    def pieces(self, sentence: PhraseTree) -> Iterator[str | Value | Blank]:
        """Yield the parts of a sentence in order: texts, cells and numbers."""
        if isinstance(sentence, FilledPhrase):
            parts = dict(sentence.parts)
            for index, piece in enumerate(FIELD.split(attrgetter(sentence.key)(self))):
                if index % 2:
                    yield from self.pieces(parts[piece])
                elif piece:
                    yield piece
        elif isinstance(sentence, PhraseList):
            first, *more = sentence.parts
            if self.ways_of_turn and sentence.kind is ListKind.AND and isinstance(first, DirectionWord):
                yield "-".join(getattr(self.ways_of_turn, str(way)) for way in sentence.parts)
                return
            for place, second in enumerate(more, 1):
                is_last = place == len(more)
                kind = sentence.kind if is_last or sentence.kind is not ListKind.AND else ListKind.COMMA
                key = None
                if isinstance(second, DirectionWord):
                    key = _DIRECTION_JOINTS.get(kind)
                elif kind is ListKind.AND:
                    # In some languages, the word for "and" depends on the letter after it. This letter is
                    # known if the next item of the list begins with the name of a square. The item may be
                    # more than a square, such as a line between two squares. So find its first part.
                    named = second
                    while parts_of(named):
                        named = parts_of(named)[0]
                    key = _SQUARE_JOINTS.get(named.name[0]) if isinstance(named, Square) else None
                joined = key if key and getattr(self, key) else kind.value
                first = FilledPhrase(joined, (("first", first), ("second", second)))
            yield from self.pieces(first)
        elif isinstance(sentence, DirectionWord):
            yield getattr(self.ways, sentence.value)
        else:
            yield sentence


# Keys of a words file that describe the language itself. The `words` settings of a spec can't change them.
OWN_KEYS = ("language", "locale", "for_dots", "samples")
_FULL_STOPS = {"ja": "。", "th": " ", "zh": "。"}
# Thai has a space between its own letters and digits or Latin letters. The list patterns of the CLDR
# lack this space.
_BESIDE_THAI = re.compile("(?<=[\u0e01-\u0e5b])(?=[0-9A-Za-z])|(?<=[0-9A-Za-z])(?=[\u0e01-\u0e5b])")
# difference between a year of the Buddhist era and the same year of the Common Era
_BUDDHIST_ERA = 543
# Keys that only make sense in their own language. If a words file lacks them, they are not
# taken from English.
_NO_FALLBACK = (
    "language",
    "locale",
    "for_dots",
    "colour_names",
    "first_of_month",
    "ways_of_turn",
    "ways_and",
    "ways_or",
    *_SQUARE_JOINTS.values(),
)
# `linkpress verify` recognizes pages and boards by these phrases. A phrase of digits only could be mistaken
# for the number of a puzzle or page, so it is refused.
_NEVER_NUMBERS = ("how_to_play", "time")
_PAGED = ("solution_on", "solution_in_file", "puzzle_on")

OnPage = Annotated[str, phrase("page", most=60)]
Lines = Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
OnDay = Annotated[str, phrase("day")]


def _read_changes(value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise invalid("no mapping", "phrases by their keys are needed, as `puzzle_on: Puzzle p. {page}`")
    return dict(value)


def reader_of_changes(names: Iterable[str] = ()) -> ValueReader:
    """Return a ``ValueReader`` that reads phrases which replace some of a language's phrases.

    The phrases are given as a mapping, whose keys are the same as in a words file. An example is the value of
    the key ``words`` in a spec. The phrases are not checked here, because the language may not be known yet.

    Args:
        names: the keys that the JSON Schema allows; any key if it is empty.
    """
    schema = {"type": "object", **({"propertyNames": {"enum": sorted(names)}} if names else {})}
    return ValueReader(_read_changes, "phrases by the keys of a words file", schema, dict)


def _as_read(text: str) -> str:
    return " ".join(text.casefold().split())


class Samples(SpecModel):
    """Sample texts in this language, for the specs that ``linkpress init`` writes."""

    title: Phrase
    subtitle: Phrase
    author: Name
    levels: Annotated[tuple[Name, ...], Field(min_length=3, max_length=3)]
    feed_title: Phrase
    usage: Phrase


class ColourNames(english_fields("colour_names", sentences=()), SpecModel):  # type: ignore[misc]
    """Names of colours, which replace numbers in sentences about pairs of dots without numbers."""


_LONG_BACK_MATTER = {"review_text", "certify", "progress_text", "times_text"}


class BackMatterWords(english_fields("back_matter", _LONG_BACK_MATTER), SpecModel):  # type: ignore[misc]
    """Phrases for the optional pages at the end of a book, such as a certificate."""


_NameList = Annotated[tuple[Name, ...], Field(min_length=1, max_length=12)]


class LookNames(english_fields("names.looks", of_mappings=_NameList), SpecModel):  # type: ignore[misc]
    """Names for puzzles, chosen by how the board looks.

    The keys are visual patterns of a board, such as ``stairs``. Each has a list of names for puzzles that
    show this pattern.
    """


class TrickNames(english_fields("names.tricks", of_mappings=_NameList), SpecModel):  # type: ignore[misc]
    """Names for puzzles, chosen by the hardest solving technique that a puzzle needs.

    The keys are techniques, from the easiest to the hardest. Each has a list of names for puzzles that need
    this technique.
    """


class PuzzleNames(SpecModel):
    """Names of puzzles, and phrases that combine them into longer names."""

    of_puzzle: Annotated[str, phrase("puzzle", "name")]
    """Joins the words for a puzzle's number with its name."""
    both: Annotated[str, phrase("look", "trick")]
    part: Annotated[str, phrase("name", "number")]
    """Tells puzzles with the same name apart."""
    quiet: Annotated[str, phrase("place")]
    """A name after the emptiest part of the board."""
    crowd: Annotated[str, phrase("place")]
    """A name after the part of the board with the most numbers."""
    looks: LookNames
    tricks: TrickNames


class Words(SpecModel):
    """All phrases of a language. The method ``say`` fills in the placeholders of a phrase."""

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
    picture_rule: Phrase
    picture_colour: Annotated[str, phrase("colour", "numbers", most=60)]
    count: PluralForms
    solutions_from: Annotated[str, phrase("page")]
    solutions_at_foot: Phrase
    solutions_in_file: Annotated[str, phrase("page")]
    solutions_say: Phrase
    rights: Annotated[str, phrase("year", "holder")]
    all_rights: Phrase
    published_by: Annotated[str, phrase("publisher")]
    isbn: Annotated[str, phrase("isbn")]
    build: Annotated[str, phrase("build")]
    made_with: Annotated[str, phrase("version")]
    promise: Phrase
    rules_intro: Phrase
    rules: Lines
    rules_solids: Lines
    rule_untouching: Phrase | None = None
    """The additional rule for books with `unique: untouching`."""
    example_captions: Annotated[tuple[Name, ...], Field(min_length=3, max_length=3)]
    tips_title: Name
    tips: Lines
    difficulties: ByDifficulty
    difficulty: Counted
    level: LevelWords
    techniques: TechniquesWords
    steps: StepWords
    tutorial: Annotated[str, phrase("level", "technique")]
    tutorial_intro: Phrase
    tutorial_intro_dots: Phrase
    """As ``tutorial_intro``, for pictures in which lines have the colours of their dots."""
    tutorial_squares: Phrase
    tutorial_end: Phrase
    solution_number: Counted
    solution_tomorrow: Phrase
    solution_on_weekday: OnDay
    solution_on_date: OnDay
    solution_yesterday: Phrase
    solution_of_weekday: OnDay
    solution_of_date: OnDay
    names: PuzzleNames
    back_matter: BackMatterWords
    ebook_summary: Phrase
    first_of_month: Name | None = None
    """How the first day of a month is written, if not as a plain figure: ``1er``."""
    rules_line: Phrase
    rules_line_solids: Phrase
    note_on_puzzle: OnDay
    note_on_solution: Annotated[str, phrase("day", "solution_day")]
    colour_names: ColourNames | None = None
    """Names of colours for the tutorial of a book with dots; without them the tutorial uses numbers."""
    for_dots: Annotated[Mapping[str, Any], reader_of_changes()] = Field(default_factory=dict)
    keywords: Annotated[str, phrase(most=400)] | None = None
    keyword_large_print: Phrase | None = None
    keyword_adults: Phrase | None = None
    keyword_children: Annotated[str, phrase("ages")] | None = None
    samples: Samples
    player: PlayerWords
    _missing: tuple[str, ...] = PrivateAttr(default=())

    @property
    def missing(self) -> tuple[str, ...]:
        return self._missing

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if readable("language", "locale"):
            known = parse_locale(self.locale or self.language)
            if known is None:
                message = "CLDR has no such language; give a similar one as `locale:` for numbers"
                yield Problem(self.language, message, ("language",))
            else:
                yield from self._plural_problems(known, readable)
        if readable(*_PAGED):
            yield from self._paged_problems()
        for key in filter(readable, _NEVER_NUMBERS):
            if getattr(self, key).strip().isdigit():
                message = "a word is needed: a number alone is a puzzle's or a page's"
                yield Problem(getattr(self, key), message, (key,))
        if self.for_dots and readable():
            try:
                self.changed(self.for_dots)
            except InvalidError as error:
                problems = (problem for problem in error.problems if problem.key[0] in self.for_dots)
                yield from (problem.below("for_dots") for problem in problems)

    def _plural_problems(self, locale: Locale, readable: Readable) -> Iterator[Problem]:
        if readable("count"):
            yield from (problem.below("count") for problem in self.count.problems_in(locale, always=True))
        for key in ("left_pairs", "left_squares", "left_ends", "hints_used", "streak"):
            forms: PluralForms | None = getattr(self.player, key) if readable(f"player.{key}") else None
            if forms:
                yield from (problem.below("player", key) for problem in forms.problems_in(locale))

    def _paged_problems(self) -> Iterator[Problem]:
        """Check the phrases that refer to a page, such as ``p. {page}``; yield a problem if one is unclear.

        A phrase is unclear if it has only a number and no word, or if another of these phrases has the same
        text. For example, readers must be able to tell the page of an answer from the page of a puzzle.
        """
        for place, key in enumerate(_PAGED):
            text = getattr(self, key)
            if text.replace("{page}", "").strip().isdigit() or text == "{page}":
                yield Problem(text, "a word is needed beside the number", (key,))
            for other in _PAGED[:place]:
                if _as_read(text) == _as_read(getattr(self, other)):
                    yield Problem(text, f"it must differ from {other}: puzzles and answers say it", (key,))

    def changed(self, changes: Mapping[str, Any]) -> "Words":
        """Return a copy of these words with some phrases replaced.

        Args:
            changes: the new phrases, by their keys.
        Raises:
            InvalidError: the changes have problems. The error lists all of them.
        """
        document = self.model_dump(mode="json", exclude_none=True, exclude={"for_dots"})
        message = "this key is the language's own; it can't be changed here"
        problems = [Problem("", message, (key,)) for key in OWN_KEYS if key in changes]
        allowed = {key: value for key, value in changes.items() if key not in OWN_KEYS}
        try:
            words = read_values(_merged(document, allowed), Words)
        except InvalidError as error:
            problems += error.problems
        if problems:
            raise InvalidError(*problems)
        return words

    @property
    def of_dots(self) -> "Words":
        return self.changed(self.for_dots) if self.for_dots else self

    def with_rule(self, phrase: str) -> "Words":
        """Return a copy of these words with one more rule of the game.

        The rule is added to all texts that state the rules or promise a unique solution.

        Args:
            phrase: the key of the rule's phrase, such as ``rule_untouching``.
        """
        rule, blank = getattr(self, phrase) or "", self.sentence_gap
        lines = {key: (*getattr(self, key), rule) for key in ("rules", "rules_solids")}
        texts = ("rules_line", "rules_line_solids", "promise")
        longer = {key: f"{getattr(self, key)}{blank}{rule}" for key in texts}
        return self.model_copy(update={**lines, **longer})

    @property
    def english_name(self) -> str:
        """Return the language's name in English, or its tag if the CLDR doesn't have the language."""
        known = parse_locale(self.language)
        return (known and known.english_name) or self.language

    @property
    def is_thai(self) -> bool:
        return self.cldr.language == "th"

    @property
    def full_stop(self) -> str:
        return _FULL_STOPS.get(self.cldr.language, ". ")

    @property
    def sentence_gap(self) -> str:
        """Return the text between a full stop and the next sentence, which is a space in most languages."""
        return self.full_stop.lstrip(".。")

    @property
    def cldr(self) -> Locale:
        return _cldr(self.locale or self.language)

    @property
    def texts(self) -> Iterator[tuple[str, str]]:
        """Yield all phrases that can be printed, with their keys."""
        for key, value in self:
            if key not in (*OWN_KEYS, "player"):
                yield from _leaves(key, value)

    def say(self, phrase: str, **values: object) -> str:
        """Fill in the placeholders of a phrase. Numbers and dates are written as usual in the language."""
        return phrase.format(**{name: self.write(value) for name, value in values.items()})

    def sentence(self, text: str) -> str:
        """Return a text as a sentence, which begins with a capital letter and ends with a full stop."""
        text = text.replace("'", "’")
        return text[:1].upper() + text[1:] + self.full_stop.rstrip()

    def title_of(self, number: int, name: str) -> str:
        """Return text such as ``Puzzle 7``, or ``Puzzle 7: Mind the gap`` if the puzzle has a name."""
        puzzle = self.say(self.puzzle, number=str(number))
        return self.say(self.names.of_puzzle, puzzle=puzzle, name=name) if name else puzzle

    def count_of(self, number: int) -> str:
        return self.say(self.count.form(number, self.cldr), number=number)

    def solution_on_day(self, day: datetime.date, today: datetime.date) -> str:
        """Return the note below a puzzle that says on which day its solution appears."""
        near = self.solution_tomorrow if (day - today).days == 1 else self.solution_on_weekday
        return self._on_day(near, self.solution_on_date, day, today)

    def solution_of_day(self, day: datetime.date, today: datetime.date) -> str:
        """Return the heading of a solution that says on which day its puzzle appeared."""
        near = self.solution_yesterday if (today - day).days == 1 else self.solution_of_weekday
        return self._on_day(near, self.solution_of_date, day, today)

    def _on_day(self, near: str, far: str, day: datetime.date, today: datetime.date) -> str:
        """Return a phrase with the placeholder ``{day}`` filled in.

        Args:
            near: the phrase to use if ``day`` is less than a week away. Its placeholder gets the weekday.
            far: the phrase to use for any other day. Its placeholder gets the date.
            day: the day that the phrase mentions.
            today: the day on which the phrase is read.
        """
        if abs((day - today).days) < 7:
            return near.format(day=format_date(day, "EEEE", locale=self.cldr))
        # No-break spaces keep day and month on the same line.
        date = self._with_first(format_skeleton("MMMMd", day, locale=self.cldr), day)
        return far.format(day=date.replace(" ", "\u00a0"))

    def _with_first(self, date: str, day: datetime.date) -> str:
        return re.sub(r"\b1\b", self.first_of_month, date) if self.first_of_month and day.day == 1 else date

    def rules_of(self, boards: Iterable[Puzzle]) -> str:
        return self.rules_line_solids if any(board.grid.solids for board in boards) else self.rules_line

    def board_in_words(
        self,
        puzzle: Puzzle,
        solution: Solution | None,
        number: int | None = None,
        colours: Mapping[int, str] = MappingProxyType({}),
        title: str = "",
    ) -> str:
        """Describe a board in words for readers who can't see it.

        Args:
            puzzle: the puzzle.
            solution: the solution, whose paths are described by the cells where they turn. None describes the
                puzzle by the cells of its numbers.
            number: the printed number of the puzzle, if the description includes it.
            colours: the name of each pair's colour, if the board has dots without numbers.
            title: the name of the puzzle, if the description includes it.
        """
        name, grid = puzzle.grid.name, puzzle.grid
        if solution is None:
            parts = [
                f"{colours.get(pair.number, pair.number)}: {name(pair.first)} {name(pair.second)}"
                for pair in puzzle.pairs
            ]
            if grid.solids:
                parts.append(f"{self.player.cell_solid}: {' '.join(map(name, sorted(grid.solids)))}")
            if puzzle.colours:
                parts += [self.picture_rule, *self.colour_key(puzzle).values()]
        else:
            parts = []
            for path in solution.paths:
                stops = corners_of(path.cells)
                parts.append(f"{colours.get(path.number, path.number)}: {'–'.join(map(name, stops))}")
        heading = f"{title}{'' if title.endswith(('?', '!', '？', '！')) else '.'} " if title else ""
        if number is not None:
            size = {"cols": str(grid.cols), "rows": str(grid.rows)}
            heading += self.say(self.player.board, number=str(number), **size) + ". "
        return heading + "; ".join(parts)

    def colour_key(self, puzzle: Puzzle) -> dict[str, str]:
        """Return the colour key of a hidden picture, such as ``blue: 1–4`` for each colour.

        An entry has the name of the colour and the numbers of its pairs. The result is empty if the puzzle
        hides no picture.
        """
        names = self.colour_names or load_words(ENGLISH).colour_names
        return {
            colour: self.say(self.picture_colour, colour=getattr(names, colour), numbers=_ranges(numbers))
            for colour, numbers in pairs_of_colours(puzzle).items()
        }

    def listed(self, parts: Sequence[str]) -> str:
        """Join words to a list as usual in the language, such as ``7 × 7 and 7 × 9``."""
        return _BESIDE_THAI.sub(" ", format_list(parts, locale=self.cldr))

    def write(self, value: object) -> str:
        """Return a value as text, with numbers and dates as usual in the language."""
        if isinstance(value, int):
            return _decimal(value, self.locale or self.language)
        if isinstance(value, datetime.date):
            date = self._with_first(format_date(value, format="long", locale=self.cldr), value)
            if self.is_thai:  # print the year of the Buddhist era, as is usual in Thailand (CLDR)
                date = date.replace(str(value.year), str(value.year + _BUDDHIST_ERA)).replace("ค.ศ.", "พ.ศ.")
            return date
        return str(value)


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text, with a dash in each range, such as ``1–4, 7``."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ", ".join("–".join(map(str, ends)) for ends in ranges)


@cache
def _cldr(locale: str) -> Locale:
    return Locale.parse(locale, sep="-")


@lru_cache(maxsize=5_000)
def _decimal(number: int, locale: str) -> str:
    # Small numbers look the same in every locale. Handling them first saves the 17 ms for loading a locale.
    if 0 <= number < 100:
        return str(number)
    return format_decimal(number, locale=_cldr(locale))


def _merged(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge changes into a document. Lists are replaced as a whole. Keys without a value change nothing."""
    merged = dict(document)
    for key, value in changes.items():
        if isinstance(value, Mapping) and isinstance(merged.get(key), Mapping):
            merged[key] = _merged(merged[key], value)
        elif value is not None:
            merged[key] = value
    return merged


def _leaves(key: str, value: object) -> Iterator[tuple[str, str]]:
    """Yield every text in a nested value together with its key path. Placeholders in braces are removed."""
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
    """Load the phrases of a built-in language by its tag, or a user's words file by its path.

    Phrases that are missing from the words file are taken from English. ``Words.missing`` lists them.

    Raises:
        UsageError: there is no such language and no such file.
        SpecError: the words file has problems. The message lists all of them.
    """
    if str(name_or_path) in LANGUAGES.names():
        return load_named(name_or_path, LANGUAGES, Words)
    return _load_words_file(LANGUAGES.find(name_or_path))


def _load_words_file(path: Path) -> Words:
    source = read_yaml(path)
    unknown = source.value.keys() - Words.model_fields.keys()
    if source.value.get("language") is None or describe_file(str(path), unknown):
        # The key `language` is missing, or the file has unknown keys. The line below raises the error that
        # lists these problems.
        return read_document(source, Words).checked()
    locale = parse_locale(str(source.value.get("locale") or source.value["language"]))
    missing: list[str] = []
    english = read_shipped(LANGUAGES.find(ENGLISH)).value
    value = _complete(source.value, english, locale, (), missing)
    words = read_document(replace(source, value=value), Words).checked()
    words._missing = tuple(missing)
    return words


def _complete(
    phrases: Mapping[str, Any],
    english: Mapping[str, Any],
    locale: Locale | None,
    path: KeyPath,
    missing: list[str],
) -> dict[str, Any]:
    """Return a language's phrases, completed with English phrases for all missing keys.

    Args:
        phrases: the phrases of the language, or of a part of its words file.
        english: the same part of the English words file.
        locale: the locale of the language, or None if the CLDR doesn't have it.
        path: the key path of the part.
        missing: a list to which the missing keys are appended.
    """
    complete = dict(phrases)
    for key, text in english.items():
        is_plural = isinstance(text, Mapping) and "other" in text
        if key in _NO_FALLBACK:
            continue
        if complete.get(key) is None:
            missing.append(key_text((*path, key)))
            if is_plural:
                complete[key] = _english_forms(text, locale)
            else:
                complete[key] = _complete({}, text, locale, (), []) if isinstance(text, Mapping) else text
        elif isinstance(text, Mapping) and isinstance(complete[key], Mapping) and not is_plural:
            complete[key] = _complete(complete[key], text, locale, (*path, key), missing)
    return complete


def _english_forms(forms: Mapping[str, str], locale: Locale | None) -> dict[str, str]:
    """Return English plural forms, assigned to the plural categories of another language."""
    tags = {"other", *(locale.plural_form.tags if locale else ())}
    one = forms["one"] if "{number}" in forms.get("one", "") else forms["other"]
    return {tag: one if tag == "one" else forms["other"] for tag in sorted(tags)}


def missing_phrases_note(language: str | Words) -> tuple[str, ...]:
    """Return a note that lists the phrases missing from a words file, which are printed in English.

    The result is empty if no phrase is missing.
    """
    missing = () if isinstance(language, str) else language.missing
    if not missing:
        return ()
    keys = ", ".join(missing)
    return (f"the words file lacks {len(missing)} phrases, which are printed in English: {keys}",)


def words_of(
    language: str | Words,
    changes: Mapping[str, Any] | None = None,
    *,
    of_dots: bool = False,
    rules: Collection[Rule] = (),
) -> Words:
    """Return the phrases of a language with the changes that a spec makes.

    Args:
        language: the tag of a built-in language, the path of a words file, or the phrases themselves.
        changes: the changed phrases by their keys, as in the spec's ``words``.
        of_dots: whether boards have coloured dots instead of numbers.
        rules: the uniqueness rules of the puzzles. Some of them add a printed rule of the game.
    Raises:
        UsageError: there is no such language.
        SpecError: the words file has problems.
        InvalidError: the changes have problems.
    """
    words = load_words(language) if isinstance(language, str) else language
    words = words.of_dots if of_dots else words
    words = words.changed(changes) if changes else words
    for phrase in printed_phrases(rules):
        words = words.with_rule(phrase)
    return words


def resolve_language(source: YamlSource) -> YamlSource:
    """Make the path in a spec's key ``language`` relative to the current folder.

    The value of ``language`` is the tag of a language, or the path of a words file with the phrases of a
    language. Such a path is relative to the folder of the spec. A tag is left unchanged.
    """
    name = source.value.get("language")
    if not isinstance(name, str):
        return source
    return replace(source, value={**source.value, "language": resolve_name(name, source.folder)})


def words_problems(
    language: str | Words, changes: Mapping[str, Any] | None, rules: Collection[Rule]
) -> Iterator[Problem]:
    """Yield problems of a spec's keys ``language`` and ``words``.

    Args:
        language: the value of ``language``.
        changes: the value of ``words``.
        rules: the uniqueness rules of the spec. Some of them are explained to readers by a printed phrase. If
            the language lacks this phrase, a problem is reported.
    """
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
    except InvalidError as error:
        yield from (problem.below("words") for problem in error.problems)


def _find_language(name: str) -> str | Words:
    if name in LANGUAGES.names():
        return name
    if is_file(Path(name)):
        return _load_words_file(Path(name))
    message = f"there is no such language and no such file. {LANGUAGES.suggestion(name)}"
    raise invalid(printable(name), message)


LanguageChoice = Annotated[str | Words, LANGUAGES, name_or_keys(Words, _WORDS, _find_language)]
WordsChanges = Annotated[Mapping[str, Any], reader_of_changes(set(Words.model_fields) - set(OWN_KEYS))]
