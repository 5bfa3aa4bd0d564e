"""Trials of recipes that the table of odds does not cover."""

import re

import pytest

from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.production import forecast
from linkpress.production.forecast import outlook


def slots_of(*levels):
    named = [{"name": f"L{at}", "count": 2, **keys} for at, keys in enumerate(levels, start=1)]
    return plan_slots(BookSpec.model_validate({"title": "T", "seed": 1, "levels": named}))


@pytest.fixture(autouse=True)
def brief(monkeypatch, tmp_path):
    """Trials are short, so their results must not be kept for other tests."""
    monkeypatch.setattr(forecast, "TRIAL_WORK", 50_000)
    monkeypatch.setenv("LINKPRESS_CACHE", str(tmp_path))


def test_a_recipe_with_too_few_different_boards_is_reported(monkeypatch):
    """There are about 3,000 boards of 5 × 5 with 4 paths. A trial with little work finds 80 of them."""
    monkeypatch.setattr(forecast, "TRIAL_WORK", 80_000)
    few, many = ({"size": 5, "paths": 4, "count": count} for count in (400, 5000))
    lines = []
    assert list(forecast.scarce_boards(slots_of(few), lines.append)) == []
    (line,) = forecast.scarce_boards(slots_of(many), lines.append)
    assert lines == ["trying 5 × 5, 4 paths, for how many different boards there are"]
    assert re.match(r"5 × 5, 4 paths: this recipe has about [1-4],\d00 different boards, and 5,000 are", line)
    assert list(forecast.scarce_boards(slots_of({"size": 7, "paths": 6, "count": 5000}), lines.append)) == []


def test_each_recipe_without_odds_is_tried_once_and_then_known():
    slots, lines = (
        slots_of(
            {"size": "5x7", "paths": 4, "apart": "yes"}, {"size": 6, "difficulty": "0-29", "method": "quick"}
        ),
        list[str](),
    )
    found = forecast.tried_odds(slots, [], lines.append)
    assert lines == ["trying 5 × 7, 4 paths", "trying 6 × 6, 4 to 10 paths, easy to medium"]
    assert [odds.recipe for odds in found] == [slots[0].recipe, slots[2].recipe]
    for slot in slots:
        known = outlook(slot, found)
        assert known.is_known
        assert known.chance(1) > 0.9
    assert forecast.tried_odds(slots, found, lines.append) == []


def test_a_trial_is_kept_for_later_checks_of_the_same_recipe():
    slots, lines = slots_of({"size": "5x7", "paths": 4, "apart": "yes"}), list[str]()
    assert forecast.tried_odds(slots, [], lines.append) == forecast.tried_odds(slots, [], lines.append)
    assert lines == ["trying 5 × 7, 4 paths"]


def test_a_recipe_that_is_not_met_ends_its_trial_and_stays_unknown():
    slots = slots_of({"size": 15, "paths": "5-6", "technique": "hard"})
    found = forecast.tried_odds(slots, [], lambda line: None)
    known = outlook(slots[0], found)
    assert (found[0].tried, known.is_known) == (0, False)


def test_no_more_than_a_few_recipes_of_a_plan_are_tried(monkeypatch):
    monkeypatch.setattr(forecast, "_MAX_TRIALS", 1)
    slots = slots_of({"size": 5, "paths": 3, "apart": "yes"}, {"size": 6, "paths": 4, "apart": "yes"})
    assert [odds.recipe for odds in forecast.tried_odds(slots, [], lambda line: None)] == [slots[0].recipe]
