"""The images of days are drawn, written and described here, several days at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.problem import raise_problem
from linkpress.engine.recipe import Grade
from linkpress.errors import GaveUpError, LayoutError
from linkpress.feeds.calendar import DaySlot
from linkpress.feeds.feed_spec import WEEKDAYS, FeedSpec
from linkpress.feeds.manifest import Issue, Item, issue_item, rendition
from linkpress.files import write_file
from linkpress.images.composition import (
    CAPTION,
    Caption,
    Panel,
    captioned_panel,
    check_legible,
    compose,
    compose_pair,
)
from linkpress.images.image_files import (
    ImageFormat,
    ImageToWrite,
    Particulars,
    PixelFrame,
    check_drawable,
    shown_puzzle,
)
from linkpress.images.image_settings import ImageKind, ImageSettings, NameFields
from linkpress.layout.measure import Measure, text_problem
from linkpress.production.dispatch import WorkerLost, Workers, call_each
from linkpress.production.executors import InProcess, worker_processes
from linkpress.production.journal import Watcher
from linkpress.puzzle.notation.link_text import parse_board_rows, parse_solution_rows
from linkpress.words.language import Words

Files = tuple[tuple[ImageKind, ImageFormat, str], ...]
"""What each file of a day shows, its kind and its name."""

_FREE_SQUARES = 5  # to a path at the least, on boards with any number of them
_BOARD = ("1 # 2", ". . .", "1 . 2")
_ANSWER = ("1 # 2", "1 . 2", "1 . 2")


@dataclass(frozen=True)
class FeedImages:
    """These settings say how a feed draws its images, and to which folder it writes them."""

    spec: FeedSpec
    settings: ImageSettings
    folder: Path

    @property
    def shown(self) -> tuple[ImageKind, ...]:
        """Return the kinds of image that each day has."""
        kinds = (ImageKind.PUZZLE, ImageKind.SOLUTION, ImageKind.COMBINED)
        return kinds if self.spec.image.combined else kinds[:2]


@dataclass(frozen=True, slots=True)
class DayOrder:
    """An order says which images are to be drawn for one day.

    Args:
        earlier: the puzzle whose solution stands in the combined image; None on the first day.
        files: names by what they show and kind; only these are written.
        dpi: of files that were drawn before; None for the feed's.
    """

    issue: Issue
    earlier: Issue | None
    files: Files
    dpi: int | None = None


def file_names(feed_images: FeedImages, slot: DaySlot) -> Files:
    """Name a day's files; its solution has the date on which it is printed."""
    settings, names = feed_images.settings, []
    for kind in feed_images.shown:
        day = slot.solution_day if kind is ImageKind.SOLUTION else slot.day
        fields = NameFields(day, slot.number, kind, settings.columns, settings.dpi)
        names += [
            (kind, each, feed_images.spec.template.name(fields, each.suffix)) for each in settings.formats
        ]
    return tuple(names)


def draw_day(feed_images: FeedImages, order: DayOrder) -> list[Item]:
    """Draw and write a day's images; return the manifest's items, one for each.

    Raises:
        LayoutError: a board is too large or its words too wide.
        SpecError: the feed's fonts can't set its caption; says where the feed has it.
        OutputError: a file can't be written.
    """
    spec, settings = feed_images.spec, feed_images.settings
    if order.dpi is not None:
        settings = replace(settings, dpi=order.dpi)
        feed_images = replace(feed_images, settings=settings)
    items = []
    for kind in dict.fromkeys(kind for kind, _, _ in order.files):
        caption, image = _image(feed_images, order, kind)
        renditions, size_px = [], image.drawing.size_px
        for file_format, name in [(each, name) for shown, each, name in order.files if shown is kind]:
            content = file_format.facts.write(image)
            write_file(feed_images.folder / name, content)
            renditions.append(rendition(content, name, file_format, size_px, settings.dpi, settings.mode))
        items.append(issue_item(spec, kind, order.issue, caption, renditions))
    return items


def day_png(feed_images: FeedImages, issue: Issue, earlier: Issue | None, kind: ImageKind) -> bytes:
    """Draw one image of a day in its file's pixels, without writing it; raise as ``draw_day`` does."""
    return ImageFormat.PNG.facts.write(_image(feed_images, DayOrder(issue, earlier, ()), kind)[1])


