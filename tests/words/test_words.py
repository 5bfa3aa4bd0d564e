"""Filled-in phrases, numbers and dates in the shipped languages."""

import datetime
import re

import pytest

from boards import puzzle_of
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.words import load_words

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


@pytest.mark.parametrize(
    ("title", "begins"), [("Staircase", "Staircase. Puzzle"), ("What if?", "What if? Puzzle")]
)
def test_a_question_as_a_name_gets_no_full_stop(title, begins):
    board = puzzle_of("3 3\n1 2 3\n. . .\n1 2 3\n")
    assert ENGLISH.board_in_words(board, None, 7, title=title).startswith(begins)


def test_thai_lists_have_spaces_beside_figures_and_latin_letters():
    thai = load_words("th")
    assert thai.listed(["7 × 7", "7 × 9"]) == "7 × 7 และ 7 × 9"
    assert thai.listed(["ง่าย", "ยาก"]) == "ง่ายและยาก"
    assert ENGLISH.listed(["7 × 7", "7 × 9"]) == "7 × 7 and 7 × 9"


def test_thai_dates_are_in_the_buddhist_era():
    date = datetime.date(2026, 12, 5)
    assert load_words("th").write(date) == "5 ธันวาคม พ.ศ. 2569"
    assert load_words("en").write(date) == "December 5, 2026"


@pytest.mark.parametrize(
    ("language", "first", "eleventh"),
    [
        ("fr", "Solution du 1er\u00a0décembre", "Solution du 11\u00a0décembre"),
        ("pt", "Solução de 1º\u00a0de\u00a0dezembro", "Solução de 11\u00a0de\u00a0dezembro"),
        ("it", "Soluzione del giorno 1º\u00a0dicembre", "Soluzione del giorno 11\u00a0dicembre"),
    ],
)
def test_the_first_of_a_month_is_written_as_the_language_does(language, first, eleventh):
    words, later = load_words(language), datetime.date(2026, 12, 20)
    assert words.solution_of_day(datetime.date(2026, 12, 1), later) == first
    assert words.solution_of_day(datetime.date(2026, 12, 11), later) == eleventh


@pytest.mark.parametrize("name", LANGUAGES.names())
def test_the_rules_in_one_line_begin_with_the_aim_and_explain_solid_squares_in_brackets(name):
    for words in (load_words(name), load_words(name).of_dots):
        assert words.rules_line.startswith(words.rules_intro)
        assert words.rules_line_solids.startswith(words.rules_intro)
        for text in (words.rules_solids[2], words.rules_line_solids):
            assert re.search(r"[(（].+[)）]", text)
