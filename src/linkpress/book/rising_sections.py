"""Foretell how hard the sections of a book feel, and warn where they don't become harder one after another.

A warning says how likely a person finds a random board of a section harder than one of the section before,
why it is not more likely, and what would help. Names are compared with the boards too: a section "Hard" must
not feel easy.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, product

from linkpress.book.difficulty_forecast import DifficultyForecast, chance_of_rise, forecast, mixed
from linkpress.engine.difficulty import Difficulty, name_of
from linkpress.engine.recipe import Recipe, Span, counted
from linkpress.puzzle.puzzle import MAX_SIDE

# Chances of a rise below which a section feels easier than the one before, and from which it is clearly
# harder. Where nothing gives such a rise, the advice is about a little one.
NO_RISE, CLEAR_RISE, _LITTLE_RISE = 0.5, 0.75, 0.6
_FEWEST_PATHS = 3
# A name is wrong if the median of its boards is this many points outside the range of the name.
_WRONG_BY = 5


@dataclass(frozen=True, slots=True)
class Section:
    """Section of a book, or weekday of a feed.

    Args:
        label: its number and name in messages, such as ``section 2, Tricky,``.
        name: its name.
        recipes: the recipes of its puzzles. Equal recipes may be left out.
        feel: the forecast of the difficulty of its boards; None if they come from a file, or if there is
            none for a recipe.
    """

    label: str
    name: str
    recipes: tuple[Recipe, ...]
    feel: DifficultyForecast | None


def feel_of(recipes: Iterable[Recipe]) -> DifficultyForecast | None:
    """Return the forecast for a section with these recipes; None if one of them has no forecast."""
    each = [forecast(recipe) for recipe in recipes]
    known = [one for one in each if one is not None]
    return mixed(known) if known and len(known) == len(each) else None


def feel_words(feel: DifficultyForecast) -> str:
    """Return a forecast in words: ``feels 31-38, hard``."""
    return f"feels {feel.spread}, {name_of(feel.median)}"


def section_warnings(
    sections: Sequence[Section], wanted: float = CLEAR_RISE
) -> Iterator[tuple[Section, str]]:
    """Yield each section that does not feel harder than the one before, or as its name says, and a warning.

    Args:
        sections: the sections in printed order.
        wanted: the smallest chance of a rise without a warning.
    """
    for first, second in pairwise(sections):
        if first.feel is None or second.feel is None:
            continue
        chance = chance_of_rise(first.feel, second.feel)
        if chance < wanted:
            how = "will feel easier than" if chance < NO_RISE else "will hardly feel harder than"
            against = f"{second.feel.median} against {first.feel.median}"
            begin = f"{second.label[0].upper()}{second.label[1:]} {how} {first.label} ({against})"
            yield second, f"{begin}{_way_out(first.feel, second)}"
    warnings = ((section, _name_warning(section)) for section in sections)
    yield from ((section, warning) for section, warning in warnings if warning)


def _way_out(first: DifficultyForecast, second: Section) -> str:
    """Return the end of a warning: why a section is not harder, and what would make it harder."""
    if any(recipe.difficulty for recipe in second.recipes):
        return ". Order a higher difficulty, or let it come earlier."
    for reason, change, steps in _CHANGES:
        for wanted, step in product((CLEAR_RISE, _LITTLE_RISE), steps):
            changes = [change(recipe, step) for recipe in second.recipes]
            feel = feel_of(changed for changed, _ in filter(None, changes)) if all(changes) else None
            if feel is not None and chance_of_rise(first, feel) >= wanted:
                values = " or ".join(dict.fromkeys(words for _, words in filter(None, changes)))
                return f": {reason} make boards easier. {values} would keep it harder."
    return "."


def _with_solids(recipe: Recipe, percent: int) -> tuple[Recipe, str] | None:
    """Return a recipe with at most this percentage of solid squares; None if it has no more now."""
    most = recipe.rows * recipe.cols * percent // 100
    if recipe.solids is None or recipe.solids.high <= most:
        return None
    words = f"0-{percent} % solid squares" if percent else "No solid squares"
    return replace(recipe, solids=Span(0, most)), words


def _with_paths(recipe: Recipe, percent: int) -> tuple[Recipe, str] | None:
    """Return a recipe with this percentage of its paths; None if these are too few."""
    pairs = _times(recipe.pairs, percent / 100)
    return (replace(recipe, pairs=pairs), counted(pairs, "path")) if pairs.low >= _FEWEST_PATHS else None


def _with_size(recipe: Recipe, more: int) -> tuple[Recipe, str] | None:
    """Return a recipe with this many more rows and columns, and paths as long as now."""
    rows, cols = recipe.rows + more, recipe.cols + more
    pairs = _times(recipe.pairs, rows * cols / (recipe.rows * recipe.cols))
    changed = replace(recipe, rows=rows, cols=cols, pairs=pairs)
    return (changed, f"{cols} × {rows} squares") if max(rows, cols) <= MAX_SIDE else None


def _times(span: Span | None, factor: float) -> Span:
    assert span is not None  # recipes without a number of paths have no forecast
    return Span(round(span.low * factor), round(span.high * factor))


_CHANGES = (
    ("more solid squares", _with_solids, (15, 10, 5, 0)),
    ("more and shorter paths", _with_paths, range(90, 40, -10)),
    ("few squares", _with_size, range(1, 11)),
)
"""Changes that make boards harder, each with the reason why boards are easier without it."""


def _name_warning(section: Section) -> str | None:
    """Return a warning if a section's name is a difficulty's, as "Hard", and its boards feel different.

    A name of several words, as "Very hard", may feel harder still.
    """
    tokens = [token for token in re.split(r"[\s,.;:!?()–-]+", section.name.casefold()) if token]
    named = {_NAMED[token] for token in tokens if token in _NAMED}
    if section.feel is None or len(named) != 1:
        return None
    name, median = named.pop(), section.feel.median
    if median < name.points.low - _WRONG_BY:
        change = "harder"
    elif median > name.points.high + _WRONG_BY and (len(tokens) == 1 or name is Difficulty.EASY):
        change = "easier"
    else:
        return None
    label = f"{section.label[0].upper()}{section.label[1:]}"
    return (
        f"{label} {feel_words(section.feel)}, though its name says {name}. Write `difficulty: {name}`, "
        f"make its boards {change}, or give it another name."
    )


# The difficulties that a section's name may state: their names in the languages that are shipped, and the
# most usual synonyms.
_NAMED = {
    word: name
    for name, words in {
        Difficulty.EASY: "easy beginner beginners leicht einfach fácil facile makkelijk 初級 ง่าย",
        Difficulty.MEDIUM: "medium mittel medio médio moyen gemiddeld 中級 ปานกลาง",
        Difficulty.HARD: "hard difficult schwer schwierig difícil difficile moeilijk 上級 ยาก",
        Difficulty.EXPERT: "expert experts experte experto esperto especialista 超上級 เซียน",
        Difficulty.EXTREME: "extreme extrem extremo extrême estremo extreem 極 สุดโหด",
    }.items()
    for word in words.split()
}
