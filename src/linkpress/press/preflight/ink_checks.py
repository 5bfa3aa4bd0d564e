"""Checks of what is really drawn on a page: colours, tints, line weights, text sizes, images."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from linkpress.config.lengths import Size
from linkpress.layout.printer_data import Forbidden
from linkpress.press.content.colours import RGB_LIKE, Colour, ColourSpace, Space
from linkpress.press.content.drawn import Drawn, DrawnImage, DrawnPath, DrawnText
from linkpress.press.content.matrix import box_around
from linkpress.press.preflight.page_ink import PageInk
from linkpress.press.preflight.pages import PageFacts
from linkpress.press.preflight.pdfx_checks import REFUSED_FILTERS
from linkpress.press.preflight.result import Finding
from linkpress.press.preflight.subject import PDFX_SOURCE, Subject

_PRINTABLE = "gray, CMYK, spot"
_SLACK = 0.005  # what matrices written with a few decimals lose
_RULE_LENGTH_PT = 3.0  # a filled bar at least so long is a rule, not a dot or a part of a picture


def colour_space(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Lines, fills and words are gray, CMYK or spot where the printer or standard wants that."""
    spaces = [colour.space for colour in ink.colours] + [shading.space for shading in ink.shadings]
    for found in sorted(_refused(subject, spaces)):
        yield subject.finding("colour-space", page, f"{found} colours", _PRINTABLE, _colour_source(subject))


