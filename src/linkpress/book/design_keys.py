"""Keys of themes, covers and cover designs.

Shipped themes are files in ``config/themes``, and shipped cover designs are files in ``config/covers``. Users
can write their own. The text below a key is its description in the documentation, in editors and in the
studio.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, PrivateAttr

from linkpress.book.key_values import MAX_PUZZLES
from linkpress.documents.inks import (
    BLACK,
    MOST_INK,
    PALETTES,
    Ink,
    InkValue,
    PaletteValue,
    contrast,
    grey,
    press_safe,
)
from linkpress.documents.models import Readable, SpecModel, name_or_keys
from linkpress.documents.problem import Problem, invalid, printable
from linkpress.documents.shipped_files import COVERS, MASKS, NAME_OR_PATH, THEMES, PicturePath
from linkpress.documents.values import (
    DefaultText,
    ShortName,
    ValueReader,
    YesNo,
    line_of_text,
    millimetres,
    number,
    one_of,
    paragraphs,
    scalar_text,
    whole_number,
)
from linkpress.puzzle.puzzle import Grid, Puzzle

# Themes


class NumberStyle(StrEnum):
    """Drawing style of the numbers."""

    PLAIN = "plain"
    CIRCLED = "circled"
    REVERSED = "reversed"  # white numbers, each on a disc of ink
    DOTS = "dots"  # a coloured disc for each number; every pair has its own colour for its discs and its line


class SolidStyle(StrEnum):
    """Drawing style of solid squares."""

    FILLED = "filled"
    HATCHED = "hatched"
    CROSS = "cross"
    OUTLINE = "outline"  # solid squares are left blank, and a smooth line surrounds the other squares


class SolutionStyle(StrEnum):
    """Drawing style of answers."""

    LINE = "line"  # all paths are lines of the same ink
    COLOURED = "coloured"  # neighbouring paths, and the rings around their numbers, have different inks
    SHADED = "shaded"  # the squares of neighbouring paths have different tints, with walls between them


Weight = Annotated[float, number(0.25, 12, "points")]
Inset = Annotated[float, number(0, 6, "points")]
TypeSize = Annotated[float, number(4, 120, "points")]
FigureHeight = Annotated[float, number(0.25, 0.7, "a share of the square's side")]
LineWidth = Annotated[float, number(0.05, 0.6, "a share of the square's side")]


class GridStyle(SpecModel):
    """Keys of a theme's ``grid``: the lines of a board."""

    inner_pt: Weight = 0.75
    """The width of the lines inside the board."""
    outer_pt: Weight = 2.0
    """The width of the outline."""
    ink: InkValue = BLACK
    """The ink of all lines of the board."""


class Numbers(SpecModel):
    """Keys of a theme's ``numbers``: the look of the numbers of a puzzle."""

    style: Annotated[NumberStyle, one_of(NumberStyle)] = NumberStyle.PLAIN
    """How numbers are drawn. With `dots`, each pair has a disc in its own colour."""
    height: FigureHeight = 0.45
    """The height of the figures."""
    ink: InkValue = BLACK
    """The ink of numbers, rings and discs."""
    show_numbers: YesNo = True
    """Whether `dots` show their numbers. Without them, no board of a book may have more pairs than the
    palette has colours; images of single puzzles then show the numbers. Boards with a picture
    always show them."""
    palette: PaletteValue = PALETTES["twelve"]
    """The colours of `dots`, for the pairs 1, 2, 3 and so on."""

    @property
    def is_dots(self) -> bool:
        return self.style is NumberStyle.DOTS

    def ink_of(self, number: int) -> Ink:
        return self.palette[(number - 1) % len(self.palette)]

    def shows(self, puzzle: Puzzle) -> bool:
        """Return whether the numbers of a puzzle are printed.

        In the style ``dots``, numbers can be left out, because each pair has a colour of its own. They are
        printed all the same if several pairs have one colour. This happens in a puzzle that shows a picture,
        and in a puzzle with more pairs than the palette has colours.
        """
        is_needed = puzzle.colours or len(puzzle.pairs) > len(self.palette)
        return not self.is_dots or self.show_numbers or bool(is_needed)


