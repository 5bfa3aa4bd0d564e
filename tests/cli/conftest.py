import pytest

from linkpress.cli.main import run


@pytest.fixture
def puzzle_file(tmp_path):
    """Writes a puzzle file; gives its name as the command line takes it."""

    def write(text):
        path = tmp_path / "puzzles.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


@pytest.fixture
def streams(capfd):
    """Runs a command line, which is to end with a code; gives what it wrote to its two streams."""

    def call(words, code=0):
        assert run(words) == code
        return capfd.readouterr()

    return call
