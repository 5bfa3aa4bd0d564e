import dataclasses
import errno
import json
import os
import zlib
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from boards import record_of
from linkpress.book.key_values import Mix
from linkpress.book.plan import plan_slots
from linkpress.book.volume import assemble
from linkpress.engine.recipe import Grade, Span
from linkpress.errors import OutputError
from linkpress.ledger.database import Holder, Kind, Place
from linkpress.production.book_puzzles import BuildSummary, report_tables, report_text
from linkpress.production.journal import Journal, RunLog, saved_records
from linkpress.production.slot_search import FinishedSlot
from paper_maker import make_slots, paper_spec

RECORDS = {1: {"board": ["1 . 1"], "score": None}, 2: {"technique": "é"}, 3: {"n": 0.5}}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "book" / "build.journal"


def written(path, records=RECORDS):
    with Journal(path, "plan", "1.0") as journal:
        journal.append((slot, json.dumps(record)) for slot, record in records.items())
    return path.read_bytes()


def finished(path, plan="plan", release="1.0"):
    with Journal(path, plan, release) as journal:
        return journal.saved


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_no_journal_and_is_not_waited_for(path):
    path.parent.mkdir()
    os.mkfifo(path)
    with pytest.raises(OutputError, match=r"build\.journal can't be written: it is a pipe or a device"):
        Journal(path, "plan", "1.0")
    assert list(saved_records(path)) == []
    assert path.is_fifo()


def test_appended_records_are_read_again_and_the_last_record_of_a_slot_counts(path):
    written(path)
    with Journal(path, "plan", "1.0") as journal:
        assert journal.saved == RECORDS
        journal.append([(4, "{}")])
        journal.append([(1, json.dumps({"attempt": 1}))])
    assert finished(path) == RECORDS | {4: {}, 1: {"attempt": 1}}


def test_a_journal_cut_off_at_any_byte_keeps_all_complete_lines(path, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda handle: None)  # the test writes some 400 files
    whole = written(path)
    ends = [n + 1 for n, byte in enumerate(whole) if byte == ord("\n")]
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        count = max(0, sum(end <= length for end in ends) - 1)
        with Journal(path, "plan", "1.0") as journal:
            assert list(journal.saved) == list(RECORDS)[:count]
            assert journal.loss == ""  # the run that was cut off made no promise about its last line
            for slot in list(RECORDS)[count:]:
                journal.append([(slot, json.dumps(RECORDS[slot]))])
        assert path.read_bytes() == whole


def test_a_damaged_line_is_reported_and_the_lines_after_it_count(path):
    whole = written(path)
    first = whole.index(b"\n") + 1
    second = whole.index(b"\n", first) + 1
    for place in range(first, second - 1):
        path.write_bytes(whole[:place] + b"\0" + whole[place + 1 :])
        with Journal(path, "plan", "1.0") as journal:
            assert journal.saved == {slot: RECORDS[slot] for slot in (2, 3)}
            assert journal.loss.startswith(f"1 puzzle that an earlier run saved in {path} can't be used")
            journal.append([(1, json.dumps(RECORDS[1]))])
        assert finished(path) == RECORDS


@pytest.mark.parametrize(("plan", "release"), [("other", "1.0"), ("plan", "1.1")])
def test_a_journal_of_another_plan_or_release_is_replaced(path, plan, release):
    written(path)
    with Journal(path, plan, release) as journal:
        assert journal.saved == {}
        assert journal.loss.startswith("3 puzzles that an earlier run saved in ")
        assert "another release" in journal.loss
        journal.append([(9, "{}")])
    assert finished(path, plan, release) == {9: {}}


def test_a_place_that_cannot_be_written_is_an_output_error(tmp_path):
    (tmp_path / "taken").touch()
    with pytest.raises(OutputError, match="journal"):
        Journal(tmp_path / "taken" / "build.journal", "plan", "1.0")


