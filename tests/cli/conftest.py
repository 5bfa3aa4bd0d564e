import pytest

from linkpress.cli.app import run


@pytest.fixture
def puzzle_file(tmp_path):
    """Return a function that writes a puzzle file and returns its name."""

    def write(text):
        path = tmp_path / "puzzles.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def streams(capfd):
    """Return a function that runs a command, checks its exit code, and returns what it wrote."""

    def call(words, code=0):
        assert run(words) == code
        return capfd.readouterr()

    return call


@pytest.fixture
def clock(monkeypatch):
    """Set the monotonic clock to ``clock[0]``, at first 100 s."""
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now
