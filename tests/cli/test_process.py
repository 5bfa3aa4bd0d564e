"""Signals, standard streams, errors and exit codes."""

import errno
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import boards
from linkpress.__main__ import main as load_and_run
from linkpress.cli.process import Pulse, write
from linkpress.errors import OutputError
from linkpress.puzzle.link_text import puzzle_text

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="needs a Linux shell")

# A long hash computation stands for any compiled loop, during which Python sees no signals.
IN_COMPILED_LOOP = """
import hashlib
from linkpress.cli.process import handle_signals
handle_signals()
try:
    print("ready", flush=True)
finally:  # even if the signal comes before it
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
"""
CLEANING_UP = """
import os, signal, sys
from linkpress.cli.process import exit_now, handle_signals
handle_signals()
try:
    print("ready", flush=True)
    signal.pause()
except KeyboardInterrupt:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), number)
    print("cleaned up")
    exit_now(130)
"""
TURNED_INTO_ANOTHER_ERROR = """
import os, signal
def command():
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()
    except KeyboardInterrupt:
        raise RuntimeError("an error of a library") from None
from linkpress.cli.process import run_process
run_process(command)
"""
DURING_SHUTDOWN = """
import atexit, os, signal

class Last:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)

last = Last()  # deleted when Python no longer handles signals
atexit.register(os.kill, os.getpid(), signal.SIGINT)
from linkpress.cli.process import run_process
run_process(lambda: 5)
"""
AFTER_THE_COMMAND = """
import signal
from linkpress.cli import process
process.run_command = lambda command: signal.raise_signal(signal.SIGINT)
process.run_process(None)
"""
WITH_DEAF_WORKER = """
import multiprocessing, signal
from linkpress.production.dispatch import Dispatcher, Workers
from linkpress.production.executors import worker_processes
from linkpress.cli.process import exit_now, handle_signals

def ignore_all():
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    print("deaf", flush=True)
    while True:
        signal.pause()

handle_signals()
try:
    print("ready", flush=True)
    with Dispatcher(Workers(1, worker_processes), 1) as dispatcher:
        dispatcher.submit(0, ignore_all)
        while True:
            dispatcher.collect()
except KeyboardInterrupt:
    print(len(multiprocessing.active_children()), "left")
    exit_now(130)
"""
UNDER_NOHUP = """
import os, signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from linkpress.cli.process import handle_signals
handle_signals()
os.kill(os.getpid(), signal.SIGHUP)
print("still here")
"""
WITHOUT_THREADS = """
import threading
def refuse(thread):
    raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
import sys
sys.argv[1:] = ["--version"]
from linkpress.__main__ import main
main()
"""


