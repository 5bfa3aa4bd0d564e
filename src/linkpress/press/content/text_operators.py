"""Operators that place and show text."""

from __future__ import annotations

import math

import pikepdf

from linkpress.press.content.drawn import DrawnText
from linkpress.press.content.fonts import Font
from linkpress.press.content.machine import Machine, Operands, Operator, floats
from linkpress.press.content.matrix import IDENTITY, Matrix, apply, box_around, least_scale, times
from linkpress.press.content.objects import dictionary, elements, entry, identity, is_number, name, number
from linkpress.press.content.patterns import run_pattern
from linkpress.press.content.state import NO_FONT

_DESCENDING = frozenset("gjpqyQ,;()[]{}|/@$§çÇşţ_ฎฏญฐุู")
_DESCENT = 0.24  # of the size: what g and p need below the baseline in most faces
_INVISIBLE = (3, 7)
_OUTLINED = (1, 2, 5, 6)


def _begin(machine: Machine, operands: Operands) -> None:
    machine.text_matrix = machine.line_matrix = IDENTITY


def _font(machine: Machine, operands: Operands) -> None:
    if len(operands) < 2:
        return
    found = entry(entry(machine.resources, "/Font"), name(operands[0]))
    machine.state.font = NO_FONT if dictionary(found) is None else machine.source.font(found)
    machine.state.size = number(operands[1])


def _setting(field: str, scale: float = 1.0) -> Operator:
    def set_field(machine: Machine, operands: Operands) -> None:
        found = floats(operands, 1)
        if found is not None:
            setattr(machine.state, field, found[0] * scale)

    return set_field


def _mode(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 1)
    if found is not None:
        machine.state.mode = int(found[0])


def _matrix(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 6)
    if found is not None:
        matrix = (found[0], found[1], found[2], found[3], found[4], found[5])
        machine.text_matrix = machine.line_matrix = matrix


def _next_line_at(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 2)
    if found is not None:
        machine.line_matrix = times((1.0, 0.0, 0.0, 1.0, found[0], found[1]), machine.line_matrix)
        machine.text_matrix = machine.line_matrix


def _next_line_leading(machine: Machine, operands: Operands) -> None:
    found = floats(operands, 2)
    if found is not None:
        machine.state.leading = -found[1]
        _next_line_at(machine, operands)


def _next_line(machine: Machine, operands: Operands) -> None:
    _next_line_at(machine, (0.0, -machine.state.leading))


def _show(machine: Machine, operands: Operands) -> None:
    if operands and isinstance(operands[-1], pikepdf.String):
        _show_parts(machine, [operands[-1]])


def _show_list(machine: Machine, operands: Operands) -> None:
    if operands:
        _show_parts(machine, elements(operands[-1]))


def _show_next(machine: Machine, operands: Operands) -> None:
    _next_line(machine, ())
    _show(machine, operands)


def _show_spaced(machine: Machine, operands: Operands) -> None:
    found = floats(operands[:2], 2)
    if found is not None:
        machine.state.word_space, machine.state.char_space = found
    _show_next(machine, operands)


def _show_parts(machine: Machine, parts: list[object]) -> None:
    state, font = machine.state, machine.state.font
    unit = font.matrix[0] if font.type3 else 0.001
    across, said, codes = 0.0, [], []
    for part in parts:
        if not isinstance(part, pikepdf.String):
            across -= number(part) / 1000 * state.size * state.stretch if is_number(part) else 0.0
            continue
        for code in font.codes(bytes(part)):
            space = state.word_space if code == 32 and font.code_bytes == 1 else 0.0
            advance = font.width(code) * unit * state.size + state.char_space + space
            across += advance * state.stretch
            said.append(font.text(code))
            codes.append(code)
    placed = times(machine.text_matrix, state.matrix)
    a, b, c, d, e, f = machine.text_matrix
    machine.text_matrix = (a, b, c, d, e + across * a, f + across * b)
    if codes:
        _emit(machine, "".join(said), placed, across)
        if font.type3:
            _run_glyphs(machine, font, codes, placed)


def _emit(machine: Machine, said: str, placed: Matrix, across: float) -> None:
    state, font = machine.state, machine.state.font
    low = state.rise - (_DESCENT * state.size if not _DESCENDING.isdisjoint(said) else 0.0)
    high = state.rise + font.cap_height * state.size
    corners = [apply(placed, x, y) for x, y in ((0.0, low), (across, low), (across, high), (0.0, high))]
    outlined = state.mode in _OUTLINED
    height = font.matrix[3] * 1000 if font.type3 else 1.0
    machine.drawn.append(
        DrawnText(
            said,
            apply(placed, 0.0, state.rise),
            apply(placed, across, state.rise),
            abs(state.size * height) * math.hypot(placed[2], placed[3]),
            font,
            state.stroke if state.mode in (1, 5) else state.fill,
            state.mode in _INVISIBLE,
            state.line_width * least_scale(state.matrix) if outlined else None,
            box_around(corners),
            state.clip,
        )
    )
    for colour, used in ((state.fill, state.mode not in (1, 5, *_INVISIBLE)), (state.stroke, outlined)):
        if used and colour.pattern:
            run_pattern(machine, colour, box_around(corners))


def _run_glyphs(machine: Machine, font: Font, codes: list[int], placed: Matrix) -> None:
    """Run each glyph of a Type 3 font once a page and font: enough to see its colours and images."""
    size = machine.state.size
    scaled = times((size * machine.state.stretch, 0.0, 0.0, size, 0.0, machine.state.rise), placed)
    for code in sorted(set(codes)):
        glyph = font.glyphs.get(code)
        key = identity(glyph)
        if glyph is None or key is None or (*key, code) in machine.once:
            continue
        machine.once.add((*key, code))
        machine.nested(glyph, font.resources, times(font.matrix, scaled), None)


OPERATORS: dict[str, Operator] = {
    "BT": _begin,
    "Tf": _font,
    "Tc": _setting("char_space"),
    "Tw": _setting("word_space"),
    "Tz": _setting("stretch", 0.01),
    "TL": _setting("leading"),
    "Ts": _setting("rise"),
    "Tr": _mode,
    "Tm": _matrix,
    "Td": _next_line_at,
    "TD": _next_line_leading,
    "T*": _next_line,
    "Tj": _show,
    "TJ": _show_list,
    "'": _show_next,
    '"': _show_spaced,
}
