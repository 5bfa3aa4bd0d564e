"""What is said of a step, as a tree without words; ``words.steps`` has the words of each language.

A **saying** is the key of a phrase with what fills its names in braces: a square, a printed number, a way,
another saying, or a list of these. Equal trees are told alike, so they serve as keys and travel by pickle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import NamedTuple, TypeAlias

from linkpress.puzzle.grid import Cell, Grid


class Way(Enum):
    """From a square to the next; the value is the key of its phrase."""

    UP = "up"
    LEFT = "left"
    RIGHT = "right"
    DOWN = "down"

    @property
    def offset(self) -> tuple[int, int]:
        """Rows down and columns to the right."""
        return _OFFSETS[self]


_OFFSETS = {Way.UP: (-1, 0), Way.LEFT: (0, -1), Way.RIGHT: (0, 1), Way.DOWN: (1, 0)}


class Square(NamedTuple):
    """A square of a board, counted from 1."""

    row: int
    col: int

    @property
    def name(self) -> str:
        """As people write it: ``r2c5``."""
        return f"r{self.row}c{self.col}"


class Gap(NamedTuple):
    """A place for a square or a number, for what is said of many boards.

    Args:
        at: counted from 0, in the tree's order.
        is_square: else a number.
    """

    at: int
    is_square: bool


class ListKind(Enum):
    """How a list is joined; the value is the key of its phrase."""

    AND = "list_and"
    OR = "list_or"
    COMMA = "list_comma"
    REASONS = "list_reasons"
    THEN = "list_then"
    ROUTE = "list_route"


class Saying(NamedTuple):
    """A phrase by its key, with what fills its names."""

    key: str
    parts: tuple[tuple[str, Part], ...]


class Listed(NamedTuple):
    """Two parts or more as a list."""

    kind: ListKind
    parts: tuple[Part, ...]


Leaf: TypeAlias = Square | int
Part: TypeAlias = Leaf | Gap | Way | Saying | Listed


def saying(key: str, **parts: Part) -> Saying:
    """A phrase by its key, with what fills its names."""
    return Saying(key, tuple(parts.items()))


def listed(kind: ListKind, parts: Iterable[Part]) -> Part:
    """A list; one part alone stands for itself."""
    many = tuple(parts)
    return many[0] if len(many) == 1 else Listed(kind, many)


def square(grid: Grid, cell: Cell) -> Square:
    """A square as it is named."""
    row, col = grid.position(cell)
    return Square(row + 1, col + 1)


def squares(grid: Grid, cells: Iterable[Cell], kind: ListKind = ListKind.AND) -> Part:
    """A list of squares."""
    return listed(kind, (square(grid, cell) for cell in cells))


def route(grid: Grid, cells: Iterable[Cell]) -> Part:
    """Squares along a line."""
    return squares(grid, cells, ListKind.ROUTE)


def with_gaps(part: Part, gap: Callable[[Leaf], Gap]) -> Part:
    """The same tree with gaps in place of squares and numbers, asked for in the tree's order."""
    if isinstance(part, Saying):
        return Saying(part.key, tuple((name, with_gaps(one, gap)) for name, one in part.parts))
    if isinstance(part, Listed):
        return Listed(part.kind, tuple(with_gaps(one, gap) for one in part.parts))
    return part if isinstance(part, Way | Gap) else gap(part)


def nodes(part: Part) -> Iterator[Part]:
    """The tree and all trees in it, from the outside in."""
    yield part
    inner: Iterable[Part] = ()
    if isinstance(part, Saying):
        inner = (one for _, one in part.parts)
    elif isinstance(part, Listed):
        inner = part.parts
    for one in inner:
        yield from nodes(one)
