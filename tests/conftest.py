"""Fixtures for every room. The boards are in ``boards``, random ones in ``strategies``."""

from __future__ import annotations

import pytest
from hypothesis import settings

import boards
from linkpress.puzzle.puzzle import Puzzle, Solution

# No example fails for being slow on a busy machine.
settings.register_profile("linkpress", deadline=None, max_examples=60)
settings.load_profile("linkpress")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels once, before workers start that would each compile for themselves."""
    if getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput"):
        from linkpress.engine.warming import warm_engine

        warm_engine(lambda so_far_s: print(f"compiling the engine, {so_far_s:.0f} s so far", flush=True))


@pytest.fixture(autouse=True)
def own_ledger(tmp_path, monkeypatch):
    """Each test has a ledger of its own, far from the user's."""
    monkeypatch.setenv("LINKPRESS_LEDGER", str(tmp_path / "own.ledger.sqlite3"))


@pytest.fixture
def article_puzzle() -> Puzzle:
    """The article's 7 × 7 sample."""
    return boards.ARTICLE_PUZZLE


@pytest.fixture
def article_solution() -> Solution:
    """The article's printed answer."""
    return boards.ARTICLE_SOLUTION


@pytest.fixture
def solved_board() -> Solution:
    """Five rows, seven columns, five pairs, three solids, one drawing."""
    return boards.SOLVED_BOARD


@pytest.fixture
def touching_board() -> Solution:
    """Five rows, seven columns; the paths 1 and 2 run alongside themselves."""
    return boards.TOUCHING_BOARD
