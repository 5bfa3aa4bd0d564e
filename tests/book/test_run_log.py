import json
from datetime import datetime

import pytest

from linkpress.book.run_log import RunLog
from linkpress.errors import OutputError

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
    with RunLog(tmp_path / "log") as log:
        log._file.close()
        log._file = (tmp_path / "log").open("rb")
        with pytest.raises(OutputError, match="can't be written"):
            log.note("begin")
