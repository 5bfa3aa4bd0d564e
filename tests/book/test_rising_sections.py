"""Warnings about sections that don't become harder."""

import re

import pytest

from linkpress.book.difficulty_forecast import Section, feel_of, feel_words, section_warnings
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import Recipe, Span
from linkpress.words import words_of


def section(number, name, side, paths, solids=0, **keys):
    recipes = (Recipe(side, side, pairs=paths, solids=solids, **keys),)
    return Section(f"section {number} ({name})", name, recipes, feel_of(recipes))


def warnings(*sections):
    return [warning for _, warning in section_warnings(sections)]


def test_a_book_that_rises_has_no_warnings():
    assert warnings(section(1, "Easy", 7, 8), section(2, "Medium", 8, 8), section(3, "Hard", 10, 10)) == []


@pytest.mark.parametrize(
    ("first", "second", "reason", "way_out"),
    [
        (
            (10, Span(15, 17)), (10, Span(9, 10), Span(15, 20)), "more solid squares make boards easier",
            "% solid squares would keep it harder",
        ),
        (
            (10, Span(9, 10)), (10, Span(13, 15)), "then 26). Write",
            "Write `difficulty: 41-50` and `paths: 6-9` to keep it harder, or let it come earlier.",
        ),
        (
            (12, Span(16, 18)), (8, Span(6, 6)), "then 28). Write",
            "Write `difficulty: 41-50`, `size: 10x10` and `paths: 6-9` to keep it harder",
        ),
        (
            (10, 11), (10, 10), "will hardly feel harder than section 1 (One)",
            "). Write `difficulty: 38-47` and `paths: 6-10` to keep",
        ),
        *(
            (
                (10, 9), (10, 9, percent), "will feel easier",
                "more solid squares make boards easier. Write `difficulty: 42-51`, `solids: 0` and",
            )
            for percent in (15, 20)
        ),
        ((40, 100), (30, 56), "", "). Set a higher difficulty, or let it come earlier."),
        ((10, 10), (10, 10), "", "). Write `difficulty: 40-49` and"),
    ],
)  # fmt: skip
def test_a_section_that_is_not_harder_is_explained(first, second, reason, way_out):
    (text,) = warnings(section(1, "One", *first), section(2, "Two", *second))
    assert text.startswith("Section 2 (Two) will")
    assert reason in text
    assert way_out in text


def test_sections_that_ask_for_the_same_difficulty_may_be_equally_hard():
    easy = Difficulty.EASY.points
    first, second = section(1, "One", 6, 6, difficulty=easy), section(2, "Two", 7, 7, difficulty=easy)
    assert warnings(first, second) == []
    assert "hardly feel harder" in warnings(second, section(3, "Three", 7, 7))[0]


def test_what_is_written_as_advised_has_no_warning():
    first = section(1, "One", 10, 9)
    (text,) = warnings(first, section(2, "Two", 10, 9, 20))
    difficulty, paths = (
        Span(*map(int, found)) for found in re.findall(r"(?:difficulty|paths): (\d+)-(\d+)", text)
    )
    advised = section(2, "Two", 10, paths, difficulty=difficulty)
    assert warnings(first, advised) == []


def test_advice_may_be_in_words_instead_of_keys():
    sections = [section(1, "One", 10, 9), section(2, "Two", 10, 9, 20)]
    [(_, text)] = section_warnings(sections, has_keys=False)
    assert "Choose difficulty 42-51, no solid squares and" in text
    assert " pairs to keep it harder" in text
    hard = Section("section 1 (Hard)", "Hard", (), feel_of([Recipe(6, 6, pairs=6, solids=0)]))
    [(_, text)] = section_warnings([hard], has_keys=False)
    assert "Choose the difficulty hard, make its boards harder" in text


def test_a_difficulty_of_the_first_section_alone_is_no_difference_in_knobs():
    hard = Difficulty.EXPERT.points
    (text,) = warnings(section(1, "One", 10, 10, difficulty=hard), section(2, "Two", 10, 10))
    assert "make boards easier" not in text


def test_only_a_lower_median_is_called_easier():
    for solids in range(1, 12):
        first, second = section(1, "One", 10, 9), section(2, "Two", 10, 9, solids)
        (text,) = warnings(first, second)
        assert ("will feel easier" in text) is (second.feel.median < first.feel.median)


def test_ordered_difficulties_are_put_in_order():
    hard, easy = Difficulty.HARD.points, Difficulty.EASY.points
    (text,) = warnings(
        section(1, "One", 10, 10, difficulty=hard), section(2, "Two", 7, Span(7, 12), difficulty=easy)
    )
    assert "will feel easier" in text
    assert "let it come earlier" in text


def test_sections_of_given_boards_are_left_out():
    given = Section("section 2 (Given)", "Given", (), None)
    assert warnings(section(1, "One", 10, 10), given, section(3, "Three", 7, 9)) == []


@pytest.mark.parametrize(
    ("name", "side", "paths", "is_wrong"),
    [
        ("Hard", 7, 8, True), ("Hard", 10, 10, False), ("Sehr schwer", 7, 8, True),
        ("Sehr schwer", 12, 11, False), ("ยาก", 7, 8, True), ("Leicht", 12, 12, True),
        ("Medium", 15, 20, True), ("Easy or hard", 7, 8, False), ("Puzzling", 7, 8, False),
        ("上級編", 7, 8, True), ("むずかしい問題", 7, 8, True), ("ระดับยาก", 7, 8, True),
        ("Zwaar", 7, 8, True), ("Für Experten", 7, 8, True), ("Avanzado", 7, 8, True),
    ],
)  # fmt: skip
def test_a_name_must_not_contradict_its_boards(name, side, paths, is_wrong):
    found = warnings(section(1, name, side, paths))
    assert bool(found) is is_wrong
    assert all("though its name says" in text for text in found)


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_the_name_of_each_difficulty_is_known_in_every_language(language):
    names = words_of(language).difficulties
    for name in Difficulty:
        board = (12, 12) if name is Difficulty.EASY else (15, 20) if name is Difficulty.MEDIUM else (7, 8)
        (text,) = warnings(section(1, names[name], *board))
        assert f"though its name says {name}." in text


def test_forecasts_are_told_as_a_range_and_a_name():
    assert feel_words(section(1, "One", 10, 10, difficulty=Span(30, 39)).feel).endswith(", hard")
