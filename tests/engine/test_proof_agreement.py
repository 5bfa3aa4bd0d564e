"""The compiled search and python-sat are two encodings; they must judge alike."""

from collections import Counter
from random import Random

import pytest
from brute_force import verdict
from grown_boards import grown_board, links_of, small_board
from plain_dice import Dice

from boards import SOLVED_BOARD
from linkpress.engine.kernels import find_second_drawing
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.make.cover import grow_cover
from linkpress.engine.prove import board_search, proof
from linkpress.engine.prove.board_search import KIND_OF, BoardSearch, Budget, OutOfBudget, second_nearby
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.puzzle.rules import MistakeKind, check_solution


def by_sat(puzzle, rule, monkeypatch):
    def give_up(puzzle, rule, budget):
        raise OutOfBudget

    with monkeypatch.context() as patch:
        patch.setattr(proof, "_judge_compiled", give_up)
        return prove(puzzle, rule)


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols", "count"), [(5, 7, 60), (8, 6, 30), (10, 11, 10)])
def test_both_ways_judge_alike(rule, rows, cols, count, monkeypatch):
    met = Counter()
    for index in range(count):
        puzzle = grown_board(rows, cols, f"alike/{index}")
        compiled, sat = prove(puzzle, rule), by_sat(puzzle, rule, monkeypatch)
        assert (compiled.method, sat.method) == ("kernel", "sat")
        assert compiled.verdict is sat.verdict
        if compiled.verdict is Verdict.UNIQUE:
            assert compiled.solution == sat.solution
        met[compiled.verdict] += 1
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
def test_both_ways_judge_scattered_ends_alike(rows, cols, rule, monkeypatch):
    """Boards that nobody made to be solved: thin, with solids, one pair, many drawings, one or none."""
    met = Counter()
    for index in range(60):
        dice = Dice(f"scattered/{rows}x{cols}/{index}")
        cells = list(range(rows * cols))
        dice.shuffle(cells)
        solids = frozenset(cells.pop() for _ in range(dice.below(6)))
        ends = {cells.pop(): 1 + end // 2 for end in range(2 + 2 * dice.below(rows * cols // 6))}
        puzzle = Puzzle.from_numbers(Grid(rows, cols, solids), ends)
        compiled, sat = prove(puzzle, rule), by_sat(puzzle, rule, monkeypatch)
        assert compiled.verdict is sat.verdict
        assert (compiled.solution is None) == (sat.solution is None)
        met[compiled.verdict] += 1
    assert met[Verdict.MULTIPLE] > 0 or rule is Rule.UNTOUCHING
    assert met[Verdict.NONE] > 0


def test_sat_has_the_conflicts_that_the_compiled_search_has_left(monkeypatch):
    allowed = []

    def spend_thirty(puzzle, rule, budget):
        allowed.append(budget.allowed)
        budget.spent += 30
        raise OutOfBudget

    def answer_for_five(puzzle, rule, budget):
        allowed.append(budget.allowed)
        budget.spent += 5
        return [SOLVED_BOARD]

    monkeypatch.setattr(proof, "_judge_compiled", spend_thirty)
    monkeypatch.setattr(proof, "_judge_by_sat", answer_for_five)
    found = prove(SOLVED_BOARD.puzzle, Rule.STRICT, budget=100)
    assert allowed == [75, 70]
    assert (found.method, found.spent, found.solution) == ("sat", 35, SOLVED_BOARD)


def test_sat_gives_up_when_its_conflicts_are_spent(monkeypatch):
    thin = Puzzle.from_numbers(Grid(9, 9), {0: 1, 80: 1, 4: 2, 76: 2})
    monkeypatch.setattr(proof, "_judge_compiled", lambda *_: (_ for _ in ()).throw(OutOfBudget))
    assert prove(thin, Rule.STRICT, budget=0).verdict is Verdict.GAVE_UP


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


@pytest.mark.parametrize("kind", KIND_OF.values())
def test_the_scan_and_the_search_that_learns_judge_alike(kind):
    counts = Counter()
    for index in range(600):
        puzzle = small_board(Random(index)) if index % 2 else grown_board(6, 7, f"scanned/{index}")
        by_scan = BoardSearch(puzzle, Budget(100_000)).find_two(kind)
        by_learning = BoardSearch(puzzle, Budget(100_000), alone=True).find_two(kind)
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
            for name in ("_FIRST_FORM", "_OTHER_FORMS", "_BY_TURNS", "_FIRST_TURN", "_STRICT_SHARE"):
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
        other = second_nearby(known, KIND_OF[rule])
        if other is None:
            continue
        found += 1
        assert other.edges != known.edges
        mistakes = {mistake.kind for mistake in check_solution(other)}
        assert mistakes <= ({MistakeKind.UNCOVERED} if rule is Rule.STRICT else set())
        assert prove(known.puzzle, rule).verdict is Verdict.MULTIPLE
    assert 5 < found < 20
