"""Proofs by the board's size, beside solvers that are changed to stop at the second drawing.

Run: ``python -m tests.benchmarks.peers.by_size [--checkout NAME=FOLDER]… [--into PAGE.md] SET=FILE …``, at
the top of the checkout. A checkout is a folder with the sources of a solver of ``PEERS``. They are copied,
changed to stop at the second drawing, built by cargo, and asked inside their own process: small boards are
not measured by a program's start. A file holds boards as ``tests/benchmarks/published.py`` reads them, and
the files of a set have their rows together. All programs are asked about one board before any is asked about
the next. A time is the least of five, or the only one over 20 ms; a board over the limit counts as the
limit.
"""

import argparse
import itertools
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from linkpress.engine.prove.proof import prove
from linkpress.engine.recipe import Rule
from linkpress.puzzle.notation.link_text import puzzle_squares

from ..published import records
from .sets import put_between

MARKS = ("<!-- by size -->\n", "<!-- end of by size -->\n")
CLASSES = ((0, 64), (65, 100), (0, 100), (101, 150), (151, 225), (226, 2500), (0, 2500))
REPEATS = 5
_MANIFEST = """
[package]
name = "asked"
version = "0.0.0"
edition = "EDITION"
autobins = false
[[bin]]
name = "ask"
path = "src/main.rs"
[dependencies]
DEPENDENCIES
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
            if least > 20.0 { break; }
        }
        println!("{} {}", least, found);
        std::io::stdout().flush().unwrap();
    }
}
"""


@dataclass(frozen=True)
class Rust:
    """A solver's sources, and what makes a program of them that is asked line by line.

    Args:
        edition: of Rust.
        copied: files and folders of the checkout.
        changes: by file, a text in it and what stands there instead.
        head: what the program begins with.
        board: what writes a board down, of ``rows``, ``cols`` and ``squares`` (0: empty).
        solved: the number of drawings found, two at most.
        dependencies: lines of the manifest; FOLDER stands for the folder around the checkout.
    """

    edition: str
    copied: tuple[str, ...]
    changes: dict[str, tuple[tuple[str, str], ...]]
    head: str
    board: str
    solved: str
    dependencies: str = ""


_NUMLIN_BOARD = """let mut board = Problem::new(rows, cols, None);
            for (at, &n) in squares.iter().enumerate() {
                if n > 0 { board[(at / cols, at % cols)] = Some(n - 1); }
            }"""
PEERS = {
    "numlin_v2": Rust(
        "2024",
        ("src",),
        {"src/solver.rs": (("    stats.visited_boards += 1;\n", "    if answers.len() >= 2 { return; }\n"),)},
        "use asked::{solver, Problem};",
        _NUMLIN_BOARD,
        "solver::solve(board).answers().len()",
    ),
    # As numlin_v2's tests put the puzzle to cspuz_core: a checkout of numlin_v2, beside one of cspuz_core.
    "cspuz_core": Rust(
        "2024",
        ("src", "tests/reference_solver/mod.rs"),
        {
            "tests/reference_solver/mod.rs": (
                ("use numlin_v2::{", "use asked as numlin_v2;\nuse asked::{"),
                ("fn solve_by_csp", "pub fn solve_by_csp"),
                (".answer_iter()", ".answer_iter().take(2)"),
            )
        },
        '#[path = "../tests/reference_solver/mod.rs"] mod reference; use asked::Problem;',
        _NUMLIN_BOARD,
        "reference::solve_by_csp(&board).len()",
        'cspuz_rs = { path = "FOLDER/cspuz_core/cspuz_rs", default-features = false }',
    ),
    "penciloid": Rust(
        "2015",
        ("src/common", "src/numberlink/mod.rs", "src/numberlink/solver2.rs"),
        {
            "src/numberlink/mod.rs": (
                ("mod generator;\nmod generator_field;\nmod io;\n", ""),
                ("pub use self::generator::*;\nuse self::generator_field::*;\npub use self::io::*;\n", ""),
            )
        },
        "mod common; mod numberlink; use common::*; use numberlink::*;",
        """let mut board = Grid::new(rows as i32, cols as i32, NO_CLUE);
            for (at, &n) in squares.iter().enumerate() {
                if n > 0 { board[P((at / cols) as i32, (at % cols) as i32)] = Clue(n); }
            }""",
        "solve2(&board, Some(2), false, false).len()",
    ),
}


def build(name, checkout, into):
    """Build the program of a peer's checkout; the path to it."""
    peer, folder = PEERS[name], into / name
    for part in peer.copied:
        (folder / part).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if (checkout / part).is_dir() else shutil.copy)(checkout / part, folder / part)
    for file, changes in peer.changes.items():
        text = (folder / file).read_text("utf-8")
        for before, after in changes:
            if before not in text:
                sys.exit(f"{name}: {checkout / file} is another than the one that is changed here")
            text = text.replace(before, after, 1)
        (folder / file).write_text(text, "utf-8")
    program = (
        _MAIN.replace("REPEATS", str(REPEATS)).replace("BOARD", peer.board).replace("SOLVED", peer.solved)
    )
    (folder / "src/main.rs").write_text(f"#![allow(warnings)]\n{peer.head}\n{program}", "utf-8")
    dependencies = peer.dependencies.replace("FOLDER", str(checkout.resolve().parent))
    manifest = _MANIFEST.replace("EDITION", peer.edition).replace("DEPENDENCIES", dependencies)
    (folder / "Cargo.toml").write_text(manifest, "utf-8")
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=folder, check=True)
    return folder / "target/release/ask"


