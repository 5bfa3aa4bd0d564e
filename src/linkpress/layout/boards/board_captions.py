"""A board's caption has its number and what it is, the page of its answer, and a QR code to play it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby

from linkpress.book.printing_keys import CaptionsSpec, GradeMark, SolutionsPlace
from linkpress.book.volume import NumberedPuzzle
from linkpress.errors import LayoutError
from linkpress.layout.boards.ornaments import star_row, stars_width
from linkpress.layout.edition import Index, Setting, puzzle_place, solution_place
from linkpress.layout.frame import Anchor, Area, FontKey, Frame, Rect, Rects
from linkpress.layout.page_draft import ASCENT, PageDraft
from linkpress.layout.theme import TypeScale
from linkpress.puzzle.notation.pzpr import puzzle_url

LINE = 1.35  # of the size, from the caption's first baseline to its second
CAPTION_GAP_PT = 3.0  # kept free between the captions of two boards
STAR = 0.86  # a star's width, of the size of type
TIME_LEADING = 2.2  # of the size, below a board
TIME_RULE = 8.0  # of the size: the line for the time
WIDEST_PAGE = 888  # three digits, for judging whether a caption fits
QUIET_MODULES = 4  # of white on every side, as ISO/IEC 18004 asks
LONGEST_CODE = 300  # characters: 69 modules, the quiet zone included, of 0.29 mm in a code of 20 mm
STURDY_CODE = 120  # characters up to which a code may lose 15 % of itself; longer ones 7 %


@dataclass(frozen=True)
class Captions:
    """These captions stand at puzzles, or at answers."""

    setting: Setting
    answers: bool

    @property
    def sizes_pt(self) -> tuple[float, float, float]:
        """Return the sizes of the number and of the other words, and the gap above the board."""
        scale: TypeScale = self.setting.theme.type
        if self.answers:
            return scale.caption, scale.small, 0.55 * scale.caption
        return scale.number, scale.caption, 0.62 * scale.number

    def height_pt(self, lines: int) -> float:
        """Return the room that a caption of so many lines takes above its board."""
        number_pt, text_pt, gap_pt = self.sizes_pt
        return ASCENT * number_pt + gap_pt + (lines - 1) * LINE * text_pt

    def fits(self, puzzle: NumberedPuzzle, cell_pt: float) -> bool:
        """Tell whether one line has room for the caption over a board with such squares."""
        measure, (number_pt, text_pt, _) = self.setting.measure, self.sizes_pt
        words = self.detail(puzzle) + (self.page_words(WIDEST_PAGE) if self._keys.page else "")
        needed = measure.width(str(puzzle.number), FontKey.SEMIBOLD, number_pt)
        needed += measure.width(words, FontKey.REGULAR, text_pt)
        needed += 0.6 * number_pt + text_pt
        if self.stars(puzzle) is not None:
            needed += stars_width(STAR * text_pt) + 0.6 * text_pt
        return needed <= cell_pt * puzzle.record.puzzle.grid.cols

    def put(
        self,
        draft: PageDraft,
        puzzle: NumberedPuzzle,
        board: Area,
        room_pt: tuple[float, float],
        index: Index,
    ) -> None:
        """Set a caption above its board; words too long for their line are set smaller.

        Args:
            room_pt: the width that there is from the board's left edge, and the height kept above the
                board, which says whether the caption has one line or two.
        Raises:
            LayoutError: a line is too long at the printer's least size.
        """
        (width_pt, height_pt), where = room_pt, f"the caption of puzzle {puzzle.number}"
        number_pt, text_pt, gap_pt = self.sizes_pt
        other = puzzle_place(puzzle.number) if self.answers else solution_place(puzzle.number)
        y = board.top + gap_pt
        two_lines = height_pt > self.height_pt(2) - 0.01
        if self._keys.page:
            start = (board.x if two_lines else board.right, y)
            anchor = Anchor.START if two_lines else Anchor.END
            run = draft.text(
                self.page_words(index[other]), start, text_pt, anchor=anchor, where=where, within=width_pt
            )
            draft.link(run, other)
        if two_lines:
            y += LINE * text_pt
        number = draft.text(str(puzzle.number), (board.x, y), number_pt, strong=True)
        if not self._keys.page:
            draft.link(number, other)
        x = number.x + number.width_pt + 0.6 * number_pt
        detail, stars = self.detail(puzzle), self.stars(puzzle)
        if detail:
            left = board.x + width_pt - x - (0.0 if stars is None else stars_width(STAR * text_pt))
            run = draft.text(detail, (x, y), text_pt, where=where, within=left)
            x += run.width_pt + 0.6 * text_pt
        if stars is not None:
            least_pt = self.setting.profile.limits.line_pt
            draft.add(star_row(stars, x, y + 0.35 * text_pt, STAR * text_pt, least_pt))

    @property
    def below_pt(self) -> float:
        """Return what is kept free below a board for the line that the time is written on."""
        return TIME_LEADING * self.sizes_pt[1] if self._has_time else 0.0

    def put_time(self, draft: PageDraft, board: Area) -> None:
        """Set the line for the time below a board, if the captions have one."""
        if not self._has_time:
            return
        size = self.sizes_pt[1]
        y = board.y - 0.8 * TIME_LEADING * size
        run = draft.text(
            self.setting.words.time, (board.x, y), size, where="the time's caption", within=board.width
        )
        left = run.x + run.width_pt + 0.5 * size
        right = max(left, min(left + TIME_RULE * size, board.x + 0.6 * board.width))
        draft.add([Rects(((left, y - 1.0, right - left, self.setting.theme.rule_pt),))])

    @property
    def _has_time(self) -> bool:
        return self._keys.time and not self.answers

    @property
    def _keys(self) -> CaptionsSpec:
        return self.setting.captions

    def page_words(self, page: int) -> str:
        """Say where the answer to a puzzle is, or the puzzle of an answer."""
        words, place = self.setting.words, self.setting.solutions.place
        if self.answers:
            return words.say(words.puzzle_on, page=str(page))
        apart = place is SolutionsPlace.FILE
        return words.say(words.solution_in_file if apart else words.solution_on, page=str(page))

    def detail(self, puzzle: NumberedPuzzle) -> str:
        """Return a puzzle's size and grade, as the spec wants them; nothing at answers."""
        if self.answers:
            return ""
        words, grid, grade = self.setting.words, puzzle.record.puzzle.grid, puzzle.record.grade
        parts = [words.say(words.size, cols=grid.cols, rows=grid.rows)] if self._keys.size else []
        if grade is not None and self._keys.grade is GradeMark.WORDS:
            parts.append(words.grades[grade])
        return " · ".join(parts)

    def stars(self, puzzle: NumberedPuzzle) -> int | None:
        """Return how many stars a puzzle's caption shows filled; None for no stars at all."""
        shown = not self.answers and self._keys.grade is GradeMark.STARS
        return puzzle.record.printed_stars if shown else None


