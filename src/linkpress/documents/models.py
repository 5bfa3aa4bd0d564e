"""This module reads a YAML document into a frozen pydantic model, with all problems and their places.

Book specs, feeds, themes and printer profiles are read alike. One pass reads each value by its
``ValueReader``; then, from the inside out, each model's ``problems`` checks what its keys must be to one
another. The pass is our own since pydantic skips such checks where one of the keys is wrong. A model that
a script makes is checked by the same readers, through pydantic.

To add a key, add a field to its model, with the reader in its annotation and its meaning as a text below it;
the schema, the tables of keys and the check of unknown keys follow from it. Modules of models don't
postpone annotations, since pydantic compiles and evaluates each that is a text whenever a command starts.
"""

import ast
import contextlib
import dataclasses
import hashlib
import inspect
import json
import os.path
import textwrap
import types
import typing
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Annotated, Any, Generic, NamedTuple, Protocol, Self, TypeVar, Union

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
from linkpress.documents.shipped_files import MAX_PATH, NAME_OR_PATH, HoldsPaths, ShippedFiles, describe_file
from linkpress.documents.values import YES, DefaultText, ValueReader, line_of_text, scalar_text
from linkpress.errors import UsageError
from linkpress.files import is_file, is_folder


class Readable(Protocol):
    """A function of this kind tells whether keys, dotted as ``levels.count``, could be read."""

    def __call__(self, *keys: str) -> bool:
        """Tell it of all these keys; of everything in the model if none is given."""
        ...


class SpecModel(BaseModel):
    """Every mapping in a YAML file is such a model: it is frozen and takes no unknown keys."""

    # What pydantic needs to check a script's model is built when one is made, not whenever a command starts.
    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, validate_default=False, defer_build=True
    )

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Find what is wrong between keys that are each fine.

        Args:
            readable: must be asked before a required key is used, since a required key that could not be
                read has no value here. Any other key that could not be read has its default.
        """
        yield from ()

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Return the JSON Schema, in which each key has its meaning."""
        found = handler(schema)
        properties = handler.resolve_ref_schema(found)["properties"]
        for key, meaning in descriptions_of(cls).items():
            properties[key]["description"] = meaning
        return found

    @model_validator(mode="after")
    def _check_in_script(self) -> Self:
        problems = tuple(self.problems(lambda *keys: True))
        if problems:
            raise InvalidError(*problems)
        return self


def _require_less_with_base(schema: dict[str, Any]) -> None:
    schema["anyOf"] = [{"required": ["base"]}, {"required": schema.pop("required")}]


class Spec(SpecModel):
    """A whole spec is such a model; it knows the document that it was read from."""

    model_config = ConfigDict(json_schema_extra=_require_less_with_base)

    base: Annotated[str | None, line_of_text(MAX_PATH, "path")] = None
    """Another spec's file, whose keys hold where this one has none: mappings are joined key by key, lists
    replaced as a whole; a key without a value takes the base's away."""
    _source: YamlSource = PrivateAttr(default=YamlSource("the spec", {}, {}, {}))

    @property
    def sha256(self) -> str:
        """Return the digest of the text and its bases'; for a script's spec, of the canonical document."""
        text = self.model_dump_json() if self._source.text is None else self._source.text
        return hashlib.sha256(text.encode()).hexdigest()

    @property
    def source(self) -> YamlSource:
        """Return the document, which knows where each key stands; a script's spec has an empty one."""
        return self._source

    def problems(self, readable: Readable) -> Iterator[Problem]:
        """Refuse a base that nobody reads: ``documents.bases`` takes the key out of a file's document."""
        if self.base is not None:
            yield Problem(
                self.base, "a base is read with the spec's file, and can't be given here", ("base",)
            )


@dataclass(frozen=True)
class NestedSpecKeys:
    """This annotates a key whose value maps names to keys of the whole spec that it stands in."""


