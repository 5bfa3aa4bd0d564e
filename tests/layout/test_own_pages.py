from dataclasses import replace

import pytest
from plain_measure import PlainMeasure, book, edition, pages_of, placed, text_runs, texts

from linkpress.book.printing_keys import MatterSpec
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import FontKey, Photo, Placed, TextRun
from linkpress.layout.markdown import TextRoom, markdown_blocks, pictures_in
from linkpress.layout.pages import layout_book
from linkpress.layout.setting import OwnPicture
from linkpress.layout.text_flow import PictureRow, Text
from linkpress.layout.theme import load_theme
from linkpress.printers import load_printer

ROOM = TextRoom(load_theme("classic").type, PlainMeasure(), 360.0, 500.0)


def blocks(text):
    made = markdown_blocks(text, ROOM, "front")
    return [("".join(span.text for span in block.spans), block.marker, block.indent_pt) for block in made]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        (
            "- one\n  - two\n\n3. three\n4. four",  # indented by 1.6 × 10
            [("one", "–", 16.0), ("two", "–", 32.0), ("three", "3.", 16.0), ("four", "4.", 16.0)],
        ),
        ("1.     code\n\n   more\n\nText.", [("code", "1.", 16.0), ("more", "", 16.0), ("Text.", "", 0.0)]),
        ("One line.\n\nAnother & <more>.", [("One line.", "", 0.0), ("Another & <more>.", "", 0.0)]),
    ],
    ids=["lists by depth", "an item that begins with code", "plain text"],
)
def test_blocks_have_their_marker_and_indent(text, made):
    assert blocks(text) == made


def test_emphasis_is_set_strong_and_breaks_are_kept_where_forced():
    (block,) = markdown_blocks("a *b*\nc  \nd", ROOM, "front")
    assert block.spans == (
        *(Text("a "), Text("b", italic=True)),
        *(Text(" "), Text("c"), Text("\n"), Text("d")),
    )


def test_long_matter_takes_as_many_pages_as_it_needs():
    made = book(2, front=(MatterSpec(text="word " * 2000, title="Foreword"),))
    pages = pages_of(made, "matter")
    assert len(pages) > 2
    assert sum(text.split().count("word") for page in pages for text in texts(page)) == 2000
    assert made.index["front-0"] == pages[0].number


def test_headings_are_set_in_the_heavier_face():
    made = book(2, back=(MatterSpec(text="# Head\n\ntext", title="Title"),))
    page = pages_of(made, "matter")[0]
    faces = {item.text: item.font for item in text_runs(page)}
    assert (faces["Head"], faces["text"]) == (FontKey.SEMIBOLD, FontKey.REGULAR)


def test_a_list_is_off_what_precedes_it():
    made = markdown_blocks("- a\n- b\n\n1. c\n   - d\n2. e\n\nText.", ROOM, "front")
    # The space is 0.7 × 10 above each list and paragraph, and 0.35 × 10 between items, also in nested lists.
    assert [block.before_pt for block in made] == [7.0, 3.5, 7.0, 3.5, 3.5, 7.0]


def test_a_link_is_followed_by_its_address_and_an_address_is_alone():
    said = blocks(
        "See [our page](https://example.com/a), <https://example.com/b>, [us](mailto:a@example.com)."
    )
    assert said[0][0] == ("See our page (https://example.com/a), https://example.com/b, us (a@example.com).")


def test_three_hyphens_are_a_rule_between_paragraphs():
    one, rule, two = markdown_blocks("One.\n\n---\n\nTwo.", ROOM, "front")
    (placed,) = rule.items
    (line,) = placed.frame.items
    # The rule is in the middle of a line 10 pt high, and 6 × 10 long.
    assert (placed.y + line.segments[0][1], line.segments[0][2]) == (5.0, 60.0)
    assert not any(isinstance(block, PictureRow) for block in (one, two))


TABLE = "| Level | No. |\n|:--|--:|\n| Easy | 8 |\n| Hard and long | 12 |\n"


def rows(text, width=360.0):
    made = markdown_blocks(text, replace(ROOM, width_pt=width), "front[0].text")
    return [row for row in made if isinstance(row, PictureRow)]


