"""Text broken into lines: spans in two weights, ragged right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from linkpress.layout.frame import BLACK, FontKey, Ink
from linkpress.layout.measure import Measure, font_for

LEADING = 1.4  # of the size, for running text
HEADING_LEADING = 1.15
SHORT_LINE = 0.22  # of the column: a last line shorter than this looks lost
NARROWER = (0.97, 0.94, 0.91, 0.88, 0.85)  # of the column, tried in turn


@dataclass(frozen=True, slots=True)
class Text:
    """A stretch of text in one weight."""

    text: str
    strong: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading or a list item.

    Args:
        spans: the text; a line feed in it breaks the line.
        leading_pt: from baseline to baseline.
        before_pt: space above, left out at the head of a page.
        indent_pt: of every line.
        hang_pt: how far left of the text the marker stands.
        marker: as ``1`` or ``–``; empty for none.
        with_next: stands on the page of the block that follows (a heading).
        where: what it is, for a message about a glyph that is missing.
    """

    spans: tuple[Text, ...]
    size_pt: float
    leading_pt: float
    before_pt: float = 0.0
    indent_pt: float = 0.0
    hang_pt: float = 0.0
    marker: str = ""
    with_next: bool = False
    ink: Ink = BLACK
    where: str = "text"


@dataclass(slots=True)
class TextLine:
    """A line of one block.

    Args:
        runs: x from the line's left, text and font of each.
        width: of all of them.
    """

    runs: list[tuple[float, str, FontKey]] = field(default_factory=list)
    width: float = 0.0

    @property
    def text(self) -> str:
        """Its words."""
        return "".join(text for _, text, _ in self.runs).rstrip()


def text_block(text: str, size_pt: float, **options: object) -> Block:
    """A paragraph in the regular weight; options as in ``Block``."""
    return Block((Text(text),), size_pt, size_pt * LEADING, **options)  # type: ignore[arg-type]


def heading_block(text: str, size_pt: float, before_pt: float, where: str = "text") -> Block:
    """A heading: semibold, closer, on the page of what follows it."""
    return Block(
        (Text(text, strong=True),),
        size_pt,
        size_pt * HEADING_LEADING,
        before_pt=before_pt,
        with_next=True,
        where=where,
    )


def break_lines(block: Block, width_pt: float, measure: Measure) -> list[TextLine]:
    """The block's lines; where the last is one short word, a narrower setting that needs no line more.

    A word wider than the line is broken where it must.

    Args:
        block: a paragraph, a heading or a list item.
        width_pt: of the column, the block's indent included.
        measure: measures the words.
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


def _greedy_lines(block: Block, width_pt: float, measure: Measure) -> list[TextLine]:
    lines = [TextLine()]
    for span in block.spans:
        wanted = FontKey.SEMIBOLD if span.strong else FontKey.REGULAR
        face = font_for(span.text.replace("\n", " "), wanted, measure, block.where)
        for at, part in enumerate(span.text.split("\n")):
            if at:
                lines.append(TextLine())
            for word in _words(part):
                _add_word(lines, word, face, block.size_pt, width_pt, measure)
    return lines


def _words(text: str) -> Iterator[str]:
    """Words, each with the spaces before it."""
    start = 0
    for at in range(1, len(text)):
        if text[at] == " " and text[at - 1] != " ":
            yield text[start:at]
            start = at
    if text:
        yield text[start:]


def _add_word(
    lines: list[TextLine], word: str, face: FontKey, size_pt: float, width_pt: float, measure: Measure
) -> None:
    line = lines[-1]
    if not line.runs:
        word = word.lstrip(" ")
    ends = measure.width(word.rstrip(" "), face, size_pt)
    if line.runs and line.width + ends > width_pt:
        line = TextLine()
        lines.append(line)
        word = word.lstrip(" ")
    while word and not line.runs and measure.width(word, face, size_pt) > width_pt:
        fits = _fitting(word, face, size_pt, width_pt, measure)
        line.runs.append((0.0, word[:fits], face))
        word = word[fits:]
        line = TextLine()
        lines.append(line)
    _append(line, word, face, size_pt, measure)


def _fitting(word: str, face: FontKey, size_pt: float, width_pt: float, measure: Measure) -> int:
    """How many of a long word's letters stand in a line; one at least."""
    for count in range(2, len(word) + 1):
        if measure.width(word[:count], face, size_pt) > width_pt:
            return count - 1
    return len(word)


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
