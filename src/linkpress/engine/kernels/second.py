"""Has a cover's board a second drawing? Asked of a window, everything outside it kept.

A variable per edge inside the window; label bits per square, equal across a used edge; one clause
says that some edge of the cover is not used. Closed loops are harmless under the strict rule
(erase them) and are excluded one by one, as they turn up, under the filled rule. Under the strict
rule no three edges of a 2 × 2 square are used: a drawing that has them can be cut short into one
that leaves squares empty.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.clauses import (
    SATISFIED,
    Clauses,
    add_clause,
    enqueue,
    go_back,
    new_clauses,
    search_model,
)
from linkpress.engine.kernels.compile import kernel

Ints = NDArray[np.int32]
Bytes = NDArray[np.int8]

UP, LEFT, RIGHT, DOWN = 1, 2, 4, 8


@kernel()
def _bits_set(mask: int) -> int:
    return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1) + ((mask >> 3) & 1)


@kernel()
def _put(arena: Ints, head: Ints, used: int, lits: Ints, size: int) -> int:
    """Write a clause of two or more literals into the arena; where the next one goes."""
    arena[used] = size
    for at in range(size):
        arena[used + 3 + at] = lits[at]
    arena[used + 1] = head[lits[0]]
    head[lits[0]] = 2 * used
    arena[used + 2] = head[lits[1]]
    head[lits[1]] = 2 * used + 1
    return used + 3 + size


@kernel()
def _put_two(arena: Ints, head: Ints, used: int, one: int, two: int) -> int:
    arena[used] = 2
    arena[used + 1] = head[one]
    head[one] = 2 * used
    arena[used + 2] = head[two]
    head[two] = 2 * used + 1
    arena[used + 3] = one
    arena[used + 4] = two
    return used + 5


@kernel()
def _put_three(arena: Ints, head: Ints, used: int, one: int, two: int, three: int) -> int:
    arena[used] = 3
    arena[used + 1] = head[one]
    head[one] = 2 * used
    arena[used + 2] = head[two]
    head[two] = 2 * used + 1
    arena[used + 3] = one
    arena[used + 4] = two
    arena[used + 5] = three
    return used + 6


@kernel()
def _put_same(arena: Ints, head: Ints, used: int, edge: int, one: int, two: int) -> int:
    """If the edge is used, two label bits are equal."""
    used = _put_three(arena, head, used, edge ^ 1, 2 * one, 2 * two + 1)
    return _put_three(arena, head, used, edge ^ 1, 2 * one + 1, 2 * two)


@kernel()
def _put_degree(arena: Ints, head: Ints, used: int, lits: Ints, size: int, need: int, free: bool) -> int:
    """Exactly ``need`` of the edges, at least two being there; when ``free``, none or two."""
    a, b, c, d = lits[0], lits[1], lits[2], lits[3]
    if need == 1:
        for at in range(size):
            for other in range(at):
                used = _put_two(arena, head, used, lits[at] ^ 1, lits[other] ^ 1)
        return _put(arena, head, used, lits, size)
    if size == 2:
        used = _put_two(arena, head, used, a, b ^ 1)
        return _put_two(arena, head, used, a ^ 1, b)
    used = _put_three(arena, head, used, a ^ 1, b ^ 1, c ^ 1)
    if size == 4:
        used = _put_three(arena, head, used, a ^ 1, b ^ 1, d ^ 1)
        used = _put_three(arena, head, used, a ^ 1, c ^ 1, d ^ 1)
        used = _put_three(arena, head, used, b ^ 1, c ^ 1, d ^ 1)
    if free:
        for at in range(size):
            lits[at] ^= 1
            used = _put(arena, head, used, lits, size)
            lits[at] ^= 1
    elif size == 3:
        used = _put_two(arena, head, used, a, b)
        used = _put_two(arena, head, used, a, c)
        used = _put_two(arena, head, used, b, c)
    else:
        used = _put_three(arena, head, used, a, b, c)
        used = _put_three(arena, head, used, a, b, d)
        used = _put_three(arena, head, used, a, c, d)
        used = _put_three(arena, head, used, b, c, d)
    return used


@kernel()
def _assume(s: Clauses, lit: int) -> None:
    """A literal that holds, before any conclusion is drawn."""
    if s.value[lit] == 0:
        enqueue(s, lit, -1)
    elif s.value[lit] < 0:
        s.count[5] = 1


@kernel()
def _further_out(rows: int, cols: int, top: int, left: int, width: int, one: int, other: int) -> bool:
    """A total order of the board's squares: whether one comes before another."""
    row, col = top + one // width, left + one % width
    out = abs(2 * row - rows + 1) + abs(2 * col - cols + 1)
    other_row, other_col = top + other // width, left + other % width
    other_out = abs(2 * other_row - rows + 1) + abs(2 * other_col - cols + 1)
    return out > other_out or (out == other_out and one < other)


