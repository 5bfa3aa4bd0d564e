"""Sample boards: made by growing random paths, or with random numbers."""

from itertools import pairwise

from linkpress.engine.kernels.glossary import DirectionBit
from linkpress.engine.make.cover import grow_cover
from linkpress.errors import PuzzleError
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle
from strategies import filling, random_cover


def grown_board(rows, cols, seed):
    """Return a board with a solution in which no path runs beside itself."""
    return grow_cover(rows, cols, seed).puzzle


def scattered_board(rng, rows, cols, *, most_solids, most_pairs):
    """Return a board with solids and numbers in random squares; most such boards have no solution."""
    cells = list(range(rows * cols))
    rng.shuffle(cells)
    solids = frozenset(cells.pop() for _ in range(rng.below(most_solids + 1)))
    pairs = 1 + rng.below(min(most_pairs, len(cells) // 2))
    numbers = {cells.pop(): 1 + end // 2 for end in range(2 * pairs)}
    return Puzzle.from_numbers(Grid(rows, cols, solids), numbers)


def small_board(rng):
    """Return a random board of 12 to 20 squares. A third of them have random numbers, mostly no solution."""
    rows, cols = rng.choice(((3, 4), (4, 3), (4, 4), (4, 5), (5, 4), (3, 6)))
    if rng.random() < 1 / 3:
        return _scattered(rng, rows, cols)
    while True:
        paths = [path for path in random_cover(rng, rows, cols, rng.random() < 0.5) if len(path) > 1]
        try:
            return filling(rows, cols, dict(enumerate(paths, 1))).puzzle
        except PuzzleError:
            continue


def _scattered(rng, rows, cols):
    cells = rng.sample(range(rows * cols), rows * cols)
    solids = rng.choice((0, 0, 1, 2))
    pairs = rng.randint(1, 4)
    ends = [sorted(cells[solids + 2 * pair : solids + 2 * pair + 2]) for pair in range(pairs)]
    grid = Grid(rows, cols, frozenset(cells[:solids]))
    return Puzzle(grid, tuple(Pair(number, a, b) for number, (a, b) in enumerate(ends, 1)))


def links_of(rows, cols, paths):
    """Return, for each cell, the number of its path and the ``DirectionBit`` sum of its used edges."""
    path_of, links = [-1] * (rows * cols), [0] * (rows * cols)
    bits = {-cols: DirectionBit.UP, -1: DirectionBit.LEFT, 1: DirectionBit.RIGHT, cols: DirectionBit.DOWN}
    for number, path in enumerate(paths):
        for cell in path:
            path_of[cell] = number
        for a, b in pairwise(path):
            links[a] |= bits[b - a]
            links[b] |= bits[a - b]
    return path_of, links
