"""Some recipes can't be met, which their counts, patterns and mask tell before a board is made.

A mask falls into islands: pieces of free squares that hang together. However one is filled, its paths are
lines between neighbouring squares, at most two at a square; so many lines as there are at most leave the
fewest paths. Where one colour of a chessboard outweighs the other, or arms are one square wide, that is more
than one. A shape can need still more, which only making a board tells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from linkpress.engine.recipe import DRAWN_PATTERNS, MOST_STARS, NumberPattern, Pattern, Recipe, Span, counted
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Cell, Grid

_LINES_AT_A_SQUARE = 2


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


@cache
def islands(grid: Grid) -> tuple[tuple[Cell, ...], ...]:
    """Return the pieces that hang together of a board's free squares, each in reading order."""
    pieces, left = [], set(grid.free_cells)
    while left:
        begin = min(left)
        left.remove(begin)
        piece = [begin]
        for cell in piece:
            piece += (beside := left.intersection(grid.neighbours[cell]))
            left -= beside
        pieces.append(tuple(sorted(piece)))
    return tuple(pieces)


def fewest_in(grid: Grid) -> int:
    """Return a number of paths below which a board can't be filled."""
    return sum(fewest_paths(grid, island) for island in islands(grid))


@cache
def fewest_paths(grid: Grid, island: tuple[Cell, ...]) -> int:
    """Return a number of paths below which an island can't be filled."""
    dark = [cell for cell in island if sum(grid.position(cell)) % 2]
    lines: dict[Cell, list[Cell]] = {cell: [] for cell in island}
    found = sum(_add_line(grid, lines, cell) for cell in dark for _ in range(_LINES_AT_A_SQUARE))
    return len(island) - found


def _add_line(grid: Grid, lines: dict[Cell, list[Cell]], begin: Cell) -> bool:
    """Draw one more line at a dark square, with others drawn anew to make room; False if that can't be."""
    came: dict[Cell, Cell] = {begin: begin}
    waiting = deque([begin])
    while waiting:
        dark = waiting.popleft()
        for light in grid.neighbours[dark]:
            if light in came or light in lines[dark]:
                continue
            came[light] = dark
            if len(lines[light]) < _LINES_AT_A_SQUARE:
                _redraw(lines, came, begin, light)
                return True
            for other in lines[light]:
                if other not in came:
                    came[other] = light
                    waiting.append(other)
    return False


def _redraw(lines: dict[Cell, list[Cell]], came: dict[Cell, Cell], begin: Cell, light: Cell) -> None:
    """Draw the lines on the way that was found, and take those away that it replaces."""
    while True:
        dark = came[light]
        lines[dark].append(light)
        lines[light].append(dark)
        if dark == begin:
            return
        light = came[dark]
        lines[dark].remove(light)
        lines[light].remove(dark)
