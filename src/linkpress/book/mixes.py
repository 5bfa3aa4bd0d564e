"""Turn the keys ``puzzles``, ``mix`` and ``difficulties`` of a spec into ordinary levels or weekdays.

A *mix* says which part of the puzzles has which difficulty. ``difficulties`` says what the names in a mix or
in a level mean: the size of the boards, their paths, their solid squares and so on. This step at loading
works on the YAML document and writes out the levels that these keys stand for. It remembers where the user
wrote each value, so that messages name that place.
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

from linkpress.book.key_values import DIFFICULTY, MAX_PUZZLES, SIZES
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
from linkpress.documents.values import ValueReader, percent_text, read_percent, scalar_text, whole_number
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import counted
from linkpress.errors import UsageError

MIX_WORDS = '`{easy: 50%, hard: 50%}`, `{easy: 60, hard: 60}` or a ratio as `"3:2:1"`'
DIFFICULTIES_WORDS = (
    "names with their keys, as `{gentle: {size: 6, paths: 5}}`, or the name or file of a set: "
)
DIFFICULTIES_WORDS += ", ".join(DIFFICULTY_SETS.names())
_DEFAULT_MIX = {"easy": "50%", "medium": "30%", "hard": "20%"}
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MIX_KEYS = ("puzzles", "mix", "difficulties", "size")
"""The keys at the top of a spec that are written out as levels or as a week."""
_LEVEL_ONLY = {"count", "name", "title", "per_page"}  # keys of a difficulty that a weekday leaves out
_STAND_IN = {"name": "1", "count": "1", "size": "7"}  # level to use if the mix has problems


Keys = Mapping[str, Any]


def apportion(total: int, weights: Iterable[Fraction | int]) -> list[int]:
    """Divide puzzles by weights into whole numbers that add up to ``total``.

    This is the method of the largest remainder. Of two equal remainders, the earlier one is rounded up.
    """
    exact_weights = [Fraction(weight) for weight in weights]
    exact = [total * weight / sum(exact_weights) for weight in exact_weights]
    counts = [math.floor(each) for each in exact]
    by_remainder = sorted(range(len(exact)), key=lambda index: counts[index] - exact[index])
    for index in by_remainder[: total - sum(counts)]:
        counts[index] += 1
    return counts


def count_parts(mix: object, total: int | None, own_names: Iterable[str] = ()) -> dict[str, int]:
    """Return the number of puzzles for each name in a mix, the easiest first.

    Args:
        mix: the value of the key: names with shares or counts, or a ratio.
        total: the number of puzzles; None if the counts of the mix decide it.
        own_names: the names that the spec defines, from easy to hard. A ratio gives the parts of these names;
            without them, of easy, medium, hard and so on.
    Raises:
        InvalidError: the mix can't be read, doesn't add up, or has a part that gets no puzzle.
    """
    names = list(own_names)
    parts = _read_parts(mix, names) if isinstance(mix, Mapping) else _read_ratio(mix, names)
    whole = sum(parts.values())
    if isinstance(mix, Mapping) and all(isinstance(each, int) for each in parts.values()):
        if total not in (None, whole):
            ratio = ":".join(str(each) for each in parts.values())
            message = f'the counts must add up to {total} puzzles; if you meant a ratio, write "{ratio}"'
            raise invalid(f"{whole} in all", message)
        return {name: int(count) for name, count in parts.items()}
    if isinstance(mix, Mapping) and whole != 1:
        raise invalid(f"{percent_text(Fraction(whole))} in all", "the shares must add up to 100%")
    if total is None:
        raise invalid("", "give the number of puzzles too: `puzzles` for a book, `count` for a level")
    counts = dict(zip(parts, apportion(total, parts.values()), strict=True))
    message = f"it rounds to none of {counted(total, 'puzzle')}; raise it, or leave it out"
    if empty := [name for name, count in counts.items() if not count]:
        given = mix if isinstance(mix, Mapping) else {}
        raise InvalidError(*(Problem(str(given.get(name, name)), message, (name,)) for name in empty))
    return counts


def _read_parts(mix: Keys, own_names: Sequence[str]) -> dict[str, Fraction | int]:
    parts: dict[str, Fraction | int] = {}
    problems = []
    for name, value in mix.items():
        try:
            _check_name(name, own_names)
            text = scalar_text(value, "a share as 50%, or a number of puzzles")
            is_fraction = re.fullmatch("[1-9][0-9]{0,3}/[1-9][0-9]{0,3}", text)
            is_count = re.fullmatch("[1-9][0-9]{0,3}", text)
            parts[name] = Fraction(text) if is_fraction else int(text) if is_count else read_percent(text)
        except InvalidError as error:
            problems += [problem.below(name) for problem in error.problems]
    if len({isinstance(each, int) for each in parts.values()}) > 1:
        problems.append(Problem("", "write a share for each part, or a count for each"))
    if problems or not parts:
        raise InvalidError(*(problems or [Problem("nothing", f"{MIX_WORDS}, is needed")]))
    return dict(sorted(parts.items(), key=lambda part: _order(part[0], own_names)))


def _read_ratio(mix: object, own_names: Sequence[str]) -> dict[str, Fraction | int]:
    names = own_names or [each.value for each in Difficulty]
    text = scalar_text(mix, MIX_WORDS)
    if not re.fullmatch("[1-9][0-9]{0,3}( ?: ?[1-9][0-9]{0,3})+", text):
        raise invalid(printable(text), f"{MIX_WORDS}, is allowed")
    weights = text.split(":")
    if len(weights) > len(names):
        raise invalid(text, f"it has {len(weights)} numbers; there are only {listed(names)}")
    return dict(zip(names, map(Fraction, weights), strict=False))


def _check_name(name: str, own_names: Iterable[str]) -> None:
    if name not in own_names:
        try:
            DIFFICULTY.read(name)
        except InvalidError:
            known = listed([*own_names, *Difficulty], "or")
            raise invalid(printable(name), f"there is no such difficulty; {known} is allowed") from None


def _order(name: str, own_names: Sequence[str]) -> tuple[int, int]:
    """Return the sort key of a name: the spec's own names come in their order, all others by the scale."""
    if name in own_names and not set(Difficulty).issuperset(own_names):
        return 0, own_names.index(name)
    return 1, DIFFICULTY.read(name).low


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
"""Readers of keys that are written out before a model is read. They only describe the keys."""


