"""One peer's run over the boards of a set, or over a size to make, in a process that holds nothing else."""

import math
import statistics
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context

from linkpress.engine.recipe import Rule, Span
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.symmetry import fingerprint

from .generators import GENERATORS, Size
from .judge import Verdict, judge_all
from .limits import run
from .sets import board
from .solvers import SOLVERS, Answer

# The least work that a solver can be given: its time is start-up, and is taken off every other.
SMALLEST = board(["A.A", "B.B", "C.C"])
SMALL = Size(5, Span(4, 4))
# So many boards in a row without an answer, and a solver is asked about no more of the set.
IN_VAIN = 5
# So many boards of the size asked for, and a generator has shown what it can: each of them is judged.
ENOUGH = 100


@dataclass(frozen=True)
class Result:
    """What a peer came to with one set of boards, or with one size to make.

    Args:
        right: a solver's right verdicts; a generator's puzzles, which are as asked for, with one drawing by
            the judge's word, and no repeat.
        wrong: other verdicts; other boards.
        unsettled: boards that the solver, or the judge of what a generator made, came to no verdict on.
        unasked: boards of the set after so many in vain.
        seconds: processor time for all of them, less a solver's start-up.
        noise: so many of these seconds may be start-up all the same.
        worst_ms: a solver's longest time for a board, infinite if one is unsettled; a generator's longest
            wait from one board to the next.
        faults: how often the peer failed in which way.
    """

    right: int
    wrong: int
    unsettled: int
    unasked: int
    seconds: float
    noise: float
    worst_ms: float
    faults: Counter[str]


def solve(name, path, judged, rule, limits):
    """Ask a solver about each board that it takes, and compare with the judge."""
    solver = next(one for one in SOLVERS if one.peer.name == name)
    taken = [(puzzle, verdict) for puzzle, verdict in judged if solver.takes(puzzle)]
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        puzzles = [puzzle for puzzle, _ in taken]
        try:
            starts, outcomes = pool.submit(_ask_all, name, path, puzzles, rule, limits).result()
        except Exception as fault:  # a peer may fail in any way, and that is a result
            return _not_loaded(fault, len(taken))
    low, start, high = statistics.quantiles((outcome.seconds for outcome in starts), n=4)
    answers = [_answer(outcome) for outcome in outcomes]
    right = sum(answer.fits(verdict) for answer, (_, verdict) in zip(answers, taken, strict=False))
    unsettled = answers.count(Answer.UNSETTLED)
    asked = len(answers)
    longest = max((outcome.seconds for outcome in outcomes), default=start)
    return Result(
        right,
        asked - right - unsettled,
        unsettled,
        len(taken) - asked,
        sum(outcome.seconds for outcome in outcomes) - asked * start,
        2 * (high - low) * math.sqrt(asked),  # about three standard errors of that difference
        math.inf if unsettled else 1000 * max(0.0, longest - start),
        Counter(outcome.fault for outcome in outcomes if outcome.fault),
    )


def _not_loaded(fault, unasked):
    fault_text = f"it can't be loaded: {type(fault).__name__}: {fault}"
    return Result(0, 0, 0, unasked, 0.0, 0.0, 0.0, Counter([fault_text]))


def _answer(outcome):
    return next((item for item in outcome.items if isinstance(item, Answer)), Answer.UNSETTLED)


def _ask_all(name, path, puzzles, rule, limits):
    """In the peer's own process: load it once, then ask about the smallest board before each other one."""
    solver = next(one for one in SOLVERS if one.peer.name == name)
    ask = solver.start(path)
    if not solver.peer.program or solver.peer.module:
        ask(SMALLEST, rule)  # what a library loads at its first question is loaded now
    starts = [run(lambda: [ask(SMALLEST, rule)], limits) for _ in range(2)]
    outcomes = []
    for puzzle in puzzles:
        starts.append(run(lambda: [ask(SMALLEST, rule)], limits))
        outcomes.append(run(lambda puzzle=puzzle: [ask(puzzle, rule)], limits))
        if len(outcomes) >= IN_VAIN and not any(outcome.items for outcome in outcomes[-IN_VAIN:]):
            break
    return starts, outcomes


def make(name, path, size, limits):
    """Let a generator make boards until there are enough or its time is over, then judge them."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        try:
            outcome = pool.submit(_make_all, name, path, size, limits).result()
        except Exception as fault:  # as above
            return _not_loaded(fault, 0)
    made = (item for item in outcome.items if isinstance(item, Puzzle))
    different = {fingerprint(puzzle): puzzle for puzzle in made if size.fits(puzzle)}
    verdicts = Counter(judge_all(different.values(), Rule.STRICT))
    right, unsettled = verdicts[Verdict.UNIQUE], verdicts[None]
    waits = (after - before for before, after in pairwise([0.0, *outcome.at, outcome.seconds]))
    return Result(
        right,
        len(outcome.items) - right - unsettled,
        unsettled,
        0,
        outcome.seconds,
        0.0,
        1000 * max(waits),
        Counter([outcome.fault] if outcome.fault else ()),
    )


def _make_all(name, path, size, limits):
    generator = next(one for one in GENERATORS if one.peer.name == name)
    make_boards = generator.start(path)
    if not generator.peer.program:
        next(make_boards(SMALL))  # what a library loads at its first board is loaded now
    return run(lambda: _enough(make_boards(size), size), limits)


def _enough(boards, size):
    fitting = 0
    for puzzle in boards:
        yield puzzle
        fitting += size.fits(puzzle)
        if fitting == ENOUGH:
            return
