"""An open ledger is looked up, forgets, and takes over from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any

from linkpress.documents.problem import printable
from linkpress.errors import Notify, OutputError, UsageError, notify_nobody
from linkpress.ledger.address import LedgerAddress, ServerAddress
from linkpress.ledger.database import (
    ENTRIES,
    FORGET_EMPTY,
    Database,
    Run,
    enter_holder,
    enter_puzzles,
    entry_of,
    find_entry,
)
from linkpress.ledger.entries import Holder, Holding, Kind, LedgerEntry
from linkpress.ledger.ledger_build import LedgerBuild, Liveness, own_liveness

LOCK_TIMEOUT_S = 30.0


class Ledger:
    """A ledger is open, and used as a context manager by one thread.

    Args:
        address: the file or server; made when it is missing and ``writable``.
        writable: False for looking things up only.
        timeout_s: how long to wait for another program's lock, and for a server that does not answer.
        notify: is called with a message about a server that does not answer, or a file that is locked, and
            is waited for.
    Raises:
        NoLedgerError: there is none to be read.
        OutputError: the ledger is newer, foreign, damaged, locked or out of reach; as every method
            may. It is left as it was.
    """

    def __init__(
        self,
        address: LedgerAddress,
        *,
        writable: bool = True,
        timeout_s: float | None = None,
        notify: Notify = notify_nobody,
    ) -> None:
        self.address = address
        wait_s = LOCK_TIMEOUT_S if timeout_s is None else timeout_s
        self.database = _database(address, wait_s, notify)
        try:
            self.database.open(writable=writable)
        except BaseException:
            self.database.close()
            raise

    def __enter__(self) -> Ledger:
        return self

    def __exit__(self, *fault: object) -> None:
        self.database.close()

    def find(self, fingerprint: str) -> LedgerEntry | None:
        """Return the puzzle of this fingerprint, if any volume or feed holds it."""
        return self.database.read(lambda run: find_entry(run, fingerprint))

    def find_prefix(self, prefix: str) -> tuple[LedgerEntry, ...]:
        """Return the first puzzles, at most 10, whose fingerprints start so."""
        after = prefix + "g"  # the digit after f
        wanted = "WHERE fingerprint >= ? AND fingerprint < ? ORDER BY fingerprint LIMIT 10"
        return self._entries(wanted, prefix, after)

    def entries(self, holder: Holder | None = None) -> tuple[LedgerEntry, ...]:
        """Return all puzzles, or one holder's, by holder and slot."""
        order = "ORDER BY kind, name, length(slot), slot, fingerprint"
        if holder is None:
            return self._entries(order)
        return self._entries(f"WHERE kind = ? AND name = ? {order}", holder.kind.value, holder.name)

    def attempts(self, holder: Holder) -> dict[tuple[str, str], int]:
        """Return which attempt each (seed, recipe) of a holder ended with when it was built before.

        Starting there gives the same book again, even if what stood in the way has gone.
        """
        return {(entry.seed, entry.recipe): entry.attempt for entry in self.entries(holder)}

    def holdings(self) -> tuple[Holding, ...]:
        """Return what each volume and feed holds, by kind and id."""
        wanted = """
            SELECT kind, name, title, count(CASE WHEN published THEN 1 END),
                count(CASE WHEN NOT published THEN 1 END), coalesce(max(made), ''), isbn
            FROM holders LEFT JOIN puzzles ON holder = id
            GROUP BY id, kind, name, title, isbn ORDER BY kind DESC, name
        """
        return self.database.read(
            lambda run: tuple(Holding(Holder(Kind(kind), name), *facts) for kind, name, *facts in run(wanted))
        )

    def check_isbn(self, holder: Holder, isbn: str | None) -> None:
        """Raise ``UsageError``, with the spec's key, for an ISBN that another volume has."""
        self.database.read(lambda run: _check_isbn(run, holder, isbn))

    def enter_isbns(self, holder: Holder, title: str, isbns: Mapping[str, str]) -> None:
        """Enter the ISBNs of a volume's other editions in rows below it; raise as ``check_isbn`` does."""

        def enter(run: Run) -> None:
            for name, isbn in isbns.items():
                _check_isbn(run, holder, isbn)
                enter_holder(run, Holder(holder.kind, f"{holder.name}/{name}"), title, isbn)

        self.database.write(enter)

    def begin(self, holder: Holder, title: str, isbn: str | None = None) -> LedgerBuild:
        """Start a build of a volume or feed; what a dead build of it had reserved is now this one's.

        Raises:
            UsageError: as ``check_isbn``.
            OutputError: another process is building the same holder.
        """
        liveness = own_liveness()
        statement = f"""
            INSERT INTO builds (holder, token, host, pid, started, beat)
            VALUES (?, ?, ?, ?, ?, {self.database.now})
            ON CONFLICT (holder) DO UPDATE SET token = excluded.token, host = excluded.host,
                pid = excluded.pid, started = excluded.started, beat = excluded.beat
        """

        def enter(run: Run) -> int:
            _check_isbn(run, holder, isbn)
            holder_id = enter_holder(run, holder, title, isbn)
            self._refuse_if_alive(run, holder, holder_id, own=liveness.token)
            run(statement, holder_id, liveness.token, liveness.host, liveness.pid, liveness.started)
            return holder_id

        holder_id = self.database.write(enter)
        return LedgerBuild(self.database, holder, title, holder_id, liveness.token)

    def forget(self, holder: Holder) -> int:
        """Take a volume or feed out and count its puzzles; raise if it is not there, or is being built."""
        removed: list[int] = []  # by an earlier try, of which it is not known whether it went through

        def remove(run: Run) -> int:
            found = run("SELECT id FROM holders WHERE kind = ? AND name = ?", holder.kind.value, holder.name)
            if not found and removed:
                return removed[-1]
            if not found:
                raise UsageError(f"the ledger {self.address} holds no {holder}; see 'linkpress ledger list'.")
            holder_id = found[0][0]
            self._refuse_if_alive(run, holder, holder_id)
            removed.append(len(run("DELETE FROM puzzles WHERE holder = ? RETURNING 1", holder_id)))
            run("DELETE FROM holders WHERE id = ?", holder_id)
            return removed[-1]

        return self.database.write(remove)

    def add(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Take over entries from elsewhere in one step, and return those whose puzzles are held already."""
        given = list(entries)

        def take(run: Run) -> tuple[LedgerEntry, ...]:
            refused = []
            by_holder = groupby(given, lambda entry: (entry.holder, entry.title, entry.isbn))
            for (holder, title, isbn), group in by_holder:
                holder_id = enter_holder(run, holder, title, isbn, keep_isbn=True)
                own_entries = list(group)
                new = enter_puzzles(run, holder_id, own_entries)
                for entry in own_entries:
                    if entry.fingerprint in new:
                        new.remove(entry.fingerprint)  # what comes with it once more is left out
                        continue
                    known = find_entry(run, entry.fingerprint)
                    if known is None or (known.holder, known.slot) != (entry.holder, entry.slot):
                        refused.append(entry)
            run(FORGET_EMPTY)  # those of which nothing was taken over
            return tuple(refused)

        return self.database.write(take)

    def _entries(self, wanted: str, *values: Any) -> tuple[LedgerEntry, ...]:
        return self.database.read(lambda run: tuple(map(entry_of, run(f"{ENTRIES} {wanted}", *values))))

    def _refuse_if_alive(self, run: Run, holder: Holder, holder_id: int, own: str | None = None) -> None:
        columns = f"token, host, pid, started, {self.database.now} - beat"
        for *facts, age_s in run(f"SELECT {columns} FROM builds WHERE holder = ?", holder_id):
            other = Liveness(*facts)
            if other.token != own and other.lives(age_s):
                raise OutputError(
                    f"{holder} is being built by process {other.pid} on {other.host}. Wait until that has "
                    "finished, or give this one another id."
                )


def _database(address: LedgerAddress, timeout_s: float, notify: Notify) -> Database:
    if isinstance(address, ServerAddress):
        from linkpress.ledger.postgres_server import PostgresServer

        return PostgresServer(address, timeout_s, notify)
    from linkpress.ledger.sqlite_file import SqliteFile

    return SqliteFile(address, timeout_s, notify)


def _check_isbn(run: Run, holder: Holder, isbn: str | None) -> None:
    if isbn is None:
        return
    statement = """
        SELECT name, title FROM holders WHERE isbn = ? AND NOT (kind = ? AND (name = ? OR name LIKE ?))
        ORDER BY name LIMIT 1
    """
    for name, title in run(statement, isbn, holder.kind.value, holder.name, f"{holder.name}/%"):
        raise UsageError(
            f"the ledger has this ISBN for the volume {name} ({printable(title)}), and each volume "
            "and each edition needs one of its own. Give the right one; or if this is that volume, its id: "
            f"{name}; or take that one out with 'linkpress ledger forget {name}'.",
            "isbn",
        )
