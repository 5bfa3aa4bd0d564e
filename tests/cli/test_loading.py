"""How many modules each command loads; the start of a command is mostly the time to import them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boards import ARTICLE_PUZZLE_TEXT
from linkpress.resources import resource

_COUNT = """
import sys
from linkpress.cli.app import run
run(sys.argv[1:])
print(*sys.modules, file=sys.stderr)
"""
_STARTER = ("--no-ledger", str(resource("config", "starter.yaml")))
_CHECK = ("check", *_STARTER)


def _loaded(*words: str) -> list[str]:
    """Run a command in a new process; return the names of the modules that it loads."""
    done = subprocess.run([sys.executable, "-c", _COUNT, *words], capture_output=True, text=True, check=True)
    return done.stderr.splitlines()[-1].split()


@pytest.mark.parametrize(
    ("command", "every", "own"),
    [("--version", 165, 8), ("--help", 252, 26), ("prove", 207, 34), ("check", 445, 98), ("build", 641, 125)],
)
def test_a_command_loads_no_more_modules_than_a_tenth_above_its_usual_number(
    command: str, every: int, own: int, tmp_path: Path
) -> None:
    board = tmp_path / "board.txt"
    board.write_text(ARTICLE_PUZZLE_TEXT, encoding="utf-8")
    build = ("build", *_STARTER, "--out", str(tmp_path))
    words = {"prove": ("prove", str(board)), "check": _CHECK, "build": build}.get(command, (command,))
    if command == "check":
        _loaded(*words)  # The first check of a book draws pages, and keeps whether they can be printed.
    loaded = _loaded(*words)
    assert len(loaded) <= every * 1.1
    assert sum(name.startswith("linkpress") for name in loaded) <= own * 1.1


@pytest.mark.parametrize("command", ["prove", "solve"])
def test_a_puzzle_file_and_the_usual_choices_are_read_without_pydantic(command: str, tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(ARTICLE_PUZZLE_TEXT, encoding="utf-8")
    assert "pydantic" not in _loaded(command, str(board))


def test_a_number_is_read_without_typers_adapters() -> None:
    assert "typer._adapters" not in _loaded("generate", "--size", "5x7", "--count", "2")


def test_check_reads_a_spec_without_compiling_pydantics_own_checks() -> None:
    assert "pydantic.plugin._loader" not in _loaded(*_CHECK)
