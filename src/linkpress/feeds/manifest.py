"""The manifest of a feed's run: per image who made it, what it shows, when it may be printed.

The fields borrow their names from IPTC's ninjs: uri, type, versioncreated, embargoed, pubstatus,
copyrightholder, usageterms, ednote, renditions. No exchange format knows link puzzles, so boards
are rows as in ``volume.json``, with a puzz.link address where the board has no solids. What is
written is checked against the schema that ships as ``config/manifest.schema.json``, and what is
read as well.
"""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import jsonschema

from linkpress.book.puzzle_record import PuzzleRecord, puzzle_json
from linkpress.engine.recipe import Rule
from linkpress.errors import PuzzleError
from linkpress.feeds.calendar import FeedDates
from linkpress.feeds.feed_spec import WEEKDAYS, FeedSpec
from linkpress.images.image_captions import Caption
from linkpress.images.image_files import ImageFormat
from linkpress.images.naming import ImageKind
from linkpress.puzzle.notation.puzz_link import puzzle_url
from linkpress.resources import resource
from linkpress.version import __version__

FORMAT = "linkpress-feed-manifest"
FORMAT_VERSION = 1
SCHEMA_FILE = "manifest.schema.json"
_BEFORE_URL = ("width", "height", "pairs", "solids", "rule", "proof", "grade", "score", "stars", "board")
_MOST_NAME_BYTES = 255  # what file systems take

Item = Mapping[str, Any]
_CSV_COLUMNS = (
    "date",
    "weekday",
    "number",
    "what",
    "file",
    "width_px",
    "height_px",
    "width_mm",
    "height_mm",
    "dpi",
    "size",
    "pairs",
    "solids",
    "grade",
    "score",
    "embargoed",
    "fingerprint",
    "seed",
    "sha256",
)


@dataclass(frozen=True, slots=True)
class Issue:
    """A day's puzzle.

    Args:
        day: on which it is printed.
        solution_day: on which its solution is.
        number: as printed.
    """

    day: datetime.date
    solution_day: datetime.date
    number: int
    record: PuzzleRecord


def rendition(
    content: bytes, file: str, kind: ImageFormat, size_px: tuple[int, int], dpi: int, mode: str
) -> Item:
    """One finished file as JSON values.

    Args:
        file: its path below the folder, with forward slashes.
        size_px: width and height, exact.
        mode: of pixels; vectors have none.
    """
    width_mm, height_mm = (round(side * 25.4 / dpi, 3) for side in size_px)
    return {
        "file": file,
        "mimetype": kind.facts.media_type,
        "width_px": size_px[0],
        "height_px": size_px[1],
        "width_mm": width_mm,
        "height_mm": height_mm,
        "dpi": dpi,
        "mode": None if kind.is_vector else mode,
        "size_bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


def issue_item(
    spec: FeedSpec, what: ImageKind, issue: Issue, caption: Caption, renditions: Sequence[Item]
) -> dict[str, Any]:
    """The item of one image.

    Args:
        issue: whose puzzle or solution it is; for a combined image today's.
        caption: its words, drawn or not.
        renditions: its files, one a kind, from ``rendition``.
    """
    day = issue.solution_day if what is ImageKind.SOLUTION else issue.day
    item: dict[str, Any] = {
        "uri": f"urn:x-linkpress:{spec.id}:{day.isoformat()}:{what}",
        "type": "graphic",
        "what": what.value,
        "date": day.isoformat(),
        "weekday": WEEKDAYS[day.weekday()],
        "number": issue.number,
        "headline": f"{spec.title} {issue.number}",
        "language": spec.wording().language,
        "versioncreated": _midnight(spec, issue.day),
        "embargoed": _midnight(spec, day),
        "pubstatus": "usable",
        "byline": spec.author or "",
        "copyrightholder": spec.holder or spec.author or spec.title,
        "copyrightnotice": spec.copyright or "",
        "usageterms": spec.usage or "",
        "ednote": _ednote(spec, what, issue),
        "caption": {"in_image": spec.caption.in_image, **asdict(caption)},
        "puzzle": _puzzle_item(issue),
        "renditions": list(renditions),
    }
    if what is ImageKind.SOLUTION:
        item["solution"] = puzzle_json(issue.record)["solution"]
    return item


def manifest_json(spec: FeedSpec, run: FeedDates, items: Sequence[Item]) -> str:
    """A run's manifest as text, checked against its schema.

    Raises:
        PuzzleError: it does not meet the schema, which would be a fault of linkpress.
    """
    content: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "feed": spec.id,
        "title": spec.title,
        "seed": spec.seed,
        "linkpress_version": __version__,
        "spec_sha256": spec.sha256,
        "from": run.first.isoformat(),
        "to": run.last.isoformat(),
        "items": list(items),
    }
    return manifest_text(content, f"manifest-{run.name}.json")


