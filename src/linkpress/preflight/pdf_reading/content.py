"""This module reads from a page's operators its colours, inline images, missing fonts and hidden streams.

PDFium gives each object's place and its colour on a screen; what stands in the file behind that (the
colour space, the inks and their values, a pattern's or a glyph's own content) it keeps to itself.
Positions are followed only as far as the matrices of patterns and Type 3 glyphs need them. An operator
takes the last of its operands, as in PDFium: what that would draw without end has to be seen here.
"""

from __future__ import annotations

import copy
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

import pikepdf

from linkpress.preflight.pdf_reading.colours import (
    BLACK,
    CMYK,
    GRAY,
    RGB,
    UNKNOWN,
    Colour,
    ColourSpace,
    colour_space,
    initial_colour,
    set_colour,
)
from linkpress.preflight.pdf_reading.drawn import INVISIBLE, OUTLINE_ONLY, OUTLINED
from linkpress.preflight.pdf_reading.embedded_fonts import Font, read_font
from linkpress.preflight.pdf_reading.matrices import IDENTITY, Matrix, times
from linkpress.preflight.pdf_reading.objects import (
    MAX_NESTING,
    MAX_STREAM_BYTES,
    ReadingBudget,
    TooMuchError,
    elements,
    entry,
    filters,
    identity,
    is_number,
    matrix_of,
    name,
    named,
    number,
    unpacked,
)

Operands = Sequence[object]
Step = tuple[Callable[["_Walk", Operands], None], Operands]

_KEPT_STREAMS, _KEPT_LENGTH = 48, 4_000  # parsed forms held, and the operators that each may have: a grid
_KEPT_STEPS = 10_000  # instructions held; a book of 1,600 puzzles has 2,800 different ones
_WHITE, _NUMBER = rb"[ \n\r\t]", rb"[-+]?(?:\d{1,12}+(?:\.\d{0,12}+)?|\.\d{1,12}+)"
# Past lines and places, a plain instruction of numbers, names and strings, and its operator; or all the rest.
_PLAIN = re.compile(
    rb"(?:(?:%(number)b%(white)b++)*+(?:[mlcvyhwJjMinW]|re|Td|ET)%(white)b++)*+"
    rb"(?:((?:(?:%(number)b|/[\w.+-]++|\((?:[^()\\]|\\.)*+\)|<[\dA-Fa-f]*+>)%(white)b++)*+"
    rb"((?!BI|ID|EI)[A-Za-z]{1,3}\*?|['\"]))%(white)b++|.++)" % {b"number": _NUMBER, b"white": _WHITE},
    re.DOTALL,
)


@dataclass(slots=True)
class Hidden:
    """Hidden content is that of a tiling pattern or a Type 3 glyph, where a page paints with it."""

    stream: pikepdf.Stream
    resources: object
    matrix: Matrix


@dataclass(slots=True)
class PageContent:
    """A page's content is what its operators say, with all forms, patterns and glyphs that it uses.

    Args:
        colours: the colours of lines, fills, words and stencils.
        word_colours: the colours of words alone.
        image_spaces: the spaces of images that are no stencils.
        shading_spaces: the spaces of shadings, painted by themselves or as patterns.
        inline_filters: the filters of images that stand in the content itself.
        lost_texts: texts shown without a font, as far as they can be read.
        type3_texts: texts shown in Type 3 fonts, each with its size in points.
        hidden: patterns and glyphs, each once.
    """

    colours: set[Colour] = field(default_factory=set)
    word_colours: set[Colour] = field(default_factory=set)
    image_spaces: set[ColourSpace] = field(default_factory=set)
    shading_spaces: set[ColourSpace] = field(default_factory=set)
    inline_filters: set[str] = field(default_factory=set)
    lost_texts: list[str] = field(default_factory=list)
    type3_texts: list[tuple[str, float]] = field(default_factory=list)
    hidden: list[Hidden] = field(default_factory=list)


