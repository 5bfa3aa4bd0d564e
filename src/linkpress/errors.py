"""These are the exceptions that linkpress raises on purpose, in one tree, the exit codes, and ``Notify``.

A message is one paragraph: what is wrong, where, what is allowed, what to try. Only ``cli``
catches these; each class carries the exit code that the command ends with. Only for what is no
exception, such as a verdict that was asked for or a lack of memory, ``cli`` takes one of the codes
itself. What a user should know while the work goes on is no error: it is handed to a ``Notify``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

Notify = Callable[[str], None]


def notify_nobody(message: str) -> None:
    """Take a message and drop it, where nobody listens."""


class ExitCode(IntEnum):
    """A command ends with one of these numbers, for the shell; the docs make their table of them."""

    OK = 0
    """Everything is fine."""
    FOUND_WANTING = 1
    """Something was judged and found wanting: a puzzle is not unique, a check failed."""
    USAGE = 2
    """The command line, a spec, a printer's profile or a theme is wrong, or names something that is not there
    (a printer, a puzzle or a volume of the ledger, a cluster), or the book does not fit its page."""
    RECIPE = 3
    """A recipe can't be met."""
    PUZZLE_FILE = 4
    """A puzzle file or a volume is unreadable or malformed."""
    OUTPUT = 5
    """The output can't be written, or the ledger can't be used."""
    GAVE_UP = 6
    """A proof or a search ran out of its budget, the machine out of memory or processes, or a cluster out of
    workers."""
    INTERNAL = 70  # as sysexits.h has it
    """linkpress itself is at fault, or a part of its installation is missing or damaged."""
    INTERRUPTED = 130
    """The command was interrupted by Ctrl-C, SIGTERM or a lost terminal."""


class LinkpressError(Exception):
    """Something is wrong that a user can mend; all others come from this one.

    Args:
        message: says what is wrong, without the key.
        key: the spec's key that it is about, as ``page.trim`` or ``levels[0].name``; empty for none.
    """

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(self, message: str = "", key: str = "") -> None:
        super().__init__(f"{key}: {message}" if key else message)
        self.message = message
        self.key = key


class UsageError(LinkpressError):
    """An argument or option makes no sense; the message says which, and what is allowed."""


class SpecError(LinkpressError):
    """A YAML file (spec, feed, theme or profile) has faults; the message lists all of them.

    Args:
        problems: the fault that ended the reading, as data; none where the message alone tells of them.
    """

    def __init__(self, message: str = "", key: str = "", problems: Sequence[object] = ()) -> None:
        super().__init__(message, key)
        self.problems = problems


class LayoutError(LinkpressError):
    """The book can't be laid out as asked: a cell is too small, or a page outside the profile."""


class RecipeError(LinkpressError):
    """A recipe can't be met; the message says how close it came, and which key stands in the way."""

    exit_code = ExitCode.RECIPE


class GradeError(RecipeError):
    """Boards meet a recipe in all but its grade."""


class PuzzleError(LinkpressError):
    """A board, drawing or puzzle file is malformed."""

    exit_code = ExitCode.PUZZLE_FILE


class OutputError(LinkpressError):
    """A file can't be written, and nothing half-written is left."""

    exit_code = ExitCode.OUTPUT


class GaveUpError(LinkpressError):
    """A search ended at its budget without a verdict."""

    exit_code = ExitCode.GAVE_UP


class ClusterError(LinkpressError):
    """A cluster has no worker that can take part, or is there no more."""

    exit_code = ExitCode.GAVE_UP


class InstallationError(LinkpressError):
    """A part of linkpress itself is missing or damaged; the message says which, and how to mend it."""

    exit_code = ExitCode.INTERNAL


class StoppedError(LinkpressError):
    """The user has interrupted; the message says what is kept and how to go on."""

    exit_code = ExitCode.INTERRUPTED


class FoundWantingError(LinkpressError):
    """Something was judged and found wanting; ``findings`` are the same as data, of a finished file."""

    exit_code = ExitCode.FOUND_WANTING

    def __init__(self, message: str, findings: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.findings = findings
