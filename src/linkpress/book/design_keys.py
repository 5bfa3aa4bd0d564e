"""The keys of a theme say how a book looks, as the files in ``config/themes`` have them."""

import re
from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Annotated

from pydantic import Field

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
from linkpress.documents.models import Readable, SpecModel, Synonyms, name_or_keys
from linkpress.documents.problem import Problem, invalid, printable
from linkpress.documents.shipped_files import COVERS, NAME_OR_PATH, THEMES, PicturePath
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


class ThemeKeys(SpecModel):
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


class Theme(ThemeKeys):
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


class InlineTheme(ThemeKeys):
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


LEAST_CONTRAST = 4.5
"""Words and what lies under them differ by this ratio at least (WCAG 2.2, 1.4.3)."""
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
        _read_shown,
        _SHOWN_WORDS,
        {"type": ["boolean", "string"], "maxLength": 400},
        lambda printable: printable,
    ),
]


class BackSpec(SpecModel):
    """These keys give the lines under the blurb on the back of the cover."""

    count: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """How many puzzles there are."""
    levels: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """The levels with their counts."""
    promise: Annotated[ShownOrText | None, DefaultText("yes")] = None
    """What was proven of the puzzles."""


class SeriesSpec(SpecModel):
    """A series is what a volume belongs to: its covers look alike and can be told apart."""

    name: Annotated[str, line_of_text(80)]
    """Printed above the title."""
    colours: Annotated[PaletteValue | None, DefaultText("the cover's background")] = None
    """Backgrounds of the covers, taken in turn by the volume's number."""


class CoverSpec(SpecModel):
    """The cover is made when this key is given."""

    design: Annotated[str | None, NAME_OR_PATH, COVERS, DefaultText("ground, title and a board")] = None
    """What the cover looks like: the name of a shipped design, or the path of a file of your own."""
    palette: Annotated[int | None, whole_number(1, 12), DefaultText("by the volume's number, in turn")] = None
    """Which of the design's palettes it has."""
    initial: Annotated[
        str | None,
        ValueReader(
            _read_initial, _INITIAL_WORDS, {"type": ["string", "integer"], "pattern": f"^({_INITIAL})$"}
        ),
        DefaultText("the number of puzzles"),
    ] = None
    """The letters or the number whose shape the art of the design `initial` has."""
    blurb: Annotated[
        str | None,
        paragraphs(1200),
        DefaultText("the rule in one line"),
        Synonyms("back_text", "description"),
    ] = None
    """The text on the back: plain, or Markdown as in `front[].text`."""
    background: Annotated[
        InkValue | None,
        DefaultText("the series', else the theme's"),
        Synonyms("colour", "color", "background_color", "background_colour"),
    ] = None
    """Of the whole cover."""
    accent: Annotated[InkValue | None, DefaultText("the theme's")] = None
    """Of the rule under the title and the volume's badge."""
    image: PicturePath | None = None
    """A picture over the whole front with its bleed, JPEG or PNG, cut to fit and checked for the printer's
    resolution; where words stand on it, it gets a shade of the background."""
    front: PicturePath | None = None
    """Finished art for the whole front with its bleed, title and all, printed as it is."""
    volume_badge: Annotated[YesNo | None, DefaultText("no")] = None
    """Whether the volume's number stands in a disc."""
    boards: Annotated[
        int | None,
        whole_number(0, 3),
        DefaultText("2 if a design's art is on the front alone and they fit, else 0"),
    ] = None
    """Puzzles of the book shown on the back."""
    back: Annotated[BackSpec | None, DefaultText("all of it")] = None
    """The words under the blurb."""
    puzzle: Annotated[
        int | None, whole_number(1, MAX_PUZZLES), DefaultText("the first of the smallest boards")
    ] = None
    """The number of the puzzle shown on the front."""
    spine_mm: Annotated[float | None, millimetres(0.5, 100), DefaultText("from pages and paper")] = None
    """The spine's width, where the printer gives it."""

    @property
    def picture_key(self) -> str:
        """Return the key of the picture that the front has."""
        return "cover.image" if self.front is None else "cover.front"

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse keys of the front beside finished art."""
        for key in ("image", "puzzle", "volume_badge"):
            if self.front is not None and getattr(self, key):
                yield Problem("", "`front` is the whole front; leave this out", (key,))
        for key in ("front", "image", "puzzle", "volume_badge", "accent"):
            if self.design is not None and getattr(self, key):
                yield Problem("", "`design` is the whole front; leave one of the two out", (key,))
        for key, what in (("palette", "palettes"), ("initial", "art in the shape of letters")):
            if getattr(self, key) is not None and self.design is None:
                message = f"only a cover with a `design` has {what}; name one, or leave this out"
                yield Problem("", message, (key,))


class TitleFace(StrEnum):
    """A title face is a face in which a title may be set on a cover."""

    HEAVY = "heavy"  # Bricolage Grotesque
    SERIF = "serif"  # Fraunces
    PLAIN = "plain"  # the book's own semibold


class WordsPlace(StrEnum):
    """A words' place is an end of the front at which its words may stand."""

    TOP = "top"
    BOTTOM = "bottom"


class Alignment(StrEnum):
    """An alignment says how the lines of the words stand under one another."""

    LEFT = "left"
    CENTRE = "centre"


class ArtBoard(StrEnum):
    """An art board says which board a cover shows, and how far it reaches."""

    COVER = "cover"  # over back, spine and front with the bleed; words stand in its solid squares
    BAND = "band"  # over back, spine and front as high as the front's words leave free
    CORNER = "corner"  # from beside the words off two edges
    INSIDE = "inside"  # whole, within the part that the words leave free
    COUNT = "count"  # in the shape of the number of puzzles, or of the cover's `initial`, likewise
    NEST = "nest"  # bends inside one another, from a corner of that part


