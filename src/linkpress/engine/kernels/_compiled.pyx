# cython: language_level=3, infer_types=True, cdivision=True, binding=False
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The compilation unit of all kernels, and the memory management of their arrays.

``hatch_build.py`` appends the kernel modules here, so that the C compiler can optimise across them. All modules
share one namespace, so no two of them may define the same name.
"""

cimport cython
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GetItem, PyTuple_New, PyTuple_SetItem
from libc.stdlib cimport calloc, free, malloc

from linkpress.puzzle.puzzle import Path as _Path

cdef extern from "Python.h":
    ctypedef struct PyTypeObject
    object PyType_GenericAlloc(PyTypeObject* kind, Py_ssize_t items)

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

# Bytes before each block that hold the address of the block allocated before it; keeps blocks aligned.
cdef int _LINK = 16


cdef class State:
    """Base class of the kernels' data structures. It owns their arrays, and frees them."""

    cdef void* newest  # the block allocated last, NULL for none; each block begins with the address of the one before

    def __dealloc__(self):
        while self.newest != NULL:
            block = self.newest
            self.newest = (<void**> block)[0]
            free(block)


cdef void* block_of(State owner, Py_ssize_t items, Py_ssize_t size, bint zeros) except NULL:
    """Allocate an array that is freed together with ``owner``; raise MemoryError if there is no memory left.

    Args:
        items: the length of the array.
        size: the bytes of an item.
        zeros: whether all items are 0; else they are uninitialised.
    """
    if items < 0:
        raise MemoryError
    cdef void* block = calloc(_LINK + items * size, 1) if zeros else malloc(_LINK + items * size)
    if block == NULL:
        raise MemoryError
    (<void**> block)[0] = owner.newest
    owner.newest = block
    return <char*> block + _LINK


cdef tuple tuple_of(Ints array, Py_ssize_t size):
    """Return the first items of an array as a tuple."""
    cdef tuple made = PyTuple_New(size)
    cdef object item
    for index in range(size):
        item = array[index]
        Py_INCREF(item)  # PyTuple_SetItem takes over a reference
        PyTuple_SetItem(made, index, item)
    return made


cdef object path_of(object number, tuple cells):
    """Make a path. This takes a fraction of the time of ``Path(number, cells)``."""
    cdef object path = PyType_GenericAlloc(<PyTypeObject*> _Path, 2)
    Py_INCREF(number)  # PyTuple_SetItem takes over a reference
    PyTuple_SetItem(path, 0, number)
    Py_INCREF(cells)
    PyTuple_SetItem(path, 1, cells)
    return path


cdef int item_of(object row, Py_ssize_t index) except? -1:
    """Return the item of a tuple at an index. Unpacking a named tuple takes several times as long."""
    return <object> PyTuple_GetItem(row, index)
