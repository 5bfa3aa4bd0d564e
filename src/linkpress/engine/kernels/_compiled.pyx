# cython: language_level=3, infer_types=True, cdivision=True, binding=False
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The one file that is compiled: all kernels, so that the C compiler sees them together, and their memory.

The modules are plain Python. ``hatch_build.py`` appends them here, without what they import from each other:
they share one namespace, so that no two of them may define the same name.
"""

cimport cython
from libc.stdlib cimport calloc, free, malloc

cdef extern from *:
    """
    #ifndef LINKPRESS_SOURCES
    #define LINKPRESS_SOURCES 0ULL
    #endif
    """
    const unsigned long long LINKPRESS_SOURCES

SOURCES_HASH = f"{LINKPRESS_SOURCES:016x}"

ctypedef signed char* Bytes
ctypedef short* Shorts
ctypedef int* Ints
ctypedef double* Floats

# Room before each block for the address of the block that was made before it; keeps blocks aligned.
cdef int _LINK = 16


cdef class State:
    """A state owns the arrays that its ``__init__`` makes, in C's memory, and frees them."""

    cdef void* newest  # the block made last, NULL for none; each begins with the address of another

    def __dealloc__(self):
        while self.newest != NULL:
            block = self.newest
            self.newest = (<void**> block)[0]
            free(block)


cdef void* block_of(State owner, Py_ssize_t items, Py_ssize_t size, bint zeros) except NULL:
    """Return so many items of so many bytes, all 0 or of any content; there may be no room for them."""
    if items < 0:
        raise MemoryError
    cdef void* block = calloc(_LINK + items * size, 1) if zeros else malloc(_LINK + items * size)
    if block == NULL:
        raise MemoryError
    (<void**> block)[0] = owner.newest
    owner.newest = block
    return <char*> block + _LINK
