"""Forecasts of the time that slots take, with a small table of odds."""

import dataclasses
import re

import pytest

from linkpress.book.level import IfMissing
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Grade, Method, Recipe, Span
from linkpress.production.forecast import Forecast, Odds, TargetOdds, advice, duration, outlook_lines
from paper_maker import make_slots

# Two puzzles a second of any technique, or of technique hard; one of technique expert in 20 s. A usual search
# takes 10 s.
RECIPE = Recipe(7, 7, Span(5, 7), Span(0, 0))
ASKED = [TargetOdds(Grade.HARD, 0.2, 2.0, 10.0), TargetOdds(Grade.EXPERT, 0.0, 0.05, 10.0)]
TABLE = [Odds(RECIPE, Method.WALK, 2.0, 10.0, ASKED)]


def slots(*levels):
    named = [{"name": f"L{at}", "size": 7, "paths": "5-7", **keys} for at, keys in enumerate(levels, start=1)]
    return plan_slots(BookSpec.model_validate({"title": "T", "seed": 1, "levels": named}))


def finished(slot, seconds):
    return dataclasses.replace(make_slots([slot])[0], seconds_s=seconds)


def test_the_time_left_comes_from_the_table_first_and_then_from_measurements():
    some = slots({"count": 6, "technique": "hard"})
    forecast = Forecast(6, 2, TABLE)
    forecast.expect(some)
    assert forecast.left_s == pytest.approx(6 * 0.5 / 2)
    for slot in some[:3]:
        forecast.made(finished(slot, 4.0))
    # The machine is eight times as slow as the table's.
    assert (forecast.done, forecast.left_s) == (3, pytest.approx(3 * 4.0 / 2))
    for slot in some[3:]:
        forecast.made(finished(slot, 4.0))
    assert (forecast.done, str(forecast)) == (6, "")


def test_the_time_left_follows_the_current_number_of_workers():
    threads = [2]
    forecast = Forecast(6, 2, TABLE, lambda: threads[0])
    forecast.expect(slots({"count": 6, "technique": "hard"}))
    estimates = []
    for threads[0] in (2, 3, 0):
        estimates.append((forecast.at_a_time, forecast.left_s))
    assert estimates == [(2, pytest.approx(1.5)), (3, pytest.approx(1.0)), (1, pytest.approx(3.0))]


def test_measured_puzzles_of_one_level_scale_the_times_of_the_others():
    some = slots({"count": 1, "technique": "hard"}, {"count": 1, "technique": "hard-expert"})
    forecast = Forecast(2, 1, TABLE)
    forecast.expect(some)
    forecast.made(finished(some[0], 5.0))
    assert forecast.left_s == pytest.approx(10 * 0.5)


def test_the_time_left_is_unknown_without_odds_and_measurements():
    some = slots({"count": 2, "size": 30, "paths": "100", "technique": "hard"})
    forecast = Forecast(2, 1, TABLE)
    forecast.expect(some)
    assert (forecast.left_s, str(forecast)) == (None, "puzzle 1 of level L1")
    forecast.made(finished(some[0], 7.0))
    assert str(forecast) == "puzzle 2 of level L1; about 7 s left"


def test_a_slot_that_is_made_again_counts_as_unfilled():
    some = slots({"count": 2, "technique": "hard"})
    forecast = Forecast(2, 1, TABLE)
    forecast.expect(some)
    for slot in some:
        forecast.made(finished(slot, 1.0))
    forecast.add_again(some[0])
    assert (forecast.done, str(forecast)) == (1, "puzzle 1 of level L1; about 1 s left")
    forecast.remove(some[0])
    assert str(forecast) == ""


