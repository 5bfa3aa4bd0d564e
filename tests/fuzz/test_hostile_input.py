"""Every reader takes or refuses whatever it is given: no other exception, no hang, no gigabyte.

A few hundred inputs in the default suite; ``-m soak`` runs more, and ``soak.py`` as many as are asked for.
"""

from __future__ import annotations

import resource
from pathlib import Path
from random import Random

import pytest
from fuzz_mutation import Mutation, spoil_value
from fuzz_targets import TARGETS, Target
from fuzz_watch import MEMORY_KIB, Tally, feed
from soak import run_target, soak, total

from linkpress.errors import PuzzleError


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_no_input_breaks_a_reader(target: Target, tmp_path: Path) -> None:
    tally = run_target(target, target.small, 1, tmp_path, sound=2)
    assert not tally.failures, "\n".join(failure.text for failure in tally.failures.values())
    assert tally.accepted + tally.refused == tally.inputs > target.small
    assert tally.refused


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_a_hundred_thousand_inputs_break_no_reader() -> None:
    whole = total(soak(TARGETS, 100_000, 2))
    print(whole.line)
    assert whole.failed == 0
    assert whole.inputs >= 100_000
    assert whole.peak_kib < MEMORY_KIB


def test_what_breaks_a_reader_is_kept_with_its_place() -> None:
    def read(content: bytes, folder: Path) -> bool:
        if content == b"refused":
            raise PuzzleError("no")
        return bool(Path("x\0").stat()) if content == b"broken" else content == b"good"

    tally = Tally("a reader")
    for content in (b"good", b"bad", b"refused", b"broken", b"broken"):
        feed(read, content, Path(), tally)
    assert (tally.inputs, tally.accepted, tally.refused, tally.failed) == (5, 1, 2, 2)
    (failure,) = tally.failures.values()
    assert (failure.kind, failure.content) == ("ValueError", b"broken")


def test_what_does_not_end_is_a_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(content: bytes, folder: Path) -> bool:
        while True:
            try:
                sum(range(1000))
            except Exception:
                return False

    monkeypatch.setattr("fuzz_watch.HANG_S", 0.05)
    tally = Tally("a reader")
    feed(read, b"", Path(), tally)
    assert [failure.kind for failure in tally.failures.values()] == ["hang"]


def test_a_gigabyte_more_than_before_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fuzz_watch.MEMORY_KIB", 40_000)
    tally = Tally("a reader")
    feed(lambda content, folder: True, b"", Path(), tally)
    assert not tally.failures
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    feed(lambda content, folder: bool(bytearray(peak)), b"", Path(), tally)
    assert [failure.kind for failure in tally.failures.values()] == ["memory"]


def test_the_same_seed_spoils_in_the_same_way() -> None:
    mutation = Mutation(("word",), [b"7 5\n1 . .\n", b"other"])
    first, second = ([mutation.spoil(Random(seed), b"7 5\n1 . .\n") for seed in range(200)] for _ in range(2))
    assert first == second
    assert len(set(first)) > 150
    values = [str(spoil_value(Random(5), {"a": [1, {"b": "c"}], "d": None})) for _ in range(2)]
    assert values[0] == values[1]
