"""Pages before and after the puzzles: title, copyright, contents, how to play, notes, the publisher's own.

The edition for screens also has the book's cover as its first page. The how-to-play pages have the rules, a
worked example, and advice on where to begin. There are ready-made pages for the end of a book: texts, a
certificate, and checklists of all puzzles. A checklist has a star to colour for each puzzle, or a line on
which to write the puzzle's time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import NamedTuple

from linkpress.book.printing_keys import MatterKind, MatterSpec
from linkpress.book.spec import BookSpec, slug
from linkpress.errors import LayoutError
from linkpress.layout.boards import board_frame, cell_for_size, half_way, worked_example
from linkpress.layout.frame import (
    ARTIFACT,
    BLACK,
    Anchor,
    Area,
    Discs,
    FontKey,
    Frame,
    Join,
    Lines,
    Page,
    Placed,
    Polyline,
    Rects,
    Tag,
    TextRun,
    grey,
)
from linkpress.layout.markdown import TextRoom, markdown_blocks
from linkpress.layout.page_draft import (
    CERTIFICATE_PLACE,
    CONTENTS_PLACE,
    DESCENT,
    HOWTO_PLACE,
    LEAST_FILLED,
    NOTES_PLACE,
    TIMES_PLACE,
    Index,
    PageDraft,
    PageRun,
    Part,
    heading_foot,
    lowest_of,
    page_heading,
    put_ornament,
    text_column,
    text_pages,
)
from linkpress.layout.setting import Setting
from linkpress.layout.sheets import range_words
from linkpress.layout.text_flow import (
    LEADING,
    Block,
    Columns,
    Lettering,
    Movable,
    PictureRow,
    Text,
    break_lines,
    clear_leading,
    flow,
    heading_block,
    set_text,
    shifted,
    text_block,
    with_clear_lines,
)
from linkpress.layout.theme import SolutionStyle, Theme
from linkpress.puzzle.puzzle import Solution
from linkpress.words import Words

NO_BREAK = "\u00a0"
SEPARATOR = " · "  # Separator between the facts in the copyright page's line about how the book was made.

# Space above the title on the title page, as a fraction of the height inside the page's margins.
TITLE_TOP = 0.17

# Maximum height of a text on the title page, as a fraction of the height that is still free.
TITLE_SHARE = 0.55
TITLE_LEADING = 1.15  # distance between baselines on the title page, as a multiple of the type size

# Minimum distance between two entries of the table of contents, as a multiple of the type size.
ENTRY_LEADING = 2.3
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
    leading = clear_leading(text, 1.0, TITLE_LEADING, measure)
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

    ``before`` is the space above the paragraph as a multiple of the type size. ``where`` is the key of the
    spec that gives the paragraph's text.
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
        # By custom, the text of a copyright page is at the bottom.
        foot = Area(live.x, live.y, width, height)
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
        """Return the distance in points between two entries of the table of contents.

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


