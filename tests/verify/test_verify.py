"""A built book is read back: a sound one passes, and what is wrong in its PDFs or its volume is found."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf, Rectangle

from boards import record_of
from linkpress.book.plan import plan_slots
from linkpress.book.printing_keys import SolutionsPlace
from linkpress.book.spec import BookSpec
from linkpress.book.volume import assemble
from linkpress.documents.shipped_files import LANGUAGES, THEMES
from linkpress.engine.make.generate import generate
from linkpress.errors import PuzzleError, UsageError
from linkpress.verify.pdf_books import BoardRead, Phrases, read_book
from linkpress.verify.verification import _learn_ranks, verify_folder
from linkpress.words import load_words
from press_samples import BOARDS, Typeset
from verify_samples import (
    IN_COLOUR,
    forms,
    graded,
    plant,
    problems_in,
    rewrite_form,
    volume_in,
    with_changes,
    written,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return written(volume_in("classic"), tmp_path_factory.mktemp("built"))


@pytest.fixture
def folder(built, tmp_path):
    return Path(shutil.copytree(built, tmp_path / "book"))


def read(folder, phrases):
    return read_book((folder / "interior.pdf").read_bytes(), phrases)


def rewrite(folder, change):
    record = json.loads((folder / "volume.json").read_text("utf-8"))
    change(record)
    (folder / "volume.json").write_text(json.dumps(record), encoding="utf-8")
    return verify_folder(folder)


def rewrite_pages(pdf, old, new):
    """Replace the first match of a pattern in the pages' content."""
    for page in pdf.pages:
        content, count = re.subn(old, new, page.Contents.read_bytes(), count=1)
        if count:
            page.Contents = pdf.make_stream(content)
            return
    raise AssertionError(f"no page has {old!r}")


OUTLINED = [{"base": base, "solids": {"style": "outline"}} for base in ("classic", "soft")]


@pytest.mark.parametrize("theme", [*THEMES.names(), *OUTLINED])
def test_boards_read_from_the_pdf_equal_the_printed_boards_in_every_theme(theme, tmp_path):
    volume = volume_in(theme)
    book = read_book(Typeset(volume, tmp_path).files["interior.pdf"], Phrases(load_words("en")))
    if theme == "plain-dots":
        for entry, board in zip(book.puzzles, BOARDS, strict=True):
            pairs = zip(entry.dots.values(), (board.number_at[cell] for cell in entry.dots), strict=True)
            assert len(set(pairs)) == len(board.pairs)
            assert entry.dots.keys() == board.number_at.keys()
    else:
        assert [entry.numbers for entry in book.puzzles] == [board.number_at for board in BOARDS]
    assert [entry.solids for entry in book.puzzles] == [board.grid.solids for board in BOARDS]
    drawn = [e.answer_edges(e.answer_solids(book.solid_colours)) for e in book.answers]
    assert drawn == [puzzle.solution.edges for puzzle in volume.puzzles]


def test_boards_in_a_shape_are_read_back_without_the_solid_rows_beside_it(tmp_path):
    rows = ["#######", "##...##", "#.....#", "#.....#", "#..#..#", "#.....#"]
    level = {"name": "Easy", "count": 1, "size": "7x6", "solids": {"mask": rows}, "paths": "4-5"}
    spec = BookSpec.model_validate({"title": "Link", "seed": 1, "page": {"trim": "6x9in"}, "levels": [level]})
    (slot,) = plan_slots(spec)
    made = record_of(generate(slot.recipe, "1").solution, level="Easy", seed=slot.seed_of(0), index=1)
    folder = written(assemble(spec, [made], "0.0"), tmp_path)
    assert problems_in(verify_folder(folder)) == []


