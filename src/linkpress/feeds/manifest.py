"""The manifest of a feed's run tells of each image who made it, what it shows, when it may be printed.

The fields borrow their names from IPTC's ninjs: uri, type, versioncreated, embargoed, pubstatus,
copyrightholder, usageterms, ednote, renditions. No exchange format knows link puzzles, so boards
are rows as in ``volume.json``, with a puzz.link address where the board has no solids. The models
here check what is written and what is read, and ``config/manifest.schema.json`` is generated from them.
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

from linkpress.book.puzzle_record import PuzzleRecord, puzzle_json
from linkpress.engine.recipe import MOST_STARS, Grade, Rule
from linkpress.engine.rulesets import ruleset_of
from linkpress.errors import PuzzleError
from linkpress.feeds.calendar import FeedDates
from linkpress.feeds.feed_spec import WEEKDAYS, FeedSpec
from linkpress.images.composition import Caption
from linkpress.images.image_files import ImageFormat
from linkpress.images.image_settings import MAX_DPI, MIN_DPI, Canvas, ImageKind
from linkpress.puzzle.notation.pzpr import puzzle_url
from linkpress.puzzle.puzzle import MAX_SIDE, MIN_SIDE
from linkpress.render.raster import PixelMode
from linkpress.version import __version__

FORMAT = "linkpress-feed-manifest"
FORMAT_VERSION: Literal[1] = 1
SCHEMA_FILE = "manifest.schema.json"
_BEFORE_URL = ("width", "height", "pairs", "solids", "rule", "proof", "grade", "score", "stars", "board")
_MOST_NAME_BYTES = 255  # what file systems take
_TIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[+-][0-9]{2}:[0-9]{2}$"
_FILE = r"^(?!/)(?!.*(?:^|/)\.{1,2}(?:/|$))[^\\:\u0000-\u001f\ud800-\udfff]+$"
_SHA256 = "^[0-9a-f]{64}$"

_CSV_COLUMNS = (
    "date", "weekday", "number", "what", "file", "width_px", "height_px", "width_mm", "height_mm", "dpi",
    "size", "pairs", "solids", "grade", "score", "embargoed", "fingerprint", "seed", "sha256",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Issue:
    """An issue is the puzzle that one day prints, and the day whose issue prints its solution."""

    day: datetime.date
    solution_day: datetime.date
    number: int
    record: PuzzleRecord


@dataclass(frozen=True)
class _OneOf:
    """This annotates a field that may hold only some texts, and lists them."""

    words: tuple[str, ...]

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.literal_schema(list(self.words))


def _check_names(file: str) -> str:
    if max(len(part.encode()) for part in file.split("/")) > _MOST_NAME_BYTES:
        raise ValueError(f"a file's name may have {_MOST_NAME_BYTES} bytes")
    return file


def _without_titles(schema: dict[str, Any]) -> None:
    for part in (schema, *schema["properties"].values()):
        part.pop("title", None)


def _solutions_are_given(schema: dict[str, Any]) -> None:
    _without_titles(schema)
    schema["if"] = {"properties": {"what": {"const": ImageKind.SOLUTION.value}}}
    schema["then"] = {"required": ["solution"]}


class _Record(BaseModel):
    """A manifest is made of such records; their keys stand in the file in the order of the fields."""

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
_Time = Annotated[str, Field(pattern=_TIME, json_schema_extra={"format": "date-time"})]
_Sum = Annotated[str, Field(pattern=_SHA256)]
_Rows = Annotated[
    list[Annotated[str, Field(pattern="^[0-9.#]+( [0-9.#]+)*$")]],
    Field(min_length=MIN_SIDE, max_length=MAX_SIDE),
]


class Rendition(_Record):
    """A rendition is one file of an image."""

    file: Annotated[
        str,
        Field(min_length=1, pattern=_FILE, description="Path below the manifest's folder."),
        AfterValidator(_check_names),
    ]
    mimetype: Annotated[str, _OneOf(tuple(kind.facts.media_type for kind in ImageFormat))]
    width_px: _Positive
    height_px: _Positive
    width_mm: _Millimetres
    height_mm: _Millimetres
    dpi: Annotated[int, Field(ge=MIN_DPI, le=MAX_DPI)]
    mode: Annotated[
        Annotated[str, _OneOf(tuple(mode.value for mode in PixelMode))] | None,
        Field(description="What a pixel can be; null for vectors."),
    ]
    size_bytes: _Positive
    sha256: _Sum


class CaptionItem(_Record):
    """A caption has the words at the board of an image."""

    in_image: Annotated[bool, Field(description="Whether the words are drawn.")]
    heading: str
    details: str
    stars: Annotated[int, Field(ge=1, le=len(Grade))] | None
    rules: str
    note: str


class PuzzleItem(_Record):
    """This tells of the puzzle of an image."""

    date: Annotated[datetime.date, Field(description="Of the puzzle's issue.")]
    solution_date: Annotated[datetime.date, Field(description="Of the issue with its solution.")]
    width: _Side
    height: _Side
    pairs: _Positive
    solids: _Count
    rule: Annotated[str, _OneOf(tuple(rule.value for rule in Rule))]
    proof: _Text
    grade: Annotated[str, _OneOf(tuple(grade.label for grade in Grade))] | None
    score: int | None
    stars: Annotated[int, Field(ge=1, le=MOST_STARS)] | None = None
    board: Annotated[_Rows, Field(description="A number, . for an empty square, # for a solid one.")]
    url: Annotated[
        str | None,
        Field(description="At puzz.link; null for boards with solids.", json_schema_extra={"format": "uri"}),
    ]
    fingerprint: Annotated[
        str, Field(pattern="^[0-9a-f]{16}$", description="The same under symmetry and renumbering.")
    ]
    seed: Annotated[str, Field(description="The puzzle's own part; the feed's seed is told nobody.")]
    attempt: _Count


class Item(_Record):
    """An item is one image, in all of its files."""

    model_config = ConfigDict(json_schema_extra=_solutions_are_given)

    uri: Annotated[_Text, Field(json_schema_extra={"format": "uri"})]
    type: Literal["graphic"]
    what: Annotated[str, _OneOf((ImageKind.PUZZLE.value, ImageKind.SOLUTION.value, ImageKind.COMBINED.value))]
    date: Annotated[datetime.date, Field(description="Of the issue in which the image is printed.")]
    weekday: Annotated[str, _OneOf(WEEKDAYS)]
    number: _Positive
    headline: str
    language: str
    versioncreated: _Time
    embargoed: Annotated[_Time, Field(description="Not to be published before.")]
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
        _Rows | None, Field(description="Each square its path's number; of solutions only.")
    ] = None

    @property
    def key(self) -> tuple[datetime.date, str]:
        """Return the puzzle's day and what of it is shown; solutions of two days can be printed on one."""
        return self.puzzle.date, self.what

    @model_validator(mode="after")
    def _has_its_solution(self) -> Self:
        if self.what == ImageKind.SOLUTION and self.solution is None:
            raise ValueError("solution: an image of a solution needs this key")
        return self


