"""The engine's random number generator, compared with one written a second time in plain Python."""

from itertools import permutations

import plain_rng

from linkpress.engine.kernels import Rng, rng_from

# An odd and an even bound whose two remainders tell every number of 64 bits from every other.
ALMOST_ALL, MANY = (1 << 63) - 1, 1 << 62


def remainders_from(state, count):
    """The first numbers after a state, as their remainders for the two bounds."""
    odd, even = Rng(state), Rng(state)
    return [(odd.below(ALMOST_ALL), even.below(MANY)) for _ in range(count)]


def remainders(numbers):
    return [(number % ALMOST_ALL, number % MANY) for number in numbers]


def test_first_numbers_of_a_seed_never_change():
    numbers = [964807859585533967, 5497673143768822448, 3095353502867420354]
    assert remainders_from(rng_from("5x7").state(), 3) == remainders(numbers)


def test_any_text_is_a_seed_even_half_of_a_surrogate_pair():
    assert rng_from("\udce9t\udce9").state() == 6095752603811123644


def test_splitmix64_gives_the_published_sequence_from_state_1234567():
    numbers = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert remainders_from(1234567, 3) == remainders(numbers)


def test_both_generators_give_the_same_numbers():
    engine, plain = rng_from("5x7"), plain_rng.Rng("5x7")
    # Just above half of 2^64 nearly every other number is rejected.
    for bound in (1, 2, 7, 35, MANY, (1 << 62) + (1 << 61) + 5, ALMOST_ALL):
        assert [engine.below(bound) for _ in range(20)] == [plain.below(bound) for _ in range(20)]


def test_equal_states_give_equal_sequences():
    rng = rng_from("state")
    rng.below(5)
    again = Rng(rng.state())
    assert [rng.below(35) for _ in range(20)] == [again.below(35) for _ in range(20)]
    assert rng.state() == again.state()


def test_shuffle_keeps_the_items_and_gives_every_order():
    rng, orders = rng_from("shuffle"), set()
    for _ in range(200):
        items = list("abcd")
        rng.shuffle(items)
        orders.add("".join(items))
    assert orders == {"".join(order) for order in permutations("abcd")}