class Solids(SpecModel):
    """Keys of a theme's ``solids``: the look of solid squares."""

    style: Annotated[SolidStyle, one_of(SolidStyle)] = SolidStyle.FILLED
    """How solid squares are drawn. With `outline`, they stay empty, and a smooth heavy line runs around the
    other squares."""
    mask_style: Annotated[SolidStyle, one_of(SolidStyle)] = SolidStyle.OUTLINE
    """How solid squares are drawn on boards in shapes, which have `solids: {mask: …}`."""
    inset_pt: Inset = 1.0
    """The white gap between the ink and the lines of the grid."""
    ink: InkValue = BLACK
    """The ink of solid squares."""


class Answers(SpecModel):
    """Keys of a theme's ``solutions``: the look of answers."""

    style: Annotated[SolutionStyle, one_of(SolutionStyle)] = SolutionStyle.LINE
    """How answers are drawn: `line` in one ink, `coloured` lines, or `shaded` areas with walls between
    them."""
    width: LineWidth = 0.25
    """The width of the line."""
    inks: Annotated[
        tuple[InkValue, ...],
        DefaultText("by the style: K70; eight colours; four tints up to K38"),
        Field(min_length=1, max_length=24),
    ] = ()
    """The inks of lines or areas. Neighbouring paths get different ones, for which four inks are enough. With
    `dots`, lines have the colours of the dots instead."""
    grid_pt: Annotated[Weight | None, DefaultText("`grid.inner_pt`")] = None
    """The width of the lines inside the board of an answer."""
    grid_ink: Annotated[InkValue | None, DefaultText("K30; with areas or black lines `grid.ink`")] = None
    """The ink of the lines inside the board of an answer."""

    @property
    def path_inks(self) -> tuple[Ink, ...]:
        return self.inks or _INKS_OF[self.style]


# The tints differ by at least 12 percentage points, because smaller differences are not visible on the paper
# of print-on-demand books.
_INKS_OF: Mapping[SolutionStyle, tuple[Ink, ...]] = {
    SolutionStyle.LINE: (grey(0.7),),
    SolutionStyle.COLOURED: PALETTES["okabe-ito"],
    SolutionStyle.SHADED: (grey(0.0), grey(0.14), grey(0.26), grey(0.38)),
}


class TypeScale(SpecModel):
    """Keys of a theme's ``type``: the font sizes of the whole book."""

    small: TypeSize = 7.5
    """The size of small print."""
    caption: TypeSize = 9.0
    """The size of captions and running heads."""
    body: TypeSize = 10.0
    """The size of text."""
    number: TypeSize = 12.0
    """The size of puzzle numbers."""
    heading: TypeSize = 14.0
    """The size of headings in the text."""
    title: TypeSize = 22.0
    """The size of the titles of pages."""
    display: TypeSize = 34.0
    """The size of the book's title."""


class CoverColours(SpecModel):
    """Keys of a theme's ``cover``: the colours of a cover, used if the spec itself sets no colours."""

    background: Annotated[InkValue | None, DefaultText("deep blue")] = None
    """The colour of the whole cover."""
    accent: Annotated[InkValue | None, DefaultText("orange")] = None
    """The colour of the rule under the title and of the badge."""


class ThemeKeys(SpecModel):
    """Keys of a theme, which are the same in a theme file and in a theme inside a spec."""

    grid: GridStyle = GridStyle.model_construct()
    """The lines of the board."""
    numbers: Numbers = Numbers.model_construct()
    """The numbers."""
    solids: Solids = Solids.model_construct()
    """The solid squares."""
    solutions: Answers = Answers.model_construct()
    """The answers."""
    type: TypeScale = TypeScale.model_construct()
    """The font sizes."""
    rule_pt: Weight = 0.75
    """The width of rules beside the text."""
    accent: InkValue = BLACK
    """The ink of ornaments and short rules."""
    cover: CoverColours = CoverColours.model_construct()
    """The colours of the cover."""


