import pytest

from linkpress.documents.shipped_files import COLUMN_GRIDS
from linkpress.errors import SpecError, UsageError
from linkpress.images.image_settings import load_grid

OWN_GRID = "name: own\nsource: the desk\ndate: 2026-11-20\ngutter_mm: 4\nwidths_mm: [{widths}]\n"


@pytest.mark.parametrize("name", COLUMN_GRIDS.names())
def test_every_shipped_grid_is_of_even_columns_with_source_and_date(name):
    grid = load_grid(name)
    assert grid.source
    assert grid.date.year >= 2026
    one = grid.widths_mm[0]
    for columns, width in enumerate(grid.widths_mm, 1):
        assert width == pytest.approx(columns * one + (columns - 1) * grid.gutter_mm, abs=0.3)


def test_two_columns_of_a_typical_broadsheet_are_82_6_mm():
    assert load_grid("broadsheet").width_mm(2) == 82.6


def test_a_grid_of_the_users_own_is_read_from_its_file(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(OWN_GRID.format(widths="50, 104"), encoding="utf-8")
    assert load_grid(str(file)).width_mm(2) == 104


def test_widths_that_do_not_grow_by_a_column_are_a_fault_of_the_file(tmp_path):
    file = tmp_path / "own.yaml"
    file.write_text(OWN_GRID.format(widths="50, 54"), encoding="utf-8")
    with pytest.raises(SpecError, match=r"own.yaml:5:\d+ widths_mm\[1\]: 54"):
        load_grid(str(file))


@pytest.mark.parametrize(("name", "columns"), [("broadsheet", 7), ("broadsheet", 0), ("no-such-grid", 1)])
def test_what_there_is_not_is_refused_with_what_there_is(name, columns):
    with pytest.raises(UsageError, match=r"broadsheet"):
        load_grid(name).width_mm(columns)
