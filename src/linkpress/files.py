"""Write files completely or not at all, read files and JSON up to a maximum size, and lock folders.

A file is written under a temporary name in its folder, synced to the disk, and then renamed. So no program
ever sees a partly written file, even if linkpress is killed.
"""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache, partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO

from linkpress.errors import LinkpressError, OutputError
from linkpress.version import __version__

if TYPE_CHECKING:
    from filelock import BaseFileLock

VOLUME_FILE = "volume.json"
"""Name of the file in a built book's folder that holds its puzzles."""
YAML_SUFFIXES = (".yaml", ".yml")  # endings of the names of specs
LOCK = ".linkpress.lock"
_PACKAGE = Path(__file__).parent
_LOCK_WAIT_S = 0.2
_CHUNK_BYTES = 1 << 20
# The largest number of values in a JSON file. There is a limit because each value takes 64 bytes of memory or
# more. The files of linkpress stay below it: a book of 5,000 boards of 50 × 50 squares has 700,000 values,
# and ten years of daily puzzles have about a million.
MAX_JSON_VALUES = 4_000_000
# Windows can't replace a file while another program has it open. linkpress waits for these numbers of seconds
# before it tries again.
_PAUSES_S = (0.05, 0.1, 0.2, 0.4, 0.8)
_TEMPORARY_PREFIX, _TEMPORARY_SUFFIX = ".linkpress-", ".part"
# Error numbers by which a file system reports that it doesn't support locks.
_NO_LOCKS = (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL)

# Advice for users, by error number. {elsewhere} is replaced by a phrase such as "choose another folder".
_REMEDIES = {
    errno.ENOSPC: "Free some space, or {elsewhere}",
    errno.EDQUOT: "Free some space, or {elsewhere}",
    errno.EACCES: "Change the permissions of the file or its folder, or {elsewhere}",
    errno.EPERM: "Change the permissions of the file or its folder, or {elsewhere}",
    errno.ENOTDIR: "A part of its path is a file or a broken link instead of a folder: {elsewhere}",
    errno.EEXIST: "A part of its path is a file or a broken link instead of a folder: {elsewhere}",
    errno.EISDIR: "A folder has that name: move it away, or {elsewhere}",
    errno.ENOTEMPTY: "A folder has that name: move it away, or {elsewhere}",
    errno.ENOENT: "A folder above it is missing, or is a broken link: {elsewhere}",
    errno.EROFS: "The disk is mounted read-only: {elsewhere}",
    errno.EFBIG: "The file would be larger than the disk or your limits allow: {elsewhere}",
    errno.ENAMETOOLONG: "Shorten the name, or {elsewhere}",
    errno.ESTALE: "The network drive is gone: connect it again, or {elsewhere}",
    errno.ENOTCONN: "The network drive is gone: connect it again, or {elsewhere}",
    errno.ETIMEDOUT: "The network drive is gone: connect it again, or {elsewhere}",
    errno.EIO: "The disk is damaged: save your files from it, and {elsewhere}",
}
_OTHER_REMEDY = "Check what is blocking that path, or {elsewhere}"
# Advice for users, by the error number of Windows. This number is more precise than the ``errno`` that Python
# derives from it.
_WINDOWS_REMEDIES = {
    **dict.fromkeys((5, 32, 33), "Close every program in which the file is open, or {elsewhere}"),
    **dict.fromkeys((3, 206), "A folder above it is missing, or its path is over 259 letters: {elsewhere}"),
    123: "Windows does not allow this name: {elsewhere}",
}
_WINDOWS_DEVICES = re.compile(r"(?i:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(?:[.:].*)?")


# Reading


class ImageFormat(StrEnum):
    """Format of an image file."""

    PNG = "png"
    TIFF = "tiff"
    SVG = "svg"
    PDF = "pdf"
    EPS = "eps"


class TooLargeError(OSError):
    """A file is larger than the limit for reading it."""


def read_limited(path: Path, most_bytes: int) -> bytes:
    """Read a whole file of at most ``most_bytes``.

    Reading stops at this limit, even if the file is a device that returns data without end.

    Raises:
        TooLargeError: the file is larger.
        OSError: the file can't be read, or its name is invalid; ``strerror`` says why.
    """
    with open_limited(path, most_bytes) as file:
        return read_stream(file, most_bytes)


def parse_json(content: bytes) -> Any:
    """Parse a JSON text in UTF-8.

    Raises:
        ValueError: the text is invalid JSON, or is nested more than 200 levels deep. Texts with NaN, infinity
            or a lone surrogate (half a character) are refused too. So are objects with the same key twice,
            and texts with more than ``MAX_JSON_VALUES`` values. The message gives the reason.
    """
    from pydantic_core import from_json  # imported here because few commands read JSON

    if sum(map(content.count, (b",", b"[", b"{"))) > MAX_JSON_VALUES:
        raise ValueError(f"more than {MAX_JSON_VALUES:,} values")
    value = from_json(content, allow_inf_nan=False)
    json.loads(content.decode("utf-8"), object_pairs_hook=_refuse_duplicate_keys, strict=False)
    return value


