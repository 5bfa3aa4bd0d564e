"""Progress on stderr, of a book or a feed: bars on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from linkpress.cli.streams import Pulse
from linkpress.production.finished_slot import FinishedSlot
from linkpress.production.watcher import Watcher

_STAGES = {"make": "making puzzles", "lay out": "laying out", "write": "writing"}


@contextmanager
def showing_progress() -> Iterator[Watcher]:
    """A watcher that shows a run's progress while the block runs."""
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
        yield _Bars(progress)


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


class _Bars(_Counting):
    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress
        self._puzzles = progress.add_task(_STAGES["make"], total=None, rate="")
        self._days = progress.add_task("drawing days", total=None, rate="", visible=False)

    def stage(self, name: str) -> None:
        self._progress.update(self._puzzles, description=_STAGES.get(name, name))

    def made(self, finished: FinishedSlot) -> None:
        super().made(finished)
        self._progress.update(self._puzzles, completed=len(self.done), total=self.total, rate=self.rate)

    def drawing(self, days: int) -> None:
        self._progress.update(self._days, total=days, visible=True)

    def drawn(self) -> None:
        self._progress.advance(self._days)


class _Lines(_Counting):
    def __init__(self) -> None:
        super().__init__()
        self._pulse = Pulse()
        self._days = self._drawn = 0

    def planned(self, count: int) -> None:
        super().planned(count)
        self._pulse = Pulse()  # the time before does not count

    def waiting(self) -> None:
        self._pulse.say(f"made {len(self.done)} of {self.total} puzzles, {self.rate}")

    def drawing(self, days: int) -> None:
        self._days = days

    def drawn(self) -> None:
        self._drawn += 1
        self._pulse.say(f"drew {self._drawn} of {self._days} days")
