"""Write specs for authors to start from.

There are four kinds of new specs:

- a commented example
- a copy of one of the books in ``config/books``
- a spec made from the user's answers to a few questions (``GuidedAnswers``)
- a spec made from a short description, such as ``easy 40, hard 20, A5, Spanish``

The description is the value of ``linkpress init --from``. Its parts are separated by commas, and each part
becomes a key of the spec.
"""

from __future__ import annotations

import os.path
import re
import secrets
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from linkpress.book.mixes import DEFAULT_MIX, apportion, count_parts, mix_of_text, unique_name
from linkpress.book.spec import slug
from linkpress.documents.other_names import name_table
from linkpress.documents.problem import InvalidError, closest_match, listed, printable
from linkpress.documents.shipped_files import DIFFICULTY_SETS, LANGUAGES, PRINTERS
from linkpress.documents.values import parse_size
from linkpress.documents.yaml_edit import with_value
from linkpress.documents.yaml_source import read_yaml
from linkpress.engine.difficulty import Difficulty
from linkpress.engine.recipe import counted
from linkpress.errors import Notify, UsageError
from linkpress.resources import TableSections, resource
from linkpress.words import ENGLISH, Samples, load_words, words_of

SCHEMA_FILE = "spec.schema.json"
BOOKS = "books"
# The printers from which the studio lets a user choose for a first book. True means that the printer's
# profile says how thick the paper is. Then linkpress can calculate the width of the spine, and make a cover.
_PRINTERS = {"kdp-paperback": True, "lulu": True, "ingramspark": False, "generic": False}
# Maps each printer that doesn't offer both ``standard-colour`` and ``premium-colour`` to the name of the
# colour paper that is used instead.
_COLOUR_PAPERS = {"lulu": "premium-colour", "generic": "colour"}


@cache
def _parts() -> Any:
    return TableSections("new-books.yaml")


def init_text(file: str, *, feed: bool = False, language: str = ENGLISH) -> str:
    """Return a spec with English comments. A user can build a book from it without any change.

    The spec is an example that is part of linkpress, with another title and another seed. The seed of a book
    is always the same. The seed of a feed is random.

    Args:
        file: the path at which the spec will be saved, for its comments.
        feed: whether to return the spec of a newspaper feed instead of a book.
        language: the language of the printed words and sample texts: the tag of a language that linkpress
            has, such as ``de``, or the path of a words file.
    Raises:
        UsageError: there is no such language.
        SpecError: the words file has problems.
    """
    samples = load_words(language).samples
    name, schema = ("feed-daily.yaml", "feed.schema.json") if feed else ("starter.yaml", SCHEMA_FILE)
    _, text = resource("config", name).read_text(encoding="utf-8").split("\n", 1)
    for pattern, own in _own_lines(samples, feed, _named_from(file, language)):
        text = re.sub(pattern, lambda found, own=own: found[1] + own, text, count=1, flags=re.MULTILINE)  # type: ignore[misc]
    quoted = printable(shlex.quote(file), 300)
    return f"{_schema_lines(schema)}\n{text.replace(f'config/{name}', quoted)}"


def _schema_lines(file: str) -> str:
    """Return the comments at the top of a spec.

    They say where a text editor looks for a file with the spec's JSON Schema, and which command writes this
    file.
    """
    option = " --feed" if file.startswith("feed") else ""
    return (
        f"# yaml-language-server: $schema={file}\n"
        f"# For an editor that completes keys, put the schema here: linkpress schema{option} > {file}"
    )


