import copy
import re
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain_measure import SIX_BY_NINE, PlainMeasure, book, placed, text_runs

from linkpress.book.key_values import Title
from linkpress.book.printing_keys import CaptionsSpec, PartsSpec, QrSpec, SolutionsPlace
from linkpress.documents.models import read_values
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Area, FontKey, TextRun
from linkpress.layout.text_flow import (
    Block,
    PictureRow,
    Text,
    _balanced_lines,
    break_lines,
    flow,
    heading_block,
    text_block,
)
from linkpress.words import Words, load_words

MEASURE = PlainMeasure()


def said(block, width):
    return [line.text for line in break_lines(block, width, MEASURE)]


def columns(blocks, height, width=600.0):
    made = flow(blocks, Area(10.0, 100.0, width, height), MEASURE)
    return [[item for block in column for item in block if isinstance(item, TextRun)] for column in made]


def test_a_word_wider_than_the_column_is_hyphenated():
    assert said(text_block("incomprehensible", 10), 60.0) == ["incompre-", "hensible"]


@pytest.mark.parametrize(
    ("language", "word", "lines"),
    [
        ("de", "Verbindungsrätsel", ["Verbin-", "dungsrät-", "sel"]),
        ("nl", "verbindingspuzzel", ["verbin-", "dingspuz-", "zel"]),
        ("de", "Silben-Trennung", ["Silben-", "Trennung"]),
        ("en", "example.org/wonderful", ["example.or", "g/", "wonderful"]),
        ("th", "ลากเส้นเชื่อมตัวเลข", ["ลากเส้น", "เชื่อม", "ตัวเลข"]),
        ("ja", "線をつなぐ。「数字」ーーの", ["線をつなぐ。「数", "字」ーーの"]),
        ("en", "\U0001d400\u0301" * 8, ["\U0001d400\u0301" * 5, "\U0001d400\u0301" * 3]),
    ],
)  # fmt: skip
def test_words_are_split_by_the_rules_of_their_language(language, word, lines):
    made = break_lines(text_block(word, 10), 60.0, PlainMeasure(language=language))
    assert [line.text for line in made] == lines


def test_a_fitting_word_is_hyphenated_only_if_much_of_a_line_would_be_blank():
    measure = PlainMeasure(language="de")
    block = text_block("Das Verbindungsrätsel", 10)  # 3 and 17 letters, in a line of 18
    assert [line.text for line in break_lines(block, 108.0, measure)] == ["Das Verbindungs-", "rätsel"]
    block = text_block("Dieses lange gute Verbindungsrätsel", 10)  # 17 and 17, in one of 28
    assert [line.text for line in break_lines(block, 168.0, measure)] == [
        "Dieses lange gute",
        "Verbindungsrätsel",
    ]


def test_headings_keep_words_whole_however_short_their_lines_are():
    lines = break_lines(heading_block("Das Verbindungsrätsel", 10, 0.0), 108.0, PlainMeasure(language="de"))
    assert [line.text for line in lines] == ["Das", "Verbindungsrätsel"]


def test_japanese_headings_end_lines_between_phrases_and_texts_wherever_they_may():
    measure, title = PlainMeasure(language="ja"), "夜のナンバーリンク"
    of_heading = break_lines(heading_block(title, 10, 0.0), 50.0, measure)  # room for 8 characters
    of_text = break_lines(text_block(title, 10), 50.0, measure)
    assert [line.text for line in of_heading] == ["夜の", "ナンバーリンク"]
    assert [line.text for line in of_text] == ["夜のナンバーリ", "ンク"]


def test_text_without_spaces_stays_on_one_line_if_the_font_changes():
    block = Block((Text("the "), Text("word", strong=True), Text(",")), 10, 14)
    lines = break_lines(block, 49.0, MEASURE)  # room for 8 characters: the comma is the ninth
    assert [line.text for line in lines] == ["the", "word,"]


def test_a_very_long_word_is_measured_line_by_line():
    """20,000 letters without a blank took 15 s when each line measured all remaining letters."""
    measured = []

    class Counting(PlainMeasure):
        def width(self, text, font, size_pt):
            measured.append(len(text))
            return super().width(text, font, size_pt)

    lines = break_lines(text_block("x" * 1_000, 10), 60.0, Counting())
    assert len(lines) == 100
    assert len(measured) < 1_500  # 100 lines of 10 letters, and a few letters more for each line


def test_a_very_short_last_line_gets_another_word():
    text = "aaaa bbbb cccc dddd eeee ffff gggg hhhh i"  # 39 characters and an i behind a full line
    assert said(text_block(text, 10), 6.0 * 39)[-1] != "i"


@given(st.text("ab ", min_size=1, max_size=120), st.floats(20, 300))
def test_no_line_is_wider_than_its_column_and_no_letter_is_lost(text, width):
    lines = said(text_block(text, 10), width)
    assert all(6.0 * len(line) <= width + 1e-6 for line in lines)
    assert "".join(lines).replace("-", "").replace(" ", "") == text.replace(" ", "")


def test_strong_words_are_set_in_the_heavier_face_on_the_same_line():
    block = Block((Text("with "), Text("care", strong=True)), 10, 14)
    (line,) = break_lines(block, 300.0, MEASURE)
    assert line.runs == [(0.0, "with ", FontKey.REGULAR), (30.0, "care", FontKey.SEMIBOLD)]  # 5 × 6


def test_the_first_baseline_is_one_leading_down():
    ((run,),) = columns([text_block("word", 10)], 200.0)
    # 300 − 14 of leading, + (14 − 10) / 2 + 0.22 × 10 up to the baseline.
    assert (run.x, run.y) == pytest.approx((10.0, 290.2))


