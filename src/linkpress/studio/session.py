"""A session knows what is open in the studio, what is running, and which windows listen."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import watchfiles
from anyio import to_thread

from linkpress.book.spec import unknown_keys
from linkpress.errors import LinkpressError
from linkpress.files import LOCK
from linkpress.production.book_puzzles import JOURNAL_FILE
from linkpress.studio import JOB
from linkpress.studio.open_book import OpenBook
from linkpress.studio.shelf import PICTURES
from linkpress.studio.spec_file import RefusedError

if TYPE_CHECKING:
    from linkpress.studio.open_feed import OpenFeed

_MOST_LINE = 1 << 24  # bytes; the line of a board of 50 x 50 has some 20,000
_PROGRAM = (
    [sys.executable, JOB] if getattr(sys, "frozen", False) else [sys.executable, "-m", "linkpress.studio.job"]
)
_IDLE_S = 600.0  # without a window and without a job, after which the studio ends
_QUIET_S = 15.0  # after which a window hears that the studio is still there
T = TypeVar("T")


class RunningJob:
    """A job is a process that makes the puzzles of a book, builds it, or makes days of a feed.

    Args:
        arguments: ``make``, ``build`` or ``feed``, the spec's file, the folder for books, and a feed's days.
        hear: is called with each report, in the order in which they come; with the last, which is ``done``,
            ``failed`` or ``stopped``, when the process has ended and another may have the book's folder.
        before: a job on the same book, which gives way to this one.
    Attributes:
        progress: how far it is, as JSON data; its ``end`` is the last report.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        hear: Callable[[RunningJob, dict[str, Any]], None],
        before: RunningJob | None,
    ) -> None:
        self.kind = arguments[0]
        self.progress: dict[str, Any] = {
            "stage": "make", "made": 0, "count": 0, "words": "", "notes": [], "unmet": [], "end": None,
        }  # fmt: skip
        self._command = [*_PROGRAM, *arguments]
        self._hear = hear
        self._before = before
        self._process: asyncio.subprocess.Process | None = None
        self._is_stopped = False
        self._task = asyncio.create_task(self._run())

    @property
    def is_running(self) -> bool:
        """Tell whether it has not ended yet."""
        return self.progress["end"] is None

    async def stop(self) -> None:
        """Let it finish what can't be left half done, and end; what is made is kept."""
        self._is_stopped = True
        self._close_input()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task

    def _close_input(self) -> None:
        """Tell the process to end, if it has been started."""
        if self._process and self._process.stdin:
            self._process.stdin.close()

    async def _run(self) -> None:
        if self._before:
            await self._before.stop()
            self._before = None
        try:
            self._take({"event": "stopped"} if self._is_stopped else await self._listen())
        except OSError as fault:  # no process can be started: too little memory, too many of them
            self._take({"event": "failed", "message": f"nothing can be begun: {fault.strerror}; try again"})

    async def _listen(self) -> dict[str, Any]:
        """Run the process, and return its last report when it has ended."""
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, limit=_MOST_LINE
        )
        if self._is_stopped:  # while the process was being started
            self._close_input()
        last = None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            report = json.loads(line)
            if report["event"] in ("done", "failed", "stopped"):
                last = report
            else:
                self._take(report)
        code = await self._process.wait()
        return last or {"event": "failed", "message": f"the process ended with {code}; try again"}

    def _take(self, report: dict[str, Any]) -> None:
        match report["event"]:
            case "stage":
                self.progress["stage"] = report["name"]
            case "planned" | "made" | "waiting":
                self.progress.update(
                    (key, report[key]) for key in ("count", "made", "words") if key in report
                )
            case "note":
                self.progress["notes"].append(report["message"])
            case "unmet":
                self.progress["unmet"].append(report["message"])
            case "done" | "failed" | "stopped":
                self.progress["end"] = report
        self._hear(self, report)


def _book(spec: OpenBook | OpenFeed) -> OpenBook:
    if not isinstance(spec, OpenBook):
        raise RefusedError(f"{spec.file.path.name} is a feed, not a book")
    return spec


def _feed(spec: OpenBook | OpenFeed) -> OpenFeed:
    if isinstance(spec, OpenBook):
        raise RefusedError(f"{spec.file.path.name} is a book, not a feed")
    return spec


def _opened(path: Path, out: Path) -> OpenBook | OpenFeed:
    if unknown_keys(path):
        from linkpress.feeds.feed_spec import is_feed
        from linkpress.studio.open_feed import OpenFeed

        if is_feed(path):
            return OpenFeed(path, out)
    return OpenBook(path, out)


