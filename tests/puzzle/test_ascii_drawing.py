from textwrap import indent

import pytest
from hypothesis import given

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.ascii_drawing import draw_lines, draw_puzzle, draw_solution
from linkpress.puzzle.notations import read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Solution
from strategies import filling, puzzles

WIDE = filling(3, 4, {7: [0, 1, 2, 3], 12: [7, 6, 5, 4], 345: [8, 9, 10]})

WIDE_PUZZLE = """\
┌───┬───┬───┬───┐
│ 7 │   │   │ 7 │
├───┼───┼───┼───┤
│ 12│   │   │ 12│
├───┼───┼───┼───┤
│345│   │345│███│
└───┴───┴───┴───┘
"""
WIDE_SOLUTION = """\
┌───────────────┐
│ 7───────────7 │
│               │
│ 12──────────12│
│               │
│345─────345 ███│
└───────────────┘
"""


def test_numbers_of_one_to_three_digits_and_solids_are_drawn():
    assert draw_puzzle(WIDE.puzzle) == WIDE_PUZZLE


def test_paths_are_drawn_from_number_to_number():
    assert draw_solution(WIDE) == WIDE_SOLUTION


def test_a_path_beside_itself_is_drawn_apart():
    assert draw_solution(boards.TOUCHING_BOARD) == boards.TOUCHING_BOARD_DRAWING


def test_an_uncovered_square_is_a_dot():
    witness = filling(3, 3, {1: [0, 1, 2], 2: [3, 4, 5, 8, 7, 6]})
    short = Solution(witness.puzzle, (witness.paths[0],))
    assert draw_solution(short).splitlines()[3] == "│ 2   ·   · │"


def test_four_digits_make_the_squares_wider():
    solution = filling(3, 3, {1000: [0, 1, 2, 5, 4, 3], 2: [6, 7, 8]})
    assert draw_puzzle(solution.puzzle).splitlines()[1] == "│ 1000│     │     │"
    assert draw_solution(solution).splitlines()[1:6] == [
        "│ 1000─────────┐  │",
        "│              │  │",
        "│ 1000─────────┘  │",
        "│                 │",
        "│  2───────────2  │",
    ]


@given(puzzles())
def test_drawings_may_be_indented_and_follow_one_another(puzzle):
    drawing = draw_puzzle(puzzle)
    assert read_puzzles(indent(drawing, "    ") + drawing + "\n; last\n" + drawing) == [puzzle] * 3


def test_a_witness_can_be_read_again():
    puzzle = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n2 2 . .\n")
    witness = Solution.from_edges(puzzle, [(0, 1), (1, 2), (2, 3), (8, 9)])
    assert read_drawings(draw_solution(witness)) == [(puzzle, witness.edges)]


PUZZLE = draw_puzzle(boards.puzzle_of("4 3\n1 . . 1\n# . 2 .\n# 2 . .\n"))
SOLUTION = draw_solution(filling(3, 4, {1: [0, 1, 2, 3], 2: [4, 5, 6, 7], 3: [8, 9, 10, 11]}))


@pytest.mark.parametrize(
    ("wrong", "right", "message"),
    [
        ("┼", "+", r"line 3, column 5 of the drawing: found '\+' instead of '┼'"),
        ("│ 2 │", "│ x │", "line 4, column 11 of the drawing: found 'x'; a square holds a number, '███'"),
        ("│ 2 │", "│2  │", "line 4, column 10 of the drawing: found '2' instead of ' '"),
        ("│███│", "│█ █│", "line 4, column 3 of the drawing: found ' ' instead of '█'"),
        ("┘", "┘ x", "line 7, column 19 of the drawing: found 'x' instead of ' '"),
        ("└", "─", "no end after 7 lines: '└' must begin its last"),
        ("┌───┬───┬", "┌┬", "a board of 2 columns"),
        ("├", "", "line 3, column 1 of the drawing: found '─' instead of '├'"),
    ],
)
def test_a_stray_character_in_a_drawing_is_reported(wrong, right, message):
    with pytest.raises(PuzzleError, match=message):
        read_puzzles(PUZZLE.replace(wrong, right, 1))


