"""Lay out a book's cover as one frame, and draw it as one page of a PDF.

The cover is back, spine and front in one piece. The frame is as large as the trim, and the bleed is outside
the frame.

- The front has the title and other words, and below them a design's art, a picture, or a board of the book.
- The back has the blurb, the levels, a promise about the puzzles, sample boards, the publisher, and the ISBN
  as an EAN-13 barcode.
- The spine has the title and the author, if it is wide enough.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from linkpress.book.key_values import isbn_13, title_parts
from linkpress.book.printing_keys import Alignment, ArtBoard, BackSpec, CoverWords, SpineText, WordsPlace
from linkpress.documents.inks import LEAST_DIFFERENCE, difference, ink_text
from linkpress.documents.values import MM_PT, PixelMode
from linkpress.errors import LayoutError, LinkpressError, UsageError
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Anchor,
    Area,
    Discs,
    FontKey,
    Frame,
    Ink,
    Item,
    Page,
    Photo,
    Placed,
    Point,
    Rect,
    Rects,
    Region,
    Role,
    Shade,
    TextRun,
)
from linkpress.layout.markdown import TextRoom, markdown_blocks
from linkpress.layout.page_draft import text_regions
from linkpress.layout.setting import (
    DPI_SLACK,
    LARGE_PRINT_LEAST_PT,
    OwnPicture,
    check_resolution,
    resolution_of,
)
from linkpress.layout.text_flow import (
    LEAST_WORDS_PT,
    Block,
    Lettering,
    Measure,
    PictureRow,
    Text,
    breaks_poorly,
    clear_leading,
    fitting_size,
    flow,
    set_text,
    text_height,
)
from linkpress.layout.theme import Theme, TypeScale, load_theme
from linkpress.press.cover_content import (
    LEAST_ON_PICTURE,
    CoverContent,
    CoverGeometry,
    contrast_on_shade,
    cover_geometry_of,
    house_safety_pt,
)
from linkpress.printers import Colours, PrinterProfile, check_tint
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.render.fonts import SHIPPED, Faces
from linkpress.render.pdf import About, ColourMode, draw_pages

if TYPE_CHECKING:
    from PIL import Image


# On a front cover without a design, the words take at most 42 % of the height. The title's capitals are at
# most 8 % of the height.
PLAIN = CoverWords.model_construct(most=0.42, letter=0.08)
# Minimum size of the title in points on a front cover without a design.
PLAIN_LEAST_PT = 20.0
# Maximum number of lines of a title. An author who breaks the title into lines may use more.
MOST_LINES = 5
# Minimum height of the title's capitals on a front cover with a design, as a share of the front cover's
# height. Smaller capitals can't be read in a shop's list.
LEAST_LETTER = 1 / 14
# Minimum height of capitals in a title with a very long word or line, as a share of the front cover's height.
# Such a title is too wide for the usual minimum height.
LEAST_OF_LONG_WORDS = 1 / 24
# A smaller title is preferred if its line breaks are better, but not below this share of the
# largest size that fits.
WELL_BROKEN = 0.6
# The title of a cover may be so long that even the largest size that fits is below the usual
# minimum. A smaller size with better line breaks is then preferred only down to this share of the
# largest size that fits.
_WELL_BROKEN_IF_SMALL = 0.8
# Maximum share of the front cover's height that the words may take. A design usually asks for less, but words
# that don't fit may take up to this share.
MOST_WORDS = 0.72
# Factor between two title sizes that are tried one after the other.
_SIZE_STEP = 1.05
# Two minimums for neighbouring lines of a title, as shares of the title's type size: the distance between
# their baselines, and the gap between the lowest letter of one line and the highest letter of the next.
_LEAST_LEADING, _LEAST_GAP = 0.9, 0.04
# Type size of series, volume and author on a front cover with a design. It is ``_SMALL_SHARE`` of the title's
# type size, at least ``_SMALL_LEAST`` of the page's height, and at most ``_SMALL_MOST_PT`` points.
_SMALL_SHARE, _SMALL_LEAST, _SMALL_MOST_PT = 0.24, 1 / 48, 28.0
# Type size of series, volume and author on a front cover without a design. It is ``_PLAIN_SMALL_SHARE`` of
# the title's type size, at least ``_PLAIN_SMALL_LEAST_PT`` points, and at most ``_SMALL_MOST_PT`` points.
_PLAIN_SMALL_SHARE, _PLAIN_SMALL_LEAST_PT = 0.34, 11.0
# Thickness of the line drawn below the title on a front cover without a design. It is ``RULE_SHARE`` of the
# title's type size, and at least ``RULE_LEAST_PT`` points.
RULE_SHARE, RULE_LEAST_PT = 0.08, 3.0
# Size of the subtitle as a share of the title's size. Smaller letters can't be read in a shop's list.
SUBTITLE_SHARE = 1 / 3
# Radius of the badge, as a share of the width that words on the front cover may take.
BADGE_SHARE = 0.15
# Pattern of the numbers that are set larger than the words of a badge, and their size as a multiple
# of the words' size.
_NUMBER, _BADGE_NUMBER = re.compile("[0-9–-]{1,5}"), 1.7
# Two radii, as multiples of the badge's radius. The words of the badge stay inside a circle with the radius
# ``_IN_BADGE``. Behind the badge is a disc in the cover's background colour with the radius ``_BADGE_RIM``,
# which is seen as a rim around the badge.
_IN_BADGE, _BADGE_RIM = 0.86, 1.06
# Width of an e-book's cover in pixels, and the ratio of height to width that Kindle asks for.
EBOOK_PX, EBOOK_RATIO = 1600, 1.6
# Distance in points by which the panel behind words on a picture extends beyond the words. It is less than
# the minimum distance of words from the trim, so the panel ends inside the trim.
PANEL_PT = 15.0
# Gap in points between the words of the front cover and the board below them.
PICTURE_GAP_PT = 14.0

# Share of the paths that are drawn on the front cover's board. These paths show how the game works, but don't
# give the whole solution away.
DRAWN_SHARE = 0.5
# White margin around a board, as a share of the side of its white panel.
MARGIN = 0.06
LARGEST_CELL_PT = 96.0

# Type sizes that are tried for the text on the back cover, the largest first.
BACK_SIZES_PT = (17.0, 15.0, 13.0, 12.0, 11.0, 10.0, 9.0)
# By default, the back cover shows sample boards beside its text. If the text would then have to be
# smaller than this number of points, the boards are left out. This is not done if the spec itself asks
# for the boards.
UNASKED_LEAST_PT = 12.0
# Maximum length of a line on the back cover, as a multiple of the type size. Such a line
# has about 65 characters.
LINE_EMS = 32.0
# On the back cover, a sentence says that every puzzle has exactly one solution. Its type size is this share
# of the size of the text above it, and at least this number of points.
PROMISE_SHARE, PROMISE_LEAST_PT = 0.82, 8.0
PUBLISHER_PT = 10.0
# Maximum height of the sample boards on the back cover, as a share of the space above the barcode.
SAMPLES_SHARE = 0.4

# Size of the barcode as a share of the standard's nominal size. Scanners are made for a share
# of 0.8 and more.
MAGNIFICATION = 0.9
_BAR_PT = 0.33 * MM_PT * MAGNIFICATION
_BARCODE_HEIGHT_PT = 25.93 * MM_PT * MAGNIFICATION
# Type sizes of the digits below a barcode's bars, and of the ISBN above the bars.
_DIGITS_PT, _LABEL_PT = 9.0, 8.0

MOST_SPINE_PT = 18.0
_EAST_ASIAN = re.compile("[\u3040-\u30ff\u3400-\u9fff]")  # kana and Han characters

# Characters such as dashes and brackets. They are turned by 90 degrees in a column of upright letters.
_LYING = frozenset("ー〜～…‥-–—()（）「」『』[]【】〈〉:：")
# Height of a line on the spine as a multiple of the type size. The height is measured from the foot of a g to
# the top of an accented capital.
LETTER_HEIGHT = 1.0


@dataclass(frozen=True)
class ComposedCover:
    """Laid-out cover.

    ``frame`` has the size of the trimmed cover. Its items that lie outside that size are in the bleed.
    ``notes`` are sentences of advice on improving the cover.
    """

    geometry: CoverGeometry
    frame: Frame
    notes: tuple[str, ...] = ()

    @property
    def regions(self) -> list[Region]:
        """Areas of the cover, each with the key of the spec that sets its content. Large areas come first."""
        front, spine, code = self.geometry.front, self.geometry.spine, self.geometry.barcode
        part = ("cover",)
        regions = [
            Region((0.0, 0.0, *self.geometry.trim), part, Role.PAGE, part),
            Region(front.box, ("cover", "design"), Role.FRONT, part),
            Region(spine.box, ("title",), Role.SPINE, part),
            Region(code.box, ("isbn",), Role.BARCODE, part),
        ]
        for item in self.frame.items:
            if isinstance(item, Placed) and item.name.startswith("cover-"):
                key = "puzzle" if item.name == "cover-puzzle" else "boards"
                regions.append(Region(item.box, ("cover", key), Role.BOARD, part))
        return [*regions, *text_regions(self.frame.items, part)]


def compose_cover(content: CoverContent) -> ComposedCover:
    """Lay out a book's cover.

    Raises:
        LayoutError: a part of the cover doesn't fit, or the printer has its own cover template.
        UsageError: the width of the spine is unknown.
    """
    cover, errors = try_cover(content)
    if cover is None:
        raise errors[0]
    return cover


def try_cover(content: CoverContent) -> tuple[ComposedCover | None, list[LinkpressError]]:
    """Lay out a book's cover.

    Returns:
        The cover and an empty list. If a part of the cover can't be laid out, None and a list with an error
        for each such part.
    """
    try:
        geometry = cover_geometry_of(content.spec, content.profile, content.pages)
    except (LayoutError, UsageError) as error:
        return None, [error]
    errors: list[LinkpressError] = []

    def items_of(compose: Callable[[], list[Item]]) -> list[Item]:
        try:
            return compose()
        except LayoutError as error:
            errors.append(error)
            return []

    back = items_of(lambda: compose_back(content, geometry))
    spine = items_of(lambda: _spine(content, geometry))
    occupied = [*_back_areas(back, geometry), *_spine_areas(spine)]
    front = items_of(lambda: _front(content, geometry, occupied))
    if errors:
        return None, errors
    whole = geometry.whole
    ground = Rects(((whole.x, whole.y, whole.width, whole.height),), content.ground)
    notes = (*_title_notes(content, geometry, front), *_picture_notes(content, (*front, *back)))
    return ComposedCover(geometry, Frame(*geometry.trim, (ground, *front, *back, *spine)), notes), []


def _title_notes(content: CoverContent, geometry: CoverGeometry, front: Sequence[Item]) -> Iterator[str]:
    """Yield advice if a cover design sets the title too small to be read in a shop's list of books."""
    if content.design is None:
        return
    title = (item for item in front if isinstance(item, TextRun) and item.where == "title")
    size = max((item.size_pt for item in title), default=math.inf)
    high, least = size * _letter_height(content), LEAST_LETTER * geometry.front.height
    if high < least * 0.99:
        yield (
            f"the cover's title is small for a shop's list: its capitals are {high / MM_PT:.1f} mm high, and "
            f"can be read there from {least / MM_PT:.1f} mm (a fourteenth of the front) on. Move some of the "
            "title to the subtitle"
        )


