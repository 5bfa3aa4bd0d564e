"""The three ways of drawing an answer on a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from linkpress.layout.frame import Box, Cap, Ink, Item, Join, Lines, Point, Polyline, Rects, Segment
from linkpress.layout.theme import SolutionStyle, Theme
from linkpress.puzzle.grid import Cell
from linkpress.puzzle.puzzle import Path, Solution

Centre = Callable[[Cell], Point]


def answer_items(
    solution: Solution, centre: Centre, cell_pt: float, theme: Theme, inks: Mapping[int, Ink]
) -> tuple[list[Item], list[Item]]:
    """What of an answer lies under the grid, and what over it.

    Args:
        solution: all paths, or some of them for a half-drawn board.
        centre: the point in the middle of a cell.
        cell_pt: side of a square.
        theme: the answers' style, inks and width.
        inks: of each path's number, by ``answer_inks`` of the whole answer.
    """
    style = theme.solutions
    if style.style is SolutionStyle.SHADED:
        return _shaded(solution, centre, cell_pt, theme, inks)
    width = style.width * cell_pt
    under: list[Item] = [_line(path, centre, width, inks[path.number]) for path in solution.paths]
    return under, []


def answer_inks(solution: Solution, theme: Theme) -> Mapping[int, Ink]:
    """The ink of each path's number in a theme: one for all where answers are plain lines."""
    style = theme.solutions
    return ink_of_paths(solution, style.inks[:1] if style.style is SolutionStyle.LINE else style.inks)


def ink_of_paths(solution: Solution, inks: tuple[Ink, ...]) -> Mapping[int, Ink]:
    """An ink for each path's number, neighbouring paths in different ones where possible.

    Paths choose in order; each takes, among the inks that the fewest of its neighbours have, the
    one least used so far.
    """
    beside = _paths_beside(solution)
    chosen: dict[int, int] = {}
    used = [0] * len(inks)
    for path in solution.paths:
        near = [chosen[other] for other in beside[path.number] if other in chosen]
        best = min(range(len(inks)), key=lambda at: (near.count(at), used[at], at))
        chosen[path.number] = best
        used[best] += 1
    return {number: inks[at] for number, at in chosen.items()}


def _paths_beside(solution: Solution) -> dict[int, set[int]]:
    owner = solution.number_of
    beside: dict[int, set[int]] = {path.number: set() for path in solution.paths}
    for a, b in solution.puzzle.grid.edges:
        one, other = owner.get(a), owner.get(b)
        if one is not None and other is not None and one != other:
            beside[one].add(other)
            beside[other].add(one)
    return beside


def _line(path: Path, centre: Centre, width_pt: float, ink: Ink) -> Polyline:
    points = [centre(cell) for cell in path.cells]
    turns = [
        here
        for before, here, after in zip(points, points[1:], points[2:], strict=False)
        if not (before[0] == here[0] == after[0] or before[1] == here[1] == after[1])
    ]
    return Polyline((points[0], *turns, points[-1]), width_pt, ink, Cap.ROUND, Join.ROUND)


def _shaded(
    solution: Solution, centre: Centre, cell_pt: float, theme: Theme, ink_of: Mapping[int, Ink]
) -> tuple[list[Item], list[Item]]:
    boxes: dict[Ink, list[Box]] = {}
    half = cell_pt / 2
    for number, cells in _runs(solution):
        (x0, y), (x1, _) = centre(cells[0]), centre(cells[-1])
        if any(ink_of[number].shares):
            boxes.setdefault(ink_of[number], []).append((x0 - half, y - half, x1 - x0 + cell_pt, cell_pt))
    under: list[Item] = [Rects(tuple(of_ink), ink) for ink, of_ink in boxes.items()]
    walls = tuple(_walls(solution, centre, half))
    weight = max(theme.grid.outer_pt, 2 * theme.grid.inner_pt)
    return under, [Lines(walls, weight, theme.grid.ink, Cap.SQUARE)] if walls else []


def _runs(solution: Solution) -> Iterator[tuple[int, list[Cell]]]:
    """Each row's stretches of cells of one path, so that no seam shows between them."""
    grid, owner = solution.puzzle.grid, solution.number_of
    for row in range(grid.rows):
        run: list[Cell] = []
        for col in range(grid.cols):
            cell = grid.cell(row, col)
            if run and owner.get(cell) != owner[run[0]]:
                yield owner[run[0]], run
                run = []
            if cell in owner:
                run.append(cell)
        if run:
            yield owner[run[0]], run


def _walls(solution: Solution, centre: Centre, half: float) -> Iterator[Segment]:
    """A wall wherever the path does not go on, so that one beside itself can be told too."""
    grid, owner, drawn = solution.puzzle.grid, solution.number_of, solution.edges
    for a, b in grid.edges:
        if (a, b) in drawn or not (a in owner or b in owner):
            continue
        (x, y), (x1, _) = centre(a), centre(b)
        if x1 > x:
            yield x + half, y - half, x + half, y + half
        else:
            yield x - half, y - half, x + half, y - half
