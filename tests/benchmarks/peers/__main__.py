"""linkpress beside the public generators and solvers of Numberlink, in one run and one table.

Run: ``python -m tests.benchmarks.peers [--sets FOLDER] [--program NAME=PATH]… [--only NAME,…]``, at the top
of the checkout. Whatever is installed takes part, what is not is named with its home. Times are processor
time of each peer's own process and its children, under one limit for all, one board after the other; a
library is loaded before the clock starts. A solver's program is started anew for each board; what the
smallest board takes is taken off every other.
"""

from __future__ import annotations

import argparse
import math
import os
import platform
import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain
from pathlib import Path

from linkpress.engine.recipe import Rule
from linkpress.puzzle.puzzle import Puzzle

from .adapters import Peer
from .generators import GENERATORS, SIZES
from .judge import Verdict, judge_all
from .limits import Limits
from .runs import Result, make, solve
from .sets import OWN, PUBLIC, SetError, fetched, own, sample
from .solvers import SOLVERS

PEERS = {one.peer.name: one.peer for one in (*SOLVERS, *GENERATORS)}
TITLES = ("boards", "rule", "program", "puzzles/s", "right", "wrong", "unsettled", "worst ms")
MARKS = ("<!-- benchmark -->\n", "<!-- end of benchmark -->\n")


def read_arguments(words: Sequence[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
        prog="python -m tests.benchmarks.peers",
    )
    parser.add_argument("--sets", type=folder, help="a folder with the checkouts that hold public boards")
    parser.add_argument(
        "--program",
        action="append",
        default=[],
        type=program,
        metavar="NAME=PATH",
        help="where a peer's program, or its checkout, lies; once for each",
    )
    parser.add_argument("--only", type=names, metavar="NAME,…", help="some peers, by name")
    parser.add_argument(
        "--boards", type=at_least(0), default=30, help="of each set, evenly spread; 0: no solving"
    )
    parser.add_argument(
        "--limit", type=at_least(1), default=3, help="seconds of processor time for each board"
    )
    parser.add_argument(
        "--seconds", type=at_least(0), default=10, help="of making, for each generator and size; 0: none"
    )
    parser.add_argument("--into", type=marked, metavar="PAGE.md", help="also put the table between its marks")
    return parser.parse_args(words)


def folder(text: str) -> Path:
    """A folder that is there."""
    if not Path(text).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    return Path(text)


def program(text: str) -> tuple[str, Path]:
    """A peer's name and where its program is."""
    name, sign, path = text.partition("=")
    known = sorted(peer.name for peer in PEERS.values() if peer.program)
    if name not in known or not sign:
        raise argparse.ArgumentTypeError(
            f"{text!r}: write NAME=PATH, with one of the names {', '.join(known)}"
        )
    if not Path(path).exists():
        raise argparse.ArgumentTypeError(f"{text!r}: there is no {path}")
    return name, Path(path).absolute()


def names(text: str) -> list[str]:
    """Some peers' names."""
    for name in text.split(","):
        if name not in PEERS:
            raise argparse.ArgumentTypeError(f"there is no {name!r} among {', '.join(PEERS)}")
    return text.split(",")


def at_least(least: int) -> Callable[[str], int]:
    """What reads a whole number that is no less."""

    def number(text: str) -> int:
        if not re.fullmatch("[0-9]+", text) or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r}: a whole number from {least} on is wanted")
        return int(text)

    return number


def marked(text: str) -> Path:
    """A file with the marks that the table goes between."""
    if not Path(text).is_file() or not all(mark in Path(text).read_text("utf-8") for mark in MARKS):
        raise argparse.ArgumentTypeError(
            f"{text} has no lines {' and '.join(mark.strip() for mark in MARKS)}"
        )
    return Path(text)


@dataclass(frozen=True)
class Boards:
    """A set that solvers are asked about, and what a reader has to know of it."""

    name: str
    told: str
    rules: tuple[Rule, ...]
    puzzles: list[Puzzle]


def sets(arguments: argparse.Namespace) -> Iterator[Boards]:
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


def here(arguments: argparse.Namespace) -> Iterator[tuple[str, Path | None]]:
    """The peers that can run, with their programs; the others are named on standard error."""
    paths = dict(arguments.program)
    for name, peer in PEERS.items():
        if arguments.only is None or name in arguments.only:
            missing = peer.missing(paths.get(name))
            if missing:
                print(f"Left out: {missing}", file=sys.stderr)
            else:
                yield name, paths.get(name)


def report(arguments: argparse.Namespace) -> Iterator[str]:
    """The lines of the whole report: a sentence on this run, the table, and notes.

    Raises:
        SetError: a set is another than the one described.
    """
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


def paragraph(text: str) -> list[str]:
    """The lines of a paragraph, or of a list's entry."""
    return textwrap.wrap(
        text,
        118,
        subsequent_indent="  " * text.startswith("- "),
        break_long_words=False,
        break_on_hyphens=False,
    )


def opening(arguments: argparse.Namespace) -> Iterator[str]:
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


def described(peer: Peer) -> str:
    """A peer with its home, version and note."""
    name = f"[{peer.name}]({peer.address})" if "://" in peer.address else peer.name
    return f"{name} {peer.shown_release}" + f" ({peer.note})" * bool(peer.note)


Row = tuple[str, str, str, Result]  # boards, rule, program


def solving(
    peers: Mapping[str, Path | None], boards: Sequence[Boards], limit: int, notes: list[str]
) -> Iterator[Row]:
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


def judged(puzzles: Sequence[Puzzle], rule: Rule) -> list[tuple[Puzzle, Verdict]]:
    """The boards whose verdict the judge knows, and all programs mean the same by."""
    verdicts = zip(puzzles, judge_all(puzzles, rule), strict=True)
    return [(puzzle, verdict) for puzzle, verdict in verdicts if verdict not in (None, Verdict.GAPPED)]


def making(peers: Mapping[str, Path | None], seconds: int) -> Iterator[Row]:
    """What each generator comes to with each size that it takes."""
    for size in SIZES if seconds else ():
        for generator in GENERATORS:
            name = generator.peer.name
            if name in peers and generator.takes(size):
                yield f"making {size}", Rule.STRICT, name, make(name, peers[name], size, Limits(seconds))


def figures(result: Result, limit: int) -> list[str]:
    """The table's last five columns."""
    rate = result.right / max(result.seconds, result.noise)
    shown = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
    unasked = f" + {result.unasked}" * bool(result.unasked)
    worst = f"> {1000 * limit:,}" if result.worst_ms == math.inf else f"{result.worst_ms:,.1f}"
    return [
        "> " * (result.seconds < result.noise) + shown,
        str(result.right),
        str(result.wrong),
        f"{result.unsettled}{unasked}",
        worst,
    ]


def main(words: Sequence[str] | None = None) -> None:
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
        before, _, rest = arguments.into.read_text("utf-8").partition(MARKS[0])
        after = rest.partition(MARKS[1])[2]
        table = "\n".join(lines) + "\n"
        arguments.into.write_text(f"{before}{MARKS[0]}{table}{MARKS[1]}{after}", "utf-8")


if __name__ == "__main__":
    main()
