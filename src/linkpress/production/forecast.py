"""A forecast says what the slots of a run are likely to take, keeps it up to date, and what would help.

Figures come from the shipped table of odds first, then from the slots that are done.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import NoReturn

from linkpress.book.grade_odds import LIKELY, Odds, Outlook, nearest_likely_keys, outlook
from linkpress.book.level import MOST_EFFORT, IfGradeMissing
from linkpress.book.plan import Slot
from linkpress.documents.problem import MAX_SHOWN
from linkpress.engine.recipe import Recipe, counted
from linkpress.errors import CheckFailedError, GaveUpError, GradeError, LinkpressError, Notify, RecipeError
from linkpress.production.slot_search import FinishedSlot
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import fingerprint

# What the table's figure weighs against those of slots that are done, in slots.
_TABLE_WEIGHT = 3
_CERTAIN = 0.995

Group = tuple[str, Recipe]


def group_of(slot: Slot) -> Group:
    """Return the level and recipe, by which slots are alike to a forecast."""
    return slot.level, slot.recipe


@dataclass
class _Pace:
    """A pace tells of slots that are alike what one takes, how many are to come, and what was measured."""

    expected_s: float | None
    left: int = 0
    done: int = 0
    spent_s: float = 0.0


@dataclass
class Forecast:
    """A forecast tells how long a run still takes, by how many are made at a time, which may change."""

    total: int
    jobs: int = 1
    table: Sequence[Odds] = ()
    jobs_now: Callable[[], int] | None = None
    _paces: dict[Group, _Pace] = field(default_factory=dict)
    _open: dict[int, Slot] = field(default_factory=dict)
    _done: set[int] = field(default_factory=set)

    @property
    def done(self) -> int:
        """Return the number of slots that have a puzzle."""
        return len(self._done)

    @property
    def at_a_time(self) -> int:
        """Return the number of puzzles that are made at a time now, 1 or more."""
        return self.jobs if self.jobs_now is None else max(1, self.jobs_now())

    def expect(self, slots: Iterable[Slot]) -> None:
        """Note that slots are to be made, in this order."""
        for slot in slots:
            group = group_of(slot)
            if group not in self._paces:
                known = outlook(slot, self.table)
                self._paces[group] = _Pace(known.each_s if known else None)
            self._paces[group].left += 1
            self._open[slot.number] = slot

    def made(self, finished: FinishedSlot) -> None:
        """Note that a slot has a puzzle, now or from an earlier run."""
        pace = self._paces[group_of(finished.slot)]
        pace.done += 1
        pace.spent_s += finished.seconds_s
        self._done.add(finished.slot.number)
        self.leave(finished.slot)

    def again(self, slot: Slot) -> None:
        """Note that a slot's puzzle can't be had, and another is made."""
        self._done.discard(slot.number)
        self.expect([slot])

    def leave(self, slot: Slot) -> None:
        """Note that a slot is not waited for any more."""
        if self._open.pop(slot.number, None) is not None:
            self._paces[group_of(slot)].left -= 1

    @property
    def left_s(self) -> float | None:
        """Return the seconds until all slots are made; None where nothing is known of it."""
        waiting = [pace for pace in self._paces.values() if pace.left]
        known = [(pace.expected_s, pace) for pace in self._paces.values() if pace.expected_s and pace.done]
        table_s = sum(expected_s * pace.done for expected_s, pace in known)
        speed = sum(pace.spent_s for _, pace in known) / table_s if table_s else 1.0
        total_s = 0.0
        for pace in waiting:
            weight = _TABLE_WEIGHT if pace.expected_s is not None else 0
            if not weight + pace.done:
                return None
            total_s += (
                pace.left * (weight * speed * (pace.expected_s or 0) + pace.spent_s) / (weight + pace.done)
            )
        return total_s / max(1, min(self.at_a_time, sum(pace.left for pace in waiting)))

    def __str__(self) -> str:
        """Return the first slot waited for, and the time left: ``puzzle 3 of level A; about 2 min left``."""
        if not self._open:
            return ""
        slot, left_s = self._open[min(self._open)], self.left_s
        return str(slot) if left_s is None else f"{slot}; {duration(left_s)} left"


@dataclass(frozen=True, slots=True)
class LevelOutlook:
    """An outlook tells how the making of a level is likely to go.

    Args:
        words: its puzzles, what they must be, how likely that is met, and how long it takes.
        each: the slots of each recipe in it.
        time_s: the seconds of one core until all are made, if known.
        poor: the recipes that are not likely to be met: the first slot of each, and how many there are.
    """

    level: str
    words: str
    each: tuple[tuple[Slot, ...], ...]
    time_s: float | None
    poor: tuple[tuple[Slot, int], ...]


def level_outlooks(slots: Iterable[Slot], table: Sequence[Odds], jobs: int = 1) -> Iterator[LevelOutlook]:
    """Yield what is to be expected of each level of slots that come level by level."""
    for level, group in groupby(slots, key=lambda slot: slot.level):
        of_level = list(group)
        by_recipe: dict[Recipe, list[Slot]] = {}
        for slot in of_level:
            by_recipe.setdefault(slot.recipe, []).append(slot)
        each = tuple(tuple(alike) for alike in by_recipe.values())
        asked = [_recipe_words(alike, table, jobs) for alike in each]
        if len(each) > 1:
            asked = [f"{len(alike)} of {words}" for alike, words in zip(each, asked, strict=True)]
        if of_level[0].given:
            asked = [f"from {of_level[0].seed.rpartition('/')[0]}, {of_level[0].recipe.rule.value}"]
        known = [(outlook(alike[0], table), len(alike)) for alike in each]
        times_s = [count * own.each_s for own, count in known if own is not None and own.is_known]
        time_s = sum(times_s) if len(times_s) == len(each) else None
        poor = tuple((alike[0], len(alike)) for alike in each if _is_poor(alike, table))
        words = f"{counted(len(of_level), 'puzzle')}; {'; '.join(asked)}"
        yield LevelOutlook(level, words, each, time_s, poor)


def outlook_lines(slots: Iterable[Slot], table: Sequence[Odds], jobs: int = 1) -> Iterator[str]:
    """Write a line for each level, and one more on a recipe that is not likely to be met, with what helps."""
    for level in level_outlooks(slots, table, jobs):
        yield f"{level.level}: {level.words}"
        yield from (f"  {_board(slot)}: {advice(slot, count, table)}" for slot, count in level.poor)


def ways_out(slot: Slot, count: int, table: Sequence[Odds]) -> list[dict[str, str]]:
    """Return the changes of keys of which each would help so many puzzles like a slot's to its grade."""
    known = outlook(slot, table)
    needed = known.effort_for(count, slot.effort) if known else 10 * slot.effort
    effort = needed and min(MOST_EFFORT, max(needed, 2 * slot.effort))
    ways = [nearest_likely_keys(slot, count, table)]
    if effort and effort > slot.effort:
        ways.append({"effort": f"{effort:g}"})
    if slot.otherwise is IfGradeMissing.FAIL:
        ways.append({"otherwise": IfGradeMissing.NEAREST.value})
    return [way for way in ways if way]


