"""A few boards of a recipe, made at once, so that a level is seen while it is being planned."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from linkpress.book.level import LevelSpec
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe
from linkpress.errors import RecipeError
from linkpress.puzzle.puzzle import Solution

_COUNT = 3
_WORK = 250_000  # units of about a microsecond, for each board
_TRIES = 8


def sample_boards(
    level: LevelSpec, seed: str, is_outdated: Callable[[], bool]
) -> Iterator[tuple[Solution, str]]:
    """Make up to three boards of a level's recipe, each with its grade in words, as they are found.

    Args:
        level: the level.
        seed: of the book.
        is_outdated: whether nobody waits any longer.
    """
    found = 0
    for attempt in range(_TRIES):
        if found == _COUNT or is_outdated():
            return
        recipe: Recipe = level.recipe(level.size[attempt % len(level.size)])
        with contextlib.suppress(RecipeError):
            made = generate(recipe, f"{seed}/{level.name}/sample {attempt}", level.method, _WORK)
            found += 1
            grade = made.grading.grade if made.grading else None
            yield made.solution, grade.label if grade else ""
