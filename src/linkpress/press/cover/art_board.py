"""The board of a cover's art is made to the art's shape, and proven to have one solution, always the same."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from linkpress.book.level import load_mask
from linkpress.engine.feasibility import fewest_pairs, islands
from linkpress.engine.make.cover import Cover
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Span
from linkpress.errors import LayoutError, RecipeError
from linkpress.puzzle.notation.link_text import grid_rows
from linkpress.puzzle.puzzle import Cell, Grid, Solution

_WORK = 2_000_000  # on boards of one length of lines, about two seconds
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
_LETTER_STROKE = 3  # of the letters among the shipped masks


class BlockLetters(NamedTuple):
    """Letters or figures are rows of blocks, a full stop where no line runs; strokes are some blocks wide."""

    blocks: Sequence[str]
    stroke: int

    @property
    def rows(self) -> int:
        """Return how many blocks the letters are high."""
        return len(self.blocks)

    @property
    def cols(self) -> int:
        """Return how many blocks the letters are wide."""
        return len(self.blocks[0])


def block_letters(text: str) -> BlockLetters:
    """Draw capitals from A to Z, or figures."""
    if text.isdigit():
        drawn = [_FIGURES[figure].split() for figure in text]
        return BlockLetters([".".join(row) for row in zip(*drawn, strict=True)], 1)
    masks = [grid_rows(load_mask(f"letter-{letter.lower()}")) for letter in text]
    swapped = str.maketrans("#.", ".#")
    rows = ["##".join(row).translate(swapped) for row in zip(*masks, strict=True)]
    return BlockLetters(rows, _LETTER_STROKE)


def letter_solids(letters: BlockLetters, rows: int, cols: int) -> frozenset[Cell]:
    """Return the squares outside letters that fill a board of whole blocks."""
    return frozenset(
        row * cols + col
        for row in range(rows)
        for col in range(cols)
        if letters.blocks[row * letters.rows // rows][col * letters.cols // cols] == "."
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
        solids: squares that no line enters; pieces in which few lines fit become solid too, as crumbs.
        path: how many squares a line has in the middle, or fewer if no such board is found.
    Raises:
        LayoutError: none was found.
    """
    pieces = list(islands(Grid(rows, cols, solids)))
    least = min(2 * path, max(map(len, pieces), default=0) // 2)
    mask = Grid(rows, cols, solids.union(*(piece for piece in pieces if len(piece) < least)))
    for length in range(path, _SHORTEST, -1):
        shortest = max(_SHORTEST, round(_SHORTEST_SHARE * length))
        recipe = Recipe(rows, cols, shortest_path=shortest, mask=mask)
        pairs = max(fewest_pairs(recipe), round(len(mask.free_cells) / length))
        recipe = replace(recipe, pairs=Span(pairs, pairs + 1 + pairs // 20))
        with suppress(RecipeError):
            return generate(recipe, f"{seed}/{length}", budget=_WORK, graded=False).solution
    raise LayoutError(
        f"no board of {cols} × {rows} squares with the words' field was found for the cover's art. Choose "
        "another design.",
        "cover.design",
    )