def full(_):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_an_output_error_and_keeps_complete_lines(path, monkeypatch):
    monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 0)
    with Journal(path, "plan", "1.0") as journal:
        journal.append([(1, "{}")])
        with monkeypatch.context() as patch:
            patch.setattr("os.fsync", full)
            with pytest.raises(OutputError, match="No space left"):
                journal.append([(2, "{}")])
    assert 1 in finished(path)


def test_puzzles_that_come_quickly_are_synced_together(path, monkeypatch):
    synced = []
    monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 3600)
    with Journal(path, "plan", "1.0") as journal:
        monkeypatch.setattr("os.fsync", synced.append)
        for slot in range(5):
            journal.append([(slot, "{}")])
        assert synced == []
        monkeypatch.setattr("linkpress.production.journal.SYNC_EVERY_S", 0)
        journal.append([])
        journal.append([])
        assert len(synced) == 1
    assert set(finished(path)) == set(range(5))


def test_a_disk_that_is_full_from_the_start_is_left_without_a_journal(path, monkeypatch):
    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OutputError, match="No space left"):
        Journal(path, "plan", "1.0")
    assert not path.exists()


@pytest.mark.parametrize(
    "text", [b"", b"[7]", b'["7", {}]', b"[7, []]", b"{}", b"\xb2", b"[7, {]", b"[" * 5000, b"9" * 5000]
)
def test_a_line_that_is_no_record_in_spite_of_its_checksum_is_passed_over(path, text):
    whole = written(path)
    head, *lines = whole.splitlines(keepends=True)
    path.write_bytes(head + b"%08x %s\n" % (zlib.crc32(text), text) + b"".join(lines))
    with Journal(path, "plan", "1.0") as journal:
        assert journal.saved == RECORDS
        assert journal.loss.startswith("1 puzzle ")


FACTS = {"slot": 17, "attempts": 2, "time_s": 0.123456, "proof": "strict by kernel", "technique": None}


def test_each_event_is_a_json_line_with_its_time(tmp_path):
    with RunLog(tmp_path / "log") as log:
        log.note("slot done", **FACTS)
        log.note("done")
    first, last = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert datetime.fromisoformat(first.pop("at")).utcoffset().total_seconds() == 0
    assert first == {"event": "slot done"} | FACTS | {"time_s": 0.1235}
    assert last["event"] == "done"


def test_a_later_run_adds_to_the_file(tmp_path):
    for _ in range(2):
        with RunLog(tmp_path / "log") as log:
            log.note("begin")
    assert len((tmp_path / "log").read_text().splitlines()) == 2


def test_each_event_is_a_message_with_its_facts():
    lines = []
    with RunLog(say=lines.append) as log:
        log.note("slot done", **FACTS)
        log.note("done")
    assert lines == [
        "slot done: slot 17, attempts 2, time_s 0.1235, proof strict by kernel, technique none",
        "done",
    ]


def test_a_file_that_cannot_be_written_is_an_output_error(tmp_path):
    with pytest.raises(OutputError, match="--log"):
        RunLog(tmp_path / "no folder" / "log")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full")
def test_a_disk_that_is_full_is_an_output_error():
    with RunLog(Path("/dev/full")) as log, pytest.raises(OutputError, match="can't be written"):
        log.note("begin")


def test_the_log_does_not_name_the_files_of_other_books(tmp_path):
    place = Place(Holder(Kind.VOLUME, "other"), "puzzle 2 of level Mine (/home/ann/mine.txt, line 5)", False)
    one = FinishedSlot(plan_slots(paper_spec())[0], record_of(), 1, 0.1)
    with RunLog(tmp_path / "log") as log:
        log.passed_over(one, place)
        log.passed_over(one, replace(place, slot="17", published=True))
    held = [json.loads(line)["held_in"] for line in (tmp_path / "log").read_text().splitlines()]
    assert held == ["volume other", "volume other, 17"]


def report(volume, build):
    return report_text(volume, build, report_tables(volume, build.produced))


