"""Themes: load them with the spec's changes, and check whether a printer can print them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from linkpress.book.design_keys import Answers as Answers
from linkpress.book.design_keys import NumberStyle as NumberStyle
from linkpress.book.design_keys import SolidStyle as SolidStyle
from linkpress.book.design_keys import SolutionStyle as SolutionStyle
from linkpress.book.design_keys import Theme as Theme
from linkpress.book.design_keys import TypeScale as TypeScale
from linkpress.book.spec import BookSpec
from linkpress.documents.inks import Ink
from linkpress.documents.models import load_named
from linkpress.documents.problem import Problem
from linkpress.documents.shipped_files import THEMES
from linkpress.errors import LayoutError
from linkpress.printers.profile import PrinterProfile, check_colour, check_line, check_text, check_tint
from linkpress.puzzle.puzzle import Puzzle
from linkpress.words.language import Words


def load_theme(name_or_path: str | Path) -> Theme:
    """Load a shipped theme by its name, or a theme file by its path; raise as ``load_named`` does."""
    return load_named(name_or_path, THEMES, Theme)


def theme_of(spec: BookSpec) -> Theme:
    """Load a spec's theme with the changes that the spec makes to it.

    Raises:
        LayoutError: the spec has a key for dots, but the theme doesn't draw numbers as dots.
        SpecError: a theme file can't be used; see ``load_named``.
    """
    if isinstance(spec.theme, str):
        theme = load_named(spec.resolve(spec.theme), THEMES, Theme, "theme")
    else:
        theme = spec.theme.over(load_named(spec.resolve(spec.theme.base), THEMES, Theme, "theme.base"))
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
    """Return the words to print in a book. They speak of dots if its boards show no numbers."""
    shown = any(theme.numbers.shows(len(puzzle.pairs)) for puzzle in puzzles)
    return spec.wording(of_dots=not shown)


def theme_problems(theme: Theme, profile: PrinterProfile, paper: str | None = None) -> dict[str, list[str]]:
    """Return why a printer can't print a theme: each problem, with the keys of the theme that cause it."""
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
        if key.startswith("solutions.inks") and _hides_numbers(theme, ink):
            advice = "Make it lighter, or set numbers.style to circled."
            found, allowed = "an area about as dark as the numbers on it", "an area that shows its numbers"
            yield key, Problem(found, allowed, ("contrast",), source="WCAG 2.2", advice=advice)
        for share in sorted(share for share in set(ink.shares) if share):
            yield from ((key, problem) for problem in check_tint(profile, share))
        if not ink.is_grey:
            yield from ((key, problem) for problem in check_colour(profile, paper))


def _hides_numbers(theme: Theme, ink: Ink) -> bool:
    """Return whether answers show numbers on areas of this ink, and the numbers are about as dark as it."""
    on_areas = theme.solutions.style is SolutionStyle.SHADED and theme.numbers.style is NumberStyle.PLAIN
    return on_areas and ink.is_dark is theme.numbers.ink.is_dark
