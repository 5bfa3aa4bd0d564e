import re
from typing import Annotated

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from linkpress.documents.models import SpecModel, descriptions_of, load_model, read_document, read_values
from linkpress.documents.problem import InvalidError, Problem
from linkpress.documents.shipped_files import THEMES
from linkpress.documents.values import line_of_text, whole_number
from linkpress.documents.yaml_source import parse_yaml
from linkpress.errors import SpecError


class Shelf(SpecModel):
    name: Annotated[str, line_of_text(10)]
    low: Annotated[int, whole_number(0, 9)] = 0
    high: Annotated[int, whole_number(0, 9)] = 9

    def problems(self, readable):
        if self.low > self.high:
            yield Problem(str(self.low), "above `high`", ("low",))


class Case(SpecModel):
    shelves: Annotated[tuple[Shelf, ...], Field(min_length=1)]
    spare: Shelf | None = None


def problems_of(text):
    with pytest.raises(SpecError) as caught:
        read_document(parse_yaml(text, "a.yaml"), Case).checked()
    return str(caught.value).splitlines()


def test_a_document_is_read_into_the_model(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("shelves:\n  - {name: top, low: 3}\nspare:\n", encoding="utf-8")
    assert load_model(path, Case) == Case(shelves=(Shelf(name="top", low=3),))


def test_all_problems_are_listed_in_the_order_of_the_file():
    text = """\
shelvs: 1
spare: {low: 3, name: [x]}
shelves:
  - {name: a, low: 10}
  - {name: b, low: 5, high: 3, width: 2}
  - foo
  - {low: 1}
"""
    assert problems_of(text) == [
        "a.yaml:1:1 shelvs: there is no such key; did you mean `shelves`?",
        "a.yaml:2:23 spare.name: a list — text, up to 10 characters",
        "a.yaml:4:20 shelves[0].low: 10 — a whole number from 0 to 9 is allowed",
        "a.yaml:5:20 shelves[1].low: 5 — above `high`",
        "a.yaml:5:32 shelves[1].width: there is no such key; allowed here: name, low, high",
        "a.yaml:6:5 shelves[2]: foo — a mapping, lines of `key: value` set in by two spaces, is needed",
        "a.yaml:7:5 shelves[3].name: this key is needed: text, up to 10 characters",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("\n", "1:1 shelves: this key is needed"),  # an empty key counts as missing
        ("\n  - name:\n", "2:5 shelves[0].name: this key is needed: text, up to 10 characters"),
        (" []\n", "1:10 shelves: nothing — at least one entry, beginning with `- `, is needed"),
        (
            "\n  -\n",
            "2:4 shelves[0]: nothing — a mapping, lines of `key: value` set in by two spaces, is needed",
        ),
        (" {name: a}\n", "1:10 shelves: a mapping — a list, each entry beginning with `- `, is needed"),
    ],
)
def test_a_list_with_missing_entries_is_reported(text, message):
    assert problems_of(f"shelves:{text}") == [f"a.yaml:{message}"]


def test_a_key_given_twice_is_listed_with_the_other_problems():
    lines = problems_of("shelves: [{name: a}]\nspare: {name: b, low: x}\nspare: {}\n")
    assert [line.split(": ")[0] for line in lines] == ["a.yaml:2:23 spare.low", "a.yaml:3:1 spare"]


def test_no_more_than_forty_problems_are_listed():
    lines = problems_of("shelves:\n" + "  - {name: a, low: x}\n" * 50)
    assert (len(lines), lines[-1]) == (41, "… and 10 more")


class Style(SpecModel):
    theme: Annotated[str, line_of_text(20), THEMES] = "classic"
    low: Annotated[int, whole_number(0, 9)] = 0


def test_a_missing_file_is_reported_with_the_other_problems(tmp_path):
    with pytest.raises(SpecError) as caught:
        read_document(parse_yaml("low: x\ntheme: clasic\n", "a.yaml"), Style, check_files=True).checked()
    low, theme = str(caught.value).splitlines()
    assert low.startswith("a.yaml:1:6 low: x")
    assert theme.startswith("a.yaml:2:8 theme: clasic — there is no such theme and no such file.")


def test_the_length_of_a_list_is_limited():
    class Few(SpecModel):
        names: Annotated[tuple[Annotated[str, line_of_text(9)], ...], Field(max_length=2)] = ()

    with pytest.raises(SpecError, match=r"a\.yaml:1:8 names: 3 entries — at most 2 are allowed"):
        read_document(parse_yaml("names: [a, a, a]\n", "a.yaml"), Few).checked()


def test_values_of_a_script_are_checked_too():
    with pytest.raises(InvalidError) as caught:
        read_values({"shelves": [{"name": "a", "low": 5, "high": 3}], "spare": None, "more": 1}, Case)
    assert [problem.key for problem in caught.value.problems] == [("more",), ("shelves", 0, "low")]
    with pytest.raises(ValidationError, match="above `high`"):
        Shelf(name="a", low=5, high=3)


VALUES = st.none() | st.sampled_from(["a", "3", "5", "12", ""]) | st.lists(st.just("a"), max_size=1)
SHELVES = st.dictionaries(st.sampled_from(["name", "low", "high", "more"]), VALUES)


@settings(deadline=None, max_examples=200)
@given(
    st.fixed_dictionaries(
        {"shelves": VALUES | st.lists(SHELVES | VALUES, max_size=3)}, optional={"spare": VALUES | SHELVES}
    )
)
def test_pydantic_reads_any_document_to_the_same_model(document):
    def outcome(read):
        try:
            return read()
        except (InvalidError, ValidationError):
            return None

    assert outcome(lambda: read_values(document, Case)) == outcome(
        lambda: Case.model_validate(without_empty_keys(document))
    )


def without_empty_keys(value):
    """Return a document without its empty keys, which pydantic would read as the value None."""
    if isinstance(value, dict):
        return {key: without_empty_keys(inner) for key, inner in value.items() if inner is not None}
    return [without_empty_keys(inner) for inner in value] if isinstance(value, list) else value


def test_the_text_below_a_field_describes_its_key():
    class Board(SpecModel):
        low: Annotated[int, whole_number(0, 9)] = 0
        """The lowest
        shelf."""
        high: Annotated[int, whole_number(0, 9), Field(alias="top", description="The highest shelf.")] = 9
        plain: Annotated[int, whole_number(0, 9)] = 0

    class Wide(Board):
        width: Annotated[int, whole_number(0, 9)] = 0
        """Its width."""

    assert descriptions_of(Wide) == {
        "low": "The lowest shelf.",
        "top": "The highest shelf.",
        "width": "Its width.",
    }
    assert Wide.model_json_schema()["properties"]["low"]["description"] == "The lowest shelf."


class Box(SpecModel):
    weight: Annotated[int | None, whole_number(0, 9)] = None
    colours: Annotated[int | None, whole_number(0, 9)] = None


class Room(SpecModel):
    boxes: Annotated[tuple[Box, ...], Field(min_length=1)]
    colour: Annotated[int | None, whole_number(0, 9)] = None


@pytest.mark.parametrize(
    ("key", "expected"),
    [("color", "; did you mean `colour`"), ("wieght", " here; did you mean `boxes[].weight`"),
     ("colours", "; did you mean `colour`")],
)  # fmt: skip
def test_a_similar_key_is_suggested_for_an_unknown_one(key, expected):
    source = parse_yaml(f"boxes: [{{}}]\n{key}: 1\n", "a.yaml")
    with pytest.raises(SpecError, match=re.escape(f"there is no such key{expected}?")):
        read_document(source, Room).checked()
