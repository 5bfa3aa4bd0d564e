"""These checks judge what is really drawn on a page: colours, tints, line weights, text sizes, images."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

from linkpress.documents.values import Size
from linkpress.preflight.findings import Finding
from linkpress.preflight.judged_file import JudgedFile, PageInk
from linkpress.preflight.pdf_reading.colours import RGB_LIKE, Colour, ColourSpace, Space
from linkpress.preflight.pdf_reading.drawn import Drawn, DrawnImage, DrawnPath, DrawnText, is_paper
from linkpress.preflight.pdf_reading.matrices import box_around
from linkpress.printers.profile import Colours, Forbidden

_PRINTABLE = "gray, CMYK, spot"
_CONVERTED = "gray and sRGB, which this printer turns into inks itself"
_SLACK = 0.005  # what matrices written with a few decimals lose
_RULE_LENGTH_PT = 3.0  # a filled bar at least so long is a rule, not a dot or a part of a picture
_SHOWN = 30  # characters of a text that a message quotes


def fonts_found(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that every shown text has its font among the page's resources."""
    for text in ink.content.lost_texts[:1]:
        yield Finding(f"{text[:_SHOWN]!r} without a font", "a font for every text")


def colour_space(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require gray, CMYK or spot for lines, fills and words where the printer or standard does, or sRGB."""
    spaces = {colour.space for colour in ink.content.colours} | ink.content.shading_spaces
    yield from _space_findings(file, spaces, "{} colours")


def image_colour(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require gray, CMYK or spot images where these are wanted, and gray ones on paper printed in black."""
    spaces = ink.content.image_spaces
    yield from _space_findings(file, spaces, "an image in {}")
    if file.is_black_only:
        for space in {space for space in spaces if not _is_gray(space)}:
            yield Finding(f"an image in {space.family}", file.black_only_words)


def black_ink(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that black is the only ink on paper that is printed in black."""
    if not file.is_black_only:
        return
    colours = ink.content.colours
    coloured = sorted(str(c) for c in colours if c.black is None and not c.is_paper and not c.pattern)
    if coloured:
        yield Finding(f"the colour {coloured[0]}", file.black_only_words)
    shaded = {str(space.family) for space in ink.content.shading_spaces if not _is_gray(space)}
    for family in sorted(shaded):
        yield Finding(f"a shading in {family}", file.black_only_words)


def rich_black(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require black of one ink where the printer does: mixed from four, small type gets coloured edges."""
    if file.is_black_only:
        return
    # A cover may lie on a ground of rich black; its words may not be set in it.
    colours = ink.content.word_colours if file.is_cover else ink.content.colours
    mixed = sorted(str(colour) for colour in colours if colour.is_rich_black)
    if mixed:
        yield Finding(f"the black {mixed[0]}", "black of one ink: CMYK 0 0 0 1")


def tint(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that no tint is too light to print."""
    least = float(file.profile.limits.tint)
    light = [share for share in map(_heaviest, ink.content.colours) if 0 < share < least - _SLACK]
    if light:
        yield Finding(f"a tint of {min(light):.1%}", f"{least:.0%} or more")


def line_weight(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that no line is too thin to print, as drawn through its matrix."""
    least_pt = file.profile.limits.line_pt
    thinnest = min((width for item in ink.all_items for width in _line_widths(item)), default=least_pt)
    if thinnest < least_pt - _SLACK:
        yield Finding(f"a line of {thinnest:.2f} pt", f"{least_pt:g} pt or more")


def text_size(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that no text is too small to print, as set through its matrix."""
    least_pt = file.profile.limits.text_pt
    text, size_pt = min(_text_sizes(ink), key=lambda shown: shown[1], default=("", least_pt))
    if size_pt < least_pt - _SLACK:
        yield Finding(f"{text[:_SHOWN]!r} at {size_pt:.2f} pt", f"{least_pt:g} pt or more")


def invisible_text(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that no text is hidden on the page."""
    hidden = [text.text for text in ink.texts if text.invisible]
    if hidden:
        yield Finding(f"{hidden[0][:_SHOWN]!r} is drawn without ink", "none hidden")


def glyphs_there(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that every character leaves ink where it is shown first, so that its font has the glyph."""
    if ink.inkless:
        found = ", ".join(repr(character) for character in ink.inkless[:_SHOWN])
        yield Finding(f"nothing is drawn for {found}", "fonts with a glyph for every character that is used")


def painted_over(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require that nothing drawn later hides what a text or a line says."""
    texts = [item.text.strip() for item in ink.unseen if isinstance(item, DrawnText)]
    if ink.unseen:
        found = f"{texts[0][:_SHOWN]!r}" if texts else "a line"
        more = f" and {len(ink.unseen) - 1} more" if len(ink.unseen) > 1 else ""
        yield Finding(f"{found}{more} painted over", "nothing drawn over what is to be seen")


def image_resolution(file: JudgedFile, ink: PageInk) -> Iterator[Finding]:
    """Require enough samples of images for the size at which they are placed."""
    least = file.profile.limits.image_dpi
    lowest = min(map(_dpi, ink.images), default=math.inf)
    if lowest < least - 0.5:
        yield Finding(f"an image at {lowest:.0f} dpi", f"{least} dpi or more")


def _space_findings(file: JudgedFile, spaces: Iterable[ColourSpace], text: str) -> Iterator[Finding]:
    """Find families that printer or standard refuse, and inks where the printer makes them itself."""
    families = {family for space in spaces for family in space.families()}
    if file.is_pdfx or file.forbids(Forbidden.RGB):
        refused = {*RGB_LIKE, Space.UNKNOWN}
        if file.is_pdfx:
            refused |= {Space.ICC_GRAY, Space.ICC_CMYK, Space.CAL_GRAY}
        for family in sorted(families & refused):
            yield Finding(text.format(family), _PRINTABLE, source=file.colour_source)
    if file.profile.colours is Colours.SRGB:
        for family in sorted(families & {Space.CMYK, Space.ICC_CMYK}):
            yield Finding(text.format(family), _CONVERTED)


def _is_gray(space: ColourSpace) -> bool:
    if space.family is Space.SPOT:
        return set(space.inks) <= {"/Black", "/None"}
    return space.family in (Space.GRAY, Space.ICC_GRAY, Space.CAL_GRAY)


def _heaviest(colour: Colour) -> float:
    """Return the share of the heaviest ink; 1 where it can't be told."""
    if colour.black is not None:
        return colour.black
    if colour.space.indexed or not colour.values:
        return 1.0
    if colour.space.family in RGB_LIKE:
        return 1 - min(colour.values) if colour.space.family is not Space.LAB else 1.0
    return max(colour.values)


def _text_sizes(ink: PageInk) -> Iterator[tuple[str, float]]:
    """Yield each visible text with its size, which for Type 3 fonts the content alone knows."""
    type3 = ink.content.type3_texts
    yield from type3
    for item in ink.texts:
        if not item.invisible and (item.has_font_name or not type3):
            yield item.text, item.size_pt


def _line_widths(item: Drawn) -> Iterator[float]:
    if isinstance(item, DrawnText):
        if item.stroke_width_pt is not None and not item.invisible:
            yield item.stroke_width_pt
    elif isinstance(item, DrawnPath):
        if item.stroke is not None and not is_paper(item.stroke):
            yield item.width_pt
        elif item.fill is not None and not is_paper(item.fill) and item.stroke is None:
            yield from _bars(item)


def _bars(path: DrawnPath) -> Iterator[float]:
    """Yield the thickness of filled rectangles that are rules in truth."""
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


def _dpi(image: DrawnImage) -> float:
    a, b, c, d = image.matrix[:4]
    placed = Size(math.hypot(a, b), math.hypot(c, d))
    if not placed.width_pt or not placed.height_pt:
        return math.inf
    return min(image.width_px / placed.width_pt, image.height_px / placed.height_pt) * 72
