"""A volume as the pages of a book, in the order in which a good book has them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.book.printing_keys import Binding, Colophon, MatterSpec, PageSpec, SolutionsPlace
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.lengths import Size
from linkpress.errors import LayoutError
from linkpress.layout.boards.sheets import board_sizes, range_words
from linkpress.layout.book_parts.contents import ContentsEntry, ContentsPart
from linkpress.layout.book_parts.howto import HowtoPart
from linkpress.layout.book_parts.own_pages import NotesPart, OwnPagesPart
from linkpress.layout.book_parts.sections import LastAnswersPart, SectionPart, SolutionsOpener, SolutionsPart
from linkpress.layout.book_parts.title import CopyrightPart, CoverPart, TitlePart
from linkpress.layout.book_parts.tutorial import TutorialPart
from linkpress.layout.edition import (
    HOWTO_PLACE,
    NOTES_PLACE,
    SOLUTIONS_PLACE,
    TUTORIAL_PLACE,
    Edition,
    Index,
    Part,
    Setting,
    level_place,
)
from linkpress.layout.frame import Frame, Page
from linkpress.layout.measure import Measure
from linkpress.layout.page_geometry import book_margins, settle_margins
from linkpress.layout.pictures import is_printed_grey
from linkpress.layout.theme import Theme, check_theme, words_for
from linkpress.printers.profile import NO_BLEED, Bleed, Margins, PrinterProfile

LARGE_PAGE_PT = 530.0  # shorter side of the trim, 7.36 in: type for 6 × 9 in looks lost on letter or A4
LARGE_PAGE_TYPE = 1.1
LATE_PAGE = 999  # where a place is that can't be told; as wide as a page number comes
LARGE_PRINT_TYPE = 1.4  # small print of 7.5 pt becomes 10.5, text of 10 pt becomes 14


@dataclass(frozen=True)
class Book:
    """A book laid out.

    Args:
        pages: in order, as many as the printer takes.
        bleeds: of a recto and a verso.
        margins: that were settled on; the inside one follows from the page count.
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
        """Pages of the file, blank ones included."""
        return len(self.pages)