def compose_front(content: CoverContent) -> Frame:
    """Lay out the front cover alone, as large as a page, for screens.

    Raises:
        LayoutError: a part of the front cover doesn't fit.
    """
    trim = content.spec.page.trim.size
    front, none = Area(0.0, 0.0, trim.width_pt, trim.height_pt), Area(0.0, 0.0, 0.0, 0.0)
    geometry = CoverGeometry(trim, 0.0, none, none, front, house_safety_pt(trim), None, none)
    ground = Rects(((0.0, 0.0, trim.width_pt, trim.height_pt),), content.ground)
    return Frame(*trim, (ground, *_front(content, geometry)))


def compose_ebook_front(content: CoverContent) -> Frame:
    """Lay out the front cover of an e-book, in the ratio of height to width that shops ask for.

    If the spec gives a finished picture of the front cover, its proportions stay unchanged.
    """
    trim = content.spec.page.trim
    if content.keys.front is not None:
        return compose_front(content)
    tall = replace(trim, height_mm=EBOOK_RATIO * trim.width_mm)
    page = content.spec.page.model_copy(update={"trim": tall})
    return compose_front(replace(content, spec=content.spec.model_copy(update={"page": page})))


def jpeg_front(front: Frame, faces: Faces) -> bytes:
    """Draw a front cover as a JPEG file, in the width that shops ask for."""
    from linkpress.render.raster import rasterise  # imported late, because the import takes 25 ms

    size, file = (EBOOK_PX, round(EBOOK_PX * front.height_pt / front.width_pt)), io.BytesIO()
    rasterise(front, size, PixelMode.RGB, faces=faces).save(file, "JPEG", quality=92, subsampling=0)
    return file.getvalue()


