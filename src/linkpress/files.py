"""This module writes files whole or not at all, reads them up to a limit, and locks folders.

It is open to every room, as ``errors`` is.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, BinaryIO

from linkpress.errors import LinkpressError, OutputError

if TYPE_CHECKING:
    from filelock import BaseFileLock

_CHUNK_BYTES = 1 << 20
LOCK = ".linkpress.lock"
VOLUME_FILE = "volume.json"
"""The file in a built book's folder that holds its puzzles."""
_LOCK_WAIT_S = 0.2
_PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8)
# Of file systems without locks.
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)
_PART_PREFIX, _PART = ".linkpress-", ".part"
_REMEDIES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT), "Free some space, or {elsewhere}"),
    **dict.fromkeys(
        (errno.EACCES, errno.EPERM), "Change the permissions of the file or its folder, or {elsewhere}"
    ),
    **dict.fromkeys(
        (errno.ENOTDIR, errno.EEXIST),
        "Part of its path is no folder, but a file or a link that leads nowhere: {elsewhere}",
    ),
    **dict.fromkeys((errno.EISDIR, errno.ENOTEMPTY), "A folder has that name: move it away, or {elsewhere}"),
    errno.ENOENT: "A folder above it has gone, or is a link that leads nowhere: {elsewhere}",
    errno.EROFS: "The disk is mounted read-only: {elsewhere}",
    errno.EFBIG: "The file would be larger than the disk or your limits allow: {elsewhere}",
    errno.ENAMETOOLONG: "Shorten the name, or {elsewhere}",
    **dict.fromkeys(
        (errno.ESTALE, errno.ENOTCONN, errno.ETIMEDOUT),
        "The network drive is gone: connect it again, or {elsewhere}",
    ),
    errno.EIO: "The disk itself is at fault: save what is on it, and {elsewhere}",
}
# Of Windows, by its own numbers of faults: what Python makes of them says less.
_WINDOWS_REMEDIES = {
    **dict.fromkeys((5, 32, 33), "Close every program in which the file is open, or {elsewhere}"),
    **dict.fromkeys((3, 206), "A folder above it has gone, or its path has over 259 letters: {elsewhere}"),
    123: "Windows allows no such name: {elsewhere}",
}
_DEVICES = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:[.:].*)?")
_REMEDY = "Check what is blocking that path, or {elsewhere}"


class TooLargeError(OSError):
    """A file holds more than its reader takes; the reader says so to the user in its own words."""


def read_within(path: Path, most_bytes: int) -> bytes:
    """Read the bytes of a file, whatever stands there: a device without an end is no trap.

    Raises:
        TooLargeError: there are more.
        OSError: it can't be read, or no file can have this name; ``strerror`` says why.
    """
    with open_within(path, most_bytes) as file:
        return take_within(file, most_bytes)


@contextlib.contextmanager
def open_within(path: Path, most_bytes: int) -> Iterator[BinaryIO]:
    """Open a file that is read in parts; what is raised is as for ``read_within``."""
    _refuse_device(path)
    try:
        file = path.open("rb")
    except ValueError as fault:
        raise OSError(errno.EINVAL, str(fault)) from fault
    with file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise _too_large(most_bytes)
        yield file


def read_input(path: Path, most_bytes: int, error: type[LinkpressError], advice: str) -> bytes:
    """Read a file that the user named; raise an ``error`` that says why it can't be, and the advice."""
    try:
        return read_within(path, most_bytes)
    except OSError as fault:
        raise error(f"{path} can't be read: {reason(fault)}. {advice}") from fault


def take_within(stream: BinaryIO, most_bytes: int) -> bytes:
    """Read what is open already, as ``read_within`` reads a file."""
    taken = io.BytesIO()
    while chunk := stream.read(_CHUNK_BYTES):
        taken.write(chunk)
        if taken.tell() > most_bytes:
            raise _too_large(most_bytes)
    return taken.getvalue()


def _too_large(most_bytes: int) -> TooLargeError:
    return TooLargeError(errno.EFBIG, f"it is larger than {most_bytes >> 20} MiB")


