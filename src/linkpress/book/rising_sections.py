"""Warn if the sections of a book don't become harder from one to the next.

The difficulty of each section is forecast from the settings of its boards. Two sections are compared by the
chance that a person finds a random board of the later one harder than a random board of the earlier one. If
this chance is low, a warning gives the likely reason and suggests a change.

Names are compared with the boards too: a section called "Hard" must not feel easy.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, pairwise, product
from statistics import fmean

from linkpress.book.difficulty_forecast import (
    FEWER_SOLIDS,
    DifficultyForecast,
    chance_of_rise,
    forecast,
    mixed,
)
from linkpress.documents.other_names import name_table
from linkpress.engine.difficulty import Difficulty, name_of
from linkpress.engine.recipe import Recipe, Span, counted

# Limits for the chance that a person finds a section harder than the one before. Below NO_RISE the section
# feels easier. From CLEAR_RISE on it feels clearly harder. If no change reaches CLEAR_RISE, a change that
# reaches _LITTLE_RISE is suggested instead.
NO_RISE, CLEAR_RISE, _LITTLE_RISE = 0.5, 0.75, 0.6
# slightly below NO_RISE because of rounding: equal sections have a chance of exactly one half
_AS_HARD = NO_RISE - 1e-6
_FEWEST_PATHS = 3
_USUAL_SIDES = (6, 7, 8, 9, 10, 12, 15)
# Warn about a section's name, such as "Hard", if the median difficulty of its boards is more than this many
# points outside the range that the name stands for.
_WRONG_BY = 5


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a book, or one weekday of a newspaper feed.

    Args:
        label: the section's number and name for messages, such as ``section 2, Tricky,``.
        name: the section's name.
        recipes: the settings for generating the section's puzzles, one for each puzzle.
        feel: the forecast of how hard the boards will feel. None if the boards come from a file, or if no
            forecast is possible for one of the recipes.
    """

    label: str
    name: str
    recipes: tuple[Recipe, ...]
    feel: DifficultyForecast | None

    @property
    def heading(self) -> str:
        return f"{self.label[0].upper()}{self.label[1:]}"


def feel_of(recipes: Iterable[Recipe]) -> DifficultyForecast | None:
    """Forecast how hard a section feels if equally many of its boards are made from each of these recipes.

    Returns:
        The forecast. None if no forecast is possible for one of the recipes.
    """
    forecasts = [forecast(recipe) for recipe in recipes]
    known = [one for one in forecasts if one is not None]
    return mixed(known) if known and len(known) == len(forecasts) else None


def feel_words(feel: DifficultyForecast) -> str:
    """Return a forecast in words, such as ``feels 31-38, hard``.

    Of all boards, 80 % have a difficulty between the two numbers. The name describes the median difficulty.
    """
    return f"feels {feel.spread}, {name_of(feel.median)}"


def section_warnings(
    sections: Sequence[Section], min_chance: float = CLEAR_RISE
) -> Iterator[tuple[Section, str]]:
    """Yield a warning for each section that is not harder than the one before, or that has a misleading name.

    Args:
        sections: the sections in printed order.
        min_chance: the smallest chance, from 0 to 1, that a person finds a section harder than the one
            before. Sections below it get a warning.
    Yields:
        The section and the text of the warning.
    """
    for first, second in pairwise(sections):
        if first.feel is None or second.feel is None:
            continue
        chance = chance_of_rise(first.feel, second.feel)
        if chance < min_chance:
            falls = chance < NO_RISE and second.feel.median < first.feel.median
            comparison = "will feel easier than" if falls else "will hardly feel harder than"
            medians = f"median difficulty {first.feel.median}, then {second.feel.median}"
            yield second, f"{second.heading} {comparison} {first.label} ({medians}){_way_out(first, second)}"
    warnings = ((section, _name_warning(section)) for section in sections)
    yield from ((section, warning) for section, warning in warnings if warning)


