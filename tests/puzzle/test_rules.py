"""One tiny board for every kind of mistake, with a drawing that has only this mistake."""

from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Path, Puzzle, Solution
from linkpress.puzzle.rules import MistakeKind, check_drawing, check_solution
from strategies import solutions


@dataclass(frozen=True)
class Example:
    """A board, lines drawn on it as sequences of cells, and the one mistake in this drawing."""

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
EXAMPLES = {
    MistakeKind.OFF_BOARD: Example(
        "4 3\n1 . . 1\n2 . . 2\n3 . . 3\n", ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11, 12)), (11,),
        "D3: a line leaves the board",
    ),
    MistakeKind.NOT_NEIGHBOURS: Example(
        "4 3\n1 . . 1\n# # # #\n2 . # 2\n", ((0, 1, 2, 3), (8, 9, 11)), (9, 11),
        "B3, D3: a line joins squares that are not neighbours",
    ),
    MistakeKind.THROUGH_SOLID: Example(
        "4 3\n1 . . 1\n2 . # 2\n3 . . 3\n", ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10, 11)), (6,),
        "C2: a line enters a solid square",
    ),
    MistakeKind.THROUGH_NUMBER: Example(
        "4 3\n1 2 . 1\n3 . . 3\n2 # # #\n", ((0, 1, 2, 3), (4, 5, 6, 7)), (1,),
        "B1: a line runs on through the 2",
    ),
    MistakeKind.BRANCH: Example(
        "4 3\n1 . . 1\n2 . # #\n2 3 . 3\n", ((0, 1, 2, 3), (1, 5, 4), (9, 10, 11)), (1,),
        "B1: three lines meet",
    ),
    MistakeKind.CROSSING: Example(
        "4 3\n# 1 # 3\n2 . 2 .\n# 1 # 3\n", ((1, 5, 9), (4, 5, 6), (3, 7, 11)), (5,), "B2: two lines cross",
    ),
    MistakeKind.CLOSED_LOOP: Example(
        "4 3\n1 . . 1\n. . . 2\n. . . 2\n", ((0, 1, 2, 3), (4, 5, 6, 10, 9, 8, 4), (7, 11)),
        (4, 5, 6, 8, 9, 10), "A2, B2, C2, A3, B3, C3: a line closes on itself",
    ),
    MistakeKind.DEAD_END: Example(
        "4 3\n1 . . .\n# # # 1\n2 . . 2\n", ((0, 1, 2, 3), (8, 9, 10, 11)), (3,),
        "D1: a line ends on a square without a number",
    ),
    MistakeKind.WRONG_PAIR: Example(
        "4 3\n1 . . 2\n# # # #\n1 # # 2\n", ((0, 1, 2, 3),), (0, 3),
        "A1, D1: a line joins the 1 to the 2",
    ),
    MistakeKind.UNJOINED_PAIR: Example(
        "4 3\n1 2 . 1\n. 2 . .\n. . . .\n", ((0, 4, 8, 9, 10, 11, 7, 6, 2, 3),), (1, 5),
        "B1, B2: the two squares numbered 2 are not joined",
    ),
    MistakeKind.UNCOVERED: Example(
        "4 3\n1 . . 1\n2 . . 2\n3 . 3 .\n", ((0, 1, 2, 3), (4, 5, 6, 7), (8, 9, 10)), (11,),
        "D3: no line covers this square",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_drawing_has_just_this_mistake(kind):
    example = EXAMPLES[kind]
    (mistake,) = check_drawing(boards.puzzle_of(example.board), example.edges)
    assert (mistake.kind, mistake.cells, mistake.text) == (kind, example.cells, example.text)


def test_every_kind_has_an_example():
    of_paths_alone = {MistakeKind.NOT_A_PAIR}  # tested below, since edges have no number
    assert EXAMPLES.keys() | of_paths_alone == set(MistakeKind)


@pytest.mark.parametrize("board", [boards.ARTICLE_SOLUTION, boards.SOLVED_BOARD, boards.TOUCHING_BOARD])
def test_a_right_filling_has_no_mistake_whatever_the_order_and_repeats_of_its_steps(board):
    assert check_drawing(board.puzzle, board.edges) == ()
    assert check_solution(board) == ()
    backwards = [(b, a) for a, b in sorted(board.edges)]
    assert check_drawing(board.puzzle, [*backwards, *board.edges]) == ()


def test_every_mistake_of_a_drawing_is_found():
    puzzle = boards.puzzle_of("4 3\n1 . . 2\n. 3 # 3\n1 . . 2\n")
    mistakes = check_drawing(puzzle, [(0, 1), (1, 2), (2, 3), (5, 6), (-1, 0), (10, 14)])
    assert [mistake.kind for mistake in mistakes] == [
        MistakeKind.OFF_BOARD, MistakeKind.OFF_BOARD, MistakeKind.THROUGH_SOLID, MistakeKind.UNCOVERED,
        MistakeKind.UNCOVERED,
    ]  # fmt: skip


@pytest.mark.parametrize("step", [(3, 4), (0, 5), (0, 8), (5, 5), (0, 11)])
def test_a_step_to_no_neighbour_is_named_even_round_the_edge(step):
    puzzle = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n. . . .\n")
    mistakes = check_drawing(puzzle, [step])
    assert mistakes[0].kind is MistakeKind.NOT_NEIGHBOURS


def test_four_lines_at_a_number_run_through_it():
    puzzle = boards.puzzle_of("4 3\n# . # 1\n. 1 . #\n# . # #\n")
    mistakes = check_drawing(puzzle, [(1, 5), (4, 5), (5, 6), (5, 9)])
    assert mistakes[0].kind is MistakeKind.THROUGH_NUMBER
    assert {mistake.kind for mistake in mistakes[1:]} == {MistakeKind.DEAD_END}


PLAIN = Puzzle(Grid(3, 4), (Pair(1, 0, 3), Pair(2, 4, 11)))


@pytest.mark.parametrize(
    ("paths", "kind", "text"),
    [
        ([Path(1, (0, 1, 2, 3))], MistakeKind.UNJOINED_PAIR, "A2, D3: the number 2 has no path"),
        (
            [Path(1, (0, 1)), Path(2, (4, 5, 6, 7, 11))], MistakeKind.WRONG_PAIR,
            "A1, D1: the path numbered 1 does not run from one to the other",
        ),
        (
            [Path(1, (0, 1, 5, 1, 2, 3)), Path(2, (4, 8, 9, 10, 11))], MistakeKind.CROSSING,
            "B1: the path numbered 1 comes by twice",
        ),
        (
            [Path(1, (0, 1, 2, 3)), Path(2, (4, 8, 9, 10, 11)), Path(9, (5, 6))], MistakeKind.NOT_A_PAIR,
            "B2, C2: a path numbered 9, which the board lacks",
        ),
    ],
)  # fmt: skip
def test_a_solution_whose_paths_are_none_is_found_out(paths, kind, text):
    mistake = check_solution(Solution(PLAIN, tuple(paths)))[0]
    assert (mistake.kind, mistake.text) == (kind, text)


def test_a_witness_that_leaves_squares_empty_is_wrong_only_there():
    witness = Solution(PLAIN, (Path(1, (0, 1, 2, 3)), Path(2, (4, 5, 6, 7, 11))))
    assert {mistake.kind for mistake in check_solution(witness)} == {MistakeKind.UNCOVERED}


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
    mistakes = check_drawing(puzzle, scribble)
    assert mistakes
    assert all(0 <= cell < 35 for mistake in mistakes for cell in mistake.cells)
