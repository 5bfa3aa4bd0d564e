"""The engine's own random numbers: splitmix64, the same in kernels and in Python.

No release of NumPy, numba or Python can change a puzzle through it. In kernels the state is an
array ``uint64[1]`` from ``dice_state`` that ``next_u64`` and ``below`` advance in place.

Source:
    Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import hashlib
from collections.abc import MutableSequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from linkpress.engine.kernels.compile import kernel

T = TypeVar("T")
DiceState = NDArray[np.uint64]

_STEP_U = np.uint64(0x9E3779B97F4A7C15)
_MIX_1_U = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2_U = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31 = np.uint64(27), np.uint64(30), np.uint64(31)
_ZERO = np.uint64(0)


def dice_state(seed: str) -> DiceState:
    """The state that a seed starts from.

    Args:
        seed: any text.
    Returns:
        ``uint64[1]``: the first eight bytes of the text's sha256.
    """
    first = int.from_bytes(hashlib.sha256(seed.encode("utf-8")).digest()[:8], "big")
    return np.array([first], dtype=np.uint64)


@kernel("uint64(uint64[::1])")
def next_u64(state: DiceState) -> Any:
    """Advance the dice and return 64 random bits."""
    state[0] += _STEP_U
    z = state[0]
    z = (z ^ (z >> _U30)) * _MIX_1_U
    z = (z ^ (z >> _U27)) * _MIX_2_U
    return z ^ (z >> _U31)


@kernel("int64(uint64[::1], int64)")
def below(state: DiceState, bound: int) -> int:
    """A whole number from 0 to ``bound - 1``, all equally likely; ``bound`` is 1 or more."""
    wide = np.uint64(bound)
    # 2^64 mod bound draws at the low end would favour the small remainders: roll again.
    favoured = (_ZERO - wide) % wide
    drawn = next_u64(state)
    while drawn < favoured:
        drawn = next_u64(state)
    # int() alone would stay unsigned, and a kernel that calls this with a literal and with a
    # variable could not give the two results one type.
    return int(np.int64(drawn % wide))


def shuffle(items: MutableSequence[T], state: DiceState) -> None:
    """Put the items into a random order, in place (Fisher and Yates)."""
    for last in range(len(items) - 1, 0, -1):
        other = int(below(state, last + 1))
        items[last], items[other] = items[other], items[last]
