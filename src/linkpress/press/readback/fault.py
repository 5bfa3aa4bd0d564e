"""Something in a printed book that does not agree with the rest of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """One disagreement.

    Args:
        puzzle: its number; None where it is the book's.
        page: of the PDF, None where it is the record's.
        text: what is wrong, in words.
    """

    puzzle: int | None
    page: int | None
    text: str

    def __str__(self) -> str:
        where = [f"puzzle {self.puzzle}"] if self.puzzle is not None else []
        where += [f"p. {self.page}"] if self.page is not None else []
        return f"{', '.join(where)}: {self.text}" if where else self.text
