"""This module changes single values in the text of a YAML file, and leaves all else as it stands.

Comments, order, quotes and blank lines stay, since an edit replaces only the characters of what it changes.
Each edit is read back: a text in which anything but the wanted value has changed is never returned.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import yaml

from linkpress.documents.problem import KeyPath, key_text
from linkpress.documents.yaml_source import compose_yaml, parse_yaml
from linkpress.errors import SpecError

_WIDE = 88  # characters; a list or mapping that is longer is written on lines of its own
_STEP = 2  # spaces by which a mapping below a key is set in
_NAME = "the text"


class EditError(ValueError):
    """An edit can't be made without changing more than was asked, as where an alias stands for the value."""


def with_value(text: str, path: KeyPath, value: Any, order: Sequence[str] = ()) -> str:
    """Give a key or a list's entry another value; a key that is not there yet is added.

    Args:
        path: of the key or entry; mappings that lack on the way to it are added, too.
        value: texts, and lists and mappings of them, as ``YamlSource.value`` has them.
        order: the keys of the mapping in the order in which a new one takes its place.
    Raises:
        EditError: the text can't be changed there alone.
        SpecError: the text is not one YAML mapping.
    """
    wanted = _value_of(text)
    parent = _descend(wanted, path[:-1], make=True)
    if isinstance(parent, list) and not (isinstance(path[-1], int) and path[-1] < len(parent)):
        raise EditError(f"{key_text(path)}: there is no such entry")
    parent[path[-1]] = value
    return _checked(_Text(text).set(path, value, order), wanted, path)


def without(text: str, path: KeyPath) -> str:
    """Take out a key or a list's entry, and what it leaves empty; raise as ``with_value`` does."""
    wanted = _value_of(text)
    while True:
        parent = _descend(wanted, path[:-1], make=False)
        _ = _child(parent, path[-1])
        if len(parent) > 1 or len(path) == 1:
            break
        path = path[:-1]
    del parent[path[-1]]
    return _checked(_Text(text).remove(path), wanted, path)


def with_order(text: str, path: KeyPath, order: Sequence[int]) -> str:
    """Put a list's entries in another order; an index given twice copies its entry with its comments.

    There is one more index than there are entries at the most, and none is left out. It raises as
    ``with_value`` does.
    """
    wanted = _value_of(text)
    entries = _descend(wanted, path, make=False)
    entries[:] = [copy.deepcopy(entries[index]) for index in order]
    return _checked(_Text(text).reorder(path, order), wanted, path)


def _value_of(text: str) -> dict[str, Any]:
    return copy.deepcopy(parse_yaml(text, _NAME).value) if text.strip() else {}


def _descend(value: Any, path: KeyPath, *, make: bool) -> Any:
    """Return what stands at a path, where mappings that lack, or stand as a single word, may be made."""
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


def _checked(text: str, wanted: Any, path: KeyPath) -> str:
    try:
        if _value_of(text) == wanted:
            return text
    except SpecError:
        pass
    raise EditError(f"{key_text(path)}: this can't be changed by itself; change it in the text")


