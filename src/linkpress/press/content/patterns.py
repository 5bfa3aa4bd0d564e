"""Tiling and shading patterns: one cell is run where a pattern paints, so that all in it is seen."""

from __future__ import annotations

import pikepdf

from linkpress.press.content.colours import Colour, colour_space
from linkpress.press.content.drawn import DrawnShading
from linkpress.press.content.machine import Machine
from linkpress.press.content.matrix import IDENTITY, Box, Matrix, common
from linkpress.press.content.objects import entry, number, numbers


def run_pattern(machine: Machine, colour: Colour, painted: Box) -> None:
    """Run what a pattern colour paints.

    Args:
        machine: whose page it is.
        colour: with the pattern's name.
        painted: the box around the painted path, in page coordinates.
    """
    pattern = entry(entry(machine.resources, "/Pattern"), colour.pattern)
    area = common(machine.state.clip, painted) if machine.state.clip else painted
    if area is None:
        return
    if number(entry(pattern, "/PatternType")) == 2:
        space = colour_space(entry(entry(pattern, "/Shading"), "/ColorSpace"), machine.resources)
        machine.drawn.append(DrawnShading(space, area))
    elif isinstance(pattern, pikepdf.Stream):
        # A pattern's space is that of the page, not of the form it is used in.
        machine.nested(pattern, entry(pattern, "/Resources"), matrix_of(pattern), area)


def matrix_of(holder: object) -> Matrix:
    """The ``/Matrix`` of a form or pattern."""
    found = numbers(entry(holder, "/Matrix"), 6)
    return IDENTITY if found is None else (found[0], found[1], found[2], found[3], found[4], found[5])
