"""Read YAML documents into frozen pydantic models, and report every problem with its place in the file.

Book specs, feeds, themes and printer profiles are all read in three steps:

1. A document may name another file as its *base*. The keys of the base are merged into the document.
2. ``_DocumentReader`` reads the value of each key with the ``ValueReader`` in the field's annotation.
3. It calls the method ``problems`` of each model, the innermost model first. This method finds keys that
   don't fit together.

Pydantic itself is not used to read documents, because it would skip step 3 as soon as one key is wrong. It
only checks models that a Python script creates, with the same readers.

To add a key, add a field to its model, with a ``ValueReader`` in its annotation and a description below it.
The JSON Schema, the tables in the documentation and the check for unknown keys then include the key. Modules
with models must not use ``from __future__ import annotations``: pydantic would have to compile each
annotation again whenever a command starts.
"""

import ast
import contextlib
import dataclasses
import hashlib
import inspect
import json
import os.path
import re
import sys
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Annotated, Any, Generic, NamedTuple, Self, TypeVar, Union

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    PrivateAttr,
    model_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema

from linkpress.documents.other_names import ENDS, LEVELS, name_table, simple_name, simple_words
from linkpress.documents.problem import (
    InvalidError,
    KeyPath,
    Location,
    Problem,
    YamlSource,
    closest_match,
    key_text,
    listed,
    printable,
    raise_problem,
    raise_problems,
)
from linkpress.documents.shipped_files import (
    MAX_PATH,
    NAME_OR_PATH,
    HoldsPaths,
    ShippedFiles,
    describe_file,
    resolve_name,
)
from linkpress.documents.values import YES, DefaultText, ValueReader, line_of_text, scalar_text, value_text
from linkpress.errors import UsageError
from linkpress.files import is_file, is_folder
from linkpress.version import __version__

BASE_KEY = "base"
MAX_BASES = 10
_FEW_KEYS = 6  # a message about an unknown key lists all allowed keys if there are at most this many
_POSSIBLE = 0.68
_LIKELY = 0.75  # a key is suggested for an unknown name if their similarity, from 0 to 1, is at least this
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


# Function that says whether given keys of a model could be read. A key looks like ``"levels.count"``. Without
# arguments, the function says whether all keys could be read.
Readable = Callable[..., bool]


class SpecModel(BaseModel):
    """Base class of the models for mappings in YAML files. Models are frozen and refuse unknown keys."""

    # With `defer_build`, pydantic compiles its checks only when a script creates a model. Otherwise it would
    # compile them whenever a command starts.
    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, validate_default=False, defer_build=True
    )

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield problems of keys that are valid on their own but not together.

        Args:
            readable: function that says whether keys could be read. Call it before you use a required key,
                because a required key that could not be read is missing from this object. An optional key
                that could not be read has its default.
        """
        yield from ()

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON Schema with the description of each key."""
        json_schema = handler(schema)
        properties = handler.resolve_ref_schema(json_schema)["properties"]
        for key, description in descriptions_of(cls).items():
            properties[key]["description"] = description
        return json_schema

    @model_validator(mode="after")
    def _check_in_script(self) -> Self:
        problems = tuple(self.problems(lambda *keys: True))
        if problems:
            raise InvalidError(*problems)
        return self


def require_less_with_base(schema: dict[str, Any]) -> None:
    """Change the JSON Schema of a spec so that a spec with the key ``base`` may lack all other keys."""
    schema["anyOf"] = [{"required": [BASE_KEY]}, {"required": schema.pop("required")}]


