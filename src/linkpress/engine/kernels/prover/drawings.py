"""The searches find up to two drawings of a board.

A board is two arrays by cell, row-major: ``need``, how many edges a square takes (1: an end; 2: any
other; -1: solid or left out), and ``label``, the number that stands there (0…k-1) or -1. A drawing
is, by cell, its ``DirectionBit`` sum, for its used edges.

Three kinds are asked for. FILLING: every square is covered. UNTOUCHING: besides, two squares of one path are
neighbours only where it joins them. LOWEST: squares without a label may stay
empty, but only drawings that are *lowest* are wanted, of which there is one whenever there is a drawing
with an empty square; ``proof`` says why that settles the strict rule. Among all drawings of a board take
one that covers fewest squares and, among these, one whose squares lie lowest (largest sum of
3 · row + col). Then

- no three edges of a 2 × 2 square are used: the path could be cut short;
- no valley has an empty floor: where a path comes down, runs right and goes up again, the squares
  between its two walls on the row above are not all empty, or it could be cut short along them;
- corners are propped: where a path turns from right to down, or from left to down, the square in
  the crook is an end, a solid or a corner of the same turn. It can't be empty, or the corner could
  be moved into it, which lies lower; and on another path it can't use the two edges to the corner's
  neighbours (three edges of a square), so it uses the other two. Such corners therefore stand in
  diagonal rows, each ending at an end or a solid: thin boards have few of them.

Nor does a path touch itself anywhere, so that neighbours of one number are joined; the search that learns
knows it of whole boards and of the windows of quick making.

A drawing without empty squares that nowhere runs alongside itself has all three properties: covered
squares make each corner of it propped, and in all four directions. So UNTOUCHING is asked with the first and
the last of them; what still touches itself, round other paths' ends, is excluded as it is found.

**One lowest drawing and no way round: no other drawing.** A drawing that lacks one of these properties has a
step that mends it: a turn or a valley is cut short, or a corner is moved into its empty crook. Each step
leaves a drawing that covers fewer squares, or as many that lie lower, so the steps end, at a drawing with all
three properties. So where a board has one lowest drawing, L, those of any other drawing end at L. Take
the last of them back: it leads a part of a path of L through squares that L leaves empty, a **way round**.
Where L has none, it is the only drawing; where it has one, that is a second drawing, and nobody need look
for a second lowest one. A search for any other drawing took 344 ms on average, and 17 s at worst, on 150
boards of 12 × 12 with endpoints moved; this takes 1.7 and 9 ms. The same holds where every path that touches
itself is cut short, as in ``scan``.

Of whole boards, and of the windows of large ones, it is also said at once which corners can't be propped,
because the diagonal down from their crook meets no end and no solid before the border. It follows from the
props, step by step, but only once both edges of the corner are drawn; so it rules out the second edge as
soon as the first is drawn. Windows of small boards do without: what is said there decides which drawing is
found first, and so every puzzle made.

Tried with glucose4, by activity, on 12 to 34 hand-made boards of 15 × 15, and not taken up: a variable for
each corner (a tenth fewer conflicts), corners propped toward the nearest border or from the middle rows, a
drawing that lies low at the cost of length instead of valleys, and a clause that some square is empty. None
was clearly faster there.

Tried in a sweep, on 18 such boards that take 4,200 conflicts in the middle and 5,500 on average, and not
taken up for want of time saved: a label bit for each number with squares of one number joined where they
are neighbours (13 % fewer, each dearer), and no empty square between two squares of one number beyond that
(2 % more); the parity of the lines crossed on each row as variables; the known drawing's edges tried first
(a third more); learnt clauses shrunk level by level (15 % shorter). Props toward the border or the middle
took many times as long. Of the eight ways to turn a board the best takes half the time, but nothing seen
beforehand tells which. A table of what crosses each row, instead of a search, holds 20,000 to 2 million
entries a row; a depth-first search that learns nothing takes ten times as long. With all squares covered
the same boards take some 40 conflicts: nearly all work is on drawings that leave squares empty. Of those
the ones that cover most squares (no edge with two empty squares beside it, corners propped as here),
instead of fewest, took more than forty times the conflicts.
"""

from linkpress.engine.kernels.glossary import Direction, DirectionBit, DrawingKind, SearchOutcome
from linkpress.engine.kernels.grid import neighbour, side_edge
from linkpress.engine.kernels.prover.clauses import Question, exclude_drawing, join_neighbours, pose_question
from linkpress.engine.kernels.prover.learning import find_model
from linkpress.engine.kernels.prover.scan import Scan, pose_scan, scan_on, write_drawing
from linkpress.engine.kernels.prover.search import Search, go_back
from linkpress.engine.kernels.pure_python import Bytes, Ints, State, items, make_fields

