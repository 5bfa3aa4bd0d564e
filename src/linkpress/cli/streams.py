"""Standard input and output serve all commands: results go to stdout, all else to stderr."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from linkpress.errors import OutputError, PuzzleError
from linkpress.files import read_input, read_stream, reason

if TYPE_CHECKING:
    from linkpress.puzzle.puzzle import Edge, Puzzle

_LINE_EVERY_S = 10.0

_Record = TypeVar("_Record")


class ReaderLeft(Exception):  # noqa: N818 - what happened, and no fault
    """The reader of our standard output has left."""


def say(message: str) -> None:
    """Print one diagnostic line to stderr, unwrapped; if that can't be written, work goes on."""
    with contextlib.suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def write(text: str) -> None:
    """Put a result on stdout, as UTF-8 whatever the locale, at once; file names byte for byte.

    Raises:
        OutputError: stdout is closed, or what stands behind it takes no more.
        ReaderLeft: the other end of a pipe is closed.
    """
    if sys.stdout is None:
        raise OutputError("standard output is closed, so there is nowhere to put the result.")
    try:
        sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
        sys.stdout.buffer.flush()
    except OSError as fault:
        if is_of_closed_pipe(fault):
            raise ReaderLeft from fault
        drop_output()
        raise OutputError(
            f"standard output can't be written: {fault.strerror or fault}. Send it somewhere with room."
        ) from fault


def is_of_closed_pipe(fault: OSError) -> bool:
    """Tell whether the reader of a pipe has left, for which Windows also says that an argument is invalid."""
    windows = sys.platform == "win32" and fault.errno == errno.EINVAL
    return windows or isinstance(fault, BrokenPipeError)


def drop_output() -> None:
    """Let what is still to be written to stdout vanish, so that leaving doesn't stumble over it."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_json(item: object) -> None:
    """Put a result on stdout as JSON; raises as ``write``."""
    write(json.dumps(item, ensure_ascii=False, indent=2) + "\n")


def read_bytes(name: str, most_bytes: int, advice: str) -> bytes:
    """Read a file, or standard input for ``-``; raise ``PuzzleError`` with the advice, a sentence."""
    if name != "-":
        return read_input(Path(name), most_bytes, PuzzleError, advice)
    try:
        if sys.stdin is None:
            raise OSError(errno.EBADF, "it is closed")
        return read_stream(sys.stdin.buffer, most_bytes)
    except OSError as fault:
        raise PuzzleError(f"{shown_name(name)} can't be read: {reason(fault)}. {advice}") from fault


def _read_records(name: str, read: Callable[[str], list[_Record]]) -> list[_Record]:
    from linkpress.puzzle.notation.notations import MAX_PUZZLE_FILE_BYTES, read_file

    advice = f"Give a puzzle file of {MAX_PUZZLE_FILE_BYTES >> 20} MiB or less, or - for standard input."
    return read_file(read_bytes(name, MAX_PUZZLE_FILE_BYTES, advice), shown_name(name), read)


def read_puzzle_file(name: str) -> list[Puzzle]:
    """Read a file's puzzles, in any notation; raise ``PuzzleError`` with its name if there are none."""
    from linkpress.puzzle.notation.notations import read_puzzles

    return _read_records(name, read_puzzles)


def read_drawing_file(name: str) -> list[tuple[Puzzle, frozenset[Edge]]]:
    """Read a file's boards, with the steps drawn on each, as ``read_puzzle_file`` does."""
    from linkpress.puzzle.notation.notations import read_drawings

    return _read_records(name, read_drawings)


def shown_name(name: str) -> str:
    """Name a puzzle file as messages do."""
    return "standard input" if name == "-" else name


class Pulse:
    """A pulse speaks for long work: it says one line in ten seconds and drops the others."""

    def __init__(self) -> None:
        self._last_said_s = time.monotonic()

    @property
    def is_due(self) -> bool:
        """Tell whether no line was printed for a while."""
        return time.monotonic() - self._last_said_s >= _LINE_EVERY_S

    def say(self, message: str) -> None:
        """Print this line, unless another was printed a moment ago."""
        if self.is_due:
            self._last_said_s = time.monotonic()
            say(message)


def announce_plain_engine() -> None:
    """Say so, where the engine's hot loops run as plain Python."""
    from linkpress.engine.kernels import COMPILE_REMEDY, WHY_PLAIN

    if WHY_PLAIN:
        say(
            "linkpress: the engine runs as plain Python, about a hundred times slower than compiled: "
            f"{WHY_PLAIN}. {COMPILE_REMEDY}"
        )
