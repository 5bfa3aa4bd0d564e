import dataclasses
import datetime
from itertools import pairwise

import pytest
from plain_measure import (
    TALL,
    PlainMeasure,
    book,
    edition,
    level,
    numbered,
    pages_of,
    placed,
    puzzles,
    run,
    text_runs,
    texts,
)  # fmt: skip

from linkpress.book.printing_keys import CaptionsSpec, Colophon, MatterSpec, PartsSpec
from linkpress.documents.values import MM_PT, Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Anchor, Discs
from linkpress.layout.pages import layout_book
from linkpress.layout.theme import load_theme
from linkpress.printers import load_printer


def kinds(made):
    return [page.kind for page in made.pages]


@pytest.mark.parametrize(
    ("recto", "after_first_level", "last"),
    [
        (False, (), ("notes", "blank")),  # the printer generic prints an even number of pages
        (True, ("blank",), ("notes",)),  # the next opener waits for a recto
    ],
)
def test_a_book_has_its_parts_in_order(recto, after_first_level, last):
    made = book(8, 3, notes_pages=1, solutions_per_page=9, parts=PartsSpec(recto=recto))
    assert kinds(made) == [
        *("title", "copyright", "contents", "howto"),
        *("opener", "puzzles", "puzzles", *after_first_level),
        *("opener", "puzzles"),
        *("opener", "solutions", "solutions", *last),
    ]
    assert [page.number for page in made.pages] == list(range(1, 15))


def test_every_puzzle_and_answer_is_where_the_index_and_the_captions_say():
    made = book(10, 3)  # three sheets at 4 a page, the last one not full
    for page in made.pages:
        for item in placed(page):
            if not item.name.startswith("example"):
                assert made.index[item.name] == page.number
    for number in range(1, 14):
        puzzle, answer = made.index[f"puzzle-{number}"], made.index[f"solution-{number}"]
        assert f"Solution p. {answer}" in texts(made.pages[puzzle - 1])
        assert f"Puzzle p. {puzzle}" in texts(made.pages[answer - 1])


def named_book(*counts, **changes):
    """Lay out a book whose puzzles have the name "Staircase"."""
    made = tuple(dataclasses.replace(puzzle, name="Staircase") for puzzle in puzzles(*counts))
    return book(*counts, made=made, captions=CaptionsSpec(titles=True), **changes)


def test_the_name_of_a_puzzle_stands_beside_its_number_above_the_other_words():
    made = named_book(2, per_page=1)
    page = pages_of(made, "puzzles")[0]
    number, name, size = run(page, "1"), run(page, "Staircase"), run(page, "7 × 5")
    assert (number.y, number.size_pt) == (name.y, name.size_pt)
    assert number.x == size.x < name.x
    assert size.y == run(page, f"Solution p. {made.index['solution-1']}").y < name.y
    assert "Staircase" not in texts(pages_of(made, "solutions")[0])


def test_a_page_has_no_more_boards_than_long_names_allow():
    with pytest.raises(LayoutError, match=r"with 9 a page, the longest names of puzzles are \d+ mm"):
        named_book(9, per_page=9)
    longer = {"names": {"tricks": {"gap": ["Look before you squeeze through a narrow gap"]}}}
    keys = {"per_page": "auto", "trim": Size(612, 792), "max_cell_mm": 20}
    usual, few = named_book(8, **keys), named_book(8, **keys, words=longer)
    assert len(pages_of(few, "puzzles")) > len(pages_of(usual, "puzzles"))


def test_the_contents_name_every_part_with_its_page():
    front, back = MatterSpec(text="Hello."), MatterSpec(text="More.", title="More books")
    made = book(8, 3, notes_pages=2, front=(front,), back=(back,))
    order = ("front-0", "how-to-play", "level-0", "level-1", "solutions", "back-0", "notes")
    assert sorted(order, key=lambda place: made.index[place]) == list(order)
    (contents,) = pages_of(made, "contents")
    said = texts(contents)
    for title, place in (
        ("How to play", "how-to-play"),
        ("A", "level-0"),
        ("B", "level-1"),
        ("Solutions", "solutions"),
        ("More books", "back-0"),
        ("Notes", "notes"),
    ):
        assert str(made.index[place]) == said[said.index(title) + (2 if title in "AB" else 1)]


def test_outer_columns_keep_the_edges_of_the_live_area():
    page = pages_of(book(8), "puzzles")[0]
    left, right = placed(page)[:2]
    # A verso of 6 × 9 in: 32.4 outside, 36 inside (12.7 mm).
    assert left.x == pytest.approx(32.4)
    assert right.x + right.frame.width_pt == pytest.approx(432 - 36, abs=0.01)


def test_heads_and_page_numbers_are_on_the_outer_side():
    made = book(24)
    verso, recto = pages_of(made, "puzzles")[:2]
    assert (verso.number % 2, recto.number % 2) == (0, 1)
    for page in (verso, recto):
        outer = Anchor.START if page is verso else Anchor.END
        at_foot = [item for item in text_runs(page) if item.y < 33]
        assert [(item.text, item.anchor) for item in at_foot] == [(str(page.number), outer)]
        head = run(page, "A")
        assert (head.anchor, head.x < 216) == (outer, page is verso)
    assert run(verso, "Puzzles 1–4").x > 216


