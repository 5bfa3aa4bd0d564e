"""What a finished file says about itself, and the date that it carries."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from linkpress.errors import UsageError

DATE_WITHOUT_ANY = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class FileInfo:
    """The document information of a file.

    Args:
        title: the book's.
        author: may be empty.
        creator: the program and its version, ``linkpress 1.0``.
        date: written as creation and modification date; never the clock, so that a book built
            again is the same file.
    """

    title: str
    author: str
    creator: str
    date: datetime


def file_date(given: date | None, environ: Mapping[str, str]) -> datetime:
    """The date that a file carries: the spec's, else ``SOURCE_DATE_EPOCH``, else 2000-01-01.

    Args:
        given: the spec's ``date``, None without one; its midnight in UTC is taken.
        environ: the environment.
    Raises:
        UsageError: ``SOURCE_DATE_EPOCH`` is not a number of seconds that makes a date.
    """
    if given is not None:
        return datetime(given.year, given.month, given.day, tzinfo=UTC)
    epoch = environ.get("SOURCE_DATE_EPOCH")
    if epoch is None:
        return DATE_WITHOUT_ANY
    try:
        return datetime.fromtimestamp(int(epoch), tz=UTC)
    except (ValueError, OverflowError, OSError) as fault:
        raise UsageError(
            f"SOURCE_DATE_EPOCH={epoch!r} is not a date: it must be whole seconds since 1970-01-01 UTC. "
            "Correct it, unset it, or give the book a date: of its own."
        ) from fault
