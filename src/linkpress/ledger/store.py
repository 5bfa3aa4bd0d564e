"""Read and change the ledger, which is a database of published puzzles.

A program can look puzzles up, reserve and publish them, remove a volume's puzzles, and export and import the
ledger.

An export is a text file with one JSON object on each line. The first line is a header. The last line has the
number of puzzles, so that a truncated file is noticed. Before an import changes the ledger, it checks all
lines, and checks that each fingerprint belongs to its board.
"""

from __future__ import annotations

import json
import os
import secrets
import socket
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.problem import key_text, printable
from linkpress.errors import Notify, OutputError, PuzzleError, UsageError, notify_nobody
from linkpress.ledger.address import LedgerAddress, ServerAddress
from linkpress.ledger.database import (
    DELETE_EMPTY_HOLDERS,
    ENTRIES,
    Database,
    Holder,
    Holding,
    Kind,
    LedgerEntry,
    Place,
    Run,
    entry_of,
    find_entry,
    insert_puzzles,
    update_puzzle,
    upsert_holder,
)
from linkpress.puzzle.link_text import board_rows, parse_board_rows
from linkpress.puzzle.symmetry import fingerprint

LOCK_TIMEOUT_S = 30.0
BEAT_S = 30.0
# A build on another machine counts as dead if it has not reported for this many seconds.
LEASE_S = 300.0

_HEADER = {"format": "linkpress-ledger", "format_version": 3}
_COUNT = "puzzles"
# the object that reads entries of the ledger; built only when it is needed, because that takes 15 ms
_entry_reader = cache(lambda: TypeAdapter(LedgerEntry))


