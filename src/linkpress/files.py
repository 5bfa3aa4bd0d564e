"""Writing files whole or not at all, reading them up to a limit. Open to every room, as ``errors`` is."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from linkpress.errors import OutputError

_CHUNK_BYTES = 1 << 20


class TooLargeError(OSError):
    """A file holds more than its reader takes; the reader says so to the user in its own words."""


def read_within(path: Path, most_bytes: int) -> bytes:
    """The bytes of a file, whatever stands there: a device without an end is no trap.

    Raises:
        TooLargeError: there are more.
        OSError: it can't be read, or no file can have this name; ``strerror`` says why.
    """
    try:
        with path.open("rb") as file:
            return take_within(file, most_bytes)
    except ValueError as fault:
        raise OSError(errno.EINVAL, str(fault)) from fault


def take_within(stream: BinaryIO, most_bytes: int) -> bytes:
    """As ``read_within``, for what is open already."""
    taken = io.BytesIO()
    while chunk := stream.read(_CHUNK_BYTES):
        taken.write(chunk)
        if taken.tell() > most_bytes:
            raise TooLargeError(errno.EFBIG, f"it is over {most_bytes >> 20} MiB")
    return taken.getvalue()


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
