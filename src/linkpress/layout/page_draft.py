"""A page draft is one page while it is composed: its areas, furniture, headings and running text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from linkpress.book.printing_keys import BackgroundPages, Border, PageNumbers
from linkpress.documents.values import Size
from linkpress.layout.edition import Part, Setting
from linkpress.layout.frame import (
    PAPER,
    Anchor,
    Area,
    FontKey,
    Frame,
    Item,
    LinkArea,
    Page,
    Placed,
    Polyline,
    Rect,
    Rects,
    Side,
    Target,
    TextRun,
    side_of,
)
from linkpress.layout.measure import clear_fall, clear_rise, fitting_size, font_for, set_text
from linkpress.layout.pictures import background_photo
from linkpress.layout.text_flow import Movable, break_lines, shifted, text_block
from linkpress.printers.profile import Margins

BORDER_PT = 12.0  # from the edge of the live area to what a border encloses
BORDER_GAP_PT = 2.0  # between the two lines of a double one
HEAD_GAP_PT = 16.0  # between the running head and what stands under it
FOLIO_GAP_PT = 14.0
RANGE_SHARE = 0.6  # of the running head's width, at most, for the range
OPENER_TOP = 0.3  # of the live area's height, above the name
COLUMN_EMS = 38.0  # the widest column that the eye follows back
RIM_PT = 4.0  # of white around a board that stands on a picture
ASCENT = 0.75  # of the type's size: the room above a baseline for capitals
DESCENT = 0.3  # of the type's size: the room below a lowest line for g, j, Q

_WITH_BACKGROUND = {
    BackgroundPages.OPENERS: ("opener",),
    BackgroundPages.PUZZLES: ("puzzles",),
    BackgroundPages.BOTH: ("opener", "puzzles"),
}

Columns = Sequence[Sequence[Sequence[Movable]]]  # by page and block, in the coordinates of a recto


def live_area(trim: Size, margins: Margins, side: Side) -> Area:
    """Return what the margins leave of a page; the inside margin is left on a recto, right on a verso."""
    left = margins.inside_pt if side is Side.RECTO else margins.outside_pt
    width = trim.width_pt - margins.inside_pt - margins.outside_pt
    return Area(left, margins.bottom_pt, width, trim.height_pt - margins.top_pt - margins.bottom_pt)


class PageDraft:
    """A draft collects what stands on one page."""

    def __init__(self, setting: Setting, number: int) -> None:
        self.setting = setting
        self.number = number
        self.side = Side.RECTO if setting.screen else side_of(number)
        self._printable = live_area(setting.trim, setting.margins, self.side)
        self.live = self._printable
        if setting.page.border is not Border.NONE:
            area = self._printable.without(BORDER_PT, BORDER_PT)
            self.live = Area(area.x + BORDER_PT, area.y, area.width - 2 * BORDER_PT, area.height)
        self._shapes: list[Item] = []
        self._texts: list[Item] = []
        self._targets: list[Target] = []
        self._links: list[LinkArea] = []

    @property
    def items(self) -> tuple[Item, ...]:
        """Return what stands on the page so far, all text after all shapes."""
        return (*self._shapes, *self._texts)

    @property
    def content(self) -> Area:
        """Return the live area between running head and page number."""
        size, page = self.setting.theme.type.caption, self.setting.page
        return self.live.without(
            top=size + HEAD_GAP_PT if page.running_heads else 0.0,
            bottom=size + FOLIO_GAP_PT if page.numbers is not PageNumbers.NONE else 0.0,
        )

    def add(self, items: Iterable[Item]) -> None:
        """Put items on the page; all text comes after all shapes, as one text object."""
        for item in items:
            (self._texts if isinstance(item, TextRun) else self._shapes).append(item)

    def text(
        self,
        text: str,
        point: tuple[float, float],
        size_pt: float,
        *,
        strong: bool = False,
        anchor: Anchor = Anchor.START,
        where: str = "text",
        within: float | None = None,
    ) -> TextRun:
        """Set one line.

        Args:
            point: the anchor's x, the baseline's y.
            within: the room there is; a longer line is set smaller.
        Raises:
            LayoutError: a glyph is missing, or the line is too long at the printer's least size.
        """
        face = font_for(text, FontKey.SEMIBOLD if strong else FontKey.REGULAR, self.setting.measure, where)
        if within is not None:
            wide = self.setting.measure.width(text, face, size_pt)
            size_pt = fitting_size(text, size_pt, wide, within, self.setting.min_text_pt, where)
        run = set_text(text, point, face, size_pt, self.setting.measure, anchor)
        self._texts.append(run)
        return run

    def target(self, name: str, top_pt: float, title: str | None = None) -> None:
        """Name a place for links and the outline."""
        self._targets.append(Target(name, top_pt, title))

    def link(self, run: TextRun, target: str) -> None:
        """Make a line of text lead to a named place."""
        below = DESCENT * run.size_pt
        self.link_area((run.x, run.y - below, run.width_pt, run.size_pt + below), target)

    def link_area(self, box: Rect, target: str) -> None:
        """Make a rectangle lead to a named place."""
        self._links.append(LinkArea(box, target))

    def furnish(self, head: str = "", range_text: str = "") -> None:
        """Set running head, puzzle range and page number, each on the side that the spec wants."""
        if self.setting.page.running_heads:
            self._put_head(head, range_text)
        self._put_number()

    def _put_number(self) -> None:
        outer, anchor, inner, inner_anchor = self._sides()
        match self.setting.page.numbers:
            case PageNumbers.OUTSIDE:
                x, anchor = outer, anchor
            case PageNumbers.CENTRE:
                x, anchor = self.live.centre, Anchor.MIDDLE
            case PageNumbers.INSIDE:
                x, anchor = inner, inner_anchor
            case PageNumbers.NONE:
                return
        size, number = self.setting.theme.type.caption, str(self.number)
        y = self.live.y + clear_fall(number, size, self.setting.measure)
        self.text(number, (x, y), size, strong=True, anchor=anchor)

    def _put_head(self, head: str, range_text: str) -> None:
        size = self.setting.theme.type.caption
        outer, anchor, inner, inner_anchor = self._sides()
        head_y = self.live.top - clear_rise(head + range_text, size, ASCENT * size, self.setting.measure)
        room, where = self.live.width, "running head"
        if range_text:
            place, share = (inner, head_y), RANGE_SHARE * room
            beside = self.text(range_text, place, size, anchor=inner_anchor, where=where, within=share)
            room -= beside.width_pt + 2 * size
        if head:
            place = (outer, head_y)
            self.text(head, place, size, strong=True, anchor=anchor, where=where, within=room)

    def _sides(self) -> tuple[float, Anchor, float, Anchor]:
        if self.side is Side.RECTO:
            return self.live.right, Anchor.END, self.live.x, Anchor.START
        return self.live.x, Anchor.START, self.live.right, Anchor.END

    def page(self, kind: str, section: str = "") -> Page:
        """Return the finished page."""
        trim = self.setting.trim
        self._put_border()
        frame = Frame(trim.width_pt, trim.height_pt, (*self._background(kind), *self.items))
        return Page(frame, self.number, kind, section, tuple(self._targets), tuple(self._links))

    def _background(self, kind: str) -> Iterator[Item]:
        """Yield the picture behind all else, and white under boards and codes with their words."""
        setting = self.setting
        asked = setting.page.background
        if asked is None or kind not in _WITH_BACKGROUND[asked.pages]:
            return
        recto = self.side is Side.RECTO
        photo = background_photo(asked, setting.page, setting.pictures, setting.profile, recto)
        x, y, width, height = photo.box
        frame = Frame(width, height, (replace(photo, box=(0.0, 0.0, width, height)),))
        yield Placed(f"background-{self.side.value}", frame, x, y)
        boards = (_rimmed(item.box) for item in self._shapes if isinstance(item, Placed))
        words = [_rimmed(_text_box(item)) for item in self._texts if isinstance(item, TextRun)]
        yield Rects(tuple(_with_words(board, words) for board in boards), PAPER)

    def _put_border(self) -> None:
        border, theme, area = self.setting.page.border, self.setting.theme, self._printable
        if border is Border.NONE:
            return
        weights = [theme.grid.outer_pt, theme.grid.inner_pt][: 2 if border is Border.DOUBLE else 1]
        inset = 0.0
        for weight in weights:
            x, y = area.x + inset + weight / 2, area.y + inset + weight / 2
            right, top = area.right - inset - weight / 2, area.top - inset - weight / 2
            corners = ((x, y), (right, y), (right, top), (x, top))
            self._shapes.append(Polyline(corners, weight, theme.accent, closed=True))
            inset += weight + BORDER_GAP_PT


def _text_box(run: TextRun) -> Rect:
    return run.x, run.y - DESCENT * run.size_pt, run.width_pt, (ASCENT + DESCENT) * run.size_pt


def _rimmed(box: Rect) -> Rect:
    x, y, width, height = box
    return x - RIM_PT, y - RIM_PT, width + 2 * RIM_PT, height + 2 * RIM_PT


def _with_words(board: Rect, words: Sequence[Rect]) -> Rect:
    """Return the white under a board, grown over the lines of text that touch it, and that touch these."""
    grown = board
    for x, y, width, height in words:
        left, low, right, top = grown[0], grown[1], grown[0] + grown[2], grown[1] + grown[3]
        if x < right and left < x + width and y < top and low < y + height:
            left, low = min(left, x), min(low, y)
            grown = left, low, max(right, x + width) - left, max(top, y + height) - low
    return grown if grown == board else _with_words(grown, words)


def text_column(draft: PageDraft, size_pt: float | None = None) -> Area:
    """Return where running text stands under a heading: not wider than the eye likes for its size."""
    width = min(draft.live.width, COLUMN_EMS * (size_pt or draft.setting.theme.type.body))
    bottom = draft.content.y
    return Area(draft.live.x, bottom, width, heading_foot(draft) - bottom)


def text_pages(
    part: Part, kind: str, title: str, columns: Columns, numbers: Sequence[int], where: str = "text"
) -> Iterator[Page]:
    """Yield the pages of a part's running text, the first one under its heading if there is any."""
    setting = part.setting
    for index, (number, items) in enumerate(zip(numbers, columns, strict=True)):
        draft = PageDraft(setting, number)
        if index == 0:
            draft.target(part.place, draft.live.top, title or None)
            if title:
                page_heading(draft, title, where=where)
        draft.furnish(head=title if index else "")
        dx = draft.live.x - PageDraft(setting, 1).live.x
        for block in items:
            draft.add(shifted(item, dx, 0.0) for item in block)
        yield draft.page(kind, title)


