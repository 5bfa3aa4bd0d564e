"""Operators that set the graphics state and colours."""

from __future__ import annotations

from linkpress.press.content.colours import (
    CMYK,
    GRAY,
    RGB,
    Colour,
    ColourSpace,
    colour_space,
    initial_colour,
    set_colour,
)
from linkpress.press.content.machine import Machine, Operands, Operator, floats
from linkpress.press.content.matrix import times
from linkpress.press.content.objects import elements, entry, is_number, name, number


def _save(machine: Machine, operands: Operands) -> None:
    machine.save()


def _restore(machine: Machine, operands: Operands) -> None:
    machine.restore()


def _concatenate(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 6)
    if found is not None:
        matrix = (found[0], found[1], found[2], found[3], found[4], found[5])
        machine.state.matrix = times(matrix, machine.state.matrix)


def _line_width(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 1)
    if found is not None:
        machine.state.line_width = abs(found[0])


def _line_cap(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 1)
    if found is not None:
        machine.state.butt = found[0] == 0


def _named_state(machine: Machine, operands: Operands) -> None:
    found = entry(entry(machine.resources, "/ExtGState"), name(operands[0]) if operands else "")
    width = entry(found, "/LW")
    if is_number(width):
        machine.state.line_width = abs(number(width))
    cap = entry(found, "/LC")
    if is_number(cap):
        machine.state.butt = number(cap) == 0
    font = elements(entry(found, "/Font"), 2)
    if len(font) == 2:
        machine.state.font, machine.state.size = machine.source.font(font[0]), number(font[1])


def _device(space: ColourSpace, count: int, stroke: bool) -> Operator:
    def set_device(machine: Machine, operands: Operands) -> None:
        values = floats(operands, count)
        if values is not None:
            _set(machine, stroke, Colour(space, values))

    return set_device


def _space(stroke: bool) -> Operator:
    def set_space(machine: Machine, operands: Operands) -> None:
        if operands:
            _set(machine, stroke, initial_colour(colour_space(operands[0], machine.resources)))

    return set_space


def _values(stroke: bool) -> Operator:
    def set_values(machine: Machine, operands: Operands) -> None:
        current = machine.state.stroke if stroke else machine.state.fill
        _set(machine, stroke, set_colour(current.space, list(operands)))

    return set_values


def _set(machine: Machine, stroke: bool, colour: Colour) -> None:
    if stroke:
        machine.state.stroke = colour
    else:
        machine.state.fill = colour


OPERATORS: dict[str, Operator] = {
    "q": _save,
    "Q": _restore,
    "cm": _concatenate,
    "w": _line_width,
    "J": _line_cap,
    "gs": _named_state,
    "G": _device(GRAY, 1, stroke=True),
    "g": _device(GRAY, 1, stroke=False),
    "RG": _device(RGB, 3, stroke=True),
    "rg": _device(RGB, 3, stroke=False),
    "K": _device(CMYK, 4, stroke=True),
    "k": _device(CMYK, 4, stroke=False),
    "CS": _space(stroke=True),
    "cs": _space(stroke=False),
    "SC": _values(stroke=True),
    "SCN": _values(stroke=True),
    "sc": _values(stroke=False),
    "scn": _values(stroke=False),
}
