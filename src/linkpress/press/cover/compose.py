"""The cover: what it says and shows, composed as frames, drawn as one page of a PDF.

Ground, front, back and barcode are one frame. The spine's words run from head to foot; their frame lies
flat, as long as the spine is high, and is turned when it is drawn.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

import pikepdf
from pikepdf import Name

from linkpress.book.book_values import title_parts
from linkpress.errors import LayoutError, LinkpressError, UsageError
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Anchor,
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
from linkpress.layout.line_breaks import breaks_poorly
from linkpress.layout.measure import Measure, clear_leading, clear_rise
from linkpress.layout.page_geometry import Area
from linkpress.layout.pictures import OwnPicture, check_resolution
from linkpress.press.cover.artwork import Picture, draw_picture
from linkpress.press.cover.back import compose_back
from linkpress.press.cover.cover_geometry import CoverGeometry, house_safety_pt, measure_cover
from linkpress.press.cover.front_words import set_front_words
from linkpress.press.cover.lettering import LEAST_WORDS_PT, Lettering
from linkpress.press.cover.order import CoverOrder
from linkpress.printers.profile import PrinterProfile
from linkpress.puzzle.puzzle import Solution
from linkpress.render.font_files import SHIPPED, Faces
from linkpress.render.pdf import About, Hue, draw_frame, draw_pages

TITLE_SIZES_PT = (72.0, 64.0, 56.0, 50.0, 44.0, 38.0, 33.0, 28.0, 24.0, 20.0)
READABLE_PT = 9.0  # numbers on the front, where the book has a board for them
PICTURE_SHARE = 0.46  # of the front's live height, where the board's shape allows it
TITLE_LINES = 3
WELL_BROKEN = 0.6  # of the largest size: so much a title may be smaller to break well
BADGE_SHARE = 0.085  # of the front: the radius of the volume's disc
MOST_SPINE_PT = 18.0
_BLOCK_GAP = 4.0  # of the size: lines that lie farther apart are not one block
LETTER_HEIGHT = 1.0  # of the size: from the foot of a g to the head of an accented capital


@dataclass(frozen=True)
class ComposedCover:
    """A composed cover.

    Args:
        geometry: of the whole.
        frame: as large as the trim; what lies outside is bleed.
        spine: the spine's words lying flat, None for a spine without words.
    """

    geometry: CoverGeometry
    frame: Frame
    spine: Frame | None


class _Front(NamedTuple):
    picture: Picture
    items: list[Item]


def compose_cover(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> ComposedCover:
    """Lay a cover out.

    Raises:
        LayoutError: the printer sizes covers by its own template, the words don't fit, or the numbers
            of the puzzle asked for would be too small.
        UsageError: nobody says how wide the spine is.
    """
    page = order.spec.page
    geometry = measure_cover(profile, page.trim.size, order.pages, page.paper, order.spine_pt)
    whole = geometry.whole
    items: list[Item] = [Rects(((whole.x, whole.y, whole.width, whole.height),), order.ground)]
    _check_photo(order, geometry, profile)
    back = compose_back(order, geometry, profile.limits.text_pt, measure)
    spine = _spine(order, geometry, measure)
    items += _front(order, geometry, profile, measure, [*_places(back), *_spine_places(spine, geometry)])
    frame = Frame(geometry.trim.width_pt, geometry.trim.height_pt, (*items, *back))
    return ComposedCover(geometry, frame, spine)


def compose_front(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> Frame:
    """Compose the front alone, as large as the page, for a book on a screen.

    Raises:
        LayoutError: the words don't fit, or the numbers of the puzzle asked for would be too small.
    """
    trim = order.spec.page.trim.size
    front, none = Area(0.0, 0.0, trim.width_pt, trim.height_pt), Area(0.0, 0.0, 0.0, 0.0)
    geometry = CoverGeometry(trim, 0.0, none, none, front, house_safety_pt(trim), None, none)
    ground = Rects(((0.0, 0.0, trim.width_pt, trim.height_pt),), order.ground)
    _check_photo(order, geometry, profile)
    return Frame(*trim, (ground, *_front(order, geometry, profile, measure)))


def draw_cover(cover: ComposedCover, about: About, hue: Hue = Hue.PRESS, faces: Faces = SHIPPED) -> bytes:
    """Draw a PDF of one page with trim and bleed boxes.

    Returns:
        The same bytes for the same cover.
    """
    geometry = cover.geometry
    bleeds = (geometry.bleed, geometry.bleed)
    drawn = draw_pages(
        [Page(cover.frame, 1, kind="cover")], geometry.trim, about, bleeds, hue=hue, faces=faces
    )
    return (
        drawn
        if cover.spine is None
        else _with_spine(drawn, draw_frame(cover.spine, about, hue, faces), cover)
    )


def cover_faults(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> list[LinkpressError]:
    """Judge each part of a cover but its picture, and return why it can't be made.

    Args:
        order: with boards that stand for those to come.
    """
    page = order.spec.page
    try:
        geometry = measure_cover(profile, page.trim.size, order.pages, page.paper, order.spine_pt)
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
    """Refuse a picture over the front and its bleed.

    Args:
        key: of the spec.
    Raises:
        LayoutError: it has too few pixels for the printer.
    """
    check_resolution(image, _photo_box(geometry), profile, key, "on the front with its bleed")


def _photo_box(geometry: CoverGeometry) -> Rect:
    front, whole = geometry.front, geometry.whole
    return front.x, whole.y, whole.right - front.x, whole.height


def _check_photo(order: CoverOrder, geometry: CoverGeometry, profile: PrinterProfile) -> None:
    if order.image is not None:
        check_photo(order.keys.picture_key, order.image, geometry, profile)


def _photo(order: CoverOrder, geometry: CoverGeometry, top: float, foot: float) -> list[Item]:
    """The spec's picture over the front and its bleed, with shades where words stand on it.

    Args:
        top: where the upper words end.
        foot: where the lower ones do, the live area's foot for none.
    """
    if order.image is None:
        return []
    box = _photo_box(geometry)
    head, height = geometry.whole.top, geometry.whole.height
    shades = [Shade(0.0, (head - top) / height, order.ground)]
    if foot > geometry.live(geometry.front).y:
        shades.append(Shade((head - foot) / height, 1.0, order.ground))
    return [Photo(box, order.image.content, shades=tuple(shades))]


def _places(back: Sequence[Item]) -> Iterator[Area]:
    """Yield where words and boards stand: lines that are near one another as one area."""
    for item in back:
        if isinstance(item, Rects):
            yield from (Area(*box) for box in item.boxes)
        elif isinstance(item, Placed):
            yield Area(item.x, item.y, item.figure.frame.width_pt, item.figure.frame.height_pt)
    block: list[TextRun] = []
    for line in sorted((item for item in back if isinstance(item, TextRun)), key=lambda line: -line.y):
        if block and block[-1].y - line.y > _BLOCK_GAP * line.size_pt:
            yield _around(block)
            block = []
        block.append(line)
    if block:
        yield _around(block)


def _around(lines: Sequence[TextRun]) -> Area:
    left, foot = min(line.x for line in lines), min(line.y - 0.3 * line.size_pt for line in lines)
    right = max(line.x + line.width_pt for line in lines)
    return Area(left, foot, right - left, max(line.y + line.size_pt for line in lines) - foot)


def _spine_places(spine: Frame | None, geometry: CoverGeometry) -> Iterator[Area]:
    """Yield where the spine's words stand, each line for itself."""
    if spine is None:
        return
    head = (geometry.spine.height + spine.width_pt) / 2
    for line in spine.items:
        if isinstance(line, TextRun):
            foot = head - line.x - line.width_pt
            yield Area(geometry.spine.x, foot, geometry.spine.width, line.width_pt)