def page_heading(draft: PageDraft, text: str, where: str = "text") -> float:
    """Set the heading of a part's first page, and return the height under it."""
    size = draft.setting.theme.type.title
    rise = clear_rise(text, size, ASCENT * size, draft.setting.measure)
    point = (draft.live.x, draft.live.top - rise)
    draft.text(text, point, size, strong=True, where=where, within=draft.live.width)
    weight = draft.setting.theme.grid.outer_pt
    y = draft.live.top - max(1.45 * size, rise + 0.5 * size)
    draft.add([Rects(((draft.live.x, y - weight, 36, weight),), draft.setting.theme.accent)])
    return heading_foot(draft)


def heading_foot(draft: PageDraft) -> float:
    """Return where the text under a part's heading begins."""
    return draft.live.top - 2.1 * draft.setting.theme.type.title


def set_opener(draft: PageDraft, name: str, first: str, facts: Sequence[str], where: str) -> float:
    """Set a section's name, which puzzles it holds, and its facts; return the last line's baseline."""
    live, theme, scale = draft.live, draft.setting.theme, draft.setting.theme.type
    y = live.top - OPENER_TOP * live.height
    draft.text(name, (live.x, y), scale.display, strong=True, where=where, within=live.width)
    y -= 0.55 * scale.display
    draft.add([Rects(((live.x, y, 36, theme.grid.outer_pt),), theme.accent)])
    y -= 2.0 * scale.heading
    draft.text(first, (live.x, y), scale.heading, within=live.width)
    for fact in facts:
        for index, line in enumerate(
            break_lines(text_block(fact, scale.body), live.width, draft.setting.measure)
        ):
            y -= (1.3 if index else 1.7) * scale.body
            draft.text(line.text, (live.x, y), scale.body)
    return y
