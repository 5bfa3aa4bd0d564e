"""From a volume to finished PDF files, in memory."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple, TypeVar

from linkpress.book.plan import plan_slots
from linkpress.book.printing_keys import Embed, SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, volume_json
from linkpress.config.shipped_files import beside
from linkpress.errors import LayoutError, UsageError
from linkpress.files import TooLargeError, read_within
from linkpress.layout.edition import Edition
from linkpress.layout.frame import FontKey
from linkpress.layout.measure import font_for
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.printer_data import Colours
from linkpress.layout.printers import PrinterProfile, load_printer
from linkpress.layout.theme import Theme, check_theme, theme_of, words_for
from linkpress.press.cover.compose import check_photo, check_picture, compose_cover, compose_front, draw_cover
from linkpress.press.cover.order import CoverOrder, order_cover
from linkpress.press.pdfx import finish_print, finish_screen
from linkpress.press.preflight import Report, Wanted, preflight
from linkpress.press.stand_in_volume import stand_in_like, stand_in_volume
from linkpress.render.font_files import SHIPPED, Faces, book_faces
from linkpress.render.fonts import FontMeasure
from linkpress.render.pdf import About, Hue, draw_pages, file_date

BUILD_DIGITS = 12
SCREEN_CELL_MM = 4.0  # a screen is enlarged with two fingers
_MOST_IMAGE_MB = 200
_Loaded = TypeVar("_Loaded")


@dataclass(frozen=True)
class Typeset:
    """A volume laid out and drawn.

    Args:
        book: its pages.
        record: the text of ``volume.json``, whose code stands on the copyright page.
        files: the finished files' bytes by name: ``interior.pdf``, ``solutions.pdf``, ``screen.pdf``,
            ``cover.pdf``.
        reports: the preflight of each file that goes to the printer, by its name.
    """

    book: Book
    record: str
    files: Mapping[str, bytes]
    reports: Mapping[str, Report]


def build_code(record: str) -> str:
    """The short code of a volume's content that is printed on the copyright page.

    Args:
        record: the text of ``volume.json``.
    """
    return hashlib.sha256(record.encode()).hexdigest()[:BUILD_DIGITS]


class LoadedLooks(NamedTuple):
    """A book's theme and its fonts, read from their files."""

    theme: Theme
    faces: Faces


def load_looks(spec: BookSpec, folder: Path) -> LoadedLooks:
    """What a spec says of looks: its theme, and its own fonts, else those that are shipped.

    Args:
        folder: that relative paths of the spec start from.
    Raises:
        UsageError: no such theme, or a font that can't be used, with the reason.
    """
    theme, fonts = theme_of(spec, folder), spec.fonts
    if fonts is None:
        return LoadedLooks(theme, SHIPPED)
    names = (fonts.regular, fonts.semibold, fonts.italic, fonts.fallback)
    regular, semibold, italic, fallback = (folder / name if name else None for name in names)
    return LoadedLooks(theme, book_faces(regular, semibold, italic, fallback, fonts.embed is Embed.FULL))


def _measure(spec: BookSpec, looks: LoadedLooks) -> FontMeasure:
    return FontMeasure(looks.faces, spec.wording().language)


def lay_out(volume: Volume, folder: Path, build: str) -> tuple[Book, PrinterProfile, LoadedLooks]:
    """Lay a volume out as its spec says.

    Args:
        folder: that relative paths of the spec start from.
        build: of ``build_code``, or what stands for it.
    Raises:
        LayoutError: the book does not fit its printer's profile, theme or page.
        UsageError: no such printer or theme; names the key.
    """
    profile = _named("page.printer", load_printer, beside(volume.spec.page.printer, folder))
    looks = load_looks(volume.spec, folder)
    edition = Edition(volume.spec, volume.numbered, volume.linkpress_version, build)
    return layout_book(edition, profile, looks.theme, _measure(volume.spec, looks)), profile, looks


