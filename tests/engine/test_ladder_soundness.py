"""Every technique by itself, on boards known as far as you like: what it says is true.

By the filled rule it must hold in every filling that agrees with what is known, however many there are; by
untouching in every one of these in which no path runs beside itself; by the strict rule in the only drawing
of a board that is proven to have no other. None may see a contradiction there.
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
from linkpress.engine.explain.clauses import GapSides
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.kernels.ladder import climb
from linkpress.engine.kernels.ladder.suppositions import NO_LIMIT, propagate_on, suppose
from linkpress.engine.prove import proof
from linkpress.engine.prove.board_search import OutOfBudget
from linkpress.engine.prove.proof import Verdict, prove, strictest_rule
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.engine.solve import ladder
from linkpress.engine.solve.grade import grade_puzzle
from linkpress.engine.solve.ladder import climb_ladder, edge_index, find, position_of, write
from linkpress.engine.techniques import KERNEL_LADDER, OF_CODE, TECHNIQUES
from linkpress.puzzle.puzzle import Puzzle, Solution
from strategies import filling, random_cover

Board = tuple[Puzzle, list[Solution]]


def check_findings(rng, puzzle, drawings, rule):
    """Draw a part of one drawing; then let every technique speak, follow one of them, and so on to the end.

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
    """Check boards by one rule; by rung how many findings, and under 0 how many boards."""
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
    """Random boards of up to 20 squares, with all their fillings."""
    for index in range(count):
        puzzle = small_board(Random(f"alone/{index}"))
        if found := fillings(puzzle):
            yield puzzle, found


def grown_or_random_boards(count):
    """Boards of 5 × 5 to 6 × 7, with up to 30 of their fillings."""
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
"""The techniques that say nothing by a rule."""


@pytest.mark.parametrize("rule", list(Rule))
def test_each_technique_alone_says_what_is_true_of_small_boards(rule):
    boards = chain(filled_boards(3, 3), filled_boards(3, 4, most_pairs=2), scattered_boards(150))
    count = check_boards(boards, rule)
    assert SILENT[rule] <= set(Code) - set(count) <= SILENT[rule] | {Code.WALLS, Code.NESTED}


@pytest.mark.soak
@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(
    ("rows", "cols", "solids"),
    [(3, 3, 0), (3, 3, 1), (3, 3, 2), (3, 4, 0), (3, 4, 1), (3, 4, 2), (4, 4, 0), (4, 4, 1), (4, 5, 0)],
)
def test_each_technique_alone_says_what_is_true_of_all_small_boards(rows, cols, solids, rule):
    count = check_boards(filled_boards(rows, cols, solids), rule)
    assert count[0] >= 10


@pytest.mark.soak
@pytest.mark.parametrize("rule", list(Rule))
def test_each_technique_alone_says_what_is_true_of_larger_boards(rule):
    count = check_boards(grown_or_random_boards(4000), rule)
    assert SILENT[rule] <= set(Code) - set(count) <= SILENT[rule] | {Code.WALLS, Code.NESTED}
    assert count[0] >= 1000


@pytest.mark.parametrize("rung", sorted(SILENT[Rule.FILLED]))
def test_what_holds_on_strict_boards_alone_is_false_of_some_filling_of_others(rung):
    for at, (puzzle, drawings) in enumerate(filled_boards(3, 4)):
        rng, position = Random(f"false/{at}"), position_of(puzzle, Rule.STRICT)
        known = part_of(rng, puzzle, rng.choice(drawings))
        findings = (write(position, known) and find(position, OF_CODE[rung])) or []
        facts = [own for own in (facts_of(puzzle, one) for one in drawings) if all_agree(known, own)]
        if not all(all_agree(findings, own) for own in facts):
            return
    pytest.fail("what it finds is true of every filling")


@pytest.fixture
def speechless(monkeypatch):
    """The search spends its budget without a result, so that a proof has the ladder alone."""

    def give_up(puzzle, rule, budget):
        raise OutOfBudget

    monkeypatch.setattr(proof, "_find_drawings", give_up)


@pytest.mark.usefixtures("speechless")
def test_no_board_with_several_fillings_is_finished_though_strict_techniques_would_finish_it():
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


@pytest.mark.usefixtures("speechless")
def test_a_proof_never_takes_a_board_for_strict(monkeypatch):
    taken_for_strict = []

    def position(rows, cols, free, pairs, strict, techniques):
        taken_for_strict.append(strict)
        return Position(rows, cols, free, pairs, strict, techniques)

    monkeypatch.setattr(ladder, "Position", position)
    assert prove(ARTICLE_PUZZLE, Rule.STRICT).verdict is Verdict.GAVE_UP
    assert taken_for_strict == []
    found = prove(ARTICLE_PUZZLE, Rule.FILLED)
    assert (found.verdict, found.method, found.solution) == (Verdict.UNIQUE, "ladder", ARTICLE_SOLUTION)
    assert taken_for_strict == [False]
    assert prove(ARTICLE_PUZZLE, Rule.UNTOUCHING).solution == ARTICLE_SOLUTION
    assert taken_for_strict == [False, True]
    assert strictest_rule(ARTICLE_PUZZLE) is Rule.FILLED