class Ledger:
    """Open ledger, used as a context manager. Only one thread may use it.

    Args:
        address: the file or server.
        writable: whether the ledger will be written. If so, a missing file and missing tables are created.
        timeout_s: how many seconds to wait for the lock of another program, or for the server's answer. None
            for 30 seconds.
        notify: a function that is called with a message while the ledger waits.
    Raises:
        NoLedgerError: the ledger will only be read, and does not exist.
        OutputError: the ledger has another version, is damaged or locked, or can't be reached. All methods
            may raise this error.
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

    def __exit__(self, *exc_info: object) -> None:
        self.database.close()

    def find(self, fingerprint: str) -> LedgerEntry | None:
        return self.database.read(lambda run: find_entry(run, fingerprint))

    def find_prefix(self, prefix: str) -> tuple[LedgerEntry, ...]:
        """Return up to 10 puzzles whose fingerprints begin with a prefix."""
        # A fingerprint has only the digits 0 to 9 and a to f. So if texts are sorted, all fingerprints that
        # begin with the prefix lie between the prefix alone and the prefix followed by "g".
        end = prefix + "g"
        return self._entries(
            "WHERE fingerprint >= ? AND fingerprint < ? ORDER BY fingerprint LIMIT 10", prefix, end
        )

    def entries(self, holder: Holder | None = None) -> tuple[LedgerEntry, ...]:
        """Return the puzzles of one volume or feed, or of all volumes and feeds.

        The puzzles are ordered by volume or feed. Within a volume, they are ordered by their numbers, and
        within a feed, by their dates.
        """
        order = "ORDER BY kind, name, length(slot), slot, fingerprint"
        if holder is None:
            return self._entries(order)
        return self._entries(f"WHERE kind = ? AND name = ? {order}", holder.kind.value, holder.name)

    def of_other_volumes(self, holder: Holder, first: str, last: str) -> tuple[LedgerEntry, ...]:
        """Return the puzzles of all volumes except ``holder`` whose seeds are in a range.

        Args:
            holder: the volume whose puzzles are left out.
            first, last: the lowest and highest seed of the range, in alphabetical order. Both belong to it.
        """
        return self._entries(
            "WHERE kind = ? AND name <> ? AND seed BETWEEN ? AND ? ORDER BY name, slot",
            Kind.VOLUME.value, holder.name, first, last,
        )  # fmt: skip

    def attempts(self, holder: Holder) -> dict[tuple[str, str], int]:
        """Return, for each puzzle of a volume or feed, the number of the attempt that made it.

        A build first makes a puzzle with attempt 0. If this puzzle can't be used, for example because another
        volume or feed already has it, the build refuses it and tries attempt 1, and so on. When the volume is
        built again, the new build begins with the attempts that this method returns, so that it makes the
        same puzzles. Attempt 0 could give other puzzles, because a puzzle that was refused then may be free
        now.

        Returns:
            A dict from pairs of a puzzle's seed and recipe to the number of the attempt.
        """
        return {(entry.seed, entry.recipe): entry.attempt for entry in self.entries(holder)}

    def holdings(self) -> tuple[Holding, ...]:
        """Return a summary of each volume and feed in the ledger, ordered by kind and id."""
        query = """
            SELECT kind, name, title, count(CASE WHEN published THEN 1 END),
                count(CASE WHEN NOT published THEN 1 END), coalesce(max(made), ''), isbn
            FROM holders LEFT JOIN puzzles ON holder = id
            GROUP BY id, kind, name, title, isbn ORDER BY kind DESC, name
        """
        return self.database.read(
            lambda run: tuple(Holding(Holder(Kind(kind), name), *rest) for kind, name, *rest in run(query))
        )

    def check_isbn(self, holder: Holder, isbn: str | None) -> None:
        """Raise ``UsageError`` if a volume other than ``holder`` has this ISBN.

        The error names ``isbn`` as the key of the spec to correct.
        """
        self.database.read(lambda run: self._check_isbn(run, holder, isbn))

    def enter_isbns(self, holder: Holder, title: str, isbns: Mapping[str, str]) -> None:
        """Record the ISBNs of a volume's other editions, so that no other volume uses them.

        Args:
            holder: the volume.
            title: the title of the volume.
            isbns: maps the name of each edition to its ISBN of 13 digits.
        Raises:
            UsageError: another volume has one of the ISBNs.
        """

        def enter(run: Run) -> None:
            for name, isbn in isbns.items():
                self._check_isbn(run, holder, isbn)
                upsert_holder(run, Holder(holder.kind, f"{holder.name}/{name}"), title, isbn)

        self.database.write(enter)

    def begin(self, holder: Holder, title: str, isbn: str | None = None) -> LedgerBuild:
        """Start a build of a volume or feed.

        An earlier build of the same volume or feed may have reserved puzzles before it died. The new build
        can use these puzzles.

        Args:
            holder: the volume or feed.
            title: the title of the volume or feed.
            isbn: the volume's ISBN of 13 digits; None for no ISBN.
        Raises:
            UsageError: another volume has the ISBN.
            OutputError: another process is building the same volume or feed.
        """
        liveness = own_liveness()
        statement = f"""
            INSERT INTO builds (holder, token, host, pid, started, beat)
            VALUES (?, ?, ?, ?, ?, {self.database.now})
            ON CONFLICT (holder) DO UPDATE SET token = excluded.token, host = excluded.host,
                pid = excluded.pid, started = excluded.started, beat = excluded.beat
        """

        def enter(run: Run) -> tuple[int, str | None]:
            self._check_isbn(run, holder, isbn)
            earlier = run(
                "SELECT isbn FROM holders WHERE kind = ? AND name = ?", holder.kind.value, holder.name
            )
            holder_id = upsert_holder(run, holder, title, isbn)
            self._refuse_if_alive(run, holder, holder_id, own_token=liveness.token)
            run(statement, holder_id, liveness.token, liveness.host, liveness.pid, liveness.started)
            return holder_id, earlier[0][0] if earlier else None

        holder_id, earlier_isbn = self.database.write(enter)
        return LedgerBuild(self.database, holder, title, holder_id, liveness.token, earlier_isbn)

    def forget(self, holder: Holder) -> int:
        """Remove a volume or feed with all its puzzles, and the ISBNs of all its editions.

        Returns:
            The number of removed puzzles.
        Raises:
            UsageError: the ledger has no such volume or feed.
            OutputError: the volume or feed is being built.
        """
        # If the connection breaks while the changes of ``remove`` are committed, ``write`` calls ``remove`` a
        # second time. If the first call was committed after all, the second call finds nothing to remove. In
        # this case, it returns the number of puzzles that the first call stored here.
        removed: list[int] = []

        def remove(run: Run) -> int:
            rows = run("SELECT id FROM holders WHERE kind = ? AND name = ?", holder.kind.value, holder.name)
            if not rows and removed:
                return removed[-1]
            if not rows:
                raise UsageError(f"the ledger {self.address} holds no {holder}; see 'linkpress ledger list'.")
            holder_id = rows[0][0]
            self._refuse_if_alive(run, holder, holder_id)
            removed.append(len(run("DELETE FROM puzzles WHERE holder = ? RETURNING 1", holder_id)))
            run("DELETE FROM holders WHERE id = ?", holder_id)
            editions = "DELETE FROM holders WHERE kind = ? AND name LIKE ?"
            run(editions, holder.kind.value, f"{holder.name}/%")
            return removed[-1]

        return self.database.write(remove)

    def add(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Add entries of another ledger to this ledger.

        Returns:
            The entries that were not added, because this ledger already has their puzzles at other places: in
            another book or feed, or at another number or date.
        """
        added = list(entries)

        def insert(run: Run) -> tuple[LedgerEntry, ...]:
            refused = []
            by_holder = groupby(added, lambda entry: (entry.holder, entry.title, entry.isbn))
            for (holder, title, isbn), group in by_holder:
                holder_id = upsert_holder(run, holder, title, isbn, keep_isbn=True)
                of_holder = list(group)
                inserted = insert_puzzles(run, holder_id, of_holder)
                for entry in of_holder:
                    if entry.fingerprint in inserted:
                        # This entry was inserted. Remove its fingerprint from the set. If a later entry has
                        # the same fingerprint, it is a duplicate, and the code below compares it with the
                        # entry that was inserted here.
                        inserted.remove(entry.fingerprint)
                        continue
                    known = find_entry(run, entry.fingerprint)
                    if known is None or (known.holder, known.slot) != (entry.holder, entry.slot):
                        refused.append(entry)
            # Remove volumes and feeds that were added above, but got no puzzle because all were refused.
            run(DELETE_EMPTY_HOLDERS)
            return tuple(refused)

        return self.database.write(insert)

    def _entries(self, conditions: str, *values: Any) -> tuple[LedgerEntry, ...]:
        return self.database.read(lambda run: tuple(map(entry_of, run(f"{ENTRIES} {conditions}", *values))))

    def _check_isbn(self, run: Run, holder: Holder, isbn: str | None) -> None:
        """Raise ``UsageError`` if another volume in the ledger already has the given ISBN.

        Another volume does not count if its only build was killed before publishing anything.
        """
        if isbn is None:
            return
        query = """
            SELECT id, name, title FROM holders
            WHERE isbn = ? AND NOT (kind = ? AND (name = ? OR name LIKE ?)) ORDER BY name
        """
        published = "SELECT 1 FROM puzzles WHERE holder = ? AND published LIMIT 1"
        for holder_id, name, title in run(query, isbn, holder.kind.value, holder.name, f"{holder.name}/%"):
            is_edition = "/" in name
            if is_edition or run(published, holder_id) or self._living_build(run, holder_id):
                volume = name.partition("/")[0]
                raise UsageError(
                    f"the ledger has this ISBN for the volume {name} ({printable(title)}), and each volume "
                    "and each edition needs an ISBN of its own. Give the right ISBN. If this is that volume, "
                    f"give its id: {name}. Or remove that volume with 'linkpress ledger forget {volume}'.",
                    "isbn",
                )

    def _refuse_if_alive(
        self, run: Run, holder: Holder, holder_id: int, own_token: str | None = None
    ) -> None:
        if other := self._living_build(run, holder_id, own_token):
            raise OutputError(
                f"{holder} is being built by process {other.pid} on {other.host}. Wait until that has "
                "finished, or give this one another id."
            )

    def _living_build(self, run: Run, holder_id: int, own_token: str | None = None) -> Liveness | None:
        """Return data about a process that is building this volume or feed now; None if there is none.

        Args:
            run: the function that executes SQL.
            holder_id: the id of the row of the volume or feed.
            own_token: the token of the caller's own build, which does not count.
        """
        columns = f"token, host, pid, started, {self.database.now} - beat"
        for *facts, age_s in run(f"SELECT {columns} FROM builds WHERE holder = ?", holder_id):
            other = Liveness(*facts)
            if other.token != own_token and other.lives(age_s):
                return other
        return None


