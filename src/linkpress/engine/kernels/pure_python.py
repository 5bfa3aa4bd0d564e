"""What Cython's words mean when kernels run as plain Python and Cython is not installed.

The kernels are written in Cython's pure Python mode: ordinary modules that ``import cython`` for
their decorators and types. Compiled, they need nothing of it at run time. Uncompiled they do, and
take this module where the real one is missing: decorators do nothing, and types mean nothing.

Source:
    fontTools does the same (``fontTools.misc.cython``).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

T = TypeVar("T")

compiled = False
int = bint = double = longlong = ulonglong = void = Py_ssize_t = object
p_schar = p_short = p_int = p_double = p_char = p_void = pp_void = object


def _unchanged(thing: T) -> T:
    return thing


cfunc = cclass = final = inline = typedef = _unchanged


class _NoGil(AbstractContextManager[None]):
    """Both a decorator and a ``with`` block."""

    def __call__(self, function: T) -> T:
        return function

    def __exit__(self, *fault: object) -> None:
        return None


nogil = _NoGil()


def exceptval(*, check: bool) -> Callable[[T], T]:
    """How a C function reports an exception: of no meaning here."""
    return _unchanged


def declare(kind: object, value: T) -> T:
    """A module's C constant: its value."""
    return value


def cast(kind: object, value: Any) -> Any:
    """A C cast: the value."""
    return value