class Theme(ThemeKeys):
    """Theme file: how a book looks."""

    name: ShortName
    """The name of the theme in messages."""
    about: Annotated[str, line_of_text(120)] = "A theme of one's own"
    """A description of the theme in one line."""
    _shapes: frozenset[Grid] = PrivateAttr(default=frozenset())
    _is_grey: bool = PrivateAttr(default=False)

    @property
    def shapes(self) -> frozenset[Grid]:
        """Boards that have the form of a shape, such as a heart. The squares outside the shape are solid.

        These solid squares are drawn in a style of their own, ``solids.mask_style``.
        """
        return self._shapes

    def with_shapes(self, shapes: Iterable[Grid]) -> Self:
        copy = self.model_copy()
        copy._shapes = frozenset(shapes)
        return copy

    @property
    def is_grey(self) -> bool:
        """Whether pictures in answers are drawn in grey, because the book is printed without colours."""
        return self._is_grey

    def in_grey(self) -> Self:
        copy = self.model_copy()
        copy._is_grey = True
        return copy

    def solid_style_of(self, grid: Grid) -> SolidStyle:
        # Looking up a grid in a set is slow, because all its squares are hashed. Most grids have no solid
        # squares, so they can't be a shape and need no lookup.
        is_shape = bool(grid.solids) and grid in self._shapes
        return self.solids.mask_style if is_shape else self.solids.style

    @property
    def inks(self) -> Iterator[tuple[str, Ink]]:
        """Every ink of the theme, each with the key that sets it."""
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


class InlineTheme(ThemeKeys):
    """Theme that is written inside a spec. It has only the keys that differ from another theme."""

    base: Annotated[str, NAME_OR_PATH, THEMES] = "classic"
    """The theme that is changed: the name of a shipped theme, or the path of your own."""

    def over(self, base: Theme) -> Theme:
        """Return a copy of the base theme in which the keys of this theme replace the old values.

        If this theme changes the style of the answers, the base theme's inks for answers are dropped, because
        they suit only the old style.
        """
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


# Covers

LEAST_CONTRAST = 4.5
"""Smallest contrast between text and its background (WCAG 2.2, criterion 1.4.3)."""
_SHOWN_WORDS = "yes, no or your own text, up to 400 characters"


def _read_shown(value: object) -> bool | str:
    text = scalar_text(value, _SHOWN_WORDS)
    if text.lower() in ("yes", "true", "no", "false"):
        return text.lower() in ("yes", "true")
    own: str = paragraphs(400).read(text)
    return own


_INITIAL = "[A-Za-z]{1,3}|[0-9]{1,4}"
_INITIAL_WORDS = "one to three letters from A to Z, or a number up to 9999"


def _read_initial(value: object) -> str:
    text = scalar_text(value, _INITIAL_WORDS).upper()
    if not re.fullmatch(_INITIAL, text):
        raise invalid(printable(text), f"{_INITIAL_WORDS} is allowed")
    return text


ShownOrText = Annotated[
    bool | str,
    ValueReader(
        _read_shown, _SHOWN_WORDS, {"type": ["boolean", "string"], "maxLength": 400}, lambda value: value
    ),
]


class BackSpec(SpecModel):
    """Keys of ``cover.back``: the lines of text below the blurb on the back cover."""

    count: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """Whether the back tells the number of puzzles, or your own text instead."""
    levels: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """Whether the back lists the levels with their numbers of puzzles, or your own text instead."""
    promise: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """Whether the back says what was proven of the puzzles, or your own text instead."""


class SeriesSpec(SpecModel):
    """Keys of ``series``: the name of the series of books, and the background colours of their covers."""

    name: Annotated[str, line_of_text(80)]
    """The name of the series, printed above the title."""
    colours: Annotated[PaletteValue | None, DefaultText("the cover's background")] = None
    """The background colours of the covers, used in turn by the volume's number."""


