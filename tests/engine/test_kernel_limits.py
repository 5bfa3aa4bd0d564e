"""Tests that the kernels stay within their arrays.

They run as plain Python on arrays that raise an error for every index out of range.
"""

from itertools import product

import pytest
from checked_arrays import Checked, check_arrays

from linkpress.engine.kernels import DrawingSearch, FormProofs
from linkpress.engine.kernels.glossary import DrawingKind, EdgeState, FindingKind, SearchOutcome
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.kernels.ladder import climb
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, forget_findings, propose
from linkpress.engine.kernels.ladder.wall_order import find_order
from linkpress.engine.kernels.prover.cdcl import (
    HEADER,
    NO_REASON,
    ProverBoard,
    Search,
    add_board_clauses,
    assign,
    reduce_learnt,
    reset_prover_board,
)
from linkpress.engine.kernels.prover.drawings import (
    FoundDrawings,
    begin_search,
    room_for,
    scan_for_two,
    search_for_two,
)
from linkpress.engine.kernels.prover.scan import Scan
from linkpress.engine.ladder import KERNEL_LADDER, edge_index, position_of
from linkpress.engine.recipe import Rule
from linkpress.puzzle.notations import read_puzzles
from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle

# The search of this board takes 485 conflicts, and its learnt clauses take about 20,000 words.
(HARD,) = read_puzzles("""10 10
. 2 . . . 1 . . . .
. . . . . . . 3 5 .
. . 8 . . . . . . .
. . . . . . . . . .
. . . . . . . . . .
2 . . . . . . 7 . .
4 1 . . . 5 . 4 3 .
. 8 . . . . . . . .
. . . . 7 . . . . .
6 . . . . . . . . 6
""")
(NARROW,) = read_puzzles("""7 5
1 1 . . . . 2
. . . . . . .
. . . . . . .
. . . . . . .
2 . . . . . .
""")


def search_and_board(puzzle, room):
    """Return a search with ``room`` words for clauses, and a board whose lowest drawings it searches for."""
    grid = puzzle.grid
    search, prover_board = (
        Search(grid.size, grid.cols, len(puzzle.pairs), room),
        ProverBoard(grid.rows, grid.cols),
    )
    reset_prover_board(prover_board, grid.rows, grid.cols, DrawingKind.LOWEST)
    for cell in range(grid.size):
        prover_board.need[cell], prover_board.label[cell] = 2, -1
    for cell, number in puzzle.number_at.items():
        prover_board.need[cell], prover_board.label[cell] = 1, number - 1
    return search, prover_board


def test_learnt_clauses_stay_within_the_clause_array():
    search, prover_board = search_and_board(HARD, room_for(100, 10_000))
    add_board_clauses(search, prover_board)
    smallest_room = search.words + search.longest
    for more in (200, 800, 2000, 8000):
        search, prover_board = search_and_board(HARD, smallest_room + more)
        found = FoundDrawings(100)
        begin_search(search, prover_board, found)
        outcome, _ = search_for_two(search, prover_board, found, 10_000)
        assert search.used - (2 * search.variables + 1) <= search.words <= search.room
        assert (outcome, found.count) in {(SearchOutcome.EXHAUSTED, 1), (SearchOutcome.GAVE_UP, 0)}


def test_clauses_watch_two_literals_that_are_not_false_after_a_reduction():
    search, prover_board = search_and_board(HARD, room_for(100, 10_000))
    add_board_clauses(search, prover_board)
    long = next(clause for clause, size in clauses_of(search) if size > 3)
    assign(search, search.arena[long + HEADER] ^ 1, NO_REASON)
    reduce_learnt(search, 3)
    for clause, size in clauses_of(search):
        literals = [search.arena[clause + HEADER + at] for at in range(size)]
        not_false = [literal for literal in literals if search.value[literal] >= 0]
        if len(not_false) > 1:
            assert literals[:2] == not_false[:2]


@pytest.mark.parametrize("board", [HARD, NARROW], ids=["hard", "narrow"])
@pytest.mark.parametrize("kind", [DrawingKind.LOWEST, DrawingKind.FILLING])
def test_a_depth_first_search_stays_within_its_arrays(board, kind, monkeypatch):
    check_arrays(monkeypatch.setattr)
    _, prover_board = search_and_board(board, room_for(board.grid.size, 1))
    reset_prover_board(prover_board, board.grid.rows, board.grid.cols, kind)
    found = FoundDrawings(board.grid.size)
    outcome, _ = scan_for_two(Scan(board.grid.rows, board.grid.cols), prover_board, found, 400)
    assert (outcome == SearchOutcome.FOUND) == (found.count == 2)


def clauses_of(search):
    """Yield the position and the number of literals of each clause in the arena."""
    clause = 2 * search.variables + 1
    while clause < search.used:
        size = search.arena[clause] >> 3
        yield clause, size
        clause = (clause + HEADER + size) | 1