def lay_out_screen(volume: Volume, looks: LoadedLooks, image: bytes, build: str) -> Book:
    """Lay a volume out for screens: pages of one side, none of them blank, its cover first.

    Levels have no more puzzles to a page than in print; answers that print has in a file of their own,
    or upside down, stand at the back.

    Args:
        image: the content of ``cover.image``, empty for none.
        build: of ``build_code``, or what stands for it.
    Raises:
        LayoutError: the book does not fit such pages; says that it is about ``screen``.
    """
    spec, profile = _screen_spec(volume.spec), load_printer("screen")
    theme, measure = looks.theme, _measure(spec, looks)
    try:
        cover = None
        if spec.cover is not None:
            order = order_cover(replace(volume, spec=spec), 0, theme, image)
            cover = compose_front(order, profile, measure)
        edition = Edition(spec, volume.numbered, volume.linkpress_version, build, screen=True, cover=cover)
        return layout_book(edition, profile, theme, measure)
    except LayoutError as fault:
        raise LayoutError(f"screen: {fault} For screen.pdf alone, set screen.trim.") from None


def _screen_spec(spec: BookSpec) -> BookSpec:
    """What print has and a screen has not, taken out."""
    trim = spec.screen.trim if spec.screen else spec.page.trim
    page = spec.page.model_copy(
        update={
            "printer": "screen",
            "paper": None,
            "trim": trim,
            "bleed": False,
            "single_sided": False,
            "binding": None,
            "min_cell_mm": min(spec.page.min_cell_mm or SCREEN_CELL_MM, SCREEN_CELL_MM),
        }
    )
    apart = spec.solutions.place in (SolutionsPlace.FILE, SolutionsPlace.UPSIDE_DOWN)
    place = SolutionsPlace.BACK if apart else spec.solutions.place
    solutions = spec.solutions.model_copy(update={"place": place, "per_page": "auto"})
    return spec.model_copy(update={"page": page, "solutions": solutions})


def _named(key: str, load: Callable[[str], _Loaded], name: str) -> _Loaded:
    try:
        return load(name)
    except UsageError as fault:
        raise UsageError(f"{key}: {fault}") from None


def typeset(volume: Volume, folder: Path) -> Typeset:
    """Lay a volume out and draw every file that its spec asks for.

    Args:
        folder: that relative paths of the spec start from.
    Returns:
        The same bytes for the same volume.
    Raises:
        LayoutError: the book or its cover does not fit the printer's profile, theme or page.
    """
    record, spec = volume_json(volume), volume.spec
    book, profile, (theme, faces) = lay_out(volume, folder, build_code(record))
    image = _cover_image(spec, folder)
    about = About(
        title=spec.title,
        author=spec.author or "",
        language=spec.wording().language,
        date=file_date(spec.date, os.environ),
        creator=f"linkpress {volume.linkpress_version}",
    )
    hue = Hue.SRGB if profile.colours is Colours.SRGB else Hue.PRESS
    coloured = any(not ink.is_grey for _, ink in theme.inks)
    standard = profile.standard_of(spec.standard, coloured)
    wanted = {
        "interior.pdf": Wanted(spec.page.paper, book.trim, spec.page.bleed, standard, full_fonts=faces.full)
    }
    drawn = draw_pages(book.pages, book.trim, about, book.bleeds, hue=hue, faces=faces)
    files = {"interior.pdf": finish_print(drawn, about, standard)}
    if book.solutions:
        apart = draw_pages(book.solutions, book.trim, about, book.bleeds, hue=hue, faces=faces)
        files["solutions.pdf"] = finish_print(apart, about, standard)
        wanted["solutions.pdf"] = replace(wanted["interior.pdf"], part=True)
    if spec.screen is not None:
        tablet = lay_out_screen(volume, LoadedLooks(theme, faces), image, build_code(record))
        linked = draw_pages(tablet.pages, tablet.trim, about, screen=True, hue=Hue.SCREEN, faces=faces)
        files["screen.pdf"] = finish_screen(linked, about)
    if spec.cover is not None:
        order = order_cover(volume, book.page_count, theme, image)
        cover = compose_cover(order, profile, _measure(spec, LoadedLooks(theme, faces)))
        standard = profile.standard_of(spec.standard, coloured=True)
        files["cover.pdf"] = finish_print(draw_cover(cover, about, hue, faces), about, standard)
        wanted["cover.pdf"] = replace(
            wanted["interior.pdf"], trim=cover.geometry.trim, bleed=None, standard=standard, cover=True
        )
    reports = {
        name: replace(preflight(files[name], profile, asked), file=name) for name, asked in wanted.items()
    }
    return Typeset(book, record, files, reports)


