"""This module reads the phrases of a language: text with names in braces, plural forms, words by grade.

The English words file is the list of all phrases of the page in the browser, beside those that it shares with
the book, and of the steps of a solve, with the names in each.

A step comes as a ``PhraseTree``: keys of phrases with what fills their names. Each phrase is one clause or
sentence; others go in where its names stand, so that a language has its own order of words.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache, reduce
from operator import getitem
from typing import Annotated, Any

from babel import Locale, UnknownLocaleError
from pydantic import Field, create_model

from linkpress.documents.models import SpecModel
from linkpress.documents.problem import Problem, invalid, shown
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.documents.values import ValueReader, line_of_text, written
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
            raise invalid(shown(text), needed if names else "nothing is filled in here; leave the braces out")
        return text

    return ValueReader(read, f"{plain.words}, with {wanted}" if names else plain.words, plain.schema)


Phrase = Annotated[str, phrase()]
Name = Annotated[str, phrase(most=MOST_OF_NAME)]
Counted = Annotated[str, phrase("number", most=MOST_OF_NAME)]


def _read_form(value: object) -> str:
    """Read a plural form; only the language's own check tells whether its number may be left out."""
    text = written(value, "text")
    form: str = phrase(*["number"] * ("{" in text or "}" in text)).read(text)
    return form


_Form = Annotated[
    str, ValueReader(_read_form, f"text with {{number}}, up to {MOST} characters", {"type": "string"})
]


class Forms(SpecModel):
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
                yield Problem(shown(text), "{number} must stand here once", (key,))


def _stands_for_several(form: str, locale: Locale) -> bool:
    return sum(locale.plural_form(number) == form for number in range(1, _MOST_COUNTED)) != 1


class Ways(SpecModel):
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


def english_phrases(
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
    text = written(value, _TAG_WORDS)
    if not re.fullmatch(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}", text):
        raise invalid(shown(text), f"{_TAG_WORDS} is allowed")
    return text


def _read_locale(value: object) -> str:
    text = written(value, _LOCALE_WORDS)
    if parse_locale(text) is None:
        raise invalid(
            shown(text), f"{_LOCALE_WORDS} is allowed, for numbers, dates and plurals; this is none"
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


_Breaches = create_model("_Breaches", __base__=SpecModel, **english_phrases("player.breaches"))


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
_Phrases = create_model("_Phrases", __base__=SpecModel, **english_phrases("player", _LATER, _SENTENCES))


class PlayerWords(_Phrases):  # type: ignore[misc, valid-type]
    """The page says these phrases about itself and about a drawing."""

    controls: Annotated[tuple[Phrase, ...], Field(min_length=1, max_length=12)]
    keys: KeyboardHelp
    ways: Ways
    hints_used: Forms | None = None
    streak: Forms | None = None
    left_pairs: Forms
    left_squares: Forms
    left_ends: Forms
    breaches: Breaches


def in_colours(sentence: PhraseTree, colours: Mapping[int, str], *, of_pair: bool = False) -> PhraseTree:
    """Put colours' names in place of pairs' numbers; ``of_pair`` tells whether a bare number is a pair's."""
    if isinstance(sentence, FilledPhrase):
        pairs = () if sentence.key in _COUNTS else _OF_PAIRS
        parts = ((name, in_colours(part, colours, of_pair=name in pairs)) for name, part in sentence.parts)
        return FilledPhrase(sentence.key, tuple(parts))
    if isinstance(sentence, PhraseList):
        return list_of(sentence.kind, (in_colours(part, colours, of_pair=of_pair) for part in sentence.parts))
    return colours[sentence] if of_pair and isinstance(sentence, int) else sentence


_FIELDS = english_phrases("steps", _STEPS_LATER) | dict.fromkeys(
    _STEPS_FORMER, (Annotated[str | None, line_of_text(MOST)], None)
)
_StepPhrases = create_model("_StepPhrases", __base__=SpecModel, **_FIELDS)


class StepWords(_StepPhrases):  # type: ignore[misc, valid-type]
    """A phrase stands here for each kind of sentence about a step; its key is the field's name."""

    ways: Ways
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
