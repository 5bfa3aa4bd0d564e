"""The cover: what it says and shows, composed as frames, drawn as one page of a PDF.

Ground, front, back and barcode are one frame. The spine's words run from head to foot; their frame lies
flat, as long as the spine is high, and is turned when it is drawn.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import pikepdf
from pikepdf import Name

from linkpress.book.printing_keys import CoverSpec, SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.errors import LayoutError
from linkpress.layout.boards.ornaments import worked_example
from linkpress.layout.frame import MM, PAPER, Anchor, FontKey, Frame, Ink, Item, Page, Rects
from linkpress.layout.geometry import Area
from linkpress.layout.measure import Measure, font_for, set_text
from linkpress.layout.printers import PrinterProfile
from linkpress.layout.text_flow import Block, Text, break_lines, flow
from linkpress.layout.wording import Words, words_of
from linkpress.press.cover.artwork import Picture, barcode_items, draw_picture
from linkpress.press.cover.geometry import LEAST_SAFETY_PT, SAFETY_SHARE, CoverGeometry, measure_cover
from linkpress.puzzle.puzzle import Solution
from linkpress.render.pdf import About, draw_frame, draw_pages

GROUND = Ink(1.0, 0.72, 0.1, 0.38)  # deep blue, 220 % of ink in all
ACCENT = Ink(0.0, 0.5, 1.0, 0.0)  # the orange of Okabe and Ito
TITLE_SIZES_PT = (72.0, 64.0, 56.0, 50.0, 44.0, 38.0, 33.0, 28.0, 24.0, 20.0)
READABLE_PT = 9.0  # numbers on the front, where the book has a board for them
PICTURE_SHARE = 0.46  # of the front's live height, where the board's shape allows it
TITLE_LINES = 3
BACK_SIZES_PT = (17.0, 15.0, 13.0, 12.0, 11.0, 10.0, 9.0)
MEASURE = 32.0  # of the size: some 65 characters to a line
LEAST_WORDS_PT = 7.0
MOST_SPINE_PT = 18.0
LETTER_HEIGHT = 1.0  # of the size: from the foot of a g to the head of an accented capital


@dataclass(frozen=True)
class CoverOrder:
    """One cover to be made.

    Args:
        promise: one sentence on what was proven.
        pictures: answers of the puzzles that the front may show, the first that is easily read before
            all others; only one where the spec names it.
        example: shown where the numbers of all those would be too small to print.
        pages: of the interior.
    """

    spec: BookSpec
    promise: str
    pictures: tuple[Solution, ...]
    example: Solution
    pages: int

    @property
    def keys(self) -> CoverSpec:
        """The spec's keys of the cover."""
        return self.spec.cover or CoverSpec()

    @property
    def words(self) -> Words:
        """Of the book's language."""
        return words_of(self.spec.language)

    @property
    def spine_pt(self) -> float | None:
        """The spine's width; None for what pages and paper give."""
        return self.keys.spine_mm * MM if self.keys.spine_mm else None


def order_cover(volume: Volume, pages: int) -> CoverOrder:
    """The cover that a volume's spec asks for.

    Args:
        pages: of its interior, blank ones included.
    """
    spec = volume.spec
    asked = spec.cover.puzzle if spec.cover else None
    shown = volume.puzzles if asked is None else volume.puzzles[asked - 1 : asked]
    has_solids = any(puzzle.puzzle.grid.solids for puzzle in volume.puzzles)
    return CoverOrder(
        spec=spec,
        promise=words_of(spec.language).promise(
            (puzzle.rule for puzzle in volume.puzzles), spec.solutions.place is SolutionsPlace.BACK
        ),
        pictures=tuple(puzzle.solution for puzzle in shown),
        example=worked_example(has_solids),
        pages=pages,
    )


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
    """The front's items, and the picture among them."""

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
    items: list[Item] = [Rects(((whole.x, whole.y, whole.width, whole.height),), GROUND)]
    items += _front(order, geometry, profile, measure)
    items += _back(order, geometry, measure)
    frame = Frame(geometry.trim.width_pt, geometry.trim.height_pt, tuple(items))
    return ComposedCover(geometry, frame, _spine(order, geometry, measure))


