import dataclasses
import math
import re
from random import Random
from statistics import fmean

import pytest
from brute_force import fillings
from grown_boards import small_board
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import ARTICLE_PUZZLE, ARTICLE_SOLUTION, SOLVED_BOARD, puzzle_of
from linkpress.engine import grade
from linkpress.engine.board_search import kind_of
from linkpress.engine.difficulty import MOST_DIFFICULTY, difficulty_of, marks_of
from linkpress.engine.explain.steps import explain_climb
from linkpress.engine.grade import (
    SEARCH,
    Grading,
    climb_and_grade,
    distance_to,
    grade_puzzle,
    proof_effort,
    score_of,
    score_towards,
)
from linkpress.engine.hint import next_step
from linkpress.engine.kernels import FormProofs, rng_from
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.ladder import TECHNIQUES, climb_ladder, position_of
from linkpress.engine.make.cover import grow_cover
from linkpress.engine.make.generate import generate
from linkpress.engine.proof import prove
from linkpress.engine.recipe import Grade, Recipe, Rule, Span
from linkpress.engine.rulesets import RULESETS
from linkpress.errors import GradeError, UsageError
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import SYMMETRIES, form_of
from linkpress.words import load_words
from turning import turned_puzzle

BY_TECHNIQUE = {
    (Rule.FILLED, "clash"): "7 5\n#......\n.......\n.2..3..\n1......\n3.2..1.\n",
    (Rule.FILLED, "cut-off"): "7 5\n#.....2\n..1...5\n..43..1\n.42..5.\n...3...\n",
    (Rule.FILLED, "look-ahead"): "7 5\n#.....2\n......1\n...143.\n.32..4.\n.......\n",
    (Rule.FILLED, "order"): "7 5\n......1\n.3....3\n.......\n...422.\n41.....\n",
    (Rule.FILLED, "gap"): "7 5\n2......\n..1....\n3...41.\n.432...\n.......\n",
    (Rule.FILLED, "what-if"): "7 5\n#......\n..3.3..\n.4.....\n2..2.1.\n4.1....\n",
    (Rule.FILLED, "chain"): "7 5\n1......\n....1#.\n.2.3...\n...2.3.\n4..4...\n",
    (Rule.STRICT, "clash"): "7 5\n#......\n......4\n....2..\n..3255.\n41..31.\n",
    (Rule.STRICT, "turn"): "7 5\n#.....2\n..1...5\n..43..1\n.42..5.\n...3...\n",
    (Rule.STRICT, "touch"): "7 5\n....3.2\n.51...#\n.....42\n.3...4.\n5..1...\n",
    (Rule.STRICT, "cut-off"): "7 5\n5.....4\n.1...5.\n...2.4.\n.32....\n.....13\n",
    (Rule.STRICT, "corner"): "7 5\n......1\n.3....3\n.......\n...422.\n41.....\n",
    (Rule.STRICT, "look-ahead"): "7 5\n.......\n.2...2.\n....4..\n..3...#\n31..4.1\n",
    (Rule.STRICT, "order"): "7 5\n1......\n443..3.\n.......\n.2....2\n.....1#\n",
    (Rule.FILLED, "walls"): "7 7\n.......\n.32....\n.......\n...4...\n..1...1\n.4..2.3\n.......\n",
    (Rule.FILLED, "long-chain"): "7 7\n.......\n.....2.\n.43....\n.14....\n.......\n.3....1\n......2\n",
    (Rule.FILLED, "nested"): "7 7\n21...24\n.......\n.......\n.3..1..\n..4....\n.....3.\n.......\n",
    (Rule.STRICT, "chain"): "10 10\n........46\n..........\n.63.......\n........71\n.....4....\n"
    "...2....5.\n.....7....\n...5...1..\n.23.......\n..........\n",
    (Rule.STRICT, "diagonal"): "10 10\n.1.......6\n.5.7....3.\n...25.....\n..........\n......4.6.\n"
    "..........\n..........\n..4.......\n.....217..\n.........3\n",
    (Rule.STRICT, "what-if"): "9 9\n2.......4\n.........\n.14......\n....6....\n"
    ".........\n.........\n..63.2.1.\n.5...5...\n........3\n",
    (Rule.STRICT, "gap"): "9 9\n...3.....\n.1...4...\n......2..\n.........\n"
    ".....63..\n.........\n..4....1.\n......62.\n.....5..5\n",
    (Rule.STRICT, "narrows"): "9 9\n....#7...\n.7..1..4.\n.1.......\n.........\n"
    "...23.2..\n..6.....6\n........4\n.5.......\n.......35\n",
    (Rule.FILLED, "narrows"): "7 7\n2......\n4....3.\n..1....\n...2.51\n...5...\n......3\n4......\n",
    (Rule.STRICT, "long-chain"): "10 10\n.........6\n.7.....5..\n...4......\n2.........\n..........\n"
    ".6...5....\n.......2..\n..1.......\n.4.7......\n.1...3...3\n",
}
"""For most techniques, by each rule, a made board of which it is the hardest."""


