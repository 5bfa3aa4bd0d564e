"""Findings about gaps: who must pass, how much room there is, and what that settles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkpress.engine.explain.finding_clauses import Clause
from linkpress.engine.explain.gap_sides import GapSides
from linkpress.engine.explain.saying import (
    ListKind,
    Part,
    Saying,
    listed,
    route,
    saying,
    square,
    squares,
)
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at
from linkpress.puzzle.grid import Cell, Edge
from linkpress.puzzle.puzzle import Puzzle

GAP_REASONS = (Reason.BY_ROOM, Reason.BY_TILT, Reason.WITHIN_GAP, Reason.OTHERS_CROSS)


class GapTeller:
    """Tells the findings about gaps.

    Args:
        puzzle: the board.
        position: what is known.
    """

    def __init__(self, puzzle: Puzzle, position: Position) -> None:
        self.puzzle, self.position, self.grid = puzzle, position, puzzle.grid
        self._tellers: Mapping[int, Callable[[Deduction], Clause]] = {
            Reason.BY_ROOM: self._by_room,
            Reason.BY_TILT: self._by_tilt,
            Reason.WITHIN_GAP: self._within_gap,
            Reason.OTHERS_CROSS: self._others_cross,
        }

    def tell(self, finding: Deduction) -> Clause:
        """One finding, and the squares that it names."""
        return self._tellers[finding.reason](finding)

    def _by_room(self, finding: Deduction) -> Clause:
        gap, step = self._sides(finding.cause), self._step(finding)
        outside = gap.beyond(self._edge(finding.where))
        side = gap.side_of(outside)
        if finding.kind != EdgeState.DRAWN:
            said = saying("gap_full", passing=self._passing(gap, gap.busiest()), step=step)
        elif len(gap.apart(side)) > gap.carried(side):
            said = saying("none_to_spare", passing=self._passing(gap, side), step=step)
        else:
            beyond = square(self.grid, outside)
            said = saying("filled_from_outside", gap=self._gap(gap), square=beyond, step=step)
        return said, self._gap_step_cells(finding.where, finding.cause)

    def _by_tilt(self, finding: Deduction) -> Clause:
        gap, step = self._sides(finding.cause), self._step(finding)
        outside = gap.beyond(self._edge(finding.where))
        side = gap.side_of(outside)
        dark, light = gap.needs(side)
        passing = saying("as_many_pass")
        if dark != light:
            passing = saying("more_dark" if dark > light else "more_light", number=abs(dark - light))
        counted = saying(
            "coloured",
            corner=square(self.grid, 0),
            gap=self._gap(gap),
            square=square(self.grid, outside),
            dark=dark,
            light=light,
            passing=passing,
        )
        also = [self._passing(gap, side)] if len(gap.apart(side)) > gap.carried(side) else []
        verdict = saying("is_needed" if finding.kind == EdgeState.DRAWN else "can_t_be_drawn", step=step)
        cells = self._gap_step_cells(finding.where, finding.cause)
        return listed(ListKind.REASONS, [counted, *also, verdict]), cells

    def _within_gap(self, finding: Deduction) -> Clause:
        gap = self._sides(finding.cause)
        said = saying("no_room", passing=self._passing(gap, gap.busiest()), step=self._step(finding))
        return said, gap.cells

    def _others_cross(self, finding: Deduction) -> Clause:
        gap = self._sides(finding.cause)
        side = gap.side_of(gap.beyond(self._edge(finding.where)))
        said = saying("others_cross", passing=self._passing(gap, side), step=self._step(finding))
        return said, self._gap_step_cells(finding.where, finding.cause)

    def _passing(self, gap: GapSides, side: Cell) -> Saying:
        """Who must leave a side through the gap."""
        apart, carried = gap.apart(side), gap.carried(side)
        numbers = sorted(self.puzzle.number_at[first] for first in apart)
        place = self._gap(gap)
        if len(apart) <= carried:
            return saying("in_and_out", gap=place)
        if not carried:
            pairs = listed(ListKind.AND, (saying("pair", number=number) for number in numbers))
            return saying("pairs_pass", pairs=pairs, gap=place)
        parts = {"numbers": listed(ListKind.AND, numbers), "gap": place, "least": len(apart) - carried}
        if carried == 1:
            return saying("pairs_apart_one", **parts)
        return saying("pairs_apart", carried=carried, **parts)

    def _sides(self, code: int) -> GapSides:
        return GapSides(self.puzzle, self.position, self._gap_cells(code))

    def _gap_step_cells(self, where: int, code: int) -> tuple[Cell, ...]:
        """The cells of a gap and of a step that leaves it."""
        return tuple(sorted({*self._gap_cells(code), *self._edge(where)}))

    def _gap_cells(self, code: int) -> tuple[Cell, ...]:
        """The cells of a gap, the middle one in the middle."""
        middle, ways = divmod(code, 100)
        cells = [self._beside(middle, way - 1) for way in divmod(ways, 10) if way]
        return tuple(sorted((middle, *cells)))

    def _beside(self, cell: Cell, way: int) -> Cell:
        rows, cols = (-1, -1, 0, 1, 1, 1, 0, -1), (0, 1, 1, 1, 0, -1, -1, -1)
        return cell + rows[way] * self.grid.cols + cols[way]

    def _gap(self, gap: GapSides) -> Part:
        return squares(self.grid, gap.cells, ListKind.COMMA)

    def _edge(self, place: int) -> Edge:
        return edge_at(self.grid.cols, place)

    def _step(self, finding: Deduction) -> Part:
        return route(self.grid, self._edge(finding.where))
