"""The boards that the tests of every room share."""

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.engine.recipe import Method, Rule
from linkpress.ledger.database import LedgerEntry
from linkpress.puzzle.link_text import board_rows, parse_solution_rows
from linkpress.puzzle.notations import read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Puzzle, Solution
from linkpress.puzzle.symmetry import fingerprint


def puzzle_of(text):
    """The one puzzle of a link text."""
    (puzzle,) = read_puzzles(text)
    return puzzle


ARTICLE_PUZZLE_TEXT = """\
7 7
. . . . . . 4
. . . . . 3 .
. . 2 2 . . 3
. . . . # . 1
. . 6 . . 7 7
5 4 . # . # 1
. 5 . 6 . . .
"""
ARTICLE_SOLUTION_TEXT = """\
7 7
4 4 4 4 4 4 4
4 1 1 1 1 3 3
4 1 2 2 1 1 3
4 1 1 1 # 1 1
4 4 6 1 1 7 7
5 4 6 # 1 # 1
5 5 6 6 1 1 1
"""
ARTICLE_PUZZLE: Puzzle = puzzle_of(ARTICLE_PUZZLE_TEXT)
ARTICLE_SOLUTION: Solution = parse_solution_rows(ARTICLE_PUZZLE, ARTICLE_SOLUTION_TEXT.splitlines()[1:])
"""The article's sample and its printed answer, which is its only filling."""

SOLVED_BOARD_TEXT = """\
7 5
. . . . . . .
. 5 . . # 1 .
. . . 3 . . 3
. 5 2 . . # 4
. 2 # 1 4 . .
"""
SOLVED_BOARD_ROWS = ("2 2 2 3 3 3 3", "2 5 2 3 # 1 3", "2 5 2 3 1 1 3", "2 5 2 1 1 # 4", "2 2 # 1 4 4 4")
SOLVED_BOARD: Solution = parse_solution_rows(puzzle_of(SOLVED_BOARD_TEXT), SOLVED_BOARD_ROWS)
"""Five rows, seven columns, five pairs, three solids; its only drawing, even where squares may stay empty."""

TOUCHING_BOARD_DRAWING = """\
┌───────────────────────────┐
│███  ┌───5   ┌───4   ┌───┐ │
│     │       │       │   │ │
│ 5───┘   1   │   3   │   2 │
│         │   │   │   │     │
│███  ┌───┘   4   │   └───2 │
│     │           │         │
│ ┌───┘   ┌───┐   └───3   1 │
│ │       │   │           │ │
│ └───────┘   └───────────┘ │
└───────────────────────────┘
"""
TOUCHING_BOARD: Solution = Solution.from_edges(*read_drawings(TOUCHING_BOARD_DRAWING)[0])
"""Five rows, seven columns; a unique filling in which the paths 1 and 2 run alongside themselves."""


def record_of(solution=SOLVED_BOARD, **facts):
    """The record of a puzzle, as that of the first slot of level A unless something else is said."""
    usual = {
        "level": "A", "rule": Rule.STRICT, "proof": "kernel", "technique": None, "score": None,
        "findings": {}, "fingerprint": fingerprint(solution.puzzle), "seed": "1/A/1/0", "index": 1,
        "attempt": 0, "method": Method.WALK,
    }  # fmt: skip
    return PuzzleRecord(solution=solution, **{**usual, **facts})


def entry_of(puzzle, holder, slot):
    """A published puzzle as a ledger has it."""
    return LedgerEntry(
        holder.kind, holder.name, f"The {holder.name}", slot, published=True, made="2026-11-20",
        fingerprint=fingerprint(puzzle), board="\n".join(board_rows(puzzle)), rule="strict", proof="kernel",
        technique="easy", score=12, recipe="7x5, 2 pairs", seed=f"2026/Easy/{slot}",
    )  # fmt: skip


def fingerprint_of(number):
    """A fingerprint that tells a number."""
    return f"{number:016x}"


def made(number, seed="s/1", attempt=0):
    """A 5 × 7 puzzle of which only fingerprint, seed and attempt matter."""
    return record_of(fingerprint=fingerprint_of(number), seed=f"{seed}/{attempt}", attempt=attempt)
