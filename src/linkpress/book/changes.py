"""This module changes a saved book's spec: how it is printed, and nothing that its puzzles come from."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from linkpress.book.level import PRINTED_LEVEL_KEYS, LevelSpec
from linkpress.book.spec import BookSpec
from linkpress.documents.bases import merged
from linkpress.documents.models import Document, fields_of, read_document
from linkpress.documents.problem import (
    KeyPath,
    Location,
    Problem,
    YamlSource,
    fail_on,
    key_path,
    key_text,
    shown,
)
from linkpress.documents.yaml_source import parse_yaml
from linkpress.errors import SpecError, UsageError
from linkpress.words.languages import take_language

_NO_FILE = YamlSource("the spec", {}, {}, {})
_MAKING = "the puzzles come from this key, so a saved book keeps it: change the spec, and build anew"


def printed_otherwise(spec: BookSpec, changes: Mapping[Any, Any], file: YamlSource | None = None) -> BookSpec:
    """Return the spec of the same book with other values for keys that change no puzzle.

    Mappings are changed key by key and lists as a whole, but for ``levels``, whose entries change the levels
    in their order. A key without a value is taken out.

    Args:
        changes: the new values as they stand in a spec; ``{"levels": {0: …}}`` changes an entry of a list.
        file: a file with changes, which are made before these.
    Raises:
        UsageError: a key or value of ``changes`` is not allowed; lists all of them.
        SpecError: a key or value of the file is not allowed; lists all of them with their places.
    """
    document: Any = spec.document()
    changes = _by_number(changes)
    for part in [*([_by_number(file.value)] if file else []), changes]:
        document = merged(document, part)
    read = _read_changed(spec, replace(file or _NO_FILE, value=document, base=None))
    problems = read.problems
    own = [problem for problem in problems if file is None or _stands_in(changes, problem.key)]
    if file is not None:
        of_file = [problem for problem in problems if problem not in own]
        fail_on([*of_file, *(replace(problem, file="the command line", line=0) for problem in own)])
    if own:
        lines = (f"{key_text(each.key)} {each.found}".strip() + f": {each.message}" for each in own)
        raise UsageError("; ".join(lines))
    return read.checked()


def edition_documents(spec: BookSpec, folder: Path) -> dict[str, Document[BookSpec]]:
    """Return the spec of each edition that a spec names, by its name.

    An edition has the puzzles and the identity of the book, and its changes otherwise. An ISBN is never taken
    over: it belongs to the book alone.
    """
    if not spec.editions:
        return {}  # to write a document, pydantic builds the models of all keys: 20 ms
    plain = {**spec.document(), "id": spec.book_id}
    plain |= {"editions": None, "isbn": None}
    for key in ("screen", "epub"):
        if isinstance(plain.get(key), dict):
            plain[key] = {**plain[key], "isbn": None}
    found = {}
    for name, changes in spec.editions.items():
        root = ("editions", name)
        file = take_language(
            replace(
                spec.source,
                value=dict(changes),
                places=_below(spec.source.places, root),
                key_places=_below(spec.source.key_places, root),
                problems=(),
                base=None,
            ),
            folder,
        )
        read = _read_changed(spec, replace(file, value=merged(plain, _by_number(file.value))))
        if read.model is not None:
            read.model._boards = spec._boards
        found[name] = read
    return found


def _below(places: Mapping[KeyPath, Location], root: KeyPath) -> dict[KeyPath, Location]:
    return {path[len(root) :]: place for path, place in places.items() if path[: len(root)] == root}


def own_words_left(old: BookSpec, new: BookSpec, changes: Mapping[str, Any]) -> list[str]:
    """Return the keys of the author's own texts that an edition in another language leaves as they are."""
    if old.wording().language == new.wording().language:
        return []
    before, given = _own_words(old), _by_number(changes)
    return [
        key
        for key, text in _own_words(new).items()
        if before.get(key) == text
        and any(letter.isalpha() for letter in text)
        and not _stands_in(given, key_path(key))
    ]


