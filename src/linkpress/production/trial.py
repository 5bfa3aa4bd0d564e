"""A trial of recipes of which no odds are known: a few boards are made before anything is said of them."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

from linkpress.book.grade_odds import Odds, outlook
from linkpress.book.plan import Slot
from linkpress.engine.recipe import Recipe
from linkpress.errors import Notify, RecipeError
from linkpress.production.forecast import paths_words

# The units of work that the trial of a recipe takes, about two seconds; the puzzles that are enough; and the
# recipes of a book that are tried.
TRIAL_WORK, _ENOUGH, _MOST_RECIPES = 5_000_000, 20, 6


def tried_odds(slots: Iterable[Slot], table: Sequence[Odds], notify: Notify) -> list[Odds]:
    """Try out the recipes of which nothing is known, as far as a few seconds go.

    Args:
        slots: of a plan.
        table: of odds.
        notify: takes a line before each trial.
    Returns:
        What was found, as rows for the table.
    """
    unknown: dict[tuple[Recipe, str], Slot] = {}
    for slot in slots:
        if slot.given is None and outlook(slot, table) is None:
            unknown.setdefault((slot.recipe, slot.method), slot)
    found = []
    for slot in list(unknown.values())[:_MOST_RECIPES]:
        asked = f", {slot.recipe.asked}" * bool(slot.recipe.asked)
        notify(f"trying {slot.recipe.board}, {paths_words(slot.recipe)}{asked}")
        found.append(_try(slot))
    return found


def _try(slot: Slot) -> Odds:
    from linkpress.engine.make.attempts import AttemptLog, watching_attempts
    from linkpress.engine.make.generate import generate

    recipe, made, spent, tries = slot.recipe, 0, 0, 0
    logs: list[AttemptLog] = []
    begun = time.process_time()
    with watching_attempts(logs.append):
        while spent < TRIAL_WORK and made < _ENOUGH:
            tries += 1
            try:
                generate(recipe, f"{slot.seed}/trial {tries}", slot.method, TRIAL_WORK - spent, scored=False)
                made += 1
            except RecipeError:
                pass
            spent += max(1, logs[-1].spent if logs else TRIAL_WORK)
            logs.clear()
    took_s = time.process_time() - begun
    return Odds(recipe, slot.method, None, made / took_s, took_s * recipe.usual_work / spent, made, took_s)
