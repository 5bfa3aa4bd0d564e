"""A feed whose disk refuses any one of its steps: said in a sentence, nothing torn, resumed."""

import itertools
import shutil

import pytest

from failing_disk import KINDS, SOME_STEPS, FailingDisk, contents, each_failure
from linkpress.cli.main import run
from linkpress.ledger.ledger_build import Liveness
from linkpress.ledger.store import Ledger

FEED = """
id: full
title: Full
seed: 4
image: {width_mm: 60, dpi: 72, mode: gray}
week:
  monday: {size: 7x5, paths: 4-6}
"""


@pytest.fixture
def feed(tmp_path, monkeypatch):
    """Makes one day in a folder of that name."""
    (tmp_path / "feed.yaml").write_text(FEED)
    monkeypatch.setattr(Liveness, "lives", lambda liveness, age_s: False)  # each run is a process of its own

    def feed(folder, *options):
        words = ["feed", str(tmp_path / "feed.yaml"), "--from", "2026-12-07", "--days", "1", "--jobs", "1"]
        return run([*words, "-o", str(folder / "out"), "--ledger", str(folder / "ledger.sqlite3"), *options])

    return feed


@SOME_STEPS
def test_whichever_step_fails_resuming_ends_with_the_same_bytes(feed, tmp_path, capfd, every):
    assert feed(tmp_path / "whole") == 0
    whole = contents(tmp_path / "whole")
    assert len(whole) == 5
    steps, resumed = set(), 0
    for failure in each_failure(feed, tmp_path, capfd, whole, every=every):
        steps.add(failure.step)
        if any(name.endswith(".journal") for name in failure.left):
            assert feed(failure.folder) == 5
            assert "--resume" in capfd.readouterr().err
            assert feed(failure.folder, "--resume") == 0
            resumed += 1
        else:
            assert feed(failure.folder) == 0
        assert contents(failure.folder) == whole
        with Ledger(failure.folder / "ledger.sqlite3") as ledger:
            assert [(one.published, one.reserved) for one in ledger.holdings()] == [(1, 0)]
    assert steps == KINDS
    assert resumed >= 16 // every


@SOME_STEPS
def test_a_replacement_ends_with_the_same_bytes_whichever_step_fails(feed, tmp_path, capfd, every):
    assert feed(tmp_path / "first") == 0
    spec = tmp_path / "feed.yaml"
    spec.write_text(spec.read_text() + "replace: {2026-12-07: 1}\n")

    def replaced(folder):
        shutil.copytree(tmp_path / "first", folder)
        return feed(folder)

    assert replaced(tmp_path / "whole") == 0
    whole = contents(tmp_path / "whole")
    assert whole != contents(tmp_path / "first")
    resumed = 0
    for at in itertools.count(0, every):
        disk, folder = FailingDisk(at), tmp_path / str(at)
        shutil.copytree(tmp_path / "first", folder)
        with pytest.MonkeyPatch.context() as patch:
            disk.replace(patch)
            feed(folder)
        if disk.failed is None:
            break
        left = contents(folder)
        assert not [name for name in left if name.endswith(".part")]
        cut = any(name.endswith(".journal") for name in left)
        assert feed(folder, *["--resume"] * cut) == 0, capfd.readouterr().err
        assert contents(folder) == whole
        resumed += cut
    assert resumed >= 16 // every
