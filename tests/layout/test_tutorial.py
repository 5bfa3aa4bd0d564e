"""Worked examples before the levels, and the example on the page of rules."""

import re

import pytest
from plain_measure import PlainMeasure, book, edition, level, numbered, pages_of, placed, text_runs, texts

from linkpress.book.key_values import BoardSize
from linkpress.book.printing_keys import PartsSpec
from linkpress.documents.inks import ink_of_hex
from linkpress.documents.values import Size
from linkpress.engine.ladder import TECHNIQUES, climb_ladder, position_of
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Grade, Rule, Span
from linkpress.errors import LayoutError
from linkpress.layout.boards import HALF_WAY, worked_example
from linkpress.layout.frame import Discs, Lines, Placed, Polyline, Rects, TextRun
from linkpress.layout.pages import layout_book
from linkpress.layout.theme import load_theme
from linkpress.layout.tutorial import LARGEST, PICTURES, SHARES, Lesson, lesson_theme, lessons_of
from linkpress.printers import load_printer
from linkpress.puzzle.link_text import parse_board_rows
from linkpress.resources import read_table
from linkpress.words import words_of

ENGLISH = words_of("en")
TUTORIAL = PartsSpec().model_copy(update={"tutorial": True})
EXAMPLES = [
    Lesson(technique, parse_board_rows(text.split()), Rule(rule), {}, is_first=False)
    for rule, table in read_table("lessons.yaml").items()
    for technique, boards in table.items()
    for text in boards
]


def levels(*names):
    """Return levels with these names, each with boards of another size."""
    sizes = ((BoardSize(number, 7),) for number in range(5, 10))
    return tuple(
        level(name).model_copy(update={"size": size}) for name, size in zip(names, sizes, strict=False)
    )


def puzzles(*needed, **facts):
    """Return two puzzles for each of the levels A, B …, that need these techniques, written as one text."""
    return tuple(
        numbered(number, name, technique=Grade.EASY, findings=dict.fromkeys(techniques.split(), 1), **facts)
        for number, (name, techniques) in enumerate(
            (pair for pair in zip("ABCDE", needed, strict=False) for _ in range(2)), 1
        )
    )


def with_tutorial(*needed, **changes):
    """Lay out a book with a tutorial, whose levels need these techniques."""
    made = puzzles(*needed or ("exits", "exits corner"))
    names = dict.fromkeys(puzzle.record.level for puzzle in made)
    return book(*[2] * len(names), **{"made": made, "levels": levels(*names), "parts": TUTORIAL, **changes})


def taught(*needed, **changes):
    """Return the technique that is taught before each level."""
    names = "ABCDE"[: len(needed)]
    made = edition(*[2] * len(needed), made=puzzles(*needed, **changes), levels=levels(*names))
    return [lesson.technique for lesson in lessons_of(made, ENGLISH).values()]


def test_each_board_has_one_solution_that_its_pictures_draw_once_by_the_technique_that_it_teaches():
    for lesson in EXAMPLES:
        grid = lesson.puzzle.grid
        assert (grid.rows <= LARGEST.rows, grid.cols <= LARGEST.cols) == (True, True)
        proof = prove(lesson.puzzle, lesson.rule)
        assert proof.verdict is Verdict.UNIQUE
        drawn = [edge for step, _ in lesson.steps for edge in step.drawn]
        assert len(drawn) == len(set(drawn))
        assert set(drawn) == proof.solution.edges
        hardest = climb_ladder(position_of(lesson.puzzle, lesson.rule)).hardest
        assert hardest.name == lesson.technique or hardest.grade is Grade.BEGINNER, lesson


@pytest.mark.parametrize("language", ["en", "de", "es", "fr"])
def test_the_captions_of_an_example_are_short_and_differ(language):
    words = words_of(language)
    for lesson in EXAMPLES:
        *captions, last = lesson.captions(words)
        assert last.endswith(f" {words.tutorial_end}")
        captions.append(last.removesuffix(f" {words.tutorial_end}"))
        assert len(captions) == PICTURES
        assert len(set(captions)) >= PICTURES - 1
        # French has a space before a question mark, which is no word.
        assert max(len(re.findall(r"[\w’-]+", caption)) for caption in captions) <= 15, captions


