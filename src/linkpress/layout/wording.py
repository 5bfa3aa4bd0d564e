"""Every printed word, by language.

A language is one ``Words`` value: mypy sees to it that none lacks a phrase. Numbers, dates and
plural forms come from Babel.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from types import MappingProxyType

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal

from linkpress.engine.recipe import Grade, Rule
from linkpress.errors import LayoutError


@dataclass(frozen=True)
class Words:
    """The words of one language; names in braces are filled in by ``say``."""

    language: str
    contents: str
    how_to_play: str
    solutions: str
    notes: str
    puzzle: str
    puzzles: str
    section_solutions: str
    solution_on: str
    solution_in_file: str
    puzzle_on: str
    size: str
    time: str
    volume: str
    count: Mapping[str, str]
    squares: str
    pairs: str
    solutions_from: str
    solutions_at_foot: str
    solutions_in_file: str
    solutions_say: str
    grades: Mapping[Grade, str]
    rights: str
    all_rights: str
    published_by: str
    isbn: str
    seed: str
    build: str
    made_with: str
    promise_strict: str
    promise_filled: str
    at_the_back: str
    rules_intro: str
    rules: tuple[str, ...]
    rules_solids: tuple[str, ...]
    example_captions: tuple[str, str, str]
    tips_title: str
    tips: tuple[str, ...]
    grades_title: str
    grades_intro: str
    grade_lines: Mapping[Grade, str]
    strict_grade_lines: Mapping[Grade, str]
    no_grade: str
    scan: str
    solution_number: str
    solution_tomorrow: str
    solution_later: str
    solution_yesterday: str
    solution_earlier: str
    rules_line: str
    rules_line_solids: str
    for_dots: Mapping[str, str]
    tutorial: str
    tutorial_example: str
    tutorial_intro: str
    tutorial_on: str
    tutorial_count: str

    @cached_property
    def of_dots(self) -> Words:
        """The same words where pairs are colours and no number is shown."""

        def said(phrase: str) -> str:
            for number, dot in self.for_dots.items():
                phrase = phrase.replace(number, dot)
            return phrase

        changed: dict[str, object] = {}
        for name in (one.name for one in fields(self)):
            value = getattr(self, name)
            if isinstance(value, str):
                changed[name] = said(value)
            elif isinstance(value, tuple):
                changed[name] = tuple(map(said, value))
            elif name in ("grade_lines", "strict_grade_lines"):
                changed[name] = MappingProxyType({grade: said(line) for grade, line in value.items()})
        return replace(self, **changed)  # type: ignore[arg-type]

    def say(self, phrase: str, **values: object) -> str:
        """A phrase with its values; whole numbers are written as the language writes them."""
        return phrase.format(**{name: self.write(value) for name, value in values.items()})

    def count_of(self, number: int) -> str:
        """A number of puzzles, in the plural form that the language wants."""
        form = Locale.parse(self.language).plural_form(number)
        return self.say(self.count.get(form, self.count["other"]), number=number)

    def promise(self, rules: Iterable[Rule], at_the_back: bool = True) -> str:
        """What may be said of the proofs of all puzzles; strict ones hold under either rule.

        Args:
            at_the_back: whether the answers are printed there.
        """
        strict = all(rule is Rule.STRICT for rule in rules)
        where = self.at_the_back if at_the_back else ""
        return self.say(self.promise_strict if strict else self.promise_filled, at_the_back=where)

    def day(self, day: datetime.date, other: datetime.date) -> str:
        """A day as it is named on another: by its weekday within a week, else by its date."""
        if abs((day - other).days) < 7:
            return format_date(day, "EEEE", locale=self.language)
        return format_skeleton("MMMMd", day, locale=self.language)

    def listed(self, parts: Sequence[str]) -> str:
        """A list as the language writes it: ``7 × 7 and 7 × 9``."""
        return format_list(parts, locale=self.language)

    def write(self, value: object) -> str:
        """A value as it is printed: whole numbers and dates by the language's custom."""
        if isinstance(value, int):
            return format_decimal(value, locale=self.language)
        if isinstance(value, datetime.date):
            return format_date(value, format="long", locale=self.language)
        return str(value)


