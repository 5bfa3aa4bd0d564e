"""Tests of the verdicts on puzzles; small boards are compared with a count of all their drawings."""

import itertools

import pytest
from brute_force import drawings, verdict
from grown_boards import scattered_board
from plain_rng import Rng

from boards import ARTICLE_PUZZLE, SOLVED_BOARD, puzzle_of
from linkpress.engine.proof import Verdict, no_solution_words, prove
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.puzzle.symmetry import fingerprint

RULES = list(Rule)


def assert_sound(puzzle, proof):
    """Check that the proof has as many drawings as its verdict says, and that they are valid."""
    shown = [drawing for drawing in (proof.solution, proof.witness) if drawing is not None]
    is_single = proof.rule is Rule.STRICT and len(list(itertools.islice(drawings(puzzle), 2))) == 1
    count = {Verdict.NONE: int(is_single), Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}[proof.verdict]
    assert len({drawing.edges for drawing in shown}) == len(shown) == count
    for drawing in shown:
        covered = [cell for path in drawing.paths for cell in path.cells]
        assert len(set(covered)) == len(covered)
        assert puzzle.grid.solids.isdisjoint(covered)
        assert drawing.edges <= set(puzzle.grid.edges)
        ends = {path.number: {path.cells[0], path.cells[-1]} for path in drawing.paths}
        assert ends == {pair.number: {pair.first, pair.second} for pair in puzzle.pairs}
        if ruleset_of(proof.rule).covers or proof.verdict is Verdict.UNIQUE:
            assert drawing.fills
        elif proof.verdict is Verdict.NONE:
            assert not drawing.fills


def assert_verdicts_as_counted(puzzle):
    for rule in RULES:
        proof = prove(puzzle, rule)
        assert proof.verdict is verdict(puzzle, rule), (rule, puzzle)
        assert_sound(puzzle, proof)


def three_by_three():
    """Yield every board of 3 × 3, one of each class under rotation, reflection and renumbering."""
    seen = set()
    for pairs in pairings(tuple(range(9))):
        numbers = {cell: number for number, pair in enumerate(pairs, 1) for cell in pair}
        blanks = [cell for cell in range(9) if cell not in numbers]
        for count in range(len(blanks) + 1 if pairs else 0):
            for solids in itertools.combinations(blanks, count):
                puzzle = Puzzle.from_numbers(Grid(3, 3, frozenset(solids)), numbers)
                if fingerprint(puzzle) not in seen:
                    seen.add(fingerprint(puzzle))
                    yield puzzle


def pairings(cells):
    """Yield every set of pairs of these cells in which no cell occurs twice."""
    if not cells:
        yield ()
        return
    yield from pairings(cells[1:])
    for place, other in enumerate(cells[1:], 1):
        for pairs in pairings(cells[1:place] + cells[place + 1 :]):
            yield ((cells[0], other), *pairs)


def test_every_board_of_three_by_three_has_the_counted_verdict():
    boards = list(three_by_three())
    assert len(boards) == 3918
    for puzzle in boards:
        assert_verdicts_as_counted(puzzle)


@pytest.mark.parametrize(("rows", "cols", "count"), [(3, 4, 1000), (4, 4, 1000), (3, 5, 300), (4, 5, 100)])
def test_random_boards_have_the_counted_verdict(rows, cols, count):
    for index in range(count):
        rng = Rng(f"proof/{rows}x{cols}/{index}")
        assert_verdicts_as_counted(scattered_board(rng, rows, cols, most_solids=3, most_pairs=5))


@pytest.mark.parametrize("rule", RULES)
def test_the_board_of_the_article_has_its_printed_solution(rule):
    proof = prove(ARTICLE_PUZZLE, rule)
    assert proof.verdict is Verdict.UNIQUE
    numbers = [proof.solution.number_of.get(cell, 0) for cell in range(49)]
    assert numbers == [int(n) for n in "4444444411113341221134111011446117754601015566111"]


def test_a_single_drawing_that_leaves_squares_empty_is_no_solution():
    loose = puzzle_of("1.1\n###\n...\n")
    strict, filled = prove(loose, Rule.STRICT), prove(loose, Rule.FILLED)
    assert (strict.verdict, filled.verdict) == (Verdict.NONE, Verdict.NONE)
    assert (strict.solution.edges, filled.solution) == ({(0, 1), (1, 2)}, None)
    assert no_solution_words(strict) == "no solution: the only way to join all pairs leaves 3 squares empty"
    assert no_solution_words(filled) == "no solution"


