"""A level: its opener, then its puzzles, so many to a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.board import BoardSetter
from linkpress.layout.edition import LevelPages, PrintedPuzzle, Setting
from linkpress.layout.flow import Block, Span, flow
from linkpress.layout.frame import Anchor, Figure, FontKey, Page, Placed, Rects
from linkpress.layout.geometry import Area
from linkpress.layout.leaf import Leaf
from linkpress.layout.motif import level_ornament
from linkpress.layout.parts import Index, level_place, puzzle_place, solution_place
from linkpress.layout.tiles import (
    COMFORTABLE_CELL_MM,
    LARGEST_CELL_MM,
    PER_PAGE,
    Tiling,
    check_cells,
    keeps_cells,
    tile_page,
)

CAPTION_GAP = 0.62  # of the number's size, between caption and grid
OPENER_TOP = 0.3  # of the live area's height, above the level's name


@dataclass(frozen=True)
class SectionPart:
    """One level.

    Args:
        level: how it is printed.
        at: its place among the levels, from 0.
        of: number of levels.
        puzzles: the level's, in order.
    """

    level: LevelPages
    at: int
    of: int
    puzzles: tuple[PrintedPuzzle, ...]
    one_sided: bool
    recto: bool = True

    def count(self, setting: Setting) -> int:
        """The opener and the puzzle pages."""
        return 1 + -(-len(self.puzzles) // self._tiling(setting, Leaf(setting, 1).content).count)

    def places(self, setting: Setting, numbers: Sequence[int]) -> Index:
        """The opener and each puzzle."""
        per_page = self._tiling(setting, Leaf(setting, 1).content).count
        found = {level_place(self.at): numbers[0]}
        for position, puzzle in enumerate(self.puzzles):
            found[puzzle_place(puzzle.number)] = numbers[1 + position // per_page]
        return found

    def compose(self, setting: Setting, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        yield self._opener(setting, numbers[0], index)
        tiling = self._tiling(setting, Leaf(setting, 1).content)
        setters: dict[float, BoardSetter] = {}
        for at, number in enumerate(numbers[1:]):
            shown = self.puzzles[at * tiling.count : (at + 1) * tiling.count]
            yield self._sheet(setting, number, shown, index, setters)

    def _tiling(self, setting: Setting, area: Area) -> Tiling:
        """The level's tiles in an area.

        Raises:
            LayoutError: a square would be smaller than is allowed.
        """
        per_page = 1 if setting.edition.large_print else self.level.per_page
        if per_page is not None:
            tiling = self._divide(setting, area, per_page)
            check_cells(setting, tiling, self.puzzles, answer=False)
            return tiling
        for count in PER_PAGE:
            tiling = self._divide(setting, area, count)
            if keeps_cells(setting, tiling, self.puzzles, False, COMFORTABLE_CELL_MM):
                return tiling
        check_cells(setting, tiling, self.puzzles, answer=False)
        return tiling

    def _divide(self, setting: Setting, area: Area, per_page: int) -> Tiling:
        grids = [puzzle.solution.puzzle.grid for puzzle in self.puzzles]
        tiling = tile_page(setting, area, per_page, grids, _caption_height(setting, 1), LARGEST_CELL_MM)
        if all(_fits_one_line(setting, tiling, puzzle) for puzzle in self.puzzles):
            return tiling
        return tile_page(setting, area, per_page, grids, _caption_height(setting, 2), LARGEST_CELL_MM)

    def _sheet(
        self,
        setting: Setting,
        number: int,
        shown: Sequence[PrintedPuzzle],
        index: Index,
        setters: dict[float, BoardSetter],
    ) -> Page:
        leaf = Leaf(setting, number)
        leaf.furnish(head=self.level.name, range_text=range_words(setting, shown))
        tiling = self._tiling_at(setting, leaf)
        for position, puzzle in enumerate(shown):
            cell = tiling.cell_pt(puzzle.solution.puzzle.grid)
            setter = setters.get(cell)
            if setter is None:
                setter = setters[cell] = BoardSetter(
                    cell, setting.theme, setting.measure, setting.min_text_pt
                )
            frame = setter.frame(puzzle.solution.puzzle)
            tile = tiling.tile(position)
            block = frame.height_pt + tiling.caption_pt
            x = tile.centre - frame.width_pt / 2
            y = tile.y + (tile.height - block) * (0.56 if tiling.count == 1 else 0.5)
            leaf.add([Placed(Figure(puzzle_place(puzzle.number), frame), x, y)])
            _caption(leaf, puzzle, Area(x, y, frame.width_pt, frame.height_pt), tiling, index)
            leaf.target(puzzle_place(puzzle.number), y + block + 6)
        return leaf.page("puzzles", self.level.name)

    def _tiling_at(self, setting: Setting, leaf: Leaf) -> Tiling:
        return self._tiling(setting, leaf.content)

    def _opener(self, setting: Setting, number: int, index: Index) -> Page:
        leaf = Leaf(setting, number)
        scale, words, live = setting.theme.type, setting.words, leaf.live
        leaf.target(level_place(self.at), live.top, self.level.name)
        size = min(
            scale.display,
            scale.display
            * live.width
            / max(1.0, setting.measure.width(self.level.name, FontKey.SEMIBOLD, scale.display)),
        )
        y = live.top - OPENER_TOP * live.height
        leaf.text(self.level.name, (live.x, y), size, strong=True, where=f"levels[{self.at}].name")
        weight = setting.theme.grid.outer_pt
        y -= 0.55 * scale.display
        leaf.add([Rects(((live.x, y, 36, weight),), setting.theme.accent)])
        y -= 2.0 * scale.heading
        leaf.text(range_words(setting, self.puzzles), (live.x, y), scale.heading)
        first = index[solution_place(self.puzzles[0].number)] if self.puzzles else 0
        sizes = words.say(words.squares, sizes=board_sizes(setting, self.puzzles))
        for line in (
            f"{words.count_of(len(self.puzzles))} · {sizes}",
            words.say(words.solutions_from, page=first),
        ):
            y -= 1.7 * scale.body
            leaf.text(line, (live.x, y), scale.body)
        if self.level.intro:
            area = Area(live.x, live.y, min(live.width, 34 * scale.body), y - live.y - 1.2 * scale.body)
            where = f"levels[{self.at}].intro"
            block = Block((Span(self.level.intro),), scale.body, 1.4 * scale.body, where=where)
            for items in flow([block], area, setting.measure)[0]:
                leaf.add(items)
        self._ornament(leaf)
        return leaf.page("opener", self.level.name)

    def _ornament(self, leaf: Leaf) -> None:
        live, theme = leaf.live, leaf.setting.theme
        if self.of < 2 or self.of > 12:
            return
        pitch = min(44.0, live.width / self.of)
        at = (live.x + 0.3 * pitch, live.y + 0.3 * pitch)
        leaf.add(
            level_ornament(
                self.at, self.of, at, pitch, theme.accent, leaf.setting.measure, max(theme.rule_pt, 1.0)
            )
        )


def range_words(setting: Setting, puzzles: Sequence[PrintedPuzzle]) -> str:
    """``Puzzle 7`` or ``Puzzles 7–12``."""
    if not puzzles:
        return ""
    first, last = puzzles[0].number, puzzles[-1].number
    if first == last:
        return setting.words.say(setting.words.puzzle, number=first)
    return setting.words.say(setting.words.puzzles, first=first, last=last)


def board_sizes(setting: Setting, puzzles: Sequence[PrintedPuzzle]) -> str:
    """The boards' sizes as a text: each once, or the smallest and largest of many."""
    grids = [puzzle.solution.puzzle.grid for puzzle in puzzles]
    sizes = sorted({(grid.rows * grid.cols, grid.cols, grid.rows) for grid in grids})
    named = [setting.words.say(setting.words.size, cols=cols, rows=rows) for _, cols, rows in sizes]
    return ", ".join(named) if len(named) <= 3 else f"{named[0]} – {named[-1]}"


