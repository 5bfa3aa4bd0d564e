"""Find up to two drawings of a board, to decide whether it has exactly one.

**Board.** A board is two arrays with one item for each cell, row by row. ``need`` is the number of edges of
the cell: 1 for a number, 2 for any other cell, -1 for a solid or a cell that is left out. ``label`` is the
cell's number, counted from 0, or -1. A drawing is, for each cell, the ``DirectionBit`` sum of its used edges.

**Kinds of drawings.** FILLING: the paths cover every cell. UNTOUCHING: the paths cover every cell, and two
cells of one path are neighbours only where the path joins them. LOWEST: cells without a number may stay
empty, but only *lowest* drawings count. If a board has any drawing with an empty cell, it has a lowest one.
``engine/proof`` explains why that is enough to decide the rule *strict*.

Take all drawings of a board that cover the fewest cells. Of these, take one whose cells lie lowest (with the
largest sum of 3 · row + col). It has three properties, which define a lowest drawing:

- Of the four edges that join the cells of a 2 × 2 square, no three are used. Otherwise the path could be cut
  short.
- No valley has an empty floor. A valley is a path that comes down, runs right and goes up again. Its floor is
  the row of cells between, just above the part that runs right. If all of them are empty, the path could be
  cut short along them.
- Corners are supported. Suppose that a path has a corner with edges to the right and down, or to the left and
  down. Then the cell diagonally inside the corner is a number, a solid, or another corner with edges in the
  same two directions. That cell can't be empty, because then the corner could be moved into it, which lies
  lower. If another path went through the cell in any other way, three edges of a 2 × 2 square would be used.
  So these corners form diagonal rows, and each row ends at a number or a solid. Boards with few numbers have
  few such rows.

A path of a lowest drawing never touches itself, so neighbours with the same number are joined. The
clause-learning search uses this for whole boards. On boards with at least ``_SWEPT_CELLS`` cells, it also
uses this for windows that a depth-first search has searched before.

A drawing that covers every cell and never touches itself also has the first and the third property. All of
its corners are supported, also those with edges up. So a search for UNTOUCHING drawings requires these two
properties. A path can also touch itself around the end of another path. The search excludes such a contact
when it finds a drawing that has one.

**Detours.** If a drawing lacks one of the three properties, a small change improves it: cut a path short, or
move a corner into an empty cell. Every change leaves a drawing with fewer cells, or with equally many cells
that lie lower. So the changes end at a lowest drawing. Suppose that a board has a single lowest drawing. Then
a series of such changes leads from any other drawing to this lowest drawing. If the last change of the series
is undone, a part of a path leads through empty cells: a *detour*. So if the lowest drawing has no detour, it
is the only drawing. If it has one, the detour gives a second drawing, and no second lowest drawing need be
searched for. On 150 boards of 12 × 12 with some numbers moved, a search for any other drawing took 344 ms on
average and 17 s at most. Looking for a detour takes 1.7 ms on average and 9 ms at most.

**Dead corners.** A corner can't be supported if the diagonal inside it meets no number and no solid before
the border. For whole boards, and for windows of large boards, such corners are ruled out from the start. In
windows of small boards, they are not ruled out. Otherwise, another drawing would be found first, and the same
seed would make another puzzle.

**Windows.** ``search_window`` looks for a second drawing of a window. A path cover divides a board into
paths. A window is a rectangle of that board. The edges outside the window stay as they are in the path cover.
A path that leaves the window ends at the cell where it leaves, and that cell gets the number of the path.

For LOWEST drawings the answer is exact: the drawings found are lowest among all drawings that leave the
outside as it is. For the other kinds, closed loops are excluded inside the window only. So a second filling
of a window may close a loop that runs outside the window. That can't happen when the window is the whole
board. The search also does not notice if a path touches its own cells outside the window.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.covers.cover_board import CoverBoard
from linkpress.engine.kernels.glossary import Direction, DirectionBit, DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import (
    COLS_REVERSED,
    ROWS_REVERSED,
    TRANSPOSED,
    neighbour,
    side_edge,
    step_to,
    turned_cell,
    turned_square,
)
from linkpress.engine.kernels.prover.cdcl import (
    ProverBoard,
    Search,
    add_board_clauses,
    backtrack,
    exclude_drawing,
    find_model,
    require_joined,
    reset_prover_board,
    reset_search,
)
from linkpress.engine.kernels.prover.scan import Scan, begin_scan, continue_scan, copy_drawing, places_of
from linkpress.engine.kernels.pure_python import (
    Bytes,
    Ints,
    State,
    for_python,
    item_of,
    items,
    make_fields,
    path_of,
    tuple_of,
    unset_items,
)

# A clause-learning search has an array for its clauses. The array has ``_CONFLICT_WORDS`` words for each
# conflict that the search may meet. Conflicts beyond ``_MOST_CONFLICTS`` add no words.
_CONFLICT_WORDS: int = 64
_MOST_CONFLICTS: int = 6250
# A search that decides edges row by row (a sweep) keeps most of the clauses that it learns. So for a
# sweep of a whole board, the array of clauses is larger by the factor ``_SWEEP_ROOM``. A search of a
# window (rectangle of a board) is usually short, so its array is not larger, unless the search may take
# more than ``_LONG_BUDGET`` conflicts.
_SWEEP_ROOM: int = 10
_LONG_BUDGET: int = 100_000
# This many contradictions in the depth-first search take about as long as one conflict in clause learning.
CONTRADICTIONS: int = 8
# A search for a detour through empty cells uses the array ``FoundDrawings.detour``, which has one value for
# each cell. If the search has reached a cell, the value is the index of the previous cell on the detour. For
# all other cells, the value is one of these three negative marks:
# - _EMPTY: the search may enter the cell.
# - _AHEAD: the cell lies ahead on the path, and the detour may end there.
# - _BLOCKED: the search must not enter the cell, and the detour must not end there.
_EMPTY: int = -1
_BLOCKED: int = -2
_AHEAD: int = -3
# A board is searched in the rotation or reflection with the smallest value in the array ``lateness``. To
# exclude a rotation or reflection, its value is set to ``_NEVER``, which is larger than any other value.
_NEVER: int = 1 << 30


class FoundDrawings(State):
    """The drawings of a board found so far, at most two, and work space to examine them.

    A drawing joins each pair of numbers by a path. To use the object for another board with at most as many
    cells, set ``count`` to 0.
    """

    count: int
    # A drawing is a set of paths that solves the board. A search looks for two different ones. For each cell:
    # the sum of the ``DirectionBit`` values of the edges that the first drawing uses at this cell.
    first: Bytes = unset_items("cells")

    # The search looks for two different drawings, which are sets of paths that solve the board. For each
    # cell: the sum of the ``DirectionBit`` values of the edges that the second drawing uses at this cell.
    second: Bytes = unset_items("cells")

    # for each cell on the closed loop that is examined, the ``DirectionBit`` sum of its drawn edges; 0 for
    # all other cells
    loop: Bytes = unset_items("cells")

    # for each cell: 1 if it is on a path from a number, 2 if it is on the closed loop that is
    # examined, else 0
    reached: Ints = unset_items("cells")
    # Work space of the search for a detour: another way for a part of a path, through empty cells. Each cell
    # has one of these marks: _EMPTY if the search has not reached it, _AHEAD if the detour may end there,
    # and _BLOCKED for other cells. For a cell that the search has reached, the entry is the cell before it
    # on the detour.
    detour: Ints = unset_items("cells")
    # For each cell, the number of the path through it, counted from 0; -1 if there is none.
    path_label: Ints = unset_items("cells")
    queue: Ints = unset_items("cells")

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


class DrawingSearch(State):
    """A search for two drawings of a whole board. It can be continued after it has used up its budget.

    A drawing joins each pair of numbers by a path.

    Args:
        solids: the solid cells.
        pairs: the pairs, each with its ``number`` and the two cells that have it, ``first`` and ``second``.
        kind: the ``DrawingKind`` that says which drawings count. If it is LOWEST, drawings may leave cells
            empty. If a path of the first drawing can then be rerouted through empty cells, the rerouted
            drawing is returned as the second one.
        scanned: how many contradictions the depth-first search may meet. The board is first searched depth
            first; once this number is reached, a search with clause learning takes over.
        known: the paths of a drawing that is already known, each with its ``cells``; empty if there is none.
        rank: which rotation or reflection of the board to search. They are ranked by how fast the search is
            expected to be: 0 for the fastest, 1 for the next, and so on. ``_choose_turn`` explains the ranks.
    Raises:
        IndexError: a solid, number or path lies outside the board, or there are too many numbers.
    """

    prover_board: ProverBoard
    found: FoundDrawings
    scan: Scan
    search: Search  # the clause-learning search; None until it is needed
    most_cells: int  # the number of cells of the largest board for which these arrays have room

    # the number of cells of the largest board for which these arrays have room, including the frame of extra
    # cells that ``scan`` adds around a board
    most_places: int

    # for each cell of the board, its index after the board is rotated or reflected
    place: Ints = unset_items("cells")

    # for each cell of the rotated or reflected board, its index on the original board
    cell: Ints = unset_items("cells")
    ends: Ints = unset_items("cells")  # the two cells of each pair of numbers, one pair after the other
    numbers: Ints = unset_items("cells")  # for each pair, the number that the board shows for it
    labels: int  # how many different numbers the board has

    # The search goes through the cells row by row, and is faster if it meets the puzzle's numbers early. For
    # each rotation or reflection of the board: a sum that is large if the numbers come late.
    lateness: Ints = unset_items("8")
    # how many more contradictions the depth-first search may meet; 0 after the depth-first search has ended
    scanned: int

    def __init__(
        self,
        rows: int,
        cols: int,
        solids: object,
        pairs: tuple,
        kind: int,
        scanned: int,
        known: tuple,
        rank: int,
    ) -> None:
        cells = rows * cols
        make_fields(self, locals())
        self.most_cells, self.most_places = cells, places_of(rows, cols)
        self.prover_board, self.found = ProverBoard(rows, cols), FoundDrawings(cells)
        self.scan, self.search = Scan(rows, cols), None
        self._begin(rows, cols, solids, pairs, kind, scanned, known, rank)

    @cython.cfunc
    def _begin(
        self,
        rows: int,
        cols: int,
        solids: object,
        pairs: tuple,
        kind: int,
        scanned: int,
        known: tuple,
        rank: int,
    ) -> object:
        """Prepare the search of a board that has no more cells than the arrays have room for.

        The arguments are those of ``DrawingSearch``.
        """
        p, d = self.prover_board, self.found
        cells, labels = rows * cols, len(pairs)
        if 2 * labels > cells:
            raise IndexError(f"the board has no cells for {labels} pairs of numbers")
        self.labels, self.scanned, d.count = labels, scanned, 0
        for index in range(labels):
            pair = pairs[index]
            self.numbers[index] = item_of(pair, 0)
            self.ends[2 * index] = _checked_cell(cells, item_of(pair, 1))
            self.ends[2 * index + 1] = _checked_cell(cells, item_of(pair, 2))
        turn = _choose_turn(self, rows, cols, rank)
        _set_up_empty_board(self, p, rows, cols, turn, kind)
        for solid in solids:
            p.need[self.place[_checked_cell(cells, solid)]] = -1
        for index in range(2 * labels):
            end: int = self.place[self.ends[index]]
            p.need[end], p.label[end] = 1, index // 2
        for cell in range(cells if known else 0):
            d.first[cell] = 0
        for path in known:
            d.count, path_cells = 1, path.cells
            for index in range(len(path_cells) - 1):
                one = _checked_cell(cells, path_cells[index])
                other = _checked_cell(cells, path_cells[index + 1])
                _toggle_edge(p, d.first, self.place[one], self.place[other])
        return None

    def go_on(self, budget: int, alternates: bool) -> tuple[int, list | None]:
        """Search until there are two drawings, or no more drawings, or the budget is used up.

        A drawing joins each pair of numbers by a path.

        Args:
            budget: how many conflicts this call may take.
            alternates: whether the clause-learning search alternates, from now on, between deciding edges row
                by row and deciding the edges that were in recent conflicts.
        Returns:
            The number of conflicts in this call, and the drawings found. A closed loop that had to be
            excluded counts as one conflict. The drawings are None if the budget was used up. Otherwise there
            are at most two. If one was known from the start, it comes first. Each drawing is a tuple: its
            paths, and whether they cover every free cell.
        Raises:
            AssertionError: the search returned something that is not a drawing.
        """
        p, d, scan = self.prover_board, self.found, self.scan
        outcome: int = SearchOutcome.GAVE_UP
        spent, more = 0, 0
        if min(self.scanned, budget) > 0:
            most = min(self.scanned, CONTRADICTIONS * budget)
            with cython.nogil:
                outcome, spent = scan_for_two(scan, p, d, most)
            self.scanned = 0
        if outcome == SearchOutcome.GAVE_UP:
            if self.search is None:
                self.search = Search(p.cells, p.cols, self.labels, _room_for_board(p))
                self.search.sweeps = p.kind == DrawingKind.LOWEST
                begin_search(self.search, p, d)
            s = self.search
            s.alternates = alternates
            with cython.nogil:
                outcome, more = search_for_two(s, p, d, budget - spent)
        if outcome == SearchOutcome.GAVE_UP:
            return spent + more, None
        found = [self._paths(d.first if index == 0 else d.second) for index in range(d.count)]
        return spent + more, found

    @cython.cfunc
    def _paths(self, drawing: Bytes) -> tuple:
        p, d, paths, empty = self.prover_board, self.found, [], 0
        for cell in range(p.cells):
            d.reached[cell] = 0
            empty += 1 if p.need[cell] > 0 else 0
        for number in range(self.labels):
            first, last = self.ends[2 * number], self.ends[2 * number + 1]
            came, cell, size = -1, self.place[first], 0
            while cell >= 0:
                if d.reached[cell]:
                    raise AssertionError("the search returned a drawing whose paths meet")
                d.queue[size], d.reached[cell] = self.cell[cell], 1
                size += 1
                came, cell = cell, _next_cell(p, drawing, cell, came)
            if d.queue[size - 1] != last:
                raise AssertionError("the search returned a drawing that does not join two ends")
            paths.append(path_of(self.numbers[number], tuple_of(d.queue, size)))
            empty -= size
        return tuple(paths), empty == 0


# Searches that are finished. They are kept, because allocating new arrays takes as long as the search of a
# board of 5 × 5. The next search of a board that is not larger uses their arrays again.
_finished_searches = []


@for_python
def search_board(
    rows: int, cols: int, solids: object, pairs: tuple, kind: int, scanned: int, known: tuple, budget: int
) -> tuple[int, list | None, DrawingSearch | None]:
    """Search a board for two drawings, in its most promising rotation or reflection.

    A drawing joins each pair of numbers by a path.

    Args:
        budget: how many conflicts this call may take. The other arguments are those of ``DrawingSearch``.
    Returns:
        Three values: the number of conflicts; the drawings, as ``DrawingSearch.go_on`` returns them; and the
        search. The search is None if it is finished. Otherwise the drawings are None, and the search can be
        continued.
    """
    search: DrawingSearch = _finished_searches.pop() if _finished_searches else None
    fits: bool = search is not None and rows * cols <= search.most_cells
    if fits and places_of(rows, cols) <= search.most_places:
        search._begin(rows, cols, solids, pairs, kind, scanned, known, 0)
    else:
        search = DrawingSearch(rows, cols, solids, pairs, kind, scanned, known, 0)
    spent, found = search.go_on(budget, False)
    if found is None:
        return spent, None, search
    search.search = None
    _finished_searches.append(search)
    return spent, found, None


def _set_up_empty_board(
    search: DrawingSearch, p: ProverBoard, rows: int, cols: int, turn: int, kind: int
) -> None:
    """Set the size of the board to search, rotated or reflected, without its numbers and solids.

    The caller must then add the numbers and solids. This function also fills in two tables: ``search.place``
    has, for each cell of the board, its index after the rotation or reflection. ``search.cell`` is the
    inverse: for each cell of the rotated or reflected board, it has the index on the original board.

    Args:
        rows, cols: the size of the board before it is turned.
        turn: the rotation or reflection, in the form that ``turned_cell`` takes.
        kind: the ``DrawingKind``. It says which rules the paths must obey.
    """
    transposed: bool = turn & TRANSPOSED != 0
    reset_prover_board(p, cols if transposed else rows, rows if transposed else cols, kind)
    p.dead_corners, p.joins_neighbours = True, kind == DrawingKind.LOWEST
    cell, first = 0, turned_square(rows, cols, turn, 0, 0)
    across, down = (
        turned_square(rows, cols, turn, 0, 1) - first,
        turned_square(rows, cols, turn, 1, 0) - first,
    )
    for row in range(rows):
        place = first + row * down
        for _ in range(cols):
            search.place[cell], search.cell[place] = place, cell
            p.need[cell], p.label[cell] = 2, -1
            cell, place = cell + 1, place + across


class FormProofs(State):
    """Proofs that a board has only one solution, for each of its rotations and reflections, called forms.

    They are made to compute the difficulty score of the board. The score depends on the number of conflicts
    in these proofs. A new release must not change the score of a board, so it must not change this number
    either. That is why these proofs use only the clause-learning search, and don't require that neighbours
    with the same number are joined. Other proofs use faster methods.

    Args:
        solids: the solid cells.
        pairs: the pairs of numbers, each with its two cells as ``first`` and ``second``.
        kind: the ``DrawingKind`` that says which ways to join all pairs by paths count.
    Raises:
        IndexError: a solid or number lies outside the board.
    """

    rows: int
    cols: int
    kind: int
    labels: int  # how many different numbers the board has

    # For each cell, how many edges its path uses: 1 for a cell with a number, else 2. It is -1 for a solid.
    need: Bytes = unset_items("cells")
    # for each cell with a number: this number, counted from 0; for all other cells: -1
    number: Ints = unset_items("cells")

    # for each cell of the rotated or reflected board, its index on the original board
    cell: Ints = unset_items("cells")

    # for each number of the board, the number that replaces it on the rotated or reflected board; -1 if there
    # is none yet
    label: Ints = unset_items("labels")
    prover_board: ProverBoard
    found: FoundDrawings
    search: Search

    def __init__(self, rows: int, cols: int, solids: object, pairs: tuple, kind: int) -> None:
        cells, labels = rows * cols, len(pairs)
        make_fields(self, locals())
        self.rows, self.cols, self.kind, self.labels = rows, cols, kind, labels
        for cell in range(cells):
            self.need[cell], self.number[cell] = 2, -1
        for solid in solids:
            self.need[_checked_cell(cells, solid)] = -1
        for index in range(labels):
            pair = pairs[index]
            for end in (_checked_cell(cells, pair.first), _checked_cell(cells, pair.second)):
                self.need[end], self.number[end] = 1, index
        self.prover_board, self.found = ProverBoard(rows, cols), FoundDrawings(cells)
        self.prover_board.kind = kind
        self.search = Search(cells, cols, labels, _room_for_board(self.prover_board))

    def conflicts(self, turn: int, most: int) -> int:
        """Return how many conflicts it takes to prove that the rotated or reflected board has one solution.

        Args:
            turn: the rotation or reflection, in the form that ``turned_cell`` takes.
            most: the number of conflicts after which the proof is given up.
        """
        p, d, s = self.prover_board, self.found, self.search
        outcome: int = SearchOutcome.GAVE_UP
        spent, more = 0, 1
        with cython.nogil:
            _turn_board(self, p, turn)
            d.count = 0
            reset_search(s, p.cells, p.cols, self.labels, _room_for_board(p))
            s.sweeps = p.kind == DrawingKind.LOWEST
            begin_search(s, p, d)
            # If ``search_for_two`` gives up without having met a conflict, the array for clauses is full. To
            # call it again would then be useless.
            while outcome == SearchOutcome.GAVE_UP and more > 0 and spent < most:
                outcome, more = search_for_two(s, p, d, most - spent)
                spent += more
        return min(spent, most)


def _turn_board(proofs: FormProofs, p: ProverBoard, turn: int) -> None:
    """Set up a search of a rotation or reflection of the board.

    The puzzle's numbers are replaced by 0, 1, 2 and so on, in reading order. The search goes row by row, so
    short rows are better. If the board would be wider than high, its rows and columns are exchanged.

    Args:
        p: the board to search. This function sets its fields.
        turn: the rotation or reflection, in the form that ``turned_cell`` takes.
    """
    rows, cols, labels = proofs.rows, proofs.cols, 0
    transposed: bool = turn & TRANSPOSED != 0
    high, wide = (cols, rows) if transposed else (rows, cols)
    for cell in range(p.cells):
        proofs.cell[turned_cell(rows, cols, turn, cell)] = cell
    for number in range(proofs.labels):
        proofs.label[number] = -1
    is_wide: bool = wide > high
    reset_prover_board(p, wide if is_wide else high, high if is_wide else wide, proofs.kind)
    p.dead_corners = True
    for place in range(p.cells):
        cell = proofs.cell[place]
        number = proofs.number[cell]
        if number >= 0 and proofs.label[number] < 0:
            proofs.label[number] = labels
            labels += 1
        at = turned_cell(high, wide, TRANSPOSED, place) if is_wide else place
        p.need[at] = proofs.need[cell]
        p.label[at] = proofs.label[number] if number >= 0 else -1


@for_python
def colours_balance(rows: int, cols: int, solids: object, pairs: tuple) -> bool:
    """Return whether paths between the numbers can cover all free cells, judging by chessboard colours.

    A path whose ends have the same colour covers one more cell of that colour. Any other path covers equally
    many cells of both colours. If the result is False, no paths can cover all free cells.

    Args:
        solids: the solid cells.
        pairs: the pairs of numbers, each with its two cells as ``first`` and ``second``.
    """
    # Imagine the board coloured like a chessboard. ``free`` is the number of free cells that have the same
    # colour as the first cell of the board, minus the number of free cells of the other colour. ``ends`` is
    # the same difference for the cells with numbers.
    free, ends = (rows * cols) & 1, 0
    for solid in solids:
        free -= _colour(cols, solid)
    for pair in pairs:
        ends += _colour(cols, pair.first) + _colour(cols, pair.second)
    return 2 * free == ends


def _colour(cols: int, cell: int) -> int:
    return 1 - 2 * ((cell // cols + cell % cols) & 1)


@cython.cfunc
def _checked_cell(cells: int, cell: int) -> int:
    """Return ``cell`` if it is the index of a cell of the board; otherwise raise IndexError.

    The check is needed because the index may come from a record that was made on another machine. Compiled
    kernels don't check the indexes of arrays.
    """
    if not 0 <= cell < cells:
        raise IndexError(f"the board has no cell {cell}")
    return cell


def _choose_turn(search: DrawingSearch, rows: int, cols: int, rank: int) -> int:
    """Choose which rotation or reflection of the board to search, as a ``turn`` of ``turned_square``.

    The search goes row by row and is faster if rows are short, so only rotations and reflections that are not
    wider than high are used. A search that meets many numbers early has few choices. So the rotations and
    reflections are ranked by how early the numbers come in the order of the cells; the number of each pair
    that comes first counts twice. Rank 0 has the earliest numbers. The median of 200 boards of 63 to 150
    cells takes 30 µs in the rotation or reflection of rank 0, and 54 µs if the board is not turned. The best
    of the eight takes 24 µs, but nobody knows beforehand which one that is.
    """
    ends, lateness = search.ends, search.lateness
    for turn in range(8):
        lateness[turn] = 0
    for index in range(0, 2 * search.labels, 2):
        row, col = ends[index] // cols, ends[index] % cols
        other_row, other_col = ends[index + 1] // cols, ends[index + 1] % cols
        for turn in range(8):
            one = turned_square(rows, cols, turn, row, col)
            other = turned_square(rows, cols, turn, other_row, other_col)
            lateness[turn] += one + other + (one if one < other else other)
    for turn in range(8):
        is_wide: bool = rows != cols and (turn & TRANSPOSED == 0) != (rows > cols)
        lateness[turn] = _NEVER if is_wide else 8 * lateness[turn] + turn
    for turn in range(8):
        earlier = 0
        for other in range(8):
            if lateness[other] < lateness[turn]:
                earlier += 1
        if earlier == rank:
            break
    return turn


def room_for(cells: int, budget: int) -> int:
    """Return how many words of memory the clauses of a search may take. A word has 32 bits.

    The search gives up when all of these words are used.

    Args:
        cells: the number of cells to search.
        budget: how many conflicts the search may take.
    """
    words = _CONFLICT_WORDS * min(budget, _MOST_CONFLICTS)
    return 200 * cells + words * (_SWEEP_ROOM if budget > _LONG_BUDGET else 1) + 2000


def _room_for_board(p: ProverBoard) -> int:
    return room_for(p.cells, _MOST_CONFLICTS) * (_SWEEP_ROOM if p.kind == DrawingKind.LOWEST else 1)


def scan_for_two(s: Scan, p: ProverBoard, d: FoundDrawings, budget: int) -> tuple[int, int]:
    """Search for two drawings of a board depth first, without learning clauses.

    A drawing joins each pair of numbers by a path.

    Args:
        d: the drawings found so far, at most two. The search adds the drawings that it finds.
        budget: how many contradictions the search may meet.
    Returns:
        The outcome and the effort. The outcome is EXHAUSTED, FOUND or GAVE_UP. The effort is the number of
        contradictions, divided by CONTRADICTIONS. A clause-learning search with as many conflicts as this
        number would take about the same time.
    """
    met = 0
    if not begin_scan(s, p):
        return SearchOutcome.EXHAUSTED, 0
    while True:
        outcome, more = continue_scan(s, budget - met)
        met += more
        if outcome != SearchOutcome.FOUND:
            return outcome, met // CONTRADICTIONS
        drawing = d.first if d.count == 0 else d.second
        copy_drawing(s, p, drawing)
        if p.kind == DrawingKind.UNTOUCHING and _next_contact(p, d, drawing, 0) >= 0:
            continue
        if d.count == 0:
            d.count = 1
            if p.kind == DrawingKind.LOWEST and _has_detour(p, d):
                d.count = 2
        else:
            for cell in range(p.cells):
                if (d.first[cell] ^ d.second[cell]) & (DirectionBit.RIGHT | DirectionBit.DOWN):
                    d.count = 2
                    break
        if d.count == 2:
            return SearchOutcome.FOUND, met // CONTRADICTIONS


def begin_search(s: Search, p: ProverBoard, d: FoundDrawings) -> None:
    """Add the clauses that describe a board to a new search. If a drawing is known already, exclude it.

    A drawing joins each pair of numbers by a path.
    """
    add_board_clauses(s, p)
    if d.count == 1:
        exclude_drawing(s, d.first)


def search_for_two(s: Search, p: ProverBoard, d: FoundDrawings, budget: int) -> tuple[int, int]:
    """Search for two drawings of a board by clause learning, after ``begin_search``.

    A drawing joins each pair of numbers by a path.

    Args:
        d: the drawings found so far, at most two. The search adds the drawings that it finds.
        budget: how many conflicts the search may take.
    Returns:
        The outcome (EXHAUSTED, FOUND or GAVE_UP) and the number of conflicts.
    """
    spent = 0
    while d.count < 2:
        outcome, more = find_model(s, budget - spent)
        spent += more
        if outcome != SearchOutcome.FOUND:
            return outcome, spent
        drawing = d.first if d.count == 0 else d.second
        for cell in range(p.cells):
            drawing[cell], d.reached[cell] = _used_sides(s, cell), 0
        backtrack(s, 0)
        for cell in range(p.cells):
            if p.label[cell] >= 0 and d.reached[cell] == 0:
                _mark_path(p, drawing, cell, d.reached, 1)
        if p.kind != DrawingKind.LOWEST and _exclude_loop(s, p, d, drawing):
            spent += 1
            continue
        # If cells may stay empty, a closed loop through cells that are otherwise empty is no problem. Erase
        # it from the drawing.
        for cell in range(p.cells):
            if d.reached[cell] == 0:
                drawing[cell] = 0
        if p.kind == DrawingKind.UNTOUCHING and _exclude_contacts(s, p, d, drawing):
            spent += 1
            continue
        exclude_drawing(s, drawing)
        d.count += 1
        if p.kind == DrawingKind.LOWEST and d.count == 1 and _has_detour(p, d):
            d.count = 2
    return SearchOutcome.FOUND, spent


def _used_sides(s: Search, cell: int) -> int:
    """Return which edges of a cell are drawn in the solution that the search has just found.

    Returns:
        The sum of the ``DirectionBit`` values of these edges.
    """
    mask = 0
    for side in range(4):
        edge = side_edge(s.cols, cell, side)
        if edge >= 0:
            mask |= (1 if s.value[2 * edge] > 0 else 0) << side
    return mask


def _has_detour(p: ProverBoard, d: FoundDrawings) -> bool:
    """Return whether a path of the known drawing could take a detour through empty cells.

    A drawing joins each pair of numbers by a path. The search looks for two drawings of a board, and has
    found one (``d.first``). If a path can take a detour, store the drawing with this detour in ``d.second``.
    """
    first, detour, empty = d.first, d.detour, 0
    for cell in range(p.cells):
        if p.need[cell] == 2 and first[cell] == 0:
            empty += 1
    if empty == 0:
        return False
    for start in range(p.cells):
        if p.label[start] < 0:
            continue
        for cell in range(p.cells):
            detour[cell] = _EMPTY if p.need[cell] == 2 and first[cell] == 0 else _BLOCKED
        _mark_path(p, first, start, detour, _AHEAD)
        came, cell = -1, start
        while cell >= 0:
            detour[cell] = _BLOCKED
            if _find_detour_from(p, d, cell):
                return True
            came, cell = cell, _next_cell(p, first, cell, came)
    return False


def _find_detour_from(p: ProverBoard, d: FoundDrawings, start: int) -> bool:
    """Search for a detour from a cell of a path, through empty cells, to a later cell of the same path."""
    detour, queue, count = d.detour, d.queue, 1
    queue[0] = start
    while count > 0:
        count -= 1
        cell = queue[count]
        for side in range(4):
            beside = neighbour(p.rows, p.cols, cell, side)
            if beside >= 0 and detour[beside] == _EMPTY:
                detour[beside], queue[count] = cell, beside
                count += 1
            elif beside >= 0 and detour[beside] == _AHEAD and cell != start:
                _write_detour(p, d, start, cell, beside)
                return True
    return False


def _write_detour(p: ProverBoard, d: FoundDrawings, start: int, last: int, target: int) -> None:
    """Store a copy of the known drawing in ``d.second``, with one path rerouted through empty cells.

    A drawing joins each pair of numbers by a path.

    Args:
        start, target: the cells of the path between which it is rerouted.
        last: the last empty cell before ``target``. From it, ``d.detour`` leads back to ``start``.
    """
    for cell in range(p.cells):
        d.second[cell] = d.first[cell]
    came, cell = -1, start
    for side in range(4):
        beside = neighbour(p.rows, p.cols, start, side)
        if d.first[start] >> side & 1 and d.detour[beside] != _AHEAD:
            came = beside
    while cell != target:
        following = _next_cell(p, d.first, cell, came)
        _toggle_edge(p, d.second, cell, following)
        came, cell = cell, following
    while cell != start:
        _toggle_edge(p, d.second, last, cell)
        cell, last = last, d.detour[last]


def _toggle_edge(p: ProverBoard, drawing: Bytes, one: int, other: int) -> None:
    """Add the edge between two neighbours to a drawing if it is missing, or remove it if it is there."""
    for side in range(4):
        if neighbour(p.rows, p.cols, one, side) == other:
            drawing[one] ^= 1 << side
            drawing[other] ^= 1 << (3 - side)


def _next_cell(p: ProverBoard, drawing: Bytes, cell: int, came: int) -> int:
    """Return the cell that follows ``cell`` on a path; -1 at the end of the path.

    Args:
        came: the cell before ``cell`` on the path; -1 at the beginning of the path.
    """
    for side in range(4):
        beside = cell + step_to(p.cols, side)
        if drawing[cell] >> side & 1 and beside != came:
            return beside
    return -1


def _mark_path(p: ProverBoard, drawing: Bytes, start: int, marks: Ints, mark: int) -> None:
    """Mark all cells of the path that begins at a cell. If the cell is on a closed loop, mark the loop."""
    came, cell = -1, start
    while cell >= 0 and marks[cell] != mark:
        marks[cell] = mark
        came, cell = cell, _next_cell(p, drawing, cell, came)


def _next_contact(p: ProverBoard, d: FoundDrawings, drawing: Bytes, edge: int) -> int:
    """Return the first undrawn edge between two cells of the same path; -1 if there is none.

    At such an edge the path touches itself.

    Args:
        edge: the edge with which to begin; edges with lower numbers are skipped. A call with 0 also fills in
            ``d.path_label``, which later calls use.
    """
    label = d.path_label
    if edge == 0:
        for cell in range(p.cells):
            label[cell] = -1
        for start in range(p.cells):
            if p.label[start] >= 0:
                _mark_path(p, drawing, start, label, p.label[start])
    while edge < 2 * p.cells:
        cell, side = edge >> 1, Direction.DOWN if edge & 1 else Direction.RIGHT
        beside = neighbour(p.rows, p.cols, cell, side)
        if (
            beside >= 0
            and label[cell] >= 0
            and label[beside] == label[cell]
            and not drawing[cell] >> side & 1
        ):
            return edge
        edge += 1
    return -1


def _exclude_contacts(s: Search, p: ProverBoard, d: FoundDrawings, drawing: Bytes) -> bool:
    """Find where paths touch themselves in a drawing, and forbid that they do so there.

    A path touches itself where two of its cells are neighbours, but not joined. For each such pair of cells,
    a new clause requires that they are joined if both have the number of this path.

    Returns:
        Whether any path of the drawing touches itself.
    """
    edge = _next_contact(p, d, drawing, 0)
    touches: bool = edge >= 0
    while edge >= 0:
        require_joined(s, p, edge >> 1, edge & 1, d.path_label[edge >> 1])
        edge = _next_contact(p, d, drawing, edge + 1)
    return touches


def _exclude_loop(s: Search, p: ProverBoard, d: FoundDrawings, drawing: Bytes) -> bool:
    """Find a closed loop in a drawing, and add a clause that forbids the loop.

    The search may find edges that join each pair by a path, but also form closed loops elsewhere.

    Returns:
        False if the drawing has no closed loop; then no clause is added.
    """
    for start in range(p.cells):
        if p.need[start] > 0 and d.reached[start] == 0:
            _mark_path(p, drawing, start, d.reached, 2)
            for cell in range(p.cells):
                d.loop[cell] = drawing[cell] if d.reached[cell] == 2 else 0
            exclude_drawing(s, d.loop)
            return True
    return False


# If a board has at least this many cells, windows (rectangles of the board) are searched by clause learning
# with edges decided row by row. This order is called a sweep. It is used for drawings of the kind LOWEST. On
# boards of 10 × 10 with 8 pairs, 275 puzzles a second are made with sweeps and 190 without. The rates are
# 15.5 and 7.8 at 15 × 15 with 16 pairs, and 2.3 and 1.5 at 20 × 20 with 28 pairs. On smaller boards, sweeps
# are not used, because another order of decisions would change which puzzle a seed makes.
_SWEPT_CELLS: int = 100
# A depth-first search is given up after a certain number of contradictions. If it searches more cells than
# ``_FULLY_SCANNED_CELLS``, this number is divided by ``_SCAN_SHARE``. Up to this size, nearly all depth-first
# searches end with a result. On larger boards, few do: of 40 depth-first searches of whole boards of 20 × 20,
# only one ended with a result, but they took a seventh of the total time.
_FULLY_SCANNED_CELLS: int = 225
_SCAN_SHARE: int = 10


class Window(State):
    """A rectangle of a board, and the searches that look for a second way to draw the paths in it.

    Args:
        cells: the number of cells of the board.
        height, width: rows and columns of the largest window that will be searched.
        room: the size of the clause array for the largest search, in words of 32 bits.
    """

    top: int  # the first row of the board that belongs to the window (a rectangle of the board)
    left: int  # the first column of the board that belongs to the window (a rectangle of the board)
    height: int  # how many rows the window (a rectangle of the board) has
    width: int  # how many columns the window (a rectangle of the board) has
    kind: int  # the ``DrawingKind`` that says which drawings (ways to join all pairs by paths) count

    # A window (rectangle of the board) is searched in two steps: depth first, and then by clause learning.
    # This is how many contradictions the depth-first search may meet before clause learning takes over. If it
    # is 0, there is no depth-first search.
    scanned: int
    # how the window (a rectangle of the board) is rotated or reflected for the search, in the form
    # that ``turned_cell`` takes
    turn: int

    # The paths in the window (a rectangle of the board) are numbered from 0. For each path of the board: its
    # number in the window, or -1 if it has none yet.
    number: Ints = items("cells")
    # A search may have found a second way to draw the paths in the window, which is a rectangle of the board.
    # For each cell of the board: 1 if its edges in this second way differ from its present edges, else 0.
    differs: Bytes = items("cells")
    prover_board: ProverBoard
    scan: Scan
    search: Search
    drawings: FoundDrawings

    def __init__(self, cells: int, height: int, width: int, room: int) -> None:
        make_fields(self, locals())
        self.height, self.width = height, width
        self.prover_board, self.drawings = ProverBoard(height, width), FoundDrawings(height * width)
        # The window, a rectangle of the board, may be searched with its rows and columns exchanged. So the
        # arrays must have room for both shapes, each with a frame of extra cells around it. The shape with
        # fewer rows than columns takes more cells together with its frame, so arrays that are large enough
        # for it fit both.
        self.scan = Scan(min(height, width), max(height, width))
        # The third argument says how many different numbers the window can have at most. Each number takes
        # at least one cell, so there are never more numbers than cells.
        self.search = Search(height * width, width, height * width, room)


@for_python
def find_second_drawing(
    rows: int, cols: int, window: tuple, path_of: list, links: list, kind: int, budget: int
) -> tuple[int, int, list[int]]:
    """Search a window of a cover for a second drawing.

    A cover is a board divided into paths. A window is a rectangle of it. A second drawing is another way to
    draw the paths in the window, while the edges outside stay as they are.

    Args:
        rows, cols: the size of the board.
        path_of: for each cell of the board, the number of its path, from 0; -1 for a solid. Some numbers may
            be unused.
        links: for each cell of the board, the ``DirectionBit`` sum of its used edges.
        window: a tuple: the first row, the first column, the number of rows and of columns.
        kind: the kind of drawings that count, a ``DrawingKind``.
        budget: how many conflicts the search may take.
    Returns:
        Three values: EXHAUSTED (there is no second drawing), FOUND or GAVE_UP; the number of conflicts; and
        for each cell of the board, 1 if it has other edges in the second drawing, else 0.
    """
    top, left, height, width = window
    board, view = CoverBoard(rows, cols), Window(rows * cols, height, width, room_for(height * width, budget))
    for cell in range(rows * cols):
        board.path_of[cell], board.links[cell] = path_of[cell], links[cell]
    view.top, view.left, view.kind = top, left, kind
    with cython.nogil:
        outcome, spent = search_window(view, board, budget)
    return outcome, spent, [view.differs[cell] for cell in range(rows * cols)]


def search_window(window: Window, board: CoverBoard, budget: int) -> tuple[int, int]:
    """Search a window for a second drawing.

    A window is a rectangle of a board. A second drawing is another way to draw the paths in it, while
    everything outside stays the same. If there is a second drawing, the cells that have other edges in it are
    marked in ``window.differs``.

    Args:
        board: the board with the drawing that is known.
        budget: how many conflicts the search may take.
    Returns:
        The outcome and the number of conflicts. The outcome is EXHAUSTED (there is no second drawing), FOUND
        or GAVE_UP.
    """
    return _search_window(
        window, board, window.prover_board, window.scan, window.search, window.drawings, budget
    )


def _search_window(
    window: Window, board: CoverBoard, p: ProverBoard, scan: Scan, s: Search, d: FoundDrawings, budget: int
) -> tuple[int, int]:
    swept: bool = window.kind == DrawingKind.LOWEST and board.cells >= _SWEPT_CELLS
    window.turn = 0
    reset_prover_board(p, window.height, window.width, window.kind)
    if window.scanned > 0:
        _choose_window_turn(window, board, p)
    p.dead_corners, p.joins_neighbours = swept, swept and window.scanned > 0
    for index in range(p.cells):
        path = board.path_of[_board_cell(window, board, index)]
        if path >= 0:
            window.number[path] = -1
    labels = _copy_cover_part(window, board, p, d)
    if labels < 0:
        return SearchOutcome.EXHAUSTED, 0
    outcome: int = SearchOutcome.GAVE_UP
    spent, more = 0, 0
    if window.scanned > 0:
        most = window.scanned // (_SCAN_SHARE if p.cells > _FULLY_SCANNED_CELLS else 1)
        outcome, spent = scan_for_two(scan, p, d, min(most, CONTRADICTIONS * budget))
    if outcome == SearchOutcome.GAVE_UP:
        reset_search(s, p.cells, p.cols, labels, room_for(p.cells, budget))
        s.sweeps = swept
        s.alternates = swept and window.scanned == 0
        begin_search(s, p, d)
        outcome, more = search_for_two(s, p, d, budget - spent)
    if d.count == 2:
        for index in range(p.cells):
            if d.first[index] != d.second[index]:
                window.differs[_board_cell(window, board, index)] = 1
    return outcome, spent + more


def _choose_window_turn(window: Window, board: CoverBoard, p: ProverBoard) -> None:
    """Turn a window so that its search, which goes row by row, begins on the side with the most path ends.

    A window is a rectangle of the board. For each of its sides, the distances of the path ends from the side
    are squared and added; they are measured as shares of the window's height or width. The side with the
    smallest sum is chosen. 174 boards of 15 × 15 with 16 pairs take 1,810 conflicts on average if they are
    not turned, 1,090 with this choice, and 640 if the search begins on the side that turns out to be the best
    one for each board. After such a turn, the clause-learning search gains nothing by alternating between two
    orders of decisions, so it keeps to one order.
    """
    below, above, right, left = 0, 0, 0, 0
    last_row, last_col = p.rows - 1, p.cols - 1
    for index in range(p.cells):
        inside = _sides_inside(p, board.links[_board_cell(window, board, index)], index)
        if inside > 0 and inside & (inside - 1) == 0:
            row, col = index // p.cols, index % p.cols
            below += row * row
            above += (last_row - row) * (last_row - row)
            right += col * col
            left += (last_col - col) * (last_col - col)
    upright: cython.longlong = below if below < above else above
    across: cython.longlong = right if right < left else left
    if across * last_row * last_row < upright * last_col * last_col:
        window.turn = TRANSPOSED + (COLS_REVERSED if left < right else 0)
        reset_prover_board(p, window.width, window.height, window.kind)
    elif above < below:
        window.turn = ROWS_REVERSED


def _board_cell(window: Window, board: CoverBoard, index: int) -> int:
    """Return the cell of the board that corresponds to a cell of a window.

    A window is a rectangle of the board, which may be rotated or reflected.

    Args:
        index: the cell of the window.
    """
    place = turned_cell(window.prover_board.rows, window.prover_board.cols, window.turn, index)
    return (window.top + place // window.width) * board.cols + window.left + place % window.width


def _turned_sides(window: Window, mask: int) -> int:
    """Convert directions on the board to directions in a window.

    A window is a rectangle of the board, which may be rotated or reflected.

    Args:
        mask: the directions, as a ``DirectionBit`` sum.
    Returns:
        The converted directions, as a ``DirectionBit`` sum.
    """
    up, left, right, down = mask & 1, mask >> 1 & 1, mask >> 2 & 1, mask >> 3
    if window.turn & TRANSPOSED:
        up, left, right, down = left, up, down, right
    if window.turn & (ROWS_REVERSED | COLS_REVERSED):
        up, down = down, up
    return up + 2 * left + 4 * right + 8 * down


def _copy_cover_part(window: Window, board: CoverBoard, p: ProverBoard, d: FoundDrawings) -> int:
    """Prepare a search for a second drawing of the part of a board that lies inside a window.

    A window is a rectangle of the board. A second drawing is another way to draw the paths in it. The cells
    in the window become the board to search, in ``p``. The drawn edges in the window become the first
    drawing, in ``d``.

    Returns:
        How many different numbers there are in the window; -1 if no drawn edge lies inside it.
    """
    labels, edges = 0, 0
    d.count = 1
    for index in range(p.cells):
        cell = _board_cell(window, board, index)
        path, inside = board.path_of[cell], _sides_inside(p, _turned_sides(window, board.links[cell]), index)
        need = (inside & 1) + (inside >> 1 & 1) + (inside >> 2 & 1) + (inside >> 3 & 1)
        edges += need
        d.first[index] = inside
        p.need[index] = need if need > 0 and path >= 0 else -1
        p.label[index] = -1
        if p.need[index] == 1:
            if window.number[path] < 0:
                window.number[path] = labels
                labels += 1
            p.label[index] = window.number[path]
    return labels if edges > 0 else -1


def _sides_inside(p: ProverBoard, mask: int, index: int) -> int:
    """Return those edges of a cell that don't leave the window, which is a rectangle of the board.

    Args:
        mask: the edges of the cell, as a ``DirectionBit`` sum.
        index: the cell of the window.
    """
    for side in range(4):
        if neighbour(p.rows, p.cols, index, side) < 0:
            mask &= ~(1 << side)
    return mask
