"""What a search for drawings may spend, and how it says that it has spent it."""

from __future__ import annotations

from dataclasses import dataclass

from linkpress.puzzle.grid import Edge

Drawing = frozenset[Edge]


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
