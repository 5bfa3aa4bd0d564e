"""A second implementation of the engine's random number generator, in plain Python."""

import hashlib
from typing import TypeVar

T = TypeVar("T")

_MASK = (1 << 64) - 1
_STEP = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB


class Rng:
    """Generator of the same random numbers as the engine's, for a seed that may be any text."""

    def __init__(self, seed):
        self._state = int.from_bytes(hashlib.sha256(seed.encode("utf-8")).digest()[:8], "big")

    def next_u64(self):
        """Return 64 random bits."""
        self._state = (self._state + _STEP) & _MASK
        z = self._state
        z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
        z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
        return z ^ (z >> 31)

    def below(self, bound):
        """Return a random integer from 0 to ``bound - 1``, each with the same probability."""
        favoured = (1 << 64) % bound
        drawn = self.next_u64()
        while drawn < favoured:
            drawn = self.next_u64()
        return drawn % bound

    def choose(self, items):
        """Return a random item, each with the same probability."""
        return items[self.below(len(items))]

    def shuffle(self, items):
        """Shuffle the items in place, by the method of Fisher and Yates."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
