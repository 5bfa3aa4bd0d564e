"""A feed whose disk refuses any one of its steps: said in a sentence, nothing torn, resumed."""

import pytest

from failing_disk import contents, each_failure
from linkpress.book.ledger import Ledger
from linkpress.book.ledger.store import Mark
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
    assert len(whole) == 5
    steps, resumed = set(), 0
    for failure in each_failure(feed, tmp_path, capfd, whole):
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
    assert steps == {"mkdir", "open", "write", "fsync", "replace", "database"}
    assert resumed > 15
