"""One attempt at a cover to order: lay, walk, repair, write out; and small changes to a finished cover.

A variation changes a cover a little, so that its board still has one drawing as far as windows tell. A few
moves at some squares, as a repair makes them, and the windows of the first stages that hold a
changed square are asked again, the small ones first. Most changes leave a second drawing, which a small
window shows at once; those are taken back, until one holds. The larger windows and the whole board, which
take longer than all of that, are left to the caller, who may have no use for the change.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    Copy,
    CoverBoard,
    lay_paths,
    lay_singles,
    restore,
    save,
    write_cover,
)
from linkpress.engine.kernels.covers.dice import Dice, roll_below
from linkpress.engine.kernels.covers.growth import Paths, list_paths
from linkpress.engine.kernels.covers.repair import RepairState, find_loose, repair, windows_hold
from linkpress.engine.kernels.covers.walk import stir, stir_at
from linkpress.engine.kernels.glossary import ShapingOutcome
from linkpress.engine.kernels.memory import Ints, State, ints_of
from linkpress.engine.kernels.pure_python import kernel

# Work that one move of the walk takes, in thousandths.
_MOVE_WORK: int = 250


def shape_cover(
    rows: int, cols: int, order: tuple, rule: tuple, dice: Dice, stages: list, limit: cython.longlong
) -> tuple[int, list[list[int]], tuple[int, int, int]]:
    """Make one cover.

    Args:
        rows, cols: of the board.
        order: how many paths; how many of them may have both ends on the border, and how many ends may
            lie there; by path length from 0 to rows × cols, what the walk pays for it; by cell, 1 where a
            solid lies first, where the solids' pattern has its counterpart, and where the numbers' pattern
            has it, None without one.
        rule: of the proof, and of scans, as ``RepairState`` has it.
        dice: rolled on.
        stages: of the repair: side of the windows, step, conflicts, rounds.
        limit: the work at which to stop.
    Returns:
        DONE, LOOSE or UNDECIDED as of the repair, or SHAPELESS when the walk did not meet the
        counts; the paths as they are then, each from end to end; counted work, windows asked and
        conflicts.
    """
    board, copy, paths = CoverBoard(rows, cols), Copy(rows * cols), Paths(rows * cols)
    lay_order(board, order)
    state = RepairState(rows, cols, rule, limit, stages)
    with cython.nogil:
        outcome = shape(board, copy, paths, state, dice)
    return outcome, list_paths(paths), (state.work, state.asked, state.conflicts)


def lay_order(board: CoverBoard, order: tuple) -> None:
    """Tell a board what is wanted, in the words of ``shape_cover``."""
    board.wanted, (board.border_most, board.border_ends_most), cost, solid, image, twin = order
    board.twinned = twin is not None
    for length in range(board.cells + 1):
        board.cost[length] = cost[length]
    for cell in range(board.cells):
        board.image[cell] = image[cell]
        board.twin[cell] = cell if twin is None else twin[cell]
        if solid[cell]:
            board.solids[board.solid_count] = cell
            board.solid_count += 1


@kernel
def shape(board: CoverBoard, copy: Copy, paths: Paths, state: RepairState, dice: Dice) -> int:
    """Lay the board out, walk, repair and write the paths out."""
    most: cython.longlong = max(1, max(0, state.limit) * 1000 // _MOVE_WORK)
    lay_singles(board)
    moves: cython.longlong = stir(board, copy, dice, most)
    state.work += moves * _MOVE_WORK // 1000
    outcome = ShapingOutcome.SHAPELESS
    if moves < most:
        outcome = repair(board, copy, state, dice)
    write_cover(board, paths)
    return outcome


# Rows and columns of the squares at which a change begins, its most moves, and their tries.
_REACH: int = 4
_VARIED_MOVES: int = 4
_VARIED_TRIES: int = 100
# Work that making a change and taking it back counts for.
_CHANGE_WORK: int = 30


@cython.cclass
class Variation(State):
    """A cover, the one before it, and what changes it.

    Args:
        rows, cols: of the board.
        order: wanted paths, the most pairs and ends on the border, costs by length, solids by cell, the
            solids' and the numbers' counterparts by cell: as ``shape_cover`` takes them.
        paths: the cover, each path from end to end.
        rule: of the proof, and of scans, as ``RepairState`` has it.
        stages: of the windows, as ``shape_cover`` takes them.
        held: how many of the stages, from the first, hold after a change.
    """

    board: CoverBoard
    copy: Copy  # the cover before the last change
    state: RepairState
    held: int  # how many stages hold after a change
    place_count: int
    place: Ints  # the cells to change, ``place_count`` of them; any where there are none

    def __init__(
        self, rows: int, cols: int, order: tuple, paths: list, rule: tuple, stages: list, held: int
    ) -> None:
        self.held, self.place_count, self.place = held, 0, ints_of(self, rows * cols)
        self.board, self.copy = CoverBoard(rows, cols), Copy(rows * cols)
        lay_order(self.board, order)
        lay_paths(self.board, paths)
        self.state = RepairState(rows, cols, rule, 0, stages)

    def vary(self, dice: Dice, limit: cython.longlong, places: list) -> bool:
        """Change the cover.

        Args:
            dice: rolled on.
            limit: work at which to give up.
            places: cells at one of which the change is to be, each once; anywhere when empty.
        Returns:
            Whether it is changed and none of the changed windows of the held stages is loose; if not, it is
            as it was.
        """
        self.place_count = len(places)
        for index in range(self.place_count):
            self.place[index] = places[index]
        self.state.limit = self.state.work + limit
        with cython.nogil:
            varied: bool = _vary(self, self.board, self.copy, self.state, dice)
        return varied

    def prove(self) -> tuple[bool, list[int]]:
        """Whether the whole board is known to have one drawing, asked now.

        Returns:
            That, and the cells where a second drawing differs, none when the question was given up.
        """
        with cython.nogil:
            proven: bool = not find_loose(self.state, self.board, self.held)
        return proven, [self.state.focus[index] for index in range(self.state.focus_size)]

    def take_back(self) -> None:
        """Undo the last change."""
        restore(self.board, self.copy)

    def paths(self) -> list[list[int]]:
        """The cover's paths, each from end to end."""
        paths = Paths(self.board.cells)
        write_cover(self.board, paths)
        return list_paths(paths)

    def spent(self) -> tuple[int, int]:
        """Work and conflicts so far."""
        return self.state.work, self.state.conflicts


