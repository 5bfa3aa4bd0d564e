"""Tests of the words about the techniques of a level."""

import pytest
from plain_measure import book, level, numbered, pages_of, run, texts

import boards
from linkpress.book.printing_keys import PartsSpec
from linkpress.engine.recipe import Grade
from linkpress.layout.sections import level_words
from linkpress.words import load_words

ENGLISH = load_words("en")


def made(*needed, board=boards.SOLVED_BOARD, technique=Grade.EASY):
    """Return puzzles, each of which needs these techniques, written as one text."""
    return [
        numbered(number, "A", board, technique=technique, findings=dict.fromkeys(names.split(), 1))
        for number, names in enumerate(needed, start=1)
    ]


def said(puzzles, *earlier):
    return "".join(span.text for span in level_words(ENGLISH, earlier, puzzles))


def test_the_first_level_names_its_techniques_inside_a_sentence_and_teaches_the_first_one():
    text = said(made("clash exits", "exits"))
    assert text.startswith("What you’ll need: the only way out and no wrong numbers. A square with only two")


def test_a_long_list_keeps_the_hardest_techniques():
    needed = made("exits clash turn touch cut-off corner look-ahead")
    assert said(needed).startswith(
        "What you’ll need: no wrong numbers, no U-turns, no doubling back, no cut-offs, the corner trick, "
        "and looking one move ahead. "
    )
    assert said(needed, made("exits")).startswith(
        "New here: no doubling back, no cut-offs, the corner trick, and looking one move ahead. "
    )


def test_a_later_level_names_what_no_earlier_one_needs():
    assert said(made("exits corner"), made("exits")).startswith("New here: the corner trick. A turn repeats")
    assert said(made("what-if"), made("exits")).startswith("New here: the what-if. Suppose")


def test_sentences_follow_one_another_as_the_language_writes_them():
    puzzles = made("exits", technique=None)
    for language in ("en", "ja", "th"):
        words = load_words(language)
        first, *others = level_words(words, (), puzzles)
        texts = [span.text for span in others]
        gap = "" if language == "ja" else " "
        assert texts == [gap + words.techniques["exits"].lesson, gap + words.level.beyond]
        assert [span.strong for span in (first, *others)] == [True, False, False]


def test_a_level_without_new_techniques_has_no_text():
    old = made("exits")
    assert said(old, old) == ""


def test_puzzles_beyond_all_techniques_are_mentioned_and_ungraded_books_say_nothing():
    assert said(made("exits", technique=None)).endswith(ENGLISH.level.beyond)
    assert said(made("exits search")).endswith(ENGLISH.level.beyond)
    assert said(made("")) == ""


def test_a_children_s_opener_only_counts_the_puzzles():
    puzzles = tuple(numbered(n, "A", technique=Grade.EASY, findings={"exits": 1}) for n in (1, 2))
    opener = pages_of(book(2, made=puzzles, theme="dots", paper="colour"), "opener")[0]
    assert "2 puzzles to draw!" in texts(opener)
    assert not any("need" in text or "7 × 5" in text for text in texts(opener))


def test_a_puzzle_without_a_running_head_is_named_by_its_level():
    bare, usual = (pages_of(book(1, running_heads=heads), "puzzles")[0] for heads in (False, True))
    level_at, number = run(bare, "A"), run(bare, "1")
    assert (level_at.y, level_at.size_pt) == (number.y, number.size_pt)
    assert level_at.x < number.x
    assert run(usual, "A").y > run(usual, "1").y


@pytest.mark.parametrize("asked", [False, True])
def test_an_opener_names_techniques_only_if_the_spec_asks_for_them(asked):
    puzzles = tuple(numbered(n, "A", technique=Grade.EASY, findings={"exits": 1}) for n in (1, 2))
    parts = PartsSpec().model_copy(update={"techniques": asked})
    opener = pages_of(book(2, made=puzzles, levels=(level("A"),), parts=parts), "opener")[0]
    assert {"A", "Puzzles 1–2", "7 × 5"} <= set(texts(opener))
    assert ("What you’ll need: the only way out." in " ".join(texts(opener))) is asked
