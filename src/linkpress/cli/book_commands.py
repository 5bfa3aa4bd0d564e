"""Commands for specs and built books, such as ``init``, ``check``, ``build`` and ``preview``."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from linkpress.cli.options import (
    AsJson,
    BuiltFolder,
    ChangeOptions,
    Force,
    LedgerOptions,
    RunOptions,
    SetKeys,
    SpecFolder,
    WorkerOptions,
    language_option,
    path_option,
    with_option_groups,
)
from linkpress.cli.process import (
    PipeClosedError,
    Pulse,
    discard_output,
    is_redirected,
    say,
    warn_of_slow_engine,
    write,
    write_json,
)
from linkpress.engine.recipe import counted
from linkpress.errors import CheckFailedError, ExitCode, LinkpressError, OutputError, SpecError, UsageError
from linkpress.files import YAML_SUFFIXES, check_writable, is_file, is_folder, is_foreign, write_file

if TYPE_CHECKING:
    from linkpress.app.build import BuiltBook
    from linkpress.app.series import Outcome
    from linkpress.book.spec import BookSpec, RunChanges
    from linkpress.documents.models import Document
    from linkpress.feeds.feed_spec import FeedSpec
    from linkpress.press.dry_run import CheckedBook
    from linkpress.production.head_start import HeadStart
    from linkpress.production.ledger_session import LedgerChoice

SpecFiles = Annotated[
    list[Path],
    Argument(metavar="SPEC...", help="The YAML files of the books.", show_default=False, readable=False),
]
SpecFile = Annotated[
    Path, Argument(metavar="SPEC", help="The YAML file of the book.", show_default=False, readable=False)
]
OutFolder = Annotated[
    Path, path_option(help="The folder for built books, in which each gets a folder; or a PDF to write.")
]
# Maximum size of an existing PDF that is searched for marks of linkpress before it is replaced.
MOST_PDF_BYTES = 2 << 30


def init(
    file: Annotated[
        str | None,
        Argument(
            metavar="[FILE]",
            help="The file to write, or the title of the book. Default: book.yaml, or feed.yaml with --feed.",
        ),
    ] = None,
    feed: Annotated[bool, Option("--feed", help="Begin a newspaper's feed instead of a book.")] = False,
    like: Annotated[
        str | None, Option(metavar="BOOK", help="Copy an example book, such as large-print or series.")
    ] = None,
    words: Annotated[
        str | None,
        Option(
            "--from",
            metavar="WORDS",
            help="Make the book from a few words, as 'easy 40, hard 20, A5, Spanish' or '60 puzzles'.",
        ),
    ] = None,
    language: Annotated[
        str, language_option("The language of the printed words and the sample texts")
    ] = "en",
    set_: SetKeys = None,
    force: Force = False,
) -> None:
    """Write the YAML file of a new book or feed, which can be built at once.

    Comments in the file explain its keys. If standard output goes to a file and no FILE is given, the YAML is
    printed.

    Example: linkpress init my-book.yaml
    """
    if like is not None:
        if feed or language != "en" or set_:
            other = "--feed" if feed else "--set" if set_ else "--language"
            raise UsageError(f"--like and {other}: give one of them. The example books are in English.")
        _init_like(like, file, force=force)
        return
    from linkpress.book.first_specs import init_text
    from linkpress.book.spec import plain_changes
    from linkpress.layout.frame import FontKey
    from linkpress.render.fonts import FontMeasure
    from linkpress.words import load_words

    changes = plain_changes(set_ or ())
    language = str(changes.get("language", language))
    path, title = _new_file(file, "feed.yaml" if feed else "book.yaml")
    if words is None:
        text = init_text(str(path), feed=feed, language=language)
    elif feed:
        raise UsageError("--from and --feed: give one of them. --from makes a book.")
    else:
        from linkpress.book.first_specs import worded_text

        text = worded_text(words, language, say)
    text = _with_changes(text, ({"title": title} if title else {}) | changes)
    quoted = shlex.quote(str(path))
    command = f"feed {quoted} --from 2026-12-01 --days 7 -o output/daily" if feed else f"build {quoted}"
    if file is None and is_redirected(sys.stdout):
        write(text)
        say(f"printed a new spec, as standard output is no terminal; to write a file: linkpress init {path}")
    else:
        _write_specs({path: text}, force=force)
        say(f"wrote {path}; edit it, then: linkpress {command}")
    missing = FontMeasure().missing(load_words(language).samples.title, FontKey.REGULAR)
    if missing:
        say(
            f"the shipped fonts have no {missing[0]!r}. Before you build, name a TrueType font with the "
            "letters of this language: fonts: {fallback: FILE.ttf}"
        )


def _new_file(name: str | None, usual: str) -> tuple[Path, str]:
    """Return the path of a new spec, and its title if the user typed a title such as "Summer Puzzles".

    Args:
        name: the path or the title that the user typed; None for neither.
        usual: the file name to use if the user typed nothing or only a folder.
    """
    from linkpress.book.spec import slug

    if name is None:
        return Path(usual), ""
    path = Path(name)
    if name.endswith("/") or is_folder(path):
        return path / usual, ""
    if path.suffix and " " not in name:
        return path, ""
    if path.suffix in YAML_SUFFIXES or path.parent != Path():
        return path if path.suffix in YAML_SUFFIXES else path.with_name(f"{path.name}.yaml"), ""
    is_title = name != slug(name)
    return Path(f"{slug(name)}.yaml"), name if is_title else ""


def _with_changes(text: str, changes: Mapping[str, Any]) -> str:
    """Return the text of a spec with new values; raise ``UsageError`` if a value can't be changed."""
    from linkpress.documents.yaml_edit import EditError, with_value

    try:
        for key, value in changes.items():
            inner = value if isinstance(value, dict) else {None: value}
            for step, part in inner.items():
                text = with_value(text, (key,) if step is None else (key, step), part)
    except EditError as error:
        raise UsageError(f"--set {error}") from None
    return text