@kernel
def _vary(variation: Variation, board: CoverBoard, copy: Copy, state: RepairState, dice: Dice) -> bool:
    """Try changes until one holds or the work is done."""
    save(board, copy)
    while state.work < state.limit:
        state.work += _CHANGE_WORK
        _place_focus(board, state, _corner(variation, board.cols, dice))
        moves = 1 + roll_below(dice, _VARIED_MOVES)
        if (
            stir_at(board, dice, state.focus, state.focus_size, moves, _VARIED_TRIES)
            and _is_other(board, copy)
            and windows_hold(state, board, variation.held)
        ):
            return True
        restore(board, copy)
    return False


@kernel
def _corner(variation: Variation, cols: int, dice: Dice) -> int:
    """The upper left one of the squares to change: any, or so that one of the places is among them."""
    if variation.place_count == 0:
        return roll_below(dice, variation.board.cells)
    cell = variation.place[roll_below(dice, variation.place_count)]
    row = max(0, cell // cols - roll_below(dice, _REACH))
    return row * cols + max(0, cell % cols - roll_below(dice, _REACH))


@kernel
def _place_focus(board: CoverBoard, state: RepairState, corner: int) -> None:
    """Choose the squares right of and below one."""
    row, col = corner // board.cols, corner % board.cols
    state.focus_size = 0
    for down in range(min(_REACH, board.rows - row)):
        for right in range(min(_REACH, board.cols - col)):
            state.focus[state.focus_size] = corner + down * board.cols + right
            state.focus_size += 1


@kernel
def _is_other(board: CoverBoard, copy: Copy) -> bool:
    """Whether the paths run otherwise than before."""
    for cell in range(board.cells):
        if board.links[cell] != copy.links[cell]:
            return True
    return False
