"""Title page, copyright page, contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from linkpress.engine.recipe import Rule
from linkpress.layout.edition import Setting
from linkpress.layout.flow import Block, Span, break_lines, flow
from linkpress.layout.frame import Anchor, Discs, FontKey, Page, Rects, grey
from linkpress.layout.leaf import Leaf
from linkpress.layout.motif import path_ornament, worked_example
from linkpress.layout.parts import CONTENTS_PLACE, Index

TITLE_TOP = 0.17  # of the live area's height, above the first line of the title
ORNAMENT_WIDTH = 0.42  # of the live area's width
DOT_PITCH_PT = 6.0
DOT_RADIUS_PT = 0.55


@dataclass(frozen=True)
class TitlePart:
    """The title page: title, subtitle and volume above, an ornament, author and publisher below."""

    setting: Setting
    recto: bool = True
    one_sided: bool = False

    @property
    def count(self) -> int:
        """One page."""
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """None: nothing leads to the title page."""
        return {}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """The page."""
        setting = self.setting
        leaf = Leaf(setting, numbers[0])
        imprint, scale = setting.edition.imprint, setting.theme.type
        leaf.target("title", leaf.live.top, imprint.title)
        y = leaf.live.top - TITLE_TOP * leaf.live.height
        y = _centred(leaf, imprint.title, scale.display, y, strong=True, where="title")
        leaf.add([_title_rule(leaf, y - 2)])
        y -= 2 + 1.2 * scale.heading
        if imprint.subtitle:
            y = _centred(leaf, imprint.subtitle, scale.heading, y, where="subtitle")
        if imprint.volume is not None:
            volume = setting.words.say(setting.words.volume, number=imprint.volume)
            y = _centred(leaf, volume, scale.heading, y - 0.4 * scale.heading, strong=True, where="volume")
        foot = self._names(leaf)
        self._ornament(leaf, y, foot)
        yield leaf.page("title")

    def _names(self, leaf: Leaf) -> float:
        """Author and publisher at the foot; how high they reach."""
        imprint, scale = leaf.setting.edition.imprint, leaf.setting.theme.type
        y = leaf.live.y
        if imprint.publisher:
            leaf.text(
                imprint.publisher,
                (leaf.live.centre, y),
                scale.caption,
                anchor=Anchor.MIDDLE,
                where="publisher",
            )
            y += 2.2 * scale.heading
        if imprint.author:
            leaf.text(
                imprint.author,
                (leaf.live.centre, y),
                scale.heading,
                strong=True,
                anchor=Anchor.MIDDLE,
                where="author",
            )
            y += scale.heading
        return y

    def _ornament(self, leaf: Leaf, top: float, foot: float) -> None:
        solution = worked_example()
        grid = solution.puzzle.grid
        cell = ORNAMENT_WIDTH * leaf.live.width / grid.cols
        cell = min(cell, 0.8 * (top - foot) / grid.rows)
        if cell < 6:
            return
        x = leaf.live.centre - cell * grid.cols / 2
        y = foot + (top - foot - cell * grid.rows) * 0.5
        leaf.add(path_ornament(solution, cell, (x, y), leaf.setting.theme.accent, grey(0.4)))


def _title_rule(leaf: Leaf, y: float) -> Rects:
    weight = leaf.setting.theme.grid.outer_pt
    return Rects(((leaf.live.centre - 24, y - weight, 48, weight),), leaf.setting.theme.accent)


def _centred(leaf: Leaf, text: str, size_pt: float, top: float, *, strong: bool = False, where: str) -> float:
    """Lines centred in the live area, from a height down; returns the height below them.

    A long word makes the type smaller, by steps of the scale's ratio, rather than break.
    """
    measure, width = leaf.setting.measure, leaf.live.width
    face = FontKey.SEMIBOLD if strong else FontKey.REGULAR
    longest = max(text.split(), key=lambda word: measure.width(word, face, 1.0), default="")
    size = min(size_pt, 0.98 * width / max(measure.width(longest, face, 1.0), 0.01))
    size = max(size, leaf.setting.theme.type.caption)
    block = Block((Span(text, strong),), size, 1.15 * size, where=where)
    for line in break_lines(block, width, measure):
        top -= 1.15 * size
        said = "".join(run[1] for run in line).rstrip()
        leaf.text(
            said,
            (leaf.live.centre, top + 0.25 * size),
            size,
            strong=strong,
            anchor=Anchor.MIDDLE,
            where=where,
        )
    return top


@dataclass(frozen=True)
class CopyrightPart:
    """The copyright page: everything that a library, a reader or a printer asks of a book."""

    setting: Setting
    recto: bool = False
    one_sided: bool = False

    @property
    def count(self) -> int:
        """One page."""
        return 1

    def places(self, numbers: Sequence[int]) -> Index:
        """None: nothing leads here."""
        return {}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """The page, its text at the foot as is the custom."""
        setting = self.setting
        leaf = Leaf(setting, numbers[0])
        size = setting.theme.type.caption
        area = leaf.live
        area = type(area)(area.x, area.y, min(area.width, 34 * size), area.height)
        blocks = [
            Block((Span(line, strong),), size, 1.4 * size, before_pt=before * size, where=where)
            for line, strong, before, where in self._lines()
        ]
        height = sum(
            block.before_pt + block.leading_pt * len(break_lines(block, area.width, setting.measure))
            for block in blocks
        )
        low = type(area)(area.x, area.y, area.width, min(area.height, height))
        for items in flow(blocks, low, setting.measure)[0]:
            leaf.add(items)
        yield leaf.page("copyright")

    def _lines(self) -> Iterator[tuple[str, bool, float, str]]:
        """Each paragraph with its weight, the space before it in ems, and the spec's key."""
        imprint, words = self.setting.edition.imprint, self.setting.words
        yield imprint.title, True, 0.0, "title"
        if imprint.subtitle:
            yield imprint.subtitle, False, 0.0, "subtitle"
        if imprint.volume is not None:
            yield words.say(words.volume, number=imprint.volume), False, 0.0, "volume"
        yield from self._rights()
        if imprint.publisher:
            yield words.say(words.published_by, publisher=imprint.publisher), False, 0.9, "publisher"
        facts = []
        if imprint.edition:
            facts.append((imprint.edition, "edition"))
        if imprint.date:
            facts.append((words.say(words.dated, date=imprint.date), "date"))
        if imprint.isbn:
            facts.append((words.say(words.isbn, isbn=imprint.isbn), "isbn"))
        for at, (fact, where) in enumerate(facts):
            yield fact, False, 0.0 if at else 0.9, where
        yield self._promise(), False, 0.9, "text"
        yield self._making(), False, 0.9, "seed"

    def _rights(self) -> Iterator[tuple[str, bool, float, str]]:
        imprint, words = self.setting.edition.imprint, self.setting.words
        if imprint.copyright:
            yield imprint.copyright, False, 0.9, "copyright"
        elif imprint.author or imprint.publisher:
            holder = imprint.author or imprint.publisher
            year = "" if imprint.year is None else str(imprint.year)
            line = words.say(words.rights, year=year, holder=holder).replace("  ", " ")
            yield line, False, 0.9, "author"
        else:
            return
        yield words.all_rights, False, 0.0, "text"

    def _promise(self) -> str:
        strict = all(puzzle.rule is Rule.STRICT for puzzle in self.setting.edition.puzzles)
        words = self.setting.words
        return words.promise_strict if strict else words.promise_filled

    def _making(self) -> str:
        imprint, words = self.setting.edition.imprint, self.setting.words
        parts = [words.say(words.made_with, version=imprint.version)] if imprint.version else []
        if imprint.seed:
            parts.append(words.say(words.seed, seed=imprint.seed))
        if imprint.build:
            parts.append(words.say(words.build, build=imprint.build))
        return " · ".join(parts)


