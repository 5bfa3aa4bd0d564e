"""The keys of a theme say how a book looks, as the files in ``config/themes`` have them."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field

from linkpress.documents.inks import BLACK, PALETTES, Ink, InkValue, PaletteValue, grey
from linkpress.documents.models import SpecModel, name_or_keys
from linkpress.documents.shipped_files import NAME_OR_PATH, THEMES
from linkpress.documents.values import DefaultText, ShortName, YesNo, line_of_text, number, one_of


class NumberStyle(StrEnum):
    """A number style says how a number stands in its square."""

    PLAIN = "plain"
    CIRCLED = "circled"
    REVERSED = "reversed"  # paper white on a disc of ink
    DOTS = "dots"  # a disc in the pair's own colour, which its line has too


class SolidStyle(StrEnum):
    """A solid style says how a solid square is drawn."""

    FILLED = "filled"
    HATCHED = "hatched"
    CROSS = "cross"


class SolutionStyle(StrEnum):
    """A solution style says how an answer is drawn."""

    LINE = "line"  # one ink for all paths
    COLOURED = "coloured"  # neighbouring paths in different inks, the ends ringed in them
    SHADED = "shaded"  # squares tinted, neighbouring paths apart, a strong line between them


Weight = Annotated[float, number(0.25, 12, "points")]
Inset = Annotated[float, number(0, 6, "points")]
TypeSize = Annotated[float, number(4, 120, "points")]
FigureHeight = Annotated[float, number(0.25, 0.7, "a share of the square's side")]
LineWidth = Annotated[float, number(0.05, 0.6, "a share of the square's side")]


class GridStyle(SpecModel):
    """These keys draw the board's lines."""

    inner_pt: Weight = 0.75
    """The lines inside the board."""
    outer_pt: Weight = 2.0
    """The outline."""
    ink: InkValue = BLACK
    """Of both."""


class Numbers(SpecModel):
    """These keys draw the numbers."""

    style: Annotated[NumberStyle, one_of(NumberStyle)] = NumberStyle.PLAIN
    """How a number stands in its square; `dots` has a disc of its own colour a pair."""
    height: FigureHeight = 0.45
    """The figures' height."""
    ink: InkValue = BLACK
    """Of numbers, rings and discs."""
    show_numbers: YesNo = True
    """Whether `dots` carry their numbers; a board of more pairs than the palette has colours always shows
    them."""
    palette: PaletteValue = PALETTES["twelve"]
    """The colours of `dots`, for the pairs 1, 2, 3 …"""

    @property
    def is_dots(self) -> bool:
        """Tell whether each pair has a colour of its own."""
        return self.style is NumberStyle.DOTS

    def ink_of(self, number: int) -> Ink:
        """Return the colour of a pair's dots; beyond the palette the colours begin anew."""
        return self.palette[(number - 1) % len(self.palette)]

    def shows(self, pairs: int) -> bool:
        """Tell whether a board of so many pairs shows its numbers."""
        return not self.is_dots or self.show_numbers or pairs > len(self.palette)


class Solids(SpecModel):
    """These keys draw the solid squares."""

    style: Annotated[SolidStyle, one_of(SolidStyle)] = SolidStyle.FILLED
    """How a solid square is drawn."""
    inset_pt: Inset = 1.0
    """The white between the ink and the grid's lines."""
    ink: InkValue = BLACK
    """Of the solid squares."""


class Answers(SpecModel):
    """These keys draw the answers."""

    style: Annotated[SolutionStyle, one_of(SolutionStyle)] = SolutionStyle.LINE
    """`line` in one ink, `coloured` lines, or `shaded` areas with walls between them."""
    width: LineWidth = 0.25
    """The line's width."""
    inks: Annotated[
        tuple[InkValue, ...],
        DefaultText("by the style: K40; eight colours; four tints up to K38"),
        Field(min_length=1, max_length=24),
    ] = ()
    """Of lines or areas, neighbours in different ones, for which four will do; with `dots` lines have the
    dots'."""
    grid_pt: Annotated[Weight | None, DefaultText("`grid.inner_pt`")] = None
    """The lines inside an answer's board."""
    grid_ink: Annotated[InkValue | None, DefaultText("`grid.ink`")] = None
    """Of the lines inside an answer's board."""

    @property
    def path_inks(self) -> tuple[Ink, ...]:
        """Return the inks of the paths, as they were given, or the style's own."""
        return self.inks or _INKS_OF[self.style]


# Tints are 12 apart: nearer ones are not told from one another on print-on-demand paper.
_INKS_OF: Mapping[SolutionStyle, tuple[Ink, ...]] = {
    SolutionStyle.LINE: (grey(0.4),),
    SolutionStyle.COLOURED: PALETTES["okabe-ito"],
    SolutionStyle.SHADED: (grey(0.0), grey(0.14), grey(0.26), grey(0.38)),
}


class TypeScale(SpecModel):
    """The sizes of type are one scale for the whole book."""

    small: TypeSize = 7.5
    """Small print."""
    caption: TypeSize = 9.0
    """Captions and running heads."""
    body: TypeSize = 10.0
    """Text."""
    number: TypeSize = 12.0
    """The numbers of puzzles."""
    heading: TypeSize = 14.0
    """Headings in the text."""
    title: TypeSize = 22.0
    """The titles of pages."""
    display: TypeSize = 34.0
    """The book's title."""


class CoverColours(SpecModel):
    """The cover has these colours unless the book gives its own."""

    background: Annotated[InkValue | None, DefaultText("deep blue")] = None
    """Of the whole cover."""
    accent: Annotated[InkValue | None, DefaultText("orange")] = None
    """Of the rule and the volume's badge."""


class Looks(SpecModel):
    """Looks are what a theme gives to a book."""

    grid: GridStyle = GridStyle.model_construct()
    """The board's lines."""
    numbers: Numbers = Numbers.model_construct()
    """The numbers."""
    solids: Solids = Solids.model_construct()
    """The solid squares."""
    solutions: Answers = Answers.model_construct()
    """The answers."""
    type: TypeScale = TypeScale.model_construct()
    """The sizes of type."""
    rule_pt: Weight = 0.75
    """Rules beside the text."""
    accent: InkValue = BLACK
    """Of ornaments and short rules."""
    cover: CoverColours = CoverColours.model_construct()
    """The cover's colours."""


class Theme(Looks):
    """A theme says how a book looks; its file holds these keys."""

    name: ShortName
    """What messages call it."""
    about: Annotated[str, line_of_text(120)] = "A theme of one's own"
    """What it is like."""

    @property
    def inks(self) -> Iterator[tuple[str, Ink]]:
        """Return every ink of the theme with its key."""
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
    """An inline theme stands in a spec: another theme's looks, and what differs from them."""

    base: Annotated[str, NAME_OR_PATH, THEMES] = "classic"
    """The theme that it changes: a name or a path."""

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


ThemeChoice = Annotated[
    str | InlineTheme,
    name_or_keys(InlineTheme, "a theme's name, the path of a theme file, or keys of a theme", partly=True),
]
