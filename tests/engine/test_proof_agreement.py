"""Tests that the engine's searches agree with each other, with a SAT solver and with a count of drawings."""

from collections import Counter
from random import Random

import pytest
from brute_force import verdict
from grown_boards import grown_board, links_of, scattered_board, small_board
from plain_rng import Rng
from sat_judge import judge_by_sat

from linkpress.engine import board_search
from linkpress.engine.board_search import BoardSearch, Budget, kind_of, second_nearby
from linkpress.engine.kernels import DrawingSearch, find_second_drawing, search_board
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.make.cover import grow_cover
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.puzzle.rules import MistakeKind, check_solution


def assert_mistakes_are_allowed(drawing, rule):
    """Check that a drawing breaks no rule, except that under strict it may leave squares empty."""
    mistakes = {mistake.kind for mistake in check_solution(drawing)}
    assert mistakes <= ({MistakeKind.UNCOVERED} if rule is Rule.STRICT else set())


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols", "count"), [(5, 7, 60), (8, 6, 30), (10, 11, 10)])
def test_a_sat_solver_gives_grown_boards_the_same_verdict(rule, rows, cols, count):
    verdicts = Counter()
    for index in range(count):
        puzzle = grown_board(rows, cols, f"alike/{index}")
        proof, (sat_verdict, drawings) = prove(puzzle, rule), judge_by_sat(puzzle, rule)
        assert (proof.method, proof.verdict) == ("kernel", sat_verdict)
        if sat_verdict is Verdict.UNIQUE:
            assert [proof.solution] == drawings
        verdicts[sat_verdict] += 1
    assert verdicts[Verdict.UNIQUE] > 0
    # Only one in 300 of these boards has several solutions under untouching.
    assert verdicts[Verdict.MULTIPLE] > 0 or rule is Rule.UNTOUCHING


@pytest.mark.parametrize("rule", list(Rule))
def test_grown_boards_have_the_counted_verdict(rule):
    verdicts = Counter()
    for index in range(150):
        puzzle = grown_board(4, 5, f"counted/{index}")
        proven = prove(puzzle, rule).verdict
        assert proven is verdict(puzzle, rule)
        verdicts[proven] += 1
    assert verdicts[Verdict.UNIQUE] > 20
    assert verdicts[Verdict.MULTIPLE] > 5 or rule is Rule.UNTOUCHING


@pytest.mark.parametrize("rule", [Rule.STRICT, Rule.UNTOUCHING])
@pytest.mark.parametrize(("rows", "cols"), [(3, 14), (6, 6), (7, 9)])
def test_a_sat_solver_gives_random_boards_the_same_verdict(rows, cols, rule):
    verdicts = Counter()
    for index in range(60):
        rng = Rng(f"scattered/{rows}x{cols}/{index}")
        puzzle = scattered_board(rng, rows, cols, most_solids=5, most_pairs=rows * cols // 6)
        proof, (sat_verdict, drawings) = prove(puzzle, rule), judge_by_sat(puzzle, rule)
        assert proof.verdict is sat_verdict
        assert (proof.solution is None) == (drawings == [])
        verdicts[sat_verdict] += 1
    assert verdicts[Verdict.MULTIPLE] > 0 or rule is Rule.UNTOUCHING
    assert verdicts[Verdict.NONE] > 0


def test_a_window_is_searched_without_its_surroundings():
    # The first path makes a detour in the corner and could be cut short. The last three columns are solid.
    paths = [[0, 7, 8, 1], [14, 21, 28, 29, 22, 15], [2, 3, 10, 9, 16, 17, 24, 23, 30, 31]]
    (path_of, links), kind = links_of(5, 7, paths), DrawingKind.LOWEST
    outcome, _, differs = find_second_drawing(5, 7, (0, 0, 2, 2), path_of, links, kind, 1000)
    assert outcome == SearchOutcome.FOUND
    assert {cell for cell, other in enumerate(differs) if other} == {0, 1, 7, 8}
    outcome, _, differs = find_second_drawing(5, 7, (3, 4, 2, 3), path_of, links, kind, 1000)
    assert outcome == SearchOutcome.EXHAUSTED
    assert not any(differs)


@pytest.mark.parametrize("kind", list(DrawingKind))
def test_the_depth_first_search_agrees_with_clause_learning(kind, monkeypatch):
    counts = Counter()
    for index in range(600):
        puzzle = small_board(Random(index)) if index % 2 else grown_board(6, 7, f"scanned/{index}")
        by_scan = BoardSearch(puzzle, kind, Budget(100_000)).find_two()
        with monkeypatch.context() as patch:
            patch.setattr(board_search, "_SCANNED", 0)
            by_learning = BoardSearch(puzzle, kind, Budget(100_000)).find_two()
        assert len(by_scan) == len(by_learning)
        assert by_scan == by_learning or len(by_scan) == 2
        counts[len(by_scan)] += 1
    assert min(counts[count] for count in range(3)) > 0


def test_boards_that_use_the_arrays_of_earlier_ones_get_the_same_drawings():
    for index, (rows, cols) in enumerate([(5, 7), (12, 3), (3, 4), (7, 7), (3, 12), (5, 7)] * 3):
        puzzle, kind = grown_board(rows, cols, f"again/{index}"), list(DrawingKind)[index // 6]
        board = (rows, cols, puzzle.grid.solids, puzzle.pairs, kind, 10_000, ())
        again, fresh = search_board(*board, 1000), DrawingSearch(*board, 0).go_on(1000, False)
        assert again[:2] == fresh
        assert again[1] is not None


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols"), [(5, 7), (7, 5), (6, 6)])
def test_short_turns_in_all_forms_of_a_board_give_the_same_verdict(rule, rows, cols, monkeypatch):
    """With one conflict in each turn, all rotations and reflections of the board are searched."""
    for index in range(40):
        puzzle = grown_board(rows, cols, f"turned/{index}")
        usual = prove(puzzle, rule)
        with monkeypatch.context() as patch:
            patch.setattr(board_search, "_SCANNED", 0)
            for name in ("_FIRST_FORM", "_OTHER_FORMS", "_ALTERNATING", "_FIRST_TURN", "_STRICT_SHARE"):
                patch.setattr(board_search, name, 1)
            turned = prove(puzzle, rule)
        assert turned.method == "kernel"
        assert turned.verdict is usual.verdict
        assert usual.verdict is not Verdict.UNIQUE or turned.solution == usual.solution
        if turned.verdict is Verdict.MULTIPLE:
            assert turned.solution != turned.witness
            assert_mistakes_are_allowed(turned.solution, rule)
            assert_mistakes_are_allowed(turned.witness, rule)


@pytest.mark.parametrize("rule", [Rule.STRICT, Rule.FILLED])
def test_a_second_drawing_nearby_is_valid_and_differs(rule, monkeypatch):
    monkeypatch.setattr(board_search, "_GROUPS", 50)
    count = 0
    for index in range(20):
        known = grow_cover(14, 13, f"nearby/{index}").solution
        other = second_nearby(known, kind_of(rule))
        if other is not None:
            count += 1
            assert other.edges != known.edges
            assert_mistakes_are_allowed(other, rule)
            assert prove(known.puzzle, rule).verdict is Verdict.MULTIPLE
    assert 5 < count < 20