def _own_lines(samples: Samples, feed: bool, language: str) -> Iterator[tuple[str, str]]:
    """Yield the changes that turn linkpress's example spec into the user's own spec.

    For example, the spec gets another title and another seed, so that the user's book has its own folder and
    its own puzzles.

    Yields:
        A regular expression that matches a part of the example, and the text to put in its place. The first
        group of the expression stays; the text replaces the rest of the match.
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
    """Return the text to write after ``language:`` in a new spec.

    The tag of a language stays unchanged. The path of a words file is rewritten: in a spec, it must start
    from the folder of the spec, and not from the current folder.

    Args:
        file: the path at which the spec will be saved.
        language: the tag of a language that linkpress has, such as ``de``; or the path of a words file, from
            the current folder.
    """
    if language in LANGUAGES.names():
        return language
    return _scalar(os.path.relpath(language, Path(file).parent))


def _scalar(text: str) -> str:
    """Write a text as YAML, in quotes if needed."""
    line: str = yaml.safe_dump(text, allow_unicode=True, width=10_000)
    return line.split("\n")[0]


def example_books() -> dict[str, list[Path]]:
    return {
        entry.stem: sorted(entry.glob("*.yaml")) if entry.is_dir() else [entry]
        for entry in sorted(resource("config", BOOKS).iterdir())
    }


def example_texts(name: str, place: Path) -> dict[Path, str]:
    """Return copies of a shipped book's specs with new random seeds, so that each copy has its own puzzles.

    Args:
        name: a key of ``example_books``.
        place: the path at which the spec will be saved; for a series, the folder of its specs.
    Returns:
        A mapping from the path of each spec to its text.
    Raises:
        UsageError: there is no such book. The message lists all names.
    """
    books = example_books()
    if name not in books:
        near = closest_match(name, books)
        meant = f"Did you mean {near}? " if near else ""
        advice = f"{meant}Shipped: {', '.join(books)}."
        raise UsageError(f"--like {printable(name)}: there is no such book. {advice}")
    files = books[name]
    places = {file: place / file.name if len(files) > 1 else place for file in files}
    return {own: _as_own(file, places) for file, own in places.items()}


def _as_own(file: Path, places: dict[Path, Path]) -> str:
    """Return the text of a shipped spec with changes that make it the user's own.

    It gets a new random seed, and a comment that says where an editor finds the JSON Schema. The paths of
    other shipped specs in the text are replaced by the paths of the user's copies of these specs.

    Args:
        file: the shipped spec.
        places: the new path of each shipped spec that is copied together with it.
    """
    text = file.read_text(encoding="utf-8")
    text = re.sub(r"^# yaml-language-server: .*", lambda _: _schema_lines(SCHEMA_FILE), text)
    for shipped, own in places.items():
        named = shipped.relative_to(resource("config")).as_posix()
        text = text.replace(f"config/{named}", printable(shlex.quote(str(own)), 300))
    return re.sub(r"^seed: .*$", lambda _: f"seed: {secrets.randbelow(10**12)}", text, flags=re.MULTILINE)


@dataclass(frozen=True)
class GuidedAnswers:
    """Answers to the questions that the studio asks a user who wants to make a first book.

    The author's name may be left out. For every other question, the answer must be one of the choices that
    ``guided_choices`` returns.
    """

    reader: str
    count: str
    hardness: str
    trim: str
    printer: str
    language: str
    author: str = ""

    def __post_init__(self) -> None:
        for name, choices in guided_choices().items():
            if getattr(self, name) not in choices:
                raise UsageError(f"{name} {getattr(self, name)!r}: choose {listed(choices, 'or')}")


def guided_choices() -> Mapping[str, tuple[str, ...]]:
    levels = _parts()["levels"]
    return {
        "reader": tuple(levels),
        "count": ("40", "60", "100", "200"),
        "hardness": tuple(levels["everyone"]),
        "trim": ("6x9in", "8.5x11in", "8.5x8.5in", "A5", "A4"),
        "printer": tuple(_PRINTERS),
        "language": tuple(LANGUAGES.names()),
    }


def guided_text(title: str, answers: GuidedAnswers) -> str:
    """Return the spec of a book with this title, made from a user's answers."""
    page = _parts()["pages"][answers.reader]
    levels = _levels_text(answers, page["per_page"])
    # KDP offers its cheaper paper, ``standard-colour``, only for books of at least 72 pages. A book of 40
    # puzzles may have fewer.
    usual_paper = "premium-colour" if answers.count == "40" else "standard-colour"
    more = page["more"].format(paper=_COLOUR_PAPERS.get(answers.printer, usual_paper))
    text = _filled("guided", **asdict(answers), more=more, levels=levels)
    text += page.get("cover", _parts()["cover"]) if _PRINTERS[answers.printer] else ""
    author = answers.author.strip()
    text = with_value(text, ("author",), author, ["title", "author", "language"]) if author else text
    return with_value(text, ("title",), title.strip())


