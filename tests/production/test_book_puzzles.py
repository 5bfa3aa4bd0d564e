import json
from dataclasses import replace

import pytest

import boards
from linkpress.book.plan import plan_slots
from linkpress.book.volume import volume_of as bind
from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Span
from linkpress.errors import RecipeError
from linkpress.ledger.database import Holder, Kind
from linkpress.ledger.store import Ledger
from linkpress.production.book_puzzles import (
    JOURNAL_FILE,
    make_book,
    report_lines,
    vary_openings,
    warnings_of,
)
from linkpress.production.journal import Journal, RunLog
from linkpress.production.ledger_session import NO_LEDGER, LedgerChoice
from linkpress.version import __version__
from paper_maker import HERE, Heard, opened, stop


def make(spec, folder, choice=NO_LEDGER, log=None, watcher=None):
    """Do a whole run as a build does. Return the puzzles and the lines of the report."""
    with opened(spec, folder, choice, log, watcher) as run:
        puzzles = make_book(spec, run, HERE)
        lines = report_lines(run, warnings_of(spec, run, puzzles))
        run.finish(puzzles.places)
    return puzzles, lines


def volume_of(spec, puzzles):
    return bind(spec, puzzles.records, "0.1.0")


def test_a_run_that_was_interrupted_and_again_at_its_start_ends_with_the_same_puzzles(spec, tmp_path):
    whole, lines = make(spec, tmp_path / "whole")
    assert lines == []
    with pytest.raises(KeyboardInterrupt, match="3 of 7 puzzles are kept: the same command goes on"):
        make(spec, tmp_path / "book", watcher=stop(3))
    with (
        pytest.raises(KeyboardInterrupt, match="; 3 of 7 puzzles are kept: "),
        opened(spec, tmp_path / "book"),
    ):
        raise KeyboardInterrupt
    come = Heard()
    puzzles, lines = make(spec, tmp_path / "book", watcher=come)
    assert lines == ["journal        resumed 3 of 7"]
    assert [replace(one, seconds_s=0) for one in puzzles.printed] == [
        replace(one, seconds_s=0) for one in whole.printed
    ]
    assert len(come.slots) == 7
    assert not (tmp_path / "book").exists() or list((tmp_path / "book").iterdir()) == []


@pytest.mark.parametrize(
    ("error", "message"),
    [(KeyboardInterrupt(), "^interrupted; nothing is kept yet$"), (RecipeError("none"), "none")],
)
def test_a_run_that_ends_before_a_puzzle_is_saved_leaves_nothing_behind(spec, tmp_path, error, message):
    with pytest.raises(type(error), match=message), opened(spec, tmp_path / "out" / "new" / "book"):
        raise error
    assert list(tmp_path.iterdir()) == []


def test_unreadable_puzzles_of_the_journal_are_made_again(spec, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        make(spec, tmp_path, watcher=stop(3))
    with Journal(tmp_path / JOURNAL_FILE, spec.book_id, __version__) as journal:
        journal.append([(1, json.dumps({"key": journal.saved[1]["key"], "board": ["nonsense"]}))])
    assert make(spec, tmp_path)[1] == ["journal        resumed 2 of 7"]


def test_a_damaged_journal_costs_one_puzzle_and_the_user_is_told(spec, tmp_path):
    with pytest.raises(KeyboardInterrupt):
        make(spec, tmp_path, watcher=stop(3))
    journal = tmp_path / JOURNAL_FILE
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([lines[0], b"\0" * 512 + b"\n", *lines[2:]]))
    come = Heard()
    assert make(spec, tmp_path, watcher=come)[1] == ["journal        resumed 2 of 7"]
    assert come.messages[0].startswith("1 puzzle that an earlier run saved in ")


