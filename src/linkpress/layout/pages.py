"""Lay out a whole book: choose its parts, determine the page numbers, and compose the pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from linkpress.book.printing_keys import Binding, Colophon, MatterSpec, PageSpec, SolutionsPlace
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Frame, Page
from linkpress.layout.matter import (
    CertificatePart,
    ChecklistPart,
    ContentsEntry,
    ContentsPart,
    CopyrightPart,
    CoverPart,
    HowtoPart,
    NotesPart,
    OwnPagesPart,
    TitlePart,
    back_texts,
)
from linkpress.layout.page_draft import (
    PROGRESS_PLACE,
    SOLUTIONS_PLACE,
    TIMES_PLACE,
    Index,
    PageRun,
    Part,
    level_place,
    page_run,
)
from linkpress.layout.sections import LastAnswersPart, SectionPart, SolutionsOpener, SolutionsPart
from linkpress.layout.setting import (
    LARGE_PRINT_LEAST_PT,
    Edition,
    Setting,
    book_margins,
    is_printed_grey,
    settle_margins,
)
from linkpress.layout.sheets import board_sizes
from linkpress.layout.text_flow import Measure
from linkpress.layout.theme import Theme, theme_problems, words_for
from linkpress.layout.tutorial import Tutorial
from linkpress.printers import NO_BLEED, Bleed, Margins, PrinterProfile

# Pages whose shorter side is at least 7.36 inches get larger type. The type for pages of 6 × 9 inches would
# look too small on them.
LARGE_PAGE_PT = 530.0
LARGE_PAGE_TYPE = 1.1
# Factor by which all type except titles is larger in large print. The 14 pt of headings become about 20 pt.
LARGE_PRINT_TYPE = 1.4

# Placeholder for page numbers that are not known yet. It is at least as wide as any printed page number.
_UNKNOWN_PAGE = 999


NumberedParts = Sequence[tuple[Part, range]]


class Pages(Sequence[Page]):
    """All pages of a file in order, including blank pages. A page is composed when it is first accessed.

    Accessing a page raises ``LayoutError`` if some content doesn't fit the page or a glyph is missing.

    Args:
        trim: the size of a page.
        parts: the parts of the file, each with its page numbers.
        count: the number of pages.
        index: the page number of each link target.
    """

    def __init__(self, trim: Size, parts: NumberedParts, count: int, index: Index) -> None:
        self._trim = trim
        self._parts = parts
        self._numbers = range(1, count + 1)
        self._index = index
        self._runs: dict[int, PageRun] = {}  # the pages of each part, by Python's ``id()`` of the part

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return [self[each] for each in range(len(self))[place]]
        number = self._numbers[place]
        for part, numbers in self._parts:
            if number in numbers and (page := self.run(part, numbers).get(number)):
                return page
        return Page(Frame(self._trim.width_pt, self._trim.height_pt, ()), number, "blank")

    def run(self, part: Part, numbers: range) -> PageRun:
        if id(part) not in self._runs:
            self._runs[id(part)] = page_run(part, numbers, self._index)
        return self._runs[id(part)]

    @property
    def sample(self) -> list[int]:
        """Return the indices of sample pages, which together have all layouts that occur in the file.

        Each page that is not in the sample is blank, or has the same layout as a page of the sample.
        """
        return sorted(number - 1 for part in self._parts for number in self.run(*part).sample)


@dataclass(frozen=True)
class Book:
    """Complete layout of a book.

    Args:
        setting: the edition with its printer, fonts, words and margins.
        page_count: the number of pages.
        parts: the parts of the book, each with its page numbers.
        solution_parts: the parts of a separate file of answers, each with its page numbers, which start at 1.
            Empty if the answers are in the book.
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

    @cached_property
    def pages(self) -> Pages:
        return Pages(self.trim, self.parts, self.page_count, self.index)

    @cached_property
    def solutions(self) -> Pages:
        """Return the pages of the separate file of answers.

        It has no pages if the answers are in the book.
        """
        count = self.solution_parts[-1][1][-1] if self.solution_parts else 0
        return Pages(self.trim, self.solution_parts, count, self.index)

    @property
    def edition(self) -> Edition:
        return self.setting.edition

    @property
    def trim(self) -> Size:
        return self.setting.trim

    @property
    def margins(self) -> Margins:
        return self.setting.margins

    @property
    def bleeds(self) -> tuple[Bleed, Bleed]:
        """Return the bleed of a right-hand page, then the bleed of a left-hand page."""
        profile = self.setting.profile
        has_bleed = self.setting.page.bleed
        return (profile.bleed_of(True), profile.bleed_of(False)) if has_bleed else (NO_BLEED, NO_BLEED)

    @property
    def coloured(self) -> bool:
        """Return whether anything in the book may be printed in inks other than black."""
        setting, edition = self.setting, self.setting.edition
        has_inks = setting.theme.has_colours or bool(edition.title_inks)
        return has_inks or (bool(edition.pictures) and not is_printed_grey(setting.page, setting.profile))


