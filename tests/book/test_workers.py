from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkpress.book.workers import InProcess, available_jobs

ENDLESS = """\
import sys
sys.path.insert(0, {here!r})
from paper_maker import make_endlessly
from linkpress.book.plan import plan_slots
from linkpress.book.produce import produce
from linkpress.book.spec import BookSpec

if __name__ == "__main__":
    level = {{"name": "A", "count": 9, "size": "7x5"}}
    spec = BookSpec.model_validate({{"title": "x", "seed": 1, "levels": [level]}})
    try:
        produce(plan_slots(spec), 2, maker=make_endlessly, start_method={start!r})
    except KeyboardInterrupt:
        sys.exit(130)
"""


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"


def begin(folder: Path, start: str) -> tuple[subprocess.Popen[str], list[int]]:
    script = folder / "endless.py"
    script.write_text(ENDLESS.format(here=str(Path(__file__).parent), start=start))
    parent = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert parent.stdout is not None
    return parent, [int(parent.stdout.readline()) for _ in range(2)]


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group of processes")
@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_ctrl_c_ends_at_once_and_leaves_no_process(tmp_path: Path, start: str) -> None:
    parent, workers = begin(tmp_path, start)
    os.killpg(parent.pid, signal.SIGINT)  # as a terminal does
    _, said = parent.communicate(timeout=30)
    assert parent.returncode == 130
    assert said == ""
    assert [worker for worker in workers if is_alive(worker)] == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals to a group of processes")
def test_workers_end_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    parent, workers = begin(tmp_path, "fork")
    parent.kill()
    # The workers hold the other end of the pipe: it closes when the last of them has ended.
    parent.communicate(timeout=30)
    while any(is_alive(worker) for worker in workers):  # a process lets go of its files before it ends
        time.sleep(0.01)
    assert parent.returncode == -signal.SIGKILL


def test_one_job_needs_no_second_process() -> None:
    pool = InProcess()
    assert pool.submit(os.getpid).result() == os.getpid()
    assert isinstance(pool.submit(int, "x").exception(), ValueError)


def test_there_is_always_a_core() -> None:
    assert available_jobs() >= 1
