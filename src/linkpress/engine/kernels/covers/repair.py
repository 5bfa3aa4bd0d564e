"""A repair changes a cover until its board has one drawing, by small windows first.

A window is multiple when it has a second drawing with everything outside it kept. Windows of the
first stage's size are laid over the board; the squares where a multiple window's second drawing
differs are stirred, the recipe's counts restored, and the windows around asked again. A change
is kept when no more windows are multiple than before and none of the earlier stages'. When a stage
has no multiple window the next, larger one begins; the last is the whole board, where a change is
kept when the second drawing does not differ in many more squares than the last one did.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard, copy_cover
from linkpress.engine.kernels.covers.cover_look import REFUSED, Look, look_at
from linkpress.engine.kernels.covers.dice import Dice, roll_below
from linkpress.engine.kernels.covers.walk import stir_at
from linkpress.engine.kernels.glossary import SearchOutcome, ShapingOutcome
from linkpress.engine.kernels.prover.drawings import room_for
from linkpress.engine.kernels.prover.windows import Window, search_window
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

_MOST_MOVES: int = 4
_TRIES: int = 100
# Squares that the whole board's second drawing may differ in more than the last one did.
_LEEWAY: int = 2
# One in so many changes after which one more window is multiple is kept.
_WORSE_KEPT: int = 32
# Work that a conflict and a round count for, and how many of a window's cells count for one.
_CONFLICT_WORK: int = 8
_ROUND_WORK: int = 10
_CELLS_FOR_WORK: int = 3


class RepairState(State):
    """A repair works through stages, and through the windows of the present one.

    A stage's windows are numbered along the rows from the upper left; there are no more than cells.

    Args:
        windows: the kind of drawings that the proof counts; contradictions that a scan of a window
            may meet before the search that learns is asked, 0 without scans; by stage the side of the
            windows, step, conflicts that a question may take, rounds.
        limit: the work at which to stop.
    """

    work: cython.longlong  # counted work so far
    limit: cython.longlong  # the work at which to stop
    conflicts: cython.longlong  # of all questions so far
    stage_count: int
    side: Ints = items("len(stages)")  # by stage: rows and columns of its windows, if the board has as many
    step: Ints = items("len(stages)")  # by stage: from one window to the next
    budget: Ints = items("len(stages)")  # by stage: conflicts that a window's question may take
    rounds: Ints = items("len(stages)")  # by stage: changes tried before giving up
    stage: int  # the stage now
    flags: Bytes = items("cells")  # by window: 1 when it is to be asked again
    multiple: Bytes = items("cells")  # by window: 1 when it is multiple
    fresh: Bytes = items("cells")  # by window: ``multiple`` after a change, where it was flagged
    multiple_count: int
    multiple_stage: int  # of the window that ``find_multiple`` found last, -1 for none
    multiple_index: int  # its number
    focus: Ints = items("cells")  # the cells where the last second drawing differs, ``focus_size`` of them
    focus_size: int
    last_size: int  # how many they were after the last change that was kept
    last_stage: int  # of the window that was asked last
    last_index: int  # its number, -1 where its answer is not meant
    last_work: cython.longlong  # what its question counted for
    last_conflicts: cython.longlong  # that it met
    known_index: int  # of a window of this stage that was asked since the last change, -1 for none
    known: Ints = items("cells")  # the cells where its second drawing differs, ``known_size`` of them
    known_size: int
    known_work: cython.longlong  # what its question counted for
    known_conflicts: cython.longlong  # that it met
    window: Window  # the window that is asked about, with room for the largest of any stage

    def __init__(self, rows: int, cols: int, windows: tuple, limit: cython.longlong) -> None:
        kind, scanned, stages = windows
        cells = rows * cols
        make_fields(self, locals())
        self.stage_count, self.limit = len(stages), limit
        self.multiple_stage = -1
        height, width, room = 0, 0, 0
        for stage in range(self.stage_count):
            side, self.step[stage], budget, self.rounds[stage] = stages[stage]
            self.side[stage], self.budget[stage] = side, budget
            height, width = max(height, min(rows, side)), max(width, min(cols, side))
            room = max(room, room_for(min(rows, side) * min(cols, side), budget))
        self.window = Window(cells, height, width, room)
        self.window.kind, self.window.scanned = kind, scanned


def repair(board: CoverBoard, copy: CoverBoard, state: RepairState, dice: Dice, look: Look) -> int:
    """Change a cover that meets its recipe until the board has one drawing.

    Args:
        state: fresh, or as an earlier repair of a board of this size left it.
        look: what the look of a composed board must not become.
    Returns:
        DONE, UNREPAIRED (start afresh), or UNDECIDED when the whole board's question was given up.
    """
    for stage in range(state.stage_count):
        state.stage = stage
        if not _ask_all(state, board):
            return ShapingOutcome.UNDECIDED
        rounds = 0
        while state.multiple_count > 0:
            rounds += 1
            if rounds > state.rounds[stage] or state.work > state.limit:
                return ShapingOutcome.UNREPAIRED
            state.work += _ROUND_WORK
            _improve(state, board, copy, dice, look)
    return ShapingOutcome.DONE


def _along(size: int, side: int, step: int) -> int:
    return 1 if side >= size else (size - side + step - 1) // step + 1


def _count_windows(state: RepairState, board: CoverBoard, stage: int) -> int:
    side, step = state.side[stage], state.step[stage]
    return _along(board.rows, side, step) * _along(board.cols, side, step)


def _place_window(state: RepairState, board: CoverBoard, stage: int, index: int) -> None:
    side, step = state.side[stage], state.step[stage]
    across = _along(board.cols, side, step)
    state.window.height, state.window.width = min(board.rows, side), min(board.cols, side)
    state.window.top = min(index // across * step, board.rows - state.window.height)
    state.window.left = min(index % across * step, board.cols - state.window.width)


def _ask(state: RepairState, board: CoverBoard, stage: int, index: int) -> int:
    """Ask whether a window is multiple: EXHAUSTED (it is not), FOUND or GAVE_UP."""
    for cell in range(board.cells):
        state.window.differs[cell] = 0
    _place_window(state, board, stage, index)
    outcome, spent = search_window(state.window, board, state.budget[stage])
    state.last_stage, state.last_index, state.last_conflicts = stage, index, spent
    state.last_work = state.window.height * state.window.width // _CELLS_FOR_WORK + _CONFLICT_WORK * spent
    _count_question(state, state.last_work, spent)
    return outcome


def _count_question(state: RepairState, work: cython.longlong, conflicts: cython.longlong) -> None:
    state.work += work
    state.conflicts += conflicts


def _ask_all(state: RepairState, board: CoverBoard) -> bool:
    """Ask every window of the stage; False when that is the whole board and it was given up."""
    windows = _count_windows(state, board, state.stage)
    state.multiple_count = 0
    for index in range(windows):
        outcome = _ask(state, board, state.stage, index)
        if windows == 1 and outcome == SearchOutcome.GAVE_UP:
            return False
        state.multiple[index] = 1 if outcome == SearchOutcome.FOUND else 0
        state.multiple_count += state.multiple[index]
    _focus(state, board)
    _remember(state)
    state.last_size = state.focus_size
    return True


def _flag_changed(state: RepairState, board: CoverBoard, stage: int) -> None:
    for index in range(_count_windows(state, board, stage)):
        _place_window(state, board, stage, index)
        state.flags[index] = 0
        for place in range(board.changed_count):
            row, col = board.changed[place] // board.cols, board.changed[place] % board.cols
            if (
                state.window.top <= row < state.window.top + state.window.height
                and state.window.left <= col < state.window.left + state.window.width
            ):
                state.flags[index] = 1
                break


def windows_hold(state: RepairState, board: CoverBoard, stages: int) -> bool:
    """Tell whether after a change no window of so many stages, from the first, is multiple."""
    for stage in range(stages):
        _flag_changed(state, board, stage)
        for index in range(_count_windows(state, board, stage)):
            if state.flags[index] and _ask(state, board, stage, index) == SearchOutcome.FOUND:
                return False
    return True


def find_multiple(state: RepairState, board: CoverBoard, first: int) -> bool:
    """Tell whether a window of the stages from one on is multiple, or the whole board's question given up.

    ``focus`` has the cells where the second drawing found differs, none where there is none. The window
    that was multiple last time is asked first.
    """
    last_stage, last_index = state.multiple_stage, state.multiple_index
    if last_stage >= first and _is_multiple(state, board, last_stage, last_index):
        return True
    for stage in range(first, state.stage_count):
        for index in range(_count_windows(state, board, stage)):
            if _is_multiple(state, board, stage, index):
                return True
    state.focus_size = 0
    return False


def _is_multiple(state: RepairState, board: CoverBoard, stage: int, index: int) -> bool:
    """Tell whether a window is multiple, or the whole board's question given up, and note which and where."""
    outcome = _ask(state, board, stage, index)
    if outcome != SearchOutcome.FOUND and (outcome != SearchOutcome.GAVE_UP or stage < state.stage_count - 1):
        return False
    state.multiple_stage, state.multiple_index = stage, index
    _focus(state, board)
    return True


