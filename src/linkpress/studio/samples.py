"""A few boards of a recipe, made at once, so that a level is seen while it is being planned."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from linkpress.book.level import LevelSpec
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade
from linkpress.errors import RecipeError
from linkpress.puzzle.puzzle import Solution

_COUNT = 3
_WORK = 250_000  # units of about a microsecond, for each board
_TRIES = 8


def sample_boards(
    level: LevelSpec, seed: str, is_outdated: Callable[[], bool]
) -> Iterator[tuple[Solution, Grade | None]]:
    """Make up to three boards of a level's recipes, the first, middle and last of them, each with its grade.

    Args:
        is_outdated: whether nobody waits any longer.
    """
    recipes, found = level.recipes(level.count), 0
    places = (0, len(recipes) // 2, len(recipes) - 1)
    for attempt in range(_TRIES):
        if found == _COUNT or is_outdated():
            return
        recipe = recipes[places[attempt % len(places)]]
        with contextlib.suppress(RecipeError):
            made = generate(recipe, f"{seed}/{level.name}/sample {attempt}", level.method, _WORK)
            found += 1
            yield made.solution, made.grading.grade if made.grading else None