@dataclass(frozen=True)
class Synonyms:
    """This annotates a key that beginners call otherwise; those names are answered with the key's own."""

    names: tuple[str, ...]

    def __init__(self, *names: str) -> None:
        object.__setattr__(self, "names", names)


AnyModel = TypeVar("AnyModel", bound=SpecModel)
Annotation = TypeVar("Annotation")


def load_model(path: Path, model: type[AnyModel]) -> AnyModel:
    """Read a YAML file, named as messages have it, into a model; raise ``SpecError`` with all problems."""
    from linkpress.documents.yaml_source import read_yaml  # not needed where options are checked

    return read_document(read_yaml(path), model).checked()


@cache
def _load_shipped(path: Path, model: type[AnyModel]) -> AnyModel:
    from linkpress.documents.yaml_source import read_shipped

    reader = _DocumentReader(source := read_shipped(path), None, is_shipped=True)
    return Document(reader.model(model, source.value, ()), reader.problems).checked()


def load_named(
    name_or_path: str | Path, files: ShippedFiles, model: type[AnyModel], key: str = ""
) -> AnyModel:
    """Read a shipped file by its name, or a user's own by its path.

    Args:
        name_or_path: a shipped name goes before a file of the same name.
        key: of the spec, that names it, for messages.
    Returns:
        The model, which is the same object every time for a shipped name.
    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: lists every problem of the file.
    """
    read = _load_shipped if str(name_or_path) in files.names() else load_model
    found: AnyModel = read(files.find(name_or_path, key), model)
    return found


class Document(NamedTuple, Generic[AnyModel]):
    """A document holds what could be read of a file.

    Args:
        model: what was read; a key that can't be read has its default in it, or no value. None if the
            document is no mapping.
    """

    model: AnyModel | None
    problems: Sequence[Problem] = ()
    readable: Readable = lambda *keys: True

    def checked(self) -> AnyModel:
        """Return the model of a document without faults; raise ``SpecError`` with all of them."""
        raise_problems(self.problems)
        assert self.model is not None  # a document that can't be read always leaves a problem
        return self.model


def read_document(
    source: YamlSource, model: type[AnyModel], folder: Path | None = None, also: Iterable[Problem] = ()
) -> Document[AnyModel]:
    """Read a document into a model, with what is wrong as data.

    Args:
        folder: where files that it names are looked for; None if they need not be there.
        also: problems that were found otherwise, to be listed with the rest.
    """
    reader = _DocumentReader(source, folder)
    read = reader.model(model, source.value, ())
    if isinstance(read, Spec):
        read._source = source
    problems = [*source.problems, *also, *_well_placed(source, reader.problems, model, folder)]
    return Document(read, problems, reader.is_readable)


def _well_placed(
    source: YamlSource, problems: Iterable[Problem], model: type[AnyModel], folder: Path | None
) -> Iterator[Problem]:
    """Place the problems of a document upon a base: those that the base has by itself stand in the base."""
    if source.base is None:
        yield from problems
        return
    alone = {(base.key, base.found): base for base in read_document(source.base, model, folder).problems}
    for problem in problems:
        of_base = alone.get((problem.key, problem.found))
        if problem.file == source.file:
            yield problem
        elif of_base is not None and of_base.message.startswith(problem.message):
            yield of_base
        else:
            yield source.problem_here(problem)


def read_values(values: Mapping[str, Any], model: type[AnyModel]) -> AnyModel:
    """Read values as a document has them into a model; raise ``InvalidError`` with every problem."""
    read, problems, _ = read_document(YamlSource("", dict(values), {}, {}), model)
    if problems or read is None:
        raise InvalidError(*problems)
    return read


def name_or_keys(
    model: type[SpecModel], words: str, find: Callable[[str], object] = str, *, partly: bool = False
) -> ValueReader:
    """Return the reader of a file's name or path, or of the keys that such a file has.

    Args:
        find: turns the name or path into the value, or raises ``InvalidError``.
        partly: whether keys that are left out are left out again where the value is written.
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


@cache
def fields_of(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """Return the model's keys, as written in the file, in the order in which they are documented."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


