"""The calendar of a feed says which days have an issue, and what each one's puzzle must be."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

from linkpress.book.plan import Slot, replacement_seed
from linkpress.documents.values import parse_date
from linkpress.errors import UsageError
from linkpress.feeds.feed_spec import WEEKDAYS, FeedSpec

MAX_DAYS = 3660

_DAY = datetime.timedelta(days=1)
# Longer than any run of skipped days that a feed can have; 02-29 comes back after eight years at most.
_FAR = 3000


@dataclass(frozen=True, slots=True)
class FeedDates:
    """A run has these calendar days, those without an issue included."""

    first: datetime.date
    days: int

    @property
    def last(self) -> datetime.date:
        """Return the last calendar day."""
        return self.first + (self.days - 1) * _DAY

    @property
    def name(self) -> str:
        """Return the days as file names have them: ``2026-12-01-2026-12-07``."""
        return f"{self.first.isoformat()}-{self.last.isoformat()}"


def read_dates(first: str, days: int) -> FeedDates:
    """Read the days of a run, the first written as 2026-12-01; raise ``UsageError`` for no such days."""
    try:
        day = parse_date(first)
        if not 1900 <= day.year <= 2999:
            raise ValueError
    except ValueError:
        raise UsageError(
            f"--from {first!r}: a date of the calendar between 1900 and 2999 is needed, as 2026-12-01."
        ) from None
    if not 1 <= days <= MAX_DAYS:
        raise UsageError(f"--days {days}: 1 to {MAX_DAYS} are allowed.")
    return FeedDates(day, days)


def issue_days(spec: FeedSpec, run: FeedDates) -> tuple[datetime.date, ...]:
    """Return the days of a run that have an issue; raise ``UsageError`` where none has."""
    days = tuple(
        day for day in (run.first + index * _DAY for index in range(run.days)) if spec.has_issue(day)
    )
    if not days:
        raise UsageError(
            f"no day from {run.first} to {run.last} has an issue: the feed skips all of them. Choose "
            "other days, or change week: and skip: in the feed."
        )
    return days


def next_issue(spec: FeedSpec, day: datetime.date) -> datetime.date:
    """Return the next day that has an issue; raise ``UsageError`` where eight years have none."""
    for later in (day + count * _DAY for count in range(1, _FAR)):
        if spec.has_issue(later):
            return later
    raise UsageError(f"after {day} the feed has no issue for {_FAR} days: look at week: and skip:.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DaySlot(Slot):
    """A day's slot also knows the day of the next issue, which prints the solution."""

    day: datetime.date
    solution_day: datetime.date

    @property
    def facts(self) -> dict[str, str | int]:
        """Return the slot as a log notes it."""
        return {"slot": self.number, "date": self.day.isoformat()}

    def __str__(self) -> str:
        return self.day.isoformat()


def week_slots(spec: FeedSpec, weekday: int) -> list[Slot]:
    """Plan a slot for each size of a weekday, to foretell what its puzzles take; 0 is Monday."""
    keys, day = spec.week.day(weekday), WEEKDAYS[weekday]
    if keys is None:
        return []
    slots = []
    for size, recipe in zip(keys.size, keys.recipes(len(keys.size)), strict=True):
        name = day if len(keys.size) == 1 else f"{day}, size {size}"
        slots.append(
            Slot(1, name, 1, f"{spec.seed}/{name}", recipe, keys.method, keys.effort, keys.otherwise)
        )
    return slots


def day_slot(spec: FeedSpec, day: datetime.date, number: int) -> DaySlot:
    """Plan the slot of a day with an issue; its puzzle comes from seed, date, replacement and attempt alone.

    The sizes of a list take turns from week to week.

    Raises:
        UsageError: no other issue follows within eight years.
    """
    keys = spec.week.day(day.weekday())
    assert keys is not None
    recipes = keys.recipes(len(keys.size))
    seed, which = f"{spec.seed}/{day.isoformat()}", (spec.replace or {}).get(day)
    return DaySlot(
        number=number,
        level=spec.id,
        index=number,
        seed=replacement_seed(seed, which) if which else seed,
        recipe=recipes[day.toordinal() // 7 % len(recipes)],
        method=keys.method,
        effort=keys.effort,
        otherwise=keys.otherwise,
        day=day,
        solution_day=next_issue(spec, day),
    )
