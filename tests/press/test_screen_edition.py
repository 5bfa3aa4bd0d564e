"""The book for tablets: one side, no blank page, its cover first, links both ways."""

import io
from pathlib import Path

import pikepdf
import pytest

from linkpress.book.spec import BookSpec
from linkpress.documents.models import Document
from linkpress.errors import SpecError
from linkpress.preflight import preflight
from linkpress.press.book_looks import load_looks, measure_of
from linkpress.press.rehearsal import rehearse
from linkpress.press.stand_in_volume import stand_in_volume
from linkpress.press.typesetting import lay_out_screen, typeset
from linkpress.printers.profile import load_printer


def spec(**keys):
    levels = [
        {"name": "Easy", "count": 6, "size": "5x7", "paths": 5, "per_page": 4},
        {"name": "Hard", "count": 3, "size": 20, "paths": 20, "per_page": 4},
    ]
    return BookSpec.model_validate({"title": "Links", "seed": 1, "screen": True, "levels": levels, **keys})


def on_screen(volume):
    looks = load_looks(volume.spec, Path())
    return lay_out_screen(volume, looks, measure_of(volume.spec, looks.faces), None, "0" * 12)


def test_its_pages_have_one_side_and_none_is_blank():
    made = on_screen(stand_in_volume(spec(page={"single_sided": True, "bleed": True})))
    assert "blank" not in {page.kind for page in made.pages}
    assert made.margins.inside_pt == made.margins.outside_pt
    assert made.trim.same_as(spec().screen.trim.size, 0.1)
    folios = [item for page in made.pages[4:] for item in page.frame.items if getattr(item, "y", 99) < 33]
    assert len({round(item.x + item.width_pt, 3) for item in folios if hasattr(item, "width_pt")}) == 1


def test_its_cover_comes_first():
    assert on_screen(stand_in_volume(spec())).pages[0].kind == "title"
    first, second = on_screen(stand_in_volume(spec(cover={}))).pages[:2]
    assert (first.kind, second.kind, second.number) == ("cover", "title", 2)


def test_boards_too_small_for_its_pages_stand_fewer_to_a_page():
    made = on_screen(stand_in_volume(spec()))  # 4 of 20 x 20 to a letter page
    hard = [page for page in made.pages if page.kind == "puzzles" and page.section == "Hard"]
    assert len(hard) == 3  # of 4 mm squares on 6 × 8 in


def test_puzzles_and_answers_lead_to_one_another_wherever_print_has_the_answers():
    volume = stand_in_volume(spec(solutions={"place": "file"}, page={"min_cell_mm": 3.5}))
    made = on_screen(volume)
    for number in range(1, 10):
        for here, there in (("puzzle", "solution"), ("solution", "puzzle")):
            page = made.pages[made.index[f"{here}-{number}"] - 1]
            assert f"{there}-{number}" in {link.target for link in page.links}
    with pikepdf.open(io.BytesIO(typeset(volume, Path()).files["screen.pdf"])) as pdf:
        links = sum(note.Subtype == "/Link" for page in pdf.pages for note in page.get("/Annots", []))
        assert (len(pdf.pages), links) == (made.page_count, sum(len(page.links) for page in made.pages))


def test_a_board_too_large_for_it_is_refused_before_any_puzzle_is_made():
    with pytest.raises(SpecError, match=r"screen: .*puzzle 1 .*set screen\.trim"):
        rehearse(
            Document(spec(levels=[{"name": "A", "count": 1, "size": 50}], page={"min_cell_mm": 3.5})), Path()
        )


@pytest.mark.parametrize("theme", ["classic", "colour"])
def test_its_cover_may_run_to_the_edge_of_the_screen(theme):
    volume = stand_in_volume(spec(cover={}, theme=theme, page={"paper": "colour", "min_cell_mm": 4}))
    made = typeset(volume, Path()).files["screen.pdf"]
    report = preflight(made, load_printer("screen"))
    assert report.passed, report.text()
