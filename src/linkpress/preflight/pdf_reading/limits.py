"""Bounds on what a file may ask of its readers, so that one without end ends in a message."""

from __future__ import annotations

import pikepdf

# Of one file; a 424-page book of 1,000 boards has 450,000 operators, and two million take some 12 s.
MAX_OPERATORS = 2_000_000
MAX_STREAM_BYTES = 8 * 1024 * 1024  # of a page's content; parsed, it takes a hundred times as much memory
MAX_NESTING = 24


class TooMuchError(Exception):
    """A file asks for more than its readers give; the message says for what."""


class ReadingBudget:
    """What is left to spend on one file, in operators."""

    def __init__(self, operators: int = MAX_OPERATORS) -> None:
        self.operators = operators

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left to read another page with."""
        return self.operators < 0

    def spend(self, count: int) -> None:
        """Count operators; raise ``TooMuchError`` when the file executes too many."""
        self.operators -= count
        if self.operators < 0:
            raise TooMuchError(f"more than {MAX_OPERATORS:,} drawing operators")


def unpacked(stream: pikepdf.Stream) -> bytes:
    """Return the data of a stream of content; raise ``TooMuchError`` where it is too long to be parsed."""
    data = stream.read_bytes()
    if len(data) > MAX_STREAM_BYTES:
        raise TooMuchError(f"more than {MAX_STREAM_BYTES >> 20} MB of content in one stream")
    return data
