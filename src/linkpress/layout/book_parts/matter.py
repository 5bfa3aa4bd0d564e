"""Front and back pages of a book: title page, copyright page, contents, the publisher's own pages, notes.

The edition for screens also has the book's cover as its first page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from linkpress.book.printing_keys import MatterSpec
from linkpress.errors import LayoutError
from linkpress.layout.book_parts import PageRun, Part, text_pages
from linkpress.layout.frame import (
    ARTIFACT,
    BLACK,
    Anchor,
    Area,
    Discs,
    FontKey,
    Frame,
    Lines,
    Page,
    Placed,
    Rects,
    Tag,
)
from linkpress.layout.markdown import TextRoom, markdown_blocks
from linkpress.layout.measure import clear_leading
from linkpress.layout.page_draft import (
    CONTENTS_PLACE,
    DESCENT,
    LEAST_FILLED,
    NOTES_PLACE,
    Index,
    PageDraft,
    heading_foot,
    page_heading,
    put_ornament,
    text_column,
)
from linkpress.layout.text_flow import Block, Columns, Lettering, Text, break_lines, flow, with_clear_lines
from linkpress.puzzle.puzzle import Solution

NO_BREAK = "\u00a0"
SEPARATOR = " · "  # Separator between the facts in the copyright page's line about how the book was made.
TITLE_TOP = 0.17  # space above the title on the title page, as a fraction of the live area's height

# Maximum height of a text on the title page, as a fraction of the height that is still free.
TITLE_SHARE = 0.55
LEADING = 1.15  # distance between baselines on the title page, as a multiple of the type size
ENTRY_LEADING = 2.3  # minimum distance between two entries of the contents, as a multiple of the type size
COPYRIGHT_EMS = 34.0  # maximum width of the copyright page's text, as a multiple of the type size

# Distance and radius, in points, of the dots that lead to the page numbers in the table of contents.
DOT_PITCH_PT, DOT_RADIUS_PT = 6.0, 0.55
NOTE_LINE_PT = 22.0  # distance in points between two ruled lines on pages for notes, enough for handwriting


@dataclass(frozen=True)
class CoverPart(Part):
    """First page of the edition for screens, which shows the book's cover."""

    cover: Frame

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        title = Tag("Figure", alt=self.setting.spec.title)
        cover = Placed("cover", self.cover, 0.0, 0.0, tag=title)
        frame = Frame(self.cover.width_pt, self.cover.height_pt, (cover,))
        yield Page(frame, numbers[0], "cover", tags=(title,))


@dataclass(frozen=True)
class TitlePart(Part):
    """Title page: title, subtitle and volume, an ornament, and author and publisher at the bottom."""

    recto = True

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        setting = self.setting
        draft = PageDraft(setting, numbers[0])
        spec, scale = self.setting.spec, setting.theme.type
        draft.target("title", draft.live.top, spec.title)
        tags = {key: draft.tag("P" if key != "title" else "H1") for key in ("title", "subtitle", "volume")}
        foot = self._put_names(draft)
        y = draft.live.top - TITLE_TOP * draft.live.height
        ink, *inks = self.setting.edition.title_inks or (BLACK, setting.theme.accent)
        title = Lettering(setting.measure, ink, "title", FontKey.SEMIBOLD, tags["title"])
        y = put_centred(draft, title, spec.title, scale.display, top=y, foot=foot)
        weight = setting.theme.grid.outer_pt
        draft.add([Rects(((draft.live.centre - 24, y - 7 - weight, 48, weight),), inks[0])])
        y -= 7 + 1.2 * scale.heading
        if spec.subtitle:
            subtitle = Lettering(setting.measure, BLACK, "subtitle", tag=tags["subtitle"])
            y = put_centred(draft, subtitle, spec.subtitle, scale.heading, top=y, foot=foot)
        if spec.volume is not None:
            volume = setting.words.say(setting.words.volume, number=str(spec.volume))
            lettering = Lettering(setting.measure, BLACK, "volume", FontKey.SEMIBOLD, tags["volume"])
            y -= 0.4 * scale.heading
            y = put_centred(draft, lettering, volume, scale.heading, top=y, foot=foot)
        put_ornament(draft, setting.edition.puzzles[0].record.solution, top=y, foot=foot, inks=inks)
        yield draft.page("title")

    def _put_names(self, draft: PageDraft) -> float:
        """Typeset publisher and author at the bottom of the page. Return the height of their upper edge."""
        spec, scale, live = self.setting.spec, self.setting.theme.type, draft.live
        y = live.y + DESCENT * (scale.caption if spec.publisher else scale.heading)
        middle, width = Anchor.MIDDLE, live.width
        if spec.publisher:
            point = (live.centre, y)
            draft.text(spec.publisher, point, scale.caption, anchor=middle, where="publisher", within=width)
            y += 2.2 * scale.heading
        if spec.author:
            point, size = (live.centre, y), scale.heading
            draft.text(spec.author, point, size, strong=True, anchor=middle, where="author", within=width)
            y += size
        return y


