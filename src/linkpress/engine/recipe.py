"""Recipe of a puzzle: everything that the puzzle must meet, such as size, counts, symmetry and difficulty."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from linkpress.engine.difficulty import Span as Span
from linkpress.engine.difficulty import difficulty_words
from linkpress.engine.rulesets import Rule as Rule
from linkpress.errors import UsageError
from linkpress.puzzle.picture import Picture
from linkpress.puzzle.puzzle import Cell, Grid


class Method(StrEnum):
    """Method by which boards are made."""

    # divides the board into paths, changes them at random until they meet the recipe, and then repairs them
    # until the solution is unique
    WALK = "walk"
    # like WALK, but with a faster repair; makes two to three times as many puzzles, but different puzzles
    QUICK = "quick"
    CLASSIC = "classic"  # grows random paths, and throws away boards that don't meet the recipe


class Pattern(StrEnum):
    """Symmetry of the solid squares."""

    SCATTERED = "scattered"
    ROTATIONAL = "rotational"  # a half turn maps the solids onto themselves
    MIRROR = "mirror"  # a left–right reflection maps the solids onto themselves


class NumberPattern(StrEnum):
    """Symmetry of the squares that contain a number. The values of the numbers don't matter."""

    FREE = "free"
    ROTATIONAL = "rotational"  # a half turn maps the squares with numbers onto themselves
    MIRROR = "mirror"  # a left–right reflection maps the squares with numbers onto themselves
    FLIP = "flip"  # a top–bottom reflection maps the squares with numbers onto themselves
    MIRRORS = "mirrors"  # both reflections map the squares with numbers onto themselves
    QUARTER = "quarter"  # a quarter turn maps the squares with numbers onto themselves
    SYMMETRIC = "symmetric"  # one of these symmetries, chosen at random for each puzzle
    MIXED = "mixed"  # FREE or one of these symmetries, chosen at random for each puzzle


# If the symmetry of the numbers is chosen at random, these are the weights of the choices. FREE is a choice
# for MIXED only. The second table is for boards whose shorter side is at least ``_LARGE_SIDE``.
#
# The weights were chosen so that generated boards have each symmetry about as often as published boards. The
# weights differ from the shares of published boards, for two reasons: some numbers of pairs rule out a half
# turn, and boards with a reflection are made more easily. Of 130 published boards of 10 × 10, 34 % have a
# half turn, and 1 % only a reflection. Of 133 published boards of 11 × 11 to 16 × 16, 37 % have a half turn,
# and 10 % only a reflection.
#
# The weights make large boards less often unsymmetric than published boards are, because large unsymmetric
# boards look less like published boards. A random forest told boards of 15 × 15 from published boards with an
# AUC of 0.76 with a weight of 10 for FREE, 0.68 with 6, and 0.49 with 2. (An AUC of 0.5 means guessing.)
_LARGE_SIDE = 12
_PATTERNS = {
    NumberPattern.FREE: 16,
    NumberPattern.ROTATIONAL: 14,
    NumberPattern.MIRROR: 1,
    NumberPattern.FLIP: 1,
}
_LARGE_PATTERNS = {
    NumberPattern.FREE: 2,
    NumberPattern.ROTATIONAL: 28,
    NumberPattern.MIRROR: 5,
    NumberPattern.FLIP: 1,
    NumberPattern.MIRRORS: 2,
    NumberPattern.QUARTER: 4,
}

# Name of the method by which difficulty scores are computed. Scores by different methods can't be compared.
MEASURE = "effort-1"


class Grade(IntEnum):
    """Grade of a solving technique. A puzzle has the grade of the hardest technique that it needs.

    The grade says what a solver has to know. The difficulty of a puzzle is a different number, which says how
    hard the puzzle feels.
    """

    BEGINNER = 1
    EASY = 2
    MEDIUM = 3
    HARD = 4
    EXPERT = 5
    FIENDISH = 6

    @property
    def label(self) -> str:
        return self.name.lower()


