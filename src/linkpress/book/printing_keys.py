"""Keys that say how a book is printed and how it looks. They don't change the puzzles.

Shipped themes are files in ``config/themes``, and shipped cover designs are files in ``config/covers``. Users
can write their own. Each key is a field of a class. The string below a field describes the key in the
documentation, in editors and in the studio.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from typing import Annotated, Self, Union
from urllib.parse import quote

from pydantic import BeforeValidator, Field, PrivateAttr, SerializerFunctionWrapHandler, model_serializer

from linkpress.book.key_values import MAX_PUZZLES, Ages, Isbn, PerPageChoice, Trim, TrimSize, puzzles_a_page
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
from linkpress.documents.shipped_files import (
    COVERS,
    MASKS,
    NAME_OR_PATH,
    PRINTERS,
    THEMES,
    FilePath,
    HoldsPaths,
    PicturePath,
)
from linkpress.documents.values import (
    MM_PT,
    NO,
    YES,
    DefaultText,
    PixelMode,
    Share,
    ShortName,
    ValueReader,
    YesNo,
    line_of_text,
    millimetres,
    number,
    one_of,
    paragraphs,
    parse_length,
    percent_text,
    scalar_text,
    some_of,
    whole_number,
)
from linkpress.engine.difficulty import marks_of
from linkpress.files import ImageFormat
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.words import Words

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
    COLOURED = "coloured"  # neighbouring paths have different inks; a ring around a number has its path's ink
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
        DefaultText(
            "K70 for lines in one ink, eight colours for coloured lines, four greys up to K38 for areas"
        ),
        Field(min_length=1, max_length=24),
    ] = ()
    """The inks of lines or areas. Neighbouring paths get different ones, for which four inks are enough. With
    `dots`, lines have the colours of the dots instead."""
    grid_pt: Annotated[Weight | None, DefaultText("as `grid.inner_pt`")] = None
    """The width of the lines inside the board of an answer."""
    grid_ink: Annotated[InkValue | None, DefaultText("K30; with areas or black lines, as `grid.ink`")] = None
    """The ink of the lines inside the board of an answer."""

    @property
    def path_inks(self) -> tuple[Ink, ...]:
        return self.inks or _INKS_OF[self.style]


# The inks with which each style draws answers. The grey tints of ``SHADED`` differ by at least 12 percentage
# points, because smaller differences are not visible on the paper of print-on-demand books.
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
        """Boards whose free squares form a shape, such as a heart. All squares outside the shape are solid.

        The solid squares of these boards are drawn in a style of their own, ``solids.mask_style``.
        """
        return self._shapes

    def with_shapes(self, shapes: Iterable[Grid]) -> Self:
        copy = self.model_copy()
        copy._shapes = frozenset(shapes)
        return copy

    @property
    def is_grey(self) -> bool:
        return self._is_grey

    def in_grey(self) -> Self:
        copy = self.model_copy()
        copy._is_grey = True
        return copy

    def solid_style_of(self, grid: Grid) -> SolidStyle:
        # ``_shapes`` is a set of masks, which give boards a shape such as a heart. Looking up a grid in this
        # set is slow, because all its squares are hashed. Every mask has solid squares, and most grids have
        # none. Such grids need no lookup.
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

    @property
    def has_colours(self) -> bool:
        """Whether any ink of the theme is a colour. Such a theme needs pages that are printed in colour."""
        return any(not ink.is_grey for _, ink in self.inks)


class InlineTheme(ThemeKeys):
    """Theme that is written inside a spec. It has only the keys that differ from another theme."""

    base: Annotated[str, NAME_OR_PATH, THEMES] = "classic"
    """The theme that is changed: the name of a shipped theme, or the path of your own."""

    def over(self, base: Theme) -> Theme:
        """Return a copy of the base theme that has this theme's values for the keys that this theme sets.

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
    """Keys of ``cover``, which describes the cover of the book. Without the key ``cover``, none is made."""

    design: Annotated[
        str | None, NAME_OR_PATH, COVERS, DefaultText("a plain cover with the title and a board")
    ] = None
    """The design of the cover: the name of a shipped design, or the path of your own design file."""
    palette: Annotated[
        int | None, whole_number(1, 12), DefaultText("1 for the first volume, 2 for the second, and so on")
    ] = None
    """The number of the design's palette."""
    initial: Annotated[
        str | None,
        ValueReader(
            _read_initial, _INITIAL_WORDS, {"type": ["string", "integer"], "pattern": f"^({_INITIAL})$"}
        ),
        DefaultText("the number of puzzles"),
    ] = None
    """The letters or number that give the art of the design `initial` its shape."""
    blurb: Annotated[str | None, paragraphs(1200), DefaultText("the rule of the puzzles in one line")] = None
    """The text on the back, plain or in Markdown as in `front[].text`."""
    background: Annotated[
        InkValue | None, DefaultText("the colour of the series, of the picture's edge, or of the theme")
    ] = None
    """The colour of the whole cover."""
    accent: Annotated[InkValue | None, DefaultText("the colour of the theme")] = None
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
        DefaultText("2 if the design leaves room for them on the back, else none"),
    ] = None
    """The number of the book's puzzles that are shown on the back."""
    back: Annotated[BackSpec | None, DefaultText("all of these lines")] = None
    """The lines below the blurb."""
    puzzle: Annotated[
        int | None, whole_number(1, MAX_PUZZLES), DefaultText("the first puzzle of the smallest size")
    ] = None
    """The number of the puzzle that is shown on the front."""
    spine_mm: Annotated[
        float | None, millimetres(0.5, 100), DefaultText("worked out from the pages and the paper")
    ] = None
    """The width of the spine, if the printer tells it to you."""
    spine: Annotated[
        SpineText | None, one_of(SpineText), DefaultText("as is usual in the book's language")
    ] = None
    """The direction of the text on the spine: usually `bottom-up` in French, German, Italian, Portuguese and
    Spanish, `upright` in Japanese, and `top-down` in other languages."""

    @property
    def picture_key(self) -> str:
        return "cover.image" if self.front is None else "cover.front"

    @property
    def pictures(self) -> Mapping[str, str]:
        """The files of the cover's pictures. The key of a file is the spec key that names it."""
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
    PLAIN = "plain"  # the font of the book's own text, in semibold