def _way_out(first: Section, second: Section) -> str:
    """Return the end of a warning about a section that is not harder than the section before.

    It gives the reason, which is something that differs between the two sections, and suggests a change.
    """
    other_difficulty = ". Set a higher difficulty, or let it come earlier."
    if any(recipe.difficulty for recipe in second.recipes):
        return other_difficulty
    assert first.feel is not None  # only sections with a forecast are compared
    assert second.feel is not None
    before, after = _Averages.of(first.recipes), _Averages.of(second.recipes)
    alike = (
        "they have the same size, paths and solid squares" if before == after else "they differ too little"
    )
    causes = [change for change in _CHANGES if change.is_cause(before, after)]
    # The section is easier because of its difficulty or rule.
    if not causes and chance_of_rise(first.feel, second.feel) < _AS_HARD:
        return other_difficulty
    for change in causes or _CHANGES:
        chances = (CLEAR_RISE, _LITTLE_RISE, _AS_HARD) if causes else (CLEAR_RISE, _LITTLE_RISE)
        if advice := _advice(first.feel, _outcomes(second, change, before), chances):
            reason = f"{change.reason} make boards easier" if causes else alike
            return f": {reason}. {advice}"
    if not causes:
        return f": {alike}."
    reasons = " and ".join(cause.reason for cause in causes)
    return f": {reasons} make boards easier. {causes[-1].opposite} would keep it harder."


def _outcomes(section: Section, change: _Change, before: _Averages) -> list[tuple[DifficultyForecast, str]]:
    """Return how hard a section feels after each step of a change, and a description of that step.

    Steps that can't be made for all recipes of the section are left out.
    """
    outcomes, counts = [], Counter(section.recipes)
    for step in change.steps:
        changed = [one for recipe in counts if (one := change.make(recipe, step, before))]
        if len(changed) == len(counts):
            each = ([recipe] * count for (recipe, _), count in zip(changed, counts.values(), strict=True))
            if feel := feel_of(chain.from_iterable(each)):
                outcomes.append((feel, " or ".join(dict.fromkeys(words for _, words in changed))))
    return outcomes


def _advice(
    first: DifficultyForecast, outcomes: Sequence[tuple[DifficultyForecast, str]], chances: Sequence[float]
) -> str:
    """Return a sentence with the mildest change after which a section feels harder, or else as hard.

    Args:
        first: the forecast of the section before.
        outcomes: how hard the section feels after each change, the mildest change first.
        chances: limits for the chance that the section is found harder after a change, the highest first. The
            first limit that any change reaches is used.
    Returns:
        The sentence, or an empty text if no change is enough.
    """
    for min_chance, (feel, values) in product(chances, outcomes):
        if chance_of_rise(first, feel) >= min_chance:
            return f"{values} would {'make it as hard' if min_chance == _AS_HARD else 'keep it harder'}."
    return ""


def _with_solids(recipe: Recipe, percent: int, _before: _Averages) -> tuple[Recipe, str] | None:
    """Limit the solid squares of a recipe to this percentage of all squares.

    Returns:
        The changed recipe and a description of the change. None if the recipe keeps to the limit already.
    """
    most = recipe.rows * recipe.cols * percent // 100
    if recipe.solids is None or recipe.solids.high <= most:
        return None
    words = f"{'0-' * bool(percent)}{percent} % solid squares"
    return replace(recipe, solids=Span(0, most)), words


def _with_paths(recipe: Recipe, percent: int, _before: _Averages) -> tuple[Recipe, str] | None:
    """Reduce a recipe's number of paths to this percentage of the present number.

    Returns:
        The changed recipe and a description of the change. None if too few paths would be left.
    """
    pairs = _times(recipe.pairs, percent / 100)
    return (replace(recipe, pairs=pairs), counted(pairs, "path")) if pairs.low >= _FEWEST_PATHS else None


