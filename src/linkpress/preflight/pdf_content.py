"""Interpret the operators of a page's content, to find facts that PDFium doesn't report.

PDFium gives each object's position and its colour on a screen. It doesn't report colour spaces, inks, inline
images, missing fonts, or the content of patterns and Type 3 glyphs. To find these facts, this module keeps
track of the necessary part of the graphics state.

If an operator has too many operands, only the last operands are used, as in PDFium. Otherwise, a malicious
page could seem to stay within the limits of this module but make PDFium draw without end.
"""

from __future__ import annotations

import copy
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial

import pikepdf

from linkpress.documents.inks import Ink
from linkpress.preflight.pdf_drawing import INVISIBLE_MODES, STROKE_MODES, STROKE_ONLY_MODES
from linkpress.preflight.pdf_objects import (
    IDENTITY,
    MAX_NESTING,
    MAX_STREAM_BYTES,
    Matrix,
    OperatorBudget,
    ReadingLimitError,
    decode_content,
    dictionary,
    elements,
    entry,
    filters,
    is_number,
    matrix_entry,
    multiply,
    name,
    name_entry,
    number,
    object_id,
)

_MAX_SPACE_ELEMENTS = 8  # maximum length of a colour space's array; the longest (DeviceN) has 5 elements
_MAX_SPACE_NESTING = 6  # maximum nesting depth of colour spaces inside each other
_MAX_INKS = 32  # maximum number of inks in a DeviceN space (ISO 32000-1, C.2)

_MAX_CACHED_FORMS = 48  # maximum number of parsed form XObjects that are kept for later pages

# Maximum number of operators in a form XObject that is kept for later pages. A large grid has fewer.
_MAX_CACHED_FORM_LENGTH = 4_000

# Maximum number of different parsed instructions that are kept. A book of 1,600 puzzles has 2,800.
_MAX_CACHED_INSTRUCTIONS = 10_000

# Colour spaces


class SpaceFamily(StrEnum):
    """Kind of colour space. Colours of different kinds are printed in different ways."""

    GRAY = "gray"
    CMYK = "CMYK"
    RGB = "RGB"
    SPOT = "spot"
    ICC_GRAY = "ICC gray"
    ICC_RGB = "ICC RGB"
    ICC_CMYK = "ICC CMYK"
    CAL_GRAY = "CalGray"
    CAL_RGB = "CalRGB"
    LAB = "Lab"
    PATTERN = "pattern"
    UNKNOWN = "unknown"


GRAY_LIKE = {SpaceFamily.GRAY, SpaceFamily.ICC_GRAY, SpaceFamily.CAL_GRAY}
CMYK_LIKE = {SpaceFamily.CMYK, SpaceFamily.ICC_CMYK}
RGB_LIKE = {SpaceFamily.RGB, SpaceFamily.ICC_RGB, SpaceFamily.CAL_RGB, SpaceFamily.LAB}

_FAMILIES = {
    "/DeviceGray": SpaceFamily.GRAY, "/G": SpaceFamily.GRAY,
    "/DeviceRGB": SpaceFamily.RGB, "/RGB": SpaceFamily.RGB,
    "/DeviceCMYK": SpaceFamily.CMYK, "/CMYK": SpaceFamily.CMYK,
    "/CalGray": SpaceFamily.CAL_GRAY, "/CalRGB": SpaceFamily.CAL_RGB,
    "/Lab": SpaceFamily.LAB, "/Pattern": SpaceFamily.PATTERN,
}  # fmt: skip
_ICC_FAMILIES = {1: SpaceFamily.ICC_GRAY, 3: SpaceFamily.ICC_RGB, 4: SpaceFamily.ICC_CMYK}


@dataclass(frozen=True, slots=True)
class ColourSpace:
    """Colour space of a PDF.

    Args:
        family: the kind of colour space.
        inks: the names of the inks in a spot colour space. Each begins with the slash of a PDF name.
        base: the alternate space of a spot colour space, or the base space of an indexed or pattern space.
        indexed: whether colour values are positions in a table of ``base`` colours.
    """

    family: SpaceFamily
    inks: tuple[str, ...] = ()
    base: ColourSpace | None = None
    indexed: bool = False

    @property
    def families(self) -> set[SpaceFamily]:
        return {self.family} | (self.base.families if self.base else set())

    @property
    def is_black_ink(self) -> bool:
        return self.family is SpaceFamily.SPOT and set(self.inks) <= {"/Black", "/None"}


