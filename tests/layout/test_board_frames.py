import pytest
from plain_measure import PlainMeasure

import boards
from boards import SOLVED_BOARD
from linkpress.documents.inks import PALETTES, contrast, ink_of_hex
from linkpress.engine.explain.steps import Step
from linkpress.layout.boards import board_frame, ink_of_paths
from linkpress.layout.frame import (
    BLACK,
    PAPER,
    Cap,
    Discs,
    Join,
    Lines,
    Placed,
    Polyline,
    Rects,
    TextRun,
    grey,
)
from linkpress.layout.step_pictures import SCREEN_INKS, StepPictures, inks_for_dots, picture_rows, stacked
from linkpress.layout.theme import NumberStyle, SolidStyle, load_theme
from linkpress.puzzle.link_text import parse_solution_rows
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.render.fonts import FontMeasure

CELL = 20.0  # on a board of 5 rows and 7 columns
CLASSIC = load_theme("classic")


def styled(**parts):
    changed = {name: getattr(CLASSIC, name).model_copy(update=update) for name, update in parts.items()}
    return CLASSIC.model_copy(update=changed)


def drawn(solution=None, theme=CLASSIC):
    return board_frame(boards.SOLVED_BOARD.puzzle, solution, CELL, theme, PlainMeasure())


def of_kind(frame, kind):
    return [item for item in frame.items if isinstance(item, kind)]


def test_the_grid_has_thin_lines_inside_and_a_strong_outline():
    frame = drawn()
    assert (frame.width_pt, frame.height_pt) == (142.0, 102.0)  # 7 × 20 and 5 × 20, and 2 of outline
    (inner,), (outline,) = of_kind(frame, Lines), of_kind(frame, Polyline)
    assert inner.width_pt == 0.75
    assert len(inner.segments) == 10  # 5 − 1 across, 7 − 1 down
    assert inner.segments[0] == (1.0, 21.0, 141.0, 21.0)
    assert inner.segments[-1] == (121.0, 1.0, 121.0, 101.0)
    assert outline.points == ((1.0, 1.0), (141.0, 1.0), (141.0, 101.0), (1.0, 101.0))
    assert (outline.width_pt, outline.closed, outline.join) == (2.0, True, Join.MITRE)


def test_a_number_is_centred_by_its_ink():
    five = next(run for run in of_kind(drawn(), TextRun) if run.text == "5")
    # Row 2, column 2: the centre is 1 + 1.5 × 20 = 31 and 1 + 3.5 × 20 = 71.
    size = 0.45 * 20 / 0.7  # figures 9 pt high, 0.7 em each
    assert five.size_pt == pytest.approx(size)
    assert five.x == pytest.approx(31 - 0.3 * size)  # the ink's middle is 0.3 em from the origin
    assert five.y == pytest.approx(71 - 4.5)


def test_a_solid_square_keeps_the_same_white_gap_to_thin_and_strong_lines():
    cells = frozenset((6, 11, 28))  # top right, row 2 column 5, bottom left
    board = Puzzle(Grid(5, 7, cells), boards.SOLVED_BOARD.puzzle.pairs)
    (solids,) = of_kind(board_frame(board, None, CELL, CLASSIC, PlainMeasure()), Rects)
    # Half a line (0.375 inside, 1 at the outline) and 1 of white on each side.
    assert solids.boxes[0] == pytest.approx((122.375, 82.375, 16.625, 16.625))
    assert solids.boxes[1] == pytest.approx((82.375, 62.375, 17.25, 17.25))
    assert solids.boxes[2] == pytest.approx((3.0, 3.0, 16.625, 16.625))


def test_an_answer_is_below_the_grid_and_the_numbers():
    frame = drawn(boards.SOLVED_BOARD)
    kinds = [type(item).__name__ for item in frame.items]
    # Five paths, solids, inner lines, outline, ten numbers.
    assert kinds == [*["Polyline"] * 5, "Rects", "Lines", "Polyline", *["TextRun"] * 10]
    paths = [item for item in of_kind(frame, Polyline) if not item.closed]
    assert len(paths) == 5
    assert {(path.width_pt, path.ink, path.cap, path.join) for path in paths} == {
        (5.0, grey(0.7), Cap.BUTT, Join.ROUND)  # 0.25 × 20
    }
    assert [of_kind(each, Lines)[0].ink for each in (frame, drawn())] == [grey(0.3), BLACK]


def test_a_path_turns_only_at_corners_and_ends_beside_its_numbers():
    frame = drawn(boards.SOLVED_BOARD)
    three = of_kind(frame, Polyline)[2]
    # From row 3, column 4 up to row 1, along to column 7, down to row 3.
    assert three.points[1:-1] == ((71.0, 91.0), (131.0, 91.0))
    (x, y), (last_x, last_y) = three.points[0], three.points[-1]
    assert (x, last_x, y) == (71.0, 131.0, last_y)
    size = of_kind(frame, TextRun)[0].size_pt
    assert 0.35 * size < y - 51.0 < 0.5 * CELL  # a figure is 0.7 em high


