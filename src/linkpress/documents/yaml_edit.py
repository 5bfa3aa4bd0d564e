"""Edit the text of a YAML file: change single values, and propose corrections of broken lines.

An edit of a value replaces only the characters of the value. Comments, quotes, blank lines and the order of
keys stay. The new text is parsed again, and the edit is refused if any other value has changed.

If a file can't be read, for example because a line begins one space too far to the left, small edits are
tried on the lines near the reported problem. The edit that leaves the fewest problems is proposed. If no edit
helps, nothing is proposed.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from linkpress.documents.problem import KeyPath, Problem, closest_match, key_text
from linkpress.documents.yaml_source import compose_yaml, parse_yaml
from linkpress.errors import SpecError

_FLOW_WIDTH = 88  # a list or mapping of at most this many characters is written on one line, in brackets
_INDENT = 2
_FILE = "the text"


class EditError(ValueError):
    """Editing a value would also change other values, for example because the value is an alias."""


def with_value(text: str, path: KeyPath, value: Any, order: Sequence[str] = ()) -> str:
    """Return a YAML text in which a key or a list's entry has another value.

    Args:
        text: the YAML text.
        path: the key path of the value. A missing key is added, and so are missing mappings around it.
        value: a text, or lists and mappings of texts.
        order: the usual order of the mapping's keys. It decides where a new key is inserted.
    Raises:
        EditError: the value can't be changed on its own.
        SpecError: the text is not one YAML mapping.
    """
    expected = _value_of(text)
    parent = _descend(expected, path[:-1], make=True)
    if isinstance(parent, list) and not (isinstance(path[-1], int) and path[-1] < len(parent)):
        raise EditError(f"{key_text(path)}: there is no such entry")
    parent[path[-1]] = value
    return _checked(_TextEditor(text).set(path, value, order), expected, path)


def without(text: str, path: KeyPath) -> str:
    """Remove one key, or one entry of a list, from a YAML text, and return the new text.

    If this leaves a mapping or list empty, that is removed too. There is one exception: an empty mapping or
    list stays if it is an entry of a list that has other entries, so that these keep their indexes. The
    errors are the same as for ``with_value``.
    """
    expected, given = _value_of(text), path
    while True:
        parent = _descend(expected, path[:-1], make=False)
        _ = _child(parent, path[-1])
        if len(parent) > 1 or len(path) == 1:
            break
        path = path[:-1]
    if isinstance(path[-1], int) and path != given:
        return with_value(text, path, {})
    del parent[path[-1]]
    return _checked(_TextEditor(text).remove(path), expected, path)


def with_order(text: str, path: KeyPath, order: Sequence[int]) -> str:
    """Return a YAML text with the entries of a list in another order.

    The errors are the same as for ``with_value``.

    Args:
        text: the YAML text.
        path: the key path of the list.
        order: the old index of each new entry. Every old index must occur. One of them may occur twice, which
            copies that entry with its comments.
    """
    expected = _value_of(text)
    entries = _descend(expected, path, make=False)
    entries[:] = [copy.deepcopy(entries[index]) for index in order]
    return _checked(_TextEditor(text).reorder(path, order), expected, path)


def _value_of(text: str) -> dict[str, Any]:
    return copy.deepcopy(parse_yaml(text, _FILE).value) if text.strip() else {}


def _descend(value: Any, path: KeyPath, *, make: bool) -> Any:
    """Return the value at a key path. If ``make`` is True, missing mappings on the path are added."""
    for step in path:
        if make and isinstance(value, dict) and not isinstance(value.get(str(step)), (dict, list)):
            value[str(step)] = {}
        value = _child(value, step)
    return value


def _child(value: Any, step: str | int) -> Any:
    try:
        return value[step]
    except (KeyError, IndexError, TypeError):
        raise EditError(f"{step}: there is no such key or entry") from None


def _checked(text: str, expected: Any, path: KeyPath) -> str:
    try:
        if _value_of(text) == expected:
            return text
    except SpecError:
        pass
    raise EditError(f"{key_text(path)}: this can't be changed by itself; change it in the text")


class _TextEditor:
    """Editor of a YAML text. It uses PyYAML's nodes to find the place of each value in the text.

    YAML has two styles for lists and mappings. In flow style they are written in brackets or braces, and in
    block style on lines of their own.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._line_end = "\r\n" if "\r\n" in text else "\n"
        self._root = compose_yaml(text, _FILE) if text.strip() else None

    def set(self, path: KeyPath, value: Any, order: Sequence[str]) -> str:
        node, depth = self._deepest(path)
        if node is None:
            lines = _block({str(path[0]): _nested(path[1:], value)}, 0)
            return self._text + self._line_end.join(lines) + self._line_end
        if depth == len(path):
            return self._replace(path, value)
        rest = _nested(path[depth + 1 :], value)
        if isinstance(node, yaml.MappingNode):
            return self._add(node, str(path[depth]), rest, order if depth == len(path) - 1 else ())
        return self._replace(path[:depth], {str(path[depth]): rest})

    def remove(self, path: KeyPath) -> str:
        parent, index = self._parent(path)
        count, span = len(parent.value), self._entry_span(parent, index)
        if parent.flow_style:
            if index + 1 < count:
                return self._replace_span(span[0], self._entry_span(parent, index + 1)[0], "")
            start = self._entry_span(parent, index - 1)[1] if index else span[0]
            return self._replace_span(start, span[1], "")
        start, end = self._lines_of(*span)
        if self._text[start : span[0]].strip() and isinstance(parent, yaml.MappingNode):
            # The key to remove is on the same line as the dash of a list entry, as in `- name: A`. Remove
            # only the key, so that the dash stays for the entry's other keys.
            return self._replace_span(span[0], self._entry_span(parent, index + 1)[0], "")
        return self._replace_span(start, end, "")

    def reorder(self, path: KeyPath, order: Sequence[int]) -> str:
        parent = self._node(path)
        spans = [self._entry_span(parent, index) for index in range(len(parent.value))]
        if not parent.flow_style:
            lines = [self._lines_of(*span) for span in spans]
            ends = [0, *(end for _, end in lines[:-1])]
            spans = [
                (self._comments_above(start, before), end)
                for (start, end), before in zip(lines, ends, strict=False)
            ]
        parts = [self._text[start:end] for start, end in spans]
        joint = ", " if parent.flow_style else ""
        parts = [part if joint or part.endswith("\n") else part + self._line_end for part in parts]
        text, end_before = "", 0
        for place, (start, end) in enumerate(spans):
            text += self._text[end_before:start] + parts[order[place]] if place < len(order) else ""
            end_before = end
        copies = [joint + parts[index] for index in order[len(spans) :]]
        return text + "".join(copies) + self._text[end_before:]

    def _comments_above(self, start: int, least: int) -> int:
        """Return the index at which the comments directly above a line begin; ``start`` if there are none.

        Args:
            start: the index of the first character of the line in the text.
            least: the smallest index that may be returned.
        """
        while start > least:
            above = self._text.rfind("\n", 0, start - 1) + 1
            if not self._text[above:start].lstrip().startswith("#"):
                break
            start = above
        return max(start, least)

    def _replace(self, path: KeyPath, value: Any) -> str:
        parent, index = self._parent(path)
        node = _value_node(parent, index)
        in_flow = bool(parent.flow_style)
        start, end = node.start_mark.index, self._end(node)
        is_on_one_line = not _is_block(node)
        inline = _inline(value, node if isinstance(node, yaml.ScalarNode) else None, in_flow)
        if inline is not None and is_on_one_line:
            return self._replace_span(start, end, inline if end > start else f" {inline}")
        if isinstance(parent, yaml.SequenceNode):
            lines = _block([value], parent.start_mark.column)
            return self._replace_span(start, end, self._line_end.join(lines).lstrip(" -"))
        key = parent.value[index][0]
        colon = self._text.index(":", key.end_mark.index) + 1
        if inline is not None:
            return self._replace_span(colon, end, f" {inline}")
        head, *body = _lines_behind_colon(value, key.start_mark.column)
        if not is_on_one_line:
            return self._replace_span(colon, end, self._line_end.join([head, *body]))
        line_end = self._lines_of(start, end)[1]
        comment = self._text[end:line_end].rstrip("\r\n")
        return self._replace_span(colon, line_end, self._line_end.join([head + comment, *body, ""]))

    def _add(self, node: yaml.MappingNode, key: str, value: Any, order: Sequence[str]) -> str:
        names = [entry_key.value for entry_key, _ in node.value]
        before = list(order[: order.index(key)]) if key in order else names
        place = max((names.index(name) + 1 for name in before if name in names), default=0)
        if node.flow_style:
            pair = f"{_scalar(key, None, True)}: {_flow(value)}"
            if not names:
                return self._replace_span(node.start_mark.index, node.end_mark.index, f"{{{pair}}}")
            if place:
                index = self._entry_span(node, place - 1)[1]
                return self._replace_span(index, index, f", {pair}")
            index = self._entry_span(node, 0)[0]
            return self._replace_span(index, index, f"{pair}, ")
        column = node.start_mark.column
        lines = self._line_end.join(_block({key: value}, column))
        if place:
            return self._after_line(self._entry_span(node, place - 1)[1], lines)
        index = self._entry_span(node, 0)[0]
        return self._replace_span(index, index, lines.lstrip(" ") + self._line_end + " " * column)

    def _after_line(self, index: int, lines: str) -> str:
        end = self._text.find("\n", index)
        if end < 0:
            return f"{self._text}{self._line_end}{lines}{self._line_end}"
        return self._replace_span(end + 1, end + 1, lines + self._line_end)

    def _replace_span(self, start: int, end: int, new: str) -> str:
        return self._text[:start] + new + self._text[end:]

    def _lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Extend a range of characters to whole lines, and return its new start and end.

        Args:
            start: the index of the first character in the text.
            end: the index after the last character.
        """
        after = self._text.find("\n", end)
        return self._text.rfind("\n", 0, start) + 1, len(self._text) if after < 0 else after + 1

    def _entry_span(self, parent: yaml.Node, index: int) -> tuple[int, int]:
        node = _value_node(parent, index)
        first = parent.value[index][0] if isinstance(parent, yaml.MappingNode) else node
        return first.start_mark.index, self._end(node)

    def _end(self, node: yaml.Node) -> int:
        """Return the index in the text at which a node of the YAML document ends.

        Blank lines and comments after the node are not counted as parts of it.
        """
        if _is_block(node) and not isinstance(node, yaml.ScalarNode):
            return self._end(_value_node(node, len(node.value) - 1))
        end = int(node.end_mark.index)
        if _is_block(node):
            body = self._text[node.start_mark.index : end]
            end -= len(body) - len(body.rstrip())
        return end

    def _parent(self, path: KeyPath) -> tuple[Any, int]:
        """Return the list or mapping that contains the value at a path, and the index of the value in it."""
        parent = self._node(path[:-1])
        if isinstance(parent, yaml.MappingNode):
            return parent, [key.value for key, _ in parent.value].index(path[-1])
        if isinstance(parent, yaml.SequenceNode) and isinstance(path[-1], int):
            return parent, path[-1]
        raise EditError(f"{key_text(path)}: there is no such key or entry")

    def _node(self, path: KeyPath) -> Any:
        node, depth = self._deepest(path)
        if depth < len(path):
            raise EditError(f"{key_text(path)}: there is no such key or entry")
        return node

    def _deepest(self, path: KeyPath) -> tuple[yaml.Node | None, int]:
        """Follow a key path in the YAML document as far as the path exists.

        Return the last node of the document that was reached, and how many steps of the path led to it.
        """
        node: Any = self._root
        for depth, step in enumerate(path):
            child = None
            if isinstance(node, yaml.MappingNode):
                child = next((value for key, value in node.value if key.value == step), None)
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                child = node.value[step]
            if child is None:
                return node, depth
            node = child
        return node, len(path)


def _value_node(parent: Any, index: int) -> Any:
    return parent.value[index][1] if isinstance(parent, yaml.MappingNode) else parent.value[index]


def _is_block(node: yaml.Node) -> bool:
    if isinstance(node, yaml.CollectionNode):
        return not node.flow_style
    return isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")


def _nested(path: KeyPath, value: Any) -> Any:
    for step in reversed(path):
        value = {str(step): value}
    return value


def _inline(value: Any, old: yaml.ScalarNode | None, in_flow: bool) -> str | None:
    """Write a value on one line; return None if the value should be written on several lines."""
    if isinstance(value, str):
        if "\n" in value and not in_flow:
            return None
        return _scalar(value, old.style if old else None, in_flow)
    flow = _flow(value)
    holds_collections = any(isinstance(entry, (list, dict)) for entry in value or ())
    is_short = len(flow) <= _FLOW_WIDTH and not (holds_collections and not isinstance(value, dict))
    return flow if in_flow or not value or is_short else None


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_scalar(str(key), None, True)}: {_flow(inner)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return "null" if value is None else _scalar(str(value), None, True)


def _scalar(value: str, style: str | None, in_flow: bool) -> str:
    """Return a text in the form in which it is written in a YAML file, with quotation marks if necessary.

    Args:
        value: the text.
        style: the quotation mark around the old text, which this text replaces. The new text gets the same
            mark. If the old text had none, ``style`` is None, and the new text only gets quotation marks if
            YAML would misread it without them.
        in_flow: whether the text is inside square brackets or braces.
    """
    if style == "'" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    if style != '"' and _is_plain(value, in_flow):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_plain(value: str, in_flow: bool) -> bool:
    if "\n" in value:
        return False
    try:
        read = parse_yaml(f"key: [{value}]\n" if in_flow else f"key:\n- {value}\n- key: {value}\n", _FILE)
    except SpecError:
        return False
    return bool(read.value["key"] == ([value] if in_flow else [value, {"key": value}]))


def _lines_behind_colon(value: Any, column: int) -> list[str]:
    """Write the value of a key as YAML, and return its lines.

    The first line is the text after the colon on the key's own line. It may be empty. The other lines follow
    below the key.

    Args:
        value: a text, or lists and mappings of texts.
        column: the column of the key, from 0.
    """
    if not isinstance(value, str):
        return ["", *_block(value, column + _INDENT)]
    lines = value.split("\n")
    if value != value.strip() or any(line != line.rstrip() for line in lines):
        return [f" {json.dumps(value, ensure_ascii=False)}"]
    indent = " " * (column + _INDENT)
    return [" |-", *(f"{indent}{line}" if line else "" for line in lines)]


def _block(value: Any, column: int) -> list[str]:
    indent, lines = " " * column, []
    if isinstance(value, dict):
        for key, inner in value.items():
            name = f"{indent}{_scalar(str(key), None, False)}:"
            inline = _inline(inner, None, False)
            head, *body = [f" {inline}"] if inline is not None else _lines_behind_colon(inner, column)
            lines += [name + head, *body]
        return lines
    for entry in value:
        if isinstance(entry, dict) and entry:
            first, *more = _block(entry, column + _INDENT)
            lines += [f"{indent}- {first.lstrip(' ')}", *more]
        else:
            text = _scalar(entry, None, False) if isinstance(entry, str) else _flow(entry)
            lines.append(f"{indent}- {text}")
    return lines


# Whole texts


def yaml_text(value: dict[str, Any]) -> str:
    """Write a mapping as YAML. Blank lines surround values that take several lines."""
    parts = ["\n".join(_block({key: inner}, 0)) for key, inner in value.items()]
    spaced = [f"\n{part}\n" if "\n" in part else part for part in parts]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(spaced)).strip("\n") + "\n"


def comments_of(text: str) -> dict[int, tuple[str, int | None]]:
    """Return the comments of a YAML text.

    Returns:
        For each line number, from 1, the comment and its column, from 0. The column is None if the comment
        follows a value on the same line.
    """
    inside: set[int] = set()
    nodes = [compose_yaml(text, _FILE)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, yaml.MappingNode):
            nodes += [part for pair in node.value for part in pair]
        elif isinstance(node, yaml.SequenceNode):
            nodes += node.value
        elif _is_block(node):
            inside |= set(range(node.start_mark.line + 2, node.end_mark.line + 1))
    found: dict[int, tuple[str, int | None]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r"""((?:[^'"#]|(?<=\S)#|'[^']*'|"(?:[^"\\]|\\.)*"|(?<=\w)')*)(#.*)$""", line)
        if match and number not in inside:
            found[number] = (match[2].rstrip(), None if match[1].strip() else len(match[1]))
    return found


def with_comments(text: str, comments: dict[int, list[tuple[str, bool]]]) -> str:
    """Insert comments into a YAML text, and return the new text.

    Args:
        text: the text.
        comments: maps the number of a line, from 1, to its comments. Each comment has a flag: True to insert
            it above the line, False to append it to the line. Comments of line 0 are inserted at the top.
            Comments of the line after the last line are inserted at the end.
    """
    written = [comment for comment, _ in comments.get(0, ())]
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        indent = " " * (len(line) - len(line.lstrip()))
        own = [
            comment for comment, is_own in comments.get(number, ()) if is_own or line.endswith(("|-", "|"))
        ]
        behind = [comment for comment, is_own in comments.get(number, ()) if comment not in own]
        written += [indent + comment for comment in own]
        written.append("  ".join([line, *behind]))
    written += [comment for comment, _ in comments.get(len(lines) + 1, ())]
    return "\n".join(written) + "\n"


# Wrong indentation of a line is corrected by moving the line left or right by at most this many spaces. If
# the line would have to move further, its indentation is probably intended.
_MOST_SPACES = 3
_KEY = r"\s*(?:- +)?[\w.-]+"
_CLOSING = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Mending:
    """Edit of one line that solves a problem.

    Args:
        line: the number of the line, from 1.
        why: what is wrong with the line, as a sentence.
        before: the line as it is.
        after: the line as it should be; None to delete it.
        text: the text of the whole file after the edit.
    """

    line: int
    why: str
    before: str
    after: str | None
    text: str


def propose_mending(
    text: str, problem: Problem, problems_of: Callable[[str], Sequence[Problem] | None]
) -> Mending | None:
    """Return the edit of one line that leaves the fewest problems; None if no small edit helps.

    An edit that the problem's own message suggests is preferred if it solves the problem. This is so even if
    the new value has another problem. If the original text can't be read at all, an edit is proposed only if
    it leaves no problem in the changed line.

    Args:
        text: the text of the file.
        problem: the problem to solve. Edits are tried near its line.
        problems_of: function that returns the problems of a text; None if the text can't be read.
    """
    lines, now = text.split("\n"), problems_of(text)
    for why, line in _suggestions(lines, problem):
        mended = "\n".join([*lines[: problem.line - 1], line, *lines[problem.line :]])
        left = problems_of(mended)
        if left is not None and all(each.key != problem.key for each in left):
            return Mending(problem.line, why, lines[problem.line - 1], line, mended)
    best, fewest = None, None if now is None else len(now)
    for number in _suspects(lines, problem):
        for why, after in _edits(lines, number, problem):
            mended = "\n".join([*lines[: number - 1], *([] if after is None else [after]), *lines[number:]])
            left = problems_of(mended)
            if left is None or (fewest is not None and len(left) >= fewest):
                continue
            if now is not None or after is None or all(each.line != number for each in left):
                best, fewest = Mending(number, why, lines[number - 1], after, mended), len(left)
    return best


def _suspects(lines: Sequence[str], problem: Problem) -> Iterator[int]:
    """Yield the numbers of the lines that may have caused a problem, the most likely line first."""
    above = (number for number in range(problem.line - 1, 0, -1) if _has_content(lines[number - 1]))
    named = (int(number) for number in re.findall(r"line (\d+)", problem.message))
    numbers = (*named, problem.line, next(above, 0))
    yield from (number for number in dict.fromkeys(numbers) if 0 < number <= len(lines))


def _suggestions(lines: Sequence[str], problem: Problem) -> Iterator[tuple[str, str]]:
    """Yield edits of a problem's line that replace a misspelt key or value by one that the message names.

    Yields:
        A sentence about the mistake in the line, and the new line.
    """
    if not (problem.key and 0 < problem.line <= len(lines)):
        return
    line, wrong = lines[problem.line - 1], str(problem.key[-1])
    asked = re.search(r"did you mean `([\w.-]+)`", problem.text)
    if asked and not problem.found:
        why = f"Line {problem.line}: there is no setting called “{wrong}” here. Did you mean “{asked[1]}”?"
        yield why, line.replace(wrong, asked[1], 1)
    allowed = [asked[1]] if asked else re.findall(r"[a-z][\w-]+", f"{problem.message} {problem.advice}")
    for part in re.findall(r"[A-Za-z]+", problem.found):
        near = closest_match(part, allowed, cutoff=0.7)
        if near and near != part:
            value = problem.found.replace(part, near, 1)
            why = f"Line {problem.line}: “{problem.found}” is not allowed here. Did you mean “{value}”?"
            yield why, line.replace(problem.found, value, 1)


def _edits(lines: Sequence[str], number: int, problem: Problem) -> Iterator[tuple[str, str | None]]:
    """Yield possible edits of a line.

    Yields:
        A sentence about the mistake in the line, and the new line. The new line is None if the line should be
        deleted.
    """
    line = lines[number - 1]
    words, comment = _split_comment(line)
    body = line.lstrip(" \t")
    indent = len(line) - len(body)
    for other in dict.fromkeys(_columns_near(lines, number)):
        spaces = abs(indent - other)
        if "\t" in line[:indent]:
            yield f"Line {number} begins with a tab, and spaces are needed.", " " * other + body
        elif 0 < spaces <= _MOST_SPACES:
            count = ("one space", "two spaces", "three spaces")[spaces - 1]
            side = "left" if indent < other else "right"
            yield f"Line {number} begins {count} too far to the {side}.", " " * other + body
    if match := re.fullmatch(r"(\s*)-(\w.*)", line):
        yield f"A space is missing after the hyphen of line {number}.", f"{match[1]}- {match[2]}"
    if match := re.fullmatch(rf"({_KEY}):(\S.*)", line):
        yield f"A space is missing after the colon of line {number}.", f"{match[1]}: {match[2]}"
    if match := re.fullmatch(rf"({_KEY})( +[^\s:].*)?", words):
        yield f"A colon is missing in line {number}.", f"{match[1]}:{match[2] or ''}{comment}"
    for quote in "\"'":
        if words.count(quote) % 2:
            yield f"The quote in line {number} has no end.", f"{words}{quote}{comment}"
    for opening, closing in _CLOSING.items():
        if words.count(opening) > words.count(closing):
            yield f"The bracket {opening} in line {number} has no end.", f"{words}{closing}{comment}"
    if (match := re.fullmatch(rf"({_KEY}: +)([^\"'\[{{].*)", words)) and '"' not in match[2]:
        yield f"The text in line {number} must be in quotes.", f'{match[1]}"{match[2]}"{comment}'
    if number == problem.line and "given twice" in problem.message:
        yield f"Line {number} gives a key a second time.", None


def _split_comment(line: str) -> tuple[str, str]:
    """Split a line into its content and its comment. The comment includes the spaces in front of it."""
    match = re.search(r"\s+#.*$|\s+$", line)
    return (line[: match.start()], match[0]) if match else (line, "")


def _columns_near(lines: Sequence[str], number: int) -> Iterator[int]:
    """Yield the columns to which a line with wrong indentation may be moved.

    The nearest line above and the nearest line below are looked at; empty lines and comments don't count.
    Each of the two lines gives the column of its first character. If it begins with the hyphen of a list
    entry, it also gives the column of the text after the hyphen.
    """
    above = next(filter(_has_content, reversed(lines[: number - 1])), "")
    below = next(filter(_has_content, lines[number:]), "")
    for line in (above, below):
        match = re.match(r"( *)(- +)?", line)
        if line and match:
            yield len(match[0])
            yield len(match[1])


def _has_content(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