@dataclass(frozen=True, slots=True)
class Colour:
    """Colour of a PDF.

    Args:
        space: the colour space.
        values: the components, usually from 0 to 1.
        pattern: the name of the pattern that paints instead of a plain colour; empty without a pattern.
    """

    space: ColourSpace
    values: tuple[float, ...] = ()
    pattern: str = ""

    @property
    def black(self) -> float | None:
        """Share of black ink in a colour, from 0 to 1; None if the colour needs, or may need, another ink."""
        family, values = self.space.family, self.values
        if self.space.indexed or not values:
            return None
        if family in GRAY_LIKE:
            return 1 - values[0]
        if family in CMYK_LIKE and len(values) == 4 and not any(values[:3]):
            return values[3]
        if family in RGB_LIKE - {SpaceFamily.LAB} and len(values) == 3 and len(set(values)) == 1:
            return 1 - values[0]
        if self.space.is_black_ink:
            return values[self.space.inks.index("/Black")] if "/Black" in self.space.inks else 0.0
        return None

    @property
    def is_blank(self) -> bool:
        """Whether the colour prints no ink at all."""
        black = self.black
        if black is not None:
            return black <= 0
        return self.space.family is SpaceFamily.SPOT and not any(self.values)

    @property
    def is_rich_black(self) -> bool:
        """Whether the colour is black or nearly black, and is mixed from several inks."""
        is_cmyk = self.space.family in CMYK_LIKE and not self.space.indexed
        return is_cmyk and len(self.values) == 4 and Ink(*self.values).is_rich_black

    def __str__(self) -> str:
        return f"{self.space.family} {' '.join(f'{value:g}' for value in self.values)}".strip()


GRAY, RGB, CMYK = (ColourSpace(family) for family in (SpaceFamily.GRAY, SpaceFamily.RGB, SpaceFamily.CMYK))
_UNKNOWN_SPACE = ColourSpace(SpaceFamily.UNKNOWN)
_BLACK = Colour(GRAY, (0.0,))


def colour_space(value: object, resources: object, depth: int = 0) -> ColourSpace:
    """Return the colour space that a name or array in a PDF denotes.

    Args:
        value: the name or array.
        resources: the resource dictionary that may define the name.
        depth: the number of colour spaces that enclose this colour space. If the number is too large, the
            colour space is unknown.
    """
    if depth > _MAX_SPACE_NESTING:
        return _UNKNOWN_SPACE
    if isinstance(value, pikepdf.Name):
        definition = entry(entry(resources, "/ColorSpace"), name(value))
        if definition is not None and name(definition) != name(value):
            return colour_space(definition, resources, depth + 1)
        return ColourSpace(_FAMILIES.get(name(value), SpaceFamily.UNKNOWN))
    parts = elements(value, _MAX_SPACE_ELEMENTS)
    kind = name(parts[0]) if parts else ""
    if kind == "/ICCBased" and len(parts) > 1:
        components = int(number(entry(parts[1], "/N")))
        return ColourSpace(_ICC_FAMILIES.get(components, SpaceFamily.UNKNOWN))
    if kind in ("/Indexed", "/I") and len(parts) > 1:
        base = colour_space(parts[1], resources, depth + 1)
        return ColourSpace(base.family, base.inks, base, indexed=True)
    if kind in ("/Separation", "/DeviceN") and len(parts) > 2:
        inks = [parts[1]] if kind == "/Separation" else elements(parts[1], _MAX_INKS)
        alternate = colour_space(parts[2], resources, depth + 1)
        return ColourSpace(SpaceFamily.SPOT, tuple(map(name, inks)), alternate)
    if kind == "/Pattern" and len(parts) > 1:
        return ColourSpace(SpaceFamily.PATTERN, base=colour_space(parts[1], resources, depth + 1))
    return ColourSpace(_FAMILIES.get(kind, SpaceFamily.UNKNOWN))


