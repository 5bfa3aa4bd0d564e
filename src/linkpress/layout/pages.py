"""A volume becomes the pages of a book, in the order in which a good book has them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from linkpress.book.printing_keys import Binding, Colophon, MatterSpec, PageSpec, SolutionsPlace
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.boards.sheets import board_sizes, range_words
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
from linkpress.layout.edition import (
    SOLUTIONS_PLACE,
    Edition,
    Index,
    PageRun,
    Part,
    Setting,
    book_margins,
    level_place,
    setting_of,
    settle_margins,
)
from linkpress.layout.frame import Frame, Page
from linkpress.layout.measure import Measure
from linkpress.layout.pictures import is_printed_grey
from linkpress.layout.theme import Theme, check_theme, words_for
from linkpress.printers.profile import NO_BLEED, Bleed, Margins, PrinterProfile

LARGE_PAGE_PT = 530.0  # shorter side of the trim, 7.36 in: type for 6 × 9 in looks lost on letter or A4
LARGE_PAGE_TYPE = 1.1
LATE_PAGE = 999  # where a place is that can't be told; as wide as a page number comes
LARGE_PRINT_TYPE = 1.4  # headings of 14 pt become 20
LARGE_PRINT_LEAST_PT = 16.0  # of all that is read, as the trade's guides to large print have it


@dataclass(frozen=True)
class Book:
    """A laid-out book has pages, and what they follow from.

    Args:
        pages: pages in order, as many as the printer takes.
        bleeds: those of a recto and a verso.
        margins: the margins that were settled on; the inside one follows from the page count.
        index: the page of each named place: ``puzzle-12``, ``solution-12``, ``level-0``,
            ``solutions`` …
        coloured: whether anything in it may be printed in other inks than black.
        solutions: pages of a file of their own, numbered from 1; none where the book has them.
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
        """Return the number of the file's pages, blank ones included."""
        return len(self.pages)


@dataclass(frozen=True)
class PagePlan:
    """A plan counts the pages of a book and of its file of solutions, and composes them when asked for."""

    setting: Setting
    page_count: int
    parts: Sequence[Part]
    apart: Sequence[Part]

    @cached_property
    def index(self) -> Index:
        """Return the page of each named place."""
        return {**_index(self.parts), **_index(self.apart)}

    def page(self, number: int) -> Page:
        """Compose a page with the part that it belongs to, or a blank one; raise as the part does."""
        for part, numbers in zip(self.parts, self._numbers, strict=True):
            if number in numbers and numbers[0] not in self._composed:
                pages = part.compose(numbers, self.index)
                self._composed[numbers[0]] = (
                    pages if isinstance(pages, PageRun) else {page.number: page for page in pages}
                )
            if number in numbers and (page := self._composed[numbers[0]].get(number)):
                return page
        trim = self.setting.trim
        return Page(Frame(trim.width_pt, trim.height_pt, ()), number, "blank")

    @cached_property
    def _numbers(self) -> list[range]:
        return _number(self.parts)[0]

    @cached_property
    def _composed(self) -> dict[int, PageRun | dict[int, Page]]:
        """Keep the pages of the parts that were asked for, by each part's first page."""
        return {}


