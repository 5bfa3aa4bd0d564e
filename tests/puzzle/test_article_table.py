from __future__ import annotations

import pytest

from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.article_table import both_tables
from linkpress.puzzle.notation.reading import read_puzzles
from strategies import filling

PRINTED = """\
Table to be solved:
| 1 ||   || 1 || X |
| 12||   ||   || 12|
| 9 || 9 ||100||100|


The solution to the above table:
| 1 || 1 || 1 || X |
| 12|| 12|| 12|| 12|
| 9 || 9 ||100||100|
"""
SOLVED = filling(3, 4, {1: [0, 1, 2], 12: [4, 5, 6, 7], 9: [8, 9], 100: [10, 11]})


def test_the_tables_are_those_of_the_article() -> None:
    assert both_tables(SOLVED) == PRINTED.replace("|100|", "| 100|")


@pytest.mark.parametrize("text", [PRINTED, PRINTED.replace("||", "|"), PRINTED.replace("X", " X ")])
def test_the_printed_tables_are_read(text: str) -> None:
    assert read_puzzles(text) == [SOLVED.puzzle]


def test_bare_tables_and_several_are_read() -> None:
    bare = "".join(line + "\n" for line in PRINTED.splitlines()[1:4])
    assert read_puzzles(bare + "\n" + PRINTED + "\n" + bare) == [SOLVED.puzzle] * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Table to be solved:\n", "a board of 0 rows"),
        ("| 1 || 1 |\n", "a board of 1 row:"),
        ("| 1 ||   || 1 |\n|   ||   |\n", "row 2: 2 squares; the first row has 3"),
        ("| 1 ||   || 1 |\n|   || x ||   |\n", "row 2, column 2: found 'x'; allowed are blanks, 'X' and"),
        ("| 1 ||   || 1 |\n|   || 0 ||   |\n", "row 2, column 2: found '0'"),
        ("| 1 ||   || 1 |\n|   ||10000||   |\n", "found '10000'.* 1 to 9999"),
        ("| 1 ||   || 1 |\n" * 51, "more than 50 rows"),
        ("The solution to the above table:\n| 1 |\n", "stands where a puzzle belongs"),
    ],
)
def test_a_malformed_table_is_named(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        read_puzzles(text)
