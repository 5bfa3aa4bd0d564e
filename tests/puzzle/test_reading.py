from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import boards
from linkpress.errors import PuzzleError
from linkpress.puzzle.notation.notations import Notation, notation_rows, write_puzzle, write_solution
from linkpress.puzzle.notation.reading import decode, read_drawings, read_puzzles
from linkpress.puzzle.puzzle import Grid, Puzzle, Solution
from strategies import puzzles, solutions

ROWS = notation_rows()
HOLDS_SOLIDS = [notation for notation in Notation if ROWS[notation].holds_solids]


@pytest.mark.parametrize("notation", Notation)
@given(st.data())
def test_every_puzzle_can_be_read_again_from_every_notation(notation: Notation, data: st.DataObject) -> None:
    puzzle = data.draw(puzzles(highest=ROWS[notation].highest_number or 9999))
    if notation not in HOLDS_SOLIDS:
        puzzle = Puzzle(Grid(puzzle.grid.rows, puzzle.grid.cols), puzzle.pairs)
    text = write_puzzle(puzzle, notation)
    assert read_puzzles(text) == [puzzle]
    assert read_drawings(text) == [(puzzle, frozenset())]


@pytest.mark.parametrize("notation", [one for one in HOLDS_SOLIDS if ROWS[one].take_drawing])
@given(solutions(highest=61))
def test_every_drawn_solution_can_be_read_again(notation: Notation, solution: Solution) -> None:
    assert read_drawings(write_solution(solution, notation)) == [(solution.puzzle, solution.edges)]


def test_a_notation_says_what_it_has_no_sign_for_and_which_ones_have(article_solution: Solution) -> None:
    able = "link text, compact link text, the ascii drawing, .* and the Penpa\\+ address can hold"
    for notation in (Notation.URL, Notation.PZPRV3):
        with pytest.raises(PuzzleError, match=f"no sign for the solid square r4c5; {able} this board"):
            write_puzzle(article_solution.puzzle, notation)
    with pytest.raises(PuzzleError, match="pzprv3 file has no sign for the solid square"):
        write_solution(article_solution, Notation.PZPRV3)
    with pytest.raises(PuzzleError, match=r"holds a puzzle, not a solution; .* and the pzprv3 file can hold"):
        write_solution(article_solution, Notation.URL)


def test_notations_may_be_mixed_in_one_text(solved_board: Solution) -> None:
    forms = [write_puzzle(solved_board.puzzle, form) for form in HOLDS_SOLIDS]
    assert read_puzzles("".join(forms)) == [solved_board.puzzle] * len(forms)
    assert read_puzzles("; all of them\n\n" + "\n".join(reversed(forms))) == [solved_board.puzzle] * len(
        forms
    )


def test_a_fault_names_the_record_among_all_notations(solved_board: Solution) -> None:
    text = (
        write_puzzle(solved_board.puzzle, Notation.ASCII)
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
def test_files_of_any_system_are_read(data: bytes, article_puzzle: Puzzle) -> None:
    assert read_puzzles(decode(data)) == [article_puzzle]


@pytest.mark.parametrize(
    ("data", "message"), [(b"7 7\n\xff", "byte 5 is not UTF-8"), (b"\xff\xfe7", "UTF-16")]
)
def test_a_file_that_is_no_text_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        decode(data)


MEGABYTES = 10_000_000


@pytest.mark.parametrize(
    "text",
    [
        "\0" * MEGABYTES,
        "9" * MEGABYTES,
        ". " * (MEGABYTES // 2),
        "|\n" * (MEGABYTES // 2),
        "┌\n" * (MEGABYTES // 2),
        "3 3\n" + "9" * 5000 + " . .\n",
        "9" * 5000 + " 3\n",
        "50 50\n" + ". " * 50,
        "numlin/50/50/" + "z" * 19_000,
        "\ud800 \udfff",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_hostile_text_is_refused_in_one_short_paragraph(text: str) -> None:
    for read in (read_puzzles, read_drawings):
        with pytest.raises(PuzzleError) as fault:
            read(text)
        assert len(str(fault.value)) < 300


def test_more_text_than_is_sensible_is_refused() -> None:
    with pytest.raises(PuzzleError, match="split the file"):
        read_puzzles("\n" * (64 * 1024 * 1024 + 1))


def test_a_megabyte_of_nothing_holds_no_puzzles() -> None:
    assert read_puzzles("\n" * 1_000_000) == []


scraps = st.sampled_from(
    [
        *"\n\n\n 3579.#;|X0\0\t\r²x┌┬┐│├┼┤└┴┘─█·",
        "3 3\n",
        "7 5\n",
        ". . .\n",
        "1 . 1\n",
        "1.1\n",
        "...\n",
        "|   |",
        "| 1 |",
        "Table to be solved:\n",
        "The solution to the above table:\n",
        "https://puzz.link/p?numlin/3/3/",
        "1m1",
        "-1",
        "┌───┬───┬───┐\n",
        "┌───────────┐\n",
        "│ 1───────1 │\n",
        "└───────────┘\n",
    ]
)


def outcome(read: Callable[[str], list[Any]], text: str) -> object:
    """What was read, or the message of a refusal; anything else goes through."""
    try:
        return read(text)
    except PuzzleError as fault:
        return str(fault)


@given(st.lists(scraps, max_size=30).map("".join) | st.text(max_size=60))
@example("┌┬")
@example("1 1 1\n1 1 1\n1 1 1\n")
def test_no_text_raises_anything_but_a_puzzle_error(text: str) -> None:
    assert isinstance(outcome(read_puzzles, text), list | str)
    assert isinstance(outcome(read_drawings, text), list | str)


@given(st.data())
def test_a_damaged_record_raises_nothing_but_a_short_puzzle_error(data: st.DataObject) -> None:
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
