"""An open ledger: looking things up, forgetting, taking over from elsewhere; and a build's hold on it.

A build reserves, then publishes; its mark in the ledger tells others whether its process lives.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from types import TracebackType
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    bindparam,
    case,
    delete,
    exists,
    func,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from linkpress.book.puzzle_record import PuzzleRecord
from linkpress.documents.problem import shown
from linkpress.errors import Notify, OutputError, UsageError, tell_nobody
from linkpress.ledger.address import LedgerAddress, ServerAddress
from linkpress.ledger.database import Database
from linkpress.ledger.entries import (
    HOLDER_COLUMNS,
    PUZZLE_COLUMNS,
    Holder,
    Holding,
    Kind,
    LedgerEntry,
    Place,
    reserved_entry,
)
from linkpress.ledger.liveness import BEAT_S, Mark, own_mark
from linkpress.ledger.tables import BUILDS, HOLDERS, PUZZLES

LOCK_TIMEOUT_S = 30.0

_ENTRIES = select(
    *(HOLDERS.c[name] for name in HOLDER_COLUMNS), *(PUZZLES.c[name] for name in PUZZLE_COLUMNS)
).join_from(PUZZLES, HOLDERS)
_FORGET_EMPTY = delete(HOLDERS).where(
    ~exists().where(BUILDS.c.holder == HOLDERS.c.id), ~exists().where(PUZZLES.c.holder == HOLDERS.c.id)
)
_COLUMNS = (*PUZZLE_COLUMNS, "rows", "cols", "pairs", "solids")


class Ledger:
    """An open ledger. Used as a context manager, by one thread.

    Args:
        address: the file or server; made when it is missing and ``writable``.
        writable: False for looking things up only.
        timeout_s: how long to wait for another program's lock, and for a server that does not answer.
        tell: told of a server that does not answer, or a file that is locked, and is waited for.
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
        tell: Notify = tell_nobody,
    ) -> None:
        self.address = address
        wait_s = LOCK_TIMEOUT_S if timeout_s is None else timeout_s
        self.database = _database(address, wait_s, tell)
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
        """The puzzle of this fingerprint, if any volume or feed holds it."""
        return self.database.read(partial(_find, fingerprint=fingerprint))

    def find_prefix(self, prefix: str) -> tuple[LedgerEntry, ...]:
        """The first puzzles, at most 10, whose fingerprints start so."""
        fingerprint = PUZZLES.c.fingerprint
        starts = _ENTRIES.where(fingerprint >= prefix, fingerprint < prefix + "g")  # the digit after f
        return self._entries(starts.order_by(fingerprint).limit(10))

    def entries(self, holder: Holder | None = None) -> tuple[LedgerEntry, ...]:
        """All puzzles, or one holder's, by holder and slot."""
        slot = PUZZLES.c.slot
        order = (HOLDERS.c.kind, HOLDERS.c.name, func.length(slot), slot, PUZZLES.c.fingerprint)
        wanted = _ENTRIES if holder is None else _ENTRIES.where(_is(holder))
        return self._entries(wanted.order_by(*order))

    def attempts(self, holder: Holder) -> dict[tuple[str, str], int]:
        """Which attempt each (seed, recipe) of a holder ended with when it was built before.

        Starting there gives the same book again, even if what stood in the way has gone.
        """
        return {(one.seed, one.recipe): one.attempt for one in self.entries(holder)}

    def holders(self) -> tuple[Holder, ...]:
        """Every volume and feed, by kind and id."""
        wanted = select(HOLDERS.c.kind, HOLDERS.c.name).order_by(HOLDERS.c.kind.desc(), HOLDERS.c.name)
        return self.database.read(
            lambda connection: tuple(Holder(Kind(kind), name) for kind, name in connection.execute(wanted))
        )

    def holdings(self) -> tuple[Holding, ...]:
        """What each volume and feed holds, by kind and id."""
        published = func.count(case((PUZZLES.c.published, 1)))
        counts = (published, func.count(PUZZLES.c.fingerprint) - published)
        last_made = func.coalesce(func.max(PUZZLES.c.made), "")
        wanted = (
            select(HOLDERS.c.kind, HOLDERS.c.name, HOLDERS.c.title, *counts, last_made, HOLDERS.c.isbn)
            .join_from(HOLDERS, PUZZLES, isouter=True)
            .group_by(HOLDERS.c.id, HOLDERS.c.kind, HOLDERS.c.name, HOLDERS.c.title, HOLDERS.c.isbn)
            .order_by(HOLDERS.c.kind.desc(), HOLDERS.c.name)
        )
        return self.database.read(
            lambda connection: tuple(
                Holding(Holder(Kind(kind), name), *facts) for kind, name, *facts in connection.execute(wanted)
            )
        )

    def check_isbn(self, holder: Holder, isbn: str | None) -> None:
        """Refuse an ISBN that another volume has.

        Raises:
            UsageError: another one has it; its key is that of the spec.
        """
        self.database.read(partial(_check_isbn, holder=holder, isbn=isbn))

    def begin(self, holder: Holder, title: str, isbn: str | None = None) -> LedgerBuild:
        """Start a build; what a dead build of the same holder had reserved is now this one's.

        Args:
            holder: the volume or feed to be built.
            title: its title, kept for ``holdings``.
            isbn: of the volume, 13 digits.
        Raises:
            UsageError: as ``check_isbn``.
            OutputError: another process is building the same holder.
        """
        mark = own_mark()

        def enter(connection: Connection) -> int:
            _check_isbn(connection, holder, isbn)
            number = self._enter(connection, holder, title, isbn)
            self._refuse_if_alive(connection, holder, number, own=mark.token)
            row = {"token": mark.token, "host": mark.host, "pid": mark.pid, "started": mark.started}
            row |= {"holder": number, "beat": self.database.now}
            said = self.database.insert(BUILDS).values(row)
            connection.execute(said.on_conflict_do_update(index_elements=["holder"], set_=row))
            return number

        return LedgerBuild(self, holder, title, self.database.write(enter), mark.token)

    def forget(self, holder: Holder) -> int:
        """Take a volume or feed out of the ledger; its puzzles may be used again.

        Returns:
            How many puzzles were forgotten.
        Raises:
            UsageError: the ledger holds nothing of that id.
            OutputError: it is being built.
        """
        removed: list[int] = []  # by an earlier try, of which it is not known whether it went through

        def remove(connection: Connection) -> int:
            number = connection.scalar(select(HOLDERS.c.id).where(_is(holder)))
            if number is None and removed:
                return removed[-1]
            if number is None:
                raise UsageError(f"the ledger {self.address} holds no {holder}; see 'linkpress ledger list'.")
            self._refuse_if_alive(connection, holder, number)
            removed.append(connection.execute(delete(PUZZLES).where(PUZZLES.c.holder == number)).rowcount)
            connection.execute(delete(HOLDERS).where(HOLDERS.c.id == number))
            return removed[-1]

        return self.database.write(remove)

    def add(self, entries: Iterable[LedgerEntry]) -> tuple[LedgerEntry, ...]:
        """Take over entries from elsewhere, in one step; a volume or feed that gets none is not made.

        Returns:
            Those that were left out because their puzzles are held in another place.
        """
        given = list(entries)
        kept = _taking(self.database)

        def take(connection: Connection) -> tuple[LedgerEntry, ...]:
            refused = []
            for (holder, title, isbn), group in groupby(given, lambda one: (one.holder, one.title, one.isbn)):
                number = self._enter(connection, holder, title, isbn, keep_isbn=True)
                ours = list(group)
                new = set(connection.scalars(kept, [_row(number, entry) for entry in ours]))
                for entry in ours:
                    if entry.fingerprint in new:
                        new.remove(entry.fingerprint)  # what comes with it once more is left out
                        continue
                    known = _find(connection, entry.fingerprint)
                    if known is None or (known.holder, known.slot) != (entry.holder, entry.slot):
                        refused.append(entry)
            connection.execute(_FORGET_EMPTY)  # those of which nothing was taken over
            return tuple(refused)

        return self.database.write(take)

    def defect(self) -> str | None:
        """What is wrong inside, None when it is sound; reads all of it."""
        return self.database.defect()

    def can_be_written(self) -> bool:
        """Whether this user may write in it."""
        return self.database.can_be_written()

    def _entries(self, wanted: Select[Any]) -> tuple[LedgerEntry, ...]:
        return self.database.read(lambda connection: tuple(map(_entry, connection.execute(wanted))))

    def _enter(
        self, connection: Connection, holder: Holder, title: str, isbn: str | None, *, keep_isbn: bool = False
    ) -> int:
        """The number of a holder's row, which is made or brought up to date."""
        row = {"kind": holder.kind.value, "name": holder.name, "title": title, "isbn": isbn}
        said = self.database.insert(HOLDERS).values(row)
        known = func.coalesce(said.excluded.isbn, HOLDERS.c.isbn) if keep_isbn else said.excluded.isbn
        changes = {"title": said.excluded.title, "isbn": known}
        made = said.on_conflict_do_update(index_elements=["kind", "name"], set_=changes)
        number: int = connection.scalars(made.returning(HOLDERS.c.id)).one()
        return number

    def _refuse_if_alive(
        self, connection: Connection, holder: Holder, number: int, own: str | None = None
    ) -> None:
        age = self.database.now - BUILDS.c.beat
        columns = (BUILDS.c.token, BUILDS.c.host, BUILDS.c.pid, BUILDS.c.started, age)
        row = connection.execute(select(*columns).where(BUILDS.c.holder == number)).first()
        if row is not None and row.token != own and Mark(*row[:4]).lives(row[4]):
            raise OutputError(
                f"{holder} is being built by process {row.pid} on {row.host}. Wait until that has finished, "
                "or give this one another id."
            )


