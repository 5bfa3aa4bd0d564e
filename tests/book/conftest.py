from __future__ import annotations

import pytest

from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, assemble
from paper_maker import make_slots, paper_spec


@pytest.fixture
def spec() -> BookSpec:
    return paper_spec()


@pytest.fixture
def volume(spec: BookSpec) -> Volume:
    return assemble(spec, (one.record for one in make_slots(plan_slots(spec))), "0.1.0")