def _init_like(name: str, place: str | None, *, force: bool) -> None:
    """Write the YAML file of an example book. For an example series, write one file for each book."""
    from linkpress.book.first_specs import example_books, example_texts

    is_series = len(example_books().get(name, [])) > 1
    file = Path(place) if place and is_series else _new_file(place, "book.yaml")[0]
    if is_series and place and file.suffix in YAML_SUFFIXES:
        raise UsageError(
            f"--like {name}: this example has several files. Give a folder for them, such as "
            f"{file.with_suffix('')}."
        )
    texts = example_texts(name, file if place or not is_series else Path(name))
    _write_specs(texts, force=force)
    books = [path for path, text in texts.items() if re.search(r"^seed:", text, re.MULTILINE)]
    specs = " ".join(shlex.quote(str(path)) for path in books)
    written = f"wrote {', '.join(map(str, texts))}; edit {'them' if is_series else 'it'}"
    say(f"{written}, then: linkpress build {specs}")


def _write_specs(texts: dict[Path, str], *, force: bool) -> None:
    """Write all files or none. Existing files are replaced only with ``force``."""
    from linkpress.files import write_files

    for file in texts:
        if file.exists() and not force:
            raise OutputError(f"{file} exists already. Give another name, or --force to replace the file.")
    write_files(texts)


@with_option_groups
def check(specs: SpecFiles, ledger: LedgerOptions, changed: ChangeOptions, as_json: AsJson = False) -> None:
    """Check books before you build them, and print their plans: levels, puzzles, pages and sheets.

    For a newspaper's feed, the plan shows the puzzles of a week. No file is written. The ledger is only
    searched for another book with the same ISBN.

    Example: linkpress check my-book.yaml
    """
    from linkpress.app.preview import plan_of, plan_of_feed
    from linkpress.book.spec import unknown_keys
    from linkpress.production.ledger_session import check_isbns

    choice, files = ledger.choice(), _expand_patterns(specs)
    feeds: dict[Path, FeedSpec] = {}
    if any(map(unknown_keys, files)):
        # Import these modules only if there is a feed, because the import takes 90 ms.
        from linkpress.feeds.feed_run import settings_of
        from linkpress.feeds.feed_spec import is_feed, load_feed

        feeds = {file: load_feed(file) for file in files if is_feed(file)}
        for feed in feeds.values():
            settings_of(feed)
    books = _checked_books([file for file in files if file not in feeds], Path("output"), changed.changes())
    check_isbns(_specs_of(books), choice, say)
    plans = [plan_of(book, say) for book in books] + [plan_of_feed(feed, say) for feed in feeds.values()]
    if as_json:
        places = [*(book.path for book in books), *feeds]
        rows = (
            {"file": str(place), "plan": plan.text.splitlines(), "impossible": plan.impossible}
            for place, plan in zip(places, plans, strict=True)
        )
        write_json({"specs": list(rows)})
    else:
        write("\n".join(plan.text for plan in plans))
    for file, feed in feeds.items():
        for warning in feed.warnings:
            say(f"{file}: {warning}")
    impossible = [sentence for plan in plans for sentence in plan.impossible]
    if impossible:
        raise CheckFailedError("\n".join(impossible))