def front_image(cover: ComposedCover, width_px: int, faces: Faces) -> Image.Image:
    """Draw the front of a printed cover as an image, for shops.

    The finished cover is drawn and cropped. ``compose_front`` is not used, because it would make a different
    board for the art than the printed cover has.
    """
    trim, scale = cover.geometry.trim, width_px / cover.geometry.front.width
    size = round(scale * trim.width_pt), round(scale * trim.height_pt)
    from linkpress.render.raster import rasterise  # imported late, because the import takes 25 ms

    whole = rasterise(cover.frame, size, PixelMode.RGB, faces=faces)
    return whole.crop((whole.width - width_px, 0, *whole.size))


def draw_cover(
    cover: ComposedCover, about: About, colour_mode: ColourMode = ColourMode.CMYK, faces: Faces = SHIPPED
) -> bytes:
    """Draw a cover as a PDF of one page, with trim and bleed boxes. The same cover gives the same bytes."""
    geometry = cover.geometry
    bleeds = (geometry.bleed, geometry.bleed)
    pages = [Page(cover.frame, 1, kind="cover")]
    return draw_pages(pages, geometry.trim, about, bleeds, colour_mode=colour_mode, faces=faces)


def check_photo(key: str, image: OwnPicture, geometry: CoverGeometry, profile: PrinterProfile) -> None:
    """Raise ``LayoutError`` if a picture has too few pixels for the front cover and its bleed."""
    least = profile.least_dpi(on_cover=True)
    check_resolution(image, photo_box(geometry), least, key, "on the front with its bleed")


def _picture_notes(content: CoverContent, items: Iterable[Item]) -> Iterator[str]:
    """Yield a note for each picture on the cover that has fewer pixels than the printer advises."""
    advised = content.profile.limits.image_dpi
    for photo in (item for item in items if isinstance(item, Photo)):
        for picture in (content.image, content.back_art):
            if picture is None or picture.content is not photo.content:
                continue
            dpi = resolution_of(picture, photo.box)
            if dpi < advised - DPI_SLACK:
                sides = " × ".join(f"{side_pt * dpi / advised / MM_PT:.0f}" for side_pt in photo.box[2:])
                yield (
                    f"{picture.name} is printed at {int(dpi)} dpi on the cover, and {advised} are advised: "
                    f"it is sharp up to {sides} mm"
                )


def photo_box(geometry: CoverGeometry) -> Rect:
    """Return where to place a picture so that it fills the front cover and its bleed."""
    front, whole = geometry.front, geometry.whole
    return front.x, whole.y, whole.right - front.x, whole.height


def _back_areas(back: Sequence[Item], geometry: CoverGeometry) -> Iterator[Area]:
    """Yield the areas of words and boards on the back cover.

    The area of each line of text above the barcode extends to the right end of the longest of these lines. So
    no art is drawn in the space to the right of shorter lines.
    """
    lines = [item for item in back if isinstance(item, TextRun)]
    text = max((line.x + line.width_pt for line in lines if line.y > geometry.barcode.top), default=0.0)
    for item in back:
        if isinstance(item, Rects):
            yield from (Area(*box) for box in item.boxes)
        elif isinstance(item, Placed):
            yield Area(*item.box)
        elif isinstance(item, TextRun):
            right = text if item.y > geometry.barcode.top else item.x + item.width_pt
            yield Area(item.x, item.y - 0.5 * item.size_pt, right - item.x, 2 * item.size_pt)


def _spine_areas(spine: Sequence[Item]) -> Iterator[Area]:
    """Yield the areas of the lines of text on the spine, where text may be turned by 90 degrees."""
    for placed in (item for item in spine if isinstance(item, Placed)):
        if not placed.turned:
            yield Area(*placed.box)
        for line in placed.frame.items if placed.turned else ():
            if isinstance(line, TextRun):
                down = placed.frame.width_pt - line.x - line.width_pt
                foot = placed.y + (down if placed.turned == 90 else line.x)
                yield Area(placed.x, foot, placed.frame.height_pt, line.width_pt)


def _front(content: CoverContent, geometry: CoverGeometry, occupied: Sequence[Area] = ()) -> list[Item]:
    """Lay out the front cover.

    Args:
        content: what the cover shows.
        geometry: where the front cover is.
        occupied: the areas of words on back and spine. A design's art leaves these areas free.
    """
    box, live = photo_box(geometry), geometry.live(geometry.front)
    _check_tint(content, "background", content.ground)
    if content.image is not None:
        if content.design is None or content.design.art.board is not ArtBoard.PICTURE:
            check_photo(content.keys.picture_key, content.image, geometry, content.profile)
        # The spec gives a finished picture of the whole front cover, including its words.
        if content.keys.front is not None:
            return [Photo(box, content.image.content)]
    _check_inks(content)
    words = set_front_words(content, geometry.front, live)
    if (
        content.design is not None
        and content.design.art.board is ArtBoard.POSTER
        and content.image is not None
    ):
        panel = _panel(words.area, content.ground)
        return [Photo(box, content.image.content), panel, *words.items]
    if content.design is not None:
        from linkpress.press.cover_art import art_items  # imported late, because it loads the engine

        occupied = [*occupied, *words.badge]
        return [*art_items(content, content.design, geometry, words.area, occupied), *words.items]
    room = Area(live.x, live.y, live.width, words.area.y - PICTURE_GAP_PT - live.y)
    photo: list[Item] = []
    # If there is a picture on the front cover, lay a translucent layer in the background's colour over it, so
    # that the words on the picture are legible.
    if content.image is not None:
        _check_shade(content)
        shade = Shade((geometry.whole.top - room.top) / geometry.whole.height, content.ground)
        photo = [Photo(box, content.image.content, shade=shade)]
    board = () if photo and content.keys.puzzle is None else _front_board(content, room)
    return [*photo, *words.items, *board]