class Program:
    """A peer's program, started anew after each board that took too long."""

    def __init__(self, path, limit_s):
        self._path, self._limit_s = path, limit_s
        self._process = None

    def ask(self, puzzle):
        """The milliseconds that a board takes, at most the limit."""
        if self._process is None:
            self._process = subprocess.Popen(
                [self._path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
            )
        process = self._process
        squares = " ".join(str(n or 0) for row in puzzle_squares(puzzle) for n in row)
        begun = _processor_s(process.pid)
        process.stdin.write(f"{puzzle.grid.rows} {puzzle.grid.cols} {squares}\n")
        process.stdin.flush()
        os.set_blocking(process.stdout.fileno(), False)
        while not (line := process.stdout.readline()):
            time.sleep(0.001)
            if process.poll() is not None or _processor_s(process.pid) - begun > self._limit_s:
                process.kill()
                process.wait()
                self._process = None
                return 1000 * self._limit_s
        used_ms = 1000 * (_processor_s(process.pid) - begun)
        least_ms = float(line.split()[0])
        return min(used_ms, least_ms) if least_ms > 20 else least_ms


def _processor_s(pid):
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def ask_linkpress(puzzle, limit_s):
    """The milliseconds that a board takes here, measured as the others measure theirs, at most the limit."""
    least, used = math.inf, math.inf
    for _ in range(REPEATS):
        used_before, begun = time.process_time(), time.perf_counter()
        prove(puzzle, Rule.STRICT)
        least = min(least, 1000 * (time.perf_counter() - begun))
        used = min(used, 1000 * (time.process_time() - used_before))
        if least > 20:
            break
    return min(used if least > 20 else least, 1000 * limit_s)


def table(names, measured, limit_s):
    """The lines of the table, and a sentence on who is ahead where, and one on what stays open."""
    others = names[1:]
    titles = ["boards, strict", "squares", "boards", *(f"{name}, ms" for name in names)]
    titles += [f"{name} ÷ linkpress" for name in others]
    lines, ahead = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"], []
    for label, (low, high) in itertools.product(dict.fromkeys(row[0] for row in measured), CLASSES):
        rows = [times for each, squares, times in measured if each == label and low <= squares <= high]
        if not rows:
            continue
        sizes = f"{low}–{high}" if low else f"up to {high}"
        sizes = "all" if (low, high) == CLASSES[-1] else sizes
        cells = [
            label,
            sizes,
            str(len(rows)),
            *(_figures(statistics.median(some)) for some in zip(*rows, strict=True)),
        ]
        for place, name in enumerate(others, 1):
            ratios = sorted(times[place] / times[0] for times in rows)
            mean = statistics.geometric_mean(ratios)
            tenth = len(ratios) // 10
            cells.append(f"{_figures(mean)} ({_figures(ratios[tenth])}–{_figures(ratios[-1 - tenth])})")
            if mean < 1:
                ahead.append(f"{name} on {label} of {sizes} squares")
        lines.append(f"| {' | '.join(cells)} |")
    left = [sum(times[place] >= 1000 * limit_s for *_, times in measured) for place in range(len(names))]
    lines += ["", f"Ahead of linkpress: {'; '.join(ahead) or 'none'}."]
    opened = ", ".join(f"{name} {count}" for name, count in zip(names, left, strict=True))
    return [*lines, f"Boards open after {limit_s:g} s, which count as {limit_s:g} s: {opened}."]


def _figures(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def main():
    """Measure, and print the table or put it into a page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", metavar="SET=FILE")
    parser.add_argument("--checkout", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--limit", type=float, default=3, help="seconds of processor time for each board")
    parser.add_argument("--most", type=int, default=225, help="squares of the largest boards that are asked")
    parser.add_argument("--every", type=int, default=1, help="ask every so many boards alone")
    parser.add_argument("--into", type=Path, metavar="PAGE.md", help="also put the table between its marks")
    options = parser.parse_args()
    given = dict(text.split("=", 1) for text in options.checkout)
    for name in PEERS.keys() - given.keys():
        print(f"Left out: {name}; say where its sources are by --checkout {name}=FOLDER", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        names = [name for name in PEERS if name in given]
        programs = [Program(build(name, Path(given[name]), Path(folder)), options.limit) for name in names]
        sets = [text.split("=", 1) for text in options.files]
        boards = [(label, puzzle) for label, file in sets for puzzle, _ in records(Path(file))]
        measured = []
        for label, puzzle in boards[:: options.every]:
            if puzzle.grid.size <= options.most and not puzzle.grid.solids:
                times = [ask_linkpress(puzzle, options.limit), *(one.ask(puzzle) for one in programs)]
                measured.append((label, puzzle.grid.size, times))
    lines = table(["linkpress", *names], measured, options.limit)
    print("\n".join(lines))
    if options.into:
        put_between(options.into, MARKS, lines)


if __name__ == "__main__":
    main()