@pytest.mark.parametrize(
    ("board", "filled", "strict", "untouching"),
    [
        pytest.param("1.2\n...\n2.1\n", "NONE", "NONE", "NONE", id="paths-would-cross"),
        pytest.param("11#\n..#\n###\n", "UNIQUE", "MULTIPLE", "NONE", id="path-beside-itself"),
        pytest.param("1..2\n.21.\n.33.\n....\n", "MULTIPLE", "MULTIPLE", "MULTIPLE", id="two-untouching"),
        pytest.param("1122\n....\n.33.\n....\n", "MULTIPLE", "MULTIPLE", "NONE", id="only-touching"),
        pytest.param("..1\n..1\n###\n", "UNIQUE", "MULTIPLE", "NONE", id="around-a-square"),
        pytest.param("..#1\n..#.\n###1\n", "NONE", "NONE", "NONE", id="closed-loop-is-no-path"),
        pytest.param("3.3\n...\n9.9\n", "NONE", "MULTIPLE", "NONE", id="numbers-may-skip"),
    ],
)  # fmt: skip
def test_the_rules_differ_on_small_boards(board, filled, strict, untouching):
    puzzle = puzzle_of(board)
    assert [prove(puzzle, rule).verdict.name for rule in RULES] == [filled, strict, untouching]
    assert_verdicts_as_counted(puzzle)


def test_the_first_of_two_drawings_fills_the_board_if_any_does():
    proof = prove(puzzle_of("211\n255\n..4\n334\n"), Rule.STRICT)
    assert (proof.solution.fills, proof.witness.fills) == (True, False)


@pytest.mark.parametrize("rule", RULES)
def test_a_spent_budget_is_reported(rule):
    board = Puzzle.from_numbers(Grid(5, 7), {25: 1, 2: 1, 34: 2, 22: 2, 9: 3, 8: 3, 3: 4, 6: 4})
    proof = prove(board, rule, budget=0)
    assert proof.verdict is Verdict.GAVE_UP


def test_numbers_on_unequal_chessboard_colours_need_no_search():
    all_light = Puzzle.from_numbers(Grid(9, 9), {0: 1, 80: 1, 4: 2, 76: 2})
    assert prove(all_light, Rule.FILLED, budget=0).verdict is Verdict.NONE


def test_a_single_drawing_without_a_detour_needs_no_second_search():
    # A search for a second drawing of this board takes 770,000 conflicts.
    moved = puzzle_of("""
        12 12
        . . . . . . . . . . . .
        . 4 . . . . . . . . . .
        . . . . 10 4 . 1 2 . . .
        . . . . . 3 . . 10 . . .
        . 8 7 . . . . . . . . .
        . . . . . . . . . . . .
        . . . . . . 6 . . 2 9 .
        6 . . . . . 9 . . . . .
        . . . . . 1 . . . . . .
        . . 8 . . . . . . 3 5 .
        . 7 . . . . . . 5 . . .
        . . . . . . . . . . . .
    """)
    proof = prove(moved, Rule.STRICT, budget=5000)
    assert (proof.verdict, proof.solution is None) == (Verdict.NONE, False)


def test_a_proof_does_not_depend_on_earlier_proofs():
    loose = Puzzle.from_numbers(Grid(5, 7), {0: 1, 34: 1, 3: 2, 31: 2})
    first = prove(loose, Rule.FILLED)
    prove(ARTICLE_PUZZLE, Rule.FILLED)
    assert prove(loose, Rule.FILLED) == first


def test_a_board_that_techniques_finish_is_proven_even_if_the_search_gives_up():
    proof = prove(SOLVED_BOARD.puzzle, Rule.FILLED, budget=0)
    assert (proof.verdict, proof.method) == (Verdict.UNIQUE, "ladder")
    assert proof.solution.edges == SOLVED_BOARD.edges
    assert prove(SOLVED_BOARD.puzzle, Rule.STRICT, budget=0).verdict is Verdict.GAVE_UP
