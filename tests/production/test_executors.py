import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from linkpress.errors import GaveUpError
from linkpress.production.executors import InProcess, worker_processes

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")
METHODS = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]


def double(number):
    return 2 * number


def own_pid():
    return os.getpid()


def hang():
    while True:
        signal.pause()


def hang_in_a_kernel():
    ctypes.PyDLL(None).sleep(60)  # keeps Python's lock


def alive(pid):
    """Return whether a process runs; a zombie does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_bytes().rpartition(b")")[2].split()[0] == b"Z")


def values(pool, futures):
    """Return the values of calls, each None if the call has failed."""
    while not all(future.done() for future in futures):
        pool.poll(None)
    return [None if future.exception() else future.result() for future in futures]


def test_no_more_workers_than_jobs_and_none_in_this_process():
    pool = worker_processes(2)
    pids = set(values(pool, [pool.submit(own_pid) for _ in range(9)]))
    pool.shutdown()
    assert len(pids) <= 2
    assert os.getpid() not in pids


@pytest.mark.parametrize("doing", [hang, hang_in_a_kernel])
def test_shutdown_ends_workers_in_the_middle_of_a_call(doing):
    pool = worker_processes(2)
    (pid,) = values(pool, [pool.submit(own_pid)])
    pool.submit(doing)
    pool.submit(doing)
    assert alive(pid)
    pool.shutdown(wait=False)
    assert not alive(pid)
    assert multiprocessing.active_children() == []


def test_fewer_processes_start_if_the_system_has_no_more(monkeypatch):
    real, left = multiprocessing.process.BaseProcess.start, [3]

    def start(process):
        if not left[0]:
            raise BlockingIOError(11, "Resource temporarily unavailable")
        left[0] -= 1
        real(process)

    monkeypatch.setattr(multiprocessing.process.BaseProcess, "start", start)
    with pytest.raises(GaveUpError, match="no worker process can be started: Resource temp"):
        worker_processes(4)
    left[0] = 6  # of five processes four start, and of two both
    pool = worker_processes(5)
    assert values(pool, [pool.submit(double, 2)]) == [4]
    pool.shutdown()


ORPHANS = """
    import os, sys, time
    from linkpress.production.executors import worker_processes
    sys.path.insert(0, sys.argv[1])
    from test_executors import hang_in_a_kernel, own_pid, values

    if __name__ == "__main__":
        pool = worker_processes(2, *sys.argv[2:])
        pids = set(values(pool, [pool.submit(own_pid) for _ in range(8)]))
        for _ in range(4):
            pool.submit(hang_in_a_kernel)
        print(*pids, flush=True)
        time.sleep(60)
"""


def test_a_result_that_cannot_be_pickled_is_an_error_of_its_call():
    pool = worker_processes(1)
    unpicklable, after = pool.submit(threading.Lock), pool.submit(double, 2)
    assert values(pool, [unpicklable, after]) == [None, 4]
    assert isinstance(unpicklable.exception(), TypeError)
    pool.shutdown()


class UnreadableError(Exception):
    def __init__(self, one, other):
        super().__init__(one)


def raise_unreadable():
    raise UnreadableError(1, 2)


def test_an_exception_that_cannot_be_unpickled_is_an_error_of_its_call():
    pool = worker_processes(1)
    unreadable, after = pool.submit(raise_unreadable), pool.submit(double, 2)
    assert values(pool, [unreadable, after]) == [None, 4]
    assert isinstance(unreadable.exception(), TypeError)
    pool.shutdown()


@pytest.mark.skipif("fork" not in METHODS, reason="the workers inherit a pipe")
def test_a_worker_begins_its_next_call_before_its_last_result_is_read():
    reading, writing = os.pipe()
    pool = worker_processes(1)
    for text in (b"1", b"2"):
        pool.submit(os.write, writing, text)
    assert os.read(reading, 1) + os.read(reading, 1) == b"12"
    pool.shutdown()
    os.close(reading)
    os.close(writing)


def test_a_large_call_waits_until_the_large_result_of_a_worker_is_read():
    pool = worker_processes(1)
    large, length = pool.submit(bytes, 1 << 22), pool.submit(len, bytes(1 << 22))
    assert values(pool, [large, length]) == [bytes(1 << 22), 1 << 22]
    pool.shutdown()


def test_calls_of_an_executor_that_is_shut_down_are_lost():
    pool = worker_processes(1)
    running, queued = pool.submit(hang), pool.submit(own_pid)
    pool.shutdown()
    assert isinstance(running.exception(), BrokenExecutor)
    assert isinstance(queued.exception(), BrokenExecutor)


def test_a_worker_that_dies_breaks_the_executor_and_all_its_calls():
    pool = worker_processes(2)
    hanging, dying = pool.submit(hang), pool.submit(os._exit, 1)
    assert values(pool, [hanging, dying]) == [None, None]
    assert isinstance(dying.exception(), BrokenExecutor)
    assert isinstance(hanging.exception(), BrokenExecutor)
    with pytest.raises(BrokenExecutor):
        pool.submit(own_pid)
    pool.shutdown()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems end a worker only after its kernel")
@pytest.mark.parametrize("method", [*METHODS, None])
def test_no_worker_outlives_a_killed_parent(method, tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(textwrap.dedent(ORPHANS))
    words = [sys.executable, str(script), str(Path(__file__).parent), *([method] if method else [])]
    parent = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    pids = [int(word) for word in parent.stdout.readline().split()]
    assert pids
    parent.kill()
    parent.communicate()
    while any(alive(pid) for pid in pids):
        time.sleep(0.01)


ENDLESS = """\
    import sys
    from functools import partial
    sys.path[:0] = [{tests!r}]
    from paper_maker import make_endlessly, make_slots, paper_spec
    from linkpress.book.plan import plan_slots
    from linkpress.production.dispatch import Workers
    from linkpress.production.executors import worker_processes

    if __name__ == "__main__":
        workers = Workers(2, partial(worker_processes, start_method={method!r}))
        try:
            make_slots(plan_slots(paper_spec()), make_endlessly, workers)
        except KeyboardInterrupt:
            sys.exit(130)
"""


@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_ends_at_once_and_leaves_no_process(tmp_path, method):
    script = tmp_path / "endless.py"
    script.write_text(textwrap.dedent(ENDLESS).format(tests=str(Path(__file__).parents[1]), method=method))
    parent = subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True, preexec_fn=handle_ctrl_c,
    )  # fmt: skip
    workers = [int(parent.stdout.readline()) for _ in range(2)]
    os.killpg(parent.pid, signal.SIGINT)  # as a terminal does
    _, errors = parent.communicate()
    assert (parent.returncode, errors) == (130, "")
    assert [pid for pid in workers if alive(pid)] == []


def handle_ctrl_c():
    """Handle Ctrl-C, which background processes ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_one_job_needs_no_second_process():
    pool = InProcess()
    assert pool.submit(os.getpid).result() == os.getpid()
    assert isinstance(pool.submit(int, "x").exception(), ValueError)


INTERRUPTED_WHILE_FORKING = """
import multiprocessing, os, signal
from linkpress.production.executors import worker_processes
signal.signal(signal.SIGINT, signal.default_int_handler)
os.register_at_fork(before=lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    worker_processes(2, "fork")
except KeyboardInterrupt:
    print("interrupted with", len(multiprocessing.active_children()), "workers")
"""


def test_an_interruption_while_workers_are_forked_is_not_lost():
    ended = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_WHILE_FORKING], capture_output=True, text=True, check=True
    )
    assert ended.stdout == "interrupted with 0 workers\n"
