"""The engine's inner loops, compiled to C if possible.

Other modules import everything from here: ``Position`` (solving with the ladder of techniques), ``LineView``
and ``least_facts`` (the premises of a finding), ``DrawingSearch`` and ``find_second_drawing`` (proofs),
``shape_cover`` and ``grow_paths`` (making covers), ``Variation`` (changing them) and ``Rng``.

* ``glossary``: how cells, edges, sides and literals are numbered, and all codes as enumerations.
* ``grid``: the geometry of a board. ``rng``: the random number generator. ``pure_python``: Cython's names,
  and arrays, for plain Python.
* ``prover/``: whether a board has a second drawing. ``scan`` is a depth-first search for small questions.
  ``cdcl`` is the clause-learning search for the others, and ``clauses`` writes its clauses. ``drawings`` uses
  both to find two drawings of a board, ``windows`` to find a second drawing of a part of a cover.
* ``ladder/``: how a person solves a board. ``ladder_board`` holds a partly drawn board and the findings about
  it. The techniques are in ``cell_techniques``, ``cut_offs``, ``wall_order``, ``gaps`` and ``suppositions``.
  ``climb`` applies them from the easiest up. ``premises`` finds out from which facts a finding follows.
* ``covers/``: how boards are made. ``cover_board`` holds a cover, and grows the article's. ``moves`` and
  ``walk`` change a cover at random until it meets its order. ``cover_style`` measures its style. ``repair``
  changes it until it is the only solution. ``shaping`` puts these together, and changes finished covers in
  small steps.
* ``_compiled.pyx``: the compilation unit, and the memory management. ``hatch_build.py``, in the checkout,
  compiles it.

**Two forms.** The kernel modules are written in Cython's pure Python mode. They also run uncompiled, about a
hundred times slower, with the same results. ``LINKPRESS_KERNELS=plain`` selects that form. When compiled,
classes and functions become C structures and functions, except functions marked ``for_python`` and the
methods of classes. ``hatch_build.py`` replaces ``int``, ``bool`` and ``float`` in annotations by C types,
expands ``make_fields``, writes the members of the glossary's enumerations as numbers, and removes imports
between kernel modules. All modules share one C namespace, so no two of them may define the same name.

**Conventions.** A kernel takes numbers and states. It allocates nothing, raises nothing and runs without
Python's lock, so that other threads can run. It changes the first board or state among its arguments,
advances ``rng`` and overwrites ``backup``. ``int`` has 32 bits, ``cython.longlong`` 64. Indexes are never
negative, because C does not count from the end. Operands of ``//`` and ``%`` are never negative, because C
rounds toward 0. A truth value in a variable must be annotated as ``bool``.
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
    """Import the compiled kernels.

    Returns:
        The compiled module and an empty text; or None and the reason why the kernels run as plain Python.
    Raises:
        UsageError: LINKPRESS_KERNELS has a value other than ``plain``.
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
    """Return whether a file has the hash and size in pip's RECORD; True if pip has not recorded it.

    Loading a damaged extension can crash the process, so this is checked before.
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
    """Return a hash of the kernel sources, 16 hexadecimal digits, which the compiled kernels contain too."""
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
    "LineView",
    "Position",
    "Rng",
    "Variation",
    "find_second_drawing",
    "grow_paths",
    "least_facts",
    "rng_from",
    "shape_cover",
    "sources_hash",
]

if TYPE_CHECKING or _compiled is None:
    from linkpress.engine.kernels.covers.cover_board import grow_paths
    from linkpress.engine.kernels.covers.shaping import Variation, shape_cover
    from linkpress.engine.kernels.ladder.climb import Position
    from linkpress.engine.kernels.ladder.premises import LineView, least_facts
    from linkpress.engine.kernels.prover.drawings import DrawingSearch
    from linkpress.engine.kernels.prover.windows import find_second_drawing
    from linkpress.engine.kernels.rng import Rng, rng_from
else:
    globals().update({name: getattr(_compiled, name) for name in __all__ if name not in globals()})
