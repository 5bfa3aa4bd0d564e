"""The books and feeds of a folder, and how to begin a new one."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from linkpress.app.editions import book_folder
from linkpress.book.example_books import example_books, example_texts
from linkpress.book.guided_book import GuidedAnswers, guided_text
from linkpress.book.spec import read_spec, slug
from linkpress.book.volume import COVER_FILE, INTERIOR_FILE, VOLUME_FILE
from linkpress.documents.yaml_edit import with_value
from linkpress.documents.yaml_source import parse_yaml
from linkpress.errors import LinkpressError, OutputError, UsageError
from linkpress.files import Batch

_DEPTHS = ("*.yaml", "*.yml", "*/*.yaml", "*/*.yml")


@dataclass(frozen=True)
class ShelvedSpec:
    """A spec of the folder.

    Args:
        path: of its file, from the folder.
        kind: ``book`` or ``feed``.
        title: of the book, or the file's name where it can't be read.
        state: ``new``, ``built``, ``changed`` since it was built, or ``faulty``.
    """

    path: str
    kind: str
    title: str
    state: str


def shelved_specs(folder: Path, out: Path) -> Iterator[ShelvedSpec]:
    """Find the specs of books and feeds in a folder and the folders in it.

    Args:
        folder: that is open.
        out: the folder for books.
    """
    found = {path for pattern in _DEPTHS for path in folder.glob(pattern)}
    for path in sorted(found):
        if path.resolve().is_relative_to(out.resolve()):
            continue
        with contextlib.suppress(LinkpressError, OSError):
            keys = parse_yaml(path.read_text(encoding="utf-8"), str(path)).value
            name = path.relative_to(folder).as_posix()
            if "levels" in keys and "seed" in keys:
                yield ShelvedSpec(name, "book", str(keys.get("title") or path.stem), _state(path, out))
            elif "weekdays" in keys or "week" in keys:
                yield ShelvedSpec(name, "feed", str(keys.get("title") or path.stem), "new")


def new_book(folder: Path, like: str, title: str, answers: GuidedAnswers | None = None) -> Path:
    """Write the spec of a new book, made from a finished one or from answers.

    Args:
        folder: that is open.
        like: the finished book's name.
        title: of the new one.
        answers: to the questions of a guided book; None for one like a finished one.
    Returns:
        The file; of a series the first volume's.
    Raises:
        UsageError: there is no such finished book, or no title.
        OutputError: a file of that name is there, or can't be written.
    """
    if not title.strip():
        raise UsageError("a title is needed")
    name = slug(title)
    if answers is not None:
        texts = {folder / f"{name}.yaml": guided_text(title, answers)}
        return _write_new(texts)
    is_series = len(example_books().get(like, ())) > 1
    texts = example_texts(like, folder / (name if is_series else f"{name}.yaml"))
    if not is_series:
        texts = {path: with_value(text, ("title",), title.strip()) for path, text in texts.items()}
    return _write_new(texts)


def _write_new(texts: Mapping[Path, str]) -> Path:
    for path in texts:
        if path.exists():
            raise OutputError(f"{path.name} is there already; choose another title.")
    with Batch() as batch:
        for path, text in texts.items():
            batch.write(path, text)
        batch.place()
    return next(path for path, text in texts.items() if re.search(r"^seed:", text, re.MULTILINE))


def _state(path: Path, out: Path) -> str:
    spec = None
    with contextlib.suppress(LinkpressError):
        document = read_spec(path)
        spec = document.model if not document.problems else None
    if spec is None:
        return "faulty"
    with contextlib.suppress(LinkpressError, OSError):
        folder = book_folder(out, spec, path.parent)
        if (folder / INTERIOR_FILE).is_file():
            volume = (folder / VOLUME_FILE).read_text(encoding="utf-8")
            return "built" if f'"spec_sha256": "{spec.sha256}"' in volume else "changed"
    return "new"


def cover_of(path: Path, out: Path) -> Path | None:
    """Return the cover of a spec's built book, if it has one."""
    with contextlib.suppress(LinkpressError):
        model = read_spec(path).model
        if model is not None:
            cover = book_folder(out, model, path.parent) / COVER_FILE
            return cover if cover.is_file() else None
    return None
