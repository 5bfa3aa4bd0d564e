import pytest
from plain_measure import book, numbered, pages_of, placed, text_runs, texts

from linkpress.documents.lengths import Size
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.layout.boards.ornaments import HALF_WAY, worked_example
from linkpress.layout.frame import Discs, Frame, Ink, Page, Polyline, Rects


def howto(theme: str = "classic", paper: str | None = None, printer: str = "generic", **changes) -> Page:
    made = book(2, 24, theme=theme, paper=paper, printer=printer, **changes)
    return pages_of(made, "howto")[0]


def example(page: Page, name: str) -> Frame:
    return next(item.frame for item in placed(page) if item.name == f"example-{name}")


def lines(frame: Frame) -> list[Ink]:
    return [item.ink for item in frame.items if isinstance(item, Polyline) and not item.closed]


def test_the_example_spans_the_live_area() -> None:
    first, *_, last = placed(howto())
    # A verso of 6 × 9 in: 32.4 outside, 36 inside.
    assert round(first.x, 3) == 32.4
    assert round(last.x + last.frame.width_pt, 3) == 432 - 36


def test_the_rules_are_set_large_where_one_page_holds_them_and_as_the_text_where_not() -> None:
    roomy, tight = howto(trim=Size(612, 792)), howto(trim=Size(360, 360))
    sizes = [{item.size_pt for item in text_runs(page)} for page in (roomy, tight)]
    assert 13.2 in sizes[0]  # 12 × 1.1
    assert 10.0 in sizes[1]
    assert 12.0 not in sizes[1]


def test_the_lines_half_way_keep_their_inks_in_the_whole_answer() -> None:
    page = howto(theme="colour", paper="premium-colour", printer="kdp-paperback", notes_pages=10)
    half, solved = example(page, "half"), example(page, "solved")
    assert lines(half) == [lines(solved)[number - 1] for number in HALF_WAY]
    rings = {discs.ring for discs in half.items if isinstance(discs, Discs)}
    assert rings > set(lines(half))  # and black rings where nothing is drawn yet


def test_a_theme_that_shades_its_answers_still_shows_lines_to_draw() -> None:
    page = howto(theme="soft")
    assert len(lines(example(page, "half"))) == len(HALF_WAY)
    tints = [item for item in example(page, "solved").items if isinstance(item, Rects)]
    assert len(tints) == 1  # the solid square alone


@pytest.mark.parametrize("solids", [False, True])
def test_the_example_has_one_solution_and_solids_where_the_book_has(solids: bool) -> None:
    example = worked_example(solids)
    assert bool(example.puzzle.grid.solids) is solids
    proof = prove(example.puzzle, Rule.STRICT)
    assert proof.verdict is Verdict.UNIQUE
    assert proof.solution is not None
    assert proof.solution.edges == example.edges


def test_a_book_without_solids_says_and_shows_nothing_of_them() -> None:
    free = tuple(numbered(number, "A", worked_example(solids=False)) for number in (1, 2))
    without, with_solids = howto(made=free), howto(made=(*free, numbered(3, "A")))
    assert "solid" not in " ".join(texts(without))
    rule = "No line enters a solid square (filled in, hatched or crossed through)."
    assert rule in " ".join(texts(with_solids))
    assert [bool(drawn_solids(page)) for page in (without, with_solids)] == [False, True]


def drawn_solids(page: Page) -> list[Rects]:
    return [item for item in example(page, "puzzle").items if isinstance(item, Rects)]
