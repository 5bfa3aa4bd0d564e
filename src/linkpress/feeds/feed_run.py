"""A run of a feed makes, draws and writes the days' puzzles, with the manifest of them all.

What a day gets depends on the feed's seed, the date and the puzzles that came before it; not on
how many processes work at it, nor on where a run begins or was cut off. Earlier runs are known
by the manifests that they left in the folder: numbers go on from there, no puzzle of theirs comes
again, and none of their files is written again unless it has gone missing or the feed wants another
puzzle for its day.
"""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from linkpress.documents.shipped_files import resolve_name
from linkpress.errors import OutputError, SpecError, UsageError
from linkpress.feeds.calendar import DaySlot, FeedDates, day_slot, issue_days, next_issue
from linkpress.feeds.day_images import DayOrder, FeedImages, Files, check_images, draw_days, file_names
from linkpress.feeds.feed_folder import (
    KINDS,
    MAX_BYTES,
    Folder,
    Replacements,
    check_journals,
    day_order,
    journal_path,
    plan_replacements,
    read_folder,
    renewed_manifests,
)
from linkpress.feeds.feed_spec import FeedSpec, load_feed
from linkpress.feeds.manifest import Issue, Item, is_index, manifest_csv, run_manifest
from linkpress.feeds.web_pages import DAY_PAGES, FILES, LISTS, DayPageWriter, day_files
from linkpress.files import (
    is_foreign,
    lock_folder,
    read_limited,
    remove_temporary_files,
    write_file,
    write_files,
)
from linkpress.images.image_settings import ImageKind, ImageSettings, image_settings, image_width
from linkpress.ledger.entries import Holder, Kind
from linkpress.production.dispatch import Workers
from linkpress.production.executors import available_jobs, local_workers
from linkpress.production.journal import RunLog, Watcher
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice
from linkpress.production.production_run import ProductionRun, RunPlan
from linkpress.production.slot_search import PuzzleMaker
from linkpress.render.fonts import FontMeasure, load_faces

_IMAGES = {
    ImageKind.PUZZLE: "the puzzle of {day}",
    ImageKind.SOLUTION: "the solution of the puzzle of {day}",
    ImageKind.COMBINED: "the combined image of {day}",
}
INDEX_FILE = "index.csv"


@dataclass(frozen=True)
class FeedResult:
    """A result names the files and issues that a finished run has made.

    Args:
        manifest: None where there was nothing new.
        made: days with their first puzzle.
        replaced: days with another puzzle than before.
        restored: days of earlier runs of which missing files were drawn again.
        files: that were written, in order; the manifest and its CSV last.
        notes: what the newspaper's editors should know.
    """

    folder: Path
    manifest: Path | None
    made: int
    restored: int
    untouched: int
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()
    replaced: int = 0


@dataclass
class _Session:
    feed_images: FeedImages
    run: FeedDates
    folder: Folder
    jobs: int
    watcher: Watcher
    log: RunLog

    @property
    def spec(self) -> FeedSpec:
        return self.feed_images.spec


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
    """Make the days of a run.

    Args:
        out: the feed's folder; one feed a folder.
        resume: go on with this run if it was cut off.
        jobs: puzzles made and days drawn at a time; the cores if None. The result is the same.
        ledger: says which puzzles are published elsewhere, and records these.
        log: notes each puzzle; not closed here.
        workers: who makes the puzzles; processes of this machine, as many as jobs, if None.
        maker: of puzzles, as ``ProductionRun`` takes it.
        spec: what ``load_feed`` read from the file; it is read here if None.
    Returns:
        What was written: images, ``manifest-<from>-<to>.json``, a CSV beside it, and ``index.csv`` of
        all days that there are.
    Raises:
        SpecError: the feed, its grid or its theme has faults; or file names collide.
        UsageError: no day has an issue, or days lie before the feed's last one.
        LayoutError: a board of the feed is too large for its width.
        RecipeError: a day's recipe can't be met; names the date.
        OutputError: another run is at work in the folder, or it holds another feed, files of these names or
            files of days that no manifest knows, or can't be written. Nothing that was there is changed.
    """
    spec = spec or load_feed(Path(spec_path))
    images = FeedImages(spec, settings_of(spec, Path(spec_path).parent), Path(out))
    with lock_folder(images.folder):
        begun = check_journals(images.folder, spec.id, run, resume=resume)
        unfinished = (
            f"manifest-{run.name}.json" if begun == journal_path(images.folder, spec.id, run) else None
        )
        folder = read_folder(images.folder, spec.id, unfinished)
        workers = workers or local_workers(jobs)
        session = _Session(
            images, run, folder, jobs or available_jobs(), watcher or Watcher(), log or RunLog()
        )
        return _feed(session, ledger, workers, maker, begun=begun is not None)


