"""One page during its composition, and the base class of all parts of a book.

A ``PageDraft`` has a page's areas, running head, page number, headings and link targets. A ``Part`` is a
group of pages that belong together, such as the contents or all pages of a level.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from linkpress.book.printing_keys import BackgroundPages, Border, PageNumbers
from linkpress.book.spec import BookSpec
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.problem import KeyPath, key_path
from linkpress.layout.boards import path_ornament
from linkpress.layout.frame import (
    FOOTER,
    HEADER,
    PAPER,
    Anchor,
    Area,
    FontKey,
    Frame,
    Ink,
    Item,
    LinkArea,
    Page,
    Placed,
    Polyline,
    Rect,
    Rects,
    Region,
    Role,
    Side,
    Tag,
    Target,
    TextRun,
    grey,
)
from linkpress.layout.setting import Setting, background_photo, live_area
from linkpress.layout.text_flow import (
    Columns,
    Movable,
    break_lines,
    digit_depth,
    fitting_size,
    font_for,
    set_text,
    shifted,
    text_block,
    text_height,
)
from linkpress.puzzle.puzzle import Solution

BORDER_PT = 12.0  # gap in points between a page's border and the content inside
BORDER_GAP_PT = 2.0  # gap in points between the two lines of a double border
HEAD_GAP_PT = 16.0  # gap in points between the running head and the content of a page
FOLIO_GAP_PT = 14.0  # gap in points between the content of a page and the page number

# Maximum width of the range of puzzle numbers in a running head, as a fraction of the running head's width.
RANGE_SHARE = 0.6
# Space above the heading on a level's opening page, as a fraction of the height inside the page's margins.
OPENER_TOP = 0.3

# The table of contents is spread out, and answers are enlarged, until they fill at least this fraction of the
# page height. With less, the page would look empty.
LEAST_FILLED = 0.36

# Maximum width of a text column, as a multiple of the type size. In wider columns, readers have trouble
# finding the next line.
COLUMN_EMS = 38.0
RIM_PT = 4.0  # width in points of the white rim around a board that is on a background picture
ASCENT = 0.75  # height of capital letters above the baseline, as a fraction of the type size
DESCENT = 0.3  # depth of letters such as g below the baseline, as a fraction of the type size

# Width of an ornament made of a solved board, as a fraction of the width inside the page's margins.
ORNAMENT_WIDTH = 0.42

# Minimum cell width in points for an ornament made of a solved board. If there is less room, the
# ornament is omitted.
ORNAMENT_LEAST_PT = 6.0

_WITH_BACKGROUND = {
    BackgroundPages.OPENERS: ("opener",),
    BackgroundPages.PUZZLES: ("puzzles",),
    BackgroundPages.BOTH: ("opener", "puzzles"),
}

# For each kind of page, the spec key that the studio opens when a user clicks the page. It applies unless a
# caller of ``PageDraft.page`` passes a key.
_KEYS_OF_KINDS = {
    "title": "title",
    "copyright": "parts.copyright",
    "colophon": "parts.colophon",
    "contents": "parts.contents",
    "howto": "parts.how_to_play",
    "tutorial": "parts.tutorial",
    "solutions": "solutions",
    "notes": "notes_pages",
    "progress": "parts.progress",
    "times": "parts.times",
    "certificate": "parts.certificate",
}

# Link targets are named positions in a book, such as ``puzzle-12``, ``solution-12`` and ``level-0``.
Index = Mapping[str, int]  # the page number of each link target, by the target's name
HOWTO_PLACE = "how-to-play"
SOLUTIONS_PLACE = "solutions"
NOTES_PLACE = "notes"
CONTENTS_PLACE = "contents"
PROGRESS_PLACE = "progress"
TIMES_PLACE = "times"
CERTIFICATE_PLACE = "certificate"


def puzzle_place(number: int) -> str:
    return f"puzzle-{number}"


def solution_place(number: int) -> str:
    return f"solution-{number}"


def level_place(index: int) -> str:
    return f"level-{index}"


class PageDraft:
    """Collect the items, link targets and links of one page.

    Attributes:
        live: the area inside the margins, and inside the border if the page has one.
        content: the live area without the running head and the page number.
    """

    def __init__(self, setting: Setting, number: int) -> None:
        self.setting = setting
        self.number = number
        self.side = Side.RECTO if setting.edition.screen or number % 2 else Side.VERSO
        self._printable = live_area(setting.trim, setting.margins, self.side)
        self.live = self._printable
        if setting.page.border is not Border.NONE:
            area = self._printable.without(BORDER_PT, BORDER_PT)
            self.live = Area(area.x + BORDER_PT, area.y, area.width - 2 * BORDER_PT, area.height)
        self._shapes: list[Item] = []
        self._texts: list[TextRun] = []
        self._targets: list[Target] = []
        self._links: list[LinkArea] = []
        self._puzzles: list[tuple[Rect, KeyPath, Role, int]] = []
        self._tags: dict[Tag, None] = {}  # the outermost tags of the page, in reading order

    @property
    def items(self) -> tuple[Item, ...]:
        return (*self._shapes, *self._texts)

    @property
    def content(self) -> Area:
        size, page = self.setting.theme.type.caption, self.setting.page
        return self.live.without(
            top=size + HEAD_GAP_PT if page.running_heads else 0.0,
            bottom=size + FOLIO_GAP_PT if page.numbers is not PageNumbers.NONE else 0.0,
        )

    def add(self, items: Iterable[Item]) -> None:
        """Add items to the page.

        All text is drawn after all shapes, so that a PDF needs only one text object.
        """
        for item in items:
            if isinstance(item, TextRun):
                self._texts.append(item)
            else:
                self._shapes.append(item)
            if isinstance(item, TextRun | Placed) and item.tag is not None:
                self._tags[item.tag.root] = None

    def tag(self, role: str, parent: Tag | None = None, *, alt: str = "", text: str = "") -> Tag | None:
        """Create a tag, which tells screen readers the meaning of some content of this page.

        For a printed edition, which needs no tags, return None.

        Screen readers read tags in the order of their creation. The class ``Tag`` explains the arguments.
        """
        if not self.setting.edition.screen:
            return None
        tag = Tag(role, parent, alt, text)
        self._tags[tag.root] = None
        return tag

    def board_tag(self, shown: NumberedPuzzle, solution: Solution | None) -> Tag | None:
        """Create the tag of a board, with a description in words. Return None for a printed edition."""
        if not self.setting.edition.screen:
            return None
        alt = self.setting.board_in_words(shown.record.puzzle, solution, shown.number, shown.name)
        return self.tag("Figure", alt=alt)

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
        tag: Tag | None = None,
    ) -> TextRun:
        """Add one line of text to the page.

        Args:
            point: a point on the baseline. ``anchor`` says whether it is the start, middle or end of the
                line.
            strong: whether to use the semibold font.
            where: the text's key in the spec, for error messages.
            within: the available width in points. A line that would be longer gets a smaller type size.
            tag: the structure element of the line. If None, the line becomes a paragraph.
        Raises:
            LayoutError: a glyph is missing, or the line is too long even in the printer's smallest type size.
        """
        setting = self.setting
        font = font_for(text, FontKey.SEMIBOLD if strong else FontKey.REGULAR, setting.measure, where)
        if within is not None:
            size_pt = fitting_size(
                text,
                size_pt,
                width_pt=setting.measure.width(text, font, size_pt),
                available_pt=within,
                # Large print usually requires larger type than the printer does. But a line that is too long
                # may be set as small as the printer allows.
                least_pt=setting.profile.limits.text_pt,
                where=where,
            )
        tag = tag or self.tag("P")
        run = set_text(text, point, font, size_pt, setting.measure, anchor, where=where, tag=tag)
        self._texts.append(run)
        return run

    def target(self, name: str, top_pt: float, title: str | None = None) -> None:
        """Create a link target. If it has a title, it is also listed in the PDF outline."""
        self._targets.append(Target(name, top_pt, title))

    def link(self, run: TextRun, target: str) -> None:
        """Make a line of text a link to a target. The role of the text's tag must be ``Link``."""
        below = DESCENT * run.size_pt
        self.link_area((run.x, run.y - below, run.width_pt, run.size_pt + below), target, run.tag)

    def link_area(self, box: Rect, target: str, tag: Tag | None = None) -> None:
        """Make a rectangle a link to a target. ``tag`` is the ``Link`` element of the rectangle."""
        self._links.append(LinkArea(box, target, tag))

    def puzzle_region(self, box: Rect, where: str, role: Role, puzzle: int) -> None:
        """Record that an area of the page shows a puzzle or its answer, and which spec key controls it.

        Args:
            where: the spec key, such as ``levels[0]``.
            role: whether the area shows the puzzle or the answer.
            puzzle: the printed number of the puzzle.
        """
        self._puzzles.append((box, key_path(where), role, puzzle))

    def furnish(
        self, head: str = "", range_text: str = "", where: str = "running head", is_heading: bool = False
    ) -> None:
        """Add the running head and the page number, if the spec asks for them.

        Screen readers skip both, unless the running head serves as a heading.

        Args:
            head: the text on the outer side of the running head, such as the level's name.
            range_text: the text on the inner side, such as ``Puzzles 7–12``.
            where: the key of ``head`` in the spec.
            is_heading: whether ``head`` is the only heading of its part. Screen readers then read it.
        """
        if self.setting.page.running_heads:
            tag = (self.tag("H1") if is_heading else None) or HEADER
            self._put_head(head, range_text, where, tag)
        self._put_number()

    def _put_head(self, head: str, range_text: str, where: str, tag: Tag) -> None:
        size = self.setting.theme.type.caption
        y = self.live.top - text_height(head + range_text, size, ASCENT * size, self.setting.measure)
        (outer, outer_anchor), (inner, inner_anchor) = self._outer_and_inner()
        available = self.live.width
        if self.setting.page.large_print:
            # Omit text of the running head that is too wide for the page in this type size, because a smaller
            # size is not allowed in large print. The range of puzzle numbers is omitted first.
            measure = self.setting.measure
            needed = measure.width(head, FontKey.SEMIBOLD, size) + 2 * size
            if needed + measure.width(range_text, FontKey.REGULAR, size) > available:
                range_text = ""
            if needed - 2 * size > available and tag is HEADER:
                head = ""
        if range_text:
            within = RANGE_SHARE * available
            run = self.text(
                range_text,
                (inner, y),
                size,
                anchor=inner_anchor,
                where="running head",
                within=within,
                tag=HEADER,
            )
            available -= run.width_pt + 2 * size
        if head:
            point = (outer, y)
            self.text(
                head, point, size, strong=True, anchor=outer_anchor, where=where, within=available, tag=tag
            )

    def _put_number(self) -> None:
        outer, inner = self._outer_and_inner()
        match self.setting.page.numbers:
            case PageNumbers.OUTSIDE:
                x, anchor = outer
            case PageNumbers.CENTRE:
                x, anchor = self.live.centre, Anchor.MIDDLE
            case PageNumbers.INSIDE:
                x, anchor = inner
            case PageNumbers.NONE:
                return
        size, number = self.setting.theme.type.caption, str(self.number)
        y = self.live.y + digit_depth(number, size, self.setting.measure)
        self.text(number, (x, y), size, strong=True, anchor=anchor, where="page.numbers", tag=FOOTER)

    def _outer_and_inner(self) -> tuple[tuple[float, Anchor], tuple[float, Anchor]]:
        """Return the outer and the inner edge of the area inside the page's margins.

        The inner edge is the one near the spine. For each edge, return its x coordinate, and the anchor of a
        text that touches the edge from inside. The anchor is START at the left edge, and END at the right.
        """
        left, right = (self.live.x, Anchor.START), (self.live.right, Anchor.END)
        return (right, left) if self.side is Side.RECTO else (left, right)

    def page(self, kind: str, section: str = "", where: str = "") -> Page:
        """Finish the page. Add its border, and its background if this kind of page has one.

        Args:
            kind: the kind of the page, as in ``Page``.
            section: the level or part that the page belongs to.
            where: the spec key that controls the page. If empty, the usual key of this kind of page is used.
        """
        trim = self.setting.trim
        self._put_border()
        frame = Frame(trim.width_pt, trim.height_pt, (*self._background(kind), *self.items))
        has_border = self.setting.page.border is not Border.NONE
        part = key_path(where or _KEYS_OF_KINDS[kind])
        border = Region(self._printable.box, ("page", "border"), Role.BORDER, part)
        regions = [
            Region((0.0, 0.0, *trim), ("page", "margins"), Role.MARGINS, part),
            *([border] if has_border else []),
            Region(self.live.box, part, Role.PAGE, part),
            *(Region(box, key, role, part, puzzle) for box, key, role, puzzle in self._puzzles),
            *text_regions(self._texts, part),
        ]
        return Page(
            frame,
            self.number,
            kind,
            section,
            tuple(self._targets),
            tuple(self._links),
            tuple(regions),
            tuple(self._tags),
        )

    def _background(self, kind: str) -> Iterator[Item]:
        """Yield the background picture, and white rectangles behind boards, QR codes and nearby text."""
        setting, background = self.setting, self.setting.page.background
        if background is None or kind not in _WITH_BACKGROUND[background.pages]:
            return
        recto = self.side is Side.RECTO
        photo = background_photo(background, setting.page, setting.edition.pictures, setting.profile, recto)
        x, y, width, height = photo.box
        frame = Frame(width, height, (replace(photo, box=(0.0, 0.0, width, height)),))
        yield Placed(f"background-{self.side.value}", frame, x, y)
        boards = (_rimmed(item.box) for item in self._shapes if isinstance(item, Placed))
        words = [_rimmed(text_box(run)) for run in self._texts]
        yield Rects(tuple(_with_words(board, words) for board in boards), PAPER)

    def _put_border(self) -> None:
        border, theme, area = self.setting.page.border, self.setting.theme, self._printable
        if border is Border.NONE:
            return
        weights = [theme.grid.outer_pt, theme.grid.inner_pt][: 2 if border is Border.DOUBLE else 1]
        self.put_frame(area, weights)

    def put_frame(self, area: Area, weights: Iterable[float]) -> None:
        """Draw a border of one or more lines inside an area, along its edges.

        Args:
            area: the area.
            weights: the widths of the lines in points, beginning with the outermost line.
        """
        inset = 0.0
        for weight in weights:
            x, y = area.x + inset + weight / 2, area.y + inset + weight / 2
            right, top = area.right - inset - weight / 2, area.top - inset - weight / 2
            corners = ((x, y), (right, y), (right, top), (x, top))
            self._shapes.append(Polyline(corners, weight, self.setting.theme.accent, closed=True))
            inset += weight + BORDER_GAP_PT


