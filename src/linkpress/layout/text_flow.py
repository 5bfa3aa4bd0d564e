"""Running text has spans in two weights; it is broken into ragged lines, and columns without widows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import takewhile

from linkpress.layout.frame import BLACK, Area, FontKey, Ink, Placed, TextRun
from linkpress.layout.line_breaks import cuts, letters, pieces
from linkpress.layout.measure import Measure, clear_leading, font_for, set_text

LEADING = 1.4  # of the size, for running text
HEADING_LEADING = 1.15
SHORT_LINE = 0.22  # of the column: a last line shorter than this looks lost
SLACK_PT = 0.01  # lost in sums
LONGEST = 500  # letters, more than a line holds
KEEP_LINES = 2  # of a paragraph, at the foot and at the head of a page
LOOSE = 0.6  # of the column: a line shorter than this, but the last, has room for a part of the next word
NARROWER = (0.97, 0.94, 0.91, 0.88, 0.85)  # of the column, tried in turn

Movable = TextRun | Placed
_Part = tuple[str, FontKey]  # of a word: letters of one face


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of text has one weight; where there are no italics, these have the heavier one."""

    text: str
    strong: bool = False
    italic: bool = False

    @property
    def font(self) -> FontKey:
        """Return the face that it is to be set in."""
        if self.italic and not self.strong:
            return FontKey.ITALIC
        return FontKey.SEMIBOLD if self.strong or self.italic else FontKey.REGULAR


@dataclass(frozen=True, slots=True)
class Block:
    """A block is a paragraph, a heading or a list item.

    Args:
        spans: the text; a line feed in it breaks the line.
        leading_pt: the distance from baseline to baseline.
        before_pt: the space above, left out at the head of a page.
        hang_pt: how far left of the text the marker stands.
        marker: a number or dash before a list item; empty for none.
        with_next: whether it stands on the page of the block that follows, as a heading does.
        whole_words: whether only words wider than the line are parted, and in Japanese no phrase is.
    """

    spans: tuple[Text, ...]
    size_pt: float
    leading_pt: float
    before_pt: float = 0.0
    indent_pt: float = 0.0
    hang_pt: float = 0.0
    marker: str = ""
    with_next: bool = False
    whole_words: bool = False
    ink: Ink = BLACK
    where: str = "text"


@dataclass(slots=True)
class TextLine:
    """A line of a block has runs, each with its x from the line's left, its text and font."""

    runs: list[tuple[float, str, FontKey]] = field(default_factory=list)
    width: float = 0.0

    @property
    def text(self) -> str:
        """Return the line's words as they are read."""
        return "".join(text for _, text, _ in self.runs).rstrip()


def text_block(text: str, size_pt: float, **options: object) -> Block:
    """Return a paragraph in the regular weight; options are those of ``Block``."""
    return Block((Text(text),), size_pt, size_pt * LEADING, **options)  # type: ignore[arg-type]


def heading_block(text: str, size_pt: float, before_pt: float) -> Block:
    """Return a heading: semibold, closer, on the page of what follows it."""
    spans, leading_pt = (Text(text, strong=True),), HEADING_LEADING * size_pt
    return Block(spans, size_pt, leading_pt, before_pt, with_next=True, whole_words=True)


@lru_cache(maxsize=2000)  # a book's page count is found by setting its texts several times
def break_lines(block: Block, width_pt: float, measure: Measure) -> Sequence[TextLine]:
    """Break a block into lines, narrower ones if the last would be a short word and no line is added.

    A word wider than the line is hyphenated, and so is one that would leave much of a line blank.
    """
    width_pt -= block.indent_pt
    lines = _greedy_lines(block, width_pt, measure)
    for narrower in NARROWER:
        if len(lines) < 2 or lines[-1].width >= SHORT_LINE * width_pt:
            break
        tried = _greedy_lines(block, narrower * width_pt, measure)
        if len(tried) > len(lines):
            break
        lines = tried
    return lines


def with_clear_lines(block: Block, measure: Measure) -> Block:
    """Return the block with a leading at which no line touches another."""
    text = "".join(span.text for span in block.spans).replace("\n", " ")
    leading_pt = clear_leading(text, block.size_pt, block.leading_pt, measure)
    return block if leading_pt == block.leading_pt else replace(block, leading_pt=leading_pt)


