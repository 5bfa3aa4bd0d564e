"""A solve is told in pictures: the board after each step, what is new marked, with the sentence below.

New lines are drawn in an ink of their own over those of the steps before; the squares that a sentence
names are tinted; a way that it closes has a cross on the border between its two squares. What follows from
a supposition is drawn in small arrows, numbered in their order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from linkpress.documents.inks import contrast
from linkpress.engine.explain.phrase_tree import column_name
from linkpress.layout.boards.board_frames import board_frame
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
    TextRun,
    grey,
)
from linkpress.layout.measure import Measure, set_text
from linkpress.layout.text_flow import LEADING, Block, Text, TextLine, break_lines, line_runs
from linkpress.layout.theme import Theme
from linkpress.puzzle.puzzle import Edge, Puzzle

if TYPE_CHECKING:
    from linkpress.engine.explain.clauses import ChainLink
    from linkpress.engine.explain.steps import Step

# Shares of a square's side.
_LINE = 0.22
_CROSS = 0.13  # from the middle to an end
_CROSS_WEIGHT = 0.07
_ARROW = 0.26  # from the border between two squares to an end
_HEAD = 0.11  # each side of it
_ARROW_WEIGHT = 0.06
_MARK = 0.3  # the type of its number, which stands beside it
_BESIDE = 0.17
_APART = 0.17  # of what is supposed from what follows for the board
MARGIN = 0.95  # left of the board and above it, for the names of rows and columns
_LABEL = 0.42  # their type


@dataclass(frozen=True, slots=True)
class StepInks:
    """A step's picture has inks for earlier lines, for the new ones, and for the squares that are named."""

    before: Ink
    new: Ink
    tint: Ink


LABEL_INK = grey(0.6)
SCREEN_INKS = StepInks(grey(0.4), Ink(0.75, 0.3, 0.0, 0.0), Ink(0.0, 0.03, 0.3, 0.0))
GREYS = StepInks(before=grey(0.25), new=grey(0.55), tint=grey(0.15))
LEAST_CONTRAST = 3.0  # WCAG 2.2, 1.4.11


def inks_beside(dots: Iterable[Ink]) -> StepInks:
    """Return the inks in colour: new lines are black where they would be lost on one of the dots."""
    shown = [dot.rgb for dot in dots]

    def clearest(ink: Ink) -> float:
        return min((contrast(ink.rgb, dot) for dot in shown), default=LEAST_CONTRAST)

    new = max((SCREEN_INKS.new, BLACK), key=lambda ink: min(LEAST_CONTRAST, clearest(ink)))
    return replace(SCREEN_INKS, new=new)


def lesson_inks(theme: Theme, puzzle: Puzzle) -> StepInks:
    """Return the inks of a solve's pictures in a book: greys where it has no colours."""
    if all(ink.is_grey for _, ink in theme.inks):
        return GREYS
    pairs = puzzle.pairs if theme.numbers.is_dots else ()
    return inks_beside(theme.numbers.ink_of(pair.number) for pair in pairs)


@dataclass(frozen=True, slots=True)
class StepPicture:
    """A picture shows the board after one step, with a name of its own in a file, and its sentence."""

    name: str
    board: Frame
    number: int
    text: str


