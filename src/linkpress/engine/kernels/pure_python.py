"""Cython's words, and the states' memory, mean this when kernels run as plain Python.

The kernels are written in Cython's pure Python mode: ordinary modules with Cython's decorators and types.
They take these words from here, where decorators do nothing and types mean nothing; compiled, Cython's own
and those of ``_compiled.pyx`` stand in their place.

Source:
    fontTools does the same (``fontTools.misc.cython``).
"""

from __future__ import annotations

import sys
from array import array
from contextlib import nullcontext
from inspect import get_annotations
from typing import Any, TypeVar

T = TypeVar("T")

longlong = ulonglong = int
nogil = nullcontext()
# Arrays, by the words that Python's go by.
Bytes, Shorts, Ints, Floats = "b", "h", "i", "d"


class State:
    """A state has arrays that its ``__init__`` makes, and that live as long as the state.

    No field of a state points into another state's arrays, so that none can outlive its memory.
    """


def cfunc(function: T) -> T:
    """Mark a function of C's that makes or takes Python's objects, and may raise."""
    return function


def for_python(function: T) -> T:
    """Mark a function that Python calls: it takes or makes lists, and may raise."""
    return function


def declare(kind: object, value: T) -> T:
    """Return the value of a module's C constant."""
    return value


def items(count: str) -> Any:
    """Declare an array of zeros, counted in names that ``__init__`` has when it calls ``make_fields``."""
    return count


unset_items = items
"""A field that is an array of any content, for a large one of which often little is used: zeros took 6 of the
7 ms of a proof of 10 × 10. Uncompiled, they are zeros."""


def make_fields(state: object, names: dict[str, Any]) -> None:
    """Make the arrays among the fields of a state's class, and let its figures be 0 that have no value yet.

    Compiled, ``hatch_build.py`` writes this out; there all figures are 0 to begin with. ``names`` are the
    ``locals()`` of the state's ``__init__``.
    """
    for owner in type(state).__mro__:
        for name, kind in get_annotations(owner).items():
            if count := vars(owner).get(name):
                constants = vars(sys.modules[owner.__module__])
                setattr(state, name, make_array(kind, eval(count, constants, names)))
            elif kind in (int, float, bool):
                vars(state).setdefault(name, kind())


def make_array(kind: str, size: int) -> Any:
    """Make one of Python's arrays, of zeros; tests let others take its place."""
    return array(kind, [0]) * size
