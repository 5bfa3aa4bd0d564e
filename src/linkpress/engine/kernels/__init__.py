"""The engine's inner loops, compiled to C if possible.

Other modules import everything from here:

* ``Position`` solves a board with the ladder, which is the list of human solving techniques from the easiest
  up.
* ``LineView`` and ``least_facts`` find the premises of a deduction of the ladder.
* ``search_board``, ``DrawingSearch`` and ``find_second_drawing`` prove that a board has one solution.
  ``colours_balance`` shows without a search that many boards have none. ``FormProofs`` counts the conflicts
  of proofs, from which the score of a board is computed.
* ``shape_cover`` and ``grow_paths`` make covers (boards divided into paths), and ``Variation`` changes them.
* ``Rng`` is the random number generator. ``overlaps`` measures how much boards
  have in common, to check that puzzles differ.

A *drawing* is a set of edges that joins the two numbers of every pair.

**Modules**

* ``glossary`` says how cells, edges, sides and literals are numbered, and has all codes as enumerations.
* ``grid`` has the geometry of a board, and ``rng`` the random number generator. ``pure_python`` has
  replacements for Cython's names, and the arrays, when kernels run as plain Python.
* ``prover/`` finds out whether a board has a second drawing. ``scan`` is a depth-first search for small
  boards. ``cdcl`` is the clause-learning search for all other boards, and writes the clauses that describe a
  board. ``drawings`` uses both to find two drawings of a whole board, and a second drawing of a rectangle of
  it.
* ``ladder/`` solves a board as a person does. ``ladder_board`` holds a partly drawn board and the deductions
  about it. The techniques are in ``cell_techniques``, ``cut_offs``, ``wall_order`` and ``gaps``. ``climb``
  applies them from the easiest up, and also contains the techniques that make suppositions. ``premises``
  finds the facts from which a deduction follows.
* ``covers/`` makes boards. ``cover_board`` holds a cover, and can grow random paths. ``walk`` changes a cover
  at random until it meets its requirements. ``cover_style`` measures its style. ``repair`` changes it until
  its paths are the only solution. ``shaping`` combines these steps, and changes finished covers in small
  steps.
* ``_compiled.pyx`` is the compilation unit, and manages the memory. ``hatch_build.py``, in the checkout,
  compiles it.

**Two forms.** The kernel modules are written in Cython's pure Python mode. They also run uncompiled, about a
hundred times slower, with the same results. ``LINKPRESS_KERNELS=plain`` selects that form. When compiled,
classes and functions become C structures and functions, except functions marked ``for_python`` and the
methods of classes. ``hatch_build.py`` prepares the sources. It replaces ``int``, ``bool`` and ``float`` in
annotations by C types, expands ``make_fields``, and writes the members of the glossary's enumerations as
numbers. It also removes imports between kernel modules. All modules share one C namespace, so no two of them
may define the same name.

**Conventions.** A kernel function takes numbers and states (data structures of the class ``State``). It
allocates nothing and raises nothing. It runs without Python's global lock, so other threads can run. It may
change the first board or state among its arguments, advance ``rng`` and overwrite ``backup``. ``int`` has 32
bits, ``cython.longlong`` 64. Indexes are never negative, because C does not count from the end. Operands of
``//`` and ``%`` are never negative, because C rounds toward 0. A variable that holds a truth value must be
annotated as ``bool``.
"""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linkpress.errors import UsageError

_FOLDER = Path(__file__).resolve().parent


def _load() -> tuple[Any, str]:
    """Import the compiled kernels, unless plain Python is requested.

    Returns:
        The compiled module and an empty text. If the kernels must run as plain Python: None and the reason.
    Raises:
        UsageError: the environment variable LINKPRESS_KERNELS has a value other than ``plain``.
    """
    form = os.environ.get("LINKPRESS_KERNELS", "")
    if form not in ("", "plain"):
        raise UsageError(f"LINKPRESS_KERNELS={form}: plain is allowed, or leave it out.")
    if form:
        return None, "LINKPRESS_KERNELS asks for plain Python"
    files = [*_FOLDER.glob("_compiled.*.so"), *_FOLDER.glob("_compiled.*pyd")]
    for path in files:
        if not _is_as_installed(path):
            return None, f"the compiled engine is damaged: {path} is not the file that was installed"
    try:
        from linkpress.engine.kernels import _compiled
    except ImportError as error:
        if files:
            return None, f"the compiled engine does not fit this Python or this processor ({error})"
        why = _FOLDER / "_why_plain.txt"
        if why.exists():
            return None, why.read_text(encoding="utf-8").strip()
        return None, "the compiled engine is missing"
    if getattr(_compiled, "SOURCES_HASH", "") != sources_hash():
        return None, "the compiled engine was made from other sources than those beside it"
    return _compiled, ""


def _is_as_installed(path: Path) -> bool:
    """Return whether a file has the hash and size that pip recorded for it; True if pip recorded nothing.

    Loading a damaged extension module can crash the process, so the file is checked first.
    """
    name = "/".join(path.parts[-4:])
    content = path.read_bytes()
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
    for record in path.parents[3].glob("linkpress-*.dist-info/RECORD"):
        for line in record.read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{name},"):
                return line == f"{name},sha256={digest},{len(content)}"
    return True


def sources_hash() -> str:
    """Return a hash of the kernel sources, as 16 hexadecimal digits.

    The compiled kernels contain the hash of the sources from which they were built.
    """
    digest = hashlib.sha256()
    for path in sorted([*_FOLDER.rglob("*.py"), _FOLDER / "_compiled.pyx"]):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


COMPILE_REMEDY = (
    "Leave LINKPRESS_KERNELS out for the compiled one."
    if os.environ.get("LINKPRESS_KERNELS")
    else "Install linkpress again where a C compiler is at hand: pip install --force-reinstall linkpress, or "
    "in a checkout pip install -e ."
)

_compiled, WHY_PLAIN = _load()
"""Why the kernels run as plain Python; empty if they are compiled."""

__all__ = [
    "COMPILE_REMEDY",
    "WHY_PLAIN",
    "DrawingSearch",
    "FormProofs",
    "LineView",
    "Position",
    "Rng",
    "Variation",
    "colours_balance",
    "find_second_drawing",
    "grow_paths",
    "least_facts",
    "overlaps",
    "rng_from",
    "search_board",
    "shape_cover",
    "sources_hash",
]

if TYPE_CHECKING or _compiled is None:
    from linkpress.engine.kernels.covers.cover_board import grow_paths
    from linkpress.engine.kernels.covers.shaping import Variation, shape_cover
    from linkpress.engine.kernels.grid import overlaps
    from linkpress.engine.kernels.ladder.climb import Position
    from linkpress.engine.kernels.ladder.premises import LineView, least_facts
    from linkpress.engine.kernels.prover.drawings import (
        DrawingSearch,
        FormProofs,
        colours_balance,
        find_second_drawing,
        search_board,
    )
    from linkpress.engine.kernels.rng import Rng, rng_from
else:
    globals().update({name: getattr(_compiled, name) for name in __all__ if name not in globals()})