class WordsPlace(StrEnum):
    """Place of the words on the front cover."""

    TOP = "top"
    BOTTOM = "bottom"


class Alignment(StrEnum):
    """Alignment of the lines of text on the front cover."""

    LEFT = "left"
    CENTRE = "centre"


class ArtBoard(StrEnum):
    """Board shown on a cover, and the part of the cover that it fills."""

    COVER = "cover"  # the board fills the whole cover and its bleed; squares under text are solid
    BAND = "band"  # the board runs across back, spine and front; on the front it is above or below the text
    CORNER = "corner"  # the board is above or below the text; two edges of the front cover cut it off
    INSIDE = "inside"  # the whole board is on the front cover, above or below the text

    # The board has the shape of letters, of digits or of a mask such as a cat. The design's key `mask` sets a
    # mask, and the cover's key `initial` sets letters. Without these keys, the shape is the number of puzzles
    # in the book, such as 100.
    COUNT = "count"
    NEST = "nest"  # bent lines, one inside the other, fill a corner of the front cover away from the text
    PICTURE = "picture"  # there is no board; the cover's `image` is above or below the text

    # There is no board. The cover's `image` fills the front cover, and the text is on a panel.
    POSTER = "poster"

    @property
    def is_picture(self) -> bool:
        return self in (ArtBoard.PICTURE, ArtBoard.POSTER)


class CoverPalette(SpecModel):
    """Keys of an entry of a cover design's ``palettes``: colours of the background, the text and the art."""

    ground: InkValue
    """The colour of the whole cover."""
    words: InkValue
    """The colour of all text except the title."""
    title: Annotated[InkValue | None, DefaultText("as `words`")] = None
    """The colour of the title."""
    field: Annotated[InkValue | None, DefaultText("as `ground`")] = None
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
_SquareShare = Annotated[float, number(0, 1, "a share of the square's side")]


