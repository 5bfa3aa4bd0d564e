"""Read the folder of a newspaper's feed, and plan to replace puzzles that earlier runs made.

Each run writes a manifest, which describes its puzzles and images. If an editor wants another puzzle for a
day, the new puzzle gets the number, the dates and the file names of the old one. The old puzzle stays in the
manifest under the key ``withdrawn``, and no later run uses it again.
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
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.errors import OutputError, PuzzleError
from linkpress.feeds.feed_spec import DaySlot, FeedDates, FeedSpec, day_slot
from linkpress.feeds.manifest import FORMAT, FORMAT_VERSION, Issue, Item, Manifest, PuzzleItem, read_manifest
from linkpress.files import VOLUME_FILE, ImageFormat, is_file, parse_json, read_limited
from linkpress.images.image_export import only_solution
from linkpress.images.image_files import FORMATS
from linkpress.images.image_settings import ImageKind
from linkpress.puzzle.notation.link_text import parse_board_rows, parse_solution_rows
from linkpress.puzzle.notation.pzpr import puzzle_url
from linkpress.puzzle.puzzle import Solution

Files = tuple[tuple[ImageKind, ImageFormat, str], ...]
"""Image files of a day: what each shows, its format, and its name."""

# Maximum size of a manifest in bytes. A manifest for ten years of daily puzzles has about 25 MB.
MAX_BYTES = 64 << 20
FORMAT_OF_MEDIA_TYPE = {facts.media_type: kind for kind, facts in FORMATS.items()}
_JOURNAL = ".feed-{feed}-{run}.journal"


@dataclass(frozen=True, slots=True)
class DayOrder:
    """Images to draw for one day.

    Args:
        issue: the day's puzzle.
        earlier: the feed's previous puzzle, whose solution the combined image shows; None on the first day.
        files: the files to write.
        dpi: the resolution in dots per inch, if files of an earlier run are drawn again. None for the feed's
            resolution.
    """

    issue: Issue
    earlier: Issue | None
    files: Files
    dpi: int | None = None


@dataclass(frozen=True)
class Folder:
    """Content of a feed's folder: all images that earlier runs have made.

    Args:
        path: the folder.
        feed: the id of the feed.
        items: for each day, the images of its puzzle. The image of the solution is included, although it is
            printed on a later day.
        withdrawn: the fingerprints of puzzles that were replaced.
    """

    path: Path
    feed: str
    items: Mapping[datetime.date, tuple[Item, ...]]
    withdrawn: frozenset[str] = frozenset()

    @property
    def last_day(self) -> datetime.date | None:
        return max(self.items, default=None)

    def fingerprints(self, without: Collection[datetime.date] = ()) -> frozenset[str]:
        """Return the fingerprints of all puzzles, including those that were replaced.

        Args:
            without: days whose current puzzles are left out. Puzzles of these days that were replaced are
                included.
        """
        current = (items[0].puzzle.fingerprint for day, items in self.items.items() if day not in without)
        return self.withdrawn.union(current)

    @property
    def all_items(self) -> tuple[Item, ...]:
        return tuple(item for items in self.items.values() for item in items)

    def with_items(self, changed: Iterable[Item]) -> Folder:
        """Return a copy of this folder in which changed images replace the old images with the same keys."""
        by_key = {item.key: item for item in changed}
        items = {
            day: tuple(by_key.get(item.key, item) for item in items) for day, items in self.items.items()
        }
        return replace(self, items=items)

    def files(self, day: datetime.date) -> Files:
        return tuple(
            (ImageKind(item.what), FORMAT_OF_MEDIA_TYPE[rendition.mimetype], rendition.file)
            for item in self.items[day]
            for rendition in item.renditions
        )

    def solution_day(self, day: datetime.date) -> datetime.date:
        return self.items[day][0].puzzle.solution_date

    @cached_property
    def checksums(self) -> Mapping[str, str]:
        return {rendition.file: rendition.sha256 for item in self.all_items for rendition in item.renditions}

    def items_of(self, run: FeedDates) -> tuple[Item, ...]:
        return tuple(
            item
            for item in self.all_items
            if any(run.first <= day <= run.last for day in (item.date, item.puzzle.date))
        )

    def number(self, day: datetime.date) -> int:
        return self.items[day][0].number

    def issue(self, day: datetime.date) -> Issue:
        """Return the puzzle that was made for a day.

        Raises:
            PuzzleError: parts of the manifest contradict each other.
        """
        where = f"the manifest of {day.isoformat()} in {self.path}"
        puzzle, number = self.items[day][0].puzzle, self.number(day)
        board = parse_board_rows(puzzle.board)
        if puzzle.url not in (None, puzzle_url(board, filled=ruleset_of(Rule(puzzle.rule)).covers)):
            raise PuzzleError(f"{where}: board and url show different puzzles; one of them was changed.")
        rows = next((item.solution for item in self.items[day] if item.solution), None)
        fields = {
            **puzzle.model_dump(),
            "level": self.feed,
            "slot": number,
            "findings": {},
            "method": None,
            "solution": _read_solution(puzzle, rows, where),
        }
        try:
            record = read_puzzle(fields)
        except PuzzleError as error:
            raise PuzzleError(f"{where}: {error}") from None
        return Issue(day, self.solution_day(day), number, record)

    def check_unchanged(self, file: str, purpose: str) -> bool:
        """Return whether an image file exists, and check that it was not changed since linkpress wrote it.

        Args:
            file: the file's name.
            purpose: end of the error message, after "Move it away to have", such as "it drawn again".
        Raises:
            OutputError: the file was changed.
        """
        path = self.path / file
        if not path.exists():
            return False
        if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == self.checksums[file]:
            return True
        raise OutputError(
            f"{path} was changed since linkpress wrote it. Nothing was written. Move it away to have "
            f"{purpose}."
        )


def read_folder(path: Path, feed: str, leave_out: str | None = None) -> Folder:
    """Read a feed's folder.

    Args:
        path: the folder.
        feed: the id of the feed.
        leave_out: the name of a manifest to skip, because its run was interrupted.
    Raises:
        OutputError: the path is a file, or the folder has another feed or a book.
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
    """Read the manifests of a folder in the order of their days.

    Raises:
        OutputError: a file is not a feed's manifest, or belongs to another feed.
        PuzzleError: a manifest can't be read or is malformed.
    """
    for file in sorted(path.glob("manifest-*.json")):
        yield file, _read_manifest(file, feed)


