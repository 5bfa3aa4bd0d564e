"""The whole way: a spec in, a folder with a printed volume out."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from linkpress import __version__
from linkpress.book.spec import load_spec
from linkpress.book.volume import Volume, volume_json, volume_of
from linkpress.book.volume_reading import load_volume
from linkpress.errors import FoundWantingError
from linkpress.files import Batch, sweep_parts, write_whole
from linkpress.press.stale_files import PREFLIGHT_FILE, REJECTED, sweep, sweep_rejected
from linkpress.press.typesetting import Typeset, check_cover, typeset
from linkpress.production.book_puzzles import JOURNAL_FILE, make_book, plan_book, report_lines, warnings_of
from linkpress.production.dispatch import Workers
from linkpress.production.executors import available_jobs, worker_processes
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice
from linkpress.production.log import RunLog
from linkpress.production.report import BuildSummary, report_text
from linkpress.production.run import ProductionRun, open_run
from linkpress.production.watcher import Watcher

VOLUME_FILE = "volume.json"
REPORT_FILE = "report.txt"
_EARLIER = (
    " The interior.pdf and volume.json beside it are the last book that passed, unchanged: not what the spec "
    "says now."
)


@dataclass(frozen=True)
class Built:
    """A finished build.

    Args:
        folder: where everything lies.
        volume: the puzzles.
        page_count: of the interior.
        files: what was written, in the order of writing.
        warnings: what the user must hear; they are in the report too.
    """

    folder: Path
    volume: Volume
    page_count: int
    files: tuple[Path, ...]
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Work:
    """What was done to make a volume's puzzles; nothing for one that was saved."""

    produced: Sequence[FinishedSlot] = ()
    jobs: int = 1
    notes: Sequence[str] = ()


@dataclass
class _Clock:
    """Seconds by stage."""

    watcher: Watcher
    stages_s: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.watcher.stage(name)
        with self.time(name):
            yield

    @contextmanager
    def time(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.stages_s[name] = time.perf_counter() - start


def build(
    spec_path: Path | str,
    out: Path | str = "output",
    jobs: int | None = None,
    watcher: Watcher | None = None,
    *,
    ledger: LedgerChoice = USUAL_LEDGER,
    log: RunLog | None = None,
) -> Built:
    """BuildSummary the book that a spec describes.

    Args:
        spec_path: the YAML file.
        out: the folder in which the book's own folder, named by its id, is made.
        jobs: puzzles made at a time; as many as there are cores if None. The result is the same.
        watcher: told how far things are.
        ledger: which ledger is asked for puzzles that are taken, and told of these.
        log: told of each puzzle; not closed here.
    Returns:
        What was written: ``interior.pdf``, ``volume.json``, ``report.txt`` and whatever else the
        spec asks for.
    Raises:
        SpecError: the spec has faults; lists all of them.
        RecipeError: a level can't be made; names it and the closest that was reached.
        LayoutError: the book does not fit its page or printer.
        FoundWantingError: the finished file fails its own preflight; it is kept as
            ``rejected-interior.pdf``, with what was found in ``preflight.txt``.
        OutputError: a file or the ledger can't be written, or another process builds the same.
        KeyboardInterrupt: as it came, saying how to go on.
    """
    path = Path(spec_path)
    spec = load_spec(path)
    check_cover(spec, path.parent)
    clock = _Clock(watcher or Watcher())
    workers = Workers(jobs or available_jobs(), worker_processes)
    folder = Path(out) / spec.book_id
    with open_run(plan_book(spec), folder / JOURNAL_FILE, ledger, log, clock.watcher) as run:
        with clock.time("make"):
            puzzles = make_book(spec, run, workers)
        volume = volume_of(spec, puzzles.records, __version__)
        warnings = warnings_of(spec, run, puzzles)
        work = _Work(puzzles.printed, workers.jobs, report_lines(run, warnings))
        built = replace(_print(volume, path.parent, folder, clock, work), warnings=tuple(warnings))
        sweep_parts(built.files)
        run.finish(puzzles.places)
    return built


def draft_volume(spec_path: Path, watcher: Watcher | None = None) -> Volume:
    """The puzzles of a spec, recorded nowhere; the same that a build without a ledger makes.

    Args:
        spec_path: the YAML file.
        watcher: told how far things are.
    Raises:
        SpecError, RecipeError: as ``build``.
    """
    spec = load_spec(spec_path)
    puzzles = make_book(spec, ProductionRun(plan_book(spec), watcher=watcher))
    return volume_of(spec, puzzles.records, __version__)


def typeset_again(
    folder: Path | str,
    out: Path | str | None = None,
    changes: Mapping[str, object] = MappingProxyType({}),
    watcher: Watcher | None = None,
) -> Built:
    """Lay a saved volume out again, without making a puzzle.

    Args:
        folder: of an earlier build; relative paths of its spec are looked for there.
        out: the folder to write to; the same one if None.
        changes: keys of the spec that say how it is printed, with their new values; a mapping
            such as ``page`` changes those of its keys that it names.
        watcher: told how far things are.
    Raises:
        UsageError: a change that the spec does not allow; lists all of them.
        PuzzleError: ``volume.json`` is missing or wrong.
        LayoutError, OutputError: as ``build``.
    """
    source = Path(folder)
    saved = load_volume(source / VOLUME_FILE)
    volume = replace(saved, spec=saved.spec.printed_otherwise(changes))
    return _print(volume, source, Path(out or source), _Clock(watcher or Watcher()), _Work())


def _print(
    volume: Volume,
    spec_folder: Path,
    folder: Path,
    clock: _Clock,
    work: _Work,
) -> Built:
    with clock.stage("lay out"):
        result = typeset(volume, spec_folder)
    _refuse_rejected(result, folder)
    contents: dict[str, bytes | str] = {**result.files, VOLUME_FILE: volume_json(volume)}
    with Batch() as batch:
        with clock.stage("write"):
            for name, content in contents.items():
                batch.write(folder / name, content)
        pages = result.book.page_count
        passed = [f"preflight      {line}" for line in _preflight_lines(result)]
        done = BuildSummary(work.produced, work.jobs, pages, clock.stages_s, [*passed, *work.notes])
        batch.write(folder / REPORT_FILE, report_text(volume, done))
        batch.place()
    sweep(folder, contents)
    return Built(folder, volume, pages, tuple(folder / name for name in (*contents, REPORT_FILE)))


def _refuse_rejected(result: Typeset, folder: Path) -> None:
    """Deliver nothing as good that the printer's profile refuses."""
    failed = {name: report for name, report in result.reports.items() if not report.passed}
    if not failed:
        return
    for name in failed:
        write_whole(folder / (REJECTED + name), result.files[name])
    sweep_rejected(folder, failed)
    text = "\n\n".join(report.text() for report in failed.values())
    kept = " and ".join(REJECTED + name for name in failed)
    earlier = _EARLIER if (folder / "interior.pdf").exists() else ""
    write_whole(folder / PREFLIGHT_FILE, f"About {kept}.{earlier}\n\n{text}\n")
    raise FoundWantingError(
        f"{' and '.join(failed)} would be refused by the printer, so no finished book was written.{earlier} "
        f"{folder / PREFLIGHT_FILE} says what was found; look at {kept} there, then change theme, text or "
        f"printer.\n{text}"
    )


def _preflight_lines(result: Typeset) -> Iterator[str]:
    for name, report in result.reports.items():
        yield f"{name} passed {len(report.checks)} checks for {report.printer}, {report.paper} paper"
