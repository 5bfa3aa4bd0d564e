"""A text on its way in: its lines, where the reading stands, and how a fault is worded."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeVar

from linkpress.errors import PuzzleError

COMMENT = ";"

MAX_CHARACTERS = 64 * 1024 * 1024
MAX_LINE = 40_000  # the longest line that means anything is a pzprv3 file of a 50 × 50 board on one: 23,000

_SPACE = re.compile(r"\s*")

_Made = TypeVar("_Made")


class Source:
    """The lines of a text, read record by record.

    Byte order mark, line ends of any system, blanks at line ends and comments (``;`` to the end
    of the line) are gone; a comment alone on its line leaves no line behind.

    Args:
        text: as it came from a file or the standard input.
    Raises:
        PuzzleError: more text than any collection of puzzles needs.
    """

    def __init__(self, text: str) -> None:
        if len(text) > MAX_CHARACTERS:
            raise PuzzleError(
                f"a text of {len(text):,} characters: at most {MAX_CHARACTERS:,} are read at a time; "
                "split the file"
            )
        self._text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self._start = 0  # of the line about to be read
        self._line_number = 1
        self._peeked: str | None = None
        self._record = 0
        self._record_line = 1

    def next_record(self) -> bool:
        """Skip blank lines and open the record that follows; False at the end of the text."""
        self.skip_blank()
        if self.peek() is None:
            return False
        self._record += 1
        self._record_line = self._line_number
        return True

    @property
    def record_line(self) -> int:
        """The line on which the open record begins, counted from 1."""
        return self._record_line

    def skip_blank(self) -> None:
        """Move on to the next line that is not blank."""
        while self.peek() == "":
            reach = _SPACE.match(self._text, self._start)
            end = reach.end() if reach else self._start
            if end < len(self._text):
                end = self._text.rfind("\n", self._start, end) + 1
            self._move(end)

    def peek(self) -> str | None:
        """The line about to be read, None at the end of the text.

        Raises:
            PuzzleError: the line is longer than any that means something.
        """
        while self._peeked is None and self._start < len(self._text):
            end = self._line_end()
            if end - self._start > MAX_LINE:
                raise PuzzleError(
                    f"line {self._line_number} has {end - self._start:,} characters; at most {MAX_LINE:,} "
                    "are read"
                )
            line, comment, _ = self._text[self._start : end].partition(COMMENT)
            if comment and not line.strip():
                self._move(end + 1)
            else:
                self._peeked = line.rstrip()
        return self._peeked

    def take(self) -> str | None:
        """As ``peek``, and moves on."""
        line = self.peek()
        if line is not None:
            self._move(self._line_end() + 1)
        return line

    def read(self, take: Callable[[Source], _Made]) -> _Made:
        """Read one record; its faults say which record and line it is.

        Args:
            take: takes the record's lines and returns what they say.
        Raises:
            PuzzleError: what ``take`` raised, with the place before it.
        """
        try:
            return take(self)
        except PuzzleError as fault:
            where = f"record {self._record} (from line {self._record_line})"
            raise PuzzleError(f"{where}: {fault}") from fault

    def _line_end(self) -> int:
        end = self._text.find("\n", self._start)
        return len(self._text) if end < 0 else end

    def _move(self, start: int) -> None:
        self._line_number += self._text.count("\n", self._start, start)
        self._start = start
        self._peeked = None


def read_records(text: str, take: Callable[[Source], _Made]) -> list[_Made]:
    """Read every record of a text.

    Args:
        text: as it came from a file or the standard input.
        take: takes one record's lines and returns what they say.
    Raises:
        PuzzleError: what ``take`` raised, with the record and its line before it.
    """
    source, made = Source(text), []
    while source.next_record():
        made.append(source.read(take))
    return made


def quoted(found: str) -> str:
    """What was found, short and printable, for a message."""
    return repr(found if len(found) <= 24 else found[:20] + "…")
