"""Numbering of cells, edges, sides and literals, and all codes that the kernels share.

This module is plain Python and cheap to import, so other modules can use it too.

**Cells.** The cells of a board of rows × cols are numbered row by row: ``cell = row * cols + col``.

**Edges.** An edge joins two neighbouring cells. Edge ``2 * cell`` leads right from a cell, edge ``2 * cell +
1`` leads down. So ``edge >> 1`` is the left or upper cell of an edge. Edges that would leave the board have
numbers too, but can never be drawn.

**Sides.** The sides of a cell are 0 up, 1 left, 2 right, 3 down (``Direction``), so the opposite of a side is
``3 - side``. A set of sides, such as the drawn edges of a cell, is a sum of 1, 2, 4 and 8 (bit ``1 << side``,
``DirectionBit``).

**Literals.** In the clause-learning search, literal ``2 * v`` says that variable v is true, and ``2 * v + 1``
says that it is false. ``lit ^ 1`` is the opposite literal, ``lit >> 1`` is the variable. The edges are
variables, with their own numbers. The label bits of the cells are the variables after them (``prover/cdcl``).

**Settled edges.** In lists of integers, a drawn edge is stored as ``edge + 1``, and an edge that is ruled out
as ``-(edge + 1)``.

**Numbers of the puzzle.** The modules in ``prover`` count the pairs from 0, and use -1 for a cell without a
number. The modules in ``ladder`` identify a pair by 1 + its first cell, and use 0 if no number is known.

**Order of directions.** The modules in ``prover`` visit the edges of a cell in the order right, down, left,
up. The order of the clauses decides which drawing is found first. So another order would change every puzzle
that a seed makes. All other modules use the order of ``Direction``.
"""

from __future__ import annotations

from enum import IntEnum


class Direction(IntEnum):
    """Directions from a cell to its four neighbours."""

    UP = 0
    LEFT = 1
    RIGHT = 2
    DOWN = 3


class DirectionBit(IntEnum):
    """Bits for sets of directions. A set is stored as the sum of its bits."""

    UP = 1
    LEFT = 2
    RIGHT = 4
    DOWN = 8


class EdgeState(IntEnum):
    """Whether an edge is drawn, is ruled out, or is still open."""

    OPEN = 0
    DRAWN = 1
    RULED_OUT = 2


class FindingKind(IntEnum):
    """Kinds of findings of a solving technique.

    An edge is drawn, an edge is ruled out, or a cell has a number. A cell has the number of the pair whose
    path goes through it. DRAWN and RULED_OUT have the same values as in ``EdgeState``, so a kind of finding
    about an edge can also be used as the state of the edge.
    """

    DRAWN = EdgeState.DRAWN
    RULED_OUT = EdgeState.RULED_OUT
    NUMBERED = 3


