"""The finished books in ``config/books``, and copies of them for a publisher to begin with."""

from __future__ import annotations

import re
import secrets
import shlex
from pathlib import Path

from linkpress.documents.problem import nearest, shown
from linkpress.errors import UsageError
from linkpress.resources import resource

BOOKS = "books"


def example_books() -> dict[str, list[Path]]:
    """The spec files of each finished book, by its name; a series is a folder with several."""
    return {
        entry.stem: sorted(entry.glob("*.yaml")) if entry.is_dir() else [entry]
        for entry in sorted(resource("config", BOOKS).iterdir())
    }


def example_texts(name: str, place: Path) -> dict[Path, str]:
    """The specs of a finished book as a publisher's own, each with a new seed: no two books are alike.

    Args:
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
