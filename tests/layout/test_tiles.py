import re
from statistics import mean

import pytest
from plain_measure import (
    TALL,
    book,
    level,
    numbered,
    pages_of,
    placed,
    puzzles,
    rows_of,
    run,
    text_runs,
    texts,
)

import boards
from linkpress.book.printing_keys import PageSpec
from linkpress.documents.models import read_values
from linkpress.documents.problem import InvalidError
from linkpress.documents.values import MM_PT, Size
from linkpress.errors import LayoutError
from linkpress.layout.sheets import counts_up_to

OUTLINE_PT = 2.0  # of the theme classic


@pytest.mark.parametrize(("per_page", "columns"), [(3, [2, 1]), (5, [2, 1, 2]), (8, [3, 2, 3])])
def test_three_five_and_eight_boards_may_share_a_page(per_page, columns):
    made = book(per_page, made=puzzles(per_page, board=rows_of(7, 7)), per_page=per_page, trim=Size(612, 792))
    boards = placed(pages_of(made, "puzzles")[0])
    rows = sorted({round(board.y, 3) for board in boards}, reverse=True)
    assert [sum(round(board.y, 3) == y for board in boards) for y in rows] == columns
    middles = {
        mean(board.x + board.frame.width_pt / 2 for board in boards if round(board.y, 3) == y) for y in rows
    }
    assert max(middles) == pytest.approx(min(middles))  # a short row is between the columns


def side_mm(**page):
    """The square of a puzzle of 5 rows × 7 columns, one a page of 8.5 × 11 in."""
    made = book(8, per_page=1, trim=Size(612, 792), **page)
    (board,) = placed(pages_of(made, "puzzles")[0])
    return (board.frame.width_pt - OUTLINE_PT) / 7 / MM_PT


def test_a_square_grows_to_its_largest_size_or_fills_the_page():
    assert side_mm() == pytest.approx(17.0)
    assert side_mm(max_cell_mm=12.0) == pytest.approx(12.0)
    # 612 pt less two margins of 45.9 and the outline, over 7 columns.
    assert side_mm(fill=True) == pytest.approx((612 - 2 * 45.9 - 2) / 7 / MM_PT, abs=0.05)
    assert side_mm(fill=True, max_cell_mm=20.0) == pytest.approx(20.0)


def test_a_largest_square_under_the_least_is_reported():
    with pytest.raises(InvalidError, match="min_cell_mm is 9; give as much or more"):
        read_values({"min_cell_mm": 9, "max_cell_mm": 8}, PageSpec)


@pytest.mark.parametrize("board", [boards.SOLVED_BOARD, rows_of(12, 12)])
def test_auto_prints_two_boards_to_a_page_if_four_were_uncomfortably_small(board):
    made = book(8, made=puzzles(8, board=board), per_page="auto")
    assert len(pages_of(made, "puzzles")) == 4


def test_large_print_has_one_board_to_a_page_with_large_numbers_and_words():
    made = book(8, per_page="auto", large_print=True)
    pages = pages_of(made, "puzzles")
    board = placed(pages[0])[0].frame
    assert len(pages) == 8
    assert min(item.size_pt for item in board.items if hasattr(item, "size_pt")) >= 18
    assert min(run.size_pt for page in made.pages for run in text_runs(page)) >= 16


@pytest.mark.parametrize(("words", "shows_head"), [(2, True), (4, True), (9, False)])
def test_a_running_head_that_is_too_long_for_large_print_is_left_out(words, shows_head):
    named = level("A", per_page=1).model_copy(update={"title": " ".join(["Evening"] * words)})
    page, *_ = pages_of(book(8, large_print=True, levels=(named,)), "puzzles")
    assert (named.title in texts(page)) == shows_head
    assert ("Puzzle 1" in texts(page)) == (words == 2)
    assert min(run.size_pt for run in text_runs(page)) >= 16


def test_a_square_that_is_too_small_is_refused_with_advice():
    with pytest.raises(LayoutError) as error:
        book(8, per_page=9, min_cell_mm=8.0)
    message = str(error.value)
    assert "puzzle 1 (level 'A', 7 × 5)" in message
    assert "at 9 a page on 6 × 9 in" in message
    assert "page.min_cell_mm asks for 8.0 mm" in message
    assert "lower the level's per_page" in message


def test_rounding_does_not_make_a_small_square_look_large_enough():
    cell = placed(pages_of(book(8, per_page=9), "puzzles")[0])[0].frame.width_pt - 2
    with pytest.raises(LayoutError) as error:
        book(8, per_page=9, min_cell_mm=cell / 7 / MM_PT + 0.01)
    found, asked = re.findall(r"(\d+\.\d) mm", str(error.value))
    assert float(found) < float(asked)


def test_answers_too_small_for_their_numbers_are_refused():
    with pytest.raises(LayoutError, match="least type of 6 pt"):
        book(8, per_page=1, solutions_per_page=16, trim=Size(200, 250))


@pytest.mark.parametrize(("solutions_per_page", "least_pt"), [("auto", 16), (12, 6)])
def test_large_print_has_small_answers_only_if_their_number_on_a_page_is_given(solutions_per_page, least_pt):
    made = book(8, per_page=1, solutions_per_page=solutions_per_page, large_print=True)
    boards = [item.frame for page in pages_of(made, "solutions") for item in placed(page)]
    smallest = min(item.size_pt for board in boards for item in board.items if hasattr(item, "size_pt"))
    assert least_pt <= smallest
    assert (smallest < 16) == (least_pt < 16)


