"""A path cover of a board: every free cell is on exactly one path, and no path touches itself.

The ends of the paths become the numbers of a puzzle. Free cells are those that are not solid.

A cover begins in one of three ways: each cell is a path of its own, the paths are given, or paths are grown
by the method of the article on which linkpress is based. That method works like this. Choose a free cell that
has a free neighbour; a path starts there. From its newer end, go to a random free neighbour that touches the
path at that end only. If there is none, the path is finished. Once no two free cells are neighbours, the rest
become solids. The article keeps the cells of a path in sets, to find out whether a cell touches the path.
Here each cell stores the number of its path instead.

``links`` stores the drawn edges of each cell: the sum of the ``DirectionBit`` of each edge.

**Energy.** The random walk that changes a cover is a form of simulated annealing. The energy says how far the
cover is from its requirements, and is updated with each move. It is the sum of these parts:

- a cost for the length of each path,
- a weight for each path above or below the required number,
- a weight for each path with both ends on the border, beyond the allowed number of such paths,
- a weight for each path end beyond the allowed number in certain cells. Usually these are the cells on the
  border. But if most numbers must be in chosen cells, these are all the other cells.

Two more counts are not part of the energy. On boards with symmetrically placed numbers, ``unmatched`` counts
the pairs of a cell and its mirror image in which only one of the two is a path end. On boards on which no two
path ends may be neighbours, ``contacts`` counts the pairs of path ends that are neighbours.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.grid import neighbour
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, for_python, items, make_fields
from linkpress.engine.kernels.rng import Rng, below

# The energy says how far a path cover (a board divided into paths) is from its requirements. It is a sum of
# several penalties. These are the weights of two of them:
# - PATH_WEIGHT is added for each path that the cover has too many or too few.
# - BORDER_WEIGHT is added for each path with both ends on the border, beyond the number that is allowed.
# For comparison: a path that is too short adds 2 to the energy for each missing cell. If both weights are 3,
# a random walk on a board of 20 × 20 reaches the required 120 paths in 20 ms. If both weights and
# ``_FIRST_COOLING`` are 2, the walk never reaches them. On boards with few paths, the weights make no
# difference to the time.
PATH_WEIGHT: int = 3
BORDER_WEIGHT: int = 3
# The symmetry of the numbers maps each cell onto another one, its mirror image. If only one of the two is a
# path end, ``UNMATCHED_WEIGHT`` is added to the distance of the path cover (a board divided into paths) from
# its requirements. If the symmetry is a quarter turn, or reflection in both axes, ``FOURFOLD_WEIGHT`` is
# added instead. On boards of 12 × 12 with 12 pairs and a quarter turn, 10 boards a second are made if
# ``FOURFOLD_WEIGHT`` is 1. Only 1.5 boards a second are made if ``FOURFOLD_WEIGHT`` is 2.
UNMATCHED_WEIGHT: int = 2
FOURFOLD_WEIGHT: int = 1
# On some boards no two path ends may be neighbours. There, each pair of neighbouring path ends adds this much
# to the distance of the path cover (a board divided into paths) from its requirements. Boards of 10 × 10 with
# 8 pairs can be made at a rate of 44 a second with a weight of 1, and 6 a second with 2.
_CONTACT_WEIGHT: int = 1
# Cooling at the beginning of a random walk. The energy says how far the path cover (a board divided into
# paths) is from its requirements. A move that adds energy e is accepted with a probability of 2 to the power
# of -cooling × e.
_FIRST_COOLING: int = 3
# Cooling at the beginning of a random walk, if the board has symmetrically placed numbers, and style targets
# for its measured properties. The higher the cooling, the less likely the walk is to accept a bad move. A
# puzzle of 10 × 10 with 8 pairs takes 7.4 ms with 3, 6.6 ms with 2 and 7.5 ms with 1.
_SYMMETRIC_COOLING: int = 2
# This value in place of a direction means "no direction".
NO_DIRECTION: int = 4


class CoverBoard(State):
    """A path cover of a board, and the requirements that it must meet.

    A cover divides the free cells into paths. The requirements say how many paths there must be, how long
    they should be, and where they may end.
    """

    rows: int
    cols: int
    cells: int
    path_count: int
    target_paths: int  # the required number of paths
    border_pairs: int  # how many paths have both ends on the border
    max_border_pairs: int  # the largest number of paths that may have both ends on the border

    # In some cells, such as those on the border, only a limited number of path ends is allowed. A path end in
    # such a cell has a weight, which is stored in ``limited``. This field is the sum of these weights. A path
    # of one cell counts as two path ends.
    limited_ends: int
    # The largest value of ``limited_ends`` that meets the requirements. Each unit above it adds 1 to the
    # energy, which says how far the path cover (a board divided into paths) is from its requirements.
    max_limited_ends: int

    # How often the symmetry of the numbers is broken. A cell and its mirror image count as a pair. This is
    # the number of pairs in which only one of the two cells is a path end.
    unmatched: int
    # On boards whose numbers must be placed symmetrically, a cell and its mirror image must both be path
    # ends, or both must not. Whenever only one of the two is a path end, this weight is added to the distance
    # of the path cover (a board divided into paths) from its requirements.
    unmatched_weight: int

    # how far the path cover (a board divided into paths) is from its requirements: the sum that the
    # module docstring explains
    energy: int

    # How strictly a random walk rejects bad moves. The energy says how far the path cover (a board divided
    # into paths) is from its requirements. A move that adds energy e is accepted with a probability of 2 to
    # the power of -cooling × e.
    cooling: int
    solid_count: int
    solids_move: bool  # whether a random walk may move the solids of the board
    solids: Ints = items("cells")  # the solid cells, in no particular order

    # for each cell, the cell onto which the symmetry of the solids maps it; the cell itself if there is
    # no such symmetry
    image: Ints = items("cells")
    # Whether there are style targets for the path cover (a board divided into paths): values that measured
    # properties of the cover should have.
    styled: bool
    symmetric: bool  # whether the cells with numbers must form a symmetric pattern

    # whether the numbers must be placed symmetrically under a quarter turn, or under both reflections
    fourfold: bool
    ends_apart: bool  # whether path ends in neighbouring cells are forbidden

    # how many pairs of path ends are in neighbouring cells; counted only if ``ends_apart`` is set
    contacts: int

    # The path ends whose mirror image, under the symmetry of the numbers, is not a path end. They are in no
    # particular order. Only the first ``lone_count`` entries are valid.
    lone_ends: Ints = items("cells")
    lone_count: int
    # for each cell, its position in the list ``lone_ends``, counted from 1; 0 if the list does not
    # contain the cell
    lone_place: Ints = items("cells")

    # for each cell, the cell onto which the symmetry of the numbers maps it; the cell itself if there is
    # no such symmetry
    mirror: Ints = items("cells")
    # The inverse of ``mirror``: for each cell, the cell that the symmetry of the numbers maps onto it.
    mirrored_from: Ints = items("cells")

    # For each path length from 0 on: how much a path of that length adds to the energy, which says how far
    # the path cover (a board divided into paths) is from its requirements.
    cost: Ints = items("cells + 1")

    # for each cell, the number of its region, which no path may leave; 0 everywhere on a
    # board without regions
    region: Ints = items("cells")

    # For each cell, its four neighbours in the order of ``Direction``. The entry is -1 beyond the border
    # of the board. It is also -1 for a neighbour in another region, because no path may cross the border
    # of a region.
    beside: Ints = items("4 * cells")
    border: Bytes = items("cells")  # for each cell, 1 if it is on the border of the board, else 0

    # For each cell: how much a path end in this cell adds to ``limited_ends``. It is 0 for cells in which any
    # number of path ends is allowed.
    limited: Bytes = items("cells")
    # For each cell, the indexes of its four neighbours. Where there is no neighbour, the array ``beside`` has
    # -1, but this array has the index ``cells``. At this index, ``path_of`` has an extra item. So
    # ``count_beside`` can look up the path of each neighbour without testing whether the neighbour exists.
    near: Ints = items("4 * cells")
    # For each cell, the number of the path through it; -1 for a solid. One extra item, the last, has the
    # value -2. It stands for neighbours that do not exist.
    path_of: Ints = items("cells + 1")
    links: Bytes = items("cells")  # for each cell, the ``DirectionBit`` sum of its drawn edges

    # for each path, its two end cells; the same cell twice if the path has only one cell
    ends: Ints = items("2 * cells + 2")
    length: Ints = items("cells + 1")  # for each path, how many cells it has
    piece: Ints = items("cells")  # work space: the cells of one part of a path

    # the cells that changed since this list was last emptied, in no particular order
    changed: Ints = items("cells")
    changed_count: int
    marked: Bytes = items("cells")  # for each cell, 1 if it is in the list ``changed``, else 0

    # How many moves are in the undo log. At most three moves are made together; then either all of them are
    # kept or all are undone.
    undo_count: int

    # for each move in the undo log, 1 if it is undone by splitting a path, 0 if it is undone by extending one
    undo_by_split: Bytes = items("3")
    # for each move in the undo log, the cell where a path must be split or extended to undo the move
    undo_cell: Ints = items("3")
    # for each move in the undo log, the direction in which a path must be split or extended to undo the move
    undo_toward: Ints = items("3")
    # Some moves in the undo log are undone by extending a path into another path. The path then takes the
    # cell that it enters, and the other path's cells on one side of that cell. For each of these moves: the
    # direction from that cell to the part that the other path keeps; NO_DIRECTION if it keeps nothing.
    undo_kept_side: Ints = items("3")

    def __init__(self, rows: int, cols: int) -> None:
        cells = rows * cols
        make_fields(self, locals())
        self.rows, self.cols, self.cells = rows, cols, cells
        self.max_limited_ends = 2 * cells
        self.cooling = _FIRST_COOLING
        for cell in range(cells):
            self.mirror[cell] = self.mirrored_from[cell] = cell
        self.path_of[cells] = -2


def clear_board(board: CoverBoard) -> None:
    for cell in range(board.cells):
        board.path_of[cell] = -1
        board.border[cell] = board.links[cell] = board.marked[cell] = 0
        for side in range(4):
            beside = neighbour(board.rows, board.cols, cell, side)
            if beside < 0:
                board.border[cell] = 1
            elif board.region[beside] != board.region[cell]:
                beside = -1
            board.beside[4 * cell + side] = beside
            board.near[4 * cell + side] = beside if beside >= 0 else board.cells
    board.path_count = board.changed_count = 0


def lay_singles(board: CoverBoard) -> None:
    """Make every free cell a path of its own."""
    clear_board(board)
    for index in range(board.solid_count):
        # The loop below makes a path of each cell whose ``path_of`` is negative. So that it skips the solids,
        # their ``path_of`` is 0 for now.
        board.path_of[board.solids[index]] = 0
    for cell in range(board.cells):
        if board.path_of[cell] < 0:
            lay_single(board, cell)
    for index in range(board.solid_count):
        board.path_of[board.solids[index]] = -1
    reset_cooling(board)
    measure(board)


@for_python
def lay_paths(board: CoverBoard, paths: list) -> None:
    """Replace the path cover by the given paths, each a list of cells from end to end.

    A path cover is a board divided into paths. Cells that are on none of these paths become solid.
    """
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
    """Set ``cooling`` to the value with which a random walk begins.

    The higher the cooling, the less likely the walk is to accept a move that makes the path cover (a board
    divided into paths) worse.
    """
    board.cooling = _SYMMETRIC_COOLING if board.symmetric and board.styled else _FIRST_COOLING


def lay_single(board: CoverBoard, cell: int) -> None:
    """Make a cell a path of its own, with the next free path number."""
    path = board.path_count
    board.path_count = path + 1
    board.path_of[cell] = path
    board.links[cell] = 0
    board.length[path] = 1
    board.ends[2 * path] = board.ends[2 * path + 1] = cell


def _lengthen(board: CoverBoard, end: int, step: int) -> int:
    """Extend a path by one step at its second end. Return the cell that becomes the new second end."""
    path, new_end = board.path_of[end], board.beside[4 * end + step]
    board.links[end] |= 1 << step
    board.links[new_end] = 1 << (3 - step)
    board.path_of[new_end] = path
    board.length[path] += 1
    board.ends[2 * path + 1] = new_end
    return new_end


def measure(board: CoverBoard) -> int:
    """Compute the energy of the path cover and all its counters from scratch, and return the energy.

    A path cover is a board divided into paths. The energy says how far it is from its requirements.
    """
    energy, pairs, ends, unmatched, contacts = 0, 0, 0, 0, 0
    for path in range(board.path_count):
        energy += board.cost[board.length[path]]
        pairs += both_on_border(board, board.ends[2 * path], board.ends[2 * path + 1])
        ends += board.limited[board.ends[2 * path]] + board.limited[board.ends[2 * path + 1]]
    _clear_lone_ends(board)
    for cell in range(board.cells):
        _note_lone(board, cell, is_end(board, cell) and not is_end(board, board.mirror[cell]))
        is_first: bool = cell < board.mirror[cell] or board.mirror[cell] != board.mirrored_from[cell]
        unmatched += is_unmatched(board, cell) if is_first else 0
        contacts += _ends_beside(board, cell) if board.ends_apart and is_end(board, cell) else 0
    energy += PATH_WEIGHT * abs(board.path_count - board.target_paths)
    energy += BORDER_WEIGHT * max(0, pairs - board.max_border_pairs)
    energy += max(0, ends - board.max_limited_ends)
    board.border_pairs, board.limited_ends, board.unmatched, board.energy = pairs, ends, unmatched, energy
    board.contacts = contacts // 2
    return energy


def meets_order(board: CoverBoard) -> bool:
    return board.energy == 0 and board.unmatched == 0 and board.contacts == 0


def distance(board: CoverBoard) -> int:
    """Return how far the path cover (a board divided into paths) is from all its requirements.

    The distance is the energy plus two penalties. One is for path ends that break the symmetry of the
    numbers. The other is for neighbouring path ends, on boards where no two path ends may be neighbours.
    """
    return board.energy + board.unmatched_weight * board.unmatched + _CONTACT_WEIGHT * board.contacts


def is_end(board: CoverBoard, cell: int) -> bool:
    return board.path_of[cell] >= 0 and board.links[cell] & (board.links[cell] - 1) == 0


def is_unmatched(board: CoverBoard, cell: int) -> int:
    """Return 1 if a cell breaks the symmetry of the numbers; else 0.

    The symmetry maps the cell onto another cell. It is broken if only one of the two cells is a path end.
    """
    cell_is_end: bool = is_end(board, cell)
    image_is_end: bool = is_end(board, board.mirror[cell])
    return 1 if cell_is_end != image_is_end else 0


def set_links(board: CoverBoard, cell: int, bits: int) -> None:
    """Set which edges of a cell on a path are drawn.

    The cell may become a path end, or stop being one. Then three fields of the board are updated:
    ``unmatched`` and ``lone_ends``, which record where the numbers are not symmetric, and ``contacts``, which
    counts the pairs of path ends in neighbouring cells.

    Args:
        bits: the drawn edges, as the sum of their ``DirectionBit`` values.
    """
    was_end: bool = board.links[cell] & (board.links[cell] - 1) == 0
    is_now_end: bool = bits & (bits - 1) == 0
    board.links[cell] = bits
    if was_end == is_now_end or not (board.symmetric or board.ends_apart):
        return
    image, other = board.mirror[cell], board.mirrored_from[cell]
    if image != cell:
        image_is_end: bool = is_end(board, image)
        other_is_end: bool = is_end(board, other)
        _note_lone(board, cell, is_now_end and not image_is_end)
        _note_lone(board, other, other_is_end and not is_now_end)
        board.unmatched += 1 if image_is_end != is_now_end else -1
        # The symmetry of the numbers maps ``cell`` onto ``image``, and ``other`` onto ``cell``. The pair of
        # ``cell`` and ``image`` has been counted above. With a half turn or a reflection, ``other`` is the
        # same cell as ``image``, so there is no second pair to count.
        if other != image:
            board.unmatched += 1 if other_is_end != is_now_end else -1
    if board.ends_apart:
        board.contacts += _ends_beside(board, cell) if is_now_end else -_ends_beside(board, cell)


def _note_lone(board: CoverBoard, cell: int, lone: bool) -> None:
    """Add a cell to the list ``lone_ends``, or remove it from the list.

    The symmetry of the numbers maps each cell onto another cell, its mirror image. The list contains the
    path ends whose mirror image is not a path end.

    Args:
        lone: True to add the cell, unless it is listed already. False to remove it, if it is listed.
    """
    place = board.lone_place[cell]
    if lone and place == 0:
        board.lone_ends[board.lone_count] = cell
        board.lone_count += 1
        board.lone_place[cell] = board.lone_count
    elif place > 0 and not lone:
        board.lone_count -= 1
        last = board.lone_ends[board.lone_count]
        board.lone_ends[place - 1], board.lone_place[last] = last, place
        board.lone_place[cell] = 0


def _clear_lone_ends(board: CoverBoard) -> None:
    for index in range(board.lone_count):
        board.lone_place[board.lone_ends[index]] = 0
    board.lone_count = 0


def _ends_beside(board: CoverBoard, cell: int) -> int:
    """Count the neighbours of a cell that are path ends."""
    ends = 0
    for side in range(4):
        other = board.beside[4 * cell + side]
        ends += 1 if other >= 0 and is_end(board, other) else 0
    return ends


def count_beside(board: CoverBoard, cell: int, path: int) -> int:
    """Count the neighbours of a cell that are on a given path.

    Args:
        path: the number of the path. With -1, the neighbours that are on no path are counted.
    """
    count, near, path_of = 0, board.near, board.path_of
    for side in range(4):
        count += 1 if path_of[near[4 * cell + side]] == path else 0
    return count


def both_on_border(board: CoverBoard, one: int, other: int) -> int:
    return board.border[one] & board.border[other]


def lowest_direction(bits: int) -> int:
    """Return the direction with the lowest number in a set, or NO_DIRECTION if the set is empty.

    Args:
        bits: the set of directions, as a ``DirectionBit`` sum.
    """
    # This code computes the result without branches, because the processor could hardly predict them.
    lowest = bits & -bits
    return (lowest >> 1) - (lowest >> 3) + (NO_DIRECTION if bits == 0 else 0)


def next_direction(board: CoverBoard, cell: int, back: int) -> int:
    """Return the direction in which a path continues from a cell, or NO_DIRECTION at the end of the path.

    Args:
        back: the direction to the previous cell of the path. With NO_DIRECTION, there is no previous cell;
            the result is then the first direction, in the order of ``Direction``, in which the path leaves
            this cell.
    """
    return lowest_direction(board.links[cell] & ~(1 << back))


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
    """Remove the number of a path that no longer exists, so that the path numbers stay consecutive.

    The path with the last number gets the removed number.
    """
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
    """Copy a path cover (a board divided into paths) to another board of the same size.

    The lists of changed cells of both boards become empty.
    """
    truncate_changes(board, 0)
    truncate_changes(other, 0)
    other.path_count, other.border_pairs, other.energy = board.path_count, board.border_pairs, board.energy
    other.limited_ends, other.unmatched, other.contacts = board.limited_ends, board.unmatched, board.contacts
    _clear_lone_ends(other)
    for index in range(board.lone_count):
        _note_lone(other, board.lone_ends[index], True)
    # The arrays are kept in local variables, because this lets the C compiler copy several of their
    # items at once.
    path_of, other_path_of, links, other_links = board.path_of, other.path_of, board.links, other.links
    for cell in range(board.cells):
        other_path_of[cell] = path_of[cell]
    for cell in range(board.cells):
        other_links[cell] = links[cell]
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
    """Grow random paths on an empty board, until no two free cells are neighbours.

    The module docstring describes the method.

    Returns:
        The paths in the order in which they were made. Each is a list of at least two cells, from end to end.
        Cells that are on no path become solids.
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
    """Choose a random free cell that has a free neighbour. Return -1 if there is none."""
    count = 0
    for cell in range(board.cells):
        if board.path_of[cell] < 0 and count_beside(board, cell, -1) > 0:
            board.piece[count] = cell
            count += 1
    return board.piece[below(rng, count)] if count > 0 else -1


def _choose_step(board: CoverBoard, rng: Rng, end: int) -> int:
    """Choose the direction of a growing path's next step. Return NO_DIRECTION if the path can't grow.

    The path may step to a free neighbour of its end if the neighbour touches no other cell of the path.
    """
    count = 0
    for step in range(4):
        cell = board.beside[4 * end + step]
        if cell >= 0 and board.path_of[cell] < 0 and count_beside(board, cell, board.path_of[end]) == 1:
            board.piece[count] = step
            count += 1
    return board.piece[below(rng, count)] if count > 0 else NO_DIRECTION