class SpineText(StrEnum):
    """Direction of the text on a spine."""

    DOWN = "top-down"
    UP = "bottom-up"
    UPRIGHT = "upright"  # upright letters, one below the other


class CoverSpec(SpecModel):
    """Keys of ``cover``. A cover is only made if the spec has this key."""

    design: Annotated[str | None, NAME_OR_PATH, COVERS, DefaultText("ground, title and a board")] = None
    """The design of the cover: the name of a shipped design, or the path of your own design file."""
    palette: Annotated[int | None, whole_number(1, 12), DefaultText("by the volume's number, in turn")] = None
    """The number of the design's palette."""
    initial: Annotated[
        str | None,
        ValueReader(
            _read_initial, _INITIAL_WORDS, {"type": ["string", "integer"], "pattern": f"^({_INITIAL})$"}
        ),
        DefaultText("the number of puzzles"),
    ] = None
    """The letters or number that give the art of the design `initial` its shape."""
    blurb: Annotated[str | None, paragraphs(1200), DefaultText("the rule in one line")] = None
    """The text on the back, plain or in Markdown as in `front[].text`."""
    background: Annotated[
        InkValue | None, DefaultText("the series', the colour at the picture's edge, or the theme's")
    ] = None
    """The colour of the whole cover."""
    accent: Annotated[InkValue | None, DefaultText("the theme's")] = None
    """The colour of the rule under the title and of the badge."""
    image: PicturePath | None = None
    """A picture, JPEG or PNG, that fills the whole front with its bleed, or its place in the designs `window`
    and `poster`. It is cut to fit and checked against the printer's resolution."""
    front: PicturePath | None = None
    """Finished art for the whole front with its bleed, including the title; it is printed as it is."""
    back_art: PicturePath | None = None
    """A picture, JPEG or PNG, that fills the whole back with its bleed. Text on it has the background's
    colour behind it."""
    badge: Annotated[str | None, line_of_text(30), DefaultText("none")] = None
    """Text in a disc on the front, such as `Large print` or `Ages 5–8`. `puzzles` shows the number of
    puzzles, and `volume` the volume's number."""
    boards: Annotated[
        int | None,
        whole_number(0, 3),
        DefaultText("2 if a design's art is on the front alone and they fit, else 0"),
    ] = None
    """The number of the book's puzzles that are shown on the back."""
    back: Annotated[BackSpec | None, DefaultText("all of it")] = None
    """The lines below the blurb."""
    puzzle: Annotated[
        int | None, whole_number(1, MAX_PUZZLES), DefaultText("the first of the smallest boards")
    ] = None
    """The number of the puzzle that is shown on the front."""
    spine_mm: Annotated[float | None, millimetres(0.5, 100), DefaultText("from pages and paper")] = None
    """The width of the spine, if the printer tells it to you."""
    spine: Annotated[SpineText | None, one_of(SpineText), DefaultText("by the habit of the language")] = None
    """The direction of the text on the spine: usually `bottom-up` in French, German, Italian, Portuguese and
    Spanish, `upright` in Japanese, and `top-down` in other languages."""

    @property
    def picture_key(self) -> str:
        return "cover.image" if self.front is None else "cover.front"

    @property
    def pictures(self) -> Mapping[str, str]:
        """The files of the cover's pictures, by the keys that name them."""
        named = {self.picture_key: self.front or self.image, "cover.back_art": self.back_art}
        return {key: name for key, name in named.items() if name is not None}

    def problems(self, readable: Readable) -> Iterator[Problem]:
        for key in ("image", "puzzle", "badge"):
            if self.front is not None and getattr(self, key):
                yield Problem("", "`front` is the whole front; leave this out", (key,))
        for key in ("front", "puzzle", "accent"):
            if self.design is not None and getattr(self, key):
                yield Problem("", "`design` is the whole front; leave one of the two out", (key,))
        for key, feature in (("palette", "palettes"), ("initial", "art in the shape of letters")):
            if getattr(self, key) is not None and self.design is None:
                message = f"only a cover with a `design` has {feature}; name one, or leave this out"
                yield Problem("", message, (key,))