def text_regions(items: Iterable[Item], part: KeyPath) -> list[Region]:
    """Return the areas of all texts that come from the spec, with one area for each spec key.

    Args:
        part: the key of the part of the book that the items belong to.
    """
    areas: dict[str, Area] = {}
    for run in items:
        if isinstance(run, TextRun) and run.where and key_path(run.where)[0] in BookSpec.model_fields:
            area = Area(*text_box(run))
            areas[run.where] = areas.get(run.where, area).union(area)
    return [Region(area.box, key_path(where), Role.TEXT, part) for where, area in areas.items()]


def text_box(run: TextRun) -> Rect:
    return run.x, run.y - DESCENT * run.size_pt, run.width_pt, (ASCENT + DESCENT) * run.size_pt


def _rimmed(box: Rect) -> Rect:
    x, y, width, height = box
    return x - RIM_PT, y - RIM_PT, width + 2 * RIM_PT, height + 2 * RIM_PT


def _with_words(board: Rect, words: Sequence[Rect]) -> Rect:
    """Return the white rectangle behind a board, enlarged until it contains all text that touches it."""
    grown = board
    for x, y, width, height in words:
        left, low, right, top = grown[0], grown[1], grown[0] + grown[2], grown[1] + grown[3]
        if x < right and left < x + width and y < top and low < y + height:
            left, low = min(left, x), min(low, y)
            grown = left, low, max(right, x + width) - left, max(top, y + height) - low
    return grown if grown == board else _with_words(grown, words)


