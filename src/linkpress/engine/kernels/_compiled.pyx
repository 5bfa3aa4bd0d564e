# cython: language_level=3, infer_types=True, cdivision=True, binding=False
# cython: boundscheck=False, wraparound=False, initializedcheck=False
"""The one file that is compiled: all kernels, so that the C compiler sees them together.

Each module stays plain Python and imports the others only where it runs uncompiled; here they share
one namespace, so that no two of them may define the same name.
"""

cdef extern from *:
    """
    #ifndef LINKPRESS_SOURCES
    #define LINKPRESS_SOURCES 0ULL
    #endif
    """
    const unsigned long long LINKPRESS_SOURCES

SOURCES_HASH = f"{LINKPRESS_SOURCES:016x}"

include "memory.py"
include "ladder/marks.py"
include "ladder/findings.py"
include "ladder/walking.py"
include "ladder/touch.py"
include "ladder/exits.py"
include "ladder/blocks.py"
include "ladder/forest_ways.py"
include "ladder/reach.py"
include "ladder/gap_sides.py"
include "ladder/gaps.py"
include "ladder/suppositions.py"
include "ladder/order.py"
include "ladder/walls.py"
include "ladder/nested.py"
include "ladder/climb.py"
include "ladder/premises.py"
include "ladder/known_lines.py"
include "prover/cdcl_state.py"
include "prover/propagation.py"
include "prover/conflict_analysis.py"
include "prover/cdcl_search.py"
include "prover/clauses.py"
include "prover/drawings.py"
include "covers/dice.py"
include "covers/paths.py"
include "covers/growth.py"
include "covers/cover_board.py"
include "prover/window.py"
include "covers/moves.py"
include "covers/twins.py"
include "covers/walk.py"
include "covers/repair.py"
include "covers/shaping.py"
include "covers/variation.py"