def without_mix(keys: Any, expand: Callable[[YamlSource], tuple[YamlSource, list[Problem]]]) -> Any:
    """Write out the mixes in the keys of a spec that a script makes.

    Args:
        keys: the keys; anything but a mapping is returned as it is.
        expand: ``expand_mix`` for a book, ``expand_week`` for a feed.
    Raises:
        InvalidError: lists every problem.
    """
    if not isinstance(keys, Mapping):
        return keys
    source, problems = expand(YamlSource("", dict(keys), {}, {}))
    if problems:
        raise InvalidError(*problems)
    return with_level_names(source).value


def mix_problems(spec: BaseModel) -> Iterator[Problem]:
    """Yield a problem for each of these keys in changes to a finished book, whose levels are written out."""
    for key in ("puzzles", "mix", "difficulties"):
        if getattr(spec, key, None) is not None:
            yield Problem("", "the levels of this book are written out; change them in `levels`", (key,))


def expand_mix(source: YamlSource) -> tuple[YamlSource, list[Problem]]:
    """Write out the levels of a book for its keys ``puzzles``, ``mix``, ``difficulties`` and ``size``.

    Args:
        source: the document of the spec.
    Returns:
        The document without these keys, and the problems. Levels have the keys of the difficulty that they
        name, and no ``mix``.
    """
    base = source.base and expand_mix(source.base)[0]
    return _Expansion(dataclasses.replace(source, base=base)).expand_book()


def with_level_names(source: YamlSource) -> YamlSource:
    """Return a book's document in which each level has a name: its title, its difficulty, or its size."""
    levels = source.value.get("levels")
    if not isinstance(levels, (list, tuple)) or not all(isinstance(level, Mapping) for level in levels):
        return source
    used, named = {str(level.get("name")) for level in levels}, []
    for level in levels:
        name = level.get("title") or level.get("difficulty") or _size_name(level.get("size"))
        if level.get("name") is None and isinstance(name, str):
            level = {**level, "name": _unique(name, used)}
        named.append(level)
    return dataclasses.replace(source, value={**source.value, "levels": named})


def _size_name(value: object) -> str | None:
    """Write the sizes of a level's boards as its name, such as ``7 × 7``; None if they can't be read."""
    try:
        sizes = SIZES.read(value)
    except InvalidError:
        return None  # it is reported when the key is read
    return ", ".join(f"{size.cols} × {size.rows}" for size in sizes)


def _unique(name: str, used: set[str]) -> str:
    """Return a name that is not used yet, such as ``easy 2``, and add it to the used ones."""
    names = itertools.chain([name], (f"{name} {number}" for number in itertools.count(2)))
    name = next(each for each in names if each not in used)
    used.add(name)
    return name


def expand_week(source: YamlSource) -> tuple[YamlSource, list[Problem]]:
    """Write out the week of a feed for its keys ``mix``, ``difficulties`` and ``size``, as ``expand_mix``."""
    base = source.base and expand_week(source.base)[0]
    return _Expansion(dataclasses.replace(source, base=base)).expand_feed()


