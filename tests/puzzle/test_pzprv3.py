"""Files of the puzz.link player, written, read back, and refused where they are malformed."""

import pytest

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.puzz_link import parse_url, puzzle_url
from linkpress.puzzle.notation.pzprv3 import puzzle_file
from linkpress.puzzle.notation.reading import read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Solution

BOARD = boards.puzzle_of("4 3\n1 . . 1\n2 . . 2\n3 . . 3\n")
ACROSS = Solution.from_edges(
    BOARD, {(row * 4 + col, row * 4 + col + 1) for row in range(3) for col in range(3)}
)
FILE = """\
pzprv3
arukone
3
4
passallcell
A . . A 
B . . B 
C . . C 
1 1 1 
1 1 1 
1 1 1 
0 0 0 0 
0 0 0 0 
"""  # noqa: W291


def test_a_file_is_as_the_player_writes_it():
    assert puzzle_file(ACROSS.puzzle, ACROSS.edges, filled=True) == FILE
    plain = puzzle_file(ACROSS.puzzle, ACROSS.edges)
    assert plain.splitlines()[1] == "numlin"
    assert plain.splitlines()[4] == "1 . . 1 "


@pytest.mark.parametrize("filled", [True, False])
def test_puzzles_solutions_and_drawings_come_back(filled):
    assert read_puzzles(puzzle_file(BOARD, filled=filled)) == [BOARD]
    text = puzzle_file(ACROSS.puzzle, ACROSS.edges, filled=filled)
    drawn = (BOARD, ACROSS.edges)
    assert read_drawings(text) == [drawn]
    assert read_drawings(text.replace("\n", "/")) == [drawn]
    assert read_drawings(text + text) == [drawn, drawn]


def test_a_file_may_end_after_its_board():
    assert read_drawings("pzprv3/numlin/3/4/1 . . 1 /. . . . /2 . . 2 /") == [
        (boards.puzzle_of("4 3\n1 . . 1\n. . . .\n2 . . 2\n"), frozenset())
    ]


def test_a_path_beside_itself_is_told():
    bare = boards.puzzle_of("5 3\n1 . . . .\n. . . . .\n. . . . 1\n")
    snake = Solution.from_edges(
        bare, {(c, c + 1) for c in (0, 1, 2, 3, 5, 6, 7, 8, 10, 11, 12, 13)} | {(4, 9), (5, 10)}
    )
    assert snake.touches_itself
    assert read_drawings(puzzle_file(snake.puzzle, snake.edges)) == [(bare, snake.edges)]


def test_more_than_52_numbers_stay_numbers():
    numbers = [[str(row * 5 + col // 2 + 1) for col in range(10)] for row in range(12)]
    many = boards.puzzle_of("\n".join(["10 12", *(" ".join(row) for row in numbers), ""]))
    assert puzzle_file(many, filled=True).splitlines()[1] == "numlin"
    assert puzzle_url(many, filled=True).startswith("https://puzz.link/p?numlin/10/12/")
    assert read_puzzles(puzzle_file(many, filled=True)) == [many]


def test_addresses_follow_the_rule():
    assert puzzle_url(BOARD, filled=True) == "https://puzz.link/p?arukone/4/3/1h12h23h3"
    assert puzzle_url(BOARD) == "https://puzz.link/p?numlin/4/3/1h12h23h3"
    for address in ("arukone/4/3/1h12h23h3", "https://puzz.link/p?arukone/e/4/3/1h12h23h3"):
        assert parse_url(address) == BOARD
        assert read_puzzles(address) == [BOARD]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "pzprv3/slither/3/4/",
            "found 'slither' where the kind of puzzle stands; only 'numlin' and 'arukone'",
        ),
        ("pzprv3/numlin/3/", "the file ends where the number of columns should stand"),
        ("pzprv3/numlin/2/4/", "found '2' where the number of rows stands; 3 to 50"),
        ("pzprv3/numlin/3/4/1 . . 1 /. . . ./", "the file ends where row 3 should stand"),
        ("pzprv3/numlin/3/4/1 . . 1 /. . . /", r"row 2: 3 squares, found '\. \. \.'; 4 belong there"),
        ("pzprv3/numlin/3/4/1 . . A /", "row 1, column 4: found 'A'; allowed are '.' and a number"),
        ("pzprv3/arukone/3/4/1 . . 1 /", "found '1 . . 1' where 'passallcell'"),
        (
            "pzprv3/arukone/3/4/passallcell/1 . . 1 /",
            "row 1, column 1: found '1'; allowed are '.' and a letter",
        ),
        ("pzprv3/numlin/3/4/1 . . 1 /. . . . /2 . . 2 /1 1 /", "found '1 1' where 3 steps of row 1 stand"),
        (FILE.replace("1 1 1 \n0", "1 1 2 \n0"), "found '1 1 2' where 3 steps of row 3 stand"),
        (FILE.replace("0 0 0 0", "0 1 0 0", 1), "r1c2: three lines meet"),
        (FILE + "0 0 0 0 \n", "found '0 0 0 0' behind the end of the board"),
    ],
)
def test_a_malformed_file_is_refused_with_the_place(text, message):
    with pytest.raises(PuzzleError, match=message):
        read_drawings(text)
