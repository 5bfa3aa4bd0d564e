"""Random solved boards for property tests.

``solutions()`` makes any small filling: the paths may run alongside themselves, the numbers may skip,
and single squares that no path took are solid.
"""

from hypothesis import strategies as st

from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle, Solution


@st.composite
def solutions(draw, max_side=6, touching=True, highest=None):
    """A filling of a board of 3 to ``max_side`` rows and columns, whose paths may run alongside themselves.

    No number exceeds ``highest``; None numbers the paths 1…k.
    """
    rows, cols = draw(st.integers(3, max_side)), draw(st.integers(3, max_side))
    rng = draw(st.randoms(use_true_random=False))
    cover = random_cover(rng, rows, cols, touching)
    paths = [cells for cells in cover if len(cells) > 1]
    rng.shuffle(paths)
    numbers = range(1, len(paths) + 1)
    if highest is not None:
        numbers = sorted(rng.sample(range(1, highest + 1), len(paths)))
    return filling(rows, cols, dict(zip(numbers, paths, strict=True)))


def puzzles(max_side=6, highest=None):
    """The puzzles of ``solutions``: each has at least one filling."""
    return solutions(max_side, highest=highest).map(lambda solution: solution.puzzle)


def filling(rows, cols, paths):
    """The solution that has these paths, and a solid on every other square."""
    covered = {cell for cells in paths.values() for cell in cells}
    grid = Grid(rows, cols, frozenset(range(rows * cols)) - covered)
    pairs, drawn = [], []
    for number, cells in sorted(paths.items()):
        ordered = cells if cells[0] < cells[-1] else cells[::-1]
        pairs.append(Pair(number, ordered[0], ordered[-1]))
        drawn.append(Path(number, tuple(ordered)))
    return Solution(Puzzle(grid, tuple(pairs)), tuple(drawn))


def random_cover(rng, rows, cols, touching):
    """A partition of all squares into paths, some of a single square; the first has two or more."""
    around = Grid(rows, cols).neighbours
    free = set(range(rows * cols))
    cover = []
    while free:
        path = [rng.choice(sorted(free))]
        free.discard(path[0])
        while True:
            ahead = [
                cell
                for cell in around[path[-1]]
                if cell in free and (touching or sum(other in path for other in around[cell]) == 1)
            ]
            if not ahead or (len(path) > 1 and rng.random() < 0.1):
                break
            path.append(rng.choice(ahead))
            free.discard(path[-1])
        cover.append(path)
    return cover
