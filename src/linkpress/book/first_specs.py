"""What an author begins with: a first spec, copies of the finished books in ``config/books``, the schema."""

from __future__ import annotations

import os.path
import re
import secrets
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from linkpress.book.spec import BookSpec, slug
from linkpress.documents.json_schema import document_schema, document_text
from linkpress.documents.problem import nearest, shown
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.errors import UsageError
from linkpress.resources import resource
from linkpress.words.languages import ENGLISH, load_words
from linkpress.words.wording import Samples

SCHEMA_FILE = "spec.schema.json"
BOOKS = "books"


def spec_schema() -> dict[str, Any]:
    """Return the JSON Schema of a book spec, by which editors complete and check keys."""
    return document_schema(BookSpec, "A linkpress book spec")


def schema_text() -> str:
    """Write ``spec_schema`` as the text of the shipped file."""
    return document_text(spec_schema())


def init_text(file: str, *, feed: bool = False, language: str = ENGLISH) -> str:
    """Write a commented spec that can be used as it stands; the comments are English.

    Args:
        file: where it will lie; its comments have commands with this name.
        feed: whether it is a newspaper's feed instead of a book.
        language: the language of the printed words and the sample texts: a shipped one's tag, or a words
            file.
    Returns:
        The shipped example with a title and a seed of its own, a feed's drawn by lot; its first line names
        the installed schema.
    Raises:
        UsageError, SpecError: there is no such language, or its file has faults.
    """
    samples = load_words(language).samples
    name, schema = ("feed-daily.yaml", "feed.schema.json") if feed else ("starter.yaml", SCHEMA_FILE)
    _, text = resource("config", name).read_text(encoding="utf-8").split("\n", 1)
    for pattern, own in _own_lines(samples, feed, _named_from(file, language)):
        text = re.sub(pattern, lambda found, own=own: found[1] + own, text, count=1, flags=re.MULTILINE)  # type: ignore[misc]
    quoted = shown(shlex.quote(file), 300)
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
    """The spec files of each finished book, by its name; a series is a folder with several."""
    return {
        entry.stem: sorted(entry.glob("*.yaml")) if entry.is_dir() else [entry]
        for entry in sorted(resource("config", BOOKS).iterdir())
    }


def example_texts(name: str, place: Path) -> dict[Path, str]:
    """The specs of a finished book as a publisher's own, each with a new seed: no two books are alike.

    Args:
        name: a key of ``example_books``.
        place: where the spec will lie; of a series the folder of its files.
    Returns:
        The text of each file, by its path.
    Raises:
        UsageError: there is no such book; names those that there are.
    """
    books = example_books()
    if name not in books:
        near = nearest(name, books)
        meant = f"Did you mean {near}? " if near else ""
        raise UsageError(f"--like {shown(name)}: there is no such book. {meant}Shipped: {', '.join(books)}.")
    files = books[name]
    places = {file: place / file.name if len(files) > 1 else place for file in files}
    return {own: _as_own(file, places) for file, own in places.items()}


def _as_own(file: Path, places: dict[Path, Path]) -> str:
    """The text of a shipped spec for another place: schema, paths in its comments, and seed are its own."""
    text = file.read_text(encoding="utf-8")
    schema = resource("config", "spec.schema.json").as_uri()
    text = re.sub(r"\$schema=\S+", lambda _: f"$schema={schema}", text)
    for shipped, own in places.items():
        named = shipped.relative_to(resource("config")).as_posix()
        text = text.replace(f"config/{named}", shown(shlex.quote(str(own)), 300))
    return re.sub(r"^seed: .*$", lambda _: f"seed: {secrets.randbelow(10**12)}", text, flags=re.MULTILINE)
