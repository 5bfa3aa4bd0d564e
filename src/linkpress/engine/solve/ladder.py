"""The ladder: one technique a rung, and the climb from the lowest up.

It has two modes. For a puzzle known by the rule *filled* alone a deduction holds in every filling of the
board: every free square covered, paths free to run alongside themselves, nothing assumed about how many
fillings there are. So a board that the ladder finishes has exactly the one filling that it drew, and a
board with several is never finished: such a climb is a proof.

For a puzzle proven *strict* a solver may use, too, that no path runs beside itself: one that did could be
cut short, which would be a second drawing. ``turn``, ``touch``, ``corner`` and ``diagonal`` say so, and
suppositions are followed with touch. Such a climb proves nothing.

In each round the lowest rung that has anything to say says all it has, from the board as it
stood; so the climb is the same for a turned, mirrored or renumbered board.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState, Rung
from linkpress.engine.recipe import Rule
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Technique:
    """One rung.

    Args:
        rung: 1 for the easiest.
        name: as in ``volume.json``.
    """

    rung: int
    name: str


LADDER = tuple(Technique(rung.value, rung.name.lower().replace("_", "-")) for rung in Rung)
TOP_RUNG = LADDER[-1].rung
_DEPTHS = {Rung.CORNER: 2, Rung.LOOK_AHEAD: 1, Rung.WHAT_IF: 3, Rung.CHAIN: 8}
_STRICT_ONLY = {Rung.TURN, Rung.TOUCH, Rung.CORNER, Rung.DIAGONAL}
KERNEL_LADDER = [(rung.value, _DEPTHS.get(rung, 0), rung in _STRICT_ONLY) for rung in Rung]
"""The ladder as ``Position`` takes it."""


class Deduction(NamedTuple):
    """One deduction, in the kernels' words (``kernels.glossary``)."""

    kind: int  # a FindingKind
    where: int  # the edge or the cell
    reason: int  # a Reason
    cause: int  # what the reason names


@dataclass(frozen=True, slots=True)
class Round:
    """All findings of one rung at one time.

    Args:
        rung: the rung.
        findings: how many it had.
        undecided: how many edges were neither drawn nor ruled out before.
        begin: its first finding in the log.
    """

    rung: int
    findings: int
    undecided: int
    begin: int


@dataclass(frozen=True, slots=True)
class Climb:
    """What the ladder made of a board.

    Args:
        outcome: how it ended.
        rounds: what was done, in order.
        log: the findings of all rounds, four words each: kind, where, reason and cause.
        start: what was known before.
        position: what is known at the end.
    """

    outcome: ClimbOutcome
    rounds: tuple[Round, ...]
    log: list[int]
    start: Position
    position: Position

    @property
    def hardest(self) -> int:
        """The highest rung that was used, the first where none was."""
        return max((step.rung for step in self.rounds), default=Rung.EXITS.value)

    def words_of(self, step: Round) -> list[int]:
        """The findings of one round as ``Position.apply`` takes them."""
        return self.log[4 * step.begin : 4 * (step.begin + step.findings)]

    def findings_of(self, step: Round) -> Iterator[Deduction]:
        """The findings of one round."""
        words = iter(self.words_of(step))
        return (Deduction(*four) for four in zip(words, words, words, words, strict=True))


def position_of(puzzle: Puzzle, rule: Rule) -> Position:
    """A puzzle on which nothing is drawn.

    Args:
        puzzle: any board.
        rule: strict only where the board is proven to be strict.
    """
    grid = puzzle.grid
    free = [1] * grid.size
    for cell in grid.solids:
        free[cell] = 0
    pairs = [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]
    return Position(grid.rows, grid.cols, free, pairs, rule is Rule.STRICT, KERNEL_LADDER)


def climb_ladder(position: Position, highest: int = TOP_RUNG) -> Climb:
    """Settle all that the rungs up to ``highest`` settle.

    Args:
        position: what is known to begin with; left as it is, and kept as the climb's start.
        highest: the last rung that may be used.
    """
    reached = position.copy()
    outcome, made, log = reached.climb(highest)
    rounds, begin, words = [], 0, iter(made)
    for rung, findings, undecided, end in zip(words, words, words, words, strict=True):
        rounds.append(Round(rung, findings, undecided, begin))
        begin = end
    return Climb(ClimbOutcome(outcome), tuple(rounds), log, position, reached)


def drawn_edges(cols: int, position: Position) -> tuple[Edge, ...]:
    """The edges that are drawn, the smaller cell first."""
    return tuple(
        edge_at(cols, place) for place, state in enumerate(position.edges()) if state == EdgeState.DRAWN
    )


def edge_at(cols: int, place: int) -> Edge:
    """The edge that the kernels number ``place``."""
    cell = place >> 1
    return cell, cell + (cols if place & 1 else 1)


def place_of(step: Edge) -> int:
    """The kernels' number of an edge."""
    a, b = step
    return 2 * a + int(b != a + 1)