def _feed(
    session: _Session, ledger: LedgerChoice, workers: Workers, maker: PuzzleMaker | None, *, begun: bool
) -> FeedResult:
    images, run, folder_path = session.feed_images, session.run, session.folder.path
    plan = _plan(images, run, session.folder, begun=begun)
    page_writer = _page_writer(session)
    restored, notes = _restore_days(session, plan.replacements.names)
    if page_writer:
        restored += page_writer.write(plan.earlier, only_missing=True)
        restored += page_writer.write_site() if plan.earlier else ()
    last = session.folder.last_day
    if last is not None and plan.slots:
        if (due := next_issue(session.spec, last)) < plan.slots[0].day:
            notes += (
                f"no puzzle is made for {due}, nor for what follows it before {plan.slots[0].day}: days that "
                "are passed over can't be made later. To make them, begin with "
                f"--from {due} in another folder",
            )
        if not session.spec.has_issue(announced := session.folder.solution_day(last)):
            notes += (
                f"the solution of {last} is dated {announced}, which has no issue any more: print it on the "
                "next day that has one",
            )
    if not session.folder.items and session.spec.seed_warning:
        notes += (session.spec.seed_warning,)
    result = FeedResult(folder_path, None, len(plan.slots), len(restored), len(plan.earlier), restored, notes)
    if not plan.all_slots:
        return replace(result, files=restored + _write_index(folder_path, session.folder.all_items))
    check_images(images, plan.all_slots)
    files = _make_run(session, plan, ledger, workers, maker)
    manifest = folder_path / f"manifest-{run.name}.json" if plan.slots else None
    return replace(result, manifest=manifest, files=restored + files, replaced=len(plan.replacements.slots))


def settings_of(spec: FeedSpec, spec_folder: Path) -> ImageSettings:
    """Read how a feed's images are made; relative paths start from its spec's folder.

    Raises:
        UsageError, SpecError: there is no such grid or theme, it has faults, or a font can't be used.
    """
    image = spec.image
    width = image_width(image.width_mm, image.columns, image.grid and resolve_name(image.grid, spec_folder))
    theme = image.theme and resolve_name(image.theme, spec_folder)
    settings = image_settings(width, image.dpi, image.mode, image.format, theme, image.min_cell_mm)
    measure = FontMeasure(load_faces(spec.fonts, spec_folder), spec.wording().language)
    return replace(settings, measure=measure)


