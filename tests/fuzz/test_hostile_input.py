"""Every reader takes or refuses whatever it is given: no other exception, no hang, no gigabyte.

Some hundred inputs a reader in the default suite, fifty times as many with ``-m soak``. An input is made
from its target's name and its number alone.
"""

import contextlib
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random

import nasty_values as nasty
import pytest
import sound_samples as samples
import spoiling

from linkpress.app.build import typeset_again
from linkpress.app.preview import plan_text
from linkpress.book.level import load_mask
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec, load_spec, with_printing_changes
from linkpress.book.spec import read_spec as read_book
from linkpress.book.volume import load_volume, volume_json
from linkpress.cli.app import run
from linkpress.documents.models import Document
from linkpress.documents.values import Size
from linkpress.documents.yaml_source import read_yaml
from linkpress.errors import LinkpressError, PuzzleError
from linkpress.feeds.feed_folder import read_folder
from linkpress.feeds.feed_spec import issue_days, load_feed, read_dates
from linkpress.images.image_export import read_puzzle_source
from linkpress.images.image_settings import ImageKind, NameFields, load_grid
from linkpress.layout.theme import load_theme, theme_problems
from linkpress.ledger.entries import Holder, Kind
from linkpress.ledger.store import Ledger, export_ledger, import_ledger
from linkpress.preflight import Requirements, preflight
from linkpress.press.dry_run import dry_run
from linkpress.printers.profile import load_printer
from linkpress.production.book_puzzles import JOURNAL_FILE, plan_book
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.production_run import ProductionRun
from linkpress.production.slot_search import journal_line
from linkpress.puzzle.notation.ascii_drawing import draw_lines
from linkpress.puzzle.notation.notations import Notation, decode, read_drawings, read_puzzles, write_puzzle
from linkpress.puzzle.symmetry import fingerprint
from linkpress.verify import verify_folder
from linkpress.words.language import load_words, resolve_language, words_of

PRINTED = ((load_printer("generic"), False), (load_printer("kdp-paperback"), True))


@dataclass(frozen=True)
class Target:
    """A reader, sound inputs, what makes of these a spoiler of one, and how many it spoils by default."""

    name: str
    samples: Callable[[], list[bytes]]
    spoiler: Callable
    read: Callable[[bytes, Path], object]
    count: int


def read_boards(content, folder):
    for puzzle in read_puzzles(decode(content))[:20]:
        fingerprint(puzzle)
        for form in Notation:
            try:
                text = write_puzzle(puzzle, form)
            except PuzzleError:
                continue  # compact and url can't hold every board
            assert read_puzzles(text) == [puzzle]


def read_answers(content, folder):
    for puzzle, edges in read_drawings(decode(content))[:20]:
        draw_lines(puzzle, edges)


def read_spec(content, folder):
    samples.put_own_boards(folder)
    document = read_book(put(folder, "spec.yaml", content))
    if document.problems and document.readable() and document.model and document.model.puzzle_count <= 30:
        dry_run(document, folder).checked()
    spec = document.checked()
    assert BookSpec.model_validate(spec.document()).document() == spec.document()
    if spec.puzzle_count <= 300:
        plan_slots(spec)
    cells = sum(max(size.rows * size.cols for size in level.size) for level in spec.levels)
    if spec.puzzle_count <= 30 and cells < 500:
        plan_text(dry_run(Document(spec), folder).checked()).encode()


def read_given(content, folder):
    put(folder, "own.txt", content)
    text = "title: T\nseed: 1\nlevels:\n  - {name: A, count: 1, from: own.txt, unique: filled}\n"
    plan_slots(load_spec(put(folder, "spec.yaml", text.encode())))


def read_feed(content, folder):
    spec = load_feed(put(folder, "feed.yaml", content))
    spec.model_dump_json()
    for day in issue_days(spec, read_dates("2026-12-01", 14)):
        name = spec.template.name(NameFields(day, 12, ImageKind.PUZZLE, 2, 600), ".png")
        assert (folder / name).resolve().is_relative_to(folder.resolve())


def read_words(content, folder):
    """Both tongues of a words file; what it lets through is read back as ``volume.json`` keeps it."""
    words = load_words(put(folder, "words.yaml", content))
    for of_dots in (False, True):
        words_of(words, of_dots=of_dots).say(words.solution_on, page=9).encode()
    kept = BookSpec.model_validate({**samples.small_spec().document(), "language": words}).document()
    assert BookSpec.model_validate(kept).document() == kept


