"""A cover board has every free square on one path, and no path touching itself, while the walk changes it.

It begins with each square a path of its own, with paths that are given, or with paths that grow as in the
article: choose a free square that has a free neighbour; there a path starts. From its newer end take, at
random, a free neighbour that touches the path at that end alone; when there is none the path is finished.
When no two free squares are neighbours any more, those left over are solid. The article unites the squares
of a path to sets in order to see whether a square touches it; here each square has the number of its path.

A square's ``links`` are a sum of ``DirectionBit``. The energy is the distance to the recipe, updated as moves
are made: what each path costs by its length, and more for every path too many or too few, for every pair too
many with both ends on the border and for every end too many there. Counted beside it are the squares that
disturb the symmetry of the numbers, and the ends that lie side by side where none shall.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.dice import Dice, below
from linkpress.engine.kernels.grid import neighbour
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, for_python, items, make_fields

# Chosen with the cooling below: with path weight 2 for each square that a path is too short by,
# weight 3 and 3 halvings for each unit, 20 × 20 reaches 120 paths in 20 ms; weight 2 and 2
# halvings does not reach it at all, and boards with few paths take as long either way.
PATH_WEIGHT: int = 3
BORDER_WEIGHT: int = 3
# For each end too many on the border.
END_WEIGHT: int = 1
# For each square that is an end, or its counterpart, while the other is none.
_ODD_WEIGHT: int = 2
# For each two ends side by side where none shall be: 10 × 10 with 8 pairs makes 44 such boards a second with
# 1, and 6 with 2.
_TOUCH_WEIGHT: int = 1
_FIRST_COOLING: int = 3
# The same where numbers are symmetric and the board is to look composed: 10 × 10 with 8 pairs takes 7.4 ms a
# puzzle with 3, 6.6 with 2 and 7.5 with 1.
_TWINNED_COOLING: int = 2
# In place of a direction.
NO_WAY: int = 4


class CoverBoard(State):
    """A board has a cover, and the recipe that it is to meet."""

    rows: int  # of the board
    cols: int  # of the board
    cells: int  # of the board
    path_count: int  # paths
    wanted: int  # how many there shall be
    border_pairs: int  # pairs with both ends on the border
    border_most: int  # how many there may be
    border_ends: int  # ends on the border; a path of one square has two
    border_ends_most: int  # how many there may be
    odd: int  # squares and counterparts of which one is an end and the other is none
    energy: int  # the distance to the recipe
    cooling: int  # halvings of a move's chance for each unit by which it raises the energy
    solid_count: int  # solids
    solids_move: bool  # whether there are any, and a walk may move them
    solids: Ints = items("cells")  # their cells, in no order
    image: Ints = items("cells")  # by cell: where the pattern has its counterpart, itself where it has none
    composed: bool  # whether the cover is for a board that shall look composed
    twinned: bool  # whether the numbers shall lie symmetrically
    apart: bool  # whether no two numbers shall stand side by side
    touching: int  # ends that do, in twos, where none shall
    twin: Ints = items("cells")  # by cell: its counterpart by the numbers' symmetry, else itself
    cost: Ints = items("cells + 1")  # by length from 0: what a path of that length costs
    beside: Ints = items("4 * cells")  # 4 × cell + direction: the neighbour there, -1 beyond the border
    border: Bytes = items("cells")  # by cell: 1 on the border
    path_of: Ints = items("cells")  # by cell: its path, -1 on a solid
    links: Bytes = items("cells")  # by cell: the directions in which its path goes on, as bits
    ends: Ints = items("2 * cells + 2")  # 2 × path: its two ends, one cell twice for a path of one square
    length: Ints = items("cells + 1")  # by path: its squares
    piece: Ints = items("cells")  # the squares that a move takes from a path
    changed: Ints = items("cells")  # cells changed since the list was emptied, in no order
    changed_count: int  # how many
    marked: Bytes = items("cells")  # by cell: 1 when it is in that list
    # How to take back the moves that are made together, the last one first: at most three.
    undo_count: int
    undo_by_split: Bytes = items("3")  # 1 where a split takes the move back, 0 where a taking does
    undo_cell: Ints = items("3")  # the cell to be cut off, or the end that takes back
    undo_toward: Ints = items("3")  # the direction from there
    undo_keeps: Ints = items("3")  # what ``take`` calls so

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        make_fields(self, locals())
        self.rows, self.cols, self.cells = rows, cols, cells
        self.border_ends_most = 2 * cells
        self.cooling = _FIRST_COOLING
        for cell in range(cells):
            self.twin[cell] = cell


def lay_nothing(board: CoverBoard) -> None:
    """Lay the board out with no path at all, and every square free."""
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
    """Lay the board out with every square but the solids as a path of its own."""
    lay_nothing(board)
    for index in range(board.solid_count):
        board.path_of[board.solids[index]] = 0  # taken, until the others are laid
    for cell in range(board.cells):
        if board.path_of[cell] < 0:
            lay_single(board, cell)
    for index in range(board.solid_count):
        board.path_of[board.solids[index]] = -1
    cool_first(board)
    measure(board)


@for_python
def lay_paths(board: CoverBoard, paths: list) -> None:
    """Lay the board out with paths, each a list of cells from end to end; the rest is solid."""
    lay_nothing(board)
    for path in paths:
        end: int = path[0]
        lay_single(board, end)
        for index in range(1, len(path)):
            beyond: int = path[index]
            for step in range(4):
                if board.beside[4 * end + step] == beyond:
                    end = _lengthen(board, end, step)
                    break
    cool_first(board)
    measure(board)


def cool_first(board: CoverBoard) -> None:
    """Let the walk be as warm as at its beginning."""
    board.cooling = _TWINNED_COOLING if board.twinned and board.composed else _FIRST_COOLING


def lay_single(board: CoverBoard, cell: int) -> None:
    """Make a square a path of its own, the last."""
    path = board.path_count
    board.path_count = path + 1
    board.path_of[cell] = path
    board.links[cell] = 0
    board.length[path] = 1
    board.ends[2 * path] = board.ends[2 * path + 1] = cell


def _lengthen(board: CoverBoard, end: int, step: int) -> int:
    """Lead a path on from its second end by one step, and return the square that it comes to."""
    path, beyond = board.path_of[end], board.beside[4 * end + step]
    board.links[end] |= 1 << step
    board.links[beyond] = 1 << (3 - step)
    board.path_of[beyond] = path
    board.length[path] += 1
    board.ends[2 * path + 1] = beyond
    return beyond


def measure(board: CoverBoard) -> int:
    """Measure the distance to the recipe afresh."""
    energy, pairs, ends, odd, touching = 0, 0, 0, 0, 0
    for path in range(board.path_count):
        energy += board.cost[board.length[path]]
        pairs += both_on_border(board, board.ends[2 * path], board.ends[2 * path + 1])
        ends += board.border[board.ends[2 * path]] + board.border[board.ends[2 * path + 1]]
    for cell in range(board.cells):
        odd += is_odd(board, cell) if cell < board.twin[cell] else 0
        touching += _ends_beside(board, cell) if board.apart and is_end(board, cell) else 0
    energy += PATH_WEIGHT * abs(board.path_count - board.wanted)
    energy += BORDER_WEIGHT * max(0, pairs - board.border_most)
    energy += END_WEIGHT * max(0, ends - board.border_ends_most)
    board.border_pairs, board.border_ends, board.odd, board.energy = pairs, ends, odd, energy
    board.touching = touching // 2
    return energy


def is_met(board: CoverBoard) -> bool:
    """Tell whether the cover is what the recipe asks."""
    return board.energy == 0 and board.odd == 0 and board.touching == 0


def distance(board: CoverBoard) -> int:
    """Return the energy and what the places of the numbers add to it."""
    return board.energy + _ODD_WEIGHT * board.odd + _TOUCH_WEIGHT * board.touching


def is_end(board: CoverBoard, cell: int) -> bool:
    """Tell whether a path ends in a cell."""
    return board.path_of[cell] >= 0 and board.links[cell] & (board.links[cell] - 1) == 0


def is_odd(board: CoverBoard, cell: int) -> int:
    """Return 1 when a cell is an end and its counterpart is none, or the other way round; else 0."""
    here: bool = is_end(board, cell)
    there: bool = is_end(board, board.twin[cell])
    return 1 if here != there else 0


def set_links(board: CoverBoard, cell: int, bits: int) -> None:
    """Set the directions in which a path goes on from a cell; only fresh boards change links elsewhere."""
    if not (board.twinned or board.apart):
        board.links[cell] = bits
        return
    before: bool = is_end(board, cell)
    odd = is_odd(board, cell)
    board.links[cell] = bits
    board.odd += is_odd(board, cell) - odd
    after: bool = is_end(board, cell)
    if board.apart and before != after:
        board.touching += _ends_beside(board, cell) if after else -_ends_beside(board, cell)


def _ends_beside(board: CoverBoard, cell: int) -> int:
    ends = 0
    for side in range(4):
        other = board.beside[4 * cell + side]
        ends += 1 if other >= 0 and is_end(board, other) else 0
    return ends


def count_beside(board: CoverBoard, cell: int, path: int) -> int:
    """Count a cell's neighbours on a path; with -1 those on none."""
    count = 0
    for side in range(4):
        other = board.beside[4 * cell + side]
        count += 1 if other >= 0 and board.path_of[other] == path else 0
    return count