def test_each_level_teaches_what_most_of_its_puzzles_need_and_no_earlier_one():
    basics = "exits clash turn"
    assert taught(basics, f"{basics} corner", f"{basics} corner gap") == ["exits", "corner", "gap"]
    assert taught(basics, basics, basics) == ["exits", "turn", "clash"]
    assert taught("exits", "exits") == ["exits", "exits"]


def test_a_technique_without_an_example_is_taught_by_the_next_easier_one():
    assert taught("exits narrows", "exits walls") == ["gap", "chain"]


def test_puzzles_that_may_touch_themselves_are_taught_on_boards_of_their_rule():
    assert taught("exits clash cut-off", rule=Rule.FILLED) == ["cut-off"]
    made = edition(2, made=puzzles("exits", rule=Rule.FILLED), levels=levels("A"))
    assert [lesson.rule for lesson in lessons_of(made, ENGLISH).values()] == [Rule.FILLED]
    assert {lesson.technique for lesson in EXAMPLES if lesson.rule is Rule.FILLED}.isdisjoint(
        technique.name for technique in TECHNIQUES if technique.untouching
    )


def test_a_level_that_asks_for_the_same_kind_of_boards_as_an_earlier_one_has_no_example():
    def with_examples(**keys):
        both = [each.model_copy(update=keys) for each in levels("A", "B")]
        made = edition(2, 2, made=puzzles("exits", "exits corner"), levels=both)
        return list(lessons_of(made, ENGLISH))

    assert with_examples() == ["A", "B"]
    assert with_examples(size=(BoardSize(5, 7),)) == ["A"]
    assert with_examples(difficulty=Span(0, 19)) == ["A"]


def test_the_seed_chooses_the_boards():
    made = [edition(2, made=puzzles("exits"), levels=levels("A"), seed=seed) for seed in range(8)]
    boards = {lesson.puzzle for each in made for lesson in lessons_of(each, ENGLISH).values()}
    assert len(boards) > 1


def test_an_example_is_between_opener_and_puzzles_of_its_level_and_its_pictures_touch_nothing():
    made = with_tutorial()
    kinds = [page.kind for page in made.pages if page.section in ("A", "B")]
    assert kinds == ["opener", "tutorial", "puzzles", "opener", "tutorial", "puzzles", "solutions"]
    first, second = pages_of(made, "tutorial")
    assert {"A: the only way out", "B: the corner trick"} <= {*texts(first), *texts(second)}
    said = [" ".join(texts(page)) for page in (first, second)]
    assert ["the dark lines are new" in text for text in said] == [True, False]
    assert all(text.count("Solved!") == 1 for text in said)
    for page in (first, second):
        boxes = [
            (item.x, item.y, item.x + item.frame.width_pt, item.y + item.frame.height_pt)
            for item in placed(page)
        ]
        assert len(boxes) == PICTURES
        assert max(box[2] for box in boxes) <= 432 - 32.4
        for left, low, right, top in boxes:
            assert not [run for run in text_runs(page) if left <= run.x <= right and low < run.y < top]


def test_without_openers_a_link_to_a_level_leads_to_its_example():
    made = with_tutorial(parts=TUTORIAL.model_copy(update={"openers": False}))
    lessons = pages_of(made, "tutorial")
    assert [made.index[f"level-{index}"] for index in range(2)] == [page.number for page in lessons]
    assert [page.targets[0].name for page in lessons] == ["level-0", "level-1"]


@pytest.mark.parametrize("named", [True, False])
def test_columns_and_rows_are_named_only_if_a_caption_names_a_square(named, monkeypatch):
    if not named:
        monkeypatch.setattr(Lesson, "names_squares", False)
    for page in pages_of(with_tutorial(), "tutorial"):
        labels = {run.text for item in placed(page) for run in item.frame.items if isinstance(run, TextRun)}
        assert ("A" in labels) is named
        assert ("Squares are named" in " ".join(texts(page))) is named