def _panel(words: Area, ink: Ink) -> Rects:
    """Return a panel in the background colour, which is drawn behind words on a picture."""
    x, y, pad = words.x - PANEL_PT, words.y - PANEL_PT, 2 * PANEL_PT
    return Rects(((x, y, words.width + pad, words.height + pad),), ink)


def _check_shade(content: CoverContent) -> None:
    """Check that the words on a picture are legible.

    A shade, a translucent layer of the background colour, is between the picture and the words. The contrast
    is computed for the worst case, a picture of the same colour as the words.

    Raises:
        LayoutError: the contrast is too low.
    """
    ratio = contrast_on_shade(content.ground)
    if ratio < LEAST_ON_PICTURE:
        message = (
            f"the words on the picture may have a contrast of {int(10 * ratio) / 10} only, since "
            f"{content.ground.hex} is neither dark nor light. {LEAST_ON_PICTURE:g} or more is needed "
            "(WCAG 2.2). Make it darker."
        )
        raise LayoutError(message, "cover.background" if content.keys.background else "cover.image")


def _check_inks(content: CoverContent) -> None:
    """Check that the design's art or the accent colour differs enough from the background.

    Raises:
        LayoutError: a colour is too similar to the background.
    """
    keys, palette = content.keys, content.palette
    if content.design is None:
        _check_tint(content, "accent", content.accent)
    mark, inks = "accent", (content.accent,)
    key = "cover.accent" if keys.accent else "cover.background" if keys.background else "cover"
    if content.design is not None and palette is not None:
        # In designs with coloured areas, the faint ink is only used for the lines between the areas. These
        # lines need not stand out from the background, so the faint ink is not checked.
        art = content.design.art
        faint = () if art.areas or palette.fill or palette.faint is None else (palette.faint,)
        lines = () if art.board.is_picture else (palette.fill,) if palette.fill else palette.lines
        mark, inks = "art", (*lines, *faint)
        key = "cover.background" if keys.background else "cover.design"
    for ink in inks:
        apart = difference(ink.rgb, content.ground.rgb)
        if apart < LEAST_DIFFERENCE:
            raise LayoutError(
                f"the {mark} in {ink_text(ink)} can't be told from the background in "
                f"{ink_text(content.ground)}: their colour difference is {int(10 * apart) / 10}, and "
                f"{LEAST_DIFFERENCE:g} or more is needed (CIE 1976). Choose another colour.",
                key,
            )


def _check_tint(content: CoverContent, name: str, ink: Ink) -> None:
    """Raise ``LayoutError`` if a colour is so light that the printer can't print it.

    Args:
        content: what the cover shows.
        name: the key of the spec's ``cover`` that sets the colour.
        ink: the colour.
    """
    profile, series = content.profile, content.spec.series
    tint = 1 - min(ink.rgb) if profile.colours is Colours.SRGB else max(ink.shares)
    key = "series.colours" if name == "background" and series and series.colours else "cover"
    key = f"cover.{name}" if getattr(content.keys, name) else key
    for problem in check_tint(profile, tint):
        raise LayoutError(
            f"the {name} in {ink_text(ink)} is a tint of {problem.found}; {profile.name} allows "
            f"{problem.message} ({problem.source}). Choose a darker colour, or white.",
            key,
        )


class FrontWords(NamedTuple):
    """Words of a front cover, and the areas that they take up.

    The badge, a disc with a few words, may be inside the area of the other words, or have an area of its own.
    """

    items: list[Item]
    area: Area
    badge: tuple[Area, ...] = ()


class _Row(NamedTuple):
    """Line of words on a front cover.

    Args:
        lettering: the font and colour of the line.
        text: the words of the line.
        size: the type size in points.
        drop: the distance in points to the baseline from the baseline above, or from the top of the block.
        rule_title_size: the type size of the title in points, if a rule (a drawn line) separates this line
            from the title. It decides how thick the rule is. If there is no rule, the value is 0.
    """

    lettering: Lettering
    text: str
    size: float
    drop: float
    rule_title_size: float = 0.0


def set_front_words(content: CoverContent, front: Area, live: Area) -> FrontWords:
    """Set the words of a front cover in one block, with the title as large as possible.

    Args:
        content: what the cover shows.
        front: the front cover, from trim edge to trim edge.
        live: the part of the front cover that may have words.
    Raises:
        LayoutError: the words don't fit, or the fonts lack one of their letters.
    """
    words = content.design.words if content.design else PLAIN
    rows = _fitting_rows(content, words, front, live.width)
    height = sum(row.drop for row in rows) + 0.25 * rows[-1].size
    width = max(row.lettering.width(row.text, row.size) for row in rows)
    y = top = live.top if words.place is WordsPlace.TOP else live.y + height
    centred = words.align is Alignment.CENTRE
    x, anchor = (live.centre, Anchor.MIDDLE) if centred else (live.x, Anchor.START)
    items: list[Item] = []
    for row in rows:
        y -= row.drop
        if row.rule_title_size:
            weight = max(RULE_LEAST_PT, RULE_SHARE * row.rule_title_size)
            items.append(Rects(((x, y + 1.4 * row.size, 0.18 * live.width, weight),), content.accent))
        items.append(row.lettering.set(row.text, (x, y), row.size, anchor))
    area = Area(x - width / 2 if centred else x, top - height, width, height)
    if not content.badge:
        return FrontWords(items, area)
    radius = BADGE_SHARE * live.width
    # If the words are left-aligned, the badge is placed to the right of the lines below the title.
    if not centred:
        middle = top - height + _height_below_title(rows) / 2
        items += _badge(content, (live.right - radius, middle), radius)
        return FrontWords(items, Area(area.x, area.y, live.width, height))
    at_foot = words.place is WordsPlace.TOP
    x, y = live.right - radius, live.y + radius if at_foot else live.top - radius
    items += _badge(content, (x, y), radius)
    return FrontWords(items, area, (Area(x - radius, y - radius, 2 * radius, 2 * radius),))


