"""Helpers for tests of the ledger: holders, publishing in one step, and SQL of another program."""

import contextlib
import sqlite3
from pathlib import Path

import psycopg

from boards import fingerprint_of, made
from linkpress.ledger.database import Holder, Kind

FIRST = Holder(Kind.VOLUME, "first")
SECOND = Holder(Kind.VOLUME, "second")
DAILY = Holder(Kind.FEED, "daily")
ISBN = "9783161484100"


def publish(ledger, holder, slots, isbn=None):
    """Publish test puzzles, given as number and slot."""
    with ledger.begin(holder, f"Title of {holder.name}", isbn) as build:
        for number, slot in slots.items():
            assert build.reserve(made(number), slot, "5x7") is None
        build.publish({fingerprint_of(number): slot for number, slot in slots.items()})


def slots_of(ledger, holder):
    return {entry.fingerprint[-1]: entry.slot for entry in ledger.entries(holder)}


def execute(place, statement):
    """Execute SQL as another program would, and return the rows."""
    if isinstance(place, Path):
        opened = contextlib.closing(sqlite3.connect(place, isolation_level=None))
    else:
        opened = psycopg.connect(place.url)
    with opened as connection:
        cursor = connection.execute(statement)
        return cursor.fetchall() if cursor.description else []
