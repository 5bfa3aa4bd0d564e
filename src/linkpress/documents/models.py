"""From a YAML document to a frozen pydantic model, with all problems at once, each with its place.

Serves book specs, feeds, themes and printer profiles alike. A document is read in one pass: each
value by its ``ValueReader``; then, from the inside out, what the keys of a model must be to each other.
That pass is our own since pydantic leaves the latter out where one of the keys is wrong. A model
made in a script is checked by the same readers, through pydantic.
"""

from __future__ import annotations

import difflib
import hashlib
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Generic, NamedTuple, Protocol, Self, TypeVar, Union

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, model_validator
from pydantic.fields import FieldInfo

from linkpress.documents.problem import (
    InvalidError,
    KeyPath,
    Problem,
    YamlSource,
    fail_on,
    shown,
)
from linkpress.documents.shipped_files import MAX_PATH, ShippedFiles
from linkpress.documents.values import ValueReader, line_of_text


class Readable(Protocol):
    """Whether keys, given with dots between them (``levels.count``), could be read."""

    def __call__(self, *keys: str) -> bool:
        """All of them; everything in the model if none is given."""
        ...


class SpecModel(BaseModel):
    """Base of every mapping in a YAML file: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=False)

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """What is wrong between keys that are each fine.

        Args:
            readable: to be asked before a required key is used: one that could not be read has no
                value here. Any other that could not has its default.
        """
        yield from ()

    @model_validator(mode="after")
    def _check_in_script(self) -> Self:
        problems = tuple(self.problems(lambda *keys: True))
        if problems:
            raise InvalidError(*problems)
        return self


def _with_a_base_less_is_needed(schema: dict[str, Any]) -> None:
    schema["anyOf"] = [{"required": ["base"]}, {"required": schema.pop("required")}]


class Spec(SpecModel):
    """Base of a whole spec, which knows the document that it was read from."""

    model_config = ConfigDict(json_schema_extra=_with_a_base_less_is_needed)

    base: Annotated[
        str | None,
        line_of_text(MAX_PATH, "path"),
        Field(
            description="Another spec's file, whose keys hold where this one has none: mappings are joined "
            "key by key, lists replaced as a whole; a key without a value takes the base's away."
        ),
    ] = None
    _source: YamlSource = PrivateAttr(default=YamlSource("the spec", {}, {}, {}))

    @property
    def sha256(self) -> str:
        """Of the texts of the file and its bases, in hex; of a script's spec, of the canonical document."""
        text = self.model_dump_json() if self._source.text is None else self._source.text
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def source(self) -> YamlSource:
        """The document, which knows where each key stands; an empty one for a spec made in a script."""
        return self._source

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """A base that nobody reads: ``config.bases`` takes the key out of a document that is a file."""
        if self.base is not None:
            yield Problem(
                self.base, "a base is read with the spec's file, and can't be given here", ("base",)
            )


AnyModel = TypeVar("AnyModel", bound=SpecModel)
AnyMark = TypeVar("AnyMark")


def load_model(path: Path, model: type[AnyModel]) -> AnyModel:
    """Read a YAML file, which messages name as given, into a model.

    Raises:
        SpecError: lists every problem of the file.
    """
    from linkpress.documents.yaml_source import read_yaml  # not needed where options are checked

    return check_model(read_yaml(path), model)


_load_shipped = cache(load_model)


def load_named(name_or_path: str | Path, files: ShippedFiles, model: type[AnyModel]) -> AnyModel:
    """Read a shipped file by its name, or a user's own by its path.

    Args:
        name_or_path: a shipped name goes before a file of the same name.
        files: where such files are shipped.
        model: that the file is read into.
    Returns:
        For a shipped name the same object every time.
    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: lists every problem of the file.
    """
    read = _load_shipped if str(name_or_path) in files.names() else load_model
    found: AnyModel = read(files.find(name_or_path), model)
    return found


def check_model(source: YamlSource, model: type[AnyModel], folder: Path | None = None) -> AnyModel:
    """As ``load_model``, for a document that was read already.

    Args:
        source: the document.
        model: what it must be.
        folder: where files that it names are looked for; None if they need not be there.
    Raises:
        SpecError: lists every problem of the document.
    """
    return read_document(source, model, folder).checked


def _all_are_readable(*keys: str) -> bool:
    return True


