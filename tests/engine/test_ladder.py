import pytest

from boards import ARTICLE_PUZZLE, SOLVED_BOARD, TOUCHING_BOARD, puzzle_of
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, Reason
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.ladder import (
    EASIEST,
    OF_CODE,
    TECHNIQUES,
    TOP_RUNG,
    Deduction,
    climb_ladder,
    edge_index,
    find,
    position_of,
    write,
)
from linkpress.engine.recipe import Rule

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
"""Boards on which a line drawn in one place settles a gap far away."""


def findings_of(position, technique):
    """All findings of one technique on a position."""
    found = find(position, technique)
    assert found is not None, "no filling agrees with what is known"
    return found


def known_of(position):
    """Everything that is known in a position."""
    return position.edges(), position.mates(), position.pair_codes(), position.needs()


@pytest.mark.parametrize("board", FAR_GAPS)
def test_no_technique_is_used_while_an_easier_one_has_findings(board):
    position = position_of(puzzle_of(board), Rule.FILLED)
    climb = climb_ladder(position)
    for step in climb.rounds:
        for easier in TECHNIQUES[: step.technique.rung - 1]:
            assert not findings_of(position, easier), (step.technique, easier)
        found = findings_of(position, step.technique)
        assert found == climb.found_in(step)
        write(position, found)
    assert climb.hardest.rung > OF_CODE[Code.GAP].rung


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(
    ("corners", "left", "is_found"), [("1 . . . . . 2", 2, True), (". . . . . . .", 1, False)]
)
def test_a_square_with_three_numbers_around_it_takes_its_fourth_way_out(rule, corners, left, is_found):
    board = puzzle_of(f"7 5\n{corners}\n. . . 1 . . .\n. . {left} . 3 . .\n. . . . . . .\n3 . . . . . .\n")
    forced = Deduction(EdgeState.DRAWN, edge_index((17, 24)), Reason.FORK, 17)
    assert (forced in findings_of(position_of(board, rule), OF_CODE[Code.CLASH])) is is_found


def test_finished_board_is_the_filling():
    for solution in (SOLVED_BOARD, TOUCHING_BOARD):
        climb = climb_ladder(position_of(solution.puzzle, Rule.FILLED))
        assert climb.outcome is ClimbOutcome.FINISHED
        lines, drawn = climb.position.drawing()
        assert (lines, drawn) == ([path.cells for path in solution.paths], len(solution.edges))


def test_board_without_room_for_its_numbers_is_contradicted():
    boxed_in = puzzle_of("7 5\n1 # . . . . .\n# . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . 1\n")
    assert climb_ladder(position_of(boxed_in, Rule.FILLED)).outcome is ClimbOutcome.CONTRADICTED


def test_rungs_above_the_highest_are_not_used():
    climb = climb_ladder(position_of(ARTICLE_PUZZLE, Rule.FILLED), highest=1)
    assert climb.outcome is ClimbOutcome.STUCK
    assert {made.technique for made in climb.rounds} == {EASIEST}


def test_climb_leaves_the_position_as_it_is():
    position = position_of(ARTICLE_PUZZLE, Rule.FILLED)
    before = known_of(position)
    climb_ladder(position)
    for technique in TECHNIQUES:
        findings_of(position, technique)
    assert known_of(position) == before


def test_a_copy_is_equal_and_independent():
    position = position_of(SOLVED_BOARD.puzzle, Rule.FILLED)
    step = min(SOLVED_BOARD.edges)
    assert write(position, [Deduction(EdgeState.DRAWN, edge_index(step))])
    before, copy = known_of(position), position.copy()
    assert known_of(copy) == before
    assert copy.climb(TOP_RUNG)[0] == ClimbOutcome.FINISHED
    assert known_of(copy) != before
    assert known_of(position) == before


def test_findings_that_contradict_what_is_known_are_refused():
    for step in SOLVED_BOARD.edges:
        place = edge_index(step)
        for first, second in ((EdgeState.DRAWN, EdgeState.RULED_OUT), (EdgeState.RULED_OUT, EdgeState.DRAWN)):
            position = position_of(SOLVED_BOARD.puzzle, Rule.FILLED)
            if write(position, [Deduction(first, place)]):
                assert not write(position, [Deduction(second, place)])
        assert write(position_of(SOLVED_BOARD.puzzle, Rule.FILLED), [Deduction(EdgeState.DRAWN, place)])
