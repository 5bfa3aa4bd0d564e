"""Builds that are killed, interrupted, repeated or run side by side. Real processes, real engine."""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from datetime import datetime
from pathlib import Path

import pytest

from linkpress.app.build import build
from linkpress.errors import OutputError
from linkpress.ledger.store import Ledger
from linkpress.production.journal import RunLog
from linkpress.production.ledger_session import NO_LEDGER

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as in POSIX")

SPEC = """
title: {title}
seed: 5
levels:
  - {{name: Small, count: 8, size: 7x5, paths: 4-6}}
  - {{name: Large, count: {large}, size: 9x8, paths: 10}}
"""
COUNT = 12
SHARED_MEMORY = Path("/dev/shm")


@pytest.fixture
def spec(tmp_path):
    return write_spec(tmp_path, "Kill")


def write_spec(folder, title, large=COUNT - 8):
    path = folder / f"{title}.yaml"
    path.write_text(SPEC.format(title=title, large=large))
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The bytes of an uninterrupted build."""
    folder = tmp_path_factory.mktemp("whole")
    return bytes_of(build(write_spec(folder, "Kill"), folder, 1, ledger=NO_LEDGER))


def bytes_of(built):
    return [(built.folder / name).read_bytes() for name in ("interior.pdf", "volume.json")]


# It makes no more than so many puzzles, says so on standard output, and waits for what is done to it.
HELD = """
import os, signal, sys
from linkpress.__main__ import main
from linkpress.production.journal import Journal

append, left = Journal.append, int(sys.argv.pop(1))

def append_and_hold(journal, records):
    global left
    records = list(records)
    append(journal, records)
    begun, left = left, left - len(records)
    if left <= 0 < begun:
        os.write(1, b"held")
        signal.pause()

Journal.append = append_and_hold
main()
"""


def start(spec, out, *options, jobs=1, made=None):
    """Start a build; one that is to be held after so many puzzles is returned when it is."""
    how = ["-m", "linkpress"] if made is None else ["-c", HELD, str(made)]
    words = ["build", str(spec), "-o", str(out), "--jobs", str(jobs), *options]
    process = subprocess.Popen(
        [sys.executable, *how, *words], stdout=None if made is None else subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=hear_signals,
    )  # fmt: skip
    if made is not None:
        assert process.stdout.read(4) == "held", process.stderr.read()
    return process


def hear_signals():
    """Also where these tests run in the background or under nohup."""
    for number in (signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


def worker_pids(parent):
    tasks = Path(f"/proc/{parent}/task")
    return [int(pid) for task in tasks.glob("*/children") for pid in task.read_text().split()]


def alive(pid):
    state = Path(f"/proc/{pid}/stat")
    try:
        return state.read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return False


def test_a_killed_build_goes_on_and_ends_with_the_same_bytes(spec, tmp_path, whole):
    process = start(spec, tmp_path, made=7)
    with pytest.raises(OutputError, match="another linkpress is at work"):
        build(spec, tmp_path, ledger=NO_LEDGER)
    process.kill()
    process.communicate()
    assert not (tmp_path / "kill" / "volume.json").exists()
    built = build(spec, tmp_path, 1)
    assert bytes_of(built) == whole
    resumed = re.search("resumed ([0-9]+) of 12$", (built.folder / "report.txt").read_text(), re.MULTILINE)
    assert int(resumed[1]) >= 7
    names = {path.name for path in built.folder.iterdir()}
    assert names == {"interior.pdf", "pages.json", "report.txt", "volume.json"}


# As a terminal sends them, to the whole group, and as others do, to the command alone.
@pytest.mark.parametrize(("send", "number"), [(os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM)])
def test_asked_to_end_it_ends_with_130_leaves_no_process_and_says_how_to_go_on(
    spec, tmp_path, whole, send, number
):
    process = start(spec, tmp_path, jobs=2, made=3)
    workers = worker_pids(process.pid)
    assert len(workers) >= 2
    send(process.pid, number)
    _, stderr = process.communicate()
    assert process.returncode == 130
    assert "of 12 puzzles are kept: the same command goes on from there" in stderr
    assert "Traceback" not in stderr
    assert not any(alive(pid) for pid in workers)
    assert bytes_of(build(spec, tmp_path, 1)) == whole


@pytest.fixture
def in_memory():
    """A folder on another file system than the temporary one, so that nothing can be renamed across."""
    if not SHARED_MEMORY.is_dir() or SHARED_MEMORY.stat().st_dev == Path(tempfile.gettempdir()).stat().st_dev:
        pytest.skip("no second file system here")
    with tempfile.TemporaryDirectory(dir=SHARED_MEMORY) as folder:
        yield Path(folder)


def test_an_output_folder_on_another_file_system_gets_the_same_bytes(tmp_path, in_memory):
    path = write_spec(tmp_path, "Far", large=1)
    near, far = (build(path, folder, ledger=NO_LEDGER) for folder in (tmp_path, in_memory))
    assert bytes_of(far) == bytes_of(near)
    assert {one.name for one in far.folder.iterdir()} == {one.name for one in near.folder.iterdir()}


def test_building_again_gives_the_same_book_even_if_what_stood_in_its_way_has_gone(tmp_path):
    first, second = (write_spec(tmp_path, title, large=1) for title in ("one", "two"))
    build(first, tmp_path)
    built = build(second, tmp_path)
    before = bytes_of(built)
    report = (built.folder / "report.txt").read_text()
    assert "passed over    puzzle 1 of level Small, attempt 0: it is in volume one, " in report
    volume = json.loads(before[1])
    assert {one["attempt"] for one in volume["puzzles"]} == {1}
    with Ledger(Path(os.environ["LINKPRESS_LEDGER"])) as ledger:
        (holding,) = (one for one in ledger.holdings() if one.holder.name == "one")
        ledger.forget(holding.holder)
    assert bytes_of(build(second, tmp_path)) == before


def test_the_clock_changes_no_byte_and_holds_nothing_up(tmp_path, monkeypatch):
    path = write_spec(tmp_path, "Clock", large=1)
    before = bytes_of(build(path, tmp_path))

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return cls.fromtimestamp(time.time(), tz)

    monkeypatch.setattr("linkpress.ledger.store.datetime", Clock)
    monkeypatch.setattr("linkpress.production.journal.datetime", Clock)
    for moment_s, year in ((1.0, "1970"), (0.0, "1970"), (4_294_967_296.0, "2106")):
        monkeypatch.setattr(time, "time", lambda at=moment_s: at)
        with RunLog(tmp_path / year) as log:
            assert bytes_of(build(path, tmp_path, log=log)) == before
        assert json.loads((tmp_path / year).read_text().splitlines()[0])["at"].startswith(year)
    with Ledger(Path(os.environ["LINKPRESS_LEDGER"])) as ledger:
        assert [(one.published, one.reserved) for one in ledger.holdings()] == [(9, 0)]


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="cores as Linux gives them")
def test_one_core_no_temporary_folder_and_a_kill_while_writing_change_no_byte(tmp_path, monkeypatch):
    path = write_spec(tmp_path, "Bare", large=1)
    before = bytes_of(build(path, tmp_path / "usual", ledger=NO_LEDGER))
    (tmp_path / "bare" / "bare").mkdir(parents=True)
    (tmp_path / "bare" / "bare" / ".linkpress-k1ll3d.part").write_text("{")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "none"))
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        built = build(path, tmp_path / "bare", ledger=NO_LEDGER)
    finally:
        os.sched_setaffinity(0, cores)
    assert bytes_of(built) == before
    assert len(list(built.folder.iterdir())) == 4
