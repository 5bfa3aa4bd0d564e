"""Places of answers: at the back of the book, after each level, in a file of their own, or upside down."""

import pytest
import segno
from plain_measure import book, numbered, pages_of, placed, puzzles, rows_of, text_runs, texts

import boards
from linkpress.book.printing_keys import QrPer, QrSpec, SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.documents.models import Document
from linkpress.documents.values import Size
from linkpress.errors import LayoutError
from linkpress.layout.frame import Placed, TextRun
from linkpress.layout.sheets import QR_PT, puzzle_code_text, qr_frame, section_code_text
from linkpress.press.dry_run import dry_run
from linkpress.puzzle.link_text import parse_solution_rows
from linkpress.puzzle.notations import read_puzzles
from linkpress.puzzle.pzpr import parse_url
from turning import turned_solution


def kinds(made):
    return [page.kind for page in made.pages]


def answers_by_page(made):
    return [len(placed(page)) for page in pages_of(made, "solutions")]


def test_answers_run_on_across_levels():
    made = book(4, 7, solutions_per_page=9)
    first, second = pages_of(made, "solutions")
    assert answers_by_page(made) == [6, 5]
    assert "Solutions · A – B" in texts(first)
    assert "Solutions · B" in texts(second)


def test_an_answer_with_a_page_of_its_own_is_as_large_as_its_puzzle():
    made = book(2, per_page=1, solutions_per_page=1)
    puzzles, answers = (
        [placed(page)[0].frame.width_pt for page in pages_of(made, kind)] for kind in ("puzzles", "solutions")
    )
    assert answers == puzzles


def test_the_last_two_pages_of_answers_are_evenly_filled():
    assert answers_by_page(book(13)) == [7, 6]  # 12 answers fit a page if boards have up to 7 × 7
    assert answers_by_page(book(19)) == [12, 7]
    large = (*puzzles(6), numbered(7, "B", rows_of(30, 30)))  # its answer fills a page
    assert answers_by_page(book(6, 1, made=large, per_page=1, min_cell_mm=2.0)) == [6, 1]


def test_more_answers_than_usual_are_on_a_page_where_all_are_as_large():
    made = tuple(numbered(number, "A", rows_of(14, 5)) for number in range(1, 13))
    assert answers_by_page(book(12, made=made, per_page=1)) == [6, 6]  # the usual number for 14 squares is 4


def test_fewer_answers_to_a_page_make_room_for_captions_of_two_lines():
    made = tuple(numbered(number, "A", rows_of(10, 8)) for number in range(1, 7))
    page = {"trim": Size(300, 315), "per_page": 1, "min_cell_mm": 2.0}
    with pytest.raises(LayoutError, match=r"at 6 a page on .* lower solutions\.per_page or make it auto"):
        book(6, made=made, solutions_per_page=6, **page)
    assert answers_by_page(book(6, made=made, **page)) == [2, 2, 2]


def test_answers_after_each_section_need_no_solutions_section():
    made = book(8, 3, place=SolutionsPlace.AFTER_SECTION)
    shown = [kind for kind in kinds(made) if kind in ("opener", "puzzles", "solutions")]
    assert shown == ["opener", "puzzles", "puzzles", "solutions", "opener", "puzzles", "solutions"]
    assert "Solutions" not in texts(pages_of(made, "contents")[0])
    assert "solutions" not in made.index


def test_answers_in_a_file_of_their_own_are_numbered_there():
    made = book(8, 3, place=SolutionsPlace.FILE)
    assert "solutions" not in kinds(made)
    assert [page.number for page in made.solutions] == [1, 2]
    assert made.index["solution-1"] == 2
    assert "Solutions file p. 2" in texts(pages_of(made, "puzzles")[0])
    assert f"Puzzle p. {made.index['puzzle-1']}" in texts(made.solutions[1])