def put_centred(
    draft: PageDraft, lettering: Lettering, text: str, size_pt: float, *, top: float, foot: float
) -> float:
    """Typeset centred lines of text between the heights ``top`` and ``foot``.

    Return the height of their lower edge.

    If the text would be too wide or too tall, it is set in smaller type.

    Args:
        text: the text to set.
        size_pt: the preferred type size in points.
        top, foot: the limits of the available space, as heights above the bottom edge of the page in points.
    Raises:
        LayoutError: the text is too long even in the type size of captions.
    """
    measure, least = draft.setting.measure, draft.setting.theme.type.caption
    widest = 0.98 * draft.live.width / max(lettering.widest_word(text), 0.01)
    size = max(least, min(size_pt, widest))
    leading = clear_leading(text, 1.0, LEADING, measure)
    lines = lettering.display(text, draft.live.width, size)
    while len(lines) * leading * size > TITLE_SHARE * (top - foot) and size > least:
        size = max(0.9 * size, least)
        lines = lettering.display(text, draft.live.width, size)
    if len(lines) * leading * size > top - foot:
        raise LayoutError(f"{text[:60]!r} is too long for its page. Shorten it.", lettering.where)
    for line in lines:
        top -= leading * size
        draft.add([lettering.set(line, (draft.live.centre, top + 0.25 * size), size, Anchor.MIDDLE)])
    return top


class Paragraph(NamedTuple):
    """Paragraph of the copyright page.

    ``before`` is the space above the paragraph as a multiple of the type size. ``where`` is the key in the
    spec that gives its text.
    """

    text: str
    strong: bool = False
    before: float = 0.9
    where: str = "text"