def _cover_image(spec: BookSpec, folder: Path) -> bytes:
    """The content of ``cover.image``, empty for none."""
    if spec.cover is None or spec.cover.image is None:
        return b""
    path = folder / spec.cover.image
    try:
        return read_within(path, _MOST_IMAGE_MB << 20)
    except TooLargeError:
        raise UsageError(f"cover.image: {path} is over {_MOST_IMAGE_MB} MB. Save it as JPEG.") from None
    except OSError as fault:
        raise UsageError(
            f"cover.image: {path} can't be read: {fault.strerror}. Paths start from the spec's folder."
        ) from fault


def _check_glyphs(spec: BookSpec, measure: FontMeasure) -> None:
    """Refuse fonts that lack a character of the printed words or of the spec's short texts."""
    words = spec.wording()
    texts = {f"language {words.language}, {key}": text for key, text in words.texts}
    texts |= {"fonts": "0123456789", "title": spec.title, "subtitle": spec.subtitle or ""}
    texts |= {"author": spec.author or "", "publisher": spec.publisher or ""}
    texts |= {f"levels[{at}].name": level.name for at, level in enumerate(spec.levels)}
    for where, text in texts.items():
        for key in (FontKey.REGULAR, FontKey.SEMIBOLD):
            font_for(text, key, measure, where)


def check_looks(spec: BookSpec, folder: Path) -> None:
    """Refuse a theme that the printer can't print, and a cover or a screen's book that can't be made.

    This is told before any puzzle is made.

    Args:
        folder: that relative paths of the spec start from.
    Raises:
        LayoutError: lines, type, tints or colours that the printer does not hold; a ``cover.puzzle``
            whose numbers would be too small, or no such cover at all; as ``lay_out_screen``.
        UsageError: no such printer, paper or theme.
    """
    profile = _named("page.printer", load_printer, beside(spec.page.printer, folder))
    looks, image = load_looks(spec, folder), _cover_image(spec, folder)
    check_theme(looks.theme, profile, spec.page.paper)
    check_photo(spec, image, profile)
    _check_glyphs(spec, _measure(spec, looks))
    if spec.cover is not None and spec.cover.puzzle is not None:
        _check_cover_puzzle(spec, spec.cover.puzzle, profile, looks)
    if spec.screen is not None:
        lay_out_screen(stand_in_volume(spec), looks, image, "0" * BUILD_DIGITS)


def _check_cover_puzzle(spec: BookSpec, number: int, profile: PrinterProfile, looks: LoadedLooks) -> None:
    """Refuse a puzzle for the cover whose numbers would be too small there."""
    slots = plan_slots(spec)
    level = slots[number - 1].level  # the printed order keeps the levels together
    own = [slot for slot in slots if slot.level == level]
    if len({(slot.recipe.rows, slot.recipe.cols) for slot in own}) > 1:
        return  # which of the sizes is printed under the number shows when the puzzles are there
    board = stand_in_like(min(own, key=lambda slot: slot.recipe.pairs.low if slot.recipe.pairs else 0))
    words = words_for(spec, looks.theme, (board.puzzle,))
    order = CoverOrder(spec, "", (board,), board, pages=0, theme=looks.theme, words=words)
    check_picture(order, profile, _measure(spec, looks))
