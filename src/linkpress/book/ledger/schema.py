"""The ledger's file: opening it, its tables, and what its faults mean.

The file is SQLite with an application id of its own and ``user_version`` as schema version. It
is looked at read-only before anything may write: a file from a newer linkpress, another
program's database and a damaged file are refused as they lie.

Write-ahead logging lets readers and a writer work side by side. Where a file system refuses it
(some network mounts), SQLite's rollback journal does the same work, one at a time.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from linkpress.errors import OutputError
from linkpress.files import reason, remedy

APPLICATION_ID = 0x4C504C47  # "LPLG"
VERSION = 1
_ELSEWHERE = "give another place with --ledger or LINKPRESS_LEDGER, or build with --no-ledger"
_LOCKED = (
    "the ledger {path} is locked by another program. Wait until it has finished, or close whatever has the "
    "file open, and give the same command again."
)
_DAMAGED = (
    "{path} is damaged or not a ledger ({fault}). It was not touched. Put a copy of it back, or start "
    "another with --ledger and bring back what you exported with 'linkpress ledger import'."
)
_WORDS = {
    **dict.fromkeys((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL), _LOCKED),
    **dict.fromkeys((sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT), _DAMAGED),
    sqlite3.SQLITE_READONLY: (
        "the ledger {path} can't be written: it or its folder is read-only. Change their permissions, "
        f"{_ELSEWHERE}."
    ),
    sqlite3.SQLITE_CANTOPEN: (
        "the ledger {path} can't be opened: it is a folder, or it or its folder may not be read or "
        f"written. Change their permissions, {_ELSEWHERE}."
    ),
    sqlite3.SQLITE_FULL: (
        f"the ledger {{path}} can't be written: the disk is full. Free some space, {_ELSEWHERE}."
    ),
}
_OTHER_FAULT = (
    "the ledger {path} can't be used: {fault}. Check the file, its folder and the free space, "
    f"{_ELSEWHERE}."
)

_TABLES = (
    """CREATE TABLE holders (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('volume', 'feed')),
        name TEXT NOT NULL,
        title TEXT NOT NULL,
        UNIQUE (kind, name)
    )""",
    """CREATE TABLE builds (
        holder INTEGER PRIMARY KEY REFERENCES holders (id) ON DELETE CASCADE,
        token TEXT NOT NULL,
        host TEXT NOT NULL,
        pid INTEGER NOT NULL,
        started TEXT NOT NULL,
        beat REAL NOT NULL
    )""",
    """CREATE TABLE puzzles (
        fingerprint TEXT PRIMARY KEY,
        holder INTEGER NOT NULL REFERENCES holders (id) ON DELETE CASCADE,
        slot TEXT NOT NULL,
        published INTEGER NOT NULL,
        made TEXT NOT NULL,
        rows INTEGER NOT NULL,
        cols INTEGER NOT NULL,
        pairs INTEGER NOT NULL,
        solids INTEGER NOT NULL,
        board TEXT NOT NULL,
        rule TEXT NOT NULL,
        proof TEXT NOT NULL,
        grade TEXT,
        score INTEGER,
        recipe TEXT NOT NULL,
        seed TEXT NOT NULL,
        attempt INTEGER NOT NULL
    ) WITHOUT ROWID""",
    "CREATE INDEX puzzles_of_holder ON puzzles (holder, slot)",
)


def connect(path: Path, *, writable: bool, timeout_s: float) -> sqlite3.Connection:
    """Open a ledger file, and make it where there is none.

    Args:
        path: the file; missing folders above it are made when it is to be written.
        writable: whether anything may be written. A file opened for reading must exist.
        timeout_s: how long to wait for another program's lock.
    Returns:
        A connection without implicit transactions.
    Raises:
        OutputError: newer, foreign, damaged, locked, unreadable or not writable; the file is
            left as it was.
    """
    with ledger_faults(path):
        if path.is_dir():
            raise OSError(errno.EISDIR, "it is a folder")
        version = _version_read_only(path, timeout_s) if path.exists() else 0
        if version > VERSION:
            raise OutputError(
                f"{path} was written by a newer linkpress (ledger version {version}; this one knows up to "
                f"{VERSION}). It was not touched. Update linkpress, or give another ledger with --ledger."
            )
        if not writable:
            return _connect_to_read(path, timeout_s) if version or not path.exists() else _empty(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=timeout_s, isolation_level=None)
        try:
            connection.execute("PRAGMA foreign_keys = ON")
            if version == 0:
                _write_ahead(connection, timeout_s)
                _create(path, connection)
        except BaseException:
            connection.close()
            raise
        return connection


@contextlib.contextmanager
def transaction(path: Path, connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the one write lock for the block; all of it happens or nothing of it.

    Raises:
        OutputError: as ``ledger_faults``.
    """
    with ledger_faults(path):
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


