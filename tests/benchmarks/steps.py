"""How much a reader has to read: sentences and words of the steps of boards with fixed seeds.

Run: ``python tests/benchmarks/steps.py [--language en] [--tell TITLE]``. One row for each board, with its
sentences, their words, the longest sentence and how many hold more than ``MOST_WORDS``; the first board is a
large one for beginners, with many turns inside turns. ``--tell`` prints the sentences of one board as well.
"""

import argparse

from linkpress.engine.explain.steps import combine_steps, explain_climb
from linkpress.engine.ladder import climb_ladder, position_of
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Grade, Recipe, Rule, Span
from linkpress.puzzle.notations import read_puzzles
from linkpress.words import load_words

MOST_WORDS = 40
SIZES = ((7, 5), (10, 9))  # squares on a side, and pairs
FILLED = (10, 15)
LARGE = """15 15
. . . . . . . . . . . . 25 27 29
1 15 . 26 . . . . 26 . . . 22 . .
. . . 1 . . 16 . 24 . . . . . .
. . . . . . 25 . . . . . 19 . .
. . 13 . 16 . . . 6 12 . . . . .
. . 24 . . 6 . . . . . . 27 . .
. 17 . . 13 . . . . . 11 . . 19 29
. . . . 2 12 2 . . 23 . . . . .
3 5 . . . . . 11 . . . . . 23 .
. . 15 . 17 4 28 . . 18 . . . . .
. . . . . . . 21 18 . . . . . .
. . . 9 . . . . . 28 . 7 20 . .
. . . . . . . . . 4 . . . 21 .
. . . . . . . . 14 10 20 8 . 7 .
3 5 14 . . . . 9 10 . 8 . 22 . .
"""


def boards():
    """Make the boards, each with its title."""
    (large,) = read_puzzles(LARGE)
    yield "strict-15-beginner", large, Rule.STRICT
    for side, pairs in SIZES:
        for grade in Grade:
            if side > SIZES[0][0] or grade <= Grade.HARD:
                yield _made(side, pairs, grade, Rule.STRICT)
    for grade in (Grade.BEGINNER, Grade.EASY, Grade.MEDIUM, Grade.FIENDISH):
        yield _made(*FILLED, grade, Rule.FILLED)


def _made(side, pairs, grade, rule):
    title = f"{rule.name.lower()}-{side}-{grade.name.lower()}"
    recipe = Recipe(side, side, Span(pairs, pairs), techniques=(grade, grade), rule=rule)
    return title, generate(recipe, f"benchmark/steps/{title}").puzzle, rule


def main():
    """Measure as the command line says."""
    arguments = argparse.ArgumentParser(description="How much a reader of steps has to read.")
    arguments.add_argument("--language", default="en")
    arguments.add_argument("--tell", metavar="TITLE")
    asked = arguments.parse_args()
    words = load_words(asked.language)
    print(f"{'board':22} sentences  words  longest  over {MOST_WORDS}")
    total = [0, 0, 0, 0]
    for title, puzzle, rule in boards():
        if asked.tell not in (None, title):
            continue
        steps = combine_steps(puzzle, explain_climb(puzzle, climb_ladder(position_of(puzzle, rule))))
        sentences = [words.steps.text_of(step.sentence) for step in steps]
        counts = [len(sentence.split()) for sentence in sentences]
        figures = [len(counts), sum(counts), max(counts), sum(count > MOST_WORDS for count in counts)]
        if asked.tell:
            print(*sentences, sep="\n")
        print(f"{title:22} {figures[0]:9} {figures[1]:6} {figures[2]:8} {figures[3]:8}")
        total = [
            total[0] + figures[0],
            total[1] + figures[1],
            max(total[2], figures[2]),
            total[3] + figures[3],
        ]
    print(f"{'all':22} {total[0]:9} {total[1]:6} {total[2]:8} {total[3]:8}")


if __name__ == "__main__":
    main()
