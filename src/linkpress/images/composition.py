"""Compose a board and its caption as one frame, with all sizes in whole pixels.

If the edge of a line is inside a pixel, the line gets grey edges. In a black-and-white image, it may even
become a pixel thicker than its neighbours. Therefore the width of the image in pixels is chosen first. Line
widths and cells are then chosen in whole pixels. The frame in points results from these, where a pixel is 72
/ dpi points. Grid lines and the outline are both centred on the borders of cells. Therefore their widths in
pixels must be both even or both odd.

From top to bottom, an image has the heading with details beside it, the board, the rules and a note. Each of
these parts is a ``PixelBlock``, a frame that is a whole number of pixels high.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

from linkpress.book.printing_keys import DifficultyMark
from linkpress.documents.models import SpecModel
from linkpress.documents.values import MM_PT, PixelMode, YesNo, one_of
from linkpress.errors import LayoutError, UsageError
from linkpress.images.image_files import PixelFrame, ShownPuzzle
from linkpress.images.image_settings import INCH_PT, Canvas, ImageSettings
from linkpress.layout.boards import (
    DISC_RADIUS,
    MARK,
    Board,
    BoardPart,
    marks_row,
    marks_width,
    smallest_cell_pt,
)
from linkpress.layout.frame import Anchor, Cap, FontKey, Frame, Item, Placed, Polyline
from linkpress.layout.text_flow import clear_leading, font_for, pieces, set_text, text_height
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.words import Words

PARTS = ("title", "number", "size", "difficulty", "marks", "rules", "solution")
CAPTION = "caption"  # name of the caption in error messages

# the day on which a puzzle is printed, and the day on which its solution is printed
Days = tuple[datetime.date, datetime.date]

MIN_TEXT_PT = 7.0
# Minimum cell width in pixels. Digits that are 5 pixels high can just be read, and digits fill 0.45 of
# a cell's height.
MIN_CELL_PX = 12

# A combined image shows a puzzle, and below it the solution of an earlier puzzle. If there is room, the
# solution has its caption beside it. The solution then fills at least the first and at most the second of
# these fractions of the image's width.
_MIN_SOLUTION_SHARE, _MAX_SOLUTION_SHARE = 0.42, 0.6
_GAP_PT = 6.0  # gap in points between the solution of an earlier puzzle and its caption

_ASCENT = 0.78  # height of ascenders in IBM Plex Sans, as a fraction of the type size
_DESCENT = 0.26  # depth of descenders in IBM Plex Sans, as a fraction of the type size
_LEADING = 1.3  # distance between baselines, as a multiple of the type size
_CAPITAL = 0.698  # height of capital letters in IBM Plex Sans, as a fraction of the type size
_GAP = 0.5  # space between the parts of a line, as a fraction of the heading's type size

_Texts = tuple[tuple[str, FontKey, float], ...]  # texts, each with its font and its type size in points


class CaptionSpec(SpecModel):
    """Settings of captions, which say what is printed above and below a board."""

    in_image: YesNo = True
    """Whether the words are drawn in the image. The manifest has them in any case."""
    title: YesNo = False
    """The title, as in `Number Link 12` instead of `Puzzle 12`."""
    number: YesNo = True
    """The puzzle's number."""
    size: YesNo = True
    """The board's size."""
    difficulty: Annotated[DifficultyMark, one_of(DifficultyMark)] = DifficultyMark.NONE
    """How hard the puzzle is: as `marks`, one to eight dots, as a `number` from 0 to 100, or not at all."""
    rules: YesNo = False
    """The rules, in one line."""
    solution: YesNo = True
    """When the solution follows (`Solution tomorrow`), and of which day it is (`Yesterday’s solution`)."""


def read_parts(parts: Iterable[str]) -> CaptionSpec:
    """Create the settings of a caption from the names of its parts, such as ``title`` and ``size``.

    Raises:
        UsageError: a part doesn't exist, or both ``difficulty`` and ``marks`` are given.
    """
    given = [name for part in parts if (name := part.strip().lower()) not in ("", "none")]
    unknown = [part for part in given if part not in PARTS]
    if unknown:
        raise UsageError(
            f"there is no caption part {unknown[0]!r}. Allowed: {', '.join(PARTS)}, joined by commas, "
            "or none."
        )
    if "difficulty" in given and "marks" in given:
        raise UsageError("a caption shows the difficulty as a number or as marks: give one of the two.")
    marks = {"marks": DifficultyMark.MARKS, "difficulty": DifficultyMark.NUMBER}
    mark = next((marks[part] for part in given if part in marks), DifficultyMark.NONE)
    flags = {part: part in given for part in ("title", "number", "size", "rules", "solution")}
    return CaptionSpec(in_image=bool(given), difficulty=mark, **flags)


