import shutil

import pytest

from linkpress.app.preview import plan_of
from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec, load_spec
from linkpress.book.volume import load_volume, volume_of
from linkpress.documents.models import Document
from linkpress.engine.make.generate import generate
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import CheckFailedError, GaveUpError, SpecError
from linkpress.ledger.store import Ledger
from linkpress.press.dry_run import dry_run
from linkpress.production.book_puzzles import make_book
from linkpress.production.forecast import refuse_boards
from linkpress.production.ledger_session import NO_LEDGER, LedgerChoice
from linkpress.production.slot_search import check_board
from linkpress.puzzle.link_text import puzzle_text
from linkpress.puzzle.notations import Notation, read_puzzles, write_puzzle
from linkpress.puzzle.symmetry import fingerprint
from paper_maker import HERE, make_on_paper, opened, stop
from turning import turned_puzzle

SPEC = """\
title: A book
seed: 1
levels:
  - {name: Made, count: 2, size: 7x5, paths: 4-6}
  - {name: Mine, count: 2, from: mine.txt}
"""
SMALL = "3 3\n1 2 3\n. . .\n1 2 3\n"
WIDE = "4 3\n1 2 3 4\n. . . .\n1 2 3 4\n"
TURNED = "3 3\n2 . 2\n1 . 1\n3 . 3\n"  # SMALL
CROSSED = "3 3\n1 . 2\n. . .\n2 . 1\n"
THIRD = "5 3\n1 2 3 4 5\n. . . . .\n1 2 3 4 5\n"
ALIKE = ", perhaps turned, mirrored or renumbered"
LOOSE = "3 3\n1 . .\n. . .\n. . 1\n"


@pytest.fixture
def load(tmp_path):
    def call(boards=SMALL + WIDE + THIRD, spec=SPEC):
        (tmp_path / "mine.txt").write_text(boards)
        (tmp_path / "spec.yaml").write_text(spec)
        return load_spec(tmp_path / "spec.yaml")

    return call


def make(spec, folder, choice=NO_LEDGER, maker=make_on_paper):
    with opened(spec, folder / "book", choice, maker=maker) as run:
        puzzles = make_book(spec, run, HERE)
        run.finish(puzzles.places)
    return puzzles


def test_a_level_takes_the_first_boards_of_its_file(load):
    spec = load()
    slots = plan_slots(spec)
    assert [slot.given for slot in slots[:2]] == [None, None]
    assert [slot.given for slot in slots[2:]] == read_puzzles(SMALL + WIDE)
    assert [slot.line for slot in slots] == [0, 0, 1, 5]
    assert [(slot.number, slot.index, slot.recipe.rule) for slot in slots[2:]] == [
        (3, 1, Rule.STRICT),
        (4, 2, Rule.STRICT),
    ]
    plan = plan_of(dry_run(Document(spec)).checked()).text
    assert "Mine: 2 puzzles; from mine.txt" in plan
    assert "- whether each board from a file has one solution" in plan


def test_boards_from_files_are_proven_and_printed_like_the_rest_and_read_back(load, tmp_path):
    spec = load()
    volume = volume_of(spec, make(spec, tmp_path).records, "0.1.0")
    mine = volume.level("Mine")
    assert [one.puzzle for one in mine] == read_puzzles(SMALL + WIDE)
    assert {(one.rule, one.method, one.seed) for one in mine} == {
        (Rule.STRICT, None, "mine.txt/1/0"),
        (Rule.STRICT, None, "mine.txt/2/0"),
    }
    assert all(one.proof != "paper" for one in mine)
    (tmp_path / "volume.json").write_text(volume.json)
    again = load_volume(tmp_path / "volume.json")
    assert again.puzzles == volume.puzzles
    with pytest.raises(SpecError, match="load the spec from its file"):
        plan_slots(again.spec)


def test_a_made_puzzle_that_repeats_a_board_from_a_file_is_made_again(load, tmp_path):
    first = plan_slots(load())[0]
    repeat = generate(first.recipe, first.seed_of(0), first.method)
    one = SPEC.replace("count: 2, from", "count: 1, from")
    puzzles = make(load(puzzle_text(turned_puzzle(repeat.puzzle, 2)), one), tmp_path, maker=generate)
    assert sorted((one.level, one.index, one.attempt) for one in puzzles.records) == [
        ("Made", 1, 1),
        ("Made", 2, 0),
        ("Mine", 1, 0),
    ]


