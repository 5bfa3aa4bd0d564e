"""A build whose disk refuses any one of its steps: said in a sentence, nothing torn, gone on from."""

import errno
import os
from operator import attrgetter
from pathlib import Path

import pytest

from failing_disk import KINDS, SOME_STEPS, check_one_sentence, contents, each_failure
from linkpress import files
from linkpress.app import build as building
from linkpress.app import series
from linkpress.cli.app import run
from linkpress.ledger.store import Ledger, Liveness

SPEC = """
title: Full
seed: 5
levels:
  - {name: Small, count: 2, size: 7x5, paths: 4-6}
"""


@pytest.fixture
def build(tmp_path, monkeypatch):
    """Builds into a folder of that name; what was checked or typeset once is not so again."""
    (tmp_path / "full.yaml").write_text(SPEC)
    monkeypatch.setattr(Liveness, "lives", lambda liveness, age_s: False)  # each build is a process's own

    def once(module, name, key_of):
        real, results = getattr(module, name), {}

        def from_the_first_time(*args):
            key = key_of(args[0])
            results[key] = results.get(key) or real(*args)
            return results[key]

        monkeypatch.setattr(module, name, from_the_first_time)

    for step in ("lay_out", "draw"):
        once(building, step, attrgetter("json"))
    once(building, "judge", lambda files: tuple(file.content for file in files.values()))
    once(series, "dry_run", lambda document: document.model.model_dump_json())

    def build(folder):
        words = ["build", str(tmp_path / "full.yaml"), "-o", str(folder / "out"), "--jobs", "1"]
        return run([*words, "--ledger", str(folder / "ledger.sqlite3")])

    return build


@SOME_STEPS
@pytest.mark.parametrize(
    ("code", "advice"),
    [
        pytest.param(errno.ENOSPC, "Free some space, ", id="disk full"),
        pytest.param(errno.EIO, "The disk is damaged", id="bad disk", marks=pytest.mark.soak),
        pytest.param(errno.EACCES, "Change the permissions", id="no leave", marks=pytest.mark.soak),
    ],
)
def test_whichever_step_fails_the_next_run_ends_with_the_same_bytes(
    build, tmp_path, capfd, code, advice, every
):
    assert build(tmp_path / "whole") == 0
    whole = contents(tmp_path / "whole")
    del whole["report.txt"]
    steps = []
    for failure in each_failure(build, tmp_path, capfd, whole, code, every):
        steps.append(failure.step)
        if failure.exit_code:
            assert (advice if failure.step != "database" else "the disk is full") in failure.stderr
        assert build(failure.folder) == 0
        again = contents(failure.folder)
        del again["report.txt"]
        assert again == whole
        with Ledger(failure.folder / "ledger.sqlite3") as ledger:
            assert [(one.published, one.reserved) for one in ledger.holdings()] == [(2, 0)]
    assert set(steps) == KINDS
    assert len(steps) > 40 // every


def test_a_volume_that_can_not_be_renamed_is_reported_with_what_was_replaced(build, tmp_path, capfd):
    assert build(tmp_path) == 0
    before = contents(tmp_path)
    spec = tmp_path / "full.yaml"
    spec.write_text(SPEC.replace("seed: 5", "seed: 6"))
    real = os.replace

    def busy(part, path):
        if Path(path).name == "volume.json":
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        real(part, path)

    capfd.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "replace", busy)
        assert build(tmp_path) == 5
    stderr, left = capfd.readouterr().err, contents(tmp_path)
    check_one_sentence(stderr)
    assert (
        "interior.pdf, pages.json took the place of the old files, and volume.json, report.txt did" in stderr
    )
    assert left["interior.pdf"] != before["interior.pdf"]
    assert left["volume.json"] == before["volume.json"]
    assert ".build.journal" in left
    assert build(tmp_path) == 0
    after = contents(tmp_path)
    assert after["interior.pdf"] == left["interior.pdf"]
    assert after["volume.json"] != before["volume.json"]
    assert ".build.journal" not in after
    assert "resumed 2 of 2" in after["report.txt"].decode()


def test_a_volume_that_cannot_be_written_leaves_the_old_book_whole(build, tmp_path, capfd, monkeypatch):
    assert build(tmp_path) == 0
    before = contents(tmp_path)
    (tmp_path / "full.yaml").write_text(SPEC.replace("seed: 5", "seed: 6"))
    real = files._write_bytes

    def full(path, data):
        if b'"linkpress-volume"' in data:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, data)

    capfd.readouterr()
    monkeypatch.setattr(files, "_write_bytes", full)
    assert build(tmp_path) == 5
    stderr = capfd.readouterr().err
    assert "volume.json can't be written: No space left on device. Nothing was changed there" in stderr
    left = contents(tmp_path)
    assert left.pop(".build.journal")
    assert left == before
