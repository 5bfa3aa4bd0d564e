from xml.etree import ElementTree

import boards
from linkpress.layout.boards.board_frames import board_frame
from linkpress.layout.frame import Anchor, FontKey, Frame, Ink, Placed, Rects, TextRun
from linkpress.layout.theme import load_theme
from linkpress.render.fonts import FontMeasure
from linkpress.render.svg import draw_svg

NAMES = {"svg": "http://www.w3.org/2000/svg"}


def tree(frame: Frame, title: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg(frame, title))


def test_the_drawing_has_the_frame_s_size_and_title() -> None:
    root = tree(Frame(142.0, 102.5, ()), "Links & more")
    assert (root.get("width"), root.get("viewBox")) == ("142pt", "0 0 142 102.5")
    assert root.findtext("svg:title", namespaces=NAMES) == "Links & more"


def test_texts_are_dublin_core() -> None:
    texts = {"Author": "Ann & Co", "Keywords": "number 7", "Software": "left out"}
    (metadata,) = ElementTree.fromstring(draw_svg(Frame(9.0, 9.0, ()), "", texts))
    found = {one.tag.removeprefix("{http://purl.org/dc/elements/1.1/}"): one.text for one in metadata}
    assert found == {"creator": "Ann & Co", "subject": "number 7"}


def test_heights_are_counted_from_the_top() -> None:
    root = tree(Frame(100.0, 80.0, (Rects(((10.0, 20.0, 30.0, 5.0),)),)))
    (path,) = root.findall("svg:path", NAMES)
    assert path.get("d") == "M10 60h30v-5h-30Z"  # 80 − 20


def test_text_is_text_and_holds_its_anchor() -> None:
    run = TextRun(40.0, 30.0, "a<b", FontKey.SEMIBOLD, 9.0, 12.0, anchor=Anchor.MIDDLE)
    (text,) = tree(Frame(100.0, 80.0, (run,))).findall("svg:text", NAMES)
    assert text.text == "a<b"
    assert (text.get("x"), text.get("y"), text.get("text-anchor")) == ("46", "50", "middle")
    assert (text.get("font-weight"), text.get("font-family")) == ("600", "IBM Plex Sans, sans-serif")


def test_placed_figures_are_groups_at_their_place() -> None:
    board = Frame(10.0, 10.0, (Rects(((0.0, 0.0, 10.0, 10.0),), Ink(1, 0, 0, 0)),))
    frame = Frame(100.0, 80.0, (Placed("board-0", board, 5.0, 7.0),))
    (group,) = ElementTree.fromstring(draw_svg(frame, prefix="links-7-")).findall("svg:g", NAMES)
    assert (group.get("id"), group.get("class")) == ("links-7-board-0", "board")
    assert group[0].get("d") == "M5 73h10v-10h-10Z"  # 80 − 7
    assert group[0].get("fill") == "#00ffff"


def test_a_quarter_turn_puts_a_figure_s_left_end_at_the_head_of_its_place() -> None:
    """30 × 10 at 20, 5 on a page 60 high: 10 × 30 from there, about the middle of a square of 30."""
    strip = Frame(30, 10, (Rects(((0, 0, 30, 10),), Ink(0, 0, 0, 1)),))
    (group,) = tree(Frame(100, 60, (Placed("spine", strip, 20, 5, turned=90),))).iterfind(
        ".//{*}g[@transform]"
    )
    assert group.get("transform") == "rotate(90 35 40)"


def test_a_board_s_numbers_can_be_read_back() -> None:
    frame = board_frame(boards.SOLVED_BOARD.puzzle, None, 20.0, load_theme("bold"), FontMeasure())
    numbers = [text.text for text in tree(frame).findall("svg:text", NAMES)]
    assert sorted(numbers) == sorted("5133522414")
    assert len(tree(frame).findall("svg:circle", NAMES)) == 10


def test_a_drawing_says_the_language_of_its_texts() -> None:
    root = ElementTree.fromstring(draw_svg(Frame(9.0, 9.0, ()), "เส้น", language="th"))
    assert (root.get("lang"), root.get("{http://www.w3.org/XML/1998/namespace}lang")) == ("th", "th")
    assert root.get("viewBox") == "0 0 9 9"