@dataclass(frozen=True)
class CopyrightPart(Part):
    """Copyright page with the imprint, the promise of unique solutions, and optionally the colophon.

    The colophon says which version of linkpress made the book, and identifies the build.

    A book may have its colophon on the last page. Such a book has two parts of this class: the first has only
    the imprint, the second only the colophon.
    """

    imprint: bool = True
    colophon: bool = False

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        setting = self.setting
        draft = PageDraft(setting, numbers[0])
        size, live = setting.theme.type.caption, draft.live
        width = min(live.width, COPYRIGHT_EMS * size)

        def count_lines(block: Block) -> int:
            return len(break_lines(block, width, setting.measure))

        def block_of(paragraph: Paragraph) -> Block:
            before_pt = paragraph.before * size
            spans = (Text(paragraph.text, paragraph.strong),)
            block = Block(spans, size, 1.4 * size, before_pt=before_pt, where=paragraph.where)
            return with_clear_lines(block, setting.measure)

        blocks = []
        for paragraph in self.paragraphs():
            block = block_of(paragraph)
            facts = paragraph.text.split(SEPARATOR) if paragraph.where == "text" else []
            if len(facts) > 1 and count_lines(block) > 1:
                # Put each fact on a line of its own, so that no line ends in a separator.
                blocks.append(block_of(paragraph._replace(text=facts[0])))
                blocks += [block_of(paragraph._replace(text=fact, before=0.0)) for fact in facts[1:]]
            else:
                blocks.append(block)
        height = sum(block.before_pt + block.leading_pt * count_lines(block) for block in blocks)
        if height > live.height:
            raise LayoutError(
                "the copyright page overflows: shorten copyright, subtitle or publisher, write "
                "`parts: {colophon: end}`, lower the theme's type.caption, or choose a larger page.trim.",
                "copyright",
            )
        foot = Area(live.x, live.y, width, height)  # by custom, the text is at the bottom of the page
        for items in flow(blocks, foot, setting.measure)[0]:
            draft.add(items)
        yield draft.page("copyright" if self.imprint else "colophon")

    def paragraphs(self) -> Iterator[Paragraph]:
        if self.imprint:
            yield from self._imprint()
        if self.colophon:
            yield from self._colophon()

    def _imprint(self) -> Iterator[Paragraph]:
        spec, words = self.setting.spec, self.setting.words
        yield Paragraph(spec.title, strong=True, before=0.0, where="title")
        if spec.subtitle:
            yield Paragraph(spec.subtitle, before=0.0, where="subtitle")
        if spec.volume is not None:
            yield Paragraph(words.say(words.volume, number=str(spec.volume)), before=0.0, where="volume")
        yield from self._rights()
        if spec.publisher:
            yield Paragraph(words.say(words.published_by, publisher=spec.publisher), where="publisher")
        before = 0.9
        for fact, where in (
            (spec.edition, "edition"),
            (spec.date and words.write(spec.date), "date"),
            (spec.isbn and words.say(words.isbn, isbn=spec.isbn), "isbn"),
        ):
            if fact:
                yield Paragraph(fact, before=before, where=where)
                before = 0.0
        yield Paragraph(words.promise)

    def _rights(self) -> Iterator[Paragraph]:
        spec, words = self.setting.spec, self.setting.words
        if spec.copyright:
            yield Paragraph(spec.copyright, where="copyright")
        elif holder := spec.author or spec.publisher:
            year = "" if spec.year is None else str(spec.year)
            line = words.say(words.rights, year=year, holder=holder).replace("  ", " ")
            yield Paragraph(line, where="author")
        else:
            return
        yield Paragraph(words.all_rights, before=0.0)

    def _colophon(self) -> Iterator[Paragraph]:
        words, edition = self.setting.words, self.setting.edition
        facts = [words.say(words.made_with, version=edition.version)] if edition.version else []
        if edition.build:
            facts.append(words.say(words.build, build=edition.build).replace(" ", NO_BREAK))
        if facts:
            yield Paragraph(SEPARATOR.join(facts), before=0.9 if self.imprint else 0.0)


@dataclass(frozen=True)
class ContentsEntry:
    """Entry in the table of contents.

    Args:
        detail: additional information, such as the range of puzzle numbers, or an empty string.
        place: the link target whose page number is shown.
        where: the title's key in the spec, for error messages.
    """

    title: str
    detail: str
    place: str
    where: str = "contents"


