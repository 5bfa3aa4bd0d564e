"""Pictures are read from letters, and say what is wrong in one sentence."""

import pytest

from linkpress.errors import PuzzleError
from linkpress.puzzle.picture import Picture, parse_picture, with_colours
from linkpress.puzzle.puzzle import Grid, Puzzle

MUG = "....L\nrrr.l\nRRR#L ; the handle\n\n"


def test_letters_are_colours_and_a_hash_is_solid():
    picture = parse_picture(MUG)
    assert (picture.rows, picture.cols) == (3, 5)
    assert picture.colours[:5] == ("white",) * 4 + ("light_blue",)
    assert picture.grid.solids == {13}
    assert picture.rows_text == ["....L", "RRR.L", "RRR#L"]
    assert parse_picture("\n".join(picture.rows_text)) == picture


def test_a_layer_has_the_cells_of_one_colour():
    layers = parse_picture(MUG).layers
    assert list(layers) == ["white", "light_blue", "red"]
    assert layers["light_blue"].free_cells == (4, 9, 14)


def test_paths_are_sorted_by_the_colour_that_comes_first():
    picture = parse_picture(MUG)
    assert picture.by_colour([(12, 7), (9, 4), (0, 1)]) == ((0, 1), (9, 4), (12, 7))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it is empty; rows of equal length are needed"),
        ("RRR\nRR\nRRR", "its rows have 2 to 3 squares; rows of equal length are needed"),
        ("RRR\nRZR\nRRR", "row 2, column 2: 'Z' is no colour; write . white, Y yellow"),
        ("RRR\nRRR\nRRR", "the picture has 1 colour, and 2 to 6 are needed"),
        ("RYO\nPVB\nGGG", "the picture has 7 colours, and 2 to 6 are needed"),
        ("RY\nRY", "a board of 2 rows: 3 to 50 are allowed"),
        ("R" * 51 + "\n" + "Y" * 51 + "\n" + "Y" * 51, "a board of 51 columns: 3 to 50 are allowed"),
    ],
)
def test_a_malformed_picture_is_refused_in_one_sentence(text, message):
    with pytest.raises(PuzzleError) as error:
        parse_picture(text)
    assert str(error.value).startswith(message)


def test_two_puzzles_are_equal_whatever_their_colours():
    plain = Puzzle.from_numbers(Grid(3, 3), {0: 1, 2: 1})
    coloured = Puzzle(plain.grid, plain.pairs, ("red",))
    assert coloured == plain
    assert hash(coloured) == hash(plain)
    assert isinstance(parse_picture(MUG), Picture)


@pytest.mark.parametrize(
    ("colours", "shown"), [("red\x1b[2J", r"red\x1b[2J"), (["pink"] * 10, str(["pink"] * 10)[:59] + "…")]
)
def test_wrong_colours_are_shown_without_control_characters_and_cut_short(colours, shown):
    puzzle = Puzzle.from_numbers(Grid(3, 3), {0: 1, 2: 1})
    with pytest.raises(PuzzleError) as error:
        with_colours(puzzle, colours)
    assert str(error.value).startswith(
        f"colours: {shown} — a list of 1 colours, one for each pair, is needed"
    )