# Values for the layout of a dedication. SCALE is its type size, as a multiple of the size of other text.
# SIDE is the additional margin on each side, as a share of the width between the page's margins. ABOVE is the
# space above the dedication, as a share of the height that is free for text.
DEDICATION_SCALE = 1.4
DEDICATION_SIDE = 0.12
DEDICATION_ABOVE = 0.25


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
        """Return the spec key that sets the title or the text of a publisher's own pages, for error messages.

        Such pages are usually an entry of ``front`` or ``back``, which has the keys ``title`` and ``text``.
        Pages from the spec's key ``parts`` have no such keys. For these pages, the key of the whole part is
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
        scale, is_dedication = setting.theme.type, self.matter.kind is MatterKind.DEDICATION
        if is_dedication:
            scale = scale.model_copy(update={"body": DEDICATION_SCALE * scale.body})
            live, side = draft.live, DEDICATION_SIDE * draft.live.width
            height = (1 - DEDICATION_ABOVE) * area.height
            area = Area(live.x + side, area.y, live.width - 2 * side, height)
        room = TextRoom(scale, setting.measure, area.width, area.height, setting=setting)
        columns = flow(markdown_blocks(self.matter.markdown, room, self._key("text")), area, setting.measure)
        if is_dedication:
            return [[_centred(block, area) for block in column] for column in columns]
        return columns


def _centred(block: Sequence[Movable], area: Area) -> tuple[Movable, ...]:
    """Centre each line of text in a block horizontally in an area. Pictures and rules are not moved."""
    moved: list[Movable] = []
    for _, items in groupby(block, key=lambda item: item.y):
        line = list(items)
        runs = [item for item in line if isinstance(item, TextRun)]
        end = max((run.x + run.width_pt for run in runs), default=area.right)
        dx = (area.right - end + area.x - min(run.x for run in runs)) / 2 if runs else 0.0
        moved += (shifted(item, dx, 0.0) for item in line)
    return tuple(moved)


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


# Space above each tip and each of the game's rules, as a multiple of the type size.
ITEM_GAP = 0.45
EXAMPLE_GAP = 0.07  # gap between the example's three boards, as a fraction of the column width
LARGEST_CELL_PT = 30.0  # maximum width in points of a cell on the boards of the worked example

# Distance between the baselines of the example's captions, as a multiple of the type size.
CAPTION_LEADING = 1.25


@dataclass(frozen=True)
class HowtoPart(Part):
    """How-to-play pages.

    The pages only explain solid squares if a puzzle has some. But the page count is planned before the
    puzzles are made. So if the spec allows solid squares, the pages are counted with the text that explains
    them.
    """

    place = HOWTO_PLACE

    @cached_property
    def count(self) -> int:
        return len(self._columns_in(self._smallest_type, solids=self._may_have_solids))

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        title, columns = self.setting.words.how_to_play, self._columns
        return text_pages(self, "howto", title, columns, numbers[: len(columns)])

    @cached_property
    def _columns(self) -> Columns:
        """Return the rules of the game, in the largest type size in which they fit on one page.

        If they don't fit on one page even in the smallest type size, they get several pages in this size.
        """
        scale, solids = self.setting.theme.type, self.setting.has_solids
        for size in (scale.number, scale.body):
            columns = self._columns_in(size, solids=solids)
            if len(columns) <= 1 and size >= self._smallest_type:
                return columns
        return self._columns_in(self._smallest_type, solids=solids)

    @property
    def _may_have_solids(self) -> bool:
        levels = self.setting.spec.levels
        counts = (count for level in levels for count in map(level.solids_on, level.sizes))
        return self.setting.has_solids or any(count is None or count.high for count in counts)

    @cached_property
    def _smallest_type(self) -> float:
        """Return the smallest type size that may be used for the text of these pages.

        Usually, it is the type size of body text. It is the smaller type size of captions if the text fits on
        one page in that size, but not in the type size of body text.
        """
        scale = self.setting.theme.type
        saves = not self._fits_one_page(scale.body) and self._fits_one_page(scale.caption)
        return scale.caption if saves else scale.body

    def _fits_one_page(self, size: float) -> bool:
        return len(self._columns_in(size, solids=self._may_have_solids)) == 1

    def _columns_in(self, size: float, *, solids: bool) -> Columns:
        """Typeset the rules of the game, the example and the tips in the type size ``size``.

        Each page has one column of text. All columns are placed as on a right-hand page.
        """
        setting = self.setting
        blocks = [*_rules(setting, size, solids)]
        example = worked_example(setting.has_solids)
        blocks.append(_example(setting, size, PageDraft(setting, 1).live.width, example))
        blocks += _tips(setting, size)
        # In small type a line may have more characters than usual, because the column stays as wide as a
        # column of body text.
        column = text_column(PageDraft(setting, 1), max(size, setting.theme.type.body))
        return flow(blocks, column, setting.measure)


def _rules(setting: Setting, size: float, solids: bool) -> list[Block | PictureRow]:
    words, hang = setting.words, 1.6 * size
    intro = Block((Text(words.rules_intro, strong=True),), size, LEADING * size)
    rules = [
        text_block(rule, size, before_pt=ITEM_GAP * size, indent_pt=hang, hang_pt=hang, marker=str(number))
        for number, rule in enumerate(words.rules_solids if solids else words.rules, start=1)
    ]
    return [intro, *rules]


def _tips(setting: Setting, size: float) -> list[Block]:
    words, heading = setting.words, max(setting.theme.type.heading, 1.15 * size)
    tips = [
        text_block(tip, size, before_pt=ITEM_GAP * size, with_next=number < len(words.tips))
        for number, tip in enumerate(words.tips, start=1)
    ]
    return [heading_block(words.tips_title, heading, before_pt=1.7 * size), *tips]


def _example(setting: Setting, size: float, width: float, solution: Solution) -> PictureRow:
    """Draw the example's boards side by side with captions: unsolved, half solved and solved.

    If three boards would make the numbers too small, the half-solved board is left out.
    """
    puzzle, measure = solution.puzzle, setting.measure
    gap = EXAMPLE_GAP * width
    outline = setting.theme.grid.outer_pt
    states = {"puzzle": None, "half": half_way(solution), "solved": solution}
    texts = dict(zip(states, setting.words.example_captions, strict=True))
    cell = ((width - 2 * gap) / 3 - outline) / puzzle.grid.cols
    if cell < cell_for_size(setting.theme, measure, setting.min_text_pt):
        cell = ((width - gap) / 2 - outline) / puzzle.grid.cols
        del states["half"], texts["half"]
    cell = min(cell, LARGEST_CELL_PT)
    theme = theme_with_lines(setting.theme)
    caption = setting.theme.type.caption
    captions = [
        break_lines(text_block(text, caption), cell * puzzle.grid.cols + outline, measure)
        for text in texts.values()
    ]
    height = (1.9 + CAPTION_LEADING * (max(map(len, captions)) - 1)) * caption
    items: list[Movable] = []
    for index, (name, state) in enumerate(states.items()):
        frame = board_frame(puzzle, state, cell, theme, measure, setting.min_text_pt, whole=solution)
        x = index * (frame.width_pt + gap)
        figure, tag = Tag("Figure", alt=setting.board_in_words(puzzle, state)), Tag("P")
        items.append(Placed(f"example-{name}", frame, x, height, tag=figure))
        for lines_above, line in enumerate(captions[index]):
            point = (x, height - (1.5 + CAPTION_LEADING * lines_above) * caption)
            items.append(set_text(line.text, point, FontKey.REGULAR, caption, measure, tag=tag))
    return PictureRow(tuple(items), height + frame.height_pt, before_pt=1.4 * size)


def theme_with_lines(theme: Theme) -> Theme:
    """Return a theme that draws answers as lines, even if the book's theme draws them as shaded areas.

    The theme is used for the how-to-play example. Readers solve puzzles by drawing lines, so the example must
    show lines too.
    """
    if theme.solutions.style is not SolutionStyle.SHADED:
        return theme
    lines = {"style": SolutionStyle.LINE, "inks": (grey(0.6),)}
    return theme.model_copy(update={"solutions": theme.solutions.model_copy(update=lines)})


# Possible sizes of the stars and lines in the checklists of puzzles, as multiples of the smallest size. All
# of them are tried, and the size that needs the fewest pages is used. If several sizes need equally few
# pages, the size that fills most of the last page is used.
SCALES = (2.2, 2.0, 1.8, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0)
# Maximum distance between the left edges of two stars or lines side by side, as a multiple of their width.
MOST_PITCH = 2.0
INNER_CORNER = 0.55  # radius of a star's inner corners divided by the radius of its outer corners
CELL_GAP = 0.8  # minimum gap between two stars or lines side by side, as a multiple of the type size
TIME_RULE_PT = 63.0  # length in points of the line on which a reader writes a time by hand
FRAME_PT = 22.0  # gap in points between the frame of the certificate and its text

# Lengths of the lines for name and date on the certificate, as fractions of the text width.
NAME_SHARE, DATE_SHARE = 0.8, 0.4


def back_texts(spec: BookSpec, words: Words) -> Iterator[tuple[str, MatterSpec]]:
    """Yield the texts at the end of the book that ``spec.parts`` asks for, each with its key in the spec."""
    parts, phrases = spec.parts, words.back_matter
    if parts.about_author:
        yield "about_author", _text(phrases.about_author, parts.about_author)
    if parts.review:
        yield "review", _text(phrases.review, phrases.review_text)
    own = {slug(spec.title)}
    if spec.volume is not None:
        volume = str(spec.volume)
        own = {slug(f"{spec.title} {each}") for each in (volume, words.say(words.volume, number=volume))}
    if titles := [title for title in parts.more_books if slug(title) not in own]:
        of_series = words.say(phrases.more_of_series, series=spec.series.name) if spec.series else ""
        # Put a backslash before punctuation marks, so that Markdown doesn't interpret them.
        lines = (re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", title) for title in titles)
        yield (
            "more_books",
            _text(of_series or phrases.more_books, "\n\n".join(f"**{line}**" for line in lines)),
        )


def _text(title: str, text: str) -> MatterSpec:
    return MatterSpec.model_construct(title=title, text=text)


@dataclass(frozen=True)
class ChecklistPart(Part):
    """Pages that list all puzzles by level, each with a star to colour or a line on which to write its time.

    Args:
        place: the name of the link target on these pages, which is also their key in the spec's ``parts``.
            ``PROGRESS_PLACE`` makes pages with stars, ``TIMES_PLACE`` pages with lines.
    """

    place: str

    @property
    def title(self) -> str:
        title: str = getattr(self.setting.words.back_matter, self.place)
        return title

    @property
    def count(self) -> int:
        return len(self._columns)

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        return text_pages(self, self.place, self.title, self._columns, numbers, f"parts.{self.place}")

    @cached_property
    def _columns(self) -> Columns:
        draft = PageDraft(self.setting, 1)
        bottom = draft.content.y
        area = Area(draft.live.x, bottom, draft.live.width, heading_foot(draft) - bottom)
        tried = [flow(list(self._blocks(scale, area.width)), area, self.setting.measure) for scale in SCALES]
        return min(tried, key=lambda columns: (len(columns), lowest_of(columns[-1])))

    def _blocks(self, scale: float, width: float) -> Iterator[Block | PictureRow]:
        setting, words, size = self.setting, self.setting.words, self.setting.theme.type
        phrases, puzzles = words.back_matter, setting.edition.puzzles
        draw, before = (self._time_lines, 0.0) if self._is_timed else (self._stars, 0.6 * size.caption)
        cells = list(zip(puzzles, draw(scale), strict=True))
        levels = [(name, list(level)) for name, level in groupby(cells, lambda cell: cell[0].record.level)]

        cell_width, gap = cells[0][1].frame.width_pt, CELL_GAP * size.caption
        fitting = max(1, int((width + gap) / (cell_width + gap)))
        longest = max(_row_length(len(level), fitting) for _, level in levels)
        pitch = min((width - cell_width) / max(1, longest - 1), MOST_PITCH * cell_width)

        yield text_block(phrases.times_text if self._is_timed else phrases.progress_text, size.body)
        targets = {level.name: level.target_minutes for level in setting.spec.levels}
        for name, level in levels:
            heading = setting.spec.headings[name]
            if self._is_timed and targets[name]:
                heading += SEPARATOR + words.say(phrases.target, minutes=str(targets[name]))
            yield heading_block(heading, size.number, (2.0 if self._is_timed else 1.2) * size.number)
            length = _row_length(len(level), fitting)
            for start in range(0, len(level), length):
                listed, drawn = zip(*level[start : start + length], strict=True)
                tag = Tag("Figure", alt=range_words(setting, listed))
                row = [replace(cell, x=place * pitch, tag=tag) for place, cell in enumerate(drawn)]
                yield PictureRow(tuple(row), row[0].frame.height_pt, before)

    @property
    def _is_timed(self) -> bool:
        return self.place == TIMES_PLACE

    def _number_width(self, size: float) -> float:
        widest = "8" * len(str(self.setting.edition.puzzles[-1].number))
        return self.setting.measure.width(widest, FontKey.SEMIBOLD, size)

    def _stars(self, scale: float) -> Iterator[Placed]:
        """Draw a star for each puzzle. Every star has room for the widest puzzle number of the book."""
        setting, theme, small = self.setting, self.setting.theme, self.setting.theme.type.caption
        size = small * math.sqrt(scale)
        radius = scale * (math.hypot(self._number_width(small), 0.7 * small) / 2 + 1.0)
        radius /= INNER_CORNER * math.cos(math.pi / 5)
        middle = (radius, radius * math.cos(math.pi / 5))
        angles = [corner * math.pi / 5 for corner in range(10)]
        reaches = [radius, INNER_CORNER * radius] * 5
        points = tuple(
            (middle[0] + reach * math.sin(angle), middle[1] + reach * math.cos(angle))
            for angle, reach in zip(angles, reaches, strict=True)
        )
        star = Polyline(points, max(theme.rule_pt, 1.0), theme.accent, join=Join.ROUND, closed=True)
        font = FontKey.SEMIBOLD
        point = (middle[0], middle[1] - setting.measure.ink("1", font, size).top / 2)
        for puzzle in setting.edition.puzzles:
            text = set_text(str(puzzle.number), point, font, size, setting.measure, Anchor.MIDDLE)
            frame = Frame(2 * radius, middle[1] + radius, (star, text))
            yield Placed(f"star-{puzzle.number}", frame, 0.0, 0.0)

    def _time_lines(self, scale: float) -> Iterator[Placed]:
        size, measure, font = self.setting.theme.type.caption, self.setting.measure, FontKey.SEMIBOLD
        left = self._number_width(size) + 0.4 * size
        point = (left - 0.4 * size, 2.0)
        rule = Rects(((left, 0.0, TIME_RULE_PT, self.setting.theme.rule_pt),))
        width, height = left + TIME_RULE_PT, min(scale, 1.6) * max(NOTE_LINE_PT, 1.4 * size)
        for puzzle in self.setting.edition.puzzles:
            text = set_text(str(puzzle.number), point, font, size, measure, Anchor.END)
            yield Placed(f"time-{puzzle.number}", Frame(width, height, (rule, text)), 0.0, 0.0)


def _row_length(count: int, most: int) -> int:
    """Return how many cells to put in a row, so that ``count`` cells fill rows of about equal length.

    A row has at most ``most`` cells.
    """
    return math.ceil(count / math.ceil(count / most))


@dataclass(frozen=True)
class CertificatePart(Part):
    """Certificate for the reader: a frame, lines for name and date, and a solved board from the book."""

    place = CERTIFICATE_PLACE

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        setting, scale = self.setting, self.setting.theme.type
        words, puzzles = setting.words, setting.edition.puzzles
        phrases, draft = words.back_matter, PageDraft(setting, numbers[0])
        draft.target(self.place, draft.live.top, phrases.certificate)
        outer, inner = setting.theme.grid.outer_pt, setting.theme.grid.inner_pt
        draft.put_frame(draft.live, (2 * outer, inner))
        live = draft.live = draft.live.inset(FRAME_PT)

        def put(
            text: str, size: float, top: float, role: str = "P", font: FontKey = FontKey.REGULAR
        ) -> float:
            """Typeset centred text below the height ``top``. Return the height of the text's lower edge."""
            tag = draft.tag(role)
            lettering = Lettering(setting.measure, BLACK, "parts.certificate", font, tag)
            return put_centred(draft, lettering, text, size, top=top, foot=foot)

        foot, gap, strong = live.y + 3 * scale.heading, scale.heading, FontKey.SEMIBOLD
        y = put(phrases.certificate, scale.display, live.top, "H1", strong)
        y = put(phrases.certify, scale.heading, y - gap) - 2.4 * gap
        self._put_line(draft, phrases.name, NAME_SHARE, y)
        solved = words.say(phrases.has_solved, count=words.count_of(len(puzzles)))
        y = put(solved, scale.heading, y - 2 * scale.caption - gap)
        y = put(setting.spec.title, scale.title, y - 0.5 * gap, font=strong)
        self._put_line(draft, phrases.date, DATE_SHARE, live.y + 1.5 * scale.caption)
        put_ornament(draft, puzzles[-1].record.solution, top=y - 0.5 * gap, foot=foot)
        yield draft.page("certificate", phrases.certificate)

    def _put_line(self, draft: PageDraft, label: str, share: float, y: float) -> None:
        """Draw a line for the reader to write on, with its label below in small type."""
        size, width = self.setting.theme.type.caption, share * draft.live.width
        draft.add([Rects(((draft.live.centre - width / 2, y, width, self.setting.theme.rule_pt),))])
        point = (draft.live.centre, y - 1.3 * size)
        draft.text(label, point, size, anchor=Anchor.MIDDLE, where="parts.certificate", within=width)
