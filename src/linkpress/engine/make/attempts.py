"""A log counts all attempts at one puzzle, and says what stood in the way when they came to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from linkpress.engine.feasibility import longest_path
from linkpress.engine.make.cover import Cover
from linkpress.engine.recipe import Grade, Method, NumberPattern, Pattern, Recipe, Span, counted, grade_words
from linkpress.engine.rulesets import ruleset_of

# What an attempt's end says about the knob in the way.
_ADVICE = {
    "shapeless": "The walk found no cover with these counts: pairs, solids, the shortest path or the shares "
    "stand in the way; allow a range, or more pairs for their size",
    "unrepaired": "Covers with these counts have several solutions: the number of pairs stands in the way; "
    "ask for more pairs or more solids{or_filled}",
    "undecided": "Covers with these counts could not be proven: the number of pairs stands in the way; "
    "ask for more pairs or more solids{or_filled}",
    "multiple": "Grown boards with these counts have several solutions; the method walk repairs them",
    "gave-up": "Grown boards with these counts could not be proven; the method walk repairs them",
    "pairs": "Grown boards have other numbers of pairs; widen the range or use the method walk",
    "solids": "Grown boards have other solids; widen the range or use the method walk",
    "shortest path": "Grown boards have shorter paths; allow a shortest path of 2 and adjacent pairs, or "
    "use the method walk",
    "longest share": "Grown boards have a longer path; raise the longest share or use the method walk",
    "border share": "Grown boards have more pairs on the border; raise the border share or use the method "
    "walk",
    "border numbers": "Grown boards have more numbers on the border; raise border numbers or use the method "
    "walk",
    "counts": "The longest share and the shortest path leave no number of pairs in the range; widen one",
    "grade": "The grade stands in the way; widen its range, or change pairs and solids: more of them make "
    "easier boards, fewer make harder ones",
    "stars": "The stars stand in the way; widen their range, or change the board: a larger one and fewer "
    "pairs have more stars, a smaller one and more pairs fewer",
}


# Boards with a score so many hundredths higher have a third of the pairs less.
_HUNDREDTHS_A_PAIR = 50


_listener: ContextVar[Callable[[AttemptLog], None] | None] = ContextVar("after each attempt", default=None)


@contextmanager
def watching_attempts(notify: Callable[[AttemptLog], None]) -> Iterator[None]:
    """Call ``notify`` after each attempt at every puzzle that is made in the block."""
    token = _listener.set(notify)
    try:
        yield
    finally:
        _listener.reset(token)


@dataclass
class AttemptLog:
    """A log counts how the attempts at one puzzle ended.

    Args:
        budget: units of work.
        attempts: boards begun.
        spent: units of work spent.
        proven: boards proven.
        varied: changed boards that were graded on the way to a wanted grade.
    """

    recipe: Recipe
    method: Method
    budget: int
    attempts: int = 0
    spent: int = 0
    proven: int = 0
    varied: int = 0
    _ends: Counter[str] = field(default_factory=Counter)
    _grades: Counter[str] = field(default_factory=Counter)
    _stars: Counter[str] = field(default_factory=Counter)
    _pairs: int | None = None
    _closest: str = "no board"
    _distance: float = float("inf")

    def note_end(self, end: str) -> None:
        """Count an attempt that came to nothing by what it failed at."""
        self._ends[end] += 1
        self._notify()

    def note_shape(self, paths: int, solids: int, wrong: float) -> None:
        """Remember the counts that came closest; ``wrong`` is 0 when they are as asked."""
        if wrong < self._distance:
            self._distance = wrong
            self._closest = f"{counted(paths, 'pair')} and {counted(solids, 'solid')}"

    def note_grade(self, grade: Grade | None) -> None:
        """Count a proven board by its grade."""
        self._grades[grade.label if grade else "ungraded"] += 1
        self._notify()

    def note_stars(self, pairs: int, distance: int) -> None:
        """Count a proven board, and judge its pairs, by how far below (negative) or above its score is."""
        self._stars["too few" if distance < 0 else "too many" if distance else "right"] += 1
        self._pairs = pairs + max(-pairs, min(pairs, pairs * distance // _HUNDREDTHS_A_PAIR)) // 3
        self._notify()

    @property
    def promising_pairs(self) -> Span | None:
        """Return the numbers of pairs with which a board is likely to have the wanted stars; None for any."""
        if self._pairs is None:
            return None
        near = self._pairs // 12
        return Span(max(1, self._pairs - near), max(1, self._pairs + near))

    def report(self) -> str:
        """Write a paragraph: what was asked, how close it came, which knob stands in the way."""
        why = "grade"
        if not (self.recipe.grades or self.recipe.stars) or not (self.proven or self.varied):
            ends = (end for end, _ in self._ends.most_common() if end in _ADVICE)
            why = next(ends, "undecided")  # the budget ended within the first attempt
        if self._stars and (not self.recipe.grades or 2 * self._stars.total() > self.proven):
            why = "stars"
        tried = f"{self._begun} with the method {self.method}"
        or_filled = "" if ruleset_of(self.recipe.rule).covers else ", or for the rule filled or untouching"
        return (
            f"The recipe was not met within its budget: {describe(self.recipe)}. {tried}; closest: "
            f"{self._closest}, {self._proof()}. {_ADVICE[why].format(or_filled=or_filled)}."
        )

    @property
    def so_far(self) -> str:
        """Say in words how far this is: ``120 boards begun, 2 proven``."""
        return f"{self._begun}, {self.proven} proven"

    @property
    def _begun(self) -> str:
        return f"{self.attempts} board{'s' * (self.attempts != 1)} begun"

    def _notify(self) -> None:
        notify = _listener.get()
        if notify is not None:
            notify(self)

    def _proof(self) -> str:
        if not self.proven and self.varied:
            return f"{counted(self.varied, 'change')} of them graded, none of the grade and proven"
        if not self.proven:
            return "none proven to have one solution"
        grades = ", ".join(f"{count} {label}" for label, count in self._grades.most_common())
        varied = f", and {counted(self.varied, 'change')} of them graded" if self.varied else ""
        by = f", by grade: {grades}" if grades else ""
        if self._stars:
            by += ", by stars: " + ", ".join(f"{count} {word}" for word, count in self._stars.most_common())
        return f"{self.proven} proven to have one solution{by}{varied}"


def describe(recipe: Recipe) -> str:
    """Say a recipe in words, without the knobs that demand least."""
    pairs = "any number of pairs" if recipe.pairs is None else counted(recipe.pairs, "pair")
    solids = "any number of solids" if recipe.solids is None else counted(recipe.solids, "solid")
    words = [f"{recipe.board}, {pairs}, {solids}, rule {recipe.rule}"]
    words.append(f"shortest path {recipe.shortest}")
    if recipe.longest_share < 1:
        words.append(f"longest share {recipe.longest_share:g}")
    if recipe.border_share < 1:
        words.append(f"border share {recipe.border_share:g}")
    if recipe.border_numbers < 1:
        words.append(f"border numbers {recipe.border_numbers:g}")
    if recipe.mask:
        words.append("as the mask has them")
    if recipe.pattern is not Pattern.SCATTERED:
        words.append(f"{recipe.pattern} solids")
    if recipe.number_pattern is not NumberPattern.FREE:
        words.append(f"{recipe.number_pattern} numbers")
    if recipe.apart:
        words.append("numbers apart")
    if recipe.composed:
        words.append("composed")
    if recipe.grades:
        words.append(f"grade {grade_words(recipe.grades)}")
    if recipe.stars:
        words.append(counted(recipe.stars, "star"))
    return ", ".join(words)


def misses(recipe: Recipe, cover: Cover) -> dict[str, float]:
    """Measure by how much a cover misses each knob of a recipe; empty when it meets them all."""
    lengths = [len(path) for path in cover.paths] or [0]
    ends = {cell for path in cover.paths for cell in (path[0], path[-1])}
    missed = {
        "pairs": _outside(recipe.pairs, len(cover.paths)),
        "solids": _outside(recipe.solids, len(cover.solids))
        + sum(recipe.mirrored(cell, recipe.pattern) not in cover.solids for cell in cover.solids),
        "shortest path": max(0, recipe.shortest - min(lengths)),
        "longest share": max(0, max(lengths) - longest_path(recipe, len(cover.solids))),
        "border share": max(0.0, cover.border_pairs - recipe.border_share * len(cover.paths) - 1e-9),
        "border numbers": max(0.0, cover.border_ends - recipe.border_numbers * 2 * len(cover.paths) - 1e-9),
        "number pattern": sum(recipe.mirrored(cell, recipe.number_pattern) not in ends for cell in ends),
        "numbers apart": cover.ends_beside if recipe.apart else 0,
    }
    return {knob: by for knob, by in missed.items() if by}


def _outside(span: Span | None, value: int) -> int:
    return 0 if span is None else max(span.low - value, value - span.high, 0)
