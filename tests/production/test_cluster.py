"""Runs on a real Dask cluster of several processes."""

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
from linkpress.errors import ClusterError, RecipeError, UsageError
from linkpress.feeds.feed_run import feed
from linkpress.feeds.feed_spec import read_dates
from linkpress.production import cluster as dask_cluster
from linkpress.production.cluster import DaskCluster, _ClusterExecutor, connect
from linkpress.production.dispatch import Workers, call_each
from linkpress.production.executors import InProcess, open_workers
from linkpress.production.ledger_session import NO_LEDGER
from linkpress.production.slot_search import is_proven, make_slot
from linkpress.puzzle.puzzle import Grid, Puzzle, Solution
from linkpress.puzzle.puzzle import Path as PuzzlePath
from local_cluster import local_cluster
from paper_maker import Heard, essence, make_slots, make_slowly, own_pid, refuse_third

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
  - {name: Big, count: 40, size: 14, technique: hard-fiendish, effort: 4}
"""
MANY = BookSpec.model_validate(
    {"title": "T", "seed": 7, "levels": [{"name": "Easy", "count": 16, "size": "7x5", "paths": "4-6"}]}
)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    """Start a cluster with two workers, which every test leaves unchanged."""
    with local_cluster(tmp_path_factory.mktemp("cluster"), "one", "two") as started:
        yield started


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Build the book with one job, and return its folder."""
    folder = tmp_path_factory.mktemp("alone")
    return build(write(folder / "book.yaml", BOOK), folder, 1, ledger=NO_LEDGER).folder


@pytest.fixture
def stopping(cluster):
    """Return a function that stops a process of the cluster until the end of the test."""
    stopped = []

    def stop(process):
        stopped.append(process)
        process.send_signal(signal.SIGSTOP)

    yield stop
    for process in stopped:
        process.send_signal(signal.SIGCONT)


def workers_of(joined):
    return Workers(2, joined.executor, remote=True)


def files_of(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != "report.txt"}


def until(condition):
    while not condition():
        time.sleep(0.02)


