from dataclasses import replace

import pytest

from linkpress.book.plan import plan_slots
from linkpress.book.spec import BookSpec
from linkpress.production.alike import AlikeCheck, Layout
from linkpress.production.slot_search import make_slot
from linkpress.puzzle.puzzle import Grid, Pair, Puzzle
from paper_maker import make_on_paper


def made_slots(count, **keys):
    """Return the slots of a level, with boards that all have their numbers in the same cells."""
    level = {"name": "A", "count": count, "size": 7, "paths": 5, **keys}
    slots = plan_slots(BookSpec.model_validate({"title": "T", "seed": 1, "levels": [level]}))
    first = make_slot(make_on_paper, slots[0], 0)
    return slots, [replace(first, slot=slot) for slot in slots]


def test_a_waiting_puzzle_is_too_alike_as_soon_as_the_earlier_one_is_accepted():
    slots, made = made_slots(3)
    check = AlikeCheck(slots)
    check.add(2, made[2])
    assert not check.is_too_alike(2)
    assert check.accept(0, made[0]) == [2]
    check.add(1, made[1])
    assert check.is_too_alike(1)
    assert check.too_alike(1) == [made[1]]
    assert check.overlap(1, made[1]) == 1.0


def test_a_puzzle_is_compared_with_the_hundred_slots_before_it():
    slots, made = made_slots(102)
    check = AlikeCheck(slots)
    check.add(101, made[101])
    assert check.accept(0, made[0]) == []
    assert check.accept(1, made[1]) == [101]


def test_boards_in_a_shape_are_not_compared_and_others_are_compared_with_them():
    slots, made = made_slots(2)
    shaped = replace(slots[0], recipe=replace(slots[0].recipe, mask=made[0].record.puzzle.grid))
    for order in ((shaped, slots[1]), (slots[0], replace(shaped, number=2))):
        check = AlikeCheck(order)
        check.add(1, replace(made[1], slot=order[1]))
        assert check.accept(0, replace(made[0], slot=order[0])) == [1] * (order[0] is shaped)


def test_the_overlap_of_boards_is_the_largest_in_any_rotation_or_reflection():
    grid, ends = Grid(7, 8), ((0, 3), (20, 55))
    board = Puzzle(grid, tuple(Pair(number, *cells) for number, cells in enumerate(ends, 1)))
    turned = Puzzle(grid, (Pair(1, 52, 55), Pair(2, 35, 54)))  # a half turn moves 0, 3 and 20 to 55, 52, 35
    assert Layout.of(board).overlaps([Layout.of(turned).cells]) == [3 / 4]


@pytest.mark.parametrize(("count", "attempt", "most"), [(120, 15, 6), (120, 16, 7), (121, 0, 7)])
def test_a_puzzle_may_overlap_more_after_16_attempts_or_in_a_large_book(count, attempt, most):
    slots, made = made_slots(count)
    slots += tuple(replace(slot, level="B") for slot in slots)  # a later level is not counted
    grid, columns = Grid(7, 7), (0, 1, 2, 3, 4)
    first = Puzzle(grid, tuple(Pair(col + 1, col, 7 + col) for col in columns))  # numbers in two rows
    for shared in (6, 7):
        cells = [*(end for pair in first.pairs for end in (pair.first, pair.second))][:shared]
        cells += [21, 24, 31, 43][: 10 - shared]
        board = Puzzle(grid, tuple(Pair(n + 1, *sorted(cells[2 * n : 2 * n + 2])) for n in columns))
        check = AlikeCheck(slots)
        check.accept(0, of_board(made[0], first, 0))
        check.add(1, of_board(made[1], board, attempt))
        assert check.is_too_alike(1) == (shared > most)


def of_board(finished, board, attempt):
    """Return a copy of a finished slot with another board and another number of its attempt."""
    solution = replace(finished.record.solution, puzzle=board)
    return replace(finished, record=replace(finished.record, solution=solution, attempt=attempt))