class _Text:
    def __init__(self, text: str) -> None:
        self._text = text
        self._line_end = "\r\n" if "\r\n" in text else "\n"
        self._root = compose_yaml(text, _NAME) if text.strip() else None

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
                return self._with(span[0], self._entry_span(parent, index + 1)[0], "")
            return self._with(self._entry_span(parent, index - 1)[1] if index else span[0], span[1], "")
        start, end = self._lines_of(*span)
        head = self._text[start : span[0]]
        if head.strip() and isinstance(parent, yaml.MappingNode):  # the key stands behind a list's dash
            return self._with(span[0], self._entry_span(parent, index + 1)[0], "")
        return self._with(start, end, "")

    def reorder(self, path: KeyPath, order: Sequence[int]) -> str:
        parent = self._node(path)
        spans = [self._entry_span(parent, index) for index in range(len(parent.value))]
        if not parent.flow_style:
            spans = [self._lines_of(*span) for span in spans]
        parts = [self._text[start:end] for start, end in spans]
        joint = ", " if parent.flow_style else ""
        parts = [part if joint or part.endswith("\n") else part + self._line_end for part in parts]
        text, done = "", 0
        for place, (start, end) in enumerate(spans):
            text += self._text[done:start] + parts[order[place]] if place < len(order) else ""
            done = end
        return (
            text
            + joint * (len(order) > len(spans))
            + "".join(parts[i] for i in order[len(spans) :])
            + (self._text[done:])
        )

    def _replace(self, path: KeyPath, value: Any) -> str:
        parent, index = self._parent(path)
        node = _value_node(parent, index)
        in_flow = bool(parent.flow_style)
        start, end = node.start_mark.index, self._end(node)
        is_inline = not _is_block(node)
        inline = _inline(value, node if isinstance(node, yaml.ScalarNode) else None, in_flow)
        if inline is not None and is_inline:
            return self._with(start, end, inline if end > start else f" {inline}")
        if isinstance(parent, yaml.SequenceNode):
            lines = _block([value], parent.start_mark.column)
            return self._with(start, end, self._line_end.join(lines).lstrip(" -"))
        key = parent.value[index][0]
        colon = self._text.index(":", key.end_mark.index) + 1
        if inline is not None:
            return self._with(colon, end, f" {inline}")
        head, *body = _lines_behind_colon(value, key.start_mark.column)
        if not is_inline:
            return self._with(colon, end, self._line_end.join([head, *body]))
        line_end = self._lines_of(start, end)[1]
        comment = self._text[end:line_end].rstrip("\r\n")
        return self._with(colon, line_end, self._line_end.join([head + comment, *body, ""]))

    def _add(self, node: yaml.MappingNode, key: str, value: Any, order: Sequence[str]) -> str:
        names = [entry_key.value for entry_key, _ in node.value]
        before = list(order[: order.index(key)]) if key in order else names
        place = max((names.index(name) + 1 for name in before if name in names), default=0)
        if node.flow_style:
            pair = f"{_scalar(key, None, True)}: {_flow(value)}"
            if not names:
                return self._with(node.start_mark.index, node.end_mark.index, f"{{{pair}}}")
            if place:
                index = self._entry_span(node, place - 1)[1]
                return self._with(index, index, f", {pair}")
            index = self._entry_span(node, 0)[0]
            return self._with(index, index, f"{pair}, ")
        column = node.start_mark.column
        lines = self._line_end.join(_block({key: value}, column))
        if place:
            return self._after_line(self._entry_span(node, place - 1)[1], lines)
        index = self._entry_span(node, 0)[0]
        return self._with(index, index, lines.lstrip(" ") + self._line_end + " " * column)

    def _after_line(self, index: int, lines: str) -> str:
        end = self._text.find("\n", index)
        if end < 0:
            return f"{self._text}{self._line_end}{lines}{self._line_end}"
        return self._with(end + 1, end + 1, lines + self._line_end)

    def _with(self, start: int, end: int, new: str) -> str:
        return self._text[:start] + new + self._text[end:]

    def _lines_of(self, start: int, end: int) -> tuple[int, int]:
        """Return where the lines begin and end on which a stretch of the text stands."""
        after = self._text.find("\n", end)
        return self._text.rfind("\n", 0, start) + 1, len(self._text) if after < 0 else after + 1

    def _entry_span(self, parent: yaml.Node, index: int) -> tuple[int, int]:
        node = _value_node(parent, index)
        first = parent.value[index][0] if isinstance(parent, yaml.MappingNode) else node
        return first.start_mark.index, self._end(node)

    def _end(self, node: yaml.Node) -> int:
        """Return where the last character of a node stands; blank lines and comments after it are not its."""
        if _is_block(node) and not isinstance(node, yaml.ScalarNode):
            return self._end(_value_node(node, len(node.value) - 1))
        end = int(node.end_mark.index)
        if _is_block(node):
            body = self._text[node.start_mark.index : end]
            end -= len(body) - len(body.rstrip())
        return end

    def _parent(self, path: KeyPath) -> tuple[Any, int]:
        """Return the collection that a path leads into, and the index of its entry there."""
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
        """Return the last node on the way down a path, and how many of its steps lead there."""
        node: Any = self._root
        for depth, step in enumerate(path):
            found = None
            if isinstance(node, yaml.MappingNode):
                found = next((value for key, value in node.value if key.value == step), None)
            elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
                found = node.value[step]
            if found is None:
                return node, depth
            node = found
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
    """Write a value on one line; None where it is better, or only possible, on lines of its own."""
    if isinstance(value, str):
        if "\n" in value and not in_flow:
            return None
        return _scalar(value, old.style if old else None, in_flow)
    flow = _flow(value)
    holds_collections = any(isinstance(entry, (list, dict)) for entry in value)
    is_short = len(flow) <= _WIDE and not (holds_collections and not isinstance(value, dict))
    return flow if in_flow or not value or is_short else None


def _flow(value: Any) -> str:
    if isinstance(value, dict):
        pairs = (f"{_scalar(str(key), None, True)}: {_flow(inner)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_flow, value))}]"
    return _scalar(str(value), None, True)


def _scalar(value: str, style: str | None, in_flow: bool) -> str:
    """Write a text in the quotes that it had, or plainly if it is read back as the same."""
    if style == "'" and "\n" not in value:
        return "'" + value.replace("'", "''") + "'"
    if style != '"' and _is_plain(value, in_flow):
        return value
    return json.dumps(value, ensure_ascii=False)


def _is_plain(value: str, in_flow: bool) -> bool:
    if "\n" in value:
        return False
    try:
        read = parse_yaml(f"key: [{value}]\n" if in_flow else f"key:\n- {value}\n- key: {value}\n", _NAME)
    except SpecError:
        return False
    return bool(read.value["key"] == ([value] if in_flow else [value, {"key": value}]))


def _lines_behind_colon(value: Any, column: int) -> list[str]:
    """Write a list, a mapping or a text of several lines: what is behind the colon, and the lines below."""
    if not isinstance(value, str):
        return ["", *_block(value, column + _STEP)]
    lines = value.split("\n")
    if value != value.strip() or any(line != line.rstrip() for line in lines):
        return [f" {json.dumps(value, ensure_ascii=False)}"]
    indent = " " * (column + _STEP)
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
            first, *more = _block(entry, column + _STEP)
            lines += [f"{indent}- {first.lstrip(' ')}", *more]
        else:
            text = _scalar(entry, None, False) if isinstance(entry, str) else _flow(entry)
            lines.append(f"{indent}- {text}")
    return lines
