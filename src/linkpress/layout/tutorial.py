"""Tutorial: worked examples that teach the techniques which the puzzles of a level need.

An example comes before the puzzles of its level. It is a small board that can't be solved without the
technique that it teaches. A picture shows each step. The boards are in ``config/lessons.yaml``, and the
book's seed selects among them. They are not puzzles of the book, so they give no answer away.

The page count is planned before the puzzles are made, so it must not depend on the technique. Therefore all
examples have the same number of pictures, and pages are counted for the largest board and the longest
captions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, TypeVar
from zlib import crc32

from linkpress.book.level import LevelSpec, MaskKeys
from linkpress.book.printing_keys import Numbers
from linkpress.book.volume import NumberedPuzzle
from linkpress.engine.ladder import TECHNIQUES, Technique, climb_ladder, position_of, rung_of
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.errors import LayoutError
from linkpress.layout.boards import cell_for_size
from linkpress.layout.frame import Area, FontKey, Page, Placed
from linkpress.layout.page_draft import ASCENT, DESCENT, PageDraft, heading_foot, page_heading
from linkpress.layout.setting import Edition, Setting
from linkpress.layout.step_pictures import (
    MARGIN,
    StepPicture,
    StepPictures,
    lesson_inks,
    sentence_lines,
    sentence_runs,
)
from linkpress.layout.text_flow import LEADING, Block, TextLine, break_lines, flow, font_for, text_block
from linkpress.layout.theme import Theme, colours_of
from linkpress.puzzle.link_text import parse_board_rows
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.resources import read_table
from linkpress.words import FIELD, Words, with_colour_names

if TYPE_CHECKING:
    from linkpress.engine.explain.phrase_tree import FilledPhrase
    from linkpress.engine.explain.steps import Step


PICTURES = 6  # number of pictures in each worked example
LARGEST = Grid(7, 6)  # maximum number of rows and of columns on the board of a worked example

# A technique is taught only if at least this fraction of a level's puzzles need it.
_LEAST_SHARE = 0.1

# Possible ways to divide an example's pictures among its pages. The first page has the least room, because it
# also has the introduction.
SHARES = ((6,), (3, 3), (2, 2, 2), (1, 2, 2, 1), (1, 1, 1, 1, 1, 1))
# Possible numbers of pictures in a row, for layouts with the explaining sentence below each picture.
COLUMNS = (2, 3, 1)
# A layout's ``cols`` is the number of pictures in a row. If it has this special value, there is one picture
# in a row, and the sentence that explains the picture is beside it instead of below it.
BESIDE = 0
# Width of the sentence beside a picture, as a fraction of the page's width between its margins.
BESIDE_SHARE = 0.36
GAP_PT = 20.0  # gap between two pictures in points
LARGEST_CELL_PT = 34.0  # maximum cell width in a worked example, in points
COMFORTABLE_CELL_PT = 13.5  # cell width in points below which a worked example is spread over more pages
LEAST_CELL_PT = 11.0  # minimum cell width in a worked example, in points, so that numbers are legible
LARGE_PRINT = 1.4  # factor by which the cells of worked examples are larger in large print
FIRST_LINE = 1.4  # distance from a board to the first baseline below it, as a multiple of the type size

# Only this many of the longest captions are measured to find the caption that needs the most lines.
_MEASURED = 8

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Lesson:
    """Worked example that precedes the puzzles of a level.

    Args:
        technique: the name of the technique that the example teaches.
        rule: the rule that paths must obey. The board has exactly one solution under this rule.
        colours: the name of each pair's colour, if the captions name colours instead of numbers. Otherwise
            empty.
        is_first: whether it is the book's first example, which also explains how to read the pictures.
    """

    technique: str
    puzzle: Puzzle
    rule: Rule
    colours: Mapping[int, str]
    is_first: bool

    def title(self, words: Words, level: str) -> str:
        return words.say(words.tutorial, level=level, technique=words.techniques[self.technique].name)

    @property
    def steps(self) -> tuple[tuple[Step, FilledPhrase], ...]:
        return _steps_of(self.puzzle, self.rule)

    @property
    def names_squares(self) -> bool:
        """Return whether any caption names a cell, so that the pictures need labels for rows and columns."""
        from linkpress.engine.explain.phrase_tree import Square

        return any(isinstance(part, Square) for _, caption in self.steps for _, part in caption.parts)

    def captions(self, words: Words) -> list[str]:
        """Return the texts below the pictures, one for each. The last also says that the board is solved."""
        said = [with_colour_names(caption, self.colours) for _, caption in self.steps]
        *texts, last = map(words.steps.text_of, said)
        return [*texts, f"{last}{words.sentence_gap}{words.tutorial_end}"]

    def intro(self, setting: Setting) -> list[str]:
        """Return the paragraphs above the pictures: the technique, and how to read the pictures."""
        words = setting.words
        return [
            words.techniques[self.technique].lesson,
            *([_how_to_read(setting)] if self.is_first else []),
            *([words.tutorial_squares] if self.names_squares else []),
        ]

    def pictures(self, setting: Setting, cell_pt: float, name: str) -> Iterator[StepPicture]:
        """Draw the board after each step.

        Args:
            cell_pt: the width of a cell in points.
            name: the prefix of the pictures' names.
        """
        theme, steps = lesson_theme(setting.theme, self), [step for step, _ in self.steps]
        pictures = StepPictures(
            self.puzzle,
            cell_pt,
            theme,
            setting.measure,
            inks=lesson_inks(setting.theme, self.puzzle),
            min_text_pt=setting.min_text_pt,
            colours=self.colours,
            has_labels=self.names_squares,
        )
        return pictures.of(zip(steps, self.captions(setting.words), strict=True), name)


@cache  # Cached, because solving a board takes about 30 ms and a book is laid out several times.
def _steps_of(puzzle: Puzzle, rule: Rule) -> tuple[tuple[Step, FilledPhrase], ...]:
    # Import only when needed, because loading this module takes 20 ms.
    from linkpress.engine.explain.steps import explain_climb

    return _in_few_pictures(puzzle, tuple(explain_climb(puzzle, climb_ladder(position_of(puzzle, rule)))))


def _in_few_pictures(puzzle: Puzzle, single: Sequence[Step]) -> tuple[tuple[Step, FilledPhrase], ...]:
    """Combine the steps of a solve until there are at most ``PICTURES`` steps, one for each picture.

    A counting step is a step that a reader can check just by counting the sides through which a line can
    leave a square. First, two neighbouring counting steps are combined, then two others, and so on. Each
    time, the two steps are chosen so that the remaining steps have as many different captions as possible. If
    several choices are equally good, the lines are spread as evenly as possible over the pictures.

    If there are still too many steps, the first steps are combined into one, but only steps before the first
    one that needs the hardest technique. If that is not enough, the last steps are combined into one, but
    only steps after the last one that needs the hardest technique.

    Returns:
        The steps, each with its caption. There may be more than ``PICTURES`` if many steps need the hardest
        technique.
    """
    from linkpress.engine.explain.phrase_tree import phrase
    from linkpress.engine.explain.steps import combined, counting_step, is_counting

    @cache
    def joined(begin: int, end: int) -> Step:
        return single[begin] if end - begin == 1 else counting_step(puzzle, single[begin:end])

    @cache
    def caption(begin: int, end: int) -> FilledPhrase:
        return joined(begin, end).caption(puzzle.grid)

    def worth(cuts: Sequence[int]) -> tuple[int, int]:
        parts = list(pairwise(cuts))
        drawn = (len(joined(*part).drawn) for part in parts)
        return len({caption(*part) for part in parts}), -sum(lines**2 for lines in drawn)

    cuts = list(range(len(single) + 1))
    while len(cuts) > PICTURES + 1:
        fewer = [
            [*cuts[:index], *cuts[index + 1 :]]
            for index in range(1, len(cuts) - 1)
            if all(map(is_counting, single[cuts[index - 1] : cuts[index + 1]]))
        ]
        if not fewer:
            break
        cuts = max(fewer, key=worth)
    shown = [(joined(*part), caption(*part)) for part in pairwise(cuts)]
    top = max(map(rung_of, single))
    hardest = [place for place, (step, _) in enumerate(shown) if step.rung == top]
    for is_first, others in ((True, hardest[0]), (False, len(shown) - 1 - hardest[-1])):
        several = min(len(shown) - PICTURES + 1, others)
        if several > 1:
            some = slice(several) if is_first else slice(len(shown) - several, None)
            said = phrase("captions.known_tricks" if is_first else "captions.easier_tricks")
            whole = combined([step for step, _ in shown[some]], said, cells=())
            # If the last steps are combined into one, the picture of this step has many lines. A cross marks
            # a side of a cell where no line can run. Leave out the crosses, which would hide the lines.
            shown[some] = [(whole if is_first else replace(whole, ruled_out=()), said)]
    return tuple(shown)


def _how_to_read(setting: Setting) -> str:
    words = setting.words
    return words.tutorial_intro_dots if setting.theme.numbers.is_dots else words.tutorial_intro


def lessons_of(edition: Edition, words: Words, numbers: Numbers | None = None) -> dict[str, Lesson]:
    """Return the worked example of each level, by the level's name.

    A level has no example if it has no puzzles, or if an earlier level asks for the same kind of boards.

    Args:
        words: the phrases of the book's language.
        numbers: the theme's ``numbers`` settings. If the book has coloured dots without numbers, only
            examples that look good with such dots are chosen. None allows all examples.
    """
    puzzles, lessons = edition.puzzles, dict[str, Lesson]()
    boards = [each.record.puzzle for each in puzzles]
    if numbers and any(numbers.shows(board) for board in boards if not board.colours):
        numbers = None
    seen: list[tuple[object, ...]] = []
    uses = Counter[str]()
    for level in edition.spec.levels:
        made = [each for each in puzzles if each.record.level == level.name]
        if not made or (kind := _techniques_key(level)) in seen:
            continue
        seen.append(kind)
        rule = Rule.STRICT if ruleset_of(made[0].record.rule).paths_stay_apart else Rule.FILLED
        technique = _technique_for(made, rule, uses)
        possible = [
            Lesson(technique, board, rule, colours_of(board, words, numbers), is_first=not lessons)
            for board in _boards(rule)[technique]
        ]
        if numbers:
            possible = [each for each in possible if not numbers.shows(each.puzzle)] or possible
            # Prefer examples whose captions don't name cells, as in "C4". Books with dots are often for
            # children, who should not have to learn such names.
            possible = [each for each in possible if not each.names_squares] or possible
        chosen = crc32(str(edition.spec.seed).encode()) + uses[technique]
        lessons[level.name] = possible[chosen % len(possible)]
        uses[technique] += 1
    return lessons


def _techniques_key(level: LevelSpec) -> tuple[object, ...]:
    """Return a value that is equal for two levels if their puzzles probably need the same techniques.

    The puzzles don't exist yet, so the value is made from the keys of the level in the spec. It always
    contains the rule under which each solution must be unique. It also contains the difficulty and the
    technique that the level asks for. If the level asks for neither, the value contains the size of the
    boards, the file that they come from, and the level in that file. The size is left out for boards with
    shapes and for boards that are made from pictures.
    """
    asked = level.difficulty, level.technique
    size = None if isinstance(level.solids, MaskKeys) or level.picture else level.size
    return (level.unique, *(asked if any(asked) else (size, level.file, level.from_level)))


@cache
def _boards(rule: Rule) -> Mapping[str, Sequence[Puzzle]]:
    """Return the boards of the worked examples. Each key is the name of a technique that its boards teach."""
    table = read_table("lessons.yaml")[rule.value]
    return {name: [parse_board_rows(text.split()) for text in table[name]] for name in table}


def _technique_for(puzzles: Sequence[NumberedPuzzle], rule: Rule, taught: Mapping[str, int]) -> str:
    """Choose the technique to teach before a level.

    The candidates are the techniques that enough puzzles of the level need. A candidate is preferred for the
    following reasons, the most important first:

    1. The technique was not taught yet.
    2. The technique is harder than all techniques that were taught so far.
    3. At least half of the puzzles need the technique. Among these candidates, the one with the highest grade
       of difficulty is preferred.
    4. More puzzles need the technique.

    Args:
        puzzles: the puzzles of the level.
        taught: how many earlier levels taught each technique.
    """
    teachable = [technique for technique in TECHNIQUES if technique.name in _boards(rule)]
    # If a technique has no example, it is replaced by the hardest of the easier techniques that have one.
    taught_by = {one.name: [each for each in teachable if each.rung <= one.rung][-1] for one in TECHNIQUES}
    needed = Counter[Technique]()
    for puzzle in puzzles:
        needed.update({taught_by[name] for name in puzzle.record.findings if name in taught_by})
    needed = Counter({one: count for one, count in needed.items() if count >= _LEAST_SHARE * len(puzzles)})
    hardest = max((technique.rung for technique in teachable if taught.get(technique.name)), default=0)

    def worth(technique: Technique) -> tuple[bool, bool, int, int, int]:
        count, is_new = needed[technique], not taught.get(technique.name)
        usual_grade = technique.grade if 2 * count >= len(puzzles) else 0
        # If several techniques are equally suitable, the first example of the book teaches the easiest of
        # them. Any later example teaches the hardest of them.
        last = technique.rung if hardest else -technique.rung
        return is_new, technique.rung > hardest, usual_grade, count, last

    return max(needed or teachable, key=worth).name


@dataclass(frozen=True)
class _Layout:
    """Sizes and arrangement of a worked example's pictures.

    Args:
        cols: the number of pictures side by side, each with a sentence below it that explains the step.
            ``BESIDE`` stands for one picture per row, with the sentence beside the picture.
        size_pt: the type size of the sentences.
        cell_pt: the width of a cell.
        margin_pt: the height above a board that holds the labels of its columns.
        sentences: for each picture, its sentence broken into lines.
    """

    cols: int
    size_pt: float
    cell_pt: float
    margin_pt: float
    sentences: tuple[Sequence[TextLine], ...]


@dataclass(frozen=True)
class Tutorial:
    """All worked examples of a book, and the pages that show them.

    All examples have the same number of pages.
    """

    setting: Setting

    @cached_property
    def lessons(self) -> Mapping[str, Lesson]:
        setting = self.setting
        return lessons_of(setting.edition, setting.words, setting.theme.numbers)

    def count_for(self, level: str) -> int:
        return len(self._shares) if level in self.lessons else 0

    @cached_property
    def _shares(self) -> Sequence[int]:
        """Return the number of pictures on each page of a worked example."""
        cells = {shares: self._best([None], shares)[0].cell_pt for shares in SHARES}
        for least in (COMFORTABLE_CELL_PT, LEAST_CELL_PT):
            for shares, cell in cells.items():
                if cell >= max(least * self._scale, self._least_cell_pt):
                    return shares
        return SHARES[-1]

    def page(self, level: str, place: int, draft: PageDraft) -> Page:
        """Compose one page of a level's worked example.

        Args:
            level: the name of the level.
            place: the index of the page in the example.
            draft: the empty page.
        Raises:
            LayoutError: the pictures don't fit the page.
        """
        setting, lesson = self.setting, self.lessons[level]
        chosen = self._layouts[level]
        if chosen.cell_pt < self._least_cell_pt:
            raise LayoutError(
                f"its pictures don't fit pages of {setting.page.trim.words}. Choose a larger page.trim, "
                "lower the theme's type.body, or leave it out.",
                "parts.tutorial",
            )
        heading = setting.spec.headings[level]
        if place == 0:
            tag = draft.tag("H2" if setting.spec.parts.openers else "H1")
            page_heading(draft, self._title(lesson, heading, draft.live.width), tag=tag)
            (column,) = flow(self._intro(lesson), _below_heading(draft), setting.measure)
            for items in column:
                draft.add(items)
        draft.furnish(head=heading if place else "")
        made = lesson.pictures(setting, chosen.cell_pt, f"lesson-{list(self.lessons).index(level) + 1}")
        shown = _divided(list(zip(made, chosen.sentences, strict=True)), self._shares)[place]
        self._put_pictures(draft, self._area(draft, place, lesson), shown, chosen)
        return draft.page("tutorial", heading)

    def _title(self, lesson: Lesson, level: str, width: float) -> str:
        """Return the heading of a worked example, which names the level and the technique.

        If the heading would be wider than ``width``, it names only the technique.
        """
        setting = self.setting
        title, name = lesson.title(setting.words, level), setting.words.techniques[lesson.technique].name
        font = font_for(title, FontKey.SEMIBOLD, setting.measure, "parts.tutorial")
        fits = setting.measure.width(title, font, setting.theme.type.heading) <= width
        return title if fits else name[:1].upper() + name[1:]

    @property
    def _scale(self) -> float:
        return LARGE_PRINT if self.setting.page.large_print else 1.0

    @property
    def _least_cell_pt(self) -> float:
        """Return the minimum cell width in points at which the numbers on a board are legible."""
        setting, least = self.setting, LEAST_CELL_PT * self._scale
        if not setting.page.large_print:
            return least
        return max(least, cell_for_size(setting.theme, setting.measure, setting.min_text_pt))

    @cached_property
    def _layouts(self) -> Mapping[str, _Layout]:
        return dict(zip(self.lessons, self._best(list(self.lessons.values()), self._shares), strict=True))

    def _best(self, lessons: Sequence[Lesson | None], shares: Sequence[int]) -> list[_Layout]:
        """Lay out worked examples. All have the same type size and the same number of pictures side by side.

        The largest type size with comfortably large cells is used. If no type size has such cells, the layout
        with the largest cells is used.

        Args:
            lessons: the worked examples. None stands for an imaginary example with the largest board and the
                longest texts. It is used for counting pages before the real examples are known.
            shares: the number of pictures on each page.
        """

        def least_cell(layouts: Sequence[_Layout]) -> float:
            return min(layout.cell_pt for layout in layouts)

        scale, least = self.setting.theme.type, self.setting.min_text_pt
        sizes = (scale.body,) if self.setting.page.large_print else (scale.body, scale.caption, scale.small)
        possible: list[list[_Layout]] = []
        for size in sizes:
            possible += [
                [self._fitted(lesson, shares, cols, max(size, least)) for lesson in lessons]
                for cols in (*COLUMNS, BESIDE)
                if not any(share % max(cols, 1) for share in shares)
            ]
            best = max(possible, key=least_cell)
            if least_cell(best) >= COMFORTABLE_CELL_PT * self._scale:
                break
        return best

    def _fitted(self, lesson: Lesson | None, shares: Sequence[int], cols: int, size_pt: float) -> _Layout:
        """Lay out the pictures of a worked example in columns.

        The squares of the boards in the pictures are as large as possible on the pages of the example. All
        its pictures have squares of the same size.

        Args:
            lesson: the example; None to lay out the longest captions and the largest board that may occur.
            shares: for each page, the number of pictures on it.
            cols: the number of columns, or ``BESIDE`` to set each sentence beside its picture.
            size_pt: the type size of the sentences in points.
        """
        setting = self.setting
        width, sentence_width = self._widths(cols)
        texts = self._longest_captions if lesson is None else lesson.captions(setting.words)
        sentences = [
            sentence_lines(number, text, sentence_width, size_pt, setting.measure)
            for number, text in enumerate(texts, 1)
        ]
        if lesson is None:
            grid, margin = LARGEST, MARGIN
            sentences = [max(sentences, key=len)] * PICTURES
        else:
            grid, margin = lesson.puzzle.grid, MARGIN * lesson.names_squares
        outline = setting.theme.grid.outer_pt
        cell = min(LARGEST_CELL_PT * self._scale, (width - outline) / (grid.cols + margin))
        for place, on_page in enumerate(_divided(sentences, shares)):
            rows = _rows(on_page, max(cols, 1))
            height = self._area(PageDraft(setting, 1), place, lesson).height - (len(rows) - 1) * GAP_PT
            texts_pt = sum(_text_height(row, size_pt) for row in rows)
            if cols != BESIDE:
                height -= texts_pt
            elif texts_pt > height:
                # The sentences alone don't fit on the page, so this layout has no room for boards.
                height = 0.0
            cell = min(cell, (height / len(rows) - outline) / (grid.rows + margin))
        return _Layout(cols, size_pt, cell, margin * cell, tuple(sentences))

    @cached_property
    def _longest_captions(self) -> Sequence[str]:
        """Return the longest captions that the pictures of a worked example may have.

        They are in the book's language, and their placeholders are filled with long values.
        """
        words = self.setting.words
        captions = dict(words.steps.captions)
        names = dict(words.colour_names) if words.colour_names and self.setting.theme.numbers.is_dots else {}
        filled = {
            "number": max(("88", *names.values()), key=len),
            "trouble": captions["trouble_later"],
            "lines": "5, 6, 7, 8, 9, 10, 11",
            "count": "12",
            **dict.fromkeys(("square", "other", "last"), "G7"),
            **dict.fromkeys(("squares", "ends", "step"), "G6, G7"),
            "others": captions["others_taken"],
            **dict.fromkeys(("first", "second"), captions["trouble_later"]),
            **dict.fromkeys(("way", "ways"), max(dict(words.steps.ways).values(), key=len)),
        }
        texts = [FIELD.sub(lambda field: filled[field[1]], text) for text in captions.values()]
        end = f"{words.sentence_gap}{words.tutorial_end}"
        return [f"{text}{end}" for text in sorted(texts, key=len)[-_MEASURED:]]

    def _widths(self, cols: int) -> tuple[float, float]:
        """Return the width of a picture and the width of the sentence that belongs to it, in points.

        Args:
            cols: the number of pictures side by side. With ``BESIDE``, each sentence is to the right of its
                picture. Otherwise it is below the picture, and both widths are equal.
        """
        whole = PageDraft(self.setting, 1).live.width
        if cols == BESIDE:
            return (1 - BESIDE_SHARE) * whole - GAP_PT, BESIDE_SHARE * whole
        width = (whole - (cols - 1) * GAP_PT) / cols
        return width, width

    def _area(self, draft: PageDraft, place: int, lesson: Lesson | None) -> Area:
        """Return the rectangle for pictures on a page of a worked example.

        ``place`` is the index of the page in the example.
        """
        area = draft.content
        if place:
            return area
        lines = sum(
            len(break_lines(block, draft.live.width, self.setting.measure)) for block in self._intro(lesson)
        )
        foot = heading_foot(draft) - (lines + 1.0) * LEADING * self.setting.theme.type.body
        return Area(area.x, area.y, area.width, foot - area.y)

    def _intro(self, lesson: Lesson | None) -> list[Block]:
        setting, words = self.setting, self.setting.words
        if lesson is None:
            longest = max((taught.lesson for _, taught in words.techniques), key=len)
            texts = [longest, _how_to_read(setting), words.tutorial_squares]
        else:
            texts = lesson.intro(setting)
        return [text_block(text, setting.theme.type.body) for text in texts]

    def _put_pictures(
        self,
        draft: PageDraft,
        area: Area,
        shown: Sequence[tuple[StepPicture, Sequence[TextLine]]],
        chosen: _Layout,
    ) -> None:
        """Draw rows of pictures from the top of the area down, each with the sentence that explains it."""
        top, size = area.top, chosen.size_pt
        width, _ = self._widths(chosen.cols)
        for row in _rows(shown, max(chosen.cols, 1)):
            height, text_height = row[0][0].board.height_pt, _text_height([lines for _, lines in row], size)
            for col, (picture, lines) in enumerate(row):
                x, y = area.x + col * (width + GAP_PT), top - height - FIRST_LINE * size
                # Below the picture, a sentence explains it. This sentence is part of the picture's
                # alternative text. Screen readers read the alternative text, and skip everything inside the
                # Figure tag. The printed sentence is inside this tag, so that it is not read twice.
                tag = draft.tag("Figure", alt=f"{picture.number}. {picture.text}")
                draft.add([Placed(picture.name, picture.board, x, top - height, tag=tag)])
                if chosen.cols == BESIDE:
                    x += picture.board.width_pt + GAP_PT
                    y = top - chosen.margin_pt - ASCENT * size
                draft.add(sentence_runs(lines, x, y, size, self.setting.measure, tag))
            top -= GAP_PT + (max(height, text_height) if chosen.cols == BESIDE else height + text_height)


def lesson_theme(theme: Theme, lesson: Lesson) -> Theme:
    """Return the theme in which the pictures of a worked example are drawn.

    It is the book's theme. But in a book with dots that show no numbers, the dots of an example show numbers
    if its captions mention them.
    """
    if not theme.numbers.is_dots or lesson.colours:
        return theme
    return theme.model_copy(update={"numbers": theme.numbers.model_copy(update={"show_numbers": True})})


def _below_heading(draft: PageDraft) -> Area:
    live = draft.live
    return Area(live.x, live.y, live.width, heading_foot(draft) - live.y)


def _rows(items: Sequence[_Item], cols: int) -> list[Sequence[_Item]]:
    return [items[begin : begin + cols] for begin in range(0, len(items), cols)]


def _divided(items: Sequence[_Item], shares: Sequence[int]) -> list[Sequence[_Item]]:
    """Divide a sequence into consecutive groups. ``shares`` has the number of items for each group."""
    return [items[end - share : end] for share, end in zip(shares, accumulate(shares), strict=True)]


def _text_height(row: Sequence[Sequence[TextLine]], size_pt: float) -> float:
    return (max(map(len, row)) - 1) * LEADING * size_pt + (FIRST_LINE + DESCENT) * size_pt
