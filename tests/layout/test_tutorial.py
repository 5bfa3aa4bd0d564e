"""One board of the book, solved in a few pictures."""

import pytest
from plain_measure import PlainMeasure, book, edition, numbered, pages_of, placed, text_runs, texts

import boards
from linkpress.book.printing_keys import PartsSpec
from linkpress.documents.inks import ink_of_hex
from linkpress.documents.values import Size
from linkpress.engine.grade import grade_puzzle
from linkpress.engine.ladder import highest_rung
from linkpress.engine.prove.proof import Verdict, prove
from linkpress.engine.recipe import Grade, Rule
from linkpress.errors import LayoutError
from linkpress.layout.boards import HALF_WAY, worked_example
from linkpress.layout.book_parts.tutorial import FEWEST, PICTURES, lesson_theme, lessons_of
from linkpress.layout.frame import Discs, Lines, Placed, Polyline, Rects, TextRun
from linkpress.layout.pages import layout_book
from linkpress.layout.theme import load_theme
from linkpress.printers.profile import load_printer
from linkpress.words.language import words_of

ENGLISH = words_of("en")
TUTORIAL = PartsSpec().model_copy(update={"tutorial": True})
EASY = grade_puzzle(boards.SOLVED_BOARD.puzzle, Rule.STRICT)
GRADED = tuple(numbered(at, "A", technique=EASY.technique, score=EASY.score) for at in (1, 2))


def with_tutorial(**changes):
    return book(2, made=GRADED, **{"parts": TUTORIAL, **changes})


def lessons():
    """Return the lessons of a board of the book and of the worked example."""
    first, *_, last = lessons_of(GRADED, ENGLISH)
    return first, last


def text_of(step, words):
    return words.steps.text_of(step.sentence)


def solved(lesson):
    return boards.SOLVED_BOARD if lesson.number else worked_example(solids=True)


@pytest.mark.parametrize("at", [0, 1])
def test_the_pictures_draw_the_whole_solution_once(at):
    lesson = lessons()[at]
    drawn = [edge for step, _ in lesson.pictures(ENGLISH) for edge in step.drawn]
    assert FEWEST <= len(lesson.groups) <= PICTURES
    assert len(drawn) == len(set(drawn))
    assert set(drawn) == solved(lesson).edges


@pytest.mark.parametrize(("language", "between"), [("de", " "), ("ja", ""), ("th", " ")])
def test_a_picture_of_several_steps_has_all_their_captions_once(language, between):
    words = words_of(language)
    *_, lesson = lessons_of(GRADED, words)
    grid = lesson.puzzle.grid
    several = [
        (group, picture, text)
        for group, (picture, text) in zip(lesson.groups, lesson.pictures(words), strict=True)
        if len(group) > 1
    ]
    assert several
    for group, picture, text in several:
        captions = dict.fromkeys(words.steps.text_of(step.caption(grid)) for step in group)
        assert text == between.join(captions)
        assert {cell for step in group for cell in step.cells} == set(picture.cells)


def test_the_last_page_ends_with_the_page_of_the_answer():
    made = with_tutorial()
    *_, last = pages_of(made, "tutorial")
    (run,) = [run for run in text_runs(last) if "The finished grid" in run.text]
    assert run.text == f"Solved! The finished grid is on page {made.index['solution-1']}."
    assert [link.target for link in last.links] == ["solution-1"]
    board = placed(last)[-1]
    assert run.y < board.y


def test_only_counting_steps_follow_the_first_step_of_a_picture():
    lesson = lessons()[0]
    assert all(
        step.rung <= highest_rung(Grade.BEGINNER) and step.drawn
        for _, *counted in lesson.groups
        for step in counted
    )


def test_the_easiest_board_comes_first_and_the_example_last():
    hard = numbered(1, "A", technique=Grade.HARD, score=50)
    easy = numbered(2, "A", technique=Grade.EASY, score=90)
    assert [lesson.number for lesson in lessons_of([hard, easy], ENGLISH)] == [2, 1, None]
    assert [lesson.number for lesson in lessons_of([numbered(1, "A", technique=Grade.EASY)], ENGLISH)] == [
        None
    ]


