"""Every technique on its own, on partly drawn boards: its findings are true.

By the rule filled, a finding must hold in every filling that agrees with the drawn part. By untouching, it
must hold in every such filling in which no path runs beside itself. By strict, it must hold in the only
solution of a board that is proven to have one. No technique may find a contradiction there.
"""

from collections import Counter
from itertools import chain
from random import Random

import pytest
from brute_force import filled_boards, fillings, touches_itself, verdict
from grown_boards import grown_board, small_board
from known_parts import all_agree, facts_of, part_of
from sat_judge import SatSearch, judge_by_sat

from boards import ARTICLE_PUZZLE, ARTICLE_SOLUTION, TOUCHING_BOARD
from linkpress.engine import ladder, proof
from linkpress.engine.board_search import OutOfBudget
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.kernels.ladder import climb
from linkpress.engine.kernels.ladder.climb import NO_LIMIT, propagate_on, suppose
from linkpress.engine.ladder import (
    KERNEL_LADDER,
    OF_CODE,
    TECHNIQUES,
    climb_ladder,
    edge_index,
    find,
    position_of,
    write,
)
from linkpress.engine.proof import Verdict, prove, strictest_rule
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Puzzle, Solution
from strategies import filling, random_cover

Board = tuple[Puzzle, list[Solution]]


def check_findings(rng, puzzle, drawings, rule):
    """Draw a part of one solution. Then check all techniques, follow one of them, and repeat to the end.

    Returns:
        By rung, how many findings there were, all of them checked.
    """
    position, known = position_of(puzzle, rule), part_of(rng, puzzle, rng.choice(drawings))
    assert write(position, known), puzzle
    facts = [own for own in (facts_of(puzzle, one) for one in drawings) if all_agree(known, own)]
    count = Counter[int]()
    while True:
        found = {technique.code: find(position, technique) for technique in TECHNIQUES}
        for rung, findings in found.items():
            assert findings is not None, (puzzle, known, rung)
            assert all(all_agree(findings, own) for own in facts), (puzzle, known, rung)
            count[rung] += len(findings)
        climb = climb_ladder(position)
        assert climb.outcome is not ClimbOutcome.CONTRADICTED, (puzzle, known)
        assert (climb.outcome is ClimbOutcome.FINISHED) <= (len(facts) == 1), (puzzle, known)
        telling = [findings for findings in found.values() if findings]
        if not telling:
            return count
        followed = rng.choice(telling)
        assert write(position, rng.sample(followed, rng.randint(1, len(followed)))), (puzzle, known)


def check_boards(boards, rule):
    """Check boards by one rule. Count the findings of each technique code, and the boards under 0."""
    count = Counter[int]()
    for at, (puzzle, drawings) in enumerate(boards):
        if rule is Rule.UNTOUCHING:
            drawings = [one for one in drawings if not touches_itself(one)]
        if (ruleset_of(rule).covers and drawings) or (len(drawings) == 1 and is_strict(puzzle)):
            count += check_findings(Random(f"findings/{at}"), puzzle, drawings, rule)
            count[0] += 1
    return count


def is_strict(puzzle):
    """Whether there is one drawing, and that one fills the board: by walking all paths, or by python-sat."""
    if puzzle.grid.size <= 20:
        return verdict(puzzle, Rule.STRICT) is Verdict.UNIQUE
    return judge_by_sat(puzzle, Rule.STRICT)[0] is Verdict.UNIQUE


def fillings_by_sat(puzzle, most):
    """All fillings, or the first of them."""
    with SatSearch(puzzle, covers=True, may_touch=True) as search:
        found = (search.find() for _ in range(most))
        return [drawing for drawing in found if drawing is not None]


def scattered_boards(count):
    """Yield random boards of up to 20 squares, each with all its fillings."""
    for index in range(count):
        puzzle = small_board(Random(f"alone/{index}"))
        if found := fillings(puzzle):
            yield puzzle, found


def grown_or_random_boards(count):
    """Yield boards of 5 × 5 to 6 × 7, each with up to 30 of its fillings."""
    for index in range(count):
        rng = Random(f"larger/{index}")
        rows, cols = rng.choice(((5, 5), (5, 6), (6, 5), (6, 6), (5, 7), (6, 7)))
        if index % 2:
            puzzle = grown_board(rows, cols, f"larger/{index}")
        else:
            paths = [path for path in random_cover(rng, rows, cols, rng.random() < 0.5) if len(path) > 1]
            puzzle = filling(rows, cols, dict(enumerate(paths, 1))).puzzle
        found = fillings_by_sat(puzzle, 30)
        yield puzzle, [Solution.from_edges(puzzle, drawing) for drawing in found]


SILENT = {
    rule: {one.code for one in TECHNIQUES if one.untouching and not ruleset_of(rule).paths_stay_apart}
    for rule in Rule
}
"""For each rule, the techniques that never have a finding."""


@pytest.mark.parametrize("rule", list(Rule))
def test_findings_of_each_technique_are_true_on_small_boards(rule):
    boards = chain(filled_boards(3, 3), filled_boards(3, 4, most_pairs=2), scattered_boards(150))
    count = check_boards(boards, rule)
    assert SILENT[rule] <= set(Code) - set(count) <= SILENT[rule] | {Code.WALLS, Code.NESTED}


@pytest.mark.soak
@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(
    ("rows", "cols", "solids"),
    [(3, 3, 0), (3, 3, 1), (3, 3, 2), (3, 4, 0), (3, 4, 1), (3, 4, 2), (4, 4, 0), (4, 4, 1), (4, 5, 0)],
)
def test_findings_of_each_technique_are_true_on_all_small_boards(rows, cols, solids, rule):
    count = check_boards(filled_boards(rows, cols, solids), rule)
    assert count[0] >= 10


