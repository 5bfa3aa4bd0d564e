"""linkpress beside the public generators and solvers of Numberlink, in one run and one table.

Run: ``python -m tests.benchmarks.peers [--sets FOLDER] [--program NAME=PATH]… [--only NAME,…]``, at the top
of the checkout. Whatever is installed takes part, what is not is named with its home. Times are processor
time of each peer's own process and its children, under one limit for all, one board after the other; a
library is loaded before the clock starts. A solver's program is started anew for each board; what the
smallest board takes is taken off every other.
"""

import argparse
import math
import os
import platform
import re
import sys
import textwrap
from collections import defaultdict
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path

from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Puzzle

from .generators import GENERATORS, SIZES
from .judge import Verdict, judge_all
from .limits import Limits
from .runs import Result, make, solve
from .sets import OWN, PUBLIC, SetError, fetched, own, put_between, sample
from .solvers import SOLVERS

PEERS = {one.peer.name: one.peer for one in (*SOLVERS, *GENERATORS)}
TITLES = ("boards", "rule", "program", "puzzles/s", "right", "wrong", "unsettled", "worst ms")
MARKS = ("<!-- benchmark -->\n", "<!-- end of benchmark -->\n")


def read_arguments(words=None):
    """The command line; the programs by the names of their peers."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        prog="python -m tests.benchmarks.peers",
    )
    option = parser.add_argument
    option("--sets", type=Path, help="a folder with the checkouts that hold public boards")
    help_ = "where a peer's program, or its checkout, lies; once for each"
    option("--program", action="append", default=[], metavar="NAME=PATH", help=help_)
    option("--only", type=lambda text: text.split(","), metavar="NAME,…", help="some peers, by name")
    option("--boards", type=int, default=30, help="of each set, evenly spread; 0: no solving")
    option("--limit", type=int, default=3, help="seconds of processor time for each board")
    option("--seconds", type=int, default=10, help="of making, for each generator and size; 0: none")
    option("--into", type=Path, metavar="PAGE.md", help="also put the table between its marks")
    asked = parser.parse_args(words)
    named = [text.partition("=") for text in asked.program]
    asked.program = {name: Path(path).absolute() for name, _, path in named}
    if unknown := {*asked.program, *(asked.only or ())} - PEERS.keys():
        parser.error(f"there is no {', '.join(unknown)} among {', '.join(PEERS)}")
    return asked


@dataclass(frozen=True)
class Boards:
    """A set that solvers are asked about, and what a reader has to know of it."""

    name: str
    told: str
    rules: tuple[Rule, ...]
    puzzles: list[Puzzle]


def sets(arguments):
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
            puzzles = sample(found, arguments.boards)
            told = f"{len(puzzles)} of {public.boards}, {public.known}"
            yield Boards(public.name, told, public.rules, puzzles)
    sizes = " and ".join(f"{side} × {side} with {pairs} pairs" for side, pairs in OWN)
    told = (
        f"{arguments.boards} puzzles of linkpress, {sizes}; every other one has endpoints moved until its "
        "strict drawings are none or several"
    )
    yield Boards("our own", told, (Rule.STRICT,), own(arguments.boards))


def here(arguments):
    """The peers that can run, with their programs; the others are named on standard error."""
    paths = arguments.program
    for name, peer in PEERS.items():
        if arguments.only is None or name in arguments.only:
            missing = peer.missing(paths.get(name))
            if missing:
                print(f"Left out: {missing}", file=sys.stderr)
            else:
                yield name, paths.get(name)


def report(arguments):
    """The lines of the whole report: a sentence on this run, the table, and notes."""
    peers = dict(here(arguments))
    if not peers:
        sys.exit("None of the programs that --only names can run.")
    boards = list(sets(arguments)) if arguments.boards else []
    notes = [f"*{one.name}*: {one.told}." for one in boards]
    yield from opening(arguments)
    yield ""
    yield f"| {' | '.join(TITLES)} |"
    yield "|---" * len(TITLES) + "|"
    in_vain = defaultdict(list)
    for asked, rule, name, result in chain(
        solving(peers, boards, arguments.limit, notes), making(peers, arguments.seconds)
    ):
        for fault, times in result.faults.items():
            print(f"{name}, {asked}, {rule}: {times} × {fault}", file=sys.stderr)
        if result.right or result.wrong:
            yield f"| {' | '.join([asked, rule, name, *figures(result, arguments.limit)])} |"
        else:
            in_vain[name].append(f"{asked}, {rule}")
    notes += [f"{name} came to nothing: {'; '.join(some)}." for name, some in in_vain.items()]
    notes.append(f"Programs: {'; '.join(described(PEERS[name]) for name in peers)}.")
    yield ""
    for note in notes:
        yield from paragraph(f"- {note}")


def paragraph(text):
    """The lines of a paragraph, or of a list's entry."""
    whole = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.wrap(text, 118, subsequent_indent="  " * text.startswith("- "), **whole)


