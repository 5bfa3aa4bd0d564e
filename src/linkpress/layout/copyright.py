"""The copyright page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from linkpress.errors import LayoutError
from linkpress.layout.edition import Setting
from linkpress.layout.flow import flow
from linkpress.layout.frame import Page
from linkpress.layout.geometry import Area
from linkpress.layout.leaf import Leaf
from linkpress.layout.lines import Block, Span, break_lines
from linkpress.layout.parts import Index

COLUMN_EMS = 34.0


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
        """The page, its text at the foot as is the custom.

        Raises:
            LayoutError: it takes more than a page; says what to shorten.
        """
        setting = self.setting
        leaf = Leaf(setting, numbers[0])
        size = setting.theme.type.caption
        live = leaf.live
        area = Area(live.x, live.y, min(live.width, COLUMN_EMS * size), live.height)
        blocks = [
            Block((Span(line, strong),), size, 1.4 * size, before_pt=before * size, where=where)
            for line, strong, before, where in self._lines()
        ]
        height = sum(
            block.before_pt + block.leading_pt * len(break_lines(block, area.width, setting.measure))
            for block in blocks
        )
        if height > area.height:
            raise LayoutError(
                "the copyright page overflows: shorten copyright, subtitle or publisher, or choose a larger "
                "page.trim."
            )
        low = Area(area.x, area.y, area.width, height)
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
            yield words.say(words.volume, number=str(imprint.volume)), False, 0.0, "volume"
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
        yield words.promise(puzzle.record.rule for puzzle in self.setting.edition.puzzles), False, 0.9, "text"
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

    def _making(self) -> str:
        imprint, words = self.setting.edition.imprint, self.setting.words
        parts = [words.say(words.made_with, version=imprint.version)] if imprint.version else []
        if imprint.seed:
            parts.append(words.say(words.seed, seed=imprint.seed))
        if imprint.build:
            parts.append(words.say(words.build, build=imprint.build))
        return " · ".join(parts)
