"""Give puzzles names, such as "Staircase" or "Mind the gap".

A puzzle is named after its *look*, which is a pattern of its numbers or paths, or after its *trick*, which is
the hardest solving technique that it needs. When all these names have been used, a puzzle is named after the
part of the board that is empty or crowded. After that, names are used that combine a look or a part of the
board with a trick. When all of them have been used too, a number is added.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, product
from statistics import fmean

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.puzzle.puzzle import Solution
from linkpress.words import Words

# Puzzles are named after visual patterns of their boards, such as stairs. The strength of a pattern, from 0
# to 1, says how clearly a board shows this pattern. A puzzle is named after a pattern only if its strength is
# at least this, because weaker patterns are hardly visible.
_LEAST_STRENGTH = 0.5
# Puzzles are named after visual patterns or after solving techniques. The strength of a name, from 0 to 1,
# says how well it suits a puzzle. Names for the pattern "plain", which every board has, always have the first
# of these two strengths. Names for solving techniques always have the second.
_PLAIN_STRENGTH, _TRICK_STRENGTH = 0.1, 0.7
# Puzzles are named after visual patterns of their boards, such as stairs. Each pattern has a list of names.
# The strength of the first name, from 0 to 1, is how clearly the board shows the pattern. Each further name
# of the list is weaker than the name before by this amount, so that it is chosen less often.
_LATER_NAME = 0.15
# Ranks of puzzle names: names after a pattern or a technique, names after a part of the board, names that
# combine a pattern with a technique, and names that combine a part of the board with a technique. Names of a
# rank are used only after all names of the ranks before.
_SHORT, _PLACED, _LONG, _LONG_PLACED = range(4)
_PLACES = (
    ("top_left", "top", "top_right"),
    ("left", "middle", "right"),
    ("bottom_left", "bottom", "bottom_right"),
)

_Cell = tuple[int, int]


def name_puzzles(records: Sequence[PuzzleRecord], words: Words) -> tuple[str, ...]:
    """Give each puzzle of a book a different name.

    First, all suitable names of all puzzles are sorted. Short names come before long names. Among names of
    the same kind, those that suit their puzzle best come first. Then, in this order, a puzzle gets a name if
    the puzzle has no name yet and no other puzzle has this name. A puzzle that has no name in the end gets
    a name that another puzzle has, with a number added.

    Args:
        records: the puzzles in printed order.
        words: the phrases of the book's language.
    Returns:
        The names, in the order of the puzzles.
    """
    offers = sorted(
        (rank, -strength, index, name)
        for index, record in enumerate(records)
        for rank, strength, name in _offers(record, words)
    )
    named: dict[int, str] = {}
    taken: set[str] = set()
    for _, _, index, name in offers:
        if index not in named and name.casefold() not in taken:
            named[index] = name
            taken.add(name.casefold())
    for _, _, index, name in offers:
        if index not in named:
            parts = (words.say(words.names.part, name=name, number=str(part)) for part in count(2))
            named[index] = next(text for text in parts if text.casefold() not in taken)
            taken.add(named[index].casefold())
    return tuple(named[index] for index in range(len(records)))


def longest_names(words: Words) -> Iterator[str]:
    """Yield some of the longest names that puzzles can have, to find out how much room a name needs."""
    looks = [name for _, listed in words.names.looks for name in listed]
    looks += [
        words.say(phrase, place=place)
        for phrase, (_, place) in product((words.names.quiet, words.names.crowd), words.player.places)
    ]
    tricks = [name for _, listed in words.names.tricks for name in listed]
    for look in sorted(looks, key=len)[-5:]:
        for trick in sorted(tricks, key=len)[-5:]:
            yield words.say(words.names.both, look=look, trick=trick)


def _offers(record: PuzzleRecord, words: Words) -> Iterator[tuple[int, float, str]]:
    """Yield every name that suits a puzzle, as a rank, a strength and the text of the name.

    The rank says which names to use first: those with a lower rank. Among names of the same rank, a name with
    a higher strength suits the puzzle better.
    """
    names, board = words.names, _Board(record.solution)
    shown = [
        offer
        for look, strength in board.looks.items()
        for offer in _listed(getattr(names.looks, look), strength)
    ]
    tricks = _listed(_hardest(record, words), _TRICK_STRENGTH)
    placed = [
        (strength, words.say(getattr(names, kind), place=getattr(words.player.places, place)))
        for kind, place, strength in board.uneven_places
    ]
    for rank, offers in ((_SHORT, shown), (_SHORT, tricks), (_PLACED, placed)):
        yield from ((rank, strength, name) for strength, name in offers)
    for rank, offers in ((_LONG, shown), (_LONG_PLACED, placed)):
        for (strength, look), (other, trick) in product(offers, tricks):
            yield rank, strength + other, words.say(names.both, look=look, trick=trick)


def _listed(names: Sequence[str], strength: float) -> list[tuple[float, str]]:
    return [(strength - _LATER_NAME * place, name) for place, name in enumerate(names)]


def _hardest(record: PuzzleRecord, words: Words) -> Sequence[str]:
    """Return the names that a puzzle can get because of the hardest solving technique that it needs.

    Each technique has a list of such names in the words file of the language. The result is empty if no
    technique of this puzzle has a list.
    """
    needed = {technique.replace("-", "_") for technique in record.findings}
    tricks = [listed for technique, listed in words.names.tricks if technique in needed]
    return tricks[-1] if tricks else ()


@dataclass(frozen=True)
class _Board:
    """Solved board. Its properties say how strongly its numbers and paths show each visual pattern."""

    solution: Solution

    @cached_property
    def looks(self) -> Mapping[str, float]:
        """The strength, from 0 to 1, of each visible pattern, such as a symmetry of the numbers.

        The keys are the keys of ``names.looks`` in a words file.
        """
        rows, cols = self._size
        strengths = {**self._symmetries, **self._runs, **self._paths}
        rings, used_rings = (min(rows, cols) + 1) // 2, len({self._ring(cell) for cell in self._ends})
        used_rows, used_cols = (len({cell[axis] for cell in self._ends}) for axis in (0, 1))
        strengths["rows"] = 1.1 - used_rows / rows
        strengths["columns"] = 1.1 - used_cols / cols
        strengths["lattice"] = 1.1 - (used_rows + used_cols) / (rows + cols)
        strengths["rings"] = 1.15 - used_rings / rings
        strengths["frame"] = fmean(self._ring(cell) == 0 for cell in self._ends)
        strengths["inside"] = 0.55 * all(self._ring(cell) > 0 for cell in self._ends)
        strengths["centre"] = fmean(self._ring(cell) >= rings / 2 for cell in self._ends)
        middle = product(range(rows // 4, rows - rows // 4), range(cols // 4, cols - cols // 4))
        strengths["courtyard"] = 0.8 * self._ends.isdisjoint(middle)
        corners = self._ends.intersection(product((0, rows - 1), (0, cols - 1)))
        strengths["corners"] = 0.8 * (len(corners) == 4)
        colours = Counter((row + col) % 2 for row, col in self._ends)
        strengths["chessboard"] = 2 * max(colours.values()) / len(self._ends) - 1
        strengths["stars"] = fmean(map(self._is_alone, self._ends)) - 0.2
        strengths["blocks"] = 0.7 * bool(self.solution.puzzle.grid.solids)
        visible = {
            look: min(1.0, strength) for look, strength in strengths.items() if strength >= _LEAST_STRENGTH
        }
        return {**visible, "plain": _PLAIN_STRENGTH}

    @property
    def uneven_places(self) -> Iterator[tuple[str, str, float]]:
        """Find the part of the board with the most numbers and the part with the fewest.

        For this, the board is divided into nine parts, such as the top left and the centre.

        Yields:
            ``crowd`` for the part with the most numbers, then ``quiet`` for the part with the fewest; the
            name of the part; and how strongly it differs from the average, from 0 to 1.
        """
        rows, cols = self._size
        counts = Counter({place: 0 for row in _PLACES for place in row})
        counts.update(_PLACES[3 * row // rows][3 * col // cols] for row, col in self._ends)
        ordered = counts.most_common()
        usual = len(self._ends) / len(counts)
        yield "crowd", ordered[0][0], min(1.0, ordered[0][1] / usual / 4)
        yield "quiet", ordered[-1][0], 1 - ordered[-1][1] / usual

    @cached_property
    def _size(self) -> tuple[int, int]:
        grid = self.solution.puzzle.grid
        return grid.rows, grid.cols

    @cached_property
    def _ends(self) -> frozenset[_Cell]:
        pairs, cols = self.solution.puzzle.pairs, self._size[1]
        return frozenset(divmod(cell, cols) for pair in pairs for cell in (pair.first, pair.second))

    @property
    def _symmetries(self) -> Mapping[str, float]:
        ends, (rows, cols) = self._ends, self._size
        across = ends == {(row, cols - 1 - col) for row, col in ends}
        down = ends == {(rows - 1 - row, col) for row, col in ends}
        turned = ends == {(rows - 1 - row, cols - 1 - col) for row, col in ends}
        quarter = rows == cols and ends == {(col, rows - 1 - row) for row, col in ends}
        folded = rows == cols and (
            ends == {(col, row) for row, col in ends}
            or ends == {(cols - 1 - col, rows - 1 - row) for row, col in ends}
        )
        return {
            "windmill": 0.95 * quarter,
            "kaleidoscope": 0.9 * (across and down),
            "mirror": 0.8 * (across and not down),
            "lake": 0.8 * (down and not across),
            "fold": 0.8 * folded,
            "half_turn": 0.6 * (turned and not quarter and not across),
        }

    @property
    def _runs(self) -> Mapping[str, float]:
        """Return how clearly the board shows patterns of numbers that are close together.

        For example, ``queue`` is a long straight row of numbers, and ``stairs`` are numbers on a diagonal.
        The value 0 means that the pattern is not visible at all. From 0.5 on, a puzzle can be named after it.
        """
        ends = self._ends
        straight = [length for step in ((0, 1), (1, 0)) for length in self._lengths(step)]
        slanted = [length for step in ((1, 1), (1, -1)) for length in self._lengths(step)]
        twos = sum(length == 2 for length in straight)
        knights = sum(
            (row + down, col + along) in ends
            for row, col in ends
            for down, along in ((1, 2), (2, 1), (1, -2), (2, -1))
        )
        return {
            "triples": 0.4 + 3 * straight.count(3) / len(ends) / 2 if straight.count(3) > 1 else 0.0,
            "queue": max(straight, default=0) / 7,
            "stairs": 0.3 + sum(length for length in slanted if length > 2) / len(ends),
            "dominoes": 2 * twos / len(ends) if max(straight, default=0) < 3 else 0.0,
            "knights": 0.5 * knights / len(ends),
        }

    def _lengths(self, step: _Cell) -> Iterator[int]:
        """Yield the length of each straight row of at least two numbers in adjacent squares.

        Args:
            step: the direction of the rows, as the change of the row and of the column from square to square.
        """
        down, along = step
        for row, col in self._ends:
            if (row - down, col - along) not in self._ends:
                length = next(n for n in count(1) if (row + n * down, col + n * along) not in self._ends)
                if length > 1:
                    yield length

    @property
    def _paths(self) -> Mapping[str, float]:
        """How clearly, from 0 to 1, the board shows each pattern of paths, such as detours."""
        rows, cols = self._size
        lengths, spans, is_straight = [], [], []
        for path in self.solution.paths:
            (row, col), (last_row, last_col) = divmod(path.cells[0], cols), divmod(path.cells[-1], cols)
            lengths.append(len(path.cells) - 1)
            spans.append(max(1, abs(row - last_row) + abs(col - last_col)))
            is_straight.append(lengths[-1] == spans[-1] and (row == last_row or col == last_col))
        detour = max(length / span for length, span in zip(lengths, spans, strict=True))
        room = len(self.solution.puzzle.grid.free_cells) / len(lengths)
        side = math.sqrt(rows * cols)
        return {
            "detour": min(1.0, detour / 12),
            "straight": 0.35 + 0.6 * fmean(is_straight),
            "tour": min(1.0, 2 * (max(lengths) + 1) / (rows * cols)),
            "far": fmean(spans) / side - 0.2,
            "few": min(1.0, room / 25),
            "many": min(1.0, 3.5 / room),
        }

    def _ring(self, cell: _Cell) -> int:
        """Return the distance of a cell from the border, in cells."""
        (row, col), (rows, cols) = cell, self._size
        return min(row, col, rows - 1 - row, cols - 1 - col)

    def _is_alone(self, cell: _Cell) -> bool:
        around = product(range(cell[0] - 1, cell[0] + 2), range(cell[1] - 1, cell[1] + 2))
        return self._ends.intersection(around) == {cell}
