# cython: language_level=3, infer_types=True, cdivision=True, binding=False
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The one file that is compiled: all kernels, so that the C compiler sees them together.

The modules are plain Python. ``hatch_build.py`` leaves out what they import from each other: here they
share one namespace, so that no two of them may define the same name.
"""

cimport cython

cdef extern from *:
    """
    #ifndef LINKPRESS_SOURCES
    #define LINKPRESS_SOURCES 0ULL
    #endif
    """
    const unsigned long long LINKPRESS_SOURCES

SOURCES_HASH = f"{LINKPRESS_SOURCES:016x}"

include "memory.py"
include "ladder/ladder_board.py"
include "ladder/line_view.py"
include "ladder/local.py"
include "ladder/reach.py"
include "ladder/regions.py"
include "ladder/gap_sides.py"
include "ladder/gaps.py"
include "ladder/suppositions.py"
include "ladder/wall_order.py"
include "ladder/walls.py"
include "ladder/climb.py"
include "ladder/premises.py"
include "prover/search.py"
include "prover/learning.py"
include "prover/clauses.py"
include "prover/scan.py"
include "prover/drawings.py"
include "prover/hunt.py"
include "prover/windows.py"
include "covers/dice.py"
include "covers/cover_board.py"
include "covers/growth.py"
include "covers/moves.py"
include "covers/twins.py"
include "covers/walk.py"
include "covers/cover_look.py"
include "covers/repair.py"
include "covers/shaping.py"
