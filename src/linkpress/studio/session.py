"""State of a running studio: open books and feeds, running jobs, and the browser windows that show them."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import json
import os
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from anyio import to_thread

from linkpress.book.spec import unknown_keys
from linkpress.errors import LinkpressError
from linkpress.files import LOCK, YAML_SUFFIXES
from linkpress.production.book_puzzles import JOURNAL_FILE
from linkpress.studio import JOB
from linkpress.studio.finished import (
    built_elsewhere_html,
    outcome_html,
    progress_html,
    progress_icon,
    progress_words,
    spoken_progress,
)
from linkpress.studio.html_parts import path_label, say
from linkpress.studio.open_book import OpenBook
from linkpress.studio.spec_files import (
    RefusedError,
    SpecFile,
    keep_build,
    kept_build,
    list_pictures,
    spec_paths,
    time_words,
)

if TYPE_CHECKING:
    from linkpress.studio.open_feed import OpenFeed

# Maximum length of a job's report in bytes. A report on a 50 × 50 board has 20,000 bytes.
_MAX_LINE_BYTES = 1 << 24
_PROGRAM = (
    [sys.executable, JOB] if getattr(sys, "frozen", False) else [sys.executable, "-m", "linkpress.studio.job"]
)
# The studio ends if for this number of seconds no window was open and no job was running.
_IDLE_S = 600.0
# If there was no event for this number of seconds, the server sends each open window a line that browsers
# ignore, so that the connection is not closed.
_KEEP_ALIVE_S = 15.0
_POLL_S = 0.4  # seconds between two checks for changed files
T = TypeVar("T")
Stamp = tuple[int, int, int]  # modification time in nanoseconds, size and inode of a file


class RunningJob:
    """Process that makes the puzzles of a book, builds it, or makes days of a feed.

    Args:
        arguments: the arguments of ``job.main``.
        on_report: function called with this job and each of its reports. The last report is ``done``,
            ``failed`` or ``stopped``. It comes after the process has ended, so that another job can use the
            book's folder.
        previous: a running job for the same book, which is stopped first; None for no such job.
        levels: the title and the number of puzzles of each level of a book, by the level's name.
    Attributes:
        kind: ``make``, ``build`` or ``feed``.
        progress: the progress as JSON data. Its key ``end`` has the last report, or None while the job runs.
            For a build, ``version`` is the version of the text that is built. ``since`` is the time of the
            start, such as "14:40". ``took_s`` maps each finished stage to the seconds that it took.
            ``levels`` maps the name of each level of a book to its title and its planned number of puzzles.
            ``made_of`` maps the name of a level to the number of its puzzles that are already made. ``saved``
            maps the name of each file of a finished book that the user saved to the time of saving.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        on_report: Callable[[RunningJob, dict[str, Any]], None],
        previous: RunningJob | None,
        levels: Mapping[str, tuple[str, int]] = MappingProxyType({}),
    ) -> None:
        self.kind = arguments[0]
        self.progress: dict[str, Any] = {
            "stage": "make", "made": 0, "count": 0, "words": "", "notes": [], "unmet": [], "end": None,
            "since": _clock(), "took_s": {}, "levels": dict(levels), "made_of": {}, "saved": {},
        }  # fmt: skip
        self._stage_since_s = time.monotonic()
        self._command = [*_PROGRAM, *arguments]
        self._draw()
        self._on_report = on_report
        self._previous = previous
        self._process: asyncio.subprocess.Process | None = None
        self._is_stopped = False
        self._task = asyncio.create_task(self._run())

    @property
    def is_running(self) -> bool:
        return self.progress["end"] is None

    async def stop(self) -> None:
        """Ask the process to end, and wait until it has ended. Finished puzzles are kept."""
        self._is_stopped = True
        self._close_input()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    def _close_input(self) -> None:
        """If the process was started, ask it to end by closing its standard input."""
        if self._process and self._process.stdin:
            self._process.stdin.close()

    async def _run(self) -> None:
        if self._previous:
            await self._previous.stop()
            self._previous = None
        try:
            self._handle({"event": "stopped"} if self._is_stopped else await self._run_process())
        except OSError as error:
            # The process can't be started, because memory is short or there are too many processes.
            self._handle({"event": "failed", "message": f"nothing was started: {error.strerror}; try again"})
        except asyncio.CancelledError:
            # Nobody reads the reports of the process any more. The process would wait forever when it writes
            # the next report, so kill it.
            if self._process and self._process.returncode is None:
                self._process.kill()
                await self._process.wait()
            raise

    async def _run_process(self) -> dict[str, Any]:
        """Run the process until it ends, and return its last report."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, limit=_MAX_LINE_BYTES
        )
        if self._is_stopped:  # ``stop`` was called while the process was being started.
            self._close_input()
        last = None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            report = json.loads(line)
            if report["event"] in ("done", "failed", "stopped"):
                last = report
            else:
                self._handle(report)
        code = await self._process.wait()
        return last or {"event": "failed", "message": f"the process ended with exit code {code}; try again"}

    def _handle(self, report: dict[str, Any]) -> None:
        match report["event"]:
            case "stage":
                stage, took_s, now_s = self.progress["stage"], self.progress["took_s"], time.monotonic()
                took_s[stage] = took_s.get(stage, 0.0) + now_s - self._stage_since_s
                self.progress["stage"], self._stage_since_s = report["name"], now_s
            case "planned" | "made" | "waiting":
                keys = report.keys() & {"count", "made", "made_of", "words"}
                self.progress.update((key, report[key]) for key in keys)
            case "note":
                self.progress["notes"].append(report["message"])
            case "unmet":
                self.progress["unmet"].append(report["message"])
            case "done" | "failed" | "stopped":
                self.progress["end"] = _dated({**report, "time": _clock(), "ended_s": time.time()})
        self._draw()
        self._on_report(self, report)

    def _draw(self) -> None:
        """Set the HTML and the icon that show the progress, and the words that a screen reader speaks."""
        progress = self.progress
        if progress["end"]:
            progress["panel"] = outcome_html(progress, Path(self._command[-2]).name)
        else:
            progress["panel"], progress["told"] = progress_html(progress), progress_words(progress)
        made, count = progress["made"], progress["count"]
        progress["icon"], progress["spoken"] = progress_icon(made, count), spoken_progress(made, count)


class Session:
    """State of a running studio: open specs, jobs and windows.

    Args:
        folder: the folder of the specs. No file outside of it is shown or written.
        out: the folder of built books.
    Attributes:
        ended: event that is set when the studio should end.
        turn: the number of the last event. Answers to requests contain it too, so that a window knows whether
            an answer or an event is newer.
    """

    def __init__(self, folder: Path, out: Path) -> None:
        self.folder = folder
        self.out = out
        self.ended = asyncio.Event()
        self.turn = 0
        self._open: dict[str, OpenBook | OpenFeed] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._jobs: dict[str, RunningJob] = {}
        # For each spec, the progress of its last build. After a restart of the studio, only the last report
        # of the build is known.
        self._builds: dict[str, dict[str, Any]] = {}
        # For each spec, the values that it had at its last build. Values that can't change a printed file
        # are left out.
        self._built_values: dict[str, Mapping[str, Any] | None] = {}
        # For each book, the keys of the puzzles that were missing when a job was last started to make them.
        self._made_for: dict[str, tuple[str, ...]] = {}
        self._listeners: set[asyncio.Queue[dict[str, Any]]] = set()
        self._requests: dict[str, object] = {}
        # Maps each open window that shows a book or feed to the path of its spec.
        self._file_of: dict[str, str] = {}

        # For each book that another program is building now, HTML that shows how far the build is.
        self._built_by_others: dict[str, str] = {}
        self._gone: set[str] = set()  # open specs whose files were moved, renamed or deleted
        self._looking: asyncio.Task[None] | None = None
        self._last_used_s = time.monotonic()
        # A browser window may list the specs before ``watch`` runs. Remember the present state of the files,
        # so that ``watch`` also notices changes that are made before it runs.
        self._first_stamps = _stamps_of(spec_paths(folder))

    def send_event(self, event: str, **facts: Any) -> None:
        """Send an event to all windows."""
        self.turn += 1
        for listener in self._listeners:
            listener.put_nowait({"event": event, "turn": self.turn, **facts})

    # Open specs

    def path(self, name: str) -> Path:
        """Return the file of a spec.

        Args:
            name: the file's path relative to the folder.
        Raises:
            RefusedError: there is no such spec in the folder.
        """
        # An error means that the name is too long, or that a link leads to itself.
        with contextlib.suppress(OSError, RuntimeError):
            folder, path = self.folder.resolve(), (self.folder / name).resolve()
            if path.is_relative_to(folder) and path.suffix in YAML_SUFFIXES and path.is_file():
                return self.folder / path.relative_to(folder)
        raise RefusedError(f"{name}: there is no such book in this folder")

    async def spec(self, name: str) -> OpenBook | OpenFeed:
        """Return the book or feed whose spec has this path relative to the studio's folder.

        If it is not open yet, open it.

        Raises:
            RefusedError: there is no such spec in the folder.
        """
        path = self.path(name)
        # If the spec is open already, return it without waiting for the lock. Another request may hold the
        # lock as long as it takes to lay out the book.
        if name in self._open:
            return self._open[name]
        async with self._locks.setdefault(name, asyncio.Lock()):
            if name not in self._open:
                spec = await to_thread.run_sync(_open_spec, path, self.out)
                if isinstance(spec, OpenBook) and name not in self._builds:
                    await to_thread.run_sync(self._load_build, name, spec)
                self._open[name] = spec
        return self._open[name]

    def _load_build(self, name: str, book: OpenBook) -> None:
        """Load the last report of a book's last build, which the studio saved before it was restarted.

        If a file of this build has been removed or written again since, nothing is loaded.
        """
        self._builds.pop(name, None)
        if kept := kept_build(book.file.path, self.out):
            end, values = kept
            self._builds[name] = {"end": end, "version": None, "saved": {}, "panel": ""}
            self._built_values[name] = values if book.is_changed else book.file.printed_values()

    async def book(self, name: str) -> OpenBook:
        """Return the open book whose spec has this path relative to the studio's folder.

        Raises:
            RefusedError: there is no such spec, or it is a newspaper's feed.
        """
        return _as_book(await self.spec(name))

    async def call_with_spec(self, name: str, task: Callable[[OpenBook | OpenFeed], T]) -> T:
        """Call a function with a book or feed in a thread, and return the function's result.

        Calls with the same book or feed run one after the other.
        """
        spec = await self.spec(name)
        async with self._locks[name]:
            return await to_thread.run_sync(task, spec)

    async def call_with_book(self, name: str, task: Callable[[OpenBook], T]) -> T:
        return await self.call_with_spec(name, lambda spec: task(_as_book(spec)))

    async def call_with_feed(self, name: str, task: Callable[[OpenFeed], T]) -> T:
        return await self.call_with_spec(name, lambda spec: task(_as_feed(spec)))

    def begin_request(self, what: str, answer: object = None) -> Callable[[], bool]:
        """Register a request from a window, which a newer request may replace.

        Args:
            what: text that identifies the purpose of the request, such as the place in the window where a
                drawing will be shown. A newer request with the same text replaces this request.
            answer: value that identifies the answer to send. If a newer request has an equal value, it does
                not replace this request, because both get the same answer. None if the answer differs each
                time.
        Returns:
            A function that returns whether a newer request has replaced this request.
        """
        own = self._requests[what] = answer or object()
        return lambda: self._requests[what] != own

    async def note_window(self, window: str, name: str) -> None:
        """Note which spec a window shows, and free the memory of a book that no window shows any more.

        Args:
            window: text that identifies the window.
            name: the spec's path relative to the folder. Empty if the window shows the list of books and
                feeds, or was closed.
        """
        before = self._file_of.pop(window, "")
        if name:
            self._file_of[window] = name
        if before != name:
            await self.forget_unseen(before)

    async def forget_unseen(self, name: str) -> None:
        """Free the memory of a book, unless a window shows it, or a running job adds puzzles to it."""
        is_used = name in self._file_of.values() or self._running_job(name)
        if not is_used and isinstance(self._open.get(name), OpenBook):
            await self.call_with_book(name, OpenBook.forget_puzzles)
            _return_free_memory()

    async def call_with_file(self, name: str, task: Callable[[Path], T]) -> T:
        """Call a function with the path of a spec's file, in a thread. The function may move the file.

        Raises:
            RefusedError: the spec is being built, or there is no such spec.
        """
        path, running = self.path(name), self._running_job(name)
        if running and running.kind != "make":
            raise RefusedError("This book is being built. Stop the build first, or wait for its end.")
        await self.stop(name)
        async with self._locks.setdefault(name, asyncio.Lock()):
            result = await to_thread.run_sync(task, path)
            if not path.exists():
                self._open.pop(name, None)
        self.send_event("shelf")
        return result

    # Jobs

    async def start(self, kind: str, name: str, *more: str) -> None:
        """Start a job. If puzzles of the same book are being made, that job is stopped first.

        Args:
            kind: ``make``, ``build`` or ``feed``.
            name: the spec's path relative to the folder.
            more: for a feed, the first day and the number of days.
        Raises:
            RefusedError: the book or feed is being built already, or its file can't be read. For a build,
                also if a level of the book can't be made, or if another program is building the book.
        """
        spec = await self.spec(name)

        def facts(spec: OpenBook | OpenFeed) -> tuple[int | None, Any, dict[str, tuple[str, int]]]:
            line = spec.file.unreadable_line
            if not isinstance(spec, OpenBook):
                return line, None, {}
            return line, spec.blocker, spec.level_counts()

        line, blocker, levels = await self.call_with_spec(name, facts)
        if line is not None:
            raise RefusedError(f"line {line} of the file can't be read. Correct it, or undo the last change.")
        if blocker and kind == "build":
            level = path_label(blocker["key"][:2])
            raise RefusedError(f"{level} can't be made. Open it in the list of parts, and choose a way on.")
        running = self._running_job(name)
        if running and running.kind != "make":
            raise RefusedError("this book is being built already")
        if kind == "build" and not running and await self.call_with_book(name, OpenBook.is_locked):
            raise RefusedError(say("waitForOther"))
        on_report = partial(self._handle_report, name, spec)
        job = RunningJob([kind, str(spec.file.path), str(self.out), *more], on_report, running, levels)
        self._jobs[name] = job
        if kind != "make":
            job.progress["version"] = spec.file.version
            self._built_values[name] = spec.file.printed_values()
            self._builds[name] = job.progress
            self.send_event("build", file=name, build=job.progress)

    async def stop(self, name: str) -> None:
        """Stop the job of a book or feed, if one is running. Finished puzzles are kept."""
        if running := self._running_job(name):
            await running.stop()

    async def make_missing(self, name: str) -> None:
        """Start to make the missing puzzles of a book, unless it is being built.

        If a job has already tried to make the same puzzles, do nothing, because a new job would fail again.
        """
        slots, running = await self.call_with_book(name, OpenBook.slot_keys), self._running_job(name)
        if slots and self._made_for.get(name) != slots and not (running and running.kind == "build"):
            self._made_for[name] = slots
            # If a build has begun in the meantime, this job is refused. The build makes these puzzles too.
            with contextlib.suppress(RefusedError):
                await self.start("make", name)

    def build_state(self, name: str, file: SpecFile[Any] | None = None) -> dict[str, Any]:
        """Return facts about the builds of a book or feed.

        The key ``build`` has the progress of its last build in this studio. The key ``elsewhere`` has HTML
        about a build by another program, and is empty if there is none. The key ``gone`` says whether the
        spec file was moved, renamed or deleted.

        Args:
            name: the spec's path relative to the folder.
            file: the spec file, or None. If it is given, its present values are compared with those at the
                time of the build. If all values that can change a printed file are equal, the result says
                that the current version of the spec file was built.
        """
        build = self._builds.get(name)
        if build and file and (values := file.printed_values()) and values == self._built_values.get(name):
            build = {**build, "version": file.version}
        if build and build["end"]:
            build = {**build, "end": _dated(build["end"])}
        return {
            "turn": self.turn,
            "build": build,
            "elsewhere": self._built_by_others.get(name, ""),
            "gone": name in self._gone,
        }

    def note_saved(self, name: str, file: str) -> None:
        """Record that the user saves a file of a finished book.

        An empty file name means the ZIP of all files.
        """
        if build := self._builds.get(name):
            build["saved"][file] = _clock()

    def shelf_facts(self, name: str) -> dict[str, Any]:
        """Return facts about the build of a spec, which are shown in the list of books and feeds.

        The facts say whether a build is running, and whether the last build failed.
        """
        build = self._builds.get(name)
        if build is None:
            return {}
        if build["end"] is None:
            return {"build": build}
        is_current = build["version"] == self._open[name].file.version if name in self._open else True
        return {"state": "failed"} if build["end"]["event"] == "failed" and is_current else {}

    def _running_job(self, name: str) -> RunningJob | None:
        job = self._jobs.get(name)
        return job if job and job.is_running else None

    def _handle_report(
        self, name: str, spec: OpenBook | OpenFeed, job: RunningJob, report: dict[str, Any]
    ) -> None:
        if report["event"] == "made" and isinstance(spec, OpenBook):
            spec.add_puzzle(report.pop("line"))
        if report["event"] == "unmet" and isinstance(spec, OpenBook):
            spec.unmet[report["search"]] = report["message"]
            self.send_event("told", file=name, message=say("unmetLevel", level=report["level"]))
            self.send_event("reload", file=name)
        if report["event"] == "done" and job.kind == "build":
            # If the report of the build can't be saved, the studio doesn't find the built book after a
            # restart, or after its title is changed. That is no reason to fail now.
            with contextlib.suppress(OSError):
                keep_build(spec.file.path, self.out, job.progress["end"], self._built_values[name])
        if job.kind != "make":
            self.send_event("build", file=name, build=job.progress)
        if report["event"] in ("made", "done"):
            self.send_event("made", file=name)
        # Send no message if the window already shows the reason: another program builds the book, a level
        # can't be made, or the spec has problems.
        is_known = name in self._built_by_others or job.progress["unmet"] or spec.file.document.problems
        if job.kind == "make" and report["event"] == "failed" and not is_known:
            message = report["message"].replace(f"{self.folder}{os.sep}", "")
            self.send_event("told", file=name, message=message)
        if not job.is_running and isinstance(spec, OpenBook):
            # The job has unlocked the folder, so another program may have started a build there.
            self._looking = asyncio.create_task(self._look_for_other_build(name))

    # Methods that notice changes that other programs make

    async def watch(self) -> None:
        """Watch for changes that other programs make to files, and notify the windows that show these files.

        The modification times of the files are read every 0.4 seconds, until this task is cancelled.
        """
        before = {"": self._first_stamps}
        while True:
            await asyncio.sleep(_POLL_S)
            now = await self._stamps()
            for name, stamps in now.items():
                if name in before:
                    await self._handle_changes(name, _changed(before[name], stamps))
                # The file and the journal of a newly opened book are checked for the first time. They may
                # have changed since the book was read, so handle them as changed.
                elif name != "":
                    files = {path for path in stamps if path.name in (JOURNAL_FILE, LOCK)}
                    await self._handle_changes(name, {self._open[name].file.path} | files)
            before = now

    async def _stamps(self) -> dict[str, dict[Path, Stamp]]:
        """Return the stamp (time, size, inode) of each watched file, grouped by open spec.

        The group with the key "" has all YAML files of the folder.
        """
        stamps = {"": await to_thread.run_sync(lambda: _stamps_of(spec_paths(self.folder)))}
        for name, spec in list(self._open.items()):
            async with self._locks[name]:
                stamps[name] = await to_thread.run_sync(_stamps_of_spec, spec)
        return stamps

    async def _handle_changes(self, name: str, changed: set[Path]) -> None:
        if not changed:
            return
        if name == "":
            self.send_event("shelf")
            return
        spec = self._open[name]
        is_spec_changed = spec.file.path in changed
        if is_spec_changed and not spec.file.path.exists():
            self._gone.add(name)
            self.send_event("gone", file=name)
        # These errors mean that the file was deleted or can't be read. Then there is nothing to read again.
        with contextlib.suppress(LinkpressError, RefusedError):
            if is_spec_changed and await self.call_with_spec(name, lambda spec: spec.file.refresh()):
                self._gone.discard(name)
                self.send_event("changed", file=name, elsewhere=True)
            # The file was moved or deleted, and now it is there again with the same text.
            elif name in self._gone and spec.file.path.exists():
                self._gone.discard(name)
                self.send_event("changed", file=name)
            if isinstance(spec, OpenBook):
                if any(path.name in (JOURNAL_FILE, LOCK) for path in changed):
                    await self._look_for_other_build(name)
                elif changed - {spec.file.path}:
                    await self.call_with_book(name, OpenBook.reload_pictures)
                    self.send_event("changed", file=name)

    async def _look_for_other_build(self, name: str) -> None:
        """Load puzzles that another program has made for a book.

        Notify the windows if there are new puzzles, or if the other program has begun or ended a build.
        """
        if self._running_job(name):
            return
        new_count, is_building = await self.call_with_book(name, OpenBook.load_puzzles_of_others)
        if new_count or is_building != (name in self._built_by_others):
            self._made_for.pop(name, None)
            panel = await self.call_with_book(name, _panel_of_other_build) if is_building else ""
            if self._built_by_others.pop(name, "") and not panel:
                await self.call_with_book(name, partial(self._load_build, name))
            if panel:
                self._built_by_others[name] = panel
            self.send_event("reload", file=name)
        await self.forget_unseen(name)

    # Windows

    async def listen(self) -> AsyncIterator[str]:
        """Yield events for one window, as Server-Sent Events, until the window closes.

        The first event is ``hello``.
        """
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._listeners.add(queue)
        queue.put_nowait({"event": "hello", "turn": self.turn})
        try:
            yield "retry: 1000\n\n"
            while True:
                try:
                    yield f"data: {json.dumps(await asyncio.wait_for(queue.get(), _KEEP_ALIVE_S))}\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._listeners.discard(queue)
            self._last_used_s = time.monotonic()

    async def end_when_idle(self) -> None:
        """End the studio when no window has been open and no job has run for ten minutes."""
        while True:
            await asyncio.sleep(1.0)
            if self._listeners or any(job.is_running for job in self._jobs.values()):
                self._last_used_s = time.monotonic()
            if time.monotonic() - self._last_used_s > _IDLE_S:
                self.ended.set()

    async def close(self) -> None:
        await asyncio.gather(*(job.stop() for job in self._jobs.values() if job.is_running))


def _return_free_memory() -> None:
    """Return freed memory to the operating system. The C library of Linux would keep most of it."""
    # Only glibc, the usual C library of Linux, has the function ``malloc_trim``. After four books of 300
    # boards of 20 × 20 were shown, the studio uses 150 MB of memory with this call, and 180 MB without it.
    with contextlib.suppress(OSError, AttributeError, TypeError):
        ctypes.CDLL(None).malloc_trim(0)


def _clock() -> str:
    return datetime.now().strftime("%H:%M")


def _dated(end: Mapping[str, Any]) -> dict[str, Any]:
    """Return the last report of a job, with the time of its end as words such as "today at 14:42"."""
    return {**end, "when": time_words(end["ended_s"])}


def _as_book(spec: OpenBook | OpenFeed) -> OpenBook:
    if not isinstance(spec, OpenBook):
        raise RefusedError(f"{spec.file.path.name} is a feed, not a book")
    return spec


def _as_feed(spec: OpenBook | OpenFeed) -> OpenFeed:
    if isinstance(spec, OpenBook):
        raise RefusedError(f"{spec.file.path.name} is a book, not a feed")
    return spec


def _panel_of_other_build(book: OpenBook) -> str:
    return built_elsewhere_html(book.level_counts(), book.made_counts())


def _open_spec(path: Path, out: Path) -> OpenBook | OpenFeed:
    if unknown_keys(path):
        from linkpress.feeds.feed_spec import is_feed
        from linkpress.studio.open_feed import OpenFeed

        if is_feed(path):
            return OpenFeed(path, out)
    return OpenBook(path, out)


def _stamps_of_spec(spec: OpenBook | OpenFeed) -> dict[Path, Stamp]:
    """Return the stamp (time, size, inode) of each file that is watched for changes of an open spec."""
    paths = [spec.file.path]
    if isinstance(spec, OpenBook):
        parent = spec.file.path.parent
        paths += [parent / picture for picture in list_pictures(parent)]
        if spec.folder is not None:
            paths += [spec.folder / JOURNAL_FILE, spec.folder / LOCK]
    return _stamps_of(paths)


def _stamps_of(paths: Iterable[Path]) -> dict[Path, Stamp]:
    """Return the stamp (time, size, inode) of each file that exists."""
    stamps = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            stamps[path] = status.st_mtime_ns, status.st_size, status.st_ino
    return stamps


def _changed(before: dict[Path, Stamp], now: dict[Path, Stamp]) -> set[Path]:
    return {path for path in before.keys() | now.keys() if before.get(path) != now.get(path)}
