"""One peer's run over the boards of a set, or over a size to make, in a process that holds nothing else."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from linkpress.engine.grade import grade_puzzle
from linkpress.engine.recipe import Rule as EngineRule
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import fingerprint

from .generators import GENERATORS
from .judge import Rule, Verdict, judge
from .limits import Limits, Outcome, run
from .sets import board
from .solvers import SOLVERS, Answer

# The least work that a peer can be given: its time is start-up, and is taken off every other.
SMALLEST = board(["A.A", "B.B", "C.C"])
STARTS = 5
# So many boards in a row without an answer, and a solver is asked about no more of the set.
IN_VAIN = 5
# Made boards that are judged, of those made: their share holds for all.
JUDGED = 200


@dataclass(frozen=True)
class Solved:
    """What a solver came to on the boards of one set, by one rule.

    Times are in milliseconds, less the start-up; infinite where the middle or last board was not settled.
    """

    boards: int  # of the set that it takes; asked about are those of the next three
    right: int
    wrong: int
    unsettled: int
    median_ms: float
    p95_ms: float
    worst_ms: float
    faults: Counter[str]


def solve(
    name: str, path: Path | None, judged: Sequence[tuple[Puzzle, Verdict]], rule: Rule, limits: Limits
) -> Solved:
    """Ask a solver about each board that it takes, and compare with the judge."""
    solver = next(one for one in SOLVERS if one.peer.name == name)
    taken = [(puzzle, verdict) for puzzle, verdict in judged if solver.takes(puzzle)]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        puzzles = [puzzle for puzzle, _ in taken]
        starts, outcomes = pool.submit(_ask_all, name, path, puzzles, rule, limits).result()
    start = statistics.median(outcome.seconds for outcome in starts)
    answers = [_answer(outcome) for outcome in outcomes]
    right = sum(answer.fits(verdict) for answer, (_, verdict) in zip(answers, taken, strict=False))
    unsettled = answers.count(Answer.UNSETTLED)
    asked = len(answers)
    times = sorted(
        math.inf if answer is Answer.UNSETTLED else 1000 * max(0.0, outcome.seconds - start)
        for answer, outcome in zip(answers, outcomes, strict=True)
    ) or [0.0]
    return Solved(
        len(taken),
        right,
        asked - right - unsettled,
        unsettled,
        statistics.median(times),
        times[min(len(times) - 1, int(0.95 * len(times)))],
        times[-1],
        Counter(outcome.fault for outcome in outcomes if outcome.fault),
    )


def _answer(outcome: Outcome) -> Answer:
    return next((item for item in outcome.items if isinstance(item, Answer)), Answer.UNSETTLED)


def _ask_all(
    name: str, path: Path | None, puzzles: list[Puzzle], rule: Rule, limits: Limits
) -> tuple[list[Outcome], list[Outcome]]:
    """In the peer's own process: load it once, then ask about the smallest board and each other one."""
    solver = next(one for one in SOLVERS if one.peer.name == name)
    ask = solver.start(path)
    if not solver.peer.program or solver.peer.module:
        ask(SMALLEST, rule)  # what a library loads at its first question is loaded now
    starts = [run(lambda: [ask(SMALLEST, rule)], limits) for _ in range(STARTS)]
    outcomes: list[Outcome] = []
    for puzzle in puzzles:
        outcomes.append(run(lambda puzzle=puzzle: [ask(puzzle, rule)], limits))
        if len(outcomes) >= IN_VAIN and not any(outcome.items for outcome in outcomes[-IN_VAIN:]):
            break
    return starts, outcomes


@dataclass(frozen=True)
class Made:
    """What a generator came to with one size.

    Args:
        a_second: boards of any kind, of processor time.
        asked: the share of those with the size and pairs asked for that are no repeat.
        filled, strict: the shares of all with one filling, and with one drawing at all.
        grades: how many of the strict ones have each grade of linkpress, 0 for none.
    """

    count: int
    a_second: float
    asked: float
    filled: float
    strict: float
    grades: Counter[int]


def make(name: str, path: Path | None, side: int, pairs: int, limits: Limits) -> Made:
    """Let a generator make boards for the whole time, then judge them."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        outcome = pool.submit(_make_all, name, path, side, pairs, limits).result()
    made = [item for item in outcome.items if isinstance(item, Puzzle)]
    asked = [one for one in made if (one.grid.rows, one.grid.cols, len(one.pairs)) == (side, side, pairs)]
    different = list({fingerprint(puzzle): puzzle for puzzle in asked}.values())
    judged = different[:JUDGED]
    filled = [puzzle for puzzle in judged if judge(puzzle, Rule.FILLED) is Verdict.UNIQUE]
    strict = [puzzle for puzzle in filled if judge(puzzle, Rule.STRICT) is Verdict.UNIQUE]
    grades = Counter(grade_puzzle(puzzle, EngineRule.STRICT).grade or 0 for puzzle in strict)
    share = len(different) / max(1, len(made))
    unit = share / max(1, len(judged))
    return Made(len(made), len(made) / outcome.seconds, share, unit * len(filled), unit * len(strict), grades)


def _make_all(name: str, path: Path | None, side: int, pairs: int, limits: Limits) -> Outcome:
    generator = next(one for one in GENERATORS if one.peer.name == name)
    make_boards = generator.start(path)
    return run(lambda: make_boards(side, pairs), limits)
