"""Replace the keys ``puzzles``, ``mix`` and ``difficulties`` of a spec with a list of levels or weekdays.

A spec describes a book, or a feed of daily puzzles. A *mix* gives the number or share of puzzles for each
difficulty. The key ``difficulties`` defines what a name such as "gentle" means: the size of the boards, the
number of paths, the solid squares and so on. A *level* is a section of the book.

The functions here work on the YAML document, before it is validated. They replace the three keys with the
levels that follow from them. For each generated value, the place of the user's own value is kept, so that
error messages can give its line.
"""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from pydantic import BaseModel

from linkpress.book.key_values import DIFFICULTY, MAX_PUZZLES, SIZES, parts_of
from linkpress.documents.plain_names import DEFAULTS, NUMBER
from linkpress.documents.problem import (
    InvalidError,
    KeyPath,
    Problem,
    YamlSource,
    invalid,
    key_text,
    listed,
    printable,
)
from linkpress.documents.shipped_files import DIFFICULTY_SETS, resolve_name
from linkpress.documents.values import (
    ValueReader,
    percent_text,
    read_percent,
    scalar_text,
    trimmed,
    value_text,
    whole_number,
)
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import counted
from linkpress.errors import UsageError

MIX_WORDS = '`{easy: 50%, hard: 50%}`, `{easy: 60, hard: 60}` or a ratio as `"3:2:1"`'
DIFFICULTIES_WORDS = (
    "names with their keys, as `{gentle: {size: 6, paths: 5}}`, or the name or file of a set: "
)
DIFFICULTIES_WORDS += ", ".join(DIFFICULTY_SETS.names())
DEFAULT_MIX = {"easy": "50%", "medium": "30%", "hard": "20%"}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MIX_KEYS = ("puzzles", "mix", "difficulties", "size")
"""Top-level keys of a spec that are replaced by generated levels or, in a feed, by a generated week."""
_NAMES = "|".join(Difficulty)
_PART = re.compile(
    rf"\b({_NAMES})\b *[=:x×]? *([0-9]+ *%?)|([0-9]+ *%?) *[x×]? *\b({_NAMES})\b", re.IGNORECASE
)
_NAMED_RATIO = re.compile(rf"((?:{_NAMES})(?:[:/-](?:{_NAMES}))+)[ =:]+([0-9]+(?:[:/-][0-9]+)+)")
# Keys that a level of a book may have, but not a weekday of a feed.
_LEVEL_ONLY = {"count", "name", "title", "per_page"}

# A spec may have a mix of difficulties instead of levels. If the mix has problems, this level is used instead
# of the mix, so that the other keys of the spec can still be checked.
_STAND_IN = {"name": "1", "count": "1", "size": "7"}


Keys = Mapping[str, Any]


def apportion(total: int, weights: Iterable[Fraction | int]) -> list[int]:
    """Divide a number of puzzles in proportion to weights, by the largest remainder method.

    Args:
        total: the number of puzzles.
        weights: at least one weight, with a sum above zero.
    Returns:
        A whole number for each weight. Their sum is ``total``. If two remainders are equal, the first is
        rounded up.
    """
    exact_weights = [Fraction(weight) for weight in weights]
    exact = [total * weight / sum(exact_weights) for weight in exact_weights]
    counts = [math.floor(each) for each in exact]
    by_remainder = sorted(range(len(exact)), key=lambda index: counts[index] - exact[index])
    for index in by_remainder[: total - sum(counts)]:
        counts[index] += 1
    return counts


