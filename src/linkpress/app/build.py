"""A spec goes in here, and a folder with a printed volume comes out."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType

from linkpress.app.editions import (
    book_folder,
    built_beside,
    edition_folder,
    edition_name,
    edition_notes,
    mark_of,
    refuse_others_isbns,
    shop_lines,
    words_notes,
)
from linkpress.book.spec import (
    BookSpec,
    edition_documents,
    read_spec,
    read_spec_source,
    with_printing_changes,
)
from linkpress.book.volume import (
    COVER_FILE,
    EBOOK_FILE,
    INTERIOR_FILE,
    PLAY_FILE,
    SCREEN_FILE,
    SOLUTIONS_FILE,
    VOLUME_FILE,
    Volume,
    load_volume,
    volume_of,
)
from linkpress.documents.problem import listed
from linkpress.errors import CheckFailedError, OutputError
from linkpress.files import FileTransaction, lock_folder, remove_temporary_files, retry_while_open, write_file
from linkpress.layout.setting import reduced_lines
from linkpress.press.rehearsal import Rehearsal, rehearse
from linkpress.press.typesetting import Typeset, typeset
from linkpress.production.book_puzzles import (
    JOURNAL_FILE,
    BuildSummary,
    make_book,
    other_grades,
    plan_book,
    report_lines,
    report_text,
    warnings_of,
)
from linkpress.production.dispatch import Workers
from linkpress.production.executors import local_workers
from linkpress.production.journal import RunLog, Watcher
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice, check_isbns, enter_isbns
from linkpress.production.production_run import ProductionRun
from linkpress.version import __version__

REPORT_FILE = "report.txt"
_REJECTED = "rejected-"
_PREFLIGHT_FILE = "preflight.txt"
_EARLIER = (
    " The interior.pdf and volume.json beside it are the last book that passed, unchanged: not what the spec "
    "says now."
)
_BOOK_FILES = (INTERIOR_FILE, SOLUTIONS_FILE, SCREEN_FILE, COVER_FILE, EBOOK_FILE)


@dataclass(frozen=True)
class BuiltBook:
    """A built book is what a finished build has made: its files and its volume.

    Args:
        page_count: of the interior.
        files: what was written, in the order of writing.
        warnings: what the user must hear; they are in the report too.
        notes: what became of an earlier book's files, and where this one went instead.
        places: each puzzle's printed number by its fingerprint; those too that others replace.
        editions: the other editions that were built with it.
    """

    folder: Path
    volume: Volume
    page_count: int
    files: tuple[Path, ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    places: Mapping[str, str] = field(default_factory=dict)
    editions: tuple[BuiltBook, ...] = ()


@dataclass
class _Clock:
    watcher: Watcher
    stages_s: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.watcher.stage(name)
        with self.time(name):
            yield

    @contextlib.contextmanager
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
    rehearsal: Rehearsal | None = None,
    workers: Workers | None = None,
) -> BuiltBook:
    """Build the book that a spec describes.

    Args:
        out: the folder in which the book's own folder is made, named by its id; by its printer and
            trim too where a book for another printer has that name.
        jobs: puzzles made at a time; as many as there are cores if None. The result is the same.
        watcher: learns how far things are.
        ledger: which ledger is asked for puzzles that are taken, and told of these.
        log: notes each puzzle; it is not closed here.
        rehearsal: of the file; it is read and judged here if None.
        workers: who makes the puzzles; processes of this machine, as many as jobs, if None.
    Returns:
        What was written: ``interior.pdf``, ``volume.json``, ``report.txt`` and whatever else the
        spec asks for.
    Raises:
        SpecError: the spec has faults, or a file that it names, or the book does not fit its page or
            printer; lists all of them, and nothing was made. Or another volume of the ledger has its ISBN.
        RecipeError: a level can't be made; names it and the closest that was reached.
        CheckFailedError: the finished file fails its own preflight; it is kept as
            ``rejected-interior.pdf``, with what was found in ``preflight.txt``.
        OutputError: a file or the ledger can't be written, or another process builds the same.
        KeyboardInterrupt: as it came, saying how to go on.
    """
    spec_folder = Path(spec_path).parent
    rehearsal = rehearsal or rehearse(read_spec(Path(spec_path)), spec_folder)
    spec = rehearsal.spec
    clock = _Clock(watcher or Watcher())
    workers = workers or local_workers(jobs)
    folder = book_folder(Path(out), spec, spec_folder)
    check_isbns([spec, *rehearsal.edition_specs.values()], ledger, clock.watcher.notify)
    with (
        lock_folder(folder),
        ProductionRun.open(plan_book(spec), folder / JOURNAL_FILE, ledger, log, clock.watcher) as run,
    ):
        with clock.time("make"):
            puzzles = make_book(spec, run, workers)
        volume = volume_of(spec, puzzles.records, __version__)
        warnings = warnings_of(spec, run, puzzles)
        work = BuildSummary(puzzles.printed, workers.jobs, 0, clock.stages_s, report_lines(run, warnings))
        built = _print(volume, spec_folder, folder, clock, work, workers)
        built = _print_editions(built, spec, rehearsal.edition_specs, spec_folder, clock, workers)
        built = replace(built, warnings=(*warnings, *other_grades(volume)), places=puzzles.places)
        if folder.name != spec.book_id:
            apart = f"{folder.with_name(spec.book_id)} holds this book for another printer, and stays"
            built = replace(built, notes=(apart, *built.notes))
        remove_temporary_files([file for edition in built.editions for file in edition.files])
        run.finish(puzzles.places)
    return _entered(built, spec, ledger)


def typeset_again(
    folder: Path | str,
    out: Path | str | None = None,
    changes: Mapping[str, object] = MappingProxyType({}),
    watcher: Watcher | None = None,
    *,
    changes_file: Path | None = None,
    spec_folder: Path | None = None,
    ledger: LedgerChoice = USUAL_LEDGER,
) -> BuiltBook:
    """Lay a saved volume out again, without making a puzzle; with ``editions`` in the changes, these too.

    Args:
        folder: of an earlier build.
        out: the folder to write to; beside the book, under its printer's and trim's name, if None.
        changes: keys of the spec that say how it is printed, with their new values, as
            ``book.spec.with_printing_changes`` takes them.
        watcher: learns how far things are.
        changes_file: a YAML file of such keys; those of ``changes`` go before.
        spec_folder: that relative paths of the spec start from; that of ``changes_file`` if None, or
            ``folder`` where there is none.
        ledger: which ledger is asked for other volumes with its ISBN.
    Raises:
        UsageError: a change that the spec does not allow; lists all of them. Or an ISBN is that of another
            edition or volume.
        SpecError: the same of the file of changes, or a theme or profile with faults.
        PuzzleError: ``volume.json`` is missing or wrong.
        LayoutError: the book does not fit its page or printer.
        CheckFailedError, OutputError: as ``build``.
    """
    source = Path(folder)
    saved = load_volume(source / VOLUME_FILE)
    file = None if changes_file is None else read_spec_source(changes_file)
    spec = with_printing_changes(saved.spec, changes, file)
    given = {**(file.value if file else {}), **changes}
    if spec_folder is None:
        spec_folder = source if changes_file is None else changes_file.parent
    asked = edition_documents(spec, spec_folder) if "editions" in given else {}
    editions = {name: document.checked() for name, document in asked.items()}
    volume = replace(saved, spec=spec.model_copy(update={"editions": None}))
    if out is None:
        beside_it = source.parent if source.name not in ("", "..") else source.resolve().parent
        out = beside_it / edition_name(saved.spec.book_id, volume.spec, spec_folder)
    others = [other for other in built_beside(source, Path(out)) if other.resolve() != Path(out).resolve()]
    for each in (volume.spec, *editions.values()):
        refuse_others_isbns(each, mark_of(each, spec_folder, saved.spec.book_id), spec_folder, others)
    check_isbns([volume.spec.model_copy(update={"id": saved.spec.book_id}), *editions.values()], ledger)
    clock = _Clock(watcher or Watcher())
    work, alone = BuildSummary((), 1, 0, clock.stages_s), local_workers(1)
    with lock_folder(Path(out)):
        built = _print(volume, spec_folder, Path(out), clock, work, alone)
        built = _print_editions(built, spec, editions, spec_folder, clock, alone)
    return _entered(replace(built, warnings=words_notes(saved.spec, volume.spec, given)), saved.spec, ledger)


def _entered(built: BuiltBook, spec: BookSpec, ledger: LedgerChoice) -> BuiltBook:
    """Tell the ledger the ISBNs of all that was printed, but the book's own; a fault is a warning."""
    isbns = {
        f"{book.folder.resolve().name}/{key}": isbn
        for book in (built, *built.editions)
        for key, isbn in book.volume.spec.isbns.items()
        if isbn != spec.isbn
    }
    try:
        enter_isbns(spec, isbns, ledger)
    except OutputError as fault:
        return replace(built, warnings=(*built.warnings, f"the ledger does not know its ISBNs: {fault}"))
    return built