def _ask_changed(state: RepairState, board: CoverBoard) -> int:
    """Ask the changed windows again, and return how many more are multiple."""
    _flag_changed(state, board, state.stage)
    windows = _count_windows(state, board, state.stage)
    more = 0
    for index in range(windows):
        if state.flags[index]:
            outcome = _ask(state, board, state.stage, index)
            if windows == 1 and outcome == SearchOutcome.GAVE_UP:
                for cell in range(board.cells):
                    state.window.differs[cell] = 1
                outcome, state.last_index = SearchOutcome.FOUND, -1
            state.fresh[index] = 1 if outcome == SearchOutcome.FOUND else 0
            more += state.fresh[index] - state.multiple[index]
    return more


def _pick_multiple(state: RepairState, dice: Dice) -> int:
    pick = roll_below(dice, state.multiple_count)
    index = 0
    while pick > 0 or state.multiple[index] == 0:
        pick -= state.multiple[index]
        index += 1
    return index


def _focus(state: RepairState, board: CoverBoard) -> None:
    """List the cells where the last second drawing differs."""
    state.focus_size = 0
    for cell in range(board.cells):
        if state.window.differs[cell]:
            state.focus[state.focus_size] = cell
            state.focus_size += 1


def _remember(state: RepairState) -> None:
    """Note where the second drawing of the window asked last differs, which ``focus`` has."""
    state.known_index = state.last_index if state.last_stage == state.stage else -1
    state.known_work, state.known_conflicts = state.last_work, state.last_conflicts
    state.known_size = state.focus_size
    for index in range(state.focus_size):
        state.known[index] = state.focus[index]


