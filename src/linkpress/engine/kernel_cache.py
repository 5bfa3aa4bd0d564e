"""Where compiled kernels are kept, and a cache of them that never stands in the way.

The first of these folders that can be written: ``NUMBA_CACHE_DIR``, when set; the ``__pycache__``
of the kernels' package; the user's cache folder; a folder of the user's alone in the system's
temporary folder, which lasts until the machine tidies that up. Where none can be written, every
process compiles for itself.
"""

from __future__ import annotations

import contextlib
import functools
import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import platformdirs
from numba.core import config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator

_BESIDE_KERNELS = Path(__file__).resolve().parent / "kernels" / "__pycache__"
_lost: list[Exception] = []


@functools.cache
def kernel_folder() -> Path | None:
    """The folder in which compiled kernels are kept; None when no folder can be written."""
    for folder in _candidates():
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if os.access(folder, os.W_OK | os.X_OK):
                return folder
    return None


def kernels_are_kept() -> bool:
    """Whether what this process compiles, and has compiled so far, need not be compiled again."""
    return kernel_folder() is not None and not _lost


class KernelCache:
    """numba's cache of one function, less its faults.

    An entry that can't be read, torn by a power cut or of another's making, counts as missing; one
    that can't be written, on a full disk say, is left out. numba ends the program in both cases.

    Args:
        function: the kernel.
        folder: to keep it in; made when something is saved.
    """

    def __init__(self, function: Callable[..., Any], folder: Path) -> None:
        self._cache = _numbas_cache(function, folder)

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._cache.cache_path)

    def load_overload(self, types: Any, target: Any) -> Any:
        """What was compiled for these types, None if that is not there or is of no use."""
        try:
            return self._cache.load_overload(types, target)
        except Exception:  # of any kind: it is a pickle
            with contextlib.suppress(OSError):
                self._cache.flush()
            return None

    def save_overload(self, types: Any, compiled: Any) -> None:
        """Keep what was compiled for these types, if possible."""
        try:
            self._cache.save_overload(types, compiled)
        except Exception as fault:
            _lost.append(fault)

    def flush(self) -> None:
        """Forget what is kept."""
        self._cache.flush()


def _numbas_cache(function: Callable[..., Any], folder: Path) -> Any:
    """The cache of numba itself, in a folder of our choice: its own choice raises where it finds none."""

    class Place(UserProvidedCacheLocator):
        def __init__(self, function: Callable[..., Any], file: str) -> None:
            self._py_file = file
            self._lineno = function.__code__.co_firstlineno
            self._cache_path = str(folder)

        @classmethod
        def from_function(cls, function: Callable[..., Any], file: str) -> Any:
            return cls(function, file)

    class Entries(CompileResultCacheImpl):
        _locator_classes = [Place]  # noqa: RUF012 - numba's name

    class Cache(FunctionCache):
        _impl_class = Entries

    cache: Any = Cache
    return cache(function)


def _candidates() -> Iterator[Path]:
    chosen: str = getattr(config, "CACHE_DIR", "")
    if chosen:
        yield Path(chosen)
    yield _BESIDE_KERNELS / "kernels"
    users = platformdirs.user_cache_path("linkpress", appauthor=False)
    if users.is_absolute():  # else there is no home folder
        yield users / "kernels"
    with contextlib.suppress(OSError):
        yield _own_temporary_folder()


def _own_temporary_folder() -> Path:
    """What lies in a cache is run, so nobody else may have put anything there.

    Raises:
        OSError: there is no temporary folder, or somebody else holds this name in it.
    """
    user = os.getuid() if hasattr(os, "getuid") else "kernels"
    folder = Path(tempfile.gettempdir(), f"linkpress-{user}")
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if hasattr(os, "getuid") and (
        not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077
    ):
        raise PermissionError(f"{folder} is not this user's alone")
    return folder
