"""Write a feed's web pages. Each day has a folder, which the newspaper publishes on that day.

The folder of a day, such as ``web/2026-12-01/``, has these files:

- ``index.html``, a page on which the day's puzzle is played
- ``embed.html``, only the puzzle, for embedding in a page of the newspaper
- ``archive.html``, a list of all days up to this one
- ``rss.xml``, the same list for RSS readers, if the spec gives the web address of the pages

The folder reveals neither the solution of the day's puzzle nor the puzzles of later days. It may have the
puzzle of the day before with its solution, because this solution is published on the same day.

The files directly in ``web/`` don't depend on the day. They lead readers to today's page, and let browsers
install the pages as an app that works without a network.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from email.utils import format_datetime
from functools import cached_property
from html import escape
from pathlib import Path
from typing import NamedTuple

from linkpress.feeds.feed_folder import Folder, Issue
from linkpress.feeds.feed_spec import FeedSpec, WebSpec
from linkpress.files import write_file
from linkpress.layout.boards import worked_example
from linkpress.layout.theme import Theme
from linkpress.play.page import (
    PlayedPuzzle,
    PlayPage,
    bare_source,
    content_policy,
    filled,
    font_faces,
    fragment_html,
    hint_steps,
    json_of,
    page_html,
    page_phrases,
    picture,
    policy_of,
    policy_tag,
    progress_key,
    script_of,
    whole_page,
)
from linkpress.version import __version__
from linkpress.words import Words

FOLDER = "web"
ARCHIVE_FILE = "archive.html"
RSS_FILE = "rss.xml"
FILES = ("index.html", "embed.html", ARCHIVE_FILE, RSS_FILE)
LISTS = (ARCHIVE_FILE, RSS_FILE)
DAY_PAGES = f"{FOLDER}/[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]/*"
# This text is in all files that linkpress writes directly into the folder ``web``. A file without it belongs
# to the user, and is not overwritten.
_SITE_MARK = "linkpress-site"
_MAX_RSS_ITEMS = 30


class _ListedDay(NamedTuple):
    """Entry in the list of a feed's days.

    Args:
        day: the day.
        number: the puzzle's number.
        facts: the puzzle's size in words, followed by its difficulty if captions show the difficulty.
        mark: the key under which the browser stores how far the reader has solved the puzzle.
    """

    day: datetime.date
    number: int
    facts: str
    mark: str


def day_files(folder: Path, day: datetime.date, web: WebSpec) -> tuple[Path, ...]:
    return tuple(folder / FOLDER / day.isoformat() / name for name in FILES if web.url or name != RSS_FILE)


@dataclass(frozen=True)
class DayPageWriter:
    """Writer of a feed's web pages.

    Args:
        spec: the feed.
        web: the settings of the pages, which are the key ``web`` of the feed.
        theme: the theme of the boards.
        folder: the feed's folder, with the puzzles of earlier runs.
        issues: the new puzzles of this run.
    """

    spec: FeedSpec
    web: WebSpec
    theme: Theme
    folder: Folder
    issues: tuple[Issue, ...] = ()

    @property
    def content_policy(self) -> str:
        return content_policy(self._words, self.theme)

    def write(
        self, days: Iterable[datetime.date], names: Sequence[str] = FILES, *, only_missing: bool = False
    ) -> tuple[Path, ...]:
        """Write the web pages for the puzzles of the given days.

        Args:
            days: days that have a puzzle, from this run or an earlier one.
            names: the names of the files to write for each day. They must be in ``FILES``.
            only_missing: whether to skip files that exist.
        Returns:
            The paths of the written files.
        Raises:
            OutputError: a file can't be written.
        """
        written: list[Path] = []
        for day in days:
            files = [file for file in day_files(self.folder.path, day, self.web) if file.name in names]
            files = [file for file in files if not (only_missing and file.exists())]
            texts = self._texts(day, {file.name for file in files})
            for file in files:
                write_file(file, texts[file.name])
            written += files
        return tuple(written)

    def write_site(self) -> tuple[Path, ...]:
        """Update the web site's common files, which are in the folder ``web`` itself, not in a subfolder.

        A file is written only if its content has changed. A file that linkpress did not write stays
        unchanged. Return the paths of the written files.

        Raises:
            OutputError: a file can't be written.
        """
        written: list[Path] = []
        for name, text in self._site_files():
            file = self.folder.path / FOLDER / name
            before = file.read_text(encoding="utf-8", errors="replace") if file.exists() else _SITE_MARK
            if _SITE_MARK in before and before != text:
                write_file(file, text)
                written.append(file)
        return tuple(written)

    def _texts(self, day: datetime.date, names: Collection[str]) -> dict[str, str]:
        texts: dict[str, str] = {}
        if set(names).difference(LISTS):
            texts |= zip(FILES, self._played(day), strict=False)
        if set(names).intersection(LISTS):
            listed = list(self._listed(day))
            texts[ARCHIVE_FILE] = self._archive_html(listed)
            texts[RSS_FILE] = self._rss(listed[:_MAX_RSS_ITEMS])
        return texts

    def _played(self, day: datetime.date) -> Iterator[str]:
        puzzles = [self._puzzle(day, hints=self.web.hints)]
        before = max((earlier for earlier in self._days if earlier < day), default=None)
        if before and self.web.earlier:
            puzzles.append(self._puzzle(before, hints=True, answer=True))
        spec = self.spec
        page = PlayPage(spec.id, spec.title, self._words, self.theme, puzzles, credit=self._credit)
        yield page_html(replace(page, archive=ARCHIVE_FILE))
        yield fragment_html(replace(page, puzzles=puzzles[:1]))

    def _puzzle(self, day: datetime.date, *, hints: bool, answer: bool = False) -> PlayedPuzzle:
        issue = next((issue for issue in self.issues if issue.day == day), None) or self.folder.issue(day)
        record = issue.record
        steps = hint_steps(record.puzzle, record.rule, record.technique) if hints else None
        difficulty = self.spec.caption.difficulty.text(record.difficulty, self._words)
        return PlayedPuzzle(issue.number, record, self._words.write(day), answer, steps, difficulty)

    def _listed(self, last: datetime.date) -> Iterator[_ListedDay]:
        """Yield an entry for each day that has pages, from ``last`` back to the feed's first day.

        Boards of earlier runs are not read, because reading them would take long.
        """
        made = {issue.day: issue for issue in self.issues}
        for day in sorted(self._days, reverse=True):
            page = day_files(self.folder.path, day, self.web)[0]
            if day > last or not (day in made or day == last or page.exists()):
                continue
            if day in made:
                number, record = made[day].number, made[day].record
                grid, fingerprint = record.puzzle.grid, record.fingerprint
                cols, rows, difficulty = grid.cols, grid.rows, record.difficulty
            else:
                number, puzzle = self.folder.number(day), self.folder.items[day][0].puzzle
                cols, rows, fingerprint = puzzle.width, puzzle.height, puzzle.fingerprint
                difficulty = puzzle.difficulty
            size = self._words.say(self._words.size, cols=cols, rows=rows)
            shown = self.spec.caption.difficulty.text(difficulty, self._words)
            facts = f"{size} · {shown}" if shown else size
            yield _ListedDay(day, number, facts, progress_key(fingerprint))

    def _archive_html(self, listed: Sequence[_ListedDay]) -> str:
        words = page_phrases(self._words)
        phrases = {key: words[key] for key in ("streak", "is_solved", "locale")}
        style = font_faces(self._words.is_thai) + bare_source("archive.css")
        script = script_of("rules", "phrases", "store", "archive")
        entries = (
            f'<li><a href="../{day.isoformat()}/index.html" data-mark="{progress}"><b>{number}</b> '
            f"<span>{escape(self._words.write(day))}</span> <i></i> <small>{escape(facts)}</small></a></li>"
            for day, number, facts, progress in listed
        )
        body = filled(
            "archive.html",
            title=escape(self.spec.title),
            archive=escape(words["archive"]),
            entries="\n".join(entries),
            content=json_of({"id": self.spec.id, "words": phrases}),
            credit=escape(self._credit or words["made_with"]),
            script=script,
        )
        policy = policy_tag(f"default-src 'none'; {policy_of(script, style)}")
        head = (policy, *self._rss_links(".."), f"<style>{style}</style>")
        return whole_page(self._words, f"{words['archive']} – {self.spec.title}", body, *head)

    def _rss(self, listed: Sequence[_ListedDay]) -> str:
        items = (
            filled(
                "rss_item.xml",
                title=escape(f"{self.spec.title} {number}: {self._words.write(day)}"),
                address=escape(f"{self._url}{day.isoformat()}/index.html"),
                date=format_datetime(self.spec.midnight(day)),
                facts=escape(facts),
            )
            for day, number, facts, _ in listed
        )
        return filled(
            "rss.xml",
            title=escape(self.spec.title),
            link=escape(self._url),
            description=escape(self._words.rules_intro),
            language=self._words.language,
            generator=f"linkpress {__version__}",
            items="".join(items),
        )

    def _site_files(self) -> Iterator[tuple[str, str]]:
        """Yield the name and text of each file that is written directly into the folder ``web``."""
        words = page_phrases(self._words)
        phrases = {key: escape(words[key]) for key in ("needs_script", "no_day")}
        head = (f'<meta name="{_SITE_MARK}">', *self._rss_links("."))
        yield "index.html", whole_page(self._words, self.spec.title, filled("today.html", phrases), *head)
        facts = {"version": __version__, "name": self.spec.title, "language": self._words.language}
        written = {name: json.dumps(fact, ensure_ascii=False) for name, fact in facts.items()}
        yield "app.webmanifest", filled("app.webmanifest", written)
        yield "sw.js", filled("sw.js", id=self.spec.id)
        example = worked_example(solids=False)
        yield "icon.svg", picture(self.theme, example.puzzle, example, _SITE_MARK)

    def _rss_links(self, folder: str) -> tuple[str, ...]:
        """Return the HTML element that leads RSS readers to ``rss.xml``; empty if that file isn't written."""
        link = f'<link rel="alternate" type="application/rss+xml" href="{folder}/{RSS_FILE}">'
        return (link,) if self._url else ()

    @property
    def _days(self) -> set[datetime.date]:
        return {*self.folder.items, *(issue.day for issue in self.issues)}

    @cached_property
    def _words(self) -> Words:
        return self.spec.wording()

    @property
    def _url(self) -> str:
        return (self.web.url and f"{self.web.url.rstrip('/')}/") or ""

    @property
    def _credit(self) -> str:
        return self.spec.copyright or self.spec.author or ""
