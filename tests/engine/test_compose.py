"""Boards that look composed."""

from collections import Counter
from dataclasses import replace

import pytest

from linkpress.engine.difficulty import Difficulty
from linkpress.engine.kernels import rng_from
from linkpress.engine.kernels.glossary import ShapingOutcome, StyleFigure
from linkpress.engine.make.cover import Attempt, Cover, Order, make_cover, variation_of
from linkpress.engine.make.generate import choose_order, choose_style, generate, numbered
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import (
    Grade,
    Method,
    NumberPattern,
    Recipe,
    Rule,
    Span,
    can_place,
    recipe_problem,
)
from linkpress.errors import RecipeError

TEN = Recipe(10, 10, Span(8, 10), 0, number_pattern=NumberPattern.SYMMETRIC, composed=True)


def figures(path_lists, rows=5, cols=7, pattern=None, solids=()):
    """The figures of a cover that is given by its paths, by their names."""
    order = Order(Recipe(rows, cols, composed=True), len(path_lists), len(solids))
    cover = Cover(rows, cols, tuple(map(tuple, path_lists)))
    if pattern is not None:
        order = replace(order, recipe=replace(order.recipe, number_pattern=pattern))
    found = variation_of(order, cover, Rule.STRICT, 0).figures()
    return {figure: found[figure] for figure in StyleFigure if figure is not StyleFigure.FIGURES}


ROWS = [list(range(7 * row, 7 * row + 7)) for row in range(5)]


def test_figures_of_a_board_of_straight_rows():
    found = figures(ROWS, pattern=NumberPattern.MIRROR)
    assert found[StyleFigure.BENDS] == 0
    assert (
        found[StyleFigure.FEW_TURNS] == found[StyleFigure.DIRECT] == found[StyleFigure.STRAIGHTNESS] == 1000
    )
    assert found[StyleFigure.BORDER] == 1000 * 35 // 20  # all ten numbers, where 20 of 35 squares lie
    assert found[StyleFigure.SECOND_RING] == 0
    assert found[StyleFigure.BESIDE] == 800  # four neighbours in each of two columns
    assert found[StyleFigure.EMPTY_LINES] == 1000 * 5 // 12
    assert found[StyleFigure.APART] == 6000
    assert found[StyleFigure.COPIED_LINES] == found[StyleFigure.COPIED_PAIRS] == 1000


def test_figures_of_bends_that_lie_in_each_others_corner():
    # Four L's inside each other with their corners at the upper left, and the last square alone is solid.
    paths = [
        [28, 21, 14, 7, 0, 1, 2, 3, 4, 5, 6],
        [29, 22, 15, 8, 9, 10, 11, 12, 13],
        [30, 23, 16, 17, 18, 19, 20],
        [31, 24, 25, 26, 27],
    ]
    found = figures(paths, solids=(32, 33, 34))
    assert found[StyleFigure.BENDS] == 1000 * 4 // 32
    assert found[StyleFigure.NESTS] == 4000
    assert found[StyleFigure.SHORTEST] == 1000 * 5 * 4 // 35
    assert found[StyleFigure.LONGEST] == 1000 * 11 * 4 // 35
    assert found[StyleFigure.DIAGONAL] == 0


@pytest.mark.parametrize("pattern", [NumberPattern.FREE, NumberPattern.SYMMETRIC])
@pytest.mark.parametrize("rule", list(Rule))
def test_a_composed_puzzle_meets_its_recipe_and_the_prover_agrees(pattern, rule):
    recipe = replace(
        TEN,
        rows=8,
        cols=9,
        pairs=Span(7, 8),
        rule=rule,
        number_pattern=pattern,
        techniques=(Grade.EASY, Grade.HARD),
    )
    made = generate(recipe, "composed", scored=False)
    proof = prove(made.puzzle, rule)
    assert proof.verdict is Verdict.UNIQUE
    assert proof.solution == made.solution
    assert recipe.accepts(made.grading.technique, None)
    assert generate(recipe, "composed", scored=False) == made