@pytest.mark.parametrize("theme", ["classic", "colour", "lineart", "plain-dots", "soft"])
def test_answers_that_show_a_picture_are_read_back_beside_other_answers(theme, tmp_path):
    rows = ["RRRRR", "RRRRR", "#RRR.", ".....", "LLLKK", "LLLLK"]
    levels = [
        {"name": "Easy", "count": 1, "size": "5x6", "reveal": rows},
        {"name": "A", "count": 1, "size": 5},
    ]
    keys = {"theme": theme, "page": {"printer": "kdp-paperback", "paper": "premium-colour", "trim": "6x9in"}}
    spec = BookSpec.model_validate({"title": "Link", "seed": 1, "levels": levels, **keys, "notes_pages": 14})
    made = [
        record_of(generate(slot.recipe, "1").solution, level=slot.level, seed=slot.seed_of(0), index=1)
        for slot in plan_slots(spec)
    ]
    folder = written(assemble(spec, made, "0.0"), tmp_path)
    assert problems_in(verify_folder(folder)) == []
    saved = json.loads((folder / "volume.json").read_text("utf-8"))["puzzles"]
    shown = [{*puzzle.get("colours", ())} for puzzle in saved]
    assert shown == [{"black", "light_blue", "red", "white"}, set()]


def test_colours_of_a_picture_must_fit_its_pairs(folder):
    verification = rewrite(folder, lambda record: record["puzzles"][0].update(colours=["red", "puce"]))
    (problem,) = problems_in(verification)[:1]
    assert "colours: [" in problem[1]
    assert "a list of 5 colours, one for each pair, is needed: from white, yellow" in problem[1]


@pytest.mark.parametrize("language", sorted(set(LANGUAGES.names()) - {"en"}))
def test_a_book_in_any_language_passes(language, fonts_for, tmp_path):
    changes = {
        "language": language, "words": {"size": "{rows} : {cols}"}, "solutions": {"place": "file"},
        "screen": True, "fonts": fonts_for(language),
    }  # fmt: skip
    volume = with_changes(volume_in("classic"), **changes)
    verification = verify_folder(written(volume, tmp_path))
    assert problems_in(verification) == []
    assert verification.files == ("interior.pdf", "screen.pdf", "solutions.pdf")
    words = load_words(language)
    book = read(tmp_path, Phrases(volume.spec.wording()))
    assert [board.printed_size for board in book.puzzles] == [
        (7, 5) if b.grid.rows == 5 else (5, 7) for b in BOARDS
    ]
    with pikepdf.open(tmp_path / "screen.pdf") as pdf:
        assert pdf.Root.Lang == language
        titles = {str(entry.title) for entry in pdf.open_outline().root}
    assert {words.contents, words.how_to_play, words.solutions} <= titles
    assert any(words.how_to_play == line.text for page in book.pages for line in page.lines)


@pytest.mark.parametrize("theme", ["classic", "soft"])  # lines, and areas between walls
@pytest.mark.parametrize("place", list(SolutionsPlace))
def test_answers_are_read_in_every_place_and_orientation(place, theme, tmp_path):
    volume = with_changes(volume_in(theme), solutions={"place": place.value})
    verification = verify_folder(written(volume, tmp_path))
    assert problems_in(verification) == []
    assert ("solutions.pdf" in verification.files) is (place is SolutionsPlace.FILE)
    assert {answer.upside_down for answer in read(tmp_path, Phrases(load_words("en"))).answers} == (
        set() if place is SolutionsPlace.FILE else {place is SolutionsPlace.UPSIDE_DOWN}
    )


def test_puzzles_and_answers_are_distinguished_without_page_numbers_in_captions(tmp_path):
    bare = {"page": False, "size": False}
    page = {"numbers": "none", "running_heads": False}
    volume = with_changes(volume_in("classic"), captions=bare, page=page)
    assert problems_in(verify_folder(written(volume, tmp_path))) == []
    book = read(tmp_path, Phrases(load_words("en"), names_pages=False))
    assert [len(book.puzzles), len(book.answers), sum(len(page.samples) for page in book.pages)] == [4, 4, 3]


def test_wordless_phrases_and_numbers_in_titles_give_no_findings(tmp_path):
    words = {
        "size": "{cols}{rows}",
        "tutorial": "{level}{technique}",
        "count": {"one": "{number}", "other": "{number}"},
    }
    titles = {"title": "3 puzzles a day", "subtitle": "Since 1990"}
    volume = with_changes(volume_in("classic"), words=words, parts={"tutorial": True}, **titles)
    assert problems_in(verify_folder(written(volume, tmp_path))) == []


