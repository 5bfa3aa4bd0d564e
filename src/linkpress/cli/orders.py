"""The options of ``generate`` as a checked order: the keys of a level, by their option names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from linkpress.errors import UsageError

if TYPE_CHECKING:
    from pydantic import ValidationError

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
    from pydantic import ValidationError

    from linkpress.book.level import RecipeKeys

    given = {key: value for key, value in options.items() if value is not None}
    try:
        return RecipeKeys.model_validate(given)
    except ValidationError as error:
        raise UsageError("; ".join(_faults(error))) from None


def _faults(error: ValidationError) -> Iterator[str]:
    from linkpress.book.problem import Misfits, Unfit

    for entry in error.errors(include_url=False):
        cause = entry.get("ctx", {}).get("error")
        if isinstance(cause, Misfits):
            for fault in cause.faults:
                yield f"{_option(fault.at)} {fault.found}: {fault.message}"
        elif isinstance(cause, Unfit):
            yield f"{_option(entry['loc'])} {cause.found}: {cause.message}"
        else:
            yield f"{_option(entry['loc'])}: {entry['msg']}"


def _option(place: tuple[str | int, ...]) -> str:
    key = str(place[0]) if place else "options"
    return "--" + {"unique": "rule"}.get(key, key).replace("_", "-")
