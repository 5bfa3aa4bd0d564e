"""Commands for specs and built books, such as ``init``, ``check``, ``build`` and ``preview``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from linkpress.cli.options import (
    AsJson,
    BuiltFolder,
    Force,
    LedgerOptions,
    RunOptions,
    SpecFolder,
    WorkerOptions,
    language_option,
    path_option,
    with_option_groups,
)
from linkpress.cli.process import PipeClosedError, Pulse, discard_output, say, warn_of_slow_engine, write
from linkpress.errors import ExitCode, LinkpressError, OutputError, UsageError
from linkpress.files import is_file

if TYPE_CHECKING:
    from linkpress.app.build import BuiltBook
    from linkpress.app.series import Outcome
    from linkpress.book.spec import BookSpec
    from linkpress.feeds.feed_spec import FeedSpec
    from linkpress.press.dry_run import CheckedBook

SpecFiles = Annotated[
    list[Path],
    Argument(metavar="SPEC...", help="The YAML files of the books.", show_default=False, readable=False),
]
OutFolder = Annotated[Path, path_option(help="The folder for built books. Each gets a folder inside.")]


def init(
    file: Annotated[
        Path | None,
        Argument(
            metavar="[FILE]",
            help="The file to write. Default: book.yaml, or feed.yaml with --feed.",
            readable=False,
        ),
    ] = None,
    feed: Annotated[bool, Option("--feed", help="Begin a newspaper's feed instead of a book.")] = False,
    like: Annotated[
        str | None, Option(metavar="BOOK", help="Copy an example book, such as large-print or series.")
    ] = None,
    language: Annotated[
        str, language_option("The language of the printed words and the sample texts")
    ] = "en",
    force: Force = False,
) -> None:
    """Write the YAML file of a new book or feed, which can be built at once.

    Comments in the file explain its keys.

    Example: linkpress init my-book.yaml
    """
    if like is not None:
        if feed or language != "en":
            other = "--feed" if feed else "--language"
            raise UsageError(f"--like and {other}: give one of them. The example books are in English.")
        _init_like(like, file, force=force)
        return
    from linkpress.book.first_specs import init_text
    from linkpress.layout.frame import FontKey
    from linkpress.render.fonts import FontMeasure
    from linkpress.words.language import load_words

    file = file or Path("feed.yaml" if feed else "book.yaml")
    _write_specs({file: init_text(str(file), feed=feed, language=language)}, force=force)
    quoted = shlex.quote(str(file))
    command = f"feed {quoted} --from 2026-12-01 --days 7 -o output/daily" if feed else f"build {quoted}"
    say(f"wrote {file}; edit it, then: linkpress {command}")
    missing = FontMeasure().missing(load_words(language).samples.title, FontKey.REGULAR)
    if missing:
        say(
            f"the shipped fonts have no {missing[0]!r}. Before you build, name a TrueType font with the "
            "letters of this language: fonts: {fallback: FILE.ttf}"
        )


def _init_like(name: str, file: Path | None, *, force: bool) -> None:
    """Write the files of an example book. A series has several files, which are written into a folder."""
    from linkpress.book.first_specs import example_books, example_texts

    is_series = len(example_books().get(name, [])) > 1
    if is_series and file and file.suffix in (".yaml", ".yml"):
        raise UsageError(
            f"--like {name}: this example has several files. Give a folder for them, such as "
            f"{file.with_suffix('')}."
        )
    texts = example_texts(name, file or Path(name if is_series else "book.yaml"))
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
def check(specs: SpecFiles, ledger: LedgerOptions) -> None:
    """Check books before you build them, and print their plans: levels, puzzles, pages and sheets.

    For a feed, the plan shows its week. No file is written. The ledger is only searched for another book with
    the same ISBN.

    Example: linkpress check my-book.yaml
    """
    from linkpress.app.preview import feed_plan_text, plan_text
    from linkpress.app.series import check_books
    from linkpress.book.spec import unknown_keys
    from linkpress.production.ledger_session import check_isbns

    choice, files = ledger.choice(), _expand_patterns(specs)
    feeds: dict[Path, FeedSpec] = {}
    if any(map(unknown_keys, files)):
        from linkpress.feeds.feed_run import settings_of  # only feeds need this import, which takes 90 ms
        from linkpress.feeds.feed_spec import is_feed, load_feed

        feeds = {file: load_feed(file) for file in files if is_feed(file)}
        for feed in feeds.values():
            settings_of(feed)
    books = check_books([file for file in files if file not in feeds], Path("output"))
    check_isbns(_specs_of(books), choice, say)
    plans = [plan_text(book, say) for book in books]
    write("\n".join([*plans, *(feed_plan_text(feed, say) for feed in feeds.values())]))
    for file, feed in feeds.items():
        if feed.seed_warning:
            say(f"{file}: {feed.seed_warning}")


@with_option_groups
def build(
    specs: SpecFiles,
    out: OutFolder = Path("output"),
    draft: Annotated[
        bool, Option("--draft", help="Don't record the puzzles in the ledger, only avoid published ones.")
    ] = False,
    *,
    options: RunOptions,
) -> None:
    """Make the puzzles of a book, prove them, and write the book's files.

    If a build was interrupted, the same command continues it. If you give several books, all are checked
    before the first puzzle is made, and no two of them get the same puzzle.

    Example: linkpress build my-book.yaml
    """
    from linkpress.app.build import build as build_book
    from linkpress.app.series import build_books, check_books
    from linkpress.cli.progress import showing_progress
    from linkpress.production.ledger_session import check_isbns

    choice = options.choice(draft)
    books = check_books(_expand_patterns(specs), out)
    if len(books) > 1:
        check_isbns(_specs_of(books), choice, say)
    warn_of_slow_engine()
    with options.open_log() as log:

        def build_one(book: CheckedBook, **settings: Any) -> BuiltBook:
            with showing_progress() as watcher:
                return build_book(book, out, watcher=watcher, log=log, **settings)

        if len(books) > 1:
            outcomes = build_books(books, build_one, options.open_workers, choice, say)
            raise typer.Exit(_report_each(outcomes))
        with options.open_workers() as workers:
            built = build_one(books[0], ledger=choice, workers=workers)
    _report(built)


@with_option_groups
def typeset(
    folder: BuiltFolder,
    out: Annotated[
        Path | None,
        path_option(help="The folder to write to. Default: beside DIR, named by printer and page size."),
    ] = None,
    changes: Annotated[
        Path | None,
        path_option(
            "--changes", metavar="FILE", help="A YAML file with the keys to change.", must_exist="file"
        ),
    ] = None,
    set_: Annotated[
        list[str] | None,
        Option(
            "--set",
            metavar="KEY=VALUE",
            help="A key to change, as page.trim=A5, theme=bold or cover=no. You can give several.",
        ),
    ] = None,
    spec_folder: SpecFolder = None,
    *,
    ledger: LedgerOptions,
) -> None:
    """Lay out a built book again with the same puzzles, for another page size or printer, for example.

    You can change every key that doesn't affect the puzzles. The other keys stay as they are in the book's
    volume.json. The ledger is only searched for another book with the same ISBN.

    Example: linkpress typeset output/my-book --set page.trim=A5
    """
    from linkpress.app.build import typeset_again
    from linkpress.book.spec import read_changes

    given, choice = read_changes(set_ or ()), ledger.choice()
    _report(typeset_again(folder, out, given, changes_file=changes, spec_folder=spec_folder, ledger=choice))


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
    with making.open_workers() as workers:
        file, count = play_again(
            folder, out, answers=answers, hints=hints, workers=workers, force=force, spec_folder=spec_folder
        )
    write(f"{file}\n")
    say(f"{count} puzzle{'s' * (count != 1)} to play, {file.stat().st_size / 1000:.0f} kB")


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
        folder,
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
) -> None:
    """Write the texts and pictures for the upload form of a shop, field by field.

    The texts are compared with the book's cover and interior. If something is missing or wrong, the exit code
    is 1.

    Example: linkpress listing output/my-book
    """
    from linkpress.app.marketing import list_book

    made = list_book(folder, out, spec_folder)
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
    if manifest:
        from linkpress.feeds.manifest import manifest_schema_text as schema_text
    elif feed:
        from linkpress.feeds.feed_spec import feed_schema_text as schema_text
    else:
        from linkpress.book.first_specs import schema_text
    write(schema_text())


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
    from linkpress.printers.profile import load_printer

    try:
        size = parse_size(trim) if trim else None
    except ValueError as error:
        raise UsageError(f"--trim: {error}") from None
    profile = load_printer(printer)
    profile.paper(paper, "--paper")
    report = judge(file, profile, Requirements(paper, size, bleed, None, cover))
    write((report.as_json() if as_json else report.text()) + "\n")
    raise typer.Exit(ExitCode.OK if report.passed else ExitCode.CHECK_FAILED)


def verify(folder: BuiltFolder, as_json: AsJson = False) -> None:
    """Read the puzzles back from a built book's PDFs, prove them again, and compare them with volume.json.

    Example: linkpress verify output/my-book
    """
    from linkpress.verify import verify_folder

    verdict = verify_folder(folder)
    write((verdict.as_json() if as_json else verdict.text()) + "\n")
    if verdict.findings:
        raise typer.Exit(ExitCode.CHECK_FAILED)
    raise typer.Exit(ExitCode.GAVE_UP if verdict.gave_up else ExitCode.OK)


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
) -> None:
    """Draw pages of a book side by side in one image.

    For a book that is not built yet, puzzles are made for the image only, and not recorded in the ledger.

    Example: linkpress preview my-book.yaml --pages 1-6
    """
    from linkpress.app.preview import DESIGNS, TEMPLATE, cover_template, design_sheet
    from linkpress.app.preview import preview as draw_preview
    from linkpress.cli.progress import showing_progress
    from linkpress.files import check_writable, is_folder, write_file

    allowed = (".png", ".pdf") if pages == TEMPLATE else (".png",)
    if out.suffix.lower() not in ("", *allowed):
        raise UsageError(f"-o {out}: the name must end in {' or '.join(allowed)}.")
    check_writable(out)
    if pages == TEMPLATE:
        for suffix, content in cover_template(source).items():
            write_file(out.with_suffix(suffix), content)
            write(f"{out.with_suffix(suffix)}\n")
        return
    if pages == DESIGNS:
        designs = design_sheet(source, columns)
        write_file(out, designs.png)
        say(f"in rows: {', '.join(designs.names)}")
        for name, why in designs.left_out.items():
            say(f"left out: {name}: {why}")
        write(f"{out}\n")
        return
    with nullcontext() if is_folder(source) else showing_progress() as watcher:
        sheet = draw_preview(source, pages, columns, watcher, spec_folder)
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
        The exit code of the first book that failed; OK if none did.
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
        except PipeClosedError:  # the reader of the output has ended; still build the others
            discard_output()
        rows.append((str(path), _size_text(result), str(result.folder)))
    say(f"{len(rows) - len(codes)} of {len(rows)} books are built:")
    name_width, size_width = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, size, folder in rows:
        say(f"  {name:<{name_width}}  {size:<{size_width}}  {folder}".rstrip())
    return codes[0] if codes else ExitCode.OK


def _size_text(built: BuiltBook) -> str:
    puzzles = len(built.volume.puzzles)
    return f"{puzzles} puzzle{'s' * (puzzles != 1)} on {built.page_count} pages"


def _specs_of(books: Iterable[CheckedBook]) -> list[BookSpec]:
    return [each.spec for book in books for each in (book, *book.editions.values())]


def _expand_patterns(files: Sequence[Path]) -> list[Path]:
    """Replace each pattern such as ``*.yaml`` by the matching files. Shells on Windows don't do this."""
    expanded = []
    for file in files:
        if is_file(file) or not set("*?[").intersection(str(file)):
            expanded.append(file)
            continue
        matches = sorted(Path(file.anchor).glob(str(file.relative_to(file.anchor))))
        if not matches:
            raise UsageError(f"no file matches {file}.")
        expanded += matches
    return expanded
