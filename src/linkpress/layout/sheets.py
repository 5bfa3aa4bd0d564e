"""Arrange the boards of puzzles and answers in equal tiles on pages.

1. ``tile_page`` divides a page into equal tiles, so that the cells become as large as possible.
2. ``SheetMaker`` decides how many puzzles are on a page. ``sections.AnswerPages`` does the same for answers.
3. ``BoardSheets`` draws the pages. ``Captions`` draws the caption of each board, with its text, difficulty
   marks and writing lines.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from linkpress.book.printing_keys import CaptionsSpec, PageSpec, QrPer, QrSpec, SolutionsPlace
from linkpress.book.puzzle_names import longest_names
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.inks import picture_inks
from linkpress.documents.values import MM_PT
from linkpress.engine.rulesets import ruleset_of
from linkpress.errors import LayoutError
from linkpress.layout.boards import MARK, cell_for_size, marks_row, marks_width, smallest_cell_pt
from linkpress.layout.frame import (
    BLACK,
    Anchor,
    Area,
    FontKey,
    Frame,
    Placed,
    Polyline,
    Rect,
    Rects,
    Role,
    Tag,
)
from linkpress.layout.page_draft import ASCENT, Index, PageDraft, puzzle_place, solution_place
from linkpress.layout.setting import LARGE_PRINT_LEAST_PT, Setting
from linkpress.layout.text_flow import break_lines, text_block
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.puzzle.pzpr import puzzle_url
from linkpress.words import Words

# Minimum cell width of a puzzle in millimetres. In smaller cells, pencil lines are too close together.
LEAST_CELL_MM = 5.0
# Maximum cell width of a puzzle in millimetres. In larger cells, the pencil has to move too far.
LARGEST_CELL_MM = 17.0
LARGEST_ANSWER_MM = 7.0  # maximum cell width of an answer in millimetres

# Maximum cell width of a puzzle in millimetres if the spec sets ``page.fill``. It is so large that only the
# size of the page limits the cells.
FILLING_CELL_MM = 60.0

# If the spec says ``per_page: auto``, linkpress chooses the number of boards on a page. Then these are the
# minimum cell width and the minimum length of a board's longer side, in millimetres. Readers of other books
# complained about pages of four boards that were smaller than 3 in (76 mm).
COMFORTABLE_CELL_MM = 7.0
COMFORTABLE_BOARD_MM = 70.0
LARGE_PRINT_PT = 18.0  # minimum type size in points of a puzzle's numbers in large print

# Among the possible layouts of a page, those with the widest cells are the best. A layout whose cells have at
# least this fraction of the greatest width counts as equally good.
NEARLY = 0.95
# With one of these numbers of boards on a page, one row may have fewer boards than the other rows.
UNEVEN = (3, 5, 8)
# An area of a page is divided into equal tiles, with one board in each. The gap between two tiles is
# ``GAP_SHARE`` of the width of this area, and at least ``LEAST_GAP_PT`` points.
LEAST_GAP_PT = 18.0
GAP_SHARE = 0.05
PER_PAGE = (9, 6, 4, 2, 1)  # numbers of puzzles on a page that are tried if the spec says ``per_page: auto``

# Fraction of the free height that is below the board on a page with only one board. With slightly more than
# half, the board looks centred.
LIFT = 0.56
# Maximum gap between two columns of boards or two rows of answers, as a fraction of the board's size.
MOST_GAP = 0.36
# A link to a board leads to a position this many points above its caption. With a smaller distance, PDF
# viewers might cut off the top of the caption.
TARGET_RISE_PT = 6.0
# Width of a puzzle's QR code in points. A QR code with the puzz.link address of a 12 × 12 board is 41 modules
# wide, plus 4 modules of white margin on each side. One module is then 0.4 mm wide.
QR_PT = 56.0
QR_GAP_PT = 10.0  # gap in points between a board and the QR code to its right
_QR_GAP_BELOW_PT = 2.0  # gap in points between a board and the QR code below it
_QUIET_ZONE = 0.09  # width of a QR code's white margin, as a fraction of ``QR_PT``

LINE = 1.35  # distance between the baselines of a caption's lines, as a multiple of the type size
CAPTION_GAP_PT = 3.0  # minimum gap in points between the captions of two neighbouring boards

# Height of the space below a board for the reader's solving time, as a multiple of the type size.
TIME_LEADING = 2.2
# Minimum width in points of the list of colours below a board that hides a picture.
LEAST_COLOUR_KEY_PT = 110.0

# Distance between the baselines of a colour key, which lists the colours of the hidden picture below a board,
# as a multiple of the type size.
COLOUR_KEY_LEADING = 1.4

# Length of the line on which readers write their solving time, as a multiple of the type size.
TIME_RULE = 8.0
# A page number of maximum width, for checking whether a caption has room for any page number.
WIDEST_PAGE = 888
QUIET_MODULES = 4  # width in modules of the white margin around a QR code, as required by ISO/IEC 18004

# Maximum number of characters in a QR code. With white margin, such a code is 69 modules wide. If its width
# is 20 mm, one module is 0.29 mm wide.
LONGEST_CODE = 300
# A QR code of at most this many characters stays readable if up to 15 % of it is damaged. A longer code only
# tolerates 7 %.
STURDY_CODE = 120


class Shape(NamedTuple):
    """Number of rows, number of columns and widest printed number of one or more boards.

    Boards with the same three values need the same space on a page.

    Attributes:
        grid: the grid of one of the boards.
        widest: a number as wide as the widest number on the boards.
        puzzle: the printed number of the first of these boards, for error messages.
    """

    grid: Grid
    widest: int
    puzzle: int


def shapes_of(puzzles: Iterable[NumberedPuzzle]) -> tuple[Shape, ...]:
    """Return a ``Shape`` for each group of boards that have the same size and equally wide numbers.

    The groups are in the order in which they first occur among the puzzles.
    """
    shapes: dict[tuple[int, int, int], Shape] = {}
    for puzzle in puzzles:
        board = puzzle.record.puzzle
        digits = len(str(board.pairs[-1].number))
        key = board.grid.rows, board.grid.cols, digits
        if key not in shapes:
            shapes[key] = Shape(board.grid, int("8" * digits), puzzle.number)
    return tuple(shapes.values())


def largest_cell_mm(page: PageSpec) -> float:
    return page.max_cell_mm or (FILLING_CELL_MM if page.fill else LARGEST_CELL_MM)


def counts_up_to(boards: int, counts: Sequence[int]) -> tuple[int, ...]:
    """Return the numbers of boards per page to try for a level with ``boards`` boards.

    The smallest number that puts all boards on one page is enough. Larger numbers are omitted, because they
    would leave tiles empty.

    Args:
        boards: the number of boards in the level.
        counts: possible numbers of boards per page, in descending order down to 1.
    """
    enough = min((count for count in counts if count >= boards), default=counts[0])
    return tuple(count for count in counts if count <= enough)


@dataclass(frozen=True)
class Tiling:
    """Division of a page into equal tiles, with one board in each tile.

    Args:
        area: the part of the page that is divided.
        gap_pt: the gap between neighbouring tiles, in both directions.
        caption_pt: the height of the space above each board.
        most_pt: the maximum cell width.
        outline_pt: the line width of a board's outline. Half of it is outside the board.
        foot_pt: the height of the space below each board.
        beside_pt: the width of the space to the right of each board.
        short: the number of tiles that are missing from one row; 0 if all rows have the same number. The
            shorter row is the middle row, or the last row if there is no middle row.
    """

    rows: int
    cols: int
    area: Area
    gap_pt: float
    caption_pt: float
    most_pt: float
    outline_pt: float
    foot_pt: float = 0.0
    beside_pt: float = 0.0
    short: int = 0

    @property
    def count(self) -> int:
        return self.rows * self.cols - self.short

    def place(self, index: int) -> tuple[int, float]:
        """Return the row and column of a tile, given its index in reading order.

        A tile is the part of the page that holds one board. The tiles of a short row are centred, so their
        columns may be fractional numbers.
        """
        lacking = self.rows // 2 if self.rows % 2 else self.rows - 1
        before = lacking * self.cols
        if index < before:
            return divmod(index, self.cols)
        if index < before + self.cols - self.short:
            return lacking, index - before + self.short / 2
        return divmod(index + self.short, self.cols)

    @cached_property
    def size_pt(self) -> tuple[float, float]:
        return (
            (self.area.width - (self.cols - 1) * self.gap_pt) / self.cols,
            (self.area.height - (self.rows - 1) * self.gap_pt) / self.rows,
        )

    def tile(self, index: int) -> Area:
        """Return the rectangle of a tile, the part of the page that holds one board.

        Args:
            index: the index of the tile in reading order.
        """
        row, col = self.place(index)
        width, height = self.size_pt
        left = self.area.x + col * (width + self.gap_pt)
        return Area(left, self.area.top - (row + 1) * height - row * self.gap_pt, width, height)

    def cell_pt(self, grid: Grid) -> float:
        """Return the largest cell width in points with which a board fits into its tile."""
        width, height = self.size_pt
        across = (width - self.beside_pt - self.outline_pt) / grid.cols
        down = (height - self.caption_pt - self.foot_pt - self.outline_pt) / grid.rows
        return min(across, down, self.most_pt)

    def board_pt(self, grid: Grid) -> float:
        """Return the width of a board including its outline, in points."""
        return grid.cols * self.cell_pt(grid) + self.outline_pt

    def misfit(self, grid: Grid) -> float:
        """Return how much the proportions of a tile and of its board differ; 0 if they are equal."""
        width, height = self.size_pt
        high, wide = height - self.caption_pt - self.foot_pt, width - self.beside_pt
        return abs(math.log(max(high, 1.0) / max(wide, 1.0) * grid.cols / grid.rows))


def tile_page(
    setting: Setting,
    area: Area,
    per_page: int,
    shapes: Iterable[Shape],
    *,
    words_pt: tuple[float, float],
    most_mm: float,
    code: tuple[float, float] | None = None,
) -> Tiling:
    """Divide an area into tiles so that the smallest cell becomes as large as possible.

    If several divisions give cells of nearly the same size, the boards decide. For boards of one size, the
    tiles should have nearly the same proportions as the boards. For boards of several sizes, the total area
    of the boards should be as large as possible.

    Args:
        per_page: the number of tiles. For three, five or eight tiles, one row may be shorter than the others.
        words_pt: the heights of the spaces above and below each board.
        most_mm: the maximum cell width.
        code: the height of a QR code below a board and the width of a QR code beside a board, or None if
            boards have no QR codes.
    """
    gap = max(LEAST_GAP_PT, GAP_SHARE * area.width)
    caption_pt, foot_pt = words_pt
    extras = [(foot_pt, 0.0)] if code is None else [(foot_pt, code[1]), (max(foot_pt, code[0]), 0.0)]
    choices = [
        Tiling(
            rows,
            cols,
            area,
            gap_pt=gap,
            caption_pt=caption_pt,
            most_pt=most_mm * MM_PT,
            outline_pt=setting.theme.grid.outer_pt,
            foot_pt=foot,
            beside_pt=beside,
            short=short,
        )
        for rows in range(1, per_page + 1)
        for cols in [-(-per_page // rows)]
        for short in [rows * cols - per_page]
        if short == 0 or (per_page in UNEVEN and 0 < short < cols)
        for foot, beside in extras
    ]
    grids = [shape.grid for shape in shapes]
    cells = {tiling: min(tiling.cell_pt(grid) for grid in grids) for tiling in choices}
    best = max(cells.values())
    near = [tiling for tiling in choices if cells[tiling] >= min(best, NEARLY * best)]
    if len(set(grids)) > 1:
        return max(near, key=lambda tiling: sum(tiling.cell_pt(g) ** 2 * g.rows * g.cols for g in grids))
    return min(near, key=lambda tiling: max(tiling.misfit(grid) for grid in grids))


def least_cell_pt(setting: Setting, shape: Shape, answer: bool) -> tuple[float, str]:
    """Return the minimum cell width of a board in points, and a phrase for error messages that says why."""
    theme, measure, page = setting.theme, setting.measure, setting.page
    text_pt = setting.profile.limits.text_pt
    needed = smallest_cell_pt(shape.widest, theme, measure, text_pt)
    rules = [(needed, f"{setting.profile.name}'s least type of {text_pt:g} pt, for the numbers,")]
    if page.large_print and not (answer and setting.allows_small_answers):
        size = LARGE_PRINT_LEAST_PT if answer else LARGE_PRINT_PT
        cell = max(cell_for_size(theme, measure, size), smallest_cell_pt(shape.widest, theme, measure, size))
        rules.append((cell, f"large print (numbers of {size:g} pt or more)"))
    if not answer:
        least_mm = page.min_cell_mm or LEAST_CELL_MM
        source = "page.min_cell_mm" + (f" ({least_mm:g} if left out)" if not page.min_cell_mm else "")
        rules.append((least_mm * MM_PT, source))
    return max(rules)


def check_cells(
    setting: Setting, tiling: Tiling, shapes: Iterable[Shape], level: str, level_key: str | None = None
) -> None:
    """Check that the cells of all boards are large enough.

    Args:
        level: the level's name, for error messages.
        level_key: the level's key in the spec, or None for answers.
    Raises:
        LayoutError: the cells of a board are smaller than allowed.
    """
    answer = level_key is None
    for shape in shapes:
        cell, (least, rule) = tiling.cell_pt(shape.grid), least_cell_pt(setting, shape, answer)
        if cell >= least - 0.001:
            continue
        board = f"the answer to puzzle {shape.puzzle}" if answer else f"puzzle {shape.puzzle}"
        key = "solutions.per_page" if answer else "the level's per_page"
        fewer = f"lower {key} or make it auto, " if tiling.count > 1 else ""
        at_foot = setting.spec.solutions.place is SolutionsPlace.UPSIDE_DOWN
        place = "choose another solutions.place, " if at_foot else ""
        tenths, least_tenths = math.floor(10 * max(cell, 0.0) / MM_PT), math.ceil(10 * least / MM_PT - 0.001)
        raise LayoutError(
            f"{board} (level {level!r}, {shape.grid.cols} × {shape.grid.rows}) would have squares of "
            f"{tenths / 10} mm at {tiling.count} a page on {setting.page.trim.words}, and {rule} "
            f"asks for {least_tenths / 10} mm: {fewer}{place}choose a larger page.trim or smaller boards.",
            level_key or "solutions",
        )


def keeps_cells(
    setting: Setting, tiling: Tiling, shapes: Iterable[Shape], answer: bool, comfort: bool = False
) -> bool:
    """Return whether the cells of all boards on a page are large enough.

    Args:
        tiling: the division of the page into tiles, which determines the size of the boards.
        shapes: the size and the widest number of each board. Equal boards may share one ``Shape``.
        answer: whether the boards are answers, which may have smaller cells.
        comfort: whether to require cells that are comfortable to use, instead of the smallest allowed cells.
    """
    for shape in shapes:
        least_pt, _ = least_cell_pt(setting, shape, answer)
        if comfort:
            least_pt = max(least_pt, _comfortable_pt(shape.grid, setting.page))
        if tiling.cell_pt(shape.grid) < least_pt - 0.001:
            return False
    return True


def _comfortable_pt(grid: Grid, page: PageSpec) -> float:
    largest = min(LARGEST_CELL_MM, largest_cell_mm(page))
    return min(largest, max(COMFORTABLE_CELL_MM, COMFORTABLE_BOARD_MM / max(grid.rows, grid.cols))) * MM_PT


def evened(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Share boards evenly between the last two pages if the last page would have very few.

    This happens if the last page has less than half as many boards as the page before.

    Args:
        ranges: for each page, the index of its first board and the index after its last board.
    Returns:
        The ranges after this change.
    """
    if len(ranges) < 2:
        return ranges
    (start, middle), (_, end) = ranges[-2:]
    if 2 * (end - middle) >= middle - start:
        return ranges
    half = start + math.ceil((end - start) / 2)
    return [*ranges[:-2], (start, half), (half, end)]