def _read_manifest(file: Path, feed: str) -> Manifest:
    try:
        text = read_limited(file, MAX_BYTES)
        content = parse_json(text)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PuzzleError(
            f"{file} can't be read as a feed's manifest: {reason}. Move it away, or choose another "
            "folder with -o."
        ) from error
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


def _read_solution(item: PuzzleItem, rows: list[str] | None, where: str) -> Solution:
    """Return the solution that a manifest stores as rows of path numbers.

    If the rows are missing or ambiguous, solve the puzzle again. The rows are ambiguous if a path runs beside
    itself, because they don't give the order of the path's squares.
    """
    puzzle = parse_board_rows(item.board)
    try:
        if rows is not None:
            return parse_solution_rows(puzzle, rows)
    except PuzzleError:
        pass
    return only_solution(puzzle, where, Rule(item.rule))


def journal_path(path: Path, feed: str, run: FeedDates, *, anew: bool = False) -> Path:
    """Return the path of a run's journal, a file that records finished puzzles until the run ends.

    Args:
        path: the feed's folder.
        feed: the id of the feed.
        run: the days of the run.
        anew: True if the run has no new days and only replaces puzzles of earlier days.
    """
    return path / _JOURNAL.format(feed=feed, run=run.name + "-anew" * anew)


def check_journals(path: Path, feed: str, run: FeedDates, *, resume: bool) -> Path | None:
    """Return the journal of this run if it was interrupted, or else None.

    Args:
        path: the feed's folder.
        feed: the id of the feed.
        run: the days of the run.
        resume: whether to resume an interrupted run.
    Raises:
        OutputError: another run was interrupted, or this run was interrupted and ``resume`` is False.
    """
    journals = [journal_path(path, feed, run, anew=anew) for anew in (False, True)]
    for file in sorted(path.glob(_JOURNAL.format(feed="*", run="*"))):
        if file not in journals:
            other = file.name.removeprefix(".feed-").removesuffix(".journal")
            raise OutputError(
                f"{path} has an interrupted run: {other}. Finish it first with its own --from, "
                f"--days and --resume, or remove {file} and those days' images and pages."
            )
    interrupted = next((file for file in journals if file.exists()), None)
    if interrupted and not resume:
        raise OutputError(
            f"this run was begun in {path} and interrupted. Go on with --resume, or remove {interrupted} and "
            "those days' images and pages to begin again."
        )
    return interrupted


