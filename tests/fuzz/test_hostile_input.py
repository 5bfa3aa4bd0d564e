"""Every reader takes or refuses whatever it is given: no other exception, no hang, no gigabyte.

Some hundred inputs a reader in the default suite, fifty times as many with ``-m soak``. An input is made
from its target's name and its number alone.
"""

from __future__ import annotations

import contextlib
import resource
import signal
from pathlib import Path
from random import Random

import pytest
from hostile_targets import TARGETS, Target
from spoiling import texts

from linkpress.errors import LinkpressError

HANG_S = 20.0  # of processor time, which goes by faster where others use the same core
MOST_BYTES = 1 << 30


class HangError(BaseException):
    """An input was worked on for too long; no ``except Exception`` on the way holds it up."""


@contextlib.contextmanager
def processor_time(limit_s):
    def stop(number, frame):
        raise HangError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def is_taken(target, content, folder, name, limit_s=HANG_S):
    """Whether a reader finds an input good; raises where it breaks, with the input's name."""
    try:
        with processor_time(limit_s):
            return target.read(content, folder) is not False
    except LinkpressError:
        return False
    except BaseException as fault:
        raise AssertionError(f"{name} breaks the reader") from fault


def peak_bytes():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10


def fire_at(target, count, folder):
    """Give a reader sound inputs until one is good, and so many spoilt ones, and hold it to its memory."""
    samples = target.samples()
    spoil = target.spoiler(samples)
    held = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
    peak = peak_bytes()
    assert any(is_taken(target, sample, folder, "a sound input") for sample in samples)
    taken = []
    for number in range(count):
        name = f"{target.name}/{number}"
        dice = Random(name)
        taken.append(is_taken(target, spoil(dice, dice.choice(samples)), folder, name))
    assert not all(taken)
    assert peak_bytes() <= max(peak, held + MOST_BYTES)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_input_breaks_a_reader(target, tmp_path):
    fire_at(target, target.count, tmp_path)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_not_even_in_the_long_run(target, tmp_path):
    fire_at(target, 50 * target.count, tmp_path)


def test_what_does_not_end_is_a_hang(tmp_path):
    def read(content, folder):
        while True:
            with contextlib.suppress(Exception):
                sum(range(1000))

    endless = Target("endless", lambda: [b""], None, read, 0)
    with pytest.raises(AssertionError, match="b1 breaks the reader") as broken:
        is_taken(endless, b"", tmp_path, "b1", 0.05)
    assert isinstance(broken.value.__cause__, HangError)


def test_the_same_dice_spoil_in_the_same_way():
    spoil = texts("word")([b"7 5\n1 . .\n", b"other"])
    first, second = ([spoil(Random(seed), b"7 5\n1 . .\n") for seed in range(200)] for _ in range(2))
    assert first == second
    assert len(set(first)) > 150
