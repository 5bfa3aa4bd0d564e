"""A first book from six answers: its spec, with every line explained."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass

from linkpress.documents.problem import listed
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.documents.yaml_edit import with_value
from linkpress.engine.recipe import Grade
from linkpress.errors import UsageError
from linkpress.resources import resource
from linkpress.words.languages import words_of

# The printers, and whether the width of a spine is known from the number of pages, as a cover needs it.
_PRINTERS = {"kdp-paperback": True, "lulu": True, "ingramspark": False, "generic": False}
# Size, paths and grades of three levels, from the easier to the harder, by reader and by how hard the book
# is. All are likely to be found for a level of 67 puzzles, by the table of odds.
_LEVELS = {
    "children": {
        "gentle": ("5 3-4 beginner", "5x6 4-5 beginner", "6 4-6 beginner"),
        "rising": ("5 3-4 beginner", "6 4-6 beginner", "7 5-7 beginner-easy"),
        "hard": ("6 4-6 beginner", "7 5-7 easy", "8 7-10 easy"),
    },
    "everyone": {
        "gentle": ("6 4-6 beginner", "7 5-7 beginner", "8 7-10 easy"),
        "rising": ("7 5-7 beginner", "8 7-10 easy", "9 9-12 medium"),
        "hard": ("8 7-10 easy", "9 8-11 medium", "10 8-11 hard"),
    },
    "large-print": {
        "gentle": ("6 4-6 beginner", "6 4-6 beginner-easy", "7 5-7 beginner"),
        "rising": ("6 4-6 beginner", "7 5-7 beginner-easy", "8 6-8 easy-medium"),
        "hard": ("7 5-7 easy", "8 7-10 easy", "8 6-8 medium"),
    },
    "enthusiasts": {
        "gentle": ("9 9-12 easy-medium", "10 10-13 medium", "12 9-12 medium-hard"),
        "rising": ("10 8-11 medium-hard", "12 9-12 hard", "15 19-25 medium-hard"),
        "hard": ("10 8-11 hard", "12 9-12 expert", "15 19-25 medium-hard"),
    },
}
_FILL = "  fill: yes               # boards grow until they fill the page\n"
# Lines that a reader's book has more than others, below `page`, and the boards on a page.
_PAGES = {
    "children": ("  max_cell_mm: 30         # large squares for small hands\n", "1"),
    "everyone": ("", "2"),
    "large-print": ("  large_print: yes        # numbers of 18 pt or more, one puzzle a page\n" + _FILL, "1"),
    "enthusiasts": (_FILL, "1"),
}
_COVER = """
# The cover is drawn from the book's own boards; its spine is as wide as the pages ask for. A design may stand
# here in place of colours, as `design: river`; `linkpress preview SPEC --pages designs` shows them all.
cover:
  background: "#0B3954"   # ink and colours in quotes: a # would begin a comment
  accent: "#FF6663"
"""


@dataclass(frozen=True)
class GuidedAnswers:
    """The answers that a first book is written from.

    Args:
        reader: for whom it is.
        printer: who prints it; ``generic`` for one's own.
    """

    reader: str
    count: str
    hardness: str
    trim: str
    printer: str
    language: str

    def __post_init__(self) -> None:
        for name, choices in guided_choices().items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name} {getattr(self, name)!r}: choose {listed(choices, 'or')}")


def guided_choices() -> Mapping[str, tuple[str, ...]]:
    """Return what may be answered to each question, in the order of asking."""
    return {
        "reader": tuple(_LEVELS),
        "count": ("40", "60", "100", "200"),
        "hardness": tuple(_LEVELS["everyone"]),
        "trim": ("6x9in", "8.5x11in", "8.5x8.5in", "A5", "A4"),
        "printer": tuple(_PRINTERS),
        "language": tuple(LANGUAGES.names()),
    }


def guided_text(title: str, answers: GuidedAnswers) -> str:
    """Write the spec of a book."""
    more, per_page = _PAGES[answers.reader]
    schema = resource("config", "spec.schema.json").as_uri()
    text = f"""\
# yaml-language-server: $schema={schema}
#
# Every line may be changed, here or in the form. A key that is left out is as usual.

title: Title              # on the title page, the cover and its spine
language: {answers.language:<16}# of all words that are printed
seed: {secrets.randbelow(10**12):<20}# decides the puzzles: keep it once the book is sold

page:
  printer: {answers.printer:<15}# whose papers, margins and limits are kept
  trim: {answers.trim:<18}# the cut page, width first
{more}
# Each level has its own puzzles, from the easier to the harder. More squares take longer; fewer paths are
# longer ones, and harder to find.
levels:
{_levels_text(answers, per_page)}
captions:
  grade: none             # the level says it; or stars, words
  time: no                # yes: a line to write the time on

solutions:
  per_page: auto          # as many on a page as can be read
"""
    text += _COVER if _PRINTERS[answers.printer] else ""
    return with_value(text, ("title",), title.strip())


def _levels_text(answers: GuidedAnswers, per_page: str) -> str:
    recipes = _LEVELS[answers.reader][answers.hardness]
    total, words = int(answers.count), words_of(answers.language, None)
    lines = []
    for number, recipe in enumerate(recipes, start=1):
        size, paths, grade = recipe.split()
        count = total // len(recipes) + (number <= total % len(recipes))
        names = " – ".join(words.grades[Grade[end.upper()]] for end in grade.split("-"))
        lines += [
            f'  - name: "{number}. {names}"',
            f"    count: {count:<15}# puzzles",
            f"    size: {size:<16}# squares each way",
            f"    paths: {paths:<15}# pairs of numbers to join",
            f"    grade: {grade:<15}# what it takes to solve one",
            f"    per_page: {per_page}",
            "",
        ]
    return "\n".join(lines)
