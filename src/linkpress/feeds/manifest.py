"""The manifest of a feed's run: what each image shows, its author and files, and when it may be published.

Many fields have the names of ninjs, the JSON format of the press organisation IPTC: uri, type,
versioncreated, embargoed, pubstatus, copyrightholder, usageterms, ednote, renditions. No exchange format
describes Numberlink puzzles. So a board is stored as rows of text, as in ``volume.json``. A board without
solid squares also has the web address at which it can be played on puzz.link.

The models in this module check manifests when they are written and when they are read. The JSON Schema
``config/manifest.schema.json`` is generated from the models.
"""

from __future__ import annotations

import csv
import datetime
import hashlib
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
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
from linkpress.book.puzzle_record import PuzzleRecord, puzzle_json
from linkpress.documents.problem import key_text
from linkpress.documents.values import PixelMode
from linkpress.engine.difficulty import MOST_DIFFICULTY, MOST_MARKS
from linkpress.engine.recipe import Grade, Rule
from linkpress.engine.rulesets import ruleset_of
from linkpress.errors import PuzzleError
from linkpress.feeds.feed_spec import FeedDates, FeedSpec
from linkpress.files import ImageFormat
from linkpress.images.composition import Caption
from linkpress.images.image_files import FORMATS
from linkpress.images.image_settings import MAX_DPI, MIN_DPI, Canvas, ImageKind
from linkpress.puzzle.notation.pzpr import puzzle_url
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE
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
    """Annotation for a field of the manifest that allows only the texts in ``words``."""

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
    """One file of an image."""

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
    url: Annotated[
        str | None,
        Field(
            description="Address at puzz.link; null for boards with solids.",
            json_schema_extra={"format": "uri"},
        ),
    ]
    fingerprint: Annotated[
        str,
        Field(
            pattern="^[0-9a-f]{16}$",
            description="Equal for boards that differ only by symmetry and numbering.",
        ),
    ]
    seed: Annotated[str, Field(description="The puzzle's part of the seed, without the feed's secret seed.")]
    attempt: _Count


class Item(_Record):
    """One image, with all of its files."""

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
        """Unique key of the image: the day of its puzzle, and ``what`` the image shows.

        The key doesn't contain the day on which the image is printed, because two solutions can be printed on
        the same day.
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
    first: Annotated[
        datetime.date,
        Field(
            validation_alias="from", serialization_alias="from", description="The run's first calendar day."
        ),
    ]
    last: Annotated[
        datetime.date,
        Field(validation_alias="to", serialization_alias="to", description="The run's last calendar day."),
    ]
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
        """Content of the manifest's file."""
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
