"""Lay out a volume for print or for screens: decide where everything on its pages goes.

This module draws nothing, so that the check of a book need not load libraries for PDF files.
"""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import replace

from linkpress.book.printing_keys import Colophon, SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume
from linkpress.errors import LayoutError
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.setting import Edition, Pictures
from linkpress.press.assets import BookAssets, title_inks
from linkpress.press.composed_cover import compose_front
from linkpress.press.cover_content import cover_content
from linkpress.printers import load_printer
from linkpress.render.pdf import About, file_date

BUILD_DIGITS = 12
# Minimum side of a board's square in screen.pdf, in millimetres. It is small, because readers can zoom in.
SCREEN_CELL_MM = 4.0


def build_code(volume: Volume) -> str:
    """Return the build code that the colophon shows, a short hash of ``volume.json``.

    If the book has no colophon, return an empty string.
    """
    if volume.spec.parts.colophon is Colophon.NONE:
        return ""
    return hashlib.sha256(volume.json.encode()).hexdigest()[:BUILD_DIGITS]


def lay_out(volume: Volume, assets: BookAssets) -> Book:
    """Lay out the pages of a volume.

    Args:
        volume: the puzzles and the spec.
        assets: the profile, theme, fonts and pictures for the volume's spec.
    Raises:
        LayoutError: the book doesn't fit its page or printer.
        UsageError: a picture can't be used.
    """
    edition = edition_of(volume, assets, build_code(volume))
    return layout_book(edition, assets.profile, assets.theme, assets.measure)


def edition_of(
    volume: Volume, assets: BookAssets, build: str = "", pictures: Pictures | None = None
) -> Edition:
    """Return the input for the layout of a book: its spec, numbered puzzles, pictures and inks.

    Args:
        volume: the puzzles and the spec.
        assets: the profile, theme, fonts and pictures for the volume's spec.
        build: the build code, a short hash for the copyright page.
        pictures: pictures to use instead of the files that the spec names; None to use these files.
    """
    shown, inks = assets.pictures if pictures is None else pictures, assets.title_inks
    return Edition(
        volume.spec, volume.numbered, volume.linkpress_version, build, pictures=shown, title_inks=inks
    )


def lay_out_screen(
    volume: Volume, assets: BookAssets, build: str, pictures: Pictures, cover_pictures: Pictures
) -> Book:
    """Lay out a volume for screens.

    The cover is the first page. There are no blank pages, and all pages are alike instead of left or right.

    A page has at most as many puzzles as the spec's key ``screen.per_page`` says. All answers are at the
    back, even if the printed book has them upside down or in another file.

    Args:
        volume: the puzzles and the spec.
        assets: the profile, theme, fonts and pictures for the volume's spec.
        build: the build code, a short hash for the copyright page.
        pictures: the pictures on the pages, by file name.
        cover_pictures: the pictures on the cover, by the keys of the spec that name them.
    Raises:
        LayoutError: the book doesn't fit the page of the screen edition.
    """
    spec, profile = _screen_spec(volume.spec), load_printer("screen")
    try:
        cover = None
        if spec.cover is not None:
            content = cover_content(replace(volume, spec=spec), assets, 0, cover_pictures)
            cover = compose_front(replace(content, profile=profile))
        edition = edition_of(replace(volume, spec=spec), assets, build, pictures)
        inks = title_inks(spec, assets.design, profile)
        edition = replace(edition, screen=True, cover=cover, title_inks=inks)
        return layout_book(edition, profile, assets.theme, assets.measure)
    except LayoutError as error:
        raise LayoutError(f"{error} For screen.pdf alone, set screen.trim.", "screen") from None


def _screen_spec(spec: BookSpec) -> BookSpec:
    trim = spec.screen.trim if spec.screen else spec.page.trim
    page = spec.page.model_copy(
        update={
            "printer": "screen",
            "paper": None,
            "trim": trim,
            "bleed": False,
            "single_sided": False,
            "margins": None,
            "binding": None,
            "min_cell_mm": min(spec.page.min_cell_mm or SCREEN_CELL_MM, SCREEN_CELL_MM),
        }
    )
    apart = spec.solutions.place in (SolutionsPlace.FILE, SolutionsPlace.UPSIDE_DOWN)
    place = SolutionsPlace.BACK if apart else spec.solutions.place
    solutions = spec.solutions.model_copy(update={"place": place, "per_page": "auto"})
    isbn = spec.screen.isbn if spec.screen else None
    per_page = (spec.screen.per_page if spec.screen else None) or 1
    levels = tuple(level.model_copy(update={"per_page": per_page}) for level in spec.levels)
    return spec.model_copy(update={"page": page, "solutions": solutions, "isbn": isbn, "levels": levels})


def about_book(assets: BookAssets, version: str) -> About:
    """Return title, author, language and date for the metadata of a book's files.

    Args:
        assets: the loaded assets of the book.
        version: the version of linkpress that made the puzzles.
    Raises:
        UsageError: the environment variable ``SOURCE_DATE_EPOCH`` is not a date.
    """
    spec = assets.spec
    return About(
        # Remove soft hyphens and zero-width spaces, which only mark where a line may break.
        title=re.sub("[\u00ad\u200b]", "", spec.title),
        author=spec.author or "",
        language=assets.measure.language,
        date=file_date(spec.date, os.environ),
        creator=f"linkpress {version}",
    )
