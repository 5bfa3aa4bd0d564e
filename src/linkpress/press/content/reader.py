"""Reads what the pages of a file draw.

Source:
    ISO 32000-1, 8.2 to 8.10 and 9.2 to 9.4, for what each operator does.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict

import pikepdf

from linkpress.press.content import (
    object_operators,
    path_operators,
    state_operators,
    text_operators,
)
from linkpress.press.content.budget import FORM_COST, Budget
from linkpress.press.content.drawn import Drawn
from linkpress.press.content.fonts import Font, read_font
from linkpress.press.content.machine import Machine, Operator, Script
from linkpress.press.content.objects import elements, entry, identity, unpacked

_OPERATORS: dict[str, Operator] = {
    **state_operators.OPERATORS,
    **path_operators.OPERATORS,
    **text_operators.OPERATORS,
    **object_operators.OPERATORS,
}
# Parsed forms held at once; a logo on each page stays, a thousand boards pass.
_KEPT_STREAMS = 48
_KEPT_COST = 200_000
_SEPARATORS = (b" ", b"\n", b"\r", b"\t", b"\f", b"\0", b"(", b")", b"<", b">", b"[", b"]", b"/", b"%")
_TOKENS_A_COST = 4
_BYTES_A_COST = 16
_FONT_COST = 4  # codes of a font that take as long to read as an operator


class PageReader:
    """Reads one file's pages; fonts are read once, repeated forms parsed once.

    Args:
        pdf: the open file; it is never changed on disk.
        budget: what the file may ask for; a large file's for None.
    """

    def __init__(self, pdf: pikepdf.Pdf, budget: Budget | None = None) -> None:
        self.budget = budget or Budget()
        self.faults: list[str] = []  # what was wrong with content that could still be read
        self._pdf = pdf
        self._fonts: dict[tuple[int, int] | None, Font] = {}
        self._parsed: OrderedDict[tuple[int, int], Script] = OrderedDict()
        self._kept_cost = 0

    def read(self, page: pikepdf.Object, resources: object) -> list[Drawn]:
        """Everything that a page draws, in order.

        Args:
            page: the page's dictionary.
            resources: its resources, inherited ones too.
        Raises:
            TooMuchError: the file asks for more than the budget.
        """
        self.budget.turn_page()
        machine = Machine(self, _OPERATORS, object_operators.draw_inline)
        content = entry(page, "/Contents")
        streams = [content] if isinstance(content, pikepdf.Stream) else elements(content)
        self.budget.spend_operators(len(streams))
        parts = [self._unpacked(part) for part in streams if isinstance(part, pikepdf.Stream)]
        machine.execute(self._parse(b"\n".join(parts)), resources)
        return machine.drawn

    def font(self, value: object) -> Font:
        """A font, read once."""
        key = identity(value)
        if key in self._fonts:
            return self._fonts[key]
        font = read_font(value)
        self.budget.spend_operators(FORM_COST + (len(font.widths) + len(font.texts)) // _FONT_COST)
        if key is not None:
            self._fonts[key] = font
        return font

    def script(self, stream: pikepdf.Stream) -> Script:
        """A form, pattern or glyph, parsed."""
        key = identity(stream)
        if key is None:
            return self._parse(self._unpacked(stream))
        if key in self._parsed:
            self._parsed.move_to_end(key)
            return self._parsed[key]
        found = self._parsed[key] = self._parse(self._unpacked(stream))
        self._kept_cost += found.cost
        while self._parsed and (len(self._parsed) > _KEPT_STREAMS or self._kept_cost > _KEPT_COST):
            self._kept_cost -= self._parsed.popitem(last=False)[1].cost
        return found

    def _unpacked(self, stream: pikepdf.Stream) -> bytes:
        data = unpacked(stream)
        self.budget.spend_bytes(len(data))
        return data

    def _parse(self, data: bytes) -> Script:
        tokens = sum(map(data.count, _SEPARATORS))
        self.budget.spend_tokens(tokens)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            found: list[object] = list(pikepdf.parse_content_stream(pikepdf.Stream(self._pdf, data)))
        self.faults += [str(warning.message) for warning in said]
        return Script(found, max(len(found), tokens // _TOKENS_A_COST, len(data) // _BYTES_A_COST))