def _front(
    order: CoverOrder,
    geometry: CoverGeometry,
    profile: PrinterProfile,
    measure: Measure,
    taken: Sequence[Area] = (),
) -> list[Item]:
    """Compose the front with the first board that is easily read, else with that of the largest numbers.

    Finished art stands there as it is, and a design has its own way.

    Args:
        taken: the areas of words elsewhere, round which a design's art flows.
    """
    if order.design is not None and order.palette is not None:
        from linkpress.press.cover.art import art_items  # it makes a board, with the whole engine

        live = geometry.live(geometry.front)
        words = set_front_words(order, order.design.words, geometry.front, live, measure)
        art = art_items(order, order.design, order.palette, geometry, words.area, taken, measure)
        return [*art, *words.items]
    if order.keys.front is not None and order.image is not None:
        return [Photo(_photo_box(geometry), order.image.content)]
    least_pt = profile.limits.text_pt
    best: _Front | None = None
    for board in _unlike(order.pictures):
        front = _front_with(board, order, geometry, least_pt, measure)
        if best is None or front.picture.text_pt > best.picture.text_pt:
            best = front
        if best.picture.text_pt >= max(READABLE_PT, least_pt):
            break
    if best is None or best.picture.text_pt < least_pt:
        if best is not None and order.keys.puzzle is not None:
            raise _too_small(order, best.picture.text_pt, profile)
        best = _front_with(order.example, order, geometry, least_pt, measure)
    return best.items


