"""Paths grow on an empty board as in the article, by union–find over its squares; kernels write paths so.

Choose a free square that has a free neighbour, then one such neighbour: they start a path. From its
newer end take, at random, a free neighbour that touches the path at that end alone; when there is
none the path is finished. When no two free squares are neighbours any more, those left over are
solid. The squares of a path are one set, so "does this square touch the path" is a look at the roots
of its neighbours.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.dice import Dice, below
from linkpress.engine.kernels.memory import Bytes, Ints, State
from linkpress.engine.kernels.pure_python import for_python, items, make_fields


class Paths(State):
    """Paths share no square and stand one after the other, with room for a board of so many cells."""

    count: int  # paths
    used: int  # words of ``squares``
    squares: Ints = items("cells")  # the paths' cells, each path's from end to end
    length: Ints = items("cells")  # by path: how many of them it has

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


def add_square(paths: Paths, cell: int) -> None:
    """Write the next square of the path that is being written."""
    paths.squares[paths.used] = cell
    paths.used += 1


def end_path(paths: Paths, length: int) -> None:
    """Make a path of so many of the squares written last."""
    paths.length[paths.count] = length
    paths.count += 1


@for_python
def list_paths(paths: Paths) -> list[list[int]]:
    """List each path's cells from end to end."""
    listed, index = [], 0
    for path in range(paths.count):
        listed.append([paths.squares[index + step] for step in range(paths.length[path])])
        index += paths.length[path]
    return listed


class Growth(State):
    """A board on which paths grow knows for each square of which path it is."""

    rows: int  # of the board
    cols: int  # of the board
    cells: int  # of the board
    taken: Bytes = items("rows * cols")  # by cell: 1 on a path
    parent: Ints = items("rows * cols")  # by cell: a square of its path nearer to the root, itself for a root
    choices: Ints = items("rows * cols")  # the cells that may be chosen
    around: Ints = items("4")  # the neighbours of a cell, at most four
    beyond: Ints = items("4")  # the neighbours of one of those

    def __init__(self, rows: int, cols: int) -> None:
        make_fields(self, locals())
        self.rows, self.cols, self.cells = rows, cols, rows * cols


@for_python
def grow_paths(rows: int, cols: int, dice: Dice) -> list[list[int]]:
    """Cut an empty board into paths of two or more squares, in order; squares on none of them are solid."""
    growth, paths = Growth(rows, cols), Paths(rows * cols)
    with cython.nogil:
        grow_all(growth, paths, dice)
    return list_paths(paths)


def grow_all(growth: Growth, paths: Paths, dice: Dice) -> None:
    """Grow paths until no two free squares are neighbours."""
    for cell in range(growth.cells):
        growth.taken[cell] = 0
        growth.parent[cell] = cell
    start = _choose_start(growth, dice)
    while start >= 0:
        _grow_from(growth, paths, dice, start)
        start = _choose_start(growth, dice)


def _grow_from(growth: Growth, paths: Paths, dice: Dice, start: int) -> None:
    growth.taken[start] = 1
    add_square(paths, start)
    length, last = 1, start
    end = _choose_free(growth, dice, start)
    while end >= 0:
        _unite_squares(growth.parent, last, end)
        growth.taken[end] = 1
        add_square(paths, end)
        length, last = length + 1, end
        end = _choose_next(growth, dice, end)
    end_path(paths, length)


def _list_neighbours(growth: Growth, cell: int, around: Ints) -> int:
    """Write a square's neighbours, up, left, right, down, into ``around``; return how many."""
    cols = growth.cols
    row, col = cell // cols, cell % cols
    count = 0
    if row > 0:
        around[count] = cell - cols
        count += 1
    if col > 0:
        around[count] = cell - 1
        count += 1
    if col < cols - 1:
        around[count] = cell + 1
        count += 1
    if row < growth.rows - 1:
        around[count] = cell + cols
        count += 1
    return count


def _path_root(parent: Ints, cell: int) -> int:
    while parent[cell] != cell:
        parent[cell] = parent[parent[cell]]
        cell = parent[cell]
    return cell


def _unite_squares(parent: Ints, one: int, other: int) -> None:
    root = _path_root(parent, other)
    parent[_path_root(parent, one)] = root


def _choose_start(growth: Growth, dice: Dice) -> int:
    """Choose a free square with a free neighbour; -1 when there is none."""
    count = 0
    for cell in range(growth.cells):
        if growth.taken[cell] == 0 and _list_free(growth, cell) > 0:
            growth.choices[count] = cell
            count += 1
    return growth.choices[below(dice, count)] if count > 0 else -1


def _choose_free(growth: Growth, dice: Dice, cell: int) -> int:
    count = _list_free(growth, cell)
    return growth.around[below(dice, count)] if count > 0 else -1


def _list_free(growth: Growth, cell: int) -> int:
    """Write a square's free neighbours into ``around``; return how many."""
    around = growth.around
    count = 0
    for index in range(_list_neighbours(growth, cell, around)):
        if growth.taken[around[index]] == 0:
            around[count] = around[index]
            count += 1
    return count


def _choose_next(growth: Growth, dice: Dice, end: int) -> int:
    """Choose a free neighbour of the path's end that touches the path at that end alone; -1 for none."""
    around, beyond, parent = growth.around, growth.beyond, growth.parent
    root = _path_root(parent, end)
    count = 0
    for index in range(_list_free(growth, end)):
        cell, touching = around[index], 0
        for side in range(_list_neighbours(growth, cell, beyond)):
            if _path_root(parent, beyond[side]) == root:
                touching += 1
        if touching == 1:
            around[count] = cell
            count += 1
    return around[below(dice, count)] if count > 0 else -1