def _database(address: LedgerAddress, timeout_s: float, notify: Notify) -> Database:
    if isinstance(address, ServerAddress):
        from linkpress.ledger.postgres_server import PostgresServer

        return PostgresServer(address, timeout_s, notify)
    from linkpress.ledger.sqlite_file import SqliteFile

    return SqliteFile(address, timeout_s, notify)


# A build


@dataclass(frozen=True, slots=True)
class Liveness:
    """Data about the process of a build. Other processes use them to find out whether it still runs.

    Args:
        token: random text that identifies the build, because one process can run several builds.
        host: the name of the machine.
        pid: the process id on that machine.
        started: the start time of the process, from ``/proc``; empty on systems other than Linux.
    """

    token: str
    host: str
    pid: int
    started: str

    def lives(self, age_s: float) -> bool:
        """Return whether the process of a build still runs.

        A process on this machine is looked up in ``/proc``. Any other process counts as alive until
        ``LEASE_S`` seconds after its last heartbeat, which is the time when it last reported to the ledger.

        Args:
            age_s: seconds since the last heartbeat; negative if the clock was set back.
        """
        if self.host == socket.gethostname() and self.started and _process_start(os.getpid()):
            return _process_start(self.pid) == self.started
        return abs(age_s) < LEASE_S


def own_liveness() -> Liveness:
    """Return data by which other processes can find out whether this process still runs."""
    pid = os.getpid()
    return Liveness(
        token=secrets.token_hex(8), host=socket.gethostname(), pid=pid, started=_process_start(pid)
    )


