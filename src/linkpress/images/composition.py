"""A newspaper's figure is composed here: board and words as one frame of whole pixels.

From the top down it has the heading with what stands beside it, the board, the rules and a note.
Every part is a frame of whole pixels, so that each board lands on the pixels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from linkpress.documents.values import MM_PT
from linkpress.errors import LayoutError
from linkpress.images.image_captions import (
    Caption,
    CaptionSpec,
    Days,
    PixelBlock,
    ShownPuzzle,
    puzzle_caption,
    solution_caption,
)
from linkpress.images.image_settings import ImageSettings
from linkpress.images.pixels import BoardFit, Canvas, PixelFrame, fit_board, fitted_theme
from linkpress.layout.boards import DISC_RADIUS, Board, BoardPart, smallest_cell_pt
from linkpress.layout.frame import Cap, Frame, Placed, Polyline
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words.language import Words

MIN_TEXT_PT = 7.0
# Figures 5 pixels high can just be told apart; they take 0.45 of a square.
MIN_CELL_PX = 12

# An earlier solution stands beside its words where both have room, else above them.
_SIDE_SHARE, _MOST_SIDE_SHARE = 0.42, 0.6
_GAP_PT = 6.0


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel is one board with its words.

    Args:
        solution: the answer, or None for the puzzle as it is to be solved.
        parts: the parts of the board that are drawn.
        overlay: whether the answer is to lie over the puzzle's image: its lines end where numbers stand,
            and the caption's room stays empty.
    """

    puzzle: Puzzle
    solution: Solution | None = None
    caption: Caption | None = None
    parts: frozenset[BoardPart] = frozenset(BoardPart)
    overlay: bool = False


def captioned_panel(
    shown: ShownPuzzle, style: CaptionSpec, words: Words, days: Days | None = None, *, solved: bool = False
) -> tuple[Caption, Panel]:
    """Return a puzzle's or solution's caption, and its panel; undated images have no days."""
    say = solution_caption if solved else puzzle_caption
    caption = say(shown, style, words, days)
    solution = shown.solve() if solved else None
    return caption, Panel(shown.puzzle, solution, caption if style.in_image else None)


def compose(panel: Panel, style: ImageSettings) -> PixelFrame:
    """Compose one board over the whole width; raise ``LayoutError`` if its squares or words don't fit."""
    return _stack(_panel_parts(panel, style), style.canvas)


def compose_pair(today: Panel, earlier: Panel | None, style: ImageSettings) -> PixelFrame:
    """Compose today's puzzle over the whole width, an earlier solution below; raise as ``compose`` does."""
    parts = _panel_parts(today, style)
    if earlier is not None:
        height = style.canvas.px(2 * _GAP_PT)
        parts.append(PixelBlock(Frame(style.canvas.pt(1), style.canvas.pt(height), ()), height))
        parts += _earlier_parts(earlier, style)
    return _stack(parts, style.canvas)


def least_cell_px(number: int, style: ImageSettings) -> int:
    """Return the smallest squares in which the numbers up to this one are legible."""
    needed = smallest_cell_pt(number, style.theme, style.measure, MIN_TEXT_PT)
    return max(MIN_CELL_PX, style.canvas.px(needed), style.canvas.px(style.min_cell_mm * MM_PT))


def check_legible(rows: int, cols: int, number: int, style: ImageSettings) -> None:
    """Raise ``LayoutError``, with what would be enough, for a board whose numbers could not be read."""
    fit = fit_board(rows, cols, style.canvas, style.theme)
    least = least_cell_px(number, style)
    if fit.cell_px >= least:
        return
    canvas = style.canvas
    needed_px = cols * least + fit.outline_px
    raise LayoutError(
        f"a board of {cols} × {rows} in {canvas.mm(canvas.width_px):.1f} mm at {canvas.dpi} dpi has "
        f"squares of {canvas.mm(fit.cell_px):.1f} mm ({fit.cell_px} pixels); {canvas.mm(least):.1f} mm "
        f"({least} pixels) is the least at which its numbers can be read. Make the image "
        f"{canvas.mm(needed_px) + 0.05:.1f} mm wide or more, or the board smaller."
    )


