"""Front and back matter is all the pages that have neither rules nor boards.

These are the title page, the copyright page, the contents, the publisher's own text, and pages for notes; in
a book for screens the cover, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from linkpress.book.printing_keys import MatterSpec, SolutionsPlace
from linkpress.errors import LayoutError
from linkpress.layout.boards.ornaments import path_ornament, worked_example
from linkpress.layout.edition import CONTENTS_PLACE, NOTES_PLACE, Edition, Index, Part
from linkpress.layout.frame import BLACK, Anchor, Area, Discs, FontKey, Frame, Ink, Lines, Page, Rects, grey
from linkpress.layout.lettering import Lettering
from linkpress.layout.markdown import TextRoom, markdown_blocks
from linkpress.layout.measure import clear_leading
from linkpress.layout.page_draft import (
    DESCENT,
    PageDraft,
    heading_foot,
    page_heading,
    text_column,
    text_pages,
)
from linkpress.layout.text_flow import Block, Movable, Text, break_lines, flow, with_clear_lines

NO_BREAK = "\u00a0"
JOINED = " · "  # stands between the facts of a colophon
TITLE_TOP = 0.17  # of the live area's height, above the first line of the title
TITLE_SHARE = 0.55  # of the height left on the page, for one text
LEADING = 1.15
ORNAMENT_WIDTH = 0.42  # of the live area's width
COPYRIGHT_EMS = 34.0  # the column of the copyright page
ORNAMENT_LEAST_PT = 6.0  # of its squares; with less room there is none
DOT_PITCH_PT, DOT_RADIUS_PT = 6.0, 0.55  # of the dots between an entry of the contents and its page
NOTE_LINE_PT = 22.0  # from rule to rule: room for handwriting


@dataclass(frozen=True)
class CoverPart(Part):
    """The cover is the first page of a book for screens."""

    cover: Frame

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """Compose the page."""
        yield Page(self.cover, numbers[0], "cover")


@dataclass(frozen=True)
class TitlePart(Part):
    """The title page has title, subtitle and volume above, an ornament, author and publisher below."""

    recto = True
    edition: Edition

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """Compose the page."""
        setting = self.setting
        draft = PageDraft(setting, numbers[0])
        spec, scale = self.edition.spec, setting.theme.type
        draft.target("title", draft.live.top, spec.title)
        foot = self._names(draft)
        y = draft.live.top - TITLE_TOP * draft.live.height
        ink, *inks = self.edition.title_inks or (BLACK, setting.theme.accent)
        title = Lettering(setting.measure, ink, "title", FontKey.SEMIBOLD)
        y = _centred(draft, title, spec.title, scale.display, y, foot)
        weight = setting.theme.grid.outer_pt
        draft.add([Rects(((draft.live.centre - 24, y - 7 - weight, 48, weight),), inks[0])])
        y -= 7 + 1.2 * scale.heading
        if spec.subtitle:
            subtitle = Lettering(setting.measure, BLACK, "subtitle")
            y = _centred(draft, subtitle, spec.subtitle, scale.heading, y, foot)
        if spec.volume is not None:
            volume = setting.words.say(setting.words.volume, number=str(spec.volume))
            lettering = Lettering(setting.measure, BLACK, "volume", FontKey.SEMIBOLD)
            y -= 0.4 * scale.heading
            y = _centred(draft, lettering, volume, scale.heading, y, foot)
        self._ornament(draft, y, foot, inks)
        yield draft.page("title")

    def _names(self, draft: PageDraft) -> float:
        spec, scale = self.edition.spec, self.setting.theme.type
        y, room, centre, middle = draft.live.y, draft.live.width, draft.live.centre, Anchor.MIDDLE
        y += DESCENT * (scale.caption if spec.publisher else scale.heading)
        if spec.publisher:
            point = (centre, y)
            draft.text(spec.publisher, point, scale.caption, anchor=middle, where="publisher", within=room)
            y += 2.2 * scale.heading
        if spec.author:
            point, size = (centre, y), scale.heading
            draft.text(spec.author, point, size, strong=True, anchor=middle, where="author", within=room)
            y += scale.heading
        return y

    def _ornament(self, draft: PageDraft, top: float, foot: float, inks: Sequence[Ink]) -> None:
        solution = worked_example(self.edition.has_solids)
        grid = solution.puzzle.grid
        cell = ORNAMENT_WIDTH * draft.live.width / grid.cols
        cell = min(cell, 0.8 * (top - foot) / grid.rows)
        if cell < ORNAMENT_LEAST_PT:
            return
        x = draft.live.centre - cell * grid.cols / 2
        y = foot + (top - foot - cell * grid.rows) * 0.5
        draft.add(path_ornament(solution, cell, (x, y), inks, grey(0.4)))


def _centred(
    draft: PageDraft, lettering: Lettering, text: str, size_pt: float, top: float, foot: float
) -> float:
    """Centre lines from a height down, smaller where they are long; return the height below them."""
    measure, least = draft.setting.measure, draft.setting.theme.type.caption
    widest = 0.98 * draft.live.width / max(lettering.widest_word(text), 0.01)
    size = max(least, min(size_pt, widest))
    leading = clear_leading(text, 1.0, LEADING, measure)
    lines = lettering.display(text, draft.live.width, size)
    while len(lines) * leading * size > TITLE_SHARE * (top - foot) and size > least:
        size = max(0.9 * size, least)
        lines = lettering.display(text, draft.live.width, size)
    if len(lines) * leading * size > top - foot:
        raise LayoutError(f"{text[:60]!r} is too long for the title page. Shorten it.", lettering.where)
    for line in lines:
        top -= leading * size
        draft.add([lettering.set(line, (draft.live.centre, top + 0.25 * size), size, Anchor.MIDDLE)])
    return top


@dataclass(frozen=True)
class CopyrightPart(Part):
    """The copyright page says what a library, a reader or a printer asks, and how the book was made."""

    edition: Edition
    imprint: bool = True
    colophon: bool = True

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """Compose the page, its text at the foot as is the custom; raise ``LayoutError`` if it takes more."""
        setting = self.setting
        draft = PageDraft(setting, numbers[0])
        size = setting.theme.type.caption
        live = draft.live
        area = Area(live.x, live.y, min(live.width, COPYRIGHT_EMS * size), live.height)

        def lines(block: Block) -> int:
            return len(break_lines(block, area.width, setting.measure))

        def block(line: str, strong: bool, before: float, where: str) -> Block:
            text = Block((Text(line, strong),), size, 1.4 * size, before_pt=before * size, where=where)
            return with_clear_lines(text, setting.measure)

        blocks = []
        for line, strong, before, where in self.paragraphs():
            parts = [block(line, strong, before, where)]
            if JOINED in line and where == "text" and lines(parts[0]) > 1:
                first, *others = line.split(JOINED)  # no line ends in a dot that joins nothing
                parts = [block(first, strong, before, where)]
                parts += [block(part, strong, 0.0, where) for part in others]
            blocks.extend(parts)
        height = sum(block.before_pt + block.leading_pt * lines(block) for block in blocks)
        if height > area.height:
            raise LayoutError(
                "the copyright page overflows: shorten copyright, subtitle or publisher, write "
                "`parts: {colophon: end}`, lower the theme's type.caption, or choose a larger page.trim.",
                "copyright",
            )
        low = Area(area.x, area.y, area.width, height)
        for items in flow(blocks, low, setting.measure)[0]:
            draft.add(items)
        yield draft.page("copyright" if self.imprint else "colophon")

    def paragraphs(self) -> Iterator[tuple[str, bool, float, str]]:
        """Yield each paragraph with its weight, the space before it in ems, and the spec's key."""
        if self.imprint:
            yield from self._imprint()
        if self.colophon:
            yield from self._colophon()

    def _colophon(self) -> Iterator[tuple[str, bool, float, str]]:
        words, spec = self.setting.words, self.edition.spec
        rules = {puzzle.record.rule for puzzle in self.edition.puzzles}
        at_the_back = spec.solutions.place is SolutionsPlace.BACK
        yield words.promise(rules, at_the_back), False, 0.9 if self.imprint else 0.0, "text"
        version, build = self.edition.version, self.edition.build
        making = [words.say(words.made_with, version=version)] if version else []
        if build:
            making.append(words.say(words.build, build=build).replace(" ", NO_BREAK))
        if making:
            yield JOINED.join(making), False, 0.9, "text"

    def _imprint(self) -> Iterator[tuple[str, bool, float, str]]:
        spec, words = self.edition.spec, self.setting.words
        yield spec.title, True, 0.0, "title"
        if spec.subtitle:
            yield spec.subtitle, False, 0.0, "subtitle"
        if spec.volume is not None:
            yield words.say(words.volume, number=str(spec.volume)), False, 0.0, "volume"
        yield from self._rights()
        if spec.publisher:
            yield words.say(words.published_by, publisher=spec.publisher), False, 0.9, "publisher"
        before = 0.9
        for fact, where in (
            (spec.edition, "edition"),
            (spec.date and words.write(spec.date), "date"),
            (spec.isbn and words.say(words.isbn, isbn=spec.isbn), "isbn"),
        ):
            if fact:
                yield fact, False, before, where
                before = 0.0

    def _rights(self) -> Iterator[tuple[str, bool, float, str]]:
        spec, words = self.edition.spec, self.setting.words
        if spec.copyright:
            yield spec.copyright, False, 0.9, "copyright"
        elif holder := spec.author or spec.publisher:
            year = "" if spec.year is None else str(spec.year)
            line = words.say(words.rights, year=year, holder=holder).replace("  ", " ")
            yield line, False, 0.9, "author"
        else:
            return
        yield words.all_rights, False, 0.0, "text"