@dataclass(frozen=True, slots=True)
class Caption:
    """Caption of one board. All its texts may be empty.

    Args:
        heading: the semibold text above the board.
        details: the text beside the heading, or below the heading if there is no room.
        marks: the number of difficulty marks from 1 to 8, or None for no marks.
        rules: the small text below the board: the rules, and how to colour a hidden picture.
        note: the last line below the board.
    """

    heading: str = ""
    details: str = ""
    marks: int | None = None
    rules: str = ""
    note: str = ""


def puzzle_caption(shown: ShownPuzzle, spec: CaptionSpec, words: Words, days: Days | None = None) -> Caption:
    """Return the caption of a puzzle.

    Args:
        shown: the puzzle.
        spec: the parts of the caption.
        words: the phrases of a language.
        days: the days on which the puzzle and its solution are printed. If None, the caption says that the
            solution follows tomorrow.
    """
    note = words.solution_on_day(days[1], days[0]) if days else words.solution_tomorrow
    rules = [words.rules_of((shown.puzzle,))] if spec.rules else []
    if key := words.colour_key(shown.puzzle):
        entries = (entry.replace(" ", "\N{NO-BREAK SPACE}") for entry in key.values())
        rules += [words.picture_rule, " · ".join(entries)]
    return Caption(
        heading=_heading(shown, spec, words),
        details=_details(shown, spec, words),
        marks=spec.difficulty.marks(shown.difficulty) or None,
        rules=" ".join(rules),
        note=note if spec.solution else "",
    )


def solution_caption(
    shown: ShownPuzzle, spec: CaptionSpec, words: Words, days: Days | None = None
) -> Caption:
    """Return the caption of a solution.

    See ``puzzle_caption`` for the arguments. If ``days`` is None, the caption doesn't mention any day.
    """
    if spec.solution and days is not None:
        return Caption(words.solution_of_day(*days), _heading(shown, spec, words))
    return Caption(words.say(words.solution_number, number=shown.number) if spec.number else "")


def _heading(shown: ShownPuzzle, spec: CaptionSpec, words: Words) -> str:
    if spec.title and shown.title:
        return f"{shown.title} {shown.number}" if spec.number else shown.title
    return words.say(words.puzzle, number=shown.number) if spec.number else ""


def _details(shown: ShownPuzzle, spec: CaptionSpec, words: Words) -> str:
    parts = []
    if spec.size:
        grid = shown.puzzle.grid
        parts.append(words.say(words.size, cols=grid.cols, rows=grid.rows))
    parts.append(spec.difficulty.number_text(shown.difficulty, words))
    return " · ".join(filter(None, parts))


class PixelBlock(NamedTuple):
    """Part of an image, such as a caption. The height of the part is a whole number of pixels.

    Args:
        frame: the drawing of the part.
        height_px: the height of the part.
        left_px: the distance of the part from the image's left edge.
        name: the name of the part, for the ids in an SVG file.
    """

    frame: Frame
    height_px: int
    left_px: int = 0
    name: str = "caption"


class _Line(NamedTuple):
    """Line of a caption: its texts, and the number of its difficulty marks if it has any."""

    texts: _Texts
    marks: int | None = None

    @property
    def size_pt(self) -> float:
        return max((size for _, _, size in self.texts), default=0.0)