class Reason(IntEnum):
    """Why a deduction of the solving ladder holds.

    The solving ladder is a list of the techniques that people use. With each deduction, a cause is recorded;
    the comment at each member says what the cause is. An exit of a cell is an edge that its path may still
    use.
    """

    # Why an edge is drawn: the cell needs all the edges that its path may still use. The cell is recorded
    # as the cause.
    ALL_EXITS = 1

    # Why an edge is ruled out: it would join two different numbers. The recorded cause is the cell that was
    # being examined, which is one of the edge's two cells.
    CLASH = 2
    # Why an edge is ruled out: it would close a loop. The recorded cause is the cell that was being examined,
    # which is one of the edge's two cells.
    LOOP = 3
    # Why an edge of a cell is drawn: the path through the cell uses two of the cell's edges, and no two edges
    # other than this one can be used together. The cell is recorded as the cause.
    FORK = 4

    # Why an edge is drawn: without it, no path could join the two numbers of a pair. The pair's number is
    # recorded as the cause.
    CUT_OFF = 5
    # Why a cell gets the number of a pair: every possible path of the pair goes through the cell. The pair's
    # number is recorded as the cause.
    MUST_PASS = 6
    # Why an edge is ruled out: there is no pair whose path can use it. The left or upper cell of the edge is
    # recorded as the cause.
    NOBODY_USES = 7

    # Why a cell gets the number of a pair: no other pair's path can reach the cell and leave it again. The
    # pair's number is recorded as the cause.
    ONLY_ONE_REACHES = 8
    # Why an edge between a gap and an area beside it is drawn or ruled out. A gap is a narrow place between
    # walls (``ladder/gaps``). The lines that must pass the gap were counted separately for the two colours of
    # a chessboard. The gap is recorded as the cause.
    BY_TILT = 9
    # Why an edge between two cells of a gap is ruled out. A gap is a narrow place between walls
    # (``ladder/gaps``). Here, every cell of the gap is needed by lines that must cross it, so no line can run
    # along the gap. The gap is recorded as the cause.
    WITHIN_GAP = 10
    # Why an edge between a gap and an area beside it is ruled out. A gap is a narrow place between walls
    # (``ladder/gaps``). The lines that must cross the gap leave no room for another line. The gap is recorded
    # as the cause.
    OTHERS_CROSS = 11
    # Why an edge between a gap and an area beside it is drawn or ruled out. A gap is a narrow place between
    # walls (``ladder/gaps``). The lines that must pass the gap were counted. If the area needs all the edges
    # to the gap that are left, they are drawn. If the gap has no room for another line, they are ruled out.
    # The gap is recorded as the cause.
    BY_ROOM = 12
    # Why an edge is drawn: the lines through its two cells belong to the same pair. If they were not joined
    # here, the path would run beside itself, which is forbidden. The recorded cause is the cell that was
    # being examined, which is one of the edge's two cells.
    SIDE_BY_SIDE = 13
    # Why an edge is ruled out: with it, a path would run beside itself. The recorded cause is the cell that
    # was being examined, which is one of the edge's two cells.
    BESIDE_ITSELF = 14
    # Why an edge of a cell is ruled out: no possible path through the cell uses the edge. The cell is
    # recorded as the cause.
    NO_WAY_USES = 15
    # Why an edge of a cell is drawn: every possible path through the cell uses the edge. The cell is recorded
    # as the cause.
    EVERY_WAY_USES = 16

    # Why an edge is ruled out: it is one of the four edges that join the cells of a 2 × 2 square, and two of
    # the others are drawn already. A path through three of them would run beside itself. The recorded cause
    # is the cell that was being examined, which is one of the edge's two cells.
    TURNS_BACK = 18
    # Why a cell gets a number: to reach the cell, the path of any other number would have to cross a path.
    # The number is recorded as the cause.
    IN_ORDER = 17

    # Why a finding holds: a technique supposed its opposite and met a contradiction. The number of rounds of
    # deduction until then is recorded as the cause: 0 if the contradiction appears at once, -1 if the rounds
    # were not counted.
    REFUTED = 20


class Contradiction(IntEnum):
    """Kinds of contradictions, which show that a board has no solution.

    A contradiction is met while the board is solved with the ladder of human techniques. It is recorded
    together with the edge, the cell or the pair's number that it concerns.
    """

    NONE = 0
    AT_EDGE = 1  # Contradiction: an edge can be neither drawn nor ruled out. The edge is recorded with it.

    # Contradiction: the two numbers of a pair can't be joined. The pair's number is recorded with it.
    PAIR_CUT_OFF = 2

    # Contradiction: no path can reach a certain cell and leave it again. The cell is recorded with it.
    UNREACHED = 3

    # Contradiction: there are cells that no paths can fill. One of these cells is recorded with it.
    UNFILLED = 4

    # Contradiction: no path can go through a certain cell without running beside itself. The cell is
    # recorded with it.
    NO_WAY_THROUGH = 5
    # Contradiction: the paths of two pairs would have to cross, and the number of one of them is recorded
    # with it. Or there is a cell that no path can reach without crossing another path. Then 0 is recorded.
    CROSSED = 6


class TechniqueCode(IntEnum):
    """Codes of the solving techniques. A code never changes. Easier techniques need not have lower codes."""

    EXITS = 1
    CLASH = 2
    TURN = 3
    TOUCH = 4
    CUT_OFF = 5
    CORNER = 6
    LOOK_AHEAD = 7
    DIAGONAL = 8
    ORDER = 9
    GAP = 10
    WHAT_IF = 11
    CHAIN = 12
    LONG_CHAIN = 13
    BALANCE = 14
    WALLS = 15
    NESTED = 16
    NARROWS = 17


