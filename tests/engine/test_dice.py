from itertools import permutations

from plain_dice import Dice

from linkpress.engine.kernels.dice import below, dice_state, next_u64, shuffle


def test_first_numbers_of_a_seed_never_change() -> None:
    dice = Dice("5x7")
    assert [dice.next_u64() for _ in range(3)] == [
        964807859585533967,
        5497673143768822448,
        3095353502867420354,
    ]


def test_splitmix64_gives_the_published_sequence_from_state_1234567() -> None:
    state = dice_state("any")
    state[0] = 1234567
    assert [int(next_u64(state)) for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_kernel_and_python_dice_roll_the_same() -> None:
    state, dice = dice_state("5x7"), Dice("5x7")
    assert [int(next_u64(state)) for _ in range(20)] == [dice.next_u64() for _ in range(20)]
    # Just above half of 2^64 nearly every other draw is rolled again.
    for bound in (1, 2, 7, 35, (1 << 62) + (1 << 61) + 5):
        assert [below(state, bound) for _ in range(20)] == [dice.below(bound) for _ in range(20)]


def test_below_stays_below_and_reaches_every_number() -> None:
    dice = Dice("reach")
    assert {dice.below(5) for _ in range(200)} == {0, 1, 2, 3, 4}


def test_shuffle_keeps_the_items_and_gives_every_order() -> None:
    state, orders = dice_state("shuffle"), set()
    for _ in range(200):
        items = list("abcd")
        shuffle(items, state)
        orders.add("".join(items))
    assert orders == {"".join(order) for order in permutations("abcd")}
