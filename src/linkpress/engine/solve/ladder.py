"""The ladder has a technique on each rung, and a climb goes up from the lowest.

It has two modes. For a puzzle known by the rule *filled* alone a deduction holds in every filling of the
board: every free square covered, paths free to run alongside themselves, nothing assumed about how many
fillings there are. So a board that the ladder finishes has exactly the one filling that it drew, and a
board with several is never finished: such a climb is a proof.

In the other mode no path runs beside itself: ``turn``, ``touch``, ``corner`` and ``diagonal`` say so, and
suppositions are followed with touch. By the rule *untouching* that holds in every drawing that counts, so
that such a climb is a proof, too. Of a puzzle proven *strict* a solver may use it, since a path that did
could be cut short, which would be a second drawing; there the climb proves nothing.

In each round the lowest rung that has anything to say says all it has, from the board as it
stood; so the climb is the same for a turned, mirrored or renumbered board.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.recipe import Rule
from linkpress.engine.techniques import EASIEST, KERNEL_LADDER, OF_CODE, TOP_RUNG, Technique
from linkpress.puzzle.puzzle import Edge, Puzzle

rung_of = attrgetter("rung")


class Deduction(NamedTuple):
    """A deduction is what a technique says, in the kernels' numbers (``kernels.glossary``)."""

    kind: int  # a FindingKind
    where: int  # the edge or the cell
    reason: int = 0  # a Reason
    cause: int = 0  # what the reason names; of a number, 1 + the first endpoint of its pair


def deductions(numbers: Iterable[int]) -> list[Deduction]:
    """Read deductions as the kernels return them, four numbers each."""
    each = iter(numbers)
    return [Deduction(*four) for four in zip(each, each, each, each, strict=True)]


def find(position: Position, technique: Technique) -> list[Deduction] | None:
    """Return all that one technique says of a board as it stands; None where it sees a contradiction."""
    found = position.find_with(technique.code)
    return None if found is None else deductions(found)


def write(position: Position, statements: Iterable[Deduction]) -> bool:
    """Write what deductions say into a board; False where they contradict what is known or each other."""
    return bool(position.apply([*chain.from_iterable(statements)]))


@dataclass(frozen=True, slots=True)
class Round:
    """A round has all findings of one technique at one time.

    Args:
        technique: the easiest that had any.
        begin: its first finding in the log.
    """

    technique: Technique
    findings: int
    begin: int


@dataclass(frozen=True, slots=True)
class Climb:
    """A climb is the way that the ladder took on a board, and where it ended.

    Args:
        log: the deductions of all rounds, four numbers each.
    """

    outcome: ClimbOutcome
    rounds: tuple[Round, ...]
    log: list[int]
    start: Position
    position: Position

    @property
    def hardest(self) -> Technique:
        """Return the hardest technique that was used, the easiest where none was."""
        return max((made.technique for made in self.rounds), key=rung_of, default=EASIEST)

    def found_in(self, made: Round) -> list[Deduction]:
        """Return the findings of one round."""
        return deductions(self.log[4 * made.begin : 4 * (made.begin + made.findings)])


def position_of(puzzle: Puzzle, rule: Rule) -> Position:
    """Return a puzzle on which nothing is drawn; the rule is strict only where the board is proven to be."""
    grid = puzzle.grid
    free = [1] * grid.size
    for cell in grid.solids:
        free[cell] = 0
    pairs = [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]
    return Position(grid.rows, grid.cols, free, pairs, rule.untouching, KERNEL_LADDER)


def climb_ladder(position: Position, highest: int = TOP_RUNG) -> Climb:
    """Settle all that the rungs up to ``highest`` settle.

    Args:
        position: what is known to begin with; left as it is, and kept as the climb's start.
        highest: the last rung that may be used.
    """
    reached = position.copy()
    outcome, made = reached.climb(highest)
    rounds, begin, numbers = [], 0, iter(made)
    for code, findings, _, end in zip(numbers, numbers, numbers, numbers, strict=True):
        rounds.append(Round(OF_CODE[code], findings, begin))
        begin = end
    return Climb(ClimbOutcome(outcome), tuple(rounds), reached.findings(), position, reached)


def drawn_edges(cols: int, position: Position) -> tuple[Edge, ...]:
    """Return the edges that are drawn, the smaller cell first."""
    return tuple(
        edge_at(cols, place) for place, state in enumerate(position.edges()) if state == EdgeState.DRAWN
    )


def edge_at(cols: int, place: int) -> Edge:
    """Return the edge that the kernels number ``place``."""
    cell = place >> 1
    return cell, cell + (cols if place & 1 else 1)


def edge_index(step: Edge) -> int:
    """Return the kernels' number of an edge."""
    a, b = step
    return 2 * a + int(b != a + 1)
