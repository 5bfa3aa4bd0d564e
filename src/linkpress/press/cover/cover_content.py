"""Collect the words, colours, boards and pictures that a book's cover shows."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from linkpress.book.design_keys import (
    LEAST_CONTRAST,
    ArtBoard,
    CoverDesign,
    CoverPalette,
    CoverSpec,
    SpineText,
)
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.documents.inks import LEAST_DIFFERENCE, contrast, difference, ink_of_rgb, press_safe
from linkpress.layout.boards import shown_solids, worked_example
from linkpress.layout.frame import BLACK, PAPER, SHADE, FontKey, Ink
from linkpress.layout.measure import Measure
from linkpress.layout.setting import OwnPicture, Pictures
from linkpress.layout.theme import Theme, words_for
from linkpress.press.assets import BookAssets
from linkpress.printers import PrinterProfile
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.photos import edge_colour
from linkpress.words import Words

# Background of a plain cover: deep blue with 220 % ink in total.
GROUND = Ink(1.0, 0.72, 0.1, 0.38, (0.086, 0.216, 0.4))
# Colour of the rule and the badge of a plain cover: orange, from the palette of Okabe and Ito.
ACCENT = Ink(0.0, 0.5, 1.0, 0.0, (0.902, 0.624, 0.0))
# Minimum contrast between words on the front cover and a picture behind them: WCAG's limit for large letters.
LEAST_ON_PICTURE = 3.0
NO_PICTURES: Pictures = MappingProxyType({})
# Languages whose books usually have spine text that reads from bottom to top, or from the
# top in upright letters.
_BOTTOM_UP, _UPRIGHT = {"de", "es", "fr", "it", "pt"}, {"ja", "zh"}
# Number of puzzles on the back cover if the design has art only on the front cover.
_PUZZLES_ON_BACK = 2


@dataclass(frozen=True)
class CoverContent:
    """Everything that a cover shows.

    Args:
        spec: the book's spec.
        profile: the profile of the printer.
        measure: object that measures text in the book's fonts.
        rules: the rules of the puzzles, for a back cover without a blurb.
        promise: the sentence that each puzzle has one solution.
        pictures: solved boards. The front cover shows one of them. If the spec names a puzzle for the cover,
            this is the only board.
        example: a small board for the front cover if the numbers of all ``pictures`` would be too small to
            print.
        pages: the number of pages, which gives the width of the spine.
        theme: the theme of the book. If its boards have dots, the boards on the cover have dots, too.
        words: the printed words of the book.
        samples: puzzles for the back cover.
        image: the publisher's picture for the front cover; None without one.
        back_art: the publisher's picture for the back cover; None without one.
        edge: the colour at the left edge of the picture on the front cover; None without one.
        design: the cover design in the colours of this volume of the series; None for the plain cover.
    """

    spec: BookSpec
    profile: PrinterProfile
    measure: Measure
    rules: str
    promise: str
    pictures: tuple[Solution, ...]
    example: Solution
    pages: int
    theme: Theme
    words: Words
    samples: tuple[Puzzle, ...] = ()
    image: OwnPicture | None = None
    back_art: OwnPicture | None = None
    edge: Ink | None = None
    design: CoverDesign | None = None

    @property
    def keys(self) -> CoverSpec:
        return self.spec.cover or CoverSpec.of_defaults()

    @property
    def ground(self) -> Ink:
        """Background colour of the cover.

        The first of these colours that exists is used: the spec's own colour, the series' colour for this
        volume, the colour at the edge of the front cover's picture, and the colour of the design or theme. A
        palette chosen in the spec prevents the use of the picture's colour.
        """
        if self.keys.background is not None:
            return self.keys.background
        series = self.spec.series
        if series is not None and series.colours:
            return series.colours[((self.spec.volume or 1) - 1) % len(series.colours)]
        if self.edge is not None and self.keys.palette is None:
            return self.edge
        return self.palette.ground if self.palette else self.theme.cover.background or GROUND

    @property
    def palette(self) -> CoverPalette | None:
        return self.design.palettes[0] if self.design else None

    @property
    def title_face(self) -> FontKey:
        return FontKey.DISPLAY if self.design else FontKey.SEMIBOLD

    @property
    def spine_text(self) -> SpineText:
        """Direction of the text on the spine: as the spec says, or as usual in the book's language."""
        language = self.spec.wording().language.partition("-")[0]
        is_upright = language in _UPRIGHT and not self.spec.title.isascii()
        usual = SpineText.UP if language in _BOTTOM_UP else SpineText.DOWN
        return self.keys.spine or (SpineText.UPRIGHT if is_upright else usual)

    @property
    def accent(self) -> Ink:
        """Colour of the badge on the cover, and of the line below the title."""

        def apart(ink: Ink) -> float:
            return difference(ink.rgb, self.ground.rgb)

        if self.palette:
            return max(filter(None, (self.palette.fill, *self.palette.lines)), key=apart)
        accent = self.theme.cover.accent or ACCENT
        is_lost = self.edge is not None and apart(accent) < LEAST_DIFFERENCE
        return self.keys.accent or (self.text_ink if is_lost else accent)

    @property
    def text_ink(self) -> Ink:
        """Colour of the cover's text: the design's colour if it is legible, otherwise white or black."""
        palette = self.palette
        if palette and (palette.field or contrast(palette.words.rgb, self.ground.rgb) >= LEAST_CONTRAST):
            return palette.words
        return PAPER if self.ground.is_dark else BLACK

    @property
    def title_ink(self) -> Ink:
        """Colour of the title on the cover.

        The design's colour is used if it is legible on the background, otherwise ``text_ink``.
        """
        palette = self.palette
        title = palette.title if palette else None
        on = palette.field or self.ground if palette else self.ground
        return title if title and contrast(title.rgb, on.rgb) >= LEAST_CONTRAST else self.text_ink

    @property
    def subtitle(self) -> str:
        """Line under the title on the cover: the subtitle, or without one the number of puzzles."""
        return self.spec.subtitle or self.words.count_of(self.spec.puzzle_count)

    @property
    def volume_line(self) -> str:
        number = self.spec.volume
        return "" if number is None else self.words.say(self.words.volume, number=number)

    @property
    def badge(self) -> str:
        """Words of the badge on the front cover; empty without a badge."""
        badge = self.keys.badge or ""
        shown = {"puzzles": self.words.count_of(self.spec.puzzle_count), "volume": self.volume_line}
        return shown.get(badge, badge).replace("\N{NO-BREAK SPACE}", " ").upper()


