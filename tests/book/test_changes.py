"""Changes to the spec of a finished book, from the command line and from a file."""

import pytest

from linkpress.book.spec import BookSpec, read_changes, with_printing_changes
from linkpress.documents.yaml_source import parse_yaml
from linkpress.errors import SpecError, UsageError

SPEC = BookSpec.model_validate(
    {
        "title": "Link", "author": "A. Nyone", "seed": 1, "page": {"printer": "lulu", "trim": "6x9in"},
        "cover": {"blurb": "Nice.", "spine_mm": 9},
        "levels": [
            {"name": "A", "count": 3, "size": 7, "per_page": 1},
            {"name": "B", "count": 3, "size": 7, "per_page": 2},
        ],
    },
)  # fmt: skip


def changed(text, *words):
    return with_printing_changes(
        SPEC, read_changes(words), parse_yaml(text, "changes.yaml") if text else None
    )


def test_mappings_are_changed_key_by_key_and_lists_as_a_whole():
    spec = changed("page: {trim: A5}\ncover:\n  blurb: Nicer.\nfront:\n  - {text: Hello}\n")
    assert (spec.page.printer, spec.page.trim.text) == ("lulu", "A5")
    assert (spec.cover.blurb, spec.cover.spine_mm) == ("Nicer.", 9)
    assert [page.text for page in spec.front] == ["Hello"]
    assert spec.levels == SPEC.levels


def test_a_level_is_changed_by_its_place_in_a_list_or_by_its_index():
    for spec in (changed("levels:\n  -\n  - {per_page: 4}\n"), changed("", "levels[1].per_page=4")):
        assert [level.per_page for level in spec.levels] == [1, 4]


def test_entries_can_be_added_and_removed():
    spec = changed("front: [{text: A}, {text: B}]\n", "front[3].text=D", "front[2].text=C", "front[0]=")
    assert [page.text for page in spec.front] == ["B", "C", "D"]
    with pytest.raises(SpecError, match="front: a mapping"):
        changed("front: {3: {text: A}}\n")


def test_the_command_line_wins_over_the_file():
    spec = changed("edition: First\nisbn: 978-3-16-148410-0\n", "edition=Second: the better", "author=")
    assert (spec.edition, spec.author) == ("Second: the better", None)
    assert spec.isbn is not None


def test_yes_keeps_the_keys_of_a_part_and_no_removes_it():
    assert changed("", "cover=Yes").cover == SPEC.cover
    assert changed("cover: off\n").cover is None


def test_lists_and_mappings_are_given_in_brackets():
    spec = changed("", 'series={name: Evenings, colours: ["#ffffff", K50]}')
    assert (spec.series.name, len(spec.series.colours)) == ("Evenings", 2)


def test_a_text_that_begins_with_a_brace_is_given_in_double_quotes():
    assert changed("", 'words.solution_on="{page}: answer"').wording().solution_on == "{page}: answer"
    assert changed("", 'title=\'Tis "Ten"').title == '\'Tis "Ten"'


def test_all_problems_of_a_file_are_reported_with_their_places():
    text = "seed: 2\nreplace: {1: 1}\nisbn: 1\nlevels:\n  - {size: 9}\n  - {name: C, naem: D}\ncolour: red\n"
    with pytest.raises(SpecError) as caught:
        changed(text)
    places = [line.split(": ")[0] for line in str(caught.value).splitlines()]
    assert places == [
        "changes.yaml:1:7 seed", "changes.yaml:2:10 replace", "changes.yaml:3:7 isbn",
        "changes.yaml:5:12 levels[0].size", "changes.yaml:6:12 levels[1].name",
        "changes.yaml:6:15 levels[1].naem", "changes.yaml:7:1 colour",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["page.trim=3x", "seed=2"], "page.trim 3x: .*; seed 2: the puzzles come from this key"),
        (["levels[0].difficulty=hard"], r"levels\[0\]\.difficulty: .*build anew"),
        (["levels[2].per_page=2"], "levels: the book has 2; change them in their order"),
        (["levels="], "levels: the book has 2"),
        (["levels[9].per_page=2"], r"levels\[9\]: there is no such entry\. There are 2, counted from \[0\]"),
        (["page..trim=A5"], "--set page..trim=A5: write key=value"),
        (["author"], "--set author: write key=value"),
        (["base=a.yaml"], "base a.yaml: a base is only read"),
        (
            ["words.solution_on={page}’s answer"],
            r"""begins with \{ is read as YAML.*: --set 'words.solution_on="\{page\}’s answer"'\.$""",
        ),
        (['title="Ten" hard ones'], r"""--set 'title="\\"Ten\\" hard ones"'\.$"""),
    ],
)
def test_invalid_changes_are_refused(words, message):
    with pytest.raises((UsageError, SpecError), match=message):
        changed("", *words)


def test_problems_of_file_and_command_line_are_told_apart():
    with pytest.raises(SpecError, match=r"^changes.yaml:1:7 isbn: 1 .*\nthe command line: year: soon"):
        changed("isbn: 1\n", "year=soon")
