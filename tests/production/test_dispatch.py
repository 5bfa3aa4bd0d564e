"""Lost workers, by executors that lose them to order; real processes are in test_executors."""

import threading
from concurrent.futures import BrokenExecutor, Executor, Future

import pytest

from linkpress.errors import RecipeError
from linkpress.production import dispatch
from linkpress.production.dispatch import Dispatcher, WorkerLost, Workers, call_each
from linkpress.production.executors import InProcess, worker_processes


def double(number):
    return 2 * number


def fail():
    raise RecipeError("can't be met")


def stumble():
    raise ZeroDivisionError


def run_all(dispatcher, *calls):
    """What each call ended with, and the calls that were made again, by their keys."""
    left, results, again = dict(enumerate(calls)), {}, []
    waiting = list(left.items())
    while left:
        while waiting and dispatcher.has_room:
            key, call = waiting.pop(0)
            dispatcher.submit(key, *call)
        for ended in dispatcher.collect():
            if ended.retried:
                again.append((ended.key, str(ended.fault)))
            else:
                left.pop(ended.key)
                results[ended.key] = ended.fault or ended.value
    return results, again


def numbers_of(submitted):
    """What the calls that a worker gets at once are to double."""
    (work,) = submitted
    return [number for _, (number,) in work]


class Unreliable(Executor):
    """Runs calls one after the other, one at each look at it; loses those that are to be lost."""

    def __init__(self, lose):
        self.together = []
        self.lose, self.broken, self.ended = lose, None, False

    def submit(self, fn, /, *args, **kwargs):
        assert not self.ended
        if self.broken:
            raise self.broken
        future = Future()
        numbers = numbers_of(args)
        self.together.append(len(numbers))
        self.broken = next(filter(None, map(self.lose, numbers)), None)
        if self.broken:
            future.set_exception(self.broken)
            if not isinstance(self.broken, BrokenExecutor):
                self.broken = None
        else:
            future.set_result(fn(*args, **kwargs))
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.ended = True


def unreliable(*faults, number=4):
    """What makes executors that lose the call of that number once with each fault, and those that it made."""
    left, made = list(faults), []

    def make(jobs):
        made.append(Unreliable(lambda called: left.pop() if called == number and left else None))
        return made[-1]

    return make, made


def doubles(count):
    return [(double, number) for number in range(count)]


def test_calls_end_with_what_they_return_or_raise():
    with Dispatcher(Workers(1, InProcess), 9) as dispatcher:
        results, again = run_all(dispatcher, (double, 3), (fail,), (stumble,))
    assert (results[0], again) == (6, [])
    assert isinstance(results[1], RecipeError)
    assert "in stumble" in results[2].__notes__[0]


@pytest.mark.parametrize(
    ("fault", "why", "executors"),
    [
        (BrokenExecutor("gone"), "the worker process ended from outside", 2),
        (RuntimeError("worker killed"), "RuntimeError: worker killed", 1),
    ],
)
def test_a_lost_call_is_made_again_and_only_a_broken_executor_is_replaced(fault, why, executors):
    make, made = unreliable(fault)
    with Dispatcher(Workers(2, make), 9) as dispatcher:
        results, again = run_all(dispatcher, *doubles(9))
    assert results == {number: 2 * number for number in range(9)}
    assert again == [(4, why)]
    assert len(made) == executors


def test_three_losses_are_the_calls_own_and_every_other_ends_well():
    make, _ = unreliable(*[BrokenExecutor()] * 3)
    with Dispatcher(Workers(2, make), 9) as dispatcher:
        results, again = run_all(dispatcher, *doubles(9))
    assert isinstance(results.pop(4), WorkerLost)
    assert results == {number: 2 * number for number in range(9) if number != 4}
    assert [key for key, _ in again if key == 4] == [4, 4]


class LookedAt(Future):
    """Ends when it has been looked at often enough for all others to be handed out."""

    def __init__(self, end):
        super().__init__()
        self.end, self.looks = end, 0

    def done(self):
        self.looks += 1
        if self.looks > 8 and not super().done():
            self.end()
        return super().done()


class Shared(Executor):
    """Loses with a call whatever it has at work beside it."""

    def __init__(self, jobs, lost):
        self.lost, self.at_work = lost, {}

    def submit(self, fn, /, *args, **kwargs):
        future = LookedAt(self.end)
        self.at_work[future] = fn, args
        return future

    def end(self):
        at_work, self.at_work = self.at_work, {}
        broken = any(self.lost in numbers_of(args) for _, args in at_work.values())
        for future, (fn, args) in at_work.items():
            future.set_exception(BrokenExecutor()) if broken else future.set_result(fn(*args))


def test_calls_that_may_be_to_blame_are_made_alone_so_that_none_pays_for_another(monkeypatch):
    monkeypatch.setattr(dispatch, "_WAIT_S", 0.001)  # each of its 42 looks would take the half second
    with Dispatcher(Workers(2, lambda jobs: Shared(jobs, 4)), 9) as dispatcher:
        results, _ = run_all(dispatcher, *doubles(9))
    assert isinstance(results.pop(4), WorkerLost)
    assert results == {number: 2 * number for number in range(9) if number != 4}


