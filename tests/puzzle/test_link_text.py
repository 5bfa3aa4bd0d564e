from __future__ import annotations

import pytest
from hypothesis import given

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.link_text import (
    compact_solution_text,
    parse_board_rows,
    parse_solution_rows,
    puzzle_text,
    solution_rows,
    solution_text,
)
from linkpress.puzzle.notation.notations import Notation, write_puzzle
from linkpress.puzzle.notation.reading import read_puzzles
from linkpress.puzzle.puzzle import Solution
from strategies import solutions


def test_the_article_sample_is_written_and_read(article_solution: Solution) -> None:
    assert puzzle_text(article_solution.puzzle) == boards.ARTICLE_PUZZLE_TEXT
    assert solution_text(article_solution) == boards.ARTICLE_SOLUTION_TEXT
    size, rows = boards.ARTICLE_SOLUTION_TEXT.split("\n", 1)
    assert compact_solution_text(article_solution) == f"{size}\n{rows.replace(' ', '')}"


def test_columns_come_before_rows(solved_board: Solution) -> None:
    assert puzzle_text(solved_board.puzzle) == boards.SOLVED_BOARD_TEXT
    grid = solved_board.puzzle.grid
    assert (grid.rows, grid.cols) == (5, 7)


@given(solutions())
def test_a_solution_is_read_exactly_or_refused_as_ambiguous(solution: Solution) -> None:
    if solution.touches_itself:
        with pytest.raises(PuzzleError, match="runs alongside itself"):
            parse_solution_rows(solution.puzzle, solution_rows(solution))
    else:
        assert parse_solution_rows(solution.puzzle, solution_rows(solution)) == solution


def test_compact_characters_are_digits_then_upper_then_lower_case() -> None:
    puzzle = parse_board_rows(("19AZaz", "19AZaz", "......"))
    assert [pair.number for pair in puzzle.pairs] == [1, 9, 10, 35, 36, 61]


def test_a_number_above_61_has_no_compact_form() -> None:
    puzzle = boards.puzzle_of("3 3\n62 . .\n. . .\n. . 62\n")
    with pytest.raises(PuzzleError, match=r"no sign for the number 62; link text, the ascii drawing"):
        write_puzzle(puzzle, Notation.COMPACT)


@pytest.mark.parametrize(
    "text",
    [
        "5 4\nC...B\nA.BA.\n...C.\n.....\n",
        "C...B\nA.BA.\n...C.\n.....",
        "12 . . . 11\n10 . 11 10 .\n. . . 12 .\n. . . . .\n",
        "; Arukone\n5 4 ; columns, rows\n\nC...B\n  A.BA.\n\n...C.\t\n; last\n.....\n\n",
        "\ufeff5 4\r\nC...B\r\nA.BA.\r\n...C.\r.....",
    ],
)
def test_a_board_may_be_compact_without_size_commented_spaced_out(text: str) -> None:
    expected = boards.puzzle_of("5 4\n12 . . . 11\n10 . 11 10 .\n. . . 12 .\n. . . . .\n")
    assert read_puzzles(text) == [expected]


def test_records_follow_one_another_with_and_without_sizes() -> None:
    text = "3 3\n1 . 1\n. . .\n. . .\n3 3\n2.2\n...\n...\n\n3..\n;\n3..\n...\n...\n\n4 . .\n4 . .\n. . .\n"
    assert [puzzle.pairs[0].number for puzzle in read_puzzles(text)] == [1, 2, 3, 4]


def test_a_text_without_records_holds_no_puzzles() -> None:
    assert read_puzzles("\n  \n; nothing\n") == []


