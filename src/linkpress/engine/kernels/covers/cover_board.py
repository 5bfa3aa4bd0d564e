"""A cover of a board: every free cell is on exactly one path, and no path touches itself.

The ends of the paths become the numbers of a puzzle. A board begins with each cell as a path of its own, with
given paths, or with paths grown as in the article: choose a free cell that has a free neighbour; a path
starts there. From its newer end, go to a random free neighbour that touches the path at that end only. If
there is none, the path is finished. Once no two free cells are neighbours, the rest become solids. The
article keeps the cells of a path in sets, to tell whether a cell touches it. Here each cell has the number of
its path instead.

A cell's ``links`` are the ``DirectionBit`` sum of its drawn edges.

**Energy.** The distance of a cover from its order, as in simulated annealing. It is updated with each move.
It adds up a cost for the length of each path, and a weight for each path too many or too few, for each pair
too many with both ends on the border, and for each end too many on the border. Two more things are counted
beside it: ends without a mirror image, if the numbers must be symmetric, and contacts of ends, if no two may
be neighbours.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.grid import neighbour
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, for_python, items, make_fields
from linkpress.engine.kernels.rng import Rng, below

# Weight of each path too many or too few, and of each pair too many with both ends on the border. With a cost
# of 2 for each cell that a path is too short by, weight 3 and a cooling of 3, 20 × 20 reaches 120 paths in 20
# ms. With weight 2 and cooling 2 it never does. Boards with few paths take the same time either way.
PATH_WEIGHT: int = 3
BORDER_WEIGHT: int = 3
# Weight of each end too many on the border.
END_WEIGHT: int = 1
# Weight of each cell that is an end while its mirror image is none, or the other way round.
_UNMATCHED_WEIGHT: int = 2
# Weight of each contact of two ends: 10 × 10 with 8 pairs makes 44 boards a second with 1, and 6 with 2.
_CONTACT_WEIGHT: int = 1
# By how many halvings a move gets less likely, for each unit of energy that it adds, when a walk begins.
_FIRST_COOLING: int = 3
# The first cooling of a styled board with symmetric numbers: 10 × 10 with 8 pairs takes 7.4 ms a puzzle with
# 3, 6.6 with 2 and 7.5 with 1.
_SYMMETRIC_COOLING: int = 2
# Stands for "no direction" where a direction is expected.
NO_DIRECTION: int = 4


class CoverBoard(State):
    """A cover of a board, and the order that it must meet.

    A cover divides the free cells into paths. An order says how many paths there must be, how long, and where
    they may end.
    """

    rows: int
    cols: int
    cells: int
    path_count: int
    target_paths: int  # required by the order: the number of paths
    border_pairs: int  # pairs with both ends on the border
    max_border_pairs: int  # required by the order: the most pairs with both ends on the border
    border_ends: int  # ends on the border; a path of one cell has two
    max_border_ends: int  # required by the order: the most ends on the border
    unmatched: int  # pairs of mirror images of which exactly one is an end
    energy: int  # the distance from the order, as described in the module
    cooling: int  # by how many halvings a move gets less likely for each unit of energy that it adds
    solid_count: int
    solids_move: bool  # whether there are solids, and the walk may move them
    solids: Ints = items("cells")  # the cells of the solids, in no order
    image: Ints = items("cells")  # by cell: its image under the solids' symmetry; itself without one
    styled: bool  # whether the cover must meet style targets
    symmetric: bool  # required by the order: whether the numbers lie symmetrically
    ends_apart: bool  # required by the order: whether no two ends may be neighbours
    contacts: int  # pairs of neighbouring ends; counted only if ``ends_apart`` is set
    mirror: Ints = items("cells")  # by cell: its image under the numbers' symmetry; itself without one
    cost: Ints = items("cells + 1")  # by length from 0: the energy of a path of that length
    beside: Ints = items("4 * cells")  # 4 × cell + direction: the neighbour there, -1 beyond the border
    border: Bytes = items("cells")  # by cell: 1 on the border
    path_of: Ints = items("cells")  # by cell: its path, -1 on a solid
    links: Bytes = items("cells")  # by cell: the ``DirectionBit`` sum of its drawn edges
    ends: Ints = items("2 * cells + 2")  # 2 × path: its two ends, the same cell twice for a path of one cell
    length: Ints = items("cells + 1")  # by path: the number of its cells
    piece: Ints = items("cells")  # work space: the cells of a part of a path
    changed: Ints = items("cells")  # the cells changed since this list was last emptied, in no order
    changed_count: int
    marked: Bytes = items("cells")  # by cell: 1 if it is in ``changed``
    undo_count: int  # moves in the undo log, which holds moves that are made together, three at most
    undo_by_split: Bytes = items("3")  # by move: 1 if a split undoes it, 0 if an extension of a path does
    undo_cell: Ints = items("3")  # by move: the cell where to split, or the end to extend, to undo it
    undo_toward: Ints = items("3")  # by move: the direction of that split or extension
    undo_kept_side: Ints = items("3")  # by move: the argument ``kept_side`` of that extension

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        make_fields(self, locals())
        self.rows, self.cols, self.cells = rows, cols, cells
        self.max_border_ends = 2 * cells
        self.cooling = _FIRST_COOLING
        for cell in range(cells):
            self.mirror[cell] = cell


def clear_board(board: CoverBoard) -> None:
    """Remove all paths; every cell is free then."""
    for cell in range(board.cells):
        board.path_of[cell] = -1
        board.border[cell] = board.links[cell] = board.marked[cell] = 0
        for side in range(4):
            beside = neighbour(board.rows, board.cols, cell, side)
            board.beside[4 * cell + side] = beside
            if beside < 0:
                board.border[cell] = 1
    board.path_count = board.changed_count = 0


def lay_singles(board: CoverBoard) -> None:
    """Make every cell, except the solids, a path of its own."""
    clear_board(board)
    for index in range(board.solid_count):
        board.path_of[board.solids[index]] = 0  # so that no path is laid there
    for cell in range(board.cells):
        if board.path_of[cell] < 0:
            lay_single(board, cell)
    for index in range(board.solid_count):
        board.path_of[board.solids[index]] = -1
    reset_cooling(board)
    measure(board)


@for_python
def lay_paths(board: CoverBoard, paths: list) -> None:
    """Replace the cover by the given paths, each a list of cells from end to end; other cells are solids."""
    clear_board(board)
    for path in paths:
        end: int = path[0]
        lay_single(board, end)
        for index in range(1, len(path)):
            following: int = path[index]
            for step in range(4):
                if board.beside[4 * end + step] == following:
                    end = _lengthen(board, end, step)
                    break
    reset_cooling(board)
    measure(board)


def reset_cooling(board: CoverBoard) -> None:
    """Set the cooling back to its value at the beginning of a walk."""
    board.cooling = _SYMMETRIC_COOLING if board.symmetric and board.styled else _FIRST_COOLING


def lay_single(board: CoverBoard, cell: int) -> None:
    """Make a cell a path of its own, with the highest number of all paths."""
    path = board.path_count
    board.path_count = path + 1
    board.path_of[cell] = path
    board.links[cell] = 0
    board.length[path] = 1
    board.ends[2 * path] = board.ends[2 * path + 1] = cell


def _lengthen(board: CoverBoard, end: int, step: int) -> int:
    """Lengthen a path from its second end by one step, and return its new end."""
    path, new_end = board.path_of[end], board.beside[4 * end + step]
    board.links[end] |= 1 << step
    board.links[new_end] = 1 << (3 - step)
    board.path_of[new_end] = path
    board.length[path] += 1
    board.ends[2 * path + 1] = new_end
    return new_end


def measure(board: CoverBoard) -> int:
    """Compute the energy and all counts afresh, and return the energy."""
    energy, pairs, ends, unmatched, contacts = 0, 0, 0, 0, 0
    for path in range(board.path_count):
        energy += board.cost[board.length[path]]
        pairs += both_on_border(board, board.ends[2 * path], board.ends[2 * path + 1])
        ends += board.border[board.ends[2 * path]] + board.border[board.ends[2 * path + 1]]
    for cell in range(board.cells):
        unmatched += is_unmatched(board, cell) if cell < board.mirror[cell] else 0
        contacts += _ends_beside(board, cell) if board.ends_apart and is_end(board, cell) else 0
    energy += PATH_WEIGHT * abs(board.path_count - board.target_paths)
    energy += BORDER_WEIGHT * max(0, pairs - board.max_border_pairs)
    energy += END_WEIGHT * max(0, ends - board.max_border_ends)
    board.border_pairs, board.border_ends, board.unmatched, board.energy = pairs, ends, unmatched, energy
    board.contacts = contacts // 2
    return energy


def meets_order(board: CoverBoard) -> bool:
    return board.energy == 0 and board.unmatched == 0 and board.contacts == 0


def distance(board: CoverBoard) -> int:
    """Return the energy, plus the weights of unmatched ends and of contacts between ends."""
    return board.energy + _UNMATCHED_WEIGHT * board.unmatched + _CONTACT_WEIGHT * board.contacts


def is_end(board: CoverBoard, cell: int) -> bool:
    """Return whether a path ends at a cell: it has one edge at most."""
    return board.path_of[cell] >= 0 and board.links[cell] & (board.links[cell] - 1) == 0


def is_unmatched(board: CoverBoard, cell: int) -> int:
    """Return 1 if exactly one of a cell and its mirror image is an end; else 0."""
    cell_is_end: bool = is_end(board, cell)
    image_is_end: bool = is_end(board, board.mirror[cell])
    return 1 if cell_is_end != image_is_end else 0


def set_links(board: CoverBoard, cell: int, bits: int) -> None:
    """Set the drawn edges of a cell, and update the counts of unmatched ends and of contacts."""
    if not (board.symmetric or board.ends_apart):
        board.links[cell] = bits
        return
    was_end: bool = is_end(board, cell)
    unmatched = is_unmatched(board, cell)
    board.links[cell] = bits
    board.unmatched += is_unmatched(board, cell) - unmatched
    is_now_end: bool = is_end(board, cell)
    if board.ends_apart and was_end != is_now_end:
        board.contacts += _ends_beside(board, cell) if is_now_end else -_ends_beside(board, cell)


def _ends_beside(board: CoverBoard, cell: int) -> int:
    """Count the neighbours of a cell at which a path ends."""
    ends = 0
    for side in range(4):
        other = board.beside[4 * cell + side]
        ends += 1 if other >= 0 and is_end(board, other) else 0
    return ends


def count_beside(board: CoverBoard, cell: int, path: int) -> int:
    """Count the neighbours of a cell on a path; with path -1, its neighbours on no path."""
    count = 0
    for side in range(4):
        other = board.beside[4 * cell + side]
        count += 1 if other >= 0 and board.path_of[other] == path else 0
    return count


def both_on_border(board: CoverBoard, one: int, other: int) -> int:
    return board.border[one] & board.border[other]


def lowest_direction(bits: int) -> int:
    """Return the direction of the lowest bit in a non-empty ``DirectionBit`` sum."""
    if bits & 3:
        return 0 if bits & 1 else 1
    return 2 if bits & 4 else 3


def next_direction(board: CoverBoard, cell: int, back: int) -> int:
    """Return the direction in which a path goes on from a cell; NO_DIRECTION at its end.

    Args:
        back: the direction that leads back to the cell before. With NO_DIRECTION, the lower direction of the
            path at this cell is returned.
    """
    bits = board.links[cell]
    if back != NO_DIRECTION:
        bits &= ~(1 << back)
    return lowest_direction(bits) if bits else NO_DIRECTION


def note_change(board: CoverBoard, cell: int) -> None:
    """Add a cell to the list of changed cells."""
    if board.marked[cell] == 0:
        board.marked[cell] = 1
        board.changed[board.changed_count] = cell
        board.changed_count += 1


def truncate_changes(board: CoverBoard, count: int) -> None:
    """Shorten the list of changed cells to its first ``count`` cells."""
    for index in range(count, board.changed_count):
        board.marked[board.changed[index]] = 0
    board.changed_count = count


def remove_path_number(board: CoverBoard, path: int) -> None:
    """Give the last path the number of a path that no longer exists, so that numbers have no gap."""
    last = board.path_count - 1
    board.path_count = last
    if path == last:
        return
    board.ends[2 * path] = board.ends[2 * last]
    board.ends[2 * path + 1] = board.ends[2 * last + 1]
    board.length[path] = board.length[last]
    cell = board.ends[2 * path]
    board.path_of[cell] = path
    step = next_direction(board, cell, NO_DIRECTION)
    while step != NO_DIRECTION:
        cell = board.beside[4 * cell + step]
        board.path_of[cell] = path
        step = next_direction(board, cell, 3 - step)


def copy_cover(board: CoverBoard, other: CoverBoard) -> None:
    """Copy a cover to another board of the same size, and empty the lists of changed cells of both."""
    truncate_changes(board, 0)
    truncate_changes(other, 0)
    other.path_count, other.border_pairs, other.energy = board.path_count, board.border_pairs, board.energy
    other.border_ends, other.unmatched, other.contacts = board.border_ends, board.unmatched, board.contacts
    for cell in range(board.cells):
        other.path_of[cell] = board.path_of[cell]
        other.links[cell] = board.links[cell]
    for path in range(board.path_count):
        other.length[path] = board.length[path]
        other.ends[2 * path] = board.ends[2 * path]
        other.ends[2 * path + 1] = board.ends[2 * path + 1]
    other.solid_count = board.solid_count
    for index in range(board.solid_count):
        other.solids[index] = board.solids[index]


@for_python
def list_paths(board: CoverBoard) -> list[list[int]]:
    """List the cells of each path, from end to end."""
    paths = []
    for path in range(board.path_count):
        cell = board.ends[2 * path]
        cells, step = [cell], next_direction(board, cell, NO_DIRECTION)
        while step != NO_DIRECTION:
            cell = board.beside[4 * cell + step]
            cells.append(cell)
            step = next_direction(board, cell, 3 - step)
        paths.append(cells)
    return paths


@for_python
def grow_paths(rows: int, cols: int, rng: Rng) -> list[list[int]]:
    """Grow paths on an empty board by the article's method, until no two free cells are neighbours.

    Returns:
        The paths, in order, each as two or more cells from end to end. Cells on none of them are solids.
    """
    board = CoverBoard(rows, cols)
    with cython.nogil:
        _grow_all(board, rng)
    return list_paths(board)


def _grow_all(board: CoverBoard, rng: Rng) -> None:
    clear_board(board)
    end = _choose_start(board, rng)
    while end >= 0:
        lay_single(board, end)
        step = _choose_step(board, rng, end)
        while step != NO_DIRECTION:
            end = _lengthen(board, end, step)
            step = _choose_step(board, rng, end)
        end = _choose_start(board, rng)


def _choose_start(board: CoverBoard, rng: Rng) -> int:
    """Choose a free cell with a free neighbour; -1 if there is none."""
    count = 0
    for cell in range(board.cells):
        if board.path_of[cell] < 0 and count_beside(board, cell, -1) > 0:
            board.piece[count] = cell
            count += 1
    return board.piece[below(rng, count)] if count > 0 else -1


def _choose_step(board: CoverBoard, rng: Rng, end: int) -> int:
    """Choose the direction of a free neighbour that touches the path at this end only; else NO_DIRECTION."""
    count = 0
    for step in range(4):
        cell = board.beside[4 * end + step]
        if cell >= 0 and board.path_of[cell] < 0 and count_beside(board, cell, board.path_of[end]) == 1:
            board.piece[count] = step
            count += 1
    return board.piece[below(rng, count)] if count > 0 else NO_DIRECTION
