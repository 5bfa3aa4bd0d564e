import copy
import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.documents.yaml_edit import EditError, with_order, with_value, without
from linkpress.documents.yaml_source import MAX_BYTES, MAX_DEPTH, parse_yaml, read_yaml
from linkpress.errors import SpecError
from linkpress.resources import resource


def error_of(text):
    with pytest.raises(SpecError) as caught:
        parse_yaml(text, "a.yaml")
    return str(caught.value)


def test_scalars_stay_texts():
    text = "a: 017\nb: 1:30\nc: yes\nd: 2026-11-20\ne: .nan\nf: 0x1F\ng: 1e3\nh: 'null'\ni: ~\nj:\n"
    assert parse_yaml(text, "a.yaml").value == {
        "a": "017", "b": "1:30", "c": "yes", "d": "2026-11-20", "e": ".nan", "f": "0x1F", "g": "1e3",
        "h": "null", "i": None, "j": None,
    }  # fmt: skip


def test_a_problem_points_at_its_value_or_at_the_mapping_around_it():
    source = parse_yaml("page:\n  trim: A4\n", "config/a.yaml")
    assert str(source.problem(("page", "trim"), "A4", "no")) == "config/a.yaml:2:9 page.trim: A4 — no"
    assert str(source.problem(("page", "bleed"), "", "no")) == "config/a.yaml:2:3 page.bleed: no"
    assert str(source.problem(("page", "trim"), "", "no", at_key=True)) == "config/a.yaml:2:3 page.trim: no"


def test_a_duplicate_key_is_a_problem_and_the_first_value_is_used():
    source = parse_yaml("a: 1\nb: 2\na: 3\n", "a.yaml")
    assert source.value == {"a": "1", "b": "2"}
    assert [str(problem) for problem in source.problems] == [
        "a.yaml:3:1 a: the key is given twice, first in line 1; keep one"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("# nothing\n", "a.yaml:1:1 the file is empty"),
        ("- a\n", "a.yaml:1:1 a list — the file must be a mapping"),
        ("title", "a single value — the file must be a mapping"),
        ("a:\n\tb: 1\n", "a.yaml:2:1 a tab — indent with spaces"),
        ("a: 1\n---\nb: 2\n", "a.yaml:2:1 a second document begins here"),
        ("a: !!python/name:os.system x\n", "a.yaml:1:4 the tag"),
        ("a: *b\n", "a.yaml:1:1 this text has a special meaning"),
        ('a: "\\U00110000"\n', "not YAML that can be read"),
        ("a: &x [*x]\n", "or one contains itself; write it out"),
        ("a: " + "[" * (MAX_DEPTH + 1), f"nested more than {MAX_DEPTH} levels deep"),
        ("a: [" + "1," * 30_000 + "1]", "more than 20000 entries"),
    ],
)
def test_unreadable_yaml_is_a_single_problem(text, message):
    assert message in error_of(text)


def test_aliases_are_expanded_up_to_a_limit():
    assert parse_yaml("a: &x {b: 1}\nc: *x\n", "a.yaml").value["c"] == {"b": "1"}
    laughs = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )
    assert "the aliases expand to too much" in error_of(laughs)


def test_a_list_as_key_is_a_problem():
    assert "a key must be a single word" in str(parse_yaml("? [a]\n: 1\n", "a.yaml").problems[0])


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!|>'\"%#?,~ \n\t1é"), max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        parse_yaml(text, "a.yaml")
    except SpecError as error:
        assert str(error).startswith("a.yaml:")  # noqa: PT017 - either outcome is right