def _checked_books(
    files: Sequence[Path],
    out: Path,
    changes: RunChanges,
    read: Mapping[Path, Document[BookSpec]] = MappingProxyType({}),
) -> list[CheckedBook]:
    """Check books with ``check_books``, and print advice if a file isn't a spec or has unknown keys."""
    from linkpress.app.series import check_books

    try:
        return check_books(files, out, changes, read)
    except SpecError as error:
        if len(files) > 1 and "levels: this key is needed" in error.message:
            say("each YAML file is taken as a book; give a theme as --set theme=FILE")
        # Recommend ``linkpress fix`` only for specs, because it can't repair themes and other files.
        for file in files:
            foreign = rf"^{re.escape(str(file))}:.*(no such key|this means `)"
            if re.search(foreign, error.message, re.MULTILINE):
                say(f"`linkpress fix {file} -o plain.yaml` makes a spec with linkpress's own keys of it")
        raise


def fix(
    spec: SpecFile,
    out: Annotated[
        Path | None, path_option(metavar="FILE", help="The file to write. Default: print the new spec.")
    ] = None,
    force: Force = False,
) -> None:
    """Make a valid spec from a spec that is written in your own words.

    Your names of keys and values are replaced by the names that linkpress uses. Your comments stay. A key
    that linkpress does not have becomes a comment with the reason. Each change is printed. If the levels of
    the spec are not understood, it stays unchanged. The exit code is 0 if the new spec can be built.

    Example: linkpress fix rough.yaml -o book.yaml
    """
    from linkpress.app.fix import fix_spec

    if out is not None and out.exists() and not force:
        raise OutputError(f"{out} exists already. Give another name, or --force to replace the file.")
    is_asked = sys.stdin.isatty() and sys.stderr.isatty()
    fixed = fix_spec(spec, (lambda question: typer.confirm(question, True, err=True)) if is_asked else None)
    for change in fixed.changes:
        say(change)
    if out is None:
        write(fixed.text)
    else:
        _write_specs({out: fixed.text}, force=force)
        say(f"wrote {out}")
    if fixed.problems:
        raise SpecError("\n".join(fixed.problems))


@with_option_groups
def build(
    specs: SpecFiles,
    out: OutFolder = Path("output"),
    draft: Annotated[
        bool, Option("--draft", help="Don't record the puzzles in the ledger, only avoid published ones.")
    ] = False,
    *,
    changed: ChangeOptions,
    force: Force = False,
    options: RunOptions,
) -> None:
    """Make the puzzles of a book, prove that each has only one solution, and write the book's files.

    If a build was interrupted, the same command continues it. If you give several books, all are checked
    before the first puzzle is made, and no two of them get the same puzzle. With -o FILE.pdf, the interior is
    also written to that file. The other files are in the book's folder inside the folder named output.

    A FILE.pdf that linkpress did not write is replaced only with --force. --force is also needed to build a
    book again with another --count, --difficulty or --seed, even if the built book is in another folder.

    Example: linkpress build my-book.yaml
    """
    from linkpress.production.executors import local_workers
    from linkpress.production.head_start import HeadStart

    files, changes = _expand_patterns(specs), changed.changes()
    with HeadStart(local_workers(options.jobs)) as start:
        is_alone = len(files) == 1 and options.cluster is None
        read = _begin(start, files[0], changes) if is_alone else {}
        # Import these modules while the workers make the first puzzles.
        from linkpress.app.build import build as build_book
        from linkpress.app.editions import refuse_other_puzzles
        from linkpress.app.series import build_books
        from linkpress.book.plan import plan_slots
        from linkpress.book.volume import INTERIOR_FILE
        from linkpress.cli.progress import showing_progress
        from linkpress.production.forecast import rising_warnings
        from linkpress.production.ledger_session import check_isbns

        choice = options.choice(draft)
        pdf = _checked_pdf(out, force=force)
        folder = Path("output") if pdf else out
        books = _checked_books(files, folder, changes, read)
        for book in books:
            warnings = (warning for _, warning in rising_warnings(plan_slots(book.spec)))
            for note in filter(None, (book.spec.title_seed_note, *book.spec.source.notes, *warnings)):
                say(note)
        if changes.has_other_puzzles and not force:
            for book in books:
                refuse_other_puzzles(book.spec, folder, choice)
        if len(books) > 1:
            if pdf:
                raise UsageError(f"-o {pdf}: one file can't hold {len(books)} books. Give a folder.")
            check_isbns(_specs_of(books), choice, say)
        warn_of_slow_engine()
        with options.open_log() as log:

            def build_one(book: CheckedBook, **settings: Any) -> BuiltBook:
                with showing_progress() as watcher:
                    return build_book(book, folder, watcher=watcher, log=log, **settings)

            if len(books) > 1:
                outcomes = build_books(books, build_one, options.open_workers, choice, say)
                raise typer.Exit(_report_each(outcomes))
            with nullcontext(start.workers) if options.cluster is None else options.open_workers() as workers:
                built = build_one(books[0], ledger=choice, workers=workers)
        _report(built)
        if pdf:
            _copy(built.folder / INTERIOR_FILE, pdf)


