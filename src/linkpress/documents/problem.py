"""Problems in YAML files, and documents that know the place of each key.

A *key path* is the tuple of keys and list indexes that leads to a value, such as ``("levels", 0, "paths")``.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeVar

from linkpress.errors import LinkpressError, SpecError

KeyPath = tuple[str | int, ...]
Value = TypeVar("Value")

MAX_SHOWN = 40
"""How many problems of a file are listed; the rest is only counted."""
# Invisible characters: Default_Ignorable_Code_Point in Unicode's DerivedCoreProperties.txt.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]+"
)
_MAX_TEXT = 60  # maximum number of characters of a user's text that a message quotes


@dataclass(frozen=True, slots=True)
class Problem:
    """A wrong value or missing key in a file.

    Args:
        found: the text of the wrong value; may be empty.
        message: what is wrong with the value, or what is allowed instead.
        key: the key path of the value. While a part of a document is being read, the path starts from this
            part. The reader of the whole document completes the path.
        file: the file as the user named it; empty if the document does not come from a file.
        line: the line of the value, from 1; 0 if the problem concerns the whole file.
        column: the column of the value, from 1; 0 if the problem concerns the whole file.
        source: the source of a limit, such as a printer's web page with its date; may be empty.
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
        return f"{self.found} — {self.message}" if self.found else self.message

    def below(self, *keys: str | int) -> Problem:
        return replace(self, key=(*keys, *self.key))

    def __str__(self) -> str:
        if self.source:
            allowed = f"{self.found}; allowed: {self.message} ({self.source})"
            return f"{key_text(self.key)}: {allowed}. {self.advice}"
        place = f"{self.file}:{self.line}:{self.column}" if self.line else f"{self.file}:"
        return f"{place} {key_text(self.key)}: {self.text}" if self.key else f"{place} {self.text}"


class InvalidError(ValueError):
    """A value or model is invalid. ``problems`` lists the reasons.

    Users never see this error, because the code that reads the document catches it and adds the place of
    each problem. The class derives from ``ValueError`` because pydantic catches this error in validators and
    lets most others pass.
    """

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(problem.text for problem in problems))
        self.problems = problems


def invalid(found: str, message: str) -> InvalidError:
    return InvalidError(Problem(found, message))


def read_each(entries: Iterable[object], read: Callable[[object], Value]) -> list[Value]:
    """Read every entry of a list. If entries are invalid, raise one ``InvalidError`` with all problems."""
    values: list[Value] = []
    problems: list[Problem] = []
    for index, entry in enumerate(entries):
        try:
            values.append(read(entry))
        except InvalidError as error:
            problems += [problem.below(index) for problem in error.problems]
    if problems:
        raise InvalidError(*problems)
    return values


def key_text(path: KeyPath) -> str:
    """Write a key path as text, such as ``levels[0].paths``."""
    text = ""
    for step in path:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return printable(text, 120)


def key_path(text: str) -> KeyPath:
    return tuple(
        int(step[1:-1]) if step[0] == "[" else step for step in re.findall(r"\[[0-9]+\]|[^.\[]+", text)
    )


def value_at(values: Any, path: KeyPath) -> Any:
    """Return the value at a key path in nested dicts and lists; None if there is no value at this path."""
    for step in path:
        try:
            values = values[step]
        except (LookupError, TypeError):
            return None
    return values


def visible_text(text: str) -> str:
    return _INVISIBLE.sub("", text)


def printable(text: str, most: int = _MAX_TEXT) -> str:
    """Make a user's text safe to quote in a message: escape control characters, and shorten a long text."""
    clean = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii") for letter in text
    )
    return clean if len(clean) <= most else clean[: most - 1] + "…"


