"""A recipe says what one puzzle must be: the order that a generator fills exactly or refuses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum

from linkpress.engine.islands import fewest_paths, islands
from linkpress.errors import UsageError
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Cell, Grid


class Rule(StrEnum):
    """A rule says which drawings count when a board is proven to have one solution."""

    FILLED = "filled"  # every free square is covered; a path may run alongside itself
    STRICT = "strict"  # squares may stay empty; the only drawing is one that fills the board
    UNTOUCHING = "untouching"  # every free square is covered, and no path runs alongside itself

    @property
    def covers(self) -> bool:
        """Tell whether only drawings that cover every free square count."""
        return self is not Rule.STRICT

    @property
    def untouching(self) -> bool:
        """Tell whether no path of a solution runs beside itself, which solvers may use."""
        return self is not Rule.FILLED


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


def longest_path(recipe: Recipe, solids: int) -> int:
    """Return the most squares that one path may cover on a board with so many solids."""
    return int(recipe.longest_share * (recipe.rows * recipe.cols - solids) + 1e-9)


def solid_counts(recipe: Recipe) -> tuple[int, ...]:
    """Return the counts of solids inside the recipe's span that its pattern can lay, by rising count.

    A half turn moves every square but the middle one of a board with odd sides; a mirror moves every
    square but those of an odd board's middle column. A recipe without a span allows any count.
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
    """Tell whether the number pattern puts each dark square's counterpart on a light one."""
    if recipe.number_pattern is NumberPattern.ROTATIONAL:
        return (recipe.rows + recipe.cols) % 2 == 1
    if recipe.number_pattern is NumberPattern.FLIP:
        return recipe.rows % 2 == 0
    return recipe.number_pattern is NumberPattern.MIRROR and recipe.cols % 2 == 0


def can_place(recipe: Recipe, pairs: int, solids: int) -> bool:
    """Tell whether so many pairs fit the number pattern beside so many solids, as far as colours tell.

    A path with both ends on one colour covers one square more of it, any other path as many of both, so
    that the dark ends are as many as the pairs and as the dark free squares exceed the light ones. Where
    counterparts have other colours, dark and light ends are equally many, and so must be the free squares.
    A half turn that keeps colours makes the dark ends an even number, and with it pairs and free
    squares both even or both odd. A reflection that keeps them leaves the middle column, which is its own
    image, to make up for anything. A pattern that is drawn can place what one of its own can.
    """
    if recipe.number_pattern in DRAWN_PATTERNS:
        return bool(patterns_for(recipe, pairs, solids))
    if recipe.mask is not None and not _keeps_mask(recipe, recipe.mask):
        return False
    if numbers_swap_colours(recipe):
        return recipe.mask is not None or solids % _solids_a_step(recipe) == 0
    if recipe.number_pattern is NumberPattern.ROTATIONAL:
        return (pairs - recipe.rows * recipe.cols + solids) % 2 == 0
    return True


def patterns_for(recipe: Recipe, pairs: int, solids: int) -> dict[NumberPattern, int]:
    """Return the patterns that may be drawn for a board with these counts, with their weights."""
    drawn = DRAWN_PATTERNS.get(recipe.number_pattern, {})
    return {
        pattern: weight
        for pattern, weight in drawn.items()
        if can_place(replace(recipe, number_pattern=pattern), pairs, solids)
    }


def _keeps_mask(recipe: Recipe, mask: Grid) -> bool:
    """Tell whether the number pattern, or one that may be drawn for it, maps a mask onto itself.

    The mask's colours then do what they must.
    """
    return any(
        all(recipe.mirrored(cell, pattern) in mask.solids for cell in mask.solids)
        for pattern in DRAWN_PATTERNS.get(recipe.number_pattern, (recipe.number_pattern,))
    )


def _solids_a_step(recipe: Recipe) -> int:
    """Return the step between counts of solids that lie on both colours alike: a half turn may need four."""
    alike = recipe.pattern is Pattern.ROTATIONAL and (recipe.rows + recipe.cols) % 2 == 0
    return 4 if alike else 2


def recipe_fault(recipe: Recipe) -> str | None:
    """Say why no board can be what a recipe asks, as far as that is seen without making one.

    Returns:
        One sentence that names the knob and what would be allowed; None when nothing speaks
        against the recipe, which does not mean that a board is easily made.
    """
    return next((text for text in _faults(recipe) if text), None)


