"""Every reader takes or refuses whatever it is given: no other exception, no hang, no gigabyte.

Some hundred inputs a reader in the default suite, fifty times as many with ``-m soak``. An input is made
from its target's name and its number alone.
"""

from __future__ import annotations

import contextlib
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hostile_targets import TARGETS, Target
from spoiling import texts

from linkpress.app.build import typeset_again
from linkpress.book.spec import load_spec
from linkpress.book.volume import load_volume
from linkpress.cli.main import run
from linkpress.errors import LinkpressError
from linkpress.feeds.feed_spec import load_feed
from linkpress.images.image_export import read_puzzle_source
from linkpress.images.image_settings import load_grid
from linkpress.layout.theme import load_theme
from linkpress.ledger.store import Ledger
from linkpress.preflight import preflight
from linkpress.printers.profile import load_printer
from linkpress.verify import verify_folder

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


NAMES = ("a" * 300, "\U0001f600" * 200, "a\0b", "\ud800", "x/" * 2500, "/dev/null/x", "")
READERS: dict[str, Callable[[str], object]] = {
    "printer": load_printer,
    "theme": load_theme,
    "column grid": load_grid,
    "spec": lambda name: load_spec(Path(name)),
    "feed": lambda name: load_feed(Path(name)),
    "volume": lambda name: load_volume(Path(name)),
    "export": lambda name: read_puzzle_source(Path(name)),
    "typeset": typeset_again,
    "verify": lambda name: verify_folder(Path(name)),
    "preflight": lambda name: preflight(Path(name), load_printer("generic")),
    "ledger": lambda name: Ledger(Path(name), writable=False),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("name", NAMES, ids=ascii)
def test_a_name_that_no_file_has_is_refused(reader, name):
    with pytest.raises(LinkpressError):
        READERS[reader](name)


@pytest.mark.parametrize("command", ["preview", "export", "check", "prove", "verify"])
def test_so_it_is_on_the_command_line(command, capfd):
    assert run([command, "a" * 300]) in (2, 4)
    assert "File name too long" in capfd.readouterr().err
