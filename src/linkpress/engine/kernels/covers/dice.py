"""The engine has its own random numbers: splitmix64, the same compiled and uncompiled.

No release of Python or of a library can change a puzzle through it. Kernels use ``next_u64``,
``below``, ``roll_below`` and ``roll_bits``; Python makes dice with ``dice_from`` and calls their
methods. All advance the dice in place.

Source:
    Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from hashlib import sha256

from linkpress.engine.kernels import pure_python as cython
from linkpress.engine.kernels.pure_python import State, for_python

ALL_BITS = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
_GAMMA = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
_MIX_1 = cython.declare(cython.ulonglong, 0xBF58476D1CE4E5B9)
_MIX_2 = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


class Dice(State):
    """Dice stand at a word; equal words roll equally."""

    word: cython.ulonglong  # grows by ``_GAMMA`` at each roll

    def __init__(self, word: cython.ulonglong) -> None:
        self.word = word

    def standing(self) -> int:
        """Return the word that the dice stand at."""
        return self.word

    def roll(self, bound: cython.longlong) -> int:
        """Roll a whole number from 0 to ``bound - 1``, all equally likely; ``bound`` is 1 or more."""
        return below(self, bound)

    def shuffle(self, items: list) -> None:
        """Put the items into a random order, in place (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = below(self, last + 1)
            items[last], items[other] = items[other], items[last]


@for_python
def dice_from(seed: str) -> Dice:
    """Return the dice of a seed, any text: their word is the first eight bytes of its sha256."""
    return Dice(int.from_bytes(sha256(seed.encode("utf-8", "surrogatepass")).digest()[:8], "big"))


def next_u64(dice: Dice) -> cython.ulonglong:
    """Advance the dice and return 64 random bits."""
    dice.word = (dice.word + _GAMMA) & ALL_BITS
    mixed: cython.ulonglong = dice.word
    mixed = ((mixed ^ (mixed >> 30)) * _MIX_1) & ALL_BITS
    mixed = ((mixed ^ (mixed >> 27)) * _MIX_2) & ALL_BITS
    return mixed ^ (mixed >> 31)


def below(dice: Dice, bound: cython.longlong) -> cython.longlong:
    """Roll a whole number from 0 to ``bound - 1``, all equally likely; ``bound`` is 1 or more."""
    wide: cython.ulonglong = bound
    # 2^64 mod bound draws at the low end would favour the small remainders: roll again.
    favoured: cython.ulonglong = (ALL_BITS - wide + 1) % wide
    drawn: cython.ulonglong = next_u64(dice)
    while drawn < favoured:
        drawn = next_u64(dice)
    return drawn % wide


def roll_below(dice: Dice, bound: int) -> int:
    """Roll a whole number from 0 to ``bound - 1``; quicker than ``below`` and as even as 32 bits allow."""
    wide: cython.ulonglong = bound
    wide = ((next_u64(dice) >> 32) * wide) & ALL_BITS
    return wide >> 32


def roll_bits(dice: Dice) -> cython.longlong:
    """Roll 63 random bits."""
    return next_u64(dice) >> 1
