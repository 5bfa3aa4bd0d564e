"""Run linkpress as a process: print messages and results, report errors, handle signals and closed streams.

Results go to standard output, messages to standard error. ``run_command`` turns an exception of the command
into a message and one of the exit codes in ``ExitCode``.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import io
import json
import math
import os
import signal
import stat
import sys
import threading
import time
import traceback
from collections.abc import Callable
from types import FrameType
from typing import TextIO

import typer

from linkpress.errors import ExitCode, LinkpressError, OutputError, SpecError
from linkpress.files import explanation, is_file_error

# Base class of Typer's usage errors. It is in a private module, but has a public subclass.
_TyperUsageError: type[Exception] = typer.BadParameter.__bases__[0]
# Phrases by which the dynamic loader's error messages say that there is not enough memory to load a library.
_LOADER_MEMORY_WORDS = ("failed to map segment", "cannot allocate", "Cannot allocate", "cannot map zero-fill")
_NO_FOLDER = (
    "the working folder was deleted or moved. Change to another folder with cd, and give the same command "
    "again."
)
_NO_MEMORY = (
    "memory ran out, or this user may start no more threads. Finished work is kept. Try fewer --jobs, a "
    "smaller board or a lower resolution, or close other programs."
)
# Minimum address space of the process. With less, libraries abort the process or raise misleading errors.
_MIN_ADDRESS_SPACE_MB = 250
_TOO_LITTLE_ADDRESS_SPACE = (
    "memory ran out before the start: linkpress needs {needed} MB of address space, and this shell allows "
    "{allowed} MB. Raise the limit with 'ulimit -v unlimited', or ask whoever set it."
)
_INTERNAL_ERROR = (
    "this is an error in linkpress itself, not in your files or options. Please report it with the lines "
    "above, your command and the output of 'linkpress doctor'."
)
# Seconds from a signal until the process is ended by force. The documentation promises an end within two
# seconds. On a busy machine, ending by force may take half a second.
GRACE_S = 1.5
_SIGNAL_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
_SIGNALS = [getattr(signal, name) for name in _SIGNAL_NAMES if hasattr(signal, name)]
_interrupted = threading.Event()
_PULSE_S = 10.0


class PipeClosedError(Exception):
    """The program that reads standard output has closed its end of the pipe."""


# Functions that print messages and results


def say(message: str) -> None:
    """Print a message to standard error. Do nothing if standard error can't be written."""
    with contextlib.suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def write(text: str) -> None:
    """Write a result to standard output at once.

    The text is written as UTF-8 in every locale. A file name that is not valid UTF-8 is written with its
    original bytes.

    Raises:
        OutputError: standard output is closed or can't be written.
        PipeClosedError: standard output is a pipe, and the program that reads it has ended.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed, so there is nowhere to put the result.")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    except OSError as error:
        if is_broken_pipe(error):
            raise PipeClosedError from error
        discard_output()
        raise OutputError(
            f"standard output can't be written: {error.strerror or error}. Send it to a place with room."
        ) from error


def write_json(item: object) -> None:
    """Write a result to standard output as JSON.

    Raises:
        OutputError: standard output is closed or can't be written.
        PipeClosedError: standard output is a pipe, and the program that reads it has ended.
    """
    write(json.dumps(item, ensure_ascii=False, indent=2) + "\n")


def is_redirected(stream: TextIO | None) -> bool:
    """Return whether a standard stream is a file or a pipe, as in ``linkpress init > book.yaml``."""
    try:
        mode = os.fstat(stream.fileno()).st_mode if stream else 0
    except OSError:
        return False
    return stat.S_ISREG(mode) or stat.S_ISFIFO(mode)


def is_broken_pipe(error: OSError) -> bool:
    # On Windows, writing to a closed pipe fails with the error "invalid argument".
    return isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == errno.EINVAL)


def discard_output() -> None:
    """Connect standard output to the null device, so that text still in its buffer causes no more errors."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Pulse:
    """Printer of progress messages that prints at most one message in ten seconds."""

    def __init__(self) -> None:
        self._last_s = time.monotonic()

    @property
    def is_due(self) -> bool:
        return time.monotonic() - self._last_s >= _PULSE_S

    def say(self, message: str) -> None:
        """Print a message, unless another one was printed during the last ten seconds."""
        if self.is_due:
            self._last_s = time.monotonic()
            say(message)


