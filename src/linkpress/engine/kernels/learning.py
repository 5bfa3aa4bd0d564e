"""A clause-learning search over the edges of a board, compiled.

Variables: edge ``2 · cell`` goes right from a cell, ``2 · cell + 1`` down; from ``2 · cells`` on
each cell has ``1 << shift`` label bits, of which ``bits`` are used. Literal ``2v`` says that v
holds, ``2v + 1`` that it does not. Only edges are decided upon; labels follow.

Equal labels along a used edge are most of a board's constraints, so they are no clauses: they are
drawn from the board's geometry, and a conclusion's reason is the code ``-2 - (edge << 4 | bit)``.
Everything else is a clause in one arena: its size, the two links of the lists of clauses that
watch a literal, its glue (0: part of the question, kept for good), then its literals.

Source:
    Een and Sorensson, "An extensible SAT-solver", SAT 2003; Audemard and Simon, "Predicting learnt
    clauses quality in modern SAT solvers", IJCAI 2009 (glue).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]
Floats = NDArray[np.float64]

# Places in Search.count.
USED, TRAIL, DRAWN, DEPTH, OPEN, REFUTED, LEARNT, STAMP, EDGES, COLS, SHIFT, BITS = range(12)

HEADER = 4
_NO_REASON = -1


class Search(NamedTuple):
    """The whole state of one search; nothing outlives it."""

    arena: Ints
    head: Ints  # by literal: the first watching clause times two, plus which of its watches
    value: Bytes  # by literal: 1 true, -1 false, 0 open
    level: Ints
    reason: Ints  # by variable: a clause, an equality code, or none
    trail: Ints
    marks: Ints  # where on the trail each level begins
    counts: Longs
    activity: Floats
    waiting: Ints  # the edges that level 0 leaves open, counts[OPEN] of them
    phase: Bytes  # by edge: its last value
    seen: Bytes
    learnt: Ints
    stamp: Longs
    step: Floats


@kernel()
def new_search(cells: int, cols: int, labels: int, room: int) -> Search:
    """An empty search for a board.

    Args:
        cells: of the board, rows × cols.
        cols: of the board.
        labels: how many numbers there are.
        room: for clauses, in words.
    """
    bits = shift = 0
    while (1 << bits) < labels:
        bits += 1
    while (1 << shift) < bits:
        shift += 1
    edges = 2 * cells
    variables = edges + (cells << shift)
    count = np.zeros(12, np.int64)
    count[OPEN], count[EDGES], count[COLS], count[SHIFT], count[BITS] = edges, edges, cols, shift, bits
    return Search(
        np.empty(room, np.int32),
        np.full(2 * variables, -1, np.int32),
        np.zeros(2 * variables, np.int8),
        np.zeros(variables, np.int32),
        np.full(variables, _NO_REASON, np.int32),
        np.empty(variables, np.int32),
        np.empty(edges + 1, np.int32),
        count,
        np.zeros(edges, np.float64),
        np.arange(edges).astype(np.int32),
        np.zeros(edges, np.int8),
        np.zeros(variables, np.int8),
        np.empty(2 * variables + 2, np.int32),
        np.zeros(edges + 1, np.int64),
        np.ones(1, np.float64),
    )


@kernel()
def settle(s: Search, lit: int, reason: int) -> None:
    """Make an open literal true."""
    s.value[lit] = 1
    s.value[lit ^ 1] = -1
    s.level[lit >> 1] = s.counts[DEPTH]
    s.reason[lit >> 1] = reason
    s.trail[s.counts[TRAIL]] = lit
    s.counts[TRAIL] += 1


@kernel()
def watch_clause(arena: Ints, head: Ints, clause: int) -> None:
    """Watch a clause by its first two literals."""
    for which in range(2):
        lit = arena[clause + HEADER + which]
        arena[clause + 1 + which] = head[lit]
        head[lit] = 2 * clause + which


@kernel()
def add_clauses(s: Search, clauses: Ints, end: int) -> None:
    """Require clauses for good; called at level 0.

    Args:
        s: the search.
        clauses: one after the other, each its size and then its literals.
        end: how many words of it are meant.
    """
    arena, head, value, counts = s.arena, s.head, s.value, s.counts
    at, to = 0, counts[USED]
    while at < end:
        kept = 0
        for spot in range(at + 1, at + 1 + clauses[at]):
            known = value[clauses[spot]]
            if known > 0:
                kept = -1
                break
            if known == 0:
                arena[to + HEADER + kept] = clauses[spot]
                kept += 1
        at += 1 + clauses[at]
        if kept == 0:
            counts[REFUTED] = 1
        elif kept == 1:
            settle(s, arena[to + HEADER], _NO_REASON)
        elif kept > 1:
            arena[to] = kept
            arena[to + 3] = 0
            watch_clause(arena, head, to)
            to += HEADER + kept
    counts[USED] = to


@kernel()
def go_back(s: Search, depth: int) -> None:
    """Undo every level above ``depth``."""
    if s.counts[DEPTH] <= depth:
        return
    begin = s.marks[depth]
    edges, trail, value, phase = s.counts[EDGES], s.trail, s.value, s.phase
    for at in range(s.counts[TRAIL] - 1, begin - 1, -1):
        lit = trail[at]
        value[lit] = 0
        value[lit ^ 1] = 0
        if lit >> 1 < edges:
            phase[lit >> 1] = 1 - (lit & 1)
    s.counts[TRAIL] = begin
    s.counts[DRAWN] = begin
    s.counts[DEPTH] = depth