@dataclass(frozen=True)
class Replacements:
    """Days of earlier runs that get another puzzle.

    Args:
        slots: instructions for making the new puzzles, in the order of the days.
        files: the files to draw again, by day. A combined image shows the solution of the day before, so the
            combined image of the day after a replaced day is included.
        renewed: days whose manifest already has the new puzzle, because an interrupted run made it.
    """

    slots: tuple[DaySlot, ...]
    files: Mapping[datetime.date, Files]
    renewed: frozenset[datetime.date]

    @property
    def days(self) -> tuple[datetime.date, ...]:
        return tuple(slot.day for slot in self.slots)

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for files in self.files.values() for _, _, name in files)


def plan_replacements(
    spec: FeedSpec, folder: Folder, days: Iterable[datetime.date], *, resumed: bool
) -> Replacements:
    """Find the days of a run that get another puzzle because the feed's spec asks for it.

    Args:
        spec: the feed.
        folder: the feed's folder.
        days: the days of the run.
        resumed: whether the run continues an interrupted run, which may have made some of the new puzzles.
    Raises:
        OutputError: a file to draw again was changed since it was written.
    """
    replacements = spec.replace or {}
    slots = tuple(
        replacement_slot(spec, folder, day)
        for day in days
        if day in replacements
        and day in folder.items
        and (resumed or not is_replaced(folder, day, replacements[day]))
    )
    files: dict[datetime.date, Files] = {slot.day: folder.files(slot.day) for slot in slots}
    for slot in slots:
        next_day = min((day for day in folder.items if day > slot.day), default=None)
        if next_day is not None and next_day not in files:
            combined = tuple(file for file in folder.files(next_day) if file[0] is ImageKind.COMBINED)
            if combined:
                files[next_day] = combined
    renewed = frozenset(slot.day for slot in slots if is_replaced(folder, slot.day, replacements[slot.day]))
    plan = Replacements(slots, files, renewed)
    if not resumed:
        for name in sorted(plan.names):
            folder.check_unchanged(name, "the day's puzzle replaced")
    return plan


def replacement_slot(spec: FeedSpec, folder: Folder, day: datetime.date) -> DaySlot:
    return replace(day_slot(spec, day, folder.number(day)), solution_day=folder.solution_day(day))


def is_replaced(folder: Folder, day: datetime.date, replacement: int) -> bool:
    """Return whether a day already has the replacement puzzle that the spec asks for.

    Args:
        folder: the feed's folder.
        day: a day that has a puzzle.
        replacement: the number of the replacement puzzle; 1 for the first replacement.
    """
    seed, _, _ = folder.items[day][0].puzzle.seed.rpartition("/")
    return seed.endswith(replacement_seed(f"/{day.isoformat()}", replacement))


def day_order(
    folder: Folder,
    day: datetime.date,
    files: Files,
    issues: Mapping[datetime.date, Issue] = MappingProxyType({}),
) -> DayOrder:
    """Return the images to draw again for a day of an earlier run.

    Args:
        folder: the feed's folder.
        day: the day.
        files: the files to draw.
        issues: for some days, new puzzles to draw instead of the earlier ones.
    """
    before = max((other for other in folder.items if other < day), default=None)
    earlier = None if before is None else issues.get(before) or folder.issue(before)
    dpi = folder.items[day][0].renditions[0].dpi
    return DayOrder(issues.get(day) or folder.issue(day), earlier, files, dpi)


def renewed_manifests(folder: Folder, changed: Sequence[Item]) -> Iterator[tuple[Path, Manifest]]:
    """Yield each manifest that describes changed images, with new data for these images.

    If several manifests describe a day, ``read_folder`` uses the earliest one. So the earliest manifest is
    yielded last. If the run is interrupted before this manifest is written, the day counts as not replaced,
    and the next run replaces its puzzle again.
    """
    by_key = {item.key: item for item in changed}
    for path, manifest in reversed(list(read_manifests(folder.path, folder.feed))):
        old = [item for item in manifest.items if item.key in by_key]
        if not old:
            continue
        canceled = [
            item.model_copy(update={"pubstatus": "canceled"})
            for item in old
            if item.puzzle.fingerprint != by_key[item.key].puzzle.fingerprint
        ]
        items = [by_key.get(item.key, item) for item in manifest.items]
        withdrawn = [*manifest.withdrawn, *canceled]
        changes = {"items": items, **({"withdrawn": withdrawn} if withdrawn else {})}
        yield path, manifest.model_copy(update=changes)
