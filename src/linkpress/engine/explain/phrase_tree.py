"""Represent a sentence as a tree without words. The module ``words`` has the words of each language.

A node of the tree is the key of a phrase, with a value for each placeholder of that phrase. The value is a
square, a printed number, a direction, another phrase, or a list of these. Trees are tuples, so equal
sentences are equal as dictionary keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import NamedTuple, TypeAlias

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
    """Return the parts of an item of a sentence.

    The parts of a phrase are the values of its placeholders, and the parts of a list are its members. Other
    items, such as squares, numbers and directions, have no parts.
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
    """Convert a cell of the grid to a ``Square``, the form in which sentences name cells."""
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
