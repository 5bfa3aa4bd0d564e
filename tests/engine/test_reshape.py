"""Covers to order, repaired; and the search for a second drawing that repair and proof rest on."""

import pytest
from grown_boards import links_of
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.engine.kernels import find_second_drawing, rng_from
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome, ShapingOutcome
from linkpress.engine.make.cover import Order, grow_cover, lay_solids, make_cover, prove_cover, solid_images
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Pattern, Recipe, Rule, Span


def exactly(rows, cols, pairs, solids, **knobs):
    recipe = Recipe(rows, cols, Span(pairs, pairs), Span(solids, solids), **knobs)
    return Order(recipe, pairs, solids)


@pytest.mark.parametrize("rule", list(Rule))
@settings(max_examples=60, deadline=None)
@given(rows=st.integers(3, 8), cols=st.integers(3, 8), seed=st.integers(0, 10**6))
def test_the_kernel_and_the_prover_agree_on_grown_boards(rule, rows, cols, seed):
    cover = grow_cover(rows, cols, str(seed))
    assert prove_cover(cover, rule, 10**6).verdict is prove(cover.puzzle, rule).verdict


@pytest.mark.parametrize("rule", list(Rule))
@pytest.mark.parametrize(("rows", "cols", "pairs", "limit"), [(7, 8, 5, 600), (10, 11, 10, 4000)])
def test_the_kernel_and_the_prover_agree_on_boards_with_few_pairs(rule, rows, cols, pairs, limit):
    """Where the strict question's outermost form prunes most; windows of the larger board are swept."""
    seen = set()
    for seed in range(60):
        attempt = make_cover(exactly(rows, cols, pairs, 0, rule=rule), rng_from(f"few {seed}"), limit)
        verdict = prove_cover(attempt.cover, rule, 10**6).verdict
        assert verdict is prove(attempt.cover.puzzle, rule).verdict
        seen.add(verdict)
    assert seen == ({Verdict.UNIQUE} if rule is Rule.UNTOUCHING else {Verdict.UNIQUE, Verdict.MULTIPLE})


def test_a_question_beyond_its_budget_is_given_up():
    attempt = make_cover(exactly(10, 10, 8, 0), rng_from("budget"), 1500)
    assert attempt.cover is not None
    assert prove_cover(attempt.cover, Rule.STRICT, 1).verdict is Verdict.GAVE_UP


@pytest.mark.parametrize("kind", [DrawingKind.FILLING, DrawingKind.LOWEST])
def test_a_loose_window_makes_the_whole_board_loose(kind):
    """The rest of the board is kept, so a window's second drawing is the board's."""
    inside = {row * 9 + col for row in range(1, 7) for col in range(2, 8)}
    loose = 0
    for seed in range(60):
        cover = make_cover(exactly(8, 9, 6, 0), rng_from(f"window {seed}"), 500).cover
        path_of, links = links_of(8, 9, cover.paths)
        ended, _, differs = find_second_drawing(8, 9, (1, 2, 6, 6), path_of, links, kind, 10**6)
        if ended == SearchOutcome.FOUND:
            loose += 1
            assert {cell for cell, other in enumerate(differs) if other} <= inside
            whole, *_ = find_second_drawing(8, 9, (0, 0, 8, 9), path_of, links, kind, 10**6)
            assert whole == SearchOutcome.FOUND
        else:
            assert ended == SearchOutcome.EXHAUSTED
            assert not any(differs)
    assert 3 <= loose <= 57


@pytest.mark.parametrize(
    "order",
    [
        exactly(5, 7, 4, 0), exactly(5, 7, 4, 3), exactly(7, 5, 5, 4, pattern=Pattern.ROTATIONAL),
        exactly(8, 7, 6, 9, pattern=Pattern.MIRROR, rule=Rule.FILLED), exactly(7, 7, 6, 19),
        exactly(7, 7, 16, 1, rule=Rule.FILLED), exactly(9, 8, 9, 0, border_share=0.2),
        exactly(9, 8, 9, 0, longest_share=0.15), exactly(9, 8, 8, 0, shortest_path=6),
        exactly(9, 8, 16, 0, shortest_path=2, adjacent_pairs=True),
    ],
)  # fmt: skip
def test_a_made_cover_is_what_was_ordered_and_proven(order):
    made = (make_cover(order, rng_from(f"order {seed}"), 400_000) for seed in range(200))
    attempt = next(attempt for attempt in made if attempt.outcome is ShapingOutcome.DONE)
    cover = attempt.cover
    assert len(cover.paths) == order.pairs
    assert len(cover.solids) == order.solids
    assert {solid_images(order)[cell] for cell in cover.solids} == cover.solids
    lengths = [len(path) for path in cover.paths]
    assert min(lengths) >= order.recipe.shortest
    assert max(lengths) <= order.longest
    assert cover.border_pairs <= order.border_pairs
    assert not cover.solution.touches_itself
    assert prove(cover.puzzle, order.recipe.rule).verdict is Verdict.UNIQUE


def test_an_attempt_stops_at_its_limit():
    order = exactly(20, 20, 20, 0)
    attempt = make_cover(order, rng_from("limit"), 30_000)
    assert attempt.outcome is not ShapingOutcome.DONE
    assert attempt.work < 30_000 + 8 * 12_000 + 1000


def test_an_order_that_the_walk_does_not_meet_says_how_far_it_came():
    attempt = make_cover(exactly(5, 7, 4, 0), rng_from("short"), 1)
    assert attempt.outcome is ShapingOutcome.SHAPELESS
    assert attempt.cover is None
    assert 4 < attempt.paths <= 35


@pytest.mark.parametrize(
    ("rows", "cols", "solids", "pattern"),
    [
        (5, 7, 6, Pattern.SCATTERED), (5, 7, 7, Pattern.ROTATIONAL), (5, 6, 8, Pattern.ROTATIONAL),
        (5, 7, 6, Pattern.MIRROR), (5, 7, 9, Pattern.MIRROR), (5, 6, 6, Pattern.MIRROR),
    ],
)  # fmt: skip
def test_solids_lie_in_their_pattern(rows, cols, solids, pattern):
    order = exactly(rows, cols, 3, solids, pattern=pattern)
    for seed in range(20):
        laid = lay_solids(order, rng_from(f"lie {seed}"))
        assert sum(laid) == solids
        assert laid == [laid[image] for image in solid_images(order)]
