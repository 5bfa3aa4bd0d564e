"""The page of a book: every puzzle of its volume."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from linkpress.book.volume import Volume
from linkpress.layout.theme import theme_of
from linkpress.play.page import PlayedPuzzle, PlayedSection, PlayPage, page_html

PLAY_FILE = "play.html"


def volume_page(volume: Volume, folder: Path) -> str:
    """The text of ``play.html``.

    Args:
        volume: finished.
        folder: that a theme's relative path starts from.
    Raises:
        UsageError, SpecError: there is no such theme, or it has faults.
    """
    spec, play = volume.spec, volume.spec.play
    answers, hints = (play.answers, play.hints) if play else (False, True)
    sections = []
    for name, run in groupby(volume.numbered, key=lambda one: one.record.level):
        numbers = [one.number for one in run]
        sections.append(PlayedSection(name, numbers[0], len(numbers)))
    page = PlayPage(
        id=spec.book_id,
        title=spec.title,
        subtitle=spec.subtitle or "",
        words=spec.wording(),
        theme=theme_of(spec, folder),
        puzzles=[PlayedPuzzle(one.number, one.record, answers, hints) for one in volume.numbered],
        sections=sections,
        credit=spec.copyright or (spec.author or ""),
    )
    return page_html(page)
