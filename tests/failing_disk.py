"""A disk that refuses one write step of a command.

A *step* is a call that creates, writes, syncs or replaces a file, or changes the ledger.
"""

import errno
import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

import pytest

KINDS = {"mkdir", "open", "write", "fsync", "replace", "database"}
# Each refused step needs two runs of the command, so only soak tests try every step. The number of steps
# varies, because a run writes beats to the ledger from time to time. So the first step of each kind is always
# tried.
SOME_STEPS = pytest.mark.parametrize(
    "every",
    [pytest.param(12, id="every twelfth step"), pytest.param(1, id="every step", marks=pytest.mark.soak)],
)


class FailingDisk:
    """Counts steps, and lets one of them fail.

    Args:
        at: the number of the step that fails, counted from 0.
        code: the error code of the failure.
        kind: count only steps of this kind; all kinds if None.
    Attributes:
        failed: the kind of the step that failed; None if none has failed.
    """

    def __init__(self, at, code=errno.ENOSPC, kind=None):
        self.at = at
        self.code = code
        self.kind = kind
        self.count = 0
        self.failed = None

    def replace(self, patch):
        """Replace all functions by which linkpress writes."""
        for name in ("mkdir", "replace", "fsync"):
            patch.setattr(os, name, self._failing(getattr(os, name), name))
        patch.setattr(os, "open", self._failing(os.open, "open", _is_for_writing))
        patch.setattr(os, "fdopen", self._torn(os.fdopen))
        patch.setattr(Path, "open", self._torn(Path.open))
        patch.setattr(sqlite3, "connect", self._connecting(sqlite3.connect))

    def _failing(self, real, name, counts=lambda *args, **options: True):
        def step(*args, **options):
            if counts(*args, **options):
                self.step(name)
            return real(*args, **options)

        return step

    def _torn(self, real):
        def opened(where, mode="r", *args, **options):
            file = real(where, mode, *args, **options)
            return file if mode in ("r", "rb") else _TornFile(file, self)

        return opened

    def _connecting(self, real):
        """Let statements that change the ledger fail with SQLite's error."""
        disk = self

        def step():
            try:
                disk.step("database")
            except OSError:
                error = sqlite3.OperationalError("database or disk is full")
                error.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise error from None

        class Connection(sqlite3.Connection):
            def execute(self, statement, *values):
                if statement.split()[0] not in ("SELECT", "PRAGMA", "ROLLBACK"):
                    step()
                return super().execute(statement, *values)

        return lambda *args, **options: real(*args, factory=Connection, **options)

    def step(self, name):
        """Count a step, and raise ``OSError`` if it is the one that fails."""
        if self.kind not in (None, name):
            return
        self.count += 1
        if self.count - 1 == self.at:
            self.failed = name
            raise OSError(self.code, os.strerror(self.code))


def _is_for_writing(path, flags, *args, **options):
    return flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)


class _TornFile:
    """File that writes half of the data if a write fails."""

    def __init__(self, file, disk):
        self.file, self.disk = file, disk

    def write(self, data):
        try:
            self.disk.step("write")
        except OSError:
            self.file.write(data[: len(data) // 2])
            raise
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *exc_info):
        self.file.close()


class Failure(NamedTuple):
    """Result of a command whose disk refused a step."""

    folder: Path
    step: str
    exit_code: int
    stderr: str
    left: dict[str, bytes]


def each_failure(command, folder, capfd, whole, code=errno.ENOSPC, every=1):
    """Run a command once for each of its steps, and refuse this step; yield the results.

    Args:
        command: takes a folder to work in, and returns its exit code.
        folder: the folder for the folders of all runs.
        capfd: pytest's fixture.
        whole: the files of a complete run by name. Files that a failed run leaves must be among them.
        code: the error code of the failures.
        every: 3 means that only the first step, the fourth and so on are refused. The first step of each kind
            is always refused.
    """
    for at in range(0, 1000, every):
        failure = _refused(command, folder / f"{at}", capfd, whole, FailingDisk(at, code))
        if failure is None:
            break
        yield failure
    for kind in sorted(KINDS):
        failure = _refused(command, folder / kind, capfd, whole, FailingDisk(0, code, kind))
        assert failure is not None
        yield failure


def _refused(command, folder, capfd, whole, disk):
    """Run a command on a failing disk; return None if it has no such step."""
    capfd.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        disk.replace(patch)
        ended = command(folder)
    if disk.failed is None:
        return None
    left, stderr = contents(folder), capfd.readouterr().err
    if ended != 0:  # a failed sync of a folder does not end the command
        assert ended == 5, stderr
        check_one_sentence(stderr)
    assert [name for name in left if name.endswith(".part")] == []
    assert all(whole.get(name, content) == content for name, content in left.items())
    return Failure(folder, disk.failed, ended, stderr, left)


def contents(folder):
    """Return the files in the folder ``out`` by name."""
    return {path.name: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}


def check_one_sentence(stderr):
    """Check that standard error ends with one line for the error; lines about the levels may precede it."""
    lines = stderr.splitlines(keepends=True)
    assert [line for line in lines if line.startswith("linkpress: ")] == lines[-1:], stderr
    assert lines[-1].endswith("\n"), stderr
