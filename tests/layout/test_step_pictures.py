"""A step's picture: what is new, what it rests on, what it closes, and the sentence below."""

from boards import SOLVED_BOARD
from linkpress.documents.inks import PALETTES, contrast, ink_of_hex
from linkpress.engine.explain.telling import Step
from linkpress.layout.boards.step_pictures import (
    SCREEN_INKS,
    StepInks,
    StepPictures,
    inks_beside,
    picture_rows,
    stacked,
)
from linkpress.layout.frame import Ink, Lines, Placed, Rects, TextRun, grey
from linkpress.layout.theme import load_theme
from linkpress.render.fonts import FontMeasure

THEME, MEASURE = load_theme("classic"), FontMeasure()
STEPS = (
    (Step(1, "exits", (0, 1), ((0, 1), (0, 7)), (), 0), "A1 has two ways out and takes both."),
    (Step(2, "clash", (17,), (), ((16, 17),), 0), "No line can run C3–D3."),
    (Step(1, "exits", (3,), ((3, 10),), (), 0), "The line at D1 has one way out."),
)


def pictures(steps=STEPS, **options):
    return list(StepPictures(SOLVED_BOARD.puzzle, 20.0, THEME, MEASURE, **options).of(steps))


def board_items(picture):
    (board,) = (item for item in picture.board.items if isinstance(item, Placed))
    return board.frame.items


def lines_in(picture, ink):
    return [item for item in board_items(picture) if isinstance(item, Lines) and item.ink == ink]


def test_new_lines_stand_out_from_every_dot():
    blue, *_ = dots = PALETTES["okabe-ito"][:7]
    assert inks_beside(()) == SCREEN_INKS
    assert contrast(SCREEN_INKS.new.rgb, blue.rgb) < 3
    assert all(contrast(inks_beside(dots).new.rgb, dot.rgb) >= 3 for dot in dots)
    assert inks_beside([ink_of_hex("#300000"), ink_of_hex("#000030")]).new == SCREEN_INKS.new


def test_a_steps_own_lines_are_new_and_old_in_the_next_picture():
    first, second, _ = pictures()
    edge = THEME.grid.outer_pt / 2
    r1c1, r1c2, r2c1 = (edge + 10, edge + 90), (edge + 30, edge + 90), (edge + 10, edge + 70)
    (new,) = lines_in(first, SCREEN_INKS.new)
    assert new.segments == ((*r1c1, *r1c2), (*r1c1, *r2c1))
    assert lines_in(first, SCREEN_INKS.before) == []
    (old,) = lines_in(second, SCREEN_INKS.before)
    assert old.segments == new.segments


def test_squares_that_are_named_are_tinted_under_the_grid():
    items = board_items(pictures()[0])
    assert isinstance(items[0], Rects)
    edge = THEME.grid.outer_pt / 2  # five rows of 20 points: the top row begins at 80
    assert items[0].boxes == ((edge, edge + 80, 20.0, 20.0), (edge + 20, edge + 80, 20.0, 20.0))
    assert items[0].ink == SCREEN_INKS.tint


def test_a_closed_way_is_crossed_on_the_border_between_its_squares():
    _, second, third = pictures()
    (cross,) = lines_in(second, SCREEN_INKS.new)
    xs = [x for x0, _, x1, _ in cross.segments for x in (x0, x1)]
    ys = [y for _, y0, _, y1 in cross.segments for y in (y0, y1)]
    edge = THEME.grid.outer_pt / 2
    assert (sum(xs) / 4, sum(ys) / 4) == (edge + 60, edge + 50)  # r3c3–r3c4, of five rows
    assert len(lines_in(third, SCREEN_INKS.before)) == 2  # lines, and the cross that still tells something


def test_a_cross_at_a_square_that_is_full_tells_nothing_more():
    full = Step(1, "exits", (7,), ((0, 7), (7, 14)), (), 0)
    _, second = pictures([(Step(2, "clash", (7,), (), ((7, 8),), 0), "No line."), (full, "The line at A2.")])
    assert lines_in(second, SCREEN_INKS.before) == []


def test_inks_can_be_given():
    inks = StepInks(before=grey(0.3), new=Ink(1.0, 0.0, 0.0, 0.0), tint=grey(0.1))
    first, second, _ = pictures(inks=inks)
    (new,), (before,) = lines_in(first, inks.new), lines_in(second, inks.before)
    assert new.segments == before.segments != ()


def test_rows_and_columns_are_named_as_in_the_sentences():
    labels = [item.text for item in pictures()[0].board.items if isinstance(item, TextRun)]
    assert labels == ["1", "2", "3", "4", "5", *"ABCDEFG"]


def test_every_picture_has_its_number_and_sentence_below():
    rows = list(picture_rows(pictures(), 2, THEME, MEASURE))
    assert [sum(isinstance(item, Placed) for item in row.items) for row in rows] == [2, 1]
    assert len({row.width_pt for row in rows}) == 1
    words = "".join(item.text for row in rows for item in row.items if isinstance(item, TextRun))
    for at, text in enumerate(("A1 has two", "No line can run", "The line at D1"), 1):
        assert f"{at}. {text}" in words
    for row in rows:
        boards = [item for item in row.items if isinstance(item, Placed)]
        runs = [item for item in row.items if isinstance(item, TextRun)]
        assert max(run.y for run in runs) < min(board.y for board in boards)
        assert min(run.y for run in runs) > 0


def test_rows_are_stacked_without_a_gap_and_figures_have_names_of_their_own():
    rows = list(picture_rows(pictures(), 2, THEME, MEASURE))
    sheet = stacked(rows)
    assert sheet.height_pt == sum(row.height_pt for row in rows)
    assert [item.y for item in sheet.items] == [rows[1].height_pt, 0.0]
    names = list(figure_names(sheet))
    assert len(names) == len(set(names))


def figure_names(frame):
    placed = [item for item in frame.items if isinstance(item, Placed)]
    return [name for item in placed for name in (item.name, *figure_names(item.frame))]
