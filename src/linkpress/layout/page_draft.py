"""One page while it is being composed: its areas, its furniture, its finished ``Page``."""

from __future__ import annotations

from collections.abc import Iterable

from linkpress.errors import LayoutError
from linkpress.layout.edition import Setting
from linkpress.layout.frame import (
    BLACK,
    MM,
    Anchor,
    FontKey,
    Frame,
    Ink,
    Item,
    LinkArea,
    Page,
    Side,
    Target,
    TextRun,
    side_of,
)
from linkpress.layout.geometry import Area, live_area
from linkpress.layout.measure import font_for, set_text

HEAD_GAP_PT = 16.0  # between the running head and what stands under it
FOLIO_GAP_PT = 14.0
DESCENT = 0.3  # of the type's size: the room below a lowest line for g, j, Q


class PageDraft:
    """Collects what stands on one page.

    Args:
        setting: of the book.
        number: the page, from 1.
    """

    def __init__(self, setting: Setting, number: int) -> None:
        self.setting = setting
        self.number = number
        self.side = side_of(number)
        self.live = live_area(setting.edition.trim, setting.margins, self.side)
        self._shapes: list[Item] = []
        self._texts: list[Item] = []
        self._targets: list[Target] = []
        self._links: list[LinkArea] = []

    @property
    def content(self) -> Area:
        """The live area between running head and page number."""
        size = self.setting.theme.type.caption
        return self.live.without(top=size + HEAD_GAP_PT, bottom=size + FOLIO_GAP_PT)

    def add(self, items: Iterable[Item]) -> None:
        """Put items on the page; all text comes after all shapes, as one text object."""
        for item in items:
            (self._texts if isinstance(item, TextRun) else self._shapes).append(item)

    def text(
        self,
        text: str,
        at: tuple[float, float],
        size_pt: float,
        *,
        strong: bool = False,
        anchor: Anchor = Anchor.START,
        ink: Ink = BLACK,
        where: str = "text",
        within: float | None = None,
    ) -> TextRun:
        """Set one line.

        Args:
            text: the words.
            at: the anchor's x, the baseline's y.
            size_pt: of the type.
            strong: in the heavier face.
            anchor: which point of the line stands at x.
            ink: of the letters.
            where: what it is, for messages.
            within: the room there is; a longer line is set smaller.
        Raises:
            LayoutError: a glyph is missing, or the line is too long at the printer's least size.
        """
        wanted = FontKey.SEMIBOLD if strong else FontKey.REGULAR
        face = font_for(text, wanted, self.setting.measure, where)
        if within is not None:
            size_pt = self._fitting(text, face, size_pt, within, where)
        run = set_text(text, at, face, size_pt, self.setting.measure, anchor, ink)
        self._texts.append(run)
        return run

    def _fitting(self, text: str, face: FontKey, size_pt: float, within: float, where: str) -> float:
        size = min(size_pt, size_pt * within / max(self.setting.measure.width(text, face, size_pt), 0.01))
        if size < self.setting.min_text_pt:
            raise LayoutError(
                f"{where}: {text[:60]!r} is too long for its line of {within / MM:.0f} mm, even in type of "
                f"{self.setting.min_text_pt:g} pt. Shorten it or choose a wider page.trim."
            )
        return size

    def target(self, name: str, top_pt: float, title: str | None = None, level: int = 0) -> None:
        """Name a place for links and the outline."""
        self._targets.append(Target(name, top_pt, title, level))

    def link(self, run: TextRun, target: str) -> None:
        """Make a line of text lead to a named place."""
        below = DESCENT * run.size_pt
        box = (run.x, run.y - below, run.width_pt, run.size_pt + below)
        self._links.append(LinkArea(box, target))

    def link_area(self, box: tuple[float, float, float, float], target: str) -> None:
        """Make a rectangle lead to a named place."""
        self._links.append(LinkArea(box, target))

    def furnish(self, head: str = "", range_text: str = "", folio: bool = True) -> None:
        """Running head and page number, both on the outer side; the range on the inner side."""
        size = self.setting.theme.type.caption
        outer, anchor, inner, inner_anchor = self._sides()
        head_y = self.live.top - size * 0.75
        room = self.live.width
        if range_text:
            beside = self.text(range_text, (inner, head_y), size, anchor=inner_anchor, where="running head")
            room -= beside.width_pt + 2 * size
        if head:
            place = (outer, head_y)
            self.text(head, place, size, strong=True, anchor=anchor, where="running head", within=room)
        if folio:
            self.text(str(self.number), (outer, self.live.y), size, strong=True, anchor=anchor)

    def _sides(self) -> tuple[float, Anchor, float, Anchor]:
        if self.side is Side.RECTO:
            return self.live.right, Anchor.END, self.live.x, Anchor.START
        return self.live.x, Anchor.START, self.live.right, Anchor.END

    def page(self, kind: str, section: str = "") -> Page:
        """The finished page."""
        trim = self.setting.edition.trim
        frame = Frame(trim.width_pt, trim.height_pt, (*self._shapes, *self._texts))
        return Page(frame, self.number, kind, section, tuple(self._targets), tuple(self._links))
