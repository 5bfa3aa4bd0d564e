"""What the page shows of a level, a weekday of a feed and a puzzle, as JSON data."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from linkpress.book.grade_odds import Odds, shares
from linkpress.book.level import LevelSpec
from linkpress.book.plan import Slot
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade
from linkpress.errors import RecipeError
from linkpress.production.forecast import LevelOutlook, duration, ways_out
from linkpress.puzzle.puzzle import Solution
from linkpress.words.wording import Words


def search_of(slot: Slot) -> str:
    """Return what the search for a slot's puzzle hangs on: what its puzzle does, and how long it may take."""
    return f"{slot.key} {slot.effort} {slot.otherwise}"


def level_facts(level: LevelOutlook, table: Sequence[Odds], unmet: Mapping[str, str]) -> dict[str, Any]:
    """Return what is to be expected of a level as JSON data, each share with whether it is asked for.

    Args:
        level: the level.
        table: of odds.
        unmet: why no puzzle was found, by searches.
    """
    grades, stars = shares(level.each[0][0], table)
    wanted = level.each[0][0].recipe
    low, high = wanted.grades or (Grade.BEGINNER, Grade.FIENDISH)
    is_alone = len(level.each) == 1  # else another size or paths would be that of all
    missed = [(slot, len(some)) for some in level.each for slot in some if search_of(slot) in unmet]
    ways = [
        keys
        for slot, count in (*level.poor, *missed)
        for keys in ways_out(slot, count, table)
        if is_alone or not {"size", "paths"} & set(keys)
    ]
    return {
        "name": level.level,
        "words": level.words,
        "time": "" if level.time_s is None else duration(level.time_s),
        "grades": [[grade.label, share, low <= grade <= high] for grade, share in grades.items()],
        "stars": [
            ["★" * count, share, wanted.stars is None or count in wanted.stars]
            for count, share in stars.items()
        ],
        "ways": list({str(keys): keys for keys in ways}.values()),
        "unlikely": bool(level.poor),
        "unmet": unmet[search_of(missed[0][0])] if missed else "",
    }


def puzzle_facts(record: PuzzleRecord, words: Words) -> dict[str, Any]:
    """Return what is known of a made puzzle.

    Args:
        words: of the book or feed, which name its grade.
    """
    grid = record.puzzle.grid
    return {
        "grade": words.grades[record.grade] if record.grade else "",
        "stars": "★" * (record.printed_stars or 0),
        "size": f"{grid.cols} × {grid.rows}",
        "fingerprint": record.fingerprint,
    }


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
