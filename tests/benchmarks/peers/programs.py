"""Run the programs of other authors under a limit of processor time, and put results into a page.

None of these programs is in this repository. Each is built by whoever runs a benchmark, as its documentation
says.
"""

import os
import resource
import signal
import subprocess
import tempfile
from dataclasses import dataclass

from linkpress.puzzle.link_text import puzzle_squares
from linkpress.puzzle.puzzle import Grid, Puzzle

HOMES = {
    "numlin_v2": "https://github.com/semiexp/numlin_v2, commit 9002a5e",
    "penciloid": "https://github.com/semiexp/penciloid-rust, commit 1140a61",
    "thomasahle": "https://github.com/thomasahle/numberlink, commit ba9d670",
}
# Signs that thomasahle's program reads as numbers: printable ASCII, without its marks for empty and comment.
SIGNS = "".join(chr(code) for code in range(33, 127) if chr(code) not in ".#")
_MEMORY_BYTES = 6000 << 20


@dataclass(frozen=True)
class Run:
    """What a program printed, and the processor time that it used; ``ended`` is False at the limit."""

    printed: str
    seconds: float
    ended: bool


def run(command, *, given="", limit_s):
    """Run a program to its end, or to a limit of processor time in seconds.

    Raises:
        ChildProcessError: the program crashed or reported an error.
    """

    def set_limits():
        soft_s = max(1, round(limit_s))
        resource.setrlimit(resource.RLIMIT_CPU, (soft_s, soft_s + 1))
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))

    with tempfile.TemporaryFile("w+") as source, tempfile.TemporaryFile("w+", errors="replace") as target:
        source.write(given)
        source.seek(0)
        process = subprocess.Popen(
            [str(word) for word in command],
            stdin=source, stdout=target, stderr=subprocess.STDOUT, preexec_fn=set_limits,
        )  # fmt: skip
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)  # Popen must not wait for it again
        target.seek(0)
        printed = target.read()
    seconds = usage.ru_utime + usage.ru_stime
    ended = process.returncode not in (-signal.SIGXCPU, -signal.SIGKILL)
    if process.returncode and ended:
        raise ChildProcessError(f"{command[0]} ended with {process.returncode}: {printed[:200]}")
    return Run(printed, seconds, ended)


def board_of_signs(rows):
    """Build the board of rows of signs: ``.`` is an empty square, and two equal signs are a pair."""
    signs = "".join(rows)
    numbers = {sign: number for number, sign in enumerate(dict.fromkeys(signs.replace(".", "")), start=1)}
    number_at = {cell: numbers[sign] for cell, sign in enumerate(signs) if sign != "."}
    return Puzzle.from_numbers(Grid(len(rows), len(rows[0])), number_at)


def signs_of_board(puzzle):
    """Write a board as thomasahle's program reads it: columns and rows, then a line of signs for each row."""
    rows = ["".join(SIGNS[number - 1] if number else "." for number in row) for row in puzzle_squares(puzzle)]
    return "\n".join([f"{puzzle.grid.cols} {puzzle.grid.rows}", *rows, ""])


def put_between(page, name, lines):
    """Replace the lines between a page's comments ``<!-- name -->`` and ``<!-- end of name -->``."""
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, _, rest = page.read_text("utf-8").partition(begin)
    after = rest.partition(end)[2]
    page.write_text(before + begin + "\n".join(lines) + "\n" + end + after, "utf-8")