def test_a_byte_order_mark_is_left_out(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbftitle: \xc3\x9c")
    assert read_yaml(path).value == {"title": "Ü"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("title: Ü".encode("utf-16"), "UTF-16; save it as UTF-8"),
        ("title: Ü".encode("utf-32"), "UTF-32; save it as UTF-8"),
        ("title: Ü".encode("utf-16-le"), "NUL bytes"),
        (b"%PDF-1.3\n\0" + b"a" * MAX_BYTES, "this is a PDF; a YAML file is needed"),
        (b"PK\x03\x04\0", "this is a zip file, as e-books are; a YAML file is needed"),
        (b"{\\rtf1\\ansi title: A}", "this is a rich text of a word processor; a YAML file is needed"),
        ("a: 1\ntitle: Ü".encode("latin-1"), ":2:8 the byte 0xdc is not UTF-8"),
        (b"a: 1\nb: x\x07", ":2:5 the control character U+0007"),
        (b"\xed\xa0\x80", ":1:1 the byte 0xed"),
        (b"a" * (MAX_BYTES + 1), "larger than 1 MiB"),
    ],
)
def test_other_files_than_utf8_texts_are_refused(tmp_path, content, message):
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        read_yaml(path)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize("letter", ["\0", "\x1b", "\ufffe", "\ud800"])
def test_a_character_that_yaml_forbids_is_named_with_its_place(letter):
    with pytest.raises(
        SpecError, match=rf"^a\.yaml:2:5 the control character U\+{ord(letter):04X} is not allowed"
    ):
        parse_yaml(f"a: 1\nb: x{letter}", "a.yaml")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("", "this is a folder"), ("link.yaml", r"this is a link to gone\.yaml, which does not exist"),
        ("x" * 300, "can't be read"), ("a\0b", "can't be read"),
    ],
    ids=["folder", "link", "long", "NUL"],
)  # fmt: skip
def test_the_reason_why_a_path_can_t_be_read_is_reported(tmp_path, name, message):
    (tmp_path / "link.yaml").symlink_to("gone.yaml")
    with pytest.raises(SpecError, match=message):
        read_yaml(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "existing", "advice"),
    [
        ("book", "book.yaml", "did you mean `book.yaml`?"),
        ("book.yaml", "book.yaml.txt", "did you mean `book.yaml.txt`?"),
        ("boks.yml", "books.yml", "did you mean `books.yml`?"),
        ("book.yaml", "feed.yaml", "`linkpress init` writes one"),
        ("no folder/book.yaml", "book.yaml", "`linkpress init` writes one"),
    ],
)
def test_a_similar_file_is_suggested_for_a_missing_one(tmp_path, name, existing, advice):
    (tmp_path / existing).write_text("a: 1\n")
    with pytest.raises(SpecError, match=re.escape(f"there is no such file; {advice}")):
        read_yaml(tmp_path / name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: x\n  b: 1\n", "2:4 not valid YAML: this line is read as more of line 1, which lacks the colon"),
        ("a:\n    b: 1\n  c: 1\n", "3:3 not valid YAML: this line begins in another column than the lines"),
        ("a:\n  -{b: 1, c: 2}\n", "2:12 not valid YAML: a space is missing after the hyphen"),
        ("a: 1\nb:1\nc:\n  - 1\n", "3:1 not valid YAML: line 2 is no `key: value`"),
        ("a: [1, 2\nb: 1\n", "2:2 not valid YAML: the [ of line 1 has no end, or a comma is missing"),
        ('a: "x\nb: 1\n', "3:1 not valid YAML: the quote that begins in line 1 has no end"),
        ("a: [", "1:5 not valid YAML: while parsing a flow node, expected the node content"),
    ],
)
def test_syntax_errors_are_explained_in_plain_words(text, message):
    assert message in error_of(text)


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("a: 1\nb: Volume 1: Easy\n", "2:1", 'b: "Volume 1: Easy"'),
        ("l:\n  - {name: Vol. 1: Easy, n: 4}\n", "2:3", '- {name: "Vol. 1: Easy", n: 4}'),
        ("a: 'Tis the season\nb: 1\n", "1:1", 'a: "\'Tis the season"'),
        ("a: @home   # there\n", "1:1", 'a: "@home"   # there'),
    ],
)
def test_quotes_are_suggested_for_a_text_with_special_characters(text, place, line):
    message = f"a.yaml:{place} this text has a special meaning in YAML; put it in quotes: {line}"
    assert error_of(text) == message


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("cover:\n  back: #0B6E4F\n", "2:9", 'back: "#0B6E4F"'),
        ("l:\n  - #fff\n  - a\n", "2:5", '- "#fff"'),
        ("t: #1 Puzzles\n", "1:4", 't: "#1 Puzzles"'),
        ("l: [#0B6E4F,\n  a]\n", "1:5", 'l: ["#0B6E4F",'),
    ],
)
def test_quotes_are_suggested_for_a_colour_that_yaml_takes_for_a_comment(text, place, line):
    (problem,) = parse_yaml(text, "a.yaml").problems
    assert f"{problem.line}:{problem.column}" == place
    assert problem.message == (f"YAML takes everything after # for a comment; put it in quotes: {line}")