def listed(parts: Sequence[str], last: str = "and") -> str:
    """Join words as in a sentence, such as ``a, b and c``.

    ``last`` is the conjunction before the last of the words, such as "and" or "or".
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def closest_match(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    return next(iter(difflib.get_close_matches(name.lower(), known, n=1, cutoff=cutoff)), None)


def raise_problems(problems: Iterable[Problem]) -> None:
    """Raise a ``SpecError`` that lists these problems; do nothing if there are none."""
    lines = problem_lines(problems)
    if lines:
        raise SpecError("\n".join(lines))


def problem_lines(problems: Iterable[Problem]) -> list[str]:
    """Return one line of text for each problem, sorted by file and line.

    If there are more than ``MAX_SHOWN`` problems, a last line gives the number of the others.
    """
    unsorted = list(dict.fromkeys(problems))
    files = list(dict.fromkeys(problem.file for problem in unsorted))
    ordered = sorted(
        unsorted, key=lambda each: (files.index(each.file), each.line, each.column, key_text(each.key))
    )
    more = [f"… and {len(ordered) - MAX_SHOWN} more"] if len(ordered) > MAX_SHOWN else []
    return [*map(str, ordered[:MAX_SHOWN]), *more]


def raise_problem(problem: Problem) -> NoReturn:
    """Raise a ``SpecError`` for a problem that makes it impossible to read the rest of a file."""
    # "from None" hides the original error, such as FileNotFoundError, because the problem says the same.
    raise SpecError(str(problem), problems=(problem,)) from None


class Location(NamedTuple):
    """Place in a file. Line and column count from 1; both are 0 for the file as a whole.

    ``typed`` is the name of the key as the user wrote it, if it differs from linkpress's name.
    """

    line: int
    column: int
    file: str
    typed: str = ""


@dataclass(frozen=True)
class YamlSource:
    """Document: the content of a YAML file with the place of each key and value.

    Args:
        file: the file as the user named it.
        value: the content as nested dicts and lists. Scalars are texts. A key without a value has None.
        places: the place of each value, by key path. If a key has no value, it is the place of the key.
        key_places: the place of each key, by key path.
        problems: problems after which the file could still be read, such as a key that is given twice.
        text: the text of the file, followed by the texts of its base files; None if the document does not
            come from a file.
        base: the base file that the key ``base`` names. Its keys have already been merged into ``value``.
        folder: the folder from which relative paths in the document start.
        typed: for keys that were moved or renamed while the document was loaded, maps the new key path to the
            key path that the user wrote. An entry also applies to all keys inside the key.
        notes: sentences for the user about values that were read in another form than they were written.
    """

    file: str
    value: dict[str, Any]
    places: Mapping[KeyPath, Location]
    key_places: Mapping[KeyPath, Location]
    problems: tuple[Problem, ...] = ()
    text: str | None = None
    base: YamlSource | None = None
    folder: Path = Path()
    typed: Mapping[KeyPath, KeyPath] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def typed_path(self, path: KeyPath) -> KeyPath:
        """Return the key path under which the user wrote a value.

        Args:
            path: the key path of the value after the document was loaded. Loading may move and rename keys.
        """
        for length in range(len(path), 0, -1):
            if path[:length] in self.typed:
                return (*self.typed[path[:length]], *path[length:])
        return path

    @property
    def bases(self) -> Iterator[YamlSource]:
        """The base file of this document, the base file of that file, and so on."""
        base = self.base
        while base is not None:
            yield base
            base = base.base

    def problem(self, path: KeyPath, found: str, message: str, *, at_key: bool = False) -> Problem:
        """Return a problem with its place in the file.

        Args:
            path: the key path. If its place is unknown, the place of the mapping or list around it is used.
            found: the text of the wrong value.
            message: what is wrong.
            at_key: whether to point at the key instead of its value.
        """
        path = self.typed_path(path)
        places = self.key_places if at_key and path in self.key_places else self.places
        placed = path
        while placed and placed not in places:
            placed = placed[:-1]
        line, column, file, _ = places.get(placed, Location(0, 0, self.file))
        if path in self.key_places and (typed := self.key_places[path].typed):
            message += f" (`{printable(typed)}` is read as `{path[-1]}`)"
        return Problem(printable(found), message, path, file, line, column)

    def problem_here(self, problem: Problem) -> Problem:
        """Return a copy of a problem in a base file that names a line of this document's own file instead.

        The keys of the base file have been merged into this document. Use this method if one of them is wrong
        only in combination with keys of the own file. The wrong key is inside one or more mappings. The copy
        names the line on which the innermost mapping that is also in the own file begins.
        """
        placed = problem.key
        while placed and (placed not in self.places or self.places[placed].file != self.file):
            placed = placed[:-1]
        line, column, file, _ = self.places[placed]
        message = f"{problem.message} (the key is in {problem.file}:{problem.line})".lstrip()
        return replace(problem, message=message, file=file, line=line, column=column)

    def missing_in_bases(self, path: KeyPath) -> str:
        """Return the end of a message about a missing key, such as "; base.yaml has none either".

        The result names each base file that has the mapping at ``path``, because the key is missing there
        too. The result is empty if no base file has this mapping, or if the spec itself lacks the mapping.

        Args:
            path: the key path of the mapping in which the key is missing.
        """
        files = [base.file for base in self.bases if path in base.places]
        if not files or self.places[path].file != self.file:
            return ""
        return f"; {listed(files)} {'has' if len(files) == 1 else 'have'} none either"

    def problem_from_error(self, error: LinkpressError) -> Problem:
        return self.problem(key_path(error.key), "", error.message)