class CoverWords(SpecModel):
    """Keys of a cover design's ``words``: the text on the front cover."""

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
    line: _SquareShare = 0.5
    """The width of the lines."""
    bead: _SquareShare = 0.0
    """The radius of a small dot at each square of a line."""
    dot: _SquareShare = 0.0
    """The radius of the dots at the ends of lines."""
    ring: _SquareShare = 0.0
    """The width of a ring that replaces the full disc of each dot; it is faint if the dot's line is not
    drawn. 0 gives full discs."""
    glow: Annotated[int, whole_number(0, 4)] = 0
    """The number of dimmer discs around a dot."""
    figure: _SquareShare = 0.0
    """The height of the numbers; 0 for none."""
    grid: _SquareShare = 0.0
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
        """Return the design with only one of its palettes, whose inks are made printable.

        Args:
            number: the number of the palette, from 1. If the design has three palettes, the numbers 4, 5 and
                6 mean these three palettes again, and so on.
        """
        palette = self.palettes[(number - 1) % len(self.palettes)].printed
        return self.model_copy(update={"palettes": (palette,)})


MAX_MATTER = 20


# The page


class Standard(StrEnum):
    """Kind of PDF for the interior of a book."""

    PDFX1A = "pdfx1a"
    PLAIN = "plain"


class Binding(StrEnum):
    """Binding of the book, which decides the inner margin."""

    GLUED = "glued"
    LAY_FLAT = "lay-flat"


class PageNumbers(StrEnum):
    """Position of page numbers at the foot of the page."""

    OUTSIDE = "outside"
    CENTRE = "centre"
    INSIDE = "inside"
    NONE = "none"


class Border(StrEnum):
    """Border around the text and boards of each page."""

    NONE = "none"
    LINE = "line"
    DOUBLE = "double"


class BackgroundPages(StrEnum):
    """Choice of the pages that get a picture in the background."""

    OPENERS = "openers"
    PUZZLES = "puzzles"
    BOTH = "both"


class BackgroundSpec(SpecModel):
    """Keys of ``page.background``, which describes a picture to print behind the text and boards of pages."""

    image: PicturePath
    """The file of the picture, JPEG or PNG. It is cut to the page with its bleed, checked against the
    printer's resolution, and printed in gray if the paper is printed in black only."""
    pages: Annotated[BackgroundPages, one_of(BackgroundPages)] = BackgroundPages.BOTH
    """The pages with the picture: `openers` of levels and solutions, `puzzles`, or `both`."""
    strength: Share = Fraction(20, 100)
    """How strongly the picture is printed, 5% to 40%, so that text on it stays readable. Boards always have a
    white background."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if not Fraction(5, 100) <= self.strength <= Fraction(40, 100):
            yield Problem(percent_text(self.strength), "5% to 40% is allowed", ("strength",))


def _length(unit: str, low: float, high: float, example: str, allowed: str) -> ValueReader:
    """Return a ``ValueReader`` that reads lengths.

    In a spec, a length must have a unit, as in ``3mm``. In a Python script, it is a number without a unit.

    Args:
        unit: the unit of the numbers in Python, "pt" or "mm".
        low: the smallest allowed value.
        high: the largest allowed value.
        example: examples of a length, for messages.
        allowed: the message about a length that is too small or too large.
    """
    words, unit_pt = f"a length with its unit, as {example}", {"pt": 1.0, "mm": MM_PT}[unit]

    def read(value: object) -> float:
        text = f"{value}{unit}" if isinstance(value, float) else scalar_text(value, words)
        try:
            length = round(parse_length(text) / unit_pt, 9)
        except ValueError:
            raise invalid(printable(text), f"{words}, is needed") from None
        if not low <= length <= high:
            raise invalid(printable(text), allowed)
        return length

    return ValueReader(read, words, {"type": "string"}, lambda length: f"{length:g}{unit}", "length")


Margin = Annotated[float, _length("pt", 1e-9, 200, "0.5in or 15mm", "up to 70 mm are allowed")]


class MarginsSpec(SpecModel):
    """Keys of ``page.margins``. A margin must not be smaller than the printer's minimum."""

    inside: Annotated[
        Margin | None, DefaultText("the usual one for the page size and the number of pages")
    ] = None
    """The margin at the spine."""
    outside: Annotated[Margin | None, DefaultText("the usual one for the page size")] = None
    """The margin at the outer edge."""
    top: Annotated[Margin | None, DefaultText("the usual one for the page size")] = None
    """The margin at the top."""
    bottom: Annotated[Margin | None, DefaultText("the usual one for the page size")] = None
    """The margin at the bottom."""