def _make_run(
    session: _Session, plan: _Plan, choice: LedgerChoice, workers: Workers, maker: PuzzleMaker | None
) -> tuple[Path, ...]:
    spec, feed_images, folder, slots = session.spec, session.feed_images, session.folder, plan.all_slots
    run_plan = RunPlan(
        Holder(Kind.FEED, spec.id),
        spec.title,
        len(slots),
        command="the same command with --resume",
        repeated="the feed has this puzzle on another day, or had",
        known=folder.fingerprints(without=plan.replacements.renewed),
        key=f"{spec.id} {session.run.name}",
    )
    names = [
        name for files in (*plan.files.values(), *plan.replacements.files.values()) for _, _, name in files
    ]
    images = [feed_images.folder / name for name in names]
    pages = [
        page for slot in plan.slots if spec.web for page in day_files(feed_images.folder, slot.day, spec.web)
    ]
    journal = journal_path(feed_images.folder, spec.id, session.run, anew=not plan.slots)
    with ProductionRun.open(run_plan, journal, choice, session.log, session.watcher, maker) as run:
        try:
            with run.at_work(workers):
                finished = run.fill(slots)
            issues = tuple(
                Issue(slot.day, slot.solution_day, slot.number, made.record)
                for slot, made in zip(slots, finished, strict=True)
            )
            items = _draw(session, plan, issues)
            page_writer = _page_writer(session, issues)
            if page_writer:
                page_writer.write(slot.day for slot in plan.slots)
                pages += _renew_pages(page_writer, plan.replacements)
                pages += page_writer.write_site()
            policy = page_writer.content_policy if page_writer else None
            written = (*pages, *_write_manifests(session, plan, items, policy))
        finally:
            # A worker that was ended in the middle of an image, in this run or an earlier one,
            # leaves a part.
            remove_temporary_files([*images, *pages])
        run.finish({made.record.fingerprint: str(made.slot) for made in finished})
    return (*images, *written)


def _page_writer(session: _Session, issues: tuple[Issue, ...] = ()) -> DayPageWriter | None:
    spec, feed_images = session.spec, session.feed_images
    theme = feed_images.settings.theme
    return DayPageWriter(spec, spec.web, theme, session.folder, issues) if spec.web else None


def _renew_pages(page_writer: DayPageWriter, replacements: Replacements) -> tuple[Path, ...]:
    if not replacements.slots:
        return ()
    before, shown = None, []
    for day in page_writer.folder.items:
        if day in replacements.days or before in replacements.days:
            shown.append(day)
        before = day
    later = [day for day in page_writer.folder.items if day > replacements.days[0] and day not in shown]
    return page_writer.write(shown) + page_writer.write(later, LISTS)


def _draw(session: _Session, plan: _Plan, issues: Sequence[Issue]) -> list[Item]:
    """Draw replaced days, then new ones; the first of these shows the answer of the folder's last puzzle."""
    folder, by_day = session.folder, {issue.day: issue for issue in issues}
    orders = [day_order(folder, day, files, by_day) for day, files in plan.replacements.files.items()]
    last = folder.last_day
    earlier: Issue | None = None
    if last and session.spec.image.combined:
        earlier = by_day.get(last) or folder.issue(last)
    for issue in issues:
        if issue.day in plan.files:
            orders.append(DayOrder(issue, earlier, plan.files[issue.day]))
            earlier = issue
    session.watcher.stage("draw")
    session.watcher.drawing(len(orders))
    return draw_days(session.feed_images, orders, session.jobs, session.watcher)


def _write_manifests(
    session: _Session, plan: _Plan, items: Sequence[Item], policy: str | None
) -> tuple[Path, ...]:
    """Write the manifest of all that is printed on the run's days, and the earlier manifests that change."""
    session.watcher.stage("write")
    run, there = session.run, {item.key for item in session.folder.all_items}
    items = _with_own_addresses(items, session.folder.all_items)
    fresh = [item for item in items if item.key in there]
    new = [item for item in items if item.key not in there]
    folder = session.folder.with_items(fresh)
    texts = _renewed_texts(session.folder, fresh)
    if plan.slots:
        path = folder.path / f"manifest-{run.name}.json"
        whole = sorted([*folder.items_of(run), *new], key=_printed_order)
        texts[path.with_suffix(".csv")] = manifest_csv(whole)
        manifest = run_manifest(session.spec, run, whole)
        if policy:
            manifest = manifest.model_copy(update={"content_policy": policy})
        texts[path] = manifest.text
    write_files(texts)
    return (*reversed(texts), *_write_index(folder.path, [*folder.all_items, *new]))


