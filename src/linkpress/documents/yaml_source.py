"""This module reads YAML: specs, feeds, themes and profiles.

A document is a mapping whose scalars stay the text that was written (an empty one is None), so
that nothing turns into a date, an octal number or a yes behind the author's back: the models
say what each text means. Every key path keeps its line and column.
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
from linkpress.files import VOLUME_FILE, is_file, open_limited

# A 120-puzzle spec has about 100 nodes, a year's feed with every weekday about 300; the parser is plain
# Python, and 20,000 nodes take it about a second.
MAX_NODES = 20_000
MAX_DEPTH = 12
MAX_VALUES = 20_000  # after aliases are followed

MAX_BYTES = 1024 * 1024

_FORBIDDEN = re.compile("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_WIDE_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_NO_TEXTS = (
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "zip file, as e-books are"),
    (b"{\\rtf", "rich text of a word processor"),
    (b"\x89PNG", "PNG picture"),
    (b"\xff\xd8\xff", "JPEG picture"),
)
_NULLS = ("", "~", "null", "Null", "NULL")
# A colour, or a text such as #1, that YAML takes for a comment; other comments are left alone.
_LOST = r"(#(?:(?:[0-9A-Fa-f]{3}){1,2}(?![0-9A-Za-z])|[0-9][^#]*?(?= *$)))"
_LOST_VALUE = re.compile(rf"(?:.*?:|\s*-)[ \t]+{_LOST}[ \t]*(?:#.*)?$")
_LOST_IN_FLOW = re.compile(rf"[\[{{,:] *{_LOST}")
_BEFORE_TEXT = r"\s*(?:- +)?[\w.-]+: +"


def read_yaml(path: Path) -> YamlSource:
    """Read one YAML file, which messages name as given, within limits on size, depth and aliases.

    Raises:
        SpecError: it can't be read, isn't UTF-8 text or isn't one YAML mapping; says where.
    """
    return parse_yaml(_read_text(path), str(path))


read_shipped = cache(read_yaml)  # a file that never changes


def parse_yaml(text: str, file: str) -> YamlSource:
    """Read a YAML text as ``read_yaml`` reads a file."""
    root = compose_yaml(text, file)
    building = _Building(file, text)
    if not isinstance(root, yaml.MappingNode):
        found = "a list" if isinstance(root, yaml.SequenceNode) else "a single value"
        raise_problem(building.problem((), root, found, "the file must be a mapping: lines of `key: value`"))
    value = building.build(root, ())
    return YamlSource(file, value, building.places, building.key_places, tuple(building.problems), text)


def _read_text(path: Path) -> str:
    """Read the text of a UTF-8 file without its byte order mark."""
    content = _read_bytes(path)
    for mark, name in _WIDE_MARKS:
        if content.startswith(mark):
            _refuse(path, f"the file is {name}; save it as UTF-8")
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\0" in content:
        _refuse(path, "the file holds NUL bytes: it is not a text, or UTF-16; save it as UTF-8")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as fault:
        before = content[: fault.start].decode("utf-8")
        _refuse(path, f"the byte 0x{content[fault.start]:02x} is not UTF-8; save the file as UTF-8", before)
    found = _FORBIDDEN.search(text)
    if found:
        _refuse(path, f"the control character U+{ord(found[0]):04X} is not allowed", text[: found.start()])
    return text


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
            _refuse(path, f"this is a link to {path.readlink()}, which is not there")
        other = _meant(path)
        advice = f"did you mean `{other}`?" if other else "`linkpress init` writes one to start from"
        _refuse(path, f"there is no such file; {advice}")
    except OSError as fault:
        _refuse(path, f"the file can't be read: {fault.strerror}")
    for beginning, kind in _NO_TEXTS:
        if content.startswith(beginning):
            _refuse(path, f"this is a {kind}; a YAML file is needed")
    if len(content) > MAX_BYTES:
        _refuse(path, f"the file is larger than {MAX_BYTES >> 20} MiB")
    return content


def _meant(path: Path) -> str | None:
    """Return the name of the file that was meant: one with an ending more, or a YAML file named nearly so."""
    try:
        names = [file.name for file in path.parent.iterdir()]
    except OSError:
        return None
    endings = (".yaml", ".yml", ".txt", ".yaml.txt")
    longer = [path.name + ending for ending in endings if path.name + ending in names]
    near = closest_match(path.name, (name for name in names if name.endswith(endings[:2])), cutoff=0.8)
    return longer[0] if longer else near


def _refuse(path: Path, message: str, before: str | None = None) -> NoReturn:
    """Fail at the end of the text ``before`` the fault, or for the file as a whole."""
    line = column = 0
    if before is not None:
        line = before.count("\n") + 1
        column = len(before) - before.rfind("\n")
    raise_problem(Problem("", message, (), str(path), line, column))


def compose_yaml(text: str, file: str) -> yaml.Node:
    """Read a YAML text as the tree of its nodes with their places; raise as ``parse_yaml`` does."""
    try:
        try:
            node = _fast_loader(text, file).compose_whole()
        except yaml.YAMLError:  # libyaml's words on a fault are others, and fewer
            node = _Loader(text, file).compose_whole()
    except yaml.MarkedYAMLError as fault:
        raise_problem(_syntax_problem(fault, text, file))
    except (yaml.YAMLError, ValueError, OverflowError) as fault:
        raise_problem(
            Problem("", f"this is not YAML that can be read: {printable(str(fault), 160)}", (), file)
        )
    if node is None:
        raise_problem(
            Problem("", "the file is empty; `linkpress init` writes one to start from", (), file, 1, 1)
        )
    return node


class _Loader(yaml.SafeLoader):
    def __init__(self, text: str, file: str) -> None:
        super().__init__(text)
        self._file = file
        self._count = 0
        self._depth = 0

    def compose_whole(self) -> yaml.Node | None:
        """Return the root of the only document; None if there is nothing."""
        self.get_event()  # type: ignore[no-untyped-call] # the stream begins
        node = None if self.check_event(yaml.StreamEndEvent) else self.compose_document()
        if not self.check_event(yaml.StreamEndEvent):
            self._refuse("a second document begins here (`---`); one document a file is allowed")
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
        """This loader composes nodes out of the events of libyaml, in a tenth of the time."""

        def __init__(self, text: str, file: str) -> None:
            yaml.CSafeLoader.__init__(self, text)
            _Loader.__init__(self, "", file)

    _fast_loader = _LibyamlLoader


def _syntax_problem(fault: yaml.MarkedYAMLError, text: str, file: str) -> Problem:
    mark = fault.problem_mark or fault.context_mark
    assert mark is not None
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    before = line[: mark.column + 1]
    if "\t" in before and not before.strip():
        column = before.index("\t") + 1
        return Problem(
            "a tab", "indent with spaces; YAML allows no tabs there", (), file, mark.line + 1, column
        )
    begin = fault.context_mark.line if fault.context_mark else mark.line
    for number, other in enumerate(lines[begin : mark.line + 1], start=begin + 1):
        if lost := _LOST_IN_FLOW.search(other):
            return Problem(lost[1], _lost_message(other, lost[1]), (), file, number, lost.start(1) + 1)
    opening = fault.context_mark if fault.context_mark and "quoted" in str(fault.context) else mark
    if quoted := _in_quotes(lines, opening.line, opening.column):
        message = (
            f"YAML reads this text as more than text; put it in quotes: {printable(quoted.strip(), 200)}"
        )
        indent = len(lines[opening.line]) - len(lines[opening.line].lstrip())
        return Problem("", message, (), file, opening.line + 1, indent + 1)
    message = _plain_words(fault, lines, mark.line)
    return Problem("", f"not valid YAML: {printable(message, 160)}", (), file, mark.line + 1, mark.column + 1)


def _plain_words(fault: yaml.MarkedYAMLError, lines: Sequence[str], number: int) -> str:
    """Say which bracket, quote, colon or indentation is wrong; else what the parser says, in its words."""
    problem, opened = fault.problem or "", fault.context_mark
    if "<block end>" in problem or "<document start>" in problem:
        return "this line begins in another column than the lines that it belongs to"
    if "mapping values" in problem:
        if re.match("-[^ -]", lines[number].lstrip()):
            return "a space is missing after the hyphen"
        above = max((place for place in range(number) if lines[place].strip()), default=None)
        if above is not None:
            mistake = "lacks the colon after its key, or this one begins too far right"
            return f"this line is read as more of line {above + 1}, which {mistake}"
    if opened is not None:
        line = opened.line + 1
        if "quoted" in str(fault.context) and "end of stream" in problem:
            return f"the quote that begins in line {line} has no end"
        if "expected ':'" in problem:
            return f"line {line} is no `key: value`; a colon and a space stand after a key"
        if problem.startswith("expected ',' or"):
            bracket = lines[opened.line][opened.column]
            return f"the {bracket} of line {line} has no end, or a comma is missing before this"
    return ", ".join(part for part in (fault.context, problem) if part)


def _lost_message(line: str, lost: str) -> str:
    quoted = line.replace(lost, f'"{lost}"', 1).strip()
    return f"what follows # is a comment, so nothing stands here; put it in quotes: {printable(quoted, 200)}"


def _in_quotes(lines: Sequence[str], number: int, column: int) -> str | None:
    """Return a line with its text in quotes, if that lets YAML read on; None if no such line is found."""
    line = lines[number] if number < len(lines) else ""
    begin = max(line.rfind(mark, 0, column) for mark in "{,") + 1 if "{" in line[:column] else 0
    ends = [place for place in (line.find(mark, column) for mark in ",}") if place >= 0] if begin else []
    end = min(ends, default=len(line))
    found = re.fullmatch(rf"({_BEFORE_TEXT})([^\"\[{{|>].*?)(\s*(?:\s#.*)?)", line[begin:end])
    if not found:
        return None
    quoted = f"{line[:begin]}{found[1]}{json.dumps(found[2], ensure_ascii=False)}{found[3]}{line[end:]}"
    try:
        _Loader("\n".join([*lines[:number], quoted, *lines[number + 1 :]]), "").compose_whole()
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark
        return quoted if mark and mark.line > number else None
    except (yaml.YAMLError, ValueError, SpecError):
        return None
    return quoted


class _Building:
    """This turns nodes into values, and counts what aliases expand to."""

    def __init__(self, file: str, text: str) -> None:
        self._lines = text.splitlines()
        self.places: dict[KeyPath, Location] = {}
        self.key_places: dict[KeyPath, Location] = {}
        self.problems: list[Problem] = []
        self._lost_lines: set[int] = set()  # on which a flow's text was taken for a comment
        self._file = file

    def problem(self, path: KeyPath, node: yaml.Node, found: str, message: str) -> Problem:
        line, column, file = self._place(node)
        return Problem(found, message, path, file, line, column)

    def build(self, node: yaml.Node, path: KeyPath) -> Any:
        self.places[path] = self._place(node)
        if isinstance(node, yaml.ScalarNode):
            return None if not node.style and node.value in _NULLS else node.value
        if len(self.places) > MAX_VALUES or len(path) > MAX_DEPTH:
            message = "the aliases expand to too much, or one contains itself; write it out"
            raise_problem(self.problem(path, node, "", message))
        if isinstance(node, yaml.CollectionNode) and node.flow_style:
            self._look_for_lost_in_flow(node, path)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        built = [self.build(item, (*path, index)) for index, item in enumerate(node.value)]
        for index, item in enumerate(node.value):
            if built[index] is None:
                self._look_for_lost(item, (*path, index))
        return built

    def _look_for_lost_in_flow(self, node: yaml.Node, path: KeyPath) -> None:
        for number in range(node.start_mark.line, node.end_mark.line):  # the last line has its end in sight
            line = self._lines[number] if number < len(self._lines) else ""
            lost = _LOST_IN_FLOW.search(line)
            if lost and number not in self._lost_lines:
                self._lost_lines.add(number)
                place = number + 1, lost.start(1) + 1
                self.problems.append(Problem(lost[1], _lost_message(line, lost[1]), path, self._file, *place))

    def _look_for_lost(self, node: yaml.Node, path: KeyPath) -> None:
        """Look behind a key without a value, or an empty entry, for a text that was taken for a comment."""
        line = self._lines[node.start_mark.line] if node.start_mark.line < len(self._lines) else ""
        if lost := _LOST_VALUE.match(line):
            place = Location(node.start_mark.line + 1, lost.start(1) + 1, self._file)
            self.problems.append(Problem(lost[1], _lost_message(line, lost[1]), path, place.file, *place[:2]))

    def _mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        built: dict[str, Any] = {}
        for key_node, value_node in node.value:
            if not isinstance(key_node, yaml.ScalarNode):
                found, message = "a list or mapping", "a key must be a single word"
                self.problems.append(self.problem(path, key_node, found, message))
                continue
            here = (*path, key_node.value)
            if here in self.key_places:
                message = f"the key is given twice, first in line {self.key_places[here].line}; keep one"
                self.problems.append(self.problem(here, key_node, "", message))
            else:
                self.key_places[here] = self._place(key_node)
                built[key_node.value] = self.build(value_node, here)
                if built[key_node.value] is None:
                    self.places[here] = self.key_places[here]
                    self._look_for_lost(key_node, here)
        return built

    def _place(self, node: yaml.Node) -> Location:
        return Location(node.start_mark.line + 1, node.start_mark.column + 1, self._file)
