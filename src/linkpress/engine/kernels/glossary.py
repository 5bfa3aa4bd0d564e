"""All kernels share these words and codes. This is plain Python, which everybody may import at no cost.

**Cells** of a board of rows × cols are numbered row by row: ``cell = row * cols + col``.

**Edges** join neighbouring cells: edge ``2 * cell`` leads right from a cell, edge ``2 * cell + 1``
leads down. The smaller cell of an edge is ``edge >> 1``. Numbers of edges that would leave the board
exist and are never open.

**Sides** of a cell are counted 0 up, 1 left, 2 right, 3 down (``Direction``), so that the opposite of a
side is ``3 - side``. A set of sides, such as a cell's drawn edges, is a sum of 1, 2, 4 and 8 (bit
``1 << side``, ``DirectionBit``).

**Literals** of the clause-learning search: ``2 * v`` says that variable v holds, ``2 * v + 1`` that it
does not; ``lit ^ 1`` is the opposite, ``lit >> 1`` the variable. Variables are the edges, by their
numbers, and then the label bits of the cells (``prover/search``).

**Settled edges** in lists: ``edge + 1`` where it is drawn, ``-(edge + 1)`` where it is ruled out.

**Numbers**: the prover labels pairs from 0 and says -1 for none. The ladder names a pair by its first
endpoint: 1 + that cell, and says 0 for none.

The prover looks at a cell's edges in the order right, down, left, up: the order of its clauses decides
which drawing it finds first, and with it every puzzle that was ever made. Elsewhere ``Direction``'s holds.

Every other sentinel stands beside the field that it may stand in.
"""

from __future__ import annotations

from enum import IntEnum


class Direction(IntEnum):
    """A direction says where a neighbour lies."""

    UP = 0
    LEFT = 1
    RIGHT = 2
    DOWN = 3


class DirectionBit(IntEnum):
    """A set of sides is a sum of these bits."""

    UP = 1
    LEFT = 2
    RIGHT = 4
    DOWN = 8


class EdgeState(IntEnum):
    """A state says what is known of an edge."""

    OPEN = 0
    DRAWN = 1
    RULED_OUT = 2


class FindingKind(IntEnum):
    """A finding says of an edge that it is drawn or ruled out, or of a cell which number it has."""

    DRAWN = EdgeState.DRAWN
    RULED_OUT = EdgeState.RULED_OUT
    NUMBERED = 3


class Reason(IntEnum):
    """A reason says why a deduction holds; the comment says what its cause names."""

    ALL_EXITS = 1  # the cell that needs every exit it has
    CLASH = 2  # the cell whose exit would join two numbers
    LOOP = 3  # the cell whose exit would close a loop
    FORK = 4  # the cell no two of whose other exits can be joined
    CUT_OFF = 5  # the number whose two lines would be cut off from each other
    MUST_PASS = 6  # the number all of whose ways pass the cell
    NOBODY_USES = 7  # nothing: no number can use the edge
    ONLY_ONE_REACHES = 8  # the only number that can reach the cell and leave it
    BY_TILT = 9  # the gap, see ``ladder/gaps``
    WITHIN_GAP = 10  # the gap
    OTHERS_CROSS = 11  # the gap
    BY_ROOM = 12  # the gap
    SIDE_BY_SIDE = 13  # the cell whose exit leads to its own number
    BESIDE_ITSELF = 14  # the cell whose exit would make a path run beside itself
    NO_WAY_USES = 15  # the cell no way through which uses the exit
    EVERY_WAY_USES = 16  # the cell all ways through which use the exit
    TURNS_BACK = 18  # the cell whose exit would be the third edge of a 2 × 2 square
    IN_ORDER = 17  # nothing: no other number comes there without crossing one
    REFUTED = 20  # the rounds after which the opposite failed: 0 at once, -1 where nobody counted them


class Contradiction(IntEnum):
    """A board contradicts itself in one of these ways; the comment says what its place is."""

    NONE = 0
    AT_EDGE = 1  # the edge that can be neither drawn nor ruled out
    PAIR_CUT_OFF = 2  # the number whose two lines can't meet
    UNREACHED = 3  # a cell that no number can reach and leave again
    UNFILLED = 4  # a cell among those that can't all be filled
    NO_WAY_THROUGH = 5  # a cell that no path can pass without running beside itself
    CROSSED = 6  # a number whose path would have to cross another's


class TechniqueCode(IntEnum):
    """A technique has a code that never changes and says nothing of its place."""

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
    """A climb ends in one of these ways."""

    FINISHED = 0
    STUCK = 1
    CONTRADICTED = 2  # the board has no filling


class DrawingKind(IntEnum):
    """A kind says which drawings a search counts: each joins all pairs by disjoint simple paths."""

    FILLING = 0  # every free square is covered
    LOWEST = 1  # squares may stay empty, but the drawing lies as low as it can: see ``prover/drawings``
    ANY = 2  # squares may stay empty; this and the next are python-sat's, not the kernels'
    NO_TURN = 3  # the same, but no path uses three edges of a 2 × 2 square
    UNTOUCHING = 4  # every square is covered, and no path runs alongside itself


class SearchOutcome(IntEnum):
    """A search for a drawing ends in one of these ways."""

    EXHAUSTED = 0  # there is none, or no other
    FOUND = 1
    GAVE_UP = 2  # the budget is spent


class ShapingOutcome(IntEnum):
    """An attempt at a cover ends in one of these ways."""

    DONE = 0  # its board has one drawing
    UNREPAIRED = 1  # the repair goes round in circles: start afresh
    UNDECIDED = 2  # the question about the whole board was given up
    SHAPELESS = 3  # the walk did not meet the counts


class LookFigure(IntEnum):
    """A figure measures how a cover looks, in thousandths."""

    BENDS = 0  # bends a free square
    FEW_TURNS = 1  # paths with one turn or none
    DIRECT = 2  # paths without a detour
    STRAIGHTNESS = 3  # the distance of a path's ends by its steps, on average
    NESTS = 4  # bends in each other's corner, on average
    BORDER = 5  # numbers on the border, against an even spread
    SECOND_RING = 6  # numbers in the ring inside the border, against an even spread
    BESIDE = 7  # numbers side by side, by number
    DIAGONAL = 8  # numbers diagonally beside each other, by number
    KNIGHT = 9  # numbers a knight's move apart, by number
    UNEVEN = 10  # how unevenly the four quarters hold numbers
    EMPTY_LINES = 11  # rows and columns without a number
    APART = 12  # the distance of a pair's numbers, on average
    SHORTEST = 13  # the shortest path, against the mean
    LONGEST = 14  # the longest path, against the mean
    COPIED_LINES = 15  # steps that the numbers' symmetry maps onto steps
    COPIED_PAIRS = 16  # pairs that it maps onto pairs
    FIGURES = 17
