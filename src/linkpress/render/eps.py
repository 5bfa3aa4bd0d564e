"""Draw a frame (a drawing that layout has made) as Encapsulated PostScript.

PDF took its operators from PostScript and shortened their names. So the EPS file has the operators that
``pdf`` writes, and a prolog that defines each operator as a PostScript procedure. Two things differ:

- PostScript has one current colour. PDF has two, one for fills and one for strokes. The procedures ``fc`` and
  ``sc`` store these two colours.
- Text becomes outlines, so that no system needs the fonts. Each glyph is a procedure that fills its outline.

Source:
    PostScript Language Document Structuring Conventions 3.0 and EPSF 3.0; PDF 1.4, appendix A.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partialmethod
from pathlib import Path
from typing import Any

import pikepdf
from reportlab.pdfgen.canvas import Canvas

from linkpress.layout.frame import Frame, Photo, Point
from linkpress.render.fonts import SHIPPED, Faces, FontFile, advance, clusters, font_runs, shaper
from linkpress.render.pdf import (
    About,
    ColourMode,
    ContentWriter,
    PageWriter,
    number,
    numbers,
    without_source_date,
)
from linkpress.resources import fill_template

# The parts that are the same in every EPS file. They define PostScript procedures. The procedure "letter"
# takes four operands: x, y, the font size, and a procedure that draws the outline of a letter.
_TEMPLATE = Path(__file__).with_name("eps.ps")
_MAX_LINE = 200  # maximum length of a written line in characters; the EPS specification allows 255


def draw_eps(
    frame: Frame, about: About | None = None, texts: Mapping[str, str] | None = None, faces: Faces = SHIPPED
) -> bytes:
    """Draw a frame, such as a board with its caption, as an EPS file of language level 2, in ASCII.

    Args:
        frame: the frame. All colours are written as CMYK.
        about: the file's metadata, for the header.
        texts: further lines for the header, such as Copyright.
        faces: the fonts.
    Raises:
        TypeError: the frame has a pixel picture.
    """
    about = about or About()
    with without_source_date():
        canvas = Canvas(io.BytesIO())
    writer = _EpsWriter(canvas, ColourMode.CMYK, faces, forms=())
    writer.write_frame(frame)
    header = {"Title": about.title, "For": about.author, "Creator": about.creator, **(texts or {})}
    letters = [line for glyph, name in writer.glyph_names.items() for line in _glyph_procedure(name, *glyph)]
    text = fill_template(
        _TEMPLATE,
        whole_width=math.ceil(frame.width_pt),
        whole_height=math.ceil(frame.height_pt),
        width=number(frame.width_pt),
        height=number(frame.height_pt),
        header=_block(
            f"%%{key}: {_string(bytes(pikepdf.String(text)))}" for key, text in header.items() if text
        ),
        date=f"{about.date:%Y-%m-%d %H:%M:%S}",
        names=60 + len(writer.glyph_names),
        letters=_block(letters),
        drawing=_block(line for code in canvas._code for line in _wrap(code)),
    )
    return text.encode("ascii")


def _block(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@dataclass
class _EpsWriter(PageWriter):
    """Writer of an EPS file.

    ``glyph_names`` maps each glyph to the name of the procedure that draws it. A glyph is given as its font
    and its number in the font.
    """

    glyph_names: dict[tuple[FontFile, int], str] = field(default_factory=dict)

    def write_frame(self, frame: Frame) -> None:
        content = _EpsContentWriter(self.canvas, self._place, self.colour_mode, self.faces)
        content.glyph_names = self.glyph_names
        content.write(frame.items)


class _EpsContentWriter(ContentWriter):
    glyph_names: dict[tuple[FontFile, int], str]

    def _photo(self, item: Photo) -> None:
        raise TypeError("a pixel picture can't be drawn in EPS")

    def _text(self, texts: Iterable[Any]) -> None:
        for text in texts:
            self._set_fill(text.ink)
            x = text.x
            for run in font_runs(text.text, self._faces.files[text.font]):
                for index, cluster in enumerate(clusters(run)):
                    for glyph in cluster.glyphs:
                        key = (run.file, glyph.number)
                        name = self.glyph_names.setdefault(key, f"g{len(self.glyph_names)}")
                        left = x + glyph.x * text.size_pt + index * text.tracking_pt
                        base = text.y + glyph.y * text.size_pt
                        self._write(f"{numbers((left, base, text.size_pt))} {name}")
                x += advance(run) * text.size_pt + text.tracking_pt * len(run.text)


def _wrap(code: str) -> list[str]:
    return textwrap.wrap(code, _MAX_LINE, break_long_words=False, break_on_hyphens=False)


def _glyph_procedure(name: str, file: FontFile, glyph: int) -> Iterator[str]:
    """Yield the lines of PostScript that define the procedure for a glyph."""
    font, em = shaper(file)
    pen = _OutlinePen(em)
    font.draw_glyph_with_pen(glyph, pen)
    yield from _wrap(f"/{name} {{ {{ {' '.join(pen.operators)} }} letter }} bind def")


class _OutlinePen:
    """Pen that writes the outline of a glyph as PostScript operators, in ems. HarfBuzz calls its methods."""

    def __init__(self, em: int) -> None:
        self.operators: list[str] = []
        self._em = em
        self._last = (0.0, 0.0)

    def _add(self, operator: str, *points: Point) -> None:
        self.operators += [*(number(value / self._em) for point in points for value in point), operator]
        self._last = points[-1] if points else self._last

    def qCurveTo(self, control: Point, end: Point) -> None:  # noqa: N802 - HarfBuzz calls them so
        """Write a quadratic curve of a TrueType font as an equal cubic curve.

        PostScript has no quadratic curves.
        """
        controls = (
            (control[0] + (x - control[0]) / 3, control[1] + (y - control[1]) / 3)
            for x, y in (self._last, end)
        )
        self._add("c", *controls, end)

    moveTo = partialmethod(_add, "m")  # noqa: N815
    lineTo = partialmethod(_add, "l")  # noqa: N815
    curveTo = partialmethod(_add, "c")  # noqa: N815
    closePath = partialmethod(_add, "h")  # noqa: N815


def _string(content: bytes) -> str:
    """Write bytes as a string of PostScript, in ASCII."""
    plain = (chr(code) if 32 <= code < 127 and code not in b"()\\" else f"\\{code:03o}" for code in content)
    return f"({''.join(plain)})"