class Spec(SpecModel):
    """Base class of the models for whole specs. A spec keeps the document from which it was read."""

    model_config = ConfigDict(json_schema_extra=require_less_with_base)

    base: Annotated[str | None, line_of_text(MAX_PATH, "path")] = None
    """Another spec whose keys are used wherever this one lacks them. Mappings are merged key by key, and
    lists are replaced as a whole. A key without a value removes the base's value."""
    _source: YamlSource = PrivateAttr(default=YamlSource("the spec", {}, {}, {}))

    @property
    def sha256(self) -> str:
        """SHA-256 of the text of the spec and its base files.

        If a script made the spec, there is no text. Then it is the SHA-256 of the spec as JSON.
        """
        text = self.model_dump_json() if self._source.text is None else self._source.text
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def source(self) -> YamlSource:
        return self._source

    @property
    def folder(self) -> Path:
        return self._source.folder

    def resolve(self, name: str) -> str:
        return resolve_name(name, self.folder)

    def in_folder(self, folder: Path) -> Self:
        """Return a copy of the spec that looks its relative paths up in another folder.

        The paths themselves are not rewritten.
        """
        moved = self.model_copy()
        moved._source = dataclasses.replace(self._source, folder=folder)
        return moved

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Yield a problem if a script has made a spec with the key ``base``.

        Scripts can't use this key. In a spec that is read from a file, the keys of the base have been merged
        into the spec before this check, and the key ``base`` has been removed.
        """
        if self.base is not None:
            message = "a base is only read together with a spec's file; leave it out here"
            yield Problem(self.base, message, (BASE_KEY,))


AnyModel = TypeVar("AnyModel", bound=SpecModel)
Annotation = TypeVar("Annotation")


# Loading


class Document(NamedTuple, Generic[AnyModel]):
    """Result of reading a document.

    Args:
        model: the model, or None if the document is not a mapping. An optional key that could not be read has
            its default value. A required key that could not be read is missing.
        problems: everything that is wrong with the document.
        readable: function that says whether a key could be read.
    """

    model: AnyModel | None
    problems: Sequence[Problem] = ()
    readable: Readable = lambda *keys: True

    def checked(self) -> AnyModel:
        """Return the model; raise ``SpecError`` with all problems if there are any."""
        raise_problems(self.problems)
        # If there is no model, there is a problem that says why, so an error has been raised above.
        assert self.model is not None
        return self.model


def load_model(path: str | Path, model: type[AnyModel]) -> AnyModel:
    """Read a YAML file into a model; raise ``SpecError`` with all its problems."""
    # Import this module here, because not every command reads YAML.
    from linkpress.documents.yaml_source import read_yaml

    return read_document(read_yaml(Path(path)), model).checked()


@cache
def _load_shipped(path: Path, model: type[AnyModel]) -> AnyModel:
    from linkpress.documents.yaml_source import read_shipped

    reader = _DocumentReader(source := read_shipped(path), is_shipped=True)
    return Document(reader.read_model(model, source.value, ()), reader.problems).checked()


def load_named(
    name_or_path: str | Path, files: ShippedFiles, model: type[AnyModel], key: str = ""
) -> AnyModel:
    """Read a shipped file by its name, or a user's own file by its path.

    Args:
        name_or_path: the name of a shipped file, or a path. If both exist, the shipped file is read.
        files: the kind of file.
        model: the model to read the file into.
        key: the spec's key that names the file, for messages.
    Returns:
        The model. Every call for the same shipped file returns the same object.
    Raises:
        UsageError: there is no such shipped file and no such path. The message lists the shipped names.
        SpecError: the file has problems. The message lists all of them.
    """
    read = _load_shipped if str(name_or_path) in files.names() else load_model
    read_model: AnyModel = read(files.find(name_or_path, key), model)
    return read_model


def read_document(
    source: YamlSource, model: type[AnyModel], *, check_files: bool = False, also: Iterable[Problem] = ()
) -> Document[AnyModel]:
    """Read a document into a model, and collect all problems.

    Args:
        source: the document.
        model: the model of the whole document.
        check_files: whether all files that the document names must exist.
        also: problems that were found before. The result lists them too.
    """
    reader = _DocumentReader(source, check_files=check_files)
    read = reader.read_model(model, source.value, ())
    if isinstance(read, Spec):
        read._source = source
    problems = [*source.problems, *also, *_place_in_bases(source, reader.problems, model, check_files)]
    return Document(read, problems, reader.is_readable)


def _place_in_bases(
    source: YamlSource, problems: Iterable[Problem], model: type[AnyModel], check_files: bool
) -> Iterator[Problem]:
    """Set the file and line of each problem.

    A problem is placed in a base file if this file alone causes it, and in the spec's own file otherwise.
    """
    if source.base is None:
        yield from problems
        return
    read = read_document(source.base, model, check_files=check_files)
    of_base = {(each.key, each.found): each for each in read.problems}
    for problem in problems:
        same = of_base.get((problem.key, problem.found))
        if problem.file == source.file:
            yield problem
        elif same is not None and same.message.startswith(problem.message):
            yield same
        else:
            yield source.problem_here(problem)


def read_values(values: Mapping[str, Any], model: type[AnyModel]) -> AnyModel:
    """Read a mapping into a model. The places of its keys in a file need not be known.

    Raises:
        InvalidError: keys or values of the mapping are wrong. The error lists all problems.
    """
    read, problems, _ = read_document(YamlSource("", dict(values), {}, {}), model)
    if problems or read is None:
        raise InvalidError(*problems)
    return read


def name_or_keys(
    model: type[SpecModel], words: str, find: Callable[[str], object] = str, *, partly: bool = False
) -> ValueReader:
    """Return the ``ValueReader`` of a key whose value is the name or path of a file, or a mapping.

    The mapping has the same keys as a file of this kind.

    Args:
        model: the model of the mapping.
        words: a description of the allowed values for messages.
        find: function that turns a name or path into the value, or raises ``InvalidError``.
        partly: whether a mapping is written back with only the keys that the user has given. If not, it is
            written with the defaults of all other keys.
    """

    def read(value: object) -> object:
        if isinstance(value, model):
            return value
        if isinstance(value, Mapping):
            return read_values(value, model)
        return find(NAME_OR_PATH.read(scalar_text(value, words)))

    def write(value: str | SpecModel) -> object:
        if isinstance(value, str):
            return value
        return value.model_dump(mode="json", exclude_none=True, exclude_unset=partly)

    path = {"type": "string", "minLength": 1, "maxLength": MAX_PATH}
    return ValueReader(read, words, {"anyOf": [path, {"type": "object"}]}, write)


class _DocumentReader:
    """Reader of a document. It continues after each problem, and collects all problems."""

    def __init__(self, source: YamlSource, *, check_files: bool = False, is_shipped: bool = False) -> None:
        self.problems: list[Problem] = []
        self._is_shipped = is_shipped
        self._source = source
        self._check_files = check_files
        self._unreadable: list[KeyPath] = []
        self._root: type[SpecModel] | None = None

    def read_model(self, model: type[AnyModel], value: object, path: KeyPath) -> AnyModel | None:
        """Read the mapping at a key path into a model; return None if the value is not a mapping."""
        if not isinstance(value, dict):
            needed = "a mapping, lines of `key: value` set in by two spaces, is needed"
            self._add(path, value_text(value), needed)
            return None
        fields = fields_of(model)
        unknown = [key for key, inner in value.items() if key not in fields and inner is not None]
        if self._root is None:
            self._root = model
            lacks_keys = any(field.is_required() and key not in value for key, field in fields.items())
            other_kind = describe_file(self._source.file, unknown) if unknown and lacks_keys else None
            if other_kind:
                self._add((), "", other_kind)
                return None
        for key in unknown:
            self._add((*path, key), "", _unknown(key, value, model, path, self._root), at_key=True)
        values: dict[str, Any] = {}
        for key, field in fields.items():
            count_before = len(self.problems)
            read_value = self._read_key(field, value.get(key), (*path, key))
            if read_value is not None:
                values[key] = read_value
            elif len(self.problems) > count_before:
                self._unreadable.append((*path, key))
        read = model.model_construct(**values)
        # Skip these checks for files that are part of linkpress, because a test has checked all of them. The
        # words file of a language is then read in 6 ms instead of 30 ms.
        if not self._is_shipped:
            for problem in read.problems(lambda *keys: self._are_readable(path, keys)):
                self._place(problem, path)
        return read

    def is_readable(self, *keys: str) -> bool:
        return self._are_readable((), keys)

    def _read_key(self, field: FieldInfo, value: object, path: KeyPath) -> object:
        """Read the value of a key; return None if the value is missing or can't be read."""
        if before := annotation_of(field, BeforeValidator):
            try:
                value = before.func(value)
            except InvalidError as error:
                self._place_all(error, path)
                return None
        if value is None:
            if field.is_required():
                needed = "this key is needed" + (f": {reader.words}" if (reader := reader_of(field)) else "")
                self._add(path, "", needed + self._source.missing_in_bases(path[:-1]))
            return None
        if is_list(field):
            return self._read_entries(field, value, path)
        read_value = self._read_entry(field, value, path)
        files = annotation_of(field, ShippedFiles)
        if files and self._check_files and isinstance(read_value, str):
            message = files.problem_with(read_value, self._source.folder)
            if message:
                self._add(path, read_value, message)
        return read_value

    def _read_entries(self, field: FieldInfo, value: object, path: KeyPath) -> object:
        if not isinstance(value, (list, tuple)):
            self._add(path, value_text(value), "a list, each entry beginning with `- `, is needed")
            return None
        least, most = _length_limits(field)
        if len(value) < least:
            needed = "at least one entry, beginning with `- `, is needed"
            count = f"{len(value)} entries" if value else "nothing"
            self._add(path, count, needed if least == 1 else f"{least} are needed")
            return None
        if most is not None and len(value) > most:
            self._add(path, f"{len(value)} entries", f"at most {most} are allowed")
            return None
        entries = []
        for index, entry in enumerate(value):
            read = self._read_entry(field, entry, (*path, index))
            if read is None:
                self._unreadable.append((*path, index))
            else:
                entries.append(read)
        return tuple(entries)

    def _read_entry(self, field: FieldInfo, value: object, path: KeyPath) -> object:
        reader = reader_of(field)
        if reader is None:
            inner = model_of(field)
            return self.read_model(inner, value, path) if inner else value
        try:
            return reader.read(value)
        except InvalidError as error:
            self._place_all(error, path)
        return None

    def _are_readable(self, path: KeyPath, keys: Sequence[str]) -> bool:
        """Return whether all the given keys of the model at ``path`` could be read.

        A key counts as readable only if its whole value could be read, including any keys inside this value.
        All mappings that contain the key must have been readable too.

        Args:
            path: the key path of the model.
            keys: the keys, as dotted paths below ``path``. If there are none, all keys of the
                model are meant.
        """
        depth = len(path)
        below = [other[depth:] for other in self._unreadable if other[:depth] == path]
        unreadable = [tuple(step for step in other if isinstance(step, str)) for other in below]
        needed = [tuple(key.split(".")) for key in keys] or [()]
        return not any(other[: len(key)] == key[: len(other)] for other in unreadable for key in needed)

    def _place_all(self, error: InvalidError, path: KeyPath) -> None:
        for problem in error.problems:
            self._place(problem, path)

    def _place(self, problem: Problem, path: KeyPath) -> None:
        self._add((*path, *problem.key), problem.found, problem.message)

    def _add(self, path: KeyPath, found: str, message: str, *, at_key: bool = False) -> None:
        self.problems.append(self._source.problem(path, found, message, at_key=at_key))


