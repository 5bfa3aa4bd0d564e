"""Collect the words, colours, boards and pictures of a book's cover, and measure its back, spine and front.

The width of the spine depends on the finished interior. ``template_pdf`` and ``template_png`` draw a template
with guides for a designer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

from linkpress.book.printing_keys import (
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
from linkpress.documents.values import MM_PT, PixelMode, Size
from linkpress.errors import LayoutError
from linkpress.layout.boards import shown_solids, worked_example
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    SHADE,
    Anchor,
    Area,
    FontKey,
    Frame,
    Ink,
    Item,
    Page,
    Placed,
    Polyline,
    Rects,
)
from linkpress.layout.setting import OwnPicture, Pictures
from linkpress.layout.text_flow import Measure, set_text
from linkpress.layout.theme import Theme, words_for
from linkpress.press.assets import BookAssets
from linkpress.printers import Bleed, CoverRules, PrinterProfile
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.pdf import About, draw_pages
from linkpress.render.photos import edge_colour
from linkpress.words import Words

# Background of a plain cover: deep blue with 220 % ink in total.
GROUND = Ink(1.0, 0.72, 0.1, 0.38, (0.086, 0.216, 0.4))
# Colour of the line below the title, and of the badge (a disc with words), on a cover without a design. It is
# orange, from the palette of Okabe and Ito.
ACCENT = Ink(0.0, 0.5, 1.0, 0.0, (0.902, 0.624, 0.0))
# Minimum contrast between words on the front cover and a picture behind them: WCAG's limit for large letters.
LEAST_ON_PICTURE = 3.0
NO_PICTURES: Pictures = MappingProxyType({})
# Usual directions of the text on a spine, by language. In the first set of languages, the text reads from
# bottom to top. In the second set, upright letters stand below each other, unless the title is in ASCII. In
# all other languages, the text reads from top to bottom.
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
        return self.spec.cover or CoverSpec.model_construct()

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
        """Colour of the badge (a disc with words) on the cover, and of the line below the title."""

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
        return self.spec.subtitle or self.words.count_of(self.spec.puzzle_count)

    @property
    def volume_line(self) -> str:
        number = self.spec.volume
        return "" if number is None else self.words.say(self.words.volume, number=number)

    @property
    def badge(self) -> str:
        """Words in the badge, a disc on the front cover; empty if the cover has no badge."""
        badge = self.keys.badge or ""
        shown = {"puzzles": self.words.count_of(self.spec.puzzle_count), "volume": self.volume_line}
        return shown.get(badge, badge).replace("\N{NO-BREAK SPACE}", " ").upper()


def cover_content(
    volume: Volume, assets: BookAssets, pages: int, pictures: Pictures = NO_PICTURES
) -> CoverContent:
    """Collect everything that is printed on the cover of a volume, such as texts, pictures and boards.

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
    image = pictures.get((spec.cover or CoverSpec.model_construct()).picture_key)
    has_solids = any(shown_solids(record.puzzle.grid, assets.theme) for record in volume.puzzles)
    return CoverContent(
        spec=spec,
        profile=assets.profile,
        measure=assets.measure,
        rules=words.rules_of(record.puzzle for record in volume.puzzles),
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

    The boards are drawn on panels of the same size, so numbers are larger on boards with fewer squares.
    Therefore only the half of the book's boards with the fewest squares is considered.
    """
    boards = sorted(
        (record.puzzle for record in volume.puzzles), key=lambda board: board.grid.rows * board.grid.cols
    )
    small = boards[: max(count, len(boards) // 2)]
    chosen = min(count, len(small))
    return tuple(small[(2 * index + 1) * len(small) // (2 * count)] for index in range(chosen))


# Minimum distance of words from the trim edge, even if the printer allows less, because words that are nearer
# look cut off. The larger of these two applies: a length in points, and a share of the page's width.
LEAST_SAFETY_PT, SAFETY_SHARE = 27.0, 0.075
# Resolution of the PNG file of a designer's template, in dots per inch.
DPI = 300
_TRIM, _SAFE, _FOLD = Ink(0.0, 1.0, 1.0, 0.0), Ink(1.0, 0.0, 0.0, 0.0), Ink(0.0, 1.0, 0.0, 0.0)
_BLEED, _FREE = Ink(0.0, 0.25, 0.2, 0.0), Ink(0.0, 0.0, 0.0, 0.12)
_LABEL_PT = 9.0


@dataclass(frozen=True, slots=True)
class CoverGeometry:
    """Dimensions of a one-piece cover, in points from the bottom left corner of its trim.

    Args:
        trim: the size of back, spine and front together, after cutting.
        bleed_pt: the bleed on all four sides.
        back, spine, front: the three panels of the cover, each from trim edge to trim edge.
        safety_pt: the minimum distance of words from the edges of the back and the front.
        spine_words: the part of the spine that may have words; None if the printer allows no words there.
        barcode: the white area for the barcode, at the bottom of the back beside the spine.
        hinge_pt: the width of the groove beside the spine of a hardcover. No words are printed in the groove.
    """

    trim: Size
    bleed_pt: float
    back: Area
    spine: Area
    front: Area
    safety_pt: float
    spine_words: Area | None
    barcode: Area
    hinge_pt: float = 0.0

    @property
    def bleed(self) -> Bleed:
        return Bleed(self.bleed_pt, self.bleed_pt, self.bleed_pt, self.bleed_pt)

    @property
    def whole(self) -> Area:
        """Rectangle of back, spine and front together, including the bleed."""
        over = self.bleed_pt
        return Area(-over, -over, self.trim.width_pt + 2 * over, self.trim.height_pt + 2 * over)

    def live(self, panel: Area) -> Area:
        """Return the area of a cover panel in which words may be printed.

        Args:
            panel: the front or back cover, without the spine.
        """
        inset, hinge = self.safety_pt, self.hinge_pt
        left = panel.x + inset + (hinge if panel is self.front else 0.0)
        return Area(left, panel.y + inset, panel.width - 2 * inset - hinge, panel.height - 2 * inset)


def cover_geometry_of(spec: BookSpec, profile: PrinterProfile, pages: int) -> CoverGeometry:
    """Compute the dimensions of the cover that a spec asks for.

    Raises:
        LayoutError: the printer gives the size of the cover only in its own template.
        UsageError: the printer publishes no thickness for the paper, and no spine width is given.
    """
    spine_mm = spec.cover.spine_mm if spec.cover else None
    spine_pt = spine_mm * MM_PT if spine_mm else None
    return measure_cover(profile, spec.page.trim.size, pages, spec.page.paper, spine_pt)


def measure_cover(
    profile: PrinterProfile, trim: Size, pages: int, paper: str | None = None, spine_pt: float | None = None
) -> CoverGeometry:
    """Compute the dimensions of a book's cover.

    Args:
        profile: the profile of the printer.
        trim: the size of a page of the book.
        pages: the number of pages of the interior, including blank pages.
        paper: the paper's name in the printer profile; None for the printer's first paper.
        spine_pt: the width of the spine in points; None computes it from pages and paper.
    Raises:
        LayoutError: the printer gives the size of the cover only in its own template.
        UsageError: the printer publishes no thickness for the paper, and no spine width is given.
    """
    rules = profile.cover
    if rules is None:
        raise LayoutError(
            f"{profile.name} gives the size of this cover only in its own template ({profile.source}). Leave "
            "cover out and draw it with the template, or put its sizes into `cover:` of a profile of yours.",
            "cover",
        )
    spine_width = profile.spine_pt(pages, paper) if spine_pt is None else spine_pt
    case, hinge = rules.case, rules.case.hinge_pt if rules.case else 0.0
    board = Size(trim.width_pt + case.wider_pt, trim.height_pt + case.higher_pt) if case else trim
    back = Area(0.0, 0.0, board.width_pt, board.height_pt)
    spine = Area(board.width_pt, 0.0, spine_width, board.height_pt)
    front = Area(spine.right, 0.0, board.width_pt, board.height_pt)
    words = _spine_words(rules, spine) if profile.spine_takes_text(pages, spine_width) else None
    safety = max(rules.safety_pt, house_safety_pt(trim))
    whole = Size(front.right, board.height_pt)
    side, clear = rules.barcode, rules.barcode_clear_pt
    code = Area(back.right - clear - hinge - side.width_pt, back.y + clear, side.width_pt, side.height_pt)
    return CoverGeometry(whole, rules.over_pt, back, spine, front, safety, words, code, hinge)


def house_safety_pt(trim: Size) -> float:
    """Return linkpress's own minimum distance of words from the trim in points.

    Some printers require less.
    """
    return max(LEAST_SAFETY_PT, SAFETY_SHARE * trim.width_pt)


def _spine_words(rules: CoverRules, spine: Area) -> Area | None:
    clear, end = rules.spine_clear_pt, max(rules.safety_pt, LEAST_SAFETY_PT)
    width = spine.width - 2 * clear
    return Area(spine.x + clear, spine.y + end, width, spine.height - 2 * end) if width > 0 else None


def cover_sizes(geometry: CoverGeometry) -> str:
    """Describe the width of the spine and the size of the whole cover in millimetres, inches and pixels."""
    whole = geometry.whole
    width = geometry.spine.width
    inches = f"{width / 72:.3f} in, {round(width / 72 * DPI)} px at {DPI} dpi"
    high_px, wide_px = (math.ceil(side / 72 * DPI - 0.01) for side in (whole.height, whole.width))
    return (
        f"spine {width / MM_PT:.1f} mm ({inches}); back, spine and front with bleed "
        f"{whole.width / MM_PT:.1f} × {whole.height / MM_PT:.1f} mm "
        f"({whole.width / 72:.3f} × {whole.height / 72:.3f} in, {wide_px} × {high_px} px)"
    )


def template_pdf(geometry: CoverGeometry, measure: Measure) -> bytes:
    """Draw the cover template for a designer as a PDF at its actual size, with trim and bleed boxes."""
    page = Page(_guides(geometry, measure), 1, kind="cover")
    return draw_pages([page], geometry.trim, About(), (geometry.bleed, geometry.bleed))


def template_png(geometry: CoverGeometry, measure: Measure) -> bytes:
    """Draw the cover template for a designer as a PNG, including the bleed.

    A picture of the same size in pixels fits exactly over the template.
    """
    whole = geometry.whole
    guides = Placed("template", _guides(geometry, measure), geometry.bleed_pt, geometry.bleed_pt)
    moved = Frame(whole.width, whole.height, (guides,))
    size = math.ceil(whole.width / 72 * DPI - 0.01), math.ceil(whole.height / 72 * DPI - 0.01)
    from linkpress.render.raster import png_bytes, rasterise  # imported late, because few commands need it

    return png_bytes(rasterise(moved, size, PixelMode.RGB), DPI)


def _guides(geometry: CoverGeometry, measure: Measure) -> Frame:
    return Frame(*geometry.trim, tuple(_guide_items(geometry, measure)))


def _guide_items(geometry: CoverGeometry, measure: Measure) -> Iterator[Item]:
    whole, trim = geometry.whole, Area(0.0, 0.0, *geometry.trim)
    for area, ink in ((whole, _BLEED), (trim, PAPER), (geometry.barcode, _FREE)):
        yield Rects(((area.x, area.y, area.width, area.height),), ink)
    yield _outline(trim, _TRIM)
    for panel in (geometry.back, geometry.front):
        yield _outline(geometry.live(panel), _SAFE)
    for x in (geometry.spine.x, geometry.spine.right):
        yield Polyline(((x, whole.y), (x, whole.top)), 0.75, _FOLD)
    safe = f"words inside the inner line, {geometry.safety_pt / MM_PT:.1f} mm from the trim"
    spine = "no words on the spine" if geometry.spine_words is None else "words on the spine"
    for panel, name in ((geometry.back, f"Back: {safe}"), (geometry.front, f"Front: {safe}")):
        point = panel.centre, panel.centre_y
        size = min(_LABEL_PT, 0.8 * panel.width * _LABEL_PT / measure.width(name, FontKey.REGULAR, _LABEL_PT))
        yield set_text(name, point, FontKey.REGULAR, size, measure, Anchor.MIDDLE)
        if panel is geometry.front:
            below = point[0], point[1] - 14
            facts = f"{cover_sizes(geometry).partition(';')[0]}; {spine}"
            yield set_text(facts, below, FontKey.REGULAR, 0.8 * size, measure, Anchor.MIDDLE)
    point = geometry.barcode.centre, geometry.barcode.centre_y
    yield set_text("barcode", point, FontKey.REGULAR, _LABEL_PT, measure, Anchor.MIDDLE)


def _outline(area: Area, ink: Ink) -> Polyline:
    left, foot, right, top = area.x, area.y, area.right, area.top
    return Polyline(((left, foot), (right, foot), (right, top), (left, top)), 0.75, ink, closed=True)
