from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import pytest
from paper_maker import die_once, end_worker, make_on_paper, make_twins, make_unevenly, refuse_third

from linkpress.book.plan import plan_slots
from linkpress.book.produce import MAX_ATTEMPTS, make_slot, produce
from linkpress.book.produced import FinishedSlot
from linkpress.book.spec import BookSpec
from linkpress.errors import GaveUpError, RecipeError


def essence(made: tuple[FinishedSlot, ...]) -> list[tuple[object, ...]]:
    return [(one.slot, one.record) for one in made]


def test_every_slot_gets_its_puzzle_in_order(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    made = produce(slots, maker=make_on_paper)
    assert tuple(one.slot for one in made) == slots
    assert made[4].record.puzzle == make_on_paper(slots[4].recipe, "7/Hard/1/0", slots[4].method).puzzle


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
    assert [one.record.attempt for one in alone] == [0] + [1] * (len(slots) - 1)
    assert len({one.record.fingerprint for one in alone}) == len(slots)
    with ThreadPoolExecutor(4) as threads:
        assert essence(produce(slots, 4, maker=make_twins, executor=threads)) == essence(alone)


def test_a_puzzle_that_is_not_admitted_is_made_again(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    asked: list[tuple[int, int]] = []

    def admit(one: FinishedSlot) -> bool:
        asked.append((one.slot.number, one.record.attempt))
        return (one.slot.number, one.record.attempt) not in {(2, 0), (2, 1)}

    made = produce(slots, maker=make_on_paper, admit=admit)
    assert [one.record.attempt for one in made] == [0, 2, 0, 0, 0, 0, 0]
    assert asked == [(1, 0), (2, 0), (2, 1), (2, 2), (3, 0), (4, 0), (5, 0), (6, 0), (7, 0)]


def test_a_slot_may_begin_with_a_later_attempt(spec: BookSpec) -> None:
    made = produce(plan_slots(spec), maker=make_on_paper, first_attempt=lambda slot: slot.number % 2 * 3)
    assert [one.record.attempt for one in made] == [3, 0, 3, 0, 3, 0, 3]


def test_somebody_is_told_that_work_goes_on(spec: BookSpec) -> None:
    turns: list[None] = []
    produce(plan_slots(spec), maker=make_on_paper, on_turn=lambda: turns.append(None))
    assert len(turns) == spec.puzzle_count


def test_a_recipe_with_too_few_puzzles_says_so(spec: BookSpec) -> None:
    with pytest.raises(RecipeError, match="puzzle 2 of level Easy: 30 attempts gave only puzzles"):
        produce(plan_slots(spec), maker=make_on_paper, admit=lambda one: one.slot.number < 2)
    assert MAX_ATTEMPTS == 30


def test_a_slot_that_begins_later_has_as_many_attempts(spec: BookSpec) -> None:
    asked: list[int] = []

    def refuse(one: FinishedSlot) -> bool:
        asked.append(one.record.attempt)
        return False

    with pytest.raises(RecipeError, match="30 attempts"):
        produce(plan_slots(spec)[:1], maker=make_on_paper, admit=refuse, first_attempt=lambda slot: 5)
    assert asked == list(range(5, 35))


@pytest.mark.parametrize("jobs", [1, 3])
def test_a_recipe_that_can_not_be_met_names_the_first_such_slot(spec: BookSpec, jobs: int) -> None:
    with pytest.raises(RecipeError, match=r"^puzzle 3 of level Easy: it can't be$"):
        produce(plan_slots(spec), jobs, maker=refuse_third)


def test_each_puzzle_is_told_as_it_comes(spec: BookSpec) -> None:
    seen: list[FinishedSlot] = []
    made = produce(plan_slots(spec), maker=make_on_paper, on_done=seen.append)
    assert tuple(seen) == made


def test_what_an_earlier_run_finished_is_not_made_again(spec: BookSpec) -> None:
    slots = plan_slots(spec)
    whole = produce(slots, maker=make_on_paper)
    seen: list[int] = []
    ready = {one.slot.number: one for one in (whole[0], whole[4], whole[6])}
    again = produce(slots, maker=make_on_paper, ready=ready, on_done=lambda one: seen.append(one.slot.number))
    assert essence(again) == essence(whole)
    assert seen == [2, 3, 4, 6]


def test_a_repeat_that_an_earlier_run_left_is_made_again(spec: BookSpec) -> None:
    slots = [slot for slot in plan_slots(spec) if slot.recipe.rows == 5]
    whole = produce(slots, maker=make_twins)
    left = make_slot(make_twins, slots[2], 0)
    assert essence(produce(slots, maker=make_twins, ready={slots[2].number: left})) == essence(whole)


def test_a_slot_whose_worker_dies_once_is_made_all_the_same(
    spec: BookSpec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PAPER_FOLDER", str(tmp_path))
    slots = plan_slots(spec)
    told = []
    made = produce(slots, 2, maker=die_once, on_again=lambda *what: told.append(what))
    assert sorted((slot.number, attempt) for slot, attempt, _ in told) == [(slot.number, 0) for slot in slots]
    assert {why for _, _, why in told} == {"the worker process ended from outside (exit code 9)"}
    assert essence(made) == essence(produce(slots, maker=make_on_paper))
    assert len(list(tmp_path.iterdir())) == len(slots)


def test_a_slot_whose_workers_die_again_and_again_is_named(spec: BookSpec) -> None:
    again: list[int] = []
    with pytest.raises(
        GaveUpError, match=r"^puzzle 1 of level Easy can't be made: its worker was lost 3 times"
    ):
        produce(plan_slots(spec), 2, maker=end_worker, on_again=lambda slot, *why: again.append(slot.number))
    assert again.count(1) == 2


def test_an_executor_that_breaks_is_told_in_words(spec: BookSpec) -> None:
    with ProcessPoolExecutor(2) as pool, pytest.raises(GaveUpError, match="worker was lost by another's end"):
        produce(plan_slots(spec)[:2], 2, maker=end_worker, executor=pool)


def test_no_slots_make_no_puzzles() -> None:
    assert produce((), 4, maker=make_on_paper) == ()


def test_a_puzzle_is_graded_also_where_its_level_asks_for_no_grade():
    spec = BookSpec.model_validate(
        {"title": "T", "seed": 1, "levels": [{"name": "A", "count": 2, "size": 5, "paths": 4}]}
    )
    assert all(
        one.record.grade is not None and one.record.score is not None for one in produce(plan_slots(spec))
    )