def layout_book(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> Book:
    """Lay out a book.

    Raises:
        LayoutError: some content doesn't fit. The message says where, and what to change.
    """
    book, problems = try_layout(edition, profile, theme, measure)
    if book is None:
        raise problems[0]
    return book


def try_layout(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> tuple[Book | None, list[LayoutError]]:
    """Lay out a book. Collect all problems instead of raising the first.

    To find the problems, some pages of each kind are composed. The other pages of the same kind have the same
    layout, so they would have the same problems.

    The width of the inner margins can depend on the number of pages, and the number of pages on the margins.
    If no margins and page count are found that suit each other, the parts of the book are composed with the
    margins of a thin book. In this way, their other problems can be listed too.

    Returns:
        The book and an empty list, or None and the problems.
    Raises:
        UsageError: the printer doesn't offer the paper that the spec asks for.
    """
    book, problems = _plan(edition, profile, theme, measure)
    numbered: list[tuple[Pages, Part, range | None]]
    if book is not None:
        numbered = [(book.pages, *part) for part in book.parts]
        numbered += [(book.solutions, *part) for part in book.solution_parts]
    else:
        pages = Pages(edition.trim, (), 0, defaultdict(lambda: _UNKNOWN_PAGE))
        stand_ins = _stand_in_parts(edition, profile, theme, measure, problems)
        numbered = [(pages, part, None) for part in stand_ins]
    for pages, part, numbers in numbered:
        try:
            # The page numbers are not known if the book can't be laid out. To find problems anyway, compose
            # the pages as right-hand pages, with the numbers 1, 3, 5 and so on.
            run = pages.run(part, numbers or range(1, 2 * part.count + 1, 2))
            for number in run.sample:
                run.get(number)
        except LayoutError as error:
            problems.append(error)
    if problems:
        return None, list({str(problem): problem for problem in problems}.values())
    return book, []


def plan_pages(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> Book:
    """Decide which page each part and each board is on, without composing any page.

    Raises:
        LayoutError: some content doesn't fit, or the printer can't print the book.
    """
    book, problems = _plan(edition, profile, theme, measure)
    if book is None or problems:
        raise problems[0]
    return book


def _plan(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> tuple[Book | None, list[LayoutError]]:
    """Plan the pages of a book, and find the problems that a printer would have with it.

    Returns:
        The book and its problems. The book is None if it can't be laid out. The reason is then one
        of the problems.
    """
    page = edition.spec.page
    profile.paper(page.paper, "page.paper")
    problems = []
    if in_theme := theme_problems(theme, profile, page.paper):
        listed = " ".join(f"{', '.join(keys)} — {problem}" for problem, keys in in_theme.items())
        message = f"the theme {theme.name} can't be used with {profile.name}. {listed}"
        problems.append(LayoutError(message, "theme"))
    try:
        setting, parts, page_count = _settle(edition, profile, theme, measure)
        book = Book(setting, page_count, _numbered(parts), _numbered(_solution_file_parts(setting)))
    except LayoutError as error:
        return None, [*problems, *page_problems(profile, page, None), error]
    return book, [*problems, *page_problems(profile, page, page_count)]


def page_problems(profile: PrinterProfile, page: PageSpec, pages: int | None) -> list[LayoutError]:
    """Return the reasons why the printer can't print a book with these page settings.

    Args:
        pages: the number of pages, or None if it isn't known yet.
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
    """Find margins and a page count that suit each other.

    Returns:
        The setting (theme, fonts, words and margins of all pages), the parts of the book with these margins,
        and the page count.
    """
    spec = edition.spec
    words = words_for(spec, theme, (puzzle.record.puzzle for puzzle in edition.puzzles))
    lay_flat = (spec.page.binding or profile.binding) is Binding.LAY_FLAT
    theme, widths_pt = _theme_for(edition, profile, theme), dict[tuple[bool, int], float]()

    # This function is called several times with the same margins. To count its pages, a part typesets
    # its text and stores the result. The cache returns the same parts for equal margins, so no text
    # is typeset twice.
    @cache
    def parts_with(margins: Margins) -> tuple[Setting, list[Part]]:
        setting = Setting(edition, profile, theme, measure, words, margins, widths_pt)
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
    """Return the parts of a book (title page, levels and so on), laid out with the margins of a thin book.

    The book's own margins are unknown, because they could not be computed. The parts that are returned are
    only used to find more problems of the book. If there is an error while the list of parts is put together,
    it is added to ``problems``, and only the title page, the copyright page and the levels are returned.
    """
    margins = book_margins(profile, edition.trim, 1, edition.spec.page.bleed)
    words = edition.spec.wording()
    setting = Setting(edition, profile, _theme_for(edition, profile, theme), measure, words, margins)
    try:
        return [*_parts(setting), *_solution_file_parts(setting)]
    except LayoutError as error:
        problems.append(error)
        return [TitlePart(setting), CopyrightPart(setting), *_levels(setting)]


def _theme_for(edition: Edition, profile: PrinterProfile, theme: Theme) -> Theme:
    """Return the theme with larger type for large pages and for large print. Titles keep their size.

    If the paper is printed in black only, the theme's colours become shades of grey.
    """
    page = edition.spec.page
    if not edition.screen and is_printed_grey(page, profile):
        theme = theme.in_grey()
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
    """Return the parts with their page numbers.

    In a printed book some parts must begin on a right-hand page.
    """
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
    back = _own_pages(setting, spec.back, "back")
    has_times = part_keys.times or any(level.target_minutes for level in spec.levels)
    wanted = ((PROGRESS_PLACE, part_keys.progress), (TIMES_PLACE, has_times))
    lists = [ChecklistPart(setting, place) for place, is_wanted in wanted if is_wanted]
    award = [CertificatePart(setting)] if part_keys.certificate else []
    notes = [NotesPart(setting)] if spec.notes_pages else []
    back_parts = [*lists, *award, *back, *_back_texts(setting), *notes]
    cover = setting.edition.cover
    parts: list[Part] = [] if cover is None else [CoverPart(setting, cover)]
    parts.append(TitlePart(setting))
    if part_keys.copyright:
        parts.append(CopyrightPart(setting, colophon=part_keys.colophon is Colophon.COPYRIGHT))
    if part_keys.contents:
        entries = list(_entries(setting, [*front, *howto, *levels]))
        if spec.solutions.place is SolutionsPlace.BACK:
            entries.append(ContentsEntry(setting.words.solutions, "", SOLUTIONS_PLACE))
        parts.append(ContentsPart(setting, (*entries, *_entries(setting, back_parts))))
    parts += [*front, *howto, *_with_answers(setting, levels), *back_parts]
    if part_keys.colophon is Colophon.END:
        parts.append(CopyrightPart(setting, imprint=False, colophon=True))
    return parts


def _levels(setting: Setting) -> list[SectionPart]:
    """Return the levels that have puzzles.

    Raises:
        LayoutError: no level has puzzles.
    """
    levels: list[SectionPart] = []
    tutorial = Tutorial(setting) if setting.spec.parts.tutorial else None
    for number, level in enumerate(setting.spec.levels):
        puzzles = tuple(each for each in setting.edition.puzzles if each.record.level == level.name)
        if puzzles:
            levels.append(SectionPart(setting, number, puzzles, levels[-1] if levels else None, tutorial))
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


def _back_texts(setting: Setting) -> Iterator[OwnPagesPart]:
    puzzles = setting.edition.puzzles
    for place, (key, text) in enumerate(back_texts(setting.spec, setting.words), 1):
        ornament = puzzles[-1 - place % len(puzzles)].record.solution
        yield OwnPagesPart(setting, text, f"parts.{key}", key, ornament)


def _entries(setting: Setting, parts: Sequence[Part]) -> Iterator[ContentsEntry]:
    words, sections = setting.words, [part for part in parts if isinstance(part, SectionPart)]
    for part in parts:
        match part:
            case OwnPagesPart(matter=matter, where=where):
                if matter.title and part.place != "review":
                    yield ContentsEntry(matter.title, "", part.place, where)
            case HowtoPart():
                yield ContentsEntry(words.how_to_play, "", part.place)
            case SectionPart(puzzles=puzzles):
                first, last = puzzles[0].number, puzzles[-1].number
                detail = str(first) if first == last else f"{first}–{last}"
                if len({board_sizes(words, part.puzzles) for part in sections}) > 1:
                    detail += f" · {board_sizes(words, puzzles)}"
                yield ContentsEntry(part.heading, detail, level_place(part.number), f"{part.key}.name")
            case ChecklistPart():
                yield ContentsEntry(part.title, "", part.place)
            case CertificatePart():
                yield ContentsEntry(words.back_matter.certificate, "", part.place)
            case NotesPart():
                yield ContentsEntry(words.notes, "", part.place)
