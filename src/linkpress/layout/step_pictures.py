"""Pictures that show how a board is solved: the board after each step, with a sentence below.

New lines have a different ink than the lines of earlier steps. Cells that the sentence mentions are tinted. A
cross on the border between two cells shows that no line can run between them. If a step assumes something and
derives a contradiction, each conclusion is drawn as a small arrow or cross, numbered in order.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from linkpress.documents.inks import contrast
from linkpress.layout.boards import Board, board_frame
from linkpress.layout.frame import (
    BLACK,
    Anchor,
    Cap,
    FontKey,
    Frame,
    Ink,
    Item,
    Lines,
    Placed,
    Point,
    Rect,
    Rects,
    Segment,
    Tag,
    TextRun,
    grey,
)
from linkpress.layout.text_flow import (
    LEADING,
    Block,
    Measure,
    Text,
    TextLine,
    break_lines,
    line_runs,
    set_text,
)
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Edge, Puzzle, column_name

if TYPE_CHECKING:
    from linkpress.engine.explain.clauses import ChainLink
    from linkpress.engine.explain.steps import Step

# Sizes in the pictures of solving steps, as fractions of the cell's width.
_LINE = 0.22  # line width of a path, as a fraction of the cell's width

# On boards with coloured dots, a path always has the colour of its dots. So the lines of earlier steps
# and the lines that a step adds are distinguished by their widths. These are the widths, as fractions of
# the cell's width.
_OLD_LINE, _NEW_LINE = 0.14, 0.34
_CROSS = 0.13  # half the width of a cross, as a fraction of the cell's width
_CROSS_WEIGHT = 0.07
# Half the length of an arrow across the border between two cells, as a fraction of the cell's width.
_ARROW = 0.26
_ARROW_HEAD = 0.11
_ARROW_WEIGHT = 0.06
_MARK = 0.3  # type size of the label beside an arrow or cross, as a fraction of the cell's width
_MARK_DISTANCE = 0.17  # distance from an arrow or cross to its label, as a fraction of the cell's width

# If a step of a solution begins with an assumption, an arrow or cross shows the assumption. It is moved by
# this fraction of the cell's width, so that it doesn't hide a line at the same position.
_SUPPOSITION_SHIFT = 0.17
# Space to the left of and above a board for the labels of rows and columns, as a fraction of
# the cell's width.
MARGIN = 0.95
_LABEL = 0.42  # type size of the labels of rows and columns, as a fraction of the cell's width


@dataclass(frozen=True, slots=True)
class StepInks:
    """Inks in the picture of a step of a solution.

    Args:
        before: the ink of lines from earlier steps.
        new: the ink of lines that this step adds.
        tint: the ink behind cells that the sentence below the picture mentions.
    """

    before: Ink
    new: Ink
    tint: Ink


LABEL_INK = grey(0.6)
SCREEN_INKS = StepInks(grey(0.4), Ink(0.75, 0.3, 0.0, 0.0), Ink(0.0, 0.03, 0.3, 0.0))
GREYS = StepInks(before=grey(0.25), new=grey(0.55), tint=grey(0.15))
LEAST_CONTRAST = 3.0  # minimum contrast of graphical objects, by criterion 1.4.11 of WCAG 2.2


def inks_for_dots(dots: Iterable[Ink]) -> StepInks:
    """Return inks for the pictures that show, step by step, how a board with coloured dots is solved.

    The lines that a step adds are drawn in black if their usual ink would be hard to see on one of the dots.

    Args:
        dots: the inks of the dots.
    """
    shown = [dot.rgb for dot in dots]

    def least_contrast(ink: Ink) -> float:
        return min((contrast(ink.rgb, dot) for dot in shown), default=LEAST_CONTRAST)

    new = max((SCREEN_INKS.new, BLACK), key=lambda ink: min(LEAST_CONTRAST, least_contrast(ink)))
    return replace(SCREEN_INKS, new=new)


def lesson_inks(theme: Theme, puzzle: Puzzle) -> StepInks:
    """Return the inks for the pictures in a book that show a board after each step of its solution.

    If the book's theme has no colours, the inks are greys.
    """
    if not theme.has_colours:
        return GREYS
    pairs = puzzle.pairs if theme.numbers.is_dots else ()
    return inks_for_dots(theme.numbers.ink_of(pair.number) for pair in pairs)


@dataclass(frozen=True, slots=True)
class StepPicture:
    """Drawing of a board after one step of its solution.

    Args:
        name: the name of the drawing, which is unique in a file.
        board: the drawing.
        number: the number of the step.
        text: the sentence that explains the step.
    """

    name: str
    board: Frame
    number: int
    text: str


class StepPictures:
    """Draw a board after each step of its solution.

    Args:
        cell_pt: the width of a cell in points.
        theme: the design of the board. If it has coloured dots, lines have the colours of their dots, and new
            lines are thicker.
        inks: the inks of lines and tinted cells.
        min_text_pt: the printer's minimum type size in points.
        colours: the name of each pair's colour by the pair's number, for boards that show no numbers.
        has_labels: whether to label rows and columns.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        cell_pt: float,
        theme: Theme,
        measure: Measure,
        inks: StepInks = SCREEN_INKS,
        min_text_pt: float = 0.0,
        colours: Mapping[int, str] = MappingProxyType({}),
        has_labels: bool = True,
    ) -> None:
        self._puzzle, self._grid, self._inks = puzzle, puzzle.grid, inks
        self._measure, self._min_text_pt, self._colours = measure, min_text_pt, colours
        self._board = board_frame(puzzle, None, cell_pt, theme, measure, min_text_pt)
        self._margin = MARGIN * cell_pt * has_labels
        self._numbers = theme.numbers
        board = Board(puzzle, cell_pt, theme, measure, min_text_pt)
        self._cell_pt, self._centre = board.cell_pt, board.centre
        self._labels = tuple(self._make_labels()) if has_labels else ()
        self._drawn: list[Edge] = []
        self._ruled_out: list[Edge] = []

    def of(self, steps: Iterable[tuple[Step, str]], name: str = "step") -> Iterator[StepPicture]:
        """Yield a picture of each step.

        Args:
            steps: the steps in order, each with the sentence that explains it.
            name: the prefix of the pictures' names.
        """
        for number, (step, text) in enumerate(steps, 1):
            step_name = f"{name}-{number}"
            yield StepPicture(step_name, self._after(step, f"{step_name}-board"), number, text)

    def _after(self, step: Step, name: str) -> Frame:
        under: list[Item] = [Rects(tuple(self._square(cell) for cell in sorted(step.cells)), self._inks.tint)]
        inks = self._line_inks([*self._drawn, *step.drawn])
        for edges, usual, width in (
            (self._drawn, self._inks.before, _OLD_LINE if self._numbers.is_dots else _LINE),
            (step.drawn, self._inks.new, _NEW_LINE if self._numbers.is_dots else _LINE),
        ):
            by_ink: dict[Ink, list[Segment]] = {}
            for a, b in edges:
                by_ink.setdefault(inks.get(a, usual), []).append((*self._centre(a), *self._centre(b)))
            for ink, segments in by_ink.items():
                under.append(Lines(tuple(segments), width * self._cell_pt, ink, Cap.ROUND))
        self._drawn += step.drawn
        over: list[Item] = []
        for edges, ink in ((self._open_crosses(), self._inks.before), (step.ruled_out, self._inks.new)):
            if edges:
                crosses = tuple(line for edge in edges for line in self._cross(edge))
                over.append(Lines(crosses, _CROSS_WEIGHT * self._cell_pt, ink))
        self._ruled_out += step.ruled_out
        over += [item for link in step.chain for item in self._link(link, step.chain)]
        board = self._board
        whole = Frame(board.width_pt, board.height_pt, (*under, *board.items, *over))
        width, height = board.width_pt + self._margin, board.height_pt + self._margin
        return Frame(width, height, (Placed(name, whole, self._margin, 0.0), *self._labels))

    def _line_inks(self, drawn: Iterable[Edge]) -> dict[int, Ink]:
        """Return the ink of each cell on a line that is connected to a coloured dot.

        The line has the ink of its dot. The result is empty for a board with numbers instead of dots.
        """
        beside = defaultdict[int, list[int]](list)
        for a, b in drawn:
            beside[a].append(b)
            beside[b].append(a)
        inks: dict[int, Ink] = {}
        reached = list(self._puzzle.number_at.items()) if self._numbers.is_dots else []
        while reached:
            cell, number = reached.pop()
            if cell not in inks:
                inks[cell] = self._numbers.ink_of(number)
                reached += [(other, number) for other in beside[cell]]
        return inks

    def _open_crosses(self) -> list[Edge]:
        """Return the sides of cells at which a cross of an earlier step is drawn again.

        A cross means that no line can run through this side. The line of a cell leaves it through one side
        if the cell has a number, and through two sides otherwise. Once these parts of the line are drawn, a
        cross at any other side of the cell says nothing new, so it is left out.
        """
        ends = Counter(cell for edge in self._drawn for cell in edge)
        full = {cell for cell in ends if ends[cell] == (1 if cell in self._puzzle.number_at else 2)}
        return [edge for edge in self._ruled_out if not full & set(edge)]

    def _link(self, link: ChainLink, chain: Sequence[ChainLink]) -> Iterator[Item]:
        """Draw one conclusion from an assumption: an arrow or a cross, with its label.

        The kind of the conclusion depends on ``link.number``:

        - A negative number means that no line can run between the two cells of ``link.cells``. Draw a cross.
        - Zero means that a line must run between these two cells. Draw an arrow.
        - A positive number means that the cell of ``link.cells`` is on the path of the pair with this number.
          Draw only the label.
        """
        cell_pt, size = self._cell_pt, max(_MARK * self._cell_pt, self._min_text_pt)
        (x0, y0), (x1, y1) = self._centre(link.cells[0]), self._centre(link.cells[-1])
        # Direction of the arrow. Both values are 0 if the conclusion is about a single cell.
        across, up = (x1 - x0) / cell_pt, (y1 - y0) / cell_pt
        shift = 0.0
        if link is chain[0]:
            # The first conclusion is the assumption itself. Move its arrow or cross to one side, because the
            # step also draws a line or a cross at the same position.
            shift = _SUPPOSITION_SHIFT * cell_pt
        x, y = (x0 + x1) / 2 - abs(up) * shift, (y0 + y1) / 2 - abs(across) * shift
        weight, ink = _ARROW_WEIGHT * cell_pt, self._inks.new
        if link.number < 0:
            yield Lines(tuple(self._cross((link.cells[0], link.cells[1]))), weight, ink)
        elif not link.number:
            length, head = _ARROW * cell_pt, _ARROW_HEAD * cell_pt
            tip = x + across * length, y + up * length
            back = tip[0] - across * head, tip[1] - up * head
            sides = ((*tip, back[0] + side * up * head, back[1] + side * across * head) for side in (1, -1))
            shaft = (x - across * length, y - up * length, *tip)
            yield Lines((shaft, *sides), weight, ink, Cap.ROUND)
        if not link.mark:
            return
        text = f"{link.mark}: {self._colours.get(link.number, link.number)}" if link.number > 0 else link.mark
        distance = _MARK_DISTANCE * cell_pt + 2 * shift
        point = x + abs(up) * distance, y + abs(across) * distance - size * 0.35
        yield set_text(text, point, FontKey.SEMIBOLD, size, self._measure, Anchor.MIDDLE, BLACK)

    def _make_labels(self) -> Iterator[Item]:
        size = max(_LABEL * self._cell_pt, self._min_text_pt)

        def label(text: str, point: Point, anchor: Anchor) -> Item:
            return set_text(text, point, FontKey.REGULAR, size, self._measure, anchor, LABEL_INK)

        for row in range(self._grid.rows):
            _, y = self._centre(self._grid.cell(row, 0))
            yield label(str(row + 1), (self._margin * 0.85, y - size * 0.35), Anchor.END)
        for col in range(self._grid.cols):
            x, _ = self._centre(self._grid.cell(0, col))
            point = self._margin + x, self._board.height_pt + self._margin * 0.2
            yield label(column_name(col + 1), point, Anchor.MIDDLE)

    def _square(self, cell: int) -> Rect:
        x, y = self._centre(cell)
        return x - self._cell_pt / 2, y - self._cell_pt / 2, self._cell_pt, self._cell_pt

    def _cross(self, edge: Edge) -> Iterator[Segment]:
        (x0, y0), (x1, y1) = (self._centre(cell) for cell in edge)
        x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, _CROSS * self._cell_pt
        yield x - half, y - half, x + half, y + half
        yield x - half, y + half, x + half, y - half


