"""A text on its way in: its lines, where the reading stands, and how a fault is worded."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from linkpress.errors import PuzzleError

COMMENT = ";"

MAX_CHARACTERS = 32 * 1024 * 1024
MAX_LINE = 20_000  # the longest line that means anything is the URL of a full 50 × 50 board: 12,600

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
        plain = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self._lines = [
            (number, line.partition(COMMENT)[0].rstrip())
            for number, line in enumerate(plain.split("\n"), start=1)
            if not line.lstrip().startswith(COMMENT)
        ]
        self._at = 0
        self.record = 0
        """The record being read, counted from 1."""
        self._first_line = 1

    def next_record(self) -> bool:
        """Skip blank lines and open the record that follows; False at the end of the text."""
        self.skip_blank()
        if self._at == len(self._lines):
            return False
        self.record += 1
        self._first_line = self._lines[self._at][0]
        return True

    def skip_blank(self) -> None:
        """Move on to the next line that is not blank."""
        while self._at < len(self._lines) and not self._lines[self._at][1]:
            self._at += 1

    def peek(self) -> str | None:
        """The line about to be read, None at the end of the text.

        Raises:
            PuzzleError: the line is longer than any that means something.
        """
        if self._at == len(self._lines):
            return None
        number, line = self._lines[self._at]
        if len(line) > MAX_LINE:
            raise PuzzleError(
                f"line {number}: {len(line):,} characters; no board needs more than {MAX_LINE:,}"
            )
        return line

    def take(self) -> str | None:
        """As ``peek``, and moves on."""
        line = self.peek()
        if line is not None:
            self._at += 1
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
            where = f"record {self.record} (from line {self._first_line})"
            raise PuzzleError(f"{where}: {fault}") from fault


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
    shown = found if len(found) <= 24 else found[:20] + "…"
    return ascii(shown).replace("\\u2026", "…")
