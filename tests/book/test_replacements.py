import pytest

from linkpress.book.spec import BookSpec, load_spec
from linkpress.errors import SpecError

SPEC = """\
title: A book
seed: 1
levels:
  - {name: Easy, count: 4, size: 7x5, paths: 4-6}
"""


@pytest.fixture
def load(tmp_path):
    def call(line):
        path = tmp_path / "spec.yaml"
        path.write_text(SPEC + line)
        return load_spec(path)

    return call


def test_numbers_and_their_replacements_are_read_in_order_and_written_back(load):
    spec = load("replace: {4: 2, 1: 1}\n")
    assert list(spec.replace.items()) == [(1, 1), (4, 2)]
    assert BookSpec.model_validate(spec.document()).document() == spec.document()
    assert "replace" not in load("").document()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("replace: 17", "replace: 17 — puzzle numbers"),
        ("replace: {5: 1}", "replace.5: .*the book has 4 puzzles"),
        ("replace: {1: 0}", "replace.1: 0 — "),
        ("replace: {0: 1}", "replace.0: 0 — a puzzle's printed number, 1 to 5000"),
        ("replace: {-1: 1}", "replace.-1: -1 — a puzzle's printed number"),
        ("replace: {one: 1}", "replace.one: one — a puzzle's printed number"),
        ("replace: {1: 1000}", "replace.1: 1000 — which replacement is wanted, 1 to 999"),
        ("replace: {2: [1]}", "replace.2: a list — which replacement"),
        ("replace: {2}", "replace.2: which replacement"),
        ("replace: {2: 1, 2: 2}", "replace.2: the key is given twice, first in line 5"),
        ("replace: [1]", "replace: .*list"),
    ],
)
def test_anything_else_is_a_problem_with_its_place(load, line, message):
    with pytest.raises(SpecError, match=r"spec\.yaml:5:\d+ " + message):
        load(line)
