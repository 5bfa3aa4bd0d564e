"""Run a feed: plan the days, make their puzzles, draw the images, and write the manifest.

A day's puzzle depends on the feed's seed, on the date and on the puzzles before it. It doesn't depend on the
number of processes, on the first day of the run, or on interruptions.

Manifests in the folder describe all earlier runs. A run continues their numbers and uses none of their
puzzles again. It writes files of earlier runs again only if they are missing, or if the feed's spec replaces
the day's puzzle.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from linkpress.book.mixes import WEEKDAYS
from linkpress.book.printing_keys import DifficultyMark
from linkpress.book.puzzle_record import stand_in
from linkpress.documents.problem import raise_problem
from linkpress.errors import GaveUpError, LayoutError, OutputError, SpecError, UsageError
from linkpress.feeds.feed_folder import (
    FORMAT_OF_MEDIA_TYPE,
    MAX_BYTES,
    DayOrder,
    Files,
    Folder,
    Issue,
    Item,
    Replacements,
    check_journals,
    day_order,
    is_index,
    issue_item,
    journal_path,
    manifest_csv,
    plan_replacements,
    read_folder,
    rendition,
    renewed_manifests,
    run_manifest,
)
from linkpress.feeds.feed_spec import (
    DaySlot,
    FeedDates,
    FeedSpec,
    day_slot,
    issue_days,
    load_feed,
    next_issue,
)
from linkpress.feeds.web_pages import DAY_PAGES, FILES, LISTS, DayPageWriter, day_files
from linkpress.files import (
    ImageFormat,
    is_foreign,
    lock_folder,
    read_limited,
    remove_temporary_files,
    write_file,
    write_files,
)
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
    FORMATS,
    ImageToWrite,
    Particulars,
    PixelFrame,
    check_drawable,
    shown_puzzle,
)
from linkpress.images.image_settings import ImageKind, ImageSettings, NameFields, image_settings, image_width
from linkpress.layout.text_flow import Measure, text_problem
from linkpress.ledger.database import Holder, Kind
from linkpress.production.dispatch import WorkerLost, Workers, call_each
from linkpress.production.executors import InProcess, available_jobs, local_workers, worker_processes
from linkpress.production.journal import RunLog, Watcher
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import PuzzleMaker
from linkpress.puzzle.link_text import parse_board_rows, parse_solution_rows
from linkpress.render.fonts import FontMeasure, load_faces
from linkpress.words import Words

INDEX_FILE = "index.csv"
_IMAGE_NAMES = {
    ImageKind.PUZZLE: "the puzzle of {day}",
    ImageKind.SOLUTION: "the solution of the puzzle of {day}",
    ImageKind.COMBINED: "the combined image of {day}",
}
# Estimated minimum number of squares in a path. It is used before any puzzle is made, to check that the
# largest number of a board will be legible in its square. If a weekday doesn't set its number of pairs, the
# largest number is estimated as the number of squares divided by this minimum.
_MIN_PATH_CELLS = 5
_SAMPLE_BOARD = ("1 # 2", ". . .", "1 . 2")
_SAMPLE_ANSWER = ("1 # 2", "1 . 2", "1 . 2")


@dataclass(frozen=True)
class FeedResult:
    """Result of a run.

    Args:
        folder: the feed's folder.
        manifest: the path of the run's manifest; None if there are no new days.
        made: the number of new days.
        restored: the number of missing files of earlier days that were written again.
        untouched: the number of days whose puzzles were made by an earlier run and not replaced.
        files: all written files. The manifest and the tables come last.
        notes: messages for the newspaper's editors.
        replaced: the number of days that got another puzzle in place of an earlier one.
    """

    folder: Path
    manifest: Path | None
    made: int
    restored: int
    untouched: int
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    replaced: int = 0


@dataclass(frozen=True)
class FeedImages:
    """Settings for drawing a feed's images, and the folder to which they are written."""

    spec: FeedSpec
    settings: ImageSettings
    folder: Path

    @property
    def kinds(self) -> tuple[ImageKind, ...]:
        """Kinds of images that are drawn for each day."""
        kinds = (ImageKind.PUZZLE, ImageKind.SOLUTION, ImageKind.COMBINED)
        return kinds if self.spec.image.combined else kinds[:2]