def _unlike(boards: Iterable[Solution]) -> Iterator[Solution]:
    """Yield the first board of each size and number of digits: the others' numbers come out much alike."""
    seen = set()
    for board in boards:
        grid = board.puzzle.grid
        kind = grid.rows, grid.cols, len(str(len(board.puzzle.pairs)))
        if kind not in seen:
            seen.add(kind)
            yield board


def _too_small(order: CoverOrder, text_pt: float, profile: PrinterProfile) -> LayoutError:
    grid, least_pt, number = order.pictures[0].puzzle.grid, profile.limits.text_pt, order.keys.puzzle or 1
    levels = (level for level in order.spec.levels for _ in range(level.count))
    mixed = len(next(islice(levels, number - 1, None)).size) > 1
    return LayoutError(
        f"{number} {'may be' if mixed else 'is'} {grid.cols} × {grid.rows}; on the front its numbers would "
        f"be no larger than {math.floor(text_pt * 10) / 10:g} pt, at least {least_pt:g} is needed "
        f"({profile.name}). Name a puzzle with fewer squares, leave the key out, or choose a larger "
        "page.trim.",
        "cover.puzzle",
    )


def _front_with(
    board: Solution, order: CoverOrder, geometry: CoverGeometry, least_pt: float, measure: Measure
) -> _Front:
    """Compose the front with the largest title that leaves the picture its share and legible numbers."""
    tried = []
    live = geometry.live(geometry.front)
    for title, size in _titles(order, live.width, measure):
        words, room = _front_words(order, live, title, size, measure)
        photo = _photo(order, geometry, room.top, room.y)
        if order.image and order.keys.puzzle is None:
            picture = Picture(height_pt=room.height, text_pt=math.inf)
        else:
            picture = draw_picture(board, room, measure, order.theme)
        front = _Front(picture, [*photo, *words, *picture.items])
        if picture.height_pt >= PICTURE_SHARE * live.height and picture.text_pt >= least_pt:
            return front
        tried.append(front)
    if not tried:
        raise LayoutError(
            f"{order.spec.title[:40]!r} doesn't fit the cover in {TITLE_LINES} lines of "
            f"{TITLE_SIZES_PT[-1]} pt. Shorten it, or put some of it into the subtitle.",
            "title",
        )
    return max(tried, key=lambda front: front.picture.height_pt)


