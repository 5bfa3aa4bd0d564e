"""A finding about a gap says who must pass, how much room there is, and what that settles.

The kernels judge gaps; here what they counted is counted again, for the sentences.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from linkpress.engine.explain.finding_clauses import Clause
from linkpress.engine.explain.phrase_tree import (
    LEFT_OUT,
    FilledPhrase,
    ListKind,
    PhraseTree,
    list_of,
    phrase,
    route,
    square,
    squares,
)
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at, edge_index
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge

MOST_NUMBERS = 4  # of pairs, where each is named, or where it is said as well why not all must pass a gap
MOST_NAMED = 4  # of a gap's squares, where all are named; more lie along a row, a column or a diagonal
GAP_REASONS = (Reason.BY_ROOM, Reason.BY_TILT, Reason.WITHIN_GAP, Reason.OTHERS_CROSS)


class GapSides:
    """A gap parts the squares and lines of a board into sides."""

    def __init__(self, puzzle: Puzzle, position: Position, cells: tuple[Cell, ...]) -> None:
        self.grid, self.pairs, self.cells = puzzle.grid, puzzle.pairs, cells
        self.edges, self.mates, self.needs_at = position.edges(), position.mates(), position.needs()

    def beyond(self, step: Edge) -> Cell:
        """Return the cell that a step out of the gap leads to."""
        return next(cell for cell in step if cell not in self.cells)

    def side_of(self, cell: Cell) -> Cell:
        """Return the side that a cell lies on, by its lowest cell; the gap's own cells are each their own."""
        return self._places.get(cell, cell)

    def busiest(self) -> Cell:
        """Return the side that most lines have to leave."""
        sides = sorted(set(self._places.values()))
        return max(sides, key=lambda side: len(self.apart(side)) - self.carried(side))

    def apart(self, side: Cell) -> tuple[Cell, ...]:
        """Return the pairs with one line end on a side and one elsewhere, each by its lower endpoint."""
        return tuple(
            first
            for first, (one, other) in self._line_ends.items()
            if (self.side_of(one) == side) != (self.side_of(other) == side)
        )

    def carried(self, side: Cell) -> int:
        """Count the drawn lines without a number that lead from a side to elsewhere."""
        held = {end for ends in self._line_ends.values() for end in ends}
        ends = [cell for cell, place in self._places.items() if place == side and cell not in held]
        return sum(self.needs_at[cell] > 0 and self.side_of(self.mates[cell]) != side for cell in ends)

    def needs(self, side: Cell) -> tuple[int, int]:
        """Count the steps that the dark and the light squares of a side still take."""
        cells = [cell for cell, place in self._places.items() if place == side]
        # As on a chessboard, A1 dark.
        dark = sum(self.needs_at[cell] for cell in cells if sum(self.grid.position(cell)) % 2 == 0)
        return dark, sum(self.needs_at[cell] for cell in cells) - dark

    @cached_property
    def _line_ends(self) -> Mapping[Cell, tuple[Cell, Cell]]:
        """Return the open ends of the two lines of every pair that is not joined, by its lower endpoint."""
        mates = self.mates
        return {
            pair.first: (mates[pair.first], mates[pair.second])
            for pair in sorted(self.pairs, key=lambda pair: pair.first)
            if mates[pair.first] != pair.second
        }

    @cached_property
    def _places(self) -> Mapping[Cell, Cell]:
        """Return the lowest cell of its side, for every cell but the gap's own."""
        places: dict[Cell, Cell] = {}
        for start in range(self.grid.size):
            if start in places or start in self.cells:
                continue
            places[start], ahead = start, [start]
            while ahead:
                cell = ahead.pop()
                for to in self.grid.neighbours[cell]:
                    is_open = self.edges[edge_index(edge(cell, to))] == EdgeState.OPEN
                    if is_open and to not in places and to not in self.cells:
                        places[to] = start
                        ahead.append(to)
        return places