@cache
def descriptions_of(model: type[SpecModel]) -> Mapping[str, str]:
    """Return what each key means: the text that stands below its field, or the field's description."""
    texts: dict[str, str] = {}
    for base in reversed(model.__mro__):
        # One that is made from a list has no text.
        if issubclass(base, SpecModel) and not base.__name__.startswith("_"):
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            for field, text in pairwise(getattr(tree, "body", ())):
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
def reader_of(field: FieldInfo) -> ValueReader | None:
    """Return the reader of a key's value, or None where the value is a mapping or a list of mappings."""
    return annotation_of(field, ValueReader)


def annotation_of(field: FieldInfo, kind: type[Annotation]) -> Annotation | None:
    """Return the annotation of this kind that a key's type has, or None."""
    parts = (*field.metadata, *_parts(field.annotation))
    return next((part for part in parts if isinstance(part, kind)), None)


@cache
def _of_kind(field: FieldInfo, kind: type[Annotation]) -> list[Annotation]:
    return [part for part in field.metadata if isinstance(part, kind)]


@cache
def model_of(field: FieldInfo) -> type[SpecModel] | None:
    """Return the model of a key whose value is a mapping or a list of mappings, or None."""
    for part in _parts(field.annotation):
        if isinstance(part, type) and issubclass(part, SpecModel):
            return part
    return None


@cache
def is_list(field: FieldInfo) -> bool:
    """Tell whether a key's value is a list whose entries are each read by themselves."""
    return typing.get_origin(field.annotation) is tuple and reader_of(field) not in field.metadata


def _parts(annotation: object) -> list[object]:
    origin = typing.get_origin(annotation)
    if origin is None:
        return [annotation]
    if origin in (Union, types.UnionType, tuple, list, Annotated):
        return [part for inner in typing.get_args(annotation) for part in _parts(inner)]
    return []


