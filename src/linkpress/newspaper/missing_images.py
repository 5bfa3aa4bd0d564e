"""Days of earlier runs: what is missing is drawn again, what is there stays as it is."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from pathlib import Path

from linkpress.errors import OutputError
from linkpress.newspaper.calendar import Run
from linkpress.newspaper.day_images import DayOrder, Files, Studio, draw_days
from linkpress.newspaper.drawing import Format
from linkpress.newspaper.feed_folder import Folder
from linkpress.newspaper.naming import What

_KINDS = {kind.mimetype: kind for kind in Format}


def restore_days(
    studio: Studio, folder: Folder, run: Run, jobs: int
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Draw the missing files of days again, from the puzzles in the manifests.

    Args:
        studio: how and where to.
        folder: what earlier runs left.
        run: the days; those without a puzzle yet are passed over.
        jobs: days drawn at a time.
    Returns:
        The files written, and a note for each that is not what it was.
    Raises:
        OutputError: a file that is there was changed since; nothing is written then.
    """
    missing = _missing(folder, run)
    orders = [_order(folder, day, files) for day, files in missing.items()]
    written, notes = [], []
    for item in draw_days(studio, orders, jobs):
        for rendition in item["renditions"]:
            file = rendition["file"]
            written.append(folder.path / file)
            if rendition["sha256"] != folder.sums[file]:
                notes.append(
                    f"{file} was drawn again and is not the same bytes as before: the feed's keys or the "
                    "installed versions have changed since"
                )
    return tuple(written), tuple(notes)


def _order(folder: Folder, day: datetime.date, files: Files) -> DayOrder:
    before = max((one for one in folder.items if one < day), default=None)
    return DayOrder(folder.issue(day), folder.issue(before) if before else None, files)


def _missing(folder: Folder, run: Run) -> Mapping[datetime.date, Files]:
    """The missing files by the day of their puzzle."""
    missing: dict[datetime.date, Files] = {}
    for item in folder.items_of(run):
        day = datetime.date.fromisoformat(item["puzzle"]["date"])
        for rendition in item["renditions"]:
            file = rendition["file"]
            sound = folder.is_sound(file)
            if sound is False:
                raise OutputError(
                    f"{folder.path / file} is not the file that the manifest tells of; it was changed. "
                    "Nothing was written. Move it away to have it drawn again."
                )
            if sound is None:
                found = (What(item["what"]), _KINDS[rendition["mimetype"]], file)
                missing[day] = (*missing.get(day, ()), found)
    return missing
