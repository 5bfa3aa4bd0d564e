"""The keys of a theme: how a book looks, as the files in ``config/themes`` have it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from linkpress.documents.inks import BLACK, PALETTES, Ink, InkValue, PaletteValue, grey
from linkpress.documents.models import SpecModel, read_values
from linkpress.documents.shipped_files import MAX_PATH, NAME_OR_PATH, THEMES
from linkpress.documents.values import (
    DefaultText,
    ShortName,
    ValueReader,
    YesNo,
    line_of_text,
    number,
    one_of,
    written,
)


class NumberStyle(StrEnum):
    """The ways in which a number stands in its square."""

    PLAIN = "plain"
    CIRCLED = "circled"
    REVERSED = "reversed"  # paper white on a disc of ink
    DOTS = "dots"  # a disc in the pair's own colour, which its line has too


class SolidStyle(StrEnum):
    """The ways in which a solid square is drawn."""

    FILLED = "filled"
    HATCHED = "hatched"
    CROSS = "cross"


class SolutionStyle(StrEnum):
    """The ways in which an answer is drawn."""

    LINE = "line"  # one ink for all paths
    COLOURED = "coloured"  # neighbouring paths in different inks, the ends ringed in them
    SHADED = "shaded"  # squares tinted, neighbouring paths apart, a strong line between them


Weight = Annotated[float, number(0.25, 12, "points")]
Inset = Annotated[float, number(0, 6, "points")]
TypeSize = Annotated[float, number(4, 120, "points")]
FigureHeight = Annotated[float, number(0.25, 0.7, "a share of the square's side")]
LineWidth = Annotated[float, number(0.05, 0.6, "a share of the square's side")]


class GridStyle(SpecModel):
    """The board's lines."""

    inner_pt: Annotated[Weight, Field(description="The lines inside the board.")] = 0.75
    outer_pt: Annotated[Weight, Field(description="The outline.")] = 2.0
    ink: Annotated[InkValue, Field(description="Of both.")] = BLACK


class Numbers(SpecModel):
    """The numbers."""

    style: Annotated[
        NumberStyle,
        one_of(NumberStyle),
        Field(description="How a number stands in its square; `dots` has a disc of its own colour a pair."),
    ] = NumberStyle.PLAIN
    height: Annotated[FigureHeight, Field(description="The figures' height.")] = 0.45
    ink: Annotated[InkValue, Field(description="Of numbers, rings and discs.")] = BLACK
    show_numbers: Annotated[
        YesNo,
        Field(
            description="Whether `dots` carry their numbers; a board of more pairs than the palette has "
            "colours always shows them."
        ),
    ] = True
    palette: Annotated[
        PaletteValue,
        Field(description="The colours of `dots`, for the pairs 1, 2, 3 …"),
    ] = PALETTES["twelve"]

    @property
    def is_dots(self) -> bool:
        """True if each pair has a colour of its own."""
        return self.style is NumberStyle.DOTS

    def ink_of(self, number: int) -> Ink:
        """Return the colour of a pair's dots; beyond the palette the colours begin anew."""
        return self.palette[(number - 1) % len(self.palette)]

    def shows(self, pairs: int) -> bool:
        """Tell whether a board of so many pairs shows its numbers."""
        return not self.is_dots or self.show_numbers or pairs > len(self.palette)


class Solids(SpecModel):
    """The solid squares."""

    style: Annotated[SolidStyle, one_of(SolidStyle), Field(description="How a solid square is drawn.")] = (
        SolidStyle.FILLED
    )
    inset_pt: Annotated[Inset, Field(description="The white between the ink and the grid's lines.")] = 1.0
    ink: Annotated[InkValue, Field(description="Of the solid squares.")] = BLACK


class Answers(SpecModel):
    """The answers."""

    style: Annotated[
        SolutionStyle,
        one_of(SolutionStyle),
        Field(description="`line` in one ink, `coloured` lines, or `shaded` areas with walls between them."),
    ] = SolutionStyle.LINE
    width: Annotated[LineWidth, Field(description="The line's width.")] = 0.25
    inks: Annotated[
        tuple[InkValue, ...],
        DefaultText("by the style: K40; eight colours; four tints up to K38"),
        Field(
            min_length=1,
            max_length=24,
            description="Of lines or areas, neighbours in different ones, for which four will do; with "
            "`dots` lines have the dots'.",
        ),
    ] = ()
    grid_pt: Annotated[
        Weight | None,
        DefaultText("`grid.inner_pt`"),
        Field(description="The lines inside an answer's board."),
    ] = None
    grid_ink: Annotated[
        InkValue | None,
        DefaultText("`grid.ink`"),
        Field(description="Of the lines inside an answer's board."),
    ] = None

    @property
    def path_inks(self) -> tuple[Ink, ...]:
        """The inks of the paths, as they were given, or the style's own."""
        return self.inks or _INKS_OF[self.style]