def test_a_heading_stays_with_its_text():
    filler = text_block("one\ntwo\nthree\nfour", 10)  # 4 × 14 = 56 of 84; 16.1 + 14 more do not fit
    made = columns([filler, heading_block("Head", 14, 5.0), text_block("a\nb", 10)], 84.0)
    assert [run.text for run in made[1]] == ["Head", "a", "b"]


def test_no_single_line_is_left_on_either_page():
    lines = text_block("a\nb\nc\nd\ne\nf", 10)  # 84 high; a column of 75 holds five lines
    made = columns([lines], 75.0)
    assert [[run.text for run in column] for column in made] == [["a", "b", "c", "d"], ["e", "f"]]


def test_markers_hang_left_of_their_text():
    ((marker, text),) = columns([text_block("item", 10, indent_pt=32.0, hang_pt=16.0, marker="–")], 100.0)
    assert (marker.x, text.x) == (26.0, 42.0)  # 10 + 32 − 16; 10 + 32


def test_a_picture_that_does_not_fit_moves_to_the_next_column():
    picture = PictureRow((), height_pt=60.0)
    made = flow([text_block("a\nb\nc", 10), picture], Area(0, 0, 100, 90), MEASURE)
    assert len(made) == 2


@pytest.mark.parametrize(
    ("title", "most", "lines"),
    [
        ("The Big Book of Number Link", 16, ["The Big Book", "of Number Link"]),
        ("El gran libro de los números enlazados", 22, ["El gran libro", "de los números", "enlazados"]),
        ("Number Link", 22, ["Number Link"]),
        ("Link", 3, None),
    ],
)
def test_a_title_breaks_by_sense_and_balance(title, most, lines):
    assert _balanced_lines((title,), "en", len, most) == lines


def test_line_breaks_in_a_title_are_kept():
    title = Title("The Big Book of|Number Link\nfor All")
    assert title == "The Big Book of Number Link for All"
    assert _balanced_lines(title.parts, "en", len, 20) == ["The Big Book of", "Number Link", "for All"]
    assert copy.copy(title).parts == title.parts


LARGE = Size(612, 792)
FIELD = re.compile(r"(\{\w+\})")
LONGEST = 400  # characters that a phrase may have


def long_words(text):
    return re.sub(r"(\{\w+\})|([^\W\d_]+)", lambda found: found[1] or found[2] + found[2].lower(), text)


def many_words(text):
    return f"{text} {' '.join(FIELD.sub('', text).split())}"[:LONGEST]


def as_long_as_can_be(text):
    return text + (60 - len(text)) * "x"


def language(longer):
    """The English words, made longer."""

    def changed(value):
        if isinstance(value, dict):
            return {key: changed(inner) for key, inner in value.items()}
        return [changed(inner) for inner in value] if isinstance(value, list) else longer(value)

    own = {"language", "locale", "player", "for_dots"}
    document = load_words("en").model_dump(mode="json", exclude_none=True, exclude=own)
    player = load_words("en").player.model_dump(mode="json", exclude_none=True)
    document["count"] = {key: text for key, text in document["count"].items() if text}
    return read_values({**changed(document), "player": player, "language": "qaa", "locale": "en"}, Words)


def clashes(page):
    """Yield texts that overlap another text, the edge of the page or a board."""
    runs = text_runs(page)
    for one, other in combinations(runs, 2):
        near = abs(one.y - other.y) < 0.6 * min(one.size_pt, other.size_pt)
        if near and one.x < other.x + other.width_pt - 0.1 and other.x < one.x + one.width_pt - 0.1:
            yield one.text, other.text
    for run in runs:
        if run.x < 0 or run.x + run.width_pt > page.frame.width_pt:
            yield run.text, "the edge"
        for board in placed(page):
            frame = board.frame
            across = run.x < board.x + frame.width_pt - 0.5 and run.x + run.width_pt > board.x + 0.5
            if across and run.y < board.y + frame.height_pt - 0.5 and run.y + 0.5 * run.size_pt > board.y:
                yield run.text, board.name


@pytest.mark.parametrize("longer", [long_words, many_words])
@pytest.mark.parametrize(
    "how",
    [
        {"trim": LARGE},
        {"trim": LARGE, "per_page": 8, "solutions_per_page": 12},
        {"trim": LARGE, "captions": CaptionsSpec(time=True), "qr": QrSpec(text="https://x.org/{number}")},
        {"trim": SIX_BY_NINE, "per_page": 1, "place": SolutionsPlace.FILE},
        {"trim": LARGE, "parts": PartsSpec(tutorial=True)},
        {"trim": LARGE, "place": SolutionsPlace.UPSIDE_DOWN, "solutions_per_page": 4, "notes_pages": 1},
    ],
)
def test_words_twice_as_long_overlap_nothing(longer, how):
    made = book(9, 3, language=language(longer), **how)
    pages = (*made.pages, *made.solutions)
    assert [(page.number, *clash) for page in pages for clash in clashes(page)] == []


def test_the_helper_for_overlaps_finds_one():
    (page,) = [page for page in book(1, language="en").pages if page.kind == "copyright"]
    assert list(clashes(page)) == []
    on_one_line = tuple(replace(run, y=100.0) for run in text_runs(page))
    assert list(clashes(replace(page, frame=replace(page.frame, items=on_one_line))))


def test_words_too_long_for_their_line_are_reported():
    with pytest.raises(LayoutError, match=r"too long for its line of .* mm, even in type of 6 pt"):
        book(9, 3, language=language(as_long_as_can_be))
