from collections.abc import Iterator
from itertools import pairwise
from random import Random

import numpy as np
from filling_list import fillings, small_board
from test_deduce import part_of

from linkpress.engine.deduce import Board, board_of
from linkpress.engine.kernels.findings import NUMBERED
from linkpress.engine.kernels.ladder import CUT_OFF_RUNG, apply_logged, find_on_rung
from linkpress.engine.kernels.marks import DRAWN, MATE, NEED, NUMBER, OPEN, PARTS, RIGHT, RULED_OUT
from linkpress.puzzle.puzzle import Solution

Finding = tuple[int, int, int]


def some_numbers(rng: Random, marks: np.ndarray, drawing: Solution) -> np.ndarray:
    """The right number for a few fragments that are known to carry none."""
    first_of = {pair.number: pair.first for pair in drawing.puzzle.pairs}
    rows = [
        (NUMBERED, cell, 0, 1 + first_of[drawing.number_of[cell]])
        for cell in range(len(marks))
        if marks[cell, NEED] > 0
        and marks[cell, NUMBER] == 0
        and marks[cell, MATE] >= cell
        and rng.random() < 0.1
    ]
    return np.array(rows, np.int32).reshape(-1, 4)


def joined(board: Board, marks: np.ndarray) -> dict[int, dict[int, int]]:
    """Cells with need that a line can go on to: the edge, or -1 along a fragment."""
    ways: dict[int, dict[int, int]] = {cell: {} for cell in range(len(marks)) if marks[cell, NEED] > 0}
    for cell in ways:
        for down in range(2):
            to = int(board.around[cell, 2 + down])
            if to in ways and marks[cell, RIGHT + down] == OPEN:
                ways[cell][to] = ways[to][cell] = 2 * cell + down
    for cell in ways:
        mate = int(marks[cell, MATE])
        if mate != cell and mate in ways:
            ways[cell][mate] = -1
    return ways


def paths(
    ways: dict[int, dict[int, int]], allowed: set[int], path: list[int], goal: int
) -> Iterator[list[int]]:
    if path[-1] == goal:
        yield list(path)
        return
    for to in ways[path[-1]]:
        if to in allowed and to not in path:
            yield from paths(ways, allowed, [*path, to], goal)


def expected(board: Board, marks: np.ndarray) -> set[Finding] | None:
    """What the cut-off technique has to say, by listing every way of every pair."""
    ways, said, users = joined(board, marks), set[Finding](), dict[int, set[int]]()
    used = set[int]()
    for first, last in board.pairs.tolist():
        ends = [cell if marks[cell, NEED] else int(marks[cell, MATE]) for cell in (first, last)]
        if not marks[ends[0], NEED]:
            continue
        allowed = {cell for cell in ways if marks[cell, NUMBER] in (0, first + 1)}
        found = list(paths(ways, allowed, [ends[0]], ends[1]))
        if not found:
            return None
        between = set().union(*found)
        for cell in between:
            if not marks[marks[cell, MATE], NEED] or int(marks[cell, MATE]) in between:
                users.setdefault(cell, set()).add(first + 1)
        used |= {edge for cell in between for to, edge in ways[cell].items() if to in between}
        for cell in set.intersection(*map(set, found)):
            if not marks[cell, NUMBER]:
                said.add((NUMBERED, min(cell, int(marks[cell, MATE])), first + 1))
        steps = [{ways[a][b] for a, b in pairwise(path)} for path in found]
        said |= {(DRAWN, edge, 0) for edge in set.intersection(*steps) - {-1}}
    for cell in ways:
        if cell not in users:
            return None
        if not marks[cell, NUMBER] and len(users[cell]) == 1:
            said.add((NUMBERED, min(cell, int(marks[cell, MATE])), *users[cell]))
        said |= {(RULED_OUT, edge, 0) for edge in set(ways[cell].values()) - used - {-1}}
    return said


def test_cut_offs_are_those_of_all_ways_listed_one_by_one() -> None:
    seen = {"contradicted": 0, "silent": 0, "telling": 0, "with fragments": 0}
    for index in range(400):
        rng = Random(f"reach/{index}")
        puzzle = small_board(rng)
        drawings = fillings(puzzle)
        board = board_of(puzzle)
        marks = board.marks.copy()
        if not board.sound:
            continue
        if drawings:
            drawing = rng.choice(drawings)
            known = part_of(rng, puzzle, drawing)
            assert apply_logged(board.around, marks, known, 0, len(known))
            known = some_numbers(rng, marks, drawing)
            assert apply_logged(board.around, marks, known, 0, len(known))
        log = np.empty((5 * len(marks) + 8, 4), np.int32)
        count = find_on_rung(board.around, marks, board.pairs, CUT_OFF_RUNG, log)
        found = None if count < 0 else log[:count]
        wanted = expected(board, marks)
        if found is None or wanted is None:
            assert found is wanted is None
            seen["contradicted"] += 1
            continue
        told = {(what, where, cause if what == NUMBERED else 0) for what, where, _, cause in found.tolist()}
        assert told == wanted, puzzle
        assert len(told) == len(found)
        seen["telling" if told else "silent"] += 1
        seen["with fragments"] += bool((marks[board.pairs[:, 0], PARTS] > 2).any())
    assert min(seen.values()) >= 3, seen