def _filled(part: str, **values: str) -> str:
    """Fill in a template of ``config/new-books.yaml``, and return it as the text of a new spec.

    The spec gets a random seed. The comments at its top say where an editor finds the JSON Schema.

    Args:
        part: the key of the template.
        values: the values of the template's placeholders.
    """
    text = _parts()[part].format(**values, seed=secrets.randbelow(10**12))
    return f"{_schema_lines(SCHEMA_FILE)}\n{text}"


def _levels_text(answers: GuidedAnswers, per_page: str) -> str:
    recipes = _parts()["levels"][answers.reader][answers.hardness]
    counts, words = apportion(int(answers.count), [1] * len(recipes)), words_of(answers.language, None)
    levels: list[str] = []
    names: set[str] = set()
    titles: Sequence[str] = ()
    if answers.reader == "children":
        of_children = read_yaml(DIFFICULTY_SETS.find("children")).value.values()
        titles = [keys["title"][answers.language] for keys in of_children]
    for index, (recipe, count) in enumerate(zip(recipes, counts, strict=True)):
        size, difficulty = recipe.split()
        name = titles[index] if titles else unique_name(words.difficulties[Difficulty(difficulty)], names)
        keys = {"size": size, "difficulty": difficulty, "per_page": per_page}
        levels.append(_parts()["level"].format(name=name, count=count, **keys))
    return "\n".join(levels)


# Matches a text in the quotation marks of various languages.
_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|„([^“]+)“|«([^»]+)»|'([^']+)'")
# Users can describe a book in a few words, such as "easy 40, large print". Each of these words in a
# description sets a key of the book's spec to "yes".
_YES_KEYS = {
    "cover": "cover",
    "e-book": "epub",
    "ebook": "epub",
    "epub": "epub",
    "images": "images",
    "play page": "play",
    "large print": "page.large_print",
}
_HELP = (
    "Give a number for each difficulty (easy 40, hard 20) or a total (60 puzzles). You can add a page size "
    "(A5, 6x9in), a language (Spanish), a board size (10x10), a printer (kdp-paperback), cover, e-book, "
    "by AUTHOR, or a title in quotes."
)


def worded_text(words: str, language: str, notify: Notify) -> str:
    """Return the YAML text of a book's spec, written from a short description.

    Args:
        words: the description, such as ``easy 40, hard 20, A5``. Its parts are separated by commas. Text in
            quotes becomes the book's title.
        language: the tag of the book's language, such as ``en``, if the description names no language.
        notify: function that is called with a line of text about each key, to show it to the user.
    Raises:
        UsageError: a part of the description is not understood, or two parts contradict each other.
    """
    keys = dict(_read(words))
    mix = {key[4:]: value for key, value in keys.items() if key.startswith("mix.")}
    puzzles = keys.get("puzzles")
    asked = f"--from {printable(words)}"
    if not mix and not puzzles:
        raise UsageError(f"{asked}: it does not say how many puzzles. {_HELP}")
    if mix and "difficulties" in keys:
        raise UsageError(
            f"{asked}: {keys['difficulties']} is a whole set of difficulties, so leave out {', '.join(mix)}. "
            "Give only the number of puzzles, such as: 60 puzzles."
        )
    try:
        counts = count_parts(mix or DEFAULT_MIX, int(puzzles) if puzzles else None)
    except InvalidError as error:
        raise UsageError(f"{asked}: {error}. {_HELP}") from None
    keys["puzzles"] = str(sum(counts.values()))
    keys.setdefault("language", language)
    keys.setdefault("title", load_words(keys["language"]).samples.title)
    parts = keys.get("difficulties") or ", ".join(f"{count} {name}" for name, count in counts.items())
    notify(f"puzzles: {counted(int(keys['puzzles']), 'puzzle')} ({parts})")
    for key, value in keys.items():
        if key != "puzzles" and not key.startswith("mix."):
            notify(f"{key}: {value}")
    return _text(words, keys, mix)