def test_captions_name_the_colours_of_dots_whose_lines_are_drawn_in_them():
    made = with_tutorial("exits clash", theme="plain-dots", paper="colour")
    (page,) = pages_of(made, "tutorial")
    said = " ".join(texts(page))
    assert "the thick lines are new" in said
    assert "number" not in said
    palette = load_theme("plain-dots").numbers.palette
    boards = [frame for item in placed(page) for frame in item.frame.items if isinstance(frame, Placed)]
    assert not [item for board in boards for item in board.frame.items if isinstance(item, TextRun)]
    *_, last = boards
    lines = [item for item in last.frame.items if isinstance(item, Lines) and item.ink in palette]
    assert len({item.width_pt for item in lines}) > 1
    assert len({item.ink for item in lines}) > 2


def test_books_with_dots_have_examples_that_name_no_squares_where_there_are_any():
    numbers = load_theme("plain-dots").numbers
    for seed in range(4):
        made = edition(2, 2, made=puzzles("exits", "exits clash"), levels=levels("A", "B"), seed=seed)
        lessons = lessons_of(made, ENGLISH.of_dots, numbers).values()
        assert [lesson.technique for lesson in lessons] == ["exits", "clash"]
        assert not any(lesson.names_squares for lesson in lessons)


def test_dots_show_numbers_in_the_tutorial_if_two_colours_have_one_name():
    alike = [ink_of_hex(f"#{text}") for text in ("0072B2", "0060C0", "D55E00", "F0E442", "009E73", "CC79A7")]
    numbers = load_theme("plain-dots").numbers.model_copy(update={"palette": tuple(alike)})
    made = edition(2, made=puzzles("exits"), levels=levels("A"))
    (lesson,) = lessons_of(made, ENGLISH.of_dots, numbers).values()
    assert lesson.colours == {}
    theme = load_theme("plain-dots").model_copy(update={"numbers": numbers})
    assert lesson_theme(theme, lesson).numbers.show_numbers


@pytest.mark.parametrize("trim", [Size(432, 648), Size(612, 792)])
def test_everything_in_large_print_has_16_points_and_nothing_overlaps(trim):
    made = with_tutorial("exits", "exits what-if", large_print=True, trim=trim)
    for kind in ("howto", "tutorial", "solutions"):
        for page in pages_of(made, kind):
            frames = [item.frame for item in placed(page)]
            frames += [part.frame for frame in frames for part in frame.items if isinstance(part, Placed)]
            inside = [run for frame in frames for run in frame.items if isinstance(run, TextRun)]
            assert min(run.size_pt for run in [*text_runs(page), *inside]) >= 16
    for page in pages_of(made, "tutorial"):
        for item in placed(page):
            high, end = item.y + item.frame.height_pt, item.x + item.frame.width_pt
            assert not any(item.y < run.y < high and run.x < end for run in text_runs(page))
        right = trim.width_pt - made.margins.outside_pt + 0.01
        assert all(run.x + run.width_pt <= right for run in text_runs(page))


def test_large_print_and_small_pages_take_more_pages():
    for changes in ({"trim": Size(298, 420), "min_cell_mm": 3}, {"large_print": True}):
        pages = pages_of(with_tutorial("exits", **changes), "tutorial")
        assert len(pages) > 1
        assert [len(placed(page)) for page in pages] in map(list, SHARES)


def test_a_planned_book_has_as_many_pages_as_the_finished_one():
    for changes in ({}, {"large_print": True}):
        planned = with_tutorial("", "", **changes)
        made = with_tutorial("exits", "exits what-if", **changes)
        assert planned.page_count == made.page_count
        assert planned.index == made.index


def test_a_page_too_small_for_any_picture_is_refused():
    keys = {"trim": Size(220, 240), "min_cell_mm": 3, "per_page": 1, "levels": levels("A")}
    small = edition(2, made=puzzles("exits"), parts=TUTORIAL, **keys)
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
