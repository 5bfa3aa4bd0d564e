"""A second drawing near a known one: a part of it is drawn otherwise, all else stays.

Boards with several drawings mostly have two that differ in a few squares. A search of a board of 20 × 20 for
any two drawings may take minutes, while all its windows of 6 × 6 are asked in a few hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, pairwise

from linkpress.engine.kernels import Hunt
from linkpress.engine.kernels.glossary import DrawingKind, SearchOutcome
from linkpress.puzzle.grid import Cell, Grid, edge
from linkpress.puzzle.puzzle import Solution

# Sides of windows, steps from one to the next, and conflicts that each may take, a scan's first.
_WINDOWS = ((6, 2, 1000), (9, 3, 2000), (12, 4, 4000))
_SCANNED = 3000


def second_nearby(known: Solution, kind: DrawingKind) -> Solution | None:
    """Look for another drawing that differs from a known one inside a window.

    Args:
        known: it covers every free square.
        kind: which drawings count: FILLING or LOWEST.
    """
    windows = (
        (window, conflicts)
        for side, step, conflicts in _WINDOWS
        for window in _windows(known.puzzle.grid, side, step)
    )
    found = (_redrawn(known, window, kind, conflicts) for window, conflicts in windows)
    return next((other for other in found if other is not None), None)


def _windows(grid: Grid, side: int, step: int) -> Iterator[list[list[Cell]]]:
    """Yield each window's rows; the last windows are moved inward to lie on the board."""
    for top in range(0, max(1, grid.rows - side + step), step):
        for left in range(0, max(1, grid.cols - side + step), step):
            row, col = max(0, min(top, grid.rows - side)), max(0, min(left, grid.cols - side))
            cols = range(col, min(col + side, grid.cols))
            yield [[grid.cell(r, c) for c in cols] for r in range(row, min(row + side, grid.rows))]


def _redrawn(known: Solution, window: list[list[Cell]], kind: DrawingKind, conflicts: int) -> Solution | None:
    """Draw a window otherwise. Where a path leaves it, its square there stands for its number."""
    cells = [cell for row in window for cell in row]
    place = {cell: index for index, cell in enumerate(cells)}
    inside = [step for step in known.edges if step[0] in place and step[1] in place]
    steps = [[place[a], place[b]] for a, b in inside]
    degree = [0] * len(cells)
    for end in chain.from_iterable(steps):
        degree[end] += 1
    leaving = [known.number_of[cell] if degree[place[cell]] == 1 else 0 for cell in cells]
    label = {number: index for index, number in enumerate(sorted({*leaving} - {0}))}
    hunt = Hunt(
        len(window),
        len(window[0]),
        [need or -1 for need in degree],
        [label.get(number, -1) for number in leaving],
        len(label),
        kind,
        _SCANNED,
        steps,
    )
    if hunt.go_on(conflicts)[0] != SearchOutcome.FOUND:
        return None
    drawn = (edge(cells[a], cells[b]) for path in hunt.drawings()[1] for a, b in pairwise(path))
    other = Solution.from_edges(known.puzzle, known.edges.difference(inside).union(drawn))
    # What closes a loop with the outside is left out, and a filling no more.
    return other if other.fills or kind is DrawingKind.LOWEST else None