class CaptionSetter:
    """Typeset the texts of captions as blocks that are whole pixels high.

    Fonts and type sizes come from the image settings.
    """

    def __init__(self, settings: ImageSettings) -> None:
        self._canvas = settings.canvas
        self._sizes = settings.theme.type
        self._measure = settings.measure

    def above(self, caption: Caption, width_px: int) -> tuple[PixelBlock, ...]:
        """Typeset the text above a board, including the gap between text and board.

        Args:
            caption: the caption.
            width_px: the width of the board.
        Returns:
            One block, or an empty tuple if the caption has no text above the board.
        Raises:
            LayoutError: a word is wider than the board.
        """
        width_pt = self._canvas.pt(width_px)
        lines = [_Line((text,)) for text in self._heading_lines(caption.heading, width_pt)]
        heading = lines.pop().texts if lines else ()
        details = ((caption.details, FontKey.REGULAR, self._sizes.caption),) if caption.details else ()
        for text, font, size in details:
            self._check_width(text, font, size, width_pt)
        lines += self._pack(heading, details, caption.marks, width_pt)
        return (self._block(lines, width_px, below_pt=0.42 * self._sizes.number),) if lines else ()

    def below(self, caption: Caption, width_px: int) -> tuple[PixelBlock, ...]:
        """Typeset the text below a board, including the gap between board and text.

        The method ``above`` has the same arguments, result and errors.
        """
        width_pt, small = self._canvas.pt(width_px), self._sizes.small
        lines = list(self._lines(caption.rules, FontKey.REGULAR, small, width_pt))
        note_pt = small if lines else self._sizes.caption
        lines += self._lines(caption.note, FontKey.SEMIBOLD, note_pt, width_pt)
        return (self._block(lines, width_px, above_pt=0.5 * self._sizes.caption),) if lines else ()

    def beside(self, caption: Caption, width_px: int) -> PixelBlock:
        """Typeset all texts of a caption below each other, in a column beside the board."""
        width_pt = self._canvas.pt(width_px)
        texts = self._texts_beside(caption)
        lines = [line for text, font, size in texts for line in self._lines(text, font, size, width_pt)]
        return self._block(lines, width_px)

    def fits_beside(self, caption: Caption, width_px: int) -> bool:
        """Return whether every word of a caption fits into a column that is ``width_px`` wide."""
        width_pt = self._canvas.pt(width_px)
        return all(
            self._width(word.strip(" "), font, size) <= width_pt
            for text, font, size in self._texts_beside(caption)
            for word in pieces(text, self._measure.language)
        )

    def _pack(self, heading: _Texts, details: _Texts, marks: int | None, width_pt: float) -> list[_Line]:
        """Put heading, details and difficulty marks on as few lines as possible.

        Raises:
            LayoutError: the difficulty marks are wider than the board.
        """
        arrangements = (
            [_Line(heading + details, marks)],
            [_Line(heading, marks), _Line(details)],
            [_Line(heading), _Line(details, marks)],
            [_Line(heading), _Line(details), _Line((), marks)],
        )
        for arrangement in arrangements:
            lines = [line for line in arrangement if line.texts or line.marks is not None]
            if all(self._line_width(line) <= width_pt for line in lines):
                return lines
        raise LayoutError(
            f"{marks} marks are wider than a board of {width_pt:.0f} pt. Make the image wider, or show the "
            "difficulty as a number."
        )

    def _heading_lines(self, text: str, width_pt: float) -> Iterator[tuple[str, FontKey, float]]:
        """Yield the lines of a heading.

        A heading that is too wide first gets a smaller type size. If it is still too wide, it is broken into
        lines.
        """
        size = self._sizes.number
        if self._width(text, FontKey.SEMIBOLD, size) > width_pt:
            size = min(size, self._sizes.caption)
        for line in self._wrap(text, FontKey.SEMIBOLD, size, width_pt):
            yield line, FontKey.SEMIBOLD, size

    def _texts_beside(self, caption: Caption) -> Iterator[tuple[str, FontKey, float]]:
        if caption.heading:
            yield caption.heading, FontKey.SEMIBOLD, self._sizes.caption
        for text in (caption.details, caption.note, caption.rules):
            if text:
                yield text, FontKey.REGULAR, self._sizes.caption

    def _block(
        self, lines: Sequence[_Line], width_px: int, above_pt: float = 0.0, below_pt: float = 0.0
    ) -> PixelBlock:
        """Typeset lines below each other, with ``above_pt`` of space above and ``below_pt`` below them."""
        canvas = self._canvas
        top = canvas.px(above_pt)
        baselines = []
        for index, line in enumerate(lines):
            size = line.size_pt or self._sizes.caption
            text = "".join(text for text, _, _ in line.texts)
            if index == 0:
                ascent = _ASCENT * size
                rise = text_height(text, size, ascent, self._measure)
                # If letters with accents are taller than letters such as h, leave one more pixel above them.
                top += canvas.px(rise) + (rise > ascent)
            else:
                top += canvas.px(clear_leading(text, size, _LEADING * size, self._measure))
            baselines.append(top)
        last_pt = lines[-1].size_pt if lines else 0.0
        height = top + canvas.px(max(below_pt, _DESCENT * last_pt)) if lines else 0
        items: list[Item] = []
        for line, baseline in zip(lines, baselines, strict=True):
            items += self._set_line(line, canvas.pt(width_px), canvas.pt(height - baseline))
        return PixelBlock(Frame(canvas.pt(width_px), canvas.pt(height), tuple(items)), height)

    def _set_line(self, line: _Line, width_pt: float, y: float) -> Iterator[Item]:
        x = 0.0
        for text, font, size in line.texts:
            run = set_text(text, (x, y), self._font(text, font), size, self._measure, Anchor.START)
            yield run
            x += run.width_pt + _GAP * self._sizes.number
        if line.marks is not None:
            size = self._sizes.caption
            middle = y + _CAPITAL * (line.size_pt or size) / 2
            width = marks_width(line.marks, MARK * size)
            left = width_pt - width if line.texts else 0.0
            yield marks_row(line.marks, left, middle, MARK * size)

    def _line_width(self, line: _Line) -> float:
        widths = [self._width(*text) for text in line.texts]
        if line.marks is not None:
            widths.append(marks_width(line.marks, MARK * self._sizes.caption))
        return sum(widths) + _GAP * self._sizes.number * (len(widths) - 1)

    def _lines(self, text: str, font: FontKey, size_pt: float, width_pt: float) -> Iterator[_Line]:
        for line in self._wrap(text, font, size_pt, width_pt):
            yield _Line(((line, font, size_pt),))

    def _wrap(self, text: str, font: FontKey, size_pt: float, width_pt: float) -> Iterator[str]:
        line = ""
        for word in pieces(text, self._measure.language):
            bare = word.strip(" ")
            self._check_width(bare, font, size_pt, width_pt)
            longer = line + word if line else bare
            if self._width(longer, font, size_pt) > width_pt:
                yield line
                longer = bare
            line = longer
        if line:
            yield line

    def _check_width(self, text: str, font: FontKey, size_pt: float, width_pt: float) -> None:
        if self._width(text, font, size_pt) > width_pt:
            raise LayoutError(
                f"the caption's words {text!r} are wider at {size_pt:g} pt than the board. Make the image "
                "wider, use a theme with smaller type, or leave the caption to the manifest."
            )

    def _width(self, text: str, font: FontKey, size_pt: float) -> float:
        return self._measure.width(text, self._font(text, font), size_pt)

    def _font(self, text: str, font: FontKey) -> FontKey:
        return font_for(text, font, self._measure, CAPTION)