# Drawing sheets


@dataclass(frozen=True)
class Sheet:
    """Boards of one page in reading order, with the tiles in which they are drawn.

    Args:
        shapes: the sizes and widest numbers of the boards for which the size of the tiles was chosen. Several
            pages may have the same tiles, so ``shapes`` may include boards on other pages.
    """

    puzzles: tuple[NumberedPuzzle, ...]
    tiling: Tiling
    shapes: tuple[Shape, ...]

    @property
    def tallest_pt(self) -> float:
        return max(shape.grid.rows * self.tiling.cell_pt(shape.grid) for shape in self.shapes)

    @property
    def filled(self) -> float:
        """Return the fraction of the page height that rows of boards fill, without captions and gaps."""
        rows = self.tiling.place(len(self.puzzles) - 1)[0] + 1
        return rows * self.tallest_pt / self.tiling.area.height


@dataclass(frozen=True)
class SheetMaker:
    """Distribute puzzles or answers among pages.

    Args:
        answers: whether the boards are answers.
        most_mm: the maximum cell width.
        foot: a function that takes the number of boards on a page, and returns the height in points to
            reserve below them. None reserves nothing.
    """

    setting: Setting
    answers: bool
    most_mm: float
    foot: Callable[[int], float] | None = None

    @cached_property
    def _captions(self) -> Captions:
        return Captions(self.setting, self.answers)

    @cached_property
    def _tilings(self) -> dict[Hashable, Tiling]:
        # Cache of the divisions of a page into tiles that were computed so far, empty at first. A key of the
        # dict consists of the number of tiles, the number of lines in a caption, the sizes and widest numbers
        # of the boards, and the boards that hide a picture. Below such a board there must be room for a list
        # of its colours.
        return {}

    def alike(
        self, puzzles: Sequence[NumberedPuzzle], counts: Sequence[int], comfort: bool, key: str
    ) -> tuple[Sheet, ...]:
        """Distribute puzzles among pages, and divide all these pages into equal tiles for the boards.

        If the last page would be less than half full, the last two pages share their puzzles evenly.

        Args:
            counts: possible numbers of boards on a page, in order of preference. If none of them gives large
                enough cells, the last number is used.
            comfort: whether to skip numbers that make boards uncomfortably small.
            key: the level's key in the spec, for error messages.
        Raises:
            LayoutError: even with the last number, cells are smaller than allowed.
        """
        shapes = shapes_of(puzzles)
        for count in counts:
            tiling = self.tiling(count, shapes, puzzles)
            keeps = keeps_cells(self.setting, tiling, shapes, self.answers, comfort)
            if keeps and not self._lacks_room_pt(tiling, shapes):
                break
        else:
            check_cells(self.setting, tiling, shapes, puzzles[0].record.level, key)
        self._check_names(tiling, shapes, key)
        starts = range(0, len(puzzles), tiling.count)
        ranges = evened([(start, min(start + tiling.count, len(puzzles))) for start in starts])
        return tuple(Sheet(tuple(puzzles[start:end]), tiling, shapes) for start, end in ranges)

    def tiling(self, count: int, shapes: Sequence[Shape], puzzles: Sequence[NumberedPuzzle]) -> Tiling:
        """Divide a page into ``count`` tiles. Each tile has room for a board and its caption.

        If the captions of all ``puzzles`` fit on one line, each tile has room for a caption of one line.
        Otherwise, it has room for two lines. If the puzzles have names, there is one more line for the name.

        Args:
            count: the number of tiles.
            shapes: the sizes and widest numbers of all boards for which the tiles must be large enough. They
                include the boards of ``puzzles``.
            puzzles: all puzzles whose captions must fit.
        """
        captions = self._captions
        area = PageDraft(self.setting, 1).content
        if self.foot is not None:
            area = area.without(bottom=self.foot(count))
        has_codes = _puzzle_qr(self.setting, self.answers) is not None
        boards = () if self.answers else (puzzle.record.puzzle for puzzle in puzzles)
        pictures = [board for board in boards if board.colours]

        def tiling_for(caption_lines: int) -> Tiling:
            known = count, caption_lines, tuple(shapes), *pictures
            if known in self._tilings:
                return self._tilings[known]
            height_pt, key_pt, needed_pt = captions.height_pt(caption_lines), -1.0, 0.0
            while needed_pt > key_pt:
                key_pt = needed_pt
                # Height of a QR code below a board, and width of a QR code beside a board. The function
                # ``tile_page`` chooses between the two positions.
                code_pt = (key_pt + QR_PT + _QR_GAP_BELOW_PT, QR_PT + QR_GAP_PT) if has_codes else None
                words_pt = height_pt, key_pt + captions.time_pt
                tiling = tile_page(
                    self.setting, area, count, shapes, words_pt=words_pt, most_mm=self.most_mm, code=code_pt
                )
                # A colour key is a list of colours below a board that hides a picture. It takes up space
                # in the tile, so the board gets smaller. The list is as wide as the board, so below a
                # smaller board it may need more lines. Therefore measure all colour keys again for the
                # size that the boards have now.
                needed_pt = max(
                    (captions.colour_key_pt(board, tiling.board_pt(board.grid)) for board in pictures),
                    default=0.0,
                )
            self._tilings[known] = tiling
            return tiling

        fewest = 1 + captions.has_names
        tiling = tiling_for(caption_lines=fewest)
        cells_pt = {(shape.grid.rows, shape.grid.cols): tiling.cell_pt(shape.grid) for shape in shapes}
        grids = ((puzzle, puzzle.record.puzzle.grid) for puzzle in puzzles)
        if all(captions.fits(puzzle, cells_pt[grid.rows, grid.cols]) for puzzle, grid in grids):
            return tiling
        return tiling_for(caption_lines=fewest + 1)

    def _lacks_room_pt(self, tiling: Tiling, shapes: Sequence[Shape]) -> float:
        """Return by how many points the longest possible puzzle name exceeds its line; 0 if it fits."""
        captions = self._captions
        if not captions.has_names:
            return 0.0
        narrowest = min(tiling.cell_pt(shape.grid) * shape.grid.cols for shape in shapes)
        return max(0.0, captions.longest_name_pt - narrowest - tiling.gap_pt + CAPTION_GAP_PT)

    def _check_names(self, tiling: Tiling, shapes: Sequence[Shape], key: str) -> None:
        """Check that the longest possible name of a puzzle fits above a board.

        Raises:
            LayoutError: the name doesn't fit.
        """
        if lacking := self._lacks_room_pt(tiling, shapes):
            raise LayoutError(
                f"with {tiling.count} a page, the longest names of puzzles are {math.ceil(lacking / MM_PT)} "
                "mm too wide, even in the printer's smallest type: lower the level's per_page or make it "
                "auto, choose a larger page.trim, or leave captions.titles out.",
                key,
            )