def _panel_parts(panel: Panel, style: ImageSettings) -> list[PixelBlock]:
    grid = panel.puzzle.grid
    fit = fit_board(grid.rows, grid.cols, style.canvas, style.theme)
    check_legible(grid.rows, grid.cols, max(panel.puzzle.number_at.values()), style)
    left = (style.canvas.width_px - fit.width_px) // 2
    board = _board_part(panel, fit, style)
    if panel.caption is None:
        return [board._replace(left_px=left)]
    head = style.type.head(panel.caption, fit.width_px)
    foot = style.type.foot(panel.caption, fit.width_px)
    if panel.overlay:
        head, foot = _emptied(head), _emptied(foot)
    return [block._replace(left_px=left) for block in (*head, board, *foot)]


def _emptied(blocks: Sequence[PixelBlock]) -> tuple[PixelBlock, ...]:
    return tuple(block._replace(frame=replace(block.frame, items=())) for block in blocks)


def _board_part(panel: Panel, fit: BoardFit, style: ImageSettings) -> PixelBlock:
    canvas = style.canvas
    theme = fitted_theme(style.theme, fit, canvas)
    board = Board(panel.puzzle, canvas.pt(fit.cell_px), theme, style.measure, MIN_TEXT_PT)
    shown = "puzzle" if panel.solution is None else "solution"
    around_pt = DISC_RADIUS * canvas.pt(fit.cell_px)
    items = (
        Placed(
            f"{shown}-{part}-{index}", _without_ends(layer, around_pt) if panel.overlay else layer, 0.0, 0.0
        )
        for index, (part, layer) in enumerate(board.layers(panel.solution))
        if layer.items and part in panel.parts
    )
    whole = Frame(canvas.pt(fit.width_px), canvas.pt(fit.height_px), tuple(items))
    return PixelBlock(whole, fit.height_px, name="board")


def _without_ends(layer: Frame, around_pt: float) -> Frame:
    """Shorten lines that end at a square's middle, where its number stands."""
    items = tuple(_cut_short(item, around_pt) if isinstance(item, Polyline) else item for item in layer.items)
    return replace(layer, items=items)


def _cut_short(line: Polyline, by_pt: float) -> Polyline:
    first, last = (
        (x + by_pt * (x1 > x) - by_pt * (x1 < x), y + by_pt * (y1 > y) - by_pt * (y1 < y))
        for (x, y), (x1, y1) in (line.points[:2], line.points[:-3:-1])
    )
    return replace(line, points=(first, *line.points[1:-1], last), cap=Cap.BUTT)


def _earlier_parts(panel: Panel, style: ImageSettings) -> list[PixelBlock]:
    """Place a solution at the left with its words beside it, or below them where the column is narrow."""
    canvas, grid = style.canvas, panel.puzzle.grid
    whole = fit_board(grid.rows, grid.cols, canvas, style.theme)
    share_px = max(
        int(_SIDE_SHARE * canvas.width_px),
        grid.cols * least_cell_px(max(panel.puzzle.number_at.values()), style),
    )
    small = fit_board(grid.rows, grid.cols, Canvas(share_px + 2 * whole.outline_px, canvas.dpi), style.theme)
    left = (canvas.width_px - whole.width_px) // 2
    gap = canvas.px(_GAP_PT)
    room = whole.width_px - small.width_px - 2 * gap
    caption = panel.caption or Caption()
    if small.width_px > _MOST_SIDE_SHARE * canvas.width_px or not style.type.fits_beside(caption, room):
        return _panel_parts(panel, style)
    board = _board_part(panel, small, style)
    words = style.type.beside(caption, room)
    height = max(board.height_px, words.height_px)
    beside = canvas.pt(small.width_px + 2 * gap), canvas.pt(height - words.height_px)
    items = (
        Placed("earlier-board", board.frame, 0.0, canvas.pt(height - board.height_px)),
        Placed("earlier-words", words.frame, *beside),
    )
    return [PixelBlock(Frame(canvas.pt(whole.width_px), canvas.pt(height), items), height, left, "earlier")]


def _stack(parts: Sequence[PixelBlock], canvas: Canvas) -> PixelFrame:
    height = sum(part.height_px for part in parts)
    items, below = [], height
    for index, part in enumerate(parts):
        below -= part.height_px
        if part.frame.items:
            items.append(
                Placed(f"{part.name}-{index}", part.frame, canvas.pt(part.left_px), canvas.pt(below))
            )
    frame = Frame(canvas.pt(canvas.width_px), canvas.pt(height), tuple(items))
    return PixelFrame(frame, (canvas.width_px, height))
