from plain_measure import book, pages_of, text_runs, texts

from linkpress.book.printing_keys import MatterSpec
from linkpress.layout.book_parts.own_pages import markdown_blocks
from linkpress.layout.frame import FontKey, Lines, Placed
from linkpress.layout.text_flow import PictureRow, Text
from linkpress.layout.theme import load_theme

SCALE = load_theme("classic").type


def blocks(text: str) -> list[tuple[str, str, float]]:
    made = markdown_blocks(text, SCALE, "front")
    return [("".join(span.text for span in block.spans), block.marker, block.indent_pt) for block in made]


def test_lists_are_marked_and_set_in_by_depth() -> None:
    assert blocks("- one\n  - two\n\n3. three\n4. four") == [
        ("one", "–", 16.0),  # 1.6 × 10
        ("two", "–", 32.0),
        ("three", "3.", 16.0),
        ("four", "4.", 16.0),
    ]


def test_an_item_that_begins_with_code_has_its_marker() -> None:
    assert blocks("1.     code\n\n   more\n\nText.") == [
        ("code", "1.", 16.0),
        ("more", "", 16.0),
        ("Text.", "", 0.0),
    ]


def test_emphasis_is_set_strong_and_breaks_are_kept_where_forced() -> None:
    (block,) = markdown_blocks("a *b*\nc  \nd", SCALE, "front")
    assert block.spans == (
        *(Text("a "), Text("b", italic=True)),
        *(Text(" "), Text("c"), Text("\n"), Text("d")),
    )


def test_plain_text_stays_plain() -> None:
    assert blocks("One line.\n\nAnother & <more>.") == [
        ("One line.", "", 0.0),
        ("Another & <more>.", "", 0.0),
    ]


def test_long_matter_takes_as_many_pages_as_it_needs() -> None:
    made = book(2, front=(MatterSpec(text="word " * 2000, title="Foreword"),))
    pages = pages_of(made, "matter")
    assert len(pages) > 2
    assert sum(text.split().count("word") for page in pages for text in texts(page)) == 2000
    assert made.index["front-0"] == pages[0].number


def test_headings_are_set_in_the_heavier_face() -> None:
    made = book(2, back=(MatterSpec(text="# Head\n\ntext", title="Title"),))
    page = pages_of(made, "matter")[0]
    faces = {item.text: item.font for item in text_runs(page)}
    assert (faces["Head"], faces["text"]) == (FontKey.SEMIBOLD, FontKey.REGULAR)


def test_a_heading_stays_with_what_follows() -> None:
    head, body = markdown_blocks("## Head\n\ntext", SCALE, "front")
    assert (head.with_next, body.with_next) == (True, False)


def test_a_list_stands_off_what_precedes_it() -> None:
    made = markdown_blocks("- a\n- b\n\n1. c\n   - d\n2. e\n\nText.", SCALE, "front")
    # 0.7 × 10 above each list and paragraph, 0.35 × 10 between items, also of a list in a list.
    assert [block.before_pt for block in made] == [7.0, 3.5, 7.0, 3.5, 3.5, 7.0]


def test_a_link_is_followed_by_its_address_and_an_address_stands_alone() -> None:
    said = blocks(
        "See [our page](https://example.com/a), <https://example.com/b>, [us](mailto:a@example.com)."
    )
    assert said[0][0] == ("See our page (https://example.com/a), https://example.com/b, us (a@example.com).")


def test_three_hyphens_are_a_rule_between_paragraphs() -> None:
    one, rule, two = markdown_blocks("One.\n\n---\n\nTwo.", SCALE, "front")
    assert isinstance(rule, PictureRow)
    (placed,) = rule.items
    assert isinstance(placed, Placed)
    (line,) = placed.figure.frame.items
    assert isinstance(line, Lines)
    assert line.segments == ((0.0, 5.0, 60.0, 5.0),)  # half of 10 high, 6 × 10 long
    assert not isinstance(one, PictureRow)
    assert not isinstance(two, PictureRow)