@dataclass(frozen=True)
class BoardSheets:
    """Consecutive pages with boards, which are either puzzles or answers.

    Args:
        setting: the sizes, theme, fonts and words that all pages of the book share.
        sheets: a ``Sheet`` for each page, which says which boards are on the page and how large they are.
        answers: whether the boards are answers.
    """

    setting: Setting
    sheets: tuple[Sheet, ...]
    answers: bool

    @property
    def page_count(self) -> int:
        return len(self.sheets)

    def page_of(self, numbers: Sequence[int]) -> dict[str, int]:
        """Map the link target of each board to the page number of the board.

        Args:
            numbers: the numbers of the pages, in order.
        """
        target_name = solution_place if self.answers else puzzle_place
        return {
            target_name(puzzle.number): number
            for sheet, number in zip(self.sheets, numbers, strict=True)
            for puzzle in sheet.puzzles
        }

    @property
    def layouts(self) -> list[Hashable]:
        """Return a value for each page. Pages with equal values have boards of the same sizes and levels."""
        records = ([puzzle.record for puzzle in sheet.puzzles] for sheet in self.sheets)
        return [
            frozenset((record.level, record.puzzle.grid.rows, record.puzzle.grid.cols) for record in each)
            for each in records
        ]

    def draft(self, place: int, number: int, index: Index, is_first: bool) -> PageDraft:
        """Draw one page: its running head, page number and boards.

        Args:
            place: the index of the page among the pages that this object lays out.
            number: the page number.
            index: the page number of each link target, for references in captions.
            is_first: whether the page is the first of its part. Its running head then serves as a heading.
        """
        sheet, draft = self.sheets[place], PageDraft(self.setting, number)
        where = f"{level_key(self.setting, sheet.puzzles[0])}.name"
        range_text = range_words(self.setting, sheet.puzzles)
        draft.furnish(self._running_head(sheet), range_text, where, is_heading=is_first)
        _SheetRenderer(self.setting, sheet, self.answers).render(draft, index)
        return draft

    def _running_head(self, sheet: Sheet) -> str:
        headings, words = self.setting.spec.headings, self.setting.words
        names = list(dict.fromkeys(headings[puzzle.record.level] for puzzle in sheet.puzzles))
        name = names[0] if len(names) == 1 else f"{names[0]} – {names[-1]}"
        return words.say(words.section_solutions, section=name) if self.answers else name


