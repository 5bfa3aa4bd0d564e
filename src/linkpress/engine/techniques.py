"""This list has all that is known of each technique of the ladder, the easiest first.

A technique stands on a *rung*: its place in the list, from 1. All else follows from the technique's own row,
so that rows may change places and a new one may be put in anywhere: volumes record the name, the kernels
know the technique by its ``TechniqueCode``.

The docs say what a new technique takes (*How to add something*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.recipe import Grade


class Supposes(Enum):
    """This says by what means a technique follows an open edge that it tries both ways."""

    NOTHING = 0  # it tries none
    SIMPLY = 1  # the simple techniques and cut-offs
    THOROUGHLY = 2  # all techniques that suppose nothing
    TWICE = 3  # another supposition inside the first


@dataclass(frozen=True, eq=False)
class Technique:
    """A technique stands on one rung of the ladder, with all that is known of it.

    Args:
        code: the kernels' word for it, which no change of the order changes.
        grade: of a board that it finishes and the easier techniques don't.
        sees: what a person has to see, in half a sentence of English.
        simple: whether its findings need no search for what they rest on, so that all of them are told.
        untouching: whether it holds only where no path runs beside itself.
        supposes: what it tries.
        depth: the rounds that a trial is followed, or the squares of a diagonal; 0 for no limit.
        phrase: the sentence of findings whose reason has none of its own; it names the edge as ``step``.
    """

    code: Code
    grade: Grade
    sees: str
    simple: bool = False
    untouching: bool = False
    supposes: Supposes = Supposes.NOTHING
    depth: int = 0
    phrase: str | None = None

    @cached_property
    def name(self) -> str:
        """Return the name in ``volume.json``."""
        return self.code.name.lower().replace("_", "-")

    @cached_property
    def rung(self) -> int:
        """Return its place in the list, 1 for the easiest."""
        return _RUNGS[self.code]


TECHNIQUES = (
    Technique(Code.EXITS, Grade.BEGINNER, "a square that needs every way out that it has", simple=True),
    Technique(
        Code.CLASH, Grade.BEGINNER, "a line that would meet another number or close a loop", simple=True
    ),
    Technique(
        Code.TURN, Grade.BEGINNER, "a line that would turn straight back", simple=True, untouching=True
    ),
    Technique(
        Code.TOUCH, Grade.EASY, "a path that would run beside itself further on", simple=True, untouching=True
    ),
    Technique(
        Code.CUT_OFF,
        Grade.EASY,
        "a pair that would be cut off, or a square that only one line can reach",
        phrase="joins_no_pair",
    ),
    Technique(
        Code.CORNER,
        Grade.MEDIUM,
        "two squares along a diagonal: the one inside a bend bends the same way",
        untouching=True,
        depth=2,
    ),
    Technique(
        Code.LOOK_AHEAD,
        Grade.MEDIUM,
        "a line tried in the head that fails at once or one step on",
        supposes=Supposes.SIMPLY,
        depth=1,
    ),
    Technique(Code.DIAGONAL, Grade.HARD, "the corner rule along a diagonal of any length", untouching=True),
    Technique(Code.ORDER, Grade.HARD, "who goes round whom along a border or a finished line"),
    Technique(Code.GAP, Grade.HARD, "a gap that pairs must pass and that has no room to spare"),
    Technique(
        Code.NARROWS,
        Grade.HARD,
        "a straight row of squares between walls that pairs must pass and that has no room to spare",
    ),
    Technique(
        Code.WHAT_IF,
        Grade.EXPERT,
        "a line tried in the head that fails up to three steps on",
        supposes=Supposes.SIMPLY,
        depth=3,
    ),
    Technique(
        Code.CHAIN,
        Grade.FIENDISH,
        "a line tried in the head that fails up to eight steps on",
        supposes=Supposes.SIMPLY,
        depth=8,
    ),
    Technique(
        Code.LONG_CHAIN,
        Grade.FIENDISH,
        "a line tried in the head and followed as far as it leads",
        supposes=Supposes.SIMPLY,
    ),
    Technique(
        Code.BALANCE,
        Grade.FIENDISH,
        "a gap whose sides are counted by dark and light squares, as on a chessboard",
    ),
    Technique(
        Code.WALLS,
        Grade.FIENDISH,
        "a line tried in the head, with cut-offs, order and gaps on the way",
        supposes=Supposes.THOROUGHLY,
    ),
    Technique(
        Code.NESTED,
        Grade.FIENDISH,
        "a line tried in the head, with another trial inside it",
        supposes=Supposes.TWICE,
    ),
)
"""All techniques, the easiest first; no technique has a lower grade than one before it."""

_RUNGS = {technique.code: rung for rung, technique in enumerate(TECHNIQUES, 1)}
OF_CODE: Mapping[int, Technique] = {technique.code: technique for technique in TECHNIQUES}
KERNEL_LADDER = [(technique.code.value, technique.depth, technique.untouching) for technique in TECHNIQUES]
"""The list as ``Position`` takes it."""
SIMPLE = tuple(technique for technique in TECHNIQUES if technique.simple)
EASIEST, TOP_RUNG = SIMPLE[0], len(TECHNIQUES)


def highest_rung(hardest: Grade) -> int:
    """Return the last rung that boards up to a grade need."""
    return max(technique.rung for technique in TECHNIQUES if technique.grade <= hardest)
