"""Boards in shapes: a smooth outline, and nothing outside of it."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_measure import PlainMeasure

from linkpress.book.level import load_mask, shipped_shapes
from linkpress.layout.boards import OUTLINE_GAP, blocks_of, board_frame, path_ornament, shape_of, shown_solids
from linkpress.layout.frame import BLACK, Discs, Lines, Polygon, Polyline, Rects
from linkpress.layout.theme import SolidStyle, load_theme
from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle, Solution

HEART = load_mask("heart")
BOARD = Puzzle(HEART, (Pair(1, *HEART.free_cells[:2]),))
SHAPED = load_theme("classic").with_shapes([HEART])


def drawn(theme, kind, cell=20.0):
    return [
        item for item in board_frame(BOARD, None, cell, theme, PlainMeasure()).items if isinstance(item, kind)
    ]


def area(curve):
    return sum(x * y1 - x1 * y for (x, y), (x1, y1) in zip(curve, (*curve[1:], curve[0]), strict=True)) / 2


@pytest.mark.parametrize("grid", sorted(shipped_shapes(), key=repr))
def test_outlines_pass_outside_of_all_free_squares(grid):
    shape = shape_of(grid)
    free = set(grid.free_cells)
    for x, y in (point for curve in shape.outlines for point in curve):
        row, col = int(y // 1), int(x // 1)
        inside = 0 <= row < grid.rows and 0 <= col < grid.cols and grid.cell(row, col) in free
        depth = min(x - col, col + 1 - x, y - row, row + 1 - y)
        assert not inside or depth < 0.06  # less than half of the outline's weight, 0.14
    assert sum(map(area, shape.outlines)) > len(free)


def is_outside(points, curves):
    """Return for each point whether it is outside of some closed curves and apart from the line around them.

    None stands for a point under the line, which is 0.14 wide.
    """
    x, y = (np.array(points, float).T)[:, :, None]
    ends = np.concatenate([np.column_stack((curve, np.roll(curve, -1, axis=0))) for curve in curves])
    x0, y0, x1, y1 = ends.T
    along = np.clip(((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / ((x1 - x0) ** 2 + (y1 - y0) ** 2), 0, 1)
    distances = np.hypot(x0 + along * (x1 - x0) - x, y0 + along * (y1 - y0) - y).min(axis=1)
    is_beside = (y0 > y) != (y1 > y)
    crossing = x0 + (y - y0) * (x1 - x0) / np.where(is_beside, y1 - y0, 1) > x
    is_even = (is_beside & crossing).sum(axis=1) % 2 == 0
    return {bool(even) if far > 0.07 else None for even, far in zip(is_even, distances, strict=True)}


def assert_all_gaps_are_open(grid):
    shape, free = shape_of(grid), {grid.position(cell) for cell in grid.free_cells}
    inside = free | {grid.position(cell) for cell in blocks_of(grid)}
    outside = {(row, col) for row in range(-1, grid.rows + 1) for col in range(-1, grid.cols + 1)} - inside
    ways = [(col + 1, row + 0.5) for row, col in outside if (row, col + 1) in outside]
    ways += [(col + 0.5, row + 1) for row, col in outside if (row + 1, col) in outside]
    narrow = [
        (col + 0.5, row + 0.5)
        for row, col in outside
        if inside >= {(row, col - 1), (row, col + 1)} or inside >= {(row - 1, col), (row + 1, col)}
    ]
    assert is_outside([*ways, *narrow], shape.outlines) == {True}
    assert is_outside([(col + 0.5, row + 0.5) for row, col in free], shape.outlines) == {False}
    points = np.concatenate(shape.outlines)
    room = OUTLINE_GAP + 0.03  # with a fifth of the line's width
    assert points.min() > -room
    assert (points < np.array((grid.cols, grid.rows)) + room).all()


@pytest.mark.parametrize("grid", sorted(shipped_shapes(), key=repr))
def test_outlines_close_no_gap_of_a_shipped_shape(grid):
    assert_all_gaps_are_open(grid)


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=3, max_size=7))
@settings(max_examples=30, deadline=None)
def test_outlines_close_no_gap_of_any_shape(rows):
    solids = frozenset(cell for cell, is_solid in enumerate(chain(*rows)) if is_solid)
    if len(solids) < 6 * len(rows):
        assert_all_gaps_are_open(Grid(len(rows), 6, solids))


def test_a_board_in_a_shape_has_an_outline_and_nothing_outside_of_it():
    (outline,), (sides,) = drawn(SHAPED, Polyline), drawn(SHAPED, Lines)
    assert drawn(SHAPED, Rects) == []
    assert outline.closed
    assert outline.width_pt > 2
    assert len(outline.points) > 100
    least, most = min(x for x, _ in outline.points), max(x for x, _ in outline.points)
    assert all(least < x0 <= x1 < most for x0, _, x1, _ in sides.segments)


def test_a_shape_takes_as_much_room_as_a_rectangle():
    shaped, plain = (
        board_frame(BOARD, None, 20.0, theme, PlainMeasure()) for theme in (SHAPED, load_theme("classic"))
    )
    assert (shaped.width_pt, shaped.height_pt) == (plain.width_pt, plain.height_pt)
    (outline,) = drawn(SHAPED, Polyline)
    for along, length in enumerate((shaped.width_pt, shaped.height_pt)):
        places = [point[along] for point in outline.points]
        assert min(places) - outline.width_pt / 2 >= 0
        assert max(places) + outline.width_pt / 2 <= length


@pytest.mark.parametrize(("style", "kind"), [(SolidStyle.FILLED, Rects), (SolidStyle.HATCHED, Lines)])
def test_masks_may_be_drawn_like_other_solid_squares(style, kind):
    solids = SHAPED.solids.model_copy(update={"mask_style": style})
    plain = load_theme("classic").solids.model_copy(update={"style": style})
    of_mask, of_others = (
        SHAPED.model_copy(update={"solids": solids}),
        SHAPED.model_copy(update={"solids": plain}),
    )
    assert drawn(of_mask, kind) == drawn(of_others.with_shapes([]), kind)


def test_small_holes_are_filled_and_large_ones_are_outlined():
    cat, letter = load_mask("cat"), load_mask("letter-o")
    assert len(blocks_of(cat)) == 12  # eyes and nose
    assert (len(shape_of(cat).outlines), len(shape_of(cat).blocks)) == (1, 3)
    assert (len(shape_of(letter).outlines), len(shape_of(letter).blocks)) == (2, 0)


def test_squares_outside_of_a_shape_are_not_said_to_be_solid():
    assert shown_solids(HEART, load_theme("classic"))
    assert not shown_solids(HEART, SHAPED)
    assert shown_solids(load_mask("cat"), load_theme("classic").with_shapes([load_mask("cat")]))


def test_a_single_solid_square_inside_is_a_block():
    grid = Grid(5, 5, frozenset((12,)))
    solids = load_theme("classic").solids.model_copy(update={"style": SolidStyle.OUTLINE})
    theme = load_theme("classic").model_copy(update={"solids": solids})
    board = Puzzle(grid, (Pair(1, 0, 1),))
    frame = board_frame(board, None, 20.0, theme, PlainMeasure())
    assert [len(item.points) > 8 for item in frame.items if isinstance(item, Polygon)] == [True]


def test_an_ornament_has_dots_for_eyes_and_none_outside_of_the_shape():
    cat = load_mask("cat")
    first, second = cat.free_cells[:2]
    solved = Solution(Puzzle(cat, (Pair(1, first, second),)), (Path(1, (first, second)),))
    *_, dots = path_ornament(solved, 10.0, (0.0, 0.0), [BLACK], BLACK)
    assert isinstance(dots, Discs)
    assert len(dots.centres) == 12