@dataclass(frozen=True)
class _SheetRenderer:
    setting: Setting
    sheet: Sheet
    answers: bool

    def render(self, draft: PageDraft, index: Index) -> None:
        """Draw the boards of a page, each with its caption, a line for the solving time, and its QR code."""
        setting, tiling = self.setting, self.sheet.tiling
        captions = Captions(setting, self.answers)
        target_name = solution_place if self.answers else puzzle_place
        # Positions of tiles are computed for a right-hand page. On a left-hand page, everything is shifted,
        # because the wide inside margin is at the right.
        shift_pt = draft.live.x - PageDraft(setting, 1).live.x
        for position, puzzle in enumerate(self.sheet.puzzles):
            board = puzzle.record.puzzle
            solution = puzzle.record.solution if self.answers else None
            frame = setting.board(board, solution, tiling.cell_pt(board.grid))
            x, y = self._corner(position, frame.height_pt)
            area = Area(x + shift_pt, y, frame.width_pt, frame.height_pt)
            name = target_name(puzzle.number)
            caption = draft.tag("Div")
            figure = draft.board_tag(puzzle, solution)
            draft.add((Placed(name, frame, area.x, area.y, tag=figure),))
            draft.target(name, area.top + tiling.caption_pt + TARGET_RISE_PT)
            # A caption may extend into the gap to the right of its board, but not into the page's margin.
            width_pt = min(area.width + tiling.gap_pt - CAPTION_GAP_PT, draft.live.right - area.x)
            height_pt = tiling.caption_pt
            captions.put(draft, puzzle, area, index, width_pt=width_pt, height_pt=height_pt, tag=caption)
            captions.put_colour_key(draft, board, area)
            below = area.without(bottom=-captions.colour_key_pt(board, area.width))
            captions.put_time(draft, below)
            foot = below.y - captions.time_pt
            tile = (area.x, foot, area.width, area.top + tiling.caption_pt - foot)
            where, role = (
                ("solutions", Role.ANSWER) if self.answers else (level_key(setting, puzzle), Role.BOARD)
            )
            draft.puzzle_region(tile, where, role, puzzle.number)
            self._put_code(draft, puzzle, area if tiling.beside_pt else below)

    def _corner(self, position: int, height_pt: float) -> tuple[float, float]:
        """Return the bottom left corner of a board with height ``height_pt``, on a right-hand page.

        All columns are as wide as the widest board of the page. Boards are left-aligned in their columns. The
        boards of a row are aligned at the top, so that their captions are at the same height.
        """
        tiling = self.sheet.tiling
        column_width, tallest_in = self._board_extents
        row, col = tiling.place(position)
        tile = tiling.tile(position)
        x = tile.centre + self._column_shift(col, column_width) - column_width / 2

        # A tile may be higher than its board. ``share_below`` is the fraction of the free height that is
        # below the board. Answers are at the top of their tiles. Puzzles are in the middle. A board that is
        # alone on its page is slightly above the middle.
        usual_share = 1.0 if self.answers else 0.5
        share_below = LIFT if tiling.count == 1 else usual_share
        row_height = tallest_in[row] + (tiling.outline_pt + tiling.caption_pt + tiling.foot_pt)
        own_height = height_pt + tiling.caption_pt + tiling.foot_pt
        y = tile.y + (tile.height - row_height) * share_below + row_height - own_height + tiling.foot_pt
        return x, y + row * self._row_rise

    @cached_property
    def _board_extents(self) -> tuple[float, dict[int, float]]:
        """Return the width of the widest board on the page, and the height of the tallest board in each row.

        The width includes the outline and a QR code beside the board. The heights don't include the outline.
        """
        tiling, tallest_in = self.sheet.tiling, defaultdict[int, float](float)
        widest = 0.0
        for position, puzzle in enumerate(self.sheet.puzzles):
            grid, (row, _) = puzzle.record.puzzle.grid, tiling.place(position)
            cell_pt = tiling.cell_pt(grid)
            widest = max(widest, grid.cols * cell_pt)
            tallest_in[row] = max(tallest_in[row], grid.rows * cell_pt)
        return widest + tiling.outline_pt + tiling.beside_pt, tallest_in

    def _column_shift(self, col: float, width_pt: float) -> float:
        """Return how far the boards of a column are moved away from the centres of their tiles, in points.

        The result is positive if the boards move to the right, and negative if they move to the left.

        The outer columns usually move to the edges of the area inside the page's margins, where the running
        heads and captions of other pages begin. But if the gaps between the columns would then be much wider
        than ``MOST_GAP`` allows, there is an indent between each edge and the outer column beside it. An
        indent is always wider than a gap between tiles, because a smaller indent would look like a mistake.
        """
        tiling = self.sheet.tiling
        if tiling.cols == 1:
            return 0.0
        max_gap = max(tiling.gap_pt, MOST_GAP * width_pt)
        spare = tiling.area.width - tiling.cols * width_pt - (tiling.cols - 1) * max_gap
        indent = spare / 2 if spare > 2 * tiling.gap_pt else 0.0
        outer_shift = (tiling.size_pt[0] - width_pt) / 2 - indent
        return outer_shift * (2 * col / (tiling.cols - 1) - 1)

    @cached_property
    def _row_rise(self) -> float:
        """Return how far each row of answers is moved up towards the row above it, in points.

        After the move, the gap between two rows is at most ``MOST_GAP`` times the height of a row, or at most
        the gap between two tiles if that is larger.
        """
        if not self.answers:
            return 0.0
        tiling = self.sheet.tiling
        tallest = self.sheet.tallest_pt + tiling.outline_pt + tiling.caption_pt
        gap = tiling.size_pt[1] + tiling.gap_pt - tallest
        return max(0.0, gap - max(tiling.gap_pt, MOST_GAP * tallest))

    def _put_code(self, draft: PageDraft, puzzle: NumberedPuzzle, board: Area) -> None:
        """Draw the puzzle's QR code, if it has one, and the text that asks the reader to scan it.

        A QR code to the right of the board has the text above it. A QR code below the board is right-aligned
        and has the text to its left.
        """
        qr = _puzzle_qr(self.setting, self.answers)
        if qr is None:
            return
        text = puzzle_code_text(qr.text, puzzle, self.setting.spec.play_url)
        code, figure, tag = qr_frame(text, QR_PT), draft.tag("Figure", alt=text), draft.tag("P")
        name = f"qr-{puzzle.number}"
        # Move the QR code outwards by its white margin, so that its black modules are aligned with the board.
        margin = QR_PT * _QUIET_ZONE
        size, words = self.setting.theme.type.small, self.setting.words.scan
        if self.sheet.tiling.beside_pt:
            x, y = board.right + QR_GAP_PT - margin, board.y - margin
            draft.add((Placed(name, code, x, y, tag=figure),))
            lines = break_lines(text_block(words, size), QR_PT - 2 * margin, self.setting.measure)
            for lines_below, line in enumerate(reversed(lines)):
                baseline = y + QR_PT + (0.2 + 1.2 * lines_below) * size
                draft.text(line.text, (x + margin, baseline), size, within=QR_PT, tag=tag)
        else:
            x, y = board.right - QR_PT + margin, board.y - QR_PT - _QR_GAP_BELOW_PT
            draft.add((Placed(name, code, x, y, tag=figure),))
            draft.text(words, (x, y + 0.5 * QR_PT - 0.35 * size), size, anchor=Anchor.END, tag=tag)


