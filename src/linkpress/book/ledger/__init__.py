"""The ledger: every puzzle made for a volume or a feed, and where it is published.

A puzzle is known by its fingerprint, which is the same for all its rotations, reflections and
renumberings, and has at most one place: a slot of a volume or a date of a feed. A build
reserves each puzzle that it makes and publishes them when its files are in place. Reservations
outlive a build that dies; the next build of the same volume takes them over, every other one
finds them taken. Building a volume again replaces what the ledger held for it.

- ``entries``   puzzles, their places, and who holds them
- ``store``     an open ledger, and a build's hold on it
- ``schema``    its file: tables, opening it, what its faults mean
- ``exchange``  a ledger as text
"""

from linkpress.book.ledger.entries import Holder, Holding, Kind, LedgerEntry, Place
from linkpress.book.ledger.exchange import Imported, export_ledger, import_ledger
from linkpress.book.ledger.store import Ledger, LedgerBuild, ledger_path

__all__ = [
    "Holder",
    "Holding",
    "Imported",
    "Kind",
    "Ledger",
    "LedgerBuild",
    "LedgerEntry",
    "Place",
    "export_ledger",
    "import_ledger",
    "ledger_path",
]