@dataclass(frozen=True)
class ContentsPart(Part):
    place = CONTENTS_PLACE
    recto = True

    entries: tuple[ContentsEntry, ...]

    @property
    def count(self) -> int:
        return -(-len(self.entries) // self._per_page(PageDraft(self.setting, 1)))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        setting, whole = self.setting, Tag("TOC")
        for place, number in enumerate(numbers):
            draft = PageDraft(setting, number)
            per_page = self._per_page(draft)
            if place == 0:
                draft.target(CONTENTS_PLACE, draft.live.top, setting.words.contents)
            y = page_heading(draft, setting.words.contents, tag=ARTIFACT if place else None)
            pitch, detail_x = self._pitch(draft), self._detail_x(draft)
            for entry in self.entries[place * per_page : (place + 1) * per_page]:
                y -= pitch
                tag = draft.tag("Link", Tag("Reference", Tag("TOCI", whole)))
                self._put_entry(draft, entry, y, detail_x, index[entry.place], tag)
            draft.furnish()
            yield draft.page("contents", setting.words.contents)

    def _pitch(self, draft: PageDraft) -> float:
        """Return the distance in points between two entries of the contents.

        If there are few entries, the distance grows, so that the page doesn't look empty.
        """
        heading_pt = draft.content.top - heading_foot(draft)
        spread = (LEAST_FILLED * draft.content.height - heading_pt) / len(self.entries)
        return max(ENTRY_LEADING * self.setting.theme.type.number, spread)

    def _per_page(self, draft: PageDraft) -> int:
        return max(1, int((heading_foot(draft) - draft.content.y) / self._pitch(draft)))

    def _detail_x(self, draft: PageDraft) -> float:
        """Return the left edge of the details, such as puzzle numbers, in the table of contents.

        All entries have the same edge. It is to the right of all titles, except very long titles that reach
        the middle of the page.
        """
        scale, measure = self.setting.theme.type, self.setting.measure
        ends = [
            draft.live.x + measure.width(entry.title, FontKey.SEMIBOLD, scale.number) + 1.2 * scale.number
            for entry in self.entries
            if entry.detail
        ]
        return max((end for end in ends if end < draft.live.centre), default=draft.live.centre)

    def _put_entry(
        self, draft: PageDraft, entry: ContentsEntry, y: float, detail_x: float, page: int, tag: Tag | None
    ) -> None:
        scale, measure, live = self.setting.theme.type, self.setting.measure, draft.live
        dots_end = live.right - measure.width("888", FontKey.REGULAR, scale.number)
        title = draft.text(
            entry.title,
            (live.x, y),
            scale.number,
            strong=True,
            where=entry.where,
            within=dots_end - live.x - 2 * DOT_PITCH_PT,
            tag=tag,
        )
        end = title.x + title.width_pt
        if entry.detail and end < detail_x:
            width = measure.width(entry.detail, FontKey.REGULAR, scale.caption)
            if detail_x + width < dots_end - 4 * DOT_PITCH_PT:
                draft.text(entry.detail, (detail_x, y), scale.caption, where=entry.where, tag=tag)
                end = detail_x + width
        draft.text(str(page), (live.right, y), scale.number, anchor=Anchor.END, tag=tag)
        self._put_dots(draft, end + 8, dots_end - 4, y)
        draft.link_area((live.x, y - 4, live.width, scale.number + 4), entry.place, tag)

    def _put_dots(self, draft: PageDraft, left: float, right: float, y: float) -> None:
        """Draw the row of dots that leads to a page number, between the positions ``left`` and ``right``.

        The dots of all entries are aligned vertically.
        """
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
    """Pages of the publisher's own text, such as a foreword, before the levels or after the answers.

    Args:
        matter: the title and text of the pages.
        where: the text's key in the spec, for error messages.
        place: the name of the link target on the first page, or an empty string.
        ornament: a solved board to draw below the text if there is room, or None for no ornament.
    """

    matter: MatterSpec
    where: str
    place: str = ""
    ornament: Solution | None = None

    @property
    def count(self) -> int:
        return len(self._columns)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        where, title = self._key("title"), self.matter.title or ""
        return text_pages(self, "matter", title, self._columns, numbers, where, self.ornament)

    def _key(self, name: str) -> str:
        """Return the spec key of these pages' title or text, for error messages.

        Pages from the spec's key ``parts`` have no separate keys for title and text. Their own key is
        returned.

        Args:
            name: ``title`` or ``text``.
        """
        return f"{self.where}.{name}" if self.where.endswith("]") else self.where

    @cached_property
    def _columns(self) -> Columns:
        setting = self.setting
        draft = PageDraft(setting, 1)
        area = text_column(draft)
        if not self.matter.title:
            area = Area(area.x, area.y, area.width, draft.live.top - area.y)
        room = TextRoom(setting.theme.type, setting.measure, area.width, area.height, setting=setting)
        return flow(markdown_blocks(self.matter.text, room, self._key("text")), area, setting.measure)


def note_lines(draft: PageDraft, area: Area) -> Lines:
    """Return ruled lines for handwriting that fill an area from the top down."""
    count = int(area.height / NOTE_LINE_PT)
    heights = [area.top - step * NOTE_LINE_PT for step in range(1, count + 1)]
    return Lines(tuple((area.x, y, area.right, y) for y in heights), draft.setting.theme.rule_pt)


@dataclass(frozen=True)
class NotesPart(Part):
    """Ruled pages for notes at the end of the book."""

    place = NOTES_PLACE

    @property
    def count(self) -> int:
        return self.setting.spec.notes_pages

    def compose(self, numbers: Sequence[int], index: Index) -> PageRun:
        return PageRun(numbers, self._page, (bool(place) for place in range(len(numbers))))

    def _page(self, place: int, number: int) -> Page:
        setting, draft = self.setting, PageDraft(self.setting, number)
        top = draft.content.top
        if place == 0:
            draft.target(NOTES_PLACE, draft.live.top, setting.words.notes)
            page_heading(draft, setting.words.notes)
            top = heading_foot(draft)
        draft.furnish(head=setting.words.notes if place else "")
        area = draft.content
        draft.add([note_lines(draft, Area(area.x, area.y, area.width, top - area.y))])
        return draft.page("notes", setting.words.notes)
