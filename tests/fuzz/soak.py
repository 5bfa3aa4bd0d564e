"""The long run: every target under its share of mutated inputs, each in a process of its own.

Run: ``python tests/fuzz/soak.py [--inputs 100000] [--seed 1] [--target NAME] [--keep FOLDER]``. Prints
a table of inputs taken and refused, the most processor time that one input took and the peak of
memory, then every failure with the seed that makes it again; ends with 1 if there is any. An
input is made from (seed, target, number) alone.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
from pathlib import Path
from random import Random

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parent)]

from fuzz_targets import TARGETS, Target  # noqa: E402
from fuzz_watch import HEADING, Tally, feed  # noqa: E402

_ADDRESSES = 6 << 30  # a runaway ends in MemoryError, and not with the machine


def run_target(target: Target, count: int, seed: int, folder: Path, sound: int | None = None) -> Tally:
    """Give a target sound inputs and so many mutated ones.

    Args:
        target: which.
        count: of mutated inputs.
        seed: of all randomness.
        folder: for the files that readers want.
        sound: how many sound inputs come first; all that there are if None.
    """
    tally = Tally(target.name)
    samples = target.samples()
    spoil = target.spoiler(samples)
    for sample in samples[:sound]:
        feed(target.read, sample, folder, tally)
    if not tally.accepted:
        raise AssertionError(f"{target.name}: no sample is sound")
    for number in range(count):
        dice = Random(f"{seed}/{target.name}/{number}")
        feed(target.read, spoil(dice, dice.choice(samples)), folder, tally)
    return tally


def soak(targets: tuple[Target, ...], inputs: int, seed: int) -> list[Tally]:
    """Run targets one after the other, each in a process of its own; prints a row as each ends."""
    shares = sum(target.share for target in targets)
    tallies = []
    print(HEADING, flush=True)
    context = multiprocessing.get_context("spawn")
    for target in targets:
        here, there = context.Pipe(duplex=False)
        count = -(-inputs * target.share // shares)
        worker = context.Process(target=_work, args=(target.name, count, seed, there))
        worker.start()
        there.close()
        try:
            tally: Tally = here.recv()
        except EOFError:
            tally = Tally(target.name, failed=1)
            print(f"{target.name}: the process died", flush=True)
        worker.join()
        tallies.append(tally)
        print(tally.line, flush=True)
    return tallies


def _work(name: str, count: int, seed: int, there: multiprocessing.connection.Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    target = next(target for target in TARGETS if target.name == name)
    with tempfile.TemporaryDirectory() as folder:
        there.send(run_target(target, count, seed, Path(folder)))


def total(tallies: list[Tally]) -> Tally:
    """All of them in one row."""
    whole = Tally("all")
    for tally in tallies:
        whole.inputs += tally.inputs
        whole.accepted += tally.accepted
        whole.refused += tally.refused
        whole.failed += tally.failed
        whole.refusals |= tally.refusals
        whole.worst_s = max(whole.worst_s, tally.worst_s)
        whole.peak_kib = max(whole.peak_kib, tally.peak_kib)
    return whole


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", help="a target's name; all if left out")
    parser.add_argument("--keep", type=Path, help="a folder for the inputs that failed and took longest")
    asked = parser.parse_args()
    chosen = tuple(target for target in TARGETS if not asked.target or target.name in asked.target)
    tallies = soak(chosen, asked.inputs, asked.seed)
    print(total(tallies).line)
    for tally in tallies:
        for at, failure in enumerate(tally.failures.values()):
            print(f"\n== {tally.name}: {failure.kind} at {failure.place}\n{failure.text[-1500:]}")
            _keep(asked.keep, f"{tally.name} {at} {failure.kind}", failure.content)
        _keep(asked.keep, f"{tally.name} worst {tally.worst_s:.2f}s", tally.worst)
    return int(any(tally.failed for tally in tallies))


def _keep(folder: Path | None, name: str, content: bytes) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name.replace(" ", "_").replace(":", "").replace("/", "")).write_bytes(content)


if __name__ == "__main__":
    sys.exit(main())
