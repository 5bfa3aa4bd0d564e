"""The page of a book: every puzzle of its volume."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from linkpress.book.volume import Volume
from linkpress.errors import GaveUpError
from linkpress.layout.theme import theme_of, words_for
from linkpress.play.hint_data import StepCode, steps_of
from linkpress.play.page import PlayedPuzzle, PlayPage, page_html
from linkpress.production.dispatch import WorkerLost, Workers, call_each


def volume_page(volume: Volume, folder: Path, workers: Workers) -> str:
    """Write the text of ``play.html``.

    Args:
        volume: finished.
        folder: that a theme's relative path starts from.
    Raises:
        GaveUpError: the workers of one puzzle's hints died or hung again and again.
        UsageError, SpecError: there is no such theme, or it has faults.
    """
    spec, play, theme = volume.spec, volume.spec.play, theme_of(volume.spec, folder)
    answers, with_hints = (play.answers, play.hints) if play else (False, True)
    hints = _hints(volume, workers) if with_hints else [None] * len(volume.numbered)
    page = PlayPage(
        id=spec.book_id,
        title=spec.title,
        subtitle=spec.subtitle or "",
        words=words_for(spec, theme, (record.puzzle for record in volume.puzzles)),
        theme=theme,
        puzzles=[
            PlayedPuzzle(puzzle.number, puzzle.record, spec.headings[puzzle.record.level], answers, steps)
            for puzzle, steps in zip(volume.numbered, hints, strict=True)
        ],
        credit=spec.copyright or (spec.author or ""),
    )
    return page_html(page)


def _hints(volume: Volume, workers: Workers) -> Sequence[tuple[StepCode, ...]]:
    asked = [(record.puzzle, record.rule, record.grade) for record in volume.puzzles]
    try:
        return list(call_each(workers, steps_of, asked))
    except WorkerLost as lost:
        raise GaveUpError(
            f"the hints of puzzle {volume.numbered[lost.index].number} can't be found: {lost}. Perhaps "
            "memory is short: try fewer --jobs, or leave the hints out with --no-hints."
        ) from None
