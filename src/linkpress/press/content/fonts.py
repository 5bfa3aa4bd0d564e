"""Fonts as a reader needs them: is the font in the file, how wide is a code, what does it say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pikepdf

from linkpress.press.content.matrix import Matrix
from linkpress.press.content.objects import (
    dictionary,
    elements,
    entry,
    is_number,
    name,
    named,
    number,
    numbers,
    unpacked,
)

_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")
_MAX_MAP_BYTES = 1024 * 1024
_MAX_WIDTHS = 70_000
_MAX_STEPS = 200_000  # ranges may overlap without end; no honest font comes near
_SECTION = re.compile(rb"bfchar|bfrange|codespacerange")
_HEX_OR_LIST = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")


@dataclass(eq=False)
class Font:
    """One font of a page's resources.

    Args:
        base: its name as written, without the tag of a subset.
        type3: whether glyphs are drawn by content streams.
        code_bytes: length of a code.
        widths: advance of a code, in thousandths of the size.
        default_width: of a code without one.
        texts: what a code says.
        cap_height: of capitals and figures, a share of the size.
        glyphs: a Type 3 font's streams by code.
        matrix: a Type 3 font's glyph space.
    """

    base: str
    type3: bool = False
    code_bytes: int = 1
    widths: dict[int, float] = field(default_factory=dict)
    default_width: float = 0.0
    texts: dict[int, str] = field(default_factory=dict)
    cap_height: float = 0.72
    glyphs: dict[int, pikepdf.Stream] = field(default_factory=dict)
    matrix: Matrix = (0.001, 0.0, 0.0, 0.001, 0.0, 0.0)
    resources: object = None

    def codes(self, shown: bytes) -> Iterator[int]:
        """The codes of a shown string."""
        if self.code_bytes == 1:
            yield from shown
            return
        for start in range(0, len(shown) - 1, 2):
            yield shown[start] * 256 + shown[start + 1]

    def width(self, code: int) -> float:
        """The advance of a code, in thousandths of the size (glyph space for Type 3)."""
        return self.widths.get(code, self.default_width)

    def text(self, code: int) -> str:
        """What a code says; U+FFFD where nothing tells."""
        found = self.texts.get(code)
        if found is not None:
            return found
        return chr(code) if self.code_bytes == 1 and 32 <= code < 127 else "\ufffd"


def read_font(value: object) -> Font:
    """A font dictionary, whatever state it is in."""
    kind = named(value, "/Subtype")
    base = re.sub(r"^[A-Z]{6}\+", "", named(value, "/BaseFont").lstrip("/")) or "unnamed"
    if kind == "/Type0":
        return _composite(value, base)
    font = Font(base, texts=_unicode_map(value)[0])
    descriptor = entry(value, "/FontDescriptor")
    font.cap_height = _cap_height(descriptor)
    first = int(number(entry(value, "/FirstChar")))
    widths = elements(entry(value, "/Widths"))[:_MAX_WIDTHS]
    font.widths = {first + place: number(width) for place, width in enumerate(widths)}
    font.default_width = number(entry(descriptor, "/MissingWidth"), 0.0 if widths else 500.0)
    if kind == "/Type3":
        _read_type3(font, value)
    return font


def is_embedded(value: object) -> bool:
    """Whether a font's glyphs are in the file."""
    kind = named(value, "/Subtype")
    if kind == "/Type3":
        return True
    if kind == "/Type0":
        descendants = elements(entry(value, "/DescendantFonts"))
        return bool(descendants) and all(is_embedded_simple(item) for item in descendants)
    return is_embedded_simple(value)


def is_embedded_simple(value: object) -> bool:
    """As ``is_embedded``, for a font that is not composite."""
    descriptor = entry(value, "/FontDescriptor")
    return any(isinstance(entry(descriptor, key), pikepdf.Stream) for key in _EMBEDDED)


def _composite(value: object, base: str) -> Font:
    descendants = elements(entry(value, "/DescendantFonts"))
    child = descendants[0] if descendants else None
    texts, code_bytes = _unicode_map(value)
    encoding = entry(value, "/Encoding")
    two = code_bytes != 1 or name(encoding).startswith("/Identity")
    font = Font(base, code_bytes=2 if two else 1, texts=texts)
    font.cap_height = _cap_height(entry(child, "/FontDescriptor"))
    font.default_width = number(entry(child, "/DW"), 1000.0)
    font.widths = _composite_widths(elements(entry(child, "/W")))
    return font


