"""Lay out a whole book: choose its parts, settle the page numbers, and compose the pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from linkpress.book.printing_keys import Binding, Colophon, MatterSpec, PageSpec, SolutionsPlace
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.book_parts import PageRun, Part
from linkpress.layout.book_parts.howto import HowtoPart
from linkpress.layout.book_parts.matter import (
    ContentsEntry,
    ContentsPart,
    CopyrightPart,
    CoverPart,
    NotesPart,
    OwnPagesPart,
    TitlePart,
)
from linkpress.layout.book_parts.sections import LastAnswersPart, SectionPart, SolutionsOpener, SolutionsPart
from linkpress.layout.book_parts.tutorial import TutorialPart
from linkpress.layout.frame import Frame, Page
from linkpress.layout.margins import book_margins, settle_margins
from linkpress.layout.measure import Measure
from linkpress.layout.page_draft import SOLUTIONS_PLACE, Index, level_place
from linkpress.layout.setting import LARGE_PRINT_LEAST_PT, Edition, Setting, is_printed_grey
from linkpress.layout.sheets import board_sizes
from linkpress.layout.theme import Theme, theme_problems, words_for
from linkpress.printers.profile import NO_BLEED, Bleed, Margins, PrinterProfile

# Pages whose shorter side is at least 7.36 in get larger type, because type for 6 × 9 in looks too
# small on them.
LARGE_PAGE_PT = 530.0
LARGE_PAGE_TYPE = 1.1
LARGE_PRINT_TYPE = 1.4  # in large print, headings of 14 pt become 20 pt
# Used in place of page numbers that are not known yet. No page number is printed wider.
_UNKNOWN_PAGE = 999


@dataclass(frozen=True)
class Book:
    """Book that is laid out.

    Args:
        pages: all pages of the file in order, including blank ones.
        bleeds: the bleed of a recto and of a verso.
        index: the page number of each link target: ``puzzle-12``, ``solution-12``, ``level-0``,
            ``solutions`` …
        coloured: whether anything in the book may be printed in inks other than black.
        solutions: the pages of the separate file of solutions, numbered from 1. Empty if the solutions are
            in the book.
    """

    pages: tuple[Page, ...]
    trim: Size
    bleeds: tuple[Bleed, Bleed]
    margins: Margins
    index: Index
    edition: Edition
    coloured: bool
    solutions: tuple[Page, ...] = ()

    @property
    def page_count(self) -> int:
        return len(self.pages)


NumberedParts = Sequence[tuple[Part, range]]


@dataclass(frozen=True)
class PagePlan:
    """Page numbers of a book and of its file of solutions. Pages are composed when they are needed.

    Args:
        parts: the parts of the book, each with its page numbers.
        solution_parts: the parts of the file of solutions, whose page numbers start at 1 again.
    """

    setting: Setting
    page_count: int
    parts: NumberedParts
    solution_parts: NumberedParts

    @cached_property
    def index(self) -> Index:
        return {
            name: page
            for part, numbers in (*self.parts, *self.solution_parts)
            for name, page in part.places(numbers).items()
        }

    def page(self, number: int) -> Page:
        """Return a page. If it isn't composed yet, compose it, perhaps with other pages of its part.

        Raises:
            LayoutError: something doesn't fit its page, or a glyph is missing.
        """
        for part, numbers in self.parts:
            if number in numbers:
                if numbers[0] not in self._composed:
                    pages = part.compose(numbers, self.index)
                    by_number = pages if isinstance(pages, PageRun) else {page.number: page for page in pages}
                    self._composed[numbers[0]] = by_number
                if page := self._composed[numbers[0]].get(number):
                    return page
        return _blank(self.setting.trim, number)

    @cached_property
    def _composed(self) -> dict[int, PageRun | dict[int, Page]]:
        return {}  # maps the first page number of each part to the pages composed so far


def layout_book(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> Book:
    """Lay out a book; raise ``LayoutError`` if anything doesn't fit, with the place and what to change."""
    book, problems = try_layout(edition, profile, theme, measure)
    if book is None:
        raise problems[0]
    return book