def read_changes(content, folder):
    changes = resolve_language(read_yaml(put(folder, "changes.yaml", content)), folder)
    spec = with_printing_changes(samples.small_spec(), {"edition": "Second"}, changes)
    assert spec.edition == "Second"
    assert plan_slots(spec) == plan_slots(samples.small_spec())


def read_theme(content, folder):
    theme = load_theme(put(folder, "theme.yaml", content))
    for profile, _ in PRINTED:
        theme_problems(theme, profile)


def read_design(content, folder):
    put(folder, "design.yaml", content)
    text = "title: T\nseed: 1\ncover: {design: design.yaml}\nlevels: [{name: A, count: 30, size: 5}]\n"
    dry_run(Document(load_spec(put(folder, "spec.yaml", text.encode()))), folder).checked()


def read_mask(content, folder):
    grid = load_mask(put(folder, "mask.png", content))
    assert len(grid.solids) + len(grid.free_cells) == grid.rows * grid.cols
    assert load_mask(folder / "mask.png", grid.rows, grid.cols) == grid


def read_printer(content, folder):
    profile = load_printer(put(folder, "printer.yaml", content))
    profile.bleed_of(recto=True)
    for trim in (Size(432, 648), Size(612, 792), *profile.trims.sizes[:2]):
        profile.page_limits(trim)
        for pages in (1, 24, 10_000):
            for fault in profile.check(trim, pages):
                str(fault).encode()
            profile.margins(pages, bleed=True)
            profile.pages_to_print(pages, trim)


def read_grid(content, folder):
    assert load_grid(str(put(folder, "grid.yaml", content))).width_mm(1) > 0


def read_volume(content, folder):
    text = volume_json(load_volume(put(folder, "volume.json", content)))
    assert volume_json(load_volume(put(folder, "again.json", text.encode()))) == text


def read_journal(content, folder):
    spec, book = samples.small_spec(), folder / "book"
    book.mkdir(exist_ok=True)
    journal = put(book, JOURNAL_FILE, content)
    for _ in range(2):  # what the first reading leaves is read again
        with ProductionRun.open(plan_book(spec), journal, NO_LEDGER, maker=None) as run:
            found = [journal_line(finished) for finished in run.resume(plan_slots(spec)).values()]
    return found != []


def read_export(content, folder):
    path = folder / "into.sqlite3"
    path.unlink(missing_ok=True)
    with Ledger(path) as ledger:
        import_ledger(ledger, content.decode("utf-8", "replace").splitlines(), "an export")
        for line in export_ledger(ledger):
            line.encode()


def read_ledger(content, folder):
    for suffix in ("-wal", "-shm", "-journal"):
        (folder / f"ledger.sqlite3{suffix}").unlink(missing_ok=True)
    path = put(folder, "ledger.sqlite3", content)
    with Ledger(path, writable=False) as ledger:
        ledger.database.defect()
        for holding in ledger.holdings():
            str(holding.holder)
        for record in ledger.entries():
            ledger.find(record.fingerprint)
        ledger.find_prefix("a")
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "two"), "Two"):
        pass


def read_manifest(content, folder):
    put(folder, "manifest-x.json", content)
    read = read_folder(folder, "daily")
    for day in list(read.items)[:3]:
        assert read.issue(day).record.puzzle.grid.size
        for item in read.items[day]:
            for rendition in item.renditions:
                read.check_unchanged(rendition.file, "it drawn again")


def read_pdf(content, folder):
    reports = [preflight(content, profile, Requirements(cover=cover)) for profile, cover in PRINTED]
    for report in reports:
        report.text().encode()
        report.as_json().encode()
    return any(report.passed for report in reports)


def verify(volume, interior, folder):
    put(folder, "volume.json", volume)
    put(folder, "interior.pdf", interior)
    verdict = verify_folder(folder)
    verdict.text().encode()
    verdict.as_json().encode()
    return verdict.passed


