"""The journal of a build has each finished puzzle, written at once, and soon on the disk.

An append-only file of lines, each the CRC-32 of what follows it and a JSON array: first a header
that says which plan the build follows, then ``[slot, record]`` for each finished slot. Whatever
moment a build dies at, every line that is whole counts and the torn rest is cut off. Whoever opens it
holds its folder.
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

from pydantic import ConfigDict, TypeAdapter, ValidationError

from linkpress.errors import OutputError
from linkpress.files import reason, remedy, retry_while_open

if TYPE_CHECKING:  # loads the keys and words of a book's spec, which not all that is logged has
    from linkpress.book.plan import Slot
    from linkpress.ledger.entries import Place
    from linkpress.production.forecast import Forecast
    from linkpress.production.slot_search import FinishedSlot

FORMAT_VERSION = 1
_BINARY = getattr(os, "O_BINARY", 0)  # without which Windows writes line ends of its own
SAME_COMMAND = "the same command"
SYNC_EVERY_S = 0.5  # 1,600 small puzzles waited for the disk 1,200 times, 2.2 s of a build

Record = Mapping[str, Any]
_ENTRY = TypeAdapter(tuple[int, dict[str, Any]], config=ConfigDict(strict=True))
Fact = str | int | float | bool | None
_MAX_TEXT = 200


class Journal:
    """A journal has the finished slots of one build; it is a context manager, by one thread.

    Args:
        path: the file; made, with its folders, when it is missing.
        plan_key: says what is being built. A journal of another plan, or of another release or
            format, is begun afresh.
        command: what goes on from here after a fault or an interruption.
    Attributes:
        saved: the record of each slot that an earlier run saved, by its number.
    Raises:
        OutputError: the file can't be written; as every method may.
    """

    def __init__(self, path: Path, plan_key: str, release: str, command: str = SAME_COMMAND) -> None:
        self.path = path
        self.saved: Mapping[int, Record] = {}
        self._go_on = f"What is finished is kept: {command} goes on from there"
        self._is_written, self._synced_s = False, 0.0  # since the disk was waited for, and when that was
        header = _line(["linkpress-journal", FORMAT_VERSION, plan_key, release])
        with self._faults("Nothing was begun"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | _BINARY, 0o666), "r+b", buffering=0)
            self._begin(header)

    def __enter__(self) -> Journal:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def append(self, records: Iterable[tuple[int, Record]]) -> None:
        """Write records of finished slots, and wait for the disk if it has been left alone for a while.

        Args:
            records: each slot's number, and JSON values; the same slot's later record counts. Without
                any, what was written before is put on the disk when its time has come.
        """
        with self._faults(self._go_on):
            data = b"".join(_line([slot, record]) for slot, record in records)
            self._is_written = self._is_written or bool(data)
            _put(self._file, data)
            if self._is_written and time.monotonic() - self._synced_s >= SYNC_EVERY_S:
                self._sync()

    def close(self) -> None:
        """Close the file; the next build of the same plan goes on from it."""
        with contextlib.suppress(OSError, ValueError):  # it is full, or closed already
            if self._is_written:
                self._sync()
        self._file.close()

    def remove(self) -> None:
        """Delete the file: the book is in place, or nothing is worth keeping."""
        self._is_written = False
        with self._faults(self._go_on):
            self.close()  # Windows deletes no open file
            retry_while_open(partial(self.path.unlink, missing_ok=True))

    def _sync(self) -> None:
        os.fsync(self._file.fileno())
        self._is_written, self._synced_s = False, time.monotonic()

    def _begin(self, header: bytes) -> None:
        """Take up what is whole, cut off the rest, and write the header where there is none."""
        try:
            content = self._file.read()
            self.saved, end = saved_slots(content, header)
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
    def _faults(self, so_far: str) -> Iterator[None]:
        try:
            yield
        except OSError as fault:
            raise OutputError(
                f"the journal {self.path} can't be written: {reason(fault)}. {so_far}. "
                f"{remedy(fault, 'choose another folder with -o')}."
            ) from fault


def saved_records(path: Path) -> Iterator[Record]:
    """Read the records of the slots that a journal has, while another program may be writing it.

    Nothing is read where there is no journal, or none that can be read.
    """
    with contextlib.suppress(OSError):
        content = path.read_bytes()
        yield from saved_slots(content, content[: content.find(b"\n") + 1])[0].values()


def saved_slots(content: bytes, header: bytes) -> tuple[Mapping[int, Record], int]:
    """Return the record of each slot whose line counts under this header, and where the last of them ends."""
    if not content.startswith(header):
        return {}, 0
    saved: dict[int, Record] = {}
    start = len(header)
    while (end := content.find(b"\n", start)) >= 0:
        check, _, text = content[start:end].partition(b" ")
        if check != _check(text):
            break
        try:
            slot, record = _ENTRY.validate_json(text)
        except ValidationError:  # of another program, whatever its check sum says
            break
        saved[slot], start = record, end + 1
    return saved, start


def _line(item: list[Any]) -> bytes:
    text = json.dumps(item, ensure_ascii=True, separators=(",", ":")).encode("ascii")
    return _check(text) + b" " + text + b"\n"


def _check(text: bytes) -> bytes:
    return b"%08x" % zlib.crc32(text)


def _put(file: BinaryIO, data: bytes) -> None:
    while data:
        data = data[file.write(data) :]


def _sync_folder(folder: Path) -> None:
    """Put the new file's name on the disk too, where the system lets a folder be synced."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class RunLog:
    """A log notes what happens in a file (``--log``), in words (``-v``) or both; a context manager.

    A line says when, what happened, and facts about it. Facts are counts, names, times, proofs and grades;
    a log holds no boards and no specs.

    Args:
        path: where to add JSON lines; None for nowhere.
        say: takes each line in words; None for nobody.
    Raises:
        OutputError: the file can't be written; as ``note`` may.
    """

    def __init__(self, path: Path | None = None, say: Callable[[str], None] | None = None) -> None:
        self._path = path
        self._say = say
        try:
            self._file = None
            if path is not None:
                self._file = path.open("a", encoding="utf-8", errors="backslashreplace", newline="\n")
        except OSError as fault:
            raise self._unwritable(fault) from fault

    def __enter__(self) -> RunLog:
        return self

    def __exit__(self, *fault: object) -> None:
        if self._file is not None:
            # Every line was flushed, so what fails to be written again here was reported by ``note``.
            with contextlib.suppress(OSError):
                self._file.close()

    def note(self, event: str, **facts: Fact) -> None:
        """Note an event in a word or two, with facts: texts cut at 200 characters, times in seconds."""
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
        except OSError as fault:
            raise self._unwritable(fault) from fault

    def made(self, finished: FinishedSlot) -> None:
        """Note a puzzle that was made."""
        search: dict[str, Fact] = {"boards_tried": finished.tries, "time_s": finished.seconds_s}
        self.note("made", **_facts(finished), **search, **_findings(finished))

    def resumed(self, finished: FinishedSlot) -> None:
        """Note a puzzle that an earlier run made."""
        self.note("resumed", **_facts(finished), **_findings(finished))

    def passed_over(self, finished: FinishedSlot, place: Place) -> None:
        """Note a puzzle that another volume or feed holds, so that its slot is made again."""
        # A puzzle that is only reserved is held by its slot's own words, which may name a file.
        held_in = str(place if place.published else place.holder)
        self.note("passed over", **_facts(finished), held_in=held_in)

    def again(self, slot: Slot, attempt: int, why: str) -> None:
        """Note that a slot is made again."""
        self.note("again", **slot.facts, attempt=attempt, why=why)

    def _unwritable(self, fault: OSError) -> OutputError:
        return OutputError(
            f"the log {self._path} can't be written: {reason(fault)}. "
            f"{remedy(fault, 'choose another file with --log')}."
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
        "grade": record.grade.label if record.grade else None,
    }


class Watcher:
    """A watcher is called at each step of a book or a feed; this base class does nothing."""

    def stage(self, name: str) -> None:
        """Hear that a stage begins: ``make``, ``lay out``, ``draw``, ``write``."""

    def planned(self, forecast: Forecast) -> None:
        """Hear that puzzles are to be made; the forecast is kept up to date from now on."""

    def notify(self, message: str) -> None:
        """Hear a message for the user: what a level is likely to take, which slot gets no puzzle.

        Messages about a cluster come from another thread.
        """

    def unmet(self, slot: Slot, why: str) -> None:
        """Hear that a slot gets no puzzle, and none is sought for those like it; others are still made."""
        self.notify(f"{why} What can be made is made before this ends.")

    def waiting(self) -> None:
        """Hear, several times a second, that puzzles are being made."""

    def made(self, finished: FinishedSlot) -> None:
        """Hear that a slot's puzzle was made; called again for a slot that is made again."""

    def drawing(self, days: int) -> None:
        """Hear that the images of so many days of a feed are to be drawn."""

    def drawn(self) -> None:
        """Hear that a day's images were drawn."""
