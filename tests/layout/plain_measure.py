"""Type in which every character is 0.6 em wide, and book inputs, for layout tests done on paper."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import boards
from linkpress.book.volume import NumberedPuzzle
from linkpress.layout.edition import Edition, Imprint, LevelPages
from linkpress.layout.frame import FontKey, Page, TextRun
from linkpress.layout.lengths import Size
from linkpress.layout.measure import InkBox
from linkpress.layout.pages import Book, layout_book
from linkpress.layout.printers import load_printer
from linkpress.layout.theme import load_theme
from linkpress.puzzle.puzzle import Solution


class PlainMeasure:
    """Advance 0.6 em; ink from 0.05 em after the origin to 0.05 em before the end, 0.7 em high."""

    def __init__(self, unknown: str = "") -> None:
        self._unknown = unknown

    def width(self, text: str, font: FontKey, size_pt: float) -> float:
        return 0.6 * len(text) * size_pt

    def ink(self, text: str, font: FontKey, size_pt: float) -> InkBox:
        return InkBox(0.05 * size_pt, 0.0, (0.6 * len(text) - 0.05) * size_pt, 0.7 * size_pt)

    def missing(self, text: str, font: FontKey) -> str:
        return "".join(dict.fromkeys(char for char in text if char in self._unknown))


def numbered(
    number: int, level: str, solution: Solution = boards.SOLVED_BOARD, **facts: Any
) -> NumberedPuzzle:
    """A puzzle of a level, as a volume has it."""
    return NumberedPuzzle(number, boards.record_of(solution, level=level, **facts))


SIX_BY_NINE = Size(432, 648)


def puzzles(*counts: int, board: Solution = boards.SOLVED_BOARD) -> tuple[NumberedPuzzle, ...]:
    """So many puzzles for level A, B, C …, numbered through."""
    levels = [level for level, count in zip("ABCDE", counts, strict=False) for _ in range(count)]
    return tuple(numbered(number, level, board) for number, level in enumerate(levels, start=1))


def edition(*counts: int, per_page: int | None = 4, **changes: Any) -> Edition:
    """A book of levels A, B … on 6 × 9 in."""
    levels = tuple(LevelPages(name, per_page) for name, _ in zip("ABCDE", counts, strict=False))
    made = Edition(Imprint("Lines"), levels, puzzles(*counts), SIX_BY_NINE)
    return replace(made, **changes)


def book(
    *counts: int, per_page: int | None = 4, printer: str = "generic", theme: str = "classic", **changes: Any
) -> Book:
    """That book, laid out."""
    wanted = edition(*counts, per_page=per_page, **changes)
    return layout_book(wanted, load_printer(printer), load_theme(theme), PlainMeasure())


def texts(page: Page) -> list[str]:
    """The texts on a page, in order."""
    return [item.text for item in page.frame.items if isinstance(item, TextRun)]


def run(page: Page, text: str) -> TextRun:
    """The one run with a text."""
    (found,) = [item for item in page.frame.items if isinstance(item, TextRun) and item.text == text]
    return found
