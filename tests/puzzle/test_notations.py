import codecs

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import (
    both_tables,
    compact_solution_text,
    parse_board_rows,
    parse_solution_rows,
    puzzle_text,
    solution_rows,
    solution_text,
)
from linkpress.puzzle.notations import (
    Notation,
    decode,
    notation_rows,
    read_drawings,
    read_puzzles,
    write_puzzle,
    write_solution,
)
from linkpress.puzzle.puzzle import Grid, Puzzle
from strategies import filling, puzzles, solutions

ROWS = notation_rows()
HOLDS_SOLIDS = [notation for notation in Notation if ROWS[notation].holds_solids]


@pytest.mark.parametrize("notation", Notation)
@given(st.data())
def test_every_puzzle_can_be_read_again_from_every_notation(notation, data):
    puzzle = data.draw(puzzles(highest=ROWS[notation].highest_number or 9999))
    if notation not in HOLDS_SOLIDS:
        puzzle = Puzzle(Grid(puzzle.grid.rows, puzzle.grid.cols), puzzle.pairs)
    text = write_puzzle(puzzle, notation)
    assert read_puzzles(text) == [puzzle]
    assert read_drawings(text) == [(puzzle, frozenset())]


@pytest.mark.parametrize("notation", [one for one in HOLDS_SOLIDS if ROWS[one].read_drawing])
@given(solutions(highest=61))
def test_every_drawn_solution_can_be_read_again(notation, solution):
    assert read_drawings(write_solution(solution, notation)) == [(solution.puzzle, solution.edges)]


def test_a_notation_names_what_it_can_t_write_and_which_notations_can():
    able = "link text, compact link text, the ascii drawing, .* and the Penpa\\+ address can hold"
    for notation in (Notation.URL, Notation.PZPRV3):
        with pytest.raises(PuzzleError, match=f"no sign for the solid square E4; {able} this board"):
            write_puzzle(boards.ARTICLE_SOLUTION.puzzle, notation)
    with pytest.raises(PuzzleError, match="pzprv3 file has no sign for the solid square"):
        write_solution(boards.ARTICLE_SOLUTION, Notation.PZPRV3)
    with pytest.raises(PuzzleError, match=r"holds a puzzle, not a solution; .* and the pzprv3 file can hold"):
        write_solution(boards.ARTICLE_SOLUTION, Notation.URL)


def test_notations_may_be_mixed_in_one_text():
    forms = [write_puzzle(boards.SOLVED_BOARD.puzzle, form) for form in HOLDS_SOLIDS]
    for text in "".join(forms), "; all of them\n\n" + "\n".join(reversed(forms)):
        assert read_puzzles(text) == [boards.SOLVED_BOARD.puzzle] * len(forms)


def test_an_error_names_the_record_among_all_notations():
    text = (
        write_puzzle(boards.SOLVED_BOARD.puzzle, Notation.ASCII)
        + "\nhttps://puzz.link/p?numlin/3/3/1m1\n3 3\n1 1 x\n"
    )
    with pytest.raises(PuzzleError, match=r"record 3 \(from line 14\): row 1, column 3: found 'x'"):
        read_puzzles(text)


@pytest.mark.parametrize(
    "data",
    [
        boards.ARTICLE_PUZZLE_TEXT.encode(),
        codecs.BOM_UTF8 + boards.ARTICLE_PUZZLE_TEXT.encode(),
        codecs.BOM_UTF16_LE + boards.ARTICLE_PUZZLE_TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + boards.ARTICLE_PUZZLE_TEXT.encode("utf-16-be"),
        boards.ARTICLE_PUZZLE_TEXT.replace("\n", "\r\n").encode(),
    ],
)
def test_files_of_any_system_are_read(data):
    assert read_puzzles(decode(data)) == [boards.ARTICLE_PUZZLE]


@pytest.mark.parametrize(
    ("data", "message"), [(b"7 7\n\xff", "byte 5 is not UTF-8"), (b"\xff\xfe7", "UTF-16")]
)
def test_a_file_that_is_no_text_is_refused(data, message):
    with pytest.raises(PuzzleError, match=message):
        decode(data)


MEGABYTES = 10_000_000


