"""The journal, which saves each finished puzzle of a build at once; the log of a run, and its watcher.

The journal is an append-only file of lines. Each line is a JSON array after its own CRC-32. The first line is
a header that identifies the plan of the build; each other line is ``[slot, record]`` for a finished slot. If
a build dies, all complete lines count, and an incomplete last line is cut off. A damaged line does not affect
the lines after it. The folder of the journal must be locked.
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
from linkpress.files import reason, remedy, retry_while_open

if TYPE_CHECKING:  # imported for type annotations only, because importing them takes time
    from linkpress.book.plan import Slot
    from linkpress.ledger.entries import Place
    from linkpress.production.forecast import Forecast
    from linkpress.production.slot_search import FinishedSlot

FORMAT_VERSION = 1
_BINARY = getattr(os, "O_BINARY", 0)  # without this flag Windows would change line ends
SAME_COMMAND = "the same command"
# Least time between two syncs of the journal. In a build of 1,600 small puzzles, a sync at each of its 1,200
# writes took 2.2 s.
SYNC_EVERY_S = 0.5

Record = Mapping[str, Any]
_ENTRY = TypeAdapter(tuple[int, dict[str, Any]], config=ConfigDict(strict=True))
Fact = str | int | float | bool | None
_MAX_TEXT = 200


class Journal:
    """Open journal of one build; a context manager for one thread.

    Args:
        path: the file. It is created with its folders if it is missing.
        plan_key: identifies the plan of the build. The journal of another plan, release or format is
            replaced.
        release: the version of linkpress.
        command: the command that continues an interrupted build, for messages.
    Attributes:
        saved: the records that an earlier run saved, by slot number.
        loss: a message if puzzles that an earlier run saved can't be used; else empty.
    Raises:
        OutputError: the file can't be written. All methods may raise this.
    """

    def __init__(self, path: Path, plan_key: str, release: str, command: str = SAME_COMMAND) -> None:
        self.path = path
        self.saved: Mapping[int, Record] = {}
        self.loss = ""
        self._go_on = f"What is finished is kept: {command} goes on from there"
        self._is_dirty = False  # whether lines were written since the last sync
        self._synced_s = 0.0  # time of the last sync
        header = _line(["linkpress-journal", FORMAT_VERSION, plan_key, release])
        with self._translate_errors("Nothing was begun"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o666), "r+b", buffering=0)
            self._begin(header)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def append(self, records: Iterable[tuple[int, Record]]) -> None:
        """Write records, and sync the file if the last sync was some time ago.

        Args:
            records: slot numbers with JSON values. If a slot has several records, the last one counts.
        """
        with self._translate_errors(self._go_on):
            data = b"".join(_line([slot, record]) for slot, record in records)
            self._is_dirty = self._is_dirty or bool(data)
            _put(self._file, data)
            if self._is_dirty and time.monotonic() - self._synced_s >= SYNC_EVERY_S:
                self._sync()

    def close(self) -> None:
        """Close the file, so that the next build of the same plan can go on from it."""
        with contextlib.suppress(OSError, ValueError):  # the disk is full, or the file is closed already
            if self._is_dirty:
                self._sync()
        self._file.close()

    def remove(self) -> None:
        """Delete the journal. Call this when the book is in place, or if nothing was saved."""
        self._is_dirty = False
        with self._translate_errors(self._go_on):
            self.close()  # Windows can't delete an open file
            retry_while_open(partial(self.path.unlink, missing_ok=True))

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._is_dirty, self._synced_s = False, time.monotonic()

    def _begin(self, header: bytes) -> None:
        """Read the complete lines, cut off the rest, and write the header if it is missing."""
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
                _sync_folder(self.path.parent)
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
    """Yield the records in a journal, which another program may be writing at the same time.

    Nothing is yielded if there is no readable journal.
    """
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        yield from saved_slots(content, content[: content.find(b"\n") + 1])[0].values()


def saved_slots(content: bytes, header: bytes) -> tuple[Mapping[int, Record], int, int]:
    """Parse the content of a journal.

    Args:
        content: the bytes of the file.
        header: the header that the file must begin with.
    Returns:
        The records by slot number, the offset after the last complete line, and the number of complete lines
        after the first that can't be used. With another header, none can be used, and the offset is 0.
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


def _line(item: list[Any]) -> bytes:
    text = json.dumps(item, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return _check(text) + b" " + text + b"\n"


def _check(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


def _put(file: BinaryIO, data: bytes) -> None:
    while data:
        data = data[file.write(data) :]


def _sync_folder(folder: Path) -> None:
    """Make sure that a new file's entry in its folder is on the disk, if the system can sync a folder."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class RunLog:
    """Log of a run, in a file (``--log``), as messages (``-v``) or both; a context manager.

    A line has the time, the event and facts about it, such as counts, names, proofs and techniques. A log
    never contains boards or specs.

    Args:
        path: the file, to which JSON lines are appended; None for no file.
        say: called with each line as text; None for no messages.
    Raises:
        OutputError: the file can't be written. ``note`` may raise this, too.
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
            # Every line was flushed, so ``note`` has reported this error before.
            with contextlib.suppress(OSError):
                self._file.close()

    def note(self, event: str, **facts: Fact) -> None:
        """Write a line to the log.

        Args:
            event: the event in one or two words.
            facts: facts about it. Texts are cut at 200 characters.
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
        search: dict[str, Fact] = {"boards_tried": finished.tries, "time_s": finished.seconds_s}
        self.note("made", **_facts(finished), **search, **_findings(finished))

    def resumed(self, finished: FinishedSlot) -> None:
        self.note("resumed", **_facts(finished), **_findings(finished))

    def passed_over(self, finished: FinishedSlot, place: Place) -> None:
        """Note that another volume or feed has the puzzle, so the slot gets another one."""
        # The slot of a puzzle that is only reserved may contain the name of a file, so it is left out.
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
    """Callbacks about the progress of a book or a feed. This base class does nothing."""

    def stage(self, name: str) -> None:
        """Show that a stage begins: ``make``, ``lay out``, ``draw`` or ``write``."""

    def planned(self, forecast: Forecast) -> None:
        """Show that puzzles are going to be made. The forecast is updated from now on."""

    def notify(self, message: str) -> None:
        """Show a message to the user. Messages about a cluster come from another thread."""

    def unmet(self, slot: Slot, why: str) -> None:
        """Show that a slot, and all others with its recipe, get no puzzle. Other slots are still filled."""
        self.notify(f"{slot} was not found. All other puzzles are made before the run ends.")

    def waiting(self) -> None:
        """Show that puzzles are being made; called several times a second."""

    def made(self, finished: FinishedSlot) -> None:
        """Show that a slot has a puzzle; called again if the slot gets another puzzle."""

    def drawing(self, days: int) -> None:
        """Show that the images of some days of a feed are going to be drawn."""

    def drawn(self) -> None:
        """Show that the images of one day were drawn."""
