"""QR codes: the way from a printed board to one on a screen."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from linkpress.book.volume import NumberedPuzzle
from linkpress.errors import LayoutError
from linkpress.layout.frame import Frame, Rect, Rects
from linkpress.puzzle.notation.puzz_link import puzzle_url

QUIET_MODULES = 4  # of white on every side, as ISO/IEC 18004 asks
LONGEST = 300  # characters: 69 modules, the quiet zone included, of 0.29 mm in a code of 20 mm
STURDY = 120  # characters up to which a code may lose 15 % of itself; longer ones 7 %


def puzzle_text(template: str, puzzle: NumberedPuzzle, play_url: str | None = None) -> str:
    """Return what a puzzle's code says.

    Args:
        template: with ``{url}``, the puzzle's address, or ``{number}`` in it.
        play_url: where the book is played; None leads to puzz.link.
    Raises:
        LayoutError: the template has another name in braces, or the puzzle has no address.
    """
    values = {"number": str(puzzle.number)}
    if play_url:
        values["url"] = f"{play_url}#{puzzle.number}"
    elif "{url}" in template:
        board = puzzle.record.puzzle
        if board.grid.solids:
            raise LayoutError(
                f"puzzle {puzzle.number} has solid squares and puzz.link knows none, so there is no "
                "{url} for it. Give the book a player of its own with play.url, use an address with "
                "{number}, or levels without solids.",
                "qr.text",
            )
        values["url"] = puzzle_url(board, filled=puzzle.record.rule.covers)
    return _filled(template, values, "{url} and {number}")


def section_text(template: str, level: int, first: int, last: int, play_url: str | None = None) -> str:
    """Return what a level's code says.

    Args:
        template: with ``{level}``, counted from 1, ``{first}`` and ``{last}``, puzzle numbers, or ``{url}``,
            the first puzzle's address, in it.
        level: counted from 1.
        play_url: where the book is played; without it there is no ``{url}``.
    Raises:
        LayoutError: the template has another name in braces.
    """
    values = {"level": str(level), "first": str(first), "last": str(last)}
    if play_url:
        values["url"] = f"{play_url}#{first}"
    return _filled(template, values, "{level}, {first} and {last}")


def _filled(template: str, values: Mapping[str, str], known: str) -> str:
    try:
        text = template.format_map(values)
    except (KeyError, IndexError, ValueError, AttributeError) as fault:
        raise LayoutError(
            f"{template[:80]!r} can't be filled in; {known} are known here.", "qr.text"
        ) from fault
    if not 0 < len(text) <= LONGEST:
        raise LayoutError(f"{len(text)} characters; a code holds 1 to {LONGEST}.", "qr.text")
    return text


def qr_frame(text: str, size_pt: float) -> Frame:
    """A code as a square drawing, its quiet zone included."""
    level = "m" if len(text) <= STURDY else "l"
    import segno  # few books have codes: 20 ms

    code = segno.make(text, error=level, micro=False, boost_error=False)
    rows = [[bool(dark) for dark in row] for row in code.matrix]
    module = size_pt / (len(rows) + 2 * QUIET_MODULES)
    boxes: list[Rect] = []
    for index, row in enumerate(rows):
        y = size_pt - (QUIET_MODULES + index + 1) * module
        start = 0
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:
                boxes.append(((QUIET_MODULES + start) * module, y, length * module, module))
            start += length
    return Frame(size_pt, size_pt, (Rects(tuple(boxes)),))