class ContentReader:
    """A reader reads the content of one file's pages, but fonts and small forms only once."""

    def __init__(self, pdf: pikepdf.Pdf, budget: ReadingBudget) -> None:
        self.budget = budget
        self.faults: list[str] = []  # what was wrong with content that could still be read
        self._pdf = pdf
        self._fonts: dict[tuple[int, int], Font] = {}
        self._parsed: dict[tuple[int, int], list[Step]] = {}
        self._steps: dict[bytes, Step] = {}

    def read(self, page: object, resources: object) -> PageContent:
        """Return what a page's operators say with its resources; raise ``TooMuchError`` past the budget."""
        content = entry(page, "/Contents")
        streams = [content] if isinstance(content, pikepdf.Stream) else elements(content)
        data = bytearray()
        for part in streams:
            if isinstance(part, pikepdf.Stream):
                data += unpacked(part) + b"\n"
            if len(data) > MAX_STREAM_BYTES:
                raise TooMuchError(f"more than {MAX_STREAM_BYTES >> 20} MB of content on one page")
        walk = _Walk(self, resources)
        walk.run(self._parse(bytes(data)), resources)
        return walk.found

    def font(self, value: object) -> Font:
        """Return a font, which is read at its first use."""
        key = identity(value)
        if key in self._fonts:
            return self._fonts[key]
        font = read_font(value)
        if key is not None:
            self._fonts[key] = font
        return font

    def steps(self, stream: pikepdf.Stream) -> list[Step]:
        """Return the instructions of a form, pattern or glyph."""
        key = identity(stream)
        if key in self._parsed:
            return self._parsed[key]
        found = self._parse(unpacked(stream))
        if key is not None and len(found) <= _KEPT_LENGTH:
            self._parsed[key] = found
            if len(self._parsed) > _KEPT_STREAMS:
                self._parsed.pop(next(iter(self._parsed)))
        return found

    def _parse(self, data: bytes) -> list[Step]:
        """Return what a stream instructs; pages say much the same, so that plain instructions are kept."""
        plain = _PLAIN.findall(data.lstrip(b" \n\r\t") + b"\n")
        if plain and not plain[-1][1]:
            return self._parse_any(data)
        texts = [text for text, operator in plain if operator in _LOOKED_AT]
        if len(self._steps) > _KEPT_STEPS:
            self._steps.clear()
        if new := dict.fromkeys(text for text in texts if text not in self._steps):
            self._steps |= dict(zip(new, self._parse_any(b"\n".join(new)), strict=True))
        return [self._steps[text] for text in texts]

    def _parse_any(self, data: bytes) -> list[Step]:
        with warnings.catch_warnings(record=True) as raised:
            warnings.simplefilter("ignore")  # those of objects that happen to be collected now
            warnings.simplefilter("always", UserWarning)
            found = pikepdf.parse_content_stream(pikepdf.Stream(self._pdf, data), _ALL_LOOKED_AT)
        self.faults += [str(warning.message) for warning in raised]
        return [
            (_Walk.see_inline_image, [step.iimage.obj])
            if isinstance(step, pikepdf.ContentStreamInlineImage)
            else (_OPERATORS[str(step.operator)], list(step.operands))
            for step in found
        ]


@dataclass(slots=True)
class _State:
    """This part of the graphics state decides on colours and scales."""

    matrix: Matrix = IDENTITY
    stroke: Colour = BLACK
    fill: Colour = BLACK
    font: Font | None = None
    size: float = 0.0
    mode: int = 0


