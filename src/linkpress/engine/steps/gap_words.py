"""Gaps in words: who must pass, how much room there is, and what that settles."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from linkpress.engine.gap_sides import GapSides
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import EdgeState, Reason
from linkpress.engine.ladder import Deduction, edge_at
from linkpress.engine.steps.words import Said, listed
from linkpress.puzzle.grid import Cell, Edge
from linkpress.puzzle.puzzle import Puzzle

GAP_REASONS = (Reason.BY_ROOM, Reason.BY_TILT, Reason.WITHIN_GAP, Reason.OTHERS_CROSS)


class GapTeller:
    """Puts the findings about gaps into words.

    Args:
        puzzle: the board.
        position: what is known.
    """

    def __init__(self, puzzle: Puzzle, position: Position) -> None:
        self.puzzle, self.position, self.grid = puzzle, position, puzzle.grid
        self._texts: Mapping[int, Callable[[Deduction], Said]] = {
            Reason.BY_ROOM: self._by_room,
            Reason.BY_TILT: self._by_tilt,
            Reason.WITHIN_GAP: self._within_gap,
            Reason.OTHERS_CROSS: self._others_cross,
        }

    def tell(self, finding: Deduction) -> Said:
        """One finding, and the squares that it names."""
        return self._texts[finding.reason](finding)

    def _by_room(self, finding: Deduction) -> Said:
        gap, step = self._sides(finding.cause), self._path(*self._edge(finding.where))
        outside = gap.beyond(self._edge(finding.where))
        side = gap.side_of(outside)
        if finding.kind != EdgeState.DRAWN:
            text = f"{self._passing(gap, gap.busiest())} and take all of it, so {step} can't be drawn"
        elif len(gap.apart(side)) > gap.carried(side):
            text = f"{self._passing(gap, side)} with no way to spare, so {step} is needed"
        else:
            text = (
                f"the squares behind {self._gap(gap)}, on the side of {self.grid.name(outside)}, can only be "
                f"filled by a line that comes from outside, so {step} is needed"
            )
        return text, self._gap_step_cells(finding.where, finding.cause)

    def _by_tilt(self, finding: Deduction) -> Said:
        gap, step = self._sides(finding.cause), self._path(*self._edge(finding.where))
        outside = gap.beyond(self._edge(finding.where))
        side = gap.side_of(outside)
        dark, light = gap.needs(side)
        passing = "as many pass the gap at dark squares as at light ones"
        if dark != light:
            more, fewer = ("dark", "light") if dark > light else ("light", "dark")
            passing = f"{abs(dark - light)} more pass the gap at {more} squares than at {fewer} ones"
        also = f"; {self._passing(gap, side)}" if len(gap.apart(side)) > gap.carried(side) else ""
        verdict = "is needed" if finding.kind == EdgeState.DRAWN else "can't be drawn"
        return (
            f"colour the squares like a chessboard, r1c1 dark: behind {self._gap(gap)}, on "
            f"the side of {self.grid.name(outside)}, the dark squares still take {dark} steps and the light "
            f"ones {light}, so "
            f"{passing}{also}; {step} {verdict}",
            self._gap_step_cells(finding.where, finding.cause),
        )

    def _within_gap(self, finding: Deduction) -> Said:
        gap = self._sides(finding.cause)
        step = self._path(*self._edge(finding.where))
        return f"{self._passing(gap, gap.busiest())} and leave no room for {step} inside it", gap.cells

    def _others_cross(self, finding: Deduction) -> Said:
        gap, step = self._sides(finding.cause), self._path(*self._edge(finding.where))
        side = gap.side_of(gap.beyond(self._edge(finding.where)))
        return (
            f"{self._passing(gap, side)} and take all of it, and {step} belongs to none of them, so no line "
            "runs there",
            self._gap_step_cells(finding.where, finding.cause),
        )

    def _passing(self, gap: GapSides, side: Cell) -> str:
        """Who must leave a side through the gap."""
        apart, carried = gap.apart(side), gap.carried(side)
        numbers = [str(number) for number in sorted(self.puzzle.number_at[first] for first in apart)]
        place = self._gap(gap)
        if len(apart) <= carried:
            return f"a line that goes in and comes out again must pass {place}"
        if carried:
            lines = "a line" if carried == 1 else "lines"
            return (
                f"the pairs {listed(numbers)} have an end on either side of {place}; {lines} drawn past it "
                f"can serve {carried} of them, so at least {len(apart) - carried} must pass it"
            )
        return f"{listed([f'the {number}s' for number in numbers])} must pass {place}"

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

    def _gap(self, gap: GapSides) -> str:
        return f"the gap {', '.join(self.grid.name(cell) for cell in gap.cells)}"

    def _edge(self, place: int) -> Edge:
        return edge_at(self.grid.cols, place)

    def _path(self, a: Cell, b: Cell) -> str:
        return f"{self.grid.name(a)}–{self.grid.name(b)}"