def feed(
    spec_path: Path | str,
    run: FeedDates,
    out: Path | str,
    *,
    resume: bool = False,
    jobs: int | None = None,
    ledger: LedgerChoice = USUAL_LEDGER,
    watcher: Watcher | None = None,
    log: RunLog | None = None,
    workers: Workers | None = None,
    maker: PuzzleMaker | None = None,
    spec: FeedSpec | None = None,
) -> FeedResult:
    """Make the puzzles and images of some days.

    Args:
        spec_path: the feed spec.
        run: the days.
        out: the feed's folder, which holds one feed only.
        resume: whether to continue this run if it was interrupted.
        jobs: the number of processes; None for the number of cores. The number doesn't change the puzzles.
        ledger: the ledger in which to look up puzzles published elsewhere, and to record the new ones.
        watcher: object whose methods are called to report progress.
        log: a log that gets an entry for each puzzle. This function doesn't close it.
        workers: the processes that make the puzzles; None for processes on this machine.
        maker: function that makes a puzzle. None for the usual function of ``ProductionRun``.
        spec: the feed spec, if it has been read already.
    Returns:
        The result, with the paths of the written files. They are images, web pages if the spec asks for them,
        a manifest with a table of its images as CSV, and ``index.csv``, a table of all days.
    Raises:
        SpecError: the feed, its column grid or its theme has problems, or two files would have the same name.
        UsageError: no day gets a puzzle, or a new day is before the last day of earlier runs.
        LayoutError: a board of the feed is too large for its width.
        RecipeError: the puzzle that a day asks for can't be made. The message names the date.
        OutputError: the folder can't be written, is in use, or has another feed. Or it has files with the
            names of new files, or image files that no manifest describes. Existing files are unchanged.
    """
    spec = spec or load_feed(Path(spec_path))
    images = FeedImages(spec, settings_of(spec), Path(out))
    with lock_folder(images.folder):
        journal = check_journals(images.folder, spec.id, run, resume=resume)
        is_new_days = journal == journal_path(images.folder, spec.id, run)
        folder = read_folder(images.folder, spec.id, f"manifest-{run.name}.json" if is_new_days else None)
        feed_run = _FeedRun(
            images=images,
            dates=run,
            folder=folder,
            jobs=jobs or available_jobs(),
            watcher=watcher or Watcher(),
            log=log or RunLog(),
            resumed=journal is not None,
        )
        return feed_run.result(ledger, workers or local_workers(jobs), maker)


def settings_of(spec: FeedSpec) -> ImageSettings:
    """Return the settings for drawing a feed's images.

    Raises:
        UsageError, SpecError: the theme, a font or the newspaper's column grid is missing or has problems.
    """
    image = spec.image
    width = image_width(image.width_mm, image.columns, image.grid and spec.resolve(image.grid))
    theme = image.theme and spec.resolve(image.theme)
    settings = image_settings(width, image.dpi, image.mode, image.format, theme, image.min_cell_mm)
    measure = FontMeasure(load_faces(spec.fonts, spec.folder), spec.wording().language)
    shapes = (shape for _, day in spec.week if day for shape in day.shapes)
    return replace(settings, measure=measure, theme=settings.theme.with_shapes(shapes))


@dataclass(frozen=True)
class _Plan:
    """Plan of a run: its new days, and the days that earlier runs have made.

    Args:
        slots: instructions for making the puzzles of new days, in the order of the days.
        files: the names of the image files for each new day.
        earlier: days that have a puzzle from an earlier run and keep it.
        replacements: days that have a puzzle from an earlier run and get another one.
    """

    slots: tuple[DaySlot, ...]
    files: Mapping[datetime.date, Files]
    earlier: tuple[datetime.date, ...]
    replacements: Replacements

    @property
    def all_slots(self) -> tuple[DaySlot, ...]:
        return (*self.replacements.slots, *self.slots)