def _greedy_lines(block: Block, width_pt: float, measure: Measure) -> list[TextLine]:
    lines = [TextLine()]
    for index, paragraph in enumerate(_paragraphs(block, measure)):
        if index:
            lines.append(TextLine())
        for word in _words(paragraph, measure.language, block.whole_words):
            _add_word(lines, word, block, width_pt, measure)
    return lines


def _paragraphs(block: Block, measure: Measure) -> list[list[_Part]]:
    """Split the text at line feeds, each stretch with its face."""
    found: list[list[_Part]] = [[]]
    for span in block.spans:
        face = font_for(span.text.replace("\n", " "), span.font, measure, block.where)
        for index, text in enumerate(span.text.split("\n")):
            if index:
                found.append([])
            found[-1].append((text, face))
    return found


def _words(paragraph: Sequence[_Part], language: str, phrases: bool) -> Iterator[list[_Part]]:
    """Yield words after which lines may end, each in parts of one face; stretches that touch are one."""
    word: list[_Part] = []
    left = 0  # of the piece, in the parts to come
    rest = pieces("".join(text for text, _ in paragraph), language, phrases)
    for text, face in paragraph:
        while text:
            if not left:
                if word:
                    yield word
                word, left = [], len(next(rest))
            word.append((text[:left], face))
            text, left = text[left:], max(0, left - len(text))
    if word:
        yield word


def _add_word(
    lines: list[TextLine], word: list[_Part], block: Block, width_pt: float, measure: Measure
) -> None:
    size_pt = block.size_pt
    if not lines[-1].runs:
        word = _without_spaces(word)
    if lines[-1].runs and lines[-1].width + _width(word, size_pt, measure) > width_pt:
        word = _rest_for_next_line(lines[-1], word, block, width_pt, measure)
        lines.append(TextLine())
    for text, face in word:
        while text and not lines[-1].runs and measure.width(text, face, size_pt) > width_pt:
            head, text = _parted(text, face, size_pt, width_pt, measure)
            lines[-1].runs.append((0.0, head, face))
            lines.append(TextLine())
        _append(lines[-1], text, face, size_pt, measure)


def _without_spaces(word: list[_Part]) -> list[_Part]:
    (text, face), *others = word
    return [(text.lstrip(" "), face), *others]


def _width(word: Sequence[_Part], size_pt: float, measure: Measure) -> float:
    *parts, (last, face) = word
    before = sum(measure.width(text, other, size_pt) for text, other in parts)
    return before + measure.width(last.rstrip(" "), face, size_pt)


def _rest_for_next_line(
    line: TextLine, word: list[_Part], block: Block, width_pt: float, measure: Measure
) -> list[_Part]:
    """Return what of a word goes to the next line: all of it, unless too much of this one would be blank."""
    size_pt = block.size_pt
    wide = _width(_without_spaces(word), size_pt, measure) > width_pt
    loose = line.width < LOOSE * width_pt and not block.whole_words
    if len(word) == 1 and (wide or loose):
        text, face = word[0]
        room = width_pt - line.width
        for index, hyphen in reversed(cuts(text, measure.language)):
            hyphenated = hyphen or text[index - 1] == "-"  # an address that fits in a line stays whole
            if (
                (wide or hyphenated)
                and text[:index].strip(" ")
                and measure.width(text[:index] + hyphen, face, size_pt) <= room
            ):
                _append(line, text[:index] + hyphen, face, size_pt, measure)
                return [(text[index:], face)]
    return _without_spaces(word)


def _parted(word: str, face: FontKey, size_pt: float, width_pt: float, measure: Measure) -> tuple[str, str]:
    """Part a word wider than a line into what fits in it and the rest, if need be anywhere."""

    def fits(part: tuple[int, str]) -> bool:
        cut, hyphen = part
        return measure.width(word[:cut] + hyphen, face, size_pt) <= width_pt

    head = word[:LONGEST]
    fitting = [*takewhile(fits, cuts(head, measure.language))]
    if not fitting:
        fitting = [*takewhile(fits, ((end, "") for end in letters(head)))]
    cut, hyphen = fitting[-1] if fitting else (next(letters(head)), "")
    return word[:cut] + hyphen, word[cut:]