def renumbered(puzzle, rng):
    numbers = rng.sample(range(1, 100), len(puzzle.pairs))
    pairs = [pair._replace(number=n) for pair, n in zip(puzzle.pairs, numbers, strict=True)]
    return Puzzle(puzzle.grid, tuple(sorted(pairs, key=lambda pair: pair.number)))


@pytest.mark.parametrize(("rule", "technique"), BY_TECHNIQUE)
def test_a_board_has_its_technique_in_every_symmetry_and_numbering(rule, technique):
    puzzle = puzzle_of(BY_TECHNIQUE[rule, technique])
    plain, rng = grade_puzzle(puzzle, rule), Random(0)
    assert list(plain.findings)[-1] == technique
    assert plain.technique is next(one.grade for one in TECHNIQUES if one.name == technique)
    for symmetry in range(len(SYMMETRIES)):
        turned = grade_puzzle(renumbered(turned_puzzle(puzzle, symmetry), rng), rule)
        assert (turned.technique, turned.score) == (plain.technique, plain.score)
        assert turned.findings == plain.findings


@pytest.mark.parametrize(("rule", "technique"), BY_TECHNIQUE)
def test_the_technique_is_the_lowest_that_finishes_and_an_opening_ends_before_a_fiendish_one(rule, technique):
    climbs = {
        grade: climb_and_grade(puzzle_of(BY_TECHNIQUE[rule, technique]), rule, grade) for grade in Grade
    }
    lowest = climbs[Grade.FIENDISH].technique
    assert [grade for grade in Grade if climbs[grade].technique is not None] == [
        grade for grade in Grade if grade >= lowest
    ]
    opening = climbs[Grade.FIENDISH].opening
    assert opening == climbs[Grade.EXPERT].opening
    assert (len(opening) < 5) == (technique in ("walls", "nested"))


def test_rule_and_technique_can_be_given_as_words():
    plain = grade_puzzle(SOLVED_BOARD.puzzle, Rule.STRICT, Grade.EASY)
    assert grade_puzzle(SOLVED_BOARD.puzzle, "strict", "easy") == plain
    assert prove(SOLVED_BOARD.puzzle, "strict").rule is Rule.STRICT
    for judge in (grade_puzzle, prove):
        with pytest.raises(UsageError, match="rule 'sharp': give filled, strict or untouching"):
            judge(SOLVED_BOARD.puzzle, "sharp")
    with pytest.raises(UsageError, match=r"technique 'simple': give beginner, .* or fiendish"):
        grade_puzzle(SOLVED_BOARD.puzzle, "strict", "simple")


def test_only_boards_with_one_filling_are_graded():
    graded = 0
    for index in range(150):
        puzzle = small_board(Random(f"grade/{index}"))
        grading = grade_puzzle(puzzle, Rule.FILLED)
        assert (grading.technique is None) == (grading.score is None)
        found = [filling.edges for filling in fillings(puzzle)]
        assert (grading.technique is not None) == (len(found) == 1)
        if grading.solution is not None:
            assert found == [grading.solution.edges]
            graded += 1
    assert graded > 20


def test_a_large_board_that_is_more_than_expert_is_fiendish_without_a_climb():
    made = generate(Recipe(16, 16, 24, rule=Rule.FILLED), "large", graded=False)
    grading = climb_and_grade(made.puzzle, Rule.FILLED)
    assert (grading.technique, grading.solution) == (Grade.FIENDISH, None)
    assert list(grading.findings)[-1] == SEARCH
    assert climb_and_grade(made.puzzle, Rule.FILLED, Grade.EXPERT).technique is None


