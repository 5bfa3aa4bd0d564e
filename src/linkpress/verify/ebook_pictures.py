"""This module reads an e-book's drawings as the objects of a page, and draws pictures of pixels again.

Of SVG the shapes are read that linkpress writes, and no others: a drawing with anything else in it could show
another board than the one that is read here.

Source:
    W3C, SVG 1.1.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from xml.etree.ElementTree import Element

from linkpress.book.printing_keys import EbookKind, EbookSpec
from linkpress.book.volume import Volume, volume_json
from linkpress.errors import UsageError
from linkpress.preflight.pdf_reading.drawn import Drawn, DrawnPath, DrawnText, Rgb, Subpath
from linkpress.preflight.pdf_reading.matrices import Point

# Of 255. Where a line or a number is another, some pixel differs by 100 and more; where PDFium or Pillow is,
# an edge may differ by a grey or two of the sixteen.
_MOST_APART = 64
_SPACE = "{http://www.w3.org/2000/svg"
_PAINT = {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin"}
_FONT = {"font-family", "font-weight", "font-size", "text-anchor", "letter-spacing"}
_ATTRIBUTES = {
    "svg": {"width", "height", "viewBox", "role", "class"},
    "g": {"id", "class"},
    "path": {"d", *_PAINT},
    "outline": {"d", "fill", "aria-label", "transform"},
    "circle": {"cx", "cy", "r", *_PAINT},
    "text": {"x", "y", "fill", "{http://www.w3.org/XML/1998/namespace}space", *_FONT},
}
_PART = re.compile(r"M([-\d.]+) ([-\d.]+)((?:L[-\d.]+ [-\d.]+|[hv][-\d.]+)*)(Z?)")
_PLACE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\) scale\(([\d.]+)\)")
_STEP = re.compile(r"([Lhv])([-\d.]+)(?: ([-\d.]+))?")
_LEFT = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of a text's place, in its widths
_FIGURE_WIDTH, _FIGURE_HEIGHT = 0.6, 0.7  # of the type's size, near enough to tell a square


class PictureAgain(NamedTuple):
    """A picture is drawn again as a book draws it today: the pixels, and the drawing that they show."""

    pixels: bytes
    drawing: bytes

    def is_shown_by(self, content: bytes) -> bool:
        """Tell whether a file shows this picture."""
        from PIL import Image, ImageChops

        if content == self.pixels:
            return True
        own, other = (Image.open(io.BytesIO(file), formats=["PNG"]) for file in (self.pixels, content))
        if own.size != other.size:
            return False
        apart = ImageChops.difference(own.convert("RGB"), other.convert("RGB"))
        return not any(any(band.histogram()[_MOST_APART:]) for band in apart.split())


def pictures_again(volume: Volume, folder: Path) -> Mapping[str, PictureAgain]:
    """Draw an e-book's pictures again, by their files' names; raise ``UsageError`` if a file is missing."""
    from linkpress.press.typesetting import as_ebook, build_code, lay_out  # few books have them: 0.2 s
    from linkpress.render.pdf import About

    try:
        book, profile, looks = lay_out(volume, folder, build_code(volume_json(volume)))
    except UsageError as fault:
        advice = "The pictures of book.epub are drawn again: --spec-folder says where such files lie."
        raise UsageError(f"{fault} {advice}") from fault
    made = []
    for kind in (EbookKind.KINDLE, EbookKind.EPUB):
        spec = volume.spec.model_copy(update={"epub": EbookSpec(kind=kind)})
        own = replace(book, edition=replace(book.edition, spec=spec))
        made.append(as_ebook(own, profile, looks, About(), None).pictures)
    pixels, drawings = made
    drawn = {f"{Path(name).stem}.png": drawing for name, drawing in drawings.items() if name.endswith(".svg")}
    return {name: PictureAgain(pixels[name], drawing) for name, drawing in drawn.items()}


def svg_size(root: Element) -> tuple[float, float]:
    """Return a drawing's width and height in points; raise ``ValueError`` or ``KeyError`` without them."""
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    if left or top:
        raise ValueError("it shows a part of itself")
    return width, height


def read_svg(root: Element, texts: dict[str, str]) -> Iterator[Drawn]:
    """Yield everything that a drawing shows, in order; the lower left corner is the origin.

    Args:
        texts: what each shape of a text stands for; those that are new here are noted in it.
    Raises:
        ValueError, KeyError: there is something in it that linkpress does not draw, or a value is missing.
    """
    _, height = svg_size(root)
    for element in root.iter():
        space, _, tag = element.tag.rpartition("}")
        kind = "outline" if tag == "path" and "aria-label" in element.attrib else tag
        known = _ATTRIBUTES.get(kind, set()) if space == _SPACE else set()
        strange = element.attrib.keys() - known
        if not known or strange or (kind == "svg") is not (element is root):
            named = f"<{tag}> with {min(strange)}" if known and strange else f"<{tag}>"
            raise ValueError(f"it has {named[:80]}, which no drawing of linkpress has")
        if kind == "path":
            parts = list(_subpaths(element.attrib["d"], height))
            yield DrawnPath(parts, *_paint(element), width_pt=0.0, clip=None)
        elif kind == "circle":
            x, y, radius = (float(element.attrib[name]) for name in ("cx", "cy", "r"))
            corners = [(x - radius, height - y - radius), (x + radius, height - y + radius)]
            disc = Subpath(corners, closed=True, curved=True)
            yield DrawnPath([disc], *_paint(element), width_pt=0.0, clip=None)
        elif kind == "text":
            size, start = float(element.attrib["font-size"]), (element.attrib["x"], element.attrib["y"])
            yield _text(element, element.text or "", start, size, height)
        elif kind == "outline":
            shape, words = element.attrib["d"], element.attrib["aria-label"]
            place = _PLACE.fullmatch(element.attrib["transform"])
            if place is None or texts.setdefault(shape, words) != words or not shape:
                raise ValueError(f"the shape of {texts.get(shape, '')[:80]!r} is called {words[:80]!r}")
            yield _text(element, words, (place[1], place[2]), 1000 * float(place[3]), height)


def _subpaths(data: str, height: float) -> Iterator[Subpath]:
    read = 0
    for part in _PART.finditer(data):
        if part.start() != read:
            break
        read = part.end()
        x, y = float(part[1]), float(part[2])
        points = [(x, height - y)]
        for step in _STEP.finditer(part[3]):
            if step[1] == "L":
                x, y = float(step[2]), float(step[3])
            elif step[1] == "h":
                x += float(step[2])
            else:
                y += float(step[2])
            points.append((x, height - y))
        yield Subpath(points, closed=bool(part[4]))
    if read != len(data):
        raise ValueError("it has a path that linkpress does not draw")


def _paint(element: Element) -> tuple[Rgb | None, Rgb | None]:
    """Return the colours of the stroke, which may be missing, and of the filling, which then is black."""
    return _colour(element.get("stroke", "none")), _colour(element.attrib["fill"])


def _colour(value: str) -> Rgb | None:
    if value == "none":
        return None
    red, green, blue = bytes.fromhex(value.removeprefix("#"))
    return red, green, blue


def _text(element: Element, words: str, place: tuple[str, str], size: float, height: float) -> DrawnText:
    start: Point = (float(place[0]), height - float(place[1]))
    width = _FIGURE_WIDTH * size * len(words)
    left = start[0] - _LEFT[element.get("text-anchor", "start")] * width
    box = (left, start[1], left + width, start[1] + _FIGURE_HEIGHT * size)
    colour = _colour(element.attrib["fill"])
    return DrawnText(words, start, size, colour or (0, 0, 0), colour is None, None, box, None)