def mix_of_text(text: str) -> dict[str, str]:
    """Read a mix that is written in words: ``easy 40, hard 20``, ``50% easy 50% hard`` or ``easy/hard 2:1``.

    Returns:
        The number or share of puzzles for each difficulty. It is empty if the text has no difficulty with a
        number.
    Raises:
        InvalidError: a part of the text can't be read.
    """
    if ratio := _NAMED_RATIO.fullmatch(text.strip()):
        names, weights = (re.split("[:/-]", part) for part in ratio.groups())
        total = sum(map(int, weights))
        if len(names) == len(weights) and total:
            return {name: f"{weight}/{total}" for name, weight in zip(names, weights, strict=True)}
    mix = sum_parts(((m[1] or m[4]).lower(), (m[2] or m[3]).replace(" ", "")) for m in _PART.finditer(text))
    rest = re.sub(r"\band\b|\bpuzzles?\b|[\s,;+&]+", " ", _PART.sub("", text)).strip()
    if mix and rest:
        names_text = listed(list(Difficulty), "or")
        raise invalid(printable(rest), f"write each part as `easy 10`, with {names_text}")
    return mix


def sum_parts(parts: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    """Return a mix in which each difficulty occurs only once.

    If several parts have the same difficulty, their numbers of puzzles or their shares are added.

    Raises:
        InvalidError: parts with the same difficulty can't be added, because only one of them is a share.
    """
    mix: dict[str, Any] = {}
    for name, part in parts:
        if name not in mix:
            mix[name] = part
            continue
        first, second = (re.fullmatch(rf"({NUMBER}) ?(%?)", str(each)) for each in (mix[name], part))
        if first is None or second is None or first[2] != second[2]:
            raise invalid(printable(str(part)), f"`{name}` is given twice; keep one of them")
        mix[name] = trimmed(float(first[1]) + float(second[1]), 4) + first[2]
    return mix


def count_parts(mix: object, total: int | None, own_names: Iterable[str] = ()) -> dict[str, int]:
    """Return the number of puzzles for each difficulty in a mix, the easiest difficulty first.

    Args:
        mix: a mapping from difficulties to shares or numbers of puzzles, or a ratio such as ``"3:2:1"``.
        total: the number of puzzles; None to use the sum of the numbers in the mix.
        own_names: the difficulties that the spec itself defines, from easy to hard. The numbers of a ratio
            belong to these names, in this order. If the spec defines none, they belong to easy, medium, hard
            and so on.
    Raises:
        InvalidError: the mix can't be read, doesn't add up, or has a difficulty that gets no puzzle.
    """
    names = list(own_names)
    parts = _read_parts(mix, names, total) if isinstance(mix, Mapping) else _read_ratio(mix, names)
    if isinstance(mix, Mapping) and all(isinstance(each, int) for each in parts.values()):
        return {name: int(count) for name, count in parts.items()}
    if total is None:
        message = "give the number of puzzles too: `puzzles: 24` for the book, or `count: 24` for a level"
        raise invalid("", message)
    counts = dict(zip(parts, apportion(total, parts.values()), strict=True))
    message = f"it rounds to none of {counted(total, 'puzzle')}; make the share larger, or leave it out"
    if empty := [name for name, count in counts.items() if not count]:
        given = mix if isinstance(mix, Mapping) else {}
        raise InvalidError(*(Problem(str(given.get(name, name)), message, (name,)) for name in empty))
    return counts


def _read_parts(mix: Keys, own_names: Sequence[str], total: int | None) -> dict[str, Fraction | int]:
    parts: dict[str, Fraction | int] = {}
    problems = []
    for name, value in mix.items():
        try:
            text = scalar_text(value, "a share as 50%, or a number of puzzles")
            is_fraction = re.fullmatch("[1-9][0-9]{0,3}/[1-9][0-9]{0,3}", text)
            is_count = re.fullmatch("[1-9][0-9]{0,3}", text)
            parts[name] = Fraction(text) if is_fraction else int(text) if is_count else read_percent(text)
            _check_name(name, own_names)
        except InvalidError as error:
            problems += [problem.below(name) for problem in error.problems]
    if len(parts) == len(mix):
        problems += _sum_problems(list(parts.values()), total)
    if problems or not parts:
        raise InvalidError(*(problems or [Problem("nothing", f"{MIX_WORDS}, is needed")]))
    return dict(sorted(parts.items(), key=lambda part: _order(part[0], own_names)))


def _sum_problems(parts: Sequence[Fraction | int], total: int | None) -> Iterator[Problem]:
    whole, has_counts = sum(parts), {isinstance(each, int) for each in parts}
    if len(has_counts) > 1:
        yield Problem("", "write a share for each part, or a count for each part")
    elif has_counts == {False} and whole != 1:
        yield Problem(f"{percent_text(Fraction(whole))} in all", "the shares must add up to 100%")
    elif has_counts == {True} and total not in (None, whole):
        ratio = ":".join(map(str, parts))
        message = f"the counts must add up to {counted(total, 'puzzle')}"
        message += f'; if you meant a ratio, write "{ratio}"' if ":" in ratio else ""
        yield Problem(f"{whole} in all", message)


def _read_ratio(mix: object, own_names: Sequence[str]) -> dict[str, Fraction | int]:
    names = own_names or [each.value for each in Difficulty]
    text = scalar_text(mix, MIX_WORDS)
    if not re.fullmatch("[1-9][0-9]{0,3}( ?: ?[1-9][0-9]{0,3})+", text):
        raise invalid(printable(text), f"{MIX_WORDS}, is allowed")
    weights = text.split(":")
    if len(weights) > len(names):
        raise invalid(text, f"it has {len(weights)} numbers, but there are only {listed(names)}")
    return dict(zip(names, map(Fraction, weights), strict=False))


def _check_name(name: str, own_names: Iterable[str]) -> None:
    if name not in own_names:
        try:
            DIFFICULTY.read(name)
        except InvalidError:
            known = listed([*own_names, *Difficulty], "or")
            raise invalid(printable(name), f"there is no such difficulty; {known} is allowed") from None


def _order(name: str, own_names: Sequence[str]) -> tuple[int, int]:
    """Return the sort key of a difficulty.

    Difficulties that the spec defines come first, in the order of their definitions. The built-in
    difficulties follow, from easy to hard.
    """
    if name in own_names and not set(Difficulty).issuperset(own_names):
        return 0, own_names.index(name)
    return 1, parts_of(DIFFICULTY.read(name))[0].low


_PARTS_SCHEMA = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": {"type": ["integer", "string"], "pattern": "^[0-9.]+ ?%?$|^[0-9]+/[0-9]+$"},
}
_RATIO_SCHEMA = {"type": "string", "pattern": "^[0-9]+( ?: ?[0-9]+)+$"}
MIX = ValueReader(lambda value: value, MIX_WORDS, {"anyOf": [_PARTS_SCHEMA, _RATIO_SCHEMA]}, lambda mix: mix)
DIFFICULTIES = ValueReader(
    lambda value: value,
    DIFFICULTIES_WORDS,
    {
        "anyOf": [
            {"type": "string", "examples": list(DIFFICULTY_SETS.names())},
            {"type": "object", "minProperties": 1, "additionalProperties": {"type": "object"}},
        ]
    },
    lambda difficulties: difficulties,
)
"""Readers that describe the keys `mix` and `difficulties` for the documentation and the JSON schema.

They never read a value, since both keys are replaced by levels before the spec is validated.
"""


