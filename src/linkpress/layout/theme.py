"""Themes: line weights, number, solid and answer styles, type scale, inks.

Data in ``config/themes/*.yaml``; a user's own file works the same way. What a printer can't print
is refused before anything is laid out.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from linkpress.errors import LayoutError, SpecError, UsageError
from linkpress.layout.frame import BLACK, Ink, grey
from linkpress.layout.lengths import Size
from linkpress.layout.printers import PrinterProfile
from linkpress.resources import resource


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

    LINE = "line"  # one grey for all paths
    COLOURED = "coloured"  # neighbouring paths in different inks, the ends ringed in them
    SHADED = "shaded"  # squares tinted, neighbouring paths apart, a strong line between them


def _ink(value: object) -> object:
    """``K40``, ``none`` or four percentages of cyan, magenta, yellow and black."""
    if isinstance(value, Ink):
        return value
    if value == "none":
        return grey(0.0)
    if isinstance(value, str) and value[:1] in "Kk" and value[1:].isdecimal() and int(value[1:]) <= 100:
        return grey(int(value[1:]) / 100)
    if isinstance(value, list) and len(value) == 4 and all(_is_percent(share) for share in value):
        return Ink(*(share / 100 for share in value))
    raise ValueError(
        f"{value!r} is not an ink: write K and a percentage, as in K40, or four percentages of cyan, "
        "magenta, yellow and black, as in [0, 50, 100, 0]"
    )


def _is_percent(share: object) -> bool:
    return isinstance(share, (int, float)) and not isinstance(share, bool) and 0 <= share <= 100


ThemeInk = Annotated[Ink, BeforeValidator(_ink)]
Weight = Annotated[float, Field(gt=0, le=12)]
TypeSize = Annotated[float, Field(gt=0, le=120)]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class GridStyle(_Part):
    """The board's lines, in points."""

    inner_pt: Weight = 0.75
    outer_pt: Weight = 2.0
    ink: ThemeInk = BLACK


class Numbers(_Part):
    """The numbers; ``height`` is the figures' height as a share of the square's side."""

    style: NumberStyle = NumberStyle.PLAIN
    height: float = Field(default=0.45, ge=0.25, le=0.7)
    ink: ThemeInk = BLACK


class Solids(_Part):
    """The solid squares; ``inset_pt`` is the white left between the ink and the grid lines."""

    style: SolidStyle = SolidStyle.FILLED
    inset_pt: float = Field(default=1.0, ge=0, le=6)
    ink: ThemeInk = BLACK


class Answers(_Part):
    """The answers; ``width`` is the line's width as a share of the square's side."""

    style: SolutionStyle = SolutionStyle.LINE
    width: float = Field(default=0.25, ge=0.05, le=0.6)
    inks: tuple[ThemeInk, ...] = Field(default=(grey(0.4),), min_length=1, max_length=24)


class TypeScale(_Part):
    """The sizes of type, in points: one scale for the whole book."""

    small: TypeSize = 7.5
    caption: TypeSize = 9.0
    body: TypeSize = 10.0
    number: TypeSize = 12.0
    heading: TypeSize = 14.0
    title: TypeSize = 22.0
    display: TypeSize = 34.0

    def scaled(self, factor: float) -> TypeScale:
        """The scale for a reader who needs larger type; the display size stays."""
        sizes = {name: round(size * factor, 2) for name, size in self}
        return TypeScale(**{**sizes, "title": self.title, "display": self.display})


class Theme(_Part):
    """A whole theme file."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")
    about: str = ""
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


def check_theme(theme: Theme, profile: PrinterProfile, trim: Size, paper: str | None = None) -> None:
    """Refuse a theme that the printer can't print.

    Args:
        theme: to be judged.
        profile: of the printer.
        trim: the book's page, for the profile's message.
        paper: None for the profile's default.
    Raises:
        LayoutError: names each key of the theme that breaks a rule, with the rule's source.
    """
    faults = [*_weight_faults(theme, profile, trim), *_ink_faults(theme, profile, trim, paper)]
    if faults:
        raise LayoutError(f"the theme {theme.name} can't be printed by {profile.name}. " + " ".join(faults))


def _weight_faults(theme: Theme, profile: PrinterProfile, trim: Size) -> Iterator[str]:
    weights = {
        "grid.inner_pt": theme.grid.inner_pt,
        "grid.outer_pt": theme.grid.outer_pt,
        "rule_pt": theme.rule_pt,
    }
    for key, weight in weights.items():
        yield from (f"{key} — {v}" for v in profile.check(trim, line_pt=weight) if v.rule == "line")
    for name, size in theme.type:
        yield from (f"type.{name} — {v}" for v in profile.check(trim, text_pt=size) if v.rule == "text")


def _ink_faults(theme: Theme, profile: PrinterProfile, trim: Size, paper: str | None) -> Iterator[str]:
    for key, ink in theme.inks:
        for share in sorted(share for share in set(ink.shares) if share):
            yield from (f"{key} — {v}" for v in profile.check(trim, tint=share) if v.rule == "tint")
        if not ink.is_grey:
            violations = profile.check(trim, paper=paper, colour=True)
            yield from (f"{key} — {v}" for v in violations if v.rule == "ink")


def theme_names() -> tuple[str, ...]:
    """The names of the shipped themes."""
    return tuple(sorted(path.stem for path in resource("config", "themes").glob("*.yaml")))


def load_theme(name_or_path: str | Path) -> Theme:
    """A shipped theme by its name, or a theme file by its path.

    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: the file is not a right theme; lists every fault.
    """
    text = str(name_or_path)
    if text in theme_names():
        return _shipped(text)
    path = Path(text)
    if path.is_file():
        return _read_theme(path)
    raise UsageError(
        f"no theme named {text!r} and no such file. Shipped: {', '.join(theme_names())}; or give the path of "
        "your own theme, made from a copy of one of these."
    )


@cache
def _shipped(name: str) -> Theme:
    return _read_theme(resource("config", "themes", f"{name}.yaml"))


def _read_theme(path: Path) -> Theme:
    try:
        content = yaml.safe_load(path.read_text("utf-8"))
        return Theme.model_validate(content)
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as fault:
        raise SpecError(f"{path} can't be read as a theme: {fault}") from fault
    except ValidationError as fault:
        lines = [f"{path}: {'.'.join(map(str, e['loc']))}: {e['msg']}" for e in fault.errors()]
        raise SpecError("\n".join(lines)) from fault
