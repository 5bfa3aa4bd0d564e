import pytest
from plain_measure import TALL, book, numbered, pages_of, placed, run

import boards
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.lengths import Size
from linkpress.puzzle.puzzle import Solution

FLAT = boards.SOLVED_BOARD  # 5 rows, 7 columns


def mixed(*solutions: Solution) -> tuple[NumberedPuzzle, ...]:
    return tuple(numbered(number, "A", solution) for number, solution in enumerate(solutions, start=1))


def test_boards_of_a_column_share_their_left_edge_where_widths_differ() -> None:
    made = book(4, made=mixed(FLAT, TALL, TALL, FLAT), solutions_per_page=4)
    page = pages_of(made, "solutions")[0]
    first, second, third, fourth = placed(page)
    assert second.frame.width_pt < fourth.frame.width_pt
    assert (first.x, second.x) == pytest.approx((third.x, fourth.x))
    assert [run(page, str(n)).x for n in (1, 2)] == [run(page, str(n)).x for n in (3, 4)]


def test_a_single_column_is_centred_by_its_widest_board() -> None:
    made = book(2, per_page=2, made=mixed(FLAT, TALL))
    wide, narrow = placed(pages_of(made, "puzzles")[0])
    assert narrow.x == pytest.approx(wide.x)
    # A verso of 6 × 9 in: 32.4 outside, 36 inside.
    assert wide.x + wide.frame.width_pt / 2 == pytest.approx((32.4 + 432 - 36) / 2)


def test_answers_hang_from_one_line_on_every_page() -> None:
    made = book(9, 2, solutions_per_page=4, made=(*mixed(*[FLAT] * 9), numbered(10, "B", TALL)))
    pages = pages_of(made, "solutions")
    assert len(pages) == 3
    tops = {round(item.y + item.frame.height_pt, 6) for page in pages for item in placed(page)[:1]}
    assert len(tops) == 1


def test_a_board_with_the_page_to_itself_stands_above_the_middle() -> None:
    made = book(1, per_page=1, trim=Size(432, 648))
    (board,) = placed(pages_of(made, "puzzles")[0])
    assert board.y > 648 - board.y - board.frame.height_pt


def test_the_answers_are_opened_as_a_level_is() -> None:
    made = book(8, 3)
    opener = pages_of(made, "opener")[-1]
    assert (made.index["solutions"], opener.section) == (opener.number, "Solutions")
    assert made.pages[opener.number].kind == "solutions"
    level = pages_of(made, "opener")[0]
    assert run(opener, "Solutions").size_pt == run(level, "A").size_pt
    assert run(opener, "Puzzles 1–11").y == run(level, "Puzzles 1–8").y


def test_rows_of_small_answers_stand_close() -> None:
    made = book(4, solutions_per_page=4, trim=Size(612, 792))
    items = placed(pages_of(made, "solutions")[0])
    height = items[0].frame.height_pt
    # Caption: 0.75 + 0.55 of 9.9; the white is 0.36 of board and caption.
    assert items[0].y - items[2].y == pytest.approx(1.36 * (height + 1.3 * 9.9))


@pytest.mark.parametrize("width", range(432, 700, 12))
def test_columns_keep_the_edge_or_stand_clear_of_it(width: int) -> None:
    made = book(4, solutions_per_page=4, trim=Size(width, 792))
    page = pages_of(made, "solutions")[0]
    live = made.margins.outside_pt if page.number % 2 == 0 else made.margins.inside_pt
    inset = placed(page)[0].x - live
    assert inset == pytest.approx(0.0, abs=0.01) or inset >= 18.0
