"""Ready-made pages at the end of a book."""

import pytest
from plain_measure import book, level, pages_of, placed, run, text_runs, texts

from linkpress.book.printing_keys import MatterKind, MatterSpec, PartsSpec, SeriesSpec
from linkpress.documents.problem import InvalidError
from linkpress.layout.frame import Discs, Polyline

ALL = {
    "progress": True, "times": True, "certificate": True, "about_author": "Ada likes lines.",
    "review": True, "more_books": ("Lines", "More lines"),
}  # fmt: skip


def with_parts(*counts, parts=ALL, **changes):
    return book(*counts, parts=PartsSpec().model_copy(update=parts), **changes)


def inner_texts(page):
    """Return the texts inside the drawings of a page."""
    return [item.text for each in placed(page) for item in each.frame.items if hasattr(item, "text")]


def test_the_pages_follow_the_solutions_in_their_order_and_are_in_the_contents():
    made = with_parts(8, 3, notes_pages=1, back=(MatterSpec(text="Bye.", title="Goodbye"),))
    order = ["progress", "times", "certificate", "back-0", "about_author", "review", "more_books", "notes"]
    assert sorted(order, key=made.index.__getitem__) == order
    assert made.index["progress"] > made.index["solutions"]
    said = texts(pages_of(made, "contents")[0])
    listed = ["My progress", "My times", "Certificate", "Goodbye", "About the author", "More books", "Notes"]
    assert [text for text in said if text in listed] == listed
    assert "Did you enjoy this book?" not in said


def test_every_puzzle_has_a_star_and_a_line_under_its_level():
    made = with_parts(40, 21)
    for kind in ("progress", "times"):
        pages = pages_of(made, kind)
        assert [text for page in pages for text in inner_texts(page)] == [str(n) for n in range(1, 62)]
        heads = [text for page in pages for text in texts(page) if text in ("A", "B")]
        assert list(dict.fromkeys(heads)) == ["A", "B"]
        live = 432 - made.margins.inside_pt - made.margins.outside_pt
        assert all(item.frame.width_pt < live for page in pages for item in placed(page))


def test_a_list_that_needs_a_second_page_fills_a_third_of_it():
    for count in range(150, 240, 12):
        last = pages_of(with_parts(count), "times")[-1]
        assert min(item.y for item in placed(last)) < 648 * 2 / 3


def test_targets_stand_beside_the_names_of_levels_and_make_the_page():
    levels = tuple(
        level(name).model_copy(update={"target_minutes": target}) for name, target in (("A", 5), ("B", None))
    )
    said = texts(pages_of(book(2, 2, levels=levels), "times")[0])
    assert [text for text in said if text[0] in "AB"] == ["A · Target: 5 min", "B"]
    assert not pages_of(book(2, 2), "times")


def test_the_certificate_has_a_frame_lines_and_a_board_of_the_book():
    (page,) = pages_of(with_parts(8), "certificate")
    assert {"Certificate", "Name", "Date", "Lines", "has solved all 8 puzzles in this book"} <= set(
        texts(page)
    )
    shapes = page.frame.items
    assert sum(isinstance(item, Polyline) and item.closed for item in shapes) == 2
    assert any(isinstance(item, Discs) for item in shapes)


def test_large_print_has_no_small_letters_on_these_pages():
    made = with_parts(8, large_print=True, trim=(612, 792))
    for kind in ("progress", "times", "certificate", "matter"):
        for page in pages_of(made, kind):
            inner = [item for each in placed(page) for item in each.frame.items if hasattr(item, "text")]
            assert all(item.size_pt >= 16 for item in (*text_runs(page), *inner))


@pytest.mark.parametrize(
    ("changes", "heading", "titles"),
    [
        ({}, "More books", ["More lines"]),
        ({"series": SeriesSpec(name="Evenings")}, "More from Evenings", ["More lines"]),
        ({"volume": 2}, "More books", ["Lines", "More lines"]),  # other volumes may have the same title
    ],
)
def test_other_books_are_listed_without_this_one(changes, heading, titles):
    page = next(page for page in pages_of(with_parts(2, **changes), "matter") if page.section == heading)
    assert [text for text in texts(page) if text.endswith("ines")] == titles
    assert any(isinstance(item, Discs) for item in page.frame.items)


def test_words_of_the_spec_replace_those_of_the_language():
    made = with_parts(2, words={"back_matter": {"review": "Liked it?", "certificate": "Hooray!"}})
    assert run(pages_of(made, "certificate")[0], "Hooray!")
    assert any(page.section == "Liked it?" for page in pages_of(made, "matter"))


@pytest.mark.parametrize("keys", [{"about_author": "yes"}, {"more_books": ["no"]}])
def test_a_page_of_words_needs_words(keys):
    with pytest.raises((ValueError, InvalidError), match="write the text of this page here"):
        PartsSpec.model_validate(keys)


def test_a_dedication_keeps_its_lines_large_and_centred_in_the_upper_part_of_the_page():
    text = "For Grandpa Joe,\nwho always found the way"
    plain, dedication = (
        pages_of(book(3, front=(MatterSpec(text=text, kind=kind),)), "matter")[0] for kind in MatterKind
    )
    (one_line,) = (each for each in text_runs(plain) if "Grandpa" in each.text)
    lines = [each for each in text_runs(dedication) if each.text in text.split("\n")]
    assert len(lines) == 2
    assert lines[0].size_pt == pytest.approx(1.4 * one_line.size_pt)
    middles = [each.x + each.width_pt / 2 for each in lines]
    assert middles[0] == pytest.approx(middles[1])
    assert middles[0] == pytest.approx(dedication.frame.width_pt / 2, rel=0.05)  # the margins differ
    height = dedication.frame.height_pt
    assert all(0.6 * height < each.y < 0.75 * height for each in lines)
