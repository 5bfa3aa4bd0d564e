"""Days whose puzzle an editor has made anew: which they are, what is drawn again, and what is kept.

The new puzzle takes the number, the dates and the file names of the one that it stands for. That one stays in
the manifests under ``withdrawn``, with its board, answer and checksums, and comes in no later run.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType

from linkpress.book.plan import replacement_seed
from linkpress.feeds.calendar import DaySlot, day_slot
from linkpress.feeds.day_images import DayOrder, Files
from linkpress.feeds.feed_folder import Folder, read_manifests
from linkpress.feeds.feed_spec import FeedSpec
from linkpress.feeds.manifest import Issue, Item, Manifest
from linkpress.images.naming import ImageKind


@dataclass(frozen=True)
class Replacements:
    """The part of earlier runs that is made and drawn anew.

    Args:
        slots: of the days with a new puzzle, in order.
        files: that are drawn, by day: all of those days, and combined images that show their answers.
        renewed: those days whose manifest tells of the wanted puzzle already, after a run that was cut off.
    """

    slots: tuple[DaySlot, ...]
    files: Mapping[datetime.date, Files]
    renewed: frozenset[datetime.date]

    @property
    def days(self) -> tuple[datetime.date, ...]:
        """The days that get a new puzzle."""
        return tuple(slot.day for slot in self.slots)

    @property
    def names(self) -> frozenset[str]:
        """The names of the files that are drawn anew."""
        return frozenset(name for files in self.files.values() for _, _, name in files)


def plan_replacements(
    spec: FeedSpec, folder: Folder, days: Iterable[datetime.date], *, begun: bool
) -> Replacements:
    """Find the days of a run whose puzzle is not the one that the feed wants.

    Args:
        begun: whether the run was cut off, so that some of these may have their new puzzle already.
    Raises:
        OutputError: a file that would be drawn again was changed since it was written.
    """
    wanted = spec.replace or {}
    slots = tuple(
        replacement_slot(spec, folder, day)
        for day in days
        if day in wanted and day in folder.items and (begun or not is_replaced(folder, day, wanted[day]))
    )
    files: dict[datetime.date, Files] = {slot.day: folder.files(slot.day) for slot in slots}
    for slot in slots:
        later = min((day for day in folder.items if day > slot.day), default=None)
        if later is not None and later not in files:
            combined = tuple(file for file in folder.files(later) if file[0] is ImageKind.COMBINED)
            if combined:
                files[later] = combined
    renewed = frozenset(slot.day for slot in slots if is_replaced(folder, slot.day, wanted[slot.day]))
    found = Replacements(slots, files, renewed)
    if not begun:
        for name in sorted(found.names):
            folder.is_missing(name, "the day's puzzle replaced")
    return found


def replacement_slot(spec: FeedSpec, folder: Folder, day: datetime.date) -> DaySlot:
    """Plan a day's slot with the number and the solution's day that were published."""
    slot = day_slot(spec, day, folder.number(day))
    return replace(slot, solution_day=folder.solution_day(day))


def is_replaced(folder: Folder, day: datetime.date, which: int) -> bool:
    """Tell whether a published day has the wanted replacement already."""
    seed, _, _ = folder.items[day][0].puzzle.seed.rpartition("/")
    return seed.endswith(replacement_seed(f"/{day.isoformat()}", which))


def day_order(
    folder: Folder,
    day: datetime.date,
    files: Files,
    issues: Mapping[datetime.date, Issue] = MappingProxyType({}),
) -> DayOrder:
    """Return what is drawn anew of an earlier day.

    Args:
        files: that are drawn.
        issues: the new ones, by day; of all other days those that were published count.
    """
    before = folder.day_before(day)
    earlier = None if before is None else issues.get(before) or folder.issue(before)
    return DayOrder(issues.get(day) or folder.issue(day), earlier, files, folder.dpi(day))


def renewed_manifests(folder: Folder, fresh: Sequence[Item]) -> Iterator[tuple[Path, Manifest]]:
    """Bring up to date the manifests that describe images which were drawn anew.

    The one that a folder is read by first comes last: put in place in this order, a run that is cut off
    meanwhile finds its days not yet replaced.

    Args:
        folder: as it was read.
    """
    by_uri = {item.uri: item for item in fresh}
    for path, manifest in reversed(list(read_manifests(folder.path, folder.feed))):
        old = [item for item in manifest.items if item.uri in by_uri]
        if not old:
            continue
        gone = [
            item.model_copy(update={"pubstatus": "canceled"})
            for item in old
            if item.puzzle.fingerprint != by_uri[item.uri].puzzle.fingerprint
        ]
        items = [by_uri.get(item.uri, item) for item in manifest.items]
        withdrawn = [*manifest.withdrawn, *gone]
        changes = {"items": items, **({"withdrawn": withdrawn} if withdrawn else {})}
        yield path, manifest.model_copy(update=changes)
