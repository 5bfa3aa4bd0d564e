"""Draw a frame (a drawing that layout has made) as SVG.

Shapes become paths, text becomes text or outlines, and colours become sRGB.

The y axis of a frame points up, and the y axis of SVG points down. So each function takes ``left`` and
``height``: x coordinates are shifted right by ``left``, and y coordinates are counted down from ``height``.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from operator import attrgetter
from xml.sax.saxutils import escape, quoteattr

from linkpress.documents.values import trimmed
from linkpress.layout.frame import (
    Anchor,
    Cap,
    Discs,
    FontKey,
    Frame,
    Ink,
    Item,
    Join,
    Lines,
    Photo,
    Placed,
    Polygon,
    Polyline,
    Rects,
    TextRun,
)
from linkpress.render.fonts import SHIPPED, Faces, family_of, font_runs, outline
from linkpress.render.photos import prepared

HexOf = Callable[[Ink], str]
_PHOTO_PX_PER_PT = 2.0  # 144 dpi
_DUBLIN_CORE = {"Author": "creator", "Copyright": "rights", "Keywords": "subject"}
_CAPS = {Cap.BUTT: "butt", Cap.ROUND: "round", Cap.SQUARE: "square"}
_JOINS = {Join.MITRE: "miter", Join.ROUND: "round", Join.BEVEL: "bevel"}


def draw_svg(
    frame: Frame,
    title: str = "",
    texts: Mapping[str, str] | None = None,
    *,
    prefix: str = "",
    faces: Faces = SHIPPED,
    language: str = "",
    outlined: bool = False,
    hex_of: HexOf = attrgetter("hex"),
) -> str:
    """Draw a frame as an SVG document of the frame's size.

    Args:
        frame: the frame. Each frame placed in it becomes a group. The classes of the group are the words of
            the placed frame's name.
        title: a description for readers who can't see the drawing.
        texts: more texts. Author, Copyright and Keywords become Dublin Core metadata.
        prefix: the beginning of every id. It makes the ids of several drawings on one web page unique.
        faces: the fonts.
        language: the language of the texts, a BCP 47 tag; empty to leave it out.
        outlined: whether to draw text as outlines, with a label, for programs that don't draw text in SVG.
        hex_of: a function that returns the sRGB colour to write for an ink, such as "#0072b2".
    """
    width, height = trimmed(frame.width_pt), trimmed(frame.height_pt)
    lang = f" lang={quoteattr(language)} xml:lang={quoteattr(language)}" if language else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}pt" height="{height}pt" '
        f'viewBox="0 0 {width} {height}" role="img" class="linkpress"{lang}>'
    ]
    if title:
        parts.append(f"<title>{escape(title)}</title>")
    parts += _metadata(texts or {})
    write_text = partial(_outlined if outlined else _text, faces=faces, hex_of=hex_of)
    parts += _elements(frame, 0.0, frame.height_pt, prefix=prefix, write_text=write_text, hex_of=hex_of)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _metadata(texts: Mapping[str, str]) -> Iterator[str]:
    elements = [
        f"<dc:{name}>{escape(texts[key])}</dc:{name}>" for key, name in _DUBLIN_CORE.items() if key in texts
    ]
    if elements:
        yield f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{"".join(elements)}</metadata>'


def _elements(
    frame: Frame,
    left: float,
    height: float,
    *,
    prefix: str,
    write_text: Callable[[TextRun, float, float], str],
    hex_of: HexOf,
) -> Iterator[str]:
    """Yield the SVG elements that draw the items of a frame, such as its lines and texts."""
    for item in frame.items:
        if isinstance(item, Placed):
            name = item.name
            classes = " ".join(word for word in name.split("-") if not word.isdigit())
            rotation = _rotation(item, left, height)
            yield f"<g id={quoteattr(prefix + name)} class={quoteattr(classes)}{rotation}>"
            at = left + item.x, height - item.y
            yield from _elements(item.frame, *at, prefix=prefix, write_text=write_text, hex_of=hex_of)
            yield "</g>"
        elif isinstance(item, Discs):
            yield from _discs(item, left, height, hex_of)
        elif isinstance(item, TextRun):
            yield write_text(item, left, height)
        else:
            yield _shape(item, left, height, hex_of)


def _rotation(placed: Placed, left: float, height: float) -> str:
    """Return the SVG attribute that rotates a frame placed inside another frame; empty without rotation."""
    if not placed.turned:
        return ""
    frame = placed.frame
    # The placed frame must keep its bottom left corner when it is turned. SVG rotates around a point. For a
    # half turn, this point is the middle of the frame. For a quarter turn, it is the middle of a square at
    # the bottom left corner. The side of this square is the frame's width for a clockwise turn, and the
    # frame's height for a counterclockwise turn.
    wide = frame.height_pt if placed.turned == 270 else frame.width_pt
    high = frame.width_pt if placed.turned == 90 else frame.height_pt
    x, y = left + placed.x + wide / 2, height - placed.y - high / 2
    return f' transform="rotate({placed.turned} {trimmed(x)} {trimmed(y)})"'


def _shape(item: Item, left: float, height: float, hex_of: HexOf) -> str:
    if isinstance(item, Lines):
        segments = (
            f"M{_point(x0 + left, height - y0)}L{_point(x1 + left, height - y1)}"
            for x0, y0, x1, y1 in item.segments
        )
        return _stroke("".join(segments), hex_of(item.ink), item.width_pt, item.cap, Join.MITRE)
    if isinstance(item, Polyline):
        path = _path(item.points, left, height) + ("Z" if item.closed else "")
        return _stroke(path, hex_of(item.ink), item.width_pt, item.cap, item.join)
    if isinstance(item, Rects):
        boxes = (
            f"M{_point(x + left, height - y)}h{trimmed(w)}v{trimmed(-h)}h{trimmed(-w)}Z"
            for x, y, w, h in item.boxes
        )
        return f'<path d="{"".join(boxes)}" fill="{hex_of(item.ink)}"/>'
    if isinstance(item, Photo):
        return _photo(item, left, height)
    if isinstance(item, Polygon):
        return f'<path d="{_path(item.points, left, height)}Z" fill="{hex_of(item.ink)}"/>'
    raise TypeError(f"{type(item).__name__} has no drawing in SVG")


def _photo(item: Photo, left: float, height: float) -> str:
    """Embed a pixel picture as a JPEG, with only as many pixels as a screen can show."""
    x, y, photo_width, photo_height = item.box
    pixels = prepared(item, mixed=False)
    pixels.thumbnail((round(photo_width * _PHOTO_PX_PER_PT), round(photo_height * _PHOTO_PX_PER_PT)))
    written = io.BytesIO()
    pixels.save(written, "JPEG", quality=85)
    content = base64.b64encode(written.getvalue()).decode("ascii")
    top = height - y - photo_height
    return (
        f'<image x="{trimmed(x + left)}" y="{trimmed(top)}" width="{trimmed(photo_width)}" '
        f'height="{trimmed(photo_height)}" preserveAspectRatio="none" '
        f'href="data:image/jpeg;base64,{content}"/>'
    )


def _stroke(path: str, colour: str, width_pt: float, cap: Cap, join: Join) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="{trimmed(width_pt)}" '
        f'stroke-linecap="{_CAPS[cap]}" stroke-linejoin="{_JOINS[join]}"/>'
    )


def _discs(item: Discs, left: float, height: float, hex_of: HexOf) -> Iterator[str]:
    fill = "none" if item.fill is None else hex_of(item.fill)
    ring = ""
    if item.ring is not None:
        ring = f' stroke="{hex_of(item.ring)}" stroke-width="{trimmed(item.ring_width_pt)}"'
    for x, y in item.centres:
        yield (
            f'<circle cx="{trimmed(x + left)}" cy="{trimmed(height - y)}" r="{trimmed(item.radius_pt)}" '
            f'fill="{fill}"{ring}/>'
        )


def _text(text: TextRun, left: float, height: float, faces: Faces, hex_of: HexOf) -> str:
    """Write a text as an SVG text element.

    The anchor of the element says which point of the text keeps its position if the font is not available.
    """
    shift = {Anchor.START: 0.0, Anchor.MIDDLE: text.width_pt / 2, Anchor.END: text.width_pt}[text.anchor]
    families = dict.fromkeys(family_of(run.file) for run in font_runs(text.text, faces.files[text.font]))
    weight = "600" if text.font in (FontKey.SEMIBOLD, FontKey.DISPLAY) else "400"
    tracking = f' letter-spacing="{trimmed(text.tracking_pt)}"' if text.tracking_pt else ""
    return (
        f'<text x="{trimmed(text.x + left + shift)}" y="{trimmed(height - text.y)}" '
        f'font-family="{", ".join((*families, "sans-serif"))}" font-weight="{weight}" '
        f'font-size="{trimmed(text.size_pt)}" text-anchor="{text.anchor.value}" '
        f'fill="{hex_of(text.ink)}"{tracking} xml:space="preserve">{escape(text.text)}</text>'
    )


def _outlined(text: TextRun, left: float, height: float, faces: Faces, hex_of: HexOf) -> str:
    """Write a text as an SVG path of its outlines, with the text as the label of the path."""
    shapes = outline(text.text, faces.files[text.font], text.tracking_pt / text.size_pt)
    transform = f"translate({_point(text.x + left, height - text.y)}) scale({text.size_pt / 1000:.6g})"
    label, fill = quoteattr(text.text), hex_of(text.ink)
    return f'<path aria-label={label} transform="{transform}" fill="{fill}" d="{shapes}"/>'


def _path(points: tuple[tuple[float, float], ...], left: float, height: float) -> str:
    first, *others = (_point(x + left, height - y) for x, y in points)
    return f"M{first}" + "".join(f"L{point}" for point in others)


def _point(x: float, y: float) -> str:
    return f"{trimmed(x)} {trimmed(y)}"