def compose_front(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> Frame:
    """The front alone, as large as the page, for a book on a screen.

    Raises:
        LayoutError: the words don't fit, or the numbers of the puzzle asked for would be too small.
    """
    trim = order.spec.page.trim.size
    front, none = Area(0.0, 0.0, trim.width_pt, trim.height_pt), Area(0.0, 0.0, 0.0, 0.0)
    safety = max(LEAST_SAFETY_PT, SAFETY_SHARE * trim.width_pt)
    geometry = CoverGeometry(trim, 0.0, none, none, front, safety, None, none)
    ground = Rects(((0.0, 0.0, trim.width_pt, trim.height_pt),), GROUND)
    return Frame(*trim, (ground, *_front(order, geometry, profile, measure)))


def draw_cover(cover: ComposedCover, about: About) -> bytes:
    """A PDF of one page with trim and bleed boxes.

    Returns:
        The same bytes for the same cover.
    """
    geometry = cover.geometry
    bleeds = (geometry.bleed, geometry.bleed)
    drawn = draw_pages([Page(cover.frame, 1, kind="cover")], geometry.trim, about, bleeds)
    return drawn if cover.spine is None else _with_spine(drawn, draw_frame(cover.spine, about), cover)


def check_picture(order: CoverOrder, profile: PrinterProfile, measure: Measure) -> None:
    """Refuse a front before its book is there; page count and spine don't matter to it.

    Args:
        order: with boards that stand for those to come.
    Raises:
        LayoutError: as ``compose_cover``.
    """
    page = order.spec.page
    geometry = measure_cover(profile, page.trim.size, order.pages, page.paper, order.spine_pt or 0.0)
    _front(order, geometry, profile, measure)


def _front(
    order: CoverOrder, geometry: CoverGeometry, profile: PrinterProfile, measure: Measure
) -> list[Item]:
    """The front with the first board that is easily read, else with the one of the largest numbers."""
    live, least_pt = geometry.live(geometry.front), profile.limits.text_pt
    best: _Front | None = None
    for board in _unlike(order.pictures):
        front = _front_with(board, order, live, least_pt, measure)
        if best is None or front.picture.text_pt > best.picture.text_pt:
            best = front
        if best.picture.text_pt >= max(READABLE_PT, least_pt):
            break
    if best is None or best.picture.text_pt < least_pt:
        if best is not None and order.keys.puzzle is not None:
            raise _too_small(order, best.picture.text_pt, profile)
        best = _front_with(order.example, order, live, least_pt, measure)
    return best.items


def _unlike(boards: Iterable[Solution]) -> Iterator[Solution]:
    """The first of each size and number of digits: the others' numbers come out much alike."""
    seen = set()
    for board in boards:
        grid = board.puzzle.grid
        kind = grid.rows, grid.cols, len(str(len(board.puzzle.pairs)))
        if kind not in seen:
            seen.add(kind)
            yield board


def _too_small(order: CoverOrder, text_pt: float, profile: PrinterProfile) -> LayoutError:
    grid, least_pt = order.pictures[0].puzzle.grid, profile.limits.text_pt
    return LayoutError(
        f"cover.puzzle: {order.keys.puzzle} is {grid.cols} × {grid.rows}; on the front its numbers would be "
        f"no larger than {math.floor(text_pt * 10) / 10:g} pt, at least {least_pt:g} is needed "
        f"({profile.name}). Name a puzzle with fewer squares, leave the key out, or choose a larger "
        "page.trim."
    )


def _front_with(board: Solution, order: CoverOrder, live: Area, least_pt: float, measure: Measure) -> _Front:
    """The front with the largest title that leaves the picture its share, and its numbers large enough."""
    tried = []
    for title, size in _titles(order.spec.title, live.width, measure):
        words, room = _front_words(order, live, title, size, measure)
        picture = draw_picture(board, room, measure)
        front = _Front(picture, [*words, *picture.items])
        if picture.height_pt >= PICTURE_SHARE * live.height and picture.text_pt >= least_pt:
            return front
        tried.append(front)
    if not tried:
        raise LayoutError(
            f"title: {order.spec.title[:40]!r} doesn't fit the cover in {TITLE_LINES} lines of "
            f"{TITLE_SIZES_PT[-1]} pt. Shorten it, or put some of it into the subtitle."
        )
    return max(tried, key=lambda front: front.picture.height_pt)


def _front_words(
    order: CoverOrder, live: Area, title: list[str], size: float, measure: Measure
) -> tuple[list[Item], Area]:
    """The words of the front, and what they leave to the picture."""
    y = live.top - 0.74 * size
    items: list[Item] = []
    for line in title:
        items.append(_words(line, (live.x, y), size, measure, strong=True, where="title"))
        y -= 1.08 * size
    y += 0.58 * size
    items.append(Rects(((live.x, y, 0.18 * live.width, max(3.0, 0.08 * size)),), ACCENT))
    small = max(11.0, min(20.0, 0.34 * size))
    y -= 1.9 * small
    for text in _front_lines(order):
        for line in _lines(text, live.width, small, measure, where="subtitle"):
            items.append(_words(line, (live.x, y), small, measure, where="subtitle"))
            y -= 1.35 * small
    foot = live.y
    if order.spec.author:
        at = (live.x, live.y)
        items.append(_words(order.spec.author, at, small, measure, strong=True, where="author"))
        foot += 2.2 * small
    return items, Area(live.x, foot, live.width, y - foot)


def _front_lines(order: CoverOrder) -> Iterator[str]:
    spec, words = order.spec, order.words
    yield spec.subtitle or words.count_of(order.spec.puzzle_count)
    if spec.volume is not None:
        yield words.say(words.volume, number=spec.volume)


def _back(order: CoverOrder, geometry: CoverGeometry, measure: Measure) -> list[Item]:
    live, code = geometry.live(geometry.back), geometry.barcode
    items: list[Item] = [Rects(((code.x, code.y, code.width, code.height),), PAPER)]
    if order.spec.isbn:
        items += barcode_items(order.spec.isbn, code, measure)
    text = Area(live.x, code.top + 18, live.width, live.top - code.top - 18)
    items += _back_words(order, text, measure)
    if order.spec.publisher:
        room = code.x - live.x - 12
        for line in _lines(order.spec.publisher, room, 10.0, measure, where="publisher")[:1]:
            items.append(_words(line, (live.x, live.y), 10.0, measure, strong=True, where="publisher"))
    return items


def _back_words(order: CoverOrder, area: Area, measure: Measure) -> list[Item]:
    """The blurb, the levels and the promise, in the largest size that fits."""
    for size in BACK_SIZES_PT:
        if size > area.width / 24:
            continue
        column = Area(area.x, area.y, min(area.width, MEASURE * size), area.height)
        columns = flow(list(_back_blocks(order, size)), column, measure)
        if len(columns) == 1:
            return [item for block in columns[0] for item in block]
    raise LayoutError(
        f"cover.blurb: its {len(order.keys.blurb or '')} characters don't fit the back of a page of "
        f"{order.spec.page.trim.size}, even at 9 pt, above the place of the barcode. Shorten it."
    )


def _back_blocks(order: CoverOrder, size: float) -> Iterator[Block]:
    leading = 1.42 * size
    count = order.words.count_of(order.spec.puzzle_count)
    texts = (order.keys.blurb or order.words.rules_intro).split("\n\n")
    for text in texts:
        plain = " ".join(text.split())
        yield Block((Text(plain),), size, leading, before_pt=0.8 * size, ink=PAPER, where="cover.blurb")
    yield Block((Text(count, strong=True),), size, leading, before_pt=1.6 * size, ink=PAPER, where="cover")
    for level in order.spec.levels:
        spans = (Text(f"{level.name} "), Text(order.words.write(level.count), strong=True))
        yield Block(spans, size, leading, indent_pt=size, ink=PAPER, where="levels")
    small = max(8.0, 0.82 * size)
    yield Block((Text(order.promise),), small, 1.42 * small, before_pt=1.6 * size, ink=PAPER, where="cover")


def _spine(order: CoverOrder, geometry: CoverGeometry, measure: Measure) -> Frame | None:
    area = geometry.spine_words
    if area is None:
        return None
    size = min(MOST_SPINE_PT, area.width / LETTER_HEIGHT)
    title, author = order.spec.title, order.spec.author or ""
    gap = 2 * size
    wanted = _width(title, size, measure, strong=True) + (
        _width(author, size, measure) + gap if author else 0
    )
    size *= min(1.0, area.height / wanted)
    if size < LEAST_WORDS_PT:
        return None
    y = area.x - geometry.spine.x + (area.width - 0.7 * size) / 2
    items: list[Item] = [_words(title, (0.0, y), size, measure, strong=True, where="title")]
    if author:
        items.append(_words(author, (area.height, y), size, measure, anchor=Anchor.END, where="author"))
    return Frame(area.height, geometry.spine.width, tuple(items))


def _titles(title: str, width: float, measure: Measure) -> Iterator[tuple[list[str], float]]:
    """The title in lines, at every size at which it fits, largest first."""
    longest = max(title.split(), key=lambda word: _width(word, 1.0, measure, strong=True), default="")
    for size in TITLE_SIZES_PT:
        lines = _lines(title, width, size, measure, strong=True, where="title")
        if len(lines) <= TITLE_LINES and _width(longest, size, measure, strong=True) <= width:
            yield lines, size


def _lines(
    text: str, width: float, size: float, measure: Measure, strong: bool = False, where: str = "cover"
) -> list[str]:
    block = Block((Text(text, strong),), size, size, where=where)
    return [line.text for line in break_lines(block, width, measure)]


def _face(text: str, measure: Measure, strong: bool, where: str) -> FontKey:
    return font_for(text, FontKey.SEMIBOLD if strong else FontKey.REGULAR, measure, where)


def _width(text: str, size: float, measure: Measure, strong: bool = False) -> float:
    return measure.width(text, _face(text, measure, strong, "cover"), size)


def _words(
    text: str,
    at: tuple[float, float],
    size: float,
    measure: Measure,
    strong: bool = False,
    anchor: Anchor = Anchor.START,
    where: str = "cover",
) -> Item:
    return set_text(text, at, _face(text, measure, strong, where), size, measure, anchor, PAPER)


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
