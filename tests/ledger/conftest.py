import pytest

from linkpress.ledger.store import Ledger


@pytest.fixture
def ledger(place):
    with Ledger(place) as opened:
        yield opened
