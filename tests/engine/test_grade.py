import re
from dataclasses import replace
from random import Random

import pytest
from filling_list import fillings, small_board
from hypothesis import given
from hypothesis import strategies as st

from boards import ARTICLE_PUZZLE, ARTICLE_SOLUTION, SOLVED_BOARD, puzzle_of
from linkpress.engine.grade import GRADES, grade_puzzle
from linkpress.engine.hint import next_step
from linkpress.engine.ladder import LADDER, climb_ladder, position_of
from linkpress.engine.recipe import Grade
from linkpress.engine.steps import Step, tell_climb
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import SYMMETRIES
from strategies import puzzles
from turning import turned_puzzle

EXAMPLES = {
    Grade.BEGINNER: "7 5\n.....1#\n......2\n......3\n.234..4\n......1\n",
    Grade.EASY: "7 5\n......#\n......1\n...123.\n.2.4.4.\n...3...\n",
    Grade.MEDIUM: "7 5\n......1\n.3...4.\n.24....\n..2..3.\n...1...\n",
    Grade.HARD: "7 5\n......2\n.......\n..1....\n...32..\n.....13\n",
    Grade.EXPERT: "7 5\n12....3\n...1..2\n.......\n.3.....\n.......\n",
    Grade.FIENDISH: "7 5\n12....1\n...3...\n.......\n....2..\n......3\n",
    None: "7 5\n.....12\n.2.....\n.......\n3....3.\n1......\n",
}
"""A board of each grade; the last has one filling, which no rung finds."""

BY_TECHNIQUE = {
    "clash": "7 5\n.......\n.3.....\n2...1..\n31.....\n...2...\n",
    "cut-off": "7 5\n4..1...\n..2..3.\n.13....\n.....4.\n2......\n",
    "look-ahead": "7 5\n......1\n.3...4.\n.24....\n..2..3.\n...1...\n",
    "gap": "7 5\n34.....\n..24.3.\n.......\n.....21\n1......\n",
    "what-if": "7 5\n......2\n.......\n..1....\n...32..\n.....13\n",
    "balance": "7 5\n2......\n.42.1..\n....4..\n.3.....\n...1..3\n",
    "chain": "7 5\n12....3\n...1..2\n.......\n.3.....\n.......\n",
    "long-chain": "7 5\n.......\n.......\n.3.....\n...1...\n1...232\n",
    "walls": "7 5\n12.....\n.......\n.....3.\n.3.2.1.\n.......\n",
}
"""For most techniques a board of which it is the hardest."""


def renumbered(puzzle: Puzzle, rng: Random) -> Puzzle:
    numbers = rng.sample(range(1, 100), len(puzzle.pairs))
    pairs = [replace(pair, number=n) for pair, n in zip(puzzle.pairs, numbers, strict=True)]
    return Puzzle(puzzle.grid, tuple(sorted(pairs, key=lambda pair: pair.number)))


@pytest.mark.parametrize("grade", EXAMPLES)
def test_example_has_its_grade_in_every_symmetry_and_numbering(grade: Grade | None) -> None:
    puzzle = puzzle_of(EXAMPLES[grade])
    plain, rng = grade_puzzle(puzzle), Random(0)
    assert plain.grade is grade
    for symmetry in range(len(SYMMETRIES)):
        turned = grade_puzzle(renumbered(turned_puzzle(puzzle, symmetry), rng))
        assert (turned.grade, turned.score) == (plain.grade, plain.score)
        assert turned.techniques == plain.techniques


@given(puzzles(max_side=7), st.integers(0, 7), st.randoms(use_true_random=False))
def test_grade_score_and_techniques_survive_rotation_reflection_and_renumbering(
    puzzle: Puzzle, symmetry: int, rng: Random
) -> None:
    plain, turned = grade_puzzle(puzzle), grade_puzzle(renumbered(turned_puzzle(puzzle, symmetry), rng))
    assert (plain.grade, plain.score, plain.techniques) == (turned.grade, turned.score, turned.techniques)


@pytest.mark.parametrize("board", EXAMPLES.values())
def test_grade_is_the_lowest_that_finishes(board: str) -> None:
    puzzle = puzzle_of(board)
    grading = grade_puzzle(puzzle)
    for hardest in Grade:
        finishes = grading.grade is not None and grading.grade <= hardest
        assert (grade_puzzle(puzzle, hardest).grade is not None) == finishes


