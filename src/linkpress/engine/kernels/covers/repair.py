"""Repair a cover: change it until its paths are the only solution of its board.

A window is *multiple* if its part of the cover can be drawn in another way while all other cells stay as they
are. The repair goes in stages, with larger windows in each. The windows of a stage are laid over the board.
Where the second drawing of a multiple window differs, a few random moves are made, until the order is met
again. Then the windows around the change are searched again. A change is kept if no more windows are multiple
than before, and none of the earlier stages'. If no window of a stage is multiple, the next stage begins. The
last stage has one window, the whole board. There a change is kept if the second drawing differs in hardly
more cells than before.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard, copy_cover
from linkpress.engine.kernels.covers.cover_style import REFUSED, StyleTargets, measure_style
from linkpress.engine.kernels.covers.walk import stir_at
from linkpress.engine.kernels.glossary import SearchOutcome, ShapingOutcome
from linkpress.engine.kernels.prover.drawings import room_for
from linkpress.engine.kernels.prover.windows import Window, search_window
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields
from linkpress.engine.kernels.rng import Rng, random_below

# A change makes at most this many random moves, and is given up after this many tries.
_MAX_MOVES: int = 4
_TRIES: int = 100
# Cells in which the whole board's second drawing may differ more than after the last change.
_LEEWAY: int = 2
# Of the changes that make one more window multiple, one in this many is kept.
_WORSE_KEPT: int = 32
# Units of work of a conflict and of a round, and how many cells of a window make one unit.
_CONFLICT_WORK: int = 8
_ROUND_WORK: int = 10
_CELLS_PER_WORK: int = 3


class RepairState(State):
    """Progress of a repair: its stage, and which windows of that stage are multiple.

    The windows of a stage are numbered row by row from the upper left. There are no more of them than cells.

    Args:
        windows: a tuple of three:

            - the ``DrawingKind`` of the drawings that count
            - contradictions that the depth-first search of a window may meet before clause learning; 0 for
              none
            - for each stage: the side of its windows, the step from one to the next, the conflicts that a
              search of one may take, and how many changes are tried
        limit: units of work after which to stop.
    """

    work: cython.longlong  # units of work so far
    limit: cython.longlong  # units of work after which to stop
    conflicts: cython.longlong  # conflicts of all searches so far
    stage_count: int
    side: Ints = items("len(stages)")  # by stage: rows and columns of its windows
    step: Ints = items("len(stages)")  # by stage: rows or columns from one window to the next
    budget: Ints = items("len(stages)")  # by stage: conflicts that the search of a window may take
    rounds: Ints = items("len(stages)")  # by stage: changes tried before the repair gives up
    stage: int  # the number of the present stage
    flags: Bytes = items("cells")  # by window: 1 if it must be searched again
    multiple: Bytes = items("cells")  # by window: 1 if it is multiple, that is, has a second drawing
    new_multiple: Bytes = items("cells")  # by flagged window: 1 if it is multiple after a change
    multiple_count: int
    multiple_stage: int  # the stage of the window that ``find_multiple`` found last, -1 for none
    multiple_index: int  # the number of the window that ``find_multiple`` found last
    focus: Ints = items("cells")  # the cells in which the last second drawing differs, ``focus_size`` of them
    focus_size: int
    last_size: int  # ``focus_size`` after the last change that was kept
    last_stage: int  # the stage of the window that was searched last
    last_index: int  # the number of that window; -1 if its result must not be used again
    last_work: cython.longlong  # the units of work of the last search
    last_conflicts: cython.longlong  # the conflicts of the last search
    known_index: int  # a window of this stage that was searched since the last change; -1 for none
    known: Ints = items("cells")  # where the second drawing of ``known_index`` differs, ``known_size`` cells
    known_size: int
    known_work: cython.longlong  # the units of work of the search of ``known_index``
    known_conflicts: cython.longlong  # the conflicts of the search of ``known_index``
    window: Window  # the window being searched, with room for the largest of any stage

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


def repair(board: CoverBoard, backup: CoverBoard, state: RepairState, rng: Rng, style: StyleTargets) -> int:
    """Change a cover that meets its order until its paths are the only solution of the board.

    Args:
        backup: another board of the same size, as work space.
        state: fresh, or as an earlier repair of a board of this size left it.
        style: of a styled board, the targets whose maxima must not be exceeded.
    Returns:
        DONE, UNREPAIRED (make a new cover), or UNDECIDED if the search of the whole board was given up.
    """
    for stage in range(state.stage_count):
        state.stage = stage
        if not _search_all(state, board):
            return ShapingOutcome.UNDECIDED
        rounds = 0
        while state.multiple_count > 0:
            rounds += 1
            if rounds > state.rounds[stage] or state.work > state.limit:
                return ShapingOutcome.UNREPAIRED
            state.work += _ROUND_WORK
            _try_change(state, board, backup, rng, style)
    return ShapingOutcome.DONE


def _windows_along(size: int, side: int, step: int) -> int:
    """Return how many windows lie side by side along a board of ``size`` rows or columns."""
    return 1 if side >= size else (size - side + step - 1) // step + 1


def _count_windows(state: RepairState, board: CoverBoard, stage: int) -> int:
    side, step = state.side[stage], state.step[stage]
    return _windows_along(board.rows, side, step) * _windows_along(board.cols, side, step)


def _place_window(state: RepairState, board: CoverBoard, stage: int, index: int) -> None:
    """Move ``state.window`` to a numbered window of a stage."""
    side, step = state.side[stage], state.step[stage]
    across = _windows_along(board.cols, side, step)
    state.window.height, state.window.width = min(board.rows, side), min(board.cols, side)
    state.window.top = min(index // across * step, board.rows - state.window.height)
    state.window.left = min(index % across * step, board.cols - state.window.width)


def _search_numbered(state: RepairState, board: CoverBoard, stage: int, index: int) -> int:
    """Search a window for a second drawing; return EXHAUSTED (it is not multiple), FOUND or GAVE_UP."""
    for cell in range(board.cells):
        state.window.differs[cell] = 0
    _place_window(state, board, stage, index)
    outcome, spent = search_window(state.window, board, state.budget[stage])
    state.last_stage, state.last_index, state.last_conflicts = stage, index, spent
    state.last_work = state.window.height * state.window.width // _CELLS_PER_WORK + _CONFLICT_WORK * spent
    state.work += state.last_work
    state.conflicts += spent
    return outcome


def _search_all(state: RepairState, board: CoverBoard) -> bool:
    """Search every window of the stage; return False if the search of the whole board is given up."""
    windows = _count_windows(state, board, state.stage)
    state.multiple_count = 0
    for index in range(windows):
        outcome = _search_numbered(state, board, state.stage, index)
        if windows == 1 and outcome == SearchOutcome.GAVE_UP:
            return False
        state.multiple[index] = 1 if outcome == SearchOutcome.FOUND else 0
        state.multiple_count += state.multiple[index]
    _list_differences(state, board)
    _remember(state)
    state.last_size = state.focus_size
    return True


def _flag_changed(state: RepairState, board: CoverBoard, stage: int) -> None:
    """Flag the windows of a stage that contain a changed cell."""
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
    """Return whether, after a change, no window around it is multiple in the first ``stages`` stages."""
    for stage in range(stages):
        _flag_changed(state, board, stage)
        for index in range(_count_windows(state, board, stage)):
            if state.flags[index] and _search_numbered(state, board, stage, index) == SearchOutcome.FOUND:
                return False
    return True


def find_multiple(state: RepairState, board: CoverBoard, first: int) -> bool:
    """Return whether a window of stage ``first`` or later is multiple.

    The whole board also counts as multiple if its search is given up.
    The window that was multiple last time is searched first. ``state.focus`` lists the cells in which the
    second drawing differs; none if there is none.
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
    """Return whether a window is multiple, or is the whole board and its search was given up."""
    outcome = _search_numbered(state, board, stage, index)
    if outcome != SearchOutcome.FOUND and (outcome != SearchOutcome.GAVE_UP or stage < state.stage_count - 1):
        return False
    state.multiple_stage, state.multiple_index = stage, index
    _list_differences(state, board)
    return True


