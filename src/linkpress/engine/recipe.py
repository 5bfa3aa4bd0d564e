"""Recipe of a puzzle: everything that the puzzle must meet, such as size, counts, symmetry and difficulty.

``recipe_problem`` detects impossible recipes before any puzzle is generated. It tests a recipe's counts of
pairs and solids, its symmetries, its mask and its picture. A recipe that passes all tests may still be
impossible.

A mask divides a board into islands, which are connected pieces of free squares. A picture divides a board
into connected pieces of one colour, which are also called islands. A lower bound on the number of paths that
fill an island is computed as follows. Draw as many lines between neighbouring squares as possible, with at
most two at each square. The bound is the number of squares minus the number of lines. It is above one for
islands with arms that are one square wide. It is also above one if the island, coloured like a chessboard,
has many more squares of one colour than of the other.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from functools import cache, lru_cache
from typing import Any

from linkpress.engine.difficulty import MOST_DIFFICULTY, Difficulty, difficulty_words
from linkpress.engine.difficulty import Span as Span
from linkpress.engine.rulesets import Rule as Rule
from linkpress.errors import UsageError
from linkpress.puzzle.picture import Picture
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Cell, Grid


class Method(StrEnum):
    """Method by which boards are made."""

    # divides the board into paths, changes them at random until they meet the recipe, and then repairs them
    # until the solution is unique
    WALK = "walk"
    # like WALK, but with a faster repair; makes two to three times as many puzzles in the same time; from the
    # same seed, WALK and QUICK make different puzzles
    QUICK = "quick"
    CLASSIC = "classic"  # grows random paths, and throws away boards that don't meet the recipe


class Pattern(StrEnum):
    """Symmetry of the solid squares."""

    SCATTERED = "scattered"
    ROTATIONAL = "rotational"  # a half turn of the board gives the same set of solid squares
    MIRROR = "mirror"  # a left–right reflection of the board gives the same set of solid squares


class NumberPattern(StrEnum):
    """Symmetry of the squares that contain a number. The values of the numbers don't matter."""

    FREE = "free"
    ROTATIONAL = "rotational"  # a half turn of the board gives the same set of squares with numbers
    MIRROR = "mirror"  # a left–right reflection of the board gives the same set of squares with numbers
    FLIP = "flip"  # a top–bottom reflection of the board gives the same set of squares with numbers

    # a left–right and a top–bottom reflection of the board both give the same set of squares with numbers
    MIRRORS = "mirrors"
    QUARTER = "quarter"  # a quarter turn of the board gives the same set of squares with numbers
    SYMMETRIC = "symmetric"  # any symmetry of this enumeration, chosen at random for each puzzle
    MIXED = "mixed"  # no symmetry, or any symmetry of this enumeration, chosen at random for each puzzle


# A board is large if its shorter side has at least this many squares. The symmetry of the numbers is then
# chosen with the weights in ``_LARGE_PATTERNS`` instead of those in ``_PATTERNS``.
_LARGE_SIDE = 12
# If the symmetry of the numbers is chosen at random, these are the weights of the choices. FREE means no
# symmetry, and is a choice for MIXED only. The weights were chosen so that generated boards have each
# symmetry about as often as published boards. The weights differ from the shares of published boards, for two
# reasons: some numbers of pairs rule out a half turn, and boards with a reflection are made more easily. Of
# 130 published boards of 10 × 10, 34 % have a half turn, and 1 % only a reflection. Of 133 published boards
# of 11 × 11 to 16 × 16, 37 % have a half turn, and 10 % only a reflection.
_PATTERNS = {
    NumberPattern.FREE: 16,
    NumberPattern.ROTATIONAL: 14,
    NumberPattern.MIRROR: 1,
    NumberPattern.FLIP: 1,
}
# Weights with which the symmetry of the numbers is chosen on large boards. FREE means no symmetry. Its weight
# is lower than the share of published boards without symmetry, because large generated boards without
# symmetry look less like published boards. To measure this, a classifier had to distinguish generated boards
# of 15 × 15 from published boards. Its success was measured as AUC, the area under the ROC curve: 0.5 is
# pure guessing, 1 is always right.
# - FREE with a weight of 10: AUC 0.76
# - FREE with a weight of 6: AUC 0.68
# - FREE with a weight of 2: AUC 0.49
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
    return f"{str(count).replace('-', ' to ')} {noun}{'s' * (str(count) != '1')}"


