"""A shelf has the books and feeds of a folder, how to begin a new one, and the pictures beside them."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from linkpress.app.editions import book_folder, volume_head
from linkpress.book.first_specs import GuidedAnswers, example_books, example_texts, guided_text, init_text
from linkpress.book.spec import BookSpec, read_spec, slug
from linkpress.book.volume import COVER_FILE, INTERIOR_FILE, VOLUME_FILE
from linkpress.documents.models import Document
from linkpress.documents.yaml_edit import with_value
from linkpress.documents.yaml_source import MAX_BYTES, read_yaml
from linkpress.errors import LinkpressError, OutputError, SpecError, UsageError
from linkpress.files import read_limited, write_file, write_files
from linkpress.render.photos import NoPictureError, size_of_photo
from linkpress.studio.spec_file import ConflictError

NEWSPAPER = "newspaper"
_DEPTHS = ("*.yaml", "*.yml", "*/*.yaml", "*/*.yml")
PICTURES = (".jpeg", ".jpg", ".png")
_PICTURE_HEADS = (b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n")
_MOST_PICTURES = 200  # that are offered


@dataclass(frozen=True)
class ShelvedSpec:
    """A shelved spec is that of a book or a feed in the folder.

    Args:
        kind: ``book`` or ``feed``.
        title: of the book, or the file's name where it can't be read.
        state: ``new``, ``built``, ``changed`` since it was built, or ``faulty``; ``feed`` of a feed.
        cover: when the cover of its built book was made, in nanoseconds; empty where there is none.
    """

    path: str
    kind: str
    title: str
    state: str
    cover: str


def shelved_specs(folder: Path, out: Path) -> Iterator[ShelvedSpec]:
    """Find the specs of books and feeds in a folder and the folders in it."""
    for path in sorted({path for pattern in _DEPTHS for path in folder.glob(pattern)}):
        with contextlib.suppress(LinkpressError, OSError, UnicodeError, RuntimeError):  # also links in a ring
            path.name.encode()  # which is no text where it can't be
            place = path.resolve()
            is_inside = place.is_relative_to(folder.resolve()) and not place.is_relative_to(out.resolve())
            if is_inside and path.is_file():
                yield from _shelved(path, folder, out)


def _shelved(path: Path, folder: Path, out: Path) -> Iterator[ShelvedSpec]:
    name = path.relative_to(folder).as_posix()
    try:
        document = read_spec(path)
        keys = document.model.source.value if document.model else read_yaml(path).value
    except SpecError:
        text = read_limited(path, MAX_BYTES)
        if re.search(rb"^(levels|week):", text, re.MULTILINE):  # it is no YAML, and can be mended
            yield ShelvedSpec(name, "book", path.stem, "faulty", "")
        return
    title = str(keys.get("title") or path.stem)
    if "levels" in keys and "seed" in keys:
        cover = built_cover(path, out, document)
        made_ns = cover.stat().st_mtime_ns if cover else 0
        yield ShelvedSpec(name, "book", title, _state(path, out, document), str(made_ns or ""))
    elif "week" in keys:
        yield ShelvedSpec(name, "feed", title, "feed", "")


def new_book(folder: Path, like: str, title: str, answers: GuidedAnswers | None = None) -> Path:
    """Write the spec of a new book, made from a finished one or from answers.

    Args:
        like: the finished book's name, or ``NEWSPAPER`` for a feed.
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
    if like == NEWSPAPER:
        path = folder / f"{name}.yaml"
        text = with_value(init_text(str(path), feed=True), ("title",), title.strip())
        return _write_new({path: with_value(text, ("id",), name)})
    is_series = len(example_books().get(like, ())) > 1
    texts = example_texts(like, folder / (name if is_series else f"{name}.yaml"))
    if not is_series:
        texts = {path: with_value(text, ("title",), title.strip()) for path, text in texts.items()}
    return _write_new(texts)


def _write_new(texts: Mapping[Path, str]) -> Path:
    for path in texts:
        if path.exists():
            raise OutputError(f"{path.name} is there already; choose another title.")
    write_files(texts)
    return next(path for path, text in texts.items() if re.search(r"^seed:", text, re.MULTILINE))


def _state(path: Path, out: Path, document: Document[BookSpec]) -> str:
    spec = document.model
    if spec is None or document.problems:
        return "faulty"
    with contextlib.suppress(LinkpressError, OSError, ValueError):
        folder = book_folder(out, spec, path.parent)
        if (folder / INTERIOR_FILE).is_file():
            built_of = volume_head(folder / VOLUME_FILE).get("spec_sha256")
            return "built" if built_of == spec.sha256 else "changed"
    return "new"


def built_cover(path: Path, out: Path, document: Document[BookSpec]) -> Path | None:
    """Return the cover of a spec's built book, if it has one."""
    with contextlib.suppress(LinkpressError, OSError):
        if document.model is not None and not document.problems:
            cover = book_folder(out, document.model, path.parent) / COVER_FILE
            return cover if cover.is_file() else None
    return None


def pictures_beside(folder: Path) -> list[str]:
    """Return the pictures in a book's folder and the folders in it, as its spec names them; 200 at most."""
    found = (path.relative_to(folder) for pattern in ("*", "*/*") for path in folder.glob(pattern))
    named = (path.as_posix() for path in found if path.suffix.lower() in PICTURES)
    return sorted(islice((name for name in named if not name.startswith(".")), _MOST_PICTURES))


def keep_picture(folder: Path, name: str, content: bytes, *, instead: bool) -> None:
    """Write a picture into a book's folder.

    Args:
        instead: whether another picture of that name may go.
    Raises:
        UsageError: it is no JPEG or PNG, or is not called so.
        ConflictError: another picture of that name is there.
        OutputError: it can't be written.
    """
    path = folder / name
    if path.name != name or not name.isprintable() or path.suffix.lower() not in PICTURES or name[0] == ".":
        raise UsageError(f"{name}: a picture's name ends in .jpg, .jpeg or .png")
    try:
        if not content.startswith(_PICTURE_HEADS):
            raise NoPictureError("is neither a JPEG nor a PNG")
        size_of_photo(io.BytesIO(content))
    except NoPictureError as fault:
        raise UsageError(f"{name} {fault}. Save it as JPEG or PNG.") from None
    if path.exists() and not instead and path.read_bytes() != content:
        raise ConflictError
    write_file(path, content)