def grade_words(grades: tuple[Grade, Grade]) -> str:
    """Return a range of grades in words, such as ``hard`` or ``medium to hard``."""
    low, high = grades
    return low.label if low == high else f"{low.label} to {high.label}"


def counted(count: int | Span, noun: str) -> str:
    return f"{count} {noun}{'s' * (str(count) != '1')}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that is required of one puzzle.

    Plain values are converted: a whole number to a ``Span``, a single ``Grade`` to a range, a text such as
    ``"strict"`` to a member of its enumeration.

    Args:
        rows, cols: the size of the board, 3 to 50 each.
        pairs: how many pairs of numbers; None for any number (only with the method ``classic``).
        solids: how many solid squares; None for any number (only with ``classic``).
        rule: the rule that says what "exactly one solution" means.
        techniques: the lowest and the highest grade of the hardest technique that the puzzle needs. None
            accepts every puzzle, even a puzzle that no technique can finish.
        shortest_path: the smallest number of squares on a path, including both ends; at least 2.
        adjacent_pairs: whether the two numbers of a pair may be neighbours.
        longest_share: the largest share of the free squares that one path may cover, 0 to 1.
        border_share: the largest share of the pairs that may have both numbers on the border, 0 to 1.
        border_numbers: the largest share of the numbers that may be on the border, 0 to 1.
        pattern: the symmetry of the solids.
        number_pattern: the symmetry of the numbers (not with ``classic``).
        composed: whether the puzzle should look as if a human author had composed it (not with ``classic``).
        difficulty: the range of difficulties, from 0 to 100; None accepts any.
        apart: whether no two numbers may be neighbours (not with ``classic``).
        mask: a grid that determines all solids of the puzzle; ``solids`` is then their number (not with
            ``classic``).
        picture: a picture that appears when the paths are coloured. Its grid is then the mask, and no path
            leaves the region in which it begins (not with ``classic`` or ``apart``).
    Raises:
        UsageError: a value has a wrong type.
    """

    rows: int
    cols: int
    pairs: Span | None = None
    solids: Span | None = None
    rule: Rule = Rule.STRICT
    techniques: tuple[Grade, Grade] | None = None
    shortest_path: int = 3
    adjacent_pairs: bool = False
    longest_share: float = 1.0
    border_share: float = 1.0
    border_numbers: float = 1.0
    pattern: Pattern = Pattern.SCATTERED
    number_pattern: NumberPattern = NumberPattern.FREE
    composed: bool = False
    difficulty: Span | None = None
    apart: bool = False
    mask: Grid | None = None
    picture: Picture | None = None

    def __post_init__(self) -> None:
        for name, convert in _CONVERSIONS.items():
            value = getattr(self, name)
            if (converted := convert(name, value)) is not value:
                object.__setattr__(self, name, converted)
        if self.picture is not None and self.mask is None:
            object.__setattr__(self, "mask", self.picture.grid)
        if self.mask is not None and self.solids is None:
            object.__setattr__(self, "solids", Span(len(self.mask.solids), len(self.mask.solids)))

    @property
    def required(self) -> str:
        """Return the required difficulty and techniques in words: ``hard, technique easy to medium``."""
        words = [difficulty_words(self.difficulty)] if self.difficulty else []
        return ", ".join([*words, f"technique {grade_words(self.techniques)}"] if self.techniques else words)

    def accepts(self, technique: Grade | None, difficulty: int | None) -> bool:
        """Return whether the techniques and the difficulty of a puzzle are within the recipe's ranges.

        Args:
            technique: the grade of the hardest technique that the puzzle needs; None if it is unknown.
            difficulty: the difficulty from 0 to 100; None if it is unknown.
        """
        if self.techniques and (
            technique is None or not self.techniques[0] <= technique <= self.techniques[1]
        ):
            return False
        return self.difficulty is None or (difficulty is not None and difficulty in self.difficulty)

    @property
    def layers(self) -> Mapping[str, Grid]:
        """Return the areas that no path may leave.

        Each area is given as a board on which all other cells are solid. A picture has one area for each
        colour; the key is the name of the colour. A mask is a single area, whose key is empty. If the recipe
        has neither a picture nor a mask, the result is empty.
        """
        if self.picture is not None:
            return self.picture.layers
        return {"": self.mask} if self.mask is not None else {}

    @property
    def drawn_patterns(self) -> dict[NumberPattern, int]:
        """Return the symmetries from which the symmetry of a board's numbers is chosen at random.

        The value of each symmetry is its weight in the random choice. The result is empty if the recipe does
        not leave the symmetry to chance.
        """
        if self.number_pattern not in (NumberPattern.SYMMETRIC, NumberPattern.MIXED):
            return {}
        patterns = _LARGE_PATTERNS if min(self.rows, self.cols) >= _LARGE_SIDE else _PATTERNS
        if self.number_pattern is NumberPattern.MIXED:
            return patterns
        return {pattern: weight for pattern, weight in patterns.items() if pattern is not NumberPattern.FREE}

    @property
    def shortest(self) -> int:
        return max(self.shortest_path, 2 if self.adjacent_pairs else 3)

    @property
    def usual_work(self) -> int:
        """Return after how many units of work (about a microsecond each) to give up making a puzzle."""
        return 5_000_000 + 60_000 * self.rows * self.cols

    @property
    def board(self) -> str:
        return f"{self.cols} × {self.rows}"

    def mirrored(self, cell: Cell, pattern: Pattern | NumberPattern) -> Cell:
        """Return the cell onto which a symmetry maps a cell. Without a symmetry, return the cell itself.

        MIRRORS and QUARTER map up to four cells onto each other. For these, the result is the next of these
        cells, so four calls in a row lead back to the first cell.
        """
        row, col = divmod(cell, self.cols)
        if pattern in (Pattern.ROTATIONAL, NumberPattern.ROTATIONAL):
            return (self.rows - 1 - row) * self.cols + self.cols - 1 - col
        if pattern in (Pattern.MIRROR, NumberPattern.MIRROR):
            return row * self.cols + self.cols - 1 - col
        if pattern is NumberPattern.FLIP:
            return (self.rows - 1 - row) * self.cols + col
        if pattern is NumberPattern.QUARTER:
            return col * self.cols + self.cols - 1 - row
        if pattern is NumberPattern.MIRRORS:
            # Go around the four quarters of the board clockwise. From the upper left and the lower right
            # quarter, a left–right reflection leads to the next quarter. From the other two quarters, a
            # top–bottom reflection leads to the next quarter.
            across = (2 * row < self.rows) == (2 * col < self.cols)
            if 2 * row + 1 == self.rows or 2 * col + 1 == self.cols:
                across = 2 * row + 1 == self.rows
            return self.mirrored(cell, NumberPattern.MIRROR if across else NumberPattern.FLIP)
        return cell


def _span(name: str, value: Any) -> Span | None:
    if type(value) is int:
        return Span(value, value)
    if value is None or isinstance(value, Span):
        return value
    raise UsageError(f"Recipe: {name} is a whole number or a Span, not {value!r}.")


def _grade_range(name: str, value: Any) -> tuple[Grade, Grade] | None:
    return (value, value) if isinstance(value, Grade) else value


def _member_of(kind: type[StrEnum]) -> Callable[[str, Any], StrEnum]:
    def convert(name: str, value: Any) -> StrEnum:
        try:
            return kind(value)
        except ValueError:
            raise UsageError(f"Recipe: {name} is one of {', '.join(kind)}, not {value!r}.") from None

    return convert


# Functions that convert plain values of a recipe's fields to the types of these fields.
_CONVERSIONS: dict[str, Callable[[str, Any], object]] = {
    "pairs": _span, "solids": _span, "difficulty": _span, "techniques": _grade_range,
    "rule": _member_of(Rule), "pattern": _member_of(Pattern), "number_pattern": _member_of(NumberPattern),
}  # fmt: skip
