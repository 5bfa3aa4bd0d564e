"""Boards with a filling to begin with: random paths grown until no two free squares touch."""

from collections.abc import Sequence
from itertools import pairwise

from plain_dice import Dice

from linkpress.engine.kernels.glossary import DirectionBit
from linkpress.puzzle.grid import Cell, Grid
from linkpress.puzzle.puzzle import Puzzle

Paths = list[list[Cell]]


def grown_paths(rows: int, cols: int, seed: str) -> Paths:
    """Paths that touch themselves nowhere; every square on none of them stands alone."""
    dice, neighbours = Dice(seed), Grid(rows, cols).neighbours
    free, paths = set(range(rows * cols)), []
    while starts := [cell for cell in sorted(free) if free & set(neighbours[cell])]:
        path = [dice.choose(starts)]
        free.remove(path[0])
        while ways := [
            cell
            for cell in neighbours[path[-1]]
            if cell in free and len(set(neighbours[cell]) & set(path)) == 1
        ]:
            path.append(dice.choose(ways))
            free.remove(path[-1])
        paths.append(path)
    return [path for path in paths if len(path) > 1]


def grown_board(rows: int, cols: int, seed: str) -> Puzzle:
    """The paths' ends as numbers, all other squares off the paths as solids."""
    paths = grown_paths(rows, cols, seed)
    covered = {cell for path in paths for cell in path}
    numbers = {cell: number for number, path in enumerate(paths, start=1) for cell in (path[0], path[-1])}
    return Puzzle.from_numbers(Grid(rows, cols, frozenset(range(rows * cols)) - covered), numbers)


def links_of(rows: int, cols: int, paths: Sequence[Sequence[Cell]]) -> tuple[list[int], list[int]]:
    """Paths as a search for a second drawing takes them: by cell its path, and its sides used."""
    path_of, links = [-1] * (rows * cols), [0] * (rows * cols)
    bits = {-cols: DirectionBit.UP, -1: DirectionBit.LEFT, 1: DirectionBit.RIGHT, cols: DirectionBit.DOWN}
    for number, path in enumerate(paths):
        for cell in path:
            path_of[cell] = number
        for a, b in pairwise(path):
            links[a] |= bits[b - a]
            links[b] |= bits[a - b]
    return path_of, links
