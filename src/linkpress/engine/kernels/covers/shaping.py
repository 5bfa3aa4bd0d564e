"""One attempt at a cover to order: lay, walk, repair, write out."""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

from linkpress.engine.kernels.glossary import ShapingOutcome

if not cython.compiled:
    from linkpress.engine.kernels.covers.cover_board import (
        Copy,
        CoverBoard,
        lay_singles,
        write_cover,
    )
    from linkpress.engine.kernels.covers.dice import Dice
    from linkpress.engine.kernels.covers.paths import Paths, list_paths
    from linkpress.engine.kernels.covers.repair import RepairState, repair
    from linkpress.engine.kernels.covers.walk import stir


SHAPELESS = cython.declare(cython.int, ShapingOutcome.SHAPELESS.value)

# Work that one move of the walk takes, in thousandths.
_MOVE_WORK = cython.declare(cython.int, 250)


def shape_cover(
    rows: cython.int,
    cols: cython.int,
    order: tuple,
    strict: cython.bint,
    dice: Dice,
    stages: list,
    limit: cython.longlong,
) -> tuple[int, list[list[int]], tuple[int, int, int]]:
    """Make one cover.

    Args:
        rows, cols: of the board.
        order: how many paths; how many of them may have both ends on the border, and how many ends may
            lie there; by path length from 0 to rows × cols, what the walk pays for it; by cell, 1 where a
            solid lies first, where the solids' pattern has its counterpart, and where the numbers' pattern
            has it, None without one.
        strict: the rule of the proof.
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
    state = RepairState(rows, cols, strict, limit, stages)
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


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def shape(board: CoverBoard, copy: Copy, paths: Paths, state: RepairState, dice: Dice) -> cython.int:
    """Lay the board out, walk, repair and write the paths out."""
    most: cython.longlong = max(1, max(0, state.limit) * 1000 // _MOVE_WORK)
    lay_singles(board)
    moves: cython.longlong = stir(board, copy, state.undos, dice, most)
    state.work += moves * _MOVE_WORK // 1000
    outcome = SHAPELESS
    if moves < most:
        outcome = repair(board, copy, state, dice)
    write_cover(board, paths)
    return outcome
