"""What is said of a step, as a tree without words; ``words.steps`` has the words of each language.

A **saying** is the key of a phrase with what fills its names in braces: a square, a printed number, a way,
another saying, or a list of these. Equal trees are told alike, so they serve as keys and travel by pickle.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from linkpress.puzzle.grid import Cell, Grid


class Way(StrEnum):
    """From a square to the next; the value is the key of its phrase."""

    UP = "up"
    LEFT = "left"
    RIGHT = "right"
    DOWN = "down"


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


class ListKind(StrEnum):
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


class GapText:
    """What is said as text, with gaps in place of squares and numbers: JSON that ``part_of`` reads.

    Args:
        part: what is said.
        cols: of the board.
    Attributes:
        text: equal where nothing but squares and numbers differs.
        values: what stands in the gaps, squares as cells.
        gap_of: by square, the first gap in which it stands.
        ways: that are named.
    """

    def __init__(self, part: Part, cols: int) -> None:
        self.cols = cols
        self.values: list[int] = []
        self.gap_of: dict[Cell, int] = {}
        self.ways: set[str] = set()
        self.text = self._spelt(part)

    def _spelt(self, part: Part) -> str:
        if isinstance(part, Saying):
            filled = ",".join([f'"{name}":{self._spelt(one)}' for name, one in part[1]])
            return f'["{part[0]}",{{{filled}}}]'
        if isinstance(part, Square):
            cell = (part[0] - 1) * self.cols + part[1] - 1
            self.values.append(cell)
            self.gap_of.setdefault(cell, len(self.values) - 1)
            return str(len(self.values) - 1)
        if isinstance(part, Listed):
            return f'["{part[0]}",[{",".join([self._spelt(one) for one in part[1]])}]]'
        if isinstance(part, Way):
            self.ways.add(part)
            return f'"{part}"'
        assert isinstance(part, int)  # a number: what has gaps is spelt already
        self.values.append(part)
        return str(-len(self.values))


def part_of(text: str) -> Part:
    """What ``GapText`` spelt."""
    return _read(json.loads(text))


def _read(spelt: Any) -> Part:
    match spelt:
        case [key, dict(parts)]:
            return Saying(key, tuple((name, _read(one)) for name, one in parts.items()))
        case [kind, many]:
            return Listed(ListKind(kind), tuple(_read(one) for one in many))
        case str():
            return Way(spelt)
    return Gap(spelt, True) if spelt >= 0 else Gap(-1 - spelt, False)