def _composite_widths(parts: list[object]) -> dict[int, float]:
    widths: dict[int, float] = {}
    place, steps = 0, 0
    while place + 1 < len(parts) and steps < _MAX_STEPS:
        first = int(number(parts[place]))
        listed = parts[place + 1]
        if isinstance(listed, pikepdf.Array):
            widths.update(
                (first + step, number(width)) for step, width in enumerate(elements(listed)[:_MAX_WIDTHS])
            )
            place += 2
            continue
        last = min(int(number(listed)), first + _MAX_WIDTHS)
        steps += max(0, last - first)
        width = number(parts[place + 2]) if place + 2 < len(parts) else 0.0
        widths.update((code, width) for code in range(first, last + 1))
        place += 3
    return widths


def _read_type3(font: Font, value: object) -> None:
    font.type3, font.default_width = True, 0.0
    matrix = numbers(entry(value, "/FontMatrix"), 6)
    if matrix is not None:
        font.matrix = (matrix[0], matrix[1], matrix[2], matrix[3], matrix[4], matrix[5])
    font.resources = entry(value, "/Resources")
    procedures = dictionary(entry(value, "/CharProcs"))
    code = 0
    for item in elements(entry(entry(value, "/Encoding"), "/Differences")):
        if is_number(item):
            code = int(number(item))
            continue
        glyph = entry(procedures, name(item))
        if isinstance(glyph, pikepdf.Stream):
            font.glyphs[code] = glyph
        code += 1


def _cap_height(descriptor: object) -> float:
    height = number(entry(descriptor, "/CapHeight")) / 1000
    return height if 0.3 <= height <= 1.2 else 0.72


def _unicode_map(value: object) -> tuple[dict[int, str], int]:
    stream = entry(value, "/ToUnicode")
    if not isinstance(stream, pikepdf.Stream):
        return {}, 0
    texts: dict[int, str] = {}
    code_bytes = 0
    for kind, body in _sections(unpacked(stream, _MAX_MAP_BYTES)):
        tokens = [(_plain(match[1]), match[2], match[3]) for match in _HEX_OR_LIST.finditer(body)]
        if kind == b"codespacerange" and tokens:
            code_bytes = len(tokens[0][0]) // 2
        elif kind == b"bfchar":
            singles = [token[0] for token in tokens]
            texts.update((_code(a), _said(b)) for a, b in zip(singles[::2], singles[1::2], strict=False))
        elif kind == b"bfrange":
            _read_ranges(tokens, texts)
    return texts, code_bytes


def _sections(cmap: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts between ``begin…`` and ``end…``, in one pass however many lack their end."""
    for part in cmap.split(b"begin")[1:]:
        match = _SECTION.match(part)
        if match is not None:
            body, end, _ = part[match.end() :].partition(b"end" + match[0])
            if end:
                yield match[0], body


def _read_ranges(tokens: list[tuple[bytes, bytes | None, bytes | None]], texts: dict[int, str]) -> None:
    place, steps = 0, 0
    while place + 2 < len(tokens) and steps < _MAX_STEPS:
        low, high = _code(tokens[place][0]), _code(tokens[place + 1][0])
        place += 2
        if tokens[place][1]:
            place += 1
            for code in range(low, high + 1):
                if place >= len(tokens) or tokens[place][2]:
                    break
                texts[code] = _said(tokens[place][0])
                place += 1
            place += 1
            continue
        start = _said(tokens[place][0])
        place += 1
        count = max(0, min(high - low + 1, 65536, _MAX_STEPS - steps))
        steps += count
        for step in range(count):
            texts[low + step] = start[:-1] + chr((ord(start[-1]) + step) % 0x110000) if start else ""


def _plain(digits: bytes | None) -> bytes:
    return b"".join((digits or b"").split())


def _code(digits: bytes) -> int:
    return int(digits[:8] or b"0", 16)


def _said(digits: bytes) -> str:
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii")).decode("utf-16-be", "replace")
