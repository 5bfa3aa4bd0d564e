"""Themes: how a book looks, as the files in ``config/themes`` have it, and whether a printer can print it.

A user's own file works the same way. What a printer can't print is refused before anything is laid out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import Field

from linkpress.config.models import Keys, load_named
from linkpress.config.problem import Problem, invalid, shown
from linkpress.config.shipped_files import THEMES
from linkpress.config.values import Reads, ShortName, line_of_text, one_of, written
from linkpress.errors import LayoutError
from linkpress.layout.frame import BLACK, Ink, grey
from linkpress.layout.printers import PrinterProfile, check_colour, check_line, check_text, check_tint


class NumberStyle(StrEnum):
    """How a number stands in its square."""

    PLAIN = "plain"
    CIRCLED = "circled"
    REVERSED = "reversed"  # paper white on a disc of ink


class SolidStyle(StrEnum):
    """How a solid square is drawn."""

    FILLED = "filled"
    HATCHED = "hatched"
    CROSS = "cross"


class SolutionStyle(StrEnum):
    """How an answer is drawn."""

    LINE = "line"  # one ink for all paths
    COLOURED = "coloured"  # neighbouring paths in different inks, the ends ringed in them
    SHADED = "shaded"  # squares tinted, neighbouring paths apart, a strong line between them


_INK_WORDS = (
    "K and a percentage, as K40, `none`, or four percentages of cyan, magenta, yellow and black, "
    "as [0, 50, 100, 0]"
)


def _read_ink(value: object) -> Ink:
    if isinstance(value, Ink):
        return value
    if isinstance(value, (list, tuple)):
        shares = [_percent(written(share, _INK_WORDS)) for share in value]
        if len(shares) != 4:
            raise invalid(f"{len(shares)} percentages", _INK_WORDS)
        return Ink(*shares)
    text = written(value, _INK_WORDS)
    if text.lower() == "none":
        return grey(0.0)
    if text[:1] not in ("K", "k"):
        raise invalid(shown(text), _INK_WORDS)
    return grey(_percent(text[1:]))


def _percent(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{1,3})?", text) or float(text) > 100:
        raise invalid(shown(text), "a percentage from 0 to 100 is allowed")
    return float(text) / 100


def _write_ink(ink: Ink) -> object:
    return f"K{100 * ink.black:g}" if ink.is_grey else [round(100 * share, 3) for share in ink.shares]


def _number(low: float, high: float, unit: str) -> Reads:
    words = f"{unit}, {low:g} to {high:g}"

    def read(value: object) -> float:
        text = written(value, words)
        if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,6})?", text) or not low <= float(text) <= high:
            raise invalid(shown(text), f"a number from {low:g} to {high:g} ({unit}) is allowed")
        return float(text)

    return Reads(read, words, {"type": "number", "minimum": low, "maximum": high}, float)


ThemeInk = Annotated[Ink, Reads(_read_ink, _INK_WORDS, {"type": ["string", "array"]}, _write_ink)]
Weight = Annotated[float, _number(0.25, 12, "points")]
Inset = Annotated[float, _number(0, 6, "points")]
TypeSize = Annotated[float, _number(4, 120, "points")]
FigureHeight = Annotated[float, _number(0.25, 0.7, "a share of the square's side")]
LineWidth = Annotated[float, _number(0.05, 0.6, "a share of the square's side")]


class GridStyle(Keys):
    """The board's lines, in points."""

    inner_pt: Weight = 0.75
    outer_pt: Weight = 2.0
    ink: ThemeInk = BLACK


class Numbers(Keys):
    """The numbers; ``height`` is the figures' height as a share of the square's side."""

    style: Annotated[NumberStyle, one_of(NumberStyle)] = NumberStyle.PLAIN
    height: FigureHeight = 0.45
    ink: ThemeInk = BLACK


class Solids(Keys):
    """The solid squares; ``inset_pt`` is the white left between the ink and the grid lines."""

    style: Annotated[SolidStyle, one_of(SolidStyle)] = SolidStyle.FILLED
    inset_pt: Inset = 1.0
    ink: ThemeInk = BLACK


class Answers(Keys):
    """The answers; ``width`` is the line's width as a share of the square's side."""

    style: Annotated[SolutionStyle, one_of(SolutionStyle)] = SolutionStyle.LINE
    width: LineWidth = 0.25
    inks: Annotated[tuple[ThemeInk, ...], Field(min_length=1, max_length=24)] = (grey(0.4),)


class TypeScale(Keys):
    """The sizes of type, in points: one scale for the whole book."""

    small: TypeSize = 7.5
    caption: TypeSize = 9.0
    body: TypeSize = 10.0
    number: TypeSize = 12.0
    heading: TypeSize = 14.0
    title: TypeSize = 22.0
    display: TypeSize = 34.0

    def scaled(self, factor: float) -> TypeScale:
        """The scale for a larger page or reader; title and display sizes stay."""
        larger = ("small", "caption", "body", "number", "heading")
        return self.model_copy(update={name: round(getattr(self, name) * factor, 2) for name in larger})


class Theme(Keys):
    """A whole theme file."""

    name: ShortName
    about: Annotated[str, line_of_text(120)] = "A theme of one's own"
    grid: GridStyle = GridStyle()
    numbers: Numbers = Numbers()
    solids: Solids = Solids()
    solutions: Answers = Answers()
    type: TypeScale = TypeScale()
    rule_pt: Weight = 0.75
    accent: ThemeInk = BLACK

    @property
    def inks(self) -> Iterator[tuple[str, Ink]]:
        """Every ink of the theme with its key."""
        yield "grid.ink", self.grid.ink
        yield "numbers.ink", self.numbers.ink
        yield "solids.ink", self.solids.ink
        yield "accent", self.accent
        for at, ink in enumerate(self.solutions.inks):
            yield f"solutions.inks[{at}]", ink


def check_theme(theme: Theme, profile: PrinterProfile, paper: str | None = None) -> None:
    """Refuse a theme that the printer can't print.

    Raises:
        LayoutError: names each key of the theme that breaks a rule, with the rule's source.
    """
    keys_of: dict[str, list[str]] = {}
    for key, problem in _problems(theme, profile, paper):
        keys_of.setdefault(str(problem), []).append(key)
    if keys_of:
        faults = " ".join(f"{', '.join(dict.fromkeys(keys))} — {fault}" for fault, keys in keys_of.items())
        raise LayoutError(f"the theme {theme.name} can't be printed by {profile.name}. {faults}")


def _problems(theme: Theme, profile: PrinterProfile, paper: str | None) -> Iterator[tuple[str, Problem]]:
    """What the printer can't print, each with its key."""
    grid = theme.grid
    for key, weight in (
        ("grid.inner_pt", grid.inner_pt),
        ("grid.outer_pt", grid.outer_pt),
        ("rule_pt", theme.rule_pt),
    ):
        yield from ((key, problem) for problem in check_line(profile, weight))
    for name, size in theme.type:
        yield from ((f"type.{name}", problem) for problem in check_text(profile, size))
    for key, ink in theme.inks:
        for share in sorted(share for share in set(ink.shares) if share):
            yield from ((key, problem) for problem in check_tint(profile, share))
        if not ink.is_grey:
            yield from ((key, problem) for problem in check_colour(profile, paper))


def load_theme(name_or_path: str | Path) -> Theme:
    """A shipped theme by its name, or a theme file by its path.

    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: the file is not a right theme; lists every fault.
    """
    return load_named(name_or_path, THEMES, Theme)