def size_words(setting: Setting, puzzle: PrintedPuzzle) -> str:
    """The board's size, and its grade where it has one."""
    grid = puzzle.solution.puzzle.grid
    size = setting.words.say(setting.words.size, cols=grid.cols, rows=grid.rows)
    return size if puzzle.grade is None else f"{size} · {setting.words.grades[puzzle.grade]}"


def _caption_height(setting: Setting, lines: int) -> float:
    scale = setting.theme.type
    return scale.number * (0.75 + CAPTION_GAP) + (lines - 1) * 1.35 * scale.caption


def _fits_one_line(setting: Setting, tiling: Tiling, puzzle: PrintedPuzzle) -> bool:
    grid = puzzle.solution.puzzle.grid
    scale, words, measure = setting.theme.type, setting.words, setting.measure
    needed = (
        measure.width(str(puzzle.number), FontKey.SEMIBOLD, scale.number)
        + measure.width(size_words(setting, puzzle), FontKey.REGULAR, scale.caption)
        + measure.width(words.say(words.solution_on, page=888), FontKey.REGULAR, scale.caption)
    )
    return needed + 0.6 * scale.number + 1.2 * scale.caption <= tiling.cell_pt(grid) * grid.cols


def _caption(leaf: Leaf, puzzle: PrintedPuzzle, board: Area, tiling: Tiling, index: Index) -> None:
    """Number, size and grade on the board's left edge; the answer's page on its right edge."""
    setting, scale = leaf.setting, leaf.setting.theme.type
    one_line = tiling.caption_pt <= _caption_height(setting, 1) + 0.01
    y = board.top + CAPTION_GAP * scale.number
    page = setting.words.say(setting.words.solution_on, page=index[solution_place(puzzle.number)])
    if one_line:
        said = leaf.text(page, (board.right, y), scale.caption, anchor=Anchor.END)
    else:
        said = leaf.text(page, (board.x, y), scale.caption)
        y += 1.35 * scale.caption
    leaf.link(said, solution_place(puzzle.number))
    number = leaf.text(str(puzzle.number), (board.x, y), scale.number, strong=True)
    x = number.x + number.width_pt + 0.6 * scale.number
    leaf.text(size_words(setting, puzzle), (x, y), scale.caption)