_ENDS_OF_DATES = re.compile(r"(start|end|begin|from|to|until|first|last) [0-9]+[-./][0-9]+[-./][0-9]+")


def _length_limits(field: FieldInfo) -> tuple[int, int | None]:
    limits: dict[str, Any] = {"min_length": 0, "max_length": None}
    for part in field.metadata:
        limits |= {name: getattr(part, name) for name in limits if hasattr(part, name)}
    return limits["min_length"] or 0, limits["max_length"]


def _unknown(
    key: str, mapping: Mapping[str, Any], model: type[SpecModel], path: KeyPath, root: type[SpecModel]
) -> str:
    """Return the message about an unknown key. It suggests the key that the user probably meant, if any.

    Args:
        key: the unknown key.
        mapping: the mapping that contains the key.
        model: the model of the mapping.
        path: the key path of the mapping.
        root: the model of the whole document.
    """
    table, keys = name_table(), fields_of(model)
    place = next((str(step) for step in reversed(path) if isinstance(step, str)), "")
    known = {simple_name(name): name for name in keys}
    is_book = not {"levels", "week"}.isdisjoint(fields_of(root))
    if is_book and _ENDS_OF_DATES.fullmatch(f"{simple_name(key)} {mapping.get(key)}"):
        key = "start date"  # with a date, `start` and `end` mean the days of a feed
    if is_book and (sentence := table.refusal(key, place)):
        return f"there is no such key: {sentence}"
    if near := closest_match(simple_name(key), known, cutoff=_LIKELY):
        if is_book and near == simple_name(key) and known[near] in mapping:
            return f"`{known[near]}` is given here too; keep one of them"
        return f"there is no such key; did you mean `{known[near]}`?"
    where = [LEVELS] if "paths" in keys else [place] if place not in ("", "page") else [place, "", LEVELS]
    if is_book and (sentence := table.refusal_in(key)):
        return f"there is no such key: {sentence}"
    targets = [[str(step) for step in path if step not in ENDS] for path, _ in table.targets(key, where)]
    value = mapping.get(key)
    # Hardly any key of a level takes a mapping, "yes" or "no" as its value. If the unknown key has such a
    # value, the user probably doesn't mean a key of a level. So the message doesn't suggest such a key.
    of_level = not isinstance(value, Mapping) and table.yes_or_no(str(value)) is None
    meant = dict.fromkeys(
        f"`{target[1]}` of a level" if target[0] == LEVELS and len(target) > 1 else f"`{'.'.join(target)}`"
        for target in targets
        if target[0] in fields_of(root) and (target[0] != LEVELS or of_level)
    )
    if meant:
        return f"this means {listed(list(meant)[:3], 'or')}: write that once, with a value that it takes"
    if near := closest_match(simple_name(key), known, cutoff=_POSSIBLE):
        return f"there is no such key; did you mean `{known[near]}`?"
    if part_meant := _part_meant(key, where[0], known):
        return f"linkpress has no such key; the nearest is `{part_meant}`"
    everywhere = {name.rpartition(".")[2]: name for name in _key_names(root, "")}
    if near := closest_match(key, everywhere, cutoff=_LIKELY):
        return f"there is no such key here; did you mean `{everywhere[near]}`?"
    if nearest := _nearest(key, keys):
        return f"linkpress has no such key; the nearest is `{nearest}`"
    if len(keys) <= _FEW_KEYS:
        return f"there is no such key; allowed here: {', '.join(keys)}"
    return "linkpress has no such key, so leave it out"


