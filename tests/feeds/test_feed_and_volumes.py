"""A year's feed and three volumes on one ledger."""

import json
import os
from datetime import date
from pathlib import Path

import pytest

from linkpress.app.build import build
from linkpress.feeds.calendar import FeedDates
from linkpress.feeds.feed_run import feed
from linkpress.ledger.entries import Kind
from linkpress.ledger.store import Ledger
from linkpress.puzzle.notation.link_text import parse_board_rows
from linkpress.puzzle.symmetry import fingerprint
from linkpress.resources import resource

VOLUME = """
title: Volume
volume: {volume}
seed: 1
levels:
  - {{name: Easy, count: 40, size: 7, paths: 5-7}}
  - {{name: Hard, count: 20, size: 9, paths: 9-11}}
"""


@pytest.mark.soak
@pytest.mark.timeout(3000)
def test_a_years_feed_and_three_volumes_share_no_puzzle(tmp_path):
    marks = []
    for volume in (1, 2, 3):  # the same seed, so that only the ledger keeps them apart
        path = tmp_path / f"{volume}.yaml"
        path.write_text(VOLUME.format(volume=volume))
        content = json.loads((build(path, tmp_path).folder / "volume.json").read_text())
        marks += [fingerprint(parse_board_rows(one["board"])) for one in content["puzzles"]]
    feed(resource("config", "feed-daily.yaml"), FeedDates(date(2026, 12, 1), 365), tmp_path / "feed")
    with Ledger(Path(os.environ["LINKPRESS_LEDGER"])) as ledger:
        held = [(one.holder.kind, one.published, one.reserved) for one in ledger.holdings()]
        records = list(ledger.entries())
    assert held == [*[(Kind.VOLUME, 60, 0)] * 3, (Kind.FEED, 365, 0)]
    days = [one.board.split("\n") for one in records if one.kind is Kind.FEED]
    marks += [fingerprint(parse_board_rows(board)) for board in days]
    assert len(set(marks)) == len(marks) == 3 * 60 + 365
