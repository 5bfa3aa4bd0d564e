"""Find up to two drawings of a board, to decide whether it has exactly one.

**Board.** Two arrays by cell, row by row: ``need`` is the number of edges of a cell (1 for a number, 2 for
any other cell, -1 for a solid or a cell left out); ``label`` is its number, counted from 0, or -1. A drawing
is the ``DirectionBit`` sum of the used edges of each cell.

**Kinds of drawings.** FILLING: every cell is covered. UNTOUCHING: also, two cells of one path are neighbours
only where the path joins them. LOWEST: cells without a number may stay empty, but only *lowest* drawings
count. If a board has a drawing with an empty cell at all, it has a lowest one. ``prove/proof`` explains why
that settles the rule *strict*.

Of all drawings of a board, take those that cover the fewest cells. Of these, take one whose cells lie lowest
(with the largest sum of 3 · row + col). It has three properties, which define a lowest drawing:

- No three edges of a 2 × 2 square are used. Otherwise the path could be cut short.
- No valley has an empty floor. A valley is a path that comes down, runs right and goes up again; its floor is
  the cells between, on the row above. If all of them are empty, the path could be cut short along them.
- Corners are supported. Where a path turns from right to down or from left to down, the cell diagonally
  inside the corner is a number, a solid, or a corner of the same turn. It can't be empty, because the corner
  could be moved into it, which lies lower. It can't be on another path in any other way, because that would
  use three edges of a 2 × 2 square. So these corners form diagonal rows, each of which ends at a number or a
  solid. Boards with few numbers have few of them.

A path of a lowest drawing never touches itself, so neighbours with the same number are joined. The
clause-learning search uses this for whole boards and for the windows of quick making.

A drawing that covers every cell and never touches itself also has the first and the third property, the third
even in all four directions. So an UNTOUCHING question requires these two. Other contacts of a path with
itself, around the ends of other paths, are excluded when a drawing with them is found.

**Detours.** If a drawing lacks one of the three properties, a small change repairs it: cut a path short, or
move a corner into an empty cell. Every change leaves a drawing with fewer cells, or with as many that lie
lower. So the changes end, at a lowest drawing. Suppose that a board has a single lowest drawing. The changes
of any other drawing end there, and undoing the last change leads a part of one of its paths through cells
that are empty in it: a *detour*. So if there is no detour, the lowest drawing is the only drawing. If there
is one, it is a second drawing, and no second lowest drawing need be searched for. On 150 boards of 12 × 12
with some numbers moved, a search for any other drawing took 344 ms on average and 17 s at most; this takes
1.7 and 9 ms.

**Dead corners.** A corner can't be supported if the diagonal inside it meets no number and no solid before
the border. For whole boards, and for windows of large boards, such corners are ruled out from the start.
Windows of small boards do without, because that would change which drawing is found first, and so every
puzzle made.
"""

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.glossary import Direction, DirectionBit, DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import TRANSPOSED, neighbour, side_edge, turned_cell, turned_square
from linkpress.engine.kernels.prover.cdcl import Search, backtrack, find_model
from linkpress.engine.kernels.prover.clauses import Question, add_question, exclude_drawing, require_joined
from linkpress.engine.kernels.prover.scan import Scan, begin_scan, continue_scan, copy_drawing
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields, unset_items

# Words of the clause array for each conflict of the budget, and the conflicts from which it grows no more.
_CONFLICT_WORDS: int = 64
_MOST_CONFLICTS: int = 6250
# A sweep keeps most of what it learns, so its clause array is this many times as large. So is the array of a
# window whose budget is above _LONG_BUDGET conflicts.
_SWEEP_ROOM: int = 10
_LONG_BUDGET: int = 100_000
# Contradictions of a scan that take as long as one conflict.
CONTRADICTIONS: int = 8
# Marks of cells while a detour is searched for; any other value is the cell before on the detour.
_EMPTY: int = -1
_BLOCKED: int = -2
_AHEAD: int = -3
# The lateness of forms that must not be chosen; larger than any other.
_NEVER: int = 1 << 30