# Boards


@dataclass(frozen=True, slots=True)
class BoardFit:
    """Sizes of a board in whole pixels. Width and height include the board's outline."""

    cell_px: int
    line_px: int
    outline_px: int
    width_px: int
    height_px: int


@dataclass(frozen=True, slots=True)
class Panel:
    """Board with its caption, ready to be composed as an image.

    Args:
        puzzle: the puzzle.
        solution: the solution to draw, or None to draw the unsolved puzzle.
        caption: the caption to draw, or None for no caption.
        parts: the parts of the board to draw.
        overlay: whether the image will be placed on top of the puzzle's image. Its lines then end before the
            numbers, and the space of the caption stays empty.
    """

    puzzle: Puzzle
    solution: Solution | None = None
    caption: Caption | None = None
    parts: frozenset[BoardPart] = frozenset(BoardPart)
    overlay: bool = False


def captioned_panel(
    shown: ShownPuzzle, spec: CaptionSpec, words: Words, days: Days | None = None, *, solved: bool = False
) -> tuple[Caption, Panel]:
    """Return the caption of a puzzle or of its solution, and a panel: the board, ready to be drawn.

    Args:
        shown: the puzzle.
        spec: the parts of the caption.
        words: the phrases of a language.
        days: the days on which the puzzle and its solution are printed, as for ``puzzle_caption``.
        solved: whether to draw the solution, with the solution's caption.
    """
    make_caption = solution_caption if solved else puzzle_caption
    caption = make_caption(shown, spec, words, days)
    solution = shown.solve() if solved else None
    return caption, Panel(shown.puzzle, solution, caption if spec.in_image else None)


def compose(panel: Panel, settings: ImageSettings) -> PixelFrame:
    """Compose one board as an image, with the largest cells that fit into the width of the image.

    Raises:
        LayoutError: the cells are too small, or the caption doesn't fit.
    """
    return _stack(_panel_blocks(panel, settings), settings.canvas)