class LedgerBuild:
    """What ``Ledger.begin`` returns; a context manager.

    Leaving it keeps what is reserved but not published, so that the same volume can go on later; a
    holder that has nothing then leaves the ledger.
    Every method may raise ``OutputError`` as those of ``Ledger`` do.
    """

    def __init__(self, ledger: Ledger, holder: Holder, title: str, number: int, token: str) -> None:
        self.holder = holder
        self._title = title
        self._address = ledger.address
        self._database = ledger.database
        self._number = number
        self._token = token
        self._last_beat = time.monotonic()
        self._reserved: dict[str, LedgerEntry] = {}
        self._ahead: dict[str, LedgerEntry] = {}
        self._take = _taking(ledger.database)

    def __enter__(self) -> LedgerBuild:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._database.lost:
            return  # whose process has ended is dead without a word
        self._database.hurried = kind is KeyboardInterrupt
        try:
            self._database.write(self._leave)
        except OutputError:
            if fault is None:
                raise

    def reserve(self, record: PuzzleRecord, slot: str, recipe: str) -> Place | None:
        """Take a puzzle for its slot.

        Args:
            record: the puzzle.
            slot: that it is made for.
            recipe: what it was made to, as text.
        Returns:
            None when it is this build's now (or was), else the place that holds it: another
            volume or feed, another date of the same feed, or another slot of this build.
        """
        entry = self._ahead.pop(record.fingerprint, None)
        if entry is not None and entry.slot == slot:
            self._reserved[record.fingerprint] = entry
            return None
        entry = reserved_entry(record, self.holder, self._title, slot, recipe)
        place = self._database.write_lightly(partial(self._reserve, entry=entry))
        if place is None:
            self._reserved[record.fingerprint] = entry
        return place

    def reserve_ahead(self, several: Iterable[tuple[PuzzleRecord, str, str]]) -> None:
        """Take in one step what nobody holds of some puzzles; ``reserve`` then has less to do.

        What is not asked for by ``reserve`` for the same slot is as if it had not been taken.

        Args:
            several: the arguments of ``reserve`` for each.
        """
        entries = [reserved_entry(record, self.holder, self._title, *wanted) for record, *wanted in several]
        if not entries:
            return
        entries.sort(key=lambda entry: entry.fingerprint)  # builds that wait for each other would be stuck
        rows = [_row(self._number, entry) for entry in entries]

        def take(connection: Connection) -> set[str]:
            try:
                return set(connection.scalars(self._take, rows))
            except IntegrityError as fault:  # the holder's row is gone
                raise self._lost_hold() from fault

        taken = self._database.write_lightly(take)
        self._ahead |= {entry.fingerprint: entry for entry in entries if entry.fingerprint in taken}

    def publish(self, places: Mapping[str, str]) -> None:
        """Mark reserved puzzles as published, in one step.

        For a volume they replace whatever the ledger held for it; for a feed whatever it held for
        those dates.

        Args:
            places: which puzzles, by fingerprint, and the slot that each has in the end.
        Raises:
            OutputError: the hold was lost meanwhile (the volume was forgotten, or another process
                took this one for dead), or another volume has one of the puzzles.
        """
        entries = [
            replace(self._reserved[fingerprint], slot=slot, published=True)
            for fingerprint, slot in places.items()
        ]
        rows = [_row(self._number, entry) for entry in entries]
        ours = delete(PUZZLES).where(PUZZLES.c.holder == self._number)
        replaced = (PUZZLES.c.slot == bindparam("printed")) | (PUZZLES.c.fingerprint == bindparam("taken"))

        def replace_rows(connection: Connection) -> None:
            self._check_hold(connection)
            if self.holder.kind is Kind.VOLUME:
                connection.execute(ours)
            if not rows:
                return
            if self.holder.kind is Kind.FEED:
                printed = [{"printed": entry.slot, "taken": entry.fingerprint} for entry in entries]
                connection.execute(ours.where(replaced), printed)
            elsewhere = places.keys() - set(connection.scalars(self._take, rows))
            for fingerprint in sorted(elsewhere):
                raise self._lost_puzzle(_find(connection, fingerprint))

        self._database.write(replace_rows)

    def count_released(self, wanted: Collection[str]) -> int:
        """How many published puzzles of this volume are not among those that it is to have.

        Args:
            wanted: fingerprints of those that it is to have.
        """
        ours = select(PUZZLES.c.fingerprint).where(PUZZLES.c.holder == self._number, PUZZLES.c.published)
        held = self._database.read(lambda connection: connection.scalars(ours).all())
        return sum(fingerprint not in wanted for fingerprint in held)

    def heartbeat(self) -> None:
        """Show that this build lives; cheap enough for every turn of a loop."""
        if time.monotonic() - self._last_beat < BEAT_S:
            return
        self._last_beat = time.monotonic()
        beat = update(BUILDS).where(BUILDS.c.token == self._token).values(beat=self._database.now)
        self._database.write_lightly(lambda connection: connection.execute(beat))

    def _reserve(self, connection: Connection, entry: LedgerEntry) -> Place | None:
        """One INSERT decides between builds that want one puzzle at once."""
        row = _row(self._number, entry)
        while True:
            try:
                if connection.scalars(self._take, [row]).all():
                    return None
            except IntegrityError as fault:  # the holder's row is gone
                raise self._lost_hold() from fault
            known = _find(connection, entry.fingerprint)
            if known is None:
                continue  # freed since
            if self._is_taken(known, entry.slot):
                return known.place
            # A published row says what is in print until this build replaces it.
            if not known.published:
                mine = (PUZZLES.c.fingerprint == entry.fingerprint) & (PUZZLES.c.holder == self._number)
                connection.execute(update(PUZZLES).where(mine).values(row))
            return None

    def _is_taken(self, known: LedgerEntry, slot: str) -> bool:
        if known.holder != self.holder:
            return True
        own = self._reserved.get(known.fingerprint)
        if own is not None:
            return own.slot != slot
        return known.kind is Kind.FEED and known.published and known.slot != slot

    def _check_hold(self, connection: Connection) -> None:
        token = connection.scalar(select(BUILDS.c.token).where(BUILDS.c.holder == self._number))
        if token != self._token:
            raise self._lost_hold()

    def _lost_puzzle(self, known: LedgerEntry | None) -> OutputError:
        held = f"is {known.place} now" if known else "was taken meanwhile"
        return OutputError(
            f"a puzzle that was reserved for {self.holder} {held}: the ledger {self._address} was put back "
            "to an earlier state while it was being built. Nothing was published in it. Build it again."
        )

    def _lost_hold(self) -> OutputError:
        return OutputError(
            f"{self.holder} was forgotten or taken over by another process while it was being built. "
            f"Nothing was published in the ledger {self._address}. Build it again."
        )

    def _leave(self, connection: Connection) -> None:
        connection.execute(delete(BUILDS).where(BUILDS.c.token == self._token))
        connection.execute(_FORGET_EMPTY.where(HOLDERS.c.id == self._number))