def _front_words(
    order: CoverOrder, live: Area, title: list[str], size: float, measure: Measure
) -> tuple[list[Item], Area]:
    """Set the words of the front, and return them with the area that they leave to the picture."""
    y = live.top - clear_rise(title[0], size, 0.74 * size, measure)
    items: list[Item] = []
    if order.spec.series is not None:
        name_pt = max(10.0, min(16.0, 0.28 * size))
        series = Lettering(measure, order.face, "series.name", FontKey.SEMIBOLD)
        for line in series.lines(order.spec.series.name, live.width, name_pt):
            items.append(series.set(line, (live.x, y + 0.74 * (size - name_pt)), name_pt))
            y -= 1.3 * name_pt
        y -= 0.4 * name_pt
    lettering = Lettering(measure, order.face, "title", order.title_face)
    for line in title:
        items.append(lettering.set(line, (live.x, y), size))
        y -= clear_leading(order.spec.title, size, 1.08 * size, measure)
    y += 0.58 * size
    items.append(Rects(((live.x, y, 0.18 * live.width, max(3.0, 0.08 * size)),), order.accent))
    small = max(11.0, min(20.0, 0.34 * size))
    y -= 1.9 * small
    subtitle = Lettering(measure, order.face, "subtitle")
    for text in order.front_lines:
        for line in subtitle.display(text, live.width, small):
            items.append(subtitle.set(line, (live.x, y), small))
            y -= 1.35 * small
    foot = live.y
    room = live.width
    badge = _badge(order, live, measure)
    items += badge
    if badge:
        foot += 2 * BADGE_SHARE * live.width + 12
        room -= 2 * BADGE_SHARE * live.width + 12
    if order.spec.author:
        author = Lettering(measure, order.face, "author", FontKey.SEMIBOLD)
        author_pt = author.fitting_size(order.spec.author, small, room)
        items.append(author.set(order.spec.author, (live.x, live.y), author_pt))
        foot = max(foot, live.y + 2.2 * small)
    return items, Area(live.x, foot, live.width, y - foot)


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


def _spine(order: CoverOrder, geometry: CoverGeometry, measure: Measure) -> Frame | None:
    area = geometry.spine_words
    if area is None:
        return None
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
        return None
    y = area.x - geometry.spine.x + (area.width - 0.7 * size) / 2
    top = y + 0.5 * (len(lines) - 1) * LETTER_HEIGHT * size
    items: list[Item] = [
        title_type.set(line, (0.0, top - place * LETTER_HEIGHT * size), size)
        for place, line in enumerate(lines)
    ]
    if author:
        items.append(author_type.set(author, (area.height, y), size, Anchor.END))
    return Frame(area.height, geometry.spine.width, tuple(items))


def _titles(order: CoverOrder, width: float, measure: Measure) -> Iterator[tuple[list[str], float]]:
    """Yield the title in lines, at every size at which it fits, the largest first.

    Sizes at which its lines break well go before others that are not much larger.
    """
    lettering, title = Lettering(measure, order.face, "title", order.title_face), order.spec.title
    parts, longest = title_parts(title), lettering.widest_word(title)
    fitting = []
    for size in TITLE_SIZES_PT:
        lines = lettering.display(title, width, size)
        if len(lines) <= max(TITLE_LINES, len(parts)) and size * longest <= width:
            poor = len(lines) > len(parts) if len(parts) > 1 else breaks_poorly(lines)
            fitting.append((lines, size, poor))
    least = WELL_BROKEN * fitting[0][1] if fitting else 0.0
    yield from (
        (lines, size) for lines, size, _ in sorted(fitting, key=lambda tried: tried[2] or tried[1] < least)
    )


def _with_spine(drawn: bytes, flat: bytes, cover: ComposedCover) -> bytes:
    geometry, written = cover.geometry, io.BytesIO()
    with pikepdf.open(io.BytesIO(drawn)) as pdf, pikepdf.open(io.BytesIO(flat)) as strip:
        page = pdf.pages[0]
        words = pdf.copy_foreign(strip.pages[0].as_form_xobject())
        name = page.add_resource(words, Name.XObject, Name.SpineWords)
        # Turned clockwise: the strip's left end at the head, its foot towards the back.
        x = geometry.bleed_pt + geometry.spine.x
        y = geometry.bleed_pt + (geometry.spine.height + (cover.spine.width_pt if cover.spine else 0)) / 2
        page.contents_add(b"q", prepend=True)  # what the drawing did to the matrix ends before the spine
        page.contents_add(f"Q q 0 -1 1 0 {x:.4f} {y:.4f} cm {name} Do Q".encode())
        pdf.save(written, deterministic_id=True)
    return written.getvalue()
