"""Ready-made pages for the end of a book: texts, a certificate, and checklists of all puzzles.

A checklist has a star to colour for each puzzle, or a line on which to write the puzzle's time.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from linkpress.book.printing_keys import MatterSpec
from linkpress.book.spec import BookSpec, slug
from linkpress.layout.book_parts import Part, lowest_of, text_pages
from linkpress.layout.book_parts.matter import NOTE_LINE_PT, SEPARATOR, put_centred
from linkpress.layout.frame import (
    BLACK,
    Anchor,
    Area,
    FontKey,
    Frame,
    Join,
    Page,
    Placed,
    Polyline,
    Rects,
    Tag,
)
from linkpress.layout.measure import set_text
from linkpress.layout.page_draft import (
    CERTIFICATE_PLACE,
    TIMES_PLACE,
    Index,
    PageDraft,
    heading_foot,
    put_ornament,
)
from linkpress.layout.sheets import range_words
from linkpress.layout.text_flow import Block, Columns, Lettering, PictureRow, flow, heading_block, text_block
from linkpress.words import Words

# Possible sizes of the stars and lines in the checklists of puzzles, as multiples of the smallest size. All
# of them are tried, and the size that needs the fewest pages is used. If several sizes need equally few
# pages, the size that fills most of the last page is used.
SCALES = (2.2, 2.0, 1.8, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0)
# Maximum distance between the left edges of two stars or lines, as a multiple of their width.
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
            """Typeset centred text below the height ``top``. Return the height at which the text ends."""
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
