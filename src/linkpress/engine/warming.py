"""The engine made ready in one process, so that no worker compiles for itself."""

from __future__ import annotations

from collections.abc import Callable

from linkpress.engine.generate import generate
from linkpress.engine.kernels.compile import warm_kernels
from linkpress.engine.recipe import Method, Recipe, Rule, Span

# Small enough to take a tenth of a second in all once everything is compiled.
_PAIRS, _SOLIDS = Span(4, 5), Span(0, 2)


def warm_engine(on_compile: Callable[[], None] = lambda: None) -> bool:
    """Compile or load everything that making a puzzle calls.

    Kernels whose arguments have no signature that can be written down are reached by making one
    small board by each method under each rule.

    Args:
        on_compile: as for ``warm_kernels``.
    Returns:
        Whether anything had to be compiled.
    """
    compiled = warm_kernels(on_compile)
    for rule in Rule:
        for method in Method:
            generate(Recipe(6, 6, pairs=_PAIRS, solids=_SOLIDS, rule=rule), "warm", method)
    return compiled
