"""A sentence is a tree without words; ``words.language`` has the words of each language.

A node is the key of a phrase with what fills its names in braces: a square, a printed number, a direction,
another phrase, or a list of these. Equal trees read alike, so they serve as keys and travel by pickle.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from linkpress.puzzle.puzzle import Cell, Grid


class DirectionWord(StrEnum):
    """A direction leads from a square to the next; the value is the key of its phrase."""

    UP = "up"
    LEFT = "left"
    RIGHT = "right"
    DOWN = "down"


class Square(NamedTuple):
    """A square of a board is named by its column and row, counted from 1."""

    row: int
    col: int

    @property
    def name(self) -> str:
        """Return the name as on a chessboard, rows counted from the top: E2."""
        return f"{column_name(self.col)}{self.row}"


def column_name(col: int) -> str:
    """Return the letters of a column, counted from 1: A to Z, then AA to AX."""
    before, last = divmod(col - 1, 26)
    return (chr(ord("A") + before - 1) if before else "") + chr(ord("A") + last)


LEFT_OUT = "…"
"""This stands in a list for squares that it leaves out."""


class Blank(NamedTuple):
    """A blank is a place for a square or a number, in a sentence that many boards share.

    Args:
        place: counted from 0, in the tree's order.
        is_square: else a number.
    """

    place: int
    is_square: bool


class ListKind(StrEnum):
    """A kind says how a list is joined; the value is the key of its phrase."""

    AND = "list_and"
    OR = "list_or"
    COMMA = "list_comma"
    REASONS = "list_reasons"
    THEN = "list_then"
    ROUTE = "list_route"


class FilledPhrase(NamedTuple):
    """A filled phrase has its key, and what fills its names."""

    key: str
    parts: tuple[tuple[str, PhraseTree], ...]


class PhraseList(NamedTuple):
    """A list has two parts or more."""

    kind: ListKind
    parts: tuple[PhraseTree, ...]


Value: TypeAlias = Square | int
PhraseTree: TypeAlias = Value | Blank | DirectionWord | str | FilledPhrase | PhraseList


def phrase(key: str, **parts: PhraseTree) -> FilledPhrase:
    """Fill the names of a phrase, which is given by its key."""
    return FilledPhrase(key, tuple(parts.items()))


def list_of(kind: ListKind, parts: Iterable[PhraseTree]) -> PhraseTree:
    """Join parts to a list; one part alone stands for itself."""
    many = tuple(parts)
    return many[0] if len(many) == 1 else PhraseList(kind, many)


def parts_of(tree: PhraseTree) -> tuple[PhraseTree, ...]:
    """Return what fills a phrase, or the parts of a list; a leaf has none."""
    if isinstance(tree, FilledPhrase):
        return tuple(part for _, part in tree.parts)
    return tree.parts if isinstance(tree, PhraseList) else ()


def weight_of(*trees: PhraseTree) -> int:
    """Count the phrases in some trees, and the squares, numbers and directions that fill them."""
    inner = [part for tree in trees for part in parts_of(tree)]
    lists = sum(isinstance(tree, PhraseList) for tree in trees)
    return len(trees) - lists + (weight_of(*inner) if inner else 0)


def square(grid: Grid, cell: Cell) -> Square:
    """Name a square."""
    row, col = grid.position(cell)
    return Square(row + 1, col + 1)


def squares(grid: Grid, cells: Iterable[Cell], kind: ListKind = ListKind.AND) -> PhraseTree:
    """Name some squares."""
    return list_of(kind, (square(grid, cell) for cell in cells))


def route(grid: Grid, cells: Iterable[Cell]) -> PhraseTree:
    """Name the squares along a line."""
    return squares(grid, cells, ListKind.ROUTE)


class BlankedText:
    """A sentence becomes text with blanks in place of squares and numbers: JSON that ``read_blanked`` reads.

    Attributes:
        text: equal where nothing but squares and numbers differs.
        values: what stands in the blanks, squares as cells.
        blank_of: by square, the first blank in which it stands.
    """

    def __init__(self, sentence: PhraseTree, cols: int) -> None:
        self.cols = cols
        self.values: list[int] = []
        self.blank_of: dict[Cell, int] = {}
        self.text = self._spelt(sentence)

    def _spelt(self, part: PhraseTree) -> str:
        if isinstance(part, FilledPhrase):
            filled = ",".join([f'"{name}":{self._spelt(value)}' for name, value in part[1]])
            return f'["{part[0]}",{{{filled}}}]'
        if isinstance(part, Square):
            cell = (part[0] - 1) * self.cols + part[1] - 1
            self.values.append(cell)
            self.blank_of.setdefault(cell, len(self.values) - 1)
            return str(len(self.values) - 1)
        if isinstance(part, PhraseList):
            return f'["{part[0]}",[{",".join([self._spelt(member) for member in part[1]])}]]'
        if part == LEFT_OUT or isinstance(part, DirectionWord):
            return f'"{part}"'
        assert isinstance(part, int)  # a number: what has blanks is spelt already
        self.values.append(part)
        return str(-len(self.values))


def read_blanked(text: str) -> PhraseTree:
    """Read the text of a ``BlankedText``."""
    return _read(json.loads(text))


def _read(spelt: Any) -> PhraseTree:
    match spelt:
        case [key, dict(parts)]:
            return FilledPhrase(key, tuple((name, _read(value)) for name, value in parts.items()))
        case [kind, members]:
            return PhraseList(ListKind(kind), tuple(_read(member) for member in members))
        case str():
            return spelt if spelt == LEFT_OUT else DirectionWord(spelt)
    return Blank(spelt, True) if spelt >= 0 else Blank(-1 - spelt, False)
