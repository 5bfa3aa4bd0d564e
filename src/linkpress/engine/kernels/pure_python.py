"""What the kernels import from Cython, and their arrays, when they run as plain Python.

Kernels are ordinary Python modules with Cython's decorators and types (its "pure Python mode"). They import
these names from this module, where the decorators do nothing and the types mean nothing. When the kernels are
compiled, Cython and ``_compiled.pyx`` provide them instead.

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
# The type codes of arrays in Python's ``array`` module.
Bytes, Shorts, Ints, Floats = "b", "h", "i", "d"


class State:
    """Base class of the kernels' data structures, whose arrays are freed together with them.

    No field may point into an array of another state, because the array could be freed first.
    """


def cfunc(function: T) -> T:
    """Mark a C function that handles Python objects and may raise an exception."""
    return function


def for_python(function: T) -> T:
    """Mark a function that Python code calls. It may handle Python objects and raise exceptions."""
    return function


def declare(kind: object, value: T) -> T:
    """Return the value of a module constant, which has a C type when compiled."""
    return value


def items(count: str) -> Any:
    """Declare a field that is an array of zeros.

    Args:
        count: the length, as an expression of names that ``__init__`` has when it calls ``make_fields``.
    """
    return count


unset_items = items
"""Declares a field that is an uninitialised array, for large arrays of which often only a little is used.
Writing zeros took 6 of the 7 ms of a proof of 10 × 10. In plain Python the array has zeros."""


def make_fields(state: object, names: dict[str, Any]) -> None:
    """Create the arrays of a state, and set its numbers to 0.

    In compiled kernels ``hatch_build.py`` replaces this call by one assignment for each array.

    Args:
        names: the ``locals()`` of the state's ``__init__``.
    """
    for owner in type(state).__mro__:
        for name, kind in get_annotations(owner).items():
            if count := vars(owner).get(name):
                constants = vars(sys.modules[owner.__module__])
                setattr(state, name, make_array(kind, eval(count, constants, names)))
            elif kind in (int, float, bool):
                vars(state).setdefault(name, kind())


def make_array(kind: str, size: int) -> Any:
    """Return an array of zeros. Tests replace this function."""
    return array(kind, [0]) * size
