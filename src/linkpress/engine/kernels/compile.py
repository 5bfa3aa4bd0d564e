"""Compiles the hot loops, once per machine, and keeps the result.

A kernel is an ordinary function marked with ``kernel``; it is compiled when it is first called
and loaded from its cache from then on. The modules of this package import numba, so nothing
imports them at the top of a module that the command line loads.

``linkpress.engine.kernel_cache`` says where that lies. numba notices a change in a kernel's own
file but not in a kernel that it calls from another file, so each module's cache has a folder of its
own, named after the sources of everything it imports from this package.

Kernels run without Python's lock, so that whoever waits for an interruption gets his turn.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import os
import pkgutil
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
from numba.core import event

from linkpress.engine.kernel_cache import KernelCache, kernel_folder

P = ParamSpec("P")
R = TypeVar("R")

_PACKAGE = __package__ or "linkpress.engine.kernels"
_FOLDER = Path(__file__).resolve().parent
_IMPORTED = re.compile(rf"^from {re.escape(_PACKAGE)}\.(\w+) import", re.MULTILINE)
_ENTRIES: list[tuple[Any, str]] = []
# Takes as long to compile as all others together, half a minute of one core.
_LONGEST = f"{_PACKAGE}.ladder"


def kernel(signature: str | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a function as a compiled hot loop.

    Args:
        signature: numba's, as ``"int64(int32[::1], uint8[::1])"``: what ``warm_kernels`` compiles
            ahead of time. Given for the kernels that Python calls; those called by kernels alone
            need none.
    Returns:
        The decorator. What it returns is called as the function was, from Python or a kernel.
    """

    def compiled(function: Callable[P, R]) -> Callable[P, R]:
        dispatcher: Any = numba.njit(nogil=True)(function)
        folder = _cache_folder(function.__module__)
        if folder is not None:
            dispatcher._cache = KernelCache(function, folder)  # as enable_caching does with its own
        if signature is not None:
            _ENTRIES.append((dispatcher, signature))
        return cast("Callable[P, R]", dispatcher)

    return compiled


def warm_kernels(on_compile: Callable[[], None] = lambda: None) -> bool:
    """Load every kernel that Python calls, compiling those that the cache lacks.

    Args:
        on_compile: called once, before the first compilation, and not at all when the cache
            has everything: the place to tell the user why it takes a while.
    Returns:
        Whether anything had to be compiled.
    """
    for module in pkgutil.iter_modules([str(_FOLDER)]):
        importlib.import_module(f"{_PACKAGE}.{module.name}")
    beside = _Beside()

    def first() -> None:
        on_compile()
        beside.start()

    listener = _FirstCompilation(first)
    try:
        with event.install_listener("numba:compile", listener):
            _compile_entries(lambda module: module != _LONGEST)
            beside.finish()
            _compile_entries(lambda module: module == _LONGEST)
    finally:
        beside.end()
    return listener.compiled


def _compile_entries(chosen: Callable[[str], bool]) -> None:
    for dispatcher, signature in _ENTRIES:
        if chosen(dispatcher.py_func.__module__):
            dispatcher.compile(signature)


class _Beside:
    """Compiles the longest module in a process of its own, into the cache that both share."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._useful = kernel_folder() is not None and bool(sys.executable) and _cores() > 1

    def start(self) -> None:
        if not self._useful:
            return
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-c", _SCRIPT],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def finish(self) -> None:
        """Wait; what that process failed to compile is compiled here."""
        self._useful = False
        if self._process is not None:
            self._process.wait()

    def end(self) -> None:
        """Leave no process behind."""
        self._useful = False
        if self._process is not None:
            self._process.kill()
            self._process.communicate()


# It ends when its standard input does, and so with this process, however that ends.
_SCRIPT = f"""
import os, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
import {_LONGEST}
from {__name__} import _compile_entries
_compile_entries({_LONGEST!r}.__eq__)
"""


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _FirstCompilation(event.Listener):
    def __init__(self, on_compile: Callable[[], None]) -> None:
        self.compiled = False
        self._on_compile = on_compile

    def on_start(self, event: object) -> None:
        if not self.compiled:
            self.compiled = True
            self._on_compile()

    def on_end(self, event: object) -> None:
        pass


def _cache_folder(module: str) -> Path | None:
    own = sys.modules[module].__file__
    root = kernel_folder()
    if root is None or own is None:
        return None
    path = Path(own)
    return root / f"{path.stem}-{_signature(path)}"


@functools.cache
def _signature(path: Path) -> str:
    """A short hash of a module's source and of those that it imports from this package."""
    digest, waiting, seen = hashlib.sha256(), [path], {path}
    while waiting:
        text = waiting.pop(0).read_text(encoding="utf-8")
        digest.update(text.encode())
        for name in _IMPORTED.findall(text):
            imported = _FOLDER / f"{name}.py"
            if imported not in seen and imported.exists():
                seen.add(imported)
                waiting.append(imported)
    return digest.hexdigest()[:16]
