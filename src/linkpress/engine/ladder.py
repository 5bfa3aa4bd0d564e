"""Climb the ladder of techniques: solve a puzzle with the easiest technique that helps, again and again.

The *ladder* is the list of techniques, and a *rung* is the place of a technique in it, counted from the
easiest. In each round of a *climb*, the lowest rung that has any findings writes all of them onto the board.
Rotating, reflecting or renumbering a board therefore does not change the climb.

For a puzzle by the rule *filled*, a finding holds in every filling: every free square is covered, and paths
may run alongside themselves. If the ladder finishes such a board, its drawing is the only filling, so the
climb is a proof. A board with several fillings is never finished.

The other rules add techniques that are only valid if no path runs beside itself. By the rule *untouching*
no path may do so, and the climb is a proof as well. On a puzzle that is proven *strict*, no path does so
either: it could be cut short, and that would be a second solution. There the climb proves nothing, because it
uses that the solution is unique.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.engine.techniques import EASIEST, KERNEL_LADDER, OF_CODE, TOP_RUNG, Technique
from linkpress.puzzle.puzzle import Edge, Puzzle

rung_of = attrgetter("rung")


class Deduction(NamedTuple):
    """Conclusion of a technique about one edge or square, in the numbers that the kernels use.

    The module ``kernels.glossary`` lists these numbers.

    Args:
        kind: a ``FindingKind``.
        where: the edge or the cell.
        reason: a ``Reason``.
        cause: the cell, number or gap that the reason refers to. A printed number is given as 1 + the first
            endpoint of its pair.
    """

    kind: int
    where: int
    reason: int = 0
    cause: int = 0


def deductions(numbers: Iterable[int]) -> list[Deduction]:
    """Read deductions from a flat list of the kernels, which has four numbers for each."""
    numbers = iter(numbers)
    return [Deduction(*four) for four in zip(numbers, numbers, numbers, numbers, strict=True)]


def find(position: Position, technique: Technique) -> list[Deduction] | None:
    """Return all findings of one technique on a position; None if it finds a contradiction."""
    numbers = position.find_with(technique.code)
    return None if numbers is None else deductions(numbers)


def write(position: Position, findings: Iterable[Deduction]) -> bool:
    return bool(position.apply([*chain.from_iterable(findings)]))


@dataclass(frozen=True, slots=True)
class Round:
    """Findings of one technique on one position of a climb.

    Args:
        technique: the easiest technique that had findings.
        findings: the number of findings.
        begin: the index of the first finding in the climb's log.
    """

    technique: Technique
    findings: int
    begin: int


@dataclass(frozen=True, slots=True)
class Climb:
    """Attempt to solve a board with the ladder of techniques.

    Args:
        outcome: whether the board is finished, stuck or contradicted.
        rounds: the rounds in order.
        log: the deductions of all rounds, with four numbers for each.
        start: the position before the climb.
        position: the position after the climb.
    """

    outcome: ClimbOutcome
    rounds: tuple[Round, ...]
    log: list[int]
    start: Position
    position: Position

    @property
    def hardest(self) -> Technique:
        return max((round_.technique for round_ in self.rounds), key=rung_of, default=EASIEST)

    def found_in(self, round_: Round) -> list[Deduction]:
        return deductions(self.log[4 * round_.begin : 4 * (round_.begin + round_.findings)])


def position_of(puzzle: Puzzle, rule: Rule) -> Position:
    """Return a puzzle's position before anything is drawn.

    Args:
        rule: the rule by which the puzzle is proven to have one solution; ``filled`` if it is not proven.
    """
    grid = puzzle.grid
    free = [int(cell not in grid.solids) for cell in range(grid.size)]
    pairs = [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]
    return Position(grid.rows, grid.cols, free, pairs, ruleset_of(rule).paths_stay_apart, KERNEL_LADDER)


def climb_ladder(position: Position, highest: int = TOP_RUNG) -> Climb:
    """Climb from a position as far as possible.

    Args:
        position: the position to begin with. It is not changed.
        highest: the highest rung that may be used.
    """
    reached = position.copy()
    outcome, numbers = reached.climb(highest)
    rounds, begin, each = [], 0, iter(numbers)
    for code, findings, _, end in zip(each, each, each, each, strict=True):
        rounds.append(Round(OF_CODE[code], findings, begin))
        begin = end
    return Climb(ClimbOutcome(outcome), tuple(rounds), reached.findings(), position, reached)


def drawn_edges(cols: int, position: Position) -> tuple[Edge, ...]:
    return tuple(
        edge_at(cols, place) for place, state in enumerate(position.edges()) if state == EdgeState.DRAWN
    )


def edge_at(cols: int, place: int) -> Edge:
    """Return the two cells of an edge from the kernels' number for it."""
    cell = place >> 1
    return cell, cell + (cols if place & 1 else 1)


def edge_index(step: Edge) -> int:
    """Return the kernels' number of an edge; its smaller cell must come first."""
    a, b = step
    return 2 * a + int(b != a + 1)
