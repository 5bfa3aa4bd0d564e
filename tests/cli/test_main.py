"""What every command answers to a wrong command line."""

import errno
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

import boards
from linkpress.__main__ import main as load_and_run
from linkpress.app import doctor
from linkpress.app.doctor import CheckState, Result
from linkpress.book.plan import plan_slots
from linkpress.cli.app import app
from linkpress.cli.progress import showing_progress
from linkpress.cli.streams import Pulse, write
from linkpress.errors import OutputError
from linkpress.production.forecast import Forecast
from linkpress.puzzle.notation.link_text import puzzle_text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["build", "s.yaml", "--jobs", "0"], "greater than or equal to 1. Try 'linkpress build --help'."),
        (["build"], "Missing argument 'SPEC...'. Try 'linkpress build --help'."),
        (["build", "s.yaml", "--nope"], "No such option: --nope. Try 'linkpress build --help'."),
        (["generate", "--method", "x"], "'--method': 'x' is not one of 'walk', 'quick', 'classic'. Try "),
        (["ledger"], "linkpress: Missing command. Try 'linkpress ledger --help'."),
        (["nope"], "No such command 'nope'. Try 'linkpress --help'."),
    ],
)
def test_a_wrong_command_line_is_answered_in_sentences_and_with_where_to_look(words, said, streams):
    (line,) = streams(words, 2).err.splitlines()
    assert said in line


def test_an_interruption_before_the_command_runs_is_told_too(monkeypatch, streams):
    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperGroup.make_context", stop)
    assert streams(["schema"], 130) == ("", "linkpress: interrupted\n")


@pytest.fixture
def raising(monkeypatch):
    """A command that raises what it is given."""

    def prepare(fault):
        def app(**options):
            raise fault

        monkeypatch.setattr("linkpress.cli.app.app", app)

    return prepare


@pytest.mark.parametrize(
    "fault",
    [KeyError("x"), OSError("of the engine"), ChildProcessError(errno.ECHILD, "No child processes")],
    ids=["KeyError", "OSError", "ECHILD"],
)
def test_a_fault_of_linkpress_itself_is_called_so_with_what_to_report(raising, fault, streams):
    raising(fault)
    *trace, said = streams(["schema"], 70).err.splitlines()
    assert trace[0].startswith("Traceback")
    assert type(fault).__name__ in trace[-1]
    assert said.startswith("linkpress: this is a fault of linkpress itself")
    assert "report it" in said


def from_memory(fault):
    """A fault that comes of the lack of memory, as whoever met it first tells it."""
    fault.__cause__ = MemoryError()
    return fault


@pytest.mark.skipif(sys.platform != "linux", reason="numbers of streams are handed on by a shell")
def test_a_closed_standard_stream_is_no_other_file_and_not_waited_for():
    command = [sys.executable, "-m", "linkpress", "prove", "/dev/stdin"]
    told = subprocess.run(["sh", "-c", '"$@" <&-', "sh", *command], capture_output=True, text=True)
    assert (told.returncode, told.stdout) == (4, "")
    assert "/dev/stdin holds no puzzle" in told.stderr


def test_ctrl_c_while_the_program_is_loaded_ends_without_a_traceback(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "linkpress.cli.main")
    monkeypatch.setattr("importlib._bootstrap._find_spec", interrupted)
    with pytest.raises(SystemExit) as ended:
        load_and_run()
    assert ended.value.code == 130


SPEC = """\
title: Out
seed: 5
page: {trim: 6x9in}
levels: [{name: One, count: 2, size: 5, paths: 4, per_page: 1}]
"""


def test_where_no_thread_may_be_started_a_command_that_needs_none_works():
    """As under ``ulimit -u 1``, which bounds the threads of every user but root."""
    script = (
        "import threading\n"
        "def refuse(thread):\n"
        '    raise RuntimeError("can\'t start new thread")\n'
        "threading.Thread.start = refuse\n"
        "from linkpress.cli.main import main\n"
        "main(['--version'])"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="ulimit -v is Linux's")
@pytest.mark.parametrize(
    "limit_mb", [pytest.param(mb, marks=[] if mb == 170 else pytest.mark.soak) for mb in range(150, 401, 10)]
)
def test_a_build_that_runs_out_of_memory_ends_and_says_so(tmp_path, limit_mb):
    (tmp_path / "b.yaml").write_text(SPEC)
    words = [sys.executable, "-m", "linkpress", "build", "b.yaml", "--jobs", "2", "--no-ledger"]
    limited = ["sh", "-c", f'ulimit -v {limit_mb}000; exec "$@"', "sh", *words]
    told = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True)
    assert told.returncode in ((0, 6) if limit_mb > 240 else (6,))
    if told.returncode == 6:
        assert re.search("memory ran out|no process can be started", told.stderr)
        assert "Traceback" not in told.stderr


