"""What the feed's models say about themselves: JSON Schema and the README's table of keys."""

from __future__ import annotations

from linkpress.book.documents import document_schema, document_table, document_text
from linkpress.newspaper.feed_spec import DaySpec, FeedSpec

SCHEMA_FILE = "feed.schema.json"

_RECIPE_KEYS = "the recipe keys of a book's level, `size` to `solid_pattern`"


def feed_schema_text() -> str:
    """The JSON Schema of a feed, by which editors complete and check keys, as the shipped file has it."""
    return document_text(document_schema(FeedSpec, "A linkpress feed spec"))


def feed_table() -> str:
    """Every key of a feed as a Markdown table; those of a weekday are a level's, in the spec's table."""
    return document_table(FeedSpec, {DaySpec: _RECIPE_KEYS})
