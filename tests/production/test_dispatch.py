"""Calls and lost workers, with executors that lose chosen calls; test_executors uses real processes."""

import multiprocessing
import os
import threading
from concurrent.futures import BrokenExecutor, Executor, Future

import pytest

from linkpress.errors import RecipeError
from linkpress.production import dispatch
from linkpress.production.dispatch import Dispatcher, WorkerLost, Workers, call_each, call_shares
from linkpress.production.executors import InProcess, local_workers, worker_processes


def double(number):
    return 2 * number


def fail():
    raise RecipeError("can't be met")


def stumble():
    raise ZeroDivisionError


def run_all(dispatcher, *calls):
    """Return the result of each call by its key, and the keys of repeated calls with the reasons."""
    left, results, again = dict(enumerate(calls)), {}, []
    waiting = list(left.items())
    while left:
        while waiting and dispatcher.has_room:
            key, call = waiting.pop(0)
            dispatcher.submit(key, *call)
        for ended in dispatcher.collect():
            if ended.retried:
                again.append((ended.key, str(ended.error)))
            else:
                left.pop(ended.key)
                results[ended.key] = ended.error or ended.value
    return results, again


def numbers_of(submitted):
    """Return the arguments of the calls in a batch."""
    (work,) = submitted
    return [number for _, (number,) in work]


class Unreliable(Executor):
    """Runs each batch in ``submit``, unless one of its calls is to be lost.

    Args:
        lose: takes the argument of a call; returns the exception with which it is lost, or None.
    """

    def __init__(self, lose):
        self.batches = []
        self.lose, self.broken, self.ended = lose, None, False

    def submit(self, fn, /, *args, **kwargs):
        assert not self.ended
        if self.broken:
            raise self.broken
        future = Future()
        numbers = numbers_of(args)
        self.batches.append(len(numbers))
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


def unreliable(*errors, number=4):
    """Return a maker of executors that lose a call once with each error, and the list of made executors."""
    left, made = list(errors), []

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
    ("error", "why", "executors"),
    [
        (BrokenExecutor("gone"), "the worker process ended from outside", 2),
        (RuntimeError("worker killed"), "RuntimeError: worker killed", 1),
    ],
)
def test_a_lost_call_is_made_again_and_only_a_broken_executor_is_replaced(error, why, executors):
    make, made = unreliable(error)
    with Dispatcher(Workers(2, make), 9) as dispatcher:
        results, again = run_all(dispatcher, *doubles(9))
    assert results == {number: 2 * number for number in range(9)}
    assert again == [(4, why)]
    assert len(made) == executors


def test_a_call_is_given_up_after_three_losses_and_all_others_end():
    make, _ = unreliable(*[BrokenExecutor()] * 3)
    with Dispatcher(Workers(2, make), 9) as dispatcher:
        results, again = run_all(dispatcher, *doubles(9))
    assert isinstance(results.pop(4), WorkerLost)
    assert results == {number: 2 * number for number in range(9) if number != 4}
    assert [key for key, _ in again if key == 4] == [4, 4]


class SlowFuture(Future):
    """Ends at the ninth call of ``done``, when all other calls have been submitted."""

    def __init__(self, end):
        super().__init__()
        self.end, self.checks = end, 0

    def done(self):
        self.checks += 1
        if self.checks > 8 and not super().done():
            self.end()
        return super().done()


class Shared(Executor):
    """Loses all running calls together with one of them."""

    def __init__(self, jobs, lost):
        self.lost, self.at_work = lost, {}

    def submit(self, fn, /, *args, **kwargs):
        future = SlowFuture(self.end)
        self.at_work[future] = fn, args
        return future

    def end(self):
        at_work, self.at_work = self.at_work, {}
        broken = any(self.lost in numbers_of(args) for _, args in at_work.values())
        for future, (fn, args) in at_work.items():
            future.set_exception(BrokenExecutor()) if broken else future.set_result(fn(*args))


def test_suspects_are_repeated_alone_so_that_other_calls_are_not_lost(monkeypatch):
    monkeypatch.setattr(
        dispatch, "_WAIT_S", 0.001
    )  # otherwise the test would wait 42 times for half a second
    with Dispatcher(Workers(2, lambda jobs: Shared(jobs, 4)), 9) as dispatcher:
        results, _ = run_all(dispatcher, *doubles(9))
    assert isinstance(results.pop(4), WorkerLost)
    assert results == {number: 2 * number for number in range(9) if number != 4}


@pytest.mark.parametrize(("batch_s", "batches"), [(60, [1, 2, 4, 8, 8, 8, 8, 1]), (1e-9, [1] * 40)])
def test_a_worker_gets_a_batch_after_quick_calls(batch_s, batches):
    make, made = unreliable()
    with Dispatcher(Workers(1, make, ahead=1, batch_s=batch_s), 40) as dispatcher:
        results, _ = run_all(dispatcher, *doubles(40))
    assert results == {number: 2 * number for number in range(40)}
    assert [(executor.batches, executor.ended) for executor in made] == [(batches, True)]


def test_after_a_loss_every_call_is_handed_out_alone():
    make, made = unreliable(BrokenExecutor(), number=20)
    with Dispatcher(Workers(1, make, ahead=1, batch_s=60), 40) as dispatcher:
        results, again = run_all(dispatcher, *doubles(40))
    assert results == {number: 2 * number for number in range(40)}
    assert {key for key, _ in again} == {*range(15, 23)}
    assert [executor.batches for executor in made] == [[1, 2, 4, 8, 8], [1] * 25]


