"""What is asked about a board's drawings, whoever answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from linkpress.puzzle.grid import Edge

Drawing = frozenset[Edge]


class Drawings(Enum):
    """Which drawings are looked for: each joins all pairs by disjoint simple paths."""

    FILLING = "filling"  # every free square is covered
    ANY = "any"  # squares may stay empty
    NO_TURN = "no turn"  # the same, but no path uses three edges of a 2 × 2 square
    LOWEST = "lowest"  # the same, and lying as low as it can: see kernels/prover/drawings.py


class OutOfBudget(Exception):  # noqa: N818 - a way out of the search, not a fault
    """The conflicts allowed are spent."""


@dataclass
class Budget:
    """Conflicts that may still be had, counted down across questions."""

    allowed: int
    spent: int = 0

    @property
    def left(self) -> int:
        """Conflicts still allowed; 0 or less once they are spent."""
        return self.allowed - self.spent