def _with_size(recipe: Recipe, side: int, before: _Averages) -> tuple[Recipe, str] | None:
    """Enlarge a recipe's boards until the longer side has this many squares.

    The number of paths grows in proportion, so their mean length stays about the same. If paths are longer in
    the section before, they become as long as there.

    Returns:
        The changed recipe and a description of the change. None if the boards have that size already.
    """
    more = side - max(recipe.rows, recipe.cols)
    if more <= 0:
        return None
    rows, cols = recipe.rows + more, recipe.cols + more
    present, wanted = _Averages.of((recipe,)).density, before.density
    pairs = _times(recipe.pairs, rows * cols / (recipe.rows * recipe.cols) * min(1, wanted / present))
    words = f"{cols} × {rows} squares"
    if wanted < present:
        words += f" with {counted(pairs, 'path')}"
    return replace(recipe, rows=rows, cols=cols, pairs=pairs), words


def _times(span: Span | None, factor: float) -> Span:
    assert span is not None  # a recipe without a number of paths has no forecast, so it never gets here
    return Span(round(span.low * factor), round(span.high * factor))


@dataclass(frozen=True, slots=True)
class _Averages:
    """Averages over the boards of a section: squares, paths, and the share of solid squares."""

    squares: float
    paths: float
    solids: float

    @classmethod
    def of(cls, recipes: Sequence[Recipe]) -> _Averages:
        areas = [recipe.rows * recipe.cols for recipe in recipes]
        solids = [_middle(recipe.solids) / area for recipe, area in zip(recipes, areas, strict=True)]
        return cls(fmean(areas), fmean(_middle(recipe.pairs) for recipe in recipes), fmean(solids))

    @property
    def density(self) -> float:
        return self.paths / (self.squares * (1 - self.solids))


def _middle(span: Span | None) -> float:
    return (span.low + span.high) / 2 if span else 0.0


@dataclass(frozen=True, slots=True)
class _Change:
    """Change that makes boards harder.

    Args:
        reason: why boards are easier without the change.
        opposite: the change in general words.
        is_cause: whether this reason holds, given the averages of the section before and of this section.
        make: the function that makes the change. It gets the averages of the section before.
        steps: the values that the function is called with, from the mildest change to the strongest.
    """

    reason: str
    opposite: str
    is_cause: Callable[[_Averages, _Averages], bool]
    make: Callable[[Recipe, int, _Averages], tuple[Recipe, str] | None]
    steps: Sequence[int]


_CHANGES = (
    _Change(
        "more solid squares",
        "Fewer solid squares",
        lambda before, after: after.solids > before.solids,
        _with_solids,
        FEWER_SOLIDS,
    ),
    _Change(
        "more and shorter paths",
        "Fewer paths",
        lambda before, after: after.paths > before.paths and after.density > before.density,
        _with_paths,
        range(90, 20, -10),
    ),
    _Change(
        "fewer squares",
        "A larger board",
        lambda before, after: after.squares < before.squares,
        _with_size,
        _USUAL_SIDES,
    ),
)
"""Changes that make boards harder, in the order in which they are tried."""


def _name_warning(section: Section) -> str | None:
    """Return a warning if a section is named after a difficulty, such as "Hard", that its boards don't have.

    A name of several words, such as "Very hard", may stand for boards that are even harder. So only boards
    that are too easy are reported for it.
    """
    words = [word for word in re.split(r"[\s,.;:!?()–-]+", section.name) if word]
    named = set(filter(None, map(_difficulty_named, words)))
    if section.feel is None or len(named) != 1:
        return None
    name, median = named.pop(), section.feel.median
    if median < name.points.low - _WRONG_BY:
        change = "harder"
    elif median > name.points.high + _WRONG_BY and (len(words) == 1 or name is Difficulty.EASY):
        change = "easier"
    else:
        return None
    return (
        f"{section.heading} {feel_words(section.feel)}, though its name says {name}. "
        f"Write `difficulty: {name}`, make its boards {change}, or give it another name."
    )


def _difficulty_named(word: str) -> Difficulty | None:
    """Return the difficulty that a word in some language names, such as ``hard`` for "Schwer"."""
    name = name_table().value(word, "levels.difficulty") or word.casefold()
    return Difficulty(name) if name in list(Difficulty) else None
