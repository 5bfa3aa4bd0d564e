"""A real cluster of several processes, and all that happens to one."""

import os
import pickle
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

import linkpress
from linkpress.app.build import build
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.cli.app import run
from linkpress.engine.make.generate import generate
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import ClusterError, RecipeError, UsageError
from linkpress.feeds.calendar import read_dates
from linkpress.feeds.feed_run import feed
from linkpress.production.cluster import DaskCluster, _call_here, _ClusterExecutor, connect
from linkpress.production.cluster_workers import ClusterWorkers, identity
from linkpress.production.dispatch import Workers, call_each
from linkpress.production.executors import open_workers
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.slot_search import make_slot
from linkpress.puzzle.puzzle import Solution
from local_cluster import PATIENT, local_cluster
from paper_maker import (
    Heard,
    essence,
    hold_first,
    keep_lock,
    make_or_lie,
    make_slots,
    make_slowly,
    own_pid,
    refuse_third,
)

pytest.importorskip("distributed", reason="the extra linkpress[cluster] is not installed")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")

BOOK = """
title: Cluster
seed: 5
levels:
  - {name: Small, count: 8, size: 7x5, paths: 4-6}
  - {name: Large, count: 8, size: 9x8, paths: 10}
play: {}
"""
FEED = """
id: daily
title: Links
seed: 7
image: {columns: 1, dpi: 100}
week: {monday: {size: 5x7}, tuesday: {size: 5}, wednesday: {size: 5x6}}
"""
HARD = """
title: Hard
seed: 3
levels:
  - {name: Big, count: 40, size: 14, grade: hard-fiendish, effort: 4}
"""
MANY = BookSpec.model_validate(
    {"title": "T", "seed": 7, "levels": [{"name": "Easy", "count": 16, "size": "7x5", "paths": "4-6"}]}
)
QUICK = replace(PATIENT, silence_s=2.0)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """A cluster that every test leaves as it was."""
    with local_cluster(tmp_path_factory.mktemp("cluster"), "one", "two") as started:
        yield started


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The folder of the book as one job makes it."""
    folder = tmp_path_factory.mktemp("alone")
    return build(write(folder / "book.yaml", BOOK), folder, 1, ledger=NO_LEDGER).folder


@pytest.fixture
def stopping(cluster):
    """Stops processes of the cluster, which go on after the test."""
    stopped = []

    def stop(process):
        stopped.append(process)
        process.send_signal(signal.SIGSTOP)

    yield stop
    for process in stopped:
        process.send_signal(signal.SIGCONT)


@pytest.fixture
def patient(monkeypatch):
    """However long the scheduler takes to answer, it counts as there."""

    def ask(workers, question, **details):
        return workers._client.sync(question, **details)

    monkeypatch.setattr(ClusterWorkers, "_ask", ask)


def workers_of(joined):
    return Workers(2, joined.executor, elsewhere=True)


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "report.txt"}


def until(met):
    while not met():
        time.sleep(0.02)


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_book_and_its_page_to_play_have_the_same_bytes_as_with_one_job(cluster, alone, tmp_path):
    spec = write(tmp_path / "book.yaml", BOOK)
    words = ["build", str(spec), "-o", str(tmp_path / "there"), "--no-ledger", "--cluster", cluster.address]
    assert run(words) == 0
    there = files_of(tmp_path / "there" / "cluster")
    assert sorted(there) == ["interior.pdf", "play.html", "volume.json"]
    assert there == files_of(alone)
    assert run(["play", str(alone), "-o", str(tmp_path), "--cluster", cluster.address]) == 0
    assert (tmp_path / "play.html").read_bytes() == there["play.html"]


def test_a_feed_has_the_same_files(cluster, tmp_path):
    spec, days = write(tmp_path / "feed.yaml", FEED), read_dates("2026-12-07", 3)
    feed(spec, days, tmp_path / "alone", jobs=1, ledger=NO_LEDGER)
    words = ["feed", str(spec), "--from", "2026-12-07", "--days", "3", "-o", str(tmp_path / "there")]
    assert run([*words, "--no-ledger", "--jobs", "1", "--cluster", cluster.address]) == 0
    assert files_of(tmp_path / "there") == files_of(tmp_path / "alone")


def test_two_runs_at_once_share_the_workers(cluster):
    slots = plan_slots(MANY)

    def one(_):
        with open_workers(None, cluster.address, print) as workers:
            return essence(make_slots(slots, make_slowly, workers))

    with ThreadPoolExecutor(2) as both:
        assert list(both.map(one, range(2))) == [essence(make_slots(slots))] * 2


def test_what_a_worker_raises_arrives_as_here(cluster):
    with open_workers(None, cluster.address, print) as workers, pytest.raises(RecipeError) as there:
        make_slots(plan_slots(MANY), refuse_third, workers)
    with pytest.raises(RecipeError) as here:
        make_slots(plan_slots(MANY), refuse_third)
    assert str(there.value) == str(here.value)


@pytest.mark.usefixtures("patient")
def test_a_call_that_keeps_python_s_lock_is_not_lost_with_its_silent_worker(cluster, tmp_path):
    pipe, opened = str(tmp_path / "pipe"), []
    os.mkfifo(pipe)

    def notify(line):
        if re.search(r"has been silent for \d+ s: (others make its calls, too|nobody else is there)", line):
            opened.append(os.open(pipe, os.O_RDWR))  # which lets go whoever opens it for reading

    with DaskCluster(cluster.address, notify, QUICK) as joined:
        assert list(call_each(workers_of(joined), keep_lock, [(pipe,)])) == [pipe]
    until(lambda: not cluster.has_calls())
    assert opened
    for handle in opened:
        os.close(handle)


def test_what_a_slow_worker_has_begun_and_has_in_line_is_made_by_others(cluster, tmp_path):
    held = tmp_path / "held"
    with open_workers(None, cluster.address, print) as workers:
        assert list(call_each(workers, hold_first, [(str(held),)] * 12)) == [str(held)] * 12
    assert held.read_text() == "first"  # the worker is still at it
    until(lambda: not cluster.has_calls())
    held.write_text("")


@pytest.mark.usefixtures("patient")
def test_a_worker_that_is_stopped_holds_nothing_up(cluster, stopping):
    said, slots = [], plan_slots(MANY)
    name, worker = list(cluster.workers.items())[-1]
    with DaskCluster(cluster.address, said.append, QUICK) as joined:
        until(lambda: len(joined.workers.able()) == 2)
        stop = Heard(lambda: stopping(worker))
        made = make_slots(slots, make_slowly, workers_of(joined), watcher=stop)
        until(lambda: any(f"({name}) has been silent for" in line for line in said))
    assert essence(made) == essence(make_slots(slots))


def test_a_result_that_is_not_fetched_counts_as_held_by_its_worker(cluster):
    """One that stopped before it handed its results over held the build up for good."""
    with DaskCluster(cluster.address, print, PATIENT) as joined:
        call = joined.client.submit(os.getpid, pure=False)
        until(call.done)
        joined.workers.look()
        assert joined.workers.holders()[call.key] in joined.workers.able()


def test_an_interruption_takes_the_calls_back(cluster, tmp_path):
    spec = write(tmp_path / "hard.yaml", HARD)
    words = ["build", str(spec), "-o", str(tmp_path), "--no-ledger", "-v", "--cluster", cluster.address]
    process = subprocess.Popen(
        [sys.executable, "-m", "linkpress", *words],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    while not process.stderr.readline().startswith("made:"):
        assert process.poll() is None
    assert cluster.has_calls()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert "kept: the same command goes on from there" in said
    until(lambda: not cluster.has_calls())
    assert [path.name for path in (tmp_path / "hard").iterdir()] == [".build.journal"]


@pytest.mark.parametrize("count", [1, 2])
def test_calls_of_workers_that_are_killed_are_made_by_others(cluster, count):
    """By those that are left; where there are none, by whoever comes."""
    slots, killed = plan_slots(MANY), list(cluster.workers)[:count]

    def replace_workers():
        for name in killed:
            cluster.workers.pop(name).kill()
        cluster.add(*(f"{name}'s heir" for name in killed))

    with open_workers(None, cluster.address, print) as workers:
        made = make_slots(slots, make_slowly, workers, watcher=Heard(replace_workers))
    assert essence(made) == essence(make_slots(slots))


def test_a_cluster_without_workers_says_so_at_once_and_ends_in_time(tmp_path):
    said = []
    with (
        local_cluster(tmp_path, "one") as cluster,
        DaskCluster(cluster.address, said.append, PATIENT) as joined,
    ):
        joined.workers._patience = replace(PATIENT, wait_s=3.0)
        kill = Heard(cluster.workers["one"].kill)
        with pytest.raises(ClusterError, match="lost: it has had no worker that can take part for 3 s"):
            make_slots(plan_slots(MANY), make_slowly, workers_of(joined), watcher=kill)
    assert said[:1] == ["no worker of the cluster is left that can take part; waiting for one for 3 s"]


def lose_scheduler(address, spec, out, act):
    """Build a book until its cluster is lost; only what goes on from there is left then."""

    def lose():
        joined.workers._patience = QUICK
        act()

    patience = replace(PATIENT, silence_s=20.0)
    with DaskCluster(address, print, patience) as joined, pytest.raises(ClusterError) as lost:
        build(spec, out, None, Heard(lose), ledger=NO_LEDGER, workers=workers_of(joined))
    assert re.fullmatch(
        rf"the cluster at {address} is lost: its scheduler has ended, or can't be reached any more\. "
        r"\d+ of 16 puzzles (is|are) kept: the same command goes on from there, with --cluster or without\.",
        str(lost.value),
    )
    assert lost.value.exit_code == 6
    assert [path.name for path in (out / "cluster").iterdir()] == [".build.journal"]


def test_a_scheduler_that_answers_no_more_ends_the_build(cluster, stopping, tmp_path):
    spec = write(tmp_path / "book.yaml", BOOK)
    lose_scheduler(cluster.address, spec, tmp_path, lambda: stopping(cluster.scheduler))


def test_a_build_goes_on_elsewhere_when_its_scheduler_has_ended(alone, tmp_path):
    spec = write(tmp_path / "book.yaml", BOOK)
    (tmp_path / "dask").mkdir()
    with local_cluster(tmp_path / "dask", "one") as cluster:
        lose_scheduler(cluster.address, spec, tmp_path / "there", cluster.scheduler.kill)
    again = build(spec, tmp_path / "there", 1, ledger=NO_LEDGER)
    assert "resumed" in (again.folder / "report.txt").read_text()
    assert files_of(again.folder) == files_of(alone)


@pytest.fixture
def other_release(tmp_path):
    """A folder with a release that has other puzzles; it differs in its version alone."""
    package = tmp_path / "other" / "linkpress"
    package.mkdir(parents=True)
    for part in Path(linkpress.__file__).parent.iterdir():
        (package / part.name).symlink_to(part)
    own = package / "version.py"
    text = own.read_text(encoding="utf-8")
    own.unlink()
    write(own, text.replace(f'__version__ = "{linkpress.__version__}"', '__version__ = "9.9.9"'))
    return package.parent


@pytest.fixture
def first_release(tmp_path):
    """A folder with a release that knows nothing of clusters."""
    package = tmp_path / "first" / "linkpress"
    package.mkdir(parents=True)
    write(package / "__init__.py", '__version__ = "0.1.0"\n')
    about = package.parent / "linkpress-0.1.0.dist-info"
    about.mkdir()
    write(about / "METADATA", "Metadata-Version: 2.4\nName: linkpress\nVersion: 0.1.0\n")
    return package.parent


def test_only_workers_with_this_linkpress_take_part(tmp_path, other_release, first_release):
    (tmp_path / "dask").mkdir()
    here, wanted, said = linkpress.__version__, [("",)] * 8, []
    with local_cluster(tmp_path / "dask") as cluster:
        with pytest.raises(ClusterError, match=r"has no worker that answers, .* Start some: dask worker"):
            DaskCluster(cluster.address, said.append, replace(PATIENT, wait_s=2.0)).__enter__()
        assert said == [f"{cluster.address} has no worker; waiting for one for 2 s"]
        cluster.add("first", path=first_release)
        with pytest.raises(ClusterError) as refused:
            DaskCluster(cluster.address, said.append, PATIENT).__enter__()
        assert re.fullmatch(
            rf"no worker of the cluster at {cluster.address} can take part: the worker tcp://127.0.0.1:\d+ "
            rf"\(first\) has linkpress 0\.1\.0 instead of {here}\. Install linkpress {here} there, with the "
            r"packages that are here, and start the workers again\.",
            str(refused.value),
        )
        cluster.add("plain", LINKPRESS_KERNELS="plain")
        del said[:]
        with DaskCluster(cluster.address, said.append, PATIENT) as joined:
            cluster.add("late", path=other_release)  # while calls are made
            pids = set(call_each(workers_of(joined), own_pid, wanted))
            until(lambda: len(said) == 3)
            pids |= set(call_each(workers_of(joined), own_pid, wanted))
        assert pids == {cluster.workers["plain"].pid}
    plain, first, late = said
    assert "(plain) runs the engine as plain Python, about a hundred times slower than compiled: " in plain
    assert "(first) has linkpress 0.1.0 instead of" in first
    assert f"(late) has linkpress 9.9.9 instead of {here}. Install linkpress {here} there" in late


SPOILT = {"fingerprint": "xyz", "solution": None, "score": "x"}


class Liar:
    """A record that breaks whatever looks at it."""

    def __getattr__(self, name):
        raise AttributeError(name)


def test_whatever_a_worker_answers_for_a_puzzle_is_a_puzzle_of_its_slot_or_named():
    """Found by a patched worker: a fault while its answer was looked at left the build waiting for good."""
    cluster = SimpleNamespace(proven_again=0, graded_again=0)
    first, second = plan_slots(MANY)[:2]
    made = make_slot(partial(generate, graded=True), first, 0)

    def said(result, slot=first):
        return DaskCluster.find_defect(cluster, slot, result)

    assert said((made, None)) is None
    assert said((None, RecipeError("none"))) is None
    assert said(("anything", None), slot=None) is None
    for answer in (None, "x", made, (made,), (made, None, None), (None, None), (made, "fault")):
        assert said(answer) == f"for {first} what is no puzzle of it"
    assert said((made, None), slot=second) == f"for {second} what is no puzzle of it"
    own = made.record
    spoilt = [replace(own, **{key: value}) for key, value in SPOILT.items()]
    for record in (None, Liar(), *spoilt):
        assert "what is no puzzle (" in said((replace(made, record=record), None))
    assert "what is no puzzle (PuzzleError)" in said((replace(made, tries="many"), None))
    otherwise = Solution(own.puzzle, own.solution.paths[::-1])
    drawn_otherwise = replace(made, record=replace(own, solution=otherwise))
    assert said((drawn_otherwise, None)) == f"for {first} a board without the one solution that it gave"
    by_another_rule = replace(made, record=replace(own, rule=Rule.FILLED))
    assert said((by_another_rule, None)) == f"for {first} a board of another recipe"
    seed_of_another = replace(made, record=replace(own, seed="9/Level/1/0"))
    of_another = f"for {first} a board with the level, seed or fingerprint of another"
    assert said((seed_of_another, None)) == of_another


def test_a_worker_that_has_become_another_makes_no_call_and_says_where_it_is(monkeypatch):
    """As when linkpress is replaced on its machine, and it is started again under the same address."""
    monkeypatch.setattr("distributed.get_worker", lambda: SimpleNamespace(address="tcp://there:1"))
    work = pickle.dumps((own_pid, ("",), {}))
    assert _call_here({**identity(), "linkpress": "0.1.0"}, work) == (False, None, "tcp://there:1")
    answer = _call_here({**identity(), "plain": "for some reason"}, work)
    assert answer == (True, os.getpid(), "tcp://there:1")


@pytest.mark.usefixtures("patient")
def test_a_worker_that_returns_a_wrong_board_is_named_and_its_board_made_again(cluster, tmp_path):
    """One of two workers returns boards with several solutions, as one whose process was patched does."""
    told, heard = [], tmp_path / "heard"

    def notify(line):
        told.append(line)
        if "(liar) returned for" in line:
            heard.touch()

    cluster.add("liar", LINKPRESS_TEST_LIES="1")
    try:
        with DaskCluster(cluster.address, notify, QUICK) as joined:
            until(lambda: joined.workers.threads == 3)
            slots = plan_slots(MANY)
            results = list(call_each(workers_of(joined), make_or_lie, [(slot, str(heard)) for slot in slots]))
    finally:
        cluster.workers["liar"].kill()
    verdicts = [prove(made.record.puzzle, made.record.rule).verdict for made in results]
    assert verdicts == [Verdict.UNIQUE] * len(slots)
    assert any("(liar) returned for" in line and "not taking part any more" in line for line in told)
    assert any("were proven again here" in line for line in told)


def test_a_server_that_greets_as_dask_does_and_is_none_is_told_as_another_program(monkeypatch):
    async def greet(*_):
        raise ValueError("unpack(b) received extra data.")

    monkeypatch.setattr("linkpress.production.cluster._kind_of_server", greet)
    with pytest.raises(UsageError, match="another program answers there"):
        connect("tcp://127.0.0.1:9", 1.0)


class Coming:
    """A cluster on paper: each worker ends as soon as it has got a call, and another one comes."""

    def __init__(self):
        self.copies = {}  # by their keys
        self.client = SimpleNamespace(futures=self.copies, get_executor=lambda **how: self)
        self.workers = SimpleNamespace(able=self.now, there=self.now, holders=dict, idle=lambda: 1)
        self.fault, self.asked, self.find_defect = None, [], lambda slot, result: None

    def jobs(self):
        return 2

    def now(self):
        return frozenset([f"worker {len(self.asked)}"])

    def submit(self, function, *args, key, workers):
        self.asked.append(workers)
        self.copies[key] = Future()
        return self.copies[key]

    def staff(self, *names, silent=(), idle=1):
        """From now on have these workers; the first one holds all calls."""
        self.workers.able = lambda: frozenset(names) - set(silent)
        self.workers.there = lambda: frozenset(names)
        self.workers.holders, self.workers.idle = lambda: dict.fromkeys(self.copies, names[0]), lambda: idle


def test_a_call_that_no_worker_survives_is_lost():
    coming = Coming()
    executor = _ClusterExecutor(coming)
    future = executor.submit(own_pid)
    executor.tend()
    assert not future.done()
    executor.tend()
    assert str(future.exception(0)) == "all workers of the cluster that had it ended"
    assert coming.asked == [["worker 0"], ["worker 1"]]


def test_what_the_client_has_forgotten_is_handed_out_anew_and_what_silent_workers_hold():
    coming = Coming()
    coming.staff("a", "b", idle=0)
    executor = _ClusterExecutor(coming)
    executor.submit(own_pid)
    executor.tend()
    assert len(coming.asked) == 1
    coming.staff("a", "b", silent="a", idle=0)
    executor.tend()
    assert coming.asked[1:] == [["b"]]
    coming.copies.clear()
    executor.tend()
    assert coming.asked[2:] == [["b"]]


@pytest.fixture
def doubled():
    """A call with two copies, as it has been under way while a worker was idle; and its cluster."""
    coming = Coming()
    coming.staff("a", "b")
    executor = _ClusterExecutor(coming)
    future = executor.submit(own_pid)
    executor.tend()
    assert len(coming.asked) == 1
    executor.tend()
    assert coming.asked[1:] == [["b"]]
    return SimpleNamespace(cluster=coming, executor=executor, future=future, copies=[*coming.copies.values()])


def test_the_first_result_of_two_copies_counts(doubled):
    first, second = doubled.copies
    second.set_result((True, 7, "there"))
    assert doubled.future.result(0) == 7
    doubled.executor.tend()
    assert first.cancelled()


@pytest.mark.parametrize("answer", [None, (True, 7), ("yes", 7, "there"), (True, 7, None)])
def test_an_answer_that_is_none_of_linkpress_is_not_waited_for_again(doubled, answer):
    doubled.copies[1].set_result(answer)
    with pytest.raises(ClusterError, match="answers as no linkpress does"):
        doubled.future.result(0)


def test_one_copy_s_fault_is_none_while_the_other_is_under_way(doubled):
    first, second = doubled.copies
    second.set_exception(MemoryError("there"))
    doubled.executor.tend()
    assert not doubled.future.done()
    assert len(doubled.cluster.asked) == 2  # who ends workers gets no others
    first.set_exception(MemoryError("here"))
    assert str(doubled.future.exception(0)) == "here"


def test_the_workers_of_two_copies_that_end_at_once_are_one_loss(doubled):
    doubled.cluster.staff("c")
    doubled.executor.tend()
    assert doubled.cluster.asked[2:] == [["c"]]
    assert not doubled.future.done()


def test_an_interruption_ends_both_copies(doubled):
    ended = []
    doubled.cluster.shutdown = lambda wait: ended.append(wait)
    doubled.executor.shutdown()
    assert (doubled.future.cancelled(), ended) == (True, [False])


@pytest.mark.parametrize("calls", [1, 2])
def test_no_call_has_two_copies_while_others_wait_to_be_handed_out(calls):
    coming = Coming()
    coming.staff("a", "b")
    executor = _ClusterExecutor(coming)
    for _ in range(calls):
        executor.submit(own_pid)
    for _ in range(3):
        executor.tend()
    assert len(coming.asked) == 2  # one call twice, or two once


def test_a_worker_s_address_is_told(cluster):
    with cluster.client() as client:
        (worker, *_) = client.scheduler_info()["workers"]
    with pytest.raises(UsageError, match="that is a worker of Dask, and no scheduler"):
        DaskCluster(worker, print, PATIENT)


def test_the_missing_extra_is_named(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["generate", "--seed", "1", "--cluster", "tcp://desk:8786"]) == 2
    assert "pip install 'linkpress[cluster]'" in capfd.readouterr().err


def test_boards_that_grow_unproven_are_no_work_for_a_cluster(capfd):
    assert run(["generate", "--unproven", "--method", "classic", "--cluster", "tcp://desk:8786"]) == 2
    assert "leave out --cluster" in capfd.readouterr().err