# Cover designs


class TitleFace(StrEnum):
    """Typeface of the title on a cover."""

    HEAVY = "heavy"  # Bricolage Grotesque
    SERIF = "serif"  # Fraunces
    PLAIN = "plain"  # the semibold font of the book itself


class WordsPlace(StrEnum):
    """Place of the text on the front cover."""

    TOP = "top"
    BOTTOM = "bottom"


class Alignment(StrEnum):
    """Alignment of the lines of text on the front."""

    LEFT = "left"
    CENTRE = "centre"


class ArtBoard(StrEnum):
    """Board shown on a cover, and the part of the cover that it fills."""

    COVER = "cover"  # the board fills the whole cover with its bleed; squares under text are solid
    BAND = "band"  # the board is a band across back, spine and front, and leaves room for the text
    CORNER = "corner"  # the board is beside the text and extends beyond two edges of the front
    INSIDE = "inside"  # the whole board is in the space beside the text

    # the board has the shape of the cover's key `initial`, of a mask, or of the number of puzzles in digits
    COUNT = "count"
    NEST = "nest"  # bent lines, one inside the other, are in a corner of the space beside the text
    PICTURE = "picture"  # there is no board; the cover's `image` is in the space beside the text
    POSTER = "poster"  # there is no board; the cover's `image` fills the front, with the text on a panel

    @property
    def is_picture(self) -> bool:
        return self in (ArtBoard.PICTURE, ArtBoard.POSTER)


class CoverPalette(SpecModel):
    """Keys of an entry of a cover design's ``palettes``: the colours of the ground, the text and the art."""

    ground: InkValue
    """The colour of the whole cover."""
    words: InkValue
    """The colour of all text except the title."""
    title: Annotated[InkValue | None, DefaultText("`words`")] = None
    """The colour of the title."""
    field: Annotated[InkValue | None, DefaultText("`ground`")] = None
    """The colour under the text."""
    lines: Annotated[tuple[InkValue, ...], Field(min_length=1, max_length=8)]
    """The colours of the lines or areas of the art; neighbours get different ones."""
    fill: Annotated[InkValue | None, DefaultText("none")] = None
    """The colour of the board under its lines."""
    faint: Annotated[InkValue | None, DefaultText("the first of `lines`")] = None
    """The colour of grids, of seams between areas, and of dots whose line is not drawn."""

    @property
    def printed(self) -> "CoverPalette":
        """Copy of this palette in which ``press_safe`` has made every ink printable."""
        lines = tuple(map(press_safe, self.lines))
        others = {key: press_safe(ink) for key, ink in self if isinstance(ink, Ink)}
        return self.model_copy(update={**others, "lines": lines})

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if not readable("ground", "words", "title", "field", "fill", "lines", "faint"):
            return
        background = self.field or self.ground
        for key, ink in (("words", self.words), ("title", self.title or self.words)):
            ratio = contrast(ink.rgb, background.rgb)
            if ratio < LEAST_CONTRAST:
                yield Problem(
                    f"a contrast of {ratio:.1f} to the colour below it",
                    f"{LEAST_CONTRAST:g} or more is needed; make one lighter or the other darker",
                    (key,),
                )
        for key in ("ground", "words", "title", "field", "fill", "faint", "lines"):
            inks: tuple[Ink | None, ...] = self.lines if key == "lines" else (getattr(self, key),)
            most = max((sum(ink.shares) for ink in inks if ink is not None), default=0.0)
            if most > MOST_INK + 1e-6:
                yield Problem(f"{most:.0%} of ink", f"{MOST_INK:.0%} is the most that paper takes", (key,))


Squares = Annotated[float, number(1.5, 40, "squares")]
Share = Annotated[float, number(0, 1, "a share of the square's side")]


