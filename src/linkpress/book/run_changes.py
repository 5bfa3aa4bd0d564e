"""Changes to a book's spec that options of the command line make for one run.

The options ``--set``, ``--seed``, ``--count`` and ``--difficulty`` change the YAML document in memory, after
it was read. The file itself stays as it is. ``RunChanges.with_values`` sets keys. ``RunChanges.with_levels``
changes the number and difficulty of the puzzles. It must run later, because keys such as ``mix`` are first
turned into levels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, TypeVar

from linkpress.book.mixes import apportion, count_parts, mix_of_text
from linkpress.documents.models import merge
from linkpress.documents.problem import InvalidError, KeyPath, Location, YamlSource
from linkpress.engine.recipe import counted
from linkpress.errors import Notify, UsageError, notify_nobody

_Place = TypeVar("_Place")


@dataclass(frozen=True)
class RunChanges:
    """Changes to a book's spec for one run, which leave the file as it is.

    Args:
        values: the keys to set and their new values, as ``book.spec.read_changes`` returns them.
        count: the new number of puzzles in the whole book. None to keep the number in the spec.
        difficulty: the new difficulty of all puzzles, such as ``hard``, or a number of puzzles for each
            difficulty, such as ``easy=10,hard=5``. None to keep the difficulties in the spec.
        notify: function that is called with a line of text about each change, to show it to the user.
    """

    values: Mapping[Any, Any] = field(default_factory=lambda: MappingProxyType({}))
    count: int | None = None
    difficulty: str | None = None
    notify: Notify = notify_nobody

    @property
    def has_other_puzzles(self) -> bool:
        return bool(self.count or self.difficulty or {"seed", "levels"} & self.values.keys())

    def with_values(self, source: YamlSource) -> YamlSource:
        """Return a copy of a YAML document in which the keys in ``values`` are set.

        Raises:
            UsageError: a key names an entry of a list, but the list is too short.
        """
        if not (self.values or self.count or self.difficulty):
            return source
        if "seed" in self.values:
            self.notify(f"for this run: seed {self.values['seed']} instead of {source.value.get('seed')}")
        summary = f"{dict(self.values)} {self.count} {self.difficulty}"
        text = None if source.text is None else f"{source.text}\n# changed for this run: {summary}\n"
        value, paths = merge(source.value, self.values), list(_paths_in(self.values))
        # Error messages say where a key was given. Keys that an option sets were given on the command line,
        # and so were new mappings around them. Mappings that are in the file keep their lines in the file.
        new_places = {
            path: _COMMAND_LINE for path, is_value in paths if is_value or path not in source.places
        }
        return replace(
            source,
            value=value,
            text=text,
            places={**source.places, **new_places},
            key_places={**source.key_places, **new_places},
            typed={path: typed for path, typed in source.typed.items() if path not in new_places},
        )

    def with_levels(self, source: YamlSource) -> YamlSource:
        """Return a copy of a YAML document with the number of puzzles and the difficulty changed.

        If a difficulty is chosen, only the levels that already have it are kept. If no level has it, new
        levels replace all others. If a number of puzzles is chosen, it is divided among the levels in the
        same proportions as in the spec.

        Raises:
            UsageError: the boards of a level come from a file, so their number and difficulty are fixed.
        """
        if self.count is None and self.difficulty is None:
            return source
        levels = _levels_with_counts(source)
        if not levels:
            return source  # the levels are missing or wrong, which is reported when the keys are checked
        total, old_levels = sum(int(level["count"]) for level in levels), levels
        places, key_places, typed = source.places, source.key_places, source.typed
        if self.difficulty is not None:
            levels = [level for level in levels if level.get("difficulty") == self.difficulty]
        if not levels:
            levels = self._new_levels(total)
            places, key_places = ({**each, ("levels",): _COMMAND_LINE} for each in (places, key_places))
        counts = [int(level["count"]) for level in levels]
        if self.count is not None:
            counts = apportion(self.count, counts)
        parts = [(level, str(count)) for level, count in zip(levels, counts, strict=True) if count]
        names = (f"{level.get('name') or level.get('difficulty')} {count}" for level, count in parts)
        self.notify(f"for this run: {counted(sum(counts), 'puzzle')} instead of {total} ({', '.join(names)})")
        if len(parts) < len(old_levels) or levels is not old_levels:
            # The levels have other indexes now, so messages about them give the place of the whole list.
            places, key_places = _without_levels(places), _without_levels(key_places)
            typed = _without_levels(typed)
        levels = [{**level, "count": count} for level, count in parts]
        value = {**source.value, "levels": levels}
        return replace(source, value=value, places=places, key_places=key_places, typed=typed)

    def _new_levels(self, total: int) -> list[dict[str, Any]]:
        text = self.difficulty or ""
        try:
            mix = mix_of_text(text)
            counts = count_parts(mix, total if "%" in text else None) if mix else {text: total}
        except InvalidError as error:
            raise UsageError(f"--difficulty {text}: {error}") from None
        return [{"name": name, "difficulty": name, "count": count} for name, count in counts.items()]


_COMMAND_LINE = Location(0, 0, "the command line")


def _paths_in(values: Mapping[Any, Any], path: KeyPath = ()) -> Iterator[tuple[KeyPath, bool]]:
    """Yield the path of every key in nested mappings.

    A path is the tuple of keys that lead to the key. It comes with a flag: True if the key has a plain value,
    and False if it has another mapping.
    """
    for key, value in values.items():
        is_mapping = isinstance(value, Mapping)
        yield (*path, key), not is_mapping
        if is_mapping:
            yield from _paths_in(value, (*path, key))


def _without_levels(places: Mapping[KeyPath, _Place]) -> dict[KeyPath, _Place]:
    return {path: place for path, place in places.items() if path[:1] != ("levels",) or len(path) == 1}


NO_CHANGES = RunChanges()


def _levels_with_counts(source: YamlSource) -> list[dict[str, Any]]:
    """Return the levels of a spec whose number of puzzles can be changed.

    The list is empty if the key ``levels`` is missing or has errors, which are reported elsewhere.

    Raises:
        UsageError: the boards of a level come from a file, so their number and difficulty are fixed.
    """
    levels = source.value.get("levels")
    if not isinstance(levels, list) or not all(isinstance(level, dict) for level in levels):
        return []
    for index, level in enumerate(levels):
        if "from" in level:
            raise UsageError(
                f"levels[{index}]: its boards come from {level['from']}, so --count and --difficulty can't "
                "change them. Leave these options out."
            )
    return levels if all(re.fullmatch("[0-9]{1,6}", str(level.get("count"))) for level in levels) else []
