"""Make a path cover that meets given requirements, and change a finished cover in small steps.

A cover divides the free cells of a board into paths. The ends of the paths are the puzzle's numbers.
``shape_cover`` makes a cover in three steps:

1. Walk at random until the number, lengths and ends of the paths are as required (``walk``).
2. If there are style targets, make small changes that bring the cover closer to them.
3. Repair the cover until its paths are the only solution of the puzzle (``repair``).

``Variation`` changes a finished cover by a few random moves in a small square. Most changes give the puzzle a
second solution. A search of a small window usually shows that. A window is a rectangle of the board. Its
search looks for another way to draw the paths in the window, while everything outside stays as it is. So
``vary`` makes and undoes changes until the small windows around a change have no second drawing. Searching
large windows and the whole board takes longer than all these changes. So ``vary`` leaves that to ``prove``,
which the caller needs to call only for a change that is to be kept.

Effort is counted in units of work, about a microsecond each, so that results don't depend on the machine.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import (
    FOURFOLD_WEIGHT,
    UNMATCHED_WEIGHT,
    CoverBoard,
    copy_cover,
    is_end,
    lay_paths,
    lay_singles,
    list_paths,
)
from linkpress.engine.kernels.covers.cover_style import NO_MOST, REFUSED, StyleTargets, measure_style
from linkpress.engine.kernels.covers.repair import RepairState, find_multiple, repair, windows_hold
from linkpress.engine.kernels.covers.walk import end_index, shake, stir, stir_ends
from linkpress.engine.kernels.glossary import ShapingOutcome, StyleFigure
from linkpress.engine.kernels.pure_python import Ints, State, for_python, items, make_fields
from linkpress.engine.kernels.rng import Rng, random_below

# One move of a random walk counts as this many thousandths of a unit of work.
_MOVE_WORK: int = 250

# A path cover divides a board into paths. Style targets are wanted values for figures that measure how the
# paths look. One attempt at a board with style targets makes at most this many path covers. A puzzle of 10 ×
# 10 with 8 pairs takes 5.8 ms with a limit of 12 covers, and 7.1 ms with a limit of 30. If the numbers must
# be placed symmetrically, the limit does not change the time.
_MAX_COVERS: int = 16
# An attempt at a board ends when the first ``_MAX_MISSES`` random walks do not meet the requirements. A walk
# that meets them takes a seventh as many moves as one that does not. On boards of 10 × 10 with 8 to 10 pairs,
# 180 puzzles a second are made with this limit, and 130 without it. There is no limit if the numbers must be
# placed symmetrically, because a limit would gain nothing then.
_MAX_MISSES: int = 2
# Limits for a random walk, in moves for each cell of the board, if there are targets for the style of the
# board. The walk is given up after this many moves. Before the walk, ``_SHAKE_MOVES`` random moves change the
# path cover (a board divided into paths) from which the walk starts. There is one limit for each of three
# kinds of boards:
# - ``_FREE_WALK_MOVES`` is for boards whose numbers need no symmetry. Boards of 10 × 10 with 8 and 11 pairs
#   take 0.2 and 0.1 ms less with a limit of 20 than with a limit of 40. Walks that meet the requirements take
#   5 moves for each cell.
# - ``_SYMMETRIC_WALK_MOVES`` is for boards whose numbers must be placed symmetrically.
# - ``_FOURFOLD_WALK_MOVES`` is for boards whose numbers must be placed symmetrically under a quarter turn or
#   both reflections. On such boards of 12 × 12, 40 moves for each cell are enough for 30 % of the walks, and
#   160 moves are enough for 85 %.
_FREE_WALK_MOVES: int = 20
_SYMMETRIC_WALK_MOVES: int = 40
_FOURFOLD_WALK_MOVES: int = 160
_SHAKE_MOVES: int = 3
# Style targets are values that measured properties of a board should have. An attempt at a board with style
# targets makes several path covers (boards divided into paths). The repair of each cover may take at most
# this fraction of the work allowed to the whole attempt: 1 / _REPAIR_SHARE. Without style targets, it may
# take all of that work. Puzzles of 8 × 8 with 7 to 10 pairs take 3.4 ms each with this limit, and 4.4 ms
# without. Puzzles of 10 × 10 with symmetrically placed numbers take 6.7 ms with it and 7.2 ms without.
_REPAIR_SHARE: int = 4

# The figure COPIED_LINES says how symmetric the solution of a path cover (a board divided into paths) is, in
# thousandths. Boards whose figure is above 849 are not used. Small changes can make the solution of a cover
# above this limit less symmetric, and so lower its figure. If the figure exceeds the limit by more than
# ``_COPIED_EXCESS``, no changes are tried, because they would hardly ever succeed. Of the covers with a
# figure from 900 to 950, one in twenty came down to 850. Above 950, none did.
_COPIED_EXCESS: int = 50
# For each 100 cells of the board, this many small changes are tried to improve the style of a path cover (a
# board divided into paths). Each of them counts as ``_STYLE_CHANGE_WORK`` units of work. With symmetrically
# placed numbers most moves are impossible, so fewer changes are tried. Style figures measure the properties
# of a board, and should come near their targets. On boards of 10 × 10 with 11 pairs and no symmetry, the
# correlation of figures and targets is 0.43 after 50 changes, and 0.46 after 80. The moves of a change begin
# at path ends. In a test, they could begin at other cells too. Then 200 changes were needed for a correlation
# of 0.44, and a board took 1.7 ms instead of 1.1 ms.
_STYLE_CHANGES: int = 50
_SYMMETRIC_STYLE_CHANGES: int = 25
_STYLE_CHANGE_WORK: int = 8

# A small change to the path cover (a board divided into paths) consists of random moves of path ends in a
# square of ``_SQUARE_SIDE`` cells on each side. At most ``_CHANGE_TRIES`` moves are tried, and at most
# ``_CHANGE_MOVES`` are made. With 16 tries instead of 12, neither the time to make a board nor the distance
# from its style targets changes. Making and undoing a change in the function ``vary`` counts as
# ``_VARY_WORK`` units of work.
_SQUARE_SIDE: int = 4
_CHANGE_MOVES: int = 4
_CHANGE_TRIES: int = 12
_VARY_WORK: int = 30


@for_python
def shape_cover(
    rows: int, cols: int, order: tuple, style_targets: list, windows: tuple, rng: Rng, limit: cython.longlong
) -> tuple[int, list[list[int]], int, int, int]:
    """Make one path cover (a board divided into paths) that meets the requirements in ``order``.

    A random walk changes the cover until it meets the requirements. Then a repair changes small parts of it
    until no search finds a second solution.

    Args:
        order: the requirements, as a tuple of nine values:

            - the number of paths
            - a tuple of two limits: the largest number of paths with both ends on the border, and the largest
              sum of the weights of all path ends. The weights are the eighth value.
            - whether no two path ends may be neighbours
            - for each path length from 0 to rows × cols: the penalty for a path of that length
            - for each cell: 1 if it is a solid at the beginning, else 0
            - for each cell: the cell onto which the solids' symmetry maps it. None if solids must not move.
            - for each cell: the cell onto which the numbers' symmetry maps it. None if there is no symmetry.
            - for each cell: the weight of a path end in that cell
            - for each cell: the number of its region, which no path may leave. None if there are no regions.
        style_targets: the targets of the style, as ``StyleTargets`` takes them; empty for no style.
        windows: the window sizes and search budgets, as ``RepairState`` takes them.
        limit: units of work after which to stop.
    Returns:
        Five values: the ``ShapingOutcome``, the paths as lists of cells from end to end, the work spent, the
        number of conflicts in all searches, and the number of conflicts in the last one. The outcome is
        SHAPELESS if the random walk did not meet the requirements. Otherwise it is the outcome of the repair:
        DONE, UNREPAIRED or UNDECIDED.
    """
    board, last_good, backup = CoverBoard(rows, cols), CoverBoard(rows, cols), CoverBoard(rows, cols)
    lay_order(board, order)
    style = StyleTargets(rows * cols, style_targets)
    board.styled = len(style_targets) > 0
    state = RepairState(rows, cols, windows, limit)
    with cython.nogil:
        lay_singles(board)
        if board.styled:
            outcome: int = _make_styled_cover(board, last_good, backup, state, rng, style)
        else:
            outcome = _make_plain_cover(board, backup, state, rng, style)
    return outcome, list_paths(board), state.work, state.conflicts, state.last_conflicts


@for_python
def lay_order(board: CoverBoard, order: tuple) -> None:
    """Set the requirements that a board must meet, and place its solids.

    Args:
        order: the requirements, in the form that ``shape_cover`` takes.
    """
    (
        board.target_paths,
        (board.max_border_pairs, board.max_limited_ends),
        board.ends_apart,
        cost,
        solid,
        image,
        mirror,
        limited,
        region,
    ) = order
    board.symmetric, board.solids_move = mirror is not None, False
    for length in range(board.cells + 1):
        board.cost[length] = cost[length]
    for cell in range(board.cells):
        board.image[cell] = cell if image is None else image[cell]
        board.mirror[cell] = cell if mirror is None else mirror[cell]
        board.mirrored_from[board.mirror[cell]] = cell
        board.limited[cell] = limited[cell]
        board.region[cell] = 0 if region is None else region[cell]
        if solid[cell]:
            board.solids[board.solid_count] = cell
            board.solid_count += 1
            board.solids_move = image is not None
    for cell in range(board.cells):
        if board.mirrored_from[cell] != board.mirror[cell]:
            board.fourfold = True
    board.unmatched_weight = FOURFOLD_WEIGHT if board.fourfold else UNMATCHED_WEIGHT


def _make_plain_cover(
    board: CoverBoard, backup: CoverBoard, state: RepairState, rng: Rng, style: StyleTargets
) -> int:
    max_moves: cython.longlong = max(1, max(0, state.limit) * 1000 // _MOVE_WORK)
    if _walk_to_order(board, backup, state, rng, max_moves):
        return repair(board, backup, state, rng, style)
    return ShapingOutcome.SHAPELESS


def _make_styled_cover(
    board: CoverBoard,
    last_good: CoverBoard,
    backup: CoverBoard,
    state: RepairState,
    rng: Rng,
    style: StyleTargets,
) -> int:
    """Make one path cover after another in the required style, until a repair succeeds or can't be decided.

    A path cover is a board divided into paths. A random walk makes each cover. Small changes bring it closer
    to its style targets, which are values that measured properties of the cover should have. Then it is
    repaired, so that its paths become the only solution of the puzzle. ``last_good`` is the last cover whose
    style was good enough for a repair. The next walk starts from a copy of it that is changed by random
    moves.
    """
    limit: cython.longlong = max(0, state.limit)
    outcome = ShapingOutcome.SHAPELESS
    walk_moves = board.cells * (_SYMMETRIC_WALK_MOVES if board.symmetric else _FREE_WALK_MOVES)
    if board.fourfold:
        walk_moves = board.cells * _FOURFOLD_WALK_MOVES
    for covers in range(_MAX_COVERS):
        if covers == _MAX_MISSES and outcome == ShapingOutcome.SHAPELESS and not board.symmetric:
            break
        met: bool = _walk_to_order(board, backup, state, rng, walk_moves)
        if met:
            outcome = ShapingOutcome.UNREPAIRED
        if met and _improve_style(board, backup, state, rng, style) < REFUSED:
            state.limit = state.work + limit // _REPAIR_SHARE
            outcome = repair(board, backup, state, rng, style)
            if outcome != ShapingOutcome.UNREPAIRED:
                return outcome
            copy_cover(board, last_good)
        elif last_good.path_count > 0:
            copy_cover(last_good, board)
        elif met:
            # The solution is too symmetric. It would mostly stay symmetric under random moves, so start
            # again with a new path cover (a board divided into paths). In a test, random moves were made
            # instead. Then 75 % of the solutions stayed exactly symmetric, and only 2 % lost enough of their
            # symmetry.
            lay_singles(board)
            continue
        shake(board, backup, rng, _SHAKE_MOVES * board.cells)
    return outcome


def _walk_to_order(
    board: CoverBoard, backup: CoverBoard, state: RepairState, rng: Rng, max_moves: cython.longlong
) -> bool:
    """Make random moves until the path cover (a board divided into paths) meets its requirements.

    Returns:
        False if it does not meet them after ``max_moves`` moves.
    """
    moves: cython.longlong = stir(board, backup, rng, max_moves)
    state.work += moves * _MOVE_WORK // 1000
    return moves < max_moves


def _improve_style(
    board: CoverBoard, backup: CoverBoard, state: RepairState, rng: Rng, style: StyleTargets
) -> cython.longlong:
    """Improve the style of a path cover by small random changes, and return its final style penalty.

    A path cover is a board divided into paths. The style penalty says how far its measured properties, the
    style figures, are from their targets. Changes that raise the penalty are undone.
    """
    penalty: cython.longlong = measure_style(style, board, NO_MOST)
    if style.figure[StyleFigure.COPIED_LINES] > style.maximum[StyleFigure.COPIED_LINES] + _COPIED_EXCESS:
        return penalty
    changes = _SYMMETRIC_STYLE_CHANGES if board.symmetric else _STYLE_CHANGES
    for _ in range(changes * board.cells // 100):
        copy_cover(board, backup)
        new_penalty: cython.longlong = _change_style(board, state, rng, style, penalty)
        if new_penalty < 0 or new_penalty > penalty:
            copy_cover(backup, board)
        else:
            penalty = new_penalty
    return penalty


def _change_style(
    board: CoverBoard, state: RepairState, rng: Rng, style: StyleTargets, most: cython.longlong
) -> cython.longlong:
    """Change a path cover at a random place, and return its new style penalty.

    A path cover is a board divided into paths. The style penalty says how far its measured properties, the
    style figures, are from their targets.

    Args:
        most: if the new penalty is above this limit, any number above the limit may be returned instead.
    Returns:
        The penalty; -1 if the changed cover does not meet its requirements.
    """
    state.work += _STYLE_CHANGE_WORK
    corner = random_below(rng, board.cells)
    if not _change_square(board, state, rng, corner):
        return -1
    return measure_style(style, board, most)


def _change_square(board: CoverBoard, state: RepairState, rng: Rng, corner: int) -> bool:
    """Make a few random moves at the path ends in the square whose upper left cell is ``corner``.

    The square has ``_SQUARE_SIDE`` cells on each side, or fewer where it would reach beyond the board.

    Returns:
        Whether moves were made, and the path cover (a board divided into paths) meets its requirements
        afterwards. If not, the caller must restore the cover from its backup.
    """
    row, col = corner // board.cols, corner % board.cols
    state.focus_size = 0
    for down in range(min(_SQUARE_SIDE, board.rows - row)):
        for right in range(min(_SQUARE_SIDE, board.cols - col)):
            cell: int = corner + down * board.cols + right
            if is_end(board, cell):
                path = board.path_of[cell]
                state.focus[state.focus_size] = 2 * path + end_index(board, path, cell)
                state.focus_size += 1
    moves = 1 + random_below(rng, _CHANGE_MOVES)
    return state.focus_size > 0 and stir_ends(board, rng, state.focus, state.focus_size, moves, _CHANGE_TRIES)


class Variation(State):
    """A path cover (a board divided into paths) that can be changed in small steps.

    The last step can be undone.

    Args:
        order: the requirements that the cover meets, as for ``shape_cover``.
        paths: the paths of the cover, each as a list of cells from end to end.
        windows: the sizes of the rectangles of the board that are searched for a second solution, and how
            long each search may take, as for ``RepairState``. The rectangles of one size form a stage; the
            stages with the smallest rectangles come first.
        searched_stages: how many of these stages ``vary`` searches after each change. It begins with the
            first one.
        style_targets: the targets, as for ``StyleTargets``; empty for no style.
    """

    board: CoverBoard
    backup: CoverBoard  # a copy of the path cover (a board divided into paths) before the last change
    state: RepairState
    style: StyleTargets
    # The style penalty of the path cover (a board divided into paths). It says how far the measured
    # properties of the cover are from their targets. ``measure_style`` computes it.
    penalty: cython.longlong
    searched_stages: int
    target_count: int
    # The cells near which ``vary`` changes the paths. If the list is empty, ``vary`` may change any paths.
    targets: Ints = items("rows * cols")

    def __init__(
        self,
        rows: int,
        cols: int,
        order: tuple,
        paths: list,
        windows: tuple,
        searched_stages: int,
        style_targets: list,
    ) -> None:
        make_fields(self, locals())
        self.searched_stages = searched_stages
        self.board, self.backup = CoverBoard(rows, cols), CoverBoard(rows, cols)
        lay_order(self.board, order)
        self.board.styled = len(style_targets) > 0
        lay_paths(self.board, paths)
        self.state = RepairState(rows, cols, windows, 0)
        self.style = StyleTargets(rows * cols, style_targets)
        self.penalty = measure_style(self.style, self.board, NO_MOST)

    def vary(self, rng: Rng, limit: cython.longlong, places: list) -> bool:
        """Change the paths at random. Keep the first change that passes a quick test for a second solution.

        The test searches only small rectangles of the board around the change. In each rectangle, there must
        be no other way to draw the paths. The whole board is not searched, so the puzzle may still have a
        second solution. A change is also rejected if it makes the style of the board unacceptable.

        Args:
            limit: units of work after which to stop.
            places: different cells. Each change is made in a square that contains one of these cells. If the
                list is empty, a change may be made anywhere.
        Returns:
            True if a change was kept; False if the paths are the same as before.
        """
        self.target_count = len(places)
        for index in range(self.target_count):
            self.targets[index] = places[index]
        self.state.limit = self.state.work + limit
        with cython.nogil:
            changed: bool = _vary(self, self.board, self.backup, self.state, rng)
        return changed

    def beautify(self, rng: Rng, tries: int) -> bool:
        """Bring the path cover closer to its style targets; its paths stay the only solution of the puzzle.

        A path cover is a board divided into paths. Style targets are values that measured properties of the
        cover should have, such as the share of straight paths.

        Args:
            tries: how many changes to try.
        Returns:
            False if no change succeeded; the cover is then unchanged.
        """
        with cython.nogil:
            changed: bool = _beautify(self, self.board, self.backup, self.state, rng, tries)
        return changed

    def take_back(self) -> None:
        """Undo the last change that ``vary`` or ``beautify`` made to the path cover.

        A path cover is a board divided into paths.
        """
        copy_cover(self.backup, self.board)
        self.penalty = measure_style(self.style, self.board, NO_MOST)

    def prove(self) -> tuple[bool, list[int]]:
        """Search the larger windows, and the whole board, for a second drawing.

        A window is a rectangle of the board. A second drawing is another way to draw the paths in a window,
        while everything outside stays the same. The method ``vary`` has searched the smaller windows already.

        Returns:
            True and an empty list if there is no second drawing. Otherwise False and a list of the cells
            whose edges differ between the path cover and the second drawing. The list is empty if the search
            of the whole board was given up.
        """
        with cython.nogil:
            proven: bool = not find_multiple(self.state, self.board, self.searched_stages)
        return proven, [self.state.focus[index] for index in range(self.state.focus_size)]

    def figures(self) -> list[int]:
        """Measure the style of the path cover (a board divided into paths).

        Returns:
            For each ``StyleFigure``, its value in thousandths.
        """
        measure_style(self.style, self.board, NO_MOST)
        return [self.style.figure[index] for index in range(StyleFigure.FIGURES)]

    def paths(self) -> list[list[int]]:
        return list_paths(self.board)

    def spent(self) -> tuple[int, int]:
        return self.state.work, self.state.conflicts


def _vary(variation: Variation, board: CoverBoard, backup: CoverBoard, state: RepairState, rng: Rng) -> bool:
    copy_cover(board, backup)
    while state.work < state.limit:
        state.work += _VARY_WORK
        corner = _choose_corner(variation, board.cols, rng)
        if (
            _change_square(board, state, rng, corner)
            and _differs(board, backup)
            and not (board.styled and measure_style(variation.style, board, REFUSED) >= REFUSED)
            and windows_hold(state, board, variation.searched_stages)
        ):
            return True
        copy_cover(backup, board)
    return False


def _choose_corner(variation: Variation, cols: int, rng: Rng) -> int:
    """Choose a random square for ``_change_square``, and return its upper left cell.

    If there are target cells, the square contains a random one of them. Otherwise, it may be anywhere on the
    board.
    """
    if variation.target_count == 0:
        return random_below(rng, variation.board.cells)
    cell = variation.targets[random_below(rng, variation.target_count)]
    row = max(0, cell // cols - random_below(rng, _SQUARE_SIDE))
    return row * cols + max(0, cell % cols - random_below(rng, _SQUARE_SIDE))


def _differs(board: CoverBoard, backup: CoverBoard) -> bool:
    """Return whether the path cover differs from its backup.

    A path cover is a board divided into paths. After a series of random moves, it can be the same as before,
    because a later move may have undone an earlier one.
    """
    for cell in range(board.cells):
        if board.links[cell] != backup.links[cell]:
            return True
    return False


def _beautify(
    variation: Variation, board: CoverBoard, backup: CoverBoard, state: RepairState, rng: Rng, tries: int
) -> bool:
    copy_cover(board, backup)
    whole_board = state.stage_count - 1
    for _ in range(tries):
        new_penalty: cython.longlong = _change_style(board, state, rng, variation.style, variation.penalty)
        if (
            0 <= new_penalty < variation.penalty
            and windows_hold(state, board, whole_board)
            and not find_multiple(state, board, whole_board)
        ):
            variation.penalty = new_penalty
            return True
        copy_cover(backup, board)
    return False
