from itertools import permutations

import plain_rng

from linkpress.engine.kernels import Rng, rng_from

# An odd and an even bound whose two remainders tell every number of 64 bits from every other.
ALMOST_ALL, MANY = (1 << 63) - 1, 1 << 62


def words(word, count):
    """What rng that stand at a word roll under the two bounds."""
    odd, even = Rng(word), Rng(word)
    return [(odd.below(ALMOST_ALL), even.below(MANY)) for _ in range(count)]


def remainders(numbers):
    return [(number % ALMOST_ALL, number % MANY) for number in numbers]


def test_first_numbers_of_a_seed_never_change():
    assert words(rng_from("5x7").state(), 3) == remainders(
        [964807859585533967, 5497673143768822448, 3095353502867420354]
    )


def test_any_text_is_a_seed():
    """Letters that a terminal writes in no UTF-8 come as half of a pair."""
    assert rng_from("\udce9t\udce9").state() == 6095752603811123644


def test_splitmix64_gives_the_published_sequence_from_state_1234567():
    assert words(1234567, 3) == remainders([6457827717110365317, 3203168211198807973, 9817491932198370423])


def test_the_engines_dice_roll_as_those_written_a_second_time():
    engines, plain = rng_from("5x7"), plain_rng.Rng("5x7")
    # Just above half of 2^64 nearly every other draw is rolled again.
    for bound in (1, 2, 7, 35, MANY, (1 << 62) + (1 << 61) + 5, ALMOST_ALL):
        assert [engines.below(bound) for _ in range(20)] == [plain.below(bound) for _ in range(20)]


def test_dice_that_stand_at_the_same_word_go_on_alike():
    rng = rng_from("stand")
    rng.below(5)
    again = Rng(rng.state())
    assert [rng.below(35) for _ in range(20)] == [again.below(35) for _ in range(20)]
    assert rng.state() == again.state()


def test_a_roll_stays_below_its_bound_and_reaches_every_number():
    rng = rng_from("reach")
    assert {rng.below(5) for _ in range(200)} == {0, 1, 2, 3, 4}


def test_shuffle_keeps_the_items_and_gives_every_order():
    rng, orders = rng_from("shuffle"), set()
    for _ in range(200):
        items = list("abcd")
        rng.shuffle(items)
        orders.add("".join(items))
    assert orders == {"".join(order) for order in permutations("abcd")}
