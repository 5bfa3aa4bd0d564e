"""A feed's folder has what earlier runs wrote there, as their manifests say; some is made anew.

Where an editor wants another puzzle for a day, it takes the number, the dates and the file names of the one
that it stands for. That one stays in the manifests under ``withdrawn``, with its board, answer and checksums,
and comes in no later run.
"""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType

from linkpress.book.plan import replacement_seed
from linkpress.book.puzzle_record import read_puzzle
from linkpress.documents.json_text import parse_json
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.errors import OutputError, PuzzleError
from linkpress.feeds.calendar import DaySlot, FeedDates, day_slot
from linkpress.feeds.day_images import DayOrder, Files
from linkpress.feeds.feed_spec import FeedSpec
from linkpress.feeds.manifest import FORMAT, FORMAT_VERSION, Issue, Item, Manifest, PuzzleItem, read_manifest
from linkpress.files import VOLUME_FILE, is_file, read_limited
from linkpress.images.image_export import only_solution
from linkpress.images.image_files import ImageFormat
from linkpress.images.image_settings import ImageKind
from linkpress.puzzle.notation.link_text import parse_board_rows, parse_solution_rows
from linkpress.puzzle.notation.pzpr import puzzle_url
from linkpress.puzzle.puzzle import Solution

MAX_BYTES = 64 << 20  # ten years of a daily feed take about 25 MB

KINDS = {kind.facts.media_type: kind for kind in ImageFormat}

_JOURNAL = ".feed-{feed}-{run}.journal"


@dataclass(frozen=True)
class Folder:
    """A folder is what earlier runs of a feed have left.

    Args:
        feed: the id of the feed that goes there.
        items: of every day, by the puzzle's date; a solution belongs to its puzzle's day.
        withdrawn: fingerprints of puzzles that others replace.
    """

    path: Path
    feed: str
    items: Mapping[datetime.date, tuple[Item, ...]]
    withdrawn: frozenset[str] = frozenset()

    @property
    def last_day(self) -> datetime.date | None:
        """Return the last day with a puzzle, None in a new folder."""
        return max(self.items, default=None)

    def fingerprints(self, without: Collection[datetime.date] = ()) -> frozenset[str]:
        """Return the fingerprints of every puzzle there is or was, without those of some days."""
        there = (items[0].puzzle.fingerprint for day, items in self.items.items() if day not in without)
        return self.withdrawn.union(there)

    @property
    def all_items(self) -> tuple[Item, ...]:
        """Return the items of every image there is."""
        return tuple(item for items in self.items.values() for item in items)

    def with_items(self, fresh: Iterable[Item]) -> Folder:
        """Return the folder with these items in place of those of the same images."""
        by_key = {item.key: item for item in fresh}
        items = {
            day: tuple(by_key.get(item.key, item) for item in items) for day, items in self.items.items()
        }
        return replace(self, items=items)

    def files(self, day: datetime.date) -> Files:
        """Return a day's files."""
        return tuple(
            (ImageKind(item.what), KINDS[rendition.mimetype], rendition.file)
            for item in self.items[day]
            for rendition in item.renditions
        )

    def solution_day(self, day: datetime.date) -> datetime.date:
        """Return the day on which a day's solution is printed."""
        return self.items[day][0].puzzle.solution_date

    @cached_property
    def sums(self) -> Mapping[str, str]:
        """Return the SHA-256 of every file that was written, by its name."""
        return {rendition.file: rendition.sha256 for item in self.all_items for rendition in item.renditions}

    def items_of(self, run: FeedDates) -> tuple[Item, ...]:
        """Return the items of all that is printed on a run's days or belongs to their puzzles."""
        return tuple(
            item
            for item in self.all_items
            if any(run.first <= day <= run.last for day in (item.date, item.puzzle.date))
        )

    def number(self, day: datetime.date) -> int:
        """Return the number of a day's puzzle."""
        return self.items[day][0].number

    def issue(self, day: datetime.date) -> Issue:
        """Return a day's puzzle as published; raise ``PuzzleError`` if the manifest contradicts itself."""
        where = f"the manifest of {day.isoformat()} in {self.path}"
        puzzle, number = self.items[day][0].puzzle, self.number(day)
        board = parse_board_rows(puzzle.board)
        if puzzle.url not in (None, puzzle_url(board, filled=ruleset_of(Rule(puzzle.rule)).covers)):
            raise PuzzleError(f"{where}: board and url are not of one puzzle; one of them was changed.")
        rows = next((item.solution for item in self.items[day] if item.solution), None)
        known = {"level": self.feed, "slot": number, "techniques": {}, "method": None}
        try:
            record = read_puzzle({**puzzle.model_dump(), **known, "solution": _solution(puzzle, rows, where)})
        except PuzzleError as fault:
            raise PuzzleError(f"{where}: {fault}") from None
        return Issue(day, self.solution_day(day), number, record)

    def check_unchanged(self, file: str, wanted: str) -> bool:
        """Tell whether a file is there; refuse one that was changed: moved away, it gives what is wanted."""
        path = self.path / file
        if not path.exists():
            return False
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == self.sums[file]:
            return True
        raise OutputError(
            f"{path} is not the file that the manifest tells of; it was changed. Nothing was written. Move "
            f"it away to have {wanted}."
        )