# Typesetting headings


def text_column(draft: PageDraft, size_pt: float | None = None) -> Area:
    """Return the area for text below a page heading. It is no wider than is comfortable to read.

    Args:
        size_pt: the type size of the text, or None for the theme's size of body text.
    """
    width = min(draft.live.width, COLUMN_EMS * (size_pt or draft.setting.theme.type.body))
    bottom = draft.content.y
    return Area(draft.live.x, bottom, width, heading_foot(draft) - bottom)


def page_heading(draft: PageDraft, text: str, where: str = "text", tag: Tag | None = None) -> float:
    """Typeset the heading on a part's first page. Return the height at which the text below it starts.

    Args:
        where: the heading's key in the spec, for error messages.
        tag: the structure element of the heading, or None to create an ``H1``.
    """
    size = draft.setting.theme.type.title
    rise = text_height(text, size, ASCENT * size, draft.setting.measure)
    point = (draft.live.x, draft.live.top - rise)
    tag = tag or draft.tag("H1")
    draft.text(text, point, size, strong=True, where=where, within=draft.live.width, tag=tag)
    weight = draft.setting.theme.grid.outer_pt
    y = draft.live.top - max(1.45 * size, rise + 0.5 * size)
    draft.add([Rects(((draft.live.x, y - weight, 36, weight),), draft.setting.theme.accent)])
    return heading_foot(draft)


