"""Draws all conclusions from what a search has settled, compiled."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel
from linkpress.engine.kernels.learning import (
    BITS,
    COLS,
    DEPTH,
    DRAWN,
    EDGES,
    HEADER,
    SHIFT,
    TRAIL,
    Search,
)

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]
Bytes = NDArray[np.int8]

NO_CONFLICT = -1


@kernel()
def propagate(s: Search) -> int:
    """Draw all conclusions.

    Returns:
        What fails: a clause's place in the arena, an equality's code, or NO_CONFLICT.
    """
    # The parts take arrays, not the search: each hand-over of the whole costs 80 ns of reference
    # counts, and with one a literal the search took twice as long.
    value, level, reasons, trail = s.value, s.level, s.reason, s.trail
    arena, head, counts = s.arena, s.head, s.counts
    tail, drawn = counts[TRAIL], counts[DRAWN]
    conflict = NO_CONFLICT
    while conflict == NO_CONFLICT and drawn < tail:
        lit = trail[drawn]
        drawn += 1
        if lit >> 1 >= counts[EDGES]:
            tail, conflict = _spread_bit(value, level, reasons, trail, counts, tail, lit)
        elif lit & 1 == 0:
            tail, conflict = _equate(value, level, reasons, trail, counts, tail, lit >> 1)
        if conflict == NO_CONFLICT:
            tail, conflict = _visit(arena, head, value, level, reasons, trail, counts[DEPTH], tail, lit ^ 1)
    counts[TRAIL] = tail
    counts[DRAWN] = drawn
    return int(conflict)


@kernel()
def _spread_bit(
    value: Bytes, level: Ints, reasons: Ints, trail: Ints, counts: Longs, tail: int, settled: int
) -> tuple[int, int]:
    """A label bit: it spreads along used edges and rules out edges to its opposite."""
    edges, cols, shift = counts[EDGES], counts[COLS], counts[SHIFT]
    var = settled >> 1
    cell = (var - edges) >> shift
    bit = (var - edges) & ((1 << shift) - 1)
    mine = value[2 * var]
    for side in range(4):
        if side == 0:
            edge, step = 2 * cell, 1
        elif side == 1:
            edge, step = 2 * cell + 1, cols
        elif side == 2:
            edge, step = 2 * (cell - 1), -1
        else:
            edge, step = 2 * (cell - cols) + 1, -cols
        if edge < 0 or value[2 * edge] < 0:
            continue
        there = var + (step << shift)
        other = value[2 * there]
        if other == mine:
            continue
        if value[2 * edge] > 0:
            if other != 0:
                return tail, -2 - (edge << 4 | bit)
            lit = 2 * there + (mine < 0)
        elif other != 0:
            lit = 2 * edge + 1
        else:
            continue
        value[lit], value[lit ^ 1] = 1, -1
        level[lit >> 1], reasons[lit >> 1] = counts[DEPTH], -2 - (edge << 4 | bit)
        trail[tail] = lit
        tail += 1
    return tail, NO_CONFLICT


@kernel()
def _equate(
    value: Bytes, level: Ints, reasons: Ints, trail: Ints, counts: Longs, tail: int, edge: int
) -> tuple[int, int]:
    """A used edge: both its squares carry the same label bits."""
    one = counts[EDGES] + ((edge >> 1) << counts[SHIFT])
    two = one + ((counts[COLS] if edge & 1 else 1) << counts[SHIFT])
    for bit in range(counts[BITS]):
        here, other = value[2 * (one + bit)], value[2 * (two + bit)]
        if here == other:
            continue
        if here == 0:
            lit = 2 * (one + bit) + (other < 0)
        elif other == 0:
            lit = 2 * (two + bit) + (here < 0)
        else:
            return tail, -2 - (edge << 4 | bit)
        value[lit], value[lit ^ 1] = 1, -1
        level[lit >> 1], reasons[lit >> 1] = counts[DEPTH], -2 - (edge << 4 | bit)
        trail[tail] = lit
        tail += 1
    return tail, NO_CONFLICT


@kernel()
def _visit(
    arena: Ints,
    head: Ints,
    value: Bytes,
    level: Ints,
    reasons: Ints,
    trail: Ints,
    depth: int,
    tail: int,
    false: int,
) -> tuple[int, int]:
    """The clauses that watch a literal just gone false."""
    before = -1
    watch = head[false]
    while watch >= 0:
        clause = watch >> 1
        which = watch & 1
        link = clause + 1 + which
        following = arena[link]
        other = arena[clause + HEADER + 1 - which]
        if value[other] > 0:
            before = link
            watch = following
            continue
        found = False
        for spot in range(clause + HEADER + 2, clause + HEADER + arena[clause]):
            lit = arena[spot]
            if value[lit] >= 0:
                arena[spot] = false
                arena[clause + HEADER + which] = lit
                arena[link] = head[lit]
                head[lit] = watch
                found = True
                break
        if found:
            if before < 0:
                head[false] = following
            else:
                arena[before] = following
        elif value[other] < 0:
            return tail, clause
        else:
            value[other], value[other ^ 1] = 1, -1
            level[other >> 1], reasons[other >> 1] = depth, clause
            trail[tail] = other
            tail += 1
            before = link
        watch = following
    return tail, NO_CONFLICT
