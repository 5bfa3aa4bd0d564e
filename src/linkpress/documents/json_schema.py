"""Writes what models say about themselves: their JSON Schema, and a Markdown table of their keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from pydantic.fields import FieldInfo

from linkpress.documents.models import (
    SpecModel,
    annotation_of,
    fields_of,
    is_list,
    meanings_of,
    model_of,
    reader_of,
)
from linkpress.documents.values import DefaultText

_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_NONE: Mapping[type[SpecModel], str] = MappingProxyType({})


def document_schema(model: type[SpecModel], title: str) -> dict[str, Any]:
    """Return the JSON Schema of the documents of which this model is the root."""
    schema: dict[str, Any] = _tidied(model.model_json_schema())
    return {"$schema": _DIALECT, "title": title, **schema}


def document_text(schema: Mapping[str, Any]) -> str:
    """Write a schema as the text of a shipped file."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def document_table(model: type[SpecModel], elsewhere: Mapping[type[SpecModel], str] = _NONE) -> str:
    """Write a Markdown table of every key of the documents that a model reads.

    Args:
        elsewhere: models whose keys another table has, and the words that stand in their place.
    """
    lines = ["| key | value | default | meaning |", "|---|---|---|---|"]
    for key, *cells in _rows(model, "", elsewhere):
        words, default, meaning = (cell.replace("\n", " ").replace("|", "\\|") for cell in cells)
        lines.append(f"| `{key}` | {words} | {default} | {meaning} |")
    return "\n".join(lines) + "\n"


def _rows(
    model: type[SpecModel], above: str, elsewhere: Mapping[type[SpecModel], str]
) -> Iterator[tuple[str, str, str, str]]:
    for name, field in fields_of(model).items():
        reader, inner = reader_of(field), model_of(field)
        meaning = meanings_of(model).get(name, "")
        if reader is not None:
            yield above + name, "a list, each " * is_list(field) + reader.words, default_words(field), meaning
        elif inner is not None and inner in elsewhere:
            yield above + name, elsewhere[inner], default_words(field), meaning
        elif inner is not None:
            many = is_list(field)
            words = "a list, each entry with keys of its own" if many else "keys of its own"
            default = default_words(field) if field.is_required() or not field.default else "as below"
            yield above + name, words, default, meaning
            yield from _rows(inner, f"{above}{name}{'[]' if many else ''}.", elsewhere)


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