def image_colour(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Images are gray, CMYK or spot likewise, and gray on paper that is printed in black."""
    spaces = [image.space for image in ink.images if image.space is not None]
    for found in sorted(_refused(subject, spaces)):
        yield subject.finding(
            "image-colour", page, f"an image in {found}", _PRINTABLE, _colour_source(subject)
        )
    if not subject.is_black_only:
        return
    for space in {space for space in spaces if not _is_gray(space)}:
        yield subject.finding("image-colour", page, f"an image in {space.family}", subject.black_only_words)


def black_ink(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """On paper that is printed in black, black is the only ink."""
    if not subject.is_black_only:
        return
    coloured = sorted(str(c) for c in ink.colours if c.black is None and not c.is_paper and not c.pattern)
    if coloured:
        yield subject.finding("black-ink", page, f"the colour {coloured[0]}", subject.black_only_words)
    shadings = {str(shading.space.family) for shading in ink.shadings if not _is_gray(shading.space)}
    for family in sorted(shadings):
        yield subject.finding("black-ink", page, f"a shading in {family}", subject.black_only_words)


def rich_black(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Black is one ink where the printer wants that: mixed from four, small type gets coloured edges."""
    if subject.is_black_only or not subject.forbids(Forbidden.RICH_BLACK):
        return
    # A cover may lie on a ground of rich black; its words may not be set in it.
    colours = {text.colour for text in ink.texts} if subject.is_cover else ink.colours
    mixed = sorted(str(colour) for colour in colours if colour.is_rich_black)
    if mixed:
        yield subject.finding("rich-black", page, f"the black {mixed[0]}", "black of one ink: CMYK 0 0 0 1")


def inline_packing(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Images inside the content are packed in ways of the standard, as streams are."""
    if not subject.is_pdfx:
        return
    steps = {step for image in ink.images if image.inline for step in image.packing}
    for name in sorted(REFUSED_FILTERS[step] for step in steps & REFUSED_FILTERS.keys()):
        found = f"an image in the content packed by {name}"
        yield subject.finding("inline-compression", page, found, "Flate, JPEG, none", PDFX_SOURCE)


def tint(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """No tint is too light to print."""
    least = float(subject.profile.data.limits.tint)
    inks = {_heaviest(colour) for colour in ink.colours}
    light = [ink for ink in inks if 0 < ink < least - _SLACK]
    if light:
        yield subject.finding("tint", page, f"a tint of {min(light):.1%}", f"{least:.0%} or more")


def line_weight(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """No line is too thin to print, as drawn through its matrix."""
    least_pt = subject.profile.data.limits.line_pt
    widths = [width for item in ink.items for width in _line_widths(item)]
    if widths and min(widths) < least_pt - _SLACK:
        yield subject.finding(
            "line-weight", page, f"a line of {min(widths):.2f} pt", f"{least_pt:g} pt or more"
        )


def text_size(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """No text is too small to print, as set through its matrix."""
    least_pt = subject.profile.data.limits.text_pt
    texts = [text for text in ink.texts if not text.invisible]
    smallest = min(texts, key=lambda text: text.size_pt, default=None)
    if smallest is not None and smallest.size_pt < least_pt - _SLACK:
        found = f"{smallest.text[:30]!r} at {smallest.size_pt:.2f} pt"
        yield subject.finding("text-size", page, found, f"{least_pt:g} pt or more")


def fonts_found(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Every shown text has its font among the page's resources."""
    lost = [text for text in ink.texts if not _has_font(text)]
    if lost:
        found = f"{lost[0].text[:30]!r} without a font"
        yield subject.finding("fonts-found", page, found, "a font for every text", "ISO 32000-1")


def invisible_text(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """No text is hidden on the page."""
    hidden = [text for text in ink.texts if text.invisible]
    if hidden and subject.forbids(Forbidden.ANNOTATIONS):
        yield subject.finding(
            "invisible-text", page, f"{hidden[0].text[:30]!r} is drawn without ink", "none hidden"
        )


def image_resolution(subject: Subject, page: PageFacts, ink: PageInk) -> Iterator[Finding]:
    """Images have samples enough at the size at which they are placed."""
    least = subject.profile.data.limits.image_dpi
    resolutions = [_dpi(image) for image in ink.images]
    if resolutions and min(resolutions) < least - 0.5:
        yield subject.finding(
            "image-resolution", page, f"an image at {min(resolutions):.0f} dpi", f"{least} dpi or more"
        )


def _refused(subject: Subject, spaces: list[ColourSpace]) -> set[str]:
    if not (subject.is_pdfx or subject.forbids(Forbidden.RGB)):
        return set()
    refused = set(RGB_LIKE) | {Space.UNKNOWN}
    if subject.is_pdfx:
        refused |= {Space.ICC_GRAY, Space.ICC_CMYK, Space.CAL_GRAY}
    return {str(family) for space in set(spaces) for family in space.families() & refused}


def _colour_source(subject: Subject) -> str:
    return subject.source if subject.forbids(Forbidden.RGB) else PDFX_SOURCE


def _is_gray(space: ColourSpace) -> bool:
    if space.family is Space.SPOT:
        return set(space.inks) <= {"/Black", "/None"}
    return space.family in (Space.GRAY, Space.ICC_GRAY, Space.CAL_GRAY)


def _heaviest(colour: Colour) -> float:
    """The share of the heaviest ink; 1 where it can't be told."""
    if colour.black is not None:
        return colour.black
    if colour.space.indexed or not colour.values:
        return 1.0
    if colour.space.family in RGB_LIKE:
        return 1 - min(colour.values) if colour.space.family is not Space.LAB else 1.0
    return max(colour.values)


def _line_widths(item: Drawn) -> Iterator[float]:
    if isinstance(item, DrawnText):
        if item.stroke_width_pt is not None and not item.invisible:
            yield item.stroke_width_pt
    elif isinstance(item, DrawnPath):
        if item.stroke is not None and not item.stroke.is_paper:
            yield item.width_pt
        elif item.fill is not None and not item.fill.is_paper and item.stroke is None:
            yield from _bars(item)


def _bars(path: DrawnPath) -> Iterator[float]:
    """The thickness of filled rectangles that are rules in truth."""
    for part in path.subpaths:
        if part.curved or len(part.points) not in (4, 5):
            continue
        left, bottom, right, top = box_around(part.points)
        thin, long = sorted((right - left, top - bottom))
        if long >= _RULE_LENGTH_PT and _is_upright(part.points):
            yield thin


def _is_upright(points: list[tuple[float, float]]) -> bool:
    steps = itertools.pairwise(points)
    return all(abs(a[0] - b[0]) < _SLACK or abs(a[1] - b[1]) < _SLACK for a, b in steps)


def _has_font(text: DrawnText) -> bool:
    return text.font.base != "none"


def _dpi(image: DrawnImage) -> float:
    a, b, c, d = image.matrix[:4]
    placed = Size(math.hypot(a, b), math.hypot(c, d))
    if not placed.width_pt or not placed.height_pt:
        return math.inf
    return min(image.width_px / placed.width_pt, image.height_px / placed.height_pt) * 72
