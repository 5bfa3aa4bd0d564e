"""linkpress beside the public generators and solvers of Numberlink, in one run.

Run: ``python -m tests.benchmarks.peers [--sets FOLDER] [--program NAME=PATH]… [--only NAME,…]``, at the top
of the checkout. Whatever is installed takes part, what is not is named with its home. Prints two Markdown
tables: solvers, by set and rule, and generators, by size. Times are processor time of each peer's own
process and its children, under one limit for all, one board after the other; a library is loaded before the
clock starts, a program started anew for each board, and both have the time of their smallest board taken off.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path

from linkpress.engine.recipe import Grade
from linkpress.puzzle.puzzle import Puzzle

from .adapters import Peer
from .generators import GENERATORS
from .judge import Rule, Verdict, judge
from .limits import Limits
from .runs import Made, Solved, make, solve
from .sets import OWN, PUBLIC, SetError, fetched, own, sample
from .solvers import SOLVERS

SIZES = ((7, 5), (10, 10), (15, 16))


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        prog="python -m tests.benchmarks.peers",
    )
    parser.add_argument("--sets", type=Path, help="a folder with the checkouts that hold public boards")
    parser.add_argument("--program", action="append", default=[], type=program, metavar="NAME=PATH")
    parser.add_argument("--only", type=lambda text: text.split(","), help="some peers, by name")
    parser.add_argument("--boards", type=int, default=30, help="boards of each set, evenly spread; 0: none")
    parser.add_argument("--limit", type=int, default=5, help="seconds of processor time for each board")
    parser.add_argument(
        "--seconds", type=int, default=20, help="of making, for each generator and size; 0: none"
    )
    return parser.parse_args(words)


def program(text: str) -> tuple[str, Path]:
    """A peer's name and where its program is."""
    name, sign, path = text.partition("=")
    known = sorted({one.peer.name for one in (*SOLVERS, *GENERATORS) if one.peer.program})
    if name not in known or not sign:
        raise argparse.ArgumentTypeError(
            f"{text!r}: write NAME=PATH, with one of the names {', '.join(known)}"
        )
    return name, Path(path).absolute()


def here(peers: Sequence[Peer], arguments: argparse.Namespace) -> Iterator[tuple[Peer, Path | None]]:
    """The peers that can run; the others are named on standard error."""
    paths = dict(arguments.program)
    for peer in peers:
        if arguments.only is None or peer.name in arguments.only:
            missing = peer.missing(paths.get(peer.name))
            if missing:
                print(f"Left out: {missing}", file=sys.stderr)
            else:
                yield peer, paths.get(peer.name)


def sets(arguments: argparse.Namespace) -> Iterator[tuple[str, list[Puzzle]]]:
    """Every set of boards that there is: the user's, then ours."""
    for public in PUBLIC:
        found = fetched(public, arguments.sets) if arguments.sets else None
        if found is None:
            where = f"{public.address}, commit {public.commit}, as {public.folder}/{public.files}"
            print(
                f"Left out: the set {public.name} ({public.licence}): put {where} below --sets",
                file=sys.stderr,
            )
        else:
            yield f"{public.name} ({public.boards})", sample(found, arguments.boards)
    for side, pairs in OWN:
        yield f"our own, {side} × {side} with {pairs}", own(side, pairs, arguments.boards)


def heading(titles: str) -> Iterator[str]:
    """A table's first two lines."""
    yield "| " + titles.replace(", ", " | ") + " |"
    yield "|---" * (titles.count(", ") + 1) + "|"


def solver_table(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of the solvers' table."""
    yield from heading(
        "set, rule, solver, says, boards, right, wrong, unsettled, median ms, p95 ms, worst ms"
    )
    paths = dict(here([one.peer for one in SOLVERS], arguments))
    for name, puzzles in sets(arguments):
        for rule in Rule:
            solvers = [one for one in SOLVERS if one.peer in paths and rule in one.rules]
            if solvers:
                known = list(judged(name, puzzles, rule))
            for solver in solvers:
                peer = solver.peer
                solved = solve(peer.name, paths[peer], known, rule, Limits(arguments.limit))
                kind = "one or several" if solver.proves else "one found"
                if solved.boards:
                    yield solver_line((name, rule.value, peer.name, kind), solved, arguments.limit)
                for fault, times in solved.faults.items():
                    print(f"{peer.name}, {name}, {rule}: {times} × {fault}", file=sys.stderr)


def judged(name: str, puzzles: Sequence[Puzzle], rule: Rule) -> Iterator[tuple[Puzzle, Verdict]]:
    """The boards of a set whose verdict the judge knows; the others are left out, and said to be."""
    left_out = 0
    for puzzle in puzzles:
        verdict = judge(puzzle, rule)
        if verdict is None or verdict is Verdict.GAPPED:
            left_out += 1
        else:
            yield puzzle, verdict
    if left_out:
        print(f"{name}, {rule}: the judge leaves out {left_out} boards", file=sys.stderr)


def solver_line(words: Sequence[str], solved: Solved, limit: int) -> str:
    """One line of the solvers' table; whatever was not settled counts as longer than the limit."""
    times = (solved.median_ms, solved.p95_ms, solved.worst_ms)
    shown = [f"> {1000 * limit}" if ms == math.inf else f"{ms:.1f}" for ms in times]
    asked = solved.right + solved.wrong + solved.unsettled
    boards = f"{asked}" if asked == solved.boards else f"{asked} of {solved.boards}"
    counts = (solved.right, solved.wrong, solved.unsettled)
    return "| " + " | ".join([*words, boards, *map(str, counts), *shown]) + " |"


def generator_table(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of the generators' table."""
    grades = " / ".join([*(grade.label for grade in Grade), "none"])
    yield from heading(
        f"board, generator, promises, boards/s, one filling, one drawing, strict puzzles/s, {grades}"
    )
    taking_part = list(here([one.peer for one in GENERATORS], arguments))
    for side, pairs in SIZES:
        for peer, path in taking_part:
            made = make(peer.name, path, side, pairs, Limits(arguments.seconds))
            promises = next(one.promises for one in GENERATORS if one.peer == peer)
            yield generator_line((f"{side} × {side}, {pairs} pairs", peer.name, promises), made)


def generator_line(words: Sequence[str], made: Made) -> str:
    """One line of the generators' table."""
    total = max(1, made.grades.total())
    spread = " / ".join(f"{100 * made.grades[grade] / total:.0f}" for grade in (*Grade, 0))
    shares = (f"{100 * made.filled:.1f} %", f"{100 * made.strict:.1f} %")
    rates = (made.a_second, made.a_second * made.strict)
    before, after = (f"{rate:,.0f}" if rate >= 100 else f"{rate:.2g}" for rate in rates)
    return "| " + " | ".join([*words, before, *shares, after, spread if made.grades else "–"]) + " |"


def main(words: Sequence[str] | None = None) -> None:
    """Print both tables, with the day and the machine."""
    arguments = read_arguments(words)
    print(f"{date.today():%Y-%m-%d}, {platform.machine()}, {os.cpu_count()} cores\n")
    try:
        for line in solver_table(arguments) if arguments.boards else ():
            print(line, flush=True)
    except SetError as fault:
        sys.exit(str(fault))
    print()
    for line in generator_table(arguments) if arguments.seconds else ():
        print(line, flush=True)


if __name__ == "__main__":
    main()