@dataclass(frozen=True)
class Recipe:
    """Everything that is required of one puzzle.

    Plain values are converted: a whole number to a ``Span``, a single ``Grade`` to a range, a text such as
    ``"strict"`` to a member of its enumeration.

    Args:
        rows, cols: the size of the board, 3 to 50 each.
        pairs: how many pairs of numbers; None for any number (only with the method ``classic``).
        solids: how many solid squares; None for any number (only with ``classic``).
        rule: the rule that says what "exactly one solution" means.
        techniques: the lowest and the highest grade that the puzzle may have. The grade of a puzzle is the
            grade of the hardest technique that it needs. None accepts every puzzle, even a puzzle that no
            technique can finish.
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
    def seeks_insight(self) -> bool:
        """Return whether boards for this recipe are changed so that solving them is more interesting.

        ``make.steer.seek_insight`` makes small changes to a board. It prefers solves that need a technique
        which looks at the whole board.
        """
        is_hard = self.difficulty is not None and self.difficulty.low >= Difficulty.HARD.points.low
        return is_hard and self.composed and not self.techniques

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
        """Return a mapping from names to areas of the board that no path may leave.

        Each area is given as a board on which all other cells are solid. If the recipe has a picture, the
        cells of each colour are an area, named like the colour. If it has a mask, the free cells of the mask
        are the only area, and its name is an empty text. Without a picture or a mask, the result is empty.
        """
        if self.picture is not None:
            return self.picture.layers
        return {"": self.mask} if self.mask is not None else {}

    @property
    def drawn_patterns(self) -> dict[NumberPattern, int]:
        """Return the symmetries from which the symmetry of a board's numbers is chosen at random.

        The result maps each symmetry to its weight in the random choice. It is empty if the recipe does not
        leave the symmetry to chance.
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
        """Return the work after which to give up making a puzzle, in units of about a microsecond."""
        return 5_000_000 + 60_000 * self.rows * self.cols

    @property
    def board(self) -> str:
        return f"{self.cols} × {self.rows}"

    def mirrored(self, cell: Cell, pattern: Pattern | NumberPattern) -> Cell:
        """Return the cell onto which a symmetry maps a cell. Without a symmetry, return the cell itself.

        The symmetries MIRRORS and QUARTER map up to four cells onto each other. With these, a call returns
        the next one of the four cells, so four calls in a row lead back to the first cell.
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


def _whole(name: str, value: Any) -> int:
    if type(value) is int:
        return value
    raise UsageError(f"Recipe: {name} is a whole number, not {value!r}.")


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


# For some fields of a recipe, a function that converts a plain value, such as a number or a text, to the type
# of the field.
_CONVERSIONS: dict[str, Callable[[str, Any], object]] = {
    "rows": _whole, "cols": _whole,
    "pairs": _span, "solids": _span, "difficulty": _span, "techniques": _grade_range,
    "rule": _member_of(Rule), "pattern": _member_of(Pattern), "number_pattern": _member_of(NumberPattern),
}  # fmt: skip


_LINES_AT_A_SQUARE = 2
# An island is a connected piece of free squares. If it has at most this many squares, all ways to fill it
# with paths are tried. This takes a few milliseconds.
_MOST_SEARCHED_SQUARES = 25


def longest_path(recipe: Recipe, solids: int) -> int:
    return int(recipe.longest_share * (recipe.rows * recipe.cols - solids) + 1e-9)


def solid_counts(recipe: Recipe) -> tuple[int, ...]:
    """Return the numbers of solids, in rising order, that a puzzle recipe allows.

    The symmetry of the solids limits these numbers. A symmetry that maps no square onto itself allows only
    even numbers. A half turn maps the middle square of a board with odd sides onto itself. A reflection maps
    each square of the middle column onto itself if the number of columns is odd.
    """
    squares = recipe.rows * recipe.cols
    span = recipe.solids or Span(0, squares)
    if recipe.mask is not None:
        return (len(recipe.mask.solids),)
    fixed = squares
    if recipe.pattern is Pattern.ROTATIONAL:
        fixed = squares % 2
    elif recipe.pattern is Pattern.MIRROR:
        fixed = recipe.rows * (recipe.cols % 2)
    counts = range(max(0, span.low), min(span.high, squares) + 1)
    return tuple(count for count in counts if fixed or count % 2 == 0)


def numbers_swap_colours(recipe: Recipe) -> bool:
    """Return whether the symmetry of the numbers swaps the dark and light squares of a chessboard."""
    if recipe.number_pattern is NumberPattern.ROTATIONAL:
        return (recipe.rows + recipe.cols) % 2 == 1
    if recipe.number_pattern is NumberPattern.FLIP:
        return recipe.rows % 2 == 0
    return recipe.number_pattern is NumberPattern.MIRROR and recipe.cols % 2 == 0


def can_place(recipe: Recipe, pairs: int, solids: int) -> bool:
    """Return whether these numbers of pairs and solids are possible with the symmetry of the numbers.

    Imagine the board coloured like a chessboard. A path between two squares of one colour covers one more
    square of that colour than of the other colour. Any other path covers equally many squares of both. So the
    number of path ends on dark squares is the number of pairs plus the surplus of dark free squares over
    light ones.

    - A symmetry may map dark squares onto light ones. Then there are as many path ends on dark squares as on
      light ones, so there must be as many dark free squares as light ones.
    - A half turn that keeps the colours maps each dark end onto another dark end. So the number of dark ends
      is even. The surplus of dark squares is even if and only if the number of free squares is even. So the
      number of pairs and the number of free squares are both even or both odd.
    - A reflection that keeps the colours maps each square of the middle column onto itself. Path ends there
      need no second path end. So any number of path ends may be dark, and this symmetry rules out no number
      of pairs.
    - With both reflections or a quarter turn, numbers come in fours, except on a middle row or column. Boards
      with these symmetries never have solids.

    If the symmetry is chosen at random, at least one of the choices must be possible.
    """
    if recipe.drawn_patterns:
        return bool(patterns_for(recipe, pairs, solids))
    if recipe.number_pattern in (NumberPattern.MIRRORS, NumberPattern.QUARTER):
        return not solids and _can_place_fours(recipe, pairs)
    if recipe.mask is not None and not _keeps_mask(recipe, recipe.mask):
        return False
    if numbers_swap_colours(recipe):
        return recipe.mask is not None or solids % _solids_step(recipe) == 0
    if recipe.number_pattern is NumberPattern.ROTATIONAL:
        return (pairs - recipe.rows * recipe.cols + solids) % 2 == 0
    return True


# The result is cached, because each attempt at a puzzle calls this function for every number of pairs that
# the recipe allows.
@lru_cache(maxsize=1000)
def patterns_for(recipe: Recipe, pairs: int, solids: int) -> Mapping[NumberPattern, int]:
    """Return the symmetries of the numbers that are possible with these counts of pairs and solids.

    Returns:
        For each possible symmetry, the weight with which it is chosen at random.
    """
    return {
        pattern: weight
        for pattern, weight in recipe.drawn_patterns.items()
        if can_place(replace(recipe, number_pattern=pattern), pairs, solids)
    }


def _can_place_fours(recipe: Recipe, pairs: int) -> bool:
    """Return whether a board can have this number of pairs if its numbers have fourfold symmetry.

    The symmetry is a quarter turn, or both reflections. A quarter turn needs a square board with even sides.

    Numbers come in fours, or in twos on a middle row or column. A board with two even sides has no middle row
    or column, so the number of pairs must be even.

    On a board with two odd sides, imagine a chessboard with dark corners, which has one dark square more than
    light ones. So the number of path ends on light squares is one less than the number of pairs. These ends
    come in twos or fours, so their number is even, and the number of pairs must be odd.

    On a board with one odd side, every number of pairs is possible.
    """
    odd_sides = recipe.rows % 2 + recipe.cols % 2
    if recipe.number_pattern is NumberPattern.QUARTER:
        return recipe.rows == recipe.cols and not odd_sides and pairs % 2 == 0
    return odd_sides == 1 or pairs % 2 == odd_sides // 2


def _keeps_mask(recipe: Recipe, mask: Grid) -> bool:
    """Return whether the recipe's mask has the symmetry that the numbers must have.

    If the symmetry of the numbers is chosen at random, the mask must have at least one of the symmetries from
    which it is chosen.
    """
    return any(
        all(recipe.mirrored(cell, pattern) in mask.solids for cell in mask.solids)
        for pattern in recipe.drawn_patterns or (recipe.number_pattern,)
    )


def _solids_step(recipe: Recipe) -> int:
    """Return the number by which the number of solids must be divisible.

    Imagine the board coloured like a chessboard. It must have as many dark solids as light ones, so the
    number of solids is even. If a half turn maps the solids onto each other and dark squares onto dark ones,
    solids come in twos of the same colour. Then the number of solids must be divisible by 4.
    """
    keeps_colours = recipe.pattern is Pattern.ROTATIONAL and (recipe.rows + recipe.cols) % 2 == 0
    return 4 if keeps_colours else 2


def classic_conflicts(recipe: Recipe) -> dict[str, str]:
    """Return the settings of a recipe that the method ``classic`` can't meet, each with the reason."""
    conflicts = {}
    if recipe.number_pattern is not NumberPattern.FREE:
        conflicts["number_pattern"] = "`method: classic` can't arrange the numbers; use `method: walk`"
    if recipe.apart:
        conflicts["apart"] = "`method: classic` can't keep the numbers apart; use `method: walk`"
    if recipe.picture is not None:
        conflicts["reveal"] = "`method: classic` can't make boards for a picture; use `method: walk`"
    elif recipe.mask is not None:
        conflicts["mask"] = "`method: classic` can't make boards in a shape; use `method: walk`"
    if recipe.composed:
        conflicts["composed"] = "`method: classic` can't compose boards; use `method: walk`"
    return conflicts


