"""A text on its way in: its lines, where the reading stands, and how a fault is worded."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TypeVar

from linkpress.errors import PuzzleError

COMMENT = ";"

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_LINE = 40_000  # the longest line that means anything is a pzprv3 file of a 50 × 50 board on one: 23,000

_Record = TypeVar("_Record")


class Source:
    """The lines of a text, read record by record.

    Byte order mark, line ends of any system, blanks at line ends and comments (``;`` to the end
    of the line) are gone; a comment alone on its line leaves no line behind.

    Args:
        text: as it came from a file or the standard input.
    Attributes:
        line_number: of the line read last or about to be read, counted from 1.
    Raises:
        PuzzleError: more text than any collection of puzzles needs.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_CHARACTERS:
            raise PuzzleError(
                f"a text of {len(text):,} characters: at most {MAX_CHARACTERS:,} are read at a time; "
                "split the file"
            )
        self.line_number = 0
        self._lines = io.StringIO(text.removeprefix("\ufeff"), newline=None)
        self._peeked: str | None = None

    def skip_blank(self) -> None:
        """Move on to the next line that is not blank."""
        while self.peek() == "":
            self._peeked = None

    def peek(self) -> str | None:
        """The line about to be read, None at the end of the text.

        Raises:
            PuzzleError: the line is longer than any that means something.
        """
        while self._peeked is None and (read := self._lines.readline()):
            self.line_number += 1
            if len(read) > MAX_LINE + 1:
                raise PuzzleError(
                    f"line {self.line_number} has {len(read) - 1:,} characters; at most {MAX_LINE:,} are read"
                )
            line, comment, _ = read.partition(COMMENT)
            if line.strip() or not comment:
                self._peeked = line.rstrip()
        return self._peeked

    def take(self) -> str | None:
        """Return the line that ``peek`` returns, and move on."""
        line = self.peek()
        self._peeked = None
        return line


def read_records(text: str, take: Callable[[Source], _Record]) -> list[_Record]:
    """Read every record of a text.

    Args:
        text: as it came from a file or the standard input.
        take: takes one record's lines and returns what they say.
    Raises:
        PuzzleError: what ``take`` raised, with the record and its line before it.
    """
    source = Source(text)
    records: list[_Record] = []
    source.skip_blank()
    while source.peek() is not None:
        start = source.line_number
        try:
            records.append(take(source))
        except PuzzleError as fault:
            raise PuzzleError(f"record {len(records) + 1} (from line {start}): {fault}") from fault
        source.skip_blank()
    return records


def quoted(found: str) -> str:
    """Quote what was found, short and printable, for a message."""
    return repr(found if len(found) <= 24 else found[:20] + "…")