def refusal(spec, folder, choice=NO_LEDGER):
    """Return the lines of the message about refused boards. No file may be left behind."""
    with pytest.raises(CheckFailedError) as caught:
        make(spec, folder, choice)
    assert not (folder / "book").exists()
    return str(caught.value).split("\n")


def test_every_refused_board_is_named_with_its_line_and_its_problem(load, tmp_path):
    spec = load(
        SMALL + LOOSE + "; mine\n" + CROSSED + TURNED + LOOSE + WIDE, SPEC.replace("2, from", "6, from")
    )
    assert refusal(spec, tmp_path) == [
        "4 of 6 boards from files can't be printed. Nothing was written.",
        "puzzle 2 of level Mine (mine.txt, line 5): it has two solutions under the rule strict, which differ "
        "at A1",
        "puzzle 3 of level Mine (mine.txt, line 10): it has no solution",
        "puzzle 4 of level Mine (mine.txt, line 14): it is the same as puzzle 1 of level Mine (mine.txt, "
        f"line 1){ALIKE}; remove one of them",
        "puzzle 5 of level Mine (mine.txt, line 18): it has two solutions under the rule strict, which "
        "differ at A1",
    ]


def test_a_board_of_another_level_is_a_repeat_too(load, tmp_path):
    (tmp_path / "more.txt").write_text(THIRD + TURNED)
    more = "  - {name: More, count: 2, from: more.txt}\n"
    assert refusal(load(spec=SPEC + more), tmp_path)[1:] == [
        "puzzle 2 of level More (more.txt, line 5): it is the same as puzzle 1 of level Mine (mine.txt, "
        f"line 1){ALIKE}; remove one of them"
    ]


def test_a_board_with_one_filling_is_sent_to_the_rule_filled(load, tmp_path):
    lines = refusal(load("4 5\n3 . . .\n3 1 2 .\n1 . . .\n. 2 # .\n. . . .\n" + SMALL), tmp_path)
    assert "only one covers every square, so `unique: filled`" in lines[1]


def test_a_board_with_one_untouching_solution_is_sent_to_that_rule(load, tmp_path):
    boards = "4 4\n1 2 . 2\n. . . .\n. 3 1 .\n. . . 3\n" + SMALL
    lines = refusal(load(boards), tmp_path)
    assert "a line that runs beside itself, so `unique: untouching`" in lines[1]
    made = make(load(boards, SPEC.replace("mine.txt}", "mine.txt, unique: untouching}")), tmp_path)
    records = [finished.record for finished in made.printed[2:]]
    assert {record.rule for record in records} == {Rule.UNTOUCHING}
    assert Verdict.MULTIPLE in {prove(record.puzzle, Rule.FILLED).verdict for record in records}


def test_a_long_list_of_refused_boards_is_cut(load, tmp_path, monkeypatch):
    monkeypatch.setattr("linkpress.production.forecast.MAX_SHOWN", 1)
    lines = refusal(load(LOOSE + CROSSED), tmp_path)
    assert [lines[0].split()[:3], lines[2:]] == [["2", "of", "2"], ["… and 1 more"]]


def test_a_proof_that_was_given_up_has_its_own_exit_code_unless_another_board_is_wrong(load):
    slots, gave_up = plan_slots(load())[2:], GaveUpError("its proof was given up")
    with pytest.raises(GaveUpError, match=r"1 of 2 boards .*\n.*line 1\): its proof was given up"):
        refuse_boards(slots, {0: gave_up})
    with pytest.raises(CheckFailedError, match="2 of 2 boards"):
        refuse_boards(slots, {0: gave_up, 1: CheckFailedError("it has no solution")})