def warn_of_slow_engine() -> None:
    """Print a warning if the puzzle engine runs as plain Python because its compiled form is missing."""
    from linkpress.engine.kernels import COMPILE_REMEDY, WHY_PLAIN

    if WHY_PLAIN:
        say(
            "linkpress: the engine runs as plain Python, about a hundred times slower than compiled: "
            f"{WHY_PLAIN}. {COMPILE_REMEDY}"
        )


# Functions that run a command, report its errors and choose the exit code


def run_process(command: Callable[[], object]) -> None:
    """Run linkpress, and end the process with a documented exit code.

    Args:
        command: function that calls the Typer application. If it returns an integer, that is the exit code.
            Any other value means success.
    """
    _reserve_standard_streams()
    handle_signals()
    # Save time: without this variable, pydantic searches all installed packages for plugins.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        code = run_command(command)
        ignore_signals()
    # A signal came after the end of the command, but before ``ignore_signals`` was called.
    except KeyboardInterrupt:
        code = ExitCode.INTERRUPTED
    if code == ExitCode.INTERRUPTED:
        exit_now(code)
    if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
        # End the process without freeing every object. Freeing the objects took 0.05 of the 0.9 seconds that
        # ``linkpress check`` needed.
        atexit._run_exitfuncs()
        exit_now(code)
    sys.exit(code)


def run_command(command: Callable[[], object]) -> int:
    """Run a command in this process, report its errors, and return its exit code.

    Args:
        command: function that calls the Typer application. If it returns an integer, that is the exit code.
            Any other value means success.
    """
    if sys.stderr is None:
        # Standard error is closed. If it stayed None, print would write messages to standard output.
        sys.stderr = io.StringIO()
    allowed = _address_space_mb()
    if allowed < _MIN_ADDRESS_SPACE_MB:
        message = _TOO_LITTLE_ADDRESS_SPACE.format(needed=_MIN_ADDRESS_SPACE_MB, allowed=allowed)
        return _report(message, ExitCode.GAVE_UP)
    try:
        code = command()
        # Typer caught a KeyboardInterrupt before it called the command, and returned this exit code. So raise
        # the exception again.
        if code == ExitCode.INTERRUPTED:
            raise KeyboardInterrupt
        _flush_output()
        return int(code) if isinstance(code, int) else ExitCode.OK
    except (PipeClosedError, SystemExit):
        # The program that reads the output, such as ``head``, has ended. This is no error. If Typer itself
        # notices the closed pipe, it raises SystemExit instead.
        discard_output()
        return ExitCode.OK
    except (KeyboardInterrupt, typer.Abort):  # The user interrupted linkpress before the command began.
        return _report("interrupted", ExitCode.INTERRUPTED)
    except Exception as error:
        return _report_error(error)


def _flush_output() -> None:
    if sys.stdout is not None:
        try:
            sys.stdout.flush()
        except OSError as error:
            if is_broken_pipe(error):
                raise PipeClosedError from error
            raise