def advice(slot: Slot, count: int, table: Sequence[Odds]) -> str:
    """Say in a sentence what would help a slot to a puzzle of its grade, as ``ways_out`` finds it."""
    ways = []
    for keys in ways_out(slot, count, table):
        written = " and ".join(f"`{key}: {value}`" for key, value in keys.items())
        ways.append(f"{written}, which prints the nearest" if "otherwise" in keys else written)
    return f"To have all of them, write {', or '.join(ways)}."


def duration(seconds: float) -> str:
    """Write a time in words, as exactly as it is known: ``about 3 min``."""
    for unit_s, most_s, unit in ((1, 90, "s"), (60, 5400, "min"), (3600, 129_600, "h")):
        if seconds < most_s:
            return f"about {seconds / unit_s:.0f} {unit}" if seconds >= 0.5 else "under 1 s"
    return f"about {seconds / 86_400:.0f} days"


def _recipe_words(alike: Sequence[Slot], table: Sequence[Odds], jobs: int) -> str:
    recipe, known = alike[0].recipe, outlook(alike[0], table)
    solids = "any solids" if recipe.solids is None else counted(recipe.solids, "solid")
    asked = f"{_board(alike[0])}, {paths_words(recipe)}, {solids}, {recipe.rule.value}"
    if recipe.difficulty:
        asked += f", {recipe.difficulty}"
    if known is None:
        return f"{asked} ({'how likely and ' * bool(recipe.difficulty)}how long is not known)"
    facts = [] if known.share is None else [_share_words(known.share)]
    if known.trial is not None:
        facts.append(f"a trial made {known.trial.tried or 'none'} in {duration(known.trial.tried_s)}")
        if not known.is_known:
            return f"{asked} ({facts[0]}, so that nobody knows whether it can be met)"
    if known.search_s:
        facts.append(_chance_words(known, alike))
    jobs = min(jobs, len(alike))
    cores = "1 core" if jobs == 1 else f"{jobs} cores"
    facts.append(f"{duration(len(alike) * known.each_s / jobs)} on {cores}")
    return f"{asked} ({', '.join(facts)})"


