"""The ledger's tables and rows, in SQL that SQLite and PostgreSQL both understand.

A statement has ``?`` for each value; ``Run`` executes it and returns its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from linkpress.ledger.entries import Holder, Kind, LedgerEntry

Run = Callable[..., list[tuple[Any, ...]]]

VERSION = 2
TABLES = ("holders", "builds", "puzzles")
# Each database fills in its own words: ``counted`` for a key that it counts up itself, ``text`` for a text
# that is ordered by its code points. ``beat`` is in seconds since 1970, by the database's clock.
CREATE_TABLES = (
    """
    CREATE TABLE holders (
        id {counted},
        kind {text} NOT NULL CHECK (kind IN ('volume', 'feed')),
        name {text} NOT NULL,
        title {text} NOT NULL,
        isbn {text},
        UNIQUE (kind, name)
    )
    """,
    """
    CREATE TABLE builds (
        holder INTEGER PRIMARY KEY REFERENCES holders (id) ON DELETE CASCADE,
        token {text} NOT NULL,
        host {text} NOT NULL,
        pid BIGINT NOT NULL,
        started {text} NOT NULL,
        beat DOUBLE PRECISION NOT NULL
    )
    """,
    """
    CREATE TABLE puzzles (
        fingerprint {text} PRIMARY KEY,
        holder INTEGER NOT NULL REFERENCES holders (id) ON DELETE CASCADE,
        slot {text} NOT NULL,
        published BOOLEAN NOT NULL,
        made {text} NOT NULL,
        rows INTEGER NOT NULL,
        cols INTEGER NOT NULL,
        pairs INTEGER NOT NULL,
        solids INTEGER NOT NULL,
        board {text} NOT NULL,
        rule {text} NOT NULL,
        proof {text} NOT NULL,
        grade {text},
        score INTEGER,
        recipe {text} NOT NULL,
        seed {text} NOT NULL,
        attempt INTEGER NOT NULL
    ) {without_rowid}
    """,
    "CREATE INDEX puzzles_of_holder ON puzzles (holder, slot)",
)
# Tables of version 1, which 0.1.0 made, know no ISBNs; what may only be read is looked at as if they did.
BRING_UP_TO_DATE = "ALTER TABLE holders ADD COLUMN isbn {text}"
VIEW_AS_TODAY = "CREATE TEMP VIEW holders AS SELECT *, NULL AS isbn FROM main.holders"

_ENTRY_FIELDS = tuple(field.name for field in fields(LedgerEntry))
_OF_HOLDER = ("kind", "name", "title", "isbn")
_PUZZLE_COLUMNS = (
    "holder",
    *(name for name in _ENTRY_FIELDS if name not in _OF_HOLDER),
    *("rows", "cols", "pairs", "solids"),
)
_ROW = f"({', '.join('?' * len(_PUZZLE_COLUMNS))})"
_AT_ONCE = 200  # rows of an INSERT; with 17 values each, far below the limits of both databases
ENTRIES = f"SELECT {', '.join(_ENTRY_FIELDS)} FROM puzzles JOIN holders ON id = holder"
FORGET_EMPTY = """
    DELETE FROM holders WHERE NOT EXISTS (SELECT 1 FROM builds WHERE holder = id)
    AND NOT EXISTS (SELECT 1 FROM puzzles WHERE holder = id)
"""


def entry_of(row: Sequence[Any]) -> LedgerEntry:
    """The entry that a row of ``ENTRIES`` holds."""
    values = dict(zip(_ENTRY_FIELDS, row, strict=True))
    return LedgerEntry(**values | {"kind": Kind(values["kind"]), "published": bool(values["published"])})


def find_entry(run: Run, fingerprint: str) -> LedgerEntry | None:
    """The puzzle of this fingerprint, if any volume or feed holds it."""
    rows = run(f"{ENTRIES} WHERE fingerprint = ?", fingerprint)
    return entry_of(rows[0]) if rows else None


def enter_puzzles(run: Run, holder_id: int, entries: Sequence[LedgerEntry]) -> set[str]:
    """Enter the puzzles that nobody holds; return their fingerprints."""
    entered: set[str] = set()
    for start in range(0, len(entries), _AT_ONCE):
        some = entries[start : start + _AT_ONCE]
        statement = (
            f"INSERT INTO puzzles ({', '.join(_PUZZLE_COLUMNS)}) VALUES {', '.join([_ROW] * len(some))} "
            "ON CONFLICT DO NOTHING RETURNING fingerprint"
        )
        values = (value for entry in some for value in _values(holder_id, entry))
        entered.update(fingerprint for (fingerprint,) in run(statement, *values))
    return entered


def change_puzzle(run: Run, holder_id: int, entry: LedgerEntry) -> None:
    """Write a holder's puzzle anew."""
    columns = ", ".join(f"{name} = ?" for name in _PUZZLE_COLUMNS)
    where = "fingerprint = ? AND holder = ?"
    values = _values(holder_id, entry)
    run(f"UPDATE puzzles SET {columns} WHERE {where}", *values, entry.fingerprint, holder_id)


def enter_holder(run: Run, holder: Holder, title: str, isbn: str | None, *, keep_isbn: bool = False) -> int:
    """Make a holder's row or bring it up to date; return its number.

    Args:
        keep_isbn: whether an ISBN that is there stays where none is given.
    """
    known = "coalesce(excluded.isbn, holders.isbn)" if keep_isbn else "excluded.isbn"
    statement = (
        "INSERT INTO holders (kind, name, title, isbn) VALUES (?, ?, ?, ?) "
        f"ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title, isbn = {known} RETURNING id"
    )
    holder_id: int = run(statement, holder.kind.value, holder.name, title, isbn)[0][0]
    return holder_id


def _values(holder_id: int, entry: LedgerEntry) -> list[Any]:
    return [holder_id, *(getattr(entry, name) for name in _PUZZLE_COLUMNS[1:])]
