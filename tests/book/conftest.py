from __future__ import annotations

import pytest
from paper_maker import make_on_paper

from linkpress.book.plan import plan_slots
from linkpress.book.produce import produce
from linkpress.book.spec import BookSpec
from linkpress.book.volume import Volume, assemble


@pytest.fixture
def spec() -> BookSpec:
    return BookSpec.model_validate(
        {
            "title": "Link “Ü” 🎲",
            "seed": 7,
            "levels": [
                {"name": "Easy", "count": 4, "size": "7x5", "paths": "4-6", "solids": "0-2"},
                {"name": "Hard", "count": 3, "size": ["7x5", "6"], "paths": "4-6", "unique": "filled"},
            ],
        }
    )


@pytest.fixture
def volume(spec: BookSpec) -> Volume:
    made = produce(plan_slots(spec), maker=make_on_paper)
    return assemble(spec, (one.record for one in made), "0.1.0")
