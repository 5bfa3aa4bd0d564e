"""Progress on stderr, of a book or a feed: bars on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

from linkpress.cli.streams import Pulse
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.watcher import Watcher


@contextmanager
def showing_build() -> Iterator[Watcher]:
    """A watcher that shows a build's progress while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _BuildLines()
        return
    with _bars(console, TextColumn("{task.fields[rate]}")) as progress:
        yield _BuildBar(progress)


@contextmanager
def showing_feed() -> Iterator[Watcher]:
    """A watcher that shows a feed's progress while the block runs."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield _FeedLines()
        return
    with _bars(console) as progress:
        yield _FeedBars(progress)


def _bars(console: Console, *more: ProgressColumn) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        *more,
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True)


class _Counting(Watcher):
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
        self.waiting()

    @property
    def rate(self) -> str:
        return f"{len(self.done) / max(time.monotonic() - self.start, 1e-3):.1f} puzzles/s"


class _BuildBar(_Counting):
    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._task = progress.add_task("making puzzles", total=None, rate="")

    def stage(self, name: str) -> None:
        words = {"make": "making puzzles", "lay out": "laying out", "write": "writing"}
        self._progress.update(self._task, description=words.get(name, name))

    def made(self, finished: FinishedSlot) -> None:
        super().made(finished)
        self._progress.update(self._task, completed=len(self.done), total=self.total, rate=self.rate)


class _FeedBars(_Counting):
    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._puzzles = progress.add_task("making puzzles", total=None)
        self._images = progress.add_task("drawing days", total=None, visible=False)

    def planned(self, count: int) -> None:
        self._progress.update(self._puzzles, total=count)

    def made(self, finished: FinishedSlot) -> None:
        super().made(finished)
        self._progress.update(self._puzzles, completed=len(self.done))

    def drawing(self, days: int) -> None:
        self._progress.update(self._images, total=days, visible=True)

    def drawn(self) -> None:
        self._progress.advance(self._images)


class _Lines(_Counting):
    def __init__(self) -> None:
        super().__init__()
        self._pulse = Pulse()

    def planned(self, count: int) -> None:
        super().planned(count)
        self._pulse = Pulse()  # the time before does not count

    def waiting(self) -> None:
        self._pulse.say(f"made {len(self.done)} of {self.total} puzzles")


class _BuildLines(_Lines):
    def waiting(self) -> None:
        self._pulse.say(f"made {len(self.done)} of {self.total} puzzles, {self.rate}")


class _FeedLines(_Lines):
    def __init__(self) -> None:
        super().__init__()
        self._days = self._drawn = 0

    def drawing(self, days: int) -> None:
        self._days = days

    def drawn(self) -> None:
        self._drawn += 1
        self._pulse.say(f"drew {self._drawn} of {self._days} days")