class FoundDrawings(State):
    """The drawings found so far, ``count`` of at most two, and work space to examine them.

    With ``count`` set back to 0 it can be used for another board with as many cells or fewer.
    """

    count: int
    first: Bytes = items("cells")  # by cell: the first drawing, if there is one
    second: Bytes = items("cells")  # by cell: the second drawing, if there is one
    loop: Bytes = items("cells")  # by cell: the ``DirectionBit`` sum of its edges on a closed loop
    reached: Ints = items("cells")  # by cell: 1 on a path from a number, 2 on the loop, else 0
    detour: Ints = items("cells")  # by cell: _EMPTY, _BLOCKED, _AHEAD, or the cell before it on the detour
    path_label: Ints = items("cells")  # by cell: the number of the path through it
    queue: Ints = items("cells")  # cells whose neighbours are still to be visited

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


class DrawingSearch(State):
    """Search for two drawings of a whole board, which can be continued.

    Args:
        solids: the cells of the solids.
        pairs: the numbers, each with its two cells as ``first`` and ``second``.
        kind: FILLING, LOWEST or UNTOUCHING. For LOWEST the second drawing may be a detour in the first.
        scanned: contradictions that the depth-first search may meet before the clause-learning search begins.
        known: the paths, by their ``cells``, of a drawing that is already known; empty if there is none.
        rank: which rotation or reflection of the board is searched: 0 for the most promising one, then 1 and
            so on (``_choose_turn``). With -1 the board stays upright and neighbours are not joined, because
            stars depend on the number of conflicts and must not change.
    Raises:
        IndexError: a solid, number or path lies outside the board.
    """

    question: Question
    found: FoundDrawings
    search: Search  # the clause-learning search; None until it is needed
    place: Ints = unset_items("cells")  # by cell of the board: its cell in the question
    cell: Ints = unset_items("cells")  # by cell of the question: which cell of the board it is
    ends: Ints = unset_items("2 * labels")  # the two cells of each number, one number after the other
    labels: int  # how many numbers there are
    lateness: Ints = items("8")  # by rotation or reflection: how late numbers come in the order of the board
    scanned: int  # contradictions that the depth-first search may meet; 0 once it has ended

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
            self.ends[2 * index] = _checked_cell(cells, pair.first)
            self.ends[2 * index + 1] = _checked_cell(cells, pair.second)
        turn = _choose_turn(self, rows, cols, rank)
        transposed: bool = turn & TRANSPOSED != 0
        q, d = Question(cols if transposed else rows, rows if transposed else cols), FoundDrawings(cells)
        q.kind = kind
        q.dead_corners, q.joins_neighbours = True, kind == DrawingKind.LOWEST and rank >= 0
        for cell in range(cells):
            place = turned_cell(rows, cols, turn, cell)
            self.place[cell], self.cell[place] = place, cell
            q.need[cell], q.label[cell] = 2, -1
        for solid in solids:
            q.need[self.place[_checked_cell(cells, solid)]] = -1
        for index in range(2 * labels):
            end: int = self.place[self.ends[index]]
            q.need[end], q.label[end] = 1, index // 2
        for path in known:
            d.count, path_cells = 1, path.cells
            for index in range(len(path_cells) - 1):
                one = _checked_cell(cells, path_cells[index])
                other = _checked_cell(cells, path_cells[index + 1])
                _toggle_edge(q, d.first, self.place[one], self.place[other])
        self.question, self.found, self.search = q, d, None

    def go_on(self, budget: int, alternates: bool) -> tuple[int, int]:
        """Search until there are two drawings or no more, or for ``budget`` conflicts.

        Args:
            alternates: whether to alternate between both orders of decisions from now on (``cdcl``).
        Returns:
            EXHAUSTED (there are no more drawings), FOUND (there are two) or GAVE_UP; and the conflicts spent.
            A closed loop that had to be excluded counts as one conflict.
        """
        q, d = self.question, self.found
        outcome: int = SearchOutcome.GAVE_UP
        spent, more = 0, 0
        if min(self.scanned, budget) > 0:
            scan, most = Scan(q.rows, q.cols), min(self.scanned, CONTRADICTIONS * budget)
            with cython.nogil:
                outcome, spent = scan_for_two(scan, q, d, most)
            self.scanned = 0
        if outcome != SearchOutcome.GAVE_UP:
            return outcome, spent
        if self.search is None:
            sweeps: bool = q.kind == DrawingKind.LOWEST
            room = room_for(q.cells, _MOST_CONFLICTS) * (_SWEEP_ROOM if sweeps else 1)
            self.search = Search(q.cells, q.cols, self.labels, room)
            self.search.sweeps = sweeps
            begin_search(self.search, q, d)
        s = self.search
        s.alternates = alternates
        with cython.nogil:
            outcome, more = search_for_two(s, q, d, budget - spent)
        return outcome, spent + more

    def drawings(self) -> list[list[tuple[int, ...]]]:
        """List the drawings found so far, two at most, the known one first.

        Returns:
            For each drawing and each number, the cells of its path from the number's first cell.
        Raises:
            AssertionError: the search has returned something that is not a drawing.
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
                came, cell = cell, _next_cell(q, drawing, cell, came)
            if path[len(path) - 1] != last:
                raise AssertionError("the search returned a drawing that does not join two ends")
            paths.append(tuple(path))
        return paths


@cython.cfunc
def _checked_cell(cells: int, cell: int) -> int:
    """Return a cell if it is on the board. A record from another machine may contain any number."""
    if not 0 <= cell < cells:
        raise IndexError(f"the board has no cell {cell}")
    return cell


def _choose_turn(search: DrawingSearch, rows: int, cols: int, rank: int) -> int:
    """Choose a rotation or reflection of the board for the search, as ``turned_square`` numbers them.

    The search goes row by row, so only forms with no more columns than rows are used. The most promising form
    (rank 0) is the one whose numbers come earliest, above all the first number of each pair: a search that
    begins among numbers has few choices. The median of 200 boards of 63 to 150 cells takes 30 µs in this form
    and 54 µs unturned; the best of the eight forms, which nobody knows beforehand, takes 24 µs.
    """
    if rank < 0:
        return 0 if rows >= cols else TRANSPOSED
    ends, lateness = search.ends, search.lateness
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
    """Return how many words of clauses a search of a window may have; it gives up when they are full.

    Args:
        budget: the conflicts allowed.
    """
    words = _CONFLICT_WORDS * min(budget, _MOST_CONFLICTS)
    return 200 * cells + words * (_SWEEP_ROOM if budget > _LONG_BUDGET else 1) + 2000


def scan_for_two(s: Scan, q: Question, d: FoundDrawings, budget: int) -> tuple[int, int]:
    """Search for two drawings depth first, without learning.

    Args:
        d: the known drawing, if there is one; the drawings found are added.
        budget: the contradictions allowed.
    Returns:
        EXHAUSTED, FOUND or GAVE_UP; and what was spent, converted to conflicts of the clause-learning search.
    """
    met = 0
    if not begin_scan(s, q):
        return SearchOutcome.EXHAUSTED, 0
    while True:
        outcome, more = continue_scan(s, budget - met)
        met += more
        if outcome != SearchOutcome.FOUND:
            return outcome, met // CONTRADICTIONS
        drawing = d.first if d.count == 0 else d.second
        copy_drawing(s, q, drawing)
        if q.kind == DrawingKind.UNTOUCHING and _next_contact(q, d, drawing, 0) >= 0:
            continue
        if d.count == 0:
            d.count = 1
            if q.kind == DrawingKind.LOWEST and _has_detour(q, d):
                d.count = 2
        else:
            for cell in range(q.cells):
                if (d.first[cell] ^ d.second[cell]) & (DirectionBit.RIGHT | DirectionBit.DOWN):
                    d.count = 2
                    break
        if d.count == 2:
            return SearchOutcome.FOUND, met // CONTRADICTIONS


def begin_search(s: Search, q: Question, d: FoundDrawings) -> None:
    """Add a question to a fresh clause-learning search, and exclude the known drawing if there is one."""
    add_question(s, q)
    if d.count == 1:
        exclude_drawing(s, d.first)


def search_for_two(s: Search, q: Question, d: FoundDrawings, budget: int) -> tuple[int, int]:
    """Search for two drawings by clause learning, after ``begin_search``; the drawings are added to ``d``.

    Returns:
        EXHAUSTED, FOUND or GAVE_UP; and the conflicts spent.
    """
    spent = 0
    while d.count < 2:
        outcome, more = find_model(s, budget - spent)
        spent += more
        if outcome != SearchOutcome.FOUND:
            return outcome, spent
        drawing = d.first if d.count == 0 else d.second
        for cell in range(q.cells):
            drawing[cell], d.reached[cell] = _used_sides(s, cell), 0
        backtrack(s, 0)
        for cell in range(q.cells):
            if q.label[cell] >= 0 and d.reached[cell] == 0:
                _mark_path(q, drawing, cell, d.reached, 1)
        if q.kind != DrawingKind.LOWEST and _exclude_loop(s, q, d, drawing):
            spent += 1
            continue
        # Free loops don't matter where cells may stay empty: erase them.
        for cell in range(q.cells):
            if d.reached[cell] == 0:
                drawing[cell] = 0
        if q.kind == DrawingKind.UNTOUCHING and _exclude_contacts(s, q, d, drawing):
            spent += 1
            continue
        exclude_drawing(s, drawing)
        d.count += 1
        if q.kind == DrawingKind.LOWEST and d.count == 1 and _has_detour(q, d):
            d.count = 2
    return SearchOutcome.FOUND, spent


def _used_sides(s: Search, cell: int) -> int:
    """Return the ``DirectionBit`` sum of a cell's used edges."""
    mask = 0
    for side in range(4):
        edge = side_edge(s.cols, cell, side)
        if edge >= 0 and s.value[2 * edge] > 0:
            mask |= 1 << side
    return mask


