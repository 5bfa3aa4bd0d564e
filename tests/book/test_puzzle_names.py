"""Names of puzzles: what they come from, and that no two in a book are the same."""

import pytest

import boards
from linkpress.book.puzzle_names import longest_names, name_puzzles
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.puzzle.link_text import parse_board_rows, parse_solution_rows
from linkpress.words import load_words

ENGLISH = load_words("en")


def solved(*rows):
    """Return the solution with these rows of letters. Paths end where the letters are capitals."""
    letters = sorted(set("".join(rows).lower()))
    rows = [[(str(1 + letters.index(letter.lower())), letter.isupper()) for letter in row] for row in rows]
    puzzle = parse_board_rows([" ".join(number if is_end else "." for number, is_end in row) for row in rows])
    return parse_solution_rows(puzzle, [" ".join(number for number, _ in row) for row in rows])


def names_of(*solutions, words=ENGLISH, findings=()):
    return name_puzzles(
        [boards.record_of(one, findings=dict.fromkeys(findings, 1)) for one in solutions], words
    )


@pytest.mark.parametrize(
    ("look", "rows"),
    [
        ("frame", ["AaaaA", "BbbbB", "CcccC", "DdddD", "EeeeE"]),
        ("tour", ["Aaaaa", "Bbbba", "ccCBa", "CAaaa"]),
    ],
)
def test_a_puzzle_is_named_after_what_its_solution_looks_like(look, rows):
    assert names_of(solved(*rows)) == (getattr(ENGLISH.names.looks, look)[0],)


def test_equal_boards_get_names_of_the_hardest_technique_and_of_two_parts():
    names = names_of(*[boards.SOLVED_BOARD] * 30, findings=("gap", "exits", "cut-off"))
    assert set(ENGLISH.names.tricks.gap) < set(names)
    assert set(ENGLISH.names.tricks.exits).isdisjoint(names)
    assert any(name.endswith(" · Mind the gap") for name in names)


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_no_name_is_used_twice_in_a_book(language):
    words = load_words(language)
    names = names_of(*[boards.SOLVED_BOARD] * 60, words=words, findings=["what-if"])
    assert len({name.casefold() for name in names}) == 60
    assert max(map(len, names)) <= max(map(len, longest_names(words)))


@pytest.mark.parametrize("language", LANGUAGES.names())
def test_no_name_stands_in_two_lists(language):
    names = load_words(language).names
    listed = [name.casefold() for part in (names.looks, names.tricks) for _, each in part for name in each]
    assert len(listed) == len(set(listed))
