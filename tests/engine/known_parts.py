"""Boards of which a part is known: random true statements about a filling, told to a position."""

from collections.abc import Iterable
from itertools import chain
from random import Random

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import FindingKind
from linkpress.engine.ladder import Deduction, place_of
from linkpress.puzzle.puzzle import Puzzle, Solution


def part_of(rng: Random, puzzle: Puzzle, filling: Solution) -> list[Deduction]:
    """Random true statements about some edges."""
    share = rng.random() * 0.7
    return [
        Deduction(FindingKind.DRAWN if step in filling.edges else FindingKind.RULED_OUT, place_of(step), 0, 0)
        for step in puzzle.grid.edges
        if rng.random() < share
    ]


def tell(position: Position, findings: Iterable[Deduction]) -> bool:
    """Write statements into a position; False when they contradict what is known or each other."""
    return position.apply(list(chain.from_iterable(findings)))


def find_alone(position: Position, rung: int) -> list[Deduction] | None:
    """All that one technique has to say of a board as it stands; None when it sees a contradiction."""
    words = position.find_on_rung(rung)
    if words is None:
        return None
    return [Deduction(*words[at : at + 4]) for at in range(0, len(words), 4)]


def agrees(finding: Deduction, puzzle: Puzzle, filling: Solution) -> bool:
    """Whether a statement is true of a filling."""
    what, where, _, cause = finding
    if what == FindingKind.NUMBERED:
        return filling.number_of[where] == puzzle.number_at[cause - 1]
    return (where in {place_of(step) for step in filling.edges}) == (what == FindingKind.DRAWN)


def all_agree(findings: Iterable[Deduction], puzzle: Puzzle, filling: Solution) -> bool:
    """Whether all statements are true of a filling."""
    return all(agrees(finding, puzzle, filling) for finding in findings)