def test_a_path_of_two_squares_keeps_a_piece_of_line_between_large_numbers():
    puzzle = boards.puzzle_of("3 3\n1 1 2\n3 2 .\n. . 3\n")
    solution = parse_solution_rows(puzzle, ("1 1 2", "3 2 2", "3 3 3"))
    frame = board_frame(puzzle, solution, CELL, CLASSIC, PlainMeasure(), min_text_pt=CELL)
    assert of_kind(frame, Polyline)[0].points == ((20.0, 51.0), (22.0, 51.0))


@pytest.mark.parametrize("style", [NumberStyle.CIRCLED, NumberStyle.DOTS])
def test_a_path_runs_to_the_middle_of_its_rings_or_dots(style):
    three = of_kind(drawn(boards.SOLVED_BOARD, styled(numbers={"style": style})), Polyline)[2]
    assert (three.cap, three.points[0], three.points[-1]) == (Cap.ROUND, (71.0, 51.0), (131.0, 51.0))


def test_reversed_numbers_are_paper_on_discs_of_ink():
    frame = drawn(theme=styled(numbers={"style": NumberStyle.REVERSED}))
    (discs,) = of_kind(frame, Discs)
    assert len(discs.centres) == 10
    assert discs.radius_pt == pytest.approx(7.8)  # 0.39 × 20
    assert {run.ink for run in of_kind(frame, TextRun)} == {PAPER}


def test_circled_numbers_stay_inside_their_rings():
    frame = drawn(theme=styled(numbers={"style": NumberStyle.CIRCLED}))
    (discs,) = of_kind(frame, Discs)
    assert discs.radius_pt + discs.ring_width_pt / 2 == pytest.approx(7.8)
    assert discs.fill == PAPER
    one = of_kind(frame, TextRun)[0]
    half_width, half_height = 0.25 * one.size_pt, 0.35 * one.size_pt
    assert (half_width**2 + half_height**2) ** 0.5 <= 7.8 - 0.05 * 20 + 1e-9


@pytest.mark.parametrize("style", [SolidStyle.HATCHED, SolidStyle.CROSS])
def test_ruled_solids_stay_inside_their_squares(style):
    frame = drawn(theme=styled(solids={"style": style, "inset_pt": 0.0}))
    ruled = of_kind(frame, Lines)[1]
    first = [segment for segment in ruled.segments if 81 <= segment[0] < 101]
    assert len(first) >= 2
    for x0, y0, x1, y1 in first:
        assert 81 - 1e-9 <= x0 <= x1 <= 101 + 1e-9
        assert min(y0, y1) >= 61 - 1e-9
        assert max(y0, y1) <= 81 + 1e-9
        assert abs(x1 - x0) == pytest.approx(abs(y1 - y0))  # at 45 degrees


def test_shaded_neighbours_differ_in_tint_and_have_a_wall_between():
    walls = of_kind(drawn(boards.SOLVED_BOARD, load_theme("soft")), Lines)[-1]
    # Path 2 (column 1) and path 5 (column 2) are neighbours in row 2: x = 0.75 + 20.
    assert (20.75, 60.75, 20.75, 80.75) in walls.segments
    assert walls.cap is Cap.SQUARE


def test_ends_on_coloured_lines_are_ringed_in_the_line_s_ink():
    frame = drawn(boards.SOLVED_BOARD, load_theme("colour"))
    inks = {path.ink for path in of_kind(frame, Polyline) if not path.closed}
    assert {discs.ring for discs in of_kind(frame, Discs)} == inks
    assert len(inks) == 5


def test_a_shaded_path_beside_itself_has_a_wall_where_it_does_not_go_on():
    touching = boards.TOUCHING_BOARD
    frame = board_frame(touching.puzzle, touching, CELL, load_theme("soft"), PlainMeasure())
    walls = of_kind(frame, Lines)[-1]
    steps = set(touching.puzzle.grid.edges) - touching.edges
    assert len(walls.segments) == len(steps)


def test_neighbouring_paths_differ_in_ink_whichever_comes_first():
    rows = ("2 1 3", "2 1 3", "2 1 3")
    columns = parse_solution_rows(boards.puzzle_of("3 3\n2 1 3\n. . .\n2 1 3\n"), rows)
    inks = ink_of_paths(columns, (grey(0.2), grey(0.4)))
    assert inks == {1: grey(0.2), 2: grey(0.4), 3: grey(0.4)}


def test_neighbours_are_kept_apart_where_choosing_in_order_would_make_them_alike():
    """1, 2, 3 take the three inks in order, and 4 has all of them as neighbours, unless 1 and 3 share one."""
    rows = ("1 2 3 3", "1 2 2 3", "4 4 4 3", "5 5 5 3")
    board = parse_solution_rows(boards.puzzle_of("4 4\n1 2 3 .\n1 . 2 .\n4 . 4 .\n5 . 5 3\n"), rows)
    inks = ink_of_paths(board, (grey(0.1), grey(0.2), grey(0.3)))
    owner = board.number_of
    assert all(owner[a] == owner[b] or inks[owner[a]] != inks[owner[b]] for a, b in board.puzzle.grid.edges)