def _begin(start: HeadStart, file: Path, changes: RunChanges) -> dict[Path, Document[BookSpec]]:
    """Read the spec of a book. If the spec has no problems, let workers begin to make its puzzles.

    Returns:
        A mapping from the file to its spec. It is empty if the spec can't be read. The error is reported
        later, when the book is checked.
    """
    from linkpress.book.plan import plan_slots
    from linkpress.book.spec import read_spec

    with suppress(LinkpressError):
        document = read_spec(file, changes=changes)
        if document.model is not None and not document.problems:
            start.begin(plan_slots(document.model))
        return {file: document}
    return {}


def _checked_pdf(out: Path | None, *, force: bool) -> Path | None:
    """Return the path if ``-o`` names a PDF, and None if it names a folder.

    Raises:
        OutputError: the PDF can't be written, or exists and was not written by linkpress.
    """
    if out is None or is_folder(out) or out.suffix.lower() != ".pdf":
        return None
    check_writable(out)
    if not force and is_foreign(out, MOST_PDF_BYTES, lambda content: b"linkpress" in content):
        raise OutputError(
            f"{out} exists already, and linkpress did not write it. Give another name, or --force to replace "
            "the file."
        )
    return out


def _copy(source: Path, target: Path) -> None:
    write_file(target, source.read_bytes())
    write(f"{target}\n")


def built_folder(source: Path, ledger: LedgerChoice | None = None) -> Path:
    """Return the folder of a built book.

    Args:
        source: the folder of a built book, or the YAML file of a book. A folder is returned unchanged. For
            a YAML file, the book's folder in ``output`` is returned. If that folder doesn't have the book as
            the file describes it, the book is built first.
        ledger: the ledger for building the book; None for the usual ledger.
    """
    if source.suffix not in YAML_SUFFIXES or is_folder(source):
        return source
    from linkpress.app.build import build as build_book
    from linkpress.app.editions import book_folder, volume_head
    from linkpress.app.series import check_books
    from linkpress.book.volume import VOLUME_FILE
    from linkpress.cli.progress import showing_progress
    from linkpress.production.ledger_session import USUAL_LEDGER

    (book,) = check_books([source], Path("output"))
    folder = book_folder(Path("output"), book.spec)
    with suppress(OSError, ValueError, KeyError):
        if volume_head(folder / VOLUME_FILE)["book"] == book.spec.document():
            return folder
    say(f"linkpress: {folder} does not hold {source} as it is now, so the book is built first")
    warn_of_slow_engine()
    with showing_progress() as watcher:
        return build_book(book, Path("output"), watcher=watcher, ledger=ledger or USUAL_LEDGER).folder


