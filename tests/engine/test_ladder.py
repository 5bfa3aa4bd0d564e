from collections import Counter
from random import Random

import pytest
from filling_list import fillings, small_board
from known_parts import all_agree, find_alone, part_of, tell

from boards import ARTICLE_PUZZLE, SOLVED_BOARD, TOUCHING_BOARD, puzzle_of
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, Rung
from linkpress.engine.ladder import (
    LADDER,
    TOP_RUNG,
    Deduction,
    climb_ladder,
    drawn_edges,
    place_of,
    position_of,
)

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


def findings_of(position: Position, rung: int) -> list[Deduction]:
    """All that one technique has to say of a board as it stands."""
    found = find_alone(position, rung)
    assert found is not None, "no filling agrees with what is known"
    return found


def known_of(position: Position) -> tuple[list[int], list[int], list[int], list[int]]:
    """All that a position tells."""
    return position.edges(), position.mates(), position.numbers(), position.needs()


@pytest.mark.parametrize("seed", range(4))
def test_every_deduction_holds_in_every_filling_of_boards_with_none_one_and_many(seed: int) -> None:
    kinds = Counter[int]()
    for index in range(150):
        puzzle = small_board(Random(f"climb/{seed}/{index}"))
        all_fillings = fillings(puzzle)
        climb = climb_ladder(position_of(puzzle))
        log = [finding for step in climb.rounds for finding in climb.findings_of(step)]
        assert 4 * len(log) == len(climb.log)
        assert all(all_agree(log, puzzle, filling) for filling in all_fillings), puzzle
        assert (climb.outcome is ClimbOutcome.FINISHED) <= (len(all_fillings) == 1), puzzle
        assert (climb.outcome is ClimbOutcome.CONTRADICTED) <= (not all_fillings), puzzle
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
        position = position_of(puzzle)
        known = part_of(rng, puzzle, rng.choice(all_fillings))
        assert tell(position, known)
        findings = findings_of(position, rung)
        for filling in all_fillings:
            if all_agree(known, puzzle, filling):
                assert all_agree(findings, puzzle, filling), puzzle
        found += len(findings)
    assert found > 0


@pytest.mark.parametrize("board", FAR_GAPS)
def test_no_rung_is_used_while_a_lower_one_has_anything_to_say(board: str) -> None:
    position = position_of(puzzle_of(board))
    climb = climb_ladder(position)
    for step in climb.rounds:
        for rung in range(1, step.rung):
            assert not findings_of(position, rung), (step.rung, rung)
        assert findings_of(position, step.rung) == list(climb.findings_of(step))
        position.apply(climb.words_of(step))
    assert max(step.rung for step in climb.rounds) > Rung.GAP


def test_finished_board_is_the_filling() -> None:
    for solution in (SOLVED_BOARD, TOUCHING_BOARD):
        climb = climb_ladder(position_of(solution.puzzle))
        assert climb.outcome is ClimbOutcome.FINISHED
        assert set(drawn_edges(solution.puzzle.grid.cols, climb.position)) == solution.edges


def test_board_without_room_for_its_numbers_is_contradicted() -> None:
    boxed_in = puzzle_of("7 5\n1 # . . . . .\n# . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . 1\n")
    assert not position_of(boxed_in).is_sound()
    assert climb_ladder(position_of(boxed_in)).outcome is ClimbOutcome.CONTRADICTED


def test_rungs_above_the_highest_are_not_used() -> None:
    climb = climb_ladder(position_of(ARTICLE_PUZZLE), highest=1)
    assert climb.outcome is ClimbOutcome.STUCK
    assert {made.rung for made in climb.rounds} == {1}


def test_climb_leaves_the_position_as_it_is() -> None:
    position = position_of(ARTICLE_PUZZLE)
    before = known_of(position)
    climb_ladder(position)
    for rung in range(1, TOP_RUNG + 1):
        findings_of(position, rung)
    assert known_of(position) == before


def test_a_copy_knows_the_same_and_goes_its_own_way() -> None:
    position = position_of(SOLVED_BOARD.puzzle)
    step = min(SOLVED_BOARD.edges)
    assert tell(position, [Deduction(EdgeState.DRAWN, place_of(step), 0, 0)])
    before, copy = known_of(position), position.copy()
    assert known_of(copy) == before
    assert copy.climb(TOP_RUNG)[0] == ClimbOutcome.FINISHED
    assert known_of(copy) != before
    assert known_of(position) == before


def test_statements_that_contradict_what_is_known_are_refused() -> None:
    for step in SOLVED_BOARD.edges:
        place = place_of(step)
        for first, second in ((EdgeState.DRAWN, EdgeState.RULED_OUT), (EdgeState.RULED_OUT, EdgeState.DRAWN)):
            position = position_of(SOLVED_BOARD.puzzle)
            if tell(position, [Deduction(first, place, 0, 0)]):
                assert not tell(position, [Deduction(second, place, 0, 0)])
        assert tell(position_of(SOLVED_BOARD.puzzle), [Deduction(EdgeState.DRAWN, place, 0, 0)])


def test_a_supposition_that_leads_to_a_fault_holds_in_no_filling() -> None:
    refuted = held = 0
    for index in range(60):
        puzzle = small_board(Random(f"suppose/{index}"))
        all_fillings, position = fillings(puzzle), position_of(puzzle)
        if not all_fillings:
            continue
        for step in puzzle.grid.edges:
            for what in (EdgeState.DRAWN, EdgeState.RULED_OUT):
                fault, _ = position.copy().follow(what, place_of(step))
                holding = any((step in one.edges) == (what == EdgeState.DRAWN) for one in all_fillings)
                assert not (fault and holding), (puzzle, step, what)
                refuted += fault != 0
                held += holding
    assert min(refuted, held) > 100
