"""Phrases filled in, and the words of every shipped language."""

import datetime
import re

import pytest

from linkpress.documents.shipped_files import LANGUAGES
from linkpress.engine.recipe import Rule
from linkpress.words.language import load_words

ENGLISH = load_words("en")


@pytest.fixture(params=LANGUAGES.names())
def words(request):
    return load_words(request.param)


def test_phrases_are_filled_in():
    assert ENGLISH.say(ENGLISH.solution_on, page=57) == "Solution p. 57"
    assert ENGLISH.say(ENGLISH.size, cols=7, rows=5) == "7 × 5"


@pytest.mark.parametrize(("number", "words"), [(1, "1 puzzle"), (2, "2 puzzles"), (1200, "1,200 puzzles")])
def test_counts_have_the_language_s_plural_and_separators(number, words):
    assert ENGLISH.count_of(number) == words


def test_dates_are_written_out():
    assert ENGLISH.write(datetime.date(2026, 11, 20)) == "November 20, 2026"


def test_thai_lists_have_spaces_beside_figures_and_latin_letters():
    thai = load_words("th")
    assert thai.listed(["7 × 7", "7 × 9"]) == "7 × 7 และ 7 × 9"
    assert thai.listed(["r1c1", "r2c2", "r3c3"]) == "r1c1 r2c2 และ r3c3"
    assert thai.listed(["ง่าย", "ยาก"]) == "ง่ายและยาก"
    assert ENGLISH.listed(["7 × 7", "7 × 9"]) == "7 × 7 and 7 × 9"


@pytest.mark.parametrize(
    ("rules", "promise"),
    [
        ([Rule.STRICT, Rule.STRICT], (ENGLISH.promise_strict, ENGLISH.promise_strict_back)),
        ([Rule.STRICT, Rule.FILLED], (ENGLISH.promise_filled, ENGLISH.promise_filled_back)),
    ],
)
def test_no_more_is_promised_than_holds_for_every_puzzle(rules, promise):
    assert (ENGLISH.promise(rules, at_the_back=False), ENGLISH.promise(rules)) == promise


def test_thai_dates_are_in_the_buddhist_era():
    date = datetime.date(2026, 12, 5)
    assert load_words("th").write(date) == "5 ธันวาคม พ.ศ. 2569"
    assert load_words("en").write(date) == "December 5, 2026"


@pytest.mark.parametrize(
    ("language", "first", "eleventh"),
    [
        ("fr", "Solution du 1er\u00a0décembre", "Solution du 11\u00a0décembre"),
        ("pt", "Solução de 1º\u00a0de\u00a0dezembro", "Solução de 11\u00a0de\u00a0dezembro"),
        ("it", "Soluzione del giorno 1\u00a0dicembre", "Soluzione del giorno 11\u00a0dicembre"),
    ],
)
def test_the_first_of_a_month_is_written_as_the_language_does(language, first, eleventh):
    words, later = load_words(language), datetime.date(2026, 12, 20)
    assert words.solution_of_day(datetime.date(2026, 12, 1), later) == first
    assert words.solution_of_day(datetime.date(2026, 12, 11), later) == eleventh


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_the_rules_in_one_line_leave_none_out(name):
    """They say what is joined, where lines go, that each square has one, and in brackets what is solid."""
    for words in (load_words(name), load_words(name).of_dots):
        assert all(rule in words.rules_line for rule in (words.rules_intro, words.rules[0], words.rules[-1]))
        assert words.rules_line_solids.startswith(words.rules_line.removesuffix(words.rules[-1]))
        assert all(
            re.search(r"[(（].+[)）]", said) for said in (words.rules_solids[2], words.rules_line_solids)
        )


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_a_book_of_dots_promises_one_solution_without_a_proof(name):
    of_dots = load_words(name).of_dots
    assert {of_dots.promise([Rule.STRICT], back) for back in (True, False)} == {of_dots.promise_filled}
    assert of_dots.promise_strict != load_words(name).promise_strict
