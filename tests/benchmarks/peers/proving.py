"""Compare how long linkpress and other solvers take for boards of different sizes.

Run ``python -m tests.benchmarks.peers.proving [--peer NAME=PATH]… [--into PAGE.md] SET=FILE …`` at the top of
the checkout. A file holds boards as ``tests/benchmarks/published.py`` reads them. The files of a set share
their rows of the table.

- ``numlin_v2`` and ``penciloid`` decide the strict rule. PATH is a folder with the program's sources. They
  are copied, changed to stop at the second solution as linkpress does, built by cargo, and asked about one
  board after the other inside one process, so that starting the program is not measured.
- ``thomasahle`` is asked with ``--rule untouching``. PATH is its program. It finds one solution and stops,
  while linkpress also proves that there is no second one. The time of starting it is left out: an input
  of many copies of the board is compared with one of a single copy.

All programs are asked about one board before any is asked about the next. A time is the least of five, or
the first one over 20 ms. A board over the limit counts as the limit.
"""

import argparse
import itertools
import math
import select
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from linkpress.engine.proof import prove
from linkpress.engine.recipe import Rule
from linkpress.puzzle.link_text import puzzle_squares

from ..published import records
from .programs import HOMES, SIGNS, put_between, run, signs_of_board

MARKS = {Rule.STRICT: "by size", Rule.UNTOUCHING: "untouching by size"}
# The least and the most squares of each class.
CLASSES = ((0, 64), (65, 100), (0, 100), (101, 150), (151, 225), (226, 2500), (0, 2500))
REPEATS = 5
ONCE_MS = 20  # a time over this is not measured again
COPIES = 200  # boards in one input of thomasahle's program, for boards that take less than ONCE_MS
_MANIFEST = """
[package]
name = "asked"
version = "0.0.0"
edition = "EDITION"
autobins = false
[[bin]]
name = "ask"
path = "src/main.rs"
"""
_MAIN = """
use std::io::{BufRead, Write};
fn main() {
    for line in std::io::stdin().lock().lines() {
        let words: Vec<i32> = line.unwrap().split_whitespace().map(|w| w.parse().unwrap()).collect();
        let (rows, cols, squares) = (words[0] as usize, words[1] as usize, &words[2..]);
        let (mut least, mut found) = (f64::MAX, 0);
        for _ in 0..REPEATS {
            BOARD
            let begun = std::time::Instant::now();
            found = SOLVED;
            least = least.min(begun.elapsed().as_secs_f64() * 1e3);
            if least > ONCE_MS as f64 { break; }
        }
        println!("{} {}", least, found);
        std::io::stdout().flush().unwrap();
    }
}
"""


@dataclass(frozen=True)
class RustSources:
    """How a solver's sources become a program that reads one board a line and prints its time.

    Args:
        edition: the edition of Rust.
        copied: files and folders of the sources that are needed.
        changes: for each file, pairs of a text in it and its replacement.
        head: the first lines of the program.
        board: Rust code that builds the board from ``rows``, ``cols`` and ``squares`` (0: empty).
        solved: Rust expression for the number of solutions found, two at most.
    """

    edition: str
    copied: tuple[str, ...]
    changes: dict[str, tuple[tuple[str, str], ...]]
    head: str
    board: str
    solved: str


RUST = {
    "numlin_v2": RustSources(
        edition="2024",
        copied=("src",),
        changes={
            "src/solver.rs": (
                ("    stats.visited_boards += 1;\n", "    if answers.len() >= 2 { return; }\n"),
            )
        },
        head="use asked::{solver, Problem};",
        board="""let mut board = Problem::new(rows, cols, None);
            for (at, &n) in squares.iter().enumerate() {
                if n > 0 { board[(at / cols, at % cols)] = Some(n - 1); }
            }""",
        solved="solver::solve(board).answers().len()",
    ),
    "penciloid": RustSources(
        edition="2015",
        copied=("src/common", "src/numberlink/mod.rs", "src/numberlink/solver2.rs"),
        changes={
            "src/numberlink/mod.rs": (
                ("mod generator;\nmod generator_field;\nmod io;\n", ""),
                ("pub use self::generator::*;\nuse self::generator_field::*;\npub use self::io::*;\n", ""),
            )
        },
        head="mod common; mod numberlink; use common::*; use numberlink::*;",
        board="""let mut board = Grid::new(rows as i32, cols as i32, NO_CLUE);
            for (at, &n) in squares.iter().enumerate() {
                if n > 0 { board[P((at / cols) as i32, (at % cols) as i32)] = Clue(n); }
            }""",
        solved="solve2(&board, Some(2), false, false).len()",
    ),
}  # fmt: skip


