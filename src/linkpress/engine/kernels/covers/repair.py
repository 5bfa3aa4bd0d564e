"""Repair a path cover (a board divided into paths), so that its paths become the only solution of the puzzle.

A window is a rectangle of the board. It is *multiple* if its part of the cover can be drawn in a second way
while all other cells stay as they are.

The repair goes through stages with larger and larger windows. First, all windows of the stage are searched
for a second drawing. These windows overlap and together contain all cells of the board. Then one multiple
window is chosen at random. A few random moves are made where its second drawing differs from the cover, until
the cover meets its requirements again. All windows that contain a changed cell are searched again. The change
is kept if two conditions hold: no more windows of this stage are multiple than before, and no changed window
of the earlier stages is multiple.

Once no window of a stage is multiple, the next stage begins. The last stage has one window: the whole board.
There, a change is kept if it hardly raises the number of cells in which the second drawing differs from the
cover.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard, copy_cover
from linkpress.engine.kernels.covers.cover_style import REFUSED, StyleTargets, measure_style
from linkpress.engine.kernels.covers.walk import stir_at
from linkpress.engine.kernels.glossary import SearchOutcome, ShapingOutcome
from linkpress.engine.kernels.prover.drawings import Window, room_for, search_window
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields
from linkpress.engine.kernels.rng import Rng, random_below

# A change of the path cover (a board divided into paths) makes a random number of moves, from 1 to
# ``_MAX_MOVES``, and then further moves until the cover meets its requirements again. Most moves that are
# tried fail. If ``_TRIES`` tries are not enough, the change is given up.
_MAX_MOVES: int = 4
_TRIES: int = 100
# In the last stage of a repair, the whole board is searched for a second drawing, which joins the pairs by
# other paths. A change to the path cover (a board divided into paths) is undone if the number of cells in
# which the second drawing differs from the cover grows by more than ``_LEEWAY``.
_LEEWAY: int = 2
# A window is a rectangle of the board. It has a second drawing if the paths within it can also run in another
# way, while everything outside stays the same. A repair changes the paths until no window has a second
# drawing. If a change adds one window with a second drawing, it is still kept in one of this many cases,
# chosen at random.
_WORSE_KEPT: int = 32
# Work is counted in units: ``_CONFLICT_WORK`` for each conflict of a search, ``_ROUND_WORK`` for each
# round of the repair. A search also costs one unit for each ``_CELLS_PER_WORK`` cells of the rectangle
# that is searched.
_CONFLICT_WORK: int = 8
_ROUND_WORK: int = 10
_CELLS_PER_WORK: int = 3


class RepairState(State):
    """Progress of the repair of a path cover (a board divided into paths).

    The state has the stage of the repair, and the windows of that stage that have a second drawing.

    A window is a rectangle of the board. It has a second drawing if the paths in it can also be drawn in
    another way. The windows of a stage are numbered row by row from the upper left. There are never more
    windows than cells.

    Args:
        windows: a tuple of three values:

            - the ``DrawingKind`` of the drawings to search for
            - how many contradictions the depth-first search of a window may meet before the clause-learning
              search begins; 0 for no depth-first search
            - for each stage: the side of its windows in cells, the distance from one window to the next, the
              conflicts that the search of one window may take, and the number of changes to try
        limit: units of work (about a microsecond each) after which to stop.
    """

    work: cython.longlong  # units of work spent so far; a unit takes about a microsecond
    limit: cython.longlong  # units of work after which to stop

    # how many conflicts all searches for a second way to draw the paths have met so far
    conflicts: cython.longlong
    stage_count: int
    # for each stage of the repair, how many rows and columns its windows (rectangles of the board) have
    side: Ints = items("len(stages)")

    # For each stage of the repair, the distance from one window (rectangle of the board) to the next, in
    # rows or columns.
    step: Ints = items("len(stages)")
    # for each stage of the repair, how many conflicts the search of one window (rectangle of the
    # board) may take
    budget: Ints = items("len(stages)")

    # for each stage of the repair, how many changes are tried before the repair gives up
    rounds: Ints = items("len(stages)")
    # The number of the present stage of the repair. Each stage searches larger windows (rectangles of the
    # board) than the stage before.
    stage: int

    # A stage of the repair searches windows (rectangles of the board) of one size. For each window of the
    # present stage: 1 if it must be searched again, else 0.
    flags: Bytes = items("cells")

    # A stage of the repair searches windows (rectangles of the board) of one size. For each window of the
    # present stage: 1 if its paths can be drawn in a second way, else 0.
    multiple: Bytes = items("cells")

    # After the paths have been changed, the windows (rectangles of the board) with changed cells are searched
    # again. For each of these windows: 1 if its paths can now be drawn in a second way, else 0.
    new_multiple: Bytes = items("cells")
    multiple_count: int
    # A repair has several stages, and each searches larger windows (rectangles of the board). This is the
    # stage in which ``find_multiple`` last found a window whose paths can be drawn in a second way. It is -1
    # if no such window was found.
    multiple_stage: int
    # The number of the window (rectangle of the board) in which ``find_multiple`` last found that the paths
    # can be drawn in a second way.
    multiple_index: int
    # The latest search may have found a second drawing: other paths with the same ends as the paths of the
    # path cover (a board divided into paths). This is the list of the cells whose edges in the second drawing
    # differ from those in the cover. Only the first ``focus_size`` entries are valid.
    focus: Ints = items("cells")
    focus_size: int
    # A repair changes the paths of a board, and keeps the changes that bring the board closer to having one
    # solution. This is the number of cells in which the paths and a second solution differed after the last
    # of these changes.
    last_size: int
    # The repair stage of the last search. Each search covers one window, which is a rectangle of the board,
    # and the windows of a stage have the same size.
    last_stage: int

    # The number of the window (rectangle of the board) that was searched last. The windows of each stage are
    # numbered separately. It is -1 if the result of that search must not be used again.
    last_index: int
    # how many units of work the last search of a window (rectangle of the board) took
    last_work: cython.longlong
    # how many conflicts the last search of a window (rectangle of the board) met
    last_conflicts: cython.longlong

    # The result of one search is stored, so that it need not be made again. This is the number of the window
    # (rectangle of the board) that was searched; -1 if no result is stored.
    known_index: int

    # The result of the last search is stored for later use. If that search found a second way to draw the
    # paths, these are the cells whose edges in this second way differ from those of the path cover (a board
    # divided into paths). Only the first ``known_size`` entries are valid.
    known: Ints = items("cells")
    known_size: int
    # how many units of work were spent on the search whose result is stored for later use
    known_work: cython.longlong
    # how many conflicts were met by the search whose result is stored for later use
    known_conflicts: cython.longlong

    # the part of the board that is searched now; its arrays have room for the largest part that
    # is ever searched
    window: Window

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
    """Change a path cover until its paths are the only solution of the puzzle.

    A cover is a board divided into paths; their ends are the numbers of the puzzle.

    Args:
        board: a cover that meets its requirements.
        backup: another board of the same size, as work space.
        state: a new state, or the state of an earlier repair of a board of this size.
        style: for each style figure, its target and its maximum. A style figure measures one property of the
            board. If there are style targets, no figure may exceed its maximum.
    Returns:
        DONE; UNREPAIRED if it is better to make a new cover; or UNDECIDED if the search of the whole board
        used up its budget.
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
    return 1 if side >= size else (size - side + step - 1) // step + 1


