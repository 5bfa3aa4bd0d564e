"""Operators that build, paint and clip paths."""

from __future__ import annotations

from linkpress.press.content.drawn import DrawnPath, Subpath
from linkpress.press.content.machine import Machine, Operands, Operator, floats
from linkpress.press.content.matrix import Point, apply, box_around, least_scale
from linkpress.press.content.patterns import run_pattern


def _move(machine: Machine, operands: Operands) -> None:
    point = floats(operands, 2)
    if point is not None:
        machine.here = (point[0], point[1])
        machine.subpaths.append(Subpath([apply(machine.state.matrix, *machine.here)]))


def _line(machine: Machine, operands: Operands) -> None:
    point = floats(operands, 2)
    if point is not None:
        _extend(machine, [(point[0], point[1])])


def _curve(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 6)
    if found is not None:
        _bend(machine, [(found[0], found[1]), (found[2], found[3]), (found[4], found[5])])


def _curve_from_here(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 4)
    if found is not None:
        _bend(machine, [machine.here, (found[0], found[1]), (found[2], found[3])])


def _curve_to_end(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 4)
    if found is not None:
        _bend(machine, [(found[0], found[1]), (found[2], found[3]), (found[2], found[3])])


def _bend(machine: Machine, points: list[Point]) -> None:
    _extend(machine, points)
    machine.subpaths[-1].curved = True


def _extend(machine: Machine, points: list[Point]) -> None:
    matrix = machine.state.matrix
    if not machine.subpaths:
        machine.subpaths.append(Subpath([apply(matrix, *machine.here)]))
    elif machine.subpaths[-1].closed:
        machine.subpaths.append(Subpath([machine.subpaths[-1].points[0]]))
    machine.subpaths[-1].points.extend(apply(matrix, x, y) for x, y in points)
    machine.here = points[-1]


def _rectangle(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 4)
    if found is None:
        return
    x, y, width, height = found
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    moved = [apply(machine.state.matrix, *corner) for corner in corners]
    machine.subpaths.append(Subpath(moved, closed=True))
    machine.here = (x, y)


def _close(machine: Machine, operands: Operands) -> None:
    if machine.subpaths:
        machine.subpaths[-1].closed = True


def _clip(machine: Machine, operands: Operands) -> None:
    machine.pending_clip = True


def _painter(stroke: bool, fill: bool, close: bool = False) -> Operator:
    def paint(machine: Machine, operands: Operands) -> None:
        if close:
            _close(machine, operands)
        _paint(machine, stroke, fill)

    return paint


def _paint(machine: Machine, stroke: bool, fill: bool) -> None:
    state, subpaths = machine.state, machine.subpaths
    machine.subpaths = []
    if subpaths and (stroke or fill):
        width = state.line_width * least_scale(state.matrix)
        inks = (state.stroke if stroke else None, state.fill if fill else None)
        path = DrawnPath(subpaths, *inks, width, state.clip, state.butt)
        machine.drawn.append(path)
        for colour in (path.stroke, path.fill):
            if colour is not None and colour.pattern:
                run_pattern(machine, colour, box_around([p for part in subpaths for p in part.points]))
    if machine.pending_clip:
        machine.pending_clip = False
        points = [point for part in subpaths for point in part.points]
        machine.narrow(box_around(points) if points else None)


OPERATORS: dict[str, Operator] = {
    "m": _move,
    "l": _line,
    "c": _curve,
    "v": _curve_from_here,
    "y": _curve_to_end,
    "h": _close,
    "re": _rectangle,
    "W": _clip,
    "W*": _clip,
    "n": _painter(stroke=False, fill=False),
    "S": _painter(stroke=True, fill=False),
    "s": _painter(stroke=True, fill=False, close=True),
    "f": _painter(stroke=False, fill=True),
    "F": _painter(stroke=False, fill=True),
    "f*": _painter(stroke=False, fill=True),
    "B": _painter(stroke=True, fill=True),
    "B*": _painter(stroke=True, fill=True),
    "b": _painter(stroke=True, fill=True, close=True),
    "b*": _painter(stroke=True, fill=True, close=True),
}
