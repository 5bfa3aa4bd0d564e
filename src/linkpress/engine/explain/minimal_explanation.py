"""A climb told anew: the same techniques, but one hard finding at a time, and only what the lines rest on.

The ladder takes all that its lowest rung says at once. A person takes what is simple as far as it leads,
then one harder thing, and looks again; most of what else the harder technique said is simple by then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import takewhile

from linkpress.engine.explain.board_view import BoardView, Fact
from linkpress.engine.explain.chains import LONGEST, refuted_entry, seen_entry
from linkpress.engine.explain.explained_findings import (
    SIMPLE_RUNGS,
    ExplainedFinding,
    KnownFacts,
    deductions,
    entry_of,
)
from linkpress.engine.explain.sequence import BY_SQUARE
from linkpress.engine.kernels.glossary import ClimbOutcome, FindingKind, Reason, Rung
from linkpress.engine.solve.ladder import Climb, Deduction
from linkpress.puzzle.grid import Cell
from linkpress.puzzle.puzzle import Puzzle

# Of the suppositions that fail on one rung, so many are compared: those that the ladder followed least far.
# On boards of more squares than 20 × 20 each takes so long that they are fewer.
_COMPARED, _ALL_COMPARED = 12, 400


class MinimalExplanation:
    """Finds all that a climb found again, each finding with what it rests on.

    Args:
        puzzle: the board.
        climb: what the ladder made of it.
    """

    def __init__(self, puzzle: Puzzle, climb: Climb) -> None:
        self.puzzle, self.climb = puzzle, climb
        self.position = climb.start.copy()
        self.entries: dict[Fact, ExplainedFinding] = {}
        self.given: dict[Cell, int] = {}
        self.numbers: dict[Fact, int] = {}  # by entry, the number that it gives
        found = ((made, one) for made in climb.rounds for one in climb.findings_of(made))
        self.pending = deque(found)  # what the climb found and is not found again yet

    def needed(self) -> list[ExplainedFinding]:
        """The findings that the drawn lines rest on, all of them where the board is not finished."""
        while self._simple() or self._hard():
            pass
        whole = self.climb.outcome is ClimbOutcome.FINISHED
        return self.resting(fact for fact in self.entries if fact[0] == FindingKind.DRAWN or not whole)

    def resting(self, facts: Iterable[Fact]) -> list[ExplainedFinding]:
        """The findings that some facts rest on, these included, each after its own reasons."""
        wanted, told = set(facts), []
        for fact, entry in reversed(self.entries.items()):
            if fact in wanted:
                wanted |= entry.premises
                told.append(entry)
        return told[::-1]

    def _simple(self) -> bool:
        """Take all that the lowest simple rung says."""
        for rung in SIMPLE_RUNGS:
            found = deductions(self.position.find_on_rung(rung) or [])
            if found:
                known = self._known()
                forks = {one.cause: one for one in found if one.reason == Reason.FORK}
                kept = [one for one in found if one.reason != Reason.FORK or one is forks[one.cause]]
                return self._take(
                    [entry_of(rung, one, known, known.simple_premises(*one[1:])) for one in kept]
                )
        return False

    def _hard(self) -> bool:
        """Take one finding of the lowest rung that says anything."""
        known = self._known()
        while self.pending and known.settles(self.pending[0][1]):
            self.pending.popleft()
        if not self.pending:
            return False
        first = self.pending[0][0]
        for rung in range(SIMPLE_RUNGS.stop, min(first.rung, Rung.WALLS)):
            found = deductions(self.position.find_on_rung(rung) or [])
            if found:
                return self._take(self._one_of(rung, found, known))
        of_round = takewhile(lambda one: one[0] is first, self.pending)
        findings = [one for _, one in of_round if not known.settles(one)]
        return self._take(self._one_of(first.rung, findings, known))

    def _one_of(self, rung: int, findings: Sequence[Deduction], known: BoardView) -> list[ExplainedFinding]:
        """The finding of one rung that is told in the fewest words, as far as that can be seen."""
        ground = self._ground()
        seen = [one for one in findings if one.reason != Reason.REFUTED]
        if seen:
            best = min(seen, key=lambda one: _KINDS.index(one.kind))
            square = best[2:] if best.reason in BY_SQUARE else ()
            same = [one for one in seen if one == best or (one.kind, *one[2:]) == (best.kind, *square)]
            return [seen_entry(ground, rung, one, known) for one in same]
        best_entry, below = None, LONGEST
        compared = max(1, min(_COMPARED, _COMPARED * _ALL_COMPARED // self.puzzle.grid.size))
        for finding in sorted(findings, key=lambda one: one.cause)[:compared]:
            entry = refuted_entry(ground, rung, finding, known, below)
            if entry is not None and entry.chain is not None:
                below = 1 + entry.chain.weight
            best_entry = entry or best_entry
        return [best_entry] if best_entry else []

    def _take(self, entries: Sequence[ExplainedFinding]) -> bool:
        for entry in entries:
            self.entries.setdefault(entry.fact, entry)
            self.numbers[entry.fact] = self.entries[entry.fact].number
            if entry.number:
                self.given[entry.finding.where] = entry.number
        words = [word for one in entries for word in (*one.fact, 0, one.number)]
        return bool(words) and self.position.apply(words)

    def _ground(self) -> KnownFacts:
        return KnownFacts(self.puzzle, self.climb.start, dict(self.numbers))

    def _known(self) -> BoardView:
        return BoardView(self.puzzle, self.position, dict(self.given))


_KINDS = (FindingKind.DRAWN, FindingKind.NUMBERED, FindingKind.RULED_OUT)
