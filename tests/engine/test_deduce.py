from collections import Counter
from random import Random

import numpy as np
import pytest
from filling_list import fillings, small_board

from boards import ARTICLE_PUZZLE, SOLVED_BOARD, TOUCHING_BOARD, puzzle_of
from linkpress.engine.deduce import (
    LADDER,
    TOP_RUNG,
    Board,
    Outcome,
    board_of,
    climb_ladder,
    drawn_edges,
)
from linkpress.engine.kernels.findings import NUMBERED
from linkpress.engine.kernels.ladder import GAP_RUNG, apply_logged, find_on_rung
from linkpress.engine.kernels.marks import DRAWN, RULED_OUT
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.puzzle import Puzzle, Solution

FAR_GAPS = (
    """10 9
. . . . . . . . . 1
. 3 9 8 . . 10 . 1 4
. . . 2 . . . . 4 .
8 . . . . . . . . .
10 . 9 . 5 2 . . 6 .
. . . . . . . . . .
. . . . . . . . . .
. 3 . . 7 . . . 7 .
. . . . . 6 5 . . .
""",
    """8 8
1 . . . . . . 7
6 . . . 7 6 . .
. 2 . . . . . .
. 5 . . 8 3 . .
. . . . 3 . 8 .
. . . . . . . .
2 . . . . . 1 .
5 . 4 . 4 . . .
""",
    """9 8
. . . . 1 . . . 4
. 9 . . . . 5 . .
. 6 . 7 . . . . .
. 1 6 . . . 2 . .
. . . . 3 9 . . .
. . . . . . . 4 .
. 3 8 . 8 . 5 . .
. . . . 7 . . . 2
""",
)
"""Boards on which drawing in one place lets a gap far away say something."""


def place(step: Edge) -> int:
    return 2 * step[0] + (step[1] != step[0] + 1)


def agrees(finding: list[int], puzzle: Puzzle, filling: Solution) -> bool:
    what, where, _, cause = finding
    if what == NUMBERED:
        return filling.number_of[where] == puzzle.number_at[cause - 1]
    return (where in {place(step) for step in filling.edges}) == (what == DRAWN)


def part_of(rng: Random, puzzle: Puzzle, filling: Solution) -> np.ndarray:
    """Random true statements about some edges."""
    share = rng.random() * 0.7
    rows = [
        (DRAWN if step in filling.edges else RULED_OUT, place(step), 0, 0)
        for step in puzzle.grid.edges
        if rng.random() < share
    ]
    return np.array(rows, np.int32).reshape(-1, 4)


def holds(row: np.ndarray, puzzle: Puzzle, filling: Solution) -> bool:
    return all(agrees(finding, puzzle, filling) for finding in row.tolist())


def findings_of(board: Board, marks: np.ndarray, rung: int) -> np.ndarray:
    """All that one technique has to say of a board as it stands, in the log's columns."""
    log = np.empty((5 * len(marks) + 8, 4), np.int32)
    count = find_on_rung(board.around, marks, board.pairs, rung, log)
    assert count >= 0, "no filling agrees with what is known"
    return log[:count]


@pytest.mark.parametrize("seed", range(4))
def test_every_deduction_holds_in_every_filling_of_boards_with_none_one_and_many(seed: int) -> None:
    kinds = Counter[int]()
    for index in range(150):
        puzzle = small_board(Random(f"climb/{seed}/{index}"))
        all_fillings = fillings(puzzle)
        climb = climb_ladder(board_of(puzzle))
        assert all(holds(climb.log, puzzle, filling) for filling in all_fillings), puzzle
        assert (climb.outcome is Outcome.FINISHED) <= (len(all_fillings) == 1), puzzle
        assert (climb.outcome is Outcome.CONTRADICTED) <= (not all_fillings), puzzle
        kinds[min(len(all_fillings), 2)] += 1
    assert min(kinds[0], kinds[1], kinds[2]) > 10


@pytest.mark.parametrize("rung", [technique.rung for technique in LADDER])
def test_each_technique_alone_is_sound_on_boards_half_drawn_at_random(rung: int) -> None:
    found = 0
    for index in range(150):
        rng = Random(f"alone/{index}")
        puzzle = small_board(rng)
        all_fillings = fillings(puzzle)
        if not all_fillings:
            continue
        board = board_of(puzzle)
        known = part_of(rng, puzzle, rng.choice(all_fillings))
        marks = board.marks.copy()
        assert apply_logged(board.around, marks, known, 0, len(known))
        findings = findings_of(board, marks, rung)
        for filling in all_fillings:
            if holds(known, puzzle, filling):
                assert holds(findings, puzzle, filling), puzzle
        found += len(findings)
    assert found > 0


@pytest.mark.parametrize("board", FAR_GAPS)
def test_no_rung_is_used_while_a_lower_one_has_anything_to_say(board: str) -> None:
    arrays = board_of(puzzle_of(board))
    climb = climb_ladder(arrays)
    marks = arrays.marks.copy()
    for step in climb.rounds:
        for rung in range(1, step.rung):
            assert not len(findings_of(arrays, marks, rung)), (step.rung, rung)
        apply_logged(arrays.around, marks, climb.log, step.begin, step.end)
    assert max(step.rung for step in climb.rounds) > GAP_RUNG


def test_finished_board_is_the_filling() -> None:
    for solution in (SOLVED_BOARD, TOUCHING_BOARD):
        climb = climb_ladder(board_of(solution.puzzle))
        assert climb.outcome is Outcome.FINISHED
        assert set(drawn_edges(solution.puzzle.grid.cols, climb.marks)) == solution.edges


def test_board_without_room_for_its_numbers_is_contradicted() -> None:
    boxed_in = puzzle_of("7 5\n1 # . . . . .\n# . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . 1\n")
    assert climb_ladder(board_of(boxed_in)).outcome is Outcome.CONTRADICTED


def test_rungs_above_the_highest_are_not_used() -> None:
    board = board_of(ARTICLE_PUZZLE)
    climb = climb_ladder(board, highest=1)
    assert climb.outcome is Outcome.STUCK
    assert {made.rung for made in climb.rounds} == {1}


def test_climb_leaves_the_board_as_it_is() -> None:
    board = board_of(ARTICLE_PUZZLE)
    before = board.marks.copy()
    climb_ladder(board)
    for rung in range(1, TOP_RUNG + 1):
        findings_of(board, board.marks, rung)
    assert (board.marks == before).all()
