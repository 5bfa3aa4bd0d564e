"""Compare how fast linkpress and other programs make puzzles of one strict solution.

Run ``python -m tests.benchmarks.peers.making [--program NAME=PATH]… [--into PAGE.md]`` at the top of the
checkout. The programs are ``penciloid``, whose program is called ``cli``, and ``thomasahle``, whose program
is called ``numberlink``.

Each program makes boards of one size for ``--seconds`` of processor time, linkpress at most ``MOST`` boards.
linkpress has several rows for a size. *plain* asks for the size and the number of pairs only. *quick* adds
``method: quick``. *default* makes boards as a level of a book does; they are graded, unless the row says that
they are not.

A board is right if it has the size and the number of pairs asked for, has one solution by the strict rule,
and is no turned or mirrored repeat of another. python-sat counts the solutions, with an encoding
that linkpress does not use, so that linkpress is not its own judge.
"""

import argparse
import multiprocessing
import os
import platform
import sys
import time
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from linkpress.book.level import RecipeKeys
from linkpress.engine.make.generate import generate
from linkpress.engine.proof import Verdict
from linkpress.engine.recipe import Method, Recipe, Rule, Span, counted
from linkpress.puzzle.puzzle import Grid, Puzzle
from linkpress.puzzle.symmetry import fingerprint

from .programs import HOMES, board_of_signs, put_between, run

sys.path.insert(0, str(Path(__file__).parents[2] / "engine"))
from sat_judge import judge_by_sat

MARK = "benchmark"
TITLES = ("size", "program", "right boards/s", "right", "wrong", "not judged")
JUDGE_S = 20  # 15 × 15 with 12 pairs may take the judge minutes
MOST = 100  # boards of one row that linkpress makes
PLAIN = "linkpress plain"


@dataclass(frozen=True)
class Size:
    """A square board and its number of pairs."""

    side: int
    pairs: Span

    def __str__(self):
        return f"{self.side} × {self.side} with {counted(self.pairs, 'pair')}"

    def fits(self, puzzle):
        """Return whether a board has this size and number of pairs."""
        grid = puzzle.grid
        return grid.rows == grid.cols == self.side and len(puzzle.pairs) in self.pairs


# Few pairs are hard to make unique. thomasahle's program chooses the number of pairs itself: from 24 to 45 on
# a board of 15 × 15.
_EXACT = ((7, 5), (10, 7), (10, 8), (10, 11), (15, 12), (15, 16), (20, 28))
SIZES = (*(Size(side, Span(pairs, pairs)) for side, pairs in _EXACT), Size(15, Span(24, 45)))


def make_by_linkpress(size, seconds, recipe, method=Method.WALK, *, graded=False):
    """Make boards with linkpress; return them and the processor time used."""
    generate(recipe, "warm-up", method, graded=graded)
    boards, start_s, used_s = [], time.process_time(), 0.0
    while used_s < seconds and len(boards) < MOST:
        boards.append(generate(recipe, f"peers/{len(boards)}", method, graded=graded).puzzle)
        used_s = time.process_time() - start_s
    return boards, used_s


def make_by_penciloid(size, seconds, path):
    """Make boards with penciloid, which prints strict boards of at most so many pairs without end."""
    command = [path, "nl-gen", "-h", size.side, "-w", size.side, "-x", size.pairs.high]
    done = run(command, limit_s=seconds)
    records = done.printed.split("\n\n")
    if not done.ended:
        records.pop()  # the limit may have cut it short
    return [_board_of_numbers(record) for record in records if record.strip()], done.seconds


def _board_of_numbers(record):
    """Build a board from its rows, columns and one word a square."""
    rows, cols, *squares = record.split()
    number_at = {cell: int(word) for cell, word in enumerate(squares) if word != "."}
    return Puzzle.from_numbers(Grid(int(rows), int(cols)), number_at)


def make_by_thomasahle(size, seconds, path):
    """Make boards with thomasahle's program, which fills the board and prints one for each start."""
    boards, used_s = [], 0.0
    while used_s < seconds:
        done = run([path, f"-generate={size.side}x{size.side}"], limit_s=seconds)
        used_s += done.seconds
        if done.ended:
            boards.append(board_of_signs(done.printed.split()[2:]))
    return boards, used_s


def _judge_into(pipe, puzzle):
    pipe.send(judge_by_sat(puzzle, Rule.STRICT)[0])