class ClimbOutcome(IntEnum):
    """Outcome of an attempt to solve a board with the ladder of human techniques."""

    FINISHED = 0
    STUCK = 1
    CONTRADICTED = 2  # the board can't be filled by paths


class DrawingKind(IntEnum):
    """Kinds of drawings that a search counts.

    In a drawing, each pair of numbers is joined by a path of its own.
    """

    FILLING = 0  # the paths cover every free cell

    # A drawing may leave cells empty, but only *lowest* drawings count. A drawing is lowest if two kinds of
    # small changes are impossible in it: making a path shorter, or moving a corner of a path into an empty
    # cell in the row below. The module ``prover/drawings`` has the exact definition.
    LOWEST = 1
    UNTOUCHING = 2  # the paths cover every free cell, and no path touches itself


class SearchOutcome(IntEnum):
    """Result of a search for a drawing of a board. A drawing joins each pair of numbers by a path."""

    EXHAUSTED = 0  # the pairs can't be joined by paths, or only in the way that is already known
    FOUND = 1
    GAVE_UP = 2  # the search used up its budget before it could decide


class ShapingOutcome(IntEnum):
    """Result of an attempt to make a cover (a board divided into paths)."""

    DONE = 0  # the paths of the cover are the only solution of its puzzle

    # The repair has changed the paths as often as it may, or has used up the work that it was allowed. But
    # the paths are still not the only solution. So it is better to begin again with other paths.
    UNREPAIRED = 1
    UNDECIDED = 2  # the search of the whole board for a second solution used up its budget
    SHAPELESS = 3  # the random walk did not meet the requirements, such as the number of paths


class StyleFigure(IntEnum):
    """Figures that measure the style of a path cover, which divides a board into paths.

    The value of each member is the index of the figure in a list of all figures. The lists contain integers:
    a figure of 0.25 is stored as 250.
    """

    BENDS = 0  # the number of bends, divided by the number of free cells
    FEW_TURNS = 1  # the share of paths with at most one bend

    # the share of paths without a detour; such a path is as short as a path between its two ends can be
    DIRECT = 2
    # The mean, over all paths, of the distance between a path's two ends, divided by the number of
    # the path's steps.
    STRAIGHTNESS = 3
    # Bends of paths can lie inside one another, in a row along a diagonal. This figure is the mean number of
    # bends in such a row.
    NESTS = 4
    # This figure is the share of the numbers that lie on the border, divided by the share that would lie
    # there if the numbers were spread evenly over the board.
    BORDER = 5
    # The share of the numbers that lie in the ring just inside the border, divided by the share that would
    # lie there if the numbers were spread evenly over the board.
    SECOND_RING = 6
    # the count of pairs of neighbouring cells that both have a number, divided by the count of all cells
    # with a number
    BESIDE = 7
    # the count of pairs of diagonal neighbours that both have a number, divided by the count of all cells
    # with a number
    DIAGONAL = 8
    # the count of pairs of cells that both have a number and are a knight's move apart, divided by the count
    # of all cells with a number
    KNIGHT = 9
    # how unevenly the numbers are spread over the four quarters of the board; 0 if all quarters have
    # equally many numbers
    UNEVEN = 10
    EMPTY_LINES = 11  # the share of rows and columns that have no number
    APART = 12  # the mean distance between the two numbers of a pair, in cells
    SHORTEST = 13  # the length of the shortest path, divided by the mean length of all paths
    LONGEST = 14  # the length of the longest path, divided by the mean length of all paths

    # How symmetric the paths are. The figure is the share of path steps that are mapped by a symmetry onto
    # path steps. The symmetry is the one that the numbers must have, if that is a half turn or a reflection.
    # On all other boards, it is a half turn.
    COPIED_LINES = 15
    # How symmetric the pairs of numbers are. The figure is the share of pairs whose two cells are mapped by a
    # symmetry onto the two cells of one pair. The symmetry is the one that the numbers must have, if that is
    # a half turn or a reflection. On all other boards, it is a half turn.
    COPIED_PAIRS = 16
    FIGURES = 17  # the number of figures; this member is not a figure itself