def test_only_boards_with_one_filling_are_graded() -> None:
    graded = 0
    for index in range(150):
        puzzle = small_board(Random(f"grade/{index}"))
        grading = grade_puzzle(puzzle)
        assert (grading.grade is None) == (grading.score is None) == (grading.solution is None)
        if grading.solution is not None:
            assert [filling.edges for filling in fillings(puzzle)] == [grading.solution.edges]
            graded += 1
    assert graded > 20


def test_the_ladder_is_the_one_that_the_readme_and_the_books_tell_of() -> None:
    assert [(technique.name, GRADES[technique.rung], technique.effort) for technique in LADDER] == [
        ("exits", Grade.BEGINNER, 1),
        ("clash", Grade.BEGINNER, 1),
        ("cut-off", Grade.EASY, 3),
        ("look-ahead", Grade.MEDIUM, 3),
        ("gap", Grade.MEDIUM, 5),
        ("what-if", Grade.HARD, 6),
        ("balance", Grade.HARD, 8),
        ("chain", Grade.EXPERT, 12),
        ("long-chain", Grade.FIENDISH, 25),
        ("walls", Grade.FIENDISH, 30),
    ]
    assert [technique.rung for technique in LADDER] == list(range(1, len(LADDER) + 1))


def test_article_sample_has_the_printed_answer() -> None:
    grading = grade_puzzle(ARTICLE_PUZZLE)
    assert grading.grade is Grade.BEGINNER
    assert grading.solution == ARTICLE_SOLUTION
    assert set(grading.techniques) == {"exits", "clash"}