def _has_detour(q: Question, d: FoundDrawings) -> bool:
    """Return whether part of a path of the first drawing can run through empty cells instead.

    The drawing with this detour is written as the second drawing.
    """
    first, detour, empty = d.first, d.detour, 0
    for cell in range(q.cells):
        if q.need[cell] == 2 and first[cell] == 0:
            empty += 1
    if empty == 0:
        return False
    for start in range(q.cells):
        if q.label[start] < 0:
            continue
        for cell in range(q.cells):
            detour[cell] = _EMPTY if q.need[cell] == 2 and first[cell] == 0 else _BLOCKED
        _mark_path(q, first, start, detour, _AHEAD)
        came, cell = -1, start
        while cell >= 0:
            detour[cell] = _BLOCKED
            if _find_detour_from(q, d, cell):
                return True
            came, cell = cell, _next_cell(q, first, cell, came)
    return False


def _find_detour_from(q: Question, d: FoundDrawings, start: int) -> bool:
    """Search from a cell of a path, through empty cells, for a cell further ahead on the same path."""
    detour, queue, count = d.detour, d.queue, 1
    queue[0] = start
    while count > 0:
        count -= 1
        cell = queue[count]
        for side in range(4):
            beside = neighbour(q.rows, q.cols, cell, side)
            if beside >= 0 and detour[beside] == _EMPTY:
                detour[beside], queue[count] = cell, beside
                count += 1
            elif beside >= 0 and detour[beside] == _AHEAD and cell != start:
                _write_detour(q, d, start, cell, beside)
                return True
    return False