def _own_words(spec: BookSpec) -> dict[str, str]:
    texts = {"title": spec.title, "subtitle": spec.subtitle, "edition": spec.edition}
    texts |= {f"levels[{place}].title": level.heading for place, level in enumerate(spec.levels)}
    texts["series.name"] = spec.series.name if spec.series else None
    if spec.cover is not None:
        texts["cover.blurb"] = spec.cover.blurb
        texts |= {f"cover.back.{key}": text for key, text in spec.cover.back or () if isinstance(text, str)}
    for key, pages in (("front", spec.front), ("back", spec.back)):
        for place, page in enumerate(pages):
            texts |= {f"{key}[{place}].title": page.title, f"{key}[{place}].text": page.text}
    texts |= {f"words.{key}": str(text) for key, text in (spec.words or {}).items()}
    return {key: text for key, text in texts.items() if text}


def _read_changed(spec: BookSpec, source: YamlSource) -> Document[BookSpec]:
    """Read a spec with changes, whose problems are also those of keys that its puzzles come from."""
    read = read_document(source, BookSpec)
    problems = _level_count_problems(spec, source) or [*read.problems, *_other_puzzles(spec, read)]
    return read._replace(problems=problems)


def read_changes(words: Iterable[str]) -> dict[str, Any]:
    """Read changes from the command line, each ``key=value``; raise ``UsageError`` for any other word.

    A key is written as ``page.trim`` or ``levels[0].per_page``. A value that begins with a bracket, brace
    or double quote is a list, mapping or text as in YAML, and an empty one takes the key out.
    """
    changes: dict[Any, Any] = {}
    for word in words:
        key, equals, value = word.partition("=")
        path = key_path(key.strip())
        if not equals or not path or key_text(path) != key.strip():
            raise UsageError(
                f"--set {shown(word)}: write key=value, as page.trim=A5, levels[0].per_page=2 or "
                "author='Ada Example'."
            )
        part = changes
        for step in path[:-1]:
            inner = part.setdefault(step, {})
            if not isinstance(inner, dict):
                inner = part[step] = {}
            part = inner
        part[path[-1]] = _value(key, value.strip())
    return changes


def _value(key: str, text: str) -> Any:
    if text[:1] in ("[", "{", '"'):
        try:
            return parse_yaml(f"value: {text}\n", "").value["value"]
        except SpecError:
            quoted = shlex.quote(f"{key}={json.dumps(text, ensure_ascii=False)}")
            raise UsageError(
                f"--set {key}={shown(text)}: what begins with {text[0]} is read as YAML, and this is none. "
                f"A text that begins so stands in double quotes: --set {quoted}."
            ) from None
    return text or None


def _by_number(changes: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the entries of levels by their numbers; an entry without a value stays as it was."""
    levels = changes.get("levels")
    if not isinstance(levels, list):
        return changes
    return {
        **changes,
        "levels": {place: {} if level is None else level for place, level in enumerate(levels)},
    }


def _stands_in(changes: Any, path: KeyPath) -> bool:
    """Tell whether changes have a key, or something that holds it."""
    for step in path:
        if not isinstance(changes, Mapping):
            return True
        if step not in changes:
            return False
        changes = changes[step]
    return True


def _level_count_problems(spec: BookSpec, source: YamlSource) -> list[Problem]:
    levels = source.value.get("levels")
    if isinstance(levels, list) and len(levels) == len(spec.levels):
        return []
    message = f"the book has {len(spec.levels)}; change them in their order, with `{{}}` for one that stays"
    return [source.problem(("levels",), "", message)]


def _other_puzzles(old: BookSpec, read: Document[BookSpec]) -> Iterator[Problem]:
    new = read.model
    if new is None or not read.readable("seed", "replace", "levels"):
        return
    for key in ("seed", "replace"):
        if getattr(old, key) != getattr(new, key):
            yield new.source.problem((key,), str(getattr(new, key)), _MAKING)
    for place, (before, after) in enumerate(zip(old.levels, new.levels, strict=True)):
        for key, name in zip(fields_of(LevelSpec), LevelSpec.model_fields, strict=True):
            if key not in PRINTED_LEVEL_KEYS and getattr(before, name) != getattr(after, name):
                yield new.source.problem(("levels", place, key), "", _MAKING)
