"""This module reads a spec upon a base: ``base: house.yaml`` gives it all keys that it lacks itself.

Mappings are joined key by key, anything else is replaced as a whole. Each key keeps the place where it
stands, in whatever file that is. A path in a base starts from the base's folder, so it is rewritten to be
the same file from the folder of the spec: the document is then like one that stood in a single file.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os.path
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from pydantic.fields import FieldInfo

from linkpress.documents.models import OfSameSpec, SpecModel, annotation_of, fields_of, is_list, model_of
from linkpress.documents.problem import KeyPath, Location, YamlSource, fail, key_text, shown
from linkpress.documents.shipped_files import NamesFiles
from linkpress.documents.values import YES
from linkpress.documents.yaml_source import parse_yaml, read_yaml
from linkpress.errors import UsageError
from linkpress.files import is_file, is_folder

BASE_KEY = "base"
MAX_BASES = 10


def read_upon_base(path: Path, model: type[SpecModel], text: str | None = None) -> YamlSource:
    """Read a spec's file, or a text in its place, with its base where it names one, and so on.

    Raises:
        SpecError: ``read_yaml`` refuses one of the files, or a base is not there or leads back to
            itself.
    """
    return _read(path, model, (), text)


def _read(path: Path, model: type[SpecModel], above: tuple[Path, ...], text: str | None = None) -> YamlSource:
    source = read_yaml(path) if text is None else parse_yaml(text, str(path))
    name = source.value.get(BASE_KEY)
    own = {key: value for key, value in source.value.items() if key != BASE_KEY}
    source = dataclasses.replace(source, value=own)
    if name is None:
        return source
    if not isinstance(name, str):
        fail(source.problem((BASE_KEY,), "", "the path of one other spec's file is needed"))
    way, base_path = (*above, path), path.parent / name
    if not is_file(base_path):
        fail(source.problem((BASE_KEY,), name, _why_no_file(base_path)))
    if os.path.realpath(base_path) in [os.path.realpath(file) for file in way]:
        circle = " → ".join(shown(str(file)) for file in (*way, base_path))
        fail(source.problem((BASE_KEY,), name, f"the bases go round in a circle: {circle}"))
    if len(way) > MAX_BASES:
        fail(source.problem((BASE_KEY,), name, f"at most {MAX_BASES} bases may stand one upon another"))
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
    named = shown(str(path), 300)
    return f"there is no file {named}; paths start from the folder of the file that they stand in"


def _moved(value: Any, model: type[SpecModel], folder: PurePath) -> Any:
    """Rewrite the paths in a document's mapping as they read from where ``folder`` starts."""
    if not isinstance(value, dict):
        return value
    fields = fields_of(model)
    moved = {}
    for key, given in value.items():
        if key in fields and annotation_of(fields[key], OfSameSpec) is not None and isinstance(given, dict):
            moved[key] = {name: _moved(keys, model, folder) for name, keys in given.items()}
        else:
            moved[key] = _moved_key(given, fields[key], folder) if key in fields else given
    return moved


def _moved_key(given: Any, field: FieldInfo, folder: PurePath) -> Any:
    inner, names = model_of(field), annotation_of(field, NamesFiles)
    if names and isinstance(given, str):
        return names.moved(given, folder)
    if inner and is_list(field) and isinstance(given, list):
        return [_moved(entry, inner, folder) for entry in given]
    return _moved(given, inner, folder) if inner else given


def _upon(source: YamlSource, base: YamlSource) -> YamlSource:
    whole = merged(base.value, source.value)
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


def merged(old: Any, new: Any, path: KeyPath = ()) -> Any:
    """Merge a document's value with what a change, or the document upon it, has in its place.

    A mapping from indexes changes the entries of a list, and adds to them without a gap; else there is a
    ``UsageError``.
    """
    if isinstance(new, Mapping) and isinstance(old, list) and all(isinstance(index, int) for index in new):
        return _with_entries(old, new, path)
    if isinstance(new, Mapping) and isinstance(old, dict):
        return {**old, **{key: merged(old.get(key), value, (*path, key)) for key, value in new.items()}}
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
        whole[index] = merged(whole.get(index), new[index], (*path, index))
    return [entry for index, entry in whole.items() if new.get(index, entry) is not None]