def layout_book(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> Book:
    """Lay out a book.

    Raises:
        LayoutError: a theme, trim, page count or square outside the profile, or a character
            without a glyph; names the place, the rule and what to change.
    """
    check_theme(theme, profile, edition.spec.page.paper)
    _check_profile(profile, edition, None)
    setting, page_count = _settle(edition, profile, _theme_for(edition, theme), measure)
    _check_profile(profile, edition, page_count)
    parts, apart = _parts(setting), _apart(setting)
    index = {**_index(parts), **_index(apart)}
    made = {page.number: page for page in _compose(parts, index)}
    blank = Frame(edition.trim.width_pt, edition.trim.height_pt, ())
    pages = tuple(made.get(at) or Page(blank, at, "blank") for at in range(1, page_count + 1))
    solutions = tuple(_compose(apart, index))
    coloured = any(not ink.is_grey for _, ink in theme.inks)
    coloured |= bool(edition.pictures) and not is_printed_grey(edition.spec, profile)
    bleeds = _bleeds(profile, edition)
    return Book(pages, edition.trim, bleeds, setting.margins, index, edition, coloured, solutions)


def layout_faults(
    edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure
) -> list[LayoutError]:
    """Everything for which a book can't be laid out, each part of it judged for itself.

    Args:
        edition: of a book that ``layout_book`` refuses.
    """
    faults = profile_faults(profile, edition.spec.page, None)
    theme = _theme_for(edition, theme)
    try:
        setting, page_count = _settle(edition, profile, theme, measure)
        faults = profile_faults(profile, edition.spec.page, page_count)
    except LayoutError as fault:
        faults.append(fault)
        margins = book_margins(profile, edition.trim, 1, edition.spec.page.bleed)
        setting = Setting(edition, profile, theme, measure, edition.spec.wording(), margins)
    unsettled: Index = defaultdict(lambda: LATE_PAGE)
    try:
        parts = [*_parts(setting), *_apart(setting)]
    except LayoutError as fault:  # answers at the foot of a page that can't have them
        faults.append(fault)
        parts = [TitlePart(setting), CopyrightPart(setting), *_levels(setting)]
    for part in parts:
        try:
            for _ in part.compose(range(1, 2 * part.count + 1, 2), unsettled):
                pass
        except LayoutError as fault:
            faults.append(fault)
    return list({str(fault): fault for fault in faults}.values())


def _index(parts: Sequence[Part]) -> Index:
    """The page of each named place."""
    numbered = zip(parts, _number(parts)[0], strict=True)
    return {name: at for part, own in numbered for name, at in part.places(own).items()}


def _compose(parts: Sequence[Part], index: Index) -> Iterator[Page]:
    for part, own in zip(parts, _number(parts)[0], strict=True):
        yield from part.compose(own, index)


def _settle(edition: Edition, profile: PrinterProfile, theme: Theme, measure: Measure) -> tuple[Setting, int]:
    """The setting whose margins agree with the page count, and that count."""
    bleed = edition.spec.page.bleed
    words = words_for(edition.spec, theme, (one.record.puzzle for one in edition.puzzles))
    lay_flat = (edition.spec.page.binding or profile.binding) is Binding.LAY_FLAT

    def setting_with(margins: Margins) -> Setting:
        return Setting(edition, profile, theme, measure, words, margins)

    def count_pages(margins: Margins) -> int:
        return profile.pages_to_print(_number(_parts(setting_with(margins)))[1], edition.trim)

    margins, page_count = settle_margins(
        lambda pages: book_margins(profile, edition.trim, pages, bleed, lay_flat), count_pages
    )
    return setting_with(margins), page_count


def _theme_for(edition: Edition, theme: Theme) -> Theme:
    """The theme with its type as large as page and reader want it."""
    factor = LARGE_PRINT_TYPE if edition.spec.page.large_print else 1.0
    factor *= LARGE_PAGE_TYPE if min(edition.trim) >= LARGE_PAGE_PT else 1.0
    return theme if factor == 1.0 else theme.model_copy(update={"type": theme.type.scaled(factor)})


def _number(parts: Sequence[Part]) -> tuple[list[range], int]:
    """Each part's page numbers, and the last page with anything on it."""
    numbers: list[range] = []
    following, last = 1, 0
    for part in parts:
        step = 2 if part.one_sided else 1
        waits = (part.recto or part.one_sided) and not part.setting.edition.screen
        first = following + 1 if waits and following % 2 == 0 else following
        own = range(first, first + step * part.count, step)
        numbers.append(own)
        if own:
            last = own[-1]
            following = last + step
    return numbers, last


def _parts(setting: Setting) -> list[Part]:
    """The book's parts, in order."""
    levels = _levels(setting)
    front = _own_pages(setting, setting.spec.front, "front")
    back = _own_pages(setting, setting.spec.back, "back")
    notes = [NotesPart(setting, setting.spec.notes_pages)] if setting.spec.notes_pages else []
    wanted = setting.spec.parts
    tutorial = [TutorialPart(setting)] if wanted.tutorial else []
    first: list[tuple[bool, Part]] = [
        (setting.edition.cover is not None, CoverPart(setting)),
        (True, TitlePart(setting)),
        (wanted.copyright, CopyrightPart(setting, colophon=wanted.colophon is Colophon.COPYRIGHT)),
        (wanted.contents, ContentsPart(setting, tuple(_entries(setting, front, tutorial, levels, back)))),
    ]
    howto = [HowtoPart(setting)] if wanted.how_to_play else []
    colophon = [CopyrightPart(setting, imprint=False)] if wanted.colophon is Colophon.END else []
    opening = [part for is_wanted, part in first if is_wanted]
    return [*opening, *front, *howto, *tutorial, *_with_answers(setting, levels), *back, *notes, *colophon]


def _levels(setting: Setting) -> list[SectionPart]:
    """The levels that have puzzles; a level of which there are none is left out."""
    levels: list[SectionPart] = []
    for at, level in enumerate(setting.spec.levels):
        puzzles = _of_level(setting.edition, level.name)
        if puzzles:
            levels.append(SectionPart(setting, level, at, puzzles, levels[-1] if levels else None))
    if not levels:
        raise LayoutError("the book has no puzzles: give a level with a count of 1 or more")
    return levels


def _with_answers(setting: Setting, levels: Sequence[SectionPart]) -> list[Part]:
    """The levels and, where the book has them, the answers."""
    match setting.spec.solutions.place:
        case SolutionsPlace.BACK:
            return [*levels, *_answers(setting)]
        case SolutionsPlace.AFTER_SECTION:
            return [one for part in levels for one in (part, SolutionsPart(setting, part.puzzles))]
        case SolutionsPlace.UPSIDE_DOWN:
            return [*levels, LastAnswersPart(setting, levels[-1].last_answers)]
        case SolutionsPlace.FILE:
            return [*levels]


def _apart(setting: Setting) -> list[Part]:
    """The parts of the file of solutions, if there is one."""
    return _answers(setting) if setting.spec.solutions.place is SolutionsPlace.FILE else []


def _answers(setting: Setting) -> list[Part]:
    opens = setting.spec.parts.openers
    opener = [SolutionsOpener(setting)] if opens else []
    return [*opener, SolutionsPart(setting, tuple(setting.edition.puzzles), named=not opens)]


def _own_pages(setting: Setting, pages: Sequence[MatterSpec], key: str) -> list[OwnPagesPart]:
    return [OwnPagesPart(setting, page, f"{key}[{at}]", f"{key}-{at}") for at, page in enumerate(pages)]


def _entries(
    setting: Setting,
    front: Sequence[OwnPagesPart],
    tutorial: Sequence[TutorialPart],
    levels: Sequence[SectionPart],
    back: Sequence[OwnPagesPart],
) -> Iterator[ContentsEntry]:
    words = setting.words
    yield from _own_entries(front)
    if setting.spec.parts.how_to_play:
        yield ContentsEntry(words.how_to_play, "", HOWTO_PLACE)
    for part in tutorial:
        yield ContentsEntry(part.title, "", TUTORIAL_PLACE)
    for level in levels:
        detail = f"{range_words(setting, level.puzzles)} · {board_sizes(setting, level.puzzles)}"
        yield ContentsEntry(level.level.name, detail, level_place(level.at), f"levels[{level.at}].name")
    if setting.spec.solutions.place is SolutionsPlace.BACK:
        yield ContentsEntry(words.solutions, "", SOLUTIONS_PLACE)
    yield from _own_entries(back)
    if setting.spec.notes_pages:
        yield ContentsEntry(words.notes, "", NOTES_PLACE)


def _own_entries(parts: Sequence[OwnPagesPart]) -> Iterator[ContentsEntry]:
    for part in parts:
        if part.matter.title:
            yield ContentsEntry(part.matter.title, "", part.place, part.where)


def _of_level(edition: Edition, name: str) -> tuple[NumberedPuzzle, ...]:
    return tuple(puzzle for puzzle in edition.puzzles if puzzle.record.level == name)


def _bleeds(profile: PrinterProfile, edition: Edition) -> tuple[Bleed, Bleed]:
    if not edition.spec.page.bleed:
        return NO_BLEED, NO_BLEED
    return profile.bleed_of(True), profile.bleed_of(False)


def _check_profile(profile: PrinterProfile, edition: Edition, pages: int | None) -> None:
    for fault in profile_faults(profile, edition.spec.page, pages):
        raise fault


def profile_faults(profile: PrinterProfile, page: PageSpec, pages: int | None) -> list[LayoutError]:
    """Why the printer can't print a book of such a page.

    Args:
        pages: in the file; None where it is not known yet.
    """
    return [
        LayoutError(
            f"{profile.name} can't print this book. {problem}",
            "page.trim" if problem.key == ("trim",) else "page",
        )
        for problem in profile.check(page.trim.size, pages, page.paper)
    ]