def picture_rows(
    pictures: Sequence[StepPicture], cols: int, theme: Theme, measure: Measure, least_pt: float = 0.0
) -> Iterator[Frame]:
    """Yield a frame for each row of pictures. Below each picture is the sentence that explains its step.

    Args:
        cols: the number of pictures in a row.
        least_pt: the minimum width of a column in points.
    """
    gap, size = theme.type.body * 2, theme.type.small
    leading = LEADING * size
    for begin in range(0, len(pictures), cols):
        row = pictures[begin : begin + cols]
        width = max(least_pt, *(picture.board.width_pt for picture in row))
        sentences = [sentence_lines(picture.number, picture.text, width, size, measure) for picture in row]
        board_pt = max(picture.board.height_pt for picture in row)
        height = gap / 2 + board_pt + leading * (0.5 + max(len(lines) for lines in sentences)) + gap / 2
        items: list[Item] = []
        for index, (picture, lines) in enumerate(zip(row, sentences, strict=True)):
            x, y = gap + index * (width + gap), height - gap / 2 - board_pt
            items.append(Placed(picture.name, picture.board, x, y))
            items += sentence_runs(lines, x, y - leading * 1.3, size, measure)
        yield Frame(gap + cols * (width + gap), height, tuple(items))


def sentence_lines(number: int, text: str, width: float, size: float, measure: Measure) -> Sequence[TextLine]:
    """Break the caption of a picture into lines.

    The picture shows one step of a solution. The caption has the number of the picture and the sentence
    ``text``, which explains the step.
    """
    spans = (Text(f"{number}. ", strong=True), Text(text))
    return break_lines(Block(spans, size, LEADING * size, where="step"), width, measure)


