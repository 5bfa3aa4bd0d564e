import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import board_rows, puzzle_text
from linkpress.puzzle.puzzle import MAX_NUMBER, Grid, Pair, Puzzle, Solution, edge
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import SYMMETRIES, canonical, fingerprint
from strategies import puzzles, solutions
from turning import turned_puzzle, turned_solution


def test_cells_count_in_reading_order_and_names_from_one():
    grid = Grid(5, 7)
    assert grid.cell(1, 4) == 11
    assert grid.position(11) == (1, 4)
    assert grid.name(11) == "E2"


def test_neighbours_are_up_left_right_down_and_never_solid():
    grid = Grid(5, 7, frozenset({9}))
    assert grid.neighbours[8] == (1, 7, 15)
    assert grid.neighbours[6] == (5, 13)
    assert grid.neighbours[9] == ()


def test_edges_join_free_neighbours_smaller_cell_first():
    grid = Grid(3, 4, frozenset({5}))
    assert len(grid.edges) == 17 - 4
    assert all(a < b and 5 not in (a, b) for a, b in grid.edges)
    assert edge(9, 8) == (8, 9)


@pytest.mark.parametrize(("rows", "cols"), [(2, 7), (5, 51), (0, 0)])
def test_a_side_out_of_range_is_refused(rows, cols):
    with pytest.raises(PuzzleError, match="3 to 50 are allowed"):
        Grid(rows, cols)


def test_a_solid_outside_the_board_is_refused():
    with pytest.raises(PuzzleError, match="outside the board"):
        Grid(5, 7, frozenset({35}))


@pytest.mark.parametrize(
    ("pairs", "message"),
    [
        ((), "at least one pair"), ((Pair(2, 0, 1), Pair(1, 2, 3)), "rising"), ((Pair(0, 0, 1),), "positive"),
        ((Pair(MAX_NUMBER + 1, 0, 1),), "at most 9999"),
        ((Pair(1, 0, 1), Pair(2, 1, 2)), "two numbers are on one square"),
        ((Pair(1, 0, 34),), "on a solid square"), ((Pair(1, 0, 35),), "outside the board"),
    ],
)  # fmt: skip
def test_a_puzzle_of_impossible_pairs_is_refused(pairs, message):
    with pytest.raises(PuzzleError, match=message):
        Puzzle(Grid(5, 7, frozenset({34})), pairs)


def test_a_number_that_appears_too_often_is_named_with_a_few_of_its_squares():
    numbers = dict.fromkeys(range(35), 4)
    with pytest.raises(PuzzleError, match=r"the number 4 appears 35 times \(A1, .*…\)") as error:
        Puzzle.from_numbers(Grid(5, 7), numbers)
    assert len(str(error.value)) < 150


def test_a_solution_is_traced_from_its_edges():
    assert Solution.from_edges(boards.SOLVED_BOARD.puzzle, boards.SOLVED_BOARD.edges) == boards.SOLVED_BOARD
    assert boards.SOLVED_BOARD.fills
    assert boards.SOLVED_BOARD.number_of[0] == 2


@given(solutions())
def test_paths_touch_where_neighbours_share_a_number_without_an_edge(solution):
    number_of = solution.number_of
    loose = [step for step in solution.puzzle.grid.edges if step not in solution.edges]
    assert solution.touches_itself == any(number_of[a] == number_of[b] for a, b in loose)


def test_a_loop_is_left_out_of_a_traced_solution():
    puzzle = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n. . . .\n")
    line, loop = [(0, 1), (1, 2), (2, 3)], [(5, 6), (6, 10), (9, 10), (5, 9)]
    solution = Solution.from_edges(puzzle, line + loop)
    assert solution.edges == frozenset(line)
    assert not solution.fills


@pytest.mark.parametrize(
    "edges",
    [
        [], [(0, 1)], [(0, 1), (1, 2), (1, 5)], [(0, 1), (1, 5), (0, 4), (4, 5)],
        [(0, 1), (1, 2), (2, 3), (3, 7)],
    ],
)  # fmt: skip
def test_edges_that_join_no_pair_are_refused(edges):
    puzzle = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n. . . .\n")
    with pytest.raises(PuzzleError, match="does not join the two squares numbered 1"):
        Solution.from_edges(puzzle, edges)


symmetries = st.integers(0, len(SYMMETRIES) - 1)

LOPSIDED = boards.puzzle_of("4 3\n1 2 . .\n. # . .\n2 . . 1\n")


@pytest.mark.parametrize(
    ("symmetry", "rows"),
    list(
        enumerate(
            [
                ("1 2 . .", ". # . .", "2 . . 1"), ("2 . 1", ". # 2", ". . .", "1 . ."),
                ("1 . . 2", ". . # .", ". . 2 1"), (". . 1", ". . .", "2 # .", "1 . 2"),
                (". . 2 1", ". . # .", "1 . . 2"), ("2 . . 1", ". # . .", "1 2 . ."),
                ("1 . 2", "2 # .", ". . .", ". . 1"), ("1 . .", ". . .", ". # 2", "2 . 1"),
            ],
        ),
    ),
)  # fmt: skip
def test_each_symmetry_does_what_it_says(symmetry, rows):
    assert board_rows(turned_puzzle(LOPSIDED, symmetry)) == rows


@given(solutions(), symmetries)
def test_a_solution_stays_one_when_turned(solution, symmetry):
    turned = turned_solution(solution, symmetry)
    assert check_solution(turned) == ()
    assert [path.cells[0] for path in turned.paths] == [pair.first for pair in turned.puzzle.pairs]


def test_the_canonical_form_is_wide_and_numbered_from_one():
    tall = boards.puzzle_of("3 4\n# . 9\n. . .\n. 4 .\n4 . 9\n")
    assert board_rows(canonical(tall)) == ("# . . 1", ". . 1 .", "2 . . 2")


@given(puzzles(), symmetries)
def test_turning_mirroring_and_renumbering_keep_the_fingerprint(puzzle, symmetry):
    turned = turned_puzzle(puzzle, symmetry)
    highest = turned.pairs[-1].number
    renumbered = tuple(Pair(2 * (highest + 1 - p.number), p.first, p.second) for p in reversed(turned.pairs))
    other = Puzzle(turned.grid, renumbered)
    assert canonical(other) == canonical(puzzle)
    assert fingerprint(other) == fingerprint(puzzle)
    assert canonical(canonical(puzzle)) == canonical(puzzle)


@given(puzzles(max_side=4), puzzles(max_side=4))
def test_different_canonical_forms_have_different_fingerprints(one, other):
    assert (fingerprint(one) == fingerprint(other)) == (canonical(one) == canonical(other))


def test_a_fingerprint_can_be_worked_out_by_hand():
    digest = hashlib.sha256(puzzle_text(canonical(boards.ARTICLE_PUZZLE)).encode()).hexdigest()
    assert fingerprint(boards.ARTICLE_PUZZLE) == digest[:16] == "25d1d78188e462ea"