def _append(line: TextLine, word: str, face: FontKey, size_pt: float, measure: Measure) -> None:
    if not word:
        return
    if line.runs and line.runs[-1][2] == face:
        x, text, _ = line.runs[-1]
        line.runs[-1] = (x, text + word, face)
        line.width = x + measure.width(text + word, face, size_pt)
    else:
        line.runs.append((line.width, word, face))
        line.width += measure.width(word, face, size_pt)


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A row of drawings keeps together; they are placed from its bottom left corner."""

    items: tuple[Movable, ...]
    height_pt: float
    before_pt: float = 0.0
    with_next: bool = False


def flow(
    blocks: Sequence[Block | PictureRow], area: Area, measure: Measure
) -> list[list[tuple[Movable, ...]]]:
    """Set blocks into columns of an area, one at least; return each block's items, column by column."""
    column = _Column(area, measure)
    for group in _groups(blocks):
        column.add(group)
    return column.done


def _groups(blocks: Sequence[Block | PictureRow]) -> Iterator[list[Block | PictureRow]]:
    group: list[Block | PictureRow] = []
    for block in blocks:
        group.append(block)
        if not block.with_next:
            yield group
            group = []
    if group:
        yield group


class _Column:
    """A column is filled from the top, and a new one begun when a group does not fit."""

    def __init__(self, area: Area, measure: Measure) -> None:
        self._area, self._measure, self._y = area, measure, area.top
        self.done: list[list[tuple[Movable, ...]]] = [[]]

    def add(self, group: list[Block | PictureRow]) -> None:
        group = [
            with_clear_lines(block, self._measure) if isinstance(block, Block) else block for block in group
        ]
        broken = [
            break_lines(block, self._area.width, self._measure) if isinstance(block, Block) else []
            for block in group
        ]
        if self._least_height(group, broken) > self._y - self._area.y + SLACK_PT and self.done[-1]:
            self._turn()
        for block, lines in zip(group, broken, strict=True):
            if isinstance(block, PictureRow):
                self._place(block)
            else:
                self._write(block, lines)

    def _turn(self) -> None:
        self.done.append([])
        self._y = self._area.top

    def _least_height(self, group: list[Block | PictureRow], broken: list[Sequence[TextLine]]) -> float:
        """Return the height of what must stand together in a group: all but the last block's later lines."""
        height = 0.0
        for index, (block, lines) in enumerate(zip(group, broken, strict=True)):
            height += block.before_pt
            if isinstance(block, PictureRow):
                height += block.height_pt
                continue
            last = index == len(group) - 1
            kept = len(lines) if not last or len(lines) < 2 * KEEP_LINES else KEEP_LINES
            height += kept * block.leading_pt
        return height

    def _space_before(self, block: Block | PictureRow) -> None:
        if self.done[-1]:
            self._y -= block.before_pt

    def _place(self, picture: PictureRow) -> None:
        self._space_before(picture)
        self._y -= picture.height_pt
        self.done[-1].append(tuple(shifted(item, self._area.x, self._y) for item in picture.items))

    def _write(self, block: Block, lines: Sequence[TextLine]) -> None:
        self._space_before(block)
        items: list[Movable] = []
        for index, line in enumerate(lines):
            left, room = len(lines) - index, int((self._y - self._area.y + SLACK_PT) / block.leading_pt)
            if room < 1 or (left == KEEP_LINES and index >= KEEP_LINES and room < KEEP_LINES):
                self.done[-1].append(tuple(items))
                items = []
                self._turn()
            self._y -= block.leading_pt
            items += self._line(block, line, first=index == 0)
        self.done[-1].append(tuple(items))

    def _line(self, block: Block, line: TextLine, first: bool) -> list[Movable]:
        # The baseline stands so that the x-height is about centred in the leading.
        y = self._y + (block.leading_pt - block.size_pt) / 2 + 0.22 * block.size_pt
        items: list[Movable] = []
        if first and block.marker:
            face = font_for(block.marker, FontKey.SEMIBOLD, self._measure, block.where)
            point = self._area.x + block.indent_pt - block.hang_pt, y
            items.append(set_text(block.marker, point, face, block.size_pt, self._measure, ink=block.ink))
        items += line_runs(line, self._area.x + block.indent_pt, y, block.size_pt, self._measure, block.ink)
        return items


def line_runs(
    line: TextLine, x: float, y: float, size_pt: float, measure: Measure, ink: Ink = BLACK
) -> Iterator[TextRun]:
    """Set a line whose left end is at x, on the baseline y."""
    for shift, text, face in line.runs:
        yield TextRun(x + shift, y, text, face, size_pt, measure.width(text, face, size_pt), ink)


def shifted(item: Movable, dx: float, dy: float) -> Movable:
    """Return an item moved by an offset."""
    return replace(item, x=item.x + dx, y=item.y + dy)
