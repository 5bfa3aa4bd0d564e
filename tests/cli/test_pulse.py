from linkpress.cli.streams import Pulse


def test_of_many_lines_one_in_ten_seconds_is_said(monkeypatch, capfd):
    now = 100.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    pulse = Pulse()
    for now in (100.0, 109.9, 110.0, 119.9, 120.0):
        pulse.say(f"at {now:g}")
    assert capfd.readouterr().err == "at 110\nat 120\n"