@kernel()
def find_second(
    rows: int,
    cols: int,
    window: tuple[int, int, int, int],
    path_of: Ints,
    links: Bytes,
    strict: bool,
    budget: int,
    differs: Bytes,
) -> tuple[int, int]:
    """Search a window for a drawing other than the cover's.

    Args:
        rows, cols: the board.
        window: first row, first column, rows, columns.
        path_of: by cell, its path's number; -1 for a solid.
        links: by cell, the cover's edges: UP, LEFT, RIGHT, DOWN.
        strict: whether squares inside may stay empty.
        budget: conflicts.
        differs: out, by cell: 1 where the second drawing has other edges.
    Returns:
        UNSATISFIABLE (there is none), SATISFIED (there is one) or GAVE_UP; conflicts spent.
    """
    top, left, height, width = window
    size = height * width
    need = np.empty(size, np.int32)  # edges inside; -1 on a square that takes none
    label = np.full(size, -1, np.int32)
    local = np.full(rows * cols, -1, np.int32)
    labels = 0
    for at in range(size):
        row, col = at // width, at % width
        cell = (top + row) * cols + left + col
        inside = links[cell]
        if path_of[cell] < 0:
            need[at] = -1
            continue
        ends = _bits_set(inside) == 1
        if row == 0:
            inside &= ~UP
        if row == height - 1:
            inside &= ~DOWN
        if col == 0:
            inside &= ~LEFT
        if col == width - 1:
            inside &= ~RIGHT
        need[at] = _bits_set(inside)
        if need[at] == 0:
            need[at] = -1
        elif ends or inside != links[cell]:
            path = path_of[cell]
            if local[path] < 0:
                local[path] = labels
                labels += 1
            label[at] = local[path]
    across = np.full(size, -1, np.int32)
    down = np.full(size, -1, np.int32)
    edges = 0
    for at in range(size):
        if need[at] < 0:
            continue
        if at % width < width - 1 and need[at + 1] >= 0:
            across[at] = edges
            edges += 1
        if at + width < size and need[at + width] >= 0:
            down[at] = edges
            edges += 1
    if edges == 0:
        return 0, 0
    bits = 0
    while (1 << bits) < labels:
        bits += 1
    room = edges * bits * 12 + size * 130 + edges + min(budget, 200000) * 24
    s = new_clauses(edges + size * bits, edges, room)
    arena, head = s.arena, s.head
    lits = np.empty(4, np.int32)
    buffer = np.empty(max(edges, 8), np.int32)
    used = count = 0
    for at in range(size):
        cell = (top + at // width) * cols + left + at % width
        if across[at] >= 0 and links[cell] & RIGHT:
            buffer[count] = 2 * across[at] + 1
            count += 1
        if down[at] >= 0 and links[cell] & DOWN:
            buffer[count] = 2 * down[at] + 1
            count += 1
    add_clause(s, buffer, count)
    used = s.count[0]
    for at in range(size):
        if need[at] < 0:
            continue
        count = 0
        if at >= width and down[at - width] >= 0:
            lits[count] = 2 * down[at - width]
            count += 1
        if at % width > 0 and across[at - 1] >= 0:
            lits[count] = 2 * across[at - 1]
            count += 1
        if across[at] >= 0:
            lits[count] = 2 * across[at]
            count += 1
        if down[at] >= 0:
            lits[count] = 2 * down[at]
            count += 1
        free = strict and label[at] < 0
        if not free and count == need[at]:
            for one in range(count):
                _assume(s, lits[one])
        elif count > 1:
            used = _put_degree(arena, head, used, lits, count, need[at], free)
        elif count == 1:
            _assume(s, lits[0] ^ 1)
        if across[at] >= 0 and at + width < size and down[at] >= 0:
            if across[at + width] >= 0 and down[at + 1] >= 0:
                a, b = 2 * across[at] + 1, 2 * down[at] + 1
                c, d = 2 * across[at + width] + 1, 2 * down[at + 1] + 1
                if strict:
                    used = _put_three(arena, head, used, a, b, c)
                    used = _put_three(arena, head, used, a, b, d)
                    used = _put_three(arena, head, used, a, c, d)
                    used = _put_three(arena, head, used, b, c, d)
                    for place in range(4):
                        corner = at + (place & 1) + (place >> 1) * width
                        inner = at + 1 - (place & 1) + (1 - (place >> 1)) * width
                        if label[inner] >= 0 or label[corner] >= 0:
                            continue
                        if not _further_out(rows, cols, top, left, width, inner, corner):
                            continue
                        side = c if place >> 1 else a
                        upright = d if place & 1 else b
                        if place & 1:
                            beyond = across[inner - 1] if inner % width > 0 else -1
                        else:
                            beyond = across[inner]
                        if beyond >= 0:
                            used = _put_three(arena, head, used, 2 * beyond, side, upright)
                        else:
                            used = _put_two(arena, head, used, side, upright)
                        if place >> 1:
                            beyond = down[inner - width] if inner >= width else -1
                        else:
                            beyond = down[inner]
                        if beyond >= 0:
                            used = _put_three(arena, head, used, 2 * beyond, side, upright)
                        else:
                            used = _put_two(arena, head, used, side, upright)
                else:
                    lits[0], lits[1], lits[2], lits[3] = a, b, c, d
                    used = _put(arena, head, used, lits, 4)
        for side in range(2):
            var = across[at] if side == 0 else down[at]
            if var < 0:
                continue
            there = at + 1 if side == 0 else at + width
            one, two = edges + at * bits, edges + there * bits
            if label[at] >= 0 and label[there] >= 0:
                if label[at] != label[there]:
                    _assume(s, 2 * var + 1)
            elif label[at] >= 0:
                for bit in range(bits):
                    used = _put_two(
                        arena, head, used, 2 * var + 1, 2 * (two + bit) + 1 - (label[at] >> bit & 1)
                    )
            elif label[there] >= 0:
                for bit in range(bits):
                    used = _put_two(
                        arena, head, used, 2 * var + 1, 2 * (one + bit) + 1 - (label[there] >> bit & 1)
                    )
            else:
                for bit in range(bits):
                    used = _put_same(arena, head, used, 2 * var, one + bit, two + bit)
    s.count[0] = used
    spent = 0
    while True:
        verdict, spent = search_model(s, edges, budget, spent)
        if verdict != SATISFIED:
            return verdict, spent
        if strict or not _exclude_loop(s, height, width, need, label, across, down, edges):
            break
    for at in range(size):
        cell = (top + at // width) * cols + left + at % width
        if across[at] >= 0 and (s.value[2 * across[at]] == 1) != (links[cell] & RIGHT != 0):
            differs[cell] = 1
            differs[cell + 1] = 1
        if down[at] >= 0 and (s.value[2 * down[at]] == 1) != (links[cell] & DOWN != 0):
            differs[cell] = 1
            differs[cell + cols] = 1
    return SATISFIED, spent


@kernel()
def _exclude_loop(
    s: Clauses, height: int, width: int, need: Ints, label: Ints, across: Ints, down: Ints, edges: int
) -> bool:
    """Forbid the closed loops of the model found; False when it has none."""
    size = height * width
    seen = np.zeros(size, np.int8)
    buffer = np.empty(edges, np.int32)
    begins = np.empty(size + 1, np.int32)
    loops = 0
    begins[0] = 0
    for whole in range(2):
        for start in range(size):
            if seen[start] or need[start] < 0 or (whole == 0 and label[start] < 0):
                continue
            at, count = start, begins[loops]
            while at >= 0:
                seen[at] = 1
                after, var = -1, -1
                if (
                    across[at] >= 0
                    and s.value[2 * across[at]] == 1
                    and _open(seen, at + 1, start, count, begins[loops])
                ):
                    after, var = at + 1, across[at]
                elif (
                    down[at] >= 0
                    and s.value[2 * down[at]] == 1
                    and _open(seen, at + width, start, count, begins[loops])
                ):
                    after, var = at + width, down[at]
                elif (
                    at % width > 0
                    and across[at - 1] >= 0
                    and s.value[2 * across[at - 1]] == 1
                    and _open(seen, at - 1, start, count, begins[loops])
                ):
                    after, var = at - 1, across[at - 1]
                elif (
                    at >= width
                    and down[at - width] >= 0
                    and s.value[2 * down[at - width]] == 1
                    and _open(seen, at - width, start, count, begins[loops])
                ):
                    after, var = at - width, down[at - width]
                if after >= 0:
                    buffer[count] = 2 * var + 1
                    count += 1
                if after == start:
                    after = -1
                at = after
            if whole == 1:
                loops += 1
                begins[loops] = count
    if loops == 0:
        return False
    go_back(s, 0, edges)
    for loop in range(loops):
        add_clause(s, buffer[begins[loop] : begins[loop + 1]], begins[loop + 1] - begins[loop])
    return True


@kernel()
def _open(seen: Bytes, to: int, start: int, count: int, begin: int) -> bool:
    """Whether a walk may go there: to a new square, or back to its start to close a loop."""
    return not seen[to] or (to == start and count - begin > 1)
