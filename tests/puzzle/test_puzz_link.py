import pytest

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.puzz_link import BEGINS, parse_url, puzzle_url
from linkpress.puzzle.notation.reading import read_puzzles
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle

# As pzprjs writes it: three empty squares are i, 16 is -10, 256 is +100, and a run of 20 is z.
BOARD = Puzzle(
    Grid(5, 7), (Pair(9, 0, 1), Pair(15, 2, 3), Pair(16, 4, 5), Pair(255, 6, 10), Pair(256, 31, 34))
)
URL = "https://puzz.link/p?numlin/7/5/99ff-10-10-ffi-ffz+100h+100"


def test_numbers_and_gaps_are_written_as_the_player_writes_them():
    assert puzzle_url(BOARD) == URL
    assert parse_url(URL) == BOARD


@pytest.mark.parametrize(("number", "sign"), [(4095, "+fff"), (4096, "=000"), (8191, "=fff"), (8192, "%000")])
def test_large_numbers_have_signs_of_their_own(number, sign):
    puzzle = Puzzle(Grid(3, 3), (Pair(number, 0, 8),))
    assert puzzle_url(puzzle) == f"https://puzz.link/p?numlin/3/3/{sign}m{sign}"
    assert parse_url(puzzle_url(puzzle)) == puzzle


@pytest.mark.parametrize(
    "url",
    [
        "http://pzv.jp/p.html?numlin/4/3/1h1j2h2",
        "https://pzprxs.vercel.app/p?numlin/4/3/1h1j2h2/",
        "puzz.link/p?numlin_edit/4/3/1h1j2h2",
        "https://puzz.link/p.html?numlin_play/4/3/1h1j2h2#top",
        "http://pzv.jp/p.html?m+numlin/4/3/1h1j2h2",
        "  <https://puzz.link/p?numlin/4/3/1h1j2h2>",
        "?numlin/4/3/1h1j2h2",
        "numlin/4/3/1h1j2h2",
    ],
)
def test_the_address_may_be_of_any_host_or_of_none(url):
    expected = boards.puzzle_of("4 3\n1 . . 1\n. . . .\n2 . . 2\n")
    assert BEGINS.match(url)
    assert parse_url(url) == expected


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://puzz.link/p?slither/5/5/abc", "found 'slither' .* only 'numlin' and 'arukone' can be read"),
        ("https://puzz.link/p?numlin/", "found 'numlin/'; allowed is 'numlin/COLS/ROWS/SQUARES'"),
        ("https://puzz.link/p?numlin/v:/4/3/1h1j2h2", "found 'numlin/v:/4/3/1h1j2h2'; allowed is"),
        ("https://puzz.link/p?numlin/51/3/z", "found '51' where the number of columns stands; 3 to 50"),
        ("https://puzz.link/p?numlin/4/0/z", "found '0' where the number of rows stands"),
        ("https://puzz.link/p?numlin/4/99999999999/z", "where the number of rows"),
        ("https://puzz.link/p?numlin/4/3/1h1.i2h2", "character 4 of the squares: '.' .*number is not told"),
        ("https://puzz.link/p?numlin/4/3/1h1A", "character 4 of the squares: found 'A'"),
        ("https://puzz.link/p?numlin/4/3/0h1j2h2", "character 1 of the squares: found '0h1j'"),
        ("https://puzz.link/p?numlin/4/3/1h1-1g", "character 4 of the squares: found '-1g'"),
        ("https://puzz.link/p?numlin/4/3/1h1-1", "character 4 of the squares: found '-1'"),
        ("https://puzz.link/p?numlin/4/3/1h1$00000", "character 4 of the squares: found '\\$000'"),
        ("https://puzz.link/p?numlin/4/3/%fffp%fff", "the number 12287: at most 9999"),
        ("https://puzz.link/p?numlin/4/3/1h1j2h", "the address describes 11 squares; 4 × 3 are 12"),
        ("https://puzz.link/p?numlin/4/3/1h1j2h22", "describes more than 12 squares; 4 × 3 are 12"),
        ("https://puzz.link/p?numlin/4/3/zzzzzzzzzz", "describes more than 12 squares"),
        ("https://puzz.link/p?numlin/4/3/1h1j2h3", "the number 2 stands 1 time"),
    ],
)
def test_a_malformed_address_is_refused_with_the_place(url, message):
    with pytest.raises(PuzzleError, match=message):
        parse_url(url)


def test_several_addresses_stand_one_a_line():
    assert read_puzzles(f"{URL}\n\n; again\n{URL}\n") == [BOARD, BOARD]


@pytest.mark.parametrize("line", ["7 5", "1 . . 2", "C...B", "┌───┐", "| 4 |", "numlinks"])
def test_other_notations_are_no_addresses(line):
    assert not BEGINS.match(line)
