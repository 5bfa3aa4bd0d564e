"""A newspaper's feed that is open in the studio: its calendar, the boards of coming days, and its images."""

from __future__ import annotations

import calendar
import datetime
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from linkpress.book.mixes import WEEKDAYS
from linkpress.book.plan import Slot
from linkpress.engine.make.generate import generate
from linkpress.errors import LinkpressError, UsageError
from linkpress.feeds.feed_folder import Folder, Issue, is_replaced, read_folder, replacement_slot
from linkpress.feeds.feed_run import FeedImages, check_images, day_png, settings_of
from linkpress.feeds.feed_spec import DaySlot, FeedSpec, day_slot, next_issue, read_feed, week_slots
from linkpress.images.image_settings import ImageKind, ImageSettings
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import FontKey, Frame, Lines, Placed, TextRun
from linkpress.layout.text_flow import set_text
from linkpress.production.forecast import level_outlooks, odds_table
from linkpress.production.slot_search import make_slot
from linkpress.render.svg import draw_svg
from linkpress.studio.html_parts import say
from linkpress.studio.open_book import difficulty_word, level_after, level_facts, puzzle_facts
from linkpress.studio.spec_files import Change, SpecFile, good_file, problem_facts

_CELL_PT = 18.0
_MAX_GAP_DAYS = 60  # maximum number of days to look back for the previous puzzle of a feed
_DAY = datetime.timedelta(days=1)
# number of months or weeks, from the shown one on, that are searched for days without a finished puzzle
_SPANS_AHEAD = 14


