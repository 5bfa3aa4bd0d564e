from __future__ import annotations

import dataclasses
import json

import pytest
from paper_maker import make_on_paper

from linkpress.book.plan import plan_slots
from linkpress.book.produce import produce
from linkpress.book.produced import produced_record, read_produced
from linkpress.book.spec import BookSpec
from linkpress.engine.recipe import Grade
from linkpress.errors import PuzzleError


@pytest.mark.parametrize(("grade", "score"), [(None, None), (Grade.HARD, 17)])
def test_a_record_makes_the_same_puzzle_again(spec: BookSpec, grade: Grade | None, score: int | None) -> None:
    one = produce(plan_slots(spec)[4:5], maker=make_on_paper)[0]
    one = dataclasses.replace(one, grade=grade, score=score, techniques={"one way out": 3}, attempt=2)
    record = json.loads(json.dumps(produced_record(one)))
    assert read_produced(one.slot, record) == one


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("attempt", "0"), ("attempt", -1), ("board", [1]), ("board", "x"), ("solution", [{}]),
        ("rule", "best"), ("grade", 99), ("score", "7"), ("techniques", [1]), ("techniques", {"x": None}),
        ("seconds", "soon"),
    ],
)  # fmt: skip
def test_a_record_of_another_shape_is_refused(spec: BookSpec, key: str, value: object) -> None:
    one = produce(plan_slots(spec)[4:5], maker=make_on_paper)[0]
    with pytest.raises(PuzzleError, match=key):
        read_produced(one.slot, {**produced_record(one), key: value})


def test_a_record_without_a_key_is_refused(spec: BookSpec) -> None:
    one = produce(plan_slots(spec)[4:5], maker=make_on_paper)[0]
    record = produced_record(one)
    for key in record:
        with pytest.raises(PuzzleError, match=key):
            read_produced(one.slot, {other: value for other, value in record.items() if other != key})
