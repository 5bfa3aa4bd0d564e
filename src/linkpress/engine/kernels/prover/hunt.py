"""A hunt looks for the drawings of a whole board, from the side that promises most."""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.engine.kernels.prover.clauses import Question
from linkpress.engine.kernels.prover.drawings import (
    CONFLICTS_MOST,
    CONTRADICTIONS,
    SWEEP_ROOM,
    FoundDrawings,
    change_edge,
    onward,
    pose_search,
    room_for,
    scan_two,
    search_on,
)
from linkpress.engine.kernels.prover.scan import Scan
from linkpress.engine.kernels.prover.search import Search
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields, unset_items

# What a turn is the sum of: what changes places, what turns round then.
TRANSPOSED: int = 1
ROWS_REVERSED: int = 2
COLS_REVERSED: int = 4
# Later than ends can come: for turns that are not taken.
_NEVER: int = 1 << 30


class Hunt(State):
    """A hunt looks for two drawings of a board, and can be gone on with.

    Args:
        solids: their cells.
        pairs: the numbers, each with its two cells as ``first`` and ``second``.
        kind: FILLING, LOWEST or UNTOUCHING; of LOWEST the second drawing may be a way round in the first.
        scanned: contradictions that a scan may meet before the search that learns is asked.
        known: paths, by their ``cells``, that make a drawing which is given and not to be found again; none
            where there is none.
        rank: how the board lies while it is searched, as ``_choose_turn`` says; nobody else sees it so. With
            -1 neighbours are not joined: stars count the conflicts, and are what they were.
    Raises:
        IndexError: a solid, an end or a path lies outside the board.
    """

    question: Question  # the board
    found: FoundDrawings  # the answer
    search: Search  # what learns; None until it is needed
    place: Ints = unset_items("cells")  # by cell of the board: where it lies in the question
    cell: Ints = unset_items("cells")  # by cell of the question: which one of the board it is
    ends: Ints = unset_items("2 * labels")  # the two cells of each number, one number after the other
    labels: int  # how many numbers there are
    late: Ints = items("8")  # by turn: how late the ends come
    scanned: int  # contradictions that a scan may meet; 0 once it is over

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
        cells, labels = rows * cols, len(pairs)
        make_fields(self, locals())
        self.labels, self.scanned = labels, scanned
        for index in range(labels):
            pair = pairs[index]
            self.ends[2 * index] = _checked(cells, pair.first)
            self.ends[2 * index + 1] = _checked(cells, pair.second)
        turn = _choose_turn(self, rows, cols, rank)
        transposed: bool = turn & TRANSPOSED != 0
        q, d = Question(cols if transposed else rows, rows if transposed else cols), FoundDrawings(cells)
        q.kind = kind
        q.dead_corners, q.joins = True, kind == DrawingKind.LOWEST and rank >= 0
        for cell in range(cells):
            place = turned_cell(rows, cols, turn, cell)
            self.place[cell], self.cell[place] = place, cell
            q.need[cell], q.label[cell] = 2, -1
        for solid in solids:
            q.need[self.place[_checked(cells, solid)]] = -1
        for index in range(2 * labels):
            end: int = self.place[self.ends[index]]
            q.need[end], q.label[end] = 1, index // 2
        for path in known:
            d.count, way = 1, path.cells
            for index in range(len(way) - 1):
                one, other = _checked(cells, way[index]), _checked(cells, way[index + 1])
                change_edge(q, d.first, self.place[one], self.place[other])
        self.question, self.found, self.search = q, d, None

    def go_on(self, budget: int, by_turns: bool) -> tuple[int, int]:
        """Look until there are two drawings, or no more, or so many conflicts were met.

        Args:
            by_turns: whether a sweep takes turns with a search by activity from now on.
        Returns:
            EXHAUSTED (no more), FOUND (two) or GAVE_UP; conflicts spent, of which a loop that had to be
            excluded counts as one.
        """
        q, d = self.question, self.found
        outcome: int = SearchOutcome.GAVE_UP
        spent, more = 0, 0
        if min(self.scanned, budget) > 0:
            scan, most = Scan(q.rows, q.cols), min(self.scanned, CONTRADICTIONS * budget)
            with cython.nogil:
                outcome, spent = scan_two(scan, q, d, most)
            self.scanned = 0
        if outcome != SearchOutcome.GAVE_UP:
            return outcome, spent
        if self.search is None:
            sweeps: bool = q.kind == DrawingKind.LOWEST
            room = room_for(q.cells, CONFLICTS_MOST) * (SWEEP_ROOM if sweeps else 1)
            self.search = Search(q.cells, q.cols, self.labels, room)
            self.search.sweeps = sweeps
            pose_search(self.search, q, d)
        s = self.search
        s.turns = by_turns
        with cython.nogil:
            outcome, more = search_on(s, q, d, budget - spent)
        return outcome, spent + more

    def drawings(self) -> list[list[tuple[int, ...]]]:
        """List the drawings there are now, two at most, the known one first: the cells of each number's path.

        A path begins at its number's first end.

        Raises:
            AssertionError: the search is at fault.
        """
        d = self.found
        return [self._paths(d.first if index == 0 else d.second) for index in range(d.count)]

    @cython.cfunc
    def _paths(self, drawing: Bytes) -> list:
        q, d, paths = self.question, self.found, []
        for cell in range(q.cells):
            d.reached[cell] = 0
        for number in range(self.labels):
            path: list = []
            first, last = self.ends[2 * number], self.ends[2 * number + 1]
            came, cell = -1, self.place[first]
            while cell >= 0:
                if d.reached[cell]:
                    raise AssertionError("the search returned a drawing whose paths meet")
                path.append(self.cell[cell])
                d.reached[cell] = 1
                came, cell = cell, onward(q, drawing, cell, came)
            if path[len(path) - 1] != last:
                raise AssertionError("the search returned a drawing that does not join two ends")
            paths.append(tuple(path))
        return paths


