"""Where a kernel's arrays end: run as plain Python, where a list refuses what lies beyond it."""

from itertools import product

import pytest
from checked_arrays import Checked, check_arrays

from linkpress.engine.kernels import DrawingSearch
from linkpress.engine.kernels.glossary import DrawingKind, EdgeState, FindingKind, SearchOutcome
from linkpress.engine.kernels.glossary import TechniqueCode as Code
from linkpress.engine.kernels.ladder import climb
from linkpress.engine.kernels.ladder.ladder_board import LadderBoard, forget_findings, propose
from linkpress.engine.kernels.ladder.wall_order import find_order
from linkpress.engine.kernels.prover.cdcl import HEADER, NO_REASON, Search, assign, reduce_learnt
from linkpress.engine.kernels.prover.clauses import Question, add_question, reset_question
from linkpress.engine.kernels.prover.drawings import (
    FoundDrawings,
    begin_search,
    room_for,
    scan_for_two,
    search_for_two,
)
from linkpress.engine.kernels.prover.scan import Scan
from linkpress.engine.ladder import edge_index, position_of
from linkpress.engine.recipe import Rule
from linkpress.engine.techniques import KERNEL_LADDER
from linkpress.puzzle.notation.notations import read_puzzles
from linkpress.puzzle.puzzle import Grid, Pair, Path, Puzzle

# A question of 485 conflicts, whose learnt clauses take some 20,000 words.
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


def posed(puzzle, room):
    """A search with so many words for clauses, and the strict question about a board."""
    grid = puzzle.grid
    search, question = Search(grid.size, grid.cols, len(puzzle.pairs), room), Question(grid.rows, grid.cols)
    reset_question(question, grid.rows, grid.cols, DrawingKind.LOWEST)
    for cell in range(grid.size):
        question.need[cell], question.label[cell] = 2, -1
    for place, pair in enumerate(puzzle.pairs):
        for cell in (pair.first, pair.second):
            question.need[cell], question.label[cell] = 1, place
    return search, question


def test_learnt_clauses_never_outgrow_the_arena():
    search, question = posed(HARD, room_for(100, 10_000))
    add_question(search, question)
    least = search.used + search.longest
    for more in (200, 800, 2000, 8000):
        search, question = posed(HARD, least + more)
        found = FoundDrawings(100)
        begin_search(search, question, found)
        outcome, _ = search_for_two(search, question, found, 10_000)
        assert search.used <= search.room
        assert (outcome, found.count) in {(SearchOutcome.EXHAUSTED, 1), (SearchOutcome.GAVE_UP, 0)}


def test_clearing_watches_each_clause_by_two_literals_that_may_hold():
    search, question = posed(HARD, room_for(100, 10_000))
    add_question(search, question)
    clauses = clauses_of(search)
    long = next(clause for clause in clauses if search.arena[clause] > 3)
    assign(search, search.arena[long + HEADER] ^ 1, NO_REASON)
    reduce_learnt(search, 3)
    for clause in clauses_of(search):
        literals = [search.arena[clause + HEADER + at] for at in range(search.arena[clause])]
        may_hold = [literal for literal in literals if search.value[literal] >= 0]
        if len(may_hold) > 1:
            assert literals[:2] == may_hold[:2]


@pytest.mark.parametrize("board", [HARD, NARROW], ids=["hard", "narrow"])
@pytest.mark.parametrize("kind", [DrawingKind.LOWEST, DrawingKind.FILLING])
def test_a_scan_has_room_for_all_that_it_settles(board, kind, monkeypatch):
    check_arrays(monkeypatch.setattr)
    _, question = posed(board, room_for(board.grid.size, 1))
    reset_question(question, board.grid.rows, board.grid.cols, kind)
    found = FoundDrawings(board.grid.size)
    outcome, _ = scan_for_two(Scan(board.grid.rows, board.grid.cols), question, found, 400)
    assert (outcome == SearchOutcome.FOUND) == (found.count == 2)


def clauses_of(search):
    """The places of all clauses in the arena."""
    places = [0]
    while places[-1] < search.used:
        places.append(places[-1] + HEADER + search.arena[places[-1]])
    return places[:-1]


def test_numbers_that_contradict_each_other_are_listed_no_further_than_there_is_room():
    board = LadderBoard(5, 7, 0)
    forget_findings(board)
    for number in range(1, 1000):
        propose(board, FindingKind.NUMBERED, 0, 0, number)
    assert board.finding_count == board.capacity == len(board.kind)


