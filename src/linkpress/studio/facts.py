"""What the page shows of a level, a weekday of a feed and a puzzle, as JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from linkpress.book.grade_odds import Odds, shares
from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.engine.recipe import Grade
from linkpress.production.forecast import LevelOutlook, duration, ways_out
from linkpress.words.wording import Words


def level_facts(level: LevelOutlook, table: Sequence[Odds]) -> dict[str, Any]:
    """Return what is to be expected of a level as JSON data, each share with whether it is asked for."""
    grades, stars = shares(level.each[0][0], table)
    wanted = level.each[0][0].recipe
    low, high = wanted.grades or (Grade.BEGINNER, Grade.FIENDISH)
    is_alone = len(level.each) == 1  # else another size or paths would be that of all
    ways = [
        keys
        for slot, count in level.poor
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