def test_the_last_two_pages_of_a_level_share_its_puzzles_and_keep_the_tiles():
    full, partly = pages_of(book(5), "puzzles")
    assert [len(placed(page)) for page in (full, partly)] == [3, 2]
    first, other = placed(full)[0], placed(partly)[0]
    assert other.y == first.y
    assert other.frame.width_pt == first.frame.width_pt


def test_a_page_for_few_puzzles_has_as_few_tiles():
    (few,), (alone,) = (pages_of(book(2, per_page=per_page), "puzzles") for per_page in (6, 2))
    assert [item.box for item in placed(few)] == [item.box for item in placed(alone)]


def test_a_few_contents_and_answers_fill_a_third_of_their_page():
    made = book(1, trim=(612, 792), front=(MatterSpec(text="Hello."),))
    contents, answers = pages_of(made, "contents")[0], pages_of(made, "solutions")[0]
    third = (792 - made.margins.top_pt - made.margins.bottom_pt) / 3
    entries = [item.y for item in text_runs(contents) if item.y > 100]
    assert 792 - made.margins.top_pt - min(entries) > third
    assert placed(answers)[0].frame.height_pt > third


def test_openers_have_ornaments_from_boards_of_their_level():
    def ornament(page):
        return [item for item in page.frame.items if isinstance(item, Discs)]

    first, other = (
        pages_of(book(4, made=made), "opener")[0] for made in (puzzles(4), puzzles(4, board=TALL))
    )
    assert ornament(first)
    assert ornament(first) != ornament(other)
    titles = [pages_of(book(4, made=made), "title")[0] for made in (puzzles(4), puzzles(4, board=TALL))]
    assert ornament(titles[0]) != ornament(titles[1])


def test_single_sided_puzzles_have_empty_backs():
    made = book(8, single_sided=True)
    assert all(page.number % 2 for page in pages_of(made, "puzzles"))
    for page, after in pairwise(made.pages):
        if page.kind in ("opener", "puzzles") and page.section != "Solutions":
            assert after.kind == "blank"


def test_nothing_is_outside_the_live_area():
    made = book(
        9, 4, notes_pages=1, title="A title that is long enough for two lines", subtitle="Sub", author="Ann"
    )
    for page in made.pages:
        inside, outside = made.margins.inside_pt, made.margins.outside_pt
        left = inside if page.number % 2 else outside
        right = 432 - (outside if page.number % 2 else inside)
        for item in text_runs(page):
            assert left - 0.01 <= item.x <= item.x + item.width_pt <= right + 0.01
            assert item.y >= made.margins.bottom_pt - 0.01
        for item in placed(page):
            assert left - 0.01 <= item.x <= item.x + item.frame.width_pt <= right + 0.01
            assert item.y >= made.margins.bottom_pt
            assert item.y + item.frame.height_pt <= 648 - made.margins.top_pt


def test_the_copyright_page_has_what_the_imprint_has():
    made = book(
        4, author="Ann", publisher="Press", year=2026, edition="First edition", isbn="978-3-16-148410-0",
        date=datetime.date(2026, 11, 20), seed=77, version="0.1.0", build="abc123",
        parts=PartsSpec().model_copy(update={"colophon": Colophon.COPYRIGHT}),
    )  # fmt: skip
    said = " ".join(texts(pages_of(made, "copyright")[0]))
    for words in (
        "Copyright © 2026 Ann",
        "Published by Press",
        "First edition",
        "ISBN 978-3-16-148410-0",
        "November 20, 2026",
        "Build\u00a0abc123",
        "linkpress 0.1.0",
    ):
        assert words in said
    assert "77" not in said  # the seed would reveal the puzzles of the next volume


def test_no_line_of_the_copyright_page_ends_in_a_dot_that_joins_nothing():
    parts = PartsSpec().model_copy(update={"colophon": Colophon.COPYRIGHT})
    joined, parted = (
        texts(pages_of(book(4, version="0.1.0", build="abc123", trim=trim, parts=parts), "copyright")[0])
        for trim in ((6 * 72, 9 * 72), (3.5 * 72, 9 * 72))
    )
    assert joined[-1] == "Made with linkpress 0.1.0 · Build\u00a0abc123"
    assert parted[-2:] == ["Made with linkpress 0.1.0", "Build\u00a0abc123"]


def test_a_printer_s_page_multiple_and_blank_last_page_are_kept():
    made = book(60, printer="ingramspark", per_page=4)
    assert made.page_count % 6 == 0  # this printer's rule for pages of up to 6.14 × 9.21 in
    assert made.pages[-1].kind == "blank"