def test_dots_and_lines_of_a_pair_have_one_colour_in_puzzle_and_answer():
    dots = load_theme("dots")
    puzzle, answer = drawn(theme=dots), drawn(boards.SOLVED_BOARD, dots)
    colour_at = {at: disc.fill for disc in of_kind(puzzle, Discs) for at in disc.centres}
    assert colour_at == {at: disc.fill for disc in of_kind(answer, Discs) for at in disc.centres}
    assert list(dict.fromkeys(colour_at.values())) == list(dots.numbers.palette[:5])
    for path in of_kind(answer, Polyline):
        if not path.closed:
            assert colour_at[path.points[0]] == colour_at[path.points[-1]] == path.ink
    ink_of = {run.text: run.ink for run in of_kind(puzzle, TextRun)}
    assert ink_of.keys() == {"1", "2", "3", "4", "5"}
    assert (ink_of["1"], ink_of["3"]) == (PAPER, BLACK)  # on blue, on yellow


@pytest.mark.parametrize(("colours", "shown"), [(5, False), (4, True)])
def test_dots_without_numbers_show_them_where_colours_run_out(colours, shown):
    dots = load_theme("plain-dots")
    few = dots.numbers.model_copy(update={"palette": dots.numbers.palette[:colours]})
    frame = drawn(theme=dots.model_copy(update={"numbers": few}))
    assert bool(of_kind(frame, TextRun)) is shown


def test_the_grid_of_an_answer_may_be_lighter_than_that_of_a_puzzle():
    theme = styled(solutions={"grid_pt": 0.5, "grid_ink": grey(0.3)})
    of_answer, of_puzzle = (of_kind(drawn(one, theme=theme), Lines)[0] for one in (boards.SOLVED_BOARD, None))
    assert (of_answer.width_pt, of_answer.ink) == (0.5, grey(0.3))
    assert (of_puzzle.width_pt, of_puzzle.ink) == (0.75, BLACK)


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


def test_new_lines_contrast_with_every_dot():
    blue, *_ = dots = PALETTES["okabe-ito"][:7]
    assert inks_for_dots(()) == SCREEN_INKS
    assert contrast(SCREEN_INKS.new.rgb, blue.rgb) < 3
    assert all(contrast(inks_for_dots(dots).new.rgb, dot.rgb) >= 3 for dot in dots)
    assert inks_for_dots([ink_of_hex("#300000"), ink_of_hex("#000030")]).new == SCREEN_INKS.new


def test_a_picture_tints_the_squares_of_its_sentence_and_its_new_lines_are_earlier_ones_in_the_next():
    first, second, _ = pictures()
    edge = THEME.grid.outer_pt / 2  # five rows of 20 points: the top row begins at 80
    tint, *_ = board_items(first)
    assert tint.boxes == ((edge, edge + 80, 20.0, 20.0), (edge + 20, edge + 80, 20.0, 20.0))
    assert tint.ink == SCREEN_INKS.tint
    labels = [item.text for item in first.board.items if isinstance(item, TextRun)]
    assert labels == ["1", "2", "3", "4", "5", *"ABCDEFG"]
    r1c1, r1c2, r2c1 = (edge + 10, edge + 90), (edge + 30, edge + 90), (edge + 10, edge + 70)
    (new,) = lines_in(first, SCREEN_INKS.new)
    assert new.segments == ((*r1c1, *r1c2), (*r1c1, *r2c1))
    assert lines_in(first, SCREEN_INKS.before) == []
    (old,) = lines_in(second, SCREEN_INKS.before)
    assert old.segments == new.segments


def test_a_cross_is_on_the_border_between_its_squares():
    _, second, third = pictures()
    (cross,) = lines_in(second, SCREEN_INKS.new)
    xs = [x for x0, _, x1, _ in cross.segments for x in (x0, x1)]
    ys = [y for _, y0, _, y1 in cross.segments for y in (y0, y1)]
    edge = THEME.grid.outer_pt / 2
    assert (sum(xs) / 4, sum(ys) / 4) == (edge + 60, edge + 50)  # r3c3–r3c4, of five rows
    assert len(lines_in(third, SCREEN_INKS.before)) == 2  # the lines, and the cross at an incomplete square


def test_a_cross_at_a_complete_square_is_left_out():
    full = Step(1, "exits", (7,), ((0, 7), (7, 14)), (), 0)
    _, second = pictures([(Step(2, "clash", (7,), (), ((7, 8),), 0), "No line."), (full, "The line at A2.")])
    assert lines_in(second, SCREEN_INKS.before) == []


def test_every_picture_has_its_number_and_sentence_below_and_rows_are_stacked_without_a_gap():
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
    sheet = stacked(rows)
    assert sheet.height_pt == sum(row.height_pt for row in rows)
    assert [item.y for item in sheet.items] == [rows[1].height_pt, 0.0]
    names = list(figure_names(sheet))
    assert len(names) == len(set(names))


def figure_names(frame):
    placed = [item for item in frame.items if isinstance(item, Placed)]
    return [name for item in placed for name in (item.name, *figure_names(item.frame))]
