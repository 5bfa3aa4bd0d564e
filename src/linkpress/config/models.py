"""From a YAML document to a frozen pydantic model, every fault with its place.

Serves book specs, feeds, themes and printer profiles alike.
"""

from __future__ import annotations

import difflib
import hashlib
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union

from pydantic import BaseModel, ConfigDict, PrivateAttr, ValidationError
from pydantic.fields import FieldInfo

from linkpress.config.problem import MAX_SHOWN, KeyPath, Misfits, Problem, Unfit, fail_on, shown
from linkpress.config.shipped_files import ShippedFiles
from linkpress.config.values import Reads
from linkpress.config.yaml_source import YamlSource, read_yaml

_MAX_ROUNDS = 5


class Keys(BaseModel):
    """Base of every mapping in a YAML file: frozen, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, validate_default=False)


class Spec(Keys):
    """Base of a whole spec, which knows the text that it was read from."""

    _sha256: str | None = PrivateAttr(default=None)

    @property
    def sha256(self) -> str:
        """Of the file's text, in hex; of the canonical document for a spec made in a script."""
        if self._sha256 is not None:
            return self._sha256
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()


AnyModel = TypeVar("AnyModel", bound=BaseModel)
AnySpec = TypeVar("AnySpec", bound=Spec)


def load_model(path: Path, model: type[AnyModel]) -> AnyModel:
    """Read a YAML file into a model.

    Args:
        path: the file; messages name it as given.
        model: a ``Keys`` model.
    Raises:
        SpecError: lists every fault of the file.
    """
    return check_model(read_yaml(path), model)


def load_named(name_or_path: str | Path, shelf: ShippedFiles, model: type[AnyModel]) -> AnyModel:
    """Read a shipped file by its name, or a user's own by its path.

    Args:
        name_or_path: a shipped name goes before a file of the same name.
        shelf: where such files are shipped.
        model: a ``Keys`` model.
    Returns:
        For a shipped name the same object every time.
    Raises:
        UsageError: no such name and no such file; lists the names that there are.
        SpecError: lists every fault of the file.
    """
    path = shelf.find(name_or_path)
    if str(name_or_path) not in shelf.names():
        return load_model(path, model)
    shipped: AnyModel = _load_shipped(path, model)
    return shipped


def check_model(source: YamlSource, model: type[AnyModel], also: Sequence[Problem] = ()) -> AnyModel:
    """As ``load_model``, for a document that was read already.

    Args:
        source: the document.
        model: a ``Keys`` model.
        also: faults that were found otherwise, to be listed with the rest.
    Raises:
        SpecError: lists every fault of the document.
    """
    problems = [*source.problems, *also]
    whole = _without_nothing(source.value)
    checked: AnyModel | None = None
    dropped: set[KeyPath] = set()
    # What is at fault is left out and the rest checked again, so that faults between keys that
    # are each fine are reported in the same run.
    for _ in range(_MAX_ROUNDS):
        try:
            checked = model.model_validate(_leave_out(whole, dropped, ()))
            break
        except ValidationError as error:
            faults = _faults(error, model)
        fresh, gone = _sift(faults, whole, dropped)
        problems += [source.problem(path, found, said, at_key=at_key) for path, found, said, at_key in fresh]
        if gone <= dropped or () in gone or len(problems) > MAX_SHOWN:
            break
        dropped |= gone
    fail_on(problems)
    if checked is None:
        raise AssertionError("a model that fails validation always leaves a problem")
    return checked


def check_spec(source: YamlSource, model: type[AnySpec], also: Sequence[Problem] = ()) -> AnySpec:
    """As ``check_model``, for a spec."""
    spec = check_model(source, model, also)
    spec._sha256 = source.sha256
    return spec


def values_at_fault(error: ValidationError) -> Iterator[tuple[KeyPath, str]]:
    """What pydantic found wrong with values given from Python or the command line.

    Returns:
        For each fault the key, and what was found and what is allowed: ``9-3: the low end …``.
    """
    for entry in error.errors(include_url=False):
        place: KeyPath = tuple(entry["loc"])
        cause = entry.get("ctx", {}).get("error")
        if isinstance(cause, Misfits):
            for fault in cause.faults:
                yield (*place, *fault.at), f"{fault.found}: {fault.message}"
        elif isinstance(cause, Unfit):
            yield place, f"{cause.found}: {cause.message}"
        else:
            yield place, entry["msg"]