def _make_plan(feed_images: FeedImages, run: FeedDates, folder: Folder, *, resumed: bool) -> _Plan:
    """Plan a run, and check that it overwrites no existing files.

    A resumed run may overwrite files that it wrote before the interruption.
    """
    spec = feed_images.spec
    days = issue_days(spec, run)
    new_days = tuple(day for day in days if day not in folder.items)
    last = folder.last_day
    if new_days and last is not None and new_days[0] < last:
        raise UsageError(
            f"{new_days[0]} is before {last}, the last day of the feed in {folder.path}, and has no puzzle "
            f"there: its number would be out of order. Go on from {next_issue(spec, last)}, or use another "
            "folder."
        )
    number = folder.number(last) + 1 if last is not None else spec.first_number
    slots = tuple(day_slot(spec, day, number + index) for index, day in enumerate(new_days))
    files = {slot.day: file_names(feed_images, slot) for slot in slots}
    _check_names(spec.template.text, files, folder)
    _check_free(files, folder, run if slots else None, resumed=resumed)
    if not resumed:
        _check_known(spec, folder)
    replacements = plan_replacements(spec, folder, days, resumed=resumed)
    earlier = tuple(day for day in days if day in folder.items and day not in replacements.days)
    return _Plan(slots, files, earlier, replacements)


def file_names(feed_images: FeedImages, slot: DaySlot) -> Files:
    """Return the names of a day's image files. The name of the solution's file has the solution's date."""
    settings, files = feed_images.settings, []
    for kind in feed_images.kinds:
        day = slot.solution_day if kind is ImageKind.SOLUTION else slot.day
        fields = NameFields(day, slot.number, kind, settings.columns, settings.dpi)
        files += [
            (kind, image_format, feed_images.spec.template.name(fields, FORMATS[image_format].suffix))
            for image_format in settings.formats
        ]
    return tuple(files)


def _check_names(template: str, files: Mapping[datetime.date, Files], folder: Folder) -> None:
    """Raise ``SpecError`` if two image files would have the same name."""
    image_of_name = {name.casefold(): f"{name}, written by an earlier run" for name in folder.checksums}
    for day, kind, name in _flattened(files):
        image = _IMAGE_NAMES[kind].format(day=day)
        other = image_of_name.setdefault(name.casefold(), image)
        if other != image:
            raise SpecError(
                f"names: {template} gives {name} to {image} and to {other}. Add {{date:%Y%m%d}} or "
                "{number:04} to it."
            )


def _check_free(
    files: Mapping[datetime.date, Files], folder: Folder, run: FeedDates | None, *, resumed: bool
) -> None:
    """Raise ``OutputError`` if a run would replace a file that it must not replace.

    A new image file or manifest must not replace any file, unless the run resumes an interrupted run. The
    table ``index.csv`` may only replace an ``index.csv`` that linkpress wrote.
    """
    names = [name for _, _, name in _flattened(files)]
    if run is not None:
        names += [f"manifest-{run.name}.json", f"manifest-{run.name}.csv"]
    existing = [] if resumed else [name for name in names if (folder.path / name).exists()]
    if is_foreign(folder.path / INDEX_FILE, MAX_BYTES, is_index):
        existing.append(INDEX_FILE)
    if existing:
        more = f" and {len(existing) - 1} more" if len(existing) > 1 else ""
        raise OutputError(
            f"{folder.path / existing[0]}{more} exists already, and no manifest in the folder names it. "
            "Nothing was written: choose another folder with -o, or move the files away."
        )