@pytest.mark.parametrize("key", ["how_to_play", "time"])
def test_a_heading_without_letters_is_refused(key):
    with pytest.raises(UsageError, match="a word is needed"):
        with_changes(volume_in("classic"), words={key: "7"})


@pytest.fixture(scope="module")
def built_graded(tmp_path_factory):
    return written(graded(volume_in("classic")), tmp_path_factory.mktemp("graded"))


@pytest.fixture
def graded_folder(built_graded, tmp_path):
    return Path(shutil.copytree(built_graded, tmp_path / "book"))


def test_grading_again_confirms_the_grades_of_this_release(graded_folder):
    verification = verify_folder(graded_folder)
    assert verification.passed, verification.text()
    assert "4 puzzles proven and graded again" in verification.text()
    assert json.loads(verification.as_json())["ungraded"] is None


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("technique", "fiendish", "the record says technique fiendish, score "),
        ("technique", None, "the record says no technique, score "),
        ("difficulty", 99, "the record says difficulty 99; its score"),
        ("score", 999_999, ", score 999,999; grading it again gives "),
        ("findings", {"exits": 1}, "names other techniques"),
    ],
)
def test_a_changed_grade_is_reported(graded_folder, key, value, said):
    verification = rewrite(graded_folder, lambda record: record["puzzles"][2].update({key: value}))
    ((number, text),) = problems_in(verification)
    assert number == 3
    assert said in text
    assert [finding.file for finding in verification.findings] == ["volume.json"]


def test_grades_of_another_release_are_not_checked(graded_folder):
    def change(record):
        record["linkpress_version"] = "0.0"
        record["puzzles"][2]["score"] = 999_999

    verification = rewrite(graded_folder, change)
    assert verification.passed
    assert "difficulties were not checked: volume.json is from another release" in verification.text()
    assert "another release" in json.loads(verification.as_json())["ungraded"]


@pytest.mark.parametrize("without_ink", [b"1 g BT", b"BT 3 Tr"])
def test_numbers_in_the_colour_of_the_paper_or_without_ink_are_not_read(folder, without_ink):
    """Without the comparison of pages too, as for a book of another release."""

    def hide(pdf):
        rewrite_form(pdf, "puzzle-", 0, lambda content: content.replace(b"BT", without_ink))

    verification = plant(folder, hide)
    assert verification.pages.uncompared
    assert any(puzzle == 1 and "number" in text for puzzle, text in problems_in(verification))


def test_a_wrong_digit_in_the_pdf_is_reported(folder):
    def swap_second_digit(content):
        return content.replace(b"(2) Tj", b"(5) Tj", 1)

    verification = plant(folder, lambda pdf: rewrite_form(pdf, "puzzle-", 0, swap_second_digit))
    assert not verification.passed
    assert {puzzle for puzzle, _ in problems_in(verification)} == {1}
    assert any("appears 1 time" in text for _, text in problems_in(verification))


@pytest.mark.parametrize(
    ("by", "said"),
    [(0, "the number 2 is on E1, which has another one"), (0.5, "the number 3 is between cells, near C2")],
)
def test_an_extra_number_is_reported_with_its_place(folder, by, said):
    def add(pdf):
        held, name = forms(pdf, "puzzle-")[0]
        left, _, right, _ = (float(side) for side in held[name].BBox)
        content = held[name].read_bytes()
        (number,) = re.findall(rb"(?s)BT(?:(?!ET).)*\(2\) Tj.*?ET", content)[:1]
        held[name].write(content + b"\nq 1 0 0 1 %f 0 cm %b Q" % (by * (right - left) / 5, number))

    found = problems_in(plant(folder, add))
    assert any(text.startswith(said) for _, text in found), found[:3]


