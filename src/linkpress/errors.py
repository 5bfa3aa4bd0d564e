"""Exceptions that linkpress raises on purpose, and the exit codes of its commands.

Every exception derives from ``LinkpressError``. Its message is one paragraph: what is wrong, where, what is
allowed, what to try. Each class has the exit code with which a command ends when it is raised. Only the
package ``cli`` turns these exceptions into messages and exit codes. Progress and warnings go to a ``Notify``
function instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

Notify = Callable[[str], None]


def notify_nobody(message: str) -> None:
    """Ignore a message. This is the default for arguments that take a ``Notify`` function."""


class ExitCode(IntEnum):
    """Exit codes of the ``linkpress`` command. The table in the documentation is made from these texts."""

    OK = 0
    """Everything is fine."""
    CHECK_FAILED = 1
    """A check failed, for example because a puzzle has more than one solution."""
    USAGE = 2
    """The command line, a spec, a printer profile or a theme is wrong; or it names something that does not
    exist (a printer, a puzzle or volume in the ledger, a cluster); or the book does not fit its page."""
    RECIPE = 3
    """No puzzle can be made to a recipe."""
    PUZZLE_FILE = 4
    """A puzzle file or a volume is unreadable or malformed."""
    OUTPUT = 5
    """The output can't be written, or the ledger can't be used."""
    GAVE_UP = 6
    """A proof or search reached its limit, or the machine ran out of memory or processes, or a cluster ran
    out of workers."""
    INTERNAL = 70  # EX_SOFTWARE in sysexits.h
    """linkpress has a bug, or a part of its installation is missing or damaged."""
    INTERRUPTED = 130
    """The command was interrupted by Ctrl-C, SIGTERM or a closed terminal."""


class LinkpressError(Exception):
    """Base class of all errors that a user can do something about.

    Args:
        message: what is wrong, without the key.
        key: the spec's key that is wrong, such as ``page.trim`` or ``levels[0].name``; empty for none.
    """

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(self, message: str = "", key: str = "") -> None:
        super().__init__(f"{key}: {message}" if key else message)
        self.message = message
        self.key = key


class UsageError(LinkpressError):
    """An argument or option is wrong; the message names it and says what is allowed."""


class SpecError(LinkpressError):
    """A YAML file (spec, feed, theme or profile) has problems; the message lists all of them.

    Args:
        problems: the ``Problem`` that stopped the reading; empty if the file was read to its end.
    """

    def __init__(self, message: str = "", key: str = "", problems: Sequence[object] = ()) -> None:
        super().__init__(message, key)
        self.problems = problems


class LayoutError(LinkpressError):
    """The book can't be laid out: squares get too small, or the page is outside the printer's limits."""


class RecipeError(LinkpressError):
    """No puzzle was found for a recipe.

    Args:
        reason: why none was found.
        advice: a sentence that says what to change. The message is the reason with this advice.
        details: how the search went, in figures, for a log.
    """

    exit_code = ExitCode.RECIPE

    def __init__(self, reason: str = "", advice: str = "", details: str = "") -> None:
        super().__init__(f"{reason} {advice}".strip())
        self.reason, self.advice, self.details = reason, advice, details


class GradeError(RecipeError):
    """Puzzles were found that meet a recipe, but none of them has its difficulty and techniques."""


class PuzzleError(LinkpressError):
    """A board, drawing or puzzle file is malformed."""

    exit_code = ExitCode.PUZZLE_FILE


class OutputError(LinkpressError):
    """A file can't be written; no partly written file is left behind."""

    exit_code = ExitCode.OUTPUT


class GaveUpError(LinkpressError):
    """A search reached its limit of work without a result."""

    exit_code = ExitCode.GAVE_UP


class ClusterError(LinkpressError):
    """The cluster can't be reached, or has no worker that can take part."""

    exit_code = ExitCode.GAVE_UP


class InstallationError(LinkpressError):
    """A part of linkpress is missing or damaged; the message says which, and how to reinstall it."""

    exit_code = ExitCode.INTERNAL


class StoppedError(LinkpressError):
    """The user interrupted the command; the message says what was saved and how to continue."""

    exit_code = ExitCode.INTERRUPTED


class CheckFailedError(LinkpressError):
    """A check of a puzzle or a finished file failed.

    Args:
        message: the failed checks as text.
        findings: the failed checks of a finished file, as data.
    """

    exit_code = ExitCode.CHECK_FAILED

    def __init__(self, message: str, findings: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.findings = findings
