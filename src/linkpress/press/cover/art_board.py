"""The board of a cover's art: made to the art's shape, proven to have one solution, the same each time."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from linkpress.engine.kernels import dice_from, shape_cover
from linkpress.engine.kernels.glossary import ShapingOutcome
from linkpress.engine.make.cover import Cover
from linkpress.engine.make.generate import attempt_limit
from linkpress.engine.make.reshape import Order, repair_stages, shape_demands
from linkpress.engine.recipe import Recipe
from linkpress.errors import LayoutError
from linkpress.puzzle.grid import Cell, Grid
from linkpress.puzzle.puzzle import Solution

_ATTEMPTS = 60
_SHORTEST = 3  # squares of a line, and
_SHORTEST_SHARE = 0.3  # of those that a line has in the middle

# Figures of three by five blocks.
_FIGURES = {
    "0": "### #.# #.# #.# ###",
    "1": "##. .#. .#. .#. ###",
    "2": "### ..# ### #.. ###",
    "3": "### ..# ### ..# ###",
    "4": "#.# #.# ### ..# ..#",
    "5": "### #.. ### ..# ###",
    "6": "### #.. ### #.# ###",
    "7": "### ..# ..# ..# ..#",
    "8": "### #.# ### #.# ###",
    "9": "### #.# ### ..# ###",
}
FIGURE_ROWS = 5


def figures_width(figures: str) -> int:
    """Return how many blocks wide some figures are."""
    return 4 * len(figures) - 1


def figure_solids(figures: str, rows: int, cols: int) -> frozenset[Cell]:
    """Return the squares outside figures that fill a board of whole blocks."""
    blocks = [".".join(_FIGURES[figure].split()[row] for figure in figures) for row in range(FIGURE_ROWS)]
    width = figures_width(figures)
    return frozenset(
        row * cols + col
        for row in range(rows)
        for col in range(cols)
        if blocks[row * FIGURE_ROWS // rows][col * width // cols] == "."
    )


def nest(side: int) -> Solution:
    """Return a board of bends inside one another round its bottom right corner, which is solid.

    Its solution is the only one: each bend's ends have one free neighbour, which it must take, and so have
    the lines after that.
    """
    paths = []
    for far in range(1, side):
        near = side - 1 - far
        up = [row * side + near for row in range(side - 1, near, -1)]
        paths.append((*up, *(near * side + col for col in range(near, side))))
    return Cover(side, side, tuple(paths)).solution


@lru_cache(maxsize=64)
def made_board(rows: int, cols: int, solids: frozenset[Cell], path: int, seed: str) -> Solution:
    """Make a board round solid squares.

    Args:
        solids: squares that no line enters; pieces of less than three squares between them become solid too.
        path: how many squares a line has in the middle, or fewer if no such board is found.
        seed: any text.
    Raises:
        LayoutError: none was found.
    """
    solids = frozenset(solids) | _too_small(Grid(rows, cols, frozenset(solids)))
    free = rows * cols - len(solids)
    solid = [int(cell in solids) for cell in range(rows * cols)]
    for attempt in range(_ATTEMPTS):
        length = max(_SHORTEST + 1, path - attempt / 6)
        shortest = max(_SHORTEST, round(_SHORTEST_SHARE * length))
        pairs = max(1, round(free / length))
        order = Order(Recipe(rows, cols, shortest_path=shortest), pairs, len(solids))
        demands = list(shape_demands(order, solid))
        demands[4] = _held(solids, rows * cols)
        dice = dice_from(f"{seed}/{attempt}")
        ended, paths, _ = shape_cover(
            rows, cols, tuple(demands), [], (True, 0), dice, repair_stages(order), attempt_limit(order)
        )
        if ended == ShapingOutcome.DONE:
            return Cover(rows, cols, tuple(map(tuple, paths))).shuffled(dice).solution
    raise LayoutError(
        f"no board of {cols} × {rows} squares with the words' field was found for the cover's art. Choose "
        "another cover.design.",
        "cover.design",
    )


def _held(solids: Collection[Cell], cells: int) -> list[Cell]:
    """Return counterparts by which no solid may move: each has another square, free ones have themselves."""
    images = list(range(cells))
    for solid in solids:
        images[solid] = (solid + 1) % cells
    return images


def _too_small(grid: Grid) -> frozenset[Cell]:
    """Return the squares of free pieces in which no line fits."""
    small: set[Cell] = set()
    left = set(grid.free_cells)
    while left:
        piece, waiting = set(), [min(left)]
        while waiting:
            cell = waiting.pop()
            if cell not in piece:
                piece.add(cell)
                waiting += grid.neighbours[cell]
        left -= piece
        if len(piece) < _SHORTEST:
            small |= piece
    return frozenset(small)