def test_contradictory_findings_stay_within_their_arrays():
    board = LadderBoard(5, 7, 0)
    forget_findings(board)
    for number in range(1, 1000):
        propose(board, FindingKind.NUMBERED, 0, 0, number)
    assert board.finding_count == board.capacity == len(board.kind)


def test_a_square_can_not_get_the_number_of_a_finished_path():
    position = position_of(NARROW, Rule.FILLED)
    first, second = NARROW.pairs[0].first, NARROW.pairs[0].second
    assert position.apply([EdgeState.DRAWN, edge_index((first, second)), 0, 0])
    assert not position.copy().apply([FindingKind.NUMBERED, 17, 0, 1 + first])
    other = NARROW.pairs[1].first
    assert position.apply([FindingKind.NUMBERED, 17, 0, 1 + other])


def comb(rows, cols):
    """Return a board with the longest walls: every other column is solid except for its last square."""
    solids = {row * cols + col for col in range(1, cols, 2) for row in range(rows - 1)}
    return Puzzle(Grid(rows, cols, frozenset(solids)), (Pair(1, 0, (cols - 1) // 2 * 2),))


def empty(rows, cols):
    """Return a board with one pair, in opposite corners."""
    return Puzzle(Grid(rows, cols), (Pair(1, 0, rows * cols - 1),))


def crowded(rows, cols):
    """Return a board on which every square is a number, beside the other number of its pair."""
    pairs = tuple(Pair(at + 1, 2 * at, 2 * at + 1) for at in range(rows * cols // 2))
    return Puzzle(Grid(rows, cols), pairs)


def position_with_arrays_checked(puzzle, rule, monkeypatch):
    """Return the position of an unsolved puzzle, for the plain kernels with checked arrays."""
    check_arrays(monkeypatch.setattr)
    grid = puzzle.grid
    free = [int(cell not in grid.solids) for cell in range(grid.size)]
    ends = [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]
    return climb.Position(grid.rows, grid.cols, free, ends, rule is Rule.STRICT, KERNEL_LADDER)


@pytest.mark.parametrize(
    ("board", "size"),
    [
        *product((empty, comb, crowded), ((3, 4), (12, 12))),
        (comb, (24, 24)), (empty, (50, 50)), (crowded, (50, 50)),
        pytest.param(comb, (50, 50), marks=pytest.mark.soak),
    ],
)  # fmt: skip
def test_walks_along_the_walls_of_large_boards_stay_within_their_arrays(board, size, monkeypatch):
    position = position_with_arrays_checked(board(*size), Rule.STRICT, monkeypatch)
    assert isinstance(position.order.met_cell, Checked)
    assert find_order(position.board, position.order)


@pytest.mark.parametrize("rule", [Rule.FILLED, Rule.STRICT])
@pytest.mark.parametrize("board", [empty, comb, crowded])
def test_the_log_of_a_climb_stays_within_its_array(board, rule, monkeypatch):
    position = position_with_arrays_checked(board(4, 6), rule, monkeypatch)
    _, rounds = position.climb(Code.NESTED)
    assert len(position.findings()) == 4 * sum(rounds[1::4])


def test_a_climb_applies_techniques_in_the_given_order():
    first, second, *others = KERNEL_LADDER
    board = 3, 3, [1] * 9, [0, 2, 3, 8], False
    rounds = [
        climb.Position(*board, ladder).climb(2)[1] for ladder in (KERNEL_LADDER, [second, first, *others])
    ]
    assert [made[::4] for made in rounds] == [[Code.EXITS, Code.EXITS, Code.CLASH], [Code.CLASH, Code.EXITS]]


@pytest.mark.parametrize("strict", [False, True])
def test_a_technique_for_strict_boards_finds_nothing_on_others(strict):
    corners = [climb.Position(5, 7, [1] * 35, [0, 34], strict, [(Code.CORNER, 2, only)]) for only in (0, 1)]
    assert [bool(position.find_with(Code.CORNER)) for position in corners] == [True, strict]


@pytest.mark.parametrize(
    ("solids", "ends", "known"),
    [
        ([4], [0, 1], []), ([], [0, -1], []), ([], [0, 2**31 - 1], []), ([], [0, 3], [[0, 50]]),
        ([], [0, 3], [[-7, 1]]),
    ],
)  # fmt: skip
def test_cells_beyond_the_board_are_refused(solids, ends, known):
    pairs, paths = (Pair(1, *ends),), tuple(Path(1, cells) for cells in known)
    with pytest.raises(IndexError, match="the board has no cell"):
        DrawingSearch(2, 2, solids, pairs, DrawingKind.LOWEST, 10, paths, 0)
    if not known:
        with pytest.raises(IndexError, match="the board has no cell"):
            FormProofs(2, 2, solids, pairs, DrawingKind.LOWEST)


def test_more_numbers_than_cells_are_refused():
    pairs = tuple(Pair(number, 0, 3) for number in range(1, 9))
    with pytest.raises(IndexError, match="no cells for 8 pairs"):
        DrawingSearch(2, 2, [], pairs, DrawingKind.LOWEST, 10, (), 0)