@pytest.mark.parametrize(("together_s", "together"), [(60, [1, 2, 4, 8, 16, 9]), (1e-9, [1] * 40)])
def test_a_worker_gets_several_calls_at_once_where_those_before_were_quick(together_s, together):
    make, made = unreliable()
    with Dispatcher(Workers(1, make, ahead=1, together_s=together_s), 40) as dispatcher:
        results, _ = run_all(dispatcher, *doubles(40))
    assert results == {number: 2 * number for number in range(40)}
    assert [(executor.together, executor.ended) for executor in made] == [(together, True)]


def test_after_a_loss_every_call_is_handed_out_alone():
    make, made = unreliable(BrokenExecutor(), number=20)
    with Dispatcher(Workers(1, make, ahead=1, together_s=60), 40) as dispatcher:
        results, again = run_all(dispatcher, *doubles(40))
    assert results == {number: 2 * number for number in range(40)}
    assert {key for key, _ in again} == {*range(15, 31)}
    assert [executor.together for executor in made] == [[1, 2, 4, 8, 16], [1] * 25]


class Hanging(Executor):
    """Never ends a call but the third and later."""

    submitted = 0

    def __init__(self, jobs):
        pass

    def submit(self, fn, /, *args, **kwargs):
        type(self).submitted += 1
        future = Future()
        if self.submitted > 2:
            future.set_result(fn(*args, **kwargs))
        return future


def test_a_call_that_hangs_is_lost_when_patience_ends():
    with Dispatcher(Workers(1, Hanging, patience_s=0.01), 2) as dispatcher:
        results, again = run_all(dispatcher, *doubles(2))
    assert results == {0: 0, 1: 2}
    assert [key for key, _ in again] == [0]
    assert "did not answer" in again[0][1]


def test_a_call_may_be_worth_more_patience(monkeypatch):
    monkeypatch.setattr(Hanging, "submitted", 0)
    with Dispatcher(Workers(1, Hanging, patience_s=0.01), 1) as dispatcher:
        dispatcher.submit(0, abs, 1, patience=1e6)
        assert dispatcher.collect() == []


def test_no_more_workers_are_asked_for_than_there_are_calls():
    asked = []

    def make(jobs):
        asked.append(jobs)
        return InProcess()

    with Dispatcher(Workers(64, make), 2) as dispatcher:
        run_all(dispatcher, *doubles(2))
    assert asked == [2]


def test_what_an_executor_says_for_all_its_calls_is_no_loss():
    make, _ = unreliable(RecipeError("no more"))
    with Dispatcher(Workers(2, make), 9) as dispatcher:
        results, again = run_all(dispatcher, *doubles(9))
    assert (str(results[4]), again) == ("no more", [])


class LastFirst(Executor):
    """Ends calls from the last one that it was given to the first."""

    def __init__(self, jobs):
        self.left = []

    def submit(self, fn, /, *args, **kwargs):
        self.left.append((Future(), fn, args))
        if len(self.left) == 3:
            for future, late, its in reversed(self.left):
                future.set_result(late(*its))
        return self.left[-1][0]


@pytest.mark.parametrize(("ahead", "handed_out"), [(3, 6), (1, 2)])
def test_so_many_calls_are_handed_out_ahead(monkeypatch, ahead, handed_out):
    monkeypatch.setattr(Hanging, "submitted", -9)
    with Dispatcher(Workers(2, Hanging, ahead=ahead), 9) as dispatcher:
        count = 0
        while dispatcher.has_room:
            dispatcher.submit(count, abs, 1)
            count += 1
    assert count == handed_out


def test_more_calls_are_handed_out_as_workers_come(monkeypatch):
    monkeypatch.setattr(Hanging, "submitted", -9)
    threads = [0]
    with Dispatcher(Workers(1, Hanging, ahead=1, jobs_now=lambda: threads[0]), 9) as dispatcher:
        dispatcher.submit(0, abs, 1)
        assert not dispatcher.has_room
        threads[0] = 2
        assert dispatcher.has_room


def halve(number):
    if number == 1:
        raise RecipeError("odd")
    return number / 2


def test_results_come_in_order_and_a_fault_after_those_before_it():
    assert list(call_each(Workers(1, LastFirst), double, [(1,), (2,), (3,)])) == [2, 4, 6]
    halves = call_each(Workers(1, LastFirst), halve, [(0,), (1,), (2,)])
    assert next(halves) == 0
    with pytest.raises(RecipeError, match="odd"):
        next(halves)


def wait_for_ever():
    threading.Event().wait()


def test_a_worker_elsewhere_ends_itself_when_patience_ends():
    workers = Workers(1, worker_processes, patience_s=0.2, elsewhere=True)
    with pytest.raises(WorkerLost, match="the worker process ended from outside"):
        list(call_each(workers, wait_for_ever, [()]))
