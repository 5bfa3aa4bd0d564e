"""Numbering of cells, edges, sides and literals, and all codes that the kernels share.

This module is plain Python and cheap to import, so other modules can use it too.

**Cells** of a board of rows × cols are numbered row by row: ``cell = row * cols + col``.

**Edges** join neighbouring cells. Edge ``2 * cell`` leads right from a cell, edge ``2 * cell + 1`` leads
down. So ``edge >> 1`` is the left or upper cell of an edge. Edges that would leave the board have numbers
too, but can never be drawn.

**Sides** of a cell are 0 up, 1 left, 2 right, 3 down (``Direction``), so the opposite of a side is ``3 -
side``. A set of sides, such as the drawn edges of a cell, is a sum of 1, 2, 4 and 8 (bit ``1 << side``,
``DirectionBit``).

**Literals** of the clause-learning search: ``2 * v`` says that variable v is true, ``2 * v + 1`` that it is
false. ``lit ^ 1`` is the opposite, ``lit >> 1`` the variable. Variables are the edges, by their numbers,
followed by the label bits of the cells (``prover/cdcl``).

**Settled edges** in lists: ``edge + 1`` if the edge is drawn, ``-(edge + 1)`` if it is ruled out.

**Numbers** of the puzzle: the prover counts pairs from 0 and uses -1 for no number. The ladder identifies a
pair by 1 + its first cell, and uses 0 for no number.

The prover visits the edges of a cell in the order right, down, left, up. The order of its clauses decides
which drawing it finds first. So a change of that order would change every puzzle that a seed makes.
Everywhere else the order of ``Direction`` is used.
"""

from __future__ import annotations

from enum import IntEnum


class Direction(IntEnum):
    """Directions from a cell to its neighbours."""

    UP = 0
    LEFT = 1
    RIGHT = 2
    DOWN = 3


class DirectionBit(IntEnum):
    """Bits for sets of directions; a set is the sum of its bits."""

    UP = 1
    LEFT = 2
    RIGHT = 4
    DOWN = 8


class EdgeState(IntEnum):
    """What is known about an edge."""

    OPEN = 0
    DRAWN = 1
    RULED_OUT = 2


class FindingKind(IntEnum):
    """What a technique has found out: an edge is drawn, an edge is ruled out, or a cell has a certain number.

    A cell has the number of the pair whose path goes through it. The first two kinds have the same values as
    in ``EdgeState``, so that either can be used for an edge.
    """

    DRAWN = EdgeState.DRAWN
    RULED_OUT = EdgeState.RULED_OUT
    NUMBERED = 3


class Reason(IntEnum):
    """Why a deduction of the ladder of techniques holds.

    A cause is recorded with most deductions; the comment at each member says which. An exit of a cell is an
    edge that its path may still use.
    """

    ALL_EXITS = 1  # The cell needs all its exits, so this edge is drawn. The recorded cause is the cell.

    # The edge would join two different numbers, so it is ruled out. The recorded cause is one of its two
    # cells, the one that was examined.
    CLASH = 2
    # The edge would close a loop, so it is ruled out. The recorded cause is one of its two cells, the
    # one that was examined.
    LOOP = 3
    # No two of the cell's other exits can be used together, so this edge is drawn. The recorded
    # cause is the cell.
    FORK = 4

    # Without this edge, the two lines of a pair could not meet, so it is drawn. The pair's number is recorded
    # as the cause.
    CUT_OFF = 5
    # Every possible path of a pair goes through the cell, so the cell gets the pair's number. This number is
    # recorded as the cause.
    MUST_PASS = 6
    NOBODY_USES = 7  # No pair's path can use the edge, so it is ruled out. No cause is recorded.

    # Only one pair's path can reach the cell and leave it again, so the cell gets the pair's number. This
    # number is recorded as the cause.
    ONLY_ONE_REACHES = 8
    # A count of the lines through a gap (``ladder/gaps``), by the two colours of a chessboard, decides
    # whether the edge is drawn. The recorded cause is the gap.
    BY_TILT = 9
    # The lines that must cross a gap (``ladder/gaps``) fill its cells. So no edge that joins two cells of the
    # gap can be drawn. The recorded cause is the gap.
    WITHIN_GAP = 10
    # The lines that must cross a gap (``ladder/gaps``) leave no room for other lines, so the edge is ruled
    # out. The recorded cause is the gap.
    OTHERS_CROSS = 11
    # A count of the lines through a gap (``ladder/gaps``) decides whether the edge is drawn. The recorded
    # cause is the gap.
    BY_ROOM = 12
    # The edge is drawn because the lines through its two cells belong to the same number, and no path may run
    # beside itself. One of the two cells is recorded as the cause.
    SIDE_BY_SIDE = 13
    # With this edge, a path would run beside itself, so the edge is ruled out. The recorded cause is one of
    # its two cells, the one that was examined.
    BESIDE_ITSELF = 14
    # No possible path through a cell uses the edge, so it is ruled out. The recorded cause is the cell.
    NO_WAY_USES = 15
    # Every possible path through a cell uses the edge, so it is drawn. The recorded cause is the cell.
    EVERY_WAY_USES = 16

    # Two of the four edges between the cells of a 2 × 2 square are drawn, and this edge would be the third. A
    # path through three of them runs beside itself. The recorded cause is one of the edge's two cells, the
    # one that was examined.
    TURNS_BACK = 18
    # The cell gets a number because no other number's path can reach it without crossing a path.
    # No cause is recorded.
    IN_ORDER = 17

    # Supposing the opposite leads to a contradiction. The number of rounds until the contradiction is
    # recorded as the cause: 0 if it appears at once, -1 if rounds were not counted.
    REFUTED = 20


