"""Represent a sentence as a tree without words. The module ``words`` has the words of each language.

A node of the tree is the key of a phrase, with a value for each placeholder of that phrase. The value is a
square, a printed number, a direction, another phrase, or a list of these. Trees are tuples, so equal
sentences are equal as dictionary keys.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, NamedTuple, TypeAlias

from linkpress.puzzle.puzzle import Cell, Grid, square_name


class DirectionWord(StrEnum):
    """Direction from a square to a neighbour. The value is the key of the phrase that names the direction."""

    UP = "up"
    LEFT = "left"
    RIGHT = "right"
    DOWN = "down"


class Square(NamedTuple):
    """Square of a board. Row and column are counted from 1."""

    row: int
    col: int

    @property
    def name(self) -> str:
        return square_name(self.row, self.col)


LEFT_OUT = "…"
"""List member that stands for several squares that are not named."""


class Blank(NamedTuple):
    """Placeholder for a square or a number, in a sentence that is shared by many boards.

    Args:
        place: the index of the value that fills the blank. All squares and numbers of the sentence are
            counted together, from 0, in the order in which its phrases contain them.
        is_square: True for a square, False for a number.
    """

    place: int
    is_square: bool


class ListKind(StrEnum):
    """Ways to join the members of a list in a sentence.

    The value is the key of the phrase that joins two members.
    """

    AND = "list_and"
    OR = "list_or"
    COMMA = "list_comma"
    REASONS = "list_reasons"
    THEN = "list_then"
    ROUTE = "list_route"


class FilledPhrase(NamedTuple):
    """Phrase of a sentence, given by its key, with the name and the value of each of its placeholders."""

    key: str
    parts: tuple[tuple[str, PhraseTree], ...]


class PhraseList(NamedTuple):
    """Enumeration of two or more squares or phrases in a sentence, such as ``A1, B2 and C3``."""

    kind: ListKind
    parts: tuple[PhraseTree, ...]


Value: TypeAlias = Square | int
PhraseTree: TypeAlias = Value | Blank | DirectionWord | str | FilledPhrase | PhraseList


def phrase(key: str, **parts: PhraseTree) -> FilledPhrase:
    return FilledPhrase(key, tuple(parts.items()))


def list_of(kind: ListKind, parts: Iterable[PhraseTree]) -> PhraseTree:
    """Make a list of several phrase trees. A single tree is returned unchanged."""
    members = tuple(parts)
    return members[0] if len(members) == 1 else PhraseList(kind, members)


def parts_of(tree: PhraseTree) -> tuple[PhraseTree, ...]:
    """Return the values of a phrase or the members of a list.

    Squares, numbers and directions have no parts.
    """
    if isinstance(tree, FilledPhrase):
        return tuple(part for _, part in tree.parts)
    return tree.parts if isinstance(tree, PhraseList) else ()


def phrases_in(tree: PhraseTree) -> Iterator[FilledPhrase]:
    """Yield all phrases of a sentence. Each phrase comes before the phrases in its placeholders."""
    if isinstance(tree, FilledPhrase):
        yield tree
    for part in parts_of(tree):
        yield from phrases_in(part)


def square(grid: Grid, cell: Cell) -> Square:
    """Convert a cell of the grid to a ``Square``, as sentences use it."""
    row, col = grid.position(cell)
    return Square(row + 1, col + 1)


def squares(grid: Grid, cells: Iterable[Cell], kind: ListKind = ListKind.AND) -> PhraseTree:
    return list_of(kind, (square(grid, cell) for cell in cells))


def direction_between(first: Square, second: Square) -> DirectionWord:
    if first.row != second.row:
        return DirectionWord.DOWN if second.row > first.row else DirectionWord.UP
    return DirectionWord.RIGHT if second.col > first.col else DirectionWord.LEFT


def route(grid: Grid, cells: Iterable[Cell]) -> PhraseTree:
    return squares(grid, cells, ListKind.ROUTE)


class BlankedText:
    """Sentence as JSON text with a blank in place of each square and each number.

    Sentences that differ only in their squares and numbers have the same text, so the text is stored only
    once. ``read_blanked`` reads it.

    Attributes:
        text: the JSON text.
        values: the values of the blanks in order. A square is given as the index of its cell.
        blank_of: maps each cell to the index of its first blank.
    """

    def __init__(self, sentence: PhraseTree, cols: int) -> None:
        self.cols = cols
        self.values: list[int] = []
        self.blank_of: dict[Cell, int] = {}
        self.text = self._spell(sentence)

    def _spell(self, part: PhraseTree) -> str:
        if isinstance(part, FilledPhrase):
            filled = ",".join([f'"{name}":{self._spell(value)}' for name, value in part[1]])
            return f'["{part[0]}",{{{filled}}}]'
        if isinstance(part, Square):
            cell = (part[0] - 1) * self.cols + part[1] - 1
            self.values.append(cell)
            self.blank_of.setdefault(cell, len(self.values) - 1)
            return str(len(self.values) - 1)
        if isinstance(part, PhraseList):
            return f'["{part[0]}",[{",".join([self._spell(member) for member in part[1]])}]]'
        if part == LEFT_OUT or isinstance(part, DirectionWord):
            return f'"{part}"'
        # All other types are handled above, so the part is a printed number.
        assert isinstance(part, int)
        self.values.append(part)
        return str(-len(self.values))


def read_blanked(text: str) -> PhraseTree:
    """Convert the ``text`` of a ``BlankedText`` back to a sentence.

    The sentence has a ``Blank`` in place of each square and each number.
    """
    return _read(json.loads(text))


def _read(spelled: Any) -> PhraseTree:
    match spelled:
        case [key, dict(parts)]:
            return FilledPhrase(key, tuple((name, _read(value)) for name, value in parts.items()))
        case [kind, members]:
            return PhraseList(ListKind(kind), tuple(_read(member) for member in members))
        case str():
            return spelled if spelled == LEFT_OUT else DirectionWord(spelled)
    return Blank(spelled, True) if spelled >= 0 else Blank(-1 - spelled, False)
