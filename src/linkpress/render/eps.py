"""A frame as Encapsulated PostScript: the frame's own PDF in the operators of PostScript, type as outlines.

PDF took its operators over from PostScript under shorter names, so the content that ``pdf`` draws stands
here as it is, below a prolog that says what each name means. What PDF has and PostScript has not are two
colours at a time, for filling and for stroking, and fonts of its own: letters become the outlines that
PDFium reads from the embedded font, so that no system needs the font or refuses TrueType.

Source: PostScript Language Document Structuring Conventions 3.0 and EPSF 3.0; PDF 1.4, appendix A.
"""

from __future__ import annotations

import ctypes
import io
import math
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from linkpress.layout.frame import Frame
from linkpress.render.font_files import SHIPPED, Faces
from linkpress.render.glyph_fonts import number
from linkpress.render.pdf import About, draw_frame

_STEPS = {
    pdfium_c.FPDF_SEGMENT_MOVETO: "m",
    pdfium_c.FPDF_SEGMENT_LINETO: "l",
    pdfium_c.FPDF_SEGMENT_BEZIERTO: "c",
}
# A letter's proc stands in its font's dictionary after its advance, both in ems.
_OPERATORS = {
    "m": "moveto",
    "l": "lineto",
    "c": "curveto",
    "h": "closepath",
    "re": "4 2 roll moveto 1 index 0 rlineto 0 exch rlineto neg 0 rlineto closepath",
    "n": "newpath",
    "f": "fc fill",
    "S": "sc stroke",
    "B": "gsave fc fill grestore sc stroke",
    "w": "setlinewidth",
    "J": "setlinecap",
    "j": "setlinejoin",
    "cm": "6 array astore concat",
    "q": "gsave 12 dict begin",
    "Q": "end grestore",
    "g": "[ exch /setgray cvx ] cvx /fc exch def",
    "rg": "[ 4 1 roll /setrgbcolor cvx ] cvx /fc exch def",
    "k": "[ 5 1 roll /setcmykcolor cvx ] cvx /fc exch def",
    "G": "[ exch /setgray cvx ] cvx /sc exch def",
    "RG": "[ 4 1 roll /setrgbcolor cvx ] cvx /sc exch def",
    "K": "[ 5 1 roll /setcmykcolor cvx ] cvx /sc exch def",
    "BT": "/base matrix currentmatrix def /rise 0 def 1 0 0 1 0 0 Tm",
    "ET": "base setmatrix newpath",
    "Tm": "6 array astore /line exch def toline",
    "Td": "matrix translate line matrix concatmatrix /line exch def toline",
    "T*": "0 leading neg Td",
    "TL": "/leading exch def",
    "Tc": "/tracking exch def",
    "Ts": "/rise exch def",
    "Tf": "/size exch def load /face exch def",
    "Tj": "{ face exch get aload pop gsave currentpoint rise add translate size dup scale newpath exec "
    "fc fill grestore size mul tracking add 0 rmoveto } forall",
    "TJ": "{ dup type /arraytype eq { Tj } { -1000 div size mul 0 rmoveto } ifelse } forall",
    "BMC": "pop",
    "BDC": "pop pop",
    "EMC": "",
}
_PROLOG = (
    "/linkpress 60 dict def linkpress begin",
    *(f"/{name} {{ {meaning} }} bind def" for name, meaning in _OPERATORS.items()),
    "/toline { base setmatrix line concat newpath 0 0 moveto } bind def",
)
# PDFium is asked for outlines by Unicode, and not every letter that a font shows has one: those that shaping
# makes have none. So while it reads, each letter shown stands for a private character.
_PRIVATE = 0xE000
_MOST_ENTRIES = 100  # of one bfchar section
_TO_PRIVATE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Private def
/CMapType 2 def 1 begincodespacerange <{low}> <{high}> endcodespacerange
{sections}
endcmap end end"""
_WRAP = 200  # lines of the conventions have 255 characters at most
_START = "0 g 0 G 0 Tc 0 TL"


def draw_eps(
    frame: Frame, about: About | None = None, texts: Mapping[str, str] | None = None, faces: Faces = SHIPPED
) -> bytes:
    """A whole EPS file of language level 2, as large as the frame, in plain ASCII.

    Args:
        frame: in points, without pictures of pixels; colours become mixes of the four inks.
        about: title, author, date and creator go into the header.
        texts: more lines of the header, such as Copyright.
        faces: the fonts.
    Raises:
        TypeError: the frame has a picture of pixels.
    """
    about = about or About()
    drawn = draw_frame(frame, about, faces=faces)
    with pikepdf.open(io.BytesIO(drawn)) as document:
        page = _Page(document.pages[0])
        body = list(page.lines())
        for font in page.fonts.values():
            font.source.ToUnicode = document.make_stream(_to_private(font))
        buffer = io.BytesIO()
        document.save(buffer)
        fonts = list(_font_lines(buffer.getvalue(), page.fonts))
    header = {"Title": about.title, "For": about.author, "Creator": about.creator, **(texts or {})}
    lines = [
        "%!PS-Adobe-3.0 EPSF-3.0",
        f"%%BoundingBox: 0 0 {math.ceil(frame.width_pt)} {math.ceil(frame.height_pt)}",
        f"%%HiResBoundingBox: 0 0 {number(frame.width_pt)} {number(frame.height_pt)}",
        *(f"%%{key}: {_string(bytes(pikepdf.String(text)))}" for key, text in header.items() if text),
        f"%%CreationDate: ({about.date:%Y-%m-%d %H:%M:%S})",
        "%%LanguageLevel: 2",
        "%%DocumentData: Clean7Bit",
        "%%Pages: 1",
        "%%EndComments",
        "%%BeginProlog",
        *_PROLOG,
        *fonts,
        "end",
        "%%EndProlog",
        "%%Page: 1 1",
        "linkpress begin gsave",
        _START,
        *body,
        "grestore end",
        "%%Trailer",
        "%%EOF",
    ]
    return ("\n".join(lines) + "\n").encode("ascii")


@dataclass
class _Font:
    """A font of the page.

    Args:
        source: the PDF's dictionary of it.
        shown: the codes of the letters that are shown.
    """

    source: Any
    shown: set[int] = field(default_factory=set)

    @property
    def code_bytes(self) -> int:
        """A letter's code has two bytes in a composite font, else one."""
        return 2 if self.source.Subtype == "/Type0" else 1

    @cached_property
    def file(self) -> bytes:
        """The content of the font file."""
        content: bytes = self._descendant.FontDescriptor.FontFile2.read_bytes()
        return content

    @cached_property
    def advances(self) -> Mapping[int, float]:
        """The advance of each letter in thousandths of an em, by its code."""
        if self.code_bytes == 1:
            return dict(enumerate(map(float, self.source.Widths), int(self.source.FirstChar)))
        widths = list(self._descendant.W)  # first codes, each with the advances from there on
        return {
            int(first) + index: float(advance)
            for first, run in zip(widths[::2], widths[1::2], strict=True)
            for index, advance in enumerate(run)
        }

    def codes(self, text: pikepdf.String) -> list[int]:
        """The letters of a string, noted as shown."""
        raw, size = bytes(text), self.code_bytes
        codes = [int.from_bytes(raw[index : index + size], "big") for index in range(0, len(raw), size)]
        self.shown.update(codes)
        return codes

    @property
    def _descendant(self) -> Any:
        return self.source.DescendantFonts[0] if self.code_bytes == 2 else self.source


