"""Changes to a book's spec for one run: other values of keys, another number of puzzles, another difficulty.

The YAML document is changed after it was read, so the file stays as it is. ``with_values`` sets keys.
``with_levels`` changes the levels, after all other steps that make levels of other keys.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

from linkpress.book.mixes import apportion
from linkpress.documents.models import merge
from linkpress.documents.problem import Problem, YamlSource
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import counted
from linkpress.errors import Notify, UsageError, notify_nobody

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
        return replace(source, value=merge(source.value, self.values), text=text)

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
        if self.difficulty is not None and (mix := _MIX_PART.findall(self.difficulty)):
            levels = [{"name": name, "difficulty": name, "count": count} for name, count in mix]
        elif self.difficulty is not None:
            levels = [level for level in levels if level.get("difficulty") == self.difficulty]
            levels = levels or [{"name": self.difficulty, "difficulty": self.difficulty, "count": total}]
        counts = [int(level["count"]) for level in levels]
        if self.count is not None:
            counts = apportion(self.count, counts)
        levels = [
            {**level, "count": str(count)} for level, count in zip(levels, counts, strict=True) if count
        ]
        names = (f"{level.get('name') or level.get('difficulty')} {level['count']}" for level in levels)
        puzzles = counted(sum(counts), "puzzle")
        self.notify(f"for this run: {puzzles} instead of {total} ({', '.join(names)})")
        return replace(source, value={**source.value, "levels": levels})

    def placed(self, problem: Problem) -> Problem:
        """Return a problem at its place, which is the command line if its value was given there."""
        changed: Any = self.values
        if self.difficulty is not None and problem.key[2:] == ("difficulty",):
            return replace(problem, file="the command line", line=0)
        for step in problem.key:
            if not isinstance(changed, Mapping):
                break
            if step not in changed:
                return problem
            changed = changed[step]
        return replace(problem, file="the command line", line=0) if self.values else problem


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
