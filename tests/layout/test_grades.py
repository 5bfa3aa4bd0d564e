import pytest
from plain_measure import EASY, book, level, numbered, pages_of, run, texts

from linkpress.book.printing_keys import CaptionsSpec, GradeMark
from linkpress.documents.lengths import Size
from linkpress.engine.recipe import Grade, Rule
from linkpress.layout.boards.ornaments import worked_example
from linkpress.layout.frame import Page
from linkpress.layout.pages import Book
from linkpress.words.languages import load_words

ENGLISH = load_words("en")

LETTER = Size(612, 792)
ROOMY = Size(900, 1200)
ANY = (min(Grade), max(Grade))


def graded(
    *grades: Grade | None, trim: Size = LETTER, may: tuple[Grade, Grade] = EASY, per_page: int = 4
) -> Book:
    puzzles = tuple(numbered(number, "A", grade=grade) for number, grade in enumerate(grades, start=1))
    return book(len(puzzles), made=puzzles, levels=(level("A", per_page, may),), trim=trim)


def test_each_grade_of_the_book_and_no_other_is_explained() -> None:
    (page,) = pages_of(graded(Grade.HARD, Grade.EASY, Grade.HARD, trim=ROOMY), "howto")
    said = texts(page)
    assert [word for word in said if word in dict(ENGLISH.grades).values()] == ["Easy", "Hard"]
    assert run(page, "Easy").y > run(page, "Hard").y
    assert all(any(word in line for line in said) for word in ("twin", "diagonal"))
    assert ENGLISH.no_grade not in said


def test_puzzles_without_a_grade_are_spoken_of_only_beside_others() -> None:
    (beside,) = pages_of(graded(Grade.EASY, None, trim=ROOMY), "howto")
    (alone,) = pages_of(graded(None, None, trim=ROOMY), "howto")
    assert ENGLISH.no_grade in texts(beside)
    assert not {ENGLISH.no_grade, ENGLISH.grades_title} & set(texts(alone))


@pytest.mark.parametrize(
    ("trim", "size_pt"), [(LETTER, 13.2), (Size(468, 684), 12.0), (Size(432, 648), 10.0)]
)
def test_grades_for_which_a_page_has_no_room_stand_on_the_next(trim: Size, size_pt: float) -> None:
    rules, more = pages_of(graded(*Grade, trim=trim), "howto")
    assert {ENGLISH.how_to_play, ENGLISH.tips_title} <= set(texts(rules))
    assert ENGLISH.grades_title in texts(more)
    assert run(more, "Hard").size_pt == size_pt  # large, unless that takes a third page


def test_tips_for_which_the_rules_leave_no_room_stand_with_the_grades() -> None:
    _, more = pages_of(graded(Grade.EASY, trim=Size(360, 400)), "howto")
    assert run(more, ENGLISH.tips_title).y > run(more, ENGLISH.grades_title).y


@pytest.mark.parametrize("trim", [Size(360, 360), Size(432, 648), LETTER, ROOMY])
def test_a_book_has_the_pages_of_its_plan_whichever_grades_come(trim: Size) -> None:
    planned = graded(Grade.FIENDISH, trim=trim, may=ANY)
    free = tuple(numbered(at, "A", worked_example(False), grade=Grade.EASY) for at in (1, 2))
    for made in (
        graded(*Grade, trim=trim, may=ANY),
        graded(Grade.EASY, trim=trim, may=ANY),
        book(2, made=free, levels=(level("A", 4, ANY),), trim=trim),
    ):
        assert made.index["level-0"] == planned.index["level-0"]


def opener(made: Book) -> Page:
    return pages_of(made, "opener")[0]


def test_a_section_names_its_grades_and_says_what_the_hardest_takes() -> None:
    one, two = opener(graded(Grade.EXPERT, Grade.EXPERT)), opener(graded(Grade.EASY, Grade.EXPERT))
    assert "Expert" in texts(one)
    assert "two or three steps" in " ".join(texts(one))
    assert "Easy and Expert" in texts(two)
    assert "two or three steps" in " ".join(texts(two))


def test_stars_are_explained_where_they_are_asked_for() -> None:
    def said(**keys: object) -> bool:
        pages = pages_of(book(2, **keys), "howto")
        return ENGLISH.stars_line in " ".join(line for page in pages for line in texts(page))

    assert said(captions=CaptionsSpec(grade=GradeMark.STARS))
    assert not said()


def test_a_section_named_after_its_grade_names_it_once() -> None:
    puzzles = (numbered(1, "Expert", grade=Grade.EXPERT),)
    page = opener(book(1, made=puzzles, levels=(level("Expert"),)))
    assert texts(page).count("Expert") == 1
    assert "two or three steps" in " ".join(texts(page))


def test_that_no_line_runs_beside_itself_is_said_of_strict_puzzles_alone() -> None:
    puzzles = (numbered(1, "A", grade=Grade.EASY),)
    filled = level("A").model_copy(update={"unique": Rule.FILLED})
    of_strict = opener(book(1, made=puzzles, levels=(level("A"),)))
    of_filled = opener(book(1, made=puzzles, levels=(filled,)))
    assert any("beside itself" in line for line in texts(of_strict))
    assert not any("beside itself" in line for line in texts(of_filled))


@pytest.mark.parametrize("grades", [(None, None), (Grade.EASY, None)])
def test_a_section_with_puzzles_without_a_grade_names_none(grades: tuple[Grade | None, ...]) -> None:
    assert not set(dict(ENGLISH.grades).values()) & set(texts(opener(graded(*grades))))


def test_a_small_page_keeps_its_opener_s_foot_free() -> None:
    usual, small = opener(graded(Grade.EXPERT)), opener(graded(Grade.EXPERT, trim=Size(240, 240), per_page=1))
    assert any("what if" in line for line in texts(usual))
    assert not any("what if" in line for line in texts(small))
