"""Operators that place forms, images and shadings."""

from __future__ import annotations

import pikepdf

from linkpress.press.content.colours import ColourSpace, Space, colour_space
from linkpress.press.content.drawn import DrawnImage, DrawnShading
from linkpress.press.content.machine import Machine, Operands, Operator
from linkpress.press.content.matrix import moved_box, times
from linkpress.press.content.objects import entry, filters, name, named, number, numbers
from linkpress.press.content.patterns import matrix_of


def _place(machine: Machine, operands: Operands) -> None:
    thing = entry(entry(machine.resources, "/XObject"), name(operands[0]) if operands else "")
    if not isinstance(thing, pikepdf.Stream):
        return
    kind = named(thing, "/Subtype")
    if kind == "/Form":
        _run_form(machine, thing)
    elif kind == "/Image":
        _draw_image(machine, thing, inline=False)


def _run_form(machine: Machine, form: pikepdf.Stream) -> None:
    matrix = times(matrix_of(form), machine.state.matrix)
    box = numbers(entry(form, "/BBox"), 4)
    clip = moved_box(matrix, (box[0], box[1], box[2], box[3])) if box else None
    machine.nested(form, entry(form, "/Resources"), matrix, clip)


def _draw_image(machine: Machine, image: object, inline: bool) -> None:
    stencil = entry(image, "/ImageMask") in (True,)
    space = None if stencil else _image_space(image, machine.resources)
    machine.drawn.append(
        DrawnImage(
            machine.state.matrix,
            int(number(entry(image, "/Width"))),
            int(number(entry(image, "/Height"))),
            space,
            machine.state.fill,
            inline,
            machine.state.clip,
            tuple(filters(image)),
        )
    )


def _image_space(image: object, resources: object) -> ColourSpace:
    space = entry(image, "/ColorSpace")
    return ColourSpace(Space.UNKNOWN) if space is None else colour_space(space, resources)


def draw_inline(machine: Machine, operands: Operands) -> None:
    """Place an image that stands in the content itself."""
    found = operands[0].iimage.obj  # type: ignore[attr-defined]
    _draw_image(machine, found, inline=True)


def _shade(machine: Machine, operands: Operands) -> None:
    shading = entry(entry(machine.resources, "/Shading"), name(operands[0]) if operands else "")
    space = colour_space(entry(shading, "/ColorSpace"), machine.resources)
    machine.drawn.append(DrawnShading(space, machine.state.clip))


OPERATORS: dict[str, Operator] = {"Do": _place, "sh": _shade}