class PageSpec(SpecModel):
    """Keys of ``page``: printer, paper, size and margins."""

    printer: Annotated[str, NAME_OR_PATH, PRINTERS] = "generic"
    """The printer: the name of a shipped profile, such as `kdp-paperback`, or the path of your own
    profile."""
    paper: Annotated[str | None, line_of_text(60), DefaultText("the printer's usual paper")] = None
    """The paper, by its name in the printer's profile."""
    trim: TrimSize = Trim(215.9, 279.4, "8.5x11in")
    """The size of the cut page, width first."""
    bleed: YesNo = False
    """Whether pages are delivered with bleed."""
    binding: Annotated[Binding | None, one_of(Binding), DefaultText("the printer's usual binding")] = None
    """The binding. With `lay-flat`, for spiral, wire-bound and sewn books, both side margins are equal."""
    margins: Annotated[MarginsSpec | None, DefaultText("as below")] = None
    """The margins of the page, if they differ from the usual ones."""
    single_sided: YesNo = False
    """Whether puzzles are only on right-hand pages, so that a pen does not show through to another puzzle."""
    large_print: YesNo = False
    """Whether the book is for large print: numbers of 18 points or more, and one puzzle on a page unless
    `per_page` asks for more."""
    min_cell_mm: Annotated[float | None, millimetres(3, 40), DefaultText("5")] = None
    """The smallest allowed square of a puzzle."""
    running_heads: YesNo = True
    """Whether a line at the top of the page names the level and its puzzles."""
    numbers: Annotated[PageNumbers, one_of(PageNumbers)] = PageNumbers.OUTSIDE
    """The position of page numbers at the foot of the page."""
    border: Annotated[Border, one_of(Border)] = Border.NONE
    """The line around every printed page."""
    background: Annotated[BackgroundSpec | None, DefaultText("none")] = None
    """A picture behind openers and puzzles that runs to the edge of the page; it needs `bleed: yes`."""
    max_cell_mm: Annotated[
        float | None, millimetres(5, 60), DefaultText("17; if puzzles fill the page, 60")
    ] = None
    """The largest allowed square of a puzzle."""
    fill: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether puzzles grow until they fill the page, which suits large print."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if self.background and readable("bleed") and not self.bleed:
            message = "a picture behind pages runs over their edges: give page.bleed: yes"
            yield Problem("", message, ("background",))
        if self.min_cell_mm and self.max_cell_mm and self.min_cell_mm > self.max_cell_mm:
            message = f"min_cell_mm is {self.min_cell_mm:g}; give as much or more"
            yield Problem(f"{self.max_cell_mm:g}", message, ("max_cell_mm",))


# Book parts


# Matches the Markdown in front of a picture's relative path, as in ``![words](path)`` or ``[words]: path``.
_PICTURE = re.compile(
    r"(?:(?<!\\)!\[(?:[^\[\]\\]|\\.)*\]\(|^ {0,3}\[[^\]\n]+\]:(?=[ \t]*\S+[ \t]*(?:[\"'(].*)?$))"
    r"\s*<?(?=[^\s<>)/])(?![A-Za-z][A-Za-z0-9+.-]*:)",
    re.MULTILINE,
)
# Matches the folders in the path of a picture in a Markdown text. These folders are left out when the length
# of the text is checked. The reason is that linkpress itself adds folders to such a path if the text comes
# from a base file in another folder.
_PICTURE_FOLDER = re.compile(rf"({_PICTURE.pattern})(?:[^\s<>()/]*/)+", re.MULTILINE)


class HoldsPicturePaths(HoldsPaths):
    """Annotation of a key whose value is a Markdown text with paths of pictures."""

    def rebase(self, text: str, folder: PurePath) -> str:
        """Put ``folder`` in front of each path of a picture, also in lines such as ``[map]: map.png``."""
        prefix = quote(f"{folder.as_posix()}/", safe="/.:~")
        return _PICTURE.sub(lambda match: f"{match[0]}{prefix}", text)


class SolutionsPlace(StrEnum):
    """Place of the solutions in the book."""

    BACK = "back"
    AFTER_SECTION = "after-section"
    FILE = "file"
    UPSIDE_DOWN = "upside-down"