def _report_error(error: Exception) -> int:
    """Print the message for an error, and return the exit code for errors of its kind."""
    if _is_out_of_memory(error):
        return _report(_NO_MEMORY, ExitCode.GAVE_UP)
    if isinstance(error, SpecError):
        # Print the message without "linkpress:" before it. Each line begins with file, line and column, so
        # that an editor can jump to the problem.
        say(str(error))
        return error.exit_code
    if isinstance(error, LinkpressError):
        return _report(str(error), error.exit_code)
    if isinstance(error, _TyperUsageError):
        return _report(_usage_message(error), ExitCode.USAGE)
    if isinstance(error, OSError):
        discard_output()
        if is_file_error(error):
            is_folder_lost = error.errno == errno.ENOENT and not error.filename
            return _report(_NO_FOLDER if is_folder_lost else explanation(error), ExitCode.OUTPUT)
    elif _interrupted.is_set():
        # A signal such as Ctrl-C has ended the command. It raised KeyboardInterrupt, but a library raised
        # another exception in its place.
        return _report("interrupted; nothing half-written is left", ExitCode.INTERRUPTED)
    say("".join(traceback.format_exception(error)).rstrip())
    return _report(_INTERNAL_ERROR, ExitCode.INTERNAL)


def _is_out_of_memory(error: BaseException | None) -> bool:
    """Return whether an error, or an earlier error that caused it, means that memory or threads ran out."""
    seen: list[BaseException] = []
    while error is not None and error not in seen:
        text = str(error)
        if (
            isinstance(error, MemoryError)
            or (isinstance(error, OSError) and error.errno == errno.ENOMEM)
            or (isinstance(error, (ImportError, OSError)) and any(w in text for w in _LOADER_MEMORY_WORDS))
            or (isinstance(error, RuntimeError) and text == "can't start new thread")
            # Python raises this SystemError if memory runs out during an import.
            or (isinstance(error, SystemError) and "without exception set" in text)
        ):
            return True
        seen.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return False


def _address_space_mb() -> float:
    """Return the address space that this process may use, in megabytes; infinity without a limit."""
    try:
        import resource
    except ImportError:  # Windows has neither this module nor a limit on the address space.
        return math.inf
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return math.inf if limit == resource.RLIM_INFINITY else limit // 10**6


def _report(message: str, code: ExitCode) -> int:
    say(f"linkpress: {message}")
    return code


def _usage_message(error: Exception) -> str:
    """Return Typer's message about a wrong command line, followed by the command that prints the help."""
    message: str = getattr(error, "format_message", error.__str__)()
    message = message.replace(": Value error, ", ": ").strip() or "Missing command."
    if message[-1] not in ".?!":
        message += "."
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "linkpress"
    return f"{message} Try '{command} --help'."


def _reserve_standard_streams() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise the next opened file would get the file descriptor of the closed stream. Output for the stream
    would then go to that file.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


# Signals


def handle_signals() -> None:
    """Install signal handlers that raise ``KeyboardInterrupt`` when a signal asks this process to end.

    Later signals are ignored, so that the clean-up is not interrupted. A signal that is ignored already, for
    example under ``nohup``, stays ignored.

    If the process still runs ``GRACE_S`` seconds after the signal, a thread ends it. This is necessary
    because Python handles no signals during a long compiled loop, and because a file system may hang during
    the clean-up.
    """
    numbers = [number for number in _SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    if not numbers:
        return

    def interrupt(number: int, frame: FrameType | None) -> None:
        ignore_signals()
        _interrupted.set()
        raise KeyboardInterrupt

    for number in numbers:
        signal.signal(number, interrupt)
    if sys.platform != "win32":
        reading, writing = os.pipe()
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        watch = threading.Thread(target=_end_after_signal, args=(reading, frozenset(numbers)), daemon=True)
        # The thread ends the process if the command does not end soon after a signal. If no thread can be
        # started, for example under ``ulimit -u``, go on without one, because the signal handlers alone
        # end most commands.
        with contextlib.suppress(RuntimeError):
            watch.start()


def ignore_signals() -> None:
    """Ignore all further signals, so that they can't change the exit code while Python shuts down."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def exit_now(code: int) -> None:
    """Flush standard output and standard error, and end the process without Python's slow shutdown."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)


def _end_after_signal(reading: int, numbers: frozenset[int]) -> None:
    while not numbers.intersection(os.read(reading, 64)):
        pass
    threading.Event().wait(GRACE_S)
    os.write(2, b"linkpress: interrupted\n")
    os._exit(ExitCode.INTERRUPTED)
