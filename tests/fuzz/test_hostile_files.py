"""Every command uses or refuses any file. It never crashes or hangs, and needs less than a gigabyte.

The default suite tries few damaged files of each kind; ``-m soak`` tries fifty times as many.
"""

import contextlib
import resource
import shutil
import signal
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import damage
import pytest
import sound_samples as samples
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from linkpress.app.build import typeset_again
from linkpress.book.level import load_mask
from linkpress.book.plan import plan_slots
from linkpress.book.spec import load_spec
from linkpress.book.volume import load_volume
from linkpress.cli.app import run
from linkpress.errors import ExitCode, LinkpressError, PuzzleError
from linkpress.feeds.feed_spec import load_feed
from linkpress.images.image_export import read_puzzle_source
from linkpress.images.image_settings import load_grid
from linkpress.layout.theme import load_theme
from linkpress.ledger.store import Ledger
from linkpress.preflight import preflight
from linkpress.printers import load_printer
from linkpress.production.book_puzzles import JOURNAL_FILE, plan_book
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.production_run import ProductionRun
from linkpress.production.slot_search import journal_line
from linkpress.puzzle.ascii_drawing import draw_lines
from linkpress.puzzle.notations import Notation, decode, read_drawings, read_puzzles, write_puzzle
from linkpress.puzzle.symmetry import fingerprint
from linkpress.verify.verification import verify_folder

HANG_S = 20.0  # of processor time
MOST_BYTES = 1 << 30
DOCUMENTED = frozenset(ExitCode) - {ExitCode.INTERNAL, ExitCode.INTERRUPTED}
WITHOUT_OUTPUT = (ExitCode.USAGE, ExitCode.RECIPE, ExitCode.PUZZLE_FILE, ExitCode.OUTPUT)
OUTPUTS = ("out/", "feed/", "new.", "ledger.")
SOAK = pytest.param(50, marks=[pytest.mark.soak, pytest.mark.timeout(7200)])


@dataclass(frozen=True)
class Target:
    """A kind of file: its sound contents, what damages them, and commands that read it, one a line."""

    file: str
    samples: Callable[[], list[bytes]]
    damaged: Callable
    examples: int
    commands: str


def texts(words):
    return lambda inputs: damage.texts(inputs, words)


def json_lines(inputs):
    return damage.json_values(inputs, lines=True)


BOARDS, YAML = texts(damage.BOARDS), texts(damage.YAML)
FEED = "feed feed.yaml --from 2026-12-01 --days 1 -o out --jobs 1 --no-ledger"
IMAGES = "export book -o out --dpi 72"
CHECK = "check other.yaml"
PREFLIGHT = "preflight in.pdf --printer generic --json\npreflight in.pdf --printer lulu --cover"
PAGES = "preview book -o out/sheet.png --pages 1-2"
TARGETS = [
    Target("book.yaml", samples.specs, YAML, 40, "check book.yaml"),
    Target("book.yaml", samples.specs, YAML, 3, "build book.yaml -o out --no-ledger --jobs 1"),
    Target("feed.yaml", samples.feeds, YAML, 20, FEED),
    Target("boards.txt", samples.notations, BOARDS, 9, "solve boards.txt\ngrade boards.txt\nhint boards.txt"),
    Target("boards.txt", samples.notations, BOARDS, 3, "export boards.txt -o out --dpi 72 --svg --png"),
    Target("book/volume.json", samples.volumes, damage.json_values, 40, f"verify book --json\n{PAGES}"),
    Target("book/volume.json", samples.volumes, damage.json_values, 3, "typeset book -o out"),
    Target("own.yaml", samples.shipped("languages/en.yaml"), YAML, 15, "init new.yaml --language own.yaml"),
    Target("changes.yaml", samples.changes_files, YAML, 9, "typeset book -o out --changes changes.yaml"),
    Target("theme.yaml", samples.shipped("themes/*.yaml"), YAML, 20, f"{IMAGES} --theme theme.yaml\n{CHECK}"),
    Target("design.yaml", samples.shipped("covers/*.yaml"), YAML, 5, CHECK),
    Target("printer.yaml", samples.shipped("printers/*.yaml"), YAML, 10, CHECK),
    Target("grid.yaml", samples.shipped("newspapers/*.yaml"), YAML, 20, f"{IMAGES} --grid grid.yaml"),
    Target("in.jsonl", samples.ledger_exports, json_lines, 15, "ledger import in.jsonl --ledger new.sqlite3"),
    Target("ledger.sqlite3", samples.ledger_files, BOARDS, 15, "ledger list\nledger forget one"),
    Target("feed/manifest-x.json", samples.manifests, damage.json_values, 10, FEED.replace("out", "feed")),
    Target("in.pdf", samples.pdfs, damage.pdfs, 15, PREFLIGHT),
    Target("book/interior.pdf", lambda: samples.pdfs()[:1], damage.pdfs, 5, "verify book"),
]
OTHER_SPEC = """\
title: Other
seed: 1
theme: theme.yaml
page: {printer: printer.yaml}
cover: {design: design.yaml, spine_mm: 9}
levels: [{name: A, count: 3, size: 5}]
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """The current folder, with a sound file of each kind."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LINKPRESS_LEDGER", "ledger.sqlite3")
    for name in ("book", "feed"):
        (tmp_path / name).mkdir()
    for target in TARGETS:
        (tmp_path / target.file).write_bytes(target.samples()[0])
    samples.put_own_boards(tmp_path)
    (tmp_path / "other.yaml").write_text(OTHER_SPEC)
    return tmp_path


