"""The whole way: a spec in, a folder with a printed volume out."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

import pikepdf

from linkpress import __version__
from linkpress.book.spec import BookSpec, load_spec
from linkpress.book.volume import VOLUME_FILE, Volume, load_volume, volume_of
from linkpress.errors import FoundWantingError, OutputError
from linkpress.files import Batch, sweep_parts, write_whole
from linkpress.play.volume_page import PLAY_FILE, volume_page
from linkpress.press.typesetting import Typeset, check_looks, typeset
from linkpress.production.book_puzzles import JOURNAL_FILE, make_book, plan_book, report_lines, warnings_of
from linkpress.production.dispatch import Workers
from linkpress.production.executors import available_jobs, worker_processes
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice
from linkpress.production.log import RunLog
from linkpress.production.report import BuildSummary, other_grades, report_text
from linkpress.production.run import open_run
from linkpress.production.watcher import Watcher

REPORT_FILE = "report.txt"
_REJECTED = "rejected-"
_PREFLIGHT_FILE = "preflight.txt"
_EARLIER = (
    " The interior.pdf and volume.json beside it are the last book that passed, unchanged: not what the spec "
    "says now."
)
_BOOK_FILES = ("interior.pdf", "solutions.pdf", "screen.pdf", "cover.pdf")


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
    spec: BookSpec | None = None,
) -> Built:
    """Build the book that a spec describes.

    Args:
        spec_path: the YAML file.
        out: the folder in which the book's own folder, named by its id, is made.
        jobs: puzzles made at a time; as many as there are cores if None. The result is the same.
        watcher: told how far things are.
        ledger: which ledger is asked for puzzles that are taken, and told of these.
        log: told of each puzzle; not closed here.
        spec: what ``load_spec`` read from the file; it is read here if None.
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
    spec_path = Path(spec_path)
    spec, spec_folder = spec or load_spec(spec_path), spec_path.parent
    check_looks(spec, spec_folder)
    clock = _Clock(watcher or Watcher())
    workers = Workers(jobs or available_jobs(), worker_processes)
    folder = Path(out) / spec.book_id
    with open_run(plan_book(spec), folder / JOURNAL_FILE, ledger, log, clock.watcher) as run:
        with clock.time("make"):
            puzzles = make_book(spec, run, workers)
        volume = volume_of(spec, puzzles.records, __version__)
        warnings = warnings_of(spec, run, puzzles)
        work = BuildSummary(puzzles.printed, workers.jobs, 0, clock.stages_s, report_lines(run, warnings))
        built = _print(volume, spec_folder, folder, clock, work)
        built = replace(built, warnings=(*warnings, *other_grades(volume)))
        sweep_parts(built.files)
        run.finish(puzzles.places)
    return built


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
    clock = _Clock(watcher or Watcher())
    return _print(volume, source, Path(out or source), clock, BuildSummary((), 1, 0, clock.stages_s))


def _print(volume: Volume, spec_folder: Path, folder: Path, clock: _Clock, work: BuildSummary) -> Built:
    with clock.stage("lay out"):
        result = typeset(volume, spec_folder)
    _refuse_rejected(folder, result)
    contents: dict[str, bytes | str] = {**result.files, VOLUME_FILE: result.record}
    if volume.spec.play is not None:
        with clock.time("play"):
            contents[PLAY_FILE] = volume_page(volume, spec_folder, Workers(work.jobs, worker_processes))
    pages = result.book.page_count
    passed = [
        f"preflight      {name} passed {len(report.checks)} checks for {report.printer}, {report.paper} paper"
        for name, report in result.reports.items()
    ]
    with Batch() as batch:
        with clock.stage("write"):
            for name, content in contents.items():
                batch.write(folder / name, content)
        done = replace(work, pages=pages, notes=[*passed, *work.notes])
        batch.write(folder / REPORT_FILE, report_text(volume, done))
        batch.place()
    sweep(folder, contents)
    return Built(folder, volume, pages, tuple(folder / name for name in (*contents, REPORT_FILE)))


def sweep(folder: Path, written: Collection[str]) -> None:
    """Remove the files of an earlier build that this one did not write again.

    A cover whose spine fits the last version would otherwise lie beside the new interior. A PDF of
    the same name that linkpress did not make stays.

    Args:
        folder: of the book.
        written: names of the files that belong to it now.
    Raises:
        OutputError: a file can't be removed.
    """
    _remove(folder / name for name in _BOOK_FILES if name not in written and _is_ours(folder / name))
    _remove([*(folder / (_REJECTED + name) for name in _BOOK_FILES), folder / _PREFLIGHT_FILE])


def _refuse_rejected(folder: Path, result: Typeset) -> None:
    """Deliver nothing as good that the printer's profile refuses.

    The last book that passed stays whole, its PDFs with its ``volume.json`` and report.

    Raises:
        FoundWantingError: a file is refused; it lies in the folder under another name.
        OutputError: a file can't be written or removed.
    """
    failed = {name: report for name, report in result.reports.items() if not report.passed}
    if not failed:
        return
    for name in failed:
        write_whole(folder / (_REJECTED + name), result.files[name])
    _remove(folder / (_REJECTED + name) for name in _BOOK_FILES if name not in failed)
    text = "\n\n".join(report.text() for report in failed.values())
    kept = " and ".join(_REJECTED + name for name in failed)
    earlier = _EARLIER if (folder / "interior.pdf").exists() else ""
    write_whole(folder / _PREFLIGHT_FILE, f"About {kept}.{earlier}\n\n{text}\n")
    raise FoundWantingError(
        f"{' and '.join(failed)} would be refused by the printer, so no finished book was written.{earlier} "
        f"{folder / _PREFLIGHT_FILE} says what was found; look at {kept} there, then change theme, text or "
        f"printer.\n{text}"
    )


def _remove(stale: Iterable[Path]) -> None:
    for path in stale:
        try:
            path.unlink(missing_ok=True)
        except OSError as fault:
            raise OutputError(
                f"{path} is of an earlier build and can't be removed: {fault.strerror or fault}. "
                "Remove it by hand: it no longer belongs to this book."
            ) from fault


def _is_ours(path: Path) -> bool:
    try:
        with pikepdf.open(path) as pdf:
            return str(pdf.docinfo.get("/Producer", "")).startswith("linkpress ")
    except (OSError, pikepdf.PdfError):
        return False
