"""A climb made again: the same techniques, but one hard finding at a time, and only what the lines rest on.

The ladder takes all that its lowest rung says at once. A person takes what is simple as far as it leads,
then one harder thing, and looks again; most of what else the harder technique said is simple by then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import takewhile

from linkpress.engine.explain.chains import LONGEST, found_by_looking, found_by_supposing
from linkpress.engine.explain.explained_findings import (
    BoardView,
    ExplainedFinding,
    Fact,
    KnownFacts,
    finding_with,
)
from linkpress.engine.explain.telling_order import BY_SQUARE
from linkpress.engine.kernels.glossary import ClimbOutcome, FindingKind, Reason
from linkpress.engine.solve.ladder import Climb, Deduction, find, write
from linkpress.engine.techniques import SIMPLE, TECHNIQUES, Supposes, Technique
from linkpress.puzzle.puzzle import Puzzle

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
    """Finds all that a climb found again, each finding with what it rests on."""

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
            same = [one for one in seen if one == best or (one.kind, *one[2:]) == (best.kind, *square)]
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
