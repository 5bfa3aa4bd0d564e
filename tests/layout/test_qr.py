from pathlib import Path

import pytest
import segno
from plain_measure import book, numbered, pages_of, placed

import boards
from linkpress.book.printing_keys import PlaySpec, QrPer, QrSpec
from linkpress.book.spec import BookSpec
from linkpress.documents.models import Document
from linkpress.errors import LayoutError
from linkpress.layout.boards.board_captions import puzzle_code_text, qr_frame, section_code_text
from linkpress.layout.boards.sheets import QR_PT
from linkpress.layout.frame import Rects
from linkpress.press.rehearsal import rehearse
from linkpress.puzzle.notation.link_text import parse_solution_rows
from linkpress.puzzle.notation.puzz_link import parse_url
from linkpress.puzzle.notation.reading import read_puzzles

(OPEN_BOARD,) = read_puzzles("4 3\n1 . . 1\n2 . . 2\n3 . . 3\n")
OPEN = numbered(9, "A", parse_solution_rows(OPEN_BOARD, ("1 1 1 1", "2 2 2 2", "3 3 3 3")))


def test_a_code_is_what_segno_makes_of_the_text() -> None:
    figure = qr_frame("https://example.org/7", 66.0)
    code = segno.make("https://example.org/7", error="m", micro=False, boost_error=False)
    dark = sum(cell for row in code.matrix for cell in row)
    (rects,) = figure.items
    assert isinstance(rects, Rects)
    module = 66.0 / (len(code.matrix) + 8)  # four modules of white on either side
    assert sum(w * h for _, _, w, h in rects.boxes) == pytest.approx(dark * module**2)
    # The finder pattern's top bar: seven modules at the top left, inside the quiet zone.
    assert rects.boxes[0] == pytest.approx((4 * module, 66 - 5 * module, 7 * module, module))


def test_a_puzzle_s_address_leads_to_the_puzzle() -> None:
    assert parse_url(puzzle_code_text("{url}", OPEN)) == OPEN.record.puzzle
    assert puzzle_code_text("https://example.org/{number}", OPEN) == "https://example.org/9"


def test_a_board_with_solids_has_no_address_on_puzz_link() -> None:
    with pytest.raises(LayoutError, match=r"qr\.text: puzzle 1 .*solid"):
        book(2, qr=QrSpec())
    assert puzzle_code_text("x{number}", numbered(1, "A", boards.SOLVED_BOARD)) == "x1"


@pytest.mark.parametrize("template", ["{page}", "{", "{0}", "{number.x}"])
def test_an_unknown_name_in_the_text_is_told(template: str) -> None:
    with pytest.raises(LayoutError, match=r"\{url\} and \{number\} are known"):
        puzzle_code_text(template, OPEN)


def test_each_board_has_its_code_below_its_right_edge() -> None:
    page = pages_of(book(4, qr=QrSpec(text="x{number}")), "puzzles")[0]
    figures = {item.name: item for item in placed(page)}
    board, code = figures["puzzle-1"], figures["qr-1"]
    assert code.y + code.frame.height_pt <= board.y
    # The quiet zone overhangs: 0.09 of 56.
    right = board.x + board.frame.width_pt
    assert code.x + code.frame.width_pt == pytest.approx(right + 5.04)


def test_a_book_with_a_player_of_its_own_leads_there_with_solids_too() -> None:
    solid = numbered(7, "A", boards.SOLVED_BOARD)
    url = "https://example.org/play.html"
    assert puzzle_code_text("{url}", solid, url) == "https://example.org/play.html#7"
    assert section_code_text("{url}", 2, 9, 16, url) == "https://example.org/play.html#9"
    made = book(2, qr=QrSpec(per=QrPer.SECTION), play=PlaySpec(url=url))
    opener = next(page for page in made.pages if page.kind == "opener")
    assert [item.name for item in placed(opener) if item.name.startswith("qr")] == ["qr-level-0"]


def test_sections_have_one_code_on_their_opener() -> None:
    assert section_code_text("{level}:{first}-{last}", 2, 9, 16) == "2:9-16"
    made = book(4, 4, qr=QrSpec(per=QrPer.SECTION, text="https://example.org/{level}"))
    names = [
        (page.kind, item.name) for page in made.pages for item in placed(page) if item.name.startswith("qr")
    ]
    assert names == [("opener", "qr-level-0"), ("opener", "qr-level-1")]


def test_codes_stand_beside_boards_that_they_would_make_smaller() -> None:
    """Two boards of 7 × 7 to a page of 6 × 9 in leave more than the code's width at their side."""

    def first_page(**keys: object) -> list[tuple[str, float, float]]:
        level = {"name": "A", "count": 2, "size": 7, "per_page": 2}
        spec = BookSpec.model_validate(
            {"title": "L", "seed": 1, "page": {"trim": "6x9in"}, "levels": [level], **keys}
        )
        page = pages_of(rehearse(Document(spec), Path()).book, "puzzles")[0]
        return [(item.name, item.x, item.frame.width_pt) for item in placed(page)]

    first, code, second, _ = first_page(qr={"per": "puzzle"})
    assert [width for _, _, width in (first, second)] == [width for _, _, width in first_page()]
    assert (code[0], code[1] > first[1] + first[2]) == ("qr-1", True)


def test_codes_stand_beside_boards_in_columns_too_where_these_become_larger_so() -> None:
    """Four of 7 × 7 on 8.5 × 8.5 in: 2.5 in wide with codes beside them, 1.8 in with codes below."""
    level = {"name": "A", "count": 4, "size": 7, "per_page": 4}
    keys = {
        "title": "L",
        "seed": 1,
        "page": {"trim": "8.5x8.5in"},
        "levels": [level],
        "qr": {"per": "puzzle"},
    }
    made = rehearse(Document(BookSpec.model_validate(keys)), Path()).book
    boards = placed(pages_of(made, "puzzles")[0])[::2]
    codes = placed(pages_of(made, "puzzles")[0])[1::2]
    assert all(board.frame.width_pt > 2.4 * 72 for board in boards)
    for board, code in zip(boards, codes, strict=True):
        assert code.x > board.x + board.frame.width_pt
        assert code.x + QR_PT < made.trim.width_pt - made.margins.outside_pt + 6
