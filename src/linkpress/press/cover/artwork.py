"""What is drawn on a cover: a real puzzle of the book with some of its lines, and the ISBN as EAN-13."""

from __future__ import annotations

import math
from typing import NamedTuple

from linkpress.book.book_values import isbn_13
from linkpress.documents.lengths import MM_PT
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.frame import BLACK, PAPER, Anchor, Area, FontKey, Item, Placed, Rects, TextRun
from linkpress.layout.measure import Measure, set_text
from linkpress.layout.theme import Theme, load_theme
from linkpress.puzzle.puzzle import Puzzle, Solution

DRAWN_SHARE = 0.5  # of the paths: enough to show the game, too little to spoil it
MARGIN = 0.06  # of the panel, white around the board
LARGEST_CELL_PT = 96.0
MAGNIFICATION = 0.9  # of the nominal size; 0.8 is the least that readers are made for
_BAR_PT = 0.33 * MM_PT * MAGNIFICATION
_HEIGHT_PT = 25.93 * MM_PT * MAGNIFICATION
_FIGURES_PT = 9.0
_LABEL_PT = 8.0


class Picture(NamedTuple):
    """A panel with a board on it.

    Args:
        items: of panel and board; none where there is no room at all.
        text_pt: size of the board's smallest number; infinite where it shows none.
    """

    items: tuple[Item, ...] = ()
    text_pt: float = 0.0


def draw_panel(
    puzzle: Puzzle, drawn: Solution | None, area: Area, measure: Measure, book: Theme, name: str
) -> Picture:
    """Draw a white panel with a board, as large as the area takes, in its middle."""
    grid = puzzle.grid
    theme = cover_theme(book)
    inner = 1 - 2 * MARGIN
    outline = theme.grid.outer_pt
    room = min(area.width * inner - outline, LARGEST_CELL_PT * grid.cols)
    cell = min(room / grid.cols, (area.height * inner - outline) / grid.rows, LARGEST_CELL_PT)
    if cell <= 0:
        return Picture()
    frame = board_frame(puzzle, drawn, cell, theme, measure)
    pad = MARGIN * max(frame.width_pt, frame.height_pt) / inner
    width, height = frame.width_pt + 2 * pad, frame.height_pt + 2 * pad
    x, y = area.centre - width / 2, area.y + (area.height - height) / 2
    board = Placed(name, frame, x + pad, y + pad)
    sizes = (item.size_pt for item in frame.items if isinstance(item, TextRun))
    text_pt = min(sizes, default=math.inf)
    return Picture((Rects(((x, y, width, height),), PAPER), board), text_pt)


def cover_theme(book: Theme) -> Theme:
    """Return the theme of boards on a cover: in colour, with dots where the book has dots."""
    theme = load_theme("colour")
    return theme.model_copy(update={"numbers": book.numbers}) if book.numbers.is_dots else theme


def half_drawn(solution: Solution) -> Solution:
    """Return the longer paths, up to half of them: they show best how lines run."""
    longest = sorted(solution.paths, key=lambda path: (-len(path.cells), path.number))
    drawn = {path.number for path in longest[: max(1, round(len(longest) * DRAWN_SHARE))]}
    return Solution(solution.puzzle, tuple(path for path in solution.paths if path.number in drawn))


def barcode_items(isbn: str, label: str, area: Area, measure: Measure) -> list[Item]:
    """Return the barcode with its figures, and the ISBN in words above it.

    Args:
        isbn: checked, with or without hyphens.
        area: white; the bars are centred in it.
    """
    from reportlab.graphics import shapes as reportlab_shapes
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget

    widget = Ean13BarcodeWidget(
        isbn_13(isbn)[:12], barWidth=_BAR_PT, barHeight=_HEIGHT_PT, fontSize=_FIGURES_PT
    )
    widget.x = area.centre - widget.width / 2
    block = _HEIGHT_PT + 4 + _LABEL_PT * 0.7
    widget.y = area.y + (area.height - block) / 2
    _frame, *shapes = widget.draw().contents
    bars = tuple((s.x, s.y, s.width, s.height) for s in shapes if isinstance(s, reportlab_shapes.Rect))
    figures = [s for s in shapes if isinstance(s, reportlab_shapes.String)]
    words = [(s.text, (s.x, s.y), _FIGURES_PT, Anchor(s.textAnchor)) for s in figures]
    words.append((label, (area.centre, widget.y + _HEIGHT_PT + 4), _LABEL_PT, Anchor.MIDDLE))
    texts = (
        set_text(text, point, FontKey.REGULAR, size, measure, anchor) for text, point, size, anchor in words
    )
    return [Rects(bars, BLACK), *texts]
