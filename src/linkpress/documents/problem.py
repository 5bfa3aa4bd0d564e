"""Faults of a YAML file as data: each says where it stands, what was found and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn, TypeVar

from linkpress.errors import LinkpressError, SpecError

KeyPath = tuple[str | int, ...]
Entry = TypeVar("Entry")

MAX_SHOWN = 40
_MAX_FOUND = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that is wrong, as data.

    Args:
        found: what stands there; may be empty.
        message: what is wrong with it, or what is allowed instead.
        key: its keys from the document's root; from the value or model that is being read, until it
            is known where that stands.
        file: as the user named it; empty where there is none.
        line, column: counted from 1; 0 where the problem is the whole file's.
        source: where it stands that something else is allowed, with its date; may be empty.
        advice: what to change; may be empty.
    """

    found: str
    message: str
    key: KeyPath = ()
    file: str = ""
    line: int = 0
    column: int = 0
    source: str = ""
    advice: str = ""

    @property
    def text(self) -> str:
        """What was found and what is wrong with it, without the place."""
        return f"{self.found} — {self.message}" if self.found else self.message

    def below(self, *keys: str | int) -> Problem:
        """The same problem, of a value that stands under these keys."""
        return replace(self, key=(*keys, *self.key))

    def __str__(self) -> str:
        if self.source:
            allowed = f"{self.found}; allowed: {self.message} ({self.source})"
            return f"{key_text(self.key)}: {allowed}. {self.advice}"
        place = f"{self.file}:{self.line}:{self.column}" if self.line else f"{self.file}:"
        return f"{place} {key_text(self.key)}: {self.text}" if self.key else f"{place} {self.text}"


class InvalidError(ValueError):
    """Raised for a value or model that is not allowed, with all of its problems.

    It never reaches the user: who reads the document adds where the value stands. A ``ValueError``,
    so that pydantic takes it too.
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


def invalid(found: str, message: str) -> InvalidError:
    """The error of a value with one problem; the arguments are those of ``Problem``."""
    return InvalidError(Problem(found, message))


def read_each(entries: Iterable[object], read: Callable[[object], Entry]) -> list[Entry]:
    """A list's entries, each read for itself.

    Raises:
        InvalidError: has the problems of all of them, each below its entry's place.
    """
    values: list[Entry] = []
    faults: list[Problem] = []
    for at, one in enumerate(entries):
        try:
            values.append(read(one))
        except InvalidError as fault:
            faults += [problem.below(at) for problem in fault.problems]
    if faults:
        raise InvalidError(*faults)
    return values


def key_text(path: KeyPath) -> str:
    """A key path as people write it: ``levels[0].paths``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return shown(text, 120)


def key_path(text: str) -> KeyPath:
    """The key path that ``key_text`` wrote; empty for an empty text."""
    return tuple(
        int(step[1:-1]) if step[0] == "[" else step for step in re.findall(r"\[[0-9]+\]|[^.\[]+", text)
    )


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
    lines = problem_lines(problems)
    if lines:
        raise SpecError("\n".join(lines))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """One line a fault, file by file, each in its order; after ``MAX_SHOWN`` of them only their number."""
    given = list(dict.fromkeys(problems))
    files = {file: place for place, file in enumerate(dict.fromkeys(one.file for one in given))}
    found = sorted(given, key=lambda one: (files[one.file], one.line, one.column, key_text(one.key)))
    more = [f"… and {len(found) - MAX_SHOWN} more"] if len(found) > MAX_SHOWN else []
    return [*map(str, found[:MAX_SHOWN]), *more]


def fail(problem: Problem) -> NoReturn:
    """Raise for one fault that ends the reading.

    Raises:
        SpecError: always.
    """
    raise SpecError(str(problem))


class Location(NamedTuple):
    """Where something stands: line and column are counted from 1, and 0 for a file as a whole."""

    line: int
    column: int
    file: str


@dataclass(frozen=True)
class YamlSource:
    """A document that was read.

    Args:
        file: the file as the user named it.
        value: nested dicts and lists; scalars are texts, or None where nothing stands.
        places: of each value; of its key where nothing stands.
        key_places: of each key.
        problems: faults that did not stop the reading, such as a key given twice.
        text: of the file, then of its bases; None for a document that never was a text.
        base: what this document stands upon, with its paths as they read from here; ``value`` has its keys.
    """

    file: str
    value: dict[str, Any]
    places: Mapping[KeyPath, Location]
    key_places: Mapping[KeyPath, Location]
    problems: tuple[Problem, ...] = ()
    text: str | None = None
    base: YamlSource | None = None

    @property
    def bases(self) -> Iterator[YamlSource]:
        """The documents below this one, the nearest first."""
        below = self.base
        while below is not None:
            yield below
            below = below.base

    def problem(self, path: KeyPath, found: str, message: str, *, at_key: bool = False) -> Problem:
        """A fault at a key path, placed at the value (or key) or at what encloses it."""
        places = self.key_places if at_key and path in self.key_places else self.places
        where = path
        while where and where not in places:
            where = where[:-1]
        line, column, file = places.get(where, Location(0, 0, self.file))
        return Problem(shown(found), message, path, file, line, column)

    def own_problem(self, problem: Problem) -> Problem:
        """A fault of a base's key that it has only with what this file says, placed in this file."""
        where = problem.key
        while where and (where not in self.places or self.places[where].file != self.file):
            where = where[:-1]
        line, column, file = self.places[where]
        message = f"{problem.message} (the key is in {problem.file}:{problem.line})".lstrip()
        return replace(problem, message=message, file=file, line=line, column=column)

    def lacking_too(self, path: KeyPath) -> str:
        """For the message of a key that a mapping of this file lacks: which of its bases lack it too."""
        files = [base.file for base in self.bases if path in base.places]
        if not files or self.places[path].file != self.file:
            return ""
        return f"; {' and '.join(files)} {'has' if len(files) == 1 else 'have'} none either"

    def problem_of(self, fault: LinkpressError) -> Problem:
        """A fault that was found otherwise, placed by the key that it is about."""
        return self.problem(key_path(fault.key), "", fault.message)
