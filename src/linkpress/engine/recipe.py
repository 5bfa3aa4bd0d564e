"""What one puzzle must be: the order that a generator fills exactly or refuses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from linkpress.errors import UsageError


class Rule(StrEnum):
    """Which drawings count when a board is proven to have one solution."""

    FILLED = "filled"  # every free square is covered; a path may run alongside itself
    STRICT = "strict"  # squares may stay empty; the only drawing is one that fills the board


class Method(StrEnum):
    """How covers are made."""

    WALK = "walk"  # a random walk over covers, steered to the recipe and repaired
    CLASSIC = "classic"  # the article's path growth, by rejection


class Pattern(StrEnum):
    """How solids lie on the board."""

    SCATTERED = "scattered"
    ROTATIONAL = "rotational"  # unchanged by a half turn
    MIRROR = "mirror"  # unchanged by a left–right reflection


class Grade(IntEnum):
    """Difficulty as a human meets it: the lowest rung of the ladder that finishes the board."""

    BEGINNER = 1
    EASY = 2
    MEDIUM = 3
    HARD = 4
    EXPERT = 5
    FIENDISH = 6

    @property
    def label(self) -> str:
        """The word in specs and in volume.json: ``beginner`` … ``fiendish``."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Span:
    """Whole numbers from ``low`` to ``high``, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise UsageError(f"{self.low}-{self.high}: the low end is above the high end")

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """One puzzle to be made.

    Args:
        rows, cols: 3 to 50 each.
        pairs: how many pairs, None for any (``classic`` only).
        solids: how many solid squares, None for any (``classic`` only).
        rule: what "exactly one solution" means.
        grades: accepted grades, lowest and highest; None accepts any, ungraded too.
        shortest_path: fewest squares on a path, endpoints included; 2 or more.
        adjacent_pairs: whether the two ends of a pair may be neighbours.
        longest_share: most of the free squares that one path may cover, 0 to 1.
        border_share: at most this share of the pairs has both ends on the border, 0 to 1.
        pattern: how the solids lie.
    """

    rows: int
    cols: int
    pairs: Span | None = None
    solids: Span | None = None
    rule: Rule = Rule.STRICT
    grades: tuple[Grade, Grade] | None = None
    shortest_path: int = 3
    adjacent_pairs: bool = False
    longest_share: float = 1.0
    border_share: float = 1.0
    pattern: Pattern = Pattern.SCATTERED
