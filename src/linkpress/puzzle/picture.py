"""Pictures that appear when the paths of a solution are coloured.

A picture gives each free cell of a board a colour. Every path of the solution stays inside one region, which
is a connected group of cells of one colour. So each path has one colour, and readers who colour all paths see
the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType

from linkpress.documents.problem import printable
from linkpress.errors import PuzzleError
from linkpress.puzzle.link_text import LineReader
from linkpress.puzzle.puzzle import Cell, Grid, Puzzle, Solution

COLOURS: Mapping[str, str] = MappingProxyType(
    {
        ".": "white", "Y": "yellow", "A": "light_orange", "O": "orange", "R": "red", "D": "dark_red",
        "P": "pink", "V": "violet", "B": "blue", "L": "light_blue", "T": "turquoise", "G": "green",
        "N": "brown", "E": "grey", "K": "black",
    }
)  # fmt: skip
"""The colour of each letter in the text of a picture, as a key of ``colour_names`` in a words file."""
SOLID = "#"
# Limit for the number of colours in a picture. More colours are hard to distinguish when they are
# printed as greys.
MOST_COLOURS = 6
LETTERS = ", ".join(f"{letter} {colour.replace('_', ' ')}" for letter, colour in COLOURS.items())
_LETTER_OF = {colour: letter for letter, colour in COLOURS.items()}


@dataclass(frozen=True)
class Picture:
    """Board whose cells have colours.

    Args:
        rows, cols: the size of the board.
        colours: the colour of each cell, as a value of ``COLOURS``. A solid cell, which no path may use, has
            an empty text instead of a colour.
    Raises:
        PuzzleError: the board is too small or too large, or there are too few or too many colours.
    """

    rows: int
    cols: int
    colours: tuple[str, ...]

    def __post_init__(self) -> None:
        Grid(self.rows, self.cols)  # checks the size: raises ``PuzzleError`` if it is not allowed
        count = len(set(self.colours) - {""})
        if not 2 <= count <= MOST_COLOURS:
            found = f"{count} colour{'s' * (count != 1)}"
            raise PuzzleError(f"the picture has {found}, and 2 to {MOST_COLOURS} are needed")

    @cached_property
    def grid(self) -> Grid:
        return self._grid_without({""})

    @cached_property
    def layers(self) -> Mapping[str, Grid]:
        """Return, for each colour, a board on which all cells of other colours are solid."""
        used = dict.fromkeys(filter(None, self.colours))
        return {colour: self._grid_without(set(self.colours) - {colour}) for colour in used}

    @property
    def rows_text(self) -> list[str]:
        """Return the picture as lines of text: a line for each row, with a letter for each cell."""
        letters = "".join(_LETTER_OF.get(colour, SOLID) for colour in self.colours)
        return [letters[start : start + self.cols] for start in range(0, len(letters), self.cols)]

    def by_colour(self, paths: Iterable[tuple[Cell, ...]]) -> tuple[tuple[Cell, ...], ...]:
        """Sort paths by the colours of the picture.

        Pairs of the same colour then get consecutive numbers.
        """
        ranks = {colour: rank for rank, colour in enumerate(self.layers)}
        return tuple(sorted(paths, key=lambda path: ranks[self.colours[path[0]]]))

    def coloured(self, solution: Solution) -> Solution:
        """Return a copy of a solution whose puzzle contains the colour of each of its pairs."""
        puzzle = solution.puzzle
        colours = tuple(self.colours[pair.first] for pair in puzzle.pairs)
        return replace(solution, puzzle=replace(puzzle, colours=colours))

    def _grid_without(self, colours: set[str]) -> Grid:
        solids = frozenset(cell for cell, colour in enumerate(self.colours) if colour in colours)
        return Grid(self.rows, self.cols, solids)


def parse_picture(text: str) -> Picture:
    """Read a picture from a text that has a line for each row and a letter for each square.

    ``COLOURS`` lists the letters; a ``#`` is a solid square.

    Raises:
        PuzzleError: the text is empty, its rows differ in length, or a letter is unknown; or the picture is
            malformed, see ``Picture``.
    """
    lines, rows = LineReader(text), list[str]()
    lines.skip_blank()
    while (line := lines.read()) is not None:
        row = "".join(line.split()).upper()
        rows.append(row)
        wrong = next((letter for letter in row if letter not in COLOURS and letter != SOLID), None)
        if wrong:
            where = f"row {len(rows)}, column {row.index(wrong) + 1}"
            raise PuzzleError(f"{where}: {wrong!r} is no colour; write {LETTERS}, or # for a solid square")
    while rows and not rows[-1]:
        rows.pop()
    widths = {len(row) for row in rows}
    if len(widths) != 1:
        reason = f"its rows have {min(widths)} to {max(widths)} squares" if widths else "it is empty"
        raise PuzzleError(f"{reason}; rows of equal length are needed, with a letter for each square")
    return picture_of(len(rows), (COLOURS.get(letter, "") for letter in "".join(rows)))


def picture_of(rows: int, colours: Iterable[str]) -> Picture:
    """Make a picture from the colours of its cells, given row by row."""
    listed = tuple(colours)
    return Picture(rows, len(listed) // rows, listed)


def pairs_of_colours(puzzle: Puzzle) -> Mapping[str, list[int]]:
    """Map each colour to the numbers of the pairs that have it.

    The result is empty if the puzzle shows no picture.
    """
    numbers: dict[str, list[int]] = {}
    for pair, colour in zip(puzzle.pairs, puzzle.colours, strict=False):
        numbers.setdefault(colour, []).append(pair.number)
    return numbers


def with_colours(puzzle: Puzzle, colours: object) -> Puzzle:
    """Return a copy of a puzzle with one colour for each pair.

    Raises:
        PuzzleError: a colour is unknown, or the number of colours is not the number of pairs.
    """
    pairs, known = puzzle.pairs, COLOURS.values()
    if not isinstance(colours, list) or len(colours) != len(pairs) or any(c not in known for c in colours):
        needed = f"a list of {len(pairs)} colours, one for each pair, is needed: from {', '.join(known)}"
        raise PuzzleError(f"colours: {printable(str(colours))} — {needed}")
    return replace(puzzle, colours=tuple(colours))