def test_a_report_tells_counts_proofs_pages_and_times(spec):
    made = make_slots(plan_slots(spec))
    first = made[0]
    marked = dataclasses.replace(
        first.record, seed="7/Easy/1/1", attempt=1, technique=Grade.EASY, score=170, difficulty=34
    )
    made = (dataclasses.replace(first, record=marked, seconds_s=2.5, tries=9), *made[1:])
    volume = assemble(spec, (one.record for one in made), "0.1.0")
    lines = report(volume, BuildSummary(made, 2, 30, {"make": 3.25}, ("resumed 2 of 7",))).splitlines()
    assert "puzzles        7, each proven to have one solution" in lines
    assert "proofs         3 filled by paper, 4 strict by paper" in lines
    assert "interior       30 pages" in lines
    assert "resumed 2 of 7" in lines
    assert "make               3.25 s" in lines
    assert "  difficulty   hard 1, unknown 3; 34 to 34, mean 34.0" in lines
    assert "  techniques   easy 1, unknown 3" in lines
    assert "  boards tried 12 in all, at most 9 for one puzzle" in lines
    assert "  repeats      1 made again" in lines
    assert any("2.500" in line and line.endswith("7/Easy/1/1") for line in lines)


def test_a_report_names_each_puzzle_of_another_difficulty_than_its_level_asks_for(volume):
    hard = {"difficulty": Span(30, 39)}
    asked = volume.spec.model_copy(
        update={"levels": tuple(one.model_copy(update=hard) for one in volume.spec.levels)}
    )
    made = [(30, Grade.EASY), (12, Grade.EASY), (None, None), (39, Grade.HARD)]
    made += [(35, Grade.HARD), (44, Grade.FIENDISH), (35, Grade.HARD)]
    puzzles = [
        dataclasses.replace(one, difficulty=points, technique=technique)
        for one, (points, technique) in zip(volume.puzzles, made, strict=True)
    ]
    lines = report(
        dataclasses.replace(volume, spec=asked, puzzles=tuple(puzzles)), BuildSummary((), 1, 1, {})
    )
    assert [line for line in lines.splitlines() if line.startswith("difficulty  ")] == [
        "difficulty     level Easy: 2 of 4 puzzles are not hard but the nearest found: "
        "2 (difficulty 12, technique easy), 3 (one that no technique finishes)",
        "difficulty     level Hard: 1 of 3 puzzles is not hard but the nearest found: "
        "6 (difficulty 44, technique fiendish)",
    ]


def test_a_report_tells_how_many_puzzles_meet_each_part_of_a_mix(volume):
    easy, hard = volume.spec.levels
    mix = Mix(((Span(0, 19), 1), (Span(20, 39), easy.count - 1)))
    levels = (easy.model_copy(update={"difficulty": mix}), hard)
    puzzles = [dataclasses.replace(one, difficulty=25) for one in volume.puzzles]
    asked = dataclasses.replace(
        volume, spec=volume.spec.model_copy(update={"levels": levels}), puzzles=tuple(puzzles)
    )
    lines = report(asked, BuildSummary((), 1, 1, {})).splitlines()
    assert [line for line in lines if line.startswith(("  asked", "  difficulty"))] == [
        "  difficulty   medium 4; 25 to 25, mean 25.0",
        "  asked        1 puzzle of easy; 0 met",
        "  asked        3 puzzles of medium to hard; 3 met",
        "  difficulty   medium 3; 25 to 25, mean 25.0",
    ]


def test_every_puzzle_has_its_line(volume):
    text = report(volume, BuildSummary((), 1, 1, {}))
    rows = text.split("Puzzles\n-------\n")[1].splitlines()[1:]
    assert [row.split()[0] for row in rows] == [str(one.number) for one in volume.numbered]
    assert [one.fingerprint in row for row, one in zip(rows, volume.puzzles, strict=True)] == [True] * 7