@pytest.mark.parametrize(
    "text",
    [
        "\0" * MEGABYTES, "9" * MEGABYTES, ". " * (MEGABYTES // 2), "|\n" * (MEGABYTES // 2),
        "┌\n" * (MEGABYTES // 2), "3 3\n" + "9" * 5000 + " . .\n", "9" * 5000 + " 3\n", "50 50\n" + ". " * 50,
        "numlin/50/50/" + "z" * 19_000, "\ud800 \udfff",
    ],
    ids=lambda text: repr(text[:12]),
)  # fmt: skip
def test_hostile_text_is_refused_with_a_short_message(text):
    for read in (read_puzzles, read_drawings):
        with pytest.raises(PuzzleError) as error:
            read(text)
        assert len(str(error.value)) < 300


def test_a_text_that_is_too_long_is_refused():
    with pytest.raises(PuzzleError, match="split the file"):
        read_puzzles("\n" * (64 * 1024 * 1024 + 1))


scraps = st.sampled_from(
    [
        *"\n\n\n 3579.#;|X0\0\t\r²x┌┬┐│├┼┤└┴┘─█·", "3 3\n", "7 5\n", ". . .\n", "1 . 1\n", "1.1\n", "...\n",
        "|   |", "| 1 |", "Table to be solved:\n", "The solution to the above table:\n",
        "https://puzz.link/p?numlin/3/3/", "1m1", "-1",
        "┌───┬───┬───┐\n", "┌───────────┐\n", "│ 1───────1 │\n", "└───────────┘\n",
    ]
)  # fmt: skip


def outcome(read, text):
    """Return what was read, or the message of a ``PuzzleError``."""
    try:
        return read(text)
    except PuzzleError as error:
        return str(error)


@given(st.lists(scraps, max_size=30).map("".join) | st.text(max_size=60))
@example("┌┬")
@example("1 1 1\n1 1 1\n1 1 1\n")
def test_no_text_raises_anything_but_a_puzzle_error(text):
    assert isinstance(outcome(read_puzzles, text), list | str)
    assert isinstance(outcome(read_drawings, text), list | str)


@given(st.data())
def test_a_damaged_record_raises_nothing_but_a_short_puzzle_error(data):
    boards_of_all_kinds = [boards.SOLVED_BOARD, boards.TOUCHING_BOARD, boards.ARTICLE_SOLUTION]
    solution = data.draw(st.sampled_from(boards_of_all_kinds))
    notation = data.draw(st.sampled_from(HOLDS_SOLIDS))
    solved = data.draw(st.booleans()) and ROWS[notation].write_solution is not None
    text = write_solution(solution, notation) if solved else write_puzzle(solution.puzzle, notation)
    at = data.draw(st.integers(0, len(text) - 1))
    damaged = text[:at] + data.draw(scraps) + text[at + 1 :]
    for read in (read_puzzles, read_drawings):
        found = outcome(read, damaged)
        assert isinstance(found, list) or len(str(found)) < 400


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


def test_the_tables_are_those_of_the_article():
    assert both_tables(SOLVED) == PRINTED.replace("|100|", "| 100|")


@pytest.mark.parametrize("text", [PRINTED, PRINTED.replace("||", "|"), PRINTED.replace("X", " X ")])
def test_the_printed_tables_are_read(text):
    assert read_puzzles(text) == [SOLVED.puzzle]


def test_bare_tables_and_several_are_read():
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
        ("The solution to the above table:\n| 1 |\n", "instead of a puzzle"),
    ],
)
def test_a_malformed_table_is_refused_with_the_place(text, message):
    with pytest.raises(PuzzleError, match=message):
        read_puzzles(text)


def test_the_article_sample_is_written_and_read():
    assert puzzle_text(boards.ARTICLE_SOLUTION.puzzle) == boards.ARTICLE_PUZZLE_TEXT
    assert solution_text(boards.ARTICLE_SOLUTION) == boards.ARTICLE_SOLUTION_TEXT
    size, rows = boards.ARTICLE_SOLUTION_TEXT.split("\n", 1)
    assert compact_solution_text(boards.ARTICLE_SOLUTION) == f"{size}\n{rows.replace(' ', '')}"


@given(solutions())
def test_a_solution_is_read_exactly_or_refused_as_ambiguous(solution):
    if solution.touches_itself:
        with pytest.raises(PuzzleError, match="runs alongside itself"):
            parse_solution_rows(solution.puzzle, solution_rows(solution))
    else:
        assert parse_solution_rows(solution.puzzle, solution_rows(solution)) == solution


def test_compact_characters_are_digits_then_upper_then_lower_case():
    puzzle = parse_board_rows(("19AZaz", "19AZaz", "......"))
    assert [pair.number for pair in puzzle.pairs] == [1, 9, 10, 35, 36, 61]


def test_a_number_above_61_has_no_compact_form():
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
def test_link_text_may_be_compact_have_comments_and_no_size(text):
    expected = boards.puzzle_of("5 4\n12 . . . 11\n10 . 11 10 .\n. . . 12 .\n. . . . .\n")
    assert read_puzzles(text) == [expected]


def test_records_follow_one_another_with_and_without_sizes():
    text = "3 3\n1 . 1\n. . .\n. . .\n3 3\n2.2\n...\n...\n\n3..\n;\n3..\n...\n...\n\n4 . .\n4 . .\n. . .\n"
    assert [puzzle.pairs[0].number for puzzle in read_puzzles(text)] == [1, 2, 3, 4]


