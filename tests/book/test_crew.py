import ctypes
import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from linkpress.book.crew import Crew, WorkerLost
from linkpress.errors import RecipeError

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")
METHODS = [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()]


def double(number):
    return 2 * number


def own_pid():
    return os.getpid()


def fail():
    raise RecipeError("can't be met")


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def hang():
    while True:
        signal.pause()


def hang_in_a_kernel():
    ctypes.PyDLL(None).sleep(60)  # keeps the interpreter's lock


def finish(crew, *futures):
    while not all(future.done() for future in futures):
        crew.attend(0.2)
    return futures


def alive(pid):
    """Whether a process runs; one that has ended and that nobody has asked about does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{pid}/stat")
    return not (state.exists() and state.read_bytes().rpartition(b")")[2].split()[0] == b"Z")


@pytest.mark.parametrize("method", METHODS)
def test_calls_end_with_their_results_whatever_the_start_method(method):
    with Crew(2, method) as crew:
        futures = finish(crew, *[crew.submit(double, number) for number in range(9)])
    assert [future.result() for future in futures] == [2 * number for number in range(9)]


def test_no_more_workers_than_jobs_and_none_in_this_process():
    with Crew(2) as crew:
        futures = finish(crew, *[crew.submit(own_pid) for _ in range(9)])
    pids = {future.result() for future in futures}
    assert len(pids) <= 2
    assert os.getpid() not in pids


def test_what_a_call_raises_is_its_futures():
    with Crew(1) as crew:
        (future,) = finish(crew, crew.submit(fail))
    with pytest.raises(RecipeError, match="can't be met"):
        future.result()


def test_a_call_that_kills_its_worker_is_lost_alone():
    with Crew(1) as crew:
        futures = finish(crew, crew.submit(double, 1), crew.submit(die), crew.submit(double, 2))
        assert [futures[0].result(), futures[2].result()] == [2, 4]
        with pytest.raises(WorkerLost, match="SIGKILL"):
            futures[1].result()


def test_a_call_that_hangs_is_lost_when_patience_ends():
    with Crew(1, patience_s=0.3) as crew:
        hanging, after = finish(crew, crew.submit(hang), crew.submit(double, 2))
    with pytest.raises(WorkerLost, match="did not answer"):
        hanging.result()
    assert after.result() == 4


def test_leaving_ends_workers_in_the_middle_of_a_call():
    with Crew(2) as crew:
        (future,) = finish(crew, crew.submit(own_pid))
        crew.submit(hang)
        crew.submit(hang)
        assert alive(future.result())
    assert not alive(future.result())
    assert multiprocessing.active_children() == []


ORPHANS = """
    import os, sys, time
    from linkpress.book.crew import Crew
    sys.path.insert(0, sys.argv[1])
    from test_crew import own_pid, hang_in_a_kernel, finish

    if __name__ == "__main__":
        crew = Crew(2, *sys.argv[2:])
        pids = {f.result() for f in finish(crew, *[crew.submit(own_pid) for _ in range(8)])}
        for _ in range(4):
            crew.submit(hang_in_a_kernel)
        print(*pids, flush=True)
        time.sleep(60)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a worker ends after its kernel")
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
    for _ in range(200):
        if not any(alive(pid) for pid in pids):
            break
        time.sleep(0.05)
    assert not any(alive(pid) for pid in pids)
