"""Runs readers on hostile inputs and keeps the tally: what was taken, refused, broke, how long, how much."""

from __future__ import annotations

import contextlib
import re
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from linkpress.errors import LinkpressError

HANG_S = 5.0  # of processor time
MEMORY_KIB = 1024 * 1024
_WALL_S = 60.0  # a safety net for what waits without working
_MOST_FAILURES = 40


class HangError(BaseException):
    """An input was worked on for too long; no ``except Exception`` on the way holds it up."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One input that broke something.

    Args:
        kind: the exception's name, ``hang`` or ``memory``.
        place: where it came from, the innermost lines of our own.
        content: the input.
        text: the whole traceback.
    """

    kind: str
    place: str
    content: bytes
    text: str


@dataclass
class Tally:
    """What came of one target's inputs.

    Attributes:
        refusals: the different shapes of refusal, letters and figures of the input left out.
        worst_s: most processor time that one input took.
        peak_kib: the process's peak of resident memory.
    """

    name: str
    inputs: int = 0
    accepted: int = 0
    refused: int = 0
    refusals: set[str] = field(default_factory=set)
    worst_s: float = 0.0
    worst: bytes = b""
    peak_kib: int = 0
    failures: dict[tuple[str, str], Failure] = field(default_factory=dict)
    failed: int = 0

    def fail(self, failure: Failure) -> None:
        """Count a failure; one of each kind and place is kept."""
        self.failed += 1
        key = (failure.kind, failure.place)
        if len(self.failures) < _MOST_FAILURES and key not in self.failures:
            self.failures[key] = failure

    @property
    def line(self) -> str:
        """The row of the table."""
        return (
            f"{self.name:<22}{self.inputs:>9,}{self.accepted:>10,}{self.refused:>10,}{len(self.refusals):>8,}"
            f"{self.failed:>8,}{self.worst_s:>9.2f}{self.peak_kib / 1024:>9.0f}"
        )


HEADING = (
    f"{'target':<22}{'inputs':>9}{'accepted':>10}{'refused':>10}{'shapes':>8}{'failed':>8}{'worst s':>9}"
    f"{'peak MB':>9}"
)

Read = Callable[[bytes, Path], bool]
"""Reads one input in a folder of its own; whether it was found good. Raises to refuse."""


def feed(read: Read, content: bytes, folder: Path, tally: Tally) -> None:
    """Give one input to a reader and count what comes of it."""
    start, held, peak = time.process_time(), _resident_kib(), _peak_kib()
    try:
        with _limit():
            good = read(content, folder)
        tally.accepted += good
        tally.refused += not good
    except LinkpressError as fault:
        tally.refused += 1
        tally.refusals.add(f"{type(fault).__name__} {_shape(str(fault))}")
    except HangError:
        tally.fail(Failure("hang", _own_lines(), content, traceback.format_exc()))
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as fault:
        tally.fail(Failure(type(fault).__name__, _own_lines(), content, traceback.format_exc()))
    tally.inputs += 1
    spent = time.process_time() - start
    if spent > tally.worst_s:
        tally.worst_s, tally.worst = spent, content
    # What a process took before is not the input's.
    if _peak_kib() > peak and _peak_kib() - held > MEMORY_KIB:
        tally.fail(Failure("memory", f"{(_peak_kib() - held) // 1024} MB", content, ""))
    tally.peak_kib = max(tally.peak_kib, _peak_kib())


def _peak_kib() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _resident_kib() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() // 1024


@contextlib.contextmanager
def _limit() -> Iterator[None]:
    """Raise ``HangError`` after ``HANG_S`` of processor time."""

    def stop(number: int, frame: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, stop), signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_PROF, HANG_S)
    signal.setitimer(signal.ITIMER_REAL, _WALL_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGPROF, before[0])
        signal.signal(signal.SIGALRM, before[1])


def _shape(message: str) -> str:
    """A message without what it quotes."""
    return re.sub(r"'[^']*'|\"[^\"]*\"|\S*[0-9]\S*|[^ -~]+|\S{30,}", "·", message)[:70]


def _own_lines() -> str:
    """The innermost lines of linkpress in the exception that is being handled."""
    lines = re.findall(r'File "[^"]*/linkpress/([^"]*)", line ([0-9]+)', traceback.format_exc())
    return " < ".join(f"{file}:{line}" for file, line in reversed(lines[-3:]))