def _database(address: LedgerAddress, timeout_s: float, tell: Notify) -> Database:
    """What a ledger is kept in; the arguments are those of ``Ledger``."""
    if isinstance(address, ServerAddress):
        from linkpress.ledger.postgres_server import PostgresServer

        return PostgresServer(address, timeout_s, tell)
    from linkpress.ledger.sqlite_file import SqliteFile

    return SqliteFile(address, timeout_s, tell)


_FIND = _ENTRIES.where(PUZZLES.c.fingerprint == bindparam("fingerprint"))


def _taking(database: Database) -> Any:
    """Enters the puzzles that nobody holds, and returns their fingerprints."""
    return database.insert(PUZZLES).on_conflict_do_nothing().returning(PUZZLES.c.fingerprint)


def _find(connection: Connection, fingerprint: str) -> LedgerEntry | None:
    row = connection.execute(_FIND, {"fingerprint": fingerprint}).first()
    return None if row is None else _entry(row)


def _entry(row: Row[Any]) -> LedgerEntry:
    values = row._asdict()
    return LedgerEntry(**values | {"kind": Kind(values["kind"])})


def _row(holder: int, entry: LedgerEntry) -> dict[str, Any]:
    return {"holder": holder, **{name: getattr(entry, name) for name in _COLUMNS}}


def _is(holder: Holder) -> ColumnElement[bool]:
    return (HOLDERS.c.kind == holder.kind.value) & (HOLDERS.c.name == holder.name)


def _check_isbn(connection: Connection, holder: Holder, isbn: str | None) -> None:
    if isbn is None:
        return
    others = select(HOLDERS.c.name, HOLDERS.c.title).where(HOLDERS.c.isbn == isbn, ~_is(holder))
    other = connection.execute(others.order_by(HOLDERS.c.name).limit(1)).first()
    if other is not None:
        raise UsageError(
            f"the ledger has this ISBN for the volume {other.name} ({shown(other.title)}), and each volume "
            "and each edition needs one of its own. Give the right one; or if this is that volume, its id: "
            f"{other.name}; or take that one out with 'linkpress ledger forget {other.name}'.",
            "isbn",
        )
