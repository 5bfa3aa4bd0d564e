"""Edits of a YAML text: the wanted value changes, and nothing else does."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.documents.problem import KeyPath
from linkpress.documents.yaml_edit import EditError, with_order, with_value, without
from linkpress.documents.yaml_source import parse_yaml
from linkpress.resources import resource

TEXT = """\
# The book.
title: 'Old'   # kept
page:
  trim: 6x9in  # a comment

levels:
  - {name: Easy, count: 2}
  # about Hard
  - name: Hard
    count: 3   # three
cover: yes
"""
BOOKS = sorted(resource("config", "books").glob("*.yaml"))


@pytest.mark.parametrize(
    ("edited", "gone", "come"),
    [
        (lambda: with_value(TEXT, ("title",), "It's"), "'Old'", "'It''s'"),
        (lambda: with_value(TEXT, ("title",), "a: b"), "'Old'", "'a: b'"),
        (lambda: with_value(TEXT, ("page", "trim"), "A: 5"), "6x9in", '"A: 5"'),
        (lambda: with_value(TEXT, ("page", "bleed"), "yes"), "", "  bleed: yes\n"),
        (lambda: with_value(TEXT, ("page", "paper"), "x", ["paper", "trim"]), "", "paper: x\n  "),
        (lambda: with_value(TEXT, ("cover", "boards"), "2"), " yes", " {boards: 2}"),
        (lambda: with_value(TEXT, ("levels", 0, "size"), "7"), "", ", size: 7"),
        (lambda: with_value(TEXT, ("author",), "two\nlines"), "", "author: |-\n  two\n  lines\n"),
        (lambda: without(TEXT, ("levels", 0, "count")), ", count: 2", ""),
        (lambda: without(TEXT, ("page", "trim")), "page:\n  trim: 6x9in  # a comment\n", ""),
        (lambda: without(TEXT, ("levels", 1, "name")), "name: Hard\n    ", ""),
    ],
)  # fmt: skip
def test_an_edit_changes_these_characters_alone(edited: Any, gone: str, come: str) -> None:
    places = (at for at in range(len(TEXT) + 1) if TEXT.startswith(gone, at))
    assert edited() in [TEXT[:at] + come + TEXT[at + len(gone) :] for at in places]


def test_a_copied_entry_has_its_comments_and_moved_ones_change_places() -> None:
    copied = with_order(TEXT, ("levels",), [0, 1, 1])
    assert copied.count("count: 3   # three") == 2
    assert with_order(with_order(TEXT, ("levels",), [1, 0]), ("levels",), [1, 0]) == TEXT


def test_windows_line_ends_stay() -> None:
    text = with_value(TEXT.replace("\n", "\r\n"), ("page", "bleed"), "yes")
    assert text == with_value(TEXT, ("page", "bleed"), "yes").replace("\n", "\r\n")


def test_a_value_that_an_alias_shares_is_refused() -> None:
    with pytest.raises(EditError, match="change it in the text"):
        with_value("a: &x {size: 7}\nb: *x\n", ("b", "size"), "8")


def test_an_empty_text_begins_with_the_first_key() -> None:
    assert with_value("", ("page", "trim"), "A5") == "page: {trim: A5}\n"


_WORDS = st.sampled_from(
    [
        "7",
        "a: b",
        "yes",
        "# x",
        "'q'",
        "",
        "null",
        "two\nlines",
        "[x",
        "{a}",
        'say "hi"',
        "a, b",
        "trail ",
        "-",
    ]
)
_VALUES = st.one_of(
    _WORDS, st.lists(_WORDS, min_size=1, max_size=3), st.dictionaries(_WORDS.filter(bool), _WORDS, min_size=1)
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BOOKS), st.data())
def test_any_edits_of_a_book_give_the_wanted_values_and_keep_its_comments(book: Any, data: Any) -> None:
    text = book.read_text(encoding="utf-8")
    comments = [line for line in text.splitlines() if line.startswith("#")]
    for _ in range(4):
        wanted = copy.deepcopy(parse_yaml(text, "").value)
        path = data.draw(st.sampled_from(list(_paths(wanted))))
        value = data.draw(_VALUES)
        parent = wanted
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = value
        text = with_value(text, path, value)
        assert parse_yaml(text, "").value == wanted
    assert [line for line in text.splitlines() if line in comments] == comments


def _paths(value: Any, path: KeyPath = ()) -> Iterator[KeyPath]:
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in entries:
        yield (*path, step)
        if isinstance(inner, (dict, list)):
            yield from _paths(inner, (*path, step))