class Manifest(_Record):
    """A manifest says what one run of `linkpress feed` wrote; its fields are named as in IPTC's ninjs."""

    format: Annotated[str, _OneOf((FORMAT,))]
    format_version: Literal[1]
    feed: Annotated[str, Field(pattern="^[a-z0-9]+(-[a-z0-9]+)*$", description="The feed's id.")]
    title: str
    seed: Annotated[str | int | None, Field(description="Written by earlier releases only.")] = None
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
        str | None, Field(description="Directives of a Content-Security-Policy under which embed.html runs.")
    ] = None
    items: list[Item]
    withdrawn: Annotated[
        list[Item], Field(description="Images of puzzles that others replace; their files hold the new ones.")
    ] = []

    @property
    def text(self) -> str:
        """Return the manifest as its file has it."""
        content = self.model_dump(mode="json", by_alias=True, exclude_unset=True)
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_manifest(content: bytes | str, where: str) -> Manifest:
    """Read a manifest from its file's JSON; raise ``PuzzleError`` at the first place at fault."""
    try:
        return Manifest.model_validate_json(content)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        place = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in fault["loc"])
        message = fault["msg"].removeprefix("Value error, ")[:200]
        raise PuzzleError(
            f"{where}{place}: {message}; this is not a feed's manifest as linkpress writes it."
        ) from None


def manifest_schema_text() -> str:
    """Return the JSON Schema of a manifest, as the shipped file has it."""
    schema = Manifest.model_json_schema(mode="validation")
    dialect = "https://json-schema.org/draft/2020-12/schema"
    whole = {"$schema": dialect, "title": "A linkpress feed manifest", **schema}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def rendition(
    content: bytes, file: str, kind: ImageFormat, size_px: tuple[int, int], dpi: int, mode: PixelMode
) -> Rendition:
    """Describe one finished file.

    Args:
        file: its path below the folder, with forward slashes.
        size_px: width and height, exact.
        mode: of pixels; vectors have none.
    """
    canvas = Canvas(size_px[0], dpi)
    width_mm, height_mm = (round(canvas.mm(side), 3) for side in size_px)
    return Rendition(
        file=file,
        mimetype=kind.facts.media_type,
        width_px=size_px[0],
        height_px=size_px[1],
        width_mm=width_mm,
        height_mm=height_mm,
        dpi=dpi,
        mode=None if kind.is_vector else mode.value,
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
    )


def issue_item(
    spec: FeedSpec, kind: ImageKind, issue: Issue, caption: Caption, renditions: Sequence[Rendition]
) -> Item:
    """Describe one image of a puzzle, its solution, or the two combined; its words may be drawn or not."""
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
        versioncreated=_midnight(spec, issue.day),
        embargoed=_midnight(spec, day),
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
    """Describe a run."""
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
    """Write a table of the items for people, with a line for each file."""
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
    """Tell whether a file begins as ``manifest_csv`` does."""
    return content.startswith(",".join(_CSV_COLUMNS).encode("ascii"))


def _midnight(spec: FeedSpec, day: datetime.date) -> str:
    return f"{day.isoformat()}T00:00:00{spec.utc_offset}"


def _ednote(spec: FeedSpec, kind: ImageKind, issue: Issue) -> str:
    words, later = spec.wording(), issue.solution_day
    if kind is ImageKind.SOLUTION:
        return words.say(words.note_on_solution, day=issue.day, solution_day=later)
    return words.say(words.note_on_puzzle, day=later)


def _puzzle_item(issue: Issue, secret: str) -> PuzzleItem:
    """Describe a puzzle; of its seed only what follows the feed's, which makes the puzzles to come, too."""
    facts, puzzle = puzzle_json(issue.record), issue.record.puzzle
    return PuzzleItem(
        date=issue.day,
        solution_date=issue.solution_day,
        **{key: facts[key] for key in _BEFORE_URL},
        url=None if puzzle.grid.solids else puzzle_url(puzzle, filled=ruleset_of(issue.record.rule).covers),
        fingerprint=facts["fingerprint"],
        seed=issue.record.seed.removeprefix(secret),
        attempt=facts["attempt"],
    )