def _write_detour(q: Question, d: FoundDrawings, start: int, last: int, target: int) -> None:
    """Write the second drawing: the first one, with a path rerouted through empty cells.

    Args:
        start, target: the cells of the path between which it is rerouted.
        last: the last empty cell before ``target``; ``d.detour`` leads back from there.
    """
    for cell in range(q.cells):
        d.second[cell] = d.first[cell]
    came, cell = -1, start
    for side in range(4):
        beside = neighbour(q.rows, q.cols, start, side)
        if d.first[start] >> side & 1 and d.detour[beside] != _AHEAD:
            came = beside
    while cell != target:
        following = _next_cell(q, d.first, cell, came)
        _toggle_edge(q, d.second, cell, following)
        came, cell = cell, following
    while cell != start:
        _toggle_edge(q, d.second, last, cell)
        cell, last = last, d.detour[last]


def _toggle_edge(q: Question, drawing: Bytes, one: int, other: int) -> None:
    """Add the edge between two neighbours to a drawing, or remove it."""
    for side in range(4):
        if neighbour(q.rows, q.cols, one, side) == other:
            drawing[one] ^= 1 << side
            drawing[other] ^= 1 << (3 - side)


def _next_cell(q: Question, drawing: Bytes, cell: int, came: int) -> int:
    """Return the cell after ``cell`` on a path that came from ``came``; -1 at the end of the path."""
    for side in range(4):
        if drawing[cell] >> side & 1 and neighbour(q.rows, q.cols, cell, side) != came:
            return neighbour(q.rows, q.cols, cell, side)
    return -1


