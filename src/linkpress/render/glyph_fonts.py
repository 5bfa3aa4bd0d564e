"""A PDF's text is written as glyph numbers here, for shaped stretches and for fonts embedded whole.

ReportLab writes a text by its characters, in fonts of 256 codes. A shaped line has glyphs that no
character stands for, so it is written in a composite font, whose codes are the glyphs' numbers. The
text that is searched and copied comes from its ToUnicode map, and from an ActualText where that
would say something else than what was written.

Source:
    PDF 1.4, 5.6.4 "Composite fonts", 5.9.2 "ToUnicode CMaps", 10.8.3 "Replacement text".
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import uharfbuzz
from reportlab.pdfbase import pdfdoc

from linkpress.documents.values import trimmed
from linkpress.render.font_files import FontFile, font
from linkpress.render.fonts import Cluster, Glyph

DECIMALS = 5  # of a point; with three, lines of images leave their pixels
_MOST_ENTRIES = 100  # of one bfchar section
_FOR_SHAPING = (b"GSUB", b"GPOS", b"GDEF")  # tables that a PDF's text, shaped already, has no need of
_TO_UNICODE = """\
/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
{sections}
endcmap
CMapName currentdict /CMap defineresource pop
end
end"""


@lru_cache(maxsize=20_000)  # boards of one size have the same few places
def number(value: float) -> str:
    """Write a number as PDF and PostScript have it, without zeros at its end."""
    return trimmed(value, DECIMALS)


def numbers(values: Iterable[float]) -> str:
    """Write numbers side by side."""
    return " ".join(map(number, values))


class GlyphFont:
    """A glyph font is a document's font whose text is glyph numbers; the whole file is embedded if full."""

    def __init__(self, document: Any, file: FontFile, full: bool) -> None:
        self._file, self._full = file, full
        self._face = font(file).face
        self._text_of: dict[int, str] = {0: ""}  # of each glyph used, the first text that it stood for
        key = f"{file.value} by glyphs"
        self.name = f"F{len(document.fontMapping) + 1}"
        document.fontMapping[key] = f"/{self.name}"
        document.delayedFonts.append(self)

    def operators(self, clusters: Sequence[Cluster], size_pt: float) -> Iterator[str]:
        """Yield the operators that show a line's clusters from the text position on."""
        yield f"/{self.name} {number(size_pt)} Tf"
        glyphs = [glyph for cluster in clusters for glyph in cluster.glyphs]
        readable = [self._reads_back(cluster) for cluster in clusters]
        if all(readable):
            yield from self._show(glyphs, size_pt)
            return
        text = "\ufeff" + "".join(cluster.text for cluster in clusters)
        yield f"/Span <</ActualText <{text.encode('utf-16-be').hex().upper()}>>> BDC"
        yield from self._show(glyphs, size_pt)
        yield "EMC"

    def _reads_back(self, cluster: Cluster) -> bool:
        """Tell whether the ToUnicode map says what was written: a glyph stands for its first text alone."""
        if len(cluster.glyphs) == 1:
            return self._text_of.setdefault(cluster.glyphs[0].number, cluster.text) == cluster.text
        for glyph in cluster.glyphs:
            nominal = self._face.glyphToChar.get(glyph.number, ())[:1]
            self._text_of.setdefault(glyph.number, "".join(map(chr, nominal)))
        return False

    def _show(self, glyphs: Sequence[Glyph], size_pt: float) -> Iterator[str]:
        pen = 0.0
        for rise, level in groupby(glyphs, lambda glyph: glyph.y):
            parts = []
            for glyph in level:
                back = round(1000 * (pen - glyph.x), 2)
                if back:
                    parts.append(number(back))
                    pen -= back / 1000
                parts.append(f"<{glyph.number:04X}>")
                pen += self._width(glyph.number) / 1000
            shown = f"[{' '.join(parts).replace('> <', '')}] TJ"
            yield f"{number(rise * size_pt)} Ts {shown} 0 Ts" if rise else shown

    def _width(self, number: int) -> int:
        """Return the width that the PDF states for a glyph, in thousandths of an em."""
        width: float = 1000 * self._face.hmetrics[number][0] / self._face.unitsPerEm
        return round(width)

    def addObjects(self, document: Any) -> None:  # noqa: N802 - ReportLab's name
        """Add the font's objects to the document."""
        base = self._face.name.decode("ascii", "replace")
        if not self._full:
            base = f"{_tag(self._text_of)}+{base}"
        used = range(len(self._face.hmetrics)) if self._full else sorted(self._text_of)
        descendant = pdfdoc.PDFDictionary(
            {
                "Type": "/Font",
                "Subtype": "/CIDFontType2",
                "BaseFont": pdfdoc.PDFName(base),
                "CIDSystemInfo": pdfdoc.PDFDictionary(
                    {"Registry": "(Adobe)", "Ordering": "(Identity)", "Supplement": 0}
                ),
                "CIDToGIDMap": "/Identity",
                "DW": 1000,
                "W": pdfdoc.PDFArray(list(self._widths(used))),
                "FontDescriptor": self._descriptor(document, base),
            }
        )
        whole = {
            "Type": "/Font",
            "Subtype": "/Type0",
            "BaseFont": pdfdoc.PDFName(base),
            "Encoding": "/Identity-H",
            "DescendantFonts": pdfdoc.PDFArray([document.Reference(descendant)]),
            "ToUnicode": self._stream(document, self._map().encode("ascii")),
        }
        reference = document.Reference(pdfdoc.PDFDictionary(whole))
        document.idToObject["BasicFonts"].dict[self.name] = reference

    def _widths(self, used: Sequence[int]) -> Iterator[Any]:
        for _, run in groupby(enumerate(used), lambda pair: pair[1] - pair[0]):
            numbers = [number for _, number in run]
            yield numbers[0]
            yield pdfdoc.PDFArray([self._width(number) for number in numbers])

    def _descriptor(self, document: Any, base: str) -> Any:
        face = self._face
        content = self._content()
        return document.Reference(
            pdfdoc.PDFDictionary(
                {
                    "Type": "/FontDescriptor",
                    "FontName": pdfdoc.PDFName(base),
                    "Flags": face.flags,
                    "FontBBox": pdfdoc.PDFArray(face.bbox),
                    "ItalicAngle": face.italicAngle,
                    "Ascent": face.ascent,
                    "Descent": face.descent,
                    "CapHeight": face.capHeight,
                    "StemV": face.stemV,
                    "FontFile2": self._stream(document, content, Length1=len(content)),
                }
            )
        )

    def _content(self) -> bytes:
        """Return the file, or one with the same numbers that has only the glyphs used."""
        blob = uharfbuzz.Blob.from_file_path(self._face.filename)
        if self._full:
            return bytes(blob.data)
        wanted = uharfbuzz.SubsetInput()
        wanted.flags = uharfbuzz.SubsetFlags.RETAIN_GIDS
        wanted.glyph_set.update(self._text_of)
        wanted.drop_table_tag_set.update(int.from_bytes(table, "big") for table in _FOR_SHAPING)
        return bytes(wanted.subset(uharfbuzz.Face(blob)).blob.data)

    def _stream(self, document: Any, content: bytes, **keys: int) -> Any:
        stream = pdfdoc.PDFStream(pdfdoc.PDFDictionary(keys), content)
        if document.compression:
            stream.filters = [pdfdoc.PDFZCompress]
        return document.Reference(stream)

    def _map(self) -> str:
        """Return the ToUnicode map, in sections of as many entries as readers must hold."""
        entries = [
            f"<{number:04X}> <{text.encode('utf-16-be').hex().upper()}>"
            for number, text in sorted(self._text_of.items())
            if text
        ]
        sections = (entries[start : start + _MOST_ENTRIES] for start in range(0, len(entries), _MOST_ENTRIES))
        lines = "\n".join(
            f"{len(section)} beginbfchar\n{chr(10).join(section)}\nendbfchar" for section in sections
        )
        return _TO_UNICODE.format(sections=lines)


def _tag(used: Iterable[int]) -> str:
    code = zlib.crc32(repr(sorted(used)).encode())
    return "".join(chr(65 + code // 26**place % 26) for place in range(6))