class _Fit(NamedTuple):
    """Possible layout of the words on a front cover, for one of the title sizes that are tried.

    Args:
        size: the type size of the title in points.
        excess: by how much the words are too high for the cover design, as a share of the front cover's
            height. It is 0 if they are not too high.
        poor_breaks: how badly the title is broken into lines; 0 for good line breaks.
        rows: all lines of the front cover.
    """

    size: float
    excess: float
    poor_breaks: int
    rows: list[_Row]


def _fitting_rows(content: CoverContent, words: CoverWords, front: Area, width: float) -> list[_Row]:
    """Return the lines of a front cover with the largest title that fits.

    A smaller title is preferred if its line breaks are better.
    """
    title = Lettering(content.measure, content.title_ink, "title", content.title_face)
    text, letter = content.spec.title, _letter_height(content)
    parts, longest = title_parts(text), title.widest_word(text)
    unbroken = longest if len(parts) == 1 else max(title.width(part, 1.0) for part in parts)
    legible, size = LEAST_LETTER * front.height / letter, words.letter * front.height / letter
    least = max(min(legible, width / unbroken), LEAST_OF_LONG_WORDS * front.height / letter)
    floor = min(PLAIN_LEAST_PT, size)
    least = max(least, floor) if content.design else floor
    fits: list[_Fit] = []
    bound = floor
    while size >= bound * 0.999:
        lines = title.display(text, width, size) if size * longest <= width else []
        if 0 < len(lines) <= max(MOST_LINES, len(parts)):
            rows = _rows(content, words, title, lines, size, width)
            high = sum(row.drop for row in rows) / front.height
            # Number of line breaks that don't replace a space. For example, Thai words have no spaces between
            # them, so a line break between two of them replaces none.
            within = len(lines) - 1 - (len(text) - sum(map(len, lines)))
            poor = max(breaks_poorly(lines), within) if len(parts) == 1 else 2 * (len(lines) > len(parts))
            if high <= max(words.most, MOST_WORDS):
                fits.append(_Fit(size, max(0.0, high - words.most), poor, rows))
                if len(fits) == 1:
                    bound = least if size >= least * 0.999 else max(floor, _WELL_BROKEN_IF_SMALL * size)
        lowest = max(least, bound) if size > least * 1.001 else bound
        size = max(size / _SIZE_STEP, lowest) if size > lowest * 1.001 else 0.0
    if not fits:
        raise LayoutError(
            f"{text[:60]!r} doesn't fit the cover in {MOST_LINES} lines with capitals that are "
            f"{floor * letter / MM_PT:.0f} mm high. "
            "Shorten it, put some of it into the subtitle, or choose a larger page.trim.",
            "title",
        )
    large = WELL_BROKEN * fits[0].size if len(parts) == 1 else 0.0
    best = min(fits, key=lambda fit: (fit.excess > 0, fit.size < large, fit.poor_breaks, fit.excess))
    return best.rows


def _letter_height(content: CoverContent) -> float:
    """Return the height of the title's capitals at a type size of 1 pt.

    If the script has no capitals, return the height of the title's highest letter.
    """
    title = content.spec.title
    has_capitals = content.design is None or title.upper() != title.lower()
    return content.measure.ink("H" if has_capitals else title, content.title_face, 1.0).top


def _leading(content: CoverContent, size: float) -> float:
    """Return the distance between the baselines of a title.

    The lines are set as close as possible without touching.
    """
    leading = size
    if content.design is not None:
        box = content.measure.ink(content.spec.title, content.title_face, size)
        leading = min(size, max(_LEAST_LEADING * size, box.top - box.bottom + _LEAST_GAP * size))
    return clear_leading(content.spec.title, size, leading, content.measure)


def _rows(
    content: CoverContent, words: CoverWords, title: Lettering, lines: list[str], size: float, width: float
) -> list[_Row]:
    """Return the lines of a front cover for a title of the given size.

    The lines are the series, the title, the subtitle, the volume and the author, from top to bottom.
    """
    spec, ink, measure = content.spec, content.text_ink, content.measure
    share = _SMALL_SHARE if content.design else _PLAIN_SMALL_SHARE
    least = _SMALL_LEAST * spec.page.trim.size.height_pt if content.design else _PLAIN_SMALL_LEAST_PT
    small = min(max(share * size, least), _SMALL_MOST_PT)
    rows: list[_Row] = []
    gap = 0.0
    if spec.series is not None:
        series = Lettering(measure, ink, "series.name", FontKey.SEMIBOLD)
        for line in series.display(spec.series.name, width, small):
            rows.append(_Row(series, line, small, (1.3 if gap else 0.8) * small))
            gap = 0.75 * small
    gap += text_height(lines[0], size, 0.74 * size, measure)
    for line in lines:
        rows.append(_Row(title, line, size, gap))
        gap = _leading(content, size)
    # If the words are left-aligned, the badge is to the right of the lines below the title. So these lines
    # must be shorter, to leave room for the badge.
    badge = 2 * BADGE_SHARE * width if content.badge and words.align is Alignment.LEFT else 0.0
    width -= 1.1 * badge
    rule_title_size = 0.0 if content.design else size
    subtitle = Lettering(measure, ink, "subtitle")
    large = min(max(small, SUBTITLE_SHARE * size), width / subtitle.widest_word(content.subtitle))
    gap = (0.5 if rule_title_size else 0.2) * size + 1.25 * large
    for line in subtitle.display(content.subtitle, width, large):
        rows.append(_Row(subtitle, line, large, gap, rule_title_size))
        gap, rule_title_size = 1.25 * large, 0.0
    if content.volume_line and content.keys.badge != "volume":
        rows.append(_Row(subtitle, content.volume_line, small, 1.4 * small))
    if spec.author:
        author = Lettering(measure, ink, "author", FontKey.SEMIBOLD)
        wide = author.width(spec.author, small)
        fitting = fitting_size(
            spec.author, small, width_pt=wide, available_pt=width, least_pt=LEAST_WORDS_PT, where="author"
        )
        rows.append(_Row(author, spec.author, fitting, 1.7 * small))
    lacking = max(0.0, badge - _height_below_title(rows))
    return [*rows[:-1], rows[-1]._replace(drop=rows[-1].drop + lacking)]


