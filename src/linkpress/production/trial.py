"""Trials: a few boards are made of recipes of which no odds are known, and of those that may run out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from linkpress.book.grade_odds import Odds, outlook
from linkpress.book.plan import Slot
from linkpress.engine.recipe import Recipe
from linkpress.errors import Notify, RecipeError
from linkpress.production.forecast import paths_words
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import fingerprint

# Of boards up to so many squares, so many puzzles of one recipe may be more than there are: of 5 x 5 with 4
# paths, 27,425 boards were 3,028 different ones. The last of them come up seldom.
_SMALL, _MANY, _LIKELY_HAD = 36, 300, 0.8
# The units of work that the trial of a recipe takes, about two seconds; the puzzles that are enough; and the
# recipes of a book that are tried.
TRIAL_WORK, _ENOUGH, _MOST_RECIPES = 5_000_000, 20, 6
_TICK_S = 1 / 64  # by which processor times grow on Windows; small boards take less


def tried_odds(slots: Iterable[Slot], table: Sequence[Odds], notify: Notify) -> list[Odds]:
    """Try out the recipes of which nothing is known, as far as a few seconds go.

    Args:
        notify: takes a line before each trial.
    Returns:
        What was found, as rows for the table.
    """
    unknown = [some[0] for some in _alike(slots) if outlook(some[0], table) is None]
    found = []
    for slot in unknown[:_MOST_RECIPES]:
        asked = f", {slot.recipe.asked}" * bool(slot.recipe.asked)
        notify(f"trying {slot.recipe.board}, {paths_words(slot.recipe)}{asked}")
        found.append(_try(slot))
    return found


def _alike(slots: Iterable[Slot]) -> Iterable[list[Slot]]:
    """Return the slots whose boards are to be made, by recipe and method."""
    alike: dict[tuple[Recipe, str], list[Slot]] = {}
    for slot in slots:
        if slot.given is None:
            alike.setdefault((slot.recipe, slot.method), []).append(slot)
    return alike.values()


def scarce_boards(slots: Iterable[Slot], notify: Notify) -> Iterator[str]:
    """Yield a line for each recipe of small boards that has hardly as many different ones as are asked for.

    Args:
        notify: takes a line before boards are made to see how often they repeat.
    Source:
        Chao, Nonparametric Estimation of the Number of Classes in a Population (1984).
    """
    for some in _alike(slots):
        recipe = some[0].recipe
        if len(some) < _MANY or recipe.rows * recipe.cols > _SMALL:
            continue
        named = f"{recipe.board}, {paths_words(recipe)}"
        notify(f"trying {named}, for how many different boards there are")
        times = Counter(fingerprint(puzzle) for puzzle, _ in _tries(some[0]) if puzzle is not None)
        often = Counter(times.values())
        different = len(times) + often[1] ** 2 / (2 * max(1, often[2]))
        if len(some) > _LIKELY_HAD * different:
            digits = 10 ** max(0, len(str(round(different))) - 2)
            about = f"{round(different / digits) * digits:,}"
            yield (
                f"{named}: this recipe has about {about} different boards, and {len(some):,} are asked for. "
                "Ask for fewer puzzles, a larger board or a wider range of paths or solids."
            )


def _try(slot: Slot) -> Odds:
    made, spent, begun = 0, 0, time.process_time()
    for puzzle, work in _tries(slot):
        made, spent = made + (puzzle is not None), work
        if made == _ENOUGH:
            break
    took_s, recipe = max(time.process_time() - begun, _TICK_S), slot.recipe
    return Odds(recipe, slot.method, None, made / took_s, took_s * recipe.usual_work / spent, made, took_s)


def _tries(slot: Slot) -> Iterator[tuple[Puzzle | None, int]]:
    """Yield board after board of a slot's recipe, None where none was found, and the work spent so far."""
    from linkpress.engine.make.attempts import AttemptLog, watching_attempts
    from linkpress.engine.make.generate import generate

    spent, tries = 0, 0
    logs: list[AttemptLog] = []
    with watching_attempts(logs.append):
        while spent < TRIAL_WORK:
            tries, seed, left = tries + 1, f"{slot.seed}/trial {tries + 1}", TRIAL_WORK - spent
            try:
                puzzle = generate(slot.recipe, seed, slot.method, left, scored=False).puzzle
            except RecipeError:
                puzzle = None
            spent += max(1, logs[-1].spent if logs else TRIAL_WORK)
            logs.clear()
            yield puzzle, spent