def test_two_exchanged_numbers_on_a_board_are_reported(folder):
    """The board still has pairs, so only its record, its answer and the proof show the error."""

    def exchange(content):
        first = content.replace(b"(1) Tj", b"(x) Tj", 1).replace(b"(2) Tj", b"(1) Tj", 1)
        return first.replace(b"(x) Tj", b"(2) Tj")

    found = problems_in(plant(folder, lambda pdf: rewrite_form(pdf, "puzzle-", 0, exchange)))
    assert {puzzle for puzzle, _ in found} == {1}
    assert any("C1 is 2 in the PDF and 1 in the volume" in text for _, text in found)
    assert any("another board than the puzzle's" in text for _, text in found)


def test_two_exchanged_boards_are_both_reported(folder):
    def exchange(pdf):
        (held, first), (also, second) = forms(pdf, "puzzle-")[0:2]
        held[first], also[second] = also[second], held[first]

    found = problems_in(plant(folder, exchange))
    assert (1, "the board of puzzle 2 is printed here") in found
    assert (2, "the board of puzzle 1 is printed here") in found


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (1.5, "a line of an answer is drawn in the puzzle"),
        (1.8, "a line of the answer ends between cells"),  # only a line to a number may end here
    ],
)
def test_an_answer_line_in_a_puzzle_is_reported(folder, end, said):
    def draw(pdf):
        held, name = forms(pdf, "puzzle-")[0]
        left, _, right, top = (float(side) for side in held[name].BBox)
        cell = (right - left) / 5
        y = top - cell / 2
        line = f"\nq 0 G 4 w {left + cell / 2} {y} m {left + end * cell} {y} l S Q"
        held[name].write(held[name].read_bytes() + line.encode())

    assert (1, said) in problems_in(plant(folder, draw))


def drop_a_line(pdf):
    """Draw the third answer without one of its lines."""
    lines = rb"(?:\n[^\n]* [ml])+\nS"
    rewrite_form(pdf, "solution-", 2, lambda content: re.sub(lines, b"", content, count=1))


@pytest.mark.parametrize("key", ["board", "solution"])
def test_a_wrong_record_is_reported_and_the_pdf_is_still_compared(folder, key):
    plant(folder, drop_a_line)

    def change(record):
        rows = record["puzzles"][1][key]
        rows[0] = "4" + rows[0][1:]

    verification = rewrite(folder, change)
    found = [(finding.file, finding.puzzle) for finding in verification.findings]
    assert found == [("volume.json", 2), ("interior.pdf", 3)]
    assert verification.findings[1].found.startswith("the answer drawn is wrong")
    assert "difficulties were not checked: volume.json contradicts itself" in verification.text()


@pytest.mark.parametrize("pages", ["puzzle", "answer", "caption"])
def test_a_board_or_caption_that_is_painted_over_is_reported(folder, pages):
    book = read(folder, Phrases(volume_in("classic").spec.wording(), True))
    board = (book.answers if pages == "answer" else book.puzzles)[0]
    left, bottom, right, top = board.box
    box = (
        (left, top + 1, right, top + 40) if pages == "caption" else (left - 2, bottom - 2, right + 2, top + 2)
    )
    over = f"q 1 g {box[0]} {box[1]} {box[2] - box[0]} {box[3] - box[1]} re f Q"
    with Pdf.open(folder / "interior.pdf", allow_overwriting_input=True) as pdf:
        pdf.pages[board.page - 1].contents_add(over.encode(), prepend=False)
        pdf.save(folder / "interior.pdf")
    assert not verify_folder(folder).passed


def clipped(pdf, page, box):
    page.contents_add(b"q 0 0 1 1 re W n", prepend=True)
    page.contents_add(b"Q", prepend=False)


def crossed_out(pdf, page, box):
    middle = box.lly + box.height / 2
    line = f"1 G {box.height + 4} w {box.llx} {middle} m {box.urx} {middle} l S"
    page.contents_add(line.encode(), prepend=False)


def patched(pdf, page, box):
    """Cover a part of one grid line, but no number."""
    patch = f"1 g {box.llx + box.width / 5 - 4} {box.lly + 1} 8 {box.height / 7 - 2} re f"
    page.contents_add(patch.encode(), prepend=False)


def blackened(pdf, page, box):
    area = f"0 g {box.llx} {box.lly} {box.width / 2} {box.height / 2} re f"
    page.contents_add(area.encode(), prepend=False)


