"""A fault of a YAML file is data: it says where it stands, what was found and what is allowed."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, NoReturn, TypeVar

from linkpress.errors import LinkpressError, SpecError

KeyPath = tuple[str | int, ...]
Value = TypeVar("Value")

MAX_SHOWN = 40
_MAX_FOUND = 60


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem is a fault of a file, as data.

    Args:
        found: what stands there; may be empty.
        message: what is wrong with it, or what is allowed instead.
        key: the keys that lead to it from the document's root; as long as it is not known where the value
            or model that is being read stands, they lead from there.
        file: the file as the user named it; empty where there is none.
        line, column: counted from 1; 0 where the problem is the whole file's.
        source: the text, with its date, that allows something else; may be empty.
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
        """Return the sentence that tells what was found and what is wrong with it, without the place."""
        return f"{self.found} — {self.message}" if self.found else self.message

    def below(self, *keys: str | int) -> Problem:
        """Return the same problem, placed below these keys."""
        return replace(self, key=(*keys, *self.key))

    def __str__(self) -> str:
        if self.source:
            allowed = f"{self.found}; allowed: {self.message} ({self.source})"
            return f"{key_text(self.key)}: {allowed}. {self.advice}"
        place = f"{self.file}:{self.line}:{self.column}" if self.line else f"{self.file}:"
        return f"{place} {key_text(self.key)}: {self.text}" if self.key else f"{place} {self.text}"


class InvalidError(ValueError):
    """A value or model is not allowed; the error has all of its problems.

    It never reaches the user, since whoever reads the document adds where the value stands. It is a
    ``ValueError``, so that pydantic takes it too.
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


def invalid(found: str, message: str) -> InvalidError:
    """Return the error of a value with one problem, which these arguments make."""
    return InvalidError(Problem(found, message))


def read_each(entries: Iterable[object], read: Callable[[object], Value]) -> list[Value]:
    """Read each entry by itself; raise ``InvalidError`` with the problems of all, each below its place."""
    values: list[Value] = []
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        try:
            values.append(read(entry))
        except InvalidError as fault:
            problems += [problem.below(index) for problem in fault.problems]
    if problems:
        raise InvalidError(*problems)
    return values


def key_text(path: KeyPath) -> str:
    """Write a key path as people do: ``levels[0].paths``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return printable(text, 120)


def key_path(text: str) -> KeyPath:
    """Read a key path that ``key_text`` wrote; an empty text gives an empty path."""
    return tuple(
        int(step[1:-1]) if step[0] == "[" else step for step in re.findall(r"\[[0-9]+\]|[^.\[]+", text)
    )


def printable(text: str, most: int = _MAX_FOUND) -> str:
    """Make a user's text fit for a message: one line, no control characters, not too long."""
    clean = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )
    return clean if len(clean) <= most else clean[: most - 1] + "…"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """List parts as a sentence does: ``a, b and c``."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def closest_match(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """Return the known name that was probably meant by an unknown one, or None."""
    return next(iter(difflib.get_close_matches(name.lower(), known, n=1, cutoff=cutoff)), None)


def raise_problems(problems: Iterable[Problem]) -> None:
    """Raise ``SpecError`` for faults, if there are any, in the file's order; some are only counted."""
    lines = problem_lines(problems)
    if lines:
        raise SpecError("\n".join(lines))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Write one line a fault, file by file in their order; after ``MAX_SHOWN`` of them only their number."""
    given = list(dict.fromkeys(problems))
    files = list(dict.fromkeys(fault.file for fault in given))
    found = sorted(
        given, key=lambda fault: (files.index(fault.file), fault.line, fault.column, key_text(fault.key))
    )
    more = [f"… and {len(found) - MAX_SHOWN} more"] if len(found) > MAX_SHOWN else []
    return [*map(str, found[:MAX_SHOWN]), *more]


def raise_problem(problem: Problem) -> NoReturn:
    """Raise ``SpecError`` for one fault that ends the reading."""
    raise SpecError(
        str(problem), problems=(problem,)
    ) from None  # a file that is not there needs no second traceback


class Location(NamedTuple):
    """A location is where something stands; line and column count from 1, and are 0 for a whole file."""

    line: int
    column: int
    file: str


@dataclass(frozen=True)
class YamlSource:
    """A source is a document that was read, with the place of each key.

    Args:
        file: the file as the user named it.
        value: nested dicts and lists; scalars are texts, or None where nothing stands.
        places: the place of each value, or of its key where nothing stands.
        problems: faults that did not stop the reading, such as a key given twice.
        text: the text of the file, then those of its bases; None for a document that never was a text.
        base: the document that this one stands upon, with paths as they read from here; ``value`` has its
            keys.
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
        """Return the documents below this one, the nearest first."""
        below = self.base
        while below is not None:
            yield below
            below = below.base

    def problem(self, path: KeyPath, found: str, message: str, *, at_key: bool = False) -> Problem:
        """Place a fault of a key path at its value, or at its key, or at what encloses it."""
        places = self.key_places if at_key and path in self.key_places else self.places
        where = path
        while where and where not in places:
            where = where[:-1]
        line, column, file = places.get(where, Location(0, 0, self.file))
        return Problem(printable(found), message, path, file, line, column)

    def problem_here(self, problem: Problem) -> Problem:
        """Place in this file a fault that a base's key has only with what this file says."""
        where = problem.key
        while where and (where not in self.places or self.places[where].file != self.file):
            where = where[:-1]
        line, column, file = self.places[where]
        message = f"{problem.message} (the key is in {problem.file}:{problem.line})".lstrip()
        return replace(problem, message=message, file=file, line=line, column=column)

    def missing_in_bases(self, path: KeyPath) -> str:
        """Tell, for the message of a key that this file's mapping lacks, which of its bases lack it too."""
        files = [base.file for base in self.bases if path in base.places]
        if not files or self.places[path].file != self.file:
            return ""
        return f"; {listed(files)} {'has' if len(files) == 1 else 'have'} none either"

    def problem_from_error(self, fault: LinkpressError) -> Problem:
        """Place a fault that was found elsewhere by the key that it is about."""
        return self.problem(key_path(fault.key), "", fault.message)