def _check_known(spec: FeedSpec, folder: Folder) -> None:
    """Raise ``OutputError`` if the folder has files of days that no manifest describes.

    Without the manifest, a run would use the numbers and puzzles of these days again. The days are found in
    ``index.csv`` and by the folders of web pages. If there is neither a manifest nor ``index.csv``, they are
    found by the names of image files.
    """
    pages = (path for path in folder.path.glob(DAY_PAGES) if path.name in FILES)
    days = {day.isoformat() for day in folder.items}
    names = [page.relative_to(folder.path).as_posix() for page in pages if page.parent.name not in days]
    table = folder.path / INDEX_FILE
    if table.is_file():
        text = read_limited(table, MAX_BYTES).decode("utf-8", "replace")
        names += [row.get("file") or "" for row in csv.DictReader(io.StringIO(text))]
    elif not folder.items and folder.path.is_dir():
        files = (path.relative_to(folder.path).as_posix() for path in folder.path.rglob("*"))
        names += [name for name in files if spec.template.matches(name)]
    unknown = sorted(name for name in names if name not in folder.checksums and (folder.path / name).exists())
    if unknown:
        others = f", nor the days of {len(unknown) - 1} other files" if len(unknown) > 1 else ""
        raise OutputError(
            f"{folder.path / unknown[-1]} exists, and no manifest knows its day{others}: numbers and puzzles "
            f"would be used again. Nothing was written. Put the feed's manifest-*.json back into "
            f"{folder.path} from a copy. If there is none, go on in another folder with -o and with "
            "first_number: in the feed, one above the last number that was printed."
        )


def _flattened(files: Mapping[datetime.date, Files]) -> Sequence[tuple[datetime.date, ImageKind, str]]:
    return [(day, kind, name) for day, names in files.items() for kind, _, name in names]


