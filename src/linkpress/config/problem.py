"""Faults of a YAML file as data: each says where it stands, what was found and what is allowed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

from linkpress.errors import SpecError

KeyPath = tuple[str | int, ...]

MAX_SHOWN = 40
_MAX_FOUND = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault.

    Args:
        file: the file as the user named it.
        line: counted from 1; 0 where the fault is the whole file's.
        column: counted from 1; 0 likewise.
        key: the key path as people write it, ``levels[0].paths``; may be empty.
        found: what stands there; may be empty.
        message: what is wrong or allowed.
    """

    file: str
    line: int
    column: int
    key: str
    found: str
    message: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else f"{self.file}:"
        said = f"{self.found} — {self.message}" if self.found else self.message
        return f"{place} {self.key}: {said}" if self.key else f"{place} {said}"


class Unfit(ValueError):  # noqa: N818 (a verdict that pydantic turns into a fault, not an error of ours)
    """Raised by a value's reader: what was found and what is allowed, as two texts."""

    def __init__(self, found: str, message: str) -> None:
        super().__init__(f"{found} — {message}" if found else message)
        self.found = found
        self.message = message


@dataclass(frozen=True, slots=True)
class Misfit:
    """A fault at a key below the value that is being read."""

    at: KeyPath
    found: str
    message: str


class Misfits(ValueError):  # noqa: N818 (as Unfit)
    """Raised by a check that can find several faults, with all of them."""

    def __init__(self, faults: Iterable[Misfit]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"{fault.found} — {fault.message}" for fault in self.faults))


def key_text(path: KeyPath) -> str:
    """A key path as people write it: ``levels[0].paths``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return shown(text, 120)


def shown(text: str, most: int = _MAX_FOUND) -> str:
    """A user's text made fit for a message: one line, no control characters, not too long."""
    escaped = (one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
    clean = "".join(escaped)
    return clean if len(clean) <= most else clean[: most - 1] + "…"


def fail_on(problems: Iterable[Problem]) -> None:
    """Raise if there is any fault, listing all of them in the order of the file.

    Raises:
        SpecError: one line a fault; after ``MAX_SHOWN`` of them only their number.
    """
    found = sorted(set(problems), key=lambda problem: (problem.line, problem.column, problem.key))
    if not found:
        return
    lines = [str(problem) for problem in found[:MAX_SHOWN]]
    if len(found) > MAX_SHOWN:
        lines.append(f"… and {len(found) - MAX_SHOWN} more")
    raise SpecError("\n".join(lines))


def fail(problem: Problem) -> NoReturn:
    """Raise for one fault that ends the reading.

    Raises:
        SpecError: always.
    """
    raise SpecError(str(problem))