def _height_below_title(rows: Sequence[_Row]) -> float:
    """Return the height of all lines below the title together, in points.

    It is measured down from the depth that a letter such as g reaches in the title's last line.
    """
    last = max(index for index, row in enumerate(rows) if row.lettering.where == "title")
    return sum(row.drop for row in rows[last + 1 :]) + 0.25 * rows[-1].size - 0.3 * rows[last].size


def _badge(content: CoverContent, centre: Point, radius: float) -> list[Item]:
    """Return the badge of the front cover: words in a disc, as large as possible.

    Numbers are larger than the other words.

    Raises:
        LayoutError: the words don't fit in a legible size.
    """
    ink = PAPER if content.accent.is_dark else BLACK
    lettering = Lettering(content.measure, ink, "cover.badge", FontKey.SEMIBOLD)
    width, words = 2 * _IN_BADGE * radius, content.badge.split()
    widest, size = lettering.widest_word(content.badge), radius
    while size >= LEAST_WORDS_PT:
        balanced = lettering.display(content.badge, width, size) if size * widest <= width else words
        for lines in (words, balanced):
            sizes = [size * (_BADGE_NUMBER if _NUMBER.fullmatch(line) else 1.0) for line in lines]
            # The lines are centred vertically in the disc. The last line needs no space below it, so leave
            # this space out.
            top = 0.5 * (sum(sizes) - 0.3 * sizes[-1])
            reach, rows = 0.0, []
            for line, high in zip(lines, sizes, strict=True):
                half, foot = lettering.width(line, high) / 2, top - 0.7 * high
                reach = max(reach, math.hypot(half, top), math.hypot(half, foot))
                rows.append(lettering.set(line, (centre[0], centre[1] + foot), high, Anchor.MIDDLE))
                top -= high
            if reach <= _IN_BADGE * radius:
                rim = Discs((centre,), _BADGE_RIM * radius, content.ground)
                return [rim, Discs((centre,), radius, content.accent), *rows]
        size /= _SIZE_STEP
    raise LayoutError(f"{content.badge!r} is too long for the badge. Shorten it.", "cover.badge")


def _front_board(content: CoverContent, room: Area) -> tuple[Item, ...]:
    """Draw a half-solved board of the book for the front cover.

    If the numbers on the book's smallest board would be too small to print, draw the board that is the
    example on the how-to-play pages.

    Raises:
        LayoutError: the spec names a puzzle for the cover, and its numbers would be too small.
    """
    least_pt = content.profile.limits.text_pt
    small = sorted(content.pictures, key=lambda board: board.puzzle.grid.size)[:1]
    for board in (*small, content.example):
        picture = draw_panel(board.puzzle, half_drawn(board), room, content, "cover-puzzle")
        if picture.text_pt >= least_pt:
            break
        if content.keys.puzzle is not None:
            grid, size_pt = board.puzzle.grid, math.floor(picture.text_pt * 10) / 10
            raise LayoutError(
                f"on the front the numbers of {grid.cols} × {grid.rows} squares would be no larger than "
                f"{size_pt:g} pt, at least {least_pt:g} is needed ({content.profile.name}). Name a puzzle "
                "with fewer squares, leave the key out, or choose a larger page.trim.",
                "cover.puzzle",
            )
    return picture.items


class Picture(NamedTuple):
    """White panel with a board, and the type size of the board's smallest number.

    The picture has no items if there is no room for the board.
    """

    items: tuple[Item, ...] = ()
    text_pt: float = 0.0


def draw_panel(
    puzzle: Puzzle, drawn: Solution | None, area: Area, content: CoverContent, name: str
) -> Picture:
    """Draw a board on a white panel in the middle of an area, as large as the area allows.

    Args:
        puzzle: the board.
        drawn: the paths to draw on the board; None to draw no paths.
        area: the area in points.
        content: what the cover shows.
        name: the name of the board in the drawing.
    """
    grid = puzzle.grid
    theme = cover_theme(content.theme)
    inner = 1 - 2 * MARGIN
    outline = theme.grid.outer_pt
    room = area.width * inner - outline
    cell = min(room / grid.cols, (area.height * inner - outline) / grid.rows, LARGEST_CELL_PT)
    if cell <= 0:
        return Picture()
    frame = board_frame(puzzle, drawn, cell, theme, content.measure)
    pad = MARGIN * max(frame.width_pt, frame.height_pt) / inner
    width, height = frame.width_pt + 2 * pad, frame.height_pt + 2 * pad
    x, y = area.centre - width / 2, area.y + (area.height - height) / 2
    board = Placed(name, frame, x + pad, y + pad)
    sizes = (item.size_pt for item in frame.items if isinstance(item, TextRun))
    return Picture((Rects(((x, y, width, height),), PAPER), board), min(sizes, default=math.inf))


def cover_theme(book: Theme) -> Theme:
    """Return the theme for boards on a cover. It is coloured, and has dots if the book has dots."""
    theme = load_theme("colour").with_shapes(book.shapes)
    return theme.model_copy(update={"numbers": book.numbers}) if book.numbers.is_dots else theme