class Contradiction(IntEnum):
    """How a board turns out to be impossible while it is solved with the ladder of techniques.

    Each contradiction is recorded together with the edge, the cell or the pair's number that it concerns.
    """

    NONE = 0
    AT_EDGE = 1  # An edge can be neither drawn nor ruled out. The edge is recorded.
    PAIR_CUT_OFF = 2  # The two lines of a pair can't meet. The pair's number is recorded.
    UNREACHED = 3  # No path can reach a cell and leave it again. The cell is recorded.
    UNFILLED = 4  # Some cells can't all be filled. One of these cells is recorded.

    # No path can go through a cell without running beside itself. The cell is recorded.
    NO_WAY_THROUGH = 5
    CROSSED = 6  # Paths would have to cross. The number of a pair whose path must cross is recorded, or 0.


class TechniqueCode(IntEnum):
    """Codes of the solving techniques. They never change, and their order is not the order of difficulty."""

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
    """How an attempt to solve a board with the ladder of techniques ends."""

    FINISHED = 0
    STUCK = 1
    CONTRADICTED = 2  # the board can't be filled by paths


class DrawingKind(IntEnum):
    """Kinds of drawings that a search counts. Every drawing joins each pair by a path of its own."""

    FILLING = 0  # the paths cover every free cell
    LOWEST = 1  # cells may stay empty, but only the lowest drawings count (see ``prover/drawings``)
    UNTOUCHING = 2  # the paths cover every free cell, and none touches itself


class SearchOutcome(IntEnum):
    """Result of a search for a drawing of a board."""

    EXHAUSTED = 0  # there is no drawing, or none besides the known drawing
    FOUND = 1
    GAVE_UP = 2  # the search used up its budget without a result


class ShapingOutcome(IntEnum):
    """Result of an attempt to make a cover (a board divided into paths)."""

    DONE = 0  # the paths of the cover are the only solution of its puzzle
    UNREPAIRED = 1  # the repair made no progress, so it is better to make a new cover
    UNDECIDED = 2  # the search of the whole board for a second solution was given up
    SHAPELESS = 3  # the random walk did not reach the required number of paths


class StyleFigure(IntEnum):
    """Figures that measure the style of a cover (a board divided into paths), in thousandths."""

    BENDS = 0  # the number of bends, divided by the number of free cells
    FEW_TURNS = 1  # this figure is the share of paths with at most one bend
    DIRECT = 2  # the share of paths without a detour

    # the mean, over all paths, of the distance between a path's two ends divided by its number of steps
    STRAIGHTNESS = 3
    NESTS = 4  # the mean number of bends in a diagonal row of nested bends
    BORDER = 5  # the share of numbers on the border, relative to an even spread over the board

    # the share of numbers in the ring just inside the border, relative to an even spread over the board
    SECOND_RING = 6
    BESIDE = 7  # how often two numbers are neighbours, divided by the count of numbers
    DIAGONAL = 8  # how often two numbers are diagonal neighbours, divided by the count of numbers
    KNIGHT = 9  # how often two numbers are a knight's move apart, divided by the count of numbers
    UNEVEN = 10  # how unevenly the numbers are spread over the four quarters of the board
    EMPTY_LINES = 11  # the share of rows and columns without a number
    APART = 12  # the mean distance between the two numbers of a pair
    SHORTEST = 13  # the length of the shortest path, relative to the mean length
    LONGEST = 14  # the length of the longest path, relative to the mean length
    COPIED_LINES = 15  # the share of path steps whose mirror image is a path step too
    COPIED_PAIRS = 16  # the share of pairs whose mirror image is a pair too
    FIGURES = 17  # the number of figures above