def both_on_border(board: CoverBoard, one: int, other: int) -> int:
    """Return 1 when two cells are both on the border, else 0."""
    return board.border[one] & board.border[other]


def direction(bits: int) -> int:
    """Return the direction of the lowest bit that is set, of four."""
    if bits & 3:
        return 0 if bits & 1 else 1
    return 2 if bits & 4 else 3


def way_on(board: CoverBoard, cell: int, back: int) -> int:
    """Return where a path goes on from a square that it entered from ``back``; NO_WAY at its end.

    ``back`` is NO_WAY where the walk along the path begins; of two ways on it takes the lower direction.
    """
    bits = board.links[cell]
    if back != NO_WAY:
        bits &= ~(1 << back)
    return direction(bits) if bits else NO_WAY


def change(board: CoverBoard, cell: int) -> None:
    """Put a cell on the list of changed ones."""
    if board.marked[cell] == 0:
        board.marked[cell] = 1
        board.changed[board.changed_count] = cell
        board.changed_count += 1


def forget_changes_after(board: CoverBoard, count: int) -> None:
    """Keep only the first so many changed cells."""
    for index in range(count, board.changed_count):
        board.marked[board.changed[index]] = 0
    board.changed_count = count


def close_gap(board: CoverBoard, path: int) -> None:
    """Give the last path the number of one that has ended."""
    last = board.path_count - 1
    board.path_count = last
    if path == last:
        return
    board.ends[2 * path] = board.ends[2 * last]
    board.ends[2 * path + 1] = board.ends[2 * last + 1]
    board.length[path] = board.length[last]
    cell = board.ends[2 * path]
    board.path_of[cell] = path
    step = way_on(board, cell, NO_WAY)
    while step != NO_WAY:
        cell = board.beside[4 * cell + step]
        board.path_of[cell] = path
        step = way_on(board, cell, 3 - step)