def half_drawn(solution: Solution) -> Solution:
    """Return a solution with only the longer half of its paths.

    Long paths show best how the game works.
    """
    longest = sorted(solution.paths, key=lambda path: (-len(path.cells), path.number))
    drawn = {path.number for path in longest[: max(1, round(len(longest) * DRAWN_SHARE))]}
    return Solution(solution.puzzle, tuple(path for path in solution.paths if path.number in drawn))


def compose_back(content: CoverContent, geometry: CoverGeometry) -> list[Item]:
    """Lay out the back cover.

    By default, the back shows sample boards. They are left out if the words don't fit beside them, unless the
    spec itself asks for the boards.

    Raises:
        LayoutError: the words don't fit, or the numbers of the boards would be too small.
    """
    try:
        return _compose_back(content, geometry)
    except LayoutError:
        if content.keys.boards is not None or not content.samples:
            raise
        return _compose_back(replace(content, samples=()), geometry)


def _compose_back(content: CoverContent, geometry: CoverGeometry) -> list[Item]:
    live, code, measure = geometry.live(geometry.back), geometry.barcode, content.measure
    items: list[Item] = [Rects(((code.x, code.y, code.width, code.height),), PAPER)]
    if content.back_art is not None:
        whole = geometry.whole
        check_photo("cover.back_art", content.back_art, geometry, content.profile)
        items.insert(
            0,
            Photo((whole.x, whole.y, geometry.back.right - whole.x, whole.height), content.back_art.content),
        )
    if content.spec.isbn:
        label = content.words.say(content.words.isbn, isbn=content.spec.isbn)
        items += barcode_items(content.spec.isbn, label, code, measure)
    text = Area(live.x, code.top + 18, live.width, live.top - code.top - 18)
    boards, height = _sample_boards(content, text)
    items += boards
    text = text.without(bottom=height + 18 if boards else 0.0)
    back_words = _back_words(content, text)
    if content.back_art is not None:
        runs = [item for item in back_words if isinstance(item, TextRun)]
        foot = min(run.y - 0.3 * run.size_pt for run in runs)
        wide = max(run.x + run.width_pt for run in runs) - text.x
        items.append(_panel(Area(text.x, foot, wide, text.top - foot), content.ground))
    items += back_words
    if content.spec.publisher:
        room = code.x - live.x - 12
        publisher = Lettering(measure, content.text_ink, "publisher", FontKey.SEMIBOLD)
        size = _readable(content, PUBLISHER_PT)
        lines = publisher.lines(content.spec.publisher, room, size)
        if content.back_art is not None:
            wide = max(publisher.width(line, size) for line in lines)
            high = (1.25 * len(lines) - 0.5) * size
            items.append(_panel(Area(live.x, live.y, wide, high), content.ground))
        for up, line in enumerate(reversed(lines)):
            items.append(publisher.set(line, (live.x, live.y + 1.25 * up * size), size))
    return items


def barcode_items(isbn: str, label: str, area: Area, measure: Measure) -> list[Item]:
    """Draw the barcode of an ISBN in the middle of an area.

    Args:
        isbn: the ISBN, with or without hyphens.
        label: the text above the bars, which includes the ISBN.
        area: the area in points.
        measure: object that measures text.
    """
    from reportlab.graphics import shapes as reportlab_shapes
    from reportlab.graphics.barcode.eanbc import Ean13BarcodeWidget

    widget = Ean13BarcodeWidget(
        isbn_13(isbn)[:12], barWidth=_BAR_PT, barHeight=_BARCODE_HEIGHT_PT, fontSize=_DIGITS_PT
    )
    widget.x = area.centre - widget.width / 2
    block = _BARCODE_HEIGHT_PT + 4 + _LABEL_PT * 0.7
    widget.y = area.y + (area.height - block) / 2
    _frame, *shapes = widget.draw().contents
    bars = tuple((s.x, s.y, s.width, s.height) for s in shapes if isinstance(s, reportlab_shapes.Rect))
    digits = [s for s in shapes if isinstance(s, reportlab_shapes.String)]
    words = [(s.text, (s.x, s.y), _DIGITS_PT, Anchor(s.textAnchor)) for s in digits]
    words.append((label, (area.centre, widget.y + _BARCODE_HEIGHT_PT + 4), _LABEL_PT, Anchor.MIDDLE))
    texts = (
        set_text(text, point, FontKey.REGULAR, size, measure, anchor) for text, point, size, anchor in words
    )
    return [Rects(bars, BLACK), *texts]


def _back_words(content: CoverContent, area: Area) -> list[Item]:
    """Set the blurb, the levels and the promise on the back cover, in the largest type size that fits.

    The promise is a sentence that says that every puzzle has exactly one solution.
    """
    optional_boards = content.samples and content.keys.boards is None
    for size in BACK_SIZES_PT:
        if size > area.width / 24 or (optional_boards and size < UNASKED_LEAST_PT):
            continue
        column = Area(area.x, area.y, min(area.width, LINE_EMS * size), area.height)
        columns = flow(list(_back_blocks(content, size, column)), column, content.measure)
        if len(columns) == 1:
            return [item for block in columns[0] for item in block]
    raise LayoutError(
        f"its {len(content.keys.blurb or '')} characters don't fit the back of a page of "
        f"{content.spec.page.trim.size}, even at 9 pt, above the place of the barcode. Shorten it.",
        "cover.blurb",
    )


def _back_blocks(content: CoverContent, size: float, column: Area) -> Iterator[Block | PictureRow]:
    """Yield the blurb, the number of puzzles, the levels and the promise, if the spec asks for them.

    The promise is a sentence that says that every puzzle has exactly one solution.
    """
    keys = content.keys.back or BackSpec.model_construct()
    yield from _blurb(content, size, column)
    count = Text(content.words.count_of(content.spec.puzzle_count), strong=True)
    if keys.count is not False:
        yield _paragraph(content, size, (_custom_text(keys.count) or count,), 1.6)
    if isinstance(keys.levels, str):
        yield _paragraph(content, size, (Text(keys.levels),), 0.8)
    elif keys.levels is not False:
        for index, level in enumerate(content.spec.levels):
            line = f"{content.spec.headings[level.name]} · {content.words.count_of(level.count)}"
            where = f"levels[{index}].name"
            yield replace(_paragraph(content, size, (Text(line),), 0.0), indent_pt=size, where=where)
    if keys.promise is not False:
        small = min(size, max(_readable(content, PROMISE_LEAST_PT), PROMISE_SHARE * size))
        promise = _custom_text(keys.promise) or Text(content.words.promise)
        yield _paragraph(content, small, (promise,), 1.6 * size / small)


