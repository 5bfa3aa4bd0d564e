"""The hot loops, compiled where the installation could compile them.

Everything that Python calls is imported from here: ``Position`` (climbing the ladder), ``LineView`` and
``least_facts`` (what a finding rests on), ``Hunt`` (the prover),
``find_second_drawing``, ``shape_cover`` and ``grow_paths`` (making covers), ``Variation`` (changing them) and
``Dice``.

* ``glossary``: how cells, edges, sides and literals are numbered, and all codes as enumerations.
* ``prover/``: is there a second drawing? ``scan`` is a search that learns nothing, for small questions.
  The one that learns: ``clauses`` writes down what a drawing is, ``search`` holds what is settled and draws
  conclusions, ``learning`` decides, learns from contradictions and restarts. ``drawings`` asks them for two
  drawings: ``hunt`` of a board, ``windows`` for a second one of a part of a cover.
* ``ladder/``: how does a person solve it? ``ladder_board`` is a partly drawn board and what a technique says
  of it; ``local``, ``reach``, ``wall_order``, ``gaps`` (on ``gap_sides``) and ``suppositions`` are the
  techniques, ``climb`` uses them from the easiest up; ``line_view`` and ``premises`` say what a finding
  rests on.
* ``covers/``: making boards: ``cover_board`` has a cover, and the article's generator; ``moves`` and
  ``walk`` change a cover toward a recipe, ``twins`` with numbers that lie symmetrically, ``cover_look``
  measures how it looks, ``repair`` changes it until it has one drawing, ``shaping`` does it all, and
  changes a finished one a little; ``dice`` chooses.
* ``grid``: how cells, edges and sides of a board lead to each other. ``pure_python``: Cython's words, and the
  states' arrays, for plain Python.
* ``_compiled.pyx``: the unit that is compiled, with the states' memory; ``hatch_build.py`` in the checkout
  compiles it.

The 26 modules that are compiled are written in Cython's pure Python mode and run as they are, too, about
a hundred times slower, with the same results. ``LINKPRESS_KERNELS=plain`` chooses that. Classes and functions
become C's, but for those marked ``for_python`` and for the methods of classes; the arrays of a class say
their ``items`` beside their types. Where a module is compiled, ``hatch_build.py`` makes C's types of ``int``,
``bool`` and ``float`` in annotations, writes ``make_fields`` out and members of the glossary's enumerations
as numbers, and leaves out imports from other modules: all share one namespace, so that no two define the same
name.

Conventions: a kernel takes numbers and states, allocates nothing, raises nothing and runs without
Python's lock, so that the signal thread can run. It changes the first board or state, advances ``dice`` and
overwrites ``copy``. ``int`` has 32 bits, ``cython.longlong`` 64. Indexes are never negative, since C does not
count from the end; ``//`` and ``%`` only take operands from 0 up, since C rounds toward 0. A truth value that
is kept in a variable is declared ``bool``.
"""

from __future__ import annotations

import base64
import hashlib
import os
from pathlib import Path
from struct import unpack_from
from typing import TYPE_CHECKING, Any

from linkpress.errors import UsageError

_FOLDER = Path(__file__).resolve().parent


def _load() -> tuple[Any, str]:
    """Return the extension, or None and why kernels run as plain Python.

    Raises:
        UsageError: LINKPRESS_KERNELS says something else than ``plain``.
    """
    wanted = os.environ.get("LINKPRESS_KERNELS", "")
    if wanted not in ("", "plain"):
        raise UsageError(f"LINKPRESS_KERNELS={wanted}: plain is allowed, or leave it out.")
    if wanted:
        return None, "LINKPRESS_KERNELS asks for plain Python"
    damage = _damage()
    if damage:
        return None, damage
    try:
        from linkpress.engine.kernels import _compiled
    except ImportError as fault:
        if any(_FOLDER.glob("_compiled.*.so")) or any(_FOLDER.glob("_compiled.*pyd")):
            return None, f"the compiled engine does not fit this Python or this processor ({fault})"
        why = _FOLDER / "_why_plain.txt"
        if why.exists():
            return None, why.read_text(encoding="utf-8").strip()
        return None, "the compiled engine is missing"
    if getattr(_compiled, "SOURCES_HASH", "") != sources_hash():
        return None, "the compiled engine was made from other sources than those beside it"
    return _compiled, ""


def _damage() -> str:
    """Say how the extension is damaged, which would end this process when it is loaded; empty if it is not.

    Its length and hash are those that pip has noted. One that pip knows nothing of is as long as its own head
    says, where it is Linux's.
    """
    for path in (*_FOLDER.glob("_compiled.*.so"), *_FOLDER.glob("_compiled.*pyd")):
        content = path.read_bytes()
        if content[:4] == b"\x7fELF":
            head = content.ljust(64)
            begin, (size, count) = unpack_from("<Q", head, 40)[0], unpack_from("<HH", head, 58)
            if begin + size * count > len(content):
                return f"the compiled engine is damaged: {path} is cut short"
        noted = _noted_by_pip(path)
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
        if noted and noted != f"sha256={digest},{len(content)}":
            return f"the compiled engine is damaged: {path} is not the file that was installed"
    return ""


def _noted_by_pip(path: Path) -> str:
    """Return what the installation's record says of a file; empty where it says nothing."""
    place = "/".join(path.parts[-4:])
    for record in path.parents[3].glob("linkpress-*.dist-info/RECORD"):
        for line in record.read_text(encoding="utf-8").splitlines():
            if line.startswith(f"{place},"):
                return line.removeprefix(f"{place},")
    return ""


def sources_hash() -> str:
    """Return 16 hexadecimal digits of the kernels' sources; ``hatch_build.py`` puts them in the extension."""
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
"""Why kernels run as plain Python; empty when they are compiled."""

__all__ = [
    "COMPILE_REMEDY",
    "WHY_PLAIN",
    "Dice",
    "Hunt",
    "LineView",
    "Position",
    "Variation",
    "dice_from",
    "find_second_drawing",
    "grow_paths",
    "least_facts",
    "shape_cover",
    "sources_hash",
]

if TYPE_CHECKING or _compiled is None:
    from linkpress.engine.kernels.covers.cover_board import grow_paths
    from linkpress.engine.kernels.covers.dice import Dice, dice_from
    from linkpress.engine.kernels.covers.shaping import Variation, shape_cover
    from linkpress.engine.kernels.ladder.climb import Position
    from linkpress.engine.kernels.ladder.line_view import LineView
    from linkpress.engine.kernels.ladder.premises import least_facts
    from linkpress.engine.kernels.prover.hunt import Hunt
    from linkpress.engine.kernels.prover.windows import find_second_drawing
else:
    globals().update({name: getattr(_compiled, name) for name in __all__ if name not in globals()})
