"""An open ledger: looking things up, starting a build, forgetting, taking over from elsewhere."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import platformdirs

from linkpress.book.ledger.build import LedgerBuild, Mark, enter_puzzle, own_mark
from linkpress.book.ledger.entries import ENTRY_COLUMNS, Holder, Holding, Kind, LedgerEntry
from linkpress.book.ledger.schema import connect, ledger_faults, transaction
from linkpress.errors import OutputError, UsageError

ENVIRONMENT = "LINKPRESS_LEDGER"
LOCK_TIMEOUT_S = 30.0

_SELECT = (
    f"SELECT kind, name, title, {', '.join(ENTRY_COLUMNS)} "
    "FROM puzzles JOIN holders ON holders.id = puzzles.holder "
)


def ledger_path(chosen: Path | None = None) -> Path:
    """Where the ledger lies: as chosen, else ``LINKPRESS_LEDGER``, else in the user's data folder.

    Raises:
        UsageError: none of the three says a place (there is no home folder).
    """
    if chosen is not None:
        return chosen
    if named := os.environ.get(ENVIRONMENT):
        return Path(named)
    path = Path(platformdirs.user_data_dir("linkpress", appauthor=False), "ledger.sqlite3")
    if not path.is_absolute():
        raise UsageError(
            "there is no home folder for the ledger: say where it lies with --ledger or LINKPRESS_LEDGER, or "
            "build with --no-ledger."
        )
    return path


class Ledger:
    """An open ledger file. Used as a context manager, by one thread.

    Args:
        path: the file; made when it is missing and ``writable``.
        writable: False for looking things up only.
        timeout_s: how long to wait for another program's lock.
    Raises:
        OutputError: the file is newer, foreign, damaged, locked or out of reach; as every method
            may. The file is left as it was.
    """

    def __init__(self, path: Path, *, writable: bool = True, timeout_s: float = LOCK_TIMEOUT_S) -> None:
        self.path = path
        self._connection = connect(path, writable=writable, timeout_s=timeout_s)

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *fault: object) -> None:
        self._connection.close()

    def find(self, fingerprint: str) -> LedgerEntry | None:
        """The puzzle of this fingerprint, if any volume or feed holds it."""
        return next(self._entries("WHERE fingerprint = ?", fingerprint), None)

    def find_prefix(self, prefix: str) -> tuple[LedgerEntry, ...]:
        """The first puzzles, at most 10, whose fingerprints start so."""
        where = "WHERE fingerprint BETWEEN ? AND ? ORDER BY fingerprint LIMIT 10"
        return tuple(self._entries(where, prefix, prefix + chr(0x10FFFF)))

    def entries(self, holder: Holder | None = None) -> Iterator[LedgerEntry]:
        """All puzzles, or one holder's, by holder and slot."""
        order = "ORDER BY kind, name, length(slot), slot, fingerprint"
        if holder is None:
            return self._entries(order)
        return self._entries(f"WHERE kind = ? AND name = ? {order}", holder.kind.value, holder.name)

    def attempts(self, holder: Holder) -> dict[tuple[str, str], int]:
        """Which attempt each (seed, recipe) of a holder ended with when it was built before.

        Starting there gives the same book again, even if what stood in the way has gone.
        """
        return {(one.seed, one.recipe): one.attempt for one in self.entries(holder)}

    def holdings(self) -> tuple[Holding, ...]:
        """What each volume and feed holds, by kind and id."""
        with ledger_faults(self.path):
            rows = self._connection.execute(
                "SELECT kind, name, title, coalesce(sum(published), 0), coalesce(sum(NOT published), 0), "
                "coalesce(max(made), '') FROM holders LEFT JOIN puzzles ON puzzles.holder = holders.id "
                "GROUP BY holders.id ORDER BY kind DESC, name"
            )
            return tuple(Holding(Holder(Kind(row[0]), row[1]), *row[2:]) for row in rows)

    def begin(self, holder: Holder, title: str) -> LedgerBuild:
        """Start a build; what a dead build of the same holder had reserved is now this one's.

        Args:
            holder: the volume or feed to be built.
            title: its title, kept for ``holdings``.
        Raises:
            OutputError: another process is building the same holder.
        """
        with transaction(self.path, self._connection):
            number = self._enter(holder, title)
            self._refuse_if_alive(holder, number)
            mark = own_mark()
            self._connection.execute(
                "INSERT OR REPLACE INTO builds VALUES (?, ?, ?, ?, ?, ?)",
                (number, mark.token, mark.host, mark.pid, mark.started, time.time()),
            )
            return LedgerBuild(self.path, self._connection, holder, title, number, mark.token)

    def forget(self, holder: Holder) -> int:
        """Take a volume or feed out of the ledger; its puzzles may be used again.

        Returns:
            How many puzzles were forgotten.
        Raises:
            UsageError: the ledger holds nothing of that id.
            OutputError: it is being built.
        """
        with transaction(self.path, self._connection):
            row = self._connection.execute(
                "SELECT id FROM holders WHERE kind = ? AND name = ?", (holder.kind.value, holder.name)
            ).fetchone()
            if row is None:
                raise UsageError(f"the ledger {self.path} holds no {holder}; see 'linkpress ledger list'.")
            self._refuse_if_alive(holder, row[0])
            removed = self._connection.execute("DELETE FROM puzzles WHERE holder = ?", row).rowcount
            self._connection.execute("DELETE FROM holders WHERE id = ?", row)
        return removed

    def add(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Take over entries from elsewhere, in one step.

        Returns:
            Those that were left out because their puzzles are held in another place.
        """
        refused = []
        with transaction(self.path, self._connection):
            for (holder, title), group in groupby(entries, key=lambda one: (one.holder, one.title)):
                number = self._enter(holder, title)
                for entry in group:
                    known = self.find(entry.fingerprint)
                    if known is None:
                        enter_puzzle(self._connection, number, entry)
                    elif (known.holder, known.slot) != (entry.holder, entry.slot):
                        refused.append(entry)
        return tuple(refused)

    def fault(self) -> str | None:
        """What is wrong inside the file, None when it is sound; reads all of it."""
        with ledger_faults(self.path):
            verdict = str(self._connection.execute("PRAGMA quick_check(1)").fetchone()[0])
        return None if verdict == "ok" else verdict

    def _entries(self, where: str, *values: object) -> Iterator[LedgerEntry]:
        with ledger_faults(self.path):
            for kind, name, title, slot, published, *facts in self._connection.execute(
                _SELECT + where, values
            ):
                yield LedgerEntry(Kind(kind), name, title, slot, bool(published), *facts)

    def _enter(self, holder: Holder, title: str) -> int:
        number: int = self._connection.execute(
            "INSERT INTO holders (kind, name, title) VALUES (?, ?, ?) "
            "ON CONFLICT (kind, name) DO UPDATE SET title = excluded.title RETURNING id",
            (holder.kind.value, holder.name, title),
        ).fetchone()[0]
        return number

    def _refuse_if_alive(self, holder: Holder, number: int) -> None:
        row = self._connection.execute(
            "SELECT token, host, pid, started, beat FROM builds WHERE holder = ?", (number,)
        ).fetchone()
        if row is not None and Mark(*row[:4]).lives(time.time() - row[4]):
            raise OutputError(
                f"{holder} is being built by process {row[2]} on {row[1]}. Wait until that has finished, or "
                "give this one another id."
            )
