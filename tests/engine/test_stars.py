"""The measure of how hard a puzzle feels."""

import dataclasses
import math

import pytest

from linkpress.engine.kernels.glossary import DrawingKind
from linkpress.engine.make.generate import generate
from linkpress.engine.prove.board_search import BoardSearch, Budget
from linkpress.engine.recipe import MOST_STARS, Grade, Recipe, Rule, Span
from linkpress.engine.solve import grade
from linkpress.engine.solve.grade import (
    Grading,
    distance_to,
    grade_puzzle,
    proof_effort,
    score_towards,
    star_score,
    stars_of,
)
from linkpress.errors import GradeError
from linkpress.puzzle.symmetry import SYMMETRIES, eight_forms


def made(side: int, pairs: int, rule: Rule = Rule.STRICT):
    return generate(Recipe(rows=side, cols=side, pairs=Span(pairs, pairs), rule=rule), "stars", graded=False)


def test_the_eight_forms_of_a_board_have_one_score():
    puzzle = made(9, 8).puzzle
    forms = list(eight_forms(puzzle))
    assert len(set(forms)) == len(SYMMETRIES)
    assert {star_score(form, Rule.STRICT) for form in forms} == {star_score(puzzle, Rule.STRICT)}


@pytest.mark.parametrize(
    ("rule", "kind"),
    [
        (Rule.STRICT, DrawingKind.LOWEST),
        (Rule.FILLED, DrawingKind.FILLING),
        (Rule.UNTOUCHING, DrawingKind.UNTOUCHING),
    ],
)
def test_the_effort_is_the_mean_over_the_forms_of_proofs_by_the_board_s_rule(rule, kind):
    puzzle, logs = made(7, 6).puzzle, []
    for form in eight_forms(puzzle):
        budget = Budget(10**6)
        BoardSearch(form, budget, alone=True).find_two(kind)
        logs.append(math.log1p(budget.spent))
    assert proof_effort(puzzle, rule) == pytest.approx(sum(logs) / 8)


@pytest.mark.parametrize("rule", [Rule.STRICT, Rule.UNTOUCHING])
def test_a_large_board_with_few_pairs_has_more_stars_than_a_small_one_with_many(rule):
    scores = [star_score(made(side, pairs, rule).puzzle, rule) for side, pairs in ((6, 6), (9, 8), (12, 10))]
    assert scores == sorted(set(scores))


def test_a_proof_is_given_up_at_the_limit_which_has_five_stars(monkeypatch):
    monkeypatch.setattr(grade, "MOST_CONFLICTS", 3)
    assert proof_effort(made(10, 8).puzzle, Rule.STRICT) == pytest.approx(math.log(4))
    monkeypatch.undo()
    for base, by_effort in grade._LINES.values():
        most = round(100 * (base + by_effort * math.log1p(grade.MOST_CONFLICTS)))
        assert Grading(None, most, {}, None).stars == MOST_STARS


def test_a_made_puzzle_has_the_score_that_grading_it_again_gives():
    puzzle = generate(Recipe(rows=7, cols=7, pairs=Span(6, 6)), "stars")
    assert puzzle.grading is not None
    assert (
        puzzle.grading.score
        == grade_puzzle(puzzle.puzzle, Rule.STRICT).score
        == star_score(puzzle.puzzle, Rule.STRICT)
    )


def test_stars_begin_at_their_scores_and_distances_lead_to_them():
    assert [stars_of(score) for score in (1, 149, 150, 349, 350, 389, 390, 500)] == [1, 1, 2, 3, 4, 4, 5, 5]
    asked = Span(2, 3)
    assert [distance_to(score, asked) for score in (140, 150, 349, 350, 400)] == [-10, 0, 0, 1, 51]
    for score in (1, 140, 160, 349, 350, 400):
        assert stars_of(score - distance_to(score, asked)) in asked
        assert distance_to(score, Span(1, MOST_STARS)) == 0


def test_a_board_far_from_the_wanted_stars_is_given_up_after_one_form_and_one_that_has_them_is_scored():
    puzzle = made(10, 8).puzzle
    score = star_score(puzzle, Rule.STRICT)
    near, far = (score_towards(puzzle, Rule.STRICT, Span(stars, stars)) for stars in (stars_of(score), 5))
    assert (near.score, near.is_whole) == (score, True)
    assert not far.is_whole
    assert 0 < far.conflicts < near.conflicts / 4


@pytest.mark.parametrize("wanted", [Span(1, 1), Span(2, 2)])
def test_a_puzzle_is_made_to_stars_and_to_a_grade_with_them(wanted):
    plain = Recipe(rows=9, cols=9, pairs=Span(6, 12), solids=Span(0, 0), stars=wanted)
    for recipe in (plain, dataclasses.replace(plain, grades=(Grade.EASY, Grade.MEDIUM))):
        found = generate(recipe, "asked", graded=False)
        assert found.grading is not None
        assert recipe.takes(found.grading.grade, found.grading.stars)
        assert found.grading.score == star_score(found.puzzle, Rule.STRICT)


def test_what_has_never_so_many_stars_is_refused_with_what_stands_in_the_way():
    recipe = Recipe(rows=7, cols=7, pairs=Span(7, 9), solids=Span(0, 0), stars=Span(4, 5))
    with pytest.raises(GradeError, match=r"4-5 stars.*by stars: \d+ too few\. The stars stand in the way"):
        generate(recipe, "never", budget=300_000)