def layout_book(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> Book:
    """Lay out a book; raise ``LayoutError``, with the place and what to change, for what does not fit."""
    plan = plan_pages(edition, profile, theme, measure)
    index = plan.index
    pages = tuple(plan.page(number) for number in range(1, plan.page_count + 1))
    apart = zip(plan.apart, _number(plan.apart)[0], strict=True)
    solutions = tuple(page for part, numbers in apart for page in part.compose(numbers, index))
    coloured = any(not ink.is_grey for _, ink in theme.inks)
    coloured |= bool(edition.pictures) and not is_printed_grey(edition.spec.page, profile)
    coloured |= bool(edition.title_inks)
    bleeds = NO_BLEED, NO_BLEED
    if edition.spec.page.bleed:
        bleeds = profile.bleed_of(True), profile.bleed_of(False)
    return Book(pages, edition.trim, bleeds, plan.setting.margins, index, edition, coloured, solutions)


def plan_pages(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> PagePlan:
    """Settle which page everything is on, and compose none of them; raise as ``layout_book`` does."""
    profile.paper(edition.spec.page.paper, "page.paper")
    check_theme(theme, profile, edition.spec.page.paper)
    _check_profile(profile, edition, None)
    setting, parts, page_count = _settle(edition, profile, _theme_for(edition, theme), measure)
    _check_profile(profile, edition, page_count)
    return PagePlan(setting, page_count, parts, _solution_file_parts(setting, edition))


def layout_faults(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> list[LayoutError]:
    """Return everything for which ``layout_book`` refuses a book, each part of it judged for itself."""
    faults = profile_faults(profile, edition.spec.page, None)
    theme = _theme_for(edition, theme)
    try:
        setting, _, page_count = _settle(edition, profile, theme, measure)
        faults = profile_faults(profile, edition.spec.page, page_count)
    except LayoutError as fault:
        faults.append(fault)
        margins = book_margins(profile, edition.trim, 1, edition.spec.page.bleed)
        setting = setting_of(edition, profile, theme, measure, edition.spec.wording(), margins)
    unsettled: Index = defaultdict(lambda: LATE_PAGE)
    try:
        parts = [*_parts(setting, edition), *_solution_file_parts(setting, edition)]
    except LayoutError as fault:  # answers at the foot of a page that can't have them
        faults.append(fault)
        parts = [TitlePart(setting, edition), CopyrightPart(setting, edition), *_levels(setting, edition)]
    for part in parts:
        try:
            for _ in part.compose(range(1, 2 * part.count + 1, 2), unsettled):
                pass
        except LayoutError as fault:
            faults.append(fault)
    return list({str(fault): fault for fault in faults}.values())


def _index(parts: Sequence[Part]) -> Index:
    numbered = zip(parts, _number(parts)[0], strict=True)
    return {name: page for part, page_numbers in numbered for name, page in part.places(page_numbers).items()}


def _settle(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> tuple[Setting, list[Part], int]:
    """Return the setting whose margins agree with the page count, the book's parts in it, and that count."""
    bleed = edition.spec.page.bleed
    words = words_for(edition.spec, theme, (puzzle.record.puzzle for puzzle in edition.puzzles))
    lay_flat = (edition.spec.page.binding or profile.binding) is Binding.LAY_FLAT

    @cache  # a part that was counted keeps what it found out
    def parts_with(margins: Margins) -> tuple[Setting, list[Part]]:
        setting = setting_of(edition, profile, theme, measure, words, margins)
        return setting, _parts(setting, edition)

    def count_pages(margins: Margins) -> int:
        return profile.pages_to_print(_number(parts_with(margins)[1])[1], edition.trim)

    margins, page_count = settle_margins(
        lambda pages: book_margins(profile, edition.trim, pages, bleed, lay_flat, edition.spec.page.margins),
        count_pages,
    )
    return *parts_with(margins), page_count


def _theme_for(edition: Edition, theme: Theme) -> Theme:
    """Return the theme with its type as large as page and reader want it; title and display sizes stay."""
    factor = LARGE_PRINT_TYPE if edition.spec.page.large_print else 1.0
    factor *= LARGE_PAGE_TYPE if min(edition.trim) >= LARGE_PAGE_PT else 1.0
    if factor == 1.0:
        return theme
    larger = {name: size for name, size in theme.type if name not in ("title", "display")}
    scale = theme.type.model_copy(update={name: round(size * factor, 2) for name, size in larger.items()})
    if edition.spec.page.large_print:
        scale = scale.model_copy(update={name: max(size, LARGE_PRINT_LEAST_PT) for name, size in scale})
    return theme.model_copy(update={"type": scale})


def _number(parts: Sequence[Part]) -> tuple[list[range], int]:
    """Return each part's page numbers, and the last page with anything on it."""
    numbers: list[range] = []
    following, last = 1, 0
    for part in parts:
        step = 2 if part.one_sided else 1
        waits = (part.recto or part.one_sided) and not part.setting.screen
        first = following + 1 if waits and following % 2 == 0 else following
        numbers.append(range(first, first + step * part.count, step))
        last = numbers[-1][-1]
        following = last + step
    return numbers, last


def _parts(setting: Setting, edition: Edition) -> list[Part]:
    spec, levels = edition.spec, _levels(setting, edition)
    wanted = spec.parts
    front = _own_pages(setting, spec.front, "front")
    howto = [HowtoPart(setting, edition.puzzles, spec.levels)] if wanted.how_to_play else []
    tutorial = [TutorialPart(setting, edition.puzzles)] if wanted.tutorial else []
    back = _own_pages(setting, spec.back, "back")
    notes = [NotesPart(setting, spec.notes_pages)] if spec.notes_pages else []
    parts: list[Part] = [] if edition.cover is None else [CoverPart(setting, edition.cover)]
    parts.append(TitlePart(setting, edition))
    if wanted.copyright:
        parts.append(CopyrightPart(setting, edition, colophon=wanted.colophon is Colophon.COPYRIGHT))
    if wanted.contents:
        entries = list(_entries(setting, [*front, *howto, *tutorial, *levels]))
        if spec.solutions.place is SolutionsPlace.BACK:
            entries.append(ContentsEntry(setting.words.solutions, "", SOLUTIONS_PLACE))
        parts.append(ContentsPart(setting, (*entries, *_entries(setting, [*back, *notes]))))
    parts += [*front, *howto, *tutorial, *_with_answers(setting, edition, levels), *back, *notes]
    if wanted.colophon is Colophon.END:
        parts.append(CopyrightPart(setting, edition, imprint=False))
    return parts


def _levels(setting: Setting, edition: Edition) -> list[SectionPart]:
    """Return the levels that have puzzles."""
    levels: list[SectionPart] = []
    specs, opens, right = edition.spec.levels, edition.spec.parts.openers, bool(edition.spec.parts.recto)
    for number, level in enumerate(specs):
        puzzles = tuple(puzzle for puzzle in edition.puzzles if puzzle.record.level == level.name)
        if puzzles:
            before = levels[-1] if levels else None
            levels.append(SectionPart(setting, specs, number, puzzles, before, opens, opens and right))
    if not levels:
        raise LayoutError("the book has no puzzles: give a level with a count of 1 or more")
    return levels


def _with_answers(setting: Setting, edition: Edition, levels: Sequence[SectionPart]) -> list[Part]:
    match edition.spec.solutions.place:
        case SolutionsPlace.BACK:
            return [*levels, *_answers(setting, edition)]
        case SolutionsPlace.AFTER_SECTION:
            return [part for level in levels for part in (level, SolutionsPart(setting, level.puzzles))]
        case SolutionsPlace.UPSIDE_DOWN:
            return [*levels, LastAnswersPart(setting, levels[-1].last_answers)]
        case SolutionsPlace.FILE:
            return [*levels]


def _solution_file_parts(setting: Setting, edition: Edition) -> list[Part]:
    if edition.spec.solutions.place is not SolutionsPlace.FILE:
        return []
    return _answers(setting, edition, edition.spec.title)


def _answers(setting: Setting, edition: Edition, book_title: str = "") -> list[Part]:
    opens = edition.spec.parts.openers
    recto = bool(edition.spec.parts.recto)
    opener = [SolutionsOpener(setting, edition.puzzles, book_title, recto)] if opens else []
    return [*opener, SolutionsPart(setting, tuple(edition.puzzles), named=not opens)]


def _own_pages(setting: Setting, pages: Sequence[MatterSpec], key: str) -> list[OwnPagesPart]:
    return [
        OwnPagesPart(setting, page, f"{key}[{index}]", f"{key}-{index}") for index, page in enumerate(pages)
    ]


def _entries(setting: Setting, parts: Sequence[Part]) -> Iterator[ContentsEntry]:
    words = setting.words
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
                detail = f"{range_words(setting, puzzles)} · {board_sizes(words, puzzles)}"
                yield ContentsEntry(part.level.heading, detail, level_place(part.number), f"{part.key}.name")
            case NotesPart():
                yield ContentsEntry(words.notes, "", part.place)


def _check_profile(profile: PrinterProfile, edition: Edition, pages: int | None) -> None:
    for fault in profile_faults(profile, edition.spec.page, pages):
        raise fault


def profile_faults(profile: PrinterProfile, page: PageSpec, pages: int | None) -> list[LayoutError]:
    """Return why the printer can't print a book of such a page, and of so many pages if that is known."""
    refused = f"{profile.name} can't print this book."
    return [
        LayoutError(f"{refused} {problem}", "page.trim" if problem.key == ("trim",) else "page")
        for problem in profile.check(page.trim.size, pages, page.paper)
    ]