def _with_own_addresses(items: Sequence[Item], known: Sequence[Item]) -> list[Item]:
    """Give a solution an address of its own where the calendar changed and another is printed on its day."""
    taken = {item.uri: item.key for item in known}
    return [
        item
        if taken.get(item.uri, item.key) == item.key
        else item.model_copy(update={"uri": f"{item.uri}-{item.number}"})
        for item in items
    ]


def _renewed_texts(folder: Folder, fresh: Sequence[Item]) -> dict[Path, str]:
    """Return the manifests and tables of images that were drawn anew, by their files."""
    texts: dict[Path, str] = {}
    for path, manifest in renewed_manifests(folder, fresh):
        texts[path.with_suffix(".csv")] = manifest_csv(manifest.items)
        texts[path] = manifest.text
    return texts


def _write_index(folder: Path, items: Sequence[Item]) -> tuple[Path, ...]:
    path, text = folder / INDEX_FILE, manifest_csv(sorted(items, key=_printed_order))
    if not items or (path.exists() and path.read_bytes() == text.encode("utf-8")):
        return ()
    write_file(path, text)
    return (path,)


def _printed_order(item: Item) -> tuple[datetime.date, bool, int]:
    return item.date, item.what != ImageKind.PUZZLE, item.number


@dataclass(frozen=True)
class _Plan:
    """A plan says what a run is to do: new days, their files, the days that stay, and those that change."""

    slots: tuple[DaySlot, ...]
    files: Mapping[datetime.date, Files]
    earlier: tuple[datetime.date, ...]
    replacements: Replacements

    @property
    def all_slots(self) -> tuple[DaySlot, ...]:
        """Return the slots that get a puzzle, in order."""
        return (*self.replacements.slots, *self.slots)


def _plan(feed_images: FeedImages, run: FeedDates, folder: Folder, *, begun: bool) -> _Plan:
    """Settle what is to be done before anything is made; a run that has begun may have left files."""
    spec = feed_images.spec
    days = issue_days(spec, run)
    new = tuple(day for day in days if day not in folder.items)
    last = folder.last_day
    if new and last is not None and new[0] < last:
        raise UsageError(
            f"{new[0]} lies before {last}, the last day of the feed in {folder.path}, and has no puzzle "
            f"there: its number would come too late. Go on from {next_issue(spec, last)}, or use another "
            "folder."
        )
    number = folder.number(last) + 1 if last is not None else spec.first_number
    slots = tuple(day_slot(spec, day, number + index) for index, day in enumerate(new))
    files = {slot.day: file_names(feed_images, slot) for slot in slots}
    _check_names(spec.template.text, files, folder)
    _check_free(files, folder, run if slots else None, begun=begun)
    if not begun:
        _check_known(spec, folder)
    replacements = plan_replacements(spec, folder, days, begun=begun)
    earlier = tuple(day for day in days if day in folder.items and day not in replacements.days)
    return _Plan(slots, files, earlier, replacements)


def _check_known(spec: FeedSpec, folder: Folder) -> None:
    """Refuse a folder whose files tell of days that no manifest knows: numbers and puzzles would come again.

    The table of all files tells of them, so do the pages of the web, and where there is no manifest at
    all the images' names do.
    """
    pages = (path for path in folder.path.glob(DAY_PAGES) if path.name in FILES)
    known = {day.isoformat() for day in folder.items}
    names = [page.relative_to(folder.path).as_posix() for page in pages if page.parent.name not in known]
    table = folder.path / INDEX_FILE
    if table.is_file():
        text = read_limited(table, MAX_BYTES).decode("utf-8", "replace")
        names += [row.get("file") or "" for row in csv.DictReader(io.StringIO(text))]
    elif not folder.items and folder.path.is_dir():
        files = (path.relative_to(folder.path).as_posix() for path in folder.path.rglob("*"))
        names += [name for name in files if spec.template.matches(name)]
    lost = sorted(name for name in names if name not in folder.sums and (folder.path / name).exists())
    if lost:
        raise OutputError(
            f"{folder.path / lost[-1]} is there, and no manifest knows its day"
            f"{f', nor that of {len(lost) - 1} other files' if len(lost) > 1 else ''}: numbers would begin "
            f"anew, and puzzles come again. Nothing was written. Put the feed's manifest-*.json back into "
            f"{folder.path} from a copy. If there is none, go on in another folder with -o and with "
            "first_number: in the feed, one above the last number that was printed."
        )