def _search_changed(state: RepairState, board: CoverBoard) -> int:
    """Search the changed windows of the stage again, and return how many more of them are multiple."""
    _flag_changed(state, board, state.stage)
    windows = _count_windows(state, board, state.stage)
    more = 0
    for index in range(windows):
        if state.flags[index]:
            outcome = _search_numbered(state, board, state.stage, index)
            if windows == 1 and outcome == SearchOutcome.GAVE_UP:
                for cell in range(board.cells):
                    state.window.differs[cell] = 1
                outcome, state.last_index = SearchOutcome.FOUND, -1
            state.new_multiple[index] = 1 if outcome == SearchOutcome.FOUND else 0
            more += state.new_multiple[index] - state.multiple[index]
    return more


def _choose_multiple(state: RepairState, rng: Rng) -> int:
    """Choose a multiple window of the stage at random."""
    skipped = random_below(rng, state.multiple_count)
    index = 0
    while skipped > 0 or state.multiple[index] == 0:
        skipped -= state.multiple[index]
        index += 1
    return index


def _list_differences(state: RepairState, board: CoverBoard) -> None:
    """List in ``focus`` the cells in which the last second drawing differs."""
    state.focus_size = 0
    for cell in range(board.cells):
        if state.window.differs[cell]:
            state.focus[state.focus_size] = cell
            state.focus_size += 1