def _process_start(pid: int) -> str:
    """Return text that identifies when a process started.

    The text has the id of the system's boot, and the clock ticks from the boot to the start of the process.
    It is empty if the process has ended or its start is unknown.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        after_name = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    state, ticks = after_name[0], after_name[19]
    return "" if state in (b"Z", b"X") else f"{boot}/{int(ticks)}"


@dataclass(eq=False)
class LedgerBuild:
    """Build of a volume or feed, which ``Ledger.begin`` starts. It is used as a context manager.

    If the build ends without publishing, its puzzles stay reserved for later builds of the same volume or
    feed, and the ISBN in the ledger doesn't change. A volume or feed without puzzles is removed. All methods
    may raise ``OutputError``; see ``Ledger``.
    """

    _database: Database
    holder: Holder
    _title: str
    _holder_id: int
    _token: str
    _earlier_isbn: str | None
    _has_published: bool = False
    _last_beat_s: float = field(default_factory=time.monotonic)
    _reserved: dict[str, LedgerEntry] = field(default_factory=dict)
    _reserved_ahead: dict[str, LedgerEntry] = field(default_factory=dict)

    def __enter__(self) -> LedgerBuild:
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._database.lost:
            # The connection to the ledger is lost, so the ledger's record of this running build can't be
            # removed. Other builds will ignore it as soon as this process has ended.
            return
        self._database.hurried = kind is KeyboardInterrupt
        try:
            self._database.write(self._leave)
        except OutputError:
            if error is None:
                raise

    def reserve(self, record: PuzzleRecord, slot: str, recipe: str) -> Place | None:
        """Reserve a puzzle for a place in the volume or feed that is being built.

        Args:
            record: the puzzle.
            slot: the place of the puzzle in the volume or feed; see ``Place``.
            recipe: one line with the name of the method that made the puzzle, and the recipe, which lists
                the properties that the puzzle had to have.
        Returns:
            None if the puzzle is reserved now. Otherwise, the other place that already has the puzzle.
        """
        entry = self._reserved_ahead.pop(record.fingerprint, None)
        if entry is not None and entry.slot == slot:
            self._reserved[record.fingerprint] = entry
            return None
        entry = self._entry(record, slot, recipe)
        place = self._database.write_relaxed(lambda run: self._reserve(run, entry))
        if place is None:
            self._reserved[record.fingerprint] = entry
        return place

    def reserve_ahead(self, several: Iterable[tuple[PuzzleRecord, str, str]]) -> None:
        """Write reservations of several puzzles to the ledger in one step.

        Puzzles that the ledger already has are skipped. From now on, other builds can't use the puzzles that
        were reserved here. The caller must later call ``reserve`` for each puzzle, which is fast because the
        reservation is already in the ledger. Until it calls ``reserve``, the build may still decide to put
        the puzzle in another place of the volume or feed.

        Args:
            several: puzzles, each with the arguments ``slot`` and ``recipe`` of the later call of
                ``reserve``.
        """
        entries = [self._entry(record, slot, recipe) for record, slot, recipe in several]
        # Insert in the order of the fingerprints. If two builds inserted the same puzzles in different
        # orders, they could deadlock.
        entries.sort(key=lambda entry: entry.fingerprint)
        if entries:
            inserted = self._database.write_relaxed(lambda run: self._insert(run, entries))
            self._reserved_ahead |= {e.fingerprint: e for e in entries if e.fingerprint in inserted}

    def publish(self, places: Mapping[str, str]) -> None:
        """Mark reserved puzzles as published, in one transaction.

        In a volume, they replace all earlier puzzles of this volume. In a feed, they replace only puzzles of
        the same dates.

        Args:
            places: maps the fingerprint of each puzzle to its final slot: the number in a volume, or the date
                in a feed.
        Raises:
            OutputError: the volume was removed from the ledger during the build, another process took it
                over, or another volume has one of the puzzles.
        """
        entries = [replace(self._reserved[key], slot=slot, published=True) for key, slot in places.items()]
        delete = "DELETE FROM puzzles WHERE holder = ?"

        def replace_rows(run: Run) -> None:
            if run("SELECT token FROM builds WHERE holder = ?", self._holder_id) != [(self._token,)]:
                raise self._lost_build()
            if self.holder.kind is Kind.VOLUME:
                run(delete, self._holder_id)
            else:
                for entry in entries:
                    same_day_or_puzzle = f"{delete} AND (slot = ? OR fingerprint = ?)"
                    run(same_day_or_puzzle, self._holder_id, entry.slot, entry.fingerprint)
            inserted = insert_puzzles(run, self._holder_id, entries)
            for refused in sorted(places.keys() - inserted):
                raise self._lost_puzzle(find_entry(run, refused))

        self._database.write(replace_rows)
        self._has_published = True

    def count_released(self, fingerprints: Collection[str]) -> int:
        """Count the published puzzles of this volume or feed that its new build no longer contains.

        When the new build is published, other books may use these puzzles.

        Args:
            fingerprints: the fingerprints of all puzzles of the new build.
        """
        query = "SELECT fingerprint FROM puzzles WHERE holder = ? AND published"
        rows = self._database.read(lambda run: run(query, self._holder_id))
        return sum(fingerprint not in fingerprints for (fingerprint,) in rows)

    def heartbeat(self) -> None:
        """Record in the ledger that this build is alive.

        If the last record is less than 30 seconds old, do nothing.
        """
        if time.monotonic() - self._last_beat_s < BEAT_S:
            return
        self._last_beat_s = time.monotonic()
        statement = f"UPDATE builds SET beat = {self._database.now} WHERE token = ?"
        self._database.write_relaxed(lambda run: run(statement, self._token))

    def _entry(self, record: PuzzleRecord, slot: str, recipe: str) -> LedgerEntry:
        """Return a ledger entry that marks a puzzle as reserved and not published, with today's date."""
        # The type is Any, because mypy can't see that the label is one of the allowed
        # values of LedgerEntry.technique.
        technique: Any = record.technique.label if record.technique else None
        return LedgerEntry(
            kind=self.holder.kind,
            name=self.holder.name,
            title=self._title,
            slot=slot,
            published=False,
            made=datetime.now(UTC).date().isoformat(),
            fingerprint=record.fingerprint,
            board="\n".join(board_rows(record.puzzle)),
            rule=record.rule.value,
            proof=record.proof,
            technique=technique,
            score=record.score,
            recipe=recipe,
            seed=record.seed.removesuffix(f"/{record.attempt}"),
            attempt=record.attempt,
        )

    def _insert(self, run: Run, entries: list[LedgerEntry]) -> set[str]:
        try:
            return insert_puzzles(run, self._holder_id, entries)
        # This error means that another process has deleted the row of this volume or feed during the build.
        except self._database.integrity_error as error:
            raise self._lost_build() from error

    def _reserve(self, run: Run, entry: LedgerEntry) -> Place | None:
        """Reserve a puzzle by a single INSERT statement.

        If two builds reserve the same puzzle at the same time, only one of them succeeds.
        """
        while not self._insert(run, [entry]):
            known = find_entry(run, entry.fingerprint)
            if known is None:
                continue  # Another build has just released the puzzle. Try to insert it again.
            if self._is_in_use(known, entry.slot):
                return known.place
            # Only ``publish`` may change the row of a published puzzle, because the row describes
            # the printed book.
            if not known.published:
                update_puzzle(run, self._holder_id, entry)
            break
        return None

    def _is_in_use(self, known: LedgerEntry, slot: str) -> bool:
        if known.holder != self.holder:
            return True
        reserved = self._reserved.get(known.fingerprint)
        if reserved is not None:
            return reserved.slot != slot
        return known.kind is Kind.FEED and known.published and known.slot != slot

    def _lost_puzzle(self, known: LedgerEntry | None) -> OutputError:
        state = f"is {known.place} now" if known else "was reserved by another build meanwhile"
        return OutputError(
            f"a puzzle that was reserved for {self.holder} {state}: the ledger {self._database.address} was "
            "put back to an earlier state while it was being built. Nothing was published in it. Build it "
            "again."
        )

    def _lost_build(self) -> OutputError:
        return OutputError(
            f"{self.holder} was forgotten or taken over by another process while it was being built. "
            f"Nothing was published in the ledger {self._database.address}. Build it again."
        )

    def _leave(self, run: Run) -> None:
        is_own = run("SELECT token FROM builds WHERE holder = ?", self._holder_id) == [(self._token,)]
        if is_own and not self._has_published:
            run("UPDATE holders SET isbn = ? WHERE id = ?", self._earlier_isbn, self._holder_id)
        run("DELETE FROM builds WHERE token = ?", self._token)
        run(f"{DELETE_EMPTY_HOLDERS} AND id = ?", self._holder_id)