def cover_content(
    volume: Volume, assets: BookAssets, pages: int, pictures: Pictures = NO_PICTURES
) -> CoverContent:
    """Collect what the cover of a volume shows.

    Args:
        volume: the puzzles and the spec.
        assets: the profile, theme, fonts and pictures of the book.
        pages: the number of the book's pages.
        pictures: the pictures on the cover, by the keys of the spec that name them.
    """
    spec = volume.spec
    words = words_for(spec, assets.theme, (record.puzzle for record in volume.puzzles))
    number = spec.cover.puzzle if spec.cover else None
    shown = volume.puzzles if number is None else volume.puzzles[number - 1 : number]
    image = pictures.get((spec.cover or CoverSpec.of_defaults()).picture_key)
    has_solids = any(shown_solids(record.puzzle.grid, assets.theme) for record in volume.puzzles)
    return CoverContent(
        spec=spec,
        profile=assets.profile,
        measure=assets.measure,
        rules=words.rules_of(record.puzzle for record in volume.puzzles),
        promise=words.promise,
        pictures=tuple(record.solution for record in shown),
        example=worked_example(has_solids),
        pages=pages,
        theme=assets.theme,
        words=words,
        samples=_samples(volume, _boards_on_back(spec, assets.design)),
        image=image,
        back_art=pictures.get("cover.back_art"),
        edge=_edge_of(image) if image else None,
        design=assets.design,
    )


def _edge_of(image: OwnPicture) -> Ink | None:
    """Return the main colour at a picture's left edge, so that spine and back continue the front.

    The words on the front cover are printed on a shade, which is a translucent layer of this colour over the
    picture. The colour is made lighter or darker until the words are legible on the shade.
    """
    rgb = edge_colour(image.content)
    if rgb is None:
        return None
    target = 0.0 if ink_of_rgb(rgb).is_dark else 1.0
    for step in range(11):
        red, green, blue = (part + 0.1 * step * (target - part) for part in rgb)
        ink = press_safe(ink_of_rgb((red, green, blue)))
        if contrast_on_shade(ink) >= LEAST_ON_PICTURE:
            break
    return ink


def contrast_on_shade(ground: Ink) -> float:
    """Return the lowest contrast of words on a shade, a translucent layer of colour over a picture.

    The words are white or black. Their contrast is lowest where the picture has the same colour as the words.

    Args:
        ground: the colour of the shade.
    """
    words = (PAPER if ground.is_dark else BLACK).rgb
    red, green, blue = (
        SHADE * part + (1 - SHADE) * word for part, word in zip(ground.rgb, words, strict=True)
    )
    return contrast((red, green, blue), words)


def _boards_on_back(spec: BookSpec, design: CoverDesign | None) -> int:
    if spec.cover and spec.cover.boards is not None:
        return spec.cover.boards
    art_on_front_only = design and design.art.board not in (ArtBoard.COVER, ArtBoard.BAND)
    return _PUZZLES_ON_BACK if art_on_front_only else 0


def _samples(volume: Volume, count: int) -> tuple[Puzzle, ...]:
    """Choose boards of different sizes for the back cover.

    Only the smaller half of the boards is considered, because their numbers are large enough to read.
    """
    boards = sorted(
        (record.puzzle for record in volume.puzzles), key=lambda board: board.grid.rows * board.grid.cols
    )
    small = boards[: max(count, len(boards) // 2)]
    chosen = min(count, len(small))
    return tuple(small[(2 * index + 1) * len(small) // (2 * count)] for index in range(chosen))
