"""A spec's file has its text, edits of it, undo and redo, and changes that others make."""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from linkpress.documents.models import Document, Spec, SpecModel, fields_of, model_of
from linkpress.documents.problem import KeyPath, Problem
from linkpress.documents.yaml_edit import EditError, with_order, with_value, without
from linkpress.documents.yaml_source import MAX_BYTES, parse_yaml
from linkpress.errors import OutputError, SpecError
from linkpress.files import read_limited, reason, write_file

_MOST_STEPS = 500
AnySpec = TypeVar("AnySpec", bound=Spec)


class Reader(Protocol[AnySpec]):
    """A function of this kind reads a text as the spec in a file."""

    def __call__(self, path: Path, text: str | None = None) -> Document[AnySpec]:
        """Return the document; raise ``SpecError`` where the text is no YAML."""
        ...


class RefusedError(Exception):
    """A change was not written; the message says why, in the words of ``check``."""


class ConflictError(Exception):
    """The file has been changed elsewhere since the text was read that was to be written."""


@dataclass(frozen=True)
class Change:
    """A change sets, takes out, copies or orders what stands in a file.

    Args:
        kind: ``set``, ``unset``, ``merge`` (several keys), ``copy`` (a list's entry, behind itself) or
            ``order`` (of a list's entries).
        path: of the key or entry; of ``merge`` that of the mapping.
        value: that it gets; for ``merge`` the keys with their values, for ``order`` indexes of the entries.
    """

    kind: str
    path: KeyPath
    value: Any = None


class SpecFile(Generic[AnySpec]):
    """A spec is open here, with all that was done to it since; ``read`` reads a text as such a spec."""

    def __init__(self, path: Path, model: type[AnySpec], read: Reader[AnySpec]) -> None:
        self.path = path
        self._model = model
        self._read_spec = read
        self._document: Document[AnySpec] | None = None
        self._document_of = -1
        self.version = 0
        self._undo: list[str] = []
        self._redo: list[str] = []
        self.text, self._mark = self._read()

    @property
    def document(self) -> Document[AnySpec]:
        """Return what the text says, with what is wrong as data: one problem where it is no YAML."""
        if self._document is None or self._document_of != self.version:
            self._document, self._document_of = self._document_in(self.text), self.version
        return self._document

    @property
    def spec(self) -> AnySpec | None:
        """Return what the text says now; None while it has faults."""
        return None if self.document.problems else self.document.model

    def state(self) -> dict[str, Any]:
        """Return the text and its values as JSON data."""
        document = self.document
        return {
            "text": self.text,
            "version": self.version,
            "values": document.model.source.value if document.model else {},
            "undo": bool(self._undo),
            "redo": bool(self._redo),
            "problems": problem_facts(document.problems),
        }

    def refresh(self) -> bool:
        """Take over what others wrote, and tell if there was any; raise ``OutputError`` if that fails."""
        text, self._mark = self._read()
        if text == self.text:
            return False
        self._become(text)
        return True

    def change(self, change: Change) -> None:
        """Make one change, and write it; raise ``RefusedError`` or ``OutputError`` if nothing is written."""
        self.refresh()
        try:
            text = _edited(self._model, self.text, change)
        except (EditError, SpecError) as fault:
            raise RefusedError(str(fault)) from None
        self._refuse_faults(text, change.path)
        self.write(text)

    def replace_text(self, text: str, version: int) -> None:
        """Write another text, whatever is wrong with it; ``version`` is the one that it was made from.

        Raises:
            ConflictError: the file has another version now; nothing is written.
            OutputError: the file can't be read or written.
        """
        self.refresh()
        if version != self.version:
            raise ConflictError
        self.write(text)

    def write(self, text: str) -> None:
        """Write a text, and remember the one before it; raise as ``change`` does."""
        if len(self._mark) + len(text.encode()) > MAX_BYTES:
            raise RefusedError(f"a book's file may have {MAX_BYTES >> 20} MiB; make the text shorter")
        if text != self.text:
            self._put(text)
            self._become(text)

    def undo(self) -> None:
        """Take the last change back, whoever made it."""
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        """Make the change again that was taken back last."""
        self._step(self._redo, self._undo)

    def _step(self, origin: list[str], other: list[str]) -> None:
        self.refresh()
        if origin:
            self._put(origin[-1])
            other.append(self.text)
            self.text = origin.pop()
            self.version += 1

    def _become(self, text: str) -> None:
        self._undo = [*self._undo, self.text][-_MOST_STEPS:]
        self._redo.clear()
        self.text = text
        self.version += 1

    def _refuse_faults(self, text: str, path: KeyPath) -> None:
        """Refuse a change that makes a problem which was not there before."""
        before = {(problem.key, problem.text) for problem in self.document.problems}
        new = [
            problem
            for problem in self._document_in(text).problems
            if (problem.key, problem.text) not in before
        ]
        if new:
            own = [problem for problem in new if problem.key[: len(path)] == path]
            raise RefusedError("; ".join(problem.text for problem in own or new))

    def _document_in(self, text: str) -> Document[AnySpec]:
        try:
            return self._read_spec(self.path, text)
        except SpecError as fault:
            known = [problem for problem in fault.problems if isinstance(problem, Problem)]
            return Document(None, known or [Problem("", str(fault), (), str(self.path))])

    def _read(self) -> tuple[str, bytes]:
        try:
            content = read_limited(self.path, MAX_BYTES)
            mark = codecs.BOM_UTF8 if content.startswith(codecs.BOM_UTF8) else b""
            return content[len(mark) :].decode("utf-8"), mark
        except UnicodeDecodeError:
            raise OutputError(f"{self.path} is not UTF-8; save it as UTF-8.") from None
        except OSError as fault:
            raise OutputError(f"{self.path} can't be read: {reason(fault)}.") from None

    def _put(self, text: str) -> None:
        if not os.access(self.path, os.W_OK):
            raise OutputError(f"{self.path} is read-only; change its permissions to work on it here.")
        write_file(self.path, self._mark + text.encode("utf-8"))