def _initial_colour(space: ColourSpace) -> Colour:
    """Return the colour that the operator ``cs`` sets when it selects a colour space; in most cases black."""
    if space.family in CMYK_LIKE:
        return Colour(space, (0.0, 0.0, 0.0, 1.0))
    if space.family is SpaceFamily.SPOT:
        return Colour(space, (1.0,) * len(space.inks))
    components = 1 if space.family in GRAY_LIKE else 3 if space.family in RGB_LIKE else 0
    return Colour(space, (0.0,) * components)


# Content streams

Operands = Sequence[object]
Instruction = tuple[Callable[["_Interpreter", Operands], None], Operands]

_SPACE, _NUMBER = rb"[ \n\r\t]", rb"[-+]?(?:\d{1,12}+(?:\.\d{0,12}+)?|\.\d{1,12}+)"
# Regular expression that splits a content stream. It has three kinds of matches:
# 1. A series of instructions that only draw lines.
# 2. One other instruction whose operands are numbers, names or strings. Group 1 is the instruction, and
#    group 2 is its operator.
# 3. Anything else. Group 3 is the whole rest of the stream.
# Possessive quantifiers such as ``++`` are used only for single tokens. Some releases of CPython 3.11, such
# as 3.11.2, have a bug in possessive quantifiers of longer expressions.
_PLAIN_INSTRUCTION = re.compile(
    rb"(?:(?:%(number)b%(space)b++)*+(?:[mlcvyhwJjMinW]|re|Td|ET)%(space)b++)+"
    rb"|((?:(?:%(number)b|/[\w.+-]++|\((?:[^()\\]|\\.)*+\)|<[\dA-Fa-f]*+>)%(space)b++)*"
    rb"((?!BI|ID|EI)[A-Za-z]{1,3}\*?|['\"]))%(space)b++|(.+)" % {b"number": _NUMBER, b"space": _SPACE},
    re.DOTALL,
)


@dataclass(eq=False)
class Font:
    """Font resource of a PDF. Glyphs are recorded only for Type 3 fonts, whose glyphs are content streams.

    Args:
        is_type3: whether this is a Type 3 font.
        glyphs: the content streams of a Type 3 font's glyphs, by character code.
        matrix: the matrix from glyph space to text space.
        resources: the resource dictionary of the glyphs.
        is_used: whether any page read so far shows text in the font.
    """

    is_type3: bool = False
    glyphs: dict[int, pikepdf.Stream] = field(default_factory=dict)
    matrix: Matrix = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
    resources: object = None
    is_used: bool = False


def _read_font(value: object) -> Font:
    font = Font(is_type3=name_entry(value, "/Subtype") == "/Type3")
    if not font.is_type3:
        return font
    font.matrix = matrix_entry(value, "/FontMatrix", font.matrix)
    font.resources = entry(value, "/Resources")
    procedures, code = dictionary(entry(value, "/CharProcs")), 0
    for item in elements(entry(entry(value, "/Encoding"), "/Differences")):
        if is_number(item):
            code = int(number(item))
            continue
        glyph = entry(procedures, name(item))
        if isinstance(glyph, pikepdf.Stream):
            font.glyphs[code] = glyph
        code += 1
    return font


@dataclass(slots=True)
class NestedStream:
    """Content stream of a tiling pattern or Type 3 glyph that a page paints with.

    Args:
        stream: the content stream.
        resources: the stream's own resource dictionary. If the stream has none, the dictionary of the stream
            that uses it.
        matrix: the matrix from the stream's coordinates to page coordinates.
    """

    stream: pikepdf.Stream
    resources: object
    matrix: Matrix


