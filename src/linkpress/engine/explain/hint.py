"""What to tell a reader who is stuck: the first mistake, or the next lines to draw."""

from __future__ import annotations

from collections.abc import Iterable

from linkpress.engine.explain.phrase_tree import ListKind, PhraseTree, list_of, phrase, route, squares
from linkpress.engine.explain.telling import Step, explain_next_line
from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.recipe import Rule
from linkpress.engine.solve.ladder import (
    Climb,
    Deduction,
    climb_ladder,
    edge_index,
    position_of,
    rung_of,
    write,
)
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge
from linkpress.puzzle.rules import Breach, DrawingRule, check_drawing

# Breaches that a drawing has only because it is not finished.
_UNFINISHED = {DrawingRule.DEAD_END, DrawingRule.UNJOINED_PAIR, DrawingRule.UNCOVERED}


def next_step(puzzle: Puzzle, drawn: Iterable[Edge], rule: Rule) -> Step | None:
    """Return a hint for a partly drawn board: the first mistake, or else the next lines to draw.

    Args:
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
            return _mistake(_breach_sentence(puzzle, breach), breach.cells, ())
    empty = position_of(puzzle, rule)
    climb = _climb_from(empty, steps)
    if climb is None or climb.outcome is not ClimbOutcome.FINISHED:  # a finished drawing is right
        mistake = _mistake_in(puzzle, steps, climb_ladder(empty) if steps or climb is None else climb)
        if mistake is not None:
            return mistake
    if climb is None or climb.outcome is ClimbOutcome.CONTRADICTED:
        cells = tuple(sorted({cell for step in steps for cell in step}))
        return _mistake(phrase("can_t_be_completed"), cells, ())
    return _step_from(puzzle, climb)


def _climb_from(empty: Position, drawn: list[Edge]) -> Climb | None:
    """Return the climb from a drawing; None if its lines contradict each other."""
    position = empty.copy()
    lines = (Deduction(EdgeState.DRAWN, edge_index(step)) for step in drawn)
    return climb_ladder(position) if write(position, lines) else None


def _mistake_in(puzzle: Puzzle, drawn: list[Edge], climb: Climb) -> Step | None:
    """Say what the climb from the empty board says against a drawing."""
    if climb.outcome is ClimbOutcome.CONTRADICTED:
        return _mistake(phrase("no_solution"), (), ())
    edges = climb.position.edges()
    wrong = tuple(step for step in drawn if edges[edge_index(step)] == EdgeState.RULED_OUT)
    if not wrong:
        return None
    steps = list_of(ListKind.COMMA, (route(puzzle.grid, step) for step in wrong))
    cells = tuple(sorted({cell for step in wrong for cell in step}))
    return _mistake(phrase("not_in_solution", steps=steps), cells, wrong)


def _step_from(puzzle: Puzzle, climb: Climb) -> Step | None:
    """Return the next step that draws a line, after the reasons that it rests on."""
    steps = explain_next_line(puzzle, climb)
    if not steps:
        return None
    *reasons, last = steps
    hardest = max(steps, key=rung_of)
    cells = tuple(dict.fromkeys(cell for step in (last, *reasons) for cell in step.cells))
    ruled_out = tuple(ruled_out for step in steps for ruled_out in step.ruled_out)
    sentence = list_of(ListKind.REASONS, (step.sentence for step in steps))
    return Step(hardest.rung, hardest.technique, cells, last.drawn, ruled_out, sentence)


def _breach_sentence(puzzle: Puzzle, breach: Breach) -> PhraseTree:
    numbers = [puzzle.number_at[cell] for cell in breach.cells if cell in puzzle.number_at]
    parts: dict[str, int] = {}
    if breach.rule is DrawingRule.WRONG_PAIR:
        parts = dict(zip(("number", "other"), numbers, strict=True))
    elif breach.rule is DrawingRule.THROUGH_NUMBER:
        parts = dict(zip(("number",), numbers, strict=True))
    broken = phrase(f"breach_{breach.rule.replace(' ', '_')}", **parts)
    if not breach.cells:
        return broken
    return phrase("breach", squares=squares(puzzle.grid, breach.cells, ListKind.COMMA), breach=broken)


def _mistake(sentence: PhraseTree, cells: tuple[Cell, ...], wrong: tuple[Edge, ...]) -> Step:
    return Step(0, "mistake", cells, (), wrong, sentence)