class _DocumentReader:
    """A reader goes once over a document, reads each value as far as it can, and keeps every problem."""

    def __init__(self, source: YamlSource, folder: Path | None, is_shipped: bool = False) -> None:
        self.problems: list[Problem] = []
        self._is_shipped = is_shipped
        self._source = source
        self._folder = folder
        self._unread: list[KeyPath] = []  # keys that could not be read
        self._root: type[SpecModel] | None = None  # the document's model

    def model(self, model: type[AnyModel], value: object, path: KeyPath) -> AnyModel | None:
        """Read the model whose keys stand at a path; None if no mapping stands there."""
        if not isinstance(value, dict):
            self._add(path, _kind(value), "a mapping, lines of `key: value` set in by two spaces, is needed")
            return None
        fields = fields_of(model)
        unknown = [key for key, inner in value.items() if key not in fields and inner is not None]
        if (
            unknown
            and self._root is None
            and any(field.is_required() and key not in value for key, field in fields.items())
        ):
            other = describe_file(self._source.file, unknown)
            if other:
                self._add((), "", other)
                return None
        self._root = self._root or model
        for key in unknown:
            self._add((*path, key), "", _unknown(key, model, self._root), at_key=True)
        values: dict[str, Any] = {}
        for key, field in fields.items():
            before = len(self.problems)
            read_value = self._key(field, value.get(key), (*path, key))
            if read_value is not None:
                values[key] = read_value
            elif len(self.problems) > before:
                self._unread.append((*path, key))
        read = model.model_construct(**values)
        if not self._is_shipped:  # whose tests ask this; of a language it took 24 of 30 ms
            for problem in read.problems(lambda *keys: self._are_read(path, keys)):
                self._place(problem, path)
        return read

    def is_readable(self, *keys: str) -> bool:
        """Tell whether keys of the document could be read, as ``Readable`` does."""
        return self._are_read((), keys)

    def _key(self, field: FieldInfo, value: object, path: KeyPath) -> object:
        """Read the value of a key; None if it is left out or can't be read."""
        try:
            for part in _of_kind(field, BeforeValidator):
                value = part.func(value)
        except InvalidError as error:
            for problem in error.problems:
                self._place(problem, path)
            return None
        if value is None:
            if field.is_required():
                needed = "this key is needed" + (f": {reader.words}" if (reader := reader_of(field)) else "")
                self._add(path, "", needed + self._source.missing_in_bases(path[:-1]))
            return None
        if is_list(field):
            return self._entries(field, value, path)
        read_value = self._entry(reader_of(field), model_of(field), value, path)
        for part in _of_kind(field, ShippedFiles):
            if self._folder is not None and isinstance(read_value, str):
                fault = part.fault(read_value, self._folder)
                if fault:
                    self._add(path, read_value, fault)
        return read_value

    def _entries(self, field: FieldInfo, value: object, path: KeyPath) -> object:
        if not isinstance(value, (list, tuple)):
            self._add(path, _kind(value), "a list, each entry beginning with `- `, is needed")
            return None
        for part in field.metadata:
            least = getattr(part, "min_length", 0)
            if len(value) < least:
                needed = "at least one entry, beginning with `- `, is needed"
                found = f"{len(value)} entries" if value else "nothing"
                self._add(path, found, needed if least == 1 else f"{least} are needed")
                return None
            most = getattr(part, "max_length", len(value))
            if len(value) > most:
                self._add(path, f"{len(value)} entries", f"at most {most} are allowed")
                return None
        reader, inner = reader_of(field), model_of(field)
        entries = []
        for index, entry in enumerate(value):
            read = self._entry(reader, inner, entry, (*path, index))
            if read is None:
                self._unread.append((*path, index))
            entries.append(read)
        return tuple(entry for entry in entries if entry is not None)

    def _entry(
        self, reader: ValueReader | None, inner: type[SpecModel] | None, value: object, path: KeyPath
    ) -> object:
        if reader is None:
            return self.model(inner, value, path) if inner else value
        try:
            return reader.read(value)
        except InvalidError as error:
            for problem in error.problems:
                self._place(problem, path)
        return None

    def _are_read(self, path: KeyPath, keys: Sequence[str]) -> bool:
        """Tell whether nothing that could not be read is a model's key, holds one or is in one."""
        depth = len(path)
        below = [other[depth:] for other in self._unread if other[:depth] == path]
        unread = [tuple(step for step in other if isinstance(step, str)) for other in below]
        asked = [tuple(key.split(".")) for key in keys] or [()]
        return not any(other[: len(key)] == key[: len(other)] for other in unread for key in asked)

    def _place(self, problem: Problem, path: KeyPath) -> None:
        self._add((*path, *problem.key), problem.found, problem.message)

    def _add(self, path: KeyPath, found: str, message: str, *, at_key: bool = False) -> None:
        self.problems.append(self._source.problem(path, found, message, at_key=at_key))


def _kind(value: object) -> str:
    kinds = {dict: "a mapping", list: "a list", tuple: "a list"}
    return next((name for kind, name in kinds.items() if isinstance(value, kind)), printable(str(value)))


def _unknown(key: str, model: type[SpecModel], root: type[SpecModel]) -> str:
    """Answer an unknown key with the one that was meant, in this mapping or elsewhere in the document."""
    here = {name: path for path, name in _named(model, "") if "." not in path}
    anywhere: dict[str, list[str]] = {}
    for path, name in sorted(_named(root, ""), key=lambda named: named[0].count(".")):
        anywhere.setdefault(name, []).append(path)
    if near := closest_match(key, here, cutoff=0.85 if key.lower() in anywhere else 0.5):
        return f"there is no such key; did you mean `{here[near]}`?"
    if found := anywhere.get(closest_match(key, anywhere, cutoff=0.75) or ""):
        return f"there is no such key here; did you mean {listed([f'`{path}`' for path in found[:3]], 'or')}?"
    return f"there is no such key; allowed here: {', '.join(fields_of(model))}"


