"""A cover is composed as one frame, and drawn as one page of a PDF."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from linkpress.book.key_values import title_parts
from linkpress.errors import LayoutError, LinkpressError, UsageError
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Anchor,
    Area,
    Discs,
    FontKey,
    Frame,
    Item,
    Page,
    Photo,
    Placed,
    Rect,
    Rects,
    Shade,
    TextRun,
)
from linkpress.layout.measure import Measure
from linkpress.layout.setting import OwnPicture, check_resolution
from linkpress.layout.text_flow import LEAST_WORDS_PT, Lettering
from linkpress.press.cover.back import compose_back, draw_panel, half_drawn
from linkpress.press.cover.cover_geometry import CoverGeometry, cover_geometry_of, house_safety_pt
from linkpress.press.cover.cover_order import CoverOrder
from linkpress.press.cover.front_words import set_front_words
from linkpress.printers.profile import PrinterProfile
from linkpress.render.fonts import SHIPPED, Faces
from linkpress.render.pdf import About, ColourMode, draw_pages
from linkpress.render.raster import PixelMode, rasterise

if TYPE_CHECKING:
    from PIL import Image

BADGE_SHARE = 0.085  # of the front: the radius of the volume's disc
BADGE_GAP_PT = 12.0
MOST_SPINE_PT = 18.0
LETTER_HEIGHT = 1.0  # of the size: from the foot of a g to the head of an accented capital
PICTURE_GAP_PT = 14.0  # between the words and the board below them


@dataclass(frozen=True)
class ComposedCover:
    """A composed cover's frame is as large as the trim, and what lies outside is bleed."""

    geometry: CoverGeometry
    frame: Frame


