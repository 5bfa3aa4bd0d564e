"""The options of ``generate`` as a checked order: the keys of a level, by their option names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from linkpress.errors import UsageError

if TYPE_CHECKING:
    from linkpress.book.level import RecipeKeys


def read_order(options: Mapping[str, object]) -> RecipeKeys:
    """Check the options that say what puzzles must be.

    Args:
        options: by the spec's key names; None where an option was not given.
    Returns:
        The same model that a level of a spec is read into.
    Raises:
        UsageError: one sentence for each option at fault.
    """
    from linkpress.book.level import RecipeKeys
    from linkpress.config.models import read_values
    from linkpress.config.problem import InvalidError

    try:
        return read_values(options, RecipeKeys)
    except InvalidError as error:
        faults = [f"{_option_at(one.key)} {one.found}: {one.message}" for one in error.problems]
        raise UsageError("; ".join(faults)) from None


def option_of(key: str) -> str:
    """The option that stands for a key of the spec: ``--rule`` for ``unique``."""
    return "--" + {"unique": "rule"}.get(key, key).replace("_", "-")


def _option_at(place: tuple[str | int, ...]) -> str:
    return option_of(str(place[0]) if place else "options")
