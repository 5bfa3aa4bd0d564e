"""Sample boards: grown by the article's generator, or small ones numbered at random."""

from itertools import pairwise

from linkpress.engine.kernels.glossary import DirectionBit
from linkpress.engine.make.cover import grow_cover
from linkpress.errors import PuzzleError
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle
from strategies import filling, random_cover


def grown_board(rows, cols, seed):
    """A board with a filling in which no path runs beside itself."""
    return grow_cover(rows, cols, seed).puzzle


def small_board(rng):
    """A random board of 12 to 20 squares. A third of them have random numbers, mostly without a filling."""
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
    """Paths as a search for a second drawing takes them: by cell its path, and its sides used."""
    path_of, links = [-1] * (rows * cols), [0] * (rows * cols)
    bits = {-cols: DirectionBit.UP, -1: DirectionBit.LEFT, 1: DirectionBit.RIGHT, cols: DirectionBit.DOWN}
    for number, path in enumerate(paths):
        for cell in path:
            path_of[cell] = number
        for a, b in pairwise(path):
            links[a] |= bits[b - a]
            links[b] |= bits[a - b]
    return path_of, links
