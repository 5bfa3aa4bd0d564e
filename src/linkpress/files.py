"""Writing files whole or not at all. Open to every room, as ``errors`` is."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from linkpress.errors import OutputError


def write_whole(path: Path, content: bytes | str) -> None:
    """Put a file in place in one step: temporary name beside it, fsync, rename.

    Args:
        path: the file; missing folders above it are made.
        content: text is written as UTF-8 with the line ends that it has.
    Raises:
        OutputError: the file can't be written; whatever stood there before stands unchanged.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    fill_whole(path, lambda temporary: _write_bytes(temporary, data))


def fill_whole(path: Path, fill: Callable[[Path], None]) -> None:
    """As ``write_whole``, for writers that want a path: ``fill`` writes the temporary file.

    Raises:
        OutputError: as ``write_whole``.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:80]}.", suffix=".part", dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        fill(temporary)
        _sync(temporary)
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as fault:
        reason = fault.strerror or str(fault)
        raise OutputError(
            f"{path} can't be written: {reason}. Nothing was changed there. Free some space, fix the "
            "folder's permissions or choose another with -o."
        ) from fault
    finally:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _write_bytes(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