def without_mix(keys: Any, expand: Callable[[YamlSource], tuple[YamlSource, list[Problem]]]) -> Any:
    """Replace the mixes of difficulties in a spec by levels. The spec is a dict that a Python program made.

    Args:
        keys: the spec as a mapping. A value of any other type is returned unchanged.
        expand: the function ``expand_mix`` for a book, or ``expand_week`` for a feed.
    Raises:
        InvalidError: a mix or a difficulty is wrong. The error lists every problem.
    """
    if not isinstance(keys, Mapping):
        return keys
    source, problems = expand(YamlSource("", dict(keys), {}, {}))
    if problems:
        raise InvalidError(*problems)
    return with_level_names(source).value


def mix_problems(spec: BaseModel) -> Iterator[Problem]:
    """Yield a problem for each key in a finished book's spec that asks for a mix of difficulties.

    The user has changed the spec of a finished book. Such a spec already lists all levels, so a mix would
    have no effect.
    """
    for key in ("puzzles", "mix", "difficulties"):
        if getattr(spec, key, None) is not None:
            yield Problem("", "this book already has its list of levels; make the change in `levels`", (key,))


def expand_mix(source: YamlSource) -> tuple[YamlSource, list[Problem]]:
    """Replace the keys about difficulties at the top of a book's spec with a complete list of levels.

    These keys are ``puzzles``, ``mix``, ``difficulties`` and ``size``. If the spec has a mix instead of
    levels, keys of a level such as ``per_page`` may be at the top too. They are copied into each level that
    lacks them.

    Args:
        source: the YAML document of the spec.
    Returns:
        The document without these keys, and the list of problems. Each level contains the keys that define
        its difficulty. A ``mix`` inside a level is replaced by the number of puzzles for each difficulty.
    """
    base = source.base and expand_mix(source.base)[0]
    return _Expansion(dataclasses.replace(source, base=base)).expand_book()