def _print_editions(
    main: BuiltBook,
    asked: BookSpec,
    editions: Mapping[str, BookSpec],
    spec_folder: Path,
    clock: _Clock,
    workers: Workers,
) -> BuiltBook:
    """Print a printed book's other editions, which a spec asks for, each into a folder beside its own."""
    done = []
    for name, spec in editions.items():
        other, place = replace(main.volume, spec=spec), edition_folder(main.folder, name)
        built = _print(other, spec_folder, place, clock, BuildSummary((), 1, 0, {}), workers)
        done.append(replace(built, warnings=edition_notes(asked, name, spec)))
    return replace(main, editions=tuple(done))


def _print(
    volume: Volume, spec_folder: Path, folder: Path, clock: _Clock, work: BuildSummary, workers: Workers
) -> BuiltBook:
    with clock.stage("lay out"):
        result = typeset(volume, spec_folder)
    _refuse_rejected(folder, result)
    contents: dict[str, bytes | str] = {**result.files, VOLUME_FILE: result.record}
    if volume.spec.play is not None:
        from linkpress.app.play import volume_page  # few books have such a page: 35 ms

        with clock.time("play"):
            contents[PLAY_FILE] = volume_page(volume, spec_folder, workers)
    pages = result.book.page_count
    passed = [
        f"preflight      {name} passed {len(report.checks)} checks for {report.printer}, {report.paper} paper"
        for name, report in result.reports.items()
    ]
    notes = _earlier_notes(folder, contents)
    with FileTransaction() as transaction:
        with clock.stage("write"):
            for name, content in contents.items():
                transaction.write(folder / name, content)
        shop = *reduced_lines(result.pictures), *shop_lines(volume.spec, result.profile, pages)
        done = replace(work, pages=pages, notes=[*passed, *shop, *work.notes])
        transaction.write(folder / REPORT_FILE, report_text(volume, done))
        transaction.commit()
    _remove([*(folder / (_REJECTED + name) for name in _BOOK_FILES), folder / _PREFLIGHT_FILE])
    files = tuple(folder / name for name in (*contents, REPORT_FILE))
    return BuiltBook(folder, volume, pages, files, notes=notes)