@lru_cache(maxsize=8)  # The result is cached, because all puzzles of a difficulty level have the same recipe.
def recipe_problem(recipe: Recipe) -> str | None:
    """Return why no board can meet a puzzle recipe, if the settings of the recipe show a reason.

    Returns:
        A sentence that names the setting and says what would be possible. None if no problem is found. The
        recipe may still be impossible then.
    """
    return next((text for text in _problems(recipe) if text), None)


def _problems(recipe: Recipe) -> Iterator[str | None]:
    for name, side in (("rows", recipe.rows), ("columns", recipe.cols)):
        if not MIN_SIDE <= side <= MAX_SIDE:
            yield f"a board of {side} {name}: {MIN_SIDE} to {MAX_SIDE} are made"
    if recipe.shortest_path < 2:
        yield f"shortest path {recipe.shortest_path}: a path has two squares or more"
    shares = (recipe.longest_share, recipe.border_share, recipe.border_numbers)
    for name, share in zip(("longest share", "border share", "border numbers"), shares, strict=True):
        if not 0 <= share <= 1:
            yield f"{name} {share:g}: a share lies between 0 and 1"
    if recipe.techniques and recipe.techniques[0] > recipe.techniques[1]:
        first, last = recipe.techniques
        yield f"techniques {first.label} to {last.label}: the lower comes first"
    if recipe.difficulty and not 0 <= recipe.difficulty.low <= recipe.difficulty.high <= MOST_DIFFICULTY:
        yield f"difficulty {recipe.difficulty}: it is from 0 to {MOST_DIFFICULTY}"
    if recipe.apart and recipe.adjacent_pairs:
        yield "numbers apart: the two of a pair can't be neighbours then; leave out adjacent pairs"
    if not solid_counts(recipe):
        yield (
            f"solids {recipe.solids}: the {recipe.pattern} pattern can't lay so many on a board of "
            f"{recipe.board}; choose an even count"
        )
        return
    if recipe.mask is not None:
        yield from _mask_problems(recipe, recipe.mask)
    yield _too_many_pairs(recipe)
    yield _too_many_apart(recipe)
    yield _too_short_paths(recipe)
    yield _parity_problem(recipe)


