"""Read YAML files (book specs, newspaper feeds, themes, ...) with the line and column of each key.

A file must contain a single mapping. All scalars are read as texts, and an empty scalar as None. So YAML
never turns a value into a date, an octal number or a truth value. The models decide what each text means.

Messages explain common mistakes of beginners: tabs, missing quotes, and files of another type. Another common
mistake is a colour such as ``#0B3954`` without quotes, which YAML reads as a comment.
"""

from __future__ import annotations

import codecs
import json
import re
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

import yaml

from linkpress.documents.problem import (
    KeyPath,
    Location,
    Problem,
    YamlSource,
    closest_match,
    printable,
    raise_problem,
)
from linkpress.errors import SpecError
from linkpress.files import VOLUME_FILE, YAML_SUFFIXES, is_file, open_limited

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 12
# The largest number of nodes in the syntax tree of a file. Without libyaml, PyYAML needs about a second for
# so many nodes. A spec for 120 puzzles has about 100 nodes, and a feed with seven weekdays has about 300.
MAX_NODES = 20_000
MAX_VALUES = 20_000  # the largest number of values in a file, after its aliases are expanded

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_OTHER_FILE_TYPES = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "zip file, as e-books are"),
    (b"{\\rtf", "rich text of a word processor"),
    (b"\x89PNG", "PNG picture"),
    (b"\xff\xd8\xff", "JPEG picture"),
)
_NULLS = ("", "~", "null", "Null", "NULL")
# Matches a colour such as #0B3954 or a text such as #1, which YAML reads as a comment. Real comments hardly
# ever match. _HASH_VALUE finds such a value after a key or after the dash of a list. _HASH_IN_FLOW finds it
# inside brackets or braces.
_HASH_TEXT = r"(#(?:(?:[0-9A-Fa-f]{3}){1,2}(?![0-9A-Za-z])|[0-9][^#]*?(?= *$)))"
_HASH_VALUE = re.compile(rf"(?:.*?:|\s*-)[ \t]+{_HASH_TEXT}[ \t]*(?:#.*)?$")
_HASH_IN_FLOW = re.compile(rf"[\[{{,:] *{_HASH_TEXT}")
_KEY_BEFORE_TEXT = r"\s*(?:- +)?[\w.-]+: +"


def read_yaml(path: Path) -> YamlSource:
    """Read a YAML file. Its size, its depth and the expansion of its aliases are limited.

    Raises:
        SpecError: the file can't be read or exceeds a limit, or it is not a UTF-8 text with one YAML mapping.
    """
    return parse_yaml(_read_text(path), str(path))


read_shipped = cache(read_yaml)  # cached, because shipped files never change


def parse_yaml(text: str, file: str) -> YamlSource:
    """Read a YAML text; raise the same errors as ``read_yaml``.

    Args:
        text: the text.
        file: the name of the file, or of another source of the text, for messages.
    """
    root = compose_yaml(text, file)
    builder = _ValueBuilder(file, text)
    if not isinstance(root, yaml.MappingNode):
        kind = "a list" if isinstance(root, yaml.SequenceNode) else "a single value"
        raise_problem(builder.problem((), root, kind, "the file must be a mapping: lines of `key: value`"))
    value = builder.build(root, ())
    problems = tuple(builder.problems)
    return YamlSource(
        file, value, builder.places, builder.key_places, problems, text, folder=Path(file).parent
    )


# Reading


def _read_text(path: Path) -> str:
    content = _read_bytes(path)
    for mark, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            _refuse(path, f"the file is {name}; save it as UTF-8")
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\0" in content:
        _refuse(path, "the file holds NUL bytes: it is not a text, or UTF-16; save it as UTF-8")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        _refuse(path, f"the byte 0x{content[error.start]:02x} is not UTF-8; save the file as UTF-8", before)