def copy_cover(board: CoverBoard, other: CoverBoard) -> None:
    """Give another board of this size the same cover, and empty the lists of changes of both."""
    forget_changes_after(board, 0)
    forget_changes_after(other, 0)
    other.path_count, other.border_pairs, other.energy = (board.path_count, board.border_pairs, board.energy)
    other.border_ends, other.odd, other.touching = board.border_ends, board.odd, board.touching
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
    """List each path's cells, from its first end."""
    paths = []
    for path in range(board.path_count):
        cell = board.ends[2 * path]
        cells, step = [cell], way_on(board, cell, NO_WAY)
        while step != NO_WAY:
            cell = board.beside[4 * cell + step]
            cells.append(cell)
            step = way_on(board, cell, 3 - step)
        paths.append(cells)
    return paths


@for_python
def grow_paths(rows: int, cols: int, dice: Dice) -> list[list[int]]:
    """Cut an empty board into paths of two or more squares, in order; squares on none of them are solid."""
    board = CoverBoard(rows, cols)
    with cython.nogil:
        _grow_all(board, dice)
    return list_paths(board)


def _grow_all(board: CoverBoard, dice: Dice) -> None:
    """Grow paths until no two free squares are neighbours."""
    lay_nothing(board)
    start = _choose_start(board, dice)
    while start >= 0:
        _grow_from(board, dice, start)
        start = _choose_start(board, dice)


def _choose_start(board: CoverBoard, dice: Dice) -> int:
    """Choose a free square with a free neighbour; -1 when there is none."""
    count = 0
    for cell in range(board.cells):
        if board.path_of[cell] < 0 and count_beside(board, cell, -1) > 0:
            board.piece[count] = cell
            count += 1
    return board.piece[below(dice, count)] if count > 0 else -1


def _grow_from(board: CoverBoard, dice: Dice, start: int) -> None:
    lay_single(board, start)
    end, step = start, _choose_step(board, dice, start)
    while step != NO_WAY:
        end = _lengthen(board, end, step)
        step = _choose_step(board, dice, end)


def _choose_step(board: CoverBoard, dice: Dice, end: int) -> int:
    """Choose the way to a free neighbour that touches the path at that end alone; NO_WAY for none."""
    count = 0
    for step in range(4):
        cell = board.beside[4 * end + step]
        if cell >= 0 and board.path_of[cell] < 0 and count_beside(board, cell, board.path_of[end]) == 1:
            board.piece[count] = step
            count += 1
    return board.piece[below(dice, count)] if count > 0 else NO_WAY
