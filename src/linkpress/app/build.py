"""Build a book from its spec, or print a built book again from its ``volume.json``.

``build`` reads and checks the spec, chooses the folder, makes the puzzles, prints each edition, and records
the puzzles as published. ``_Edition`` prints one edition in four steps: lay out its pages, draw its files,
check them against the printer's requirements (preflight), and write them.

The theme, the fonts, the printer's profile and the pictures of an edition are in its ``BookAssets`` object.
This object is loaded once, when the spec is checked or when ``typeset_again`` begins. All later steps use it.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

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
from linkpress.book.printing_keys import PlaySpec
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
    MAX_BYTES,
    PAGES_FILE,
    PLAY_FILE,
    SCREEN_FILE,
    SOLUTIONS_FILE,
    VOLUME_FILE,
    Volume,
    load_volume,
    volume_of,
)
from linkpress.documents.problem import listed
from linkpress.errors import CheckFailedError, GaveUpError, LinkpressError, OutputError
from linkpress.files import (
    FileTransaction,
    check_writable,
    is_foreign,
    lock_folder,
    remove_temporary_files,
    retry_while_open,
    write_file,
)
from linkpress.layout.setting import reduced_lines
from linkpress.layout.theme import Theme, theme_of, words_for
from linkpress.press.assets import BookAssets, load_assets
from linkpress.press.book_layout import lay_out
from linkpress.press.dry_run import CheckedBook, dry_run
from linkpress.press.print_files import draw, judge
from linkpress.production.book_puzzles import (
    JOURNAL_FILE,
    BuildSummary,
    make_book,
    other_difficulties,
    plan_book,
    report_lines,
    report_tables,
    report_text,
    warnings_of,
)
from linkpress.production.dispatch import WorkerLost, Workers, call_each
from linkpress.production.executors import local_workers
from linkpress.production.journal import RunLog, Watcher
from linkpress.production.ledger_session import USUAL_LEDGER, LedgerChoice, check_isbns, enter_isbns
from linkpress.production.production_run import ProductionRun
from linkpress.verify.page_objects import pages_json
from linkpress.version import __version__
from linkpress.words import missing_phrases_note

if TYPE_CHECKING:
    from linkpress.play.page import StepCode

REPORT_FILE = "report.txt"
IMAGES_FOLDER = "images"
_REJECTED = "rejected-"
_PREFLIGHT_FILE = "preflight.txt"
_EARLIER = (
    " The interior.pdf and volume.json beside it are the last book that passed, unchanged: not what the spec "
    "says now."
)
_BOOK_FILES = (INTERIOR_FILE, SOLUTIONS_FILE, SCREEN_FILE, COVER_FILE, EBOOK_FILE)


@dataclass(frozen=True)
class BuiltBook:
    """Result of a build: the files of a book, its puzzles and its spec.

    Args:
        folder: the folder with the files.
        volume: the puzzles and the spec.
        page_count: the number of pages of the interior.
        files: the written files, in the order of writing.
        warnings: warnings for the user, which are also in ``report.txt``.
        notes: messages about an earlier book in the folder, or about the choice of another folder.
        checks: the number of preflight checks that the files passed.
        places: maps the fingerprint of each puzzle to its printed number, such as "3". For a puzzle that was
            made but then replaced by another puzzle, the text is "3, replaced".
        editions: the other editions of the book that were built with it.
    """

    folder: Path
    volume: Volume
    page_count: int
    files: tuple[Path, ...]
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    checks: int = 0
    places: Mapping[str, str] = field(default_factory=dict)
    editions: tuple[BuiltBook, ...] = ()


def build(
    book: CheckedBook | Path | str,
    out: Path | str = "output",
    jobs: int | None = None,
    watcher: Watcher | None = None,
    *,
    ledger: LedgerChoice = USUAL_LEDGER,
    log: RunLog | None = None,
    workers: Workers | None = None,
) -> BuiltBook:
    """Build the book that a spec describes.

    Args:
        book: the spec's file, or the result of its dry run.
        out: the parent of the book's folder. The book's folder is named after the book's id. If a folder
            with this name already holds the book for another printer, the names of the printer and the trim
            are added.
        jobs: the number of processes that make puzzles, and draw and check pages; None for the number of
            cores. The number doesn't change the content of the files.
        watcher: object whose methods are called to report progress.
        ledger: the ledger in which to look up used puzzles, and to record the puzzles of this book.
        log: a log that gets an entry for each puzzle. This function doesn't close it.
        workers: the processes that make the puzzles; None for processes on this machine.
    Returns:
        The built book. Its folder has ``interior.pdf``, ``volume.json``, ``report.txt``, and the files that
        the spec asks for.
    Raises:
        SpecError: the book can't be printed as the spec says, or the ledger has the book's ISBN for another
            volume. The message lists every problem. Nothing was made.
        RecipeError: the puzzles of a level can't be made. The message names the level, and describes the
            board that came closest to its settings.
        CheckFailedError: a finished file fails its preflight, which compares it with the printer's
            requirements. The file is kept under a name that begins with ``rejected-``. The findings are in
            ``preflight.txt``.
        OutputError: a file or the ledger can't be written, or another process builds the same book.
        KeyboardInterrupt: the user stopped the build. The message says how to continue.
    """
    checked = book if isinstance(book, CheckedBook) else dry_run(read_spec(Path(book))).checked()
    spec, folder = checked.spec, book_folder(Path(out), checked.spec)
    workers, clock = workers or local_workers(jobs), _Clock(watcher or Watcher())
    check_isbns([each.spec for each in (checked, *checked.editions.values())], ledger, clock.watcher.notify)
    with (
        lock_folder(folder),
        # The journal has the puzzles that are already made. An interrupted build continues from it.
        ProductionRun.open(plan_book(spec), folder / JOURNAL_FILE, ledger, log, clock.watcher) as run,
    ):
        with clock.time("make"):
            made = make_book(spec, run, workers)
        volume, warnings = volume_of(spec, made.records, __version__), warnings_of(spec, run, made)
        notes = [*report_lines(run, warnings), *(f"{'note':<15}{note}" for note in checked.cover_notes)]
        summary = BuildSummary(made.printed, workers.jobs, 0, clock.stages_s, notes)
        edition = _Edition(volume, checked.assets, folder, clock, workers, summary)
        others = {name: other.assets for name, other in checked.editions.items()}
        built = edition.print_with(others, spec)
        if folder.name != spec.book_id:
            other = f"{folder.with_name(spec.book_id)} holds this book for another printer, and stays"
            built = replace(built, notes=(other, *built.notes))
        all_warnings = (*warnings, *other_difficulties(volume), *checked.cover_notes)
        built = replace(built, warnings=all_warnings, places=made.places)
        remove_temporary_files([file for each in built.editions for file in each.files])
        run.finish(made.places)
        return _with_isbns_recorded(built, spec, ledger)


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
    """Print a built book again from its ``volume.json``, without making puzzles.

    Other editions are printed too if the changes have the key ``editions``.

    Args:
        folder: the folder of the built book.
        out: the folder to write to. None for a folder beside the book's folder, whose name contains the
            printer and the trim.
        changes: new values of the spec's keys, in the format of ``book.spec.with_printing_changes``.
        watcher: object whose methods are called to report progress.
        changes_file: a YAML file with further changes. If it has a key of ``changes`` too, the value in
            ``changes`` is used.
        spec_folder: the folder from which relative paths are resolved. None for the folder of
            ``changes_file``, or without such a file, for the built book's folder.
        ledger: the ledger in which to look up whether another volume has the same ISBN.
    Raises:
        UsageError: a change isn't allowed, or an ISBN belongs to another edition or book.
        SpecError: the file of changes, a theme or a profile has mistakes. The message lists all of them.
        PuzzleError: ``volume.json`` is missing or wrong.
        LayoutError: the book doesn't fit its page or printer.
        CheckFailedError: a finished file fails its preflight, as in ``build``.
        OutputError: a file can't be written.
    """
    source = Path(folder)
    saved = load_volume(source / VOLUME_FILE, spec_folder=spec_folder)
    file = None if changes_file is None else read_spec_source(changes_file)
    if file and spec_folder:
        file = replace(file, folder=spec_folder)
    spec = with_printing_changes(saved.spec, changes, file)
    changed_keys = {**(file.value if file else {}), **changes}
    documents = edition_documents(spec) if "editions" in changed_keys else {}
    specs = {name: document.checked() for name, document in documents.items()}
    volume = replace(saved, spec=spec.model_copy(update={"editions": None}))
    if out is None:
        parent = source.parent if source.name not in ("", "..") else source.resolve().parent
        out = parent / edition_name(saved.spec.book_id, volume.spec)
    out = Path(out)
    others = [other for other in built_beside(source, out) if other.resolve() != out.resolve()]
    for each in (volume.spec, *specs.values()):
        refuse_others_isbns(each, mark_of(each, saved.spec.book_id), others)
    check_isbns([volume.spec.model_copy(update={"id": saved.spec.book_id}), *specs.values()], ledger)
    assets = load_assets(volume.spec)
    editions = {}
    for name, edition in specs.items():
        with _naming_edition(name):
            editions[name] = load_assets(edition)
    clock = _Clock(watcher or Watcher())
    summary = BuildSummary((), 1, 0, clock.stages_s)
    main = _Edition(volume, assets, out, clock, local_workers(1), summary)
    with lock_folder(out):
        built = main.print_with(editions, spec)
    warnings = words_notes(saved.spec, volume.spec, changed_keys)
    return _with_isbns_recorded(replace(built, warnings=warnings), saved.spec, ledger)


@contextlib.contextmanager
def _naming_edition(name: str) -> Iterator[None]:
    """If the body of the ``with`` statement raises an error, put the edition's name before its message."""
    try:
        yield
    except LinkpressError as error:
        error.args = (f"edition {name}: {error}",)
        raise


