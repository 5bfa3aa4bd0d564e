import pytest
from plain_measure import book, puzzles

from linkpress.errors import LayoutError
from linkpress.layout.frame import MM
from linkpress.layout.geometry import Area
from linkpress.layout.tiles import Tiling, shapes_of
from linkpress.puzzle.grid import Grid


def tiling(rows: int, cols: int) -> Tiling:
    return Tiling(rows, cols, Area(30.0, 40.0, 320.0, 420.0), 20.0, 15.0, 100.0, 2.0)


def test_tiles_are_equal_and_read_from_the_top_left() -> None:
    four = tiling(2, 2)
    assert four.tile(0) == Area(30.0, 260.0, 150.0, 200.0)  # (320 − 20) / 2 by (420 − 20) / 2
    assert four.tile(3) == Area(200.0, 40.0, 150.0, 200.0)  # 30 + 150 + 20


def test_the_tighter_side_sets_the_square() -> None:
    assert tiling(2, 2).cell_pt(Grid(5, 7)) == pytest.approx(148 / 7)  # 150 − 2 of outline
    assert tiling(2, 2).cell_pt(Grid(20, 7)) == pytest.approx(183 / 20)  # 200 − 15 − 2


def test_boards_of_one_shape_are_judged_once() -> None:
    assert [shape.puzzle for shape in shapes_of(puzzles(30))] == [1]


def test_auto_prints_few_small_boards_large() -> None:
    # 5 rows × 7 columns: 70 mm of board are wanted; two columns of 6 × 9 in give 60 mm, one 126.
    made = book(8, per_page=None)
    assert sum(page.kind == "puzzles" for page in made.pages) == 4  # two to a page


def test_a_square_under_the_least_is_refused_with_all_that_is_needed_to_mend_it() -> None:
    with pytest.raises(LayoutError) as told:
        book(8, per_page=9, min_cell_mm=8.0)
    message = str(told.value)
    assert "puzzle 1 (level 'A', 7 × 5)" in message
    assert "at 9 a page on 6 × 9 in" in message
    assert "page.min_cell_mm asks for 8.0 mm" in message
    assert "lower the level's per_page" in message


def test_answers_go_by_the_longest_side() -> None:
    made = book(24, solutions_per_page=None)
    assert sum(page.kind == "solutions" for page in made.pages) == 2  # 12 a page up to 7 × 7


def test_answers_too_small_for_their_numbers_are_refused() -> None:
    with pytest.raises(LayoutError, match="large print"):
        book(8, per_page=1, solutions_per_page=16, large_print=True)


def test_large_print_numbers_have_18_points() -> None:
    made = book(8, large_print=True)
    placed = next(page for page in made.pages if page.kind == "puzzles").frame.items[0]
    sizes = {item.size_pt for item in placed.figure.frame.items if hasattr(item, "size_pt")}
    assert min(sizes) >= 18
    assert sum(page.kind == "puzzles" for page in made.pages) == 8
    assert placed.figure.frame.width_pt >= 7 * 28  # 18 pt × 0.7 / 0.45


def test_no_square_is_larger_than_the_pencil_likes() -> None:
    made = book(2, per_page=1)
    placed = next(page for page in made.pages if page.kind == "puzzles").frame.items[0]
    assert placed.figure.frame.width_pt <= 7 * 17 * MM + 2.001