def build(name, checkout, into):
    """Build the program from a solver's sources in a folder; return the program's path."""
    sources, folder = RUST[name], into / name
    for part in sources.copied:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (checkout / part).is_dir() else shutil.copy)(checkout / part, folder / part)
    for file, changes in sources.changes.items():
        text = (folder / file).read_text("utf-8")
        for before, after in changes:
            if before not in text:
                sys.exit(f"{name}: {checkout / file} differs from the file of {HOMES[name]}")
            text = text.replace(before, after, 1)
        (folder / file).write_text(text, "utf-8")
    main = f"#![allow(warnings)]\n{sources.head}\n{_MAIN}"
    values = {
        "REPEATS": str(REPEATS), "ONCE_MS": str(ONCE_MS), "BOARD": sources.board, "SOLVED": sources.solved
    }  # fmt: skip
    for word, code in values.items():
        main = main.replace(word, code)
    (folder / "src/main.rs").write_text(main, "utf-8")
    (folder / "Cargo.toml").write_text(_MANIFEST.replace("EDITION", sources.edition), "utf-8")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=True)
    return folder / "target/release/ask"


class RustSolver:
    """A program made by ``build``; it is started again after a board that took too long."""

    def __init__(self, path, limit_s):
        self._path, self._limit_s = path, limit_s
        self._process = None

    def ask(self, puzzle):
        """Return the milliseconds that a board takes, at most the limit."""
        if self._process is None:
            self._process = subprocess.Popen([self._path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        process = self._process
        squares = " ".join(str(number or 0) for row in puzzle_squares(puzzle) for number in row)
        begun_s = _processor_s(process.pid)
        process.stdin.write(f"{puzzle.grid.rows} {puzzle.grid.cols} {squares}\n".encode())
        process.stdin.flush()
        while not select.select([process.stdout], [], [], 0.001)[0]:
            if _processor_s(process.pid) - begun_s > self._limit_s:
                process.kill()
                process.communicate()
                self._process = None
                return 1000 * self._limit_s
        least_ms = float(process.stdout.readline().split()[0])
        used_ms = 1000 * (_processor_s(process.pid) - begun_s)
        return min(used_ms, least_ms) if least_ms > ONCE_MS else least_ms


def _processor_s(pid):
    return time.clock_gettime(~pid << 3 | 2)  # the number of a process's clock, by clock_getcpuclockid(3)


class Thomasahle:
    """thomasahle's program, started again for each board."""

    def __init__(self, path, limit_s):
        self._path, self._limit_s = path, limit_s

    def ask(self, puzzle):
        """Return the milliseconds that a board takes, at most the limit."""
        board = signs_of_board(puzzle)
        once = self._run(board)
        if not once.ended:
            return 1000 * self._limit_s
        used_s = once.seconds - self._run("").seconds
        if 1000 * used_s < ONCE_MS:
            # The difference of long and short inputs has no start of the program in it.
            pairs = [(self._run(board), self._run(board * COPIES)) for _ in range(REPEATS)]
            one, many = (min(each.seconds for each in runs) for runs in zip(*pairs, strict=True))
            used_s = max(many - one, 1e-6) / (COPIES - 1)
        return 1000 * min(used_s, self._limit_s)

    def _run(self, boards):
        return run([self._path], given=f"{boards}0 0\n", limit_s=self._limit_s)


def ask_linkpress(puzzle, rule, limit_s):
    """Return the milliseconds that a board takes linkpress, at most the limit."""
    least, used = math.inf, math.inf
    for _ in range(REPEATS):
        used_before, begun = time.process_time(), time.perf_counter()
        prove(puzzle, rule)
        least = min(least, 1000 * (time.perf_counter() - begun))
        used = min(used, 1000 * (time.process_time() - used_before))
        if least > ONCE_MS:
            break
    return min(used if least > ONCE_MS else least, 1000 * limit_s)


def table(names, measured, limit_s):
    """Return the lines of the table, then a sentence on who is faster and one on the boards left open.

    Args:
        names: the programs, linkpress first.
        measured: for each board its set, its number of squares, and a time in ms for each program.
        limit_s: the time at which a program was stopped.
    """
    others = names[1:]
    titles = ["boards", "squares", "count", *(f"{name}, ms" for name in names)]
    titles += [f"{name} ÷ linkpress" for name in others]
    lines, faster = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"], []
    for label, (low, high) in itertools.product(dict.fromkeys(row[0] for row in measured), CLASSES):
        rows = [times for each, squares, times in measured if each == label and low <= squares <= high]
        if not rows:
            continue
        sizes = f"{low}–{high}" if low else f"up to {high}"
        sizes = "all" if (low, high) == CLASSES[-1] else sizes
        medians = [_rounded(statistics.median(times)) for times in zip(*rows, strict=True)]
        cells = [label, sizes, str(len(rows)), *medians]
        for place, name in enumerate(others, 1):
            ratios = sorted(times[place] / times[0] for times in rows)
            mean = statistics.geometric_mean(ratios)
            tenth = len(ratios) // 10
            cells.append(f"{_rounded(mean)} ({_rounded(ratios[tenth])}–{_rounded(ratios[-1 - tenth])})")
            if mean < 1:
                faster.append(f"{name} on {label} of {sizes} squares")
        lines.append(f"| {' | '.join(cells)} |")
    left_open = [sum(times[place] >= 1000 * limit_s for *_, times in measured) for place in range(len(names))]
    lines += ["", f"Faster than linkpress: {'; '.join(faster) or 'none'}."]
    counts = ", ".join(f"{name} {count}" for name, count in zip(names, left_open, strict=True))
    return [*lines, f"Boards open after {limit_s:g} s, which count as {limit_s:g} s: {counts}."]


def _rounded(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def main():
    """Measure, print the table, and put it into a page if one is named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="SET=FILE")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PATH")
    parser.add_argument("--rule", type=Rule, choices=[Rule.STRICT, Rule.UNTOUCHING], default=Rule.STRICT)
    parser.add_argument("--limit", type=float, default=3, help="seconds of processor time for each board")
    parser.add_argument("--most", type=int, default=225, help="leave out boards of more squares")
    parser.add_argument("--every", type=int, metavar="N", default=1, help="measure only every n-th board")
    parser.add_argument("--into", type=Path, metavar="PAGE.md", help="put the table into this page")
    options = parser.parse_args()
    paths = {name: Path(path) for name, path in (text.split("=", 1) for text in options.peer)}
    names = list(RUST) if options.rule is Rule.STRICT else ["thomasahle"]
    for name in names:
        if name not in paths:
            print(f"Left out: {name} ({HOMES[name]}); give --peer {name}=PATH", file=sys.stderr)
    names = [name for name in names if name in paths]
    sets = [text.split("=", 1) for text in options.files]
    boards = [(label, puzzle) for label, file in sets for puzzle, _ in records(Path(file))]
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        solvers = [
            RustSolver(build(name, paths[name], Path(folder)), options.limit)
            if name in RUST
            else Thomasahle(paths[name], options.limit)
            for name in names
        ]
        for label, puzzle in boards[:: options.every]:
            fits = puzzle.grid.size <= options.most and len(puzzle.pairs) <= len(SIGNS)
            if fits and not puzzle.grid.solids:
                times = [ask_linkpress(puzzle, options.rule, options.limit)]
                measured.append((label, puzzle.grid.size, times + [one.ask(puzzle) for one in solvers]))
    lines = table(["linkpress", *names], measured, options.limit)
    print("\n".join(lines))
    if options.into:
        put_between(options.into, MARKS[options.rule], lines)


if __name__ == "__main__":
    main()