class _Walk:
    """A walk runs the operators of one page; forms, patterns and glyphs run inside it."""

    def __init__(self, reader: ContentReader, resources: object) -> None:
        self.reader = reader
        self.found = PageContent()
        self.state = _State()
        self.saved: list[_State] = []
        self.resources: object = None
        self.page_resources = resources
        self.text_operands: Operands = ()
        self.latest_shown: Colour | None = None
        self.depth = 0
        self.seen: set[object] = set()

    def run(self, steps: Sequence[Step], resources: object) -> None:
        """Run one stream; without resources of its own it uses those of the stream around it."""
        if self.depth > MAX_NESTING:
            raise TooMuchError(f"content nested more than {MAX_NESTING} deep, or inside itself")
        self.reader.budget.spend(1 + len(steps))
        outer = self.resources
        self.resources = resources if resources is not None else outer
        for take, operands in steps:
            take(self, operands)
        self.resources = outer

    def run_inside(self, stream: pikepdf.Stream, resources: object, matrix: Matrix) -> None:
        """Run a form, pattern or glyph with a state of its own, then put everything back."""
        outer = (self.state, self.saved, self.text_operands)
        self.state, self.saved = copy.copy(self.state), []
        self.state.matrix = matrix
        self.depth += 1
        self.run(self.reader.steps(stream), resources)
        self.depth -= 1
        self.state, self.saved, self.text_operands = outer

    def save(self, operands: Operands) -> None:
        self.saved.append(copy.copy(self.state))

    def restore(self, operands: Operands) -> None:
        if self.saved:
            self.state = self.saved.pop()

    def concatenate(self, operands: Operands) -> None:
        matrix = _matrix(operands)
        if matrix is not None:
            self.state.matrix = times(matrix, self.state.matrix)

    def set_named_state(self, operands: Operands) -> None:
        chosen = entry(entry(self.resources, "/ExtGState"), name(operands[-1]) if operands else "")
        font = elements(entry(chosen, "/Font"), 2)
        if len(font) == 2:
            self.state.font, self.state.size = self.reader.font(font[0]), number(font[1])

    def begin_text(self, operands: Operands) -> None:
        self.text_operands = ()

    def set_text_matrix(self, operands: Operands) -> None:
        self.text_operands = operands

    def set_text_mode(self, operands: Operands) -> None:
        if operands and is_number(operands[-1]):
            self.state.mode = int(number(operands[-1]))

    def set_font(self, operands: Operands) -> None:
        if len(operands) < 2:
            return
        found = entry(entry(self.resources, "/Font"), name(operands[-2]))
        known = isinstance(found, pikepdf.Dictionary | pikepdf.Stream)
        self.state.font = self.reader.font(found) if known else None
        self.state.size = number(operands[-1])

    def show(self, operands: Operands) -> None:
        shown = operands[-1] if operands else None
        if isinstance(shown, pikepdf.String):
            codes = bytes(shown)
        else:
            codes = b"".join(bytes(part) for part in elements(shown) if isinstance(part, pikepdf.String))
        if not codes:
            return
        state = self.state
        colour = state.stroke if state.mode in OUTLINE_ONLY else state.fill
        if colour is not self.latest_shown:  # to hash a colour takes as long as all else here
            self.found.colours.add(colour)
            if codes.strip(b" \0"):
                self.latest_shown = colour
                self.found.word_colours.add(colour)
        if state.fill.pattern and state.mode not in (*OUTLINE_ONLY, *INVISIBLE):
            self._see_pattern(state.fill)
        if state.stroke.pattern and state.mode in OUTLINED:
            self._see_pattern(state.stroke)
        if state.font is None:
            self.found.lost_texts.append(_readable(codes))
            return
        state.font.is_shown = True
        if state.font.is_type3:
            self._see_glyphs(state.font, codes)

    def paint(self, operands: Operands, stroke: bool = False, fill: bool = False) -> None:
        for colour, used in ((self.state.stroke, stroke), (self.state.fill, fill)):
            if used:
                self.found.colours.add(colour)
                if colour.pattern:
                    self._see_pattern(colour)

    def shade(self, operands: Operands) -> None:
        shading = entry(entry(self.resources, "/Shading"), name(operands[-1]) if operands else "")
        self._see_shading(shading)

    def place(self, operands: Operands) -> None:
        key = name(operands[-1]) if operands else ""
        candidates = (
            entry(entry(resources, "/XObject"), key) for resources in (self.resources, self.page_resources)
        )
        # PDFium looks among the page's too; what it would draw has to be counted here.
        thing = next((found for found in candidates if found is not None), None)
        if not isinstance(thing, pikepdf.Stream):
            return
        kind = named(thing, "/Subtype")
        if kind == "/Form":
            self.run_inside(thing, entry(thing, "/Resources"), times(matrix_of(thing), self.state.matrix))
        elif kind == "/Image":
            self._see_image(thing)

    def set_device(self, operands: Operands, space: ColourSpace, count: int, stroke: bool = False) -> None:
        values = tuple(number(value) for value in operands[-count:] if is_number(value))
        if len(values) == count:
            self._set(Colour(space, values), stroke)

    def set_space(self, operands: Operands, stroke: bool = False) -> None:
        if operands:
            self._set(initial_colour(colour_space(operands[-1], self.resources)), stroke)

    def set_values(self, operands: Operands, stroke: bool = False) -> None:
        current = self.state.stroke if stroke else self.state.fill
        self._set(set_colour(current.space, list(operands)), stroke)

    def _set(self, colour: Colour, stroke: bool) -> None:
        setattr(self.state, "stroke" if stroke else "fill", colour)

    def see_inline_image(self, operands: Operands) -> None:
        self._see_image(operands[0])
        self.found.inline_filters.update(filters(operands[0]))

    def _see_image(self, image: object) -> None:
        if entry(image, "/ImageMask") in (True,):
            self.found.colours.add(self.state.fill)
            return
        space = entry(image, "/ColorSpace")
        known = UNKNOWN if space is None else colour_space(space, self.resources)
        self.found.image_spaces.add(known)

    def _see_shading(self, shading: object) -> None:
        self.found.shading_spaces.add(colour_space(entry(shading, "/ColorSpace"), self.resources))

    def _see_pattern(self, colour: Colour) -> None:
        pattern = entry(entry(self.resources, "/Pattern"), colour.pattern)
        if number(entry(pattern, "/PatternType")) == 2:
            self._see_shading(entry(pattern, "/Shading"))
        elif isinstance(pattern, pikepdf.Stream):
            # A pattern's space is that of the page, not of the form it is used in.
            self._see_hidden(pattern, entry(pattern, "/Resources"), matrix_of(pattern), 0)

    def _see_glyphs(self, font: Font, codes: bytes) -> None:
        """Note the size of a text in a Type 3 font, and look at each glyph once a page."""
        state = self.state
        text = _matrix(self.text_operands) or IDENTITY
        placed = times((state.size, 0.0, 0.0, state.size, 0.0, 0.0), times(text, state.matrix))
        size_pt = abs(font.matrix[3]) * 1000 * math.hypot(placed[2], placed[3])
        self.found.type3_texts.append((_readable(codes), size_pt))
        for code in sorted(set(codes)):
            glyph = font.glyphs.get(code)
            if glyph is not None:
                self._see_hidden(glyph, font.resources, times(font.matrix, placed), code)

    def _see_hidden(self, stream: pikepdf.Stream, resources: object, matrix: Matrix, code: int) -> None:
        key = identity(stream)
        is_new = key is not None and (key, code) not in self.seen
        if is_new:
            self.seen.add((key, code))
            effective = resources if resources is not None else self.resources
            self.found.hidden.append(Hidden(stream, effective, matrix))
            self.run_inside(stream, resources, matrix)


