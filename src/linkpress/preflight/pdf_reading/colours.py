"""This module reads colour spaces and colours as content streams set them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import pikepdf

from linkpress.documents.inks import Ink
from linkpress.preflight.pdf_reading.objects import elements, entry, is_number, name, number

_MOST_PARTS = 8  # of a space's array; DeviceN has 5
_MOST_INKS = 32  # ISO 32000-1, C.2


class Space(StrEnum):
    """Colour spaces belong to families, as far as printing tells them apart."""

    GRAY = "gray"
    CMYK = "CMYK"
    RGB = "RGB"
    SPOT = "spot"
    ICC_GRAY = "ICC gray"
    ICC_RGB = "ICC RGB"
    ICC_CMYK = "ICC CMYK"
    CAL_GRAY = "CalGray"
    CAL_RGB = "CalRGB"
    LAB = "Lab"
    PATTERN = "pattern"
    UNKNOWN = "unknown"


RGB_LIKE = {Space.RGB, Space.ICC_RGB, Space.CAL_RGB, Space.LAB}

_NAMED = {
    "/DeviceGray": Space.GRAY, "/G": Space.GRAY, "/DeviceRGB": Space.RGB, "/RGB": Space.RGB,
    "/DeviceCMYK": Space.CMYK, "/CMYK": Space.CMYK, "/Pattern": Space.PATTERN,
    "/CalGray": Space.CAL_GRAY, "/CalRGB": Space.CAL_RGB, "/Lab": Space.LAB,
}  # fmt: skip
_ICC = {1: Space.ICC_GRAY, 3: Space.ICC_RGB, 4: Space.ICC_CMYK}


@dataclass(frozen=True, slots=True)
class ColourSpace:
    """A colour space is what a file's name or array for it stands for.

    Args:
        inks: names of a spot space's inks.
        base: the alternate of a spot space, the base of an indexed or pattern space.
        indexed: whether values are places in a table of ``base`` colours.
    """

    family: Space
    inks: tuple[str, ...] = ()
    base: ColourSpace | None = None
    indexed: bool = False

    def families(self) -> set[Space]:
        """Return the family and what lies under it."""
        return {self.family} | (self.base.families() if self.base else set())


@dataclass(frozen=True, slots=True)
class Colour:
    """A colour is set by its space and values, and by its pattern if it is one."""

    space: ColourSpace
    values: tuple[float, ...] = ()
    pattern: str = ""

    @property
    def black(self) -> float | None:
        """Return the share of black ink, 0 to 1, if no other ink is used; None if one is, or nobody knows."""
        family, values = self.space.family, self.values
        if self.space.indexed or not values:
            return None
        if family in (Space.GRAY, Space.ICC_GRAY, Space.CAL_GRAY):
            return 1 - values[0]
        if family in (Space.CMYK, Space.ICC_CMYK) and len(values) == 4 and not any(values[:3]):
            return values[3]
        if family in (Space.RGB, Space.ICC_RGB, Space.CAL_RGB) and len(values) == 3 and len(set(values)) == 1:
            return 1 - values[0]
        if family is Space.SPOT and set(self.space.inks) <= {"/Black", "/None"}:
            return values[self.space.inks.index("/Black")] if "/Black" in self.space.inks else 0.0
        return None

    @property
    def is_paper(self) -> bool:
        """Tell whether no ink is laid down."""
        black = self.black
        if black is not None:
            return black <= 0
        return self.space.family is Space.SPOT and not any(self.values)

    @property
    def is_rich_black(self) -> bool:
        """Tell whether it is a black, or nearly one, that several inks make."""
        four = self.space.family in (Space.CMYK, Space.ICC_CMYK) and not self.space.indexed
        return four and len(self.values) == 4 and Ink(*self.values).is_rich_black

    def __str__(self) -> str:
        return f"{self.space.family} {' '.join(f'{value:g}' for value in self.values)}".strip()


GRAY, RGB, CMYK = ColourSpace(Space.GRAY), ColourSpace(Space.RGB), ColourSpace(Space.CMYK)
UNKNOWN = ColourSpace(Space.UNKNOWN)
BLACK = Colour(GRAY, (0.0,))


def colour_space(value: object, resources: object, depth: int = 0) -> ColourSpace:
    """Return the space that a name or array stands for; unknown past a few spaces inside spaces."""
    if depth > 6:
        return UNKNOWN
    if isinstance(value, pikepdf.Name):
        found = entry(entry(resources, "/ColorSpace"), name(value))
        if found is not None and name(found) != name(value):
            return colour_space(found, resources, depth + 1)
        return ColourSpace(_NAMED.get(name(value), Space.UNKNOWN))
    parts = elements(value, _MOST_PARTS)
    if not parts:
        return UNKNOWN
    return _array_space(name(parts[0]), parts, resources, depth + 1)


def _array_space(kind: str, parts: list[object], resources: object, depth: int) -> ColourSpace:
    if kind == "/ICCBased" and len(parts) > 1:
        return ColourSpace(_ICC.get(int(number(entry(parts[1], "/N"))), Space.UNKNOWN))
    if kind in ("/Indexed", "/I") and len(parts) > 1:
        base = colour_space(parts[1], resources, depth)
        return ColourSpace(base.family, base.inks, base, indexed=True)
    if kind in ("/Separation", "/DeviceN") and len(parts) > 2:
        inks = [parts[1]] if kind == "/Separation" else elements(parts[1], _MOST_INKS)
        return ColourSpace(
            Space.SPOT, tuple(name(ink) for ink in inks), colour_space(parts[2], resources, depth)
        )
    if kind == "/Pattern" and len(parts) > 1:
        return ColourSpace(Space.PATTERN, base=colour_space(parts[1], resources, depth))
    return ColourSpace(_NAMED.get(kind, Space.UNKNOWN))


def initial_colour(space: ColourSpace) -> Colour:
    """Return the colour that ``cs`` sets: black, or full tint of a spot ink."""
    counts = {Space.GRAY: 1, Space.CAL_GRAY: 1, Space.ICC_GRAY: 1, Space.RGB: 3, Space.CAL_RGB: 3,
              Space.ICC_RGB: 3, Space.LAB: 3}  # fmt: skip
    if space.family in (Space.CMYK, Space.ICC_CMYK):
        return Colour(space, (0.0, 0.0, 0.0, 1.0))
    if space.family is Space.SPOT:
        return Colour(space, (1.0,) * len(space.inks))
    return Colour(space, (0.0,) * counts.get(space.family, 0))


def set_colour(space: ColourSpace, operands: list[object]) -> Colour:
    """Return the colour that ``sc`` or ``scn`` sets in a space."""
    pattern = name(operands[-1]) if operands else ""
    return Colour(space, tuple(number(value) for value in operands if is_number(value)), pattern)
