"""The command line as a whole: help, wrong command lines, progress, doctor."""

import json
import re

import pytest
from typer.main import get_command

from linkpress.app import doctor
from linkpress.app.doctor import CheckState, Result
from linkpress.book.plan import plan_slots
from linkpress.cli.app import app
from linkpress.cli.progress import showing_progress
from linkpress.production.forecast import Forecast


def commands(group=None, name="linkpress"):
    """Yield each command with the words that call it."""
    for word, command in (group or get_command(app)).commands.items():
        if hasattr(command, "commands"):
            yield from commands(command, f"{name} {word}")
        else:
            yield f"{name} {word}", command


@pytest.mark.parametrize(
    ("name", "command"), list(commands()), ids=lambda value: str(value).rpartition(" ")[2]
)
def test_help_has_an_example_and_shows_whole_options_without_types(name, command, streams, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert not re.search(r"[^\n]\n[^\n]", command.help)  # a line break inside a paragraph
    assert command.help.splitlines()[-1].startswith(f"Example: {name}")
    text = streams([*name.split()[1:], "--help"]).out
    assert not re.search(r"<\w+>|list\[|…", text)
    for option in command.params:
        assert all(word in text for word in (*option.opts, *option.secondary_opts) if word[0] == "-")


def test_a_plain_linkpress_says_how_to_begin(streams):
    out, err = streams([], 0)
    assert "linkpress init my-book.yaml" in out
    assert "linkpress studio" in out
    assert err == ""


def test_help_groups_the_commands(streams):
    text = streams(["--help"]).out
    assert "│ list " in text
    groups = re.findall(r"─ (\w+) ─", text)
    assert groups == ["Options", "Books", "Puzzles", "Newspapers", "Ledger", "Help"]


def test_every_example_is_a_correct_command_line():
    for name, command in commands():
        words = command.help.rpartition("Example: ")[2].removeprefix(name).split()
        assert command.make_context(name, words).params.keys() == {one.name for one in command.params}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["build", "s.yaml", "--jobs", "0"], "greater than or equal to 1. Try 'linkpress build --help'."),
        (["build"], "Missing argument 'SPEC...'. Try 'linkpress build --help'."),
        (["build", "s.yaml", "--xyz"], "No such option: --xyz. Try 'linkpress build --help'."),
        (["generate", "--method", "x"], "'--method': 'x' is not one of 'walk', 'quick', 'classic'. Try "),
        (["ledger"], "linkpress: Missing command. Try 'linkpress ledger --help'."),
        (["nope"], "No such command 'nope'. Try 'linkpress --help'."),
    ],
)
def test_a_wrong_command_line_is_one_sentence_that_leads_to_the_help(words, message, streams):
    (line,) = streams(words, 2).err.splitlines()
    assert message in line


def test_progress_is_printed_before_the_first_puzzle_is_made(spec, clock, capfd):
    forecast = Forecast(7)
    forecast.expect(plan_slots(spec))
    with showing_progress() as watcher:
        clock[0] = 200.0  # the time before puzzles are made does not count
        watcher.planned(forecast)
        for clock[0] in (201.0, 211.0, 212.0):
            watcher.waiting()
        watcher.drawing(3)
        clock[0] = 230.0
        watcher.drawn()
    planned, drawn = capfd.readouterr().err.splitlines()
    assert planned == "made 0 of 7 puzzles; puzzle 1 of level Easy; under 1 s left"
    assert drawn == "drew 1 of 3 days"


FINE = Result(CheckState.FINE, "3.11.7", name="python")
POOR = Result(CheckState.POOR, "512 MB", "Use --jobs 1.", "memory")
BROKEN = Result(CheckState.BROKEN, "damaged", "Put back a copy.", "ledger")


def test_doctor_prints_each_result_and_remedy_and_ends_with_one_if_something_is_broken(monkeypatch, streams):
    monkeypatch.setattr(doctor, "check_up", lambda *asked: iter((FINE, POOR)))
    assert [line.split(maxsplit=2) for line in streams(["doctor"]).out.splitlines()] == [
        ["fine", "python", "3.11.7"],
        ["poor", "memory", "512 MB"],
        ["Use", "--jobs", "1."],
    ]
    monkeypatch.setattr(doctor, "check_up", lambda *asked: iter((FINE, BROKEN)))
    assert "Put back a copy." in streams(["doctor"], 1).out
    report = json.loads(streams(["doctor", "--json"], 1).out)
    assert report["ok"] is False
    broken = {"name": "ledger", "state": "broken", "text": "damaged", "remedy": "Put back a copy."}
    assert report["checks"][1] == broken


def test_this_installation_can_make_a_book(streams, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = json.loads(streams(["doctor", "--ledger", str(tmp_path / "ledger.sqlite3"), "--json"]).out)
    assert report["ok"] is True
    names = {check["name"] for check in report["checks"]}
    assert {"packages", "ledger", "trial"} <= names