@dataclass
class _FeedRun:
    """One run of a feed.

    Args:
        images: the feed, and how its images are drawn.
        dates: the days of the run.
        folder: the feed's folder, with the images of earlier runs.
        jobs: the number of processes that draw images.
        watcher: object whose methods are called to report progress.
        log: a log that gets an entry for each puzzle.
        resumed: whether the run continues an interrupted run.
    """

    images: FeedImages
    dates: FeedDates
    folder: Folder
    jobs: int
    watcher: Watcher
    log: RunLog
    resumed: bool

    def result(self, ledger: LedgerChoice, workers: Workers, maker: PuzzleMaker | None) -> FeedResult:
        """Do the run, and return its result.

        Missing files of earlier days are drawn again. Then the puzzles and images of new days are made.
        """
        path = self.folder.path
        plan = _make_plan(self.images, self.dates, self.folder, resumed=self.resumed)
        page_writer = self._page_writer()
        restored, notes = self._restore_files(plan.replacements.names)
        if page_writer:
            restored += page_writer.write(plan.earlier, only_missing=True)
            restored += page_writer.write_site() if plan.earlier else ()
        notes += self._notes(plan)
        result = FeedResult(path, None, len(plan.slots), len(restored), len(plan.earlier), restored, notes)
        if not plan.all_slots:
            return replace(result, files=restored + _write_index(path, self.folder.all_items))
        check_images(self.images, plan.all_slots)
        files = self._make_days(plan, ledger, workers, maker)
        manifest = path / f"manifest-{self.dates.name}.json" if plan.slots else None
        replaced = len(plan.replacements.slots)
        return replace(result, manifest=manifest, files=restored + files, replaced=replaced)

    def _notes(self, plan: _Plan) -> tuple[str, ...]:
        """Return notes for the newspaper's editors.

        The notes warn if days between the last run and this run get no puzzle, although the spec asks for
        one. They also warn if a solution was announced for a day that has no puzzle any more. In a feed's
        first run, they include warnings about the spec.
        """
        spec, last = self.images.spec, self.folder.last_day
        notes: tuple[str, ...] = ()
        if last is not None and plan.slots:
            if (due := next_issue(spec, last)) < plan.slots[0].day:
                notes += (
                    f"no puzzle is made for {due}, nor for the days between it and {plan.slots[0].day}. They "
                    f"can't be made later in this folder. To make them, begin with --from {due} in another "
                    "one",
                )
            if not spec.has_issue(announced := self.folder.solution_day(last)):
                notes += (
                    f"the solution of {last} was announced for {announced}, which has no issue any more: "
                    "print it on the next day with an issue",
                )
        return notes if self.folder.items else (*notes, *spec.warnings)

    def _make_days(
        self, plan: _Plan, choice: LedgerChoice, workers: Workers, maker: PuzzleMaker | None
    ) -> tuple[Path, ...]:
        """Make the puzzles, draw the images, and write web pages and manifests. Return the written files."""
        spec, path, slots = self.images.spec, self.folder.path, plan.all_slots
        run_plan = RunPlan(
            Holder(Kind.FEED, spec.id),
            spec.title,
            len(slots),
            command="the same command with --resume",
            repeated="the feed has this puzzle on another day, or had",
            known=self.folder.fingerprints(without=plan.replacements.renewed),
            key=f"{spec.id} {self.dates.name}",
        )
        all_files = (*plan.files.values(), *plan.replacements.files.values())
        images = [path / name for files in all_files for _, _, name in files]
        pages = [page for slot in plan.slots if spec.web for page in day_files(path, slot.day, spec.web)]
        journal = journal_path(path, spec.id, self.dates, anew=not plan.slots)
        with ProductionRun.open(run_plan, journal, choice, self.log, self.watcher, maker) as run:
            try:
                with run.at_work(workers):
                    finished = run.fill(slots)
                issues = tuple(
                    Issue(slot.day, slot.solution_day, slot.number, made.record)
                    for slot, made in zip(slots, finished, strict=True)
                )
                items = self._draw_images(plan, issues)
                page_writer = self._page_writer(issues)
                if page_writer:
                    page_writer.write(slot.day for slot in plan.slots)
                    pages += _rewrite_pages(page_writer, plan.replacements)
                    pages += page_writer.write_site()
                policy = page_writer.content_policy if page_writer else None
                written = (*pages, *self._write_manifests(plan, items, policy))
            finally:
                # Remove partly written files of this run, or of an earlier run that was killed.
                remove_temporary_files([*images, *pages])
            run.finish({made.record.fingerprint: str(made.slot) for made in finished})
        return (*images, *written)

    def _page_writer(self, issues: tuple[Issue, ...] = ()) -> DayPageWriter | None:
        spec, theme = self.images.spec, self.images.settings.theme
        return DayPageWriter(spec, spec.web, theme, self.folder, issues) if spec.web else None

    def _draw_images(self, plan: _Plan, issues: Sequence[Issue]) -> list[Item]:
        """Draw the images of days whose puzzles are replaced, then of new days.

        A combined image shows a puzzle together with the solution of the puzzle before it. For the first new
        day, the puzzle before it is the last one that an earlier run has made.
        """
        folder, by_day = self.folder, {issue.day: issue for issue in issues}
        orders = [day_order(folder, day, files, by_day) for day, files in plan.replacements.files.items()]
        last = folder.last_day
        earlier: Issue | None = None
        if last and self.images.spec.image.combined:
            earlier = by_day.get(last) or folder.issue(last)
        for issue in issues:
            if issue.day in plan.files:
                orders.append(DayOrder(issue, earlier, plan.files[issue.day]))
                earlier = issue
        self.watcher.stage("draw")
        self.watcher.drawing(len(orders))
        return draw_days(self.images, orders, self.jobs, self.watcher)

    def _write_manifests(self, plan: _Plan, items: Sequence[Item], policy: str | None) -> tuple[Path, ...]:
        """Write the manifest of this run, and update manifests of earlier runs whose images were drawn again.

        Each manifest is also written as a CSV table. The manifest of this run lists all images to be printed
        on the days of the run. It may also list the solution of the last earlier puzzle, which is printed on
        the first of these days.

        Args:
            plan: the plan of the run.
            items: the images that were drawn.
            policy: the Content-Security-Policy for the web pages; None if there are no pages.
        """
        self.watcher.stage("write")
        published = {item.key for item in self.folder.all_items}
        items = _with_unique_uris(items, self.folder.all_items)
        changed = [item for item in items if item.key in published]
        new = [item for item in items if item.key not in published]
        folder = self.folder.with_items(changed)
        texts = _renewed_texts(self.folder, changed)
        if plan.slots:
            path = folder.path / f"manifest-{self.dates.name}.json"
            run_items = sorted([*folder.items_of(self.dates), *new], key=_printing_order)
            texts[path.with_suffix(".csv")] = manifest_csv(run_items)
            manifest = run_manifest(self.images.spec, self.dates, run_items)
            if policy:
                manifest = manifest.model_copy(update={"content_policy": policy})
            texts[path] = manifest.text
        write_files(texts)
        return (*reversed(texts), *_write_index(folder.path, [*folder.all_items, *new]))

    def _restore_files(self, left_out: Collection[str]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
        """Draw missing image files of earlier days again, and record changed checksums in the manifests.

        Args:
            left_out: names of files not to draw, because they will be drawn with a new puzzle.
        Returns:
            The written files, and a note for each file whose content differs from the lost file.
        """
        folder = self.folder
        missing: dict[datetime.date, Files] = {}
        for item in folder.items_of(self.dates):
            day = item.puzzle.date
            for file in item.renditions:
                if file.file not in left_out and not folder.check_unchanged(file.file, "it drawn again"):
                    entry = (ImageKind(item.what), FORMAT_OF_MEDIA_TYPE[file.mimetype], file.file)
                    missing[day] = (*missing.get(day, ()), entry)
        orders = [day_order(folder, day, files) for day, files in missing.items()]
        written, notes, changed_items = [], [], []
        published = {item.key: item for item in folder.all_items}
        for item in draw_days(self.images, orders, self.jobs):
            drawn = {rendition.file: rendition for rendition in item.renditions}
            changed = [file for file in drawn if drawn[file].sha256 != folder.checksums[file]]
            if changed:
                before = published[item.key]
                renditions = [drawn.get(rendition.file, rendition) for rendition in before.renditions]
                changed_items.append(before.model_copy(update={"renditions": renditions}))
            written += [folder.path / file for file in drawn]
            notes += [
                f"{file} was drawn again and is not the same bytes as before: the feed's keys or the "
                "installed versions have changed since"
                for file in changed
            ]
        if changed_items:
            write_files(_renewed_texts(folder, changed_items))
            self.folder = folder.with_items(changed_items)
        return tuple(written), tuple(notes)


def _rewrite_pages(page_writer: DayPageWriter, replacements: Replacements) -> tuple[Path, ...]:
    """Write web pages again, after puzzles that they show have been replaced.

    All pages of a replaced day and of the day after it are written again. For later days, only the pages that
    list the feed's days are written again.
    """
    if not replacements.slots:
        return ()
    before, shown = None, []
    for day in page_writer.folder.items:
        if day in replacements.days or before in replacements.days:
            shown.append(day)
        before = day
    later = [day for day in page_writer.folder.items if day > replacements.days[0] and day not in shown]
    return page_writer.write(shown) + page_writer.write(later, LISTS)


def _with_unique_uris(items: Sequence[Item], published: Sequence[Item]) -> list[Item]:
    """Add the puzzle's number to an image's URI if another image has the same URI.

    A URI contains the day on which its image is printed. After a change of the calendar, two solutions may be
    printed on the same day, and would have the same URI.
    """
    key_of_uri = {item.uri: item.key for item in published}
    return [
        item
        if key_of_uri.get(item.uri, item.key) == item.key
        else item.model_copy(update={"uri": f"{item.uri}-{item.number}"})
        for item in items
    ]


def _renewed_texts(folder: Folder, changed: Sequence[Item]) -> dict[Path, str]:
    """Return the new texts of all manifests and CSV tables that describe changed images.

    The keys are the paths of the files.
    """
    texts: dict[Path, str] = {}
    for path, manifest in renewed_manifests(folder, changed):
        texts[path.with_suffix(".csv")] = manifest_csv(manifest.items)
        texts[path] = manifest.text
    return texts


def _write_index(folder: Path, items: Sequence[Item]) -> tuple[Path, ...]:
    path, text = folder / INDEX_FILE, manifest_csv(sorted(items, key=_printing_order))
    if not items or (path.exists() and path.read_bytes() == text.encode("utf-8")):
        return ()
    write_file(path, text)
    return (path,)


def _printing_order(item: Item) -> tuple[datetime.date, bool, int]:
    return item.date, item.what != ImageKind.PUZZLE, item.number


def draw_days(
    feed_images: FeedImages, orders: Sequence[DayOrder], jobs: int, watcher: Watcher | None = None
) -> list[Item]:
    """Draw and write the images of several days, in several processes if ``jobs`` is more than 1.

    Returns:
        An entry of the manifest for each image, in the order of the days.
    Raises:
        GaveUpError: a process died.
        LayoutError: a board is too large, or its caption is too wide.
        SpecError: the fonts lack letters of a caption. The message names the feed's key.
        OutputError: a file can't be written.
    """
    workers = Workers(jobs, InProcess if jobs == 1 or len(orders) < 2 else worker_processes)
    try:
        calls = [(feed_images, order) for order in orders]
        days = list(call_each(workers, draw_day, calls, (watcher or Watcher()).drawn))
    except WorkerLost as lost:
        raise GaveUpError(
            f"the images of {orders[lost.index].issue.day} can't be drawn: {lost}. Perhaps memory is short: "
            "go on with --resume and fewer --jobs."
        ) from None
    return [item for items in days for item in items]


def draw_day(feed_images: FeedImages, order: DayOrder) -> list[Item]:
    """Draw and write the images of one day. Return an entry of the manifest for each image.

    Raises:
        LayoutError: a board is too large, or its caption is too wide.
        SpecError: the fonts lack letters of the caption. The message names the feed's key.
        OutputError: a file can't be written.
    """
    spec, settings = feed_images.spec, feed_images.settings
    if order.dpi is not None:
        settings = replace(settings, dpi=order.dpi)
        feed_images = replace(feed_images, settings=settings)
    items = []
    for kind in dict.fromkeys(kind for kind, _, _ in order.files):
        caption, image = _make_image(feed_images, order, kind)
        renditions, size_px = [], image.drawing.size_px
        for file_format, name in [(each, name) for shown, each, name in order.files if shown is kind]:
            content = FORMATS[file_format].write(image)
            write_file(feed_images.folder / name, content)
            renditions.append(rendition(content, name, file_format, size_px, settings.dpi, settings.mode))
        items.append(issue_item(spec, kind, order.issue, caption, renditions))
    return items


def day_png(feed_images: FeedImages, issue: Issue, earlier: Issue | None, kind: ImageKind) -> bytes:
    """Return one image of a day as a PNG, without writing a file.

    Args:
        feed_images: the feed and its settings for images.
        issue: the day's puzzle.
        earlier: the feed's previous puzzle, whose solution a combined image shows; None if there is none.
        kind: whether the image shows the puzzle, its solution, or the puzzle with the previous solution.
    Raises:
        LayoutError: a board is too large, or its caption is too wide.
        SpecError: the fonts lack letters of the caption. The message names the feed's key.
    """
    return FORMATS[ImageFormat.PNG].write(_make_image(feed_images, DayOrder(issue, earlier, ()), kind)[1])


def check_images(feed_images: FeedImages, slots: tuple[DaySlot, ...]) -> None:
    """Check that the images of some days can be drawn, before any puzzle is made.

    Raises:
        LayoutError: a board is too large for the width, a caption is too wide, or the theme has grey tints
            and the images have 1-bit pixels.
        SpecError: the fonts lack letters of the caption. The message names the feed's key.
    """
    settings = feed_images.settings
    for slot in slots:
        recipe = slot.recipe
        number = recipe.pairs.high if recipe.pairs else recipe.rows * recipe.cols // _MIN_PATH_CELLS
        try:
            check_legible(recipe.rows, recipe.cols, number, settings)
        except LayoutError as error:
            raise LayoutError(f"week.{WEEKDAYS[slot.day.weekday()]}, {slot.day}: {error}") from None
    # Try to draw the captions of all days, because some dates are wider than others.
    orders = [_sample_order(slot) for slot in slots]
    for order, kind in product(orders, feed_images.kinds):
        try:
            _, drawing = _compose_image(feed_images, order, kind)
        except LayoutError as error:
            raise LayoutError(f"{order.issue.day}: {error}") from None
        check_drawable(drawing, settings.formats, settings.mode)


def _sample_order(slot: DaySlot) -> DayOrder:
    """Return instructions for drawing a small sample board.

    The sample is used to check that the theme and a day's caption can be drawn.
    """
    record = stand_in(slot, parse_solution_rows(parse_board_rows(_SAMPLE_BOARD), _SAMPLE_ANSWER))
    issue = Issue(slot.day, slot.solution_day, slot.number, record)
    return DayOrder(issue, issue, ())


def _make_image(feed_images: FeedImages, order: DayOrder, kind: ImageKind) -> tuple[Caption, ImageToWrite]:
    """Compose one image. Return its caption, and the image with the metadata for its file."""
    spec, settings, issue = feed_images.spec, feed_images.settings, order.issue
    caption, drawing = _compose_image(feed_images, order, kind)
    particulars = Particulars(
        title=f"{spec.title} {issue.number}",
        shown=shown_puzzle(issue.record, issue.number, spec.title),
        author=spec.author or "",
        copyright=spec.copyright or "",
        what=kind,
        language=spec.wording().language,
        names_difficulty=spec.caption.difficulty is not DifficultyMark.NONE,
    )
    return caption, ImageToWrite(drawing, particulars, settings.mode, settings.dpi, settings.measure.faces)


def _compose_image(feed_images: FeedImages, order: DayOrder, kind: ImageKind) -> tuple[Caption, PixelFrame]:
    """Compose one image, and return its caption and its drawing.

    If the spec asks for captions in images, the drawing also contains the caption.
    """
    spec, settings = feed_images.spec, feed_images.settings
    words = spec.wording()
    caption, panel = _panel(spec, order.issue, words, solved=kind is ImageKind.SOLUTION)
    earlier = _panel(spec, order.earlier, words, solved=True)[1] if order.earlier else None
    try:
        if kind is ImageKind.COMBINED:
            return caption, compose_pair(panel, earlier, settings)
        return caption, compose(panel, settings)
    except LayoutError as error:
        if error.key != CAPTION:
            raise
        key = _key_of_caption(spec, settings.measure)
        raise_problem(spec.source.problem_from_error(LayoutError(error.message, key)))


def _key_of_caption(spec: FeedSpec, measure: Measure) -> str:
    """Return the key of the feed's spec that the user must change if the fonts lack letters of a caption.

    This is the key of the first text in a caption that the fonts can't print, such as ``title``. If there is
    no such text, it is ``fonts``.
    """
    texts = [("title", spec.title)] if spec.caption.title else []
    for key, text in spec.wording().texts:
        is_own = key.partition(".")[0] in (spec.words or ())
        texts.append((f"words.{key}" if is_own else "language", text))
    return next((key for key, text in texts if text_problem(text, measure)), "fonts")


def _panel(spec: FeedSpec, issue: Issue, words: Words, *, solved: bool) -> tuple[Caption, Panel]:
    shown = shown_puzzle(issue.record, issue.number, spec.title)
    return captioned_panel(shown, spec.caption, words, (issue.day, issue.solution_day), solved=solved)
