"""A recipe says what one puzzle must be: the order that a generator fills exactly or refuses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum

from linkpress.engine.rulesets import Rule as Rule
from linkpress.errors import UsageError
from linkpress.puzzle.puzzle import Cell, Grid


class Method(StrEnum):
    """A method says how covers are made."""

    WALK = "walk"  # a random walk over covers, steered to the recipe and repaired
    QUICK = "quick"  # the same walk, repaired by scans: other puzzles, twice to three times as fast
    CLASSIC = "classic"  # the article's path growth, by rejection


class Pattern(StrEnum):
    """A pattern says how solids lie on the board."""

    SCATTERED = "scattered"
    ROTATIONAL = "rotational"  # unchanged by a half turn
    MIRROR = "mirror"  # unchanged by a left–right reflection


class NumberPattern(StrEnum):
    """A number pattern says how the squares with numbers lie, whichever numbers they are."""

    FREE = "free"
    ROTATIONAL = "rotational"  # unchanged by a half turn
    MIRROR = "mirror"  # unchanged by a left–right reflection
    FLIP = "flip"  # unchanged by a top–bottom reflection
    SYMMETRIC = "symmetric"  # one of these three, drawn for each puzzle
    MIXED = "mixed"  # one of these three or free, drawn for each puzzle


# How often each pattern is drawn for a puzzle, as published boards have them: of 81 symmetric ones 67 stay
# unchanged by a half turn, 13 by a left–right reflection and 1 by a top–bottom one.
DRAWN_PATTERNS = {
    NumberPattern.SYMMETRIC: {NumberPattern.ROTATIONAL: 14, NumberPattern.MIRROR: 4, NumberPattern.FLIP: 2},
    NumberPattern.MIXED: {
        NumberPattern.FREE: 10,
        NumberPattern.ROTATIONAL: 7,
        NumberPattern.MIRROR: 2,
        NumberPattern.FLIP: 1,
    },
}

MOST_STARS = 5
"""Stars are printed from one to so many; see ``engine.solve.grade`` for what they say."""
STARS_BEGIN = (0, 150, 250, 350, 390)
"""The scores, in hundredths of a star, from which boards have one to five stars."""
# How scores are found. Records without a measure are of 0.2.0 or 0.1.0.
MEASURE = "effort-1"


class Grade(IntEnum):
    """A grade is the difficulty as a person meets it, by the lowest rung that finishes the board."""

    BEGINNER = 1
    EASY = 2
    MEDIUM = 3
    HARD = 4
    EXPERT = 5
    FIENDISH = 6

    @property
    def label(self) -> str:
        """Return the word in specs and in volume.json: ``beginner`` … ``fiendish``."""
        return self.name.lower()


def grade_words(grades: tuple[Grade, Grade]) -> str:
    """Write a range of grades in words: ``hard``, ``medium to hard``."""
    low, high = grades
    return low.label if low == high else f"{low.label} to {high.label}"


@dataclass(frozen=True, slots=True)
class Span:
    """A span has the whole numbers from ``low`` to ``high``, both included."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise UsageError(f"{self.low}-{self.high}: the low end is above the high end")

    def __contains__(self, value: int) -> bool:
        return self.low <= value <= self.high

    def __str__(self) -> str:
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


def counted(count: int | Span, noun: str) -> str:
    """Write a number of things, or a range: ``1 pair``, ``7 pairs``, ``1-3 pairs``."""
    return f"{count} {noun}{'s' * (str(count) != '1')}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """A recipe is for one puzzle to be made.

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
        border_numbers: at most this share of the numbers stands on the border, 0 to 1.
        pattern: how the solids lie.
        number_pattern: how the squares with numbers lie (not with ``classic``).
        composed: whether it shall look as authors' boards do (not with ``classic``).
        stars: accepted stars, fewest and most; None accepts any.
        apart: whether no two numbers may stand side by side (not with ``classic``).
        mask: the solids, on a grid of this size; ``solids`` then counts them (not with ``classic``).
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
    border_numbers: float = 1.0
    pattern: Pattern = Pattern.SCATTERED
    number_pattern: NumberPattern = NumberPattern.FREE
    composed: bool = False
    stars: Span | None = None
    apart: bool = False
    mask: Grid | None = None

    def __post_init__(self) -> None:
        if self.mask is not None and self.solids is None:
            object.__setattr__(self, "solids", Span(len(self.mask.solids), len(self.mask.solids)))

    @property
    def asked(self) -> str:
        """Return the grades and stars that it asks for: ``medium to hard, 3 stars``; empty for any."""
        grades = [grade_words(self.grades)] if self.grades else []
        return ", ".join([*grades, counted(self.stars, "star")] if self.stars else grades)

    def takes(self, grade: Grade | None, stars: int | None) -> bool:
        """Tell whether it asks for a puzzle of this grade and with these stars."""
        if self.grades and (grade is None or not self.grades[0] <= grade <= self.grades[1]):
            return False
        return self.stars is None or (stars is not None and stars in self.stars)

    @property
    def shortest(self) -> int:
        """Return the fewest squares on a path that both knobs allow: two squares make an adjacent pair."""
        return max(self.shortest_path, 2 if self.adjacent_pairs else 3)

    @property
    def usual_work(self) -> int:
        """Return the units of work after which the recipe counts as one that can't be met."""
        return 5_000_000 + 60_000 * self.rows * self.cols

    @property
    def board(self) -> str:
        """Return the board's size in words: ``7 × 9``, columns first as in a spec."""
        return f"{self.cols} × {self.rows}"

    def mirrored(self, cell: Cell, pattern: Pattern | NumberPattern) -> Cell:
        """Return a cell's counterpart under a pattern; the cell itself where things lie anyhow."""
        row, col = divmod(cell, self.cols)
        if pattern in (Pattern.ROTATIONAL, NumberPattern.ROTATIONAL):
            return (self.rows - 1 - row) * self.cols + self.cols - 1 - col
        if pattern in (Pattern.MIRROR, NumberPattern.MIRROR):
            return row * self.cols + self.cols - 1 - col
        if pattern is NumberPattern.FLIP:
            return (self.rows - 1 - row) * self.cols + col
        return cell
