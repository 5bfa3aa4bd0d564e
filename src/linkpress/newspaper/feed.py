"""A run of a feed: the days' puzzles made, drawn and written, with the manifest of them all.

What a day gets depends on the feed's seed, the date and the puzzles that came before it; not on
how many processes work at it, nor on where a run begins or was cut off. Earlier runs are known
by the manifests that they left in the folder: numbers go on from there, no puzzle of theirs comes
again, and none of their files is written again unless it has gone missing.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from linkpress.book.ledger import Holder, Kind
from linkpress.config.shipped_files import beside
from linkpress.errors import OutputError, SpecError, UsageError
from linkpress.files import sweep_parts, write_whole
from linkpress.newspaper.calendar import DaySlot, Run, day_slot, issue_days, next_issue
from linkpress.newspaper.day_images import DayOrder, Files, Studio, check_studio, draw_days, file_names
from linkpress.newspaper.feed_folder import Folder, check_journals, journal_path, read_folder
from linkpress.newspaper.feed_spec import FeedSpec, load_feed
from linkpress.newspaper.image_files import Format
from linkpress.newspaper.image_settings import ImageSettings, image_settings, image_width
from linkpress.newspaper.manifest import Issue, manifest_csv, manifest_json
from linkpress.newspaper.naming import What
from linkpress.newspaper.web_pages import WebDesk, check_web_free, day_files
from linkpress.production.dispatch import Workers
from linkpress.production.executors import available_jobs, worker_processes
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice
from linkpress.production.log import RunLog
from linkpress.production.run import RunPlan, open_run
from linkpress.production.slot_search import Maker
from linkpress.production.watcher import Watcher

_IMAGES = {
    What.PUZZLE: "the puzzle of {day}",
    What.SOLUTION: "the solution of the puzzle of {day}",
    What.COMBINED: "the combined image of {day}",
}
_KINDS = {kind.mimetype: kind for kind in Format}


@dataclass(frozen=True)
class Fed:
    """A finished run.

    Args:
        folder: where everything lies.
        manifest: None where there was nothing new.
        made: days with a new puzzle.
        restored: days of earlier runs of which missing files were drawn again.
        untouched: days of earlier runs.
        files: that were written, in order; the manifest and its CSV last.
        notes: what the desk should know.
    """

    folder: Path
    manifest: Path | None
    made: int
    restored: int
    untouched: int
    files: tuple[Path, ...]
    notes: tuple[str, ...] = ()


@dataclass
class _Session:
    """What a run works with."""

    studio: Studio
    run: Run
    folder: Folder
    jobs: int
    watcher: Watcher
    log: RunLog

    @property
    def spec(self) -> FeedSpec:
        return self.studio.spec


def feed(
    spec_path: Path | str,
    run: Run,
    out: Path | str,
    *,
    resume: bool = False,
    jobs: int | None = None,
    ledger: LedgerChoice = USUAL_LEDGER,
    watcher: Watcher | None = None,
    log: RunLog | None = None,
    workers: Workers | None = None,
    maker: Maker | None = None,
    spec: FeedSpec | None = None,
) -> Fed:
    """Make the days of a run.

    Args:
        spec_path: the feed's YAML file.
        out: the feed's folder; one feed a folder.
        resume: go on with this run if it was cut off.
        jobs: puzzles made and days drawn at a time; the cores if None. The result is the same.
        ledger: says which puzzles are published elsewhere, and records these.
        log: notes each puzzle; not closed here.
        workers: who makes the puzzles; processes of this machine, as many as jobs, if None.
        maker: of puzzles, as ``ProductionRun`` takes it.
        spec: what ``load_feed`` read from the file; it is read here if None.
    Returns:
        What was written: images, ``manifest-<from>-<to>.json`` and a CSV beside it.
    Raises:
        SpecError: the feed, its grid or its theme has faults; or file names collide.
        UsageError: no day has an issue, or days lie before the feed's last one.
        LayoutError: a board of the feed is too large for its width.
        RecipeError: a day's recipe can't be met; names the date.
        OutputError: the folder holds another feed or other files of these names, or can't be
            written. Nothing that was there is changed.
    """
    path, folder_path = Path(spec_path), Path(out)
    spec = spec or load_feed(path)
    begun = check_journals(folder_path, spec.id, run, resume=resume)
    folder = read_folder(folder_path, spec.id, f"manifest-{run.name}.json" if begun else None)
    studio = Studio(spec, settings_of(spec, path.parent), folder_path)
    session = _Session(studio, run, folder, jobs or available_jobs(), watcher or Watcher(), log or RunLog())
    plan = _plan(studio, run, folder, begun=begun)
    desk = _web_desk(session)
    if desk and not begun:
        check_web_free(folder_path, (slot.day for slot in plan.slots))
    restored, notes = _restore_days(studio, folder, run, session.jobs)
    if desk:
        restored += desk.write(plan.earlier, only_missing=True)
    fed = Fed(folder_path, None, len(plan.slots), len(restored), len(plan.earlier), restored, notes)
    if not plan.slots:
        return fed
    check_studio(studio, plan.slots)
    workers = workers or Workers(session.jobs, worker_processes)
    files = _make_run(session, plan, ledger, workers, maker)
    return replace(fed, manifest=folder_path / f"manifest-{run.name}.json", files=restored + files)


def settings_of(spec: FeedSpec, spec_folder: Path) -> ImageSettings:
    """How a feed's images are made.

    Args:
        spec_folder: that relative paths of grids and themes start from.
    Raises:
        UsageError, SpecError: there is no such grid or theme, or it has faults.
    """
    image = spec.image
    width = image_width(image.width_mm, image.columns, image.grid and beside(image.grid, spec_folder))
    theme = image.theme and beside(image.theme, spec_folder)
    return image_settings(width, image.dpi, image.mode, image.format, theme, image.min_cell_mm)


def _make_run(
    session: _Session, plan: _Plan, choice: LedgerChoice, workers: Workers, maker: Maker | None
) -> tuple[Path, ...]:
    spec, studio = session.spec, session.studio
    run_plan = RunPlan(
        Holder(Kind.FEED, spec.id),
        spec.title,
        len(plan.slots),
        command="the same command with --resume",
        repeated="the feed has this puzzle on another day",
        known=session.folder.fingerprints,
        key=f"{spec.id} {session.run.name}",
    )
    images = [studio.folder / name for names in plan.files.values() for _, _, name in names]
    pages = [page for slot in plan.slots if spec.web for page in day_files(studio.folder, slot.day)]
    journal = journal_path(studio.folder, spec.id, session.run)
    with open_run(run_plan, journal, choice, session.log, session.watcher, maker) as run:
        try:
            with run.at_work(workers) as dispatcher:
                finished = run.make(plan.slots, dispatcher)
            issues = tuple(
                Issue(slot.day, slot.solution_day, slot.number, one.record)
                for slot, one in zip(plan.slots, finished, strict=True)
            )
            items = _draw(session, plan, issues)
            desk = _web_desk(session, issues)
            if desk:
                desk.write(issue.day for issue in issues)
            written = (*pages, *_write_manifest(session, items))
        finally:
            # A worker that was ended in the middle of an image, in this run or an earlier one,
            # leaves a part.
            sweep_parts([*images, *pages])
        run.finish({one.record.fingerprint: str(one.slot) for one in finished})
    return (*images, *written)


def _web_desk(session: _Session, issues: tuple[Issue, ...] = ()) -> WebDesk | None:
    """Who writes the pages for the browser; None where the feed wants none."""
    spec, studio = session.spec, session.studio
    return WebDesk(spec, studio.settings.look.theme, session.folder, issues) if spec.web else None


def _draw(session: _Session, plan: _Plan, issues: Sequence[Issue]) -> list[dict[str, Any]]:
    """Every day's images; the first day's earlier solution is the folder's last puzzle's."""
    last = session.folder.last_day
    earlier: Issue | None = session.folder.issue(last) if last and session.spec.image.combined else None
    orders = []
    for issue in issues:
        orders.append(DayOrder(issue, earlier, plan.files[issue.day]))
        earlier = issue
    session.watcher.stage("draw")
    session.watcher.drawing(len(orders))
    return draw_days(session.studio, orders, session.jobs, session.watcher)


def _write_manifest(session: _Session, items: Sequence[Mapping[str, Any]]) -> tuple[Path, Path]:
    """The run's manifest: all that is printed on its days, by earlier runs too."""
    session.watcher.stage("write")
    run, folder = session.run, session.folder
    whole = sorted([*folder.items_of(run), *items], key=_printed_order)
    path = folder.path / f"manifest-{run.name}.json"
    table = path.with_suffix(".csv")
    text = manifest_json(session.spec, run, whole)
    write_whole(table, manifest_csv(whole))
    write_whole(path, text)
    return path, table


