"""Every reader uses or refuses any input; it raises nothing else, never hangs and needs less than a gigabyte.

The default suite tries few inputs for each reader; ``-m soak`` tries fifty times as many.
"""

import contextlib
import resource
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import damage
import pytest
import sound_samples as samples
from hypothesis import HealthCheck, Phase, given, settings

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
HANG_S = 20.0  # of processor time
MOST_BYTES = 1 << 30


def put(folder, name, content):
    path = folder / name
    path.write_bytes(content)
    return path


def read_boards(content, folder):
    for puzzle in read_puzzles(decode(content))[:20]:
        fingerprint(puzzle)
        for form in Notation:
            try:
                text = write_puzzle(puzzle, form)
            except PuzzleError:
                continue  # compact and url can't hold every board
            assert read_puzzles(text) == [puzzle]
    for puzzle, edges in read_drawings(decode(content))[:20]:
        draw_lines(puzzle, edges)


def read_spec(content, folder):
    samples.put_own_boards(folder)
    spec = read_book(put(folder, "spec.yaml", content)).checked()
    assert BookSpec.model_validate(spec.document()).document() == spec.document()
    if spec.puzzle_count <= 300:
        plan_slots(spec)
    cells = sum(max(size.rows * size.cols for size in level.size) for level in spec.levels)
    if spec.puzzle_count <= 30 and cells < 500:
        plan_text(dry_run(Document(spec)).checked()).encode()


def read_feed(content, folder):
    spec = load_feed(put(folder, "feed.yaml", content))
    spec.model_dump_json()
    for day in issue_days(spec, read_dates("2026-12-01", 14)):
        name = spec.template.name(NameFields(day, 12, ImageKind.PUZZLE, 2, 600), ".png")
        assert (folder / name).resolve().is_relative_to(folder.resolve())


def read_words(content, folder):
    words = load_words(put(folder, "words.yaml", content))
    for of_dots in (False, True):
        words_of(words, of_dots=of_dots).say(words.solution_on, page=9).encode()
    document = BookSpec.model_validate({**samples.small_spec().document(), "language": words}).document()
    assert BookSpec.model_validate(document).document() == document


def read_changes(content, folder):
    changes = resolve_language(read_yaml(put(folder, "changes.yaml", content)))
    spec = with_printing_changes(samples.small_spec(), {"edition": "Second"}, changes)
    assert plan_slots(spec) == plan_slots(samples.small_spec())


def read_theme(content, folder):
    theme = load_theme(put(folder, "theme.yaml", content))
    for profile, _ in PRINTED:
        theme_problems(theme, profile)


def read_design(content, folder):
    put(folder, "design.yaml", content)
    text = b"title: T\nseed: 1\ncover: {design: design.yaml}\nlevels: [{name: A, count: 30, size: 5}]\n"
    dry_run(Document(load_spec(put(folder, "spec.yaml", text)))).checked()


def read_mask(content, folder):
    grid = load_mask(put(folder, "mask.png", content))
    assert load_mask(folder / "mask.png", grid.rows, grid.cols) == grid


def read_printer(content, folder):
    profile = load_printer(put(folder, "printer.yaml", content))
    for trim in (Size(432, 648), *profile.trims.sizes[:2]):
        profile.page_limits(trim)
        for pages in (1, 24, 10_000):
            [str(problem).encode() for problem in profile.check(trim, pages)]
            profile.margins(pages, bleed=True)
            profile.pages_to_print(pages, trim)


def read_grid(content, folder):
    assert load_grid(str(put(folder, "grid.yaml", content))).width_mm(1) > 0


def read_volume(content, folder):
    text = volume_json(load_volume(put(folder, "volume.json", content)))
    assert volume_json(load_volume(put(folder, "again.json", text.encode()))) == text


def read_journal(content, folder):
    spec = samples.small_spec()
    journal = put(folder, JOURNAL_FILE, content)
    for _ in range(2):  # the first reading repairs the file
        with ProductionRun.open(plan_book(spec), journal, NO_LEDGER, maker=None) as production:
            found = [journal_line(finished) for finished in production.resume(plan_slots(spec)).values()]
    return found != []


def read_export(content, folder):
    path = folder / "into.sqlite3"
    path.unlink(missing_ok=True)
    with Ledger(path) as ledger:
        import_ledger(ledger, content.decode("utf-8", "replace").splitlines(), "an export")
        "".join(export_ledger(ledger)).encode()


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
    with Ledger(path) as ledger, ledger.begin(Holder(Kind.VOLUME, "two"), "Two"):
        pass


def read_manifest(content, folder):
    put(folder, "manifest-x.json", content)
    read = read_folder(folder, "daily")
    for day in list(read.items)[:3]:
        assert read.issue(day).record.puzzle.grid.size
        for rendition in (one for item in read.items[day] for one in item.renditions):
            read.check_unchanged(rendition.file, "it drawn again")


