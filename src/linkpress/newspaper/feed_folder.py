"""A feed's output folder: what earlier runs wrote there, as their manifests say."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from linkpress.book.puzzle_record import read_puzzle
from linkpress.config.json_text import parse_json
from linkpress.engine.recipe import Rule
from linkpress.errors import OutputError, PuzzleError
from linkpress.files import read_within
from linkpress.newspaper.calendar import Run
from linkpress.newspaper.manifest import FORMAT, FORMAT_VERSION, Issue, Item, check_manifest
from linkpress.newspaper.naming import What
from linkpress.newspaper.puzzle_sources import only_solution
from linkpress.production.journal import check_not_running
from linkpress.puzzle.notation.link_text import parse_board_rows, parse_solution_rows
from linkpress.puzzle.puzzle import Solution

MAX_BYTES = 64 << 20  # ten years of a daily feed take about 25 MB

_JOURNAL = ".feed-{feed}-{run}.journal"


@dataclass(frozen=True)
class Folder:
    """What a folder holds of a feed.

    Args:
        path: the folder.
        feed: the id of the feed that goes there.
        items: of every day, by the puzzle's date; a solution belongs to its puzzle's day.
    """

    path: Path
    feed: str
    items: Mapping[datetime.date, tuple[Item, ...]]

    @property
    def last_day(self) -> datetime.date | None:
        """The last day with a puzzle, None in a new folder."""
        return max(self.items, default=None)

    @property
    def fingerprints(self) -> frozenset[str]:
        """Of every puzzle there is."""
        return frozenset(items[0]["puzzle"]["fingerprint"] for items in self.items.values())

    @cached_property
    def sums(self) -> Mapping[str, str]:
        """The SHA-256 of every file that was written, by its name."""
        return {
            rendition["file"]: rendition["sha256"]
            for items in self.items.values()
            for item in items
            for rendition in item["renditions"]
        }

    def items_of(self, run: Run) -> tuple[Item, ...]:
        """Every image that is printed on a run's days, or belongs to the puzzle of one of them."""
        first, last = run.first.isoformat(), run.last.isoformat()
        return tuple(
            item
            for items in self.items.values()
            for item in items
            if first <= item["date"] <= last or first <= item["puzzle"]["date"] <= last
        )

    def number(self, day: datetime.date) -> int:
        """The number of a day's puzzle."""
        return int(self.items[day][0]["number"])

    def issue(self, day: datetime.date) -> Issue:
        """A day's puzzle as it was published.

        Raises:
            PuzzleError: the manifest contradicts itself.
        """
        where = f"the manifest of {day.isoformat()} in {self.path}"
        item = self.items[day][0]["puzzle"]
        rows = next((item["solution"] for item in self.items[day] if item["what"] == What.SOLUTION), None)
        number = self.number(day)
        known = {"level": self.feed, "slot": number, "techniques": {}, "method": None}
        try:
            record = read_puzzle({**item, **known, "solution": _solution(item, rows, where)})
        except PuzzleError as fault:
            raise PuzzleError(f"{where}: {fault}") from None
        return Issue(day, datetime.date.fromisoformat(item["solution_date"]), number, record)

    def is_sound(self, file: str) -> bool | None:
        """Whether a file is as it was written; None where it is missing."""
        path = self.path / file
        if not path.is_file():
            return None
        return hashlib.sha256(path.read_bytes()).hexdigest() == self.sums[file]


def read_folder(path: Path, feed: str, leave_out: str | None = None) -> Folder:
    """Read the manifests of a folder.

    Args:
        path: the folder; it may be missing.
        feed: the id of the feed that goes there.
        leave_out: the name of a manifest that does not count: of a run that was cut off.
    Raises:
        OutputError: it is a file, or holds another feed.
        PuzzleError: a manifest can't be read or is malformed.
    """
    if path.exists() and not path.is_dir():
        raise OutputError(f"{path} is a file; give a folder with -o.")
    days: dict[datetime.date, dict[str, Item]] = {}
    for file in sorted(path.glob("manifest-*.json")):
        if file.name == leave_out:
            continue
        for item in _read_manifest(file, feed)["items"]:
            day = datetime.date.fromisoformat(item["puzzle"]["date"])
            days.setdefault(day, {}).setdefault(item["what"], item)
    return Folder(path, feed, {day: tuple(by_what.values()) for day, by_what in days.items()})


def journal_path(path: Path, feed: str, run: Run) -> Path:
    """Where the journal of a run lies while it is made."""
    return path / _JOURNAL.format(feed=feed, run=run.name)


def check_journals(path: Path, feed: str, run: Run, *, resume: bool) -> bool:
    """See whether a run was cut off here.

    Args:
        path: the folder.
        feed: the id of the feed.
        run: that is to be made.
        resume: whether it may go on from where it was cut off.
    Returns:
        Whether this run was begun before.
    Raises:
        OutputError: another run or feed was, or this one and it may not go on; or one is being made now.
    """
    own = journal_path(path, feed, run)
    for file in sorted(path.glob(_JOURNAL.format(feed="*", run="*"))):
        if file.name != own.name:
            check_not_running(file)
            begun = file.name.removeprefix(".feed-").removesuffix(".journal")
            raise OutputError(
                f"{path} holds a run that was cut off: {begun}. Finish it first with its own --from, "
                f"--days and --resume, or remove {file} and the images of those days."
            )
    if own.exists() and not resume:
        check_not_running(own)
        raise OutputError(
            f"this run was begun in {path} and cut off. Go on with --resume, or remove {own} and the images "
            "of those days to begin afresh."
        )
    return own.exists()


def _read_manifest(file: Path, feed: str) -> dict[str, Any]:
    try:
        content = parse_json(read_within(file, MAX_BYTES))
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
    check_manifest(content, str(file))
    return content


def _solution(item: Item, rows: list[str] | None, where: str) -> Solution:
    """From its rows; proven again where a path runs alongside itself, which rows can't show."""
    puzzle = parse_board_rows(item["board"])
    try:
        if rows is not None:
            return parse_solution_rows(puzzle, rows)
    except PuzzleError:
        pass
    return only_solution(puzzle, where, Rule(item["rule"]))
