"""This module makes a climb again, only what the lines rest on, and puts that into the order of telling.

The ladder takes all that its lowest rung says at once. A person takes what is simple as far as it leads,
then one harder thing, and looks again; most of what else the harder technique said is simple by then. One
place is followed to its end before the next is taken up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import takewhile

from linkpress.engine.explain.chains import LONGEST, found_by_looking, found_by_supposing
from linkpress.engine.explain.explained_findings import (
    BoardView,
    ExplainedFinding,
    Fact,
    KnownFacts,
    finding_with,
)
from linkpress.engine.kernels.glossary import ClimbOutcome, FindingKind, Reason
from linkpress.engine.solve.ladder import Climb, Deduction, edge_at, find, write
from linkpress.engine.techniques import SIMPLE, TECHNIQUES, Supposes, Technique
from linkpress.puzzle.puzzle import Cell, Puzzle

# Reasons that close a way: they are said where the way would be used, not in a sentence of their own.
_IN_PASSING = {Reason.CLASH, Reason.LOOP, Reason.TURNS_BACK, Reason.BESIDE_ITSELF}
# Findings about one square, made at one time, that are one sentence.
BY_SQUARE = {Reason.ALL_EXITS, Reason.EVERY_WAY_USES, Reason.NO_WAY_USES}
_FAR = 1_000_000  # more than any rung, distance or cell


class FindingGroup:
    """A group has the findings that are told in one sentence.

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
        """Return the deductions of all findings."""
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
        for done in (*passing, chosen):
            del pending[done]
            waits.pop(done, None)
            for index in waiting.get(done, ()):
                if index in waits:
                    waits[index].discard(done)
        near = group.cells


def _waits(
    groups: Mapping[int, FindingGroup], reasons: Mapping[int, Mapping[int, None]]
) -> dict[int, set[int]]:
    """List for each finding with a sentence of its own the others of that kind that must be told before.

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
    """Return the findings that one rests on and that are not told yet, each after those that it rests on."""
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


# Of the suppositions that fail on one rung, so many are compared: those that the ladder followed least far.
# On boards of more squares than 20 × 20 each takes so long that they are fewer.
_COMPARED, _ALL_COMPARED = 12, 400
# Of findings of one technique those are told first that draw a line, then those that give a number.
_KINDS = (FindingKind.DRAWN, FindingKind.NUMBERED, FindingKind.RULED_OUT)
# The techniques that are asked again though the climb used a harder one: the others take too long.
_ASKED_AGAIN = [
    technique
    for technique in TECHNIQUES
    if not technique.simple and technique.supposes in (Supposes.NOTHING, Supposes.SIMPLY)
]


class MinimalExplanation:
    """An explanation finds again what a climb found, each finding with what it rests on."""

    def __init__(self, puzzle: Puzzle, climb: Climb) -> None:
        self.puzzle, self.climb = puzzle, climb
        self.position = climb.start.copy()
        self.findings: dict[Fact, ExplainedFinding] = {}
        self.numbers: dict[Fact, int] = {}  # by fact found, the number that it gives
        found = ((made, deduction) for made in climb.rounds for deduction in climb.found_in(made))
        self.pending = deque(found)  # what the climb found and is not found again yet

    def needed(self) -> list[ExplainedFinding]:
        """Return the findings that the drawn lines rest on, all of them where the board is not finished."""
        while self._find_simple() or self._find_hard():
            pass
        whole = self.climb.outcome is ClimbOutcome.FINISHED
        return self.resting(fact for fact in self.findings if fact[0] == FindingKind.DRAWN or not whole)

    def resting(self, facts: Iterable[Fact]) -> list[ExplainedFinding]:
        """Return the findings that some facts rest on, these included, each after its own reasons."""
        wanted, needed = set(facts), []
        for fact, finding in reversed(self.findings.items()):
            if fact in wanted:
                wanted |= finding.premises
                needed.append(finding)
        return needed[::-1]

    def _find_simple(self) -> bool:
        """Record all that the easiest simple technique says that says anything."""
        for technique in SIMPLE:
            found = find(self.position, technique)
            if found:
                board = self._board()
                kept = [new for new in found if new.reason != Reason.FORK] or found[:1]  # most forks count on
                premises_of = board.simple_premises
                return self._record(
                    [finding_with(premises_of(*new[1:]), technique, new, board) for new in kept]
                )
        return False

    def _find_hard(self) -> bool:
        """Record one finding of the easiest technique that says anything."""
        board = self._board()
        while self.pending and board.settles(self.pending[0][1]):
            self.pending.popleft()
        if not self.pending:
            return False
        first = self.pending[0][0]
        for technique in _ASKED_AGAIN:
            if technique.rung < first.technique.rung and (found := find(self.position, technique)):
                return self._record(self._best_of(technique, found, board))
        of_round = takewhile(lambda pending: pending[0] is first, self.pending)
        open_yet = [deduction for _, deduction in of_round if not board.settles(deduction)]
        return self._record(self._best_of(first.technique, open_yet, board))

    def _best_of(
        self, technique: Technique, found: Sequence[Deduction], board: BoardView
    ) -> list[ExplainedFinding]:
        """Choose the finding that is told in the fewest words, as far as that can be seen."""
        known = KnownFacts(self.puzzle, self.climb.start, dict(self.numbers))
        seen = [deduction for deduction in found if deduction.reason != Reason.REFUTED]
        if seen:
            best = min(seen, key=lambda deduction: _KINDS.index(deduction.kind))
            square = best[2:] if best.reason in BY_SQUARE else ()
            same = [
                alike for alike in seen if alike == best or (alike.kind, *alike[2:]) == (best.kind, *square)
            ]
            return [found_by_looking(known, technique, deduction, board) for deduction in same]
        shortest, below = None, LONGEST
        compared = max(1, min(_COMPARED, _COMPARED * _ALL_COMPARED // self.puzzle.grid.size))
        for deduction in sorted(found, key=lambda refuted: refuted.cause)[:compared]:
            finding = found_by_supposing(known, technique, deduction, board, below)
            if finding is not None and finding.chain is not None:
                below = 1 + finding.chain.weight
            shortest = finding or shortest
        return [shortest] if shortest else []

    def _record(self, findings: Sequence[ExplainedFinding]) -> bool:
        for finding in findings:
            self.findings.setdefault(finding.fact, finding)
            self.numbers[finding.fact] = self.findings[finding.fact].number
        return bool(findings) and write(self.position, (finding.deduction for finding in findings))

    def _board(self) -> BoardView:
        given = {where: number for (_, where), number in self.numbers.items() if number}
        return BoardView(self.puzzle, self.position, given)
