"""Puzzles that workers make while the book is still checked."""

import multiprocessing

import pytest

from linkpress.book.plan import plan_slots
from linkpress.errors import RecipeError
from linkpress.production import head_start
from linkpress.production.dispatch import Dispatcher
from linkpress.production.executors import local_workers
from linkpress.production.head_start import HeadStart
from paper_maker import essence, make_on_paper, make_slots, make_slowly, paper_spec, refuse_third

pytestmark = pytest.mark.skipif(not local_workers(2).forked, reason="processes here are not forked")


@pytest.fixture
def slots():
    return plan_slots(paper_spec())


def begun(monkeypatch, slots, maker=make_on_paper, jobs=3):
    monkeypatch.setattr(head_start, "engine_maker", lambda: maker)
    start = HeadStart(local_workers(jobs))
    start.begin(slots)
    return start


def waited_for(start):
    for future in start._begun:
        future.exception()


def test_puzzles_made_ahead_are_not_made_again(monkeypatch, slots):
    submitted, submit = [], Dispatcher.submit
    monkeypatch.setattr(
        Dispatcher,
        "submit",
        lambda self, key, *work, **also: submitted.append(key) or submit(self, key, *work),
    )
    with begun(monkeypatch, slots[:5]) as start:
        waited_for(start)
        made = make_slots(slots, workers=start.workers)
    assert essence(made) == essence(make_slots(slots))
    assert submitted[:2] == [(5, 0), (6, 0)]


def test_workers_make_no_more_puzzles_ahead_when_the_run_begins(monkeypatch, slots):
    with begun(monkeypatch, slots, make_slowly, jobs=2) as start:
        late = list(start.take())
        assert late == []  # the first puzzle takes longer than the run waits
        while not late:
            late = list(start.take())
    assert [one.slot.number for one in late] == [1]


def test_an_error_is_left_to_the_run(monkeypatch, slots):
    with begun(monkeypatch, slots, refuse_third, jobs=2) as start:
        waited_for(start)
        assert [one.slot.number for one in start.take()] == [1, 2]
        with pytest.raises(RecipeError, match="it can't be"):
            make_slots(slots, refuse_third, start.workers)


def test_with_one_job_no_puzzle_is_made_ahead(monkeypatch, slots):
    with begun(monkeypatch, slots, jobs=1) as start:
        assert multiprocessing.active_children() == []
        assert list(start.take()) == []


def test_workers_end_if_the_book_is_not_built(monkeypatch, slots):
    with begun(monkeypatch, slots, make_slowly):
        assert len(multiprocessing.active_children()) == 3
    assert multiprocessing.active_children() == []
