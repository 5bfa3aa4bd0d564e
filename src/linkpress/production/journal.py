"""Save finished puzzles in a journal at once, write a run's log, and report its progress.

The journal is a file to which lines are appended. Each line is a CRC-32 checksum followed by a JSON array.
The first line is a header that identifies the plan of the build. Each other line is ``[slot, record]``: the
number of a slot, which is the plan for one puzzle, and its puzzle. If a build dies, the next build reads all
complete lines and removes an incomplete last line. Damaged lines are skipped. The caller must lock the folder
of the journal, so that only one process writes the file.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from pydantic import ConfigDict, TypeAdapter

from linkpress.errors import OutputError
from linkpress.files import reason, refuse_pipe, remedy, retry_while_open, sync

if TYPE_CHECKING:  # imported only for type annotations, because these imports take time
    from linkpress.book.plan import Slot
    from linkpress.ledger.database import Place
    from linkpress.production.forecast import Forecast
    from linkpress.production.slot_search import FinishedSlot

FORMAT_VERSION = 1
_BINARY = getattr(os, "O_BINARY", 0)  # Without this flag, Windows would change the line ends in the file.
SAME_COMMAND = "the same command"
# Minimum seconds between two syncs of the journal to the disk. In a build of 1,600 small puzzles, syncing
# after each of 1,200 writes took 2.2 s.
SYNC_EVERY_S = 0.5

Record = Mapping[str, Any]
_ENTRY = TypeAdapter(tuple[int, dict[str, Any]], config=ConfigDict(strict=True, defer_build=True))
Fact = str | int | float | bool | None
_MAX_TEXT = 200


class Journal:
    """Open journal of one build, which saves finished puzzles. A context manager; only one thread may use it.

    Args:
        path: the file. It is created with its folders if it is missing.
        plan_key: text that identifies the plan of the build. An existing journal of another plan, version or
            format is replaced.
        release: the version of linkpress.
        command: the command that continues an interrupted build, for messages.
    Attributes:
        saved: the records that an earlier run saved, by slot number. A slot is the plan for one puzzle.
        loss: a message if an earlier run saved puzzles that can't be used; otherwise empty.
    Raises:
        OutputError: the file can't be written. All methods may raise this error.
    """

    def __init__(self, path: Path, plan_key: str, release: str, command: str = SAME_COMMAND) -> None:
        self.path = path
        self.saved: Mapping[int, Record] = {}
        self.loss = ""
        self._go_on = f"What is finished is kept: {command} goes on from there"
        self._is_dirty = False  # whether lines were written since the last sync to the disk
        self._synced_s = 0.0  # value of ``time.monotonic()`` at the last sync
        header = _line(
            json.dumps(["linkpress-journal", FORMAT_VERSION, plan_key, release], separators=(",", ":"))
        )
        with self._translate_errors("Nothing was begun"):
            path.parent.mkdir(parents=True, exist_ok=True)
            refuse_pipe(path)
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o666), "r+b", buffering=0)
            self._begin(header)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def append(self, records: Iterable[tuple[int, str]]) -> None:
        """Write finished puzzles to the journal.

        The file is then synced to the disk if the last sync was at least ``SYNC_EVERY_S`` seconds ago.

        Args:
            records: puzzles as JSON texts in ASCII, each with its number in the plan of the build. A later
                record with the same number replaces an earlier one.
        """
        with self._translate_errors(self._go_on):
            data = b"".join(_line(f"[{slot},{text}]") for slot, text in records)
            self._is_dirty = self._is_dirty or bool(data)
            _put(self._file, data)
            if self._is_dirty and time.monotonic() - self._synced_s >= SYNC_EVERY_S:
                self._sync()

    def close(self) -> None:
        """Close the journal, but keep the file.

        The next build of the same plan can then continue from it.
        """
        # Ignore the errors that are raised if the disk is full, or if the file is already closed.
        with contextlib.suppress(OSError, ValueError):
            if self._is_dirty:
                self._sync()
        self._file.close()

    def remove(self) -> None:
        """Delete the journal.

        Call this when all files of the book or feed are written, or if the journal has no puzzles.
        """
        self._is_dirty = False
        with self._translate_errors(self._go_on):
            self.close()  # close the file first, because Windows can't delete an open file
            retry_while_open(partial(self.path.unlink, missing_ok=True))

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._is_dirty, self._synced_s = False, time.monotonic()

    def _begin(self, header: bytes) -> None:
        """Read the puzzles that an earlier run saved in the file, and prepare the file for further lines.

        An incomplete last line is removed. If the file has no header or another header, it is begun anew.
        """
        try:
            content = self._file.read()
            self.saved, end, damaged = saved_slots(content, header)
            if damaged:
                why = "parts of it are" if end else "it is from another release of linkpress, or"
                self.loss = (
                    f"{damaged:,} puzzle{'s' * (damaged != 1)} that an earlier run saved in {self.path} "
                    f"can't be used, because {why} damaged. They are made again."
                )
            if end < len(content) or not content:
                self._file.truncate(end)
                self._file.seek(end)
                _put(self._file, b"" if end else header)
                self._sync()
                with contextlib.suppress(OSError):  # Some systems can't sync a folder.
                    sync(self.path.parent, os.O_RDONLY)
        except BaseException:
            self._file.close()
            if not self.saved:
                self.path.unlink(missing_ok=True)
            raise

    @contextlib.contextmanager
    def _translate_errors(self, so_far: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(
                f"the journal {self.path} can't be written: {reason(error)}. {so_far}. "
                f"{remedy(error, 'choose another folder with -o')}."
            ) from error


def saved_records(path: Path) -> Iterator[Record]:
    """Yield the records in a journal. Another program may still be writing the journal.

    Nothing is yielded if the journal is missing or can't be read.
    """
    with contextlib.suppress(OSError):
        refuse_pipe(path)
        content = path.read_bytes()
        yield from saved_slots(content, content[: content.find(b"\n") + 1])[0].values()


def saved_slots(content: bytes, header: bytes) -> tuple[Mapping[int, Record], int, int]:
    """Parse the content of a journal, the file in which a build saves finished puzzles.

    Args:
        content: the bytes of the file.
        header: the header with which the file must begin.
    Returns:
        Three values: a mapping from the number of each puzzle in the plan to its record, the offset after the
        last complete line, and the number of unusable lines after the header. If the file has another header,
        all its lines are unusable, and the offset is 0.
    """
    saved: dict[int, Record] = {}
    complete = content.rfind(b"\n") + 1
    if not content.startswith(header):
        return {}, 0, max(0, content.count(b"\n") - 1)
    damaged = 0
    for line in content[len(header) : complete].split(b"\n")[:-1]:
        check, _, text = line.partition(b" ")
        try:
            if check != _check(text):
                raise ValueError("the line was damaged")
            slot, record = _ENTRY.validate_json(text)
            saved[slot] = record
        except ValueError:
            damaged += 1
    return saved, complete, damaged


def _line(text: str) -> bytes:
    data = text.encode("ascii")
    return _check(data) + b" " + data + b"\n"


def _check(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


def _put(file: BinaryIO, data: bytes) -> None:
    while data:
        data = data[file.write(data) :]


class RunLog:
    """Log of a run: written to a file (``--log``), printed as messages (``-v``), or both. A context manager.

    A line has the time, an event, and facts about the event such as numbers and names. A log never contains
    boards or specs, so it reveals no puzzles.

    Args:
        path: the file to which JSON lines are appended; None for no file.
        say: function called with each line as text; None for no messages.
    Raises:
        OutputError: the file can't be written. All methods may raise this error.
    """

    def __init__(self, path: Path | None = None, say: Callable[[str], None] | None = None) -> None:
        self._path = path
        self._say = say
        try:
            self._file = None
            if path is not None:
                self._file = path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")
        except OSError as error:
            raise self._unwritable(error) from error

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *exc_info: object) -> None:
        if self._file is not None:
            # Ignore errors of the disk here. ``note`` flushes each line at once, so it has reported them.
            with contextlib.suppress(OSError):
                self._file.close()

    def note(self, event: str, **facts: Fact) -> None:
        """Write a line to the log.

        Args:
            event: the event in one or two words.
            facts: facts about the event. Only the first 200 characters of a text are written.
        """
        if self._say is not None:
            details = ", ".join(f"{name} {_words(fact)}" for name, fact in facts.items())
            self._say(f"{event}: {details}" if details else event)
        if self._file is None:
            return
        moment = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        line = {"at": moment, "event": event} | {name: _short(fact) for name, fact in facts.items()}
        try:
            self._file.write(json.dumps(line, ensure_ascii=False) + "\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from error

    def made(self, finished: FinishedSlot) -> None:
        # If the log has neither a file nor a function that prints messages, there is nothing to do. So return
        # before the facts about the puzzle are collected, which would take 5 µs.
        if self._file is None and self._say is None:
            return
        search: dict[str, Fact] = {"boards_tried": finished.tries, "time_s": finished.seconds_s}
        self.note("made", **_facts(finished), **search, **_findings(finished))

    def resumed(self, finished: FinishedSlot) -> None:
        self.note("resumed", **_facts(finished), **_findings(finished))

    def passed_over(self, finished: FinishedSlot, place: Place) -> None:
        """Log that another book or feed already has a puzzle, so that a different puzzle will be made."""
        # Log where the puzzle is already used. If it is only reserved for a book, the ledger's description
        # of its place may contain the name of a user's file. File names must not be logged, so log only the
        # book or feed.
        held_in = str(place if place.published else place.holder)
        self.note("passed over", **_facts(finished), held_in=held_in)

    def again(self, slot: Slot, attempt: int, why: str) -> None:
        self.note("again", **slot.facts, attempt=attempt, why=why)

    def _unwritable(self, error: OSError) -> OutputError:
        return OutputError(
            f"the log {self._path} can't be written: {reason(error)}. "
            f"{remedy(error, 'choose another file with --log')}."
        )


def _short(fact: Fact) -> Fact:
    if isinstance(fact, float):
        return round(fact, 4)
    return fact[:_MAX_TEXT] if isinstance(fact, str) else fact


def _words(fact: Fact) -> str:
    fact = _short(fact)
    return "none" if fact is None else str(fact)


def _facts(finished: FinishedSlot) -> dict[str, Fact]:
    return {**finished.slot.facts, "attempt": finished.record.attempt}


def _findings(finished: FinishedSlot) -> dict[str, Fact]:
    record = finished.record
    return {
        "proof": f"{record.rule} by {record.proof}",
        "difficulty": record.difficulty,
        "technique": record.technique.label if record.technique else None,
    }


class Watcher:
    """Base class for objects that show the progress of a book or a feed. Its own methods show nothing."""

    def stage(self, name: str) -> None:
        """Show the user that a stage of the build begins.

        Args:
            name: the name of the stage: ``make``, ``lay out``, ``draw``, ``write``, ``images`` or
                ``verify``.
        """

    def planned(self, forecast: Forecast) -> None:
        """Show the user that puzzles will be made from now on.

        Args:
            forecast: the forecast of the time that all puzzles will take. It is updated while
                puzzles are made.
        """

    def notify(self, message: str) -> None:
        """Show a message to the user. Messages about a cluster come from another thread."""

    def unmet(self, slot: Slot, why: str) -> None:
        """Show the user that no puzzle was found for a slot of the book or feed.

        The run stops searching for puzzles of the same kind, because they would not be found either.

        Args:
            slot: the slot, which is the plan for one puzzle.
            why: the reason, without advice on which keys to change.
        """
        self.notify(f"{slot} was not found. All other puzzles are made before the run ends.")

    def waiting(self) -> None:
        """Show the user that puzzles are being made. This is called several times a second."""

    def made(self, finished: FinishedSlot) -> None:
        """Show the user that the puzzle for a slot of the book or feed was made.

        A slot is the plan for one puzzle. This method is called again if the slot gets another puzzle.
        """

    def drawing(self, days: int) -> None:
        """Show the user that the images of a feed are being drawn now.

        Args:
            days: the number of days of the feed for which images are drawn.
        """

    def drawn(self) -> None:
        """Show the user that the images for one more day of a feed were drawn."""
