"""Solve a puzzle as a person does: always with the easiest solving technique that helps.

The *ladder* is the list ``TECHNIQUES``, the easiest first. The *rung* of a technique is its place in the
list, counted from 1. Nothing but the rungs depends on the order, so a technique can be moved or added
anywhere in the list. A volume, which is a file with the puzzles of a book, records a technique by its name.
The kernels, which are the fast parts of the engine, know it by its ``TechniqueCode``. The page *How to add
something* in the docs lists the files to change for a new technique.

A *climb* is a solve with the ladder, and goes in rounds. In each round, the easiest technique that finds
anything writes all of its findings onto the board. Rotating, reflecting or renumbering a board therefore does
not change the climb.

Under the rule *filled*, every free square must be covered, and paths may run alongside themselves. A finding
is then valid for every drawing that fills the board. If the ladder finishes such a board, the solution is
unique, so the climb is a proof. A board with several solutions is never finished.

Under the other rules, the ladder has more techniques, which are only valid if no path runs beside itself.
Under *untouching*, no path may do so, and the climb is a proof as well. Under *strict*, a path that runs
beside itself could be cut short there, and that would be a second solution. So in a puzzle that is proven to
have one solution, no path runs beside itself. A climb under *strict* is no proof, because its techniques
already assume that the solution is unique.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.recipe import Grade
from linkpress.engine.rulesets import Rule, ruleset_of
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle


class Supposes(Enum):
    """How a technique finds the consequences of a supposition.

    The supposition is that an open edge is drawn, or that it is ruled out.
    """

    NOTHING = 0  # the technique makes no suppositions
    SIMPLY = 1  # after a supposition, the simple techniques and the technique *cut-off* are applied
    THOROUGHLY = 2  # after a supposition, all techniques that make no suppositions themselves are applied
    TWICE = 3  # after a supposition, the technique makes a second supposition inside the first


@dataclass(frozen=True, eq=False)
class Technique:
    """Technique for solving puzzles, with everything that the rest of linkpress knows about it.

    Args:
        code: the kernels' code for the technique. It never changes.
        grade: the grade of this technique, and of boards that need it and no harder technique.
        lesson: one sentence that teaches the technique to a reader.
        simple: whether the facts from which a finding follows can be read off the board directly.
            Explanations take simple findings before all others.
        untouching: whether the technique is valid only on boards where no path runs beside itself.
        supposes: how the technique finds the consequences of a supposition, if it makes suppositions.
        depth: how far the technique looks; 0 for no limit. For a technique that makes suppositions, this is
            the maximum number of rounds that follow a supposition. For a technique that looks along a
            diagonal, it is the maximum number of squares on the diagonal.
    """

    code: Code
    grade: Grade
    lesson: str
    simple: bool = False
    untouching: bool = False
    supposes: Supposes = Supposes.NOTHING
    depth: int = 0

    @cached_property
    def name(self) -> str:
        return self.code.name.lower().replace("_", "-")

    @property
    def rung(self) -> int:
        return _RUNGS[self.code]


TECHNIQUES = (
    Technique(
        Code.EXITS, Grade.BEGINNER, simple=True,
        lesson="A square with only two ways out uses both, and a number with only one takes it.",
    ),
    Technique(
        Code.CLASH, Grade.BEGINNER, simple=True,
        lesson="A line can't run into a different number or come back around to make a loop.",
    ),
    Technique(
        Code.TURN, Grade.BEGINNER, simple=True, untouching=True,
        lesson="A line can't turn twice in a row to run straight back beside itself.",
    ),
    Technique(
        Code.TOUCH, Grade.EASY, simple=True, untouching=True,
        lesson="A line may never come alongside an earlier part of itself.",
    ),
    Technique(
        Code.CUT_OFF, Grade.EASY,
        lesson="Every number needs a way through to its partner, "
        "and every square needs a line that can reach it.",
    ),
    Technique(
        Code.CORNER, Grade.MEDIUM, untouching=True, depth=2,
        lesson="A turn repeats: if one square turns left and down, for example, so does the next square "
        "diagonally down-left, unless a number is there.",
    ),
    Technique(
        Code.LOOK_AHEAD, Grade.MEDIUM, supposes=Supposes.SIMPLY, depth=1,
        lesson="Try a line in your head, and cross it out if the very next move is impossible.",
    ),
    Technique(
        Code.DIAGONAL, Grade.HARD, untouching=True,
        lesson="Turns spread along a diagonal like ripples, and only a number can stop them.",
    ),
    Technique(
        Code.ORDER, Grade.HARD,
        lesson="Two lines would have to cross if their loose ends alternate, 1-2-1-2, as you walk around the "
        "empty squares, along the edge and the lines drawn.",
    ),
    Technique(
        Code.GAP, Grade.HARD,
        lesson="Count the lines that must squeeze through a gap: when it's full, nothing else fits.",
    ),
    Technique(
        Code.NARROWS, Grade.HARD,
        lesson="Count along a whole row between two walls, just as you would in a small gap.",
    ),
    Technique(
        Code.WHAT_IF, Grade.EXPERT, supposes=Supposes.SIMPLY, depth=3,
        lesson="Suppose a line goes one way: if trouble comes within three moves, it can't.",
    ),
    Technique(
        Code.CHAIN, Grade.FIENDISH, supposes=Supposes.SIMPLY, depth=8,
        lesson="Ask “What if?” and follow it for up to eight moves.",
    ),
    Technique(
        Code.LONG_CHAIN, Grade.FIENDISH, supposes=Supposes.SIMPLY,
        lesson="Ask “What if?” and follow it until something breaks.",
    ),
    Technique(
        Code.BALANCE, Grade.FIENDISH,
        lesson="Color the grid like a chessboard: lines alternate dark and light, "
        "so count both on each side.",
    ),
    Technique(
        Code.WALLS, Grade.FIENDISH, supposes=Supposes.THOROUGHLY,
        lesson="While you follow a what-if, look for cut-offs, bottlenecks and lines that would cross.",
    ),
    Technique(
        Code.NESTED, Grade.FIENDISH, supposes=Supposes.TWICE,
        lesson="When a what-if stalls, ask a second one inside it.",
    ),
)  # fmt: skip
"""All techniques, the easiest first. No technique has a lower grade than one before it."""

_RUNGS = {technique.code: rung for rung, technique in enumerate(TECHNIQUES, 1)}
OF_CODE: Mapping[int, Technique] = {technique.code: technique for technique in TECHNIQUES}
KERNEL_LADDER = [(technique.code.value, technique.depth, technique.untouching) for technique in TECHNIQUES]
"""The ladder in the form that the kernels' class ``Position`` takes."""
SIMPLE = tuple(technique for technique in TECHNIQUES if technique.simple)
EASIEST, TOP_RUNG = SIMPLE[0], len(TECHNIQUES)