def _mask_problems(recipe: Recipe, mask: Grid) -> Iterator[str]:
    if (mask.rows, mask.cols) != (recipe.rows, recipe.cols):
        sizes = f"the mask is {mask.cols} × {mask.rows}, but the board is {recipe.board}"
        yield f"{sizes}; make both the same size"
        return
    if recipe.solids != Span(len(mask.solids), len(mask.solids)):
        yield f"solids {recipe.solids}: the mask has {len(mask.solids)} solid squares; leave the number out"
    if recipe.pattern is not Pattern.SCATTERED:
        yield f"{recipe.pattern} solids: the mask decides where solid squares are; leave the pattern out"
    if recipe.picture is not None and recipe.apart:
        yield "numbers apart: in a picture, numbers of two regions can be neighbours; leave `apart` out"
    total = 0
    for colour, layer in recipe.layers.items():
        for island in islands(layer):
            fewest, most = _fewest_on(recipe, layer, island), len(island) // recipe.shortest
            total += fewest
            if reason := _why_unfilled(recipe, layer, island, fewest, most):
                area = f"{colour.replace('_', ' ')} region" if colour else "free area"
                others = "another region of this colour" if colour else "other free squares"
                place = f"{counted(len(island), 'square')} at {mask.name(island[0])}"
                advice = f"make it larger, join it to {others}, or make its squares solid"
                whole = "picture" if colour else "mask"
                yield f"the {whole}'s {area} of {place} can't be filled with paths: {reason}; {advice}"
    if recipe.pairs is not None and recipe.pairs.high < total:
        what = "picture" if recipe.picture else "mask"
        yield f"{counted(recipe.pairs, 'pair')}: the {what} needs {total} pairs or more; raise the number"


