"""Compiles the hot loops, once per machine, and keeps the result.

A kernel is an ordinary function marked with ``kernel``; it is compiled when it is first called
and loaded from its cache from then on. The modules of this package import numba, so nothing
imports them at the top of a module that the command line loads.

Where the cache lies: in the package's ``__pycache__`` when that can be written, else in the
user's cache folder, else nowhere (every process compiles for itself). ``NUMBA_CACHE_DIR``, when
set, goes before all of these. numba notices a change in a kernel's own file but not in a kernel
that it calls from another file, so each module's cache has a folder of its own, named after the
sources of everything it imports from this package.
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
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import platformdirs
from numba.core import config, event

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
        folder = _cache_folder(function.__module__)
        with _caching_in(folder):
            dispatcher = numba.njit(cache=folder is not None)(function)
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
    with event.install_listener("numba:compile", listener):
        _compile_entries(lambda module: module != _LONGEST)
        beside.finish()
        _compile_entries(lambda module: module == _LONGEST)
    return listener.compiled


def _compile_entries(chosen: Callable[[str], bool]) -> None:
    for dispatcher, signature in _ENTRIES:
        if chosen(dispatcher.py_func.__module__):
            dispatcher.compile(signature)


class _Beside:
    """Compiles the longest module in a process of its own, into the cache that both share."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._useful = _cache_root() is not None and bool(sys.executable) and (os.cpu_count() or 1) > 1

    def start(self) -> None:
        if not self._useful:
            return
        script = f"import {_LONGEST}; from {__name__} import _compile_entries as c; c('{_LONGEST}'.__eq__)"
        with contextlib.suppress(OSError):
            self._process = subprocess.Popen(
                [sys.executable, "-c", script],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )

    def finish(self) -> None:
        """Wait; what that process failed to compile is compiled here."""
        self._useful = False
        if self._process is not None:
            self._process.wait()


def kernel_cache() -> Path | None:
    """The folder that keeps compiled kernels; None when no folder can be written."""
    return _cache_root()


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


@contextlib.contextmanager
def _caching_in(folder: Path | None) -> Iterator[None]:
    """For decoration alone: numba asks for its cache folder then, not when it compiles."""
    settings: Any = config
    before = settings.CACHE_DIR
    if folder is not None:
        settings.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        settings.CACHE_DIR = before


def _cache_folder(module: str) -> Path | None:
    own = sys.modules[module].__file__
    root = _cache_root()
    if root is None or own is None:
        return None
    path = Path(own)
    return root / f"{path.stem}-{_signature(path)}"


@functools.cache
def _cache_root() -> Path | None:
    chosen: str = getattr(config, "CACHE_DIR", "")
    if chosen:
        return Path(chosen)
    for folder in (_FOLDER / "__pycache__", platformdirs.user_cache_path("linkpress", appauthor=False)):
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK):
                return folder / "kernels"
    return None


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
