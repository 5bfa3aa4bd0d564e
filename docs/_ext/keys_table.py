"""The table of all keys of a document, out of its model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from linkpress.documents.models import (
    SpecModel,
    default_words,
    descriptions_of,
    fields_of,
    is_list,
    model_of,
    reader_of,
)

_NONE: Mapping[type[SpecModel], str] = MappingProxyType({})


def document_table(model: type[SpecModel], elsewhere: Mapping[type[SpecModel], str] = _NONE) -> str:
    """Write a Markdown table of every key of the documents that a model reads.

    Args:
        model: the document's root.
        elsewhere: models whose keys are in another table, each with the text that refers to that table.
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
        meaning = descriptions_of(model).get(name, "")
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
