"""What to tell a reader who is stuck: the first mistake, or the next lines to draw."""

from __future__ import annotations

from collections.abc import Iterable

from linkpress.engine.explain import Step, tell_line
from linkpress.engine.explain.saying import (
    ListKind,
    Part,
    listed,
    route,
    saying,
    squares,
)
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.ladder import (
    Climb,
    climb_ladder,
    place_of,
    position_of,
)
from linkpress.puzzle.grid import Cell, Edge, edge
from linkpress.puzzle.puzzle import Puzzle
from linkpress.puzzle.rules import Breach, DrawingRule, check_drawing

# Breaches that a drawing has only because it is not finished.
_UNFINISHED = {DrawingRule.DEAD_END, DrawingRule.UNJOINED_PAIR, DrawingRule.UNCOVERED}


def next_step(puzzle: Puzzle, drawn: Iterable[Edge], rule: Rule) -> Step | None:
    """A hint for a partly drawn board: the first mistake, or else the next lines to draw.

    Args:
        puzzle: the puzzle.
        drawn: the edges drawn so far, cells in any order.
        rule: under which the puzzle is proven to have one solution.
    Returns:
        A step of rung 0 for a mistake, naming the edges to take back in ``ruled_out`` where they
        are known; else the step that draws; None when the drawing is finished, or when the ladder
        sees no next line.
    """
    steps = sorted({edge(a, b) for a, b in drawn})
    for breach in check_drawing(puzzle, steps):
        if breach.rule not in _UNFINISHED:
            return _mistake(_breach_said(puzzle, breach), breach.cells, ())
    empty = position_of(puzzle, rule)
    climb = _climb_from(empty, steps)
    if climb is None or climb.outcome is not ClimbOutcome.FINISHED:  # a finished drawing is right
        mistake = _mistake_in(puzzle, steps, climb_ladder(empty) if steps or climb is None else climb)
        if mistake is not None:
            return mistake
    if climb is None or climb.outcome is ClimbOutcome.CONTRADICTED:
        cells = tuple(sorted({cell for step in steps for cell in step}))
        return _mistake(saying("can_t_be_completed"), cells, ())
    return _step_from(puzzle, climb)


def _climb_from(empty: Position, drawn: list[Edge]) -> Climb | None:
    """The climb from a drawing; None if its lines contradict each other."""
    position = empty.copy()
    findings = [word for step in drawn for word in (EdgeState.DRAWN, place_of(step), 0, 0)]
    return climb_ladder(position) if position.apply(findings) else None


def _mistake_in(puzzle: Puzzle, drawn: list[Edge], climb: Climb) -> Step | None:
    """What the climb from the empty board says against a drawing."""
    if climb.outcome is ClimbOutcome.CONTRADICTED:
        return _mistake(saying("no_solution"), (), ())
    edges = climb.position.edges()
    wrong = tuple(step for step in drawn if edges[place_of(step)] == EdgeState.RULED_OUT)
    return _wrong_edges(puzzle, wrong) if wrong else None


def _step_from(puzzle: Puzzle, climb: Climb) -> Step | None:
    """The next step that draws a line, after the reasons that it rests on."""
    steps = tell_line(puzzle, climb)
    if not steps:
        return None
    *reasons, last = steps
    hardest = max(steps, key=lambda one: one.rung)
    cells = tuple(dict.fromkeys(cell for step in (last, *reasons) for cell in step.cells))
    ruled_out = tuple(one for step in steps for one in step.ruled_out)
    said = listed(ListKind.REASONS, (step.said for step in steps))
    return Step(hardest.rung, hardest.technique, cells, last.drawn, ruled_out, said)


def _wrong_edges(puzzle: Puzzle, wrong: tuple[Edge, ...]) -> Step:
    steps = listed(ListKind.COMMA, (route(puzzle.grid, step) for step in wrong))
    return _mistake(
        saying("not_in_solution", steps=steps),
        tuple(sorted({cell for step in wrong for cell in step})),
        wrong,
    )


def _breach_said(puzzle: Puzzle, breach: Breach) -> Part:
    names = ("number", "other") if breach.rule is DrawingRule.WRONG_PAIR else ("number",)
    numbers = [puzzle.number_at[cell] for cell in breach.cells if cell in puzzle.number_at]
    told = breach.rule in (DrawingRule.WRONG_PAIR, DrawingRule.THROUGH_NUMBER)
    parts = dict(zip(names, numbers, strict=True)) if told else {}
    said = saying(f"breach_{breach.rule.replace(' ', '_')}", **parts)
    if not breach.cells:
        return said
    return saying("breach", squares=squares(puzzle.grid, breach.cells, ListKind.COMMA), breach=said)


def _mistake(said: Part, cells: tuple[Cell, ...], wrong: tuple[Edge, ...]) -> Step:
    return Step(0, "mistake", cells, (), wrong, said)
