"""In which order findings are told: one place is followed to its end before the next is taken up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from linkpress.engine.kernels.glossary import FindingKind, Reason
from linkpress.engine.ladder import Deduction, edge_at
from linkpress.engine.steps.entries import SIMPLE_RUNGS, Entry
from linkpress.engine.steps.known import Fact
from linkpress.puzzle.grid import Cell

# What is said of a closed way where it is used, not in a sentence of its own.
_IN_PASSING = {Reason.CLASH, Reason.LOOP, Reason.TURNS_BACK, Reason.BESIDE_ITSELF}
# Findings about one square, made at one time, that are one sentence.
BY_SQUARE = {Reason.ALL_EXITS, Reason.EVERY_WAY_USES, Reason.NO_WAY_USES}


@dataclass(frozen=True)
class Unit:
    """Findings that are told in one sentence.

    Args:
        entries: with one reason and cause.
        premises: what they rest on, themselves left out.
        cells: the squares of their edges.
    """

    entries: tuple[Entry, ...]
    premises: frozenset[Fact]
    cells: frozenset[Cell]

    @property
    def findings(self) -> list[Deduction]:
        """What they are."""
        return [entry.finding for entry in self.entries]

    @property
    def rung(self) -> int:
        """The technique."""
        return self.entries[0].rung

    @property
    def reason(self) -> int:
        """Why they hold."""
        return self.entries[0].finding.reason

    @property
    def cause(self) -> int:
        """What the reason names."""
        return self.entries[0].finding.cause

    @property
    def in_passing(self) -> bool:
        """Whether it closes a way and is said where that is used."""
        return self.reason in _IN_PASSING


def in_order(entries: Sequence[Entry], cols: int, near: frozenset[Cell]) -> Iterator[tuple[Unit, list[Unit]]]:
    """The findings as they are told, each with the ways that are closed in passing.

    Args:
        entries: findings, each after what it rests on.
        cols: of the board.
        near: squares near which to begin.
    """
    pending = _grouped(entries, cols)
    of_fact = {entry.fact: unit for unit in pending for entry in unit.entries}
    told: set[Fact] = set()
    while pending:
        ready = [unit for unit in pending if not unit.in_passing and _is_ready(unit, of_fact, told)]
        if not ready:
            ready = [unit for unit in pending if unit.premises & of_fact.keys() <= told]
        unit = min(ready, key=lambda one: _key(one, near, cols))
        passing = _missing(unit, of_fact, told)
        alone = [one for one in passing if not _goes_with(one, unit)]
        yield from ((one, []) for one in alone)
        yield unit, [one for one in passing if one not in alone]
        for one in (*passing, unit):
            told |= {entry.fact for entry in one.entries}
            pending.remove(one)
        near = unit.cells


def _goes_with(closed: Unit, unit: Unit) -> bool:
    """Whether a closed way is said in the sentence that uses it."""
    if unit.reason == Reason.ALL_EXITS:
        return unit.cause in closed.cells
    return unit.reason == Reason.REFUTED


def _grouped(entries: Sequence[Entry], cols: int) -> list[Unit]:
    groups: dict[tuple[int, ...], list[Entry]] = {}
    for at, entry in enumerate(entries):
        kind, _, reason, cause = entry.finding
        key = (reason, kind, cause, id(entry.known)) if reason in BY_SQUARE else (at,)
        groups.setdefault(key, []).append(entry)
    return [_unit(group, cols) for group in groups.values()]


def _unit(entries: Sequence[Entry], cols: int) -> Unit:
    own = {entry.fact for entry in entries}
    premises = frozenset().union(*(entry.premises for entry in entries)) - own
    cells: set[Cell] = set()
    for kind, where in own:
        cells |= {where} if kind == FindingKind.NUMBERED else set(edge_at(cols, where))
    return Unit(tuple(entries), premises, frozenset(cells))


def _is_ready(unit: Unit, of_fact: dict[Fact, Unit], told: set[Fact]) -> bool:
    missing = [of_fact[fact] for fact in unit.premises if fact in of_fact and fact not in told]
    return all(one.in_passing and _is_ready(one, of_fact, told) for one in missing)


def _missing(unit: Unit, of_fact: dict[Fact, Unit], told: set[Fact]) -> list[Unit]:
    """The closed ways that a finding rests on and nobody told yet, each after those that it rests on."""
    found: list[Unit] = []
    for fact in sorted(unit.premises):
        if fact in of_fact and fact not in told:
            for one in (*_missing(of_fact[fact], of_fact, told), of_fact[fact]):
                if one not in found:
                    found.append(one)
    return found


def _key(unit: Unit, near: frozenset[Cell], cols: int) -> tuple[int, int, int]:
    hard = 0 if unit.rung < SIMPLE_RUNGS.stop else unit.rung
    return hard, _distance(unit.cells, near, cols), min(unit.cells)


def _distance(cells: frozenset[Cell], near: frozenset[Cell], cols: int) -> int:
    return min(
        (abs(a // cols - b // cols) + abs(a % cols - b % cols) for a in cells for b in near), default=0
    )
