"""Partly known boards: random true facts about a filling, and whether findings agree with it."""

from linkpress.engine.kernels.glossary import FindingKind
from linkpress.engine.ladder import Deduction, edge_index


def part_of(rng, puzzle, filling):
    """Choose random edges and say which of them are drawn in a filling."""
    share = rng.random() * 0.7
    return [
        Deduction(FindingKind.DRAWN if step in filling.edges else FindingKind.RULED_OUT, edge_index(step))
        for step in puzzle.grid.edges
        if rng.random() < share
    ]


def facts_of(puzzle, filling):
    """All facts about a filling: kind, edge or cell, and the number, which is 0 for an edge."""
    drawn = {
        (FindingKind.DRAWN if step in filling.edges else FindingKind.RULED_OUT, edge_index(step), 0)
        for step in puzzle.grid.edges
    }
    firsts = {pair.number: pair.first for pair in puzzle.pairs}
    numbered = {
        (FindingKind.NUMBERED, cell, 1 + firsts[filling.number_of[cell]]) for cell in puzzle.grid.free_cells
    }
    return frozenset(drawn | numbered)


def all_agree(findings, facts):
    """Whether all findings are among the facts about a filling."""
    return all(
        (kind, where, cause if kind == FindingKind.NUMBERED else 0) in facts
        for kind, where, _, cause in findings
    )
