"""The feed that the tests of whole runs make."""

import pytest
from news_samples import FEED_TEXT, FRIDAY, run_of, write_feed

from linkpress.feeds.feed_run import feed
from linkpress.production.dispatch import Workers
from linkpress.production.executors import InProcess, worker_processes
from linkpress.production.ledger_session import NO_LEDGER


@pytest.fixture
def make(tmp_path):
    """Runs the test feed; the same folder unless another is named."""

    def run(days, first=FRIDAY, text=FEED_TEXT, out="out", **how):
        how.setdefault("ledger", NO_LEDGER)
        how.setdefault("jobs", 1)
        how.setdefault("workers", Workers(how["jobs"], InProcess if how["jobs"] == 1 else worker_processes))
        return feed(write_feed(tmp_path, text), run_of(days, first), tmp_path / out, **how)

    return run
