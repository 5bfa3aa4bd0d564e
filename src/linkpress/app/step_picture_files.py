"""A solve in pictures is written as a file: the board after each step, with its sentence below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import Image

from linkpress.engine.explain.steps import Step
from linkpress.errors import OutputError, UsageError
from linkpress.files import write_file
from linkpress.layout.frame import FontKey, Frame
from linkpress.layout.step_pictures import StepPictures, heading_row, picture_rows, stacked
from linkpress.layout.theme import load_theme
from linkpress.puzzle.puzzle import Puzzle
from linkpress.render.fonts import SHIPPED, Faces, FontMeasure
from linkpress.render.raster import PixelMode, png_bytes, rasterise
from linkpress.render.svg import draw_svg
from linkpress.words.language import Words

SUFFIXES = (".svg", ".png")
_CELL_PT = 18.0
_LEAST_PT = 170.0  # a sentence of a small board
_IN_A_ROW = 4
_DPI = 144
_MOST_PX = 120_000_000  # 360 MB of memory

SolvedPuzzle = tuple[Puzzle, Sequence[Step]]


def check_picture_file(path: Path, words: Words, faces: Faces = SHIPPED) -> None:
    """Raise ``UsageError`` for a kind of file in which steps are not drawn, and for words that can't be."""
    if path.suffix.lower() not in SUFFIXES:
        raise UsageError(
            f"--pictures {path}: its name ends in neither .svg nor .png, so what it shall be can't be told. "
            "Give it one of these endings."
        )
    phrases = "".join(phrase for _, phrase in words.steps if isinstance(phrase, str))
    lacking = FontMeasure(faces).missing(phrases, FontKey.REGULAR)
    if lacking:
        raise UsageError(
            f"--pictures: the fonts have no {lacking[0]!r} ({words.language}). Name one that has it with "
            "--font, leave --pictures out, or choose another --language."
        )


def write_pictures(solved: Sequence[SolvedPuzzle], words: Words, path: Path, faces: Faces = SHIPPED) -> None:
    """Write the steps of one puzzle or several as one SVG or PNG; raise ``OutputError`` if that fails."""
    check_picture_file(path, words, faces)
    if path.suffix.lower() == ".svg":
        write_file(path, pictures_svg(solved, words, faces))
    else:
        write_file(path, _png(list(_rows(solved, words, faces)), path, faces))


def pictures_svg(solved: Sequence[SolvedPuzzle], words: Words, faces: Faces = SHIPPED) -> str:
    """Draw the steps of one puzzle or several as one SVG; the arguments are those of ``write_pictures``."""
    rows = list(_rows(solved, words, faces))
    return draw_svg(stacked(rows), words.steps.title, faces=faces, language=words.language)


def _rows(solved: Sequence[SolvedPuzzle], words: Words, faces: Faces) -> Iterator[Frame]:
    theme, measure = load_theme("classic"), FontMeasure(faces, words.language)
    for number, (puzzle, steps) in enumerate(solved, 1):
        sentences = [(step, words.sentence(words.steps.text_of(step.sentence))) for step in steps]
        boards = StepPictures(puzzle, _CELL_PT, theme, measure)
        pictures = list(boards.of(sentences, f"puzzle-{number}-step"))
        rows = list(picture_rows(pictures, _IN_A_ROW, theme, measure, _LEAST_PT))
        if len(solved) > 1 or not rows:
            text = words.say(words.puzzle if rows else words.steps.no_steps, number=str(number))
            yield heading_row(text, max([_LEAST_PT, *(row.width_pt for row in rows)]), theme, measure)
        yield from rows


def _png(rows: Sequence[Frame], path: Path, faces: Faces) -> bytes:
    """Draw row by row, since a page is not as high as a long solve."""
    scale = _DPI / 72
    sizes = [(round(row.width_pt * scale), round(row.height_pt * scale)) for row in rows]
    width, height = max(width for width, _ in sizes), sum(height for _, height in sizes)
    if width * height > _MOST_PX:
        raise OutputError(
            f"{path}: the steps would make a PNG of {width} × {height} pixels. Choose .svg, or fewer puzzles."
        )
    sheet, top = Image.new("RGB", (width, height), "white"), 0
    for row, size in zip(rows, sizes, strict=True):
        sheet.paste(rasterise(row, size, PixelMode.RGB, faces=faces), (0, top))
        top += size[1]
    return png_bytes(sheet, _DPI)
