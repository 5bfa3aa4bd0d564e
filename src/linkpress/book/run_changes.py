"""Changes to a book's spec for one run: other values of keys, another number of puzzles, another difficulty.

The YAML document is changed after it was read, so the file stays as it is. ``with_values`` sets keys.
``with_levels`` changes the levels, after all other steps that make levels of other keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from linkpress.book.mixes import apportion
from linkpress.documents.models import merge
from linkpress.documents.problem import KeyPath, Location, YamlSource
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import counted
from linkpress.errors import Notify, UsageError, notify_nobody

_Place = TypeVar("_Place")
# A difficulty with a number of puzzles, as in ``easy=10,hard=5``.
_MIX_PART = re.compile(rf"\b({'|'.join(Difficulty)})\b *[=: ] *([0-9]+)")


@dataclass(frozen=True)
class RunChanges:
    """Changes to a spec for one run.

    Args:
        values: other values of keys, as ``book.spec.read_changes`` returns them.
        count: the number of puzzles in the whole book; None to keep the spec's.
        difficulty: the difficulty of all puzzles, or a number for each, as ``easy=10,hard=5``; None to keep
            the spec's.
        notify: takes a line about each change.
    """

    values: Mapping[Any, Any] = field(default_factory=lambda: MappingProxyType({}))
    count: int | None = None
    difficulty: str | None = None
    notify: Notify = notify_nobody

    def with_values(self, source: YamlSource) -> YamlSource:
        """Return a document with the other values of keys.

        Raises:
            UsageError: a key names an entry that a list does not have.
        """
        if not (self.values or self.count or self.difficulty):
            return source
        if "seed" in self.values:
            self.notify(f"for this run: seed {self.values['seed']} instead of {source.value.get('seed')}")
        words = f"{dict(self.values)} {self.count} {self.difficulty}"
        text = None if source.text is None else f"{source.text}\n# changed for this run: {words}\n"
        value, paths = merge(source.value, self.values), list(_paths_in(self.values))
        # A new mapping around a changed value gets this place too, but one in the file keeps its own.
        new = {path: _HERE for path, is_value in paths if is_value or path not in source.places}
        return replace(
            source,
            value=value,
            text=text,
            places={**source.places, **new},
            key_places={**source.key_places, **new},
            typed={path: typed for path, typed in source.typed.items() if path not in new},
        )

    def with_levels(self, source: YamlSource) -> YamlSource:
        """Return a document with another number of puzzles or another difficulty.

        With a difficulty, the levels that have it already are kept. If there are none, a single level takes
        the place of all. The puzzles are divided among the levels as in the spec, by largest remainder.

        Raises:
            UsageError: a level has no number of puzzles, because its boards come from a file.
        """
        if self.count is None and self.difficulty is None:
            return source
        levels = _levels_with_counts(source)
        if not levels:
            return source  # the check of the keys reports it
        total = sum(int(level["count"]) for level in levels)
        kept: list[int | None] = list(range(len(levels)))
        if self.difficulty is not None:
            kept = [index for index, level in enumerate(levels) if level.get("difficulty") == self.difficulty]
            levels = [levels[index] for index in kept if index is not None]
        if not levels:
            mix = _MIX_PART.findall(self.difficulty or "") or [(self.difficulty, str(total))]
            if "%" in (self.difficulty or ""):
                counts = apportion(total, [int(share) for _, share in mix])
                mix = [(name, str(count)) for (name, _), count in zip(mix, counts, strict=True)]
            levels = [{"name": name, "difficulty": name, "count": count} for name, count in mix]
            kept = [None] * len(levels)
        counts = [int(level["count"]) for level in levels]
        if self.count is not None:
            counts = apportion(self.count, counts)
        names = (
            f"{level.get('name') or level.get('difficulty')} {count}"
            for level, count in zip(levels, counts, strict=True)
        )
        self.notify(f"for this run: {counted(sum(counts), 'puzzle')} instead of {total} ({', '.join(names)})")
        levels = [{**level, "count": str(count)} for level, count in zip(levels, counts, strict=True)]
        kept = [index for index, count in zip(kept, counts, strict=True) if count]
        return replace(
            source,
            value={**source.value, "levels": [level for level in levels if level["count"] != "0"]},
            places=_moved(source.places, kept, _HERE),
            key_places=_moved(source.key_places, kept, _HERE),
            typed=_moved(source.typed, kept, None),
        )


_HERE = Location(0, 0, "the command line")


def _paths_in(values: Mapping[Any, Any], path: KeyPath = ()) -> Iterator[tuple[KeyPath, bool]]:
    """Yield each key path in a mapping, and whether it has a value rather than a mapping."""
    for key, value in values.items():
        is_mapping = isinstance(value, Mapping)
        yield (*path, key), not is_mapping
        if is_mapping:
            yield from _paths_in(value, (*path, key))


def _moved(
    places: Mapping[KeyPath, _Place], kept: Sequence[int | None], new_place: _Place | None
) -> dict[KeyPath, _Place]:
    """Return the places of a document's keys after some levels were left out.

    Args:
        places: the places, by key path.
        kept: the old index of each level; None for a new one.
        new_place: the place of a new level; None to give it none.
    """
    moved = {path: place for path, place in places.items() if path[:1] != ("levels",) or len(path) == 1}
    for index, old in enumerate(kept):
        if old is not None:
            inner = {path[2:]: place for path, place in places.items() if path[:2] == ("levels", old)}
            moved |= {("levels", index, *path): place for path, place in inner.items()}
        elif new_place is not None:
            moved |= {("levels", index, *path): new_place for path in ((), ("difficulty",), ("count",))}
    return moved


NO_CHANGES = RunChanges()


def _levels_with_counts(source: YamlSource) -> list[dict[str, Any]]:
    """Return the levels of a document; none if they are not a list of levels with numbers of puzzles."""
    levels = source.value.get("levels")
    if not isinstance(levels, list) or not all(isinstance(level, dict) for level in levels):
        return []
    for index, level in enumerate(levels):
        if "from" in level:
            raise UsageError(
                f"levels[{index}]: its boards come from {level['from']}, so --count and --difficulty can't "
                "choose others. Leave these options out."
            )
    return levels if all(re.fullmatch("[0-9]{1,6}", str(level.get("count"))) for level in levels) else []
