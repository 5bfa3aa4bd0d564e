"""Paths as kernels write them out."""

try:
    import cython
except ImportError:  # no compiler was there, so that kernels run as plain Python
    import linkpress.engine.kernels.pure_python as cython

if not cython.compiled:
    from linkpress.engine.kernels.memory import Ints, State, ints_of


@cython.final
@cython.cclass
class Paths(State):
    """Paths that share no square, one after the other; room for a board of so many cells."""

    count: cython.int  # paths
    used: cython.int  # words of ``squares``
    squares: Ints  # the paths' cells, each path's from end to end
    length: Ints  # by path: how many of them it has

    def __init__(self, cells: cython.int) -> None:
        self.count = self.used = 0
        self.squares = ints_of(self, cells)
        self.length = ints_of(self, cells)


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def add_square(paths: Paths, cell: cython.int) -> cython.void:
    """Write the next square of the path that is being written."""
    paths.squares[paths.used] = cell
    paths.used += 1


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def end_path(paths: Paths, length: cython.int) -> cython.void:
    """Make a path of the last squares written, so many."""
    paths.length[paths.count] = length
    paths.count += 1


def list_paths(paths: Paths) -> list[list[int]]:
    """Each path's cells from end to end."""
    listed, at = [], 0
    for path in range(paths.count):
        listed.append([paths.squares[at + step] for step in range(paths.length[path])])
        at += paths.length[path]
    return listed