def _mark_path(q: Question, drawing: Bytes, start: int, marks: Ints, mark: int) -> None:
    """Mark all cells of the path that begins at a cell, or of the closed loop through it."""
    came, cell = -1, start
    while cell >= 0 and marks[cell] != mark:
        marks[cell] = mark
        came, cell = cell, _next_cell(q, drawing, cell, came)


def _next_contact(q: Question, d: FoundDrawings, drawing: Bytes, edge: int) -> int:
    """Return the first edge, from ``edge`` on, where a path of a filling touches itself; -1 if there is none.

    It lies between two cells of the path and is not drawn. A call with edge 0 first computes
    ``d.path_label``.
    """
    label = d.path_label
    if edge == 0:
        for cell in range(q.cells):
            label[cell] = -1
        for start in range(q.cells):
            if q.label[start] >= 0:
                _mark_path(q, drawing, start, label, q.label[start])
    while edge < 2 * q.cells:
        cell, side = edge >> 1, Direction.DOWN if edge & 1 else Direction.RIGHT
        beside = neighbour(q.rows, q.cols, cell, side)
        if (
            beside >= 0
            and label[cell] >= 0
            and label[beside] == label[cell]
            and not drawing[cell] >> side & 1
        ):
            return edge
        edge += 1
    return -1


def _exclude_contacts(s: Search, q: Question, d: FoundDrawings, drawing: Bytes) -> bool:
    """Require a joining edge wherever a path of a drawing touches itself; return False if none does."""
    edge = _next_contact(q, d, drawing, 0)
    touches: bool = edge >= 0
    while edge >= 0:
        require_joined(s, q, edge >> 1, edge & 1, d.path_label[edge >> 1])
        edge = _next_contact(q, d, drawing, edge + 1)
    return touches


def _exclude_loop(s: Search, q: Question, d: FoundDrawings, drawing: Bytes) -> bool:
    """Forbid a closed loop of a model; return False if it has none."""
    for start in range(q.cells):
        if q.need[start] > 0 and d.reached[start] == 0:
            _mark_path(q, drawing, start, d.reached, 2)
            for cell in range(q.cells):
                d.loop[cell] = drawing[cell] if d.reached[cell] == 2 else 0
            exclude_drawing(s, d.loop)
            return True
    return False