def noted(pdf, page, box):
    look = pdf.make_stream(
        f"1 g 0 0 {box.width} {box.height} re f".encode(),
        Type=Name.XObject,
        Subtype=Name.Form,
        BBox=Array([0, 0, box.width, box.height]),
    )
    note = Dictionary(Type=Name.Annot, Subtype=Name.Square, F=4, Rect=box.as_array(), AP=Dictionary(N=look))
    page.obj.Annots = Array([pdf.make_indirect(note)])


def switched_off(pdf, page, box):
    layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="x"))
    pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=Array([layer])))
    page.obj.Resources.Properties = Dictionary(O1=layer)
    page.contents_add(b"/OC /O1 BDC", prepend=True)
    page.contents_add(b"EMC", prepend=False)


@pytest.mark.parametrize("hide", [clipped, crossed_out, patched, blackened, noted, switched_off])
def test_a_hidden_board_is_reported(folder, hide):
    board = read(folder, Phrases(volume_in("classic").spec.wording(), True)).puzzles[0]

    def change(pdf):
        hide(pdf, pdf.pages[board.page - 1], Rectangle(*board.box))

    found = {number for number, _ in problems_in(plant(folder, change))}
    assert found & {None, 1}


def test_an_unknown_proof_method_is_reported(graded_folder):
    verification = rewrite(graded_folder, lambda record: record["puzzles"][0].update(proof="trust me"))
    assert "puzzle 1: trust me is not a known proof method" in verification.text()


def test_a_puzzle_missing_from_the_pdf_is_reported(folder):
    def drop(pdf):
        held, name = forms(pdf, "puzzle-")[3]
        held[name].write(b"")

    found = problems_in(plant(folder, drop))
    assert (4, "the volume has this puzzle, and the PDF doesn't") in found
    assert (None, "the title page says 4 puzzles, and the book has 3") in found


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (b"4 puzzles", b"5 puzzles", "the title page says 5 puzzles, and the book has 4"),
        (rb"\(Solution p\. ", rb"\g<0>1", "the caption says that the solution is on p. 1"),
        (rb"\(Puzzle p\. ", rb"\g<0>1", "the answer says that its puzzle is on p. 1"),
        (
            rb"(?s)\(5 ([^)]*) 7\)(?=.*Solution p\.)",
            rb"(5 \1 8)",
            "the caption says 5 × 8, and the board is 5 × 7",
        ),
    ],
)
def test_a_wrong_number_in_a_caption_or_on_the_title_page_is_reported(folder, old, new, said):
    ((_, text),) = problems_in(plant(folder, lambda pdf: rewrite_pages(pdf, old, new)))
    assert text.startswith(said)


def test_the_json_report_has_the_result_and_the_findings(folder):
    verification = plant(folder, lambda pdf: rewrite_pages(pdf, b"4 puzzles", b"5 puzzles"))
    read = json.loads(verification.as_json())
    assert read["passed"] is False
    assert read["faults"] == [
        {"file": "interior.pdf", "puzzle": None, "page": 1, "text": verification.findings[0].found}
    ]


def test_an_unreadable_pdf_is_reported(folder):
    (folder / "interior.pdf").write_bytes(b"%PDF-1.3\nnothing")
    (problem,) = problems_in(verify_folder(folder))
    assert "can't be read back" in problem[1]


@pytest.mark.parametrize(
    ("key", "value"), [("rule", ["strict"]), ("rule", {}), ("number", [1]), ("board", 7), ("solution", [[1]])]
)
def test_a_record_with_a_value_of_the_wrong_type_is_reported(folder, key, value):
    verification = rewrite(folder, lambda record: record["puzzles"][0].update({key: value}))
    assert any(finding.found.startswith(str(folder)) for finding in verification.findings)


def test_a_volume_with_invalid_text_is_refused(folder):
    with pytest.raises(PuzzleError, match="not JSON that can be read"):
        rewrite(folder, lambda record: record["puzzles"][0].update(board=["\ud800 " * 5] * 7))