def test_a_joined_pair_gives_its_number_to_no_other_square():
    position = position_of(NARROW, Rule.FILLED)
    first, second = NARROW.pairs[0].first, NARROW.pairs[0].second
    assert position.apply([EdgeState.DRAWN, edge_index((first, second)), 0, 0])
    assert not position.copy().apply([FindingKind.NUMBERED, 17, 0, 1 + first])
    other = NARROW.pairs[1].first
    assert position.apply([FindingKind.NUMBERED, 17, 0, 1 + other])


def comb(rows, cols):
    """A board with one pair and every other column solid but for its last square: the longest walls."""
    solids = {row * cols + col for col in range(1, cols, 2) for row in range(rows - 1)}
    return Puzzle(Grid(rows, cols, frozenset(solids)), (Pair(1, 0, (cols - 1) // 2 * 2),))


def bare(rows, cols):
    return Puzzle(Grid(rows, cols), (Pair(1, 0, rows * cols - 1),))


def crowded(rows, cols):
    """All squares are numbers, joined in pairs of neighbours."""
    pairs = tuple(Pair(at + 1, 2 * at, 2 * at + 1) for at in range(rows * cols // 2))
    return Puzzle(Grid(rows, cols), pairs)


@pytest.mark.parametrize(
    ("board", "size"),
    [
        *product((bare, comb, crowded), ((3, 4), (12, 12))),
        (comb, (24, 24)), (bare, (50, 50)), (crowded, (50, 50)),
        pytest.param(comb, (50, 50), marks=pytest.mark.soak),
    ],
)  # fmt: skip
def test_walks_along_the_walls_of_the_largest_boards_have_room(board, size, monkeypatch):
    check_arrays(monkeypatch.setattr)
    position = climb.Position(*words_of(board(*size)), True, KERNEL_LADDER)
    assert isinstance(position.order.square, Checked)
    assert find_order(position.board, position.order)


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("board", [bare, comb, crowded])
def test_a_climb_has_room_for_all_that_it_logs(board, strict, monkeypatch):
    check_arrays(monkeypatch.setattr)
    position = climb.Position(*words_of(board(4, 6)), strict, KERNEL_LADDER)
    _, rounds = position.climb(Code.NESTED)
    log = position.findings()
    assert len(log) == 4 * sum(rounds[1::4])


def words_of(puzzle):
    """Rows, columns, free squares and pairs as a position takes them."""
    grid = puzzle.grid
    free = [int(cell not in grid.solids) for cell in range(grid.size)]
    return grid.rows, grid.cols, free, [cell for pair in puzzle.pairs for cell in (pair.first, pair.second)]


def test_a_climb_goes_by_the_order_that_it_is_given():
    first, second, *others = KERNEL_LADDER
    board = 3, 3, [1] * 9, [0, 2, 3, 8], False
    rounds = [
        climb.Position(*board, ladder).climb(2)[1] for ladder in (KERNEL_LADDER, [second, first, *others])
    ]
    assert [made[::4] for made in rounds] == [[Code.EXITS, Code.EXITS, Code.CLASH], [Code.CLASH, Code.EXITS]]


@pytest.mark.parametrize("strict", [False, True])
def test_a_technique_of_strict_boards_alone_is_silent_on_others(strict):
    corners = [climb.Position(5, 7, [1] * 35, [0, 34], strict, [(Code.CORNER, 2, only)]) for only in (0, 1)]
    assert [bool(position.find_with(Code.CORNER)) for position in corners] == [True, strict]


@pytest.mark.parametrize(
    ("solids", "ends", "known"),
    [
        ([4], [0, 1], []), ([], [0, -1], []), ([], [0, 2**31 - 1], []), ([], [0, 3], [[0, 50]]),
        ([], [0, 3], [[-7, 1]]),
    ],
)  # fmt: skip
def test_what_lies_beyond_the_board_is_refused_and_not_written_to(solids, ends, known):
    pairs, paths = (Pair(1, *ends),), tuple(Path(1, way) for way in known)
    with pytest.raises(IndexError, match="the board has no cell"):
        DrawingSearch(2, 2, solids, pairs, DrawingKind.LOWEST, 10, paths, 0)