def _count_windows(state: RepairState, board: CoverBoard, stage: int) -> int:
    side, step = state.side[stage], state.step[stage]
    return _windows_along(board.rows, side, step) * _windows_along(board.cols, side, step)


def _place_window(state: RepairState, board: CoverBoard, stage: int, index: int) -> None:
    """Set the position and size of ``state.window``, the rectangle of the board that is searched next.

    A repair goes through several stages. Each stage divides the board into overlapping rectangles of one
    size, called windows, which are numbered from 0.

    Args:
        stage: the number of the stage.
        index: the number of the window within the stage.
    """
    side, step = state.side[stage], state.step[stage]
    across = _windows_along(board.cols, side, step)
    state.window.height, state.window.width = min(board.rows, side), min(board.cols, side)
    state.window.top = min(index // across * step, board.rows - state.window.height)
    state.window.left = min(index % across * step, board.cols - state.window.width)


def _search_numbered(state: RepairState, board: CoverBoard, stage: int, index: int) -> int:
    """Search a window (a rectangle of the board) for a second way to draw its paths.

    Args:
        stage, index: the stage of the repair, and the number of the window in this stage.
    Returns:
        FOUND if there is a second drawing, EXHAUSTED if there is none, GAVE_UP if the search used up its
        budget.
    """
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
    """Search every window of the current stage, and count those whose paths can be drawn in a second way.

    A window is a rectangle of the board. All windows of a stage have the same size.

    Returns:
        False if the only window of the stage is the whole board, and its search used up its budget.
    """
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
    """Flag each window that contains a changed cell, so that the window is searched again.

    A window is a rectangle of the board. The flags of all other windows are cleared.

    Args:
        stage: the number of a stage of the repair. Each stage has windows of one size; only the windows of
            this stage are flagged.
    """
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
    """Return whether no window with a changed cell has a second way to draw its paths.

    A window is a rectangle of the board. The windows of one size form a stage of the repair.

    Args:
        stages: how many stages to check. They are checked from the first one, which has the smallest windows.
    """
    for stage in range(stages):
        _flag_changed(state, board, stage)
        for index in range(_count_windows(state, board, stage)):
            if state.flags[index] and _search_numbered(state, board, stage, index) == SearchOutcome.FOUND:
                return False
    return True


def find_multiple(state: RepairState, board: CoverBoard, first: int) -> bool:
    """Return whether the paths in any window can be drawn in a second way.

    A window is a rectangle of the board. A second drawing replaces the edges inside the window, but joins the
    same path ends. The search begins with the window in which a second drawing was found last. If the search
    of the whole board uses up its budget, a second drawing can't be excluded, so the result is True then too.

    Afterwards ``state.focus`` lists the cells at which the second drawing has other edges than the board.

    Args:
        first: the index of the stage with which to begin. Each stage has windows of one size, and later
            stages have larger windows.
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
    """Search for a second way to draw the paths in a window, and return whether there is one.

    A window is a rectangle of the board. If the search of the whole board uses up its budget, a second way
    can't be excluded, so the result is True then too.
    """
    outcome = _search_numbered(state, board, stage, index)
    if outcome != SearchOutcome.FOUND and (outcome != SearchOutcome.GAVE_UP or stage < state.stage_count - 1):
        return False
    state.multiple_stage, state.multiple_index = stage, index
    _list_differences(state, board)
    return True


def _search_changed(state: RepairState, board: CoverBoard) -> int:
    """Search the windows of the current stage that contain changed cells again.

    A window is a rectangle of the board, and the windows of one stage have the same size. A window is called
    multiple if the paths in it can be drawn in more than one way. If a stage has only one window, this window
    is also called multiple if the search for a second way used up its budget.

    Returns:
        How many more windows of the stage are multiple than before the change; negative if fewer are.
    """
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
    """Choose a random window whose paths can be drawn in a second way, and return the window's number.

    A window is a rectangle of the board.
    """
    skipped = random_below(rng, state.multiple_count)
    index = 0
    while skipped > 0 or state.multiple[index] == 0:
        skipped -= state.multiple[index]
        index += 1
    return index


def _list_differences(state: RepairState, board: CoverBoard) -> None:
    """List in ``state.focus`` the cells whose edges differ between the path cover and the second drawing.

    A path cover is a board divided into paths. The second drawing, which was found last, joins the same ends
    by other paths.
    """
    state.focus_size = 0
    for cell in range(board.cells):
        if state.window.differs[cell]:
            state.focus[state.focus_size] = cell
            state.focus_size += 1


def _remember(state: RepairState) -> None:
    """Store the result of the last search, so that the same window need not be searched again.

    A window is a rectangle of the board. The result is the list of cells in ``state.focus``, where a second
    way to draw the paths differs from the present one, and the work that the search took.
    """
    state.known_index = state.last_index if state.last_stage == state.stage else -1
    state.known_work, state.known_conflicts = state.last_work, state.last_conflicts
    state.known_size = state.focus_size
    for index in range(state.focus_size):
        state.known[index] = state.focus[index]


def _search_again(state: RepairState, board: CoverBoard, index: int) -> None:
    """Find a second drawing of a window, and list the cells in which it differs from the path cover.

    A path cover is a board divided into paths, and a window is a rectangle of the board. A second drawing is
    another way to draw the paths in the window. The window is searched only if no result is stored for it.
    The cells are listed in ``state.focus``.

    Using a stored result counts as much work as the search did. So a seed makes the same board either way.
    Storing results saves a third of the time for boards of 15 × 15 with 16 pairs.
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
    """Choose a window whose paths can be drawn in a second way, and change its paths at random.

    A window is a rectangle of the board. The aim is to reduce the number of such windows. If there are more
    of them after the change than before, the change is usually undone.
    """
    _search_again(state, board, _choose_multiple(state, rng))
    if state.focus_size == 0:
        return
    copy_cover(board, backup)
    moves = 1 + random_below(rng, _MAX_MOVES)
    if (
        not stir_at(board, rng, state.focus, state.focus_size, moves, _TRIES)
        or (board.styled and measure_style(style, board, REFUSED) >= REFUSED)
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
    """Return whether to keep a change to the paths of the path cover.

    A path cover is a board divided into paths.

    Args:
        more: the number of windows (rectangles of the board) whose paths can be drawn in a second way, minus
            this number before the change.
    """
    if more > 0:
        return more == 1 and random_below(rng, _WORSE_KEPT) == 0
    if more == 0 and _count_windows(state, board, state.stage) == 1:
        return state.focus_size <= state.last_size + _LEEWAY
    return True