@dataclass(slots=True)
class PageContent:
    """Colours, images and texts of a page. Its form XObjects, patterns and glyphs are included.

    Args:
        colours: the colours of lines, fills, text and stencil masks.
        text_colours: the colours of text.
        image_spaces: the colour spaces of images other than stencil masks.
        shading_spaces: the colour spaces of shadings, including the shadings of patterns.
        inline_filters: the filters of inline images.
        texts_without_font: texts whose font is missing from the resources.
        type3_texts: texts in Type 3 fonts, each with its size in points.
        nested: the patterns and glyphs that the page uses, without repetition.
    """

    colours: set[Colour] = field(default_factory=set)
    text_colours: set[Colour] = field(default_factory=set)
    image_spaces: set[ColourSpace] = field(default_factory=set)
    shading_spaces: set[ColourSpace] = field(default_factory=set)
    inline_filters: set[str] = field(default_factory=set)
    texts_without_font: list[str] = field(default_factory=list)
    type3_texts: list[tuple[str, float]] = field(default_factory=list)
    nested: list[NestedStream] = field(default_factory=list)


class ContentReader:
    """Reader of the page content of one PDF file.

    Each font, and each form XObject with little content, is parsed only once.

    Args:
        pdf: the open file.
        budget: the number of operators that the file may still execute.
    """

    def __init__(self, pdf: pikepdf.Pdf, budget: OperatorBudget) -> None:
        self.budget = budget
        self.problems: list[str] = []  # messages about errors that did not stop the reading
        self._pdf = pdf
        self._fonts: dict[tuple[int, int], Font] = {}
        self._forms: dict[tuple[int, int], list[Instruction]] = {}
        self._instructions: dict[bytes, Instruction] = {}

    def read(self, page: object, resources: object) -> PageContent:
        """Interpret the operators of a page's content; return the colours, images and texts that they use.

        Args:
            page: the page dictionary.
            resources: the page's resource dictionary.
        Raises:
            ReadingLimitError: the content is too long, nested too deeply, or has too many operators.
        """
        content = entry(page, "/Contents")
        streams = [content] if isinstance(content, pikepdf.Stream) else elements(content)
        data = bytearray()
        for part in streams:
            if isinstance(part, pikepdf.Stream):
                data += decode_content(part) + b"\n"
            if len(data) > MAX_STREAM_BYTES:
                raise ReadingLimitError(f"more than {MAX_STREAM_BYTES >> 20} MB of content on one page")
        interpreter = _Interpreter(self, resources)
        interpreter.run(self._parse(bytes(data)), resources)
        return interpreter.result

    def font(self, value: object) -> Font:
        """Return a font resource. Each font is parsed at its first use and then remembered."""
        key = object_id(value)
        if key is None:
            return _read_font(value)
        if key not in self._fonts:
            self._fonts[key] = _read_font(value)
        return self._fonts[key]

    def instructions(self, stream: pikepdf.Stream) -> list[Instruction]:
        """Return the parsed instructions of a form XObject, pattern or glyph."""
        key = object_id(stream)
        if key in self._forms:
            return self._forms[key]
        result = self._parse(decode_content(stream))
        if key is not None and len(result) <= _MAX_CACHED_FORM_LENGTH:
            self._forms[key] = result
            if len(self._forms) > _MAX_CACHED_FORMS:
                self._forms.pop(next(iter(self._forms)))
        return result

    def _parse(self, data: bytes) -> list[Instruction]:
        """Parse a content stream of a PDF.

        Most instructions occur many times. So if all operands are numbers, names or strings, a regular
        expression splits the stream into instructions, and qpdf parses equal instructions only once. A stream
        with other operands is parsed by qpdf as a whole, which takes longer.
        """
        plain = _PLAIN_INSTRUCTION.findall(data.lstrip(b" \n\r\t") + b"\n")
        if plain and plain[-1][2]:
            return self._parse_by_qpdf(data)
        texts = [instruction for instruction, operator, _ in plain if operator in _INTERPRETED]
        if len(self._instructions) > _MAX_CACHED_INSTRUCTIONS:
            self._instructions.clear()
        if new := dict.fromkeys(text for text in texts if text not in self._instructions):
            self._instructions |= dict(zip(new, self._parse_by_qpdf(b"\n".join(new)), strict=True))
        return [self._instructions[text] for text in texts]

    def _parse_by_qpdf(self, data: bytes) -> list[Instruction]:
        with warnings.catch_warnings(record=True) as raised:
            # Record only UserWarnings, because pikepdf raises this kind. Other warnings may come from
            # unrelated objects that Python happens to delete here.
            warnings.simplefilter("ignore")
            warnings.simplefilter("always", UserWarning)
            parsed = pikepdf.parse_content_stream(pikepdf.Stream(self._pdf, data), _OPERATORS_TO_PARSE)
        self.problems += [str(warning.message) for warning in raised]
        return [
            (_Interpreter.add_inline_image, [instruction.iimage.obj])
            if isinstance(instruction, pikepdf.ContentStreamInlineImage)
            else (_OPERATORS[str(instruction.operator)], list(instruction.operands))
            for instruction in parsed
        ]


