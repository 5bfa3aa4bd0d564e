"""What a feed's days have in common: their list as a page and as RSS, and the files beside their folders.

One address leads to the page of the day, and where the days are served they can be installed as a program
that works without a network. These files name no day, so that they tell of none to come.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from html import escape

from linkpress.layout.boards.ornaments import worked_example
from linkpress.layout.theme import Theme
from linkpress.play.page import (
    bare_source,
    filled,
    font_faces,
    json_of,
    picture,
    policy_of,
    script_of,
    spoken_words,
)
from linkpress.version import __version__
from linkpress.words.wording import Words

SITE_SIGN = "linkpress-site"  # stands in every one of the site's files
RSS_FILE = "rss.xml"
_MOST_IN_RSS = 30
_PAPER, _INK = "#ffffff", "#111111"


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A day of the list.

    Args:
        folder: of its pages.
        number: of its puzzle.
        day: as a date.
        size: in words.
        grade: a grade's label, or None.
        mark: the key of its progress.
    """

    folder: str
    number: int
    day: datetime.date
    size: str
    grade: str | None
    mark: str


@dataclass(frozen=True, slots=True)
class DailySite:
    """What is the same on all days of a feed.

    Args:
        id: of the feed, under which a browser keeps progress.
        title: of the feed.
        words: of the pages.
        theme: their looks.
        credit: the last line of the page, or empty.
        url: where the days' folders lie, with a slash at the end; empty where that is not known.
    """

    id: str
    title: str
    words: Words
    theme: Theme
    credit: str
    url: str = ""

    def archive_html(self, entries: Sequence[ArchiveEntry]) -> str:
        """Write the page of a list of days, in their order."""
        words = spoken_words(self.words)
        content = {"id": self.id, "words": {key: words[key] for key in ("streak", "is_solved", "locale")}}
        style = font_faces(self.words.is_thai) + bare_source("archive.css")
        script = script_of("rules", "telling", "store", "archive")
        return filled(
            "archive.html",
            language=self.words.language,
            generator=f"linkpress {__version__}",
            policy=f"default-src 'none'; {policy_of(script, style)}",
            style=style,
            script=script,
            rss=self._rss_link,
            title=escape(self.title),
            archive=escape(words["archive"]),
            entries="\n".join(self._entry(entry) for entry in entries),
            content=json_of(content),
            credit=escape(self.credit) or escape(words["made_with"]),
        )

    def rss(self, entries: Sequence[ArchiveEntry], utc_offset: str) -> str:
        """Write the latest days as RSS.

        Args:
            entries: the latest first.
            utc_offset: of the paper's midnight, as ``+01:00``.
        """
        items = "".join(self._item(entry, utc_offset) for entry in entries[:_MOST_IN_RSS])
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>'
            f"<title>{escape(self.title)}</title><link>{escape(self.url)}</link>"
            f"<description>{escape(self.words.rules_intro)}</description>"
            f"<language>{self.words.language}</language>"
            f"<generator>linkpress {__version__}</generator>\n{items}</channel></rss>\n"
        )

    def files(self) -> dict[str, str]:
        """Return the files beside the days' folders by their names."""
        words = spoken_words(self.words)
        example = worked_example(solids=False)
        manifest = {
            SITE_SIGN: __version__,
            "name": self.title,
            "lang": self.words.language,
            "start_url": "./",
            "display": "standalone",
            "background_color": _PAPER,
            "theme_color": _INK,
            "icons": [{"src": "icon.svg", "sizes": "any", "type": "image/svg+xml"}],
        }
        phrases = {key: escape(words[key]) for key in ("needs_script", "no_day")}
        return {
            "index.html": filled(
                "today.html",
                phrases,
                language=self.words.language,
                generator=f"linkpress {__version__}",
                title=escape(self.title),
                rss=self._rss_link.replace("../", ""),
            ),
            "app.webmanifest": json.dumps(manifest, ensure_ascii=False, indent=1) + "\n",
            "sw.js": filled("sw.js", id=self.id),
            "icon.svg": picture(self.theme, example.puzzle, example, SITE_SIGN),
        }

    @property
    def _rss_link(self) -> str:
        link = f'<link rel="alternate" type="application/rss+xml" href="../{RSS_FILE}">\n'
        return link if self.url else ""

    def _facts(self, entry: ArchiveEntry) -> str:
        grade = getattr(self.words.grades, entry.grade) if entry.grade else ""
        return " · ".join(filter(None, (entry.size, grade)))

    def _entry(self, entry: ArchiveEntry) -> str:
        return (
            f'<li><a href="../{entry.folder}/index.html" data-mark="{entry.mark}"><b>{entry.number}</b> '
            f"<span>{escape(self.words.write(entry.day))}</span> <i></i> "
            f"<small>{escape(self._facts(entry))}</small></a></li>"
        )

    def _item(self, entry: ArchiveEntry, utc_offset: str) -> str:
        midnight = datetime.datetime.fromisoformat(f"{entry.day.isoformat()}T00:00:00{utc_offset}")
        title = f"{self.title} {entry.number}: {self.words.write(entry.day)}"
        address = escape(f"{self.url}{entry.folder}/index.html")
        return (
            f"<item><title>{escape(title)}</title><link>{address}</link><guid>{address}</guid>"
            f"<pubDate>{format_datetime(midnight)}</pubDate>"
            f"<description>{escape(self._facts(entry))}</description></item>\n"
        )
