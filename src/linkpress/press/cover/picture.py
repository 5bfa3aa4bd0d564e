"""The picture on the front: a real puzzle of the book with some of its lines drawn."""

from __future__ import annotations

from typing import NamedTuple

from linkpress.layout.boards.board import board_frame
from linkpress.layout.frame import PAPER, Item, NamedFrame, Placed, Rects, TextRun
from linkpress.layout.geometry import Area
from linkpress.layout.measure import Measure
from linkpress.layout.theme import load_theme
from linkpress.puzzle.puzzle import Solution

DRAWN_SHARE = 0.5  # of the paths: enough to show the game, too little to spoil it
MARGIN = 0.06  # of the panel, white around the board
LARGEST_CELL_PT = 96.0


class Picture(NamedTuple):
    """A panel with a board on it.

    Args:
        items: of panel and board; none where there is no room at all.
        height_pt: of the panel.
        text_pt: size of the board's smallest number.
    """

    items: tuple[Item, ...] = ()
    height_pt: float = 0.0
    text_pt: float = 0.0


def draw_picture(solution: Solution, area: Area, measure: Measure) -> Picture:
    """A white panel with the half-drawn board, as large as the area takes, in its middle.

    Args:
        solution: of the puzzle.
        area: what is free on the front.
        measure: measures the numbers.
    """
    grid = solution.puzzle.grid
    theme = load_theme("colour")
    inner = 1 - 2 * MARGIN
    outline = theme.grid.outer_pt
    room = min(area.width * inner - outline, LARGEST_CELL_PT * grid.cols)
    cell = min(room / grid.cols, (area.height * inner - outline) / grid.rows, LARGEST_CELL_PT)
    if cell <= 0:
        return Picture()
    frame = board_frame(solution.puzzle, _half_drawn(solution), cell, theme, measure)
    pad = MARGIN * max(frame.width_pt, frame.height_pt) / inner
    width, height = frame.width_pt + 2 * pad, frame.height_pt + 2 * pad
    x, y = area.centre - width / 2, area.y + (area.height - height) / 2
    board = Placed(NamedFrame("cover-puzzle", frame), x + pad, y + pad)
    text_pt = min(item.size_pt for item in frame.items if isinstance(item, TextRun))
    return Picture((Rects(((x, y, width, height),), PAPER), board), height, text_pt)


def _half_drawn(solution: Solution) -> Solution:
    """The longer paths, up to half of them: they show best how lines run."""
    longest = sorted(solution.paths, key=lambda path: (-len(path.cells), path.number))
    kept = {path.number for path in longest[: max(1, round(len(longest) * DRAWN_SHARE))]}
    return Solution(solution.puzzle, tuple(path for path in solution.paths if path.number in kept))
