"""A cover is a board cut into paths that never touch themselves; it hides a puzzle.

A generator makes covers; the paths' ends become the numbers. Rule b of the article holds for
every cover: a square of a path neighbours no other square of it than those before and after.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from linkpress.engine.kernels import Rng, grow_paths, rng_from
from linkpress.puzzle.puzzle import Cell, Grid, Pair, Path, Puzzle, Solution


@dataclass(frozen=True)
class Cover:
    """A cover has every square of a board on one path or solid.

    Args:
        rows, cols: 3 to 50 each.
        paths: each path's cells from end to end, two or more; the cells on none are solid. The
            first is numbered 1.
    """

    rows: int
    cols: int
    paths: tuple[tuple[Cell, ...], ...]

    @cached_property
    def solids(self) -> frozenset[Cell]:
        """Return the cells on no path."""
        return frozenset(range(self.rows * self.cols)).difference(*self.paths)

    @cached_property
    def solution(self) -> Solution:
        """Return the puzzle with this cover as its drawing, numbered from 1 in the order of its paths."""
        paths = [path if path[0] < path[-1] else path[::-1] for path in self.paths]
        pairs = tuple(Pair(n, path[0], path[-1]) for n, path in enumerate(paths, 1))
        puzzle = Puzzle(Grid(self.rows, self.cols, self.solids), pairs)
        return Solution(puzzle, tuple(Path(n, path) for n, path in enumerate(paths, 1)))

    @property
    def puzzle(self) -> Puzzle:
        """Return the numbers and solids alone."""
        return self.solution.puzzle

    @property
    def border_pairs(self) -> int:
        """Return the number of paths with both ends on the board's border."""
        return sum(self._on_border(path[0]) and self._on_border(path[-1]) for path in self.paths)

    @property
    def border_ends(self) -> int:
        """Return the number of paths' ends on the board's border."""
        return sum(self._on_border(path[0]) + self._on_border(path[-1]) for path in self.paths)

    @property
    def ends_beside(self) -> int:
        """Return the number of places where two paths' ends, or both of one path, are neighbours."""
        ends = {cell for path in self.paths for cell in (path[0], path[-1])}
        right = sum(cell + 1 in ends and (cell + 1) % self.cols != 0 for cell in ends)
        return right + sum(cell + self.cols in ends for cell in ends)

    def shuffled(self, rng: Rng) -> Cover:
        """Return the same paths numbered by the rng, so that 1 may stand anywhere."""
        paths = sorted(self.paths)
        rng.shuffle(paths)
        return replace(self, paths=tuple(paths))

    def _on_border(self, cell: Cell) -> bool:
        row, col = divmod(cell, self.cols)
        return row in (0, self.rows - 1) or col in (0, self.cols - 1)


def grow_cover(rows: int, cols: int, seed_or_dice: str | Rng) -> Cover:
    """Grow paths one after the other on an empty board, as the article's generator does.

    Choose a free square that has a free neighbour, then one such neighbour (rule a): they start a
    path. From its newer end take, at random, a free neighbour that touches the path at that end
    alone (rule b); when there is none the path is finished and its ends become numbers. When no two
    free squares are neighbours any more, those left over are solid. Union–find over the squares
    answers "does this square touch the path"; ``find`` goes to the root, unlike the ``findset`` of
    the C program that circulates with the article, which climbs one step.

    Args:
        rows, cols: 3 to 50 each.
        seed_or_dice: any text, or rng that a caller goes on rolling.
    Returns:
        A cover that is not proven to have one solution, and has as many paths as it has.
    """
    rng = rng_from(seed_or_dice) if isinstance(seed_or_dice, str) else seed_or_dice
    return Cover(rows, cols, tuple(map(tuple, grow_paths(rows, cols, rng))))
