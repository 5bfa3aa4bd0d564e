import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from boards import record_of
from linkpress.book.plan import plan_slots
from linkpress.errors import OutputError
from linkpress.ledger.entries import Holder, Kind, Place
from linkpress.production.journal import RunLog
from linkpress.production.slot_search import FinishedSlot
from paper_maker import paper_spec

FACTS = {"slot": 17, "attempts": 2, "time_s": 0.123456, "proof": "strict by sat", "grade": None}


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


def test_the_same_is_said_in_words():
    said = []
    with RunLog(say=said.append) as log:
        log.note("slot done", **FACTS)
        log.note("done")
    assert said == ["slot done: slot 17, attempts 2, time_s 0.1235, proof strict by sat, grade none", "done"]


def test_long_texts_are_cut(tmp_path):
    with RunLog(tmp_path / "log") as log:
        log.note("begin", name="x" * 1000)
    assert json.loads((tmp_path / "log").read_text())["name"] == "x" * 200


def test_a_file_that_cannot_be_written_is_an_output_error(tmp_path):
    with pytest.raises(OutputError, match="--log"):
        RunLog(tmp_path / "no folder" / "log")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk as Linux has it")
def test_a_disk_that_is_full_is_an_output_error():
    with RunLog(Path("/dev/full")) as log, pytest.raises(OutputError, match="can't be written"):
        log.note("begin")


def test_the_log_names_no_file_of_anothers_boards(tmp_path):
    place = Place(Holder(Kind.VOLUME, "other"), "puzzle 2 of level Mine (/home/ann/mine.txt, line 5)", False)
    one = FinishedSlot(plan_slots(paper_spec())[0], record_of(), 1, 0.1)
    with RunLog(tmp_path / "log") as log:
        log.passed_over(one, place)
        log.passed_over(one, replace(place, slot="17", published=True))
    held = [json.loads(line)["held_in"] for line in (tmp_path / "log").read_text().splitlines()]
    assert held == ["volume other", "volume other, 17"]
