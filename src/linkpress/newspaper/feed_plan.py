"""What a run is to do, settled before anything is made or written."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from linkpress.errors import OutputError, SpecError, UsageError
from linkpress.newspaper.calendar import DaySlot, Run, day_slot, issue_days, next_issue
from linkpress.newspaper.day_images import Files, Studio, file_names
from linkpress.newspaper.feed_folder import Folder
from linkpress.newspaper.naming import What

_IMAGES = {
    What.PUZZLE: "the puzzle of {day}",
    What.SOLUTION: "the solution of the puzzle of {day}",
    What.COMBINED: "the combined image of {day}",
}


@dataclass(frozen=True)
class FeedPlan:
    """A run's work.

    Args:
        slots: the new days, in order.
        solution_days: when each new day's solution is printed.
        files: the new days' names.
        earlier: days of the run that earlier runs made.
    """

    slots: tuple[DaySlot, ...]
    solution_days: Mapping[datetime.date, datetime.date]
    files: Mapping[datetime.date, Files]
    earlier: tuple[datetime.date, ...]


def plan_feed(studio: Studio, run: Run, folder: Folder, *, begun: bool) -> FeedPlan:
    """Plan a run.

    Args:
        studio: the feed and its images.
        run: the calendar days.
        folder: what earlier runs left.
        begun: whether this run was cut off here, so that some of its files may be there.
    Raises:
        UsageError: no day has an issue, or a new day lies before the feed's last one.
        SpecError: two files would have one name.
        OutputError: files of these names are there already.
    """
    spec = studio.spec
    days = issue_days(spec, run)
    new = tuple(day for day in days if day not in folder.items)
    last = folder.last_day
    if new and last is not None and new[0] < last:
        raise UsageError(
            f"{new[0]} lies before {last}, the last day of the feed in {folder.path}, and has no puzzle "
            f"there: its number would come too late. Go on from {next_issue(spec, last)}, or use another "
            "folder."
        )
    number = folder.number(last) + 1 if last is not None else spec.first_number
    slots = tuple(day_slot(spec, day, number + at) for at, day in enumerate(new))
    solution_days = {day: next_issue(spec, day) for day in new}
    files = {slot.day: file_names(studio, slot, solution_days[slot.day]) for slot in slots}
    _check_names(spec.template.text, files, folder)
    _check_free(files, folder, run if slots else None, begun=begun)
    return FeedPlan(slots, solution_days, files, tuple(day for day in days if day in folder.items))


def _check_names(template: str, files: Mapping[datetime.date, Files], folder: Folder) -> None:
    taken = {name.casefold(): f"{name}, written by an earlier run" for name in folder.sums}
    for day, what, name in _each(files):
        said = _IMAGES[what].format(day=day)
        other = taken.setdefault(name.casefold(), said)
        if other != said:
            raise SpecError(
                f"names: {template} gives {name} to {said} and to {other}. Put {{date:%Y%m%d}} or "
                "{number:04} into it."
            )


def _check_free(
    files: Mapping[datetime.date, Files], folder: Folder, run: Run | None, *, begun: bool
) -> None:
    """Nothing that is there is written over, except what a cut-off run of the same days left."""
    wanted = [name for _, _, name in _each(files)]
    if run is not None:
        wanted += [f"manifest-{run.name}.json", f"manifest-{run.name}.csv"]
    there = [] if begun else [name for name in wanted if (folder.path / name).exists()]
    if there:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise OutputError(
            f"{folder.path / there[0]}{more} exists already, and no manifest there tells of it. Nothing was "
            "written: choose another folder with -o, or move the files away."
        )


def _each(files: Mapping[datetime.date, Files]) -> Sequence[tuple[datetime.date, What, str]]:
    return [(day, what, name) for day, names in files.items() for what, _, name in names]