def test_answers_are_upside_down_on_the_next_page_of_puzzles():
    made = book(8, 3, place=SolutionsPlace.UPSIDE_DOWN)
    pages = [*pages_of(made, "puzzles"), *pages_of(made, "solutions")]
    feet = [[item for item in placed(page) if item.turned] for page in pages]
    assert [len(foot) for foot in feet] == [0, 1, 1, 1]
    names = [[one.name for one in foot[0].frame.items if isinstance(one, Placed)] for foot in feet[1:]]
    assert names == [
        ["solution-1", "solution-2", "solution-3", "solution-4"],
        ["solution-5", "solution-6", "solution-7", "solution-8"],  # the opener of the next level is between
        ["solution-9", "solution-10", "solution-11"],
    ]
    for page, held in zip(pages[1:], names, strict=True):
        assert all(made.index[name] == page.number for name in held)


def test_answers_at_the_foot_fill_the_width_and_fewer_keep_the_positions():
    made = book(8, 3, place=SolutionsPlace.UPSIDE_DOWN)
    full, fewer = (
        next(item for item in placed(page) if item.turned)
        for page in (pages_of(made, "puzzles")[1], pages_of(made, "solutions")[0])
    )
    left, right = full.x, full.x + full.frame.width_pt
    starts, own = ([one.x for one in foot.frame.items if isinstance(one, Placed)] for foot in (full, fewer))
    board = next(one for one in full.frame.items if isinstance(one, Placed)).frame
    assert right - left == pytest.approx(starts[-1] + board.width_pt) == pytest.approx(432 - 2 * 36, abs=8)
    assert own == starts[:3]
    assert fewer.frame.width_pt < full.frame.width_pt


def test_puzzles_are_above_the_answers_at_the_foot():
    made = book(8, place=SolutionsPlace.UPSIDE_DOWN)
    page = pages_of(made, "puzzles")[1]
    (foot,) = [item for item in placed(page) if item.turned]
    boards = [item for item in placed(page) if not item.turned]
    assert min(board.y for board in boards) > foot.y + foot.frame.height_pt
    folio = next(item for item in text_runs(page) if item.y < 33)
    assert foot.y > folio.y + folio.size_pt * 0.7
    said = [item.text for item in foot.frame.items if isinstance(item, TextRun)]
    assert f"Puzzle p. {made.index['puzzle-1']}" in said


def test_answers_too_wide_for_a_foot_are_refused():
    wide = puzzles(2, board=rows_of(5, 40))
    with pytest.raises(LayoutError, match=r"solutions\.place: a legible answer of level 'A'.* 5\.3 in wide"):
        book(2, made=wide, min_cell_mm=3.0, place=SolutionsPlace.UPSIDE_DOWN, per_page=1)


def test_a_foot_that_leaves_no_room_for_boards_is_refused():
    tall = puzzles(16, board=turned_solution(rows_of(5, 24), 1))
    with pytest.raises(LayoutError, match=r"squares of \d.*choose another solutions\.place"):
        book(16, made=tall, min_cell_mm=3.0, place=SolutionsPlace.UPSIDE_DOWN, per_page=8)


(OPEN_BOARD,) = read_puzzles("4 3\n1 . . 1\n2 . . 2\n3 . . 3\n")
OPEN = numbered(9, "A", parse_solution_rows(OPEN_BOARD, ("1 1 1 1", "2 2 2 2", "3 3 3 3")))


def test_a_code_is_what_segno_makes_of_the_text():
    figure = qr_frame("https://example.org/7", 66.0)
    code = segno.make("https://example.org/7", error="m", micro=False, boost_error=False)
    dark = sum(cell for row in code.matrix for cell in row)
    (rects,) = figure.items
    module = 66.0 / (len(code.matrix) + 8)  # four modules of white on either side
    assert sum(w * h for _, _, w, h in rects.boxes) == pytest.approx(dark * module**2)
    # The finder pattern's top bar: seven modules at the top left, inside the quiet zone.
    assert rects.boxes[0] == pytest.approx((4 * module, 66 - 5 * module, 7 * module, module))