class CoverWords(SpecModel):
    """Keys of a cover design's ``words``: the text on the front."""

    place: Annotated[WordsPlace, one_of(WordsPlace)] = WordsPlace.TOP
    """The end of the front at which the text is placed."""
    align: Annotated[Alignment, one_of(Alignment)] = Alignment.LEFT
    """The alignment of the lines of text."""
    most: Annotated[float, number(0.3, 0.8, "a share of the front's height")] = 0.5
    """The largest height of the text."""
    letter: Annotated[float, number(0.08, 0.3, "a share of the front's height")] = 0.17
    """The largest height of the title's capitals. They never get smaller than 1/14."""


class CoverArt(SpecModel):
    """Keys of a cover design's ``art``: a board that is generated for the cover.

    The same keys always give the same board.
    """

    board: Annotated[ArtBoard, one_of(ArtBoard)] = ArtBoard.COVER
    """The board, and the part of the cover that it fills. Squares under text are solid, so lines flow round
    the text."""
    mask: Annotated[str | None, NAME_OR_PATH, MASKS, DefaultText("the number of puzzles")] = None
    """The mask that gives a board of the kind `count` its shape, such as `cat`. Solid squares inside the
    shape, such as eyes, are drawn as discs."""
    squares: Squares = 12.0
    """The approximate number of squares across the front."""
    height: Annotated[float, number(0.2, 1, "a share of the front's height")] = 1.0
    """The largest height of the art, if it is beside the text."""
    side: Annotated[int, whole_number(3, 12)] = 5
    """The number of squares along a side of the board, if it is `inside` or in a `corner`."""
    path: Annotated[int, whole_number(4, 30)] = 10
    """The average number of squares of a line."""
    drawn: Annotated[int | None, whole_number(0, 24), DefaultText("all")] = None
    """The number of lines that are drawn, beginning with the longest on the front."""
    areas: YesNo = False
    """Whether the squares of each line are filled with its colour."""
    line: Share = 0.5
    """The width of the lines."""
    bead: Share = 0.0
    """The radius of a small dot at each square of a line."""
    dot: Share = 0.0
    """The radius of the dots at the ends of lines."""
    ring: Share = 0.0
    """The width of a ring that replaces the full disc of each dot; it is faint if the dot's line is not
    drawn. 0 gives full discs."""
    glow: Annotated[int, whole_number(0, 4)] = 0
    """The number of dimmer discs around a dot."""
    figure: Share = 0.0
    """The height of the numbers; 0 for none."""
    grid: Share = 0.0
    """The width of the grid's lines; with `areas`, of the lines between areas only."""


class CoverDesign(SpecModel):
    """Cover design file: typeface, palettes and art."""

    name: ShortName
    """The name of the design in messages."""
    about: Annotated[str, line_of_text(120)] = "A design of one's own"
    """A description of the design in one line."""
    looped: YesNo = False
    """Whether Thai letters of the title have loops, which suits children and large print."""
    face: Annotated[TitleFace, one_of(TitleFace)] = TitleFace.HEAVY
    """The typeface of the title. If it lacks a letter, the whole title is set in the book's own font."""
    words: CoverWords = CoverWords.model_construct()
    """The text on the front."""
    art: CoverArt = CoverArt.model_construct()
    """The art."""
    palettes: Annotated[tuple[CoverPalette, ...], Field(min_length=1, max_length=12)]
    """The palettes, used in turn by the volume's number."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        for index, palette in enumerate(self.palettes if readable("art", "palettes") else ()):
            if palette.field is not None and self.art.board is not ArtBoard.COVER:
                message = "only art with `board: cover` lies under text; leave this out"
                yield Problem("", message, ("palettes", index, "field"))

    def in_palette(self, number: int) -> "CoverDesign":
        """Return the design with only one of its palettes.

        Args:
            number: the number of the palette, from 1. Numbers beyond the last palette begin again at the
                first.
        """
        palette = self.palettes[(number - 1) % len(self.palettes)].printed
        return self.model_copy(update={"palettes": (palette,)})