def put(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


BOARDS = spoiling.texts(*nasty.BOARDS)
YAML = spoiling.texts(*nasty.YAML, "\n  ", "size", "paths", "grade", "from", "printer", "name", "levels")

TARGETS = (
    Target("link text", samples.board_texts, BOARDS, read_boards, 250),
    Target("puzz.link address", samples.addresses, BOARDS, read_boards, 200),
    Target("ascii drawing", samples.drawings, BOARDS, read_boards, 100),
    Target("article table", samples.tables, BOARDS, read_boards, 100),
    Target("solutions, drawings", samples.notations, BOARDS, read_answers, 100),
    Target("from: file", samples.board_texts, BOARDS, read_given, 40),
    Target(
        "export's puzzle file", samples.board_texts, BOARDS,
        lambda content, folder: read_puzzle_source(put(folder, "boards.txt", content)), 30,
    ),
    Target("book spec", samples.specs, YAML, read_spec, 40),
    Target("feed spec", samples.feeds, YAML, read_feed, 30),
    Target("words file", samples.words_files, YAML, read_words, 20),
    Target("changes file", samples.changes_files, YAML, read_changes, 60),
    Target("theme", samples.shipped("themes/*.yaml"), YAML, read_theme, 30),
    Target("cover design", samples.shipped("covers/*.yaml"), YAML, read_design, 5),
    Target("mask", samples.masks, BOARDS, read_mask, 150),
    Target("printer profile", samples.shipped("printers/*.yaml"), YAML, read_printer, 20),
    Target("column grid", samples.shipped("newspapers/*.yaml"), YAML, read_grid, 30),
    Target("volume.json", samples.volumes, spoiling.json_values, read_volume, 80),
    Target("build journal", samples.journals, spoiling.journal_lines, read_journal, 40),
    Target("ledger import", samples.ledger_exports, spoiling.json_lines, read_export, 20),
    Target("ledger file", samples.ledger_files, spoiling.texts("SELECT 1", "CREATE TABLE"), read_ledger, 20),
    Target("feed manifest", samples.manifests, spoiling.json_values, read_manifest, 10),
    Target("preflight", samples.pdfs, spoiling.pdfs, read_pdf, 20),
    Target(
        "verify, PDF", samples.interiors, spoiling.pdfs,
        lambda content, folder: verify(samples.volumes()[0], content, folder), 8,
    ),
    Target(
        "verify, volume.json", samples.volumes, spoiling.json_values,
        lambda content, folder: verify(content, samples.interiors()[0], folder), 8,
    ),
)  # fmt: skip


HANG_S = 20.0  # of processor time, which goes by faster where others use the same core
MOST_BYTES = 1 << 30


class HangError(BaseException):
    """An input was worked on for too long; no ``except Exception`` on the way holds it up."""


@contextlib.contextmanager
def processor_time(limit_s):
    def stop(number, frame):
        raise HangError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_taken(target, content, folder, name, limit_s=HANG_S):
    """Whether a reader finds an input good; raises where it breaks, with the input's name."""
    try:
        with processor_time(limit_s):
            return target.read(content, folder) is not False
    except LinkpressError:
        return False
    except BaseException as fault:
        raise AssertionError(f"{name} breaks the reader") from fault


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def fire_at(target, count, folder):
    """Give a reader sound inputs until one is good, and so many spoilt ones, and hold it to its memory."""
    samples = target.samples()
    spoil = target.spoiler(samples)
    held = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    peak = peak_bytes()
    assert any(is_taken(target, sample, folder, "a sound input") for sample in samples)
    taken = []
    for number in range(count):
        name = f"{target.name}/{number}"
        dice = Random(name)
        taken.append(is_taken(target, spoil(dice, dice.choice(samples)), folder, name))
    assert not all(taken)
    assert peak_bytes() <= max(peak, held + MOST_BYTES)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_input_breaks_a_reader(target, tmp_path):
    fire_at(target, target.count, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_not_even_in_the_long_run(target, tmp_path):
    fire_at(target, 50 * target.count, tmp_path)


def test_what_does_not_end_is_a_hang(tmp_path):
    def read(content, folder):
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    endless = Target("endless", lambda: [b""], None, read, 0)
    with pytest.raises(AssertionError, match="b1 breaks the reader") as broken:
        is_taken(endless, b"", tmp_path, "b1", 0.05)
    assert isinstance(broken.value.__cause__, HangError)


NAMES = ("a" * 300, "\U0001f600" * 200, "a\0b", "\ud800", "x/" * 2500, "/dev/null/x", "")
READERS: dict[str, Callable[[str], object]] = {
    "printer": load_printer, "theme": load_theme, "column grid": load_grid,
    "spec": lambda name: load_spec(Path(name)), "feed": lambda name: load_feed(Path(name)),
    "volume": lambda name: load_volume(Path(name)), "export": lambda name: read_puzzle_source(Path(name)),
    "typeset": typeset_again, "verify": lambda name: verify_folder(Path(name)),
    "preflight": lambda name: preflight(Path(name), load_printer("generic")),
    "ledger": lambda name: Ledger(Path(name), writable=False),
}  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_that_no_file_has_is_refused(reader, name):
    with pytest.raises(LinkpressError):
        READERS[reader](name)


@pytest.mark.parametrize("command", ["preview", "export", "check", "prove", "verify"])
def test_so_it_is_on_the_command_line(command, capfd):
    assert run([command, "a" * 300]) in (2, 4)
    assert "File name too long" in capfd.readouterr().err