# The classes and functions below export and import a ledger.


@dataclass(frozen=True, slots=True)
class Imported:
    """Result of importing another ledger.

    Args:
        puzzles: the number of puzzles in the export.
        left_out: puzzles that were not imported, because they have another place in this ledger.
        shared_isbns: imported ISBNs that several volumes now have, each with its volumes. These volumes can't
            be built until the ISBNs are corrected.
    """

    puzzles: int
    left_out: tuple[LedgerEntry, ...]
    shared_isbns: Mapping[str, tuple[Holder, ...]] = field(default_factory=dict)


def export_ledger(ledger: Ledger) -> Iterator[str]:
    """Yield the lines of an export of the ledger, each with its line end.

    Two exports are equal if the ledger has the same entries both times.
    """
    # Read all entries before the first line is yielded. Otherwise, a damaged ledger would give a partial
    # export of the ledger.
    entries = ledger.entries()
    yield _json(_HEADER)
    for entry in entries:
        yield _json({**asdict(entry), "board": entry.board.split("\n")})
    yield _json({_COUNT: len(entries)})


def import_ledger(ledger: Ledger, lines: Iterable[str], name: str) -> Imported:
    """Add the puzzles of an exported ledger to another ledger.

    Args:
        ledger: the ledger that gets the puzzles; it must be writable.
        lines: the lines of the export.
        name: the name of the export's file, for messages.
    Raises:
        PuzzleError: a line is malformed, or the export is not complete. Nothing was imported.
    """
    numbered = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() or number == 1]
    if not numbered or _parsed(numbered[0][1]) != _HEADER:
        raise PuzzleError(
            f"{name} is not an exported ledger of version {_HEADER['format_version']}: its first line should "
            f"be {_json(_HEADER).strip()}. Write one with 'linkpress ledger export'."
        )
    puzzle_lines = _without_count(numbered[1:], name)
    entries = [_read_entry(line, f"{name}, line {number}") for number, line in puzzle_lines]
    left_out = ledger.add(entries)
    return Imported(len(entries), left_out, _shared_isbns(ledger, {entry.isbn for entry in entries}))


