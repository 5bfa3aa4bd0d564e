"""The answers: every level's in the same order and with the same numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.layout.board import BoardSetter
from linkpress.layout.edition import PrintedPuzzle, Setting
from linkpress.layout.frame import Anchor, Figure, FontKey, Page, Placed
from linkpress.layout.geometry import Area
from linkpress.layout.leaf import Leaf
from linkpress.layout.parts import (
    SOLUTIONS_PLACE,
    Index,
    puzzle_place,
    solution_place,
)
from linkpress.layout.sections import range_words
from linkpress.layout.tiles import (
    ANSWERS_PER_PAGE,
    LARGEST_ANSWER_MM,
    Tiling,
    check_cells,
    keeps_cells,
    tile_page,
)

CAPTION_GAP = 0.55  # of the caption's size, between caption and grid
_UP_TO = ((7, 12), (9, 9), (12, 6))  # longest side of a level's boards: answers to a page
_BEYOND = 4


@dataclass(frozen=True)
class SolutionsPart:
    """The answers of one level; the first level's carry the part's entry in the outline."""

    name: str
    at: int
    puzzles: tuple[PrintedPuzzle, ...]
    recto: bool = False
    one_sided: bool = False

    def count(self, setting: Setting) -> int:
        """The pages that the level's answers need."""
        return -(-len(self.puzzles) // self._tiling(setting, Leaf(setting, 1).content).count)

    def places(self, setting: Setting, numbers: Sequence[int]) -> Index:
        """Each answer, and for the first level the section."""
        per_page = self._tiling(setting, Leaf(setting, 1).content).count
        found = {
            solution_place(puzzle.number): numbers[position // per_page]
            for position, puzzle in enumerate(self.puzzles)
        }
        return {SOLUTIONS_PLACE: numbers[0], **found} if self.at == 0 else found

    def compose(self, setting: Setting, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        per_page = self._tiling(setting, Leaf(setting, 1).content).count
        setters: dict[float, BoardSetter] = {}
        for at, number in enumerate(numbers):
            leaf = Leaf(setting, number)
            shown = self.puzzles[at * per_page : (at + 1) * per_page]
            if at == 0 and self.at == 0:
                leaf.target(SOLUTIONS_PLACE, leaf.live.top, setting.words.solutions)
            head = setting.words.say(setting.words.section_solutions, section=self.name)
            leaf.furnish(head=head, range_text=range_words(setting, shown))
            self._fill(leaf, shown, index, setters)
            yield leaf.page("solutions", self.name)

    def _tiling(self, setting: Setting, area: Area) -> Tiling:
        """The answers' tiles in an area.

        Raises:
            LayoutError: a square would be too small for its number.
        """
        fixed = setting.edition.solutions_per_page
        if fixed is not None:
            tiling = self._divide(setting, area, fixed)
            check_cells(setting, tiling, self.puzzles, answer=True)
            return tiling
        longest = max(max(p.solution.puzzle.grid.rows, p.solution.puzzle.grid.cols) for p in self.puzzles)
        most = next((count for side, count in _UP_TO if longest <= side), _BEYOND)
        for count in (count for count in ANSWERS_PER_PAGE if count <= most):
            tiling = self._divide(setting, area, count)
            if keeps_cells(setting, tiling, self.puzzles, answer=True):
                return tiling
        check_cells(setting, tiling, self.puzzles, answer=True)
        return tiling

    def _divide(self, setting: Setting, area: Area, per_page: int) -> Tiling:
        grids = [puzzle.solution.puzzle.grid for puzzle in self.puzzles]
        caption = (0.75 + CAPTION_GAP) * setting.theme.type.caption
        tiling = tile_page(setting, area, per_page, grids, caption, LARGEST_ANSWER_MM)
        if all(_fits_one_line(setting, tiling, puzzle) for puzzle in self.puzzles):
            return tiling
        caption += 1.3 * setting.theme.type.small
        return tile_page(setting, area, per_page, grids, caption, LARGEST_ANSWER_MM)

    def _fill(
        self, leaf: Leaf, shown: Sequence[PrintedPuzzle], index: Index, setters: dict[float, BoardSetter]
    ) -> None:
        setting = leaf.setting
        tiling = self._tiling(setting, leaf.content)
        for position, puzzle in enumerate(shown):
            cell = tiling.cell_pt(puzzle.solution.puzzle.grid)
            setter = setters.get(cell)
            if setter is None:
                setter = setters[cell] = BoardSetter(
                    cell, setting.theme, setting.measure, setting.min_text_pt
                )
            frame = setter.frame(puzzle.solution.puzzle, puzzle.solution)
            tile = tiling.tile(position)
            x = tile.centre - frame.width_pt / 2
            y = tile.y + (tile.height - frame.height_pt - tiling.caption_pt) / 2
            leaf.add([Placed(Figure(solution_place(puzzle.number), frame), x, y)])
            _caption(leaf, puzzle, Area(x, y, frame.width_pt, frame.height_pt), tiling, index)
            leaf.target(solution_place(puzzle.number), y + frame.height_pt + tiling.caption_pt + 6)


def _fits_one_line(setting: Setting, tiling: Tiling, puzzle: PrintedPuzzle) -> bool:
    grid = puzzle.solution.puzzle.grid
    scale, words, measure = setting.theme.type, setting.words, setting.measure
    needed = measure.width(str(puzzle.number), FontKey.SEMIBOLD, scale.caption) + measure.width(
        words.say(words.puzzle_on, page=888), FontKey.REGULAR, scale.small
    )
    return needed + scale.caption <= tiling.cell_pt(grid) * grid.cols


def _caption(leaf: Leaf, puzzle: PrintedPuzzle, board: Area, tiling: Tiling, index: Index) -> None:
    setting, scale = leaf.setting, leaf.setting.theme.type
    one_line = tiling.caption_pt <= (0.75 + CAPTION_GAP) * scale.caption + 0.01
    y = board.top + CAPTION_GAP * scale.caption
    page = setting.words.say(setting.words.puzzle_on, page=index[puzzle_place(puzzle.number)])
    if one_line:
        said = leaf.text(page, (board.right, y), scale.small, anchor=Anchor.END)
    else:
        said = leaf.text(page, (board.x, y), scale.small)
        y += 1.3 * scale.small
    leaf.link(said, puzzle_place(puzzle.number))
    leaf.text(str(puzzle.number), (board.x, y), scale.caption, strong=True)