def test_boards_that_another_volume_holds_are_named_with_their_places(load, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    make(load(), tmp_path, choice)
    shutil.rmtree(tmp_path / "book", ignore_errors=True)
    other = load(THIRD + TURNED + WIDE, SPEC.replace("2, from", "3, from")).model_copy(update={"id": "other"})
    lines = refusal(other, tmp_path, choice)
    assert [line.partition("; ")[0] for line in lines[1:]] == [
        f"puzzle {number} of level Mine (mine.txt, line {line}): it is already in volume a-book, {slot}"
        + ALIKE
        for number, line, slot in ((2, 5, 3), (3, 9, 4))
    ]
    with Ledger(choice.address) as ledger:
        assert ledger.find(fingerprint(read_puzzles(THIRD)[0])) is None


def test_refused_boards_do_not_remove_the_journal_of_an_earlier_run(load, tmp_path):
    # Boards from files are proven first.
    with pytest.raises(KeyboardInterrupt), opened(load(), tmp_path / "book", watcher=stop(3)) as run:
        make_book(load(), run, HERE)
    with pytest.raises(CheckFailedError):
        make(load(SMALL + LOOSE), tmp_path)
    assert (tmp_path / "book" / ".build.journal").exists()


def test_a_solution_beside_itself_can_not_be_recorded():
    board = read_puzzles("4 4\n2 . . .\n2 . # .\n. . . .\n1 1 . #\n")[0]
    assert prove(board, Rule.FILLED).verdict is Verdict.UNIQUE
    with pytest.raises(CheckFailedError, match=r"runs alongside itself.*leave the board out"):
        check_board(board, Rule.FILLED)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("from: mine.txt", "from: .", r"5:\d+ levels\[1\]\.from: \. — it can't be read: it is not a file"),
        ("from: mine.txt", "from: empty.txt", r"levels\[1\]\.from: empty\.txt — .*it holds no puzzle"),
        ("mine.txt", "none.txt", r"5:\d+ levels\[1\]\.from: none\.txt — it can't be read: No such file"),
        ("count: 2, from", "count: 4, from", r"levels\[1\]\.count: 4 — mine\.txt holds 3 puzzles"),
        ("from: mine.txt", "from: mine.txt, size: 7", r"levels\[1\]\.size: .*leave it out"),
        ("from: mine.txt", "from: mine.txt, paths: 4", r"levels\[1\]\.paths: .*leave it out"),
        (
            "seed: 1",
            "seed: 1\nreplace: {3: 1}",
            r"replace\.3: puzzle 3 is swapped here, but it is from mine\.txt",
        ),
    ],
)
def test_problems_of_the_key_have_their_places(load, tmp_path, old, new, message):
    (tmp_path / "empty.txt").write_text("; nothing yet\n")
    with pytest.raises(SpecError, match=message):
        load(spec=SPEC.replace(old, new))


@pytest.mark.parametrize("form", Notation)
def test_every_notation_is_read_and_the_lines_are_the_files(load, form):
    text = write_puzzle(read_puzzles(SMALL)[0], form)
    slots = plan_slots(load(f"; two boards\n\n{text}\n{write_puzzle(read_puzzles(WIDE)[0], form)}"))
    assert [slot.given for slot in slots[2:]] == read_puzzles(SMALL + WIDE)
    assert [slot.line for slot in slots[2:]] == [3, 3 + len(text.splitlines()) + 1]


def test_a_malformed_board_is_a_problem_of_the_key(load):
    with pytest.raises(SpecError, match=r"levels\[1\]\.from: mine\.txt — it can't be read: .*row 1"):
        load("3 3\n1 x 1\n. . .\n. . .\n")


def test_a_file_too_large_or_of_too_many_sizes_is_a_problem(load, monkeypatch):
    monkeypatch.setattr("linkpress.book.level.MAX_SIZES", 1)
    with pytest.raises(SpecError, match="its boards have 2 sizes; at most 1"):
        load()
    monkeypatch.setattr("linkpress.book.level.MAX_BOARDS_BYTES", 10)
    with pytest.raises(SpecError, match="it is larger than 0 MiB"):
        load()


def test_the_document_keeps_the_key(load):
    document = load().document()
    assert document["levels"][1]["from"] == "mine.txt"
    assert BookSpec.model_validate(document).document() == document
