"""The JSON Schema of book specs, and a first spec for an author to begin with."""

from __future__ import annotations

import shlex
from types import MappingProxyType
from typing import Any

from linkpress.book.spec import BookSpec
from linkpress.config.problem import shown
from linkpress.config.schema import document_schema, document_text
from linkpress.resources import resource

SCHEMA_FILE = "spec.schema.json"
# So that one's first book neither takes the place of the shipped one nor has its puzzles.
_OF_ONES_OWN = MappingProxyType(
    {
        "title: Number Link Starter\n": "title: My Number Link\n",
        "output/number-link-starter/": "output/my-number-link/",
        "seed: 20261120\n": "seed: 20261123\n",
    }
)


def spec_schema() -> dict[str, Any]:
    """The JSON Schema of a book spec, by which editors complete and check keys."""
    return document_schema(BookSpec, "A linkpress book spec")


def schema_text() -> str:
    """``spec_schema`` as the text of the shipped file."""
    return document_text(spec_schema())


def init_text(file: str, *, feed: bool = False) -> str:
    """A commented spec that can be used as it stands.

    Args:
        file: where it will lie; its comments say the command with this name.
        feed: a newspaper's feed instead of a book.
    Returns:
        The shipped example, a book with a title and a seed of its own; its first line names the
        installed schema.
    """
    name, schema = ("feed-daily.yaml", "feed.schema.json") if feed else ("starter.yaml", SCHEMA_FILE)
    _, text = resource("config", name).read_text(encoding="utf-8").split("\n", 1)
    for shipped, own in _OF_ONES_OWN.items():
        text = text.replace(shipped, own)
    said = shown(shlex.quote(file), 300)
    first = f"# yaml-language-server: $schema={resource('config', schema).as_uri()}"
    return f"{first}\n{text.replace(f'config/{name}', said)}"
