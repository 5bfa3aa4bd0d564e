"""Holds a volume's recorded grades to the ladder of techniques."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor

from linkpress import __version__
from linkpress.book.volume import Volume
from linkpress.engine.recipe import Grade
from linkpress.press.readback.fault import Fault


def why_not_graded(volume: Volume | None) -> str | None:
    """Why a volume's grades can't be held to this release's ladder; None where they can.

    Args:
        volume: None for one that does not hold together.
    """
    if volume is None:
        return "volume.json doesn't hold together"
    if volume.linkpress_version != __version__:
        return f"volume.json is from another release than this linkpress {__version__}"
    return None


def grade_faults(volume: Volume, executor: Executor) -> Iterator[Fault]:
    """Grade each puzzle again; the same release gives the same grade.

    Args:
        volume: of this release.
        executor: where grading runs.
    Returns:
        What the record says otherwise, by number.
    """
    from linkpress.engine.grade import grade_puzzle

    graded = [(one, executor.submit(grade_puzzle, one.record.puzzle)) for one in volume.numbered]
    for one, future in graded:
        grading, record = future.result(), one.record
        if (record.grade, record.score) != (grading.grade, grading.score):
            said, found = _told(record.grade, record.score), _told(grading.grade, grading.score)
            text = f"the record says {said}; grading it again gives {found}"
            yield Fault(one.number, None, text)
        elif record.techniques != grading.techniques:
            text = "the techniques recorded are not those that grading it again takes"
            yield Fault(one.number, None, text)


def _told(grade: Grade | None, score: int | None) -> str:
    named = grade.label if grade else "no grade"
    return named if score is None else f"{named}, score {score:,}"