class Hanging(Executor):
    """Never ends the first two calls."""

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


def test_calls_that_were_begun_before_are_lost_if_their_worker_hangs(monkeypatch):
    monkeypatch.setattr(dispatch, "_WAIT_S", 0.001)
    with Dispatcher(Workers(1, InProcess, patience_s=0.01), 2) as dispatcher:
        dispatcher.adopt(Future(), [(number, double, (number,)) for number in range(2)])
        values = {}
        while len(values) < 2:
            values |= {ended.key: ended.value for ended in dispatcher.collect() if not ended.retried}
    assert values == {0: 0, 1: 2}


def test_a_call_may_be_worth_more_patience(monkeypatch):
    monkeypatch.setattr(Hanging, "submitted", 0)
    with Dispatcher(Workers(1, Hanging, patience_s=0.01), 1) as dispatcher:
        dispatcher.submit(0, abs, 1, patience=1e6)
        assert dispatcher.collect() == []


def test_a_result_that_is_there_already_is_not_waited_for():
    waited = []

    class Polled(InProcess):
        def poll(self, timeout_s):
            waited.append(timeout_s)

    ended = Future()
    ended.set_result(([(6, None)], 0.0))
    with Dispatcher(Workers(1, Polled), 1) as dispatcher:
        dispatcher.adopt(ended, [("six", double, (3,))])
        assert [result.value for result in dispatcher.collect()] == [6]
    assert waited == [0.0]


def test_calls_that_were_begun_before_may_be_worth_more_patience(monkeypatch):
    monkeypatch.setattr(dispatch, "_WAIT_S", 0.001)
    with Dispatcher(Workers(1, Hanging, patience_s=1e-6), 2) as dispatcher:
        dispatcher.adopt(Future(), [(number, double, (number,)) for number in range(2)], patience=1e12)
        assert [dispatcher.collect() for _ in range(3)] == [[], [], []]


def test_there_are_no_more_workers_than_calls():
    requested = []

    def make(jobs):
        requested.append(jobs)
        return InProcess()

    with Dispatcher(Workers(64, make), 2) as dispatcher:
        run_all(dispatcher, *doubles(2))
    assert requested == [2]


def test_an_error_of_the_executor_is_not_a_loss():
    make, _ = unreliable(RecipeError("no more"))
    with Dispatcher(Workers(2, make), 9) as dispatcher:
        results, again = run_all(dispatcher, *doubles(9))
    assert (str(results[4]), again) == ("no more", [])


class LastFirst(Executor):
    """Ends three calls in reverse order."""

    def __init__(self, jobs):
        self.left = []

    def submit(self, fn, /, *args, **kwargs):
        self.left.append((Future(), fn, args))
        if len(self.left) == 3:
            for future, function, arguments in reversed(self.left):
                future.set_result(function(*arguments))
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


@pytest.mark.parametrize(("jobs", "slow", "ahead"), [(2, [], 2), (2, ["slow"], 1), (1, [], 1)])
def test_each_of_several_workers_has_its_next_batch_if_all_calls_are_quick(monkeypatch, jobs, slow, ahead):
    monkeypatch.setattr(Hanging, "submitted", 9)
    with Dispatcher(Workers(jobs, Hanging, ahead=1, batch_s=60), 99) as dispatcher:
        run_all(dispatcher, (double, 0))
        monkeypatch.setattr(Hanging, "submitted", -99)
        for kind in slow:
            dispatcher.submit(kind, double, 0, kind=kind)
        for count in range(20):
            dispatcher.submit(count, double, 0)
        dispatcher.collect(waits=False)
        assert Hanging.submitted + 99 == jobs * ahead


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


def test_results_and_errors_come_in_order():
    assert list(call_each(Workers(1, LastFirst), double, [(1,), (2,), (3,)])) == [2, 4, 6]
    halves = call_each(Workers(1, LastFirst), halve, [(0,), (1,), (2,)])
    assert next(halves) == 0
    with pytest.raises(RecipeError, match="odd"):
        next(halves)


def wait_forever():
    threading.Event().wait()


def test_a_remote_worker_ends_itself_when_patience_ends():
    workers = Workers(1, worker_processes, patience_s=0.2, remote=True)
    with pytest.raises(WorkerLost, match="the worker process ended from outside"):
        list(call_each(workers, wait_forever, [()]))


@pytest.mark.skipif(not local_workers(2).forked, reason="processes here are not forked")
@pytest.mark.parametrize("dies", [False, True])
def test_this_process_and_a_worker_share_a_task_unless_the_worker_dies(dies):
    meeting, met, here = multiprocessing.get_context("fork").Barrier(2), [], os.getpid()

    def do_share(index, shares):
        if not met:  # so each of the two processes does a share
            met.append(meeting.wait(60))
            if dies and os.getpid() != here:
                os._exit(1)
        return index, shares, os.getpid()

    done = call_shares(local_workers(2), do_share, 100)
    if dies:
        assert done is None
    else:
        indices, shares, processes = zip(*done, strict=True)
        assert sorted(indices) == list(range(shares[0]))
        assert len({*processes}) == 2
