import dataclasses
import json

import pytest

from linkpress.book.level import IfGradeMissing
from linkpress.book.plan import plan_slots
from linkpress.engine.recipe import Grade
from linkpress.errors import PuzzleError
from linkpress.production.slot_search import journal_line, read_journal_line
from paper_maker import make_slots


@pytest.mark.parametrize(("grade", "score"), [(None, None), (Grade.HARD, 17)])
def test_a_line_makes_the_same_puzzle_again(spec, grade, score):
    one = make_slots(plan_slots(spec)[4:5])[0]
    facts = {"grade": grade, "score": score, "techniques": {"one way out": 3}}
    marked = dataclasses.replace(one.record, attempt=2, seed=one.slot.seed_of(2), **facts)
    one = dataclasses.replace(one, record=marked)
    record = json.loads(json.dumps(journal_line(one)))
    assert read_journal_line(one.slot, record) == one


@pytest.mark.parametrize(
    ("widened", "before", "now", "otherwise", "holds"),
    [
        (0, 1.0, 4.0, IfGradeMissing.FAIL, True),  # a longer search ends with the same puzzle
        (0, 4.0, 1.0, IfGradeMissing.FAIL, False),
        (1, 4.0, 4.0, IfGradeMissing.NEAREST, True),
        (1, 1.0, 4.0, IfGradeMissing.NEAREST, False),  # which may find the grade itself
        (1, 4.0, 4.0, IfGradeMissing.FAIL, False),
    ],
)
def test_a_line_holds_where_the_slot_s_own_search_would_end_so(spec, widened, before, now, otherwise, holds):
    slot = dataclasses.replace(plan_slots(spec)[4], effort=before, otherwise=IfGradeMissing.NEAREST)
    line = journal_line(dataclasses.replace(make_slots([slot])[0], widened=widened))
    later = dataclasses.replace(slot, effort=now, otherwise=otherwise)
    assert line["key"] == later.key
    if holds:
        assert read_journal_line(later, line).widened == widened
    else:
        with pytest.raises(PuzzleError, match="effort"):
            read_journal_line(later, line)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attempt", "0"), ("attempt", -1), ("board", [1]), ("board", "x"), ("solution", [{}]),
        ("rule", "best"), ("grade", 99), ("score", "7"), ("techniques", [1]), ("techniques", {"x": None}),
        ("seconds", "soon"),
    ],
)  # fmt: skip
def test_a_line_of_another_shape_is_refused(spec, key, value):
    one = make_slots(plan_slots(spec)[4:5])[0]
    with pytest.raises(PuzzleError, match=key):
        read_journal_line(one.slot, {**journal_line(one), key: value})


def test_a_line_without_a_key_is_refused(spec):
    one = make_slots(plan_slots(spec)[4:5])[0]
    record = journal_line(one)
    for key in record.keys() - {"key", "stars", "measure"}:  # 0.1.0 wrote no stars, 0.2.0 no measure
        with pytest.raises(PuzzleError, match=key):
            read_journal_line(one.slot, {other: value for other, value in record.items() if other != key})
