from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkpress.documents.yaml_source import MAX_BYTES, MAX_DEPTH, parse_yaml, read_yaml
from linkpress.errors import SpecError


def fault_of(text: str) -> str:
    with pytest.raises(SpecError) as caught:
        parse_yaml(text, "a.yaml")
    return str(caught.value)


def outcome(text: str) -> tuple[bool, str]:
    try:
        parse_yaml(text, "a.yaml")
    except SpecError as fault:
        return False, str(fault)
    return True, ""


def test_scalars_stay_the_text_that_was_written() -> None:
    text = "a: 017\nb: 1:30\nc: yes\nd: 2026-11-20\ne: .nan\nf: 0x1F\ng: 1e3\nh: 'null'\ni: ~\nj:\n"
    assert parse_yaml(text, "a.yaml").value == {
        "a": "017",
        "b": "1:30",
        "c": "yes",
        "d": "2026-11-20",
        "e": ".nan",
        "f": "0x1F",
        "g": "1e3",
        "h": "null",
        "i": None,
        "j": None,
    }


def test_every_key_path_has_its_place() -> None:
    source = parse_yaml("title: x\nlevels:\n  - name: Easy\n    size: [7, 7x9]\n", "a.yaml")
    assert source.places["title",] == (1, 8, "a.yaml")
    assert source.key_places["levels", 0, "size"] == (4, 5, "a.yaml")
    assert source.places["levels", 0, "size", 1] == (4, 15, "a.yaml")


def test_a_problem_stands_at_its_value_or_at_what_encloses_it() -> None:
    source = parse_yaml("page:\n  trim: A4\n", "config/a.yaml")
    assert str(source.problem(("page", "trim"), "A4", "no")) == "config/a.yaml:2:9 page.trim: A4 — no"
    assert str(source.problem(("page", "bleed"), "", "no")) == "config/a.yaml:2:3 page.bleed: no"
    assert str(source.problem(("page", "trim"), "", "no", at_key=True)) == "config/a.yaml:2:3 page.trim: no"


def test_a_key_given_twice_is_a_problem_and_the_first_stands() -> None:
    source = parse_yaml("a: 1\nb: 2\na: 3\n", "a.yaml")
    assert source.value == {"a": "1", "b": "2"}
    assert [str(problem) for problem in source.problems] == [
        "a.yaml:3:1 a: the key is given twice, first in line 1; keep one"
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a.yaml:1:1 the file is empty"),
        ("# nothing\n", "the file is empty"),
        ("- a\n", "a.yaml:1:1 a list — the file must be a mapping"),
        ("title", "a single value — the file must be a mapping"),
        ("a:\n\tb: 1\n", "a.yaml:2:1 a tab — indent with spaces"),
        ("a: 1\n---\nb: 2\n", "a.yaml:2:1 a second document begins here"),
        ("a: !!python/name:os.system x\n", "a.yaml:1:4 the tag"),
        ("a: *b\n", "a.yaml:1:1 YAML reads this text as more"),
        ("a: b: c\n", "a.yaml:1:1 YAML reads this text as more"),
        ("a: 'x\n", "a.yaml:1:1 YAML reads this text as more"),
        ('a: "\\U00110000"\n', "not YAML that can be read"),
        ("a: &x [*x]\n", "or one contains itself; write it out"),
        ("a: " + "[" * (MAX_DEPTH + 1), f"nested more than {MAX_DEPTH} levels deep"),
        ("a: [" + "1," * 30_000 + "1]", "more than 20000 entries"),
    ],
)
def test_what_can_not_be_read_is_one_clear_problem(text: str, said: str) -> None:
    assert said in fault_of(text)


def test_aliases_are_followed_but_not_without_bound() -> None:
    assert parse_yaml("a: &x {b: 1}\nc: *x\n", "a.yaml").value["c"] == {"b": "1"}
    laughs = "a0: &a0 [1,1,1,1,1,1,1,1,1,1]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)
    )
    assert "the aliases expand to too much" in fault_of(laughs)


def test_a_key_that_is_no_word_is_a_problem() -> None:
    assert "a key must be a single word" in str(parse_yaml("? [a]\n: 1\n", "a.yaml").problems[0])


