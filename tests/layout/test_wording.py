import datetime

import pytest

from linkpress.book.printing_keys import Language
from linkpress.engine.recipe import Rule
from linkpress.errors import LayoutError
from linkpress.layout.wording import words_of

ENGLISH = words_of("en")


def test_phrases_are_filled_in() -> None:
    assert ENGLISH.say(ENGLISH.solution_on, page=57) == "Solution p. 57"
    assert ENGLISH.say(ENGLISH.size, cols=7, rows=5) == "7 × 5"


@pytest.mark.parametrize(("number", "words"), [(1, "1 puzzle"), (2, "2 puzzles"), (1200, "1,200 puzzles")])
def test_counts_have_the_language_s_plural_and_separators(number: int, words: str) -> None:
    assert ENGLISH.count_of(number) == words


def test_dates_are_written_out() -> None:
    assert ENGLISH.write(datetime.date(2026, 11, 20)) == "November 20, 2026"


@pytest.mark.parametrize("language", Language)
def test_each_language_that_a_spec_may_name_has_words(language: Language) -> None:
    assert words_of(language).language == language


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(LayoutError, match=r"'xx'.*en"):
        words_of("xx")


@pytest.mark.parametrize(
    ("rules", "promise"),
    [
        ([Rule.STRICT, Rule.STRICT], ENGLISH.promise_strict),
        ([Rule.STRICT, Rule.FILLED], ENGLISH.promise_filled),
    ],
)
def test_no_more_is_promised_than_holds_for_every_puzzle(rules: list[Rule], promise: str) -> None:
    assert ENGLISH.promise(rules) == promise.format(at_the_back=" at the back")
    assert ENGLISH.promise(rules, at_the_back=False) == promise.format(at_the_back="")