def heading_foot(draft: PageDraft) -> float:
    return draft.live.top - 2.1 * draft.setting.theme.type.title


def set_opener(draft: PageDraft, name: str, first: str, facts: Sequence[str], where: str) -> float:
    """Typeset the text of an opening page, which precedes a level or the answers.

    Args:
        name: the heading.
        first: the line below the heading, which says which puzzles follow.
        facts: paragraphs of body text.
        where: the heading's key in the spec, for error messages.
    Returns:
        The baseline of the last line.
    """
    live, theme, scale = draft.live, draft.setting.theme, draft.setting.theme.type
    y = live.top - OPENER_TOP * live.height
    tag = draft.tag("H1")
    draft.text(name, (live.x, y), scale.display, strong=True, where=where, within=live.width, tag=tag)
    y -= 0.55 * scale.display
    draft.add([Rects(((live.x, y, 36, theme.grid.outer_pt),), theme.accent)])
    y -= 2.0 * scale.heading
    draft.text(first, (live.x, y), scale.heading, within=live.width)
    for fact in facts:
        lines = break_lines(text_block(fact, scale.body), live.width, draft.setting.measure)
        tag = draft.tag("P")
        for index, line in enumerate(lines):
            y -= (1.3 if index else 1.7) * scale.body
            draft.text(line.text, (live.x, y), scale.body, tag=tag)
    return y