def gap_clause(puzzle: Puzzle, position: Position, deduction: Deduction) -> Clause:
    """Tell a finding about a gap in a clause, and name its squares."""
    grid = puzzle.grid
    ends = edge_at(grid.cols, deduction.where)
    gap, step = GapSides(puzzle, position, _gap_cells(grid.cols, deduction.cause)), route(grid, ends)
    if deduction.reason == Reason.WITHIN_GAP:
        return phrase("no_room", passing=_passing(puzzle, gap, gap.busiest()), step=step), gap.cells
    outside = gap.beyond(ends)
    side = gap.side_of(outside)
    needed, to_spare = deduction.kind == EdgeState.DRAWN, len(gap.apart(side)) <= gap.carried(side)
    sentence: PhraseTree
    if deduction.reason == Reason.OTHERS_CROSS:
        sentence = phrase("others_cross", passing=_passing(puzzle, gap, side), step=step)
    elif deduction.reason == Reason.BY_TILT:
        verdict = phrase("is_needed" if needed else "can_t_be_drawn", step=step)
        reasons: list[PhraseTree] = [_counted(gap, outside)]
        if not to_spare:
            passing = phrase("on_chessboard", corner=square(grid, 0), passing=_tilt(*gap.needs(side)))
            reasons = [_passing(puzzle, gap, side, briefly=True), passing]
        sentence = list_of(ListKind.REASONS, [*reasons, verdict])
    elif not needed:
        sentence = phrase("gap_full", passing=_passing(puzzle, gap, gap.busiest()), step=step)
    elif to_spare:
        beyond = square(grid, outside)
        sentence = phrase("filled_from_outside", gap=_named(gap), square=beyond, step=step)
    else:
        sentence = phrase("none_to_spare", passing=_passing(puzzle, gap, side), step=step)
    return sentence, tuple(sorted({*gap.cells, *ends}))


def _counted(gap: GapSides, outside: Cell) -> FilledPhrase:
    """Tell how many dark and light squares lie on the side of a gap."""
    dark, light = gap.needs(gap.side_of(outside))
    return phrase(
        "coloured",
        corner=square(gap.grid, 0),
        gap=_named(gap),
        square=square(gap.grid, outside),
        dark=dark,
        light=light,
        passing=_tilt(dark, light),
    )


def _tilt(dark: int, light: int) -> FilledPhrase:
    """Say at squares of which colour more lines pass a gap."""
    if dark == light:
        return phrase("as_many_pass")
    return phrase("more_dark" if dark > light else "more_light", number=abs(dark - light))


def _passing(puzzle: Puzzle, gap: GapSides, side: Cell, briefly: bool = False) -> FilledPhrase:
    apart, carried = gap.apart(side), gap.carried(side)
    numbers = sorted(puzzle.number_at[first] for first in apart)
    place = _named(gap)
    if len(apart) <= carried:
        return phrase("in_and_out", gap=place)
    if not carried and len(numbers) <= MOST_NUMBERS:
        pairs = list_of(ListKind.AND, (phrase("pair", number=number) for number in numbers))
        return phrase("pairs_pass", pairs=pairs, gap=place)
    parts: dict[str, PhraseTree] = {"numbers": list_of(ListKind.AND, numbers), "gap": place}
    if not carried:
        return phrase("all_pass", **parts)
    parts["least"] = len(apart) - carried
    if briefly or len(numbers) > MOST_NUMBERS:
        return phrase("least_pass", **parts)
    if carried == 1:
        return phrase("pairs_apart_one", **parts)
    return phrase("pairs_apart", carried=carried, **parts)


def _named(gap: GapSides) -> PhraseTree:
    if len(gap.cells) <= MOST_NAMED:
        return squares(gap.grid, gap.cells, ListKind.COMMA)
    first, second, *_, last = (square(gap.grid, cell) for cell in gap.cells)
    return list_of(ListKind.COMMA, (first, second, LEFT_OUT, last))


def _gap_cells(cols: int, code: int) -> tuple[Cell, ...]:
    """Return the cells of a gap by the kernels' code for it, as ``kernels/ladder/gaps`` has it."""
    rows, columns = (-1, -1, 0, 1, 1, 1, 0, -1), (0, 1, 1, 1, 0, -1, -1, -1)
    cell, ways = divmod(abs(code), 100)
    way, last = divmod(ways, 10)
    if code < 0:
        step = rows[way - 1] * cols + columns[way - 1]
        return tuple(cell + step * place for place in range(last))
    beside = [rows[way - 1] * cols + columns[way - 1] for way in (way, last) if way]
    return tuple(sorted((cell, *(cell + step for step in beside))))