def paths_words(recipe: Recipe) -> str:
    """Write how many paths a recipe asks for."""
    return "any number of paths" if recipe.pairs is None else counted(recipe.pairs, "path")


def _board(slot: Slot) -> str:
    return f"{slot.recipe.cols} x {slot.recipe.rows}"


def _share_words(share: float) -> str:
    if not share:
        return "hardly any of such boards"
    return f"{100 * share:{'.0f' if share >= 0.1 else '.2g'}} % of such boards"


def _chance_words(known: Outlook, alike: Sequence[Slot]) -> str:
    chance, missed = known.chance(len(alike)), round(known.failure_chance * len(alike))
    if chance >= _CERTAIN:
        return "sure to be met"
    if alike[0].otherwise is IfGradeMissing.NEAREST and missed:
        return f"about {missed} of them will be the nearest instead"
    return f"{100 * chance:.0f} % likely to be met" if chance >= 1 - _CERTAIN else "not likely to be met"


def _is_poor(alike: Sequence[Slot], table: Sequence[Odds]) -> bool:
    known = outlook(alike[0], table)
    failing = alike[0].otherwise is IfGradeMissing.FAIL and alike[0].given is None
    return failing and known is not None and known.chance(len(alike)) < LIKELY


def refuse_boards(slots: Sequence[Slot], missed: Mapping[int, LinkpressError | None]) -> NoReturn:
    """Say why each board from a file that was refused, by its slot's index, will not do.

    Raises:
        CheckFailedError: one line a board; after ``MAX_SHOWN`` of them only their number.
        GaveUpError: the same, where proofs that were given up are all that stands against them.
    """
    lines = [f"{slots[index]}: {missed[index]}" for index in sorted(missed)[:MAX_SHOWN]]
    if len(missed) > MAX_SHOWN:
        lines.append(f"… and {len(missed) - MAX_SHOWN} more")
    gave_up = all(isinstance(fault, GaveUpError) for fault in missed.values())
    kind = GaveUpError if gave_up else CheckFailedError
    listed = "\n".join(lines)
    raise kind(
        f"{len(missed)} of {len(slots)} boards from files can't be printed. Nothing was written.\n{listed}"
    )


def unmet_message(
    slots: Sequence[Slot],
    missed: Mapping[int, LinkpressError | None],
    table: Sequence[Odds],
    kept: str | None,
) -> str:
    """Name the first slot of each recipe that is not met, how many more there are, and what would help.

    Args:
        slots: all that were to be filled.
        missed: each fault by its slot's index; None for a slot that was left out.
        kept: what the journal keeps, as a sentence; None where there is none. Then only the first slot is
            named: how many more were begun depends on the workers.
    """
    first: dict[Group, int] = {}
    for index in sorted(missed):
        if missed[index] is not None:
            first.setdefault(group_of(slots[index]), index)
    lines = []
    for group, index in list(first.items())[: 1 if kept is None else MAX_SHOWN]:
        sentences = [str(missed[index])]
        alike = sum(group_of(slots[other]) == group for other in missed) - 1
        if alike and kept is not None:
            sentences.append(f"{alike} more like it {'are' if alike > 1 else 'is'} not made either.")
        if isinstance(missed[index], GradeError):
            count = sum(group_of(slot) == group for slot in slots)
            sentences.append(advice(slots[index], count, table))
        lines.append(" ".join(sentences))
    if kept is not None and len(first) > MAX_SHOWN:
        lines.append(f"… and {len(first) - MAX_SHOWN} more")
    if kept:
        lines.append(kept)
    return "\n".join(lines)


