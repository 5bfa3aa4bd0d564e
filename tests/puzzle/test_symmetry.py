from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from linkpress.puzzle.notation.link_text import board_rows, puzzle_text
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle, Solution
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import SYMMETRIES, canonical, fingerprint
from strategies import puzzles, solutions
from turning import turned_puzzle, turned_solution

symmetries = st.integers(0, len(SYMMETRIES) - 1)

LOPSIDED = boards.puzzle_of("4 3\n1 2 . .\n. # . .\n2 . . 1\n")


@pytest.mark.parametrize(
    ("symmetry", "rows"),
    list(
        enumerate(
            [
                ("1 2 . .", ". # . .", "2 . . 1"),  # as it stands
                ("2 . 1", ". # 2", ". . .", "1 . ."),  # quarter turn clockwise
                ("1 . . 2", ". . # .", ". . 2 1"),  # half turn
                (". . 1", ". . .", "2 # .", "1 . 2"),  # quarter turn anticlockwise
                (". . 2 1", ". . # .", "1 . . 2"),  # mirrored left to right
                ("2 . . 1", ". # . .", "1 2 . ."),  # mirrored top to bottom
                ("1 . 2", "2 # .", ". . .", ". . 1"),  # mirrored in the main diagonal
                ("1 . .", ". . .", ". # 2", "2 . 1"),  # mirrored in the other diagonal
            ]
        )
    ),
)
def test_each_symmetry_does_what_it_says(symmetry: int, rows: tuple[str, ...]) -> None:
    assert board_rows(turned_puzzle(LOPSIDED, symmetry)) == rows


@given(solutions(), symmetries)
def test_a_solution_stays_one_when_turned(solution: Solution, symmetry: int) -> None:
    turned = turned_solution(solution, symmetry)
    assert check_solution(turned) == ()
    assert [path.cells[0] for path in turned.paths] == [pair.first for pair in turned.puzzle.pairs]


def test_the_canonical_form_lies_wide_and_counts_from_one() -> None:
    tall = boards.puzzle_of("3 4\n# . 9\n. . .\n. 4 .\n4 . 9\n")
    assert board_rows(canonical(tall)) == ("# . . 1", ". . 1 .", "2 . . 2")


@given(puzzles(), symmetries)
def test_turning_mirroring_and_renumbering_keep_the_fingerprint(puzzle: Puzzle, symmetry: int) -> None:
    turned = turned_puzzle(puzzle, symmetry)
    highest = turned.pairs[-1].number
    renumbered = tuple(Pair(2 * (highest + 1 - p.number), p.first, p.second) for p in reversed(turned.pairs))
    other = Puzzle(turned.grid, renumbered)
    assert canonical(other) == canonical(puzzle)
    assert fingerprint(other) == fingerprint(puzzle)
    assert canonical(canonical(puzzle)) == canonical(puzzle)


@given(puzzles(max_side=4), puzzles(max_side=4))
def test_different_canonical_forms_have_different_fingerprints(one: Puzzle, other: Puzzle) -> None:
    assert (fingerprint(one) == fingerprint(other)) == (canonical(one) == canonical(other))


def test_a_fingerprint_can_be_worked_out_by_hand(article_puzzle: Puzzle) -> None:
    digest = hashlib.sha256(puzzle_text(canonical(article_puzzle)).encode()).hexdigest()
    assert fingerprint(article_puzzle) == digest[:16] == "25d1d78188e462ea"


def test_moving_one_number_changes_the_fingerprint() -> None:
    moved = Puzzle(Grid(3, 4, frozenset({5})), (Pair(1, 0, 10), Pair(2, 1, 8)))
    assert fingerprint(moved) != fingerprint(LOPSIDED)