def write_whole(path: Path, content: bytes | str) -> None:
    """Put a file in place in one step: temporary name beside it, fsync, rename.

    Args:
        path: the file; missing folders above it are made.
        content: text is written as UTF-8 with the line ends that it has.
    Raises:
        OutputError: the file can't be written; whatever stood there before stands unchanged.
    """
    write_all({path: content})


def write_all(contents: Mapping[Path, bytes | str]) -> None:
    """Put files that belong together in place; raise ``OutputError`` with what stands there now."""
    with Batch() as batch:
        for path, content in contents.items():
            batch.write(path, content)
        batch.place()


class Batch:
    """A batch is files that belong together: all are whole on the disk before the first takes its place.

    It is a context manager; leaving it removes what was not put in place.
    """

    def __init__(self) -> None:
        self._parts: dict[Path, Path] = {}

    def __enter__(self) -> Batch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        for part in self._parts.values():
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)

    def write(self, path: Path, content: bytes | str) -> None:
        """Write a file beside its place, as ``write_whole`` does; on a fault no file has taken its place."""
        data = content.encode("utf-8") if isinstance(content, str) else content
        with _faults(path, "Nothing was changed there."):
            _refuse_device(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir() and not path.is_symlink():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            handle, name = tempfile.mkstemp(prefix=_PART_PREFIX, suffix=_PART, dir=path.parent)
            temporary = self._parts[path] = Path(name)
            os.close(handle)
            _write_bytes(temporary, data)
            _sync(temporary)
            # What was closed to others stays so: volumes and specs hold seeds.
            temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())

    def place(self) -> None:
        """Rename all in the order of writing; raise ``OutputError`` with those that took their places."""
        placed: list[str] = []
        for path, part in list(self._parts.items()):
            with _faults(path, _so_far(placed, [other.name for other in self._parts])):
                when_closed(partial(part.replace, path))
            del self._parts[path]
            placed.append(path.name)


def when_closed(change: Callable[[], object]) -> None:
    """Rename or delete a file; on Windows once another program has closed it, unless that takes long.

    The studio reads a book's files while they are built, and virus scanners read what is new.
    """
    for pause_s in _PAUSES_S if sys.platform == "win32" else ():
        try:
            change()
        except PermissionError:
            time.sleep(pause_s)
        else:
            return
    change()


def check_place(path: Path) -> None:
    """Find out, before long work, whether a file can be put in a place; raise as ``write_whole`` would."""
    folder = path.parent
    try:
        _refuse_device(path)
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as fault:
        raise OutputError(
            f"{path} can't be written: {reason(fault)}. {remedy(fault, 'choose another place')}."
        ) from fault


@contextlib.contextmanager
def hold_folder(folder: Path) -> Iterator[None]:
    """Keep every other run out of a folder for the block: of another process, and of another thread.

    Parts of files that this run or an earlier one left when it was ended by force are removed, and so are
    the lock, and folders that were made for the run and stay empty. The lock ends with the process, and
    workers that it forks have none of it. Where no file can be made nobody is kept out: what is written next
    says why.

    Raises:
        OutputError: another run is at work there.
    """
    new_folders = [above for above in (folder, *folder.parents) if not above.exists()]
    lock = None
    try:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            lock = _locked(folder)
        if lock is not None:
            sweep_parts([folder / LOCK])
        yield
    finally:
        if lock is not None:
            sweep_parts([folder / LOCK])
            if sys.platform == "win32":  # an open file can't be deleted there
                lock.release()
            with contextlib.suppress(OSError):
                (folder / LOCK).unlink()
            lock.release()
        for made in new_folders:
            with contextlib.suppress(OSError):
                made.rmdir()


def is_held(folder: Path) -> bool:
    """Tell whether another run is at work in a folder; False too where that can't be found out."""
    if not is_file(folder / LOCK):
        return False
    from filelock import FileLock, Timeout

    with contextlib.suppress(OSError):
        lock = FileLock(folder / LOCK, timeout=0, mode=0o666)
        try:
            lock.acquire()
        except Timeout:
            return True
        lock.release()
    return False