def _is_at_work(book: OpenBook, touched: set[Path]) -> bool:
    """Return whether files were touched that a build of the book writes while it goes on."""
    folder = book.folder
    return folder is not None and not touched.isdisjoint(
        folder.resolve() / name for name in (JOURNAL_FILE, LOCK)
    )


class Session:
    """A session knows what is open, what is running, and who listens.

    Args:
        folder: that is open; no file outside of it is shown or written.
    Attributes:
        ended: is set when nobody has been there for long.
        turn: of the last event that windows were told, by which they know what is older.
    """

    def __init__(self, folder: Path, out: Path) -> None:
        self.folder = folder
        self.out = out
        self.ended = asyncio.Event()
        self.turn = 0
        self._open: dict[str, OpenBook | OpenFeed] = {}
        self._locks: dict[str, asyncio.Lock] = {}
        self._jobs: dict[str, RunningJob] = {}
        self._builds: dict[str, dict[str, Any]] = {}  # how far the last build of each is
        self._made_for: dict[str, tuple[str, ...]] = {}  # the slots that each book's puzzles were begun for
        self._listeners: set[asyncio.Queue[dict[str, Any]]] = set()
        self._asked: dict[str, int] = {}
        self._elsewhere: set[str] = set()  # books that another program is building
        self._looking: asyncio.Task[None] | None = None
        self._last_seen_s = time.monotonic()

    def tell(self, event: str, **facts: Any) -> None:
        """Tell every window."""
        self.turn += 1
        for listener in self._listeners:
            listener.put_nowait({"event": event, "turn": self.turn, **facts})

    async def book(self, name: str) -> OpenBook:
        """Return a book of the folder, opened if need be; raise ``RefusedError`` if there is none."""
        return _book(await self.spec(name))

    def path(self, name: str) -> Path:
        """Return the file of a book or feed of the folder; raise ``RefusedError`` if there is none."""
        with contextlib.suppress(OSError, RuntimeError):  # a name too long, links in a ring
            folder, path = self.folder.resolve(), (self.folder / name).resolve()
            if path.is_relative_to(folder) and path.suffix in (".yaml", ".yml") and path.is_file():
                return self.folder / path.relative_to(folder)
        raise RefusedError(f"{name}: there is no such book in this folder")

    async def spec(self, name: str) -> OpenBook | OpenFeed:
        """Return a book or feed of the folder, opened if need be; raise ``RefusedError`` if there is none."""
        shown = self.path(name)
        async with self._locks.setdefault(name, asyncio.Lock()):
            if name not in self._open:
                self._open[name] = await to_thread.run_sync(_opened, shown, self.out)
        return self._open[name]

    async def work(self, name: str, task: Callable[[OpenBook], T]) -> T:
        """Do something with a book in a thread, when nothing else is done with it."""
        return await self.work_on_spec(name, lambda spec: task(_book(spec)))

    async def work_on_feed(self, name: str, task: Callable[[OpenFeed], T]) -> T:
        """Do something with a feed, as ``work`` does with a book."""
        return await self.work_on_spec(name, lambda spec: task(_feed(spec)))

    async def work_on_spec(self, name: str, task: Callable[[OpenBook | OpenFeed], T]) -> T:
        """Do something with a book or feed, as ``work`` does with a book."""
        spec = await self.spec(name)
        async with self._locks[name]:
            return await to_thread.run_sync(task, spec)

    def newest(self, what: str) -> Callable[[], bool]:
        """Note that something is asked anew; the answer tells whether it has been asked again since."""
        turn = self._asked[what] = self._asked.get(what, 0) + 1
        return lambda: self._asked[what] != turn

    async def start(self, kind: str, name: str, *more: str) -> None:
        """Start making or building a book, or a run of a feed; puzzles being made already give way.

        Args:
            kind: ``make``, ``build`` or ``feed``.
            more: of a feed, the first day and the number of days.
        Raises:
            RefusedError: it is being built already.
        """
        spec = await self.spec(name)
        running = self._running(name)
        if running and running.kind != "make":
            raise RefusedError("this book is being built already")
        hear = partial(self._hear, name, spec)
        job = RunningJob([kind, str(spec.file.path), str(self.out), *more], hear, running)
        self._jobs[name] = job
        if kind != "make":
            self._builds[name] = job.progress
            self.tell("build", file=name, build=job.progress)

    def progress_of(self, name: str) -> dict[str, Any]:
        """Return how far a book's last build is, or None, and whether another program builds it now."""
        return {"turn": self.turn, "build": self._builds.get(name), "elsewhere": name in self._elsewhere}

    def has_failed(self, name: str) -> bool:
        """Tell whether the last build of a book or run of a feed failed."""
        end = (self._builds.get(name) or {}).get("end")
        return end is not None and end["event"] == "failed"

    def _running(self, name: str) -> RunningJob | None:
        job = self._jobs.get(name)
        return job if job and job.is_running else None

    async def stop(self, name: str) -> None:
        """Stop what runs on a book; what is made is kept."""
        if running := self._running(name):
            await running.stop()

    async def make_missing(self, name: str) -> None:
        """Make what puzzles a book lacks, unless that was begun for the same slots, or it is being built."""
        slots, running = await self.work(name, OpenBook.slot_keys), self._running(name)
        if self._made_for.get(name) != slots and not (running and running.kind == "build"):
            self._made_for[name] = slots
            with contextlib.suppress(RefusedError):  # a build has begun meanwhile, which makes them
                await self.start("make", name)

    def _hear(self, name: str, spec: OpenBook | OpenFeed, job: RunningJob, report: dict[str, Any]) -> None:
        if report["event"] == "made" and isinstance(spec, OpenBook):
            spec.take(report.pop("line"))
        if report["event"] == "unmet" and isinstance(spec, OpenBook):
            spec.unmet[report["search"]] = report["message"]
            self.tell("unmet", file=name, level=report["level"])
        if job.kind != "make":
            self.tell("build", file=name, build=job.progress)
        if report["event"] in ("made", "done"):
            self.tell("made", file=name)
        is_told = name in self._elsewhere or job.progress["unmet"]
        if job.kind == "make" and report["event"] == "failed" and not is_told:
            self.tell("unmade", file=name, message=report["message"])
        if not job.is_running and isinstance(spec, OpenBook):
            # another may have begun since it left the folder
            self._looking = asyncio.create_task(self._look_for_others(name))

    async def watch(self) -> None:
        """Tell the windows of files that others changed, until the task is cancelled."""
        places = {self.folder.resolve(), *([self.out.resolve()] if self.out.is_dir() else [])}
        async for changes in watchfiles.awatch(*places, recursive=True, debounce=100, step=50):
            touched = {Path(path).resolve() for _, path in changes}
            for name, spec in list(self._open.items()):
                with contextlib.suppress(LinkpressError, RefusedError):  # it is gone, or can't be read
                    if spec.file.path.resolve() in touched:
                        if await self.work_on_spec(name, lambda opened: opened.file.refresh()):
                            self.tell("changed", file=name, elsewhere=True)
                    elif isinstance(spec, OpenBook) and _is_at_work(spec, touched):
                        await self._look_for_others(name)
                    elif isinstance(spec, OpenBook) and self._has_pictures(touched, spec):
                        await self.work(name, OpenBook.look_again)
                        self.tell("changed", file=name)
            if any(path.suffix in (".yaml", ".yml") for path in touched):
                self.tell("shelf")

    def _has_pictures(self, touched: set[Path], book: OpenBook) -> bool:
        """Return whether pictures beside a book are among the files that were touched."""
        folder, out = book.file.path.parent.resolve(), self.out.resolve()
        pictures = (path for path in touched if path.suffix.lower() in PICTURES)
        return any(path.is_relative_to(folder) and not path.is_relative_to(out) for path in pictures)

    async def _look_for_others(self, name: str) -> None:
        """Tell the windows of a build in another program, and take over what it has made."""
        if self._running(name):
            return
        found, working = await self.work(name, OpenBook.take_from_others)
        if found or working != (name in self._elsewhere):
            self._made_for.pop(name, None)
            (self._elsewhere.add if working else self._elsewhere.discard)(name)
            self.tell("elsewhere", file=name, working=working)

    async def listen(self) -> AsyncIterator[str]:
        """Yield events for one window, as Server-Sent Events, until it closes; the first tells the turn."""
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._listeners.add(queue)
        queue.put_nowait({"event": "hello", "turn": self.turn})
        try:
            yield "retry: 1000\n\n"
            while True:
                try:
                    yield f"data: {json.dumps(await asyncio.wait_for(queue.get(), _QUIET_S))}\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._listeners.discard(queue)
            self._last_seen_s = time.monotonic()

    async def end_when_idle(self) -> None:
        """Set ``ended`` when no window has been open, and nothing has run, for ten minutes."""
        while True:
            await asyncio.sleep(1.0)
            if self._listeners or any(job.is_running for job in self._jobs.values()):
                self._last_seen_s = time.monotonic()
            if time.monotonic() - self._last_seen_s > _IDLE_S:
                self.ended.set()

    async def close(self) -> None:
        """Stop all jobs."""
        await asyncio.gather(*(job.stop() for job in self._jobs.values() if job.is_running))
