import itertools

import pytest
from brute_force import drawings, verdict
from plain_rng import Rng

from boards import ARTICLE_PUZZLE, SOLVED_BOARD, puzzle_of
from linkpress.engine.prove.proof import Verdict, no_solution_words, prove
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.puzzle.symmetry import cell_places

RULES = list(Rule)


def assert_sound(puzzle, proof):
    """Verdict and drawings fit each other, and the drawings are drawings."""
    shown = [drawing for drawing in (proof.solution, proof.witness) if drawing is not None]
    lone = proof.rule is Rule.STRICT and len(list(itertools.islice(drawings(puzzle), 2))) == 1
    count = {Verdict.NONE: int(lone), Verdict.UNIQUE: 1, Verdict.MULTIPLE: 2}[proof.verdict]
    assert len(shown) == count
    assert len({drawing.edges for drawing in shown}) == len(shown)
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


def assert_counted(puzzle):
    for rule in RULES:
        proof = prove(puzzle, rule)
        assert proof.verdict is verdict(puzzle, rule), (rule, puzzle)
        assert_sound(puzzle, proof)


def three_by_three():
    """All boards, one of each class under rotation, reflection and renumbering."""
    met, turns = set(), [cell_places(3, 3, symmetry) for symmetry in range(8)]
    for marks in _markings((0,) * 9, 0, 1):
        numbers = {cell: mark for cell, mark in enumerate(marks) if mark}
        blanks = [cell for cell, mark in enumerate(marks) if not mark]
        for kinds in itertools.product((0, "#"), repeat=len(blanks)):
            squares = numbers | dict(zip(blanks, kinds, strict=True))
            if numbers and met.isdisjoint(forms := [_renumbered(map(squares.get, turn)) for turn in turns]):
                met.add(forms[0])
                solids = frozenset(cell for cell, square in squares.items() if square == "#")
                yield Puzzle.from_numbers(Grid(3, 3, solids), numbers)


def _renumbered(squares):
    """The squares of a board, their numbers in the order in which they appear."""
    order = {0: 0, "#": "#"}
    return tuple(order.setdefault(square, len(order)) for square in squares)


def _markings(marks, cell, number):
    """Every set of disjoint pairs of the nine cells, numbered in order of their first cells."""
    if cell == 9:
        yield marks
        return
    yield from _markings(marks, cell + 1, number)
    if not marks[cell]:
        for other in range(cell + 1, 9):
            if not marks[other]:
                marked = list(marks)
                marked[cell] = marked[other] = number
                yield from _markings(tuple(marked), cell + 1, number + 1)