def test_every_technique_has_a_grade_no_lower_than_that_of_an_easier_one():
    assert sorted(technique.code for technique in TECHNIQUES) == list(Code)
    grades = [technique.grade for technique in TECHNIQUES]
    assert grades == sorted(grades)
    assert set(grades) == set(Grade)


def test_article_sample_has_the_printed_answer():
    grading = grade_puzzle(ARTICLE_PUZZLE, Rule.FILLED)
    assert grading.technique is Grade.BEGINNER
    assert grading.solution == ARTICLE_SOLUTION
    assert set(grading.findings) == {"exits", "clash"}


def test_hints_followed_one_by_one_finish_the_board():
    drawn = set()
    while (step := next_step(SOLVED_BOARD.puzzle, drawn, Rule.STRICT)) is not None:
        assert step.rung > 0
        assert set(step.drawn) - drawn
        drawn |= set(step.drawn)
    assert drawn == SOLVED_BOARD.edges


def test_a_hint_names_a_broken_rule_or_a_line_that_is_not_in_the_solution():
    wrong = next(edge for edge in SOLVED_BOARD.puzzle.grid.edges if edge not in SOLVED_BOARD.edges)
    step = next_step(SOLVED_BOARD.puzzle, [wrong], Rule.STRICT)
    assert (step.rung, step.technique, step.ruled_out) == (0, "mistake", (wrong,))
    step = next_step(SOLVED_BOARD.puzzle, [(0, 1), (1, 2), (1, 8)], Rule.STRICT)
    assert step.rung == 0
    assert step.cells == (1,)


def test_a_hint_says_if_the_drawing_cannot_be_completed():
    # The board has many fillings, so no single edge is wrong. These lines leave a corner one way out.
    open_board = puzzle_of("7 5\n1 . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . .\n. . . . . . 1\n")
    step = next_step(open_board, [(14, 21), (21, 22)], Rule.FILLED)
    assert step.technique == "mistake"


@pytest.mark.parametrize(("rule", "technique"), BY_TECHNIQUE)
def test_every_step_has_a_sentence(rule, technique):
    puzzle = puzzle_of(BY_TECHNIQUE[rule, technique])
    steps = list(explain_climb(puzzle, climb_ladder(position_of(puzzle, rule))))
    assert all(load_words("en").steps.text_of(step.sentence) and step.cells for step in steps)
    assert max(steps, key=lambda step: step.rung).technique == technique


def made(side, pairs, rule=Rule.STRICT):
    return generate(Recipe(rows=side, cols=side, pairs=Span(pairs, pairs), rule=rule), "made", graded=False)


@pytest.mark.parametrize("rule", list(Rule))
def test_the_effort_is_the_mean_over_the_proofs_of_all_forms(rule):
    met_conflicts = False
    for rows, cols, pairs in ((9, 9, 8), (6, 9, 5), (9, 6, 5)):
        puzzle = generate(Recipe(rows=rows, cols=cols, pairs=pairs, rule=rule), "made", graded=False).puzzle
        logs = []
        for symmetry in range(8):
            form = form_of(puzzle, symmetry)
            grid = form.grid
            proofs = FormProofs(grid.rows, grid.cols, grid.solids, form.pairs, kind_of(rule))
            logs.append(math.log1p(proofs.conflicts(0, 10**6)))
        met_conflicts |= max(logs) > 0
        assert proof_effort(puzzle, rule) == pytest.approx(sum(logs) / 8)
    assert met_conflicts


@pytest.mark.parametrize("rule", [Rule.STRICT, Rule.UNTOUCHING])
def test_a_large_board_with_few_pairs_is_harder_than_a_small_one_with_many(rule):
    scores = [score_of(made(side, pairs, rule).puzzle, rule) for side, pairs in ((6, 6), (9, 8), (12, 10))]
    assert scores == sorted(set(scores))


def test_a_proof_is_given_up_at_a_limit(monkeypatch):
    monkeypatch.setattr(grade, "MOST_CONFLICTS", 3)
    assert proof_effort(made(10, 8).puzzle, Rule.STRICT) == pytest.approx(math.log(4))