def _text(words: str, keys: Mapping[str, str], mix: Mapping[str, str]) -> str:
    text = _filled("worded", words=printable(words, 300))
    if mix:
        text += f"mix: {{{', '.join(f'{name}: {value}' for name, value in mix.items())}}}\n"
    for key, value in keys.items():
        if not key.startswith("mix."):
            text = with_value(text, tuple(key.split(".")), value)
    return text


def _read(words: str) -> Iterator[tuple[str, str]]:
    """Read a user's description of a book. Yield the keys of the spec that it sets, and their values.

    Raises:
        UsageError: a part of the description is not understood.
    """
    title = _QUOTED.search(words)
    if title:
        yield "title", next(filter(None, title.groups()))
        words = f"{words[: title.start()]},{words[title.end() :]}"
    for part in re.split(r"[,;\n]| and ", words):
        text = part.strip(" .")
        if not text:
            continue
        try:
            keys = list(_keys_of(text))
        except InvalidError:
            keys = []
        if not keys:
            raise UsageError(f"--from: {printable(text)} is not understood. {_HELP}")
        yield from keys


def _keys_of(text: str) -> Iterator[tuple[str, str]]:
    """Read one part of a user's description of a book, such as ``A5``.

    Yields:
        Each key of the spec that this part sets, and its value. Nothing if the part is not understood.
    """
    lower = text.lower()
    if mix := mix_of_text(lower):
        yield from ((f"mix.{name}", count) for name, count in mix.items())
    elif match := re.fullmatch(r"([0-9]+) *(?:puzzles?|boards?)?", lower):
        yield "puzzles", match[1]
    elif match := re.fullmatch(r"(?:by|author:?) +(.+)", text, re.IGNORECASE):
        yield "author", match[1]
    elif (match := re.fullmatch(r"([0-9]+) *[x×] *([0-9]+)(?: +(?:boards?|squares))?", lower)) and (
        match[1] == match[2] or lower.endswith(("s", "d"))
    ):
        yield "size", f"{match[1]}x{match[2]}"
    elif lower in _YES_KEYS:
        yield _YES_KEYS[lower], "yes"
    elif printer := _known(lower, "page.printer", PRINTERS.names()):
        yield "page.printer", printer
    elif lower.removeprefix("for ") in DIFFICULTY_SETS.names():
        yield "difficulties", lower.removeprefix("for ")
    elif tag := _known(lower.removeprefix("in "), "language", LANGUAGES.names()):
        yield "language", tag
    else:
        yield from _page_size(lower)


def _page_size(text: str) -> Iterator[tuple[str, str]]:
    size = re.sub(r" *(?:page|paper|pages)$", "", text)
    for trim in (size, f"{size}in"):  # a size without a unit, such as 6x9, is in inches
        try:
            parse_size(trim)
        except ValueError:
            continue
        yield "page.trim", trim.upper() if re.fullmatch(r"[ab][0-9]", trim) else trim
        return


def _known(word: str, key: str, names: Collection[str]) -> str | None:
    """Translate a user's word for the value of a key, such as "spanish" for the language ``es``.

    Args:
        word: the word, in lower case.
        key: the key of the spec.
        names: values of the key that need no translation.
    Returns:
        The value of the key. None if the word is unknown.
    """
    return word if word in names else name_table().value(word, key)