def _refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> None:
    # This runs while a JSON text is parsed for a second time, only to find duplicate keys. The objects of
    # this second pass are not used. So return None instead of an object, which saves memory.
    if len(dict(pairs)) == len(pairs):
        return
    keys: set[str] = set()
    for key, _ in pairs:
        if key in keys:
            raise ValueError(f"the key {json.dumps(key)[:60]} is given twice in an object")
        keys.add(key)


@contextlib.contextmanager
def open_limited(path: Path, most_bytes: int) -> Iterator[BinaryIO]:
    """Open a file of at most ``most_bytes`` for reading; raise the same errors as ``read_limited``."""
    _refuse_device(path)
    try:
        file = path.open("rb")
    except ValueError as error:  # raised if the file's name contains a null byte
        raise OSError(errno.EINVAL, str(error)) from error
    with file:
        if os.fstat(file.fileno()).st_size > most_bytes:
            raise _too_large(most_bytes)
        yield file


def read_stream(stream: BinaryIO, most_bytes: int) -> bytes:
    """Read an open stream to its end; raise ``TooLargeError`` if it has more than ``most_bytes``."""
    content = io.BytesIO()
    while chunk := stream.read(_CHUNK_BYTES):
        content.write(chunk)
        if content.tell() > most_bytes:
            raise _too_large(most_bytes)
    return content.getvalue()


def _too_large(most_bytes: int) -> TooLargeError:
    return TooLargeError(errno.EFBIG, f"it is larger than {most_bytes >> 20} MiB")


def read_input(path: Path, most_bytes: int, error_class: type[LinkpressError], advice: str) -> bytes:
    """Read a file that the user named.

    Args:
        path: the file.
        most_bytes: the maximum size of the file.
        error_class: the class of the error to raise if the file can't be read.
        advice: the last sentence of the error message, which says what the user can do.
    """
    try:
        return read_limited(path, most_bytes)
    except OSError as error:
        raise error_class(f"{path} can't be read: {reason(error)}. {advice}") from error


# Writing


def write_file(path: Path, content: bytes | str) -> None:
    """Write a file completely or not at all. If writing fails, an old file at this path is unchanged.

    Args:
        path: the file. Missing parent folders are created.
        content: bytes, or text to write as UTF-8. Line ends are not converted.
    Raises:
        OutputError: the file can't be written.
    """
    write_files({path: content})


def write_files(contents: Mapping[Path, bytes | str]) -> None:
    """Write several files that belong together.

    All new files are written under temporary names before the first old file is replaced.

    Raises:
        OutputError: a file can't be written. The message says which old files have already been replaced.
    """
    with FileTransaction() as transaction:
        for path, content in contents.items():
            transaction.write(path, content)
        transaction.commit()