def _with_isbns_recorded(built: BuiltBook, spec: BookSpec, ledger: LedgerChoice) -> BuiltBook:
    """Record the ISBNs of a book's editions in the ledger, and return the book.

    If the ISBNs can't be recorded, the returned book has a warning. The book's main ISBN is left out, because
    the production run that made the puzzles has already recorded it.
    """
    isbns = {
        f"{book.folder.resolve().name}/{key}": isbn
        for book in (built, *built.editions)
        for key, isbn in book.volume.spec.isbns.items()
        if isbn != spec.isbn
    }
    try:
        enter_isbns(spec, isbns, ledger)
    except OutputError as error:
        return replace(built, warnings=(*built.warnings, f"the ledger does not know its ISBNs: {error}"))
    return built


@dataclass
class _Clock:
    """Stopwatch for the stages of a build. ``stages_s`` maps the name of each stage to its seconds."""

    watcher: Watcher
    stages_s: dict[str, float] = field(default_factory=dict)

    @contextlib.contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure how long a stage of the build takes. The stage is the body of the ``with`` statement.

        The watcher is told that the stage begins. The duration is stored in ``stages_s``, in seconds.

        Args:
            name: the name of the stage, such as ``write``.
        """
        self.watcher.stage(name)
        with self.time(name):
            yield

    @contextlib.contextmanager
    def time(self, name: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.stages_s[name] = time.perf_counter() - start


@dataclass
class _Edition:
    """Prints one edition of a book: lays out its pages, draws its files, checks them and writes them.

    Args:
        volume: the puzzles and the spec of the edition.
        assets: the theme, the fonts and the printer's profile of the edition.
        folder: the folder of the edition.
        clock: the stopwatch that measures how long each stage takes.
        workers: the processes that draw and check pages, and find the hints of ``play.html``.
        summary: figures about making the puzzles, for the report.
    """

    volume: Volume
    assets: BookAssets
    folder: Path
    clock: _Clock
    workers: Workers
    summary: BuildSummary

    def print_with(self, editions: Mapping[str, BookAssets], spec: BookSpec) -> BuiltBook:
        """Print this edition. Then print the book's other editions into folders beside this edition's folder.

        Args:
            editions: maps the name of each other edition to its theme, fonts and printer's profile.
            spec: the book's spec, which defines the other editions.
        """
        main, others = self._print(), []
        for name, assets in editions.items():
            volume, folder = replace(self.volume, spec=assets.spec), edition_folder(self.folder, name)
            with _naming_edition(name):
                summary = BuildSummary((), 1, 0, {})
                built = _Edition(volume, assets, folder, self.clock, self.workers, summary)._print()
            others.append(replace(built, warnings=edition_notes(spec, name, assets.spec)))
        return replace(main, editions=tuple(others))

    def _print(self) -> BuiltBook:
        with self.clock.stage("lay out"):
            # Laying out, drawing and checking the pages rarely fails here, because the dry run has already
            # tried it before the puzzles were made. But the dry run used placeholder boards, and drew only
            # some of the pages.
            self.book = lay_out(self.volume, self.assets)
            self.drawn = draw(self.volume, self.book, self.assets, self.workers)
            # While workers check the pages, this process makes texts that it needs later.
            self.reports = judge(
                self.drawn,
                self.assets.profile,
                self.workers,
                lambda: (self.page_hashes, self.report_tables, self.volume.json),
            )
        self.refuse_failed()
        return self.write()

    @cached_property
    def page_hashes(self) -> str:
        """Text of ``pages.json``, with the hashes of all pages."""
        return pages_json({name: file.content for name, file in self.drawn.items()})

    @cached_property
    def report_tables(self) -> str:
        return report_tables(self.volume, self.summary.produced)

    def refuse_failed(self) -> None:
        """Raise an error if a file of the edition would be refused by the printer.

        Each refused file is written with the prefix ``rejected-``, so that the user can look at it. If the
        folder has files of an earlier build, they stay unchanged.

        Raises:
            CheckFailedError: a file would be refused. The message lists the reasons.
            OutputError: a file can't be written or removed.
        """
        folder = self.folder
        failed = {name: report for name, report in self.reports.items() if not report.passed}
        if not failed:
            return
        for name in failed:
            write_file(folder / (_REJECTED + name), self.drawn[name].content)
        _remove(folder / (_REJECTED + name) for name in _BOOK_FILES if name not in failed)
        text = "\n\n".join(report.text() for report in failed.values())
        kept = " and ".join(_REJECTED + name for name in failed)
        earlier = _EARLIER if (folder / INTERIOR_FILE).exists() else ""
        write_file(folder / _PREFLIGHT_FILE, f"About {kept}.{earlier}\n\n{text}\n")
        raise CheckFailedError(
            f"{' and '.join(failed)} would be refused by the printer, so no finished book was written."
            f"{earlier} {folder / _PREFLIGHT_FILE} says what was found; look at {kept} there, then change "
            f"theme, text or printer.\n{text}",
            [replace(finding, file=name) for name, report in failed.items() for finding in report.findings],
        )

    def write(self) -> BuiltBook:
        """Write all files and the report.

        All new files are written under temporary names before the first old file is replaced. Only the files
        of the key ``images`` are written later.
        """
        spec, folder, pages = self.volume.spec, self.folder, self.book.page_count
        contents: dict[str, bytes | str] = {name: file.content for name, file in self.drawn.items()}
        contents[PAGES_FILE] = self.page_hashes
        contents[VOLUME_FILE] = self.volume.json
        if spec.play is not None:
            with self.clock.time("play"):
                contents[PLAY_FILE] = volume_page(self.volume, self.assets.theme, self.workers)
        passed = [
            f"preflight      {name} passed {len(report.checks)} checks for {report.printer}, "
            f"{report.paper} paper"
            for name, report in self.reports.items()
        ]
        notes = (*missing_phrases_note(spec.language), *_earlier_notes(folder, contents))
        with FileTransaction() as transaction:
            with self.clock.stage("write"):
                for name, content in contents.items():
                    transaction.write(folder / name, content)
            shop = shop_lines(spec, self.assets.profile, pages)
            pictures = (*self.assets.pictures.values(), *self.assets.cover_pictures.values())
            lines = [*passed, *reduced_lines(pictures), *shop, *self.summary.notes]
            summary = replace(self.summary, pages=pages, notes=lines)
            report = report_text(self.volume, summary, self.report_tables)
            transaction.write(folder / REPORT_FILE, report)
            transaction.commit()
        _remove([*(folder / (_REJECTED + name) for name in _BOOK_FILES), folder / _PREFLIGHT_FILE])
        if spec.images is not None:
            # Few books have image files, so import this module only if it is needed.
            from linkpress.images.image_export import write_book_images

            with self.clock.stage("images"):
                notes = (*notes, write_book_images(self.volume, folder / IMAGES_FOLDER))
        files = tuple(folder / name for name in (*contents, REPORT_FILE))
        checks = sum(len(each.checks) for each in self.reports.values())
        return BuiltBook(folder, self.volume, pages, files, notes=notes, checks=checks)


def _earlier_notes(folder: Path, contents: Mapping[str, bytes | str]) -> tuple[str, ...]:
    """Return notes that say which files of an earlier build in the folder are replaced, and which remain."""
    replaced = [name for name, content in contents.items() if _differs(folder / name, content)]
    names = (*_BOOK_FILES, PLAY_FILE)
    left = [name for name in names if name not in contents and (folder / name).is_file()]
    notes = []
    if replaced:
        notes.append(f"replaced {listed(replaced)} of the book that was in {folder}")
    if left:
        is_or_are, it_or_them = ("is", "it") if len(left) == 1 else ("are", "them")
        notes.append(
            f"{listed(left)} in {folder} {is_or_are} of an earlier book and left unchanged: the spec no "
            f"longer asks for {it_or_them}"
        )
    return tuple(notes)


def _differs(path: Path, content: bytes | str) -> bool:
    data = content.encode() if isinstance(content, str) else content
    try:
        return path.is_file() and path.read_bytes() != data
    except OSError:
        # The file can't be read, but perhaps it can be replaced. Count it as different. Then it is in the
        # list of replaced files, which the user sees.
        return True


def _remove(stale: Iterable[Path]) -> None:
    for path in stale:
        try:
            retry_while_open(partial(path.unlink, missing_ok=True))
        except OSError as error:
            raise OutputError(
                f"{path} is of an earlier build and can't be removed: {error.strerror or error}. "
                "Remove it by hand: it no longer belongs to this book."
            ) from error


def play_again(
    folder: Path | str,
    out: Path | str | None = None,
    *,
    answers: bool | None = None,
    hints: bool | None = None,
    workers: Workers | None = None,
    force: bool = False,
    spec_folder: Path | None = None,
) -> tuple[Path, int]:
    """Write ``play.html`` of a built book again, from its ``volume.json``.

    Args:
        folder: the folder of the built book.
        out: the folder to write to; None for ``folder``.
        answers: whether the page has the answers; None to follow the spec.
        hints: whether the page has hints; None to follow the spec.
        workers: the processes that find the hints. None for one process per core of this machine.
        force: whether to overwrite a ``play.html`` that isn't a page of this book.
        spec_folder: the folder from which relative paths in the spec are resolved; None for ``folder``.
    Returns:
        The file, and the number of puzzles on it.
    Raises:
        PuzzleError: ``volume.json`` is missing or wrong.
        UsageError: the theme is missing.
        SpecError: the theme has mistakes.
        GaveUpError: the hints of a puzzle can't be found.
        OutputError: the file can't be written, or there is a ``play.html`` that isn't a page of this book.
    """
    from linkpress.play.page import is_page_of

    source = Path(folder)
    saved = load_volume(source / VOLUME_FILE, spec_folder=spec_folder)
    file = Path(out or source) / PLAY_FILE
    book_id = saved.spec.book_id
    if not force and is_foreign(file, MAX_BYTES, lambda content: is_page_of(content, book_id)):
        raise OutputError(
            f"{file} exists already, and is no page of {book_id} by linkpress. Nothing was written: choose "
            "another folder with -o, or write over what is there with --force."
        )
    check_writable(file)
    chosen = {name: value for name, value in (("answers", answers), ("hints", hints)) if value is not None}
    play = (saved.spec.play or PlaySpec.model_construct()).model_copy(update=chosen)
    spec = saved.spec.model_copy(update={"play": play})
    theme = theme_of(spec)
    write_file(file, volume_page(replace(saved, spec=spec), theme, workers or local_workers(None)))
    return file, len(saved.puzzles)


def volume_page(volume: Volume, theme: Theme, workers: Workers) -> str:
    """Return the text of a book's ``play.html``.

    Args:
        volume: the puzzles and the spec.
        theme: the book's theme.
        workers: the processes that find the hints.
    Raises:
        GaveUpError: the hints of a puzzle can't be found.
    """
    # Import this module only when it is needed, because the import takes 35 ms.
    from linkpress.play.page import PlayedPuzzle, PlayPage, page_html

    spec, play = volume.spec, volume.spec.play
    answers, with_hints = (play.answers, play.hints) if play else (False, True)
    hints = _hints(volume, workers) if with_hints else [None] * len(volume.numbered)
    words = words_for(spec, theme, (record.puzzle for record in volume.puzzles))
    page = PlayPage(
        id=spec.book_id,
        title=spec.title,
        subtitle=spec.subtitle or "",
        words=words,
        theme=theme,
        puzzles=[
            PlayedPuzzle(
                number=puzzle.number,
                record=puzzle.record,
                section=spec.headings[puzzle.record.level],
                with_answer=answers,
                hints=steps,
                difficulty=spec.captions.difficulty.text(puzzle.record.difficulty, words),
                name=puzzle.name,
            )
            for puzzle, steps in zip(volume.numbered, hints, strict=True)
        ],
        credit=spec.copyright or (spec.author or ""),
    )
    return page_html(page)


def _hints(volume: Volume, workers: Workers) -> Sequence[tuple[StepCode, ...]]:
    from linkpress.play.page import hint_steps

    puzzles = [(record.puzzle, record.rule, record.technique) for record in volume.puzzles]
    try:
        return list(call_each(workers, hint_steps, puzzles))
    except WorkerLost as lost:
        raise GaveUpError(
            f"the hints of puzzle {volume.numbered[lost.index].number} can't be found: {lost}. Perhaps "
            "memory is short: try fewer --jobs, or leave the hints out with --no-hints."
        ) from None