@pytest.mark.parametrize(
    ("count", "changes", "message"),
    [
        (4, {"printer": "kdp-paperback"}, r"24–828 pages.*KDP.*notes"),
        (0, {}, "no puzzles"),
        (2, {"author": "Ann " * 60}, r"^author: .*too long for its line"),
        (2, {"copyright": "© by many " * 500}, r"copyright page overflows.*colophon: end.*type\.caption"),
    ],
)
def test_a_book_that_can_not_be_laid_out_is_refused_with_the_reason(count, changes, message):
    with pytest.raises(LayoutError, match=message):
        book(count, **changes)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"title": "Links ☃"}, "title"),
        ({"author": "☃"}, "author"),
        ({"front": (MatterSpec(text="See ☃ here"),)}, "front[0]"),
        ({"levels": (level("☃"),), "made": (numbered(1, "☃"),)}, "levels[0].name"),
    ],
)
def test_a_character_without_a_glyph_is_named_with_its_place(changes, where):
    wanted = edition(2, **changes)
    with pytest.raises(LayoutError) as error:
        layout_book(wanted, load_printer("generic"), load_theme("classic"), PlainMeasure("☃"))
    assert str(error.value).startswith(where)
    assert "U+2603" in str(error.value)


def test_large_pages_carry_larger_type():
    small = run(pages_of(book(2), "howto")[0], "How to play").size_pt
    large = book(2, trim=load_printer("generic").trims.sizes[2])
    body = [item.size_pt for item in text_runs(pages_of(large, "howto")[0])]
    assert small == 22.0
    assert 13.2 in body  # 12 × 1.1


def test_the_level_with_no_puzzles_is_left_out():
    made = book(4, 4, made=puzzles(4))
    assert [page.section for page in pages_of(made, "opener")] == ["A", "Solutions"]


def test_a_long_title_is_set_smaller_until_it_fits():
    title = "The extraordinarily comprehensive compendium of lines " * 2
    page = pages_of(book(2, title=title.strip(), subtitle="words " * 30, author="Ann"), "title")[0]
    runs = text_runs(page)
    assert max(item.size_pt for item in runs) < 34.0
    heights = [item.y for item in runs if item.text != "Ann"]
    assert heights == sorted(heights, reverse=True)
    assert min(heights) > run(page, "Ann").y + 14


def test_a_running_head_shrinks_beside_its_range():
    name = "A level with many more characters to its name"
    made = book(2, levels=(level(name, 1),), made=(numbered(1, name), numbered(2, name)))
    page = pages_of(made, "solutions")[0]
    head, beside = run(page, f"Solutions · {name}"), run(page, "Puzzles 1–2")
    assert head.size_pt < 9.0
    assert head.x + head.width_pt + 9 <= beside.x or beside.x + beside.width_pt + 9 <= head.x


def test_narrow_boards_move_together_and_stay_centred():
    tall = tuple(numbered(n, "A", TALL) for n in range(1, 13))
    made = book(12, made=tall, solutions_per_page=12, trim=Size(700, 792))
    page = pages_of(made, "solutions")[0]
    answers = placed(page)
    row = [item.x for item in answers if item.y == answers[0].y]
    width = answers[0].frame.width_pt
    # Squares are at most 7 mm, gaps between columns 0.36 of a board, and both side gaps are equal.
    assert all(b - a == pytest.approx(1.36 * width) for a, b in pairwise(row))
    assert row[0] == pytest.approx(700 - row[-1] - width)


def test_contents_that_need_more_pages_get_them():
    back = tuple(MatterSpec(text="More.", title=f"Book {n}") for n in range(30))
    made = book(4, back=back)
    pages = pages_of(made, "contents")
    assert len(pages) == 2
    said = [text for page in pages for text in texts(page)]
    assert all(f"Book {n}" in said for n in range(30))


class DeepMeasure(PlainMeasure):
    """Type as high as Japanese characters, with figures that go below the baseline."""

    def ink(self, text, font, size_pt):
        return super().ink(text, font, size_pt)._replace(bottom=-0.2 * size_pt, top=0.85 * size_pt)


def test_high_letters_and_old_style_figures_stay_off_the_printers_margins():
    made = edition(8, trim=Size(297, 420))
    laid = layout_book(made, load_printer("generic"), load_theme("classic"), DeepMeasure())
    outermost = laid.pages[0].frame.height_pt - 10 * MM_PT
    for page in laid.pages:
        for item in text_runs(page):
            assert item.y - 0.2 * item.size_pt >= 10 * MM_PT - 0.01, item
            assert item.y + 0.85 * item.size_pt <= outermost + 0.01, item


class NinesFall(PlainMeasure):
    """Type in which only the figure 9 goes below the baseline."""

    def ink(self, text, font, size_pt):
        return super().ink(text, font, size_pt)._replace(bottom=-0.2 * size_pt if "9" in text else 0.0)


def test_all_page_numbers_are_at_the_same_height():
    laid = layout_book(edition(8), load_printer("generic"), load_theme("classic"), NinesFall())
    assert laid.page_count >= 9
    numbers = [run for page in laid.pages for run in text_runs(page) if run.where == "page.numbers"]
    assert len({run.y for run in numbers}) == 1