class CoverPalette(SpecModel):
    """A cover palette has the colours of one cover."""

    ground: InkValue
    """Of the whole cover, where nothing else is."""
    words: InkValue
    """Of all words but the title."""
    title: Annotated[InkValue | None, DefaultText("`words`")] = None
    """Of the title."""
    field: Annotated[InkValue | None, DefaultText("`ground`")] = None
    """Under the words."""
    lines: Annotated[tuple[InkValue, ...], Field(min_length=1, max_length=8)]
    """Of the lines or areas of the art; neighbours have different ones."""
    faint: Annotated[InkValue | None, DefaultText("the first of `lines`")] = None
    """Of grids, seams and all that waits to be drawn."""

    @property
    def printed(self) -> "CoverPalette":
        """Return the colours without tints that are finer than presses hold."""
        lines = tuple(map(press_safe, self.lines))
        others = {key: press_safe(ink) for key, ink in self if isinstance(ink, Ink)}
        return self.model_copy(update={**others, "lines": lines})

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse words that are not read on what lies under them, and more ink than paper takes."""
        if not readable("ground", "words", "title", "field", "lines", "faint"):
            return
        under = self.field or self.ground
        for key, ink in (("words", self.words), ("title", self.title or self.words)):
            found = contrast(ink.rgb, under.rgb)
            if found < LEAST_CONTRAST:
                yield Problem(
                    f"a contrast of {found:.1f} to what lies under it",
                    f"{LEAST_CONTRAST:g} or more is needed; make one lighter or the other darker",
                    (key,),
                )
        for key in ("ground", "words", "title", "field", "faint", "lines"):
            inks: tuple[Ink | None, ...] = self.lines if key == "lines" else (getattr(self, key),)
            most = max(sum(ink.shares) for ink in inks if ink is not None) if any(inks) else 0.0
            if most > MOST_INK + 1e-6:
                yield Problem(f"{most:.0%} of ink", f"{MOST_INK:.0%} is the most that paper takes", (key,))


Squares = Annotated[float, number(1.5, 40, "squares")]
Share = Annotated[float, number(0, 1, "a share of the square's side")]


class CoverWords(SpecModel):
    """These keys say where the words of the front stand."""

    place: Annotated[WordsPlace, one_of(WordsPlace)] = WordsPlace.TOP
    """At which end of the front."""
    align: Annotated[Alignment, one_of(Alignment)] = Alignment.LEFT
    """How their lines stand under one another."""
    most: Annotated[float, number(0.3, 0.8, "a share of the front's height")] = 0.5
    """How much of the front's height they may take."""
    letter: Annotated[float, number(0.08, 0.3, "a share of the front's height")] = 0.17
    """How high the title's capitals may be; 1/14 is the least."""


class CoverArt(SpecModel):
    """The art is a board that is made for the cover, proven, and the same each time."""

    board: Annotated[ArtBoard, one_of(ArtBoard)] = ArtBoard.COVER
    """Which board, and how far it reaches; squares under words are solid, so that lines flow round them."""
    squares: Squares = 12.0
    """How many squares the front is wide, about."""
    height: Annotated[float, number(0.2, 1, "a share of the front's height")] = 1.0
    """How high it is at most, where it stands beside the words."""
    side: Annotated[int, whole_number(3, 12)] = 5
    """The squares along a side of the board, where it stands `inside` or in a `corner`."""
    path: Annotated[int, whole_number(4, 30)] = 10
    """How many squares a line has in the middle."""
    drawn: Annotated[int | None, whole_number(0, 24), DefaultText("all")] = None
    """How many lines are drawn, the longest on the front first."""
    areas: YesNo = False
    """Whether each line's squares are filled with its colour."""
    line: Share = 0.5
    """The width of the lines."""
    bead: Share = 0.0
    """The radius of a small dot at each square along a line."""
    dot: Share = 0.0
    """The radius of the dots at the ends of the lines."""
    ring: Share = 0.0
    """The width of these dots' rings round discs of the ground's colour, faint where no line is drawn; 0 for
    full discs."""
    glow: Annotated[int, whole_number(0, 4)] = 0
    """How many dimmer discs lie round a dot."""
    figure: Share = 0.0
    """The height of the numbers; none where it is 0."""
    grid: Share = 0.0
    """The width of the grid's lines, which lie between areas alone where there are any."""


class CoverDesign(SpecModel):
    """A cover design has its type, its palettes and its art."""

    name: ShortName
    """What messages call it."""
    about: Annotated[str, line_of_text(120)] = "A design of one's own"
    """What it is like."""
    looped: YesNo = False
    """Whether Thai letters of the title have loops, as for children and in large print."""
    face: Annotated[TitleFace, one_of(TitleFace)] = TitleFace.HEAVY
    """The title's type; the whole title is in the book's own where the face lacks a letter."""
    words: CoverWords = CoverWords.model_construct()
    """Where the words of the front stand."""
    art: CoverArt = CoverArt.model_construct()
    """What is drawn."""
    palettes: Annotated[tuple[CoverPalette, ...], Field(min_length=1, max_length=12)]
    """The colours, taken in turn by the volume's number."""

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse a field where no board lies under the words."""
        for place, palette in enumerate(self.palettes if readable("art", "palettes") else ()):
            if palette.field is not None and self.art.board is not ArtBoard.COVER:
                allowed = "only art with `board: cover` lies under words; leave this out"
                yield Problem("", allowed, ("palettes", place, "field"))

    def in_palette(self, number: int) -> "CoverDesign":
        """Return the design with one of its palettes, by its number from 1, in turn."""
        palette = self.palettes[(number - 1) % len(self.palettes)].printed
        return self.model_copy(update={"palettes": (palette,)})
