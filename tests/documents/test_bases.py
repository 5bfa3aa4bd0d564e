import hashlib
import sys
from pathlib import Path
from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from linkpress.book.spec import BookSpec
from linkpress.documents.models import MAX_BASES, Spec, SpecModel, read_document, read_with_base
from linkpress.documents.problem import Problem, problem_lines
from linkpress.documents.shipped_files import THEMES, HoldsPaths
from linkpress.documents.values import YesNo, line_of_text, whole_number
from linkpress.errors import SpecError


class Page(SpecModel):
    low: Annotated[int, whole_number(0, 9)] = 0
    high: Annotated[int, whole_number(0, 9)] = 9
    wide: YesNo = False

    def problems(self, readable):
        if self.low > self.high:
            yield Problem(str(self.low), "above `high`", ("low",))


class Section(SpecModel):
    name: Annotated[str, line_of_text(10)]
    boards: Annotated[str | None, line_of_text(40), HoldsPaths()] = None


class Shelf(Spec):
    title: Annotated[str, line_of_text(10)]
    page: Page = Page()
    font: Annotated[str | None, line_of_text(40), HoldsPaths()] = None
    theme: Annotated[str, line_of_text(40), THEMES] = "classic"
    sections: Annotated[tuple[Section, ...], Field(max_length=9)] = ()


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(**files):
    """Write the files and read ``vol.yaml``; ``__`` in a name means ``/``."""
    for name, text in files.items():
        path = Path(f"{name.replace('__', '/')}.yaml")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_document(read_with_base(Path("vol.yaml"), Shelf), Shelf).checked()


def problems(**files):
    with pytest.raises(SpecError) as caught:
        read(**files)
    return str(caught.value).splitlines()


HOUSE = "page: {low: 1, high: 5}\nfont: a.ttf\nsections: [{name: A}, {name: B}]\n"


def test_mappings_are_merged_by_key_and_lists_are_replaced():
    shelf = read(house=HOUSE, vol="base: house.yaml\ntitle: V\npage: {low: 2}\nsections: [{name: C}]\n")
    merged = Shelf(title="V", page=Page(low=2, high=5), font="a.ttf", sections=(Section(name="C"),))
    assert shelf.model_dump() == merged.model_dump()


def test_an_empty_key_removes_the_base_s_value_and_yes_keeps_it():
    shelf = read(house=HOUSE, vol="base: house.yaml\ntitle: V\npage: yes\nfont:\n")
    assert (shelf.font, shelf.page.high) == (None, 5)


def test_each_problem_is_reported_in_the_file_that_has_it():
    assert sorted(
        problems(
            vol="base: house.yaml\ntitle: V\npage:\n  low: x\n",
            house="base: firm.yaml\ntilte: V\npage:\n  high: 10\n",
            firm="sections:\n  - nme: A\n",
        )
    ) == [
        "firm.yaml:2:5 sections[0].name: this key is needed: text, up to 10 characters",
        "firm.yaml:2:5 sections[0].nme: there is no such key; did you mean `name`?",
        "house.yaml:2:1 tilte: there is no such key; did you mean `title`?",
        "house.yaml:4:9 page.high: 10 — a whole number from 0 to 9 is allowed",
        "vol.yaml:4:8 page.low: x — a whole number from 0 to 9 is allowed",
    ]


def test_a_missing_key_is_reported_for_both_files():
    (line,) = problems(vol="base: house.yaml\n", house="page: {low: 1}\n")
    assert line.startswith("vol.yaml:1:1 title: this key is needed: ")
    assert line.endswith("; house.yaml has none either")


@pytest.mark.parametrize(
    ("spec", "base", "problem"),
    [
        ("page: {high: 2}\n", "", "vol.yaml:3:7 page.low: 3 — above `high` (the key is in house.yaml:2)"),
        ("", "  high: 2\n", "house.yaml:2:8 page.low: 3 — above `high`"),
    ],
    ids=["both", "base alone"],
)
def test_a_problem_that_needs_both_files_is_reported_in_the_spec(spec, base, problem):
    files = {"vol": f"base: house.yaml\ntitle: V\n{spec}", "house": f"page:\n  low: 3\n{base}"}
    assert problems(**files) == [problem]


def test_paths_of_a_base_start_from_its_folder():
    shelf = read(
        vol="base: house/a.yaml\ntitle: V\n",
        house__a="base: ../firm/b.yaml\nfont: fonts/a.ttf\ntheme: bold\n",
        firm__b="font: b.ttf\nsections:\n- {name: A, boards: a.txt}\n- {name: B, boards: /b.txt}\n",
    )
    assert (shelf.font, shelf.theme) == ("house/fonts/a.ttf", "bold")
    assert [section.boards for section in shelf.sections] == ["house/../firm/a.txt", "/b.txt"]
    assert read(firm__b="theme: own.yaml\n", house__a="base: ../firm/b.yaml\n").theme == (
        "house/../firm/own.yaml"
    )


@pytest.mark.parametrize(
    ("house", "message"),
    [
        ("base: vol.yaml\n", "house.yaml:1:7 base: vol.yaml — the bases go round in a circle: vol.yaml → "),
        ("base: none.yaml\n", "house.yaml:1:7 base: none.yaml — there is no file none.yaml; paths start"),
        ("base: [a.yaml]\n", "house.yaml:1:7 base: the path of one other spec's file is needed"),
        ("base: .\n", "house.yaml:1:7 base: . — this is a folder; a YAML file is needed"),
        pytest.param(
            "base: /dev/null\n", "house.yaml:1:7 base: /dev/null — this is a pipe or a device",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX device"),
        ),
        ("a: [\n", "house.yaml:2:1 not valid YAML"),
    ],
)  # fmt: skip
def test_an_unreadable_base_is_reported_where_it_is_named(house, message):
    (line,) = problems(vol="base: house.yaml\ntitle: V\n", house=house)
    assert line.startswith(message)


def test_the_digest_of_a_spec_includes_its_bases():
    texts = ["base: house.yaml\ntitle: V\n", "base: firm.yaml\n", HOUSE]
    shelf = read(vol=texts[0], house=texts[1], firm=texts[2])
    assert shelf.sha256 == hashlib.sha256("".join(texts).encode()).hexdigest()


def test_a_base_in_a_script_is_refused():
    with pytest.raises(ValidationError, match="a base is only read together with a spec's file"):
        Shelf(title="V", base="house.yaml")


def test_a_duplicate_key_in_a_base_is_reported():
    Path("house.yaml").write_text("title: A\ntitle: B\n")
    Path("vol.yaml").write_text("base: house.yaml\n")
    assert problem_lines(read_with_base(Path("vol.yaml"), Shelf).problems) == [
        "house.yaml:2:1 title: the key is given twice, first in line 1; keep one"
    ]


def test_the_number_of_bases_is_limited(tmp_path):
    for at in range(MAX_BASES + 2):
        (tmp_path / f"{at}.yaml").write_text(f"base: {at + 1}.yaml\n")
    (tmp_path / f"{MAX_BASES + 2}.yaml").write_text("title: T\n")
    with pytest.raises(SpecError, match=f"{MAX_BASES}.yaml:1:7 base: .*at most {MAX_BASES} are allowed"):
        read_with_base(tmp_path / "0.yaml", BookSpec)