@pytest.mark.parametrize(("rule", "marks"), [(Rule.STRICT, 8), (Rule.FILLED, 5), (Rule.UNTOUCHING, 8)])
def test_the_limit_of_a_proof_allows_these_marks(rule, marks):
    most = RULESETS[rule].highest_score
    assert marks_of(Grading(None, most, {}, None).difficulty) == marks


def test_a_puzzle_has_about_the_same_score_under_each_rule():
    for side, pairs in ((7, 5), (8, 6), (9, 8), (10, 9)):
        scores = [score_of(made(side, pairs).puzzle, rule) for rule in Rule]
        assert max(scores) - min(scores) < 75, scores


def test_a_made_puzzle_has_the_score_that_grading_it_again_gives():
    puzzle = generate(Recipe(rows=7, cols=7, pairs=6), "score")
    again = grade_puzzle(puzzle.puzzle, Rule.STRICT).score
    assert puzzle.grading.score == again == score_of(puzzle.puzzle, Rule.STRICT)


def test_distances_lead_to_the_wanted_difficulties():
    wanted = Span(30, 59)
    assert [distance_to(score, wanted) for score in (140, 150, 299, 300, 350)] == [-10, 0, 0, 1, 51]
    for score in (1, 140, 160, 299, 350, 600):
        assert difficulty_of(score - distance_to(score, wanted)) in wanted
        assert distance_to(score, Span(0, MOST_DIFFICULTY)) == 0


def test_scoring_stops_early_on_a_board_far_from_the_wanted_difficulty():
    puzzle = made(10, 8).puzzle
    score = score_of(puzzle, Rule.STRICT)
    its_own = Span(difficulty_of(score), difficulty_of(score))
    near, far = (score_towards(puzzle, Rule.STRICT, wanted) for wanted in (its_own, Span(80, 100)))
    assert (near.score, near.is_whole) == (score, True)
    assert not far.is_whole
    assert 0 < far.conflicts < near.conflicts / 4


@pytest.mark.parametrize("wanted", [Span(0, 29), Span(30, 39)])
def test_a_puzzle_is_made_to_a_difficulty_and_to_techniques_with_it(wanted):
    plain = Recipe(rows=9, cols=9, pairs=Span(6, 12), solids=0, difficulty=wanted)
    for recipe in (plain, dataclasses.replace(plain, techniques=(Grade.EASY, Grade.MEDIUM))):
        found = generate(recipe, "asked", graded=False)
        assert recipe.accepts(found.grading.technique, found.grading.difficulty)
        assert found.grading.score == score_of(found.puzzle, Rule.STRICT)


def test_a_difficulty_out_of_reach_is_refused_with_the_setting_to_change():
    recipe = Recipe(rows=7, cols=7, pairs=Span(7, 9), solids=0, difficulty=Span(60, 100))
    with pytest.raises(
        GradeError, match=r"7 × 7 board .* extreme.* too easy\. Make the board larger"
    ) as caught:
        generate(recipe, "never", budget=300_000)
    assert re.search(r"by difficulty: \d+ too easy", caught.value.details)


SIDES = st.integers(3, 12)


@settings(max_examples=60, deadline=None)
@given(SIDES, SIDES, st.integers(0, 10**6))
def test_a_grown_cover_touches_itself_nowhere_and_leaves_no_two_neighbours_over(rows, cols, seed):
    cover = grow_cover(rows, cols, str(seed))
    assert check_solution(cover.solution) == ()
    assert not cover.solution.touches_itself
    assert cover.solution.fills
    assert not any(cell + 1 in cover.solids and (cell + 1) % cols for cell in cover.solids)
    assert not any(cell + cols in cover.solids for cell in cover.solids)


@pytest.mark.parametrize(
    ("side", "paths", "solid_share"), [(5, 4.3, 0.084), (7, 7.2, 0.076), (10, 14.0, 0.069)]
)
def test_mean_counts_match_those_of_the_article(side, paths, solid_share):
    rng, boards = rng_from(f"means {side}"), 1500
    covers = [grow_cover(side, side, rng) for _ in range(boards)]
    assert fmean([len(cover.paths) for cover in covers]) == pytest.approx(paths, rel=0.1)
    solids = solid_share * side * side
    assert fmean([len(cover.solids) for cover in covers]) == pytest.approx(solids, rel=0.1)