def level_key(setting: Setting, puzzle: NumberedPuzzle) -> str:
    """Return the spec key of a puzzle's level, such as ``levels[0]``."""
    names = [level.name for level in setting.spec.levels]
    return f"levels[{names.index(puzzle.record.level)}]"


def _puzzle_qr(setting: Setting, answers: bool) -> QrSpec | None:
    """Return the settings for a QR code at each puzzle, or None if puzzles have no QR codes."""
    qr = setting.spec.qr
    return None if answers or qr is None or qr.per is not QrPer.PUZZLE else qr


def range_words(setting: Setting, puzzles: Sequence[NumberedPuzzle]) -> str:
    """Return text such as ``Puzzle 7`` or ``Puzzles 7–12``, in the book's language."""
    first, last = puzzles[0].number, puzzles[-1].number
    if first == last:
        return setting.words.say(setting.words.puzzle, number=str(first))
    return setting.words.say(setting.words.puzzles, first=str(first), last=str(last))


def board_sizes(words: Words, puzzles: Sequence[NumberedPuzzle]) -> str:
    """Return the boards' sizes as text.

    If there are more than three, only the smallest and largest are named.
    """
    grids = [puzzle.record.puzzle.grid for puzzle in puzzles]
    sizes = sorted({(grid.rows * grid.cols, grid.cols, grid.rows) for grid in grids})
    named = [words.say(words.size, cols=cols, rows=rows) for _, cols, rows in sizes]
    return words.listed(named) if len(named) <= 3 else f"{named[0]} – {named[-1]}"