def words(row):
    return [(item.text, round(item.x, 1)) for item in row.items if isinstance(item, TextRun)]


def test_a_table_s_columns_are_as_wide_as_their_words_and_rules_are_above_under_its_heads_and_below():
    head, easy, hard = rows(TABLE)
    # 13 characters of 6 pt are 78 wide. After a gap of 14, "No." is 18 wide and ends at 110.
    assert words(head) == [("Level", 0.0), ("No.", 92.0)]
    assert words(easy) == [("Easy", 0.0), ("8", 104.0)]
    assert words(hard) == [("Hard and long", 0.0), ("12", 98.0)]
    faces = {item.font for item in head.items if isinstance(item, TextRun)}
    assert faces == {FontKey.SEMIBOLD}
    assert (head.with_next, easy.with_next) == (True, False)
    rules = [[item for item in row.items if isinstance(item, Placed)] for row in (head, easy, hard)]
    assert [[item.frame.height_pt for item in row] for row in rules] == [[1.25, 0.75], [], [1.25]]


def test_squares_wrap_where_the_page_is_narrow():
    long = "| a | b |\n|---|---|\n| one two three four five six | seven eight nine ten |\n"
    wide, narrow = rows(long)[1], rows(long, 140.0)[1]
    assert narrow.height_pt > wide.height_pt
    ends = [item.x + item.width_pt for item in narrow.items if isinstance(item, TextRun)]
    assert max(ends) <= 140.0


def test_a_table_too_wide_for_its_longest_words_is_refused():
    with pytest.raises(
        LayoutError, match=r"front\[0\]\.text: a table of 2 columns is 75 mm wide at least.* 70 mm"
    ):
        rows(f"| {'a' * 16} | {'b' * 17} |\n|---|---|\n| c | d |\n", 200.0)


def with_picture(text, size, paper=None, printer="generic"):
    own = edition(2, front=(MatterSpec(text=text),), paper=paper)
    own = replace(own, pictures={"map.png": OwnPicture("map.png", b"", size, size)})
    return layout_book(own, load_printer(printer), load_theme("classic"), PlainMeasure())


def photo_of(made):
    (figure,) = placed(pages_of(made, "matter")[0])
    (photo,) = figure.frame.items
    assert isinstance(photo, Photo)
    return photo


def test_a_picture_is_as_wide_as_the_text_or_as_its_title_says():
    whole = photo_of(with_picture("![](map.png)", Size(2000, 1000)))
    assert whole.box == pytest.approx((0, 0, 363.6, 181.8))  # 432 − 36 − 32.4
    small = photo_of(with_picture('![the map](map.png "1in")', Size(400, 200)))
    assert small.box == pytest.approx((0, 0, 72, 36))
    tall = photo_of(with_picture("![](map.png)", Size(1000, 3000)))
    assert tall.box[2] == pytest.approx(tall.box[3] / 3)


def test_a_picture_is_grey_on_paper_that_is_printed_in_black():
    grey, coloured = (with_picture("![](map.png)", Size(2000, 900), paper) for paper in ("white", "colour"))
    assert (photo_of(grey).grey, grey.coloured) == (True, False)
    assert (photo_of(coloured).grey, coloured.coloured) == (False, True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "![](map.png)",
            r"map\.png is too small to print sharply at 128 mm: 900 dots wide, 1011 are needed\.",
        ),
        ("So ![](map.png) so", "is in a line of words"),
        ("| ![](map.png) |\n|---|\n| a |", "is in a line of words"),
        ("# ![](map.png)", "is in a line of words"),
        ('![](map.png "The map")', r'the title "The map", but a title must be the printed width'),
        ('![](map.png "200mm")', r"is to be 200 mm wide; there is room for 128 mm"),
    ],
)
def test_an_unsuitable_picture_is_refused_with_its_key(text, message):
    with pytest.raises(LayoutError, match=rf"front\[0\]\.text: .*{message}"):
        with_picture(text, Size(900, 300))


def test_names_of_pictures_are_decoded_to_file_names():
    assert pictures_in("![a](my%20map.png)\n\n![b](<über sea.jpg>) [no](link.png)") == [
        "my map.png",
        "über sea.jpg",
    ]
