"""Boards of which a part is known: random true statements about a filling, told to a position."""

from collections.abc import Iterable
from itertools import chain
from random import Random

from linkpress.engine.kernels import Position
from linkpress.engine.kernels.glossary import FindingKind
from linkpress.engine.solve.ladder import Deduction, place_of
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


def facts_of(puzzle: Puzzle, filling: Solution) -> frozenset[tuple[int, int, int]]:
    """All statements that are true of a filling: kind, where, and the number of those that give one."""
    drawn = {
        (FindingKind.DRAWN if step in filling.edges else FindingKind.RULED_OUT, place_of(step), 0)
        for step in puzzle.grid.edges
    }
    firsts = {pair.number: pair.first for pair in puzzle.pairs}
    numbered = {
        (FindingKind.NUMBERED, cell, 1 + firsts[filling.number_of[cell]]) for cell in puzzle.grid.free_cells
    }
    return frozenset(drawn | numbered)


def all_agree(findings: Iterable[Deduction], facts: frozenset[tuple[int, int, int]]) -> bool:
    """Whether all statements are among those that are true of a filling."""
    return all(
        (kind, where, cause if kind == FindingKind.NUMBERED else 0) in facts
        for kind, where, _, cause in findings
    )
