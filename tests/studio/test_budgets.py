"""The limits of the studio's design, by a short version of ``tests/benchmarks/studio.py``.

The tests measure by the clock, because a window that waits takes no processor time. Each limit grows by the
factor by which other programs slow this machine down at that moment.
"""

import itertools
import statistics

import pytest

from benchmarks.studio import (
    FIRST,
    GROWTH_MB,
    LIMITS,
    LIMITS_OF_300,
    TOLERANCE,
    measures,
    memory_mb,
    slowness,
    studio,
)

RUNS, ROUNDS = 3, 3


@pytest.fixture
def opened(chromium, tmp_path):
    """The process of a studio, and a function that gives the measures of a book in its window."""
    with studio(tmp_path) as (server, address):
        window = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
        window.add_init_script(FIRST)
        yield server.pid, lambda count: measures(window, f"{address}#book-{count}.yaml")
        window.context.close()


def is_in_time(measure, limit_ms, runs):
    """Whether the median of several runs is in time. Those that can't change this any more are left out."""
    in_time, slow = [], [slowness()]
    for run in itertools.islice(runs, RUNS):
        found_ms = measure(run)
        slow.append(slowness())
        in_time.append(found_ms <= TOLERANCE * limit_ms * max(1, statistics.mean(slow)))
        if max(in_time.count(True), in_time.count(False)) > RUNS // 2:
            break
    return in_time.count(True) > RUNS // 2


def late(known, limits):
    """Return the names of the measures that exceed their limit in each of several rounds."""
    runs = {name: itertools.count() for name in limits}
    return [
        name
        for name, limit_ms in limits.items()
        if not any(is_in_time(known[name], limit_ms, runs[name]) for _ in range(ROUNDS))
    ]


def test_a_window_on_60_puzzles_waits_no_longer_than_its_limits(opened):
    _, measures_of = opened
    assert late(measures_of(60), LIMITS) == []


def test_a_book_of_300_large_boards_is_drawn_in_time_and_takes_little_memory(opened):
    server, measures_of = opened
    measures_of(60)["first spread"](0)  # loads everything that any book needs
    before_mb = memory_mb(server)
    assert late(measures_of(300), {"first spread": LIMITS["first spread"]} | LIMITS_OF_300) == []
    assert memory_mb(server) - before_mb < GROWTH_MB