def problem_facts(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return problems as JSON data, each with the key that it is about and its place in the text."""
    return [
        {"key": list(problem.key), "message": problem.text, "line": problem.line, "column": problem.column}
        for problem in problems
    ]


def _edited(model: type[SpecModel], text: str, change: Change) -> str:
    match change.kind:
        case "set":
            keys = list(_model_at(model, change.path[:-1]))
            return with_value(_with_base(model, text, change.path), change.path, change.value, keys)
        case "merge":
            for key, value in dict(change.value).items():
                text = _edited(model, text, Change("set", (*change.path, key), value))
            return text
        case "unset":
            return without(text, change.path)
        case "order":
            return with_order(text, change.path, change.value)
        case "copy":
            return _with_copy(text, change.path)
    raise EditError(f"{change.kind}: there is no such change")


def _with_copy(text: str, path: KeyPath) -> str:
    """Copy an entry of a list behind itself; a name that it has is followed by a number of its own."""
    entries: Any = parse_yaml(text, "").value
    for step in path[:-1]:
        entries = entries[step]
    index = int(path[-1])
    text = with_order(text, path[:-1], [*range(index + 1), *range(index, len(entries))])
    if not isinstance(entries[index], Mapping) or "name" not in entries[index]:
        return text
    names, stem = {entry.get("name") for entry in entries}, re.sub(r" \d+$", "", entries[index]["name"])
    own = next(name for name in (f"{stem} {number}" for number in count(2)) if name not in names)
    return with_value(text, (*path[:-1], index + 1, "name"), own)


def _with_base(model: type[SpecModel], text: str, path: KeyPath) -> str:
    """Make a named theme the base of a theme of one's own, where one of its keys is set."""
    if len(path) < 2 or not text.strip():
        return text
    named = parse_yaml(text, "").value.get(str(path[0]))
    if isinstance(named, str) and "base" in _model_at(model, path[:1]) and path[1] != "base":
        return with_value(text, (path[0],), {"base": named})
    return text


def _model_at(root: type[SpecModel], path: KeyPath) -> Mapping[str, Any]:
    """Return the fields of the model at a path, in their order; none where a path leads out of the models."""
    model: type[SpecModel] | None = root
    steps: Sequence[str] = [step for step in path if isinstance(step, str)]
    for step in steps:
        field = fields_of(model).get(step) if model else None
        model = model_of(field) if field else None
    return fields_of(model) if model else {}