def _named(model: type[SpecModel], above: str) -> Iterator[tuple[str, str]]:
    """Yield the path of each key of a model, and of those within it, with each name that it is called by."""
    for key, field in fields_of(model).items():
        also, inner = annotation_of(field, Synonyms), model_of(field)
        yield above + key, key
        yield from ((above + key, name) for name in (also.names if also else ()))
        if inner is not None:
            yield from _named(inner, f"{above}{key}{'[]' if is_list(field) else ''}.")


BASE_KEY = "base"
MAX_BASES = 10


def read_with_base(path: Path, model: type[SpecModel], text: str | None = None) -> YamlSource:
    """Read a spec's file, or a text in its place, with its base where it names one, and so on.

    Raises:
        SpecError: ``read_yaml`` refuses one of the files, or a base is not there or leads back to
            itself.
    """
    return _read(path, model, (), text)


def _read(path: Path, model: type[SpecModel], above: tuple[Path, ...], text: str | None = None) -> YamlSource:
    from linkpress.documents.yaml_source import parse_yaml, read_yaml

    source = read_yaml(path) if text is None else parse_yaml(text, str(path))
    name = source.value.get(BASE_KEY)
    own = {key: value for key, value in source.value.items() if key != BASE_KEY}
    source = dataclasses.replace(source, value=own)
    if name is None:
        return source
    if not isinstance(name, str):
        raise_problem(source.problem((BASE_KEY,), "", "the path of one other spec's file is needed"))
    way, base_path = (*above, path), path.parent / name
    if not is_file(base_path):
        raise_problem(source.problem((BASE_KEY,), name, _why_no_file(base_path)))
    if os.path.realpath(base_path) in [os.path.realpath(file) for file in way]:
        circle = " → ".join(printable(str(file)) for file in (*way, base_path))
        raise_problem(source.problem((BASE_KEY,), name, f"the bases go round in a circle: {circle}"))
    if len(way) > MAX_BASES:
        raise_problem(
            source.problem((BASE_KEY,), name, f"at most {MAX_BASES} bases may stand one upon another")
        )
    base = _read(base_path, model, way)
    folder = PurePath(name).parent
    if folder != PurePath():
        base = dataclasses.replace(base, value=_moved(base.value, model, folder))
    return _upon(source, base)


def _why_no_file(path: Path) -> str:
    if is_folder(path):
        return "this is a folder; a YAML file is needed"
    with contextlib.suppress(OSError):
        if path.exists():
            return "this is a pipe or a device; a YAML file is needed"
    named = printable(str(path), 300)
    return f"there is no file {named}; paths start from the folder of the file that they stand in"


def _moved(value: Any, model: type[SpecModel], folder: PurePath) -> Any:
    """Rewrite the paths in a document's mapping as they read from where ``folder`` starts."""
    if not isinstance(value, dict):
        return value
    fields = fields_of(model)
    moved = {}
    for key, given in value.items():
        if (
            key in fields
            and annotation_of(fields[key], NestedSpecKeys) is not None
            and isinstance(given, dict)
        ):
            moved[key] = {name: _moved(keys, model, folder) for name, keys in given.items()}
        else:
            moved[key] = _moved_key(given, fields[key], folder) if key in fields else given
    return moved


def _moved_key(given: Any, field: FieldInfo, folder: PurePath) -> Any:
    inner, names = model_of(field), annotation_of(field, HoldsPaths)
    if names and isinstance(given, str):
        return names.moved(given, folder)
    if inner and is_list(field) and isinstance(given, list):
        return [_moved(entry, inner, folder) for entry in given]
    return _moved(given, inner, folder) if inner else given


