"""Exceptions that linkpress raises on purpose, and the exit codes of its commands.

Every exception derives from ``LinkpressError``. Its message says what is wrong and where, and what the user
can do. The attribute ``exit_code`` of the class is the exit code of the command. Only the package ``cli``
prints these messages and ends the process.

Messages about progress, and warnings, are passed to functions of the type ``Notify``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum

Notify = Callable[[str], None]


def notify_nobody(message: str) -> None:
    """Ignore a message.

    Functions with an argument of the type ``Notify`` have this function as its default.
    """


class ExitCode(IntEnum):
    """Exit codes of the ``linkpress`` command.

    The documentation has a table of these codes, which is generated from the text below each member.
    """

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
    INTERNAL = 70  # the value of EX_SOFTWARE in the C header sysexits.h
    """linkpress has a bug, or a part of its installation is missing or damaged."""
    INTERRUPTED = 130
    """The command was interrupted by Ctrl-C, SIGTERM or a closed terminal."""


class LinkpressError(Exception):
    """Base class of all errors that linkpress reports to the user without a traceback.

    Args:
        message: the error message, without the key.
        key: the spec's key that is wrong, such as ``page.trim`` or ``levels[0].name``; empty for no key.
    """

    exit_code: ExitCode = ExitCode.USAGE

    def __init__(self, message: str = "", key: str = "") -> None:
        super().__init__(f"{key}: {message}" if key else message)
        self.message = message
        self.key = key


class UsageError(LinkpressError):
    """An argument or option is wrong. The message names it and says which values are allowed."""


class SpecError(LinkpressError):
    """A YAML file (book, feed, theme or printer's profile) has problems. The message lists all of them.

    Args:
        problems: a list with one ``Problem`` if the file can't be read or is not valid YAML. If the file is
            valid YAML with wrong keys or values, this list is empty, and only the message says what is wrong.
    """

    def __init__(self, message: str = "", key: str = "", problems: Sequence[object] = ()) -> None:
        super().__init__(message, key)
        self.problems = problems


class LayoutError(LinkpressError):
    """The book can't be laid out, for example because the squares of its boards would be too small."""


class RecipeError(LinkpressError):
    """No puzzle was found for a recipe, which lists the properties that a puzzle must have.

    Args:
        reason: a sentence that says why no puzzle was found.
        advice: a sentence that says what to change. The message is the reason followed by the advice.
        details: figures about the search, for a log.
    """

    exit_code = ExitCode.RECIPE

    def __init__(self, reason: str = "", advice: str = "", details: str = "") -> None:
        super().__init__(f"{reason} {advice}".strip())
        self.reason, self.advice, self.details = reason, advice, details


class GradeError(RecipeError):
    """Puzzles of the required size were found, but none has the required difficulty and techniques."""


class PuzzleError(LinkpressError):
    """A board, drawing or puzzle file is malformed."""

    exit_code = ExitCode.PUZZLE_FILE


class OutputError(LinkpressError):
    """A file can't be written. No partly written file is left behind."""

    exit_code = ExitCode.OUTPUT


class GaveUpError(LinkpressError):
    """A search or proof reached its limit without a result, or a worker process died or can't be started."""

    exit_code = ExitCode.GAVE_UP


class ClusterError(LinkpressError):
    """The Dask cluster can't be reached, or none of its workers can be used."""

    exit_code = ExitCode.GAVE_UP


class InstallationError(LinkpressError):
    """A part of linkpress is missing or damaged.

    The message names this part, and says how to reinstall linkpress.
    """

    exit_code = ExitCode.INTERNAL


class StoppedError(LinkpressError):
    """The user interrupted the command. The message says which work was saved and how to continue."""

    exit_code = ExitCode.INTERRUPTED


class CheckFailedError(LinkpressError):
    """A check of a puzzle or a finished file failed.

    Args:
        message: a text that describes the failed checks.
        findings: one object for each failed check of a finished file; empty for other checks.
    """

    exit_code = ExitCode.CHECK_FAILED

    def __init__(self, message: str, findings: Sequence[object] = ()) -> None:
        super().__init__(message)
        self.findings = findings
