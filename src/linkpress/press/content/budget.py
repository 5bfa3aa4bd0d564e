"""Bounds on what a file may ask of its reader, so that a hostile one ends in a verdict."""

from __future__ import annotations

from dataclasses import dataclass

# A 250-page book of 1,000 boards executes 130,000 operators over 1.3 MB of content, in a file of 0.3 MB.
# What a file may ask for grows with its size: a small one is refused after some 3 s, one of 1.6 MB
# or more after some 12 s.
LEAST_OPERATORS = 400_000
MAX_OPERATORS = 2_000_000
TOKENS_AN_OPERATOR = 4
MAX_PAGE_OPERATORS = 400_000  # what a page draws is held in memory, some 300 MB at this bound
MAX_STREAM_TOKENS = 1_000_000  # parsed content is held in memory, some 300 MB at this bound
MAX_STREAM_BYTES = 8 * 1024 * 1024
MAX_TOTAL_BYTES = 96 * 1024 * 1024
MAX_NESTING = 24
FORM_COST = 50  # operators that entering a form costs as much time as
MAX_SAVED_STATES = 512


class TooMuchError(Exception):
    """A file asks for more than the budget; the message says for what."""


@dataclass
class Budget:
    """What is left to spend on one file."""

    operators: int = MAX_OPERATORS
    stream_bytes: int = MAX_TOTAL_BYTES
    page_operators: int = MAX_PAGE_OPERATORS
    tokens: int = MAX_OPERATORS * TOKENS_AN_OPERATOR

    @classmethod
    def of_file(cls, size: int) -> Budget:
        """The budget of a file of so many bytes."""
        operators = min(LEAST_OPERATORS + size, MAX_OPERATORS)
        return cls(operators=operators, tokens=operators * TOKENS_AN_OPERATOR)

    def turn_page(self) -> None:
        """Another page begins."""
        self.page_operators = MAX_PAGE_OPERATORS

    @property
    def is_spent(self) -> bool:
        """Whether nothing is left to read another page with."""
        return self.operators < 0 or self.stream_bytes < 0 or self.tokens < 0

    def spend_operators(self, count: int) -> None:
        """Raises ``TooMuchError`` when a page or the file executes too many operators."""
        self.operators -= count
        self.page_operators -= count
        if self.operators < 0:
            raise TooMuchError("more drawing operators than a file of this size should have")
        if self.page_operators < 0:
            raise TooMuchError(f"more than {MAX_PAGE_OPERATORS:,} drawing operators on one page")

    def spend_bytes(self, count: int) -> None:
        """Raises ``TooMuchError`` when the file's content unpacks to too much."""
        self.stream_bytes -= count
        if self.stream_bytes < 0:
            raise TooMuchError(f"more than {MAX_TOTAL_BYTES // 2**20} MB of page content")

    def spend_tokens(self, count: int) -> None:
        """Raises ``TooMuchError`` before a stream, or all of them, are parsed into too many parts."""
        if count > MAX_STREAM_TOKENS:
            raise TooMuchError(f"more than {MAX_STREAM_TOKENS:,} words and numbers on a page or in a form")
        self.tokens -= count
        if self.tokens < 0:
            raise TooMuchError("more words and numbers than a file of this size should have")
