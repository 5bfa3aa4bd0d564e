import json

import pytest

from linkpress.app import doctor
from linkpress.app.doctor import CheckState, Result
from linkpress.cli.main import run


@pytest.fixture
def results(monkeypatch):
    def give(*items):
        monkeypatch.setattr(doctor, "check_up", lambda *asked: iter(items))

    return give


FINE = Result(CheckState.FINE, "3.11.7", name="python")
POOR = Result(CheckState.POOR, "512 MB", "Use --jobs 1.", "memory")
BROKEN = Result(CheckState.BROKEN, "damaged", "Put back a copy.", "ledger")


def test_each_result_is_a_line_and_each_remedy_another(results, capfd):
    results(FINE, POOR)
    assert run(["doctor"]) == 0
    assert [line.split(maxsplit=2) for line in capfd.readouterr().out.splitlines()] == [
        ["fine", "python", "3.11.7"],
        ["poor", "memory", "512 MB"],
        ["Use", "--jobs", "1."],
    ]


def test_something_broken_makes_the_exit_code_one_in_words_and_as_json(results, capfd):
    results(FINE, BROKEN)
    assert run(["doctor"]) == 1
    assert "Put back a copy." in capfd.readouterr().out
    results(FINE, BROKEN)
    assert run(["doctor", "--json"]) == 1
    said = json.loads(capfd.readouterr().out)
    assert said["ok"] is False
    assert said["checks"][1] == {
        "name": "ledger",
        "state": "broken",
        "text": "damaged",
        "remedy": "Put back a copy.",
    }


def test_this_installation_can_make_a_book(capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["doctor", "--ledger", str(tmp_path / "ledger.sqlite3"), "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["ok"] is True
    names = "python packages fonts printers files newspaper kernels ledger folders cores memory trial"
    assert [check["name"] for check in said["checks"]] == names.split()
