"""Ctrl-C in the middle of a question to python-sat, which has a way of its own with it."""

import subprocess
import sys

import pytest

SCRIPT = """
import os, signal, subprocess, sys, threading, time
from linkpress.engine.make.cover import grow_cover
from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.prove.board_search import Budget
from linkpress.engine.prove.sat import DrawingSearch

def see_to_it():
    time.sleep(1)
    print("the lock is free", flush=True)
    os._exit(130)

signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it was ignored, in the background
if sys.argv[1] == "seen to":
    signal.signal(signal.SIGINT, lambda *_: None)
    threading.Thread(target=see_to_it, daemon=True).start()
with DrawingSearch(grow_cover(40, 40, "3").solution.puzzle, DrawingKind.ANY, Budget(10**9)) as search:
    try:
        subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {os.getpid()}"])
        while search.find():
            pass
    except KeyboardInterrupt:
        print("KeyboardInterrupt")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")
@pytest.mark.parametrize(
    ("who", "said"), [("left to Python", "KeyboardInterrupt"), ("seen to", "the lock is free")]
)
def test_ctrl_c_ends_a_question_or_lets_others_end_it(who, said):
    done = subprocess.run([sys.executable, "-c", SCRIPT, who], capture_output=True, text=True, check=False)
    assert said in done.stdout.splitlines(), done.stderr