class NumbersSpec(SpecModel):
    """Keys of ``numbers``: the look of the numbers, if it differs from the theme's."""

    style: Annotated[NumberStyle | None, one_of(NumberStyle), DefaultText("as in the theme")] = None
    """How numbers are drawn. With `dots`, each pair has a disc and a line in its own colour."""
    show_numbers: Annotated[YesNo | None, DefaultText("as in the theme, usually yes")] = None
    """Whether `dots` show their numbers. Without them, no board may have more pairs than the palette has
    colours."""
    palette: Annotated[PaletteValue | None, DefaultText("`twelve`")] = None
    """The colours of `dots`, for the pairs 1, 2, 3 and so on."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if self.style in (None, NumberStyle.DOTS):
            return
        for key in ("show_numbers", "palette"):
            if getattr(self, key) is not None:
                yield Problem("", f"only `style: dots` has this, and the style is {self.style}", (key,))


class SolutionsSpec(SpecModel):
    """Keys of ``solutions``: where and how the answers are printed."""

    place: Annotated[SolutionsPlace, one_of(SolutionsPlace)] = SolutionsPlace.BACK
    """The place of the solutions: at the back, after each section, in a separate file (`solutions.pdf`), or
    upside down at the foot of the next page of puzzles."""
    per_page: Annotated[PerPageChoice, puzzles_a_page(1, 2, 4, 6, 9, 12, 16)] = "auto"
    """The number of solutions on a page; with `auto` it depends on the size of the boards."""


class Colophon(StrEnum):
    """Place of the colophon, the line of text that says how the book was made."""

    COPYRIGHT = "copyright"
    END = "end"
    NONE = "none"


class PartsSpec(SpecModel):
    """Keys of ``parts``: the parts of the book besides its puzzles."""

    copyright: YesNo = True
    """Whether there is a copyright page."""
    contents: YesNo = True
    """Whether there is a table of contents."""
    how_to_play: YesNo = True
    """Whether the rules are explained with an example, on a single page if it stays readable."""
    tutorial: YesNo = False
    """Whether a worked example is printed before the puzzles of each level. It solves a small board in six
    pictures, and teaches what the level adds to those before it. It takes one page, or more in large print
    and on small pages. A level has no example if an earlier one asks for the same difficulty, or, without a
    difficulty, for boards of the same size."""
    openers: YesNo = True
    """Whether each level and the solutions begin with a page of their own."""
    techniques: YesNo = False
    """Whether the page before each level names the solving techniques that no earlier level needs, and
    explains the easiest of them. So does a level's page in the e-book. Books with dots have no such text."""
    recto: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether these pages are always right-hand pages, after a blank page if needed."""
    colophon: Annotated[Colophon, one_of(Colophon)] = Colophon.NONE
    """Where the book tells that it was made with linkpress, and its build: nowhere, on the copyright page, or
    at the end."""
    progress: YesNo = False
    """Whether a page after the solutions has a star to colour for each puzzle. The e-book lacks this page."""
    times: YesNo = False
    """Whether a page after the solutions has a line for each puzzle on which to write the time. It is there
    too if a level has `target_minutes`. The e-book lacks this page."""
    certificate: YesNo = False
    """Whether there is a certificate for a reader who has solved all puzzles, with lines for name and date.
    The e-book lacks it."""
    about_author: Annotated[
        str | None, paragraphs(4_000, partial(_PICTURE_FOLDER.sub, r"\1")), HoldsPicturePaths()
    ] = None
    """A text for the page "About the author" at the end, plain or in Markdown, as in `back`. A line
    `![](me.jpg "40mm")` adds a picture."""
    review: YesNo = False
    """Whether a page at the end asks for a review."""
    more_books: Annotated[tuple[Annotated[str, line_of_text(120)], ...], Field(max_length=40)] = ()
    """The titles of other books for a page at the end. The heading names the `series`, if there is one. The
    book's own title is left out, so the volumes of a series can share the list."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        for key, found in (("about_author", self.about_author), ("more_books", " ".join(self.more_books))):
            if found and found.strip().lower() in YES | NO:
                message = "write the text of this page here, or leave the key out to print no such page"
                yield Problem(found, message, (key,))