def compose_pair(today: Panel, earlier: Panel | None, settings: ImageSettings) -> PixelFrame:
    """Compose today's puzzle across the whole width, with an earlier solution below it.

    Args:
        today: the puzzle.
        earlier: the earlier solution, or None on the first day of a feed.
        settings: the image settings.
    Raises:
        LayoutError: the cells are too small, or a caption doesn't fit.
    """
    canvas = settings.canvas
    blocks = _panel_blocks(today, settings)
    if earlier is not None:
        height = canvas.px(2 * _GAP_PT)
        blocks.append(PixelBlock(Frame(canvas.pt(1), canvas.pt(height), ()), height))
        blocks += _earlier_blocks(earlier, settings)
    return _stack(blocks, canvas)


def fit_board(rows: int, cols: int, canvas: Canvas, theme: Theme) -> BoardFit:
    """Return the sizes of a board, its cells and its lines in pixels.

    The board is as large as the image's width allows.
    """
    line = canvas.weight_px(theme.grid.inner_pt)
    outline = line + 2 * max(1, round((theme.grid.outer_pt * canvas.dpi / INCH_PT - line) / 2))
    cell = max(0, (canvas.width_px - outline) // cols)
    return BoardFit(cell, line, outline, cols * cell + outline, rows * cell + outline)


def fitted_theme(theme: Theme, fit: BoardFit, canvas: Canvas) -> Theme:
    """Return a theme whose line widths, and the gap around solid squares, are whole numbers of pixels."""
    grid = theme.grid.model_copy(
        update={"inner_pt": canvas.pt(fit.line_px), "outer_pt": canvas.pt(fit.outline_px)}
    )
    inset = theme.solids.inset_pt and canvas.pt(canvas.weight_px(theme.solids.inset_pt))
    solids = theme.solids.model_copy(update={"inset_pt": inset})
    return theme.model_copy(update={"grid": grid, "solids": solids})


def check_legible(rows: int, cols: int, number: int, settings: ImageSettings) -> None:
    """Check that a board's cells are large enough to read its numbers.

    Args:
        rows: the number of rows.
        cols: the number of columns.
        number: the board's highest number.
        settings: the image settings.
    Raises:
        LayoutError: the cells are too small. The message says which image width would be enough.
    """
    fit = fit_board(rows, cols, settings.canvas, settings.theme)
    least = _least_cell_px(number, settings)
    if fit.cell_px >= least:
        return
    canvas = settings.canvas
    needed_px = cols * least + fit.outline_px
    raise LayoutError(
        f"a board of {cols} × {rows} in {canvas.mm(canvas.width_px):.1f} mm at {canvas.dpi} dpi has "
        f"squares of {canvas.mm(fit.cell_px):.1f} mm ({fit.cell_px} pixels); {canvas.mm(least):.1f} mm "
        f"({least} pixels) is the least at which its numbers can be read. Make the image "
        f"{canvas.mm(needed_px) + 0.05:.1f} mm wide or more, or the board smaller."
    )


def _least_cell_px(number: int, settings: ImageSettings) -> int:
    """Return the minimum cell width in pixels at which numbers up to ``number`` are legible."""
    needed_pt = smallest_cell_pt(number, settings.theme, settings.measure, MIN_TEXT_PT)
    return max(MIN_CELL_PX, settings.canvas.px(needed_pt), settings.canvas.px(settings.min_cell_mm * MM_PT))


def _panel_blocks(panel: Panel, settings: ImageSettings) -> list[PixelBlock]:
    """Return the parts of an image of one board, from top to bottom: texts of the caption, and the board.

    They are horizontally centred in the image.
    """
    canvas, grid = settings.canvas, panel.puzzle.grid
    check_legible(grid.rows, grid.cols, max(panel.puzzle.number_at.values()), settings)
    fit = fit_board(grid.rows, grid.cols, canvas, settings.theme)
    left = (canvas.width_px - fit.width_px) // 2
    board = _board_block(panel, fit, settings)
    if panel.caption is None:
        return [board._replace(left_px=left)]
    setter = CaptionSetter(settings)
    above, below = setter.above(panel.caption, fit.width_px), setter.below(panel.caption, fit.width_px)
    if panel.overlay:
        above, below = _emptied(above), _emptied(below)
    return [block._replace(left_px=left) for block in (*above, board, *below)]


def _emptied(blocks: Sequence[PixelBlock]) -> tuple[PixelBlock, ...]:
    return tuple(block._replace(frame=replace(block.frame, items=())) for block in blocks)


def _board_block(panel: Panel, fit: BoardFit, settings: ImageSettings) -> PixelBlock:
    canvas = settings.canvas
    theme = fitted_theme(settings.theme, fit, canvas)
    puzzle = panel.puzzle
    if settings.mode is PixelMode.ONE_BIT:
        # One-bit images have neither colours nor greys, so the paths of a hidden picture are drawn as lines.
        puzzle = replace(puzzle, colours=())
    board = Board(puzzle, canvas.pt(fit.cell_px), theme, settings.measure, MIN_TEXT_PT)
    what = "puzzle" if panel.solution is None else "solution"
    radius_pt = DISC_RADIUS * canvas.pt(fit.cell_px)
    items = tuple(
        Placed(f"{what}-{part}-{index}", _shortened(layer, radius_pt) if panel.overlay else layer, 0.0, 0.0)
        for index, (part, layer) in enumerate(board.layers(panel.solution))
        if layer.items and part in panel.parts
    )
    frame = Frame(canvas.pt(fit.width_px), canvas.pt(fit.height_px), items)
    return PixelBlock(frame, fit.height_px, name="board")


def _shortened(layer: Frame, by_pt: float) -> Frame:
    """Shorten the lines of a drawing at both ends, and return the changed drawing.

    The drawing has the paths of a solution, which begin and end at numbers. The shortened lines don't cover
    these numbers.

    Args:
        by_pt: the length in points to remove at each end.
    """
    items = tuple(_shorten_line(item, by_pt) if isinstance(item, Polyline) else item for item in layer.items)
    return replace(layer, items=items)


def _shorten_line(line: Polyline, by_pt: float) -> Polyline:
    first, last = (
        (x + by_pt * (x1 > x) - by_pt * (x1 < x), y + by_pt * (y1 > y) - by_pt * (y1 < y))
        for (x, y), (x1, y1) in (line.points[:2], line.points[:-3:-1])
    )
    return replace(line, points=(first, *line.points[1:-1], last), cap=Cap.BUTT)


def _earlier_blocks(panel: Panel, settings: ImageSettings) -> list[PixelBlock]:
    """Return the blocks, from top to bottom, that show an earlier puzzle's solution and its caption.

    If there is room, the solution is drawn small, with its caption to the right. Otherwise, it is as wide as
    the image allows, with its caption above and below, as in an image that shows only one board.
    """
    canvas, grid = settings.canvas, panel.puzzle.grid
    whole = fit_board(grid.rows, grid.cols, canvas, settings.theme)
    least_px = max(
        int(_MIN_SOLUTION_SHARE * canvas.width_px),
        grid.cols * _least_cell_px(max(panel.puzzle.number_at.values()), settings),
    )
    small_canvas = Canvas(least_px + 2 * whole.outline_px, canvas.dpi)
    small = fit_board(grid.rows, grid.cols, small_canvas, settings.theme)
    left, gap = (canvas.width_px - whole.width_px) // 2, canvas.px(_GAP_PT)
    caption_px = whole.width_px - small.width_px - 2 * gap
    caption, setter = panel.caption or Caption(), CaptionSetter(settings)
    is_too_wide = small.width_px > _MAX_SOLUTION_SHARE * canvas.width_px
    if is_too_wide or not setter.fits_beside(caption, caption_px):
        return _panel_blocks(panel, settings)
    board = _board_block(panel, small, settings)
    words = setter.beside(caption, caption_px)
    height = max(board.height_px, words.height_px)
    x, y = canvas.pt(small.width_px + 2 * gap), canvas.pt(height - words.height_px)
    items = (
        Placed("earlier-board", board.frame, 0.0, canvas.pt(height - board.height_px)),
        Placed("earlier-words", words.frame, x, y),
    )
    return [PixelBlock(Frame(canvas.pt(whole.width_px), canvas.pt(height), items), height, left, "earlier")]


def _stack(blocks: Sequence[PixelBlock], canvas: Canvas) -> PixelFrame:
    """Stack blocks from top to bottom into a single image."""
    height = sum(block.height_px for block in blocks)
    items, below = [], height
    for index, block in enumerate(blocks):
        below -= block.height_px
        if block.frame.items:
            x, y = canvas.pt(block.left_px), canvas.pt(below)
            items.append(Placed(f"{block.name}-{index}", block.frame, x, y))
    frame = Frame(canvas.pt(canvas.width_px), canvas.pt(height), tuple(items))
    return PixelFrame(frame, (canvas.width_px, height))