def reset_signals():
    """Let a new process see signals even if these tests run in the background or under nohup."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def start(script):
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=reset_signals,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    return process


def result_after(process, number):
    process.send_signal(number)
    return (*process.communicate(), process.returncode)


@on_posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_compiled_loop(number):
    assert result_after(start(IN_COMPILED_LOOP), number) == ("", "linkpress: interrupted\n", 130)


@on_posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_further_signals_do_not_cut_the_clean_up_short(number):
    assert result_after(start(CLEANING_UP), number) == ("cleaned up\n", "", 130)


@on_posix
def test_the_clean_up_does_not_wait_for_a_worker_that_ignores_signals():
    process = start(WITH_DEAF_WORKER)
    assert process.stdout.readline() == "deaf\n"
    assert result_after(process, signal.SIGINT) == ("0 left\n", "", 130)


@on_posix
@pytest.mark.parametrize(
    ("script", "code", "out", "err"),
    [
        (UNDER_NOHUP, 0, "still here\n", ""),
        (DURING_SHUTDOWN, 5, "", ""),
        (AFTER_THE_COMMAND, 130, "", ""),
        (TURNED_INTO_ANOTHER_ERROR, 130, "", "linkpress: interrupted; nothing half-written is left\n"),
    ],
)
def test_a_signal_is_reported_unless_it_is_ignored_or_comes_after_the_command(script, code, out, err):
    words = [sys.executable, "-c", script]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=reset_signals)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, out, err)


def test_ctrl_c_while_the_program_is_loaded_ends_without_a_traceback(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "linkpress.cli.process")
    monkeypatch.setattr("importlib._bootstrap._find_spec", interrupt)
    with pytest.raises(SystemExit) as ended:
        load_and_run()
    assert ended.value.code == 130


def test_an_interruption_before_the_command_runs_is_reported(monkeypatch, streams):
    def interrupt(*_arguments, **_options):
        raise KeyboardInterrupt

    monkeypatch.setattr("typer.core.TyperGroup.make_context", interrupt)
    assert streams(["schema"], 130) == ("", "linkpress: interrupted\n")


def test_without_threads_a_command_that_needs_none_works():
    """``ulimit -u 1`` does the same, but not for root."""
    ended = subprocess.run(
        [sys.executable, "-c", WITHOUT_THREADS], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


SPEC = "title: Out\nseed: 5\nlevels: [{name: One, count: 2, size: 5, paths: 4, per_page: 1}]\n"


@on_linux
@pytest.mark.parametrize(
    "limit_mb", [pytest.param(mb, marks=[] if mb == 170 else pytest.mark.soak) for mb in range(150, 401, 10)]
)
def test_a_build_that_runs_out_of_memory_says_so(tmp_path, limit_mb):
    (tmp_path / "b.yaml").write_text(SPEC)
    words = [sys.executable, "-m", "linkpress", "build", "b.yaml", "--jobs", "2", "--no-ledger"]
    limited = ["sh", "-c", f'ulimit -v {limit_mb}000; exec "$@"', "sh", *words]
    ended = subprocess.run(limited, cwd=tmp_path, capture_output=True, text=True)
    assert ended.returncode in ((0, 6) if limit_mb > 240 else (6,))
    if ended.returncode == 6:
        assert re.search("memory ran out|no process can be started", ended.stderr)
        assert "Traceback" not in ended.stderr


@pytest.fixture
def raising(monkeypatch):
    """Return a function that lets every command raise an error."""

    def prepare(error):
        def app(**options):
            raise error

        monkeypatch.setattr("linkpress.cli.app.app", app)

    return prepare


@pytest.mark.parametrize(
    "error",
    [KeyError("x"), OSError("of the engine"), ChildProcessError(errno.ECHILD, "No child processes")],
    ids=["KeyError", "OSError", "ECHILD"],
)
def test_an_internal_error_asks_for_a_report(raising, error, streams):
    raising(error)
    *trace, message = streams(["schema"], 70).err.splitlines()
    assert trace[0].startswith("Traceback")
    assert type(error).__name__ in trace[-1]
    assert message.startswith("linkpress: this is an error in linkpress itself")


def caused_by_memory(error):
    error.__cause__ = MemoryError()
    return error


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (OSError(errno.EACCES, "Permission denied", "a.txt"), 5, "a.txt: Permission denied. Change the perm"),
        (OSError(errno.ENOSPC, "No space left on device"), 5, "standard output: No space left on device. "),
        (MemoryError(), 6, "memory ran out, "),
        (caused_by_memory(OutputError("the font x is damaged")), 6, "memory ran out, "),
        (ImportError("/x.so: failed to map segment from shared object"), 6, "memory ran out, "),
        (RuntimeError("can't start new thread"), 6, "memory ran out, "),
        (SystemError("error return without exception set"), 6, "memory ran out, "),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), 5, "the working folder was deleted"),
        (KeyboardInterrupt(), 130, "interrupted"),
    ],
    ids=["path", "stdout", "memory", "font", "library", "thread", "silent library", "folder", "Ctrl-C"],
)
def test_an_error_of_the_system_is_one_sentence(raising, error, code, message, streams):
    raising(error)
    (line,) = streams(["schema"], code).err.splitlines()
    assert line.startswith(f"linkpress: {message}")


LINKPRESS = f"'{sys.executable}' -m linkpress"


def shell(command):
    """Run a shell command; return its exit code and messages."""
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


@pytest.mark.parametrize("words", ["schema", "--help"])
def test_a_reader_that_closes_the_pipe_is_no_error(words):
    assert shell(f"{LINKPRESS} {words} | true; exit ${{PIPESTATUS[0]}}") == (0, "")


def test_export_draws_every_image_though_nobody_reads_their_names(tmp_path):
    board = tmp_path / "board.txt"
    board.write_text(puzzle_text(boards.SOLVED_BOARD.puzzle), "utf-8")
    words = f"export '{board}' -o '{tmp_path}/images' --png --svg --dpi 100"
    code, said = shell(f"{LINKPRESS} {words} | true; exit ${{PIPESTATUS[0]}}")
    assert (code, said.split(",")[0]) == (0, "4 files")
    assert len(list((tmp_path / "images").iterdir())) == 4


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no /dev/full")
@pytest.mark.parametrize("words", ["schema > /dev/full", "--help > /dev/full", "schema >&-"])
def test_a_full_or_closed_standard_output_is_an_output_error(words):
    code, said = shell(f"{LINKPRESS} {words}")
    assert (code, said.count("\n")) == (5, 1)
    assert said.startswith("linkpress: standard output")


def test_a_file_name_that_is_not_utf8_keeps_its_bytes(capfdbinary):
    write("no\udcfce/interior.pdf\n")
    assert capfdbinary.readouterr().out == b"no\xfce/interior.pdf\n"


@pytest.mark.parametrize("words", ["prove -", "ledger import - --ledger '{}/ledger'"])
def test_a_closed_standard_input_is_an_unreadable_puzzle_file(words, tmp_path):
    code, said = shell(f"{LINKPRESS} {words.format(tmp_path)} <&-")
    assert code == 4
    assert said.startswith("linkpress: standard input can't be read: it is closed.")


@on_linux
def test_no_other_file_takes_the_number_of_a_closed_stream():
    code, said = shell(f"{LINKPRESS} prove /dev/stdin <&-")
    assert (code, "/dev/stdin holds no puzzle" in said) == (4, True)


def test_with_a_closed_standard_error_messages_stay_out_of_the_results(tmp_path):
    results = tmp_path / "results.txt"
    code, _ = shell(f"{LINKPRESS} prove '{tmp_path}/none.txt' 2>&- > '{results}'")
    assert (code, results.read_text(encoding="utf-8")) == (4, "")


def test_a_pulse_prints_one_message_in_ten_seconds(clock, capfd):
    pulse = Pulse()
    for clock[0] in (100.0, 109.9, 110.0, 119.9, 120.0):
        pulse.say(f"at {clock[0]:g}")
    assert capfd.readouterr().err == "at 110\nat 120\n"