class _Page:
    """A page's content, figures in their places.

    Attributes:
        fonts: those of which letters are shown, by the name that the content has for them.
    """

    def __init__(self, page: pikepdf.Page) -> None:
        self._page = page
        self._font: _Font | None = None
        self.fonts: dict[str, _Font] = {}

    def lines(self) -> Iterator[str]:
        """The content, an operator a line."""
        yield from self._content(self._page.obj)

    def _content(self, owner: Any) -> Iterator[str]:
        for instruction in pikepdf.parse_content_stream(owner):
            operands, name = list(instruction.operands), str(instruction.operator)
            if name == "Do":
                yield from self._figure(owner.Resources.XObject[operands[0]])
                continue
            if name not in _OPERATORS:
                raise TypeError(f"the operator {name} has no drawing in EPS")
            if name == "Tf":
                key = str(operands[0])
                self._font = self.fonts.setdefault(key, _Font(owner.Resources.Font[key]))
            yield " ".join([*map(self._written, operands), name])

    def _figure(self, figure: Any) -> Iterator[str]:
        if figure.Subtype != "/Form":
            raise TypeError("a picture of pixels has no drawing in EPS")
        x0, y0, x1, y1 = (float(side) for side in figure.BBox)
        yield "q"
        yield f"{number(x0)} {number(y0)} {number(x1 - x0)} {number(y1 - y0)} rectclip"
        yield _START
        yield from self._content(figure)
        yield "Q"

    def _written(self, operand: Any) -> str:
        """An operand; texts become arrays of their letters' codes."""
        if isinstance(operand, pikepdf.String) and self._font is not None:
            return f"[{' '.join(map(str, self._font.codes(operand)))}]"
        if isinstance(operand, pikepdf.Array):
            return f"[{' '.join(map(self._written, operand))}]"
        return "null" if isinstance(operand, pikepdf.Dictionary) else str(operand)


