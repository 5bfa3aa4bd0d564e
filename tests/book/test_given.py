from dataclasses import replace
from pathlib import Path

import pytest
from paper_maker import make_on_paper

from linkpress.book.judged import judge_board
from linkpress.book.keeping import NO_LEDGER, LedgerChoice
from linkpress.book.making import making, slot_key
from linkpress.book.plan import plan_slots
from linkpress.book.run_log import RunLog
from linkpress.book.spec import BookSpec, load_spec
from linkpress.book.volume import assemble, volume_json
from linkpress.book.volume_reading import load_volume
from linkpress.engine.proof import Verdict, prove
from linkpress.engine.recipe import Rule
from linkpress.errors import FoundWantingError, SpecError
from linkpress.press.plan_text import plan_text
from linkpress.puzzle.notation.link_text import parse_puzzles, puzzle_text
from linkpress.puzzle.symmetry import transform_puzzle

SPEC = """\
title: A book
seed: 1
levels:
  - {name: Made, count: 2, size: 7x5, paths: 4-6}
  - {name: Mine, count: 2, from: mine.txt}
"""
SMALL = "3 3\n1 2 3\n. . .\n1 2 3\n"
WIDE = "4 3\n1 2 3 4\n. . . .\n1 2 3 4\n"
THIRD = "5 3\n1 2 3 4 5\n. . . . .\n1 2 3 4 5\n"
LOOSE = "3 3\n1 . .\n. . .\n. . 1\n"


@pytest.fixture
def load(tmp_path):
    def call(boards=SMALL + WIDE + THIRD, spec=SPEC):
        (tmp_path / "mine.txt").write_text(boards)
        (tmp_path / "spec.yaml").write_text(spec)
        return load_spec(tmp_path / "spec.yaml")

    return call


def make(spec, folder, choice=NO_LEDGER):
    with making(spec, folder / "book", choice, RunLog()) as session:
        puzzles = session.make(2, lambda one: None, make_on_paper)
        session.finish(puzzles)
    return puzzles


def test_a_level_takes_the_first_boards_of_its_file(load):
    spec = load()
    slots = plan_slots(spec)
    assert [slot.given for slot in slots[:2]] == [None, None]
    assert [slot.given for slot in slots[2:]] == parse_puzzles(SMALL + WIDE)
    assert [(slot.number, slot.index, slot.recipe.rule) for slot in slots[2:]] == [
        (3, 1, Rule.STRICT),
        (4, 2, Rule.STRICT),
    ]
    assert "Mine: 2 puzzles; from mine.txt, strict" in plan_text(spec, Path())


def test_given_boards_are_proven_and_printed_like_the_rest_and_read_back(load, tmp_path):
    spec = load()
    volume = assemble(spec, make(spec, tmp_path).first, "0.1.0")
    mine = volume.level("Mine")
    assert [one.puzzle for one in mine] == parse_puzzles(SMALL + WIDE)
    assert {(one.rule, one.method, one.seed) for one in mine} == {
        (Rule.STRICT, None, "mine.txt/1/0"),
        (Rule.STRICT, None, "mine.txt/2/0"),
    }
    assert all(one.proof != "paper" for one in mine)
    (tmp_path / "volume.json").write_text(volume_json(volume))
    again = load_volume(tmp_path / "volume.json")
    assert again.puzzles == volume.puzzles
    with pytest.raises(SpecError, match="load the spec from its file"):
        plan_slots(again.spec)


def test_made_puzzles_make_way_for_given_ones(load, tmp_path, monkeypatch):
    first = plan_slots(load())[0]
    twin = make_on_paper(first.recipe, first.seed_of(0), first.method)
    # Paper puzzles are not proven, so judging this one is left out.
    monkeypatch.setattr("linkpress.book.produce.judge_board", lambda board, rule: twin)
    one = SPEC.replace("count: 2, from", "count: 1, from")
    puzzles = make(load(puzzle_text(transform_puzzle(twin.puzzle, 2)), one), tmp_path)
    assert [made.attempt for made in puzzles.first] == [1, 0, 0]


@pytest.mark.parametrize(
    ("boards", "message"),
    [
        (
            SMALL + LOOSE,
            r"puzzle 2 of level Mine \(mine.txt\): it has several solutions under the rule strict",
        ),
        (SMALL + "3 3\n1 . 2\n. . .\n2 . 1\n", "no solution"),
        (SMALL + SMALL, r"puzzle 2 of level Mine \(mine.txt\) is there already"),
    ],
)
def test_a_board_that_will_not_do_is_named(load, tmp_path, boards, message):
    with pytest.raises(FoundWantingError, match=message):
        make(load(boards), tmp_path)


def test_a_board_that_another_volume_holds_is_named_with_its_place(load, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    make(load(), tmp_path, choice)
    other = load().model_copy(update={"id": "other"})
    with pytest.raises(FoundWantingError, match=r"\(mine.txt\) is in volume a-book, [34] already"):
        make(other, tmp_path, choice)


def test_a_solution_beside_itself_can_not_be_recorded():
    board = parse_puzzles("4 4\n2 . . .\n2 . # .\n. . . .\n1 1 . #\n")[0]
    assert prove(board, Rule.FILLED).verdict is Verdict.UNIQUE
    with pytest.raises(FoundWantingError, match=r"runs alongside itself.*leave the board out"):
        judge_board(board, Rule.FILLED)


def test_another_board_is_another_key(load):
    slots = plan_slots(load())
    other = replace(slots[2], given=slots[3].given)
    assert slot_key(other) != slot_key(slots[2])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mine.txt", "none.txt", r"5:\d+ levels\[1\]\.from: none\.txt — it can't be read: No such file"),
        ("count: 2, from", "count: 4, from", r"levels\[1\]\.count: 4 — mine\.txt holds 3 puzzles"),
        ("from: mine.txt", "from: mine.txt, size: 7", r"levels\[1\]\.size: .*leave it out"),
        ("from: mine.txt", "from: mine.txt, paths: 4", r"levels\[1\]\.paths: .*leave it out"),
        ("seed: 1", "seed: 1\nreplace: {3: 1}", r"replace\.3: that puzzle is from mine\.txt"),
    ],
)
def test_faults_are_problems_with_their_places(load, old, new, message):
    with pytest.raises(SpecError, match=message):
        load(spec=SPEC.replace(old, new))


def test_a_malformed_board_is_a_problem_of_the_key(load):
    with pytest.raises(SpecError, match=r"levels\[1\]\.from: mine\.txt — it can't be read: .*row 1"):
        load("3 3\n1 x 1\n. . .\n. . .\n")


def test_a_file_too_large_or_of_too_many_sizes_is_a_problem(load, monkeypatch):
    monkeypatch.setattr("linkpress.book.given.MAX_SIZES", 1)
    with pytest.raises(SpecError, match="its boards have 2 sizes; at most 1"):
        load()
    monkeypatch.setattr("linkpress.book.given.MAX_BYTES", 10)
    with pytest.raises(SpecError, match="no level is as large"):
        load()


def test_the_document_keeps_the_key(load):
    document = load().document()
    assert document["levels"][1]["from"] == "mine.txt"
    assert BookSpec.model_validate(document).document() == document