def seeded_boards(rows, cols, count):
    for index in range(count):
        rng = Rng(f"proof/{rows}x{cols}/{index}")
        cells = list(range(rows * cols))
        rng.shuffle(cells)
        solids = frozenset(cells.pop() for _ in range(rng.below(4)))
        pairs = 1 + rng.below(min(5, len(cells) // 2))
        numbers = {cells.pop(): 1 + end // 2 for end in range(2 * pairs)}
        yield Puzzle.from_numbers(Grid(rows, cols, solids), numbers)


def test_every_board_of_three_by_three_is_judged_as_counted():
    boards = list(three_by_three())
    assert len(boards) == 3918
    for puzzle in boards:
        assert_counted(puzzle)


@pytest.mark.parametrize(("rows", "cols", "count"), [(3, 4, 1000), (4, 4, 1000), (3, 5, 300), (4, 5, 100)])
def test_seeded_boards_are_judged_as_counted(rows, cols, count):
    for puzzle in seeded_boards(rows, cols, count):
        assert_counted(puzzle)


@pytest.mark.parametrize("rule", RULES)
def test_the_articles_board_has_the_printed_answer(rule):
    proof = prove(ARTICLE_PUZZLE, rule)
    assert proof.verdict is Verdict.UNIQUE
    numbers = [proof.solution.number_of.get(cell, 0) for cell in range(49)]
    assert numbers == [int(n) for n in "4444444411113341221134111011446117754601015566111"]


def test_the_only_drawing_leaving_squares_empty_counts_as_none():
    loose = puzzle_of("1.1\n###\n...\n")
    strict, filled = prove(loose, Rule.STRICT), prove(loose, Rule.FILLED)
    assert (strict.verdict, filled.verdict) == (Verdict.NONE, Verdict.NONE)
    assert (strict.solution.edges, filled.solution) == ({(0, 1), (1, 2)}, None)
    assert no_solution_words(strict) == ("no solution: the only way to join all pairs leaves 3 squares empty")
    assert no_solution_words(filled) == "no solution"


def test_a_board_that_cannot_be_drawn_at_all_has_no_drawing():
    crossed = puzzle_of("1.2\n...\n2.1\n")
    proof = prove(crossed, Rule.STRICT)
    assert (proof.verdict, proof.solution) == (Verdict.NONE, None)


def test_strict_counts_a_detour_that_runs_alongside_itself():
    detour = puzzle_of("11#\n..#\n###\n")
    assert prove(detour, Rule.STRICT).verdict is Verdict.MULTIPLE
    assert prove(detour, Rule.FILLED).verdict is Verdict.UNIQUE


def test_untouching_counts_fillings_in_which_no_path_runs_beside_itself():
    two = puzzle_of("1..2\n.21.\n.33.\n....\n")
    proof = prove(two, Rule.UNTOUCHING)
    assert proof.verdict is verdict(two, Rule.UNTOUCHING) is Verdict.MULTIPLE
    assert_sound(two, proof)
    ring = puzzle_of("1122\n....\n.33.\n....\n")
    assert prove(ring, Rule.FILLED).verdict is verdict(ring, Rule.FILLED)
    assert prove(ring, Rule.UNTOUCHING).verdict is Verdict.NONE


def test_a_closed_loop_covers_nothing():
    ring = puzzle_of("..1\n..1\n###\n")
    assert prove(ring, Rule.FILLED).verdict is Verdict.UNIQUE
    apart = puzzle_of("..#1\n..#.\n###1\n")
    assert prove(apart, Rule.FILLED).verdict is Verdict.NONE


def test_of_several_drawings_one_that_fills_comes_first():
    two = puzzle_of("211\n255\n..4\n334\n")
    proof = prove(two, Rule.STRICT)
    assert (proof.solution.fills, proof.witness.fills) == (True, False)


def test_numbers_may_skip():
    skipping = puzzle_of("3.3\n...\n9.9\n")
    assert prove(skipping, Rule.FILLED).verdict is verdict(skipping, Rule.FILLED)
    assert prove(skipping, Rule.STRICT).verdict is Verdict.MULTIPLE


@pytest.mark.parametrize("rule", RULES)
def test_a_spent_budget_is_reported(rule):
    board = Puzzle.from_numbers(Grid(5, 7), {25: 1, 2: 1, 34: 2, 22: 2, 9: 3, 8: 3, 3: 4, 6: 4})
    proof = prove(board, rule, budget=0)
    assert proof.verdict is Verdict.GAVE_UP


def test_colours_that_cannot_come_out_need_no_search():
    all_light = Puzzle.from_numbers(Grid(9, 9), {0: 1, 80: 1, 4: 2, 76: 2})
    assert prove(all_light, Rule.FILLED, budget=0).verdict is Verdict.NONE


def test_that_one_drawing_leaves_no_other_is_seen_from_it():
    # To search for another one took 770,000 conflicts.
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


def test_the_same_question_has_the_same_answer_later():
    loose = Puzzle.from_numbers(Grid(5, 7), {0: 1, 34: 1, 3: 2, 31: 2})
    first = prove(loose, Rule.FILLED)
    prove(ARTICLE_PUZZLE, Rule.FILLED)
    assert prove(loose, Rule.FILLED) == first


def test_a_filling_that_the_techniques_find_is_a_proof_where_the_searches_give_up():
    proof = prove(SOLVED_BOARD.puzzle, Rule.FILLED, budget=0)
    assert (proof.verdict, proof.method) == (Verdict.UNIQUE, "ladder")
    assert proof.solution.edges == SOLVED_BOARD.edges
    assert prove(SOLVED_BOARD.puzzle, Rule.STRICT, budget=0).verdict is Verdict.GAVE_UP


@pytest.mark.parametrize("rule", list(Rule))
def test_a_small_board_is_settled_by_the_compiled_search(rule):
    assert prove(SOLVED_BOARD.puzzle, rule).method == "kernel"
