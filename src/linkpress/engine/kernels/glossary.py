"""Numbering of cells, edges, sides and literals, and all codes that the kernels share.

Plain Python that is cheap to import for every other module too.

**Cells** of a board of rows × cols are numbered row by row: ``cell = row * cols + col``.

**Edges** join neighbouring cells. Edge ``2 * cell`` leads right from a cell, edge ``2 * cell + 1`` leads
down. The smaller cell of an edge is ``edge >> 1``. Edges that would leave the board have numbers too, and are
never open.

**Sides** of a cell are 0 up, 1 left, 2 right, 3 down (``Direction``), so the opposite of a side is ``3 -
side``. A set of sides, such as the drawn edges of a cell, is a sum of 1, 2, 4 and 8 (bit ``1 << side``,
``DirectionBit``).

**Literals** of the clause-learning search: ``2 * v`` says that variable v is true, ``2 * v + 1`` that it is
false. ``lit ^ 1`` is the opposite, ``lit >> 1`` the variable. Variables are the edges, by their numbers,
followed by the label bits of the cells (``prover/cdcl``).

**Settled edges** in lists: ``edge + 1`` if the edge is drawn, ``-(edge + 1)`` if it is ruled out.

**Numbers** of the puzzle: the prover counts pairs from 0 and uses -1 for none. The ladder identifies a pair
by its first endpoint, as 1 + that cell, and uses 0 for none.

The prover visits the edges of a cell in the order right, down, left, up. The order of its clauses decides
which drawing it finds first, and so every puzzle that was ever made. Everywhere else the order of
``Direction`` is used.
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
    """Kinds of findings on the ladder: an edge is drawn or ruled out, or a cell has a known number."""

    DRAWN = EdgeState.DRAWN
    RULED_OUT = EdgeState.RULED_OUT
    NUMBERED = 3


class Reason(IntEnum):
    """Why a deduction of the ladder holds. Each comment ends with the cause that is recorded with it, if any.

    An exit of a cell is an edge that its path may still use.
    """

    ALL_EXITS = 1  # the cell needs all of its exits; cause: that cell
    CLASH = 2  # the edge would join two different numbers; cause: the cell that it leaves
    LOOP = 3  # the edge would close a loop; cause: the cell that it leaves
    FORK = 4  # no two of the cell's other exits can be used together; cause: that cell
    CUT_OFF = 5  # the two lines of a number would be cut off from each other; cause: that number
    MUST_PASS = 6  # every path of a number passes the cell; cause: that number
    NOBODY_USES = 7  # no number can use the edge
    ONLY_ONE_REACHES = 8  # only one number can reach the cell and leave it; cause: that number
    BY_TILT = 9  # counting lines through a gap by colours settles the edge; cause: the gap (``ladder/gaps``)
    WITHIN_GAP = 10  # lines need a whole gap, so no edge within it is drawn; cause: the gap (``ladder/gaps``)
    OTHERS_CROSS = (
        11  # the lines that must cross a gap leave no room for others; cause: the gap (``ladder/gaps``)
    )
    BY_ROOM = 12  # counting lines through a gap settles the edge; cause: the gap (``ladder/gaps``)
    SIDE_BY_SIDE = 13  # the edge leads to the cell's own number; cause: the cell that it leaves
    BESIDE_ITSELF = 14  # a path would run beside itself; cause: the cell that the edge leaves
    NO_WAY_USES = 15  # no path through a cell can use the edge; cause: that cell
    EVERY_WAY_USES = 16  # every path through a cell uses the edge; cause: that cell
    TURNS_BACK = 18  # it would be the third edge of a 2 × 2 square; cause: the cell that it leaves
    IN_ORDER = 17  # no other number gets there without crossing a path
    REFUTED = 20  # the opposite failed; cause: after how many rounds, 0 at once, -1 not counted


class Contradiction(IntEnum):
    """How a board contradicts itself on the ladder. Each comment ends with the place that is recorded."""

    NONE = 0
    AT_EDGE = 1  # an edge can be neither drawn nor ruled out; place: that edge
    PAIR_CUT_OFF = 2  # the two lines of a number can't meet; place: that number
    UNREACHED = 3  # no number can reach a cell and leave it again; place: that cell
    UNFILLED = 4  # some cells can't all be filled; place: one of them
    NO_WAY_THROUGH = 5  # no path can pass a cell without running beside itself; place: that cell
    CROSSED = 6  # a path would have to cross another one; place: the number of that path


class TechniqueCode(IntEnum):
    """Codes of the techniques. They never change, and say nothing about the order of difficulty."""

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
    """How solving a board with the ladder of techniques ends."""

    FINISHED = 0
    STUCK = 1
    CONTRADICTED = 2  # the board has no filling


class DrawingKind(IntEnum):
    """Which drawings a search counts. Every drawing joins all pairs by disjoint simple paths."""

    FILLING = 0  # covers every free cell
    LOWEST = 1  # cells may stay empty, but the drawing lies as low as it can: see ``prover/drawings``
    UNTOUCHING = 2  # covers every free cell, and no path touches itself


class SearchOutcome(IntEnum):
    """How a search for a drawing ends."""

    EXHAUSTED = 0  # there is no drawing, or none but the known one
    FOUND = 1
    GAVE_UP = 2  # the budget is spent


class ShapingOutcome(IntEnum):
    """How an attempt at a cover (a board divided into paths) ends."""

    DONE = 0  # the cover is the only solution of its board
    UNREPAIRED = 1  # the repair made no progress, so a new start is better
    UNDECIDED = 2  # the search of the whole board was given up
    SHAPELESS = 3  # the random walk did not reach the ordered number of paths


class StyleFigure(IntEnum):
    """Figures that measure the style of a cover, in thousandths."""

    BENDS = 0  # number of bends, divided by the free cells
    FEW_TURNS = 1  # share of paths with one bend or none
    DIRECT = 2  # share of paths without a detour
    STRAIGHTNESS = 3  # mean of the distance between the ends of a path, divided by its steps
    NESTS = 4  # mean number of bends that lie inside each other
    BORDER = 5  # share of numbers on the border, relative to an even spread
    SECOND_RING = 6  # share of numbers in the ring inside the border, relative to an even spread
    BESIDE = 7  # pairs of neighbouring numbers, divided by the numbers
    DIAGONAL = 8  # pairs of diagonally neighbouring numbers, divided by the numbers
    KNIGHT = 9  # pairs of numbers a knight's move apart, divided by the numbers
    UNEVEN = 10  # how unevenly the numbers are spread over the four quarters
    EMPTY_LINES = 11  # share of rows and columns without a number
    APART = 12  # mean distance between the two numbers of a pair
    SHORTEST = 13  # length of the shortest path, relative to the mean
    LONGEST = 14  # length of the longest path, relative to the mean
    COPIED_LINES = 15  # share of steps that the numbers' symmetry maps onto steps
    COPIED_PAIRS = 16  # share of pairs that the numbers' symmetry maps onto pairs
    FIGURES = 17  # how many figures there are
