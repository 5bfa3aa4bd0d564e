"""Being asked to end: by Ctrl-C, Ctrl-Break or SIGTERM, or because the terminal is gone (SIGHUP).

All three come out of whatever runs as ``KeyboardInterrupt``, once; those that follow while things
are tidied up change nothing. A long compiled loop keeps Python from hearing the first one, and a
file system that hangs keeps it from tidying up, so a thread waits for signals as well and ends the
process when that has not happened by itself in time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
from types import FrameType

from linkpress.errors import ExitCode

# Two seconds are promised; a busy machine needs the rest.
GRACE_S = 1.5
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_SIGNALS = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
_asked_to_end = threading.Event()


def end_when_asked() -> None:
    """Answer signals in this process from now on; a signal that is ignored stays so (``nohup``)."""
    asked = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    if not asked:
        return

    def stop(number: int, frame: FrameType | None) -> None:
        hear_no_more()
        _asked_to_end.set()
        raise KeyboardInterrupt

    for number in asked:
        signal.signal(number, stop)
    if sys.platform != "win32":
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        watch = threading.Thread(target=_see_to_it, args=(reading, frozenset(asked)), daemon=True)
        with contextlib.suppress(RuntimeError):  # 'ulimit -u' allows none: Python alone hears signals then
            watch.start()


def hear_no_more() -> None:
    """Let no signal change what the process ends with; Python's own way out would die of one."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def was_asked_to_end() -> bool:
    """Whether a signal came: some libraries turn the ``KeyboardInterrupt`` into a fault of their own."""
    return _asked_to_end.is_set()


def leave_at_once(code: int) -> None:
    """End with an exit code without taking Python apart, which takes a while once much is loaded."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _see_to_it(reading: int, asked: frozenset[int]) -> None:
    while not asked.intersection(os.read(reading, 64)):
        pass
    threading.Event().wait(GRACE_S)
    os.write(2, b"linkpress: interrupted\n")
    os._exit(ExitCode.INTERRUPTED)