def with_level_names(source: YamlSource) -> YamlSource:
    """Return a spec's document in which each level has a name.

    A level without a name is named after its title, its difficulty or its board size.
    """
    levels = source.value.get("levels")
    if not isinstance(levels, (list, tuple)) or not all(isinstance(level, Mapping) for level in levels):
        return source
    used, named = {str(level.get("name")) for level in levels}, []
    for level in levels:
        name = level.get("title") or level.get("difficulty") or size_name(level.get("size"))
        if level.get("name") is None and isinstance(name, str):
            level = {**level, "name": unique_name(name, used)}
        named.append(level)
    return dataclasses.replace(source, value={**source.value, "levels": named})


def size_name(value: object) -> str | None:
    """Return a name for a level from its board sizes, such as ``7 × 7``; None if the sizes can't be read."""
    try:
        sizes = SIZES.read(value)
    except InvalidError:
        # The sizes can't be read. This error is reported later, when the spec is validated.
        return None
    return ", ".join(f"{size.cols} × {size.rows}" for size in sizes)


def unique_name(name: str, used: set[str]) -> str:
    """Return a name that is not in ``used``, such as ``easy 2`` for ``easy``, and add it to ``used``."""
    names = itertools.chain([name], (f"{name} {number}" for number in itertools.count(2)))
    name = next(each for each in names if each not in used)
    used.add(name)
    return name


def expand_week(source: YamlSource) -> tuple[YamlSource, list[Problem]]:
    """Replace the keys ``mix``, ``difficulties`` and ``size`` of a feed with a complete ``week``.

    Args:
        source: the YAML document of the feed.
    Returns:
        The document without these three keys, and the list of problems. Each weekday contains the keys that
        define its difficulty.
    """
    base = source.base and expand_week(source.base)[0]
    return _Expansion(dataclasses.replace(source, base=base)).expand_feed()