class StepPictures:
    """A drawer of steps draws a board stage after stage; pairs without numbers go by their colours."""

    def __init__(
        self,
        puzzle: Puzzle,
        cell_pt: float,
        theme: Theme,
        measure: Measure,
        inks: StepInks = SCREEN_INKS,
        min_text_pt: float = 0.0,
        colours: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.puzzle, self.grid, self.cell_pt, self.inks = puzzle, puzzle.grid, cell_pt, inks
        self.measure, self.colours = measure, colours
        self.board = board_frame(puzzle, None, cell_pt, theme, measure, min_text_pt)
        self.margin = MARGIN * cell_pt
        self.min_text_pt = min_text_pt
        self.label_pt = max(_LABEL * cell_pt, min_text_pt)
        self.edge = (self.board.width_pt - puzzle.grid.cols * cell_pt) / 2
        self.labels = tuple(self._labels())
        self.drawn: list[Edge] = []
        self.closed: list[Edge] = []

    def of(self, steps: Iterable[tuple[Step, str]], name: str = "step") -> Iterator[StepPicture]:
        """Yield a picture of each step of a solve, in order, with its sentence, and named by its number."""
        for number, (step, text) in enumerate(steps, 1):
            name_of_step = f"{name}-{number}"
            yield StepPicture(name_of_step, self._after(step, f"{name_of_step}-board"), number, text)

    def _after(self, step: Step, name: str) -> Frame:
        """Draw the board with one step more, the board itself as a frame with a name."""
        under: list[Item] = [Rects(tuple(self._square(cell) for cell in sorted(step.cells)), self.inks.tint)]
        for edges, ink in ((self.drawn, self.inks.before), (step.drawn, self.inks.new)):
            if edges:
                segments = tuple((*self._centre(a), *self._centre(b)) for a, b in edges)
                under.append(Lines(segments, _LINE * self.cell_pt, ink, Cap.ROUND))
        self.drawn += step.drawn
        over: list[Item] = []
        for edges, ink in ((self._still_crossed(), self.inks.before), (step.ruled_out, self.inks.new)):
            if edges:
                crosses = tuple(line for edge in edges for line in self._cross(edge))
                over.append(Lines(crosses, _CROSS_WEIGHT * self.cell_pt, ink))
        self.closed += step.ruled_out
        over += [item for link in step.chain for item in self._link(link, step.chain)]
        whole = Frame(self.board.width_pt, self.board.height_pt, (*under, *self.board.items, *over))
        width, height = self.board.width_pt + self.margin, self.board.height_pt + self.margin
        return Frame(width, height, (Placed(name, whole, self.margin, 0.0), *self.labels))

    def _still_crossed(self) -> list[Edge]:
        """Return earlier crosses between squares that are not full; those of full squares say nothing."""
        lines = Counter(cell for step in self.drawn for cell in step)
        full = {cell for cell in lines if lines[cell] == (1 if cell in self.puzzle.number_at else 2)}
        return [edge for edge in self.closed if not full & set(edge)]

    def _link(self, link: ChainLink, chain: Sequence[ChainLink]) -> Iterator[Item]:
        """Yield an arrow, a cross or a number for what follows from a supposition, with its mark."""
        cell_pt, size = self.cell_pt, max(_MARK * self.cell_pt, self.min_text_pt)
        (x0, y0), (x1, y1) = self._centre(link.cells[0]), self._centre(link.cells[-1])
        across, up = (x1 - x0) / cell_pt, (y1 - y0) / cell_pt  # a square to the side or none at all
        apart = _APART * cell_pt if link is chain[0] else 0.0  # where the step's own line or cross is
        x, y = (x0 + x1) / 2 - abs(up) * apart, (y0 + y1) / 2 - abs(across) * apart
        weight, ink = _ARROW_WEIGHT * cell_pt, self.inks.new
        if link.number < 0:
            yield Lines(tuple(self._cross((link.cells[0], link.cells[1]))), weight, ink)
        elif not link.number:
            reach, head = _ARROW * cell_pt, _HEAD * cell_pt
            tip = x + across * reach, y + up * reach
            back = tip[0] - across * head, tip[1] - up * head
            sides = (((*tip, back[0] + side * up * head, back[1] + side * across * head)) for side in (1, -1))
            shaft = (x - across * reach, y - up * reach, *tip)
            yield Lines((shaft, *sides), weight, ink, Cap.ROUND)
        text = f"{link.mark}: {self.colours.get(link.number, link.number)}" if link.number > 0 else link.mark
        beside = _BESIDE * cell_pt + 2 * apart
        point = x + abs(up) * beside, y + abs(across) * beside - size * 0.35
        yield set_text(text, point, FontKey.SEMIBOLD, size, self.measure, Anchor.MIDDLE, BLACK)

    def _labels(self) -> Iterator[Item]:
        size = self.label_pt
        for row in range(self.grid.rows):
            _, y = self._centre(self.grid.cell(row, 0))
            yield self._label(str(row + 1), (self.margin * 0.85, y - size * 0.35), Anchor.END)
        for col in range(self.grid.cols):
            x, _ = self._centre(self.grid.cell(0, col))
            point = self.margin + x, self.board.height_pt + self.margin * 0.2
            yield self._label(column_name(col + 1), point, Anchor.MIDDLE)

    def _label(self, text: str, point: Point, anchor: Anchor) -> Item:
        return set_text(text, point, FontKey.REGULAR, self.label_pt, self.measure, anchor, LABEL_INK)

    def _centre(self, cell: int) -> Point:
        row, col = self.grid.position(cell)
        return self.edge + (col + 0.5) * self.cell_pt, self.edge + (self.grid.rows - row - 0.5) * self.cell_pt

    def _square(self, cell: int) -> Rect:
        x, y = self._centre(cell)
        return x - self.cell_pt / 2, y - self.cell_pt / 2, self.cell_pt, self.cell_pt

    def _cross(self, step: Edge) -> Iterator[Segment]:
        (x0, y0), (x1, y1) = (self._centre(cell) for cell in step)
        x, y, half = (x0 + x1) / 2, (y0 + y1) / 2, _CROSS * self.cell_pt
        yield x - half, y - half, x + half, y + half
        yield x - half, y + half, x + half, y - half


def picture_rows(
    pictures: Sequence[StepPicture], cols: int, theme: Theme, measure: Measure, least_pt: float = 0.0
) -> Iterator[Frame]:
    """Yield a frame for each row of pictures of one size with their sentences, all of one width."""
    gap, size = theme.type.body * 2, theme.type.small
    for begin in range(0, len(pictures), cols):
        row = pictures[begin : begin + cols]
        width = max(least_pt, *(picture.board.width_pt for picture in row))
        sentences = [sentence_lines(picture.number, picture.text, width, size, measure) for picture in row]
        leading = LEADING * size
        board_pt = max(picture.board.height_pt for picture in row)
        height = gap / 2 + board_pt + leading * (0.5 + max(len(lines) for lines in sentences)) + gap / 2
        items: list[Item] = []
        for index, (picture, lines) in enumerate(zip(row, sentences, strict=True)):
            x, y = gap + index * (width + gap), height - gap / 2 - board_pt
            items.append(Placed(picture.name, picture.board, x, y))
            items += sentence_runs(lines, x, y - leading * 1.3, size, measure)
        yield Frame(gap + cols * (width + gap), height, tuple(items))


def sentence_lines(number: int, text: str, width: float, size: float, measure: Measure) -> Sequence[TextLine]:
    """Break a picture's number and sentence into lines."""
    spans = (Text(f"{number}. ", strong=True), Text(text))
    return break_lines(Block(spans, size, LEADING * size, where="step"), width, measure)


def sentence_runs(
    lines: Sequence[TextLine], x: float, y: float, size: float, measure: Measure
) -> Iterator[TextRun]:
    """Yield lines as they are drawn, the first on the baseline ``y``."""
    for index, line in enumerate(lines):
        yield from line_runs(line, x, y - index * LEADING * size, size, measure)


def heading_row(text: str, width_pt: float, theme: Theme, measure: Measure) -> Frame:
    """Return a heading above the pictures of one puzzle."""
    size = theme.type.heading
    run = set_text(text, (2 * theme.type.body, size * 0.5), FontKey.SEMIBOLD, size, measure)
    return Frame(width_pt, 2 * size, (run,))


def stacked(rows: Sequence[Frame]) -> Frame:
    """Put frames of rows one below the other."""
    height = sum(row.height_pt for row in rows)
    items, top = [], height
    for number, row in enumerate(rows, 1):
        top -= row.height_pt
        items.append(Placed(f"row-{number}", row, 0.0, top))
    return Frame(max(row.width_pt for row in rows), height, tuple(items))
