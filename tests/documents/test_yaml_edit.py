"""Small edits that mend a broken YAML file."""

from pathlib import Path

import pytest

from linkpress.book.spec import read_spec
from linkpress.documents.yaml_edit import propose_mending
from linkpress.errors import SpecError

TEXT = """\
title: Small book
seed: 7
page: {trim: 6x9in}
cover: yes
levels:
  - name: Easy
    size: 5
    paths: 4
    count: 3
  - name: Hard
    size: 6       # squares
    paths: 4-5
    count: 2
"""


def read(text):
    """The problems of a text, and whether any of it can be read."""
    try:
        document = read_spec(Path("small.yaml"), text)
        return document.problems, document.model is not None
    except SpecError as error:
        return error.problems, False


def problems_of(text):
    problems, is_read = read(text)
    return problems if is_read else None


@pytest.mark.parametrize(
    ("right", "wrong", "line", "why"),
    [
        ("    count: 3", "   count: 3", 9, "begins one space too far to the left"),
        ("    size: 6 ", "  size: 6 ", 11, "begins two spaces too far to the left"),
        ("    paths: 4-5", "     paths: 4-5", 12, "begins one space too far to the right"),
        ("    count: 3", "       count: 3", 9, "begins three spaces too far to the right"),
        ("    count: 3", "\tcount: 3", 9, "begins with a tab"),
        ("seed: 7", "seed:7", 2, "space is missing after the colon"),
        ("seed: 7", "seed 7", 2, "colon is missing"),
        ("levels:\n", "levels  # all\n  # The first.\n", 5, "colon is missing"),
        ("  - name: Hard", "  -name: Hard", 10, "space is missing after the hyphen"),
        ("page: {trim: 6x9in}", "page: {trim: 6x9in", 3, "bracket { in line 3 has no end"),
        ("seed: 7", "seed: 7\nseed: 8", 3, "a second time"),
        ("cover: yes", "covr: yes", 4, "Did you mean “cover”?"),
        ("    count: 3", "    cout: 3", 9, "Did you mean “count”?"),
        ("cover: yes", "captions: {difficulty: mraks}", 4, "Did you mean “marks”?"),
        ("title: Small book", 'title: "Small book', 1, "quote in line 1 has no end"),
        ("title: Small book", "title: Small book: two", 1, "must be in quotes"),
        ("    paths: 4-5", "    paths: [4, 5", 12, "bracket [ in line 12 has no end"),
    ],
)
def test_a_mistake_in_one_line_is_mended(right, wrong, line, why):
    text = TEXT.replace(right, wrong, 1)
    mending = propose_mending(text, read(text)[0][0], problems_of)
    assert mending.line == line
    assert why in mending.why
    assert list(problems_of(mending.text)) == []


@pytest.mark.parametrize(
    ("right", "wrong"), [("count: 3", "count: three hundred"), ("cover: yes", "cover: yes: no")]
)
def test_nothing_is_proposed_that_would_leave_a_wrong_value(right, wrong):
    text = TEXT.replace(right, wrong)
    assert propose_mending(text, read(text)[0][0], problems_of) is None