@dataclass(slots=True)
class _GraphicsState:
    """Part of the PDF graphics state that determines colours and sizes."""

    matrix: Matrix = IDENTITY
    stroke: Colour = _BLACK
    fill: Colour = _BLACK
    font: Font | None = None
    font_size: float = 0.0
    text_mode: int = 0


class _Interpreter:
    """Interpreter of one page's content, including its form XObjects, patterns and glyphs."""

    def __init__(self, reader: ContentReader, resources: object) -> None:
        self.reader = reader
        self.result = PageContent()
        self.state = _GraphicsState()
        self.stack: list[_GraphicsState] = []
        self.resources: object = None
        self.fonts: dict[str, Font | None] = {}  # fonts of ``resources`` used so far, by name
        self.page_resources = resources
        self.text_matrix: Operands = ()
        self.last_text_colour: Colour | None = None
        self.depth = 0
        self.seen_nested: set[object] = set()

    def run(self, instructions: Sequence[Instruction], resources: object) -> None:
        """Run the instructions of one content stream.

        Args:
            instructions: the parsed instructions.
            resources: the stream's resource dictionary; None to use the dictionary of the surrounding stream.
        """
        if self.depth > MAX_NESTING:
            raise ReadingLimitError(f"content nested more than {MAX_NESTING} deep, or inside itself")
        self.reader.budget.spend(1 + len(instructions))
        outer = self.resources, self.fonts
        if resources is not None:
            self.resources, self.fonts = resources, {}
        for operator, operands in instructions:
            operator(self, operands)
        self.resources, self.fonts = outer

    def run_nested(self, stream: pikepdf.Stream, resources: object, matrix: Matrix) -> None:
        """Execute the operators of a form XObject, pattern or glyph in a copy of the graphics state."""
        outer = (self.state, self.stack, self.text_matrix)
        self.state, self.stack = copy.copy(self.state), []
        self.state.matrix = matrix
        self.depth += 1
        self.run(self.reader.instructions(stream), resources)
        self.depth -= 1
        self.state, self.stack, self.text_matrix = outer

    # Graphics state

    def save(self, operands: Operands) -> None:
        self.stack.append(copy.copy(self.state))

    def restore(self, operands: Operands) -> None:
        if self.stack:
            self.state = self.stack.pop()

    def concatenate(self, operands: Operands) -> None:
        matrix = _matrix(operands)
        if matrix is not None:
            self.state.matrix = multiply(matrix, self.state.matrix)

    def set_graphics_state(self, operands: Operands) -> None:
        state = entry(entry(self.resources, "/ExtGState"), name(operands[-1]) if operands else "")
        font = elements(entry(state, "/Font"), 2)
        if len(font) == 2:
            self.state.font, self.state.font_size = self.reader.font(font[0]), number(font[1])

    # Colours

    def set_device_colour(
        self, operands: Operands, space: ColourSpace, count: int, stroke: bool = False
    ) -> None:
        values = tuple(number(value) for value in operands[-count:] if is_number(value))
        if len(values) == count:
            self._set_colour(Colour(space, values), stroke)

    def set_space(self, operands: Operands, stroke: bool = False) -> None:
        if operands:
            self._set_colour(_initial_colour(colour_space(operands[-1], self.resources)), stroke)

    def set_components(self, operands: Operands, stroke: bool = False) -> None:
        current = self.state.stroke if stroke else self.state.fill
        values = tuple(number(value) for value in operands if is_number(value))
        pattern = name(operands[-1]) if operands else ""
        self._set_colour(Colour(current.space, values, pattern), stroke)

    def _set_colour(self, colour: Colour, stroke: bool) -> None:
        setattr(self.state, "stroke" if stroke else "fill", colour)

    # Text

    def begin_text(self, operands: Operands) -> None:
        self.text_matrix = ()

    def set_text_matrix(self, operands: Operands) -> None:
        self.text_matrix = operands

    def set_text_mode(self, operands: Operands) -> None:
        if operands and is_number(operands[-1]):
            self.state.text_mode = int(number(operands[-1]))

    def set_font(self, operands: Operands) -> None:
        if len(operands) < 2:
            return
        key = name(operands[-2])
        if key not in self.fonts:
            font = dictionary(entry(entry(self.resources, "/Font"), key))
            self.fonts[key] = None if font is None else self.reader.font(font)
        self.state.font = self.fonts[key]
        self.state.font_size = number(operands[-1])

    def show_text(self, operands: Operands) -> None:
        shown = operands[-1] if operands else None
        if isinstance(shown, pikepdf.String):
            codes = bytes(shown)
        else:
            codes = b"".join(bytes(part) for part in elements(shown) if isinstance(part, pikepdf.String))
        if not codes:
            return
        state = self.state
        colour = state.stroke if state.text_mode in STROKE_ONLY_MODES else state.fill
        # Don't add the colour to the sets again if the previous text had the same colour. Computing its hash
        # would take as long as the rest of this method.
        if colour is not self.last_text_colour:
            self.result.colours.add(colour)
            if codes.strip(b" \0"):
                self.last_text_colour = colour
                self.result.text_colours.add(colour)
        if state.fill.pattern and state.text_mode not in (*STROKE_ONLY_MODES, *INVISIBLE_MODES):
            self._use_pattern(state.fill)
        if state.stroke.pattern and state.text_mode in STROKE_MODES:
            self._use_pattern(state.stroke)
        if state.font is None:
            self.result.texts_without_font.append(_readable(codes))
            return
        state.font.is_used = True
        if state.font.is_type3:
            self._use_glyphs(state.font, codes)

    # Painting

    def paint(self, operands: Operands, stroke: bool = False, fill: bool = False) -> None:
        for colour, is_used in ((self.state.stroke, stroke), (self.state.fill, fill)):
            if is_used:
                self.result.colours.add(colour)
                if colour.pattern:
                    self._use_pattern(colour)

    def paint_shading(self, operands: Operands) -> None:
        shading = entry(entry(self.resources, "/Shading"), name(operands[-1]) if operands else "")
        self._add_shading(shading)

    def paint_xobject(self, operands: Operands) -> None:
        key = name(operands[-1]) if operands else ""
        # If a form XObject draws an XObject that is missing from its own resources, PDFium looks in the
        # page's resources. Do the same, so that the operators of that XObject are counted.
        xobject = next(
            (
                value
                for resources in (self.resources, self.page_resources)
                if (value := entry(entry(resources, "/XObject"), key)) is not None
            ),
            None,
        )
        if not isinstance(xobject, pikepdf.Stream):
            return
        subtype = name_entry(xobject, "/Subtype")
        if subtype == "/Form":
            matrix = multiply(matrix_entry(xobject), self.state.matrix)
            self.run_nested(xobject, entry(xobject, "/Resources"), matrix)
        elif subtype == "/Image":
            self._add_image(xobject)

    def add_inline_image(self, operands: Operands) -> None:
        self._add_image(operands[0])
        self.result.inline_filters.update(filters(operands[0]))

    def _add_image(self, image: object) -> None:
        if entry(image, "/ImageMask") is True:
            self.result.colours.add(self.state.fill)
            return
        value = entry(image, "/ColorSpace")
        space = _UNKNOWN_SPACE if value is None else colour_space(value, self.resources)
        self.result.image_spaces.add(space)

    def _add_shading(self, shading: object) -> None:
        self.result.shading_spaces.add(colour_space(entry(shading, "/ColorSpace"), self.resources))

    def _use_pattern(self, colour: Colour) -> None:
        pattern = entry(entry(self.resources, "/Pattern"), colour.pattern)
        if number(entry(pattern, "/PatternType")) == 2:
            self._add_shading(entry(pattern, "/Shading"))
        elif isinstance(pattern, pikepdf.Stream):
            # A pattern's matrix maps to page coordinates, even if the pattern is used inside a form XObject.
            self._use_nested(pattern, entry(pattern, "/Resources"), matrix_entry(pattern), code=0)

    def _use_glyphs(self, font: Font, codes: bytes) -> None:
        """Record the size of a text in a Type 3 font, and interpret the operators of its glyphs.

        In a Type 3 font, each glyph is a stream of PDF operators. A glyph whose operators have already been
        interpreted for this page is skipped.
        """
        state = self.state
        text_matrix = _matrix(self.text_matrix) or IDENTITY
        size = (state.font_size, 0.0, 0.0, state.font_size, 0.0, 0.0)
        matrix = multiply(size, multiply(text_matrix, state.matrix))
        size_pt = abs(font.matrix[3]) * 1000 * math.hypot(matrix[2], matrix[3])
        self.result.type3_texts.append((_readable(codes), size_pt))
        for code in sorted(set(codes)):
            glyph = font.glyphs.get(code)
            if glyph is not None:
                self._use_nested(glyph, font.resources, multiply(font.matrix, matrix), code=code)

    def _use_nested(self, stream: pikepdf.Stream, resources: object, matrix: Matrix, *, code: int) -> None:
        key = object_id(stream)
        if key is None or (key, code) in self.seen_nested:
            return
        self.seen_nested.add((key, code))
        effective = resources if resources is not None else self.resources
        self.result.nested.append(NestedStream(stream, effective, matrix))
        self.run_nested(stream, resources, matrix)