class _Expansion:
    """Expansion of one document. It collects problems, notes, and where the user wrote each value."""

    def __init__(self, source: YamlSource) -> None:
        self._typed = dict(source.typed)
        self._places = dict(source.places)
        self._source = dataclasses.replace(source, typed=self._typed, places=self._places)
        self._keys = {key: source.value[key] for key in MIX_KEYS if source.value.get(key) is not None}
        self._definitions: dict[str, Keys] = {}
        self._names: set[str] = set()
        self._problems: list[Problem] = []
        self._notes: list[str] = []

    def expand_book(self) -> tuple[YamlSource, list[Problem]]:
        levels: Any = self._source.value.get("levels")
        total = self._read_total(("puzzles",), self._keys.get("puzzles"))
        self._define()
        from_mix = levels is None and bool(self._keys.keys() - {"size"})
        if levels is not None:
            self._refuse_mix_beside("levels")
        if self._problems and self._keys:
            return self._result("levels", [_STAND_IN]), self._problems
        if from_mix:
            levels = self._levels_of_mix(total)
        if not isinstance(levels, (list, tuple)) or not all(isinstance(each, Mapping) for each in levels):
            return self._result("levels", levels), self._problems
        self._names = {str(level["name"]) for level in levels if "name" in level}
        levels = [self._with_definition(("levels", index), level) for index, level in enumerate(levels)]
        levels = self._with_counts(levels, None if from_mix else total)
        levels = [self._with_level_mix(("levels", index), level) for index, level in enumerate(levels)]
        if from_mix:
            self._notes += [f"  - {_flow_text(level)}" for level in levels]
        return self._result("levels", levels), self._problems

    def expand_feed(self) -> tuple[YamlSource, list[Problem]]:
        week: Any = self._source.value.get("week")
        self._define()
        if week is not None:
            self._refuse_mix_beside("week")
        elif "mix" in self._keys and not self._problems:
            week = self._week_of_mix()
        if isinstance(week, Mapping):
            week = {day: self._with_definition(("week", day), keys) for day, keys in week.items()}
        return self._result("week", week), self._problems

    def _result(self, key: str, recipes: object) -> YamlSource:
        value = {name: each for name, each in self._source.value.items() if name not in MIX_KEYS}
        if recipes is not None:
            value[key] = recipes
        return dataclasses.replace(self._source, value=value, notes=(*self._source.notes, *self._notes))

    def _add(self, path: KeyPath, error: InvalidError) -> None:
        for each in error.problems:
            self._problems.append(self._source.problem((*path, *each.key), each.found, each.message))

    def _refuse_mix_beside(self, key: str) -> None:
        if self._keys.pop("mix", None) is not None:
            self._add(("mix",), invalid("", f"the file has `{key}` too; leave one of the two out"))

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
            self._add(("difficulties",), invalid(printable(str(value)), f"{DIFFICULTIES_WORDS}, is allowed"))
            return
        for name, keys in (value or {}).items():
            if isinstance(keys, Mapping):
                self._definitions[name] = keys
            else:
                error = invalid(printable(str(keys)), "keys of a level, as {size: 6, paths: 5}, are needed")
                self._add(("difficulties", name), error)

    def _load_set(self, name: str) -> Keys | None:
        """Load a shipped set of difficulties, or a file of the user, with titles in the spec's language."""
        from linkpress.documents.yaml_source import read_yaml  # late: a spec of a script has no file

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
        """Return the keys of a level or weekday with those of the difficulty that it names."""
        name = keys.get("difficulty") if isinstance(keys, Mapping) else None
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
            # A level of one of the scale's difficulties gets its name in the language of the book.
            if path[0] == "levels" and "name" not in keys and keys.get("difficulty") != name:
                own_name = re.sub("[_-]", " ", name[:1].upper() + name[1:])
                keys = {"name": _unique(own_name, self._names), **keys}
                self._typed[*path, "name"] = ("difficulties", name)
        if isinstance(keys, Mapping) and "size" in self._keys and not _has_size(keys):
            keys = {**keys, "size": self._keys["size"]}
            self._typed[*path, "size"] = ("size",)
        return keys

    # Mixes

    def _levels_of_mix(self, total: int | None) -> list[Keys]:
        path = next((key,) for key in ("mix", "difficulties", "puzzles") if key in self._keys)
        equal = {name: f"1/{len(self._definitions)}" for name in self._definitions}
        self._keys.setdefault("mix", equal or _DEFAULT_MIX)
        parts = self._parts(path, total)
        self._typed |= {("levels", index): (*path, name) for index, name in enumerate(parts)}
        self._typed |= {("levels", index, "count"): (*path, name) for index, name in enumerate(parts)}
        return [{"difficulty": name, "count": str(count)} for name, count in parts.items()] or [_STAND_IN]

    def _week_of_mix(self) -> dict[str, Keys]:
        parts = self._parts(("mix",), None if _has_counts(self._keys["mix"]) else len(WEEKDAYS))
        names = [name for name, count in parts.items() for _ in range(count)]
        if len(names) > len(WEEKDAYS):
            self._add(("mix",), invalid(f"{len(names)} in all", "a week has 7 days, with one puzzle each"))
        week = dict(zip(WEEKDAYS, names or [Difficulty.EASY.value], strict=False))
        self._typed |= {("week", day): ("mix", name) for day, name in week.items()}
        return {day: {"difficulty": name} for day, name in week.items()}

    def _parts(self, path: KeyPath, total: int | None) -> dict[str, int]:
        """Return the parts of the mix at the top, and note them; no parts if the mix has a problem."""
        mix = self._keys["mix"]
        try:
            counts = count_parts(mix, total, self._definitions)
        except InvalidError as error:
            self._add(path, error)
            return {}
        self._note("mix", mix, counts)
        return counts

    def _note(self, name: str, mix: object, counts: Mapping[str, int]) -> None:
        given = {part: str(each) for part, each in mix.items()} if isinstance(mix, Mapping) else {}
        shares = {part: f" ({share})" for part, share in given.items() if share.endswith("%")}
        parts = [f"{part} {count}{shares.get(part, '')}" for part, count in counts.items()]
        self._notes.append(f"{name} of {counted(sum(counts.values()), 'puzzle')}: {', '.join(parts)}")

    def _with_counts(self, levels: list[Keys], total: int | None) -> list[Keys]:
        """Return levels with their numbers of puzzles.

        A level without a count gets an equal part of the puzzles that the other levels leave of ``total``.
        """
        if total is None:
            return levels
        open_levels = [index for index, level in enumerate(levels) if not _own_count(level)]
        rest = total - sum(map(_own_count, levels))
        if rest < len(open_levels) or (rest and not open_levels):
            message = f"the levels have {total - rest} in all; write that, or change the levels"
            self._add(("puzzles",), invalid(str(total), message))
            return [{"count": "1", **level} for level in levels]
        for index, count in zip(open_levels, apportion(rest, [1] * len(open_levels)), strict=True):
            levels[index] = {**levels[index], "count": str(count)}
        return levels

    def _with_level_mix(self, path: KeyPath, level: Keys) -> Keys:
        """Return a level whose ``mix`` is replaced by a count for each difficulty."""
        mix, rest = level.get("mix"), {key: each for key, each in level.items() if key != "mix"}
        if mix is None:
            return level
        if level.get("difficulty") is not None:
            self._add((*path, "mix"), invalid("", "the level has `difficulty` too; leave one of the two out"))
            return rest
        try:
            total = self._read_total((*path, "count"), level.get("count"))
            counts = count_parts(mix, total, self._definitions)
            difficulty = {self._plain_difficulty(name): str(count) for name, count in counts.items()}
        except InvalidError as error:
            self._add((*path, "mix"), error)
            return rest
        self._note(key_text((*path, "mix")), mix, counts)
        self._typed[*path, "difficulty"] = (*path, "mix")
        return {**rest, "count": str(sum(counts.values())), "difficulty": difficulty}

    def _plain_difficulty(self, name: str) -> str:
        """Return the difficulty of a part of a level; raise ``InvalidError`` if the part has other boards."""
        keys = self._definitions.get(name, {"difficulty": name})
        if keys.keys() != {"difficulty"}:
            message = "it has boards of its own, so it needs a level of its own"
            raise InvalidError(Problem(name, message, (name,)))
        return str(keys["difficulty"])


def _has_counts(mix: object) -> bool:
    return isinstance(mix, Mapping) and all(str(each).isdecimal() for each in mix.values())


def _own_count(level: Keys) -> int:
    """Return the number of puzzles that a level itself gives; 0 if it gives none."""
    counts: Any = {"count": level["count"]} if level.get("count") is not None else level.get("mix")
    return sum(map(int, counts.values())) if isinstance(counts, Mapping) and _has_counts(counts) else 0


def _has_size(keys: Keys) -> bool:
    return "size" in keys or "from" in keys or isinstance(keys.get("solids"), Mapping)  # a mask has a size


def _flow_text(value: object) -> str:
    """Write a value as YAML on one line."""
    if isinstance(value, Mapping):
        parts = [f"{key}: {_flow_text(each)}" for key, each in value.items() if each is not None]
        return "{" + ", ".join(parts) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_flow_text, value)) + "]"
    text = str(value)
    return text if re.fullmatch(r"[\w%.][\w %.-]*", text) else json.dumps(text, ensure_ascii=False)
