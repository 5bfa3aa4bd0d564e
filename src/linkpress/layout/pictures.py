"""This module tells how large the publisher's pictures are printed, and whether their pixels do for that."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from linkpress.book.printing_keys import BackgroundSpec, PageSpec
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Photo, Rect
from linkpress.printers.profile import NO_BLEED, PaperInk, PrinterProfile

BACKGROUND_KEY = "page.background.image"


@dataclass(frozen=True, slots=True)
class OwnPicture:
    """A publisher's own picture is read from its file.

    Args:
        content: a file's content, reduced if the picture's own has more pixels than a page needs.
        pixels, whole: width and height, upright, of the content and of the picture's own file.
    """

    name: str
    content: bytes
    pixels: Size
    whole: Size


Pictures = Mapping[str, OwnPicture]  # by name
NO_PICTURES: Pictures = MappingProxyType({})


def reduced_lines(pictures: Iterable[OwnPicture]) -> Iterator[str]:
    """Yield a line for each picture with more pixels than a page needs."""
    for picture in pictures:
        if picture.pixels != picture.whole:
            sizes = picture.whole, picture.pixels
            whole, now = (f"{size.width_pt:,.0f} × {size.height_pt:,.0f}" for size in sizes)
            about = f"{picture.name} has {whole} pixels, more than a page needs"
            yield f"{'picture':<15}{about}: it is drawn with {now}"


def cut_size(whole: Size, ratio: float) -> Size:
    """Return what is left of a picture that is cut to a ratio of width to height, around its middle."""
    width = min(whole.width_pt, whole.height_pt * ratio)
    return Size(width, width / ratio)


def check_resolution(picture: OwnPicture, box: Rect, profile: PrinterProfile, key: str, where: str) -> None:
    """Raise ``LayoutError``, with how many will do, for a picture with too few pixels for its place."""
    pixels, least = picture.pixels, profile.limits.image_dpi
    inches = Size(box[2] / 72, box[3] / 72)
    dpi = cut_size(pixels, box[2] / box[3]).width_pt / inches.width_pt
    if dpi < least - 0.5:
        wide, high = (math.ceil(least * side) for side in inches)
        raise LayoutError(
            f"{picture.name} has {pixels.width_pt:g} × {pixels.height_pt:g} pixels, "
            f"{dpi:.0f} dpi {where}; {profile.name} asks for {least}. "
            f"Give one of {wide} × {high} pixels or more.",
            key,
        )


def is_printed_grey(page: PageSpec, profile: PrinterProfile) -> bool:
    """Tell whether the interior has black ink alone, so that pictures lose their colours."""
    return profile.paper(page.paper).ink is PaperInk.BLACK


def background_photo(
    asked: BackgroundSpec, page: PageSpec, pictures: Pictures, profile: PrinterProfile, recto: bool
) -> Photo:
    """Return the picture behind a page and its bleed; raise ``LayoutError`` if it has too few pixels."""
    trim, bleed = page.trim.size, profile.bleed_of(recto) if page.bleed else NO_BLEED
    width = bleed.left_pt + trim.width_pt + bleed.right_pt
    box = (-bleed.left_pt, -bleed.bottom_pt, width, bleed.bottom_pt + trim.height_pt + bleed.top_pt)
    picture = pictures[asked.image]
    check_resolution(picture, box, profile, BACKGROUND_KEY, "on the page with its bleed")
    return Photo(box, picture.content, is_printed_grey(page, profile), float(asked.strength))
