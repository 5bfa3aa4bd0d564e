"""Whether the files that were shipped are what they were: each is read by its own reader."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

from linkpress.errors import SpecError
from linkpress.press.checkup.finding import PUT_RIGHT, Result, State, fine

Reader = Callable[[Path], object]


def check_shipped(readers: Mapping[Path, Reader], found: str) -> Result:
    """Every one of these files can be read, and has no fault.

    Args:
        readers: what reads each file.
        found: what is said when all are right.
    """
    for path, read in readers.items():
        try:
            read(path)
        except SpecError as fault:
            return State.BROKEN, str(fault).splitlines()[0], PUT_RIGHT
    return fine(found)


def read_schema(path: Path) -> object:
    """A JSON schema.

    Raises:
        SpecError: the file is not JSON, or can't be read.
    """
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as fault:
        raise SpecError(f"{path}: not a JSON schema: {fault}") from fault
