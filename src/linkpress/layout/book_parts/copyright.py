"""The copyright page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from linkpress.errors import LayoutError
from linkpress.layout.book_parts.part import Index, Part
from linkpress.layout.frame import Page
from linkpress.layout.geometry import Area
from linkpress.layout.page_draft import PageDraft
from linkpress.layout.text.flow import flow
from linkpress.layout.text.lines import Block, Text, break_lines

COLUMN_EMS = 34.0


@dataclass(frozen=True)
class CopyrightPart(Part):
    """The copyright page: everything that a library, a reader or a printer asks of a book."""

    def compose(self, numbers: Sequence[int], index: Index) -> Iterable[Page]:
        """The page, its text at the foot as is the custom.

        Raises:
            LayoutError: it takes more than a page; says what to shorten.
        """
        setting = self.setting
        draft = PageDraft(setting, numbers[0])
        size = setting.theme.type.caption
        live = draft.live
        area = Area(live.x, live.y, min(live.width, COLUMN_EMS * size), live.height)
        blocks = [
            Block((Text(line, strong),), size, 1.4 * size, before_pt=before * size, where=where)
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
            draft.add(items)
        yield draft.page("copyright")

    def _lines(self) -> Iterator[tuple[str, bool, float, str]]:
        """Each paragraph with its weight, the space before it in ems, and the spec's key."""
        spec, words = self.setting.spec, self.setting.words
        yield spec.title, True, 0.0, "title"
        if spec.subtitle:
            yield spec.subtitle, False, 0.0, "subtitle"
        if spec.volume is not None:
            yield words.say(words.volume, number=str(spec.volume)), False, 0.0, "volume"
        yield from self._rights()
        if spec.publisher:
            yield words.say(words.published_by, publisher=spec.publisher), False, 0.9, "publisher"
        facts = []
        if spec.edition:
            facts.append((spec.edition, "edition"))
        if spec.date:
            facts.append((words.write(spec.date), "date"))
        if spec.isbn:
            facts.append((words.say(words.isbn, isbn=spec.isbn), "isbn"))
        for at, (fact, where) in enumerate(facts):
            yield fact, False, 0.0 if at else 0.9, where
        yield words.promise(puzzle.record.rule for puzzle in self.setting.edition.puzzles), False, 0.9, "text"
        yield self._making(), False, 0.9, "seed"

    def _rights(self) -> Iterator[tuple[str, bool, float, str]]:
        spec, words = self.setting.spec, self.setting.words
        if spec.copyright:
            yield spec.copyright, False, 0.9, "copyright"
        elif spec.author or spec.publisher:
            holder = spec.author or spec.publisher
            year = "" if spec.year is None else str(spec.year)
            line = words.say(words.rights, year=year, holder=holder).replace("  ", " ")
            yield line, False, 0.9, "author"
        else:
            return
        yield words.all_rights, False, 0.0, "text"

    def _making(self) -> str:
        edition, words = self.setting.edition, self.setting.words
        parts = [words.say(words.made_with, version=edition.version)] if edition.version else []
        parts.append(words.say(words.seed, seed=str(edition.spec.seed)))
        if edition.build:
            parts.append(words.say(words.build, build=edition.build))
        return " · ".join(parts)
