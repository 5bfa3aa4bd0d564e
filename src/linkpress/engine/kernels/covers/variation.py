"""Changes a cover a little, so that its board still has one drawing as far as windows tell.

A few moves at some squares, as a repair makes them, and the windows that hold a changed square are asked
again, the small ones first. Most changes leave a second drawing, which a small window shows at once;
those are taken back, until one holds. The question about the whole board, which takes longer than all
of that, is left to the caller, who may have no use for the change.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.covers.cover_board import (
        Copy,
        CoverBoard,
        lay_paths,
        restore,
        save,
        write_cover,
    )
    from linkpress.engine.kernels.covers.dice import Dice, roll_below
    from linkpress.engine.kernels.covers.paths import Paths, list_paths
    from linkpress.engine.kernels.covers.repair import RepairState, whole_holds, windows_hold
    from linkpress.engine.kernels.covers.shaping import lay_order
    from linkpress.engine.kernels.covers.walk import stir_at
    from linkpress.engine.kernels.memory import State


# Rows and columns of the squares at which a change begins, its most moves, and their tries.
_REACH = cython.declare(cython.int, 4)
_VARIED_MOVES = cython.declare(cython.int, 4)
_VARIED_TRIES = cython.declare(cython.int, 100)
# Work that making a change and taking it back counts for.
_CHANGE_WORK = cython.declare(cython.int, 30)


@cython.final
@cython.cclass
class Variation(State):
    """A cover, the one before it, and what changes it.

    Args:
        rows, cols: of the board.
        order: wanted paths, the most pairs and ends on the border, costs by length, solids by cell, the
            solids' and the numbers' counterparts by cell: as ``shape_cover`` takes them.
        paths: the cover, each path from end to end.
        strict: the rule of the proof.
        stages: of the windows, as ``shape_cover`` takes them.
    """

    board: CoverBoard
    copy: Copy  # the cover before the last change
    state: RepairState

    def __init__(
        self, rows: cython.int, cols: cython.int, order: tuple, paths: list, strict: cython.bint, stages: list
    ) -> None:
        self.board, self.copy = CoverBoard(rows, cols), Copy(rows * cols)
        lay_order(self.board, order)
        lay_paths(self.board, paths)
        self.state = RepairState(rows, cols, strict, 0, stages)

    def vary(self, dice: Dice, limit: cython.longlong) -> bool:
        """Change the cover.

        Args:
            dice: rolled on.
            limit: work at which to give up.
        Returns:
            Whether it is changed and no window of a stage before the last is loose; if not, it is as it was.
        """
        self.state.limit = self.state.work + limit
        with cython.nogil:
            varied: cython.bint = _vary(self.board, self.copy, self.state, dice)
        return varied

    def is_proven(self) -> bool:
        """Whether the whole board is known to have one drawing, asked now."""
        with cython.nogil:
            proven: cython.bint = whole_holds(self.state, self.board)
        return proven

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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _vary(board: CoverBoard, copy: Copy, state: RepairState, dice: Dice) -> cython.bint:
    """Try changes until one holds or the work is done."""
    save(board, copy)
    while state.work < state.limit:
        state.work += _CHANGE_WORK
        _place_focus(board, state, roll_below(dice, board.cells))
        moves = 1 + roll_below(dice, _VARIED_MOVES)
        if (
            stir_at(board, state.undos, dice, state.focus, state.focus_size, moves, _VARIED_TRIES)
            and _is_other(board, copy)
            and windows_hold(state, board)
        ):
            return True
        restore(board, copy)
    return False


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _place_focus(board: CoverBoard, state: RepairState, corner: cython.int) -> cython.void:
    """Choose the squares right of and below one."""
    row, col = corner // board.cols, corner % board.cols
    state.focus_size = 0
    for down in range(min(_REACH, board.rows - row)):
        for right in range(min(_REACH, board.cols - col)):
            state.focus[state.focus_size] = corner + down * board.cols + right
            state.focus_size += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _is_other(board: CoverBoard, copy: Copy) -> cython.bint:
    """Whether the paths run otherwise than before."""
    for cell in range(board.cells):
        if board.links[cell] != copy.links[cell]:
            return True
    return False