def _readable(content: CoverContent, size_pt: float) -> float:
    return max(size_pt, LARGE_PRINT_LEAST_PT) if content.spec.page.large_print else size_pt


def _custom_text(key: bool | str | None) -> Text | None:
    return Text(key) if isinstance(key, str) else None


def _paragraph(content: CoverContent, size: float, spans: tuple[Text, ...], before: float) -> Block:
    return Block(spans, size, 1.42 * size, before_pt=before * size, ink=content.text_ink, where="cover")


def _blurb(content: CoverContent, size: float, column: Area) -> Iterator[Block | PictureRow]:
    scale = TypeScale().model_copy(update={"body": size, "heading": 1.15 * size})
    room = TextRoom(scale, content.measure, column.width, column.height, content.text_ink)
    for block in markdown_blocks(content.keys.blurb or content.rules, room, "cover.blurb"):
        if isinstance(block, PictureRow):
            yield block
            continue
        leading = 1.15 * block.size_pt if block.with_next else 1.42 * size
        before = 0.8 * size if not block.marker else block.before_pt
        yield replace(block, leading_pt=leading, before_pt=before)


def _sample_boards(content: CoverContent, area: Area) -> tuple[list[Item], float]:
    """Draw the sample boards in a row at the bottom of an area.

    Returns:
        The drawn items, and the height of the row.
    """
    count = len(content.samples)
    if not count:
        return [], 0.0
    least_pt = content.profile.limits.text_pt
    gap = 0.05 * area.width
    side = min((area.width - (count - 1) * gap) / count, SAMPLES_SHARE * area.height)
    items: list[Item] = []
    for index, board in enumerate(content.samples):
        panel = Area(area.x + index * (side + gap), area.y, side, side)
        picture = draw_panel(board, None, panel, content, f"cover-sample-{index}")
        if picture.text_pt < least_pt:
            raise LayoutError(
                f"{count} on the back would have numbers of "
                f"{math.floor(picture.text_pt * 10) / 10:g} pt, and {least_pt:g} is the least. "
                "Show fewer, or choose a larger page.trim.",
                "cover.boards",
            )
        items += picture.items
    return items, side


def _spine(content: CoverContent, geometry: CoverGeometry) -> list[Item]:
    """Set title, volume and author on the spine; return an empty list if there is no room for them."""
    area = geometry.spine_words
    if area is None:
        return []
    if content.spine_text is SpineText.UPRIGHT:
        return _upright_spine(content, area)
    title, author = content.spec.title, content.spec.author or ""
    volume = str(content.spec.volume or "")
    title_type = Lettering(content.measure, content.text_ink, "title", content.title_face)
    author_type = Lettering(content.measure, content.text_ink, "author")

    def size_of(lines: Sequence[str]) -> float:
        size = min(MOST_SPINE_PT, area.width / (LETTER_HEIGHT * len(lines)))
        needed = max(title_type.width(line, size) for line in lines)
        needed += title_type.width(volume, size) + size if volume else 0
        needed += author_type.width(author, size) + 2 * size if author else 0
        return size * min(1.0, area.height / needed)

    # Break the title at the line breaks of the spec, unless that makes the type smaller.
    lines = max((title,), title_parts(title), key=lambda lines: (size_of(lines), len(lines)))
    size = size_of(lines)
    if size < LEAST_WORDS_PT:
        return []
    y = area.x - geometry.spine.x + (area.width - 0.7 * size) / 2
    top = y + 0.5 * (len(lines) - 1) * LETTER_HEIGHT * size
    items: list[Item] = [
        title_type.set(line, (0.0, top - index * LETTER_HEIGHT * size), size)
        for index, line in enumerate(lines)
    ]
    if volume:
        x = max(title_type.width(line, size) for line in lines) + size
        items.append(replace(title_type, where="volume").set(volume, (x, y), size))
    if author:
        items.append(author_type.set(author, (area.height, y), size, Anchor.END))
    flat = Frame(area.height, geometry.spine.width, tuple(items))
    turned = 90 if content.spine_text is SpineText.DOWN else 270
    return [Placed("spine", flat, geometry.spine.x, area.y, turned=turned)]


def _upright_spine(content: CoverContent, area: Area) -> list[Item]:
    """Draw upright letters in a column on the spine: title and volume at the top, author at the bottom."""
    # Remove the spaces from Japanese and Chinese texts, in which they only mark possible line breaks. Other
    # scripts need spaces between words.
    texts = content.spec.title, content.spec.author or ""
    title, author = (text.replace(" ", "") if _EAST_ASIAN.search(text) else text for text in texts)
    title += f" {content.spec.volume or ''}".rstrip()
    size = min(MOST_SPINE_PT, area.width, area.height / (len(title) + len(author) + 2))
    if size < LEAST_WORDS_PT:
        return []
    items: list[Item] = []
    for where, text, top in ("title", title, area.height), ("author", author, size * len(author)):
        face = content.title_face if where == "title" else FontKey.REGULAR
        lettering = Lettering(content.measure, content.text_ink, where, face)
        for index, letter in enumerate(text):
            foot = top - (index + 1) * size
            if letter == " ":
                continue
            if letter in _LYING:  # Dashes and brackets are turned so that they run along the column.
                turned = Frame(
                    size, size, (lettering.set(letter, (size / 2, 0.12 * size), size, Anchor.MIDDLE),)
                )
                items.append(
                    Placed(f"spine-{where}-{index}", turned, (area.width - size) / 2, foot, turned=90)
                )
            else:
                items.append(lettering.set(letter, (area.width / 2, foot + 0.12 * size), size, Anchor.MIDDLE))
    return [Placed("spine", Frame(area.width, area.height, tuple(items)), area.x, area.y)]