def sentence_runs(
    lines: Sequence[TextLine], x: float, y: float, size: float, measure: Measure, tag: Tag | None = None
) -> Iterator[TextRun]:
    """Typeset lines of text, one below the other. The baseline of the first one is at ``y``.

    Args:
        x: the left end of the lines, in points.
        size: the type size in points.
        tag: the structure element that the text belongs to, or None if screen readers skip the text.
    """
    for index, line in enumerate(lines):
        yield from line_runs(line, x, y - index * LEADING * size, size, measure, tag=tag)


def heading_row(text: str, width_pt: float, theme: Theme, measure: Measure) -> Frame:
    """Return a heading that is placed above the pictures of one puzzle."""
    size = theme.type.heading
    run = set_text(text, (2 * theme.type.body, size * 0.5), FontKey.SEMIBOLD, size, measure)
    return Frame(width_pt, 2 * size, (run,))


def stacked(rows: Sequence[Frame]) -> Frame:
    """Put several drawings (frames) below each other, and return them as a single drawing."""
    height = sum(row.height_pt for row in rows)
    items, top = [], height
    for number, row in enumerate(rows, 1):
        top -= row.height_pt
        items.append(Placed(f"row-{number}", row, 0.0, top))
    return Frame(max(row.width_pt for row in rows), height, tuple(items))