class DifficultyMark(StrEnum):
    """Form in which the difficulty of a puzzle is printed."""

    NONE = "none"
    MARKS = "marks"
    NUMBER = "number"

    def text(self, difficulty: int | None, words: Words) -> str:
        """Return a puzzle's difficulty in its printed form; empty if it is unknown or not printed."""
        return "●" * self.marks(difficulty) or self.number_text(difficulty, words)

    def marks(self, difficulty: int | None) -> int:
        return marks_of(difficulty) if self is DifficultyMark.MARKS and difficulty is not None else 0

    def number_text(self, difficulty: int | None, words: Words) -> str:
        """Return a phrase with the difficulty as a number, in the language of ``words``.

        The phrase is empty if difficulties are printed in another form, or if this difficulty is unknown.
        """
        if self is not DifficultyMark.NUMBER or difficulty is None:
            return ""
        return words.say(words.difficulty, number=str(difficulty))


class CaptionsSpec(SpecModel):
    """Keys of ``captions``, which choose the text that is printed beside the number of a puzzle."""

    titles: YesNo = False
    """Whether each puzzle has a name, such as `Staircase` or `Mind the gap`. It comes from what the numbers
    look like and from the hardest technique. No two puzzles of a book have the same name. The e-book and the
    page to play on show the names too."""
    size: YesNo = True
    """Whether the caption tells the board's size."""
    difficulty: Annotated[DifficultyMark, one_of(DifficultyMark)] = DifficultyMark.NONE
    """Whether books, e-books, the page to play on and the book's `images` show how hard each puzzle is: as
    `marks`, one to eight dots, or as a `number` from 0 to 100. Both mean the same in every book. With `none`,
    the level's name says it alone."""
    page: YesNo = True
    """Whether the caption tells the page of the solution, and at a solution the page of the puzzle."""
    time: YesNo = False
    """Whether there is a line on which to write the time."""


# Fonts


class Embed(StrEnum):
    """Choice between PDFs that contain whole fonts, and PDFs that contain only the glyphs that they use."""

    SUBSET = "subset"
    FULL = "full"


class ThaiFace(StrEnum):
    """Typeface for Thai letters: traditional letters with loops, or modern letters without loops."""

    LOOPED = "looped"
    LOOPLESS = "loopless"


class FontsSpec(SpecModel):
    """Keys of ``fonts``, which name the user's own fonts in place of IBM Plex Sans."""

    regular: Annotated[FilePath | None, DefaultText("IBM Plex Sans")] = None
    """The file of a TrueType font for the text."""
    semibold: Annotated[
        FilePath | None, DefaultText("your regular font, if you give one; in weight 600 if it is variable")
    ] = None
    """The file of a TrueType font for headings, numbers and **bold**."""
    italic: Annotated[
        FilePath | None, DefaultText("IBM Plex Sans Italic; if you give a regular font, the semibold one")
    ] = None
    """The file of a TrueType font for *emphasis* in your own pages and in the blurb."""
    fallback: FilePath | None = None
    """The file of a font for letters that the other fonts lack, such as Japanese ones."""
    fallback_semibold: Annotated[FilePath | None, DefaultText("the other fallback font, if you give one")] = (
        None
    )
    """The file of a font for letters that the semibold font lacks, in headings and numbers."""
    thai: Annotated[
        ThaiFace | None,
        one_of(ThaiFace),
        DefaultText("`looped` in large print and on boards without numbers, else `loopless`"),
    ] = None
    """The shipped typeface for Thai letters; letters with loops are easier to read."""
    embed: Annotated[Embed, one_of(Embed)] = Embed.SUBSET
    """Whether a PDF contains only the glyphs that it uses, or whole fonts, as some printers ask."""

    @property
    def files(self) -> dict[str, str]:
        return {name: file for name, file in self if file is not None and name not in ("embed", "thai")}

    def problems(self, readable: Readable) -> Iterator[Problem]:
        if self.thai and self.regular:
            message = "your regular font is used for Thai letters too; leave this out"
            yield Problem(self.thai, message, ("thai",))


# Other outputs


class ScreenSpec(SpecModel):
    """Keys of ``screen``, which describes a PDF for reading on a tablet.

    Without the key ``screen``, no such PDF is made.
    """

    trim: TrimSize = Trim(152.4, 203.2, "6x8in")
    """The size of its pages, width first."""
    per_page: Annotated[PerPageChoice | None, puzzles_a_page(1, 2, 3, 4, 5, 6, 8, 9), DefaultText("1")] = None
    """The number of puzzles on a page, or fewer if squares would get too small. A page has at most four
    answers."""
    isbn: Isbn | None = None
    """The ISBN of this file for its copyright page; it must not be that of the printed book."""