def _why_unfilled(
    recipe: Recipe, layer: Grid, island: tuple[Cell, ...], fewest: int, most: int
) -> str | None:
    """Return why paths can't fill an island; None if no reason is found.

    An island is a connected piece of the free squares, or of one colour of a picture.

    Args:
        layer: the board of the island. If the recipe has a mask, all squares outside the mask are solid. If
            it has a picture, all squares in other colours than the island are solid.
        fewest: a lower bound on the number of paths that fill the island.
        most: the largest number of paths for which the island has enough squares.
    """
    if fewest > most:
        if not most:
            return f"it is too small for a path, which has at least {recipe.shortest} squares"
        room = f"it has squares for only {counted(most, 'path')} of at least {recipe.shortest} squares"
        return f"{counted(fewest, 'path')} or more are needed to fill it, but {room}"
    if len(island) <= _MOST_SEARCHED_SQUARES and not _can_fill(layer, frozenset(island), recipe.shortest):
        return (
            f"no paths of at least {recipe.shortest} squares cover it, because no path may run beside itself"
        )
    return None


def fewest_pairs(recipe: Recipe) -> int:
    """Return a lower bound on the number of pairs that fill the puzzle recipe's mask or picture.

    The bound is 1 if the recipe has neither a mask nor a picture.
    """
    layers = recipe.layers.values()
    return sum(_fewest_on(recipe, layer, island) for layer in layers for island in islands(layer)) or 1