def manifest_text(content: Mapping[str, Any], where: str) -> str:
    """A manifest as text, checked against its schema.

    Raises:
        PuzzleError: as ``check_manifest``.
    """
    check_manifest(content, where)
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def check_manifest(content: object, where: str) -> None:
    """Check a manifest against the shipped schema.

    Raises:
        PuzzleError: names the first place at fault.
    """
    fault = next(iter(_validator().iter_errors(content)), None)
    if fault is not None:
        raise _not_a_manifest(where, fault.absolute_path, fault.message[:200])
    items: Any = content["items"]  # type: ignore[index]
    for place, item in enumerate(items):
        for at, one in enumerate(item["renditions"]):
            if max(len(part.encode()) for part in one["file"].split("/")) > _MOST_NAME_BYTES:
                path = ("items", place, "renditions", at, "file")
                raise _not_a_manifest(where, path, f"a file's name may have {_MOST_NAME_BYTES} bytes")


def _not_a_manifest(where: str, path: Iterable[str | int], fault: str) -> PuzzleError:
    place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return PuzzleError(f"{where}{place}: {fault}; this is not a feed's manifest as linkpress writes it.")


@cache
def _validator() -> Any:
    schema = json.loads(resource("config", SCHEMA_FILE).read_text("utf-8"))
    kind = jsonschema.Draft202012Validator
    kind.check_schema(schema)
    return kind(schema, format_checker=jsonschema.FormatChecker(["date"]))


def manifest_csv(items: Iterable[Item]) -> str:
    """The same for people: a line for each file, in UTF-8, to be opened as a table."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_CSV_COLUMNS)
    for item in items:
        puzzle = item["puzzle"]
        facts = {**puzzle, **item, "size": f"{puzzle['width']}x{puzzle['height']}"}
        for file in item["renditions"]:
            row = {**facts, **file}
            table.writerow("" if row[column] is None else row[column] for column in _CSV_COLUMNS)
    return text.getvalue()


def is_index(content: bytes) -> bool:
    """Whether a file begins as ``manifest_csv`` does."""
    return content.startswith(",".join(_CSV_COLUMNS).encode("ascii"))


def _midnight(spec: FeedSpec, day: datetime.date) -> str:
    return f"{day.isoformat()}T00:00:00{spec.utc_offset}"


def _ednote(spec: FeedSpec, what: ImageKind, issue: Issue) -> str:
    words, later = spec.wording(), issue.solution_day
    if what is ImageKind.SOLUTION:
        return words.say(words.note_on_solution, day=issue.day, solution_day=later)
    return words.say(words.note_on_puzzle, day=later)


def _puzzle_item(issue: Issue) -> dict[str, Any]:
    facts, puzzle = puzzle_json(issue.record), issue.record.puzzle
    return {
        "date": issue.day.isoformat(),
        "solution_date": issue.solution_day.isoformat(),
        **{key: facts[key] for key in _BEFORE_URL},
        "url": None if puzzle.grid.solids else puzzle_url(puzzle, filled=issue.record.rule is Rule.FILLED),
        **{key: facts[key] for key in ("fingerprint", "seed", "attempt")},
    }
