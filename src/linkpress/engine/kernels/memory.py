"""The arrays of the kernels' states: C memory that lives as long as its state.

Uncompiled, an array is one of Python's. Both start with zeros, but for ``unset_ints_of``.
"""

from linkpress.engine.kernels import pure_python as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free, malloc
else:
    from array import array

Bytes = cython.typedef(cython.p_schar)
Shorts = cython.typedef(cython.p_short)
Ints = cython.typedef(cython.p_int)
Floats = cython.typedef(cython.p_double)

# Room before each block for the address of the block that was made before it; keeps blocks aligned.
_LINK: int = 16


@cython.cclass
class State:
    """The base of all states: owns the arrays that its ``__init__`` asks for, and frees them.

    No field of a state points into another state's arrays, so that none can outlive its memory.
    """

    newest: (
        cython.p_void
    )  # the block made last, NULL for none; each begins with the address of the one before

    def __dealloc__(self):
        if cython.compiled:
            while self.newest != cython.NULL:
                block = self.newest
                self.newest = cython.cast(cython.pp_void, block)[0]
                free(block)


@cython.cfunc
def _block(owner: State, items: cython.Py_ssize_t, size: cython.Py_ssize_t, zeros: bool) -> cython.p_void:
    """So many items of so many bytes, all 0 or of any content.

    Raises:
        MemoryError: there is no room for them.
    """
    if items < 0:
        raise MemoryError
    block = calloc(_LINK + items * size, 1) if zeros else malloc(_LINK + items * size)
    if block == cython.NULL:
        raise MemoryError
    cython.cast(cython.pp_void, block)[0] = owner.newest
    owner.newest = block
    return cython.cast(cython.p_char, block) + _LINK


@cython.cfunc
def bytes_of(owner: State, size: cython.Py_ssize_t) -> Bytes:
    """So many 8-bit integers."""
    return (
        cython.cast(Bytes, _block(owner, size, 1, True)) if cython.compiled else array("b", bytes(1 * size))
    )


@cython.cfunc
def shorts_of(owner: State, size: cython.Py_ssize_t) -> Shorts:
    """So many 16-bit integers."""
    return (
        cython.cast(Shorts, _block(owner, size, 2, True)) if cython.compiled else array("h", bytes(2 * size))
    )


@cython.cfunc
def ints_of(owner: State, size: cython.Py_ssize_t) -> Ints:
    """So many 32-bit integers."""
    return cython.cast(Ints, _block(owner, size, 4, True)) if cython.compiled else array("i", bytes(4 * size))


@cython.cfunc
def unset_ints_of(owner: State, size: cython.Py_ssize_t) -> Ints:
    """So many 32-bit integers of any content, for large arrays of which often little is used.

    Zeros took 6 of the 7 ms of a proof of 10 × 10.
    """
    return (
        cython.cast(Ints, _block(owner, size, 4, False)) if cython.compiled else array("i", bytes(4 * size))
    )


@cython.cfunc
def floats_of(owner: State, size: cython.Py_ssize_t) -> Floats:
    """So many doubles."""
    return (
        cython.cast(Floats, _block(owner, size, 8, True)) if cython.compiled else array("d", bytes(8 * size))
    )