def test_the_filling_of_a_board_that_is_not_strict_is_found_without_strict_techniques():
    puzzle = TOUCHING_BOARD.puzzle
    assert strictest_rule(puzzle) is Rule.FILLED
    assert grade_puzzle(puzzle, Rule.FILLED).solution == TOUCHING_BOARD
    assert climb_ladder(position_of(puzzle, Rule.STRICT)).outcome is not ClimbOutcome.FINISHED


@pytest.mark.parametrize("rule", list(Rule))
def test_a_supposition_that_leads_to_a_fault_holds_in_no_drawing(rule):
    """By all that follows a supposition where the simple techniques end, as plain Python."""
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


def flood(grid, position, start, gap):
    """The cells that open edges join to one, but for those of the gap."""
    edges, reached, ahead = position.edges(), {start}, [start]
    while ahead:
        cell = ahead.pop()
        for to in set(grid.neighbours[cell]) - reached - gap:
            if edges[edge_index((min(cell, to), max(cell, to)))] == EdgeState.OPEN:
                reached.add(to)
                ahead.append(to)
    return reached


def still_drawn(drawing, position):
    """The drawing's edges that are not known yet."""
    edges = position.edges()
    return [step for step in drawing.edges if edges[edge_index(step)] != EdgeState.DRAWN]


def half_drawn(index):
    rng = Random(f"gap sides/{index}")
    puzzle = small_board(rng)
    drawings = fillings(puzzle)
    position = position_of(puzzle, Rule.FILLED)
    if not drawings:
        return None
    drawing = rng.choice(drawings)
    assert write(position, part_of(rng, puzzle, drawing))
    return drawing, position, rng


@pytest.mark.parametrize("seed", range(2))
def test_a_side_takes_as_many_steps_at_dark_and_light_squares_as_the_drawing_gives_it(seed):
    uneven = 0
    for index in range(seed * 100, seed * 100 + 100):
        if (half := half_drawn(index)) is None:
            continue
        drawing, position, rng = half
        grid = drawing.puzzle.grid
        gap = tuple(rng.sample(grid.free_cells, 2))
        for start in set(grid.free_cells) - set(gap):
            sides = GapSides(drawing.puzzle, position, gap)
            side = flood(grid, position, start, set(gap))
            ends = [cell for edge in still_drawn(drawing, position) for cell in edge if cell in side]
            dark = sum(sum(grid.position(cell)) % 2 == 0 for cell in ends)
            assert sides.needs(sides.side_of(start)) == (dark, len(ends) - dark)
            uneven += 2 * dark != len(ends)
    assert uneven > 100


def test_the_pairs_apart_less_the_lines_that_carry_them_pass_the_gap_in_every_drawing():
    apart = carried = 0
    for index in range(200):
        if (half := half_drawn(index)) is None:
            continue
        drawing, position, rng = half
        grid, gap = drawing.puzzle.grid, tuple(rng.sample(drawing.puzzle.grid.free_cells, 2))
        sides = GapSides(drawing.puzzle, position, gap)
        for start in set(grid.free_cells) - set(gap):
            side = sides.side_of(start)
            reached = flood(grid, position, start, set(gap))
            assert {cell for cell in grid.free_cells if sides.side_of(cell) == side} == reached
            passing = sum((a in reached) != (b in reached) for a, b in still_drawn(drawing, position))
            assert len(sides.apart(side)) - sides.carried(side) <= passing
            for first in sides.apart(side):
                assert drawing.puzzle.number_at[first]
            busiest = sides.busiest()
            assert len(sides.apart(busiest)) - sides.carried(busiest) >= len(
                sides.apart(side)
            ) - sides.carried(side)
            apart += len(sides.apart(side))
            carried += sides.carried(side)
    assert min(apart, carried) > 100


def test_a_pair_is_apart_where_one_of_its_line_ends_is_and_the_other_is_not():
    # Nothing drawn: the line ends are the numbers themselves.
    for index in range(60):
        puzzle = small_board(Random(f"apart/{index}"))
        gap = tuple(Random(index).sample(puzzle.grid.free_cells, 2))
        sides = GapSides(puzzle, position_of(puzzle, Rule.FILLED), gap)
        for side in {sides.side_of(cell) for cell in puzzle.grid.free_cells}:
            one_inside = {
                pair.first
                for pair in puzzle.pairs
                if (sides.side_of(pair.first) == side) != (sides.side_of(pair.second) == side)
            }
            assert set(sides.apart(side)) == one_inside
            assert sides.carried(side) == 0