def _earlier_notes(folder: Path, contents: Mapping[str, bytes | str]) -> tuple[str, ...]:
    """Say which of an earlier book's files are replaced, and which are left."""
    replaced = [name for name, content in contents.items() if _differs(folder / name, content)]
    names = (*_BOOK_FILES, PLAY_FILE)
    left = [name for name in names if name not in contents and (folder / name).is_file()]
    notes = []
    if replaced:
        notes.append(f"replaced {listed(replaced)} of the book that was in {folder}")
    if left:
        notes.append(
            f"{listed(left)} in {folder} {'is' if len(left) == 1 else 'are'} of an earlier book and "
            "left as before: the spec asks for none now"
        )
    return tuple(notes)


def _differs(path: Path, content: bytes | str) -> bool:
    data = content.encode() if isinstance(content, str) else content
    try:
        return path.is_file() and path.read_bytes() != data
    except OSError:
        return True  # it may be replaced and not read


def _refuse_rejected(folder: Path, result: Typeset) -> None:
    """Deliver nothing as good that the printer's profile refuses.

    The last book that passed stays whole, its PDFs with its ``volume.json`` and report.

    Raises:
        CheckFailedError: a file is refused; it lies in the folder under another name.
        OutputError: a file can't be written or removed.
    """
    failed = {name: report for name, report in result.reports.items() if not report.passed}
    if not failed:
        return
    for name in failed:
        write_file(folder / (_REJECTED + name), result.files[name])
    _remove(folder / (_REJECTED + name) for name in _BOOK_FILES if name not in failed)
    text = "\n\n".join(report.text() for report in failed.values())
    kept = " and ".join(_REJECTED + name for name in failed)
    earlier = _EARLIER if (folder / INTERIOR_FILE).exists() else ""
    write_file(folder / _PREFLIGHT_FILE, f"About {kept}.{earlier}\n\n{text}\n")
    raise CheckFailedError(
        f"{' and '.join(failed)} would be refused by the printer, so no finished book was written.{earlier} "
        f"{folder / _PREFLIGHT_FILE} says what was found; look at {kept} there, then change theme, text or "
        f"printer.\n{text}",
        [replace(finding, file=name) for name, report in failed.items() for finding in report.findings],
    )


def _remove(stale: Iterable[Path]) -> None:
    for path in stale:
        try:
            retry_while_open(partial(path.unlink, missing_ok=True))
        except OSError as fault:
            raise OutputError(
                f"{path} is of an earlier build and can't be removed: {fault.strerror or fault}. "
                "Remove it by hand: it no longer belongs to this book."
            ) from fault
