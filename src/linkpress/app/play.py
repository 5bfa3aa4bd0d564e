"""A book's page for the browser is written here, also anew from ``volume.json`` without a new puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from linkpress.book.printing_keys import PlaySpec
from linkpress.book.volume import MAX_BYTES, PLAY_FILE, VOLUME_FILE, Volume, load_volume
from linkpress.errors import GaveUpError, OutputError
from linkpress.files import check_writable, is_foreign, write_file
from linkpress.layout.theme import theme_of, words_for
from linkpress.play.hint_data import StepCode, steps_of
from linkpress.play.page import PlayedPuzzle, PlayPage, is_page_of, page_html
from linkpress.production.dispatch import WorkerLost, Workers, call_each
from linkpress.production.executors import local_workers


def volume_page(volume: Volume, folder: Path, workers: Workers) -> str:
    """Write the text of ``play.html``; raise ``GaveUpError`` if the hints of a puzzle can't be found."""
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


def play_again(
    folder: Path | str,
    out: Path | str | None = None,
    *,
    answers: bool | None = None,
    hints: bool | None = None,
    workers: Workers | None = None,
    force: bool = False,
    spec_folder: Path | None = None,
) -> tuple[Path, int]:
    """Write ``play.html`` of a saved volume.

    Args:
        out: the folder to write to; the same one if None.
        answers, hints: whether the page holds them; as the book's spec says if None.
        workers: who find the hints; as many processes as this machine has cores if None.
        force: write over a ``play.html`` that is no page of this book.
        spec_folder: that relative paths of the spec start from; ``folder`` if None.
    Returns:
        The file, and how many puzzles are on it.
    Raises:
        PuzzleError: ``volume.json`` is missing or wrong.
        UsageError, SpecError: the book's theme is missing or has faults.
        GaveUpError: the hints of a puzzle can't be found.
        OutputError: the file can't be written, or another ``play.html`` is there.
    """
    source = Path(folder)
    saved = load_volume(source / VOLUME_FILE)
    file = Path(out or source) / PLAY_FILE
    book_id = saved.spec.book_id
    if not force and is_foreign(file, MAX_BYTES, lambda content: is_page_of(content, book_id)):
        raise OutputError(
            f"{file} exists already, and is no page of {book_id} by linkpress. Nothing was written: choose "
            "another folder with -o, or write over what is there with --force."
        )
    check_writable(file)
    asked = {name: value for name, value in (("answers", answers), ("hints", hints)) if value is not None}
    play = (saved.spec.play or PlaySpec()).model_copy(update=asked)
    spec = saved.spec.model_copy(update={"play": play})
    workers = workers or local_workers(None)
    write_file(file, volume_page(replace(saved, spec=spec), spec_folder or source, workers))
    return file, len(saved.puzzles)
