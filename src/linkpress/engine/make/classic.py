"""The generator of the article: paths grown one after the other on an empty board.

Choose a free square that has a free neighbour, then one such neighbour (rule a): they start a
path. From its newer end take, at random, a free neighbour that touches the path at that end
alone (rule b); when there is none the path is finished and its ends become numbers. When no two
free squares are neighbours any more, those left over are solid. Union–find over the squares
answers "does this square touch the path"; ``find`` goes to the root, unlike the ``findset`` of
the C program that circulates with the article, which climbs one step.
"""

from __future__ import annotations

from linkpress.engine.kernels import Dice, dice_from, grow_paths
from linkpress.engine.make.cover import Cover


def grow_cover(rows: int, cols: int, seed_or_dice: str | Dice) -> Cover:
    """Grow one cover; it is not proven to have one solution, and has as many paths as it has.

    Args:
        rows, cols: 3 to 50 each.
        seed_or_dice: any text, or dice that a caller goes on rolling.
    Returns:
        A cover whose solids are the squares left over.
    """
    dice = dice_from(seed_or_dice) if isinstance(seed_or_dice, str) else seed_or_dice
    return Cover(rows, cols, tuple(map(tuple, grow_paths(rows, cols, dice))))