def judge(puzzle):
    """Return the judge's verdict by the strict rule, or None if it takes longer than ``JUDGE_S``."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_judge_into, args=(sender, puzzle))
    process.start()
    verdict = receiver.recv() if receiver.poll(JUDGE_S) else None
    process.kill()
    process.join()
    return verdict


def row_of(size, name, boards, used_s):
    """Return the table's row for the boards that a program made in so many seconds."""
    different = {fingerprint(puzzle): puzzle for puzzle in boards if size.fits(puzzle)}
    verdicts = Counter(judge(puzzle) for puzzle in different.values())
    right, open_ = verdicts[Verdict.UNIQUE], verdicts[None]
    rate = right / used_s
    shown_rate = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2g}"
    return [str(size), name, shown_rate, str(right), str(len(boards) - right - open_), str(open_)]


def rows_of(size, programs, seconds):
    """Yield the table's rows for one size."""
    plain = Recipe(size.side, size.side, size.pairs, Span(0, 0), Rule.STRICT)
    keys = {"size": size.side, "paths": str(size.pairs), "solids": 0, "unique": "strict"}
    default = RecipeKeys.model_validate(keys)
    default = default.recipe(default.sizes[0])
    yield row_of(size, PLAIN, *make_by_linkpress(size, seconds, plain))
    yield row_of(size, f"{PLAIN}, quick", *make_by_linkpress(size, seconds, plain, Method.QUICK))
    yield row_of(size, "linkpress default, not graded", *make_by_linkpress(size, seconds, default))
    yield row_of(size, "linkpress default", *make_by_linkpress(size, seconds, default, graded=True))
    if "penciloid" in programs:
        yield row_of(size, "penciloid", *make_by_penciloid(size, seconds, programs["penciloid"]))
    if "thomasahle" in programs and size.pairs.low < size.pairs.high:
        yield row_of(size, "thomasahle", *make_by_thomasahle(size, seconds, programs["thomasahle"]))


def claims(rows):
    """Return sentences that compare the rows of linkpress with those of each other program."""
    rates, sentences = {(row[0], row[1]): float(row[2].replace(",", "")) for row in rows}, []
    names = list(dict.fromkeys(name for _, name in rates))
    for other in (name for name in names if not name.startswith("linkpress")):
        shared = {size: rate for (size, name), rate in rates.items() if name == other and rate}
        parts = []
        for name in (name for name in names if name.startswith("linkpress")):
            times = sorted(rates[size, name] / rate for size, rate in shared.items())
            if times:
                parts.append(f"{name} {times[0]:.2g} to {times[-1]:.2g}")
        if parts:
            sentences.append(f"Right boards a second ÷ those of {other}: {'; '.join(parts)}.")
        none = [size for (size, name), rate in rates.items() if name == other and not rate]
        if none:
            sentences.append(f"{other} made no right board of {' and none of '.join(none)}.")
    return sentences


def read_arguments(words):
    """Read the command line; ``program`` becomes a path for each name."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--program", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--seconds", type=int, default=10, help="processor time for each program and size")
    parser.add_argument("--into", type=Path, metavar="PAGE.md", help="put the table into this page")
    arguments = parser.parse_args(words)
    named = dict(text.split("=", 1) for text in arguments.program)
    arguments.program = {name: Path(path).absolute() for name, path in named.items()}
    for name in ("penciloid", "thomasahle"):
        if name not in named:
            print(f"Left out: {name} ({HOMES[name]}); give --program {name}=PATH", file=sys.stderr)
    return arguments


def main(words=None):
    """Measure, print the table, and put it into a page if one is named."""
    arguments = read_arguments(words)
    today = date.today()
    lines = [
        f"Measured on {today.day} {today:%B %Y}, {platform.machine()}, {os.cpu_count()} cores, with "
        f"`--seconds {arguments.seconds}`:",
        "",
        f"| {' | '.join(TITLES)} |",
        "|---" * len(TITLES) + "|",
    ]
    rows = [row for size in SIZES for row in rows_of(size, arguments.program, arguments.seconds)]
    lines += [*(f"| {' | '.join(row)} |" for row in rows), "", *claims(rows)]
    print("\n".join(lines))
    if arguments.into:
        put_between(arguments.into, MARK, lines)


if __name__ == "__main__":
    main()