def _matrix(operands: Operands) -> Matrix | None:
    values = [number(value) for value in operands[-6:] if is_number(value)]
    return (values[0], values[1], values[2], values[3], values[4], values[5]) if len(values) == 6 else None


def _readable(codes: bytes) -> str:
    return "".join(chr(code) if 32 <= code < 127 else "\ufffd" for code in codes)


_OPERATORS: dict[str, Callable[[_Interpreter, Operands], None]] = {
    "q": _Interpreter.save,
    "Q": _Interpreter.restore,
    "cm": _Interpreter.concatenate,
    "gs": _Interpreter.set_graphics_state,
    "G": partial(_Interpreter.set_device_colour, space=GRAY, count=1, stroke=True),
    "g": partial(_Interpreter.set_device_colour, space=GRAY, count=1),
    "RG": partial(_Interpreter.set_device_colour, space=RGB, count=3, stroke=True),
    "rg": partial(_Interpreter.set_device_colour, space=RGB, count=3),
    "K": partial(_Interpreter.set_device_colour, space=CMYK, count=4, stroke=True),
    "k": partial(_Interpreter.set_device_colour, space=CMYK, count=4),
    "CS": partial(_Interpreter.set_space, stroke=True),
    "cs": _Interpreter.set_space,
    **dict.fromkeys(("SC", "SCN"), partial(_Interpreter.set_components, stroke=True)),
    **dict.fromkeys(("sc", "scn"), _Interpreter.set_components),
    **dict.fromkeys(("S", "s"), partial(_Interpreter.paint, stroke=True)),
    **dict.fromkeys(("f", "F", "f*"), partial(_Interpreter.paint, fill=True)),
    **dict.fromkeys(("B", "B*", "b", "b*"), partial(_Interpreter.paint, stroke=True, fill=True)),
    "BT": _Interpreter.begin_text,
    "Tm": _Interpreter.set_text_matrix,
    "Tr": _Interpreter.set_text_mode,
    "Tf": _Interpreter.set_font,
    **dict.fromkeys(("Tj", "TJ", "'", '"'), _Interpreter.show_text),
    "sh": _Interpreter.paint_shading,
    "Do": _Interpreter.paint_xobject,
}
_INTERPRETED = {operator.encode() for operator in _OPERATORS}
_OPERATORS_TO_PARSE = " ".join((*_OPERATORS, "BI", "ID", "EI"))
