"""An attempt at a cover to order lays it, walks, repairs and writes it out; variations change a finished one.

A variation changes a cover a little, so that its board still has one drawing as far as windows tell: it makes
a few moves at some squares, as a repair makes them, and asks the windows of the first stages that hold a
changed square again, the small ones first. Most changes leave a second drawing, which a small
window shows at once; those are taken back, until one holds. The larger windows and the whole board, which
take longer than all of that, are left to the caller, who may have no use for the change.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    CoverBoard,
    copy_cover,
    lay_paths,
    lay_singles,
    list_paths,
)
from linkpress.engine.kernels.covers.cover_look import REFUSED, Look, look_at
from linkpress.engine.kernels.covers.dice import Dice, roll_below
from linkpress.engine.kernels.covers.repair import RepairState, find_multiple, repair, windows_hold
from linkpress.engine.kernels.covers.walk import shake, stir, stir_at
from linkpress.engine.kernels.glossary import LookFigure, ShapingOutcome
from linkpress.engine.kernels.pure_python import Ints, State, for_python, items, make_fields

# Work that one move of the walk takes, in thousandths.
_MOVE_WORK: int = 250
# Covers that are tried in an attempt at a composed board; moves by cell from one to the walk to the next, and
# of a walk after which another begins. 10 × 10 with 8 pairs takes as long with 12 covers as with 30 where
# numbers are symmetric, and 5.8 instead of 7.1 ms a puzzle where they are not.
_COVERS: int = 16
_SHAKEN: int = 3
_COMPOSED_MOVES: int = 40
# The share of an attempt's work that the repair of one of its covers may take, as a divisor: with all of it
# 8 × 8 with 7 to 10 pairs takes 4.4 ms a puzzle and 3.4 so, 10 × 10 with symmetric numbers 7.2 and 6.7.
_LIMIT_SHARE: int = 4
# Thousandths of lines that a cover may copy more than is allowed, and still be changed so that it does not:
# of those between 900 and 950 one in twenty comes to 850 by the changes of its look, of others none.
_COPIED_TOO_MUCH: int = 50


@for_python
def shape_cover(
    rows: int, cols: int, order: tuple, aims: list, windows: tuple, dice: Dice, limit: cython.longlong
) -> tuple[int, list[list[int]], int, int]:
    """Make one cover.

    Args:
        order: how many paths; how many of them may have both ends on the border, and how many ends may
            lie there; whether no two ends may lie side by side; by path length from 0 to rows × cols, what
            the walk pays for it; by cell, 1 where a solid lies first, where the solids' pattern has its
            counterpart, None where solids stay, and where the numbers' pattern has it, None without one.
        aims: of the look, as ``Look`` takes them; empty where any look will do.
        windows: which the repair asks, as ``RepairState`` has them.
        limit: the work at which to stop.
    Returns:
        DONE, UNREPAIRED or UNDECIDED as of the repair, or SHAPELESS when the walk did not meet the
        counts; the paths as they are then, each from end to end; counted work, and conflicts.
    """
    board, kept, copy = CoverBoard(rows, cols), CoverBoard(rows, cols), CoverBoard(rows, cols)
    lay_order(board, order)
    look = Look(rows * cols, aims)
    board.composed = len(aims) > 0
    state = RepairState(rows, cols, windows, limit)
    with cython.nogil:
        outcome = _attempt(board, kept, copy, state, dice, look)
    return outcome, list_paths(board), state.work, state.conflicts


@for_python
def lay_order(board: CoverBoard, order: tuple) -> None:
    """Tell a board what is wanted, in the words of ``shape_cover``."""
    board.wanted, (board.border_most, board.border_ends_most), board.apart, cost, solid, image, twin = order
    board.twinned, board.solids_move = twin is not None, False
    for length in range(board.cells + 1):
        board.cost[length] = cost[length]
    for cell in range(board.cells):
        board.image[cell] = cell if image is None else image[cell]
        board.twin[cell] = cell if twin is None else twin[cell]
        if solid[cell]:
            board.solids[board.solid_count] = cell
            board.solid_count += 1
            board.solids_move = image is not None


def _attempt(
    board: CoverBoard, kept: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice, look: Look
) -> int:
    """Lay the board out, walk, change its look and repair."""
    lay_singles(board)
    if board.composed:
        return _compose(board, kept, copy, state, dice, look)
    most: cython.longlong = max(1, max(0, state.limit) * 1000 // _MOVE_WORK)
    if _walk(board, copy, state, dice, most):
        return repair(board, copy, state, dice, look)
    return ShapingOutcome.SHAPELESS


def _walk(board: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice, most: cython.longlong) -> bool:
    moves: cython.longlong = stir(board, copy, dice, most)
    state.work += moves * _MOVE_WORK // 1000
    return moves < most


def _compose(
    board: CoverBoard, kept: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice, look: Look
) -> int:
    """Walk to the recipe, change the look and repair; where that fails, shake the cover and try again.

    A walk goes on from the last cover that was worth its repair, which ``kept`` has. Those that copy
    themselves go on copying themselves: three in four stay exact images, and one in fifty becomes what is
    wanted. So where there is none to go on from, the walk begins anew after one of them.
    """
    limit: cython.longlong = max(0, state.limit)
    outcome = ShapingOutcome.SHAPELESS
    for _ in range(_COVERS):
        met: bool = _walk(board, copy, state, dice, board.cells * _COMPOSED_MOVES)
        if met:
            outcome = ShapingOutcome.UNREPAIRED
        if met and _style(board, copy, state, dice, look) < REFUSED:
            state.limit = state.work + limit // _LIMIT_SHARE
            outcome = repair(board, copy, state, dice, look)
            if outcome != ShapingOutcome.UNREPAIRED:
                return outcome
            copy_cover(board, kept)
        elif kept.path_count > 0:
            copy_cover(kept, board)
        elif met:
            lay_singles(board)
            continue
        shake(board, copy, dice, _SHAKEN * board.cells)
    return outcome


# Changes that are tried for the look of a cover before it is repaired, and the moves that are tried for
# each: where numbers lie anywhere, and where they are symmetric. There most moves can't be made, and
# finished boards come as near to their styles with 50 changes as with 200.
_STYLED: int = 200
_STYLED_TRIES: int = 50
_TWINNED_STYLED: int = 50
_TWINNED_TRIES: int = 20
# Work that one of them counts for.
_STYLING_WORK: int = 8


def _style(
    board: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice, look: Look
) -> cython.longlong:
    """Change a cover a few squares at a time, keep what looks better, and return how it looks then."""
    here: cython.longlong = look_at(look, board)
    if look.figure[LookFigure.COPIED_LINES] > look.most[LookFigure.COPIED_LINES] + _COPIED_TOO_MUCH:
        return here
    for _ in range(_TWINNED_STYLED if board.twinned else _STYLED):
        state.work += _STYLING_WORK
        copy_cover(board, copy)
        there: cython.longlong = _change_look(board, state, dice, look, roll_below(dice, board.cells))
        if there < 0 or there > here:
            copy_cover(copy, board)
        else:
            here = there
    return here


def _change_look(
    board: CoverBoard, state: RepairState, dice: Dice, look: Look, corner: int
) -> cython.longlong:
    """Make a few moves at some squares, and return how the cover looks; -1 where it misses its recipe."""
    _place_focus(board, state, corner)
    moves = 1 + roll_below(dice, _VARIED_MOVES)
    most = _TWINNED_TRIES if board.twinned else _STYLED_TRIES
    if not stir_at(board, dice, state.focus, state.focus_size, moves, most):
        return -1
    return look_at(look, board)


# Rows and columns of the squares at which a change begins, its most moves, and their tries.
_REACH: int = 4
_VARIED_MOVES: int = 4
_VARIED_TRIES: int = 100
# Work that making a change and taking it back counts for.
_CHANGE_WORK: int = 30


class Variation(State):
    """A variation has a cover, the one before it, and what changes it.

    Args:
        order: what the cover meets, as ``shape_cover`` takes it.
        paths: the cover, each path from end to end.
        windows: which are asked, as ``RepairState`` has them.
        held: how many of the stages, from the first, hold after a change.
        aims: of the look, as ``Look`` takes them; empty where any look will do.
    """

    board: CoverBoard
    copy: CoverBoard  # the cover before the last change
    state: RepairState
    look: Look
    here: cython.longlong  # how the cover looks, as ``look_at`` measures it
    held: int  # how many stages hold after a change
    place_count: int
    place: Ints = items("rows * cols")  # the cells to change, ``place_count`` of them; 0 for any

    def __init__(
        self, rows: int, cols: int, order: tuple, paths: list, windows: tuple, held: int, aims: list
    ) -> None:
        make_fields(self, locals())
        self.held = held
        self.board, self.copy = CoverBoard(rows, cols), CoverBoard(rows, cols)
        lay_order(self.board, order)
        self.board.composed = len(aims) > 0
        lay_paths(self.board, paths)
        self.state = RepairState(rows, cols, windows, 0)
        self.look = Look(rows * cols, aims)
        self.here = look_at(self.look, self.board)

    def beautify(self, dice: Dice, tries: int) -> bool:
        """Change the cover to one that looks better, and of which all windows and the whole board hold.

        It stays as it was, and False is returned, where none of so many tries leads to one.
        """
        with cython.nogil:
            changed: bool = _beautify(self, self.board, self.copy, self.state, dice, tries)
        return changed

    def figures(self) -> list[int]:
        """List how the cover looks now, by ``LookFigure``."""
        look_at(self.look, self.board)
        return [self.look.figure[index] for index in range(LookFigure.FIGURES)]

    def vary(self, dice: Dice, limit: cython.longlong, places: list) -> bool:
        """Change the cover so that no changed window of the held stages is multiple, within a limit of work.

        Args:
            places: cells at one of which the change is to be, each once; anywhere when empty.
        Returns:
            Whether it is changed, and its answer copies itself no more than the style allows; else it is as
            it was.
        """
        self.place_count = len(places)
        for index in range(self.place_count):
            self.place[index] = places[index]
        self.state.limit = self.state.work + limit
        with cython.nogil:
            varied: bool = _vary(self, self.board, self.copy, self.state, dice)
        return varied

    def prove(self) -> tuple[bool, list[int]]:
        """Ask now whether the whole board is known to have one drawing.

        With the answer go the cells where a second drawing differs, none when the question was given up.
        """
        with cython.nogil:
            proven: bool = not find_multiple(self.state, self.board, self.held)
        return proven, [self.state.focus[index] for index in range(self.state.focus_size)]

    def take_back(self) -> None:
        """Undo the last change."""
        copy_cover(self.copy, self.board)
        self.here = look_at(self.look, self.board)

    def paths(self) -> list[list[int]]:
        """List the cover's paths, each from end to end."""
        return list_paths(self.board)

    def spent(self) -> tuple[int, int]:
        """Return work and conflicts so far."""
        return self.state.work, self.state.conflicts


