"""The folder of a newspaper's feed: its manifests, and the replacement of puzzles that earlier runs made.

Each run writes a manifest. It says what each image shows, its author and files, and when it may be published.
Many fields have the names of ninjs, the JSON format of the press organisation IPTC: uri, type,
versioncreated, embargoed, pubstatus, copyrightholder, usageterms, ednote, renditions. No exchange format
describes Numberlink puzzles. So a board is stored as rows of text, as in ``volume.json``. A board without
solid squares also has the web address at which it can be played on puzz.link. The models in this module check
manifests when they are written and when they are read. The JSON Schema ``config/manifest.schema.json`` is
generated from the models.

If an editor wants another puzzle for a day, the new puzzle gets the number, the dates and the file names of
the old one. The old puzzle stays in the manifest under the key ``withdrawn``, and no later run uses it again.
"""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    ValidationError,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from linkpress.book.mixes import WEEKDAYS
from linkpress.book.plan import replacement_seed
from linkpress.book.puzzle_record import PuzzleRecord, puzzle_json, read_puzzle
from linkpress.documents.problem import key_text
from linkpress.documents.values import PixelMode
from linkpress.engine.difficulty import MOST_DIFFICULTY, MOST_MARKS
from linkpress.engine.recipe import Grade
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.errors import OutputError, PuzzleError
from linkpress.feeds.feed_spec import DaySlot, FeedDates, FeedSpec, day_slot
from linkpress.files import VOLUME_FILE, ImageFormat, is_file, parse_json, read_limited
from linkpress.images.composition import Caption
from linkpress.images.image_export import only_solution
from linkpress.images.image_files import FORMATS
from linkpress.images.image_settings import MAX_DPI, MIN_DPI, Canvas, ImageKind
from linkpress.puzzle.link_text import parse_board_rows, parse_solution_rows
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE, Solution
from linkpress.puzzle.pzpr import puzzle_url
from linkpress.version import __version__

FORMAT = "linkpress-feed-manifest"
FORMAT_VERSION: Literal[1] = 1
SCHEMA_FILE = "manifest.schema.json"
# Fields of the manifest that are copied unchanged from the record of a puzzle.
_RECORD_FIELDS = (
    "width", "height", "pairs", "solids", "rule", "proof", "difficulty", "score", "technique", "board",
)  # fmt: skip
# Maximum length of a file name in bytes on common file systems.
_MAX_NAME_BYTES = 255
_TIME_PATTERN = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}$"
_FILE_PATTERN = r"^(?!/)(?!.*(?:^|/)\.{1,2}(?:/|$))[^\\:\u0000-\u001f\ud800-\udfff]+$"
_SHA256_PATTERN = "^[0-9a-f]{64}$"