class OpenFeed:
    """Feed that is open in the studio.

    Args:
        path: the spec file.
        out: the folder of built books and feeds.
    Raises:
        OutputError: the file can't be read.
    """

    def __init__(self, path: Path, out: Path) -> None:
        self.file = SpecFile(path, FeedSpec, read_feed, good_file(path, out))
        self._out = out
        # Puzzles that were made for unpublished days, by ``DaySlot.key``. The key is a digest of the seed and
        # recipe, so a changed recipe gets a new puzzle.
        self._made: dict[str, Issue] = {}

    @property
    def spec(self) -> FeedSpec:
        """Spec of the feed. Raises ``UsageError`` while its text has problems."""
        if self.file.spec is None:
            raise UsageError("the feed has problems. Solve them to see its days.")
        return self.file.spec

    @property
    def folder(self) -> Path:
        return self._out / self.spec.id

    def prepare_check(self) -> Callable[[], dict[str, Any]]:
        """Check the feed, and return a function that returns the result as JSON data.

        The result has the errors in the feed's spec and in the images of the next seven days, and a forecast
        for each weekday. The feed is checked at once. The result is wrapped in a function only because
        ``OpenBook.prepare_check`` returns one too: the check of a book is slow, so it starts when that
        function is called.
        """
        result = {"problems": self._problems(), "outlook": _outlook(self.file.spec)}
        return lambda: result

    def _problems(self) -> list[dict[str, Any]]:
        problems = problem_facts(self.file.document.problems)
        if problems:
            return problems
        try:
            today = datetime.date.today()
            week = (day for day in _days(today, today + 7 * _DAY) if self.spec.has_issue(day))
            check_images(self._images(), tuple(day_slot(self.spec, day, 1) for day in week))
        except LinkpressError as error:
            return problem_facts([str(error)])
        return []

    def values(self) -> dict[str, Any]:
        """Return the values of the spec's keys as the user has typed them."""
        values: dict[str, Any] = self.file.document.checked().source.value
        return values

    def level_paths(self) -> dict[str, tuple[Any, ...]]:
        """Map the name of each weekday to the weekday's key path in the spec."""
        return {name.lower(): ("week", name.lower()) for name in calendar.day_name}

    def outlook_after(self, change: Change) -> tuple[list[dict[str, Any]], dict[str, tuple[Any, ...]]]:
        """Forecast how difficult each weekday's puzzles would be after a change of a key of the spec.

        The spec itself is not changed.

        The method may be called while another thread uses the feed.

        Returns:
            Two values: the list of the forecasts, as JSON data, and a mapping from the name of each weekday
            to its key path.

        Raises:
            RefusedError: the change is wrong.
        """
        document = self.file.document_after(change)
        return [] if document.problems else _outlook(document.model), self.level_paths()

    def calendar(self, today: datetime.date, shown: datetime.date, span: str) -> dict[str, Any]:
        """Return facts about a month or a week as JSON data, with facts about each day in it.

        Args:
            today: the present date in the user's time zone.
            shown: a day of the month or week.
            span: ``month`` or ``week``.
        Returns:
            The title, the weeks of seven days, the first days of the previous and the next month or week, and
            the days whose puzzles are still to be made. If this month or week has no such days, the days of
            the next month or week that has some are returned.

            The facts about a day include its ``state``. The state ``missed`` means that the day's puzzle
            can't be made any more, because the day is over or the puzzle of a later day is made. A day on
            which the user has swapped the puzzle for another one is never ``missed``. Days outside of the
            month or week have the state ``other``.
        """
        folder, replaced = self._folder(), self.spec.replace or {}
        first, end = _bounds(shown, span)

        def facts(day: datetime.date) -> dict[str, Any]:
            is_inside = first <= day < end
            state, slot = self._state(folder, day, today) if is_inside else ("other", None)
            return (
                {"day": day.isoformat(), "name": f"{day:%A, %B} {day.day}", "short": f"{day:%a}"}
                | {"state": state, "swapped": slot is not None and day in replaced, "month": f"{day:%B}"}
                | (self._board_facts(folder, day, slot) if slot else {})
            )

        days = [facts(day) for day in _days(first - first.weekday() * _DAY, end + -end.weekday() % 7 * _DAY)]
        issues = [day for day in days if day["state"] not in ("none", "other")]
        left = self._left(folder, today, first, span)
        return {
            "title": f"{first:%B %Y}"
            if span == "month"
            else f"{_words(first, end - _DAY, '–')}, {(end - _DAY).year}",
            "weeks": [days[index : index + 7] for index in range(0, len(days), 7)],
            "made": sum(day["state"] == "made" for day in issues),
            "count": len(issues),
            "of": span,
            "shown": (today if first <= today < end else first).isoformat(),
            "earlier": _bounds(first - _DAY, span)[0].isoformat(),
            "later": end.isoformat(),
            "left": {"from": left[0].isoformat(), "days": (left[-1] - left[0]).days + 1} if left else None,
            "make": say("makeDays", span=_words(left[0], left[-1], "to")) if left else "",
            "today": today.isoformat(),
            "until": say("madeUntil", day=_words(last, last, "")) if (last := folder.last_day) else "",
        }

    def _state(self, folder: Folder, day: datetime.date, today: datetime.date) -> tuple[str, DaySlot | None]:
        """Return the state of a day, and the instructions for making its puzzle.

        The state is ``made``; ``planned``, if the puzzle can still be made; ``missed``, if it can't be made
        any more; or ``none`` for a day without a puzzle. In the last case, the instructions are None.
        """
        if not self.spec.has_issue(day):
            return "none", None
        slot = self._slot(folder, day)
        if self._is_made(folder, day):
            return "made", slot
        is_late = day < today or (folder.last_day is not None and day <= folder.last_day)
        return "missed" if is_late and day not in (self.spec.replace or {}) else "planned", slot

    def has_puzzle(self, day: datetime.date, today: datetime.date) -> bool:
        """Return whether a day has a puzzle, or can still get one.

        Args:
            day: the day.
            today: the present date in the user's time zone.
        """
        return self._state(self._folder(), day, today)[0] not in ("none", "missed")

    def _is_made(self, folder: Folder, day: datetime.date) -> bool:
        """Return whether a day's puzzle was made, and is still the puzzle that the spec asks for."""
        replacement = (self.spec.replace or {}).get(day)
        return day in folder.items and (replacement is None or is_replaced(folder, day, replacement))

    def _board_facts(self, folder: Folder, day: datetime.date, slot: DaySlot) -> dict[str, Any]:
        """Return facts for the cell of a day in the calendar.

        ``known`` says whether the day's puzzle is made. The puzzle may be in the feed's folder. It may also
        be only in memory, because it was made for the calendar. While the puzzle is not made, its difficulty
        is not known, and drawing its board takes long, because the puzzle is made first.
        """
        known = self._is_made(folder, day) or slot.key in self._made
        told = str(slot.number)
        if known:
            issue = self._issue(folder, day)
            difficulty = difficulty_word(issue.record.difficulty, self.spec.wording())
            told = " · ".join(filter(None, (str(issue.number), difficulty)))
        return {"known": known, "told": told, "key": self._key_of(folder, day, slot)}

    def _key_of(self, folder: Folder, day: datetime.date, slot: DaySlot) -> str:
        """Return a hash of the facts on which the drawing of a day's board depends, as a key for caches."""
        shown = {key: value for key, value in self.values().items() if key != "week"}
        facts = [str(self.file.path), day, slot.key, self._is_made(folder, day), shown]
        return hashlib.sha256(json.dumps(facts, default=str).encode()).hexdigest()[:16]

    def _left(
        self, folder: Folder, today: datetime.date, first: datetime.date, span: str
    ) -> list[datetime.date]:
        """Return the days that are still to be made in the first month or week that has such days.

        Args:
            folder: the folder of the feed.
            today: the present date in the user's time zone.
            first: a day of the first month or week in which to look.
            span: ``month`` or ``week``.
        Returns:
            The days; empty if the next ``_SPANS_AHEAD`` months or weeks have none.
        """
        for _ in range(_SPANS_AHEAD):
            first, end = _bounds(first, span)
            left = [day for day in _days(first, end) if self._state(folder, day, today)[0] == "planned"]
            if left:
                return left
            first = max(end, today)
        return []

    def finished_images(self, shown: datetime.date, span: str) -> list[Path]:
        """Return the images that were made for the days of a month or week.

        If the user has asked for another puzzle for a day after its images were made, the day is left out. It
        is included again when the new images are made.

        Args:
            shown: a day of the month or week.
            span: ``month`` or ``week``.
        """
        folder, (first, end) = self._folder(), _bounds(shown, span)
        days = sorted(day for day in folder.items if first <= day < end and self._is_made(folder, day))
        paths = [folder.path / file for day in days for _, _, file in folder.files(day)]
        return [path for path in paths if path.is_file()]

    def next_day(self, today: datetime.date) -> datetime.date:
        """Return the first day that has a puzzle, beginning with today."""
        return next_issue(self.spec, today - _DAY)

    def issue(self, day: datetime.date) -> Issue:
        """Return the published puzzle of a day, or the puzzle that ``linkpress feed`` would make for it.

        The studio does not look the puzzle up in the ledger, which records the published puzzles of all books
        and feeds. If it is published elsewhere, ``linkpress feed`` will make another puzzle.

        Raises:
            UsageError: the day has no puzzle.
        """
        return self._issue(self._folder(), day)

    def _issue(self, folder: Folder, day: datetime.date) -> Issue:
        if not self.spec.has_issue(day):
            raise UsageError(f"{day} has no issue")
        if self._is_made(folder, day):
            return folder.issue(day)
        slot = self._slot(folder, day)
        if slot.key not in self._made:
            record = make_slot(generate, slot, 0).record
            self._made[slot.key] = Issue(slot.day, slot.solution_day, slot.number, record)
        return self._made[slot.key]

    def day_facts(self, day: datetime.date) -> dict[str, Any]:
        """Return facts about a day's puzzle as JSON data.

        Examples are its number, its difficulty, and the names of its image files.
        ``page`` is the name of the file with the day's web page, which a newspaper embeds in its site. It is
        empty if the page is not made.
        """
        folder, page = self._folder(), _page_of(day)
        issue, is_made = self._issue(folder, day), self._is_made(folder, day)
        settings = self._images().settings
        days = (issue.solution_day - day).days
        mode = say(f"pixels.{settings.mode}", mode=settings.mode)
        printed = {"width": f"{settings.width_mm:.4g}", "dpi": settings.dpi, "mode": mode, "days": days}
        return {
            **puzzle_facts(issue.record, self.spec.wording()),
            "number": issue.number,
            "key": self._key_of(folder, day, self._slot(folder, day)),
            "printed": printed,
            "files": [[kind, file] for kind, _, file in folder.files(day)] if is_made else [],
            "page": page if is_made and (folder.path / page).is_file() else "",
        }

    def board_svg(self, day: datetime.date) -> str:
        """Draw the board of a day as SVG."""
        settings = self._images().settings
        return draw_svg(self._board(day, settings), faces=settings.measure.faces, outlined=True)

    def front_svg(self) -> str:
        """Draw the puzzle of today, or of the next day that has one, like a clipping from a newspaper.

        The feed's title, a rule and the date are above the board.
        """
        day, settings = self.next_day(datetime.date.today()), self._images().settings
        measure, board = settings.measure, self._board(day, settings)
        inner, margin = board.width_pt, board.width_pt / 12

        def line(text: str, font: FontKey, share: float, y: float) -> TextRun:
            """Return a line of text as drawn shapes.

            The type size is ``share`` times the width of the board. If the text is then wider than the board,
            it is set smaller.
            """
            size = inner * share
            size *= min(1, inner / max(measure.width(text, font, size), 0.01))
            return set_text(text, (margin, y), font, size, measure)

        top = margin + board.height_pt + inner / 4
        rule = top - inner / 14
        return draw_svg(
            Frame(
                inner + 2 * margin,
                top + inner / 11 + margin,
                (
                    Placed("board", board, margin, margin),
                    line(f"{day:%A, %B} {day.day}", FontKey.REGULAR, 1 / 13, rule - inner / 9),
                    Lines(((margin, rule, margin + inner, rule),), inner / 90),
                    line(self.spec.title, FontKey.SEMIBOLD, 1 / 10, top),
                ),
            ),
            faces=measure.faces,
            outlined=True,
        )

    def _board(self, day: datetime.date, settings: ImageSettings) -> Frame:
        puzzle = self.issue(day).record.puzzle
        return board_frame(puzzle, None, _CELL_PT, settings.theme, settings.measure)

    def made_file(self, name: str) -> Path:
        """Return the path of a file that a feed run has made: an image, or a page for embedding.

        Raises:
            UsageError: there is no such file.
        """
        folder = self._folder()
        path = folder.path / name
        if (name in folder.checksums or name in map(_page_of, folder.items)) and path.is_file():
            return path
        raise UsageError(f"{name}: there is no such file. Make the day first.")

    def image(self, day: datetime.date, kind: ImageKind) -> bytes:
        """Return an image of a day as a PNG, as ``linkpress feed`` would draw it for the newspaper."""
        earlier = None
        if kind is ImageKind.COMBINED:
            days = (day - count * _DAY for count in range(1, _MAX_GAP_DAYS))
            before = next((other for other in days if self.spec.has_issue(other)), None)
            earlier = None if before is None else self.issue(before)
        return day_png(self._images(), self.issue(day), earlier, kind)

    def _images(self) -> FeedImages:
        return FeedImages(self.spec, settings_of(self.spec), self.folder)

    def _folder(self) -> Folder:
        return read_folder(self.folder, self.spec.id)

    def _slot(self, folder: Folder, day: datetime.date) -> DaySlot:
        """Return the instructions for making the puzzle of a day.

        The puzzle's number is only right if the puzzles of all earlier days will be made.
        """
        if day in folder.items:
            return replacement_slot(self.spec, folder, day)
        last = folder.last_day
        first = next_issue(self.spec, last) if last else min(day, datetime.date.today())
        first_number = folder.number(last) + 1 if last else self.spec.first_number
        issues_before = sum(self.spec.has_issue(between) for between in _days(first, day))
        return day_slot(self.spec, day, first_number + issues_before)


