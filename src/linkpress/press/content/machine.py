"""The machine that content operators work on: state, current path, and what was drawn so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pikepdf

from linkpress.press.content.budget import FORM_COST, MAX_NESTING, MAX_SAVED_STATES, Budget, TooMuchError
from linkpress.press.content.drawn import Drawn, Subpath
from linkpress.press.content.fonts import Font
from linkpress.press.content.matrix import IDENTITY, Box, Matrix, Point, common
from linkpress.press.content.state import State

Operands = Sequence[object]
Operator = Callable[["Machine", Operands], None]
_LARGEST = 1e9


@dataclass(frozen=True, slots=True)
class Script:
    """A parsed stream.

    Args:
        instructions: as pikepdf parses them.
        cost: what running it takes, in operators; long texts and lists count as several.
    """

    instructions: Sequence[object]
    cost: int


class Source(Protocol):
    """Where a machine gets fonts and nested streams."""

    budget: Budget

    def font(self, value: object) -> Font:
        """A font, read once."""
        ...

    def script(self, stream: pikepdf.Stream) -> Script:
        """A stream, parsed."""
        ...


class Machine:
    """Executes one page; forms, patterns and glyphs run inside it.

    Args:
        source: fonts and nested streams.
        operators: what each operator does.
        images: takes an inline image.
    """

    def __init__(self, source: Source, operators: Mapping[str, Operator], inline: Operator) -> None:
        self.source = source
        self.operators = operators
        self.inline = inline
        self.drawn: list[Drawn] = []
        self.state = State()
        self.saved: list[State] = []
        self.resources: object = None
        self.subpaths: list[Subpath] = []
        self.here: Point = (0.0, 0.0)
        self.pending_clip = False
        self.text_matrix: Matrix = IDENTITY
        self.line_matrix: Matrix = IDENTITY
        self.once: set[tuple[int, int, int]] = set()
        self.depth = 0

    def execute(self, script: Script, resources: object) -> None:
        """Run the instructions of one stream.

        Args:
            script: the stream's.
            resources: the stream's own; None to keep those of the stream around it.
        Raises:
            TooMuchError: nested too deep, or too many operators.
        """
        if self.depth > MAX_NESTING:
            raise TooMuchError(f"content nested more than {MAX_NESTING} deep, or inside itself")
        self.source.budget.spend_operators(script.cost)
        outer = self.resources
        self.resources = resources if resources is not None else outer
        for instruction in script.instructions:
            if isinstance(instruction, pikepdf.ContentStreamInlineImage):
                self.inline(self, [instruction])
                continue
            step = self.operators.get(str(instruction.operator))  # type: ignore[attr-defined]
            if step is not None:
                step(self, instruction.operands)  # type: ignore[attr-defined]
        self.resources = outer

    def nested(self, stream: pikepdf.Stream, resources: object, matrix: Matrix, clip: Box | None) -> None:
        """Run a form, pattern or glyph with its own state, then put everything back.

        Args:
            stream: what to run.
            resources: its own; None for those around it.
            matrix: its space, in page coordinates.
            clip: the box it may draw in, in page coordinates; None for all.
        """
        kept = (self.state, self.saved, self.subpaths, self.here, self.text_matrix, self.line_matrix)
        self.state, self.saved, self.subpaths = self.state.saved(), [], []
        self.state.matrix = matrix
        self.narrow(clip)
        self.source.budget.spend_operators(FORM_COST)
        self.depth += 1
        self.execute(self.source.script(stream), resources)
        self.depth -= 1
        self.state, self.saved, self.subpaths, self.here, self.text_matrix, self.line_matrix = kept

    def save(self) -> None:
        """Put the state aside.

        Raises:
            TooMuchError: so many are put aside already that the file can't be meant seriously.
        """
        if len(self.saved) >= MAX_SAVED_STATES:
            raise TooMuchError(f"more than {MAX_SAVED_STATES} graphics states put aside")
        self.saved.append(self.state.saved())

    def restore(self) -> None:
        """Take the state back; nothing happens where none was put aside."""
        if self.saved:
            self.state = self.saved.pop()

    def narrow(self, box: Box | None) -> None:
        """Cut the clip down to what it shares with a box; None leaves it."""
        if box is None:
            return
        if self.state.clip is not None:
            left, bottom = box[0], box[1]
            box = common(self.state.clip, box) or (left, bottom, left, bottom)
        self.state.clip = box


def floats(operands: Operands, count: int) -> tuple[float, ...] | None:
    """The last ``count`` operands as finite numbers; None where they are not."""
    if len(operands) != count:
        if len(operands) < count:
            return None
        operands = operands[len(operands) - count :]
    try:
        found = tuple(map(float, operands))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    # A PDF number is never NaN, so its bounds tell of an overflow.
    if max(found) <= _LARGEST and min(found) >= -_LARGEST:
        return found
    return tuple(max(-_LARGEST, min(_LARGEST, v)) if math.isfinite(v) else 0.0 for v in found)