ENGLISH = Words(
    language="en",
    contents="Contents",
    how_to_play="How to play",
    solutions="Solutions",
    notes="Notes",
    puzzle="Puzzle {number}",
    puzzles="Puzzles {first}–{last}",
    section_solutions="Solutions · {section}",
    solution_on="Solution p. {page}",
    solution_in_file="Solutions file p. {page}",
    puzzle_on="Puzzle p. {page}",
    size="{cols} × {rows}",
    time="Time",
    volume="Volume {number}",
    count=MappingProxyType({"one": "{number} puzzle", "other": "{number} puzzles"}),
    squares="{sizes} squares",
    pairs="{pairs} pairs of numbers",
    solutions_from="Solutions from page {page}",
    solutions_at_foot="Solutions upside down on the next page of puzzles",
    solutions_in_file="Solutions in a file of their own, from page {page}",
    solutions_say="Every solution names the page of its puzzle.",
    grades=MappingProxyType(
        {
            Grade.BEGINNER: "Beginner",
            Grade.EASY: "Easy",
            Grade.MEDIUM: "Medium",
            Grade.HARD: "Hard",
            Grade.EXPERT: "Expert",
            Grade.FIENDISH: "Fiendish",
        }
    ),
    rights="Copyright © {year} {holder}",
    all_rights=(
        "All rights reserved. No part of this book may be reproduced or transmitted in any form "
        "without the written permission of the publisher, except for brief passages in a review."
    ),
    published_by="Published by {publisher}",
    isbn="ISBN {isbn}",
    seed="Seed {seed}",
    build="Build {build}",
    made_with="Made with linkpress {version}",
    promise_strict=(
        "Every puzzle in this book has been proven to have exactly one solution, and every answer "
        "printed{at_the_back} is drawn from that proof."
    ),
    promise_filled=(
        "Every puzzle in this book has been proven to have exactly one solution that fills the board, "
        "and every answer printed{at_the_back} is drawn from that proof."
    ),
    at_the_back=" at the back",
    rules_intro="Join each pair of equal numbers by one line.",
    rules=(
        "Lines run from square to neighbouring square, across or up and down, never diagonally.",
        "Each line runs from a number to its twin and through no other number. Lines never cross or branch.",
        "Every square is used by exactly one line.",
    ),
    rules_solids=(
        "Lines run from square to neighbouring square, across or up and down, never diagonally.",
        "Each line runs from a number to its twin and through no other number. Lines never cross or branch.",
        "No line enters a solid square.",
        "Every other square is used by exactly one line.",
    ),
    example_captions=("The puzzle", "Half-way", "Solved"),
    tips_title="Where to begin",
    tips=(
        "Look at the corners and along the border: a square with only two ways out must use both, "
        "unless it holds a number.",
        "Each number is the end of its line, so one side of its square is used and the others are not.",
        "Do not cut a number off from its twin, and do not leave a square that no line can reach.",
        "Every puzzle has exactly one solution, so there is always a reason for the next step.",
    ),
    grades_title="The grades",
    grades_intro="A puzzle’s grade tells the hardest thing that it asks of you.",
    grade_lines=MappingProxyType(
        {
            Grade.BEGINNER: "Count the ways out of each square. Lines must not meet or close into a loop.",
            Grade.EASY: "Keep a way open between every number and its twin, and every square within reach.",
            Grade.MEDIUM: "Try a step in your head: one step on, it fails.",
            Grade.HARD: (
                "Ask who goes round whom along the border. Look for gaps that certain pairs must pass."
            ),
            Grade.EXPERT: "Follow a “what if?” two or three moves deep.",
            Grade.FIENDISH: "Follow a long “what if?”, and at times a second one inside it.",
        }
    ),
    strict_grade_lines=MappingProxyType(
        {
            Grade.BEGINNER: (
                "Count the ways out of each square. Lines must not meet, close into a loop or turn straight "
                "back."
            ),
            Grade.EASY: ("No line runs beside itself. Keep a way open between every number and its twin."),
            Grade.MEDIUM: (
                "A line turns in every empty corner; so does the square diagonally inside the turn, and the "
                "next. Try a step in your head: one step on, it fails."
            ),
            Grade.HARD: (
                "Follow turns along any diagonal. Ask who goes round whom along the border. Look for gaps "
                "that certain pairs must pass."
            ),
            Grade.EXPERT: "Follow a “what if?” two or three moves deep.",
            Grade.FIENDISH: "Follow a long “what if?”, and at times a second one inside it.",
        }
    ),
    no_grade="A puzzle without a grade asks for more than any of these.",
    scan="Play on a screen",
    solution_number="Solution {number}",
    solution_tomorrow="Solution tomorrow",
    solution_later="Solution on {day}",
    solution_yesterday="Yesterday’s solution",
    solution_earlier="Solution of {day}",
    rules_line="Join equal numbers. Lines fill every square and never cross.",
    rules_line_solids="Join equal numbers. Lines fill all squares but the solid ones, and never cross.",
    for_dots=MappingProxyType(
        {
            "pair of equal numbers": "pair of dots of one colour",
            "pairs of numbers": "pairs of dots",
            "equal numbers": "dots of one colour",
            "from a number to its twin and through no other number": (
                "from a dot to the other of its colour and through no other dot"
            ),
            "unless it holds a number": "unless it holds a dot",
            "Each number is the end": "Each dot is the end",
            "cut a number off from its twin": "cut a dot off from the other of its colour",
            "between every number and its twin": "between the two dots of every colour",
        }
    ),
    tutorial="Puzzle {number}, step by step",
    tutorial_example="The example, step by step",
    tutorial_intro=(
        "In each picture the new lines stand out, the squares to look at are tinted, and a cross closes a "
        "way. r2c5 is the square in row 2 and column 5."
    ),
    tutorial_on="To try it yourself first, turn to page {page}.",
    tutorial_count="Count the ways out in the same way at {squares}",
)

_LANGUAGES = MappingProxyType({words.language: words for words in (ENGLISH,)})


def words_of(language: str) -> Words:
    """The words of a language.

    Raises:
        LayoutError: the language has no table; names those that have.
    """
    words = _LANGUAGES.get(language)
    if words is None:
        raise LayoutError(
            f"there are no printed words for {language!r}, only for "
            f"{', '.join(sorted(_LANGUAGES))}. Set language to one of these.",
            "language",
        )
    return words
