"""Table of other names that users may write for linkpress's keys and values.

For example, ``pageSize`` means ``page.trim``. The table is in the file ``config/other-names.yaml``, and
comments in this file explain its sections. This module loads the table and looks up single names. The module
``plain_names`` uses the table to translate a whole document.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any

from linkpress.documents.problem import KeyPath
from linkpress.resources import TableSections

LEVELS = "levels"
# The values of these keys are also found inside longer texts. For example, "yes please, at the very end"
# contains the value "at the end", which means `back`.
_VALUES_IN_SENTENCES = frozenset(
    ["solutions.place", "levels.per_page", "page.numbers", "page.binding", "page.printer", "language"]
)
# A word with more letters than this may have a plural ending of one or two letters, as `antwoorden` has.
_LONG = 5
# A user's text may contain a phrase of the table among other words, as in "at the foot of the page, please".
# Only phrases with more letters than this are searched for inside a text. Shorter phrases would also be found
# inside other words.
_PHRASE = 8
# Words of at most this many letters are not looked up alone, because such short words have other meanings in
# other languages. An example is `no`.
_SHORT = 2
# The language of a text is only guessed if the text has at least this many common words of the language.
_CLEAR = 2
ENDS = ("min", "max", "width", "height")


@cache
def simple_words(name: str) -> tuple[str, ...]:
    """Split a name into lower-case words without accents and plurals: ``PageSizes`` gives page and size."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|の", " ", name)
    letters = unicodedata.normalize("NFKD", spaced).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return tuple(_singular(word) for word in re.findall(r"[^\W_]+|#", plain))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def simple_name(name: str) -> str:
    """Normalize a name, so that ``Page-Sizes``, ``page_size`` and ``pageSize`` all become ``pagesize``."""
    return "".join(simple_words(name))


