"""The ledger: every puzzle made for a volume or a feed, and where it is published.

A puzzle is known by its fingerprint, which is the same for all its rotations, reflections and
renumberings, and has at most one place: a slot of a volume or a date of a feed. A build
reserves each puzzle that it makes and publishes them when its files are in place. Reservations
outlive a build that dies; the next build of the same volume takes them over, every other one
finds them taken. Building a volume again replaces what the ledger held for it.

- ``entries``          puzzles, their places, and who holds them
- ``address``          where a ledger is: a file or a server
- ``store``            an open ledger, and a build's hold on it
- ``liveness``           what tells whether a build goes on
- ``tables``           its tables, and how those of earlier versions become today's
- ``database``         transactions, and which faults are worth another try
- ``sqlite_file``      a ledger as an SQLite file
- ``postgres_server``  a ledger on a PostgreSQL server
- ``exchange``         a ledger as text

Whoever only names places or holders loads no database driver: what opens a ledger is loaded when
it is asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from linkpress.ledger.address import (
    LedgerAddress,
    ServerAddress,
    ledger_address,
    read_address,
)
from linkpress.ledger.entries import (
    Holder,
    Holding,
    Kind,
    LedgerEntry,
    Place,
)

if TYPE_CHECKING:
    from linkpress.ledger.database import NoLedgerError
    from linkpress.ledger.exchange import Imported, export_ledger, import_ledger
    from linkpress.ledger.store import Ledger, LedgerBuild

_HOMES = {
    "Imported": "exchange",
    "Ledger": "store",
    "LedgerBuild": "store",
    "NoLedgerError": "database",
    "export_ledger": "exchange",
    "import_ledger": "exchange",
}

__all__ = [
    "Holder",
    "Holding",
    "Imported",
    "Kind",
    "Ledger",
    "LedgerAddress",
    "LedgerBuild",
    "LedgerEntry",
    "NoLedgerError",
    "Place",
    "ServerAddress",
    "export_ledger",
    "import_ledger",
    "ledger_address",
    "read_address",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
