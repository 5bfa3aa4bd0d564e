"""This module writes what an author begins with: first specs, copies of finished books, the schema."""

from __future__ import annotations

import os.path
import re
import secrets
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from linkpress.book.spec import BookSpec, slug
from linkpress.documents.models import document_schema, document_text
from linkpress.documents.problem import closest_match, listed, printable
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.documents.yaml_edit import with_value
from linkpress.engine.recipe import Grade
from linkpress.errors import UsageError
from linkpress.resources import resource
from linkpress.words.language import ENGLISH, Samples, load_words, words_of

SCHEMA_FILE = "spec.schema.json"
BOOKS = "books"
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


def spec_schema() -> dict[str, Any]:
    """Return the JSON Schema of a book spec, by which editors complete and check keys."""
    return document_schema(BookSpec, "A linkpress book spec")


def schema_text() -> str:
    """Write ``spec_schema`` as the text of the shipped file."""
    return document_text(spec_schema())


def init_text(file: str, *, feed: bool = False, language: str = ENGLISH) -> str:
    """Write a commented spec that can be used as it stands; the comments are English.

    It is the shipped example with a title and a seed of its own, a feed's drawn by lot.

    Args:
        file: where it will lie; its first line names the installed schema, and its comments this
            file.
        language: of the printed words and the sample texts: a shipped one's tag, or a words file.
    Raises:
        UsageError, SpecError: there is no such language, or its file has faults.
    """
    samples = load_words(language).samples
    name, schema = ("feed-daily.yaml", "feed.schema.json") if feed else ("starter.yaml", SCHEMA_FILE)
    _, text = resource("config", name).read_text(encoding="utf-8").split("\n", 1)
    for pattern, own in _own_lines(samples, feed, _named_from(file, language)):
        text = re.sub(pattern, lambda found, own=own: found[1] + own, text, count=1, flags=re.MULTILINE)  # type: ignore[misc]
    quoted = printable(shlex.quote(file), 300)
    first = f"# yaml-language-server: $schema={resource('config', schema).as_uri()}"
    return f"{first}\n{text.replace(f'config/{name}', quoted)}"


def _own_lines(samples: Samples, feed: bool, language: str) -> Iterator[tuple[str, str]]:
    """Yield patterns of the shipped example, and what stands instead behind the first group of each.

    A first book neither takes the place of the shipped one nor has its puzzles.
    """
    author = f"{_scalar(samples.author)}\n"
    choice = f"language: {language}   # of the printed words; or {', '.join(LANGUAGES.names())}, or a file\n"
    if feed:
        yield r"^(seed: )20261201\n", f"{secrets.token_hex(20)}x\n"
        yield r"^(title: ).*\n", f"{_scalar(samples.feed_title)}\n"
        yield r"^(author: ).*\n", author + choice
        yield r"^(copyright: © 2026 ).*\n", author
        yield r"^(usage: ).*\n", f"{_scalar(samples.usage)}\n"
        return
    yield r"(output/)number-link-starter/", f"{slug(samples.title)}/"
    yield r"^(title: ).*\n", f"{_scalar(samples.title)}\n"
    yield r"^(subtitle: ).*\n", f"{_scalar(samples.subtitle)}\n"
    yield r"^(author: ).*\n", author + choice
    yield r"^(seed: )20261120\n", "20261123\n"
    for shipped, own in zip(("Warm-up", "Gentle", "Tricky"), samples.levels, strict=True):
        yield rf"(  - name: ){shipped}$", _scalar(own)


def _named_from(file: str, language: str) -> str:
    """Return a language as a spec at ``file`` names it: a words file's path starts from there."""
    if language in LANGUAGES.names():
        return language
    return _scalar(os.path.relpath(language, Path(file).parent))


def _scalar(text: str) -> str:
    """Write a text as YAML has it, in quotes where it needs them."""
    line: str = yaml.safe_dump(text, allow_unicode=True, width=10_000)
    return line.split("\n")[0]


def example_books() -> dict[str, list[Path]]:
    """Return the spec files of each finished book, by its name; a series is a folder with several."""
    return {
        entry.stem: sorted(entry.glob("*.yaml")) if entry.is_dir() else [entry]
        for entry in sorted(resource("config", BOOKS).iterdir())
    }


def example_texts(name: str, place: Path) -> dict[Path, str]:
    """Return the specs of a finished book as a publisher's own, each with a new seed: no two books are alike.

    Args:
        name: a key of ``example_books``.
        place: where the spec will lie; of a series the folder of its files.
    Raises:
        UsageError: there is no such book; names those that there are.
    """
    books = example_books()
    if name not in books:
        near = closest_match(name, books)
        meant = f"Did you mean {near}? " if near else ""
        raise UsageError(
            f"--like {printable(name)}: there is no such book. {meant}Shipped: {', '.join(books)}."
        )
    files = books[name]
    places = {file: place / file.name if len(files) > 1 else place for file in files}
    return {own: _as_own(file, places) for file, own in places.items()}


def _as_own(file: Path, places: dict[Path, Path]) -> str:
    """Rewrite a shipped spec for another place: schema, paths in its comments and seed are its own."""
    text = file.read_text(encoding="utf-8")
    schema = resource("config", "spec.schema.json").as_uri()
    text = re.sub(r"\$schema=\S+", lambda _: f"$schema={schema}", text)
    for shipped, own in places.items():
        named = shipped.relative_to(resource("config")).as_posix()
        text = text.replace(f"config/{named}", printable(shlex.quote(str(own)), 300))
    return re.sub(r"^seed: .*$", lambda _: f"seed: {secrets.randbelow(10**12)}", text, flags=re.MULTILINE)


@dataclass(frozen=True)
class GuidedAnswers:
    """A first book is written from these answers; ``generic`` is a printer of one's own."""

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