# Of boards up to so many squares, so many puzzles of one recipe may be more than there are: of 5 x 5 with 4
# paths, 27,425 boards were 3,028 different ones. The last of them come up seldom.
_SMALL, _MANY, _LIKELY_HAD = 36, 300, 0.8
# The units of work that the trial of a recipe takes, about two seconds; the puzzles that are enough; and the
# recipes of a book that are tried.
TRIAL_WORK, _ENOUGH, _MOST_RECIPES = 5_000_000, 20, 6
_TICK_S = 1 / 64  # by which processor times grow on Windows; small boards take less


def tried_odds(slots: Iterable[Slot], table: Sequence[Odds], notify: Notify) -> list[Odds]:
    """Try out recipes of which nothing is known for some seconds; return what was found as a table's rows."""
    unknown = [alike[0] for alike in _alike(slots) if outlook(alike[0], table) is None]
    found = []
    for slot in unknown[:_MOST_RECIPES]:
        asked = f", {slot.recipe.difficulty}" * bool(slot.recipe.difficulty)
        notify(f"trying {slot.recipe.board}, {paths_words(slot.recipe)}{asked}")
        found.append(_try(slot))
    return found


def _alike(slots: Iterable[Slot]) -> Iterable[list[Slot]]:
    """Return the slots whose boards are to be made, by recipe and method."""
    alike: dict[tuple[Recipe, str], list[Slot]] = {}
    for slot in slots:
        if slot.given is None:
            alike.setdefault((slot.recipe, slot.method), []).append(slot)
    return alike.values()


def scarce_boards(slots: Iterable[Slot], notify: Notify) -> Iterator[str]:
    """Yield a line for each recipe of small boards that has hardly as many different ones as are asked for.

    Args:
        notify: takes a line before boards are made to see how often they repeat.
    Source:
        Chao, Nonparametric Estimation of the Number of Classes in a Population (1984).
    """
    for alike in _alike(slots):
        recipe = alike[0].recipe
        if len(alike) < _MANY or recipe.rows * recipe.cols > _SMALL:
            continue
        named = f"{recipe.board}, {paths_words(recipe)}"
        notify(f"trying {named}, for how many different boards there are")
        times = Counter(fingerprint(puzzle) for puzzle, _ in _tries(alike[0]) if puzzle is not None)
        often = Counter(times.values())
        different = len(times) + often[1] ** 2 / (2 * max(1, often[2]))
        if len(alike) > _LIKELY_HAD * different:
            digits = 10 ** max(0, len(str(round(different))) - 2)
            about = f"{round(different / digits) * digits:,}"
            yield (
                f"{named}: this recipe has about {about} different boards, and {len(alike):,} are asked for. "
                "Ask for fewer puzzles, a larger board or a wider range of paths or solids."
            )


def _try(slot: Slot) -> Odds:
    made, spent, begun = 0, 0, time.process_time()
    for puzzle, work in _tries(slot):
        made, spent = made + (puzzle is not None), work
        if made == _ENOUGH:
            break
    took_s, recipe = max(time.process_time() - begun, _TICK_S), slot.recipe
    return Odds(recipe, slot.method, made / took_s, took_s * recipe.usual_work / spent, (), made, took_s)


def _tries(slot: Slot) -> Iterator[tuple[Puzzle | None, int]]:
    """Yield board after board of a slot's recipe, None where none was found, and the work spent so far."""
    from linkpress.engine.make.generate import AttemptLog, generate, watching_attempts

    spent, tries = 0, 0
    logs: list[AttemptLog] = []
    with watching_attempts(logs.append):
        while spent < TRIAL_WORK:
            tries, seed, left = tries + 1, f"{slot.seed}/trial {tries + 1}", TRIAL_WORK - spent
            try:
                puzzle = generate(slot.recipe, seed, slot.method, left, scored=False).puzzle
            except RecipeError:
                puzzle = None
            spent += max(1, logs[-1].spent if logs else TRIAL_WORK)
            logs.clear()
            yield puzzle, spent