# Captions


@dataclass(frozen=True)
class Captions:
    """Captions of puzzles or of answers.

    A caption begins with the number of the board. If the spec asks for them, the size, the difficulty and the
    page of the answer follow. All of this takes one line, or two if one is too short. If puzzles have names,
    number and name have a line of their own, above the rest. Below a puzzle there may be a line on which the
    reader writes the solving time.
    """

    setting: Setting
    answers: bool

    @cached_property
    def _detail_widths_pt(self) -> dict[Hashable, float]:
        # Cache of text widths, empty at first. In a caption of one line, the puzzle's number is followed by
        # more text, and the cache has the widths of such texts. Each key of the dict consists of the puzzle's
        # number of rows, number of columns and difficulty.
        return {}

    @property
    def sizes_pt(self) -> tuple[float, float, float]:
        """Return three sizes in points.

        They are the type size of the board's number, the type size of all other text in the caption, and the
        height of the gap between caption and board.
        """
        scale = self.setting.theme.type
        if self.answers:
            return scale.caption, scale.small, 0.55 * scale.caption
        return scale.number, scale.caption, 0.62 * scale.number

    def height_pt(self, lines: int) -> float:
        """Return the height in points of a caption with ``lines`` lines and of the gap above its board."""
        number_pt, text_pt, gap_pt = self.sizes_pt
        return ASCENT * number_pt + gap_pt + (lines - 1) * LINE * text_pt

    def fits(self, puzzle: NumberedPuzzle, cell_pt: float) -> bool:
        """Return whether the caption fits on one line above a board whose cells are ``cell_pt`` wide."""
        known, key = self.setting.caption_widths_pt, (self.answers, puzzle.number)
        if key not in known:
            known[key] = self._width_pt(puzzle)
        return known[key] <= cell_pt * puzzle.record.puzzle.grid.cols

    def _width_pt(self, puzzle: NumberedPuzzle) -> float:
        measure, (number_pt, text_pt, _) = self.setting.measure, self.sizes_pt
        grid, known = puzzle.record.puzzle.grid, self._detail_widths_pt
        # In a caption, the text after the puzzle's number depends only on size and difficulty. Most puzzles
        # have the same size and one of a few difficulties, so each of these texts is measured only once.
        key = grid.rows, grid.cols, puzzle.record.difficulty
        if key not in known:
            words, marks = self.detail(puzzle) + self._widest_page_words, self.marks(puzzle)
            marks_pt = marks_width(marks, MARK * text_pt) + 0.6 * text_pt if marks else 0.0
            known[key] = measure.width(words, FontKey.REGULAR, text_pt) + 0.6 * number_pt + text_pt + marks_pt
        heading = "" if self.has_names else f"{self._heading(puzzle)} {puzzle.number}".strip()
        return measure.width(heading, FontKey.SEMIBOLD, number_pt) + known[key]

    def put(
        self,
        draft: PageDraft,
        puzzle: NumberedPuzzle,
        board: Area,
        index: Index,
        *,
        width_pt: float,
        height_pt: float,
        tag: Tag | None = None,
    ) -> None:
        """Typeset a caption above its board. Lines that are too long get a smaller type size.

        Args:
            board: the area of the board.
            index: the page number of each link target.
            width_pt: the available width, from the left edge of the board.
            height_pt: the height of the caption, which determines its number of lines.
            tag: the structure element of the caption, or None for a printed edition.
        Raises:
            LayoutError: a line is too long even in the printer's smallest type size.
        """
        where = f"the caption of puzzle {puzzle.number}"
        number_pt, text_pt, gap_pt = self.sizes_pt
        other = puzzle_place(puzzle.number) if self.answers else solution_place(puzzle.number)
        y = board.top + gap_pt
        words = self.setting.words
        names = (
            words.title_of(puzzle.number, puzzle.name),
            words.say(words.solution_number, number=str(puzzle.number)),
        )
        title, other_title = names[::-1] if self.answers else names
        heading, detail, marks = self._heading(puzzle), self.detail(puzzle), self.marks(puzzle)
        number_tag = draft.tag("H2", tag, text=f"{heading} {title}".strip())
        detail_tag = draft.tag("P", tag)
        label = words.say(words.difficulty, number=str(puzzle.record.difficulty)) if marks else ""
        marks_tag = draft.tag("Figure", tag, alt=label)
        link_tag = draft.tag("Link", Tag("P", tag), alt=other_title)
        lines = 1 + round((height_pt - self.height_pt(1)) / (LINE * text_pt))
        page_alone = lines > 1 + self.has_names
        if self._keys.page:
            point = (board.x if page_alone else board.right, y)
            anchor = Anchor.START if page_alone else Anchor.END
            run = draft.text(
                self.page_words(index[other]),
                point,
                text_pt,
                anchor=anchor,
                where=where,
                within=width_pt,
                tag=link_tag,
            )
            draft.link(run, other)
        y += (lines - 1) * LINE * text_pt
        left = board.x
        if heading:
            # Typeset only the text before the puzzle's number, in at most 70 % of the width. The number is a
            # text run of its own, because ``verify`` finds the board by searching the PDF for this number.
            within = 0.7 * width_pt
            run = draft.text(
                heading, (left, y), number_pt, strong=True, where=where, within=within, tag=number_tag
            )
            left = run.x + run.width_pt + 0.3 * number_pt
        number = draft.text(str(puzzle.number), (left, y), number_pt, strong=True, tag=number_tag)
        if not self._keys.page:
            draft.link(replace(number, tag=link_tag), other)
        x = number.x + number.width_pt + 0.6 * number_pt
        if self.has_names:
            within = board.x + width_pt - x
            draft.text(puzzle.name, (x, y), number_pt, where=where, within=within, tag=number_tag)
            x, y = board.x, y - LINE * text_pt
        if detail:
            left = board.x + width_pt - x - (marks_width(marks, MARK * text_pt) if marks else 0.0)
            run = draft.text(detail, (x, y), text_pt, where=where, within=left, tag=detail_tag)
            x += run.width_pt + 0.6 * text_pt
        if marks:
            row = marks_row(marks, x, y + 0.35 * text_pt, MARK * text_pt)
            draft.add([replace(row, tag=marks_tag)])

    @property
    def time_pt(self) -> float:
        return TIME_LEADING * self.sizes_pt[1] if self._has_time else 0.0

    def colour_key_pt(self, puzzle: Puzzle, width_pt: float) -> float:
        """Return the height in points of the colour key below a board, or 0 if the puzzle hides no picture.

        Args:
            width_pt: the width of the board.
        """
        width_pt = max(LEAST_COLOUR_KEY_PT, width_pt)
        lines = len(self._rule_lines(puzzle, width_pt)) + len(self._colour_key_lines(puzzle, width_pt))
        return COLOUR_KEY_LEADING * self.sizes_pt[1] * (lines + 0.5) if lines else 0.0

    def put_time(self, draft: PageDraft, board: Area) -> None:
        """Draw the line on which the reader writes the solving time, if the spec asks for it."""
        if not self._has_time:
            return
        size = self.sizes_pt[1]
        y = board.y - 0.8 * TIME_LEADING * size
        run = draft.text(
            self.setting.words.time, (board.x, y), size, where="the time's caption", within=board.width
        )
        left = run.x + run.width_pt + 0.5 * size
        right = max(left, min(left + TIME_RULE * size, board.x + 0.6 * board.width))
        draft.add([Rects(((left, y - 1.0, right - left, self.setting.theme.rule_pt),))])

    @property
    def has_names(self) -> bool:
        return self._keys.titles and not self.answers

    @property
    def longest_name_pt(self) -> float:
        """Return the width in points of the widest possible line with a puzzle's number and name.

        The name is measured in the smallest type size that the printer allows.
        """
        measure, size = self.setting.measure, self.setting.profile.limits.text_pt
        name = max(measure.width(name, FontKey.REGULAR, size) for name in longest_names(self.setting.words))
        headings = ["", *self.setting.spec.headings.values()]
        shown = [""] if self.setting.page.running_heads else headings
        number_pt = self.sizes_pt[0]
        heading = max(
            measure.width(f"{text} {WIDEST_PAGE}".strip(), FontKey.SEMIBOLD, number_pt) for text in shown
        )
        return heading + 0.6 * number_pt + name

    def put_colour_key(self, draft: PageDraft, puzzle: Puzzle, board: Area) -> None:
        """Typeset the colour key below a board that hides a picture.

        The key explains how to reveal the picture, and lists the pairs of each colour. A small square shows
        each colour, except on paper that is printed in black only.
        """
        size, width_pt = self.sizes_pt[1], max(LEAST_COLOUR_KEY_PT, board.width)
        inks = picture_inks(puzzle.colours)
        y = board.y - 0.5 * COLOUR_KEY_LEADING * size
        for line in self._rule_lines(puzzle, width_pt):
            y -= COLOUR_KEY_LEADING * size
            draft.text(line, (board.x, y), size, where="picture_rule", within=width_pt)
        tag = draft.tag("P") if puzzle.colours else None
        for entries in self._colour_key_lines(puzzle, width_pt):
            x, y = board.x, y - COLOUR_KEY_LEADING * size
            for colour, text, width in entries:
                if side := self._swatch_pt:
                    low, weight = y - 0.08 * size, self.setting.theme.grid.inner_pt
                    corners = ((x, low), (x + side, low), (x + side, low + side), (x, low + side))
                    square = Rects(((x, low, side, side),), inks[colour])
                    draft.add([square, Polyline(corners, weight, BLACK, closed=True)])
                start = x + (1.4 * self._swatch_pt if self._swatch_pt else 0.0)
                draft.text(text, (start, y), size, where="picture_colour", within=width_pt, tag=tag)
                x += width

    @property
    def _swatch_pt(self) -> float:
        return 0.0 if self.setting.theme.is_grey else 0.8 * self.sizes_pt[1]

    def _rule_lines(self, puzzle: Puzzle, width_pt: float) -> list[str]:
        if self.answers or not puzzle.colours:
            return []
        block = text_block(self.setting.words.picture_rule, self.sizes_pt[1])
        return [line.text for line in break_lines(block, width_pt, self.setting.measure)]

    def _colour_key_lines(self, puzzle: Puzzle, width_pt: float) -> list[list[tuple[str, str, float]]]:
        """Return the lines of the colour key, which lists the colours of a hidden picture below the board.

        Each line is a list of entries. An entry has the name of a colour, the text beside the colour, and the
        width of both together in points.
        """
        lines: list[list[tuple[str, str, float]]] = []
        if self.answers:
            return lines
        size, left = self.sizes_pt[1], 0.0
        for colour, text in self.setting.words.colour_key(puzzle).items():
            words_pt = self.setting.measure.width(text, FontKey.REGULAR, size)
            width = 1.4 * self._swatch_pt + words_pt + 1.6 * size
            if not lines or left < width - 1.6 * size:
                lines.append([])
                left = width_pt
            lines[-1].append((colour, text, width))
            left -= width
        return lines

    @property
    def _has_time(self) -> bool:
        return self._keys.time and not self.answers

    @property
    def _keys(self) -> CaptionsSpec:
        return self.setting.spec.captions

    @cached_property
    def _widest_page_words(self) -> str:
        return self.page_words(WIDEST_PAGE) if self._keys.page else ""

    def page_words(self, page: int) -> str:
        """Return the words in a caption that say on which page to find the answer to a puzzle.

        In the caption of an answer, they say on which page to find the puzzle.
        """
        words, place = self.setting.words, self.setting.spec.solutions.place
        if self.answers:
            template = words.puzzle_on
        else:
            template = words.solution_in_file if place is SolutionsPlace.FILE else words.solution_on
        return words.say(template, page=str(page))

    def _heading(self, puzzle: NumberedPuzzle) -> str:
        """Return the name of the puzzle's level, which begins its caption.

        The result is empty if the book has running heads, because these already show the name of the level.
        It is also empty for answers, and for a level whose name is only a number.
        """
        if self.answers or self.setting.page.running_heads:
            return ""
        heading = self.setting.spec.headings[puzzle.record.level]
        return "" if heading.isdigit() else heading

    def detail(self, puzzle: NumberedPuzzle) -> str:
        """Return the size and difficulty in a puzzle's caption, if the spec asks for them.

        Captions of answers have no such text.
        """
        if self.answers:
            return ""
        words, grid = self.setting.words, puzzle.record.puzzle.grid
        parts = [words.say(words.size, cols=grid.cols, rows=grid.rows)] if self._keys.size else []
        parts.append(self._keys.difficulty.number_text(puzzle.record.difficulty, words))
        return " · ".join(filter(None, parts))

    def marks(self, puzzle: NumberedPuzzle) -> int:
        return 0 if self.answers else self._keys.difficulty.marks(puzzle.record.difficulty)