def _upon(source: YamlSource, base: YamlSource) -> YamlSource:
    whole = merge(base.value, source.value)
    of_base = set(_kept(whole, base.value, ()))

    def joined(
        below: Mapping[KeyPath, Location], above: Mapping[KeyPath, Location]
    ) -> dict[KeyPath, Location]:
        taken = {path: place for path, place in below.items() if _is_within(path, of_base)}
        return {**taken, **above}

    return YamlSource(
        source.file,
        whole,
        joined(base.places, source.places),
        joined(base.key_places, source.key_places),
        (*source.problems, *base.problems),
        f"{source.text}{base.text}",
        base,
    )


def _kept(whole: Any, old: Any, path: KeyPath) -> Iterator[KeyPath]:
    """Find the paths at which a merged value begins to be the old one."""
    if whole is old:
        yield path
    elif isinstance(whole, dict) and isinstance(old, dict):
        for key, value in old.items():
            yield from _kept(whole[key], value, (*path, key))


def _is_within(path: KeyPath, roots: set[KeyPath]) -> bool:
    return any(path[:length] in roots for length in range(len(path) + 1))


def merge(old: Any, new: Any, path: KeyPath = ()) -> Any:
    """Merge a document's value with what a change, or the document upon it, has in its place.

    A mapping from indexes changes the entries of a list, and adds to them without a gap; else there is a
    ``UsageError``.
    """
    if isinstance(new, Mapping) and isinstance(old, list) and all(isinstance(index, int) for index in new):
        return _with_entries(old, new, path)
    if isinstance(new, Mapping) and isinstance(old, dict):
        return {**old, **{key: merge(old.get(key), value, (*path, key)) for key, value in new.items()}}
    if isinstance(old, dict) and isinstance(new, (str, bool)) and str(new).lower() in YES:
        return old  # it is wanted, and has its keys
    return new


def _with_entries(old: list[Any], new: Mapping[int, Any], path: KeyPath) -> list[Any]:
    """Change some entries of a list, take out those without a value, and add others."""
    whole = dict(enumerate(old))
    for index in sorted(new):
        if index > len(whole):
            raise UsageError(
                f"{key_text((*path, index))}: there is no such entry. There are {len(old)}, counted from "
                "[0]; new ones follow the last, without a gap."
            )
        whole[index] = merge(whole.get(index), new[index], (*path, index))
    return [entry for index, entry in whole.items() if new.get(index, entry) is not None]


_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def document_schema(model: type[SpecModel], title: str) -> dict[str, Any]:
    """Return the JSON Schema of the documents of which this model is the root."""
    schema: dict[str, Any] = _tidied(model.model_json_schema())
    return {"$schema": _DIALECT, "title": title, **schema}


def document_text(schema: Mapping[str, Any]) -> str:
    """Write a schema as the text of a shipped file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def default_words(field: FieldInfo) -> str:
    """Tell what holds where a key is left out, as the table of keys has it."""
    if text := annotation_of(field, DefaultText):
        return text.words
    if field.is_required():
        return "required"
    if isinstance(field.default, bool):
        return "yes" if field.default else "no"
    if field.default is None or field.default == ():
        return "–"
    return f"`{_written(field)}`"


def _written(field: FieldInfo) -> object:
    reader = reader_of(field)
    if isinstance(field.default, StrEnum) or reader is None:
        return getattr(field.default, "value", field.default)
    if is_list(field):
        return f"[{', '.join(str(reader.write(entry)) for entry in field.default)}]"
    return reader.write(field.default)


def _tidied(node: Any) -> Any:
    """Leave out pydantic's titles, and null, since a key without a value counts as left out."""
    if isinstance(node, list):
        return [_tidied(inner) for inner in node]
    if not isinstance(node, dict):
        return node
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) == 1:
        rest = {key: value for key, value in node.items() if key != "anyOf"}
        node = {**kinds[0], **rest}
    return {
        key: {name: _tidied(inner) for name, inner in value.items()}
        if key == "properties"
        else _tidied(value)
        for key, value in node.items()
        if not (key == "title" and isinstance(value, str)) and not (key == "default" and value is None)
    }