@contextlib.contextmanager
def ledger_faults(path: Path) -> Iterator[None]:
    """Turn what SQLite and the file system raise into one paragraph about the ledger.

    Raises:
        OutputError: always for a fault of the database or the file.
    """
    try:
        yield
    except sqlite3.Error as fault:
        code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and _is_mounted_read_only(path.parent):
            mounted = OSError(errno.EROFS, os.strerror(errno.EROFS))
            words = f"the ledger {{path}} can't be written: {reason(mounted)}. {remedy(mounted, _ELSEWHERE)}."
        else:
            words = _WORDS.get(code, _OTHER_FAULT)
        raise OutputError(words.format(path=path, fault=fault)) from fault
    except ValueError as fault:  # a text that is no UTF-8, a kind that there is not
        raise OutputError(_DAMAGED.format(path=path, fault=fault)) from fault
    except OSError as fault:
        raise OutputError(
            f"the ledger {path} can't be opened: {reason(fault)}. {remedy(fault, _ELSEWHERE)}."
        ) from fault


def _is_mounted_read_only(folder: Path) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except OSError:
        return False


def _version_read_only(path: Path, timeout_s: float) -> int:
    if path.is_file() and path.stat().st_size == 0:
        return 0
    with contextlib.closing(_connect_to_read(path, timeout_s)) as connection:
        application = _pragma(connection, "application_id")
        version = _pragma(connection, "user_version")
        tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if application != APPLICATION_ID and (application or tables):
        raise OutputError(
            f"{path} is a database of another program, not a ledger. It was not touched. Give another place "
            "with --ledger or LINKPRESS_LEDGER."
        )
    return version


def _connect_to_read(path: Path, timeout_s: float) -> sqlite3.Connection:
    """Without leave to write beside the file, write-ahead logging can be read only as immutable."""
    if not path.exists():
        raise OutputError(
            f"there is no ledger at {path}. Build a volume, or give another place with --ledger."
        )
    address = f"file:{quote(os.fsencode(path.absolute()))}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=timeout_s, isolation_level=None)
    try:
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.OperationalError as fault:
        connection.close()
        unwritten = path.with_name(path.name + "-wal")
        refused = fault.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
        if not refused or (unwritten.exists() and unwritten.stat().st_size):
            raise
        return sqlite3.connect(f"{address}&immutable=1", uri=True, timeout=timeout_s, isolation_level=None)
    except BaseException:
        connection.close()
        raise
    return connection


def _empty(path: Path) -> sqlite3.Connection:
    """An empty file is a ledger that holds nothing; read as such, it stays empty."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _create(path, connection)
    return connection


def _write_ahead(connection: sqlite3.Connection, timeout_s: float) -> None:
    """SQLite's own wait does not cover the change of mode, so two first builds meet here."""
    end = time.monotonic() + timeout_s
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchone()
            return
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:
                return  # refused here: the rollback journal serves as well
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


def _create(path: Path, connection: sqlite3.Connection) -> None:
    with transaction(path, connection):
        if _pragma(connection, "user_version"):
            return  # another process came first
        for statement in _TABLES:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {VERSION}")


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    value = connection.execute(f"PRAGMA {name}").fetchone()[0]
    return int(value)