def try_layout(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> tuple[Book | None, list[LayoutError]]:
    """Lay out a book, and collect all problems instead of raising the first.

    Returns:
        The book and no problems, or None and the problems. If no margins and page count could be found, the
        parts are composed with margins for a thin book, to find their problems too.
    Raises:
        UsageError: the printer doesn't have the paper of the spec.
    """
    plan, problems = _plan(edition, profile, theme, measure)
    if plan is not None:
        index = plan.index
        numbered: list[tuple[Part, range | None]] = [*plan.parts, *plan.solution_parts]
    else:
        index = defaultdict(lambda: _UNKNOWN_PAGE)
        stand_ins = _stand_in_parts(edition, profile, theme, measure, problems)
        numbered = [(part, None) for part in stand_ins]
    composed: list[list[Page]] = []
    for part, numbers in numbered:
        try:
            # If the page numbers are not known, use odd ones, as if the back of each page were empty.
            composed.append(list(part.compose(numbers or range(1, 2 * part.count + 1, 2), index)))
        except LayoutError as error:
            problems.append(error)
    if problems or plan is None:
        return None, list({str(problem): problem for problem in problems}.values())
    pages = {page.number: page for part in composed[: len(plan.parts)] for page in part}
    numbers, trim, page_keys = range(1, plan.page_count + 1), edition.trim, edition.spec.page
    coloured = any(not ink.is_grey for _, ink in theme.inks) or bool(edition.title_inks)
    coloured |= bool(edition.pictures) and not is_printed_grey(page_keys, profile)
    book = Book(
        pages=tuple(pages.get(number) or _blank(trim, number) for number in numbers),
        trim=trim,
        bleeds=(profile.bleed_of(True), profile.bleed_of(False)) if page_keys.bleed else (NO_BLEED, NO_BLEED),
        margins=plan.setting.margins,
        index=plan.index,
        edition=edition,
        coloured=coloured,
        solutions=tuple(page for part in composed[len(plan.parts) :] for page in part),
    )
    return book, []


def _blank(trim: Size, number: int) -> Page:
    return Page(Frame(trim.width_pt, trim.height_pt, ()), number, "blank")


def plan_pages(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> PagePlan:
    """Decide which page each part and board is on, without composing pages; raise as ``layout_book`` does."""
    plan, problems = _plan(edition, profile, theme, measure)
    if plan is None or problems:
        raise problems[0]
    return plan


def _plan(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> tuple[PagePlan | None, list[LayoutError]]:
    """Return the plan and its problems; the plan is None if no margins and page count could be found."""
    page = edition.spec.page
    profile.paper(page.paper, "page.paper")
    problems = []
    if in_theme := theme_problems(theme, profile, page.paper):
        listed = " ".join(f"{', '.join(keys)} — {problem}" for problem, keys in in_theme.items())
        message = f"the theme {theme.name} can't be used with {profile.name}. {listed}"
        problems.append(LayoutError(message, "theme"))
    try:
        setting, parts, page_count = _settle(edition, profile, theme, measure)
        plan = PagePlan(setting, page_count, _numbered(parts), _numbered(_solution_file_parts(setting)))
    except LayoutError as error:
        return None, [*problems, *page_problems(profile, page, None), error]
    return plan, [*problems, *page_problems(profile, page, page_count)]


def page_problems(profile: PrinterProfile, page: PageSpec, pages: int | None) -> list[LayoutError]:
    """Return why a printer can't print a book with these page settings.

    Args:
        pages: the number of pages; None if it isn't known yet.
    """
    return [
        LayoutError(
            f"{profile.name} can't print this book. {problem}",
            "page.trim" if problem.key == ("trim",) else "page",
        )
        for problem in profile.check(page.trim.size, pages, page.paper)
    ]


def _settle(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> tuple[Setting, list[Part], int]:
    """Return the setting with its final margins, the book's parts in that setting, and the page count."""
    spec = edition.spec
    words = words_for(spec, theme, (puzzle.record.puzzle for puzzle in edition.puzzles))
    lay_flat = (spec.page.binding or profile.binding) is Binding.LAY_FLAT

    @cache  # reuse the parts, because they keep the text that they laid out to count their pages
    def parts_with(margins: Margins) -> tuple[Setting, list[Part]]:
        setting = Setting(edition, profile, _theme_for(edition, theme), measure, words, margins)
        return setting, _parts(setting)

    def count_pages(margins: Margins) -> int:
        _, numbers = _numbered(parts_with(margins)[1])[-1]
        return profile.pages_to_print(numbers[-1], edition.trim)

    margins, page_count = settle_margins(
        lambda pages: book_margins(
            profile, edition.trim, pages, spec.page.bleed, lay_flat, spec.page.margins
        ),
        count_pages,
    )
    return *parts_with(margins), page_count


def _stand_in_parts(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure, problems: list[LayoutError]
) -> list[Part]:
    """Return parts that show what else is wrong in a book whose margins can't be computed.

    The parts have the margins of a thin book. If the parts can't be chosen, that problem is added to
    ``problems``, and only the title page, the copyright page and the levels are returned.
    """
    margins = book_margins(profile, edition.trim, 1, edition.spec.page.bleed)
    words = edition.spec.wording()
    setting = Setting(edition, profile, _theme_for(edition, theme), measure, words, margins)
    try:
        return [*_parts(setting), *_solution_file_parts(setting)]
    except LayoutError as error:
        problems.append(error)
        return [TitlePart(setting), CopyrightPart(setting), *_levels(setting)]


def _theme_for(edition: Edition, theme: Theme) -> Theme:
    """Return the theme with larger type for large pages and large print; titles keep their size."""
    page = edition.spec.page
    factor = LARGE_PRINT_TYPE if page.large_print else 1.0
    factor *= LARGE_PAGE_TYPE if min(edition.trim) >= LARGE_PAGE_PT else 1.0
    if factor == 1.0:
        return theme
    sizes = {
        name: size if name in ("title", "display") else round(size * factor, 2) for name, size in theme.type
    }
    if page.large_print:
        sizes = {name: max(size, LARGE_PRINT_LEAST_PT) for name, size in sizes.items()}
    return theme.model_copy(update={"type": theme.type.model_copy(update=sizes)})


def _numbered(parts: Sequence[Part]) -> list[tuple[Part, range]]:
    """Return the parts with their page numbers. In print some parts must begin on a recto."""
    numbered: list[tuple[Part, range]] = []
    following = 1
    for part in parts:
        step = 2 if part.one_sided else 1
        needs_recto = (part.recto or part.one_sided) and not part.setting.edition.screen
        first = following + 1 if needs_recto and following % 2 == 0 else following
        numbers = range(first, first + step * part.count, step)
        numbered.append((part, numbers))
        following = numbers[-1] + step
    return numbered


# Choosing parts


def _parts(setting: Setting) -> list[Part]:
    spec, part_keys, levels = setting.spec, setting.spec.parts, _levels(setting)
    front = _own_pages(setting, spec.front, "front")
    howto = [HowtoPart(setting)] if part_keys.how_to_play else []
    tutorial = [TutorialPart(setting)] if part_keys.tutorial else []
    back = _own_pages(setting, spec.back, "back")
    notes = [NotesPart(setting)] if spec.notes_pages else []
    cover = setting.edition.cover
    parts: list[Part] = [] if cover is None else [CoverPart(setting, cover)]
    parts.append(TitlePart(setting))
    if part_keys.copyright:
        parts.append(CopyrightPart(setting, colophon=part_keys.colophon is Colophon.COPYRIGHT))
    if part_keys.contents:
        entries = list(_entries(setting, [*front, *howto, *tutorial, *levels]))
        if spec.solutions.place is SolutionsPlace.BACK:
            entries.append(ContentsEntry(setting.words.solutions, "", SOLUTIONS_PLACE))
        parts.append(ContentsPart(setting, (*entries, *_entries(setting, [*back, *notes]))))
    parts += [*front, *howto, *tutorial, *_with_answers(setting, levels), *back, *notes]
    if part_keys.colophon is Colophon.END:
        parts.append(CopyrightPart(setting, imprint=False, colophon=True))
    return parts


def _levels(setting: Setting) -> list[SectionPart]:
    """Return the levels that have puzzles; raise ``LayoutError`` if the book has none."""
    levels: list[SectionPart] = []
    for number, level in enumerate(setting.spec.levels):
        puzzles = tuple(each for each in setting.edition.puzzles if each.record.level == level.name)
        if puzzles:
            levels.append(SectionPart(setting, number, puzzles, before=levels[-1] if levels else None))
    if not levels:
        raise LayoutError("the book has no puzzles: give a level with a count of 1 or more")
    return levels


def _with_answers(setting: Setting, levels: Sequence[SectionPart]) -> list[Part]:
    match setting.spec.solutions.place:
        case SolutionsPlace.BACK:
            return [*levels, *_answers(setting)]
        case SolutionsPlace.AFTER_SECTION:
            return [part for level in levels for part in (level, SolutionsPart(setting, level.puzzles))]
        case SolutionsPlace.UPSIDE_DOWN:
            return [*levels, LastAnswersPart(setting, levels[-1].last_answers)]
        case SolutionsPlace.FILE:
            return [*levels]


def _solution_file_parts(setting: Setting) -> list[Part]:
    in_file = setting.spec.solutions.place is SolutionsPlace.FILE
    return _answers(setting, setting.spec.title) if in_file else []


def _answers(setting: Setting, book_title: str = "") -> list[Part]:
    opens = setting.spec.parts.openers
    opener = [SolutionsOpener(setting, book_title)] if opens else []
    return [*opener, SolutionsPart(setting, tuple(setting.edition.puzzles), named=not opens)]


def _own_pages(setting: Setting, pages: Sequence[MatterSpec], key: str) -> list[OwnPagesPart]:
    return [
        OwnPagesPart(setting, page, f"{key}[{index}]", f"{key}-{index}") for index, page in enumerate(pages)
    ]


def _entries(setting: Setting, parts: Sequence[Part]) -> Iterator[ContentsEntry]:
    words, sections = setting.words, [part for part in parts if isinstance(part, SectionPart)]
    for part in parts:
        match part:
            case OwnPagesPart(matter=matter, where=where):
                if matter.title:
                    yield ContentsEntry(matter.title, "", part.place, where)
            case HowtoPart():
                yield ContentsEntry(words.how_to_play, "", part.place)
            case TutorialPart():
                yield ContentsEntry(part.title, "", part.place)
            case SectionPart(puzzles=puzzles):
                first, last = puzzles[0].number, puzzles[-1].number
                detail = str(first) if first == last else f"{first}–{last}"
                if len({board_sizes(words, part.puzzles) for part in sections}) > 1:
                    detail += f" · {board_sizes(words, puzzles)}"
                yield ContentsEntry(part.heading, detail, level_place(part.number), f"{part.key}.name")
            case NotesPart():
                yield ContentsEntry(words.notes, "", part.place)
