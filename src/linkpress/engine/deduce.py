"""The ladder: one technique a rung, each sound, and the climb from the lowest up.

A deduction holds in every filling of the board: every free square covered, paths free to run
alongside themselves, nothing assumed about how many fillings there are. So a board that the
ladder finishes has exactly the one filling that it drew, and a board with several is never
finished.

In each round the lowest rung that has anything to say says all it has, from the board as it
stood; so the climb is the same for a turned, mirrored or renumbered board.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.ladder import climb
from linkpress.engine.kernels.marks import DRAWN, FIELDS, RIGHT, lay_out
from linkpress.puzzle.grid import Edge
from linkpress.puzzle.puzzle import Puzzle


@dataclass(frozen=True, slots=True)
class Technique:
    """One rung.

    Args:
        rung: 1 for the easiest.
        name: as in ``volume.json``.
        effort: what looking at one undecided edge with it costs, in units of the first rung.
    """

    rung: int
    name: str
    effort: int


LADDER = (
    Technique(1, "exits", 1),
    Technique(2, "clash", 1),
    Technique(3, "cut-off", 3),
    Technique(4, "look-ahead", 3),
    Technique(5, "gap", 5),
    Technique(6, "what-if", 6),
    Technique(7, "balance", 8),
    Technique(8, "chain", 12),
    Technique(9, "long-chain", 25),
    Technique(10, "walls", 30),
)
TOP_RUNG = LADDER[-1].rung


class Outcome(Enum):
    """How a climb ended; the values are the kernel's."""

    FINISHED = 0
    STUCK = 1
    CONTRADICTED = 2  # the board has no filling


@dataclass(frozen=True, slots=True)
class Board:
    """A puzzle as the kernels take it; ``kernels.marks`` explains the arrays.

    Args:
        around: int16[cells, 4].
        marks: int16[cells, 8], with nothing drawn.
        pairs: int16[pairs, 2], as cells.
        sound: whether every cell has enough exits to begin with.
    """

    around: NDArray[np.int16]
    marks: NDArray[np.int16]
    pairs: NDArray[np.int16]
    sound: bool


@dataclass(frozen=True, slots=True)
class Round:
    """All findings of one rung at one time.

    Args:
        rung: the rung.
        findings: how many it had.
        undecided: how many edges were neither drawn nor ruled out before.
        begin: its first finding in the log.
        end: one past its last.
    """

    rung: int
    findings: int
    undecided: int
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class Climb:
    """What the ladder made of a board.

    Args:
        outcome: how it ended.
        rounds: what was done, in order.
        log: int32[findings, 4]: what, where, kind and cause of each finding.
        marks: what is known at the end.
    """

    outcome: Outcome
    rounds: tuple[Round, ...]
    log: NDArray[np.int32]
    marks: NDArray[np.int16]


def board_of(puzzle: Puzzle) -> Board:
    """The arrays of a puzzle on which nothing is drawn."""
    rows, cols = puzzle.grid.rows, puzzle.grid.cols
    free = np.ones(rows * cols, np.uint8)
    free[list(puzzle.grid.solids)] = 0
    pairs = np.array([(pair.first, pair.second) for pair in puzzle.pairs], np.int16)
    around = np.empty((rows * cols, 4), np.int16)
    marks = np.empty((rows * cols, FIELDS), np.int16)
    sound = lay_out(free.reshape(rows, cols), pairs, around, marks)
    return Board(around, marks, pairs, sound)


def climb_ladder(board: Board, marks: NDArray[np.int16] | None = None, highest: int = TOP_RUNG) -> Climb:
    """Settle all that the rungs up to ``highest`` settle.

    Args:
        board: from ``board_of``; left as it is.
        marks: what is known to begin with, the board's own when None; left as it is.
        highest: the last rung that may be used.
    """
    known = (board.marks if marks is None else marks).copy()
    cells = len(known)
    # A round settles an edge or numbers a fragment; only the last can have findings that clash.
    rounds, log = np.empty((3 * cells, 4), np.int32), np.empty((8 * cells + 8, 4), np.int32)
    if not board.sound:
        return Climb(Outcome.CONTRADICTED, (), log[:0], known)
    outcome, made, logged = climb(board.around, known, board.pairs, highest, rounds, log)
    return Climb(Outcome(outcome), _rounds(rounds[:made]), log[:logged], known)


def drawn_edges(cols: int, marks: NDArray[np.int16]) -> tuple[Edge, ...]:
    """The edges that are drawn, the smaller cell first."""
    cells, down = np.nonzero(marks[:, RIGHT : RIGHT + 2] == DRAWN)
    others = cells + np.where(down == 1, cols, 1)
    return tuple(zip(cells.tolist(), others.tolist(), strict=True))


def _rounds(made: NDArray[np.int32]) -> tuple[Round, ...]:
    rounds, begin = [], 0
    for rung, findings, undecided, end in made.tolist():
        rounds.append(Round(rung, findings, undecided, begin, end))
        begin = end
    return tuple(rounds)