# Words that a conflict allowed adds to the arena, and how many conflicts at most add any.
_CONFLICT_WORDS: int = 64
CONFLICTS_MOST: int = 6250
# A sweep's room, in times of another search's: it keeps most of what it learns. So has a window that may
# take more than so many conflicts.
SWEEP_ROOM: int = 10
_LONG: int = 100_000
# Contradictions of a scan that take as long as a conflict.
CONTRADICTIONS: int = 8
# Squares in the look for a way round: not yet reached, in the way, and further ahead on the path.
_EMPTY: int = -1
_NO_WAY: int = -2
_AHEAD: int = -3


class FoundDrawings(State):
    """This is what has been found, ``count`` drawings of two, and what is being looked at.

    With ``count`` 0 again it serves another board, of as many cells or fewer.
    """

    count: int  # drawings there are
    first: Bytes = items("cells")  # by cell: the first drawing, once there is one
    second: Bytes = items("cells")  # by cell: the second
    loop: Bytes = items("cells")  # by cell: a closed loop's edges as a drawing has them
    reached: Ints = items("cells")  # by cell: 1 on a path from a number, 2 on the loop, 0 on none
    way: Ints = items("cells")  # by cell: _EMPTY, _NO_WAY, _AHEAD, or whence this empty one was reached
    label: Ints = items("cells")  # by cell: the label of the path through it
    waiting: Ints = items("cells")  # cells to look round from

    def __init__(self, cells: int) -> None:
        make_fields(self, locals())


def scan_two(s: Scan, q: Question, d: FoundDrawings, budget: int) -> tuple[int, int]:
    """Fill ``d`` by a scan, of at most so many contradictions.

    Returns:
        EXHAUSTED, FOUND or GAVE_UP, and what was spent, in conflicts of the other search.
    """
    met = 0
    if not pose_scan(s, q):
        return SearchOutcome.EXHAUSTED, 0
    while True:
        outcome, more = scan_on(s, budget - met)
        met += more
        if outcome != SearchOutcome.FOUND:
            return outcome, met // CONTRADICTIONS
        drawing = d.first if d.count == 0 else d.second
        write_drawing(s, q, drawing)
        if q.kind == DrawingKind.UNTOUCHING and _next_touch(q, d, drawing, 0) >= 0:
            continue
        if d.count == 0:
            d.count = 1
            if q.kind == DrawingKind.LOWEST and _has_way_round(q, d):
                d.count = 2
        else:
            for cell in range(q.cells):
                if (d.first[cell] ^ d.second[cell]) & (DirectionBit.RIGHT | DirectionBit.DOWN):
                    d.count = 2
                    break
        if d.count == 2:
            return SearchOutcome.FOUND, met // CONTRADICTIONS


def room_for(cells: int, budget: int) -> int:
    """Return how many words of clauses a question about so many cells may have; it is given up beyond."""
    words = _CONFLICT_WORDS * min(budget, CONFLICTS_MOST)
    return 200 * cells + words * (SWEEP_ROOM if budget > _LONG else 1) + 2000


def pose_search(s: Search, q: Question, d: FoundDrawings) -> None:
    """Give a fresh search a question, and the drawing that is known, if there is one."""
    pose_question(s, q)
    if d.count == 1:
        exclude_drawing(s, d.first)


def search_on(s: Search, q: Question, d: FoundDrawings, budget: int) -> tuple[int, int]:
    """Fill ``d`` by a search that was posed; return EXHAUSTED, FOUND or GAVE_UP, and conflicts spent."""
    spent = 0
    while d.count < 2:
        outcome, more = find_model(s, budget - spent)
        spent += more
        if outcome != SearchOutcome.FOUND:
            return outcome, spent
        drawing = d.first if d.count == 0 else d.second
        for cell in range(q.cells):
            drawing[cell], d.reached[cell] = _mask(s, cell), 0
        go_back(s, 0)
        for cell in range(q.cells):
            if q.label[cell] >= 0 and d.reached[cell] == 0:
                _mark_path(q, drawing, cell, d.reached, 1)
        if q.kind != DrawingKind.LOWEST and _exclude_loop(s, q, d, drawing):
            spent += 1
            continue
        for cell in range(q.cells):
            if d.reached[cell] == 0:
                drawing[cell] = 0
        if q.kind == DrawingKind.UNTOUCHING and _exclude_touches(s, q, d, drawing):
            spent += 1
            continue
        exclude_drawing(s, drawing)
        d.count += 1
        if q.kind == DrawingKind.LOWEST and d.count == 1 and _has_way_round(q, d):
            d.count = 2
    return SearchOutcome.FOUND, spent