def highest_rung(hardest: Grade) -> int:
    """Return the rung of the hardest technique whose grade is at most ``hardest``.

    The rung is the place in the list of techniques, counted from 1, beginning with the easiest technique.
    """
    return max(technique.rung for technique in TECHNIQUES if technique.grade <= hardest)


rung_of = attrgetter("rung")


class Deduction(NamedTuple):
    """Conclusion of a solving technique about one edge or square, as four integers.

    Args:
        kind: a ``FindingKind`` of ``kernels.glossary``.
        where: the index of the edge or the cell.
        reason: a ``Reason`` of ``kernels.glossary``.
        cause: the cell, the pair or the gap (a narrow place between walls) to which the reason refers. A pair
            is given as 1 + the index of the cell that is its first endpoint.
    """

    kind: int
    where: int
    reason: int = 0
    cause: int = 0


def deductions(numbers: Iterable[int]) -> list[Deduction]:
    """Convert a flat list of numbers from the kernels to deductions, which consist of four numbers each."""
    numbers = iter(numbers)
    return [Deduction(*four) for four in zip(numbers, numbers, numbers, numbers, strict=True)]


def find(position: Position, technique: Technique) -> list[Deduction] | None:
    """Return all findings of one technique on a position; None if the technique finds a contradiction."""
    numbers = position.find_with(technique.code)
    return None if numbers is None else deductions(numbers)


