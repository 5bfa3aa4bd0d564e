"""One tiny board for every way in which a drawing can be wrong, each breaking just that rule."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Path, Puzzle, Solution
from linkpress.puzzle.rules import DrawingRule, check_drawing, check_solution
from strategies import solutions


@dataclass(frozen=True)
class Fault:
    """A board, a drawing on it as runs of cells, and the one breach that it has."""

    board: str
    lines: tuple[tuple[Cell, ...], ...]
    cells: tuple[Cell, ...]
    text: str

    @property
    def edges(self):
        return [step for line in self.lines for step in pairwise(line)]


# Cells of a board of four columns:
#    0  1  2  3
#    4  5  6  7
#    8  9 10 11
FAULTS = {
    DrawingRule.OFF_BOARD: Fault(
        "4 3\n1 . . 1\n2 . . 2\n3 . . 3\n", ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11, 12)), (11,),
        "r3c4: a line leaves the board",
    ),
    DrawingRule.NOT_NEIGHBOURS: Fault(
        "4 3\n1 . . 1\n# # # #\n2 . # 2\n", ((0, 1, 2, 3), (8, 9, 11)), (9, 11),
        "r3c2, r3c4: a line joins squares that are not neighbours",
    ),
    DrawingRule.THROUGH_SOLID: Fault(
        "4 3\n1 . . 1\n2 . # 2\n3 . . 3\n", ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)), (6,),
        "r2c3: a line enters a solid square",
    ),
    DrawingRule.THROUGH_NUMBER: Fault(
        "4 3\n1 2 . 1\n3 . . 3\n2 # # #\n", ((0, 1, 2, 3), (4, 5, 6, 7)), (1,),
        "r1c2: a line runs on through the 2",
    ),
    DrawingRule.BRANCH: Fault(
        "4 3\n1 . . 1\n2 . # #\n2 3 . 3\n", ((0, 1, 2, 3), (1, 5, 4), (9, 10, 11)), (1,),
        "r1c2: three lines meet",
    ),
    DrawingRule.CROSSING: Fault(
        "4 3\n# 1 # 3\n2 . 2 .\n# 1 # 3\n", ((1, 5, 9), (4, 5, 6), (3, 7, 11)), (5,), "r2c2: two lines cross",
    ),
    DrawingRule.CLOSED_LOOP: Fault(
        "4 3\n1 . . 1\n. . . 2\n. . . 2\n", ((0, 1, 2, 3), (4, 5, 6, 10, 9, 8, 4), (7, 11)),
        (4, 5, 6, 8, 9, 10), "r2c1, r2c2, r2c3, r3c1, r3c2, r3c3: a line closes on itself",
    ),
    DrawingRule.DEAD_END: Fault(
        "4 3\n1 . . .\n# # # 1\n2 . . 2\n", ((0, 1, 2, 3), (8, 9, 10, 11)), (3,),
        "r1c4: a line ends on a square without a number",
    ),
    DrawingRule.WRONG_PAIR: Fault(
        "4 3\n1 . . 2\n# # # #\n1 # # 2\n", ((0, 1, 2, 3),), (0, 3),
        "r1c1, r1c4: a line joins the 1 to the 2",
    ),
    DrawingRule.UNJOINED_PAIR: Fault(
        "4 3\n1 2 . 1\n. 2 . .\n. . . .\n", ((0, 4, 8, 9, 10, 11, 7, 6, 2, 3),), (1, 5),
        "r1c2, r2c2: the two squares numbered 2 are not joined",
    ),
    DrawingRule.UNCOVERED: Fault(
        "4 3\n1 . . 1\n2 . . 2\n3 . 3 .\n", ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10)), (11,),
        "r3c4: no line covers this square",
    ),
}  # fmt: skip


@pytest.mark.parametrize("rule", FAULTS)
def test_a_drawing_breaks_just_this_rule(rule):
    fault = FAULTS[rule]
    (breach,) = check_drawing(boards.puzzle_of(fault.board), fault.edges)
    assert (breach.rule, breach.cells, breach.text) == (rule, fault.cells, fault.text)


def test_no_rule_lacks_a_board():
    of_paths_alone = {DrawingRule.NOT_A_PAIR}  # below: edges have no number
    assert FAULTS.keys() | of_paths_alone == set(DrawingRule)


@pytest.mark.parametrize("board", [boards.ARTICLE_SOLUTION, boards.SOLVED_BOARD, boards.TOUCHING_BOARD])
def test_a_right_filling_breaks_no_rule(board):
    assert check_drawing(board.puzzle, board.edges) == ()
    assert check_solution(board) == ()


def test_spelling_order_and_repeats_of_steps_do_not_matter():
    backwards = [(b, a) for a, b in sorted(boards.SOLVED_BOARD.edges)]
    assert check_drawing(boards.SOLVED_BOARD.puzzle, [*backwards, *boards.SOLVED_BOARD.edges]) == ()


def test_every_fault_of_a_drawing_is_found():
    puzzle = boards.puzzle_of("4 3\n1 . . 2\n. 3 # 3\n1 . . 2\n")
    breaches = check_drawing(puzzle, [(0, 1), (1, 2), (2, 3), (5, 6), (-1, 0), (10, 14)])
    assert [breach.rule for breach in breaches] == [
        DrawingRule.OFF_BOARD, DrawingRule.OFF_BOARD, DrawingRule.THROUGH_SOLID, DrawingRule.UNCOVERED,
        DrawingRule.UNCOVERED,
    ]  # fmt: skip


@pytest.mark.parametrize("step", [(3, 4), (0, 5), (0, 8), (5, 5), (0, 11)])
def test_a_step_to_no_neighbour_is_named_even_round_the_edge(step):
    puzzle = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n. . . .\n")
    breaches = check_drawing(puzzle, [step])
    assert breaches[0].rule is DrawingRule.NOT_NEIGHBOURS


def test_four_lines_at_a_number_run_through_it():
    puzzle = boards.puzzle_of("4 3\n# . # 1\n. 1 . #\n# . # #\n")
    breaches = check_drawing(puzzle, [(1, 5), (4, 5), (5, 6), (5, 9)])
    assert breaches[0].rule is DrawingRule.THROUGH_NUMBER
    assert {breach.rule for breach in breaches[1:]} == {DrawingRule.DEAD_END}


PLAIN = Puzzle(Grid(3, 4), (Pair(1, 0, 3), Pair(2, 4, 11)))


@pytest.mark.parametrize(
    ("paths", "rule", "text"),
    [
        ([Path(1, (0, 1, 2, 3))], DrawingRule.UNJOINED_PAIR, "r2c1, r3c4: the number 2 has no path"),
        (
            [Path(1, (0, 1)), Path(2, (4, 5, 6, 7, 11))], DrawingRule.WRONG_PAIR,
            "r1c1, r1c4: the path numbered 1 does not run from one to the other",
        ),
        (
            [Path(1, (0, 1, 5, 1, 2, 3)), Path(2, (4, 8, 9, 10, 11))], DrawingRule.CROSSING,
            "r1c2: the path numbered 1 comes by twice",
        ),
        (
            [Path(1, (0, 1, 2, 3)), Path(2, (4, 8, 9, 10, 11)), Path(9, (5, 6))], DrawingRule.NOT_A_PAIR,
            "r2c2, r2c3: a path numbered 9, which the board lacks",
        ),
    ],
)  # fmt: skip
def test_a_solution_whose_paths_are_none_is_found_out(paths, rule, text):
    breach = check_solution(Solution(PLAIN, tuple(paths)))[0]
    assert (breach.rule, breach.text) == (rule, text)


def test_a_witness_that_leaves_squares_empty_is_wrong_only_there():
    witness = Solution(PLAIN, (Path(1, (0, 1, 2, 3)), Path(2, (4, 5, 6, 7, 11))))
    assert {breach.rule for breach in check_solution(witness)} == {DrawingRule.UNCOVERED}


@given(solutions())
def test_every_random_filling_is_right(solution):
    assert check_solution(solution) == ()


@given(solutions(max_side=5), st.data())
def test_no_other_drawing_passes_for_right(solution, data):
    """Whatever passes is a filling: every pair traced, every square covered, nothing else drawn."""
    puzzle = solution.puzzle
    toggled = data.draw(st.sets(st.sampled_from(puzzle.grid.edges), min_size=1, max_size=6))
    edges = solution.edges ^ toggled
    if not check_drawing(puzzle, edges):
        again = Solution.from_edges(puzzle, edges)
        assert again.fills
        assert again.edges == edges


cells = st.integers(-3, 40)


@given(st.lists(st.tuples(cells, cells), max_size=30))
def test_no_scribble_is_too_wild_to_judge(scribble):
    puzzle = boards.SOLVED_BOARD.puzzle
    breaches = check_drawing(puzzle, scribble)
    assert breaches
    assert all(0 <= cell < 35 for breach in breaches for cell in breach.cells)
