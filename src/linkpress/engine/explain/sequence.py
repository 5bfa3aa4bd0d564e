"""In which order findings are told: one place is followed to its end before the next is taken up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from linkpress.engine.explain.board_view import Fact
from linkpress.engine.explain.explained_findings import SIMPLE_RUNGS, ExplainedFinding
from linkpress.engine.kernels.glossary import FindingKind, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at
from linkpress.puzzle.grid import Cell

# What is said of a closed way where it is used, not in a sentence of its own.
_IN_PASSING = {Reason.CLASH, Reason.LOOP, Reason.TURNS_BACK, Reason.BESIDE_ITSELF}
# Findings about one square, made at one time, that are one sentence.
BY_SQUARE = {Reason.ALL_EXITS, Reason.EVERY_WAY_USES, Reason.NO_WAY_USES}
_FAR = 1_000_000  # more than any rung, distance or cell


class FindingGroup:
    """Findings that are told in one sentence.

    Args:
        entries: with one reason and cause.
        premises: what they rest on, themselves left out.
        cells: the squares of their edges.
    Attributes:
        rung: the technique.
        reason: why they hold.
        cause: what the reason names.
        in_passing: whether it closes a way and is said where that is used.
    """

    __slots__ = ("cause", "cells", "entries", "in_passing", "premises", "reason", "rung")

    def __init__(
        self, entries: tuple[ExplainedFinding, ...], premises: frozenset[Fact], cells: frozenset[Cell]
    ) -> None:
        self.entries, self.premises, self.cells = entries, premises, cells
        self.rung = entries[0].rung
        _, _, self.reason, self.cause = entries[0].finding
        self.in_passing = self.reason in _IN_PASSING

    @property
    def findings(self) -> list[Deduction]:
        """What they are."""
        return [entry.finding for entry in self.entries]


def in_order(
    entries: Sequence[ExplainedFinding], cols: int, near: frozenset[Cell]
) -> Iterator[tuple[FindingGroup, list[FindingGroup]]]:
    """The findings as they are told, each with the ways that are closed in passing.

    Args:
        entries: findings, each after what it rests on.
        cols: of the board.
        near: squares near which to begin.
    """
    pending = dict(enumerate(_grouped(entries, cols)))
    of_fact = {entry.fact: at for at, unit in pending.items() for entry in unit.entries}
    reasons = {
        at: dict.fromkeys([of_fact[fact] for fact in sorted(unit.premises) if fact in of_fact])
        for at, unit in pending.items()
    }
    waits = _waits(pending, reasons)
    waiting: dict[int, list[int]] = {}
    for at, others in waits.items():
        for one in others:
            waiting.setdefault(one, []).append(at)
    while pending:
        ready = [at for at, others in waits.items() if not others]
        if not ready:
            ready = [at for at in pending if not reasons[at].keys() & pending.keys()]
        chosen = ready[0] if len(ready) == 1 else _nearest(pending, ready, near, cols)
        unit, passing = pending[chosen], _untold(chosen, pending, reasons)
        alone = [at for at in passing if not _goes_with(pending[at], unit)]
        yield from ((pending[at], []) for at in alone)
        yield unit, [pending[at] for at in passing if at not in alone]
        for at in (*passing, chosen):
            del pending[at]
            waits.pop(at, None)
            for one in waiting.get(at, ()):
                if one in waits:
                    waits[one].discard(at)
        near = unit.cells


def _waits(
    units: Mapping[int, FindingGroup], reasons: Mapping[int, Mapping[int, None]]
) -> dict[int, set[int]]:
    """By finding that has a sentence of its own, the others of that kind that must be told before.

    Those that a way closed in passing rests on count for the sentence that uses it.
    """
    waits: dict[int, set[int]] = {}
    through: dict[int, set[int]] = {}
    for at, unit in units.items():  # each stands after what it rests on
        found: set[int] = set()
        for one in reasons[at]:
            found |= through[one] if units[one].in_passing else {one}
        (through if unit.in_passing else waits)[at] = found
    return waits


def _goes_with(closed: FindingGroup, unit: FindingGroup) -> bool:
    """Whether a closed way is said in the sentence that uses it."""
    if unit.reason == Reason.ALL_EXITS:
        return unit.cause in closed.cells
    return unit.reason == Reason.REFUTED


def _grouped(entries: Sequence[ExplainedFinding], cols: int) -> list[FindingGroup]:
    groups: dict[tuple[int, ...], list[ExplainedFinding]] = {}
    for at, entry in enumerate(entries):
        kind, _, reason, cause = entry.finding
        key = (reason, kind, cause, id(entry.known)) if reason in BY_SQUARE else (at,)
        groups.setdefault(key, []).append(entry)
    return [_unit(group, cols) for group in groups.values()]


def _unit(entries: Sequence[ExplainedFinding], cols: int) -> FindingGroup:
    own = {entry.fact for entry in entries}
    premises = entries[0].premises.union(*[entry.premises for entry in entries[1:]]) - own
    cells: list[Cell] = []
    for kind, where in own:
        cells += (where,) if kind == FindingKind.NUMBERED else edge_at(cols, where)
    return FindingGroup(tuple(entries), premises, frozenset(cells))


def _untold(
    chosen: int, pending: Mapping[int, FindingGroup], reasons: Mapping[int, Mapping[int, None]]
) -> list[int]:
    """The findings that one rests on and nobody told yet, each after those that it rests on."""
    found: list[int] = []
    for at in reasons[chosen]:
        if at in pending:
            found += [one for one in (*_untold(at, pending, reasons), at) if one not in found]
    return found


def _nearest(
    pending: Mapping[int, FindingGroup], ready: Sequence[int], near: frozenset[Cell], cols: int
) -> int:
    """Of the simplest the nearest, of these the first on the board."""
    places = [divmod(cell, cols) for cell in near]
    best, chosen = (_FAR, _FAR, _FAR), ready[0]
    for at in ready:
        unit = pending[at]
        hard = 0 if unit.rung < SIMPLE_RUNGS.stop else unit.rung
        if hard > best[0]:
            continue
        distance = _FAR if places else 0
        for cell in unit.cells:
            row, col = divmod(cell, cols)
            for there_row, there_col in places:
                apart = abs(row - there_row) + abs(col - there_col)
                if apart < distance:
                    distance = apart
        key = hard, distance, min(unit.cells)
        if key < best:
            best, chosen = key, at
    return chosen