@dataclass(frozen=True)
class ContentsEntry:
    """A line of the contents leads to a place."""

    title: str
    detail: str
    place: str
    where: str = "contents"


@dataclass(frozen=True)
class ContentsPart(Part):
    """The contents lead to pages by their numbers."""

    place = CONTENTS_PLACE
    recto = True

    entries: tuple[ContentsEntry, ...]

    @property
    def count(self) -> int:
        """Return as many pages as the entries need."""
        return -(-len(self.entries) // self._per_page(PageDraft(self.setting, 1)))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        setting = self.setting
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            per_page = self._per_page(draft)
            if place == 0:
                draft.target(CONTENTS_PLACE, draft.live.top, setting.words.contents)
            y = page_heading(draft, setting.words.contents)
            detail_x = self._detail_x(draft)
            for entry in self.entries[place * per_page : (place + 1) * per_page]:
                y -= self._pitch(draft)
                self._entry(draft, entry, y, detail_x, index[entry.place])
            draft.furnish()
            yield draft.page("contents", setting.words.contents)

    def _pitch(self, draft: PageDraft) -> float:
        return 2.3 * draft.setting.theme.type.number

    def _per_page(self, draft: PageDraft) -> int:
        return max(1, int((heading_foot(draft) - draft.content.y) / self._pitch(draft)))

    def _detail_x(self, draft: PageDraft) -> float:
        """Return one left edge for all details, right of the longest title that leaves room for them."""
        scale, measure = draft.setting.theme.type, draft.setting.measure
        ends = [
            draft.live.x + measure.width(entry.title, FontKey.SEMIBOLD, scale.number) + 1.2 * scale.number
            for entry in self.entries
            if entry.detail
        ]
        return max((end for end in ends if end < draft.live.centre), default=draft.live.centre)

    def _entry(self, draft: PageDraft, entry: ContentsEntry, y: float, detail_x: float, page: int) -> None:
        scale, measure = draft.setting.theme.type, draft.setting.measure
        right = draft.live.right
        widest = right - measure.width("888", FontKey.REGULAR, scale.number)
        room = widest - draft.live.x - 2 * DOT_PITCH_PT
        title = draft.text(
            entry.title, (draft.live.x, y), scale.number, strong=True, where=entry.where, within=room
        )
        end = title.x + title.width_pt
        if entry.detail and end < detail_x:
            width = measure.width(entry.detail, FontKey.REGULAR, scale.caption)
            if detail_x + width < widest - 4 * DOT_PITCH_PT:
                draft.text(entry.detail, (detail_x, y), scale.caption, where=entry.where)
                end = detail_x + width
        draft.text(str(page), (right, y), scale.number, anchor=Anchor.END)
        self._leader(draft, end + 8, widest - 4, y)
        draft.link_area((draft.live.x, y - 4, draft.live.width, scale.number + 4), entry.place)

    def _leader(self, draft: PageDraft, left: float, right: float, y: float) -> None:
        """Draw dots on one raster for the whole page, so that they stand under one another."""
        first = -(-(left - draft.live.x) // DOT_PITCH_PT)
        last = (right - draft.live.x) // DOT_PITCH_PT
        dots = [
            (draft.live.x + step * DOT_PITCH_PT, y + DOT_RADIUS_PT)
            for step in range(int(first), int(last) + 1)
        ]
        if dots:
            draft.add([Discs(tuple(dots), DOT_RADIUS_PT)])


@dataclass(frozen=True)
class OwnPagesPart(Part):
    """The publisher's own text stands before the levels or after the answers, perhaps with a heading."""

    matter: MatterSpec
    where: str
    place: str = ""

    @property
    def count(self) -> int:
        """Return as many pages as the text needs."""
        return len(self._columns)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        return text_pages(self, "matter", self.matter.title or "", self._columns, numbers, self.where)

    @cached_property
    def _columns(self) -> list[list[tuple[Movable, ...]]]:
        setting = self.setting
        draft = PageDraft(setting, 1)
        area = text_column(draft)
        if not self.matter.title:
            area = Area(area.x, area.y, area.width, draft.live.top - area.y)
        room = TextRoom(setting.theme.type, setting.measure, area.width, area.height, setting=setting)
        return flow(markdown_blocks(self.matter.text, room, f"{self.where}.text"), area, setting.measure)


def note_lines(draft: PageDraft, area: Area) -> Lines:
    """Return rules for handwriting, from the top of an area down."""
    count = int(area.height / NOTE_LINE_PT)
    heights = [area.top - step * NOTE_LINE_PT for step in range(1, count + 1)]
    return Lines(tuple((area.x, y, area.right, y) for y in heights), draft.setting.theme.rule_pt)


@dataclass(frozen=True)
class NotesPart(Part):
    """Ruled pages for notes stand at the end."""

    place = NOTES_PLACE

    pages: int

    @property
    def count(self) -> int:
        """Return as many pages as were asked for."""
        return self.pages

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """Compose the pages."""
        setting = self.setting
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            top = draft.content.top
            if place == 0:
                draft.target(NOTES_PLACE, draft.live.top, setting.words.notes)
                page_heading(draft, setting.words.notes)
                top = heading_foot(draft)
            draft.furnish(head=setting.words.notes if place else "")
            area = draft.content
            draft.add([note_lines(draft, Area(area.x, area.y, area.width, top - area.y))])
            yield draft.page("notes", setting.words.notes)
