"""The form of a spec: every key of its models, what may stand there, and what it means.

The page draws its fields from this, so that a key that is added to a model is there without another line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from linkpress.book.spec import BookSpec
from linkpress.documents.json_schema import default_words
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
from linkpress.feeds.feed_spec import FeedSpec

# The tabs of the form, and the keys in each; the last has those that no other has.
_BOOK_TABS = (
    (
        "book",
        "title subtitle author volume series seed language isbn publisher copyright year edition date id",
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
# Their keys are the phrases of a whole words file, which is edited as a file.
_WHOLE_FILES = ("language", "words")


def book_form() -> list[dict[str, Any]]:
    """Return the tabs of a book's form, each with its fields, as JSON data."""
    return _form(BookSpec, _BOOK_TABS)


def feed_form() -> list[dict[str, Any]]:
    """Return the tabs of a feed's form, as ``book_form`` does."""
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
            "ink": reader is not None and reader.words == "an ink",
            "lines": reader is not None and reader.words.startswith("text of one or more lines"),
            "fields": list(_fields(inner)) if inner and key not in _WHOLE_FILES else [],
        }


def _choices(schema: dict[str, Any], files: ShippedFiles | None) -> list[str]:
    """Return what may be chosen for a key; none where any text may stand."""
    if files is not None:
        return list(files.names())
    return [str(choice) for choice in schema.get("enum", ()) if not isinstance(choice, bool)]
