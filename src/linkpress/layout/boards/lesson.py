"""A solve in a few pictures: which board of a book is solved for the reader, and what each picture says.

The ladder's steps are told in their order, several in a sentence where they are read at a glance. A picture
has a sentence, or a few that only count ways out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from linkpress.book.theme_keys import Numbers
from linkpress.book.volume import NumberedPuzzle
from linkpress.documents.inks import nearest_colour
from linkpress.engine.recipe import Grade, Rule
from linkpress.layout.boards.ornaments import worked_example
from linkpress.puzzle.puzzle import Puzzle
from linkpress.words.step_phrases import in_colours
from linkpress.words.wording import Words

if TYPE_CHECKING:
    from linkpress.engine.explain.telling import Step

PICTURES = 8
FEWEST = 6
_MOST_MORE = 2  # sentences of one picture beside its first
_TRIED = 12  # boards of a book, the easiest first; each takes a hundredth of a second
_LONG, _PER_POINT = 75, 25  # characters of a first step: from here on each so many cost as much as a step
_NUMBER_ALONG = re.compile(r"(\w+) (\d+) (?=[A-Z]+\d+–)")  # no line breaks between a number and its route


@dataclass(frozen=True)
class Lesson:
    """One board solved.

    Args:
        number: of the puzzle in the book; None for the example of the rules.
        groups: the steps of each picture, in order; all lines are drawn after the last.
        colours: what the pairs are called where no board of the book shows a number; else nothing.
    """

    number: int | None
    puzzle: Puzzle
    groups: tuple[tuple[Step, ...], ...]
    colours: Mapping[int, str]

    def title(self, words: Words) -> str:
        """Name the board that is solved."""
        if self.number is None:
            return words.tutorial_example
        return words.say(words.tutorial, number=str(self.number))

    def pictures(self, words: Words) -> Iterator[tuple[Step, str]]:
        """One step for each picture, which draws what its steps draw, and its sentence."""
        space = " " if words.full_stop.endswith(" ") else ""
        for group in self.groups:
            step = replace(
                group[0],
                cells=tuple(dict.fromkeys(cell for step in group for cell in step.cells)),
                drawn=tuple(edge for step in group for edge in step.drawn),
                ruled_out=tuple(edge for step in group for edge in step.ruled_out),
            )
            sentences = (
                in_colours(step.sentence, self.colours) if self.colours else step.sentence for step in group
            )
            told = space.join(words.sentence(words.steps.text_of(sentence)) for sentence in sentences)
            yield step, _NUMBER_ALONG.sub("\\1\u00a0\\2\u00a0", told)


def lessons_of(
    puzzles: Sequence[NumberedPuzzle], words: Words, numbers: Numbers | None = None
) -> Iterator[Lesson]:
    """The boards of a book that can be solved in so few pictures, the easiest first; then the rules' example.

    Args:
        puzzles: of the book; stand-ins for boards to come are passed over.
        numbers: how the book shows them; None for figures.
    """
    if numbers and any(numbers.shows(len(puzzle.record.puzzle.pairs)) for puzzle in puzzles):
        numbers = None
    graded = [
        puzzle for puzzle in puzzles if puzzle.record.grade is not None and puzzle.record.score is not None
    ]
    graded.sort(key=lambda easy: (easy.record.grade, len(easy.record.solution.edges), easy.record.score))
    for easy in graded[:_TRIED]:
        groups = _groups_of(easy.record.puzzle, easy.record.rule, words)
        if groups:
            puzzle = easy.record.puzzle
            yield Lesson(easy.number, puzzle, groups, _colours_of(puzzle, words, numbers))
    solids = any(puzzle.record.puzzle.grid.solids for puzzle in puzzles)
    example = worked_example(solids).puzzle
    groups = _groups_of(example, Rule.STRICT, words)
    yield Lesson(None, example, groups, _colours_of(example, words, numbers))


def _colours_of(puzzle: Puzzle, words: Words, numbers: Numbers | None) -> Mapping[int, str]:
    """Name the colour of each pair; nothing where the language can't tell two of them apart."""
    if numbers is None or words.colour_names is None or numbers.shows(len(puzzle.pairs)):
        return {}
    keys = {pair.number: nearest_colour(numbers.ink_of(pair.number)) for pair in puzzle.pairs}
    names = {number: getattr(words.colour_names, key) for number, key in keys.items()}
    return names if len(set(names.values())) == len(names) else {}


def _groups_of(puzzle: Puzzle, rule: Rule, words: Words) -> tuple[tuple[Step, ...], ...]:
    """The steps of each picture; none where so few pictures can't tell them, or the steps don't finish."""
    steps = _steps_of(puzzle, rule)
    return _divided(steps, words) if len(steps) >= FEWEST else ()


@lru_cache(maxsize=64)
def _steps_of(puzzle: Puzzle, rule: Rule) -> tuple[Step, ...]:
    """The steps with as many lines in a sentence as leave one sentence for each picture."""
    from linkpress.engine.explain.joint_telling import MOST_LINES, tell_jointly  # few books have one: 20 ms
    from linkpress.engine.explain.telling import explain_climb
    from linkpress.engine.kernels.glossary import ClimbOutcome
    from linkpress.engine.solve.ladder import climb_ladder, position_of

    climb = climb_ladder(position_of(puzzle, rule))
    if climb.outcome is not ClimbOutcome.FINISHED:
        return ()
    steps = tuple(explain_climb(puzzle, climb))
    tried = (tuple(tell_jointly(puzzle, steps, most)) for most in range(MOST_LINES, 0, -1))
    return next((joint for joint in tried if len(joint) >= PICTURES), steps)


def _divided(steps: Sequence[Step], words: Words) -> tuple[tuple[Step, ...], ...]:
    """The cheapest way to cut the steps into as many groups as there are pictures; none where there is none.

    ``best[count][end]`` is the least cost of the first ``end`` steps in ``count`` groups, with the last
    group's beginning.
    """
    from linkpress.engine.techniques import highest_rung

    counting = highest_rung(Grade.BEGINNER)
    pictures = min(PICTURES, len(steps))
    lengths = [len(words.steps.text_of(step.sentence)) for step in steps]
    cost = {
        (begin, end): _cost(steps, lengths, begin, end)
        for begin in range(len(steps))
        for end in range(begin + 1, min(begin + 1 + _MOST_MORE, len(steps)) + 1)
        if all(step.drawn and step.rung <= counting for step in steps[begin + 1 : end])
    }
    best: list[dict[int, tuple[float, int]]] = [{0: (0.0, 0)}]
    for _ in range(pictures):
        reached: dict[int, tuple[float, int]] = {}
        for (begin, end), own in cost.items():
            if begin in best[-1]:
                tried = best[-1][begin][0] + own, begin
                reached[end] = min(reached.get(end, tried), tried)
        best.append(reached)
    if len(steps) not in best[-1]:
        return ()
    cuts = [len(steps)]
    for reached in best[:0:-1]:
        cuts.append(reached[cuts[-1]][1])
    return tuple(tuple(steps[begin:end]) for begin, end in pairwise(cuts[::-1]))


def _cost(steps: Sequence[Step], lengths: Sequence[int], begin: int, end: int) -> float:
    """Return how badly steps go together: many in one, a long sentence, a start in the midst of a place."""
    goes_on = begin > 0 and any(steps[begin].cells[0] in edge for edge in steps[begin - 1].drawn)
    return (end - begin) ** 2 + max(0, lengths[begin] - _LONG) / _PER_POINT + goes_on