def _beautify(
    variation: Variation, board: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice, tries: int
) -> bool:
    copy_cover(board, copy)
    whole = state.stage_count - 1
    for _ in range(tries):
        state.work += _STYLING_WORK
        corner = roll_below(dice, board.cells)
        there: cython.longlong = _change_look(board, state, dice, variation.look, corner)
        if (
            0 <= there < variation.here
            and windows_hold(state, board, whole)
            and not find_multiple(state, board, whole)
        ):
            variation.here = there
            return True
        copy_cover(copy, board)
    return False


def _vary(variation: Variation, board: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice) -> bool:
    copy_cover(board, copy)
    while state.work < state.limit:
        state.work += _CHANGE_WORK
        _place_focus(board, state, _corner(variation, board.cols, dice))
        moves = 1 + roll_below(dice, _VARIED_MOVES)
        if (
            stir_at(board, dice, state.focus, state.focus_size, moves, _VARIED_TRIES)
            and _is_other(board, copy)
            and not (board.composed and look_at(variation.look, board) >= REFUSED)
            and windows_hold(state, board, variation.held)
        ):
            return True
        copy_cover(copy, board)
    return False


def _corner(variation: Variation, cols: int, dice: Dice) -> int:
    """Choose the upper left one of the squares to change: any, or so that one of the places is among them."""
    if variation.place_count == 0:
        return roll_below(dice, variation.board.cells)
    cell = variation.place[roll_below(dice, variation.place_count)]
    row = max(0, cell // cols - roll_below(dice, _REACH))
    return row * cols + max(0, cell % cols - roll_below(dice, _REACH))


def _place_focus(board: CoverBoard, state: RepairState, corner: int) -> None:
    """Put the squares right of and below a corner into ``focus``."""
    row, col = corner // board.cols, corner % board.cols
    state.focus_size = 0
    for down in range(min(_REACH, board.rows - row)):
        for right in range(min(_REACH, board.cols - col)):
            state.focus[state.focus_size] = corner + down * board.cols + right
            state.focus_size += 1


def _is_other(board: CoverBoard, copy: CoverBoard) -> bool:
    for cell in range(board.cells):
        if board.links[cell] != copy.links[cell]:
            return True
    return False