class FileTransaction:
    """Context manager that replaces several files together.

    ``write`` writes each new file under a temporary name, and ``commit`` renames all of them. Without
    ``commit``, the temporary files are removed at the end of the block.
    """

    def __init__(self) -> None:
        self._temporary_files: dict[Path, Path] = {}

    def __enter__(self) -> FileTransaction:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for temporary in self._temporary_files.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)

    def write(self, path: Path, content: bytes | str) -> None:
        """Write a file under a temporary name; raise ``OutputError`` if it can't be written."""
        data = content.encode("utf-8") if isinstance(content, str) else content
        with _output_errors(path, "Nothing was changed there."):
            _refuse_device(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir() and not path.is_symlink():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            handle, name = tempfile.mkstemp(
                prefix=_TEMPORARY_PREFIX, suffix=_TEMPORARY_SUFFIX, dir=path.parent
            )
            temporary = self._temporary_files[path] = Path(name)
            os.close(handle)
            _write_bytes(temporary, data)
            sync(temporary, os.O_RDWR)
            # Keep the permissions of the old file. Users may forbid others to read a spec or a volume.json,
            # because anybody who knows the seed in it can generate the puzzles of the book.
            temporary.chmod(path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask())

    def commit(self) -> None:
        """Rename all files to their final names, in the order in which they were written.

        Raises:
            OutputError: a file can't be renamed. The message lists the files that have already been replaced.
        """
        replaced: list[str] = []
        for path, temporary in list(self._temporary_files.items()):
            with _output_errors(path, _progress(replaced, [file.name for file in self._temporary_files])):
                retry_while_open(partial(temporary.replace, path))
            del self._temporary_files[path]
            replaced.append(path.name)


def _progress(replaced: list[str], waiting: list[str]) -> str:
    if not replaced:
        return "Nothing was changed there."
    return (
        f"Of the files that belong together there, {', '.join(replaced)} took the place of the old files, "
        f"and {', '.join(waiting)} did not: run the same command again once this is mended."
    )


@contextlib.contextmanager
def _output_errors(path: Path, progress: str) -> Iterator[None]:
    """Raise an ``OutputError`` if the code in the ``with`` block raises an ``OSError``.

    Args:
        path: the file that the block writes.
        progress: a sentence for the error message that says which files have been changed so far.
    """
    try:
        yield
    except OSError as error:
        raise OutputError(
            f"{path} can't be written: {reason(error)}. {progress} {remedy(error, 'choose another place')}."
        ) from error


def _write_bytes(path: Path, data: bytes) -> None:
    with path.open("wb") as file:
        file.write(data)


def sync(path: Path, mode: int) -> None:
    """Wait until the operating system has written a file, or the list of files in a folder, to the disk.

    Args:
        path: the file or folder.
        mode: how to open it: ``os.O_RDWR`` for a file, ``os.O_RDONLY`` for a folder.
    """
    handle = os.open(path, mode)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current


def retry_while_open(change: Callable[[], object]) -> None:
    """Rename or delete a file. On Windows, try again for a while if another program has the file open.

    For example, virus scanners open new files, and the window of ``linkpress studio`` reads the files of a
    book while they are built.

    Args:
        change: function that renames or deletes the file.
    """
    for pause_s in _PAUSES_S if sys.platform == "win32" else ():
        try:
            change()
        except PermissionError:
            time.sleep(pause_s)
        else:
            return
    change()


def check_writable(path: Path) -> None:
    """Check that a file could be written, without creating it. Call this before long work.

    Raises:
        OutputError: the file can't be written.
    """
    folder = path.parent
    try:
        _refuse_device(path)
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise OutputError(
            f"{path} can't be written: {reason(error)}. {remedy(error, 'choose another place')}."
        ) from error


# Locks


@contextlib.contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Lock a folder during the block, so that no other process or thread writes its files.

    The folder is created if needed, and removed again if it stays empty. If an earlier run of linkpress was
    killed, its temporary files in the folder are deleted. The lock ends when this process ends, even if
    worker processes that it has forked still run.

    If no lock file can be created, the block runs without a lock. Then its first attempt to write a file will
    probably fail too, and report the reason.

    Raises:
        OutputError: another run has locked the folder.
    """
    new_folders = [above for above in (folder, *folder.parents) if not above.exists()]
    lock = None
    try:
        with contextlib.suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            lock = _acquire_lock(folder)
        if lock is not None:
            remove_temporary_files([folder / LOCK])
        yield
    finally:
        if lock is not None:
            remove_temporary_files([folder / LOCK])
            # Windows can't delete an open file, so release the lock before deleting its file.
            if sys.platform == "win32":
                lock.release()
            with contextlib.suppress(OSError):
                (folder / LOCK).unlink()
            lock.release()
        for new_folder in new_folders:
            with contextlib.suppress(OSError):
                new_folder.rmdir()


def is_locked(folder: Path) -> bool:
    """Return whether another run of linkpress has locked a folder; False if the lock file can't be opened."""
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


def _acquire_lock(folder: Path) -> BaseFileLock:
    # Import filelock here, because its import takes 20 ms and few commands lock a folder.
    from filelock import FileLock, SoftFileLock, Timeout

    soft_lock, advice = folder / f"{LOCK}.held", ""
    try:
        try:
            lock = FileLock(folder / LOCK, timeout=_LOCK_WAIT_S, mode=0o666)
            lock.acquire()
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            # The file system doesn't support locks. So create a file that exists as long as the folder is
            # locked. If linkpress is killed, this file remains, and the user must delete it.
            advice = f" If no linkpress is running there, an earlier one was killed: delete {soft_lock} then."
            lock = SoftFileLock(soft_lock, timeout=_LOCK_WAIT_S, mode=0o666)
            lock.acquire()
    except Timeout as timeout:
        raise OutputError(
            f"another linkpress is at work in {folder}. Wait until it has finished, or choose another folder "
            f"with -o.{advice}"
        ) from timeout
    return lock


def remove_temporary_files(paths: Iterable[Path]) -> None:
    """Delete the temporary files that a killed run of linkpress left in the folders of the given files.

    Lock these folders first. Otherwise, the temporary files of a running command would be deleted too.
    """
    for folder in {path.parent for path in paths}:
        for temporary in folder.glob(f"{_TEMPORARY_PREFIX}*{_TEMPORARY_SUFFIX}"):
            with contextlib.suppress(OSError):
                temporary.unlink()


# Paths


def is_file(path: Path) -> bool:
    """Return whether a path is a file; False if this is unknown because its folder can't be read."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_folder(path: Path) -> bool:
    """Return whether a path is a folder; False if this is unknown because its parent can't be read."""
    try:
        return path.is_dir()
    except OSError:
        return False


def is_foreign(path: Path, most_bytes: int, is_ours: Callable[[bytes], bool]) -> bool:
    """Return whether a path exists and was not written by linkpress, so that it must not be overwritten.

    Args:
        path: the path to be written.
        most_bytes: the maximum size of a file that linkpress writes there.
        is_ours: function that returns whether linkpress wrote a file with the given content.
    Raises:
        OutputError: the file can't be read.
    """
    try:
        return path.exists() and not (path.is_file() and is_ours(read_limited(path, most_bytes)))
    except TooLargeError:
        return True
    except OSError as error:
        raise OutputError(explanation(error)) from error


def is_device(name: str) -> bool:
    return _WINDOWS_DEVICES.fullmatch(name) is not None


def _refuse_device(path: Path) -> None:
    """Raise ``OSError`` if a path has the name of a Windows device, such as ``nul``.

    A device discards what is written to it, and a program that reads from it may wait forever.
    """
    if sys.platform == "win32" and is_device(path.name):
        raise OSError(errno.EINVAL, f"Windows keeps the name {path.name} for a device", str(path))


def refuse_pipe(path: Path) -> None:
    """Raise ``OSError`` if a path is a pipe or a device, because a program that reads it may wait forever."""
    _refuse_device(path)
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is a pipe or a device, and a file is needed", str(path))


# Error messages


def is_file_error(error: OSError) -> bool:
    """Return whether the cause of an error is in the user's files or disks, and not a bug in linkpress."""
    return error.filename is not None or error.errno in _REMEDIES


def reason(error: OSError) -> str:
    return error.strerror or str(error)


def remedy(error: OSError, elsewhere: str) -> str:
    """Return advice for the user after an error of the file system.

    The advice does not end with a full stop.

    Args:
        error: the error.
        elsewhere: a phrase that suggests another place, such as "choose another folder with -o".
    """
    advice = _WINDOWS_REMEDIES.get(getattr(error, "winerror", None) or 0)
    advice = advice or _REMEDIES.get(error.errno or 0, _OTHER_REMEDY)
    return advice.format(elsewhere=elsewhere)


def explanation(error: OSError) -> str:
    """Return a message for the user that says where an error happened, why, and what to try."""
    place = error.filename or "standard output"
    return f"{place}: {reason(error)}. {remedy(error, 'choose another place')}."


# Environment variable by which the user can choose the folder of the cache. The cache keeps results for later
# runs of linkpress.
CACHE_ENVIRONMENT = "LINKPRESS_CACHE"
_MOST_KEPT = 300  # largest number of results in one cache file; when it is full, the oldest are removed
_MAX_CACHE_BYTES = 1 << 20


def kept_result(kind: str, key: str, compute: Callable[[], Any]) -> Any:
    """Return a result from the cache folder. If the result is not there, compute it and add it to the cache.

    A cached result is not used after linkpress itself has changed. If the cache can't be written, the result
    is returned without being cached.

    Args:
        kind: the name of the file in the cache folder, without its ending.
        key: a text that contains everything on which the result depends.
        compute: function that returns the result as JSON data. A result of None is not cached.
    """
    folder, key = _cache_folder(), f"{_code_state()} {key}"
    if folder is None:
        return compute()
    path = folder / f"{kind}.json"
    kept = {}
    with contextlib.suppress(OSError, ValueError):
        kept = dict(json.loads(read_limited(path, _MAX_CACHE_BYTES)))
    if key in kept:
        return kept[key]
    result = compute()
    if result is not None:
        newest = list(kept.items())[1 - _MOST_KEPT :]
        with contextlib.suppress(OutputError):
            write_file(path, json.dumps(dict([*newest, (key, result)])))
    return result


def _cache_folder() -> Path | None:
    """Return the cache folder: the folder that the user has set, or else one in the user's home folder.

    Return None if the user has set no folder and has no home folder.
    """
    if chosen := os.environ.get(CACHE_ENVIRONMENT):
        return Path(chosen)
    import platformdirs

    try:
        folder = Path(platformdirs.user_cache_dir("linkpress", appauthor=False))
    except RuntimeError:  # newer releases of platformdirs raise this if the user has no home folder
        return None
    return folder if folder.is_absolute() else None


@cache
def _code_state() -> str:
    """Return a text that changes with each version of linkpress, and when one of its modules is edited."""
    files = (entry for folder, *_ in os.walk(_PACKAGE) for entry in os.scandir(folder))
    times_ns = (file.stat().st_mtime_ns for file in files if file.name.endswith(".py"))
    return f"{__version__} {max(times_ns, default=0)}"
