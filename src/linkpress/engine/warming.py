"""The engine made ready in one process, so that no worker compiles for itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from linkpress.engine.generate import generate
from linkpress.engine.kernels.compile import warm_kernels
from linkpress.engine.recipe import Method, Recipe, Rule, Span

# Small enough to take a tenth of a second in all once everything is compiled.
_PAIRS, _SOLIDS = Span(4, 5), Span(0, 2)
_TOLD_EVERY_S = 10.0

OnCompile = Callable[[float], None]


def warm_engine(on_compile: OnCompile = lambda so_far_s: None) -> bool:
    """Compile or load everything that making a puzzle calls.

    Kernels whose arguments have no signature that can be written down are reached by making one
    small board by each method under each rule.

    Args:
        on_compile: called with 0 before the first compilation, then every ten seconds, in a
            thread of its own, with the seconds so far; not at all when everything is loaded.
    Returns:
        Whether anything had to be compiled.
    """
    told = _Told(on_compile)
    try:
        compiled = warm_kernels(told.begin)
        for rule in Rule:
            for method in Method:
                generate(Recipe(6, 6, pairs=_PAIRS, solids=_SOLIDS, rule=rule), "warm", method)
    finally:
        told.end()
    return compiled


class _Told:
    """Tells how long it has taken, over and over, while this thread is busy compiling."""

    def __init__(self, on_compile: OnCompile) -> None:
        self._on_compile = on_compile
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._tell, daemon=True)

    def begin(self) -> None:
        self._on_compile(0.0)
        self._thread.start()

    def end(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def _tell(self) -> None:
        start = time.monotonic()
        while not self._over.wait(_TOLD_EVERY_S):
            self._on_compile(time.monotonic() - start)
