"""Files and addresses of the puzz.link player."""

import pytest

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.notations import read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle, Solution
from linkpress.puzzle.pzpr import URL_BEGINS, parse_url, puzzle_file, puzzle_url

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


def test_a_path_that_runs_alongside_itself_is_read_again():
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
        ("pzprv3/slither/3/4/", "found 'slither' instead of the kind of puzzle; only 'numlin' and 'arukone'"),
        ("pzprv3/numlin/3/", "the file ends before the number of columns"),
        ("pzprv3/numlin/2/4/", "found '2' instead of the number of rows; 3 to 50"),
        ("pzprv3/numlin/3/4/1 . . 1 /. . . ./", "the file ends before row 3"),
        ("pzprv3/numlin/3/4/1 . . 1 /. . . /", r"row 2: 3 squares, found '\. \. \.'; 4 are needed"),
        ("pzprv3/numlin/3/4/1 . . A /", "row 1, column 4: found 'A'; allowed are '.' and a number"),
        ("pzprv3/arukone/3/4/1 . . 1 /", "found '1 . . 1' instead of 'passallcell'"),
        (
            "pzprv3/arukone/3/4/passallcell/1 . . 1 /",
            "row 1, column 1: found '1'; allowed are '.' and a letter",
        ),
        ("pzprv3/numlin/3/4/1 . . 1 /. . . . /2 . . 2 /1 1 /", "found '1 1' instead of 3 steps of row 1"),
        (FILE.replace("1 1 1 \n0", "1 1 2 \n0"), "found '1 1 2' instead of 3 steps of row 3"),
        (FILE.replace("0 0 0 0", "0 1 0 0", 1), "B1: three lines meet"),
        (FILE + "0 0 0 0 \n", "found '0 0 0 0' after the end of the board"),
    ],
)
def test_a_malformed_file_is_refused_with_the_place(text, message):
    with pytest.raises(PuzzleError, match=message):
        read_drawings(text)


SAVED = "pzprv3\nnumlin\n5\n5\n1 . . . .\n2 . . 3 .\n. . . . .\n. 1 . . 2\n. . . . 3\n"
LINES = "1 0 0 0\n" + "0 0 0 0\n" * 4 + "0 0 0 0 0\n" * 4
COPIED = "numlin/5/5/1j2h3m1h2j3"
COPIED_BOARD = parse_url(COPIED)


@pytest.mark.parametrize(
    "extra",
    [
        'info:{\n "metadata": {\n  "author": "X",\n  "comment": "1/2 pzprv3"\n }\n}',
        '\nhistory:{\n "type": "pzpr",\n "history": [],\n "time": 1\n}',
        "\n__HISTORY__\n",
        f"TrialData(1)\n1 . . . .\n2 . . 3 .\n{LINES}",
        "TRIAL\n1 1 1 1",
        "http://pzv.jp/p.html?numlin/5/5/1j2h3m1h2j3",
    ],
)  # fmt: skip
@pytest.mark.parametrize("lines", ["", LINES])
def test_what_the_player_saves_beside_the_board_is_passed_over(extra, lines):
    text = SAVED + lines + extra
    drawn = (COPIED_BOARD, frozenset({(0, 1)} if lines else ()))
    assert read_drawings(text) == [drawn]
    assert read_drawings(f"{text}\n\n{text}\n{SAVED}") == [drawn, drawn, (COPIED_BOARD, frozenset())]


@pytest.mark.parametrize(
    "text",
    [
        "v:allowempty\n" + SAVED,
        SAVED.replace("numlin\n", "v:allowempty\nnumlin\n"),
        "https://puzz.link/p?numlin/v:allowempty/5/5/1j2h3m1h2j3",
    ],
)
def test_a_variant_is_refused_by_name(text):
    with pytest.raises(PuzzleError, match="variant of the puzzle, 'allowempty'"):
        read_puzzles(text)


IN_PENPA = "https://swaroopg92.github.io/penpa-edit/"


@pytest.mark.parametrize(
    "address",
    [
        f"https://puzz.link/p?type=player&{COPIED}",
        f"https://puzz.link/p?{COPIED}&utm_source=chat&utm_medium=x",
        f"https://puzz.link/p?utm_source=chat&{COPIED}#again",
        f"https://pzprxs.vercel.app/p?m+{COPIED}",
        "https://puzz.link/p?numlin%2F5%2F5%2F1j2h3m1h2j3",
        "https%3A%2F%2Fpuzz.link%2Fp%3Fnumlin%2F5%2F5%2F1j2h3m1h2j3",
        "https://www.google.com/url?q=https%3A%2F%2Fpuzz.link%2Fp%3Fnumlin%2F5%2F5%2F1j2h3m1h2j3&sa=D",
        f"{IN_PENPA}?m=solve&p=https://puzz.link/p?{COPIED}",
        f"{IN_PENPA}#m=edit&p=https%3A%2F%2Fpuzz.link%2Fp%3Fnumlin%2F5%2F5%2F1j2h3m1h2j3&l=solvedup",
        "https://puzz.link/p?pzprv3/numlin/5/5/1%20.%20.%20.%20.%20/2%20.%20.%203%20.%20/.%20.%20.%20.%20.%20"
        "/.%201%20.%20.%202%20/.%20.%20.%20.%203%20/",
        "https://puzz.link/p?type=player&pzprv3/numlin/5/5/"
        "1 . . . . /2 . . 3 . /. . . . . /. 1 . . 2 /. . . . 3 /",
        "https://puzz.link/p?pzprv3/numlin/5/5/1+.+.+.+.+/2+.+.+3+.+/.+.+.+.+.+/.+1+.+.+2+/.+.+.+.+3+/.",
        "[a_b](https://puzz.link/p?pzprv3/numlin/5/5/1_._._._._/2_._._3_._/._._._._._/._1_._._2_/._._._._3_/)",
        f"\u200bhttps://puzz.link/p?{COPIED}\u200b.",
        f"(https://puzz.link/p?{COPIED}).",
        f"[this one](https://puzz.link/p?{COPIED}) today!",
        f"[https://puzz.link/p?{COPIED}](https://puzz.link/p?{COPIED})",
    ],
)
def test_addresses_that_people_copy_are_read(address):
    assert read_puzzles(f"{address}\n") == [COPIED_BOARD]