class ImagesOf(StrEnum):
    """Choice of the boards that get images: the puzzles, the solutions, or both."""

    BOTH = "both"
    PUZZLE = "puzzle"
    SOLUTION = "solution"


class ImagesSpec(SpecModel):
    """Keys of ``images``, which describes image files of the boards.

    Without the key ``images``, no image files are made.
    """

    width: Annotated[float, _length("mm", 20, 600, "85mm or 3.25in", "20 to 600 mm are allowed")] = 85.0
    """The width of each image."""
    dpi: Annotated[int | None, whole_number(72, 2400), DefaultText("1200 in black and white, else 300")] = (
        None
    )
    """The resolution, in pixels an inch."""
    mode: Annotated[PixelMode, one_of(PixelMode)] = PixelMode.ONE_BIT
    """The kind of pixels: black and white, grey, or colour. Images in colour have the book's theme, all
    others the theme `lineart` or `newspaper`."""
    format: Annotated[tuple[ImageFormat, ...], some_of(ImageFormat), DefaultText("png")] = (ImageFormat.PNG,)
    """The formats of the files."""
    what: Annotated[ImagesOf, one_of(ImagesOf)] = ImagesOf.BOTH
    """Whether there are images of the puzzles, of the solutions, or of both."""


class ListingSpec(SpecModel):
    """Keys of ``listing``: texts for a book shop's form, which ``linkpress listing`` helps to fill in."""

    description: Annotated[
        str | None,
        paragraphs(4000),
        DefaultText("the blurb, the number of puzzles in each level, and what was proven of them"),
    ] = None
    """The description of the book."""
    keywords: Annotated[
        tuple[Annotated[str, line_of_text(50)], ...],
        Field(max_length=7),
        DefaultText("the usual ones in the book's language, for its ages and for large print"),
    ] = ()
    """Words by which customers find the book."""
    ages: Ages | None = None
    """The ages of the readers, if the book is for children."""
    ai: ShownOrText | None = None
    """Whether AI tools made texts, pictures or translations of the book: no, yes, or which ones. Shops ask
    this. linkpress makes puzzles, pages and cover designs without AI."""
    categories: Annotated[
        tuple[Annotated[str, line_of_text(120)], ...],
        Field(max_length=3),
        DefaultText("logic puzzles; games for children, if you give ages"),
    ] = ()
    """Categories of the book, by their names in the shop."""


class EbookKind(StrEnum):
    """Kind of e-book: for reading apps in general, or for Amazon's Kindle."""

    EPUB = "epub"
    KINDLE = "kindle"


class EbookSpec(SpecModel):
    """Keys of ``epub``, which describes the e-book. Without the key ``epub``, none is made."""

    kind: Annotated[EbookKind, one_of(EbookKind)] = EbookKind.EPUB
    """The kind of e-book: `epub`, with boards as drawings, for all shops and reading apps; or `kindle`, with
    boards as pictures in the resolution of Amazon's devices."""
    certifier: Annotated[str | None, line_of_text(120)] = None
    """Who certifies that the e-book meets EPUB Accessibility 1.1 and WCAG 2.2 AA, such as your publishing
    house after its own checks. Without this key, the e-book makes no such claim."""
    isbn: Isbn | None = None
    """The ISBN of the e-book, for its copyright page and as its identifier. Without one it gets a generated
    identifier."""

    @model_serializer(mode="wrap")
    def _write(self, write: SerializerFunctionWrapHandler) -> object:
        """Return the e-book's settings in the form in which ``volume.json`` stores them.

        Settings with their default values are left out. If all are left out, return True, which means the
        same as ``epub: yes`` in a spec.
        """
        keys = {**write(self), "kind": self.kind.value}
        if self.kind is EbookKind.EPUB:
            del keys["kind"]
        return keys or True


def or_yes_no(model: type[SpecModel]) -> BeforeValidator:
    return BeforeValidator(_read_yes_no, json_schema_input_type=Union[model, YesNo])  # noqa: UP007 - a variable


def _read_yes_no(value: object) -> object:
    if isinstance(value, str) and value.lower() in YES | NO:
        value = value.lower() in YES
    if isinstance(value, bool):
        return {} if value else None
    if isinstance(value, str):
        raise invalid(printable(value), "yes, no, or keys of its own, set in by two spaces, are needed")
    return value