def fields_of(model: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The model's keys, as written in the file, in the order in which they are documented."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def reads_of(field: FieldInfo) -> Reads | None:
    """The reader of a key's value, or None where the value is a mapping or a list of them."""
    for part in field.metadata:
        if isinstance(part, Reads):
            return part
    return next((part for part in _parts(field.annotation) if isinstance(part, Reads)), None)


def model_of(field: FieldInfo) -> type[BaseModel] | None:
    """The model of a key whose value is a mapping or a list of mappings, or None."""
    for part in _parts(field.annotation):
        if isinstance(part, type) and issubclass(part, BaseModel):
            return part
    return None


def _parts(annotation: object) -> list[object]:
    """An annotation's types and metadata, through unions, tuples and Annotated."""
    origin = typing.get_origin(annotation)
    if origin is None:
        return [annotation]
    if origin in (Union, types.UnionType, tuple, list, Annotated):
        return [part for inner in typing.get_args(annotation) for part in _parts(inner)]
    return []


@cache
def _load_shipped(path: Path, model: type[AnyModel]) -> AnyModel:
    return load_model(path, model)


_Fault = tuple[KeyPath, str, str, bool]


def _faults(error: ValidationError, model: type[BaseModel]) -> list[_Fault]:
    """Each fault's key path, what was found, what is allowed, whether the key is at fault."""
    faults: list[_Fault] = []
    for entry in error.errors(include_url=False):
        path: KeyPath = tuple(entry["loc"])
        cause = entry.get("ctx", {}).get("error")
        if entry["type"] == "too_short" and entry["input"]:
            continue  # pydantic counts the entries without fault; those at fault are reported
        if isinstance(cause, Misfits):
            faults += [((*path, *fault.at), fault.found, fault.message, False) for fault in cause.faults]
        elif isinstance(cause, Unfit):
            faults.append((path, cause.found, cause.message, False))
        elif entry["type"] == "extra_forbidden":
            faults.append((path, "", _unknown(path, model), True))
        elif entry["type"] == "missing":
            faults.append((path, "", _missing(path, model), True))
        else:
            faults.append((path, *_plain_fault(entry["type"], entry["msg"], entry["input"]), False))
    return faults


def _sift(faults: Iterable[_Fault], whole: Any, dropped: set[KeyPath]) -> tuple[list[_Fault], set[KeyPath]]:
    """What a round found: the faults that are the author's, and what to leave out of the next.

    Args:
        faults: with places in the document as it was checked.
        whole: the document.
        dropped: what was left out of it.
    Returns:
        The faults with places in the whole document, and their places; where the want of what was left
        out is the fault, what holds it.
    """
    shortened = {gone[:-1] for gone in dropped if gone and isinstance(gone[-1], int)}
    fresh: list[_Fault] = []
    gone: set[KeyPath] = set()
    for loc, found, message, at_key in faults:
        path = _original(loc, whole, dropped)
        if path in shortened:
            continue  # the list is too short, or wrong as a whole, for want of what was left out
        cause = _enclosing(path, dropped)
        if cause is None:
            fresh.append((path, found, message, at_key))
        gone.add(path if cause is None else cause[:-1])
    return fresh, gone


def _plain_fault(fault: str, message: str, given: object) -> tuple[str, str]:
    kinds = {dict: "a mapping", list: "a list", tuple: "a list"}
    found = next((name for kind, name in kinds.items() if isinstance(given, kind)), shown(str(given)))
    if fault in ("model_type", "model_attributes_type", "dict_type"):
        return found, "a mapping, lines of `key: value` set in by two spaces, is needed"
    if fault in ("tuple_type", "list_type"):
        return found, "a list, each entry beginning with `- `, is needed"
    if fault == "too_short":
        return "nothing", "at least one entry, beginning with `- `, is needed"
    return found, message[:1].lower() + message[1:]


def _unknown(path: KeyPath, model: type[BaseModel]) -> str:
    parent = _model_at(path[:-1], model)
    known = list(fields_of(parent)) if parent else []
    near = difflib.get_close_matches(str(path[-1]).lower(), known, n=1, cutoff=0.5)
    if near:
        return f"there is no such key; did you mean `{near[0]}`?"
    return f"there is no such key; allowed here: {', '.join(known)}"


def _missing(path: KeyPath, model: type[BaseModel]) -> str:
    parent = _model_at(path[:-1], model)
    field = fields_of(parent).get(str(path[-1])) if parent else None
    reads = reads_of(field) if field else None
    return f"this key is needed: {reads.words}" if reads else "this key is needed"


def _model_at(path: KeyPath, model: type[BaseModel]) -> type[BaseModel] | None:
    here: type[BaseModel] | None = model
    for step in path:
        if isinstance(step, str) and here is not None:
            field = fields_of(here).get(step)
            here = model_of(field) if field else None
    return here


def _without_nothing(value: Any) -> Any:
    """The document without keys behind which nothing stands: they count as left out."""
    if isinstance(value, dict):
        return {key: _without_nothing(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, list):
        return [_without_nothing(inner) for inner in value]
    return value


def _leave_out(value: Any, dropped: set[KeyPath], here: KeyPath) -> Any:
    if isinstance(value, dict):
        inside = {key: (*here, key) for key in value}
        return {key: _leave_out(value[key], dropped, at) for key, at in inside.items() if at not in dropped}
    if isinstance(value, list):
        items = [(item, (*here, at)) for at, item in enumerate(value)]
        return [_leave_out(item, dropped, at) for item, at in items if at not in dropped]
    return value


def _original(loc: KeyPath, whole: Any, dropped: set[KeyPath]) -> KeyPath:
    """A place in the document without the dropped parts, as a place in the whole one."""
    if not dropped:
        return loc
    path: KeyPath = ()
    here = whole
    for step in loc:
        if isinstance(step, int) and isinstance(here, list):
            kept = [at for at in range(len(here)) if (*path, at) not in dropped]
            step = kept[step] if step < len(kept) else step
            here = here[step] if step < len(here) else None
        else:
            here = here.get(step) if isinstance(here, dict) else None
        path = (*path, step)
    return path


def _enclosing(path: KeyPath, dropped: set[KeyPath]) -> KeyPath | None:
    """The dropped place that a place is, or lies in, or whose loss left it wanting."""
    starts = (path[:length] for length in range(len(path) + 1))
    return next((start for start in starts if start in dropped), None)
