"""Read and write the inks and palettes of YAML files.

A palette is a list of inks, one for each pair of numbers. The colours of the shipped palettes can be
distinguished by people with and without colour blindness.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from linkpress.documents.problem import invalid, printable, read_each
from linkpress.documents.values import ValueReader, scalar_text
from linkpress.resources import TableSections

Rgb = tuple[float, float, float]
# An ink looks black if it contains enough black plus enough cyan, magenta and yellow. Add its share of black
# to the smallest of its other three shares. If the sum is at least this, the ink looks black.
_NEARLY_BLACK = 0.85
LEAST_TINT = 0.1
"""Lightest tint of one ink that presses hold; Amazon KDP asks for 10%."""
MOST_INK = 2.4
"""Largest sum of the four inks; IngramSpark and newsprint accept 240%."""
LEAST_DIFFERENCE = 10.0
"""Smallest difference of two colours that readers tell apart, as ``difference`` measures it. The palette
`twelve` has 10.8 for tritanopic readers and more for others. Its yellow has a contrast to white of 1.3 only,
but differs from it by 80."""
_COLOURS = TableSections("colours.yaml")
_INK_WORDS = (
    "K and a percentage, as K40, `none`, four percentages of cyan, magenta, yellow and black, "
    'as [0, 50, 100, 0], or a screen colour in quotes, as "#0072B2"'
)


@dataclass(frozen=True, slots=True)
class Ink:
    """Mix of the four process inks, each from 0 to 1.

    ``srgb`` is the screen colour that the user gave, or None if the user gave the inks.
    """

    cyan: float = 0.0
    magenta: float = 0.0
    yellow: float = 0.0
    black: float = 1.0
    srgb: Rgb | None = None

    @property
    def is_grey(self) -> bool:
        return self.cyan == self.magenta == self.yellow == 0

    @property
    def is_rich_black(self) -> bool:
        return not self.is_grey and min(self.shares[:3]) + self.black >= _NEARLY_BLACK

    @property
    def shares(self) -> tuple[float, float, float, float]:
        return self.cyan, self.magenta, self.yellow, self.black

    @property
    def hex(self) -> str:
        return "#" + "".join(f"{round(255 * part):02x}" for part in self.rgb)

    @property
    def rgb(self) -> Rgb:
        """Screen colour as red, green and blue from 0 to 1.

        If the user gave no screen colour, it is computed from the shares of the four inks.
        """
        if self.srgb is not None:
            return self.srgb
        light = 1 - self.black
        return (1 - self.cyan) * light, (1 - self.magenta) * light, (1 - self.yellow) * light

    @property
    def printed_rgb(self) -> Rgb:
        return Ink(*self.shares).rgb

    @property
    def is_dark(self) -> bool:
        return contrast(self.rgb, (1.0, 1.0, 1.0)) > contrast(self.rgb, (0.0, 0.0, 0.0))


def contrast(first: Rgb, second: Rgb) -> float:
    """Return the contrast ratio of two colours, 1 to 21, as WCAG 2.2 defines it."""
    low, high = sorted((luminance(first), luminance(second)))
    return (high + 0.05) / (low + 0.05)


# Each matrix converts a colour, in linear red, green and blue, to the colour that people with a certain
# colour vision see. The three kinds of colour blindness are protanopia, deuteranopia and tritanopia. Source:
# Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of color vision deficiency",
# 2009, matrices for severity 1.0.
_Matrix = tuple[tuple[float, float, float], ...]
NORMAL_SIGHT: _Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
COLOUR_BLIND_SIGHT: tuple[_Matrix, ...] = (
    ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
)
# Matrix that converts linear sRGB to XYZ, with each row divided by the white point D65 (IEC 61966-2-1).
_XYZ: _Matrix = ((0.4339, 0.3762, 0.1899), (0.2126, 0.7152, 0.0722), (0.0177, 0.1094, 0.8729))


def difference(first: Rgb, second: Rgb, sight: _Matrix = NORMAL_SIGHT) -> float:
    """Return the difference that people with a certain colour vision see between two colours.

    It is the CIE 1976 colour difference. For example, black and white differ by 100.

    Args:
        sight: a matrix that simulates the colour vision, such as one kind of colour blindness.
    """
    return math.dist(_lab(first, sight), _lab(second, sight))


def _lab(colour: Rgb, sight: _Matrix) -> tuple[float, float, float]:
    seen = [min(max(share, 0.0), 1.0) for share in _weighted(sight, [_linear(share) for share in colour])]
    x, y, z = (
        share ** (1 / 3) if share > 216 / 24389 else share * 841 / 108 + 4 / 29
        for share in _weighted(_XYZ, seen)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _weighted(matrix: _Matrix, shares: Sequence[float]) -> Iterator[float]:
    return (sum(weight * share for weight, share in zip(row, shares, strict=True)) for row in matrix)


def nearest_colour(ink: Ink) -> str:
    """Return the everyday name of an ink's colour. It is a key of ``colour_names`` in a words file.

    Source:
        T. Riemersma, Colour metric, compuphase.com/cmetric.htm, for the distance between two colours.
    """
    red, green, blue = ink.rgb
    names: Mapping[str, Sequence[str]] = _COLOURS["names"]

    def distance(screen: str) -> float:
        other_red, other_green, other_blue = _rgb_of(screen)
        mean = (red + other_red) / 2
        squares = (red - other_red) ** 2, (green - other_green) ** 2, (blue - other_blue) ** 2
        return (2 + mean) * squares[0] + 4 * squares[1] + (3 - mean) * squares[2]

    return min(names, key=lambda name: min(map(distance, names[name])))


def luminance(colour: Rgb) -> float:
    """Return the relative luminance of a colour as WCAG 2.2 defines it: 0 for black, 1 for white."""
    red, green, blue = map(_linear, colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(share: float) -> float:
    return share / 12.92 if share <= 0.04045 else float(((share + 0.055) / 1.055) ** 2.4)


BLACK = Ink()
PAPER = Ink(black=0.0)


def grey(black: float) -> Ink:
    return Ink(black=black)


def _rgb_of(text: str) -> Rgb:
    red, green, blue = bytes.fromhex(text)
    return red / 255, green / 255, blue / 255


def ink_of_hex(text: str) -> Ink:
    """Return the ink for a screen colour such as ``#0072B2``.

    Black replaces the share that cyan, magenta and yellow have in common. The sum of all inks is at most
    ``MOST_INK``.
    """
    return ink_of_rgb(_rgb_of(text[1:]))


def ink_of_rgb(rgb: Rgb) -> Ink:
    """Return the ink for a screen colour; see ``ink_of_hex``."""
    light = max(rgb)
    if light == min(rgb):
        return Ink(black=round(1 - light, 3), srgb=rgb)
    colours = [1 - share / light for share in rgb]
    scale = min(1.0, (MOST_INK - (1 - light)) / sum(colours))
    cyan, magenta, yellow = (round(scale * share, 3) for share in colours)
    return Ink(cyan, magenta, yellow, round(1 - light, 3), rgb)


def press_safe(ink: Ink) -> Ink:
    """Return an ink without tints that are too light for a printing press.

    A share of cyan, magenta, yellow or black that is below half of ``LEAST_TINT`` becomes 0. Other shares
    below ``LEAST_TINT`` are raised to it.

    The screen colour is changed in the same way. Its tint is 1 minus its darkest channel. If this tint is too
    light, all three channels are moved towards white, or away from white, in proportion.
    """
    half = LEAST_TINT / 2
    shares = (0.0 if share < half else max(share, LEAST_TINT) for share in ink.shares)
    cyan, magenta, yellow, black = shares
    red, green, blue = ink.rgb
    tint = 1 - min(ink.rgb)
    if 0 < tint < LEAST_TINT:
        factor = 0.0 if tint < half else LEAST_TINT / tint
        red, green, blue = (1 - factor * (1 - channel) for channel in ink.rgb)
    return Ink(cyan, magenta, yellow, black, (red, green, blue))


def _read_ink(value: object) -> Ink:
    if isinstance(value, (list, tuple)):
        shares = [_percent(scalar_text(share, _INK_WORDS)) for share in value]
        if len(shares) != 4:
            raise invalid(f"{len(shares)} percentages", _INK_WORDS)
        return Ink(shares[0], shares[1], shares[2], shares[3])
    text = scalar_text(value, _INK_WORDS)
    if text.lower() == "none":
        return grey(0.0)
    if re.fullmatch("#[0-9A-Fa-f]{6}", text):
        return ink_of_hex(text)
    if text[:1] not in ("K", "k"):
        raise invalid(printable(text), _INK_WORDS)
    return grey(_percent(text[1:]))


def _percent(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{1,3})?", text) or float(text) > 100:
        raise invalid(printable(text), "a percentage from 0 to 100 is allowed")
    return float(text) / 100


def ink_text(ink: Ink) -> str:
    return str(_write_ink(ink))


def _write_ink(ink: Ink) -> object:
    if ink.srgb is not None:
        return ink.hex.upper()
    return f"K{100 * ink.black:g}" if ink.is_grey else [round(100 * share, 3) for share in ink.shares]


InkValue = Annotated[
    Ink, ValueReader(_read_ink, "an ink", {"type": ["string", "array"]}, _write_ink, control="ink")
]


def _ink_of(row: Sequence[str]) -> Ink:
    """Convert a row of the table of colours to an ink.

    Args:
        row: the percentages of cyan, magenta, yellow and black, and perhaps a screen colour.
    """
    cyan, magenta, yellow, black = (int(share) / 100 for share in row[:4])
    return Ink(cyan, magenta, yellow, black, *map(_rgb_of, row[4:]))


PALETTES: Mapping[str, tuple[Ink, ...]] = MappingProxyType(
    {name: tuple(map(_ink_of, rows)) for name, rows in _COLOURS["palettes"].items()}
)
PICTURE_INKS: Mapping[str, Ink] = MappingProxyType(
    {name: _ink_of(row) for name, row in _COLOURS["pictures"].items()}
)
# If a book is printed in black only, its pictures are printed in greys. The numbers are shares of black: the
# largest step between two neighbouring greys, and the darkest grey. On print-on-demand paper, steps below
# 12 % are not visible.
_GREY_STEP, _DARKEST_GREY = 0.18, 0.75


def picture_inks(colours: Iterable[str], *, is_grey: bool = False) -> Mapping[str, Ink]:
    """Return the ink of each colour of a picture.

    Args:
        colours: names of colours, as in ``PICTURE_INKS``.
        is_grey: whether to return greys in place of the colours. The lightest colour becomes white, and
            darker colours become darker greys.
    """
    used = sorted(set(colours), key=lambda name: -luminance(PICTURE_INKS[name].rgb))
    if not is_grey:
        return {name: PICTURE_INKS[name] for name in used}
    step = min(_GREY_STEP, _DARKEST_GREY / max(1, len(used) - 1))
    return {name: grey(step * rank) for rank, name in enumerate(used)}


_PALETTE_WORDS = f"{' or '.join(PALETTES)}, or a list of 2 to 24 inks"


def _read_palette(value: object) -> tuple[Ink, ...]:
    if not isinstance(value, (list, tuple)):
        name = scalar_text(value, _PALETTE_WORDS).lower()
        if name not in PALETTES:
            raise invalid(printable(name), f"{_PALETTE_WORDS} is allowed")
        return PALETTES[name]
    if not 2 <= len(value) <= 24:
        raise invalid(f"{len(value)} inks", f"{_PALETTE_WORDS} is allowed")
    inks = read_each(value, _read_ink)
    if len({ink.shares for ink in inks}) < len(inks):
        raise invalid("the same ink twice", "each pair needs an ink of its own")
    return tuple(inks)


def _write_palette(inks: tuple[Ink, ...]) -> object:
    return next((name for name, own in PALETTES.items() if own == inks), [_write_ink(ink) for ink in inks])


PaletteValue = Annotated[
    tuple[Ink, ...], ValueReader(_read_palette, _PALETTE_WORDS, {"type": ["string", "array"]}, _write_palette)
]