def _printed_order(item: Mapping[str, Any]) -> tuple[str, str, int]:
    return item["date"], item["what"] != "puzzle", item["number"]


@dataclass(frozen=True)
class _Plan:
    """A run's work: the new days in order, the names of their files, and the days made earlier."""

    slots: tuple[DaySlot, ...]
    files: Mapping[datetime.date, Files]
    earlier: tuple[datetime.date, ...]


def _plan(studio: Studio, run: Run, folder: Folder, *, begun: bool) -> _Plan:
    """Settle what is to be done, before anything is made or written.

    Args:
        begun: whether this run was cut off here, so that some of its files may be there.
    """
    spec = studio.spec
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
    slots = tuple(day_slot(spec, day, number + at) for at, day in enumerate(new))
    files = {slot.day: file_names(studio, slot) for slot in slots}
    _check_names(spec.template.text, files, folder)
    _check_free(files, folder, run if slots else None, begun=begun)
    return _Plan(slots, files, tuple(day for day in days if day in folder.items))


def _check_names(template: str, files: Mapping[datetime.date, Files], folder: Folder) -> None:
    taken = {name.casefold(): f"{name}, written by an earlier run" for name in folder.sums}
    for day, what, name in _each(files):
        said = _IMAGES[what].format(day=day)
        other = taken.setdefault(name.casefold(), said)
        if other != said:
            raise SpecError(
                f"names: {template} gives {name} to {said} and to {other}. Put {{date:%Y%m%d}} or "
                "{number:04} into it."
            )


