"""Technique ``order``: along a wall, the ends of paths must not alternate, since paths can't cross.

A **wall** is a connected set of sides of cells that no line can cross any more. These sides lie on the border
of the board, around solids, at edges that are ruled out, and along the lines that are drawn from endpoints. A
*corner* is a corner of a cell, numbered row × (cols + 1) + column. A wall leaves a corner in a direction
called *heading*: east, south, west or north.

Walk along a wall with one hand on it, and note for each cell to which path it belongs. Each path is a
connected curve that touches the wall at its cells and crosses no other path. So:

* Two numbers never alternate: 1 … 2 … 1 … 2 is impossible.
* The paths of the numbers divide the area beside the wall into regions, called **faces**. The number of a
  cell is sometimes still unknown. It must be a number that also touches the face of the cell, or a number
  that does not touch this wall at all. If a fragment (a run of drawn edges) touches several faces, it belongs
  to a number that touches all of them.

A finished path is a wall, so the technique works from the border inwards. If two line ends of a pair follow
each other on a wall and no other number can get there, the pair's path runs along the wall.

The technique relies only on the fact that paths don't cross, so it is valid for every drawing that fills the
board.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import Contradiction, EdgeState, FindingKind, Reason
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, edge_of, far_end, open_end, propose
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

EAST: int = 0
SOUTH: int = 1
WEST: int = 2
NORTH: int = 3


class WallOrder(State):
    """Walls of a board, and the cells beside the wall that is being examined.

    A wall is a connected set of sides of cells. No line can cross these sides any more. Examples are the
    border of the board, the sides of solids, and walls along the lines that are drawn from endpoints.
    """

    # Effort spent on trying to draw single edges in this attempt to solve a board. Each round of tries adds
    # the number of open edges (neither drawn nor ruled out), times the square of the number of cells.
    effort: cython.longlong
    # For each fragment (run of drawn edges): 0 if it counts as a wall, else 1. A fragment that begins at an
    # endpoint belongs to the path of that pair. No other pair's path can run through it, so it is a wall.
    passable: Bytes = items("cells")

    # for each fragment (run of drawn edges): 1 if a corner of one of its cells lies on a wall, which is made
    # of sides of cells that no line can cross; else 0
    at_wall: Bytes = items("cells")

    # for each fragment (run of drawn edges): one of its cells that needs another edge; -1 if there is none
    end: Ints = items("cells")

    # For each cell: the first cell of its area. Two cells are in the same area if a path could still lead
    # from one to the other. It could use drawn edges, and open edges, which are neither drawn nor ruled out.
    component: Ints = items("cells")

    # work space: the cells whose neighbours ``join_components`` has not visited yet
    stack: Ints = items("cells")

    # for each corner of a cell: a bit for each direction in which a wall (sides of cells that no line can
    # cross) leaves it
    walls: Bytes = items("corners")

    # The technique walks along each wall (sides of cells that no line can cross), from one corner of a cell
    # to the next. For each corner: a bit for each direction in which a walk has already left the corner.
    walked: Bytes = items("corners")

    # how many items of ``met_cell`` the last walk along a wall (sides of cells that no line can
    # cross) has listed
    met: int

    # The cells that the last walk along a wall listed, in the order of the walk. A wall consists of sides of
    # cells that no line can cross. The listed cells lie beside it, and lines can still reach them. A cell can
    # occur several times.
    met_cell: Ints = items("most")

    # The paths of pairs that touch a wall (sides of cells that no line can cross) divide the area beside it
    # into regions, called faces. For each item of ``met_cell``, which lists the cells that the walk along the
    # wall meets: the face in which the walk meets the cell. For a cell with a number, this is the face in
    # which the walk was just before that cell.
    face: Ints = items("most")
    # A walk along a wall (sides of cells that no line can cross) passes the cells in ``met_cell`` one after
    # another. For each number of the puzzle: how many cells with this number are still ahead of the walk.
    left: Ints = items("cells + 1")

    # The paths of pairs that touch a wall (sides of cells that no line can cross) divide the area beside
    # it into regions, called faces. A walk along the wall enters another face when it passes a cell with a
    # number. ``inner`` is a stack of numbers: the walk has passed some of the cells with these numbers,
    # but not all. For each number on this stack: the face to which the walk returns after the last cell
    # with this number.
    outer: Ints = items("cells")
    # Stack of numbers, for a walk along a wall (sides of cells that no line can cross). A number is on the
    # stack while the walk has passed some cells with this number, but not all of them. If paths don't cross,
    # the number that was put on the stack last is the first to be removed.
    inner: Ints = items("cells")
    # The paths of pairs divide the area beside a wall (sides of cells that no line can cross) into regions,
    # called faces. This is the number of entries in ``touched_face`` and ``touching``, which list the paths
    # along each face.
    touches: int

    # The paths that join pairs of numbers divide the area beside a wall (sides of cells that no line can
    # cross) into regions, called faces. This array and ``touching`` say which paths border on which faces:
    # the path with the number ``touching[i]`` borders on the face ``touched_face[i]``.
    touched_face: Ints = items("2 * most")
    # A face is a region beside a wall, bounded by paths. Each entry is the number of a path that borders on a
    # face. At the same index, ``touched_face`` has the face.
    touching: Ints = items("2 * most")

    # The paths that join pairs of numbers divide the area beside a wall (sides of cells that no line can
    # cross) into regions, called faces. One fragment (run of drawn edges) is examined at a time. For each
    # number of the puzzle: the number of faces that this fragment shares with the path of that number. The
    # value is -1 if that path borders on no face.
    shared_faces: Ints = items("cells + 1")

    def __init__(self, cells: int) -> None:
        corners, most = 2 * cells + 8, 16 * cells + 16
        make_fields(self, locals())


def join_components(board: LadderBoard, along_lines: bool, component: Ints, stack: Ints) -> None:
    """Find the areas (components) of cells that need more edges and are joined by open edges.

    A cell needs more edges if it has fewer drawn edges than its path uses. An open edge is neither drawn nor
    ruled out.

    Args:
        along_lines: whether the two ends of a fragment (run of drawn edges) count as joined too.
        component: the result: for each cell, the first cell of its component. A cell that needs no edge is a
            component of its own.
        stack: work space with room for all cells.
    """
    for cell in range(board.cells):
        component[cell] = -1 if board.need[cell] > 0 else cell
    for start in range(board.cells):
        if component[start] >= 0:
            continue
        component[start], stack[0], count = start, start, 1
        while count > 0:
            count -= 1
            cell = stack[count]
            for side in range(5 if along_lines else 4):
                to = board.mate[cell] if side == 4 else board.around[4 * cell + side]
                if to < 0 or component[to] >= 0:
                    continue
                if side == 4 or board.edge[edge_of(board, cell, side)] == EdgeState.OPEN:
                    component[to], stack[count] = start, to
                    count += 1


def build_walls(board: LadderBoard, passable: Bytes, walls: Bytes) -> None:
    """Find, for each corner of a cell, the directions in which a wall leaves it. No line can cross a wall.

    Args:
        passable: for each fragment (run of drawn edges), 0 if its drawn edges count as walls.
        walls: the result: for each corner, the bits 1 << heading of all walls that leave it.
    """
    rows, cols, across = board.rows, board.cols, board.cols + 1
    for corner in range((rows + 1) * across):
        walls[corner] = 0
    for row in range(rows + 1):
        for col in range(cols + 1):
            corner = row * across + col
            cell = row * cols + col
            if col < cols and (row in (0, rows) or _is_wall(board, passable, 2 * (cell - cols) + 1)):
                walls[corner] |= 1 << EAST
                walls[corner + 1] |= 1 << WEST
            if row < rows and (col in (0, cols) or _is_wall(board, passable, 2 * (cell - 1))):
                walls[corner] |= 1 << SOUTH
                walls[corner + across] |= 1 << NORTH


def _is_wall(board: LadderBoard, passable: Bytes, edge: int) -> bool:
    """Return whether no line can cross between the two cells of an edge any more.

    Args:
        passable: for each fragment (run of drawn edges), 0 if its drawn edges count as walls.
    """
    if board.edge[edge] != EdgeState.DRAWN:
        return board.edge[edge] != EdgeState.OPEN
    return passable[board.line[edge >> 1]] == 0


def find_order(board: LadderBoard, order: WallOrder) -> bool:
    """Propose a number for each line that only that number's path can reach without crossing another path.

    Returns:
        False if two paths would have to cross.
    """
    join_components(board, True, order.component, order.stack)
    corners = _prepare_walls(board, order)
    for corner in range(corners):
        for heading in range(4):
            if (order.walls[corner] & ~order.walked[corner]) >> heading & 1:
                _walk_along(board, order, corner, heading)
                if not _divide_faces(board, order):
                    return False
                if not _judge_squares(board, order):
                    return False
    return True


@cython.cfunc
def list_walks(board: LadderBoard, order: WallOrder) -> list:
    """Walk along each wall, and return a list of cells for each walk, in the order of the walk.

    A wall is a connected set of sides of cells that no line can cross. Each list has the cells beside one
    wall that lines can still reach.
    """
    walks: list = []
    for corner in range(_prepare_walls(board, order)):
        for heading in range(4):
            if (order.walls[corner] & ~order.walked[corner]) >> heading & 1:
                _walk_along(board, order, corner, heading)
                walks.append([order.met_cell[index] for index in range(order.met)])
    return walks


def note_touching(board: LadderBoard, order: WallOrder) -> None:
    """Set ``at_wall`` for each fragment (run of drawn edges) that touches a wall.

    A wall is a connected set of sides of cells that no line can cross. The walls are those that
    ``find_order`` built last.
    """
    across = board.cols + 1
    for cell in range(board.cells):
        order.at_wall[cell] = 0
    for cell in range(board.cells):
        corner = cell + cell // board.cols
        upper, lower = order.walls[corner] + order.walls[corner + 1], corner + across
        if upper + order.walls[lower] + order.walls[lower + 1] > 0:
            order.at_wall[board.line[cell]] = 1


def may_cross(board: LadderBoard, order: WallOrder, edge: int) -> bool:
    """Return whether drawing an edge might force paths to cross.

    A wall is a connected set of sides of cells that no line can cross. The edge joins two fragments (runs of
    drawn edges). Drawing it can force paths to cross in two cases only: both fragments touch a wall, or one
    of them touches a wall and their numbers differ.
    """
    one, other = edge >> 1, far_end(board, edge)
    touching = order.at_wall[board.line[one]] + order.at_wall[board.line[other]]
    return touching == 2 or (touching == 1 and board.pair_code[one] != board.pair_code[other])


def _prepare_walls(board: LadderBoard, order: WallOrder) -> int:
    """Build the walls, and clear the record of earlier walks along them.

    A wall is a connected set of sides of cells that no line can cross.

    Returns:
        The number of corners of cells on the board.
    """
    for cell in range(board.cells):
        order.passable[cell] = 1
        order.end[cell] = -1
    for cell in range(board.cells):
        if board.need[cell] > 0:
            order.end[board.line[cell]] = cell
    for index in range(2 * board.pair_count):
        cell = board.pairs[index]
        if board.need[cell] == 0:
            order.passable[board.line[cell]] = 0
    build_walls(board, order.passable, order.walls)
    corners = (board.rows + 1) * (board.cols + 1)
    for corner in range(corners):
        order.walked[corner] = 0
    return corners


def _walk_along(board: LadderBoard, order: WallOrder, corner: int, heading: int) -> None:
    """Walk once around a wall, and list the cells along it that lines can still reach.

    A wall is a connected set of sides of cells that no line can cross.

    Args:
        corner, heading: the corner of a cell where the walk begins, and the direction of its first step.
    """
    across = board.cols + 1
    order.met = 0
    while order.walked[corner] >> heading & 1 == 0:
        order.walked[corner] |= 1 << heading
        _meet(board, order, corner, heading)
        if heading in (EAST, WEST):
            corner += 1 if heading == EAST else -1
        else:
            corner += across if heading == SOUTH else -across
        turn = 1
        while order.walls[corner] >> (heading + turn & 3) & 1 == 0:
            turn = turn + 3 & 3
            _meet(board, order, corner, heading + turn & 3)
        heading = heading + turn & 3


def _meet(board: LadderBoard, order: WallOrder, corner: int, heading: int) -> None:
    """List the cell to the right of a step of the walk along a wall, if lines can still reach the cell.

    A wall is a connected set of sides of cells that no line can cross. The cell is appended to ``met_cell``,
    unless it is already the last cell in that list.

    Args:
        corner, heading: the corner of a cell where the step begins, and the direction of the step.
    """
    across = board.cols + 1
    row = corner // across - (1 if heading in (WEST, NORTH) else 0)
    col = corner % across - (1 if heading in (SOUTH, WEST) else 0)
    if not (0 <= row < board.rows and 0 <= col < board.cols):
        return
    cell = row * board.cols + col
    if order.end[board.line[cell]] < 0 or (board.need[cell] == 0 and order.passable[board.line[cell]] == 0):
        return
    if order.met == 0 or order.met_cell[order.met - 1] != cell:
        order.met_cell[order.met] = cell
        order.met += 1


def _divide_faces(board: LadderBoard, order: WallOrder) -> bool:
    """Find the face of each cell along the wall.

    A wall is a connected set of sides of cells that no line can cross. A face is a region between the wall
    and the paths of numbers.

    Returns:
        False if the cells of two numbers alternate along the wall, so that their paths would have to cross.
    """
    for index in range(order.met):
        order.left[board.pair_code[order.met_cell[index]]] = 0
    for index in range(order.met):
        order.left[board.pair_code[order.met_cell[index]]] += 1
    face, faces, depth = 0, 1, 0
    order.touches = 0
    for index in range(order.met):
        order.face[index] = face
        number = board.pair_code[order.met_cell[index]]
        if number == 0:
            continue
        order.left[number] -= 1
        if depth > 0 and order.inner[depth - 1] == number:
            if order.left[number] == 0:
                depth -= 1
                face = order.outer[depth]
                continue
        else:
            for below in range(depth):
                if order.inner[below] == number:
                    board.contradiction, board.contradiction_at = Contradiction.CROSSED, number
                    return False
            _touch_face(order, face, number)
            if order.left[number] == 0:
                continue
            order.inner[depth], order.outer[depth] = number, face
            depth += 1
        face = faces
        faces += 1
        _touch_face(order, face, number)
    return True


def _touch_face(order: WallOrder, face: int, number: int) -> None:
    order.touched_face[order.touches], order.touching[order.touches] = face, number
    order.touches += 1


def _judge_squares(board: LadderBoard, order: WallOrder) -> bool:
    """Find which numbers can reach the cells along a wall that have no number yet.

    A wall is a connected set of sides of cells that no line can cross. If only one number can reach such a
    cell, propose the number for it. The cells are those that the last walk along a wall listed. Cells of one
    fragment (run of drawn edges) are examined together.

    Returns:
        False if there is a fragment that no number can reach without crossing another path.
    """
    for index in range(order.met):
        line = board.line[order.met_cell[index]]
        if board.pair_code[order.met_cell[index]] != 0:
            continue
        first: bool = True
        for before in range(index):
            if board.line[order.met_cell[before]] == line:
                first = False
                break
        if first and not _judge_fragment(board, order, index):
            return False
    return True


def _judge_fragment(board: LadderBoard, order: WallOrder, index: int) -> bool:
    """Propose a number for a fragment (run of drawn edges) if only this number can reach it.

    A wall is a connected set of sides of cells that no line can cross.

    Args:
        index: the walk along the wall lists the cells that it passes in ``order.met_cell``. This is the index
            of the first of them that belongs to the fragment.
    Returns:
        False if no number can reach the fragment without crossing another path.
    """
    cell = order.end[board.line[order.met_cell[index]]]
    faces = _count_faces(board, order, index)
    count, last = 0, 0
    for pair in range(board.pair_count):
        number = 1 + board.pairs[2 * pair]
        goal = open_end(board, number - 1)
        if goal < 0 or order.component[goal] != order.component[cell]:
            continue
        if order.shared_faces[number] == faces or (order.shared_faces[number] < 0 and faces == 1):
            count += 1
            last = number
    if count == 0:
        board.contradiction, board.contradiction_at = Contradiction.CROSSED, 0
        return False
    if count == 1:
        propose(board, FindingKind.NUMBERED, min(cell, board.mate[cell]), Reason.IN_ORDER, last)
    return True


def _count_faces(board: LadderBoard, order: WallOrder, index: int) -> int:
    """Count the faces that a fragment (run of drawn edges) touches.

    The paths of pairs that touch a wall (sides of cells that no line can cross) divide the area beside it
    into regions, called faces. This function also fills in ``shared_faces``. For each number, this array says
    how many faces are touched both by the fragment and by the number's path.

    Args:
        index: the walk along the wall lists the cells that it passes in ``order.met_cell``. This is the index
            of the first of them that belongs to the fragment.
    """
    for pair in range(board.pair_count):
        order.shared_faces[1 + board.pairs[2 * pair]] = -1
    for touch in range(order.touches):
        order.shared_faces[order.touching[touch]] = 0
    line, faces = board.line[order.met_cell[index]], 0
    for place in range(index, order.met):
        if board.line[order.met_cell[place]] != line or _is_counted(board, order, index, place):
            continue
        faces += 1
        for touch in range(order.touches):
            if order.touched_face[touch] == order.face[place]:
                order.shared_faces[order.touching[touch]] += 1
    return faces


def _is_counted(board: LadderBoard, order: WallOrder, begin: int, place: int) -> bool:
    """Return whether ``_count_faces`` has already counted the face in which a cell of a fragment lies.

    A face is a region between a wall (sides of cells that no line can cross) and the paths of numbers. A
    fragment is a run of drawn edges. A fragment can touch the same face at several cells, but the face must
    be counted only once. The face has been counted if an earlier cell of the fragment lies in it, too.

    Args:
        begin: the index in ``order.met_cell`` of the fragment's first cell.
        place: the index in ``order.met_cell`` of the cell, which belongs to the fragment.
    """
    line = board.line[order.met_cell[place]]
    for before in range(begin, place):
        if board.line[order.met_cell[before]] == line and order.face[before] == order.face[place]:
            return True
    return False