def test_a_puzzle_s_address_leads_to_the_puzzle():
    assert parse_url(puzzle_code_text("{url}", OPEN)) == OPEN.record.puzzle
    assert puzzle_code_text("https://example.org/{number}", OPEN) == "https://example.org/9"


def test_a_board_with_solids_has_no_address_on_puzz_link():
    with pytest.raises(LayoutError, match=r"qr\.text: puzzle 1 .*solid"):
        book(2, qr=QrSpec())
    assert puzzle_code_text("x{number}", numbered(1, "A", boards.SOLVED_BOARD)) == "x1"


@pytest.mark.parametrize("template", ["{page}", "{", "{0}", "{number.x}"])
def test_an_unknown_name_in_the_text_is_reported(template):
    with pytest.raises(LayoutError, match=r"\{url\} and \{number\} can be used"):
        puzzle_code_text(template, OPEN)


def test_each_board_has_its_code_below_its_right_edge():
    page = pages_of(book(4, qr=QrSpec(text="x{number}")), "puzzles")[0]
    figures = {item.name: item for item in placed(page)}
    board, code = figures["puzzle-1"], figures["qr-1"]
    assert code.y + code.frame.height_pt <= board.y
    # The code's white margin, 0.09 of 56 pt, extends beyond the board.
    right = board.x + board.frame.width_pt
    assert code.x + code.frame.width_pt == pytest.approx(right + 5.04)


def test_a_book_with_a_player_of_its_own_leads_there_with_solids_too():
    solid = numbered(7, "A", boards.SOLVED_BOARD)
    url = "https://example.org/play.html"
    assert puzzle_code_text("{url}", solid, url) == "https://example.org/play.html#7"
    assert section_code_text("{url}", 2, 9, 16, url) == "https://example.org/play.html#9"


def test_sections_have_one_code_on_their_opener():
    assert section_code_text("{level}:{first}-{last}", 2, 9, 16) == "2:9-16"
    made = book(4, 4, qr=QrSpec(per=QrPer.SECTION, text="https://example.org/{level}"))
    names = [
        (page.kind, item.name) for page in made.pages for item in placed(page) if item.name.startswith("qr")
    ]
    assert names == [("opener", "qr-level-0"), ("opener", "qr-level-1")]


def laid_out(trim, count, **keys):
    """A book of one page of 7 × 7 boards, as its spec is checked."""
    level = {"name": "A", "count": count, "size": 7, "per_page": count}
    spec = {"title": "L", "seed": 1, "page": {"trim": trim}, "levels": [level], **keys}
    return dry_run(Document(BookSpec.model_validate(spec))).checked().layout


def test_codes_are_beside_boards_that_they_would_make_smaller():
    """Two boards of 7 × 7 to a page of 6 × 9 in leave more than the code's width at their side."""

    def first_page(**keys):
        page = pages_of(laid_out("6x9in", 2, **keys), "puzzles")[0]
        return [(item.name, item.x, item.frame.width_pt) for item in placed(page)]

    first, code, second, _ = first_page(qr={"per": "puzzle"})
    assert [width for _, _, width in (first, second)] == [width for _, _, width in first_page()]
    assert (code[0], code[1] > first[1] + first[2]) == ("qr-1", True)


def test_codes_are_beside_boards_in_columns_too_where_these_become_larger_so():
    """Four of 7 × 7 on 8.5 × 8.5 in: 2.5 in wide with codes beside them, 1.8 in with codes below."""
    made = laid_out("8.5x8.5in", 4, qr={"per": "puzzle"})
    boards = placed(pages_of(made, "puzzles")[0])[::2]
    codes = placed(pages_of(made, "puzzles")[0])[1::2]
    assert all(board.frame.width_pt > 2.4 * 72 for board in boards)
    for board, code in zip(boards, codes, strict=True):
        assert code.x > board.x + board.frame.width_pt
        assert code.x + QR_PT < made.trim.width_pt - made.margins.outside_pt + 6