def test_a_drawing_that_moves_left_is_refused():
    with pytest.raises(PuzzleError, match="line 2 of the drawing begins further left"):
        read_puzzles("  " + PUZZLE)


def test_a_solution_is_no_puzzle():
    with pytest.raises(PuzzleError, match="solution instead of a puzzle"):
        read_puzzles(SOLUTION)


BY_HAND = boards.puzzle_of("5 3\n1 . . . 1\n2 . # 3 2\n. . . 3 .\n")
STEPS = frozenset({(0, 1), (1, 2), (6, 11), (11, 12)})


@pytest.mark.parametrize(
    "drawing",
    [
        """
┌───────────────────┐
│ 1--   -         1 │
│                   │
│ 2   .  ███  3   2 │
│     |             │
│     └ -     3     │
└───────────────────┘
""",
        """
┌───┬───┬───┬───┬───┐
│ 1 ─   ─   │   │ 1 │
├───┼───┼───┼───┼───┤
│ 2 │   │███│ 3 │ 2 │
├───┼─│─┼───┼───┼───┤
│   │   ─   │ 3 │   │
└───┴───┴───┴───┴───┘
""",
        """
┌───────────────────┐
│ 1───+───┬   ·   1
│
│ 2   ╷  ███  3   2
│     │
│ ·   ·---╴   3
└
""",
    ],
    ids=["blanks and hyphens", "over a ruled grid", "odd glyphs, no right edge"],
)
def test_a_board_drawn_by_hand_is_read_by_the_lines_between_squares(drawing):
    assert read_drawings(drawing) == [(BY_HAND, STEPS)]


OPEN = draw_lines(boards.puzzle_of("3 3\n1 . 1\n2 . 2\n3 . 3\n"), ()).replace("·", " ")


@pytest.mark.parametrize(
    ("neat", "loose", "steps"),
    [
        ("│ 1   ", "│  1  ", frozenset()),
        ("│ 1   ", "│1──  ", frozenset()),  # short of the next square
        ("│ 1   ", "│1─── ", frozenset({(0, 1)})),
        ("│      ", "│ |    ", frozenset({(0, 3)})),
    ],
)
def test_in_a_drawing_by_hand_a_number_may_be_anywhere_in_its_square(neat, loose, steps):
    ((puzzle, drawn),) = read_drawings(OPEN.replace(neat, loose, 1))
    assert (puzzle, drawn) == (read_drawings(OPEN)[0][0], steps)


@pytest.mark.parametrize(
    ("neat", "stray", "message"),
    [
        ("│ 1   ", "│   1 ", "line 2, column 5 of the drawing: found '1' instead of '─' or '-' or a blank"),
        ("│ 1   ", "│ 1 x ", "line 2, column 5 of the drawing: found 'x' instead"),
        ("│ 1   ", "│ 1  y", "line 2, column 6 of the drawing: found 'y'; a square holds"),
        ("│ 1   ", "│1 1  ", "line 2 of the drawing: '1 1' is more than a square holds"),
        ("│ 1   ", "  1   ", r"line 2, column 1 of the drawing: found ' ' instead of '│' or '\|'"),
        ("│      ", "│  |   ", r"line 3, column 4 of the drawing: found '\|' instead of a blank"),
        ("1 │", "1  │", "line 2, column 14 of the drawing: found '│' instead of a blank"),
        ("┌───", "┌──", "a drawing of 7 lines and 12 columns"),
    ],
)
def test_a_wrong_character_in_a_drawing_by_hand_is_reported(neat, stray, message):
    with pytest.raises(PuzzleError, match=message):
        read_drawings(OPEN.replace(neat, stray, 1))
