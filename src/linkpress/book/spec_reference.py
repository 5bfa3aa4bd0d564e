"""Writes the JSON Schema of book specs, and a first spec for an author to begin with."""

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
from linkpress.documents.problem import shown
from linkpress.documents.shipped_files import LANGUAGES
from linkpress.resources import resource
from linkpress.words.languages import ENGLISH, load_words
from linkpress.words.wording import Samples

SCHEMA_FILE = "spec.schema.json"


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