_CSV_COLUMNS = (
    "date", "weekday", "number", "what", "file", "width_px", "height_px", "width_mm", "height_mm", "dpi",
    "size", "pairs", "solids", "difficulty", "score", "technique", "embargoed", "fingerprint", "seed",
    "sha256",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Issue:
    """Puzzle of one day.

    Args:
        day: the day on which the puzzle is printed.
        solution_day: the day on which its solution is printed.
        number: the puzzle's number.
        record: the puzzle.
    """

    day: datetime.date
    solution_day: datetime.date
    number: int
    record: PuzzleRecord


@dataclass(frozen=True)
class _OneOf:
    """Type annotation for a field of the manifest whose value must be one of the texts in ``words``."""

    words: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(list(self.words))


def _check_names(file: str) -> str:
    if max(len(part.encode()) for part in file.split("/")) > _MAX_NAME_BYTES:
        raise ValueError(f"a file's name may have at most {_MAX_NAME_BYTES} bytes")
    return file


def _without_titles(schema: dict[str, Any]) -> None:
    for part in (schema, *schema["properties"].values()):
        part.pop("title", None)


def _require_solutions(schema: dict[str, Any]) -> None:
    _without_titles(schema)
    schema["if"] = {"properties": {"what": {"const": ImageKind.SOLUTION.value}}}
    schema["then"] = {"required": ["solution"]}


class _Record(BaseModel):
    """Base class of the manifest's models. The order of the fields is the order of the keys in the file."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        regex_engine="python-re",
        validate_by_name=True,
        json_schema_extra=_without_titles,
    )


_Text = Annotated[str, Field(min_length=1)]
_Positive = Annotated[int, Field(ge=1)]
_Count = Annotated[int, Field(ge=0)]
_Side = Annotated[int, Field(ge=MIN_SIDE, le=MAX_SIDE)]
_Millimetres = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Time = Annotated[str, Field(pattern=_TIME_PATTERN, json_schema_extra={"format": "date-time"})]
_Sum = Annotated[str, Field(pattern=_SHA256_PATTERN)]
_Rows = Annotated[
    list[Annotated[str, Field(pattern="^[0-9.#]+( [0-9.#]+)*$")]],
    Field(min_length=MIN_SIDE, max_length=MAX_SIDE),
]


class Rendition(_Record):
    """File with an image in one format. The same image may be written in several formats."""

    file: Annotated[
        str,
        Field(
            min_length=1,
            pattern=_FILE_PATTERN,
            description="Path of the file, relative to the manifest's folder.",
        ),
        AfterValidator(_check_names),
    ]
    mimetype: Annotated[str, _OneOf(tuple(facts.media_type for facts in FORMATS.values()))]
    width_px: _Positive
    height_px: _Positive
    width_mm: _Millimetres
    height_mm: _Millimetres
    dpi: Annotated[int, Field(ge=MIN_DPI, le=MAX_DPI)]
    mode: Annotated[
        Annotated[str, _OneOf(tuple(mode.value for mode in PixelMode))] | None,
        Field(description="The kind of pixels; null for vector files."),
    ]
    size_bytes: _Positive
    sha256: _Sum


class CaptionItem(_Record):
    """The words that belong to the board of an image, such as its heading and its rules."""

    in_image: Annotated[bool, Field(description="Whether the words are drawn in the image.")]
    heading: str
    details: str
    marks: Annotated[int, Field(ge=1, le=MOST_MARKS)] | None
    rules: str
    note: str


class PuzzleItem(_Record):
    """The puzzle that an image shows."""

    date: Annotated[datetime.date, Field(description="The day on which the puzzle is printed.")]
    solution_date: Annotated[datetime.date, Field(description="The day on which its solution is printed.")]
    width: _Side
    height: _Side
    pairs: _Positive
    solids: _Count
    rule: Annotated[str, _OneOf(tuple(rule.value for rule in Rule))]
    proof: _Text
    difficulty: Annotated[
        Annotated[int, Field(ge=0, le=MOST_DIFFICULTY)] | None,
        Field(description="How hard the puzzle feels, 0 to 100."),
    ]
    score: int | None
    technique: Annotated[
        Annotated[str, _OneOf(tuple(grade.label for grade in Grade))] | None,
        Field(description="The grade of the hardest technique that is needed."),
    ]
    board: Annotated[
        _Rows, Field(description="Rows of the board: a number, . for an empty square, # for a solid.")
    ]
    url: str | None = Field(
        description="Address at puzz.link; null for boards with solids.", json_schema_extra={"format": "uri"}
    )
    fingerprint: str = Field(
        pattern="^[0-9a-f]{16}$", description="Equal for boards that differ only by symmetry and numbering."
    )
    seed: Annotated[str, Field(description="The puzzle's part of the seed, without the feed's secret seed.")]
    attempt: _Count


class Item(_Record):
    """One image, and all files in which it is saved."""

    model_config = ConfigDict(json_schema_extra=_require_solutions)

    uri: Annotated[_Text, Field(json_schema_extra={"format": "uri"})]
    type: Literal["graphic"]
    what: Annotated[str, _OneOf((ImageKind.PUZZLE.value, ImageKind.SOLUTION.value, ImageKind.COMBINED.value))]
    date: Annotated[datetime.date, Field(description="The day on which the image is printed.")]
    weekday: Annotated[str, _OneOf(WEEKDAYS)]
    number: _Positive
    headline: str
    language: str
    versioncreated: _Time
    embargoed: Annotated[_Time, Field(description="The image must not be published before this time.")]
    pubstatus: Literal["usable", "withheld", "canceled"]
    byline: str
    copyrightholder: _Text
    copyrightnotice: str
    usageterms: str
    ednote: str
    caption: CaptionItem
    puzzle: PuzzleItem
    renditions: Annotated[list[Rendition], Field(min_length=1)]
    solution: Annotated[
        _Rows | None, Field(description="Rows of path numbers, one for each square; for solutions only.")
    ] = None

    @property
    def key(self) -> tuple[datetime.date, str]:
        """Unique key of the image. It consists of the puzzle's day and the kind of image (field ``what``).

        Even for an image of a solution, the key has the day on which the puzzle is printed, and not the later
        day on which the solution is printed. Otherwise, two images could have the same key, because the
        solutions of two puzzles can be printed on the same day.
        """
        return self.puzzle.date, self.what

    @model_validator(mode="after")
    def _has_its_solution(self) -> Self:
        if self.what == ImageKind.SOLUTION and self.solution is None:
            raise ValueError("solution: an image of a solution must have this key")
        return self


class Manifest(_Record):
    """Everything that one run of `linkpress feed` wrote, with the field names of IPTC's ninjs."""

    format: Annotated[str, _OneOf((FORMAT,))]
    format_version: Literal[1]
    feed: Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", description="The feed's id.")]
    title: str
    linkpress_version: str
    spec_sha256: _Sum
    first: Annotated[datetime.date, Field(alias="from", description="The run's first calendar day.")]
    last: Annotated[datetime.date, Field(alias="to", description="The run's last calendar day.")]
    content_policy: Annotated[
        str | None, Field(description="Content-Security-Policy directives that allow embed.html to run.")
    ] = None
    items: list[Item]
    withdrawn: Annotated[
        list[Item],
        Field(description="Images of puzzles that were replaced. Their files show the new puzzles."),
    ] = []

    @property
    def text(self) -> str:
        """The manifest as JSON text, as it is written to its file."""
        content = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_manifest(content: bytes | str, where: str) -> Manifest:
    """Read a manifest.

    Args:
        content: the content of the file.
        where: the path of the file, for messages.
    Raises:
        PuzzleError: the content is not a valid manifest. The message names the first wrong key.
    """
    try:
        return Manifest.model_validate_json(content)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key, message = key_text(first["loc"]) or "the file", first["msg"].removeprefix("Value error, ")[:200]
        raise PuzzleError(
            f"{where}: {key}: {message}; this is not a feed's manifest as linkpress writes it."
        ) from None


def rendition(
    content: bytes, file: str, kind: ImageFormat, size_px: tuple[int, int], dpi: int, mode: PixelMode
) -> Rendition:
    """Return the manifest's entry for one file of an image.

    Args:
        content: the content of the file.
        file: the file's path relative to the folder, with forward slashes.
        kind: the format.
        size_px: the width and height in pixels.
        dpi: the resolution.
        mode: the kind of pixels; ignored for vector formats.
    """
    canvas = Canvas(size_px[0], dpi)
    width_mm, height_mm = (round(canvas.mm(side), 3) for side in size_px)
    return Rendition(
        file=file,
        mimetype=FORMATS[kind].media_type,
        width_px=size_px[0],
        height_px=size_px[1],
        width_mm=width_mm,
        height_mm=height_mm,
        dpi=dpi,
        mode=None if FORMATS[kind].is_vector else mode.value,
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )


def issue_item(
    spec: FeedSpec, kind: ImageKind, issue: Issue, caption: Caption, renditions: Sequence[Rendition]
) -> Item:
    """Return the manifest's entry for one image.

    Args:
        spec: the feed.
        kind: what the image shows.
        issue: the puzzle.
        caption: the words beside the board, which are stored even if the image doesn't show them.
        renditions: the files of the image.
    """
    day = issue.solution_day if kind is ImageKind.SOLUTION else issue.day
    return Item(
        uri=f"urn:x-linkpress:{spec.id}:{day.isoformat()}:{kind}",
        type="graphic",
        what=kind.value,
        date=day,
        weekday=WEEKDAYS[day.weekday()],
        number=issue.number,
        headline=f"{spec.title} {issue.number}",
        language=spec.wording().language,
        versioncreated=spec.midnight(issue.day).isoformat(),
        embargoed=spec.midnight(day).isoformat(),
        pubstatus="usable",
        byline=spec.author or "",
        copyrightholder=spec.holder or spec.author or spec.title,
        copyrightnotice=spec.copyright or "",
        usageterms=spec.usage or "",
        ednote=_ednote(spec, kind, issue),
        caption=CaptionItem(in_image=spec.caption.in_image, **asdict(caption)),
        puzzle=_puzzle_item(issue, str(spec.seed)),
        renditions=list(renditions),
        **({"solution": puzzle_json(issue.record)["solution"]} if kind is ImageKind.SOLUTION else {}),
    )


def run_manifest(spec: FeedSpec, run: FeedDates, items: Sequence[Item]) -> Manifest:
    return Manifest(
        format=FORMAT,
        format_version=FORMAT_VERSION,
        feed=spec.id,
        title=spec.title,
        linkpress_version=__version__,
        spec_sha256=spec.sha256,
        first=run.first,
        last=run.last,
        items=list(items),
    )


def manifest_csv(items: Iterable[Item]) -> str:
    """Return a table of images as CSV, with a line for each image file."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\r\n")
    table.writerow(_CSV_COLUMNS)
    for item in items:
        facts = {**dict(item.puzzle), **dict(item), "size": f"{item.puzzle.width}x{item.puzzle.height}"}
        for file in item.renditions:
            row = {**facts, **dict(file)}
            table.writerow("" if row[column] is None else row[column] for column in _CSV_COLUMNS)
    return text.getvalue()


def is_index(content: bytes) -> bool:
    return content.startswith(",".join(_CSV_COLUMNS).encode("ascii"))


def _ednote(spec: FeedSpec, kind: ImageKind, issue: Issue) -> str:
    words, later = spec.wording(), issue.solution_day
    if kind is ImageKind.SOLUTION:
        return words.say(words.note_on_solution, day=issue.day, solution_day=later)
    return words.say(words.note_on_puzzle, day=later)


def _puzzle_item(issue: Issue, secret_seed: str) -> PuzzleItem:
    """Return the manifest's entry for a puzzle.

    The feed's secret seed at the beginning of the puzzle's seed is removed, because it would reveal future
    puzzles.
    """
    facts, puzzle = puzzle_json(issue.record), issue.record.puzzle
    return PuzzleItem(
        date=issue.day,
        solution_date=issue.solution_day,
        **{key: facts[key] for key in _RECORD_FIELDS},
        url=None if puzzle.grid.solids else puzzle_url(puzzle, filled=ruleset_of(issue.record.rule).covers),
        fingerprint=facts["fingerprint"],
        seed=issue.record.seed.removeprefix(secret_seed),
        attempt=facts["attempt"],
    )


Files = tuple[tuple[ImageKind, ImageFormat, str], ...]
"""Image files of a day: what each shows, its format, and its name."""

# Maximum size of a manifest in bytes. A manifest for ten years of daily puzzles has about 25 MB.
MAX_BYTES = 64 << 20
FORMAT_OF_MEDIA_TYPE = {facts.media_type: kind for kind, facts in FORMATS.items()}
_JOURNAL = ".feed-{feed}-{run}.journal"


@dataclass(frozen=True, slots=True)
class DayOrder:
    """Order to draw the images of one day.

    Args:
        issue: the day's puzzle.
        earlier: the feed's previous puzzle, whose solution the combined image shows; None for the feed's
            first puzzle.
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
        """Return the fingerprints of all puzzles, including puzzles that were replaced by other ones.

        Args:
            without: days whose present puzzles are left out. Puzzles that these days had before, and that
                were replaced, are included all the same.
        """
        current = (items[0].puzzle.fingerprint for day, items in self.items.items() if day not in without)
        return self.withdrawn.union(current)

    @property
    def all_items(self) -> tuple[Item, ...]:
        return tuple(item for items in self.items.values() for item in items)

    def with_items(self, changed: Iterable[Item]) -> Folder:
        """Return a copy of this object with changed images. Each replaces the image that has the same key."""
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
            purpose: the end of the error message, which tells the user why to move the file away. It
                completes the sentence "Move it away to have …". An example is "it drawn again".
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
    """Return the journal that this run left when it was interrupted, or None if it was not interrupted.

    The journal of a run is the file with its finished puzzles, from which the run can be resumed.

    Args:
        path: the feed's folder.
        feed: the id of the feed.
        run: the days of the run.
        resume: whether the user asks to resume this run if it was interrupted.
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
        files: maps each day to the files to draw again. A combined image shows the solution of the day
            before, so the combined image of the day after a replaced day is included.
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
    """Return the ``DayOrder`` for drawing image files of an earlier run again, in their old resolution.

    Args:
        folder: the feed's folder.
        day: the day.
        files: the files to draw again.
        issues: the new puzzles of days whose puzzles are replaced. They are drawn instead of the old ones.
    """
    before = max((other for other in folder.items if other < day), default=None)
    earlier = None if before is None else issues.get(before) or folder.issue(before)
    dpi = folder.items[day][0].renditions[0].dpi
    return DayOrder(issues.get(day) or folder.issue(day), earlier, files, dpi)


def renewed_manifests(folder: Folder, changed: Sequence[Item]) -> Iterator[tuple[Path, Manifest]]:
    """Yield each manifest that describes changed images, with new data for these images.

    Several manifests may describe the same day. Then ``read_folder`` uses the earliest one, so the earliest
    manifest is yielded last. The run may be interrupted before the caller has written this manifest. In this
    case, the day counts as not replaced, and the next run replaces its puzzle again.
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
