"""Boards that show a picture when their paths are coloured: the key below the puzzle, and the answer."""

from dataclasses import replace
from itertools import pairwise

import pytest
from plain_measure import (
    SIX_BY_NINE,
    PlainMeasure,
    book,
    numbered,
    pages_of,
    placed,
    rows_of,
    run,
    text_runs,
    texts,
)

from linkpress.book.printing_keys import CaptionsSpec, QrPer, QrSpec
from linkpress.documents.inks import PICTURE_INKS, picture_inks
from linkpress.documents.values import Size
from linkpress.layout.boards import board_frame
from linkpress.layout.frame import Discs, Lines, Rects, TextRun, grey
from linkpress.layout.theme import load_theme
from linkpress.words import load_words

ROWS = rows_of(6, 5)
COLOURS = ("white", "light_blue", "light_blue", "light_blue", "black", "white")
SOLUTION = replace(ROWS, puzzle=replace(ROWS.puzzle, colours=COLOURS))
RULE = "Join the matching numbers. Then color all squares of each line: a picture appears!"


def laid_out(count=1, **keys):
    made = tuple(numbered(number, "A", SOLUTION) for number in range(1, count + 1))
    return book(count, made=made, **{"per_page": 1, **keys})


def answer(theme="classic", *, is_grey=False):
    chosen = load_theme(theme)
    chosen = chosen.in_grey() if is_grey else chosen
    return board_frame(SOLUTION.puzzle, SOLUTION, 20.0, chosen, PlainMeasure())


def test_a_puzzle_has_its_rule_and_the_numbers_of_each_colour_below_the_board():
    (page,) = pages_of(laid_out(), "puzzles")
    assert RULE in " ".join(texts(page))
    (board,) = placed(page)
    for entry in ("white: 1, 6", "light blue: 2–4", "black: 5"):
        below = run(page, entry)
        assert below.y < board.y
        assert board.x <= below.x < below.x + below.width_pt <= board.x + board.frame.width_pt + 0.01


def test_answers_have_no_key():
    assert not any("light blue" in text for page in pages_of(laid_out(), "solutions") for text in texts(page))


def test_colours_are_shown_beside_their_names_only_where_they_can_be_printed():
    def swatches(made):
        page = pages_of(made, "puzzles")[0]
        return [item.ink for item in page.frame.items if isinstance(item, Rects)]

    assert swatches(laid_out()) == []  # the paper of `generic` is printed in black
    assert swatches(laid_out(24, paper="premium-colour", printer="kdp-paperback")) == [
        PICTURE_INKS[colour] for colour in ("white", "light_blue", "black")
    ]


@pytest.mark.parametrize("per_page", [1, 2, 4, 6])
def test_a_key_keeps_clear_of_boards_and_of_the_foot_of_the_page(per_page):
    made = laid_out(per_page, per_page=per_page, trim=SIX_BY_NINE)
    (page,) = pages_of(made, "puzzles")
    boxes = [
        (item.x, item.y, item.x + item.frame.width_pt, item.y + item.frame.height_pt) for item in placed(page)
    ]
    entries = [item for item in text_runs(page) if item.where in ("picture_rule", "picture_colour")]
    assert len(entries) >= 4 * per_page
    for item in entries:
        right, top = item.x + item.width_pt, item.y + 0.75 * item.size_pt
        assert item.y - 0.3 * item.size_pt >= 36
        assert not any(
            item.x < x1 and x0 < right and item.y - 0.3 * item.size_pt < y1 and y0 < top
            for x0, y0, x1, y1 in boxes
        )


def test_a_qr_code_and_the_time_are_below_the_key():
    qr = QrSpec(per=QrPer.PUZZLE, text="https://example.com/{number}")
    made = laid_out(qr=qr, trim=Size(300, 648), captions=CaptionsSpec(time=True))
    (page,) = pages_of(made, "puzzles")
    (code,) = [item for item in placed(page) if item.name.startswith("qr-")]
    key = min(item.y for item in text_runs(page) if item.where in ("picture_rule", "picture_colour"))
    assert code.y + code.frame.height_pt < key
    assert run(page, "Scan to play").y < key
    assert run(page, "Time").y < key


def test_an_answer_is_areas_in_the_colours_with_thin_walls_and_readable_numbers():
    items = answer().items
    areas = {item.ink for item in items if isinstance(item, Rects)}
    assert areas == {PICTURE_INKS["light_blue"], PICTURE_INKS["black"]}  # white needs no ink
    walls = [item for item in items if isinstance(item, Lines)][-1]
    assert len(walls.segments) == 5 * 5
    inks = {item.text: item.ink for item in items if isinstance(item, TextRun)}
    assert inks["5"] == PICTURE_INKS["white"]
    assert inks["1"] == inks["2"] == load_theme("classic").numbers.ink


def test_greys_follow_the_brightness_of_the_colours_and_stay_apart():
    areas = {item.ink for item in answer(is_grey=True).items if isinstance(item, Rects)}
    assert areas == {grey(0.18), grey(0.36)}
    inks = list(picture_inks(("black", "white", "red", "yellow", "blue", "green"), is_grey=True).items())
    assert [name for name, _ in inks] == ["white", "yellow", "green", "red", "blue", "black"]
    assert all(b.black - a.black >= 0.12 for (_, a), (_, b) in pairwise(inks))


def test_dots_have_the_colours_of_the_picture_and_numbers():
    theme = load_theme("plain-dots")
    assert not theme.numbers.show_numbers
    items = board_frame(SOLUTION.puzzle, None, 20.0, theme, PlainMeasure()).items
    dots = [item.fill for item in items if isinstance(item, Discs)]
    assert dots == [PICTURE_INKS[colour] for colour in COLOURS]
    assert {item.text for item in items if isinstance(item, TextRun)} == set("123456")


def test_words_for_readers_who_do_not_see_the_board_have_the_key():
    said = load_words("en").board_in_words(SOLUTION.puzzle, None)
    assert said.endswith(f"; {RULE}; white: 1, 6; light blue: 2–4; black: 5")
