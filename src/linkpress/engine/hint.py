"""What to tell a reader who is stuck: the first mistake, or the next lines to draw."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.deduce import Board, Outcome, board_of, climb_ladder
from linkpress.engine.kernels.ladder import apply_logged
from linkpress.engine.kernels.marks import DRAWN, RIGHT, RULED_OUT
from linkpress.engine.steps import Step, tell_climb
from linkpress.puzzle.grid import Cell, Edge, edge
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.rules import DrawingRule, check_drawing

# Breaches that a drawing has only because it is not finished.
_UNFINISHED = {DrawingRule.DEAD_END, DrawingRule.UNJOINED_PAIR, DrawingRule.UNCOVERED}


def find_next_step(puzzle: Puzzle, drawn: Iterable[Edge]) -> Step | None:
    """As ``grade.next_step``."""
    steps = sorted({edge(a, b) for a, b in drawn})
    for breach in check_drawing(puzzle, steps):
        if breach.rule not in _UNFINISHED:
            return _mistake(breach.text, breach.cells, ())
    board = board_of(puzzle)
    climb = climb_ladder(board)
    if climb.outcome is Outcome.CONTRADICTED:
        return _mistake("the board has no solution", (), ())
    wrong = tuple(step for step in steps if _mark(climb.marks, step) == RULED_OUT)
    if wrong:
        return _wrong_edges(puzzle, wrong)
    return _step_from(puzzle, board, steps)


def _step_from(puzzle: Puzzle, board: Board, drawn: list[Edge]) -> Step | None:
    """The next step that draws a line, with the last reasons that led to it."""
    marks = board.marks.copy()
    log = np.array([(DRAWN, _place(step), 0, 0) for step in drawn], np.int32).reshape(-1, 4)
    holds = apply_logged(board.around, marks, log, 0, len(log))
    climb = climb_ladder(board, marks) if holds else None
    if climb is None or climb.outcome is Outcome.CONTRADICTED:
        cells = tuple(sorted({cell for step in drawn for cell in step}))
        return _mistake("what is drawn can't be completed to a solution", cells, ())
    reasons: list[Step] = []
    for step in tell_climb(puzzle, board, climb, marks):
        if step.drawn:
            return _with_reasons(step, reasons)
        reasons.append(step)
    return None


def _with_reasons(step: Step, reasons: list[Step]) -> Step:
    """The step, with what ruled out the other exits of the squares that it rests on."""
    own = [reason for reason in reasons if any(cell in step.cells for e in reason.ruled_out for cell in e)]
    if not own:
        return step
    text = f"{step.text} ({'; '.join(reason.text for reason in own)})"
    hardest = max((step, *own), key=lambda one: one.rung)
    return Step(hardest.rung, hardest.technique, step.cells, step.drawn, step.ruled_out, text)


def _wrong_edges(puzzle: Puzzle, wrong: tuple[Edge, ...]) -> Step:
    name = puzzle.grid.name
    steps = ", ".join(f"{name(a)}–{name(b)}" for a, b in wrong)
    text = f"not part of the solution: {steps}"
    return _mistake(text, tuple(sorted({cell for step in wrong for cell in step})), wrong)


def _mistake(text: str, cells: tuple[Cell, ...], wrong: tuple[Edge, ...]) -> Step:
    return Step(0, "mistake", cells, (), wrong, text)


def _place(step: Edge) -> int:
    a, b = step
    return 2 * a + int(b != a + 1)


def _mark(marks: NDArray[np.int16], step: Edge) -> int:
    a, b = step
    return int(marks[a, RIGHT + int(b != a + 1)])
