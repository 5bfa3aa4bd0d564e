"""Parts, captions, running heads, page numbers and borders as the spec wants them."""

import pytest
from plain_measure import book, numbered, pages_of, placed, run, text_runs, texts

from linkpress.book.printing_keys import (
    Binding,
    Border,
    CaptionsSpec,
    Colophon,
    GradeMark,
    PageNumbers,
    PartsSpec,
    SolutionsPlace,
)
from linkpress.engine.recipe import Grade
from linkpress.layout.frame import Polygon, Polyline, Rects


def kinds(made):
    return [page.kind for page in made.pages]


@pytest.mark.parametrize(
    ("part", "kind"), [("copyright", "copyright"), ("contents", "contents"), ("how_to_play", "howto")]
)
def test_a_part_that_is_not_wanted_is_not_there(part, kind):
    assert kind in kinds(book(4))
    made = book(4, parts=PartsSpec().model_copy(update={part: False}))
    assert kind not in kinds(made)
    assert "How to play" not in [text for page in pages_of(made, "contents") for text in texts(page)] or (
        part != "how_to_play"
    )


def test_without_openers_levels_follow_one_another():
    made = book(4, 3, parts=PartsSpec().model_copy(update={"openers": False, "contents": False}))
    assert kinds(made)[-3:] == ["puzzles", "puzzles", "solutions"]
    first, second = pages_of(made, "puzzles")
    assert [target.title for target in second.targets if target.title] == ["B"]
    assert made.index["level-1"] == second.number == first.number + 1
    assert made.index["solutions"] == made.index["solution-1"]


def test_the_colophon_stands_at_the_end_or_nowhere():
    for place, page_kinds in (
        (Colophon.COPYRIGHT, ["copyright"]),
        (Colophon.END, ["colophon"]),
        (Colophon.NONE, []),
    ):
        made = book(4, parts=PartsSpec().model_copy(update={"colophon": place}))
        told = [page.kind for page in made.pages if any("proven" in text for text in texts(page))]
        assert told == page_kinds


def test_without_running_heads_boards_have_their_room():
    page = pages_of(book(8, running_heads=False), "puzzles")[0]
    assert "Puzzles 1–4" not in texts(page)
    assert "A" not in texts(page)
    assert placed(page)[0].y > placed(pages_of(book(8), "puzzles")[0])[0].y


@pytest.mark.parametrize(
    ("where", "x"),
    [(PageNumbers.CENTRE, (32.4 + 396) / 2), (PageNumbers.INSIDE, 396), (PageNumbers.NONE, None)],
)
def test_page_numbers_stand_where_they_are_wanted(where, x):
    page = pages_of(book(8, numbers=where), "puzzles")[0]
    assert page.number % 2 == 0  # a verso of 6 × 9 in: 32.4 outside, 36 inside
    at_foot = [item for item in text_runs(page) if item.y < 33]
    middles = {
        PageNumbers.CENTRE: lambda item: item.x + item.width_pt / 2,
        PageNumbers.INSIDE: lambda item: item.x + item.width_pt,
    }
    assert [middles[where](item) for item in at_foot] == ([] if x is None else [pytest.approx(x)])


@pytest.mark.parametrize(("border", "lines"), [(Border.NONE, 0), (Border.LINE, 1), (Border.DOUBLE, 2)])
def test_a_border_runs_round_the_live_area(border, lines):
    (page,) = (page for page in pages_of(book(8, border=border), "puzzles") if page.number % 2 == 0)
    drawn = [item for item in page.frame.items if isinstance(item, Polyline)]
    assert len(drawn) == lines
    if drawn:
        # 2 pt wide, its outer edge on the live area of a verso: 32.4 to 396 across.
        assert drawn[0].points[0][0] == pytest.approx(33.4)
        assert drawn[0].points[1][0] == pytest.approx(395)
        assert run(page, "A").x == pytest.approx(32.4 + 12)


def test_a_coil_binding_has_the_same_margin_on_both_sides():
    coil, glued = book(24, printer="lulu-coil"), book(24, printer="lulu-coil", binding=Binding.GLUED)
    assert coil.margins.inside_pt == coil.margins.outside_pt == 63.0
    assert glued.margins.outside_pt == 36.0


def captions(**keys):
    return CaptionsSpec().model_copy(update=keys)


GRADED = tuple(numbered(n, "A", grade=Grade.HARD, score=350, stars=4) for n in range(1, 3))


def test_captions_say_what_they_are_asked_to():
    bare = captions(size=False, grade=GradeMark.NONE, page=False)
    page = pages_of(book(2, per_page=1, made=GRADED, captions=bare), "puzzles")[0]
    assert sorted(texts(page)) == sorted(["A", "Puzzle 1", str(page.number), "1"])
    assert [link.target for link in page.links] == ["solution-1"]


def test_stars_show_the_score():
    page = pages_of(book(2, per_page=1, made=GRADED, captions=captions(grade=GradeMark.STARS)), "puzzles")[0]
    stars = [item for item in page.frame.items if isinstance(item, Polygon)]
    empty = [item for item in page.frame.items if isinstance(item, Polyline)]
    assert (len(stars), len(empty)) == (4, 1)
    assert "7 × 5" in texts(page)


def test_a_line_for_the_time_stands_below_each_board():
    page = pages_of(book(8, captions=captions(time=True)), "puzzles")[0]
    said = [item for item in text_runs(page) if item.text == "Time"]
    rules = [item for item in page.frame.items if isinstance(item, Rects)]
    assert len(said) == len(rules) == 4
    for word, board in zip(said, placed(page), strict=True):
        assert word.x == board.x
        assert board.y - 22 < word.y < board.y - 9


def test_answers_upside_down_and_all_switches_off_leave_the_boards_alone():
    off = PartsSpec().model_construct(
        copyright=False, contents=False, how_to_play=False, openers=False, colophon=Colophon.NONE
    )
    made = book(8, parts=off, place=SolutionsPlace.UPSIDE_DOWN)
    assert kinds(made) == ["title", "puzzles", "puzzles", "solutions"]
