"""The compiled search and python-sat are two encodings; they must judge alike."""

from collections import Counter
from random import Random

import pytest
from brute_force import verdict
from grown_boards import grown_board, links_of, small_board
from plain_rng import Rng
from sat_judge import judge_by_sat

from linkpress.engine.kernels import find_second_drawing
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.make.cover import grow_cover
from linkpress.engine.prove import board_search
from linkpress.engine.prove.board_search import BoardSearch, Budget, kind_of, second_nearby
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.puzzle.rules import MistakeKind, check_solution


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols", "count"), [(5, 7, 60), (8, 6, 30), (10, 11, 10)])
def test_both_ways_judge_alike(rule, rows, cols, count):
    met = Counter()
    for index in range(count):
        puzzle = grown_board(rows, cols, f"alike/{index}")
        proof, (judged, drawings) = prove(puzzle, rule), judge_by_sat(puzzle, rule)
        assert (proof.method, proof.verdict) == ("kernel", judged)
        if judged is Verdict.UNIQUE:
            assert [proof.solution] == drawings
        met[judged] += 1
    assert met[Verdict.UNIQUE] > 0
    assert met[Verdict.MULTIPLE] > 0 or rule is Rule.UNTOUCHING  # of 300 such boards one has two


@pytest.mark.parametrize("rule", list(Rule))
def test_grown_boards_are_judged_as_counted(rule):
    met = Counter()
    for index in range(150):
        puzzle = grown_board(4, 5, f"counted/{index}")
        judged = prove(puzzle, rule).verdict
        assert judged is verdict(puzzle, rule)
        met[judged] += 1
    assert met[Verdict.UNIQUE] > 20
    assert met[Verdict.MULTIPLE] > 5 or rule is Rule.UNTOUCHING


@pytest.mark.parametrize("rule", [Rule.STRICT, Rule.UNTOUCHING])
@pytest.mark.parametrize(("rows", "cols"), [(3, 14), (6, 6), (7, 9)])
def test_both_ways_judge_scattered_ends_alike(rows, cols, rule):
    """Boards that nobody made to be solved: thin, with solids, one pair, many drawings, one or none."""
    met = Counter()
    for index in range(60):
        rng = Rng(f"scattered/{rows}x{cols}/{index}")
        cells = list(range(rows * cols))
        rng.shuffle(cells)
        solids = frozenset(cells.pop() for _ in range(rng.below(6)))
        ends = {cells.pop(): 1 + end // 2 for end in range(2 + 2 * rng.below(rows * cols // 6))}
        puzzle = Puzzle.from_numbers(Grid(rows, cols, solids), ends)
        proof, (judged, drawings) = prove(puzzle, rule), judge_by_sat(puzzle, rule)
        assert proof.verdict is judged
        assert (proof.solution is None) == (drawings == [])
        met[judged] += 1
    assert met[Verdict.MULTIPLE] > 0 or rule is Rule.UNTOUCHING
    assert met[Verdict.NONE] > 0


def test_a_window_shows_only_what_is_loose_inside():
    # The first path turns round in the corner and could be cut short; the last three columns are solid.
    paths = [[0, 7, 8, 1], [14, 21, 28, 29, 22, 15], [2, 3, 10, 9, 16, 17, 24, 23, 30, 31]]
    (path_of, links), kind = links_of(5, 7, paths), DrawingKind.LOWEST
    loose, _, differs = find_second_drawing(5, 7, (0, 0, 2, 2), path_of, links, kind, 1000)
    assert loose == SearchOutcome.FOUND
    assert {cell for cell, other in enumerate(differs) if other} == {0, 1, 7, 8}
    tight, _, differs = find_second_drawing(5, 7, (3, 4, 2, 3), path_of, links, kind, 1000)
    assert tight == SearchOutcome.EXHAUSTED
    assert not any(differs)


@pytest.mark.parametrize("kind", list(DrawingKind))
def test_the_scan_and_the_search_that_learns_judge_alike(kind):
    counts = Counter()
    for index in range(600):
        puzzle = small_board(Random(index)) if index % 2 else grown_board(6, 7, f"scanned/{index}")
        by_scan = BoardSearch(puzzle, Budget(100_000)).find_two(kind)
        by_learning = BoardSearch(puzzle, Budget(100_000), plain=True).find_two(kind)
        assert len(by_scan) == len(by_learning)
        assert by_scan == by_learning or len(by_scan) == 2
        counts[len(by_scan)] += 1
    assert min(counts[count] for count in range(3)) > 0


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols"), [(5, 7), (7, 5), (6, 6)])
def test_boards_that_are_turned_and_gone_on_with_are_judged_alike(rule, rows, cols, monkeypatch):
    """With turns of a conflict each every form is asked, and windows of each board."""
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
            mistakes = {
                mistake.kind for each in (turned.solution, turned.witness) for mistake in check_solution(each)
            }
            assert mistakes <= ({MistakeKind.UNCOVERED} if rule is Rule.STRICT else set())


@pytest.mark.parametrize("rule", [Rule.STRICT, Rule.FILLED])
def test_a_second_drawing_nearby_is_one_and_boards_with_one_solution_have_none(rule, monkeypatch):
    monkeypatch.setattr(board_search, "_GROUPS", 50)
    found = 0
    for index in range(20):
        known = grow_cover(14, 13, f"nearby/{index}").solution
        other = second_nearby(known, kind_of(rule))
        if other is None:
            continue
        found += 1
        assert other.edges != known.edges
        mistakes = {mistake.kind for mistake in check_solution(other)}
        assert mistakes <= ({MistakeKind.UNCOVERED} if rule is Rule.STRICT else set())
        assert prove(known.puzzle, rule).verdict is Verdict.MULTIPLE
    assert 5 < found < 20