def _read_bytes(path: Path) -> bytes:
    folder = path.parent if path.name == VOLUME_FILE else path
    if is_file(folder / VOLUME_FILE):
        _refuse(path, f"this is a built book; `linkpress typeset {folder}` prints it again")
    try:
        with open_limited(path, sys.maxsize) as file:
            content = file.read(MAX_BYTES + 1)
    except IsADirectoryError:
        _refuse(path, "this is a folder; a YAML file is needed")
    except FileNotFoundError:
        if path.is_symlink():
            _refuse(path, f"this is a link to {path.readlink()}, which does not exist")
        if str(path).startswith(("http:", "https:")):
            _refuse(path, "this is a web address; download the file, and give its path")
        similar = _similar_file(path)
        advice = f"did you mean `{similar}`?" if similar else "`linkpress init` writes one to start from"
        _refuse(path, f"there is no such file; {advice}")
    except OSError as error:
        _refuse(path, f"the file can't be read: {error.strerror}")
    for first_bytes, kind in _OTHER_FILE_TYPES:
        if content.startswith(first_bytes):
            _refuse(path, f"this is a {kind}; a YAML file is needed")
    if len(content) > MAX_BYTES:
        _refuse(path, f"the file is larger than {MAX_BYTES >> 20} MiB")
    return content


def _similar_file(path: Path) -> str | None:
    """Return the name of a file that the user may have meant, with another ending or a similar spelling.

    Return None if the folder contains no such file.
    """
    try:
        names = [file.name for file in path.parent.iterdir()]
    except OSError:
        return None
    endings = (*YAML_SUFFIXES, ".txt", ".yaml.txt")
    longer = [path.name + ending for ending in endings if path.name + ending in names]
    near = closest_match(path.name, (name for name in names if name.endswith(YAML_SUFFIXES)), cutoff=0.8)
    return longer[0] if longer else near


def _refuse(path: Path | str, message: str, before: str | None = None) -> NoReturn:
    """Raise ``SpecError`` for a file.

    Args:
        path: the file.
        message: a description of what is wrong.
        before: the text in front of the error, from which its line and column are calculated. None if the
            error concerns the whole file.
    """
    line = column = 0
    if before is not None:
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
    raise_problem(Problem("", message, (), str(path), line, column))


# Parsing


def compose_yaml(text: str, file: str) -> yaml.Node:
    """Parse a YAML text into PyYAML's tree of nodes; raise the same errors as ``read_yaml``.

    Args:
        text: the text.
        file: the name of the file, or of another source of the text, for messages.
    """
    if match := _FORBIDDEN.search(text):
        message = f"the control character U+{ord(match[0]):04X} is not allowed; delete it"
        _refuse(file, message, text[: match.start()])
    try:
        try:
            node = _fast_loader(text, file).compose_whole()
        except yaml.YAMLError:
            # Parse the text again with PyYAML's own parser, because its messages are better than libyaml's.
            node = _Loader(text, file).compose_whole()
    except yaml.MarkedYAMLError as error:
        raise_problem(_syntax_problem(error, text, file))
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        message = f"this is not YAML that can be read: {printable(str(error), 160)}"
        raise_problem(Problem("", message, (), file))
    if node is None:
        message = "the file is empty; `linkpress init` writes one to start from"
        raise_problem(Problem("", message, (), file, 1, 1))
    return node


class _Loader(yaml.SafeLoader):
    """PyYAML loader that limits the number of nodes and their depth.

    It refuses tags and a second document.
    """

    def __init__(self, text: str, file: str) -> None:
        super().__init__(text)
        self._file = file
        self._count = 0
        self._depth = 0

    def compose_whole(self) -> yaml.Node | None:
        """Return the root node of the YAML document in the text; None for an empty text.

        Raises:
            SpecError: the text contains a second document.
        """
        self.get_event()  # type: ignore[no-untyped-call] # the start of the stream
        node = None if self.check_event(yaml.StreamEndEvent) else self.compose_document()
        if not self.check_event(yaml.StreamEndEvent):
            self._refuse("a second document begins here (`---`); only one document in a file is allowed")
        return node

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        self._count += 1
        self._depth += 1
        if self._count > MAX_NODES:
            self._refuse(f"more than {MAX_NODES} entries; split the file")
        if isinstance(event, yaml.CollectionStartEvent) and self._depth > MAX_DEPTH:
            self._refuse(f"nested more than {MAX_DEPTH} levels deep")
        tag = getattr(event, "tag", None)
        if tag is not None:
            self._refuse(f"the tag {printable(tag)} is not used here; write the value plainly or in quotes")
        node = super().compose_node(parent, index)
        self._depth -= 1
        return node

    def _refuse(self, message: str) -> NoReturn:
        mark = self.peek_event().start_mark  # type: ignore[no-untyped-call]
        raise_problem(Problem("", message, (), self._file, mark.line + 1, mark.column + 1))