def read_folder(path: Path, feed: str, leave_out: str | None = None) -> Folder:
    """Read a folder's manifests, without the one, of a run that was cut off, that is left out.

    Raises:
        OutputError: it is a file, or holds another feed, or a built book and no feed yet.
        PuzzleError: a manifest can't be read or is malformed.
    """
    if path.exists() and not path.is_dir():
        raise OutputError(f"{path} is a file; give a folder with -o.")
    days: dict[datetime.date, dict[str, Item]] = {}
    withdrawn: set[str] = set()
    for file, manifest in read_manifests(path, feed):
        if file.name == leave_out:
            continue
        withdrawn |= {item.puzzle.fingerprint for item in manifest.withdrawn}
        for item in manifest.items:
            days.setdefault(item.puzzle.date, {}).setdefault(item.what, item)
    if not days and is_file(path / VOLUME_FILE):
        raise OutputError(f"{path} holds a built book. Nothing was written: choose another folder with -o.")
    items = {day: tuple(by_what.values()) for day, by_what in sorted(days.items())}
    return Folder(path, feed, items, frozenset(withdrawn))


def read_manifests(path: Path, feed: str) -> Iterator[tuple[Path, Manifest]]:
    """Read the manifests of a folder in the order of their days; raise as ``read_folder`` does."""
    for file in sorted(path.glob("manifest-*.json")):
        yield file, _read_manifest(file, feed)


def journal_path(path: Path, feed: str, run: FeedDates, *, anew: bool = False) -> Path:
    """Return where a run's journal lies meanwhile; ``anew`` for days that all have been made before."""
    return path / _JOURNAL.format(feed=feed, run=run.name + "-anew" * anew)


def check_journals(path: Path, feed: str, run: FeedDates, *, resume: bool) -> Path | None:
    """Return the journal of a run that was cut off here, if any; refuse a run that may not go on."""
    own = [journal_path(path, feed, run, anew=anew) for anew in (False, True)]
    for file in sorted(path.glob(_JOURNAL.format(feed="*", run="*"))):
        if file not in own:
            other = file.name.removeprefix(".feed-").removesuffix(".journal")
            raise OutputError(
                f"{path} holds a run that was cut off: {other}. Finish it first with its own --from, "
                f"--days and --resume, or remove {file} and those days' images and pages."
            )
    begun = next((file for file in own if file.exists()), None)
    if begun and not resume:
        raise OutputError(
            f"this run was begun in {path} and cut off. Go on with --resume, or remove {begun} and those "
            "days' images and pages to begin afresh."
        )
    return begun


def _read_manifest(file: Path, feed: str) -> Manifest:
    try:
        text = read_limited(file, MAX_BYTES)
        content = parse_json(text)
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise PuzzleError(
            f"{file} can't be read as a feed's manifest: {reason}. Move it away, or choose another "
            "folder with -o."
        ) from fault
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise OutputError(f"{file} is not a feed's manifest; choose another folder with -o.")
    if content.get("format_version") != FORMAT_VERSION:
        raise PuzzleError(f"{file} is of another release's format; update linkpress.")
    if content.get("feed") != feed:
        raise OutputError(
            f"{file.parent} holds another feed, {content.get('feed')!r}, not {feed!r}. Nothing was written: "
            "choose another folder with -o."
        )
    return read_manifest(text, str(file))


def _solution(item: PuzzleItem, rows: list[str] | None, where: str) -> Solution:
    """Read a solution from its rows; prove it again where a path runs alongside itself, which rows hide."""
    puzzle = parse_board_rows(item.board)
    try:
        if rows is not None:
            return parse_solution_rows(puzzle, rows)
    except PuzzleError:
        pass
    return only_solution(puzzle, where, Rule(item.rule))


@dataclass(frozen=True)
class Replacements:
    """These parts of earlier runs are made and drawn anew.

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
        """Return the days that get a new puzzle."""
        return tuple(slot.day for slot in self.slots)

    @property
    def names(self) -> frozenset[str]:
        """Return the names of the files that are drawn anew."""
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
            folder.check_unchanged(name, "the day's puzzle replaced")
    return found


def replacement_slot(spec: FeedSpec, folder: Folder, day: datetime.date) -> DaySlot:
    """Plan a day's slot with the number and the solution's day that were published."""
    return replace(day_slot(spec, day, folder.number(day)), solution_day=folder.solution_day(day))


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
    """Return what is drawn anew of an earlier day; the new ``issues`` count before those published."""
    before = max((other for other in folder.items if other < day), default=None)
    earlier = None if before is None else issues.get(before) or folder.issue(before)
    dpi = folder.items[day][0].renditions[0].dpi
    return DayOrder(issues.get(day) or folder.issue(day), earlier, files, dpi)


def renewed_manifests(folder: Folder, fresh: Sequence[Item]) -> Iterator[tuple[Path, Manifest]]:
    """Bring up to date the manifests that describe images which were drawn anew.

    The one that a folder is read by first comes last: put in place in this order, a run that is cut off
    meanwhile finds its days not yet replaced.
    """
    by_key = {item.key: item for item in fresh}
    for path, manifest in reversed(list(read_manifests(folder.path, folder.feed))):
        old = [item for item in manifest.items if item.key in by_key]
        if not old:
            continue
        gone = [
            item.model_copy(update={"pubstatus": "canceled"})
            for item in old
            if item.puzzle.fingerprint != by_key[item.key].puzzle.fingerprint
        ]
        items = [by_key.get(item.key, item) for item in manifest.items]
        withdrawn = [*manifest.withdrawn, *gone]
        changes = {"items": items, **({"withdrawn": withdrawn} if withdrawn else {})}
        yield path, manifest.model_copy(update=changes)