@pytest.mark.parametrize("name", ["volume.json", "interior.pdf"])
def test_the_error_for_a_missing_file_names_the_file(folder, name):
    (folder / name).unlink()
    with pytest.raises(PuzzleError, match=re.escape(name)):
        verify_folder(folder)


def test_names_of_forms_in_the_pdf_do_not_matter(folder):
    """Verification reads only what pages show, so other names for the forms change nothing."""

    def rename(pdf):
        for held, name in forms(pdf, "puzzle-"):
            held["/Z" + name[-1]] = held[name]
        for page in pdf.pages:
            content = page.Contents.read_bytes()
            page.Contents = pdf.make_stream(re.sub(rb"/\S*puzzle\S*(\d) Do", rb"/Z\1 Do", content))

    assert plant(folder, rename).passed


@pytest.mark.parametrize("theme", THEMES.names())
def test_exchanged_answers_and_missing_solids_are_reported_in_every_theme(theme, tmp_path):
    written(volume_in(theme), tmp_path)

    def exchange_and_empty(pdf):
        (held, first), (also, second) = forms(pdf, "solution-")[0:2]
        held[first], also[second] = also[second], held[first]
        held, name = forms(pdf, "puzzle-")[3]
        held[name].write(
            b"\n".join(line for line in held[name].read_bytes().split(b"\n") if b" re" not in line)
        )

    verification = plant(tmp_path, exchange_and_empty)
    named = {puzzle for puzzle, _ in problems_in(verification)}
    assert {1, 2} <= named
    assert (4 in named) is (theme in ("classic", "soft", *IN_COLOUR))  # elsewhere solids are lines


def test_a_dot_in_the_colour_of_another_pair_is_reported(tmp_path):
    written(volume_in("plain-dots"), tmp_path)

    def repaint(pdf):
        held, name = forms(pdf, "puzzle-")[2]
        blue, vermilion = b"1 0.5 0 0 k", b"0 0.8 1 0 k"
        content = held[name].read_bytes()
        assert blue in content
        assert vermilion in content
        held[name].write(content.replace(blue, b"?").replace(vermilion, blue).replace(b"?", vermilion))

    named = {puzzle for puzzle, _ in problems_in(plant(tmp_path, repaint))}
    assert named == {3}


def test_wrong_contents_and_a_wrong_first_page_of_solutions_are_reported(folder):
    def change(pdf):
        rewrite_pages(pdf, rb"\(Easy\) Tj", b"(Hard) Tj")
        rewrite_pages(pdf, rb"\(Solutions start on page ", rb"\g<0>1")

    found = [text for _, text in problems_in(plant(folder, change))]
    assert any(text.startswith("the contents put 'Hard' on p. ") for text in found)
    assert any("its solutions begin on p. 1" in text for text in found)
    assert len(found) == 2


def test_each_dot_colour_gets_one_rank_and_each_rank_one_colour():
    puzzle, red, blue, green = BOARDS[0], (255, 0, 0), (0, 0, 255), (0, 255, 0)
    one, other = (cell for cell, number in puzzle.number_at.items() if number == 1)
    two, free = (
        next(cell for cell, number in puzzle.number_at.items() if number == 2),
        min(puzzle.grid.solids),
    )
    dots = {one: red, other: blue, two: red, free: green}
    places = {}
    _learn_ranks(BoardRead(1, (0, 0, 50, 70), 7, 5, dots=dots), puzzle, places)
    assert places == {red: 1}


def test_solutions_after_a_section_do_not_open_the_next_one(tmp_path):
    level = {"size": "5x7", "paths": 5, "solids": 2}
    keys = {"solutions": {"place": "after-section"}, "parts": {"openers": False}}
    levels = [{"name": "A", "count": 1, **level}, {"name": "B", "count": 3, **level}]
    spec = BookSpec.model_validate({"title": "Two", "seed": 1, "levels": levels, **keys})
    puzzles = volume_in("classic").puzzles
    slots = [
        replace(puzzle, level=slot.level, seed=slot.seed_of(0), index=slot.index)
        for puzzle, slot in zip(puzzles, plan_slots(spec), strict=True)
    ]
    assert problems_in(verify_folder(written(assemble(spec, slots, "0.0"), tmp_path))) == []
