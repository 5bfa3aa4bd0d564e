"""In which order findings are told: one place is followed to its end before the next is taken up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from linkpress.engine.explain.explained_findings import ExplainedFinding
from linkpress.engine.kernels.glossary import FindingKind, Reason
from linkpress.engine.solve.ladder import Deduction, edge_at
from linkpress.puzzle.puzzle import Cell

# Reasons that close a way: they are said where the way would be used, not in a sentence of their own.
_IN_PASSING = {Reason.CLASH, Reason.LOOP, Reason.TURNS_BACK, Reason.BESIDE_ITSELF}
# Findings about one square, made at one time, that are one sentence.
BY_SQUARE = {Reason.ALL_EXITS, Reason.EVERY_WAY_USES, Reason.NO_WAY_USES}
_FAR = 1_000_000  # more than any rung, distance or cell


class FindingGroup:
    """Findings that are told in one sentence.

    Args:
        findings: with one reason and cause.
    Attributes:
        premises: what they rest on, themselves left out.
        cells: the squares of their edges.
        deduction: what the first of them says.
        in_passing: whether it closes a way and is said where that is used.
    """

    def __init__(self, findings: Sequence[ExplainedFinding], cols: int) -> None:
        own = {finding.fact for finding in findings}
        self.findings = findings
        self.premises = findings[0].premises.union(*[finding.premises for finding in findings[1:]]) - own
        self.cells: frozenset[Cell] = frozenset().union(
            *[(where,) if kind == FindingKind.NUMBERED else edge_at(cols, where) for kind, where in own]
        )
        self.technique, self.deduction = findings[0].technique, findings[0].deduction
        self.reason, self.cause = self.deduction.reason, self.deduction.cause
        self.in_passing = self.reason in _IN_PASSING

    @property
    def deductions(self) -> list[Deduction]:
        """The deductions that they say."""
        return [finding.deduction for finding in self.findings]


def in_order(
    findings: Sequence[ExplainedFinding], cols: int, near: frozenset[Cell]
) -> Iterator[tuple[FindingGroup, list[FindingGroup]]]:
    """Put findings in the order in which they are told, each with the ways that are closed in passing.

    Args:
        findings: each stands after what it rests on.
        near: squares near which to begin.
    """
    pending = dict(enumerate(_grouped(findings, cols)))
    of_fact = {finding.fact: index for index, group in pending.items() for finding in group.findings}
    reasons = {
        index: dict.fromkeys([of_fact[fact] for fact in sorted(group.premises) if fact in of_fact])
        for index, group in pending.items()
    }
    waits = _waits(pending, reasons)
    waiting: dict[int, list[int]] = {}
    for index, others in waits.items():
        for other in others:
            waiting.setdefault(other, []).append(index)
    while pending:
        ready = [index for index, others in waits.items() if not others]
        if not ready:
            ready = [index for index in pending if not reasons[index].keys() & pending.keys()]
        chosen = ready[0] if len(ready) == 1 else _nearest(pending, ready, near, cols)
        group, passing = pending[chosen], _reasons_not_told(chosen, pending, reasons)
        alone = [index for index in passing if not _goes_with(pending[index], group)]
        yield from ((pending[index], []) for index in alone)
        yield group, [pending[index] for index in passing if index not in alone]
        for told in (*passing, chosen):
            del pending[told]
            waits.pop(told, None)
            for index in waiting.get(told, ()):
                if index in waits:
                    waits[index].discard(told)
        near = group.cells


def _waits(
    groups: Mapping[int, FindingGroup], reasons: Mapping[int, Mapping[int, None]]
) -> dict[int, set[int]]:
    """For each finding with a sentence of its own, list the others of that kind that must be told before.

    Those that a way closed in passing rests on count for the sentence that uses it.
    """
    waits: dict[int, set[int]] = {}
    through: dict[int, set[int]] = {}
    for index, group in groups.items():  # each stands after what it rests on
        found: set[int] = set()
        for reason in reasons[index]:
            found |= through[reason] if groups[reason].in_passing else {reason}
        (through if group.in_passing else waits)[index] = found
    return waits


def _goes_with(closed: FindingGroup, group: FindingGroup) -> bool:
    """Tell whether a closed way is said in the sentence that uses it."""
    return group.reason == Reason.ALL_EXITS and group.cause in closed.cells


def _grouped(findings: Sequence[ExplainedFinding], cols: int) -> list[FindingGroup]:
    groups: dict[tuple[int, ...], list[ExplainedFinding]] = {}
    for index, finding in enumerate(findings):
        kind, _, reason, cause = finding.deduction
        key = (reason, kind, cause, id(finding.board)) if reason in BY_SQUARE else (index,)
        groups.setdefault(key, []).append(finding)
    return [FindingGroup(group, cols) for group in groups.values()]


def _reasons_not_told(
    chosen: int, pending: Mapping[int, FindingGroup], reasons: Mapping[int, Mapping[int, None]]
) -> list[int]:
    """Return the findings that one rests on and that nobody told yet, each after those that it rests on."""
    found: list[int] = []
    for reason in reasons[chosen]:
        if reason in pending:
            before = (*_reasons_not_told(reason, pending, reasons), reason)
            found += [index for index in before if index not in found]
    return found


def _nearest(
    pending: Mapping[int, FindingGroup], ready: Sequence[int], near: frozenset[Cell], cols: int
) -> int:
    """Choose the nearest of the simplest, and of these the first on the board."""
    places = [divmod(cell, cols) for cell in near]
    best, chosen = (_FAR, _FAR, _FAR), ready[0]
    for index in ready:
        group = pending[index]
        hard = 0 if group.technique.simple else group.technique.rung
        if hard > best[0]:
            continue
        distance = _FAR if places else 0
        for cell in group.cells:
            row, col = divmod(cell, cols)
            for near_row, near_col in places:
                distance = min(distance, abs(row - near_row) + abs(col - near_col))
        key = hard, distance, min(group.cells)
        if key < best:
            best, chosen = key, index
    return chosen
