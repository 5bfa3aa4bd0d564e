"""First books from six answers."""

from itertools import product
from pathlib import Path

import pytest

from linkpress.book.first_specs import GuidedAnswers, guided_choices, guided_text
from linkpress.book.grade_odds import load_odds
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec, read_spec
from linkpress.errors import UsageError
from linkpress.press.rehearsal import find_problems
from linkpress.production.forecast import level_outlooks

CHOICES = guided_choices()


def book(**changed: str) -> BookSpec:
    answers = {name: choices[0] for name, choices in CHOICES.items()} | changed
    document = read_spec(Path("first.yaml"), guided_text("Ours: a book", GuidedAnswers(**answers)))
    assert document.problems == []
    assert document.model is not None
    return document.model


@pytest.mark.parametrize(("reader", "hardness"), list(product(CHOICES["reader"], CHOICES["hardness"])))
def test_every_level_is_likely_to_be_found(reader: str, hardness: str) -> None:
    spec = book(reader=reader, hardness=hardness, count="200")
    levels = list(level_outlooks(plan_slots(spec), load_odds()))
    assert sum(len(slots) for level in levels for slots in level.each) == 200
    assert [level.level for level in levels if level.poor or level.time_s is None] == []


@pytest.mark.parametrize(
    "changed",
    [
        {"reader": "large-print", "trim": "A5", "printer": "lulu", "hardness": "hard"},
        {"reader": "enthusiasts", "printer": "ingramspark", "hardness": "rising", "trim": "A4"},
        {"printer": "generic", "trim": "8.5x8.5in"},
    ],
)
def test_a_first_book_can_be_printed_as_it_is(changed: dict[str, str]) -> None:
    answers = GuidedAnswers(**{name: choices[0] for name, choices in CHOICES.items()} | changed)
    found = find_problems(read_spec(Path("first.yaml"), guided_text("Ours", answers)), Path())
    assert [problem.text for problem in found.problems] + list(found.elsewhere) == []


def test_levels_are_titled_in_the_language_of_the_book() -> None:
    assert book(language="es", hardness="hard").levels[1].name == "2. Fácil"


def test_an_answer_that_is_not_offered_is_refused() -> None:
    with pytest.raises(UsageError, match="choose 6x9in"):
        GuidedAnswers("children", "40", "gentle", "A6", "lulu", "en")