def draw_days(
    feed_images: FeedImages, orders: Sequence[DayOrder], jobs: int, watcher: Watcher | None = None
) -> list[Item]:
    """Draw the images of days in their order, several at a time or, with one job, here; as ``draw_day``."""
    workers = Workers(jobs, InProcess if jobs == 1 or len(orders) < 2 else worker_processes)
    try:
        asked = [(feed_images, order) for order in orders]
        days = list(call_each(workers, draw_day, asked, (watcher or Watcher()).drawn))
    except WorkerLost as lost:
        raise GaveUpError(
            f"the images of {orders[lost.index].issue.day} can't be drawn: {lost}. Perhaps memory is short: "
            "go on with --resume and fewer --jobs."
        ) from None
    return [item for items in days for item in items]


def check_images(feed_images: FeedImages, slots: tuple[DaySlot, ...]) -> None:
    """Find what would stop a run before any puzzle is made.

    Raises:
        LayoutError: a weekday's board is too large for the width, a day's captions too wide for it, or
            the theme has tints for 1-bit pixels.
        SpecError: as ``draw_day``.
    """
    settings = feed_images.settings
    for slot in slots:
        recipe = slot.recipe
        most = recipe.pairs.high if recipe.pairs else recipe.rows * recipe.cols // _FREE_SQUARES
        try:
            check_legible(recipe.rows, recipe.cols, most, settings)
        except LayoutError as fault:
            raise LayoutError(f"week.{WEEKDAYS[slot.day.weekday()]}, {slot.day}: {fault}") from None
    grades = [_sample(slots[0], grade) for grade in Grade]
    days = [_sample(slot, Grade.EASY) for slot in slots[1:]]  # whose words may be longer than the first's
    for order, kind in product((*grades, *days), feed_images.shown):
        try:
            _, drawing = _drawing(feed_images, order, kind)
        except LayoutError as fault:
            raise LayoutError(f"{order.issue.day}: {fault}") from None
        check_drawable(drawing, settings.formats, settings.mode)


def _sample(slot: DaySlot, grade: Grade) -> DayOrder:
    """Return a board that is small enough for any width, to try theme and captions on."""
    solution = parse_solution_rows(parse_board_rows(_BOARD), _ANSWER)
    rule, method = slot.recipe.rule, slot.method
    record = PuzzleRecord(slot.level, rule, "", grade, 0, {}, solution, "", "", slot.index, 0, method)
    issue = Issue(slot.day, slot.solution_day, slot.number, record)
    return DayOrder(issue, issue, ())


def _drawing(feed_images: FeedImages, order: DayOrder, kind: ImageKind) -> tuple[Caption, PixelFrame]:
    """Draw an image; its words are in it only where the feed wants them there."""
    spec, look = feed_images.spec, feed_images.settings
    words, solved = spec.wording(), kind is ImageKind.SOLUTION
    caption, panel = _panel(spec, order.issue, words, solved=solved)
    earlier = _panel(spec, order.earlier, words, solved=True)[1] if order.earlier else None
    try:
        return caption, compose_pair(panel, earlier, look) if kind is ImageKind.COMBINED else compose(
            panel, look
        )
    except LayoutError as fault:
        if fault.key != CAPTION:
            raise
        raise_problem(spec.source.problem_from_error(LayoutError(fault.message, _key_of(spec, look.measure))))


def _key_of(spec: FeedSpec, measure: Measure) -> str:
    """Return the key that gives captions what the feed's fonts can't set."""
    texts = [("title", spec.title)] if spec.caption.title else []
    for key, text in spec.wording().texts:
        changed = key.partition(".")[0] in (spec.words or ())
        texts.append((f"words.{key}" if changed else "language", text))
    return next((key for key, text in texts if text_problem(text, measure)), "fonts")


def _panel(spec: FeedSpec, issue: Issue, words: Words, *, solved: bool) -> tuple[Caption, Panel]:
    shown = shown_puzzle(issue.record, issue.number, spec.title)
    return captioned_panel(shown, spec.caption, words, (issue.day, issue.solution_day), solved=solved)


def _image(feed_images: FeedImages, order: DayOrder, kind: ImageKind) -> tuple[Caption, ImageToWrite]:
    spec, settings, issue = feed_images.spec, feed_images.settings, order.issue
    caption, drawing = _drawing(feed_images, order, kind)
    shown, language = shown_puzzle(issue.record, issue.number, spec.title), spec.wording().language
    title, rights = f"{spec.title} {issue.number}", spec.copyright or ""
    about = Particulars(title, shown, spec.author or "", rights, kind, language)
    return caption, ImageToWrite(drawing, about, settings.mode, settings.dpi, settings.measure.faces)
