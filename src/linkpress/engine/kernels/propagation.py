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

NO_CONFLICT = -1


@kernel()
def propagate(s: Search) -> int:
    """Draw all conclusions.

    Returns:
        What fails: a clause's place in the arena, an equality's code, or NO_CONFLICT.
    """
    arena, head, value, level, reasons, trail = s.arena, s.head, s.value, s.level, s.reason, s.trail
    edges, cols, shift, bits = s.counts[EDGES], s.counts[COLS], s.counts[SHIFT], s.counts[BITS]
    tail, drawn, depth = s.counts[TRAIL], s.counts[DRAWN], s.counts[DEPTH]
    conflict = NO_CONFLICT
    while conflict == NO_CONFLICT and drawn < tail:
        first = trail[drawn]
        drawn += 1
        var = first >> 1
        if var >= edges:
            cell = (var - edges) >> shift
            bit = (var - edges) & ((1 << shift) - 1)
            mine = value[first & ~1]
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
                        conflict = -2 - (edge << 4 | bit)
                        break
                    lit = 2 * there + (mine < 0)
                elif other != 0:
                    lit = 2 * edge + 1
                else:
                    continue
                value[lit] = 1
                value[lit ^ 1] = -1
                level[lit >> 1] = depth
                reasons[lit >> 1] = -2 - (edge << 4 | bit)
                trail[tail] = lit
                tail += 1
        elif first & 1 == 0:
            cell = var >> 1
            there = cell + (cols if var & 1 else 1)
            one = edges + (cell << shift)
            two = edges + (there << shift)
            for bit in range(bits):
                here, other = value[2 * (one + bit)], value[2 * (two + bit)]
                if here == other:
                    continue
                if here == 0:
                    lit = 2 * (one + bit) + (other < 0)
                elif other == 0:
                    lit = 2 * (two + bit) + (here < 0)
                else:
                    conflict = -2 - (var << 4 | bit)
                    break
                value[lit] = 1
                value[lit ^ 1] = -1
                level[lit >> 1] = depth
                reasons[lit >> 1] = -2 - (var << 4 | bit)
                trail[tail] = lit
                tail += 1
        if conflict != NO_CONFLICT:
            break
        false = first ^ 1
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
                conflict = clause
                break
            else:
                value[other] = 1
                value[other ^ 1] = -1
                level[other >> 1] = depth
                reasons[other >> 1] = clause
                trail[tail] = other
                tail += 1
                before = link
            watch = following
    s.counts[TRAIL] = tail
    s.counts[DRAWN] = drawn
    return int(conflict)
