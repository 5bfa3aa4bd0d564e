"""The rules under which a puzzle can have exactly one solution, in one table.

All other modules read this table. To add a rule, add a member to ``Rule`` and a row to ``RULESETS``. If the
row names a new kind of drawing, add that kind to the prover's search (``kernels/prover``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from linkpress.errors import UsageError


class Rule(StrEnum):
    """Meaning of "exactly one solution": the kinds of drawings that count when a puzzle is proven.

    A drawing joins the two numbers of every pair by a path. Paths don't cross, branch or share a cell.
    """

    FILLED = "filled"
    STRICT = "strict"
    UNTOUCHING = "untouching"


class ScoreModel(NamedTuple):
    """Coefficients that forecast the scores of boards; ``engine.score_forecast`` has the formulas.

    Args:
        above_floor: of the share of the boards whose proofs meet a conflict.
        mean: of the mean score of these boards.
        spreads: the standard deviations of their scores below and above the mean, each divided by the square
            root of the mean's distance from the floor.
        log_ms: of the logarithm of the milliseconds that one core needs for a board.
    """

    above_floor: tuple[float, ...]
    mean: tuple[float, ...]
    spreads: tuple[float, float]
    log_ms: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """All properties in which one uniqueness rule may differ from another.

    Args:
        covers: whether only drawings that cover every free cell are counted.
        search: the name of the member of ``DrawingKind`` for which the prover searches. It is a name, because
            importing the kernels takes time.
        repair_as: a stricter rule under which most boards for this rule are repaired, because its search is
            faster; None to use only the rule itself.
        paths_stay_apart: whether solvers, and so the ladder of techniques, may assume that no path touches
            itself.
        score_line: the intercept and the slope of the line by which the effort of a proof is converted to a
            score, for each 100 of the score.
        score_model: the forecast of the scores of boards that are made for this rule.
        preference: the position of the rule when several rules are tried on a puzzle; the lowest comes first.
        condition: a clause that completes "only one solution …" in messages; None if the rule is never
            suggested.
        readers_must_know: what readers must be told if a puzzle has one solution under this rule but not
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
    score_line: tuple[float, float]
    score_model: ScoreModel
    preference: int
    condition: str | None = None
    readers_must_know: str | None = None
    phrase: str | None = None
    page_check: tuple[str, str] | None = None


_FILLED_SCORES = ScoreModel(
    above_floor=(-11.32, -2.52, 8.11, -7.48, 2.29, -2.78, -2.3, -3.09, 27.37),
    mean=(754.9, -164.8, -545.8, 2526.7, 112.5, -352.4, -776.7, 48.3, 1804.6),
    spreads=(2.83, 2.55),
    log_ms=(6.9, 1.1, -14.07, 29.67, 0.41, -3.54, -10.17, 3.53, 13.86),
)
_STRICT_SCORES = ScoreModel(
    above_floor=(-12.17, -2.35, 8.11, 0.71, 2.22, -1.63, -5.48, -2.84, 2.77),
    mean=(169.5, -79.7, -70.7, 813, 63.4, -156, -197.1, -26.6, 374.3),
    spreads=(1.75, 1.4),
    log_ms=(0.16, 1.83, -7.18, 9.93, -0.14, -0.72, -6.05, 2.22, 14.7),
)
_UNTOUCHING_SCORES = ScoreModel(
    above_floor=(-17.23, -0.68, 9.44, 5.94, 1.54, -8.93, 6.91, -2.98, 9.52),
    mean=(4.1, -33.7, 74.3, 955.3, 41.8, -272.1, -41.2, -48.2, 782.8),
    spreads=(2.6, 2.5),
    log_ms=(-2.57, 1.42, -2.3, 7.63, 0, -1.22, -0.46, 0.54, -8.51),
)

# All uniqueness rules. Proofs under ``untouching`` take at most a tenth of the conflicts of the other rules,
# so this rule has its own line to convert effort to a score. All of the 111 rated boards are unique under
# that rule too. Its scores have a rank correlation of 0.75 with the ratings, and of 0.35 if the area is
# given.
RULESETS = {
    # Every free cell is covered. A path may touch itself.
    Rule.FILLED: Ruleset(
        covers=True, search="FILLING", repair_as=Rule.STRICT, paths_stay_apart=False, score_line=(0.14, 0.38),
        score_model=_FILLED_SCORES,
        preference=2, condition="covers every square", readers_must_know="that every square is filled",
    ),
    # Cells may stay empty, but the only drawing must cover every free cell. Solvers may assume that no path
    # touches itself: such a path could be cut short, which would be a second drawing.
    Rule.STRICT: Ruleset(
        covers=False, search="LOWEST", repair_as=None, paths_stay_apart=True, score_line=(0.14, 0.38),
        score_model=_STRICT_SCORES,
        preference=1,
    ),
    # Every free cell is covered, and no path touches itself.
    Rule.UNTOUCHING: Ruleset(
        covers=True, search="UNTOUCHING", repair_as=None, paths_stay_apart=True, score_line=(0.93, 0.50),
        score_model=_UNTOUCHING_SCORES,
        preference=3, condition="covers every square without a line that runs beside itself",
        readers_must_know="that every square is filled and that no line runs beside itself",
        phrase="rule_untouching", page_check=("untouching", "beside_itself"),
    ),
}  # fmt: skip


def rule_named(name: Rule | str) -> Rule:
    """Return a rule by its name, such as ``"strict"``.

    Raises:
        UsageError: there is no rule with this name.
    """
    try:
        return Rule(name)
    except ValueError:
        raise UsageError(f"there is no rule {name!r}: give filled, strict or untouching.") from None


def ruleset_of(rule: Rule) -> Ruleset:
    return RULESETS[rule]


def rules_by_preference() -> list[Rule]:
    """List the rules in the order in which they are tried on a puzzle whose rule is not known."""
    return sorted(RULESETS, key=lambda rule: RULESETS[rule].preference)


def printed_phrases(rules: Iterable[Rule]) -> list[str]:
    """List the keys of the phrases that must be printed for puzzles of these rules, each once."""
    phrases = [RULESETS[rule].phrase for rule in sorted(set(rules))]
    return [phrase for phrase in phrases if phrase is not None]
