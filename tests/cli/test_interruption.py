"""Signals, in processes of their own; a computation that never looks up stands for a compiled loop."""

import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")

DEAF = """
import hashlib
from linkpress.cli.main import end_when_asked
end_when_asked()
try:
    print("ready", flush=True)
finally:  # even if the signal comes before it
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2**31 - 1)
"""
TIDYING = """
import os, signal, sys
from linkpress.cli.main import end_when_asked, leave_at_once
end_when_asked()
try:
    print("ready", flush=True)
    signal.pause()
except KeyboardInterrupt:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(os.getpid(), number)
    print("tidied")
    leave_at_once(130)
"""
LOST_ON_THE_WAY = """
import os, signal, sys, types
def app(**words):
    try:
        os.kill(os.getpid(), signal.SIGINT)
        signal.pause()
    except KeyboardInterrupt:
        raise RuntimeError("a library's own") from None
sys.modules["linkpress.cli.app"] = types.SimpleNamespace(app=app)
from linkpress.cli.main import main
main([])
"""
ENDING = """
import atexit, os, signal, sys, types

class Last:
    def __del__(self, kill=os.kill, process=os.getpid(), number=signal.SIGINT):
        kill(process, number)

last = Last()  # taken apart when Python hears no signals any more
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.modules["linkpress.cli.app"] = types.SimpleNamespace(app=lambda **words: 5)
from linkpress.cli.main import main
main([])
"""
AFTER_THE_LAST_LINE = """
import signal
from linkpress.cli import main
main.run = lambda arguments: signal.raise_signal(signal.SIGINT)
main.main([])
"""
WITH_DEAF_WORKER = """
import multiprocessing, signal
from linkpress.production.dispatch import Dispatcher, Workers
from linkpress.production.executors import worker_processes
from linkpress.cli.main import end_when_asked, leave_at_once

def hear_nothing():
    for number in set(signal.valid_signals()) - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    print("deaf", flush=True)
    while True:
        signal.pause()

end_when_asked()
try:
    print("ready", flush=True)
    with Dispatcher(Workers(1, worker_processes), 1) as dispatcher:
        dispatcher.submit(0, hear_nothing)
        while True:
            dispatcher.collect()
except KeyboardInterrupt:
    print(len(multiprocessing.active_children()), "left")
    leave_at_once(130)
"""
NOHUP = """
import os, signal
signal.signal(signal.SIGHUP, signal.SIG_IGN)
from linkpress.cli.main import end_when_asked
end_when_asked()
os.kill(os.getpid(), signal.SIGHUP)
print("still here")
"""


def hear_signals():
    """Also where these tests run in the background or under nohup."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def started(script):
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=hear_signals,
    )  # fmt: skip
    assert process.stdout.readline() == "ready\n"
    return process


def ended_by(process, number):
    process.send_signal(number)
    return (*process.communicate(), process.returncode)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_what_does_not_look_up_is_ended_all_the_same(number):
    assert ended_by(started(DEAF), number) == ("", "linkpress: interrupted\n", 130)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_further_signals_do_not_cut_the_tidying_short(number):
    assert ended_by(started(TIDYING), number) == ("tidied\n", "", 130)


def test_tidying_does_not_wait_for_a_worker_that_ignores_signals():
    process = started(WITH_DEAF_WORKER)
    assert process.stdout.readline() == "deaf\n"
    assert ended_by(process, signal.SIGINT) == ("0 left\n", "", 130)


def test_under_nohup_a_lost_terminal_is_no_matter():
    done = subprocess.run([sys.executable, "-c", NOHUP], capture_output=True, text=True, check=True)
    assert done.stdout == "still here\n"


@pytest.mark.parametrize(
    ("script", "code", "said"),
    [
        (ENDING, 5, ""), (AFTER_THE_LAST_LINE, 130, ""),
        (LOST_ON_THE_WAY, 130, "linkpress: interrupted; nothing half-written is left\n"),
    ],
)  # fmt: skip
def test_an_interruption_is_told_also_as_a_library_s_fault_but_not_when_all_is_done(script, code, said):
    words = [sys.executable, "-c", script]
    ended = subprocess.run(words, capture_output=True, text=True, check=False, preexec_fn=hear_signals)
    assert (ended.returncode, ended.stdout, ended.stderr) == (code, "", said)
