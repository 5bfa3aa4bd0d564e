from pathlib import Path

import pytest

from linkpress.book.spec import BookSpec, load_spec
from linkpress.documents.models import read_values
from linkpress.documents.shipped_files import PRINTERS, THEMES
from linkpress.errors import LayoutError, SpecError, UsageError
from linkpress.layout.frame import Ink, grey
from linkpress.layout.theme import SolutionStyle, Theme, check_theme, load_theme, theme_of
from linkpress.printers.profile import load_printer

SPEC = {"title": "A", "seed": 1, "levels": [{"name": "A", "count": 1, "size": 5}]}


def theme_file(folder: Path, body: str) -> Path:
    path = folder / "own.yaml"
    path.write_text(f"name: own\n{body}\n")
    return path


@pytest.mark.parametrize("name", THEMES.names())
def test_every_shipped_theme_prints_at_every_printer_on_the_right_paper(name: str) -> None:
    theme = load_theme(name)
    assert theme.name == name
    coloured = any(not ink.is_grey for _, ink in theme.inks)
    papers = {"kdp-paperback": "premium-colour", "generic": "colour", "lulu": "premium-colour"}
    for printer in papers if coloured else PRINTERS.names():
        check_theme(theme, load_printer(printer), papers[printer] if coloured else None)


def test_an_own_file_changes_what_it_names_and_keeps_the_rest(tmp_path: Path) -> None:
    theme = load_theme(theme_file(tmp_path, "solutions: {style: shaded, inks: [K20, [0, 50, 100, 0]]}"))
    assert theme.solutions.style is SolutionStyle.SHADED
    assert theme.solutions.inks == (grey(0.2), Ink(0.0, 0.5, 1.0, 0.0))
    assert theme.grid.outer_pt == 2.0


@pytest.mark.parametrize("ink", ["blue", "K101", "[0, 50]", "[0, 50, 100, x]", "K", "-K5"])
def test_what_is_no_ink_is_told_with_its_place(tmp_path: Path, ink: str) -> None:
    with pytest.raises(SpecError, match=r"own\.yaml:2:\d+ accent"):
        load_theme(theme_file(tmp_path, f"accent: {ink}"))


def themed(folder: Path, **keys: object) -> Theme:
    return theme_of(read_values({**SPEC, **keys}, BookSpec), folder)


def test_a_theme_in_a_spec_changes_what_it_names_of_its_base(tmp_path: Path) -> None:
    inline = {"base": "bold", "grid": {"inner_pt": 1.5}, "accent": "#0072B2"}
    theme = themed(tmp_path, theme=inline)
    assert (theme.grid.inner_pt, theme.grid.outer_pt) == (1.5, 3.0)
    assert theme.numbers == load_theme("bold").numbers
    assert not theme.accent.is_grey


def test_a_style_of_answers_has_inks_of_its_own(tmp_path: Path) -> None:
    """Those of a base are for its own style; the four tints are 12 apart, and the printers hold them."""
    theme = themed(tmp_path, theme={"base": "bold", "solutions": {"style": "shaded"}})
    assert theme.solutions.path_inks == (grey(0.0), grey(0.14), grey(0.26), grey(0.38))
    check_theme(
        theme.model_copy(update={"numbers": load_theme("classic").numbers}), load_printer("kdp-paperback")
    )
    same = themed(tmp_path, theme={"base": "soft", "solutions": {"style": "shaded", "width": 0.3}})
    assert same.solutions.path_inks == load_theme("soft").solutions.inks
    coloured = themed(tmp_path, theme={"solutions": {"style": "coloured"}})
    assert len(coloured.solutions.path_inks) == 8


def test_areas_on_which_numbers_are_not_read_are_refused(tmp_path: Path) -> None:
    theme = themed(tmp_path, theme={"solutions": {"style": "shaded", "inks": ["K20", "K80"]}})
    with pytest.raises(LayoutError, match=r"solutions\.inks\[1\] — contrast: .*circled"):
        check_theme(theme, load_printer("generic"))
    ringed = theme.model_copy(update={"numbers": load_theme("soft").numbers})
    check_theme(ringed, load_printer("generic"))


def test_a_theme_in_a_spec_is_kept_in_its_record_as_written() -> None:
    inline = {"base": "bold", "grid": {"inner_pt": 1.5}, "solutions": {"inks": ["K40", "#0072B2"]}}
    spec = read_values({**SPEC, "theme": inline}, BookSpec)
    assert spec.document()["theme"] == inline
    assert read_values(spec.document(), BookSpec).theme == spec.theme


def test_faults_of_a_theme_in_a_spec_have_their_place(tmp_path: Path) -> None:
    path = tmp_path / "spec.yaml"
    path.write_text(
        "title: A\nseed: 1\nlevels: [{name: A, count: 1, size: 5}]\ntheme:\n  grid: {inner_pt: 99}\n"
    )
    with pytest.raises(SpecError, match=r"spec\.yaml:5:\d+ theme\.grid\.inner_pt: 99"):
        load_spec(path)


def test_an_unknown_theme_is_told_which_there_are() -> None:
    with pytest.raises(UsageError, match=r"classic.*newspaper"):
        load_theme("clasic")


@pytest.mark.parametrize(
    ("body", "key", "rule"),
    [
        ("grid: {inner_pt: 0.5}", "grid.inner_pt", "line: 0.5 pt"),
        ("rule_pt: 0.5", "rule_pt", "line: 0.5 pt"),
        ("type: {small: 6}", "type.small", "text: 6 pt"),
        ("solids: {ink: K5}", "solids.ink", "tint: 5.0%"),
        ("solutions: {inks: [K100, [0, 4, 0, 0]]}", "solutions.inks[1]", "tint: 4.0%"),
        ("accent: [100, 0, 0, 0]", "accent", "ink: colours on white paper"),
    ],
)
def test_what_the_printer_cannot_hold_is_refused(tmp_path: Path, body: str, key: str, rule: str) -> None:
    theme = load_theme(theme_file(tmp_path, body))
    with pytest.raises(LayoutError) as told:
        check_theme(theme, load_printer("kdp-paperback"))
    assert key in str(told.value)
    assert rule in str(told.value)
    assert "(KDP Help, 2026-11-20)" in str(told.value)