@with_option_groups
def typeset(
    folder: BuiltFolder,
    out: Annotated[
        Path | None,
        path_option(
            help="The folder to write to, or a PDF for one file alone. Default: a folder beside DIR, named "
            "by printer and page size."
        ),
    ] = None,
    changes: Annotated[
        Path | None,
        path_option(
            "--changes", metavar="FILE", help="A YAML file with the keys to change.", must_exist="file"
        ),
    ] = None,
    set_: SetKeys = None,
    copy: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="The file to write alone: interior, solutions, cover or screen. Default with a PDF: "
            "interior.",
        ),
    ] = None,
    force: Force = False,
    spec_folder: SpecFolder = None,
    *,
    ledger: LedgerOptions,
) -> None:
    """Lay out a built book again with the same puzzles, for example for another page size or printer.

    You can change every key that doesn't affect the puzzles. The other keys stay as they are in the book's
    volume.json. The puzzles are not checked against the ledger again. Only ISBNs are: another book must not
    have the same ones. New ISBNs are recorded.

    Example: linkpress typeset output/my-book --set page.trim=A5
    """
    from linkpress.app.build import typeset_again
    from linkpress.book.spec import plain_changes

    given, choice = plain_changes(set_ or ()), ledger.choice()
    pdf = _checked_pdf(out or (Path(f"{copy}.pdf") if copy else None), force=force)
    if copy and not pdf:
        raise UsageError(f"--copy {copy} writes one file. Give its name as -o {copy}.pdf.")
    folder = built_folder(folder, choice)
    with TemporaryDirectory() if pdf else nullcontext(out) as place:
        built = typeset_again(
            folder, place, given, changes_file=changes, spec_folder=spec_folder, ledger=choice
        )
        if pdf is None:
            _report(built)
            return
        files = {file.stem: file for file in built.files if file.suffix == ".pdf"}
        if (copy or "interior") not in files:
            raise UsageError(f"--copy {copy}: this book has {', '.join(files)}.")
        _copy(files[copy or "interior"], pdf)


@with_option_groups
def play(
    folder: BuiltFolder,
    out: Annotated[Path | None, path_option(help="The folder to write to. Default: DIR.")] = None,
    answers: Annotated[
        bool | None, Option(help="Whether players can see the answers. Default: as in the spec.")
    ] = None,
    hints: Annotated[
        bool | None, Option(help="Whether players can get hints. Default: as in the spec.")
    ] = None,
    force: Force = False,
    spec_folder: SpecFolder = None,
    *,
    making: WorkerOptions,
) -> None:
    """Write play.html, a page on which a built book's puzzles can be played in a browser.

    The page is one file that needs no server and no internet connection.

    Example: linkpress play output/my-book
    """
    from linkpress.app.build import play_again

    warn_of_slow_engine()
    folder = built_folder(folder)
    with making.open_workers() as workers:
        file, count = play_again(
            folder, out, answers=answers, hints=hints, workers=workers, force=force, spec_folder=spec_folder
        )
    write(f"{file}\n")
    say(f"{counted(count, 'puzzle')} to play, {file.stat().st_size / 1000:.0f} kB")


def pack(
    folder: BuiltFolder,
    out: Annotated[
        Path | None, path_option(metavar="DIR", help="The folder to write to. Default: output/ID-pack.")
    ] = None,
    width: Annotated[str, Option(help="The width of each board, as 100mm or 4in.")] = "100mm",
    dpi: Annotated[int, Option(help="The resolution of the PNG files, 72 to 2400 pixels an inch.")] = 600,
    force: Force = False,
    spec_folder: SpecFolder = None,
) -> None:
    """Write a built book's puzzles and answers as SVG, EPS and PNG files for designers.

    The folder also gets a table for InDesign's data merge, and a folder "marketing" with the front cover and
    three spreads at 300 dpi. Either all files are written or none.

    Example: linkpress pack output/my-book --width 4in
    """
    from linkpress.app.marketing import write_pack
    from linkpress.images.image_settings import read_width

    pulse = Pulse()
    files = write_pack(
        built_folder(folder),
        out,
        width_mm=read_width(width, dpi),
        dpi=dpi,
        force=force,
        spec_folder=spec_folder,
        on_drawn=lambda done, total: pulse.say(f"drew {done} of {total} files"),
    )
    for file in files:
        write(f"{file}\n")
    say(f"{len(files)} files")


