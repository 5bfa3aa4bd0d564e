"""What a check of a finished file finds, as data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """Something in a file that is not as it should be.

    Args:
        found: what is wrong, or what the file has, in words.
        allowed: what it may have instead; empty where ``found`` says that too.
        page: of the PDF, counted from 1; None for the whole file.
        puzzle: its number; None where it is not about one puzzle.
        check: the id of the check, ``line-weight``; empty where there is one check only.
        file: its name; empty where there is one file only.
        source: where it is written what is allowed.
    """

    found: str
    allowed: str = ""
    page: int | None = None
    puzzle: int | None = None
    check: str = ""
    file: str = ""
    source: str = ""

    def __str__(self) -> str:
        where = [f"puzzle {self.puzzle}"] if self.puzzle is not None else []
        where += [f"p. {self.page}"] if self.page is not None else []
        return f"{', '.join(where)}: {self.found}" if where else self.found
