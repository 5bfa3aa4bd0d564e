"""Ornaments are made of the game itself, and the worked example shows it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from linkpress.engine.recipe import MOST_STARS
from linkpress.layout.boards.numerals import FONT
from linkpress.layout.frame import PAPER, Anchor, Cap, Discs, Ink, Item, Join, Point, Polygon, Polyline
from linkpress.layout.measure import Measure, set_text
from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle, Solution

_EXAMPLE_SIDE = 5
# Boards with exactly one solution, even where squares may stay empty. What no path covers is solid.
_OPEN_EXAMPLE = {
    1: (4, 9, 14),
    2: (6, 7, 12, 13, 18, 19),
    3: (8, 3, 2, 1, 0, 5, 10, 11, 16, 17),
    4: (15, 20, 21, 22, 23, 24),
}
_EXAMPLE_WITH_SOLID = {
    1: (0, 1, 2, 7, 8, 13, 18),
    2: (3, 4, 9, 14, 19, 24, 23, 22),
    3: (6, 5, 10, 15),
    4: (12, 17, 16, 21, 20),
}
_STAR_PITCH = 1.12  # from star to star, of a star's width
_STAR_INNER = 0.45  # of the outer radius; a pentagram's 0.38 leaves points that fill in on newsprint
_STAR_LINE = 0.14  # of the radius: half a point in the usual sizes, which newsprint holds
HALF_WAY = (1, 3)  # the paths drawn in the half-way picture


def worked_example(solids: bool) -> Solution:
    """Return the board of the how-to-play pages, solved; with a solid where the book's puzzles have some."""
    numbered = _EXAMPLE_WITH_SOLID if solids else _OPEN_EXAMPLE
    paths = tuple(Path(number, cells) for number, cells in numbered.items())
    pairs = tuple(
        Pair(path.number, min(path.cells[0], path.cells[-1]), max(path.cells[0], path.cells[-1]))
        for path in paths
    )
    covered = frozenset(cell for path in paths for cell in path.cells)
    solid = frozenset(range(_EXAMPLE_SIDE**2)) - covered
    return Solution(Puzzle(Grid(_EXAMPLE_SIDE, _EXAMPLE_SIDE, solid), pairs), paths)


def half_way(solution: Solution) -> Solution:
    """Return the example with only its first lines drawn."""
    return Solution(solution.puzzle, tuple(path for path in solution.paths if path.number in HALF_WAY))


def path_ornament(
    solution: Solution, cell_pt: float, corner: Point, inks: Sequence[Ink], light: Ink
) -> list[Item]:
    """Draw a solved board without its grid: lines that end in discs, in inks by turns; dots for solids."""
    grid = solution.puzzle.grid

    def centre(cell: int) -> Point:
        row, col = divmod(cell, grid.cols)
        return corner[0] + (col + 0.5) * cell_pt, corner[1] + (grid.rows - row - 0.5) * cell_pt

    items: list[Item] = []
    for place, ink in enumerate(inks):
        paths = solution.paths[place :: len(inks)]
        items += [
            Polyline(tuple(centre(cell) for cell in path.cells), 0.2 * cell_pt, ink, Cap.ROUND, Join.ROUND)
            for path in paths
        ]
        ends = tuple(centre(cell) for path in paths for cell in (path.cells[0], path.cells[-1]))
        items.append(Discs(ends, 0.32 * cell_pt, ink))
        items.append(Discs(ends, 0.15 * cell_pt, PAPER))
    if grid.solids:
        items.append(Discs(tuple(centre(cell) for cell in sorted(grid.solids)), 0.12 * cell_pt, light))
    return items


def level_ornament(
    here: int, count: int, first: Point, pitch_pt: float, ink: Ink, measure: Measure, weight_pt: float
) -> list[Item]:
    """Draw levels as joined numbers, those up to ``here`` filled, from the first disc's centre on."""
    x, y = first
    centres = [(x + step * pitch_pt, y) for step in range(count)]
    radius = 0.3 * pitch_pt
    items: list[Item] = []
    if here + 1 < count:
        items.append(Polyline((centres[here], centres[-1]), weight_pt, ink))
    if here:
        items.append(Polyline((centres[0], centres[here]), 0.2 * pitch_pt, ink))
    items.append(Discs(tuple(centres[: here + 1]), radius, ink))
    if here + 1 < count:
        items.append(Discs(tuple(centres[here + 1 :]), radius - weight_pt / 2, PAPER, ink, weight_pt))
    size = 1.05 * radius
    drop = measure.ink("1", FONT, size).top / 2
    for step, (x, y) in enumerate(centres):
        face = PAPER if step <= here else ink
        items.append(set_text(str(step + 1), (x, y - drop), FONT, size, measure, Anchor.MIDDLE, face))
    return items


def stars_width(size_pt: float) -> float:
    """Return the width of a row of stars, each as wide as ``size_pt``."""
    return size_pt * (1 + (MOST_STARS - 1) * _STAR_PITCH)


def star_row(filled: int, x: float, y: float, size_pt: float, least_pt: float) -> tuple[Item, ...]:
    """Draw five stars from x on around the height y, some filled, with no line under ``least_pt``."""
    items: list[Item] = []
    for index in range(MOST_STARS):
        centre = (x + size_pt * (0.5 + index * _STAR_PITCH), y)
        if index < filled:
            items.append(Polygon(_star(centre, size_pt / 2)))
            continue
        weight = max(least_pt, _STAR_LINE * size_pt / 2)
        inner = size_pt / 2 - weight  # the mitred tips reach out by about a line's weight
        items.append(Polyline(_star(centre, inner), weight, join=Join.MITRE, closed=True))
    return tuple(items)


def _star(centre: Point, radius: float) -> tuple[Point, ...]:
    x, y = centre
    points = []
    for index in range(10):
        reach = radius * (_STAR_INNER if index % 2 else 1)
        angle = math.pi / 2 + index * math.pi / 5
        points.append((x + reach * math.cos(angle), y + reach * math.sin(angle)))
    return tuple(points)