def _locked(folder: Path) -> BaseFileLock:
    from filelock import FileLock, SoftFileLock, Timeout  # 20 ms, which only a run that writes spends

    held, ended = folder / f"{LOCK}.held", ""
    try:
        try:
            lock = FileLock(folder / LOCK, timeout=_LOCK_WAIT_S, mode=0o666)
            lock.acquire()
        except OSError as fault:
            if fault.errno not in _NO_LOCKS:
                raise
            # A run that was ended by force leaves this file, and on network drives nobody can take it over.
            ended = f" If none is there any more, it was ended by force: delete {held} then."
            lock = SoftFileLock(held, timeout=_LOCK_WAIT_S, mode=0o666)
            lock.acquire()
    except Timeout as busy:
        raise OutputError(
            f"another linkpress is at work in {folder}. Wait until it has finished, or choose another folder "
            f"with -o.{ended}"
        ) from busy
    return lock


def sweep_parts(paths: Iterable[Path]) -> None:
    """Remove what a run that was ended by force left beside these files, where no other run is at work."""
    for folder in {path.parent for path in paths}:
        for part in folder.glob(f"{_PART_PREFIX}*{_PART}"):
            with contextlib.suppress(OSError):
                part.unlink()


def is_file(path: Path) -> bool:
    """Tell whether a path leads to a file; False too for a name too long or a folder that is closed."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_taken(path: Path, most_bytes: int, is_ours: Callable[[bytes], bool]) -> bool:
    """Tell whether anything stands in a place that may not be written over.

    Args:
        most_bytes: the most that a file of ours has.
        is_ours: whether the content of a file is. Folders, devices, pipes and larger files are not.
    Raises:
        OutputError: it can't be found out, as in a folder that is closed.
    """
    try:
        return path.exists() and not (path.is_file() and is_ours(read_within(path, most_bytes)))
    except TooLargeError:
        return True
    except OSError as fault:
        raise OutputError(explanation(fault)) from fault


def is_folder(path: Path) -> bool:
    """Tell whether a path leads to a folder, as ``is_file`` does of a file."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_device(name: str) -> bool:
    """Tell whether Windows keeps a file's name for a device, in small or capital letters, with any suffix."""
    return _DEVICES.fullmatch(name) is not None


def _refuse_device(path: Path) -> None:
    """Refuse a name that Windows takes for a device: writing is lost there, and reading may never end."""
    if sys.platform == "win32" and is_device(path.name):
        raise OSError(errno.EINVAL, f"Windows keeps the name {path.name} for a device", str(path))


def reason(fault: OSError) -> str:
    """Return the reason that the system gives, without numbers and paths."""
    return fault.strerror or str(fault)


def is_of_file_system(fault: OSError) -> bool:
    """Tell whether a fault is of the user's files and disks, rather than of the program."""
    return fault.filename is not None or fault.errno in _REMEDIES


def remedy(fault: OSError, elsewhere: str) -> str:
    """Say, without a full stop, what to try after a fault: ``elsewhere`` is how to use another place."""
    usual = _REMEDIES.get(fault.errno or 0, _REMEDY)
    return _WINDOWS_REMEDIES.get(getattr(fault, "winerror", None) or 0, usual).format(elsewhere=elsewhere)


def explanation(fault: OSError) -> str:
    """Say where a fault of the file system is met, why, and what to try."""
    place = fault.filename or "standard output"
    return f"{place}: {reason(fault)}. {remedy(fault, 'choose another place')}."


@contextlib.contextmanager
def _faults(path: Path, so_far: str) -> Iterator[None]:
    try:
        yield
    except OSError as fault:
        raise OutputError(
            f"{path} can't be written: {reason(fault)}. {so_far} {remedy(fault, 'choose another place')}."
        ) from fault


def _so_far(placed: list[str], waiting: list[str]) -> str:
    if not placed:
        return "Nothing was changed there."
    return (
        f"Of the files that belong together there, {', '.join(placed)} took the place of what stood there "
        f"before, and {', '.join(waiting)} did not: the same command puts all in place once this is mended."
    )


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
