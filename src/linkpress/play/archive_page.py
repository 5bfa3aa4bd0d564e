"""A feed's list of days, each with a link to its page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from linkpress.play.page import filled, font_faces
from linkpress.version import __version__
from linkpress.words.wording import Words


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A day of the list.

    Args:
        address: of its page, from the archive's own.
        number: of its puzzle.
        date: in words.
        size: in words.
        grade: a grade's label, or None.
    """

    address: str
    number: int
    date: str
    size: str
    grade: str | None


def archive_html(title: str, words: Words, entries: Sequence[ArchiveEntry], credit: str) -> str:
    """Write the page of a list of days.

    Args:
        title: of the feed.
        words: of the page.
        entries: in the order of the list.
        credit: the last line of the page, or empty.
    """
    return filled(
        "archive.html",
        language=words.language,
        generator=f"linkpress {__version__}",
        fonts=font_faces(words.is_thai),
        title=escape(title),
        archive=escape(words.player.archive),
        entries="\n".join(_entry(entry, words) for entry in entries),
        credit=escape(credit) or escape(words.player.made_with),
    )


def _entry(entry: ArchiveEntry, words: Words) -> str:
    grade = getattr(words.grades, entry.grade) if entry.grade else ""
    facts = " · ".join(filter(None, (entry.size, grade)))
    return (
        f'<li><a href="{escape(entry.address)}"><b>{entry.number}</b> <span>{escape(entry.date)}</span> '
        f"<small>{escape(facts)}</small></a></li>"
    )