def _check_free(
    files: Mapping[datetime.date, Files], folder: Folder, run: Run | None, *, begun: bool
) -> None:
    """Nothing that is there is written over, except what a cut-off run of the same days left."""
    wanted = [name for _, _, name in _each(files)]
    if run is not None:
        wanted += [f"manifest-{run.name}.json", f"manifest-{run.name}.csv"]
    there = [] if begun else [name for name in wanted if (folder.path / name).exists()]
    if there:
        more = f" and {len(there) - 1} more" if len(there) > 1 else ""
        raise OutputError(
            f"{folder.path / there[0]}{more} exists already, and no manifest there tells of it. Nothing was "
            "written: choose another folder with -o, or move the files away."
        )


def _each(files: Mapping[datetime.date, Files]) -> Sequence[tuple[datetime.date, What, str]]:
    return [(day, what, name) for day, names in files.items() for what, _, name in names]


def _restore_days(
    studio: Studio, folder: Folder, run: Run, jobs: int
) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Draw the missing files of earlier days again, from the puzzles in the manifests.

    Returns:
        The files written, and a note for each that is not what it was.
    """
    missing = _missing(folder, run)
    orders = [_order(folder, day, files) for day, files in missing.items()]
    written, notes = [], []
    for item in draw_days(studio, orders, jobs):
        for rendition in item["renditions"]:
            file = rendition["file"]
            written.append(folder.path / file)
            if rendition["sha256"] != folder.sums[file]:
                notes.append(
                    f"{file} was drawn again and is not the same bytes as before: the feed's keys or the "
                    "installed versions have changed since"
                )
    return tuple(written), tuple(notes)


def _order(folder: Folder, day: datetime.date, files: Files) -> DayOrder:
    before = max((one for one in folder.items if one < day), default=None)
    return DayOrder(folder.issue(day), folder.issue(before) if before else None, files)


def _missing(folder: Folder, run: Run) -> Mapping[datetime.date, Files]:
    """The missing files by the day of their puzzle."""
    missing: dict[datetime.date, Files] = {}
    for item in folder.items_of(run):
        day = datetime.date.fromisoformat(item["puzzle"]["date"])
        for rendition in item["renditions"]:
            file = rendition["file"]
            sound = folder.is_sound(file)
            if sound is False:
                raise OutputError(
                    f"{folder.path / file} is not the file that the manifest tells of; it was changed. "
                    "Nothing was written. Move it away to have it drawn again."
                )
            if sound is None:
                found = (What(item["what"]), _KINDS[rendition["mimetype"]], file)
                missing[day] = (*missing.get(day, ()), found)
    return missing