def _to_private(font: _Font) -> bytes:
    """A map from the letters shown to private characters, in their order."""
    digits = 2 * font.code_bytes
    entries = [
        f"<{code:0{digits}X}> <{_PRIVATE + index:04X}>" for index, code in enumerate(sorted(font.shown))
    ]
    runs = (entries[index : index + _MOST_ENTRIES] for index in range(0, len(entries), _MOST_ENTRIES))
    sections = "\n".join(f"{len(run)} beginbfchar {' '.join(run)} endbfchar" for run in runs)
    return _TO_PRIVATE.format(low="0" * digits, high="F" * digits, sections=sections).encode("ascii")


def _font_lines(drawn: bytes, fonts: Mapping[str, _Font]) -> Iterator[str]:
    """Return each font as a dictionary of its letters' advances and outlines."""
    document = pdfium.PdfDocument(drawn)
    try:
        handles = _handles(document[0])
        for name, used in fonts.items():
            handle = handles[used.file]
            letters = (
                f"{code} [ {number(used.advances[code] / 1000)} {{ {_outline(handle, place)} }} ]"
                for place, code in enumerate(sorted(used.shown))
            )
            text = f"{name} << {' '.join(letters)} >> def"
            yield from textwrap.wrap(text, _WRAP, break_long_words=False, break_on_hyphens=False)
    finally:
        document.close()


def _handles(page: Any) -> dict[bytes, Any]:
    handles = {}
    for text in page.get_objects(filter=[pdfium_c.FPDF_PAGEOBJ_TEXT], max_depth=15):
        font, size = pdfium_c.FPDFTextObj_GetFont(text.raw), ctypes.c_size_t()
        pdfium_c.FPDFFont_GetFontData(font, None, 0, size)
        content = (ctypes.c_uint8 * size.value)()
        pdfium_c.FPDFFont_GetFontData(font, content, size.value, size)
        handles[bytes(content)] = font
    return handles


def _outline(font: Any, place: int) -> str:
    """The outline of a letter in ems, by its place among those shown."""
    path = pdfium_c.FPDFFont_GetGlyphPath(font, _PRIVATE + place, 1.0)
    operators: list[str] = []
    x, y, curved = ctypes.c_float(), ctypes.c_float(), 0
    for index in range(pdfium_c.FPDFGlyphPath_CountGlyphSegments(path) if path else 0):
        segment = pdfium_c.FPDFGlyphPath_GetGlyphPathSegment(path, index)
        pdfium_c.FPDFPathSegment_GetPoint(segment, x, y)
        operators += [number(x.value), number(y.value)]
        step = _STEPS[pdfium_c.FPDFPathSegment_GetType(segment)]
        curved = (curved + 1) % 3 if step == "c" else 0  # a curve's three points come one by one
        if not curved:
            operators.append(step)
    return " ".join(operators)


def _string(content: bytes) -> str:
    plain = (chr(code) if 32 <= code < 127 and code not in b"()\\" else f"\\{code:03o}" for code in content)
    return f"({''.join(plain)})"