def test_a_real_comment_after_an_empty_key_is_no_problem():
    assert parse_yaml("a: # 0B6E4F\nb: #todo\n", "a.yaml").problems == ()


def test_a_colour_taken_for_a_comment_inside_braces_is_reported_in_its_line():
    message = error_of("a: 1\ncover: {back: #0B6E4F}\nb: 2\n")
    assert message.startswith("a.yaml:2:15 #0B6E4F — ")
    assert message.endswith('put it in quotes: cover: {back: "#0B6E4F"}')


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
    ("edited", "old", "new"),
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
def test_an_edit_changes_only_the_characters_of_the_value(edited, old, new):
    places = (at for at in range(len(TEXT) + 1) if TEXT.startswith(old, at))
    assert edited() in [TEXT[:at] + new + TEXT[at + len(old) :] for at in places]


def test_entries_are_copied_and_moved_with_their_comments():
    copied = with_order(TEXT, ("levels",), [0, 1, 1])
    assert copied.count("count: 3   # three") == 2
    one, two, three = (
        "  # One.\n  - {text: 1}\n",
        "  # Two,\n  # still two.\n  - text: |\n      2\n      # of it\n",
        "  - {text: 3}\n",
    )
    commented, moved = f"back:\n{one}\n{two}{three}", f"back:\n{two}\n{three}{one}"
    assert with_order(commented, ("back",), [1, 2, 0]) == moved
    assert with_order(with_order(TEXT, ("levels",), [1, 0]), ("levels",), [1, 0]) == TEXT


def test_windows_line_ends_are_kept():
    text = with_value(TEXT.replace("\n", "\r\n"), ("page", "bleed"), "yes")
    assert text == with_value(TEXT, ("page", "bleed"), "yes").replace("\n", "\r\n")


def test_a_value_shared_by_an_alias_can_t_be_edited():
    with pytest.raises(EditError, match="change it in the text"):
        with_value("a: &x {size: 7}\nb: *x\n", ("b", "size"), "8")


def test_an_empty_text_begins_with_the_first_key():
    assert with_value("", ("page", "trim"), "A5") == "page: {trim: A5}\n"


_WORDS = st.sampled_from(
    [
        "7", "a: b", "yes", "# x", "'q'", "", "null", "two\nlines", "[x", "{a}", 'say "hi"', "a, b", "trail ",
        "-",
    ],
)  # fmt: skip
_VALUES = st.one_of(
    _WORDS, st.lists(_WORDS, min_size=1, max_size=3), st.dictionaries(_WORDS.filter(bool), _WORDS, min_size=1)
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BOOKS), st.data())
def test_random_edits_change_only_their_value_and_keep_comments(book, data):
    text = book.read_text(encoding="utf-8")
    comments = [line for line in text.splitlines() if line.startswith("#")]
    for _ in range(4):
        expected = copy.deepcopy(parse_yaml(text, "").value)
        path = data.draw(st.sampled_from(list(_paths(expected))))
        value = data.draw(_VALUES)
        parent = expected
        for step in path[:-1]:
            parent = parent[step]
        parent[path[-1]] = value
        text = with_value(text, path, value)
        assert parse_yaml(text, "").value == expected
    assert [line for line in text.splitlines() if line in comments] == comments


def _paths(value, path=()):
    entries = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in entries:
        yield (*path, step)
        if isinstance(inner, (dict, list)):
            yield from _paths(inner, (*path, step))


def test_a_moved_key_is_reported_as_the_user_wrote_it():
    source = parse_yaml("mix:\n  gentle: 60\n", "a.yaml")
    moved = dataclasses.replace(source, typed={("levels", 0): ("mix", "gentle")})
    assert str(moved.problem(("levels", 0, "count"), "60", "too many")) == (
        "a.yaml:2:11 mix.gentle.count: 60 — too many"
    )