@pytest.mark.soak
@pytest.mark.parametrize("rule", list(Rule))
def test_findings_of_each_technique_are_true_on_larger_boards(rule):
    count = check_boards(grown_or_random_boards(4000), rule)
    assert SILENT[rule] <= set(Code) - set(count) <= SILENT[rule] | {Code.WALLS, Code.NESTED}
    assert count[0] >= 1000


@pytest.mark.parametrize("rung", sorted(SILENT[Rule.FILLED]))
def test_untouching_techniques_are_false_in_some_filling(rung):
    def is_false(at, puzzle, drawings):
        rng, position = Random(f"false/{at}"), position_of(puzzle, Rule.STRICT)
        known = part_of(rng, puzzle, rng.choice(drawings))
        findings = (write(position, known) and find(position, OF_CODE[rung])) or []
        facts = [own for own in (facts_of(puzzle, one) for one in drawings) if all_agree(known, own)]
        return not all(all_agree(findings, own) for own in facts)

    boards = enumerate(filled_boards(3, 4))
    assert any(is_false(at, *board) for at, board in boards), "what it finds is true of every filling"


@pytest.fixture
def without_search(monkeypatch):
    """Make the search give up, so that a proof can only use the ladder."""

    def give_up(puzzle, rule, budget):
        raise OutOfBudget

    monkeypatch.setattr(proof, "find_drawings", give_up)


@pytest.mark.usefixtures("without_search")
def test_the_ladder_finishes_no_board_with_several_fillings():
    would_finish = 0
    for puzzle, drawings in grown_or_random_boards(200):
        if len(drawings) == 1:
            continue
        strict = climb_ladder(position_of(puzzle, Rule.STRICT))
        would_finish += strict.outcome is ClimbOutcome.FINISHED
        assert grade_puzzle(puzzle, Rule.FILLED).solution is None
        several = sum(not touches_itself(drawing) for drawing in drawings) > 1
        for rule in Rule:
            if several or rule is not Rule.UNTOUCHING:
                assert prove(puzzle, rule).verdict is Verdict.GAVE_UP
    assert would_finish > 5


@pytest.mark.usefixtures("without_search")
def test_a_proof_by_the_ladder_never_assumes_that_a_board_is_strict(monkeypatch):
    assumed_strict = []

    def position(rows, cols, free, pairs, strict, techniques):
        assumed_strict.append(strict)
        return Position(rows, cols, free, pairs, strict, techniques)

    monkeypatch.setattr(ladder, "Position", position)
    assert prove(ARTICLE_PUZZLE, Rule.STRICT).verdict is Verdict.GAVE_UP
    assert assumed_strict == []
    found = prove(ARTICLE_PUZZLE, Rule.FILLED)
    assert (found.verdict, found.method, found.solution) == (Verdict.UNIQUE, "ladder", ARTICLE_SOLUTION)
    assert assumed_strict == [False]
    assert prove(ARTICLE_PUZZLE, Rule.UNTOUCHING).solution == ARTICLE_SOLUTION
    assert assumed_strict == [False, True]
    assert strictest_rule(ARTICLE_PUZZLE) == (Rule.FILLED, (Rule.STRICT,))


def test_the_filling_of_a_board_that_is_not_strict_is_found_without_strict_techniques():
    puzzle = TOUCHING_BOARD.puzzle
    assert strictest_rule(puzzle) == (Rule.FILLED, ())
    assert grade_puzzle(puzzle, Rule.FILLED).solution == TOUCHING_BOARD
    assert climb_ladder(position_of(puzzle, Rule.STRICT)).outcome is not ClimbOutcome.FINISHED


@pytest.mark.parametrize("rule", list(Rule))
def test_a_refuted_supposition_holds_in_no_solution(rule):
    """Follow each supposition with the techniques of ``propagate_on``, in plain Python."""
    refuted = held = 0
    for puzzle, drawings in scattered_boards(6):
        if rule is Rule.STRICT and not is_strict(puzzle):
            continue
        if rule is Rule.UNTOUCHING:
            drawings = [one for one in drawings if not touches_itself(one)]
        free = [int(cell not in puzzle.grid.solids) for cell in range(puzzle.grid.size)]
        pairs = [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]
        start = climb.Position(
            puzzle.grid.rows, puzzle.grid.cols, free, pairs, ruleset_of(rule).paths_stay_apart, KERNEL_LADDER
        )
        for step in puzzle.grid.edges:
            for what in (EdgeState.DRAWN, EdgeState.RULED_OUT):
                tried = start.copy()
                fails = suppose(tried.board, what, edge_index(step), NO_LIMIT) < 0 or any(
                    propagate_on(tried.board, start.board, tried.blocks, tried.gaps, tried.order, longest, 0)
                    < 0
                    for longest in (0, 2, 3)
                )
                holding = any((step in one.edges) == (what == EdgeState.DRAWN) for one in drawings)
                assert not (fails and holding), (puzzle, step, what)
                refuted += fails
                held += holding
    assert min(refuted, held) > 50


def test_boards_that_contradict_themselves_have_no_filling():
    contradicted = 0
    for index in range(300):
        puzzle = small_board(Random(f"climb/{index}"))
        if climb_ladder(position_of(puzzle, Rule.FILLED)).outcome is ClimbOutcome.CONTRADICTED:
            assert not fillings(puzzle), puzzle
            contradicted += 1
    assert contradicted > 30
