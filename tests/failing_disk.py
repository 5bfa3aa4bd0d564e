"""A disk that refuses one step of all that a command takes: the n-th that needs room or leave."""

import errno
import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

import pytest

KINDS = {"mkdir", "open", "write", "fsync", "replace", "database"}
# Each step takes one run and one more: all of them are tried in a soak. How many there are goes by the clock,
# since a run shows the ledger now and then that it lives; so the first step of each kind is always tried.
SOME_STEPS = pytest.mark.parametrize(
    "every",
    [pytest.param(12, id="every twelfth step"), pytest.param(1, id="every step", marks=pytest.mark.soak)],
)


class FailingDisk:
    """Counts steps from 0, of one kind if it is named, and fails one; ``failed`` says what step that was."""

    def __init__(self, at, code=errno.ENOSPC, kind=None):
        self.at = at
        self.code = code
        self.kind = kind
        self.count = 0
        self.failed = None

    def replace(self, patch):
        """Take the place of everything by which linkpress writes."""
        for name in ("mkdir", "replace", "fsync"):
            patch.setattr(os, name, self._failing(getattr(os, name), name))
        patch.setattr(os, "open", self._failing(os.open, "open", _is_for_writing))
        patch.setattr(os, "fdopen", self._torn(os.fdopen))
        patch.setattr(Path, "open", self._torn(Path.open))
        patch.setattr(sqlite3, "connect", self._connecting(sqlite3.connect))

    def _failing(self, real, name, counts=lambda *args, **options: True):
        def step(*args, **options):
            if counts(*args, **options):
                self.take(name)
            return real(*args, **options)

        return step

    def _torn(self, real):
        def opened(where, mode="r", *args, **options):
            file = real(where, mode, *args, **options)
            return file if mode in ("r", "rb") else _TornFile(file, self)

        return opened

    def _connecting(self, real):
        """Statements that change the ledger fail as SQLite lets them."""
        disk = self

        def step():
            try:
                disk.take("database")
            except OSError:
                fault = sqlite3.OperationalError("database or disk is full")
                fault.sqlite_errorcode = sqlite3.SQLITE_FULL
                raise fault from None

        class Connection(sqlite3.Connection):
            def execute(self, statement, *values):
                if statement.split()[0] not in ("SELECT", "PRAGMA", "ROLLBACK"):
                    step()
                return super().execute(statement, *values)

        return lambda *args, **options: real(*args, factory=Connection, **options)

    def take(self, name):
        """One step, which may be the one that fails."""
        if self.kind not in (None, name):
            return
        self.count += 1
        if self.count - 1 == self.at:
            self.failed = name
            raise OSError(self.code, os.strerror(self.code))


def _is_for_writing(path, flags, *args, **options):
    return flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)


class _TornFile:
    """Where a write fails, half of it is there."""

    def __init__(self, file, disk):
        self.file, self.disk = file, disk

    def write(self, data):
        try:
            self.disk.take("write")
        except OSError:
            self.file.write(data[: len(data) // 2])
            raise
        return self.file.write(data)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def __enter__(self):
        return self

    def __exit__(self, *fault):
        self.file.close()


class Failure(NamedTuple):
    """How a command ended whose disk refused a step."""

    folder: Path
    step: str
    exit_code: int
    said: str
    left: dict[str, bytes]


def each_failure(command, folder, capfd, whole, code=errno.ENOSPC, every=1):
    """Run a command with each of its steps refused once; whatever it leaves is part of ``whole``.

    By ``every`` 3 these are the first step, the fourth and so on, and the first of each kind. The command
    works in a folder of its own each time, and returns its exit code.
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
    """Run a command on a failing disk; None where it takes no such step."""
    capfd.readouterr()
    with pytest.MonkeyPatch.context() as patch:
        disk.replace(patch)
        ended = command(folder)
    if disk.failed is None:
        return None
    left, said = contents(folder), capfd.readouterr().err
    if ended != 0:  # the name of a new file need not be synced at once
        assert ended == 5, said
        check_one_sentence(said)
    assert [name for name in left if name.endswith(".part")] == []
    assert all(whole.get(name, content) == content for name, content in left.items())
    return Failure(folder, disk.failed, ended, said, left)


def contents(folder):
    """What a command left in the folder ``out``, by name."""
    return {path.name: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}


def check_one_sentence(said):
    """Hold what a command said on standard error to one line, after those on what the levels may take."""
    lines = said.splitlines(keepends=True)
    assert [line for line in lines if line.startswith("linkpress: ")] == lines[-1:], said
    assert lines[-1].endswith("\n"), said
