"""How many modules each command loads; the start of a command is mostly the time to import them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from linkpress.resources import resource

_COUNT = """
import sys
from linkpress.cli.app import run
run(sys.argv[1:])
print(len(sys.modules), sum(name.startswith("linkpress") for name in sys.modules), file=sys.stderr)
print("pydantic" in sys.modules, file=sys.stderr)
"""
_BOARD = "2 2\n1 1\n2 2\n"


def _loaded(*words: str) -> tuple[int, int, bool]:
    """Run a command in a new process; return how many modules it loads, how many are ours, if pydantic is."""
    done = subprocess.run([sys.executable, "-c", _COUNT, *words], capture_output=True, text=True, check=True)
    counts, pydantic = done.stderr.splitlines()[-2:]
    every, own = map(int, counts.split())
    return every, own, pydantic == "True"


@pytest.mark.parametrize(
    ("command", "every", "own"),
    [("--version", 165, 8), ("--help", 362, 27), ("prove", 204, 36), ("check", 572, 115)],
)
def test_a_command_loads_no_more_modules_than_a_tenth_above_its_usual_number(
    command: str, every: int, own: int, tmp_path: Path
) -> None:
    board = tmp_path / "board.txt"
    board.write_text(_BOARD, encoding="utf-8")
    arguments = {"prove": [str(board)], "check": ["--no-ledger", str(resource("config", "starter.yaml"))]}
    loaded, ours, _ = _loaded(command, *arguments.get(command, []))
    assert loaded <= every * 1.1
    assert ours <= own * 1.1


def test_prove_reads_its_file_without_pydantic(tmp_path: Path) -> None:
    board = tmp_path / "board.txt"
    board.write_text(_BOARD, encoding="utf-8")
    assert not _loaded("prove", str(board))[2]
