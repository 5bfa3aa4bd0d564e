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
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def read(**files):
    """The shelf of ``vol.yaml``; in the names of the files ``__`` stands for ``/``."""
    for name, text in files.items():
        path = Path(f"{name.replace('__', '/')}.yaml")
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return read_document(read_with_base(Path("vol.yaml"), Shelf), Shelf).checked()


def faults(**files):
    with pytest.raises(SpecError) as caught:
        read(**files)
    return str(caught.value).splitlines()


HOUSE = "page: {low: 1, high: 5}\nfont: a.ttf\nsections: [{name: A}, {name: B}]\n"


def test_mappings_are_joined_key_by_key_and_lists_replaced():
    shelf = read(house=HOUSE, vol="base: house.yaml\ntitle: V\npage: {low: 2}\nsections: [{name: C}]\n")
    wanted = Shelf(title="V", page=Page(low=2, high=5), font="a.ttf", sections=(Section(name="C"),))
    assert shelf.model_dump() == wanted.model_dump()


def test_a_key_without_a_value_takes_the_base_s_away_and_yes_leaves_it():
    shelf = read(house=HOUSE, vol="base: house.yaml\ntitle: V\npage: yes\nfont:\n")
    assert (shelf.font, shelf.page.high) == (None, 5)


def test_a_base_may_have_a_base():
    shelf = read(vol="base: house.yaml\ntitle: V\n", house="base: firm.yaml\npage: {low: 2}\n", firm=HOUSE)
    assert (shelf.page, shelf.font) == (Page(low=2, high=5), "a.ttf")


def test_each_fault_stands_in_the_file_that_has_it():
    assert sorted(
        faults(
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


def test_a_missing_key_is_told_with_both_files():
    (said,) = faults(vol="base: house.yaml\n", house="page: {low: 1}\n")
    assert said.startswith("vol.yaml:1:1 title: this key is needed: ")
    assert said.endswith("; house.yaml has none either")


def test_a_fault_that_arises_from_both_stands_in_the_spec():
    house = "page:\n  low: 3\n"
    assert faults(vol="base: house.yaml\ntitle: V\npage: {high: 2}\n", house=house) == [
        "vol.yaml:3:7 page.low: 3 — above `high` (the key is in house.yaml:2)"
    ]
    assert faults(vol="base: house.yaml\ntitle: V\n", house=house + "  high: 2\n") == [
        "house.yaml:2:8 page.low: 3 — above `high`"
    ]


def test_a_path_starts_from_the_folder_of_the_file_that_it_stands_in():
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
    ("house", "said"),
    [
        ("base: vol.yaml\n", "house.yaml:1:7 base: vol.yaml — the bases go round in a circle: vol.yaml → "),
        ("base: none.yaml\n", "house.yaml:1:7 base: none.yaml — there is no file none.yaml; paths start"),
        ("base: [a.yaml]\n", "house.yaml:1:7 base: the path of one other spec's file is needed"),
        ("base: .\n", "house.yaml:1:7 base: . — this is a folder; a YAML file is needed"),
        pytest.param(
            "base: /dev/null\n",
            "house.yaml:1:7 base: /dev/null — this is a pipe or a device; a YAML file is needed",
            marks=pytest.mark.skipif(sys.platform == "win32", reason="a device's path as in POSIX"),
        ),
        ("a: [\n", "house.yaml:2:1 not valid YAML"),
    ],
)
def test_a_base_that_can_t_be_read_is_told_where_it_is_named(house, said):
    (line,) = faults(vol="base: house.yaml\ntitle: V\n", house=house)
    assert line.startswith(said)


def test_a_spec_s_digest_is_that_of_its_text_and_its_bases():
    texts = ["base: house.yaml\ntitle: V\n", "base: firm.yaml\n", HOUSE]
    shelf = read(vol=texts[0], house=texts[1], firm=texts[2])
    assert shelf.sha256 == hashlib.sha256("".join(texts).encode()).hexdigest()


def test_a_base_in_a_script_is_refused():
    with pytest.raises(ValidationError, match="a base is read with the spec's file"):
        Shelf(title="V", base="house.yaml")


def test_a_key_of_the_base_given_twice_is_told():
    Path("house.yaml").write_text("title: A\ntitle: B\n")
    Path("vol.yaml").write_text("base: house.yaml\n")
    assert problem_lines(read_with_base(Path("vol.yaml"), Shelf).problems) == [
        "house.yaml:2:1 title: the key is given twice, first in line 1; keep one"
    ]


def test_only_so_many_bases_stand_one_upon_another(tmp_path):
    for at in range(MAX_BASES + 2):
        (tmp_path / f"{at}.yaml").write_text(f"base: {at + 1}.yaml\n")
    (tmp_path / f"{MAX_BASES + 2}.yaml").write_text("title: T\n")
    with pytest.raises(SpecError, match=f"{MAX_BASES}.yaml:1:7 base: .*at most {MAX_BASES} bases"):
        read_with_base(tmp_path / "0.yaml", BookSpec)
