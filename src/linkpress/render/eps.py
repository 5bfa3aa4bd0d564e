"""A frame becomes Encapsulated PostScript: PDF's operators with what each means, and type as outlines.

PDF took its operators over from PostScript under shorter names, so what ``pdf`` writes stands here as it is,
below a prolog that says what each name means. What PDF has and PostScript has not are two colours at a time,
for filling and for stroking, and fonts of its own: each letter is a procedure that fills its outline, so that
no system needs the font or refuses TrueType.

Source: PostScript Language Document Structuring Conventions 3.0 and EPSF 3.0; PDF 1.4, appendix A.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from functools import partialmethod
from typing import Any

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from linkpress.layout.frame import Frame, Photo, Point
from linkpress.render.font_files import SHIPPED, Faces, FontFile
from linkpress.render.fonts import advance, clusters, shaper, stretches
from linkpress.render.glyph_fonts import number, numbers
from linkpress.render.pdf import About, Drawer, Hue, Pen, no_date_from_outside

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
    "k": "[ 5 1 roll /setcmykcolor cvx ] cvx /fc exch def",
    "G": "[ exch /setgray cvx ] cvx /sc exch def",
    "K": "[ 5 1 roll /setcmykcolor cvx ] cvx /sc exch def",
    # Of x, y, the size and an outline.
    "letter": "gsave 4 1 roll 3 1 roll translate dup scale newpath exec fc fill grestore",
}
_WRAP = 200  # lines of the conventions have 255 characters at most


def draw_eps(
    frame: Frame, about: About | None = None, texts: Mapping[str, str] | None = None, faces: Faces = SHIPPED
) -> bytes:
    """Return a whole EPS file of language level 2, as large as the frame, in plain ASCII.

    Args:
        frame: a frame without pictures of pixels; colours become mixes of the four inks.
        about: title, author, date and creator go into the header.
        texts: more lines for the header, such as Copyright.
    Raises:
        TypeError: the frame has a picture of pixels.
    """
    about = about or About()
    with no_date_from_outside():
        canvas = Canvas(io.BytesIO())
    drawer = _Drawer(canvas, Hue.PRESS, faces, again=())
    drawer.draw(frame)
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
        f"/linkpress {60 + len(drawer.letters)} dict def linkpress begin",
        *(f"/{name} {{ {meaning} }} bind def" for name, meaning in _OPERATORS.items()),
        *(line for letter, name in drawer.letters.items() for line in _procedure(name, *letter)),
        "end",
        "%%EndProlog",
        "%%Page: 1 1",
        "linkpress begin gsave",
        *(part for line in canvas._code for part in _wrapped(line)),
        "grestore end",
        "%%Trailer",
        "%%EOF",
    ]
    return ("\n".join(lines) + "\n").encode("ascii")


class _Drawer(Drawer):
    """This drawer draws all frames in their places; ``letters`` names a procedure for each glyph."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.letters: dict[tuple[FontFile, int], str] = {}

    def draw(self, frame: Frame) -> None:
        """Draw a frame where the canvas stands."""
        pen = _Pen(self._canvas, self._place, self._hue, self._faces)
        pen.letters = self.letters
        pen.draw(frame)


class _Pen(Pen):
    letters: dict[tuple[FontFile, int], str]

    def _photo(self, item: Photo) -> None:
        raise TypeError("a picture of pixels has no drawing in EPS")

    def _text(self, runs: Iterable[Any]) -> None:
        for run in runs:
            self._set_fill(run.ink)
            x = run.x
            for part in stretches(run.text, self._faces.files[run.font]):
                for place, cluster in enumerate(clusters(part)):
                    for glyph in cluster.glyphs:
                        name = self.letters.setdefault((part.file, glyph.number), f"g{len(self.letters)}")
                        left = x + glyph.x * run.size_pt + place * run.tracking_pt
                        where = left, run.y + glyph.y * run.size_pt, run.size_pt
                        self._write(f"{numbers(where)} {name}")
                x += advance(part) * run.size_pt + run.tracking_pt * len(part.text)


def _wrapped(code: str) -> list[str]:
    return textwrap.wrap(code, _WRAP, break_long_words=False, break_on_hyphens=False)


def _procedure(name: str, file: FontFile, glyph: int) -> Iterator[str]:
    font, em = shaper(file)
    pen = _OutlinePen(em)
    font.draw_glyph_with_pen(glyph, pen)
    text = f"/{name} {{ {{ {' '.join(pen.operators)} }} letter }} bind def"
    yield from _wrapped(text)


class _OutlinePen:
    """A pen takes a glyph's outline from HarfBuzz, and writes it in ems."""

    def __init__(self, em: int) -> None:
        self.operators: list[str] = []
        self._em = em
        self._last = (0.0, 0.0)

    def _add(self, step: str, *points: Point) -> None:
        self.operators += [*(number(side / self._em) for point in points for side in point), step]
        self._last = points[-1] if points else self._last

    def qCurveTo(self, bend: Point, end: Point) -> None:  # noqa: N802 - HarfBuzz calls them so
        """Write a curve of TrueType, which has one point beside its ends where PostScript's have two."""
        beside = ((bend[0] + (x - bend[0]) / 3, bend[1] + (y - bend[1]) / 3) for x, y in (self._last, end))
        self._add("c", *beside, end)

    moveTo = partialmethod(_add, "m")  # noqa: N815
    lineTo = partialmethod(_add, "l")  # noqa: N815
    curveTo = partialmethod(_add, "c")  # noqa: N815
    closePath = partialmethod(_add, "h")  # noqa: N815


def _string(content: bytes) -> str:
    plain = (chr(code) if 32 <= code < 127 and code not in b"()\\" else f"\\{code:03o}" for code in content)
    return f"({''.join(plain)})"