@pytest.mark.parametrize(
    ("fault", "code", "said"),
    [
        (OSError(errno.EACCES, "Permission denied", "a.txt"), 5, "a.txt: Permission denied. Change the perm"),
        (OSError(errno.ENOSPC, "No space left on device"), 5, "standard output: No space left on device. "),
        (MemoryError(), 6, "memory ran out, "),
        (from_memory(OutputError("the font x can't be used: it is damaged ()")), 6, "memory ran out, "),
        (ImportError("/x.so: failed to map segment from shared object"), 6, "memory ran out, "),
        (RuntimeError("can't start new thread"), 6, "memory ran out, "),
        (SystemError("error return without exception set"), 6, "memory ran out, "),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), 5, "the working folder is gone"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=[
        "a path", "stdout", "memory", "called a font", "a library", "a thread", "a silent library",
        "no folder", "Ctrl-C",
    ],
)  # fmt: skip
def test_a_fault_of_the_machine_is_a_sentence(raising, fault, code, said, streams):
    raising(fault)
    (line,) = streams(["schema"], code).err.splitlines()
    assert line.startswith(f"linkpress: {said}")


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still at ``clock[0]``."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_of_many_lines_one_in_ten_seconds_is_said(clock, capfd):
    pulse = Pulse()
    for clock[0] in (100.0, 109.9, 110.0, 119.9, 120.0):
        pulse.say(f"at {clock[0]:g}")
    assert capfd.readouterr().err == "at 110\nat 120\n"


def test_a_first_puzzle_that_takes_long_is_not_waited_for_in_silence(spec, clock, capfd):
    forecast = Forecast(7)
    forecast.expect(plan_slots(spec))
    with showing_progress() as watcher:
        clock[0] = 200.0  # the time before puzzles are made does not count
        watcher.planned(forecast)
        for clock[0] in (201.0, 211.0, 212.0):
            watcher.waiting()
        watcher.drawing(3)
        clock[0] = 230.0
        watcher.drawn()
    assert capfd.readouterr().err == "made 0 of 7 puzzles; puzzle 1 of level Easy\ndrew 1 of 3 days\n"


LINKPRESS = f"'{sys.executable}' -m linkpress"


def ends_with(command):
    """Exit code and diagnostics of a shell command."""
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def test_no_line_of_a_commands_help_ends_before_its_paragraph():
    commands = get_command(app).commands
    assert [name for name in commands if re.search(r"[^\n]\n[^\n]", commands[name].help or "")] == []


@pytest.mark.parametrize("words", ["schema", "--help"])
def test_a_reader_that_has_left_is_no_fault(words):
    assert ends_with(f"{LINKPRESS} {words} | true; exit ${{PIPESTATUS[0]}}") == (0, "")


def test_export_draws_every_image_though_nobody_reads_their_names(tmp_path):
    board = tmp_path / "board.txt"
    board.write_text(puzzle_text(boards.SOLVED_BOARD.puzzle), "utf-8")
    words = f"export '{board}' -o '{tmp_path}/images' --png --svg --dpi 100"
    code, said = ends_with(f"{LINKPRESS} {words} | true; exit ${{PIPESTATUS[0]}}")
    assert (code, said.split(",")[0]) == (0, "4 files")
    assert len(list((tmp_path / "images").iterdir())) == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", ["schema > /dev/full", "--help > /dev/full", "schema >&-"])
def test_a_full_disk_or_nothing_behind_stdout_is_an_output_that_cannot_be_written(words):
    code, said = ends_with(f"{LINKPRESS} {words}")
    assert (code, said.count("\n")) == (5, 1)
    assert said.startswith("linkpress: standard output")


def test_a_file_name_that_is_no_utf8_is_told_as_it_is(capfdbinary):
    write("no\udcfce/interior.pdf\n")
    assert capfdbinary.readouterr().out == b"no\xfce/interior.pdf\n"


@pytest.mark.parametrize("words", ["prove -", "ledger import - --ledger '{}/ledger'"])
def test_a_closed_stdin_is_an_unreadable_puzzle_file(words, tmp_path):
    code, said = ends_with(f"{LINKPRESS} {words.format(tmp_path)} <&-")
    assert code == 4
    assert said.startswith("linkpress: standard input can't be read: it is closed.")


def test_with_a_closed_stderr_diagnostics_stay_out_of_the_results(tmp_path):
    results = tmp_path / "results.txt"
    code, _ = ends_with(f"{LINKPRESS} prove '{tmp_path}/none.txt' 2>&- > '{results}'")
    assert (code, results.read_text(encoding="utf-8")) == (4, "")


FINE = Result(CheckState.FINE, "3.11.7", name="python")
POOR = Result(CheckState.POOR, "512 MB", "Use --jobs 1.", "memory")
BROKEN = Result(CheckState.BROKEN, "damaged", "Put back a copy.", "ledger")


def test_each_result_is_a_line_and_each_remedy_another(monkeypatch, streams):
    monkeypatch.setattr(doctor, "check_up", lambda *asked: iter((FINE, POOR)))
    assert [line.split(maxsplit=2) for line in streams(["doctor"]).out.splitlines()] == [
        ["fine", "python", "3.11.7"],
        ["poor", "memory", "512 MB"],
        ["Use", "--jobs", "1."],
    ]


def test_something_broken_makes_the_exit_code_one_in_words_and_as_json(monkeypatch, streams):
    monkeypatch.setattr(doctor, "check_up", lambda *asked: iter((FINE, BROKEN)))
    assert "Put back a copy." in streams(["doctor"], 1).out
    said = json.loads(streams(["doctor", "--json"], 1).out)
    assert said["ok"] is False
    told = {"name": "ledger", "state": "broken", "text": "damaged", "remedy": "Put back a copy."}
    assert said["checks"][1] == told


def test_this_installation_can_make_a_book(streams, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = json.loads(streams(["doctor", "--ledger", str(tmp_path / "ledger.sqlite3"), "--json"]).out)
    assert said["ok"] is True
    names = "python packages fonts printers files newspaper kernels ledger folders cores memory trial"
    assert [check["name"] for check in said["checks"]] == names.split()