def _faults(recipe: Recipe) -> Iterator[str | None]:
    squares, shortest = recipe.rows * recipe.cols, recipe.shortest
    for name, side in (("rows", recipe.rows), ("columns", recipe.cols)):
        if not MIN_SIDE <= side <= MAX_SIDE:
            yield f"a board of {side} {name}: {MIN_SIDE} to {MAX_SIDE} are made"
    if recipe.shortest_path < 2:
        yield f"shortest path {recipe.shortest_path}: a path has two squares or more"
    shares = (recipe.longest_share, recipe.border_share, recipe.border_numbers)
    for name, share in zip(("longest share", "border share", "border numbers"), shares, strict=True):
        if not 0 <= share <= 1:
            yield f"{name} {share:g}: a share lies between 0 and 1"
    if recipe.grades and recipe.grades[0] > recipe.grades[1]:
        yield f"grades {recipe.grades[0].label} to {recipe.grades[1].label}: the lower comes first"
    if recipe.stars and not 1 <= recipe.stars.low <= recipe.stars.high <= MOST_STARS:
        yield f"stars {recipe.stars}: 1 to {MOST_STARS} are given"
    if recipe.apart and recipe.adjacent_pairs:
        yield "numbers apart: the two of a pair can't be neighbours then; leave out adjacent pairs"
    if not solid_counts(recipe):
        yield (
            f"solids {recipe.solids}: the {recipe.pattern} pattern can't lay so many on a board of "
            f"{recipe.board}; choose an even count"
        )
        return
    if recipe.mask is not None:
        yield from _mask_faults(recipe, recipe.mask)
    yield _crowded(recipe, squares - solid_counts(recipe)[0], shortest)
    yield _beside(recipe, squares)
    yield _stretched(recipe)
    yield _unplaced(recipe)


def _mask_faults(recipe: Recipe, mask: Grid) -> Iterator[str]:
    if (mask.rows, mask.cols) != (recipe.rows, recipe.cols):
        yield f"the mask is {mask.cols} × {mask.rows}, the board {recipe.board}; both must have one size"
        return
    if recipe.solids != Span(len(mask.solids), len(mask.solids)):
        yield f"solids {recipe.solids}: the mask has {len(mask.solids)}; leave one of them out"
    if recipe.pattern is not Pattern.SCATTERED:
        yield f"{recipe.pattern} solids: those of a mask lie as they are drawn; leave the pattern out"
    least = 0
    for island in islands(mask):
        fewest, most = _fewest_on(recipe, mask, island), len(island) // recipe.shortest
        least += fewest
        if fewest > most:
            yield (
                f"the mask's piece of {counted(len(island), 'square')} at {mask.name(island[0])} can't be "
                f"filled: it needs {counted(fewest, 'path')} or more, and has room for {most} of "
                f"{recipe.shortest} squares; make it wider, join it to others, or make it solid"
            )
    if recipe.pairs is not None and recipe.pairs.high < least:
        yield f"{counted(recipe.pairs, 'pair')}: the mask needs {least} or more to be filled"


def fewest_pairs(recipe: Recipe) -> int:
    """Return a number of pairs below which the recipe's mask can't be filled; 1 without one."""
    mask = recipe.mask
    return sum(_fewest_on(recipe, mask, island) for island in islands(mask)) if mask else 1


def _fewest_on(recipe: Recipe, mask: Grid, island: tuple[Cell, ...]) -> int:
    longest = max(1, longest_path(recipe, len(mask.solids)))
    return max(fewest_paths(mask, island), -(-len(island) // longest))


def _crowded(recipe: Recipe, most_free: int, shortest: int) -> str | None:
    pairs = recipe.pairs.low if recipe.pairs else 1
    if pairs < 1:
        return f"{recipe.pairs} pairs: a puzzle has one or more"
    if pairs * shortest <= most_free:
        return None
    return (
        f"{recipe.pairs or 'any'} pairs on paths of {shortest} squares or more need {pairs * shortest} "
        f"squares, and a board of {recipe.board} with {recipe.solids or 'any'} solids has at most "
        f"{most_free} free: at most {most_free // shortest} pairs fit"
    )


def _beside(recipe: Recipe, squares: int) -> str | None:
    pairs, most = recipe.pairs.low if recipe.pairs else 1, (squares + 1) // 4
    if not recipe.apart or pairs <= most:
        return None
    return (
        f"numbers apart: {recipe.pairs} pairs need {2 * pairs} squares of which no two are neighbours; on a "
        f"board of {recipe.board} at most {most} pairs fit"
    )


def _stretched(recipe: Recipe) -> str | None:
    """Say so when even the board with most solids has more free squares than its paths may cover."""
    solids = solid_counts(recipe)[-1]
    longest, free = longest_path(recipe, solids), recipe.rows * recipe.cols - solids
    if recipe.pairs is None or recipe.pairs.high * longest >= free:
        return None
    return (
        f"longest share {recipe.longest_share:g}: {counted(recipe.pairs.high, 'pair')} on paths of at "
        f"most {longest} squares can't cover {free} squares"
    )


def _unplaced(recipe: Recipe) -> str | None:
    """Say so when no counts inside the spans can stand in the number pattern."""
    span, counts = recipe.pairs or Span(1, 2), solid_counts(recipe)
    if any(
        can_place(recipe, pairs, solids)
        for pairs in (span.low, span.low + 1)
        if pairs in span
        for solids in counts
    ):
        return None
    even = "even" if (recipe.rows * recipe.cols - counts[0]) % 2 == 0 else "odd"
    advice = f"an {even} number of pairs"
    if recipe.mask is not None and not _keeps_mask(recipe, recipe.mask):
        advice = "one that leaves the mask as it is, or free"
    elif numbers_swap_colours(recipe):
        advice = "a multiple of 4 solids" if _solids_a_step(recipe) == 4 else "an even number of solids"
    return (
        f"number pattern {recipe.number_pattern}: on a board of {recipe.board} with {recipe.solids or 'any'} "
        f"solids {recipe.pairs or 'any'} pairs can't stand so; choose {advice}"
    )
