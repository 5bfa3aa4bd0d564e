"""A disk that refuses one step of all that a command takes: the n-th that needs room or leave."""

from __future__ import annotations

import errno
import os
import sqlite3
from pathlib import Path

from linkpress import files
from linkpress.production import journal


def _is_for_writing(path, flags, *args, **options):
    return flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)


class FailingDisk:
    """Put in place with a ``monkeypatch``; counts the steps, and fails one of them.

    Args:
        at: which step fails, counted from 0.
        code: with which errno.
    Attributes:
        failed: what the failing step was; None while it has not come.
    """

    def __init__(self, at, code=errno.ENOSPC):
        self.at = at
        self.code = code
        self.count = 0
        self.failed = None

    def replace(self, patch):
        """Take the place of everything by which linkpress writes."""
        for name in ("mkdir", "replace", "fsync"):
            patch.setattr(os, name, self._failing(getattr(os, name), name))
        patch.setattr(os, "open", self._failing(os.open, "open", _is_for_writing))
        patch.setattr(files, "_write_bytes", self._torn(files._write_bytes))
        patch.setattr(journal, "_put", self._torn(journal._put))
        patch.setattr(sqlite3, "connect", self._connecting(sqlite3.connect))

    def _failing(self, real, name, counts=lambda *args, **options: True):
        def step(*args, **options):
            if counts(*args, **options):
                self._count(name)
            return real(*args, **options)

        return step

    def _torn(self, real):
        """Half of it is written, then there is no more room."""

        def step(where, data):
            try:
                self._count("write")
            except OSError:
                real(where, data[: len(data) // 2])
                raise
            real(where, data)

        return step

    def _connecting(self, real):
        """Statements that change the ledger fail as SQLite lets them."""
        disk = self

        class Connection(sqlite3.Connection):
            def execute(self, statement, *values):
                if statement.split()[0] not in ("SELECT", "PRAGMA", "ROLLBACK"):
                    try:
                        disk._count("database")
                    except OSError:
                        fault = sqlite3.OperationalError("database or disk is full")
                        fault.sqlite_errorcode = sqlite3.SQLITE_FULL
                        raise fault from None
                return super().execute(statement, *values)

        return lambda *args, **options: real(*args, factory=Connection, **options)

    def _count(self, name):
        self.count += 1
        if self.count - 1 == self.at:
            self.failed = name
            raise OSError(self.code, os.strerror(self.code))


def contents(folder: Path) -> dict[str, bytes]:
    """What a command left in the folder ``out``, by name."""
    return {path.name: path.read_bytes() for path in (folder / "out").rglob("*") if path.is_file()}


def check_one_sentence(said: str) -> None:
    """Hold what a command said on standard error to a line of its own."""
    assert said.startswith("linkpress: "), said
    assert said.count("\n") == 1, said