def put_ornament(
    draft: PageDraft, solution: Solution, *, top: float, foot: float, inks: Sequence[Ink] = ()
) -> None:
    """Draw a solved board as an ornament between the heights ``top`` and ``foot``, if there is enough room.

    Args:
        inks: the colours of the lines. If empty, a theme with coloured dots gives the colours of its dots,
            and any other theme gives its accent colour.
    """
    theme = draft.setting.theme
    inks = inks or (theme.numbers.palette if theme.numbers.is_dots else (theme.accent,))
    grid = solution.puzzle.grid
    cell = ORNAMENT_WIDTH * draft.live.width / grid.cols
    cell = min(cell, 0.8 * (top - foot) / grid.rows)
    if cell < ORNAMENT_LEAST_PT:
        return
    x = draft.live.centre - cell * grid.cols / 2
    y = foot + (top - foot - cell * grid.rows) * 0.5
    draft.add(path_ornament(solution, cell, (x, y), inks, grey(0.4)))


@dataclass(frozen=True)
class Part(ABC):
    """Pages of a book that belong together, such as all pages of a level.

    Pages refer to each other by page number. Therefore the page counts of all parts must be known before any
    page is composed. A part first counts its pages. It composes them after all pages of the book have
    numbers.

    By default a part has one page, which may be a right-hand or a left-hand page and has no link target.

    Attributes:
        place: the name of the link target on the part's first page, or an empty string.
        recto: whether the part must begin on a right-hand page.
        one_sided: whether the back of each page stays empty.
        count: the number of pages, without the empty backs.
    """

    place = ""

    setting: Setting

    @property
    def recto(self) -> bool:
        return False

    @property
    def one_sided(self) -> bool:
        return False

    @property
    def count(self) -> int:
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """Return the page number of each link target in the part, by the target's name.

        Args:
            numbers: the page numbers of the part's pages.
        """
        return {self.place: numbers[0]} if self.place else {}

    @abstractmethod
    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page] | PageRun:
        """Compose the part's pages.

        Args:
            numbers: the page numbers of the part's pages.
            index: the page number of every link target in the book.
        Raises:
            LayoutError: some content doesn't fit its page, or a font lacks a character.
        """


