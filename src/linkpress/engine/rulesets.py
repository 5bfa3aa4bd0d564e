"""Rules under which a puzzle can have exactly one solution, in one table.

A drawing joins each pair of numbers by a path. The rules differ in which drawings count as solutions. For
example, only some rules count drawings that leave cells empty. All other modules read this table. To add a
rule, add a member to ``Rule`` and a row to ``RULESETS``. If the row names a new kind of drawing, add that
kind to the prover's search (``kernels/prover``).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from linkpress.errors import UsageError

MOST_CONFLICTS = 100_000
"""When a score is computed, each proof stops after this many conflicts.

The published boards that their authors rated need at most 26,000 under the rule strict.
"""


class Rule(StrEnum):
    """Rule that decides which drawings count when a puzzle is proven to have exactly one solution.

    A drawing joins the two numbers of every pair by a path. Paths don't cross, branch or share a cell.
    """

    FILLED = "filled"
    STRICT = "strict"
    UNTOUCHING = "untouching"
    # Each proof looks up a rule in a dictionary, which needs the rule's hash. ``StrEnum`` computes a hash in
    # Python code, and ``str`` computes it faster in C.
    __hash__ = str.__hash__


class ScoreModel(NamedTuple):
    """Coefficients that forecast the difficulty scores of boards; ``engine.difficulty`` has the formulas.

    Args:
        above_floor: the coefficients for the share of boards whose proofs meet a conflict.
        mean: the coefficients for the mean score of these boards.
        spreads: two numbers from which the standard deviations of these boards' scores are computed: the
            first for scores below the mean, the second for scores above it. To get the standard deviation,
            multiply the number by the square root of (mean - lowest possible score).
        log_ms: the coefficients for the logarithm of the milliseconds that one core needs for a board.
    """

    above_floor: tuple[float, ...]
    mean: tuple[float, ...]
    spreads: tuple[float, float]
    log_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Properties of a rule that says which drawings of a puzzle count as solutions.

    A drawing joins each pair of numbers by a path.

    Args:
        covers: whether only drawings that cover every free cell are counted.
        search: the name of the member of ``DrawingKind`` for which the prover searches. The member itself is
            not stored, because importing the kernels takes time.
        repair_as: a stricter rule under which most boards for this rule are repaired, because the search
            under that rule is faster; None to use only the rule itself.
        paths_stay_apart: whether solvers may assume that no path touches itself.
        score_curve: three numbers a, b and c. The difficulty score of a puzzle is 100 × (a + b × effort to
            the power of c). ``engine.grade`` explains the effort.
        score_model: the forecast of the scores of boards that are made for this rule.
        preference: the position of the rule when several rules are tried on a puzzle; the lowest comes first.
        condition: a clause that completes "only one solution …" in messages; None if the rule is never
            suggested.
        readers_must_know: the hint that readers need if a puzzle has one solution under this rule but not
            under strict; None for strict itself.
        phrase: the key of the phrase, in the words of each language, that explains the rule to readers; None
            if the usual rules of the game say enough.
        page_check: two names for the page on which puzzles are played: the key in its data that switches on
            the check of this rule, and the mistake that the check reports. None if there is nothing to check.
    """

    covers: bool
    search: str
    repair_as: Rule | None
    paths_stay_apart: bool
    score_curve: tuple[float, float, float]
    score_model: ScoreModel
    preference: int
    condition: str | None = None
    readers_must_know: str | None = None
    phrase: str | None = None
    page_check: tuple[str, str] | None = None

    def score(self, effort: float) -> int:
        """Convert the effort of a puzzle's proofs (see ``engine.grade``) to a difficulty score from 1 up."""
        lowest, factor, power = self.score_curve
        return max(1, round(100 * (lowest + factor * math.pow(effort, power))))

    @property
    def highest_score(self) -> int:
        return self.score(math.log1p(MOST_CONFLICTS))