GOOD = "3 3\n1 . 1\n. . .\n. . .\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 2\n1 . 1\n. . .\n", "found '2' where the number of rows stands; 3 to 50 are allowed"),
        ("51 3\n", "found '51' where the number of columns stands"),
        ("3 ³\n", "found '³' where"),
        ("-3 3\n", "found '-3' where"),
        ("3 3\n1 . 1\n. x .\n. . .\n", "row 2, column 2: found 'x'; allowed are '.', '#' and a number"),
        ("3 3\n1 . 1\n. 0 .\n. . .\n", "row 2, column 2: found '0'; allowed are"),
        ("3 3\n1 . 1\n. 10000 .\n. . .\n", "found '10000'; .* a number from 1 to 9999"),
        ("3 3\n1.1\n.0.\n...\n", "row 2, column 2: found '0'; .* 1–9, A–Z, a–z"),
        ("3 3\n1 . 1\n. . . .\n. . .\n", "row 2: 4 squares, found '. . . .'; 3 belong there"),
        ("3 3\n1 . 1\n....\n. . .\n", "row 2: 4 squares"),
        ("3 3\n1 . 1\n. . .\n", "the size says 3 rows; the text ends after 2"),
        ("3 3\n1 . 1\n. . .\n. . .\n. # .\n", "the size says 3 rows; one more follows: '. # .'"),
        ("3 3\n1.1\n...\n...\n.#.\n", "the size says 3 rows; one more follows: '.#.'"),
        ("# my puzzle\n3 3\n", "found '# my puzzle': .* comments begin with ';'"),
        ("3 3\n1 . .\n. . .\n. . .\n", r"the number 1 stands 1 time \(r1c1\)"),
        ("3 3\n1 . 1\n. 1 .\n. . .\n", r"the number 1 stands 3 times \(r1c1, r1c3, r2c2\)"),
        ("3 3\n. . .\n. # .\n. . .\n", "without numbers"),
        ("hello\n", "found 'hello': neither a size"),
        ("1.1\n...\n\n", "found '1.1': neither a size"),
        ("1.1\n" + "...\n" * 50, "more than 50 rows"),
        ("1.1\n.#\n...\n", "row 2: 2 squares"),
    ],
)
def test_a_malformed_record_is_named_with_place_and_what_is_allowed(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message) as fault:
        read_puzzles(GOOD + "\n" + text)
    assert str(fault.value).startswith("record 2 (from line 6): ")


BOARD = boards.puzzle_of("4 3\n1 . . 1\n# . 2 .\n# 2 . .\n")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("1 1 1 1", "# 2 2 2", "# 2 2"), "row 3: 3 squares"),
        (("1 1 1 1", "2 2 2 2", "2 2 2 2"), "solid squares are not those of the puzzle"),
        (("1 1 1 1", "# 2 2 .", "# 2 2 .", "# 2 2 ."), "the solution's size or its solid squares"),
        (("1 1 1 1", "# 3 3 .", "# 2 2 ."), "the number 3 stands in only one of puzzle and solution"),
        (("1 1 1 1", "# . . .", "# 2 2 ."), "r2c3 carries the 2 in the puzzle, not in the solution"),
        (("1 1 . 1", "# . 2 .", "# 2 2 ."), "r1c2: the path numbered 1 breaks off here"),
        (("1 1 1 1", "# . 2 .", "# 2 . ."), "r2c3: the path numbered 2 breaks off here"),
        (("1 1 1 1", "# 2 2 .", "# 2 2 ."), "r2c3: the path numbered 2 runs alongside itself"),
    ],
)
def test_rows_that_are_no_drawing_of_the_puzzle_are_refused(rows: tuple[str, ...], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        parse_solution_rows(BOARD, rows)


def test_a_ring_beside_the_path_with_the_same_number_is_refused() -> None:
    puzzle = boards.puzzle_of("5 5\n1 . . . 1\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n")
    rows = ("1 1 1 1 1", ". . . . .", "1 1 1 . .", "1 . 1 . .", "1 1 1 . .")
    with pytest.raises(PuzzleError, match="the squares numbered 1 do not hang together"):
        parse_solution_rows(puzzle, rows)


def test_a_witness_with_empty_squares_can_be_read_again() -> None:
    witness = parse_solution_rows(BOARD, ("1 1 1 1", "# . 2 .", "# 2 2 ."))
    assert not witness.fills
    assert solution_rows(witness) == ("1 1 1 1", "# . 2 .", "# 2 2 .")