def _fewest_on(recipe: Recipe, layer: Grid, island: tuple[Cell, ...]) -> int:
    """Return a lower bound on the number of paths that fill an island.

    An island is a connected piece of the free squares of ``layer``; see ``Recipe.layers``. The recipe's limit
    on the length of a path is taken into account.
    """
    longest = max(1, longest_path(recipe, solid_counts(recipe)[0]))
    return max(fewest_paths(layer, island), -(-len(island) // longest))


def _too_many_pairs(recipe: Recipe) -> str | None:
    pairs, shortest = recipe.pairs.low if recipe.pairs else 1, recipe.shortest
    free = recipe.rows * recipe.cols - solid_counts(recipe)[0]
    if pairs < 1:
        return f"{recipe.pairs} pairs: a puzzle has one or more"
    if pairs * shortest <= free:
        return None
    return (
        f"{recipe.pairs or 'any'} pairs on paths of {shortest} squares or more need {pairs * shortest} "
        f"squares, and a board of {recipe.board} with {recipe.solids or 'any'} solids has at most "
        f"{free} free: at most {free // shortest} pairs fit"
    )


def _too_many_apart(recipe: Recipe) -> str | None:
    pairs, most = recipe.pairs.low if recipe.pairs else 1, (recipe.rows * recipe.cols + 1) // 4
    if not recipe.apart or pairs <= most:
        return None
    return (
        f"numbers apart: {recipe.pairs} pairs need {2 * pairs} squares of which no two are neighbours; on a "
        f"board of {recipe.board} at most {most} pairs fit"
    )


def _too_short_paths(recipe: Recipe) -> str | None:
    """Return the problem if even paths of the largest allowed length can't cover all free squares.

    The test uses the largest allowed number of solids.
    """
    solids = solid_counts(recipe)[-1]
    longest, free = longest_path(recipe, solids), recipe.rows * recipe.cols - solids
    if recipe.pairs is None or recipe.pairs.high * longest >= free:
        return None
    return (
        f"longest share {recipe.longest_share:g}: {counted(recipe.pairs.high, 'pair')} on paths of at "
        f"most {longest} squares can't cover {free} squares"
    )


def _parity_problem(recipe: Recipe) -> str | None:
    """Return the problem if the symmetry of the numbers rules out all allowed counts of pairs and solids.

    ``can_place`` explains which counts are possible.
    """
    span, counts = recipe.pairs or Span(1, 2), solid_counts(recipe)
    low_counts = [pairs for pairs in (span.low, span.low + 1) if pairs in span]
    if any(can_place(recipe, pairs, solids) for pairs in low_counts for solids in counts):
        return None
    even = "even" if (recipe.rows * recipe.cols - counts[0]) % 2 == 0 else "odd"
    advice = f"an {even} number of pairs"
    if recipe.mask is not None and not _keeps_mask(recipe, recipe.mask):
        advice = "one that leaves the mask as it is, or free"
    elif recipe.number_pattern is NumberPattern.QUARTER:
        advice = "a square board with even sides, an even number of pairs and no solids"
    elif recipe.number_pattern is NumberPattern.MIRRORS:
        even = "odd" if recipe.rows % 2 and recipe.cols % 2 else "even"
        advice = f"an {even} number of pairs and no solids"
    elif numbers_swap_colours(recipe):
        advice = "a multiple of 4 solids" if _solids_step(recipe) == 4 else "an even number of solids"
    return (
        f"number pattern {recipe.number_pattern}: on a board of {recipe.board} with {recipe.solids or 'any'} "
        f"solids {recipe.pairs or 'any'} pairs can't lie so; choose {advice}"
    )


@cache
def islands(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return the islands of a board: its connected pieces of free squares.

    The squares of each island are ordered from left to right and from top to bottom.
    """
    pieces, left = [], set(grid.free_cells)
    while left:
        start = min(left)
        left.remove(start)
        piece = [start]
        for cell in piece:
            piece += (beside := left.intersection(grid.neighbours[cell]))
            left -= beside
        pieces.append(tuple(sorted(piece)))
    return tuple(pieces)


def fewest_in(grid: Grid) -> int:
    """Return a lower bound on the number of paths that fill a board: the sum of its islands' lower bounds.

    An island is a connected piece of the board's free squares.
    """
    return sum(fewest_paths(grid, island) for island in islands(grid))


@lru_cache(maxsize=10_000)
def _can_fill(grid: Grid, left: frozenset[Cell], shortest: int) -> bool:
    """Return whether paths of at least ``shortest`` cells can cover a set of cells.

    No path may touch itself. All ways to cover the cells are tried, so the set must be small.
    """
    if not left:
        return True
    first = min(left, key=lambda cell: len(left.intersection(grid.neighbours[cell])))
    waiting: list[tuple[Cell, ...]] = [(first,)]
    seen = set(waiting)
    while waiting:
        path = waiting.pop()
        if len(path) >= shortest and _can_fill(grid, left.difference(path), shortest):
            return True
        onward = [(cell, (*path, cell)) for cell in grid.neighbours[path[-1]]]
        onward += [(cell, (cell, *path)) for cell in grid.neighbours[path[0]]]
        for cell, longer in onward:
            touches = len(set(path).intersection(grid.neighbours[cell]))
            if cell in left and cell not in path and touches == 1 and longer not in seen:
                seen.add(longer)
                waiting.append(longer)
    return False


@cache
def fewest_paths(grid: Grid, island: tuple[Cell, ...]) -> int:
    """Return a lower bound on the number of paths that fill an island (a connected piece of free squares).

    Draw as many lines between neighbouring squares as possible, with at most two lines at each square. The
    bound is the number of squares minus the number of these lines.
    """
    dark = [cell for cell in island if sum(grid.position(cell)) % 2]
    lines: dict[Cell, list[Cell]] = {cell: [] for cell in island}
    count = sum(_add_line(grid, lines, cell) for cell in dark for _ in range(_LINES_AT_A_SQUARE))
    return len(island) - count


def _add_line(grid: Grid, lines: dict[Cell, list[Cell]], start: Cell) -> bool:
    """Add a line at a dark square of a chessboard, by an augmenting path.

    The lines are a matching between dark and light squares, in which each square has at most two lines.
    Adding lines until no more can be added makes the matching a maximum matching.

    Returns:
        False if no line can be added at this dark square.
    """
    came: dict[Cell, Cell] = {start: start}
    waiting = deque([start])
    while waiting:
        dark = waiting.popleft()
        for light in grid.neighbours[dark]:
            if light in came or light in lines[dark]:
                continue
            came[light] = dark
            if len(lines[light]) < _LINES_AT_A_SQUARE:
                _augment(lines, came, start, light)
                return True
            for other in lines[light]:
                if other not in came:
                    came[other] = light
                    waiting.append(other)
    return False


def _augment(lines: dict[Cell, list[Cell]], came: dict[Cell, Cell], start: Cell, light: Cell) -> None:
    """Add one line to a matching between dark and light squares, by changing it along an augmenting path.

    An augmenting path begins and ends at squares that may get another line. On the way, steps without a line
    alternate with steps that have one. A line is added at each step without a line, and removed at each other
    step.

    Args:
        lines: the matching: for each square, the squares to which a line leads.
        came: for each square on the augmenting path, the square before it.
        start, light: the dark square where the path begins, and the light square where it ends.
    """
    while True:
        dark = came[light]
        lines[dark].append(light)
        lines[light].append(dark)
        if dark == start:
            return
        light = came[dark]
        lines[dark].remove(light)
        lines[light].remove(dark)
