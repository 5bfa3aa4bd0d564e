"""Table of the other names under which a document may give keys and values.

The table is the shipped file ``config/other-names.yaml``, whose comments explain its parts. This module finds
the key that a name means. ``plain_names`` uses it to rewrite a whole document.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from linkpress.documents.problem import KeyPath
from linkpress.resources import resource

LEVELS = "levels"
ENDS = ("min", "max", "width", "height")


@cache
def simple_words(name: str) -> tuple[str, ...]:
    """Return the words of a name without capitals, accents and plural: ``PageSizes`` gives page and size."""
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    letters = unicodedata.normalize("NFKD", spaced).casefold()
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return tuple(_singular(word) for word in re.findall(r"[^\W_]+|#", plain))


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def simple_name(name: str) -> str:
    """Return a name in the one form that all its spellings share."""
    return "".join(simple_words(name))


class NameTable:
    """The table of other names, indexed by their simple form."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.names: Mapping[str, list[str]] = table["keys"]
        self.wish_names: Mapping[str, list[str]] = table["wishes"]
        self._keys: dict[tuple[str, str], list[tuple[KeyPath, bool]]] = {}
        self._wishes: dict[tuple[str, str], str] = {}
        for text, names in self.names.items():
            for name in names:
                place, plain = self._place_and_name(name.removeprefix("!"), text)
                targets = self._keys.setdefault((place, plain), [])
                targets.append((tuple(text.split(".")), name.startswith("!")))
        for sentence, names in self.wish_names.items():
            for name in names:
                self._wishes.setdefault(self._place_and_name(name, ""), sentence)
        self._ends: dict[str, str] = {
            simple_name(name): end for end, names in table["ends"].items() for name in names
        }
        self._values = {
            key: {simple_name(word): plain for plain, words in values.items() for word in words}
            for key, values in table["values"].items()
            if isinstance(values, Mapping)
        }
        self._yes_no = {
            simple_name(word): plain for plain in ("yes", "no") for word in table["values"][plain]
        }
        self._fillers = {word for name in table["fillers"] for word in simple_words(name)}
        self._shares = {simple_name(name) for name in table["shares"]}
        self._wrappers = {simple_name(name) for name in table["wrappers"]}
        self._single: Mapping[str, str | list[str]] = table["single"]

    @staticmethod
    def _place_and_name(name: str, key: str) -> tuple[str, str]:
        """Split a name such as ``page.size``. Names of a level's keys are names inside a level only."""
        place, dot, rest = name.rpartition(".")
        if dot:
            return place, simple_name(rest)
        return (LEVELS if key.startswith(f"{LEVELS}.") else ""), simple_name(name)

    def targets(self, name: str, places: Iterable[str]) -> Iterator[tuple[KeyPath, bool]]:
        """Yield each key that a name may mean, the likeliest first.

        Args:
            name: the name as the user wrote it.
            places: the last keys of the mappings whose names to look up; ``""`` for names without a place.
        Yields:
            The key path, without list indexes, and whether the key's yes means the name's no. The path may
            go on behind a key with an end of its range or a side of its rectangle, such as ``min``.
        """
        words, places = simple_words(name), list(places)
        essential = tuple(word for word in words if word not in self._fillers)
        for part in dict.fromkeys((words, essential)):
            for place in places:
                yield from self._keys.get((place, "".join(part)), ())
        for end in ("min", "max"):
            without = [word for word in words if word not in (end, f"{end}imum")]
            if without and len(without) < len(words):
                for place in places:
                    for path, _ in self._keys.get((place, "".join(without)), ()):
                        yield (*path, end), False

    def wish(self, name: str, place: str) -> str | None:
        """Return the sentence about a name that asks for something linkpress does not have."""
        words = simple_words(name)
        essential = tuple(word for word in words if word not in self._fillers)
        for part in filter(None, (words, essential)):
            for where in (place, ""):
                if sentence := self._wishes.get((where, "".join(part))):
                    return sentence
        return None

    def end(self, name: str) -> str:
        """Return which end of a range or side of a rectangle a name means; empty for none."""
        return self._ends.get(simple_name(name), "")

    def value(self, text: str, key: str) -> str | None:
        """Return the plain word for a value of a key, such as ``back`` for "at the end"."""
        name = simple_name(text)
        return self._values.get(key, {}).get(name) if name else None

    def yes_or_no(self, text: str) -> str | None:
        """Return ``yes`` or ``no`` for a word of any language that means it."""
        return self._yes_no.get(simple_name(text))

    def is_share(self, name: str) -> bool:
        """Return whether a name says that its number is a percentage."""
        return not self._shares.isdisjoint(simple_words(name))

    def is_wrapper(self, name: str) -> bool:
        """Return whether a name means nothing but "here are keys", such as ``config``."""
        return simple_name(name) in self._wrappers

    def single(self, key: KeyPath) -> list[KeyPath]:
        """Return the inner keys that a single value stands for where a mapping is expected."""
        keys = self._single.get(".".join(map(str, key)), [])
        return [tuple(each.split(".")) for each in ([keys] if isinstance(keys, str) else keys)]


@cache
def name_table() -> NameTable:
    """Return the shipped table of other names."""
    import yaml  # late: commands without a spec need no YAML

    text = resource("config", "other-names.yaml").read_text(encoding="utf-8")
    return NameTable(yaml.load(text, getattr(yaml, "CBaseLoader", yaml.BaseLoader)))  # all scalars as texts