def listing(
    folder: BuiltFolder,
    out: Annotated[
        Path | None, path_option(metavar="DIR", help="The folder to write to. Default: DIR/listing.")
    ] = None,
    spec_folder: SpecFolder = None,
    as_json: AsJson = False,
) -> None:
    """Write the texts and pictures for the upload form of a shop, field by field.

    The texts are compared with the book's cover and interior. If something is missing or wrong, the exit code
    is 1.

    Example: linkpress listing output/my-book
    """
    from linkpress.app.marketing import list_book, problem_line

    made = list_book(built_folder(folder), out, spec_folder)
    if as_json:
        files = [str(file) for file in made.files]
        lines = [problem_line(problem) for problem in made.problems]
        write_json({"fields": made.fields, "problems": lines, "files": files})
    else:
        write(made.text)
        for file in made.files:
            say(str(file))
    raise typer.Exit(ExitCode.CHECK_FAILED if made.problems else ExitCode.OK)


def schema(
    feed: Annotated[bool, Option("--feed", help="Print the schema of feeds.")] = False,
    manifest: Annotated[bool, Option("--manifest", help="Print the schema of a feed's manifest.")] = False,
) -> None:
    """Print the JSON Schema of a book's YAML file, with which an editor can complete and check keys.

    With --feed, print the schema of a feed's YAML file. With --manifest, print the schema of the manifest
    that a newspaper's programs read.

    Example: linkpress schema --feed
    """
    if feed and manifest:
        raise UsageError("--feed and --manifest: give one of them.")
    from linkpress.documents.models import schema_text

    if manifest:
        from linkpress.feeds.feed_folder import Manifest

        write(schema_text(Manifest, "A linkpress feed manifest"))
    elif feed:
        from linkpress.feeds.feed_spec import FeedSpec

        write(schema_text(FeedSpec, "A linkpress feed spec"))
    else:
        from linkpress.book.spec import BookSpec

        write(schema_text(BookSpec, "A linkpress book spec"))


def preflight(
    file: Annotated[Path, Argument(metavar="FILE", help="Any PDF.", readable=False)],
    printer: Annotated[str, Option(help="The name of a printer profile, or the path of your own.")],
    paper: Annotated[
        str | None, Option(help="A paper of the printer. Default: the first paper of its profile.")
    ] = None,
    trim: Annotated[
        str | None, Option(help="The size of the trimmed page, as A5 or 6x9in. Default: as in the PDF.")
    ] = None,
    bleed: Annotated[bool | None, Option(help="Whether bleed is required. Default: as in the PDF.")] = None,
    cover: Annotated[bool, Option("--cover", help="The PDF is a cover: back, spine and front.")] = False,
    as_json: AsJson = False,
) -> None:
    """Check any PDF against the requirements of a printer.

    Example: linkpress preflight interior.pdf --printer kdp-paperback
    """
    from linkpress.documents.values import parse_size
    from linkpress.preflight import Requirements
    from linkpress.preflight import preflight as judge
    from linkpress.printers import load_printer

    try:
        size = parse_size(trim) if trim else None
    except ValueError as error:
        raise UsageError(f"--trim: {error}") from None
    profile = load_printer(printer)
    profile.paper(paper, "--paper")
    report = judge(file, profile, Requirements(paper, size, bleed, None, cover))
    write((report.as_json() if as_json else report.text()) + "\n")
    raise typer.Exit(ExitCode.OK if report.passed else ExitCode.CHECK_FAILED)


def verify(folder: BuiltFolder, spec_folder: SpecFolder = None, as_json: AsJson = False) -> None:
    """Check the puzzles in a built book's PDFs: each has one solution, and is the same as in volume.json.

    Every page is also compared with the page that linkpress would draw. If another release of linkpress built
    the book, every page is compared with the record of the build instead.

    Example: linkpress verify output/my-book
    """
    from linkpress.verify.verification import verify_folder

    verdict = verify_folder(built_folder(folder), spec_folder)
    write((verdict.as_json() if as_json else verdict.text()) + "\n")
    if verdict.findings:
        raise typer.Exit(ExitCode.CHECK_FAILED)
    raise typer.Exit(ExitCode.GAVE_UP if verdict.gave_up else ExitCode.OK)


