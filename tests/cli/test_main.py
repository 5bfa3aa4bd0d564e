"""What every command answers to a wrong command line."""

import errno
import re
import subprocess
import sys

import pytest

from linkpress.__main__ import main as load_and_run
from linkpress.cli.main import run
from linkpress.errors import OutputError


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
def test_a_wrong_command_line_is_answered_in_sentences_and_with_where_to_look(words, said, capfd):
    assert run(words) == 2
    (line,) = capfd.readouterr().err.splitlines()
    assert said in line


def test_an_interruption_before_the_command_runs_is_told_too(monkeypatch, capfd):
    def stop(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperGroup.make_context", stop)
    assert run(["schema"]) == 130
    assert capfd.readouterr() == ("", "linkpress: interrupted\n")


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
def test_a_fault_of_linkpress_itself_is_called_so_with_what_to_report(raising, fault, capfd):
    raising(fault)
    assert run(["schema"]) == 70
    *trace, said = capfd.readouterr().err.splitlines()
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
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


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
        "a path",
        "stdout",
        "memory",
        "called a font",
        "a library",
        "a thread",
        "a silent library",
        "no folder",
        "Ctrl-C",
    ],
)
def test_a_fault_of_the_machine_is_a_sentence(raising, fault, code, said, capfd):
    raising(fault)
    assert run(["schema"]) == code
    (line,) = capfd.readouterr().err.splitlines()
    assert line.startswith(f"linkpress: {said}")