@cython.cfunc
def _checked(cells: int, cell: int) -> int:
    """Return a cell of the board; a record that another machine sent may say anything."""
    if not 0 <= cell < cells:
        raise IndexError(f"the board has no cell {cell}")
    return cell


def _choose_turn(hunt: Hunt, rows: int, cols: int, rank: int) -> int:
    """Choose the turn of a rank among those with no more columns than rows; for -1 as it stands, or lying.

    The most promising turn, of rank 0, is the one in which numbers stand earliest in the order of the board,
    the first of each two above all: a search that begins among numbers has few ways to go on. The middle
    board of 200 from 63 to 150 squares takes 30 µs so and 54 as it stands; the best of its eight turns, which
    nobody knows beforehand, takes 24.
    """
    if rank < 0:
        return 0 if rows >= cols else TRANSPOSED
    ends, late = hunt.ends, hunt.late
    for index in range(0, 2 * hunt.labels, 2):
        row, col = ends[index] // cols, ends[index] % cols
        other_row, other_col = ends[index + 1] // cols, ends[index + 1] % cols
        for turn in range(8):
            one = turned_square(rows, cols, turn, row, col)
            other = turned_square(rows, cols, turn, other_row, other_col)
            late[turn] += one + other + (one if one < other else other)
    for turn in range(8):
        lies: bool = rows != cols and (turn & TRANSPOSED == 0) != (rows > cols)
        late[turn] = _NEVER if lies else 8 * late[turn] + turn
    for turn in range(8):
        sooner = 0
        for other in range(8):
            if late[other] < late[turn]:
                sooner += 1
        if sooner == rank:
            break
    return turn


def turned_cell(rows: int, cols: int, turn: int, cell: int) -> int:
    """Return where a cell of a board lies when the board is turned, as ``turned_square`` says."""
    return turned_square(rows, cols, turn, cell // cols, cell % cols)


def turned_square(rows: int, cols: int, turn: int, row: int, col: int) -> int:
    """Return which cell a square is when its board is turned.

    Args:
        rows, cols: of the board before.
        turn: the sum of 1 where rows and columns change places, then 2 where the rows' order turns round and
            4 where the columns' does.
    """
    if turn & TRANSPOSED:
        row, col = col, row
        rows, cols = cols, rows
    if turn & ROWS_REVERSED:
        row = rows - 1 - row
    if turn & COLS_REVERSED:
        col = cols - 1 - col
    return row * cols + col
