"""Lines lead within components and not across walls; along a wall, paths keep the order of their ends.

The order says who goes round whom. A *wall* is a connected set of sides that no line can still cross: of the
board, of solids, of edges that are ruled out, and of the lines drawn from endpoints. Walk along a wall with
one hand on it, and note which path each square passed belongs to. Every path is one connected curve that
touches the wall there and crosses no other. So

* two numbers never alternate (1 … 2 … 1 … 2);
* the numbers part the squares along the wall into *faces*: a square belongs to a number that touches its
  face too, or to one that touches this wall nowhere; a fragment that touches several faces belongs to a
  number that touches all of them.

Finished paths are walls, so that this unwraps a board from its border inwards; and between two ends that
follow one another on the wall, with nobody else who could come there, a path hugs the wall.
It holds for every filling, strict or not: paths that cross nowhere are all it needs.
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
    """An order has the walls of a board, and the squares met on a walk along one of them."""

    effort: cython.longlong  # at trying steps, over the whole climb, in edges × squares²
    passable: Bytes = items("cells")  # by fragment's name: 0 when it begins at an endpoint, else 1
    at_wall: Bytes = items("cells")  # by fragment's name: 1 when a cell of it has a corner on a wall
    end: Ints = items("cells")  # by fragment's name: a cell of it with need, -1 for none
    component: Ints = items("cells")  # by cell: the first cell of those to which lines from it can lead
    stack: Ints = items("cells")  # cells to be looked at
    # By corner of a square, row × (cols + 1) + col.
    walls: Bytes = items("corners")  # the walls that leave it, 1 << heading each
    walked: Bytes = items("corners")  # those that a walk has followed
    met: int  # how many squares a walk met
    square: Ints = items("most")  # the squares, in order
    face: Ints = items("most")  # of each, its face; of a square with a number, the one before it
    # The numbers met.
    left: Ints = items("cells + 1")  # by number: how often it is still to be met
    outer: Ints = items("cells")  # the faces around the numbers that are still to be met, the innermost last
    inner: Ints = items("cells")  # those numbers
    touches: int  # how often a number touches a face
    touched_face: Ints = items("2 * most")  # by touch, the face
    touching: Ints = items("2 * most")  # by touch, the number
    candidate: Ints = items("cells + 1")  # by number: the faces of a fragment that it touches; -1 if not met

    def __init__(self, cells: int) -> None:
        corners, most = 2 * cells + 8, 16 * cells + 16
        make_fields(self, locals())


def join_components(board: LadderBoard, along_lines: bool, component: Ints, stack: Ints) -> None:
    """Write at each cell the first cell of its component, at a full cell that cell itself.

    Args:
        along_lines: whether fragments join the cells at their ends, as open edges do.
        component: by cell, to be filled.
        stack: room for all cells.
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
    """Write at each corner of a square the walls that leave it, the sum of 1 << heading.

    Walls are the border, edges that are ruled out, and the lines beside those that are drawn.

    Args:
        passable: by fragment's name, not 0 where its drawn edges are no walls.
        walls: by corner, row × (cols + 1) + col, to be filled.
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
    """Tell whether no line can still cross from one cell of an edge to the other."""
    if board.edge[edge] != EdgeState.DRAWN:
        return board.edge[edge] != EdgeState.OPEN
    return passable[board.line[edge >> 1]] == 0


def find_order(board: LadderBoard, order: WallOrder) -> bool:
    """Find fragments that one number alone can come to; False when paths would have to cross."""
    join_components(board, True, order.component, order.stack)
    corners = _raise_walls(board, order)
    for corner in range(corners):
        for heading in range(4):
            if (order.walls[corner] & ~order.walked[corner]) >> heading & 1:
                _walk_along(board, order, corner, heading)
                if not _part_faces(board, order):
                    return False
                if not _judge_squares(board, order):
                    return False
    return True


def note_touching(board: LadderBoard, order: WallOrder) -> None:
    """Note which fragments lie at a wall, as ``find_order`` built them last."""
    across = board.cols + 1
    for cell in range(board.cells):
        order.at_wall[cell] = 0
    for cell in range(board.cells):
        corner = cell + cell // board.cols
        upper, lower = order.walls[corner] + order.walls[corner + 1], corner + across
        if upper + order.walls[lower] + order.walls[lower + 1] > 0:
            order.at_wall[board.line[cell]] = 1


def may_cross(board: LadderBoard, order: WallOrder, edge: int) -> bool:
    """Tell whether drawing an edge brings a number, or another line at a wall, to a line at a wall."""
    one, other = edge >> 1, far_end(board, edge)
    touching = order.at_wall[board.line[one]] + order.at_wall[board.line[other]]
    return touching == 2 or (touching == 1 and board.number[one] != board.number[other])


@cython.cfunc
def list_walks(board: LadderBoard, order: WallOrder) -> list:
    """List the squares that lines can still come to along each wall, once around it."""
    walks: list = []
    for corner in range(_raise_walls(board, order)):
        for heading in range(4):
            if (order.walls[corner] & ~order.walked[corner]) >> heading & 1:
                _walk_along(board, order, corner, heading)
                walks.append([order.square[index] for index in range(order.met)])
    return walks


def _raise_walls(board: LadderBoard, order: WallOrder) -> int:
    """Note walls and fragments as they are, and no wall as walked; return the number of corners."""
    _note_fragments(board, order)
    build_walls(board, order.passable, order.walls)
    corners = (board.rows + 1) * (board.cols + 1)
    for corner in range(corners):
        order.walked[corner] = 0
    return corners


def _note_fragments(board: LadderBoard, order: WallOrder) -> None:
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


def _walk_along(board: LadderBoard, order: WallOrder, corner: int, heading: int) -> None:
    """List the squares along a wall, once around, that lines can still come to."""
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
    """Note the square to the right of a step that leaves a corner with a heading."""
    across = board.cols + 1
    row = corner // across - (1 if heading in (WEST, NORTH) else 0)
    col = corner % across - (1 if heading in (SOUTH, WEST) else 0)
    if not (0 <= row < board.rows and 0 <= col < board.cols):
        return
    cell = row * board.cols + col
    if order.end[board.line[cell]] < 0 or (board.need[cell] == 0 and order.passable[board.line[cell]] == 0):
        return
    if order.met == 0 or order.square[order.met - 1] != cell:
        order.square[order.met] = cell
        order.met += 1


def _part_faces(board: LadderBoard, order: WallOrder) -> bool:
    """Find the face of each square met; False when two numbers alternate."""
    for index in range(order.met):
        order.left[board.number[order.square[index]]] = 0
    for index in range(order.met):
        order.left[board.number[order.square[index]]] += 1
    face, faces, depth = 0, 1, 0
    order.touches = 0
    for index in range(order.met):
        order.face[index] = face
        number = board.number[order.square[index]]
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
                    board.fault, board.fault_at = Contradiction.CROSSED, number
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
    """Judge the fragments without a number by the numbers that can come to all their faces."""
    for index in range(order.met):
        line = board.line[order.square[index]]
        if board.number[order.square[index]] != 0:
            continue
        first: bool = True
        for before in range(index):
            if board.line[order.square[before]] == line:
                first = False
                break
        if first and not _judge_fragment(board, order, index):
            return False
    return True


def _judge_fragment(board: LadderBoard, order: WallOrder, index: int) -> bool:
    """Find the numbers that can come to a fragment met without a number; False when there is none."""
    cell = order.end[board.line[order.square[index]]]
    faces = _count_faces(board, order, index)
    count, last = 0, 0
    for pair in range(board.pair_count):
        number = 1 + board.pairs[2 * pair]
        goal = open_end(board, number - 1)
        if goal < 0 or order.component[goal] != order.component[cell]:
            continue
        if order.candidate[number] == faces or (order.candidate[number] < 0 and faces == 1):
            count += 1
            last = number
    if count == 0:
        board.fault, board.fault_at = Contradiction.CROSSED, 0
        return False
    if count == 1:
        propose(board, FindingKind.NUMBERED, min(cell, board.mate[cell]), Reason.IN_ORDER, last)
    return True


def _count_faces(board: LadderBoard, order: WallOrder, index: int) -> int:
    """Count the faces that the fragment touches that was met first at one place, and fill ``candidate``."""
    for pair in range(board.pair_count):
        order.candidate[1 + board.pairs[2 * pair]] = -1
    for touch_index in range(order.touches):
        order.candidate[order.touching[touch_index]] = 0
    line, faces = board.line[order.square[index]], 0
    for here in range(index, order.met):
        if board.line[order.square[here]] != line or _is_known(board, order, index, here):
            continue
        faces += 1
        for touch_index in range(order.touches):
            if order.touched_face[touch_index] == order.face[here]:
                order.candidate[order.touching[touch_index]] += 1
    return faces


def _is_known(board: LadderBoard, order: WallOrder, begin: int, here: int) -> bool:
    """Tell whether the fragment met at one place was met in the same face before, from ``begin`` on."""
    line = board.line[order.square[here]]
    for before in range(begin, here):
        if board.line[order.square[before]] == line and order.face[before] == order.face[here]:
            return True
    return False