# Tints are 12 apart: nearer ones are not told from one another on print-on-demand paper.
_INKS_OF: Mapping[SolutionStyle, tuple[Ink, ...]] = {
    SolutionStyle.LINE: (grey(0.4),),
    SolutionStyle.COLOURED: PALETTES["okabe-ito"],
    SolutionStyle.SHADED: (grey(0.0), grey(0.14), grey(0.26), grey(0.38)),
}


class TypeScale(SpecModel):
    """The sizes of type: one scale for the whole book."""

    small: Annotated[TypeSize, Field(description="Small print.")] = 7.5
    caption: Annotated[TypeSize, Field(description="Captions and running heads.")] = 9.0
    body: Annotated[TypeSize, Field(description="Text.")] = 10.0
    number: Annotated[TypeSize, Field(description="The numbers of puzzles.")] = 12.0
    heading: Annotated[TypeSize, Field(description="Headings in the text.")] = 14.0
    title: Annotated[TypeSize, Field(description="The titles of pages.")] = 22.0
    display: Annotated[TypeSize, Field(description="The book's title.")] = 34.0

    def scaled(self, factor: float) -> TypeScale:
        """Return the scale for a larger page or reader; title and display sizes stay."""
        larger = ("small", "caption", "body", "number", "heading")
        return self.model_copy(update={name: round(getattr(self, name) * factor, 2) for name in larger})


class CoverColours(SpecModel):
    """The cover's colours, which a book's own go before."""

    background: Annotated[
        InkValue | None, DefaultText("deep blue"), Field(description="Of the whole cover.")
    ] = None
    accent: Annotated[
        InkValue | None, DefaultText("orange"), Field(description="Of the rule and the volume's badge.")
    ] = None


class Looks(SpecModel):
    """The looks that a theme gives to a book."""

    grid: Annotated[GridStyle, Field(description="The board's lines.")] = GridStyle()
    numbers: Annotated[Numbers, Field(description="The numbers.")] = Numbers()
    solids: Annotated[Solids, Field(description="The solid squares.")] = Solids()
    solutions: Annotated[Answers, Field(description="The answers.")] = Answers()
    type: Annotated[TypeScale, Field(description="The sizes of type.")] = TypeScale()
    rule_pt: Annotated[Weight, Field(description="Rules beside the text.")] = 0.75
    accent: Annotated[InkValue, Field(description="Of ornaments and short rules.")] = BLACK
    cover: Annotated[CoverColours, Field(description="The cover's colours.")] = CoverColours()


class Theme(Looks):
    """A whole theme file."""

    name: Annotated[ShortName, Field(description="What messages call it.")]
    about: Annotated[str, line_of_text(120), Field(description="What it is like.")] = "A theme of one's own"

    @property
    def inks(self) -> Iterator[tuple[str, Ink]]:
        """Every ink of the theme with its key."""
        yield "grid.ink", self.grid.ink
        yield "numbers.ink", self.numbers.ink
        yield "solids.ink", self.solids.ink
        yield "accent", self.accent
        for index, ink in enumerate(self.solutions.path_inks):
            yield f"solutions.inks[{index}]", ink
        if self.solutions.grid_ink is not None:
            yield "solutions.grid_ink", self.solutions.grid_ink
        if self.numbers.is_dots:
            yield from (("numbers.palette", ink) for ink in self.numbers.palette)


class InlineTheme(Looks):
    """A theme that stands in a spec: another one's looks, and what differs from them."""

    base: Annotated[
        str, NAME_OR_PATH, THEMES, Field(description="The theme that it changes: a name or a path.")
    ] = "classic"

    def over(self, base: Theme) -> Theme:
        """Return the base with the keys that are given here; another style of answers has its own inks."""
        changes: dict[str, object] = {"name": f"{base.name}, changed"}
        for key in self.model_fields_set - {"base"}:
            given, old = getattr(self, key), getattr(base, key)
            if isinstance(given, SpecModel):
                own = {name: getattr(given, name) for name in given.model_fields_set}
                if own.get("style", old) != getattr(old, "style", old) and isinstance(old, Answers):
                    own = {"inks": (), **own}
                given = old.model_copy(update=own)
            changes[key] = given
        return base.model_copy(update=changes)


_THEME_WORDS = "a theme's name, the path of a theme file, or keys of a theme"


def _read_theme(value: object) -> str | InlineTheme:
    if isinstance(value, InlineTheme):
        return value
    if isinstance(value, Mapping):
        return read_values(value, InlineTheme)
    name: str = NAME_OR_PATH.read(written(value, _THEME_WORDS))
    return name


def _write_theme(theme: str | InlineTheme) -> object:
    if isinstance(theme, str):
        return theme
    return theme.model_dump(mode="json", exclude_none=True, exclude_unset=True)


ThemeChoice = Annotated[
    str | InlineTheme,
    ValueReader(
        _read_theme,
        _THEME_WORDS,
        {"anyOf": [{"type": "string", "minLength": 1, "maxLength": MAX_PATH}, {"type": "object"}]},
        _write_theme,
    ),
]
