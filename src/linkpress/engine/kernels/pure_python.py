"""Replacements for Cython's names, and the kernels' arrays, when the kernels run as plain Python.

Kernels are ordinary Python modules with Cython's decorators and types (its "pure Python mode"). They import
these names from this module, where the decorators and types have no effect. When the kernels are compiled,
Cython and ``_compiled.pyx`` provide them instead.

Source:
    fontTools does the same (``fontTools.misc.cython``).
"""

from __future__ import annotations

import sys
from array import array
from contextlib import nullcontext
from inspect import get_annotations
from typing import Any, TypeVar

from linkpress.puzzle.puzzle import Path

T = TypeVar("T")

longlong = ulonglong = int
nogil = nullcontext()
# Type codes of signed integers of 8, 16 and 32 bits and of floats in Python's ``array`` module.
Bytes, Shorts, Ints, Floats = "b", "h", "i", "d"


class State:
    """Base class of the kernels' data structures. Deleting a data structure also frees its arrays.

    No field may point into an array of another data structure, because that array could be freed first.
    """


def cfunc(function: T) -> T:
    """Mark a function that compiles to a C function although it handles Python objects.

    It may also raise exceptions.
    """
    return function


def inline(function: T) -> T:
    """Mark a short kernel function that the C compiler should inline wherever it is called."""
    return function


def for_python(function: T) -> T:
    """Mark a kernel function that Python code may call. It may handle Python objects and raise exceptions."""
    return function


def declare(kind: object, value: T) -> T:
    """Declare a module constant, and return its value. Compiled kernels give the constant a C type."""
    return value


def items(count: str) -> Any:
    """Declare a field of a data structure as an array of zeros.

    Args:
        count: the length of the array, as an expression. It may use the local variables that ``__init__`` has
            when it calls ``make_fields``.
    """
    return count


unset_items = items
"""Declares a field that is an uninitialised array, whose items are always written before they are read.
Writing zeros took 6 of the 7 ms of a proof of 10 × 10. In plain Python the array has zeros."""


def make_fields(state: object, names: dict[str, Any]) -> None:
    """Create the arrays of a data structure, and set its other fields to 0.

    In compiled kernels ``hatch_build.py`` replaces this call by one assignment for each array.

    Args:
        names: the ``locals()`` of the ``__init__`` that calls this function.
    """
    for owner in type(state).__mro__:
        for name, kind in get_annotations(owner).items():
            if count := vars(owner).get(name):
                constants = vars(sys.modules[owner.__module__])
                setattr(state, name, make_array(kind, eval(count, constants, names)))
            elif kind in (int, float, bool):
                vars(state).setdefault(name, kind())


def tuple_of(array: Any, size: int) -> tuple[int, ...]:
    """Return the first items of an array as a tuple."""
    return tuple([array[index] for index in range(size)])


def item_of(row: tuple[int, ...], index: int) -> int:
    """Return the item of a tuple at an index. Compiled code calls a faster C function instead."""
    return row[index]


def path_of(number: int, cells: tuple[int, ...]) -> Path:
    """Make a ``Path`` as ``Path(number, cells)`` does, but in a quarter of the time."""
    return tuple.__new__(Path, (number, cells))


def make_array(kind: str, size: int) -> Any:
    """Return an array of zeros. Tests replace this function by one whose arrays check every index."""
    return array(kind, [0]) * size
