"""What Cython's words mean when kernels run as plain Python.

The kernels are written in Cython's pure Python mode: ordinary modules with Cython's decorators and types.
They take these words from here, where decorators do nothing and types mean nothing; compiled, Cython's own
stand in their place.

Source:
    fontTools does the same (``fontTools.misc.cython``).
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any, TypeVar

T = TypeVar("T")

compiled = False
int = bint = double = longlong = ulonglong = void = Py_ssize_t = object
p_schar = p_short = p_int = p_double = p_char = p_void = pp_void = object


def _unchanged(thing: T) -> T:
    return thing


cfunc = cclass = typedef = _unchanged


class _NoGil(AbstractContextManager[None]):
    """Both a decorator and a ``with`` block."""

    def __call__(self, function: T) -> T:
        return function

    def __exit__(self, *fault: object) -> None:
        return None


nogil = _NoGil()


def kernel(function: T) -> T:
    """Mark a function that is compiled to C: it runs without Python's lock, and it raises nothing."""
    return function


def declare(kind: object, value: T) -> T:
    """A module's C constant: its value."""
    return value


def cast(kind: object, value: Any) -> Any:
    """A C cast: the value."""
    return value