def read_pdf(content, folder):
    reports = [preflight(content, profile, Requirements(cover=cover)) for profile, cover in PRINTED]
    for report in reports:
        (report.text() + report.as_json()).encode()
    return any(report.passed for report in reports)


def verify(content, folder):
    put(folder, "volume.json", samples.volumes()[0])
    put(folder, "interior.pdf", content)
    verdict = verify_folder(folder)
    (verdict.text() + verdict.as_json()).encode()
    return verdict.passed


@dataclass(frozen=True)
class Target:
    """A reader: its sound inputs, the strategy that damages them, and how many damaged ones to try."""

    name: str
    samples: Callable[[], list[bytes]]
    damaged: Callable
    read: Callable[[bytes, Path], object]
    count: int


def boards(inputs):
    return damage.texts(inputs, damage.BOARDS)


def yaml(inputs):
    return damage.texts(inputs, damage.YAML)


def json_lines(inputs):
    return damage.json_values(inputs, lines=True)


TARGETS = (
    Target("boards", samples.board_texts, boards, read_boards, 120),
    Target("addresses", samples.addresses, boards, read_boards, 120),
    Target("drawings", samples.drawings, boards, read_boards, 120),
    Target("book spec", samples.specs, yaml, read_spec, 40),
    Target("feed spec", samples.feeds, yaml, read_feed, 30),
    Target("words file", samples.shipped("languages/[et][nh].yaml"), yaml, read_words, 15),
    Target("changes file", samples.changes_files, yaml, read_changes, 40),
    Target("theme", samples.shipped("themes/*.yaml"), yaml, read_theme, 30),
    Target("cover design", samples.shipped("covers/*.yaml"), yaml, read_design, 5),
    Target("mask", samples.masks, boards, read_mask, 100),
    Target("printer profile", samples.shipped("printers/*.yaml"), yaml, read_printer, 20),
    Target("column grid", samples.shipped("newspapers/*.yaml"), yaml, read_grid, 30),
    Target("volume.json", samples.volumes, damage.json_values, read_volume, 60),
    Target("build journal", samples.build_journals, damage.journals, read_journal, 40),
    Target("ledger import", samples.ledger_exports, json_lines, read_export, 15),
    Target("ledger file", samples.ledger_files, boards, read_ledger, 15),
    Target("feed manifest", samples.manifests, damage.json_values, read_manifest, 10),
    Target("preflight", samples.pdfs, damage.pdfs, read_pdf, 15),
    Target("verify", samples.interiors, damage.pdfs, verify, 5),
)  # fmt: skip


class HangError(BaseException):
    """An input took too long; no ``except Exception`` of the reader catches this."""


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


def is_good(read, content, folder, limit_s=HANG_S):
    """Return whether a reader finds an input good, and let everything but its own errors through."""
    try:
        with processor_time(limit_s):
            return read(content, folder) is not False
    except LinkpressError:
        return False


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


@pytest.mark.parametrize("times", [1, pytest.param(50, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_input_breaks_a_reader(target, times, tmp_path):
    inputs = target.samples()
    before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    peak = peak_bytes()
    assert any(is_good(target.read, sample, tmp_path) for sample in inputs)
    found_good = []

    @settings(
        max_examples=target.count * times, suppress_health_check=list(HealthCheck), phases=[Phase.generate]
    )
    @given(target.damaged(inputs))
    def try_input(content):
        found_good.append(is_good(target.read, content, tmp_path))

    try_input()
    assert not all(found_good)
    assert peak_bytes() <= max(peak, before + MOST_BYTES)


def test_an_input_that_takes_too_long_is_a_hang(tmp_path):
    def read(content, folder):
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    with pytest.raises(HangError):
        is_good(read, b"", tmp_path, 0.05)


NAMES = ("\U0001f600" * 200, "a\0b", "\ud800", "x/" * 2500, "/dev/null/x", "")
READERS: dict[str, Callable[[str], object]] = {
    "printer": load_printer, "theme": load_theme, "column grid": load_grid,
    "spec": lambda name: load_spec(Path(name)), "feed": lambda name: load_feed(Path(name)),
    "volume": lambda name: load_volume(Path(name)), "export": lambda name: read_puzzle_source(Path(name)),
    "typeset": typeset_again, "verify": lambda name: verify_folder(Path(name)),
    "preflight": lambda name: preflight(Path(name), load_printer("generic")),
    "ledger": lambda name: Ledger(Path(name), writable=False),
}  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
def test_a_name_that_no_file_can_have_is_refused(reader):
    for name in NAMES:
        with pytest.raises(LinkpressError):
            READERS[reader](name)


@pytest.mark.parametrize("command", ["preview", "export", "check", "prove", "verify"])
def test_a_name_that_no_file_can_have_is_refused_on_the_command_line(command, capfd):
    assert run([command, "a" * 300]) in (2, 4)
    assert "File name too long" in capfd.readouterr().err