def _check_names(template: str, files: Mapping[datetime.date, Files], folder: Folder) -> None:
    taken = {name.casefold(): f"{name}, written by an earlier run" for name in folder.sums}
    for day, kind, name in _each(files):
        image = _IMAGES[kind].format(day=day)
        other = taken.setdefault(name.casefold(), image)
        if other != image:
            raise SpecError(
                f"names: {template} gives {name} to {image} and to {other}. Put {{date:%Y%m%d}} or "
                "{number:04} into it."
            )


def _check_free(
    files: Mapping[datetime.date, Files], folder: Folder, run: FeedDates | None, *, begun: bool
) -> None:
    """Refuse to write over files, except those that a cut-off run of the same days left."""
    wanted = [name for _, _, name in _each(files)]
    if run is not None:
        wanted += [f"manifest-{run.name}.json", f"manifest-{run.name}.csv"]
    there = [] if begun else [name for name in wanted if (folder.path / name).exists()]
    if is_foreign(folder.path / INDEX_FILE, MAX_BYTES, is_index):
        there.append(INDEX_FILE)
    if there:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise OutputError(
            f"{folder.path / there[0]}{more} exists already, and no manifest there tells of it. Nothing was "
            "written: choose another folder with -o, or move the files away."
        )


def _each(files: Mapping[datetime.date, Files]) -> Sequence[tuple[datetime.date, ImageKind, str]]:
    return [(day, kind, name) for day, names in files.items() for kind, _, name in names]


def _restore_days(session: _Session, left_out: Collection[str]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Draw the missing files of earlier days again, but those left out, which are drawn elsewhere.

    Those manifests are brought up to date that tell of a file which is not what it was.

    Returns:
        The files written, and a note for each that is not what it was.
    """
    feed_images, folder = session.feed_images, session.folder
    orders = [day_order(folder, day, files) for day, files in _missing(folder, session.run, left_out).items()]
    written, notes, other = [], [], []
    known = {item.key: item for item in folder.all_items}
    for item in draw_days(feed_images, orders, session.jobs):
        drawn = {rendition.file: rendition for rendition in item.renditions}
        changed = [file for file in drawn if drawn[file].sha256 != folder.sums[file]]
        if changed:
            before = known[item.key]
            renditions = [drawn.get(rendition.file, rendition) for rendition in before.renditions]
            other.append(before.model_copy(update={"renditions": renditions}))
        written += [folder.path / file for file in drawn]
        notes += [
            f"{file} was drawn again and is not the same bytes as before: the feed's keys or the "
            "installed versions have changed since"
            for file in changed
        ]
    if other:
        write_files(_renewed_texts(folder, other))
        session.folder = folder.with_items(other)
    return tuple(written), tuple(notes)


def _missing(folder: Folder, run: FeedDates, left_out: Collection[str]) -> Mapping[datetime.date, Files]:
    missing: dict[datetime.date, Files] = {}
    for item in folder.items_of(run):
        day = item.puzzle.date
        for rendition in item.renditions:
            name = rendition.file
            if name not in left_out and not folder.check_unchanged(name, "it drawn again"):
                found = (ImageKind(item.what), KINDS[rendition.mimetype], name)
                missing[day] = (*missing.get(day, ()), found)
    return missing