def test_a_slots_key_follows_its_recipe_and_board_and_not_its_number(spec):
    slot = plan_slots(spec)[0]
    assert replace(slot, number=9).key == slot.key
    assert replace(slot, seed="other").key != slot.key
    assert replace(slot, recipe=replace(slot.recipe, shortest_path=4)).key != slot.key
    one, other = (replace(slot, given=board) for board in (boards.ARTICLE_PUZZLE, boards.SOLVED_BOARD.puzzle))
    assert len({slot.key, one.key, other.key}) == 3


def test_a_run_that_fails_later_keeps_its_puzzles(spec, tmp_path):
    with pytest.raises(RecipeError):
        make(spec, tmp_path, watcher=stop(2, RecipeError("can't be met")))
    assert (tmp_path / JOURNAL_FILE).exists()
    assert make(spec, tmp_path)[1] == ["journal        resumed 2 of 7"]


def test_neighbours_of_the_same_difficulty_begin_with_different_techniques():
    other = generate(Recipe(5, 7, pairs=Span(4, 5)), "1").solution
    first, *others = (
        boards.record_of(solution, score=score, difficulty=score // 5, index=index)
        for index, (solution, score) in enumerate(
            [(boards.SOLVED_BOARD, 60)] * 4 + [(other, 61), (other, 62), (other, 65)], start=1
        )
    )
    assert [record.index for record in vary_openings([first, *others])] == [1, 5, 2, 6, 3, 4, 7]
    same = dict.fromkeys((record.fingerprint for record in (first, *others)), (1, 2))
    assert vary_openings([first, *others], same) == [first, *others]
    unknown = [replace(record, score=None) for record in others]
    assert vary_openings(unknown) == unknown


def test_the_ledger_holds_the_puzzles_under_their_printed_numbers(spec, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    puzzles, _ = make(spec, tmp_path / "book", choice)
    with Ledger(choice.address) as ledger:
        held = {entry.fingerprint: entry.slot for entry in ledger.entries()}
    printed = volume_of(spec, puzzles).puzzles
    assert held == {one.fingerprint: str(number) for number, one in enumerate(printed, start=1)}


def test_puzzles_of_another_volume_are_replaced_and_noted(spec, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    make(spec, tmp_path / "first", choice)
    other = spec.model_copy(update={"id": "other"})
    puzzles, lines = make(other, tmp_path / "other", choice)
    assert {one.attempt for one in puzzles.records} == {1}
    assert len(lines) == 8
    assert lines[0].startswith("passed over    puzzle 1 of level Easy, attempt 0: it is in volume link-u, ")
    assert lines[7] == (
        "ledger         link-u in the ledger has 7 puzzles of the same seed and settings, so this book has "
        "others instead. If it is the same book under an earlier title, write `id: link-u` and build again "
        "to keep its puzzles."
    )
    assert make(other, tmp_path / "other", choice)[1] == []


def test_a_book_that_replaces_another_reports_the_released_puzzles(spec, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    draft = replace(choice, draft=True)
    other = spec.model_copy(update={"seed": "other"})
    assert make(spec, tmp_path, choice)[1] == []
    assert make(spec, tmp_path, choice)[1] == []
    assert make(other, tmp_path, draft)[1] == []
    assert make(other, tmp_path, choice)[1] == [
        "ledger         link-u held 7 other puzzles in the ledger: they are free to be printed again. If "
        "that book is on sale, give this one another `id:` and build both again."
    ]


def test_a_new_replacement_releases_only_the_replacement_before(spec, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    make(spec, tmp_path, choice)
    once, twice = (spec.model_copy(update={"replace": {3: which}}) for which in (1, 2))
    assert make(once, tmp_path, choice)[1] == []
    (line,) = make(twice, tmp_path, choice)[1]
    assert line.startswith("ledger         link-u held 1 other puzzle in the ledger: it is free to be ")


def events_of(path, event):
    """Return the lines of one event in the log, without their times."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return [{k: line[k] for k in line.keys() - {"at", "event"}} for line in lines if line["event"] == event]


def test_the_log_has_events_but_no_boards_of_the_book(spec, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    make(spec, tmp_path / "first", choice)
    other = spec.model_copy(update={"id": "other"})
    with pytest.raises(KeyboardInterrupt):
        make(other, tmp_path / "book", choice, watcher=stop(1))
    log_file = tmp_path / "log"
    with RunLog(log_file) as log:
        make(other, tmp_path / "book", choice, log)
    (resumed,) = events_of(log_file, "resumed")
    assert resumed.keys() == {"slot", "level", "attempt", "proof", "difficulty", "technique"}
    made, over = events_of(log_file, "made"), events_of(log_file, "passed over")
    assert made[0].keys() == {*resumed, "boards_tried", "time_s"}
    assert {one["slot"] for one in over} == {one["slot"] for one in made} == {1, 2, 3, 4, 5, 6, 7}
    assert over[0]["held_in"].startswith("volume link-u, ")
    assert [len(events_of(log_file, event)) for event in ("begun", "done")] == [1, 1]
    assert spec.title not in log_file.read_text()


@pytest.fixture
def replacing(spec):
    return spec.model_copy(update={"replace": {2: 1}})


def test_a_replacement_is_of_the_same_level_with_a_seed_of_its_own(spec, replacing, tmp_path):
    before, after = (volume_of(one, make(one, tmp_path)[0]).puzzles[1] for one in (spec, replacing))
    assert after.seed == before.seed.removesuffix("/0") + "/replacement 1/0"
    assert after.level == before.level
    third = spec.model_copy(update={"replace": {2: 3}})
    assert volume_of(third, make(third, tmp_path)[0]).puzzles[1] not in (before, after)


def test_a_replaced_puzzle_stays_with_its_volume(replacing, tmp_path):
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    first = volume_of(replacing, make(replacing, tmp_path, choice)[0])
    with Ledger(choice.address) as ledger:
        slots = [entry.slot for entry in ledger.entries(Holder(Kind.VOLUME, "link-u"))]
    assert sorted(slots) == ["1", "2", "2, replaced", "3", "4", "5", "6", "7"]
    assert volume_of(replacing, make(replacing, tmp_path, choice)[0]) == first


def test_a_journal_without_replacements_can_be_resumed_with_them(spec, replacing, tmp_path):
    whole = volume_of(replacing, make(replacing, tmp_path / "whole")[0])
    with pytest.raises(KeyboardInterrupt, match="8 of 8"):
        make(replacing, tmp_path, watcher=stop(8))
    assert make(replacing, tmp_path)[1] == ["journal        resumed 8 of 8"]
    with pytest.raises(KeyboardInterrupt, match="7 of 7"):
        make(spec, tmp_path, watcher=stop(7))
    come = Heard()
    puzzles, lines = make(replacing, tmp_path, watcher=come)
    assert lines == ["journal        resumed 7 of 8"]
    assert come.slots.count(8) == 1
    assert volume_of(replacing, puzzles) == whole


def test_a_replacement_changes_no_other_record_of_the_volume(spec, tmp_path):
    """This is so even if the first build had to replace puzzles of another volume."""
    choice = LedgerChoice(tmp_path / "ledger.sqlite3")
    make(spec.model_copy(update={"id": "other"}), tmp_path / "other", choice)
    for asked in (choice, NO_LEDGER):
        before = records_of(spec, tmp_path, asked)
        for replace_ in ({2: 1}, {2: 2, 7: 1}, {7: 1}):
            after = records_of(spec.model_copy(update={"replace": replace_}), tmp_path, asked)
            changed = {one["number"] for one, other in zip(before, after, strict=True) if one != other}
            assert changed == replace_.keys()
        assert records_of(spec, tmp_path, asked) == before


def records_of(spec, folder, choice):
    return json.loads(volume_of(spec, make(spec, folder / "book", choice)[0]).json)["puzzles"]
