"""Puzzles that workers make while the book is still checked."""

import multiprocessing
from dataclasses import replace

import pytest

import boards
from linkpress.book.plan import plan_slots
from linkpress.errors import RecipeError
from linkpress.production import head_start
from linkpress.production.dispatch import Dispatcher
from linkpress.production.executors import local_workers
from linkpress.production.head_start import HeadStart
from linkpress.production.journal import Journal
from paper_maker import die_once, essence, make_on_paper, make_slots, make_slowly, paper_spec, refuse_third

pytestmark = pytest.mark.skipif(not local_workers(2).forked, reason="processes here are not forked")


@pytest.fixture
def slots():
    return plan_slots(paper_spec())


def begun(monkeypatch, slots, maker=make_on_paper, jobs=3):
    # Wait for workers of earlier tests. They were killed when they were idle, and may not have ended yet.
    for process in multiprocessing.active_children():
        process.join()
    monkeypatch.setattr(head_start, "engine_maker", lambda: maker)
    start = HeadStart(local_workers(jobs))
    start.begin(slots)
    return start


def waited_for(start):
    """Wait until the workers have nothing left to do ahead."""
    while not all(future.done() for future, _ in start._begun):
        start._pool.poll(None)
    return start


@pytest.fixture
def submitted(monkeypatch):
    """Return the keys of the calls that runs submit."""
    keys, submit = [], Dispatcher.submit
    monkeypatch.setattr(
        Dispatcher, "submit", lambda self, key, *work, **_: keys.append(key) or submit(self, key, *work)
    )
    return keys


def test_puzzles_made_ahead_are_not_made_again(monkeypatch, slots, submitted):
    with begun(monkeypatch, slots[:5]) as start:
        made = make_slots(slots, workers=waited_for(start).workers)
    assert essence(made) == essence(make_slots(slots))
    assert submitted[:2] == [(5, 0), (6, 0)]


def test_a_puzzle_that_a_worker_has_begun_is_not_made_by_another_one(monkeypatch, slots, submitted):
    with begun(monkeypatch, slots, make_slowly, jobs=2) as start:
        while not head_start._shared[1]:
            pass
        made = make_slots(slots, workers=start.workers)
    assert (0, 0) not in submitted
    assert essence(made) == essence(make_slots(slots))


def test_workers_make_no_more_puzzles_ahead_when_the_run_begins(monkeypatch, slots):
    with begun(monkeypatch, slots, make_slowly, jobs=2) as start:
        while not head_start._shared[1]:
            pass
        ((future, taken),) = start.hand_over()
        start._pool.poll(None)
        outcomes, _ = future.result()
    assert [slot.number for slot in taken] == [1]
    assert [one.slot.number for one, _ in outcomes] == [1]


@pytest.mark.parametrize("count", [3, 5, 7])
def test_an_error_of_a_puzzle_made_ahead_is_reported_although_slots_are_left(
    monkeypatch, slots, tmp_path, count
):
    start = waited_for(begun(monkeypatch, slots[:count], refuse_third, jobs=2))
    with start, pytest.raises(RecipeError, match=r"puzzle 3 of level Easy: it can't be$"):
        make_slots(slots, refuse_third, start.workers)
    start = waited_for(begun(monkeypatch, slots[:count], refuse_third, jobs=2))
    with (
        start,
        Journal(tmp_path / "journal", "paper", "1") as journal,
        pytest.raises(RecipeError, match=r"puzzle 3 of level Easy.*: it can't be\npuzzle 3 of level Hard: "),
    ):
        make_slots(slots, refuse_third, start.workers, journal=journal)


def test_a_worker_that_dies_while_it_works_ahead_is_replaced(monkeypatch, slots, tmp_path):
    monkeypatch.setenv("PAPER_FOLDER", str(tmp_path))
    with begun(monkeypatch, slots, die_once, jobs=2) as start:
        made = make_slots(slots, die_once, start.workers)
    assert essence(made) == essence(make_slots(slots))


def test_with_one_job_no_puzzle_is_made_ahead(monkeypatch, slots):
    with begun(monkeypatch, slots, jobs=1) as start:
        assert multiprocessing.active_children() == []
        assert list(start.hand_over()) == []


def test_the_search_for_a_puzzle_made_ahead_may_take_as_long_as_its_effort_allows(monkeypatch, slots):
    given, adopt = [], Dispatcher.adopt
    monkeypatch.setattr(Dispatcher, "adopt", lambda self, *work: given.append(work[-1]) or adopt(self, *work))
    slots = [replace(slot, effort=40.0) for slot in slots]
    with begun(monkeypatch, slots, jobs=2) as start:
        make_slots(slots, workers=waited_for(start).workers)
    assert given == [40.0]


def test_no_worker_starts_ahead_if_all_boards_come_from_files(monkeypatch, slots):
    with begun(monkeypatch, [replace(slot, given=boards.SOLVED_BOARD.puzzle) for slot in slots]):
        assert multiprocessing.active_children() == []


def test_workers_end_if_the_book_is_not_built(monkeypatch, slots):
    with begun(monkeypatch, slots, make_slowly):
        assert len(multiprocessing.active_children()) == 3
    assert multiprocessing.active_children() == []