def _ask_again(state: RepairState, board: CoverBoard, index: int) -> None:
    """Ask a multiple window where its second drawing differs, unless that is known since nothing was changed.

    It counts as the same work either way, so that a seed's board is the same. Walked boards of 15 × 15 with
    16 pairs take a third less time so, quick ones a twentieth.
    """
    if index == state.known_index:
        _count_question(state, state.known_work, state.known_conflicts)
        for place in range(state.known_size):
            state.focus[place] = state.known[place]
        state.focus_size = state.known_size
        return
    _ask(state, board, state.stage, index)
    _focus(state, board)
    _remember(state)


def _improve(state: RepairState, board: CoverBoard, copy: CoverBoard, dice: Dice, look: Look) -> None:
    _ask_again(state, board, _pick_multiple(state, dice))
    if state.focus_size == 0:
        return
    copy_cover(board, copy)
    moves = 1 + roll_below(dice, _MOST_MOVES)
    if (
        not stir_at(board, dice, state.focus, state.focus_size, moves, _TRIES)
        or (board.composed and look_at(look, board) >= REFUSED)
        or not windows_hold(state, board, state.stage)
    ):
        copy_cover(copy, board)
        return
    more = _ask_changed(state, board)
    _focus(state, board)
    if not _is_better(state, board, dice, more):
        copy_cover(copy, board)
        return
    _remember(state)
    for index in range(_count_windows(state, board, state.stage)):
        if state.flags[index]:
            state.multiple[index] = state.fresh[index]
    state.multiple_count += more
    state.last_size = state.focus_size


def _is_better(state: RepairState, board: CoverBoard, dice: Dice, more: int) -> bool:
    if more > 0:
        return more == 1 and roll_below(dice, _WORSE_KEPT) == 0
    if more == 0 and _count_windows(state, board, state.stage) == 1:
        return state.focus_size <= state.last_size + _LEEWAY
    return True
