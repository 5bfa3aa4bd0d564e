"""A frame becomes SVG: shapes as shapes, text as text or as shapes, inks as the colours of a screen."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator, Mapping
from functools import partial
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
from linkpress.render.font_files import SHIPPED, Faces, family_of
from linkpress.render.fonts import outline, stretches
from linkpress.render.photos import prepared

_PHOTO_PX_PT = 2.0  # 144 pixels an inch
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
) -> str:
    """Return a whole SVG document, as large as the frame.

    Args:
        frame: the drawing; a placed frame becomes a group, its name's words the group's classes.
        title: what the drawing is, for readers who can't see it.
        texts: those named Author, Copyright and Keywords become Dublin Core metadata.
        prefix: a prefix of every id, so that several drawings can stand in one page of the web.
        language: the BCP 47 tag of the texts' language; untold if empty.
        outlined: whether texts are shapes, named by what they say, for programs that know no text in SVG.
    """
    width, height = trimmed(frame.width_pt), trimmed(frame.height_pt)
    tagged = f" lang={quoteattr(language)} xml:lang={quoteattr(language)}" if language else ""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}pt" height="{height}pt" '
        f'viewBox="0 0 {width} {height}" role="img" class="linkpress"{tagged}>'
    ]
    if title:
        parts.append(f"<title>{escape(title)}</title>")
    parts += _metadata(texts or {})
    write = partial(_outlined if outlined else _text, faces=faces)
    parts += _elements(frame, 0.0, frame.height_pt, prefix, write)
    parts.append("</svg>")
    return "\n".join(parts) + "\n"


def _metadata(texts: Mapping[str, str]) -> Iterator[str]:
    known = [
        f"<dc:{name}>{escape(texts[key])}</dc:{name}>" for key, name in _DUBLIN_CORE.items() if key in texts
    ]
    if known:
        yield f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">{"".join(known)}</metadata>'


def _elements(
    frame: Frame, left: float, height: float, prefix: str, write: Callable[[TextRun, float, float], str]
) -> Iterator[str]:
    """Yield the items, each shifted right by ``left`` and turned upside down below ``height``."""
    for item in frame.items:
        if isinstance(item, Placed):
            name = item.name
            classes = " ".join(word for word in name.split("-") if not word.isdigit())
            yield f"<g id={quoteattr(prefix + name)} class={quoteattr(classes)}{_turn(item, left, height)}>"
            yield from _elements(item.frame, left + item.x, height - item.y, prefix, write)
            yield "</g>"
        elif isinstance(item, Discs):
            yield from _discs(item, left, height)
        elif isinstance(item, TextRun):
            yield write(item, left, height)
        else:
            yield _shape(item, left, height)


def _turn(placed: Placed, left: float, height: float) -> str:
    if not placed.turned:
        return ""
    frame = placed.frame
    side = frame.height_pt if placed.turned == 180 else frame.width_pt  # as of a square, for a quarter
    x, y = left + placed.x + frame.width_pt / 2, height - placed.y - side / 2
    return f' transform="rotate({placed.turned} {trimmed(x)} {trimmed(y)})"'


def _shape(item: Item, left: float, height: float) -> str:
    if isinstance(item, Lines):
        steps = (
            f"M{_point(x0 + left, height - y0)}L{_point(x1 + left, height - y1)}"
            for x0, y0, x1, y1 in item.segments
        )
        return _stroked("".join(steps), item.ink, item.width_pt, item.cap, Join.MITRE)
    if isinstance(item, Polyline):
        path = _path(item.points, left, height) + ("Z" if item.closed else "")
        return _stroked(path, item.ink, item.width_pt, item.cap, item.join)
    if isinstance(item, Rects):
        corners = (
            f"M{_point(x + left, height - y)}h{trimmed(w)}v{trimmed(-h)}h{trimmed(-w)}Z"
            for x, y, w, h in item.boxes
        )
        return f'<path d="{"".join(corners)}" fill="{item.ink.hex}"/>'
    if isinstance(item, Photo):
        return _photo(item, left, height)
    if isinstance(item, Polygon):
        return f'<path d="{_path(item.points, left, height)}Z" fill="{item.ink.hex}"/>'
    raise TypeError(f"{type(item).__name__} has no drawing in SVG")


def _photo(item: Photo, left: float, height: float) -> str:
    """Draw a picture as an image inside the file, with no more pixels than a screen shows."""
    x, y, width, tall = item.box
    pixels = prepared(item, mixed=False)
    pixels.thumbnail((round(width * _PHOTO_PX_PT), round(tall * _PHOTO_PX_PT)))
    written = io.BytesIO()
    pixels.save(written, "JPEG", quality=85)
    content = base64.b64encode(written.getvalue()).decode("ascii")
    return (
        f'<image x="{trimmed(x + left)}" y="{trimmed(height - y - tall)}" width="{trimmed(width)}" '
        f'height="{trimmed(tall)}" preserveAspectRatio="none" href="data:image/jpeg;base64,{content}"/>'
    )


def _stroked(path: str, ink: Ink, width_pt: float, cap: Cap, join: Join) -> str:
    return (
        f'<path d="{path}" fill="none" stroke="{ink.hex}" stroke-width="{trimmed(width_pt)}" '
        f'stroke-linecap="{_CAPS[cap]}" stroke-linejoin="{_JOINS[join]}"/>'
    )


def _discs(item: Discs, left: float, height: float) -> Iterator[str]:
    fill = "none" if item.fill is None else item.fill.hex
    ring = ""
    if item.ring is not None:
        ring = f' stroke="{item.ring.hex}" stroke-width="{trimmed(item.ring_width_pt)}"'
    for x, y in item.centres:
        yield (
            f'<circle cx="{trimmed(x + left)}" cy="{trimmed(height - y)}" r="{trimmed(item.radius_pt)}" '
            f'fill="{fill}"{ring}/>'
        )


def _text(run: TextRun, left: float, height: float, faces: Faces) -> str:
    shift = {Anchor.START: 0.0, Anchor.MIDDLE: run.width_pt / 2, Anchor.END: run.width_pt}[run.anchor]
    families = dict.fromkeys(family_of(part.file) for part in stretches(run.text, faces.files[run.font]))
    weight = "600" if run.font in (FontKey.SEMIBOLD, FontKey.DISPLAY) else "400"
    tracking = f' letter-spacing="{trimmed(run.tracking_pt)}"' if run.tracking_pt else ""
    return (
        f'<text x="{trimmed(run.x + left + shift)}" y="{trimmed(height - run.y)}" '
        f'font-family="{", ".join((*families, "sans-serif"))}" font-weight="{weight}" '
        f'font-size="{trimmed(run.size_pt)}" text-anchor="{run.anchor.value}" '
        f'fill="{run.ink.hex}"{tracking} xml:space="preserve">{escape(run.text)}</text>'
    )


def _outlined(run: TextRun, left: float, height: float, faces: Faces) -> str:
    shapes = outline(run.text, faces.files[run.font], run.tracking_pt / run.size_pt)
    place = f"translate({_point(run.x + left, height - run.y)}) scale({run.size_pt / 1000:.6g})"
    label, fill = quoteattr(run.text), run.ink.hex
    return f'<path aria-label={label} transform="{place}" fill="{fill}" d="{shapes}"/>'


def _path(points: tuple[tuple[float, float], ...], left: float, height: float) -> str:
    first, *others = (_point(x + left, height - y) for x, y in points)
    return f"M{first}" + "".join(f"L{point}" for point in others)


def _point(x: float, y: float) -> str:
    return f"{trimmed(x)} {trimmed(y)}"