def test_symmetric_numbers_come_in_all_three_patterns_and_answers_do_not_copy_themselves():
    seen = Counter()
    for seed in range(12):
        made = generate(replace(TEN, pairs=Span(8 + seed % 2, 8 + seed % 2)), f"twins {seed}", graded=False)
        ends = {cell for pair in made.puzzle.pairs for cell in (pair.first, pair.second)}
        edges, pairs = (
            made.solution.edges,
            {frozenset((pair.first, pair.second)) for pair in made.puzzle.pairs},
        )
        for pattern in (NumberPattern.ROTATIONAL, NumberPattern.MIRROR, NumberPattern.FLIP):
            if {TEN.mirrored(cell, pattern) for cell in ends} == ends:
                seen[pattern] += 1
                images = [{TEN.mirrored(cell, pattern) for cell in edge} for edge in edges]
                assert sum(image in [set(edge) for edge in edges] for image in images) < 0.85 * len(edges)
                mapped = [frozenset(TEN.mirrored(cell, pattern) for cell in pair) for pair in pairs]
                assert sum(pair in pairs for pair in mapped) <= 0.3 * len(pairs)
    assert sum(seen.values()) >= 12
    assert len(seen) == 3


@pytest.mark.parametrize("pattern", [NumberPattern.QUARTER, NumberPattern.MIRRORS])
@pytest.mark.parametrize("composed", [True, False])
def test_numbers_with_a_quarter_turn_or_both_mirrors_come_in_fours(pattern, composed):
    recipe = Recipe(8, 8, 6, 0, number_pattern=pattern, composed=composed)
    made = generate(recipe, "fours", graded=False)
    ends = set(made.puzzle.number_at)
    assert {recipe.mirrored(cell, pattern) for cell in ends} == ends
    half_turn = {recipe.mirrored(cell, NumberPattern.ROTATIONAL) for cell in ends}
    assert half_turn == ends
    assert prove(made.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE


def test_most_numbers_of_a_board_with_a_motif_are_in_its_cells():
    recipe = replace(TEN, rows=12, cols=12, pairs=Span(11, 12))
    found = 0
    for seed in range(30):
        rng = rng_from(f"motif {seed}")
        order = replace(choose_order(recipe, rng), quick=True)
        attempt = make_cover(order, rng, 50_000, unproven=True)
        if order.motif and attempt.outcome is ShapingOutcome.DONE:
            outside = set(attempt.cover.puzzle.number_at) - order.motif.cells
            assert (
                len(outside) <= order.motif.most_outside <= 2 * order.pairs - 0.6 * 0.85 * 2 * order.pairs + 1
            )
            found += 1
    assert found >= 5


def test_boards_with_solids_or_numbers_apart_have_no_motif():
    for recipe in (replace(TEN, solids=4), replace(TEN, apart=True), replace(TEN, rows=9, cols=9)):
        orders = [choose_order(recipe, rng_from(f"none {seed}")) for seed in range(60)]
        assert not any(order.motif for order in orders if order)


def test_a_walk_that_goes_on_from_an_earlier_cover_has_the_solids_of_that_one():
    recipe = Recipe(10, 10, 9, Span(15, 15), composed=True)
    for seed in range(30):
        rng = rng_from(f"composed/{seed}")
        attempt = make_cover(replace(choose_order(recipe, rng), quick=True), rng, 100_000, unproven=True)
        cells = [cell for path in attempt.cover.paths for cell in path] if attempt.cover else []
        assert len(cells) == len(set(cells))
        assert len(cells) in (0, 85)


def test_an_odd_number_of_pairs_is_mirrored_where_no_half_turn_can_have_it():
    recipe = replace(TEN, rows=12, cols=12, pairs=Span(11, 11))
    assert recipe_problem(recipe) is None
    orders = [choose_order(recipe, rng_from(str(seed))) for seed in range(40)]
    drawn = {order.recipe.number_pattern for order in orders if order}
    assert drawn == {NumberPattern.MIRROR, NumberPattern.FLIP}
    assert not can_place(replace(recipe, number_pattern=NumberPattern.ROTATIONAL), 11, 0)


def test_styles_differ_and_covers_follow_theirs():
    targets, reached = [], []
    for seed in range(48):
        rng = rng_from(f"style {seed}")
        order = choose_order(replace(TEN, number_pattern=NumberPattern.FREE), rng)
        attempt = make_cover(order, rng, 50_000)
        if attempt.cover is not None:
            targets.append(order.style[StyleFigure.BESIDE][0])
            found = variation_of(order, attempt.cover, Rule.STRICT, 0).figures()
            reached.append(found[StyleFigure.BESIDE])
    middle = sorted(targets)[len(targets) // 2]
    low = [found for want, found in zip(targets, reached, strict=True) if want < middle]
    high = [found for want, found in zip(targets, reached, strict=True) if want > middle]
    assert sum(high) / len(high) > sum(low) / len(low) + 80


def test_no_aim_asks_for_an_answer_that_copies_itself():
    for seed in range(200):
        style = choose_style(replace(TEN, number_pattern=NumberPattern.MIRROR), 9, rng_from(str(seed)))
        assert style[StyleFigure.COPIED_LINES][0] < 850
        assert style[StyleFigure.COPIED_PAIRS][0] < 300
        assert all(spread > 0 for _, spread, _ in style)


def test_numbers_are_in_rows_in_columns_along_runs_or_in_another_order():
    # Beside each other are only the ends 40, 41 and 42; in columns, the first path is the one with cell 0.
    ends = [(2, 42), (9, 41), (0, 77), (40, 99), (17, 63)]
    cover = Cover(10, 10, tuple((*pair,) for pair in ends))
    seen = Counter()
    for pattern in (NumberPattern.ROTATIONAL, NumberPattern.FREE):
        order = Order(replace(TEN, number_pattern=pattern), len(ends), 0)
        for seed in range(100):
            paths = numbered(order, cover, rng_from(f"{seed}")).paths
            assert sorted(paths) == sorted(cover.paths)
            seen[pattern, paths] += 1
    in_rows = tuple(sorted(ends))
    in_columns = ((0, 77), (40, 99), (9, 41), (2, 42), (17, 63))
    in_a_run = ((40, 99), (9, 41), (2, 42), (0, 77), (17, 63))
    assert 35 <= seen[NumberPattern.ROTATIONAL, in_rows] <= 65
    assert 5 <= seen[NumberPattern.ROTATIONAL, in_columns] <= 25
    assert 15 <= seen[NumberPattern.FREE, in_a_run] <= 40
    assert len(seen) > 20


@pytest.fixture(scope="module")
def hard_boards():
    """Hard boards of 10 × 10 by their seeds, as they are found and after they were changed."""
    recipe = replace(TEN, pairs=Span(7, 10), difficulty=Difficulty.HARD.points)
    with pytest.MonkeyPatch.context() as patch:
        changed = [generate(recipe, f"look {seed}") for seed in range(20)]
        patch.setattr("linkpress.engine.make.steer._MOST_NEIGHBOURS", 0)
        found = [generate(recipe, f"look {seed}") for seed in range(20)]
    return recipe, found, changed


def test_hard_boards_are_changed_until_they_need_a_look_at_the_whole_board(hard_boards):
    recipe, found, changed = hard_boards
    looks = [
        sum(bool({"order", "gap", "narrows"} & made.grading.findings.keys()) for made in boards)
        for boards in (found, changed)
    ]
    assert looks[1] >= looks[0] + 4
    for made in changed:
        assert recipe.accepts(None, made.grading.difficulty)
        assert prove(made.puzzle, recipe.rule).solution == made.solution


def test_a_board_with_a_look_at_the_whole_board_keeps_one(hard_boards):
    _, found, changed = hard_boards
    for before, after in zip(found, changed, strict=True):
        if {"order", "gap", "narrows"} & before.grading.findings.keys():
            assert {"order", "gap", "narrows"} & after.grading.findings.keys()


def test_grown_boards_can_not_be_composed():
    recipe = Recipe(8, 8, None, None, shortest_path=2, adjacent_pairs=True, composed=True)
    with pytest.raises(RecipeError, match="composed: `method: classic` can't compose boards"):
        generate(recipe, "grown", Method.CLASSIC)


@pytest.mark.parametrize(("conflicts", "composed"), [(75, True), (76, False)])
def test_a_board_whose_proof_takes_longer_than_all_changes_may_keeps_its_style(
    conflicts, composed, monkeypatch
):
    cover = Cover(10, 10, tuple(tuple(range(10 * row, 10 * row + 10)) for row in range(10)))
    monkeypatch.setattr(
        "linkpress.engine.make.generate.make_cover",
        lambda *_, **__: Attempt(ShapingOutcome.DONE, cover, 10, 1, conflicts, conflicts),
    )
    changed = []

    def beautify(order, cover, *_):
        changed.append(cover)
        return cover, 0, 0

    monkeypatch.setattr("linkpress.engine.make.generate.beautify", beautify)
    generate(TEN, "style", graded=False)
    assert changed == [cover] * composed


def test_an_attempt_at_free_numbers_ends_after_two_walks_that_miss_the_order():
    recipe = replace(TEN, pairs=Span(2, 2), number_pattern=NumberPattern.FREE)
    order = replace(choose_order(recipe, rng_from("style")), quick=True)
    attempt = make_cover(order, rng_from("walks"), 100_000)
    walk_work = 20 * 100 // 4
    assert (attempt.outcome, attempt.work) == (ShapingOutcome.SHAPELESS, 2 * walk_work)
