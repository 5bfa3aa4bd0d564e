"""Load themes, apply the changes that a spec makes to them, and check whether a printer can print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkpress.book.printing_keys import Answers as Answers
from linkpress.book.printing_keys import Numbers
from linkpress.book.printing_keys import NumberStyle as NumberStyle
from linkpress.book.printing_keys import SolidStyle as SolidStyle
from linkpress.book.printing_keys import SolutionStyle as SolutionStyle
from linkpress.book.printing_keys import Theme as Theme
from linkpress.book.printing_keys import TypeScale as TypeScale
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import (
    BLACK,
    COLOUR_BLIND_SIGHT,
    LEAST_DIFFERENCE,
    NORMAL_SIGHT,
    PAPER,
    Ink,
    contrast,
    difference,
    grey,
    ink_text,
    luminance,
    nearest_colour,
)
from linkpress.documents.models import load_named
from linkpress.documents.problem import Problem
from linkpress.documents.shipped_files import THEMES
from linkpress.errors import LayoutError
from linkpress.printers import PrinterProfile, check_colour, check_line, check_text, check_tint
from linkpress.puzzle.puzzle import Puzzle
from linkpress.words import Words


def load_theme(name_or_path: str | Path) -> Theme:
    """Load a built-in theme by its name, or a theme file by its path.

    Raises:
        SpecError: the theme can't be used. See ``load_named``.
    """
    return load_named(name_or_path, THEMES, Theme)


def theme_of(spec: BookSpec) -> Theme:
    """Load a spec's theme and apply the changes that the spec makes to it.

    Raises:
        LayoutError: the spec has a key for dots, but the theme doesn't draw numbers as dots.
        SpecError: a theme file can't be used. See ``load_named``.
    """
    if isinstance(spec.theme, str):
        theme = load_named(spec.resolve(spec.theme), THEMES, Theme, "theme")
    else:
        theme = spec.theme.over(load_named(spec.resolve(spec.theme.base), THEMES, Theme, "theme.base"))
    theme = theme.with_shapes(shape for level in spec.levels for shape in level.shapes)
    if spec.numbers is None:
        return theme
    given = {name: value for name, value in spec.numbers if value is not None}
    numbers = theme.numbers.model_copy(update=given)
    if not numbers.is_dots and given.keys() - {"style"}:
        keys = " and ".join(f"numbers.{name}" for name in given if name != "style")
        raise LayoutError(
            f"the theme {theme.name} has numbers in the style {numbers.style}, and only "
            "dots have this. Set numbers.style to dots, or leave the key out.",
            keys,
        )
    return theme.model_copy(update={"numbers": numbers})


def words_for(spec: BookSpec, theme: Theme, puzzles: Iterable[Puzzle]) -> Words:
    """Return the words to print in a book. If no board shows numbers, the words speak of dots.

    Boards that hide a picture always have numbers. They are ignored, unless the book has no other boards.
    """
    boards = list(puzzles)
    plain = [puzzle for puzzle in boards if not puzzle.colours]
    shown = any(theme.numbers.shows(puzzle) for puzzle in plain or boards)
    return spec.wording(of_dots=not shown)


def colours_of(puzzle: Puzzle, words: Words, numbers: Numbers | None) -> Mapping[int, str]:
    """Return the name of each pair's colour, by the pair's number, for a board whose dots show no numbers.

    The result is empty for other boards, and if two colours would have the same name in this language.
    """
    if numbers is None or words.colour_names is None or numbers.shows(puzzle):
        return {}
    keys = {pair.number: nearest_colour(numbers.ink_of(pair.number)) for pair in puzzle.pairs}
    names = {number: getattr(words.colour_names, key) for number, key in keys.items()}
    return names if len(set(names.values())) == len(names) else {}


def theme_problems(theme: Theme, profile: PrinterProfile, paper: str | None = None) -> dict[str, list[str]]:
    """Find the reasons why a printer can't print a theme.

    Returns:
        A message for each reason, with the list of the theme keys that cause it.
    """
    keys_of: dict[str, list[str]] = {}
    for key, problem in _problems(theme, profile, paper):
        keys = keys_of.setdefault(str(problem), [])
        if key not in keys:
            keys.append(key)
    return keys_of


def _problems(theme: Theme, profile: PrinterProfile, paper: str | None) -> Iterator[tuple[str, Problem]]:
    grid = theme.grid
    for key, weight in (
        ("grid.inner_pt", grid.inner_pt),
        ("grid.outer_pt", grid.outer_pt),
        ("rule_pt", theme.rule_pt),
        ("solutions.grid_pt", theme.solutions.grid_pt or grid.inner_pt),
    ):
        yield from ((key, problem) for problem in check_line(profile, weight))
    for name, size in theme.type:
        yield from ((f"type.{name}", problem) for problem in check_text(profile, size))
    for key, ink in theme.inks:
        for share in sorted(share for share in set(ink.shares) if share):
            yield from ((key, problem) for problem in check_tint(profile, share))
        if not ink.is_grey:
            yield from ((key, problem) for problem in check_colour(profile, paper))
    yield from contrast_problems(theme)


@dataclass(frozen=True, slots=True)
class _Mark:
    """Printed mark that readers must be able to see, such as the grid lines, with the colour behind it.

    Args:
        key: the theme key to change if the mark looks too similar to its ground, the colour behind it. For a
            mark on paper, this key sets the ink of the mark. For a mark on any other ground, it sets the ink
            of the ground.
        name: the name of the mark for messages, in the plural.
        ink: the ink of the mark.
        on: the name of the ground for messages.
        ground: the ink of the ground.
        ratio: the minimum contrast as WCAG 2.2 defines it, or None.
        difference: the minimum difference of the two colours by CIE 1976, or None.
        by_all: whether colour-blind readers must also be able to see the difference.
    """

    key: str
    name: str
    ink: Ink
    on: str = "paper"
    ground: Ink = PAPER
    ratio: float | None = None
    difference: float | None = None
    by_all: bool = False

    @property
    def problem(self) -> Problem | None:
        """The problem that this printed mark, such as a grid line, looks too similar to the colour behind it.

        The value is None if the mark is clear enough. The advice of the problem names an ink or a palette
        that would be clear enough.
        """
        least, measured = self.ratio or self.difference or 0.0, self._measure(self.ink, self.ground)
        if measured >= least:
            return None
        inks = f"{self.name} in {ink_text(self.ink)} on {self.on} in {ink_text(self.ground)}"
        changed, other = (self.ink, self.ground) if self.ground == PAPER else (self.ground, self.ink)
        greys = sorted(_GREYS, key=lambda ink: abs(luminance(ink.rgb) - luminance(changed.rgb)))
        clear = next((ink for ink in greys if self._measure(ink, other) >= least), BLACK)
        advice = "The palette `twelve` would do." if self.by_all else f"{ink_text(clear)} would do."
        rule, source = ("contrast", "WCAG 2.2") if self.ratio else ("colour difference", "CIE 1976")
        return Problem(
            f"{inks} have {int(10 * measured) / 10}",
            f"{least:g} or more",
            (rule,),
            source=source,
            advice=advice,
        )

    def _measure(self, ink: Ink, other: Ink) -> float:
        """Return the contrast of two inks if ``ratio`` is given, and otherwise their colour difference.

        Without ``by_all``, the value is calculated for a screen and for print, and the lower one is returned.

        With ``by_all``, the colour difference on a screen is calculated for readers with normal vision and
        for readers with each kind of colour blindness. The lowest of these differences is returned.
        """
        if self.by_all:
            sights = (NORMAL_SIGHT, *COLOUR_BLIND_SIGHT)
            return min(difference(ink.rgb, other.rgb, sight) for sight in sights)
        measure = contrast if self.ratio else difference
        return min(measure(ink.rgb, other.rgb), measure(ink.printed_rgb, other.printed_rgb))


_GREYS = [grey(step / 20) for step in range(21)]
# Two minimum contrasts: of fine marks (WCAG 2.2, criterion 1.4.11), and of filled squares and faint lines.
# For comparison, lines in 30 % black have a contrast of 2.1 on white paper, and squares in 20 % black 1.6.
_FINE, _BROAD = 3.0, 1.4


def contrast_problems(theme: Theme) -> Iterator[tuple[str, Problem]]:
    """Yield a problem for each printed mark on boards or answers that is hard to see.

    Marks are for example grid lines, numbers and solid squares.

    Yields:
        The key of the theme to change, and the problem.
    """
    for marks in (_marks_on_paper(theme), _marks_on_answers(theme)):
        problems = [(mark.key, mark.problem) for mark in marks if mark.problem]
        yield from problems
        # Don't check marks on the shaded areas of answers if a mark on white paper is too pale. The same mark
        # would be reported again for each tint of these areas.
        if problems:
            return


def _marks_on_paper(theme: Theme) -> Iterator[_Mark]:
    numbers, solids, answers = theme.numbers, theme.solids, theme.solutions
    yield _Mark("grid.ink", "lines of the grid", theme.grid.ink, ratio=_FINE)
    if answers.grid_ink is not None:
        yield _Mark("solutions.grid_ink", "grids of answers", answers.grid_ink, ratio=_BROAD)
    broad = solids.style is SolidStyle.FILLED
    yield _Mark("solids.ink", "solid squares", solids.ink, ratio=_BROAD if broad else _FINE)
    name = "rings of dots" if numbers.is_dots else "numbers or their discs"
    yield _Mark("numbers.ink", name, numbers.ink, ratio=_FINE)
    yield _Mark("accent", "rules and ornaments", theme.accent, ratio=_BROAD)
    for index, ink in enumerate(numbers.palette if numbers.is_dots else ()):
        key = "numbers.palette"
        yield _Mark(key, "dots", ink, difference=LEAST_DIFFERENCE)
        for other in numbers.palette[:index]:
            yield _Mark(key, "dots", ink, "dots", other, difference=LEAST_DIFFERENCE, by_all=True)
    if not numbers.is_dots and answers.style is not SolutionStyle.SHADED:
        for key, ink in _answer_inks(theme):
            yield _Mark(key, "lines of answers", ink, difference=LEAST_DIFFERENCE)


def _marks_on_answers(theme: Theme) -> Iterator[_Mark]:
    """Yield everything that is printed on shaded areas in answers and must be easy to see there.

    If the theme draws answers without shaded areas, nothing is yielded.
    """
    if theme.solutions.style is not SolutionStyle.SHADED:
        return
    for key, ink in _answer_inks(theme):
        yield _Mark(key, "walls", theme.grid.ink, "areas of answers", ink, _FINE)
        yield _Mark(key, "solid squares", theme.solids.ink, "areas of answers", ink, _BROAD)
        if theme.numbers.style is NumberStyle.PLAIN:
            yield _Mark(key, "numbers", theme.numbers.ink, "areas of answers", ink, _FINE)


def _answer_inks(theme: Theme) -> Iterator[tuple[str, Ink]]:
    inks = theme.solutions.path_inks
    used = inks[:1] if theme.solutions.style is SolutionStyle.LINE else inks
    return ((f"solutions.inks[{index}]", ink) for index, ink in enumerate(used))