def write(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_book_and_its_page_to_play_have_the_same_bytes_as_with_one_job(cluster, alone, tmp_path):
    spec = write(tmp_path / "book.yaml", BOOK)
    words = ["build", str(spec), "-o", str(tmp_path / "there"), "--no-ledger", "--cluster", cluster.address]
    assert run(words) == 0
    there = files_of(tmp_path / "there" / "cluster")
    assert sorted(there) == ["interior.pdf", "pages.json", "play.html", "volume.json"]
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


def test_an_exception_of_a_worker_has_the_same_message_as_without_a_cluster(cluster):
    with open_workers(None, cluster.address, print) as workers, pytest.raises(RecipeError) as there:
        make_slots(plan_slots(MANY), refuse_third, workers)
    with pytest.raises(RecipeError) as here:
        make_slots(plan_slots(MANY), refuse_third)
    assert str(there.value) == str(here.value)


def test_an_interruption_cancels_the_calls(cluster, tmp_path):
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
    _, output = process.communicate()
    assert process.returncode == 130
    assert "kept: the same command goes on from there" in output
    until(lambda: not cluster.has_calls())
    assert [path.name for path in (tmp_path / "hard").iterdir()] == [".build.journal"]


def test_calls_of_workers_that_are_killed_are_made_by_new_ones(cluster):
    slots, killed = plan_slots(MANY), list(cluster.workers)

    def replace_workers():
        for name in killed:
            cluster.workers.pop(name).kill()
        cluster.add(*(f"{name}'s successor" for name in killed))

    with open_workers(None, cluster.address, print) as workers:
        made = make_slots(slots, make_slowly, workers, watcher=Heard(replace_workers))
    assert essence(made) == essence(make_slots(slots))


def test_a_cluster_that_lost_its_workers_is_given_up_in_time(tmp_path, monkeypatch):
    messages = []
    with local_cluster(tmp_path, "one") as cluster, DaskCluster(cluster.address, messages.append) as joined:
        monkeypatch.setattr(dask_cluster, "WORKER_WAIT_S", 1.0)
        kill = Heard(cluster.workers["one"].kill)
        with pytest.raises(ClusterError, match="is lost: it has had no worker for 1 s"):
            make_slots(plan_slots(MANY), make_slowly, workers_of(joined), watcher=kill)
    assert messages == ["the cluster has no worker left; waiting for one for 1 s"]


def lose_scheduler(address, spec, out, lose, monkeypatch):
    """Build a book until its scheduler is lost, check the message, and return the names of the files."""

    def lose_soon_noticed():
        monkeypatch.setattr(dask_cluster, "SILENCE_S", 2.0)
        lose()

    with DaskCluster(address, print) as joined, pytest.raises(ClusterError) as lost:
        build(spec, out, None, Heard(lose_soon_noticed), ledger=NO_LEDGER, workers=workers_of(joined))
    assert re.fullmatch(
        rf"the cluster at {address} is lost: its scheduler has ended, or can't be reached any more\. "
        r"\d+ of 16 puzzles (is|are) kept: the same command goes on from there, with --cluster or without\.",
        str(lost.value),
    )
    assert lost.value.exit_code == 6
    return [path.name for path in (out / "cluster").iterdir()]


def test_a_silent_scheduler_ends_the_build(cluster, stopping, tmp_path, monkeypatch):
    spec = write(tmp_path / "book.yaml", BOOK)
    left = lose_scheduler(cluster.address, spec, tmp_path, lambda: stopping(cluster.scheduler), monkeypatch)
    assert left == [".build.journal"]


def test_a_build_goes_on_without_the_cluster_after_its_scheduler_ended(alone, tmp_path, monkeypatch):
    spec = write(tmp_path / "book.yaml", BOOK)
    (tmp_path / "dask").mkdir()
    with local_cluster(tmp_path / "dask", "one") as cluster:
        left = lose_scheduler(cluster.address, spec, tmp_path / "there", cluster.scheduler.kill, monkeypatch)
    assert left == [".build.journal"]
    again = build(spec, tmp_path / "there", 1, ledger=NO_LEDGER)
    assert "resumed" in (again.folder / "report.txt").read_text()
    assert files_of(again.folder) == files_of(alone)


@pytest.fixture
def other_release(tmp_path):
    """Create a folder with a linkpress of another version."""
    package = tmp_path / "other" / "linkpress"
    package.mkdir(parents=True)
    for part in Path(linkpress.__file__).parent.iterdir():
        (package / part.name).symlink_to(part)
    module = package / "version.py"
    text = module.read_text(encoding="utf-8")
    module.unlink()
    write(module, text.replace(f'__version__ = "{linkpress.__version__}"', '__version__ = "9.9.9"'))
    return package.parent


@pytest.fixture
def without_cluster(tmp_path):
    """Create a folder with a linkpress that has no module for clusters."""
    package = tmp_path / "without" / "linkpress"
    package.mkdir(parents=True)
    write(package / "__init__.py", "")
    return package.parent


def test_only_workers_with_the_same_linkpress_take_part(
    tmp_path, other_release, without_cluster, monkeypatch
):
    (tmp_path / "dask").mkdir()
    messages = []
    with local_cluster(tmp_path / "dask") as cluster:
        with monkeypatch.context() as patch:
            patch.setattr(dask_cluster, "WORKER_WAIT_S", 1.0)
            with pytest.raises(ClusterError, match="has no worker that answers"):
                DaskCluster(cluster.address, messages.append).__enter__()
        assert messages == [f"{cluster.address} has no worker; waiting for one for 1 s"]
        cluster.add("without", path=without_cluster)
        with pytest.raises(ClusterError, match=r"\(without\) has no linkpress that can join.* Install"):
            DaskCluster(cluster.address, messages.append).__enter__()
        cluster.add("plain", LINKPRESS_KERNELS="plain")
        del messages[:]
        with DaskCluster(cluster.address, messages.append) as joined:
            cluster.add("late", path=other_release)
            pids = set(call_each(workers_of(joined), own_pid, [("",)] * 8))
            until(lambda: len(messages) == 3)
            pids |= set(call_each(workers_of(joined), own_pid, [("",)] * 8))
        assert pids == {cluster.workers["plain"].pid}
    assert any("(plain) is about a hundred times slower than compiled: " in line for line in messages)
    assert any("(without) has no linkpress" in line for line in messages)
    assert any(
        "(late) has linkpress 9.9.9" in line and f", not linkpress {linkpress.__version__}" in line
        for line in messages
    )


def make_wrong_board(recipe, seed, method, work=0):
    """Return a board with a single path through all cells, which has many solutions."""
    made = make_slowly(recipe, seed, method)
    grid = Grid(recipe.rows, recipe.cols)
    cols = range(recipe.cols)
    snake = [grid.cell(row, col) for row in range(recipe.rows) for col in cols[:: -1 if row % 2 else 1]]
    puzzle = Puzzle.from_numbers(grid, {snake[0]: 1, snake[-1]: 1})
    return replace(made, solution=Solution(puzzle, (PuzzlePath(1, tuple(snake)),)))


def test_every_board_of_a_cluster_is_proven_again():
    first, *_ = plan_slots(MANY)
    assert is_proven(make_slot(partial(generate, graded=True), first, 0))
    with pytest.raises(ClusterError, match=r"made a wrong board for puzzle 1 of level Easy"):
        make_slots([first], make_wrong_board, Workers(1, InProcess, remote=True))


def test_garbage_that_looks_like_dask_is_reported_as_another_program(monkeypatch):
    async def greet(*_):
        raise ValueError("unpack(b) received extra data.")

    monkeypatch.setattr(dask_cluster, "_server_kind", greet)
    with pytest.raises(UsageError, match="another program answers there"):
        connect("tcp://127.0.0.1:9")


class ChangingCluster:
    """Stand-in for ``DaskCluster``: each worker ends as soon as it gets a call, and another one joins."""

    def __init__(self):
        self.tasks, self.submitted, self.error = {}, [], None
        self.client = SimpleNamespace(futures=self.tasks, get_executor=lambda **_: self)

    def workers(self):
        return frozenset([f"worker {len(self.submitted)}"])

    def submit(self, function, *args, key, workers):
        self.submitted.append(workers)
        self.tasks[key] = Future()
        return self.tasks[key]


def test_a_call_that_no_worker_survives_is_lost():
    cluster = ChangingCluster()
    executor = _ClusterExecutor(cluster)
    future = executor.submit(own_pid)
    for _ in range(2):
        executor.resubmit_stranded()
    assert not future.done()
    executor.resubmit_stranded()
    assert str(future.exception(0)) == "all workers of the cluster that could make it ended"
    assert cluster.submitted == [["worker 0"], ["worker 1"], ["worker 2"]]


def test_calls_that_the_client_forgot_are_submitted_again():
    cluster = ChangingCluster()
    executor = _ClusterExecutor(cluster)
    executor.submit(own_pid)
    cluster.tasks.clear()
    executor.resubmit_stranded()
    assert len(cluster.submitted) == 2


def test_the_address_of_a_worker_is_refused(cluster):
    with cluster.client() as client:
        (worker, *_) = client.scheduler_info()["workers"]
    with pytest.raises(UsageError, match="that is a worker of Dask, and no scheduler"):
        DaskCluster(worker, print)


def test_the_missing_extra_is_named(monkeypatch, capfd):
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert run(["generate", "--seed", "1", "--cluster", "tcp://desk:8786"]) == 2
    assert "pip install 'linkpress[cluster]'" in capfd.readouterr().err


def test_unproven_boards_are_not_made_on_a_cluster(capfd):
    assert run(["generate", "--unproven", "--method", "classic", "--cluster", "tcp://desk:8786"]) == 2
    assert "Leave out --cluster" in capfd.readouterr().err
