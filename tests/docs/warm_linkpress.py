"""A process that has loaded all of linkpress, and makes a fork of itself for each command that asks for one.

Run: ``python warm_linkpress.py FIFO``. What asks writes its process number into that pipe; the command
gets its arguments, environment, folder and streams as Linux tells them of a process, and its exit code is
written into the pipe of that name with the number behind it. Starting takes half of most commands' time.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import pkgutil
import signal
import stat
import sys
from pathlib import Path

import linkpress
from linkpress.__main__ import main
from linkpress.production import trial

CLIENT = '#!/bin/sh\nmkfifo "$0.$$"; echo $$ > "$0.asked"; read -r code < "$0.$$"; rm "$0.$$"; exit "$code"\n'


def load_all() -> None:
    """Load every module but those of programs that are not installed."""
    for module in pkgutil.walk_packages(linkpress.__path__, "linkpress."):
        if not module.name.endswith("__main__"):
            with contextlib.suppress(Exception):
                importlib.import_module(module.name)


def become(asking: Path) -> None:
    """Take arguments, environment, folder and streams of the process that asks, and run the command."""
    os.chdir(asking / "cwd")
    sys.argv = [os.fsdecode(word) for word in (asking / "cmdline").read_bytes().split(b"\0")[1:-1]]
    os.environ.clear()
    for word in (asking / "environ").read_bytes().split(b"\0")[:-1]:
        name, _, value = os.fsdecode(word).partition("=")
        os.environ[name] = value
    for number, mode in enumerate((os.O_RDONLY, os.O_WRONLY, os.O_WRONLY)):
        stream = asking / "fd" / str(number)
        file = stat.S_ISREG(stream.stat().st_mode)
        os.dup2(os.open(stream, mode | (os.O_APPEND if file and number else 0)), number)
    try:
        main()
    except SystemExit as ended:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(
            int(ended.code or 0)
        )  # to take all that was loaded apart would take longer than most commands


def serve(asked: Path) -> None:
    """Answer for ever; whoever asks has a process of its own that waits for its command."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        for number in asked.read_text().split():
            if os.fork():
                continue
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            command = os.fork()
            if command == 0:
                become(Path("/proc", number))
                return
            code = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
            asked.with_name(f"linkpress.{number}").write_text(f"{code}\n")
            os._exit(0)


if __name__ == "__main__":
    load_all()
    trial.TRIAL_WORK //= 10  # which shows as much
    gc.freeze()
    serve(Path(sys.argv[1]))