class MatterKind(StrEnum):
    """Layout of a page that has a text by the publisher: an ordinary text, or a dedication."""

    TEXT = "text"
    DEDICATION = "dedication"


class MatterSpec(SpecModel):
    """Keys of an entry of ``front`` or ``back``: a text of the publisher for pages of the book."""

    text: Annotated[str, paragraphs(20_000, partial(_PICTURE_FOLDER.sub, r"\1")), HoldsPicturePaths()]
    """The text of the page, plain or in Markdown: paragraphs, headings, lists, tables, **bold**, *emphasis*
    and links, which are printed with their address. `---` gives a short rule. `![](map.png)` in a paragraph
    of its own gives a picture as wide as the text, and `![](map.png "60mm")` one of that width."""
    title: Annotated[str | None, line_of_text(80)] = None
    """A heading, which is also listed in the contents."""
    kind: Annotated[MatterKind, one_of(MatterKind)] = MatterKind.TEXT
    """The look of the page: `text`; or `dedication`, with large type centred in the upper part of the page. A
    dedication keeps its line breaks."""

    @property
    def markdown(self) -> str:
        """The text in Markdown. In a dedication, each line break is marked so that Markdown keeps it."""
        kept = self.kind is MatterKind.DEDICATION
        return re.sub(r"(?<=\S)\n(?=\S)", "  \n", self.text) if kept else self.text


_ADDRESS_WORDS = "a web address as `https://example.com/play.html`"
# A QR code of 20 mm has room for an address of this length, followed by the number of a puzzle.
_MAX_ADDRESS = 200


def _read_address(value: object) -> str:
    text = scalar_text(value, _ADDRESS_WORDS)
    if not re.fullmatch(r"https?://[^\s/?#<>\"'\\]+[^\s#<>\"'\\]*", text, re.ASCII | re.IGNORECASE):
        message = f"{_ADDRESS_WORDS} is allowed: with https://, without blanks and #, which is added"
        raise invalid(printable(text), message)
    if len(text) > _MAX_ADDRESS:
        raise invalid(f"{len(text)} characters", f"at most {_MAX_ADDRESS} are allowed")
    return text


Address = Annotated[
    str,
    ValueReader(
        _read_address,
        _ADDRESS_WORDS,
        {"type": "string", "format": "uri", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^#]+$"},
    ),
]


class PlaySpec(SpecModel):
    """Keys of ``play``, which describes a web page for playing the puzzles.

    Without the key ``play``, no such page is made.
    """

    url: Annotated[Address | None, DefaultText("none; QR codes lead to puzz.link")] = None
    """The address at which you publish `play.html`. The book's QR codes lead there, to each puzzle by its
    number."""
    answers: YesNo = False
    """Whether the page contains the answers."""
    hints: YesNo = True
    """Whether the page contains hints: the steps that solve each puzzle, shown one at a time."""


class QrPer(StrEnum):
    """Choice between a QR code for each puzzle, and a QR code for each section of the book."""

    PUZZLE = "puzzle"
    SECTION = "section"


_FIELDS = {QrPer.PUZZLE: ("url", "number"), QrPer.SECTION: ("level", "first", "last", "url")}


class QrSpec(SpecModel):
    """Keys of ``qr``, which describes the QR codes. Without the key ``qr``, a book has no QR codes."""

    per: Annotated[QrPer, one_of(QrPer)] = QrPer.PUZZLE
    """Whether there is a code below each puzzle, or on the opener of each section."""
    text: Annotated[
        str,
        line_of_text(300),
        DefaultText("`{url}`, the address of the puzzle; for a code per section, give a text or `play.url`"),
    ] = "{url}"
    """The text of a code, in which names in braces are filled in. For puzzles these are `{number}` and
    `{url}`, which is the puzzle at `play.url`, or else on puzz.link if the board has no solid squares. For
    sections they are `{level}` (the section's number), `{first}`, `{last}`, and with `play.url` also
    `{url}`."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        allowed = [f"{{{name}}}" for name in _FIELDS[self.per]]
        for name in re.findall(r"\{[^{}]*\}", self.text):
            if name not in allowed:
                message = f"a code per {self.per.value} fills in {' and '.join(allowed)}"
                yield Problem(name, message, ("text",))
