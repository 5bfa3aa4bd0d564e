"""The graphics state that content streams change and save."""

from __future__ import annotations

import copy
from dataclasses import dataclass

from linkpress.press.content.colours import BLACK, Colour
from linkpress.press.content.fonts import Font
from linkpress.press.content.matrix import IDENTITY, Box, Matrix

NO_FONT = Font("none", default_width=500.0)


@dataclass(slots=True)
class State:
    """One graphics state; ``saved`` copies it."""

    matrix: Matrix = IDENTITY
    clip: Box | None = None
    stroke: Colour = BLACK
    fill: Colour = BLACK
    line_width: float = 1.0
    butt: bool = True
    font: Font = NO_FONT
    size: float = 0.0
    char_space: float = 0.0
    word_space: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def saved(self) -> State:
        """A copy that later changes leave alone."""
        return copy.copy(self)