def _remember(state: RepairState) -> None:
    """Remember where the last second drawing differs, so that its window need not be searched again."""
    state.known_index = state.last_index if state.last_stage == state.stage else -1
    state.known_work, state.known_conflicts = state.last_work, state.last_conflicts
    state.known_size = state.focus_size
    for index in range(state.focus_size):
        state.known[index] = state.focus[index]


def _search_again(state: RepairState, board: CoverBoard, index: int) -> None:
    """List where the second drawing of a multiple window differs; search only if the result is not known.

    A known result counts as the same work, so that a seed's board does not change. Walked boards of 15 × 15
    with 16 pairs take a third less time with it.
    """
    if index == state.known_index:
        state.work += state.known_work
        state.conflicts += state.known_conflicts
        for place in range(state.known_size):
            state.focus[place] = state.known[place]
        state.focus_size = state.known_size
        return
    _search_numbered(state, board, state.stage, index)
    _list_differences(state, board)
    _remember(state)


def _try_change(
    state: RepairState, board: CoverBoard, backup: CoverBoard, rng: Rng, style: StyleTargets
) -> None:
    """Make a few random moves at a multiple window, and keep them if that is no worse."""
    _search_again(state, board, _choose_multiple(state, rng))
    if state.focus_size == 0:
        return
    copy_cover(board, backup)
    moves = 1 + random_below(rng, _MAX_MOVES)
    if (
        not stir_at(board, rng, state.focus, state.focus_size, moves, _TRIES)
        or (board.styled and measure_style(style, board) >= REFUSED)
        or not windows_hold(state, board, state.stage)
    ):
        copy_cover(backup, board)
        return
    more = _search_changed(state, board)
    _list_differences(state, board)
    if not _is_kept(state, board, rng, more):
        copy_cover(backup, board)
        return
    _remember(state)
    for index in range(_count_windows(state, board, state.stage)):
        if state.flags[index]:
            state.multiple[index] = state.new_multiple[index]
    state.multiple_count += more
    state.last_size = state.focus_size


def _is_kept(state: RepairState, board: CoverBoard, rng: Rng, more: int) -> bool:
    """Return whether to keep a change after which ``more`` further windows are multiple."""
    if more > 0:
        return more == 1 and random_below(rng, _WORSE_KEPT) == 0
    if more == 0 and _count_windows(state, board, state.stage) == 1:
        return state.focus_size <= state.last_size + _LEEWAY
    return True