def test_score_counts_rounds_and_how_few_deductions_are_open() -> None:
    # Twelve edges, all of them found at once: one look.
    row = puzzle_of("7 3\n1 . . . . . 1\n# # # # # # #\n2 . . . . . 2\n")
    assert grade_puzzle(row).score == 1
    rounds = climb_ladder(position_of(puzzle_of(EXAMPLES[Grade.BEGINNER]))).rounds
    looks = [(made.undecided + 1) // (made.findings + 1) for made in rounds]
    assert grade_puzzle(puzzle_of(EXAMPLES[Grade.BEGINNER])).score == sum(looks)


def test_steps_say_which_squares_and_why() -> None:
    steps = solve_steps(SOLVED_BOARD.puzzle)
    assert steps[0].text == "the square r1c1 has two ways out and takes both: right and down"
    assert steps[0].cells == (0,)
    assert steps[0].drawn == ((0, 1), (0, 7))
    assert any(step.text == "the 1 at r5c4 has one way out: up" for step in steps)
    assert any(step.text == "the step r3c4–r3c5 would join the 3 to the 1" for step in steps)


def test_steps_together_draw_the_solution() -> None:
    steps = solve_steps(SOLVED_BOARD.puzzle)
    drawn = {edge for step in steps for edge in step.drawn}
    assert drawn <= SOLVED_BOARD.edges
    assert not {edge for step in steps for edge in step.ruled_out} & SOLVED_BOARD.edges


def test_hints_followed_one_by_one_finish_the_board() -> None:
    drawn: set[tuple[int, int]] = set()
    while (step := next_step(SOLVED_BOARD.puzzle, drawn)) is not None:
        assert step.rung > 0
        assert set(step.drawn) - drawn
        drawn |= set(step.drawn)
    assert drawn == SOLVED_BOARD.edges


def test_hint_names_a_line_that_is_not_in_the_solution() -> None:
    wrong = next(edge for edge in SOLVED_BOARD.puzzle.grid.edges if edge not in SOLVED_BOARD.edges)
    step = next_step(SOLVED_BOARD.puzzle, [wrong])
    assert step is not None
    assert (step.rung, step.technique, step.ruled_out) == (0, "mistake", (wrong,))


def test_hint_names_a_broken_rule_first() -> None:
    step = next_step(SOLVED_BOARD.puzzle, [(0, 1), (1, 2), (1, 8)])
    assert step is not None
    assert step.rung == 0
    assert step.cells == (1,)


def test_hint_says_when_what_is_drawn_has_no_completion() -> None:
    # Many fillings, so no edge is wrong by itself; these lines leave the corner r5c1 one way out.
    open_board = puzzle_of("7 5\n1 . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . 1\n")
    step = next_step(open_board, [(14, 21), (21, 22)])
    assert step is not None
    assert step.technique == "mistake"


@pytest.mark.parametrize("board", EXAMPLES.values())
def test_every_step_can_be_told(board: str) -> None:
    steps = solve_steps(puzzle_of(board))
    assert all(step.text and step.cells for step in steps)
    assert {step.technique for step in steps} == set(grade_puzzle(puzzle_of(board)).techniques)


@pytest.mark.parametrize(
    ("grade", "technique"),
    [
        (Grade.EASY, "cut-off"),
        (Grade.MEDIUM, "look-ahead"),
        (Grade.HARD, "what-if"),
        (Grade.EXPERT, "chain"),
        (Grade.FIENDISH, "walls"),
    ],
)
def test_hardest_technique_of_a_grade_occurs_in_its_steps(grade: Grade, technique: str) -> None:
    assert technique in {step.technique for step in solve_steps(puzzle_of(EXAMPLES[grade]))}


def solve_steps(puzzle: Puzzle) -> list[Step]:
    return list(tell_climb(puzzle, climb_ladder(position_of(puzzle))))


def steps_of(board: str, technique: str) -> list[Step]:
    return [step for step in solve_steps(puzzle_of(board)) if step.technique == technique]


def test_square_with_two_ways_out_names_both_though_one_is_drawn_by_another_step() -> None:
    for step in solve_steps(puzzle_of(EXAMPLES[Grade.HARD])):
        if "has two ways out" in step.text:
            assert " and " in step.text.split(": ")[1], step.text
        elif step.technique == "exits":
            assert len(step.drawn) == 1


def test_gap_steps_name_the_pairs_that_must_pass() -> None:
    board = "7 5\n34.....\n..24.3.\n.......\n.....21\n1......\n"
    steps = steps_of(board, "gap")
    assert steps
    for step in steps:
        assert re.search(
            r"the \d+s .*must pass the gap|\d of the pairs|comes? (out again|from outside)", step.text
        )


def test_balance_steps_tell_both_counts() -> None:
    board = "7 5\n2......\n.42.1..\n....4..\n.3.....\n...1..3\n"
    steps = [step for step in steps_of(board, "balance") if "chessboard" in step.text]
    assert steps
    for step in steps:
        dark, light = map(int, re.findall(r"still take (\d+) steps and the light ones (\d+)", step.text)[0])
        if dark == light:
            assert "as many pass the gap" in step.text
        else:
            assert (
                f"{abs(dark - light)} more pass the gap at {'dark' if dark > light else 'light'}" in step.text
            )


@pytest.mark.parametrize(
    ("technique", "fewest", "most"),
    [("look-ahead", 0, 1), ("what-if", 2, 3), ("chain", 4, 8), ("long-chain", 9, 99)],
)
def test_suppositions_tell_after_how_many_rounds_they_fail(technique: str, fewest: int, most: int) -> None:
    steps = [step for board in BY_TECHNIQUE.values() for step in steps_of(board, technique)]
    told = [re.search(r" (\d+) rounds? later$", step.text) for step in steps]
    rounds = [int(found[1]) if found else 0 for found in told]
    assert rounds
    assert min(rounds) >= fewest
    assert max(rounds) <= most


@pytest.mark.parametrize("technique", BY_TECHNIQUE)
def test_hardest_technique_of_an_example_decides_its_grade(technique: str) -> None:
    grading = grade_puzzle(puzzle_of(BY_TECHNIQUE[technique]))
    rung = next(one.rung for one in LADDER if one.name == technique)
    assert grading.grade is GRADES[rung]
    assert max(step.rung for step in solve_steps(puzzle_of(BY_TECHNIQUE[technique]))) == rung


def test_walls_steps_do_not_pretend_that_the_end_is_near() -> None:
    steps = steps_of(EXAMPLES[Grade.FIENDISH], "walls")
    assert steps
    assert all(", in the end " in step.text for step in steps)