def _outlook(spec: FeedSpec | None) -> list[dict[str, Any]]:
    if spec is None:
        return []
    table = odds_table()

    def slots_after(weekday: int, keys: Mapping[str, str]) -> list[Slot]:
        day = spec.week.day(weekday)
        changed = {WEEKDAYS[weekday]: day and level_after(day, keys)}
        week = spec.week.model_copy(update=changed)
        return week_slots(spec.model_copy(update={"week": week}), weekday)

    return [
        level_facts(
            level, table, {}, [recipe.difficulty] if recipe.difficulty else [], partial(slots_after, weekday)
        )
        for weekday in range(7)
        for level in level_outlooks(week_slots(spec, weekday), table)
        for recipe in (level.each[0][0].recipe,)
    ]


def _bounds(day: datetime.date, span: str) -> tuple[datetime.date, datetime.date]:
    """Return the first day of the month or week of a day, and the first day of the next month or week."""
    if span == "week":
        first = day - day.weekday() * _DAY
        return first, first + 7 * _DAY
    first = day.replace(day=1)
    return first, (first + 31 * _DAY).replace(day=1)


def _words(first: datetime.date, last: datetime.date, between: str) -> str:
    if first == last:
        return f"{first:%B} {first.day}"
    end = f"{last.day}" if last.month == first.month else f"{last:%B} {last.day}"
    return f"{first:%B} {first.day} {between} {end}"


def _page_of(day: datetime.date) -> str:
    return f"web/{day.isoformat()}/embed.html"


def _days(first: datetime.date, end: datetime.date) -> Iterator[datetime.date]:
    while first < end:
        yield first
        first += _DAY