def write(position: Position, findings: Iterable[Deduction]) -> bool:
    return bool(position.apply([*chain.from_iterable(findings)]))


@dataclass(frozen=True, slots=True)
class Round:
    """Round of a solve: all findings of one technique on one position.

    Args:
        technique: the easiest technique that finds anything on that position.
        findings: the number of findings.
        begin: the index of the first finding in the log of the solve.
    """

    technique: Technique
    findings: int
    begin: int


@dataclass(frozen=True, slots=True)
class Climb:
    """Record of solving a board with the ladder of techniques, as far as the techniques lead.

    Args:
        outcome: whether the board is finished, stuck or contradicted.
        rounds: the rounds in order.
        log: the deductions of all rounds, with four numbers for each deduction.
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
    """Return the state in which the solving of a puzzle begins: no edge is drawn yet.

    Args:
        rule: the rule under which the puzzle is proven to have one solution; ``filled`` if it is not proven.
    """
    grid = puzzle.grid
    free = [int(cell not in grid.solids) for cell in range(grid.size)]
    pairs = [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]
    return Position(grid.rows, grid.cols, free, pairs, ruleset_of(rule).paths_stay_apart, KERNEL_LADDER)


def climb_ladder(position: Position, highest: int = TOP_RUNG) -> Climb:
    """Solve a board with the ladder of techniques, as far as possible.

    In each round, the easiest technique that finds anything is used.

    Args:
        position: the position to begin with. It is not changed.
        highest: the place of the hardest technique that may be used, counted from 1.
    """
    reached = position.copy()
    outcome, numbers = reached.climb(highest)
    rounds, begin, each = [], 0, iter(numbers)
    for code, findings, _, end in zip(each, each, each, each, strict=True):
        rounds.append(Round(OF_CODE[code], findings, begin))
        begin = end
    return Climb(ClimbOutcome(outcome), tuple(rounds), reached.findings(), position, reached)


def edge_at(cols: int, place: int) -> Edge:
    """Return the two cells of an edge, given the number by which the kernels refer to the edge.

    The kernels are the fast parts of the engine.
    """
    cell = place >> 1
    return cell, cell + (cols if place & 1 else 1)


def gap_cells(cols: int, code: int) -> tuple[Cell, ...]:
    """Return the cells of a gap between walls, given the code by which the kernels refer to the gap.

    The kernels are the fast parts of the engine. The code is an integer, which the module
    ``kernels.ladder.gaps`` describes.
    """
    # The code of a gap is a decimal number: the index of one of its cells, followed by two digits. In a
    # positive code, each digit stands for one more cell of the gap. The digits 1 to 8 mean the eight
    # neighbours of the first cell, clockwise from the one above it. The digit 0 means that there is no
    # further cell. A negative code describes a straight row of cells: the first digit is the direction of the
    # row, and the second digit is the number of cells. For each digit, this tuple has the index of the
    # neighbour minus the index of the first cell.
    around = (0, -cols, 1 - cols, 1, cols + 1, cols, cols - 1, -1, -cols - 1)
    cell, ways = divmod(abs(code), 100)
    way, last = divmod(ways, 10)
    if code < 0:
        return tuple(cell + around[way] * place for place in range(last))
    return tuple(sorted({cell, cell + around[way], cell + around[last]}))


def edge_index(step: Edge) -> int:
    """Return the number by which the kernels, the fast parts of the engine, refer to an edge.

    The cell with the smaller index must come first in the edge.
    """
    a, b = step
    return 2 * a + int(b != a + 1)