class PageRun:
    """Pages of a part that can be composed independently. Each page is composed when it is first needed.

    Args:
        numbers: the page numbers of the pages.
        compose: a function that composes a page. Its arguments are the index of the page in the part and the
            page number.
        layouts: a value for each page. Pages with the same layout have the same value. None means that every
            page has a different layout.
    """

    def __init__(
        self,
        numbers: Sequence[int],
        compose: Callable[[int, int], Page],
        layouts: Iterable[Hashable] | None = None,
    ) -> None:
        self._index_of = {number: index for index, number in enumerate(numbers)}
        self._compose = cache(compose)
        by_layout = defaultdict[Hashable, list[int]](list)
        for number, layout in zip(numbers, numbers if layouts is None else layouts, strict=True):
            by_layout[layout].append(number)
        # The sample has the first two pages and the last page with each layout. The last page is included
        # because its page number and its puzzle numbers are the longest.
        self.sample = sorted({number for alike in by_layout.values() for number in (*alike[:2], alike[-1])})

    def get(self, number: int) -> Page | None:
        """Return the page with the given page number, or None if the part leaves this page blank."""
        return self._compose(self._index_of[number], number) if number in self._index_of else None


def page_run(part: Part, numbers: Sequence[int], index: Index) -> PageRun:
    """Return the pages of a part.

    If the part can compose its pages independently, a page is composed when it is first needed. Otherwise all
    pages are composed immediately.
    """
    pages = part.compose(numbers, index)
    if isinstance(pages, PageRun):
        return pages
    by_number = {page.number: page for page in pages}
    return PageRun(list(by_number), lambda _, number: by_number[number])


def text_pages(
    part: Part,
    kind: str,
    title: str,
    columns: Columns,
    numbers: Sequence[int],
    where: str = "text",
    ornament: Solution | None = None,
) -> Iterator[Page]:
    """Yield pages of running text. If there is a title, it becomes a heading on the first page.

    Args:
        kind: the kind of the pages, such as ``matter``.
        columns: the text of each page, placed as on a right-hand page. On a left-hand page, it is moved to
            the left edge of the area inside the margins.
        where: the title's key in the spec, for error messages.
        ornament: a solved board to draw below the last page's text if there is room, or None for no ornament.
    """
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
        if ornament is not None and index == len(columns) - 1:
            put_ornament(draft, ornament, top=lowest_of(items), foot=draft.content.y)
        yield draft.page(kind, title, where.removesuffix(".title") if kind == "matter" else "")


def lowest_of(blocks: Iterable[Iterable[Movable]]) -> float:
    return min(item.y for block in blocks for item in block)