# pzprjs writes three empty squares as i, 20 empty squares as z, 16 as -10 and 256 as +100.
ADDRESSED = Puzzle(
    Grid(5, 7), (Pair(9, 0, 1), Pair(15, 2, 3), Pair(16, 4, 5), Pair(255, 6, 10), Pair(256, 31, 34))
)
URL = "https://puzz.link/p?numlin/7/5/99ff-10-10-ffi-ffz+100h+100"


def test_numbers_and_gaps_are_written_as_the_player_writes_them():
    assert puzzle_url(ADDRESSED) == URL
    assert parse_url(URL) == ADDRESSED


@pytest.mark.parametrize(("number", "sign"), [(4095, "+fff"), (4096, "=000"), (8191, "=fff"), (8192, "%000")])
def test_large_numbers_have_special_signs(number, sign):
    puzzle = Puzzle(Grid(3, 3), (Pair(number, 0, 8),))
    assert puzzle_url(puzzle) == f"https://puzz.link/p?numlin/3/3/{sign}m{sign}"
    assert parse_url(puzzle_url(puzzle)) == puzzle


@pytest.mark.parametrize(
    "url",
    [
        "http://pzv.jp/p.html?numlin/4/3/1h1j2h2", "https://pzprxs.vercel.app/p?numlin/4/3/1h1j2h2/",
        "puzz.link/p?numlin_edit/4/3/1h1j2h2", "https://puzz.link/p.html?numlin_play/4/3/1h1j2h2#top",
        "http://pzv.jp/p.html?m+numlin/4/3/1h1j2h2", "  <https://puzz.link/p?numlin/4/3/1h1j2h2>",
        "?numlin/4/3/1h1j2h2", "numlin/4/3/1h1j2h2",
    ],
)  # fmt: skip
def test_the_address_may_be_of_any_host_or_of_none(url):
    expected = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n2 . . 2\n")
    assert URL_BEGINS.match(url)
    assert parse_url(url) == expected


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://puzz.link/p?slither/5/5/abc", "found 'slither' .* only 'numlin' and 'arukone' can be read"),
        ("https://puzz.link/p?numlin/", "found 'numlin/'; allowed is 'numlin/COLS/ROWS/SQUARES'"),
        ("https://puzz.link/p?numlin/x/4/3/1h1j2h2", "found 'numlin/x/4/3/1h1j2h2'; allowed is"),
        ("https://puzz.link/p?numlin/51/3/z", "found '51' instead of the number of columns; 3 to 50"),
        ("https://puzz.link/p?numlin/4/0/z", "found '0' instead of the number of rows"),
        ("https://puzz.link/p?numlin/4/99999999999/z", "instead of the number of rows"),
        ("https://puzz.link/p?numlin/4/3/1h1.i2h2", "character 4 of the squares: '.' .*number is missing"),
        ("https://puzz.link/p?numlin/4/3/1h1A", "character 4 of the squares: found 'A'"),
        ("https://puzz.link/p?numlin/4/3/0h1j2h2", "character 1 of the squares: found '0h1j'"),
        ("https://puzz.link/p?numlin/4/3/1h1-1g", "character 4 of the squares: found '-1g'"),
        ("https://puzz.link/p?numlin/4/3/1h1-1", "character 4 of the squares: found '-1'"),
        ("https://puzz.link/p?numlin/4/3/1h1$00000", "character 4 of the squares: found '\\$000'"),
        ("https://puzz.link/p?numlin/4/3/%fffp%fff", "the number 12287: at most 9999"),
        ("https://puzz.link/p?numlin/4/3/1h1j2h", "the address describes 11 squares; 4 × 3 are 12"),
        ("https://puzz.link/p?numlin/4/3/1h1j2h22", "describes more than 12 squares; 4 × 3 are 12"),
        ("https://puzz.link/p?numlin/4/3/zzzzzzzzzz", "describes more than 12 squares"),
        ("https://puzz.link/p?numlin/4/3/1h1j2h3", "the number 2 appears 1 time"),
    ],
)
def test_a_malformed_address_is_refused_with_the_place(url, message):
    with pytest.raises(PuzzleError, match=message):
        parse_url(url)


def test_each_line_may_have_an_address():
    assert read_puzzles(f"{URL}\n\n; again\n{URL}\n") == [ADDRESSED, ADDRESSED]


@pytest.mark.parametrize("line", ["7 5", "1 . . 2", "C...B", "┌───┐", "| 4 |", "numlinks"])
def test_other_notations_are_no_addresses(line):
    assert not URL_BEGINS.match(line)