def _has_way_round(q: Question, d: FoundDrawings) -> bool:
    """Tell whether a part of a path of the first drawing can run through empty squares instead.

    Then the drawing where it does is the second.
    """
    first, way, empty = d.first, d.way, 0
    for cell in range(q.cells):
        if q.need[cell] == 2 and first[cell] == 0:
            empty += 1
    if empty == 0:
        return False
    for start in range(q.cells):
        if q.label[start] < 0:
            continue
        for cell in range(q.cells):
            way[cell] = _EMPTY if q.need[cell] == 2 and first[cell] == 0 else _NO_WAY
        _mark_path(q, first, start, way, _AHEAD)
        came, cell = -1, start
        while cell >= 0:
            way[cell] = _NO_WAY
            if _finds_way(q, d, cell):
                return True
            came, cell = cell, onward(q, first, cell, came)
    return False


def _finds_way(q: Question, d: FoundDrawings, start: int) -> bool:
    """Look from a square of a path through empty squares for one further ahead; lead the path there."""
    way, waiting, count = d.way, d.waiting, 1
    waiting[0] = start
    while count > 0:
        count -= 1
        cell = waiting[count]
        for side in range(4):
            there = neighbour(q.rows, q.cols, cell, side)
            if there >= 0 and way[there] == _EMPTY:
                way[there], waiting[count] = cell, there
                count += 1
            elif there >= 0 and way[there] == _AHEAD and cell != start:
                _lead_round(q, d, start, cell, there)
                return True
    return False


def _lead_round(q: Question, d: FoundDrawings, start: int, last: int, target: int) -> None:
    """Make the second drawing: the first, but from ``start`` by the way by ``last`` to ``target``."""
    for cell in range(q.cells):
        d.second[cell] = d.first[cell]
    came, cell = -1, start
    for side in range(4):
        there = neighbour(q.rows, q.cols, start, side)
        if d.first[start] >> side & 1 and d.way[there] != _AHEAD:
            came = there
    while cell != target:
        there = onward(q, d.first, cell, came)
        change_edge(q, d.second, cell, there)
        came, cell = cell, there
    while cell != start:
        change_edge(q, d.second, last, cell)
        cell, last = last, d.way[last]


def change_edge(q: Question, drawing: Bytes, one: int, other: int) -> None:
    """Draw the edge between two neighbours, or rub it out."""
    for side in range(4):
        if neighbour(q.rows, q.cols, one, side) == other:
            drawing[one] ^= 1 << side
            drawing[other] ^= 1 << (3 - side)


def onward(q: Question, drawing: Bytes, cell: int, came: int) -> int:
    """Return the square to which a path leads on; -1 at its end."""
    for side in range(4):
        if drawing[cell] >> side & 1 and neighbour(q.rows, q.cols, cell, side) != came:
            return neighbour(q.rows, q.cols, cell, side)
    return -1


def _mask(s: Search, cell: int) -> int:
    mask = 0
    for side in range(4):
        edge = side_edge(s.cols, cell, side)
        if edge >= 0 and s.value[2 * edge] > 0:
            mask |= 1 << side
    return mask


def _mark_path(q: Question, drawing: Bytes, start: int, marks: Ints, mark: int) -> None:
    """Mark the squares of a path from its end, or of the loop through a square."""
    came, cell = -1, start
    while cell >= 0 and marks[cell] != mark:
        marks[cell] = mark
        came, cell = cell, onward(q, drawing, cell, came)


def _next_touch(q: Question, d: FoundDrawings, drawing: Bytes, edge: int) -> int:
    """Return the first edge, from one on, that is not drawn between two squares of one path; -1 for none.

    With 0 for the edge ``d.label`` is written first. Every square is covered.
    """
    label = d.label
    if edge == 0:
        for cell in range(q.cells):
            label[cell] = -1
        for start in range(q.cells):
            if q.label[start] >= 0:
                _mark_path(q, drawing, start, label, q.label[start])
    while edge < 2 * q.cells:
        cell, side = edge >> 1, Direction.DOWN if edge & 1 else Direction.RIGHT
        there = neighbour(q.rows, q.cols, cell, side)
        if there >= 0 and label[cell] >= 0 and label[there] == label[cell] and not drawing[cell] >> side & 1:
            return edge
        edge += 1
    return -1


def _exclude_touches(s: Search, q: Question, d: FoundDrawings, drawing: Bytes) -> bool:
    """Demand that neighbours on one path are joined, of those that a drawing left apart; False for none."""
    edge = _next_touch(q, d, drawing, 0)
    touches: bool = edge >= 0
    while edge >= 0:
        join_neighbours(s, q, edge >> 1, edge & 1, d.label[edge >> 1])
        edge = _next_touch(q, d, drawing, edge + 1)
    return touches


def _exclude_loop(s: Search, q: Question, d: FoundDrawings, drawing: Bytes) -> bool:
    """Forbid a closed loop of a model found; False when it has none."""
    for start in range(q.cells):
        if q.need[start] > 0 and d.reached[start] == 0:
            _mark_path(q, drawing, start, d.reached, 2)
            for cell in range(q.cells):
                d.loop[cell] = drawing[cell] if d.reached[cell] == 2 else 0
            exclude_drawing(s, d.loop)
            return True
    return False