def test_the_contents_and_the_page_name_the_puzzle_and_where_it_is():
    made = with_tutorial()
    pages = pages_of(made, "tutorial")
    assert [page.number for page in pages] == [made.index["tutorial"], made.index["tutorial"] + 1]
    assert "Puzzle 1, step by step" in texts(pages_of(made, "contents")[0])
    (run,) = [run for run in text_runs(pages[0]) if "Turn to page" in run.text]
    assert run.text == f"Want to try it yourself first? Turn to page {made.index['puzzle-1']}."
    assert [link.target for link in pages[0].links] == ["puzzle-1"]


def test_the_pictures_are_on_the_page_without_touching():
    live_right = 432 - 32.4
    for page in pages_of(with_tutorial(), "tutorial"):
        (board,) = [item for item in placed(page)[0].frame.items if isinstance(item, Placed)]
        assert all(item.ink.is_grey for item in board.frame.items if isinstance(item, (Lines, Rects)))
        boxes = [
            (item.x, item.y, item.x + item.frame.width_pt, item.y + item.frame.height_pt)
            for item in placed(page)
        ]
        assert len(boxes) == 4
        assert max(box[2] for box in boxes) <= live_right
        below = [run for run in text_runs(page) if run.text[:1].isdigit() and ". " in run.text]
        assert len(below) == 4
        for left, low, right, top in boxes:
            inside = [run for run in text_runs(page) if left <= run.x <= right and low < run.y < top]
            assert inside == []


def test_sentences_name_the_colours_of_dots_without_numbers():
    made = with_tutorial(theme="plain-dots", paper="colour")
    (picture, *_) = placed(pages_of(made, "tutorial")[0])
    (board,) = [item for item in picture.frame.items if isinstance(item, Placed)]
    assert not [item for item in board.frame.items if isinstance(item, TextRun)]
    said = " ".join(text for page in pages_of(made, "tutorial") for text in texts(page))
    assert "yellow dots" in said


def test_dots_show_numbers_in_the_tutorial_if_two_colours_have_one_name():
    alike = [ink_of_hex(f"#{text}") for text in ("0072B2", "0060C0", "D55E00", "F0E442", "009E73")]
    numbers = load_theme("plain-dots").numbers.model_copy(update={"palette": tuple(alike)})
    lesson, *_ = lessons_of(GRADED, ENGLISH.of_dots, numbers)
    assert lesson.colours == {}
    theme = load_theme("plain-dots").model_copy(update={"numbers": numbers})
    assert lesson_theme(theme, lesson).numbers.show_numbers


@pytest.mark.parametrize("trim", [Size(432, 648), Size(612, 792)])
def test_everything_in_large_print_has_16_points_and_nothing_overlaps(trim):
    made = with_tutorial(large_print=True, trim=trim)
    for kind in ("howto", "tutorial", "solutions"):
        for page in pages_of(made, kind):
            numbers = [run for item in placed(page) for run in item.frame.items if isinstance(run, TextRun)]
            assert min(run.size_pt for run in [*text_runs(page), *numbers]) >= 16
    first, *_, last = pages_of(made, "tutorial")
    for page in (first, last):
        boards = [(item.y, item.y + item.frame.height_pt) for item in placed(page)]
        assert not any(low < run.y < high for run in text_runs(page) for low, high in boards if run.x < 200)
        right = trim.width_pt - made.margins.outside_pt + 0.01
        assert all(run.x + run.width_pt <= right for run in text_runs(page))


def test_large_print_and_small_pages_take_more_pages():
    assert len(pages_of(with_tutorial(large_print=True), "tutorial")) == 4
    assert len(pages_of(with_tutorial(trim=Size(298, 420), min_cell_mm=3), "tutorial")) > 2


