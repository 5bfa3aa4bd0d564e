"""A job's process as the studio sees it: started, listened to, stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

_MOST_LINE = 1 << 24  # bytes; the line of a board of 50 x 50 has some 20,000


JOB = "--job"
# A bundled program is not Python, and runs a job by an argument of its own.
_PROGRAM = (
    [sys.executable, JOB] if getattr(sys, "frozen", False) else [sys.executable, "-m", "linkpress.studio.job"]
)


class RunningJob:
    """One process that makes the puzzles of a book, builds it, or makes days of a feed.

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
        """Whether it has not ended yet."""
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
