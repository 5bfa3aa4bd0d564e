"""Give a hint for a partly drawn board: the first mistake, or else the next lines to draw."""

from __future__ import annotations

from collections.abc import Iterable

from linkpress.engine.explain.phrase_tree import ListKind, PhraseTree, list_of, phrase, route, squares
from linkpress.engine.explain.steps import Step, combined, explain_climb
from linkpress.engine.kernels.glossary import ClimbOutcome, EdgeState
from linkpress.engine.ladder import Climb, Deduction, climb_ladder, edge_index, position_of, write
from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Cell, Edge, Puzzle, edge
from linkpress.puzzle.rules import Mistake, MistakeKind, check_drawing

# Kinds of mistakes that every unfinished drawing may have. Further lines can put them right.
_UNFINISHED = {MistakeKind.DEAD_END, MistakeKind.UNJOINED_PAIR, MistakeKind.UNCOVERED}


def explain_next_line(puzzle: Puzzle, climb: Climb) -> tuple[Step, ...]:
    """Explain only the first lines that a climb draws. A climb is a solve with the ladder of techniques.

    Returns:
        The steps on which these lines depend, followed by the step that draws the lines. Empty if the climb
        draws nothing.
    """
    before: list[Step] = []
    for step in explain_climb(puzzle, climb):
        if step.drawn:
            shown, needed = [step], set(step.needs)
            for earlier in reversed(before):
                if needed.intersection(earlier.places):
                    shown.insert(0, earlier)
                    needed.update(earlier.needs)
            return tuple(shown)
        before.append(step)
    return ()


def next_step(puzzle: Puzzle, drawn: Iterable[Edge], rule: Rule) -> Step | None:
    """Give a hint for a partly drawn board: the first mistake, or else the next lines to draw.

    Args:
        drawn: the edges drawn so far, with their cells in any order.
        rule: the rule under which the puzzle is proven to have one solution.
    Returns:
        If the drawing has a mistake, a step that explains the mistake. Its ``rung`` is 0, and its
        ``ruled_out`` has the drawn edges to remove, or is empty if they are not known. If there is no
        mistake, the step that draws the next lines. None if the drawing is finished, or if no technique leads
        to another line.
    """
    edges = sorted({edge(a, b) for a, b in drawn})
    for wrong in check_drawing(puzzle, edges):
        if wrong.kind not in _UNFINISHED:
            return _mistake_step(_mistake_sentence(puzzle, wrong), wrong.cells)
    empty = position_of(puzzle, rule)
    position, lines = empty.copy(), (Deduction(EdgeState.DRAWN, edge_index(step)) for step in edges)
    # Solve the rest of the board, unless the lines drawn so far contradict each other.
    climb = climb_ladder(position) if write(position, lines) else None
    # If the solver can finish the board from the lines drawn so far, none of these lines is a mistake. In all
    # other cases, look for a mistake.
    if climb is None or climb.outcome is not ClimbOutcome.FINISHED:
        mistake = _mistake_in(puzzle, edges, climb_ladder(empty) if edges or climb is None else climb)
        if mistake is not None:
            return mistake
    if climb is None or climb.outcome is ClimbOutcome.CONTRADICTED:
        cells = tuple(sorted({cell for step in edges for cell in step}))
        return _mistake_step(phrase("can_t_be_completed"), cells)
    steps = explain_next_line(puzzle, climb)
    if not steps:
        return None
    sentence = list_of(ListKind.REASONS, (step.sentence for step in steps))
    *reasons, last = steps
    return combined(steps, sentence, (cell for step in (last, *reasons) for cell in step.cells))


def _mistake_in(puzzle: Puzzle, drawn: list[Edge], climb: Climb) -> Step | None:
    """Return a step that names the mistakes in a drawing; None if there are none.

    A drawn line is a mistake if the solving techniques rule it out on the empty board, on which no line is
    drawn yet. If they show that the puzzle has no solution, the step says so.

    Args:
        climb: the record of solving the empty board with the ladder of techniques.
    """
    if climb.outcome is ClimbOutcome.CONTRADICTED:
        return _mistake_step(phrase("no_solution"), ())
    states = climb.position.edges()
    wrong = tuple(step for step in drawn if states[edge_index(step)] == EdgeState.RULED_OUT)
    if not wrong:
        return None
    steps = list_of(ListKind.COMMA, (route(puzzle.grid, step) for step in wrong))
    cells = tuple(sorted({cell for step in wrong for cell in step}))
    return _mistake_step(phrase("not_in_solution", steps=steps), cells, wrong)


def _mistake_step(sentence: PhraseTree, cells: tuple[Cell, ...], wrong: tuple[Edge, ...] = ()) -> Step:
    return Step(0, "mistake", cells, (), wrong, sentence)


def _mistake_sentence(puzzle: Puzzle, mistake: Mistake) -> PhraseTree:
    numbers = [puzzle.number_at[cell] for cell in mistake.cells if cell in puzzle.number_at]
    named = {MistakeKind.WRONG_PAIR: ("number", "other"), MistakeKind.THROUGH_NUMBER: ("number",)}
    parts = dict(zip(named.get(mistake.kind, ()), numbers, strict=False))
    broken = phrase(f"breach_{mistake.kind.replace(' ', '_')}", **parts)
    if not mistake.cells:
        return broken
    return phrase("breach", squares=squares(puzzle.grid, mistake.cells, ListKind.COMMA), breach=broken)
