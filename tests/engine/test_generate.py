"""From a recipe and a seed to a puzzle, or to a paragraph that says why not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sat_judge import judge_by_sat

from linkpress.engine.kernels.glossary import ShapingOutcome
from linkpress.engine.make.cover import Attempt, Cover, Order, repair_stages
from linkpress.engine.make.generate import AttemptLog, describe, generate, misses, watching_attempts
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import (
    Grade,
    Method,
    NumberPattern,
    Pattern,
    Recipe,
    Rule,
    Span,
    can_place,
    recipe_problem,
    solid_counts,
)
from linkpress.errors import RecipeError, UsageError
from linkpress.puzzle.rules import check_solution
from linkpress.puzzle.symmetry import fingerprint

LOOSE_KNOBS = {"shortest_path": 2, "adjacent_pairs": True}


def cover_of(made):
    grid = made.puzzle.grid
    return Cover(grid.rows, grid.cols, tuple(path.cells for path in made.solution.paths))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(5, 8), st.integers(5, 8), st.integers(0, 3), st.integers(0, 4), st.sampled_from(list(Rule)),
    st.sampled_from([Method.WALK, Method.QUICK]), st.integers(0, 10**6),
)  # fmt: skip
def test_a_made_puzzle_meets_its_recipe_and_the_prover_agrees(rows, cols, wider, solids, rule, method, seed):
    low = round(rows * cols / 8)
    recipe = Recipe(rows, cols, Span(low, low + wider), Span(0, solids), rule)
    made = generate(recipe, str(seed), method, graded=False)
    assert misses(recipe, cover_of(made)) == {}
    assert check_solution(made.solution) == ()
    assert made.proof.verdict is Verdict.UNIQUE
    proof = prove(made.puzzle, rule)
    assert proof.verdict is Verdict.UNIQUE
    assert proof.solution == made.solution


@settings(max_examples=40, deadline=None)
@given(
    st.integers(5, 8), st.integers(5, 8), st.sampled_from([NumberPattern.ROTATIONAL, NumberPattern.MIRROR]),
    st.sampled_from(list(Pattern)), st.integers(0, 4),
    st.fixed_dictionaries({}, optional={"shortest_path": st.just(4), "border_numbers": st.just(0.7)}),
    st.integers(0, 10**6),
)  # fmt: skip
def test_numbers_lie_in_their_pattern_beside_all_other_knobs(rows, cols, numbers, solid, most, knobs, seed):
    low = round(rows * cols / 8)
    knobs = {**knobs, "pattern": solid, "number_pattern": numbers}
    recipe = Recipe(rows, cols, Span(low, low + 1), Span(0, most), **knobs)
    made = generate(recipe, str(seed), graded=False)
    assert misses(recipe, cover_of(made)) == {}
    ends = {cell for pair in made.puzzle.pairs for cell in (pair.first, pair.second)}
    turned = {
        (rows - 1 - row if numbers is NumberPattern.ROTATIONAL else row, cols - 1 - col)
        for row, col in (divmod(cell, cols) for cell in ends)
    }
    assert {row * cols + col for row, col in turned} == ends
    assert prove(made.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE


@settings(max_examples=20, deadline=None)
@given(
    st.integers(5, 8), st.integers(5, 8), st.integers(0, 2), st.sampled_from([Method.WALK, Method.QUICK]),
    st.booleans(), st.integers(0, 10**6),
)  # fmt: skip
def test_no_two_numbers_stand_side_by_side_where_they_are_to_be_apart(
    rows, cols, solids, method, composed, seed
):
    pairs = Span(round(rows * cols / 9), round(rows * cols / 9) + 1)
    recipe = Recipe(rows, cols, pairs, Span(0, solids), composed=composed, apart=True)
    made = generate(recipe, str(seed), method, graded=False)
    assert misses(recipe, cover_of(made)) == {}
    numbers = [divmod(cell, cols) for pair in made.puzzle.pairs for cell in (pair.first, pair.second)]
    assert all(abs(a - c) + abs(b - d) != 1 for a, b in numbers for c, d in numbers)
    assert prove(made.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE


@pytest.mark.parametrize(
    ("rows", "cols", "pattern", "pairs", "solids", "possible"),
    [
        (6, 6, NumberPattern.ROTATIONAL, 5, 0, False), (6, 6, NumberPattern.ROTATIONAL, 6, 0, True),
        (6, 6, NumberPattern.ROTATIONAL, 5, 1, True), (7, 7, NumberPattern.ROTATIONAL, 6, 0, False),
        (7, 7, NumberPattern.ROTATIONAL, 5, 0, True), (6, 7, NumberPattern.ROTATIONAL, 5, 0, True),
        (6, 7, NumberPattern.ROTATIONAL, 5, 1, False), (7, 6, NumberPattern.MIRROR, 5, 0, True),
        (7, 6, NumberPattern.MIRROR, 5, 1, False), (6, 7, NumberPattern.MIRROR, 5, 1, True),
        (6, 7, NumberPattern.FREE, 5, 1, True), (8, 8, NumberPattern.QUARTER, 6, 0, True),
        (8, 8, NumberPattern.QUARTER, 7, 0, False), (8, 10, NumberPattern.QUARTER, 8, 0, False),
        (9, 9, NumberPattern.QUARTER, 8, 0, False),  # the middle square would need a number
        (8, 8, NumberPattern.QUARTER, 6, 4, False), (8, 8, NumberPattern.MIRRORS, 7, 0, False),
        (8, 9, NumberPattern.MIRRORS, 7, 0, True), (9, 9, NumberPattern.MIRRORS, 8, 0, False),
        (9, 9, NumberPattern.MIRRORS, 9, 0, True),
    ],
)  # fmt: skip
def test_sides_and_colours_tell_which_counts_a_number_pattern_can_place(
    rows, cols, pattern, pairs, solids, possible
):
    recipe = Recipe(rows, cols, Span(pairs, pairs), Span(solids, solids), number_pattern=pattern)
    assert can_place(recipe, pairs, solids) is possible
    assert (recipe_problem(recipe) is None) is possible


def test_a_half_turn_of_solids_must_leave_as_many_dark_squares_as_a_mirror_of_numbers_needs():
    patterns = {"pattern": Pattern.ROTATIONAL, "number_pattern": NumberPattern.MIRROR}
    recipe = Recipe(6, 6, 5, Span(2, 2), **patterns)
    assert "a multiple of 4 solids" in (recipe_problem(recipe) or "")


def test_the_classic_method_refuses_patterns_of_numbers():
    for recipe, message in [
        (
            Recipe(6, 6, number_pattern=NumberPattern.MIRROR, **LOOSE_KNOBS),
            "number_pattern: `method: classic` can't",
        ),
        (
            Recipe(6, 6, apart=True),
            "apart: `method: classic` can't keep the numbers apart; use `method: walk`",
        ),
    ]:
        with pytest.raises(RecipeError, match=message):
            generate(recipe, "grown", Method.CLASSIC)


@pytest.mark.parametrize("method", list(Method))
def test_the_same_seed_makes_the_same_puzzle(method):
    recipe = Recipe(5, 7, Span(4, 8), Span(0, 6), Rule.FILLED, **LOOSE_KNOBS)
    first, again, other = (generate(recipe, seed, method) for seed in ("a", "a", "b"))
    assert first == again
    assert fingerprint(first.puzzle) != fingerprint(other.puzzle)


def test_every_value_of_a_span_comes_up():
    recipe = Recipe(7, 7, Span(6, 8), Span(0, 2))
    made = [generate(recipe, f"span {n}", graded=False).puzzle for n in range(60)]
    assert {len(puzzle.pairs) for puzzle in made} == {6, 7, 8}
    assert {len(puzzle.grid.solids) for puzzle in made} == {0, 1, 2}


def test_the_classic_method_honours_spans_and_rule():
    recipe = Recipe(7, 8, Span(7, 9), Span(2, 5), Rule.STRICT, **LOOSE_KNOBS)
    made = generate(recipe, "classic", Method.CLASSIC, graded=False)
    assert misses(recipe, cover_of(made)) == {}
    assert prove(made.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE


def test_a_technique_that_is_required_is_needed_and_others_are_graded_unless_that_is_left_out():
    for grade in (Grade.EASY, Grade.MEDIUM):
        made = generate(Recipe(5, 7, Span(4, 6), Span(0, 2), techniques=(grade, grade)), "grade")
        assert made.grading.technique is grade
    recipe = Recipe(5, 7, Span(4, 5), 0)
    assert [generate(recipe, "graded", graded=one).grading is None for one in (True, False)] == [False, True]


@pytest.mark.parametrize(
    ("recipe", "message"),
    [
        (Recipe(5, 7, Span(13, 14), 0), "at most 11 pairs fit"),
        (Recipe(5, 7, Span(0, 2), 0), "one or more"),
        (Recipe(5, 7, 4, Span(40, 41)), "solids 40-41"),
        (Recipe(6, 6, 4, Span(3, 3), pattern=Pattern.MIRROR), "even count"),
        (Recipe(5, 7, Span(2, 3), 0, longest_share=0.2), "longest share 0.2"),
        (Recipe(5, 7, 4, Span(0, 0), border_share=1.5), "border share 1.5"),
        (Recipe(5, 7, 4, Span(0, 0), border_numbers=-0.1), "border numbers -0.1"),
        (Recipe(6, 6, 5, Span(0, 0), number_pattern=NumberPattern.ROTATIONAL), "choose an even num"),
        (Recipe(2, 7, 2, Span(0, 0)), "2 rows"),
        (Recipe(5, 7, Span(10, 11), 0, apart=True), "at most 9 pairs fit"),
        (Recipe(5, 7, 4, Span(0, 0), apart=True, adjacent_pairs=True), "leave out adjacent pairs"),
        (Recipe(5, 7, 4, Span(0, 0), shortest_path=1), "shortest path 1"),
        (Recipe(5, 7, 4, Span(0, 0), techniques=(Grade.HARD, Grade.EASY)), "lower comes first"),
    ],
)
def test_a_recipe_that_can_not_exist_is_refused_before_any_work(recipe, message):
    assert message in (recipe_problem(recipe) or "")
    with pytest.raises(RecipeError, match=message):
        generate(recipe, "never")


def test_plain_values_in_a_recipe_are_converted_or_refused():
    plain = Recipe(5, 7, 5, 2, "filled", Grade.EASY, pattern="mirror", difficulty=30)
    spans = Recipe(
        5, 7, Span(5, 5), Span(2, 2), Rule.FILLED, (Grade.EASY, Grade.EASY), pattern=Pattern.MIRROR,
        difficulty=Span(30, 30),
    )  # fmt: skip
    assert plain == spans
    with pytest.raises(UsageError, match="pairs is a whole number or a Span, not '5'"):
        Recipe(5, 7, pairs="5")
    with pytest.raises(
        UsageError, match=r"a Recipe, not 6; write generate\(Recipe\(rows=6, cols=6, pairs=5\)"
    ):
        generate(6, 6, 5)
    with pytest.raises(UsageError, match="method is one of walk, quick, classic, not 'fast'"):
        generate(Recipe(6, 6, 5), "one", "fast")
    with pytest.raises(UsageError, match="rows is a whole number, not '6'"):
        Recipe("6", 6, 5)
    with pytest.raises(UsageError, match="rule is one of filled, strict, untouching, not 'full'"):
        Recipe(5, 7, rule="full")


@pytest.mark.parametrize(("rule", "advised"), [(Rule.STRICT, True), (Rule.FILLED, False)])
def test_a_recipe_not_met_says_how_close_it_came_and_advises_other_rules_only_for_strict(rule, advised):
    with pytest.raises(RecipeError) as caught:
        generate(Recipe(7, 7, 2, Span(0, 0), rule), "few", budget=50_000)
    message, details = str(caught.value), caught.value.details
    assert message.startswith("no 7 × 7 board (2 pairs, 0 solids) was found; ")
    assert "Ask for more pairs or more solids" in message
    assert message.endswith("or for the rule filled or untouching.") is advised
    assert f"7 × 7, 2 pairs, 0 solids, rule {rule}" in details
    assert "closest: 2 pairs and 0 solids, none proven" in details


def test_few_pairs_are_enough_where_no_path_runs_beside_itself():
    recipe = Recipe(10, 10, 5, Span(0, 0), Rule.UNTOUCHING, (Grade.HARD, Grade.EXPERT))
    made = generate(recipe, "phone", budget=200_000)
    assert judge_by_sat(made.puzzle, Rule.UNTOUCHING) == (Verdict.UNIQUE, [made.solution])
    assert recipe.accepts(made.grading.technique, made.grading.difficulty)


def test_a_watcher_is_notified_of_boards_and_a_technique_not_met_says_which_came_instead():
    recipe = Recipe(5, 7, 8, Span(3, 3), techniques=(Grade.EXPERT, Grade.FIENDISH))
    notified = []

    def notify(log):
        notified.append((log.attempts, log.proven))

    other = pytest.raises(RecipeError, match=r"other techniques\. Allow a wider range")
    with watching_attempts(notify), other as caught:
        generate(recipe, "grade", budget=40_000)
    assert "one solution, by technique: " in caught.value.details
    assert notified == sorted(notified)
    assert notified[-1][1] > 0
    count = len(notified)
    generate(Recipe(5, 7, Span(4, 5), 0), "alone", graded=False)
    assert len(notified) == count


def test_a_classic_recipe_not_met_names_the_knob():
    recipe = Recipe(7, 8, 2, None, **LOOSE_KNOBS)
    with pytest.raises(RecipeError, match="other numbers of pairs"):
        generate(recipe, "few", Method.CLASSIC, budget=20_000)


@pytest.mark.parametrize(
    ("pattern", "rows", "cols", "counts"),
    [
        (Pattern.SCATTERED, 6, 6, (2, 3, 4, 5)),
        (Pattern.ROTATIONAL, 6, 6, (2, 4)),
        (Pattern.ROTATIONAL, 5, 7, (2, 3, 4, 5)),
        (Pattern.MIRROR, 7, 6, (2, 4)),
        (Pattern.MIRROR, 6, 7, (2, 3, 4, 5)),
    ],
)
def test_a_pattern_decides_which_counts_of_solids_it_can_lay(pattern, rows, cols, counts):
    assert solid_counts(Recipe(rows, cols, None, Span(2, 5), pattern=pattern)) == counts


def test_a_recipe_in_words_names_the_knobs_that_ask_for_something():
    recipe = Recipe(5, 7, Span(4, 5), None, border_share=0.5, techniques=(Grade.EASY, Grade.HARD))
    assert describe(recipe) == (
        "7 × 5, 4 to 5 pairs, any number of solids, rule strict, shortest path 3, border share 0.5, "
        "technique easy to hard"
    )


def test_a_filled_puzzle_that_has_a_grade_is_proven_by_the_techniques_too():
    recipe = Recipe(6, 6, pairs=6, solids=Span(0, 0), rule=Rule.FILLED)
    made = generate(recipe, "two proofs", graded=True)
    assert made.grading.technique is not None
    assert made.proof.method == "kernel+ladder"


def test_a_budget_that_ends_before_any_board_is_reported():
    log = AttemptLog(Recipe(6, 6), Method.WALK, 1)
    assert "could not be proven" in str(log.failure())


@pytest.mark.parametrize(
    ("side", "pairs", "composed", "limit", "patience"),
    [(40, 120, True, 774_000, 16), (40, 120, False, 3_000_000, 1), (30, 70, True, 226_833, 1)],
)
def test_attempts_at_a_large_composed_board_are_patient_once_twenty_came_to_nothing(
    side, pairs, composed, limit, patience, monkeypatch
):
    asked = []

    def give_up(order, rng, limit, rule, **how):
        asked.append((how["patient"], limit))
        return Attempt(ShapingOutcome.UNDECIDED, None, pairs, 1_000_000, 0, 0)

    monkeypatch.setattr("linkpress.engine.make.generate.make_cover", give_up)
    with pytest.raises(RecipeError):
        generate(Recipe(side, side, Span(pairs, pairs), Span(0, 0), Rule.FILLED, composed=composed), "seed")
    eager, later = asked[:20], asked[20:40]
    assert eager == [(False, limit)] * 20
    assert later == [(patience > 1, patience * limit)] * 20


def test_a_patient_attempt_asks_what_any_other_asks_and_larger_windows_and_the_whole_board_for_longer():
    order = Order(Recipe(40, 40, 120, Span(0, 0), Rule.FILLED), 120, 0)
    *windows, (_, _, conflicts, _) = repair_stages(order)
    *larger, (side, _, longer, _) = repair_stages(order, patient=True)
    assert larger[: len(windows)] == windows
    assert [stage[0] for stage in larger[len(windows) :]] == [23, 28, 33]
    assert side == 40
    assert longer > 3 * conflicts
