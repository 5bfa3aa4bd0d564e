"""The climb in words: each deduction, the squares that it rests on and what it settles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

from linkpress.engine.gap_sides import GapSides
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import Contradiction, EdgeState, FindingKind, Reason
from linkpress.engine.ladder import LADDER, Climb, Deduction, edge_at, place_of
from linkpress.puzzle.grid import Cell, Edge
from linkpress.puzzle.puzzle import Puzzle

# The cause of a refuted supposition whose rounds nobody counted.
_UNCOUNTED = -1
# Pairs named one by one in a sentence.
_NAMED = 4
_NAMES: Mapping[int, str] = {technique.rung: technique.name for technique in LADDER}


@dataclass(frozen=True, slots=True)
class Step:
    """One deduction.

    Args:
        rung: its technique's; 0 for a mistake in a drawing.
        technique: the technique's name, or ``mistake``.
        cells: the squares that it rests on.
        drawn: edges that every filling has.
        ruled_out: edges that no filling has.
        text: one sentence without a full stop, squares named ``r2c5`` from 1.
    """

    rung: int
    technique: str
    cells: tuple[Cell, ...]
    drawn: tuple[Edge, ...]
    ruled_out: tuple[Edge, ...]
    text: str


def tell_climb(puzzle: Puzzle, climb: Climb) -> Iterator[Step]:
    """The steps of a climb in the order in which they were made, those of one round by their squares.

    Args:
        puzzle: any board.
        climb: what the ladder made of it.
    """
    known = climb.start.copy()
    for made in climb.rounds:
        teller = _Teller(puzzle, known)
        for _, group in groupby(climb.findings_of(made), _same_step):
            yield teller.step(made.rung, list(group))
        known.apply(climb.words_of(made))


def _same_step(finding: Deduction) -> tuple[int, ...]:
    """All exits of a square are one step; any other finding is one of its own."""
    return (finding.reason, finding.cause) if finding.reason == Reason.ALL_EXITS else finding


class _Teller:
    """Puts findings into words, from the board as it stood when they were made."""

    def __init__(self, puzzle: Puzzle, position: Position) -> None:
        self.puzzle, self.position, self.grid = puzzle, position, puzzle.grid
        self.edges, self.mates = position.edges(), position.mates()
        self.numbers, self.needs = position.numbers(), position.needs()
        self.tell: Mapping[int, Callable[[int, int, int], tuple[str, tuple[Cell, ...]]]] = {
            Reason.CLASH: self.clash,
            Reason.LOOP: self.loop,
            Reason.FORK: self.fork,
            Reason.CUT_OFF: self.cut_off,
            Reason.MUST_PASS: self.must_pass,
            Reason.NOBODY_USES: self.nobody_uses,
            Reason.ONLY_ONE_REACHES: self.only_one_reaches,
            Reason.BY_ROOM: self.by_room,
            Reason.BY_TILT: self.by_tilt,
            Reason.WITHIN_GAP: self.within_gap,
            Reason.OTHERS_CROSS: self.others_cross,
            Reason.TURNS_BACK: self.turns_back,
            Reason.SIDE_BY_SIDE: self.side_by_side,
            Reason.BESIDE_ITSELF: self.beside_itself,
            Reason.NO_WAY_USES: self.no_way_uses,
            Reason.EVERY_WAY_USES: self.every_way_uses,
            Reason.IN_ORDER: self.in_order,
            Reason.REFUTED: self.refuted,
        }

    def step(self, rung: int, findings: list[Deduction]) -> Step:
        """One step from one finding, or from all exits of one square."""
        kind, where, reason, cause = findings[0]
        edges = [self.edge(finding.where) for finding in findings if kind != FindingKind.NUMBERED]
        if reason == Reason.ALL_EXITS:
            text, cells = self.all_exits(cause)
        else:
            text, cells = self.tell[reason](kind, where, cause)
        drawn, ruled_out = (tuple(edges), ()) if kind == EdgeState.DRAWN else ((), tuple(edges))
        return Step(rung, _NAMES[rung], cells, drawn, ruled_out, text)

    def all_exits(self, cell: Cell) -> tuple[str, tuple[Cell, ...]]:
        ways = " and ".join(self.way(cell, to) for to in self.exits(cell))
        if self.needs[cell] == 1:
            return f"{self.end(cell)} has one way out: {ways}", (cell,)
        return f"{self.end(cell)} has two ways out and takes both: {ways}", (cell,)

    def clash(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"{self.path(a, b)} would join {self.number(a)} to {self.number(b)}", (a, b)

    def loop(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"{self.path(a, b)} would close a loop", (a, b)

    def fork(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        onward = a + b - cause
        others = [to for to in self.exits(cause) if to != onward]
        one, other = others
        why = "close a loop"
        if self.mates[one] != other:
            why = f"join {self.number(one)} to {self.number(other)}"
        return (
            f"the line through {self.name(cause)} can't take both {self.name(one)} and {self.name(other)}, "
            f"which would {why}, so it goes {self.way(cause, onward)}",
            (cause, one, other),
        )

    def turns_back(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"{self.path(a, b)} would make the line turn back beside itself", (a, b)

    def side_by_side(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"{self.name(a)} and {self.name(b)} stand side by side on one path, so they join", (a, b)

    def beside_itself(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"{self.path(a, b)} would make the path run beside itself", (a, b)

    def no_way_uses(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"no way through {self.name(cause)} uses {self.path(a, b)}: its bends lead nowhere", (cause,)

    def every_way_uses(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"every way through {self.name(cause)} uses {self.path(a, b)}", (cause,)

    def in_order(self, kind: int, cell: int, number: int) -> tuple[str, tuple[Cell, ...]]:
        return (
            f"no number but {self.plain(number)} can come to {self.name(cell)} without crossing a path",
            (cell,),
        )

    def cut_off(self, kind: int, where: int, number: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"without {self.path(a, b)} the two {self.plain(number)}s would be cut off", (a, b)

    def must_pass(self, kind: int, cell: int, number: int) -> tuple[str, tuple[Cell, ...]]:
        ends = f"the two {self.plain(number)}s"
        return f"every way between {ends} passes {self.name(cell)}, which is on their line", (cell,)

    def only_one_reaches(self, kind: int, cell: int, number: int) -> tuple[str, tuple[Cell, ...]]:
        return (
            f"no number but {self.plain(number)} can reach {self.name(cell)} and leave it again, so it is on "
            "that line",
            (cell,),
        )

    def nobody_uses(self, kind: int, where: int, cause: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        return f"no number can use {self.path(a, b)} on its way to its partner", (a, b)

    def by_room(self, kind: int, where: int, code: int) -> tuple[str, tuple[Cell, ...]]:
        gap, step = self.sides(code), self.path(*self.edge(where))
        outside = gap.beyond(self.edge(where))
        side = gap.side_of(outside)
        if kind != EdgeState.DRAWN:
            text = f"{self.passing(gap, gap.busiest())} and take all of it, so {step} can't be drawn"
        elif len(gap.apart(side)) > gap.carried(side):
            text = f"{self.passing(gap, side)} and have no way to spare, so {step} is needed"
        else:
            text = (
                f"the squares behind {self.gap(gap)}, on the side of {self.name(outside)}, can only be "
                f"filled by a line that comes from outside, so {step} is needed"
            )
        return text, self.gap_step_cells(where, code)

    def by_tilt(self, kind: int, where: int, code: int) -> tuple[str, tuple[Cell, ...]]:
        gap, step = self.sides(code), self.path(*self.edge(where))
        outside = gap.beyond(self.edge(where))
        side = gap.side_of(outside)
        dark, light = gap.needs(side)
        passing = "as many pass the gap at dark squares as at light ones"
        if dark != light:
            more, fewer = ("dark", "light") if dark > light else ("light", "dark")
            passing = f"{abs(dark - light)} more pass the gap at {more} squares than at {fewer} ones"
        also = f"; {self.passing(gap, side)}" if len(gap.apart(side)) > gap.carried(side) else ""
        verdict = "is needed" if kind == EdgeState.DRAWN else "can't be drawn"
        return (
            f"colour the squares like a chessboard, r1c1 dark: behind {self.gap(gap)}, on the side of "
            f"{self.name(outside)}, the dark squares still take {dark} steps and the light ones {light}, so "
            f"{passing}{also}; {step} {verdict}",
            self.gap_step_cells(where, code),
        )

    def within_gap(self, kind: int, where: int, code: int) -> tuple[str, tuple[Cell, ...]]:
        gap = self.sides(code)
        step = self.path(*self.edge(where))
        return f"{self.passing(gap, gap.busiest())} and leave no room for {step} inside it", gap.cells

    def others_cross(self, kind: int, where: int, code: int) -> tuple[str, tuple[Cell, ...]]:
        gap, step = self.sides(code), self.path(*self.edge(where))
        side = gap.side_of(gap.beyond(self.edge(where)))
        return (
            f"{self.passing(gap, side)} and take all of it, and {step} belongs to none of them",
            self.gap_step_cells(where, code),
        )

    def refuted(self, kind: int, where: int, rounds: int) -> tuple[str, tuple[Cell, ...]]:
        a, b = self.edge(where)
        supposed = self.position.copy()
        opposite = EdgeState.RULED_OUT if kind == EdgeState.DRAWN else EdgeState.DRAWN
        contradiction, place = supposed.follow(opposite, where)
        fault, cells = _Teller(self.puzzle, supposed).fault(contradiction, place)
        verb = "drawn" if opposite == EdgeState.DRAWN else "not drawn"
        end = "in the end " if rounds == _UNCOUNTED else ""
        later = f" {rounds} round{'s' * (rounds != 1)} later" if rounds > 0 else ""
        return f"if {self.path(a, b)} were {verb}, {end}{fault}{later}", (a, b, *cells)

    def fault(self, contradiction: int, place: int) -> tuple[str, tuple[Cell, ...]]:
        if contradiction == Contradiction.PAIR_CUT_OFF:
            ends = tuple(
                cell for cell, number in self.puzzle.number_at.items() if number == self.plain(place)
            )
            return f"the two {self.plain(place)}s would be cut off from each other", ends
        if contradiction == Contradiction.UNREACHED:
            return f"no number could reach {self.name(place)} and leave it again", (place,)
        if contradiction == Contradiction.UNFILLED:
            return f"the squares around {self.name(place)} could not all be filled", (place,)
        if contradiction == Contradiction.NO_WAY_THROUGH:
            return f"no path could pass {self.name(place)}", (place,)
        if contradiction == Contradiction.CROSSED:
            return "two paths would have to cross", ()
        if contradiction == Contradiction.NONE:
            return "every way on would fail", ()
        return self.fault_at_edge(*self.edge(place))

    def fault_at_edge(self, a: Cell, b: Cell) -> tuple[str, tuple[Cell, ...]]:
        for cell in (a, b):
            if self.needs[cell] < 0:
                return f"{self.name(cell)} would get a line too many", (cell,)
        down = int(b != a + 1)
        if self.edges[2 * a + down] != EdgeState.DRAWN:
            for cell in (a, b):
                if len(self.exits(cell)) < self.needs[cell]:
                    return f"{self.name(cell)} would have too few ways out", (cell,)
        numbers = {self.numbers[cell] for cell in (a, b)} - {0}
        if len(numbers) == 2:
            return f"{self.number(a)} and {self.number(b)} would meet at {self.path(a, b)}", (a, b)
        if self.mates[a] == b:
            return f"{self.path(a, b)} would close a loop", (a, b)
        if self.position.is_strict():
            return f"a path would run beside itself at {self.path(a, b)}", (a, b)
        return f"{self.path(a, b)} would have to be both drawn and not drawn", (a, b)

    def edge(self, place: int) -> Edge:
        return edge_at(self.grid.cols, place)

    def exits(self, cell: Cell) -> list[Cell]:
        """Its neighbours over open edges."""
        return [to for to in self.grid.neighbours[cell] if not self.settled(min(cell, to), max(cell, to))]

    def settled(self, a: Cell, b: Cell) -> bool:
        return bool(self.edges[place_of((a, b))] != EdgeState.OPEN)

    def name(self, cell: Cell) -> str:
        return self.grid.name(cell)

    def path(self, a: Cell, b: Cell) -> str:
        return f"the step {self.name(a)}–{self.name(b)}"

    def way(self, cell: Cell, to: Cell) -> str:
        (row, col), (there_row, there_col) = self.grid.position(cell), self.grid.position(to)
        if row != there_row:
            return "down" if there_row > row else "up"
        return "right" if there_col > col else "left"

    def plain(self, number: int) -> int:
        """The number of the puzzle that a number in the marks stands for."""
        return self.puzzle.number_at[number - 1]

    def number(self, cell: Cell) -> str:
        number = self.numbers[cell]
        return f"the {self.plain(number)}" if number else "a line"

    def end(self, cell: Cell) -> str:
        if cell in self.puzzle.number_at:
            return f"the {self.puzzle.number_at[cell]} at {self.name(cell)}"
        if self.needs[cell] == 2:
            return f"the square {self.name(cell)}"
        number = self.numbers[cell]
        line = f"the line of the {self.plain(number)}" if number else "the line"
        return f"{line} that ends at {self.name(cell)}"

    def passing(self, gap: GapSides, side: Cell) -> str:
        """Who must leave a side through the gap."""
        apart, carried = gap.apart(side), gap.carried(side)
        numbers = [str(self.plain(first + 1)) for first in apart]
        place = self.gap(gap)
        if len(apart) <= carried:
            return f"a line that goes in and comes out again must pass {place}"
        if carried:
            return f"at least {len(apart) - carried} of the pairs {_listed(numbers)} must pass {place}"
        return f"{_listed([f'the {number}s' for number in numbers])} must pass {place}"

    def sides(self, code: int) -> GapSides:
        return GapSides(self.puzzle, self.position, self.gap_cells(code))

    def gap_step_cells(self, where: int, code: int) -> tuple[Cell, ...]:
        """The cells of a gap and of a step that leaves it."""
        return tuple(sorted({*self.gap_cells(code), *self.edge(where)}))

    def gap_cells(self, code: int) -> tuple[Cell, ...]:
        """The cells of a gap, the middle one in the middle."""
        middle, ways = divmod(code, 100)
        cells = [self.beside(middle, way - 1) for way in divmod(ways, 10) if way]
        return tuple(sorted((middle, *cells)))

    def beside(self, cell: Cell, way: int) -> Cell:
        rows, cols = (-1, -1, 0, 1, 1, 1, 0, -1), (0, 1, 1, 1, 0, -1, -1, -1)
        return cell + rows[way] * self.grid.cols + cols[way]

    def gap(self, gap: GapSides) -> str:
        return f"the gap {', '.join(self.name(cell) for cell in gap.cells)}"


def _listed(parts: list[str]) -> str:
    """As ``3, 5 and 8``; the last few of many are counted."""
    if len(parts) > _NAMED + 1:
        parts = [*parts[:_NAMED], f"{len(parts) - _NAMED} more"]
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
