"""The engine's random number generator: splitmix64, with the same results compiled and uncompiled.

The engine has a generator of its own, so that a new release of Python or of a library can't change a puzzle.
Kernels call ``next_u64``, ``below``, ``random_below`` and ``random_bits``. Python code makes a generator with
``rng_from`` and calls its methods. All of them advance the generator in place.

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


class Rng(State):
    """Deterministic random number generator: equal states give equal sequences."""

    word: cython.ulonglong  # the state of the generator; making a random number adds ``_GAMMA`` to it

    def __init__(self, word: cython.ulonglong) -> None:
        self.word = word

    def state(self) -> int:
        return self.word

    def below(self, bound: cython.longlong) -> int:
        return below(self, bound)

    def shuffle(self, items: list) -> None:
        """Shuffle a list in place, by the method of Fisher and Yates."""
        for last in range(len(items) - 1, 0, -1):
            other = below(self, last + 1)
            items[last], items[other] = items[other], items[last]


@for_python
def rng_from(seed: str) -> Rng:
    """Return a random number generator for a seed, which may be any text.

    The state of the generator is the first 8 bytes of the SHA-256 hash of the seed.
    """
    return Rng(int.from_bytes(sha256(seed.encode("utf-8", "surrogatepass")).digest()[:8], "big"))


def next_u64(rng: Rng) -> cython.ulonglong:
    """Return 64 random bits."""
    rng.word = (rng.word + _GAMMA) & ALL_BITS
    mixed: cython.ulonglong = rng.word
    mixed = ((mixed ^ (mixed >> 30)) * _MIX_1) & ALL_BITS
    mixed = ((mixed ^ (mixed >> 27)) * _MIX_2) & ALL_BITS
    return mixed ^ (mixed >> 31)


def below(rng: Rng, bound: cython.longlong) -> cython.longlong:
    """Return a random integer from 0 to ``bound - 1``, each with the same probability.

    Args:
        bound: at least 1.
    """
    wide: cython.ulonglong = bound
    # The result is a random number from 0 to 2^64 - 1, modulo ``bound``. In most cases, 2^64 is not a
    # multiple of ``bound``, so some results would be slightly more likely than others. To prevent this, the
    # lowest ``rejected`` numbers are not used.
    rejected: cython.ulonglong = (ALL_BITS - wide + 1) % wide
    number: cython.ulonglong = next_u64(rng)
    while number < rejected:
        number = next_u64(rng)
    return number % wide


def random_below(rng: Rng, bound: int) -> int:
    """Return a random integer from 0 to ``bound - 1``.

    This is faster than ``below``, but some integers are slightly more likely than others.
    """
    wide: cython.ulonglong = bound
    wide = ((next_u64(rng) >> 32) * wide) & ALL_BITS
    return wide >> 32


def random_bits(rng: Rng) -> cython.longlong:
    return next_u64(rng) >> 1