class NameTable:
    """Table of other names that users may write for linkpress's keys and values.

    Names are looked up without regard to case, plurals and the characters between words.

    Args:
        table: the content of the file ``config/other-names.yaml``.
    """

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._fillers = {word for name in table["fillers"] for word in simple_words(name)}
        self._ends: dict[str, list[str]] = {}
        for end, names in table["ends"].items():
            for name in names:
                self._ends.setdefault(simple_name(name), []).append(end)
        self._values = {
            key: {simple_name(word): plain for plain, words in values.items() for word in words}
            for key, values in table["values"].items()
            if isinstance(values, Mapping)
        }
        self._yes_no = {
            simple_name(word): plain for plain in ("yes", "no") for word in table["values"][plain]
        }
        self._shares = {simple_name(name) for name in table["shares"]}
        self._wrappers = {simple_name(name) for name in table["wrappers"]}
        self._colours = {simple_name(name): ink for ink, names in table["colours"].items() for name in names}
        self._orientations = {
            simple_name(name): way for way, names in table["orientation"].items() for name in names
        }
        self._switches = {simple_name(name) for name in table["switches"]}
        self._single: Mapping[str, str | list[str]] = table["single"]

    # Building the indexes of the names of keys, and of features that linkpress lacks (``refused_names``),
    # takes 40 ms. So they are only built when needed. Specs with linkpress's own keys don't need them.

    @property
    def names(self) -> Mapping[str, list[str]]:
        names: Mapping[str, list[str]] = self._table["keys"]
        return names

    @property
    def refused_names(self) -> Mapping[str, list[str]]:
        names: Mapping[str, list[str]] = self._table["wishes"]
        return names

    @cached_property
    def _same_words(self) -> Mapping[str, str]:
        return {simple_name(word): same for same, words in self._table["words"].items() for word in words}

    @cached_property
    def _known_words(self) -> frozenset[str]:
        return frozenset((*self._same_words, *self._table["words"]))

    @cached_property
    def _theme_keys(self) -> Mapping[str, KeyPath]:
        return {
            self._in_any_order(name): tuple(path.split("."))
            for path, names in self._table["theme keys"].items()
            for name in names
        }

    @cached_property
    def _keys(self) -> Mapping[tuple[str, str], Sequence[tuple[KeyPath, bool]]]:
        keys: dict[tuple[str, str], list[tuple[KeyPath, bool]]] = {}
        for text, names in self.names.items():
            for name in names:
                place, rest = self._place_and_name(name.removeprefix("!"), text)
                for spelling in self._all_spellings(rest):
                    targets = keys.setdefault((place, spelling), [])
                    targets.append((tuple(text.split(".")), name.startswith("!")))
        return keys

    def _each_refused(self) -> Iterator[tuple[str, str, str]]:
        """Yield each name of a feature that linkpress lacks, from the table of such names.

        Yields:
            The key of the mapping that contains the name, empty at the top of a document; the name itself;
            and a sentence of advice.
        """
        for sentence, names in self.refused_names.items():
            for name in names:
                yield *self._place_and_name(name, ""), sentence

    @cached_property
    def _refusals(self) -> Mapping[tuple[str, str], str]:
        advice: dict[tuple[str, str], str] = {}
        for place, name, sentence in self._each_refused():
            advice.setdefault((place, simple_name(name)), sentence)
        return advice

    @cached_property
    def _refused_words(self) -> Mapping[frozenset[str], str]:
        advice: dict[frozenset[str], str] = {}
        for place, name, sentence in self._each_refused():
            for words in (simple_words(name), self.same_words(name)) if not place else ():
                if len(words) > 1:
                    advice.setdefault(frozenset(words), sentence)
        return advice

    @staticmethod
    def _place_and_name(name: str, key: str) -> tuple[str, str]:
        """Split a name such as ``page.size`` into the key that contains it, ``page``, and its last part.

        A name without a dot belongs to a level if it is another name for a level's key. Otherwise it belongs
        to the top of a document.
        """
        place, dot, rest = name.rpartition(".")
        return place if dot else LEVELS if key.startswith(f"{LEVELS}.") else "", rest

    def targets(self, name: str, places: Iterable[str]) -> Iterator[tuple[KeyPath, bool]]:
        """Yield the keys of linkpress that a key in a user's words may mean, the most likely first.

        Args:
            name: the key as the user wrote it.
            places: the keys of the mappings in which the name may be, such as ``page``. An empty string means
                the top of a document.
        Yields:
            The key path without list indexes, and whether the meaning is opposite: yes for the name means no
            for the key. If the name means one end of a range, the path ends with ``min`` or ``max``.
        """
        words, places = simple_words(name), list(places)
        same_words = self._with_same_words(words)
        in_order = " ".join(sorted(same_words))
        attempts = [self.spellings(name), [self._any_order(words)]]
        if same_words != words:
            attempts.append([in_order, self._any_order(same_words), *self.spellings(" ".join(same_words))])
        # German users may write `hoehe` for `höhe`. In the table, accents are removed, so look up `hohe` too.
        attempts.append(self.spellings(re.sub("([aou])e", r"\1", " ".join(words))))
        if any(self._refusal_in_part(words, place) for place in places):
            # The user's key asks for a feature that linkpress lacks, so look up only the whole name of the
            # key. Usually, filler words such as "text" are left out. But then `cover_text_colour` would be
            # understood as the colour of the cover.
            attempts = [["".join(words), in_order]]
        for spellings in attempts:
            found = [
                hit for place in places for part in spellings for hit in self._keys.get((place, part), ())
            ]
            if found:
                yield from found
                break
        for end in ("min", "max"):
            without = [word for word in words if word not in (end, f"{end}imum")]
            if without and len(without) < len(words):
                for place in places:
                    for path, _ in self._keys.get((place, "".join(without)), ()):
                        yield (*path, end), False

    def _all_spellings(self, name: str) -> Iterable[str]:
        words = simple_words(name)
        same_words = self._with_same_words(words)
        spellings = ["".join(words), self._any_order(words), self._any_order(same_words)]
        if len(words) > 1:
            spellings.append(" ".join(sorted(same_words)))
        return dict.fromkeys(filter(None, spellings))

    def _with_same_words(self, words: Iterable[str]) -> tuple[str, ...]:
        """Translate each word of a name into English: ``por hojas`` becomes "per" and "page".

        Unknown words stay unchanged, and repeated words are removed.
        """
        words = (part for word in words for part in self._parts(word))
        forms = ([word, word[:-1], word[:-2]] if len(word) > _LONG else [word] for word in words)
        same = (
            next((self._same_words[form] for form in each if form in self._same_words), each[0])
            for each in forms
        )
        return tuple(dict.fromkeys(same))

    def _parts(self, word: str) -> tuple[str, ...]:
        """Split a compound of two known words, such as ``raetselanzahl`` into "raetsel" and "anzahl".

        Any other word is returned as a whole.
        """
        for end in range(_SHORT + 1, len(word) - _SHORT):
            first, second = word[:end].removesuffix("s"), word[end:]
            if {first, second} <= self._known_words and word not in self._known_words:
                return first, second
        return (word,)

    def same_words(self, name: str) -> tuple[str, ...]:
        return self._with_same_words(simple_words(name))

    def has_word(self, name: str, word: str) -> bool:
        return word in self.same_words(name)

    def _in_any_order(self, name: str) -> str:
        return self._any_order(simple_words(name)) or simple_name(name)

    def _any_order(self, words: Iterable[str]) -> str:
        """Join the words of a name in alphabetical order, so that ``format_page`` finds "page format".

        Filler words such as "the" are left out. Return an empty string if fewer than two words are left.
        """
        kept = sorted(word for word in words if word not in self._fillers)
        return " ".join(kept) if len(kept) > 1 else ""

    def spellings(self, name: str) -> list[str]:
        """Return the normalized spellings of a name, with and without its filler words.

        For example, ``author_name`` gives "authorname" and "author". If all words are fillers, as in "total
        count", each of them is also a spelling.

        If the name means a feature that linkpress lacks, such as ``number size``, only the spelling with all
        words is returned. Without the filler "number", this name would mean the size of a board.
        """
        words = simple_words(name)
        if ("", "".join(words)) in self._refusals:
            return ["".join(words)]
        spellings = ["".join(part) for part in self._with_and_without_fillers(words)]
        return spellings if spellings[-1] or not words else [*spellings[:-1], *words]

    def _with_and_without_fillers(self, words: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
        return dict.fromkeys((words, tuple(word for word in words if word not in self._fillers)))

    def refusal(self, name: str, place: str) -> str | None:
        """Return a sentence of advice if a key asks for a feature that linkpress lacks; None otherwise.

        Args:
            name: the key as the user wrote it.
            place: the key of the mapping that contains it; empty at the top of a document.
        """
        words = simple_words(name)
        for part in filter(None, self._with_and_without_fillers(words)):
            if sentence := self._refusal_in_part(part, place) or self._refusals.get(("", "".join(part))):
                return sentence
        return self._refusals.get((place, "".join(self._with_same_words(words)))) if place else None

    def _refusal_in_part(self, words: tuple[str, ...], place: str) -> str | None:
        """Return advice if a key asks for an unsupported feature of one part of a book, such as its cover.

        For example, linkpress has no key for the colour of the text on a cover. A user may write the key
        ``text_colour`` inside the mapping ``cover``, or the key ``cover_text_colour`` at the top of a spec.
        Return None for any other key.

        Args:
            words: the words of the user's key.
            place: the key of the mapping in which the user wrote it; empty at the top.
        """
        names = [(place, words)] if place else []
        names += [(f"{words[0]}{plural}", words[1:]) for plural in ("", "s") if len(words) > 1]
        found = (self._refusals.get((where, "".join(rest))) for where, rest in names)
        return next(filter(None, found), None)

    def is_refused(self, name: str, place: str) -> bool:
        return bool(place) and (place, simple_name(name)) in self._refusals

    def refusal_in(self, name: str) -> str | None:
        """Return a sentence of advice if a name contains the name of a feature that linkpress lacks.

        For example, ``embed all fonts`` contains the words of "embed fonts". If the name contains several
        features, the feature with the most words decides. Return None if the name contains no feature.
        """
        words = {*simple_words(name), *self.same_words(name)}
        within = [(parts, sentence) for parts, sentence in self._refused_words.items() if parts <= words]
        return max(within, key=lambda each: len(each[0]))[1] if within else None

    def ends(self, names: Iterable[str]) -> list[str]:
        """Translate names such as "minimum" into ``min``, ``max``, ``width``, ``height`` or ``unit``.

        Any other name becomes an empty string. A name may have two meanings: "high" is the maximum, but
        beside a width it is the height.
        """
        meanings = [self._ends.get(simple_name(name), [""]) for name in names]
        return [each[-1 if ["width"] in meanings else 0] for each in meanings]

    def value(self, text: str, key: str) -> str | None:
        """Translate a user's value, such as "at the end", into a value of linkpress, such as ``back``.

        Return None if the value is unknown.

        Args:
            text: the value as the user wrote it.
            key: linkpress's key path, joined by dots.
        """
        values, words = self._values.get(key, {}), simple_words(text)
        key_words = simple_words(key)
        plain = [word for word in words if word not in self._fillers and word not in key_words]
        found = values.get("".join(words)) or values.get("".join(plain)) if words else None
        if found or key not in _VALUES_IN_SENTENCES:
            return found
        own = set(values.values())
        found_words = (
            values.get(word, word if word in own else None) for word in plain if len(word) > _SHORT
        )
        joined = "".join(words)
        phrases = (same for phrase, same in values.items() if len(phrase) > _PHRASE and phrase in joined)
        single = set(filter(None, found_words)) or set(phrases)
        if key == "solutions.place":
            return self._place_of_solutions(words) or (single.pop() if len(single) == 1 else None)
        return single.pop() if len(single) == 1 else None

    def _place_of_solutions(self, words: Iterable[str]) -> str | None:
        """Find where a text such as "at the end of each chapter" places the solutions; None if unknown.

        A phrase in the table matches if the text contains all its words, in any order. If several phrases
        match, the phrase with the most words decides. If several of them have equally many words, the last of
        these in the table decides.
        """
        same_words = {*self._with_same_words(words)}
        places = (
            (each, place) for place, phrases in self._table["solution places"].items() for each in phrases
        )
        found = [(len(each.split()), place) for each, place in places if same_words >= {*each.split()}]
        return max(reversed(found), key=lambda each: each[0])[1] if found else None

    def language_of(self, text: str) -> str | None:
        """Guess the language of a text from its letters and common words; return None if it is not clear."""
        if re.search("[\u3040-\u30ff]", text):
            return "ja"
        if re.search("[\u0e00-\u0e7f]", text):
            return "th"
        words = set(re.findall(r"[^\W\d_]+", text.casefold()))
        languages = self._table["language words"].items()
        (most, language), (second, _) = sorted(
            ((len(words & {*known}), name) for name, known in languages), reverse=True
        )[:2]
        return language if most >= _CLEAR and most > second else None

    def says_large_print(self, text: str) -> bool:
        """Return whether a title contains the words for "large print" in any of the languages."""
        words = f" {' '.join(simple_words(text))} "
        names = (" ".join(simple_words(name)) for name in self._table["large print"])
        return any(f" {name} " in words for name in names)

    def values_inside(self, text: str, key: str) -> set[str]:
        """Return all values whose names occur in a text of a language that is written without spaces.

        For example, the value ``hard`` is found in "上級編", because 上級 means "advanced" in Japanese.
        """
        values = self._values[key]
        names = [name for name in values if len(name) > 1 and not re.search("[a-z]", name)]
        longest_first = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        return {values[name] for name in re.findall(longest_first, simple_name(text)) if name}

    def yes_or_no(self, text: str) -> str | None:
        return self._yes_no.get(simple_name(text))

    def is_filler(self, word: str) -> bool:
        return self._fillers.issuperset(simple_words(word))

    def is_share(self, name: str) -> bool:
        return "%" in name or not self._shares.isdisjoint(simple_words(name))

    def is_wrapper(self, name: str) -> bool:
        """Return whether a key such as ``config`` has no meaning of its own and only groups other keys."""
        return simple_name(name) in self._wrappers or self._wrappers.issuperset(simple_words(name))

    def is_orientation(self, name: str) -> bool:
        return self._orientations.get(simple_name(name)) == "key"

    def orientation(self, text: str) -> str | None:
        """Translate a word such as "quer" into ``landscape`` or ``portrait``; return None for any other."""
        way = self._orientations.get(simple_name(text))
        return way if way != "key" else None

    def colour(self, text: str) -> str | None:
        """Translate the name of a colour, such as "navy blue", into an ink; return None if it is unknown."""
        return self._colours.get(simple_name(text))

    def theme_key(self, name: str) -> KeyPath | None:
        """Translate a user's name for a key of a theme, such as "gridColor", into the path of the key.

        Return None if the table has no such name for a key of a theme.
        """
        return self._theme_keys.get(self._in_any_order(name))

    def is_switch(self, name: str) -> bool:
        return simple_name(name) in self._switches

    def single(self, key: KeyPath) -> list[KeyPath]:
        """Return the inner keys to set if a user gives a key a single value instead of a mapping.

        For example, a single length for ``page.margins`` sets all four margins.
        """
        keys = self._single.get(".".join(map(str, key)), [])
        return [tuple(each.split(".")) for each in ([keys] if isinstance(keys, str) else keys)]


@cache
def name_table() -> NameTable:
    """Return the table of other names that users may write for linkpress's keys and values.

    The table is loaded only once.
    """
    return NameTable(TableSections("other-names.yaml"))
