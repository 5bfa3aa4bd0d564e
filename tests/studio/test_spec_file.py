"""A spec that is open: edits, undo and redo, what others write meanwhile."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from studio_samples import SPEC

from linkpress.book.spec import BookSpec, load_spec, read_spec
from linkpress.documents.yaml_source import parse_yaml
from linkpress.studio.facts import book_form
from linkpress.studio.spec_file import Change, ConflictError, RefusedError, SpecFile


@pytest.fixture
def spec(folder: Path) -> SpecFile[BookSpec]:
    return SpecFile(folder / "small.yaml", BookSpec, read_spec)


def test_a_change_is_in_the_file_at_once_and_can_be_taken_back(spec: SpecFile[BookSpec]) -> None:
    spec.change(Change("set", ("title",), "Other"))
    assert spec.path.read_text() == SPEC.replace("Small book ", "Other ")
    spec.undo()
    assert spec.path.read_text() == SPEC
    spec.redo()
    assert load_spec(spec.path).title == "Other"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (("page", "trim"), "large", "a page size is written"),
        (("levels", 0, "paths"), "20", "a board of 5x5 has 25 free"),
        (("titel",), "x", "did you mean `title`"),
    ],
)
def test_a_wrong_value_is_refused_in_the_words_of_check_and_not_written(
    spec: SpecFile[BookSpec], path: Any, value: str, said: str
) -> None:
    with pytest.raises(RefusedError, match=said):
        spec.change(Change("set", path, value))
    assert spec.path.read_text() == SPEC


def test_what_another_program_wrote_stays_and_can_be_taken_back(spec: SpecFile[BookSpec]) -> None:
    spec.path.write_text(SPEC.replace("seed: 7", "seed: 8"))
    spec.change(Change("set", ("title",), "Other"))
    assert (load_spec(spec.path).seed, load_spec(spec.path).title) == (8, "Other")
    spec.undo()
    spec.undo()
    assert spec.path.read_text() == SPEC


def test_a_text_made_from_an_older_one_is_not_written(spec: SpecFile[BookSpec]) -> None:
    spec.path.write_text(SPEC.replace("seed: 7", "seed: 8"))
    with pytest.raises(ConflictError):
        spec.replace_text(SPEC + "author: Me\n", spec.version)
    assert "seed: 8" in spec.path.read_text()


def test_a_text_that_is_no_yaml_has_one_problem_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "my books.yaml"
    path.write_text("title: Small\nlevels: [1\n")
    (problem,) = SpecFile(path, BookSpec, read_spec).document.problems
    assert (problem.line, problem.column, problem.key) == (3, 1, ())
    assert problem.text.startswith("not valid YAML")


def test_a_key_of_a_named_theme_makes_a_theme_upon_it(spec: SpecFile[BookSpec]) -> None:
    spec.change(Change("set", ("theme",), "bold"))
    spec.change(Change("set", ("theme", "grid", "inner_pt"), "1"))
    assert parse_yaml(spec.text, "").value["theme"] == {"base": "bold", "grid": {"inner_pt": "1"}}


def test_300_random_changes_of_the_form_leave_comments_and_other_keys_alone(spec: SpecFile[BookSpec]) -> None:
    dice = random.Random(1)
    fields = list(_fields([field for tab in book_form() for field in tab["fields"]], ()))
    values = ["yes", "no", "2", "7", "A5", "bold", "A text", "12 %", "#336699", "3-5", "de"]
    wanted = parse_yaml(spec.text, "").value
    taken = 0
    for _ in range(300):
        path, value = dice.choice(fields), dice.choice(values)
        try:
            spec.change(Change("set", path, value))
        except RefusedError:
            assert parse_yaml(spec.path.read_text(), "").value == wanted
            continue
        taken += 1
        inner = wanted
        for step in path[:-1]:
            if isinstance(inner, dict) and not isinstance(inner.get(step), (dict, list)):
                named = inner.get(step)
                inner[step] = {"base": named} if step == "theme" and named else {}
            inner = inner[step]
        inner[path[-1]] = value
        assert parse_yaml(spec.path.read_text(), "").value == wanted
    assert taken > 60
    assert all(comment in spec.text for comment in ("# A book to try things on.", "# The first level."))


def _fields(fields: list[dict[str, Any]], path: tuple[str | int, ...]) -> Any:
    for field in fields:
        here = (*path, field["key"])
        if field["many"] and field["fields"]:
            if here == ("levels",):
                yield from (p for level in (0, 1) for p in _fields(field["fields"], (*here, level)))
        elif field["fields"] and not field["allowed"]:
            yield from _fields(field["fields"], here)
        else:
            yield here