class HangError(BaseException):
    """An input took too long. No ``except Exception`` catches this."""


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


def examples(count):
    return settings(max_examples=count, suppress_health_check=list(HealthCheck), phases=[Phase.generate])


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


@pytest.mark.parametrize("times", [1, SOAK])
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: f"{target.file}: {target.commands}")
def test_a_damaged_file_is_refused_or_used(target, times, place, capfd):
    """Each command ends with a documented code, and writes whole files and only where it was asked to."""
    inputs, commands = target.samples(), target.commands.splitlines()
    before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    peak = peak_bytes()

    def exit_code(content, command):
        for sidecar in place.glob(f"{target.file}-*"):  # of a database
            sidecar.unlink()
        (place / target.file).write_bytes(content)
        if command.startswith(("build", "feed")) and not makes_little(command.split()[1]):
            return None
        shutil.rmtree(place / "out", ignore_errors=True)
        files = files_in(place)
        with processor_time(HANG_S):
            code = run(command.split())
        out, err = capfd.readouterr()
        assert code in DOCUMENTED, (command, err)
        assert code == ExitCode.OK or err.strip() or out, command
        assert not {name for name in files_in(place) - files if not name.startswith(OUTPUTS)}, command
        endings = {path.suffix for path in place.glob("out/**/*") if path.is_file()}
        assert endings <= {".journal"} if code in WITHOUT_OUTPUT else ".part" not in endings, command
        return code

    assert any(exit_code(content, commands[0]) == ExitCode.OK for content in inputs)

    @examples(target.examples * times)
    @given(target.damaged(inputs), st.sampled_from(commands))
    def try_command(content, command):
        exit_code(content, command)

    try_command()
    assert peak_bytes() <= max(peak, before + MOST_BYTES)


def makes_little(spec):
    """Return whether a damaged spec is refused, or asks for few small boards."""
    try:
        if spec == "feed.yaml":
            days = map(load_feed(Path(spec)).week.day, range(7))
            return all(size.rows * size.cols < 80 for day in days if day for size in day.size)
        levels = load_spec(Path(spec)).levels
    except LinkpressError:
        return True
    return sum(level.count * max(size.rows * size.cols for size in level.size) for level in levels) < 160


def files_in(folder):
    return {str(path.relative_to(folder)) for path in folder.glob("**/*") if path.is_file()}


@pytest.mark.parametrize("times", [1, SOAK])
def test_damaged_boards_are_refused_or_written_and_read_again(times):
    @examples(240 * times)
    @given(damage.texts(samples.notations(), damage.BOARDS))
    def read_boards(content):
        with contextlib.suppress(LinkpressError), processor_time(HANG_S):
            for puzzle in read_puzzles(decode(content))[:20]:
                fingerprint(puzzle)
                for notation in Notation:
                    with contextlib.suppress(PuzzleError):  # compact and url can't hold every board
                        assert read_puzzles(write_puzzle(puzzle, notation)) == [puzzle]
            for puzzle, edges in read_drawings(decode(content))[:20]:
                draw_lines(puzzle, edges)

    read_boards()


def test_a_damaged_journal_is_repaired_or_refused(tmp_path):
    spec, journal = samples.small_spec(), tmp_path / JOURNAL_FILE

    def finished_lines():
        with ProductionRun.open(plan_book(spec), journal, NO_LEDGER, maker=None) as production:
            return [journal_line(finished) for finished in production.resume(plan_slots(spec)).values()]

    @examples(40)
    @given(damage.journals(samples.build_journals()))
    def read_journal(content):
        journal.write_bytes(content)
        with contextlib.suppress(LinkpressError), processor_time(HANG_S):
            first, second = (finished_lines() for _ in range(2))  # the first reading repairs the file
            assert first == second

    read_journal()


@examples(100)
@given(damage.texts(samples.masks(), damage.BOARDS))
def test_a_damaged_mask_is_refused_or_used(tmp_path, content):
    (mask := tmp_path / "mask.png").write_bytes(content)
    with contextlib.suppress(LinkpressError), processor_time(HANG_S):
        grid = load_mask(mask)
        assert load_mask(mask, grid.rows, grid.cols) == grid


def test_an_input_that_takes_too_long_is_a_hang():
    def go_on_after_errors():
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    with pytest.raises(HangError), processor_time(0.05):
        go_on_after_errors()


NAMES = ("\U0001f600" * 200, "a\0b", "\ud800", "x/" * 2500, "/dev/null/x", "")
READERS = {
    "printer": load_printer, "theme": load_theme, "column grid": load_grid,
    "spec": lambda name: load_spec(Path(name)), "feed": lambda name: load_feed(Path(name)),
    "volume": lambda name: load_volume(Path(name)), "export": lambda name: read_puzzle_source(Path(name)),
    "typeset": typeset_again, "verify": lambda name: verify_folder(Path(name)),
    "preflight": lambda name: preflight(Path(name), load_printer("generic")),
    "ledger": lambda name: Ledger(Path(name), writable=False),
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=ascii)
@pytest.mark.parametrize("reader", READERS)
def test_a_name_that_no_file_can_have_is_refused(reader, name):
    with pytest.raises(LinkpressError):
        READERS[reader](name)


@pytest.mark.parametrize("command", ["preview", "export", "check", "prove", "verify"])
def test_a_name_that_no_file_can_have_is_refused_on_the_command_line(command, capfd):
    assert run([command, "a" * 300]) in (2, 4)
    assert "File name too long" in capfd.readouterr().err
