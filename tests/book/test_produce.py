from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from paper_maker import end_worker, make_on_paper, make_twins, make_unevenly, refuse_third

from linkpress.book.plan import plan_slots
from linkpress.book.produce import MAX_ATTEMPTS, produce
from linkpress.book.produced import Produced
from linkpress.book.spec import BookSpec
from linkpress.errors import GaveUpError, RecipeError


def essence(made: tuple[Produced, ...]) -> list[tuple[object, ...]]:
    return [(one.slot, one.attempt, one.solution, one.fingerprint) for one in made]


def test_every_slot_gets_its_puzzle_in_order(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    made = produce(slots, maker=make_on_paper)
    assert tuple(one.slot for one in made) == slots
    assert made[4].puzzle == make_on_paper(slots[4].recipe, "7/Hard/1/0", slots[4].method).puzzle


@pytest.mark.parametrize("start_method", ["fork", "spawn"])
def test_the_number_of_jobs_changes_nothing(spec: BookSpec, start_method: str) -> None:
    slots = plan_slots(spec)
    alone = produce(slots, maker=make_unevenly)
    assert essence(produce(slots, 3, maker=make_unevenly, start_method=start_method)) == essence(alone)


def test_any_executor_serves_and_stays_open(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    with ThreadPoolExecutor(3) as threads:
        made = produce(slots, 3, maker=make_unevenly, executor=threads)
        assert threads.submit(int, "7").result() == 7
    assert essence(made) == essence(produce(slots, maker=make_unevenly))


def test_a_repeat_is_made_again_from_its_slots_next_attempt(spec: BookSpec) -> None:
    slots = [slot for slot in plan_slots(spec) if slot.recipe.rows == 5]
    alone = produce(slots, maker=make_twins)
    assert [one.attempt for one in alone] == [0] + [1] * (len(slots) - 1)
    assert len({one.fingerprint for one in alone}) == len(slots)
    with ThreadPoolExecutor(4) as threads:
        assert essence(produce(slots, 4, maker=make_twins, executor=threads)) == essence(alone)


def test_a_puzzle_that_is_not_admitted_is_made_again(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    asked: list[tuple[int, int]] = []

    def admit(one: Produced) -> bool:
        asked.append((one.slot.number, one.attempt))
        return (one.slot.number, one.attempt) not in {(2, 0), (2, 1)}

    made = produce(slots, maker=make_on_paper, admit=admit)
    assert [one.attempt for one in made] == [0, 2, 0, 0, 0, 0, 0]
    assert asked == [(1, 0), (2, 0), (2, 1), (2, 2), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)]


def test_a_recipe_with_too_few_puzzles_says_so(spec: BookSpec) -> None:
    with pytest.raises(RecipeError, match="puzzle 2 of level Easy: 30 attempts gave only puzzles"):
        produce(plan_slots(spec), maker=make_on_paper, admit=lambda one: one.slot.number < 2)
    assert MAX_ATTEMPTS == 30


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_recipe_that_can_not_be_met_names_the_first_such_slot(spec: BookSpec, jobs: int) -> None:
    with pytest.raises(RecipeError, match=r"^puzzle 3 of level Easy: it can't be$"):
        produce(plan_slots(spec), jobs, maker=refuse_third)


def test_each_puzzle_is_told_as_it_comes(spec: BookSpec) -> None:
    seen: list[Produced] = []
    made = produce(plan_slots(spec), maker=make_on_paper, on_done=seen.append)
    assert tuple(seen) == made


def test_what_an_earlier_run_finished_is_not_made_again(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    whole = produce(slots, maker=make_on_paper)
    seen: list[Produced] = []
    ready = {one.slot.number: one for one in (whole[0], whole[4], whole[6])}
    assert produce(slots, maker=make_on_paper, ready=ready, on_done=seen.append) == tuple(
        ready.get(one.slot.number, again) for one, again in zip(whole, (*seen[:3], *seen), strict=False)
    ) or essence(produce(slots, maker=make_on_paper, ready=ready)) == essence(whole)
    assert {one.slot.number for one in seen} == {2, 3, 4, 6}


def test_a_worker_ended_from_outside_is_a_clear_error(spec: BookSpec) -> None:
    with pytest.raises(GaveUpError, match="ended from outside"):
        produce(plan_slots(spec), 2, maker=end_worker)


def test_no_slots_make_no_puzzles() -> None:
    assert produce((), 4, maker=make_on_paper) == ()