def opening(arguments):
    """When, on what machine and how it is measured."""
    cpuinfo = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*: (.*)", cpuinfo.read_text()) if cpuinfo.exists() else None
    cpu = found[1] if found else platform.machine()
    today = date.today()
    options = f"--boards {arguments.boards} --limit {arguments.limit} --seconds {arguments.seconds}"
    options += " --sets FOLDER" * bool(arguments.sets) + " --program NAME=PATH…" * bool(arguments.program)
    options += f" --only {','.join(arguments.only)}" if arguments.only else ""
    machine = f"{cpu}, {os.cpu_count()} cores"
    yield f"Measured on {today.day} {today:%B %Y}, {machine}, one program after the other, by"
    yield f"`python -m tests.benchmarks.peers {options}`:"


def described(peer):
    """A peer with its home, version and note."""
    name = f"[{peer.name}]({peer.address})" if "://" in peer.address else peer.name
    return f"{name} {peer.shown_release}" + f" ({peer.note})" * bool(peer.note)


Row = tuple[str, str, str, Result]  # boards, rule, program


def solving(peers, boards, limit, notes):
    """What each solver comes to with each set by each rule; which boards the judge leaves out is noted."""
    for one in boards:
        for rule in one.rules:
            solvers = [solver for solver in SOLVERS if solver.peer.name in peers and rule in solver.rules]
            known = judged(one.puzzles, rule) if solvers else []
            if solvers and len(known) < len(one.puzzles):
                notes.append(f"The judge leaves out {len(one.puzzles) - len(known)} of *{one.name}*, {rule}.")
            for solver in solvers:
                name = solver.peer.name
                yield one.name, rule, name, solve(name, peers[name], known, rule, Limits(limit))


def judged(puzzles, rule):
    """The boards whose verdict the judge knows, and all programs mean the same by."""
    verdicts = zip(puzzles, judge_all(puzzles, rule), strict=True)
    return [(puzzle, verdict) for puzzle, verdict in verdicts if verdict not in (None, Verdict.GAPPED)]


def making(peers, seconds):
    """What each generator comes to with each size that it takes."""
    for size in SIZES if seconds else ():
        for generator in GENERATORS:
            name = generator.peer.name
            if name in peers and generator.takes(size):
                yield f"making {size}", Rule.STRICT, name, make(name, peers[name], size, Limits(seconds))


def figures(result, limit):
    """The table's last five columns."""
    rate = result.right / max(result.seconds, result.noise)
    shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
    unasked = f" + {result.unasked}" * bool(result.unasked)
    worst = f"> {1000 * limit:,}" if result.worst_ms == math.inf else f"{result.worst_ms:,.1f}"
    shown = "> " * (result.seconds < result.noise) + shown
    return [shown, str(result.right), str(result.wrong), f"{result.unsettled}{unasked}", worst]


def main(words=None):
    """Print the report, line by line as it comes, and put it between the marks of a file if asked to."""
    arguments = read_arguments(words)
    lines = []
    try:
        for line in report(arguments):
            print(line, flush=True)
            lines.append(line)
    except SetError as fault:
        sys.exit(str(fault))
    if arguments.into:
        put_between(arguments.into, MARKS, lines)


if __name__ == "__main__":
    main()