def _shared_isbns(ledger: Ledger, isbns: Collection[str | None]) -> dict[str, tuple[Holder, ...]]:
    volumes: dict[str, tuple[Holder, ...]] = {}
    for holding in ledger.holdings():
        if holding.isbn and holding.isbn in isbns:
            volumes[holding.isbn] = (*volumes.get(holding.isbn, ()), holding.holder)
    return {isbn: holders for isbn, holders in volumes.items() if len(holders) > 1}


def _without_count(numbered: list[tuple[int, str]], name: str) -> list[tuple[int, str]]:
    """Check the last line of an export, which contains the number of puzzles. Return the lines before it."""
    values = [_parsed(line) for _, line in numbered]
    is_count = [isinstance(value, dict) and value.keys() == {_COUNT} for value in values]
    if True not in is_count:
        raise PuzzleError(
            f"{name} was cut off: after {len(numbered)} puzzles, its last line with their number is missing. "
            "Nothing was imported. Copy or export it again."
        )
    last = is_count.index(True)
    where, count = f"{name}, line {numbered[last][0]}", json.loads(numbered[last][1])[_COUNT]
    if count != last:
        raise PuzzleError(
            f"{where}: it counts {printable(_json(count).strip())} puzzles, and before it are {last}. Lines "
            "were lost or added. Nothing was imported. Copy or export it again."
        )
    if last + 1 < len(numbered):
        raise PuzzleError(
            f"{where}: more follows after this last line of an export. Nothing was imported. Give each "
            "export in a file of its own."
        )
    return numbered[:last]


def _read_entry(line: str, where: str) -> LedgerEntry:
    try:
        entry = _entry_reader().validate_json(line)
        board = parse_board_rows(entry.board.split("\n"))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key, message = key_text(first["loc"]), first["msg"].removeprefix("Value error, ")
        raise PuzzleError(f"{where}: {key or 'the line'}: {message}. Nothing was imported.") from error
    except PuzzleError as error:
        raise PuzzleError(f"{where}: board: {error}. Nothing was imported.") from error
    if fingerprint(board) != entry.fingerprint:
        raise PuzzleError(
            f"{where}: the fingerprint {entry.fingerprint} does not match the board. Nothing was imported."
        )
    return replace(entry, board="\n".join(board_rows(board)))


def _parsed(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _json(item: object) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n"
