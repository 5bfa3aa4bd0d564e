from linkpress.cli.progress import showing_build, showing_feed
from linkpress.cli.streams import Pulse


def test_of_many_lines_one_in_ten_seconds_is_said(monkeypatch, capfd):
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    pulse = Pulse()
    for now in (100.0, 109.9, 110.0, 119.9, 120.0):
        pulse.say(f"at {now:g}")
    assert capfd.readouterr().err == "at 110\nat 120\n"


def test_a_first_puzzle_that_takes_long_is_not_waited_for_in_silence(monkeypatch, capfd):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with showing_build() as book, showing_feed() as feed:
        for watcher in (book, feed):
            watcher.planned(7)
        for now[0] in (101.0, 111.0, 112.0):
            book.waiting()
            feed.waiting()
    said = capfd.readouterr().err.splitlines()
    assert said == ["made 0 of 7 puzzles, 0.0 puzzles/s", "made 0 of 7 puzzles"]


def test_the_time_before_puzzles_are_made_counts_for_no_line(monkeypatch, capfd):
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    with showing_build() as book, showing_feed() as feed:
        now[0] = 200.0
        for watcher in (book, feed):
            watcher.planned(7)
            watcher.waiting()
    assert capfd.readouterr().err == ""
