"""Small changes of proven boards, and the walk over them to a required grade."""

import pytest

from linkpress.engine.grade import grade_puzzle
from linkpress.engine.kernels import rng_from
from linkpress.engine.kernels.glossary import ShapingOutcome
from linkpress.engine.make.cover import Cover, Order, make_cover, variation_of
from linkpress.engine.make.generate import generate
from linkpress.engine.make.steer import is_steered, starts_unproven, steer
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Grade, NumberPattern, Recipe, Rule, Span


def made_cover(order, seed):
    made = (make_cover(order, rng_from(f"{seed}/{at}"), 50_000) for at in range(100))
    return next(attempt.cover for attempt in made if attempt.outcome is ShapingOutcome.DONE)


def order_of(rows, cols, pairs, solids=0, **knobs):
    recipe = Recipe(rows, cols, Span(pairs, pairs), Span(solids, solids), **knobs)
    return Order(recipe, pairs, solids)


@pytest.mark.parametrize(
    "order",
    [
        order_of(7, 8, 6, shortest_path=4),
        order_of(7, 8, 6, 3, border_share=0.2),
        order_of(7, 8, 7, number_pattern=NumberPattern.MIRROR),
    ],
)
def test_changes_keep_the_order_and_what_is_called_proven_is(order):
    cover, rng = made_cover(order, "changes"), rng_from("vary")
    variation, seen, proven = variation_of(order, cover, Rule.STRICT, 1), set(), 0
    for _ in range(30):
        assert variation.vary(rng, 100_000, [])
        changed = Cover(order.rows, order.cols, tuple(map(tuple, variation.paths())))
        assert changed.solids == cover.solids
        assert len(changed.paths) == order.pairs
        assert not changed.solution.touches_itself
        assert min(map(len, changed.paths)) >= order.recipe.shortest
        assert changed.border_pairs <= order.border_pairs
        ends = {cell for path in changed.paths for cell in (path[0], path[-1])}
        assert {order.recipe.mirrored(cell, order.recipe.number_pattern) for cell in ends} == ends
        unique = prove(changed.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE
        proof, differing = variation.prove()
        assert proof is unique
        assert bool(differing) is not unique
        proven += unique
        seen.add(frozenset(changed.solution.edges))
    assert len(seen) > 10
    assert proven > 10


def test_a_change_that_is_taken_back_leaves_the_cover_as_it_was():
    order = order_of(7, 8, 6)
    variation = variation_of(order, made_cover(order, "back"), Rule.STRICT, 1)
    before = sorted(map(sorted, variation.paths()))
    assert variation.vary(rng_from("back"), 100_000, [])
    assert sorted(map(sorted, variation.paths())) != before
    variation.take_back()
    assert sorted(map(sorted, variation.paths())) == before


def test_without_work_nothing_changes():
    order = order_of(7, 8, 6)
    variation = variation_of(order, made_cover(order, "none"), Rule.STRICT, 1)
    before = variation.paths()
    assert not variation.vary(rng_from("none"), 0, [])
    assert variation.paths() == before


def test_a_change_is_near_one_of_the_places_that_are_named():
    order = order_of(10, 9, 8)
    cover = made_cover(order, "places")
    variation = variation_of(order, cover, Rule.STRICT, 1)
    before = set(cover.solution.edges)
    for at in range(20):
        assert variation.vary(rng_from(f"places/{at}"), 100_000, [0])
        changed = Cover(order.rows, order.cols, tuple(map(tuple, variation.paths())))
        edges = before ^ set(changed.solution.edges)
        assert any(cell % order.cols < 5 and cell < 5 * order.cols for edge in edges for cell in edge)
        variation.take_back()


def test_a_wanted_grade_up_to_hard_is_reached_from_a_cover_that_has_several_solutions():
    order = order_of(8, 9, 6, techniques=(Grade.EASY, Grade.EASY))
    assert starts_unproven(order.recipe)
    found = several = 0
    for at in range(40):
        attempt = make_cover(order, rng_from(f"rough/{at}"), 50_000, unproven=True)
        if attempt.outcome is not ShapingOutcome.DONE:
            continue
        several += prove(attempt.cover.puzzle, Rule.STRICT).verdict is Verdict.MULTIPLE
        end = steer(order, attempt.cover, Rule.STRICT, rng_from(f"from/{at}"), 2_000_000)
        if end.cover is not None:
            found += 1
            assert prove(end.cover.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE
            assert grade_puzzle(end.cover.puzzle, Rule.STRICT).technique is Grade.EASY
    assert several > 5
    assert found > 10


def test_steering_comes_to_the_wanted_grade_and_stops_at_its_limit():
    order = order_of(7, 7, 5, techniques=(Grade.HARD, Grade.FIENDISH))
    cover = made_cover(order, "steer")
    ends = [steer(order, cover, Rule.STRICT, rng_from(f"to/{at}"), 2_000_000) for at in range(20)]
    found = [end.cover for end in ends if end.cover is not None]
    assert len(found) > 5
    for one in found:
        assert prove(one.puzzle, Rule.STRICT).verdict is Verdict.UNIQUE
        assert grade_puzzle(one.puzzle, Rule.STRICT).technique >= Grade.HARD
    short = steer(order, cover, Rule.STRICT, rng_from("short"), 0)
    assert (short.cover, short.graded) == (None, 0)


def test_a_rare_grade_is_made_the_same_again():
    recipe = Recipe(7, 7, 5, Span(0, 0), techniques=(Grade.EXPERT, Grade.EXPERT))
    first, again = (generate(recipe, "rare") for _ in range(2))
    assert first == again
    assert first.grading.technique is Grade.EXPERT


def test_hard_boards_of_many_squares_are_made_anew_until_one_is_hard():
    small, large = ((Recipe(size, size, techniques=(Grade.HARD, Grade.EXPERT))) for size in (15, 20))
    assert is_steered(small)
    assert not is_steered(large)
    assert is_steered(Recipe(20, 20, techniques=(Grade.EASY, Grade.HARD)))
    assert not is_steered(Recipe(10, 10))