GOOD = "3 3\n1 . 1\n. . .\n. . .\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3 2\n1 . 1\n. . .\n", "found '2' instead of the number of rows; 3 to 50 are allowed"),
        ("51 3\n", "found '51' instead of the number of columns"), ("3 ³\n", "found '³' instead"),
        ("-3 3\n", "found '-3' instead"),
        ("3 3\n1 . 1\n. x .\n. . .\n", "row 2, column 2: found 'x'; allowed are '.', '#' and a number"),
        ("3 3\n1 . 1\n. 0 .\n. . .\n", "row 2, column 2: found '0'; allowed are"),
        ("3 3\n1 . 1\n. 10000 .\n. . .\n", "found '10000'; .* a number from 1 to 9999"),
        ("3 3\n1.1\n.0.\n...\n", "row 2, column 2: found '0'; .* 1–9, A–Z, a–z"),
        ("3 3\n1 . 1\n. . . .\n. . .\n", "row 2: 4 squares, found '. . . .'; 3 are needed"),
        ("3 3\n1 . 1\n....\n. . .\n", "row 2: 4 squares"),
        ("3 3\n1 . 1\n. . .\n", "the size says 3 rows; the text ends after 2"),
        ("3 3\n1 . 1\n. . .\n. . .\n. # .\n", "the size says 3 rows; one more follows: '. # .'"),
        ("3 3\n1.1\n...\n...\n.#.\n", "the size says 3 rows; one more follows: '.#.'"),
        ("# my puzzle\n3 3\n", "found '# my puzzle': .* comments begin with ';'"),
        ("3 3\n1 . .\n. . .\n. . .\n", r"the number 1 appears 1 time \(A1\)"),
        ("3 3\n1 . 1\n. 1 .\n. . .\n", r"the number 1 appears 3 times \(A1, C1, B2\)"),
        ("3 3\n. . .\n. # .\n. . .\n", "without numbers"), ("hello\n", "found 'hello': neither a size"),
        ("1.1\n...\n\n", "found '1.1': neither a size"), ("1.1\n" + "...\n" * 50, "more than 50 rows"),
        ("1.1\n.#\n...\n", "row 2: 2 squares"),
    ],
)  # fmt: skip
def test_a_malformed_record_is_refused_with_place_and_advice(text, message):
    with pytest.raises(PuzzleError, match=message) as error:
        read_puzzles(GOOD + "\n" + text)
    assert str(error.value).startswith("record 2 (from line 6): ")


BOARD = boards.puzzle_of("4 3\n1 . . 1\n# . 2 .\n# 2 . .\n")


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (("1 1 1 1", "# 2 2 2", "# 2 2"), "row 3: 3 squares"),
        (("1 1 1 1", "2 2 2 2", "2 2 2 2"), "solid squares are not those of the puzzle"),
        (("1 1 1 1", "# 2 2 .", "# 2 2 .", "# 2 2 ."), "the solution's size or its solid squares"),
        (("1 1 1 1", "# 3 3 .", "# 2 2 ."), "the number 3 is in only one of puzzle and solution"),
        (("1 1 1 1", "# . . .", "# 2 2 ."), "C2 has the number 2 in the puzzle, but not"),
        (("1 1 . 1", "# . 2 .", "# 2 2 ."), "B1: the path numbered 1 breaks off here"),
        (("1 1 1 1", "# . 2 .", "# 2 . ."), "C2: the path numbered 2 breaks off here"),
        (("1 1 1 1", "# 2 2 .", "# 2 2 ."), "C2: the path numbered 2 runs alongside itself"),
    ],
)
def test_rows_that_are_no_drawing_of_the_puzzle_are_refused(rows, message):
    with pytest.raises(PuzzleError, match=message):
        parse_solution_rows(BOARD, rows)


def test_a_ring_beside_the_path_with_the_same_number_is_refused():
    puzzle = boards.puzzle_of("5 5\n1 . . . 1\n. . . . .\n. . . . .\n. . . . .\n. . . . .\n")
    rows = ("1 1 1 1 1", ". . . . .", "1 1 1 . .", "1 . 1 . .", "1 1 1 . .")
    with pytest.raises(PuzzleError, match="the squares numbered 1 are not connected"):
        parse_solution_rows(puzzle, rows)


def test_a_witness_with_empty_squares_can_be_read_again():
    witness = parse_solution_rows(BOARD, ("1 1 1 1", "# . 2 .", "# 2 2 ."))
    assert not witness.fills
    assert solution_rows(witness) == ("1 1 1 1", "# . 2 .", "# 2 2 .")


@pytest.mark.parametrize("between", ["", " ", "  "])
@pytest.mark.parametrize("puzzle", [boards.ARTICLE_PUZZLE, boards.SOLVED_BOARD.puzzle])
def test_a_table_in_one_line_is_read_with_all_its_rows(puzzle, between):
    heading, *rows = write_puzzle(puzzle, Notation.TABLE).strip().splitlines()
    if puzzle.grid.rows != puzzle.grid.cols and not between:
        pytest.skip("where rows end can't be seen")
    line = between.join(row.strip() for row in rows)
    for text in (line, f"{heading}\n{line}", f"{heading} {line} The solution to the above table: {line}"):
        assert read_puzzles(f"{text}\n") == [puzzle]