def _matrix(operands: Operands) -> Matrix | None:
    found = [number(value) for value in operands[-6:] if is_number(value)]
    return (found[0], found[1], found[2], found[3], found[4], found[5]) if len(found) == 6 else None


def _readable(codes: bytes) -> str:
    return "".join(chr(code) if 32 <= code < 127 else "\ufffd" for code in codes)


_OPERATORS: dict[str, Callable[[_Walk, Operands], None]] = {
    "q": _Walk.save, "Q": _Walk.restore, "cm": _Walk.concatenate, "gs": _Walk.set_named_state,
    "G": partial(_Walk.set_device, space=GRAY, count=1, stroke=True),
    "g": partial(_Walk.set_device, space=GRAY, count=1),
    "RG": partial(_Walk.set_device, space=RGB, count=3, stroke=True),
    "rg": partial(_Walk.set_device, space=RGB, count=3),
    "K": partial(_Walk.set_device, space=CMYK, count=4, stroke=True),
    "k": partial(_Walk.set_device, space=CMYK, count=4),
    "CS": partial(_Walk.set_space, stroke=True), "cs": _Walk.set_space,
    **dict.fromkeys(("SC", "SCN"), partial(_Walk.set_values, stroke=True)),
    **dict.fromkeys(("sc", "scn"), _Walk.set_values),
    **dict.fromkeys(("S", "s"), partial(_Walk.paint, stroke=True)),
    **dict.fromkeys(("f", "F", "f*"), partial(_Walk.paint, fill=True)),
    **dict.fromkeys(("B", "B*", "b", "b*"), partial(_Walk.paint, stroke=True, fill=True)),
    "BT": _Walk.begin_text, "Tm": _Walk.set_text_matrix, "Tr": _Walk.set_text_mode, "Tf": _Walk.set_font,
    **dict.fromkeys(("Tj", "TJ", "'", '"'), _Walk.show), "sh": _Walk.shade, "Do": _Walk.place,
}  # fmt: skip
_LOOKED_AT = {operator.encode() for operator in _OPERATORS}
_ALL_LOOKED_AT = " ".join((*_OPERATORS, "BI", "ID", "EI"))
