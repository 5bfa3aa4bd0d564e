"""The entry point runs a command, and turns what it raises into a message and an exit code."""

from __future__ import annotations

import contextlib
import errno
import gc
import io
import math
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from types import FrameType

import typer

from linkpress.cli.streams import ReaderLeft, drop_output, is_of_closed_pipe, say
from linkpress.errors import ExitCode, LinkpressError, SpecError
from linkpress.files import explanation, is_file_error

# Typer keeps the root of its usage errors in a private module; this is its public way in.
_TyperUsageError: type[Exception] = typer.BadParameter.__bases__[0]
# What the system's loader says where no memory is left for a library.
_UNMAPPED = ("failed to map segment", "cannot allocate", "Cannot allocate", "cannot map zero-fill")
# What Python says of a call that failed and did not tell why: an import that found no memory is one.
_SILENT = "without exception set"
_NO_FOLDER = (
    "the working folder is gone: it was deleted or moved. Go into one that there is with cd, and give the "
    "same command again."
)
_MEMORY = (
    "memory ran out, or the threads that one may have. What is finished is kept; try fewer --jobs, a smaller "
    "board or a lower resolution, or close other programs."
)
# With less, libraries end the process themselves, or say something untrue, wherever they come upon it.
_LEAST_SPACE_MB = 250
_ARENA_MAX = -8  # M_ARENA_MAX of glibc's malloc.h
_TOO_LITTLE_SPACE = (
    "memory ran out before anything was begun: linkpress needs {least} MB of address space, and this shell "
    "allows {allowed} MB. Raise the limit with 'ulimit -v unlimited', or ask who set it."
)
_OWN_FAULT = (
    "this is a fault of linkpress itself, not of what you gave it. Please report it with the lines above, "
    "the command and what 'linkpress doctor' says."
)
# Two seconds are promised; a busy machine needs the rest.
GRACE_S = 1.5
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_SIGNALS = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]
_asked_to_end = threading.Event()


def main(arguments: Sequence[str] | None = None) -> None:
    """Run linkpress and leave the process with a documented exit code."""
    _hold_standard_streams()
    end_when_asked()
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # or it looks through all that is installed
    try:
        code = run(arguments)
        hear_no_more()
    except KeyboardInterrupt:  # between the command's last line and here
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        leave_at_once(code)
    gc.freeze()  # or Python looks through all of them once more at its end: 0.2 s of a check's 1.0
    sys.exit(code)


def _hold_standard_streams() -> None:
    """Let nothing else get the number of a standard stream that is closed, and be read or written for it."""
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; as ``main``, but returns the exit code."""
    if sys.stderr is None:
        # print(file=None) would put diagnostics among the results.
        sys.stderr = io.StringIO()
    if (allowed := _address_space_mb()) < _LEAST_SPACE_MB:
        return _complain(_TOO_LITTLE_SPACE.format(least=_LEAST_SPACE_MB, allowed=allowed), ExitCode.GAVE_UP)
    if allowed < math.inf:
        _share_one_arena()
    try:
        return _outcome(arguments)
    except SpecError as fault:
        # Each of its lines begins with file, line and column, as editors and people look for it.
        say(str(fault))
        return fault.exit_code
    except LinkpressError as fault:
        return _complain(str(fault), fault.exit_code)
    except _TyperUsageError as fault:
        return _complain(_usage(fault), ExitCode.USAGE)
    except (ReaderLeft, SystemExit):
        # ``| head`` has had enough: nothing to say, and nobody to hear it. Typer answers the same
        # with SystemExit, and nothing else with that.
        drop_output()
        return ExitCode.OK
    except (KeyboardInterrupt, typer.Abort):  # before a command had begun
        return _complain("interrupted", ExitCode.INTERRUPTED)
    except (MemoryError, _OutOfMemoryError):
        return _complain(_MEMORY, ExitCode.GAVE_UP)
    except OSError as fault:
        drop_output()
        if not is_file_error(fault):
            return _own_fault()
        if fault.errno == errno.ENOENT and not fault.filename:
            return _complain(_NO_FOLDER, ExitCode.OUTPUT)
        return _complain(explanation(fault), ExitCode.OUTPUT)
    except Exception:
        if was_asked_to_end():
            return _complain("interrupted; nothing half-written is left", ExitCode.INTERRUPTED)
        return _own_fault()


def _outcome(arguments: Sequence[str] | None) -> int:
    try:
        from linkpress.cli.app import app

        code = app(args=arguments, prog_name="linkpress", standalone_mode=False)
    except Exception as fault:
        if _is_out_of_memory(fault):
            raise _OutOfMemoryError from fault
        raise
    if code == ExitCode.INTERRUPTED:  # Typer's answer, without a word, until a command is running
        raise KeyboardInterrupt
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError as fault:
            if not is_of_closed_pipe(fault):
                raise
            raise ReaderLeft from fault
    return int(code) if isinstance(code, int) else ExitCode.OK


def _is_out_of_memory(fault: BaseException | None) -> bool:
    """Tell whether a fault goes back to the lack of memory or threads, whatever became of it on the way."""
    seen: list[BaseException] = []
    while fault is not None and fault not in seen:
        if (
            isinstance(fault, MemoryError)
            or (isinstance(fault, OSError) and fault.errno == errno.ENOMEM)
            or (isinstance(fault, (ImportError, OSError)) and any(words in str(fault) for words in _UNMAPPED))
            or (isinstance(fault, RuntimeError) and str(fault) == "can't start new thread")
            or (isinstance(fault, SystemError) and _SILENT in str(fault))
        ):
            return True
        seen.append(fault)
        fault = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    return False


def _address_space_mb() -> float:
    """Return how many megabytes this process may address; infinity where nothing limits them."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return math.inf
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return math.inf if limit == resource.RLIM_INFINITY else limit // 10**6


def _share_one_arena() -> None:
    """Let all threads take memory from one place; glibc sets 64 MB of address space aside for each."""
    import ctypes

    with contextlib.suppress(AttributeError, OSError):  # another system's library
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)


class _OutOfMemoryError(Exception):
    """The machine has no more memory or threads to give."""


def _own_fault() -> int:
    say(traceback.format_exc().rstrip())
    return _complain(_OWN_FAULT, ExitCode.INTERNAL)


def _usage(fault: Exception) -> str:
    message: str = getattr(fault, "format_message", fault.__str__)()
    message = message.replace(": Value error, ", ": ").strip() or "Missing command."
    if message[-1] not in ".?!":
        message += "."
    context = getattr(fault, "ctx", None)
    command = context.command_path if context is not None else "linkpress"
    return f"{message} Try '{command} --help'."


def _complain(message: str, code: ExitCode) -> int:
    say(f"linkpress: {message}")
    return code


def end_when_asked() -> None:
    """Answer signals in this process from now on; a signal that is ignored stays so (``nohup``).

    All of them come out of whatever runs as ``KeyboardInterrupt``, once; those that follow while things are
    tidied up change nothing. A long compiled loop keeps Python from hearing the first one, and a file system
    that hangs keeps it from tidying up, so a thread waits for signals as well and ends the process when that
    has not happened by itself in time.
    """
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
    """Tell whether a signal came: some libraries turn the ``KeyboardInterrupt`` into a fault of their own."""
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
