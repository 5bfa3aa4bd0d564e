"""The form of a spec: every key of its models, what may stand there, and what it means.

The page draws its fields from this, so that a key that is added to a model is there without another line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from linkpress.book.spec import BookSpec
from linkpress.documents.json_text import default_words
from linkpress.documents.models import (
    SpecModel,
    annotation_of,
    fields_of,
    is_list,
    meanings_of,
    model_of,
    reader_of,
)
from linkpress.documents.shipped_files import ShippedFiles

# The tabs of the form, and the keys in each; the last has those that no other has.
_BOOK_TABS = (
    (
        "book",
        "title subtitle author volume series seed language isbn editions publisher copyright year edition "
        "date id",
    ),
    ("page", "page standard solutions captions"),
    ("levels", "levels"),
    ("looks", "theme numbers fonts"),
    ("cover", "cover"),
    ("extras", ""),
)
_FEED_TABS = (
    ("feed", "title author id seed first_number language copyright holder usage utc_offset"),
    ("week", "week skip"),
    ("images", "image caption fonts names"),
    ("extras", ""),
)
# A part of the words for what may stand there, and the control that fits.
_CONTROLS = {
    "an ink": "ink",
    "text of one or more lines": "lines",
    "a length with its unit": "length",
    "a range, as": "range",
    "path of a picture": "picture",
}
# Their keys are the phrases of a whole words file, which is edited as a file.
_WHOLE_FILES = ("language", "words")


def book_form() -> list[dict[str, Any]]:
    """Return the tabs of a book's form, each with its fields, as JSON data."""
    return _form(BookSpec, _BOOK_TABS)


def feed_form() -> list[dict[str, Any]]:
    """Return the tabs of a feed's form, as ``book_form`` does."""
    from linkpress.feeds.feed_spec import FeedSpec

    return _form(FeedSpec, _FEED_TABS)


def _form(model: type[SpecModel], layout: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    fields = {field["key"]: field for field in _fields(model)}
    tabs = [(name, keys.split()) for name, keys in layout]
    named = {key for _, keys in tabs for key in keys}
    tabs[-1][1].extend(key for key in fields if key not in named)
    return [{"name": name, "fields": [fields[key] for key in keys if key in fields]} for name, keys in tabs]


def _fields(model: type[SpecModel]) -> Iterator[dict[str, Any]]:
    meanings = meanings_of(model)
    for key, field in fields_of(model).items():
        reader, inner = reader_of(field), model_of(field)
        files = annotation_of(field, ShippedFiles)
        schema = dict(reader.schema) if reader else {}
        yield {
            "key": key,
            "meaning": meanings.get(key, ""),
            "allowed": reader.words if reader else "",
            "default": default_words(field),
            "needed": field.is_required(),
            "many": is_list(field),
            "choices": _choices(schema, files),
            "free": files is not None or "enum" not in schema,
            "schema": schema,
            "kind": _kind(reader.words) if reader else "",
            "fields": list(_fields(inner)) if inner and key not in _WHOLE_FILES else [],
        }


def _choices(schema: dict[str, Any], files: ShippedFiles | None) -> list[str]:
    """Return what is offered for a key; where it is free, other values may stand there, too."""
    if files is not None:
        return list(files.names())
    one = schema.get("anyOf", [schema])[0]
    offered = one.get("enum") or one.get("examples", ())
    return [str(choice) for choice in offered if not isinstance(choice, bool)]


def _kind(words: str) -> str:
    """Return the name of the control that fits what may stand there, if there is one."""
    return next((kind for part, kind in _CONTROLS.items() if part in words), "")