_FILLED_SCORES = ScoreModel(
    above_floor=(-5.46, -3.92, 7.72, -10.62, 2.74, -1.63, -2.88, -3.61, 23.71),
    mean=(260.9, -56.3, -175.8, 996.9, 43.9, -131.2, -404, 23.9, 789.5),
    spreads=(1.83, 1.64),
    log_ms=(-2.91, 2.87, -7.33, 17.21, -0.79, -1.83, -7.44, 3.42, 8.64),
)
_STRICT_SCORES = ScoreModel(
    above_floor=(-8.7, -3.05, 8.83, -7.39, 2.25, -0.17, -4.12, -3.15, -2.78),
    mean=(262.2, -97.2, -107.4, 826.8, 70.6, -148.3, -220.8, -24.8, 308.6),
    spreads=(1.64, 1.45),
    log_ms=(-3.57, 2.41, -4.63, 6.54, -0.58, -0.61, -4.97, 2.26, 14.7),
)
_UNTOUCHING_SCORES = ScoreModel(
    above_floor=(-8.18, -3.09, 7.38, 13.59, 2.69, -10.81, 7.73, -3.93, 14.48),
    mean=(274.9, -92.7, -52.9, 1065.9, 70.7, -274.1, -72.7, -54.4, 699.6),
    spreads=(2.55, 2.42),
    log_ms=(-4.05, 1.79, -1.74, 5.7, -0.22, -0.96, -0.43, 0.7, -6.29),
)

# All uniqueness rules. A rule says which solutions count, for example whether they may leave cells empty.
# Proving the same board takes more conflicts under ``filled`` than under ``strict``, and fewer under
# ``untouching``. So each rule has its own curve from conflicts to a difficulty score. The curves of
# ``filled`` and ``untouching`` were fitted so that a board gets on average the score that it has under
# ``strict``. This was measured on 1,500 generated boards, leaving out the boards that are proven without a
# conflict. The two scores of a board differ by 20 points under ``filled``, and by 35 under ``untouching``
# (root mean squares).
RULESETS = {
    # A drawing joins each pair of numbers by a path. Under this rule, it counts only if it covers every free
    # cell. A path may touch itself.
    Rule.FILLED: Ruleset(
        covers=True, search="FILLING", repair_as=Rule.STRICT, paths_stay_apart=False,
        score_curve=(0.14, 0.64, 0.6), score_model=_FILLED_SCORES,
        preference=2, condition="covers every square", readers_must_know="that every square is filled",
    ),
    # A drawing joins each pair of numbers by a path. Under this rule, drawings that leave cells empty
    # count too. A board must have exactly one drawing, and this drawing must cover every free cell.
    # Solvers may assume that no path touches itself: such a path could be cut short, and the shorter path
    # would give a second drawing.
    Rule.STRICT: Ruleset(
        covers=False, search="LOWEST", repair_as=None, paths_stay_apart=True,
        score_curve=(0.14, 0.38, 1), score_model=_STRICT_SCORES,
        preference=1,
    ),
    # A drawing joins each pair of numbers by a path. Under this rule, it counts only if it covers every free
    # cell and no path touches itself.
    Rule.UNTOUCHING: Ruleset(
        covers=True, search="UNTOUCHING", repair_as=None, paths_stay_apart=True,
        score_curve=(0.78, 0.48, 1), score_model=_UNTOUCHING_SCORES,
        preference=3, condition="covers every square without a line that runs beside itself",
        readers_must_know="that every square is filled and that no line runs beside itself",
        phrase="rule_untouching", page_check=("untouching", "beside_itself"),
    ),
}  # fmt: skip


def rule_named(name: Rule | str) -> Rule:
    """Return the uniqueness rule that has the given name, such as ``"strict"``.

    Raises:
        UsageError: there is no rule with this name.
    """
    # ``Rule(name)`` would also return a member of ``Rule`` unchanged, but would take ten times as long.
    if isinstance(name, Rule):
        return name
    try:
        return Rule(name)
    except ValueError:
        raise UsageError(f"there is no rule {name!r}: give filled, strict or untouching.") from None


def ruleset_of(rule: Rule) -> Ruleset:
    return RULESETS[rule]


def rules_by_preference() -> list[Rule]:
    return sorted(RULESETS, key=lambda rule: RULESETS[rule].preference)


def printed_phrases(rules: Iterable[Rule]) -> list[str]:
    """List the keys of the phrases that explain the given uniqueness rules to readers.

    A rule that needs no explanation has no phrase. Each key is listed once, even if rules are repeated.
    """
    phrases = [RULESETS[rule].phrase for rule in sorted(set(rules))]
    return [phrase for phrase in phrases if phrase is not None]