def test_the_line_of_a_level_has_its_chance_and_its_time():
    sure, poor, none, near, any_board, unknown = outlook_lines(
        slots(
            {"count": 40, "technique": "hard"},
            {"count": 1, "technique": "expert", "effort": 10, "otherwise": "nearest"},
            {"count": 8, "technique": "expert", "otherwise": "nearest"},
            {"count": 8, "technique": "expert", "effort": 20, "otherwise": "nearest"},
            {"count": 8},
            {"count": 8, "unique": "filled", "size": "7x9", "technique": "easy-hard"},
        ),
        TABLE,
        2,
    )
    asked, feels = "7 x 7, 5 to 7 paths, 0 solids", "; feels 2-26, medium"
    assert sure == f"L1: 40 puzzles; {asked}, technique hard{feels}; about 10 s on 2 cores"
    expert = f"{asked}, technique expert"
    rare = "hardly any of such boards"
    assert poor == f"L2: 1 puzzle; {expert} ({rare}, 99 % chance to find all){feels}; about 20 s on 1 core"
    of_nearest = "about 5 of them will be the nearest that is found"
    assert none == f"L3: 8 puzzles; {expert} ({rare}, {of_nearest}){feels}; about 31 s on 2 cores"
    assert near == f"L4: 8 puzzles; {expert}{feels}; about 80 s on 2 cores"
    assert any_board == f"L5: 8 puzzles; {asked}{feels}; about 2 s on 2 cores"
    asked = "7 x 9, 5 to 7 paths, 0 solids, unique: filled, technique easy to hard"
    assert unknown.startswith(f"L6: 8 puzzles; {asked} (how likely and how long is not known); feels")


def test_a_level_that_is_hardly_met_has_a_line_of_advice():
    lines = list(outlook_lines(slots({"count": 2, "technique": "expert"}), TABLE))
    assert "(hardly any of such boards, 15 % chance to find all)" in lines[0]
    assert lines[1:] == [
        "  7 x 7: To have all of them, write `effort: 8`, or `otherwise: nearest`, which prints the nearest."
    ]


def test_a_rare_difficulty_is_told_with_keys_that_more_boards_have_it_with():
    rare, usual = outlook_lines(
        slots({"count": 2, "difficulty": "hard", "paths": None}, {"count": 2, "difficulty": "medium"}), TABLE
    )
    assert "% of such boards, more would have it with `size: 8x8` and `paths: 5-7`" in rare
    assert "more would" not in usual


def test_a_level_with_a_mask_says_that_its_difficulty_is_not_foretold():
    mask = [".......", ".......", "..##...", "..##...", ".......", ".......", "......."]
    (line,) = outlook_lines(slots({"count": 2, "solids": {"mask": mask}}), TABLE)
    assert line.endswith("; the difficulty of boards with a mask or a picture is only known after the build")


def test_a_level_of_several_recipes_has_a_line_for_each_with_its_number_of_puzzles():
    level, first, second = outlook_lines(
        slots({"count": 5, "difficulty": {"medium": 2, "hard": 3}, "otherwise": "nearest"}), TABLE
    )
    assert re.fullmatch("L1: 5 puzzles; feels [0-9-]+, hard; .* on 1 core", level)
    assert first == "  2 of 7 x 7, 5 to 7 paths, 0 solids, medium"
    assert second.startswith("  3 of 7 x 7, 5 to 7 paths, 0 solids, hard (")


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (6, "(a trial made 6 in about 3 s); "),
        (0, "(a trial made none in about 3 s, so it is unknown whether they can be found)"),
    ],
)
def test_a_forecast_names_the_result_of_a_trial(made, sentence):
    some = slots({"count": 4, "size": 30, "paths": "100"})
    trial = Odds(some[0].recipe, Method.WALK, made / 3.0, 30.0, (), made, 3.0)
    assert sentence in next(outlook_lines(some, [trial]))


def test_advice_asks_for_more_effort_than_there_was():
    (slot,) = slots({"count": 1, "technique": "hard", "effort": 4})
    assert "`effort: 8`" in advice(slot, 1, TABLE)
    assert "`effort: 40`" in advice(dataclasses.replace(slot, method="classic"), 1, [])
    most = dataclasses.replace(slot, effort=1000.0, otherwise=IfMissing.NEAREST)
    assert "effort" not in advice(most, 1, TABLE)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.2, "under 1 s"), (12, "about 12 s"), (150, "about 2 min"), (7200, "about 2 h"),
        (500_000, "about 6 days"),
    ],
)  # fmt: skip
def test_times_are_rounded_to_suitable_units(seconds, words):
    assert duration(seconds) == words


@pytest.mark.parametrize(("size", "is_foretold"), [("4", True), ("3x8", True), ("5", True), ("8", False)])
def test_small_classic_boards_are_foretold_as_easy(size, is_foretold):
    keys = {"size": size, "paths": None, "method": "classic", "count": 2}
    text = " ".join(outlook_lines(slots(keys), TABLE))
    assert ("feels 2, easy" in text) is is_foretold
