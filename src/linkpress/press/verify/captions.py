"""What stands by each board: its number, and the page where its twin is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from linkpress.layout.wording import Words
from linkpress.press.pdf_reading.drawn import DrawnText
from linkpress.press.verify.boards import BoardRead, middle_of

_REACH_PT = 96.0  # captions stand no higher above their board
_LONGEST = 400  # characters of a caption that are looked at
_BESIDE_PT = 4.0  # what a caption may stick out sideways
_DIGITS = r"([0-9](?:[.,'\u00a0\u202f]?[0-9])*)"


@dataclass(frozen=True, slots=True)
class CaptionRead:
    """The words by one board.

    Args:
        number: of the puzzle; None where none stands there.
        solution_page: as printed in "Solution p. 9"; None where that does not stand there.
        puzzle_page: as printed in "Puzzle p. 9", likewise.
        size: columns and rows, as printed; None where they don't stand there.
    """

    number: int | None
    solution_page: int | None
    puzzle_page: int | None
    size: tuple[int, int] | None

    @property
    def is_answer(self) -> bool:
        """Whether the board is an answer: it names its puzzle's page, and no solution's."""
        return self.puzzle_page is not None and self.solution_page is None


class Phrases:
    """The printed phrases of one language, as patterns to find them by.

    Args:
        words: of the language.
    """

    def __init__(self, words: Words) -> None:
        self.solution_on = _pattern(words.solution_on)
        self.puzzle_on = _pattern(words.puzzle_on)
        self.size = _pattern(words.size)
        self.solutions_from = _pattern(words.solutions_from)
        self.contents = words.contents
        self.counts = [_pattern(form) for form in words.count.values()]

    def count_in(self, text: str, at_start: bool = False) -> int | None:
        """A number of puzzles that a text states."""
        for pattern in self.counts:
            match = pattern.match(text) if at_start else pattern.search(text)
            if match:
                return _number(match[1])
        return None

    def solutions_page(self, text: str) -> int | None:
        """The page on which a text says that solutions begin."""
        match = self.solutions_from.search(text)
        return _number(match[1]) if match else None


def read_captions(
    boards: Sequence[BoardRead], texts: Iterable[DrawnText], phrases: Phrases
) -> list[CaptionRead]:
    """The caption of each board of a page.

    Args:
        boards: of the page.
        texts: of the page.
        phrases: of the book's language.
    """
    outside = [text for text in texts if not any(board.holds(middle_of(text)) for board in boards)]
    near: list[list[DrawnText]] = [[] for _ in boards]
    for text in outside:
        owner = _owner(text, boards)
        if owner is not None:
            near[owner].append(text)
    return [_caption(found, phrases) for found in near]


def _owner(text: DrawnText, boards: Sequence[BoardRead]) -> int | None:
    """The nearest board that a text stands above."""
    x, y = middle_of(text)
    above = [
        (y - board.box[3], place)
        for place, board in enumerate(boards)
        if 0 <= y - board.box[3] <= _REACH_PT and board.box[0] - _BESIDE_PT <= x <= board.box[2] + _BESIDE_PT
    ]
    return min(above)[1] if above else None


def _caption(texts: list[DrawnText], phrases: Phrases) -> CaptionRead:
    said = [text.text.strip()[:_LONGEST] for text in sorted(texts, key=lambda text: -text.size_pt)]
    numbers = [int(text) for text in said if text.isascii() and text.isdigit() and len(text) < 7]
    size = _first(phrases.size, said)
    return CaptionRead(
        numbers[0] if numbers else None,
        _first_number(phrases.solution_on, said),
        _first_number(phrases.puzzle_on, said),
        (_number(size[1]), _number(size[2])) if size else None,
    )


def _first(pattern: re.Pattern[str], texts: Iterable[str]) -> re.Match[str] | None:
    return next((match for text in texts if (match := pattern.search(text))), None)


def _first_number(pattern: re.Pattern[str], texts: Iterable[str]) -> int | None:
    match = _first(pattern, texts)
    return _number(match[1]) if match else None


def _pattern(phrase: str) -> re.Pattern[str]:
    """A phrase with its fields as groups of digits."""
    parts = re.split(r"\{\w+\}", phrase)
    return re.compile(_DIGITS.join(re.escape(part) for part in parts), re.IGNORECASE)


def _number(text: str) -> int:
    return int("".join(letter for letter in text if letter.isdigit()))
