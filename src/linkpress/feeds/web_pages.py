"""A feed's pages for the browser: a folder a day, to be put on the web on its day.

``web/2026-12-01/`` holds ``index.html`` to play on, ``embed.html`` to be put into a page of the paper's
own, and ``archive.html`` with the days so far, also as ``rss.xml`` where their address is known. In
``web/`` itself are the files of ``DailySite``, which lead to the latest day. A day's folder holds nothing
of the next day's puzzle, and of its own puzzle no answer; the earlier issue's puzzle may stand there with
its answer, whose day it is.
"""

from __future__ import annotations

import datetime
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from linkpress.feeds.feed_folder import Folder
from linkpress.feeds.feed_spec import FeedSpec, WebSpec
from linkpress.feeds.manifest import Issue
from linkpress.files import write_whole
from linkpress.layout.theme import Theme
from linkpress.play.archive_page import RSS_FILE, SITE_SIGN, ArchiveEntry, DailySite
from linkpress.play.hint_data import StepCode, steps_of
from linkpress.play.page import (
    PlayedPuzzle,
    PlayedSection,
    PlayPage,
    content_policy,
    fragment_html,
    page_html,
    progress_key,
)
from linkpress.words.wording import Words

FOLDER = "web"
ARCHIVE_FILE = "archive.html"
FILES = ("index.html", "embed.html", ARCHIVE_FILE, RSS_FILE)
LISTS = (ARCHIVE_FILE, RSS_FILE)
DAY_PAGES = f"{FOLDER}/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/*"


def day_files(folder: Path, day: datetime.date, web: WebSpec) -> tuple[Path, ...]:
    """Return where a day's pages lie; there is no RSS without an address to name."""
    return tuple(folder / FOLDER / day.isoformat() / name for name in FILES if web.url or name != RSS_FILE)


@dataclass(frozen=True)
class DayPageWriter:
    """Writes the pages of days.

    Args:
        spec: the feed.
        web: its key of that name.
        theme: the pages' looks.
        folder: what earlier runs left.
        issues: of this run's new days.
    """

    spec: FeedSpec
    web: WebSpec
    theme: Theme
    folder: Folder
    issues: tuple[Issue, ...] = ()

    @property
    def content_policy(self) -> str:
        """The directives of a Content-Security-Policy under which every day's ``embed.html`` runs."""
        return content_policy(self._words, self.theme)

    def write(
        self, days: Iterable[datetime.date], names: Sequence[str] = FILES, *, only_missing: bool = False
    ) -> tuple[Path, ...]:
        """Write the pages of these days.

        Args:
            days: with a puzzle each, of this run or an earlier one.
            names: of ``FILES``, which pages.
            only_missing: leave pages that are there as they are.
        Returns:
            The files, in order.
        Raises:
            OutputError: one can't be written.
        """
        written: list[Path] = []
        for day in days:
            files = [file for file in day_files(self.folder.path, day, self.web) if file.name in names]
            wanted = [file for file in files if not (only_missing and file.exists())]
            texts = self._texts(day, {file.name for file in wanted})
            for file in wanted:
                write_whole(file, texts[file.name])
            written += wanted
        return tuple(written)

    def write_site(self) -> tuple[Path, ...]:
        """Write what lies beside the days' folders and has changed; files of others stay as they are.

        Raises:
            OutputError: one can't be written.
        """
        written: list[Path] = []
        for name, text in self._site.files().items():
            file = self.folder.path / FOLDER / name
            before = file.read_text(encoding="utf-8", errors="replace") if file.exists() else SITE_SIGN
            if SITE_SIGN in before and before != text:
                write_whole(file, text)
                written.append(file)
        return tuple(written)

    def _texts(self, day: datetime.date, names: Collection[str]) -> dict[str, str]:
        texts: dict[str, str] = {}
        if set(names).difference(LISTS):
            texts |= zip(FILES, self._played(day), strict=False)
        if set(names).intersection(LISTS):
            entries = list(self._entries(day))
            texts[ARCHIVE_FILE] = self._site.archive_html(entries)
            texts[RSS_FILE] = self._site.rss(entries, self.spec.utc_offset)
        return texts

    def _played(self, day: datetime.date) -> Iterator[str]:
        issue, before = (
            self._issue(day),
            max((earlier for earlier in self._days if earlier < day), default=None),
        )
        earlier = self._issue(before) if before and self.web.earlier else None
        hints = _hints(issue) if self.web.hints else None
        today = PlayedPuzzle(issue.number, issue.record, hints=hints)
        puzzles, sections = [today], [self._section(issue)]
        if earlier:
            puzzles.append(
                PlayedPuzzle(earlier.number, earlier.record, with_answer=True, hints=_hints(earlier))
            )
            sections.append(self._section(earlier))
        yield page_html(self._page(puzzles, sections, archive=ARCHIVE_FILE))
        yield fragment_html(self._page([today], sections[:1]))

    def _page(
        self, puzzles: Sequence[PlayedPuzzle], sections: Sequence[PlayedSection], archive: str = ""
    ) -> PlayPage:
        return PlayPage(
            id=self.spec.id,
            title=self.spec.title,
            subtitle="",
            words=self._words,
            theme=self.theme,
            puzzles=puzzles,
            sections=sections,
            credit=self._credit,
            archive=archive,
        )

    def _section(self, issue: Issue) -> PlayedSection:
        return PlayedSection(self._words.write(issue.day), issue.number, 1)

    def _entries(self, last: datetime.date) -> Iterator[ArchiveEntry]:
        made = {issue.day for issue in self.issues}
        for day in sorted(self._days, reverse=True):
            page = day_files(self.folder.path, day, self.web)[0]
            if day > last or not (day in made or day == last or page.exists()):
                continue
            number, cols, rows, grade, fingerprint = self._facts(day)
            size = self._words.say(self._words.size, cols=cols, rows=rows)
            yield ArchiveEntry(day.isoformat(), number, day, size, grade, progress_key(fingerprint))

    def _facts(self, day: datetime.date) -> tuple[int, int, int, str | None, str]:
        """Return number, columns, rows, grade and fingerprint without reading the board."""
        for issue in self.issues:
            if issue.day == day:
                record = issue.record
                grid, grade = record.puzzle.grid, record.grade
                return issue.number, grid.cols, grid.rows, grade.label if grade else None, record.fingerprint
        puzzle = self.folder.items[day][0].puzzle
        return self.folder.number(day), puzzle.width, puzzle.height, puzzle.grade, puzzle.fingerprint

    def _issue(self, day: datetime.date) -> Issue:
        return next((issue for issue in self.issues if issue.day == day), None) or self.folder.issue(day)

    @property
    def _days(self) -> set[datetime.date]:
        return {*self.folder.items, *(issue.day for issue in self.issues)}

    @cached_property
    def _words(self) -> Words:
        return self.spec.wording()

    @cached_property
    def _site(self) -> DailySite:
        spec, url = self.spec, self.web.url or ""
        address = url and f"{url.rstrip('/')}/"
        return DailySite(spec.id, spec.title, self._words, self.theme, self._credit, address)

    @property
    def _credit(self) -> str:
        return self.spec.copyright or self.spec.author or ""


def _hints(issue: Issue) -> tuple[StepCode, ...]:
    record = issue.record
    return steps_of(record.puzzle, record.rule, record.grade)