@dataclass(frozen=True)
class Entry:
    """A line of the contents."""

    title: str
    detail: str
    place: str
    where: str = "contents"


@dataclass(frozen=True)
class ContentsPart:
    """The contents, with page numbers."""

    setting: Setting
    entries: tuple[Entry, ...]
    recto: bool = True
    one_sided: bool = False

    @property
    def count(self) -> int:
        """As many pages as the entries need."""
        leaf = Leaf(self.setting, 1)
        return -(-len(self.entries) // self._per_page(leaf))

    def places(self, numbers: Sequence[int]) -> Index:
        """The contents themselves."""
        return {CONTENTS_PLACE: numbers[0]}

    def compose(self, numbers: Sequence[int], index: Index) -> Iterator[Page]:
        """The pages."""
        setting = self.setting
        for at, number in enumerate(numbers):
            leaf = Leaf(setting, number)
            per_page = self._per_page(leaf)
            if at == 0:
                leaf.target(CONTENTS_PLACE, leaf.live.top, setting.words.contents)
            y = page_heading(leaf, setting.words.contents)
            detail_x = self._detail_x(leaf)
            for entry in self.entries[at * per_page : (at + 1) * per_page]:
                y -= self._pitch(leaf)
                self._entry(leaf, entry, y, detail_x, index[entry.place])
            leaf.furnish()
            yield leaf.page("contents", setting.words.contents)

    def _pitch(self, leaf: Leaf) -> float:
        return 2.3 * leaf.setting.theme.type.number

    def _per_page(self, leaf: Leaf) -> int:
        room = heading_foot(leaf) - leaf.content.y
        return max(1, int(room / self._pitch(leaf)))

    def _detail_x(self, leaf: Leaf) -> float:
        """One left edge for all details, right of the longest title that leaves room for them."""
        scale, measure = leaf.setting.theme.type, leaf.setting.measure
        ends = [
            leaf.live.x + measure.width(entry.title, FontKey.SEMIBOLD, scale.number) + 1.2 * scale.number
            for entry in self.entries
            if entry.detail
        ]
        return max((end for end in ends if end < leaf.live.centre), default=leaf.live.centre)

    def _entry(self, leaf: Leaf, entry: Entry, y: float, detail_x: float, page: int) -> None:
        scale, measure = leaf.setting.theme.type, leaf.setting.measure
        right = leaf.live.right
        title = leaf.text(entry.title, (leaf.live.x, y), scale.number, strong=True, where=entry.where)
        end = title.x + title.width_pt
        widest = right - measure.width("888", FontKey.REGULAR, scale.number)
        if entry.detail and end < detail_x:
            width = measure.width(entry.detail, FontKey.REGULAR, scale.caption)
            if detail_x + width < widest - 4 * DOT_PITCH_PT:
                leaf.text(entry.detail, (detail_x, y), scale.caption, where=entry.where)
                end = detail_x + width
        leaf.text(str(page), (right, y), scale.number, anchor=Anchor.END)
        self._leader(leaf, end + 8, widest - 4, y)
        leaf.link_area((leaf.live.x, y - 4, leaf.live.width, scale.number + 4), entry.place)

    def _leader(self, leaf: Leaf, left: float, right: float, y: float) -> None:
        """Dots on one raster for the whole page, so that they stand under one another."""
        first = -(-(left - leaf.live.x) // DOT_PITCH_PT)
        last = (right - leaf.live.x) // DOT_PITCH_PT
        dots = [
            (leaf.live.x + step * DOT_PITCH_PT, y + DOT_RADIUS_PT)
            for step in range(int(first), int(last) + 1)
        ]
        if dots:
            leaf.add([Discs(tuple(dots), DOT_RADIUS_PT)])


def page_heading(leaf: Leaf, text: str, where: str = "text") -> float:
    """The heading of a part's first page; returns the height under it."""
    size = leaf.setting.theme.type.title
    leaf.text(text, (leaf.live.x, leaf.live.top - 0.75 * size), size, strong=True, where=where)
    weight = leaf.setting.theme.grid.outer_pt
    y = leaf.live.top - 1.45 * size
    leaf.add([Rects(((leaf.live.x, y - weight, 36, weight),), leaf.setting.theme.accent)])
    return heading_foot(leaf)


def heading_foot(leaf: Leaf) -> float:
    """Where the text under a part's heading begins."""
    return leaf.live.top - 2.1 * leaf.setting.theme.type.title