def puzzle_code_text(template: str, puzzle: NumberedPuzzle, play_url: str | None = None) -> str:
    """Return the text that a puzzle's QR code encodes.

    Args:
        template: the text in the spec. Its placeholders ``{number}`` and ``{url}`` are replaced.
        play_url: the web address where the book can be played, or None to play on puzz.link.
    Raises:
        LayoutError: puzz.link doesn't support the puzzle, or the template has an unknown placeholder.
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
        values["url"] = puzzle_url(board, filled=ruleset_of(puzzle.record.rule).covers)
    return _fill_in(template, values, "{url} and {number}")


def section_code_text(template: str, level: int, first: int, last: int, play_url: str | None = None) -> str:
    """Return the text that a level's QR code encodes.

    Args:
        template: the text in the spec. Its placeholders ``{level}``, ``{first}``, ``{last}`` and ``{url}``
            are replaced.
        level: the number of the level, from 1.
        first, last: the numbers of its first and its last puzzle.
        play_url: the web address where the book can be played. If None, ``{url}`` is not allowed.
    Raises:
        LayoutError: the template has an unknown placeholder, or the text is empty or too long.
    """
    values = {"level": str(level), "first": str(first), "last": str(last)}
    if play_url:
        values["url"] = f"{play_url}#{first}"
    return _fill_in(template, values, "{level}, {first} and {last}")


def _fill_in(template: str, values: Mapping[str, str], known: str) -> str:
    try:
        text = template.format_map(values)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise LayoutError(
            f"{template[:80]!r} can't be filled in: only {known} can be used here.", "qr.text"
        ) from error
    if not 0 < len(text) <= LONGEST_CODE:
        raise LayoutError(f"{len(text)} characters; a code holds 1 to {LONGEST_CODE}.", "qr.text")
    return text


def qr_frame(text: str, size_pt: float) -> Frame:
    """Draw a QR code as a square of width ``size_pt``, including its white margin."""
    import segno  # import only when needed, because this takes 20 ms

    level = "m" if len(text) <= STURDY_CODE else "l"
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
