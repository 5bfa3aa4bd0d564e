import pytest


@pytest.fixture
def puzzle_file(tmp_path):
    """Writes a puzzle file; gives its name as the command line takes it."""

    def write(text):
        path = tmp_path / "puzzles.txt"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write
