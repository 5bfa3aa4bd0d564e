"""Counts drawings by walking every path of every pair in turn: slow, plain, independent of the engine."""

from collections.abc import Iterator

from linkpress.engine.prove.proof import Verdict
from linkpress.engine.recipe import Rule
from linkpress.puzzle.grid import Cell
from linkpress.puzzle.puzzle import Puzzle

Cover = tuple[tuple[Cell, ...], ...]


def drawings(puzzle: Puzzle) -> Iterator[Cover]:
    """Every way of joining all pairs by disjoint simple paths; squares may stay empty."""
    yield from _join(puzzle, 0, set(puzzle.number_at), ())


def _join(puzzle: Puzzle, place: int, taken: set[Cell], done: Cover) -> Iterator[Cover]:
    if place == len(puzzle.pairs):
        yield done
        return
    pair = puzzle.pairs[place]
    for path in _paths(puzzle, (pair.first,), pair.second, taken):
        yield from _join(puzzle, place + 1, taken | set(path), (*done, path))


def _paths(puzzle: Puzzle, path: tuple[Cell, ...], end: Cell, taken: set[Cell]) -> Iterator[tuple[Cell, ...]]:
    for cell in puzzle.grid.neighbours[path[-1]]:
        if cell == end:
            yield (*path, end)
        elif cell not in taken and cell not in path:
            yield from _paths(puzzle, (*path, cell), end, taken)


def verdict(puzzle: Puzzle, rule: Rule) -> Verdict:
    """What a proof must say, from counting."""
    free = len(puzzle.grid.free_cells)
    fillings = others = 0
    for cover in drawings(puzzle):
        if sum(map(len, cover)) == free:
            fillings += 1
        else:
            others += 1
        if fillings > 1 or (rule is Rule.STRICT and fillings + others > 1):
            return Verdict.MULTIPLE
    return Verdict.UNIQUE if fillings else Verdict.NONE
