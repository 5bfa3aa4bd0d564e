"""An open feed has its week, the days to come with their boards, and images as the paper prints them."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from linkpress.book.grade_odds import odds_table
from linkpress.engine.make.generate import generate
from linkpress.errors import LinkpressError, UsageError
from linkpress.feeds.feed_folder import Folder, is_replaced, read_folder, replacement_slot
from linkpress.feeds.feed_run import FeedImages, check_images, day_png, settings_of
from linkpress.feeds.feed_spec import (
    WEEKDAYS,
    DaySlot,
    FeedDates,
    FeedSpec,
    day_slot,
    next_issue,
    read_feed,
    week_slots,
)
from linkpress.feeds.manifest import Issue
from linkpress.images.image_settings import ImageKind
from linkpress.layout.boards import board_frame
from linkpress.production.forecast import level_outlooks
from linkpress.production.slot_search import make_slot
from linkpress.puzzle.puzzle import Puzzle
from linkpress.render.svg import draw_svg
from linkpress.studio.facts import level_facts, puzzle_facts
from linkpress.studio.spec_file import SpecFile, problem_facts

_CELL_PT = 18.0
_FAR = 60  # days, within which an earlier issue is looked for
_DAY = datetime.timedelta(days=1)


class OpenFeed:
    """A feed is open in the studio; to open it raises ``OutputError`` if its file can't be read."""

    def __init__(self, path: Path, out: Path) -> None:
        self.file = SpecFile(path, FeedSpec, read_feed)
        self._out = out
        self._made: dict[str, Issue] = {}  # by the keys of slots

    @property
    def spec(self) -> FeedSpec:
        """Return what the text says now; raise ``UsageError`` if it has faults."""
        if self.file.spec is None:
            raise UsageError("the feed has faults, and no day can be shown before they are mended")
        return self.file.spec

    @property
    def folder(self) -> Path:
        """Return the folder that its images are written to."""
        return self._out / self.spec.id

    def judge(self) -> Callable[[], dict[str, Any]]:
        """Find what stands in the way of a week of the feed, and foretell each weekday; as a book does."""
        judged = {"problems": self._problems(), "outlook": self._outlook()}
        return lambda: judged

    def _problems(self) -> list[dict[str, Any]]:
        listed = problem_facts(self.file.document.problems)
        if listed:
            return listed
        try:
            today = datetime.date.today()
            week = (day for day in _days(today, today + 7 * _DAY) if self.spec.has_issue(day))
            slots = tuple(day_slot(self.spec, day, 1) for day in week)
            check_images(self._images(), slots)
        except LinkpressError as fault:
            return [{"key": [], "message": str(fault), "line": 0, "column": 0}]
        return []

    def _outlook(self) -> list[dict[str, Any]]:
        if self.file.spec is None:
            return []
        table = odds_table()
        slots = [slot for weekday in range(7) for slot in week_slots(self.spec, weekday)]
        return [level_facts(level, table, {}) for level in level_outlooks(slots, table)]

    def calendar(self, run: FeedDates) -> list[dict[str, Any]]:
        """Tell of each day whether it has an issue, its number, and whether it is published."""
        folder = self._folder()
        listed = []
        for index in range(run.days):
            day = run.first + index * _DAY
            slot = self._slot(folder, day) if self.spec.has_issue(day) else None
            listed.append(
                {
                    "day": day.isoformat(),
                    "weekday": WEEKDAYS[day.weekday()],
                    "number": slot.number if slot else None,
                    "published": day in folder.items,
                    "replaced": (self.spec.replace or {}).get(day, 0),
                    "key": slot.key if slot else "",
                }
            )
        return listed

    def issue(self, day: datetime.date) -> Issue:
        """Return a day's puzzle: the published one, or the one that a run will make; or raise.

        Only a puzzle that is published somewhere already would be passed over by the run.
        """
        folder = self._folder()
        if not self.spec.has_issue(day):
            raise UsageError(f"{day} has no issue")
        wanted = (self.spec.replace or {}).get(day)
        if day in folder.items and (wanted is None or is_replaced(folder, day, wanted)):
            return folder.issue(day)
        slot = self._slot(folder, day)
        if slot.key not in self._made:
            record = make_slot(generate, slot, 0).record
            self._made[slot.key] = Issue(slot.day, slot.solution_day, slot.number, record)
        return self._made[slot.key]

    def day_facts(self, day: datetime.date) -> dict[str, Any]:
        """Tell of a day's puzzle, with its board."""
        issue = self.issue(day)
        return {
            **puzzle_facts(issue.record, self.spec.wording()),
            "number": issue.number,
            "svg": self._board_svg(issue.record.puzzle),
        }

    def image(self, day: datetime.date, kind: ImageKind) -> bytes:
        """Draw a day's image as the paper prints it."""
        earlier = None
        if kind is ImageKind.COMBINED:
            days = (day - count * _DAY for count in range(1, _FAR))
            before = next((other for other in days if self.spec.has_issue(other)), None)
            earlier = None if before is None else self.issue(before)
        return day_png(self._images(), self.issue(day), earlier, kind)

    def _board_svg(self, puzzle: Puzzle) -> str:
        settings = self._images().settings
        frame = board_frame(puzzle, None, _CELL_PT, settings.theme, settings.measure)
        return draw_svg(frame, faces=settings.measure.faces)

    def _images(self) -> FeedImages:
        return FeedImages(self.spec, settings_of(self.spec, self.file.path.parent), self.folder)

    def _folder(self) -> Folder:
        return read_folder(self.folder, self.spec.id)

    def _slot(self, folder: Folder, day: datetime.date) -> DaySlot:
        """Plan a day's slot, with the number that it has or will have if every day before it is made."""
        if day in folder.items:
            return replacement_slot(self.spec, folder, day)
        last = folder.last_day
        first = next_issue(self.spec, last) if last else min(day, datetime.date.today())
        begin = folder.number(last) + 1 if last else self.spec.first_number
        before = sum(self.spec.has_issue(between) for between in _days(first, day))
        return day_slot(self.spec, day, begin + before)


def _days(first: datetime.date, end: datetime.date) -> Iterator[datetime.date]:
    while first < end:
        yield first
        first += _DAY
