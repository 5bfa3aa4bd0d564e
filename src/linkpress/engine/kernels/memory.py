"""A kernel's state has its arrays in C memory, which lives as long as the state.

Uncompiled, an array is one of Python's (``pure_python``).
"""

from linkpress.engine.kernels import pure_python as cython

if cython.compiled:
    from cython.cimports.libc.stdlib import calloc, free, malloc

Bytes = cython.typedef(cython.p_schar)
Shorts = cython.typedef(cython.p_short)
Ints = cython.typedef(cython.p_int)
Floats = cython.typedef(cython.p_double)

# Room before each block for the address of the block that was made before it; keeps blocks aligned.
_LINK: int = 16


class State:
    """A state owns the arrays that its ``__init__`` makes, and frees them.

    No field of a state points into another state's arrays, so that none can outlive its memory.
    """

    newest: cython.p_void  # the block made last, NULL for none; each begins with the address of another

    def __dealloc__(self):
        if cython.compiled:
            while self.newest != cython.NULL:
                block = self.newest
                self.newest = cython.cast(cython.pp_void, block)[0]
                free(block)


@cython.cfunc
def block_of(owner: State, items: cython.Py_ssize_t, size: cython.Py_ssize_t, zeros: bool) -> cython.p_void:
    """Return so many items of so many bytes, all 0 or of any content.

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