def compose_cover(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> ComposedCover:
    """Lay a cover out; raise ``LayoutError`` if it can't be, ``UsageError`` for a spine of unknown width."""
    geometry = cover_geometry_of(order.spec, profile, order.pages)
    back = compose_back(order, geometry, profile.limits.text_pt, measure)
    spine = _spine(order, geometry, measure)
    taken = [*_places(back, geometry), *(place for words in spine for place in _places_on(words))]
    front = _front(order, geometry, profile, measure, taken)
    whole = geometry.whole
    ground = Rects(((whole.x, whole.y, whole.width, whole.height),), order.ground)
    return ComposedCover(geometry, Frame(*geometry.trim, (ground, *front, *back, *spine)))


def compose_front(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> Frame:
    """Compose the front alone, as large as a page, for a screen; raise ``LayoutError`` if it can't be."""
    trim = order.spec.page.trim.size
    front, none = Area(0.0, 0.0, trim.width_pt, trim.height_pt), Area(0.0, 0.0, 0.0, 0.0)
    geometry = CoverGeometry(trim, 0.0, none, none, front, house_safety_pt(trim), None, none)
    ground = Rects(((0.0, 0.0, trim.width_pt, trim.height_pt),), order.ground)
    return Frame(*trim, (ground, *_front(order, geometry, profile, measure)))


def front_image(cover: ComposedCover, width_px: int, faces: Faces) -> Image.Image:
    """Draw the front as it is printed, for shops; ``compose_front`` would draw another board."""
    trim, share = cover.geometry.trim, width_px / cover.geometry.front.width
    size = round(share * trim.width_pt), round(share * trim.height_pt)
    whole = rasterise(cover.frame, size, PixelMode.RGB, faces=faces)
    return whole.crop((whole.width - width_px, 0, *whole.size))


def draw_cover(
    cover: ComposedCover, about: About, colour_mode: ColourMode = ColourMode.CMYK, faces: Faces = SHIPPED
) -> bytes:
    """Draw a PDF of one page with trim and bleed boxes: the same bytes for the same cover."""
    geometry = cover.geometry
    bleeds = (geometry.bleed, geometry.bleed)
    pages = [Page(cover.frame, 1, kind="cover")]
    return draw_pages(pages, geometry.trim, about, bleeds, colour_mode=colour_mode, faces=faces)


def cover_faults(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> list[LinkpressError]:
    """Judge each part of a cover of stand-in boards, and return why it can't be made."""
    try:
        geometry = cover_geometry_of(order.spec, profile, order.pages)
    except (LayoutError, UsageError) as fault:
        return [fault]
    faults: list[LinkpressError] = []
    for compose in (
        lambda: _front(order, geometry, profile, measure),
        lambda: compose_back(order, geometry, profile.limits.text_pt, measure),
        lambda: _spine(order, geometry, measure),
    ):
        try:
            compose()
        except LayoutError as fault:
            faults.append(fault)
    return faults


def check_photo(key: str, image: OwnPicture, geometry: CoverGeometry, profile: PrinterProfile) -> None:
    """Raise ``LayoutError`` for a picture with too few pixels for the front and its bleed."""
    check_resolution(image, _photo_box(geometry), profile, key, "on the front with its bleed")


def _photo_box(geometry: CoverGeometry) -> Rect:
    front, whole = geometry.front, geometry.whole
    return front.x, whole.y, whole.right - front.x, whole.height


def _places(back: Sequence[Item], geometry: CoverGeometry) -> Iterator[Area]:
    """Yield where words and boards stand on the back; the lines of its text are as wide as the widest."""
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


def _places_on(spine: Placed) -> Iterator[Area]:
    """Yield where the lines of the spine stand on the cover."""
    frame = spine.frame
    for line in frame.items:
        if isinstance(line, TextRun):
            foot = spine.y + frame.width_pt - line.x - line.width_pt
            yield Area(spine.x, foot, frame.height_pt, line.width_pt)


def _front(
    order: CoverOrder,
    geometry: CoverGeometry,
    profile: PrinterProfile,
    measure: Measure,
    taken: Sequence[Area] = (),
) -> list[Item]:
    """Compose the front: its words, and under or below them a design's art, a picture, or a board.

    Finished art stands there as it is.

    Args:
        taken: the areas of words elsewhere, round which a design's art flows.
    """
    box, live = _photo_box(geometry), geometry.live(geometry.front)
    if order.image is not None:
        check_photo(order.keys.picture_key, order.image, geometry, profile)
        if order.keys.front is not None:
            return [Photo(box, order.image.content)]
    words = set_front_words(order, geometry.front, live, measure)
    if order.design is not None:
        from linkpress.press.cover.art import art_items  # it makes a board, with the whole engine

        return [*art_items(order, order.design, geometry, words.area, taken, measure), *words.items]
    badge = _badge(order, live, measure)
    foot = 2 * BADGE_SHARE * live.width + BADGE_GAP_PT if badge else 0.0
    room = Area(live.x, live.y + foot, live.width, words.area.y - PICTURE_GAP_PT - live.y - foot)
    photo: list[Item] = []
    if order.image is not None:  # with a shade of the ground where the words stand
        shade = Shade((geometry.whole.top - room.top) / geometry.whole.height, order.ground)
        photo = [Photo(box, order.image.content, shade=shade)]
    shown = () if photo and order.keys.puzzle is None else _board(order, room, profile, measure)
    return [*photo, *words.items, *badge, *shown]


def _board(order: CoverOrder, room: Area, profile: PrinterProfile, measure: Measure) -> tuple[Item, ...]:
    """Draw a board of the book, half solved, or the example where the numbers would be too small."""
    least_pt = profile.limits.text_pt
    small = sorted(order.pictures, key=lambda board: board.puzzle.grid.size)[:1]
    for board in (*small, order.example):
        picture = draw_panel(board.puzzle, half_drawn(board), room, measure, order.theme, "cover-puzzle")
        if picture.text_pt >= least_pt:
            break
        if order.keys.puzzle is not None:
            grid, size_pt = board.puzzle.grid, math.floor(picture.text_pt * 10) / 10
            raise LayoutError(
                f"on the front the numbers of {grid.cols} × {grid.rows} squares would be no larger than "
                f"{size_pt:g} pt, at least {least_pt:g} is needed ({profile.name}). Name a puzzle with fewer "
                "squares, leave the key out, or choose a larger page.trim.",
                "cover.puzzle",
            )
    return picture.items


def _badge(order: CoverOrder, live: Area, measure: Measure) -> list[Item]:
    """Return the volume's number in a disc, at the front's foot on the right."""
    if not order.keys.volume_badge or order.spec.volume is None:
        return []
    radius, number = BADGE_SHARE * live.width, str(order.spec.volume)
    ink = PAPER if order.accent.is_dark else BLACK
    lettering = Lettering(measure, ink, "volume", FontKey.SEMIBOLD)
    size = min(1.1 * radius, 1.3 * radius / lettering.width(number, 1.0))
    x, y = live.right - radius, live.y + radius
    figures = lettering.set(number, (x, y - 0.35 * size), size, Anchor.MIDDLE)
    return [Discs(((x, y),), radius, order.accent), figures]


def _spine(order: CoverOrder, geometry: CoverGeometry, measure: Measure) -> list[Placed]:
    """Set the spine's words from head to foot, if there is room for any."""
    area = geometry.spine_words
    if area is None:
        return []
    title, author = order.spec.title, order.spec.author or ""
    title_type = Lettering(measure, order.face, "title", order.title_face)
    author_type = Lettering(measure, order.face, "author")

    def size_of(lines: Sequence[str]) -> float:
        size = min(MOST_SPINE_PT, area.width / (LETTER_HEIGHT * len(lines)))
        needed = max(title_type.width(line, size) for line in lines)
        needed += author_type.width(author, size) + 2 * size if author else 0
        return size * min(1.0, area.height / needed)

    # Broken where the author breaks it, if the spine has room for that in type as large.
    lines = max((title,), title_parts(title), key=lambda lines: (size_of(lines), len(lines)))
    size = size_of(lines)
    if size < LEAST_WORDS_PT:
        return []
    y = area.x - geometry.spine.x + (area.width - 0.7 * size) / 2
    top = y + 0.5 * (len(lines) - 1) * LETTER_HEIGHT * size
    items: list[Item] = [
        title_type.set(line, (0.0, top - place * LETTER_HEIGHT * size), size)
        for place, line in enumerate(lines)
    ]
    if author:
        items.append(author_type.set(author, (area.height, y), size, Anchor.END))
    flat = Frame(area.height, geometry.spine.width, tuple(items))
    return [Placed("spine", flat, geometry.spine.x, area.y, turned=90)]