class _Expansion:
    """Conversion of the keys at the top of a document that set the number, difficulty and size of puzzles.

    In a book's spec, these keys, such as ``mix``, are replaced by entries of ``levels``. In a feed's spec,
    they are replaced by keys of each weekday. The conversion also collects the problems of the original keys,
    and notes for the user about new levels.
    """

    def __init__(self, source: YamlSource) -> None:
        self._typed = dict(source.typed)
        self._places = dict(source.places)
        self._source = dataclasses.replace(source, typed=self._typed, places=self._places)
        self._keys = {key: source.value[key] for key in MIX_KEYS if source.value.get(key) is not None}
        self._definitions: dict[str, Keys] = {}
        # Keys at the top of the spec, such as `per_page`. They apply to each level that doesn't set them.
        self._defaults: dict[str, Any] = {}
        self._used: set[str] = set()  # names of difficulties that levels or mixes refer to
        self._names: set[str] = set()
        self._problems: list[Problem] = []
        self._notes: list[str] = []

    def expand_book(self) -> tuple[YamlSource, list[Problem]]:
        levels = self._levels_or_week("levels")
        total = self._read_total(("puzzles",), self._keys.get("puzzles"))
        self._define()
        from_mix = levels is None and bool(self._keys.keys() - {"size"})
        if from_mix:
            top = self._source.value.items()
            self._defaults = {key: each for key, each in top if key in DEFAULTS and key not in MIX_KEYS}
        if self._problems and self._keys:
            return self._result("levels", [_STAND_IN]), self._problems
        if from_mix:
            levels = self._levels_of_mix(total)
        if not isinstance(levels, (list, tuple)) or not all(isinstance(each, Mapping) for each in levels):
            return self._result("levels", levels), self._problems
        self._names = {str(level["name"]) for level in levels if "name" in level}
        levels = [
            level if self._has_own_boards(level) else self._with_definition(("levels", index), level)
            for index, level in enumerate(levels)
        ]
        levels = self._with_counts(levels, None if from_mix else total)
        levels = self._split_levels(levels)
        levels = [self._with_level_mix(("levels", index), level) for index, level in enumerate(levels)]
        if from_mix:
            self._notes += [f"  - {_flow_text(level)}" for level in levels]
        if self._definitions and self._used.isdisjoint(self._definitions):
            names = listed(list(self._definitions), "or")
            self._notes.append(f"`difficulties` is not used, because no level and no mix names {names}")
        return self._result("levels", levels), self._problems

    def expand_feed(self) -> tuple[YamlSource, list[Problem]]:
        week = self._levels_or_week("week")
        self._define()
        if week is None and "mix" in self._keys and not self._problems:
            week = self._week_of_mix()
        if isinstance(week, Mapping):
            week = {day: self._with_definition(("week", day), keys) for day, keys in week.items()}
        return self._result("week", week), self._problems

    def _result(self, key: str, recipes: object) -> YamlSource:
        left_out = {*MIX_KEYS, *self._defaults}
        value = {name: each for name, each in self._source.value.items() if name not in left_out}
        if recipes is not None:
            value[key] = recipes
        return dataclasses.replace(self._source, value=value, notes=(*self._source.notes, *self._notes))

    def _add(self, path: KeyPath, error: InvalidError) -> None:
        for each in error.problems:
            self._problems.append(self._source.problem((*path, *each.key), each.found, each.message))

    def _levels_or_week(self, key: str) -> Any:
        """Return the value of the key ``levels`` or ``week``; None if the key ``mix`` is used instead of it.

        If one of these two keys is in the spec and the other in its base file, the spec's own key is used,
        and the key of the base file is ignored. If one file has both keys, this is reported as a problem.

        Args:
            key: ``levels`` for a book, ``week`` for a feed.
        """
        value = self._source.value.get(key)
        if value is None or "mix" not in self._keys:
            return value
        files = [self._places[path].file if path in self._places else "" for path in (("mix",), (key,))]
        if files[0] == files[1]:
            self._add(("mix",), invalid("", f"the file has `{key}` too; leave one of the two out"))
        elif files[0] == self._source.file:
            self._notes.append(f"`mix` replaces the `{key}` of {files[1]}")
            return None
        else:
            self._notes.append(f"`{key}` replaces the `mix` of {files[0]}")
            if self._places.get(("puzzles",)) and self._places[("puzzles",)].file != self._source.file:
                del self._keys["puzzles"]
        del self._keys["mix"]
        return value

    def _read_total(self, path: KeyPath, value: object) -> int | None:
        try:
            return None if value is None else int(whole_number(1, MAX_PUZZLES).read(value))
        except InvalidError as error:
            self._add(path, error)
            return None

    # Difficulties

    def _define(self) -> None:
        value = self._keys.get("difficulties")
        if isinstance(value, str):
            value = self._load_set(value)
        elif value is not None and not (isinstance(value, Mapping) and value):
            self._add(("difficulties",), invalid(value_text(value), f"{DIFFICULTIES_WORDS}, is allowed"))
            return
        for name, keys in (value or {}).items():
            if isinstance(keys, Mapping):
                self._definitions[name] = keys
            else:
                error = invalid(value_text(keys), "keys of a level, as {size: 6, paths: 5}, are needed")
                self._add(("difficulties", name), error)

    def _load_set(self, name: str) -> Keys | None:
        """Load a shipped set of difficulties, or a set from a file of the user.

        A difficulty may have a title in several languages. Only the one in the spec's language is kept.
        """
        # Import this module here, because specs that a Python program makes don't need it.
        from linkpress.documents.yaml_source import read_yaml

        try:
            source = read_yaml(DIFFICULTY_SETS.find(resolve_name(name, self._source.folder)))
        except UsageError as error:
            self._add(("difficulties",), invalid(printable(name), str(error)))
            return None
        self._problems += source.problems
        self._places |= {("difficulties", *path): place for path, place in source.places.items() if path}
        language = str(self._source.value.get("language") or "en")
        for keys in source.value.values():
            if isinstance(keys, dict) and isinstance(titles := keys.get("title"), Mapping):
                keys["title"] = titles.get(language, titles.get("en"))
        return source.value

    def _with_definition(self, path: KeyPath, keys: Any) -> Any:
        """Return the keys of a level or weekday, with the keys from the definition of its difficulty added.

        A key that the level or weekday sets itself keeps its value.
        """
        name = keys.get("difficulty") if isinstance(keys, Mapping) else None
        self._used.add(str(name))
        if isinstance(name, str) and self._definitions:
            try:
                _check_name(name, self._definitions)
            except InvalidError as error:
                self._add((*path, "difficulty"), error)
                keys = {**keys, "difficulty": None}
        if isinstance(name, str) and name in self._definitions:
            own = {key: each for key, each in keys.items() if each is not None and key != "difficulty"}
            left_out = {*own, "title"} if "name" in own else {*own}
            left_out |= _LEVEL_ONLY if path[0] == "week" else set()
            inherited = {key: each for key, each in self._definitions[name].items() if key not in left_out}
            self._typed |= {(*path, key): ("difficulties", name, key) for key in inherited}
            keys = {**inherited, **own}
            # A level with a built-in difficulty gets its name later, in the language of the book.
            if path[0] == "levels" and "name" not in keys and keys.get("difficulty") != name:
                keys = {"name": unique_name(words_of_name(name), self._names), **keys}
                self._typed[*path, "name"] = ("difficulties", name)
        if isinstance(keys, Mapping) and "size" in self._keys and not _has_size(keys):
            keys = {**keys, "size": self._keys["size"]}
            self._typed[*path, "size"] = ("size",)
        for key, value in self._defaults.items():
            if (
                isinstance(keys, Mapping)
                and keys.get(key) is None
                and (key == "per_page" or "from" not in keys)
            ):
                keys = {**keys, key: value}
                self._typed[*path, key] = (key,)
        return keys

    def _title(self, name: str) -> str:
        """Return the title of a difficulty. If the spec gives it no title, return its name in words."""
        title = self._definitions.get(name, {}).get("title")
        return str(title or words_of_name(name))

    # Mixes

    def _levels_of_mix(self, total: int | None) -> list[Keys]:
        path = next((key,) for key in ("mix", "difficulties", "puzzles") if key in self._keys)
        equal = {name: f"1/{len(self._definitions)}" for name in self._definitions}
        self._keys.setdefault("mix", equal or DEFAULT_MIX)
        parts = self._counts(path, self._keys["mix"], total)
        self._typed |= {("levels", index): (*path, name) for index, name in enumerate(parts)}
        self._typed |= {("levels", index, "count"): (*path, name) for index, name in enumerate(parts)}
        return [{"difficulty": name, "count": str(count)} for name, count in parts.items()] or [_STAND_IN]

    def _week_of_mix(self) -> dict[str, Keys]:
        mix = self._keys["mix"]
        parts = self._counts(("mix",), mix, None if _has_counts(mix) else len(WEEKDAYS))
        names = [name for name, count in parts.items() for _ in range(count)]
        if len(names) > len(WEEKDAYS):
            self._add(("mix",), invalid(f"{len(names)} in all", "a week has 7 days, with one puzzle each"))
        week = dict(zip(WEEKDAYS, names or [Difficulty.EASY.value], strict=False))
        self._typed |= {("week", day): ("mix", name) for day, name in week.items()}
        return {day: {"difficulty": name} for day, name in week.items()}

    def _counts(self, path: KeyPath, mix: object, total: int | None) -> dict[str, int]:
        """Return the number of puzzles for each difficulty of a mix, and store a note for the user about it.

        If the mix is wrong, store its problems and return an empty dict.

        Args:
            path: the key path of the mix, or of the key from which it was made.
            mix: the mix.
            total: the number of puzzles; None to use the sum of the numbers in the mix.
        """
        try:
            counts = count_parts(mix, total, self._definitions)
        except InvalidError as error:
            self._add(path, error)
            return {}
        self._note(key_text(path) if path[0] == "levels" else "mix", mix, counts)
        return counts

    def _note(self, name: str, mix: object, counts: Mapping[str, int]) -> None:
        given = {part: str(each) for part, each in mix.items()} if isinstance(mix, Mapping) else {}
        shares = {part: f" ({share})" for part, share in given.items() if share.endswith("%")}
        parts = [f"{part} {count}{shares.get(part, '')}" for part, count in counts.items()]
        self._notes.append(f"{name} of {counted(sum(counts.values()), 'puzzle')}: {', '.join(parts)}")

    def _with_counts(self, levels: list[Keys], total: int | None) -> list[Keys]:
        """Return the levels, each with its number of puzzles.

        A level with the key ``count`` has that many puzzles. The rest of the ``total`` is divided equally
        among the other levels.
        """
        if total is None:
            return levels
        texts = [str(level.get("count")) for level in levels]
        if all(re.fullmatch("[0-9.]+ ?%", text) for text in texts):
            shares = [Fraction(text.rstrip(" %")) for text in texts]
            if sum(shares) != 100:
                message = "the shares of the levels must add up to 100%"
                self._add(
                    ("puzzles",), invalid(f"{percent_text(Fraction(sum(shares), 100))} in all", message)
                )
            counts = apportion(total, shares) if sum(shares) else [1] * len(levels)
            names = (str(level.get("name") or level.get("difficulty") or "level") for level in levels)
            numbered = {
                f"{name} ({number})": count
                for number, (name, count) in enumerate(zip(names, counts, strict=True), 1)
            }
            self._note("levels", dict(zip(numbered, texts, strict=True)), numbered)
            return [{**level, "count": str(count)} for level, count in zip(levels, counts, strict=True)]
        open_levels = [index for index, level in enumerate(levels) if not _own_count(level)]
        rest = total - sum(map(_own_count, levels))
        if rest < len(open_levels) or (rest and not open_levels):
            message = f"the levels have {total - rest} in all; write that number, or change the levels"
            self._add(("puzzles",), invalid(str(total), message))
            return [{"count": "1", **level} for level in levels]
        for index, count in zip(open_levels, apportion(rest, [1] * len(open_levels)), strict=True):
            levels[index] = {**levels[index], "count": str(count)}
        return levels

    def _with_level_mix(self, path: KeyPath, level: Keys) -> Keys:
        """Replace the key ``mix`` of a level by ``difficulty``, and return the level.

        The value of ``difficulty`` is a mapping from each difficulty of the mix to its number of puzzles.
        """
        mix, rest = level.get("mix"), {key: each for key, each in level.items() if key != "mix"}
        if mix is None:
            return level
        if level.get("difficulty") is not None:
            self._add((*path, "mix"), invalid("", "the level has `difficulty` too; leave one of the two out"))
            return rest
        total = self._read_total((*path, "count"), level.get("count"))
        if not (counts := self._counts((*path, "mix"), mix, total)):
            return rest
        self._typed[*path, "difficulty"] = (*path, "mix")
        self._used.update(counts)
        own = {
            name: str(self._definitions[name]["difficulty"]) for name in counts if name in self._definitions
        }
        difficulty = {own.get(name, name): str(count) for name, count in counts.items()}
        return {**rest, "count": str(sum(counts.values())), "difficulty": difficulty}

    def _has_own_boards(self, level: Keys) -> bool:
        """Return whether the difficulties in a level's mix have settings for boards, such as their size."""
        mix = level.get("mix")
        names = mix if isinstance(mix, Mapping) else self._definitions if isinstance(mix, str) else ()
        return level.get("difficulty") is None and any(
            self._definitions[name].keys() != {"difficulty"} for name in names if name in self._definitions
        )

    def _split_levels(self, levels: list[Keys]) -> list[Keys]:
        """Replace each level with a mix by several levels, one for each difficulty of the mix.

        This is only done if the difficulties have their own settings for boards, such as the board size.
        """
        rows: list[tuple[int, Keys]] = []
        for index, level in enumerate(levels):
            rows += [(index, row) for row in self._split(("levels", index), level)]
        if len(rows) == len(levels):
            return [row for _, row in rows]
        typed = {path: each for path, each in self._typed.items() if path[0] == "levels" and path[1:]}
        for path in typed:
            del self._typed[path]
        for place, (index, _) in enumerate(rows):
            self._typed["levels", place] = ("levels", index)
            self._typed |= {(*path[:1], place, *path[2:]): typed[path] for path in typed if path[1] == index}
        return [
            self._with_definition(("levels", place), row) if self._has_own_boards(levels[index]) else row
            for place, (index, row) in enumerate(rows)
        ]

    def _split(self, path: KeyPath, level: Keys) -> list[Keys]:
        """Split a level with a mix into one level for each difficulty of the mix.

        A level is only split if the difficulties of its mix have their own settings for boards, such as the
        board size. Otherwise, return a list that contains only the unchanged level.
        """
        if not self._has_own_boards(level):
            return [level]
        mix, rest = level["mix"], {key: each for key, each in level.items() if key != "mix"}
        total = self._read_total((*path, "count"), level.get("count"))
        if not (counts := self._counts((*path, "mix"), mix, total)):
            return [rest]
        rows: list[Keys] = [
            {**rest, "difficulty": name, "count": str(count)} for name, count in counts.items()
        ]
        if "name" in level:
            names = [f"{level['name']}: {self._title(name)}" for name in counts]
            rows = [{**row, "name": name} for row, name in zip(rows, names, strict=True)]
            reason = "because their boards are of different kinds"
            self._notes.append(f"{level['name']} becomes the levels {listed(names)}, {reason}")
        return rows


def words_of_name(name: str) -> str:
    return re.sub("[_-]", " ", name[:1].upper() + name[1:])


def _has_counts(mix: object) -> bool:
    return isinstance(mix, Mapping) and all(str(each).isdecimal() for each in mix.values())


def _own_count(level: Keys) -> int:
    """Return the number of puzzles that a level sets by ``count`` or by its mix; 0 if it sets none."""
    counts: Any = {"count": level["count"]} if level.get("count") is not None else level.get("mix")
    return sum(map(int, counts.values())) if isinstance(counts, Mapping) and _has_counts(counts) else 0


def _has_size(keys: Keys) -> bool:
    # Boards from another file (`from`) have their own sizes. Boards with a mask (a mapping in `solids`) have
    # the size of the mask.
    return "size" in keys or "from" in keys or isinstance(keys.get("solids"), Mapping)


def _flow_text(value: object) -> str:
    """Format a value as YAML on a single line."""
    if isinstance(value, Mapping):
        parts = [f"{key}: {_flow_text(each)}" for key, each in value.items() if each is not None]
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow_text, value)) + "]"
    text = str(value)
    return text if re.fullmatch(r"[\w%.][\w %.-]*", text) else json.dumps(text, ensure_ascii=False)