def test_large_pictures_are_below_each_other_with_their_sentences_at_their_side():
    for page in pages_of(with_tutorial(large_print=True, trim=Size(612, 792)), "tutorial"):
        upper, lower = placed(page)
        assert upper.x == lower.x
        assert lower.y < 792 / 3, "half of the page was empty"
        numbers = [run for run in text_runs(page) if run.text.endswith(". ")]
        for number, board in zip(numbers, (upper, lower), strict=True):
            assert number.x > board.x + board.frame.width_pt
            assert board.y < number.y < board.y + board.frame.height_pt


def test_a_planned_book_has_as_many_pages_as_the_finished_one():
    unscored = tuple(
        numbered(at, "A", technique=EASY.technique) for at in (1, 2)
    )  # like the boards of a plan
    planned = book(2, made=unscored, parts=TUTORIAL)
    assert "The example, step by step" in texts(pages_of(planned, "contents")[0])
    assert planned.page_count == with_tutorial().page_count


def test_a_page_too_small_for_any_picture_is_refused():
    small = edition(2, made=GRADED, parts=TUTORIAL, trim=Size(220, 240), min_cell_mm=3, per_page=1)
    with pytest.raises(
        LayoutError, match=r"parts\.tutorial: its pictures don't fit pages of 3\.056 × 3\.333 in"
    ):
        layout_book(small, load_printer("screen"), load_theme("classic"), PlainMeasure())


def howto(theme="classic", paper=None, printer="generic", **changes):
    made = book(2, 24, theme=theme, paper=paper, printer=printer, **changes)
    return pages_of(made, "howto")[0]


def example(page, name):
    return next(item.frame for item in placed(page) if item.name == f"example-{name}")


def lines(frame):
    return [item.ink for item in frame.items if isinstance(item, Polyline) and not item.closed]


def test_the_example_spans_the_live_area():
    first, *_, last = placed(howto())
    # A verso of 6 × 9 in: 32.4 outside, 36 inside.
    assert round(first.x, 3) == 32.4
    assert round(last.x + last.frame.width_pt, 3) == 432 - 36


def test_the_rules_are_set_larger_if_one_page_holds_them():
    roomy, tight = howto(trim=Size(612, 792)), howto(trim=Size(360, 360))
    sizes = [{item.size_pt for item in text_runs(page)} for page in (roomy, tight)]
    assert 13.2 in sizes[0]  # 12 × 1.1
    assert 10.0 in sizes[1]
    assert 12.0 not in sizes[1]


def test_the_half_solved_example_has_the_inks_of_the_whole_answer():
    page = howto(theme="colour", paper="premium-colour", printer="kdp-paperback", notes_pages=10)
    half, solved = example(page, "half"), example(page, "solved")
    assert lines(half) == [lines(solved)[number - 1] for number in HALF_WAY]
    rings = {discs.ring for discs in half.items if isinstance(discs, Discs)}
    assert rings > set(lines(half))  # numbers without a line have black rings


def test_a_theme_that_shades_its_answers_still_shows_lines_to_draw():
    page = howto(theme="soft")
    assert len(lines(example(page, "half"))) == len(HALF_WAY)
    tints = [item for item in example(page, "solved").items if isinstance(item, Rects)]
    assert len(tints) == 1  # only the solid square is filled


@pytest.mark.parametrize("solids", [False, True])
def test_the_example_has_one_solution_and_solids_where_the_book_has(solids):
    example = worked_example(solids)
    assert bool(example.puzzle.grid.solids) is solids
    proof = prove(example.puzzle, Rule.STRICT)
    assert proof.verdict is Verdict.UNIQUE
    assert proof.solution.edges == example.edges


def test_a_book_without_solids_does_not_mention_or_draw_them():
    free = tuple(numbered(number, "A", worked_example(solids=False)) for number in (1, 2))
    without, with_solids = howto(made=free), howto(made=(*free, numbered(3, "A")))
    assert "block" not in " ".join(texts(without))
    rule = "No line may enter a block (a square that is filled in, striped or crossed out)."
    assert rule in " ".join(texts(with_solids))
    drawn = [example(page, "puzzle").items for page in (without, with_solids)]
    assert [any(isinstance(item, Rects) for item in items) for items in drawn] == [False, True]