def puzzle_code_text(template: str, puzzle: NumberedPuzzle, play_url: str | None = None) -> str:
    """Fill in a puzzle's code, with ``{number}`` and ``{url}``: puzz.link's if there is no ``play_url``."""
    values = {"number": str(puzzle.number)}
    if play_url:
        values["url"] = f"{play_url}#{puzzle.number}"
    elif "{url}" in template:
        board = puzzle.record.puzzle
        if board.grid.solids:
            raise LayoutError(
                f"puzzle {puzzle.number} has solid squares and puzz.link knows none, so there is no "
                "{url} for it. Give the book a player of its own with play.url, use an address with "
                "{number}, or levels without solids.",
                "qr.text",
            )
        values["url"] = puzzle_url(board, filled=puzzle.record.rule.covers)
    return _filled(template, values, "{url} and {number}")


def section_code_text(template: str, level: int, first: int, last: int, play_url: str | None = None) -> str:
    """Fill in a level's code, with ``{level}``, ``{first}``, ``{last}`` and, if it is played, ``{url}``."""
    values = {"level": str(level), "first": str(first), "last": str(last)}
    if play_url:
        values["url"] = f"{play_url}#{first}"
    return _filled(template, values, "{level}, {first} and {last}")


def _filled(template: str, values: Mapping[str, str], known: str) -> str:
    try:
        text = template.format_map(values)
    except (KeyError, IndexError, ValueError, AttributeError) as fault:
        raise LayoutError(
            f"{template[:80]!r} can't be filled in; {known} are known here.", "qr.text"
        ) from fault
    if not 0 < len(text) <= LONGEST_CODE:
        raise LayoutError(f"{len(text)} characters; a code holds 1 to {LONGEST_CODE}.", "qr.text")
    return text


def qr_frame(text: str, size_pt: float) -> Frame:
    """Draw a code as a square, its quiet zone included."""
    level = "m" if len(text) <= STURDY_CODE else "l"
    import segno  # few books have codes: 20 ms

    code = segno.make(text, error=level, micro=False, boost_error=False)
    rows = [[bool(dark) for dark in row] for row in code.matrix]
    module = size_pt / (len(rows) + 2 * QUIET_MODULES)
    boxes: list[Rect] = []
    for index, row in enumerate(rows):
        y = size_pt - (QUIET_MODULES + index + 1) * module
        start = 0
        for dark, run in groupby(row):
            length = len(list(run))
            if dark:
                boxes.append(((QUIET_MODULES + start) * module, y, length * module, module))
            start += length
    return Frame(size_pt, size_pt, (Rects(tuple(boxes)),))
