"""A feed whose disk refuses any one of its steps: said in a sentence, nothing torn, resumed."""

import itertools

import pytest

from failing_disk import FailingDisk, check_one_sentence, contents
from linkpress.book.ledger import Ledger
from linkpress.book.ledger.build import Mark
from linkpress.cli.main import run

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
    monkeypatch.setattr(Mark, "lives", lambda mark, age_s: False)  # each run is a process of its own

    def feed(folder, *options):
        words = ["feed", str(tmp_path / "feed.yaml"), "--from", "2026-12-07", "--days", "1", "--jobs", "1"]
        return run([*words, "-o", str(folder / "out"), "--ledger", str(folder / "ledger.sqlite3"), *options])

    return feed


def test_whichever_step_fails_resuming_ends_with_the_same_bytes(feed, tmp_path, capfd):
    assert feed(tmp_path / "whole") == 0
    whole = contents(tmp_path / "whole")
    assert len(whole) == 4
    seen, resumed = set(), 0
    for at in itertools.count():
        folder, disk = tmp_path / str(at), FailingDisk(at)
        capfd.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            disk.replace(patch)
            ended = feed(folder)
        if disk.failed is None:
            break
        seen.add(disk.failed)
        left, said = contents(folder), capfd.readouterr().err
        if ended != 0:  # the name of a new file need not be synced at once
            assert ended == 5, said
            check_one_sentence(said)
        assert [name for name in left if name.endswith(".part")] == []
        assert all(whole.get(name, content) == content for name, content in left.items())
        if any(name.endswith(".journal") for name in left):
            assert feed(folder) == 5
            assert "--resume" in capfd.readouterr().err
            assert feed(folder, "--resume") == 0
            resumed += 1
        else:
            assert feed(folder) == 0
        assert contents(folder) == whole
        with Ledger(folder / "ledger.sqlite3") as ledger:
            assert [(one.published, one.reserved) for one in ledger.holdings()] == [(1, 0)]
    assert seen == {"mkdir", "open", "write", "fsync", "replace", "database"}
    assert resumed > 15