class Document(NamedTuple, Generic[AnyModel]):
    """A document as far as it could be read.

    Args:
        model: with its default, or no value, for a key that can't be read; None if the document is no
            mapping.
        problems: of the document, in no order.
        readable: tells what could be read.
    """

    model: AnyModel | None
    problems: Sequence[Problem] = ()
    readable: Readable = _all_are_readable

    @property
    def checked(self) -> AnyModel:
        """The model of a document without faults.

        Raises:
            SpecError: lists every problem.
        """
        fail_on(self.problems)
        if self.model is None:
            raise AssertionError("a document that can't be read always leaves a problem")
        return self.model


def read_document(
    source: YamlSource, model: type[AnyModel], folder: Path | None = None, also: Iterable[Problem] = ()
) -> Document[AnyModel]:
    """As ``check_model``, with what is wrong as data.

    Args:
        also: problems that were found otherwise, to be listed with the rest.
    """
    reading = _Reading(source, folder)
    read = reading.model(model, source.value, ())
    if isinstance(read, Spec):
        read._source = source
    problems = [*source.problems, *also, *_well_placed(source, reading.problems, model, folder)]
    return Document(read, problems, reading.is_readable)


def _well_placed(
    source: YamlSource, problems: Iterable[Problem], model: type[AnyModel], folder: Path | None
) -> Iterator[Problem]:
    """Problems of a document upon a base, those that the base has by itself in the base."""
    if source.base is None:
        yield from problems
        return
    alone = {(one.key, one.found): one for one in read_document(source.base, model, folder).problems}
    for problem in problems:
        of_base = alone.get((problem.key, problem.found))
        if problem.file == source.file:
            yield problem
        elif of_base is not None and of_base.message.startswith(problem.message):
            yield of_base
        else:
            yield source.own_problem(problem)


def read_values(values: Mapping[str, Any], model: type[AnyModel]) -> AnyModel:
    """A model of values given from Python or the command line.

    Args:
        values: as a document has them; None counts as left out.
        model: what they must be.
    Raises:
        InvalidError: has every problem.
    """
    reading = _Reading(YamlSource("", dict(values), {}, {}), None)
    read = reading.model(model, dict(values), ())
    if reading.problems or read is None:
        raise InvalidError(*reading.problems)
    return read