def _part_meant(key: str, place: str, known: Mapping[str, str]) -> str:
    """Find a word or several words of an unknown key that name a known key, and return the known key.

    For example, the result for ``chief_artist`` is ``author``, because "artist" is another name of this key.
    If several parts of the unknown key name known keys, the longest part decides. If none does, the result
    is empty.

    Args:
        key: the unknown key.
        place: the key of the mapping that contains the unknown key; empty at the top of a document.
        known: maps the normalized name of each key of this mapping, such as ``pagesize``, to the key.
    """
    words = simple_words(key)
    for length in range(len(words) - 1, 0, -1):
        for start in range(len(words) - length + 1):
            part = words[start : start + length]
            if "".join(part) in known:
                return known["".join(part)]
            for path, _ in name_table().targets(" ".join(part), [place]):
                keys = [str(step) for step in path if step not in ENDS]
                return ".".join(keys[1:] if keys[0] == place else keys)
    return ""


def _nearest(key: str, keys: Iterable[str]) -> str | None:
    """Return the first known key that shares a word with an unknown key; None if there is none."""
    words = set(simple_words(key))
    return next((name for name in keys if not words.isdisjoint(simple_words(name))), None)


def _key_names(model: type[SpecModel], above: str) -> Iterator[str]:
    """Yield the path of every key in a model and in its inner models. Keys of inner models come first."""
    for key, field in fields_of(model).items():
        inner = model_of(field)
        if inner is not None and reader_of(field) is None:
            yield from _key_names(inner, f"{above}{key}{'[]' if is_list(field) else ''}.")
    yield from (above + key for key in fields_of(model))