def test_a_file_is_named_as_the_user_named_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.yaml").write_text("a: [", encoding="utf-8")
    with pytest.raises(SpecError, match=r"^a\.yaml:1:5 not valid YAML"):
        read_yaml(Path("a.yaml"))


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet=st.sampled_from("ab:-[]{}&*!|>'\"%#?,~ \n\t1é"), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    read, said = outcome(text)
    assert read or said.startswith("a.yaml:")


def test_a_byte_order_mark_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"\xef\xbb\xbftitle: \xc3\x9c")
    assert read_yaml(path).value == {"title": "Ü"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("title: Ü".encode("utf-16"), "UTF-16; save it as UTF-8"),
        ("title: Ü".encode("utf-32"), "UTF-32; save it as UTF-8"),
        ("title: Ü".encode("utf-16-le"), "NUL bytes"),
        (b"%PDF-1.3\n\0" + b"a" * MAX_BYTES, "this is a PDF; a YAML file is needed"),
        (b"PK\x03\x04\0", "this is a zip file, as e-books are; a YAML file is needed"),
        ("a: 1\ntitle: Ü".encode("latin-1"), ":2:8 the byte 0xdc is not UTF-8"),
        (b"a: 1\nb: x\x07", ":2:5 the control character U+0007"),
        (b"\xed\xa0\x80", ":1:1 the byte 0xed"),
        (b"a" * (MAX_BYTES + 1), "larger than 1 MiB"),
    ],
)
def test_what_is_no_plain_utf8_text_is_refused_with_its_place(
    tmp_path: Path, content: bytes, said: str
) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(content)
    with pytest.raises(SpecError) as caught:
        read_yaml(path)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_file_of_just_the_limit_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_bytes(b"a: " + b"x" * (MAX_BYTES - 3))
    assert len(read_yaml(path).value["a"]) == MAX_BYTES - 3


def test_a_folder_and_a_missing_file_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="this is a folder"):
        read_yaml(tmp_path)
    with pytest.raises(SpecError, match="no such file"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(SpecError, match="can't be read"):
        read_yaml(tmp_path / ("x" * 300))
    with pytest.raises(SpecError, match="can't be read"):
        read_yaml(Path("a\0b"))


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("a: 1\nb: Volume 1: Easy\n", "2:1", 'b: "Volume 1: Easy"'),
        ("l:\n  - {name: Vol. 1: Easy, n: 4}\n", "2:3", '- {name: "Vol. 1: Easy", n: 4}'),
        ("a: 'Tis the season\nb: 1\n", "1:1", 'a: "\'Tis the season"'),
        ("a: @home   # there\n", "1:1", 'a: "@home"   # there'),
    ],
)
def test_a_text_that_yaml_reads_otherwise_is_shown_in_quotes(text: str, place: str, line: str) -> None:
    message = f"a.yaml:{place} YAML reads this text as more than text; put it in quotes: {line}"
    assert fault_of(text) == message


@pytest.mark.parametrize(
    ("text", "place", "line"),
    [
        ("cover:\n  back: #0B6E4F\n", "2:9", 'back: "#0B6E4F"'),
        ("l:\n  - #fff\n  - a\n", "2:5", '- "#fff"'),
        ("t: #1 Puzzles\n", "1:4", 't: "#1 Puzzles"'),
        ("l: [#0B6E4F,\n  a]\n", "1:5", 'l: ["#0B6E4F",'),
    ],
)
def test_a_colour_that_yaml_takes_for_a_comment_is_shown_in_quotes(text: str, place: str, line: str) -> None:
    (problem,) = parse_yaml(text, "a.yaml").problems
    assert f"{problem.line}:{problem.column}" == place
    assert problem.message == (
        f"what follows # is a comment, so nothing stands here; put it in quotes: {line}"
    )


def test_a_comment_behind_a_key_without_a_value_is_left_alone() -> None:
    assert parse_yaml("a: # 0B6E4F\nb: #todo\nc:   # as it is\n", "a.yaml").problems == ()


def test_a_lost_colour_within_braces_that_do_not_close_is_told_in_its_line() -> None:
    found = fault_of("a: 1\ncover: {back: #0B6E4F}\nb: 2\n")
    assert found.startswith("a.yaml:2:15 #0B6E4F — ")
    assert found.endswith('put it in quotes: cover: {back: "#0B6E4F"}')
