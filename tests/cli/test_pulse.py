import pytest

from linkpress.book.plan import plan_slots
from linkpress.cli.progress import showing_progress
from linkpress.cli.streams import Pulse
from linkpress.production.forecast import Forecast


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still at ``clock[0]``."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def test_of_many_lines_one_in_ten_seconds_is_said(clock, capfd):
    pulse = Pulse()
    for clock[0] in (100.0, 109.9, 110.0, 119.9, 120.0):
        pulse.say(f"at {clock[0]:g}")
    assert capfd.readouterr().err == "at 110\nat 120\n"


def test_a_first_puzzle_that_takes_long_is_not_waited_for_in_silence(spec, clock, capfd):
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
    assert capfd.readouterr().err == "made 0 of 7 puzzles; puzzle 1 of level Easy\ndrew 1 of 3 days\n"
