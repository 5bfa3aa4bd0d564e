"""This module reads JSON back, and lets models say what a schema and the docs have.

What is read must be UTF-8, of a sane depth and number of values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_core import from_json

from linkpress.documents.models import SpecModel, annotation_of, is_list, reader_of
from linkpress.documents.problem import shown
from linkpress.documents.values import DefaultText

# A volume of 5,000 boards of 50 × 50 has 700,000 values, ten years of a daily feed's manifests about a
# million; an empty list takes 64 bytes.
MAX_VALUES = 4_000_000
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def parse_json(content: bytes) -> Any:
    """Read the value of a JSON text that is no longer than its kind of file ever is, or raise ``ValueError``.

    The value is nested at most 200 levels deep, so that whoever walks it needs no care; its texts can all
    be written again, since half a character (a lone surrogate) is refused; no number is NaN, and no
    object has a key twice, since readers differ in which of the values they take.
    """
    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_VALUES:
        raise ValueError(f"more than {MAX_VALUES:,} values")
    value = from_json(content, allow_inf_nan=False)
    json.loads(content.decode("utf-8"), object_pairs_hook=_check_keys, strict=False)
    return value


def _check_keys(pairs: list[tuple[str, Any]]) -> None:
    """Refuse a key given twice; keep nothing, so that a large text is in memory once."""
    if len(dict(pairs)) == len(pairs):
        return
    seen: set[str] = set()
    for key, _ in pairs:
        if key in seen:
            raise ValueError(f"the key {shown(json.dumps(key))} is given twice in an object")
        seen.add(key)


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