@with_option_groups
def preview(
    source: Annotated[
        Path,
        Argument(metavar="SPEC", help="A book's YAML file, or the folder of a built book.", readable=False),
    ],
    pages: Annotated[
        str,
        Option(
            help="Page numbers, as 1-8 or 1,3,6-9. Or one of these words: cover; front, the front cover as "
            "shops show it; designs, the front cover in each design; template, a PNG and a PDF for a cover "
            "designer."
        ),
    ] = "1-8",
    out: Annotated[Path, path_option(help="The PNG to write.")] = Path("preview.png"),
    columns: Annotated[int, Option(min=1, max=20, help="How many pages to put in a row, 1 to 20.")] = 4,
    spec_folder: SpecFolder = None,
    *,
    changed: ChangeOptions,
) -> None:
    """Draw pages of a book side by side in one image.

    For a book that is not built yet, puzzles are made for the image only, and not recorded in the ledger.

    Example: linkpress preview my-book.yaml --pages 1-6
    """
    from linkpress.app.preview import DESIGNS, TEMPLATE, cover_template, design_sheet
    from linkpress.app.preview import preview as draw_preview
    from linkpress.cli.progress import showing_progress

    allowed = (".png", ".pdf") if pages == TEMPLATE else (".png",)
    if out.suffix.lower() not in ("", *allowed):
        raise UsageError(f"-o {out}: the name must end in {' or '.join(allowed)}.")
    check_writable(out)
    changes = changed.changes()
    if pages == TEMPLATE:
        for suffix, content in cover_template(source, changes).items():
            write_file(out.with_suffix(suffix), content)
            write(f"{out.with_suffix(suffix)}\n")
        return
    if pages == DESIGNS:
        designs = design_sheet(source, columns, changes)
        write_file(out, designs.png)
        say(f"in rows: {', '.join(designs.names)}")
        for name, why in designs.left_out.items():
            say(f"left out: {name}: {why}")
        write(f"{out}\n")
        return
    with nullcontext() if is_folder(source) else showing_progress() as watcher:
        sheet = draw_preview(source, pages, columns, watcher, spec_folder, changes)
    write_file(out, sheet)
    write(f"{out}\n")


def _report(built: BuiltBook) -> None:
    for message in (*built.warnings, *built.notes):
        say(f"linkpress: {message}")
    say(f"{_size_text(built)}:")
    for file in built.files:
        write(f"{file}\n")
    for edition in built.editions:
        _report(edition)


def _report_each(outcomes: Iterable[Outcome]) -> ExitCode:
    """Report each book when it is finished, and finally print a table of all books.

    Returns:
        The exit code of the first book that failed; OK if no book failed.
    """
    rows, codes = [], []
    for path, result in outcomes:
        if isinstance(result, LinkpressError):
            say(f"linkpress: {path}: {result}")
            codes.append(result.exit_code)
            rows.append((str(path), f"not built (exit code {result.exit_code})", ""))
            continue
        try:
            _report(result)
        except PipeClosedError:  # The program that reads the output has ended. Build the other books anyway.
            discard_output()
        rows.append((str(path), _size_text(result), str(result.folder)))
    say(f"{len(rows) - len(codes)} of {len(rows)} books are built:")
    name_width, size_width = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, size, folder in rows:
        say(f"  {name:<{name_width}}  {size:<{size_width}}  {folder}".rstrip())
    return codes[0] if codes else ExitCode.OK


def _size_text(built: BuiltBook) -> str:
    return f"{counted(len(built.volume.puzzles), 'puzzle')} on {built.page_count} pages"


def _specs_of(books: Iterable[CheckedBook]) -> list[BookSpec]:
    return [each.spec for book in books for each in (book, *book.editions.values())]


def _expand_patterns(files: Sequence[Path]) -> list[Path]:
    """Replace each folder by its YAML files, and each pattern such as ``*.yaml`` by the files that match.

    Most shells expand patterns themselves, but the shells of Windows don't.
    """
    expanded = []
    for path in files:
        file = path / "*.yaml" if is_folder(path) else path
        if is_file(file) or not set("*?[").intersection(str(file)):
            expanded.append(file)
            continue
        matches = sorted(Path(file.anchor).glob(str(file.relative_to(file.anchor))))
        if not matches:
            raise UsageError(
                f"the folder {path} has no YAML file." if is_folder(path) else f"no file matches {file}."
            )
        expanded += matches
    return expanded