def fields_of(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The model's keys, as written in the file, in the order in which they are documented."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def reads_of(field: FieldInfo) -> ValueReader | None:
    """The reader of a key's value, or None where the value is a mapping or a list of them."""
    return mark_of(field, ValueReader)


def mark_of(field: FieldInfo, kind: type[AnyMark]) -> AnyMark | None:
    """What a key's type is annotated with of this kind, or None."""
    parts = (*field.metadata, *_parts(field.annotation))
    return next((part for part in parts if isinstance(part, kind)), None)


def model_of(field: FieldInfo) -> type[SpecModel] | None:
    """The model of a key whose value is a mapping or a list of mappings, or None."""
    for part in _parts(field.annotation):
        if isinstance(part, type) and issubclass(part, SpecModel):
            return part
    return None


def is_list(field: FieldInfo) -> bool:
    """Whether a key's value is a list, each of whose entries is read for itself."""
    return typing.get_origin(field.annotation) is tuple and reads_of(field) not in field.metadata


def _parts(annotation: object) -> list[object]:
    """An annotation's types and metadata, through unions, tuples and Annotated."""
    origin = typing.get_origin(annotation)
    if origin is None:
        return [annotation]
    if origin in (Union, types.UnionType, tuple, list, Annotated):
        return [part for inner in typing.get_args(annotation) for part in _parts(inner)]
    return []


class _Reading:
    """One pass over a document: each value as far as it can be read, and every problem.

    Args:
        source: the document.
        folder: where files that it names are looked for; None if they need not be there.
    """

    def __init__(self, source: YamlSource, folder: Path | None) -> None:
        self.problems: list[Problem] = []
        self._source = source
        self._folder = folder
        self._unread: list[KeyPath] = []  # keys that could not be read

    def model(self, model: type[AnyModel], value: object, at: KeyPath) -> AnyModel | None:
        """A model whose keys stand at a place of the document; None if no mapping stands there.

        A key that can't be read has its default in it, or no value.
        """
        if not isinstance(value, dict):
            self._add(at, _kind(value), "a mapping, lines of `key: value` set in by two spaces, is needed")
            return None
        fields = fields_of(model)
        for key, inner in value.items():
            if key not in fields and inner is not None:
                self._add((*at, key), "", _unknown(key, list(fields)), at_key=True)
        values: dict[str, Any] = {}
        for key, field in fields.items():
            before = len(self.problems)
            read_value = self._key(field, value.get(key), (*at, key))
            if read_value is not None:
                values[key] = read_value
            elif len(self.problems) > before:
                self._unread.append((*at, key))
        read = model.model_construct(**values)
        for problem in read.problems(lambda *keys: self._are_read(at, keys)):
            self._place(problem, at)
        return read

    def is_readable(self, *keys: str) -> bool:
        """Whether keys of the document could be read, as ``Readable`` takes them."""
        return self._are_read((), keys)

    def _key(self, field: FieldInfo, value: object, at: KeyPath) -> object:
        """The value of a key; None if it is left out or can't be read."""
        reads, inner = reads_of(field), model_of(field)
        try:
            for part in field.metadata:
                if isinstance(part, BeforeValidator):
                    value = part.func(value)  # type: ignore[call-arg]
        except InvalidError as error:
            for problem in error.problems:
                self._place(problem, at)
            return None
        if value is None:
            if field.is_required():
                needed = f"this key is needed: {reads.words}" if reads else "this key is needed"
                self._add(at, "", needed + self._source.lacking_too(at[:-1]))
            return None
        if is_list(field):
            return self._entries(field, value, at)
        read_value = self._entry(reads, inner, value, at)
        for part in field.metadata:
            if isinstance(part, ShippedFiles) and self._folder is not None and isinstance(read_value, str):
                fault = part.fault(read_value, self._folder)
                if fault:
                    self._add(at, read_value, fault)
        return read_value

    def _entries(self, field: FieldInfo, value: object, at: KeyPath) -> object:
        if not isinstance(value, (list, tuple)):
            self._add(at, _kind(value), "a list, each entry beginning with `- `, is needed")
            return None
        for part in field.metadata:
            least = getattr(part, "min_length", 0)
            if len(value) < least:
                needed = "at least one entry, beginning with `- `, is needed"
                found = f"{len(value)} entries" if value else "nothing"
                self._add(at, found, needed if least == 1 else f"{least} are needed")
                return None
            most = getattr(part, "max_length", len(value))
            if len(value) > most:
                self._add(at, f"{len(value)} entries", f"at most {most} are allowed")
                return None
        reads, inner = reads_of(field), model_of(field)
        entries = []
        for place, entry in enumerate(value):
            read = self._entry(reads, inner, entry, (*at, place))
            if read is None:
                self._unread.append((*at, place))
            entries.append(read)
        return tuple(entry for entry in entries if entry is not None)

    def _entry(
        self, reads: ValueReader | None, inner: type[SpecModel] | None, value: object, at: KeyPath
    ) -> object:
        if reads is None:
            return self.model(inner, value, at) if inner else value
        try:
            return reads.read(value)
        except InvalidError as error:
            for problem in error.problems:
                self._place(problem, at)
        return None

    def _are_read(self, at: KeyPath, keys: Sequence[str]) -> bool:
        """Whether nothing that could not be read is one of a model's keys, holds it or is inside it."""
        unread = [_words(path[len(at) :]) for path in self._unread if path[: len(at)] == at]
        asked = [tuple(key.split(".")) for key in keys] or [()]
        return not any(one[: len(other)] == other[: len(one)] for one in unread for other in asked)

    def _place(self, problem: Problem, at: KeyPath) -> None:
        self._add((*at, *problem.key), problem.found, problem.message)

    def _add(self, path: KeyPath, found: str, message: str, *, at_key: bool = False) -> None:
        self.problems.append(self._source.problem(path, found, message, at_key=at_key))


def _words(path: KeyPath) -> tuple[str, ...]:
    """A path without places in lists."""
    return tuple(step for step in path if isinstance(step, str))


def _kind(value: object) -> str:
    kinds = {dict: "a mapping", list: "a list", tuple: "a list"}
    return next((name for kind, name in kinds.items() if isinstance(value, kind)), shown(str(value)))


def _unknown(key: object, known: list[str]) -> str:
    near = difflib.get_close_matches(str(key).lower(), known, n=1, cutoff=0.5)
    if near:
        return f"there is no such key; did you mean `{near[0]}`?"
    return f"there is no such key; allowed here: {', '.join(known)}"
