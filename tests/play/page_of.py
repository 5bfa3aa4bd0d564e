"""A book of a few boards as a page, for tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import boards
from linkpress.engine.recipe import Grade
from linkpress.layout.theme import load_theme
from linkpress.play.page import PlayedPuzzle, PlayedSection, PlayPage
from linkpress.puzzle.puzzle import Solution
from linkpress.words.languages import load_words

SOLUTIONS = (boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION, boards.TOUCHING_BOARD)


def play_page(
    *solutions: Solution, answers: bool = False, hints: bool = True, theme: str = "classic", **changes: Any
) -> PlayPage:
    """Puzzles 1, 2, 3 … in one section."""
    chosen = solutions or SOLUTIONS
    puzzles = [
        PlayedPuzzle(number, boards.record_of(solution, grade=Grade.FIENDISH), answers, hints)
        for number, solution in enumerate(chosen, start=1)
    ]
    sections = [PlayedSection("Gentle", 1, len(puzzles))]
    page = PlayPage(
        "book", "Number Link", "Three to try", load_words("en"), load_theme(theme), puzzles, sections
    )
    return replace(page, **changes)