_fast_loader: type[_Loader] = _Loader
if yaml.__with_libyaml__:

    class _LibyamlLoader(yaml.CSafeLoader, _Loader):
        """YAML loader with the limits of ``_Loader``.

        It parses with libyaml, which is ten times as fast as parsing in Python.
        """

        def __init__(self, text: str, file: str) -> None:
            yaml.CSafeLoader.__init__(self, text)
            _Loader.__init__(self, "", file)

    _fast_loader = _LibyamlLoader


# Syntax errors


def _syntax_problem(error: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    mark = error.problem_mark or error.context_mark
    assert mark is not None
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    before = line[: mark.column + 1]
    if "\t" in before and not before.strip():
        message = "indent with spaces; YAML allows no tabs there"
        return Problem("a tab", message, (), file, mark.line + 1, before.index("\t") + 1)
    first = error.context_mark.line if error.context_mark else mark.line
    for number, other in enumerate(lines[first : mark.line + 1], start=first + 1):
        if hash_text := _HASH_IN_FLOW.search(other):
            message = _hash_message(other, hash_text[1])
            return Problem(hash_text[1], message, (), file, number, hash_text.start(1) + 1)
    opening = error.context_mark if error.context_mark and "quoted" in str(error.context) else mark
    if quoted := _in_quotes(lines, opening.line, opening.column):
        message = (
            f"this text has a special meaning in YAML; put it in quotes: {printable(quoted.strip(), 200)}"
        )
        indent = len(lines[opening.line]) - len(lines[opening.line].lstrip())
        return Problem("", message, (), file, opening.line + 1, indent + 1)
    message = f"not valid YAML: {printable(_plain_words(error, lines, mark.line), 160)}"
    return Problem("", message, (), file, mark.line + 1, mark.column + 1)


def _plain_words(error: yaml.MarkedYAMLError, lines: Sequence[str], number: int) -> str:
    """Explain a syntax error in plain words, such as a bracket without an end.

    If there is no explanation, return the parser's own message.

    Args:
        error: the error.
        lines: the lines of the file.
        number: the index of the line with the error.
    """
    problem, opened = error.problem or "", error.context_mark
    if "<block end>" in problem or "<document start>" in problem:
        return "this line begins in another column than the lines before it"
    if "mapping values" in problem:
        if re.match("-[^ -]", lines[number].lstrip()):
            return "a space is missing after the hyphen"
        above = max((place for place in range(number) if lines[place].strip()), default=None)
        if above is not None:
            mistake = "lacks the colon after its key, or this one begins too far right"
            return f"this line is read as more of line {above + 1}, which {mistake}"
    if opened is not None:
        line = opened.line + 1
        if "quoted" in str(error.context) and "end of stream" in problem:
            return f"the quote that begins in line {line} has no end"
        if "expected ':'" in problem:
            return f"line {line} is no `key: value`; a colon and a space must follow the key"
        if problem.startswith("expected ',' or"):
            bracket = lines[opened.line][opened.column]
            return f"the {bracket} of line {line} has no end, or a comma is missing before this"
    return ", ".join(part for part in (error.context, problem) if part)


def _hash_message(line: str, hash_text: str) -> str:
    quoted = line.replace(hash_text, f'"{hash_text}"', 1).strip()
    return f"YAML takes everything after # for a comment; put it in quotes: {printable(quoted, 200)}"


def _in_quotes(lines: Sequence[str], number: int, column: int) -> str | None:
    """Try to correct a line by putting its text in quotes.

    Args:
        lines: the lines of the file.
        number: the index of the line.
        column: the column at which the parser failed, from 0.
    Returns:
        The line with quotes; None if the parser fails on this line even with quotes.
    """
    line = lines[number] if number < len(lines) else ""
    begin = max(line.rfind(mark, 0, column) for mark in "{,") + 1 if "{" in line[:column] else 0
    ends = [place for place in (line.find(mark, column) for mark in ",}") if place >= 0] if begin else []
    end = min(ends, default=len(line))
    match = re.fullmatch(rf"({_KEY_BEFORE_TEXT})([^\"\[{{|>].*?)(\s*(?:\s#.*)?)", line[begin:end])
    if not match:
        return None
    quoted = f"{line[:begin]}{match[1]}{json.dumps(match[2], ensure_ascii=False)}{match[3]}{line[end:]}"
    try:
        _Loader("\n".join([*lines[:number], quoted, *lines[number + 1 :]]), "").compose_whole()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        return quoted if mark and mark.line > number else None
    except (yaml.YAMLError, ValueError, SpecError):
        return None
    return quoted


# Building values


class _ValueBuilder:
    """Builder that converts PyYAML's nodes to dicts, lists and texts. It limits the expansion of aliases."""

    def __init__(self, file: str, text: str) -> None:
        self._lines = text.splitlines()
        self.places: dict[KeyPath, Location] = {}
        self.key_places: dict[KeyPath, Location] = {}
        self.problems: list[Problem] = []
        self._reported_lines: set[int] = set()
        self._file = file

    def problem(self, path: KeyPath, node: yaml.Node, found: str, message: str) -> Problem:
        line, column, file, _ = self._place(node)
        return Problem(found, message, path, file, line, column)

    def build(self, node: yaml.Node, path: KeyPath) -> Any:
        self.places[path] = self._place(node)
        if isinstance(node, yaml.ScalarNode):
            return None if not node.style and node.value in _NULLS else node.value
        if len(self.places) > MAX_VALUES or len(path) > MAX_DEPTH:
            message = "the aliases expand to too much, or one contains itself; write it out"
            raise_problem(self.problem(path, node, "", message))
        if isinstance(node, yaml.CollectionNode) and node.flow_style:
            self._check_hash_in_flow(node, path)
        if isinstance(node, yaml.MappingNode):
            return self._build_mapping(node, path)
        values = [self.build(item, (*path, index)) for index, item in enumerate(node.value)]
        for index, item in enumerate(node.value):
            if values[index] is None:
                self._check_hash_value(item, (*path, index))
        return values

    def _build_mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                message = "a key must be a single word"
                self.problems.append(self.problem(path, key_node, "a list or mapping", message))
                continue
            key = key_node.value
            key_path = (*path, key)
            if key_path in self.key_places:
                message = f"the key is given twice, first in line {self.key_places[key_path].line}; keep one"
                self.problems.append(self.problem(key_path, key_node, "", message))
                continue
            self.key_places[key_path] = self._place(key_node)
            values[key] = self.build(value_node, key_path)
            if values[key] is None:
                self.places[key_path] = self.key_places[key_path]
                self._check_hash_value(key_node, key_path)
        return values

    def _check_hash_in_flow(self, node: yaml.Node, path: KeyPath) -> None:
        # Leave out the last line, which has the closing bracket. If a comment stood before this bracket, YAML
        # would read the bracket as a part of the comment.
        for number in range(node.start_mark.line, node.end_mark.line):
            line = self._line(number)
            match = _HASH_IN_FLOW.search(line)
            if match and number not in self._reported_lines:
                self._reported_lines.add(number)
                self._add_hash_problem(match, line, number, path)

    def _check_hash_value(self, node: yaml.Node, path: KeyPath) -> None:
        line = self._line(node.start_mark.line)
        if match := _HASH_VALUE.match(line):
            self._add_hash_problem(match, line, node.start_mark.line, path)

    def _line(self, number: int) -> str:
        return self._lines[number] if number < len(self._lines) else ""

    def _add_hash_problem(self, match: re.Match[str], line: str, number: int, path: KeyPath) -> None:
        message, column = _hash_message(line, match[1]), match.start(1) + 1
        self.problems.append(Problem(match[1], message, path, self._file, number + 1, column))

    def _place(self, node: yaml.Node) -> Location:
        return Location(node.start_mark.line + 1, node.start_mark.column + 1, self._file)
