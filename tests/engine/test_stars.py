"""The measure of how hard a puzzle feels."""

import math

import pytest

from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.make.generate import generate
from linkpress.engine.prove.board_search import BoardSearch, Budget
from linkpress.engine.recipe import MOST_STARS, Recipe, Rule, Span
from linkpress.engine.solve import stars
from linkpress.engine.solve.grade import Grading, grade_puzzle
from linkpress.engine.solve.stars import proof_effort, star_score
from linkpress.puzzle.symmetry import SYMMETRIES, eight_forms


def made(side: int, pairs: int, rule: Rule = Rule.STRICT):
    return generate(Recipe(rows=side, cols=side, pairs=Span(pairs, pairs), rule=rule), "stars", graded=False)


def test_the_eight_forms_of_a_board_have_one_score():
    puzzle = made(9, 8).puzzle
    forms = list(eight_forms(puzzle))
    assert len(set(forms)) == len(SYMMETRIES)
    assert {star_score(form, Rule.STRICT) for form in forms} == {star_score(puzzle, Rule.STRICT)}


@pytest.mark.parametrize(
    ("rule", "kind"), [(Rule.STRICT, DrawingKind.LOWEST), (Rule.FILLED, DrawingKind.FILLING)]
)
def test_the_effort_is_the_mean_over_the_forms_of_proofs_by_the_board_s_rule(rule, kind):
    puzzle, logs = made(7, 6).puzzle, []
    for form in eight_forms(puzzle):
        budget = Budget(10**6)
        BoardSearch(form, budget, scans=False).find_two(kind)
        logs.append(math.log1p(budget.spent))
    assert proof_effort(puzzle, rule) == pytest.approx(sum(logs) / 8)


def test_a_large_board_with_few_pairs_has_more_stars_than_a_small_one_with_many():
    scores = [star_score(made(side, pairs).puzzle, Rule.STRICT) for side, pairs in ((6, 6), (9, 8), (12, 10))]
    assert scores == sorted(set(scores))


def test_a_proof_is_given_up_at_the_limit_which_has_five_stars(monkeypatch):
    monkeypatch.setattr(stars, "MOST_CONFLICTS", 3)
    assert proof_effort(made(10, 8).puzzle, Rule.STRICT) == pytest.approx(math.log(4))
    monkeypatch.undo()
    most = round(100 * (stars._BASE + stars._BY_EFFORT * math.log1p(stars.MOST_CONFLICTS)))
    assert Grading(None, most, {}, None).stars == MOST_STARS


def test_a_made_puzzle_has_the_score_that_grading_it_again_gives():
    puzzle = generate(Recipe(rows=7, cols=7, pairs=Span(6, 6)), "stars")
    assert puzzle.grading is not None
    assert (
        puzzle.grading.score
        == grade_puzzle(puzzle.puzzle, Rule.STRICT).score
        == star_score(puzzle.puzzle, Rule.STRICT)
    )