# Model fields


@cache
def fields_of(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


@cache
def _class_bodies(module: str) -> dict[str, list[ast.stmt]]:
    """Return the statements of each class in an imported module, by the name of the class."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {node.name: node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


@cache
def descriptions_of(model: type[SpecModel]) -> Mapping[str, str]:
    """Return the description of each key: the docstring below its field, or the field's ``description``."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        # Skip classes that were made by create_model, because they have no source text. Their names begin
        # with an underscore.
        if issubclass(base, SpecModel) and not base.__name__.startswith("_"):
            for field, text in pairwise(_class_bodies(base.__module__)[base.__name__]):
                match field, text:
                    case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(
                        value=ast.Constant(value=str(words))
                    ):
                        texts[name] = " ".join(words.split())
    return {
        field.alias or name: field.description or texts[name]
        for name, field in model.model_fields.items()
        if field.description or name in texts
    }


@cache
def annotation_of(field: FieldInfo, kind: type[Annotation]) -> Annotation | None:
    """Return the first annotation of the class ``kind`` in the type of a field; None if there is none."""
    parts = (*field.metadata, *_parts(field.annotation))
    return next((part for part in parts if isinstance(part, kind)), None)


def reader_of(field: FieldInfo) -> ValueReader | None:
    return annotation_of(field, ValueReader)


@cache
def model_of(field: FieldInfo) -> type[SpecModel] | None:
    """Return the model of a field whose value is a mapping or a list of mappings; None for other fields."""
    for part in _parts(field.annotation):
        if isinstance(part, type) and issubclass(part, SpecModel):
            return part
    return None


def fields_at(root: type[SpecModel], path: KeyPath = ()) -> Mapping[str, FieldInfo]:
    """Return the fields of the mapping at a key path, in the order in which its class has them.

    The result is empty if the user can choose the mapping's keys freely, because then it has no class.
    """
    model: type[SpecModel] | None = root
    for step in path:
        if isinstance(step, str):
            field = fields_of(model).get(step) if model else None
            model = model_of(field) if field else None
    return fields_of(model) if model else {}


@cache
def is_list(field: FieldInfo) -> bool:
    return typing.get_origin(field.annotation) is tuple and reader_of(field) not in field.metadata


def _parts(annotation: object) -> list[object]:
    origin = typing.get_origin(annotation)
    if origin is None:
        return [annotation]
    if origin in (Union, types.UnionType, tuple, list, Annotated):
        return [part for inner in typing.get_args(annotation) for part in _parts(inner)]
    return []


# Bases


def read_with_base(
    path: Path,
    model: type[SpecModel],
    text: str | None = None,
    prepare: Callable[[YamlSource, type[SpecModel]], YamlSource] = lambda source, _: source,
) -> YamlSource:
    """Read a spec's file, and merge the keys of its base file, of the base of that file, and so on.

    Relative paths in a base file start from the folder of this file. They are rewritten so that they start
    from the spec's folder and name the same files. Each key keeps its place in its own file, for messages.

    Args:
        path: the spec's file.
        model: the model of the spec. Its annotations say which values are paths.
        text: a text to read instead of the file's content.
        prepare: function that changes the document of each file before the documents are merged. Its
            arguments are the document and the model.
    Raises:
        SpecError: a file can't be read, a base doesn't exist, or the bases name one another in a circle.
    """
    return _read_with_base(path, model, prepare, (), text)


def _read_with_base(
    path: Path,
    model: type[SpecModel],
    prepare: Callable[[YamlSource, type[SpecModel]], YamlSource],
    above: tuple[Path, ...],
    text: str | None = None,
) -> YamlSource:
    from linkpress.documents.yaml_source import (  # import it here, because not every command reads YAML
        parse_yaml,
        read_yaml,
    )

    source = read_yaml(path) if text is None else parse_yaml(text, str(path))
    name = source.value.get(BASE_KEY)
    own = {key: value for key, value in source.value.items() if key != BASE_KEY}
    prepared = prepare(dataclasses.replace(source, value=own), model)
    if name is None:
        return prepared
    if not isinstance(name, str):
        raise_problem(source.problem((BASE_KEY,), "", "the path of one other spec's file is needed"))
    chain, base_path = (*above, path), path.parent / name
    if not is_file(base_path):
        raise_problem(source.problem((BASE_KEY,), name, _why_no_file(base_path)))
    if os.path.realpath(base_path) in [os.path.realpath(file) for file in chain]:
        circle = " → ".join(printable(str(file)) for file in (*chain, base_path))
        raise_problem(source.problem((BASE_KEY,), name, f"the bases go round in a circle: {circle}"))
    if len(chain) > MAX_BASES:
        message = f"this is base number {len(chain)} in a row; at most {MAX_BASES} are allowed"
        raise_problem(source.problem((BASE_KEY,), name, message))
    base = _read_with_base(base_path, model, prepare, chain)
    folder = PurePath(name).parent
    if folder != PurePath():
        value = _rebase(base.value, model, folder)
        base = dataclasses.replace(base, value=value, folder=source.folder)
    return _merge_sources(prepared, base)


def _why_no_file(path: Path) -> str:
    if is_folder(path):
        return "this is a folder; a YAML file is needed"
    with contextlib.suppress(OSError):
        if path.exists():
            return "this is a pipe or a device; a YAML file is needed"
    name = printable(str(path), 300)
    return f"there is no file {name}; paths start from the folder of the file in which they are written"


def _rebase(value: Any, model: type[SpecModel], folder: PurePath) -> Any:
    """Return the document of a base file with the base file's folder in front of each relative path.

    The paths then start from the folder of the file that names the base file.

    Args:
        value: the document, or a part of it.
        model: the model of the document or part. Its annotations say which values are paths.
        folder: the folder of the base file, relative to the folder of the file that names it as its base.
    """
    if not isinstance(value, dict):
        return value
    fields = fields_of(model)
    rebased = {}
    for key, inner in value.items():
        if key not in fields:
            rebased[key] = inner
        elif key == "editions" and isinstance(inner, dict):
            # The value maps the name of each edition to a mapping of its own. This inner mapping has keys of
            # a book's spec, so the same model says which of its values are paths.
            rebased[key] = {name: _rebase(keys, model, folder) for name, keys in inner.items()}
        else:
            rebased[key] = _rebase_key(inner, fields[key], folder)
    return rebased


def _rebase_key(value: Any, field: FieldInfo, folder: PurePath) -> Any:
    inner, paths = model_of(field), annotation_of(field, HoldsPaths)
    if paths and isinstance(value, str):
        return paths.rebase(value, folder)
    if inner and is_list(field) and isinstance(value, list):
        return [_rebase(entry, inner, folder) for entry in value]
    return _rebase(value, inner, folder) if inner else value


def _merge_sources(source: YamlSource, base: YamlSource) -> YamlSource:
    value = merge(base.value, source.value)
    from_base = set(_unchanged_paths(value, base.value, ()))

    def merge_places(
        below: Mapping[KeyPath, Location], above: Mapping[KeyPath, Location]
    ) -> dict[KeyPath, Location]:
        remaining = {path: place for path, place in below.items() if _is_within(path, from_base)}
        return {**remaining, **above}

    return YamlSource(
        file=source.file,
        value=value,
        places=merge_places(base.places, source.places),
        key_places=merge_places(base.key_places, source.key_places),
        problems=(*source.problems, *base.problems),
        text=f"{source.text}{base.text}",
        base=base,
        folder=source.folder,
        typed={**base.typed, **source.typed},
        notes=(*source.notes, *(f"{printable(base.file)}: {note}" for note in base.notes)),
    )


def _unchanged_paths(merged: Any, old: Any, path: KeyPath) -> Iterator[KeyPath]:
    """Yield the key paths whose values come unchanged from the old document.

    If a whole mapping or list is unchanged, only its own path is yielded, and not the paths inside it.
    """
    if merged is old:
        yield path
    elif isinstance(merged, dict) and isinstance(old, dict):
        for key, value in old.items():
            yield from _unchanged_paths(merged[key], value, (*path, key))


def _is_within(path: KeyPath, roots: set[KeyPath]) -> bool:
    return any(path[:length] in roots for length in range(len(path) + 1))


def merge(old: Any, new: Any, path: KeyPath = ()) -> Any:
    """Merge a new value into an old value. Mappings are merged key by key; other values are replaced.

    Args:
        old: the value in a base file, or in a saved spec.
        new: the new value. To change single entries of an old list, give a mapping from the index of each
            entry to its new value. An entry whose new value is None is removed. Entries may be added at the
            end of the list.
        path: the key path of the value, for messages.
    Raises:
        UsageError: an index leaves a gap after the end of the list.
    """
    if isinstance(new, Mapping) and isinstance(old, list) and all(isinstance(index, int) for index in new):
        return _merge_entries(old, new, path)
    if isinstance(new, Mapping) and isinstance(old, dict):
        return {**old, **{key: merge(old.get(key), value, (*path, key)) for key, value in new.items()}}
    if isinstance(old, dict) and isinstance(new, (str, bool)) and str(new).lower() in YES:
        return old  # `cover: yes` means that the keys of the cover in the base file are kept
    return new


def _merge_entries(old: list[Any], new: Mapping[int, Any], path: KeyPath) -> list[Any]:
    entries = dict(enumerate(old))
    for index in sorted(new):
        if index > len(entries):
            raise UsageError(
                f"{key_text((*path, index))}: there is no such entry. There are {len(old)}, counted from "
                "[0]; new ones follow the last, without a gap."
            )
        entries[index] = merge(entries.get(index), new[index], (*path, index))
    return [entry for index, entry in entries.items() if new.get(index, entry) is not None]


# Documentation


def schema_text(model: type[BaseModel], title: str) -> str:
    """Return the JSON Schema of the files that have this model at their root.

    The schema's id contains the version of linkpress.
    """
    schema = model.model_json_schema()
    if issubclass(model, SpecModel):
        schema = _tidy(schema)
    name = f"urn:linkpress:{model.__name__}:{__version__}"
    whole = {"$schema": _DIALECT, "$id": name, "title": title, **schema}
    return json.dumps(whole, ensure_ascii=False, indent=2) + "\n"


def default_words(field: FieldInfo) -> str:
    """Return the default of a key as text for the documentation."""
    if text := annotation_of(field, DefaultText):
        words: str = text.words
        return words
    if field.is_required():
        return "required"
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    if field.default is None or field.default == ():
        return "–"
    return f"`{_write_default(field)}`"


def _write_default(field: FieldInfo) -> object:
    reader = reader_of(field)
    if isinstance(field.default, StrEnum) or reader is None:
        return getattr(field.default, "value", field.default)
    if is_list(field):
        return f"[{', '.join(str(reader.write(entry)) for entry in field.default)}]"
    return reader.write(field.default)


def _tidy(node: Any) -> Any:
    """Return a JSON Schema without the titles that pydantic adds, and without null as an allowed value.

    Null need not be allowed: a key without a value counts as missing, so optional keys are left out instead.
    """
    if isinstance(node, list):
        return [_tidy(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        node = {**kinds[0], **{key: value for key, value in node.items() if key != "anyOf"}}
    return {
        key: {name: _tidy(inner) for name, inner in value.items()} if key == "properties" else _tidy(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None)
    }
