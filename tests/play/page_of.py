"""A book of a few boards as a page, for tests."""

from dataclasses import replace

import boards
from linkpress.engine.recipe import Grade
from linkpress.layout.theme import load_theme
from linkpress.play.page import PlayedPuzzle, PlayPage, hint_steps
from linkpress.words import load_words

SUPPOSED = boards.puzzle_of(
    "8 7\n53......\n..14....\n.....3..\n........\n..5.....\n.4..2...\n......12\n"
)  # its combined steps need three earlier steps, two of them by a supposition
SOLUTIONS = (boards.SOLVED_BOARD, boards.ARTICLE_SOLUTION, boards.TOUCHING_BOARD)


def with_colours(solution, colours):
    """The solution of a puzzle that shows a picture."""
    return replace(solution, puzzle=replace(solution.puzzle, colours=tuple(colours)))


def play_page(*solutions, answers=False, hints=True, theme="classic", **changes):
    """Puzzles 1, 2, 3 … in one section."""
    records = [
        boards.record_of(one, technique=Grade.FIENDISH, difficulty=45) for one in solutions or SOLUTIONS
    ]
    puzzles = [
        PlayedPuzzle(
            number,
            record,
            "Gentle",
            answers,
            hint_steps(record.puzzle, record.rule, record.technique) if hints else None,
            "●●●●",
        )
        for number, record in enumerate(records, start=1)
    ]
    words = load_words("en")
    page = PlayPage("book", "Number Link", words, load_theme(theme), puzzles, subtitle="Three to try")
    return replace(page, **changes)
