"""A build's progress on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from linkpress.cli.streams import Pulse
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.watcher import Watcher


@contextmanager
def showing_progress() -> Iterator[Watcher]:
    """A watcher that shows a build's progress while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(progress)


class _Counting(Watcher, ABC):
    """Counts the slots that are done; one that is made again counts once."""

    def __init__(self) -> None:
        self.total = 0
        self.done: set[int] = set()
        self.start = time.monotonic()

    def planned(self, count: int) -> None:
        self.total = count
        self.start = time.monotonic()

    def made(self, finished: FinishedSlot) -> None:
        self.done.add(finished.slot.number)
        self.show()

    @abstractmethod
    def show(self) -> None: ...

    @property
    def rate(self) -> str:
        """Puzzles a second since the start, in words."""
        return f"{len(self.done) / max(time.monotonic() - self.start, 1e-3):.1f} puzzles/s"


class _Bar(_Counting):
    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._task = progress.add_task("making puzzles", total=None, rate="")

    def stage(self, name: str) -> None:
        words = {"make": "making puzzles", "lay out": "laying out", "write": "writing"}
        self._progress.update(self._task, description=words.get(name, name))

    def show(self) -> None:
        self._progress.update(self._task, completed=len(self.done), total=self.total, rate=self.rate)


class _Lines(_Counting):
    def __init__(self) -> None:
        super().__init__()
        self._pulse = Pulse()

    def planned(self, count: int) -> None:
        super().planned(count)
        self._pulse = Pulse()  # the time before does not count

    def waiting(self) -> None:
        self.show()

    def show(self) -> None:
        self._pulse.say(f"made {len(self.done)} of {self.total} puzzles, {self.rate}")
