"""The last technique: a supposition inside a supposition.

A supposition fails, too, when some edge that it leaves open can be neither drawn nor ruled out. Every
supposition that holds is followed to its end; there each open edge is supposed both ways, and what fails
settles that edge, until the first supposition fails or nothing more does.

Suppositions are tried from the one that leads farthest: as soon as some of equal reach fail, the rest
wait for the lower rungs.
"""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.ladder.exits import NO_LIMIT, suppose
    from linkpress.engine.kernels.ladder.findings import Findings
    from linkpress.engine.kernels.ladder.marks import (
        DRAWN,
        OPEN,
        RULED_OUT,
        Marks,
        PrintedBoard,
        copy_marks,
        count_open,
    )
    from linkpress.engine.kernels.ladder.suppositions import Suppositions, place_of, propose_held
    from linkpress.engine.kernels.ladder.walls import hold_equals, take_up_members

# Inner suppositions in one climb, two for each edge open before the outer, after which a board is left
# unfinished: two seconds at 20 × 20. What counts must not depend on the order in which edges are tried.
_MOST_INNER = cython.declare(cython.int, 200_000)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def find_nested(
    grid: PrintedBoard, marks: Marks, inner: Marks, findings: Findings, suppositions: Suppositions
) -> cython.void:
    """Open edges one of whose values fails by suppositions that follow it.

    ``suppose_all`` was called with no limit before, and the marks are as they were then; ``inner`` is
    scratch.
    """
    suppositions.held_count = 0
    edges = count_open(marks)
    longest = _next_longest(suppositions, 2 * marks.cells + 1)
    while longest >= 0 and suppositions.held_count == 0 and suppositions.inner_count <= _MOST_INNER:
        for at in range(suppositions.candidate_count):
            value = suppositions.candidate[at]
            if suppositions.kept_length[at] != longest or suppositions.implied[place_of(value)] != at + 1:
                continue
            suppositions.inner_count += 2 * edges
            same = take_up_members(grid, marks, findings, suppositions, at)
            if not _holds_inside(grid, inner, findings, suppositions):
                hold_equals(grid, marks, findings, suppositions, value, same)
        longest = _next_longest(suppositions, longest)
    propose_held(findings, suppositions)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _next_longest(suppositions: Suppositions, below: cython.int) -> cython.int:
    """The most that follows from a supposition, of those from which less than ``below`` does; or -1."""
    longest = -1
    for at in range(suppositions.candidate_count):
        length = suppositions.kept_length[at]
        if longest < length < below and suppositions.implied[place_of(suppositions.candidate[at])] == at + 1:
            longest = length
    return longest


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def _holds_inside(
    grid: PrintedBoard, inner: Marks, findings: Findings, suppositions: Suppositions
) -> cython.bint:
    """Settle in ``spare`` what single suppositions settle there; False when that contradicts itself."""
    changed: cython.bint = True
    while changed:
        changed = False
        for edge in range(2 * grid.cells):
            for ruled_out in range(2):
                if suppositions.spare.edge[edge] != OPEN:
                    continue
                copy_marks(suppositions.spare, inner)
                if suppose(grid, inner, findings, RULED_OUT if ruled_out else DRAWN, edge, NO_LIMIT) >= 0:
                    continue
                changed = True
                opposite = DRAWN if ruled_out else RULED_OUT
                if suppose(grid, suppositions.spare, findings, opposite, edge, NO_LIMIT) < 0:
                    return False
    return True