def test_large_print_has_as_many_puzzles_on_a_page_as_are_asked_for():
    assert len(pages_of(of_side(5, 4, per_page=2, large_print=True), "puzzles")) == 2


def test_boards_of_several_shapes_get_the_tiles_with_the_largest_total():
    shapes = [rows_of(7, 7) if number % 4 == 1 else rows_of(10, 5) for number in range(1, 9)]
    made = tuple(numbered(number, "A", board) for number, board in enumerate(shapes, 1))
    page, *_ = pages_of(book(8, made=made, per_page=6, min_cell_mm=3.0), "puzzles")
    columns = {round(board.x + board.frame.width_pt / 2) for board in placed(page)}
    assert len(columns) == 3  # most boards are tall; two columns would suit the square ones


def of_side(side, count, **changes):
    return book(count, made=puzzles(count, board=rows_of(side, side)), **changes)


def test_boards_of_13_are_not_four_to_a_small_page_unless_smaller_squares_are_asked_for():
    with pytest.raises(LayoutError, match=r"4\.6 mm at 4 a page on 6 × 9 in.*min_cell_mm \(5 if left out\)"):
        of_side(13, 8, per_page=4)
    assert of_side(13, 8, per_page=4, min_cell_mm=4.5).index["puzzle-8"] == 7


def test_a_level_on_one_page_gets_no_more_tiles_than_needed():
    counts = (12, 9, 6, 4, 2, 1)
    assert [counts_up_to(boards, counts)[0] for boards in (1, 3, 4, 5, 9, 40)] == [1, 4, 4, 6, 9, 12]
    made = of_side(13, 1, per_page=1, solutions_per_page="auto")
    answer = placed(pages_of(made, "solutions")[0])[0]
    assert answer.frame.width_pt == pytest.approx(13 * 7 * MM_PT + 2)  # 7 mm, the largest


def test_small_answers_are_in_close_rows_of_two():
    made = book(4, solutions_per_page=4, trim=Size(612, 792))
    answers = placed(pages_of(made, "solutions")[0])
    assert len({item.x for item in answers}) == len({item.y for item in answers}) == 2
    # A caption is 0.75 + 0.55 of 9.9 pt high. The gap between rows is 0.36 of board and caption.
    assert answers[0].y - answers[2].y == pytest.approx(1.36 * (answers[0].frame.height_pt + 1.3 * 9.9))


def test_boards_of_a_single_column_are_flush_left_and_above_the_middle_of_the_page():
    wide, narrow = placed(pages_of(book(2, per_page=2, made=mixed(FLAT, TALL)), "puzzles")[0])
    assert narrow.x == pytest.approx(wide.x)
    # A verso of 6 × 9 in: 32.4 outside, 36 inside.
    assert wide.x + wide.frame.width_pt / 2 == pytest.approx((32.4 + 432 - 36) / 2)
    (board,) = placed(pages_of(book(1, per_page=1), "puzzles")[0])
    assert board.y > 648 - board.y - board.frame.height_pt


FLAT = boards.SOLVED_BOARD  # 5 rows, 7 columns


def mixed(*solutions):
    return tuple(numbered(number, "A", solution) for number, solution in enumerate(solutions, start=1))


def test_boards_of_a_column_share_their_left_edge_where_widths_differ():
    made = book(4, made=mixed(FLAT, TALL, TALL, FLAT), solutions_per_page=4)
    page = pages_of(made, "solutions")[0]
    first, second, third, fourth = placed(page)
    assert second.frame.width_pt < fourth.frame.width_pt
    assert (first.x, second.x) == pytest.approx((third.x, fourth.x))
    assert [run(page, str(n)).x for n in (1, 2)] == [run(page, str(n)).x for n in (3, 4)]


def test_answers_begin_at_the_same_height_on_every_page():
    made = book(9, 2, solutions_per_page=4, made=(*mixed(*[FLAT] * 9), numbered(10, "B", TALL)))
    pages = pages_of(made, "solutions")
    assert len(pages) == 3
    tops = {round(item.y + item.frame.height_pt, 6) for page in pages for item in placed(page)[:1]}
    assert len(tops) == 1


def test_the_answers_have_an_opener_like_a_level():
    made = book(8, 3)
    opener = pages_of(made, "opener")[-1]
    assert (made.index["solutions"], opener.section) == (opener.number, "Solutions")
    assert made.pages[opener.number].kind == "solutions"
    level = pages_of(made, "opener")[0]
    assert run(opener, "Solutions").size_pt == run(level, "A").size_pt
    assert run(opener, "Puzzles 1–11").y == run(level, "Puzzles 1–8").y


@pytest.mark.parametrize("width", range(432, 700, 12))
def test_columns_are_at_the_edge_or_clearly_indented(width):
    made = book(4, solutions_per_page=4, trim=Size(width, 792))
    page = pages_of(made, "solutions")[0]
    live = made.margins.outside_pt if page.number % 2 == 0 else made.margins.inside_pt
    inset = placed(page)[0].x - live
    assert inset == pytest.approx(0.0, abs=0.01) or inset >= 18.0
