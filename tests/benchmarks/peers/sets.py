"""The boards that solvers are tried on: those of public collections, fetched by the user, and our own.

No board of others is in this repository: their publishers keep their rights. A collection is named by its
repository, commit, file and SHA-256; a file with another hash is refused.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from linkpress.engine.make.generate import generate
from linkpress.engine.recipe import Recipe, Rule, Span
from linkpress.puzzle.puzzle import Grid, Puzzle

from .judge import Verdict, judge, on_all_cores


class SetError(Exception):
    """A collection that is not the one described here."""


@dataclass(frozen=True)
class PublicSet:
    """A collection of boards.

    Args:
        rules: by which solvers are asked about them.
        folder: of the checkout, below the folder that the user gives.
        files: a pattern below that; several files are read, and hashed, in the order of their names.
        boards: how many there are.
        known: what its publisher says of the verdicts; the judge decides.
    """

    name: str
    rules: tuple
    address: str
    commit: str
    folder: str
    files: str
    sha256: str
    boards: int
    known: str
    licence: str
    read: Callable


def read_rows(text):
    """Boards of one sign a square: ``.`` is empty, two equal signs are a pair.

    A line ``W H`` may stand before; lines that begin with ``#`` are comments.
    """
    rows = []
    for line in [*text.splitlines(), ""]:
        if line.strip() and not line.startswith("#") and " " not in line.strip():
            rows.append(line.strip())
        elif rows:
            yield board(rows)
            rows = []


def board(rows):
    """A board of rows of signs."""
    signs = "".join(rows)
    numbers = {sign: n for n, sign in enumerate(dict.fromkeys(signs.replace(".", "")), start=1)}
    grid = Grid(len(rows), len(rows[0]))
    return Puzzle.from_numbers(grid, {cell: numbers[sign] for cell, sign in enumerate(signs) if sign != "."})


def read_coordinates(text):
    """A board a line: width, height, then ``x y x y`` for each pair."""
    for line in filter(str.strip, text.splitlines()):
        cols, rows, *ends = map(int, line.split())
        cells = [y * cols + x for x, y in zip(ends[::2], ends[1::2], strict=True)]
        numbers = {cell: n // 2 + 1 for n, cell in enumerate(cells)}
        yield Puzzle.from_numbers(Grid(rows, cols), numbers)


PUBLIC = (
    PublicSet(
        "Janko", (Rule.STRICT, Rule.UNTOUCHING), "https://github.com/thomasahle/numberlink",
        "ba9d6708462f18647de2ffb7b8158df8bc9b0f20", "numberlink", "puzzles/janko",
        "6473f88feb09ce35f8b02b726cf940fd875638b8e809d64cc96d0807bca5959f", 270,
        "hand-made puzzles of janko.at, 8 × 8 to 36 × 20, one untouching filling each",
        "copyright Janko.at", read_rows,
    ),
    PublicSet(
        "Flow Free", (Rule.STRICT, Rule.FILLED, Rule.UNTOUCHING), "https://github.com/mzucker/flow_solver",
        "b2c7a2b9de893849aa9633aaef8023343cfbaa08", "flow_solver", "puzzles/*.txt",
        "415b76d08749906a51aa6331fc7acc19c227fb12dcf5b6b58af3889ab286ec1b", 29,
        "levels of the game, 5 × 5 to 14 × 14, one untouching filling each, and one board without any",
        "of Big Duck Games; the file says CC BY-NC 2.0", read_rows,
    ),
    PublicSet(
        "random pairs", (Rule.STRICT,), "https://github.com/Craftoonix/numberlink-generator-solver",
        "6b3c9794daf88a02ca7d906e94f9935c49a43d8e", "numberlink-generator-solver",
        "example_puzzles/size10/pairs*.txt",
        "4aed8b4711130c54c2cbc8a61ff7b3b0994206c1abc295a33d2a2949d004228e", 800,
        "2 to 9 pairs at random places of a 10 × 10 board; nothing is promised", "MIT", read_coordinates,
    ),
)  # fmt: skip


def fetched(described, folder):
    """The boards of a collection, None where the user has not fetched it; raise ``SetError`` for others."""
    files = sorted((folder / described.folder).glob(described.files))
    if not files:
        return None
    content = [file.read_bytes() for file in files]
    found = hashlib.sha256(b"".join(content)).hexdigest()
    if found != described.sha256:
        raise SetError(
            f"{described.name}: {folder / described.folder / described.files} has the SHA-256 {found}, "
            f"not {described.sha256}; check out commit {described.commit} of {described.address}"
        )
    puzzles = [puzzle for one in content for puzzle in described.read(one.decode("utf-8"))]
    if len(puzzles) != described.boards:
        raise SetError(f"{described.name}: {len(puzzles)} boards, not {described.boards}")
    return puzzles


# Side and pairs of our own boards: what a newspaper prints, and what takes a while.
OWN = ((10, 8), (15, 16))


def own(count):
    """Boards of linkpress, every other one with endpoints moved until its drawings are none or several."""
    return on_all_cores(_own_board, [(*OWN[n * len(OWN) // count], n) for n in range(count)])


def _own_board(asked):
    side, pairs, index = asked
    recipe = Recipe(side, side, Span(pairs, pairs), Span(0, 0), Rule.STRICT)
    seed = f"peers/{side}/{pairs}/{index}"
    puzzle = generate(recipe, seed, graded=False).puzzle
    return _spoilt(puzzle, Random(seed)) if index % 2 else puzzle


def _spoilt(puzzle, rng):
    while True:
        puzzle = _moved(puzzle, rng)
        if judge(puzzle, Rule.STRICT) in (Verdict.NONE, Verdict.MULTIPLE):
            return puzzle


def _moved(puzzle, rng):
    """One endpoint moved to a neighbouring square, where that is free."""
    numbers = dict(puzzle.number_at)
    cell = rng.choice(sorted(numbers))
    to = rng.choice(puzzle.grid.neighbours[cell])
    if to not in numbers:
        numbers[to] = numbers.pop(cell)
    return Puzzle.from_numbers(puzzle.grid, numbers)


def sample(puzzles, most):
    """At most that many of them, evenly spread over the collection."""
    if len(puzzles) <= most:
        return puzzles
    return [puzzles[n * len(puzzles) // most] for n in range(most)]


def put_between(page, marks, lines):
    """Put lines between two marks of a page, in the place of what stands there."""
    before, _, rest = page.read_text("utf-8").partition(marks[0])
    text = "\n".join(lines) + "\n"
    page.write_text(before + marks[0] + text + marks[1] + rest.partition(marks[1])[2], "utf-8")
